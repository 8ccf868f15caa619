"""Guobiao scores: golden files, the rule text, a rival, invariants, bad input."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from functools import cache
from random import Random

import guobiao_golden as golden
import guobiao_reference as ref
import numpy as np
import pytest
import strategies_guobiao as drawn
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import evaluator as ev
from evaluator.dealing import FAMILIES
from evaluator.errors import Reason
from evaluator.hands import NONE, Hands
from evaluator.rulesets.fan import fan_table

RULE_SETS = ref.RULE_SETS
TABLE = fan_table(ev.rules("guobiao"))
COLUMNS = [fan.chinese for fan in sorted(TABLE.fans, key=lambda fan: fan.number)]
by_kind = pytest.mark.parametrize("kind", drawn.KINDS_OF_HANDS, ids=lambda kind: kind.__name__)


def listed(counts) -> Counter:
    """A row of ``fan_counts`` by name."""
    return Counter({COLUMNS[i]: n for i, n in enumerate(np.asarray(counts).tolist()) if n})


def list_of(score) -> Counter:
    """The list of the score of one hand by name."""
    return Counter({fan.chinese: fan.count for fan in score.fans})


@cache
def scored(kind, n: int = 400, seed: int = 41):
    """Hands of a kind, and what the package says of them."""
    cases = drawn.batch(kind, n, seed)
    hands = drawn.to_hands(cases)
    return cases, hands, ev.score(hands, "guobiao", detail=True)


# --- the fan table ---


def specified() -> dict[str, tuple[int, int, str, set[str]]]:
    """name -> (number, points, English, names in the column "not with")."""
    rows = {}
    text = (golden.FOLDER / "fan_table.md").read_text(encoding="utf-8")
    for line in text.splitlines()[2:]:
        number, chinese, english, points, _, not_with = (c.strip() for c in line.split("|")[1:-1])
        names = chinese.split(" / ")
        if len(names) == 3:
            words = [f"{word} Wait" for word in english.removesuffix(" Wait").split(" / ")]
        else:
            words = english.split(" / ")
        if names == ["圈风刻", "门风刻"]:
            words = ["Prevalent Wind", "Seat Wind"]
        numbers = ["82"] if number == "–" else number.split("/")
        # what stands in brackets or behind ";" is added, not excluded
        excluded = re.sub(r"\([^)]*\)|;.*", "", not_with)
        for n, name, word in zip(numbers, names, words, strict=True):
            rows[name] = (
                int(n),
                int(points),
                word,
                set(re.split(r"[ ,]+", excluded)) & set(COLUMNS),
            )
    # abbreviated there, or said of the pung itself
    rows["三杠"][3].update({"双暗杠", "明暗杠", "双明杠", "暗杠", "明杠"})
    rows["箭刻"][3].add("幺九刻")
    return rows


def test_the_fan_table_is_the_specified_one():
    table = specified()
    assert len(table) == 82
    for fan in TABLE.fans:
        excluded = {*fan.not_with, *fan.not_of_its_sets, *fan.not_once}
        assert (fan.number, fan.value, fan.english, excluded) == table[fan.chinese], fan


def test_the_reference_excludes_what_is_specified():
    """But for what its definitions leave out by themselves."""
    by_itself = {*ref.TWO_CHOWS, "幺九刻"}
    for name, (_, points, _, excluded) in specified().items():
        assert ref.VALUE[name] == points
        assert set(ref.NOT_WITH[name]) - by_itself == excluded - by_itself, name


def test_1998():
    strict = fan_table(ev.rules("guobiao_1998"))
    assert {fan.chinese for fan in TABLE.fans} - {fan.chinese for fan in strict.fans} == {"明暗杠"}
    assert strict.needs_sets == ref.NOT_ON_SEVEN_PAIRS_1998
    for fan in strict.fans:
        before = set(TABLE.by_name()[fan.chinese].not_with)
        more = set(ref.NOT_WITH_1998[fan.chinese]) - set(ref.NOT_WITH[fan.chinese])
        assert set(fan.not_with) == before | more


# --- golden files ---


@pytest.mark.parametrize("name", [*golden.LISTED, "xinbian_mcr_totals"])
def test_golden(name):
    """Totals, lists and minimum, one by one and as a batch."""
    rows = [(line, row) for line, row in enumerate(golden.rows(name), 1) if "error" not in row]
    hands = [ev.Hand.parse(row["hand"]) for _, row in rows]
    totals = ev.score(ev.Hands.from_hands(hands), "guobiao")
    detailed = ev.score(hands, "guobiao", detail=True)
    expected = [golden.total_of(name, line, row) for line, row in rows]
    assert totals.total.tolist() == expected
    assert detailed.total.tolist() == expected
    assert totals.fan_counts is None
    minimum = [total - hand.flowers >= 8 for total, hand in zip(expected, hands, strict=True)]
    assert totals.minimum_met.tolist() == minimum
    assert not totals.reason.any()
    for at, ((line, row), hand) in enumerate(zip(rows, hands, strict=True)):
        if "fans" in row:
            one = ev.score(hand, "guobiao")
            assert (one.total, one.minimum_met) == (expected[at], minimum[at])
            fans = list_of(one)
            assert fans == listed(detailed.fan_counts[at])
            canonical = fans in golden.lists_of(row)
            assert canonical != (
                name == "helper_definition_examples" and line == golden.OTHER_LIST
            ), (row, one)


def test_golden_refusals():
    refused = [row for row in golden.rows("edge_cases") if "error" in row]
    assert len(refused) == 4
    for row in refused:
        with pytest.raises(ev.HandError):
            ev.score(ev.Hand.parse(row["hand"]), "guobiao")


def test_rulebook_1998():
    slips = {}
    for line, row in enumerate(golden.rows("rulebook1998_examples"), 1):
        fans = list_of(ev.score(ev.Hand.parse(row["hand"]), "guobiao"))
        missing = golden.lacking([row["heading"], *row["listed"]], fans)
        if missing:
            (slips[line],) = missing
    assert slips == golden.SELF_CONTRADICTIONS


def test_one_hand_for_each_fan():
    for row in golden.rows("mcr_java_81_gold"):
        fans = list_of(ev.score(ev.Hand.parse(row["hand"]), "guobiao"))
        assert not golden.lacking([row["heading"], *row["listed"]], fans), row


def test_golden_waits():
    for row in golden.rows("gb_mahjong_ting_tests"):
        case = ref.Case.parse(row["input"])
        hand = drawn.to_hand(dataclasses.replace(case, win=None))
        expected = {ref._tiles(name.removeprefix("TILE_"))[0] for name in row["expectedNames"]}
        expected = {tile for tile in expected if case.owned[tile] < 4}
        found = ev.wait_scores(hand, "guobiao")
        assert set(np.flatnonzero(found.self_drawn >= 0).tolist()) == expected


# --- the rule text ---


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(drawn.won_hands(), st.sampled_from(RULE_SETS))
def test_reference(case, rule_set):
    """Total, minimum and list of one hand, and of the batch of it alone."""
    right = ref.score(case, rule_set)
    one = ev.score(drawn.to_hand(case), rule_set)
    batch = ev.score(drawn.to_hands([case]), rule_set, detail=True)
    assert one.total == batch.total[0] == right.total
    assert one.minimum_met == batch.minimum_met[0] == right.minimum_met
    assert list_of(one) == listed(batch.fan_counts[0])
    assert list_of(one) in right.canonical


@by_kind
@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_reference_in_bulk(kind, rule_set):
    cases, hands, found = scored(kind)
    if rule_set != "guobiao":
        found = ev.score(hands, rule_set, detail=True)
    for at, case in enumerate(cases):
        right = ref.score(case, rule_set)
        assert found.total[at] == right.total, case
        assert listed(found.fan_counts[at]) in right.canonical, case


@by_kind
def test_division(kind):
    """The division that is named gives the total by the rule text."""
    for case in scored(kind)[0][:60]:
        one = ev.score(drawn.to_hand(case), "guobiao")
        division = one.division
        sets = tuple((meld.kind, meld.tile) for meld in division.sets)
        readings = [r for w in ref.won_with(case) for r in ref.readings(w)]
        readings = [r for r in readings if r.form == division.form]
        if division.form in ("standard", "knitted_straight"):
            same = (sorted(sets), division.pair)
            readings = [r for r in readings if (sorted(r.sets), r.pair) == same]
        lists = []
        for reading in readings:
            holder = reading.winner
            if isinstance(holder, int):
                holder = ev.Meld(*reading.sets[holder])
            in_form = holder == "form" or (holder == "body" and division.holds_win == "form")
            # of a dealt hand nothing holds the winning tile
            if in_form or holder == division.holds_win or "heavenly" in case.flags:
                for fans in ref.satisfied(case, reading):
                    lists.append(ref.leave_out(fans, reading.form, "guobiao"))
        assert list_of(one) in lists, (case, division)


def test_every_fan_is_scored():
    counts = sum(scored(kind)[2].fan_counts.sum(axis=0, dtype=int) for kind in drawn.KINDS_OF_HANDS)
    assert counts.shape == (82,)
    assert (counts > 0).all(), [COLUMNS[i] for i in np.flatnonzero(counts == 0)]


# --- PyMahjongGB ---

PER_KIND = -(-100_000 // len(drawn.KINDS_OF_HANDS))


@by_kind
def test_mahjonggb(kind):
    """100,000 random wins of all kinds with melds and flags: no other total."""
    calculate = pytest.importorskip("MahjongGB").MahjongFanCalculator
    cases = [drawn.undealt(case) for case in drawn.batch(kind, PER_KIND, seed=42)]
    ours = ev.score(drawn.to_hands(cases), "guobiao").total
    theirs = [sum(points for points, _ in calculate(*drawn.to_mahjonggb(case))) for case in cases]
    differing = np.flatnonzero(ours != theirs)
    assert not len(differing), [(cases[i], ours[i], theirs[i]) for i in differing[:3]]


# --- invariants ---


def relabelled(hands: Hands, tile_map: list[int]) -> Hands:
    """Every tile of the hands as another one."""
    new = np.array(tile_map)
    concealed = np.zeros_like(hands.concealed)
    concealed[:, new] = hands.concealed
    melds = np.zeros(124, np.uint8)
    for number in range(1, 124):
        meld = ev.Meld.from_id(number)
        melds[number] = ev.Meld(meld.kind, min(tile_map[t] for t in meld.tiles)).id
    win = np.array([*tile_map, *range(34, 256)], np.uint8)
    return dataclasses.replace(
        hands, concealed=concealed, melds=melds[hands.melds], win_tile=win[hands.win_tile]
    )


SUIT_ORDERS = [[1, 0, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]]
MAPS = [
    [9 * order[t // 9] + t % 9 if t < 27 else t for t in range(34)] for order in SUIT_ORDERS
] + [[t - t % 9 + 8 - t % 9 if t < 27 else t for t in range(34)]]


@by_kind
@pytest.mark.parametrize("tile_map", MAPS, ids=["pms", "spm", "psm", "smp", "9 to 1"])
def test_relabelling(kind, tile_map):
    """Suits can be exchanged and ranks turned round, but for 绿一色 and 推不倒."""
    _, hands, before = scored(kind)
    after = ev.score(relabelled(hands, tile_map), "guobiao", detail=True)
    special = [COLUMNS.index("绿一色"), COLUMNS.index("推不倒")]
    coloured = (before.fan_counts | after.fan_counts)[:, special].any(axis=1)
    assert (before.total == after.total)[~coloured].all()
    assert kind is drawn.coloured or (~coloured).any()


def test_batch_is_one_by_one():
    parts = [scored(kind)[1][:40] for kind in drawn.KINDS_OF_HANDS]
    hands = ev.Hands.concat(parts)
    whole = ev.score(hands, "guobiao", detail=True, threads=2)
    for at, hand in enumerate(hands):
        one = ev.score(hand)
        assert (one.total, one.minimum_met) == (whole.total[at], whole.minimum_met[at])
        assert list_of(one) == listed(whole.fan_counts[at])
        assert one.fans == whole.fans(at)
    for other in (
        ev.score(hands, "guobiao", threads=1),
        ev.score(list(hands), threads=3),
        ev.score(hands, errors="mark"),
        ev.score(hands[::-1], "guobiao", detail=True),
    ):
        total = other.total if other.fan_counts is None else other.total[::-1]
        assert np.array_equal(total, whole.total)
    order = np.random.default_rng(43).permutation(len(hands))
    assert np.array_equal(ev.score(hands[order]).total, whole.total[order])
    assert len(ev.score(hands[:0])) == 0


def test_order_of_a_list():
    """The most valuable fan first, in a batch as in the score of one hand."""
    hand = ev.Hand.parse("[NNNN][9999s,1][CCC,1][FFF,1]9m9m")
    one, batch = ev.score(hand), ev.score([hand], detail=True)
    assert {"明暗杠", "双箭刻"} <= set(list_of(one))
    assert one.fans == batch.fans(0)
    values = [fan.value for fan in TABLE.fans]
    assert values == sorted(values, reverse=True)


def test_the_list_adds_up():
    values = np.zeros(82, int)
    for fan in TABLE.fans:
        values[fan.column] = fan.value
    for kind in drawn.KINDS_OF_HANDS:
        found = scored(kind)[2]
        assert np.array_equal(found.fan_counts @ values, found.total)


# --- waiting hands ---


def waiting(kind, n: int, seed: int) -> list[ref.Case]:
    """Hands of a kind without their winning tile."""
    found = []
    for case in drawn.batch(kind, n, seed):
        held = list(case.concealed)
        held[case.win] -= 1
        found.append(dataclasses.replace(case, concealed=tuple(held), win=None))
    return found


def entry(case: ref.Case, tile: int, self_drawn: bool, seen: list[int]) -> tuple[int, bool]:
    """What the rule text says of one tile: total and minimum, −1 where flags cannot be."""
    others_in_sight = seen[tile] + case.owned[tile] >= 3 and not case.concealed[tile]
    last = "last_tile" in case.flags or others_in_sight
    done = ref.completed(case, tile, self_drawn=self_drawn, last_tile=last)
    try:
        right = ref.score(done)
    except ref.Refused:
        return -1, False
    return right.total, right.minimum_met


@by_kind
def test_wait_scores(kind):
    """Every entry is the score of the completed hand; every wait has one."""
    random = Random(44)
    for case in waiting(kind, 25, seed=45):
        seen = [0] * 34
        if random.random() < 0.5:
            for tile in random.sample(range(34), 12):
                seen[tile] = random.randint(0, 4 - case.owned[tile])
        hand = drawn.to_hand(case)
        found = ev.wait_scores(hand, "guobiao", seen=seen)
        tiles = ref.winning_tiles(case)
        shape = ev.waits(hand, "guobiao", seen=seen)
        assert shape.shanten == 0
        accepted = [tile for tile in range(34) if int(shape.mask) >> tile & 1]
        assert [tile for tile in accepted if case.owned[tile] < 4] == tiles
        reaching = []
        for tile in range(34):
            if tile not in tiles:
                assert found.discard[tile] == found.self_drawn[tile] == -1
                assert not found.minimum_met[tile].any()
                assert found.left[tile] == 0
                continue
            claimed = entry(case, tile, False, seen)
            self_drawn = entry(case, tile, True, seen)
            left = 4 - case.owned[tile] - seen[tile]
            # what the flags forbid both ways is no wait of this win
            assert found.left[tile] == (left if max(claimed[0], self_drawn[0]) >= 0 else 0)
            assert (found.discard[tile], found.minimum_met[tile, 0]) == claimed, (case, tile, seen)
            assert (found.self_drawn[tile], found.minimum_met[tile, 1]) == self_drawn, (case, tile)
            if not case.flags:
                assert claimed[0] > 0
                assert self_drawn[0] > 0
            if claimed[1] or self_drawn[1]:
                reaching.append(tile)
        worth = ev.waits(hand, "guobiao", seen=seen, minimum=True)
        assert worth.shanten == 0
        assert [tile for tile in range(34) if int(worth.mask) >> tile & 1] == reaching
        assert worth.total == sum(4 - case.owned[tile] - seen[tile] for tile in reaching)
        assert worth.left.tolist() == [
            4 - case.owned[tile] - seen[tile] if tile in reaching else 0 for tile in range(34)
        ]


def test_wait_scores_of_a_batch():
    cases = [case for kind in drawn.KINDS_OF_HANDS for case in waiting(kind, 20, seed=46)]
    hands = drawn.to_hands(cases)
    seen = np.zeros((len(hands), 34), np.uint8)
    seen[:, 27:] = np.minimum(1, 4 - np.array([case.owned for case in cases]))[:, 27:]
    found = ev.wait_scores(hands, seen=seen, threads=2)
    worth = ev.waits(hands, "guobiao", seen=seen, minimum=True)
    assert found.discard.shape == found.self_drawn.shape == found.left.shape == (len(cases), 34)
    assert found.minimum_met.shape == (len(cases), 34, 2)
    for at, hand in enumerate(hands):
        one = ev.wait_scores(hand, seen=seen[at])
        for name in ("discard", "self_drawn", "minimum_met", "left"):
            assert np.array_equal(getattr(one, name), getattr(found, name)[at])
        reaching = found.minimum_met[at].any(axis=1)
        assert int(worth.mask[at]) == sum(1 << int(tile) for tile in np.flatnonzero(reaching))
        assert worth.total[at] == found.left[at][reaching].sum()


def test_wait_scores_ignore_self_drawn():
    hand = ev.Hand.parse("[123m,1][345m,1]678p56sWW")
    for tile, discard, self_drawn in ((21, 8, 1), (24, 8, 1)):
        for drawn_self in (False, True):
            found = ev.wait_scores(hand.replace(self_drawn=drawn_self))
            assert (found.discard[tile], found.self_drawn[tile]) == (discard, self_drawn)
            assert found.minimum_met[tile].tolist() == [True, False]


def test_a_hand_that_is_far_has_no_wait_scores():
    hand = ev.Hand.parse("159m159p159s1234z")
    found = ev.wait_scores(hand)
    assert (found.discard == -1).all()
    assert (found.self_drawn == -1).all()
    assert not found.minimum_met.any()
    assert ev.waits(hand, minimum=True).shanten == ev.waits(hand).shanten > 0
    assert ev.waits(hand, minimum=True).total == ev.waits(hand).total


def test_wait_scores_of_arrays():
    """What a bare array does not say is: no melds, east, no flags, no flowers."""
    texts = ("1112345678999m", "19m19p19s1234567z", "123456789m11p77z")
    rows = np.array([ev.parse(text) for text in texts])
    found = ev.wait_scores(rows)
    for at, row in enumerate(rows):
        one = ev.wait_scores(ev.Hand(tuple(row.tolist())))
        for same in (ev.wait_scores(row), ev.wait_scores(row.astype(np.int64))):
            assert np.array_equal(same.discard, one.discard)
        assert np.array_equal(found.discard[at], one.discard)
        assert np.array_equal(found.self_drawn[at], one.self_drawn)
    assert ev.wait_scores(rows.reshape(3, 1, 34)).minimum_met.shape == (3, 1, 34, 2)
    assert ev.waits(rows, minimum=True).total.tolist() == [23, 39, 4]


def test_wait_scores_refuse():
    good = "[123m,1][345m,1]678p56sWW"
    for text, seen, reason in (
        ("[123m,1][345m,1]678p56sWW7s", None, Reason.BAD_SIZE),
        ("678p56sWW", None, Reason.BAD_SIZE),
        (good, [0] * 23 + [4] + [0] * 10, Reason.SEEN_TOO_MANY),
    ):
        hand = ev.Hand.parse(text)
        with pytest.raises(ev.HandError) as caught:
            ev.wait_scores(hand, seen=seen)
        assert caught.value.reason == reason
        assert caught.value.index is None
        rows = [ev.Hand.parse(good), hand]
        both = None if seen is None else [[0] * 34, seen]
        with pytest.raises(ev.HandError) as caught:
            ev.wait_scores(rows, seen=both)
        assert (caught.value.index, caught.value.reason) == (1, reason)
        marked = ev.wait_scores(rows, seen=both, errors="mark")
        assert marked.reason.tolist() == [0, reason]
        assert (marked.discard[1] == -1).all()
        assert marked.discard[0].max() == 8
    with pytest.raises(ev.RulesError):
        ev.wait_scores(ev.Hand.parse(good), "riichi")


def test_minimum_needs_scores():
    with pytest.raises(ev.RulesError):
        ev.waits(ev.parse("1112345678999m"), "riichi", minimum=True)


# --- what cannot be ---

# --- a dealt hand ---


def dealt(case: ref.Case) -> ref.Case | None:
    """The same tiles as a dealer's hand; None where melds were claimed."""
    if any(kind != "concealed_kong" for kind, _ in case.melds):
        return None
    after_kong = case.flags & {"kong"} if "self_drawn" in case.flags else set()
    return changed(case, flags=after_kong | {"self_drawn", "heavenly"})


@pytest.mark.parametrize(
    ("text", "total", "fans"),
    [
        ("123456m45679p66s8p", 9, "不求人 平和 喜相逢 连六×2"),
        ("123456m456789p66s", 9, "不求人 平和 喜相逢 连六×2"),
        ("11112345678999p", 107, "九莲宝灯 清龙 四归一 自摸"),
        ("11122345678999p", 93, "九莲宝灯 双暗刻 连六 幺九刻 自摸"),
        ("11123345678999p", 90, "九莲宝灯 连六 自摸"),
        ("11123445678999p", 90, "九莲宝灯 连六 自摸"),
        ("11123455678999p", 92, "九莲宝灯 双暗刻 幺九刻 自摸"),
        ("1112223334445m5m", 149, None),
        ("[8888m]567m234p567sWW", 11, None),
    ],
)
def test_dealt_hands(text, total, fans):
    """No wait, and nine gates, whatever tile is written last, or none."""
    hand = ev.Hand.parse(text + "|EE1000|0|heavenly")
    for rule_set in RULE_SETS:
        wins = [None, *(tile for tile, count in enumerate(hand.concealed) if count)]
        hands = [hand.replace(win_tile=win) for win in wins]
        scores = [ev.score(one, rule_set) for one in hands]
        assert len({repr(score) for score in scores}) == 1
        assert {score.division.holds_win for score in scores} == {None}
        batch = ev.score(hands, rule_set, detail=True)
        assert set(batch.total.tolist()) == {scores[0].total}
        assert all(batch.fans(row) == scores[0].fans for row in range(len(hands)))
        assert ref.score(ref.Case.of(hand), rule_set).total == scores[0].total
    if fans is not None:
        assert " ".join(f"{n}×{c}" if c > 1 else n for n, c in list_of(scores[0]).items()) == fans
        assert scores[0].total == total


@by_kind
def test_dealt_hands_against_the_rule_text(kind):
    cases = [case for case in map(dealt, scored(kind)[0][:80]) if case]
    cases = [*cases, *(changed(case, win=None) for case in cases)]
    for rule_set in RULE_SETS:
        found = ev.score(drawn.to_hands(cases), rule_set, detail=True)
        for row, case in enumerate(cases):
            right = ref.score(case, rule_set)
            assert found.total[row] == right.total, case
            assert listed(found.fan_counts[row]) in right.lists, case
            assert not set(ref.WAITS) & set(listed(found.fan_counts[row])), case
    half = len(cases) // 2
    assert (found.total[:half] == found.total[half:]).all()


REASONS = {
    "count": Reason.COUNT_ABOVE_FOUR,
    "meld": Reason.BAD_MELD,
    "size": Reason.BAD_SIZE,
    "five copies": Reason.FIVE_COPIES,
    "no winning tile": Reason.NO_WIN_TILE,
    "winning tile": Reason.WIN_TILE_NOT_HELD,
    "flags": Reason.IMPOSSIBLE_FLAGS,
    "wind": Reason.BAD_WIND,
    "flowers": Reason.BAD_FLOWERS,
}
PLAIN = ref.Case.parse("[123m,1][345m,1]678p56sWW7s")
KONG = ref.Case.parse("[1111m,1][345m,1]678p56sWW7s")
DEALT = ref.Case.parse("[8888m]567m234p56sWW7s|EE1000|0|heavenly")


def changed(case: ref.Case, **changes) -> ref.Case:
    return dataclasses.replace(case, **changes)


def counts(text: str) -> tuple[int, ...]:
    return tuple(ref._tiles(text).count(tile) for tile in range(34))


BAD = [
    ("count", changed(PLAIN, concealed=counts("77777s678p"))),
    ("size", changed(PLAIN, melds=(("chow", 0),))),
    ("size", changed(PLAIN, concealed=counts("678p567sWWW"))),
    ("size", changed(PLAIN, concealed=counts("678p567sWW999m"))),
    ("five copies", changed(PLAIN, melds=(("kong", 24), ("chow", 2)))),
    ("five copies", changed(PLAIN, melds=(("chow", 0),) * 2, concealed=counts("111m678p7s7s"))),
    ("no winning tile", changed(PLAIN, win=None)),
    ("winning tile", changed(PLAIN, win=0)),
    ("winning tile", changed(PLAIN, win=25)),
    ("wind", changed(PLAIN, prevalent=4)),
    ("wind", changed(PLAIN, seat=9)),
    ("flowers", changed(PLAIN, flowers=9)),
    ("flags", changed(PLAIN, flags=frozenset({"self_drawn", "kong"}))),
    ("flags", changed(PLAIN, flags=frozenset({"kong", "wall_last"}))),
    ("flags", changed(PLAIN, flags=frozenset({"kong"}), win=29)),
    ("flags", changed(PLAIN, flags=frozenset({"kong"}), melds=(("chow", 0), ("chow", 24)))),
    ("flags", changed(PLAIN, flags=frozenset({"last_tile"}), win=29)),
    ("flags", changed(PLAIN, flags=frozenset({"kong_discard", "self_drawn"}))),
    ("flags", changed(KONG, flags=frozenset({"kong_discard", "kong"}))),
    ("flags", changed(PLAIN, flags=frozenset({"heavenly"}))),
    ("flags", changed(PLAIN, flags=frozenset({"heavenly", "self_drawn"}))),
    ("flags", changed(PLAIN, flags=frozenset({"earthly", "self_drawn"}))),
    ("flags", changed(DEALT, flags=DEALT.flags | {"last_tile"})),
    ("flags", changed(DEALT, flags=DEALT.flags | {"last_tile"}, win=None)),
    ("winning tile", changed(DEALT, win=0)),
    ("winning tile", changed(DEALT, win=77)),
    ("no winning tile", changed(DEALT, flags=frozenset({"self_drawn", "earthly"}), win=None)),
    ("size", changed(DEALT, concealed=counts("5679m234p567s"), win=None)),
]


def test_the_bad_rows_are_bad():
    for why, case in BAD:
        assert why in set(ref.faults(case)), case


@pytest.mark.parametrize(("why", "case"), BAD, ids=lambda value: str(value)[:60])
def test_bad_rows(why, case):
    """In a batch the reason's code, or the error of the first bad row; a Hand is never made."""
    rows = drawn.to_hands([PLAIN, case, KONG])
    for detail in (False, True):
        marked = ev.score(rows, errors="mark", detail=detail)
        assert marked.reason.tolist() == [0, REASONS[why], 0]
        assert marked.total[1] == -1
        assert not marked.minimum_met[1]
        assert marked.total[0] == ref.score(PLAIN).total
        if detail:
            assert not marked.fan_counts[1].any()
        with pytest.raises(ev.HandError) as caught:
            ev.score(rows, detail=detail)
        assert caught.value.index == 1
        assert caught.value.reason == REASONS[why]
    with pytest.raises(ev.HandError):
        ev.score(drawn.to_hand(case))


def test_good_rows_beside_the_bad():
    for case in (PLAIN, KONG, changed(KONG, flags=frozenset({"kong", "self_drawn"}))):
        assert ev.score(drawn.to_hand(case)).total == ref.score(case).total
    robbed = changed(PLAIN, flags=frozenset({"kong"}))
    assert "抢杠和" in list_of(ev.score(drawn.to_hand(robbed)))


def spoiled(case: ref.Case, random: Random) -> ref.Case:
    """One thing about a hand made another, most often so that it cannot be."""
    held = list(case.concealed)
    what = random.randrange(8)
    if what == 0:
        held[random.randrange(34)] += random.choice((1, 3))
        return changed(case, concealed=tuple(held))
    if what == 1:
        held[case.win] -= 1
        held[random.randrange(34)] += 1
        return changed(case, concealed=tuple(held))
    if what == 2 and case.melds:
        kind = random.choice(("chow", "pung", "kong", "concealed_kong"))
        meld = (kind, random.randrange(21 if kind == "chow" else 34))
        if kind == "chow":
            meld = (kind, meld[1] // 7 * 9 + meld[1] % 7)
        return changed(case, melds=(meld, *case.melds[1:]))
    if what == 3:
        return changed(case, win=random.choice((None, random.randrange(34))))
    if what == 4:
        names = ("self_drawn", "last_tile", "wall_last", "kong", "kong_discard", "heavenly")
        return changed(case, flags=case.flags ^ {random.choice(names), random.choice(names)})
    if what == 5:
        return changed(case, flowers=random.randrange(6, 12))
    if what == 6:
        return changed(case, seat=random.randrange(6))
    a, b = random.sample(range(34), 2)
    held[a], held[b] = held[b], held[a]
    return changed(case, concealed=tuple(held))


@by_kind
def test_spoiled_hands(kind):
    """What the rule text refuses or cannot read is refused here, for one of the same reasons."""
    random = Random(47)
    cases = [spoiled(case, random) for case in drawn.batch(kind, 300, seed=48)]
    found = ev.score(drawn.to_hands(cases), errors="mark", detail=True)
    for at, case in enumerate(cases):
        reason, faults = Reason(int(found.reason[at])), set(ref.faults(case))
        if faults:
            assert reason in {REASONS[fault] for fault in faults}, (case, reason)
            assert found.total[at] == -1
            continue
        try:
            right = ref.score(case)
        except ref.NoWin:
            assert (reason, found.total[at]) == (Reason.NOT_A_WIN, -1), case
            with pytest.raises(ev.NotAWin):
                ev.score(drawn.to_hand(case))
        else:
            assert (reason, found.total[at]) == (Reason.OK, right.total), case


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_no_win_has_no_score(family):
    """A dealt hand has a score if and only if it is complete."""
    dealt = ev.deal(5000, 14, seed=49, family=family)
    hands = ev.Hands(concealed=dealt, win_tile=dealt.argmax(axis=1))
    found = ev.score(hands)
    wins = ev.is_win(dealt, "guobiao")
    assert np.array_equal(found.reason == Reason.OK, wins)
    assert np.array_equal(found.reason == Reason.NOT_A_WIN, ~wins)
    assert np.array_equal(found.total > 0, wins)
    assert wins.any() or family not in ("near_win", "flush", "pairs")


def test_not_a_win():
    hand = ev.Hand.parse("[123m,1][345m,1]678p56sWW8s")
    with pytest.raises(ev.NotAWin, match="not complete"):
        ev.score(hand)
    assert ev.score(hand, errors="mark").reason == Reason.NOT_A_WIN
    for errors in ("raise", "mark"):
        batch = ev.score(ev.Hands.from_hands([hand]), errors=errors)
        assert (batch.total[0], batch.reason[0]) == (-1, Reason.NOT_A_WIN)


def test_unknown_bits_and_ids():
    rows = drawn.to_hands([PLAIN] * 4)
    flags, melds, win = rows.flags.copy(), rows.melds.copy(), rows.win_tile.copy()
    flags[1], melds[2, 0], win[3] = 1 << 7, 124, 40
    rows = dataclasses.replace(rows, flags=flags, melds=melds, win_tile=win)
    reasons = ev.score(rows, errors="mark").reason.tolist()
    assert reasons[0] == 0
    assert reasons[1:3] == [Reason.IMPOSSIBLE_FLAGS, Reason.BAD_MELD]
    assert reasons[3] in (Reason.NO_WIN_TILE, Reason.WIN_TILE_NOT_HELD)


def test_a_gap_between_melds():
    """Which slots of ``melds`` are used says nothing."""
    rows = drawn.to_hands([PLAIN] * 3)
    a, b, *_ = rows.melds[0].tolist()
    rows = dataclasses.replace(rows, melds=[[a, b, 0, 0], [0, a, b, 0], [b, 0, 0, a]])
    assert len(set(ev.score(rows).total.tolist())) == 1


def test_wilds_are_refused():
    rows = dataclasses.replace(drawn.to_hands([PLAIN, PLAIN]), wilds=[0, 1])
    assert ev.score(rows, errors="mark").reason.tolist() == [0, Reason.TOO_MANY_WILDS]
    with pytest.raises(ev.HandError):
        ev.score(rows)


@pytest.mark.parametrize(
    "bare", [counts("123m456p789sEESSW"), np.zeros((2, 34), np.uint8), [[0] * 34]]
)
def test_a_bare_array_needs_the_winning_tile(bare):
    with pytest.raises(ev.HandError, match="winning tile"):
        ev.score(bare, "guobiao")


def test_a_waiting_hand_needs_the_winning_tile():
    with pytest.raises(ev.HandError):
        ev.score(ev.Hand.parse("[123m,1][345m,1]678p56sWW"))
    rows = dataclasses.replace(drawn.to_hands([PLAIN]), win_tile=NONE)
    with pytest.raises(ev.HandError, match="winning tile"):
        ev.score(rows)


def test_rules_without_fan():
    with pytest.raises(ev.RulesError):
        ev.score(drawn.to_hand(PLAIN), "riichi")
    with pytest.raises(ev.EvaluatorError):
        ev.score(drawn.to_hand(PLAIN), errors="ignore")


# --- what a player reads ---


def test_one_hand_as_text():
    score = ev.score(ev.Hand.parse("555666777p5556s7s|EE1000"))
    for piece in ("48", "一色三同顺 24", "全带五 16", "不求人 4", "平和 2"):
        assert piece in repr(score)
    for piece in ("48", "Pure Triple Chow", "一色三同顺", "567p"):
        assert piece in str(score)
    low = ev.score(ev.Hand.parse("[123m,1][345m,1]678p56sWW7s|EE1000"))
    assert not low.minimum_met
    assert "minimum" in repr(low)
