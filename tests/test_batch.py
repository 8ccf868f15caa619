"""Columns and text files: what goes in, what comes out, and what can go wrong between."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import random
import stat
import subprocess
import sys
from pathlib import Path

import hypothesis
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import strategies as some

import evaluator as ev
from evaluator.errors import EvaluatorError, FileError, HandError, NotationError, Reason, RulesError
from evaluator.files import BadRow, BadRowError, evaluate, run
from evaluator.files.questions import check_queries
from evaluator.files.textinput import LONGEST, read_layout
from evaluator.hands import Hands
from evaluator.hands.arrow.texts import read_texts, split_run
from evaluator.hands.arrow.wrong import one_line
from evaluator.hands.notation import format_hand

ROOT = Path(__file__).parents[1]
ALL = ("shanten", "waits", "discards", "win")

GOOD = (
    "123m456p789s1122z",
    "123m456p789s11122z",
    "1589m2347p68s2246z",
    "[123m,1][EEE,2]45m678p99s",
    "[EEEE]45m678p99s112p",
    "一二三万 四五六筒 七八九条 东东 白白",
    "🀇🀈🀉🀙",
    "W1W2W3B1",
    "1112345678999m",
    "19m19p19s1234567z",
    "55z|EE1000|3|wilds=2",
    "11m",
)
BAD = ("12x", "123m", "11111m", "123456789m123456z", "[124m]1m", "19m8z", "12")


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def files(tmp_path):
    """``files(text)`` writes the input; gives the input and output paths."""

    def make(text: str | bytes, name: str = "in.txt") -> tuple[Path, Path]:
        source = tmp_path / name
        source.write_bytes(text.encode() if isinstance(text, str) else text)
        return source, tmp_path / "out.csv"

    return make


# --- columns


def sampled(n: int, seed: int = 0) -> Hands:
    """Hands of all sizes, some with melds."""
    chance = random.Random(seed)
    hands = []
    for _ in range(n):
        melds = [ev.Meld("pung", 27 + chance.randrange(7))] * chance.randrange(2)
        room = 14 - 3 * len(melds)
        size = chance.choice([k for k in range(1, room + 1) if k % 3])
        wall = [t for t in range(34) for _ in range(4) if not melds or t != melds[0].tile]
        counts = np.bincount(chance.sample(wall, size), minlength=34)
        hands.append(ev.Hand(tuple(counts.tolist()), tuple(melds)))
    return Hands.from_hands(hands)


@pytest.mark.parametrize("rules", ["guobiao", "riichi"])
def test_columns_are_what_the_queries_say(rules):
    hands = sampled(300)
    columns = evaluate(hands, ALL, rules)
    assert not columns["reason"].any()
    assert set(columns["error"].tolist()) == {""}
    for row, hand in enumerate(hands):
        assert columns["shanten"][row] == ev.shanten(hand, rules)
        assert columns["win"][row] == ev.is_win(hand, rules)
        if hand.is_complete_size:
            found = ev.discards(hand, rules)
            best = int(found.best())
            assert columns["discard"][row] == best
            assert columns["discard_shanten"][row] == found.shanten[best]
            assert columns["discard_mask"][row] == found.mask[best]
            assert columns["discard_left"][row] == found.left[best]
            assert columns["waits_shanten"][row] == -128
            assert columns["waits"][row] == ""
        else:
            found = ev.waits(hand, rules)
            assert columns["waits_shanten"][row] == found.shanten
            assert columns["waits_mask"][row] == found.mask
            assert columns["waits_left"][row] == found.total
            listed = ev.parse(str(columns["waits"][row])) if found.mask else np.zeros(34, int)
            assert listed.astype(bool).tolist() == found.tiles.tolist()
            assert columns["discard"][row] == 255


def test_columns_use_seen_void_and_wilds():
    hands = Hands.from_hands([ev.Hand.parse(text) for text in ("123m456p789s1122z", "11m")])
    seen = ev.parse("11z")
    assert evaluate(hands, "waits", "riichi", seen=seen)["waits_left"].tolist() == [2, 0]
    per_hand = np.stack([ev.parse("1z"), ev.parse("9p")])
    assert evaluate(hands, "waits", "riichi", seen=per_hand)["waits_left"].tolist() == [3, 0]

    sichuan = Hands.from_hands([ev.Hand.parse(text) for text in ("123456m789p123s1m", "1m")] * 2)
    void = np.array([2, 255, 255, 0], np.uint8)
    got = evaluate(sichuan, "shanten", "sbr_2025", void=void)["shanten"]
    free = ev.shanten(sichuan, "sbr_2025")
    assert got[0] == ev.shanten(sichuan[0], "sbr_2025", void=2)
    assert got[1:3].tolist() == free[1:3].tolist()
    assert got[3] == ev.shanten(sichuan[3], "sbr_2025", void=0)

    wilds = np.array([0, 3], np.uint8)
    got = evaluate(hands, "shanten", "riichi", wilds=wilds)["shanten"]
    assert got[1] == ev.shanten(hands[1], "riichi", wilds=3)


def test_columns_mark_bad_rows_and_say_why():
    concealed = np.stack([ev.parse("123m456p789s1122z")] * 4)
    concealed[1, 0] = 5
    concealed[2, 30] = 1
    hands = Hands(concealed=concealed, melds=[[0] * 4] * 3 + [[0, 0, 0, 200]])
    columns = evaluate(hands, ALL, "riichi")
    assert columns["reason"].tolist() == [
        0,
        Reason.COUNT_ABOVE_FOUR,
        0,
        Reason.BAD_MELD,
    ]
    assert "5 copies of 1m" in columns["error"][1]
    assert columns["error"][0] == ""
    assert columns["shanten"].tolist()[1::2] == [-128, -128]
    for name in ("waits_mask", "discard_mask", "waits_left", "win"):
        assert not columns[name][[1, 3]].any()
    assert columns["discard"].tolist()[1::2] == [255, 255]


@pytest.mark.parametrize("query", ALL)
def test_every_query_alone_finds_the_bad_row(query):
    concealed = np.zeros((3, 34), np.uint8)
    concealed[:, : 14 if query in ("discards", "win") else 13] = 1
    concealed[1, 0] = 9
    columns = evaluate(Hands(concealed=concealed), [query], "riichi")
    assert columns["reason"].tolist() == [0, Reason.COUNT_ABOVE_FOUR, 0]


def test_a_hand_of_the_other_size_is_bad_only_when_no_query_takes_it():
    hands = Hands.from_hands([ev.Hand.parse("123m1z"), ev.Hand.parse("123m11z")])
    assert evaluate(hands, ["waits"])["reason"].tolist() == [0, Reason.BAD_SIZE]
    assert evaluate(hands, ["discards"])["reason"].tolist() == [Reason.BAD_SIZE, 0]
    for names in (("waits", "discards"), ("shanten", "waits"), ("discards", "win"), ALL):
        columns = evaluate(hands, names)
        assert columns["reason"].tolist() == [0, 0]
        if "shanten" in names:
            assert columns["shanten"].tolist() == [0, -1]
        if "waits" in names:
            assert columns["waits_shanten"].tolist() == [0, -128]
        if "discards" in names:
            assert columns["discard_shanten"].tolist() == [-128, 0]
    # 3k tiles fit nothing, whatever is asked
    wrong = Hands(concealed=np.array([[1, 1, 1] + [0] * 31], np.uint8))
    for names in (("waits",), ("discards",), ("win", "discards"), ("waits", "discards"), ALL):
        assert evaluate(wrong, names)["reason"].tolist() == [Reason.BAD_SIZE]


@pytest.mark.parametrize("query", ["waits", "discards"])
def test_a_query_that_does_not_fit_leaves_its_cells_empty(files, query):
    source, sink = files("123m456p789s1122z\n123m456p789s11222z\n")
    assert run(source, sink, ("shanten", query)) == (2, 0)
    rows = rows_of(sink)
    assert [row["shanten"] for row in rows] == ["0", "-1"]
    unfit = rows[1] if query == "waits" else rows[0]
    assert set(unfit.values()) == {unfit["hand"], unfit["shanten"], ""}
    # wilds count as tiles
    source.write_text("123m456p789s1122z\n")
    assert run(source, sink, ("shanten", query), wilds=1, force=True) == (1, 0)
    filled = rows_of(sink)[0]["waits_left" if query == "waits" else "discard_left"]
    assert bool(filled) == (query == "discards")


def test_hands_with_nothing_to_choose(files):
    never = "[111m][111p][111s]22233m"
    source, sink = files(f"{never}\n|EE0000|0|wilds=2\n11m\n")
    assert run(source, sink, "discards", "sbr_2025") == (3, 0)
    rows = rows_of(sink)
    assert [row["discard"] for row in rows] == ["", "", "1m"]
    assert rows[0]["discard_shanten"] == "127"
    assert rows[0]["discard_left"] == "0"


@pytest.mark.parametrize("rules", ["guobiao", "sbr_2025"])
@pytest.mark.parametrize("query", ALL)
def test_every_bad_row_says_what_it_would_say_alone(rules, query):
    chance = np.random.default_rng(8)
    concealed = chance.integers(0, 2, (200, 34), np.uint8)
    concealed[::2, 12:] = 0
    concealed[chance.integers(0, 200, 20), 3] = 5
    melds = np.zeros((200, 4), np.uint8)
    melds[150:, 0] = 26
    hands = Hands(concealed=concealed, melds=melds, wilds=chance.integers(0, 10, 200))
    columns = evaluate(hands, [query], rules)
    ask = ev.is_win if query == "win" else getattr(ev, query)
    for row in range(len(hands)):
        message, reason = "", Reason.OK
        try:
            ask(hands[row : row + 1], rules)
        except HandError as error:
            message, reason = error.message, error.reason or Reason.NOTATION
        assert columns["error"][row] == message
        assert columns["reason"][row] == reason
    assert len(set(columns["error"].tolist())) > 10


def test_columns_of_nothing():
    columns = evaluate(Hands(concealed=np.zeros((0, 34), np.uint8)), ALL)
    assert {len(column) for column in columns.values()} == {0}


def test_blocks_do_not_show(monkeypatch):
    hands = sampled(100, seed=3)
    seen = np.zeros((100, 34), np.uint8)
    void = np.full(100, 255, np.uint8)
    whole = evaluate(hands, ALL, seen=seen, void=void)
    monkeypatch.setattr("evaluator.files.asking.BLOCK", 7)
    pieces = evaluate(hands, ALL, seen=seen, void=void)
    for name, column in whole.items():
        assert column.tolist() == pieces[name].tolist(), name


def test_arguments_that_do_not_fit():
    hands = sampled(3)
    with pytest.raises(EvaluatorError, match="'fan' is not a query"):
        evaluate(hands, ["fan"])
    with pytest.raises(EvaluatorError, match="nothing asked"):
        check_queries([])
    with pytest.raises(HandError, match="void must be one number or 3"):
        evaluate(hands, ["shanten"], void=np.zeros(4, np.uint8))
    with pytest.raises(HandError, match="seen must be"):
        evaluate(hands, ["waits"], seen=np.zeros((4, 34), np.uint8))
    with pytest.raises(RulesError, match="riichi"):
        evaluate(hands, ["shanten"], "richi")


# --- text


def test_lines_in_csv_out(files):
    source, sink = files("# a comment\n123m456p789s1122z\n\n  1589m2347p68s2246z \n")
    assert run(source, sink, ALL, "guobiao") == (2, 0)
    assert sink.read_text() == (
        "hand,shanten,waits_shanten,waits,waits_left,discard,discard_shanten,discard_waits,"
        "discard_left,win,error\n"
        "123m456p789s1122z,0,0,12z,4,,,,,false,\n" + sink.read_text().splitlines()[2] + "\n"
    )
    second = rows_of(sink)[1]
    hand = ev.Hand.parse("1589m2347p68s2246z")
    assert second["hand"] == "1589m2347p68s2246z"
    assert int(second["shanten"]) == ev.shanten(hand, "guobiao")


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_every_notation_equals_one_hand_at_a_time(files, form):
    text = "\n".join(GOOD)
    source, sink = files(text)
    assert run(source, sink, ALL, "riichi", form=form) == (len(GOOD), 0)
    lines = sink.read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines] if form == "jsonl" else rows_of(sink)
    assert len(rows) == len(GOOD)
    for given, row in zip(GOOD, rows, strict=True):
        hand = ev.Hand.parse(given)
        assert row["hand"] == given
        assert int(row["shanten"]) == ev.shanten(hand, "riichi")
        win = row["win"] if form == "jsonl" else row["win"] == "true"
        assert win is bool(ev.is_win(hand, "riichi"))
        names = [f"{rank}{suit}" for suit in "mpsz" for rank in range(1, 10)]
        if hand.is_complete_size:
            best = int(ev.discards(hand, "riichi").best())
            assert row["discard"] == (names[best] if best < 34 else None)
            assert not row["waits"]
        else:
            waits = ev.waits(hand, "riichi")
            tiles = [names[tile] for tile in np.flatnonzero(waits.tiles)]
            if form == "jsonl":
                assert row["waits"] == tiles
                assert row["discard"] is row["discard_waits"] is None
            else:
                assert ev.parse(row["waits"]).nonzero()[0].tolist() == [
                    names.index(tile) for tile in tiles
                ]
            assert int(row["waits_left"]) == waits.total


@pytest.mark.parametrize("size", [1, 50, 333, 1 << 20])
@pytest.mark.parametrize("threads", [1, 3])
def test_chunks_and_threads_do_not_change_the_output(files, size, threads):
    chance = random.Random(size)
    texts = [format_hand(hand) for hand in sampled(200, seed=9)]
    for bad in BAD:
        texts.insert(chance.randrange(len(texts)), bad)
    texts.insert(5, "")
    texts.insert(9, "# comment")
    source, sink = files("\n".join(texts))
    whole = sink.with_name("whole.csv")
    seen: list[BadRow] = []
    expected = run(source, whole, ALL, threads=1, report=seen.append)
    pieces: list[BadRow] = []
    assert run(source, sink, ALL, threads=threads, chunk=size, report=pieces.append) == expected
    assert sink.read_bytes() == whole.read_bytes()
    assert [(row.line, str(row.error)) for row in pieces] == [
        (row.line, str(row.error)) for row in seen
    ]
    lines = [line for line, text in enumerate(texts, 1) if text in BAD]
    assert [row.line for row in seen] == lines


def test_chunks_do_not_change_csv(files):
    chance = random.Random(4)
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["id", "note", "hand", "void", "wilds"])
    notes = ["", "plain", "a,b", 'say "hi"', "two\nlines", "万", "cr\r\nlf", '"', " x "]
    hands = [format_hand(hand) for hand in sampled(150, seed=5)] + list(BAD)
    for number, text in enumerate(hands):
        writer.writerow([number, chance.choice(notes), text, "", ""])
    source, whole = files(out.getvalue(), "in.csv")
    summary = run(source, whole, ("shanten", "waits", "discards"))
    assert summary == (len(hands), len(BAD))
    given = list(csv.DictReader(io.StringIO(out.getvalue(), newline="")))
    for before, after in zip(given, rows_of(whole), strict=True):
        assert {key: after[key] for key in before} == before
    for size in (1, 64, 1000):
        pieces = whole.with_name(f"{size}.csv")
        run(source, pieces, ("shanten", "waits", "discards"), chunk=size)
        assert pieces.read_bytes() == whole.read_bytes()


def test_csv_cells_go_along(files):
    text = (
        'id;,"n, 1",Hand ,\r\n'
        '007,"a ""b"", c","[123m,1][EEE,2]45m678p99s",x\r\n'
        ' 8 ,,123m456p789s1122z,"y"\r\n'
    )
    source, sink = files(text, "in.csv")
    assert run(source, sink, "shanten", "guobiao") == (2, 0)
    assert sink.read_text() == (
        'id;,"n, 1",Hand,,shanten,error\n'
        '007,"a ""b"", c","[123m,1][EEE,2]45m678p99s",x,0,\n'
        " 8 ,,123m456p789s1122z,y,0,\n"
    )


@pytest.mark.parametrize("delimiter", ["\t", ";"])
@pytest.mark.parametrize("size", [1, 100, 1 << 20])
def test_tabs_and_semicolons_between_cells(files, delimiter, size):
    rows = [
        ["id", "note", "hand", "void", "wilds"],
        ["1", "a,b", "123m456p789s1122z", "", ""],
        ["2", 'say "hi"', "[123m,1][EEE,2]45m678p99s", "m", "0"],
        ["3", "two\nlines;\there", "123m 456p 789s 1122z", "", ""],
        ["4", "", "12x", "", ""],
        ["5", " 1.5 ", "11m", "p", "3"],
    ]
    texts = {}
    for mark in (",", delimiter):
        out = io.StringIO()
        csv.writer(out, delimiter=mark, lineterminator="\n").writerows(rows)
        texts[mark] = out.getvalue()
    plain, expected = files(texts[","], "comma.csv")
    assert run(plain, expected, ("shanten", "win")) == (5, 1)
    source, sink = files(texts[delimiter], "other.csv")
    sink = sink.with_name("other.out")
    for form in ("csv", "jsonl"):
        run(plain, expected, ("shanten", "win"), form=form, force=True)
        run(source, sink, ("shanten", "win"), form=form, chunk=size, force=True)
        if form == "jsonl":
            assert sink.read_bytes() == expected.read_bytes()
            notes = [json.loads(line)["note"] for line in sink.read_text().splitlines()]
            assert notes == [row[1] for row in rows[1:]]
        else:
            assert rows_of(sink) == rows_of(expected)
            assert [row["note"] for row in rows_of(sink)] == [row[1] for row in rows[1:]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\t123m456p789s112z\n", "looks like a tab-separated file, .* column 'hand'"),
        ("# note\n123m456p789s1122z\t0\n", "looks like a tab-separated"),
        ("1;123m456p789s112z\n", "looks like a semicolon-separated"),
        ("id\ttiles\n1\t11z\n", r"no column 'hand' in its header \(id, tiles\)"),
        ("id;tiles\n1;11z\n", r"no column 'hand' in its header \(id, tiles\)"),
        ("id\thand\thand\n", "2 columns 'hand'"),
    ],
)
def test_cells_without_a_header_are_refused(files, text, message):
    source, sink = files(text)
    with pytest.raises(FileError, match=message):
        run(source, sink, "shanten")
    assert not sink.exists()


def test_an_index_without_a_name(files):
    source, sink = files("\thand\n0\t11z\n1\t123m456p789s1122z\n")
    assert run(source, sink, "shanten") == (2, 0)
    assert sink.read_text() == ",hand,shanten,error\n0,11z,-1,\n1,123m456p789s1122z,0,\n"


SPLIT = (
    "1\t123m456p789s112z",
    "2 123m456p789s112z",
    "1\u3000123m456p789s112z",
    "1 \u2003\t 123m456p789s112z",
    "1\xa0一二三万 四五六筒 七八九条 东东南",
    "三 三三四万 四五六筒 七八九条 东东南",
    "１ １２３万 四五六筒 七八九条 东东南",
    "123m456p78 9s1122z",
    "[1 23m]45m678p99s 123p",
    "1 1111m",
)
WHOLE = (
    " 123m 456p\t789s 1122z ",
    "[123m,1] 1 z 1 z",
    "一二三万　四五六筒 七八九条 东东 南南",
    "一万 二万 三万 11z",
    "W1 W2 W3 B1",
    "E E 123 m",
    "🀇 🀈 🀉 🀙",
    "[EEE,2]45m678p99s123p|EE0000|3|wilds=0",
    "[123m,1] 123p 45s|SE 0000",
)


@pytest.mark.parametrize("size", [7, 1 << 20])
def test_white_space_between_digits_is_an_error(files, size):
    source, sink = files("\n".join(["11z", *SPLIT, *WHOLE]))
    seen: list[BadRow] = []
    run(source, sink, "shanten", chunk=size, report=seen.append)
    rows = rows_of(sink)
    for text, row in zip(SPLIT, rows[1:], strict=False):
        assert "white space between digits" in row["error"], text
        assert row["shanten"] == ""
    for row in rows[1 + len(SPLIT) :]:
        assert "white space" not in row["error"]
        try:
            expected = str(ev.shanten(ev.Hand.parse(row["hand"])))
        except (NotationError, HandError):
            expected = ""
        assert row["shanten"] == expected
    assert [row.line for row in seen if row.line <= len(SPLIT) + 1] == list(
        range(2, len(SPLIT) + 2)
    )
    # the same in a column
    source.write_text("n,hand\n1,2 123m456p789s112z\n2,123m 456p 789s 1122z\n")
    assert run(source, sink, "shanten", force=True) == (2, 1)
    assert "white space" in rows_of(sink)[0]["error"]


@hypothesis.settings(deadline=None)
@hypothesis.given(some.text("12一２mp万EW[],|* \t\u3000\xa0é🀇x", max_size=12))
def test_split_runs_are_found_in_bulk_as_one_by_one(text):
    wrong = read_texts(pa.array(["9 9m", text, " 9"]).slice(1, 1)).wrong
    error = split_run(text)
    if error is not None and not text.lstrip().startswith("#"):
        assert one_line(wrong[0]) == one_line(error)
        assert text[error.position].isspace()
    else:
        assert not wrong.rows.size or "white space" not in str(wrong[0])


def test_jsonl_of_csv(files):
    source, sink = files('id,hand,note\n1,11z,"a ""b""\t\\\n\x01万"\n2,,\n', "in.csv")
    assert run(source, sink, "shanten", form="jsonl") == (2, 1)
    first, second = map(json.loads, sink.read_text(encoding="utf-8").split("\n")[:2])
    assert first == {"id": "1", "hand": "11z", "note": 'a "b"\t\\\n\x01万', "shanten": -1,
                     "error": None}  # fmt: skip
    assert second == {"id": "2", "hand": "", "note": "", "shanten": None, "error": "no hand"}


def test_void_and_wilds_columns(files):
    hands = "123456m789p123s1m"
    source, sink = files(
        f"hand,void,wilds\n{hands},,\n{hands},m,\n{hands},S,\n11m,,3\n11m,p,0\n"
        f"{hands},x,\n{hands},,9\n{hands},mp,\n55m|EE0000|0|wilds=2,,\n",
        "in.csv",
    )
    assert run(source, sink, "shanten", "sbr_2025") == (9, 3)
    rows = rows_of(sink)
    hand = ev.Hand.parse(hands)
    expected = [ev.shanten(hand, "sbr_2025", void=void) for void in (None, 0, 2)]
    assert len(set(expected)) > 1
    assert [int(row["shanten"]) for row in rows[:3]] == expected
    assert int(rows[3]["shanten"]) == ev.shanten(ev.parse("11m"), "sbr_2025", wilds=3)
    assert int(rows[8]["shanten"]) == ev.shanten(ev.Hand.parse("55m|EE0000|0|wilds=2"), "sbr_2025")
    assert [row["error"] for row in rows[5:8]] == [
        "void must be m, p or s, not 'x'",
        "wilds must be 0 to 8, not '9'",
        "void must be m, p or s, not 'mp'",
    ]
    # options are for rows that do not say their own
    run(source, sink, "shanten", "sbr_2025", void=0, force=True)
    assert [int(row["shanten"]) for row in rows_of(sink)[:3]] == [
        expected[1],
        expected[1],
        expected[2],
    ]


def test_seen_counts(files):
    source, sink = files("123m456p789s1122z\n111m\n1112m\n")
    assert run(source, sink, "waits", seen=ev.parse("11z11m")) == (3, 2)
    assert rows_of(sink)[0]["waits_left"] == "2"
    assert "1m" in rows_of(sink)[2]["error"]


def test_bad_rows_keep_their_place(files):
    texts = ["123m456p789s1122z", *BAD, "11z"]
    source, sink = files("\n".join(texts) + "\n")
    seen: list[BadRow] = []
    assert run(source, sink, ("shanten", "win"), report=seen.append) == (len(texts), len(BAD))
    rows = rows_of(sink)
    assert [row["hand"] for row in rows] == texts
    for number, (text, row) in enumerate(zip(texts, rows, strict=True), 1):
        if text in BAD:
            assert row["shanten"] == row["win"] == ""
            assert row["error"]
            assert "\n" not in row["error"]
            assert number in [bad.line for bad in seen]
            with pytest.raises((NotationError, HandError)) as caught:
                ev.shanten(ev.Hand.parse(text))
            assert str(caught.value) == str(seen[BAD.index(text)].error)
        else:
            assert row["error"] == ""
            assert row["shanten"]


def test_wrong_cells(files):
    """A row with too many or too few ends the run: nothing of it may be lost."""
    for row, cells in (("1,11z", "2 cells"), ("4", "1 cell"), ("2,[123m,1]11z,x", "4 cells"),
                       ("3,11z,x,,", "5 cells"), ("3,11z,x,more", "4 cells")):  # fmt: skip
        for before, line in (("", 3), ("\n  \n\r\n", 6), ('5,11z,"two\r\nlines"\n', 5)):
            source, sink = files(f"id,hand,note\n3,11z,x\n{before}{row}\n3,11z,x\n", "in.csv")
            with pytest.raises(FileError, match=f"in.csv: line {line}: {cells}, the header has 3"):
                run(source, sink, "shanten")
            assert leftovers(sink.parent) == {"in.csv"}
    source, sink = files("id;hand\n1;[123m,1]11z\n2\n", "in.csv")
    with pytest.raises(FileError, match=r"line 3: 1 cell, the header has 2$"):
        run(source, sink, "shanten")


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
@pytest.mark.parametrize("size", [1, 3, 7, 1 << 20])
def test_every_line_end(files, end, size):
    """A lone CR, as old systems wrote it, ends a line too."""
    bad: list[BadRow] = []
    source, sink = files(end.join(["1122m", "", "1122p", "12x", ""]))
    assert run(source, sink, "shanten", chunk=size, report=bad.append) == (3, 1)
    assert [row["shanten"] for row in rows_of(sink)] == ["0", "0", ""]
    assert [row.line for row in bad] == [4]
    bad.clear()
    source, sink = files(
        end.join(["id,hand", "1,1122m", "", '2,"11p\r\n22p"', "3,12x", ""]), "in.csv"
    )
    assert run(source, sink, "shanten", chunk=size, report=bad.append, force=True) == (3, 1)
    assert [row["hand"] for row in rows_of(sink)] == ["1122m", "11p\r\n22p", "12x"]
    assert [row.line for row in bad] == [6]
    source = source.with_name("in.jsonl")
    source.write_bytes(end.join(['{"hand": "11m"}', "", '{"hand": "1x"}']).encode())
    bad.clear()
    assert run(source, sink, "shanten", chunk=size, report=bad.append, force=True) == (2, 1)
    assert [row.line for row in bad] == [3]


def test_a_single_column_needs_no_quotes(files):
    source, sink = files('hand\n[123m,1][EEE,2]45m678p99s\n"[EEE,2]45m678p99s"\n', "in.csv")
    assert run(source, sink, "shanten", "guobiao") == (2, 0)
    assert sink.read_text() == (
        'hand,shanten,error\n"[123m,1][EEE,2]45m678p99s",0,\n"[EEE,2]45m678p99s",0,\n'
    )


def test_columns_named_like_results_are_not_lost(files):
    source, sink = files("hand,shanten,note,error,win\n11z,7,x,old,3\n", "in.csv")
    with pytest.raises(
        FileError, match=r"columns named like results .shanten, error.: .*--replace"
    ):
        run(source, sink, "shanten")
    with pytest.raises(FileError, match=r"columns named like results .error."):
        run(source, sink, "waits")
    assert not sink.exists()
    run(source, sink, "shanten", replace=True)
    assert sink.read_text() == "hand,note,win,shanten,error\n11z,x,3,-1,\n"
    source.write_text("id,shanten\n1,11z\n")
    with pytest.raises(FileError, match="column of hands is called 'shanten'"):
        run(source, sink, "shanten", column="shanten", replace=True, force=True)
    run(source, sink, "win", column="shanten", force=True)
    assert sink.read_text() == "id,shanten,win,error\n1,11z,true,\n"


def test_an_answer_file_can_be_asked_again(files):
    source, sink = files("\n".join([*GOOD, *BAD]))
    run(source, sink, "shanten")
    again = sink.with_name("again.csv")
    run(sink, again, "shanten", replace=True)
    assert again.read_bytes() == sink.read_bytes()


def test_layouts():
    assert read_layout("Hand", "x").plain is False
    assert read_layout("id,tiles", "x", "tiles").columns == ("id", "tiles")
    assert read_layout("[123m,1][EEE,2]45m678p99s", "x").plain
    assert read_layout("一二三万", "x").plain
    for first, column, message in (
        ("id,tiles", None, "no column 'hand'"),
        ("id,hand,hand", None, "2 columns 'hand'"),
        ("id,hand", "tiles", "no column 'tiles'"),
    ):
        with pytest.raises(FileError, match=message):
            read_layout(first, "x", column)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (b"", 0),
        (b"\n\n", 0),
        (b"# only a comment", 0),
        (b"\xef\xbb\xbf", 0),
        (b"\xef\xbb\xbf11z\n22z", 2),
        (b"11z", 1),
        (b"11z\r\n22z\r\n", 2),
        (b"11z\r\n\r\n22z", 2),
        (b"hand\n", 0),
        (b"hand", 0),
        (b"\xef\xbb\xbfhand\r\n11z\r\n22z", 2),
        (b"# note\nhand,n\n11z,1\n\n22z,2", 2),
        (b'hand,n\n"11z",1\n22z,"2\n"', 2),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1 << 20])
def test_ends_of_lines_and_files(files, text, rows, size):
    source, sink = files(text)
    assert run(source, sink, "shanten", chunk=size) == (rows, 0)
    found = rows_of(sink)
    assert len(found) == rows
    assert all(row["shanten"] == "-1" for row in found)
    assert sink.read_bytes().endswith(b"\n")
    header = sink.read_text().splitlines()[0]
    assert header.startswith("hand")
    assert header.endswith("shanten,error")


def test_gzip(files):
    source, sink = files(gzip.compress(b"11z\n12m\n"), "in.txt.gz")
    sink = sink.with_name("out.csv.gz")
    run(source, sink, "shanten")
    assert gzip.decompress(sink.read_bytes()) == b"hand,shanten,error\n11z,-1,\n12m,0,\n"
    again = sink.with_name("again.csv.gz")
    run(source, again, "shanten")
    assert again.read_bytes() == sink.read_bytes()


# --- files that refuse


def leftovers(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("latin.txt", b"11z\n\xff\xfe\n", r"line 2: not UTF-8 text \(byte 0xff\)"),
        ("gbk.txt", "一二三万".encode("gbk"), "line 1: not UTF-8"),
        ("wide.txt", "11z".encode("utf-16"), "UTF-16"),
        ("open.csv", b'hand,n\n11z,1\n11z,"2\n3,4\n', "line 3: a quote is opened"),
        ("long.txt", b"1" * (3 * LONGEST), "line 1: longer than a megabyte"),
        ("late.txt", b"11z\n" + b"1" * (5 * LONGEST), "line 2: longer than a megabyte"),
        (
            "long.csv",
            b'hand,n\n11z,"' + b"x\n" * (2 * LONGEST),
            "line 2: a quoted cell longer than a megabyte",
        ),
        ("head.csv", b"id,tiles\n1,11z\n", r"no column 'hand' in its header \(id, tiles\)"),
        ("bad.txt.gz", b"11z\n", "not a gzip file"),
        ("cut.txt.gz", gzip.compress(os.urandom(2000))[:-30], "compressed file ends too soon"),
    ],
)
def test_unreadable_input(tmp_path, name, content, message):
    source = tmp_path / name
    source.write_bytes(content)
    with pytest.raises(FileError, match=message) as caught:
        run(source, tmp_path / "out.csv", "shanten")
    assert str(caught.value).startswith(str(source))
    assert leftovers(tmp_path) == {name}


def test_places_that_are_no_files(tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("11z\n")
    empty = tmp_path / "empty"
    empty.mkdir()
    for bad, good, message in (
        (tmp_path / "none.txt", tmp_path / "out.csv", "no such file"),
        (empty, tmp_path / "out.csv", "is a folder without files"),
        (source, tmp_path, "is a directory"),
        (source, tmp_path / "none" / "out.csv", "no such file"),
        (source, source / "out.csv", "not a directory"),
        (source, tmp_path / "nul\0", "null"),
    ):
        with pytest.raises(FileError, match=message):
            run(bad, good, "shanten")
    assert leftovers(tmp_path) == {"in.txt", "empty"}


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("11z\n")
    source.chmod(0)
    with pytest.raises(FileError, match="permission denied"):
        run(source, tmp_path / "out.csv", "shanten")


def test_names_that_say_no_format(files):
    source, sink = files("11z\n")
    with pytest.raises(FileError, match=r"o\.xlsx: which format\? Names end in .*--format"):
        run(source, sink.with_name("o.xlsx"), "shanten")
    run(source, sink.with_name("o.xlsx"), "shanten", form="csv")
    run(source, sink.with_name("answers"), "shanten")


def test_existing_output_needs_force(files):
    source, sink = files("11z\n")
    sink.write_text("mine")
    sink.chmod(0o640)
    with pytest.raises(FileError, match="exists already: --force"):
        run(source, sink, "shanten")
    assert sink.read_text() == "mine"
    run(source, sink, "shanten", force=True)
    assert rows_of(sink)[0]["shanten"] == "-1"
    assert stat.S_IMODE(sink.stat().st_mode) == 0o640
    assert leftovers(sink.parent) == {"in.txt", "out.csv"}


def test_a_file_that_appears_meanwhile_is_not_replaced(files):
    source, sink = files("11z\n12x\n")

    def appear(_: BadRow) -> None:
        sink.write_text("mine")

    with pytest.raises(FileError, match="exists already"):
        run(source, sink, "shanten", report=appear)
    assert sink.read_text() == "mine"
    assert leftovers(sink.parent) == {"in.txt", "out.csv"}


def test_output_over_input_is_refused(files):
    source, sink = files("11z\n")
    sink.symlink_to(source)
    for path in (source, sink):
        with pytest.raises(FileError, match="is the input too"):
            run(source, path, "shanten", force=True)
    assert source.read_text() == "11z\n"


def test_a_link_stays_a_link(files):
    source, sink = files("11z\n")
    target = sink.with_name("target.csv")
    target.write_text("old")
    sink.symlink_to(target)
    run(source, sink, "shanten", force=True)
    assert sink.is_symlink()
    assert target.read_text() == "hand,shanten,error\n11z,-1,\n"


def test_new_files_have_the_usual_permissions(files):
    source, sink = files("11z\n")
    run(source, sink, "shanten")
    plain = sink.with_name("plain")
    plain.touch()
    assert sink.stat().st_mode == plain.stat().st_mode


@pytest.mark.parametrize("name", ["out.csv", "牌" * 80 + ".csv", "n" * 255])
def test_the_part_file_names_its_target(files, name):
    source, sink = files("11z\n")
    sink = sink.with_name(name)
    parts = []

    def look(position: int, rows: int) -> None:
        parts.extend(leftovers(sink.parent) - {"in.txt"})

    run(source, sink, "shanten", progress=look)
    assert parts[0].startswith(f".mahjong-eval-{name[:25]}")
    assert parts[0].endswith(".part")
    assert leftovers(sink.parent) == {"in.txt", name}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_full_disk(files):
    source, _ = files("11z\n" * 10)
    with pytest.raises(FileError, match="/dev/full: no space left on device"):
        run(source, "/dev/full", "shanten")
    run(source, "/dev/null", "shanten")


def test_full_disk_leaves_nothing(files, monkeypatch):
    source, sink = files("11z\n" * 10)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(FileError, match="no space left"):
        run(source, sink, "shanten")
    assert leftovers(sink.parent) == {"in.txt"}


def test_strict_stops_at_the_first_bad_row(files):
    source, sink = files("11z\n12x\n13x\n")
    with pytest.raises(BadRowError, match="line 2: 'x' means nothing") as caught:
        run(source, sink, "shanten", strict=True)
    assert caught.value.line == 2
    assert leftovers(sink.parent) == {"in.txt"}
    source.write_text("11z\n")
    assert run(source, sink, "shanten", strict=True) == (1, 0)


def test_an_interrupt_leaves_nothing(files):
    source, sink = files("11z\n" * 100)

    def interrupt(position: int, rows: int) -> None:
        assert any(name.endswith(".part") for name in leftovers(sink.parent))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(source, sink, "shanten", chunk=40, progress=interrupt)
    assert leftovers(sink.parent) == {"in.txt"}


def test_a_fault_inside_a_thread_is_raised_and_leaves_nothing(files, monkeypatch):
    source, sink = files("11z\n" * 100)

    def fail(*_: object, **__: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr("evaluator.files.batches.answer", fail)
    with pytest.raises(MemoryError):
        run(source, sink, "shanten", chunk=40)
    assert leftovers(sink.parent) == {"in.txt"}


def test_wrong_arguments_open_no_file(files):
    source, sink = files("11z\n")
    for wrong in ({"rules": "richi"}, {"queries": "fan"}, {"form": "xml"}):
        with pytest.raises(EvaluatorError):
            run(source, sink, **wrong)
    assert leftovers(sink.parent) == {"in.txt"}


def test_progress_is_told(files):
    source, sink = files("11z\n" * 100)
    told: list[tuple[int, int]] = []
    run(source, sink, "shanten", chunk=40, progress=lambda *now: told.append(now))
    assert told[-1] == (400, 100)
    assert told == sorted(told)
    assert len(told) > 5


MEASURE = """
import sys
from evaluator.files import run
def most():
    # of this program alone: ru_maxrss begins with that of the process that started it
    with open("/proc/self/status") as file:
        return int(next(line.split()[1] for line in file if line.startswith("VmHWM")))
print(run(sys.argv[1], sys.argv[2], "shanten"))
print(most())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_does_not_grow_with_the_file(tmp_path):
    hands = ev.deal(10_000, tiles=14, seed=1)
    block = b"".join(ev.format(hand).encode() + b"\n" for hand in hands)

    def peak(times: int) -> int:
        source = tmp_path / f"{times}.txt"
        with source.open("wb") as file:
            for _ in range(times):
                file.write(block)
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, source, tmp_path / f"{times}.csv"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        summary, kilobytes = done.stdout.splitlines()
        assert summary == f"Summary(rows={times * 10_000}, bad=0)"
        return int(kilobytes)

    few, many = peak(50), peak(300)
    # the larger file and its answers are 110 MB, its columns another 150
    assert many - few < 20 * 1024
