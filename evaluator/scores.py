"""What complete hands are worth: one hand with its list of fan, or a batch."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from . import tables
from .divisions import Division, ScoredDivision, decompose
from .errors import Code, EvaluatorError, HandError, NotAWin, Reason
from .hands import NONE, Hand, Hands, Meld, claimed_earthly
from .inputs import STEP, Batch, check_bool, check_errors, resolve, row_number, seen_rows, taken
from .parallel import spread, thread_count
from .patternscores import score_pattern, score_patterns, wait_patterns
from .recent import keep
from .rulesets import Rules
from .tables import once
from .tiles import FORMS, KINDS, NAMES, SUITED

NO_SCORE = -1
"""Total of a row that is no win or was marked."""


@once
def kernels() -> Any:
    """The compiled side of scoring, imported with the first score."""
    from . import fantables
    from .kernels import guobiao, worth
    from .rulesets import fan

    return SimpleNamespace(guobiao=guobiao, worth=worth, fan=fan, tables=fantables)


@dataclass(frozen=True, slots=True)
class Fan:
    """One line of a score.

    Attributes
    ----------
    chinese, english : str
    value : int
        Points, each time.
    count : int
        How often it counts.
    """

    chinese: str
    english: str
    value: int
    count: int

    def __str__(self) -> str:
        times = f"×{self.count}" if self.count > 1 else ""
        return f"{self.chinese}{times} {self.value * self.count}"


class Score:
    """What one complete hand is worth.

    Attributes
    ----------
    total : int
        Points, flowers included.
    minimum_met : bool
        Whether the points without flowers reach the minimum of the rule set.
    fans : tuple of Fan
        In the order of the book.
    reason : Reason
        OK; with ``errors="mark"`` why there is no score (``total`` is then −1).
    """

    __slots__ = ("_hand", "_head", "_record", "_rules", "fans", "minimum_met", "reason", "total")

    def __init__(
        self,
        total: int,
        minimum_met: bool,
        fans: tuple[Fan, ...],
        hand: Hand,
        rules: Any,
        head: int,
        record: int,
    ) -> None:
        self.total = total
        self.minimum_met = minimum_met
        self.fans = fans
        self.reason = Reason.OK
        self._hand = hand
        self._rules = rules
        self._head = head
        self._record = record

    @property
    def division(self) -> ScoredDivision:
        """The division that gives the score, found again when asked for."""
        return _division(self)

    def __repr__(self) -> str:
        if self.total == NO_SCORE:
            return f"<Score: none, {self.reason.name}>"
        low = "" if self.minimum_met else ", below the minimum"
        return f"<Score: {self.total}{low} = {', '.join(map(str, self.fans))}>"

    def __str__(self) -> str:
        if self.total == NO_SCORE:
            return repr(self)
        lines = [f"{self.total} fan" + ("" if self.minimum_met else ", below the minimum")]
        for fan in self.fans:
            times = f" ×{fan.count}" if fan.count > 1 else ""
            lines.append(f"{fan.value * fan.count:4d}  {fan.chinese}{times}  {fan.english}")
        lines.append(str(self.division))
        return "\n".join(lines)


class Scores:
    """What the hands of a batch are worth.

    Attributes
    ----------
    total : int16[n]
        Points, flowers included; −1 = no score.
    minimum_met : bool[n]
        Whether the points without flowers reach the minimum.
    reason : uint8[n]
        :class:`Reason` why there is no score, 0 = there is one.
    fan_counts : uint8[n, 82] or None
        With ``detail``: how often each fan counts; column i is fan number i + 1, column
        81 is 明暗杠. :attr:`fan_names` are their names.
    """

    __slots__ = ("_rules", "fan_counts", "minimum_met", "reason", "total")

    def __init__(
        self,
        total: npt.NDArray[np.int16],
        minimum_met: npt.NDArray[np.bool_],
        reason: npt.NDArray[np.uint8],
        fan_counts: npt.NDArray[np.uint8] | None,
        rules: Rules,
    ) -> None:
        self.total = total
        self.minimum_met = minimum_met
        self.reason = reason
        self.fan_counts = fan_counts
        self._rules = rules

    def __len__(self) -> int:
        return len(self.total)

    @property
    def fan_names(self) -> tuple[str, ...]:
        """What the columns of ``fan_counts`` count.

        Examples
        --------
        >>> import evaluator as ev
        >>> won = ev.Hands.from_hands([ev.Hand.parse("123789s123789p3m3m")])
        >>> scores = ev.score(won, detail=True)
        >>> [scores.fan_names[column] for column in scores.fan_counts[0].nonzero()[0]]
        ['门前清', '平和', '喜相逢', '老少副', '单钓将']
        """
        fans = kernels().fan.fan_table(self._rules).fans
        return tuple(fan.chinese for fan in sorted(fans, key=lambda fan: fan.column))

    def fans(self, row: int) -> tuple[Fan, ...]:
        """The fan of one row; needs ``detail``.

        Raises
        ------
        EvaluatorError
            Without ``detail``, or no row of that number.
        """
        if self.fan_counts is None:
            raise EvaluatorError(Code.NEEDS_DETAIL)
        counts = self.fan_counts[row_number(row, len(self))]
        table = kernels().fan.fan_table(self._rules)
        return tuple(
            Fan(fan.chinese, fan.english, fan.value, int(counts[fan.column]))
            for fan in table.fans
            if counts[fan.column]
        )

    def __repr__(self) -> str:
        wins = int((self.total != NO_SCORE).sum())
        return f"<Scores: {len(self)} hands, {wins} scored>"


def score(
    hands: Any,
    rules: str | Rules | None = None,
    *,
    detail: bool = False,
    threads: int | None = None,
    errors: str = "raise",
) -> Any:
    """What complete hands are worth, the best reading of each.

    Parameters
    ----------
    hands : Hand, Hands, str, sequence of Hand or str, array_like of int, shape (..., 34 or 27)
        Complete, with the winning tile among the concealed ones. A bare array does not say
        which it is, has no melds and no flags: it has scores under rule sets with patterns,
        but for those whose patterns ask how the winning tile fits (夹心, 单钓, 边张).
    rules : str, Rules or None
        A preset with fan (``guobiao``) or with patterns (the Sichuan family, ``dandong``),
        a path or a rule set; None: ``guobiao``, and ``sbr_2025`` for arrays of 27 kinds.
    detail : bool
        Also count every fan of a batch under Guobiao. The score of one hand always has its
        list.
    threads : int, optional
        None: the cores this process may use; small batches on one.
    errors : {"raise", "mark"}
        ``"mark"`` gives total (fan) −1 and a reason to invalid hands. In a batch, a
        hand that is no win has −1 and the reason ``NOT_A_WIN`` either way, or
        ``TOO_MANY_SUITS`` where only 缺门 is in the way.

    Returns
    -------
    Score or Scores
        Under rules with fan: the total, the list of fan.
    PatternScore or PatternScores
        Under rules with patterns: fan, points, payment of one payer, patterns, roots.

    Raises
    ------
    HandError
        Names the first invalid hand, the tile and the reason: sizes that do not
        add up, no winning tile, five copies, flags that contradict the tiles; under rules
        with patterns also honours in a game without them, a chow meld where none may be
        claimed, more wild tiles than the game has, no ``indicator`` where it is needed
        (``NO_INDICATOR``).
    NotAWin
        One hand that is not complete, or has three suits where a win has two at most.
    RulesError
        No such rule set, or one without scores.

    Notes
    -----
    和绝张 is added where the other three copies lie in the hand's own melds. Under Guobiao a
    dealt hand (``heavenly``) never waited: the winning tile may be left away and changes
    nothing, there is no 边张, 坎张 or 单钓将, and 九莲宝灯 is had with any tile. Wild tiles
    stand for what is worth most. Source: the rule book of 1998 and, for ``guobiao``, the
    2025 supplement of the Mahjong International League; of a rule set with patterns its
    ``source``, and each line of its file.

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.score(ev.Hand.parse("555666777p5556s7s|EE1000"))
    <Score: 48 = 一色三同顺 24, 全带五 16, 不求人 4, 平和 2, 喜相逢 1, 缺一门 1>
    >>> batch = ev.Hands.from_hands([ev.Hand.parse("123789s123789p3m3m")])
    >>> ev.score(batch).total
    array([8], dtype=int16)
    >>> ev.score(ev.Hand.parse("[5555p,1][222m]888m55m22p2p|EE1000"), "sbr_2025")
    <Score: 2 fan, 4 points, pays 5 = 大对子, 杠>
    >>> ev.score(ev.parse("11224444557799m")[:27]).fan
    5
    """
    if detail is not False:
        detail = check_bool(detail, "detail")
    if type(hands) is Hand:
        try:
            kernel, address, fans, _words = _ONE[rules]
        except (KeyError, TypeError):
            found = _by_patterns(hands, rules, threads, errors)
            if found is not None:
                return found
            kernel, address, fans, _words = _prepare_one(rules)
        if threads is not None:
            thread_count(threads, 1)
        head, entries, second, third, fourth, record = kernel(packed(hands), address)
        reason = head >> _REASON_SHIFT & 0xFF
        if reason or _holds_wilds(hands) or type(errors) is not str or errors != "raise":
            return _unusual(hands, rules, reason, errors)
        if second:  # four fan in a word
            entries |= second << 64 | third << 128 | fourth << 192
        found = []
        while entries:
            found.append(fans[entries & 0xFFFF])
            entries >>= 16
        if found[-1].chinese == _OUT_OF_ORDER:
            found.sort(key=_by_value)
        return Score(head & 0xFFFF, head & _MET > 0, tuple(found), hands, rules, head, record)
    hands = taken(hands)
    if type(hands) is Hand:  # it was a text
        return score(hands, rules, detail=detail, threads=threads, errors=errors)
    known = resolve(rules, _width(hands))
    if known.patterns:
        return score_patterns(hands, known, threads, errors)
    return _score_batch(hands, known, detail, threads, errors)


def _by_patterns(hand: Hand, rules: Any, threads: Any, errors: str) -> Any:
    """The score of one hand under a rule set with patterns; None for other rule sets."""
    simple = threads is None and hand.indicator is None and not _holds_wilds(hand)
    simple = simple and type(errors) is str and errors == "raise"
    if simple:
        found = score_pattern(hand, packed(hand), rules, None)
        if found is not None:
            return found
    known = resolve(rules, KINDS)
    if not known.patterns:
        return None
    found = None
    if simple:
        found = score_pattern(hand, packed(hand), rules, known)
    return score_patterns(hand, known, threads, errors) if found is None else found


def _width(hands: Any) -> int:
    """27 for tile counts without honours, else 34."""
    if isinstance(hands, Hand | Hands):
        return KINDS
    try:
        shape = np.shape(hands)
    except ValueError:  # of hands of many lengths, which are refused as what they are
        return KINDS
    return SUITED if shape and shape[-1] == SUITED else KINDS


class WaitScores:
    """What hands that wait would be worth, for each tile that completes them.

    Attributes
    ----------
    discard, self_drawn : int16[..., 34]
        Total (of rules with patterns the fan) when the tile is claimed, and when it is
        drawn; −1 = not a wait, or it would be a fifth copy, or the hand's flags cannot be
        with it.
    minimum_met : bool[..., 34, 2]
        Whether each of the two reaches the minimum (without flowers).
    left : uint8[..., 34]
        Copies left of each wait.
    reason : Reason or uint8[...]
        With ``errors="mark"``: why a hand is invalid, 0 = it is not.
    """

    __slots__ = ("discard", "left", "minimum_met", "reason", "self_drawn")

    def __init__(
        self,
        discard: npt.NDArray[np.int16],
        self_drawn: npt.NDArray[np.int16],
        minimum_met: npt.NDArray[np.bool_],
        left: npt.NDArray[np.uint8],
        reason: Any,
    ) -> None:
        self.discard = discard
        self.self_drawn = self_drawn
        self.minimum_met = minimum_met
        self.left = left
        self.reason = reason

    def __repr__(self) -> str:
        if self.discard.ndim > 1:
            return f"<WaitScores of shape {self.discard.shape[:-1]}>"
        waits = [
            f"{NAMES[tile]} {_or_dash(self.discard[tile])}/{_or_dash(self.self_drawn[tile])}"
            f" ({self.left[tile]} left)"
            for tile in np.flatnonzero(np.maximum(self.discard, self.self_drawn) >= 0)
        ]
        return f"<WaitScores, by discard/self-drawn: {', '.join(waits) or 'no wait'}>"


def _or_dash(total: Any) -> str:
    return "-" if total < 0 else str(total)


def wait_scores(
    hands: Any,
    rules: str | Rules | None = None,
    *,
    seen: Any = None,
    threads: int | None = None,
    errors: str = "raise",
) -> WaitScores:
    """What a hand of 13 tiles would be worth with each tile it waits for.

    Parameters
    ----------
    hands : array_like of int, shape (..., 34 or 27), Hand, Hands, str or list of str
        13 tiles, the melds included. A hand's ``self_drawn`` is ignored, its other flags
        hold for both ways of winning.
    rules, threads
        As for :func:`score`.
    seen : array_like of int, shape (34,) or (..., 34), optional
        Copies of each tile visible elsewhere. Own tiles and melds are known already.
    errors : {"raise", "mark"}
        ``"mark"`` gives −1 everywhere, and a reason, to invalid hands.

    Returns
    -------
    WaitScores
        Each entry is the total (under rules with patterns the fan, before the cap) of
        :func:`score` for the hand completed in that way, 和绝张 where the hand's melds and
        ``seen`` hold the other three copies. The wild kind of an ``indicator`` can only be
        drawn.

    Raises
    ------
    HandError
        As :func:`score`, and where more than four copies of a tile are in sight.
    RulesError

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.wait_scores(ev.Hand.parse("[123m,1][345m,1]678p56sWW"))
    <WaitScores, by discard/self-drawn: 4s 8/1 (4 left), 7s 8/1 (4 left)>
    >>> ev.wait_scores(ev.Hand.parse("[888s,1]11133444p22s"), "qq_sichuan", seen=ev.parse("3p"))
    <WaitScores, by discard/self-drawn: 3p 2/2 (1 left), 2s 2/2 (2 left)>
    """
    mark = check_errors(errors)
    hands = taken(hands)
    known = resolve(rules, _width(hands))
    if known.patterns:
        answers, lead, width = wait_patterns(hands, known, seen, threads, errors)
        return _shaped_waits(answers, lead, width)
    source, lead, width, given = _waiting(hands)
    k = kernels()
    words, geometry = k.fan.words(known), k.tables.geometry()
    shapes, accept = tables.shape(), tuple(tables.accept())
    forms = sum(1 << FORMS.index(form) for form in known.forms)
    n = len(source)
    visible = _seen_rows(seen, lead, width)
    each = len(visible) > 1
    discard, self_drawn = np.empty((n, KINDS), np.int16), np.empty((n, KINDS), np.int16)
    met, left = np.empty((n, KINDS, 2), np.bool_), np.empty((n, KINDS), np.uint8)
    reason = np.empty(n, np.uint8)

    def work(start: int, stop: int) -> int:
        part = slice(start, stop)
        return int(
            k.guobiao.wait_totals(
                source.concealed[part].ctypes.data,
                stop - start,
                source.melds[part].ctypes.data,
                source.flags[part].ctypes.data,
                source.prevalent_wind[part].ctypes.data,
                source.seat_wind[part].ctypes.data,
                source.flowers[part].ctypes.data,
                visible[part if each else slice(None)].ctypes.data if len(visible) else 0,
                KINDS if each else 0,
                forms,
                shapes,
                accept,
                geometry,
                words,
                discard[part],
                self_drawn[part],
                met[part],
                left[part],
                reason[part],
            )
        )

    bad = spread(work, n, thread_count(threads, n), STEP) if n else -1
    unscored = _unscored(source)
    if unscored is not None:
        wrong = unscored > 0
        discard[wrong], self_drawn[wrong], met[wrong], left[wrong] = NO_SCORE, NO_SCORE, False, 0
        reason[wrong] = unscored[wrong]
        bad = int(np.argmax(reason > 0))
    if bad >= 0 and not mark:
        if given is not None and reason[bad] == Reason.COUNT_ABOVE_FOUR:
            raise given.refuse(bad)  # which knows the number as it was given
        error = _explain_waiting(source, visible, bad, Reason(int(reason[bad])), known)
        raise error.at(bad) if lead else error
    return _shaped_waits((discard, self_drawn, met, left, reason), lead, width)


def _shaped_waits(answers: Any, lead: tuple[int, ...], width: int) -> WaitScores:
    """Rows of 34 in the shape of the question."""
    discard, self_drawn, met, left, reason = answers
    return WaitScores(
        discard[:, :width].reshape(*lead, width),
        self_drawn[:, :width].reshape(*lead, width),
        met[:, :width].reshape(*lead, width, 2),
        left[:, :width].reshape(*lead, width),
        Reason(int(reason[0])) if lead == () else reason.reshape(lead),
    )


def _waiting(hands: Any) -> tuple[Hands, tuple[int, ...], int, Batch | None]:
    """(rows, shape of the answer, kinds, the array they are of) of hands that wait."""
    if isinstance(hands, Hands):
        return hands, (len(hands),), KINDS, None
    if isinstance(hands, Hand):
        return Hands.from_hands([hands]), (), KINDS, None
    batch = Batch(hands, None)
    return Hands(concealed=batch.rows(0, batch.n)), batch.lead, batch.width, batch


def _seen_rows(seen: Any, lead: tuple[int, ...], width: int) -> npt.NDArray[np.uint8]:
    """``seen`` as rows of 34: one for each hand, one for all, or none."""
    if seen is None:
        return np.zeros((0, KINDS), np.uint8)
    rows, _ = seen_rows(seen, lead, width)
    return np.pad(rows, ((0, 0), (0, KINDS - width))) if width < KINDS else rows


def _unscored(hands: Hands) -> npt.NDArray[np.uint8] | None:
    """The :class:`Reason` of hands that the kernels do not look at: they hold wild tiles, or
    numbers that no hand has; 0 for others, None where all are 0."""
    found = hands.misfits()
    if hands.wilds.any() or hands.meld_wilds.any():
        wild = (hands.wilds > 0) | hands.meld_wilds.any(axis=1)
        found = np.zeros(len(hands), np.uint8) if found is None else found
        found[wild] = Reason.TOO_MANY_WILDS
    return found


def _explain_waiting(
    source: Hands, visible: npt.NDArray[np.uint8], row: int, reason: Reason, rules: Rules
) -> HandError:
    """The error of a row that :func:`wait_scores` refused."""
    if reason not in (Reason.SEEN_TOO_MANY, Reason.BAD_SIZE):
        return _refuse(source, row, reason, rules).alone()
    try:
        hand = source[row]
    except HandError as error:
        return error.alone()
    if reason == Reason.SEEN_TOO_MANY:
        total = np.array(hand.owned) + visible[row if len(visible) > 1 else 0]
        tile = int(total.argmax())
        return HandError(Code.SEEN_TOO_MANY, tile=tile, count=total[tile])
    total = hand.size + 3 * len(hand.melds)
    return HandError(Code.SIZE_OF_WAIT_SCORES, count=hand.size, total=total)


_MET, _REASON_SHIFT, _FORM_SHIFT = 1 << 16, 20, 28
_TAIL = struct.Struct("<I3H")
# the last column belongs between two others in the book
_OUT_OF_ORDER = "明暗杠"


def _by_value(fan: Fan) -> int:
    return -fan.value


_One = tuple[Callable[[bytes, int], tuple[int, ...]], int, dict[int, Fan], npt.NDArray[np.uint8]]
# rules -> the kernel for one packed hand, the address of its words, the Fan of each
# (column, count)
_ONE: dict[Any, _One] = {}


def packed(hand: Hand) -> bytes:
    """A hand as the kernel for one takes it: counts, melds, tile, winds, flowers, flags."""
    melds = 0
    for place, meld in enumerate(hand.melds):
        melds |= meld.id << 8 * place
    tile = hand.win_tile
    flags = hand.self_drawn | hand.last_tile << 1 | hand.wall_last << 2 | hand.kong << 3
    if hand.kong_discard or hand.heavenly or hand.earthly:
        flags = hand.flags
    return bytes(hand.concealed) + _TAIL.pack(
        melds,
        (NONE if tile is None else tile) | hand.prevalent_wind << 8,
        hand.seat_wind | hand.flowers << 8,
        flags,
    )


def _prepare_one(rules: Any) -> _One:
    known = resolve(rules, len(NAMES))
    k = kernels()
    fans = {
        fan.column | count << 8: Fan(fan.chinese, fan.english, fan.value, count)
        for fan in k.fan.fan_table(known).fans
        for count in range(1, 9)
    }
    words = k.fan.words(known)
    one = k.guobiao.score_one, words.ctypes.data, fans, words
    if (
        rules is None
        or isinstance(rules, Rules)
        or (isinstance(rules, str) and not rules.endswith(".toml"))
    ):
        keep(_ONE, rules, one)
    return one


def _holds_wilds(hand: Hand) -> bool:
    if hand.wilds:
        return True
    # no generator: this is in the path of one hand
    wilds = 0
    for meld in hand.melds:
        wilds |= meld.wilds
    return wilds > 0


def _unusual(hand: Hand, rules: Any, reason: int, errors: str) -> Score:
    """One hand that has no score, or that asks for the long way."""
    mark = check_errors(errors)
    if _holds_wilds(hand):
        reason = Reason.TOO_MANY_WILDS
    if not reason:
        return score(hand, rules)  # type: ignore[no-any-return]
    if not mark:
        raise _explain(hand, Reason(reason), resolve(rules, KINDS))
    marked = Score(NO_SCORE, False, (), hand, rules, 0, 0)
    marked.reason = Reason(reason)
    return marked


def _explain(hand: Hand, reason: Reason, rules: Rules) -> HandError:
    """The error of a valid hand without a score."""
    if reason == Reason.NOT_A_WIN:
        return NotAWin(Code.NOT_COMPLETE, hand=str(hand))
    if reason == Reason.TOO_MANY_WILDS:
        held = hand.wilds + sum(meld.wilds for meld in hand.melds)
        return HandError(Code.NO_WILDS_IN_GAME, count=held, rules=rules.name)
    if reason == Reason.BAD_SIZE:
        total = hand.size + 3 * len(hand.melds)
        return HandError(Code.SIZE_OF_SCORE, count=hand.size, total=total)
    if reason == Reason.IMPOSSIBLE_FLAGS:
        return claimed_earthly(hand, rules.name)
    assert reason == Reason.NO_WIN_TILE, reason
    return HandError(Code.NO_WIN_TILE)


def _refuse(batch: Hands, row: int, reason: Reason, rules: Rules) -> HandError:
    """The error of a row that a kernel refused."""
    try:
        hand = batch[row]
    except HandError as error:
        return error
    return _explain(hand, reason, rules)


def _take_in(hands: Any) -> Hands:
    if isinstance(hands, Hands):
        return hands
    if isinstance(hands, Hand):
        return Hands.from_hands([hands])
    batch = Batch(hands, None)  # which refuses what is no hand at all
    if batch.n == 0 and batch.lead == (0,):
        return Hands(concealed=np.zeros((0, KINDS), np.uint8))
    raise HandError(Code.COUNTS_WITHOUT_WIN_TILE)


def _score_batch(hands: Any, known: Rules, detail: bool, threads: Any, errors: str) -> Scores:
    mark = check_errors(errors)
    batch = _take_in(hands)
    k = kernels()
    words, geometry = k.fan.words(known), k.tables.geometry()
    n = len(batch)
    total, met = np.empty(n, np.int16), np.empty(n, np.bool_)
    reason = np.empty(n, np.uint8)
    counts = np.empty((n, k.tables.COLUMNS), np.uint8) if detail else None

    def work(start: int, stop: int) -> int:
        part = slice(start, stop)
        return int(
            k.guobiao.score_rows(
                batch.concealed[part].ctypes.data,
                stop - start,
                batch.melds[part].ctypes.data,
                batch.win_tile[part].ctypes.data,
                batch.flags[part].ctypes.data,
                batch.prevalent_wind[part].ctypes.data,
                batch.seat_wind[part].ctypes.data,
                batch.flowers[part].ctypes.data,
                geometry,
                words,
                total[part],
                met[part],
                reason[part],
                None if counts is None else counts[part],
            )
        )

    bad = spread(work, n, thread_count(threads, n), STEP) if n else -1
    unscored = _unscored(batch)
    if unscored is not None:
        wrong = unscored > 0
        total[wrong], met[wrong], reason[wrong] = NO_SCORE, False, unscored[wrong]
        if counts is not None:
            counts[wrong] = 0
        bad = int(np.argmax((reason > 0) & (reason != Reason.NOT_A_WIN)))
    if bad >= 0 and not mark:
        raise _refuse(batch, bad, Reason(int(reason[bad])), known).at(bad)
    return Scores(total, met, reason, counts, known)


def _form_names() -> dict[int, str]:
    k = kernels().worth
    pairs = (k.PAIRS, k.SHIFTED_PAIRS)
    knitted = (k.ALL_HONOURS, k.LESSER, k.LESSER_STRAIGHT)
    return {
        int(k.NO_FORM): "standard",
        int(k.NINE): "standard",
        int(k.KNITTED): "knitted_straight",
        int(k.ORPHANS_FORM): "thirteen_orphans",
        **{int(form): "seven_pairs" for form in pairs},
        **{int(form): "honours_and_knitted" for form in knitted},
    }


def _division(scored: Score) -> ScoredDivision:
    """The division of the score: its pungs and chows are those of the record."""
    hand, head = scored._hand, scored._head
    form = _form_names()[head >> _FORM_SHIFT & 0xF]
    for division in decompose(hand, scored._rules):
        if division.form == form and _has_record(division, scored._record):
            return ScoredDivision(*division, _holder(division, scored))
    raise AssertionError(f"no division of {hand} has the record of its score")


def _has_record(division: Division, record: int) -> bool:
    if division.form not in ("standard", "knitted_straight"):
        return True
    t = kernels().tables
    keys = t.view(t.geometry(), t.GEOMETRY["key"], t.CHOW_COUNT, np.uint64).tolist()
    pungs, key = 0, 0
    for meld in division.sets:
        if meld.kind == "chow":
            key += keys[meld.id - 1]
        elif meld.tile < t.SUITED:
            pungs |= 1 << meld.tile
    chows = key & ((1 << 64 - t.KEY_BIT) - 1)
    return bool(chows == record >> t.KEY_BIT and pungs == record & t.NUMBER_PUNGS)


def _holder(division: Division, scored: Score) -> Meld | str | None:
    """The set that holds the winning tile, in the way that gives the score."""
    hand = scored._hand
    if hand.heavenly:
        return None  # no tile is the winning one more than another
    tile = hand.win_tile
    assert tile is not None
    concealed = division.sets[len(hand.melds) :]
    chows = [meld for meld in concealed if meld.kind == "chow" and tile in meld.tiles]
    pungs = [meld for meld in concealed if meld.kind != "chow" and meld.tile == tile]
    names = {fan.chinese for fan in scored.fans}
    if "边张" in names:
        chows = [meld for meld in chows if (meld.tile % 9, tile - meld.tile) in ((0, 2), (6, 0))]
    elif "坎张" in names:
        chows = [meld for meld in chows if tile == meld.tile + 1]
    elif "单钓将" in names:
        return "pair"
    if chows:
        return chows[0]
    if division.pair == tile:
        return "pair"
    return pungs[0] if pungs else "form"
