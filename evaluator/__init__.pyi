"""The public names as type checkers see them: an answer for each kind of input.

``tests/test_typing.py`` holds this file against the package.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, SupportsIndex, TypeAlias, overload, type_check_only

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

_Whole: TypeAlias = np.dtype[np.integer[Any]]
# a hand; a batch; an array that does not say how many axes it has, which counts as a batch.
# _Many matches such an array where numpy writes its shape tuple[Any, ...], _Array where it is
# tuple[int, ...] (numpy 2.2)
_One: TypeAlias = Hand | str | Sequence[int] | np.ndarray[tuple[int], _Whole]
_Many: TypeAlias = (
    Hands
    | list[str]
    | tuple[str, ...]
    | Sequence[Hand]
    | Sequence[Sequence[int]]
    | Sequence[np.ndarray[tuple[Any, ...], _Whole]]
    | np.ndarray[tuple[int, int], _Whole]
    | np.ndarray[tuple[int, int, int], _Whole]
)
_Array: TypeAlias = np.ndarray[tuple[Any, ...], _Whole]
_Counts: TypeAlias = Sequence[int] | Sequence[Sequence[int]] | _Array
_Numbers: TypeAlias = int | Sequence[int] | _Array
_Rules: TypeAlias = str | Path | Rules | None
_Errors: TypeAlias = Literal["raise", "mark"]
_Shanten: TypeAlias = npt.NDArray[np.int8]
_Wins: TypeAlias = npt.NDArray[np.bool_]

# what the answers of a query are for one hand, and for a batch
@type_check_only
class _WaitsOfOne(Waits):
    shanten: int
    mask: int
    total: int
    def __iter__(self) -> Iterator[Accepted]: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> Accepted: ...
    @overload
    def __getitem__(self, index: slice) -> list[Accepted]: ...

@type_check_only
class _WaitsOfMany(Waits):
    shanten: _Shanten
    mask: npt.NDArray[np.uint64]
    total: npt.NDArray[np.uint8]
    def __iter__(self) -> Iterator[Waits]: ...
    def __getitem__(self, index: Any) -> Waits: ...

@type_check_only
class _DiscardsOfOne(Discards):
    def best(self) -> int: ...
    def __iter__(self) -> Iterator[Candidate]: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> list[Candidate]: ...

@type_check_only
class _DiscardsOfMany(Discards):
    def best(self) -> npt.NDArray[np.int8]: ...
    def __iter__(self) -> Iterator[Discards]: ...
    def __getitem__(self, index: Any) -> Discards: ...

@type_check_only
class _WaitScoresOfOne(WaitScores):
    reason: Reason
    def __iter__(self) -> Iterator[Wait]: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> Wait: ...
    @overload
    def __getitem__(self, index: slice) -> list[Wait]: ...

@type_check_only
class _WaitScoresOfMany(WaitScores):
    reason: npt.NDArray[np.uint8]
    def __iter__(self) -> Iterator[WaitScores]: ...
    def __getitem__(self, index: Any) -> WaitScores: ...

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
def is_win(
    hands: _Array,
    rules: _Rules = None,
    *,
    wilds: _Numbers | None = None,
    void: _Numbers | None = None,
    out: _Wins | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _Wins: ...
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
@overload
def shanten(
    hands: _Array,
    rules: _Rules = None,
    *,
    wilds: _Numbers | None = None,
    void: _Numbers | None = None,
    out: _Shanten | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _Shanten: ...
@overload
def waits(
    hands: _One | _Many | _Array,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    wilds: _Numbers | None = None,
    void: Literal["each"],
    minimum: bool = False,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _WaitsOfMany: ...
@overload
def waits(
    hands: _Many,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    wilds: _Numbers | None = None,
    void: _Numbers | None = None,
    minimum: bool = False,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _WaitsOfMany: ...
@overload
def waits(
    hands: _One,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    wilds: _Numbers | None = None,
    void: _Numbers | None = None,
    minimum: bool = False,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _WaitsOfOne: ...
@overload
def waits(
    hands: _Array,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    wilds: _Numbers | None = None,
    void: _Numbers | None = None,
    minimum: bool = False,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _WaitsOfMany: ...
@overload
def discards(
    hands: _One | _Many | _Array,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    wilds: _Numbers | None = None,
    void: Literal["each"],
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _DiscardsOfMany: ...
@overload
def discards(
    hands: _Many,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    wilds: _Numbers | None = None,
    void: _Numbers | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _DiscardsOfMany: ...
@overload
def discards(
    hands: _One,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    wilds: _Numbers | None = None,
    void: _Numbers | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _DiscardsOfOne: ...
@overload
def discards(
    hands: _Array,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    wilds: _Numbers | None = None,
    void: _Numbers | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _DiscardsOfMany: ...
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
def pattern_shanten(  # type: ignore[overload-overlap]  # one axis is one hand
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
def pattern_shanten(
    hands: _Array,
    rules: _Rules = None,
    *,
    wilds: _Numbers | None = None,
    void: _Numbers | Literal["each"] | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _Shanten: ...
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
@overload
def score(
    hands: _Array,
    rules: _Rules = None,
    *,
    detail: bool = False,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> Scores: ...
@overload
def wait_scores(
    hands: _Many,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _WaitScoresOfMany: ...
@overload
def wait_scores(
    hands: _One,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _WaitScoresOfOne: ...
@overload
def wait_scores(
    hands: _Array,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    threads: int | None = None,
    errors: _Errors = "raise",
) -> _WaitScoresOfMany: ...
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
def ready_max_fan(
    hands: _Array,
    rules: _Rules = None,
    *,
    seen: _Counts | None = None,
    threads: int | None = None,
) -> npt.NDArray[np.int16]: ...
@overload
def rules(name: None = None) -> tuple[str, ...]: ...
@overload
def rules(name: str | Path | Rules) -> Rules: ...
