"""The checks: each takes a seed and a number of rows, and returns how many it compared.

A check raises :class:`fuzz.common.Disagreement` with the least hand that differs. What it
compares with is a reference of its own (:mod:`fuzz.oracle`, the plain scorers, other
libraries) or a relation that holds whatever the tables say.
"""

from __future__ import annotations

from collections.abc import Callable

from .scores import (
    guobiao,
    passing,
    patterns,
    score_relations,
    sichuan,
    wait_relations,
    wild_scores,
)
from .shapes import dealing, divisions, layouts, melded, relations, rivals, shapes, single
from .texts import lines, round_trips
from .wrong import bad_arrays, bad_rows

Check = Callable[[str, int], int]

ARRAY_CHECKS: dict[str, tuple[Check, float]] = {
    # name: what it is, its share of the rows
    "shapes": (shapes, 0.34),
    "melded": (melded, 0.16),
    "relations": (relations, 0.1),
    "layouts": (layouts, 0.08),
    "single": (single, 0.002),
    "bad_rows": (bad_rows, 0.03),
    "bad_arrays": (bad_arrays, 0.05),
    "rivals": (rivals, 0.05),
    "dealing": (dealing, 0.02),
    "score_relations": (score_relations, 0.1),
    "wait_relations": (wait_relations, 0.06),
    "wild_scores": (wild_scores, 0.0004),
    "sichuan": (sichuan, 0.004),
    "guobiao": (guobiao, 0.02),
    "patterns": (patterns, 0.02),
    "divisions": (divisions, 0.02),
    "passing": (passing, 0.002),
}


TEXT_CHECKS: dict[str, tuple[Check, float]] = {
    "lines": (lines, 0.7),
    "round_trips": (round_trips, 0.3),
}
CHECKS = {name: check for name, (check, _) in (ARRAY_CHECKS | TEXT_CHECKS).items()}
