"""The enumerated distances to patterns against brute force and the plain scorers."""

from functools import cache
from itertools import combinations_with_replacement
from random import Random

import guobiao_reference
import numpy as np
import pattern_reference as ref
import pytest
import sichuan_reference
import strategies
import strategies_guobiao
import strategies_sichuan as hands
from sichuan_golden import PRESETS

from evaluator.hands import Hand

ASKED = [
    *sorted(
        {
            tuple(pattern["req"])
            for preset in PRESETS.values()
            for pattern in preset["patterns"].values()
            if set(pattern["req"]) <= ref.SHAPES
        }
    ),
    ("yitiaolong",),
    ("flush", "yitiaolong"),
    ("zhongzhang",),
    ("menqing",),
    ("menqing", "flush"),
    ("jiang", "flush"),
    ("pungs", "yaojiu"),
]
"""Every shape that a preset prices, and some that a user could."""
TO_LIE = {"jingou", "luohan"}  # not only what tiles there are: claims cost something


def counts_of(text):
    return Hand.parse(text).concealed, Hand.parse(text).melds


# --- Sichuan ---


@cache
def complete(size):
    """Every hand of so few tiles that is sets and a pair: counts, out of all there are."""
    rows = []
    for tiles in combinations_with_replacement(range(27), size):
        counts = [0] * 34
        for tile in tiles:
            counts[tile] += 1
        if max(counts) <= 4 and any(sichuan_reference.divide(counts)):
            rows.append(tuple(counts))
    return rows


@pytest.mark.parametrize(
    "melds",
    [
        "[111m,1][999m,1][111p,1]",
        "[222m,1][5555m][888m,1]",
        "[123m,1][789m,1][999m,1]",
        "[222p,1][345p,1][888p,1][555m,1]",
        "[222m,1][333p,1][444s,1]",
    ],
)
def test_against_every_hand(melds):
    """Fewest tiles missing of any complete hand that has a reading with all the flags."""
    random = Random(melds)
    beside = sichuan_reference.Case.of(Hand.parse(melds + "5s")).melds
    most = 14 - 3 * len(beside)
    every = np.array(complete(most), np.int8)
    facts = [
        [
            reading.facts
            for reading in sichuan_reference.readings(sichuan_reference.Case(row, beside))
        ]
        for row in complete(most)
    ]
    suits = [{tile // 9 for tile, n in enumerate(row) if n} for row in every]
    held = {block[0] // 9 for block in ref.blocks_of(beside)}
    asked = [flags for flags in ASKED if not TO_LIE & set(flags) and "seven" not in flags]
    fitting = [
        np.array([any(set(flags) <= some for some in of_hand) for of_hand in facts])
        for flags in asked
    ]
    fits = {
        void: np.array([len(some | held) <= 2 and void not in some | held for some in suits])
        for void in (None, 0, 2)
    }
    for _ in range(8):
        family = random.choice(("random_tiles", "flush", "pungs", "quads", "terminals"))
        counts = strategies.fill(random, family, random.choice((most - 1, most)), 27)
        missing = np.maximum(every[:, :27] - np.array(counts, np.int8), 0).sum(1)
        for flags, fit in zip(asked, fitting, strict=True):
            for void, allowed in fits.items():
                nearest = missing[fit & allowed]
                wanted = int(nearest.min()) - 1 if len(nearest) else ref.UNREACHABLE
                found = ref.pattern_distance(counts, beside, flags, void=void)
                assert found == wanted, (counts, flags, void)


def reaches(hand, flags):
    """Whether a reading has all the flags, and no third suit."""
    case = sichuan_reference.Case.of(hand)
    return len(sichuan_reference.suits_of(case.owned)) <= 2 and any(
        set(flags) <= reading.facts for reading in sichuan_reference.readings(case)
    )


@pytest.mark.parametrize("family", hands.FAMILIES, ids=lambda family: family.__name__)
def test_complete_is_what_the_scorer_says(family):
    for hand in hands.batch(family, 10, seed=4):
        for flags in ASKED:
            there = ref.pattern_distance(hand.concealed, hand.melds, flags) == -1
            assert there == reaches(hand, flags), (str(hand), flags)


@pytest.mark.parametrize("family", ["random_tiles", "seven_pairs", "near_win"])
def test_one_tile_is_one_step(family):
    """The best draw leads one nearer; none leads further."""
    for counts in strategies.batch(family, 1, 13, 27, seed=1).tolist():
        for flags in ASKED:
            if TO_LIE & set(flags):
                continue
            now = ref.pattern_distance(counts, (), flags)
            if now == ref.UNREACHABLE:
                # five kinds of them: in more suits than there may be
                assert flags in (("pungs", "yaojiu"), ("jiang", "flush"))
                continue
            drawn = [
                ref.pattern_distance([n + (t == tile) for t, n in enumerate(counts)], (), flags)
                for tile in range(27)
                if counts[tile] < 4
            ]
            assert min(drawn) == now - 1
            assert max(drawn) <= now


@pytest.mark.parametrize(
    ("hand", "flags", "distance"),
    [
        # 13 tiles, three tiles from all pungs by tiles, and four pungs still to be melded
        ("11155577799m33p1s", "pungs", 0),
        ("11155577799m33p1s", "jingou", 3),
        # two are held: one claim; three: one as well; four are a concealed kong
        ("[111m,1][555m,1][777m,1]99m33p", "jingou", 0),
        ("[111m,1][555m,1][777m,1]999m3p", "jingou", 1),
        ("[111m,1][555m,1][777m,1]9999m3p", "jingou", 0),
        ("[111m,1][555m,1][777m,1][999m,1]3p", "jingou", 0),
        ("[111m,1][555m,1][777m,1][999m,1]33p", "jingou", -1),
        ("[111m,1][555m,1][777m,1]999m33p", "jingou", 0),
        ("[111m,1][555m,1][777m,1]9m3p4p5p", "jingou", 2),
        ("[111m,1][555m,1][777s,1][999m,1]33p", "jingou", 1),
        ("[222m,1][555m,1][888m,1][555p,1]3p", "jingou jiang", 1),
        ("[222m,1][555m,1][888m,1][555p,1]3p", "jingou flush", 127),
        # kongs: one tile for every pung, four less those held for the rest
        ("[1111m,1][5555m][7777m,1][9999m,1]33p", "luohan", -1),
        ("[1111m,1][5555m][7777m,1][9999m,1]3p", "luohan", 0),
        ("[1111m,1][5555m][7777m,1][999m,1]3p", "luohan", 1),
        ("[1111m,1][5555m][7777m,1]9999m3p", "luohan", 0),
        ("[1111m,1][5555m][7777m,1]999m3p", "luohan", 1),
        ("1112223334445m", "luohan", 4),
        # a chow on the table ends it, an open meld ends 门清
        ("[123m,1]5557779m33p1m", "pungs", 127),
        ("[123m,1]5557779m33p1m", "menqing", 127),
        ("[1111m]5557779m33p2m", "menqing", 1),
        # dragon pairs want a quad, and nothing else does
        ("1122334455667m", "seven", 0),
        ("1122334455667m", "seven hasgen", 1),
        ("1111334455667m", "seven hasgen", 0),
        ("[222p,1]1133445566m", "seven", 127),
        ("11223344556m", "seven", 127),
        # three suits in thirteen pairs: the third one is of no use
        ("1122m3344p55667s8s", "seven", 3),
        # a set in the third suit is of no use
        ("123456m789p11155s", "std", 2),
        ("123456m789p11155s", "std flush", 7),
        ("[789m,1]456m789p1155s", "std flush", 7),
        ("[789m,1][111p,1]456m1155s", "std flush", 127),
    ],
)
def test_by_hand(hand, flags, distance):
    assert ref.pattern_distance(*counts_of(hand), flags.split()) == distance


def test_void():
    counts, melds = counts_of("[111m,1]456m789p1155s")
    free = ref.pattern_distance(counts, melds, ["std"])
    by_void = [ref.pattern_distance(counts, melds, ["std"], void=suit) for suit in range(3)]
    assert by_void[0] == 127  # a meld of it
    assert min(by_void[1:]) == free
    assert ref.pattern_distance(counts, melds, ["std"], max_suits=3) == 0
    assert ref.pattern_distance(counts, melds, ["std"], max_suits=3, min_suits=3) == 0


def test_small_hands():
    """Melds that are not told fit the pattern and hold no suit."""
    assert ref.pattern_distance(counts_of("1123m")[0], (), ["std"]) == 0
    assert ref.pattern_distance(counts_of("1123m")[0], (), ["pungs"]) == 1
    assert ref.pattern_distance(counts_of("11m")[0], (), ["jingou", "flush"]) == -1
    assert ref.pattern_distance(counts_of("12m")[0], (), ["yaojiu"]) == 0
    assert ref.guobiao_pattern_distance(counts_of("1123m")[0], (), "清龙") == 127
    assert ref.guobiao_pattern_distance(counts_of("1123m")[0], (), "全带幺") == 0


# --- Guobiao ---

# a reading that has the fan on the left has the shape on the right as well
CONTAINS = {
    "一色四同顺": ["一色三同顺"],
    "一色四步高": ["一色三步高"],
    "大三元": ["双箭刻"],
    "大四喜": ["三风刻"],
}


def shapes_of(case):
    """Shape fan of any reading of a won hand, by the plain scorer."""
    shapes = set()
    for reading in guobiao_reference.readings(case):
        for found in guobiao_reference.satisfied(case, reading):
            shapes |= set(found).union(*(CONTAINS.get(name, ()) for name in found))
    return shapes & set(ref.SHAPE_FANS)


@pytest.mark.parametrize("kind", strategies_guobiao.KINDS_OF_HANDS, ids=lambda kind: kind.__name__)
def test_guobiao_shapes(kind):
    for case in strategies_guobiao.batch(kind, 6, seed=3):
        there = {
            fan
            for fan in ref.SHAPE_FANS
            if ref.guobiao_pattern_distance(case.concealed, case.melds, fan) == -1
        }
        shapes = shapes_of(case)
        # nine gates, whatever tile came last
        if "九莲宝灯" in there:
            shapes.add("九莲宝灯")
        assert there == shapes, case


@pytest.mark.parametrize("family", ["half_flush", "near_win", "knitted"])
def test_guobiao_one_tile_is_one_step(family):
    for counts in strategies.batch(family, 1, 13, 34, seed=2).tolist():
        for fan in Random(family).sample(ref.SHAPE_FANS, 12):
            now = ref.guobiao_pattern_distance(counts, (), fan)
            drawn = [
                ref.guobiao_pattern_distance(
                    [n + (t == tile) for t, n in enumerate(counts)], (), fan
                )
                for tile in range(34)
                if counts[tile] < 4
            ]
            if now != ref.UNREACHABLE:
                assert min(drawn) == now - 1, fan
                assert max(drawn) <= now, fan


@pytest.mark.parametrize(
    ("hand", "fan", "distance"),
    [
        ("123m456p78s11122z9s", "花龙", -1),
        ("[123m,1]456p78s11122z", "花龙", 0),
        ("[123m,1][123p,1]12s11122z", "三色三同顺", 0),
        ("[123m,1][456m,1][111z,1]12s22z", "三色三同顺", 127),
        ("[123m,1][111z,1]456m12s22z", "三色三同顺", 3),
        # a kong is a pung
        ("[1111m,1][2222m]33m11122z", "一色三节高", 0),
        ("[5555z,1][666z,1]7z123m234p", "小三元", 0),
        ("[5555z,1][666z,1]7z123m234p", "大三元", 2),
        ("147m258p369s11122z", "组合龙", -1),
        ("[111z,1]147m258p369s2z", "组合龙", 0),
        ("[111z,1][333z,1]147m258p2z", "组合龙", 127),
        ("147m258p369s12345z", "全不靠", -1),
        ("147m258p369s12345z", "组合龙", -1),
        ("147m258p369s12345z", "五门齐", -1),
        ("147m258p36s123456z", "组合龙", 0),
        ("147m25p369s123467z", "组合龙", 0),
        ("14m25p369s1234567z", "组合龙", 1),
        ("147m258p369s1234z", "七星不靠", 2),
        ("19m19p19s1234567z", "十三幺", 0),
        ("1112345678999m", "九莲宝灯", 0),
        # three sets are there, a set and perhaps the pair are not
        ("123456789m11p22z", "混一色", 2),
        ("123456789m11p22z", "清一色", 4),
        # both kinds must be there
        ("11122233344455z", "混一色", 1),
        ("11122233344455z", "字一色", -1),
        ("11199m11p11122z1m", "混幺九", 0),
        ("19m19p19s1234567z1m", "混幺九", -1),
        ("19m19p19s1234567z1m", "五门齐", -1),
        ("19m19p19s123456z2m", "混幺九", 1),
        ("123m456p789s11z55z", "五门齐", 0),
        ("123m456p789s11555z", "五门齐", -1),
    ],
)
def test_guobiao_by_hand(hand, fan, distance):
    assert ref.guobiao_pattern_distance(*counts_of(hand), fan) == distance
