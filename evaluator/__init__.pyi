"""The public names as type checkers see them: an answer for each kind of input.

``tests/test_typing.py`` holds this file against the package.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from . import errors as errors
from ._version import __version__ as __version__
from .dealing.deals import counts as counts
from .dealing.deals import deal as deal
from .distance.query import pattern_names as pattern_names
from .errors import Code as Code
from .errors import EvaluatorError as EvaluatorError
from .errors import HandError as HandError
from .errors import NotationError as NotationError
from .errors import NotAWin as NotAWin
from .errors import Reason as Reason
from .errors import RoundError as RoundError
from .errors import RulesError as RulesError
from .hands import FLAGS as FLAGS
from .hands import Hand as Hand
from .hands import Hands as Hands
from .hands import Meld as Meld
from .hands import wild_tile as wild_tile
from .hands.notation import format as format
from .hands.notation import parse as parse
from .rulesets import Rules as Rules
from .scoring import Part as Part
from .scoring import Score as Score
from .scoring import Scores as Scores
from .scoring import Wait as Wait
from .scoring import WaitScores as WaitScores
from .settlement import Entry as Entry
from .settlement import Ledger as Ledger
from .settlement import may_win as may_win
from .settlement import must_win as must_win
from .settlement import next_dealer as next_dealer
from .settlement import payments as payments
from .settlement import settle as settle
from .shape.divisions import Division as Division
from .shape.divisions import ScoredDivision as ScoredDivision
from .shape.results import Accepted as Accepted
from .shape.results import Candidate as Candidate
from .shape.results import Discards as Discards
from .shape.results import Waits as Waits
from .warming import warmup as warmup

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

# a hand; a batch; an array of any shape. An array that does not say how many axes it has is a batch
_One: TypeAlias = Hand | str | Sequence[int] | np.ndarray[tuple[int], np.dtype[Any]]
_Many: TypeAlias = (
    Hands
    | list[str]
    | tuple[str, ...]
    | Sequence[Hand]
    | Sequence[Sequence[int]]
    | np.ndarray[tuple[int, int], np.dtype[Any]]
    | np.ndarray[tuple[int, int, int], np.dtype[Any]]
)
_Array: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[Any]]
_Counts: TypeAlias = Sequence[int] | Sequence[Sequence[int]] | _Array
_Numbers: TypeAlias = int | Sequence[int] | _Array
_Rules: TypeAlias = str | Rules | None
_Errors: TypeAlias = Literal["raise", "mark"]
_Shanten: TypeAlias = npt.NDArray[np.int8]
_Wins: TypeAlias = npt.NDArray[np.bool_]

@overload
def is_win(
    hands: _One | _Many | _Array,
    rules: _Rules = None,
    *,
    wilds: _Numbers | None = None,
    void: Literal["each"],
    out: _Wins | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _Wins: ...
@overload
def is_win(
    hands: _Many,
    rules: _Rules = None,
    *,
    wilds: _Numbers | None = None,
    void: _Numbers | None = None,
    out: _Wins | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _Wins: ...
@overload
def is_win(
    hands: _One,
    rules: _Rules = None,
    *,
    wilds: _Numbers | None = None,
    void: _Numbers | None = None,
    out: _Wins | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> bool: ...
@overload
def shanten(
    hands: _One | _Many | _Array,
    rules: _Rules = None,
    *,
    wilds: _Numbers | None = None,
    void: Literal["each"],
    out: _Shanten | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _Shanten: ...
@overload
def shanten(
    hands: _Many,
    rules: _Rules = None,
    *,
    wilds: _Numbers | None = None,
    void: _Numbers | None = None,
    out: _Shanten | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _Shanten: ...
@overload
def shanten(
    hands: _One,
    rules: _Rules = None,
    *,
    wilds: _Numbers | None = None,
    void: _Numbers | None = None,
    out: _Shanten | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> int: ...
def waits(
    hands: _One | _Many | _Array,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    wilds: _Numbers | None = None,
    void: _Numbers | Literal["each"] | None = None,
    minimum: bool = False,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> Waits: ...
def discards(
    hands: _One | _Many | _Array,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    wilds: _Numbers | None = None,
    void: _Numbers | Literal["each"] | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> Discards: ...
def decompose(hand: _One, rules: _Rules = None) -> list[Division]: ...
@overload
def pattern_shanten(
    hands: _Many,
    rules: _Rules = None,
    *,
    wilds: _Numbers | None = None,
    void: _Numbers | Literal["each"] | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _Shanten: ...
@overload
def pattern_shanten(
    hands: _One,
    rules: _Rules = None,
    *,
    wilds: _Numbers | None = None,
    void: Literal["each"],
    threads: int | None = None,
    errors: _Errors = "raise",
) -> dict[str, _Shanten]: ...
@overload
def pattern_shanten(
    hands: _One,
    rules: _Rules = None,
    *,
    wilds: _Numbers | None = None,
    void: _Numbers | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> dict[str, int]: ...
@overload
def score(
    hands: _Many,
    rules: _Rules = None,
    *,
    detail: bool = False,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> Scores: ...
@overload
def score(
    hands: _One,
    rules: _Rules = None,
    *,
    detail: bool = False,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> Score: ...
def wait_scores(
    hands: _One | _Many | _Array,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> WaitScores: ...
@overload
def ready_max_fan(
    hands: _Many,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    threads: int | None = None,
) -> npt.NDArray[np.int16]: ...
@overload
def ready_max_fan(
    hands: _One,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    threads: int | None = None,
) -> int: ...
@overload
def rules(name: None = None) -> tuple[str, ...]: ...
@overload
def rules(name: str | Path | Rules) -> Rules: ...
