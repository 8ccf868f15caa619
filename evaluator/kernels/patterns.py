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
    BODIES,
    BODY_MELDS,
    BODY_PAIR,
    BODY_SETS,
    BODY_TILES,
    CLASSES,
    COLUMN,
    COUNTS,
    DIVISOR,
    FACTOR,
    FAR,
    FIRST,
    GROUPS,
    KIND,
    KNITTED,
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
    STANDARD_PROFILE,
    TABLE,
    TERMINAL_MERGE,
    TERMINAL_PROFILE,
    TERMINALS,
    TILES,
    WORD,
)
from .forms import knitted_honours_distance, orphans_distance
from .suits import (
    ALL_TILES,
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
    class_of,
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
SUIT_BITS = U(0b111111111)
_SHIFT = U(RECIPROCAL_SHIFT)
_MERGE, _TERMINAL, _STANDARD = U(TERMINAL_MERGE), U(TERMINAL_PROFILE), U(STANDARD_PROFILE)
_CHOWS, _PUNGS, _KONGS, _CLOSED, _MELDS = U(1), U(22), U(56), U(90), U(124)
# bits of the suits, the winds and the dragons
GROUP_BITS = np.array([0b111111111 << 9 * s for s in range(3)] + [0b1111 << 27, 0b111 << 31], U)
# what one copy of each of nine tiles is worth in the code of a suit
WEIGHTS = np.array(
    [sum(5 ** (8 - j) for j in range(9) if bits >> j & 1) for bits in range(512)], np.uint64
)
# tiles a hand may not be of, by its choice of a void suit: none is left where its melds hold it
_EVERY = (1 << 34) - 1
FORBIDDEN = np.array(
    [0 if v >> NO_VOID & 1 else _EVERY for v in range(16)], np.uint64
)
for _suit in range(3):
    FORBIDDEN[1 << _suit] = 0b111111111 << 9 * _suit


# --- what the hands of a block are ---


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
            if meld == ZERO or meld >= _MELDS:
                continue
            if meld < _PUNGS:
                low = (meld - _CHOWS) // U(7) * U(9) + (meld - _CHOWS) % U(7)
                chow |= (ONE << low) | (ONE << U(OPEN))
                tile_bits |= U(0b111) << low
            else:
                chow |= (ONE << U(OPEN)) if meld < _CLOSED else ZERO
                alone += ONE if meld < _KONGS else ZERO
                meld = _PUNGS + (meld - _PUNGS) % U(34)
                pung |= ONE << (meld - _PUNGS)
                tile_bits |= ONE << (meld - _PUNGS)
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
    """Fourteen different tiles of the honours and a knitted pattern; with all honours."""
    for h in range(BLOCK):
        missing = knitted_honours_distance(m1[h])
        if row[FIRST] != ZERO:
            most = ZERO
            for i in range(6):
                most = max(most, bit_count(m1[h] & BODY_BITS[i]))
            missing = 14 - np.int64(bit_count(m1[h] & HONOUR_BITS) + min(most, U(7)))
        found[h] = missing if sizes[h] >= 13 else NONE


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


# --- tiles that must be there ---


@inline
def weight_of(bits, suit):
    """What one copy of these tiles is worth in the code of a suit (3: honours)."""
    if suit == 3:
        return WEIGHTS[(bits >> U(27) & U(0b1111111)) << U(2)]
    return WEIGHTS[bits >> U(9 * suit) & SUIT_BITS]


@helper
def unmatched(body, names):
    """(sets, four masks of tiles) of a body without the sets that are melds."""
    sets = np.int64(body[BODY_SETS])
    one, two = body[BODY_TILES], body[BODY_TILES + 1]
    three, four = body[BODY_TILES + 2], body[BODY_TILES + 3]
    for place in range(4):
        wanted = byte_of(body[BODY_MELDS], place)
        if wanted == ZERO:
            break
        for other in range(4):
            if byte_of(names, other) != wanted:
                continue
            names &= ~(U(0xFF) << U(8 * other))
            sets -= 1
            copies, tiles = 3, ZERO
            if wanted < _PUNGS:
                low = (wanted - _CHOWS) // U(7) * U(9) + (wanted - _CHOWS) % U(7)
                copies, tiles = 1, U(0b111) << low
            else:
                tiles = ONE << (wanted - _PUNGS)
            for _ in range(copies):
                # take one copy: the highest level that is there goes
                one, two, three, four = (
                    one & ~(tiles & ~two),
                    two & ~(tiles & ~three),
                    three & ~(tiles & ~four),
                    four & ~tiles,
                )
            break
    return sets, (one, two, three, four)


@inline
def body_missing(tiles, masks, h):
    one, two, three, four = tiles
    return np.int64(
        bit_count(one & ~masks[0, h])
        + bit_count(two & ~masks[1, h])
        + bit_count(three & ~masks[2, h])
        + bit_count(four & ~masks[3, h])
    )


@inline
def left_over(tiles, masks, h):
    """Masks of what the hand holds beside the body: at least 1, 2, 3 copies more."""
    one, two, three, four = tiles
    m1, m2, m3, m4 = masks[0, h], masks[1, h], masks[2, h], masks[3, h]
    none, single, double = ~one, one & ~two, two & ~three
    return (
        (m1 & none) | (m2 & single) | (m3 & double) | (m4 & three & ~four),
        (m2 & none) | (m3 & single) | (m4 & double),
        (m3 & none) | (m4 & single),
    )


@inline
def pair_missing(first, second):
    return 0 if second else (1 if first else 2)


@helper
def set_and_pair_missing(left, tiles, allowed):
    """Tiles missing of a set and a pair beside a body, one choice of the set after the other.

    left : masks of :func:`left_over`; tiles : of the body; allowed : tiles that may be held
    """
    first, second, third = left
    one, two, three, four = tiles
    # copies beside the body: at least 1, 2, 3
    room, room2, room3 = ~four & allowed, ~three & allowed, ~two & allowed
    first, second, third = first & room, second & room2, third & room3
    most = np.int64(0)
    for low in range(34):
        if room3 >> U(low) & ONE:
            bit = ONE << U(low)
            held = np.int64(
                U(first & bit != ZERO) + U(second & bit != ZERO) + U(third & bit != ZERO)
            )
            others = ~bit
            pair = 2 - pair_missing(first & room2 & others, second & others)
            most = max(most, held + pair)
        chow = U(0b111) << U(low)
        if low < 27 and low % 9 < 7 and room & chow == chow:
            held = np.int64(bit_count(first & chow))
            rest = (first & ~chow) | (second & chow)
            rest2 = (second & ~chow) | (third & chow)
            places = (room2 & ~chow) | (room3 & chow)
            most = max(most, held + 2 - pair_missing(rest & places, rest2 & places))
    return 5 - most


@helper
def rest_missing(shape, arena, words, whole, masks, h, tiles, sets, pair, allowed, limit):
    """Tiles missing of ``sets`` sets (and the pair, unless ``pair``) beside a body.

    Exact where it is less than ``limit``. Tables know only that four copies are the most;
    beside two or three copies in the body that is less. It matters only where the hand
    holds such a tile once more: otherwise another tile is as near.
    """
    one, two, three, four = tiles
    if sets == 0:
        if pair:
            return np.int64(0)
        first, second, _ = left_over(tiles, masks, h)
        return np.int64(pair_missing(first & ~three & allowed, second & ~three & allowed))
    m1, m2, m3, m4 = masks[0, h], masks[1, h], masks[2, h], masks[3, h]
    spare = (m3 & two & ~three) | (m4 & three & ~four)
    kind, less = ZERO, ZERO
    for suit in range(4):
        if not allowed >> U(9 * suit) & ONE:
            continue
        if not one & GROUP_BITS[suit] and suit < 3:
            kind = merge(shape, kind, U(whole[suit, h]))
            less = merge(shape, less, U(whole[suit, h]))
            continue
        code = words[4 * h + suit] & CODE
        code -= weight_of(m1 & one, suit) + weight_of(m2 & two, suit)
        code -= weight_of(m3 & three, suit) + weight_of(m4 & four, suit)
        fewer = code - weight_of(m3 & two & ~three, suit) - weight_of(m4 & two & ~four, suit)
        if suit == 3:
            code = fewer  # no honour is a set beside two of it
        kind = merge(shape, kind, class_of(shape, code))
        less = merge(shape, less, class_of(shape, fewer))
    at = _STANDARD + U(2 * sets + (0 if pair else 1))
    lower = np.int64(arena[at + kind * U(PROFILES)])
    if spare & ~HONOUR_BITS == ZERO or lower >= limit:
        return lower
    if np.int64(arena[at + less * U(PROFILES)]) == lower:
        return lower
    return set_and_pair_missing(left_over(tiles, masks, h), tiles, allowed)


@helper
def rest_of_each(shape, arena, words, masks, h, tiles, sets, pair, row, melded, sums, merged):
    """The same with at least one of each group that neither melds nor the body are of.

    Of a body that has no tile twice. sums, merged : int64[PROFILES], to work with
    """
    one = tiles[0]
    allowed = row[TILES]
    for k in range(PROFILES):
        sums[k] = FAR
    sums[0] = 0
    for group in range(5):
        bits = GROUP_BITS[group]
        if not allowed & bits:
            continue
        suit = min(group, 3)
        code = words[4 * h + suit] & CODE
        code -= weight_of(masks[0, h] & one, suit)
        if suit == 3:
            # the others of the honours are not looked at
            other = HONOUR_BITS & ~bits & ~one
            for level in range(4):
                code -= weight_of(masks[level, h] & other, suit)
        needed = False
        for place in range(np.int64(row[GROUPS])):
            needed |= row[NEEDS + place] == allowed & bits
        needed &= not (melded | one) & bits
        at = _STANDARD + class_of(shape, code) * U(PROFILES)
        for m in range(sets + 1):
            for p in range(2):
                least = NONE
                for i in range(m + 1):
                    for j in range(p + 1):
                        if needed and i == 0 and j == 0:
                            continue
                        own = np.int64(arena[at + U(2 * i + j)])
                        least = min(least, sums[2 * (m - i) + p - j] + own)
                merged[2 * m + p] = least
        for k in range(2 * sets + 2):
            sums[k] = merged[k]
    return sums[2 * sets + (0 if pair else 1)]


@inline
def tiles_of(body):
    return body[BODY_TILES], body[BODY_TILES + 1], body[BODY_TILES + 2], body[BODY_TILES + 3]


@helper
def read_whole(shape, words, whole):
    """Classes of the suits and of the honours, and of all: ``whole[suit, hand]``."""
    for h in range(BLOCK):
        kind = ZERO
        for suit in range(4):
            own = class_of(shape, words[4 * h + suit] & CODE)
            whole[suit, h] = own
            kind = merge(shape, kind, own)
        whole[4, h] = kind


@helper
def bodies_missing(row, bodies, masks, wanted, names, melded, missing):
    """Tiles missing of each body of a row, from each hand: ``missing[body, hand]``.

    melded : whether any hand has melds
    """
    first = np.int64(row[FIRST])
    for place in range(first, np.int64(row[LAST])):
        body = bodies[place]
        one, two, three, four = tiles_of(body)
        here = missing[place - first]
        for h in range(BLOCK):
            here[h] = bit_count(one & ~masks[0, h])
        if two:
            for h in range(BLOCK):
                here[h] += bit_count(two & ~masks[1, h])
        if three:
            for h in range(BLOCK):
                here[h] += bit_count(three & ~masks[2, h]) + bit_count(four & ~masks[3, h])
        for h in range(BLOCK):
            here[h] = here[h] if B(body[BODY_SETS]) <= wanted[h] else B(FAR)
        if melded:
            for h in range(BLOCK):
                sets, tiles = unmatched(body, names[h])
                here[h] = body_missing(tiles, masks, h) if sets <= wanted[h] else NONE


@helper
def of_bodies(
    row, bodies, shape, arena, words, whole, masks, wanted, melded, names, found, missing, few
):
    """The nearest of the bodies of a row, and what completes the hand beside it."""
    first, last = np.int64(row[FIRST]), np.int64(row[LAST])
    any_meld = ZERO
    for h in range(BLOCK):
        any_meld |= names[h]
    bodies_missing(row, bodies, masks, wanted, names, any_meld != ZERO, missing)
    for h in range(BLOCK):
        best = NONE
        nearest = np.int64(0)
        for place in range(last - first):
            if missing[place, h] < missing[nearest, h]:
                nearest = place
        # the nearest first: few others can be nearer with what is beside them
        for turn in range(-1, last - first):
            place = nearest if turn < 0 else turn
            lacking = np.int64(missing[place, h])
            if lacking >= best or turn == nearest:
                continue
            body = bodies[first + place]
            sets, tiles = np.int64(body[BODY_SETS]), tiles_of(body)
            if names[h]:
                sets, tiles = unmatched(body, names[h])
            sets, pair = np.int64(wanted[h]) - sets, body[BODY_PAIR] != ZERO
            # the whole hand holds no less than what the body leaves of it
            at = _STANDARD + U(whole[4, h]) * U(PROFILES) + U(2 * sets + (0 if pair else 1))
            if lacking + np.int64(arena[at]) >= best:
                continue
            if row[GROUPS] != ZERO:
                rest = rest_of_each(
                    shape,
                    arena,
                    words,
                    masks,
                    h,
                    tiles,
                    sets,
                    pair,
                    row,
                    melded[h],
                    few[0],
                    few[1],
                )
            else:
                rest = rest_missing(
                    shape,
                    arena,
                    words,
                    whole,
                    masks,
                    h,
                    tiles,
                    sets,
                    pair,
                    row[TILES],
                    best - lacking,
                )
            best = min(best, lacking + rest)
        found[h] = best


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
    plan : (rows, counts, parts, bodies)
    out : int8[n, columns]; INVALID marks a hand that cannot be
    """
    rows, counts, parts, bodies = plan
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
    whole = np.empty((5, BLOCK), np.uint8)
    found, lowest = np.empty(BLOCK, np.uint8), np.empty(BLOCK, np.uint8)
    most = np.int64(0)
    for place in range(len(rows)):
        if rows[place, KIND] == U(BODIES):
            most = max(most, np.int64(rows[place, LAST] - rows[place, FIRST]))
    missing, few = np.empty((most, BLOCK), np.uint8), np.empty((2, PROFILES), np.int64)
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
        if most:
            read_whole(shape, words, whole)
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
            elif kind == U(BODIES):
                of_bodies(
                    row,
                    bodies,
                    shape,
                    arena,
                    words,
                    whole,
                    masks,
                    wanted,
                    melded,
                    names,
                    found,
                    missing,
                    few,
                )
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
