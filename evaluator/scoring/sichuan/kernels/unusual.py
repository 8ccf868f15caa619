"""Rows of a game with patterns: what cannot be, and hands as whole numbers.

For hands that the quick path of ``sichuan`` leaves: wrong ones, hands with wild tiles, and
rule sets that need every division.
"""

from __future__ import annotations

import numpy as np

from ....engine.jit import helper, inline
from ....engine.vector import load_64, low_bit
from ....errors import Reason
from ....shape.kernels.divide import STEPS
from ....shape.kernels.melds import (
    FULL,
    KONGS_SHIFT,
    MELD_SIZE,
    SETS_FIELD,
    SETS_SHIFT,
    WIN_SHIFT,
)
from ....shape.kernels.rows import (
    BYTE,
    CHOW_MELDS,
    FIFTH_COPY,
    KIND_COUNT,
    KINDS,
    MOST_WILDS,
    NO_TILE,
    SUITED,
    WILD_COUNT,
    WILD_NEXT,
    WILD_OWN_SUIT,
    knob,
    kong_tiles,
    lay_tiles,
    turned_wild,
    wilds_in_melds,
)
from ....shape.kernels.suits import ONE, ZERO, U
from ...kernels.checks import (
    IMPOSSIBLE_FLAGS,
    MOST_FLOWERS,
    OPEN_FIELD,
    ROW_SIZE,
    WIND_SHIFT,
    flags_cannot_be,
)
from .readings import (
    EARTHLY_ON_DISCARD,
    INDICATOR_PUNG,
    MELDS,
    MOST_DIVISIONS,
    NATURAL_GENS,
    OF_WIN_TILE,
    WILD_FAN,
)
from .wild_tiles import (
    ANY_GENS,
    COUNTED_SHIFT,
    LACKS_AT,
    MOST_WAYS,
)

OK, NOT_A_WIN, BAD_SIZE, TOO_MANY_SUITS = (
    U(Reason[name]) for name in ("OK", "NOT_A_WIN", "BAD_SIZE", "TOO_MANY_SUITS")
)
KONGS_FIELD = U(7)
MOST_KNOWN = 1 << 15  # suits of which it is known how wild tiles fill them: 2.4 MB
SUMS_AT = U(48)  # in a row of a meld
CHOW = ONE << U(10)  # among what melds lack: not all are pungs
UNUSUAL = BYTE  # no Reason: a row that is not answered yet


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
