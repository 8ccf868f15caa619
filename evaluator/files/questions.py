"""What is asked of a batch of hands, and the answers: an array for each column.

Text, Arrow and Parquet are ways to make the batch and to write the arrays; none of
them is known here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..distance.query import pattern_names
from ..errors import Code, EvaluatorError
from ..hands import NONE, Hands
from ..hands.arrow.parts import Batch
from ..rulesets import rules as lookup
from ..shape.results import INVALID
from ..tiles import COPIES, KINDS

if TYPE_CHECKING:
    from ..rulesets import Rules

QUERIES = ("shanten", "waits", "discards", "win", "score", "wait_scores", "patterns")

MISSING = INVALID
"""A shanten column's number for a row without an answer."""
FAN_COLUMNS = 82
NO_SCORE = -1
"""A total's number for a row without one."""

Columns = dict[str, npt.NDArray[Any]]

_EMPTY: dict[str, dict[str, tuple[Any, Any]]] = {
    # query: {column: (dtype, value of a row without an answer)}
    "shanten": {"shanten": (np.int8, MISSING)},
    "waits": {
        "waits_shanten": (np.int8, MISSING),
        "waits_mask": (np.uint64, 0),
        "waits_left": (np.uint8, 0),
    },
    "discards": {
        "discard": (np.uint8, NONE),
        "discard_shanten": (np.int8, MISSING),
        "discard_mask": (np.uint64, 0),
        "discard_left": (np.uint8, 0),
    },
    "win": {"win": (np.bool_, False)},
    "score": {
        "score": (np.int16, NO_SCORE),
        "minimum_met": (np.bool_, False),
        # the counts of all fan as one item of so many bytes
        "fan_counts": (np.dtype((np.void, FAN_COLUMNS)), np.void(bytes(FAN_COLUMNS))),
    },
    "wait_scores": {
        "wait_scores_mask": (np.uint64, 0),
        "wait_scores_discard": (np.dtype((np.int16, KINDS)), NO_SCORE),
        "wait_scores_self_drawn": (np.dtype((np.int16, KINDS)), NO_SCORE),
        "wait_scores_left": (np.dtype((np.uint8, KINDS)), NONE),
    },
}
PATTERN = "patterns_"
"""What the column of a pattern is called before its name."""


def _empty(name: str, rules: str | Rules | None) -> dict[str, tuple[Any, Any]]:
    """The columns of a query under a rule set."""
    if name == "patterns":
        names = pattern_names("guobiao" if rules is None else rules)
        return {f"{PATTERN}{pattern}": (np.int8, MISSING) for pattern in names}
    if name != "score" or not has_patterns(rules):
        return _EMPTY[name]
    assert rules is not None
    groups = len({pattern.group for pattern in lookup(rules).patterns})
    return {
        "fan": (np.int16, NO_SCORE),
        "points": (np.int32, 0),
        "payment": (np.int32, 0),
        # the pattern of each group by its number, a byte each
        "pattern": (np.dtype((np.void, groups)), np.void(bytes([NONE] * groups))),
        "gens": (np.uint8, 0),
        "kongs": (np.uint8, 0),
        "addons": (np.int8, 0),
        "minimum_met": (np.bool_, False),
    }


def has_patterns(rules: str | Rules | None) -> bool:
    """Whether scores under a rule set are of the Sichuan kind.

    >>> has_patterns("qq_sichuan"), has_patterns(None)
    (True, False)
    """
    return rules is not None and bool(lookup(rules).patterns)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of every hand of a batch.

    Attributes
    ----------
    names : tuple of str
        The queries.
    rules : str, Rules or None
    seen : array_like of int, shape (34,) or (n, 34), or None
        Tiles visible elsewhere.
    void : int, array_like of int, shape (n,), or None
        Void suit 0-2; 255 in an array leaves that hand to the rules.
    wilds : int, array_like of int, shape (n,), or None
        Wild tiles held, instead of the hands' own.
    threads : int or None
    """

    names: tuple[str, ...]
    rules: str | Rules | None = None
    seen: Any = None
    void: Any = None
    wilds: Any = None
    threads: int | None = None

    def of(self, rows: Any) -> Asked:
        """The same, asked of some rows."""
        return replace(
            self,
            seen=rows_of(self.seen, rows, 2),
            void=rows_of(self.void, rows, 1),
            wilds=rows_of(self.wilds, rows, 1),
        )

    def options(self, *, seen: bool) -> dict[str, Any]:
        """Keyword arguments of a query."""
        options = {"wilds": self.wilds, "void": self.void, "threads": self.threads}
        return options | {"seen": self.seen} if seen else options


def rows_of(values: Any, rows: Any, dimensions: int) -> Any:
    return values[rows] if np.ndim(values) == dimensions else values


def check_queries(queries: str | Sequence[str]) -> tuple[str, ...]:
    """The queries as a tuple, each once.

    Examples
    --------
    >>> check_queries("shanten"), check_queries(["win", "waits", "win"])
    (('shanten',), ('win', 'waits'))
    """
    names = tuple(dict.fromkeys([queries] if isinstance(queries, str) else queries))
    unknown = [name for name in names if name not in QUERIES]
    if unknown or not names:
        code = Code.UNKNOWN_QUERIES if unknown else Code.NO_QUERY
        raise EvaluatorError(code, key=repr(*unknown[:1] or [""]), choices=QUERIES)
    return names


def fan_lists(
    counts: npt.NDArray[np.void], rules: str | Rules | None
) -> tuple[list[list[str]], npt.NDArray[np.int64]]:
    """The different lists of fan in a column of counts, and which each row has.

    A list is in the order of the book; a fan that counts twice is ``四归一×2``.
    """
    from ..scoring.guobiao.fan import fan_table

    rows = np.frombuffer(counts.tobytes(), np.uint8).reshape(len(counts), FAN_COLUMNS)
    _, first, number = np.unique(counts, return_index=True, return_inverse=True)
    fans = fan_table(lookup("guobiao" if rules is None else rules)).fans
    different = rows[first][:, [fan.column for fan in fans]]
    lists: list[list[str]] = [[] for _ in first]
    where = np.nonzero(different)
    for row, place, times in zip(*where, different[where].tolist(), strict=True):
        name = fans[place].chinese
        lists[row].append(name if times == 1 else f"{name}×{times}")
    return lists, number


def pattern_lists(
    numbers: npt.NDArray[np.void], rules: str | Rules | None
) -> tuple[list[list[str]], npt.NDArray[np.int64]]:
    """The different lists of patterns in a column of their numbers, and which each row has."""
    names = [pattern.name for pattern in lookup("guobiao" if rules is None else rules).patterns]
    different, number = np.unique(numbers, return_inverse=True)
    return [[names[n] for n in row.tobytes() if n < len(names)] for row in different], number


LISTED = {"fan_counts": ("fans", fan_lists), "pattern": ("patterns", pattern_lists)}
"""Columns that stand for lists of names: what the names are called, and what makes them."""


def columns_of(query: str, rules: str | Rules | None = None) -> dict[str, np.dtype[Any]]:
    """The columns of one query and their types.

    >>> columns_of("waits")
    {'waits_shanten': dtype('int8'), 'waits_mask': dtype('uint64'), 'waits_left': dtype('uint8')}
    """
    return {name: np.dtype(kind) for name, (kind, _) in _empty(query, rules).items()}


def unanswered(
    columns: Mapping[str, npt.NDArray[Any]], query: str, rules: str | Rules | None = None
) -> npt.NDArray[np.bool_]:
    """Rows that have no answer to a query: wrong, of the size another takes, or no win.

    >>> columns = {"reason": np.array([0, 0, 2]), "waits_shanten": np.array([1, -128, -128])}
    >>> unanswered(columns, "waits").tolist(), unanswered(columns, "win").tolist()
    ([False, True, True], [False, False, True])
    """
    none: npt.NDArray[np.bool_] = columns["reason"] != 0
    if query == "win":
        return none
    name, (_, empty) = next(iter(_empty(query, rules).items()))
    if query == "wait_scores":
        none = none | (columns["wait_scores_left"][:, 0] == NONE)
        return none
    if query == "discards":
        name, empty = "discard_shanten", MISSING
    none = none | (columns[name] == empty)
    return none


def fits(name: str, hands: Batch, asked: Asked, rows: slice = slice(None)) -> npt.NDArray[np.bool_]:
    """Rows of the size that a query takes; 3k tiles are nobody's, any but discards says so."""
    wilds = wilds_of(hands) if asked.wilds is None else asked.wilds
    size = counts_of(hands)[rows].sum(axis=1, dtype=np.int64) + rows_of(wilds, rows, 1)
    fits: npt.NDArray[np.bool_] = (size % 3 == 2) == (name == "discards")
    return fits


def counts_of(hands: Batch) -> npt.NDArray[Any]:
    return hands.concealed if isinstance(hands, Hands) else hands


def wilds_of(hands: Batch) -> Any:
    return hands.wilds if isinstance(hands, Hands) else 0


def as_hands(hands: Batch) -> Hands:
    if isinstance(hands, Hands):
        return hands
    if hands.dtype != np.uint8:
        wrong = (hands < 0) | (hands > COPIES)
        hands = np.where(wrong, NONE, hands).astype(np.uint8)
    return Hands(concealed=hands)


def with_wilds(hands: Batch, asked: Asked) -> Hands:
    batch = as_hands(hands)
    return batch if asked.wilds is None else replace(batch, wilds=asked.wilds)


SIZED = ("waits", "discards")
"""Queries that take hands of one size only."""


def no_answers(names: Sequence[str], n: int, rules: str | Rules | None) -> Columns:
    return {
        column: np.full(n, value, dtype)
        for name in names
        for column, (dtype, value) in _empty(name, rules).items()
    }
