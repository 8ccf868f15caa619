"""Build the tables of the evaluator from the definition of a set and a pair.

    python tables/build.py            write the .npz files and MANIFEST.json
    python tables/build.py --check    rebuild, compare with what is there, write nothing

**A suit** is nine counts 0-4 (an honour "suit" seven, without chows). Its code is
the base-5 number of its counts, the first tile the most significant digit;
honour codes follow the suit codes, from ``HONOURS`` on.

**Distance** d(m, p) of a suit: the fewest tiles to add so that m sets and p pairs
can be formed from it, with at most four copies of each tile in what is formed
(m = 0-4, p = 0-1: ten numbers, the suit's *profile*).

**Class**: suits with equal profiles are one class; two suits together have the
profile min over the split of m and p, and closing under this *merge* ends at 180
classes. Class 0 is the empty suit, which changes nothing it is merged with.

shape.npz
    ``suit_class uint8[5**9 + 5**7]``
        class of each code; 0 for suits of more than 14 tiles
    ``merge uint8[180, 180]``
        class of two suits together (associative, commutative)
    ``distance uint8[180, 5, 2]``
        the profile of each class

accept.npz: which tiles of a suit bring the whole hand nearer. A tile does iff it
lowers d(m, p) for a split (m, p) that is optimal beside the other three suits;
the optimal splits depend on this suit's class, the class of the *rest* and the
number of sets wanted.
    ``row uint32[5**9 + 5**7]``
        where the masks of a code begin in ``mask``
    ``column uint8[5, 180, 180]``
        what to add for (sets wanted, class, class of the rest)
    ``mask uint16[...]``
        bit j = tile j of the suit lowers the distance

patterns.npz: hands in which not every set counts (every set with a terminal, no
terminals, only 6-9). Such a suit is one or more *windows*, runs of ranks from which
all its sets are, and a window has a profile like a suit.
    ``simples uint8[5**7]``, ``fours uint8[5**4]``
        class of the ranks 2-8, and of four neighbours, among the 180 classes
    ``terminals uint8[5**3, 5**3]``
        class of the ranks 1-3 and 7-9 of a suit when every set and pair holds a
        terminal, of the *terminal* classes: closed like the others, 245 of them
    ``terminal_merge uint8[245, 245]``, ``terminal_distance uint8[245, 5, 2]``
    ``terminal_honours uint8[180]``
        the terminal class of a class of honours
    ``window_class uint8[...]``
        class of 1, 2, 3, 4 and 5 neighbours one after the other, then of the ranks 3-7
        when every set and pair holds the middle one; of classes that are never merged
    ``window_distance uint8[..., 5, 2]``
        their profiles, 99 = cannot be

guobiao.npz, sichuan.npz: see ``guobiao.py`` and ``sichuan.py`` in this folder.

Verify: every profile is compared with an independent recurrence in the tests, and
the distributions of shanten over all deals of 13 and 14 tiles with known totals.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np
from guobiao import build_guobiao
from sichuan import build_sichuan

FORMAT = 1
SUIT_KINDS, HONOUR_KINDS = 9, 7
HONOURS = 5**SUIT_KINDS
CODES = HONOURS + 5**HONOUR_KINDS
MOST_TILES = 14
DEMANDS = 10  # (m, p) -> 2 * m + p
FAR = 99
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Family:
    """Which sets count: bit i of a mask allows the set or pair at tile i.

    The full family makes the tables; all pungs, terminals in every set or
    2-5-8 are the same construction over fewer sets.
    """

    kinds: int
    chows: int
    pungs: int
    pairs: int


SUIT = Family(SUIT_KINDS, 0b001111111, 0b111111111, 0b111111111)
HONOUR = Family(HONOUR_KINDS, 0, 0b1111111, 0b1111111)


@numba.njit
def _extend(before, after, count, chow, pung, pair):
    """Cheapest ways to cover one more tile.

    ``before[m, p, a, b]``: m sets and p pairs so far, of which a chows began one
    tile ago and b two tiles ago; they need this tile too. ``chow`` / ``pung`` /
    ``pair``: how many may begin here.
    """
    after[:] = FAR
    for m in range(5):
        for p in range(2):
            for a in range(5):
                for b in range(5 - a):
                    cost = before[m, p, a, b]
                    if cost >= FAR:
                        continue
                    for s in range(min(chow, 4 - m, 4 - a - b) + 1):
                        for t in range(min(pung, 4 - m - s) + 1):
                            for q in range(min(pair, 1 - p) + 1):
                                used = a + b + s + 3 * t + 2 * q
                                if used > 4:
                                    continue
                                total = cost + max(used - count, 0)
                                if total < after[m + s + t, p + q, s, a]:
                                    after[m + s + t, p + q, s, a] = total


@numba.njit
def _profiles(kinds, chows, pungs, pairs):
    """d(m, p) of every suit of at most 14 tiles; FAR elsewhere. Vectors share prefixes."""
    out = np.full((5**kinds, DEMANDS), FAR, np.uint8)
    ways = np.full((kinds + 1, 5, 2, 5, 5), FAR, np.int64)
    ways[0, 0, 0, 0, 0] = 0
    counts = np.full(kinds, -1, np.int64)
    depth, tiles, code = 0, 0, 0
    while depth >= 0:
        old = counts[depth]
        new = old + 1
        if new > 4 or tiles - max(old, 0) + new > MOST_TILES:
            tiles -= max(old, 0)
            code -= max(old, 0)
            code //= 5
            counts[depth] = -1
            depth -= 1
            continue
        counts[depth] = new
        tiles += new - max(old, 0)
        code += new - max(old, 0)
        # a chow that begins here needs two more tiles
        chow = 4 if depth + 2 < kinds and chows >> depth & 1 else 0
        _extend(ways[depth], ways[depth + 1], new, chow, pungs >> depth & 1, pairs >> depth & 1)
        if depth + 1 < kinds:
            depth += 1
            code *= 5
            continue
        for m in range(5):
            for p in range(2):
                out[code, 2 * m + p] = ways[kinds, m, p, 0, 0]
    return out


def profiles(family: Family) -> np.ndarray:
    """``uint8[5**kinds, 10]``: d(m, p) at column 2m + p; 99 = more than 14 tiles, or never."""
    return _profiles(family.kinds, family.chows, family.pungs, family.pairs)


def merge_profiles(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Profiles of each of ``a`` beside each of ``b``: the best split of sets and pair."""
    left, right = a.reshape(-1, 1, 5, 2).astype(int), b.reshape(1, -1, 5, 2).astype(int)
    out = np.full((len(a), len(b), 5, 2), FAR)
    for m in range(5):
        for k in range(m + 1):
            for p in range(2):
                for q in range(p + 1):
                    split = left[:, :, k, q] + right[:, :, m - k, p - q]
                    np.minimum(out[:, :, m, p], split, out=out[:, :, m, p])
    return np.minimum(out, FAR).astype(np.uint8).reshape(len(a), len(b), DEMANDS)


def close_classes(found: np.ndarray) -> np.ndarray:
    """All profiles that merging produces, the neutral one first."""
    classes = np.unique(found, axis=0)
    while True:
        merged = merge_profiles(classes, classes).reshape(-1, DEMANDS)
        grown = np.unique(np.concatenate([classes, merged]), axis=0)
        if len(grown) == len(classes):
            break
        classes = grown
    neutral = np.array([3 * m + 2 * p for m in range(5) for p in range(2)], np.uint8)
    first = np.nonzero((classes == neutral).all(axis=1))[0]
    return np.concatenate([classes[first], np.delete(classes, first, axis=0)])


def class_ids(rows: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The number of each row among ``classes``."""
    order = np.lexsort(classes.T[::-1])
    keys = np.ascontiguousarray(classes[order]).view(f"V{DEMANDS}").ravel()
    places = np.searchsorted(keys, np.ascontiguousarray(rows).view(f"V{DEMANDS}").ravel())
    ids = order[places].astype(np.uint8)
    if not (classes[ids] == rows).all():
        raise AssertionError("a profile outside the classes")
    return ids


def build_shape() -> dict[str, np.ndarray]:
    """The arrays of shape.npz."""
    rows = np.concatenate([profiles(SUIT), profiles(HONOUR)])
    real = rows[:, 0] == 0
    classes = close_classes(rows[real])
    suit_class = np.zeros(CODES, np.uint8)
    suit_class[real] = class_ids(rows[real], classes)
    n = len(classes)
    merged = merge_profiles(classes, classes).reshape(-1, DEMANDS)
    return {
        "suit_class": suit_class,
        "merge": class_ids(merged, classes).reshape(n, n),
        "distance": classes.reshape(n, 5, 2),
    }


@numba.njit
def _improving(suit_class, distance, first, kinds):
    """mask[code, demand]: tiles of the suit that lower d(demand); suits of <= 13 tiles."""
    n = 5**kinds
    out = np.zeros((n, DEMANDS), np.uint16)
    tiles = np.zeros(n, np.uint8)
    for code in range(n):
        rest, step = code, 1
        for _ in range(kinds):
            tiles[code] += rest % 5
            rest //= 5
        if tiles[code] >= MOST_TILES:
            continue
        rest = code
        for j in range(kinds - 1, -1, -1):
            if rest % 5 < 4:
                old, new = suit_class[first + code], suit_class[first + code + step]
                for k in range(DEMANDS):
                    if distance[new, k] < distance[old, k]:
                        out[code, k] |= 1 << j
            rest //= 5
            step *= 5
    return out, tiles


def optimal_splits(distance: np.ndarray) -> np.ndarray:
    """``uint16[5, c, c]``: bit of each demand (m, p) of the first class that is optimal
    beside the second when so many sets and a pair are wanted."""
    n = len(distance)
    d = distance.astype(int)
    out = np.zeros((5, n, n), np.uint16)
    for sets in range(5):
        splits = [(m, p) for m in range(sets + 1) for p in range(2)]
        costs = np.array([d[:, None, m, p] + d[None, :, sets - m, 1 - p] for m, p in splits])
        for (m, p), cost in zip(splits, costs, strict=True):
            out[sets] |= (cost == costs.min(axis=0)).astype(np.uint16) << (2 * m + p)
    return out


def build_accept(shape: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays of accept.npz."""
    distance = shape["distance"].reshape(-1, DEMANDS)
    splits = optimal_splits(shape["distance"])
    parts = [
        _improving(shape["suit_class"], distance, first, kinds)
        for first, kinds in ((0, SUIT_KINDS), (HONOURS, HONOUR_KINDS))
    ]
    improving = np.concatenate([p[0] for p in parts])
    usable = np.concatenate([p[1] for p in parts]) < MOST_TILES
    row = np.zeros(CODES, np.uint32)
    column = np.zeros(splits.shape, np.uint8)
    blocks, begin = [], 0
    for number in range(len(distance)):
        codes = np.nonzero(usable & (shape["suit_class"] == number))[0]
        if number == 0:
            codes = np.array([0, HONOURS])  # codes of too many tiles carry class 0 too
        sets, which_set = np.unique(splits[:, number], return_inverse=True)
        kinds, which_kind = np.unique(improving[codes], axis=0, return_inverse=True)
        masks = np.zeros((len(kinds), len(sets)), np.uint16)
        for k in range(DEMANDS):
            masks |= np.where(sets[None, :] >> k & 1, kinds[:, k, None], 0).astype(np.uint16)
        # equal columns and equal rows are kept once
        columns, which_column = np.unique(masks.T, axis=0, return_inverse=True)
        rows, which_row = np.unique(columns.T, axis=0, return_inverse=True)
        column[:, number] = which_column.ravel()[which_set.reshape(splits[:, number].shape)]
        row[codes] = begin + which_row.ravel()[which_kind.ravel()] * len(columns)
        blocks.append(rows.ravel())
        begin += rows.size
    return {"row": row, "column": column, "mask": np.concatenate(blocks).astype(np.uint16)}


def window(kinds: int) -> Family:
    """Sets and pairs within ``kinds`` neighbours."""
    every = (1 << kinds) - 1
    return Family(kinds, every >> 2, every, every)


# 123, 111 and 11; 789, 999 and 99; what has the middle one of five neighbours
LOW, HIGH = Family(3, 0b001, 0b001, 0b001), Family(3, 0b001, 0b100, 0b100)
FIVES = Family(5, 0b00111, 0b00100, 0b00100)
WINDOWS = (*(window(kinds) for kinds in range(1, 6)), FIVES)


def build_patterns(shape: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays of patterns.npz."""
    classes = shape["distance"].reshape(-1, DEMANDS)
    honours = np.unique(shape["suit_class"][HONOURS:])
    halves = np.indices((5,) * 3).sum(axis=0).reshape(-1)
    suits = merge_profiles(profiles(LOW), profiles(HIGH))
    suits[halves[:, None] + halves > MOST_TILES] = classes[0]
    suits = suits.reshape(-1, DEMANDS)
    terminal = close_classes(np.concatenate([suits, classes[honours]]))
    n = len(terminal)
    merged = merge_profiles(terminal, terminal).reshape(-1, DEMANDS)
    terminal_honours = np.zeros(len(classes), np.uint8)
    terminal_honours[honours] = class_ids(classes[honours], terminal)
    simples, fours = profiles(window(7)), profiles(window(4))
    real = simples[:, 0] == 0  # the others have too many tiles
    simple_class = np.zeros(len(simples), np.uint8)
    simple_class[real] = class_ids(simples[real], classes)
    fours[fours[:, 0] != 0] = classes[0]
    windows = np.concatenate([profiles(family) for family in WINDOWS])
    kept = np.unique(windows, axis=0)
    return {
        "simples": simple_class,
        "fours": class_ids(fours, classes),
        "terminals": class_ids(suits, terminal).reshape(5**3, 5**3),
        "terminal_merge": class_ids(merged, terminal).reshape(n, n),
        "terminal_distance": terminal.reshape(n, 5, 2),
        "terminal_honours": terminal_honours,
        "window_class": class_ids(windows, kept),
        "window_distance": kept.reshape(-1, 5, 2),
    }


def pack(arrays: dict[str, np.ndarray]) -> bytes:
    """The bytes of an .npz file."""
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def describe(arrays: dict[str, np.ndarray]) -> dict[str, str]:
    return {name: f"{a.dtype}[{', '.join(map(str, a.shape))}]" for name, a in arrays.items()}


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Build the tables from the definition.")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args(argv).check
    shape = build_shape()
    built = {"shape.npz": shape, "accept.npz": build_accept(shape)}
    built["patterns.npz"] = build_patterns(shape)
    built["guobiao.npz"] = build_guobiao()
    built["sichuan.npz"] = build_sichuan()
    if check:
        manifest = json.loads((HERE / "MANIFEST.json").read_text())
        wrong = []
        for name, arrays in built.items():
            data = (HERE / name).read_bytes()
            if hashlib.sha256(data).hexdigest() != manifest["files"][name]["sha256"]:
                wrong.append(f"{name}: not the file of the manifest")
            with np.load(io.BytesIO(data)) as kept:
                if set(kept.files) != set(arrays):
                    wrong.append(f"{name}: arrays {sorted(kept.files)}")
                wrong += [
                    f"{name}: {key} differs"
                    for key, array in arrays.items()
                    if key in kept.files and not np.array_equal(kept[key], array)
                ]
        print("\n".join(wrong) or "tables are what the definition gives")
        return bool(wrong)
    files = {name: pack(arrays) for name, arrays in built.items()}
    manifest = {
        "format": FORMAT,
        "files": {
            name: {"sha256": hashlib.sha256(data).hexdigest(), "arrays": describe(built[name])}
            for name, data in files.items()
        },
    }
    for name, data in files.items():
        (HERE / name).write_bytes(data)
        print(f"{name}: {len(data):,} bytes, {describe(built[name])}")
    (HERE / "MANIFEST.json").write_text(json.dumps(manifest, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
