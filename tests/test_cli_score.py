"""Scores on the command line and in files."""

from __future__ import annotations

import csv
import io
import json
import shlex

import guobiao_reference as ref
import numpy as np
import pytest
import strategies_guobiao as drawn
from test_cli import call, stdin  # noqa: F401

import evaluator as ev
from evaluator.errors import FileError
from evaluator.files import evaluate, run
from evaluator.files.questions import FAN_COLUMNS
from evaluator.hands.arrow.parts import PARTS

HAND = "555666777p5556s7s|EE1000"


def test_the_list_a_player_reads(call):  # noqa: F811
    got = call("score", HAND)
    assert got.status == 0
    head, *fans, division = got.out.splitlines()
    assert head == f"{HAND}  48 fan"
    assert [line.split()[:2] for line in fans] == [
        ["24", "一色三同顺"],
        ["16", "全带五"],
        ["4", "不求人"],
        ["2", "平和"],
        ["1", "喜相逢"],
        ["1", "缺一门"],
    ]
    assert fans[0].split()[2:] == ["Pure", "Triple", "Chow"]
    assert division.strip() == "567p 567p 567p 567s* 55s, won with 7s 七条"


def test_one_language(call):  # noqa: F811
    chinese = call("score", HAND, "--lang", "zh").out
    assert "48番" in chinese
    assert "一色三同顺" in chinese
    assert "Pure" not in chinese
    english = call("score", HAND, "--lang", "en").out
    assert "48 fan" in english
    assert "Pure Triple Chow" in english
    assert "一色" not in english


def test_below_the_minimum(call):  # noqa: F811
    hand = "[123m,1][345m,1]678p56sWW7s|EE1000|8"
    got = call("score", hand)
    assert got.status == 0
    assert "9 fan, below the minimum of 8 (flowers apart)" in got.out
    assert "花牌 ×8" in got.out
    assert "9番, 不足8番" in call("score", hand, "--lang", "zh").out


@pytest.mark.parametrize(
    ("hand", "read"),
    [
        ("19m19p119sESWNPFC", "thirteen orphans: 19m 19p 9s 1234567z 11s, won with 7z 中"),
        ("258m23469p14788s3p", "knitted straight: 258m 369p 147s 234p* 88s, won with 3p 三筒"),
        ("22333344668888s", "seven pairs: 22333344668888s, won with 8s 八条"),
        ("369m147p25sSWNPF8s", "honours and knitted: 369m 147p 258s 23456z, won with 8s 八条"),
        ("[1111m]234p234s678s5p5p", "1111m 234p 234s 678s 55p*, won with 5p 五筒"),
        ("[123m,1][123m,1]123p12p55s3p", "123m 123m 123p* 123p 55s, won with 3p 三筒"),
    ],
)
def test_how_it_is_read(call, hand, read):  # noqa: F811
    assert call("score", hand).out.splitlines()[-1].strip() == read


def test_json(call):  # noqa: F811
    got = json.loads(call("score", "[123m,1][123m,1]123p12p55s3p", "--json").out)
    assert got["total"] == 6
    assert got["minimum_met"] is False
    assert got["form"] == "standard"
    assert got["sets"] == ["123m", "123m", "123p", "123p"]
    assert got["pair"] == "55s"
    assert got["won_in"] == "123p"
    assert {"name": "一般高", "english": "Pure Double Chow", "value": 1, "count": 2} in got["fans"]


def test_rule_sets(call):  # noqa: F811
    hand = "[1111s][2222m,1]345p678p8s8s|NN0000"
    assert "明暗杠" in call("score", hand).out
    assert "明暗杠" not in call("score", hand, "--rules", "guobiao_1998").out
    assert call("score", hand, "--rules", "riichi").status == 2


def test_what_is_no_win(call):  # noqa: F811
    got = call("score", "[123m,1][345m,1]678p56sWW8s", HAND)
    assert got.status == 1
    assert "not complete" in got.err
    assert "48 fan" in got.out
    for hand, why in (
        ("[123m,1][345m,1]678p56sWW", "14"),
        ("123m11z", "14"),
        ("234p234s678s567m5p5p|EE1001", "杠上开花"),
    ):
        got = call("score", hand)
        assert (got.status, got.out) == (1, "")
        assert why in got.err


def test_standard_input(call, stdin):  # noqa: F811
    stdin(f"# two hands\n{HAND}\n19m19p119sESWNPFC\n".encode())
    assert [line.split()[1] for line in call("score", "-").out.splitlines() if " fan" in line] == [
        "48",
        "88",
    ]


# --- files ---


@pytest.fixture(scope="module")
def cases():
    return [case for kind in drawn.KINDS_OF_HANDS for case in drawn.batch(kind, 30, seed=51)]


def answers(source, tmp_path, queries="score", **options):
    sink = tmp_path / "out"
    run(source, sink, queries, force=True, **options)
    return list(csv.DictReader(io.StringIO(sink.read_text(encoding="utf-8"))))


def fans_of(case: ref.Case) -> str:
    fans = ev.score(drawn.to_hands([case]), detail=True).parts(0)
    return " ".join(f.name + (f"×{f.count}" if f.count > 1 else "") for f in fans)


def check(rows, cases):
    assert len(rows) == len(cases)
    for row, case in zip(rows, cases, strict=True):
        right = ref.score(case)
        assert row["score"] == str(right.total)
        assert row["minimum_met"] == str(right.minimum_met).lower()
        assert row["fans"] == fans_of(case)
        assert row["error"] == ""


def test_file_of_hands(cases, tmp_path):
    source = tmp_path / "hands.txt"
    source.write_text("\n".join(str(drawn.to_hand(case)) for case in cases), encoding="utf-8")
    check(answers(source, tmp_path, chunk=1000), cases)


def meld_text(kind: str, tile: int) -> str:
    tiles = np.bincount(ref.meld_tiles(kind, tile), minlength=34)
    return f"[{ev.format(tiles, 'gb')}{',1' if kind == 'kong' else ''}]"


def test_file_of_parts(cases, tmp_path):
    """Each field of a hand in its own column, in any order."""
    source = tmp_path / "parts.csv"
    with source.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["id", *reversed(PARTS)])
        writer.writeheader()
        for number, case in enumerate(cases):
            row = {
                "id": number,
                "concealed": ev.format(case.concealed),
                "melds": "".join(meld_text(*meld) for meld in case.melds),
                "win_tile": ev.format(np.bincount([case.win], minlength=34)),
                "flags": ",".join(sorted(case.flags)),
                "prevalent_wind": "ESWN"[case.prevalent],
                "seat_wind": "eswn"[case.seat],
                "flowers": case.flowers or "",
            }
            writer.writerow(row)
    rows = answers(source, tmp_path, chunk=2000)
    check(rows, cases)
    assert [row["id"] for row in rows] == [str(number) for number in range(len(cases))]


def test_parts_that_are_left_out(tmp_path):
    """Tiles alone are enough: the last one is the winning tile."""
    source = tmp_path / "parts.csv"
    source.write_text("concealed\n123789s123789p3m3m\n555666777p5556s7s\n", encoding="utf-8")
    assert [row["score"] for row in answers(source, tmp_path)] == ["8", "46"]


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("55567s,[123m][345m][NNN],5p,,N,N,1", "not among the concealed"),
        ("55567s,[123m][345m][NNN],55s,,N,N,1", "win_tile must be one tile"),
        ("55567s,[123m][345m][NNN],5s,foo,N,N,1", "'foo' means nothing"),
        ("55567s,[123m][345m][NNN],5s,,X,N,1", "prevalent_wind must be E, S, W or N, not 'X'"),
        ("55567s,[123m][345m][NNN],5s,,N,4,1", "seat_wind must be"),
        ("55567s,[123m][345m][NNN],5s,,N,N,9", "flowers must be 0 to 8, got 9"),
        ("55567s,[124m][345m][NNN],5s,,N,N,1", "no set"),
        ("55568s,[123m][345m][NNN],5s,,N,N,1", "not a complete hand"),
        ("55567s,[123m][345m],5s,,N,N,1", "14"),
        (",[123m][345m],,,N,N,1", "0 tiles"),
    ],
)
def test_bad_parts(tmp_path, row, why):
    """They keep their place, and their neighbours their answers."""
    header = "concealed,melds,win_tile,flags,prevalent_wind,seat_wind,flowers"
    good = "55567s,[123m][345m][NNN],5s,self_drawn,N,N,1"
    source = tmp_path / "parts.csv"
    source.write_text("\n".join([header, good, row, good]), encoding="utf-8")
    first, bad, last = answers(source, tmp_path)
    assert why in bad["error"]
    assert (bad["score"], bad["minimum_met"], bad["fans"]) == ("", "", "")
    for got in (first, last):
        assert (got["score"], got["fans"]) == ("7", "圈风刻 门风刻 缺一门 自摸 花牌")


def test_a_file_without_hands(tmp_path):
    source = tmp_path / "parts.csv"
    source.write_text("melds,win_tile\n[123m],5s\n", encoding="utf-8")
    with pytest.raises(FileError, match="no column 'hand'"):
        answers(source, tmp_path)


def test_json_lines(tmp_path):
    source, sink = tmp_path / "hands.txt", tmp_path / "out.jsonl"
    source.write_text(f"{HAND}\n123m\n22333344668888s\n", encoding="utf-8")
    run(source, sink, ["score", "win"], form="jsonl")
    first, bad, last = map(json.loads, sink.read_text(encoding="utf-8").splitlines())
    assert first["fans"] == ["一色三同顺", "全带五", "不求人", "平和", "喜相逢", "缺一门"]
    assert (first["score"], first["minimum_met"], first["win"]) == (48, True, True)
    assert (bad["score"], bad["minimum_met"], bad["fans"]) == (None, None, None)
    assert "四归一×2" in last["fans"]


def test_columns(cases):
    hands = drawn.to_hands(cases)
    found = evaluate(hands, ["score", "shanten"])
    right = ev.score(hands, detail=True)
    assert np.array_equal(found["score"], right.fan)
    assert np.array_equal(found["minimum_met"], right.minimum_met)
    counts = np.frombuffer(found["fan_counts"].tobytes(), np.uint8).reshape(-1, FAN_COLUMNS)
    assert np.array_equal(counts, right.counts)
    assert found["fans"].tolist() == [fans_of(case) for case in cases]
    assert not found["reason"].any()


def test_columns_of_what_is_no_win():
    hands = ev.Hands.from_hands(
        [ev.Hand.parse(text) for text in ("123m456p789s1122z3z", HAND, "123m456p789s1122z")]
    )
    found = evaluate(hands, "score", "guobiao_1998")
    assert found["score"].tolist() == [-1, 48, -1]
    assert found["fans"].tolist()[::2] == ["", ""]
    reasons = [ev.Reason.NOT_A_WIN, ev.Reason.OK, ev.Reason.BAD_SIZE]
    assert found["reason"].tolist() in (reasons, [*reasons[:2], ev.Reason.NO_WIN_TILE])
    assert all(found["error"].tolist()[::2])


def test_rules_without_fan(tmp_path):
    source = tmp_path / "hands.txt"
    source.write_text(HAND, encoding="utf-8")
    with pytest.raises(ev.RulesError):
        answers(source, tmp_path, rules="riichi")
    assert not (tmp_path / "out").exists()


def test_help(call):  # noqa: F811
    shown = call("score", "--help").out
    examples = [line.strip() for line in shown.splitlines() if line.startswith("  mahjong-eval ")]
    assert len(examples) == 4
    for example in examples:
        got = call(*shlex.split(example)[1:])
        assert (got.status, got.err) == (0, "")
    assert "score" in call("--help").out
    assert all(part in call("batch", "--help").out for part in PARTS)
