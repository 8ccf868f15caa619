"""What a query is asked about, in one form: :class:`Batch`.

Texts become :class:`Hand` and :class:`Hands` (:func:`taken`). These, arrays of any integer
type and lists become rows of ``uint8`` counts with wilds, void suits and visible tiles
beside them. What numpy can
see at once (shapes, types) is refused here; invalid rows are handed to
the kernels as marked, which find the first of them, and :meth:`Batch.refuse` says
what is wrong with it.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import Code, EvaluatorError, HandError, NotationError
from ..hands import (
    MAX_TILES,
    MAX_WILDS,
    MELD_IDS,
    NONE,
    Hand,
    Hands,
    check_counts,
    check_size,
    integer_array,
)
from ..hands.notation import parse_hand
from ..rulesets import Rules, rules
from ..tiles import COPIES, KINDS, SUITED
from .layout import FIRST_PUNG

Bytes = npt.NDArray[np.uint8]

# a byte no count, and a number of wilds no hand, can have
IMPOSSIBLE = 255
NO_VOID = 1 << 3
# rows of one kernel call: where they must be copied first, and where they need not. A
# call cannot be interrupted, so that it must not be long: STEP plain rows take up to 50 ms
CHUNK = 1 << 14
STEP = 1 << 15


def resolve(name: Any, width: int) -> Rules:
    """The rules asked for; those of the width where none were named."""
    if name is None:
        name = "guobiao" if width == KINDS else "sbr_2025"
    known: Rules = rules(name)
    return known


def taken(hands: Any) -> Any:
    """A text as a hand, a list of texts or hands as a batch; all else as it is.

    Raises
    ------
    NotationError, HandError
        With the index of the first invalid text of a list.

    Examples
    --------
    >>> taken("11z").concealed[27], taken(["1m", "[EEE,1]5m"]).melds[:, 0].tolist()
    (2, [0, 49])
    """
    if isinstance(hands, str):
        return parse_hand(hands)
    texts = isinstance(hands, np.ndarray) and hands.dtype.kind == "U" and hands.ndim == 1
    rows = hands.tolist() if texts else hands
    if isinstance(rows, list | tuple) and rows and isinstance(rows[0], str | Hand):
        return Hands.from_hands(map(_one_taken, rows, range(len(rows))))
    return hands


def _one_taken(hand: Any, index: int) -> Any:
    if not isinstance(hand, str):
        return hand
    try:
        return parse_hand(hand)
    except (NotationError, HandError) as error:
        raise error.at(index) from None


class Batch:
    """Rows of hands and all a kernel needs to know beside them.

    Attributes
    ----------
    lead : tuple of int
        Shape of the answer: ``()`` for one hand.
    n, width : int
        Rows, and 34 or 27.
    rules : Rules
    wilds : uint8[n] or uint8[1]
    voids : uint8[n] or uint8[1]
        Bits of the choices of a void suit: 0-2 that suit, 3 none.
    visible : uint8[n or 1, width] or None
        Copies that neither hand nor wall can hold: own melds and tiles seen.
    """

    def __init__(
        self, hands: Any, name: Any, *, wilds: Any = None, void: Any = None, seen: Any = None
    ) -> None:
        # of the melds: bits of their suits, and their natural tiles
        self._held: Bytes | None = None
        self._own: Bytes | None = None
        hands = taken(hands)
        self.melded: Hands | None = None
        self._rows_given: Hands | None = None
        batch = hands
        # one hand is possible as it is; with other wilds its melds are looked at again
        one = isinstance(hands, Hand) and (wilds is None or not hands.melds)
        if isinstance(hands, Hand):
            batch = hands if one else Hands.from_hands([hands])
            wilds = hands.wilds if wilds is None else wilds
        if one:
            counts: npt.NDArray[Any] = np.array(hands.concealed, np.uint8)
            self.lead: tuple[int, ...] = ()
            self._one_melds(hands)
        elif isinstance(batch, Hands):
            counts = batch.concealed
            self.lead = () if isinstance(hands, Hand) else (len(batch),)
            self._rows_given = batch
            if batch.melds.any() or batch.meld_wilds.any():
                self.melded = batch
                self._held = batch.held_suits
                self._own = batch.meld_counts().astype(np.uint8)
        else:
            counts = integer_array(hands)
            if counts.shape == (0,) and isinstance(hands, list | tuple):
                counts = np.zeros((0, KINDS), np.uint8)
            if counts.ndim == 0 or counts.shape[-1] not in (SUITED, KINDS):
                expected = "(..., 34) or (..., 27)"
                raise HandError(
                    Code.WRONG_SHAPE, key="hands", expected=expected, shape=str(counts.shape)
                )
            self.lead = counts.shape[:-1]
        self.counts = counts
        self.width = counts.shape[-1]
        self.rules = resolve(name, self.width)
        self.n = int(np.prod(self.lead, dtype=np.int64)) if self.lead else 1
        if self.n == 1:
            counts = self.counts = np.ascontiguousarray(counts)
        if self.n == 0 or counts.flags.c_contiguous:
            self._flat: npt.NDArray[Any] | None = counts.reshape(self.n, self.width)
        else:
            self._flat = counts if counts.ndim == 2 else None
        own = batch.wilds if isinstance(batch, Hands) and wilds is None else wilds
        self.wilds = self._wilds_given = np.zeros(1, np.uint8)
        if own is not None:
            self._wilds_given = self._per_hand(own, "wilds")
            given = _bytes(self._wilds_given, MAX_WILDS)
            # none at all, as a batch of Hands has them, is said once: the faster kernels answer
            self.wilds = given if given.any() else self.wilds
        self._misfits = batch.misfits() if isinstance(hands, Hands) else None
        if self._misfits is not None:
            self._mark(self._misfits > 0)
        if self.melded is not None:
            self._mark_melds(self.melded)
        elif self._own is not None and self.rules.kinds == SUITED:
            self._mark(np.any(self._own[:, SUITED:], axis=1))
        self.each = isinstance(void, str) and void == "each"
        self._void_given: npt.NDArray[Any] | None = None
        self.voids = self._voids(void)
        self._given = batch if isinstance(batch, Hand | Hands) else None
        self._game_troubled: npt.NDArray[np.bool_] | None = None
        if self.rules.wilds.count:
            self._check_wilds()
        if not self.rules.chow_melds and self._given is not None:
            self._check_chows()
        self.visible = self._visible(seen)

    def _one_melds(self, hand: Hand) -> None:
        """What the melds of a :class:`Hand` hold."""
        if not hand.melds:
            return
        own = [0] * KINDS
        held = 0
        for meld in hand.melds:
            if meld.kind == "chow":
                for tile in meld.tiles:
                    own[tile] += 1
            else:
                own[meld.tile] += meld.size - meld.wilds
            held |= 1 << meld.tile // 9 if meld.tile < SUITED else 0
        self._held = np.array([held], np.uint8)
        self._own = np.array([own], np.uint8)

    @functools.cached_property
    def given(self) -> Hands | None:
        """The hands with their melds and turned tiles; None for arrays."""
        return Hands.from_hands([self._given]) if isinstance(self._given, Hand) else self._given

    @functools.cached_property
    def wilds_held(self) -> npt.NDArray[np.uint8]:
        """``uint8[n or 1]``: wild tiles in the hand and its melds."""
        held = np.where(self.wilds <= MAX_WILDS, self.wilds, 0)
        if self.given is not None:
            held = held + self.given.meld_wilds.sum(axis=1)
        return held.astype(np.uint8)

    @functools.cached_property
    def indicators(self) -> npt.NDArray[np.uint8]:
        """``uint8[n or 1]``: the tile that was turned to name the wild one; NONE without."""
        named = self.rules.wilds.count > 0 and self.rules.wilds.kind == "next"
        given = self.given if named else None
        return np.full(1, NONE, np.uint8) if given is None else given.indicator

    def _check_wilds(self) -> None:
        """Wild tiles are copies of the tile that the turned one names: of it there are no other
        ones, and it tells the suit where that counts."""
        turned = self.indicators
        bad = np.zeros(self.n, np.bool_)
        if not self.rules.wilds.wild_ignores_suit:
            bad |= (self.wilds_held > 0) & (turned == NONE)
        rows = np.flatnonzero(turned != NONE)
        if len(rows):
            bad[rows[turned[rows] >= SUITED]] = True
            rows = rows[turned[rows] < SUITED]
            own = np.zeros((self.n, KINDS), np.uint8) if self._own is None else self._own.copy()
            counts = self.counts.reshape(self.n, -1)
            wild = turned[rows] // 9 * 9 + (turned[rows] % 9 + 1) % 9
            bad[rows] |= counts[rows, wild] + own[rows, wild] > 0
            bad[rows] |= counts[rows, turned[rows]] + own[rows, turned[rows]] >= COPIES
            held = self.wilds_held
            own[rows, wild] += held[rows] if len(held) > 1 else held
            self._own = own
        if bad.any():
            self._game_troubled = bad
            self._mark(bad)

    def _check_chows(self) -> None:
        """In a game without claimed chows a hand with one is refused."""
        given = self._given
        if isinstance(given, Hand):
            if any(meld.kind == "chow" for meld in given.melds):
                self._mark(np.ones(1, np.bool_))
        elif given is not None and given.melds.any():
            chows = (given.melds > 0) & (given.melds < FIRST_PUNG)
            if chows.any():
                self._mark(np.any(chows, axis=1))

    def _per_hand(self, values: Any, name: str) -> npt.NDArray[Any]:
        """One number for all hands or one for each, flat."""
        array = integer_array(values, name)
        if array.ndim == 0 or array.size == 1:
            return array.reshape(1)
        try:
            return np.broadcast_to(array, self.lead).reshape(-1)
        except ValueError:
            raise HandError(
                Code.SHAPE_MISMATCH, key=name, shape=str(array.shape), lead=str(self.lead)
            ) from None

    def _mark_melds(self, batch: Hands) -> None:
        """Rows whose melds cannot be get a number of wilds no hand has."""
        melds = batch.melds
        used = melds != 0
        # a wild number that is wrong is found as such
        sizes = batch.concealed.sum(axis=1, dtype=np.int64) + np.minimum(self.wilds, MAX_WILDS)
        bad = (melds >= MELD_IDS).any(axis=1)
        bad |= sizes + 3 * used.sum(axis=1) > MAX_TILES
        bad |= ~batch.meld_wilds_fit().all(axis=1)
        bad |= (batch.meld_counts() + batch.concealed > COPIES).any(axis=1)
        if self.rules.kinds == SUITED:
            bad |= (used & (melds < MELD_IDS) & (batch.meld_tiles() >= SUITED)).any(axis=1)
        if bad.any():
            self._mark(bad)

    def _mark(self, bad: npt.NDArray[Any]) -> None:
        self.wilds = np.broadcast_to(self.wilds, (self.n,)).copy()
        self.wilds[bad] = IMPOSSIBLE

    def _wrong_void(self, index: int) -> HandError:
        assert self._void_given is not None
        return HandError(Code.BAD_VOID, value=int(self._void_given[index]))

    def _voids(self, void: Any) -> Bytes:
        """Bits of the suits each hand may be without."""
        if void is None or self.each:
            whole = NO_VOID if self.rules.max_suits == 3 and not self.each else 0b111
            voids = np.array([whole], np.uint8)
        else:
            if isinstance(void, str):
                raise HandError(Code.BAD_VOID, value=void)
            suits = self._per_hand(void, "void")
            wrong = (suits < 0) | (suits > 2)
            if wrong.any():
                self._void_given = suits
                if len(suits) == 1:
                    raise self._wrong_void(0)
                self._mark(wrong)
            voids = np.left_shift(1, np.where(wrong, 0, suits)).astype(np.uint8)
        if self._held is not None and not voids[0] & NO_VOID:
            voids = voids & ~self._held
        return voids

    def _visible(self, seen: Any) -> Bytes | None:
        own = self._own
        self._seen_given: npt.NDArray[Any] | None = None
        if seen is None:
            return own
        rows, self._seen_given = seen_rows(seen, self.lead, self.width)
        return rows if own is None else (rows + own).astype(np.uint8)

    def rows(self, start: int, stop: int) -> Bytes:
        """Counts of some rows, dense; what is no count becomes IMPOSSIBLE."""
        if self._flat is not None:
            part = self._flat[start:stop]
        else:
            part = self.counts[np.unravel_index(np.arange(start, stop), self.lead)]
        if part.dtype != np.uint8:
            wrong = (part < 0) | (part > COPIES)
            part = part.astype(np.uint8)
            part[wrong] = IMPOSSIBLE
        return np.ascontiguousarray(part)

    @property
    def ready(self) -> bool:
        """Whether kernels can read the rows where they are."""
        flat = self._flat
        return flat is not None and flat.dtype == np.uint8 and flat.flags.c_contiguous

    @property
    def game(self) -> int:
        """Bits of the tiles asked about: those of the game, and of the input's width."""
        kinds: int = min(self.width, self.rules.kinds)
        return (1 << kinds) - 1

    def row(self, index: int) -> list[int]:
        """The counts of one row as given."""
        if self._flat is not None:
            return [int(count) for count in self._flat[index]]
        return [int(count) for count in self.counts[np.unravel_index(index, self.lead)]]

    def refuse(self, index: int, size: int | None = None) -> HandError:
        """The error of a row the kernels refused.

        Parameters
        ----------
        index : int
        size : {1, 2} or None
            The remainder of the size by three that was asked for.
        """
        try:
            self._explain(index, size)
        except HandError as error:
            return error if self.lead == () else error.at(index)
        raise AssertionError(f"row {index} was refused and nothing is wrong with it")

    def _explain(self, index: int, size: int | None) -> None:
        counts = self.row(index)
        wilds = int(self._wilds_given[index if len(self._wilds_given) > 1 else 0])
        check_counts(counts, self.counts.dtype)
        if self._void_given is not None and not 0 <= self._void_given[index] <= 2:
            raise self._wrong_void(index)
        if self._misfits is not None and self._misfits[index]:
            assert self._rows_given is not None
            try:
                _ = self._rows_given[index]
            except HandError as error:
                raise error.alone() from None
        if not 0 <= wilds <= MAX_WILDS:
            raise HandError(Code.BAD_WILDS, value=wilds, count=wilds)
        if self.melded is not None:
            self._explain_melds(self.melded, index, wilds)
        if self._own is not None and self.rules.kinds == SUITED:
            for honour, count in enumerate(self._own[index][SUITED:].tolist(), SUITED):
                if count:
                    self._in_game(honour, count)
        if self.rules.kinds == SUITED:
            for tile, count in enumerate(counts[SUITED:], SUITED):
                if count:
                    self._in_game(tile, count)
        check_size(sum(counts), wilds)
        if self._game_troubled is not None and self._game_troubled[index]:
            self._explain_game(index)
        self._explain_chows(index)
        total = sum(counts) + wilds
        if size is not None and total % 3 != size:
            code = Code.SIZE_OF_WAITS if size == 1 else Code.SIZE_OF_DISCARDS
            raise HandError(code, count=total)

    def _explain_melds(self, batch: Hands, index: int, wilds: int) -> None:
        """Only shape matters here: how the hand was won is not asked."""
        shape = Hands(
            concealed=batch.concealed[index : index + 1],
            melds=batch.melds[index : index + 1],
            meld_wilds=batch.meld_wilds[index : index + 1],
            wilds=np.full(1, wilds, np.uint8),
        )
        try:
            _ = shape[0]
        except HandError as error:
            raise error.alone() from None

    def _explain_game(self, index: int) -> None:
        """What scoring says of the wild tiles of a hand."""
        from .conditions import game_error

        hand = None if self.given is None else self.given[index]
        raise game_error(hand, self.rules)

    def _explain_chows(self, index: int) -> None:
        if self.rules.chow_melds or self.given is None:
            return
        for meld in self.given[index].melds:
            if meld.kind == "chow":
                raise HandError(Code.CHOW_NOT_ALLOWED, tile=meld.tile, rules=self.rules.name)

    def _in_game(self, tile: int, count: int) -> None:
        if tile >= SUITED:
            raise HandError(Code.HONOUR_NOT_IN_GAME, tile=tile, count=count, rules=self.rules.name)

    def refuse_visible(self, index: int) -> HandError:
        """The error of a row with more than four copies of a tile in sight."""
        assert self.visible is not None
        if self._seen_given is not None:
            given = np.broadcast_to(self._seen_given, (*self.lead, self._seen_given.shape[-1]))
            row = given.reshape(self.n, -1)[index]
            if ((row < 0) | (row > COPIES)).any():
                error = wrong_seen(row)
                return error if self.lead == () else error.at(index)
        beside = self.visible[index if len(self.visible) > 1 else 0]
        for tile, held in enumerate(self.row(index)):
            total = held + int(beside[tile])
            if total > COPIES:
                error = HandError(Code.SEEN_TOO_MANY, tile=tile, count=total)
                return error if self.lead == () else error.at(index)
        raise AssertionError(f"row {index} was refused and nothing is wrong with it")


def seen_rows(
    seen: Any, lead: tuple[int, ...], width: int
) -> tuple[Bytes, npt.NDArray[Any] | None]:
    """Counts of visible tiles as rows: one for each hand of shape ``lead``, or one for all.

    Returns
    -------
    rows : uint8[n or 1, width]
        Eight copies stand for a number that is no count.
    given : ndarray or None
        The array as given, where a row of it is wrong.
    """
    array = integer_array(seen, "seen")
    if array.ndim == 0 or array.shape[-1] not in (width, SUITED):
        raise HandError(
            Code.WRONG_SHAPE, key="seen", expected=f"(..., {width})", shape=str(array.shape)
        )
    wrong = (array < 0) | (array > COPIES)
    given = array if wrong.any() else None
    if array.size == array.shape[-1]:
        array, wrong = array.reshape(-1), wrong.reshape(-1)
        if given is not None:
            raise wrong_seen(array)
    array = np.where(wrong, 2 * COPIES, array).astype(np.uint8)
    if array.shape[-1] < width:
        pad = [(0, 0)] * (array.ndim - 1) + [(0, width - array.shape[-1])]
        array = np.pad(array, pad)
    if array.ndim == 1:
        return array.reshape(1, -1), None
    try:
        rows = np.broadcast_to(array, (*lead, width)).reshape(-1, width)
    except ValueError:
        raise HandError(
            Code.SHAPE_MISMATCH, key="seen", shape=str(array.shape), lead=str((*lead, width))
        ) from None
    return np.ascontiguousarray(rows), given


def wrong_seen(row: npt.NDArray[Any]) -> HandError:
    """The error of a row of seen tiles in which a number is no count."""
    tile = int(np.argmax((row < 0) | (row > COPIES)))
    return HandError(Code.BAD_SEEN, tile=tile, count=int(row[tile]))


def check_errors(errors: str) -> bool:
    """Whether bad rows are marked; refuses other words."""
    if not isinstance(errors, str) or errors not in ("raise", "mark"):
        raise EvaluatorError(
            Code.NOT_A_CHOICE, key="errors", choices=("raise", "mark"), value=errors
        )
    return errors == "mark"


def row_number(row: Any, n: int) -> int:
    """The number of one row of an answer, counted from its end where it is negative."""
    try:
        number = n if isinstance(row, bool | np.bool_) else operator.index(row)
    except TypeError:
        number = n
    if not -n <= number < n:
        raise EvaluatorError(Code.BAD_ROW, key="row", low=-n, high=n - 1, value=row)
    return number


def check_bool(value: Any, name: str) -> bool:
    """A switch; refuses what is not True or False, however true it is."""
    if not isinstance(value, bool | np.bool_):
        raise EvaluatorError(Code.NOT_A_BOOL, key=name, value=value)
    return bool(value)


def _bytes(values: npt.NDArray[Any], top: int) -> Bytes:
    """Numbers as bytes; what is below 0 or above ``top`` becomes IMPOSSIBLE."""
    wrong = (values < 0) | (values > top)
    return (
        np.where(wrong, IMPOSSIBLE, values).astype(np.uint8)
        if wrong.any()
        else (np.ascontiguousarray(values, np.uint8))
    )


def shape_of(given: Sequence[int], each: bool) -> tuple[int, ...]:
    """Shape of an answer, with the axis of three void suits where it was asked."""
    return (*given, 3) if each else tuple(given)
