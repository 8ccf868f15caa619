"""The signatures of suits: all that pattern scoring must know of one.

Of the vectors of a suit 26,786 can be part of a win: as sets, as sets and a pair, or as
part of seven pairs. What matters of one is a *descriptor*; the descriptors of the suits of
a hand are joined by addition (its low byte) and by OR (its NOT bits: what one suit lacks
the hand lacks):

======  ====================================================================
0-3     pairs
4-7     sets
8       is no sets or sets and a pair
9       is not all even
10      has no division of pungs only
11      has no division with a terminal in every set and the pair
12      has no division of both kinds
13      holds a tile that is no 2, 5, 8
14      holds a terminal
16-19   kinds of which there are four
======  ====================================================================

A vector that is not sets (and a pair) has neither in the low byte.

sichuan.npz
    ``code uint32[26786]``
        base-5 codes as in ``shape.npz``
    ``signature uint8[26786]``
        which descriptor each has
    ``descriptor uint32[signatures]``
        from the second on; the first is that of a vector that is no part of a win

Verify: the tests compare with divisions found tile by tile, and the distributions of fan
over all wins with known totals.
"""

from __future__ import annotations

import itertools

import numpy as np

SUIT_KINDS = 9
MOST_TILES = 14
NO_SETS, NOT_EVEN, NO_PUNGS, NO_OUTSIDE, NO_OUTSIDE_PUNGS, NOT_258, TERMINAL = (
    1 << bit for bit in range(8, 15)
)
SETS, FOURS = 4, 16
NEVER = NO_SETS | NOT_EVEN | NO_PUNGS | NO_OUTSIDE | NO_OUTSIDE_PUNGS

# a set or pair: its tiles, whether it is no chow, whether it holds a terminal
_CHOWS = [((at, at + 1, at + 2), False, at in (0, 6)) for at in range(7)]
_PUNGS = [((at,) * 3, True, at in (0, 8)) for at in range(SUIT_KINDS)]
_PAIRS = [((at,) * 2, True, at in (0, 8)) for at in range(SUIT_KINDS)]


def _divided() -> dict[tuple[int, ...], int]:
    """Every vector that is sets, or sets and a pair: its counts and sets, and NOT bits."""
    found: dict[tuple[int, ...], int] = {}
    for sets in range(5):
        for body in itertools.combinations_with_replacement(_CHOWS + _PUNGS, sets):
            for pair in [None, *_PAIRS]:
                parts = [*body, pair] if pair else list(body)
                counts = [0] * SUIT_KINDS
                for tiles, _, _ in parts:
                    for tile in tiles:
                        counts[tile] += 1
                if max(counts) > 4:
                    continue
                pungs = all(part[1] for part in parts)
                outside = all(part[2] for part in parts)
                lacks = NO_PUNGS * (not pungs) | NO_OUTSIDE * (not outside)
                lacks |= NO_OUTSIDE_PUNGS * (not (pungs and outside))
                shape = sets << SETS | (pair is not None)
                before = found.get(tuple(counts), shape | NEVER)
                found[tuple(counts)] = before & (shape | lacks)
    return found


def build_sichuan() -> dict[str, np.ndarray]:
    """The arrays of sichuan.npz."""
    found = _divided()
    for counts in itertools.product((0, 2, 4), repeat=SUIT_KINDS):
        if sum(counts) <= MOST_TILES:
            found.setdefault(counts, NEVER)
    described = {}
    for counts, lacks in found.items():
        lacks &= ~NOT_EVEN
        lacks |= NOT_EVEN * any(count % 2 for count in counts)
        lacks |= NOT_258 * any(counts[at] for at in (0, 2, 3, 5, 6, 8))
        lacks |= TERMINAL * (counts[0] + counts[8] > 0)
        lacks |= counts.count(4) << FOURS
        code = 0
        for count in counts:
            code = code * 5 + count
        described[code] = lacks
    codes = np.array(sorted(described), np.uint32)
    descriptor, signature = np.unique(
        np.array([described[code] for code in codes.tolist()], np.uint32), return_inverse=True
    )
    return {
        "code": codes,
        "signature": (signature.ravel() + 1).astype(np.uint8),
        "descriptor": descriptor,
    }
