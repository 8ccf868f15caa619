"""How far a hand is from each form, and which tiles bring it nearer.

A distance is the fewest tiles missing from a complete hand of that form; shanten is
one less, and less by the wilds held. ``m1`` ... ``m4`` are masks: bit i = the hand
has at least so many of tile i.
"""

from __future__ import annotations

import numpy as np

from ...engine.jit import helper, inline
from ...engine.vector import bit_count
from ...tiles import KNITTED_STARTS
from .suits import (
    ALL_TILES,
    BLOCK,
    BODY_BITS,
    CHOICES,
    CODE,
    HONOUR_BITS,
    KEEP_BITS,
    KNITTED_HONOURS,
    KNITTED_STRAIGHT,
    NO_VOID,
    ONE,
    ORPHAN_BITS,
    SEVEN_DIFFERENT,
    SEVEN_PAIRS,
    STANDARD,
    THIRTEEN_ORPHANS,
    UNREACHABLE,
    ZERO,
    U,
    class_of,
    final,
    merge,
    sets_of,
    size_in_game,
    standard_shanten,
)

ROW = U(0xFFFFFF)
STARTS = np.array(KNITTED_STARTS)


@inline
def different_distance(m1, m2):
    """Seven pairs of seven kinds."""
    pairs = np.int64(bit_count(m2))
    return 7 - pairs + max(7 - np.int64(bit_count(m1)), 0)


@inline
def different_accepts(m1, m2):
    """Partners of single tiles, and new kinds while there are fewer than seven."""
    return (m1 & ~m2) | (~m1 & ALL_TILES if bit_count(m1) < U(7) else ZERO)


@inline
def pairs_distance(m1, m2, m3, m4):
    """Seven pairs, four of a kind being two."""
    pairs = np.int64(bit_count(m2) + bit_count(m4))
    singles = np.int64(bit_count(m1 & ~m2) + bit_count(m3 & ~m4))
    return 7 - pairs + max(7 - pairs - singles, 0)


@inline
def pairs_accepts(m1, m2, m3, m4):
    """Partners of odd tiles, and any other while odd tiles and pairs are fewer than seven."""
    odd = (m1 & ~m2) | (m3 & ~m4)
    groups = bit_count(m2) + bit_count(m4) + bit_count(odd)
    return odd | (ALL_TILES & ~m4 if groups < U(7) else ZERO)


@inline
def orphans_distance(m1, m2):
    """One of each terminal and honour, and one more of them."""
    held = np.int64(bit_count(m1 & ORPHAN_BITS))
    return 14 - held - np.int64((m2 & ORPHAN_BITS) != ZERO)


@inline
def orphans_accepts(m1, m2):
    return ORPHAN_BITS & (ALL_TILES if m2 & ORPHAN_BITS == ZERO else ~m1)


@inline
def knitted_honours_distance(m1):
    """Fourteen different of the seven honours and one knitted pattern (全不靠)."""
    most = ZERO
    for i in range(6):
        most = max(most, bit_count(m1 & (BODY_BITS[i] | HONOUR_BITS)))
    return 14 - min(np.int64(most), 14)


@inline
def knitted_honours_accepts(m1, distance):
    mask = ZERO
    for i in range(6):
        pattern = BODY_BITS[i] | HONOUR_BITS
        if 14 - np.int64(bit_count(m1 & pattern)) == distance:
            mask |= pattern & ~m1
    return mask


@inline
def body_missing(m1):
    """Tiles missing from the nearest knitted body: no more can a knitted straight be near."""
    most = ZERO
    for i in range(6):
        most = max(most, bit_count(m1 & BODY_BITS[i]))
    return 9 - np.int64(most)


@inline
def taken(m1, suit, start):
    """What the held tiles of 147, 258 or 369 (``start`` 0-2) of a suit are worth in its code."""
    held = m1 >> U(9 * suit + start) & U(0b1001001)
    # digits start, start + 3 and start + 6 of nine, the first the most significant
    weight = (held & ONE) * U(5**6) + (held >> U(3) & ONE) * U(5**3) + (held >> U(6))
    return weight * (U(25) if start == 0 else (U(5) if start == 1 else ONE))


@inline
def without_body(codes, m1, body):
    """Codes of the three suits after one of each tile held of a knitted body was taken out."""
    a, b, c = codes
    return (
        a - taken(m1, 0, STARTS[body, 0]),
        b - taken(m1, 1, STARTS[body, 1]),
        c - taken(m1, 2, STARTS[body, 2]),
    )


@inline
def rest_classes(arena, code, m1, suit):
    """Classes of a suit after 147, after 258 and after 369 was taken out."""
    return (
        class_of(arena, code - taken(m1, suit, 0)),
        class_of(arena, code - taken(m1, suit, 1)),
        class_of(arena, code - taken(m1, suit, 2)),
    )


@helper
def knitted_straight_distance(arena, codes, honours, m1, sets):
    """Knitted body, one set and a pair (组合龙); with 10 or 11 tiles the set is a meld.

    To take what is held of the body first is exact: a set and a pair never need
    four of a kind, so the body costs the rest no copy.
    """
    sets -= U(3)
    honour_class = class_of(arena, honours)
    x = rest_classes(arena, codes[0], m1, 0)
    y = rest_classes(arena, codes[1], m1, 1)
    z0, z1, z2 = rest_classes(arena, codes[2], m1, 2)
    z0, z1, z2 = (
        merge(arena, z0, honour_class),
        merge(arena, z1, honour_class),
        merge(arena, z2, honour_class),
    )
    # in the order of tiles.KNITTED
    return (
        min(
            final(arena, sets, merge(arena, x[0], y[1]), z2) - held_of(m1, 0),
            final(arena, sets, merge(arena, x[0], y[2]), z1) - held_of(m1, 1),
            final(arena, sets, merge(arena, x[1], y[0]), z2) - held_of(m1, 2),
            final(arena, sets, merge(arena, x[1], y[2]), z0) - held_of(m1, 3),
            final(arena, sets, merge(arena, x[2], y[0]), z1) - held_of(m1, 4),
            final(arena, sets, merge(arena, x[2], y[1]), z0) - held_of(m1, 5),
        )
        + 10
    )


@inline
def held_of(m1, body):
    """Tiles held of a knitted body."""
    return np.int64(bit_count(m1 & BODY_BITS[body]))


@inline
def standard_accepts(arena, accept, sets, codes, honours, keep):
    """(shanten, mask) of the standard form; the suits outside ``keep`` are void.

    The mask has tiles of void suits too.
    """
    entry, column, mask = accept
    a, b, c = codes
    ea, eb, ec, ed = U(entry[a]), U(entry[b]), U(entry[c]), U(entry[honours])
    ka = ea >> U(24) if keep & ONE else ZERO
    kb = eb >> U(24) if keep >> U(9) & ONE else ZERO
    kc = ec >> U(24) if keep >> U(18) & ONE else ZERO
    kd = ed >> U(24)
    left, right = merge(arena, ka, kb), merge(arena, kc, kd)
    # the class of the other three beside each suit, and with it the optimal splits
    base = sets << U(16)
    xa = U(column[base | (ka << U(8)) | merge(arena, right, kb)])
    xb = U(column[base | (kb << U(8)) | merge(arena, right, ka)])
    xc = U(column[base | (kc << U(8)) | merge(arena, left, kd)])
    xd = U(column[base | (kd << U(8)) | merge(arena, left, kc)])
    accepted = (
        U(mask[(ea & ROW) + xa])
        | (U(mask[(eb & ROW) + xb]) << U(9))
        | (U(mask[(ec & ROW) + xc]) << U(18))
        | (U(mask[(ed & ROW) + xd]) << U(27))
    )
    return final(arena, sets, left, right), accepted


@helper
def knitted_straight_accepts(arena, accept, codes, honours, m1, m4, sets, distance):
    """Tiles that bring a knitted straight at ``distance`` nearer."""
    accepted = ZERO
    for i in range(6):
        missing = 9 - held_of(m1, i)
        if missing <= distance:
            rest, mask = standard_accepts(
                arena, accept, sets - U(3), without_body(codes, m1, i), honours, ALL_TILES
            )
            if missing + rest + 1 == distance:
                accepted |= (BODY_BITS[i] & ~m1) | (mask & ~m4)
    return accepted


@inline
def void_distance(arena, a, b, c, d, sets, choice):
    """Standard distance of the classes of a hand when suit ``choice`` is void."""
    if choice == 0:
        a = ZERO
    elif choice == 1:
        b = ZERO
    elif choice == 2:
        c = ZERO
    return final(arena, sets, merge(arena, a, b), merge(arena, c, d)) + 1


@helper
def distance_block(arena, words, masks, wilds, voids, forms, choices, game, sizes, best):
    """Least distance of each hand of a block over forms and void suits.

    words, masks : as read, four levels
    wilds, voids : uint8[BLOCK]; choices : all bits that occur in ``voids``
    game : bits of the tiles played with; a hand with another gets NO_SIZE
    sizes : uint8[BLOCK], best : int8[BLOCK], out; UNREACHABLE where a hand's voids
        leave nothing
    returns : the sizes that occur, a bit each
    """
    m1, m2, m3, m4 = masks[0], masks[1], masks[2], masks[3]
    seen = ZERO
    for h in range(BLOCK):
        size = size_in_game(words, h, U(wilds[h]), m1[h] & ~game)
        sizes[h] = size
        seen |= ONE << size
        best[h] = UNREACHABLE
    if forms & STANDARD and choices == 1 << NO_VOID:
        for h in range(BLOCK):
            best[h] = standard_shanten(arena, words, h, U(sizes[h])) + 1
    elif forms & STANDARD:
        for h in range(BLOCK):
            a, b = class_of(arena, words[4 * h] & CODE), class_of(arena, words[4 * h + 1] & CODE)
            c, d = (
                class_of(arena, words[4 * h + 2] & CODE),
                class_of(arena, words[4 * h + 3] & CODE),
            )
            sets = sets_of(U(sizes[h]))
            least = np.int64(UNREACHABLE)
            for choice in range(CHOICES):
                if choices >> choice & 1:
                    distance = void_distance(arena, a, b, c, d, sets, choice)
                    least = min(least, distance if voids[h] >> choice & 1 else UNREACHABLE)
            best[h] = least
    for choice in range(CHOICES):
        if not choices >> choice & 1:
            continue
        keep = KEEP_BITS[choice]
        if forms & SEVEN_PAIRS:
            for h in range(BLOCK):
                distance = pairs_distance(m1[h] & keep, m2[h] & keep, m3[h] & keep, m4[h] & keep)
                lower(best, h, distance, sizes[h] >= 13, voids[h] >> choice & 1)
        if forms & SEVEN_DIFFERENT:
            for h in range(BLOCK):
                distance = different_distance(m1[h] & keep, m2[h] & keep)
                lower(best, h, distance, sizes[h] >= 13, voids[h] >> choice & 1)
    if not choices >> NO_VOID & 1:
        return seen
    # the other forms need tiles of all three suits
    if forms & THIRTEEN_ORPHANS:
        for h in range(BLOCK):
            distance = orphans_distance(m1[h], m2[h])
            lower(best, h, distance, sizes[h] >= 13, voids[h] >> NO_VOID & 1)
    if forms & KNITTED_HONOURS:
        for h in range(BLOCK):
            distance = knitted_honours_distance(m1[h])
            lower(best, h, distance, sizes[h] >= 13, voids[h] >> NO_VOID & 1)
    if forms & KNITTED_STRAIGHT:
        for h in range(BLOCK):
            fits = (sizes[h] >= 10) & (voids[h] >> NO_VOID & 1 != 0)
            if fits and body_missing(m1[h]) < best[h]:
                codes = (words[4 * h] & CODE, words[4 * h + 1] & CODE, words[4 * h + 2] & CODE)
                distance = knitted_straight_distance(
                    arena, codes, words[4 * h + 3] & CODE, m1[h], sets_of(U(sizes[h]))
                )
                lower(best, h, distance, True, 1)
    return seen


@inline
def lower(best, h, distance, fits, allowed):
    """Keep the smaller distance, of a form that fits the size and a void that is allowed."""
    best[h] = min(best[h], np.int8(distance) if fits & (allowed != 0) else np.int8(UNREACHABLE))


@helper
def hand_accepts(arena, accept, codes, honours, masks, size, forms, voids):
    """(distance, mask of accepted tiles) of one hand of 3k+1 tiles and wilds.

    codes : of the three suits; honours : code; masks : (m1, m2, m3, m4)
    voids : bits of the choices of a void suit
    """
    m1, m2, m3, m4 = masks
    best, accepted = np.int64(UNREACHABLE), ZERO
    sets = sets_of(size)
    for choice in range(CHOICES):
        if not voids >> choice & 1:
            continue
        keep = KEEP_BITS[choice]
        if forms & STANDARD:
            shanten, mask = standard_accepts(arena, accept, sets, codes, honours, keep)
            distance = shanten + 1
            if distance <= best:
                accepted = (mask & keep) | (accepted if distance == best else ZERO)
                best = distance
        if size < U(13):
            continue
        if forms & SEVEN_PAIRS:
            distance = pairs_distance(m1 & keep, m2 & keep, m3 & keep, m4 & keep)
            if distance <= best:
                mask = pairs_accepts(m1 & keep, m2 & keep, m3 & keep, m4 & keep) & keep
                accepted = mask | (accepted if distance == best else ZERO)
                best = distance
        if forms & SEVEN_DIFFERENT:
            distance = different_distance(m1 & keep, m2 & keep)
            if distance <= best:
                mask = different_accepts(m1 & keep, m2 & keep) & keep
                accepted = mask | (accepted if distance == best else ZERO)
                best = distance
    if not voids >> NO_VOID & 1:
        return best, accepted
    if size >= U(13):
        if forms & THIRTEEN_ORPHANS:
            distance = orphans_distance(m1, m2)
            if distance <= best:
                mask = orphans_accepts(m1, m2)
                accepted = mask | (accepted if distance == best else ZERO)
                best = distance
        if forms & KNITTED_HONOURS:
            distance = knitted_honours_distance(m1)
            if distance <= best:
                mask = knitted_honours_accepts(m1, distance)
                accepted = mask | (accepted if distance == best else ZERO)
                best = distance
    if forms & KNITTED_STRAIGHT and size >= U(10) and body_missing(m1) <= best:
        distance = knitted_straight_distance(arena, codes, honours, m1, sets)
        if distance <= best:
            mask = knitted_straight_accepts(arena, accept, codes, honours, m1, m4, sets, distance)
            accepted = mask | (accepted if distance == best else ZERO)
            best = distance
    return best, accepted


@inline
def copies_left(accepted, m1, m2, m3):
    """Copies of the accepted tiles that the hand does not hold itself.

    A tile of which it holds all four is accepted only after one of them was discarded.
    """
    return (
        U(4) * bit_count(accepted)
        - bit_count(accepted & m1)
        - bit_count(accepted & m2)
        - bit_count(accepted & m3)
    )
