"""The checks: each takes a seed and a number of rows, and returns how many it compared.

A check raises :class:`Disagreement` with the least hand that differs. What it compares with
is a reference of its own (:mod:`fuzz.oracle`, the plain scorers, other libraries) or a
relation that holds whatever the tables say.
"""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from random import Random

import numpy as np
import reference
import sichuan_reference
import strategies_guobiao
import strategies_sichuan
from test_guobiao import relabelled
from test_notation import random_hand
from test_patterns import by_definition, drawn_hand, drawn_rules
from test_sichuan import assert_scored, preset_of, seen_beside
from test_text import assert_equal_to_one_by_one, random_line

import evaluator as ev
from evaluator.errors import HandError, NotAWin, Reason
from evaluator.hands import Hand, Hands
from evaluator.notation import NOTATIONS, format_hand, parse_hand

from . import oracle
from .hands import (
    MELD_SUIT,
    MELD_TILES,
    any_rules,
    drawn_counts,
    drawn_hands,
    drawn_wilds,
    game_rules,
    guobiao_rules,
    shape_rules,
    shuffled_seen,
    whole,
    with_win_tiles,
)

Array = np.ndarray
Check = Callable[[str, int], int]


class Disagreement(AssertionError):
    """Two answers to one question."""


class Missing(Exception):
    """A library to compare with is not installed."""


def random_of(seed: str) -> tuple[Random, np.random.Generator]:
    random = Random(seed)
    return random, np.random.default_rng(random.getrandbits(64))


def same(
    what: str, hands: Array | Hands, ours: object, expected: object, *, about: str = ""
) -> None:
    """Refuse answers that differ; tell the hand of least tiles."""
    ours, expected = np.asarray(ours), np.asarray(expected)
    if ours.shape != expected.shape:
        raise Disagreement(f"{what} {about}: shapes {ours.shape} and {expected.shape}")
    if (ours == expected).all():
        return
    wrong = np.flatnonzero((ours != expected).reshape(len(ours), -1).any(1))
    counts = hands.concealed if isinstance(hands, Hands) else hands
    row = min(wrong.tolist(), key=lambda row: int(counts[row].sum()))
    if isinstance(hands, Hands):
        try:
            shown = str(hands[row])
        except HandError as error:
            shown = f"{hands.concealed[row].tolist()} ({error})"
    else:
        shown = reference.text(counts[row].tolist())
    raise Disagreement(
        f"{what} {about}: {len(wrong)} of {len(ours)} differ, row {row}, {shown}: "
        f"{ours[row].tolist()} against {expected[row].tolist()}"
    )


def narrowed(counts: Array, kinds: int, random: Random) -> Array:
    """Of a game of 27 kinds as often as not without the honours."""
    return np.ascontiguousarray(counts[:, :27]) if kinds == 27 and random.random() < 0.5 else counts


def choices_of(rules: ev.Rules, void: object, held: Array, n: int) -> Array:
    """Bits of the suits that may be void, as :func:`oracle.shanten` takes them."""
    if void is None:
        bits = np.full(n, 8 if rules.max_suits == 3 else 7)
    else:
        bits = 1 << np.broadcast_to(np.asarray(void, np.int64), n)
    return np.where(bits == 8, bits, bits & ~held)


def first_of(values: Array, width: int) -> Array:
    return values[..., :width]


# --- shape ---


def shapes(seed: str, n: int) -> int:
    """Shanten, wins, waits and discards of arrays against the definition."""
    random, rng = random_of(seed)
    rules = shape_rules(random)
    kinds, about = rules.kinds, f"{rules.name} {rules.forms}"
    remainder = random.choice((None, 1, 2))
    if random.random() < 0.3:
        counts, wilds = drawn_wilds(rng, n, kinds, remainder)
    else:
        counts, wilds = drawn_counts(rng, n, kinds, remainder), np.zeros(n, np.uint8)
    void = random.choice((None, None, random.randrange(3), rng.integers(3, size=n), "each"))
    asked = {"void": void, "wilds": wilds if wilds.any() else None}
    given = narrowed(counts, kinds, random)
    width = given.shape[1]
    voids = [0, 1, 2] if isinstance(void, str) else [void]
    nobody = np.zeros(n, np.int64)
    bits = [choices_of(rules, one, nobody, n) for one in voids]
    expected = np.stack(
        [oracle.shanten(counts, rules.forms, wilds=wilds, choices=choice) for choice in bits], 1
    )
    sizes = counts.sum(1, dtype=np.int64) + wilds
    lead = (n, 3) if isinstance(void, str) else (n,)
    threads = random.choice((None, 1, 2, 7))
    found = ev.shanten(given, rules, threads=threads, **asked)
    about += f" wilds {bool(wilds.any())} void {type(void).__name__}"
    same("shanten", counts, found, expected.reshape(lead), about=about)
    won = (expected == -1) & (sizes % 3 == 2)[:, None]
    same("is_win", counts, ev.is_win(given, rules, threads=threads, **asked), won.reshape(lead),
         about=about)  # fmt: skip
    if remainder == 1:
        _waits(counts, given, rules, wilds, bits, asked, about, threads, rng)
    if remainder == 2:
        _discards(counts, given, width, rules, wilds, asked, about, rng)
    return n


def _waits(counts, given, rules, wilds, bits, asked, about, threads, rng) -> None:
    n, width = given.shape
    seen = shuffled_seen(rng, counts) if rng.random() < 0.5 else np.zeros_like(counts)
    seen[:, rules.kinds :] = 0
    of_hands = {} if not seen.any() else {"seen": first_of(seen, width)}
    found = ev.waits(given, rules, threads=threads, **asked, **of_hands)
    left = 4 - (counts + seen).astype(np.int64)
    masks, totals, tiles = [], [], []
    kinds = min(rules.kinds, width)
    for choice in bits:
        _, accepted = oracle.waits(counts, rules.forms, wilds=wilds, choices=choice, kinds=kinds)
        tiles.append(accepted[:, :width])
        masks.append(oracle.bits_of(accepted))
        totals.append((accepted * left).sum(1))
    shape = found.mask.shape
    same("waits.mask", counts, found.mask, np.stack(masks, 1).reshape(shape), about=about)
    same("waits.total", counts, found.total, np.stack(totals, 1).reshape(shape), about=about)
    tiles = np.stack(tiles, 1).reshape(*shape, width)
    same("waits.tiles", counts, found.tiles, tiles, about=about)
    copies = left[:, :width].reshape(n, *(1,) * (len(shape) - 1), width)
    same("waits.left", counts, found.left, np.where(tiles, copies, 0), about=about)


def _discards(counts, given, width, rules, wilds, asked, about, rng) -> None:
    seen = shuffled_seen(rng, counts) if rng.random() < 0.5 else np.zeros_like(counts)
    seen[:, rules.kinds :] = 0
    found = ev.discards(given, rules, seen=first_of(seen, width), **asked)
    for tile in range(width):
        rows = np.flatnonzero(given[:, tile])
        other = np.flatnonzero(given[:, tile] == 0)
        same("discards of tiles not held", counts[other], found.shanten[other][..., tile],
             np.full(found.shanten[other][..., tile].shape, 127), about=about)  # fmt: skip
        rest = given[rows].copy()
        rest[:, tile] -= 1
        # what a hand discards lies on the table; nothing is left of a hand of one tile
        beside = seen[rows].copy()
        beside[:, tile] += 1
        keep = {
            name: value[rows] if isinstance(value, np.ndarray) else value
            for name, value in asked.items()
        }
        waits = ev.waits(rest, rules, seen=first_of(beside, width), **keep)
        for name, column in (("shanten", "shanten"), ("mask", "mask"), ("left", "total")):
            ours = getattr(found, name)[rows][..., tile]
            same(f"discards.{name} of tile {tile}", counts[rows], ours, getattr(waits, column),
                 about=about)  # fmt: skip
    worth = np.where(
        (given > 0).reshape(len(given), *(1,) * (found.shanten.ndim - 2), width),
        (127 - found.shanten.astype(np.int64)) * 256 + found.left,
        -1,
    )
    best = np.where(worth.max(-1) >= 0, worth.argmax(-1), -1)
    same("discards.best", counts, found.best(), best, about=about)


def melded(seed: str, n: int) -> int:
    """Hands with melds: suits that cannot be void, copies that the melds hold."""
    random, rng = random_of(seed)
    rules = shape_rules(random)
    kinds, about = rules.kinds, f"{rules.name} {rules.forms} melded"
    remainder = random.choice((1, 2))
    hands = drawn_hands(rng, n, kinds, remainder)
    held = np.bitwise_or.reduce(np.where(hands.melds, 1 << MELD_SUIT[hands.melds], 0), axis=1) & 7
    void = random.choice((None, None, random.randrange(3), rng.integers(3, size=n)))
    bits = choices_of(rules, void, held, n)
    counts, wilds = hands.concealed, np.zeros(n, np.uint8)
    owned = counts + MELD_TILES[hands.melds].sum(1, dtype=np.uint8)
    seen = shuffled_seen(rng, owned)
    now = oracle.shanten(counts, rules.forms, wilds=wilds, choices=bits)
    same("shanten", hands, ev.shanten(hands, rules, void=void), now, about=about)
    if remainder == 1:
        _, accepted = oracle.waits(counts, rules.forms, wilds=wilds, choices=bits, kinds=kinds)
        for beside in (None, seen):
            found = ev.waits(hands, rules, void=void, seen=beside)
            gone = owned.astype(np.int64) + (0 if beside is None else beside)
            same("waits.mask", hands, found.mask, oracle.bits_of(accepted), about=about)
            same("waits.total", hands, found.total, (accepted * (4 - gone)).sum(1), about=about)
            same("waits.left", hands, found.left, np.where(accepted, 4 - gone, 0), about=about)
        return n
    same("is_win", hands, ev.is_win(hands, rules, void=void), now == -1, about=about)
    found = ev.discards(hands, rules, void=void, seen=seen)
    for tile in range(34):
        rows = np.flatnonzero(counts[:, tile])
        rest, beside = counts[rows].copy(), seen[rows].copy()
        rest[:, tile] -= 1
        beside[:, tile] += 1
        fewer = replace(hands[rows], concealed=rest)
        one = void[rows] if isinstance(void, np.ndarray) else void
        waits = ev.waits(fewer, rules, void=one, seen=beside)
        for ours, theirs in ((found.shanten, waits.shanten), (found.mask, waits.mask),
                             (found.left, waits.total)):  # fmt: skip
            same(f"discards of tile {tile}", hands[rows], ours[rows, tile], theirs, about=about)
    return n


def relations(seed: str, n: int) -> int:
    """Suits are alike, both ends are, a tile is one step, a wild one the best tile to draw."""
    random, rng = random_of(seed)
    rules = shape_rules(random)
    counts = drawn_counts(rng, n, rules.kinds, 1)
    found = ev.waits(counts, rules)
    order = rng.permutation(3)
    tiles = np.arange(34)
    tiles[:27] = (9 * order[:, None] + np.arange(9)).reshape(-1)
    if random.random() < 0.5:
        tiles[:27] = tiles[:27] // 9 * 9 + 8 - tiles[:27] % 9
    if random.random() < 0.5 and rules.kinds == 34:
        tiles[27:] = 27 + rng.permutation(7)
    turned = ev.waits(np.ascontiguousarray(counts[:, tiles]), rules)
    same("relabelled shanten", counts, turned.shanten, found.shanten, about=rules.name)
    same("relabelled waits", counts, turned.tiles, found.tiles[:, tiles], about=rules.name)
    best = np.full(n, 127, np.int64)
    for tile in range(rules.kinds):
        rows = np.flatnonzero(counts[:, tile] < 4)
        grown = counts[rows].copy()
        grown[:, tile] += 1
        after = ev.shanten(grown, rules).astype(np.int64)
        before = found.shanten[rows].astype(np.int64)
        off = (before != 127) & (np.abs(after - before) > 1)
        same("a tile is one step", counts[rows], off, np.zeros(len(rows), bool), about=rules.name)
        lower = after < before
        same(f"tile {tile} is a wait", counts[rows], found.tiles[rows, tile], lower,
             about=rules.name)  # fmt: skip
        best[rows] = np.minimum(best[rows], after)
    wild = ev.shanten(counts, rules, wilds=1)
    same("a wild tile", counts, wild, np.where(found.shanten == 127, 127, best), about=rules.name)
    return n


def _frozen(array: Array) -> Array:
    array = array.copy()
    array.flags.writeable = False
    return array


def _spread(array: Array) -> Array:
    wide = np.full((2 * len(array), array.shape[1] + 5), 77, array.dtype)
    wide[::2, 3 : 3 + array.shape[1]] = array
    return wide[::2, 3 : 3 + array.shape[1]]


def _unaligned(array: Array) -> Array:
    data = np.zeros(array.nbytes + 1, np.uint8)[1:]
    view = data.view(np.uint8).reshape(array.shape)
    view[...] = array
    return view


def _mapped(array: Array) -> Array:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "hands.npy"
        np.save(path, array)
        return np.load(path, mmap_mode="r")


LAYOUTS: dict[str, Callable[[Array], object]] = {
    **{
        name: lambda array, name=name: array.astype(name)
        for name in [
            "int8",
            "uint8",
            "int16",
            ">i2",
            "uint16",
            "int32",
            ">u4",
            "uint32",
            "int64",
            "uint64",
        ]
    },
    "fortran": np.asfortranarray,
    "reversed": lambda array: np.ascontiguousarray(array[::-1])[::-1],
    "reversed tiles": lambda array: np.ascontiguousarray(array[:, ::-1])[:, ::-1],
    "read only": _frozen,
    "spread": _spread,
    "spread int16": lambda array: _spread(array.astype(np.int16)),
    "unaligned": _unaligned,
    "memory mapped": _mapped,
    "transposed": lambda array: np.ascontiguousarray(array.T).T,
    "list": lambda array: array.tolist(),
    "rows of a list": lambda array: list(array),
    "Hands": lambda array: Hands(concealed=array),
    "list of Hand": lambda array: list(Hands(concealed=array)),
}


def answers(hands: object, rules: ev.Rules, **asked) -> dict[str, Array]:
    """What every shape query says of hands of 3k+1 or 3k+2 tiles, bad rows marked."""
    asked["errors"] = "mark"
    waits = ev.waits(hands, rules, **asked)
    discards = ev.discards(hands, rules, **asked)
    found = {
        "shanten": ev.shanten(hands, rules, **asked),
        "is_win": ev.is_win(hands, rules, **asked),
        "waits.shanten": waits.shanten,
        "waits.mask": waits.mask,
        "waits.total": waits.total,
        "waits.left": first_of(waits.left, 27),
        "discards.shanten": first_of(discards.shanten, 27),
        "discards.mask": first_of(discards.mask, 27),
        "discards.left": first_of(discards.left, 27),
    }
    if rules.patterns or rules.fan_table:
        found["pattern_shanten"] = ev.pattern_shanten(hands, rules, **asked)
    if rules.patterns:
        scores = ev.score(hands, rules, errors="mark", threads=asked.get("threads"))
        found |= {f"score.{name}": getattr(scores, name) for name in ("fan", "payment", "reason")}
    return found


def layouts(seed: str, n: int) -> int:
    """Every integer type and layout, lists and batches, any number of threads: one answer."""
    random, rng = random_of(seed)
    rules = any_rules(random)
    if "dandong" in rules.name or any("jia" in flag for p in rules.patterns for flag in p.req):
        rules = ev.rules("sbr_2025")  # an array does not say what completed it
    counts = drawn_counts(rng, n, rules.kinds, None)
    expected = answers(counts, rules, threads=1)
    count = 0
    for name in random.sample(list(LAYOUTS), 6):
        some = counts[:300] if name == "list of Hand" else counts
        found = answers(LAYOUTS[name](some), rules, threads=random.choice((None, 1, 2, 7)))
        for key, values in found.items():
            same(key, some, values, expected[key][: len(some)], about=f"{rules.name} {name}")
        count += len(some)
    if rules.kinds == 27:
        found = answers(np.ascontiguousarray(counts[:, :27]), rules)
        for key, values in found.items():
            same(key, counts, values, expected[key], about=f"{rules.name} of 27")
    three = counts[: n // 6 * 6].reshape(2, -1, 3, 34)
    same("leading axes", counts[: n // 6 * 6], ev.shanten(three, rules).reshape(-1),
         expected["shanten"][: n // 6 * 6])  # fmt: skip
    wide = np.broadcast_to(counts[:1], (n, 34))
    same("broadcast", wide, ev.shanten(wide, rules), np.repeat(expected["shanten"][:1], n))
    out = np.empty(n, np.int8)
    ev.shanten(counts, rules, out=out)
    same("out", counts, out, expected["shanten"])
    for bad in (counts.astype(bool), counts.astype(float), counts.astype(object)):
        try:
            ev.shanten(bad, rules)
        except HandError:
            continue
        raise Disagreement(f"{bad.dtype} was taken")
    return count


def _one(query: Callable[[], object]) -> object:
    try:
        return query()
    except HandError as error:
        return error


def single(seed: str, n: int) -> int:
    """A hand alone, as array, list, Hand and text, is answered as in a batch."""
    random, rng = random_of(seed)
    rules = any_rules(random)
    n = min(n, 400)
    batch = drawn_hands(rng, n, rules.kinds)
    hands = list(batch)
    same("from_hands", batch, Hands.from_hands(hands).melds, batch.melds)
    if pickle.loads(pickle.dumps(batch)) != batch:
        raise Disagreement("a batch is not what it was when pickled")
    expected = answers(batch, rules)
    whole_answers = pickle.loads(pickle.dumps(ev.waits(batch, rules, errors="mark")))
    same("pickled waits", batch, whole_answers.left[:, :27], expected["waits.left"])
    for row, hand in enumerate(hands):
        text = str(hand)
        if parse_hand(text) != hand:
            raise Disagreement(f"{text} is read as {parse_hand(text)}")
        given = [hand, parse_hand(format_hand(hand, random.choice(NOTATIONS)))]
        if not hand.melds:
            given += [np.array(hand.concealed, np.uint8), list(hand.concealed)]
        for one in given:
            about = f"{rules.name} {text} as {type(one).__name__}"
            waiting = hand.size % 3 == 1
            values = {"shanten": ev.shanten(one, rules), "is_win": ev.is_win(one, rules)}
            if waiting:
                waits = ev.waits(one, rules)
                values |= {"waits.shanten": waits.shanten, "waits.mask": waits.mask,
                           "waits.total": waits.total}  # fmt: skip
            else:
                discards = ev.discards(one, rules)
                values |= {"discards.shanten": discards.shanten[:27],
                           "discards.left": discards.left[:27]}  # fmt: skip
            if rules.patterns or rules.fan_table:
                values["pattern_shanten"] = list(ev.pattern_shanten(one, rules).values())
            for key, value in values.items():
                if not np.array_equal(value, expected[key][row]):
                    raise Disagreement(f"{key} {about}: {value} against {expected[key][row]}")
    return n


# --- rows that cannot be ---


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
    hands = drawn_hands(rng, n, 34 if random.random() < 0.2 else rules.kinds)
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
            error = _one(lambda ask=ask, t=threads: ask(hands, slice(None), threads=t))
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
            alone = _one(lambda ask=ask, row=row: ask(hands[[row]], [row]))
            if isinstance(alone, HandError) != marked[row]:
                raise Disagreement(f"{about}: row {row} {hands.concealed[row].tolist()}"
                                   f" {hands.melds[row]} alone: {alone!r}")  # fmt: skip
            if not asked and row == first:
                same_error(about, alone, error)
        good = np.flatnonzero(~marked)
        again = is_marked(ask(hands[good], good))
        same(f"{name} without the bad rows", hands[good], again, np.zeros(len(good), bool))
    return n


def same_error(what: str, alone: HandError, error: HandError) -> None:
    """The reason, the tile, the number and the words, wherever the hand stands."""
    for field in ("reason", "tile", "count", "message"):
        if getattr(alone, field) != getattr(error, field):
            raise Disagreement(f"{what}: alone {alone!r}, in a batch {error!r}")


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
            error = _one(lambda q=query, g=given, a=asked, t=threads: q(g, rules, threads=t, **a))
            got = error.index if isinstance(error, HandError) else None
            if got != first:
                raise Disagreement(f"{name} {about}: row {got} is named, row {first} is bad")
        if first is not None:
            alone = _one(
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


def rivals(seed: str, n: int) -> int:
    """Riichi shanten and waits of xiangting."""
    try:
        import xiangting
    except ImportError:
        raise Missing("xiangting") from None
    _, rng = random_of(seed)
    four = xiangting.PlayerCount.FOUR
    counts = drawn_counts(rng, n, 34, 1)
    theirs = [xiangting.calculate_necessary_tiles(hand, four) for hand in counts.tolist()]
    waits = ev.waits(counts, "riichi")
    same("xiangting", counts, np.column_stack([waits.shanten + 1, waits.mask.astype(np.int64)]),
         theirs)  # fmt: skip
    return n


def dealing(seed: str, n: int) -> int:
    """Dealt hands are hands, by parts and threads the same; lists of tiles are their counts."""
    from evaluator.dealing import FAMILIES

    random, rng = random_of(seed)
    kinds, tiles = random.choice((27, 34)), random.choice((1, 2, 4, 5, 7, 8, 10, 11, 13, 14))
    family = random.choice([name for name in FAMILIES if kinds == 34 or name != "half_flush"])
    number = random.getrandbits(64)
    asked = {"tiles": tiles, "kinds": kinds, "seed": number, "family": family}
    hands = ev.deal(n, **asked, threads=7)
    start, end = sorted(random.sample(range(n), 2))
    part = ev.deal(end - start, **asked, start=start, threads=1)
    same("a part", hands[start:end], part, hands[start:end], about=family)
    same("tiles", hands, hands.sum(1), np.full(n, tiles), about=family)
    same("copies", hands, (hands > 4).any(1), np.zeros(n, bool), about=family)
    listed = np.repeat(np.tile(np.arange(kinds), n), hands.reshape(-1)).reshape(n, tiles)
    mixed = rng.permuted(listed, axis=1)
    same("counts", hands, ev.counts(mixed, kinds), hands, about=family)
    first = np.cumsum(np.eye(kinds, dtype=np.int64)[listed], axis=1)
    copy = np.take_along_axis(first, listed[..., None], axis=2)[..., 0] - 1
    ids = rng.permuted(4 * listed + copy, axis=1)
    same("counts of ids", hands, ev.counts(ids, kinds, ids="tile"), hands, about=family)
    return n


# --- scores ---


def _won_batch(rng: np.random.Generator, n: int, rules: ev.Rules) -> Hands:
    """Hands of 14 with their melds, many of them wins, some won by flags."""
    suits = 3 if rules.max_suits == 3 else 2
    hands = drawn_hands(rng, n, rules.kinds, 2, suits=suits, chows=rules.chow_melds)
    hands = with_win_tiles(rng, whole(hands))
    flags = rng.choice([0, 0, 1, 1, 2, 4, 5, 8, 9, 13, 16, 33, 65], size=len(hands))
    return replace(hands, flags=flags)


def score_relations(seed: str, n: int) -> int:
    """A win is what has a score; suits and ends are alike; threads and places change nothing."""
    random, rng = random_of(seed)
    rules = random.choice((game_rules, game_rules, guobiao_rules))(random)
    hands = _won_batch(rng, n, rules)
    found = ev.score(hands, rules, errors="mark", threads=1)
    fan = found.total if rules.fan_table else found.fan
    fine = np.isin(found.reason, (0, Reason.NOT_A_WIN, Reason.TOO_MANY_SUITS))
    if not rules.requires:
        won = ev.is_win(hands, rules)
        same("is_win and score", hands[fine], won[fine], found.reason[fine] == 0, about=rules.name)
    again = ev.score(hands, rules, errors="mark", threads=7)
    back = ev.score(hands[::-1], rules, errors="mark", threads=2)
    names = [
        "total",
        "fan",
        "points",
        "payment",
        "pattern",
        "gens",
        "kongs",
        "addons",
        "minimum_met",
        "reason",
    ]
    for name in filter(lambda name: hasattr(found, name), names):
        same(f"score.{name}", hands, getattr(again, name), getattr(found, name))
        same(f"score.{name} backwards", hands, getattr(back, name)[::-1], getattr(found, name))
    order = rng.permutation(3)
    tiles = np.concatenate([(9 * order[:, None] + np.arange(9)).reshape(-1), np.arange(27, 34)])
    if random.random() < 0.5:
        tiles[:27] = tiles[:27] // 9 * 9 + 8 - tiles[:27] % 9
    turned = ev.score(relabelled(hands, tiles.tolist()), rules, errors="mark")
    keep = np.ones(len(hands), bool)
    if rules.fan_table:  # 绿一色 and 推不倒 name their tiles
        counts = ev.score(hands, rules, errors="mark", detail=True)
        other = ev.score(relabelled(hands, tiles.tolist()), rules, errors="mark", detail=True)
        special = [found.fan_names.index(name) for name in ("绿一色", "推不倒")]
        keep = ~(counts.fan_counts | other.fan_counts)[:, special].any(1)
        sums = (counts.fan_counts.astype(np.int64) * _values(rules)).sum(1)
        same("sum of the fan", hands, np.where(found.reason == 0, sums, -1), found.total)
    values = turned.total if rules.fan_table else turned.fan
    same("relabelled score", hands[keep], values[keep], fan[keep], about=rules.name)
    for row in rng.integers(len(hands), size=min(60, len(hands))).tolist():
        try:
            hand = hands[row]
        except HandError:
            if fine[row]:
                raise Disagreement(f"row {row} has a score and is no hand") from None
            continue
        try:
            one = ev.score(hand, rules)
            value = one.total if rules.fan_table else one.fan
            reason = 0
            _same_score(hand, one, found, row, rules)
        except NotAWin:
            value, reason = -1, found.reason[row]
            if fine[row] and found.reason[row] == 0:
                raise Disagreement(f"{hand} is no win alone, {fan[row]} in a batch") from None
        except HandError as error:
            value, reason = -1, error.reason
        if value != fan[row] or reason != found.reason[row]:
            raise Disagreement(f"{rules.name} {hand}: alone {value} {reason}, in a batch "
                               f"{fan[row]} {found.reason[row]}")  # fmt: skip
    return len(hands)


def _with_wilds(rng: np.random.Generator, hands: Hands, most: int) -> Hands:
    """Some concealed tiles, not the winning one, replaced by wild tiles."""
    counts = hands.concealed.copy()
    every = np.arange(len(hands))
    counts[every, hands.win_tile] -= 1
    wanted = rng.integers(most + 1, size=len(hands))
    wilds = np.zeros(len(hands), np.uint8)
    for step in range(most):
        luck = rng.random(counts.shape) * counts
        tile = luck.argmax(1)
        rows = np.flatnonzero((counts.sum(1) > 0) & (wanted > step))
        counts[rows, tile[rows]] -= 1
        wilds[rows] += 1
    counts[every, hands.win_tile] += 1
    return replace(hands, concealed=counts, wilds=wilds)


def wild_scores(seed: str, n: int) -> int:
    """A wild tile is worth the best tile it can stand for; rows, threads and places as ever."""
    random, rng = random_of(seed)
    count = random.randint(1, 3)
    fan = random.choice((-1, 0, 2))
    rules = game_rules(random, wilds=True).replace(
        requires=(),
        mode="linear",
        max_suits=random.choice((2, 3)),
        wilds={"count": 8, "kind": "extra", "wild_fan": fan, "wild_counts_for_gen": True,
               "indicator_pung": 0, "wild_ignores_suit": True},
    )  # fmt: skip
    hands = drawn_hands(rng, 40 * n, 27, 2, suits=random.randint(1, 2), chows=rules.chow_melds)
    hands = with_win_tiles(rng, whole(hands))
    away = ev.shanten(hands, rules)
    near = np.flatnonzero(away <= rng.integers(-1, 3, size=len(hands)))[: min(n, 120)]
    hands = _with_wilds(rng, hands[near], count)
    found = ev.score(hands, rules, errors="mark", threads=1)
    back = ev.score(hands[::-1], rules, errors="mark", threads=7)
    same("backwards", hands, back.fan[::-1], found.fan, about=rules.name)
    fine = np.isin(found.reason, (0, Reason.NOT_A_WIN, Reason.TOO_MANY_SUITS))
    owned = hands.concealed + hands.meld_counts()
    rows = np.flatnonzero((hands.wilds > 0) & fine)
    some, best = hands[rows], np.full(len(rows), np.iinfo(np.int64).min)
    for tile in range(27):
        counts = some.concealed.copy()
        counts[:, tile] += 1
        fewer = replace(some, concealed=counts, wilds=some.wilds - 1)
        scores = ev.score(fewer, rules, errors="mark")
        won = (scores.reason == 0) & (owned[rows, tile] < 4)
        value = scores.fan.astype(np.int64) - np.where(some.wilds > 1, fan, 0)
        best = np.maximum(best, np.where(won, value, np.iinfo(np.int64).min))
    expected = np.where(best > np.iinfo(np.int64).min, best + fan, -1)
    same("the best substitute", some, found.fan[rows], expected, about=repr(rules))
    for row in rng.integers(len(hands), size=min(20, len(hands))).tolist():
        one = ev.score(hands[row], rules, errors="mark")
        if (one.fan, one.reason) != (found.fan[row], found.reason[row]):
            raise Disagreement(f"{rules!r} {hands[row]}: {one.fan} alone, {found.fan[row]}")
    return len(hands)


def _same_score(hand: Hand, one: object, found: object, row: int, rules: ev.Rules) -> None:
    """All that the score of one hand says, as the batch says it."""
    if rules.fan_table:
        detail = ev.score([hand], rules, detail=True)
        pairs = [(set(one.fans), set(detail.fans(0))), (one.minimum_met, found.minimum_met[row])]
    else:
        pairs = [(one.patterns, found.patterns(row))]
        pairs += [
            (getattr(one, name), getattr(found, name)[row])
            for name in ("points", "payment", "gens", "kongs", "addons", "minimum_met")
        ]
    for ours, theirs in pairs:
        if ours != theirs:
            raise Disagreement(f"{rules.name} {hand}: alone {ours}, in a batch {theirs}")


def _values(rules: ev.Rules) -> Array:
    from evaluator.rulesets.fan import fan_table

    values = np.zeros(82, np.int64)
    for fan in fan_table(rules).fans:
        values[fan.column] = fan.value
    return values


def wait_relations(seed: str, n: int) -> int:
    """Every entry of wait_scores is the score of the completed hand."""
    random, rng = random_of(seed)
    rules = random.choice((game_rules, guobiao_rules))(random)
    suits = 3 if rules.max_suits == 3 else 2
    hands = whole(drawn_hands(rng, n, rules.kinds, 1, suits=suits, chows=rules.chow_melds))
    away = ev.shanten(hands, rules)
    hands = hands[np.flatnonzero((away <= 0) | (rng.random(len(hands)) < 0.1))]
    if not len(hands):
        return 0
    flags = rng.choice([0, 0, 0, 1, 2, 4, 8, 16], size=len(hands))
    hands = replace(hands, flags=flags)
    owned = hands.concealed + MELD_TILES[hands.melds].sum(1, dtype=np.uint8)
    seen = shuffled_seen(rng, owned)
    found = ev.wait_scores(hands, rules, seen=seen, threads=random.choice((1, 2, 7)))
    shape = ev.waits(hands, rules)
    winning = np.zeros((len(hands), 34), bool)
    for tile in range(rules.kinds):
        rows = np.flatnonzero(owned[:, tile] < 4)
        if not len(rows):
            continue
        counts = hands.concealed[rows].copy()
        counts[:, tile] += 1
        last = (owned[rows, tile] + seen[rows, tile] >= 3) & (hands.concealed[rows, tile] == 0)
        for drawn, ours in ((0, found.discard), (1, found.self_drawn)):
            some = replace(
                hands[rows],
                concealed=counts,
                win_tile=np.full(len(rows), tile, np.uint8),
                flags=hands.flags[rows] & ~np.uint16(1) | drawn | last * np.uint16(2),
            )
            scores = ev.score(some, rules, errors="mark")
            value = scores.total if rules.fan_table else scores.fan
            about = f"{rules.name} tile {tile} drawn {drawn}"
            same("wait_scores", hands[rows], ours[rows, tile], value, about=about)
            same("wait_scores.minimum_met", hands[rows], found.minimum_met[rows, tile, drawn],
                 scores.minimum_met, about=about)  # fmt: skip
            winning[rows, tile] |= (scores.reason == 0) | (scores.reason == Reason.IMPOSSIBLE_FLAGS)
        full = np.flatnonzero(owned[:, tile] == 4)
        for ours in (found.discard, found.self_drawn):
            same("a fifth copy", hands[full], ours[full, tile], np.full(len(full), -1))
    reached = found.minimum_met.any(-1)
    worth = ev.waits(hands, rules, seen=seen, minimum=True)
    ready = shape.shanten == 0
    same("waits of the minimum", hands[ready], worth.tiles[ready], reached[ready], about=rules.name)
    if rules.patterns:
        most = rules.ready_max_fan(hands, seen, threads=7)
        for row in rng.integers(len(hands), size=10).tolist():
            one = rules.ready_max_fan(hands[row], seen[row])
            if one != most[row]:
                raise Disagreement(f"ready_max_fan {rules!r} {hands[row]}: {one} and {most[row]}")
    for row in rng.integers(len(hands), size=10).tolist():
        one = ev.wait_scores(hands[row], rules, seen=seen[row])
        for name in ("discard", "self_drawn", "minimum_met", "left"):
            same(f"wait_scores.{name} alone", hands[[row]], getattr(one, name)[None],
                 getattr(found, name)[[row]], about=rules.name)  # fmt: skip
    plain = hands.flags & ~np.uint16(1) == 0
    scored = (found.discard >= 0) | (found.self_drawn >= 0)
    # with no suit void and no flag in the way only tiles that complete the hand have copies left
    loose = ~plain[:, None] if rules.max_suits == 3 and not rules.requires else True
    left = np.where(scored | (loose & (found.left > 0)), 4 - owned.astype(np.int64) - seen, 0)
    same("wait_scores.left", hands, found.left, left, about=rules.name)
    if not rules.requires:
        ready = (shape.shanten == 0)[:, None] & shape.tiles & (owned < 4)
        same("waits and wait_scores", hands[plain], scored[plain], ready[plain], about=rules.name)
    return len(hands)


def sichuan(seed: str, n: int) -> int:
    """Scores, waits and 查大叫 under rule sets with patterns, against the plain scorer."""
    random, _ = random_of(seed)
    n = min(n, 300)
    wilds = random.random() < 0.15
    rules = game_rules(random, wilds=wilds)
    families = strategies_sichuan
    if wilds:
        some = families.WILD
        n = min(n, 30)
    elif rules.kinds == 34:
        some = (families.dandong,)
    else:
        some = (*families.FAMILIES, *((families.chow_melds,) if rules.chow_melds else ()))
    hands = [random.choice(some)(random) for _ in range(n)]
    if _asks_for_the_tile(rules):
        hands = [hand for hand in hands if hand.win_tile is not None]
    if wilds and rules.wilds.kind == "next":
        hands = [hand for hand in hands if hand.indicator is not None]
    assert_scored(hands, rules)
    if wilds:
        return len(hands)
    waiting = [families.waiting(hand, random) for hand in hands[: n // 4]]
    batch, preset = Hands.from_hands(waiting), preset_of(rules)
    seen = seen_beside(waiting, random)
    found = ev.wait_scores(batch, rules, seen=seen)
    most = rules.ready_max_fan(batch, seen)
    for row, hand in enumerate(waiting):
        beside = seen[row].tolist()
        discard, drawn = sichuan_reference.wait_scores(hand, preset, beside)
        dearest = sichuan_reference.ready_max_fan(hand, preset, beside)
        for name, ours, theirs in (
            ("discard", found.discard[row].tolist(), discard),
            ("self_drawn", found.self_drawn[row].tolist(), drawn),
            ("ready_max_fan", int(most[row]), dearest),
        ):
            if ours != theirs:
                raise Disagreement(f"{name} {rules!r} {hand}: {ours} against {theirs}")
    return len(hands) + len(waiting)


def _asks_for_the_tile(rules: ev.Rules) -> bool:
    asked = {flag for pattern in rules.patterns for flag in pattern.req}
    return bool(asked & {"jiaxin", "jiaxinwu", "dandiao", "bianzhang"})


def guobiao(seed: str, n: int) -> int:
    """Totals against PyMahjongGB, where it is installed, and the plain scorer on a few."""
    from guobiao_reference import score as plain

    random, _ = random_of(seed)
    kind = random.choice(strategies_guobiao.KINDS_OF_HANDS)
    cases = [kind(random) for _ in range(min(n, 3000))]
    hands = strategies_guobiao.to_hands(cases)
    found = ev.score(hands, "guobiao", detail=True)
    try:
        from MahjongGB import MahjongFanCalculator as calculate
    except ImportError:
        cases = cases[:200]
    else:
        theirs = [
            sum(points for points, _ in calculate(*strategies_guobiao.to_mahjonggb(case)))
            for case in cases
        ]
        same("PyMahjongGB", hands, found.total, theirs)
    for name in ("guobiao", "guobiao_1998"):
        rows = random.sample(range(len(cases)), min(len(cases), 60))
        ours = ev.score(hands[rows], name)
        right = [plain(cases[row], name) for row in rows]
        same("total", hands[rows], ours.total, [one.total for one in right], about=name)
        same("minimum", hands[rows], ours.minimum_met, [one.minimum_met for one in right])
    return len(cases)


def patterns(seed: str, n: int) -> int:
    """The distance to each pattern: by definition on a few, by its relations on all."""
    random, rng = random_of(seed)
    choice = random.random()
    rules = game_rules(random) if choice < 0.4 else (
        drawn_rules(random) if choice < 0.7 else guobiao_rules(random)
    )  # fmt: skip
    about = rules.name
    for _ in range(2 if rules.fan_table else 4):
        hand = drawn_hand(random, rules.kinds)
        void = None if rules.kinds == 34 else random.choice((None, None, 0, 1, 2))
        ours = ev.pattern_shanten(hand, rules, void=void)
        theirs = by_definition(hand, rules, void)
        if ours != theirs:
            off = {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]}
            raise Disagreement(f"pattern_shanten {about} {hand} void {void}: {off}")
    if not ev.pattern_names(rules):
        return 6
    n = min(n, 20_000)
    hands = drawn_hands(rng, n, rules.kinds, 1)
    found = ev.pattern_shanten(hands, rules).astype(np.int64)
    again = ev.pattern_shanten(hands, rules, threads=7)
    same("threads", hands, again, found, about=about)
    if not rules.requires:
        wins = ev.shanten(hands, rules).astype(np.int64)
        same("no pattern before a win", hands, (found < wins[:, None]).any(1), np.zeros(n, bool),
             about=about)  # fmt: skip
    tile = int(rng.integers(rules.kinds))
    owned = hands.concealed + MELD_TILES[hands.melds].sum(1, dtype=np.uint8)
    rows = np.flatnonzero(owned[:, tile] < 4)
    counts = hands.concealed[rows].copy()
    counts[:, tile] += 1
    after = ev.pattern_shanten(replace(hands[rows], concealed=counts), rules).astype(np.int64)
    before = found[rows]
    off = np.where((before == 127) | (after == 127), before != after, np.abs(after - before) > 1)
    same("a tile is one step", hands[rows], off, np.zeros_like(off), about=f"{about} {tile}")
    plain = np.flatnonzero((hands.melds == 0).all(1))
    wild = ev.pattern_shanten(hands.concealed[plain], rules, wilds=1).astype(np.int64)
    expected = np.where(found[plain] == 127, 127, np.maximum(found[plain] - 1, -1))
    same("a wild tile", hands[plain], wild, expected, about=about)
    return n


def divisions(seed: str, n: int) -> int:
    """Every division of complete hands, and none of others."""
    random, rng = random_of(seed)
    rules = shape_rules(random)
    game = reference.Game(rules.forms, rules.kinds, rules.max_suits)
    counts = drawn_counts(rng, min(n, 2000), rules.kinds, 2)
    won = ev.is_win(counts, rules)
    rows = [*np.flatnonzero(won)[:60].tolist(), *np.flatnonzero(~won)[:5].tolist()]
    for row in rows:
        found = {
            (
                one.form,
                tuple(sorted(
                    (set_.tile, set_.tile + 1, set_.tile + 2) if set_.kind == "chow"
                    else (set_.tile,) * 3
                    for set_ in one.sets
                )),
                one.pair,
            )
            for one in ev.decompose(counts[row], rules)
        }  # fmt: skip
        theirs = set()
        for form, sets, pair in reference.divisions(counts[row].tolist(), game):
            sets = () if form in ("seven_pairs", "seven_different_pairs") else sets
            theirs.add((form, tuple(sorted(sets)), pair))
        if found != theirs:
            text = reference.text(counts[row].tolist())
            raise Disagreement(f"decompose {rules.name} {text}: {found} against {theirs}")
    return len(counts)


def passing(seed: str, n: int) -> int:
    """Whether a seat may win, by the fan of the win and of those it passed."""
    random, _ = random_of(seed)
    rules = ev.rules(random.choice([name for name in ev.rules() if ev.rules(name).patterns]))
    if _asks_for_the_tile(rules) or rules.wilds.count:
        rules = ev.rules("qq_sichuan")
    rule = rules.settlement.pass_rule
    for _ in range(min(n, 40)):
        hand = strategies_sichuan.ready(random)
        waits = ev.wait_scores(hand, rules)
        for tile in range(27):
            others = random.sample(range(27), random.randint(0, 2))
            drawn = random.random() < 0.2
            column = waits.self_drawn if drawn else waits.discard
            passed = [int(waits.discard[other]) for other in others]
            most = max((fan for fan in passed if fan >= 0), default=None)
            expected = column[tile] >= 0 and (
                drawn
                or most is None
                or rule == "none"
                or ("unless_higher" in rule and column[tile] > most)
            )
            ours = ev.may_win(hand.replace(self_drawn=drawn), tile, others, rules)
            if ours != bool(expected):
                raise Disagreement(f"may_win {rules.name} {hand} {tile} after {others}: {ours}")
    return min(n, 40) * 27


ARRAY_CHECKS: dict[str, tuple[Check, float]] = {
    # name: what it is, its share of the rows
    "shapes": (shapes, 0.34),
    "melded": (melded, 0.16),
    "relations": (relations, 0.1),
    "layouts": (layouts, 0.08),
    "single": (single, 0.002),
    "bad_rows": (bad_rows, 0.03),
    "bad_arrays": (bad_arrays, 0.05),
    "rivals": (rivals, 0.05),
    "dealing": (dealing, 0.02),
    "score_relations": (score_relations, 0.1),
    "wait_relations": (wait_relations, 0.06),
    "wild_scores": (wild_scores, 0.0004),
    "sichuan": (sichuan, 0.004),
    "guobiao": (guobiao, 0.02),
    "patterns": (patterns, 0.02),
    "divisions": (divisions, 0.02),
    "passing": (passing, 0.002),
}


# --- texts ---


def lines(seed: str, n: int) -> int:
    """Texts, right and wrong, in every notation: the bulk reader against one at a time."""
    random = Random(seed)
    data = b"".join(
        random_line(random) + random.choice((b"\n", b"\n", b"\r\n")) for _ in range(min(n, 2000))
    )
    assert_equal_to_one_by_one(data)
    return min(n, 2000)


def round_trips(seed: str, n: int) -> int:
    """What is written is read back, by the text alone and by its notation."""
    random = Random(seed)
    n = min(n, 2000)
    for _ in range(n):
        hand = random_hand(random.getrandbits(32))
        notation = random.choice(NOTATIONS)
        text = format_hand(hand, notation)
        for read in (parse_hand(text), parse_hand(text, notation), Hand.parse(f" {text}\t")):
            if read != hand:
                raise Disagreement(f"{text!r} ({notation}) is read as {read}")
        if not hand.melds and "|" not in text:
            counts = ev.parse(text, random.choice((notation, None)))
            if tuple(counts.tolist()) != hand.concealed:
                raise Disagreement(f"parse {text!r}")
    return n


TEXT_CHECKS: dict[str, tuple[Check, float]] = {
    "lines": (lines, 0.7),
    "round_trips": (round_trips, 0.3),
}
CHECKS = {name: check for name, (check, _) in (ARRAY_CHECKS | TEXT_CHECKS).items()}
