"""Exact distributions: golden totals, brute force on small walls, dealt hands."""

from math import comb

import numpy as np
import pytest
from test_golden import DEALS, SICHUAN_WINS, STANDARD_WINS

import evaluator as ev
from evaluator.distributions import deal_shanten, wall_shanten, wins

# without 缺门, hands that are both counted in each
WITHOUT_VOID = {"standard": 5_237_550, "seven_pairs": 3_541_590}
# 二杯口: 177 choices of two chows without a tile in common, a pair of the 28 other kinds;
# less 288, the further readings of 1122334 and its like
BOTH_STANDARD_AND_DIFFERENT_PAIRS = 177 * 28 - 288


def by_brute_force(wall, kinds, tiles, rules):
    """Every hand that a small wall allows, asked one by one; the ways to deal each."""
    held = np.indices((5,) * len(wall), np.uint8).reshape(len(wall), -1).T
    held = held[held.sum(axis=1) == tiles]
    hands = np.zeros((len(held), kinds), np.uint8)
    hands[:, wall] = held
    ways = np.array([comb(4, n) for n in range(5)])[held].prod(axis=1)
    shanten = ev.shanten(hands, rules)
    return {int(n): int(ways[shanten == n].sum()) for n in np.unique(shanten)}


@pytest.mark.parametrize("tiles", [13, 14])
def test_riichi_is_golden(tiles):
    golden = {n - 1: deals for n, deals in enumerate(DEALS[tiles]) if deals}
    assert deal_shanten(tiles, 34, "riichi") == golden


WALLS = {
    "one suit": ([*range(9)], 27),
    "two suits": ([0, 1, 2, 3, 9, 10, 11, 12], 27),
    "three suits": ([0, 1, 2, 9, 11, 18, 20, 22], 27),
    "three far suits": ([0, 4, 8, 9, 13, 17, 20, 24], 27),
    "suits and honours": ([0, 8, 10, 11, 12, 27, 28, 33], 34),
    "orphans": ([0, 8, 9, 17, 26, 27, 30, 33], 34),
}
# the shapes of the Sichuan family alone: they can be varied as no game with patterns can
SICHUAN = ev.Rules("shapes", kinds=27, max_suits=2, forms=("standard", "seven_pairs"))
RULES = {
    "riichi": ev.rules("riichi"),
    "sbr_2025": ev.rules("sbr_2025"),
    "three suits": SICHUAN.replace(max_suits=3),
    "different pairs": SICHUAN.replace(forms=("seven_different_pairs",)),
}


@pytest.mark.parametrize("tiles", [2, 7, 11, 13, 14])
@pytest.mark.parametrize(
    ("wall", "rules"),
    [
        (wall, name)
        for wall, (_, kinds) in WALLS.items()
        for name, rules in RULES.items()
        if rules.kinds >= kinds
    ],
)
def test_small_walls_by_brute_force(wall, rules, tiles):
    kinds_of_wall, kinds = WALLS[wall]
    exact = wall_shanten(kinds_of_wall, kinds, tiles, RULES[rules])
    assert exact == by_brute_force(kinds_of_wall, kinds, tiles, RULES[rules])


@pytest.mark.parametrize(
    ("asked", "rules"),
    [
        ({"kinds": 27}, "sbr_2025"),
        ({"kinds": 27}, "three suits"),
        ({"kinds": 27, "tiles": 13}, "riichi"),
        ({"tiles": 8}, "guobiao"),
        ({"family": "flush"}, "riichi"),
        ({"family": "half_flush", "tiles": 13}, "riichi"),
        ({"family": "two_suits", "kinds": 27}, "sbr_2025"),
        ({"family": "terminals"}, "riichi"),
    ],
)
def test_dealt_hands_are_spread_so(asked, rules):
    asked = {"tiles": 14, "kinds": 34, **asked}
    rules = RULES.get(rules, rules)
    n = 300_000
    exact = deal_shanten(rules=rules, **asked)
    total = sum(exact.values())
    if asked.get("family", "random") == "random":
        assert total == comb(4 * asked["kinds"], asked["tiles"])
    assert list(exact) == sorted(exact)
    values, counts = np.unique(ev.shanten(ev.deal(n, seed=3, **asked), rules), return_counts=True)
    assert set(values.tolist()) <= set(exact)
    sampled = dict(zip(values.tolist(), counts.tolist(), strict=True))
    for shanten, deals in exact.items():
        share = deals / total
        # five standard deviations, and room for a rare one
        room = 5 * (n * share * (1 - share)) ** 0.5 + 1
        assert abs(sampled.get(shanten, 0) - n * share) < room


def test_what_is_not_known():
    assert deal_shanten(13, 34, "guobiao") is None
    assert deal_shanten(10, 34) is None
    assert deal_shanten(13, 34, "riichi", family="near_win") is None
    assert (
        deal_shanten(13, 34, ev.rules("riichi").replace(forms=("standard",), max_suits=2)) is None
    )
    with pytest.raises(ev.EvaluatorError, match="without honours"):
        deal_shanten(13, 34, "sbr_2025")
    with pytest.raises(ev.EvaluatorError, match="tiles must be"):
        deal_shanten(15)
    with pytest.raises(ev.RulesError, match="no such rule set"):
        deal_shanten(13, 34, "richi")
    pairs = ev.rules("riichi").replace(forms=("seven_different_pairs",))
    assert deal_shanten(7, 34, pairs) == {127: comb(136, 7)}


def ways_to_deal(hands):
    ways = np.ones(len(hands), np.int64)
    for column in hands.T:
        ways *= np.array([1, 4, 6, 4, 1])[column]
    return int(ways.sum())


def test_wins_are_all_there_is_once():
    hands = np.concatenate(list(wins("sbr_2025")))
    assert len(hands) == SICHUAN_WINS
    # no hand twice: 27 digits to the base 5 fit a number
    code = np.zeros(len(hands), np.uint64)
    for column in hands.T:
        code = code * np.uint64(5) + column
    assert len(np.unique(code)) == len(hands)
    assert ev.is_win(hands, "sbr_2025").all()
    # with their ways they are the complete deals
    assert ways_to_deal(hands) == deal_shanten(14, 27, "sbr_2025")[-1]
    for form in WITHOUT_VOID:
        hands = wins(RULES["three suits"].replace(forms=(form,)))
        assert sum(map(len, hands)) == WITHOUT_VOID[form]


def test_riichi_wins():
    riichi = ev.rules("riichi")
    pieces = list(wins(riichi, chunk=1_000_000))
    assert max(map(len, pieces)) <= 1_000_000
    count = sum(map(len, pieces))
    assert sum(map(len, wins(riichi.replace(forms=("standard",))))) == STANDARD_WINS
    assert sum(map(ways_to_deal, pieces)) == DEALS[14][0]
    assert count == STANDARD_WINS + comb(34, 7) - BOTH_STANDARD_AND_DIFFERENT_PAIRS + 13
    with pytest.raises(
        ev.EvaluatorError, match="hands of guobiao cannot be listed: they include honours"
    ):
        next(wins("guobiao"))
