"""The command line: what it prints, where, and with which exit status."""

from __future__ import annotations

import csv
import dataclasses
import fcntl
import io
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import evaluator as ev
from evaluator.cli import main
from evaluator.commands import console
from evaluator.commands.speed import samples
from evaluator.rulesets import Rules, rules
from evaluator.rulesets.records import Settlement, Wilds
from evaluator.tiles import FORMS

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "evaluator"]


class Result:
    def __init__(self, status: int, out: bytes, err: bytes) -> None:
        self.status = status
        self.out = out.decode()
        self.err = err.decode()
        assert "Traceback" not in self.err


@pytest.fixture(autouse=True)
def no_columns(monkeypatch):
    """Tables as wide as they need to be."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def call(capsysbinary):
    """Run the command in this process."""

    def run(*argv: object) -> Result:
        try:
            status = main([str(argument) for argument in argv])
        except SystemExit as error:
            status = int(error.code or 0)
        return Result(status, *capsysbinary.readouterr())

    return run


def process(*argv: object, data: bytes = b"", env: dict[str, str] | None = None) -> Result:
    """Run the command in a process of its own."""
    done = subprocess.run(
        [*COMMAND, *map(str, argv)],
        input=data,
        capture_output=True,
        cwd=ROOT,
        timeout=120,
        env={**os.environ, **(env or {})},
    )
    return Result(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def stdin(monkeypatch):
    """Put bytes on standard input."""

    def put(data: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))

    return put


# --- hands


def test_patterns_the_nearest_first(call):
    text = "1122335577m9m13p"
    found = ev.pattern_shanten(ev.parse(text), "qq_sichuan")
    lines = call("shanten", text, "--rules", "qq_sichuan", "--patterns").out.splitlines()
    assert lines[0] == f" 1  {text}  1 tile from ready"
    rows = [line.split(maxsplit=2) for line in lines[1:]]
    assert [int(row[0]) for row in rows] == sorted(found.values())
    assert {row[1]: int(row[0]) for row in rows} == found
    assert rows[0] == ["1", "平胡", "1 tile from ready"]
    option = ("--rules", "qq_sichuan", "--patterns", "--void", "m")
    got = call("shanten", "[111m,1]1122335577p", *option)
    assert {line.split()[2] for line in got.out.splitlines()[1:]} == {"never"}
    got = json.loads(call("shanten", text, "--patterns", "--json").out)
    assert got["shanten"] == ev.shanten(ev.parse(text))
    assert got["patterns"] == ev.pattern_shanten(ev.parse(text), "guobiao")
    got = json.loads(call("shanten", text, *option[:3], "--wilds", "1", "--json").out)
    assert got["patterns"]["七对"] == 0


def test_shanten_of_several_hands(call):
    got = call("shanten", "123m456p789s1122z", "123m456p789s11122z", "1589m2347p68s2246z")
    number = ev.shanten(ev.parse("1589m2347p68s2246z"))
    assert got.status == 0
    assert got.err == ""
    assert got.out.splitlines() == [
        " 0  123m456p789s1122z  ready 听",
        "-1  123m456p789s11122z  complete 和",
        f" {number}  1589m2347p68s2246z  {number} tiles from ready",
    ]


def test_waits_shows_tiles_and_copies(call):
    got = call("waits", "123m456p789s1122z", "--seen", "1z2z2z")
    assert got.out.splitlines() == [
        "123m456p789s1122z  ready 听: 2 tiles complete it, 1 copy left",
        "  1z 东  1 left",
        "  2z 南  0 left",
    ]


def test_discards_is_sorted_best_first(call):
    text = "1589m2347p688s246z"
    lines = call("discards", text, "--rules", "riichi").out.splitlines()
    found = ev.discards(ev.Hand.parse(text), "riichi")
    assert lines[1].split() == ["discard", "shanten", "copies", "tiles", "accepts"]
    rows = [line.split() for line in lines[2:]]
    assert len(rows) == np.count_nonzero(found.shanten != 127)
    keys = [(int(row[2]), -int(row[3])) for row in rows]
    assert keys == sorted(keys)
    names = [f"{rank}{suit}" for suit in "mpsz" for rank in range(1, 10)]
    best = int(found.best())
    assert rows[0][0] == names[best]
    assert lines[0].startswith(f"{text}  discard {names[best]} ")
    for row in rows:
        tile = names.index(row[0])
        assert int(row[2]) == found.shanten[tile]
        assert int(row[3]) == found.left[tile]
        accepted = ev.parse(row[5]).nonzero()[0]
        assert accepted.tolist() == np.flatnonzero(found.tiles[tile]).tolist()
        assert int(row[4]) == len(accepted)


def test_win(call):
    got = call("win", "123m456p789s11122z", "123m456p789s1122z")
    assert got.out.splitlines() == ["yes  123m456p789s11122z", "no   123m456p789s1122z"]


def test_decompose_shows_every_division(call):
    got = call("decompose", "111222333m11122z", "1122m33p")
    lines = got.out.splitlines()
    assert lines[0] == "111222333m11122z  2 divisions"
    shown = {line.strip() for line in lines[1:3]}
    assert any("123m 123m 123m 111z" in line and "22z" in line for line in shown)
    assert any("111m 222m 333m 111z" in line and "22z" in line for line in shown)


def test_json_has_the_same_answers(call):
    text = "123m456p789s1122z"
    assert json.loads(call("shanten", text, "--json").out) == {"hand": text, "shanten": 0}
    assert json.loads(call("win", text, "--json").out) == {"hand": text, "win": False}
    assert json.loads(call("waits", text, "--json").out) == {
        "hand": text,
        "shanten": 0,
        "waits": [{"tile": "1z", "left": 2}, {"tile": "2z", "left": 2}],
        "left": 4,
    }
    (best, *others) = json.loads(call("discards", text + "3z", "--json").out)["discards"]
    assert best == {"tile": "3z", "shanten": 0, "accepts": ["1z", "2z"], "left": 4}
    assert len(others) == 11
    divisions = json.loads(call("decompose", "12344m", "--json").out)["divisions"]
    assert divisions == [{"form": "standard", "sets": ["123m"], "pair": "44m"}]
    lines = call("shanten", text, "11z", "--json").out.splitlines()
    assert [json.loads(line)["shanten"] for line in lines] == [0, -1]


def test_options_reach_the_queries(call):
    text = "123456m789p123s1m"
    for void in "mps":
        got = json.loads(call("shanten", text, "--rules", "sbr_2025", "--void", void, "--json").out)
        hand = ev.Hand.parse(text)
        assert got["shanten"] == ev.shanten(hand, "sbr_2025", void="mps".index(void))
    assert json.loads(call("shanten", "11m", "--wilds", "3", "--json").out)[
        "shanten"
    ] == ev.shanten(ev.parse("11m"), wilds=3)
    assert json.loads(call("win", "1122334455667m7z", "--rules", "riichi", "--json").out) == {
        "hand": "1122334455667m7z",
        "win": False,
    }


def test_unicode_tiles(call):
    assert "🀀" in call("waits", "123m456p789s1122z", "--unicode").out
    got = call("discards", "123m456p789s11223z", "--unicode").out
    assert "🀀🀁" in got
    assert "🀂" in got
    assert "1z" not in got.split("\n", 1)[1]
    assert "🀇🀈🀉" in call("decompose", "12344m", "--unicode").out


@pytest.mark.parametrize(
    "text", ["一二三万 四五六筒 七八九条 东东南南", "W1W2W3B4B5B6T7T8T9F1F1F2F2"]
)
def test_notations(call, text):
    assert call("shanten", text).out.startswith(" 0  ")


def test_hands_from_standard_input(call, stdin):
    stdin("\ufeff123m456p789s1122z\r\n\n# comment\n12x\n11z".encode())
    got = call("shanten", "-", "22z")
    assert [line.split()[:2] for line in got.out.splitlines()] == [
        ["0", "123m456p789s1122z"],
        ["-1", "11z"],
        ["-1", "22z"],
    ]
    assert got.status == 1
    assert "standard input, line 4: 'x' means nothing" in got.err
    stdin(b"1\t123m456p789s112z\n2 123m\n")
    got = call("shanten", "-")
    assert got.out == ""
    assert re.findall(r"line (\d): white space between digits", got.err) == ["1", "2"]
    stdin(b"11z\n\xff\n")
    got = call("shanten", "-")
    assert got.status == 2
    assert "standard input: line 2: not UTF-8" in got.err


def test_hands_that_can_never_win(call):
    text = "[111m][111p][111s]22233m"
    assert "127  " in call("shanten", text, "--rules", "sbr_2025").out
    got = call("discards", text, "--rules", "sbr_2025").out
    assert "never complete" in got.splitlines()[0]
    assert "discard" not in got.splitlines()[0]
    assert "nothing to discard" in call("discards", "|EE0000|0|wilds=2").out


def test_a_wrong_hand_is_status_1_with_its_caret(call):
    got = call("shanten", "12x")
    assert got.status == 1
    assert got.err.startswith("mahjong-eval: error: 'x' means nothing")
    got = call("shanten", "12x", "123m", "11z")
    assert got.status == 1
    assert got.out == "-1  11z  complete 和\n"
    lines = got.err.splitlines()
    # which of several
    assert lines[0].startswith("mahjong-eval: error: 12x: 'x' means nothing")
    assert lines[1:3] == ["  12x", "    ^"]
    assert lines[3].startswith(
        "mahjong-eval: error: 123m: 3 tiles is not a valid hand size (13 while waiting, 14 after"
    )
    got = call("shanten", "12x", "11z", "--json")
    assert [set(json.loads(line)) for line in got.out.splitlines()] == [
        {"hand", "error"},
        {"hand", "shanten"},
    ]


def test_no_hand(call, stdin):
    for text in ("", "  "):
        got = call("shanten", text)
        assert (got.status, got.out) == (1, "")
        assert got.err == "mahjong-eval: error: no hand given\n"
    assert json.loads(call("shanten", "", "--json").out) == {"hand": "", "error": "no hand given"}


def test_messages_hold_nothing_a_terminal_acts_on(call):
    got = call("shanten", "1\x1b[2Jm", "x" * 500)
    assert "\x1b" not in got.err
    assert max(map(len, got.err.splitlines())) < 200


def test_seen_that_contradicts_the_hand(call, tmp_path):
    got = call("waits", "1111m", "--seen", "1m")
    assert got.status == 1
    assert got.err.startswith("mahjong-eval: error: 1111m: --seen: 5 copies of 1m")
    # a hand that is wrong without it
    assert "--seen" not in call("waits", "11111m", "--seen", "2m").err
    source = tmp_path / "in.txt"
    source.write_text("1111m\n11111m\n")
    lines = call("batch", source, "-", "--query", "waits", "--seen", "1m").err.splitlines()
    assert "line 1: --seen: 5 copies of 1m" in lines[0]
    assert "--seen" not in lines[1]
    got = call("waits", "1m", "--seen", "22222m")
    assert got.status == 2
    assert "--seen: 5 copies of 2m" in got.err


def test_void_suits(call):
    got = call("waits", "1m", "--void", "z")
    assert got.status == 2
    assert "argument --void: 'z' is not a suit: suits are m, p, s" in got.err
    assert call("waits", "1m", "--void", "P").status == 0


def test_a_hand_of_the_other_size_is_told_where_to_ask(call):
    got = call("waits", "11z")
    assert got.status == 1
    assert "discards" in got.err
    assert "waits" in call("discards", "1z").err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "required"),
        (["shanten"], "required"),
        (["nonsense"], "invalid choice"),
        (["shanten", "11z", "--rules", "richi"], "riichi"),
        (["shanten", "11z", "--void", "z"], "--void"),
        (["shanten", "11z", "--wilds", "9"], "0 to 8"),
        (["shanten", "11z", "--wilds", "-1"], "0 to 8"),
        (["waits", "1z", "--seen", "12x"], "--seen: 'x' means"),
        (
            ["batch", "a", "b", "--query", "fan"],
            "is not a query: choose from shanten, waits, discards, win",
        ),
        (["batch", "a", "b", "--threads", "0"], "is not a number of threads"),
        (["batch", "a"], "OUT"),
        (["bench", "--hands", "x"], "not a number of hands"),
        (["rules", "richi"], "riichi"),
        (["settle"], "--example"),
        (["settle", "nowhere.json"], "nowhere.json: no such file"),
    ],
)
def test_a_wrong_option_is_status_2(call, argv, message):
    got = call(*argv)
    assert got.status == 2
    assert got.out == ""
    assert message in got.err
    assert "error: " in got.err


# --- rules, demo, bench, warmup, help


def test_rules(call):
    got = call("rules")
    assert [line.split()[0] for line in got.out.splitlines()[1:]] == list(rules())
    one = call("rules", "guobiao").out
    assert "knitted_straight" in one
    assert "34" in one
    assert json.loads(call("rules", "riichi", "--json").out)["forms"] == list(rules("riichi").forms)
    assert len(json.loads(call("rules", "--json").out)) == len(rules())


def test_rules_of_ones_own(call, tmp_path):
    shown = call("rules", "--help").out
    for field in dataclasses.fields(Rules):
        if field.name != "name":
            assert re.search(rf"^  {field.name} ", shown, re.MULTILINE), field.name
    for kind, head in ((Wilds, "wild tiles"), (Settlement, "the settlement")):
        part = shown.split(f"the table of {head} may say:\n")[1].split("\n\n")[0]
        described = re.findall(r"^  (\w+) ", part, re.MULTILINE)
        assert described == [field.name for field in dataclasses.fields(kind)]
    for form in FORMS:
        assert re.search(rf"^  {form} +\S", shown, re.MULTILINE)
    example = shown.split("a file to start from")[1].split("\n", 1)[1].split("\n\n")[0]
    ours = tmp_path / "ours.toml"
    ours.write_text(textwrap.dedent(example))
    assert json.loads(call("rules", ours, "--json").out)["title"] == "Our house"
    assert call("shanten", "11m", "--rules", ours).status == 0
    # points that no win can have are told when the rules are shown, not when a hand is scored
    for value, base in ((1000, 6), (30, 1_000_000)):
        large = f'kinds = 27\nbase = {base}\n[patterns]\n"p" = {{ value = {value} }}\n'
        ours.write_text(large)
        got = call("rules", ours)
        assert (got.status, got.out) == (2, "")
        assert f"{value} fan would be 2^31 points or more; set a cap" in got.err
    ours.write_text(textwrap.dedent(example))
    # the defaults that the help speaks of
    assert (Rules("x").kinds, Rules("x").max_suits, Rules("x").forms) == (34, 3, ("standard",))

    assert "--toml" in call("rules", "riichi").out
    for name in rules():
        copied = tmp_path / "copied.toml"
        copied.write_text(call("rules", name, "--toml").out, encoding="utf-8")
        assert Rules.from_toml(copied).replace(name=name) == rules(name)
        assert call("rules", copied, "--toml").out == copied.read_text(encoding="utf-8")
    for argv, message in (((), "name the rule set"), (("richi",), "riichi"), (("no.toml",), "no")):
        got = call("rules", *argv, "--toml")
        assert (got.status, got.out) == (2, "")
        assert message in got.err


def test_tables_fit_the_screen(call, monkeypatch):
    text = "1589m2347p688s246z"
    monkeypatch.setattr("evaluator.commands.speed.DEALT", 2000)
    wide = {argv: call(*argv).out for argv in (("discards", text), ("rules",), ("demo",))}
    monkeypatch.setenv("COLUMNS", "60")
    for argv, before in wide.items():
        after = call(*argv).out
        assert "…" not in before
        assert "…" in after
        head = 1 if argv[0] == "discards" else 0
        table = after.split("\n\n")[0].splitlines()[head:]
        widest = max(map(console.width, table))
        # the other columns keep what they need
        assert widest <= (110 if argv[0] == "demo" else 60)
    facts = call("rules", "guobiao").out.split("\n\n")[0]
    assert max(map(len, facts.splitlines())) <= 60
    assert "honours_and_knitted" in facts
    for columns in ("1", "0", "x"):
        monkeypatch.setenv("COLUMNS", columns)
        assert call("discards", text).status == call("rules", "riichi").status == 0


@pytest.mark.parametrize("command", ["demo", "warmup"])
def test_what_takes_long_says_so(call, monkeypatch, command):
    monkeypatch.setattr("evaluator.commands.speed.DEALT", 2000)
    call(command)
    assert call(command).err == ""
    monkeypatch.setattr(console, "PATIENCE", 0.0)
    got = call(command)
    assert got.err == "compiling kernels (once, a few seconds) ...\n"
    assert "compiling" not in got.out


def test_the_line_about_compiling_goes_away(tmp_path):
    # nothing is compiled yet
    status, shown = on_a_terminal("shanten", "11z", env={"NUMBA_CACHE_DIR": str(tmp_path)})
    assert status == 0
    # taken away with spaces: no code that a terminal without colour might show
    said = "compiling kernels (once, a few seconds) ..."
    assert said + "\r" + " " * len(said) + "\r" in shown
    assert shown.splitlines()[-1].endswith("\033[0m")


def test_demo(call, monkeypatch):
    monkeypatch.setattr("evaluator.commands.speed.DEALT", 20_000)
    got = call("demo")
    assert got.status == 0
    lines = got.out.splitlines()
    table = lines[1 : lines.index("")]
    assert len(table) == len(samples()) >= 12
    numbers = []
    for sample, line in zip(samples(), table, strict=True):
        number = int(ev.shanten(ev.Hand.parse(sample.text), sample.rules))
        numbers.append(number)
        assert line.startswith(sample.title)
        assert re.search(rf"{re.escape(sample.text)} +{number}  ", line)
    assert {-1, 0} <= set(numbers)
    # wide characters count twice: the numbers stand in one column
    ends = {
        console.width(line[: line.index(sample.text) + len(sample.text)])
        + len(re.match(r" +-?\d", line[line.index(sample.text) + len(sample.text) :])[0])
        for sample, line in zip(samples(), table, strict=True)
    }
    assert len(ends) == 1
    assert "20,000 dealt hands" in got.out
    assert re.search(r"million hands a second \(\d+ threads?, compiled before", got.out)
    shown = [int(number.replace(",", "")) for number in lines[-2].split()[1:]]
    assert sum(shown) == 20_000


def test_samples_are_a_batch_file_too(call, tmp_path):
    path = ROOT / "evaluator" / "samples" / "hands.txt"
    got = call("batch", path, tmp_path / "out.csv", "--query", "shanten,waits,discards,win")
    assert got.status == 0
    text = (tmp_path / "out.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert [row["hand"] for row in rows] == [sample.text for sample in samples()]


def test_bench(call):
    got = call("bench", "--hands", "500", "--rules", "sbr_2025")
    assert got.status == 0
    assert [line.split()[:2] for line in got.out.splitlines()[1:6]] == [
        [query, "sbr_2025"] for query in ("shanten", "shanten", "is_win", "waits", "discards")
    ]
    assert "python bench/report.py" in got.out


def test_warmup(call):
    got = call("warmup")
    assert got.status == 0
    assert re.fullmatch(r"compiled in \d+\.\d s\n", got.out)


def test_version_and_help(call):
    assert call("--version").out == f"mahjong-eval {ev.__version__}\n"
    for command in ("", "shanten", "waits", "discards", "win", "decompose", "batch", "demo",
                    "warmup", "bench", "rules", "settle", "deal", "histogram"):  # fmt: skip
        got = call(*command.split(), "--help")
        assert got.status == 0
        assert got.out.startswith("usage: mahjong-eval")
        if command not in ("demo", "warmup"):
            assert "mahjong-eval" in got.out.split("options:")[1] or command == "bench"


def test_examples_of_the_help_work(call):
    shown = "".join(
        call(*command.split(), "--help").out
        for command in ("", "shanten", "waits", "discards", "win", "decompose", "rules")
    )
    examples = {
        line.strip() for line in shown.splitlines() if line.startswith("  mahjong-eval ")
    } - {"mahjong-eval demo"}
    assert len(examples) >= 8
    for example in examples:
        if " batch " not in example:
            argv = [word.strip('"') for word in example.split()[1:]]
            assert call(*argv).status == 0, example


def test_help_does_not_load_numpy():
    code = (
        "import sys\nfrom evaluator.cli import main\n"
        "try:\n    main(['batch', '--help'])\nexcept SystemExit:\n    pass\n"
        "print({'numpy', 'numba', 'tqdm'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout.splitlines()[-1], done.stderr) == ("set()", "")


# --- batch


HANDS = b"123m456p789s1122z\n12x\n11z\n"
ANSWERS = (
    "hand,shanten,error\n"
    "123m456p789s1122z,0,\n"
    "12x,,'x' means nothing in mpsz / gb notation (at character 3)\n"
    "11z,-1,\n"
)


def test_batch_of_a_file(call, tmp_path):
    source, sink = tmp_path / "in.txt", tmp_path / "out.csv"
    source.write_bytes(HANDS)
    got = call("batch", source, sink)
    assert got.status == 1
    assert sink.read_text() == ANSWERS
    assert got.out == ""
    assert got.err.splitlines() == [
        f"mahjong-eval: warning: {source}: line 2: 'x' means nothing in mpsz / gb notation "
        "(at character 3)",
        "  12x",
        "    ^",
        "mahjong-eval: warning: 1 bad row of 3: the error column says why",
    ]
    got = call("batch", source, sink)
    assert got.status == 2
    assert got.err == f"mahjong-eval: error: {sink}: exists already: --force replaces it\n"
    source.write_bytes(b"11z\n")
    got = call("batch", source, sink, "--force")
    assert (got.status, got.out, got.err) == (0, "", "")
    assert sink.read_text() == "hand,shanten,error\n11z,-1,\n"


def test_batch_through_standard_input_and_output(call, stdin):
    stdin(HANDS)
    got = call("batch", "-", "-")
    assert got.status == 1
    assert got.out == ANSWERS
    assert "standard input: line 2" in got.err


def test_batch_formats_follow_the_name(call, tmp_path):
    source = tmp_path / "in.txt"
    source.write_bytes(b"11z\n")
    call("batch", source, tmp_path / "a.jsonl", "--query", "win,shanten")
    assert (tmp_path / "a.jsonl").read_text() == (
        '{"hand": "11z", "win": true, "shanten": -1, "error": null}\n'
    )
    call("batch", source, tmp_path / "b.jsonl", "--format", "csv")
    assert (tmp_path / "b.jsonl").read_text().startswith("hand,")
    assert call("batch", source, "-", "--format", "jsonl").out.startswith("{")


def test_batch_shows_ten_bad_rows_and_counts_the_rest(call, tmp_path):
    source = tmp_path / "in.txt"
    source.write_bytes(b"11z\n" + b"3m8z\n" * 25)
    got = call("batch", source, tmp_path / "out.csv")
    assert got.status == 1
    numbers = re.findall(r"line (\d+):", got.err)
    assert numbers == [str(line) for line in range(2, 12)]
    assert "and 15 more bad rows" in got.err
    assert "25 bad rows of 26" in got.err


def test_batch_does_not_lose_columns(call, tmp_path):
    source, sink = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("hand,shanten,error\n11z,7,x\n")
    got = call("batch", source, sink)
    assert got.status == 2
    assert got.err == (
        f"mahjong-eval: error: {source}: has columns named like results (shanten, error): "
        "rename them, or --replace leaves them out\n"
    )
    assert not sink.exists()
    assert call("batch", source, sink, "--replace").status == 0
    assert sink.read_text() == "hand,shanten,error\n11z,-1,\n"


def test_batch_of_tabs(call, tmp_path):
    source = tmp_path / "in.tsv"
    source.write_text("1\t123m456p789s112z\n")
    got = call("batch", source, "-")
    assert (got.status, got.out) == (2, "")
    assert "looks like a tab-separated file" in got.err
    source.write_text("id\thand\n1\t11z\n")
    assert call("batch", source, "-").out == "id,hand,shanten,error\n1,11z,-1,\n"


def test_batch_strict(call, tmp_path):
    source, sink = tmp_path / "in.txt", tmp_path / "out.csv"
    source.write_bytes(HANDS + b"13y\n")
    got = call("batch", source, sink, "--strict")
    assert got.status == 1
    assert f"{source}: line 2: 'x' means nothing" in got.err
    assert "13y" not in got.err
    assert not sink.exists()


def test_batch_options(call, tmp_path):
    source, sink = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("tiles,n\n123m456p789s1122z,1\n")
    got = call("batch", source, sink, "--column", "tiles", "--query", "waits", "--seen", "11z")
    assert got.status == 0
    assert sink.read_text() == (
        "tiles,n,waits_shanten,waits,waits_left,error\n123m456p789s1122z,1,0,12z,2,\n"
    )
    source.write_text("123456m789p123s1m\n")
    call("batch", source, sink, "--force", "--rules", "sbr_2025", "--void", "m")
    number = ev.shanten(ev.Hand.parse("123456m789p123s1m"), "sbr_2025", void=0)
    assert sink.read_text().splitlines()[1] == f"123456m789p123s1m,{number},"
    source.write_text("11m\n")
    call("batch", source, sink, "--force", "--wilds", "3")
    assert sink.read_text().splitlines()[1] == f"11m,{ev.shanten(ev.parse('11m'), wilds=3)},"
    got = call("batch", source, sink, "--force", "--rules", "richi")
    assert got.status == 2
    assert "riichi" in got.err


def test_batch_files_that_refuse(call, tmp_path):
    source = tmp_path / "in.txt"
    source.write_bytes(b"11z\n\xff\n")
    for argv, message in (
        ((tmp_path / "none", "-"), "none: no such file or directory"),
        ((source, tmp_path), "is a directory"),
        ((source, tmp_path / "out.csv"), "line 2: not UTF-8"),
        ((source, source, "--force"), "is the input too"),
        ((ROOT / "pyproject.toml", "/dev/full"), "/dev/full: no space left on device"),
    ):
        got = call("batch", *argv)
        assert got.status == 2, argv
        assert message in got.err
        assert got.err.startswith("mahjong-eval: error: ") or "warning" in got.err
    assert [path.name for path in tmp_path.iterdir()] == ["in.txt"]


# --- processes: pipes, signals, terminals


def big_file(folder: Path, hands: int = 200_000) -> Path:
    path = folder / "big.txt"
    path.write_bytes(b"123m456p789s1122z\n" * hands)
    return path


def shell(script: str, **env: str) -> Result:
    done = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        cwd=ROOT,
        timeout=120,
        env={**os.environ, "PYTHON": sys.executable, **env},
    )
    return Result(done.returncode, done.stdout, done.stderr)


def test_a_reader_that_stops(tmp_path):
    got = shell(
        '"$PYTHON" -m evaluator batch "$BIG" - | head -1; exit ${PIPESTATUS[0]}',
        BIG=str(big_file(tmp_path)),
    )
    assert got.out == "hand,shanten,error\n"
    assert got.status == 2
    assert got.err == (
        "mahjong-eval: error: standard output: the program that read it has stopped (broken pipe)\n"
    )


@pytest.mark.parametrize(
    "command",
    ["shanten 11z 22z", "shanten 11z --json", "shanten -", "rules", "rules riichi --toml",
     "settle --example", "demo", "bench --hands 100", "--help", "batch --help"],
)  # fmt: skip
def test_other_commands_end_quietly_when_the_reader_stops(command):
    # the reader is gone before anything is written
    got = shell(
        'yes 11z | head -20000 | { sleep 0.1; "$PYTHON" -m evaluator '
        f"{command}; }} | true; exit ${{PIPESTATUS[2]}}"
    )
    assert (got.status, got.err.replace(f"{console.COMPILING}\n", "")) == (0, "")


def test_nobody_reads_the_errors(tmp_path):
    sink = tmp_path / "out.csv"
    for nobody in ("2>&-", "2> >(true)"):
        got = shell(
            "for i in $(seq 200); do echo 12x; done | { sleep 0.2; "
            f'"$PYTHON" -m evaluator batch - "$OUT" --force {nobody}; }}',
            OUT=str(sink),
        )
        # what is wrong is not told on standard output instead
        assert (got.status, got.out) == (1, "")
        assert len(sink.read_text().splitlines()) == 201


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("command", ["shanten 11z", "batch - -", "rules", "--help"])
def test_standard_output_on_a_full_disk(command):
    got = shell(f'echo 11z | "$PYTHON" -m evaluator {command} > /dev/full')
    assert "Exception ignored" not in got.err
    if command != "--help":
        assert got.status == 2
        assert got.err == "mahjong-eval: error: standard output: no space left on device\n"


def test_pipes(tmp_path):
    source = big_file(tmp_path)
    got = shell('cat "$BIG" | "$PYTHON" -m evaluator batch - - | sha256sum', BIG=str(source))
    assert got.err == ""
    process("batch", source, tmp_path / "out.csv")
    same = shell('sha256sum < "$OUT"', OUT=str(tmp_path / "out.csv"))
    assert got.out == same.out


def test_redirection_over_the_input(tmp_path):
    source = tmp_path / "in.txt"
    source.write_bytes(b"11z\n")
    for words, said in (
        ('- "$BIG" --force < "$BIG"', f"{source}: is the input too (standard input)"),
        ('- "$FOLDER/" --force < "$BIG"', "is the input too (standard input)"),
        ('"$BIG" - >> "$BIG"', f"standard output: is the input too ({source})"),
        ('- - < "$BIG" >> "$BIG"', "standard output: is the input too (standard input)"),
    ):
        got = shell(f'"$PYTHON" -m evaluator batch {words}', BIG=str(source), FOLDER=str(tmp_path))
        assert got.status == 2
        assert said in got.err
        assert source.read_bytes() == b"11z\n"


def test_standard_output_that_is_closed():
    got = shell('"$PYTHON" -m evaluator shanten 11z >&-')
    assert (got.status, got.err) == (0, "")
    got = shell('echo 11z | "$PYTHON" -m evaluator batch - - >&-')
    assert got.status == 2
    assert "standard output: is closed" in got.err


MANY = 500_000


def waiting_batch(sink: Path, **handled: int) -> subprocess.Popen[bytes]:
    """A batch that waits for more hands, its part file open; signals as given."""
    # a shell's background jobs ignore SIGINT, and what they start inherits that
    setting = "; ".join(f"signal.signal(signal.{name}, {how})" for name, how in handled.items())
    running = subprocess.Popen(
        [sys.executable, "-c", f"import os, signal, sys; {setting}\n"
         "os.execv(sys.argv[1], sys.argv[1:])", *COMMAND, "batch", "-", str(sink)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    assert running.stdin is not None
    # more than is read at a time
    running.stdin.write(b"11z\n" * MANY)
    running.stdin.flush()
    deadline = time.monotonic() + 60
    while not list(sink.parent.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.02)
    (part,) = sink.parent.iterdir()
    assert re.fullmatch(r"\.mahjong-eval-out\.csv-\w+\.part", part.name)
    return running


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_no_file(tmp_path, number):
    sink = tmp_path / "out.csv"
    running = waiting_batch(sink, **{number.name: signal.SIG_DFL})
    running.send_signal(number)
    _, err = running.communicate(timeout=60)
    assert list(tmp_path.iterdir()) == []
    assert running.returncode == 128 + number
    assert b"Traceback" not in err
    if number == signal.SIGINT:
        assert err == b"mahjong-eval: error: interrupted\n"
    else:
        assert err == b""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_is_ignored_stays_ignored(tmp_path, number):
    sink = tmp_path / "out.csv"
    running = waiting_batch(sink, **{number.name: signal.SIG_IGN})
    running.send_signal(number)
    _, err = running.communicate(b"11z\n", timeout=60)
    assert (running.returncode, err) == (0, b"")
    assert len(sink.read_text().splitlines()) == MANY + 2


INTERRUPTED_IMPORT = """
import signal, sys
from evaluator.cli import main
class Interrupt:
    def find_spec(self, name, *_):
        if name == sys.argv[1]:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.parametrize(
    "module", ["argparse", "evaluator.commands", "evaluator.commands.batch", "evaluator.errors",
               "numpy", "numba", "evaluator.shape.kernels.shanten"],
)  # fmt: skip
def test_an_interrupt_during_imports(module):
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT, module, "shanten", "11z"],
        cwd=ROOT,
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (130, b"")
    assert done.stderr == b"mahjong-eval: error: interrupted\n"


def on_a_terminal(*argv: object, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Run the command with its standard output and error on a terminal."""
    ours, theirs = pty.openpty()
    rows_and_columns = struct.pack("HHHH", 24, 100, 0, 0)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, rows_and_columns)
    clean = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "TERM")}
    running = subprocess.Popen(
        [*COMMAND, *map(str, argv)],
        cwd=ROOT,
        stdout=theirs,
        stderr=theirs,
        stdin=subprocess.DEVNULL,
        env={**clean, "TERM": "xterm", **(env or {})},
    )
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], 60)[0]:
        try:
            data = os.read(ours, 65536)
        except OSError:
            break
        if not data:
            break
        shown += data
    os.close(ours)
    return running.wait(timeout=60), shown.decode()


def test_colour_only_on_a_terminal_that_wants_it(call):
    assert "\033" not in call("shanten", "11z", "12x").out
    status, shown = on_a_terminal("shanten", "11z", "12x")
    assert status == 1
    assert "\033[32mcomplete" in shown
    assert "\033[31merror" in shown
    status, shown = on_a_terminal("shanten", "11z", "12x", env={"NO_COLOR": "1"})
    assert status == 1
    assert "complete" in shown
    assert "\033" not in shown


def test_progress_only_on_a_terminal(tmp_path):
    source = big_file(tmp_path)
    status, shown = on_a_terminal("batch", source, tmp_path / "a.csv")
    assert status == 0
    assert "%|" in shown
    assert "200,000 hands in" in shown
    got = process("batch", source, tmp_path / "b.csv")
    assert (got.status, got.out, got.err) == (0, "", "")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_a_terminal_without_chinese():
    got = process("shanten", "11z", env={"PYTHONIOENCODING": "ascii"})
    assert got.out == "-1  11z  complete ?\n"


def test_arguments_that_are_no_text():
    done = subprocess.run(
        [*COMMAND, "shanten", b"11z\xff"], cwd=ROOT, capture_output=True, timeout=60
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


def test_errors_in_chinese(call, monkeypatch):
    got = call("--lang", "zh", "shanten", "12x")
    assert (got.status, got.out) == (1, "")
    assert re.search("[一-鿿]", got.err)
    assert re.search("[一-鿿]", call("--lang", "zh", "score", "123m").err)
    assert not re.search("[一-鿿]", call("score", "123m", "--lang", "zh").err)
    monkeypatch.setenv("MAHJONG_EVAL_LANG", "zh_CN")
    got = call("batch", "/nothing.csv", "-")
    assert got.err == "mahjong-eval: error: /nothing.csv：无法读写：没有这个文件或文件夹\n"
    assert call("--lang", "en", "rules", "--keys", "x").err.endswith("has no key 'x'\n")
