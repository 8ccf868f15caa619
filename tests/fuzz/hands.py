"""Hands of every family by the ten thousand, in numpy; and rule sets.

The families are those of :mod:`strategies`, which draws a hand at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import numpy as np
from reference import CHOWS, COPIES, KNITTED, ORPHANS
from strategies import SIZES

import evaluator as ev
from evaluator.errors import HandError, RulesError
from evaluator.hands import Hands
from evaluator.rulesets.flags import FLAGS as PATTERN_FLAGS
from evaluator.rulesets.records import DEAD_WAITS

Array = np.ndarray
Generator = np.random.Generator
LENGTH = 48
CHOW_STARTS = np.array([block[0] for block in CHOWS])

MELD_TILES = np.array(
    [[0] * 34, *([ev.Meld.from_id(n).tiles.count(t) for t in range(34)] for n in range(1, 124))],
    np.uint8,
)
MELD_SUIT = np.array([0, *(min(ev.Meld.from_id(n).tile // 9, 3) for n in range(1, 124))])


def _among(rng: Generator, n: int, kinds: int, suits: int, honours: bool = False) -> Callable:
    """A function that draws tiles of so many suits (and honours), which differ by row."""
    order = rng.permuted(np.tile(np.arange(3), (n, 1)), axis=1)
    more = kinds - 27 if honours else 0

    def draw(length: int) -> Array:
        number = rng.integers(9 * suits + more, size=(n, length))
        suited = np.take_along_axis(order, np.minimum(number // 9, 2), axis=1) * 9 + number % 9
        return np.where(number < 9 * suits, suited, 27 + number - 9 * suits)

    return draw


def _groups(tiles: Array, size: int) -> Array:
    return np.repeat(tiles, size, axis=1)


def _blocks(rng: Generator, tiles: Array, chows: float = 0.6) -> Array:
    """Chows from these tiles on where they can be, else pungs; three columns for each."""
    chow = np.isin(tiles, CHOW_STARTS) & (rng.random(tiles.shape) < chows)
    return (tiles[..., None] + chow[..., None] * np.arange(3)).reshape(len(tiles), -1)


def _random(rng: Generator, n: int, kinds: int) -> Array:
    return rng.integers(kinds, size=(n, LENGTH))


def _flush(rng: Generator, n: int, kinds: int) -> Array:
    return _among(rng, n, kinds, 1)(LENGTH)


def _half_flush(rng: Generator, n: int, kinds: int) -> Array:
    return _among(rng, n, kinds, 1, honours=True)(LENGTH)


def _two_suits(rng: Generator, n: int, kinds: int) -> Array:
    return _among(rng, n, kinds, 2)(LENGTH)


def _pungs(rng: Generator, n: int, kinds: int) -> Array:
    return _groups(rng.integers(kinds, size=(n, LENGTH // 3)), 3)


def _quads(rng: Generator, n: int, kinds: int) -> Array:
    """Fours of a kind, in one or two suits as often as not: the fifth-copy cases."""
    suits = int(rng.integers(1, 4))
    draw = _among(rng, n, kinds, suits, honours=suits == 3)
    fours = int(rng.integers(1, 4))
    return np.concatenate([_groups(draw(fours), 4), draw(LENGTH - 4 * fours)], axis=1)


def _terminals(rng: Generator, n: int, kinds: int) -> Array:
    outer = np.array([t for t in range(kinds) if t >= 27 or t % 9 in (0, 1, 2, 6, 7, 8)])
    return outer[rng.integers(len(outer), size=(n, LENGTH))]


def _near_win(rng: Generator, n: int, kinds: int) -> Array:
    suits = int(rng.integers(1, 4))
    draw = _among(rng, n, kinds, suits, honours=bool(rng.integers(2)))
    return np.concatenate([_groups(draw(1), 2), _blocks(rng, draw(15))], axis=1)


def _near_pungs(rng: Generator, n: int, kinds: int) -> Array:
    draw = _among(rng, n, kinds, int(rng.integers(1, 3)), honours=True)
    return np.concatenate([_groups(draw(1), 2), _blocks(rng, draw(15), 0.15)], axis=1)


def _seven_pairs(rng: Generator, n: int, kinds: int) -> Array:
    """Pairs, some of them twice."""
    draw = _among(rng, n, kinds, int(rng.integers(1, 4)), honours=True)
    pairs = draw(LENGTH // 2)
    again = rng.random(pairs.shape[1]) < 0.15
    again[0] = False
    pairs[:, again] = pairs[:, np.flatnonzero(again) - 1]
    return _groups(pairs, 2)


def _knitted(rng: Generator, n: int, kinds: int) -> Array:
    """A knitted pattern and honours in random order, or the pattern, a set and a pair."""
    patterns = np.array(KNITTED)[rng.integers(len(KNITTED), size=n)]
    if rng.random() < 0.5:
        honours = np.tile(np.arange(27, kinds), (n, 1))
        some = rng.permuted(np.concatenate([patterns, honours], axis=1), axis=1)
        return np.concatenate([some, patterns, _random(rng, n, kinds)], axis=1)[:, :LENGTH]
    block = _blocks(rng, rng.integers(kinds, size=(n, 1)))
    pairs = _groups(rng.integers(kinds, size=(n, 15)), 2)
    return np.concatenate([patterns, block, pairs], axis=1)


def _orphans(rng: Generator, n: int, kinds: int) -> Array:
    outer = np.array([tile for tile in ORPHANS if tile < kinds])
    some = rng.permuted(np.tile(outer, (n, 1)), axis=1)
    return np.concatenate([some, outer[rng.integers(len(outer), size=(n, 30))]], axis=1)


FAMILIES = (
    *(_random, _flush, _half_flush, _two_suits, _pungs, _quads, _terminals, _near_win),
    *(_near_win, _near_pungs, _seven_pairs, _knitted, _orphans),
)


def filled(rng: Generator, wanted: Array, sizes: Array, used: Array, kinds: int) -> Array:
    """``uint8[n, 34]`` counts of ``sizes`` tiles, at most four of each with those ``used``.

    Up to three of the wanted tiles are passed over, so that hands at every small distance
    from a win come up.
    """
    n = len(wanted)
    counts = np.zeros((n, 34), np.uint8)
    left = sizes.astype(np.int64).copy()
    every = np.arange(n)
    skips = np.zeros(wanted.shape, bool)
    for _ in range(3):
        skips[every, rng.integers(14, size=n)] |= rng.random(n) < 0.35
    for position in range(wanted.shape[1]):
        tile = wanted[:, position]
        free = counts[every, tile] + used[every, tile] < COPIES
        take = free & (left > 0) & ~skips[:, position]
        counts[every[take], tile[take]] += 1
        left -= take
        if not left.any():
            break
    while left.any():
        rows = np.flatnonzero(left)
        tile = rng.integers(kinds, size=len(rows))
        free = counts[rows, tile] + used[rows, tile] < COPIES
        rows, tile = rows[free], tile[free]
        counts[rows, tile] += 1
        left[rows] -= 1
    return counts


def sizes_of(rng: Generator, n: int, remainder: int | None, most: Array | int = 14) -> Array:
    """Sizes 3k+1 and 3k+2, most of them whole hands."""
    room = np.broadcast_to(most, n)
    ends = np.array([size for size in SIZES if remainder in (None, size % 3)])
    sizes = ends[rng.integers(len(ends), size=n)]
    whole = room - (rng.integers(2, size=n) if remainder is None else (2 - remainder))
    sizes = np.where(rng.random(n) < 0.75, whole, sizes)
    return np.where(sizes <= room, sizes, whole)


def drawn_counts(
    rng: Generator, n: int, kinds: int = 34, remainder: int | None = None, wilds: Array | int = 0
) -> Array:
    """``uint8[n, 34]``: hands of one family, whose ``wilds`` stand beside the counts."""
    family = FAMILIES[int(rng.integers(len(FAMILIES)))]
    sizes = sizes_of(rng, n, remainder)
    tiles = np.maximum(sizes - wilds, 0)
    return filled(rng, family(rng, n, kinds), tiles, np.zeros((n, 34), np.uint8), kinds)


def drawn_wilds(rng: Generator, n: int, kinds: int, remainder: int | None) -> tuple[Array, Array]:
    """Counts with wild tiles: rows whose size would not do have as many as do."""
    wilds = rng.integers(0, 9, size=n)
    counts = drawn_counts(rng, n, kinds, remainder, wilds)
    total = counts.sum(1, dtype=np.int64) + wilds
    # where the wilds alone are more than the size drawn
    bad = total % 3 == 0 if remainder is None else total % 3 != remainder
    wilds = np.where(bad, np.array([1, 1, 2])[1 if remainder is None else remainder], wilds)
    counts[bad] = 0
    return counts, wilds.astype(np.uint8)


def drawn_melds(rng: Generator, n: int, kinds: int, suits: int, chows: bool = True) -> Array:
    """``uint8[n, 4]`` meld ids, of so many suits and the honours; no tile five times."""
    order = rng.permuted(np.tile(np.arange(3), (n, 1)), axis=1)
    allowed = np.zeros((n, 4), bool)
    for place in range(suits):
        allowed[np.arange(n), order[:, place]] = True
    allowed[:, 3] = kinds == 34
    number = rng.choice([0, 0, 1, 2, 3, 4], size=n)
    melds = np.zeros((n, 4), np.uint8)
    used = np.zeros((n, 34), np.uint8)
    made = np.zeros(n, np.int64)
    for _ in range(14):
        some = rng.integers(1 if chows else 22, 124, size=n)
        grown = used + MELD_TILES[some]
        fits = (grown <= COPIES).all(1) & allowed[np.arange(n), MELD_SUIT[some]]
        rows = np.flatnonzero(fits & (made < number))
        melds[rows, made[rows]] = some[rows]
        used[rows] = grown[rows]
        made[rows] += 1
    return melds


def drawn_hands(
    rng: Generator, n: int, kinds: int = 34, remainder: int | None = None, **melded
) -> Hands:
    """A batch with melds, without wild tiles or flags."""
    suits = melded.pop("suits", int(rng.integers(1, 4)))
    melds = drawn_melds(rng, n, kinds, suits, **melded)
    used = MELD_TILES[melds].sum(1, dtype=np.uint8)
    room = 14 - 3 * (melds > 0).sum(1)
    family = FAMILIES[int(rng.integers(len(FAMILIES)))]
    sizes = sizes_of(rng, n, remainder, room)
    return Hands(
        concealed=filled(rng, family(rng, n, kinds), sizes, used, kinds),
        melds=melds,
        seat_wind=rng.integers(4, size=n),
        prevalent_wind=rng.integers(4, size=n),
    )


def whole(hands: Hands) -> Hands:
    """The hands that, with their melds, are of 13 or 14 tiles."""
    tiles = hands.concealed.sum(1, dtype=np.int64) + 3 * (hands.melds > 0).sum(1)
    return hands[np.flatnonzero(tiles >= 13)]


def with_win_tiles(rng: Generator, hands: Hands) -> Hands:
    """A concealed tile as the winning one of each hand."""
    luck = rng.random(hands.concealed.shape) * (hands.concealed > 0)
    return replace(hands, win_tile=luck.argmax(1).astype(np.uint8))


def shuffled_seen(rng: Generator, owned: Array) -> Array:
    """Tiles seen elsewhere: of each kind at most what the hands leave."""
    seen = rng.integers(0, COPIES + 1, size=owned.shape) * (rng.random(owned.shape) < 0.4)
    return np.minimum(seen, COPIES - owned).astype(np.uint8)


# --- rule sets ---

SHAPES = (
    *((("standard",), kinds, suits) for kinds, suits in ((34, 3), (27, 3), (27, 2))),
    (("standard", "seven_different_pairs", "thirteen_orphans"), 34, 3),
    (("standard", "seven_pairs", "thirteen_orphans"), 34, 3),
    (("seven_pairs",), 27, 2),
    (("seven_different_pairs",), 27, 2),
    (("standard", "seven_pairs"), 27, 3),
    (("standard", "seven_different_pairs"), 27, 2),
    (("knitted_straight",), 34, 3),
    (("knitted_straight", "seven_pairs"), 27, 3),
    (("honours_and_knitted",), 34, 3),
    (("thirteen_orphans",), 34, 3),
    (("standard", "knitted_straight", "honours_and_knitted"), 34, 3),
)


def any_rules(random: Random) -> ev.Rules:
    """A preset, or forms in a combination that no preset has."""
    if random.random() < 0.6:
        return ev.rules(random.choice(ev.rules()))
    forms, kinds, suits = random.choice(SHAPES)
    return ev.Rules("drawn", kinds=kinds, forms=forms, max_suits=suits)


def shape_rules(random: Random) -> ev.Rules:
    """The same, where the shape of a hand says whether it is a win."""
    while (rules := any_rules(random)).requires:
        pass
    return rules


def game_rules(random: Random, *, wilds: bool | dict[str, object] = False) -> ev.Rules:
    """A preset with patterns, or one of which a few things are changed."""
    games = [game for game in map(ev.rules, ev.rules()) if game.patterns]
    preset = random.choice([game for game in games if game.kinds == 27 or not wilds])
    if random.random() < 0.3 and not wilds:
        return preset
    while True:
        changes: dict[str, object] = {"name": "drawn"}
        for name, values in (
            ("max_suits", (2, 3)),
            ("seven_pairs", (True, False)),
            ("chow_melds", (True, False)),
            ("gen", (0, 1, 2)),
            ("kong", (0, 1, 3)),
            ("cap", (None, 3, 5, 40)),
            ("base", (1, 5)),
            ("offset", (-1, 0, 2)),
            ("mode", ("exp", "linear")),
            ("zimo", ("none", "jiadi", "jiafan")),
            ("dead_wait", DEAD_WAITS),
            ("minimum", (0, 2, 3)),
        ):
            if random.random() < 0.3:
                changes[name] = random.choice(values)
        if random.random() < 0.5:
            changes["patterns"] = {
                f"drawn {i}": {
                    "value": random.randint(-2, 6),
                    "group": random.randrange(4),
                    "req": random.sample(list(PATTERN_FLAGS), random.choice((1, 1, 2, 3))),
                    "eat": random.choice((0, 0, 1)),
                }
                for i in range(random.randint(1, 4))
            }
        if random.random() < 0.3:
            keys = ("gangshanghua", "gangshangpao", "qianggang", "haidi_self", "haidi_discard")
            changes["addons"] = {key: random.randint(0, 3) for key in keys}
        if isinstance(wilds, dict):
            changes["wilds"] = wilds
        elif wilds:
            changes["wilds"] = {
                "count": random.randint(1, 4),
                "wild_fan": random.choice((-1, 0, 2)),
                "wild_counts_for_gen": random.random() < 0.5,
            }
        if random.random() < 0.2:
            conditions = ("triplet_or_dragon_pair", "terminal", "open", "hand_one_only_pungs")
            changes["requires"] = tuple(random.sample(conditions, random.randint(1, 2)))
        try:
            rules = preset.replace(**changes)
            ev.score(np.zeros((0, 34), np.uint8), rules)  # points that are no whole number
        except RulesError:
            continue
        except HandError:  # asks for the winning tile
            pass
        return rules


def guobiao_rules(random: Random) -> ev.Rules:
    return ev.rules(random.choice(("guobiao", "guobiao_1998")))
