"""Checks of shanten, wins, waits, discards, divisions and dealt hands."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import reference

import evaluator as ev
from evaluator.errors import HandError
from evaluator.hands import Hands
from evaluator.hands.notation import NOTATIONS, format_hand, parse_hand

from . import oracle
from .common import Array, Disagreement, Missing, asks_for_the_tile, random_of, same
from .hands import (
    MELD_SUIT,
    MELD_TILES,
    any_rules,
    drawn_counts,
    drawn_hands,
    drawn_wilds,
    shape_rules,
    shuffled_seen,
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
    hands = drawn_hands(rng, n, kinds, remainder, chows=rules.chow_melds)
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
    if asks_for_the_tile(rules):
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


def single(seed: str, n: int) -> int:
    """A hand alone, as array, list, Hand and text, is answered as in a batch."""
    random, rng = random_of(seed)
    rules = any_rules(random)
    n = min(n, 400)
    batch = drawn_hands(rng, n, rules.kinds, chows=rules.chow_melds)
    hands = list(batch)
    same("from_hands", batch, Hands.from_hands(hands).melds, batch.melds)
    if pickle.loads(pickle.dumps(batch)) != batch:
        raise Disagreement("a batch is not what it was when pickled")
    expected = answers(batch, rules)
    kept = pickle.loads(pickle.dumps(ev.waits(batch, rules, errors="mark")))
    same("pickled waits", batch, kept.left[:, :27], expected["waits.left"])
    kept = pickle.loads(pickle.dumps(ev.discards(batch, rules, errors="mark")))
    same("pickled discards", batch, kept.best(), ev.discards(batch, rules, errors="mark").best())
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
    from evaluator.dealing.deals import FAMILIES

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
