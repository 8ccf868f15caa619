"""How far a batch is from the patterns that name sets, such as three chows of a straight.

A *body* is such sets, or all fourteen tiles. What a hand holds of it is taken out of the
codes of its suits; what else completes the hand is then as far as shanten says of the rest.
"""

from __future__ import annotations

import numpy as np

from ...engine.jit import helper, inline, kernel
from ...engine.vector import bit_count
from ...shape.kernels.suits import (
    BLOCK,
    CODE,
    HONOUR_BITS,
    INVALID,
    ONE,
    ZERO,
    U,
    class_of,
    merge,
    read_counts,
    sets_of,
    size_of,
    take,
)
from ..layout import (
    BODY_MELDS,
    BODY_PAIR,
    BODY_SETS,
    BODY_TILES,
    COLUMN,
    FAR,
    FIRST,
    GROUPS,
    LAST,
    NEEDS,
    STANDARD_PROFILE,
    TILES,
)
from .shapes import FIRST_PUNG, NONE, PROFILES, B, byte_of, close, lowest_tile, read_melds

SUIT_BITS = U(0b111111111)
_STANDARD = U(STANDARD_PROFILE)
# bits of the suits, the winds and the dragons
GROUP_BITS = np.array([0b111111111 << 9 * s for s in range(3)] + [0b1111 << 27, 0b111 << 31], U)
# what one copy of each of nine tiles is worth in the code of a suit
WEIGHTS = np.array(
    [sum(5 ** (8 - j) for j in range(9) if bits >> j & 1) for bits in range(512)], np.uint64
)


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
            if wanted < FIRST_PUNG:
                low = lowest_tile(wanted)
                copies, tiles = 1, U(0b111) << low
            else:
                tiles = ONE << (wanted - FIRST_PUNG)
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
    _, two, three, four = tiles
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
def groups_missing(row, tiles):
    """Whether tiles have none of a group of which at least one is needed."""
    missing = False
    for place in range(np.int64(row[GROUPS])):
        missing |= row[NEEDS + place] & tiles == ZERO
    return missing


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
    count,
):
    """The nearest of the bodies of a row, and what completes the hand beside it."""
    first, last = np.int64(row[FIRST]), np.int64(row[LAST])
    any_meld = ZERO
    for h in range(BLOCK):
        any_meld |= names[h]
    bodies_missing(row, bodies, masks, wanted, names, any_meld != ZERO, missing)
    for h in range(count):
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
            sets, pair = np.int64(wanted[h]) - sets, body[BODY_PAIR] & ONE != ZERO
            alone = body[BODY_PAIR] > ONE
            if alone and (sets or groups_missing(row, melded[h] | tiles[0])):
                continue
            # the whole hand holds no less than what the body leaves of it
            at = _STANDARD + U(whole[4, h]) * U(PROFILES) + U(2 * sets + (0 if pair else 1))
            if lacking + np.int64(arena[at]) >= best:
                continue
            if row[GROUPS] != ZERO and not alone:
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


@kernel
def body_shanten(address, kinds, n, wilds, voids, melds, plan, shape, arena, out):
    """Lower what ``pattern_shanten`` left in ``out`` to what the bodies of a plan give.

    plan : (named, bodies) of a plan; the others as there. Hands marked INVALID stay so
    """
    rows, bodies = plan
    words = np.empty(4 * BLOCK, np.uint64)
    masks = np.empty((4, BLOCK), np.uint64)
    block_wilds, block_voids = np.empty(BLOCK, np.uint8), np.empty(BLOCK, np.uint8)
    wanted = np.empty(BLOCK, np.uint8)
    chows, pungs = np.zeros(BLOCK, np.uint64), np.zeros(BLOCK, np.uint64)
    melded, names = np.zeros(BLOCK, np.uint64), np.zeros(BLOCK, np.uint64)
    unkonged = np.zeros(BLOCK, np.uint8)
    whole = np.empty((5, BLOCK), np.uint8)
    found = np.empty(BLOCK, np.uint8)
    most = np.int64(0)
    for place in range(len(rows)):
        most = max(most, np.int64(rows[place, LAST] - rows[place, FIRST]))
    missing, few = np.empty((most, BLOCK), np.uint8), np.empty((2, PROFILES), np.int64)
    start = np.int64(0)
    while start < n:
        count = read_counts(address, kinds, n, start, words, masks)
        take(wilds, start, count, block_wilds)
        take(voids, start, count, block_voids)
        for h in range(BLOCK):
            wanted[h] = sets_of(size_of(words, h, U(block_wilds[h])))
        if len(melds):
            read_melds(melds, start, count, chows, pungs, melded, unkonged, names)
        read_whole(shape, words, whole)
        for place in range(len(rows)):
            row = rows[place]
            column = np.int64(row[COLUMN])
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
                count,
            )
            close(row, chows, pungs, block_voids, found)
            for h in range(count):
                if found[h] < B(FAR) and out[start + h, column] != INVALID:
                    distance = np.int64(found[h]) - np.int64(block_wilds[h]) - 1
                    out[start + h, column] = min(out[start + h, column], np.int8(distance))
        start += count
    return np.int64(-1)
