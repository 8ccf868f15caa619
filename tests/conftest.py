"""Which tests are the quick tier: ``pytest -m quick`` is for the working loop, a minute at most."""

from __future__ import annotations

from pathlib import Path

import pytest

collect_ignore = ["typing"]  # programs that test_typing reads

QUICK = (
    "test_arrow", "test_cli_score", "test_cli_sichuan", "test_compat", "test_dealing",
    "test_errors", "test_files", "test_golden", "test_notation", "test_patterns",
    "test_reference", "test_rule_files", "test_score_inputs", "test_settlement",
    "test_settlement_input", "test_text", "test_wins",
)  # fmt: skip
"""Files of a few seconds that reach every folder of the package; the docstrings beside them."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.DoctestItem) or Path(item.path).stem in QUICK:
            item.add_marker(pytest.mark.quick)
