"""What a complete hand is worth under rules made of patterns.

The word of a hand says what holds of it (:mod:`evaluator.scoring.sichuan.layout`), the combination
table of the rule set what that is worth. Where the patterns only ask whether there is a
division of some kind, three signature bytes give the word: ``suits_word``. Where they ask
how one division is made, or a tile is held five times, ``best_division`` looks at each.
"""

from __future__ import annotations

import numpy as np

from ....engine.jit import helper, inline
from ....engine.vector import load_8, load_16, load_32, load_64
from ....shape.kernels.divide import divisions
from ....shape.kernels.melds import (
    FOUR,
    KONGS_SHIFT,
    SETS_FIELD,
    SETS_SHIFT,
    THREE,
    TWO,
    WIN_SHIFT,
)
from ....shape.kernels.rows import HAS_PAIRS, knob
from ....shape.kernels.suits import ONE, ZERO, U
from ...kernels.checks import OPEN_FIELD, WINS_SHIFT
from .. import layout as sg

# where the tables are
_PLACE = {name: U(place) for name, place in sg.SIGNATURES.items()}
MELDS, DESCRIPTOR, DISTANCE = _PLACE["meld"], _PLACE["descriptor"], _PLACE["distance"]
BLOCKS, SIGNATURE = _PLACE["block"], _PLACE["signature"]
LOW, HIGH, ADDON = (U(sg.COMBINATION[name]) for name in ("low", "high", "addon"))
_AT = {name: U(8 * place) for place, name in enumerate(sg.HEAD)}

SHAPE, COMPLETE = U(0xFF), U(sg.COMPLETE)
NOT_SHIFT, NOT_FIELD = U(sg.NOT_SHIFT), U(sg.NOT_FIELD)
NO_SETS, NOT_EVEN = ONE << NOT_SHIFT, TWO << NOT_SHIFT
FOURS_SHIFT, FOURS_FIELD = U(sg.FOURS_SHIFT), U(0b1111)
SUITS_SHIFT, SUITS_FIELD, HONOURS = U(sg.SUITS_SHIFT), U(0b111), U(sg.HONOURS_BIT)
HALF, HALF_FIELD = U(sg.HALF), U((1 << sg.HALF) - 1)
READINGS = U(0b11)
NONE = np.int64(sg.NO_WIN)
WINS = U(0b1100000)  # heavenly and earthly among the flags

MOST_DIVISIONS = 64  # a hand has at most 11, with five copies of a tile not many more
FIRST_PUNG, DRAGONS, SUITED = U(21), U(31), U(27)

# bits of the divisions' chows: 123, 456 and 789 of one suit
STRAIGHTS = np.array([0b1001001 << 7 * suit for suit in range(3)], np.uint64)


GROUPS, GEN, KONG, LOWEST = _AT["groups"], _AT["gen"], _AT["kong"], _AT["lowest"]
MINIMUM, OF_DIVISIONS, OF_WIN_TILE = _AT["minimum"], _AT["of_divisions"], _AT["of_win_tile"]
DEAD_WAIT, SMALLEST, EARTHLY_ON_DISCARD = (
    _AT[name] for name in ("dead_wait", "smallest", "earthly_on_discard")
)
FAN, PATTERNS, POINTS_AT = _AT["fan"], _AT["patterns"], _AT["points"]
WILD_FAN, INDICATOR_PUNG, NATURAL_GENS = (
    _AT[name] for name in ("wild_fan", "indicator_pung", "natural_gens")
)
TABLES, CLASSES, IGNORED = _AT["signatures"], _AT["shape"], _AT["ignored"]
LOOKED_UP, LOOKED_UP_SHIFT = _AT["looked_up"], _AT["looked_up_shift"]
FIELDS, FIELD_SIZE = U(sg.COMBINATION["looked_up"]), U(24)


@inline
def signed(value, bits):
    """A number of 16 or 32 bits, loaded without its sign."""
    half = np.int64(1) << (bits - 1)
    return (np.int64(value) ^ half) - half


@inline
def descriptor(tables, code):
    """Descriptor of a suit."""
    block = load_16(tables + BLOCKS + TWO * (code >> U(6)))
    signature = load_8(tables + SIGNATURE + ((block << U(6)) | (code & U(63))))
    return load_64(tables + DESCRIPTOR + (signature << THREE))


@inline
def index_of(arena, word):
    """Place of a word in the tables of the rule set."""
    low = load_32(arena + LOW + FOUR * (word & HALF_FIELD))
    return low | load_32(arena + HIGH + FOUR * (word >> HALF))


@inline
def fan_at(arena, index):
    """Fan of the patterns alone; NONE where there is no win."""
    return signed(load_16(arena + knob(arena, FAN) + TWO * index), 16)


@inline
def suits_held(codes, lacks):
    """Bits of the suits of a hand and its melds."""
    a, b, c = codes
    held = U(a != ZERO) | U(b != ZERO) << ONE | U(c != ZERO) << TWO
    return held | ((lacks >> SUITS_SHIFT) & SUITS_FIELD)


@inline
def facts_word(sums, suits, honours, gens, flags, seat):
    """The part of the word that no division changes.

    sums : of the melds; suits : bits; honours : not zero if there are any
    """
    melded, opened = (sums >> SETS_SHIFT) & SETS_FIELD, (sums >> WIN_SHIFT) & OPEN_FIELD
    kongs = (sums >> KONGS_SHIFT) & U(7)
    one_suit = (suits & (suits - ONE)) == ZERO and suits != ZERO and honours == ZERO
    word = U(one_suit) << U(sg.FLUSH) | U(gens != ZERO) << U(sg.ROOT)
    word |= U(melded == FOUR) << U(sg.FOUR_MELDS) | U(kongs == FOUR) << U(sg.FOUR_KONGS)
    word |= U(opened == ZERO) << U(sg.CONCEALED)
    word |= ((flags & WINS) >> WINS_SHIFT) << U(sg.HEAVENLY)
    # self-drawn and last tile are the first two flags
    word |= (flags & THREE) << U(sg.SELF_DRAWN)
    return word | U(seat == ZERO) << U(sg.DEALER)


@inline
def shape_word(shape, lacks, melded, pairs_allowed):
    """The part of the word that says which readings there are, and of which kind.

    shape : sets and pairs of the hand and its melds, in the low byte
    """
    word = (~lacks >> NOT_SHIFT) & NOT_FIELD
    complete = shape & SHAPE == COMPLETE
    pairs = melded == ZERO and pairs_allowed != ZERO
    return word & ~(U(not complete) | U(not pairs) << ONE)


@inline
def suits_word(tables, arena, codes, size, sums, lacks, gens, flags, seat):
    """The word of a hand, from the signatures of its suits.

    codes : of the three suits; size : concealed tiles; sums, lacks : of the melds
    """
    a, b, c = codes
    a, b, c = descriptor(tables, a), descriptor(tables, b), descriptor(tables, c)
    lacks |= a | b | c
    melded = (sums >> SETS_SHIFT) & SETS_FIELD
    pairs = U(knob(arena, HAS_PAIRS) != ZERO and size == U(14))
    word = shape_word(a + b + c + (melded << SETS_SHIFT), lacks, melded, pairs)
    return word | facts_word(sums, suits_held(codes, lacks), ZERO, gens, flags, seat)


@helper
def place_of(kind, at, win):
    """Place of the winning tile in a chow (kind 0), pung (1) or pair (2) at a tile."""
    if kind == 2:
        return U(sg.IN_PAIR) if at == win else U(sg.WORD_BITS)
    if kind == 1:
        return U(sg.NOWHERE) if at == win else U(sg.WORD_BITS)
    if win < at or win > at + TWO or win >= SUITED:
        return U(sg.WORD_BITS)
    rank = at % U(9)
    if win == at + ONE:
        return U(sg.MIDDLE_FIVE) if rank == THREE else U(sg.MIDDLE)
    edge = (rank == ZERO and win == at + TWO) or (rank == U(6) and win == at)
    return U(sg.EDGE) if edge else U(sg.NOWHERE)


@inline
def part_of(number):
    """(kind, tile) of a set of ``divisions``."""
    if number >= FIRST_PUNG:
        return 1, number - FIRST_PUNG
    return 0, number // U(7) * U(9) + number % U(7)


@helper
def set_fields(melds, out, row, sets):
    """Bits of the sets and of the tile of the pair of a division, melds included."""
    of_sets = ZERO
    for place in range(sets):
        of_sets |= ONE << U(out[row, place])
    for slot in range(4):
        number = (melds >> U(8 * slot)) & U(255)
        if number > FIRST_PUNG:  # pungs, kongs and concealed kongs of the 34 kinds
            of_sets |= ONE << FIRST_PUNG + (number - FIRST_PUNG - ONE) % U(34)
        elif number:
            of_sets |= ONE << number - ONE
    return of_sets, ONE << U(out[row, 4])


@helper
def looked_up(arena, of_sets, of_pair, of_tiles):
    """What flags that the word does not know add to an index.

    of_sets, of_pair : of ``set_fields``; of_tiles : bits of the tiles of seven pairs
    """
    found = ZERO
    at = arena + FIELDS
    for flag in range(np.int64(knob(arena, LOOKED_UP))):
        beside = of_sets & ~load_64(at) | of_pair & ~load_64(at + U(8))
        holds = (beside | of_tiles & ~load_64(at + U(16))) == ZERO
        found |= U(holds) << U(flag)
        at += FIELD_SIZE
    return found << knob(arena, LOOKED_UP_SHIFT)


@helper
def better_place(arena, word, more, out, row, sets, win, best, best_index):
    """The best of one division over the places of the winning tile; none: ``win`` > 33.

    more : of ``looked_up``
    """
    if win > U(33):
        index = index_of(arena, word) | more
        fan = fan_at(arena, index)
        return (fan, index) if fan > best else (best, best_index)
    for place in range(sets + 1):
        kind, at = (2, U(out[row, 4])) if place == sets else part_of(U(out[row, place]))
        where = place_of(kind, at, win)
        if where < U(sg.WORD_BITS):
            index = index_of(arena, word | where << U(sg.PLACE)) | more
            fan = fan_at(arena, index)
            if fan > best:
                best, best_index = fan, index
    return best, best_index


@helper
def best_division(tables, arena, counts, melds, sums, lacks, gens, flags, seat, win, work):
    """(fan of the patterns, index) of the best reading of a hand, each division looked at.

    counts : int64[34], concealed tiles, 3k+2 beside the melds
    melds : four ids; sums, lacks : of their rows; win : tile, 255 = not known
    work : (int64[34], uint8[MOST_DIVISIONS, 5], int64[3, STEPS]), working space
    """
    rest, out, steps = work
    suits, honours, even, size = (lacks >> SUITS_SHIFT) & SUITS_FIELD, lacks & HONOURS, True, 0
    outer = False
    only_258 = True
    for tile in range(34):
        copies = counts[tile]
        rest[tile] = copies
        size += copies
        even &= copies & 1 == 0
        if copies:
            rank = tile % 9
            outer |= tile >= 27 or rank == 0 or rank == 8
            only_258 &= tile < 27 and rank % 3 == 1
            if tile < 27:
                suits |= ONE << U(tile // 9)
            else:
                honours |= HONOURS
    fixed = facts_word(sums, suits, honours, gens, flags, seat)
    melded = (sums >> SETS_SHIFT) & SETS_FIELD
    meld_nots = ~lacks >> NOT_SHIFT
    if not outer:
        fixed |= meld_nots & (ONE << U(sg.SIMPLES))
    if only_258:
        fixed |= meld_nots & (ONE << U(sg.ONLY_258))
    chows, pung_melds = ZERO, False
    for slot in range(4):
        number = (melds >> U(8 * slot)) & U(255)
        if number > FIRST_PUNG:
            pung_melds = True
        elif number:
            chows |= ONE << (number - ONE)
    best, best_index = NONE, ZERO
    if even and size == 14 and knob(arena, HAS_PAIRS):
        word = fixed | ONE << U(sg.SEVEN_PAIRS) | U(sg.IN_PAIR) << U(sg.PLACE)
        tiles = ZERO
        for tile in range(34):
            tiles |= U(counts[tile] > 0) << U(tile)
        best_index = index_of(arena, word) | looked_up(arena, ZERO, ZERO, tiles)
        best = fan_at(arena, best_index)
    sets = np.int64(FOUR - melded)
    if size != 3 * sets + 2:
        return best, best_index
    some_looked_up = knob(arena, LOOKED_UP) != ZERO
    found = min(divisions(rest, sets, out, steps), np.int64(MOST_DIVISIONS))
    for row in range(found):
        pungs = meld_nots & (ONE << U(sg.PUNGS)) != ZERO
        outside = meld_nots & (ONE << U(sg.OUTSIDE)) != ZERO
        held, triplet = chows, pung_melds
        for place in range(sets):
            number = U(out[row, place])
            kind, at = part_of(number)
            rank = at % U(9)
            if kind == 1:
                triplet = True
                outside &= at >= SUITED or rank == ZERO or rank == U(8)
            else:
                pungs = False
                held |= ONE << number
                outside &= rank == ZERO or rank == U(6)
        pair = U(out[row, 4])
        rank = pair % U(9)
        outside &= pair >= SUITED or rank == ZERO or rank == U(8)
        straight = False
        for suit in range(3):
            straight |= held & STRAIGHTS[suit] == STRAIGHTS[suit]
        word = fixed | ONE << U(sg.STANDARD) | U(pungs) << U(sg.PUNGS)
        word |= U(outside) << U(sg.OUTSIDE) | U(pungs and outside) << U(sg.OUTSIDE_PUNGS)
        word |= U(straight) << U(sg.STRAIGHT) | U(triplet or pair >= DRAGONS) << U(sg.TRIPLET)
        more = ZERO
        if some_looked_up:
            of_sets, of_pair = set_fields(melds, out, row, sets)
            more = looked_up(arena, of_sets, of_pair, ZERO)
        best, best_index = better_place(arena, word, more, out, row, sets, win, best, best_index)
    return best, best_index


@inline
def points_at(arena, fan):
    """Address of the points and payments of so many fan."""
    return arena + knob(arena, POINTS_AT) + U(12) * U(fan - np.int64(knob(arena, LOWEST)))


@inline
def addon_of(arena, flags):
    """Fan for how the hand was won."""
    return signed(load_16(arena + ADDON + TWO * flags), 16)
