"""Melds in kernels: copies of a tile in them, and what their rows add up to."""

from __future__ import annotations

from ...engine.jit import helper, inline
from ...engine.vector import load_8, own_tiles
from .. import layout
from .suits import ZERO, U

TWO, THREE, FOUR, FIVE, EIGHT, SIXTEEN = U(2), U(3), U(4), U(5), U(8), U(16)
FULL, MELD_SIZE = U(14), U(3)

ROW_SIZE = U(layout.ROW)
SETS_SHIFT, SETS_FIELD = U(layout.SETS_SHIFT), U(0b1111)
WIN_SHIFT, WIN_FIELD = U(layout.WIN_SHIFT), U(layout.WIN_FIELD)
PUNGS_SHIFT, PUNGS_FIELD = U(layout.PUNGS_SHIFT), U(layout.PUNGS_FIELD)
KONGS_SHIFT = U(layout.KONGS_SHIFT)


@helper
def copies_in_melds(meld_rows, melds, win):
    """Copies of a tile in melds."""
    copies = ZERO
    for slot in range(4):
        number = (melds >> U(8 * slot)) & U(255)
        copies += load_8(meld_rows + ROW_SIZE * number + win)
    return copies


@helper
def natural_in_melds(meld_rows, melds, meld_wilds, tile):
    """The same without the wild tiles in them."""
    copies = ZERO
    for slot in range(4):
        number = (melds >> U(8 * slot)) & U(255)
        held = load_8(meld_rows + ROW_SIZE * number + tile)
        copies += held - min(held, (meld_wilds >> U(8 * slot)) & U(255))
    return copies


@inline
def wilds_fit(meld, wilds):
    """Whether so many tiles of a meld can be wild: not of a chow, and one is natural."""
    if wilds == ZERO:
        return True
    return meld >= U(layout.FIRST_PUNG) and wilds <= (
        TWO if meld < U(layout.FIRST_PUNG + 34) else THREE
    )


@inline
def with_melds(rows, hand, melds):
    """``own_tiles`` of a hand and its four meld ids."""
    byte = U(255)
    return own_tiles(
        hand,
        rows + ROW_SIZE * (melds & byte),
        rows + ROW_SIZE * ((melds >> U(8)) & byte),
        rows + ROW_SIZE * ((melds >> U(16)) & byte),
        rows + ROW_SIZE * ((melds >> U(24)) & byte),
    )
