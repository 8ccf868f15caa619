"""The questions: is it a win, how far is it, what does it wait for, what to discard.

Every function takes one hand or a batch and checks nothing itself: input is taken in
by :class:`evaluator.inputs.Batch`, answered by the kernels, and what they refuse is
explained by the batch.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .errors import EvaluatorError, HandError, Reason
from .hands import Hand, Meld
from .inputs import CHUNK, NO_VOID, Batch, check_errors, resolve, shape_of
from .parallel import spread, thread_count
from .rulesets import Rules
from .tiles import COPIES, FORMS, KINDS, KNITTED, NAMES, ORPHANS, SUITED

UNREACHABLE = 127
"""Shanten of a hand that can never be complete (its melds are of three suits under 缺门)."""
INVALID = -128
"""Shanten of a row that ``errors="mark"`` marked."""


@functools.cache
def _kernels() -> Any:
    """The compiled side of the package, imported on the first query."""
    from . import tables
    from .kernels import deal, discards, divide, one, shanten, suits, waits

    return SimpleNamespace(
        shanten=shanten,
        waits=waits,
        discards=discards,
        divide=divide,
        deal=deal,
        one=one,
        plain_forms=suits.PLAIN_FORMS,
        tables=tables,
    )


@functools.cache
def _form_bits(rules: Rules) -> int:
    return sum(1 << FORMS.index(form) for form in rules.forms)


def _is_plain(batch: Batch, voids: npt.NDArray[np.uint8]) -> bool:
    """Whether the kernels without wilds, void suits and third copies answer."""
    return (
        batch.rules.kinds == KINDS
        and not _form_bits(batch.rules) & ~_kernels().plain_forms
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


def _run(
    batch: Batch, threads: Any, call: Callable[[npt.NDArray[np.uint8], int, int], int]
) -> int:
    """``call(rows, start, stop)`` over a batch; the first bad row or -1."""

    def work(start: int, stop: int) -> int:
        return call(batch.rows(start, stop), start, stop)

    if batch.n == 0:
        return -1
    return spread(work, batch.n, thread_count(threads, batch.n), None if batch.ready else CHUNK)


def _check_out(out: Any, lead: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
    if not isinstance(out, np.ndarray) or out.dtype != dtype or out.shape != lead:
        got = f"{out.dtype}{out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
        raise EvaluatorError(f"out must be an array of {np.dtype(dtype)}{lead}, got {got}")
    if not out.flags.writeable or not out.flags.c_contiguous:
        raise EvaluatorError("out must be writable and C-contiguous")
    return out


def _distance_query(
    hands: Any,
    rules: Any,
    wilds: Any,
    void: Any,
    out: Any,
    threads: Any,
    errors: str,
    dtype: Any,
    names: tuple[str, str],
) -> tuple[Batch, npt.NDArray[Any]]:
    """What ``shanten`` and ``is_win`` share: one number a hand."""
    mark = check_errors(errors)
    batch = Batch(hands, rules, wilds=wilds, void=void)
    k, bits = _kernels(), _form_bits(batch.rules)
    arena = k.tables.shape()
    plain, general = (getattr(k.shanten, name) for name in names)
    shape = shape_of(batch.lead, batch.each)
    answer = np.empty(shape, dtype) if out is None else _check_out(out, shape, dtype)
    choices = _each_void(batch)
    for place, voids in enumerate(choices):
        part = answer.reshape(-1) if len(choices) == 1 else np.empty(batch.n, dtype)
        is_plain = _is_plain(batch, voids)
        union = int(np.bitwise_or.reduce(voids)) if batch.n else 0

        def call(
            rows: npt.NDArray[np.uint8],
            start: int,
            stop: int,
            voids: npt.NDArray[np.uint8] = voids,
            part: npt.NDArray[Any] = part,
            is_plain: bool = is_plain,
            union: int = union,
        ) -> int:
            address, kinds = rows.ctypes.data, np.uint64(rows.shape[1])
            if is_plain:
                return int(plain(address, kinds, len(rows), bits, arena, part[start:stop]))
            return int(
                general(
                    address,
                    kinds,
                    len(rows),
                    _part(batch.wilds, start, stop),
                    _part(voids, start, stop),
                    bits,
                    union,
                    np.uint64(batch.game),
                    arena,
                    part[start:stop],
                )
            )

        bad = _run(batch, threads, call)
        if bad >= 0 and not mark:
            raise batch.refuse(bad)
        if len(choices) > 1:
            answer.reshape(-1, 3)[:, place] = part
    return batch, answer


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
    hands : array_like of int, shape (..., 34) or (..., 27), Hand or Hands
        Tile counts, each 0-4, 3k+1 or 3k+2 tiles in all; with fewer than 13 melds are
        implied.
    rules : str, Rules or None
        A preset, a path or a rule set; None: ``guobiao`` for 34 kinds, ``sbr_2025``
        for 27.
    wilds : int or array_like of int, optional
        Wild tiles held beside the counts, 0-8. None: the hand's own, 0 for arrays.
    void : {0, 1, 2}, array_like, "each" or None
        The suit that must be void (定缺), for all hands or for each; ``"each"`` adds an
        axis of 3; None: as the rules say (缺门: the best choice).
    out : ndarray of int8, optional
        Where the answer goes.
    threads : int, optional
        None: the cores this process may use; small batches on one.
    errors : {"raise", "mark"}
        ``"mark"`` gives −128 to hands that cannot be.

    Returns
    -------
    int or ndarray of int8
        Of the hands' leading shape. 127: never complete, whatever is drawn.

    Raises
    ------
    HandError
        Names the first hand that cannot be, the tile and the reason.
    RulesError
        No such rule set.

    Notes
    -----
    Exact: only concealed tiles count against the four copies of a tile, so four of a
    kind that would need a fifth are no wait.

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.shanten(ev.parse("123456789m1111z"), "riichi")
    1
    """
    if type(hands) is np.ndarray and hands.ndim == 1 and wilds is void is out is threads is None:
        answer = _one_shanten(hands, rules)
        if answer != INVALID:
            return answer
    batch, found = _distance_query(
        hands,
        rules,
        wilds,
        void,
        out,
        threads,
        errors,
        np.int8,
        ("shanten_plain", "shanten"),
    )
    return int(found) if found.ndim == 0 and out is None else found


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
        ``"mark"`` gives False to hands that cannot be.

    Returns
    -------
    bool or ndarray of bool
        Of the hands' leading shape.

    Raises
    ------
    HandError, RulesError

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.is_win(ev.parse("19m19p19s12345677z"))
    True
    """
    batch, found = _distance_query(
        hands, rules, wilds, void, out, threads, errors, np.bool_, ("win_plain", "win")
    )
    return bool(found) if found.ndim == 0 and out is None else found


# rules (or, for no rules, the width) -> a kernel and its arguments after the hand
_ONE: dict[Any, tuple[Callable[..., int], tuple[Any, ...]]] = {}


def _one_shanten(hand: npt.NDArray[Any], rules: Any) -> int:
    """Shanten of one vector by the shortest way.

    INVALID where the long way must answer: hands to be explained, and arrays other than
    dense, writable uint8, for which the kernels refuse to compile again.
    """
    try:
        kernel, arguments = _ONE[len(hand) if rules is None else rules]
        return kernel(hand, *arguments)
    except KeyError:
        return _first_one_shanten(hand, rules)
    except TypeError:
        return INVALID


def _first_one_shanten(hand: npt.NDArray[Any], rules: Any) -> int:
    if hand.dtype != np.uint8 or not (hand.flags.c_contiguous and hand.flags.writeable):
        return INVALID
    known = resolve(rules, len(hand))
    k, bits = _kernels(), _form_bits(known)
    if known.kinds == KINDS and known.max_suits == 3 and not bits & ~k.plain_forms:
        kernel, arguments = k.one.shanten_plain, (bits, k.tables.shape())
    else:
        voids = NO_VOID if known.max_suits == 3 else 0b111
        kernel = k.one.shanten
        arguments = (bits, voids, np.uint64((1 << known.kinds) - 1), k.tables.shape())
    answer = int(kernel(hand, *arguments))
    kernel.disable_compile()
    if rules is None or isinstance(rules, Rules) or not str(rules).endswith(".toml"):
        _ONE[len(hand) if rules is None else rules] = kernel, arguments
    return answer


class Waits:
    """What hands of 3k+1 tiles wait for.

    Attributes
    ----------
    shanten : int or int8[...]
    mask : int or uint64[...]
        Bit i: tile i is accepted, it lowers the shanten.
    total : int or uint8[...]
        Copies left of all accepted tiles.
    """

    __slots__ = ("_batch", "_left", "mask", "shanten", "total")

    def __init__(self, shanten: Any, mask: Any, total: Any, batch: Batch) -> None:
        self.shanten = shanten
        self.mask = mask
        self.total = total
        self._batch = batch
        self._left: npt.NDArray[np.uint8] | None = None

    @property
    def tiles(self) -> npt.NDArray[np.bool_]:
        """``bool[..., 34]`` (or 27): which tiles are accepted."""
        return _bits(self.mask, self._batch.width)

    @property
    def left(self) -> npt.NDArray[np.uint8]:
        """``uint8[..., 34]`` (or 27): copies left of each accepted tile, 0 of others."""
        if self._left is None:
            tiles = self.tiles
            left = _copies_left(self._batch, tiles)
            if not np.array_equal(left.sum(axis=-1), self.total):
                raise EvaluatorError(
                    "the array of hands was changed after waits() was asked: "
                    "take .left before, or give waits() a copy"
                )
            self._left = left
        return self._left

    def __repr__(self) -> str:
        if isinstance(self.mask, int):
            names = " ".join(NAMES[i] for i in range(KINDS) if self.mask >> i & 1)
            return f"<Waits: shanten {self.shanten}, {names or 'nothing'}, {self.total} left>"
        return f"<Waits of shape {np.shape(self.mask)}>"


class Discards:
    """What hands of 3k+2 tiles are after each discard.

    Attributes
    ----------
    shanten : int8[..., 34] (or 27)
        After the discard of each kind; 127 = not held.
    mask : uint64[..., 34]
        Bit i: tile i is accepted then.
    left : uint8[..., 34]
        Copies left of the accepted tiles.
    """

    __slots__ = ("left", "mask", "shanten")

    def __init__(
        self,
        shanten: npt.NDArray[np.int8],
        mask: npt.NDArray[np.uint64],
        left: npt.NDArray[np.uint8],
    ) -> None:
        self.shanten = shanten
        self.mask = mask
        self.left = left

    def tiles(self, kind: int) -> npt.NDArray[np.bool_]:
        """``bool[..., 34]``: the tiles accepted after the discard of ``kind``."""
        width = self.shanten.shape[-1]
        if not 0 <= kind < width:
            raise HandError(f"tile {kind}: tiles are 0-{width - 1}", tile=kind)
        return _bits(self.mask[..., kind], width)

    def best(self) -> Any:
        """The discard with the lowest shanten, then most copies left, then the lowest tile.

        Returns
        -------
        int or ndarray of int8
            Tile; −1 for a row that was marked.
        """
        # lower shanten first: 127 - shanten in the high bits, copies in the low
        held = (self.shanten != UNREACHABLE) | (self.mask != 0)
        worth = (UNREACHABLE - self.shanten.astype(np.int16)) * 256 + self.left
        worth = np.where(held, worth, -1)
        tile = worth.argmax(axis=-1).astype(np.int8)
        tile = np.where((self.shanten == INVALID).all(axis=-1), np.int8(-1), tile)
        return int(tile) if tile.ndim == 0 else tile

    def __repr__(self) -> str:
        if self.shanten.ndim > 1:
            return f"<Discards of shape {self.shanten.shape[:-1]}>"
        best = self.best()
        if best < 0:
            return "<Discards: no hand>"
        return (
            f"<Discards: best {NAMES[best]}, shanten {self.shanten[best]}, "
            f"{self.left[best]} left>"
        )


def _bits(mask: Any, width: int) -> npt.NDArray[np.bool_]:
    words = np.asarray(mask, np.uint64)
    shifts = np.arange(width, dtype=np.uint64)
    return (words[..., None] >> shifts & np.uint64(1)).astype(np.bool_)


def _copies_left(batch: Batch, tiles: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """Copies of the accepted tiles that neither the hand nor what is visible holds."""
    counts = batch.rows(0, batch.n)
    gone = counts if batch.visible is None else counts + batch.visible
    shape = (*batch.lead, *([1] if batch.each else []), batch.width)
    left = np.where(gone <= COPIES, COPIES - np.minimum(gone, COPIES), 0).astype(np.uint8)
    return np.where(tiles, left.reshape(shape), np.uint8(0))


def waits(
    hands: Any,
    rules: str | Rules | None = None,
    *,
    seen: Any = None,
    wilds: Any = None,
    void: Any = None,
    minimum: bool = False,
    threads: int | None = None,
    errors: str = "raise",
) -> Waits:
    """Which tiles bring a hand of 3k+1 tiles nearer, and how many copies are left.

    Parameters
    ----------
    hands, rules, wilds, void, threads
        As for :func:`shanten`; ``void="each"`` adds an axis of 3 after the hands' own.
    seen : array_like of int, shape (34,) or (..., 34), optional
        Copies of each tile visible elsewhere (discards, others' melds, indicators).
        Own tiles and melds are known already.
    minimum : bool
        Keep only winning tiles that reach the minimum of the rule set; needs a rule
        set with scores.
    errors : {"raise", "mark"}
        ``"mark"`` gives shanten −128 and no tiles to hands that cannot be.

    Returns
    -------
    Waits

    Raises
    ------
    HandError
        Also for a hand of 3k+2 tiles (ask for :func:`discards`), and where more than
        four copies of a tile are in sight.
    RulesError

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.waits(ev.parse("1112345678999m"), "riichi")
    <Waits: shanten 0, 1m 2m 3m 4m 5m 6m 7m 8m 9m, 23 left>
    """
    mark = check_errors(errors)
    batch = Batch(hands, rules, wilds=wilds, void=void, seen=seen)
    if minimum:
        raise _no_scores(batch.rules)
    k, bits = _kernels(), _form_bits(batch.rules)
    arena, accept = k.tables.shape(), tuple(k.tables.accept())
    parts = []
    for voids in _each_void(batch):
        found = np.empty(batch.n, np.int8)
        mask = np.empty(batch.n, np.uint64)
        total = np.empty(batch.n, np.uint8)
        is_plain = _is_plain(batch, voids)

        def call(
            rows: npt.NDArray[np.uint8],
            start: int,
            stop: int,
            voids: npt.NDArray[np.uint8] = voids,
            found: npt.NDArray[np.int8] = found,
            mask: npt.NDArray[np.uint64] = mask,
            total: npt.NDArray[np.uint8] = total,
            is_plain: bool = is_plain,
        ) -> int:
            place = slice(start, stop)
            where = (rows.ctypes.data, np.uint64(rows.shape[1]), len(rows))
            answer = (found[place], mask[place], total[place])
            if is_plain:
                return int(k.waits.waits_plain(*where, bits, arena, accept, *answer))
            return int(
                k.waits.waits(
                    *where,
                    _part(batch.wilds, start, stop),
                    _part(voids, start, stop),
                    bits,
                    np.uint64(batch.game),
                    arena,
                    accept,
                    *answer,
                )
            )

        bad = _run(batch, threads, call)
        if bad >= 0 and not mark:
            raise batch.refuse(bad, 1)
        bad = _count_visible(batch, threads, mask.reshape(-1, 1), total.reshape(-1, 1), found)
        if bad >= 0 and not mark:
            raise batch.refuse_visible(bad)
        parts.append((found, mask, total))
    shape = shape_of(batch.lead, batch.each)
    found, mask, total = (_joined(part, shape) for part in zip(*parts, strict=True))
    if shape == ():
        return Waits(int(found), int(mask), int(total), batch)
    return Waits(found, mask, total, batch)


def _joined(parts: tuple[npt.NDArray[Any], ...], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    return (parts[0] if len(parts) == 1 else np.stack(parts, axis=1)).reshape(shape)


def _count_visible(
    batch: Batch,
    threads: Any,
    mask: npt.NDArray[np.uint64],
    left: npt.NDArray[np.uint8],
    found: npt.NDArray[np.int8],
) -> int:
    """Copies left again where more is visible than the hand; marks and finds bad rows."""
    visible = batch.visible
    if visible is None:
        return -1
    k = _kernels()

    def call(rows: npt.NDArray[np.uint8], start: int, stop: int) -> int:
        return int(
            k.waits.count_left(
                rows.ctypes.data,
                np.uint64(rows.shape[1]),
                mask[start:stop],
                _part(visible, start, stop),
                left[start:stop],
                found[start:stop].reshape(stop - start, -1),
            )
        )

    return _run(batch, threads, call)


def _no_scores(rules: Rules) -> EvaluatorError:
    from .errors import RulesError

    return RulesError("minimum", f"the rule set {rules.name} has no scores")


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
    """What a hand of 3k+2 tiles is after each possible discard.

    Parameters
    ----------
    hands, rules, seen, wilds, void, threads
        As for :func:`waits`. The discarded tile itself is not counted as left.
    errors : {"raise", "mark"}
        ``"mark"`` gives shanten −128 and no tiles to hands that cannot be.

    Returns
    -------
    Discards
        With ``void="each"`` an axis of 3 stands before the last.

    Raises
    ------
    HandError
        Also for a hand of 3k+1 tiles (ask for :func:`waits`).
    RulesError

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.discards(ev.parse("123m456p789s1122z3z"), "riichi")
    <Discards: best 3z, shanten 0, 4 left>
    """
    mark = check_errors(errors)
    batch = Batch(hands, rules, wilds=wilds, void=void, seen=seen)
    k, bits = _kernels(), _form_bits(batch.rules)
    arena, accept = k.tables.shape(), tuple(k.tables.accept())
    parts = []
    for voids in _each_void(batch):
        found = np.empty((batch.n, batch.width), np.int8)
        mask = np.empty((batch.n, batch.width), np.uint64)
        left = np.empty((batch.n, batch.width), np.uint8)
        is_plain = _is_plain(batch, voids)

        def call(
            rows: npt.NDArray[np.uint8],
            start: int,
            stop: int,
            voids: npt.NDArray[np.uint8] = voids,
            found: npt.NDArray[np.int8] = found,
            mask: npt.NDArray[np.uint64] = mask,
            left: npt.NDArray[np.uint8] = left,
            is_plain: bool = is_plain,
        ) -> int:
            place = slice(start, stop)
            where = (rows.ctypes.data, np.uint64(rows.shape[1]), len(rows))
            answer = (found[place], mask[place], left[place])
            if is_plain:
                return int(k.discards.discards_plain(*where, bits, arena, accept, *answer))
            return int(
                k.discards.discards(
                    *where,
                    _part(batch.wilds, start, stop),
                    _part(voids, start, stop),
                    bits,
                    np.uint64(batch.game),
                    arena,
                    accept,
                    *answer,
                )
            )

        bad = _run(batch, threads, call)
        if bad >= 0 and not mark:
            raise batch.refuse(bad, 2)
        bad = _count_visible(batch, threads, mask, left, found)
        if bad >= 0 and not mark:
            raise batch.refuse_visible(bad)
        parts.append((found, mask, left))
    shape = (*shape_of(batch.lead, batch.each), batch.width)
    return Discards(*(_joined(part, shape) for part in zip(*parts, strict=True)))


class Division(NamedTuple):
    """One way to read a complete hand.

    Attributes
    ----------
    sets : tuple of Meld
        The hand's melds, then its concealed sets from the lowest tile on.
    pair : int or None
        Tile of the pair; None where the form has none (seven pairs, 全不靠).
    form : str
        Of :data:`evaluator.tiles.FORMS`. A knitted straight lists only the sets
        beside its nine knitted tiles; thirteen orphans have the tile held twice
        as their pair.
    """

    sets: tuple[Meld, ...]
    pair: int | None
    form: str


def decompose(hand: Any, rules: str | Rules | None = None) -> list[Division]:
    """Every division of one complete hand.

    Parameters
    ----------
    hand : array_like of int, shape (34,) or (27,), or Hand
    rules : str, Rules or None
        As for :func:`shanten`; says which forms count and whether three suits may.

    Returns
    -------
    list of Division
        Empty when the hand is not complete. Standard divisions first.

    Raises
    ------
    HandError
        A hand that cannot be, or one with wild tiles.

    Examples
    --------
    >>> import evaluator as ev
    >>> for division in ev.decompose(ev.parse("111222333m11p"), "riichi"):
    ...     print([meld.kind for meld in division.sets], division.pair)
    ['pung', 'pung', 'pung'] 9
    ['chow', 'chow', 'chow'] 9
    """
    batch = Batch(hand, rules)
    if batch.lead != ():
        raise HandError(f"decompose takes one hand, got shape {batch.lead}")
    if batch.wilds[0] and batch._wilds_given[0]:
        raise HandError("decompose takes no wild tiles", count=int(batch.wilds[0]))
    if not is_win(hand, batch.rules):
        return []
    melds = hand.melds if isinstance(hand, Hand) else ()
    counts = np.zeros(KINDS, np.int64)
    counts[: batch.width] = batch.row(0)
    size = int(counts.sum())
    found: list[Division] = []
    forms = batch.rules.forms
    if "standard" in forms:
        found += [Division((*melds, *sets), pair, "standard") for sets, pair in _divide(counts)]
    full = size == 14
    if full and "seven_pairs" in forms and not (counts % 2).any():
        found.append(Division((), None, "seven_pairs"))
    if full and "seven_different_pairs" in forms and (counts == 2).sum() == 7:
        found.append(Division((), None, "seven_different_pairs"))
    orphans = counts[list(ORPHANS)]
    if full and "thirteen_orphans" in forms and (orphans > 0).all() and orphans.sum() == 14:
        pair = ORPHANS[int(orphans.argmax())]
        found.append(Division((), pair, "thirteen_orphans"))
    for body in KNITTED:
        rest = counts.copy()
        rest[list(body)] -= 1
        if "knitted_straight" in forms and size in (14, 11) and (rest >= 0).all():
            found += [
                Division((*melds, *sets), pair, "knitted_straight")
                for sets, pair in _divide(rest)
            ]
    if full and "honours_and_knitted" in forms and (counts <= 1).all():
        held = set(np.flatnonzero(counts).tolist())
        if any(held <= {*body, *range(SUITED, KINDS)} for body in KNITTED):
            found.append(Division((), None, "honours_and_knitted"))
    return found


def _divide(counts: npt.NDArray[np.int64]) -> list[tuple[tuple[Meld, ...], int]]:
    """Every division of exactly these tiles into sets and a pair."""
    sets = int(counts.sum()) // 3
    out = np.empty((32, 5), np.uint8)
    n = _kernels().divide.divide(counts.copy(), sets, out)
    if n > len(out):
        raise AssertionError("more divisions of a hand than there can be")
    divisions = []
    for row in out[:n].tolist():
        melds = tuple(
            Meld("chow", number // 7 * 9 + number % 7) if number < 21 else Meld("pung", number - 21)
            for number in row[:sets]
        )
        divisions.append((melds, row[4]))
    return divisions


def counts(tiles: Any, kinds: int = KINDS, *, ids: str = "kind") -> npt.NDArray[np.uint8]:
    """Tile counts of hands given as lists of tiles.

    Parameters
    ----------
    tiles : array_like of int, shape (..., k)
        Tile indices, or physical tiles.
    kinds : {34, 27}
    ids : {"kind", "tile"}
        ``"kind"``: 0-33 (0-26); ``"tile"``: the physical tiles 0-135 (0-107), whose
        kind is a quarter of the number.

    Returns
    -------
    ndarray of uint8, shape (..., kinds)

    Raises
    ------
    HandError
        A tile that does not exist, a fifth copy, the same physical tile twice.

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.counts([[0, 0, 0, 33]]).sum(), ev.format(ev.counts([0, 4, 8], ids="tile"))
    (np.uint64(4), '123m')
    """
    if kinds not in (KINDS, SUITED):
        raise HandError(f"kinds must be 34 or 27, got {kinds!r}")
    if ids not in ("kind", "tile"):
        raise HandError(f'ids must be "kind" or "tile", got {ids!r}')
    from .hands import integer_array

    array = integer_array(tiles, "tiles")
    if array.ndim == 0:
        raise HandError("tiles must be a list of tiles for each hand, got one number")
    lead = array.shape[:-1]
    copies = 1 if ids == "kind" else COPIES
    flat = array.reshape(int(np.prod(lead, dtype=np.int64)), array.shape[-1])
    out = np.zeros((len(flat), kinds), np.uint8)
    k = _kernels()
    for start in range(0, len(flat), CHUNK):
        part = np.ascontiguousarray(flat[start : start + CHUNK])
        if part.dtype.kind == "u" and part.size and part.max() > 255:
            part = np.minimum(part, 255)
        seen = np.zeros(kinds * copies, np.uint8)
        bad = k.deal.count_tiles(
            part.astype(np.int64), copies, kinds * copies, out[start : start + CHUNK], seen
        )
        if bad >= 0:
            error = _bad_tiles([int(t) for t in flat[start + bad]], kinds, copies)
            raise error if not lead else error.at(start + int(bad))
    return out.reshape(*lead, kinds)


def _bad_tiles(row: list[int], kinds: int, copies: int) -> HandError:
    for place, number in enumerate(row):
        if not 0 <= number < kinds * copies:
            return HandError(
                f"tile {number}: tiles are 0-{kinds * copies - 1}", reason=Reason.NOT_IN_GAME
            )
        tile = number // copies
        if copies > 1 and number in row[:place]:
            return HandError(f"physical tile {number} ({NAMES[tile]}) twice", tile=tile)
    tile = max(range(kinds), key=lambda t: sum(number // copies == t for number in row))
    held = sum(number // copies == tile for number in row)
    return HandError(
        f"{held} copies of {NAMES[tile]}: there are only four",
        tile=tile,
        count=held,
        reason=Reason.COUNT_ABOVE_FOUR,
    )


FAMILIES = (
    "random",
    "flush",
    "half_flush",
    "two_suits",
    "terminals",
    "pairs",
    "pungs",
    "quads",
    "near_win",
)
"""How :func:`deal` may deal."""


def deal(
    n: int, tiles: int = 13, kinds: int = KINDS, seed: int = 0, family: str = "random"
) -> npt.NDArray[np.uint8]:
    """Random hands, reproducible row by row.

    Row i depends on ``seed``, ``family``, ``tiles``, ``kinds`` and i alone: never on
    ``n``, the machine or the number of threads.

    Parameters
    ----------
    n : int
        Hands.
    tiles : int
        Tiles of each, 1-14, not 3k.
    kinds : {34, 27}
    seed : int
        0 to 2**64 − 1.
    family : str
        ``"random"``: from a shuffled wall, as at the table; ``"flush"``,
        ``"half_flush"`` (one suit and honours), ``"two_suits"``, ``"terminals"``
        (1, 9 and honours): from a wall of those tiles, the suits chosen at random;
        ``"pairs"``, ``"pungs"``, ``"quads"``: in groups of equal tiles;
        ``"near_win"``: a complete hand with one tile missing or exchanged.

    Returns
    -------
    ndarray of uint8, shape (n, kinds)

    Raises
    ------
    EvaluatorError
        An argument that cannot be.

    Examples
    --------
    >>> import evaluator as ev
    >>> (ev.deal(3, seed=7) == ev.deal(1000, seed=7)[:3]).all()
    np.True_
    """
    n, tiles, seed = (
        _whole(value, name, low, high)
        for value, name, low, high in (
            (n, "n", 0, 2**40),
            (tiles, "tiles", 1, 14),
            (seed, "seed", 0, 2**64 - 1),
        )
    )
    if tiles % 3 == 0:
        raise EvaluatorError(f"tiles must be 3k+1 or 3k+2, got {tiles}")
    if kinds not in (KINDS, SUITED):
        raise EvaluatorError(f"kinds must be 34 or 27, got {kinds!r}")
    if family not in FAMILIES:
        raise EvaluatorError(f"family must be one of {', '.join(FAMILIES)}; got {family!r}")
    k = _kernels().deal
    groups = {"pairs": 2, "pungs": 3, "quads": 4}
    how = k.NEAR_WIN if family == "near_win" else k.FROM_WALL
    if family in groups:
        how = k.IN_GROUPS
    pools = _walls(family, kinds)
    out = np.zeros((n, kinds), np.uint8)

    def work(start: int, stop: int) -> int:
        k.deal(
            start,
            np.uint64(seed),
            np.uint64(FAMILIES.index(family) + 1),
            how,
            groups.get(family, 0),
            tiles,
            pools,
            out[start:stop],
        )
        return -1

    if n:
        spread(work, n, thread_count(None, n), None)
    return out


def _whole(value: Any, name: str, low: int, high: int) -> int:
    import operator

    try:
        number = operator.index(value)
    except TypeError:
        raise EvaluatorError(f"{name} must be a whole number, got {value!r}") from None
    if isinstance(value, bool) or not low <= number <= high:
        raise EvaluatorError(f"{name} must be {low} to {high}, got {value!r}")
    return number


def _walls(family: str, kinds: int) -> npt.NDArray[np.uint8]:
    """The walls a hand may be dealt from: a row each, padded with 255."""
    suits = [list(range(9 * suit, 9 * suit + 9)) for suit in range(3)]
    honours = list(range(SUITED, kinds))
    if family == "half_flush" and not honours:
        raise EvaluatorError("half_flush needs honours: kinds must be 34")
    walls = {
        "flush": suits,
        "half_flush": [suit + honours for suit in suits],
        "two_suits": [suits[a] + suits[b] for a, b in ((0, 1), (0, 2), (1, 2))],
        "terminals": [[tile for tile in ORPHANS if tile < kinds]],
    }.get(family, [list(range(kinds))])
    out = np.full((len(walls), COPIES * kinds), 255, np.uint8)
    for row, wall in zip(out, walls, strict=True):
        row[: COPIES * len(wall)] = np.repeat(wall, COPIES)
    return out


@dataclass(frozen=True)
class Warmup:
    """What :func:`warmup` did: seconds a kernel took to be ready."""

    seconds: dict[str, float]

    def __repr__(self) -> str:
        return f"<Warmup: {len(self.seconds)} kernels in {sum(self.seconds.values()):.1f} s>"


def warmup() -> Warmup:
    """Compile every kernel now and keep it on disk for later processes.

    Returns
    -------
    Warmup
        Seconds of each.
    """
    from time import perf_counter

    steps: dict[str, Callable[[], object]] = {}
    for name in ("riichi", "guobiao"):
        for size in (13, 14):
            hand = np.zeros((1, KINDS), np.uint8)
            hand[0, :size] = 1
            steps[f"shanten {name} {size}"] = lambda h=hand, r=name: shanten(h, r)
            steps[f"is_win {name} {size}"] = lambda h=hand, r=name: is_win(h, r)
        waiting, full = np.zeros((1, KINDS), np.uint8), np.zeros((1, KINDS), np.uint8)
        waiting[0, :13], full[0, :14] = 1, 1
        steps[f"waits {name}"] = lambda h=waiting, r=name: waits(h, r)
        steps[f"waits {name}, seen"] = lambda h=waiting, r=name: waits(h, r, seen=[0] * KINDS)
        steps[f"discards {name}"] = lambda h=full, r=name: discards(h, r)
        steps[f"one {name}"] = lambda h=full, r=name: shanten(h[0], r)
    steps["decompose"] = lambda: decompose([3, 2] + [0] * 32)
    steps["deal"] = lambda: deal(1)
    steps["counts"] = lambda: counts([0])
    seconds = {}
    for name, step in steps.items():
        start = perf_counter()
        step()
        seconds[name] = perf_counter() - start
    return Warmup(seconds)
