"""Rows of a game with patterns: what cannot be, and hands as whole numbers.

For hands that the quick path of ``sichuan`` leaves: wrong ones, hands with wild tiles, and
rule sets that need every division.
"""

from __future__ import annotations

import numpy as np

from ..errors import Reason
from ..jit import helper, inline
from .divide import STEPS
from .readings import (
    CHOW_MELDS,
    EARTHLY_ON_DISCARD,
    FIFTH_COPY,
    INDICATOR_PUNG,
    KINDS,
    MELDS,
    MOST_DIVISIONS,
    NATURAL_GENS,
    OF_WIN_TILE,
    WILD_COUNT,
    WILD_FAN,
    WILD_NEXT,
    WILD_OWN_SUIT,
    knob,
)  # fmt: skip
from .rows import (
    IMPOSSIBLE_FLAGS,
    MELD_IDS,
    MOST_FLOWERS,
    NO_TILE,
    OPEN_FIELD,
    ROW_SIZE,
    WIND_SHIFT,
    flags_cannot_be,
    wilds_fit,
)
from .substitutes import ANY_GENS, COUNTED_SHIFT, LACKS_AT, MOST_WAYS, MOST_WILDS
from .suits import ONE, ZERO, U
from .vector import load_8, load_16, load_32, load_64, low_bit
from .worth import FOUR, FULL, KONGS_SHIFT, MELD_SIZE, SETS_FIELD, SETS_SHIFT, WIN_SHIFT

OK, NOT_A_WIN, BAD_SIZE, TOO_MANY_SUITS = (
    U(Reason[name]) for name in ("OK", "NOT_A_WIN", "BAD_SIZE", "TOO_MANY_SUITS")
)
KONGS_FIELD, BYTE, SUITED, KIND_COUNT = U(7), U(255), U(27), U(34)
FIRST_PUNG, FIRST_KONG = U(22), U(56)
MOST_KNOWN = 1 << 15  # suits of which it is known how wild tiles fill them: 2.4 MB
SUMS_AT = U(48)  # in a row of a meld
CHOW = ONE << U(10)  # among what melds lack: not all are pungs
UNUSUAL = BYTE  # no Reason: a row that is not answered yet

# addresses of the fields of a batch of hands, 0 = not there: the default for all
(
    CONCEALED, MELD_IDS_AT, WIN_TILE, HOW, PREVALENT, SEAT, FLOWERS, WILDS, INDICATOR, MELD_WILDS,
) = range(10)  # fmt: skip
FIELDS = 10


@inline
def make_work(n):
    """Working space of ``best_reading`` for ``n`` hands."""
    slots = 64
    while slots < 8 * n and slots < MOST_KNOWN:
        slots *= 2
    return (
        np.empty((3, MOST_WILDS + 1, MOST_WAYS), np.uint64),
        np.empty((3, MOST_WILDS + 1), np.int64),
        np.empty(MOST_WILDS + 1, np.int64),
        np.empty(34, np.int64),
        np.empty((MOST_DIVISIONS, 5), np.uint8),
        np.empty((3, STEPS), np.int64),
        np.empty(34, np.int64),
        (np.zeros(slots, np.uint64), np.empty((slots, 8), np.uint64)),
    )


@inline
def byte_of(address, i, otherwise):
    """A byte of a field, or what stands for a field that is not there."""
    return load_8(address + i) if address else otherwise


@inline
def four_of(address, i):
    """Four bytes of a field, 0 where it is not there."""
    return load_32(address + FOUR * i) if address else ZERO


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


@helper
def read_row(arena, tables, hand, kinds, row, tiles):
    """(Reason why a row cannot be in this game or OK, what is known of it), in the order in
    which ``hands.Hand`` looks.

    row : of ``row_of``; tiles : of ``lay_tiles``
    known : tiles, a set as three; sums and lacks of the melds; roots without wild tiles or
        ANY_GENS; fan of the wild tiles; bits of the tiles for which a wild one stands in
        a meld
    """
    melds, meld_wilds, wilds, indicator, _, prevalent, seat, flowers, _ = row
    unknown = (ZERO, ZERO, ZERO, ANY_GENS, np.int64(0), ZERO)
    if not lay_tiles(hand, kinds, melds, meld_wilds, tiles):
        return U(Reason.BAD_MELD), unknown
    counts, melded, natural = tiles[0], tiles[1], tiles[2]
    rows = tables + MELDS
    sums, lacks, kongs = ZERO, ZERO, kong_tiles(melds)
    for slot in range(4):
        at = rows + ROW_SIZE * ((melds >> U(8 * slot)) & BYTE)
        sums += load_64(at + SUMS_AT)
        lacks |= load_64(at + LACKS_AT)
    size, most_concealed, most, honours, roots = wilds, np.int64(0), np.int64(0), False, 0
    stood_for = ZERO
    for tile in range(34):
        copies, own = counts[tile], natural[tile]
        size += U(copies)
        most_concealed, most = max(most_concealed, copies), max(most, own)
        honours |= tile >= 27 and own + melded[tile] > 0
        roots += own >= 4 and not (kongs >> U(tile)) & ONE
        stood_for |= U(own < copies + melded[tile]) << U(tile)
    total = size + MELD_SIZE * ((sums >> SETS_SHIFT) & SETS_FIELD)
    if most_concealed > 4:
        return U(Reason.COUNT_ABOVE_FOUR), unknown
    if (prevalent | seat) >> WIND_SHIFT:
        return U(Reason.BAD_WIND), unknown
    if flowers > MOST_FLOWERS:
        return U(Reason.BAD_FLOWERS), unknown
    if wilds > U(MOST_WILDS):
        return U(Reason.TOO_MANY_WILDS), unknown
    if indicator >= KIND_COUNT and indicator != NO_TILE:
        return U(Reason.NOT_IN_GAME), unknown
    if size % MELD_SIZE == ZERO or total > FULL:
        return BAD_SIZE, unknown
    if most > 4:
        return U(Reason.FIVE_COPIES), unknown
    held, wild = wilds + wilds_in_melds(meld_wilds), turned_wild(arena, indicator)
    if held > knob(arena, WILD_COUNT):
        return U(Reason.TOO_MANY_WILDS), unknown
    named = knob(arena, WILD_NEXT) and knob(arena, WILD_COUNT) and indicator != NO_TILE
    foreign = honours and knob(arena, KINDS) == SUITED
    if foreign or (named and (wild == NO_TILE or natural[wild] > 0)):
        return U(Reason.NOT_IN_GAME), unknown
    if held and knob(arena, WILD_OWN_SUIT) and indicator == NO_TILE:
        return U(Reason.NO_INDICATOR), unknown
    if named and natural[indicator] > 3:
        return U(Reason.FIVE_COPIES), unknown
    if lacks & CHOW and not knob(arena, CHOW_MELDS):
        return U(Reason.MELD_NOT_ALLOWED), unknown
    fan = np.int64(knob(arena, WILD_FAN)) if held else np.int64(0)
    if held and knob(arena, WILD_OWN_SUIT) and wild != NO_TILE:
        lacks |= ONE << (COUNTED_SHIFT + wild // U(9))
    if named and natural[indicator] == 3:
        fan += np.int64(knob(arena, INDICATOR_PUNG))
    gens = np.int64(roots) if knob(arena, NATURAL_GENS) else ANY_GENS
    return OK, (total, sums, lacks, gens, fan, stood_for)


@helper
def win_trouble(arena, row, tiles, sums):
    """The Reason why a hand cannot be won so, or OK."""
    _, _, wilds, _, flags, _, _, _, win = row
    concealed, own = ZERO, ZERO
    if win == NO_TILE:
        if knob(arena, OF_WIN_TILE) and wilds == ZERO:
            return U(Reason.NO_WIN_TILE)
    else:
        if win >= KIND_COUNT or tiles[0, win] == 0:
            return U(Reason.WIN_TILE_NOT_HELD)
        concealed, own = U(tiles[0, win]), U(tiles[2, win])
    opened, kongs = (sums >> WIN_SHIFT) & OPEN_FIELD, (sums >> KONGS_SHIFT) & KONGS_FIELD
    on_discard = knob(arena, EARTHLY_ON_DISCARD)
    wrong = flags_cannot_be(flags, own, concealed, kongs, opened, on_discard)
    return IMPOSSIBLE_FLAGS if wrong else OK


@helper
def is_fifth(arena, tiles, stood_for):
    """Whether a wild tile in a meld stands for a fifth copy, and may not."""
    if knob(arena, FIFTH_COPY):
        return False
    while stood_for:
        tile = low_bit(stood_for)
        stood_for &= stood_for - ONE
        if tiles[0, tile] + tiles[1, tile] > 4:
            return True
    return False
