"""What complete hands are worth under rules made of patterns: the Sichuan family.

One hand with its patterns, or a batch; the waits of hands; what a ready hand is worth at
most (查大叫). :func:`evaluator.score` and :func:`evaluator.wait_scores` come here for rule
sets with patterns.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .divisions import ScoredDivision
from .errors import Code, HandError, NotAWin, Reason, RulesError
from .hands import NONE, Hand, Hands, check_counts, claimed_earthly
from .inputs import CHUNK, STEP, Batch, check_errors, seen_rows, taken
from .parallel import spread, thread_count
from .patternreadings import find_division
from .recent import keep
from .rulesets import rules as lookup
from .tables import once
from .tiles import COPIES, KINDS, SUITED, SUITS, is_number

if TYPE_CHECKING:
    from .rulesets import Rules

NO_SCORE = -1
_NO_WINS = (Reason.NOT_A_WIN, Reason.TOO_MANY_SUITS)
_NO_SEEN: npt.NDArray[np.uint8] = np.zeros((0, KINDS), np.uint8)


@once
def kernels() -> Any:
    """The compiled side, imported with the first score."""
    from .kernels import gamewaits, sichuan
    from .rulesets import combination

    return SimpleNamespace(
        one=sichuan.score_one,
        rows=sichuan.score_rows,
        unusual=sichuan.score_unusual,
        waits=gamewaits.wait_rows,
        unusual_waits=gamewaits.wait_unusual,
        left=int(sichuan.UNUSUAL),
        combination=combination.combination,
        by_divisions=combination.BY_DIVISIONS,
        fields=sichuan.FIELDS,
    )


@dataclass(frozen=True, slots=True)
class Part:
    """One line of a score under patterns.

    Attributes
    ----------
    name : str
        As players say it, of a pattern as in the rule set.
    english : str
        Empty for a pattern.
    value : int
        Fan, each time; a factor where the rule set multiplies.
    count : int
        How often it counts.
    """

    name: str
    english: str
    value: int
    count: int = 1

    def __str__(self) -> str:
        times = f"×{self.count}" if self.count > 1 else ""
        return f"{self.name}{times} {self.value * self.count}"


class PatternScore:
    """What one complete hand is worth.

    Attributes
    ----------
    fan : int
        Before the cap; −1 = no score. Where groups multiply, their product.
    points : int
        Without what a self-draw adds.
    payment : int
        Of one payer, with what a self-draw adds.
    patterns : tuple of str
        One of each group that has any.
    gens : int
        Roots (根): kinds with four tiles that are no kong.
    kongs : int
    addons : int
        Fan for how the hand was won and for its wild tiles.
    minimum_met : bool
        Whether the fan reach the minimum of the rule set.
    reason : Reason
        OK; with ``errors="mark"`` why there is no score.
    """

    __slots__ = (
        "_asked",
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
        fan: int,
        points: int,
        payment: int,
        patterns: tuple[str, ...],
        gens: int,
        kongs: int,
        addons: int,
        minimum_met: bool,
        reason: Reason = Reason.OK,
    ) -> None:
        self.fan = fan
        self.points = points
        self.payment = payment
        self.patterns = patterns
        self.gens = gens
        self.kongs = kongs
        self.addons = addons
        self.minimum_met = minimum_met
        self.reason = reason
        # (hand, or rows of one hand; rule set): what it is made of is found again when asked for
        self._asked: tuple[Any, Any] | None = None

    def _question(self) -> tuple[Hand, Rules] | None:
        """What was scored; None where nothing tells."""
        if self.reason or self._asked is None:
            return None
        hand, rules = self._asked
        return hand.hand(0) if isinstance(hand, _Rows) else hand, lookup(rules)

    @property
    def parts(self) -> tuple[Part, ...]:
        """What the fan are made of, line by line: they add up to them, or multiply.

        Nothing without a score, and of a score that was not made by :func:`evaluator.score`
        of one hand.
        """
        question = self._question()
        return () if question is None else tuple(_parts(self, *question))

    @property
    def division(self) -> ScoredDivision | None:
        """A division that gives the score, found again when asked for.

        None where there are no parts, and where what the wild tiles stand for is not plain:
        the rule set lets them stand for a fifth copy, counts their own suit or no root of
        them.
        """
        question = self._question()
        return None if question is None else _division(self, *question)

    def __repr__(self) -> str:
        if self.reason:
            return f"<Score: none, {self.reason.name}>"
        parts = list(self.patterns)
        for count, name in ((self.gens, "根"), (self.kongs, "杠")):
            if count:
                parts.append(name + (f"×{count}" if count > 1 else ""))
        if self.addons:
            parts.append(f"add-ons {self.addons:+d}")
        low = "" if self.minimum_met else ", below the minimum"
        paid = "" if self.payment == self.points else f", pays {self.payment}"
        return f"<Score: {self.fan} fan, {self.points} points{paid}{low} = {', '.join(parts)}>"

    def __str__(self) -> str:
        if self.reason:
            return repr(self)
        low = "" if self.minimum_met else ", below the minimum"
        lines = [f"{self.fan} fan{low}: {self.points} points, each payer pays {self.payment}"]
        question = self._question()
        sign = "×" if question is not None and question[1].mode == "product" else ""
        for part in self.parts:
            times = f" ×{part.count}" if part.count > 1 else ""
            line = f"{sign + str(part.value * part.count):>4}  {part.name}{times}  {part.english}"
            lines.append(line.rstrip())
        return "\n".join([*lines, *([str(self.division)] if self.division else [])])


def _parts(score: PatternScore, hand: Hand, rules: Rules) -> Iterator[Part]:
    by_name = {pattern.name: pattern for pattern in rules.patterns}
    for name in score.patterns:
        pattern = by_name[name]
        yield Part(name, "", pattern.value)
        if pattern.eat and rules.gen:
            yield Part("减根", "roots that are part of it", -rules.gen, pattern.eat)
    if score.gens and rules.gen:
        yield Part("根", "root", rules.gen, score.gens)
    if score.kongs and rules.kong:
        yield Part("杠", "kong", rules.kong, score.kongs)
    addons, wilds, drawn = rules.addons, rules.wilds, hand.self_drawn
    held = hand.wilds or any(meld.wilds for meld in hand.melds)
    turned = 0 if hand.indicator is None else hand.owned[hand.indicator]
    for holds, name, english, value in (
        (hand.kong and drawn, "杠上花", "out on a kong's replacement tile", addons.gangshanghua),
        (hand.kong_discard, "杠上炮", "on the discard after a kong", addons.gangshangpao),
        (hand.kong and not drawn, "抢杠", "robbed kong", addons.qianggang),
        (hand.wall_last and drawn, "海底捞月", "last tile of the wall", addons.haidi_self),
        (hand.wall_last and not drawn, "海底炮", "last discard", addons.haidi_discard),
        (held, "听用" if wilds.kind == "next" else "赖子", "wild tiles", wilds.wild_fan),
        (turned == COPIES - 1, "三张翻牌", "three of the turned tile", wilds.indicator_pung),
    ):
        if holds and value:
            yield Part(name, english, value)


def _division(score: PatternScore, hand: Hand, rules: Rules) -> ScoredDivision | None:
    filled = _filled(score, hand, rules) if hand.wilds else hand
    if filled is None:
        return None
    found = find_division(filled, rules, score.patterns)
    if found is None:
        return None
    meant = zip(hand.concealed, filled.concealed, strict=True)
    wilds = tuple(t for t, (was, now) in enumerate(meant) for _ in range(now - was))
    return found._replace(wilds=wilds)


def _filled(score: PatternScore, hand: Hand, rules: Rules) -> Hand | None:
    """The hand with a tile for each concealed wild one that keeps the score.

    One after another: whatever tile of the best choice is put first, the rest of it is
    still there for the other wild tiles. Where it matters how the winning tile fits, and a
    wild one was drawn, it is the first.
    """
    wilds = rules.wilds
    if wilds.virtual_fifth_copy or not (wilds.wild_ignores_suit and wilds.wild_counts_for_gen):
        return None
    # natural tiles stand where wild ones were: what speaks of the turned tile or of the win
    # itself would not fit, and is no part of the patterns
    last = hand.last_tile and any("juezhang" in pattern.req for pattern in rules.patterns)
    hand = hand.replace(
        indicator=None, last_tile=last, wall_last=False, kong=False, kong_discard=False
    )
    wanted = (score.fan - score.addons, score.patterns, score.gens)
    drawn = hand.win_tile is None and needs_win_tile(rules)
    while hand.wilds:
        choices = []
        for tile in range(SUITED):
            counts = list(hand.concealed)
            counts[tile] += 1
            with contextlib.suppress(HandError):  # a fifth copy
                win = tile if drawn else hand.win_tile
                choices.append(
                    hand.replace(concealed=tuple(counts), wilds=hand.wilds - 1, win_tile=win)
                )
        found = score_patterns(choices, rules, 1, "mark")
        same = [
            choice
            for row, choice in enumerate(choices)
            if (int(found.fan[row] - found.addons[row]), found.patterns(row), int(found.gens[row]))
            == wanted
        ]
        if not same:
            return None
        hand, drawn = same[0], False
    return hand


class PatternScores:
    """What the hands of a batch are worth.

    Attributes
    ----------
    fan : int16[n]
        Before the cap; −1 where ``reason`` is not 0.
    points, payment : int32[n]
        Without, and with what a self-draw adds; the payment is that of one payer.
    pattern : uint8[n, groups]
        Number of the pattern of each group, in the order of the rule set; 255 = none.
    gens, kongs : uint8[n]
    addons : int8[n]
    minimum_met : bool[n]
    reason : uint8[n]
        :class:`Reason` why there is no score, 0 = there is one.
    """

    __slots__ = (
        "_names",
        "addons",
        "fan",
        "gens",
        "kongs",
        "minimum_met",
        "pattern",
        "payment",
        "points",
        "reason",
    )

    def __init__(self, n: int, groups: int, names: tuple[str, ...]) -> None:
        self.fan = np.empty(n, np.int16)
        self.points, self.payment = np.empty(n, np.int32), np.empty(n, np.int32)
        self.pattern = np.empty((n, groups), np.uint8)
        self.gens, self.kongs = np.empty(n, np.uint8), np.empty(n, np.uint8)
        self.addons = np.empty(n, np.int8)
        self.reason, self.minimum_met = np.empty(n, np.uint8), np.empty(n, np.bool_)
        self._names = names

    def __len__(self) -> int:
        return len(self.fan)

    def patterns(self, row: int | tuple[int, ...]) -> tuple[str, ...]:
        """Names of the patterns of one row."""
        numbers = self.pattern[row].tolist()
        return tuple(self._names[number] for number in numbers if number < len(self._names))

    def shaped(self, lead: tuple[int, ...]) -> PatternScores:
        """The same with the leading shape of the hands, as of an array of more dimensions."""
        for name in ("fan", "points", "payment", "gens", "kongs", "addons", "reason"):
            setattr(self, name, getattr(self, name).reshape(lead))
        self.minimum_met = self.minimum_met.reshape(lead)
        self.pattern = self.pattern.reshape(*lead, self.pattern.shape[-1])
        return self

    def row(self, row: int) -> PatternScore:
        """The score of one row."""
        return PatternScore(
            int(self.fan[row]),
            int(self.points[row]),
            int(self.payment[row]),
            self.patterns(row),
            int(self.gens[row]),
            int(self.kongs[row]),
            int(self.addons[row]),
            bool(self.minimum_met[row]),
            Reason(int(self.reason[row])),
        )

    def _addresses(self, start: int) -> npt.NDArray[np.uint64]:
        """Where the answers of the rows from ``start`` on lie, as the kernels want them."""
        arrays = (
            self.fan, self.points, self.payment, self.pattern, self.gens, self.kongs,
            self.addons, self.reason, self.minimum_met,
        )  # fmt: skip
        return _addresses(arrays, start)

    def __repr__(self) -> str:
        return f"<Scores: {len(self)} hands, {int((self.reason == 0).sum())} scored>"


def _addresses(arrays: Any, start: int) -> npt.NDArray[np.uint64]:
    return np.array([a.ctypes.data + start * a.strides[0] for a in arrays], np.uint64)


def _columns(hands: Hands) -> list[npt.NDArray[Any] | None]:
    """The fields of a batch, None for one that has its default in all hands: the kernels need
    not look at it."""
    columns: list[npt.NDArray[Any] | None] = [hands.concealed]
    for name, default in (
        ("melds", 0), ("win_tile", NONE), ("flags", 0), ("prevalent_wind", 0), ("seat_wind", 0),
        ("flowers", 0), ("wilds", 0), ("indicator", NONE), ("meld_wilds", 0),
    ):  # fmt: skip
        column = getattr(hands, name)
        told = column.any() if default == 0 else (column != default).any()
        columns.append(column if told else None)
    return columns


# of rows by their wild tiles: one costs 30 plain rows, each further one up to four times that
_COST = np.array([1, 32, 128, 256, 512], np.int64)
_DIVIDED = 64
"""Cost of a row read division by division."""


class _Rows:
    """Rows of hands as the kernels take them: addresses of the fields of a batch.

    Attributes
    ----------
    n : int
    lead : tuple of int
        Shape of the answer, ``()`` for one hand.
    one : bool
        Whether it is a ``Hand``.
    width : int
        34 or 27.
    step : int
        Rows of one call at most.
    cost : int64[n] or None
        What the rows cost where some hold wild tiles, in plain rows.
    """

    def __init__(self, hands: Any, rules: Rules) -> None:
        hands = taken(hands)
        self.hands: Hands | None = None
        self._batch: Batch | None = None
        self.misfits: npt.NDArray[np.uint8] | None = None
        self.lead: tuple[int, ...] = ()
        self.one = isinstance(hands, Hand)
        if isinstance(hands, Hand):
            self.hands = Hands.from_hands([hands])
        elif isinstance(hands, Hands):
            self.hands, self.lead = hands, (len(hands),)
            self.misfits = hands.misfits()
        else:
            self._batch = Batch(hands, rules)
            self.lead = self._batch.lead
        if self.hands is not None:
            self.n, self.width = len(self.hands), KINDS
        else:
            assert self._batch is not None
            self.n, self.width = self._batch.n, self._batch.width
        self._columns = [] if self.hands is None else _columns(self._without_misfits(self.hands))
        self.step = CHUNK if self._batch is not None and not self._batch.ready else STEP
        self.cost: npt.NDArray[Any] | None = None
        if self.hands is not None and (self.hands.wilds.any() or self.hands.meld_wilds.any()):
            held = self.hands.wilds + self.hands.meld_wilds.any(axis=1)
            self.cost = _COST[np.minimum(held, len(_COST) - 1)]

    def _without_misfits(self, hands: Hands) -> Hands:
        """Hands in which the kernels refuse those with numbers that no hand has: for a meld."""
        if self.misfits is None:
            return hands
        wrong = self.misfits[:, None] > 0
        return replace(hands, melds=np.where(wrong, np.uint8(255), hands.melds))

    def mark_misfits(self, reason: npt.NDArray[np.uint8]) -> None:
        """Give them their own reason in the answer of the kernels."""
        if self.misfits is not None:
            wrong = self.misfits > 0
            reason[wrong] = self.misfits[wrong]

    def fields(self, start: int, stop: int) -> tuple[npt.NDArray[np.uint64], Any]:
        """(addresses of the fields of some rows, what must be kept while they are used)."""
        if self.hands is not None:
            places = [
                0 if column is None else column.ctypes.data + start * column.strides[0]
                for column in self._columns
            ]
            return np.array(places, np.uint64), self.hands
        assert self._batch is not None
        rows = self._batch.rows(start, stop)
        found = np.zeros(kernels().fields, np.uint64)
        found[0] = rows.ctypes.data
        return found, rows

    def spread(self, work: Callable[[int, int], int], threads: Any, divided: bool) -> int:
        """``work(start, stop)`` over all rows; the first bad row, or -1."""
        step = max(1, self.step // _DIVIDED) if divided else self.step
        return spread(work, self.n, thread_count(threads, self.n), step, self.cost)

    def all_left(self, singly: bool) -> bool:
        """Whether the quick kernels would leave all rows, and need not be compiled for them.

        singly : whether every division counts
        """
        if singly or self.hands is None:
            return singly
        unusual = (self.hands.wilds > 0) | (self.hands.indicator != NONE)
        return bool(unusual.all())

    def hand(self, row: int) -> Hand:
        """One row as a hand.

        Raises
        ------
        HandError
            What is wrong with it.
        """
        if self.hands is not None:
            return self.hands[row]
        assert self._batch is not None
        check_counts(self._batch.row(row), self._batch.counts.dtype)
        return Hand(tuple(self._batch.row(row)))


def score_patterns(hands: Any, rules: Rules, threads: Any, errors: str) -> Any:
    """:func:`evaluator.score` for rule sets with patterns.

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.score(ev.Hand.parse("11224444557799m"), "qq_sichuan")
    <Score: 6 fan, 192 points = 清龙七对, 根>
    """
    mark = check_errors(errors)
    k = kernels()
    table = k.combination(rules)
    rows = _Rows(hands, rules)
    if rows.hands is None and rows.n and needs_win_tile(rules):
        raise HandError(Code.COUNTS_WITHOUT_WIN_TILE)
    scores = PatternScores(rows.n, len(table.groups), table.names)
    width = np.uint64(rows.width)
    # one hand comes here when the kernel for one has left it
    left_all = rows.one or rows.all_left(table.singly)

    def work(start: int, stop: int) -> int:
        fields, kept = rows.fields(start, stop)
        answers = scores._addresses(start)
        if left_all:
            scores.reason[start:stop] = k.left
        elif not k.rows(fields, width, stop - start, table.arena, answers):
            return -1
        left = np.flatnonzero(scores.reason[start:stop] == k.left)
        bad = int(k.unusual(fields, width, left, table.arena, answers, *table.ways))
        del kept
        return -1 if bad < 0 else int(left[bad])

    bad = rows.spread(work, threads, table.ways == k.by_divisions) if rows.n else -1
    rows.mark_misfits(scores.reason)
    if bad >= 0 and not mark:
        error = _explain(rows, bad, Reason(int(scores.reason[bad])), rules, 14)
        raise error if rows.lead == () else error.at(bad)
    if rows.lead == ():
        reason = Reason(int(scores.reason[0]))
        if reason in _NO_WINS and not mark:
            raise _explain(rows, 0, reason, rules, 14)
        score = scores.row(0)
        score._asked = rows, rules
        return score
    return scores if len(rows.lead) == 1 else scores.shaped(rows.lead)


_One = tuple[Callable[[bytes, int], tuple[int, ...]], int, Any, int]
# rules -> the kernel for one packed hand, address of the combination, itself, the minimum
_ONE: dict[Any, _One] = {}


def score_pattern(hand: Hand, packed: bytes, rules: Any, known: Rules | None) -> Any:
    """One hand by the shortest way; None where the long way must answer.

    known : the rule set of that name, where it has been looked up
    """
    try:
        kernel, address, table, minimum = _ONE[rules]
    except (KeyError, TypeError):
        if known is None:
            return None
        table = kernels().combination(known)
        if table.singly:
            return None
        kernel, address, minimum = kernels().one, table.arena.ctypes.data, known.minimum
        if rules is None or isinstance(rules, type(known)) or not str(rules).endswith(".toml"):
            keep(_ONE, rules, (kernel, address, table, minimum))
    reason, fan, points, payment, index, gens, kongs, addons = kernel(packed, address)
    if reason:
        return None
    names = table.patterns_at(index)
    score = PatternScore(fan, points, payment, names, gens, kongs, addons, fan >= minimum)
    score._asked = hand, rules if known is None else known
    return score


def needs_win_tile(rules: Rules) -> bool:
    """Whether a pattern of the rule set asks how the winning tile fits."""
    places = {"jiaxin", "jiaxinwu", "dandiao", "bianzhang"}
    return any(not places.isdisjoint(pattern.req) for pattern in rules.patterns)


def _seen(seen: Any, rows: _Rows) -> tuple[npt.NDArray[np.uint8], int]:
    """(tiles visible elsewhere in rows of the hands' width, bytes from row to row)."""
    if seen is None:
        return _NO_SEEN, 0
    found, _ = seen_rows(seen, rows.lead, rows.width)
    found = np.ascontiguousarray(found)
    return found, rows.width if len(found) > 1 else 0


def _ask_waits(
    rows: _Rows, rules: Rules, seen: Any, threads: Any, answers: Any, ready: bool
) -> int:
    """Fill the answers about waits; returns the first row that cannot be, or -1."""
    k = kernels()
    table = k.combination(rules)
    visible, step = _seen(seen, rows)
    width = np.uint64(rows.width)
    reason = answers[-1]
    left_all = rows.all_left(table.singly)

    def work(start: int, stop: int) -> int:
        fields, kept = rows.fields(start, stop)
        places = np.zeros(5, np.uint64)
        places[[0, 4] if ready else slice(None)] = _addresses(answers, start)
        beside = np.uint64(visible.ctypes.data + start * step if len(visible) else 0)
        last = (beside, np.uint64(step), table.arena, places, ready)
        if left_all:
            reason[start:stop] = k.left
        elif not k.waits(fields, width, stop - start, *last):
            return -1
        left = np.flatnonzero(reason[start:stop] == k.left)
        bad = int(k.unusual_waits(fields, width, left, *last, *table.ways))
        del kept
        return -1 if bad < 0 else int(left[bad])

    bad = rows.spread(work, threads, table.ways == k.by_divisions) if rows.n else -1
    rows.mark_misfits(reason)
    return bad


def wait_patterns(
    hands: Any, rules: Rules, seen: Any, threads: Any, errors: str
) -> tuple[Any, tuple[int, ...], int]:
    """:func:`evaluator.wait_scores` for rule sets with patterns: its answers as rows of 34,
    the shape and the width they shall have."""
    mark = check_errors(errors)
    rows = _Rows(hands, rules)
    n = rows.n
    answers = (
        np.empty((n, KINDS), np.int16),
        np.empty((n, KINDS), np.int16),
        np.empty((n, KINDS, 2), np.bool_),
        np.empty((n, KINDS), np.uint8),
        np.empty(n, np.uint8),
    )
    bad = _ask_waits(rows, rules, seen, threads, answers, False)
    if bad >= 0 and not mark:
        error = _explain(rows, bad, Reason(int(answers[-1][bad])), rules, 13, seen)
        raise error if rows.lead == () else error.at(bad)
    return answers, rows.lead, rows.width


def ready_max_fan(hands: Any, rules: Rules, seen: Any = None, threads: Any = None) -> Any:
    """:meth:`evaluator.Rules.ready_max_fan`."""
    if not rules.patterns:
        raise RulesError(Code.NEEDS_PATTERNS, key="ready_max_fan", rules=rules.name)
    rows = _Rows(hands, rules)
    fan, reason = np.empty(rows.n, np.int16), np.empty(rows.n, np.uint8)
    bad = _ask_waits(rows, rules, seen, threads, (fan, reason), True)
    if bad >= 0:
        error = _explain(rows, bad, Reason(int(reason[bad])), rules, 13, seen)
        raise error if rows.lead == () else error.at(bad)
    return int(fan[0]) if rows.lead == () else fan.reshape(rows.lead)


def _explain(
    rows: _Rows, row: int, reason: Reason, rules: Rules, size: int, seen: Any = None
) -> HandError:
    """The error of a row that a kernel refused."""
    try:
        hand = rows.hand(row)
    except HandError as error:
        return error.alone()
    say = _WRONG.get(reason)
    if say is not None:
        return say(hand, rules)
    if reason == Reason.BAD_SIZE:
        total = hand.size + 3 * len(hand.melds)
        code = Code.SIZE_OF_SCORE if size == 14 else Code.SIZE_OF_WAIT_SCORES
        return HandError(code, count=hand.size, total=total)
    assert reason == Reason.SEEN_TOO_MANY, reason
    visible, step = _seen(seen, rows)
    copies = np.array(hand.owned)
    copies[: rows.width] += visible[row if step else 0]
    if rules.wilds.kind == "next" and hand.indicator is not None:
        copies[wild_tile(hand.indicator)] += _wilds_of(hand)
    tile = int(copies.argmax())
    return HandError(Code.SEEN_TOO_MANY, tile=tile, count=copies[tile])


def _wilds_of(hand: Hand) -> int:
    return hand.wilds + sum(meld.wilds for meld in hand.melds)


def game_error(hand: Hand | None, rules: Rules) -> HandError:
    """The error of a hand whose wild tiles or turned tile cannot be in the game.

    hand : None where nothing tells which tile was turned
    """
    reason = Reason.NO_INDICATOR
    if hand is not None and hand.indicator is not None:
        owned, turned = hand.owned, hand.indicator
        foreign = not is_number(turned) or owned[wild_tile(turned)]
        reason = Reason.NOT_IN_GAME if foreign else Reason.FIVE_COPIES
    return _WRONG[reason](hand, rules)  # type: ignore[arg-type]


def _foreign(hand: Hand, rules: Rules) -> HandError:
    owned = hand.owned
    if rules.kinds == SUITED:
        for tile in range(SUITED, KINDS):
            if owned[tile]:
                return HandError(
                    Code.HONOUR_NOT_IN_GAME, tile=tile, count=owned[tile], rules=rules.name
                )
    turned = hand.indicator
    assert turned is not None
    if not is_number(turned):
        return HandError(Code.HONOUR_TURNED, tile=turned, rules=rules.name)
    tile = wild_tile(turned)
    return HandError(Code.NATURAL_WILD, tile=tile, count=owned[tile], turned=turned)


def _many_wilds(hand: Hand, rules: Rules) -> HandError:
    most = rules.wilds.count
    code = Code.TOO_MANY_WILDS if most else Code.NO_WILDS_IN_GAME
    return HandError(code, count=_wilds_of(hand), most=most, rules=rules.name)


def _chow_claimed(hand: Hand, rules: Rules) -> HandError:
    chow = next(meld for meld in hand.melds if meld.kind == "chow")
    return HandError(Code.CHOW_NOT_ALLOWED, tile=chow.tile, rules=rules.name)


def _other_suits(hand: Hand, rules: Rules) -> HandError:
    held = {tile // 9 for tile in range(SUITED) if hand.owned[tile]}
    wilds = _wilds_of(hand)
    if wilds and hand.indicator is not None and not rules.wilds.wild_ignores_suit:
        held.add(hand.indicator // 9)
    suits = [SUITS[suit] for suit in sorted(held)]
    code = Code.TOO_MANY_SUITS
    if len(suits) <= rules.max_suits:
        code = Code.WILDS_OF_ANOTHER_SUIT
    elif wilds:
        code = Code.TOO_MANY_SUITS_WITH_WILDS
    return NotAWin(code, hand=str(hand), count=len(suits), suits=suits, most=rules.max_suits)


def _not_complete(hand: Hand, rules: Rules) -> HandError:
    from .queries import is_win

    if rules.requires and is_win(hand, rules.replace(requires=())):
        return NotAWin(
            Code.REQUIREMENT_NOT_MET, hand=str(hand), rules=rules.name, conditions=rules.requires
        )
    return NotAWin(Code.NOT_COMPLETE, hand=str(hand))


def _five(hand: Hand, rules: Rules) -> HandError:
    tile = hand.indicator
    assert tile is not None
    return HandError(Code.TURNED_FIVE_COPIES, tile=tile, count=hand.owned[tile] + 1)


_WRONG: dict[Reason, Callable[[Hand, Rules], HandError]] = {
    Reason.NOT_IN_GAME: _foreign,
    Reason.TOO_MANY_WILDS: _many_wilds,
    Reason.MELD_NOT_ALLOWED: _chow_claimed,
    Reason.TOO_MANY_SUITS: _other_suits,
    Reason.NOT_A_WIN: _not_complete,
    Reason.FIVE_COPIES: _five,
    Reason.IMPOSSIBLE_FLAGS: lambda hand, rules: claimed_earthly(hand, rules.name),
    Reason.NO_WIN_TILE: lambda hand, rules: HandError(Code.NO_WIN_TILE),
    Reason.NO_INDICATOR: lambda hand, rules: HandError(Code.NO_INDICATOR, rules=rules.name),
}


def wild_tile(indicator: int) -> int:
    """The wild tile where this one was turned: the next of its suit, after 9 the 1.

    Parameters
    ----------
    indicator : int
        Tile 0-26.

    Returns
    -------
    int

    Raises
    ------
    HandError
        An honour, or no tile.

    Notes
    -----
    Source: the rules of Yibin (听用).

    Examples
    --------
    >>> wild_tile(0), wild_tile(8)
    (1, 0)
    """
    whole = isinstance(indicator, int | np.integer) and not isinstance(indicator, bool)
    if not whole or not 0 <= indicator < SUITED:
        raise HandError(Code.BAD_INDICATOR, high=SUITED - 1, value=indicator)
    return int(indicator) // 9 * 9 + (int(indicator) % 9 + 1) % 9
