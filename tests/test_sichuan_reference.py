"""The plain Sichuan scorer against the golden files, the rule texts' examples and hard cases."""

import re
from collections import Counter
from copy import deepcopy
from functools import cache
from itertools import combinations_with_replacement, permutations

import pytest
import sichuan_golden as golden
import sichuan_reference as ref
import strategies_sichuan as hands
from hypothesis import given
from hypothesis import strategies as st
from sichuan_golden import DANDONG, PRESETS
from strategies import examples

from evaluator import HandError, parse
from evaluator.hands import Hand

QQ, CHENGDU, POINTS = (PRESETS[name] for name in ("qq_sichuan", "chengdu_5_80", "points_1_2_3_4_8"))
YIBIN, SBR, MAJSOUL = (PRESETS[name] for name in ("yibin", "sbr_2025", "majsoul_chuanma"))


def score(text, preset=QQ, **changes):
    hand = Hand.parse(text)
    return ref.score(hand.replace(**changes) if changes else hand, preset)


def varied(preset, **changes):
    return deepcopy(preset) | changes


# --- what the files say ---


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "sichuan_short"])
def test_golden(name):
    differing = []
    for hand, expected in golden.golden():
        scored = ref.score(hand, PRESETS[name])
        got = scored if isinstance(scored, str) else [scored["fan"], scored["points"]]
        if got != (expected[name] or "TOO_MANY_SUITS"):
            differing.append((str(hand), expected[name], got))
    assert not differing


def test_golden_holds_every_preset():
    """But the one that copies the patterns of another."""
    named = {name for _, expected in golden.golden() for name in expected}
    assert named == set(PRESETS) - {"sichuan_short"}
    assert PRESETS["sichuan_short"]["patterns"] == QQ["patterns"]
    assert len(golden.golden()) == 2700


LABELS = {
    # what an example calls it: the pattern in the preset
    "基本胡": "平胡",
    "青龙七对(清龙七对)": "清龙七对",
    "幺九": "带幺九",
    "大对子": "对对胡",
}


def test_examples_of_the_texts():
    checked = 0
    for row in golden.examples():
        if row["consistent"] != "yes":
            continue
        preset = PRESETS[row["rule_set"]]
        scored = score(golden.melds_text(row["melds"]) + row["hand"], preset)
        label, *more = row["label"].split("+")
        assert scored["patterns"] == (LABELS.get(label, label),), row
        assert (scored["gens"], scored["kongs"]) == (
            int(label in ("龙七对", "青龙七对(清龙七对)")),
            len(more),
        )
        fan, multiplier = re.fullmatch(r"(\d)(?:番 x(\d+)|分)", row["value"]).groups()
        assert scored["fan"] == int(fan), row
        if multiplier:
            assert scored["points"] == int(multiplier) * preset["base"]
        checked += 1
    assert checked == 27


# (text, line): the patterns, gens and fan of the hand that is printed there
REALLY = {
    ("001", "89"): (("龙七对",), 1, 5),
    ("001", "93"): (("清七对",), 0, 5),
    ("003", "227"): (("七对",), 1, 4),
    ("003", "231"): "TOO_MANY_SUITS",
    ("003", "241"): (("平胡",), 0, 1),
    ("003", "246"): (("七对",), 0, 3),
    ("003", "250"): (("清一色",), 2, 5),
    ("003", "252"): "NOT_A_WIN",
}


def test_wrong_examples_of_the_texts():
    """What the hands really are; the values printed beside them are of other hands."""
    wrong = [row for row in golden.examples() if row["consistent"] == "NO"]
    assert {(row["source"], row["line"]) for row in wrong} == set(REALLY)
    for row in wrong:
        scored = score(golden.melds_text(row["melds"]) + row["hand"], PRESETS[row["rule_set"]])
        if not isinstance(scored, str):
            scored = (scored["patterns"], scored["gens"], scored["fan"])
        assert scored == REALLY[row["source"], row["line"]], row


def test_wrong_examples_put_right():
    """What the texts must have meant."""
    # 001:89 with one quad less, 003:227 in one suit
    assert score("22445577m113399p")["patterns"] == ("七对",)
    assert score("11112233445566m", POINTS)["fan"] == 8 + 1
    # 003:231 in two suits
    assert score("222555888m222p55p", POINTS)["patterns"] == ("将对",)
    # 003:246 with two quads
    two_quads = score("11119999m446688p", POINTS)
    assert (two_quads["patterns"], two_quads["gens"], two_quads["fan"]) == (("七对",), 2, 5)
    # 003:252 with 123 for 124
    repaired = score("12356777788889s", POINTS)
    assert (repaired["patterns"], repaired["gens"], repaired["fan"]) == (("清一色",), 2, 5)


@pytest.mark.parametrize("row", golden.official(), ids=lambda row: row["id"])
def test_official_examples(row):
    text = golden.melds_text(row["melds"]) + row["hand"]
    if row["kind"] == "win":
        scored = ref.score(Hand.parse(text + row["win"]), SBR)
        assert (scored["fan"], scored["points"]) == (int(row["fan"]), int(row["points"]))
        # as in 杠1+大对子1+金钩钓1
        parts = dict(re.findall(r"([^\d+(]+)(\d)", row["expected"].split(" ")[0]))
        named = Counter({"杠": scored["kongs"], "根": scored["gens"]})
        named.update({name: SBR["patterns"][name]["value"] for name in scored["patterns"]})
        assert +named == Counter({name: int(fan) for name, fan in parts.items()})
        return
    fan = ref.ready_max_fan(Hand.parse(text), SBR)
    if row["kind"] == "ting":
        assert (fan >= 0) == (row["expected"] == "听牌")
        return
    assert (fan, ref.points_of(fan, SBR)) == (int(row["fan"]), int(row["points"]))
    if row["win"]:
        assert ref.fan_of(Hand.parse(text + row["win"]), SBR) == fan


# --- hard hands ---


@pytest.mark.parametrize(
    ("hand", "patterns", "gens", "fan"),
    [
        # two roots hidden in chows
        ("12356677778888s", ("清一色",), 2, 5),
        # the pair is a part of the run: 11 123 789 789 789
        ("11123777888999s", ("清幺九",), 0, 5),
        ("11224444557799m", ("清龙七对",), 1, 6),
        # seven pairs need no seven kinds
        ("1111222233m4444p", ("龙七对",), 3, 7),
        # 带幺九 is not "terminals only", and the pair counts
        ("123123789m12399p", ("带幺九",), 0, 3),
        ("123123789m12322p", ("平胡",), 0, 1),
        # concealed pungs are pungs
        ("111333555m77799p", ("对对胡",), 0, 2),
        # the pair is not simply what is there twice: 111 234 and the pair 44 of 4444
        ("111234m444456p88p", ("平胡",), 1, 2),
        ("[555m,1]11123444p888m", ("平胡",), 0, 1),
        # seven pairs and sets at once: the better one counts
        ("112233m445566p77p", ("七对",), 0, 3),
        # a root is one whether it is a kong or in hand, and never two
        ("[1111m,1]234567m123p55p", ("平胡",), 0, 2),
        ("[111m,1]123567m123p55p", ("平胡",), 1, 2),
        # four melds make no all-pungs hand of one with a pung in hand
        ("[111m,1][333m,1][555p,1]77799p", ("对对胡",), 0, 2),
    ],
)
def test_hard_hands(hand, patterns, gens, fan):
    scored = score(hand)
    assert (scored["patterns"], scored["gens"], scored["fan"]) == (patterns, gens, fan)


@pytest.mark.parametrize(
    ("preset", "names"),
    [
        (SBR, {"大对子", "金钩钓"}),
        (CHENGDU, {"大单吊"}),
        (YIBIN, {"金钩吊"}),
        (MAJSOUL, {"金钩钓"}),
    ],
)
def test_golden_wait_needs_four_melds(preset, names):
    """金钩钓 is not any hand of pungs won on the pair."""
    out = score("[111m,1][333m,1][555p,1][7777p]9p9p", preset)
    assert set(out["patterns"]) == names
    three = score("[111m,1][333m,1][555p,1]7779p9p", preset)
    assert not set(three["patterns"]) & {"大单吊", "金钩吊", "金钩钓"}


def test_kongs_of_eighteen():
    """Against the largest net value, 十八罗汉 (6, four roots eaten) is less than 金钩钓."""
    scored = score("[1111m,1][3333m,1][5555p,1][7777p]9p9p", MAJSOUL)
    assert (scored["patterns"], scored["fan"], scored["points"]) == (("金钩钓",), 7, 32000)
    # 清一色十八学士杠上花，共有9番
    nine = score("[1111m,1][3333m,1][5555m,1][7777m]9m9m|EE1001", CHENGDU)
    assert (nine["fan"], nine["points"], nine["kongs"]) == (9, 80, 4)


def test_facts_of_one_reading():
    """幺九 and 对对胡 of two groups need one division that is both."""
    apart = varied(QQ)
    apart["patterns"]["对对胡"]["group"] = 1
    assert apart["patterns"]["带幺九"]["group"] == 0
    # pungs, or 123 three times, but not both
    triplets = "111222333m99911p"
    assert score(triplets, apart)["fan"] == max(1 + 2, 3)
    facts = {"pungs", "yaojiu"}
    found = [reading.facts & facts for reading in ref.readings(Hand.parse(triplets))]
    assert set(found) == {frozenset({"pungs"}), frozenset({"yaojiu"})}
    # both at once needs five kinds of terminals: three suits
    assert score("111999m111999p99s", apart | {"max_suits": 3})["fan"] == 3 + 2
    assert score("111999m111999p99s", apart) == "TOO_MANY_SUITS"


@pytest.mark.parametrize(
    ("hand", "facts"),
    [
        # 4556 and a 5: in the middle, or the pair
        (
            "[222p,1][888p,1]4556m456p5m",
            {frozenset({"jiaxin", "jiaxinwu"}), frozenset({"dandiao"})},
        ),
        # 45556 and a 5: in the middle, or in the pung
        ("[222p,1]45556m33377p5m", {frozenset({"jiaxin", "jiaxinwu"}), frozenset()}),
        ("[222p,1][666p,1]13m99m567m2m", {frozenset({"jiaxin"})}),
        # 789 and the pair 99: the 9 is no edge
        ("[222p,1][666p,1]78m99m456m9m", {frozenset({"dandiao"}), frozenset()}),
        ("[222p,1][666p,1]8999m456m7m", {frozenset({"bianzhang"})}),
        ("[222p,1][666p,1]1233m456m3m", {frozenset({"bianzhang"}), frozenset({"dandiao"})}),
        ("[222p,1][666p,1]23m99m567m1m", {frozenset()}),
        ("11224455m668899p", {frozenset({"dandiao"})}),
    ],
)
def test_places_of_the_winning_tile(hand, facts):
    places = {"jiaxin", "jiaxinwu", "dandiao", "bianzhang"}
    found = {reading.facts & places for reading in ref.readings(Hand.parse(hand))}
    assert found == facts


def test_facts_without_a_winning_tile():
    hand = Hand.parse("123456789m11155p").replace(win_tile=None)
    (reading,) = ref.readings(hand)
    assert reading.facts == {"std", "yitiaolong", "menqing", "claimed", "dealer"}
    melded = Hand.parse("[123m,1][789m,1]45m111p55p6m|ES1000|0")
    assert {"yitiaolong", "self_drawn"} <= ref.readings(melded)[0].facts
    assert not {"menqing", "dealer", "claimed"} & ref.readings(melded)[0].facts
    last = Hand.parse("[222m,1]34567m22p888p2m|EE0100|0")
    assert {"juezhang", "hasgen", "zhongzhang"} <= ref.readings(last)[0].facts


def test_situations():
    plain = "123456789m11155p"
    assert score(plain + "|EE1000|0|heavenly")["patterns"] == ("天胡",)
    assert score(plain + "|EE1000|0|earthly", CHENGDU)["patterns"] == ("平胡",)
    addons = {
        # flags: what the presets add
        "|EE1000|0": (0, 0, 0, 0),
        "|EE1010|0": (0, 1, 0, 1),
        "|EE0010|0": (0, 0, 0, 1),
        "|EE0000|0|kong_discard": (1, 1, 0, 1),
        "|EE0010|0|kong_discard": (1, 1, 0, 2),
    }
    for flags, added in addons.items():
        scores = [score(plain + flags, preset) for preset in (QQ, CHENGDU, POINTS, SBR)]
        assert tuple(scored["addons"] for scored in scores) == added
    kong = "[1111p,1]123456789m5p5p"
    assert [score(kong + "|EE1001|0", p)["addons"] for p in (QQ, CHENGDU, POINTS, SBR)] == [
        1, 1, 2, 1,
    ]  # fmt: skip
    robbed = "[111p,1]12346789m55p5m|EE0001|0"
    assert [score(robbed, p)["addons"] for p in (QQ, CHENGDU, POINTS, SBR)] == [0, 1, 1, 1]


def test_points_and_payment():
    flush_kong = "[9999m,1]1112345677m7m|EE{}000|0"
    drawn, claimed = flush_kong.format(1), flush_kong.format(0)
    for preset, fan, points, payment in (
        (QQ, 4, 48, 48),
        (CHENGDU, 3, 40, 45),
        (POINTS, 4, 4, 4),
        (SBR, 3, 8, 9),
        (MAJSOUL, 4, 8000, 9000),
        (varied(CHENGDU, zimo="jiafan"), 3, 40, 80),
        # the added fan is under the cap as well
        (varied(CHENGDU, zimo="jiafan", cap=3), 3, 40, 40),
        (varied(POINTS, zimo="jiafan", cap=3), 4, 3, 3),
        (varied(POINTS, zimo="jiafan"), 4, 4, 5),
    ):
        for hand, paid in ((drawn, payment), (claimed, points)):
            scored = score(hand, preset)
            assert (scored["fan"], scored["points"], scored["payment"]) == (fan, points, paid)


def test_ladders_shift():
    """QQ is one more than the ladder of 底金 everywhere, so that both multiply alike."""
    dijin = PRESETS["chuanma_dijin"]
    for family in hands.FAMILIES:
        for hand in hands.batch(family, 20, seed=2):
            if not (hand.heavenly or hand.earthly):
                qq, other = ref.score(hand, QQ), ref.score(hand, dijin)
                if isinstance(qq, str):
                    assert other == qq
                else:
                    assert (qq["fan"], qq["points"]) == (other["fan"] + 1, 6 * other["points"])


@pytest.mark.parametrize(
    ("hand", "preset", "reason"),
    [
        ("123456789m111p11z", QQ, "NOT_IN_GAME"),
        ("[123m,1]456789m111p11p", QQ, None),
        ("[123m,1]456789m111p22p", QQ, "MELD_NOT_ALLOWED"),
        ("123456789m111p5p|EE0000|0|wilds=1", QQ, "TOO_MANY_WILDS"),
        ("[11*m,1]456789m|EE0000|0|wilds=5", YIBIN, "TOO_MANY_WILDS"),
        ("123456789m111p2p5p", QQ, "NOT_A_WIN"),
        ("123456789m111s55p", QQ, "TOO_MANY_SUITS"),
        ("123456789m111s5p6p", QQ, "NOT_A_WIN"),
    ],
)
def test_reasons(hand, preset, reason):
    if reason is None:
        with pytest.raises(HandError):
            Hand.parse(hand)
    else:
        assert score(hand, preset) == reason


def test_symmetry():
    """No pattern knows one suit from another, nor, 2 5 8 and 1 9 being so, up from down."""

    def moved(hand, suits, mirror):
        def to(tile):
            suit, rank = divmod(tile, 9)
            return 9 * suits[suit] + (8 - rank if mirror else rank)

        counts = [0] * 34
        for tile, n in enumerate(hand.concealed):
            if n:
                counts[to(tile)] = n
        case = ref.Case.of(hand)
        melds = tuple(
            (kind, to(tile + 2) if kind == "chow" and mirror else to(tile))
            for kind, tile in case.melds
        )
        win = None if hand.win_tile is None else to(hand.win_tile)
        return ref.replace(case, concealed=tuple(counts), melds=melds, win=win)

    for family in hands.FAMILIES:
        for at, hand in enumerate(hands.batch(family, 12, seed=3)):
            suits = list(permutations(range(3)))[at % 6]
            other = moved(hand, suits, at % 2)
            for preset in PRESETS.values():
                assert ref.score(hand, preset) == ref.score(other, preset)


@cache
def drawn(family):
    return hands.batch(family, 150, seed=1)


def test_every_pattern_is_drawn():
    """The families reach every pattern that can count, every reason and every fact."""
    seen, facts, reasons = Counter(), set(), set()
    for family in (*hands.FAMILIES, hands.chow_melds):
        for hand in drawn(family):
            facts |= set().union(*(reading.facts for reading in ref.readings(hand)))
            for name, preset in PRESETS.items():
                scored = ref.score(hand, preset)
                if isinstance(scored, str):
                    reasons.add(scored)
                else:
                    seen.update((name, pattern) for pattern in scored["patterns"])
    every = {(name, pattern) for name, preset in PRESETS.items() for pattern in preset["patterns"]}
    never = every - set(seen)
    # what it eats makes these less than another pattern of the same hands
    assert never == {
        ("yibin", "清龙七对"),
        ("majsoul_chuanma", "十八罗汉"),
        ("majsoul_chuanma", "清十八罗汉"),
    }
    assert reasons == {"NOT_A_WIN", "TOO_MANY_SUITS", "MELD_NOT_ALLOWED"}
    assert facts == {
        "std", "seven", "pungs", "flush", "yaojiu", "yaojiu_sets", "jiang", "jingou", "hasgen",
        "luohan", "menqing", "zhongzhang", "yitiaolong", "jiaxin", "jiaxinwu", "dandiao",
        "bianzhang", "heavenly", "earthly", "self_drawn", "claimed", "juezhang", "dealer",
        *(name for name, _, _ in ref.RANKS),
    }  # fmt: skip


# --- Dandong ---

DANDONG_WINS = [
    # a middle wait; a discard is paid for all three
    ("[123m,1]46p555789s22s5p|ES0000|0", ("点炮", "夹胡"), 4, 12),
    ("[123m,1]46p555789s22s5p|ES1000|0", ("自摸", "夹胡"), 4, 4),
    ("[123m,1]46p555789s22s5p|EE1000|0", ("自摸", "庄胡", "夹胡"), 8, 8),
    # no middle wait
    ("[123m,1]45p555789s22s6p|ES0000|0", ("点炮",), 2, 6),
    ("[123m,1]456p55789s22s5s|ES0000|0", ("点炮",), 2, 6),
    # the 5 is the middle of a chow, or of a pung: the better one
    ("[123m,1]46p55p789s22s5p5p|ES0000|0", ("点炮", "夹胡"), 4, 12),
    # no triplet, but a pair of dragons
    ("[123m,1]456p78978s77z6s|ES0000|0", ("点炮",), 2, 6),
    # winds are terminals
    ("[234m,1]456p67855s11z5s|ES0000|0", ("点炮",), 2, 6),
    # 飘胡, with one tile in hand or more
    ("[111m,1][555p,1][999s,1]22s33s3s|ES0000|0", ("点炮", "飘胡"), 6, 18),
    ("[111m,1][555p,1][999s,1][222s,1]3s3s|EE1000|0", ("自摸", "庄胡", "飘胡"), 12, 12),
    ("[1111m][555p,1][999s,1][222s,1]3s3s|EW1000|0", ("自摸", "飘胡"), 6, 6),
    # a kong is a 横, and counts for nothing else here
    ("[1111m,1]456p78978s22s6s|ES0000|0", ("点炮",), 2, 6),
]


@pytest.mark.parametrize(("hand", "patterns", "fan", "payment"), DANDONG_WINS)
def test_dandong(hand, patterns, fan, payment):
    scored = score(hand, DANDONG)
    assert scored["patterns"] == patterns
    assert (scored["fan"], scored["points"], scored["payment"]) == (fan, fan, payment)


@pytest.mark.parametrize(
    "hand",
    [
        # no triplet, and a pair that is no dragon
        "[123m,1]456p78978s11m6s|ES0000|0",
        "[123m,1]456p78978s11z6s|ES0000|0",
        # no 1, no 9, no honour
        "[234m,1]456p67855s22p5s|ES0000|0",
        # not open
        "123m456p55789s22s5s|ES0000|0",
        "[1111m]456p55789s22s5s|ES0000|0",
        # two suits
        "[123m,1]456m55789s22s5s|ES0000|0",
        # one tile in hand, but a chow among the melds
        "[123m,1][456p,1][789s,1][555s,1]2s2s|ES0000|0",
        # the same with a concealed kong: four melds lie out (手把一 飘胡时手里余一张牌)
        "[1111m][456p,1][789s,1][123s,1]9s9s|ES0000|0",
        # no seven pairs
        "1122m3344p5566s77z|ES0000|0",
    ],
)
def test_no_dandong_win(hand):
    assert score(hand, DANDONG) == "NOT_A_WIN"


def test_dandong_families():
    """Every multiplier comes up, and the fan is their product."""
    seen = Counter()
    for hand in hands.batch(hands.dandong, 600, seed=1):
        scored = ref.score(hand, DANDONG)
        if not isinstance(scored, str):
            seen.update(scored["patterns"])
            fan = 2 * (2 if hand.seat_wind == 0 else 1)
            fan *= 2 if "夹胡" in scored["patterns"] else 1
            fan *= 3 if "飘胡" in scored["patterns"] else 1
            assert scored["fan"] == scored["points"] == fan
            assert scored["payment"] == fan * (1 if hand.self_drawn else 3)
    assert set(seen) == set(DANDONG["patterns"])


# --- wild tiles: the text of Yibin ---

RED = varied(  # 红中 as wild tiles that cost nothing and make no roots
    QQ,
    wilds={
        "count": 8,
        "wild_fan": 0,
        "indicator_pung": 0,
        "wild_ignores_suit": True,
        "wild_counts_for_gen": False,
        "virtual_fifth_copy": False,
    },
)


def wilds_varied(preset, **changes):
    return varied(preset, wilds=preset["wilds"] | changes)


@pytest.mark.parametrize(
    ("hand", "fan", "gens", "addons"),
    [
        # 平胡 2, 抓到听用胡牌减一番
        ("123456m456789p5p|EE0000|0|wilds=1,indicator=1s", 1, 0, -1),
        # once, however many there are
        ("12456m456789p5p|EE0000|0|wilds=2,indicator=1s", 1, 0, -1),
        # a wild in a meld is one as well
        ("[33*m,1]456m456789p5p5p|EE0000|0|indicator=1s", 1, 0, -1),
        # 碰或抓到三个1万，胡牌加一番: as a pung, or in hand; with wilds or without
        ("[111m,1]456m456789p5p5p|EE0000|0|indicator=1m", 3, 0, 1),
        ("111456m456789p5p5p|EE0000|0|indicator=1m", 3, 0, 1),
        ("111456m456789p5p|EE0000|0|wilds=1,indicator=1m", 2, 0, 0),
        # two of it and a wild are not three
        ("[11*m,1]456m456789p5p5p|EE0000|0|indicator=1m", 1, 0, -1),
        # 如果胡1、4万，抓到2万，再加一番，算带跟: the wild drawn is the fourth 1万
        ("1113m456789p55p|EE1000|0|wilds=2,indicator=1m,win=none", 3, 1, 0),
        # 胡牌不算门: the wild is a 万 tile, the hand is of 条 and 筒
        ("123456s456789p5p|EE0000|0|wilds=1,indicator=1m", 1, 0, -1),
        # three wilds make three quads of three pungs: 龙七对 5 less its root, and three
        ("111333m55577p|EE0000|0|wilds=3,win=none,indicator=1s", 6, 3, -1),
        # 33m is a pung, not the pair: all pungs rather than a plain hand
        ("[222m,1]33m555777p88p|EE0000|0|wilds=1,win=none,indicator=1s", 2, 0, -1),
    ],
)
def test_yibin_wilds(hand, fan, gens, addons):
    scored = score(hand, YIBIN)
    assert (scored["fan"], scored["gens"], scored["addons"]) == (fan, gens, addons)


def test_indicator_arithmetic():
    """1万 turned makes 2万 wild, 9万 makes 1万."""
    assert [ref.next_of_suit(tile) for tile in (0, 8, 9, 17, 25, 26)] == [1, 0, 10, 9, 26, 18]


def test_wilds_of_their_own_suit():
    """Where the wild's own suit counts, a third suit is one."""
    strict = wilds_varied(YIBIN, wild_ignores_suit=False)
    other = "123456s456789p5p|EE0000|0|wilds=1,indicator=1m"
    own = "123456s456789p5p|EE0000|0|wilds=1,indicator=1s"
    assert score(other, YIBIN)["fan"] == score(own, strict)["fan"] == 1
    assert score(other, strict) == "TOO_MANY_SUITS"
    # of a meld as well, and nothing without a wild
    meld = "[33*s,1]456s456789p5p5p|EE0000|0|indicator=1m"
    assert score(meld, strict) == "TOO_MANY_SUITS"
    assert score("[333s,1]456s456789p5p5p|EE0000|0|indicator=1m", strict)["fan"] == 2


def test_roots_of_wilds():
    natural = wilds_varied(YIBIN, wild_counts_for_gen=False)
    # 888m, and a wild that stands for the fourth beside 67m
    hand = "[555m,1]88867m12333p|EE0000|0|wilds=1,win=none,indicator=9s"
    assert (score(hand, YIBIN)["fan"], score(hand, YIBIN)["gens"]) == (2, 1)
    assert (score(hand, natural)["fan"], score(hand, natural)["gens"]) == (1, 0)
    # 龙七对 of a pair and two wilds is a dragon only where wilds make roots
    pairs = "1122334455m66p|EE0000|0|wilds=2,win=none,indicator=9s"
    assert score(pairs, YIBIN)["patterns"] == ("龙七对",)
    assert score(pairs, natural)["patterns"] == ("暗七对",)


def test_no_fifth_copy():
    free = wilds_varied(YIBIN, virtual_fifth_copy=True)
    # one tile beside four melds: its fifth copy cannot be the pair
    hand = "[333m,1][555m,1][777m,1][999p,1]9p|EE1000|0|wilds=1,win=none,indicator=1s"
    assert score(hand, YIBIN) == "NOT_A_WIN"
    assert score(hand, free)["patterns"] == ("金钩吊",)
    assert score(hand, free)["gens"] == 1
    # a wild of a pung is none either
    hand = "[99*p,1][555m,1][777m,1]789p9p9p|EE0000|0|indicator=1s"
    with pytest.raises(HandError):
        Hand.parse(hand)
    hand = "[9**p,1][555m,1][777m,1]789p9p9p|EE0000|0|indicator=1s"
    assert score(hand, YIBIN) == "NOT_A_WIN"
    assert score(hand, free)["fan"] == 2


def test_red_dragons():
    # eight wilds and six tiles that are too many for five blocks of pungs
    eight = score("147m159p|EE0000|0|wilds=8", RED)
    assert (eight["patterns"], eight["fan"], eight["addons"]) == (("七对",), 3, 0)
    four = wilds_varied(RED, count=4)
    assert score("147m159p|EE0000|0|wilds=8", four) == "TOO_MANY_WILDS"
    # wilds alone
    assert score("[111m,1][333m,1][555m,1][777m,1]|EE0000|0|wilds=2,win=none", RED)["fan"] == 4


@pytest.mark.parametrize("family", hands.WILD, ids=lambda family: family.__name__)
def test_substitutions_are_all(family):
    """Against every choice of tiles for one to three wilds."""
    checked = 0
    for hand in hands.batch(family, 60, seed=5):
        if not 1 <= hand.wilds <= 3 or checked > 25:
            continue
        case = ref.Case.of(hand)
        brute = set()
        for chosen in combinations_with_replacement(range(27), hand.wilds):
            counts = list(case.concealed)
            for tile in chosen:
                counts[tile] += 1
            if ref.readings(ref.replace(case, concealed=tuple(counts), wilds=0)):
                brute.add(chosen)
        assert ref.substitutions(case, 27) == brute, hand
        checked += 1
    assert checked > 20


def test_a_wild_is_worth_any_tile():
    """A hand with a wild scores as its best with that wild made natural."""
    free = wilds_varied(YIBIN, wild_fan=0)
    for hand in hands.batch(hands.yibin_wilds, 40, seed=6):
        if hand.wilds != 1 or hand.win_tile is None or ref.Case.of(hand).all_wilds > 1:
            continue
        # no three of the indicator by a tile that is not one
        case = ref.Case.of(hand.replace(indicator=None))
        fans = []
        for tile in range(27):
            counts = list(case.concealed)
            counts[tile] += 1
            if case.owned[tile] < 4:
                fans.append(ref.fan_of(ref.replace(case, concealed=tuple(counts), wilds=0), free))
        assert ref.fan_of(case, free) == max(fans)


@given(hands.won_hands(), st.randoms(use_true_random=False))
@examples(60)
def test_a_wild_is_no_worse(hand, random):
    """Than the tile in its place, where it costs nothing and makes roots."""
    free = varied(QQ, wilds=RED["wilds"] | {"wild_counts_for_gen": True})
    tiles = [t for t, n in enumerate(hand.concealed) if n > (t == hand.win_tile)]
    if tiles:
        taken = random.choice(tiles)
        counts = [n - (tile == taken) for tile, n in enumerate(hand.concealed)]
        wild = hand.replace(concealed=tuple(counts), wilds=1)
        assert ref.fan_of(wild, free) >= ref.fan_of(hand, free)


@given(hands.wild_hands())
@examples(60)
def test_wild_rules(hand):
    """What each rule can do to a score."""
    wide = wilds_varied(RED, wild_counts_for_gen=True)
    fan = ref.fan_of(hand, wide)
    if fan < 0:
        assert ref.score(hand, RED) == ref.score(hand, wide)
        return
    assert ref.fan_of(hand, wilds_varied(wide, virtual_fifth_copy=True)) >= fan
    assert ref.fan_of(hand, RED) <= fan
    assert ref.fan_of(hand, wilds_varied(wide, wild_ignores_suit=False)) <= fan
    some = ref.Case.of(hand).all_wilds > 0
    assert ref.fan_of(hand, wilds_varied(wide, wild_fan=-3)) == fan - 3 * some


# --- waiting hands ---


@pytest.mark.parametrize("family", [*hands.READY, hands.ready_dandong])
def test_wait_scores(family):
    """A wait is worth the hand that it completes."""
    preset = varied(DANDONG if family is hands.ready_dandong else SBR)
    preset["patterns"]["绝张"] = {"value": 2, "group": 9, "req": ["juezhang"], "eat": 0}
    waits = 0
    for hand in hands.batch(family, 25, seed=7):
        discard, self_drawn = ref.wait_scores(hand, preset)
        for tile in range(34):
            if hand.owned[tile] == 4:
                assert discard[tile] == self_drawn[tile] == -1
                continue
            counts = [n + (kind == tile) for kind, n in enumerate(hand.concealed)]
            won = hand.replace(concealed=tuple(counts), win_tile=tile)
            won = won.replace(last_tile=hand.owned[tile] == 3 and not hand.concealed[tile])
            assert discard[tile] == ref.fan_of(won, preset)
            assert self_drawn[tile] == ref.fan_of(won.replace(self_drawn=True), preset)
            waits += discard[tile] >= 0
    assert waits > (5 if family is hands.ready_dandong else 20)


def test_last_tile_of_a_wait():
    preset = varied(SBR)
    preset["patterns"]["绝张"] = {"value": 2, "group": 9, "req": ["juezhang"], "eat": 0}
    hand = Hand.parse("[222m,1]34567m22p888p")
    assert ref.wait_scores(hand, preset)[0][1] == 2 + 1
    assert ref.wait_scores(hand, preset)[0][4] == 0
    seen = [0] * 34
    # the others are all in sight, but of 5m one is in hand
    seen[4] = seen[7] = 3
    assert ref.wait_scores(hand, preset, seen)[0][4] == 0
    assert ref.wait_scores(hand, preset, seen)[0][7] == 2
    # with another one in hand it cannot be the last
    told = hand.replace(last_tile=True)
    assert [t for t, fan in enumerate(ref.wait_scores(told, preset)[0]) if fan >= 0] == [1, 7]


@pytest.mark.parametrize(
    ("hand", "seen", "ready"),
    [
        # hand, tiles seen elsewhere: ready under none, concealed4, own4, visible4
        ("[111m,1][888m,1][999p,1]3444m", "", "yes yes yes yes"),
        ("[888m,1][111p,1][444p,1]9999m", "", "yes no no no"),
        ("[888m,1][999m,1][444p,1]111p9m", "", "yes yes no no"),
        ("[888m,1][999m,1][444p,1]777p5m", "555m", "yes yes yes no"),
        ("[888m,1][999m,1][444p,1]777p5m", "55m", "yes yes yes yes"),
        # 3p is dead, 6p is not
        ("[3333p][888m,1][777m,1]45p99m", "", "yes yes yes yes"),
        ("[3333p][888m,1][777m,1]45p99m", "6666p", "yes yes yes no"),
        # not ready at all, or only in a third suit
        ("[888m,1][999m,1][444p,1]777p5s", "", "no no no no"),
        ("[888m,1][999m,1][444p,1]13p55m", "", "yes yes yes yes"),
        ("[888m,1][999m,1][444p,1]13s55m", "", "no no no no"),
    ],
)
def test_dead_waits(hand, seen, ready):
    counts = list(map(int, parse(seen))) if seen else None
    for mode, wanted in zip(("none", "concealed4", "own4", "visible4"), ready.split(), strict=True):
        fan = ref.ready_max_fan(Hand.parse(hand), varied(SBR, dead_wait=mode), counts)
        assert (fan >= 0) == (wanted == "yes"), mode


def test_virtual_fifth_copy():
    """A wait for a fifth copy is worth the hand with five, in which they are one root."""
    qq = varied(QQ, dead_wait="none")
    four = Hand.parse("[888m,1][111p,1][444p,1]9999m")
    assert (ref.ready_max_fan(four, qq), ref.ready_max_fan(four, QQ)) == (2 + 1, -1)
    out = Hand.parse("[888m,1][999m,1][444p,1]111p9m")
    assert ref.ready_max_fan(out, SBR) == 1 + 1
    # beside a kong it is no root as well: 78m wait for 6m, and for 9m
    kong = Hand.parse("[444m,1][9999m,1][222p,1]78m55p")
    counts = list(kong.concealed)
    counts[8] = 1
    scored = ref.score(ref.replace(ref.Case.of(kong), concealed=tuple(counts), win=8), QQ)
    assert (scored["gens"], scored["kongs"], scored["fan"]) == (0, 1, 2)
    assert ref.ready_max_fan(kong, qq) == 2


def test_cheapest_wait():
    """Points are paid by the least that the hand could win."""
    # 3p makes a plain hand, 6p a root with the pung
    hand = Hand.parse("[666p,1]123789m45p88m")
    dearest = varied(POINTS, settlement=POINTS["settlement"] | {"dajiao": "max"})
    assert (ref.ready_max_fan(hand, POINTS), ref.ready_max_fan(hand, dearest)) == (1, 2)


@pytest.mark.parametrize("family", hands.READY, ids=lambda family: family.__name__)
def test_ready_max_fan(family):
    """The dearest of the waits by discard, whatever flags the hand has; more by fifth copies."""
    for hand in hands.batch(family, 40, seed=8):
        for preset in (QQ, SBR, varied(MAJSOUL, dead_wait="own4")):
            best = max(ref.wait_scores(hand, preset)[0])
            ready = ref.ready_max_fan(hand.replace(wall_last=True), preset)
            if preset["dead_wait"] == "own4":
                assert ready == best
            else:
                assert ready >= best
