"""Exact mahjong hands, fast: shanten, waits, discards and wins, one hand or millions.

The public names are bound lazily, so that ``import evaluator`` costs nothing:
numba loads on the first query.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._version import __version__

_HOME = {
    "Division": "divisions",
    "Discards": "queries",
    "Waits": "queries",
    "counts": "dealing",
    "deal": "dealing",
    "ScoredDivision": "divisions",
    "decompose": "divisions",
    "discards": "queries",
    "is_win": "queries",
    "shanten": "queries",
    "waits": "queries",
    "pattern_names": "patterns",
    "pattern_shanten": "patterns",
    "Fan": "scores",
    "Score": "scores",
    "Scores": "scores",
    "WaitScores": "scores",
    "Part": "patternscores",
    "PatternScore": "patternscores",
    "PatternScores": "patternscores",
    "wild_tile": "patternscores",
    "score": "scores",
    "wait_scores": "scores",
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
    "format": "notation",
    "parse": "notation",
    "Rules": "rulesets",
    "rules": "rulesets",
}

__all__ = [*_HOME, "__version__", "errors"]

if TYPE_CHECKING:  # the same names for type checkers
    # ruff: noqa: F401
    from . import errors
    from .dealing import counts, deal
    from .divisions import Division, ScoredDivision, decompose
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
    from .hands import FLAGS, Hand, Hands, Meld
    from .notation import format, parse
    from .patterns import pattern_names, pattern_shanten
    from .patternscores import Part, PatternScore, PatternScores, wild_tile
    from .queries import Discards, Waits, discards, is_win, shanten, waits
    from .rulesets import Rules, rules
    from .scores import Fan, Score, Scores, WaitScores, score, wait_scores
    from .settlement import Entry, Ledger, may_win, must_win, next_dealer, payments, settle
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
