"""Exact mahjong hands, fast: shanten, waits, discards and wins, one hand or millions.

The public names are bound lazily, so that ``import evaluator`` costs nothing:
numba loads on the first query. What type checkers see of them is ``__init__.pyi``.
"""

from __future__ import annotations

from typing import Any

from ._version import __version__

_HOME = {
    "Division": "shape.divisions",
    "Discards": "shape.results",
    "Waits": "shape.results",
    "counts": "dealing.deals",
    "deal": "dealing.deals",
    "ScoredDivision": "shape.divisions",
    "decompose": "shape.divisions",
    "discards": "shape.queries",
    "is_win": "shape.queries",
    "shanten": "shape.queries",
    "waits": "scoring.minimum",
    "pattern_names": "distance.query",
    "pattern_shanten": "distance.query",
    "Score": "scoring",
    "Scores": "scoring",
    "WaitScores": "scoring",
    "Part": "scoring",
    "wild_tile": "hands",
    "score": "scoring",
    "wait_scores": "scoring",
    "Wait": "scoring",
    "ready_max_fan": "scoring",
    "Accepted": "shape.results",
    "Candidate": "shape.results",
    "Entry": "settlement",
    "Ledger": "settlement",
    "may_win": "settlement",
    "must_win": "settlement",
    "next_dealer": "settlement",
    "payments": "settlement",
    "settle": "settlement",
    "warmup": "warming",
    "Code": "errors",
    "EvaluatorError": "errors",
    "HandError": "errors",
    "NotAWin": "errors",
    "NotationError": "errors",
    "Reason": "errors",
    "RoundError": "errors",
    "RulesError": "errors",
    "FLAGS": "hands",
    "Hand": "hands",
    "Hands": "hands",
    "Meld": "hands",
    "format": "hands.notation",
    "parse": "hands.notation",
    "Rules": "rulesets",
    "rules": "rulesets",
}

__all__ = [
    "FLAGS",
    "Accepted",
    "Candidate",
    "Code",
    "Discards",
    "Division",
    "Entry",
    "EvaluatorError",
    "Hand",
    "HandError",
    "Hands",
    "Ledger",
    "Meld",
    "NotAWin",
    "NotationError",
    "Part",
    "Reason",
    "RoundError",
    "Rules",
    "RulesError",
    "Score",
    "ScoredDivision",
    "Scores",
    "Wait",
    "WaitScores",
    "Waits",
    "__version__",
    "counts",
    "deal",
    "decompose",
    "discards",
    "errors",
    "format",
    "is_win",
    "may_win",
    "must_win",
    "next_dealer",
    "parse",
    "pattern_names",
    "pattern_shanten",
    "payments",
    "ready_max_fan",
    "rules",
    "score",
    "settle",
    "shanten",
    "wait_scores",
    "waits",
    "warmup",
    "wild_tile",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "errors":  # for ``errors.message``: importing a module binds it
        return import_module(".errors", __name__)
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
