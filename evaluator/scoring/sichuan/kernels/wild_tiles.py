"""Wild tiles: the substitution that is worth most.

Suit by suit, the ways to fill so many wild tiles in are searched as far as a win can still
come of them; what is left of a way is its descriptor, and one that has no more than another
is dropped. The suits together are then some ten combinations. Where single divisions
count, or a wild tile may stand for a fifth copy, every substitution is looked at whole.
"""

from __future__ import annotations

import numpy as np

from ....engine.jit import helper, inline
from ....engine.vector import bit_count, load_8, load_64
from ....shape.kernels.melds import (
    KONGS_SHIFT,
    SETS_FIELD,
    SETS_SHIFT,
)
from ....shape.kernels.rows import (
    FIFTH_COPY,
    HAS_PAIRS,
    MAX_SUITS,
    MIN_SUITS,
    NO_TILE,
    SPREAD,
    knob,
)
from ....shape.kernels.suits import ONE, POWERS, ZERO, U
from ...guobiao import layout as ft
from ...kernels.checks import ROW_SIZE
from .readings import (
    DISTANCE,
    FOURS_FIELD,
    FOURS_SHIFT,
    GEN,
    IGNORED,
    MELDS,
    NO_SETS,
    NONE,
    NOT_EVEN,
    NOT_FIELD,
    NOT_SHIFT,
    OF_WIN_TILE,
    SHAPE,
    SUITS_FIELD,
    SUITS_SHIFT,
    best_division,
    descriptor,
    facts_word,
    fan_at,
    index_of,
    shape_word,
)

# ways to fill a suit that differ: 121 descriptors, up to four kinds with four
MOST_WAYS = 640
UNKNOWN = -1  # ways not searched yet
# multiplies keys over slots
SIXTEEN = U(16)
ANY_GENS = np.int64(-1)
PAIRS_FIELD = U(0b1111)
LACKS_AT = U(56)  # in a row of a meld
# of what is joined of melds, suits that count for 缺门 only
COUNTED_SHIFT = U(24)


@inline
def missing(tables, classes, code, demand):
    """Tiles a suit lacks of so many sets and a pair or none."""
    kind = load_8(classes + code)
    return np.int64(load_8(tables + DISTANCE + SIXTEEN * kind + demand))


@inline
def add_way(ways, count, way):
    """Keep a way to fill a suit unless another has all it has; returns how many there are."""
    lacks, fours = way & (NOT_FIELD << NOT_SHIFT), way >> FOURS_SHIFT & FOURS_FIELD
    kept = np.int64(0)
    for at in range(count):
        other = ways[at]
        if (other ^ way) & SHAPE == ZERO:
            others, other_fours = (
                other & (NOT_FIELD << NOT_SHIFT),
                other >> FOURS_SHIFT & FOURS_FIELD,
            )
            if others & ~lacks == ZERO and other_fours >= fours:
                return count
    for at in range(count):
        other = ways[at]
        worse = (other ^ way) & SHAPE == ZERO
        worse &= lacks & ~other & (NOT_FIELD << NOT_SHIFT) == ZERO
        worse &= other >> FOURS_SHIFT & FOURS_FIELD <= fours
        if not worse:
            ways[kept] = other
            kept += 1
    ways[kept] = way
    return kept + 1


@inline
def way_of(tables, code, suit, counts, melded, melds_here):
    """Descriptor of a suit as filled: its kinds with four copies, melds included."""
    way = descriptor(tables, code)
    if melds_here:
        fours = ZERO
        for rank in range(9):
            tile = 9 * suit + rank
            fours += U(counts[tile] + melded[tile] >= 4)
        way = (way & ~(FOURS_FIELD << FOURS_SHIFT)) | fours << FOURS_SHIFT
    return way


@inline
def demand_of(size):
    """Column of the distances for so many tiles as sets, or sets and a pair."""
    return U(2 * (size // 3) + (1 if size % 3 == 2 else 0))


@helper
def fill_suit(
    tables, classes, ignored, counts, melded, melds_here, suit, code, size, odd, fills, pairs, ways,
    stack,
):  # fmt: skip
    """Ways to fill a suit with so many wild tiles; returns how many differ.

    counts : int64[34], as held; is put back; melded : int64[34], copies in melds, as they
    stand, melds_here : whether any are of the suit
    code, size, odd : of the suit as held, kinds of odd number
    ignored : NOT bits that do not matter; pairs : whether seven pairs can be
    ways : uint64[MOST_WAYS], out
    stack : int64[MOST_WILDS + 1], working space
    """
    size += fills
    demand = demand_of(size)
    sets = size % 3 != 1 and missing(tables, classes, code, demand) <= fills
    even = pairs and size % 2 == 0 and odd <= fills
    found = np.int64(0)
    if fills == 0:
        way = way_of(tables, code, suit, counts, melded, melds_here)
        return (
            add_way(ways, found, way | ignored)
            if way & (NO_SETS | NOT_EVEN) != NO_SETS | NOT_EVEN
            else 0
        )
    depth, rank = np.int64(0), np.int64(0)
    while True:
        if rank == 9:
            depth -= 1
            if depth < 0:
                return found
            rank = stack[depth]
        else:
            tile = 9 * suit + rank
            if counts[tile] + melded[tile] >= 4:
                rank += 1
                continue
            counts[tile] += 1
            code += POWERS[rank]
            odd += 1 if counts[tile] & 1 else -1
            left = fills - depth - 1
            if left == 0:
                way = way_of(tables, code, suit, counts, melded, melds_here)
                if not way & NO_SETS or (pairs and not way & NOT_EVEN):
                    found = add_way(ways, found, way | ignored)
            elif (even and odd <= left) or (
                sets and missing(tables, classes, code, demand) <= left
            ):
                # the next one no lower: each multiset once
                stack[depth] = rank
                depth += 1
                continue
        tile = 9 * suit + rank
        counts[tile] -= 1
        code -= POWERS[rank]
        odd += 1 if counts[tile] & 1 else -1
        rank += 1


@helper
def fill_known(
    tables, classes, ignored, counts, melded, suit, of_suit, fills, pairs, ways, stack, known
):  # fmt: skip
    """The same, but what is known of a suit from a hand before is not searched.

    of_suit : of ``possible_fills``; known : uint64[slots], uint64[slots, 8]: which suit lies
        there, how many ways and which
    """
    code, size, odd, _, _, of_melds = of_suit
    keys, kept = known
    key = ((code << U(36) | of_melds) << U(5) | U(fills) << ONE | U(pairs)) + ONE
    slot = (key * SPREAD) >> U(40) & U(len(keys) - 1)
    if keys[slot] == key:
        found = np.int64(kept[slot, 0])
        for at in range(found):
            ways[at] = kept[slot, at + 1]
        return found
    found = fill_suit(
        tables, classes, ignored, counts, melded, of_melds != ZERO, suit, code, size, odd, fills,
        pairs, ways, stack,
    )  # fmt: skip
    if found < kept.shape[1]:
        keys[slot] = key
        kept[slot, 0] = U(found)
        for at in range(found):
            kept[slot, at + 1] = ways[at]
    return found


@helper
def possible_fills(tables, arena, classes, counts, melded, wilds, pairs, held, widely, suit):
    """(code, size, kinds of odd number; bits of the numbers of wild tiles that may make the
    suit sets (and a pair), and pairs; copies in melds, four bits a rank) of a suit.

    held : bits of the suits that count anyway; widely : whether wild tiles may make a suit
        more than a win may have
    """
    code, size, odd, of_melds = ZERO, np.int64(0), np.int64(0), ZERO
    for rank in range(9):
        copies = counts[9 * suit + rank]
        code = code * U(5) + U(copies)
        size += copies
        odd += copies & 1
        of_melds = of_melds << U(4) | U(melded[9 * suit + rank])
    of_sets, of_pairs = ZERO, ZERO
    one_more = bit_count(held | ONE << U(suit)) > max(bit_count(held), knob(arena, MAX_SUITS))
    most = 0 if one_more and not widely else wilds
    for fills in range(most + 1):
        whole = size + fills
        sets = whole % 3 != 1 and missing(tables, classes, code, demand_of(whole)) <= fills
        even = pairs and whole % 2 == 0 and odd <= fills
        of_sets |= U(sets) << U(fills)
        of_pairs |= U(even) << U(fills)
    return code, size, odd, of_sets, of_pairs, of_melds


@inline
def suits_fit(arena, suits, counted):
    """Whether a win may have just these suits, with those that count for 缺门 only."""
    few = bit_count(suits | counted) <= knob(arena, MAX_SUITS)
    return few and bit_count(suits) >= knob(arena, MIN_SUITS)


@inline
def too_many(arena, suits):
    """Whether it is for its suits' number that a complete hand is no win."""
    return bit_count(suits) > knob(arena, MAX_SUITS)


@inline
def shares_fit(of_suits, paired_before, first, second, third):
    """Whether so many wild tiles in each suit may make four sets and a pair, or pairs."""
    a, b, c = of_suits
    of_sets = (a[3] >> U(first)) & (b[3] >> U(second)) & (c[3] >> U(third)) & ONE
    of_pairs = (a[4] >> U(first)) & (b[4] >> U(second)) & (c[4] >> U(third)) & ONE
    paired = (a[1] + first) % 3 == 2
    one_pair = paired_before + np.int64(paired) + np.int64((b[1] + second) % 3 == 2)
    one_pair += np.int64((c[1] + third) % 3 == 2)
    return (of_sets != ZERO and one_pair == 1) or of_pairs != ZERO


@helper
def fill_suits(
    tables, arena, classes, counts, melded, wilds, blocks, sums, lacks, gens, flags, seat, widely,
    work,
):  # fmt: skip
    """(fan, index, gens, bits of what was found) of the best substitution, by suits.

    wilds : in the hand; gens : roots, or ANY_GENS: those found, wild tiles in them, count
    blocks : sets and pairs beside the tiles of ``counts``, as in a descriptor
    lacks : of the melds, and at COUNTED_SHIFT suits that count for 缺门 anyway
    widely : as for ``possible_fills``: to see whether the suits alone forbid a win
    returns : fan with the roots, NONE if there is no win; whether one is complete but for
        its suits
    """
    ways, counted, stack, known = work
    melds = (sums >> SETS_SHIFT) & SETS_FIELD
    kongs = np.int64((sums >> KONGS_SHIFT) & U(7))
    pairs = blocks == ZERO and knob(arena, HAS_PAIRS) != ZERO
    paired = np.int64(blocks & PAIRS_FIELD)
    held = ((lacks >> SUITS_SHIFT) | (lacks >> COUNTED_SHIFT)) & SUITS_FIELD
    concealed = ZERO
    for tile in range(27):
        concealed |= U(counts[tile] > 0) << U(tile // 9)
    held |= concealed
    of_suits = (
        possible_fills(
            tables, arena, classes, counts, melded, wilds, pairs, held, widely, np.int64(0)
        ),
        possible_fills(
            tables, arena, classes, counts, melded, wilds, pairs, held, widely, np.int64(1)
        ),
        possible_fills(
            tables, arena, classes, counts, melded, wilds, pairs, held, widely, np.int64(2)
        ),
    )
    for suit in range(3):
        for fills in range(wilds + 1):
            counted[suit, fills] = UNKNOWN
    best, best_index, best_gens, other_suits = NONE, ZERO, np.int64(0), False
    value = np.int64(knob(arena, GEN))
    for first in range(wilds + 1):
        for second in range(wilds + 1 - first):
            third = wilds - first - second
            if not shares_fit(of_suits, paired, first, second, third):
                continue
            filled = U(first > 0) | U(second > 0) << ONE | U(third > 0) << U(2)
            for suit in range(3):
                fills = first if suit == 0 else (second if suit == 1 else third)
                if counted[suit, fills] == UNKNOWN:
                    counted[suit, fills] = fill_known(
                        tables, classes, knob(arena, IGNORED), counts, melded, suit, of_suits[suit],
                        fills, pairs, ways[suit, fills], stack, known,
                    )  # fmt: skip
            for i in range(counted[0, first]):
                a = ways[0, first, i]
                for j in range(counted[1, second]):
                    b = ways[1, second, j]
                    for k in range(counted[2, third]):
                        c = ways[2, third, k]
                        together = lacks | a | b | c
                        shape = a + b + c + blocks
                        word = shape_word(shape, together, melds, U(pairs))
                        if word & U(3) == ZERO:
                            continue
                        suits = concealed | filled | ((lacks >> SUITS_SHIFT) & SUITS_FIELD)
                        counted_too = (lacks >> COUNTED_SHIFT) & SUITS_FIELD
                        fit = suits_fit(arena, suits, counted_too)
                        if not fit and (other_suits or not too_many(arena, suits | counted_too)):
                            continue
                        roots = gens
                        if gens == ANY_GENS:
                            fours = (a >> FOURS_SHIFT & FOURS_FIELD) + (
                                b >> FOURS_SHIFT & FOURS_FIELD
                            )
                            roots = np.int64(fours + (c >> FOURS_SHIFT & FOURS_FIELD)) - kongs
                        word |= facts_word(sums, suits, ZERO, U(roots), flags, seat)
                        index = index_of(arena, word)
                        fan = fan_at(arena, index)
                        if not fit:
                            # for its suits alone, where it would be a win without them
                            other_suits |= fan != NONE
                        elif fan != NONE and fan + value * roots > best:
                            best, best_index, best_gens = fan + value * roots, index, roots
    return best, best_index, best_gens, other_suits


@helper
def fill_with_five(
    tables, arena, classes, counts, melded, wilds, sums, lacks, gens, flags, seat, widely, work
):  # fmt: skip
    """``fill_suits``, also of a hand that holds a tile five times, for which there is no code.

    Three of the five are a pung, or two of them the pair beside three chows.
    """
    five, melds = np.int64(0), (sums >> SETS_SHIFT) & SETS_FIELD
    blocks = melds << SETS_SHIFT
    while five < 27 and counts[five] < 5:
        five += 1
    if five == 27:
        return fill_suits(
            tables, arena, classes, counts, melded, wilds, blocks, sums, lacks, gens, flags, seat,
            widely, work,
        )  # fmt: skip
    best, other_suits = (NONE, ZERO, np.int64(0), False), False
    lacks |= load_64(tables + MELDS + ROW_SIZE * (U(ft.FIRST_PUNG) + U(five)) + LACKS_AT)
    for copies in range(2, 4):
        counts[five] -= copies
        melded[five] += copies
        found = fill_suits(
            tables, arena, classes, counts, melded, wilds,
            blocks + (ONE if copies == 2 else ONE << SETS_SHIFT), sums, lacks, gens, flags, seat,
            widely, work,
        )  # fmt: skip
        counts[five] += copies
        melded[five] -= copies
        other_suits |= found[3]
        best = found if found[0] > best[0] else best
    return best[0], best[1], best[2], other_suits


@helper
def read_whole(
    tables, arena, counts, held, melded, melds, sums, lacks, gens, flags, seat, win, work
):
    """(fan with roots, index, gens, complete but for its suits) of a hand without wild tiles
    left, by its divisions.

    held : int64[34], natural tiles: of a wild win each tile that was filled in may be it
    """
    kongs = np.int64((sums >> KONGS_SHIFT) & U(7))
    suits, roots = (lacks >> SUITS_SHIFT) & SUITS_FIELD, -kongs
    for tile in range(34):
        roots += np.int64(counts[tile] + melded[tile] >= 4)
        if counts[tile] and tile < 27:
            suits |= ONE << U(tile // 9)
    roots = roots if gens == ANY_GENS else gens
    best, index = best_division(
        tables, arena, counts, melds, sums, lacks, U(roots), flags, seat, win, work
    )
    if win == NO_TILE and knob(arena, OF_WIN_TILE):
        for tile in range(34):
            if counts[tile] > held[tile]:
                fan, at = best_division(
                    tables, arena, counts, melds, sums, lacks, U(roots), flags, seat, U(tile), work
                )
                if fan > best:
                    best, index = fan, at
    if best == NONE:
        return NONE, index, roots, False
    counted = (lacks >> COUNTED_SHIFT) & SUITS_FIELD
    if not suits_fit(arena, suits, counted):
        return NONE, index, roots, too_many(arena, suits | counted)
    return best + np.int64(knob(arena, GEN)) * roots, index, roots, False


@helper
def fill_whole(
    tables,
    arena,
    counts,
    held,
    melded,
    wilds,
    melds,
    sums,
    lacks,
    gens,
    flags,
    seat,
    win,
    work,
    stack,
):
    """The same of the best substitution of so many wild tiles, each looked at whole."""
    best, best_index, best_gens, other_suits = NONE, ZERO, np.int64(0), False
    for tile in range(34):
        held[tile] = counts[tile]
    fifth = knob(arena, FIFTH_COPY) != ZERO
    depth, tile = np.int64(0), np.int64(0)
    while True:
        if depth == wilds:
            fan, index, roots, others = read_whole(
                tables,
                arena,
                counts,
                held,
                melded,
                melds,
                sums,
                lacks,
                gens,
                flags,
                seat,
                win,
                work,
            )
            other_suits |= others
            if fan > best:
                best, best_index, best_gens = fan, index, roots
            tile = 27
        if tile == 27:
            depth -= 1
            if depth < 0:
                return best, best_index, best_gens, other_suits
            tile = stack[depth]
            counts[tile] -= 1
            tile += 1
        elif counts[tile] + melded[tile] < 4 or fifth:
            stack[depth] = tile
            counts[tile] += 1
            depth += 1
        else:
            tile += 1


@helper
def best_reading(
    by_suits, by_divisions, tables, arena, classes, counts, melded, wilds, melds, sums, lacks, gens,
    flags, seat, win, work,
):  # fmt: skip
    """The best reading of a hand with or without wild tiles.

    by_suits, by_divisions : one of them None, what it would do is not compiled then: whether
        patterns and wild tiles can be taken suit by suit, or every division counts
    counts : int64[34], concealed natural tiles, by divisions up to five of one; melded :
        int64[34], tiles of the melds as they stand; gens : roots, or ANY_GENS: those found
    work : working space, of ``make_work``
    """
    ways, counted, stack, rest, out, steps, held, known = work
    space, found = (ways, counted, stack, known), (NONE, ZERO, np.int64(0), False)
    if by_suits is not None:
        for widely in range(2):
            if found[0] == NONE and not found[3]:
                found = fill_with_five(
                    tables, arena, classes, counts, melded, wilds, sums, lacks, gens, flags, seat,
                    widely == 1, space,
                )  # fmt: skip
    if by_divisions is not None:
        found = fill_whole(
            tables, arena, counts, held, melded, wilds, melds, sums, lacks, gens, flags, seat, win,
            (rest, out, steps), stack,
        )  # fmt: skip
    return found
