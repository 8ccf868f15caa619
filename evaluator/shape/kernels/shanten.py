"""Shanten of a batch, and whether its hands are wins.

Two kernels answer each: ``*_plain`` for hands without wilds or void suits and forms
that need no third copy, the general one for everything. They agree where both apply.
"""

from __future__ import annotations

import numpy as np

from ...engine.jit import helper, inline, kernel
from ...engine.vector import bit_count, low_bit
from .forms import different_distance, distance_block, lower, orphans_distance
from .suits import (
    BLOCK,
    COMPLETE_SIZES,
    INVALID,
    NO_SIZE,
    ONE,
    ORPHAN_BITS,
    SEVEN_DIFFERENT,
    STANDARD,
    THIRTEEN_ORPHANS,
    UNREACHABLE,
    VALID_SIZES,
    ZERO,
    U,
    put,
    read_counts,
    read_pairs,
    read_residues,
    standard_block,
    standard_shanten,
    take,
)


@helper
def mark_invalid(sizes, answer):
    """Set ``answer`` of the hands whose size is none; returns the place of the first."""
    first = np.int64(-1)
    for h in range(len(answer)):
        if not VALID_SIZES >> U(sizes[h]) & ONE:
            answer[h] = INVALID
            first = h if first < 0 else first
    return first


@helper
def first_invalid(sizes, count):
    """Place in the block of the first hand whose size is none."""
    for h in range(count):
        if not VALID_SIZES >> U(sizes[h]) & ONE:
            return np.int64(h)
    return np.int64(-1)


@kernel
def shanten_plain(address, kinds, n, forms, arena, out):
    """Shanten of ``n`` hands, PLAIN_FORMS only.

    address : intp, of ``uint8[n, kinds]`` in C order; kinds : uint64, 27 or 34
    out : int8[n]; INVALID marks a hand that cannot be
    returns : index of the first such hand, or -1
    """
    words = np.empty(4 * BLOCK, np.uint64)
    masks = np.empty((2, BLOCK), np.uint64)
    m1, m2 = masks[0], masks[1]
    sizes = np.empty(BLOCK, np.uint8)
    best = np.empty(BLOCK, np.int8)
    first_bad = np.int64(-1)
    start = np.int64(0)
    while start < n:
        count = read_pairs(address, kinds, n, start, words, masks)
        answer = out[start : start + count]
        seen = standard_block(arena, words, sizes, best)
        if not forms & STANDARD:
            best[:] = UNREACHABLE
        if forms & SEVEN_DIFFERENT:
            for h in range(BLOCK):
                lower(best, h, different_distance(m1[h], m2[h]) - 1, sizes[h] >= 13, 1)
        if forms & THIRTEEN_ORPHANS:
            for h in range(BLOCK):
                lower(best, h, orphans_distance(m1[h], m2[h]) - 1, sizes[h] >= 13, 1)
        put(best, answer)
        if seen & ~VALID_SIZES:
            place = mark_invalid(sizes, answer)
            first_bad = start + place if first_bad < 0 else first_bad
        start += count
    return first_bad


@kernel
def shanten(address, kinds, n, wilds, voids, forms, game, arena, out):
    """Shanten of ``n`` hands, every form.

    address, kinds, out, returns : as for ``shanten_plain``
    wilds, voids : uint8[n] or uint8[1] for all
    game : uint64, bits of the tiles played with
    Not checked: how many wilds a game has.
    """
    words = np.empty(4 * BLOCK, np.uint64)
    masks = np.empty((4, BLOCK), np.uint64)
    sizes = np.empty(BLOCK, np.uint8)
    best = np.empty(BLOCK, np.int8)
    block_wilds, block_voids = np.empty(BLOCK, np.uint8), np.empty(BLOCK, np.uint8)
    choices = np.int64(0)
    for void in voids:
        choices |= np.int64(void)
    first_bad = np.int64(-1)
    start = np.int64(0)
    while start < n:
        count = read_counts(address, kinds, n, start, words, masks)
        answer = out[start : start + count]
        take(wilds, start, count, block_wilds)
        take(voids, start, count, block_voids)
        seen = distance_block(
            arena, words, masks, block_wilds, block_voids, forms, choices, game, sizes, best
        )
        for h in range(BLOCK):
            missing = best[h] - np.int8(1) - np.int8(block_wilds[h])
            best[h] = best[h] if best[h] == UNREACHABLE else missing
        put(best, answer)
        if seen & ~VALID_SIZES:
            place = mark_invalid(sizes, answer)
            first_bad = start + place if first_bad < 0 else first_bad
        start += count
    return first_bad


@inline
def different_win(m1, m2):
    return bit_count(m2) == U(7)


@inline
def orphans_win(m1, m2):
    return (m1 & ORPHAN_BITS == ORPHAN_BITS) & (m2 & ORPHAN_BITS != ZERO)


@kernel
def win_plain(address, kinds, n, forms, arena, out):
    """Whether each of ``n`` hands is complete, PLAIN_FORMS only.

    address, kinds, returns : as for ``shanten_plain``; out : bool[n]

    A standard hand has one suit of 3k+2 tiles and otherwise 3k: the residues of the
    words say so without a look-up, and most hands end there.
    """
    words = np.empty(4 * BLOCK, np.uint64)
    masks = np.empty((2, BLOCK), np.uint64)
    m1, m2 = masks[0], masks[1]
    sizes = np.empty(BLOCK, np.uint8)
    wins = np.empty(BLOCK, np.bool_)
    pairs, orphans = forms & SEVEN_DIFFERENT != 0, forms & THIRTEEN_ORPHANS != 0
    first_bad = np.int64(-1)
    start = np.int64(0)
    while start < n:
        count = read_residues(address, kinds, n, start, words, masks)
        answer = out[start : start + count]
        seen, candidates = ZERO, ZERO
        for h in range(BLOCK):
            total = words[4 * h] + words[4 * h + 1] + words[4 * h + 2] + words[4 * h + 3]
            size = min((total >> U(32)) & U(0xFFFF), NO_SIZE)
            sizes[h] = size
            seen |= ONE << size
            candidates |= U(total >> U(48) == ONE) << U(h)
        for h in range(BLOCK):
            special = (different_win(m1[h], m2[h]) & pairs) | (orphans_win(m1[h], m2[h]) & orphans)
            wins[h] = special & (sizes[h] == 14)
        if forms & STANDARD:
            while candidates:
                h = np.int64(low_bit(candidates))
                candidates &= candidates - ONE
                size = U(sizes[h])
                complete = COMPLETE_SIZES >> size & ONE == ONE
                wins[h] |= complete & (standard_shanten(arena, words, h, size) == -1)
        put(wins, answer)
        if seen & ~VALID_SIZES and first_bad < 0:
            first_bad = start + first_invalid(sizes, count)
        start += count
    return first_bad


@kernel
def win(address, kinds, n, wilds, voids, forms, game, arena, out):
    """Whether each of ``n`` hands is complete, every form.

    address, kinds, wilds, voids, game : as for ``shanten``; out : bool[n]
    """
    words = np.empty(4 * BLOCK, np.uint64)
    masks = np.empty((4, BLOCK), np.uint64)
    sizes = np.empty(BLOCK, np.uint8)
    best = np.empty(BLOCK, np.int8)
    block_wilds, block_voids = np.empty(BLOCK, np.uint8), np.empty(BLOCK, np.uint8)
    choices = np.int64(0)
    for void in voids:
        choices |= np.int64(void)
    first_bad = np.int64(-1)
    start = np.int64(0)
    while start < n:
        count = read_counts(address, kinds, n, start, words, masks)
        answer = out[start : start + count]
        take(wilds, start, count, block_wilds)
        take(voids, start, count, block_voids)
        seen = distance_block(
            arena, words, masks, block_wilds, block_voids, forms, choices, game, sizes, best
        )
        for h in range(count):
            complete = COMPLETE_SIZES >> U(sizes[h]) & ONE == ONE
            answer[h] = complete & (best[h] == block_wilds[h])
        if seen & ~VALID_SIZES and first_bad < 0:
            first_bad = start + first_invalid(sizes, count)
        start += count
    return first_bad
