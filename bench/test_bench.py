"""pytest-benchmark suites: ``pytest -n 0 bench``, ``pytest -n 0 bench -k "shanten and riichi"``.

Every entry of the registry, ours and each rival's, on the same hands. The times are
of one hand, so that OPS is hands a second. A rival that is not installed is skipped
with the line that installs it.
"""

from __future__ import annotations

import pytest

from bench import rivals
from bench.registry import COMPARISONS, Comparison

OURS = "evaluator"
CASES = [(entry, who) for entry in COMPARISONS for who in (OURS, *entry.rivals)]
SECONDS = 0.05  # of one timed round of a rival

pytestmark = pytest.mark.benchmark(disable_gc=True)


@pytest.mark.parametrize(
    ("entry", "who"), CASES, ids=[f"{entry.name}-{who}" for entry, who in CASES]
)
def test_speed(benchmark, entry: Comparison, who: str) -> None:
    benchmark.group = entry.name
    if who == OURS:
        n = 1000 if benchmark.disabled else entry.n
        call = entry.call(entry.hands(n))
        rounds, warm = 7, 1
    else:
        lacking = rivals.missing(who)
        if lacking:
            pytest.skip(f"{who} is not installed: {lacking}")
        rival = entry.rival(who)
        busy = 0 if benchmark.disabled else SECONDS
        prepared, _ = rivals.enough(rival, entry.hands, busy)
        n = len(prepared)

        def call() -> list[object]:
            return rival.ask(prepared)

        rounds, warm = 3, 0
    benchmark.extra_info["hands"] = n
    benchmark.pedantic(call, rounds=rounds, warmup_rounds=warm)
    if not benchmark.disabled:
        times = benchmark.stats.stats.data
        times[:] = [seconds / n for seconds in times]
