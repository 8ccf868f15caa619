"""Shanten, accepted tiles and copies left of hands that wait for a tile (3k+1)."""

from __future__ import annotations

import numpy as np

from ...engine.jit import inline, kernel
from ...engine.vector import byte_at
from .forms import (
    copies_left,
    different_accepts,
    different_distance,
    hand_accepts,
    orphans_accepts,
    orphans_distance,
    standard_accepts,
)
from .suits import (
    ALL_TILES,
    BLOCK,
    CODE,
    INVALID,
    ONE,
    SEVEN_DIFFERENT,
    STANDARD,
    THIRTEEN_ORPHANS,
    UNREACHABLE,
    WAITING_SIZES,
    ZERO,
    U,
    put,
    read_counts,
    sets_of,
    size_in_game,
    size_of,
    take,
)


@kernel
def waits_plain(address, kinds, n, forms, arena, accept, shanten, masks_out, left):
    """Waits of ``n`` hands, PLAIN_FORMS only.

    address, kinds : as for ``shanten_plain``
    accept : (entry, column, mask) of ``tables.accept``
    shanten : int8[n], masks_out : uint64[n], left : uint8[n], out
    returns : index of the first hand that is not of 3k+1 tiles, or -1
    """
    words = np.empty(4 * BLOCK, np.uint64)
    levels = np.empty((4, BLOCK), np.uint64)
    m1, m2, m3 = levels[0], levels[1], levels[2]
    sizes = np.empty(BLOCK, np.uint8)
    best = np.empty(BLOCK, np.int8)
    accepted = np.empty(BLOCK, np.uint64)
    copies = np.empty(BLOCK, np.uint8)
    game = (ONE << kinds) - ONE
    first_bad = np.int64(-1)
    start = np.int64(0)
    while start < n:
        count = read_counts(address, kinds, n, start, words, levels)
        answer, answer_mask = shanten[start : start + count], masks_out[start : start + count]
        answer_left = left[start : start + count]
        seen = ZERO
        for h in range(BLOCK):
            size = size_of(words, h, ZERO)
            sizes[h] = size
            seen |= ONE << size
        if forms & STANDARD:
            for h in range(BLOCK):
                codes = (words[4 * h] & CODE, words[4 * h + 1] & CODE, words[4 * h + 2] & CODE)
                sets, honours = sets_of(U(sizes[h])), words[4 * h + 3] & CODE
                best[h], accepted[h] = standard_accepts(
                    arena, accept, sets, codes, honours, ALL_TILES
                )
        else:
            best[:] = UNREACHABLE
            accepted[:] = ZERO
        if forms & SEVEN_DIFFERENT:
            for h in range(BLOCK):
                distance = different_distance(m1[h], m2[h]) - 1
                distance = np.int8(distance if sizes[h] == 13 else UNREACHABLE)
                more = different_accepts(m1[h], m2[h]) if distance <= best[h] else ZERO
                accepted[h] = more | (accepted[h] if distance >= best[h] else ZERO)
                best[h] = min(best[h], distance)
        if forms & THIRTEEN_ORPHANS:
            for h in range(BLOCK):
                distance = orphans_distance(m1[h], m2[h]) - 1
                distance = np.int8(distance if sizes[h] == 13 else UNREACHABLE)
                more = orphans_accepts(m1[h], m2[h]) if distance <= best[h] else ZERO
                accepted[h] = more | (accepted[h] if distance >= best[h] else ZERO)
                best[h] = min(best[h], distance)
        for h in range(BLOCK):
            accepted[h] = ZERO if best[h] == UNREACHABLE else accepted[h] & game
            copies[h] = copies_left(accepted[h], m1[h], m2[h], m3[h])
        put(best, answer)
        put(accepted, answer_mask)
        put(copies, answer_left)
        if seen & ~WAITING_SIZES:
            place = mark_rows(sizes, answer, answer_mask, answer_left)
            first_bad = start + place if first_bad < 0 else first_bad
        start += count
    return first_bad


@inline
def mark_rows(sizes, shanten, masks, left):
    """Blank the rows that do not wait; returns the place of the first."""
    first = np.int64(-1)
    for h in range(len(shanten)):
        if not WAITING_SIZES >> U(sizes[h]) & ONE:
            shanten[h] = INVALID
            masks[h] = ZERO
            left[h] = 0
            first = h if first < 0 else first
    return first


@kernel
def waits(address, kinds, n, wilds, voids, forms, game, arena, accept, shanten, masks_out, left):
    """Waits of ``n`` hands, every form.

    wilds, voids : uint8[n] or uint8[1] for all; game : uint64, bits of the tiles
        played with
    The rest as for ``waits_plain``. Not checked: how many wilds a game has.
    """
    words = np.empty(4 * BLOCK, np.uint64)
    levels = np.empty((4, BLOCK), np.uint64)
    m1, m2, m3, m4 = levels[0], levels[1], levels[2], levels[3]
    sizes = np.empty(BLOCK, np.uint8)
    block_wilds, block_voids = np.empty(BLOCK, np.uint8), np.empty(BLOCK, np.uint8)
    first_bad = np.int64(-1)
    start = np.int64(0)
    while start < n:
        count = read_counts(address, kinds, n, start, words, levels)
        answer, answer_mask = shanten[start : start + count], masks_out[start : start + count]
        answer_left = left[start : start + count]
        take(wilds, start, count, block_wilds)
        take(voids, start, count, block_voids)
        seen = ZERO
        for h in range(count):
            size = size_in_game(words, h, U(block_wilds[h]), m1[h] & ~game)
            sizes[h] = size
            seen |= ONE << size
            distance, accepted = hand_accepts(
                arena,
                accept,
                (words[4 * h] & CODE, words[4 * h + 1] & CODE, words[4 * h + 2] & CODE),
                words[4 * h + 3] & CODE,
                (m1[h], m2[h], m3[h], m4[h]),
                size,
                forms,
                np.int64(block_voids[h]),
            )
            if distance != UNREACHABLE:
                distance -= 1 + np.int64(block_wilds[h])
            accepted &= game
            answer[h] = distance
            answer_mask[h] = accepted
            answer_left[h] = copies_left(accepted, m1[h], m2[h], m3[h])
        if seen & ~WAITING_SIZES:
            place = mark_rows(sizes, answer, answer_mask, answer_left)
            first_bad = start + place if first_bad < 0 else first_bad
        start += count
    return first_bad


@kernel
def count_left(address, kinds, accepted, visible, left, shanten):
    """Copies left of accepted tiles when more tiles are visible than the hand's own.

    address, kinds : the n hands; visible : uint8[n, kinds] or uint8[1, kinds] for all
    accepted : uint64[n, m], in; left : uint8[n, m], out; shanten : int8[n, m]
    returns : index of the first hand with more than four copies of a tile, or -1; such
        a hand is marked as INVALID, without tiles
    """
    first_bad = np.int64(-1)
    each = np.int64(len(visible) > 1)
    for i in range(len(accepted)):
        if shanten[i, 0] == INVALID:
            continue
        bad = False
        for j in range(accepted.shape[1]):
            left[i, j] = 0
        for tile in range(np.int64(kinds)):
            gone = byte_at(address + i * np.int64(kinds) + tile) + U(visible[i * each, tile])
            if gone > U(4):
                bad = True
                break
            for j in range(accepted.shape[1]):
                if accepted[i, j] >> U(tile) & ONE:
                    left[i, j] += U(4) - gone
        if bad:
            first_bad = i if first_bad < 0 else first_bad
            for j in range(accepted.shape[1]):
                shanten[i, j] = INVALID
                accepted[i, j] = ZERO
                left[i, j] = 0
    return first_bad
