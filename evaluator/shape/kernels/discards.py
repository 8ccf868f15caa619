"""For each tile of a hand of 3k+2: what the hand is after its discard."""

from __future__ import annotations

import numpy as np

from ...engine.jit import helper, inline, kernel
from ...engine.vector import bit_count, low_bit
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

NOT_HELD = 127


# a hand's record: codes and table entries of its suits, the classes of each two suits
# together, where its number of sets begins in ``column``, its size. One array, because a
# loop over many arrays keeps their addresses on the stack.
RECORD = 16
ENTRIES, BASE, SIZE = 4, 14, 15
PAIR_OF = {(0, 1): 8, (0, 2): 9, (0, 3): 10, (1, 2): 11, (1, 3): 12, (2, 3): 13}
# for a discard from suit s: the other three suits, and where their rest beside s is
OTHERS = tuple(
    tuple((q, PAIR_OF[tuple(sorted({0, 1, 2, 3} - {s, q}))]) for q in range(4) if q != s)
    for s in range(4)
)
ITEMS = 14 * BLOCK


@inline
def write_records(arena, entry, words, records):
    """The record of each hand of a block; returns the sizes that occur, a bit each."""
    seen = ZERO
    for h in range(BLOCK):
        size = size_of(words, h, ZERO)
        seen |= ONE << size
        row = records[RECORD * h : RECORD * h + RECORD]
        wa, wb = words[4 * h] & CODE, words[4 * h + 1] & CODE
        wc, wd = words[4 * h + 2] & CODE, words[4 * h + 3] & CODE
        ea, eb, ec, ed = U(entry[wa]), U(entry[wb]), U(entry[wc]), U(entry[wd])
        a, b, c, d = ea >> U(24), eb >> U(24), ec >> U(24), ed >> U(24)
        row[0], row[1], row[2], row[3] = wa, wb, wc, wd
        row[4], row[5], row[6], row[7] = ea, eb, ec, ed
        row[8], row[9], row[10] = merge(arena, a, b), merge(arena, a, c), merge(arena, a, d)
        row[11], row[12], row[13] = merge(arena, b, c), merge(arena, b, d), merge(arena, c, d)
        row[14] = sets_of(size) << U(16)
        row[15] = size
    return seen


@inline
def list_tiles(m1, suit, count, found, of_hand, of_tile):
    """Add the different tiles of one suit of a block to the list; returns its length.

    Without a branch: how many a hand has is not foreseen.
    """
    for h in range(count):
        held = m1[h] >> U(9 * suit)
        for j in range(9 if suit < 3 else 7):
            of_hand[found] = h
            of_tile[found] = 9 * suit + j
            found += held >> U(j) & ONE
    return found


@inline
def suit_discards(tables, records, suit, first, last, of_hand, of_tile, best, accepted):
    """The standard form after each listed discard from one suit."""
    arena, entry, column, mask = tables
    (q1, p1), (q2, p2), (q3, p3) = OTHERS[suit]
    for i in range(first, last):
        at = U(RECORD) * U(of_hand[i])
        own = U(entry[U(records[at + U(suit)]) - POWERS[of_tile[i]]])
        e1 = U(records[at + U(ENTRIES + q1)])
        e2 = U(records[at + U(ENTRIES + q2)])
        e3 = U(records[at + U(ENTRIES + q3)])
        r1, r2, r3 = (
            U(records[at + U(p1)]),
            U(records[at + U(p2)]),
            U(records[at + U(p3)]),
        )
        base = U(records[at + U(BASE)])
        k = own >> U(24)
        beside = merge(arena, e1 >> U(24), r1)
        best[i] = final(arena, base >> U(16), k, beside)
        x = U(column[base | (k << U(8)) | beside])
        x1 = U(column[base | (e1 >> U(24) << U(8)) | merge(arena, k, r1)])
        x2 = U(column[base | (e2 >> U(24) << U(8)) | merge(arena, k, r2)])
        x3 = U(column[base | (e3 >> U(24) << U(8)) | merge(arena, k, r3)])
        accepted[i] = (
            (U(mask[(own & ROW) + x]) << U(9 * suit))
            | (U(mask[(e1 & ROW) + x1]) << U(9 * q1))
            | (U(mask[(e2 & ROW) + x2]) << U(9 * q2))
            | (U(mask[(e3 & ROW) + x3]) << U(9 * q3))
        )


@inline
def without_one(tile, m1, m2, m3):
    """The first two masks of a hand after one of a tile is gone."""
    gone = ONE << U(tile)
    return m1 & ~(gone & ~m2), m2 & ~(gone & ~m3)


@helper
def special_discards(forms, found, of_levels, of_tile, full, best, accepted):
    """Join different pairs and orphans to the answers of the listed discards."""
    m1, m2, m3 = of_levels[0], of_levels[1], of_levels[2]
    if forms & SEVEN_DIFFERENT:
        for i in range(found):
            n1, n2 = without_one(of_tile[i], m1[i], m2[i], m3[i])
            distance = different_distance(n1, n2) - 1
            distance = np.int8(distance if full[i] else UNREACHABLE)
            more = different_accepts(n1, n2) if distance <= best[i] else ZERO
            accepted[i] = more | (accepted[i] if distance >= best[i] else ZERO)
            best[i] = min(best[i], distance)
    if forms & THIRTEEN_ORPHANS:
        for i in range(found):
            n1, n2 = without_one(of_tile[i], m1[i], m2[i], m3[i])
            distance = orphans_distance(n1, n2) - 1
            distance = np.int8(distance if full[i] else UNREACHABLE)
            more = orphans_accepts(n1, n2) if distance <= best[i] else ZERO
            accepted[i] = more | (accepted[i] if distance >= best[i] else ZERO)
            best[i] = min(best[i], distance)


@helper
def count_copies(found, of_levels, game, best, accepted, copies):
    """Copies left of what is accepted, of tiles of the game."""
    m1, m2, m3, m4 = of_levels[0], of_levels[1], of_levels[2], of_levels[3]
    for i in range(found):
        wanted = ZERO if best[i] == UNREACHABLE else accepted[i] & game
        accepted[i] = wanted
        copies[i] = copies_left(wanted, m1[i], m2[i], m3[i]) - bit_count(wanted & m4[i])


@kernel
def discards_plain(address, kinds, n, forms, arena, accept, shanten, masks_out, left):
    """Discards of ``n`` hands, PLAIN_FORMS only.

    address, kinds, accept : as for ``waits_plain``
    shanten : int8[n, kinds], masks_out : uint64[n, kinds], left : uint8[n, kinds], out:
        NOT_HELD, 0 and 0 for tiles that are not held
    returns : index of the first hand that is not of 3k+2 tiles, or -1

    The different tiles of a block are listed suit by suit and answered in long loops: a
    loop a hand would end unforeseen by the processor each time.
    """
    entry, column, mask = accept
    tables = (arena, entry, column, mask)
    words = np.empty(4 * BLOCK, np.uint64)
    levels = np.empty((4, BLOCK), np.uint64)
    m1 = levels[0]
    records = np.empty(RECORD * BLOCK, np.uint32)
    of_hand, of_tile = np.empty(ITEMS + 1, np.uint8), np.empty(ITEMS + 1, np.uint8)
    best, accepted = np.empty(ITEMS, np.int8), np.empty(ITEMS, np.uint64)
    copies, full = np.empty(ITEMS, np.uint8), np.empty(ITEMS, np.bool_)
    of_levels = np.empty((4, ITEMS), np.uint64)
    game = (ONE << kinds) - ONE
    width = np.int64(kinds)
    flat_shanten, flat_masks = shanten.reshape(-1), masks_out.reshape(-1)
    flat_left = left.reshape(-1)
    first_bad = np.int64(-1)
    start = np.int64(0)
    while start < n:
        count = read_counts(address, kinds, n, start, words, levels)
        seen = write_records(arena, entry, words, records)
        if seen & ~COMPLETE_SIZES:
            for h in range(count):
                if not COMPLETE_SIZES >> U(records[RECORD * h + SIZE]) & ONE:
                    m1[h] = ZERO  # lists nothing
        found_m = list_tiles(m1, 0, count, U(0), of_hand, of_tile)
        found_p = list_tiles(m1, 1, count, found_m, of_hand, of_tile)
        found_s = list_tiles(m1, 2, count, found_p, of_hand, of_tile)
        found = list_tiles(m1, 3, count, found_s, of_hand, of_tile)
        if forms & STANDARD:
            suit_discards(tables, records, 0, U(0), found_m, of_hand, of_tile, best, accepted)
            suit_discards(tables, records, 1, found_m, found_p, of_hand, of_tile, best, accepted)
            suit_discards(tables, records, 2, found_p, found_s, of_hand, of_tile, best, accepted)
            suit_discards(tables, records, 3, found_s, found, of_hand, of_tile, best, accepted)
        else:
            best[:] = UNREACHABLE
            accepted[:] = ZERO
        for i in range(found):
            h = U(of_hand[i])
            for level in range(4):
                of_levels[level, i] = levels[level, h]
            full[i] = records[U(RECORD) * h + U(SIZE)] == 14
        special_discards(forms, found, of_levels, of_tile, full, best, accepted)
        count_copies(found, of_levels, game, best, accepted, copies)
        flat_shanten[start * width : (start + count) * width] = NOT_HELD
        flat_masks[start * width : (start + count) * width] = ZERO
        flat_left[start * width : (start + count) * width] = 0
        if seen & ~COMPLETE_SIZES:
            for h in range(count):
                if not COMPLETE_SIZES >> U(records[RECORD * h + SIZE]) & ONE:
                    shanten[start + h] = INVALID
                    first_bad = start + h if first_bad < 0 else first_bad
        row = U(start) * kinds
        for i in range(found):
            place = row + U(of_hand[i]) * kinds + U(of_tile[i])
            flat_shanten[place] = best[i]
            flat_masks[place] = accepted[i]
            flat_left[place] = copies[i]
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
