"""What scores look like, the same for every family of rule sets."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from ..answers import Answer
from ..errors import Reason
from ..hands import Hand, Hands
from ..rulesets import Rules
from ..shape.divisions import ScoredDivision
from ..shape.intake import row_number
from ..tiles import NAMES

if TYPE_CHECKING:
    from .families import Family

NO_SCORE = -1
"""Fan of a hand that has no score."""

NOTHING: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Part:
    """One line of a score.

    Attributes
    ----------
    name : str
        The name that players use: 清一色.
    english : str
        Empty for a pattern that the rule set names only in Chinese.
    value : int
        Fan for each time it counts; a factor if the rule set multiplies.
    count : int
        The number of times it counts.
    """

    name: str
    english: str
    value: int
    count: int = 1

    def __str__(self) -> str:
        times = f"×{self.count}" if self.count > 1 else ""
        return f"{self.name}{times} {self.value * self.count}"


class _Score:
    """The attributes of a :class:`Score`, while they are still set."""

    __slots__ = (
        "_asked",
        "_family",
        "_record",
        "addons",
        "fan",
        "gens",
        "kongs",
        "minimum_met",
        "patterns",
        "payment",
        "points",
        "reason",
    )

    def __init__(
        self,
        family: Family,
        asked: tuple[Any, Rules],
        record: Any,
        fan: int,
        points: int,
        payment: int,
        minimum_met: bool,
        reason: Reason,
        patterns: tuple[str, ...] = (),
        gens: int = 0,
        kongs: int = 0,
        addons: int = 0,
    ) -> None:
        self._family = family
        self._asked = asked
        self._record = record
        self.fan = fan
        self.points = points
        self.payment = payment
        self.minimum_met = minimum_met
        self.reason = reason
        self.patterns = patterns
        self.gens = gens
        self.kongs = kongs
        self.addons = addons


class Score(_Score, Answer):
    """The score of one complete hand.

    Attributes
    ----------
    fan : int
        Fan before the cap, flowers included; −1 = no score. If the groups of the rule set
        multiply, this is their product.
    points : int
        Points for these fan, without the extra payment for a self-draw.
    payment : int
        The amount that one payer pays: each of the others on a self-draw, else the discarder.
    minimum_met : bool
        Whether the fan reach the minimum of the rule set (without flowers).
    reason : Reason
        OK; with ``errors="mark"`` the reason why there is no score.
    patterns : tuple of str
        Under rules with patterns: the best pattern of each group.
    gens, kongs : int
        Under rules with patterns: the number of roots (根: four of a kind that are not a
        kong) and of kongs.
    addons : int
        Under rules with patterns: fan for how the hand was won and for its wild tiles.
    """

    __slots__ = ()
    _fields = (
        "fan", "points", "payment", "minimum_met", "reason", "patterns", "gens", "kongs",
        "addons", "parts",
    )  # fmt: skip

    def __reduce__(self) -> tuple[Any, ...]:
        asked = (self.hand, self.rules)
        return made, (self._family, asked, self._record, *self._values()[:-1])

    @property
    def hand(self) -> Hand | None:
        """The hand that was scored; None if it cannot be scored."""
        if self.reason:
            return None
        hand = self._asked[0]
        return hand if isinstance(hand, Hand) else hand()

    @property
    def rules(self) -> Rules:
        """The rule set under which it was scored."""
        return self._asked[1]

    @property
    def parts(self) -> tuple[Part, ...]:
        """The lines of the score. Their values add up to the fan, or multiply to it.

        Empty if there is no score.
        """
        return () if self.reason else self._family.parts(self)

    @property
    def division(self) -> ScoredDivision | None:
        """A division that gives the score. It is computed each time you ask for it.

        None if there is no score, and if it is not clear what the wild tiles stand for: the
        rule set lets them stand for a fifth copy, counts the suit printed on them, or does not
        count roots that hold them.
        """
        return None if self.reason else self._family.division(self)

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def __bool__(self) -> bool:
        return not self.reason

    def __repr__(self) -> str:
        if self.reason:
            return f"<Score: none, {self.reason.name}>"
        return self._family.shown(self)

    def __str__(self) -> str:
        if self.reason:
            return repr(self)
        low = "" if self.minimum_met else ", below the minimum"
        lines = [f"{self.fan} fan{low}: {self.points} points, each payer pays {self.payment}"]
        sign = "×" if self.rules.mode == "product" else ""
        for part in self.parts:
            times = f" ×{part.count}" if part.count > 1 else ""
            line = f"{sign + str(part.value * part.count):>4}  {part.name}{times}  {part.english}"
            lines.append(line.rstrip())
        division = self.division
        return "\n".join([*lines, *([str(division)] if division else [])])


def made(*values: Any) -> Score:
    """A score from its attributes; five times as fast as if each were set read-only."""
    found: Any = _Score(*values)
    found.__class__ = Score
    return found  # type: ignore[no-any-return]


class Scores(Answer):
    """The scores of a batch of hands.

    ``len``, indexing, slices, masks and iteration work as those of :class:`Hands`: a number
    gives the :class:`Score` of a hand, everything else gives ``Scores``.

    Attributes
    ----------
    fan : int16[n]
        Fan before the cap, flowers included; −1 if ``reason`` is not 0.
    minimum_met : bool[n]
        Whether the fan reach the minimum (without flowers).
    reason : uint8[n]
        The :class:`Reason` why there is no score; 0 = there is a score.
    counts : uint8[n, names] or None
        With ``detail``: how often each part counts; :attr:`names` are the columns.
    rules : Rules
    """

    __slots__ = ("_family", "_hands", "_more", "counts", "fan", "minimum_met", "reason", "rules")
    _fields = (
        "fan", "points", "payment", "minimum_met", "reason", "counts", "pattern", "gens", "kongs",
        "addons", "rules",
    )  # fmt: skip
    fan: npt.NDArray[np.int16]
    minimum_met: npt.NDArray[np.bool_]
    reason: npt.NDArray[np.uint8]
    counts: npt.NDArray[np.uint8] | None
    rules: Rules
    _family: Family
    _hands: Hands | npt.NDArray[Any]
    _more: Mapping[str, npt.NDArray[Any]]

    def __init__(
        self,
        family: Family,
        rules: Rules,
        hands: Hands | npt.NDArray[Any],
        fan: npt.NDArray[np.int16],
        minimum_met: npt.NDArray[np.bool_],
        reason: npt.NDArray[np.uint8],
        counts: npt.NDArray[np.uint8] | None = None,
        more: Mapping[str, npt.NDArray[Any]] = NOTHING,
    ) -> None:
        self._set(
            _family=family, rules=rules, _hands=hands, fan=fan, minimum_met=minimum_met,
            reason=reason, counts=counts, _more=more,
        )  # fmt: skip

    @property
    def points(self) -> npt.NDArray[np.int32]:
        """``int32[n]``: points for the fan, without the extra payment for a self-draw."""
        return self._array("points", np.int32, np.maximum(self.fan, 0))

    @property
    def payment(self) -> npt.NDArray[np.int32]:
        """``int32[n]``: the amount that one payer pays: each of the others on a self-draw, else
        the discarder."""
        basic = self.rules.settlement.basic_points
        return self._array("payment", np.int32, np.where(self.fan < 0, 0, self.fan + basic))

    @property
    def pattern(self) -> npt.NDArray[np.uint8]:
        """``uint8[n, groups]``: under rules with patterns the number of the pattern of each
        group, in the order of the rule set; 255 = none."""
        return self._array("pattern", np.uint8, np.zeros((*self.fan.shape, 0)))

    @property
    def gens(self) -> npt.NDArray[np.uint8]:
        """``uint8[n]``: roots, under rules with patterns."""
        return self._array("gens", np.uint8, np.zeros(self.fan.shape))

    @property
    def kongs(self) -> npt.NDArray[np.uint8]:
        """``uint8[n]``: kongs, under rules with patterns."""
        return self._array("kongs", np.uint8, np.zeros(self.fan.shape))

    @property
    def addons(self) -> npt.NDArray[np.int8]:
        """``int8[n]``: fan for how a hand was won and for its wild tiles, under rules with
        patterns."""
        return self._array("addons", np.int8, np.zeros(self.fan.shape))

    def _array(self, name: str, dtype: Any, otherwise: npt.NDArray[Any]) -> npt.NDArray[Any]:
        found = self._more.get(name)
        return otherwise.astype(dtype) if found is None else found

    @property
    def names(self) -> tuple[str, ...]:
        """The parts a score may have, in the order of the columns of :attr:`counts`.

        Examples
        --------
        >>> import evaluator as ev
        >>> won = ev.Hands.from_hands([ev.Hand.parse("123789s123789p3m3m")])
        >>> scores = ev.score(won, detail=True)
        >>> [scores.names[column] for column in scores.counts[0].nonzero()[0]]
        ['门前清', '平和', '喜相逢', '老少副', '单钓将']
        """
        return self._family.names(self.rules)

    def parts(self, row: int) -> tuple[Part, ...]:
        """The parts of the score of one row; empty if there is no score.

        Raises
        ------
        EvaluatorError
            The row does not exist.
        """
        return self._score(row_number(row, len(self))).parts

    def patterns(self, row: int) -> tuple[str, ...]:
        """Under rules with patterns: the patterns of one row by name."""
        names = [pattern.name for pattern in self.rules.patterns]
        if self.fan.ndim == 1:
            row = row_number(row, len(self))
        return tuple(names[number] for number in self.pattern[row].tolist() if number < len(names))

    def shaped(self, lead: tuple[int, ...]) -> Scores:
        """The same scores in the leading shape of the hands that you passed."""
        if len(lead) == 1:
            return self
        counts = None if self.counts is None else self.counts.reshape(*lead, -1)
        more = {
            name: column.reshape(*lead, *column.shape[1:]) for name, column in self._more.items()
        }
        fan, met, reason = (a.reshape(lead) for a in (self.fan, self.minimum_met, self.reason))
        return Scores(self._family, self.rules, self._hands, fan, met, reason, counts, more)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.fan)

    def __iter__(self) -> Iterator[Score]:
        return (self[row] for row in range(len(self)))

    @overload
    def __getitem__(self, index: int | np.integer[Any]) -> Score: ...
    @overload
    def __getitem__(self, index: slice | Sequence[int] | npt.NDArray[Any]) -> Scores: ...
    def __getitem__(self, index: Any) -> Score | Scores:
        if self.fan.ndim == 1 and not isinstance(index, bool) and hasattr(index, "__index__"):
            return self._score(operator.index(index))
        fan = self.fan[index]
        counts = None if self.counts is None else self.counts[index]
        more = {name: column[index] for name, column in self._more.items()}
        return Scores(
            self._family, self.rules, self._hands[index], fan, self.minimum_met[index],
            self.reason[index], counts, more,
        )  # fmt: skip

    def _score(self, row: int) -> Score:
        if not -len(self) <= row < len(self):
            raise IndexError(f"score {row} of {len(self)}")
        return made(
            self._family,
            (_HandAt(self._hands, row), self.rules),
            None,
            int(self.fan[row]),
            int(self.points[row]),
            int(self.payment[row]),
            bool(self.minimum_met[row]),
            Reason(int(self.reason[row])),
            self.patterns(row),
            int(self.gens[row]),
            int(self.kongs[row]),
            int(self.addons[row]),
        )

    def __repr__(self) -> str:
        return f"<Scores: {self.fan.size} hands, {int((self.reason == 0).sum())} scored>"


class Wait(NamedTuple):
    """A tile that completes a hand, and the fan of the complete hand.

    Attributes
    ----------
    tile : int
    discard, self_drawn : int
        Fan if the tile is claimed, and if it is drawn; −1 = the hand cannot be won that way.
    left : int
        Copies left.
    """

    tile: int
    discard: int
    self_drawn: int
    left: int


class WaitScores(Answer):
    """The scores of waiting hands, for each tile that completes them.

    For one hand, iteration gives a :class:`Wait` for each tile, the lowest first. For a batch,
    ``len``, indexing, slices, masks and iteration go over the hands.

    Attributes
    ----------
    discard, self_drawn : int16[..., 34]
        Fan before the cap if the tile is claimed, and if it is drawn. −1 = the tile is not a
        wait, or it would be a fifth copy, or it contradicts the hand's flags.
    minimum_met : bool[..., 34, 2]
        Whether each of the two reaches the minimum (without flowers).
    left : uint8[..., 34]
        Copies left of each wait.
    reason : Reason or uint8[...]
        With ``errors="mark"``: the reason why a hand is invalid; 0 = it is valid.
    """

    __slots__ = ("discard", "left", "minimum_met", "reason", "self_drawn")
    _fields = ("discard", "self_drawn", "minimum_met", "left", "reason")
    discard: npt.NDArray[np.int16]
    self_drawn: npt.NDArray[np.int16]
    minimum_met: npt.NDArray[np.bool_]
    left: npt.NDArray[np.uint8]
    reason: Any

    def __init__(
        self,
        discard: npt.NDArray[np.int16],
        self_drawn: npt.NDArray[np.int16],
        minimum_met: npt.NDArray[np.bool_],
        left: npt.NDArray[np.uint8],
        reason: Any,
    ) -> None:
        self._set(
            discard=discard, self_drawn=self_drawn, minimum_met=minimum_met, left=left,
            reason=reason,
        )  # fmt: skip

    def _waits(self) -> list[Wait]:
        tiles = np.flatnonzero(np.maximum(self.discard, self.self_drawn) >= 0).tolist()
        columns = (self.discard[tiles], self.self_drawn[tiles], self.left[tiles])
        return [Wait(*row) for row in zip(tiles, *(c.tolist() for c in columns), strict=True)]

    def __len__(self) -> int:
        return len(self._waits()) if self.discard.ndim == 1 else len(self.discard)

    def __iter__(self) -> Iterator[Any]:
        if self.discard.ndim == 1:
            return iter(self._waits())
        return (self[row] for row in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        if self.discard.ndim == 1:
            return self._waits()[index]
        lead = self.discard.shape[:-1]
        where = np.arange(int(np.prod(lead))).reshape(lead)[index]
        reason = np.asarray(self.reason)[index]
        return WaitScores(
            self.discard[index],
            self.self_drawn[index],
            self.minimum_met[index],
            self.left[index],
            Reason(int(reason)) if np.ndim(where) == 0 else reason,
        )

    def __repr__(self) -> str:
        if self.discard.ndim > 1:
            return f"<WaitScores of shape {self.discard.shape[:-1]}>"
        waits = [
            f"{NAMES[wait.tile]} {_or_dash(wait.discard)}/{_or_dash(wait.self_drawn)}"
            f" ({wait.left} left)"
            for wait in self
        ]
        return f"<WaitScores, by discard/self-drawn: {', '.join(waits) or 'no wait'}>"


def _or_dash(fan: int) -> str:
    return "-" if fan < 0 else str(fan)


class _HandAt(NamedTuple):
    """A hand of a batch, made when it is looked at."""

    hands: Hands | npt.NDArray[Any]
    row: int

    def __call__(self) -> Hand:
        found = self.hands[self.row]
        return found if isinstance(found, Hand) else Hand(tuple(found.tolist()))
