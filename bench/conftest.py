"""``pytest -n 0 bench`` times, although the project's settings leave timing out of the tests."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    if "--benchmark-disable" not in config.invocation_params.args:
        config.option.benchmark_enable = True
