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
    names = [ours._their_names(fan) for fan in ours._named().values()]
    assert len(names) == 82
    assert seen == dict(names)


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
        (((("PENG", "B5", 1),), (*CHOW_HAND[:9], "B5"), *WIN), "five copies of B5"),
        (((), (*CHOW_HAND[:9], *["B5"] * 4), *WIN), "five copies of B5"),
        (((("CHI", "T1", 1),), (*CHOW_HAND[:9], "B5"), *WIN), "TILE_CODE"),
        (((("CHI", "F2", 1),), (*CHOW_HAND[:9], "B5"), *WIN), "TILE_CODE"),
    ],
)
def test_what_only_the_drop_in_refuses(given, why):
    gb.MahjongFanCalculator(*given)
    assert why in refused(ours, "MahjongFanCalculator", *given)


def test_five_copies_of_a_hand():
    hand = ("F1",) * 5 + CHOW_HAND[:8]
    gb.RegularShanten(hand)
    assert refused(ours, "RegularShanten", hand) == "five copies of F1"


# --- what PyMahjongGB accepts, however odd ---


def answered(module, name, *given):
    """The answer, or the type and the words of the error."""
    try:
        return getattr(module, name)(*given)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError) as error:
        return type(error), str(error)


def copies_of(tile, packs, hand):
    chow = {f"{tile[0]}{int(tile[1]) + step}" for step in (-1, 0, 1)}
    of_pack = {"CHI": 1, "PENG": 3, "GANG": 4}
    return hand.count(tile) + sum(
        of_pack[kind] * (middle in chow if kind == "CHI" else middle == tile)
        for kind, middle, _ in packs
    )


@pytest.mark.parametrize("kind", hands.KINDS_OF_HANDS, ids=lambda kind: kind.__name__)
def test_any_offer_flag_wind_and_number(kind):
    """Concealed packs, flags that cannot be, winds of nobody: the same, but for equal lists."""
    random = Random(f"odd {kind.__name__}")
    differing = scored = 0
    for case in hands.batch(kind, 400, seed=34):
        packs, hand, win, flowers, *flags, seat, prevalent = hands.to_mahjonggb(case)
        packs = tuple((name, tile, random.randrange(4)) for name, tile, _ in packs)
        if random.random() < 0.7:
            flags = [random.random() < 0.4 for _ in range(4)]
        if random.random() < 0.4:
            seat, prevalent = random.choices((0, 1, 2, 3, 4, 5, -1, 255, 256), k=2)
        flowers = random.choice((flowers, flowers, 9, 20, 255, 256, 300, -1))
        win = random.choice(hands.GB_TILES) if random.random() < 0.1 else win
        hand = tuple(random.sample(hand, len(hand)))
        given = (packs, hand, win, flowers, *flags, seat, prevalent)
        verbose = random.random() < 0.5
        theirs = answered(gb, "MahjongFanCalculator", *given, verbose)
        mine = answered(ours, "MahjongFanCalculator", *given, verbose)
        if mine == theirs:
            scored += mine[0] is not TypeError
            continue
        if mine == (TypeError, f"five copies of {win}"):
            assert copies_of(win, packs, hand) == 4
            continue
        assert theirs[0] is not TypeError, given
        total = [sum(f[0] * (f[1] if verbose else 1) for f in fans) for fans in (mine, theirs)]
        assert total[0] == total[1], given
        differing += 1
    assert differing <= 10
    assert scored > 300


@pytest.mark.parametrize(
    ("given", "fan"),
    [
        # nobody gave these: they lie concealed
        (((("PENG", "F2", 0),), (*CHOW_HAND[:9], "B5"), *WIN), "不求人"),
        (((("CHI", "T2", 0),), (*CHOW_HAND[:9], "B5"), *WIN), "不求人"),
        (((("PENG", "T2", 0), ("PENG", "T4", 0)), (*CHOW_HAND[:6], "B5"), *WIN), "双暗刻"),
        # a chow that lies concealed may hold the tile that was claimed
        (
            (
                (("CHI", "B3", 0), ("PENG", "F2", 1)),
                ("W2", "W2", "W2", "W6", "W6", "B4", "B4"),
                *("B4", 0, False, False, False, False, 0, 0),
            ),
            "双暗刻",
        ),
        # dropped
        (((), CHOW_HAND, "B5", 0, True, False, True, False, 0, 0), "不求人"),
        (((), CHOW_HAND, "B5", 0, False, False, True, False, 0, 0), "门前清"),
        (((), CHOW_HAND, "B5", 0, False, True, False, False, 0, 0), "门前清"),
        # both, though nobody adds to a pung with the last tile
        (
            (
                (("PENG", "F1", 1),),
                ("W1", "W2", "W3", "W4", "W5", "W6", "T7", "T8", "B5", "B5"),
                *("T9", 0, False, False, True, True, 0, 0),
            ),
            "抢杠和",
        ),
        (((), CHOW_HAND, "B5", 300, *WIN[2:]), "花牌"),
    ],
)
def test_odd_arguments(given, fan):
    theirs = gb.MahjongFanCalculator(*given)
    assert ours.MahjongFanCalculator(*given) == theirs
    assert fan in [name for _, name in theirs]


class NoTruth:
    def __bool__(self):
        raise ZeroDivisionError("no truth in it")

    def __repr__(self):
        return "NoTruth()"


@pytest.mark.parametrize(
    "value", [None, 1.0, "1", 2**31, -(2**31) - 1, 10**30, -(10**30), True, 3, 4, b"B5", NoTruth()],
    ids=repr,
)  # fmt: skip
def test_arguments_of_any_type(value):
    """In each place: the same answer, or the same error."""
    given = [(("GANG", "F1", 0),), (*CHOW_HAND[:9], "B5"), *WIN, False]
    for place in range(len(given)):
        changed = [*given[:place], value, *given[place + 1 :]]
        theirs = answered(gb, "MahjongFanCalculator", *changed)
        assert answered(ours, "MahjongFanCalculator", *changed) == theirs, place
    for place in range(3):
        pack = ["GANG", "F1", 1]
        pack[place] = value
        changed = [(tuple(pack),), *given[1:]]
        theirs = answered(gb, "MahjongFanCalculator", *changed)
        assert answered(ours, "MahjongFanCalculator", *changed) == theirs, place


def test_strings_end_where_they_end():
    given = [(), CHOW_HAND, "B5\0", *WIN[1:]]
    theirs = answered(gb, "MahjongFanCalculator", *given)
    assert answered(ours, "MahjongFanCalculator", *given) == theirs
    for pack in (("PENG\0", "F1", 1), ("PENG", "F1\0", 1), ("XX", "X1", 9), ("XX", "F1", 9)):
        given = ((pack,), (*CHOW_HAND[:9], "B5"))
        assert answered(ours, "MahjongShanten", *given) == answered(gb, "MahjongShanten", *given)
