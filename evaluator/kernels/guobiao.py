"""Guobiao: what complete hands are worth, and how often each fan counts.

The path of a hand: its suits and melds are rows of the geometry arena whose records
are added up; the record of each division leads to an outcome on each of six sides,
and each outcome is one *word* of the rule set. Added, the words give the points; a
fan that one side has and another excludes is taken off again. What records, outcomes
and words are is told in ``tables/guobiao.py`` and :mod:`evaluator.fantables`.

There is no search for the place of the winning tile. Won by a discard, a concealed
pung is open iff the hand conceals exactly three of the tile: with a fourth, or without
the pung, some chow or the pair can hold it. And where the other thirteen tiles wait
for one tile alone, every division puts it at an edge, in a middle or in the pair, so
that the point for it depends on the hand only.
"""

from __future__ import annotations

import numpy as np

from .. import fantables as ft
from ..errors import Reason
from ..jit import helper, inline, kernel
from ..tables import HONOURS
from ..tiles import ORPHANS
from .forms import hand_accepts
from .suits import BLOCK, BODY_BITS, CODE, NO_VOID, ONE, POWERS, ZERO, U, read_counts
from .vector import (
    address_of,
    bit_count,
    load_8,
    load_16,
    load_32,
    load_64,
    low_bit,
    own_tiles,
    store_8,
    store_64,
)

_PLACE = {name: U(place) for name, place in ft.GEOMETRY.items()}
ID, ROWS, FURTHER, MELDS = (_PLACE[name] for name in ("id", "row", "further", "meld"))
CHOWS_SHIFT_TABLE, CHOWS_TABLE = _PLACE["chows_shift"], _PLACE["chows"]
PUNGS_SHIFT_TABLE, PUNGS_TABLE = _PLACE["pungs_shift"], _PLACE["pungs"]
SHAPE_TABLE, CLASS_TABLE = _PLACE["shape"], _PLACE["class"]
HONOURS_TABLE, WIN_TABLE = _PLACE["honours"], _PLACE["win"]
SIGNATURES, FACTORS = _PLACE["signature"], _PLACE["factors"]

_WORD = {name: U(place) for name, place in ft.WORDS.items()}
CLASS_WORDS, PAIRS_WORDS, HONOURS_WORDS = _WORD["class"], _WORD["pairs"], _WORD["honours"]
WIN_WORDS, CHOWS_WORDS, PUNGS_WORDS = _WORD["win"], _WORD["chows"], _WORD["pungs"]
SHAPE_WORDS, FORM_WORDS, WAIT_WORD = _WORD["shape"], _WORD["forms"], _WORD["wait"]
VALUES, LOST, UNDO = _WORD["values"], _WORD["lost"], _WORD["undo"]
CLASS_LISTS, PAIRS_LISTS, HONOURS_LISTS = (
    _WORD["list_class"],
    _WORD["list_pairs"],
    _WORD["list_honours"],
)
WIN_LISTS, CHOWS_LISTS, PUNGS_LISTS = _WORD["list_win"], _WORD["list_chows"], _WORD["list_pungs"]
SHAPE_LISTS, FORM_LISTS = _WORD["list_shape"], _WORD["list_forms"]
DOUBLE_VALUE, OUTER_VALUE, HOG_VALUE, CHICKEN_VALUE, FLOWER_VALUE, NINE_LESS, MINIMUM = (
    VALUES + U(8 * place) for place in range(7)
)
GEOMETRY_AT = VALUES + U(8 * 7)

TWO, THREE, FOUR, FIVE, EIGHT, SIXTEEN = U(2), U(3), U(4), U(5), U(8), U(16)

ROW_SIZE = U(ft.ROW)
RECORD, TILES, WAIT = U(ft.RECORD), U(ft.TILES), U(ft.WAIT)
STEP = U(ft.SUIT_STEP)
FURTHER_ROW, FURTHER_WAIT = U(32), U(24)
PAIRS_AND_SETS, COMPLETE = U(ft.PAIRS_AND_SETS), U(1 | 4 << 4)
KNITTED_COMPLETE = U(1 | 1 << 4)
FURTHER_SHIFT, FURTHER_FIELD = U(ft.FURTHER_SHIFT), U(ft.FURTHER_FIELD)
OFFSET_SHIFT, OFFSET_FIELD = U(ft.OFFSET_SHIFT), U(ft.OFFSET_FIELD)
HONOUR_SHIFT, HONOUR_FIELD = U(ft.HONOUR_SHIFT), U(ft.HONOUR_FIELD)
UNIQUE_SHIFT, SIGNATURE = U(ft.UNIQUE_SHIFT), U((1 << 15) - 1)
SETS_SHIFT, SETS_FIELD = U(ft.SETS_SHIFT), U(0b1111)
WIN_SHIFT, WIN_FIELD, WIN_FLAGS = U(ft.WIN_SHIFT), U(ft.WIN_FIELD), U(9)
PUNGS_SHIFT, PUNGS_FIELD, KONGS_SHIFT = U(ft.PUNGS_SHIFT), U(ft.PUNGS_FIELD), U(ft.KONGS_SHIFT)
PREVALENT_SHIFT, SEAT_SHIFT = U(12), U(10)

NUMBER_PUNGS = U(ft.NUMBER_PUNGS)
CONCEALED_BIT, FIVES_BIT, KEY_BIT = U(ft.CONCEALED_BIT), U(ft.FIVES_BIT), U(ft.KEY_BIT)
SHAPE_FIELD = U(ft.SHAPE_FIELD)
# beside the nine knitted tiles, which are three sets of no kind
BODY_RECORD = U(3 << ft.CHOWS_BIT | 1 << ft.FIVELESS_BIT | 1 << ft.INNER_BIT)
BUCKET, SLOT = U(36), U(16)
CHOW_BUCKETS, CHOW_SLOTS = U(ft.CHOW_BUCKETS - 1), U(ft.CHOW_SLOTS - 1)
PUNG_BUCKETS, PUNG_SLOTS = U(ft.PUNG_BUCKETS - 1), U(ft.PUNG_SLOTS - 1)
DOUBLE_DRAGON = U(ft.DOUBLE_DRAGON)
PURE_DRAGON = U(ft.DOUBLE_DRAGON)
SUITS_SHIFT, SUITS_FIELD, HONOUR_SIGNATURE = U(10), U(0b11111), U(0b11000 << 10)
ALL_SUITS = U(0b111)

POINTS = U(ft.POINTS_FIELD)
OUTERS_SHIFT, DOUBLES_SHIFT, HOGS_SHIFT = U(ft.OUTERS_SHIFT), U(ft.DOUBLES_SHIFT), U(ft.HOGS_SHIFT)
TIES_SHIFT = U(ft.TIES_SHIFT)
HAS_SHIFT, KILL_SHIFT, COUNTED_SHIFT = U(ft.HAS_SHIFT), U(ft.KILL_SHIFT), U(ft.COUNTED_SHIFT)
BITS = U((1 << ft.BITS) - 1)
REVIVED = UNDO + U(ft.BITS)

KNITTED, PAIRS, SHIFTED_PAIRS, ORPHANS_FORM, ALL_HONOURS, LESSER, LESSER_STRAIGHT, NINE = (
    U(form) for form in range(len(ft.FORMS))
)
NO_FORM = U(len(ft.FORMS))

HONOUR_TILE, SUIT_KINDS = U(27), U(9)
SUIT_FIELD, HONOUR_BITS = U(0x1FF), U(0b1111111 << 27)
ORPHAN_BITS = U(sum(1 << tile for tile in ORPHANS))
SEVEN_RUN = U(0b1111111)
FULL, MELD_SIZE = U(14), U(3)
NINE_GATES = U(sum(5**place * (3 if place in (0, 8) else 1) for place in range(9)))
# codes of the nine knitted tiles of each pattern, by suit
BODY_CODES = np.array(
    [
        sum(5 ** (8 - tile % 9) for tile in range(9 * suit, 9 * suit + 9) if int(body) >> tile & 1)
        for body in BODY_BITS
        for suit in range(3)
    ],
    np.uint64,
)

# flags of a hand; the first four are those of the win tables
SELF_DRAWN, LAST_TILE, WALL_LAST, KONG = U(1), U(2), U(4), U(8)
KONG_DISCARD, HEAVENLY, EARTHLY = U(16), U(32), U(64)
LAST_SHIFT, SIMPLE_FLAGS, WIN_FLAGS_FIELD, ALL_FLAGS = U(1), U(1 | 4), U(15), U(127)
NO_TILE, KINDS, TILE_FIELD, MOST_FLOWERS, MELD_IDS = U(255), U(34), U(63), U(8), U(124)
WIND_SHIFT = U(2)
OPEN_FIELD = U(0b111)

NO_CODES = (ZERO, ZERO, ZERO, U(HONOURS))
NOT_A_WIN, BAD_SIZE = U(Reason.NOT_A_WIN), U(Reason.BAD_SIZE)
IMPOSSIBLE_FLAGS = U(Reason.IMPOSSIBLE_FLAGS)

COLUMNS, LINES = U(ft.COLUMNS), ft.COLUMNS // 8
DOUBLE_COLUMN, OUTER_COLUMN, HOG_COLUMN = U(64), U(72), U(63)
EDGE_COLUMN, CHICKEN, FLOWERS = U(76), U(42), U(ft.FLOWERS)
WAIT_BITS = U(18)


@inline
def word(words, side, outcome):
    """The word of an outcome."""
    return load_64(words + side + EIGHT * outcome)


@inline
def chows_outcome(arena, record):
    h = (record >> KEY_BIT) * load_64(arena + FACTORS)
    shift = load_16(arena + CHOWS_SHIFT_TABLE + TWO * ((h >> BUCKET) & CHOW_BUCKETS))
    return load_8(arena + CHOWS_TABLE + (((h >> SLOT) & CHOW_SLOTS) ^ shift))


@inline
def pungs_outcome(arena, record):
    h = (record & NUMBER_PUNGS) * load_64(arena + FACTORS + EIGHT)
    shift = load_16(arena + PUNGS_SHIFT_TABLE + TWO * ((h >> BUCKET) & PUNG_BUCKETS))
    return load_8(arena + PUNGS_TABLE + (((h >> SLOT) & PUNG_SLOTS) ^ shift))


@inline
def dragon_outcome(outcome, record, signature):
    """The outcome of chows that would be a 双龙会 with a pair of the right fives."""
    suits = (signature >> SUITS_SHIFT) & SUITS_FIELD
    pure = outcome == PURE_DRAGON
    right = (suits & (suits - ONE)) == ZERO if pure else (suits & ALL_SUITS) == ALL_SUITS
    return outcome + (((record >> FIVES_BIT) & ONE) if right else ZERO)


@inline
def side_outcomes(arena, record, signature):
    """Outcomes of chows, pungs and shape."""
    chows = chows_outcome(arena, record)
    if chows >= DOUBLE_DRAGON:
        chows = dragon_outcome(chows, record, signature)
    shape = load_8(arena + SHAPE_TABLE + ((record >> CONCEALED_BIT) & SHAPE_FIELD))
    return chows, pungs_outcome(arena, record), shape


@inline
def settled(words, has, excludes):
    """Points of added words, less what one side has and another excludes."""
    both = (has >> HAS_SHIFT) & (excludes >> KILL_SHIFT) & BITS
    points = (has & POINTS) - load_16(words + LOST + TWO * both)
    counted = excludes >> COUNTED_SHIFT
    if counted:
        if counted & ONE:
            points -= ((has >> DOUBLES_SHIFT) & THREE) * load_64(words + DOUBLE_VALUE)
        if counted & TWO:
            points -= ((has >> OUTERS_SHIFT) & U(7)) * load_64(words + OUTER_VALUE)
        if counted & FOUR:
            points -= ((has >> HOGS_SHIFT) & U(7)) * load_64(words + HOG_VALUE)
    return points


@inline
def division_words(arena, words, record, signature, has, excludes):
    """The words of a division added to those of its hand."""
    chows, pungs, shape = side_outcomes(arena, record, signature)
    a, b = word(words, CHOWS_WORDS, chows), word(words, PUNGS_WORDS, pungs)
    c = word(words, SHAPE_WORDS, shape)
    return has + a + b + c, excludes | a | b | c


@inline
def division_worth(arena, words, record, signature, has, excludes):
    """Points of a division; ties in the low bits."""
    has, excludes = division_words(arena, words, record, signature, has, excludes)
    points = settled(words, has, excludes)
    return (points << TWO) | ((has >> TIES_SHIFT) & THREE)


@inline
def division_at(arena, row, i, suit):
    """(record, waits) of the i-th division of the vector at ``row``, as of a suit."""
    first = row + RECORD + STEP * suit
    # the first lies in the row itself, the others follow each other in FURTHER
    offset = (load_64(row) >> OFFSET_SHIFT) & OFFSET_FIELD
    later = arena + FURTHER + FURTHER_ROW * (offset + i - ONE)
    record = load_64(first if i == ZERO else later + EIGHT * suit)
    waits = load_64(row + WAIT if i == ZERO else later + FURTHER_WAIT)
    return record, waits << (WAIT_BITS * suit)


@inline
def best_division(arena, words, rows, base, signature, win, claimed, has, excludes):
    """(worth, record, waits) of the best division of the vectors at ``rows``.

    base : record of melds and honours; claimed : 1 when the winning tile was claimed
        and may have made a pung of numbers
    """
    best, best_record, best_waits, first = ZERO, ZERO, ZERO, True
    more_a = (load_64(rows[0]) >> FURTHER_SHIFT) & FURTHER_FIELD
    more_b = (load_64(rows[1]) >> FURTHER_SHIFT) & FURTHER_FIELD
    more_c = (load_64(rows[2]) >> FURTHER_SHIFT) & FURTHER_FIELD
    i, j, k = ZERO, ZERO, ZERO
    record = base + load_64(rows[0] + RECORD)
    record += load_64(rows[1] + RECORD + STEP) + load_64(rows[2] + RECORD + TWO * STEP)
    waits = load_64(rows[0] + WAIT) | (load_64(rows[1] + WAIT) << WAIT_BITS)
    waits |= load_64(rows[2] + WAIT) << (TWO * WAIT_BITS)
    while True:
        # the pung of a claimed tile, where there is one, is open
        record -= ((record >> win) & claimed) << CONCEALED_BIT
        worth = division_worth(arena, words, record, signature, has, excludes)
        if worth > best or first:
            best, best_record, best_waits, first = worth, record, waits, False
        if i == more_a and j == more_b and k == more_c:
            return best, best_record, best_waits
        # the next of all combinations
        k += ONE
        if k > more_c:
            k = ZERO
            j += ONE
            if j > more_b:
                j = ZERO
                i += ONE
        record_a, waits_a = division_at(arena, rows[0], i, ZERO)
        record_b, waits_b = division_at(arena, rows[1], j, ONE)
        record_c, waits_c = division_at(arena, rows[2], k, TWO)
        record = base + record_a + record_b + record_c
        waits = waits_a | waits_b | waits_c


@inline
def ranks_signature(arena, m1):
    """Signature of the tiles that are there."""
    at = arena + SIGNATURES
    step = U(2 * 512)
    return (
        load_16(at + TWO * (m1 & SUIT_FIELD))
        | load_16(at + step + TWO * ((m1 >> SUIT_KINDS) & SUIT_FIELD))
        | load_16(at + TWO * step + TWO * ((m1 >> U(18)) & SUIT_FIELD))
        | load_16(at + THREE * step + TWO * (m1 >> HONOUR_TILE))
    )


@inline
def vector_rows(arena, codes):
    """(rows of the three suits and the honours, sum of their headers)."""
    ids, rows = arena + ID, arena + ROWS
    a = rows + ROW_SIZE * load_16(ids + TWO * codes[0])
    b = rows + ROW_SIZE * load_16(ids + TWO * codes[1])
    c = rows + ROW_SIZE * load_16(ids + TWO * codes[2])
    d = rows + ROW_SIZE * load_16(ids + TWO * codes[3])
    return (a, b, c, d), load_64(a) + load_64(b) + load_64(c) + load_64(d)


@helper
def knitted_codes(codes, m1):
    """(codes without nine knitted tiles, whether they are all there)."""
    for pattern in range(len(BODY_BITS)):
        body = BODY_BITS[pattern]
        if m1 & body == body:
            a = codes[0] - BODY_CODES[3 * pattern]
            b = codes[1] - BODY_CODES[3 * pattern + 1]
            c = codes[2] - BODY_CODES[3 * pattern + 2]
            return (a, b, c, codes[3]), ONE
    return codes, ZERO


@helper
def special_worth(arena, words, m1, m2, m3, m4, win_word, hogs):
    """Fourteen concealed tiles that are no sets: (points, form, class, words, exclusions).

    0 points: not complete. The class is used by seven pairs only.
    """
    kind, form = ZERO, NO_FORM
    has, excludes = win_word, win_word
    if m1 ^ m2 ^ m3 ^ m4 == ZERO:
        signature = ranks_signature(arena, m1)
        kind = load_16(arena + CLASS_TABLE + TWO * signature)
        suits = (signature >> SUITS_SHIFT) & SUITS_FIELD
        one_suit = (suits & (suits - ONE)) == ZERO and suits <= ALL_SUITS
        shifted = one_suit and bit_count(m1) == U(7) and m1 >> low_bit(m1) == SEVEN_RUN
        form = SHIFTED_PAIRS if shifted else PAIRS
        of_class = word(words, PAIRS_WORDS, kind)
        has += of_class + hogs * ((ONE << HOGS_SHIFT) + load_64(words + HOG_VALUE))
        excludes |= of_class
    elif m1 == ORPHAN_BITS:
        form = ORPHANS_FORM
    elif m2 == ZERO:
        numbers = m1 & NUMBER_PUNGS
        for pattern in range(len(BODY_BITS)):
            if numbers & ~BODY_BITS[pattern] == ZERO:
                form = LESSER_STRAIGHT if numbers == BODY_BITS[pattern] else LESSER
        if form != NO_FORM and m1 & HONOUR_BITS == HONOUR_BITS:
            form = ALL_HONOURS
    if form == NO_FORM:
        return ZERO, form, kind, has, excludes
    of_form = word(words, FORM_WORDS, form)
    has += of_form
    excludes |= of_form
    return settled(words, has, excludes), form, kind, has, excludes


@inline
def hand_worth(arena, words, codes, m1, m2, m3, m4, own, win, flags, winds, size):
    """What one hand is worth, its row already checked.

    codes : of the suits and the honours; m1-m4 : bits of the tiles with at least so
        many copies concealed; own : of ``own_tiles``; flags : the first four
    winds : prevalent * 4 + seat; size : concealed tiles
    returns : (points without flowers, 0 = no win; form; record and waits of the division
        taken; unique wait; signature; outcomes of class, honours and win; words of all
        but the division; their exclusions; is it 无番和)
    """
    _, four, base, sums, signature = own
    kongs = (sums >> KONGS_SHIFT) & U(7)
    hogs = bit_count(four) - kongs
    melded = (sums >> SETS_SHIFT) & SETS_FIELD
    win_index = ((sums >> WIN_SHIFT) & WIN_FIELD) | (flags << WIN_FLAGS)
    win_kind = load_16(arena + WIN_TABLE + TWO * win_index)
    win_word = word(words, WIN_WORDS, win_kind)
    rows, total = vector_rows(arena, codes)
    total += sums
    form = NO_FORM
    complete = total & PAIRS_AND_SETS == COMPLETE
    if not complete and melded <= ONE:
        rest, knitted = knitted_codes(codes, m1)
        if knitted:
            codes = rest
            rows, total = vector_rows(arena, codes)
            total += sums
            complete = total & PAIRS_AND_SETS == KNITTED_COMPLETE
            signature |= ranks_signature(arena, m1)
            base += BODY_RECORD
            form = KNITTED
    points, record, waits, unique, kind, honours = ZERO, ZERO, ZERO, ZERO, ZERO, ZERO
    has, excludes, nothing = ZERO, ZERO, ZERO
    if complete:
        a, b, c, d = rows
        tiles = (
            load_64(a + TILES)
            | load_64(b + TILES + STEP)
            | load_64(c + TILES + TWO * STEP)
            | load_64(d + TILES)
            | signature
        )
        signature = tiles & SIGNATURE
        kind = load_16(arena + CLASS_TABLE + TWO * signature)
        index = (load_64(d) >> HONOUR_SHIFT) & HONOUR_FIELD
        index |= ((sums >> PUNGS_SHIFT) & PUNGS_FIELD) | (winds << SEAT_SHIFT)
        honours = load_8(arena + HONOURS_TABLE + index)
        of_class = word(words, CLASS_WORDS, kind)
        of_honours = word(words, HONOURS_WORDS, honours)
        has = of_class + of_honours + win_word
        excludes = of_class | of_honours | win_word
        has += hogs * ((ONE << HOGS_SHIFT) + load_64(words + HOG_VALUE))
        unique = (tiles >> (UNIQUE_SHIFT + win)) & ONE
        odd = m1 ^ m2 ^ m3 ^ m4
        if melded == ZERO and bit_count(odd) == TWO:
            # the thirteen tiles wait for seven pairs, too
            unique &= ((odd >> win) & ONE) ^ ONE
        has += load_64(words + WAIT_WORD) & (ZERO - unique)
        claimed = ((m3 & ~m4) >> win) & ~flags & ONE
        of_honour = claimed & U(win >= HONOUR_TILE)
        base += load_64(d + RECORD) - (of_honour << CONCEALED_BIT)
        suits = (signature >> SUITS_SHIFT) & SUITS_FIELD
        one_suit = suits & (suits - ONE) == ZERO and suits <= ALL_SUITS
        # the codes of the other two are 0
        if (
            one_suit
            and melded == ZERO
            and codes[0] + codes[1] + codes[2] - POWERS[win] == NINE_GATES
        ):
            form = NINE
        if form != NO_FORM:
            of_form = word(words, FORM_WORDS, form)
            has += of_form
            excludes |= of_form
        worth, record, waits = best_division(
            arena,
            words,
            (a, b, c),
            base,
            signature,
            win,
            claimed ^ of_honour,
            has,
            excludes,
        )
        points = worth >> TWO
        if points == ZERO:
            points = load_64(words + CHICKEN_VALUE)
            nothing = ONE
    if melded == ZERO and size == FULL and (not complete or m1 ^ m2 ^ m3 ^ m4 == ZERO):
        other = special_worth(arena, words, m1, m2, m3, m4, win_word, hogs)
        if other[0] > points:
            points, form, kind, has, excludes = other
            unique, nothing = ZERO, ZERO
    return (
        points,
        form,
        record,
        waits,
        unique,
        signature,
        kind,
        honours,
        win_kind,
        has,
        excludes,
        nothing,
    )


@inline
def count_list(words, side, outcome, out):
    """Write the first four fan of an outcome."""
    entries = load_64(words + side + SIXTEEN * outcome)
    for place in range(4):
        store_8(out + ((entries >> U(16 * place)) & U(255)), entries >> U(16 * place + 8))


@inline
def count_first(words, side, outcome, out):
    """Write the first fan of an outcome."""
    entry = load_16(words + side + SIXTEEN * outcome)
    store_8(out + (entry & U(255)), entry >> EIGHT)


@inline
def count_more(words, side, outcome, out):
    """Write the two fan of an outcome after its first four."""
    entries = load_64(words + side + SIXTEEN * outcome + EIGHT)
    for place in range(2):
        store_8(out + ((entries >> U(16 * place)) & U(255)), entries >> U(16 * place + 8))


@inline
def count_fan(arena, words, found, win, flowers, out):
    """Write the counts of every fan of a hand, COLUMNS bytes at ``out``.

    found : of ``hand_worth``. Stores are made without asking: a list that is short
    counts 0 in the column of the flowers, which is written last.
    """
    form, record, waits, unique, signature = found[1], found[2], found[3], found[4], found[5]
    kind, honours, win_kind, has, excludes, nothing = (
        found[6],
        found[7],
        found[8],
        found[9],
        found[10],
        found[11],
    )
    for line in range(LINES):
        store_64(out + U(8 * line), ZERO)
    store_64(out + COLUMNS - EIGHT, ZERO)
    count_list(words, WIN_LISTS, win_kind, out)
    count_more(words, WIN_LISTS, win_kind, out)
    if form in (NO_FORM, KNITTED, NINE):
        chows, pungs, shape = side_outcomes(arena, record, signature)
        a, b = word(words, CHOWS_WORDS, chows), word(words, PUNGS_WORDS, pungs)
        c = word(words, SHAPE_WORDS, shape)
        has += a + b + c
        excludes |= a | b | c
        count_list(words, CLASS_LISTS, kind, out)
        count_more(words, CLASS_LISTS, kind, out)
        count_list(words, HONOURS_LISTS, honours, out)
        count_list(words, CHOWS_LISTS, chows, out)
        count_first(words, PUNGS_LISTS, pungs, out)
        count_list(words, SHAPE_LISTS, shape, out)
        place = (waits >> (TWO * win)) & THREE if win < HONOUR_TILE else THREE
        store_8(out + (EDGE_COLUMN - ONE + place if unique else FLOWERS), ONE)
    else:
        count_list(words, PAIRS_LISTS, kind, out)
        count_more(words, PAIRS_LISTS, kind, out)
    if form != NO_FORM:
        count_list(words, FORM_LISTS, form, out)
    both = (has >> HAS_SHIFT) & (excludes >> KILL_SHIFT) & BITS
    while both:
        bit = low_bit(both)
        store_8(out + load_8(words + UNDO + bit), ZERO)
        store_8(out + load_8(words + REVIVED + bit), ONE)
        both &= both - ONE
    counted = excludes >> COUNTED_SHIFT
    outers = (has >> OUTERS_SHIFT) & U(7)
    if form == NINE:
        outers -= load_64(words + NINE_LESS)
    store_8(out + DOUBLE_COLUMN, ZERO if counted & ONE else (has >> DOUBLES_SHIFT) & THREE)
    store_8(out + OUTER_COLUMN, ZERO if counted & TWO else outers)
    store_8(out + HOG_COLUMN, ZERO if counted & FOUR else (has >> HOGS_SHIFT) & U(7))
    store_8(out + CHICKEN, nothing)
    store_8(out + FLOWERS, flowers)


@helper
def flags_cannot_be(flags, own_copies, concealed_copies, kongs, open_melds):
    """Whether flags contradict each other or the hand (``hands.Hand`` names the cases)."""
    if flags > ALL_FLAGS:
        return True
    self_drawn, kong, wall_last = flags & SELF_DRAWN, flags & KONG, flags & WALL_LAST
    blessed = flags & (HEAVENLY | EARTHLY)
    if blessed and (blessed == HEAVENLY | EARTHLY or wall_last or open_melds or not self_drawn):
        return True
    if flags & KONG_DISCARD and (kong or self_drawn):
        return True
    if flags & LAST_TILE and concealed_copies > ONE:
        return True
    if kong:
        if self_drawn:
            return not kongs
        return wall_last != ZERO or own_copies > ONE
    return False


@helper
def copies_in_melds(arena, melds, win):
    """Copies of a tile in melds."""
    copies = ZERO
    for slot in range(4):
        number = (melds >> U(8 * slot)) & U(255)
        copies += load_8(arena + MELDS + ROW_SIZE * number + win)
    return copies


@helper
def trouble(arena, hand, melds, win, flags, prevalent, seat, flowers):
    """The Reason why a row cannot be, OK when it can (but may be no win).

    In the order in which ``hands.Hand`` looks.
    """
    if prevalent > THREE or seat > THREE:
        return U(Reason.BAD_WIND)
    if flowers > MOST_FLOWERS:
        return U(Reason.BAD_FLOWERS)
    used, opened, kongs = ZERO, ZERO, ZERO
    for slot in range(4):
        number = (melds >> U(8 * slot)) & U(255)
        if number >= MELD_IDS:
            return U(Reason.BAD_MELD)
        sums = load_64(arena + MELDS + ROW_SIZE * number + U(ft.MELD_SUMS))
        used += (sums >> SETS_SHIFT) & SETS_FIELD
        opened += (sums >> WIN_SHIFT) & OPEN_FIELD
        kongs += (sums >> KONGS_SHIFT) & ONE
    size, most = ZERO, ZERO
    for tile in range(34):
        copies = load_8(hand + U(tile))
        if copies > FOUR:
            return U(Reason.COUNT_ABOVE_FOUR)
        size += copies
        most = max(most, copies + copies_in_melds(arena, melds, U(tile)))
    if size % MELD_SIZE == ZERO or size + MELD_SIZE * used > FULL:
        return U(Reason.BAD_SIZE)
    if most > FOUR:
        return U(Reason.FIVE_COPIES)
    if size + MELD_SIZE * used != FULL:
        return U(Reason.BAD_SIZE)
    if win == NO_TILE:
        return U(Reason.NO_WIN_TILE)
    if win >= KINDS or load_8(hand + win) == ZERO:
        return U(Reason.WIN_TILE_NOT_HELD)
    concealed = load_8(hand + win)
    own = concealed + copies_in_melds(arena, melds, win)
    if flags_cannot_be(flags, own, concealed, kongs, opened):
        return U(Reason.IMPOSSIBLE_FLAGS)
    return U(Reason.OK)


@inline
def with_melds(arena, hand, melds):
    """``own_tiles`` of a hand and its four meld ids."""
    rows, byte = arena + MELDS, U(255)
    return own_tiles(
        hand,
        rows + ROW_SIZE * (melds & byte),
        rows + ROW_SIZE * ((melds >> U(8)) & byte),
        rows + ROW_SIZE * ((melds >> U(16)) & byte),
        rows + ROW_SIZE * ((melds >> U(24)) & byte),
    )


@inline
def wrong_row(own, m1, win, prevalent, seat, flowers):
    """Not zero when a row is wrong, its flags apart."""
    return (
        own[0]
        | (win >> U(6))
        | (((m1 >> (win & TILE_FIELD)) & ONE) ^ ONE)
        | ((prevalent | seat) >> WIND_SHIFT)
        | U(flowers > MOST_FLOWERS)
    )


@inline
def with_last_tile(flags, four, m2, win):
    """和绝张 is there by itself when the other three copies lie in the hand's melds."""
    return (flags & WIN_FLAGS_FIELD) | (((four & ~m2) >> win) & ONE) << LAST_SHIFT


@inline
def score_row(
    arena, words, hand, melds, win, flags, prevalent, seat, flowers, codes, m1, m2, m3, m4, size
):
    """(Reason, what ``hand_worth`` found) of one row."""
    own = with_melds(arena, hand, melds)
    bad = ZERO
    if wrong_row(own, m1, win, prevalent, seat, flowers):
        bad = trouble(arena, hand, melds, win, flags, prevalent, seat, flowers)
    elif flags & ~SIMPLE_FLAGS:
        concealed = load_8(hand + win)
        copies = concealed + copies_in_melds(arena, melds, win)
        kongs, opened = (own[3] >> KONGS_SHIFT) & U(7), (own[3] >> WIN_SHIFT) & OPEN_FIELD
        if flags_cannot_be(flags, copies, concealed, kongs, opened):
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


@kernel
def score_rows(
    address, n, melds, win_tile, flags, prevalent, seat, flowers, arena, words, total, met, reason,
    counts,
):
    """Totals of ``n`` hands, and how often each fan counts.

    address : intp, of the counts, 34 bytes a hand
    melds : uint8[n, 4]; win_tile, prevalent, seat, flowers : uint8[n]; flags : uint16[n]
    arena, words : of ``fantables`` and ``rulesets.fan``
    total : int16[n] (-1 = no win), met : bool[n], reason : uint8[n], out
    counts : uint8[n, 82], out; or None (which is another compilation)
    returns : index of the first hand that cannot be, or -1
    """
    geometry, outcomes = address_of(arena), address_of(words)
    minimum = load_64(outcomes + MINIMUM)
    flower_value = load_64(outcomes + FLOWER_VALUE)
    block_words = np.empty(4 * BLOCK, np.uint64)
    masks = np.empty((4, BLOCK), np.uint64)
    meld_at = address_of(melds)
    first_bad = np.int64(-1)
    start = np.int64(0)
    while start < n:
        count = read_counts(address, U(34), n, start, block_words, masks)
        for h in range(count):
            i = U(start + h)
            a, b = block_words[4 * h], block_words[4 * h + 1]
            c, d = block_words[4 * h + 2], block_words[4 * h + 3]
            win, blossoms = U(win_tile[i]), U(flowers[i])
            bad, found = score_row(
                geometry,
                outcomes,
                U(address) + U(34) * i,
                load_32(meld_at + FOUR * i),
                win,
                U(flags[i]),
                U(prevalent[i]),
                U(seat[i]),
                blossoms,
                (a & CODE, b & CODE, c & CODE, d & CODE),
                masks[0, h],
                masks[1, h],
                masks[2, h],
                masks[3, h],
                ((a + b + c + d) >> U(32)) & U(0xFFFF),
            )
            points = found[0] if bad == ZERO else ZERO
            reason[i] = bad
            met[i] = points >= minimum and points != ZERO
            total[i] = np.int64(points + blossoms * flower_value) if points else np.int64(-1)
            if bad != ZERO and bad != NOT_A_WIN and first_bad < 0:
                first_bad = np.int64(i)
            if counts is not None:
                out = address_of(counts) + COLUMNS * i
                if points:
                    count_fan(geometry, outcomes, found, win, blossoms, out)
                else:
                    for line in range(LINES):
                        store_64(out + U(8 * line), ZERO)
                    store_64(out + COLUMNS - EIGHT, ZERO)
        start += count
    return first_bad


# one hand in one call: bytes of ``scores.packed``
MELDS_AT, WIN_AT, PREVALENT_AT, SEAT_AT, FLOWERS_AT, FLAGS_AT = (
    U(34), U(38), U(39), U(40), U(41), U(42)
)
MET_BIT, REASON_SHIFT, FORM_SHIFT = U(16), U(20), U(28)
ENTRIES = 4  # fan in a word of the answer, and words


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
def read_one(hand):
    """(codes, bits of the tiles with 1 to 4 copies, tiles) of 34 counts; no tiles where
    there are more than four of one."""
    m1, m2, m3, m4, size, most = ZERO, ZERO, ZERO, ZERO, ZERO, ZERO
    a, b, c, d = ZERO, ZERO, ZERO, ZERO
    for tile in range(34):
        copies = load_8(hand + U(tile))
        bit = ONE << U(tile)
        m1 |= bit if copies > ZERO else ZERO
        m2 |= bit if copies > ONE else ZERO
        m3 |= bit if copies > TWO else ZERO
        m4 |= bit if copies > THREE else ZERO
        size += copies
        most = max(most, copies)
        if tile < 9:
            a = a * FIVE + copies
        elif tile < 18:
            b = b * FIVE + copies
        elif tile < 27:
            c = c * FIVE + copies
        else:
            d = d * FIVE + copies
    if most > FOUR:
        return NO_CODES, ZERO, ZERO, ZERO, ZERO, ZERO
    return (a, b, c, d + U(HONOURS)), m1, m2, m3, m4, size


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


@helper
def waiting_trouble(arena, hand, melds, flags, prevalent, seat, flowers):
    """The Reason why a row of 13 tiles, its melds included, cannot be; OK when it can."""
    if prevalent > THREE or seat > THREE:
        return U(Reason.BAD_WIND)
    if flowers > MOST_FLOWERS:
        return U(Reason.BAD_FLOWERS)
    used, opened = ZERO, ZERO
    for slot in range(4):
        number = (melds >> U(8 * slot)) & U(255)
        if number >= MELD_IDS:
            return U(Reason.BAD_MELD)
        sums = load_64(arena + MELDS + ROW_SIZE * number + U(ft.MELD_SUMS))
        used += (sums >> SETS_SHIFT) & SETS_FIELD
        opened += (sums >> WIN_SHIFT) & OPEN_FIELD
    size, most = ZERO, ZERO
    for tile in range(34):
        copies = load_8(hand + U(tile))
        if copies > FOUR:
            return U(Reason.COUNT_ABOVE_FOUR)
        size += copies
        most = max(most, copies + copies_in_melds(arena, melds, U(tile)))
    if size % MELD_SIZE == ZERO or size + MELD_SIZE * used > FULL:
        return U(Reason.BAD_SIZE)
    if most > FOUR:
        return U(Reason.FIVE_COPIES)
    if size + MELD_SIZE * used != FULL - ONE:
        return U(Reason.BAD_SIZE)
    # how it will be won is open: these cannot be in any way
    blessed = flags & (HEAVENLY | EARTHLY)
    wrong = blessed and (blessed == HEAVENLY | EARTHLY or flags & WALL_LAST or opened)
    wrong = wrong or (flags & KONG and flags & KONG_DISCARD)
    return IMPOSSIBLE_FLAGS if wrong or flags > ALL_FLAGS else U(Reason.OK)


@kernel
def wait_totals(
    address, n, melds, flags, prevalent, seat, flowers, seen, forms, shapes, accept, arena, words,
    discard, self_drawn, met, left, reason,
):
    """Totals of ``n`` hands of 13 tiles, for each tile that completes them.

    address, melds, flags, prevalent, seat, flowers, arena, words : as for ``score_rows``
    seen : uint8[n or 1 or 0, 34], tiles visible elsewhere, for each hand, all, or none
    forms : bits of the forms of a complete hand; shapes, accept : of ``tables``
    discard, self_drawn : int16[n, 34], -1 = no score; met : bool[n, 34, 2]; left :
        uint8[n, 34]; reason : uint8[n], out
    returns : index of the first hand that cannot be, or -1
    """
    geometry, outcomes = address_of(arena), address_of(words)
    minimum = load_64(outcomes + MINIMUM)
    flower_value = load_64(outcomes + FLOWER_VALUE)
    meld_at = address_of(melds)
    both = np.empty(40, np.uint8)
    block_words = np.empty(4 * BLOCK, np.uint64)
    masks = np.empty((4, BLOCK), np.uint64)
    first_bad = np.int64(-1)
    for row in range(n):
        h = row % BLOCK
        if h == 0:
            read_counts(address, U(34), n, np.int64(row), block_words, masks)
        i = U(row)
        hand = U(address) + U(34) * i
        own_melds = load_32(meld_at + FOUR * i)
        for tile in range(34):
            discard[i, tile] = -1
            self_drawn[i, tile] = -1
        for tile in range(34):
            met[i, tile, 0] = False
            met[i, tile, 1] = False
            left[i, tile] = 0
        how, blossoms = U(flags[i]), U(flowers[i])
        a, b = block_words[4 * h], block_words[4 * h + 1]
        c, d = block_words[4 * h + 2], block_words[4 * h + 3]
        codes = (a & CODE, b & CODE, c & CODE, d & CODE)
        size = ((a + b + c + d) >> U(32)) & U(0xFFFF)
        m1, m2, m3, m4 = masks[0, h], masks[1, h], masks[2, h], masks[3, h]
        base = with_melds(geometry, hand, own_melds)
        used = (base[3] >> SETS_SHIFT) & SETS_FIELD
        suspect = (
            base[0]
            | (size + MELD_SIZE * used) ^ (FULL - ONE)
            | (U(prevalent[i]) | U(seat[i])) >> WIND_SHIFT
            | U(blossoms > MOST_FLOWERS)
            | (how & ~SIMPLE_FLAGS)
        )
        bad = ZERO
        if suspect:
            bad = waiting_trouble(
                geometry, hand, own_melds, how, U(prevalent[i]), U(seat[i]), blossoms
            )
        seen_row = i if len(seen) > 1 else ZERO
        if len(seen) and bad == ZERO:
            for tile in range(34):
                both[tile] = load_8(hand + U(tile)) + U(seen[seen_row, tile])
            if with_melds(geometry, address_of(both), own_melds)[0]:
                bad = U(Reason.SEEN_TOO_MANY)
        reason[i] = bad
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
        winds = (U(prevalent[i]) << TWO) | U(seat[i])
        while waits:
            tile = low_bit(waits)
            waits &= waits - ONE
            concealed = load_8(hand + tile)
            gone = copies_in_melds(geometry, own_melds, tile) if own_melds else ZERO
            own = concealed + gone + ONE
            if len(seen):
                gone += U(seen[seen_row, tile])
            left[i, tile] = FOUR - concealed - gone
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
                    win_flags, own, concealed + ONE, kongs, opened
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
                    win_flags & WIN_FLAGS_FIELD,
                    winds,
                    size + ONE,
                )
                if found[0]:
                    total = np.int64(found[0] + blossoms * flower_value)
                    met[i, tile, drawn] = found[0] >= minimum
                    if drawn:
                        self_drawn[i, tile] = total
                    else:
                        discard[i, tile] = total
    return first_bad
