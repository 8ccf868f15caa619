"""Exact mahjong hands, fast: shanten, waits, discards and wins, one hand or millions.

The public names are bound lazily, so that ``import evaluator`` costs nothing:
numba loads on the first query.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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

__all__ = [*_HOME, "__version__", "errors"]

if TYPE_CHECKING:  # the same names for type checkers
    # ruff: noqa: F401
    from . import errors
    from .dealing.deals import counts, deal
    from .distance.query import pattern_names, pattern_shanten
    from .errors import (
        Code,
        EvaluatorError,
        HandError,
        NotationError,
        NotAWin,
        Reason,
        RoundError,
        RulesError,
    )
    from .hands import FLAGS, Hand, Hands, Meld, wild_tile
    from .hands.notation import format, parse
    from .rulesets import Rules, rules
    from .scoring import Part, Score, Scores, Wait, WaitScores, ready_max_fan, score, wait_scores
    from .scoring.minimum import waits
    from .settlement import Entry, Ledger, may_win, must_win, next_dealer, payments, settle
    from .shape.divisions import Division, ScoredDivision, decompose
    from .shape.queries import discards, is_win, shanten
    from .shape.results import Accepted, Candidate, Discards, Waits
    from .warming import warmup


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
