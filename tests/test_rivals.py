"""Public calculators, on families of hands; a missing one is skipped, but not in CI.

All rivals count the tiles of the hand alone and answer for riichi, but for
PyMahjongGB, which knows the forms of Guobiao.
"""

import importlib
import os
from random import Random

import numpy as np
import pytest
import reference
import strategies
from reference import same

import evaluator as ev

NO_LIMIT = 14


def rival(module):
    try:
        return importlib.import_module(module)
    except ImportError:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{module} is not installed: pip install .[rivals]")
        pytest.skip(f"{module} is not installed")


def hands(number, remainder=None, seed=0):
    """Hands of every family and size, and random deals of whole hands."""
    deals = [ev.deal(number // 4, size, seed=seed) for size in (13, 14)]
    families = strategies.mixed(number, remainder=remainder, seed=seed)
    wanted = [deal for deal in deals if remainder in (None, deal[0].sum() % 3)]
    return np.concatenate([families, *wanted])


def as_bits(tiles):
    return sum(1 << tile for tile in tiles)


# --- riichi ---


def test_xiangting_shanten_and_necessary_tiles():
    xiangting = rival("xiangting")
    four = xiangting.PlayerCount.FOUR
    # their necessary tiles of 3k+2 tiles are another question
    given = hands(60_000, remainder=1, seed=1)
    waits = ev.waits(given, "riichi")
    theirs = [xiangting.calculate_necessary_tiles(hand, four) for hand in given.tolist()]
    same(given, np.column_stack([waits.shanten + 1, waits.mask.astype(np.int64)]), theirs)


def test_xiangting_unnecessary_tiles():
    xiangting = rival("xiangting")
    four = xiangting.PlayerCount.FOUR
    given = hands(30_000, remainder=2, seed=2)
    shanten = ev.shanten(given, "riichi")
    kept = ev.discards(given, "riichi").shanten == shanten[:, None]
    # of a complete hand they call no tile unnecessary, and no discard keeps it complete
    theirs = [xiangting.calculate_unnecessary_tiles(hand, four) for hand in given.tolist()]
    ours = [as_bits(np.flatnonzero(row).tolist()) for row in kept]
    same(given, np.column_stack([shanten + 1, ours]), theirs)


def test_xiangting_replacement_number():
    xiangting = rival("xiangting")
    four = xiangting.PlayerCount.FOUR
    given = hands(100_000, seed=3)
    theirs = [xiangting.calculate_replacement_number(hand, four) - 1 for hand in given.tolist()]
    same(given, ev.shanten(given, "riichi"), theirs)


def test_riichienv_shanten():
    riichienv = rival("riichienv")
    given = hands(60_000, seed=4)
    theirs = [
        riichienv.calculate_shanten(
            [4 * tile + copy for tile, held in enumerate(hand) for copy in range(held)]
        )
        for hand in given.tolist()
    ]
    same(given, ev.shanten(given, "riichi"), theirs)


def test_mahjong_shanten():
    calculator = rival("mahjong.shanten").Shanten
    given = hands(20_000, seed=5)
    theirs = [calculator.calculate_shanten(hand) for hand in given.tolist()]
    same(given, ev.shanten(given, "riichi"), theirs)


# --- Guobiao ---

GB_NAMES = [f"{suit}{rank}" for suit in "WBT" for rank in range(1, 10)]
GB_NAMES += ["F1", "F2", "F3", "F4", "J3", "J2", "J1"]


def gb_hand(counts):
    return tuple(GB_NAMES[tile] for tile, held in enumerate(counts) for _ in range(held))


def gb_hands():
    """Hands of all families; knitted ones that hold four of a kind beside the pattern."""
    random = Random(6)
    patterns = [
        np.bincount([*random.choice(reference.KNITTED), *[random.randrange(34)] * 4], minlength=34)
        for _ in range(150)
    ]
    fifth = np.array([counts for counts in patterns if counts.max() <= 4], np.uint8)
    return np.concatenate([hands(2_400, remainder=1, seed=6), fifth])


def test_mahjonggb_forms():
    """PyMahjongGB's forms with sets and a pair know no limit of four copies.

    So it calls 123456789m1111z waiting, for a fifth 1z, and so the knitted straight
    beside 1111z. Its answers are exactly the distances to complete hands that may hold
    a tile five times and more; with four copies at most they are ours. The forms
    without sets are ours as they are.
    """
    gb = rival("MahjongGB")
    assert gb.RegularShanten(gb_hand(ev.parse("123456789m1111z")))[0] == 0
    given = gb_hands()
    ours = ev.shanten(given, "guobiao").tolist()
    looser = 0
    for counts, shanten in zip(given.tolist(), ours, strict=True):
        hand = gb_hand(counts)
        sets = len(hand) // 3

        def away(copies, sets=sets, counts=counts):
            knitted = [
                reference.distance(counts, sets - 3, 1, base=pattern, copies=copies)
                for pattern in reference.KNITTED
                if sets >= 3
            ]
            standard = reference.distance(counts, sets, 1, copies=copies)
            return standard - 1, min(knitted, default=reference.IMPOSSIBLE) - 1

        standard, knitted = away(NO_LIMIT)
        assert gb.RegularShanten(hand)[0] == standard
        if len(hand) >= 10:
            assert gb.KnittedStraightShanten(hand)[0] == knitted
        others = []
        if len(hand) == 13:
            others.append(gb.SevenPairsShanten(hand)[0])
            others.append(gb.ThirteenOrphansShanten(hand)[0])
            others.append(gb.HonorsAndKnittedTilesShanten(hand)[0])
        assert gb.MahjongShanten((), hand) == min(standard, knitted, *others)
        assert shanten == min(*away(4), *others), counts
        looser += min(standard, knitted, *others) < shanten
    # the convention is not idle: the hands tell the two apart
    assert looser > 50


def test_mahjonggb_useful_tiles():
    """The tiles that lower the shanten, but where only a fifth copy makes it theirs.

    Compared where the standard form is not the nearest: of that one they skip tiles.
    """
    gb = rival("MahjongGB")
    given = np.concatenate(
        [strategies.batch(family, 1000, 13) for family in ("knitted", "orphans", "seven_pairs")]
    )
    waits = ev.waits(given, "guobiao")
    compared = 0
    for counts, shanten, mask in zip(
        given.tolist(), waits.shanten.tolist(), waits.mask.tolist(), strict=True
    ):
        hand = gb_hand(counts)
        forms = [
            gb.SevenPairsShanten(hand),
            gb.ThirteenOrphansShanten(hand),
            gb.HonorsAndKnittedTilesShanten(hand),
            gb.KnittedStraightShanten(hand),
        ]
        if gb.RegularShanten(hand)[0] <= shanten:
            continue
        if min(forms)[0] < shanten:
            assert max(counts) == 4, counts
            continue
        compared += 1
        useful = {
            GB_NAMES.index(name) for away, tiles in forms if away == shanten for name in tiles
        }
        # the knitted straight may ask for a fifth copy
        assert mask == as_bits(tile for tile in useful if counts[tile] < 4), counts
    assert compared > 2000
