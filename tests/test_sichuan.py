"""Pattern scoring: golden rows, every win of the game, the slow reference, bad input."""

from __future__ import annotations

import itertools
import random
import re
import subprocess
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest
import sichuan_golden as golden
import sichuan_reference as reference
import strategies_sichuan as families
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import evaluator as ev
from evaluator.engine import tables
from evaluator.scoring.sichuan.family import compiled as kernels
from evaluator.scoring.sichuan.values import combination
from evaluator.tiles import NAMES

GAMES = tuple(golden.PRESETS)

_MORE = {
    "门清": {"value": 1, "group": 1, "req": ["menqing"]},
    "断幺": {"value": 1, "group": 2, "req": ["zhongzhang"]},
    "一条龙": {"value": 3, "group": 3, "req": ["yitiaolong"]},
    "夹心五": {"value": 2, "group": 4, "req": ["jiaxinwu"]},
    "夹": {"value": 1, "group": 4, "req": ["jiaxin"]},
    "单钓": {"value": 1, "group": 4, "req": ["dandiao"]},
    "边": {"value": 1, "group": 4, "req": ["bianzhang"]},
    "绝张": {"value": 1, "group": 5, "req": ["juezhang"]},
    "带幺": {"value": 2, "group": 6, "req": ["yaojiu_sets"]},
}


@cache
def house_rules() -> dict[str, ev.Rules]:
    """Games of one's own that use what no preset uses."""
    qq, yibin = ev.rules("qq_sichuan"), ev.rules("yibin")
    house = qq.replace(
        name="house", max_suits=3, chow_melds=True, zimo="jiafan", cap=9, patterns=_MORE
    )
    return {
        rules.name: rules
        for rules in (
            house,
            # patterns that must hold in one division, in groups of their own
            ev.rules("chengdu_5_80").replace(
                name="split",
                dead_wait="own4",
                patterns={
                    "幺九": {"value": 2, "group": 2, "req": ["yaojiu"]},
                    "对幺": {"value": 5, "group": 3, "req": ["yaojiu", "pungs"]},
                    "门清": {"value": 1, "group": 4, "req": ["menqing"]},
                },
            ),
            ev.rules("sbr_2025").replace(name="visible", dead_wait="visible4"),
            qq.replace(name="dragons", wilds={"count": 4, "kind": "extra"}),
            qq.replace(name="eight", wilds={"count": 8, "kind": "extra", "wild_fan": 1}),
            yibin.replace(name="natural", wilds={"wild_counts_for_gen": False}),
            yibin.replace(name="own_suit", wilds={"wild_ignores_suit": False}),
            yibin.replace(name="fifth", wilds={"virtual_fifth_copy": True}),
            house.replace(name="house_wild", wilds={"count": 4}),
        )
    }


def rules_of(name: str) -> ev.Rules:
    return house_rules()[name] if name in house_rules() else ev.rules(name)


def preset_of(rules: ev.Rules) -> dict[str, Any]:
    """A rule set as the reference takes it; golden ones as the golden file has them."""
    if rules.name in golden.PRESETS:
        return golden.PRESETS[rules.name]
    if rules.name == "dandong":
        return golden.DANDONG
    plain = ("kinds", "max_suits", "chow_melds", "seven_pairs", "mode", "base", "offset", "cap")
    plain += ("gen", "kong", "zimo", "dead_wait", "requires", "cap_self_draw")
    plain += ("earthly_on_discard",)
    return {name: getattr(rules, name) for name in plain} | {
        "addons": rules.addons.table(),
        "settlement": rules.settlement.table(),
        "patterns": {
            p.name: {"value": p.value, "group": p.group, "req": list(p.req), "eat": p.eat}
            for p in rules.patterns
        },
        **({"wilds": rules.wilds.table()} if rules.wilds.count else {}),
    }


def assert_scored(hands: list[ev.Hand], rules: ev.Rules) -> int:
    """The batch against the reference, hand by hand; returns how many are wins."""
    preset, wins = preset_of(rules), 0
    found = ev.score(ev.Hands.from_hands(hands), rules, errors="mark")
    for row, hand in enumerate(hands):
        expected = reference.score(hand, preset)
        if isinstance(expected, str):
            assert found.reason[row] == ev.Reason[expected], hand
            assert found.fan[row] == -1
            continue
        assert found.reason[row] == 0, (hand, ev.Reason(int(found.reason[row])), expected)
        numbers = {
            name: int(getattr(found, name)[row])
            for name in ("fan", "points", "payment", "kongs", "addons")
        }
        assert numbers == {name: expected[name] for name in numbers}, hand
        assert (found.patterns(row), int(found.gens[row])) in expected["choices"], hand
        wins += 1
    return wins


# --- rule sets ---


def grown(groups: int, value: int = 768) -> dict[str, Any]:
    """A pattern of every win in each group; of 8 groups the product would be 0 in 64 bits."""
    return {f"p{i}": {"value": value, "group": i + 1, "req": ["std"]} for i in range(groups)}


def grown_to(fan: int) -> dict[str, Any]:
    """Every win has so many fan: their points are a number of thousands of digits."""
    return {"patterns": grown(fan // 1000, 1000)}


def nested(depth: int) -> list[Any]:
    lists: list[Any] = []
    for _ in range(depth):
        lists = [lists]
    return lists


@pytest.mark.parametrize("name", GAMES)
def test_preset_says_what_the_golden_file_says(name):
    rules, preset = ev.rules(name), golden.PRESETS[name]
    for key in ("kinds", "max_suits", "chow_melds", "seven_pairs", "mode", "base", "offset"):
        assert getattr(rules, key) == preset[key], key
    for key in ("cap", "gen", "kong", "zimo", "dead_wait"):
        assert getattr(rules, key) == preset[key], key
    assert rules.addons.table() == preset["addons"]
    assert [pattern.name for pattern in rules.patterns] == list(preset["patterns"])
    for pattern in rules.patterns:
        line = {"value": pattern.value, "group": pattern.group, "eat": pattern.eat}
        assert {**line, "req": list(pattern.req)} == preset["patterns"][pattern.name]
    for part in ("settlement", "wilds"):
        for key, value in preset.get(part, {}).items():
            found = getattr(getattr(rules, part), key)
            assert (list(found) if isinstance(found, tuple) else found) == value, (part, key)


def test_dandong_says_what_the_text_says():
    rules = ev.rules("dandong")
    assert set(rules.requires) == set(golden.DANDONG["requires"])
    for key in ("kinds", "max_suits", "chow_melds", "seven_pairs", "mode", "base", "gen", "kong"):
        assert getattr(rules, key) == golden.DANDONG[key]
    lines = {
        p.name: {"value": p.value, "group": p.group, "req": list(p.req), "eat": p.eat}
        for p in rules.patterns
    }
    assert [(line["value"], line["req"]) for line in lines.values()] == [
        (line["value"], line["req"]) for line in golden.DANDONG["patterns"].values()
    ]


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"cap": "five"}, "cap"),
        ({"cap": True}, "cap"),
        ({"mode": "additive"}, "mode"),
        ({"base": 0}, "base"),
        ({"zimo": "double"}, "zimo"),
        ({"dead_wait": "all"}, "dead_wait"),
        ({"addons": {"gangshanghau": 1}}, "addons.gangshanghau"),
        ({"addons": {"qianggang": "1"}}, "addons.qianggang"),
        ({"wilds": {"count": 5}}, "wilds.count"),
        ({"wilds": {"count": 4, "kind": "extra", "wild_ignores_suit": False}}, "wilds.wild"),
        ({"settlement": {"pig": "much"}}, "settlement.pig"),
        ({"settlement": {"piao": [2]}}, "settlement.piao"),
        ({"patterns": {"x": {"value": 1, "req": ["pung"]}}}, "patterns.x.req"),
        ({"patterns": {"x": {"group": 1}}}, "patterns.x"),
        ({"patterns": {"x": {"value": 1, "fan": 2}}}, "patterns.x.fan"),
        ({"patterns": {"no such": None}}, "patterns.no such"),
        ({"requires": ["luck"]}, "requires"),
        ({"requires": ["all_suits"]}, "requires"),
        ({"forms": ["standard", "thirteen_orphans"]}, "forms"),
        ({"forms": ["seven_pairs"]}, "forms"),
        ({"kinds": 34}, "max_suits"),
        ({"fan_table": "guobiao_fan"}, "fan_table"),
        ({"seven_pairs": 1}, "seven_pairs"),
        ({"seven_pairs": True, "forms": ["standard"]}, "seven_pairs"),
        ({"mode": "product"}, "mode"),
        ({"chow_meld": True}, "chow_meld"),
        # a pattern is told by its number, in a byte; its name on terminals
        ({"patterns": {f"p{i}": {"value": 1} for i in range(243)}}, "patterns"),
        ({"patterns": {"\u202e龙": {"value": 1}}}, "patterns"),
        ({"name": ""}, "name"),
        ({"name": "two\nlines"}, "name"),
        # what cannot be shown is refused all the same
        ({"cap": 10**5000}, "cap"),
        ({"base": nested(20_000)}, "base"),
        ({"settlement": {"pig": f"max({'9' * 5000} fan)"}}, "settlement.pig"),
        ({"settlement": {"pig": "max(٤ fan)"}}, "settlement.pig"),
    ],
)
def test_impossible_rules_are_refused_with_the_key(changes, key):
    with pytest.raises(ev.RulesError) as caught:
        ev.rules("qq_sichuan").replace(**changes)
    assert caught.value.key.startswith(key)


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        # more than an int32 holds; half a point; a factor of nothing; too many flags
        ({"base": 1_000_000, "offset": -3}, "cap"),
        (grown_to(15_000), "cap"),
        ({"base": 1, "offset": 3}, "offset"),
        ({"addons": {"gangshanghua": 200}}, "addons"),
        (
            {
                "mode": "product", "gen": 0, "kong": 0, "patterns": {"平胡": {"value": 0}},
                "addons": {"gangshanghua": 0, "gangshangpao": 0},
            },
            "patterns",
        ),
        # -1 fan says that a hand is no win; more fan than a number of 16 bits, of 64 bits
        ({"base": 8, "patterns": {"平胡": {"value": -1}}}, "patterns"),
        ({"base": 8, "wilds": {"count": 4, "wild_fan": -2}}, "patterns"),
        ({"mode": "linear", "base": 1_000_000, "patterns": grown(15)}, "cap"),
        (
            {
                "mode": "product", "gen": 0, "kong": 0, "patterns": grown(15),
                "addons": {"gangshanghua": 0, "gangshangpao": 0},
            },
            "patterns",
        ),
    ],
)  # fmt: skip
def test_points_that_cannot_be_are_refused(changes, key):
    rules = ev.rules("qq_sichuan").replace(**changes)
    with pytest.raises(ev.RulesError) as caught:
        ev.score(ev.parse("11224444557799m"), rules)
    assert caught.value.key == key


def test_a_pattern_that_eats_a_root_nobody_holds_is_refused():
    """Without a root the eaten one makes a win of -1 fan, which is said of what is none."""
    eaten = {"吃根": {"value": 0, "group": 1, "req": ["claimed"], "eat": 1}}
    rules = ev.rules("points_1_2_3_4_8").replace(gen=2, patterns=eaten)
    hand = ev.Hand.parse("[222p,1][333p,1]888p5666s")
    for ask in (ev.wait_scores, lambda hand, rules: rules.ready_max_fan(hand)):
        with pytest.raises(ev.RulesError, match="a win could have -1 fan"):
            ask(hand, rules)
    rooted = {"吃根": {"value": 0, "group": 1, "req": ["hasgen"], "eat": 1}}
    rules = ev.rules("points_1_2_3_4_8").replace(gen=2, patterns=rooted)
    assert rules.ready_max_fan(hand) == 1


def test_own_file(tmp_path):
    path = tmp_path / "ours.toml"
    path.write_text(
        'kinds = 27\nmax_suits = 2\nseven_pairs = true\ngen = 1\n[patterns]\n"平" = { value = 1 }\n'
        '"龙" = { value = 10, group = 1, req = ["yitiaolong"] }\n',
        encoding="utf-8",
    )
    assert ev.score(ev.Hand.parse("123456789m11p234m"), str(path)).fan == 11
    path.write_text('[patterns]\n"平" = { valeu = 1 }\n', encoding="utf-8")
    with pytest.raises(
        ev.RulesError, match=r"ours\.toml: patterns\.平\.valeu .*did you mean value"
    ):
        ev.rules(path)


WITH_A_WILD_TILE = "ev.Hand.parse('1122444455779m|EE0000|0|wilds=1,win=none')"


@pytest.mark.parametrize(
    ("asked", "used"),
    [
        ("score(ev.Hand.parse('11224444557799m'), 'qq_sichuan')", "score_one"),
        ("score(ev.parse('11224444557799m')[:27])", "score_rows"),
        ("score([ev.Hand.parse('11224444557799m')], 'yibin')", "score_rows"),
        (f"score({WITH_A_WILD_TILE}, 'yibin')", "score_unusual"),
        (f"score([{WITH_A_WILD_TILE}] * 3, 'yibin')", "score_unusual"),
        ("score(ev.Hand.parse('[111z,1]123m456p78s99s9s'), 'dandong')", "score_unusual"),
        ("wait_scores(ev.parse('1122444455779m')[:27], 'qq_sichuan')", "wait_rows"),
        ("wait_scores(ev.Hand.parse('112244445577m|EE0000|0|wilds=1'), 'yibin')", "wait_unusual"),
    ],
)
def test_the_first_score_compiles_one_kernel(asked, used):
    code = (
        "import evaluator as ev; from evaluator.scoring.sichuan.kernels import score, waits; "
        f"ev.{asked}; print(*(name for module in (score, waits) "
        "for name in ('score_one', 'score_rows', 'score_unusual', 'wait_rows', 'wait_unusual') "
        "if getattr(getattr(module, name, None), 'signatures', ())))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [used]


def test_a_new_preset_compiles_nothing():
    hands = ev.Hands.from_hands(families.batch(families.anything, 20))
    ev.score(hands, "qq_sichuan")
    kernel = kernels().rows
    before = len(kernel.signatures)
    for cap in (5, 7):
        ev.score(hands, ev.rules("chengdu_5_80").replace(cap=cap, base=cap))
    assert len(kernel.signatures) == before


def test_a_pattern_that_takes_fan_away_counts_with_all_that_holds():
    """All pungs are no less than that, though a reading without them would be worth more."""
    rules = ev.rules("yibin").replace(
        name="ours",
        kong=0,
        patterns={"倒扣": {"value": -2, "group": 2, "req": ["jingou", "flush"]}},
    )
    hand = ev.Hand.parse("[1111p][3333p,1][8888p,1][9999p,1]4p4p|EE1001|0")
    wanted = reference.score(hand, preset_of(rules))
    assert (ev.score(hand, rules).fan, wanted["fan"]) == (4, 4)
    assert ev.score(ev.Hands.from_hands([hand]), rules).fan[0] == 4


# --- golden rows and examples ---


@pytest.mark.parametrize("name", GAMES)
def test_golden_rows(name):
    rows = golden.golden()
    found = ev.score(ev.Hands.from_hands([hand for hand, _ in rows]), name)
    wins = 0
    if name == "sichuan_short":  # whose fan are those of qq_sichuan
        name = "qq_sichuan"
    for row, (hand, expected) in enumerate(rows):
        if expected[name] is None:
            assert found.reason[row] in (ev.Reason.NOT_A_WIN, ev.Reason.TOO_MANY_SUITS), hand
        else:
            assert [found.fan[row], found.points[row]] == expected[name], hand
            wins += 1
    assert wins > 2000


def test_source_examples():
    """Each example hand of the texts is what the checked column says, not what is printed."""
    seen = set()
    for example in golden.examples():
        hand = ev.Hand.parse(golden.melds_text(example["melds"]) + example["hand"])
        rules = ev.rules(example["rule_set"])
        seen.add(example["consistent"])
        computed = example["computed"]
        if hand == ev.Hand.parse("222555888m222s55p"):  # three suits
            assert ev.score(hand, rules.replace(max_suits=3)).patterns == ("将对",)
        if not computed or ev.score(hand, rules, errors="mark").reason:
            assert example["consistent"] == "NO"
            with pytest.raises(ev.NotAWin):
                ev.score(hand, rules)
            continue
        scored = ev.score(hand, rules)
        assert scored.patterns[0] == computed.split()[0], example
        total = re.search(r"(?:=|total )(\d+)[番分]", computed)
        assert total, computed
        assert scored.fan == int(total[1]), example
    assert seen == {"yes", "NO"}


def test_sbr_official_examples():
    rules = ev.rules("sbr_2025")
    for example in golden.official():
        melds = golden.melds_text(example["melds"])
        if example["kind"] == "win":
            concealed = ev.Hand.parse(melds + example["hand"])
            tile = ev.parse(example["win"]).argmax()
            counts = list(concealed.concealed)
            if concealed.size % 3 == 1:
                counts[tile] += 1
            hand = ev.Hand(tuple(counts), concealed.melds, win_tile=int(tile))
            scored = ev.score(hand, rules)
            assert (scored.fan, scored.points) == (int(example["fan"]), int(example["points"]))
            continue
        fan = rules.ready_max_fan(ev.Hand.parse(melds + example["hand"]))
        if example["kind"] == "ting":
            assert (fan >= 0) == (example["expected"] == "听牌"), example
        else:
            assert fan == int(example["fan"]), example


# --- every win of the game ---

HISTOGRAMS = {
    "sbr_2025": {0: 965556, 1: 762102, 2: 183402, 3: 351999, 4: 257442, 5: 35298, 6: 3780, 7: 1512},
    "qq_sichuan": {
        1: 965076, 2: 761436, 3: 183888, 4: 21465, 5: 339150, 6: 251082, 7: 37482, 8: 1512,
    },
    "chuanma_dijin": {
        0: 965076, 1: 761436, 2: 183888, 3: 21465, 4: 339150, 5: 251082, 6: 37482, 7: 1512,
    },
    "chengdu_5_80": {
        0: 965076, 1: 761436, 2: 183888, 3: 352593, 4: 257502, 5: 35298, 6: 3786, 7: 1512,
    },
    "points_1_2_3_4_8": {
        1: 965076, 2: 761436, 3: 183894, 4: 352593, 5: 257394, 6: 33786, 8: 108, 9: 1512,
        10: 3780, 11: 1512,
    },
    "yibin": {2: 965556, 3: 857358, 4: 88146, 5: 352107, 6: 258846, 7: 37566, 8: 1512},
    "majsoul_chuanma": {
        1: 965076, 2: 761436, 3: 183888, 4: 352593, 5: 257502, 6: 35298, 7: 3786, 8: 1512,
    },
}  # fmt: skip
"""Fan of all 2,561,091 wins, without melds and add-ons."""


def suit_vectors() -> tuple[list[dict[int, set[tuple[int, ...]]]], dict[int, set[Any]]]:
    """Vectors of k sets, of k sets and a pair; and all-even ones by their pairs."""
    blocks = [tuple(int(at in (s, s + 1, s + 2)) for at in range(9)) for s in range(7)]
    blocks += [tuple(3 * (at == s) for at in range(9)) for s in range(9)]
    pairs = [tuple(2 * (at == s) for at in range(9)) for s in range(9)]

    def plus(vectors: set[Any], more: list[Any]) -> set[Any]:
        sums = {tuple(map(sum, zip(a, b, strict=True))) for a in vectors for b in more}
        return {vector for vector in sums if max(vector) <= 4}

    sets = {0: {(0,) * 9}}
    for k in range(1, 5):
        sets[k] = plus(sets[k - 1], blocks)
    paired = {k: plus(sets[k], pairs) for k in range(5)}
    even: dict[int, set[Any]] = {k: set() for k in range(8)}
    for vector in itertools.product((0, 2, 4), repeat=9):
        if sum(vector) <= 14:
            even[sum(vector) // 2].add(vector)
    return [sets, paired], even


@cache
def all_wins() -> np.ndarray:
    """Every win of at most two suits, ``uint8[2561091, 27]``."""
    (sets, paired), even = suit_vectors()
    joined = [
        *((sets[k], paired[4 - k]) for k in range(5)),
        *((paired[k], sets[4 - k]) for k in range(5)),
        *((even[k], even[7 - k]) for k in range(8)),
    ]
    powers = 5 ** np.arange(9, dtype=np.int64)
    found = []
    for one_suit, other_suit in joined:
        a, b = np.array(sorted(one_suit)) @ powers, np.array(sorted(other_suit)) @ powers
        found.append((a[:, None] * 5**9 + b).ravel())
    codes = np.unique(np.concatenate(found))
    vectors = (codes[:, None] // 5 ** np.arange(18)) % 5  # second suit first
    hands = []
    for one, other in ((0, 1), (0, 2), (1, 2)):
        rows = np.zeros((len(codes), 27), np.uint8)
        rows[:, 9 * one : 9 * one + 9] = vectors[:, 9:]
        rows[:, 9 * other : 9 * other + 9] = vectors[:, :9]
        # hands of one suit: with (0, 1) those of both, with (0, 2) those of the third
        second, first = vectors[:, :9].any(axis=1), vectors[:, 9:].any(axis=1)
        keep = {(0, 1): first | second, (0, 2): second, (1, 2): first & second}[one, other]
        hands.append(rows[keep])
    return np.concatenate(hands)


def test_all_wins_are_counted():
    hands = all_wins()
    assert len(hands) == 2_561_091
    codes = np.zeros(len(hands), np.int64)  # 5**27 fits
    for tile in range(27):
        codes *= 5
        codes += hands[:, tile]
    assert len(np.unique(codes)) == len(hands)
    assert ev.is_win(hands, "sbr_2025").all()


@pytest.mark.parametrize("name", GAMES)
def test_histogram_over_all_wins(name):
    found = ev.score(all_wins(), name)
    assert not found.reason.any()
    fans, counts = np.unique(found.fan, return_counts=True)
    expected = HISTOGRAMS["qq_sichuan" if name == "sichuan_short" else name]
    assert dict(zip(fans.tolist(), counts.tolist(), strict=True)) == expected


def test_every_complete_shape_and_no_other_is_scored():
    """Of random hands those are scored that are complete, three suits or two."""
    rng = np.random.default_rng(4)
    hands = all_wins()[rng.integers(0, 2_561_091, 50_000)]
    # one tile moved
    rows = np.arange(len(hands))
    held = rng.integers(0, 27, len(hands))
    held = np.where(hands[rows, held] > 0, held, hands.argmax(axis=1))
    other = rng.integers(0, 27, len(hands))
    hands[rows, held] -= 1
    hands[rows, other] += 1
    hands = hands[(hands <= 4).all(axis=1)]
    drawn = [hand for hand in families.batch(families.three_suits, 600) if not hand.melds]
    hands = np.concatenate([hands, [hand.concealed[:27] for hand in drawn]]).astype(np.uint8)
    any_suits = ev.rules("sbr_2025").replace(max_suits=3)
    found = ev.score(hands, "sbr_2025", errors="mark").reason
    complete = ev.is_win(hands, any_suits)
    assert ((found == 0) == ev.is_win(hands, "sbr_2025")).all()
    assert ((found == ev.Reason.TOO_MANY_SUITS) == (complete & (found != 0))).all()
    assert (found == ev.Reason.TOO_MANY_SUITS).sum() > 50


def test_signatures_are_those_of_divisions():
    """The table of suits against divisions found tile by tile."""
    arrays = tables.load("sichuan.npz")
    (sets, paired), even = suit_vectors()
    expected = set().union(*sets.values(), *paired.values(), *even.values())
    assert len(arrays["code"]) == len(expected) == 26_786
    for code, signature in zip(arrays["code"].tolist(), arrays["signature"].tolist(), strict=True):
        counts = [code // 5**k % 5 for k in range(8, -1, -1)]
        assert tuple(counts) in expected
        descriptor = int(arrays["descriptor"][signature - 1])
        tiles = sum(counts)
        divisions = []
        if tiles % 3 == 2:
            divisions = [
                (blocks, pair)
                for blocks, pair in reference.divide([*counts, *[0] * 25])
                if len(blocks) == tiles // 3
            ]
        elif tiles % 3 == 0:
            divisions = [(blocks, None) for blocks in reference._sets(tuple(counts), True)]
        kinds = []
        for blocks, pair in divisions:
            outside = all(
                at in (0, 8) if kind == "pung" else at in (0, 6) for kind, at in blocks
            ) and pair in (None, 0, 8)
            kinds.append((all(kind == "pung" for kind, _ in blocks), outside))
        assert (descriptor >> 8 & 1) == (not kinds)
        assert (descriptor & 0xFF) == ((tiles // 3) << 4 | (tiles % 3 == 2) if kinds else 0)
        assert (descriptor >> 9 & 1) == any(count % 2 for count in counts)
        if kinds:
            assert (descriptor >> 10 & 1) == (not any(pungs for pungs, _ in kinds))
            assert (descriptor >> 11 & 1) == (not any(outside for _, outside in kinds))
            assert (descriptor >> 12 & 1) == ((True, True) not in kinds)
        assert (descriptor >> 13 & 1) == any(counts[at] for at in (0, 2, 3, 5, 6, 8))
        assert (descriptor >> 14 & 1) == (counts[0] + counts[8] > 0)
        assert (descriptor >> 16) == counts.count(4)


# --- the reference ---


@pytest.mark.parametrize("name", [*GAMES, "dandong", "house", "split"])
def test_hands_of_every_kind(name):
    rules = rules_of(name)
    wins = 0
    for family in families.FAMILIES:
        hands = families.batch(family, 30, seed=1)
        if name in ("dandong", "house"):
            # these ask how the winning tile fits
            hands = [hand for hand in hands if hand.win_tile is not None]
        wins += assert_scored(hands, rules)
    assert wins > 5
    if name == "dandong":
        hands = families.batch(families.dandong, 150, seed=2)
        hands = [hand for hand in hands if hand.win_tile is not None]
        assert assert_scored(hands, rules) > 20


@pytest.mark.parametrize(
    ("name", "family", "n"),
    [
        ("yibin", families.yibin_wilds, 60),
        ("natural", families.yibin_wilds, 30),
        ("own_suit", families.yibin_wilds, 30),
        ("fifth", families.yibin_wilds, 8),
        ("dragons", families.dragon_wilds, 40),
        ("eight", families.dragon_wilds, 20),
        ("eight", families.many_wilds, 5),
        ("house_wild", families.yibin_wilds, 30),
    ],
)
def test_wild_hands(name, family, n):
    rules = rules_of(name)
    hands = families.batch(family, n, seed=3)
    if name == "house_wild":
        hands = [hand for hand in hands if hand.win_tile is not None]
    assert assert_scored(hands, rules) > 2


@settings(max_examples=60, deadline=None)
@given(families.won_hands(), st.sampled_from([*GAMES, "split"]))
def test_won_hands(hand, name):
    assert_scored([hand], rules_of(name))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.large_base_example])
@given(families.wild_hands())
def test_wild_hands_of_hypothesis(hand):
    assert_scored([hand], ev.rules("yibin"))


def wilds_of(hand: ev.Hand, tile: int) -> int:
    """Wild tiles of a hand, where this is their kind."""
    if hand.indicator is None or tile != ev.wild_tile(hand.indicator):
        return 0
    return hand.wilds + sum(meld.wilds for meld in hand.melds)


def seen_beside(hands: list[ev.Hand], rng: random.Random) -> np.ndarray:
    """Tiles that others may show, a row for each hand."""
    rows = np.zeros((len(hands), 34), np.uint8)
    for row, hand in zip(rows, hands, strict=True):
        for tile in range(34):
            if rng.random() < 0.5:
                row[tile] = rng.randint(0, max(0, 4 - hand.owned[tile] - wilds_of(hand, tile)))
    return rows


@pytest.mark.parametrize(
    ("name", "family", "n"),
    [
        *((name, families.ready, 25) for name in (*GAMES, "house", "split", "visible")),
        *((name, families.dead_wait, 25) for name in ("qq_sichuan", "sbr_2025", "visible")),
        ("dandong", families.ready_dandong, 25),
        ("yibin", families.ready_yibin, 8),
        ("natural", families.ready_yibin, 5),
        ("own_suit", families.ready_yibin, 5),
        ("dragons", families.ready_yibin, 5),
    ],
)
def test_waits_of_hands(name, family, n):
    rules, preset = rules_of(name), preset_of(rules_of(name))
    hands = families.batch(family, n, seed=9)
    visible = seen_beside(hands, random.Random(5))
    for seen in (None, visible):
        found = ev.wait_scores(ev.Hands.from_hands(hands), rules, seen=seen)
        most = rules.ready_max_fan(ev.Hands.from_hands(hands), seen)
        for row, hand in enumerate(hands):
            beside = [0] * 34 if seen is None else seen[row].tolist()
            discard, drawn = reference.wait_scores(hand, preset, beside)
            assert found.discard[row].tolist() == discard, hand
            assert found.self_drawn[row].tolist() == drawn, hand
            assert most[row] == reference.ready_max_fan(hand, preset, beside), hand
            met = found.minimum_met[row]
            assert (met[:, 0] == (found.discard[row] >= 0)).all()
            for tile in np.flatnonzero(found.left[row]):
                gone = hand.concealed[tile] + beside[tile]
                gone += hand.owned[tile] - hand.concealed[tile]
                gone += wilds_of(hand, tile) if rules.wilds.kind == "next" else 0
                assert found.left[row, tile] == 4 - gone, (hand, NAMES[tile])


def test_earthly_on_the_first_discard():
    """003:234 刚打第一张牌就成胡: under the points rules, and under no other preset."""
    waiting = ev.Hand.parse("1112345678999s|EE0000|0|earthly")
    hand = ev.Hand.parse("1112345678999s5s|EE0000|0|earthly")
    drawn = hand.replace(self_drawn=True)
    for name in (name for name in ev.rules() if name != "riichi"):
        rules = ev.rules(name)
        can = name == "points_1_2_3_4_8"
        found = ev.score(ev.Hands.from_hands([hand, drawn]), rules, errors="mark")
        reasons = [ev.Reason.OK if can else ev.Reason.IMPOSSIBLE_FLAGS, ev.Reason.OK]
        if name == "dandong":
            reasons[1] = ev.Reason.NOT_A_WIN
        assert found.reason.tolist() == reasons, name
        waits = ev.wait_scores(waiting, rules)
        assert (waits.discard[22] >= 0) == can, name
        assert (waits.self_drawn[22] >= 0) == (name != "dandong"), name
        if can:
            assert ev.score(hand, rules).points == 8 == waits.discard[22]
            continue
        for wrong in (hand, ev.Hands.from_hands([drawn, hand])[1:]):
            with pytest.raises(ev.HandError, match="earthly hand wins by self-draw") as caught:
                ev.score(wrong, rules)
            assert caught.value.reason == ev.Reason.IMPOSSIBLE_FLAGS
    # with wild tiles, and where every division counts
    for rules in (
        ev.rules("yibin").replace(earthly_on_discard=True),
        ev.rules("qq_sichuan").replace(earthly_on_discard=True, patterns=_MORE),
    ):
        assert ev.score(hand, rules).patterns[0] == "地胡"
        assert ev.wait_scores(waiting, rules).discard[22] >= 0
    for impossible, code in (
        ({"kong": True}, ev.Code.EARTHLY_ROBBED),
        ({"wall_last": True}, ev.Code.FIRST_TURN_WALL_LAST),
        ({"heavenly": True, "earthly": False}, ev.Code.HEAVENLY_NOT_DRAWN),
    ):
        with pytest.raises(ev.HandError) as caught:
            ev.Hand.parse("111678999s55p24s3s|EE0000|0|earthly").replace(**impossible)
        assert (caught.value.code, caught.value.reason) == (code, ev.Reason.IMPOSSIBLE_FLAGS)


def test_terminals_in_every_set_whatever_the_pair():
    """003:221 每坎牌都有一或九 says nothing of the pair."""
    loose = {"幺九牌": {"value": 3, "req": ["yaojiu_sets"]}}
    rules = ev.rules("points_1_2_3_4_8").replace(patterns=loose)
    for text, strict, any_pair in (
        ("123123m789m789p5p5p", 1, 3),
        ("123123m789m789p9p9p", 3, 3),
        ("123123m789m678p9p9p", 1, 1),
        ("[111m,1]123789p999m1p1p", 3, 3),
        ("[222m,1]123789p999m1p1p", 1, 1),
    ):
        hand = ev.Hand.parse(text)
        assert ev.score(hand, "points_1_2_3_4_8").fan == strict, text
        scored = ev.score(hand, rules)
        assert scored.fan == any_pair, text
        assert scored.division is not None


# --- readings that are easy to miss ---


@pytest.mark.parametrize(
    ("text", "name", "fan", "patterns"),
    [
        # seven pairs with a quad are no seven different kinds
        ("1122444455779m9m", "qq_sichuan", 6, ("清龙七对",)),
        ("2222444499m1177p", "qq_sichuan", 6, ("龙七对",)),
        # terminals in every set, not terminals alone
        ("123789m123789p9m9m", "qq_sichuan", 3, ("带幺九",)),
        ("123m456m789p123p99p", "qq_sichuan", 1, ("平胡",)),
        # all pungs with melds, and not of the melds alone
        ("[111m,1][999m,1]222p444p5p5p", "qq_sichuan", 2, ("对对胡",)),
        ("[111m,1][999m,1]234p666p5p5p", "qq_sichuan", 1, ("平胡",)),
        # the pair is not taken out of the triplet
        ("11123777888999s", "qq_sichuan", 5, ("清幺九",)),
        # two roots hidden in chows
        ("12356677778888s", "qq_sichuan", 5, ("清一色",)),
        # a kong is no root beside; a pung and its fourth tile are one
        ("[1111m]234m567m99p9p55p", "sbr_2025", 1, ("平和",)),
        ("[111m,1]123m567m999p5p5p", "sbr_2025", 1, ("平和",)),
        # a golden wait needs four melds: not any all-pung hand won on the pair
        ("[111m,1][222m,1][999m,1]444p5p5p", "sbr_2025", 1, ("大对子",)),
        ("[111m,1][222m,1][999m,1][444p,1]5p5p", "sbr_2025", 2, ("大对子", "金钩钓")),
        ("[111m,1][2222m][999m,1][444p,1]5p5p", "sbr_2025", 3, ("大对子", "金钩钓")),
        # 111222333 is pungs or 123 three times: the terminals are of the other division
        ("111222333m99m789p", "qq_sichuan", 3, ("带幺九",)),
    ],
)
def test_traps(text, name, fan, patterns):
    scored = ev.score(ev.Hand.parse(text), name)
    assert (scored.fan, scored.patterns) == (fan, patterns)


def test_flags_of_one_group_hold_in_one_division():
    """带幺九 and 对对胡 in groups of their own: pungs in one division, terminals in another."""
    rules = ev.rules("qq_sichuan").replace(
        max_suits=3,
        patterns={"带幺九": {"group": 1}, "清一色": None, "清对": None, "清幺九": None},
    )
    # as pungs 222 holds no terminal, as chows there are no pungs
    scored = ev.score(ev.Hand.parse("111222333m999p9m9m"), rules)
    assert (scored.fan, scored.patterns) == (4, ("平胡", "带幺九"))
    scored = ev.score(ev.Hand.parse("111999m111999p1s1s"), rules)
    assert (scored.fan, scored.patterns) == (5, ("对对胡", "带幺九"))


def test_wild_tiles_of_yibin():
    def fan(text: str) -> int:
        return ev.score(ev.Hand.parse(text), "yibin").fan

    # one wild tile: 平胡 2 - 1; the wild as the fourth of a kind is a root
    assert fan("123m456m789m11p23p|EE0000|0|wilds=1,indicator=1s") == 1
    assert fan("11123m456789p99p|EE0000|0|wilds=1,indicator=1s") == 2
    # three of the turned tile count as a root
    assert fan("111m456m789m11p234p|EE0000|0|indicator=1m") == 3
    # waiting for 1m or 4m with three 1m, a drawn wild makes the fourth: once more
    assert fan("[111m,1]3m55m678p999p|EE0000|0|wilds=2,indicator=1m,win=none") == 3
    # its own suit does not count: turned 1m, 2m is wild in a hand of p and s
    assert fan("123p456p789p11s23s|EE0000|0|wilds=1,indicator=1m") == 1
    # a meld with a wild tile costs the same once
    assert fan("[33*m,1]456m789m123p99p|EE0000|0|indicator=1s") == 1
    assert fan("[33*m,1]456m789m123p9p|EE0000|0|wilds=1,indicator=1s") == 1


def test_red_dragons_are_wild():
    rules = rules_of("dragons")
    assert ev.score(ev.Hand.parse("1122334455667m|EE0000|0|wilds=1"), rules).fan == 5
    with pytest.raises(ev.HandError, match="is played without honours") as caught:
        ev.score(ev.Hand.parse("1122334455667m7z"), rules)
    assert caught.value.reason == ev.Reason.NOT_IN_GAME
    assert ev.score(ev.Hand.parse("112233m|EE0000|0|wilds=8"), rules_of("eight")).fan >= 6


def test_wild_tiles_are_copies_of_the_tile_they_are():
    texts = [
        "2233445566m|EE0000|0|wilds=3,indicator=6p",
        "223344556m|EE0000|0|wilds=4,indicator=6p",
        "[555s]22334455m|EE0000|0|wilds=2,indicator=4s",
    ]
    hands = [ev.Hand.parse(text) for text in texts[:2]]
    hands.append(ev.Hand.parse(texts[2]).replace(melds=(ev.Meld("pung", 20, wilds=1),)))
    for hand, left in zip(hands, (1, 0, 1), strict=True):
        kind = ev.wild_tile(hand.indicator)
        assert ev.waits(hand, "yibin").left[kind] == left
        assert ev.wait_scores(hand, "yibin").left[kind] == left
    batch = ev.Hands.from_hands([hands[0], hands[0].replace(indicator=None), hands[1]])
    assert ev.waits(batch, "yibin").left[:, 15].tolist() == [1, 4, 0]
    assert ev.waits(batch, "sbr_2025").left[:, 15].tolist() == [4, 4, 4]
    with pytest.raises(ev.HandError, match="5 copies of 7p"):
        ev.waits(hands[0], "yibin", seen=[2 * (tile == 15) for tile in range(34)])


def test_wild_tile_of_the_turned_one():
    assert [ev.wild_tile(tile) for tile in (0, 7, 8, 9, 17, 26)] == [1, 8, 0, 10, 9, 18]
    for wrong in (27, -1, 1.0, True):
        with pytest.raises(ev.HandError):
            ev.wild_tile(wrong)


# --- input ---


def reason_of(text: str, rules: Any = "qq_sichuan", **changes: Any) -> tuple[ev.Reason, str]:
    hand = ev.Hand.parse(text).replace(**changes)
    with pytest.raises(ev.HandError) as caught:
        ev.score(hand, rules)
    one = ev.score(hand, rules, errors="mark")
    batch = ev.score(ev.Hands.from_hands([hand, hand]), rules, errors="mark")
    assert one.reason == caught.value.reason == batch.reason[1]
    assert batch.fan[0] == -1
    assert batch.points[0] == batch.payment[0] == 0
    assert (batch.pattern[0] == 255).all()
    return ev.Reason(one.reason), str(caught.value)


def test_hands_that_cannot_be_scored():
    reason, text = reason_of("123m456m789m11p234s")
    assert reason == ev.Reason.TOO_MANY_SUITS
    assert "3 suits (m, p, s)" in text
    assert reason_of("123m456m789m11p23p5p")[0] == ev.Reason.NOT_A_WIN
    assert reason_of("123m456m789m111z2p2p")[0] == ev.Reason.NOT_IN_GAME
    assert reason_of("[111z,1]123m456m789m2p2p")[0] == ev.Reason.NOT_IN_GAME
    reason, text = reason_of("[123m,1]456m789m111p2p2p")
    assert reason == ev.Reason.MELD_NOT_ALLOWED
    assert "1m" in text
    assert reason_of("123m456m789m11p2p|EE0000|0|wilds=2")[0] == ev.Reason.TOO_MANY_WILDS
    assert reason_of("[11*m,1]456m789m111p2p2p")[0] == ev.Reason.TOO_MANY_WILDS
    assert reason_of("12345678m|EE0000|0|wilds=6", "yibin")[0] == (ev.Reason.TOO_MANY_WILDS)
    assert reason_of("123m456m789m11p")[0] == ev.Reason.BAD_SIZE
    # a natural tile of the wild kind; a fourth copy of the turned one; an honour turned
    reason, text = reason_of("123m456m789m11p234p|EE0000|0|indicator=1m", "yibin")
    assert (reason, "2m" in text) == (ev.Reason.NOT_IN_GAME, True)
    reason, text = reason_of("789999m445566p99p|EE0000|0|indicator=9m", "yibin")
    assert (reason, "the turned one included" in text) == (ev.Reason.FIVE_COPIES, True)
    assert reason_of("123m456m789m11p234p|EE0000|0|indicator=1z", "yibin")[0] == (
        ev.Reason.NOT_IN_GAME
    )
    assert reason_of("123m456m789m11p23p|EE0000|0|wilds=1", rules_of("own_suit"))[0] == (
        ev.Reason.NO_INDICATOR
    )
    reason, text = reason_of("123m456p789s11p234p", "dandong")
    assert reason == ev.Reason.NOT_A_WIN
    assert "open meld" in text


def test_wrong_rows_of_a_batch():
    good = families.batch(families.anything, 6)
    batch = ev.Hands.from_hands(good)
    fields = {name: np.array(getattr(batch, name)) for name in ("concealed", "melds", "win_tile")}
    fields |= {
        "flags": np.array(batch.flags), "seat_wind": np.array(batch.seat_wind),
        "flowers": np.array(batch.flowers), "indicator": np.array(batch.indicator),
    }  # fmt: skip
    plain = ev.score(batch, "qq_sichuan", errors="mark")

    def changed(name: str, value: Any) -> ev.Hands:
        parts = {key: np.array(part) for key, part in fields.items()}
        parts[name][2] = value
        return ev.Hands(**parts)

    for name, value, reason in (
        ("seat_wind", 4, ev.Reason.BAD_WIND),
        ("flowers", 9, ev.Reason.BAD_FLOWERS),
        ("win_tile", 33, ev.Reason.WIN_TILE_NOT_HELD),
        ("win_tile", 100, ev.Reason.WIN_TILE_NOT_HELD),
        ("indicator", 34, ev.Reason.NOT_IN_GAME),
        ("indicator", 254, ev.Reason.NOT_IN_GAME),
        ("flags", 1 << 9, ev.Reason.IMPOSSIBLE_FLAGS),
        ("flags", 0b1100000, ev.Reason.IMPOSSIBLE_FLAGS),
        ("melds", 200, ev.Reason.BAD_MELD),
        ("concealed", 5, ev.Reason.COUNT_ABOVE_FOUR),
    ):
        wrong = changed(name, value)
        found = ev.score(wrong, "qq_sichuan", errors="mark")
        assert found.reason[2] == reason, name
        others = [0, 1, 3, 4, 5]
        assert (found.fan[others] == plain.fan[others]).all()
        with pytest.raises(ev.HandError) as caught:
            ev.score(wrong, "qq_sichuan")
        assert caught.value.index == 2


def test_arrays_of_every_kind_say_the_same():
    rows = all_wins()[::4001]
    expected = ev.score(rows, "qq_sichuan").fan
    wide = np.zeros((len(rows), 34), np.uint8)
    wide[:, :27] = rows
    assert (ev.score(wide, "qq_sichuan").fan == expected).all()
    assert (ev.score(rows.astype(np.int64), "qq_sichuan").fan == expected).all()
    assert (ev.score(np.asfortranarray(rows), "qq_sichuan").fan == expected).all()
    assert (ev.score(np.repeat(rows, 2, axis=0)[::2], "qq_sichuan").fan == expected).all()
    assert [ev.score(row, "qq_sichuan").fan for row in rows[:50]] == expected[:50].tolist()
    assert (ev.score(rows).fan == ev.score(rows, "sbr_2025").fan).all()
    cube = ev.score(rows[:60].reshape(3, 20, 27), "qq_sichuan")
    assert cube.fan.shape == cube.minimum_met.shape == (3, 20)
    assert cube.pattern.shape == (3, 20, 1)
    assert (cube.fan.ravel() == expected[:60]).all()
    assert (cube.pattern[2, 5] == ev.score(rows[45:46], "qq_sichuan").pattern[0]).all()
    assert cube.patterns((2, 5)) == ev.score(rows[45], "qq_sichuan").patterns
    for threads in (1, 2, 3):
        assert (ev.score(rows, "qq_sichuan", threads=threads).fan == expected).all()
    assert len(ev.score(np.zeros((0, 27), np.uint8), "qq_sichuan")) == 0
    assert len(ev.score(ev.Hands.from_hands([]), "qq_sichuan")) == 0
    with pytest.raises(ev.HandError, match="winning tile"):
        ev.score(rows, rules_of("house"))


def test_wait_scores_of_arrays():
    hands = families.batch(families.ready, 40, seed=3)
    bare = [hand for hand in hands if not hand.melds and not hand.flags & ~1]
    counts = np.array([hand.concealed for hand in bare], np.uint8)
    expected = ev.wait_scores(ev.Hands.from_hands(bare), "sbr_2025")
    for rows in (counts, counts[:, :27], counts.astype(np.int32)):
        found = ev.wait_scores(rows, "sbr_2025")
        width = rows.shape[1]
        assert (found.discard == expected.discard[:, :width]).all()
        assert (found.left == expected.left[:, :width]).all()
    one = ev.wait_scores(counts[0, :27], "sbr_2025")
    assert one.discard.shape == (27,)
    most = ev.rules("sbr_2025").ready_max_fan(counts)
    assert most.shape == (len(counts),)
    assert ev.rules("sbr_2025").ready_max_fan(counts[0]) == most[0]
    with pytest.raises(ev.RulesError):
        ev.rules("riichi").ready_max_fan(counts)
    with pytest.raises(ev.HandError, match="waits are scored for 13"):
        ev.rules("sbr_2025").ready_max_fan(ev.parse("11m"))


def test_more_copies_in_sight_than_there_are():
    hand = ev.Hand.parse("1111233334s|EE0000|0|wilds=3,indicator=3p")
    for tile, copies in (("1s", 1), ("4p", 2)):
        seen = ev.parse(tile * copies)
        for ask in (
            lambda seen: ev.wait_scores(hand, "yibin", seen=seen),
            lambda seen: ev.rules("yibin").ready_max_fan(hand, seen),
        ):
            with pytest.raises(ev.HandError, match=f"5 copies of {tile}") as caught:
                ask(seen)
            assert caught.value.reason == ev.Reason.SEEN_TOO_MANY


def test_the_combination_is_made_once():
    assert combination(ev.rules("yibin")) is combination(ev.rules("yibin"))


def test_a_pattern_may_eat_more_than_it_is_worth():
    """The hand has the roots that its pattern eats: it is worth 0 fan, no less."""
    rules = ev.rules("sbr_2025").replace(
        patterns={"豪华": {"value": 0, "group": 5, "req": ["seven", "hasgen"], "eat": 1}}
    )
    found = ev.score(ev.Hand.parse("1111m2233m445566p"), rules)
    assert (found.fan, found.gens) == (2, 1)


def test_all_255_patterns_are_told():
    rules = ev.Rules(
        "all", kinds=27, mode="linear", patterns={f"p{i}": {"value": i} for i in range(255)}
    )
    assert ev.score(ev.parse("11123456788899m"), rules).patterns == ("p254",)


def test_more_wild_tiles_than_any_hand_has():
    hands = ev.Hands.from_hands(families.batch(families.anything, 20, seed=8))
    for wilds in (9, 12, 105, 255):
        rows = ev.Hands(
            concealed=hands.concealed, melds=hands.melds, wilds=np.full(len(hands), wilds)
        )
        for rules in ("qq_sichuan", "yibin"):
            for found in (
                ev.score(rows, rules, errors="mark"),
                ev.wait_scores(rows, rules, errors="mark"),
            ):
                assert (found.reason == ev.Reason.TOO_MANY_WILDS).all()


def test_roots_of_a_pung_and_a_chow_that_both_lie_on_the_table():
    """Four of a tile in two melds are a root, a kong with wild tiles beside its own is none."""
    rules = ev.rules("qq_sichuan").replace(
        name="claims", chow_melds=True, wilds={"count": 4, "wild_counts_for_gen": False}
    )
    hand = ev.Hand.parse("[678m,1][888m,1]123456p5m5m")
    assert_scored([hand, hand.replace(indicator=20)], rules)
    assert ev.score(hand.replace(indicator=20), rules).gens == 1
    waits = ev.Hand.parse("[678m,1][888m,1]123456p5m|EE0000|0|indicator=3s")
    alike = ev.wait_scores(waits.replace(indicator=None), rules)
    assert (ev.wait_scores(waits, rules).discard == alike.discard).all()
    virtual = rules.replace(wilds={"virtual_fifth_copy": True})
    assert_scored([ev.Hand.parse("[888*m,1]678m123456p5m5m|EE0000|0|indicator=3s")], virtual)


def test_a_wild_tile_may_have_to_be_a_terminal():
    """Of ways to fill a suit in, that with a terminal, where a win needs one."""
    rules = ev.rules("qq_sichuan").replace(
        name="terminals", requires=["terminal"], max_suits=3, wilds={"count": 4, "kind": "extra"}
    )
    hand = ev.Hand.parse("[33*p,1]4678p23455s5p|EE0001|0|wilds=1")
    assert assert_scored([hand], rules) == 1
    assert assert_scored(families.batch(families.dragon_wilds, 60, seed=6), rules) > 20


def test_too_few_suits_are_not_too_many():
    rules = ev.rules("qq_sichuan").replace(max_suits=3, requires=["all_suits"])
    for text in ("111222333m4445m5m", "3355566688899p3p"):
        reason, message = reason_of(text, rules)
        assert reason == ev.Reason.NOT_A_WIN
        assert "three suits" in message
        batch = ev.score(ev.Hands.from_hands([ev.Hand.parse(text)] * 2), rules)
        assert (batch.reason == ev.Reason.NOT_A_WIN).all()


def test_suits_are_named_where_nothing_else_is_missing():
    """Of wild hands as of others: three suits, and no open meld where one is needed."""
    for wilds in (0, 4):
        rules = ev.rules("qq_sichuan").replace(
            name="open", requires=["open"], wilds={"count": wilds, "kind": "extra"}
        )
        text = "467m3355p12s3s|EE0000|0|wilds=4" if wilds else "456m333555p123s11p"
        assert assert_scored([ev.Hand.parse(text)], rules) == 0
        assert reason_of(text, rules)[0] == ev.Reason.NOT_A_WIN
