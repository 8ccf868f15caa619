"""What hands wait for, and what they are after each discard: the answers about shape."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..answers import Answer
from ..errors import Code, EvaluatorError
from ..tiles import COPIES, NAMES
from .intake import Batch

UNREACHABLE = 127
"""Shanten of a hand that can never be complete (its melds are of three suits under 缺门)."""
INVALID = -128
"""Shanten of a row that ``errors="mark"`` marked."""


class Origin(NamedTuple):
    """The hands that were asked about: copies left are found again from them.

    Attributes
    ----------
    counts : ndarray of int, shape (..., kinds)
    visible : uint8[..., kinds] or None
        Copies that neither hand nor wall can hold; one row stands for all hands.
    each : bool
        Whether each suit was void in turn: answers have an axis of 3 more.
    """

    counts: npt.NDArray[Any]
    visible: npt.NDArray[np.uint8] | None
    each: bool

    @classmethod
    def of(cls, batch: Batch) -> Origin:
        visible = batch.visible
        if visible is not None and len(visible) == 1:
            visible = visible[0]
        elif visible is not None:
            visible = visible.reshape(*batch.lead, batch.width)
        return cls(batch.counts, visible, batch.each)

    @property
    def width(self) -> int:
        return int(self.counts.shape[-1])

    def at(self, index: Any) -> Origin:
        """Those of some hands; of one hand, one choice of a void suit."""
        if self.counts.ndim == 1:
            return self._replace(each=False)
        visible = self.visible
        if visible is not None and visible.ndim > 1:
            visible = visible[index]
        return Origin(self.counts[index], visible, self.each)

    def left(self, tiles: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
        """Copies of some tiles that neither the hand nor what is visible holds."""
        gone = self.counts if self.visible is None else self.counts + self.visible.astype(np.int64)
        left = np.where(gone <= COPIES, COPIES - np.clip(gone, 0, COPIES), 0).astype(np.uint8)
        return np.where(tiles, self._for_each(left), np.uint8(0))

    def held(self) -> npt.NDArray[np.bool_]:
        return self._for_each(self.counts > 0)

    def _for_each(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return np.expand_dims(values, -2) if self.each else values


class Accepted(NamedTuple):
    """A tile that lowers the shanten, and how many copies are left.

    Attributes
    ----------
    tile, left : int
    """

    tile: int
    left: int


class Waits(Answer):
    """The tiles that hands of 3k+1 tiles wait for.

    For one hand, ``len`` and iteration go over the tiles (:class:`Accepted`). For a batch,
    ``len``, indexing, slices, masks and iteration go over the hands.

    Attributes
    ----------
    shanten : int or int8[...]
    mask : int or uint64[...]
        Bit i is set if tile i is accepted, which means that it lowers the shanten.
    total : int or uint8[...]
        Copies left of all accepted tiles.
    """

    __slots__ = ("_left", "_origin", "mask", "shanten", "total")
    _fields = ("shanten", "mask", "total", "left")
    shanten: Any
    mask: Any
    total: Any
    _left: npt.NDArray[np.uint8] | None
    _origin: Origin

    def __init__(self, shanten: Any, mask: Any, total: Any, origin: Origin) -> None:
        self._set(shanten=shanten, mask=mask, total=total, _origin=origin, _left=None)

    @property
    def tiles(self) -> npt.NDArray[np.bool_]:
        """``bool[..., 34]`` (or 27): which tiles are accepted."""
        return tiles_of(self.mask, self._origin.width)

    @property
    def left(self) -> npt.NDArray[np.uint8]:
        """``uint8[..., 34]`` (or 27): copies left of each accepted tile, 0 of others.

        Computed on first access from the array that you passed: do not change it before.
        """
        if self._left is None:
            left = self._origin.left(self.tiles)
            if not np.array_equal(left.sum(axis=-1), self.total):
                raise EvaluatorError(Code.ARRAY_CHANGED, query="waits")
            self._set(_left=left)
        assert self._left is not None
        return self._left

    def _accepted(self) -> list[Accepted]:
        tiles = np.flatnonzero(self.tiles).tolist()
        return [Accepted(tile, int(self.left[tile])) for tile in tiles]

    @property
    def _one(self) -> bool:
        return isinstance(self.mask, int)

    def __len__(self) -> int:
        return len(self._accepted()) if self._one else len(self.mask)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._accepted()) if self._one else (self[row] for row in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        if self._one:
            return self._accepted()[index]
        shanten, mask, total = self.shanten[index], self.mask[index], self.total[index]
        if np.ndim(shanten) == 0:
            shanten, mask, total = int(shanten), int(mask), int(total)
        return Waits(shanten, mask, total, self._origin.at(index))

    def __repr__(self) -> str:
        if isinstance(self.mask, int):
            names = " ".join(NAMES[i] for i in range(len(NAMES)) if self.mask >> i & 1)
            return f"<Waits: shanten {self.shanten}, {names or 'nothing'}, {self.total} left>"
        return f"<Waits of shape {np.shape(self.mask)}>"


class Candidate(NamedTuple):
    """A possible discard, and the hand after it.

    Attributes
    ----------
    tile, shanten : int
    tiles : tuple of int
        Tiles that lower the shanten after the discard.
    left : int
        Copies left of these tiles.
    """

    tile: int
    shanten: int
    tiles: tuple[int, ...]
    left: int


class Discards(Answer):
    """The hands that are left after each possible discard of a hand of 3k+2 tiles.

    For one hand, ``len``, indexing and iteration go over its tiles as :class:`Candidate`, the
    best discard first (:meth:`best`). For a batch they go over the hands.

    Attributes
    ----------
    shanten : int8[..., 34] (or 27)
        Shanten after the discard of each tile; 127 = the tile is not held.
    mask : uint64[..., 34]
        Bit i is set if tile i lowers the shanten after the discard.
    left : uint8[..., 34]
        Copies left of the accepted tiles.
    """

    __slots__ = ("_origin", "left", "mask", "shanten")
    _fields = ("shanten", "mask", "left")
    shanten: npt.NDArray[np.int8]
    mask: npt.NDArray[np.uint64]
    left: npt.NDArray[np.uint8]
    _origin: Origin

    def __init__(
        self,
        shanten: npt.NDArray[np.int8],
        mask: npt.NDArray[np.uint64],
        left: npt.NDArray[np.uint8],
        origin: Origin,
    ) -> None:
        self._set(shanten=shanten, mask=mask, left=left, _origin=origin)

    @property
    def tiles(self) -> npt.NDArray[np.bool_]:
        """``bool[..., 34, 34]``: for each discard, the tiles that lower the shanten after it."""
        return tiles_of(self.mask, self._origin.width)

    def _worth(self) -> npt.NDArray[np.int16]:
        """Lower shanten first, then more copies left; −1 of what is not held."""
        held = self._origin.held() & (self.shanten != INVALID)
        if ((self.shanten != UNREACHABLE) & (self.shanten != INVALID) & ~held).any():
            raise EvaluatorError(Code.ARRAY_CHANGED, query="discards")
        # 127 - shanten in the high bits, copies in the low
        worth = (UNREACHABLE - self.shanten.astype(np.int16)) * 256 + self.left
        return np.where(held, worth, np.int16(-1))

    def best(self) -> Any:
        """The discard with the lowest shanten, then most copies left, then the lowest tile.

        Returns
        -------
        int or ndarray of int8
            The tile; −1 for a row that was marked or that holds only wild tiles.
        """
        worth = self._worth()
        tile = np.where((worth >= 0).any(axis=-1), worth.argmax(axis=-1), -1).astype(np.int8)
        return int(tile) if tile.ndim == 0 else tile

    def _ranked(self) -> list[Candidate]:
        worth = self._worth()
        order = [int(tile) for tile in np.argsort(-worth, kind="stable") if worth[tile] >= 0]
        width = self._origin.width
        return [
            Candidate(
                tile,
                int(self.shanten[tile]),
                tuple(t for t in range(width) if int(self.mask[tile]) >> t & 1),
                int(self.left[tile]),
            )
            for tile in order
        ]

    @property
    def _one(self) -> bool:
        return self.shanten.ndim == 1

    def __len__(self) -> int:
        return len(self._ranked()) if self._one else len(self.shanten)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._ranked()) if self._one else (self[row] for row in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        if self._one:
            return self._ranked()[index]
        origin = self._origin.at(index)
        return Discards(self.shanten[index], self.mask[index], self.left[index], origin)

    def __repr__(self) -> str:
        if not self._one:
            return f"<Discards of shape {self.shanten.shape[:-1]}>"
        best = self.best()
        if best < 0:
            return "<Discards: no hand>"
        return (
            f"<Discards: best {NAMES[best]}, shanten {self.shanten[best]}, {self.left[best]} left>"
        )


def tiles_of(mask: Any, width: int) -> npt.NDArray[np.bool_]:
    """``bool[..., width]``: the bits of masks of tiles."""
    words = np.asarray(mask, np.uint64)
    shifts = np.arange(width, dtype=np.uint64)
    return (words[..., None] >> shifts & np.uint64(1)).astype(np.bool_)
