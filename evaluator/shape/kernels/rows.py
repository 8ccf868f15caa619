"""Rows of hands with melds and wild tiles: where a kernel finds their fields, their tiles laid
out, and what a game says of them (:mod:`evaluator.shape.conditions`).
"""

from __future__ import annotations

import numpy as np

from ...engine.jit import helper, inline
from ...engine.vector import load_8, load_16, load_32, load_64
from ..layout import WIN_HEAD
from .melds import FOUR, wilds_fit
from .suits import ONE, ZERO, U

NO_TILE, BYTE, SUITED, KIND_COUNT = U(255), U(255), U(27), U(34)
FIRST_PUNG, FIRST_KONG, MELD_IDS = U(22), U(56), U(124)

MOST_WILDS = 8  # beside melds
SPREAD = U(0x9E3779B97F4A7C15)  # a factor that spreads keys over a table

# places in the array of addresses; 0 = the field has its default in all hands
(
    CONCEALED, MELD_IDS_AT, WIN_TILE, HOW, PREVALENT, SEAT, FLOWERS, WILDS, INDICATOR, MELD_WILDS,
) = range(10)  # fmt: skip

# numbers of the head of a game, by their place in bytes
(
    MAX_SUITS, MIN_SUITS, CHOW_MELDS, HAS_PAIRS, KINDS, REQUIRES, WILD_COUNT, WILD_NEXT,
    WILD_OWN_SUIT, FIFTH_COPY,
) = (U(8 * place) for place in range(len(WIN_HEAD)))  # fmt: skip


@inline
def knob(head, place):
    """A number of the head of a game."""
    return load_64(head + place)


@inline
def byte_of(address, i, otherwise):
    """A byte of a field, or what stands for a field that is not there."""
    return load_8(address + i) if address else otherwise


@inline
def four_of(address, i):
    """Four bytes of a field, 0 where it is not there."""
    return load_32(address + FOUR * i) if address else ZERO


@helper
def row_of(fields, kinds, i):
    """The fields of a row but its tiles: (melds, their wilds, wilds, indicator, flags,
    prevalent and seat wind, flowers, winning tile)."""
    return (
        four_of(fields[MELD_IDS_AT], i),
        four_of(fields[MELD_WILDS], i),
        byte_of(fields[WILDS], i, ZERO),
        byte_of(fields[INDICATOR], i, NO_TILE),
        load_16(fields[HOW] + (i << ONE)) if fields[HOW] else ZERO,
        byte_of(fields[PREVALENT], i, ZERO),
        byte_of(fields[SEAT], i, ZERO),
        byte_of(fields[FLOWERS], i, ZERO),
        byte_of(fields[WIN_TILE], i, NO_TILE),
    )


@inline
def wilds_in_melds(meld_wilds):
    total = meld_wilds + (meld_wilds >> U(16))
    return (total + (total >> U(8))) & BYTE


@inline
def wild_after(indicator):
    """The tile after the turned one, of the same suit."""
    rank = indicator % U(9)
    return indicator - rank + (rank + ONE) % U(9)


@inline
def turned_wild(arena, indicator):
    """The wild tile, NO_TILE where no tile of a suit was turned to name it."""
    named = knob(arena, WILD_NEXT) and knob(arena, WILD_COUNT) and indicator < SUITED
    return wild_after(indicator) if named else NO_TILE


@helper
def kong_tiles(melds):
    """Bits of the tiles of the kongs: no roots, whatever else the hand holds of them."""
    bits = ZERO
    for slot in range(4):
        number = (melds >> U(8 * slot)) & BYTE
        if number >= FIRST_KONG:
            bits |= ONE << (number - FIRST_PUNG) % KIND_COUNT
    return bits


@helper
def lay_tiles(hand, kinds, melds, meld_wilds, tiles):
    """Lay a hand out; returns whether its melds are melds.

    tiles : int64[3, 34], out: concealed; in melds, as they stand; natural ones of both
    """
    counts, melded, natural = tiles[0], tiles[1], tiles[2]
    for tile in range(34):
        copies = np.int64(load_8(hand + U(tile))) if U(tile) < kinds else 0
        counts[tile] = copies
        natural[tile] = copies
        melded[tile] = 0
    for slot in range(4):
        number = (melds >> U(8 * slot)) & BYTE
        wild = (meld_wilds >> U(8 * slot)) & BYTE
        if number >= MELD_IDS or not wilds_fit(number, wild):
            return False
        if number >= FIRST_PUNG:
            tile = np.int64((number - FIRST_PUNG) % KIND_COUNT)
            copies = 3 if number < FIRST_PUNG + KIND_COUNT else 4
            melded[tile] += copies
            natural[tile] += copies - np.int64(wild)
        elif number:
            tile = np.int64((number - ONE) // U(7) * U(9) + (number - ONE) % U(7))
            for at in range(tile, tile + 3):
                melded[at] += 1
                natural[at] += 1
    return True
