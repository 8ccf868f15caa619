"""The kernels of pattern scoring: batches of wins.

How a hand is read is told in ``readings``, wild tiles in ``substitutes``; the waits of hands
are asked in ``gamewaits``.
"""

from __future__ import annotations

import numpy as np

from ..jit import inline, kernel
from .gamerows import (
    BAD_SIZE,
    BYTE,
    CHOW,
    CONCEALED,
    FIELDS,
    FLOWERS,
    HOW,
    INDICATOR,
    KONGS_FIELD,
    MELD_IDS_AT,
    MELD_WILDS,
    NOT_A_WIN,
    OK,
    PREVALENT,
    SEAT,
    TOO_MANY_SUITS,
    UNUSUAL,
    WILDS,
    WIN_TILE,
    byte_of,
    four_of,
    is_fifth,
    make_work,
    read_row,
    row_of,
    win_trouble,
)  # fmt: skip
from .readings import (
    CHOW_MELDS,
    CLASSES,
    EARTHLY_ON_DISCARD,
    GEN,
    GROUPS,
    HONOURS,
    KINDS,
    KONG,
    LOWEST,
    MELDS,
    MINIMUM,
    NONE,
    OF_DIVISIONS,
    PATTERNS,
    POINTS_AT,
    TABLES,
    addon_of,
    fan_at,
    index_of,
    knob,
    points_at,
    signed,
    suits_held,
    suits_word,
)  # fmt: skip
from .rows import (
    FLAGS_AT,
    MELDS_AT,
    MOST_FLOWERS,
    NO_TILE,
    OPEN_FIELD,
    SEAT_AT,
    SELF_DRAWN,
    WIN_AT,
    WIND_SHIFT,
    copies_in_melds,
    flags_cannot_be,
    read_one,
    with_melds,
)  # fmt: skip
from .substitutes import best_reading, suits_fit, too_many
from .suits import BLOCK, CODE, ONE, ZERO, U, read_counts
from .vector import address_of, bit_count, load_8, load_16, load_32, store_8, store_16, store_32
from .worth import FOUR, FULL, KONGS_SHIFT, MELD_SIZE, SETS_FIELD, SETS_SHIFT, TWO, WIN_SHIFT

__all__ = ["FIELDS", "UNUSUAL", "score_one", "score_rows", "score_unusual"]

# addresses of the answers
FAN, POINTS, PAYMENT, PATTERN, GENS, KONGS, ADDONS, REASON, MET = range(9)


@inline
def write_row(answers, prices, i, bad, fan, index, gens, kongs, flags, of_wilds):
    """Write the answers of a row.

    prices : of ``read_prices``; bad : Reason, OK for a win; fan : with the roots
    of_wilds : fan of the wild tiles
    """
    arena, groups, patterns, points_of, lowest, kong_value, minimum = prices
    row = patterns + index * (groups + ONE)
    points, payment, addon, met = ZERO, ZERO, np.int64(0), ZERO
    if bad == OK:
        addon = addon_of(arena, flags) + of_wilds
        fan += kong_value * np.int64(kongs) + addon
        at = points_of + U(12) * U(fan - lowest)
        points, payment = load_32(at), load_32(at + FOUR + ((flags & SELF_DRAWN) << TWO))
        met = U(fan >= minimum)
    else:
        fan, gens, kongs = np.int64(-1), ZERO, ZERO
    store_16(answers[FAN] + TWO * i, U(fan))
    store_32(answers[POINTS] + FOUR * i, points)
    store_32(answers[PAYMENT] + FOUR * i, payment)
    store_8(answers[GENS] + i, gens)
    store_8(answers[KONGS] + i, kongs)
    store_8(answers[ADDONS] + i, U(addon))
    store_8(answers[REASON] + i, bad)
    store_8(answers[MET] + i, met)
    into = answers[PATTERN] + groups * i
    for group in range(np.int64(groups)):
        store_8(into + U(group), load_8(row + U(group)) if bad == OK else BYTE)


@inline
def suits_trouble(arena, suits):
    """The Reason why a complete hand of these suits is no win: too many of them, or too few."""
    return TOO_MANY_SUITS if too_many(arena, suits) else NOT_A_WIN


@inline
def read_prices(arena):
    """What every row of a batch needs of the head of the arena."""
    return (
        arena,
        knob(arena, GROUPS),
        arena + knob(arena, PATTERNS),
        arena + knob(arena, POINTS_AT),
        np.int64(knob(arena, LOWEST)),
        np.int64(knob(arena, KONG)),
        np.int64(knob(arena, MINIMUM)),
    )


@kernel
def score_rows(fields, kinds, n, arena_, answers):
    """What ``n`` hands are worth.

    fields : uint64[FIELDS], addresses of the fields of ``hands.Hands``; concealed is of
        ``kinds`` bytes a hand; 0 = the field has its default in all hands
    arena_ : of ``rulesets.combination``
    answers : uint64[ANSWERS], addresses of int16 fan, int32 points and payment, uint8
        pattern [n, groups], gens, kongs, int8 addons, uint8 reason, bool met
    returns : how many rows are not answered: their reason is UNUSUAL, they are wrong, have
        wild tiles, or need every division
    """
    arena = address_of(arena_)
    tables = knob(arena, TABLES)
    singly = knob(arena, OF_DIVISIONS)
    value = np.int64(knob(arena, GEN))
    foreign = ~ZERO << knob(arena, KINDS)
    bare = fields[MELD_IDS_AT] == ZERO
    prices = read_prices(arena)
    no_chows, on_discard = U(knob(arena, CHOW_MELDS) == ZERO), knob(arena, EARTHLY_ON_DISCARD)
    words = np.empty(4 * BLOCK, np.uint64)
    masks = np.empty((4, BLOCK), np.uint64)
    left = np.int64(0)
    start = np.int64(0)
    while start < n:
        count = read_counts(np.int64(fields[CONCEALED]), kinds, n, start, words, masks)
        for h in range(count):
            i = U(start + h)
            hand = fields[CONCEALED] + kinds * i
            a, b, c = words[4 * h], words[4 * h + 1], words[4 * h + 2]
            size = ((a + b + c + words[4 * h + 3]) >> U(32)) & U(0xFFFF)
            codes = (a & CODE, b & CODE, c & CODE)
            m1 = masks[0, h]
            over, four, sums, lacks, melds = ZERO, masks[3, h], ZERO, ZERO, ZERO
            if not bare:
                melds = load_32(fields[MELD_IDS_AT] + FOUR * i)
                over, four, _, sums, lacks = with_melds(tables + MELDS, hand, melds)
            win = byte_of(fields[WIN_TILE], i, NO_TILE)
            flags = load_16(fields[HOW] + TWO * i) if fields[HOW] else ZERO
            prevalent = byte_of(fields[PREVALENT], i, ZERO)
            seat = byte_of(fields[SEAT], i, ZERO)
            flowers = byte_of(fields[FLOWERS], i, ZERO)
            wilds = byte_of(fields[WILDS], i, ZERO)
            meld_wilds = four_of(fields[MELD_WILDS], i)
            indicator = byte_of(fields[INDICATOR], i, NO_TILE)
            melded = (sums >> SETS_SHIFT) & SETS_FIELD
            opened, kongs = (sums >> WIN_SHIFT) & OPEN_FIELD, (sums >> KONGS_SHIFT) & KONGS_FIELD
            held = win == NO_TILE or (win < U(34) and (m1 >> win) & ONE != ZERO)
            chow = lacks & no_chows * CHOW
            unusual = (
                singly
                | over
                | (size + MELD_SIZE * melded) ^ FULL
                | U(not held)
                | m1 & foreign
                | lacks & HONOURS
                | chow
                | (prevalent | seat) >> WIND_SHIFT
                | U(flowers > MOST_FLOWERS)
                | wilds
                | meld_wilds
                | U(indicator != NO_TILE)
            )
            if flags & ~ONE and unusual == ZERO:
                concealed, own = ZERO, ZERO
                if win != NO_TILE:
                    concealed = load_8(hand + win)
                    own = concealed + copies_in_melds(tables + MELDS, melds, win)
                unusual |= U(flags_cannot_be(flags, own, concealed, kongs, opened, on_discard))
            gens = bit_count(four) - kongs
            word = suits_word(tables, arena, codes, size, sums, lacks, gens, flags, seat)
            index = index_of(arena, word)
            fan = fan_at(arena, index)
            bad = OK
            if unusual:
                bad, fan = UNUSUAL, NONE
                left += 1
            elif fan == NONE:
                bad = NOT_A_WIN
            elif not suits_fit(arena, suits_held(codes, lacks), ZERO):
                bad, fan = suits_trouble(arena, suits_held(codes, lacks)), NONE
            write_row(
                answers, prices, i, bad, fan + value * np.int64(gens), index, gens, kongs, flags,
                np.int64(0),
            )  # fmt: skip
        start += count
    return left


@kernel
def score_unusual(fields, kinds, rows, arena_, answers, by_suits, by_divisions):
    """The rows that ``score_rows`` left.

    rows : int64[m], which
    by_suits, by_divisions : True and None; None and True for rule sets that need every
        division or virtual fifth copies
    returns : place in ``rows`` of the first hand that cannot be, or -1
    """
    arena = address_of(arena_)
    tables = knob(arena, TABLES)
    prices = read_prices(arena)
    work = make_work(len(rows))
    tiles = np.empty((3, 34), np.int64)
    first_bad = np.int64(-1)
    for place in range(len(rows)):
        i = U(rows[place])
        row = row_of(fields, kinds, i)
        melds, wilds, flags, seat, win = row[0], row[2], row[4], row[6], row[8]
        bad, known = read_row(arena, tables, fields[CONCEALED] + kinds * i, kinds, row, tiles)
        total, sums, lacks, gens, of_wilds, stood_for = known
        if bad == OK:
            bad = BAD_SIZE if total != FULL else win_trouble(arena, row, tiles, sums)
        fan, index = NONE, ZERO
        kongs = (sums >> KONGS_SHIFT) & KONGS_FIELD
        if bad == OK:
            other_suits = False
            if not is_fifth(arena, tiles, stood_for):
                fan, index, gens, other_suits = best_reading(
                    by_suits, by_divisions, tables, arena, knob(arena, CLASSES), tiles[0], tiles[1],
                    np.int64(wilds), melds, sums, lacks, gens, flags, seat, win, work,
                )  # fmt: skip
            if fan == NONE:
                bad = TOO_MANY_SUITS if other_suits else NOT_A_WIN
        elif first_bad < 0:
            first_bad = np.int64(place)
        write_row(answers, prices, i, bad, fan, index, U(gens), kongs, flags, of_wilds)
    return first_bad


@kernel
def score_one(packed, arena):
    """One hand, without wild tiles and where no division is asked for singly.

    packed : bytes, 44, of ``scores.packed``; arena : intp, address of the rule set's
    returns : (Reason or UNUSUAL, fan, points, payment, place in the table of patterns,
        roots, kongs, add-ons)
    """
    hand, table = address_of(packed), U(arena)
    tables = knob(table, TABLES)
    codes, m1, _, _, _, size = read_one(hand)
    melds, win, flags = load_32(hand + MELDS_AT), load_8(hand + WIN_AT), load_16(hand + FLAGS_AT)
    seat = load_8(hand + SEAT_AT)
    over, four, _, sums, lacks = with_melds(tables + MELDS, hand, melds)
    opened, kongs = (sums >> WIN_SHIFT) & OPEN_FIELD, (sums >> KONGS_SHIFT) & KONGS_FIELD
    no_chows = U(knob(table, CHOW_MELDS) == ZERO)
    unusual = (
        knob(table, OF_DIVISIONS)
        | over
        | (size + MELD_SIZE * ((sums >> SETS_SHIFT) & SETS_FIELD)) ^ FULL
        | m1 >> knob(table, KINDS)
        | lacks & HONOURS
        | lacks & no_chows * CHOW
    )
    if flags & ~ONE and unusual == ZERO:
        concealed, own = ZERO, ZERO
        if win != NO_TILE:
            concealed = load_8(hand + win)
            own = concealed + copies_in_melds(tables + MELDS, melds, win)
        on_discard = knob(table, EARTHLY_ON_DISCARD)
        unusual |= U(flags_cannot_be(flags, own, concealed, kongs, opened, on_discard))
    nothing = (np.int64(-1), np.int64(0), np.int64(0), ZERO, ZERO, ZERO, np.int64(0))
    if unusual:
        return (UNUSUAL, *nothing)
    gens = bit_count(four) - kongs
    suits = (codes[0], codes[1], codes[2])
    word = suits_word(tables, table, suits, size, sums, lacks, gens, flags, seat)
    index = index_of(table, word)
    fan = fan_at(table, index)
    if fan == NONE:
        return (NOT_A_WIN, *nothing)
    if not suits_fit(table, suits_held(suits, lacks), ZERO):
        return (suits_trouble(table, suits_held(suits, lacks)), *nothing)
    addon = addon_of(table, flags)
    fan += np.int64(knob(table, GEN)) * np.int64(gens) + addon
    fan += np.int64(knob(table, KONG)) * np.int64(kongs)
    at = points_at(table, fan)
    points, payment = load_32(at), load_32(at + (U(8) if flags & SELF_DRAWN else FOUR))
    return OK, fan, signed(points, 32), signed(payment, 32), index, gens, kongs, addon
