"""How far a hand is from each pattern: against plain enumeration, and by itself."""

from __future__ import annotations

from itertools import product
from random import Random

import guobiao_golden
import guobiao_reference
import numpy as np
import pytest
import strategies_guobiao
from pattern_reference import (
    KNITTED,
    SHAPE_FANS,
    WHOLE,
    guobiao_pattern_distance,
    pattern_distance,
)
from strategies import FAMILIES, SIZES, batch, fill, mixed
from test_pattern_reference import shapes_of

import evaluator as ev
from evaluator.distance import layout as plantables
from evaluator.distance.encoding import plan
from evaluator.distance.kernels import named_tiles as bodies
from evaluator.distance.kernels import shapes as patterns
from evaluator.distance.shapes import shapes
from evaluator.hands import Hand, Hands, Meld
from evaluator.rulesets.flags import FLAGS as PATTERN_FLAGS
from evaluator.scoring.guobiao.fan import fan_table

PRESETS = [name for name in ev.rules() if ev.rules(name).patterns]
FLAGS = [name for name, flag in PATTERN_FLAGS.items() if flag.is_shape and not flag.root]


def drawn_hand(random: Random, kinds: int) -> Hand:
    """A hand of any family, with up to four melds; now and then with some only implied."""
    family = random.choice(tuple(FAMILIES))
    melds: list[Meld] = []
    used = [0] * 34
    while len(melds) < (number := random.choice((0, 0, 0, 1, 2, 3, 4))):
        meld = Meld.from_id(random.randrange(1, 124))
        if meld.tile >= (9 if family == "flush" else kinds):
            continue
        if all(used[tile] + meld.tiles.count(tile) <= 4 for tile in meld.tiles):
            melds.append(meld)
            for tile in meld.tiles:
                used[tile] += 1
    number = len(melds)
    most = 14 - 3 * number
    sizes = [n for n in SIZES if n in (most, most - 1) or (n < most and random.random() < 0.3)]
    counts = fill(random, family, random.choice(sizes), kinds, tuple(used))
    return Hand(tuple(counts) + (0,) * (34 - kinds), tuple(melds))


def drawn_rules(random: Random) -> ev.Rules:
    """A game with a dozen patterns of any flags together."""
    kinds = random.choice((27, 27, 34))
    max_suits = 2 if kinds == 27 and random.random() < 0.7 else 3
    chosen = {}
    while len(chosen) < 12:
        flags = random.sample(FLAGS, random.choice((1, 1, 2, 2, 3)))
        if "seven" in flags and random.random() < 0.5:
            flags.append("hasgen")
        chosen["+".join(sorted(flags))] = {"value": 1, "group": 0, "req": flags}
    return ev.Rules(
        "drawn",
        kinds=kinds,
        max_suits=max_suits,
        requires=("all_suits",) if max_suits == 3 and random.random() < 0.4 else (),
        forms=("standard", "seven_pairs") if random.random() < 0.8 else ("standard",),
        patterns=chosen,
    )


def by_definition(hand: Hand, rules: ev.Rules, void: int | None = None) -> dict[str, int]:
    if rules.fan_table:
        names = ev.pattern_names(rules)
        return {
            name: guobiao_pattern_distance(
                hand.concealed, hand.melds, name, seven_pairs=name not in rules.needs_sets
            )
            for name in names
        }
    return {
        pattern.name: pattern_distance(
            hand.concealed,
            hand.melds,
            pattern.req,
            kinds=rules.kinds,
            max_suits=rules.max_suits,
            min_suits=3 if "all_suits" in rules.requires else 0,
            void=void,
            seven_pairs=rules.seven_pairs,
        )
        for pattern in rules.patterns
        if pattern.name in ev.pattern_names(rules)
    }


# --- what it is ---


@pytest.mark.parametrize("seed", range(60))
def test_flags_of_any_game(seed):
    random = Random(f"flags {seed}")
    rules = drawn_rules(random)
    for _ in range(3):
        hand, void = drawn_hand(random, rules.kinds), random.choice((None, None, 0, 1, 2))
        assert ev.pattern_shanten(hand, rules, void=void) == by_definition(hand, rules, void), hand


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name):
    random, rules = Random(name), ev.rules(name).replace(chow_melds=True)
    for _ in range(25):
        hand, void = drawn_hand(random, rules.kinds), random.choice((None, 0, 1, 2))
        assert ev.pattern_shanten(hand, rules, void=void) == by_definition(hand, rules, void), hand


@pytest.mark.parametrize("seed", range(12))
def test_guobiao(seed):
    random = Random(f"guobiao {seed}")
    rules = ev.rules("guobiao_1998" if seed % 3 == 0 else "guobiao")
    for _ in range(8):
        hand = drawn_hand(random, 34)
        assert ev.pattern_shanten(hand, rules) == by_definition(hand, rules), hand


def special_hands() -> list[guobiao_reference.Case]:
    """Every complete hand of the forms without four sets, and every 组合龙 with its set melded."""
    whole = {tuple(sorted(tiles)) for name in WHOLE for tiles in WHOLE[name]}
    cases = [guobiao_reference.Case(counted(tiles), (), tiles[-1]) for tiles in sorted(whole)]
    sets = [("chow", t) for t in range(27) if t % 9 < 7] + [("pung", t) for t in range(34)]
    for body, meld, pair in product(KNITTED, sets, range(34)):
        beside = (*body, pair, pair)
        tiles = (*beside, *guobiao_reference.meld_tiles(*meld))
        if max(counted(tiles)) <= 4:
            cases.append(guobiao_reference.Case(counted(tiles), (), pair))
            cases.append(guobiao_reference.Case(counted(beside), (meld,), pair))
    return cases


def counted(tiles):
    return tuple(tiles.count(tile) for tile in range(34))


def test_a_fan_of_guobiao_has_the_hands_of_its_definition():
    """What a score lists is at -1; what is at -1 is true of a reading, listed or not."""
    names = ev.pattern_names("guobiao")
    cases, special = [], special_hands()
    for kind in strategies_guobiao.KINDS_OF_HANDS:
        cases += strategies_guobiao.batch(kind, 60, seed=61)
    hands = strategies_guobiao.to_hands(cases + special)
    there = ev.pattern_shanten(hands, "guobiao") == -1
    scores = ev.score(hands, "guobiao", detail=True)
    listed = scores.counts[:, [scores.names.index(name) for name in names]] > 0
    assert (scores.fan > 0).all()
    assert not (listed & ~there).any()
    # without exceptions, the nine knitted tiles are listed
    column = names.index("组合龙")
    assert (listed[:, column] == there[:, column]).all()
    assert there[len(cases) :, column].sum() > 20_000
    sample = Random(62).sample(range(len(cases), len(hands)), 600)
    for row in (*range(len(cases)), *sample):
        case = cases[row] if row < len(cases) else special[row - len(cases)]
        shapes = shapes_of(case)
        had = {names[at] for at in np.flatnonzero(there[row])}
        # nine gates, whatever tile came last
        assert had == shapes | had & {"九莲宝灯"}, case


def test_near_a_special_hand():
    random, special = Random(63), special_hands()
    names = ("组合龙", "全不靠", "七星不靠", "十三幺", "五门齐", "混幺九", "九莲宝灯", "连七对")
    for case in random.choices(special[:1500], k=120) + random.sample(special, 40):
        tiles = [tile for tile, count in enumerate(case.concealed) for _ in range(count)]
        kept = random.sample(tiles, len(tiles) - random.choice((1, 2, 2, 3, 4)))
        while len(kept) < len(tiles) - 1:
            tile = random.randrange(34)
            kept += [tile] if kept.count(tile) < 4 else []
        hand = Hand(counted(kept), tuple(Meld(kind, tile) for kind, tile in case.melds))
        found = ev.pattern_shanten(hand, "guobiao")
        for name in names:
            assert found[name] == guobiao_pattern_distance(hand.concealed, hand.melds, name), hand


def test_named_sets_share_copies():
    """Beside sets with three of a tile there is one more, where the tables know of four."""
    random, rules = Random("named"), ev.rules("guobiao")
    for text in ("1112223333m", "33334444555m", "2223344445m", "6666777888p", "1111222333444m"):
        counts = ev.parse(text).tolist()
        for _ in range(6):
            tiles = list(counts)
            while sum(tiles) < 13:
                tile = random.choice((*range(9), *range(34)))
                tiles[tile] += tiles[tile] < 4
            hand = Hand(tuple(tiles))
            assert ev.pattern_shanten(hand, rules) == by_definition(hand, rules), hand


def test_columns_are_the_shapes_of_a_rule_set():
    assert ev.pattern_names("qq_sichuan") == (
        "平胡", "对对胡", "清一色", "带幺九", "七对", "清对", "将对", "龙七对", "清七对",
        "清幺九", "清龙七对",
    )  # fmt: skip
    assert ev.pattern_names("dandong") == ("飘胡",)
    assert set(ev.pattern_names("guobiao")) == set(SHAPE_FANS)
    ours = ev.rules("qq_sichuan").replace(
        patterns={"根": {"value": 1, "group": 1, "req": ["hasgen"]}}
    )
    assert "根" not in ev.pattern_names(ours)
    with pytest.raises(ev.RulesError, match="riichi has no patterns that tiles alone decide"):
        ev.pattern_names("riichi")


def test_the_1998_rules_let_no_seven_pairs_be_of_few_tiles():
    pairs = ev.parse("1199m1199p1199s99m")
    assert ev.pattern_shanten(pairs, "guobiao")["清幺九"] == -1
    assert ev.pattern_shanten(pairs, "guobiao_1998")["清幺九"] > -1


@pytest.mark.parametrize(
    "flags", [("pungs", "yitiaolong"), ("seven", "pungs"), ("jiang", "yaojiu")]
)
def test_flags_that_contradict_each_other(flags):
    rules = ev.Rules("none", kinds=27, patterns={"x": {"value": 1, "group": 0, "req": flags}})
    for size in SIZES:
        assert (ev.pattern_shanten(batch("random_tiles", 5, size, 27), rules) == 127).all()


def test_golden_single_wait():
    """金钩钓 is four melds and one tile, not any hand of pungs; a kong is one, too."""
    four = ev.Hand.parse("[111m,1][222m,1][333m,1][4444p,1]5p")
    assert ev.pattern_shanten(four, "sbr_2025")["金钩钓"] == 0
    pungs = ev.parse("111222333m44455p")
    found = ev.pattern_shanten(pungs, "sbr_2025")
    assert (found["大对子"], found["金钩钓"]) == (-1, 3)
    kong = ev.Hand.parse("[111m,1][222m,1][333m,1]4444p")
    assert ev.pattern_shanten(kong, "sbr_2025")["金钩钓"] == 1
    chow = ev.Hand.parse("[123m,1]111m222m333m44p")
    rules = ev.rules("sbr_2025").replace(chow_melds=True)
    assert ev.pattern_shanten(chow, rules)["金钩钓"] == 127


# --- against what else the package knows ---


@pytest.mark.parametrize("name", ["qq_sichuan", "majsoul_chuanma", "guobiao"])
def test_no_pattern_is_nearer_than_a_win(name):
    hands = mixed(400, ev.rules(name).kinds)
    found = ev.pattern_shanten(hands, name)
    names = ev.pattern_names(name)
    if name == "guobiao":
        assert (found.min(axis=1) >= ev.shanten(hands, name)).all()
        return
    standard = ev.shanten(hands, ev.rules(name).replace(forms=("standard",)))
    assert (found[:, names.index("平胡")] == standard).all()
    assert (found >= ev.shanten(hands, name)[:, None]).all()


@pytest.mark.parametrize("name", ["majsoul_chuanma", "guobiao"])
def test_a_tile_brings_each_pattern_one_nearer(name):
    """Of 13 tiles: no tile helps by more than one, and one helps where there is a way."""
    kinds = ev.rules(name).kinds
    hands = batch("random_tiles", 20, 13, kinds)
    hands = np.concatenate([hands] + [batch(family, 12, 13, kinds) for family in FAMILIES])
    before = ev.pattern_shanten(hands, name)
    after = np.full((kinds, *before.shape), 127, np.int8)
    for tile in range(kinds):
        more = hands.copy()
        more[:, tile] += 1
        can = more[:, tile] <= 4
        after[tile, can] = ev.pattern_shanten(more[can], name)
        assert (after[tile, can] >= before[can] - 1).all()
        assert (after[tile, can] <= before[can]).all()
    reachable = before < 127
    for column, pattern in enumerate(ev.pattern_names(name)):
        if "金钩" in pattern:
            reachable[:, column] = False  # a third copy is no pung that lies on the table
    assert (after.min(axis=0)[reachable] == before[reachable] - 1).all()


def test_scored_fan_are_there():
    """What the scorer of Guobiao counts is a pattern at -1."""
    rows = guobiao_golden.rows("consensus")[:2000]
    hands = Hands.from_hands([Hand.parse(row["hand"]) for row in rows])
    counts = ev.score(hands, detail=True).counts
    found = ev.pattern_shanten(hands, "guobiao")
    columns = {fan.chinese: fan.column for fan in fan_table(ev.rules("guobiao")).fans}
    # of 全不靠 all nine knitted tiles are 组合龙 too; to aim at it is to aim at a set and a pair
    counts[counts[:, columns["全不靠"]] > 0, columns["组合龙"]] = 0
    for place, name in enumerate(ev.pattern_names("guobiao")):
        assert (found[counts[:, columns[name]] > 0, place] == -1).all(), name


# --- void suits, wild tiles ---


def test_void_suits():
    hands = mixed(60, 27)
    each = ev.pattern_shanten(hands, "qq_sichuan", void="each")
    assert each.shape == (60, 3, 11)
    for suit in range(3):
        one = ev.pattern_shanten(hands, "qq_sichuan", void=suit)
        np.testing.assert_array_equal(each[:, suit], one)
        np.testing.assert_array_equal(
            one, ev.pattern_shanten(hands, "qq_sichuan", void=np.full(60, suit))
        )
    np.testing.assert_array_equal(each.min(axis=1), ev.pattern_shanten(hands, "qq_sichuan"))
    single = ev.pattern_shanten(hands[0], "qq_sichuan", void="each")
    for column, name in enumerate(ev.pattern_names("qq_sichuan")):
        np.testing.assert_array_equal(single[name], each[0, :, column])


def test_a_void_suit_that_melds_hold():
    hand = ev.Hand.parse("[111m,1]123p55s77p22s1p")
    assert set(ev.pattern_shanten(hand, "qq_sichuan", void=0).values()) == {127}


def test_wild_tiles_stand_for_any():
    hand = ev.Hand.parse("11223355m7788p|EE0000|0|wilds=1")
    assert ev.pattern_shanten(hand, "qq_sichuan")["七对"] == 0
    hand = ev.Hand.parse("11223355m77889p|EE0000|0|wilds=1,win=none")
    assert ev.pattern_shanten(hand, "qq_sichuan")["七对"] == -1


# --- one hand, many, threads, bad input ---


@pytest.mark.parametrize("name", ["qq_sichuan", "guobiao"])
def test_batch_is_one_by_one(name):
    rules = ev.rules(name).replace(chow_melds=True)
    random = Random(name)
    hands = [drawn_hand(random, rules.kinds) for _ in range(150)]
    found = ev.pattern_shanten(Hands.from_hands(hands), rules)
    assert found.dtype == np.int8
    for row, hand in zip(found, hands, strict=True):
        one = ev.pattern_shanten(hand, rules)
        assert tuple(one) == ev.pattern_names(rules)
        assert list(one.values()) == row.tolist()
    np.testing.assert_array_equal(found, ev.pattern_shanten(hands, rules))


def test_shapes_types_and_threads():
    hands = mixed(6000, 27)
    found = ev.pattern_shanten(hands, "qq_sichuan", threads=1)
    np.testing.assert_array_equal(found, ev.pattern_shanten(hands, "qq_sichuan", threads=3))
    np.testing.assert_array_equal(found, ev.pattern_shanten(hands.astype(int), "qq_sichuan"))
    wide = np.pad(hands, ((0, 0), (0, 7)))
    np.testing.assert_array_equal(found, ev.pattern_shanten(wide, "qq_sichuan"))
    cube = hands.reshape(3, 2000, 27)
    np.testing.assert_array_equal(
        found.reshape(3, 2000, -1), ev.pattern_shanten(cube, "qq_sichuan")
    )
    np.testing.assert_array_equal(found[::2], ev.pattern_shanten(hands[::2], "qq_sichuan"))
    assert ev.pattern_shanten(hands[:0], "qq_sichuan").shape == (0, 11)
    assert ev.pattern_shanten(hands[:1], "qq_sichuan").shape == (1, 11)


@pytest.mark.parametrize("name", ["qq_sichuan", "guobiao"])
def test_bad_hands_are_refused_or_marked(name):
    hands = mixed(200, ev.rules(name).kinds)
    hands[70] = 0
    hands[71, 3] = 5
    hands[130] = 4
    with pytest.raises(ev.HandError, match="hand 70: "):
        ev.pattern_shanten(hands, name)
    marked = ev.pattern_shanten(hands, name, errors="mark")
    bad = [70, 71, 130]
    assert (marked[bad] == -128).all()
    good = np.delete(hands, bad, axis=0)
    np.testing.assert_array_equal(np.delete(marked, bad, axis=0), ev.pattern_shanten(good, name))


def test_other_bad_input():
    with pytest.raises(ev.HandError, match="1z"):
        ev.pattern_shanten(ev.parse("123m456p789s1122z"), "qq_sichuan")
    with pytest.raises(ev.HandError, match="void"):
        ev.pattern_shanten(ev.parse("11m"), "qq_sichuan", void=3)
    with pytest.raises(ev.RulesError, match="no such rule set"):
        ev.pattern_shanten(ev.parse("11m"), "sichuan")
    with pytest.raises(ev.EvaluatorError, match="errors"):
        ev.pattern_shanten(ev.parse("11m"), "qq_sichuan", errors="ignore")


# --- plans and tables ---


def test_a_new_rule_set_compiles_nothing():
    hands = mixed(3, 27)
    ev.pattern_shanten(hands, "qq_sichuan")
    ev.pattern_shanten(mixed(3), "guobiao")
    before = len(patterns.pattern_shanten.signatures), len(bodies.body_shanten.signatures)
    rules = ev.rules("qq_sichuan").replace(
        patterns={"一条龙": {"value": 2, "group": 1, "req": ["yitiaolong", "flush"]}}
    )
    assert "一条龙" in ev.pattern_names(rules)
    ev.pattern_shanten(hands, rules, void="each")
    ev.pattern_shanten(Hands.from_hands([drawn_hand(Random(1), 27)]), rules, threads=1)
    assert (
        len(patterns.pattern_shanten.signatures),
        len(bodies.body_shanten.signatures),
    ) == before


def test_plans_of_every_choice_of_suits():
    for name in (*PRESETS, "guobiao", "guobiao_1998"):
        rules = ev.rules(name)
        for two in (False, True):
            made = plan(rules, two)
            assert made.names == ev.pattern_names(rules)
            assert len(shapes(rules, two)) == len(made.names)


def test_terminal_classes():
    """As the 180: the empty suit changes nothing, merging is commutative and associative."""
    arena = plantables.arena()
    assert arena.nbytes < 300_000
    merge = arena[plantables.TERMINAL_MERGE :][: 256 * 256].reshape(256, 256)[:245, :245]
    assert (merge[0] == np.arange(245)).all()
    assert (merge == merge.T).all()
    for a in range(245):
        assert (merge[merge[a]] == merge[a][merge]).all()


@pytest.mark.parametrize("divisor", [1, *(5**n for n in range(1, 8))])
def test_reciprocals(divisor):
    codes = np.arange(5**9 + 5**7, dtype=np.uint64)
    inverse = np.uint64(plantables.reciprocal(divisor))
    quotients = codes * inverse >> np.uint64(plantables.RECIPROCAL_SHIFT)
    assert (quotients == codes // np.uint64(divisor)).all()


def test_wild_tiles_may_be_given_beside_the_hands():
    hand = ev.Hand.parse("[111m]2233m4455m")
    wild = ev.pattern_shanten(ev.Hand.parse("[111m]2233m4455m|EE0000|0|wilds=2"), "qq_sichuan")
    assert ev.pattern_shanten(hand, "qq_sichuan", wilds=2) == wild
    counts, given = ev.deal(50, 10, kinds=27, seed=1), np.arange(50) % 2 * 3
    found = ev.pattern_shanten(counts, "qq_sichuan", wilds=given)
    hands = ev.Hands(concealed=np.pad(counts, ((0, 0), (0, 7))), wilds=given.astype(np.uint8))
    assert (found == ev.pattern_shanten(hands, "qq_sichuan")).all()


def test_wild_tiles_of_a_game_that_names_none():
    rules = ev.rules("majsoul_chuanma").replace(requires=("terminal",), max_suits=3)
    hand = ev.parse("12377m123p12379s")[:27]
    assert ev.is_win(hand, rules, wilds=1)
    assert ev.pattern_shanten(hand, rules, wilds=1)["平胡"] == -1
    hand = ev.parse("23477m234p23468s")[:27]
    assert not ev.is_win(hand, rules, wilds=1)
    assert ev.pattern_shanten(hand, rules, wilds=1)["平胡"] == 0
