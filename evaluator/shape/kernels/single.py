"""Shanten of one hand in one call: no block, no arrays but the hand's own."""

from __future__ import annotations

import numpy as np

from ...engine.jit import carray, inline, kernel
from ...engine.tables import ARENA, HONOURS
from ...engine.vector import pointer_at
from ...tiles import SUITED
from .forms import (
    body_missing,
    different_distance,
    knitted_honours_distance,
    knitted_straight_distance,
    orphans_distance,
    pairs_distance,
    void_distance,
)
from .suits import (
    CHOICES,
    INVALID,
    KEEP_BITS,
    KNITTED_HONOURS,
    KNITTED_STRAIGHT,
    NO_SIZE,
    NO_VOID,
    ONE,
    SEVEN_DIFFERENT,
    SEVEN_PAIRS,
    STANDARD,
    THIRTEEN_ORPHANS,
    UNREACHABLE,
    VALID_SIZES,
    ZERO,
    U,
    class_of,
    final,
    merge,
    sets_of,
)

# what a call is told beside its hand, in one number: every argument costs 20 ns
FORM_FIELD, VOID_FIELD, SHORT_GAME, ARENA_SHIFT = 0b111111, 6, 10, 11


def plan(forms, voids, kinds, arena):
    """Forms, choices of a void suit, kinds played with and the arena's address as one int."""
    short = int(kinds == SUITED)
    return arena.ctypes.data << ARENA_SHIFT | short << SHORT_GAME | voids << VOID_FIELD | forms


@inline
def suit_code(hand, first, last):
    """(code, tiles, largest count) of part of a hand."""
    code, tiles, most = ZERO, ZERO, ZERO
    for tile in range(first, last):
        copies = U(hand[tile])
        most = max(most, copies)
        code = code * U(5) + copies
        tiles += copies
    return code, tiles, most


@inline
def read_hand(hand):
    """(codes, honour code, tiles or 15 when they cannot be)."""
    if len(hand) != 34 and len(hand) != 27:
        return (ZERO, ZERO, ZERO), U(HONOURS), NO_SIZE
    a, na, ma = suit_code(hand, 0, 9)
    b, nb, mb = suit_code(hand, 9, 18)
    c, nc, mc = suit_code(hand, 18, 27)
    d, nd, md = suit_code(hand, 27, len(hand))
    most = max(max(ma, mb), max(mc, md))
    size = min(na + nb + nc + nd, NO_SIZE)
    return (a, b, c), d + U(HONOURS), size if most <= U(4) else NO_SIZE


@inline
def mask_of(hand, copies):
    """Bits of the tiles of which there are at least so many."""
    mask = ZERO
    for tile in range(len(hand)):
        mask |= U(hand[tile] >= copies) << U(tile)
    return mask


@kernel
def shanten_plain(hand, plan):
    """Shanten of ``uint8[34]`` or ``[27]``, PLAIN_FORMS only; INVALID when it cannot be."""
    arena = carray(pointer_at(plan >> ARENA_SHIFT), (ARENA,), np.uint8)
    forms = plan & FORM_FIELD
    codes, d, size = read_hand(hand)
    if not VALID_SIZES >> size & ONE:
        return np.int64(INVALID)
    best = np.int64(UNREACHABLE)
    if forms & STANDARD:
        left = merge(arena, class_of(arena, codes[0]), class_of(arena, codes[1]))
        right = merge(arena, class_of(arena, codes[2]), class_of(arena, d))
        best = final(arena, sets_of(size), left, right)
    if size >= U(13):
        m1, m2 = mask_of(hand, 1), mask_of(hand, 2)
        if forms & SEVEN_DIFFERENT:
            best = min(best, different_distance(m1, m2) - 1)
        if forms & THIRTEEN_ORPHANS:
            best = min(best, orphans_distance(m1, m2) - 1)
    return best


@kernel
def shanten(hand, plan):
    """Shanten of ``uint8[34]`` or ``[27]``, every form; INVALID when it cannot be."""
    arena = carray(pointer_at(plan >> ARENA_SHIFT), (ARENA,), np.uint8)
    forms = plan & FORM_FIELD
    voids = plan >> VOID_FIELD
    codes, d, size = read_hand(hand)
    m1 = mask_of(hand, 1)
    foreign = m1 >> U(27) != ZERO and plan >> SHORT_GAME & 1
    if foreign or not VALID_SIZES >> size & ONE:
        return np.int64(INVALID)
    m2, m3, m4 = mask_of(hand, 2), mask_of(hand, 3), mask_of(hand, 4)
    best = np.int64(UNREACHABLE)
    sets, full = sets_of(size), size >= U(13)
    ka, kb, kc = class_of(arena, codes[0]), class_of(arena, codes[1]), class_of(arena, codes[2])
    kd = class_of(arena, d)
    for choice in range(CHOICES):
        if not voids >> choice & 1:
            continue
        keep = KEEP_BITS[choice]
        if forms & STANDARD:
            best = min(best, void_distance(arena, ka, kb, kc, kd, sets, choice))
        if full and forms & SEVEN_PAIRS:
            best = min(best, pairs_distance(m1 & keep, m2 & keep, m3 & keep, m4 & keep))
        if full and forms & SEVEN_DIFFERENT:
            best = min(best, different_distance(m1 & keep, m2 & keep))
    if voids >> NO_VOID & 1:
        if full and forms & THIRTEEN_ORPHANS:
            best = min(best, orphans_distance(m1, m2))
        if full and forms & KNITTED_HONOURS:
            best = min(best, knitted_honours_distance(m1))
        if size >= U(10) and forms & KNITTED_STRAIGHT and body_missing(m1) < best:
            best = min(best, knitted_straight_distance(arena, codes, d, m1, sets))
    return best if best == UNREACHABLE else best - 1
