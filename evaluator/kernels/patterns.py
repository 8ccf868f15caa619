"""How far a batch is from each pattern: one kernel that interprets a plan.

A row of the plan is one way to have a pattern (:mod:`evaluator.plantables`); the kernel
takes row after row over a block of hands, so that what a row says is read once a block.
Everything is in tiles missing until the end, ``FAR`` where a way is none.

Sets of the same tile (all pungs, kongs, seven pairs) are chosen greedily: with c copies
held of a tile, the first copy of a set is there in the tiles with c >= 1, the second in
those with c >= 2 and so on, so that bit counts of the masks say how much the best tiles
hold. Other sets need the classes of suits, as shanten does.
"""

from __future__ import annotations

import numpy as np

from ..jit import helper, inline, kernel
from ..plantables import (
    ALIKE,
    BASE,
    CLASSES,
    COLUMN,
    COUNTS,
    DIVISOR,
    FACTOR,
    FAR,
    FIRST,
    GROUPS,
    KIND,
    LAST,
    LOW,
    MODULUS,
    NEEDS,
    NO_CHOWS,
    NO_PUNGS,
    OPEN,
    ORPHANS,
    PAIRS,
    PARTS,
    PROFILE,
    RECIPROCAL_SHIFT,
    RECIPROCALS,
    TABLE,
    TERMINAL_MERGE,
    TERMINAL_PROFILE,
    TERMINALS,
    TILES,
    WORD,
)
from .forms import orphans_distance
from .suits import (
    BLOCK,
    BODY_BITS,
    CODE,
    HONOUR_BITS,
    INVALID,
    NO_VOID,
    ONE,
    UNREACHABLE,
    VALID_SIZES,
    ZERO,
    U,
    final,
    merge,
    read_counts,
    sets_of,
    size_in_game,
    take,
)
from .vector import bit_count

NONE = np.int64(FAR)
B = np.uint8
PROFILES = 10  # (sets, pairs) -> 2 * sets + pairs
_SHIFT = U(RECIPROCAL_SHIFT)
_MERGE, _TERMINAL = U(TERMINAL_MERGE), U(TERMINAL_PROFILE)
FIRST_CHOW, FIRST_PUNG, FIRST_KONG, FIRST_CLOSED, MELD_IDS = U(1), U(22), U(56), U(90), U(124)
# tiles a hand may not be of, by its choice of a void suit: none is left where its melds hold it
_EVERY = (1 << 34) - 1
FORBIDDEN = np.array([0 if v >> NO_VOID & 1 else _EVERY for v in range(16)], np.uint64)
for _suit in range(3):
    FORBIDDEN[1 << _suit] = 0b111111111 << 9 * _suit


# --- what the hands of a block are ---


@inline
def lowest_tile(chow):
    """Of a meld id that is a chow."""
    return (chow - FIRST_CHOW) // U(7) * U(9) + (chow - FIRST_CHOW) % U(7)


@helper
def read_melds(melds, start, count, chows, pungs, tiles, unkonged, names):
    """What melds there are, of each hand of a block.

    melds : uint8[n, 4], meld ids
    chows : bits of lowest tiles, and OPEN; pungs : bits, kongs too; tiles : bits of both
    unkonged : pungs that are no kong
    names : a byte a meld, kongs as pungs; the first four bytes
    """
    for h in range(count):
        chow, pung, tile_bits, alone, packed = ZERO, ZERO, ZERO, ZERO, ZERO
        for place in range(4):
            meld = U(melds[start + h, place])
            if meld == ZERO or meld >= MELD_IDS:
                continue
            if meld < FIRST_PUNG:
                low = lowest_tile(meld)
                chow |= (ONE << low) | (ONE << U(OPEN))
                tile_bits |= U(0b111) << low
            else:
                chow |= (ONE << U(OPEN)) if meld < FIRST_CLOSED else ZERO
                alone += ONE if meld < FIRST_KONG else ZERO
                meld = FIRST_PUNG + (meld - FIRST_PUNG) % U(34)
                pung |= ONE << (meld - FIRST_PUNG)
                tile_bits |= ONE << (meld - FIRST_PUNG)
            packed |= meld << U(8 * place)
        chows[h], pungs[h], tiles[h] = chow, pung, tile_bits
        unkonged[h], names[h] = alone, packed


@inline
def byte_of(word, place):
    return word >> U(8 * place) & U(0xFF)


@inline
def over(code, divisor, inverse):
    """``code // divisor``; 0 where there is no divisor."""
    return (code * inverse) >> _SHIFT


@helper
def read_classes(words, parts, shape, arena, classes):
    """The class of each part of the hands of a block: ``classes[1 + part, hand]``."""
    for place in range(len(parts)):
        part = parts[place]
        word, divisor, modulus = np.int64(part[WORD]), part[DIVISOR], part[MODULUS]
        factor, low, base = part[FACTOR], part[LOW], part[BASE]
        by_divisor, by_modulus = part[RECIPROCALS], part[RECIPROCALS + 1]
        by_low = part[RECIPROCALS + 2]
        table = arena if part[TABLE] else shape
        if divisor == ONE and modulus == ZERO:  # the whole suit
            for h in range(BLOCK):
                classes[1 + place, h] = table[base + (words[4 * h + word] & CODE)]
            continue
        for h in range(BLOCK):
            code = words[4 * h + word] & CODE
            high = over(code, divisor, by_divisor)
            high -= modulus * over(high, modulus, by_modulus)
            index = base + high * factor + code - low * over(code, low, by_low)
            classes[1 + place, h] = table[index]


# --- sets of the same tile ---


@inline
def level_counts(masks, h, tiles):
    """Tiles of which the hand holds at least 1, 2, 3, 4 copies."""
    return (
        bit_count(masks[0, h] & tiles),
        bit_count(masks[1, h] & tiles),
        bit_count(masks[2, h] & tiles),
        bit_count(masks[3, h] & tiles),
    )


@helper
def read_copies(masks, counts, copies):
    """``copies[1 + place, level, hand]``: tiles of ``counts[place]`` held so often."""
    for place in range(len(counts)):
        for level in range(4):
            mask, many = masks[level], copies[1 + place, level]
            for h in range(BLOCK):
                many[h] = bit_count(mask[h] & counts[place])


@helper
def add_copies(row, copies, sums):
    """The same of all tiles of a row, into ``sums[level, hand]``."""
    a, b = copies[byte_of(row[COUNTS], 0)], copies[byte_of(row[COUNTS], 1)]
    c, d = copies[byte_of(row[COUNTS], 2)], copies[byte_of(row[COUNTS], 3)]
    for level in range(4):
        for h in range(BLOCK):
            sums[level, h] = a[level, h] + b[level, h] + c[level, h] + d[level, h]


# all in bytes, each sum cut to one: so the compiler takes 32 hands at once


@helper
def alike(row, masks, wanted, tiles_melded, unkonged, copies, sums, found):
    """All pungs; with melds to be made (third copies do not count); all kongs.

    With n sets and a pair of different tiles, the pair at the worst of the n + 1: of it
    only two copies count.
    """
    levels = row[FIRST]
    third, fourth = B(levels >> U(3) & ONE), B(levels >> U(4) & ONE)
    kongs, size = third & fourth, B(B(2) + third + fourth)
    kinds = B(bit_count(row[TILES]))
    add_copies(row, copies, sums)
    for h in range(BLOCK):
        n, more = wanted[h], B(wanted[h] + B(1))
        held = B(min(more, sums[0, h]) + min(more, sums[1, h]))
        held = B(held + B(third * min(n, sums[2, h])) + B(fourth * min(n, sums[3, h])))
        missing = B(B(size * n) + B(2) - held + B(kongs * unkonged[h]))
        found[h] = missing if more <= kinds else B(FAR)
    if row[GROUPS] != ZERO:
        for h in range(BLOCK):
            missing = alike_of_each(
                row, masks, h, U(wanted[h]), tiles_melded[h], U(third), U(fourth)
            )
            found[h] = min(missing + np.int64(kongs * unkonged[h]), NONE)


@helper
def alike_of_each(row, masks, h, wanted, melded, third, fourth):
    """The same with at least one set or the pair of each group that no meld is of."""
    a, b, c, d = level_counts(masks, h, row[TILES])
    fixed_a, fixed_b, fixed_c, fixed_d, groups = ZERO, ZERO, ZERO, ZERO, ZERO
    for place in range(np.int64(row[GROUPS])):
        group = row[NEEDS + place]
        if melded & group:
            continue
        # of each group its best tile
        groups += ONE
        i, j, k, q = level_counts(masks, h, group)
        fixed_a += min(i, ONE)
        fixed_b += min(j, ONE)
        fixed_c += min(k, ONE)
        fixed_d += min(q, ONE)
    if groups > wanted + ONE or wanted + ONE > bit_count(row[TILES]):
        return NONE
    free = wanted + ONE - groups
    held = fixed_a + min(free, a - fixed_a) + fixed_b + min(free, b - fixed_b)
    held += third * min(wanted, fixed_c + min(free, c - fixed_c))
    held += fourth * min(wanted, fixed_d + min(free, d - fixed_d))
    return np.int64((U(2) + third + fourth) * wanted + U(2) - held)


@inline
def pairs_and_singles(counts):
    a, b, c, d = counts
    return b + d, (a - b) + (c - d)


@inline
def pairs_missing(pairs, singles, held, free):
    """Tiles missing of seven pairs: ``held`` in those that are fixed, ``free`` others."""
    pairs = min(pairs, free)
    return np.int64(U(14) - held - U(2) * pairs - min(singles, free - pairs))


@inline
def best_copies(masks, h, tiles):
    """Copies of the tile that is held most."""
    return (
        U(masks[0, h] & tiles != ZERO)
        + U(masks[1, h] & tiles != ZERO)
        + U(masks[2, h] & tiles != ZERO)
        + U(masks[3, h] & tiles != ZERO)
    )


@helper
def pairs(row, masks, sizes, copies, sums, found):
    """Seven pairs; with a quad, which is best where most copies are."""
    quad = B(row[FIRST])
    free = B(B(7) - B(2) * quad)
    add_copies(row, copies, sums)
    for h in range(BLOCK):
        a, b, c, d = sums[0, h], sums[1, h], sums[2, h], sums[3, h]
        most = B(quad * B(min(a, B(1)) + min(b, B(1)) + min(c, B(1)) + min(d, B(1))))
        two = min(B(b + d - (most >> B(1))), free)
        one = min(B(a - b + c - d - (most & B(1))), B(free - two))
        missing = B(B(14) - most - two - two - one)
        found[h] = missing if sizes[h] >= B(13) else B(FAR)
    if row[GROUPS] != ZERO:
        for h in range(BLOCK):
            found[h] = pairs_of_each(row, masks, h) if sizes[h] >= 13 else NONE


@helper
def pairs_of_each(row, masks, h):
    """Seven pairs, at least one of each group; the quad is in one of them or in none."""
    groups = np.int64(row[GROUPS])
    all_two, all_one = pairs_and_singles(level_counts(masks, h, row[TILES]))
    best = NONE
    rest = row[TILES]
    for place in range(groups):
        rest &= ~row[NEEDS + place]
    for chosen in range(groups + 1):
        if row[FIRST] == ZERO and chosen < groups:
            continue
        two, one, held, free = all_two, all_one, ZERO, U(7)
        if row[FIRST] != ZERO:
            tiles = row[NEEDS + chosen] if chosen < groups else rest
            if tiles == ZERO:
                continue
            held = best_copies(masks, h, tiles)
            two -= held >> U(1)
            one -= held & ONE
            free = U(5)
        enough = True
        for place in range(groups):
            if row[FIRST] != ZERO and place == chosen:
                continue
            enough &= free > ZERO
            free -= ONE if free > ZERO else ZERO
            copies = min(best_copies(masks, h, row[NEEDS + place]), U(2))
            held += copies
            two -= copies >> U(1)
            one -= copies & ONE
        if enough:
            best = min(best, pairs_missing(two, one, held, free))
    return best


@helper
def knitted(row, m1, sizes, found):
    """Fourteen different tiles: so many at most of a knitted pattern, so many honours."""
    for h in range(BLOCK):
        most = ZERO
        for i in range(6):
            most = max(most, bit_count(m1[h] & BODY_BITS[i]))
        held = min(most, row[FIRST]) + min(bit_count(m1[h] & HONOUR_BITS), row[LAST])
        found[h] = 14 - np.int64(min(held, U(14))) if sizes[h] >= 13 else NONE


# --- sets of suits ---


@helper
def of_classes(row, shape, classes, wanted, found):
    """Sets and a pair of parts whose classes are those of shanten."""
    parts = row[FIRST]
    a, b = classes[byte_of(parts, 0)], classes[byte_of(parts, 1)]
    c, d = classes[byte_of(parts, 2)], classes[byte_of(parts, 3)]
    if parts >> U(8) == ZERO:
        for h in range(BLOCK):
            found[h] = final(shape, U(wanted[h]), U(a[h]), ZERO) + 1
        return
    if parts >> U(16) == ZERO:
        for h in range(BLOCK):
            found[h] = final(shape, U(wanted[h]), U(a[h]), U(b[h])) + 1
        return
    for h in range(BLOCK):
        left, right = merge(shape, U(a[h]), U(b[h])), merge(shape, U(c[h]), U(d[h]))
        found[h] = final(shape, U(wanted[h]), left, right) + 1


@inline
def merge_terminals(arena, a, b):
    return U(arena[_MERGE + ((a << U(8)) | b)])


@inline
def terminal_missing(arena, kind, wanted):
    return np.int64(arena[_TERMINAL + kind * U(PROFILES) + U(2) * wanted + ONE])


@helper
def of_terminals(row, arena, classes, wanted, found):
    """A terminal in every set and the pair."""
    parts = row[FIRST]
    a, b = classes[byte_of(parts, 0)], classes[byte_of(parts, 1)]
    c, d = classes[byte_of(parts, 2)], classes[byte_of(parts, 3)]
    if parts >> U(8) == ZERO:
        for h in range(BLOCK):
            found[h] = terminal_missing(arena, U(a[h]), U(wanted[h]))
        return
    if parts >> U(16) == ZERO:
        for h in range(BLOCK):
            kind = merge_terminals(arena, U(a[h]), U(b[h]))
            found[h] = terminal_missing(arena, kind, U(wanted[h]))
        return
    for h in range(BLOCK):
        left = merge_terminals(arena, U(a[h]), U(b[h]))
        right = merge_terminals(arena, U(c[h]), U(d[h]))
        kind = merge_terminals(arena, left, right)
        found[h] = terminal_missing(arena, kind, U(wanted[h]))


@helper
def of_parts(row, parts, arena, classes, wanted, tiles_melded, found, sums, one, merged):
    """Sets and a pair of any parts: profiles are added up, the best split of each.

    sums, one, merged : uint8[PROFILES, BLOCK], to work with
    """
    for place in range(8):
        number = np.int64(byte_of(row[FIRST], place))
        if number == 0:
            break
        base = parts[number - 1, PROFILE]
        for h in range(BLOCK):
            at = base + U(classes[number, h]) * U(PROFILES)
            for k in range(PROFILES):
                one[k, h] = arena[at + U(k)]
        need = np.int64(byte_of(row[LAST], place))
        if need:
            for h in range(BLOCK):
                if not tiles_melded[h] & row[NEEDS + need - 1]:
                    one[0, h] = FAR  # nothing of it is not enough
        if place == 0:
            for k in range(PROFILES):
                for h in range(BLOCK):
                    sums[k, h] = one[k, h]
            continue
        for m in range(5):
            for p in range(2):
                k = 2 * m + p
                for h in range(BLOCK):
                    merged[k, h] = FAR
                for i in range(m + 1):
                    for j in range(p + 1):
                        x, y = 2 * i + j, 2 * (m - i) + p - j
                        for h in range(BLOCK):
                            merged[k, h] = min(merged[k, h], np.uint8(sums[x, h] + one[y, h]))
        for k in range(PROFILES):
            for h in range(BLOCK):
                sums[k, h] = merged[k, h]
    for h in range(BLOCK):
        found[h] = sums[2 * wanted[h] + 1, h]


# --- all of it ---


@helper
def close(row, chows, pungs, voids, found):
    """A way is none beside melds it does not have, and where it needs the void suit."""
    for h in range(BLOCK):
        amiss = (chows[h] & row[NO_CHOWS]) | (pungs[h] & row[NO_PUNGS])
        amiss |= row[TILES] & FORBIDDEN[voids[h]]
        found[h] = found[h] if amiss == ZERO else B(FAR)


@kernel
def pattern_shanten(address, kinds, n, wilds, voids, melds, game, plan, shape, arena, out):
    """Shanten of ``n`` hands to each pattern of a plan.

    address, kinds, game, returns : as for ``shanten``
    wilds : uint8[n] or uint8[1]
    voids : uint8[n] or uint8[1], a suit's bit, bit 3 for no void suit, or 0 for no hand
    melds : uint8[n, 4], or uint8[0, 4] where there are none
    plan : (rows, counts, parts) of a plan
    out : int8[n, columns]; INVALID marks a hand that cannot be
    """
    rows, counts, parts = plan
    columns = out.shape[1]
    words = np.empty(4 * BLOCK, np.uint64)
    masks = np.empty((4, BLOCK), np.uint64)
    sizes, wanted = np.empty(BLOCK, np.uint8), np.empty(BLOCK, np.uint8)
    block_wilds, block_voids = np.empty(BLOCK, np.uint8), np.empty(BLOCK, np.uint8)
    chows, pungs = np.zeros(BLOCK, np.uint64), np.zeros(BLOCK, np.uint64)
    melded, names = np.zeros(BLOCK, np.uint64), np.zeros(BLOCK, np.uint64)
    unkonged = np.zeros(BLOCK, np.uint8)
    classes = np.zeros((1 + len(parts), BLOCK), np.uint8)
    copies = np.zeros((1 + len(counts), 4, BLOCK), np.uint8)
    found, lowest = np.empty(BLOCK, np.uint8), np.empty(BLOCK, np.uint8)
    # without melds and void suits every way is open to every hand
    open_to_all = len(melds) == 0 and len(voids) == 1 and voids[0] == 1 << NO_VOID
    sums = np.empty((PROFILES, BLOCK), np.uint8)
    one, merged = np.empty_like(sums), np.empty_like(sums)
    best = np.empty((columns, BLOCK), np.uint8)
    first_bad = np.int64(-1)
    start = np.int64(0)
    while start < n:
        count = read_counts(address, kinds, n, start, words, masks)
        take(wilds, start, count, block_wilds)
        take(voids, start, count, block_voids)
        for h in range(BLOCK):
            size = size_in_game(words, h, U(block_wilds[h]), masks[0, h] & ~game)
            sizes[h] = size
            wanted[h] = sets_of(size)
        if len(melds):
            read_melds(melds, start, count, chows, pungs, melded, unkonged, names)
        read_classes(words, parts, shape, arena, classes)
        read_copies(masks, counts, copies)
        for column in range(columns):
            for h in range(BLOCK):
                best[column, h] = FAR
        for place in range(len(rows)):
            row = rows[place]
            kind = row[KIND]
            if kind == U(ALIKE):
                alike(row, masks, wanted, melded, unkonged, copies, sums, found)
            elif kind == U(PAIRS):
                pairs(row, masks, sizes, copies, sums, found)
            elif kind == U(CLASSES):
                of_classes(row, shape, classes, wanted, found)
            elif kind == U(TERMINALS):
                of_terminals(row, arena, classes, wanted, found)
            elif kind == U(PARTS):
                of_parts(row, parts, arena, classes, wanted, melded, found, sums, one, merged)
            elif kind == U(ORPHANS):
                for h in range(BLOCK):
                    distance = orphans_distance(masks[0, h], masks[1, h])
                    found[h] = distance if sizes[h] >= 13 else NONE
            else:
                knitted(row, masks[0], sizes, found)
            if not open_to_all:
                close(row, chows, pungs, block_voids, found)
            lowest = best[np.int64(row[COLUMN])]
            for h in range(BLOCK):
                lowest[h] = min(lowest[h], found[h])
        for column in range(columns):
            lowest, answer = best[column], out[start : start + count, column]
            for h in range(BLOCK):
                less = B(lowest[h] - block_wilds[h] - B(1))
                lowest[h] = B(UNREACHABLE) if lowest[h] >= B(FAR) else less
            for h in range(count):
                answer[h] = np.int8(lowest[h])
        for h in range(count):
            if not VALID_SIZES >> U(sizes[h]) & ONE:
                for column in range(columns):
                    out[start + h, column] = INVALID
                first_bad = start + h if first_bad < 0 else first_bad
        start += count
    return first_bad
