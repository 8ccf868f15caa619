"""Checks of rows that cannot be: which are marked, which is named, and what is said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

import numpy as np

import evaluator as ev
from evaluator.errors import HandError, Reason
from evaluator.hands import Hands

from .common import Array, Disagreement, one, random_of, same, same_error
from .hands import (
    any_rules,
    drawn_counts,
    drawn_hands,
    shuffled_seen,
)


def spoilt(rng: np.random.Generator, hands: Hands, share: float) -> Hands:
    """Some rows with a count, a meld, a wild or the size changed to something odd."""
    columns = {field.name: getattr(hands, field.name).copy() for field in fields(hands)}
    for row in np.flatnonzero(rng.random(len(hands)) < share).tolist():
        tile, slot = rng.integers(34), rng.integers(4)
        odd = int(rng.choice([0, 1, 4, 5, 8, 9, 34, 77, 123, 124, 200, 254, 255]))
        kind = int(rng.integers(9))
        if kind < 3:
            columns["concealed"][row, tile] = odd if kind else columns["concealed"][row, tile] + 1
        elif kind == 3:
            columns["melds"][row, slot] = odd
        elif kind == 4:
            columns["meld_wilds"][row, slot] = odd
        elif kind == 5:
            columns["wilds"][row] = odd
        elif kind == 6:
            columns["concealed"][row, rng.permutation(34)[:6]] += 1
        elif kind == 7:
            columns["flags"][row] = int(rng.choice([1, 2, 3, 8, 9, 16, 33, 64, 65, 96, 128, 65535]))
        else:
            name = ("win_tile", "indicator", "flowers", "seat_wind", "prevalent_wind")[
                rng.integers(5)
            ]
            columns[name][row] = odd
    return Hands(**columns)


def bad_rows(seed: str, n: int) -> int:
    """Marked rows are those that raise, alone and in a batch; the first is named, always."""
    random, rng = random_of(seed)
    rules = any_rules(random)
    chows = rules.chow_melds or random.random() < 0.1
    hands = drawn_hands(rng, n, 34 if random.random() < 0.2 else rules.kinds, chows=chows)
    hands = spoilt(rng, hands, random.choice((0.5, 3 / n, 30 / n)))
    owned = hands.concealed + hands.meld_counts()
    seen = shuffled_seen(rng, np.clip(owned, 0, 4))
    seen = _odd(rng, seen, np.flatnonzero(rng.random(n) < random.choice((0, 2 / n, 0.2))))
    beside = {"seen": seen} if random.random() < 0.5 else {}
    queries: dict[str, tuple[Callable, Callable[[object], Array]]] = {
        "shanten": (ev.shanten, lambda found: np.asarray(found) == -128),
        "waits": (ev.waits, lambda found: np.asarray(found.shanten) == -128),
        "discards": (ev.discards, lambda found: (found.shanten == -128).all(-1)),
    }
    if rules.patterns or rules.fan_table:
        queries["pattern_shanten"] = (
            ev.pattern_shanten,
            lambda found: (np.asarray(found) == -128).all(-1),
        )
        wrong = (0, int(Reason.NOT_A_WIN), int(Reason.TOO_MANY_SUITS))
        queries["score"] = (ev.score, lambda found: ~np.isin(found.reason, wrong))
        queries["wait_scores"] = (ev.wait_scores, lambda found: np.asarray(found.reason) != 0)
    for name, (query, is_marked) in queries.items():
        asked = beside if name in ("waits", "discards", "wait_scores") else {}
        about = f"{name} {rules.name} seen {bool(asked)}"

        def ask(some: object, rows: object, query=query, asked=asked, **how) -> object:
            return query(some, rules, **how, **{key: value[rows] for key, value in asked.items()})

        marked = is_marked(ask(hands, slice(None), errors="mark"))
        first = int(marked.argmax()) if marked.any() else None
        said = set()
        for threads in (1, 2, 7):
            error = one(lambda ask=ask, t=threads: ask(hands, slice(None), threads=t))
            if isinstance(error, HandError):
                said.add((error.index, error.tile, error.count, error.reason, str(error)))
                if error.index != first:
                    raise Disagreement(f"{about}: row {error.index} is named, {first} is bad")
            elif first is not None:
                raise Disagreement(f"{about}: row {first} is marked and nothing raised")
        if len(said) > 1:
            raise Disagreement(f"{about}: {said}")
        for row in [first, *rng.integers(n, size=12).tolist()]:
            if row is None:
                continue
            alone = one(lambda ask=ask, row=row: ask(hands[[row]], [row]))
            if isinstance(alone, HandError) != marked[row]:
                raise Disagreement(f"{about}: row {row} {hands.concealed[row].tolist()}"
                                   f" {hands.melds[row]} alone: {alone!r}")  # fmt: skip
            if not asked and row == first:
                same_error(about, alone, error)
        good = np.flatnonzero(~marked)
        again = is_marked(ask(hands[good], good))
        same(f"{name} without the bad rows", hands[good], again, np.zeros(len(good), bool))
    return n


ODD = (-(2**31), -129, -128, -1, 5, 8, 9, 15, 127, 128, 254, 255, 256, 257, 260, 2**16, 2**31 - 1)


def _odd(rng: np.random.Generator, values: Array, rows: Array) -> Array:
    """Numbers that cannot be in these rows, some of which are what a byte can be."""
    values = values.astype(np.int64)
    for row in rows.tolist():
        place = (row, *(int(rng.integers(size)) for size in values.shape[1:]))
        values[place] = int(rng.choice(ODD))
    return values


def bad_arrays(seed: str, n: int) -> int:
    """Counts, wilds, void suits and seen tiles of any integer type that cannot be."""
    random, rng = random_of(seed)
    rules = any_rules(random)
    remainder = random.choice((1, 2))
    counts = drawn_counts(rng, n, 34 if random.random() < 0.3 else rules.kinds, remainder)
    seen = shuffled_seen(rng, counts)

    def spoil(values: Array) -> Array:
        rows = np.flatnonzero(rng.random(n) < random.choice((0.2, 2 / n, 0)))
        return _odd(rng, values, rows)

    hands, seen = spoil(counts), spoil(seen)
    lone = random.random() < 0.1
    rows = np.flatnonzero(rng.random(n) < random.choice((0.1, 2 / n)))
    hands[rows, rng.integers(34, size=len(rows))] += 1
    wilds = spoil(np.zeros(n, np.int64)) if random.random() < 0.5 else None
    void = spoil(rng.integers(3, size=n)) if random.random() < 0.5 else None
    if lone:
        seen, wilds, void = None, None, None
    held = np.zeros(n, np.int64) if wilds is None else wilds
    sizes = hands.sum(1) + held
    shape = ((hands < 0) | (hands > 4)).any(1) | (held < 0) | (held > 8)
    shape |= hands[:, rules.kinds :].any(1)
    shape |= (sizes < 1) | (sizes > 14) | (sizes % 3 == 0)
    shape |= False if void is None else (void < 0) | (void > 2)
    sight = False if seen is None else (
        ((seen < 0) | (seen > 4)).any(1) | (np.where(hands < 0, 0, hands) + seen > 4).any(1)
    )  # fmt: skip
    dtype = random.choice((np.int64, np.int32))
    nothing = np.zeros(n, bool)
    faults = np.stack([
        ((hands < 0) | (hands > 4)).any(1)
        | hands[:, rules.kinds :].any(1)
        | (sizes % 3 != remainder),
        (held < 0) | (held > 8),
        nothing if void is None else (void < 0) | (void > 2),
        nothing | sight,
    ])  # fmt: skip
    queries: dict[str, tuple[Callable, dict[str, object], Array]] = {
        "shanten": (lambda found: found, {}, shape),
        "waits": (lambda found: found.shanten, {"seen": seen}, shape | sight | (sizes % 3 != 1)),
        "discards": (
            lambda found: np.where((found.shanten == -128).all(1), -128, 0),
            {"seen": seen},
            shape | sight | (sizes % 3 != 2),
        ),
    }
    for name, (read, beside, bad) in queries.items():
        asked = {"wilds": wilds, "void": void, **beside}
        query, given = getattr(ev, name), hands.astype(dtype)
        found = read(query(given, rules, errors="mark", **asked))
        about = f"{rules.name} wilds {wilds is not None} void {void is not None}"
        same(f"{name}: marked rows", counts, found == -128, bad, about=about)
        first = int(bad.argmax()) if bad.any() else None
        for threads in (1, 7):
            error = one(lambda q=query, g=given, a=asked, t=threads: q(g, rules, threads=t, **a))
            got = error.index if isinstance(error, HandError) else None
            if got != first:
                raise Disagreement(f"{name} {about}: row {got} is named, row {first} is bad")
        if first is not None:
            alone = one(
                lambda q=query, g=given, a=asked, f=first: q(
                    g[f], rules, **{k: None if v is None else v[f] for k, v in a.items()}
                )
            )
            if not isinstance(alone, HandError):
                raise Disagreement(f"{name} {about}: row {first} alone gives {alone!r}")
            about_size = {"waits": 1, "discards": 2}.get(name, remainder) == remainder
            if faults[:, first].sum() == 1 and about_size:  # of two, either may be named
                same_error(f"{name} {about}", alone, error)
        good = np.flatnonzero(~bad)
        rest = {k: None if v is None else v[good] for k, v in asked.items()}
        again = read(query(hands[good].astype(np.uint8), rules, **rest))
        same(f"{name} of the good rows", counts[good], found[good], again, about=about)
    return n
