"""Scores of the Sichuan family for people: how they are read, the command line, files."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest
import sichuan_golden as golden
import sichuan_reference as ref
import strategies_sichuan as drawn
from test_cli import call, stdin  # noqa: F401

import evaluator as ev
from evaluator.files import evaluate, run

HAND = "11224444557799m"
KONG = "[9999m]111222333m9p9p|EE1001|0"
WILD = "22334455668m|EE1000|0|wilds=3,indicator=6p"
READY = "[888s,1]1112233456s"
PLACES = {
    "夹心": {"value": 2, "group": 5, "req": ["jiaxin"]},
    "夹心五": {"value": 3, "group": 5, "req": ["jiaxinwu"]},
    "单钓": {"value": 1, "group": 6, "req": ["dandiao"]},
    "边张": {"value": 1, "group": 7, "req": ["bianzhang"]},
    "一条龙": {"value": 3, "group": 8, "req": ["yitiaolong"]},
}
HOUSE = ev.rules("sbr_2025").replace(patterns=PLACES, wilds={"count": 4, "kind": "extra"})
DRAGONS = ev.rules("qq_sichuan").replace(wilds={"count": 8, "kind": "extra", "wild_fan": -1})


# --- how the fan come about, and how a hand is read ---


def check_parts(score: ev.Score, multiply: bool) -> None:
    """The parts give the fan, and are those that the score names."""
    values = [part.value * part.count for part in score.parts]
    assert (math.prod(values) if multiply else sum(values)) == score.fan
    names = {part.name: part.count for part in score.parts}
    assert [part.name for part in score.parts if part.name in score.patterns] == [*score.patterns]
    for name, count in (("根", score.gens), ("杠", score.kongs)):
        assert names.get(name, 0) in (count, 0)


def facts_of(hand: ev.Hand, division: ev.ScoredDivision) -> set[str]:
    """What is true of a hand read so, as the slow scorer says."""
    case = ref.Case.of(hand)
    found = ref.facts_of_hand(case)
    if division.form == "seven_pairs":
        return found | {"seven"} | ({"dandiao"} if hand.win_tile is not None else set())
    sets = [(meld.kind, meld.tile) for meld in division.sets]
    found |= ref.facts_of_division(len(hand.melds), sets, division.pair)
    holder = division.holds_win
    if holder == "pair":
        found.add("dandiao")
    elif isinstance(holder, ev.Meld):
        (place,) = ref.places(0, [(holder.kind, holder.tile)], -1, hand.win_tile)
        found |= place
    return found


def check_division(hand: ev.Hand, score: ev.Score, rules: ev.Rules) -> None:
    """All patterns of the score hold in its division, which is made of the hand's tiles."""
    division = score.division
    assert division is not None
    assert len(division.wilds) == hand.wilds
    counts = np.array(hand.concealed)
    np.add.at(counts, list(division.wilds), 1)
    if division.form == "standard":
        used = [tile for meld in division.sets[len(hand.melds) :] for tile in meld.tiles]
        assert (
            sorted([*used, division.pair, division.pair]) == np.repeat(range(34), counts).tolist()
        )
        assert division.sets[: len(hand.melds)] == hand.melds
    else:
        assert not (counts % 2).any()
    filled = ref.Case(
        tuple(counts.tolist()),
        tuple((meld.kind, meld.tile) for meld in hand.melds),
        hand.win_tile,
        frozenset(name for name in ev.FLAGS if getattr(hand, name)),
        hand.seat_wind == 0,
    )
    assert max(filled.owned) <= 4
    assert len(ref.roots_of(filled)) == score.gens
    if hand.win_tile is None:
        return
    told = ev.Hand(
        tuple(counts.tolist()), tuple(ev.Meld(m.kind, m.tile) for m in hand.melds), hand.win_tile,
        seat_wind=hand.seat_wind, self_drawn=hand.self_drawn,
    )  # fmt: skip
    facts = facts_of(told, division) | {name for name in ev.FLAGS if getattr(hand, name)}
    for pattern in rules.patterns:
        if pattern.name in score.patterns:
            assert set(pattern.req) <= facts | {"juezhang"}, (str(hand), pattern)


@pytest.mark.parametrize("name", ["qq_sichuan", "chengdu_5_80", "yibin", "points_1_2_3_4_8"])
def test_parts_and_divisions_of_golden_hands(name):
    rules = ev.rules(name)
    scored = 0
    for hand, expected in golden.golden()[::17]:
        if expected[name] is None:
            continue
        score = ev.score(hand, rules)
        check_parts(score, multiply=False)
        check_division(hand, score, rules)
        scored += 1
    assert scored > 50


@pytest.mark.parametrize(
    ("family", "rules"),
    [
        *((family, HOUSE) for family in drawn.COMPLETE),
        (drawn.yibin_wilds, ev.rules("yibin")),
        (drawn.dragon_wilds, HOUSE),
        (drawn.many_wilds, DRAGONS),
        (drawn.dandong, ev.rules("dandong")),
    ],
    ids=lambda value: getattr(value, "__name__", getattr(value, "name", None)),
)
def test_parts_and_divisions(family, rules):
    scored = 0
    for hand in drawn.batch(family, 60, seed=3):
        score = ev.score(hand, rules, errors="mark")
        if not score.reason:
            check_parts(score, multiply=rules.mode == "product")
            check_division(hand, score, rules)
            scored += 1
    assert scored > 20


def test_what_wild_tiles_stand_for_is_not_always_plain():
    hand = ev.Hand.parse("22334455668m|EE1000|0|wilds=3")
    for knob in ({"virtual_fifth_copy": True}, {"wild_counts_for_gen": False}):
        rules = DRAGONS.replace(wilds=knob)
        score = ev.score(hand, rules)
        assert score.division is None
        assert "\n" in str(score)
    assert ev.score(hand, DRAGONS).division.wilds


def test_no_score_has_no_parts():
    score = ev.score(ev.Hand.parse("123m456p789s11s222m"), "qq_sichuan", errors="mark")
    assert (score.parts, score.division) == ((), None)
    assert str(score) == repr(score) == "<Score: none, TOO_MANY_SUITS>"


# --- the command line ---


def test_the_sum_a_player_checks(call):  # noqa: F811
    got = call("score", HAND, KONG, "--rules", "qq_sichuan")
    assert (got.status, got.err) == (0, "")
    assert got.out.splitlines() == [
        f"{HAND}  6 fan: 192 points, the discarder pays 192",
        "   6  清龙七对",
        "  -1  减根      roots that are part of it",
        "   1  根        root",
        "  192 = 6 × 2^(6 - 1)",
        "  seven pairs: 11224444557799m, won with 9m 九万",
        f"{KONG}  5 fan: 96 points, each other player pays 96",
        "  3  带幺九",
        "  1  杠      kong",
        "  1  杠上花  out on a kong's replacement tile",
        "  96 = 6 × 2^(5 - 1)",
        "  9999m 123m 123m 123m 99p*, won with 9p 九筒",
    ]


def test_cap_and_self_draw(call):  # noqa: F811
    hand = f"{HAND}|EE1000"
    got = call("score", hand, "--rules", "chengdu_5_80").out
    assert "5 fan: 80 points, each other player pays 85" in got
    assert "80 = 5 × 2^4, at most 4 fan count; 85: one base more" in got
    got = call("score", hand, "--rules", "chengdu_5_80", "--lang", "zh").out
    assert "5番：80分，其他各家付85" in got
    assert "80 = 5 × 2^4，4番封顶; 85: 自摸加底" in got
    assert "root" not in got


def test_one_language_of_patterns(call):  # noqa: F811
    got = call("score", HAND, "--rules", "qq_sichuan", "--lang", "en").out
    assert [line.split()[1:] for line in got.splitlines()[1:4]] == [
        ["清龙七对"],
        ["roots", "that", "are", "part", "of", "it"],
        ["root"],
    ]


def test_multipliers(call):  # noqa: F811
    hand = "[EEE,1]123m456p79s11s8s|ES0000"
    got = call("score", hand, "--rules", "dandong").out.splitlines()
    assert got[0] == f"{hand}  4 fan: 4 points, the discarder, for all, pays 12"
    assert [line.split() for line in got[1:3]] == [["×2", "点炮"], ["×2", "夹胡"]]
    assert got[3].strip() == "4 = 1 × 4; 12: for all three"


def test_wild_tiles(call):  # noqa: F811
    got = call("score", WILD, "--rules", "yibin").out.splitlines()
    assert got[-1].strip() == ("seven pairs: 22223344556688m, won with 8m 八万, wild tiles as 228m")
    assert got[3].split() == ["-1", "听用", "wild", "tiles"]
    found = json.loads(call("score", WILD, "--rules", "yibin", "--json").out)
    assert found["wilds"] == ["2m", "2m", "8m"]
    assert (found["fan"], found["addons"], found["form"]) == (5, -1, "seven_pairs")
    # a drawn wild tile
    got = call("score", "33445566778m|EE1000|0|wilds=3,indicator=1m,win=none", "--rules", "yibin")
    assert "won with" not in got.out
    assert "wild tiles as 338m" in got.out


def test_json_of_patterns(call):  # noqa: F811
    found = json.loads(call("score", KONG, "--rules", "sbr_2025", "--json").out)
    assert found["hand"] == KONG
    assert [found[key] for key in ("fan", "points", "payment", "minimum_met")] == [3, 8, 9, True]
    assert found["patterns"] == ["大对子"]
    assert [found[key] for key in ("gens", "kongs", "addons")] == [0, 1, 1]
    assert sum(part["value"] * part["count"] for part in found["parts"]) == 3
    assert found["sets"] == ["9999m", "111m", "222m", "333m"]
    assert (found["pair"], found["won_in"], found["wilds"]) == ("99p", "pair", [])


def test_below_the_minimum_of_patterns(call, tmp_path):  # noqa: F811
    path = tmp_path / "two.toml"
    text = ev.rules("qq_sichuan")
    shown = call("rules", "qq_sichuan", "--toml").out
    path.write_text(shown.replace("offset = 1", "offset = 1\nminimum = 2", 1), encoding="utf-8")
    assert ev.rules(str(path)) == text.replace(name="two", minimum=2)
    hand = "123m456m789m22p333p"
    got = call("score", hand, "--rules", path)
    assert f"{hand}  1 fan, below the minimum of 2 fan: no win" in got.out
    got = call("score", hand, "--rules", path, "--lang", "zh")
    assert "1番, 不足2番" in got.out
    waiting = "123m456m789m1122p"
    lines = call("waits", waiting, "--rules", path).out.splitlines()
    assert lines[1].endswith("discard 1 fan (below 2), self-drawn 1 fan (below 2)")
    got = call("waits", waiting, "--rules", path, "--minimum").out
    assert "0 tiles complete it" in got


def test_refused(call):  # noqa: F811
    for hand, rules, why in (
        ("123m456m789m11p222s", "qq_sichuan", "3 suits (m, p, s)"),
        (WILD, "qq_sichuan", "3 wild tiles; qq_sichuan has none"),
        ("[123m,1]123m456m789m11m", "qq_sichuan", "qq_sichuan does not allow chow melds"),
        ("123m456m789m11z222m", "yibin", "yibin is played without honours"),
        ("123m456m789m22p446p", "yibin", "not complete"),
    ):
        got = call("score", hand, "--rules", rules)
        assert (got.status, got.out) == (1, "")
        assert why in got.err


def test_waits_and_what_they_are_worth(call):  # noqa: F811
    got = call("waits", READY, "--rules", "sbr_2025").out.splitlines()
    assert got[0] == f"{READY}  ready 听: 5 tiles complete it, 12 copies left"
    assert got[1] == "  1s 一条  1 left  discard 3 fan, self-drawn 3 fan"
    found = json.loads(call("waits", READY, "--rules", "sbr_2025", "--json").out)
    right = ev.wait_scores(ev.Hand.parse(READY), "sbr_2025")
    assert [wait["discard"]["fan"] for wait in found["waits"]] == [
        int(fan) for fan in right.discard if fan >= 0
    ]
    # Guobiao, when it is named; and hands that are only a part
    guobiao = call("waits", "[123m,1][345m,1]678p56sWW", "--rules", "guobiao").out
    assert "discard 8 fan, self-drawn 1 fan (below 8)" in guobiao
    assert "fan" not in call("waits", "[123m,1][345m,1]678p56sWW").out
    assert "fan" not in call("waits", "1122m", "--rules", "sbr_2025").out
    assert call("waits", "1122m", "--rules", "riichi", "--minimum").status == 2


def test_waits_with_wild_tiles(call):  # noqa: F811
    hand = "22334455667m|EE0000|0|wilds=2,indicator=6p"
    lines = call("waits", hand, "--rules", "yibin").out.splitlines()
    (drawn_only,) = (line for line in lines if line.startswith("  7p"))
    assert drawn_only.endswith("discard -, self-drawn 5 fan")
    given = call("waits", "22334455667m", "--rules", "yibin", "--wilds", "2").out
    assert "  2m 二万  2 left  discard 5 fan, self-drawn 5 fan" in given.splitlines()


def test_minimum_with_wild_tiles():
    rules = ev.rules("yibin").replace(minimum=4)
    hand = ev.Hand.parse("22334455667m")
    mask = (1 << 9) - 1
    assert ev.waits(hand, rules, wilds=2, minimum=True).mask == mask
    rows = np.tile(np.array(hand.concealed)[:27], (2, 3, 1))
    found = ev.waits(rows, rules, wilds=2, minimum=True, seen=np.eye(1, 27)[0].astype(int))
    assert (found.mask == mask).all()
    assert found.mask.shape == (2, 3)
    assert (ev.waits(rows, rules, wilds=2).mask > mask).all()
    hands = ev.Hands.from_hands([hand, ev.Hand.parse("1122334455m1p")])
    marked = ev.waits(hands, rules, wilds=[2, 2], minimum=True)
    assert marked.mask[0] == mask


# --- files ---


COLUMNS = ("fan", "points", "payment", "patterns", "gens", "kongs", "addons", "minimum_met")


def rows_of(path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def row_of(hand: ev.Hand, rules: str) -> dict[str, str]:
    score = ev.score(hand, rules)
    numbers = {name: str(getattr(score, name)) for name in COLUMNS}
    numbers |= {"patterns": " ".join(score.patterns)}
    return numbers | {"minimum_met": numbers["minimum_met"].lower()}


@pytest.mark.parametrize(
    ("rules", "family"),
    [
        ("qq_sichuan", drawn.anything),
        ("chengdu_5_80", drawn.four_kongs),
        ("yibin", drawn.yibin_wilds),
        ("dandong", drawn.dandong),
    ],
)
def test_a_file_of_wins(tmp_path, rules, family):
    hands = [
        hand
        for hand in drawn.batch(family, 60, seed=9)
        if not ev.score(hand, rules, errors="mark").reason
    ]
    source, sink = tmp_path / "wins.txt", tmp_path / "out.csv"
    source.write_text("\n".join(map(str, hands)), encoding="utf-8")
    run(source, sink, "score", rules)
    rows = rows_of(sink)
    assert [*rows[0]] == ["hand", *COLUMNS, "error"]
    for row, hand in zip(rows, hands, strict=True):
        right = row_of(hand, rules)
        assert {name: row[name] for name in COLUMNS} == right
        assert row["error"] == ""
    run(source, tmp_path / "out.jsonl", ["win", "score"], rules, form="jsonl")
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    for row, line in zip(rows, lines, strict=True):
        found = json.loads(line)
        assert found["patterns"] == row["patterns"].split(" ")
        assert [found[name] for name in ("fan", "points")] == [int(row["fan"]), int(row["points"])]


def test_parts_and_wilds_in_columns(tmp_path):
    """Melds, flags and wild tiles in columns of their own."""
    source, sink = tmp_path / "parts.csv", tmp_path / "out.csv"
    source.write_text(
        "concealed,melds,flags,wilds\n"
        '111222333m99p,[9999m],"self_drawn,kong",0\n'
        "22334455668m,,self_drawn,3\n",
        encoding="utf-8",
    )
    run(source, sink, "score", "yibin")
    first, second = rows_of(sink)
    assert {name: first[name] for name in COLUMNS} == row_of(ev.Hand.parse(KONG), "yibin")
    right = ev.Hand.parse("22334455668m|EE1000|0|wilds=3")
    assert {name: second[name] for name in COLUMNS} == row_of(right, "yibin")


def test_bad_rows_keep_their_place(tmp_path):
    source, sink = tmp_path / "hands.txt", tmp_path / "out.csv"
    source.write_text(f"{HAND}\n123m456m789m11p222s\n1z\n{KONG}\n", encoding="utf-8")
    run(source, sink, "score", "qq_sichuan")
    rows = rows_of(sink)
    assert [row["fan"] for row in rows] == ["6", "", "", "5"]
    assert all(rows[1][name] == "" for name in COLUMNS)
    assert rows[1]["error"] == "tiles of three suits: no win (缺门)"
    assert "not in this game" in rows[2]["error"]


def test_columns_named_like_results(tmp_path):
    source, sink = tmp_path / "hands.csv", tmp_path / "out.csv"
    source.write_text(f"hand,fan,score\n{HAND},1,2\n", encoding="utf-8")
    with pytest.raises(ev.EvaluatorError, match=r"named like results \(fan\)"):
        run(source, sink, "score", "qq_sichuan")
    run(source, sink, "score", "qq_sichuan", replace=True)
    assert rows_of(sink)[0]["fan"] == "6"
    assert rows_of(sink)[0]["score"] == "2"


def test_columns_of_patterns():
    hands = ev.Hands.from_hands(
        [ev.Hand.parse(text) for text in (HAND, "123m456m789m11p222s", KONG, "123m456m789m1122p")]
    )
    found = evaluate(hands, ["score", "shanten"], "sbr_2025")
    right = ev.score(hands, "sbr_2025", errors="mark")
    for name in ("fan", "points", "payment", "gens", "kongs", "addons", "minimum_met"):
        assert np.array_equal(found[name], getattr(right, name)), name
        assert found[name].dtype == getattr(right, name).dtype
    numbers = np.frombuffer(found["pattern"].tobytes(), np.uint8).reshape(len(hands), -1)
    assert np.array_equal(numbers, right.pattern)
    assert found["patterns"].tolist() == ["七对 清一色", "", "大对子", ""]
    assert found["fan"].tolist()[3] == -1
    # what is no win has its shanten; alone the score says why it has none
    assert found["reason"].tolist() == [0] * 4
    alone = evaluate(hands, "score", "sbr_2025")["reason"].tolist()
    assert alone == [0, ev.Reason.TOO_MANY_SUITS, 0, ev.Reason.BAD_SIZE]
    # a rule set of one's own, by its path or as it is
    assert evaluate(hands, "score", HOUSE)["patterns"].tolist()[0].startswith("七对 清一色")


def test_arrow():
    pa = pytest.importorskip("pyarrow")
    batch = pa.record_batch({"hand": [HAND, "1z", KONG]})
    found = evaluate(batch, "score", "sbr_2025", tiles="names", keep=())
    assert found.schema.names == [*COLUMNS, "error"]
    assert found["patterns"].to_pylist() == [["七对", "清一色"], None, ["大对子"]]
    assert found["payment"].to_pylist() == [8, None, 9]
    coded = evaluate(batch, "score", "sbr_2025", keep=())
    groups = len({pattern.group for pattern in ev.rules("sbr_2025").patterns})
    assert coded.schema.field("pattern").type == pa.binary(groups)
    assert coded["pattern"].to_pylist()[1] is None


def test_parquet_and_back_to_text(tmp_path):
    pytest.importorskip("pyarrow")
    source = tmp_path / "wins.txt"
    source.write_text(f"{HAND}\n{KONG}\n1z\n", encoding="utf-8")
    text, folder = tmp_path / "out.csv", tmp_path / "out.parquet"
    run(source, folder, "score", "sbr_2025", form="parquet")
    again = tmp_path / "again.csv"
    run(source, text, "score", "sbr_2025")
    run(folder, again, "shanten", "sbr_2025", replace=True)
    for before, after in zip(rows_of(text), rows_of(again), strict=True):
        assert before["patterns"] == after["patterns"]
        assert before["fan"] == after["fan"]
    # under another rule set the numbers have no names
    run(folder, again, "win", "qq_sichuan", replace=True, force=True)
    assert "02ff04" in rows_of(again)[0]["pattern"]


def test_warmup_compiles_patterns():
    steps = ev.warmup().seconds
    for name in ("score", "wait_scores"):
        for kind in ("", " and divisions", " and wild tiles"):
            assert f"{name}, patterns{kind}" in steps
    assert "ready_max_fan" in steps
