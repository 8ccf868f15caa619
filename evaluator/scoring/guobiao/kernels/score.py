"""The kernels of Guobiao scoring: batches, one hand, the waits of hands.

What a hand is worth is found in ``worth``, its fan are counted in ``fancounts``, and
what cannot be is found in ``rows``.
"""

from __future__ import annotations

import numpy as np

from ....engine.jit import inline, kernel
from ....engine.vector import (
    address_of,
    load_8,
    load_16,
    load_32,
    load_64,
    low_bit,
    store_8,
    store_16,
    store_64,
)
from ....errors import Reason
from ....shape.kernels.forms import hand_accepts
from ....shape.kernels.melds import (
    EIGHT,
    FOUR,
    FULL,
    KONGS_SHIFT,
    MELD_SIZE,
    SETS_FIELD,
    SETS_SHIFT,
    THREE,
    TWO,
    WIN_SHIFT,
    copies_in_melds,
    with_melds,
)
from ....shape.kernels.rows import (
    CONCEALED,
    FLOWERS,
    HOW,
    MELD_IDS_AT,
    NO_TILE,
    PREVALENT,
    SEAT,
    WIN_TILE,
    byte_of,
    four_of,
)
from ....shape.kernels.suits import BLOCK, CODE, NO_VOID, ONE, POWERS, ZERO, U, read_counts
from ...kernels.checks import (
    FLAGS_AT,
    FLOWERS_AT,
    HEAVENLY,
    IMPOSSIBLE_FLAGS,
    LAST_TILE,
    MELDS_AT,
    MOST_FLOWERS,
    NO_CODES,
    OPEN_FIELD,
    PREVALENT_AT,
    SEAT_AT,
    SELF_DRAWN,
    SIMPLE_FLAGS,
    WIN_AT,
    WIND_SHIFT,
    flags_cannot_be,
    read_one,
    trouble,
    waiting_trouble,
    with_last_tile,
    wrong_row,
)
from ...kernels.waits import DISCARD, DRAWN, LEFT, WAIT_MET, WAIT_REASON, clear_waits
from .. import layout as ft
from .fan_counts import COLUMNS, LINES, count_fan
from .outcomes import (
    FLOWER_VALUE,
    HONOUR_TILE,
    MELDS,
    MINIMUM,
    SUIT_KINDS,
    VALUES,
    hand_worth,
)

GEOMETRY_AT = VALUES + U(8 * 7)
NOT_A_WIN, BAD_SIZE = U(Reason.NOT_A_WIN), U(Reason.BAD_SIZE)

MET_BIT, REASON_SHIFT, FORM_SHIFT = U(16), U(20), U(28)
ENTRIES = 4  # fan in a word of the answer, and words


@inline
def score_row(
    arena, words, hand, melds, win, flags, prevalent, seat, flowers, codes, m1, m2, m3, m4, size
):
    """(Reason, what ``hand_worth`` found) of one row."""
    if flags & HEAVENLY and win == NO_TILE:
        # a dealt hand is won with none of its tiles more than with another
        win = low_bit(m1)
    own = with_melds(arena + MELDS, hand, melds)
    bad = ZERO
    if wrong_row(own, m1, win, prevalent, seat, flowers):
        bad = trouble(arena + MELDS, hand, melds, win, flags, prevalent, seat, flowers)
    elif flags & ~SIMPLE_FLAGS:
        concealed = load_8(hand + win)
        copies = concealed + copies_in_melds(arena + MELDS, melds, win)
        kongs, opened = (own[3] >> KONGS_SHIFT) & U(7), (own[3] >> WIN_SHIFT) & OPEN_FIELD
        if flags_cannot_be(flags, copies, concealed, kongs, opened, ZERO):
            bad = IMPOSSIBLE_FLAGS
    if bad:
        # what is wrong has no tile that could lead astray
        codes, m1, m2, m3, m4, size, win = NO_CODES, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO
    how = with_last_tile(flags, own[1], m2, win)
    winds = (prevalent << TWO) | seat
    found = hand_worth(arena, words, codes, m1, m2, m3, m4, own, win, how, winds, size)
    if found[0] == ZERO and bad == ZERO:
        # of all that can be wrong only the size has not been looked at
        melded = (own[3] >> SETS_SHIFT) & SETS_FIELD
        bad = NOT_A_WIN if size + MELD_SIZE * melded == FULL else BAD_SIZE
    return bad, found


# addresses of the answers of ``score_rows``
TOTAL, MET, REASON, COUNTS = range(4)


@inline
def places_of(fields):
    """The addresses of what ``row_of_14`` reads, once: each store might change the array."""
    return (
        fields[MELD_IDS_AT],
        fields[WIN_TILE],
        fields[HOW],
        fields[PREVALENT],
        fields[SEAT],
        fields[FLOWERS],
    )


@inline
def row_of_14(places, i):
    """(melds, winning tile, flags, prevalent wind, seat wind, flowers) of a row."""
    melds, win, flags, prevalent, seat, flowers = places
    return (
        four_of(melds, i),
        byte_of(win, i, NO_TILE),
        load_16(flags + TWO * i) if flags else ZERO,
        byte_of(prevalent, i, ZERO),
        byte_of(seat, i, ZERO),
        byte_of(flowers, i, ZERO),
    )


@kernel
def score_rows(fields, n, arena, words, answers, detail):
    """Totals of ``n`` hands, and how often each fan counts.

    fields : uint64[FIELDS], addresses of the fields of ``hands.Hands``; 0 = the field has its
        default in all hands
    arena, words : of ``layout`` and ``fan``
    answers : uint64[4], addresses of int16 total (-1 = no win), bool met, uint8 reason, and
        with detail uint8 counts[n, 82]
    detail : True, or None (which is another compilation)
    returns : index of the first hand that cannot be, or -1
    """
    geometry, outcomes = address_of(arena), address_of(words)
    minimum = load_64(outcomes + MINIMUM)
    flower_value = load_64(outcomes + FLOWER_VALUE)
    block_words = np.empty(4 * BLOCK, np.uint64)
    masks = np.empty((4, BLOCK), np.uint64)
    first_bad = np.int64(-1)
    concealed, places = fields[CONCEALED], places_of(fields)
    total_at, met_at, reason_at = answers[TOTAL], answers[MET], answers[REASON]
    start = np.int64(0)
    while start < n:
        count = read_counts(np.int64(concealed), U(34), n, start, block_words, masks)
        for h in range(count):
            i = U(start + h)
            a, b = block_words[4 * h], block_words[4 * h + 1]
            c, d = block_words[4 * h + 2], block_words[4 * h + 3]
            melds, win, flags, prevalent, seat, blossoms = row_of_14(places, i)
            bad, found = score_row(
                geometry,
                outcomes,
                concealed + U(34) * i,
                melds,
                win,
                flags,
                prevalent,
                seat,
                blossoms,
                (a & CODE, b & CODE, c & CODE, d & CODE),
                masks[0, h],
                masks[1, h],
                masks[2, h],
                masks[3, h],
                ((a + b + c + d) >> U(32)) & U(0xFFFF),
            )
            points = found[0] if bad == ZERO else ZERO
            total = np.int64(points + blossoms * flower_value) if points else np.int64(-1)
            store_16(total_at + TWO * i, U(total))
            store_8(met_at + i, U(points >= minimum and points != ZERO))
            store_8(reason_at + i, bad)
            if bad != ZERO and bad != NOT_A_WIN and first_bad < 0:
                first_bad = np.int64(i)
            if detail is not None:
                out = answers[COUNTS] + COLUMNS * i
                if points:
                    count_fan(geometry, outcomes, found, win, blossoms, out)
                else:
                    for line in range(LINES):
                        store_64(out + U(8 * line), ZERO)
                    store_64(out + COLUMNS - EIGHT, ZERO)
        start += count
    return first_bad


@kernel
def score_one(packed, words):
    """One hand: total and its fan.

    packed : bytes, 44: counts, melds, winning tile, prevalent and seat wind, flowers,
        flags
    words : intp, address of the words of the rule set
    returns : (total, MET_BIT, Reason, form; four words of (column, count) in 16 bits,
        in the order of the columns; record of the division taken)
    """
    hand, outcomes = address_of(packed), U(words)
    arena = load_64(outcomes + GEOMETRY_AT)
    codes, m1, m2, m3, m4, size = read_one(hand)
    win, flowers = load_8(hand + WIN_AT), load_8(hand + FLOWERS_AT)
    bad, found = score_row(
        arena,
        outcomes,
        hand,
        load_32(hand + MELDS_AT),
        win,
        load_16(hand + FLAGS_AT),
        load_8(hand + PREVALENT_AT),
        load_8(hand + SEAT_AT),
        flowers,
        codes,
        m1,
        m2,
        m3,
        m4,
        size,
    )
    if bad:
        return bad << REASON_SHIFT, ZERO, ZERO, ZERO, ZERO, ZERO
    met = U(found[0] >= load_64(outcomes + MINIMUM))
    total = found[0] + flowers * load_64(outcomes + FLOWER_VALUE)
    counts = np.empty(ft.COLUMNS, np.uint8)
    out = address_of(counts)
    count_fan(arena, outcomes, found, win, flowers, out)
    answer = np.zeros(ENTRIES, np.uint64)
    place = ZERO
    for line in range(LINES + 1):
        # the last line begins where the one before ends, its other bytes are none
        column = U(8 * line)
        eight = load_64(out + column) if line < LINES else load_16(out + column)
        while eight:
            byte = low_bit(eight) >> THREE
            many = (eight >> (byte << THREE)) & U(255)
            entry = (column + byte) | (many << EIGHT)
            answer[place >> TWO] |= entry << ((place & THREE) << FOUR)
            place += ONE
            eight &= ~(U(255) << (byte << THREE))
    head = total | (met << MET_BIT) | (found[1] << FORM_SHIFT)
    return head, answer[0], answer[1], answer[2], answer[3], found[2]


@inline
def one_more(m1, m2, m3, m4, bit):
    """Bits of the tiles with 1 to 4 copies when one more is held."""
    return m1 | bit, m2 | (m1 & bit), m3 | (m2 & bit), m4 | (m3 & bit)


@inline
def with_tile(codes, tile):
    """Codes of a hand with one tile more."""
    step = POWERS[tile]
    return (
        codes[0] + (step if tile < SUIT_KINDS else ZERO),
        codes[1] + (step if tile >= SUIT_KINDS and tile < TWO * SUIT_KINDS else ZERO),
        codes[2] + (step if tile >= TWO * SUIT_KINDS and tile < HONOUR_TILE else ZERO),
        codes[3] + (step if tile >= HONOUR_TILE else ZERO),
    )


@kernel
def wait_totals(fields, n, seen, seen_step, forms, shapes, accept, arena, words, answers):
    """Totals of ``n`` hands of 13 tiles, for each tile that completes them.

    fields, arena, words : as for ``score_rows``
    seen : uint64, address of the tiles visible elsewhere, 34 counts for each hand (seen_step
        34) or for all (0); 0 = none
    forms : bits of the forms of a complete hand; shapes, accept : of ``tables``
    answers : uint64[5], addresses of int16 discard and self_drawn [n, 34], -1 = no score;
        bool met [n, 34, 2]; uint8 left [n, 34]; uint8 reason
    returns : index of the first hand that cannot be, or -1
    """
    geometry, outcomes = address_of(arena), address_of(words)
    minimum = load_64(outcomes + MINIMUM)
    flower_value = load_64(outcomes + FLOWER_VALUE)
    both = np.empty(40, np.uint8)
    places = places_of(fields)
    block_words = np.empty(4 * BLOCK, np.uint64)
    masks = np.empty((4, BLOCK), np.uint64)
    first_bad = np.int64(-1)
    for row in range(n):
        h = row % BLOCK
        if h == 0:
            read_counts(np.int64(fields[CONCEALED]), U(34), n, np.int64(row), block_words, masks)
        i = U(row)
        hand = fields[CONCEALED] + U(34) * i
        own_melds, _, how, round_wind, own_wind, blossoms = row_of_14(places, i)
        clear_waits(answers, i)
        a, b = block_words[4 * h], block_words[4 * h + 1]
        c, d = block_words[4 * h + 2], block_words[4 * h + 3]
        codes = (a & CODE, b & CODE, c & CODE, d & CODE)
        size = ((a + b + c + d) >> U(32)) & U(0xFFFF)
        m1, m2, m3, m4 = masks[0, h], masks[1, h], masks[2, h], masks[3, h]
        base = with_melds(geometry + MELDS, hand, own_melds)
        used = (base[3] >> SETS_SHIFT) & SETS_FIELD
        suspect = (
            base[0]
            | (size + MELD_SIZE * used) ^ (FULL - ONE)
            | (round_wind | own_wind) >> WIND_SHIFT
            | U(blossoms > MOST_FLOWERS)
            | (how & ~SIMPLE_FLAGS)
        )
        bad = ZERO
        if suspect:
            bad = waiting_trouble(
                geometry + MELDS, hand, own_melds, how, round_wind, own_wind, blossoms
            )
        beside = seen + seen_step * i
        if seen and bad == ZERO:
            for tile in range(34):
                both[tile] = load_8(hand + U(tile)) + load_8(beside + U(tile))
            if with_melds(geometry + MELDS, address_of(both), own_melds)[0]:
                bad = U(Reason.SEEN_TOO_MANY)
        store_8(answers[WAIT_REASON] + i, bad)
        if bad:
            first_bad = np.int64(row) if first_bad < 0 else first_bad
            continue
        distance, waits = hand_accepts(
            shapes, accept, codes[:3], codes[3], (m1, m2, m3, m4), size, forms, 1 << NO_VOID
        )
        if distance != 1:
            continue
        opened = (base[3] >> WIN_SHIFT) & OPEN_FIELD
        kongs = (base[3] >> KONGS_SHIFT) & U(7)
        winds = (round_wind << TWO) | own_wind
        while waits:
            tile = low_bit(waits)
            waits &= waits - ONE
            concealed = load_8(hand + tile)
            gone = copies_in_melds(geometry + MELDS, own_melds, tile) if own_melds else ZERO
            own = concealed + gone + ONE
            if seen:
                gone += load_8(beside + tile)
            if own > FOUR:
                continue
            bit = ONE << tile
            n1, n2, n3, n4 = one_more(m1, m2, m3, m4, bit)
            four = base[1] | (bit if own == FOUR else ZERO)
            complete = with_tile(codes, tile)
            basic = how & ~SELF_DRAWN
            # the other three copies lie where everyone sees them
            if concealed == ZERO and gone >= THREE:
                basic |= LAST_TILE
            for drawn in range(2):
                win_flags = basic | U(drawn)
                if win_flags & ~SIMPLE_FLAGS and flags_cannot_be(
                    win_flags, own, concealed + ONE, kongs, opened, ZERO
                ):
                    continue
                found = hand_worth(
                    geometry,
                    outcomes,
                    complete,
                    n1,
                    n2,
                    n3,
                    n4,
                    (ZERO, four, base[2], base[3], base[4]),
                    tile,
                    win_flags,
                    winds,
                    size + ONE,
                )
                if found[0]:
                    place = TWO * (U(34) * i + tile)
                    total = found[0] + blossoms * flower_value
                    store_16(answers[DRAWN if drawn else DISCARD] + place, total)
                    store_8(answers[WAIT_MET] + place + U(drawn), U(found[0] >= minimum))
                    store_8(answers[LEFT] + U(34) * i + tile, FOUR - concealed - gone)
    return first_bad
