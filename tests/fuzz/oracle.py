"""The definition of shanten and waits for many hands at once, in numpy alone.

Like :mod:`reference` it knows nothing of the package's tables and kernels: the distances of
a suit come from :func:`reference.all_distances`, and those of a suit that holds part of a
knitted pattern besides are made here. :mod:`test_fuzz` compares it with the plain
reference; it answers some 100,000 hands a second where that one answers 300.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from reference import COPIES, GROUPS, HONOURS, IMPOSSIBLE, KNITTED, ORPHANS, all_distances

Array = np.ndarray
FAR = 99
"""More tiles than any hand misses."""


@cache
def distances(kinds: int, base: tuple[int, ...] = ()) -> Array:
    """``uint8[2 * sets + pairs, code]``: tiles missing of ``base``, sets and pairs of a group.

    Up to four sets; one beside a ``base``. The code is the base-5 number of the counts.
    """
    plain = np.ascontiguousarray(all_distances(kinds).reshape(-1, 10).T)
    if not base:
        return plain
    shape = (5,) * kinds
    above = tuple(slice(base.count(tile), None) for tile in range(kinds))
    below = tuple(slice(0, 5 - base.count(tile)) for tile in range(kinds))
    found = np.full((4, 5**kinds), FAR, np.uint8)
    for row, rest in zip(found, plain[:4], strict=True):
        # what holds the base and, without it, the sets and the pair
        missing = row.reshape(shape)
        missing[above] = np.where(rest.reshape(shape)[below] == 0, 0, FAR)
        for tile in range(kinds):
            along = np.moveaxis(missing, tile, 0)
            for held in (3, 2, 1, 0):
                np.minimum(along[held], along[held + 1] + 1, out=along[held])
    return found


@dataclass(frozen=True)
class Way:
    """One way to be complete: what each group may hold (None: nothing), and what is wanted."""

    groups: tuple[Array | None, ...]
    sets: int


def ways(forms: Sequence[str], size: int, without: int | None) -> Iterator[Way]:
    """Those that are made of sets and a pair; ``without`` is the suit that is void."""
    suit, honours = distances(9), distances(7)
    if "standard" in forms:
        plain = [None if group == without else suit for group in range(3)]
        yield Way((*plain, honours), size // 3)
    if "knitted_straight" in forms and size >= 10 and without is None:
        for pattern in KNITTED:
            bases = [tuple(t % 9 for t in pattern if t // 9 == group) for group in range(3)]
            yield Way((*(distances(9, base) for base in bases), honours[:4]), size // 3 - 3)


def codes_of(counts: Array) -> list[Array]:
    """Base-5 numbers of the four groups of ``counts[n, 34]``."""
    found = []
    for tiles in GROUPS:
        powers = 5 ** np.arange(len(tiles) - 1, -1, -1, dtype=np.int64)
        found.append(counts[:, tiles.start : tiles.stop].astype(np.int64) @ powers)
    return found


def merged(one: Array, other: Array) -> Array:
    """The distances of two groups together: the best split of sets and pairs."""
    rows = min(len(one), len(other))
    found = np.full((rows, one.shape[1]), FAR, np.uint8)
    for sets in range(rows // 2):
        for here in range(sets + 1):
            for pairs, pair_here in ((0, 0), (1, 0), (1, 1)):
                left = one[2 * here + pair_here]
                right = other[2 * (sets - here) + pairs - pair_here]
                np.minimum(found[2 * sets + pairs], left + right, out=found[2 * sets + pairs])
    return found


def wanted(one: Array, other: Array, sets: int) -> Array:
    """:func:`merged` for so many sets and a pair alone."""
    best = np.full(one.shape[1], FAR, np.uint8)
    for here in range(sets + 1):
        for pair in (0, 1):
            np.minimum(best, one[2 * here + pair] + other[2 * (sets - here) + 1 - pair], out=best)
    return best


def nothing(rows: int, n: int) -> Array:
    """The distances of a group that holds nothing."""
    found = np.full((rows, n), FAR, np.uint8)
    found[0] = 0
    return found


def _looked_up(way: Way, codes: list[Array]) -> list[Array]:
    rows = 2 * way.sets + 2
    return [
        nothing(rows, len(code)) if table is None else np.minimum(table[:rows, code], FAR)
        for table, code in zip(way.groups, codes, strict=True)
    ]


def missing_of(way: Way, codes: list[Array]) -> Array:
    m, p, s, z = _looked_up(way, codes)
    return wanted(merged(m, p), merged(s, z), way.sets)


def missing_with_each(way: Way, codes: list[Array]) -> Array:
    """``uint8[34, n]``: the same with one more of each tile."""
    m, p, s, z = _looked_up(way, codes)
    mp, sz = merged(m, p), merged(s, z)
    rests = (merged(p, sz), merged(m, sz), merged(mp, z), merged(mp, s))
    found = np.full((34, len(codes[0])), FAR, np.uint8)
    for group, tiles in enumerate(GROUPS):
        table, rest = way.groups[group], rests[group]
        for tile in tiles:
            if table is None:
                found[tile] = wanted(nothing(len(rest), rest.shape[1]), rest, way.sets)
                continue
            more = codes[group] + 5 ** (tiles.stop - 1 - tile)
            # of a tile that is held four times nobody asks
            grown = np.minimum(table[: len(rest), np.minimum(more, table.shape[1] - 1)], FAR)
            found[tile] = wanted(grown, rest, way.sets)
    return found


def missing_single(counts: Array, forms: Sequence[str], size: int, without: int | None) -> Array:
    """The forms that are no sets: pairs, orphans, honours and knitted tiles."""
    best = np.full(len(counts), FAR, np.uint8)
    if size < 13:
        return best
    kept = counts
    if without is not None:
        kept = counts.copy()
        kept[:, 9 * without : 9 * without + 9] = 0
    found = []
    if "seven_pairs" in forms:
        twos = (kept >= 2).sum(1) + (kept == 4).sum(1)
        ones = (kept == 1).sum(1) + (kept == 3).sum(1)
        twos = np.minimum(twos, 7)
        found.append(14 - 2 * twos - np.minimum(7 - twos, ones))
    if "seven_different_pairs" in forms:
        twos = np.minimum((kept >= 2).sum(1), 7)
        found.append(14 - 2 * twos - np.minimum(7 - twos, (kept == 1).sum(1)))
    if "thirteen_orphans" in forms and without is None:
        orphans = counts[:, ORPHANS]
        found.append(13 - (orphans > 0).sum(1) + 1 - (orphans >= 2).any(1))
    if "honours_and_knitted" in forms and without is None:
        held = counts > 0
        most = [held[:, [*HONOURS, *pattern]].sum(1) for pattern in KNITTED]
        found.append(14 - np.max(most, axis=0))
    for missing in found:
        np.minimum(best, missing.astype(np.uint8), out=best)
    return best


def _over_sizes(sizes: Array, choices: Array) -> Iterator[tuple[int, int, Array]]:
    for size in np.unique(sizes).tolist():
        for bits in np.unique(choices[sizes == size]).tolist():
            yield size, bits, np.flatnonzero((sizes == size) & (choices == bits))


def _withouts(bits: int) -> list[int | None]:
    return [None if suit == 3 else suit for suit in range(4) if bits >> suit & 1]


def shanten(
    counts: Array, forms: Sequence[str], *, wilds: Array, choices: Array, sizes: Array | None = None
) -> Array:
    """``int16[n]``: shanten of ``counts[n, 34]``.

    ``choices[n]`` are bits: suit s may be the void one, 3 none is. ``sizes`` are those of
    the hands, if these hold another number of tiles.
    """
    sizes = counts.sum(1, dtype=np.int64) + wilds if sizes is None else sizes
    best = np.full(len(counts), IMPOSSIBLE, np.int16)
    for size, bits, rows in _over_sizes(sizes, choices):
        here = counts[rows]
        codes = codes_of(here)
        missing = np.full(len(rows), FAR, np.uint8)
        for without in _withouts(bits):
            np.minimum(missing, missing_single(here, forms, size, without), out=missing)
            for way in ways(forms, size, without):
                np.minimum(missing, missing_of(way, codes), out=missing)
        best[rows] = np.where(missing < FAR, missing - wilds[rows].astype(np.int16) - 1, IMPOSSIBLE)
    return best


def waits(
    counts: Array, forms: Sequence[str], *, wilds: Array, choices: Array, kinds: int = 34
) -> tuple[Array, Array]:
    """Shanten and ``bool[n, 34]``, the tiles whose draw lowers it; never a fifth copy."""
    now = shanten(counts, forms, wilds=wilds, choices=choices)
    sizes = counts.sum(1, dtype=np.int64) + wilds
    accepted = np.zeros((len(counts), 34), bool)
    for size, bits, rows in _over_sizes(sizes, choices):
        here = counts[rows]
        codes = codes_of(here)
        best = np.full((34, len(rows)), FAR, np.uint8)
        for without in _withouts(bits):
            for way in ways(forms, size, without):
                np.minimum(best, missing_with_each(way, codes), out=best)
            if size >= 13:
                for tile in range(kinds):
                    grown = here.copy()
                    grown[:, tile] += 1
                    single = missing_single(grown, forms, size, without)
                    np.minimum(best[tile], single, out=best[tile])
        after = best.T.astype(np.int16) - wilds[rows, None].astype(np.int16) - 1
        lower = (best.T < FAR) & (after < now[rows, None])
        accepted[rows] = lower & (here < COPIES)
    accepted[:, kinds:] = False
    return now, accepted


def bits_of(accepted: Array) -> Array:
    """``bool[..., k]`` as ``uint64[...]``."""
    weights = np.uint64(1) << np.arange(accepted.shape[-1], dtype=np.uint64)
    return np.where(accepted, weights, np.uint64(0)).sum(axis=-1, dtype=np.uint64)
