"""Hands to suit codes and tile masks, and what the kernels share.

A kernel works block by block: read ``BLOCK`` hands into four *words* a hand (one a
suit, one for the honours) and *masks* ("more than t of tile i"), then answer from
words, masks and tables. The words of a hand add up to a total that says how many
tiles it has (see ``vector.make_read_block``).
"""

from __future__ import annotations

import numpy as np

from ...engine.jit import helper, inline
from ...engine.tables import FINAL, HONOURS, MERGE
from ...engine.vector import byte_at, make_read_block
from ...tiles import FORMS, KNITTED, ORPHANS

U = np.uint64

BLOCK = 64
AHEAD = 8192  # bytes of prefetch: two pages, past what the hardware foresees
SPARE = 2  # hands after a vector block: its last load reads 64 bytes

STANDARD, SEVEN_PAIRS, SEVEN_DIFFERENT, THIRTEEN_ORPHANS, KNITTED_STRAIGHT, KNITTED_HONOURS = (
    1 << bit for bit in range(len(FORMS))
)
# what the plain kernels answer: no more than two copies of a tile matter
PLAIN_FORMS = STANDARD | SEVEN_DIFFERENT | THIRTEEN_ORPHANS

# choices of a void suit, a byte per hand: bit s = suit s may be the void one,
# bit 3 = no suit need be void
NO_VOID = 3
CHOICES = 4

UNREACHABLE = 127
INVALID = -128

ZERO, ONE = U(0), U(1)
CODE = U(0xFFFFFFFF)
ALL_TILES = U((1 << 34) - 1)
HONOUR_BITS = U(0b1111111 << 27)
ORPHAN_BITS = U(sum(1 << tile for tile in ORPHANS))
# bit n: a hand of n tiles and wilds can be; waits / is to discard from
VALID_SIZES = U(sum(1 << n for n in range(1, 15) if n % 3))
WAITING_SIZES = U(sum(1 << n for n in range(1, 15) if n % 3 == 1))
COMPLETE_SIZES = U(sum(1 << n for n in range(1, 15) if n % 3 == 2))
NO_SIZE = U(15)
BODY_BITS = np.array([sum(1 << tile for tile in body) for body in KNITTED], np.uint64)
# tiles that may be used when suit s is void; last: no void suit
KEEP_BITS = np.array(
    [int(ALL_TILES) & ~(0b111111111 << 9 * suit) for suit in range(3)] + [int(ALL_TILES)],
    np.uint64,
)
POWERS = np.array(
    [5**j for j in range(8, -1, -1)] * 3 + [5**j for j in range(6, -1, -1)], np.uint64
)

_MERGE, _FINAL, _HONOURS = U(MERGE), U(FINAL), U(HONOURS)

# two levels of masks are enough for the plain forms
_read_pairs = make_read_block(BLOCK, 2, HONOURS)
_read_residues = make_read_block(BLOCK, 2, HONOURS, with_residues=True)
_read_counts = make_read_block(BLOCK, 4, HONOURS)


@inline
def class_of(arena, code):
    """Class of a suit (or, from ``HONOURS`` on, honour) code."""
    return U(arena[code])


@inline
def merge(arena, a, b):
    """Class of two classes together."""
    return U(arena[_MERGE + ((a << U(8)) | b)])


@inline
def final(arena, sets, a, b):
    """Standard shanten of two halves of a hand that wants ``sets`` sets and a pair."""
    return np.int64(np.int8(arena[_FINAL + ((sets << U(16)) | (a << U(8)) | b)]))


@inline
def sets_of(size):
    """Sets wanted by a hand of ``size`` tiles: a third, at most 4."""
    return min((size * U(171)) >> U(9), U(4))


@inline
def size_of(words, h, wilds):
    """Tiles and wilds of a hand; NO_SIZE when there are more than 14."""
    total = words[4 * h] + words[4 * h + 1] + words[4 * h + 2] + words[4 * h + 3]
    return min(((total >> U(32)) & U(0xFFFF)) + wilds, NO_SIZE)


@inline
def size_in_game(words, h, wilds, foreign):
    """The same, but NO_SIZE when the hand holds ``foreign`` tiles."""
    size = size_of(words, h, wilds)
    return size if foreign == ZERO else NO_SIZE


@helper
def read_plain(address, kinds, count, words, masks):
    """The twin of the vector pass; a hand with a count above four gets no tiles and NO_SIZE.

    address, kinds : as for ``read_block``, the hands lie densely
    count : how many hands, at most BLOCK
    words, masks : as for ``read_block``, residues included; ``masks[level, hand]``. The
        rest of the block repeats its first hand, so that loops over a whole block,
        which the compiler knows the length of, meet nothing strange
    """
    levels = len(masks)
    for h in range(count):
        at = address + np.int64(h) * np.int64(kinds)
        for level in range(levels):
            masks[level, h] = ZERO
        wrong = False
        for suit in range(4):
            code, tiles = ZERO, ZERO
            for tile in range(9 * suit, min(9 * suit + 9, np.int64(kinds))):
                copies = byte_at(at + tile)
                if copies > U(4):
                    wrong = True
                    copies = ZERO
                code = code * U(5) + copies
                tiles += copies
                for level in range(levels):
                    if copies > U(level):
                        masks[level, h] |= ONE << U(tile)
            left = tiles % U(3)
            residue = U(8) if left == ONE else (ONE if left == U(2) else ZERO)
            if suit == 3:
                code += _HONOURS
            words[4 * h + suit] = code | (tiles << U(32)) | (residue << U(48))
        if wrong:
            for suit in range(4):
                words[4 * h + suit] = (_HONOURS if suit == 3 else ZERO) | (NO_SIZE << U(32))
            for level in range(levels):
                masks[level, h] = ZERO
    for h in range(count, BLOCK):
        for suit in range(4):
            words[4 * h + suit] = words[suit]
        for level in range(levels):
            masks[level, h] = masks[level, 0]


@helper
def read_pairs(address, kinds, n, start, words, masks):
    """Read the block at ``start``: words, two levels of masks; returns how many hands."""
    at = address + start * np.int64(kinds)
    whole = start + BLOCK + SPARE <= n
    if whole and _read_pairs(at, kinds, kinds, words, masks, AHEAD) == ZERO:
        return np.int64(BLOCK)
    count = min(np.int64(BLOCK), n - start)
    read_plain(at, kinds, count, words, masks)
    return count


@helper
def read_residues(address, kinds, n, start, words, masks):
    """The same with residues in the words."""
    at = address + start * np.int64(kinds)
    whole = start + BLOCK + SPARE <= n
    if whole and _read_residues(at, kinds, kinds, words, masks, AHEAD) == ZERO:
        return np.int64(BLOCK)
    count = min(np.int64(BLOCK), n - start)
    read_plain(at, kinds, count, words, masks)
    return count


@helper
def read_counts(address, kinds, n, start, words, masks):
    """The same with four levels of masks."""
    at = address + start * np.int64(kinds)
    whole = start + BLOCK + SPARE <= n
    if whole and _read_counts(at, kinds, kinds, words, masks, AHEAD) == ZERO:
        return np.int64(BLOCK)
    count = min(np.int64(BLOCK), n - start)
    read_plain(at, kinds, count, words, masks)
    return count


@helper
def standard_block(arena, words, sizes, best):
    """Sizes of a block without wilds, and its standard shanten when no suit is void.

    sizes : uint8[BLOCK], best : int8[BLOCK], out
    returns : the sizes that occur, a bit each
    """
    seen = ZERO
    for h in range(BLOCK):
        size = size_of(words, h, ZERO)
        sizes[h] = size
        seen |= ONE << size
    for h in range(BLOCK):
        best[h] = standard_shanten(arena, words, h, U(sizes[h]))
    return seen


@inline
def standard_shanten(arena, words, h, size):
    """Standard shanten of one hand of a block."""
    a, b = class_of(arena, words[4 * h] & CODE), class_of(arena, words[4 * h + 1] & CODE)
    c, d = class_of(arena, words[4 * h + 2] & CODE), class_of(arena, words[4 * h + 3] & CODE)
    return final(arena, sets_of(size), merge(arena, a, b), merge(arena, c, d))


# element by element: assigning array to array compiles numpy's error texts, half a second


@helper
def take(values, start, count, block):
    """The values of a block's hands, of each or the one of all; the rest as its first."""
    if len(values) > 1:
        part = values[start : start + count]
        for h in range(count):
            block[h] = part[h]
        for h in range(count, BLOCK):
            block[h] = part[0]
    elif start == 0:
        block[:] = values[0]


@inline
def put(block, answer):
    """The answers of a block's hands to where they belong."""
    for h in range(len(answer)):
        answer[h] = block[h]
