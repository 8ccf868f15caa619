"""How often each fan of a hand counts, written from its outcomes.

Each outcome has its list of (column, count); what one side has and another excludes is
emptied again. Stores are made without asking: a list that is short counts 0 in the
column of the flowers, which is written last.
"""

from __future__ import annotations

from ....engine.jit import inline
from ....engine.vector import load_8, load_16, load_64, low_bit, store_8, store_64
from ....shape.kernels.melds import (
    EIGHT,
    FOUR,
    SIXTEEN,
    THREE,
    TWO,
)
from ....shape.kernels.suits import ONE, ZERO, U
from .. import layout as ft
from .outcomes import (
    _WORD,
    BITS,
    CHOWS_WORDS,
    COUNTED_SHIFT,
    DOUBLES_SHIFT,
    HAS_SHIFT,
    HOGS_SHIFT,
    HONOUR_TILE,
    KILL_SHIFT,
    KNITTED,
    NINE,
    NINE_LESS,
    NO_FORM,
    OUTERS_SHIFT,
    PUNGS_WORDS,
    SHAPE_WORDS,
    UNDO,
    side_outcomes,
    word,
)

# where the lists are, from the address of the words
CLASS_LISTS, PAIRS_LISTS, HONOURS_LISTS = (
    _WORD["list_class"],
    _WORD["list_pairs"],
    _WORD["list_honours"],
)
WIN_LISTS, CHOWS_LISTS, PUNGS_LISTS = _WORD["list_win"], _WORD["list_chows"], _WORD["list_pungs"]
SHAPE_LISTS, FORM_LISTS = _WORD["list_shape"], _WORD["list_forms"]
REVIVED = UNDO + U(ft.BITS)
COLUMNS, LINES = U(ft.COLUMNS), ft.COLUMNS // 8
DOUBLE_COLUMN, OUTER_COLUMN, HOG_COLUMN = U(64), U(72), U(63)
EDGE_COLUMN, CHICKEN, FLOWERS = U(76), U(42), U(ft.FLOWERS)


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
