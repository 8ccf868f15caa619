"""The rows that scoring kernels read: a batch of hands as addresses of its fields, and one
hand as bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..engine.parallel import spread, thread_count
from ..hands import NONE, Hand, Hands, check_counts
from ..rulesets import Rules
from ..shape.intake import CHUNK, STEP, Batch, seen_rows, taken
from ..tiles import KINDS

FIELDS = (
    "concealed", "melds", "win_tile", "flags", "prevalent_wind", "seat_wind", "flowers", "wilds",
    "indicator", "meld_wilds",
)  # fmt: skip
"""The fields of a row, in the order in which kernels find their addresses."""

_DEFAULTS = {name: NONE if name in ("win_tile", "indicator") else 0 for name in FIELDS[1:]}
_TAIL = struct.Struct("<I3H")

# of rows by their wild tiles: one costs 30 plain rows, each further one up to four times that
_COST = np.array([1, 32, 128, 256, 512], np.int64)
_DIVIDED = 64
"""Cost of a row read division by division."""


class Rows:
    """Hands of any kind as rows.

    Attributes
    ----------
    n : int
    lead : tuple of int
        Shape of the answer, ``()`` for one hand.
    width : int
        34 or 27.
    hands : Hands or None
        None where bare counts were given.
    one : bool
        Whether it is a ``Hand``.
    misfits : uint8[n] or None
        The :class:`Reason` of rows with numbers that no hand has, 0 of others; None where
        there are none.
    step : int
        Rows of one call at most.
    cost : int64[n] or None
        What the rows cost where some hold wild tiles, in plain rows.
    """

    def __init__(self, hands: Any, rules: Rules | None) -> None:
        hands = taken(hands)
        self.hands: Hands | None = None
        self.misfits: npt.NDArray[np.uint8] | None = None
        self._batch: Batch | None = None
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

    def spread(
        self,
        work: Callable[[int, int], int],
        threads: Any,
        divided: bool = False,
        by_suits: bool = False,
    ) -> int:
        """``work(start, stop)`` over all rows; the first bad row, or -1.

        divided : whether rows are read division by division
        by_suits : whether wild tiles are filled in suit by suit, once a row: a call then takes
            more rows, since what it knows of a suit serves the next hand
        """
        if self.n == 0:
            return -1
        step = max(1, self.step // _DIVIDED) if divided else self.step
        cost = self.cost
        if cost is not None and by_suits:
            cost = np.maximum(cost // 64, 1)
        return spread(work, self.n, thread_count(threads, self.n), step, cost)

    @property
    def source(self) -> Hands | npt.NDArray[Any]:
        """The hands, or their counts as given."""
        if self.hands is not None:
            return self.hands
        assert self._batch is not None
        return np.atleast_2d(self._batch.counts)

    def as_hands(self) -> Rows:
        """The same, bare counts as hands of 34 kinds without melds."""
        if self.hands is not None:
            return self
        assert self._batch is not None
        found = Rows(Hands(concealed=self._batch.rows(0, self.n)), None)
        found.lead, found.width, found._batch = self.lead, self.width, self._batch
        return found

    def fields(self, start: int, stop: int) -> tuple[npt.NDArray[np.uint64], Any]:
        """(addresses of the fields of some rows, what must be kept while they are used).

        An address of 0 says that the field has its default in all hands.
        """
        if self.hands is not None:
            places = [
                0 if column is None else column.ctypes.data + start * column.strides[0]
                for column in self._columns
            ]
            return np.array(places, np.uint64), self.hands
        assert self._batch is not None
        rows = self._batch.rows(start, stop)
        found = np.zeros(len(FIELDS), np.uint64)
        found[0] = rows.ctypes.data
        return found, rows

    def hand(self, row: int) -> Hand:
        """One row as a hand.

        Raises
        ------
        HandError
            What is wrong with it.
        """
        if self._batch is not None:
            check_counts(self._batch.row(row), self._batch.counts.dtype)
            return Hand(tuple(self._batch.row(row)))
        assert self.hands is not None
        return self.hands[row]

    def seen(self, seen: Any) -> tuple[npt.NDArray[np.uint8], int]:
        """(tiles visible elsewhere in rows of this width, bytes from row to row)."""
        if seen is None:
            return np.zeros((0, self.width), np.uint8), 0
        found, _ = seen_rows(seen, self.lead, self.width)
        found = np.ascontiguousarray(found)
        return found, self.width if len(found) > 1 else 0


def _columns(hands: Hands) -> list[npt.NDArray[Any] | None]:
    """The fields of a batch, None for one that has its default in all hands: the kernels need
    not look at it."""
    columns: list[npt.NDArray[Any] | None] = [hands.concealed]
    for name, default in _DEFAULTS.items():
        column = getattr(hands, name)
        told = column.any() if default == 0 else (column != default).any()
        columns.append(column if told else None)
    return columns


def addresses(arrays: Any, start: int) -> npt.NDArray[np.uint64]:
    """Where the answers of the rows from ``start`` on lie; 0 for an array that is None."""
    places = [0 if a is None else a.ctypes.data + start * a.strides[0] for a in arrays]
    return np.array(places, np.uint64)


def packed(hand: Hand) -> bytes:
    """A hand as the kernels for one take it: counts, melds, tile, winds, flowers, flags."""
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


def holds_wilds(hand: Hand) -> bool:
    """Whether a hand has wild tiles, in its melds or beside them."""
    if hand.wilds:
        return True
    # no generator: this is in the path of one hand
    wilds = 0
    for meld in hand.melds:
        wilds |= meld.wilds
    return wilds > 0
