"""Hands that meet the hard cases: families of hands, for hypothesis and by seed.

Random deals almost never hold four of a kind, seven pairs or a knitted pattern,
so every family aims at something. A family is a function of a ``random.Random``
that names tiles in the order it wants them; a hand takes as many as it has room
for. Hypothesis (which shrinks) and the seeded batches use the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from random import Random

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from reference import CHOWS, COPIES, KNITTED, ORPHANS, PUNGS

from evaluator.hands import Hand, Hands, Meld

SIZES = (1, 2, 4, 5, 7, 8, 10, 11, 13, 14)
Tiles = Iterator[int]


def _from(random: Random, kinds: Sequence[int]) -> Tiles:
    while True:
        yield random.choice(kinds)


def _blocks(random: Random, blocks: Sequence[tuple[int, ...]]) -> Tiles:
    while True:
        yield from random.choice(blocks)


def _suits(random: Random, number: int) -> list[int]:
    return [t for suit in random.sample(range(3), number) for t in range(9 * suit, 9 * suit + 9)]


def random_tiles(random: Random, kinds: int) -> Tiles:
    return _from(random, list(range(kinds)))


def flush(random: Random, kinds: int) -> Tiles:
    return _from(random, _suits(random, 1))


def half_flush(random: Random, kinds: int) -> Tiles:
    return _from(random, _suits(random, 1) + list(range(27, kinds)))


def two_suits(random: Random, kinds: int) -> Tiles:
    return _from(random, _suits(random, 2))


def pungs(random: Random, kinds: int) -> Tiles:
    return _blocks(random, list(PUNGS[:kinds]))


def quads(random: Random, kinds: int) -> Tiles:
    """One to three fours of a kind, in one suit as often as not: the fifth-copy cases."""
    among = range(kinds) if random.random() < 0.5 else _suits(random, 1)
    fours = random.sample(among, random.randint(1, 3))
    return chain(*((tile,) * 4 for tile in fours), _from(random, among))


def terminals(random: Random, kinds: int) -> Tiles:
    return _from(random, [t for t in range(kinds) if t >= 27 or t % 9 in (0, 1, 2, 6, 7, 8)])


def near_win(random: Random, kinds: int) -> Tiles:
    """A pair, then sets, from all kinds or crowded into one or two suits."""
    among = range(kinds) if random.random() < 0.5 else _suits(random, random.randint(1, 2))
    pair = random.choice(among)
    blocks = [block for block in CHOWS + PUNGS if block[0] in among]
    return chain((pair, pair), _blocks(random, blocks))


def seven_pairs(random: Random, kinds: int) -> Tiles:
    return _blocks(random, [(tile, tile) for tile in range(kinds)])


def knitted(random: Random, kinds: int) -> Tiles:
    """A knitted pattern and honours in random order, or the pattern, a set and a pair."""
    pattern = list(random.choice(KNITTED))
    if random.random() < 0.5:
        lesser = pattern + list(range(27, kinds))
        return chain(random.sample(lesser, len(lesser)), _from(random, pattern))
    block = random.choice([block for block in CHOWS + PUNGS if block[0] < kinds])
    return chain(pattern, block, seven_pairs(random, kinds))


def orphans(random: Random, kinds: int) -> Tiles:
    tiles = [tile for tile in ORPHANS if tile < kinds]
    return chain(random.sample(tiles, len(tiles)), _from(random, tiles))


FAMILIES: dict[str, Callable[[Random, int], Tiles]] = {
    family.__name__: family
    for family in (
        random_tiles,
        flush,
        half_flush,
        two_suits,
        pungs,
        quads,
        terminals,
        near_win,
        seven_pairs,
        knitted,
        orphans,
    )
}


def examples(number: int) -> settings:
    """Settings of a property test: the same hands every time, no clock."""
    return settings(
        max_examples=number,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def fill(
    random: Random, family: str, size: int, kinds: int = 34, used: tuple[int, ...] = (0,) * 34
) -> list[int]:
    """``kinds`` counts of ``size`` tiles, at most four of each with those ``used``.

    Up to three of the family's tiles are passed over, so that complete hands,
    waiting ones and those a few tiles away all come up.
    """
    counts = [0] * kinds
    passed_over = random.choice((0, 0, 1, 1, 2, 3))
    wanted = FAMILIES[family](random, kinds)
    # a family can run out of copies: then any tile will do
    tiles = chain(islice(wanted, 80), list(range(kinds)) * COPIES)
    skip = {random.randrange(14) for _ in range(passed_over)}
    for position, tile in enumerate(tiles):
        if sum(counts) == size:
            return counts
        if position not in skip and counts[tile] + used[tile] < COPIES:
            counts[tile] += 1
    raise AssertionError(f"{family}: no {size} tiles are left")


def batch(family: str, n: int, size: int, kinds: int = 34, seed: int = 0) -> np.ndarray:
    """``uint8[n, kinds]``: reproducible hands of one family and size."""
    random = Random(f"{family} {size} {kinds} {seed}")
    return np.array([fill(random, family, size, kinds) for _ in range(n)], np.uint8)


def mixed(n: int, kinds: int = 34, *, remainder: int | None = None, seed: int = 0) -> np.ndarray:
    """``uint8[n, kinds]``: hands of all families and sizes (3k + ``remainder`` if given)."""
    random = Random(f"{n} {kinds} {remainder} {seed}")
    sizes = [size for size in SIZES if remainder in (None, size % 3)]
    # most hands at a table are large, and only large ones have every form
    sizes += [size for size in sizes if size >= 10] * 3
    hands = [
        fill(random, random.choice(tuple(FAMILIES)), random.choice(sizes), kinds) for _ in range(n)
    ]
    return np.array(hands, np.uint8)


def sizes(remainder: int | None = None) -> st.SearchStrategy[int]:
    return st.sampled_from([size for size in SIZES if remainder in (None, size % 3)][::-1])


@st.composite
def counts(draw, kinds: int = 34, remainder: int | None = None, wilds: int = 0) -> list[int]:
    """Concealed counts of a hand that holds ``wilds`` wild tiles beside them."""
    family = draw(st.sampled_from(tuple(FAMILIES)))
    size = draw(sizes(remainder).filter(lambda size: size >= wilds))
    random = draw(st.randoms(use_true_random=False))
    return fill(random, family, size - wilds, kinds)


@st.composite
def counts_with_wilds(draw, kinds: int = 34, remainder: int | None = None) -> tuple[list, int]:
    wilds = draw(st.integers(0, 8))
    return draw(counts(kinds, remainder, wilds)), wilds


@st.composite
def melds(draw, number: int, kinds: int = 34) -> tuple[Meld, ...]:
    """Melds that four copies of each tile allow; some pungs and kongs hold wilds."""
    made: list[Meld] = []
    used = [0] * 34
    ids = [n for n in range(1, 124) if Meld.from_id(n).tile < kinds]
    while len(made) < number:
        meld = Meld.from_id(draw(st.sampled_from(ids)))
        if meld.kind != "chow":
            meld = Meld(meld.kind, meld.tile, draw(st.sampled_from((0, 0, 0, 1, 2))))
        natural = list(meld.tiles)[: meld.size - meld.wilds]
        if all(used[tile] + natural.count(tile) <= COPIES for tile in natural):
            made.append(meld)
            for tile in natural:
                used[tile] += 1
    return tuple(made)


@st.composite
def hands(
    draw,
    kinds: int = 34,
    remainder: int | None = None,
    number_of_melds: st.SearchStrategy[int] | None = None,
    max_wilds: int = 8,
) -> Hand:
    """One :class:`Hand` with melds and wilds, of a whole hand's size or less."""
    number = draw(st.integers(0, 4) if number_of_melds is None else number_of_melds)
    made = draw(melds(number, kinds))
    room = 14 - 3 * number
    size = draw(sizes(remainder).filter(lambda size: size <= room))
    wilds = draw(st.integers(0, min(max_wilds, size)))
    used = _used(made)
    family = draw(st.sampled_from(tuple(FAMILIES)))
    random = draw(st.randoms(use_true_random=False))
    concealed = fill(random, family, size - wilds, kinds, used)
    return Hand(tuple(concealed), made, wilds=wilds)


def _used(made: tuple[Meld, ...]) -> tuple[int, ...]:
    used = [0] * 34
    for meld in made:
        for tile in list(meld.tiles)[: meld.size - meld.wilds]:
            used[tile] += 1
    return tuple(used)


@st.composite
def batches(draw, kinds: int = 34, remainder: int | None = None, max_size: int = 8) -> Hands:
    """A :class:`Hands` of one to ``max_size`` hands."""
    rows = draw(st.lists(hands(kinds, remainder), min_size=1, max_size=max_size))
    return Hands.from_hands(rows)


def seen_beside(random: Random, owned: tuple[int, ...]) -> list[int]:
    """Tiles seen elsewhere: of each kind at most what the hand leaves."""
    return [random.randint(0, COPIES - n) for n in owned]
