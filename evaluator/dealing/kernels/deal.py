"""Deal hands, each from its own stream of random numbers; count tiles."""

from __future__ import annotations

import numpy as np

from ...engine.jit import helper, inline, kernel
from ...tiles import COPIES, KINDS

U = np.uint64

# how a family is dealt: from a wall, in groups of equal tiles, or around a complete hand
FROM_WALL, IN_GROUPS, NEAR_WIN = range(3)

WORDS = COPIES * KINDS // 8  # a wall as numbers of eight tiles
NO_TILE = 255
DRAWS = 16  # a wall and at most 14 tiles, and a whole number of vectors
CHOWS = U(21)
GOLDEN = U(0x9E3779B97F4A7C15)
LOW = U(0xFFFFFFFF)


@inline
def mix(x):
    """The finaliser of splitmix64 (Steele, Lea, Flood 2014): a bijection that scatters."""
    x = (x ^ (x >> U(30))) * U(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> U(27))) * U(0x94D049BB133111EB)
    return x ^ (x >> U(31))


@inline
def below(state, limit):
    """A random number 0 <= r < limit, exactly uniform (Lemire 2019), and the next state."""
    state += GOLDEN
    product = (mix(state) >> U(32)) * limit
    if (product & LOW) < limit:
        floor = (U(1 << 32) - limit) % limit
        while (product & LOW) < floor:
            state += GOLDEN
            product = (mix(state) >> U(32)) * limit
    return state, product >> U(32)


@inline
def lay(words, pools, p):
    """A wall in order; the bytes of ``words`` are its tiles."""
    for j in range(WORDS):
        words[j] = pools[p, j]


@inline
def take(wall, j, k, out, i):
    """Tile ``k`` of the wall into hand ``i``, tile ``j``, not dealt yet, to its place."""
    tile = wall[k]
    wall[k] = wall[j]
    out[i, tile] += np.uint8(1)


@helper
def deal_wall(state, pools, size, tiles, wall, words, out, i):
    """``tiles`` of a wall chosen at random: a shuffle that stops early, draw by draw.

    What :func:`deal_walls` does at once, for the one hand in two million of which it
    does not know how many draws it takes.
    """
    state, p = below(state, U(len(pools)))
    lay(words, pools, p)
    for j in range(tiles):
        state, r = below(state, size - U(j))
        take(wall, U(j), U(j) + r, out, i)


@helper
def deal_walls(first, seed, stream, tiles, pools, out):
    """Hands from walls: all the draws of a hand side by side, then its tiles.

    The compiler makes vectors of the loop over draws.
    """
    words = np.empty(WORDS, np.uint64)
    wall = words.view(np.uint8)
    lay(words, pools, 0)
    size = U(0)
    while size < U(len(wall)) and wall[size] != NO_TILE:
        size += U(1)
    # draw 0 chooses the wall, draw j + 1 a tile of those from place j on
    steps, places = np.empty(DRAWS, np.uint64), np.zeros(DRAWS, np.uint64)
    limits, drawn = np.ones(DRAWS, np.uint32), np.empty(DRAWS, np.uint64)
    limits[0] = len(pools)
    for j in range(DRAWS):
        steps[j] = GOLDEN * U(j + 1)
    for j in range(tiles):
        limits[j + 1] = size - U(j)
        places[j + 1] = j
    for i in range(len(out)):
        state = start_of(first + U(i), seed, stream)
        unsure = U(0)
        for j in range(DRAWS):
            product = (mix(state + steps[j]) >> U(32)) * U(limits[j])
            unsure |= U((product & LOW) < U(limits[j]))
            drawn[j] = (product >> U(32)) + places[j]
        if unsure:
            deal_wall(state, pools, size, tiles, wall, words, out, i)
            continue
        lay(words, pools, drawn[0])
        for j in range(tiles):
            take(wall, U(j), drawn[j + 1], out, i)


@helper
def deal_groups(state, group, kinds, tiles, out, i):
    """Groups of equal tiles while they fit, then the rest one by one."""
    left = tiles
    while left > 0:
        count = group if left >= group else 1
        state, r = below(state, U(kinds))
        if out[i, r] + count <= 4:
            out[i, r] += count
            left -= count


@inline
def add(out, i, tile, count):
    """Add tiles to hand ``i``; whether there are now too many of them."""
    out[i, tile] += np.uint8(count)
    return U(out[i, tile] > 4)


@inline
def deal_sets(state, sets, kinds, out, i):
    """Chows and pungs, as likely as each other, and a pair; whether a tile is there too often.

    A pung is a chow that stays where it begins: a branch that no processor foresees
    would cost as much as all else.
    """
    wrong = U(0)
    for _ in range(sets):
        state, chow = below(state, U(2))
        state, r = below(state, CHOWS if chow else kinds)
        tile = r // U(7) * U(9) + r % U(7) if chow else r
        for step in range(3):
            wrong |= add(out, i, tile + U(step) * chow, 1)
    # nothing to choose about a pair, but the list of hands has always drawn it
    state, _ = below(state, U(2))
    state, r = below(state, kinds)
    return state, wrong | add(out, i, r, 2)


@helper
def deal_near(state, kinds, tiles, out, i):
    """A complete hand, one tile taken out; with 3k+2 tiles another is drawn instead."""
    sets = tiles // 3
    state, wrong = deal_sets(state, sets, U(kinds), out, i)
    while wrong:
        for tile in range(kinds):
            out[i, tile] = 0
        state, wrong = deal_sets(state, sets, U(kinds), out, i)
    # any tile of the hand is as likely to go
    state, r = below(state, U(3 * sets + 2))
    place = np.int64(r)
    for tile in range(kinds):
        place -= out[i, tile]
        if place < 0:
            out[i, tile] -= np.uint8(1)
            break
    while tiles % 3 == 2:
        state, r = below(state, U(kinds))
        if out[i, r] < 4:
            out[i, r] += np.uint8(1)
            break


@inline
def start_of(number, seed, stream):
    """State that the random numbers of a hand start from."""
    return mix(seed ^ mix(number + (stream << U(48))))


@kernel
def deal(first, seed, stream, how, group, tiles, pools, out):
    """Hands ``first`` ... of an endless list: row i depends on ``first + i`` alone.

    first, seed, stream : uint64; the last two name the list
    how : FROM_WALL, IN_GROUPS or NEAR_WIN; group : size of a group
    pools : uint64[p, WORDS], walls of one size that a hand may be dealt from: the bytes
        are tiles, then NO_TILE
    out : uint8[n, kinds], zeros
    """
    n, kinds = out.shape
    if how == FROM_WALL:
        deal_walls(first, seed, stream, tiles, pools, out)
        return
    for i in range(n):
        state = start_of(first + U(i), seed, stream)
        if how == IN_GROUPS:
            deal_groups(state, group, kinds, tiles, out, i)
        else:
            deal_near(state, kinds, tiles, out, i)


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
