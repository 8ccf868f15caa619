"""The PyMahjongGB drop-in against PyMahjongGB: values, strings, errors."""

from __future__ import annotations

from collections import Counter
from random import Random

import guobiao_reference as ref
import pytest
import strategies
import strategies_guobiao as hands

from evaluator.compat import mahjonggb as ours

gb = pytest.importorskip("MahjongGB")

SIZES = {
    "RegularShanten": (1, 4, 7, 10, 13),
    "SevenPairsShanten": (13,),
    "ThirteenOrphansShanten": (13,),
    "HonorsAndKnittedTilesShanten": (13,),
    "KnittedStraightShanten": (10, 13),
}
NAMES = {"独听・边张": "边张", "独听・嵌张": "坎张", "独听・单钓": "单钓将"}
CHOW_HAND = ("W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "T1", "T2", "T3", "B5")
WIN = ("B5", 0, True, False, False, False, 0, 0)


def names_of(counts):
    return tuple(hands.GB_TILES[tile] for tile, count in enumerate(counts) for _ in range(count))


def test_every_public_name_is_there():
    public = {name for name in dir(gb) if not name.startswith("_")}
    assert public == set(ours.__all__)


# --- fan ---


@pytest.mark.parametrize("kind", hands.KINDS_OF_HANDS, ids=lambda kind: kind.__name__)
def test_fan(kind):
    """The same tuples; where the lists differ, both are legal and of the same total."""
    differing = 0
    for case in map(hands.undealt, hands.batch(kind, 250, seed=31)):
        given = hands.to_mahjonggb(case)
        for verbose in (False, True):
            theirs = gb.MahjongFanCalculator(*given, verbose)
            mine = ours.MahjongFanCalculator(*given, verbose)
            if mine != theirs:
                assert verbose or sum(p for p, _ in mine) == sum(p for p, _ in theirs)
                differing += 1
        if mine != theirs:
            legal = ref.score(case).lists
            for fans in (mine, theirs):
                assert Counter({NAMES.get(n, n): count for _, count, n, _ in fans}) in legal
    assert differing <= 25, "the lists are nearly always the same"


def test_fan_by_keyword():
    keywords = {
        "pack": (("CHI", "T2", 3), ("GANG", "J1", 0)),
        "hand": (*CHOW_HAND[:6], "B5"),
        "winTile": "B5",
        "flowerCount": 3,
        "isSelfDrawn": False,
        "is4thTile": False,
        "isAboutKong": False,
        "isWallLast": True,
        "seatWind": 2,
        "prevalentWind": 1,
    }
    for more in ({}, {"verbose": True}):
        theirs = gb.MahjongFanCalculator(**keywords, **more)
        assert ours.MahjongFanCalculator(**keywords, **more) == theirs


def test_every_name_of_a_fan():
    """Chinese and English, and the place in the list, of all 82."""
    seen = {}
    for kind in hands.KINDS_OF_HANDS:
        for case in hands.batch(kind, 400, seed=32):
            listed = gb.MahjongFanCalculator(*hands.to_mahjonggb(case), True)
            seen.update((name, english) for _, _, name, english in listed)
    order, names = ours._naming()
    assert len(order) == 82
    assert seen == dict(names.values())


# --- shanten ---


@pytest.mark.parametrize("family", strategies.FAMILIES)
def test_shanten(family):
    for size in (1, 4, 7, 10, 13):
        for counts in strategies.batch(family, 40, size).tolist():
            hand = names_of(counts)
            for name, sizes in SIZES.items():
                if size in sizes:
                    assert getattr(ours, name)(hand) == getattr(gb, name)(hand), (name, hand)
            assert ours.MahjongShanten((), hand) == gb.MahjongShanten((), hand), hand


def test_shanten_with_packs():
    """Packs do not change the answer, whatever they are."""
    random = Random(33)
    packs = (("CHI", "T2", 1), ("PENG", "F1", 2), ("GANG", "J3", 0), ("GANG", "B9", 3))
    for _ in range(200):
        number = random.randrange(5)
        counts = strategies.batch("near_win", 1, 13 - 3 * number, seed=random.random()).tolist()[0]
        hand = names_of(counts)
        given = tuple(random.sample(packs, number))
        assert ours.MahjongShanten(given, hand) == gb.MahjongShanten(given, hand)


def test_the_convention_of_five_copies():
    """Waiting for the fifth is ready there; the package's own answer is one away."""
    hand = ("F1", "F1", "F1", "F1", *CHOW_HAND[:9])
    assert ours.RegularShanten(hand) == gb.RegularShanten(hand) == (0, ("F1",))


# --- errors ---


def refused(module, name, *given, **keywords):
    with pytest.raises(TypeError) as caught:
        getattr(module, name)(*given, **keywords)
    return str(caught.value)


PACKS = [
    ("CHI", "T2", 4), ("PENG", "T1", 5), ("GANG", "T1", 4), ("GANG", "T1", -1), ("gang", "T1", 1),
    ("XX", "T1", 1), ("PENG", "T1"), ("PENG", "T1", 1, 2), ("PENG", "H1", 1), ("PENG", 1, 1),
    ("PENG", "T1", "1"), ["PENG", "T1", 1], (), ("CHI", "W0", 1),
]  # fmt: skip


@pytest.mark.parametrize("pack", PACKS, ids=str)
def test_refused_packs(pack):
    given = ((pack,), (*CHOW_HAND[:9], "B5"), *WIN)
    name = "MahjongFanCalculator"
    assert refused(ours, name, *given) == refused(gb, name, *given)
    given = ((pack,), (*CHOW_HAND[:9], "B5"))
    assert refused(ours, "MahjongShanten", *given) == refused(gb, "MahjongShanten", *given)


@pytest.mark.parametrize(
    "given",
    [
        ((), CHOW_HAND, "B6", *WIN[1:]),
        ([], CHOW_HAND, *WIN),
        ((), list(CHOW_HAND), *WIN),
        ((), CHOW_HAND[:-1], *WIN),
        ((), (*CHOW_HAND, "B5"), *WIN),
        ((("PENG", "F1", 1),), CHOW_HAND, *WIN),
        ((), (*CHOW_HAND[:-1], 5), *WIN),
        ((), CHOW_HAND, 5, *WIN[1:]),
        ((), CHOW_HAND, "B5", 0.0, *WIN[2:]),
        ((), CHOW_HAND, "B5", "0", *WIN[2:]),
        *[((), CHOW_HAND, tile, *WIN[1:]) for tile in ("X5", "W0", "H1", "W11", "w1", "", "F5")],
        *[((), (*CHOW_HAND[:-1], t), *WIN) for t in ("H3", "F5", "J4", "W10", "W", "", "J0")],
    ],
    ids=str,
)
def test_refused_wins(given):
    name = "MahjongFanCalculator"
    assert refused(ours, name, *given) == refused(gb, name, *given)


@pytest.mark.parametrize("name", SIZES)
def test_refused_hands(name):
    for size in (0, 2, 3, 5, 6, 8, 9, 11, 12, 14):
        hand = (CHOW_HAND * 2)[:size]
        assert refused(ours, name, hand) == refused(gb, name, hand)
    for hand in (list(CHOW_HAND), (*CHOW_HAND[:-1], 5), (*CHOW_HAND[:-1], "X1"), None):
        assert refused(ours, name, hand) == refused(gb, name, hand)
    for given in (((), ()), ((), CHOW_HAND[:12]), ((("PENG", "F1", 1),), CHOW_HAND[:2])):
        theirs = refused(gb, "MahjongShanten", *given)
        assert refused(ours, "MahjongShanten", *given) == theirs


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (((("PENG", "B5", 1),), (*CHOW_HAND[:9], "B5"), *WIN), "5 copies"),
        (((), CHOW_HAND, "B5", 0, True, False, True, False, 0, 0), "杠上开花"),
        (((), CHOW_HAND, "B5", 0, False, False, True, False, 0, 0), "抢杠和"),
        (((), CHOW_HAND, "B5", 0, False, True, False, False, 0, 0), "和绝张"),
        (((), CHOW_HAND, "B5", 9, *WIN[2:]), "flowers"),
        (((), CHOW_HAND, *WIN[:-1], 4), "wind"),
        (((("CHI", "T1", 1),), (*CHOW_HAND[:9], "B5"), *WIN), "TILE_CODE"),
        (((("CHI", "F2", 1),), (*CHOW_HAND[:9], "B5"), *WIN), "TILE_CODE"),
        (((("PENG", "F2", 0),), (*CHOW_HAND[:9], "B5"), *WIN), "OFFER_CODE"),
        (((("CHI", "T2", 0),), (*CHOW_HAND[:9], "B5"), *WIN), "OFFER_CODE"),
    ],
)
def test_what_only_the_drop_in_refuses(given, why):
    gb.MahjongFanCalculator(*given)
    assert why in refused(ours, "MahjongFanCalculator", *given)


def test_five_copies_of_a_hand():
    hand = ("F1",) * 5 + CHOW_HAND[:8]
    gb.RegularShanten(hand)
    assert refused(ours, "RegularShanten", hand) == "five copies of F1"


def test_robbing_with_the_last_tile_of_the_wall():
    pack = (("PENG", "F1", 1),)
    hand = ("W1", "W2", "W3", "W4", "W5", "W6", "T7", "T8", "B5", "B5")
    given = (pack, hand, "T9", 0, False, False, True, True, 0, 0)
    gb.MahjongFanCalculator(*given)
    assert "抢杠和" in refused(ours, "MahjongFanCalculator", *given)
