"""How often: shanten, accepted tiles or fan over many hands, counted piece by piece.

Hands come from files, from a dealer or from the list of all complete hands; memory
stays bounded, as no piece is kept. Beside what was counted stands what is known exactly
(:mod:`evaluator.dealing.distributions`).
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ..engine.ordered import in_order
from ..engine.parallel import cores
from ..errors import Code, EvaluatorError, HandError, Reason
from ..files.asking import answer, own_or_all
from ..files.questions import Asked
from ..hands import NONE, Hands
from ..hands.arrow.wrong import Wrong
from ..rulesets import Rules
from ..scoring import score
from ..shape.intake import resolve
from ..tiles import SUITED
from .distributions import deal_shanten, wins
from .lists import DEAL, Deal

Quantity = Literal["shanten", "waits", "left", "fan"]
QUANTITIES: dict[Quantity, str] = {
    "shanten": "shanten",
    "waits": "kinds of tiles accepted",
    "left": "copies left of the tiles accepted",
    "fan": "fan",
}
"""What can be counted, and what it is called."""

NO_WIN = (int(Reason.NOT_A_WIN), int(Reason.TOO_MANY_SUITS))
"""Reasons of a hand without fan that is a hand all the same."""

Values = npt.NDArray[Any]


class Rows(NamedTuple):
    """Hands that are counted together.

    Attributes
    ----------
    hands : Hands, or ndarray of int, shape (n, 34) or (n, 27)
    where : callable
        What a row is called in a message.
    wrong : Wrong or None
        What is wrong with the text of rows.
    void, wilds : ndarray of uint8, shape (n,), or None
        For each hand, 255 where nothing is said.
    """

    hands: Any
    where: Callable[[int], str]
    wrong: Wrong | None = None
    void: npt.NDArray[np.uint8] | None = None
    wilds: npt.NDArray[np.uint8] | None = None


class Origin(Protocol):
    """Where hands come from.

    Attributes
    ----------
    title : str
    total : int or None
        The weight of all pieces.
    """

    @property
    def title(self) -> str: ...
    @property
    def total(self) -> int | None: ...

    def runs(self) -> Iterator[Iterable[Any]]:
        """Pieces, those of one list to be read one after the other."""

    def read(self, piece: Any) -> Rows:
        """The hands of a piece."""

    def weight(self, piece: Any) -> int:
        """Its share of ``total``."""

    def shanten(self, rules: str | Rules | None) -> dict[int, int] | None:
        """All there could be by shanten, if that is known."""


@dataclass(frozen=True)
class Dealt:
    """Hands that are dealt as they are counted."""

    deal: Deal

    @property
    def title(self) -> str:
        d = self.deal
        how = f"{d.family}, {d.kinds} kinds, seed {d.seed}"
        return f"{d.n:,} dealt hands of {d.tiles} tiles ({how})"

    @property
    def total(self) -> int:
        return self.deal.n

    def runs(self) -> Iterator[Sequence[tuple[int, int]]]:
        return ([piece] for piece in self.deal.pieces())

    def read(self, piece: tuple[int, int]) -> Rows:
        first = self.deal.start + piece[0]
        return Rows(self.deal.hands(*piece), lambda row: f"hand {first + row}")

    def weight(self, piece: tuple[int, int]) -> int:
        return piece[1]

    def shanten(self, rules: str | Rules | None) -> dict[int, int] | None:
        d = self.deal
        return deal_shanten(d.tiles, d.kinds, rules, family=d.family)


class Files:
    """Hands of a file, a folder or a glob: Parquet, CSV, JSON lines, text.

    Parameters
    ----------
    path : str or path-like
    column : str, optional
        Name of the column of hands.
    """

    def __init__(self, path: str | os.PathLike[str], column: str | None = None) -> None:
        from ..files.jobs import open_input

        self._input = open_input(path, column)
        self.title = os.fspath(path)
        self.total = self._input.total
        self._columns = tuple(dict.fromkeys(self._input.hands.names))

    def runs(self) -> Iterator[Iterable[Any]]:
        return self._input.runs(self._columns, None)

    def read(self, piece: Any) -> Rows:
        taken = self._input.read(piece, self._columns, None)
        hands, present = taken.hands, taken.hands.present

        def where(row: int) -> str:
            number = taken.numbers[row if present is None else present[row]]
            return f"{piece.path}: {self._input.unit} {number}"

        return Rows(hands.hands, where, hands.wrong, hands.void, hands.wilds)

    def weight(self, piece: Any) -> int:
        return int(piece.weight)

    def shanten(self, rules: str | Rules | None) -> dict[int, int] | None:
        about = self._input.schema.field(self._input.hands.hand).metadata or {}
        list_ = dict(word.split("=", 1) for word in about.get(DEAL, b"").decode().split())
        if not {"tiles", "kinds", "family"} <= set(list_):
            return None
        try:
            return deal_shanten(
                int(list_["tiles"]), int(list_["kinds"]), rules, family=list_["family"]
            )
        except ValueError:
            # metadata of another program or version
            return None


@dataclass(frozen=True)
class AllWins:
    """Every complete concealed hand of 14 tiles, once."""

    rules: str | Rules | None

    @property
    def title(self) -> str:
        return f"every complete hand of {resolve(self.rules, SUITED).name}, once each"

    total = None

    def runs(self) -> Iterator[Sequence[npt.NDArray[np.uint8]]]:
        return ([hands] for hands in wins(self.rules))

    def read(self, piece: npt.NDArray[np.uint8]) -> Rows:
        return Rows(piece, lambda row: f"hand {piece[row].tolist()}")

    def weight(self, piece: npt.NDArray[np.uint8]) -> int:
        return len(piece)

    def shanten(self, rules: str | Rules | None) -> None:
        return None


@dataclass
class Histogram:
    """How many hands have which value.

    Attributes
    ----------
    quantity : {"shanten", "waits", "left", "fan"}
    of : str
        Which hands, for people.
    rules : str
    hands : dict of int to int
        Number of hands by value, in order.
    exact : dict of int to int, or None
        All deals by value, where that is known.
    not_ready, no_win : int
        Hands that were left out: not ready where ready ones were asked for, no win
        where fan were.
    bad : int
        Rows that are no hands for this question.
    first_bad : str
        What is wrong with the first of them.
    """

    quantity: Quantity
    of: str
    rules: str
    hands: dict[int, int] = field(default_factory=dict)
    exact: dict[int, int] | None = None
    not_ready: int = 0
    no_win: int = 0
    bad: int = 0
    first_bad: str = ""

    @property
    def total(self) -> int:
        """Hands that have a value."""
        return sum(self.hands.values())

    @property
    def values(self) -> list[int]:
        """Values that were found or can be, in order."""
        return sorted({*self.hands, *(self.exact or {})})

    @property
    def mean(self) -> float | None:
        """Of the values; None of no hands."""
        total = self.total
        return sum(v * n for v, n in self.hands.items()) / total if total else None

    def share(self, value: int) -> float:
        """Share of the hands, 0 to 1."""
        return self.hands.get(value, 0) / max(self.total, 1)

    def exact_share(self, value: int) -> float:
        """Share of all deals; nan where it is not known."""
        if self.exact is None:
            return float("nan")
        return self.exact.get(value, 0) / sum(self.exact.values())

    def rows(self) -> list[dict[str, Any]]:
        """A dict for each value: ``value``, ``hands``, ``share``; ``deals``, ``exact_share``."""
        rows = []
        for value in self.values:
            row: dict[str, Any] = {
                "value": value,
                "hands": self.hands.get(value, 0),
                "share": self.share(value),
            }
            if self.exact is not None:
                row |= {
                    "deals": self.exact.get(value, 0),
                    "exact_share": self.exact_share(value),
                }
            rows.append(row)
        return rows

    def to_csv(self) -> str:
        """A line for each value."""
        names = ["value", "hands", "share"]
        if self.exact is not None:
            names += ["deals", "exact_share"]
        text = io.StringIO()
        writer = csv.DictWriter(text, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows())
        return text.getvalue()

    def to_json(self) -> str:
        """One object, the rows under ``values``."""
        about = {
            "quantity": self.quantity,
            "of": self.of,
            "rules": self.rules,
            "hands": self.total,
            "mean": self.mean,
            "not_ready": self.not_ready,
            "no_win": self.no_win,
            "bad": self.bad,
            "values": self.rows(),
        }
        return json.dumps(about, ensure_ascii=False)


class _Tally(NamedTuple):
    """What a piece adds."""

    values: dict[int, int]
    not_ready: int
    no_win: int
    bad: int
    first_bad: str
    weight: int


def histogram(
    quantity: Quantity,
    origin: Origin,
    rules: str | Rules | None = None,
    *,
    ready: bool = False,
    exact: bool = True,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Histogram:
    """Count hands by what is asked of them.

    Parameters
    ----------
    quantity : {"shanten", "waits", "left", "fan"}
        Shanten; kinds of tiles that a waiting hand accepts; copies left of them; the
        fan of complete hands, under any rule set that scores them.
    origin : Dealt, Files or AllWins
    rules : str, Rules or None
    ready : bool
        Of ``waits`` and ``left``: count ready hands only.
    exact : bool
        Put what is known exactly beside what is counted.
    threads : int, optional
    progress : callable
        Told how much is done, in the unit of ``origin.total``.

    Returns
    -------
    Histogram

    Raises
    ------
    EvaluatorError
        A quantity that does not exist, hands that the rules cannot score at all, a file
        that cannot be read.

    Examples
    --------
    >>> from evaluator.dealing.lists import Deal
    >>> found = histogram("shanten", Dealt(Deal(10_000, tiles=14, seed=1)), "riichi")
    >>> found.hands
    {0: 5, 1: 233, 2: 2038, 3: 4331, 4: 2853, 5: 527, 6: 13}
    >>> round(found.share(3), 3), round(found.exact_share(3), 3)
    (0.433, 0.439)
    """
    if quantity not in QUANTITIES:
        raise EvaluatorError(
            Code.NOT_A_CHOICE, key="quantity", value=quantity, choices=tuple(QUANTITIES)
        )
    if ready and quantity not in ("waits", "left"):
        raise EvaluatorError(Code.READY_HANDS_HAVE_WAITS, key=quantity)
    named = rules if rules is None else resolve(rules, SUITED)
    found = Histogram(quantity, origin.title, "")
    if exact and quantity == "shanten":
        found.exact = origin.shanten(named)
    counts: Counter[int] = Counter()
    names: dict[str, None] = {}
    done = 0

    def work(piece: Any) -> tuple[str, _Tally]:
        rows = origin.read(piece)
        width = 34 if isinstance(rows.hands, Hands) else rows.hands.shape[1]
        played = resolve(named, width)
        return played.name, _tally(quantity, rows, played, ready, origin.weight(piece))

    workers = cores() if threads is None else threads
    with closing(in_order(work, origin.runs(), workers)) as tallies:
        for name, tally in tallies:
            names[name] = None
            counts.update(tally.values)
            found.not_ready += tally.not_ready
            found.no_win += tally.no_win
            if tally.bad and not found.bad:
                found.first_bad = tally.first_bad
            found.bad += tally.bad
            done += tally.weight
            if progress is not None:
                progress(done)
    found.hands = dict(sorted(counts.items()))
    found.rules = ", ".join(names) or ("" if named is None else named.name)
    return found


Mask = npt.NDArray[np.bool_]


def _tally(quantity: Quantity, rows: Rows, rules: Rules, ready: bool, weight: int) -> _Tally:
    ask = _fan if quantity == "fan" else _shape
    values, not_ready, no_win, wrong = ask(quantity, rows, rules)
    bad = wrong.number != 0
    no_win &= ~bad
    not_ready &= ~bad & ready
    found, numbers = np.unique(values[~(bad | no_win | not_ready)], return_counts=True)
    first = int(bad.argmax()) if bad.any() else None
    return _Tally(
        dict(zip(found.tolist(), numbers.tolist(), strict=True)),
        int(not_ready.sum()),
        int(no_win.sum()),
        int(bad.sum()),
        "" if first is None else f"{rows.where(first)}: {wrong[first]}",
        weight,
    )


Answered = tuple[Values, Mask, Mask, Wrong]


def _shape(quantity: Quantity, rows: Rows, rules: Rules) -> Answered:
    """What is counted, row by row; which hands are not ready, which no win; what is wrong."""
    name = "shanten" if quantity == "shanten" else "waits"
    void = own_or_all(rows.void, None, NONE)
    asked = Asked((name,), rules, void=void, wilds=_wilds(rows), threads=1)
    columns, wrong = answer(rows.hands, asked, rows.wrong)
    nobody = np.zeros(len(rows.hands), np.bool_)
    if name == "shanten":
        return columns["shanten"], nobody.copy(), nobody, wrong
    not_ready = columns["waits_shanten"] != 0
    if quantity == "left":
        return columns["waits_left"], not_ready, nobody, wrong
    return np.bitwise_count(columns["waits_mask"]), not_ready, nobody, wrong


def _fan(quantity: Quantity, rows: Rows, rules: Rules) -> Answered:
    """The same of complete hands and what they are worth."""
    hands, wilds = rows.hands, _wilds(rows)
    if wilds is not None:
        given = hands if isinstance(hands, Hands) else Hands(concealed=hands)
        hands = replace(given, wilds=wilds)
    found = score(hands, rules, errors="mark", threads=1)
    # the total of Guobiao; Sichuan calls it fan, before the cap
    values = found.fan
    no_win = np.isin(found.reason, NO_WIN)
    wrong = rows.wrong or Wrong(len(values))
    bad = np.flatnonzero((found.reason != Reason.OK) & ~no_win & (wrong.number == 0))
    if len(bad):
        # only the first is ever shown
        first = int(bad[0])
        wrong.mark(bad, _why(hands[first : first + 1], rules, found.reason[first]))
    return values, np.zeros(len(values), np.bool_), no_win, wrong


def _wilds(rows: Rows) -> Any:
    """Wild tiles of each hand where a column says them; None: what the hands say."""
    own = rows.hands.wilds if isinstance(rows.hands, Hands) else 0
    return own_or_all(rows.wilds, None, own)


def _why(hand: Any, rules: Rules, reason: np.uint8) -> HandError:
    """Ask one row again, so that it says what is wrong."""
    try:
        score(hand, rules)
    except HandError as error:
        error.index = None
        return error
    return HandError(Code.NO_HAND_FOR_SCORE)
