"""Deal hands, each from its own stream of random numbers; count tiles."""

from __future__ import annotations

import numpy as np

from ..jit import helper, inline, kernel

U = np.uint64

# how a family is dealt: from a wall, in groups of equal tiles, or around a complete hand
FROM_WALL, IN_GROUPS, NEAR_WIN = range(3)


@inline
def mix(x):
    """The finaliser of splitmix64 (Steele, Lea, Flood 2014): a bijection that scatters."""
    x = (x ^ (x >> U(30))) * U(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> U(27))) * U(0x94D049BB133111EB)
    return x ^ (x >> U(31))


@inline
def below(state, limit):
    """A random number 0 <= r < limit, exactly uniform (Lemire 2019), and the next state."""
    state += U(0x9E3779B97F4A7C15)
    product = (mix(state) >> U(32)) * limit
    if (product & U(0xFFFFFFFF)) < limit:
        floor = (U(1 << 32) - limit) % limit
        while (product & U(0xFFFFFFFF)) < floor:
            state += U(0x9E3779B97F4A7C15)
            product = (mix(state) >> U(32)) * limit
    return state, product >> U(32)


@helper
def deal_wall(state, wall, size, tiles, row, swaps):
    """``tiles`` of the ``size`` in the wall; the wall is put back in order."""
    for j in range(tiles):
        state, r = below(state, U(size - j))
        k = j + np.int64(r)
        swaps[j] = k
        wall[j], wall[k] = wall[k], wall[j]
        row[wall[j]] += 1
    for j in range(tiles - 1, -1, -1):
        k = swaps[j]
        wall[j], wall[k] = wall[k], wall[j]
    return state


@helper
def deal_groups(state, group, kinds, tiles, row):
    """Groups of equal tiles while they fit, then the rest one by one."""
    left = tiles
    while left > 0:
        take = group if left >= group else 1
        state, r = below(state, U(kinds))
        if row[r] + take <= 4:
            row[r] += take
            left -= take
    return state


@helper
def deal_near(state, kinds, tiles, row):
    """A complete hand, one tile taken out; with 3k+2 tiles another is drawn instead."""
    sets, chows = tiles // 3, np.int64(21)
    wanted = sets + 1
    while True:
        row[:] = 0
        for j in range(wanted):
            state, chow = below(state, U(2))
            if j == sets:
                state, r = below(state, U(kinds))
                row[r] += 2
            elif chow:
                state, r = below(state, U(chows))
                first = np.int64(r) // 7 * 9 + np.int64(r) % 7
                for k in range(3):
                    row[first + k] += 1
            else:
                state, r = below(state, U(kinds))
                row[r] += 3
        if row.max() <= 4:
            break
    # any tile of the hand is as likely to go
    total = 3 * sets + 2
    state, r = below(state, U(total))
    place = np.int64(r)
    for tile in range(kinds):
        place -= row[tile]
        if place < 0:
            row[tile] -= 1
            break
    while tiles % 3 == 2:
        state, r = below(state, U(kinds))
        if row[r] < 4:
            row[r] += 1
            break
    return state


@kernel
def deal(first, seed, stream, how, group, tiles, pools, out):
    """Hands ``first`` ... of an endless list: row i depends on ``first + i`` alone.

    seed, stream : uint64, two numbers that name the list
    how : FROM_WALL, IN_GROUPS or NEAR_WIN; group : size of a group
    pools : uint8[p, k], tiles of each wall a hand may be dealt from, 255 = none
    out : uint8[n, kinds], zeros
    """
    n, kinds = out.shape
    walls = pools.copy()
    swaps = np.empty(tiles, np.int64)
    sizes = np.zeros(len(pools), np.int64)
    for p in range(len(pools)):
        while sizes[p] < pools.shape[1] and pools[p, sizes[p]] != 255:
            sizes[p] += 1
    for i in range(n):
        state = mix(seed ^ mix(U(first) + U(i) + (stream << U(48))))
        row = out[i]
        if how == FROM_WALL:
            state, p = below(state, U(len(pools)))
            deal_wall(state, walls[p], sizes[p], tiles, row, swaps)
        elif how == IN_GROUPS:
            deal_groups(state, group, kinds, tiles, row)
        else:
            deal_near(state, kinds, tiles, row)


@kernel
def count_tiles(tiles, copies, limit, out, seen):
    """Counts of lists of tile ids.

    tiles : int64[n, k]; copies : ids a kind has (1 or 4); limit : number of ids
    out : uint8[n, kinds], zeros; seen : uint8[limit], zeros, room to see ids twice
    returns : row of the first list with an id that does not exist, a fifth copy or a
        physical tile twice; -1
    """
    for i in range(len(tiles)):
        bad = False
        for j in range(tiles.shape[1]):
            number = tiles[i, j]
            if number < 0 or number >= limit or (copies > 1 and seen[number]):
                bad = True
                break
            seen[number] = 1
            kind = number // copies
            out[i, kind] += 1
            bad |= out[i, kind] > 4
        for j in range(tiles.shape[1]):
            number = tiles[i, j]
            if number >= 0 and number < limit:
                seen[number] = 0
        if bad:
            return i
    return -1
