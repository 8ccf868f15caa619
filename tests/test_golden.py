"""Exact totals over all deals and all wins, counted through the package's tables."""

from collections.abc import Callable
from math import comb

import numpy as np
import pytest
import reference

import evaluator as ev
from evaluator.engine import tables

SHAPE = tables.load("shape.npz")
DISTANCE = SHAPE["distance"].astype(int)
MERGE = SHAPE["merge"].astype(int)
COPIES = np.array([comb(4, held) for held in range(5)])

# three forms, seven different pairs; index 0 is shanten -1
DEALS = {
    13: [
        0,
        39270395383132,
        3006175115638776,
        45249205945148216,
        175141291509958900,
        192909046305573888,
        63384201353756672,
        4045365540028416,
    ],
    14: [
        12859078207674,
        2966241795738948,
        99154452630748356,
        828714358375292670,
        1867404976243926528,
        1211948980271480832,
        233501763289743360,
        6601397483077632,
    ],
}

STANDARD_WINS = 11_498_658
SICHUAN_WINS = 2_561_091
SICHUAN_STANDARD, SICHUAN_SEVEN_PAIRS, SICHUAN_BOTH = 1_849_491, 716_472, 4_872
WINS_IN_TWO_GIVEN_SUITS = 870_884


# --- part hands: what the suits so far hold, and in how many ways ---

# how a fact about two parts follows from the same fact about each
FACTS: dict[str, Callable] = {
    "number": lambda a, b: MERGE[a, b],
    "tiles": np.add,
    "kinds": lambda a, b: np.minimum(a + b, 7),  # seven pairs need no more
    "pairs": lambda a, b: np.minimum(a + b, 7),
    "orphans": np.add,
    "orphan_pair": np.logical_or,
    "suits": np.add,
    "even": np.logical_and,
}


def collect(part, ways):
    """One row per distinct part, its ways added."""
    rows, which = np.unique(np.column_stack(list(part.values())), axis=0, return_inverse=True)
    total = np.zeros(len(rows), np.int64)
    np.add.at(total, which.ravel(), ways)
    return dict(zip(part, rows.T, strict=True)), total


def group(first, kinds, orphans, facts, *, deals):
    """All vectors of one group; ``deals`` counts physical tiles, else count vectors."""
    held = np.indices((5,) * kinds, np.int8).reshape(kinds, -1)
    tiles = held.sum(axis=0, dtype=np.int64)
    held, tiles = held[:, tiles <= 14], tiles[tiles <= 14]
    known = {
        "number": SHAPE["suit_class"][first : first + 5**kinds][reference.totals(kinds) <= 14],
        "tiles": tiles,
        "kinds": np.minimum((held > 0).sum(axis=0), 7),
        "pairs": (held > 1).sum(axis=0),
        "orphans": (held[orphans] > 0).sum(axis=0),
        "orphan_pair": (held[orphans] > 1).any(axis=0),
        "suits": tiles > 0,
        "even": (held % 2 == 0).all(axis=0),
    }
    ways = COPIES[held].prod(axis=0) if deals else np.ones(len(tiles), np.int64)
    return collect({fact: known[fact].astype(int) for fact in facts}, ways)


def join(left, right, size=None):
    """Both parts together: of at most 14 tiles, or of exactly ``size``."""
    (a, a_ways), (b, b_ways) = left, right
    tiles = a["tiles"][:, None] + b["tiles"]
    i, j = np.nonzero(tiles <= 14 if size is None else tiles == size)
    together = {fact: FACTS[fact](a[fact][i], b[fact][j]) for fact in a}
    return collect(together, a_ways[i] * b_ways[j])


def suit(*facts, deals=False):
    return group(0, 9, [0, 8], ("number", "tiles", *facts), deals=deals)


def honours(*facts, deals=False):
    return group(tables.HONOURS, 7, list(range(7)), ("number", "tiles", *facts), deals=deals)


# --- totals ---


@pytest.fixture(scope="module")
def three_suits():
    one = suit("kinds", "pairs", "orphans", "orphan_pair", deals=True)
    return join(join(one, one), one)


@pytest.mark.parametrize("size", [13, 14])
def test_shanten_of_every_deal(three_suits, size):
    others = honours("kinds", "pairs", "orphans", "orphan_pair", deals=True)
    hand, ways = join(three_suits, others, size)
    standard = DISTANCE[hand["number"], 4, 1] - 1
    seven_pairs = 6 - hand["pairs"] + np.maximum(7 - hand["kinds"], 0)
    orphans = 13 - hand["orphans"] - hand["orphan_pair"]
    away = np.minimum(np.minimum(standard, seven_pairs), orphans)
    deals = [int(ways[away == shanten].sum()) for shanten in range(-1, 7)]
    assert deals == DEALS[size]
    assert sum(deals) == ways.sum() == comb(136, size)


def test_standard_wins():
    one = suit()
    hand, ways = join(join(join(one, one), one), honours(), 14)
    assert ways[DISTANCE[hand["number"], 4, 1] == 0].sum() == STANDARD_WINS


def test_sichuan_wins():
    one = suit("suits", "even")
    hand, ways = join(join(one, one), one, 14)
    two_suits = hand["suits"] <= 2
    standard = two_suits & (DISTANCE[hand["number"], 4, 1] == 0)
    seven_pairs = two_suits & (hand["even"] == 1)
    assert ways[standard].sum() == SICHUAN_STANDARD
    assert ways[seven_pairs].sum() == SICHUAN_SEVEN_PAIRS
    assert ways[standard & seven_pairs].sum() == SICHUAN_BOTH
    assert ways[standard | seven_pairs].sum() == SICHUAN_WINS


def test_wins_in_two_given_suits():
    one = suit("even")
    hand, ways = join(one, one, 14)
    standard = ways[DISTANCE[hand["number"], 4, 1] == 0].sum()
    # hands that are both count twice in this total
    assert standard + ways[hand["even"] == 1].sum() == WINS_IN_TWO_GIVEN_SUITS


# --- every Sichuan win, one by one, through the public queries ---


def vectors(targets):
    return np.array(sorted(targets), np.uint8)


def in_two_suits(first, second):
    """Every pair of a row of ``first`` and a row of ``second``: ``uint8[n, 18]``."""
    return np.hstack([np.repeat(first, len(second), axis=0), np.tile(second, (len(first), 1))])


@pytest.fixture(scope="module")
def sichuan_wins():
    """``uint8[2561091, 27]``, from the definition: sets and a pair, or seven pairs."""
    parts = [
        in_two_suits(
            vectors(reference.targets(0, sets, pair)),
            vectors(reference.targets(0, 4 - sets, 1 - pair)),
        )
        for sets in range(5)
        for pair in range(2)
    ]
    doubled = 2 * np.indices((3,) * 9, np.uint8).reshape(9, -1).T
    tiles = doubled.sum(axis=1)
    parts += [in_two_suits(doubled[tiles == n], doubled[tiles == 14 - n]) for n in range(0, 15, 2)]
    both = np.concatenate(parts)
    hands = np.zeros((3, len(both), 27), np.uint8)
    for choice, suits in enumerate([(0, 1), (0, 2), (1, 2)]):
        for part, number in enumerate(suits):
            columns = slice(9 * number, 9 * number + 9)
            hands[choice][:, columns] = both[:, 9 * part : 9 * part + 9]
    hands = hands.reshape(-1, 27)
    code = np.zeros(len(hands), np.int64)
    for column in hands.T:
        code = 5 * code + column
    return hands[np.unique(code, return_index=True)[1]]


def test_every_sichuan_win_is_one(sichuan_wins):
    assert len(sichuan_wins) == SICHUAN_WINS
    assert ev.is_win(sichuan_wins, "sbr_2025").all()
    assert (ev.shanten(sichuan_wins, "sbr_2025") == -1).all()
    # the void suit named: a win exactly where it is not held
    for void in range(3):
        without = sichuan_wins[:, 9 * void : 9 * void + 9].sum(axis=1) == 0
        assert np.array_equal(ev.is_win(sichuan_wins, "sbr_2025", void=void), without)


def test_a_sichuan_win_less_a_tile_waits_for_it(sichuan_wins):
    wins = sichuan_wins[::7]
    tile = np.arange(len(wins)) % 27
    held = wins[np.arange(len(wins)), tile] > 0
    wins, tile = wins[held], tile[held]
    waiting = wins.copy()
    waiting[np.arange(len(wins)), tile] -= 1
    waits = ev.waits(waiting, "sbr_2025")
    assert len(wins) > 50_000
    assert (waits.shanten == 0).all()
    assert (waits.mask >> tile.astype(np.uint64) & np.uint64(1)).all()
