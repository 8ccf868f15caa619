"""Every division of a complete hand into sets and a pair, tile by tile.

Knows no table: it answers ``decompose`` and is the independent check of the tables.
The search keeps its own stack; a compiled function that calls itself cannot be cached.
"""

from __future__ import annotations

import numpy as np

from ...engine.jit import helper, inline, kernel

# what a step puts at a tile, in the order they are tried
PAIR, PUNG, CHOW, NOTHING = range(4)
STEPS = 16


@kernel
def divide(counts, sets, out):
    """Divisions of ``counts`` into ``sets`` sets and a pair, each once.

    counts : int64[34], exactly 3 * sets + 2 tiles; is used as working space
    out : uint8[m, 5], out: the sets from the lowest tile on (0-20 a chow by its
        number, 21-54 a pung by its tile), then the pair's tile in the last column
    returns : how many there are; only the first m are written
    """
    return divisions(counts, sets, out, np.empty((3, STEPS), np.int64))


@helper
def divisions(counts, sets, out, steps):
    """The same; ``steps``: int64[3, STEPS], working space."""
    found = np.int64(0)
    # a step a set or pair: at which tile, what is tried there, whether it stands
    tile, what, stands = steps[0], steps[1], steps[2]
    tile[0], what[0], stands[0] = 0, -1, 0
    depth = np.int64(0)
    paired = False
    while tile[0] < 33 and counts[tile[0]] == 0:
        tile[0] += 1
    while depth >= 0:
        here = tile[depth]
        if stands[depth]:
            paired &= what[depth] != PAIR
            put(counts, here, what[depth], 1)
            stands[depth] = 0
        what[depth] += 1
        if what[depth] == NOTHING:
            depth -= 1
            continue
        if what[depth] == PAIR:
            fits = not paired and counts[here] >= 2
        elif what[depth] == PUNG:
            fits = counts[here] >= 3
        else:
            fits = here < 27 and here % 9 <= 6 and counts[here] > 0
            fits = fits and counts[here + 1] > 0 and counts[here + 2] > 0
        # the last step must bring the pair if none stands yet
        if not fits or (depth == sets and not paired and what[depth] != PAIR):
            continue
        paired |= what[depth] == PAIR
        put(counts, here, what[depth], -1)
        stands[depth] = 1
        if depth < sets:
            # the first tile left must be in the next set; at one tile in one order only
            following = here
            while following < 33 and counts[following] == 0:
                following += 1
            depth += 1
            tile[depth] = following
            what[depth] = what[depth - 1] - 1 if following == here else -1
            stands[depth] = 0
            continue
        if found < len(out):
            place = 0
            for d in range(sets + 1):
                at = tile[d]
                if what[d] == PAIR:
                    out[found, 4] = at
                else:
                    out[found, place] = at // 9 * 7 + at % 9 if what[d] == CHOW else 21 + at
                    place += 1
        found += 1
    return found


@inline
def put(counts, tile, what, copies):
    """Add (1) or take (-1) the tiles of a pair, pung or chow."""
    if what == PAIR:
        counts[tile] += 2 * copies
    elif what == PUNG:
        counts[tile] += 3 * copies
    else:
        for k in range(3):
            counts[tile + k] += copies
