"""The questions: is it a win, how far is it, what does it wait for, what to discard.

Every function takes one hand or a batch and checks nothing itself: input is taken in
by :class:`evaluator.shape.intake.Batch`, answered by the kernels, and what they refuse is
explained by the batch.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..engine import tables
from ..engine.parallel import first_use, spread, thread_count
from ..engine.recent import by_rules, keep
from ..errors import Code, EvaluatorError
from ..hands import Hand
from ..rulesets import Rules
from ..tiles import FORMS, KINDS, SUITED
from .game import accept_wild_kind, answer_rows, asked_rows
from .game import kernels as of_rows
from .intake import (
    CHUNK,
    NO_VOID,
    STEP,
    Batch,
    check_errors,
    resolve,
    shape_of,
)
from .results import INVALID, Discards, Origin, Waits

_ndarray = np.ndarray


@tables.once
def kernels() -> Any:
    """The compiled side of the package, imported on the first query."""
    from .kernels import discards, divide, shanten, suits, waits
    from .kernels import single as one

    return SimpleNamespace(
        shanten=shanten,
        waits=waits,
        discards=discards,
        divide=divide,
        one=one,
        plain_forms=suits.PLAIN_FORMS,
    )


@by_rules
def _form_bits(rules: Rules) -> int:
    return sum(1 << FORMS.index(form) for form in rules.forms)


def _is_plain(batch: Batch, voids: npt.NDArray[np.uint8]) -> bool:
    """Whether the kernels without wilds, void suits and third copies answer."""
    return (
        batch.rules.kinds == KINDS
        and not _form_bits(batch.rules) & ~kernels().plain_forms
        and len(voids) == len(batch.wilds) == 1
        and voids[0] == NO_VOID
        and batch.wilds[0] == 0
    )


def _each_void(batch: Batch) -> list[npt.NDArray[np.uint8]]:
    """The choices of a void suit to answer for: one, or each suit alone."""
    if not batch.each:
        return [batch.voids]
    return [batch.voids & np.uint8(1 << suit) for suit in range(3)]


def _part(values: npt.NDArray[Any], start: int, stop: int) -> npt.NDArray[Any]:
    return values if len(values) == 1 else values[start:stop]


def _over_rows(
    batch: Batch, threads: Any, call: Callable[[npt.NDArray[np.uint8], int, int], int]
) -> int:
    """``call(rows, start, stop)`` over a batch; the first bad row or -1."""

    def work(start: int, stop: int) -> int:
        return int(call(batch.rows(start, stop), start, stop))

    if batch.n == 0:
        return -1
    step = STEP if batch.ready else CHUNK
    return spread(work, batch.n, thread_count(threads, batch.n), step)


def _ask(
    batch: Batch,
    voids: npt.NDArray[np.uint8],
    plain: Callable[..., int],
    general: Callable[..., int],
    arenas: tuple[Any, ...],
    answers: tuple[npt.NDArray[Any], ...],
    threads: Any,
) -> int:
    """Let the plain or the general kernel fill ``answers``; the first bad row or -1."""
    bits = _form_bits(batch.rules)
    is_plain = _is_plain(batch, voids)

    def call(rows: npt.NDArray[np.uint8], start: int, stop: int) -> int:
        where = (rows.ctypes.data, np.uint64(rows.shape[1]), len(rows))
        filled = [answer[start:stop] for answer in answers]
        if is_plain:
            return plain(*where, bits, *arenas, *filled)
        beside = (_part(batch.wilds, start, stop), _part(voids, start, stop))
        return general(*where, *beside, bits, np.uint64(batch.game), *arenas, *filled)

    return _over_rows(batch, threads, call)


def _check_out(out: Any, lead: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
    if not isinstance(out, np.ndarray) or out.dtype != dtype or out.shape != lead:
        got = (out.dtype, out.shape) if isinstance(out, np.ndarray) else type(out)
        raise EvaluatorError(Code.BAD_OUT, dtype=str(np.dtype(dtype)), shape=str(lead), value=got)
    if not out.flags.writeable or not out.flags.c_contiguous:
        raise EvaluatorError(Code.OUT_NOT_WRITABLE)
    return out


def _distance_query(
    batch: Batch,
    out: npt.NDArray[Any] | None,
    threads: Any,
    mark: bool,
    dtype: Any,
    plain: Callable[..., int],
    general: Callable[..., int],
) -> Any:
    """What ``shanten`` and ``is_win`` share: one number a hand."""
    shape = shape_of(batch.lead, batch.each)
    answer = np.empty(shape, dtype) if out is None else _check_out(out, shape, dtype)
    given = answer
    if out is not None and np.may_share_memory(out, batch.counts):
        answer = np.empty(shape, dtype)  # hands are still read while answers are written
    arena, rows = (tables.shape(),), asked_rows(batch, False)
    k = kernels().shanten
    for place, voids in enumerate(_each_void(batch)):
        part = np.empty(batch.n, dtype) if batch.each else answer.reshape(-1)
        if rows is None:
            bad = _ask(batch, voids, plain, general, arena, (part,), threads)
        else:
            found = np.empty(batch.n, np.int8)
            bad = _ask(batch, voids, k.shanten_plain, k.shanten, arena, (found,), threads)
            answers = (found.reshape(-1, 1), np.empty((batch.n, 1), np.uint64))
            answer_rows(batch, rows, voids, of_rows().shanten, *answers, threads)
            part[...] = found == -1 if dtype is np.bool_ else found
        if bad >= 0 and not mark:
            raise batch.refuse(bad)
        if batch.each:
            answer.reshape(-1, 3)[:, place] = part
    if given is not answer:
        given[...] = answer
    return answer.item() if shape == () and out is None else given


def shanten(
    hands: Any,
    rules: str | Rules | None = None,
    *,
    wilds: Any = None,
    void: Any = None,
    out: npt.NDArray[np.int8] | None = None,
    threads: int | None = None,
    errors: str = "raise",
) -> Any:
    """How many tiles must be exchanged until a hand waits: −1 complete, 0 waiting (听).

    Parameters
    ----------
    hands : array_like of int, shape (..., 34) or (..., 27), Hand, Hands, str or list of str
        Tile counts, each 0-4, 3k+1 or 3k+2 tiles in all. If there are fewer than 13 tiles,
        the missing sets count as melded. Texts are read by :meth:`Hand.parse`; an invalid text
        raises an error even under ``errors="mark"``.
    rules : str, Rules or None
        A preset, a path or a rule set; None: ``guobiao`` for 34 kinds, ``sbr_2025``
        for 27.
    wilds : int or array_like of int, optional
        Wild tiles held beside the counts, 0-8. None: the hand's own, 0 for arrays.
    void : {0, 1, 2}, array_like, "each" or None
        The suit that must be void (定缺), for all hands or for each hand. ``"each"`` gives
        the answer for each of the three suits, on a new last axis. None: the rule set decides
        (缺门: the best choice).
    out : ndarray of int8, optional
        An array for the answer.
    threads : int, optional
        None: as many as the process may use; small batches use one.
    errors : {"raise", "mark"}
        ``"mark"`` gives −128 to invalid hands.

    Returns
    -------
    int or ndarray of int8
        An array has the leading shape of the hands. 127: the hand can never be complete.

    Raises
    ------
    NotationError
        An invalid hand text: its row in a list, and the position of the fault.
    HandError
        Names the first invalid hand, the tile and the reason. In a game with wild tiles, as
        for :func:`score`, a hand is also invalid if it holds a natural copy of the wild tile,
        if the indicator is wrong, or if it is missing and the suit of a wild tile counts.
    RulesError
        No such rule set.

    Notes
    -----
    The answer is exact. Only concealed tiles count against the four copies of a tile: a hand
    that holds four of a kind does not wait for a fifth. The forms and the void suit are those
    of the rule set, whose ``source`` names the rule text.

    A rule set with patterns may require more of a win (``requires``), and it says what wild
    tiles may stand for. Then −1 means that :func:`score` scores the hand, and 0 means that
    some tile completes it to such a hand. A wild tile does not stand for a fifth copy, melds
    included, unless the rule set allows that. The answer is a lower bound in two cases: a hand
    that needs an open meld and has none is at least two tiles from a win, and may be further;
    and a hand may wait for fifth copies that only wild tiles can be. Implied melds fulfil
    every requirement.

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.shanten(ev.parse("123456789m1111z"), "riichi")
    1
    >>> ev.shanten(["123456789m1111z", "[123m,1]11z"], "riichi")
    array([ 1, -1], dtype=int8)
    """
    if wilds is None and void is None and out is None and threads is None:
        answer = _one_shanten(hands, rules, errors)
        if answer != INVALID:
            return answer
    mark = check_errors(errors)
    batch = Batch(hands, rules, wilds=wilds, void=void)
    k = kernels().shanten
    return _distance_query(batch, out, threads, mark, np.int8, k.shanten_plain, k.shanten)


def is_win(
    hands: Any,
    rules: str | Rules | None = None,
    *,
    wilds: Any = None,
    void: Any = None,
    out: npt.NDArray[np.bool_] | None = None,
    threads: int | None = None,
    errors: str = "raise",
) -> Any:
    """Whether a hand is complete (和); hands of 3k+1 tiles are not.

    Parameters
    ----------
    hands, rules, wilds, void, threads
        As for :func:`shanten`.
    out : ndarray of bool, optional
    errors : {"raise", "mark"}
        ``"mark"`` gives False for invalid hands.

    Returns
    -------
    bool or ndarray of bool
        Of the hands' leading shape.

    Raises
    ------
    HandError, RulesError

    Notes
    -----
    The forms are those of the rule set, whose ``source`` names the rule text. Under a rule set
    with patterns a hand is complete if :func:`score` scores it: the requirements on every win
    (``dandong``) and the rules for wild tiles count, the minimum does not.

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.is_win(ev.parse("19m19p19s12345677z"))
    True
    """
    if wilds is None and void is None and out is None and threads is None:
        answer = _one_shanten(hands, rules, errors)
        if answer != INVALID:
            return answer == -1
    mark = check_errors(errors)
    batch = Batch(hands, rules, wilds=wilds, void=void)
    k = kernels().shanten
    return _distance_query(batch, out, threads, mark, np.bool_, k.win_plain, k.win)


_OneHand = tuple[Callable[[npt.NDArray[Any], int], int], int]

# the kernel for one hand and its plan, by rules and, for no rules, by width
_BY_RULES: dict[Any, _OneHand] = {}
_BY_WIDTH: dict[int, _OneHand] = {}


def _one_shanten(hand: Any, rules: Any, errors: Any) -> int:
    """Shanten of one hand by the shortest way; INVALID where the long way must answer."""
    if type(hand) is not _ndarray:
        hand = _vector(hand)
    if type(hand) is not _ndarray or hand.ndim != 1 or type(errors) is not str:
        return INVALID
    if errors != "raise":
        return INVALID
    try:
        kernel, plan = _BY_WIDTH[len(hand)] if rules is None else _BY_RULES[rules]
        return kernel(hand, plan)
    except KeyError:
        return _first_one_shanten(hand, rules)
    except TypeError:  # rules that are none, or no dense, writable uint8: no kernel for it
        return INVALID


def _vector(hand: Any) -> Any:
    """A list of 27 or 34 small whole numbers, or a hand without melds, as a vector."""
    if type(hand) is Hand and not hand.melds and not hand.wilds and hand.indicator is None:
        return np.frombuffer(bytearray(hand.concealed), np.uint8)
    if type(hand) is not list or len(hand) not in (KINDS, SUITED):
        return hand
    if not all(type(count) is int for count in hand):
        return hand
    try:
        return np.frombuffer(bytearray(hand), np.uint8)
    except ValueError:
        return hand


def _first_one_shanten(hand: npt.NDArray[Any], rules: Any) -> int:
    """Prepare the shortest way for a rule set, and go it; INVALID where it cannot be."""
    if hand.dtype != np.uint8 or not (hand.flags.c_contiguous and hand.flags.writeable):
        return INVALID
    known = resolve(rules, len(hand))
    if known.requires:  # the shape is not all
        return INVALID
    k, bits = kernels(), _form_bits(known)
    voids = NO_VOID if known.max_suits == 3 else 0b111
    plain = known.kinds == KINDS and voids == NO_VOID and not bits & ~k.plain_forms
    kernel = k.one.shanten_plain if plain else k.one.shanten
    plan = k.one.plan(bits, voids, known.kinds, tables.shape())
    # a kernel that refuses further types must never be asked while it compiles
    with first_use:
        answer = int(kernel(hand, plan))
        kernel.disable_compile()
    if rules is None:
        keep(_BY_WIDTH, len(hand), (kernel, plan))
    elif isinstance(rules, Rules) or (isinstance(rules, str) and not rules.endswith(".toml")):
        keep(_BY_RULES, rules, (kernel, plan))
    return answer


def waits(
    hands: Any,
    rules: str | Rules | None = None,
    *,
    seen: Any = None,
    wilds: Any = None,
    void: Any = None,
    threads: int | None = None,
    errors: str = "raise",
) -> Waits:
    """The tiles that lower the shanten of a hand of 3k+1 tiles, and the copies left.

    Parameters
    ----------
    hands, rules, wilds, void, threads
        As for :func:`shanten`; ``void="each"`` adds an axis of 3 after the hands' own.
    seen : array_like of int, shape (34,) or (..., 34), optional
        Copies of each tile that are visible elsewhere (discards, melds of others, indicators).
        Do not include the hand's own tiles and melds, nor the wild tiles of a :class:`Hand` or
        :class:`Hands` with an ``indicator``. The turned tile itself is not known and belongs
        here.
    errors : {"raise", "mark"}
        ``"mark"`` gives shanten −128 and no tiles to invalid hands.

    Returns
    -------
    Waits

    Raises
    ------
    HandError
        Also for a hand of 3k+2 tiles (use :func:`discards`), and if more than four copies of a
        tile are visible.
    RulesError

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.waits(ev.parse("1112345678999m"), "riichi")
    <Waits: shanten 0, 1m 2m 3m 4m 5m 6m 7m 8m 9m, 23 left>
    """
    mark_rows = check_errors(errors)
    batch = Batch(hands, rules, wilds=wilds, void=void, seen=seen)
    k = kernels()
    arenas = (tables.shape(), tuple(tables.accept()))
    parts, rows = [], asked_rows(batch, True)
    for voids in _each_void(batch):
        found = np.empty(batch.n, np.int8)
        mask = np.empty(batch.n, np.uint64)
        total = np.empty(batch.n, np.uint8)
        answers = (found, mask, total)
        bad = _ask(batch, voids, k.waits.waits_plain, k.waits.waits, arenas, answers, threads)
        columns = (found.reshape(-1, 1), mask.reshape(-1, 1), total.reshape(-1, 1))
        if rows is not None:
            answer_rows(batch, rows, voids, of_rows().waits, *columns[:2], threads)
        again = accept_wild_kind(batch, rows, *columns[:2]) or rows is not None
        hidden = _count_visible(batch, threads, *columns, again)
        if not mark_rows:
            _refuse_first(batch, bad, hidden, 1)
        parts.append(answers)
    shape = shape_of(batch.lead, batch.each)
    found, mask, total = (_joined(part, shape) for part in zip(*parts, strict=True))
    if shape == ():
        return Waits(int(found), int(mask), int(total), Origin.of(batch))
    return Waits(found, mask, total, Origin.of(batch))


def _joined(parts: tuple[npt.NDArray[Any], ...], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    return (parts[0] if len(parts) == 1 else np.stack(parts, axis=1)).reshape(shape)


def _count_visible(
    batch: Batch,
    threads: Any,
    shanten: npt.NDArray[np.int8],
    mask: npt.NDArray[np.uint64],
    left: npt.NDArray[np.uint8],
    again: bool = False,
) -> int:
    """Copies left again where more is visible than the hand, or other tiles are accepted now;
    marks and finds bad rows."""
    visible = batch.visible
    if visible is None:
        if not again:
            return -1
        visible = np.zeros((1, batch.width), np.uint8)
    count = kernels().waits.count_left

    def call(rows: npt.NDArray[np.uint8], start: int, stop: int) -> int:
        beside = _part(visible, start, stop)
        where = (rows.ctypes.data, np.uint64(rows.shape[1]))
        part = slice(start, stop)
        return int(count(*where, mask[part], beside, left[part], shanten[part]))

    return _over_rows(batch, threads, call)


def _refuse_first(batch: Batch, bad: int, hidden: int, size: int) -> None:
    """Raise for the first invalid row: by itself, or with the tiles seen beside it."""
    if bad >= 0 and not 0 <= hidden < bad:
        raise batch.refuse(bad, size)
    if hidden >= 0:
        raise batch.refuse_visible(hidden)


def discards(
    hands: Any,
    rules: str | Rules | None = None,
    *,
    seen: Any = None,
    wilds: Any = None,
    void: Any = None,
    threads: int | None = None,
    errors: str = "raise",
) -> Discards:
    """The hand that is left after each possible discard from 3k+2 tiles.

    Parameters
    ----------
    hands, rules, seen, wilds, void, threads
        As for :func:`waits`. The discarded tile itself does not count as left.
    errors : {"raise", "mark"}
        ``"mark"`` gives shanten −128 and no tiles to invalid hands.

    Returns
    -------
    Discards
        With ``void="each"`` there is an axis of 3 before the last.

    Raises
    ------
    HandError
        Also for a hand of 3k+1 tiles (use :func:`waits`).
    RulesError

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.discards(ev.parse("123m456p789s1122z3z"), "riichi")
    <Discards: best 3z, shanten 0, 4 left>
    """
    mark_rows = check_errors(errors)
    batch = Batch(hands, rules, wilds=wilds, void=void, seen=seen)
    k = kernels()
    arenas = (tables.shape(), tuple(tables.accept()))
    plain, general = k.discards.discards_plain, k.discards.discards
    parts, rows = [], asked_rows(batch, True)
    for voids in _each_void(batch):
        size = (batch.n, batch.width)
        answers = (np.empty(size, np.int8), np.empty(size, np.uint64), np.empty(size, np.uint8))
        bad = _ask(batch, voids, plain, general, arenas, answers, threads)
        if rows is not None:
            answer_rows(batch, rows, voids, of_rows().discards, *answers[:2], threads)
        again = accept_wild_kind(batch, rows, *answers[:2]) or rows is not None
        hidden = _count_visible(batch, threads, *answers, again)
        if not mark_rows:
            _refuse_first(batch, bad, hidden, 2)
        parts.append(answers)
    shape = (*shape_of(batch.lead, batch.each), batch.width)
    found, mask, left = (_joined(part, shape) for part in zip(*parts, strict=True))
    return Discards(found, mask, left, Origin.of(batch))
