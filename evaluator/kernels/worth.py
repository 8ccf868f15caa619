"""What a complete hand is worth under rules made of fan.

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
from ..jit import helper, inline
from ..tiles import ORPHANS
from .suits import BODY_BITS, ONE, POWERS, ZERO, U
from .vector import bit_count, load_8, load_16, load_32, load_64, low_bit

# where the tables are, from the address of the geometry
_PLACE = {name: U(place) for name, place in ft.GEOMETRY.items()}
ID, ROWS, FURTHER, MELDS = (_PLACE[name] for name in ("id", "row", "further", "meld"))
BLOCKS = _PLACE["block"]
CHOWS_SHIFT_TABLE, CHOWS_TABLE = _PLACE["chows_shift"], _PLACE["chows"]
PUNGS_SHIFT_TABLE, PUNGS_TABLE = _PLACE["pungs_shift"], _PLACE["pungs"]
SHAPE_TABLE, CLASS_TABLE = _PLACE["shape"], _PLACE["class"]
HONOURS_TABLE, WIN_TABLE = _PLACE["honours"], _PLACE["win"]
SIGNATURES, FACTORS = _PLACE["signature"], _PLACE["factors"]

# where the words are, from the address of the words
_WORD = {name: U(place) for name, place in ft.WORDS.items()}
CLASS_WORDS, PAIRS_WORDS, HONOURS_WORDS = _WORD["class"], _WORD["pairs"], _WORD["honours"]
WIN_WORDS, CHOWS_WORDS, PUNGS_WORDS = _WORD["win"], _WORD["chows"], _WORD["pungs"]
SHAPE_WORDS, FORM_WORDS, WAIT_WORD = _WORD["shape"], _WORD["forms"], _WORD["wait"]
VALUES, LOST, UNDO = _WORD["values"], _WORD["lost"], _WORD["undo"]
DOUBLE_VALUE, OUTER_VALUE, HOG_VALUE, CHICKEN_VALUE, FLOWER_VALUE, NINE_LESS, MINIMUM = (
    VALUES + U(8 * place) for place in range(7)
)

TWO, THREE, FOUR, FIVE, EIGHT, SIXTEEN = U(2), U(3), U(4), U(5), U(8), U(16)

# rows of vectors and melds
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
# of the flags those that the table of wins knows, and the place of heavenly
WIN_FLAGS_FIELD, HEAVENLY_SHIFT = U(15), U(5)
PUNGS_SHIFT, PUNGS_FIELD, KONGS_SHIFT = U(ft.PUNGS_SHIFT), U(ft.PUNGS_FIELD), U(ft.KONGS_SHIFT)
SEAT_SHIFT = U(10)  # in the index of the honours, the prevalent wind above it

# records, and the hashes of their chows and pungs
NUMBER_PUNGS = U(ft.NUMBER_PUNGS)
CONCEALED_BIT, FIVES_BIT, KEY_BIT = U(ft.CONCEALED_BIT), U(ft.FIVES_BIT), U(ft.KEY_BIT)
SHAPE_FIELD = U(ft.SHAPE_FIELD)
# beside the nine knitted tiles, which are three sets of no kind
BODY_RECORD = U(3 << ft.CHOWS_BIT | 1 << ft.FIVELESS_BIT | 1 << ft.INNER_BIT)
BUCKET, SLOT = U(36), U(16)
CHOW_BUCKETS, CHOW_SLOTS = U(ft.CHOW_BUCKETS - 1), U(ft.CHOW_SLOTS - 1)
PUNG_BUCKETS, PUNG_SLOTS = U(ft.PUNG_BUCKETS - 1), U(ft.PUNG_SLOTS - 1)
DOUBLE_DRAGON = U(ft.DOUBLE_DRAGON)
SUITS_SHIFT, SUITS_FIELD = U(ft.SUITS_SHIFT), U(ft.SUITS_FIELD)
ALL_SUITS = U(0b111)

# words
POINTS = U(ft.POINTS_FIELD)
OUTERS_SHIFT, DOUBLES_SHIFT, HOGS_SHIFT = U(ft.OUTERS_SHIFT), U(ft.DOUBLES_SHIFT), U(ft.HOGS_SHIFT)
TIES_SHIFT = U(ft.TIES_SHIFT)
HAS_SHIFT, KILL_SHIFT, COUNTED_SHIFT = U(ft.HAS_SHIFT), U(ft.KILL_SHIFT), U(ft.COUNTED_SHIFT)
BITS = U((1 << ft.BITS) - 1)

# forms, as they stand in ``fantables.FORMS``
KNITTED, PAIRS, SHIFTED_PAIRS, ORPHANS_FORM, ALL_HONOURS, LESSER, LESSER_STRAIGHT, NINE = (
    U(form) for form in range(len(ft.FORMS))
)
NO_FORM = U(len(ft.FORMS))

# tiles
HONOUR_TILE, SUIT_KINDS = U(27), U(9)
SUIT_FIELD, HONOUR_BITS = U(0x1FF), U(0b1111111 << 27)
ORPHAN_BITS = U(sum(1 << tile for tile in ORPHANS))
SEVEN_RUN = U(0b1111111)
FULL, MELD_SIZE = U(14), U(3)
NINE_GATES = U(sum(5**place * (3 if place in (0, 8) else 1) for place in range(9)))
ONE_TILE = U(5**8)  # the code of a tile divides it
# codes of the nine knitted tiles of each pattern, by suit
BODY_CODES = np.array(
    [
        sum(5 ** (8 - tile % 9) for tile in range(9 * suit, 9 * suit + 9) if int(body) >> tile & 1)
        for body in BODY_BITS
        for suit in range(3)
    ],
    np.uint64,
)
WAIT_BITS = U(18)  # of a suit


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
    pure = outcome == DOUBLE_DRAGON
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
def number_of(arena, code):
    """Number of a vector that is sets, or sets and a pair; 0 of others."""
    block = code >> U(ft.ID_SHIFT)
    place = (load_32(arena + BLOCKS + FOUR * block) + code) & U(0xFFFFFFFF)
    return load_16(arena + ID + TWO * place)


@inline
def vector_rows(arena, codes):
    """(rows of the three suits and the honours, sum of their headers)."""
    rows = arena + ROWS
    a = rows + ROW_SIZE * number_of(arena, codes[0])
    b = rows + ROW_SIZE * number_of(arena, codes[1])
    c = rows + ROW_SIZE * number_of(arena, codes[2])
    d = rows + ROW_SIZE * number_of(arena, codes[3])
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
        many copies concealed; own : of ``own_tiles``; flags : of the hand
    winds : prevalent * 4 + seat; size : concealed tiles
    returns : (points without flowers, 0 = no win; form; record and waits of the division
        taken; unique wait; signature; outcomes of class, honours and win; words of all
        but the division; their exclusions; is it 无番和)
    """
    _, four, base, sums, signature = own
    kongs = (sums >> KONGS_SHIFT) & U(7)
    hogs = bit_count(four) - kongs
    melded = (sums >> SETS_SHIFT) & SETS_FIELD
    win_index = ((sums >> WIN_SHIFT) & WIN_FIELD) | ((flags & WIN_FLAGS_FIELD) << WIN_FLAGS)
    heavenly = (flags >> HEAVENLY_SHIFT) & ONE
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
        # a dealt hand never waited
        unique = (tiles >> (UNIQUE_SHIFT + win)) & ~heavenly & ONE
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
        if one_suit and melded == ZERO:
            added = codes[0] + codes[1] + codes[2] - NINE_GATES
            # of a dealt hand any tile is the one beside the gates: a power of five
            if added == POWERS[win] or (heavenly and ONE_TILE % added == ZERO):
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
