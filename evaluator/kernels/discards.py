"""For each tile of a hand of 3k+2: what the hand is after its discard."""

from __future__ import annotations

import numpy as np

from ..jit import inline, kernel
from .forms import (
    ROW,
    copies_left,
    different_accepts,
    different_distance,
    hand_accepts,
    orphans_accepts,
    orphans_distance,
)
from .suits import (
    ALL_TILES,
    BLOCK,
    CODE,
    COMPLETE_SIZES,
    INVALID,
    ONE,
    POWERS,
    SEVEN_DIFFERENT,
    STANDARD,
    THIRTEEN_ORPHANS,
    UNREACHABLE,
    ZERO,
    U,
    final,
    merge,
    read_counts,
    sets_of,
    size_in_game,
    size_of,
    take,
)
from .vector import bit_count, low_bit

NOT_HELD = 127


@inline
def special_accepts(forms, m1, m2, shanten, accepted):
    """Join different pairs and orphans to the answer of one full hand."""
    if forms & SEVEN_DIFFERENT:
        distance = different_distance(m1, m2) - 1
        if distance <= shanten:
            accepted = different_accepts(m1, m2) | (accepted if distance == shanten else ZERO)
            shanten = distance
    if forms & THIRTEEN_ORPHANS:
        distance = orphans_distance(m1, m2) - 1
        if distance <= shanten:
            accepted = orphans_accepts(m1, m2) | (accepted if distance == shanten else ZERO)
            shanten = distance
    return shanten, accepted


@inline
def suit_discards(tables, sets, forms, suit, code, others, levels, full, shanten, masks, left):
    """Every discard from one suit of a hand, without wilds or void suits.

    code : of the suit; others : for each of the other three its (row, class, class of
    the two that remain beside this suit, its first tile)
    levels : (m1, m2, m3, m4) of the hand; full : the hand has 14 tiles
    shanten, masks, left : the answer's row, out
    """
    arena, (entry, column, mask) = tables
    m1, m2, m3, m4 = levels
    (row1, class1, rest1, at1), (row2, class2, rest2, at2), (row3, class3, rest3, at3) = others
    first = U(9 * suit)
    beside = merge(arena, class1, rest1)
    base = sets << U(16)
    held = m1 & (U(0b111111111) << first) & ALL_TILES
    game = (ONE << U(len(masks))) - ONE
    while held:
        tile = low_bit(held)
        held &= held - ONE
        found = U(entry[code - POWERS[tile]])
        own = found >> U(24)
        best = final(arena, sets, own, beside)
        accepted = U(mask[(found & ROW) + U(column[base | (own << U(8)) | beside])]) << first
        x1 = U(column[base | (class1 << U(8)) | merge(arena, own, rest1)])
        x2 = U(column[base | (class2 << U(8)) | merge(arena, own, rest2)])
        x3 = U(column[base | (class3 << U(8)) | merge(arena, own, rest3)])
        accepted |= U(mask[row1 + x1]) << at1
        accepted |= U(mask[row2 + x2]) << at2
        accepted |= U(mask[row3 + x3]) << at3
        if not forms & STANDARD:
            best, accepted = np.int64(UNREACHABLE), ZERO
        if full:
            gone = ONE << tile
            n1 = m1 & ~(gone & ~m2)
            n2 = m2 & ~(gone & ~m3)
            best, accepted = special_accepts(forms, n1, n2, best, accepted)
        accepted = ZERO if best == UNREACHABLE else accepted & game
        shanten[tile] = best
        masks[tile] = accepted
        left[tile] = copies_left(accepted, m1, m2, m3) - bit_count(accepted & m4)


@kernel
def discards_plain(address, kinds, n, forms, arena, accept, shanten, masks_out, left):
    """Discards of ``n`` hands, PLAIN_FORMS only.

    address, kinds, accept : as for ``waits_plain``
    shanten : int8[n, kinds], masks_out : uint64[n, kinds], left : uint8[n, kinds], out:
        NOT_HELD, 0 and 0 for tiles that are not held
    returns : index of the first hand that is not of 3k+2 tiles, or -1
    """
    entry = accept[0]
    tables = (arena, accept)
    words = np.empty(4 * BLOCK, np.uint64)
    levels = np.empty((4, BLOCK), np.uint64)
    l1, l2, l3, l4 = levels[0], levels[1], levels[2], levels[3]
    first_bad = np.int64(-1)
    start = np.int64(0)
    at_a, at_b, at_c, at_d = U(0), U(9), U(18), U(27)
    while start < n:
        count = read_counts(address, kinds, n, start, words, levels)
        for h in range(count):
            of_hand = shanten[start + h]
            of_mask = masks_out[start + h]
            of_left = left[start + h]
            of_hand[:] = NOT_HELD
            of_mask[:] = ZERO
            of_left[:] = 0
            size = size_of(words, h, ZERO)
            if not COMPLETE_SIZES >> size & ONE:
                of_hand[:] = INVALID
                first_bad = start + h if first_bad < 0 else first_bad
                continue
            sets = sets_of(size)
            full = size == U(14)
            of_levels = (l1[h], l2[h], l3[h], l4[h])
            a, b = words[4 * h] & CODE, words[4 * h + 1] & CODE
            c, d = words[4 * h + 2] & CODE, words[4 * h + 3] & CODE
            ea, eb, ec, ed = U(entry[a]), U(entry[b]), U(entry[c]), U(entry[d])
            ka, kb, kc, kd = ea >> U(24), eb >> U(24), ec >> U(24), ed >> U(24)
            ea, eb, ec, ed = ea & ROW, eb & ROW, ec & ROW, ed & ROW
            ab, ac, ad = merge(arena, ka, kb), merge(arena, ka, kc), merge(arena, ka, kd)
            bc, bd, cd = merge(arena, kb, kc), merge(arena, kb, kd), merge(arena, kc, kd)
            others = ((eb, kb, cd, at_b), (ec, kc, bd, at_c), (ed, kd, bc, at_d))
            suit_discards(
                tables, sets, forms, 0, a, others, of_levels, full, of_hand, of_mask, of_left
            )
            others = ((ea, ka, cd, at_a), (ec, kc, ad, at_c), (ed, kd, ac, at_d))
            suit_discards(
                tables, sets, forms, 1, b, others, of_levels, full, of_hand, of_mask, of_left
            )
            others = ((ea, ka, bd, at_a), (eb, kb, ad, at_b), (ed, kd, ab, at_d))
            suit_discards(
                tables, sets, forms, 2, c, others, of_levels, full, of_hand, of_mask, of_left
            )
            others = ((ea, ka, bc, at_a), (eb, kb, ac, at_b), (ec, kc, ab, at_c))
            suit_discards(
                tables, sets, forms, 3, d, others, of_levels, full, of_hand, of_mask, of_left
            )
        start += count
    return first_bad


@kernel
def discards(address, kinds, n, wilds, voids, forms, game, arena, accept, shanten, masks_out, left):
    """Discards of ``n`` hands, every form: the hand after each discard, one by one.

    wilds, voids : uint8[n] or uint8[1] for all; game : uint64, bits of the tiles
        played with. The rest as for ``discards_plain``
    """
    words = np.empty(4 * BLOCK, np.uint64)
    levels = np.empty((4, BLOCK), np.uint64)
    l1, l2, l3, l4 = levels[0], levels[1], levels[2], levels[3]
    block_wilds, block_voids = np.empty(BLOCK, np.uint8), np.empty(BLOCK, np.uint8)
    first_bad = np.int64(-1)
    start = np.int64(0)
    while start < n:
        count = read_counts(address, kinds, n, start, words, levels)
        take(wilds, start, count, block_wilds)
        take(voids, start, count, block_voids)
        for h in range(count):
            of_hand, of_mask, of_left = shanten[start + h], masks_out[start + h], left[start + h]
            of_hand[:] = NOT_HELD
            of_mask[:] = ZERO
            of_left[:] = 0
            size = size_in_game(words, h, U(block_wilds[h]), l1[h] & ~game)
            if not COMPLETE_SIZES >> size & ONE:
                of_hand[:] = INVALID
                first_bad = start + h if first_bad < 0 else first_bad
                continue
            m1, m2, m3, m4 = l1[h], l2[h], l3[h], l4[h]
            held = m1
            while held:
                tile = low_bit(held)
                held &= held - ONE
                gone, step = ONE << tile, POWERS[tile]
                a, b = words[4 * h] & CODE, words[4 * h + 1] & CODE
                c, d = words[4 * h + 2] & CODE, words[4 * h + 3] & CODE
                if tile < U(9):
                    a -= step
                elif tile < U(18):
                    b -= step
                elif tile < U(27):
                    c -= step
                else:
                    d -= step
                after = (
                    m1 & ~(gone & ~m2),
                    m2 & ~(gone & ~m3),
                    m3 & ~(gone & ~m4),
                    m4 & ~gone,
                )
                distance, accepted = hand_accepts(
                    arena,
                    accept,
                    (a, b, c),
                    d,
                    after,
                    size - ONE,
                    forms,
                    np.int64(block_voids[h]),
                )
                if distance != UNREACHABLE:
                    distance -= 1 + np.int64(block_wilds[h])
                accepted &= game
                of_hand[tile] = distance
                of_mask[tile] = accepted
                of_left[tile] = copies_left(accepted, m1, m2, m3) - bit_count(accepted & m4)
        start += count
    return first_bad
