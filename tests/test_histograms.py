"""Histograms of hands, their pictures, and the command ``histogram``."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections import Counter
from math import comb
from pathlib import Path

import numpy as np
import pytest

import evaluator as ev
from evaluator.cli import main
from evaluator.dealing import lists as dealt
from evaluator.dealing.distributions import (
    deal_shanten,
)
from evaluator.dealing.histograms import AllWins, Dealt, Files, Histogram, histogram
from evaluator.dealing.lists import Deal
from evaluator.dealing.pictures import picture

ROOT = Path(__file__).parent.parent
N = 4000

WON = [
    ("555666777p5556s7s|EE1000", 48),
    ("555666777p5556s7s", 46),
    ("[123m,1][345m,1]678p56sWW7s", 8),
]


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(dealt, "PIECE", 700)


def counted(values):
    return dict(sorted(Counter(np.asarray(values).tolist()).items()))


@pytest.mark.parametrize("threads", [1, 3])
def test_every_quantity_of_dealt_hands(threads, small_pieces):
    hands = ev.deal(N, 13, seed=6, start=9)
    waits = ev.waits(hands, "riichi")
    origin = Dealt(Deal(N, 13, seed=6, start=9))
    told = []
    found = {
        quantity: histogram(quantity, origin, "riichi", threads=threads, progress=told.append)
        for quantity in ("shanten", "waits", "left")
    }
    assert found["shanten"].hands == counted(ev.shanten(hands, "riichi"))
    assert found["waits"].hands == counted([int(mask).bit_count() for mask in waits.mask])
    assert found["left"].hands == counted(waits.total)
    assert told[-1] == N
    for each in found.values():
        assert (each.total, each.bad, each.no_win, each.not_ready) == (N, 0, 0, 0)
        assert each.rules == "riichi"
        assert sum(each.share(value) for value in each.values) == pytest.approx(1)
    assert found["waits"].exact is None
    assert found["shanten"].exact == deal_shanten(13, 34, "riichi")
    mean = ev.shanten(hands, "riichi").mean()
    assert found["shanten"].mean == pytest.approx(mean)


def test_ready_hands_only():
    origin = Dealt(Deal(N, 13, family="near_win"))
    hands = ev.deal(N, 13, family="near_win")
    waits = ev.waits(hands, "riichi")
    ready = waits.shanten == 0
    found = histogram("left", origin, "riichi", ready=True)
    assert found.hands == counted(waits.total[ready])
    assert found.not_ready == N - ready.sum()
    assert found.total + found.not_ready == N


@pytest.mark.parametrize("name", ["hands.parquet", "hands.txt", "hands.csv", "parts/"])
def test_files_are_counted_as_their_hands(name, tmp_path, small_pieces):
    dealt.write(Deal(N, 14, 27), f"{tmp_path}/{name}")
    found = histogram("shanten", Files(tmp_path / name), "sbr_2025")
    assert found.hands == counted(ev.shanten(ev.deal(N, 14, 27), "sbr_2025"))
    # a Parquet file says that it was dealt, and how
    parquet = not name.endswith(("txt", "csv"))
    assert found.exact == (deal_shanten(14, 27, "sbr_2025") if parquet else None)


def test_fan_of_a_file(tmp_path):
    path = tmp_path / "won.txt"
    path.write_text("".join(f"{text}\n" for text, _ in WON) + "123m456p789s1122z3z\n12x\n11z\n")
    found = histogram("fan", Files(path))
    assert found.hands == {8: 1, 46: 1, 48: 1}
    assert (found.no_win, found.rules) == (1, "guobiao")
    assert found.bad == 2
    assert found.first_bad.startswith(f"{path}: line 5: 'x' means nothing")
    assert found.mean == 34


def test_columns_of_a_file(tmp_path):
    """Wild tiles and void suits of a row are its own."""
    path = tmp_path / "hands.csv"
    path.write_text("hand,void,wilds\n123456789m1p,s,1\n123456789m1p,m,1\n123456789m12p,,\n")
    found = histogram("shanten", Files(path), "sbr_2025")
    asked = [("123456789m1p", 2, 1), ("123456789m1p", 0, 1), ("123456789m12p", None, 0)]
    expected = [
        ev.shanten(ev.parse(text), "sbr_2025", void=void, wilds=wilds)
        for text, void, wilds in asked
    ]
    assert found.hands == counted(expected)


def test_rows_that_are_wrong_are_named(tmp_path):
    path = tmp_path / "hands.txt"
    path.write_text("123m456p789s1122z\n123m456p789s1122z3z\n1z\n")
    found = histogram("waits", Files(path))
    assert (found.total, found.bad) == (2, 1)
    assert "line 2: This hand has 14 tiles. waits() needs 1, 4, 7, 10 or 13" in found.first_bad
    with pytest.raises(ev.EvaluatorError, match="kinds must be 27"):
        histogram("shanten", Dealt(Deal(3, 13)), "sbr_2025")
    found = histogram("waits", Dealt(Deal(3, 13)), "sbr_2025")
    assert found.bad == 3
    assert found.first_bad.startswith("hand 0: ")
    assert "is not in this game: sbr_2025 is played without honours" in found.first_bad


def test_all_wins():
    found = histogram("shanten", AllWins("sbr_2025"), "sbr_2025")
    assert found.hands == {-1: 2_561_091}
    assert found.of == "every complete hand of sbr_2025, once each"


def test_refused():
    origin = Dealt(Deal(5))
    with pytest.raises(ev.EvaluatorError, match=r"quantity must be one of .*, got 'points'"):
        histogram("points", origin)
    with pytest.raises(ev.EvaluatorError, match="not for their shanten"):
        histogram("shanten", origin, ready=True)
    with pytest.raises(ev.EvaluatorError, match="needs the winning tile"):
        histogram("fan", origin)
    with pytest.raises(ev.RulesError):
        histogram("shanten", origin, "rich")


def test_nothing_to_count():
    found = histogram("shanten", Dealt(Deal(0)), "riichi")
    assert (found.total, found.mean, found.hands) == (0, None, {})
    assert found.share(0) == 0
    assert picture(found)[1:4] == b"PNG"


def test_tables():
    found = Histogram("shanten", "some", "riichi", {0: 1, 2: 3}, {0: 5, 1: 15})
    assert found.values == [0, 1, 2]
    rows = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert [row["value"] for row in rows] == ["0", "1", "2"]
    assert rows[0] == {
        "value": "0", "hands": "1", "share": "0.25", "deals": "5", "exact_share": "0.25"
    }  # fmt: skip
    about = json.loads(found.to_json())
    assert about["values"][2] == {
        "value": 2, "hands": 3, "share": 0.75, "deals": 0, "exact_share": 0.0
    }  # fmt: skip
    assert (about["hands"], about["mean"], about["rules"]) == (4, 1.5, "riichi")
    found.exact = None
    assert found.to_csv().splitlines()[0] == "value,hands,share"


@pytest.mark.parametrize("form", ["png", "svg"])
def test_pictures(form):
    found = Histogram("left", "dealt & <counted>", "riichi", dict.fromkeys(range(80), 7))
    drawn = picture(found, form)
    assert drawn == picture(found, form)
    assert drawn.startswith(b"\x89PNG\r\n" if form == "png" else b"<?xml")
    if form == "svg":
        import xml.etree.ElementTree as tree

        assert tree.fromstring(drawn).tag.endswith("svg")


# --- the command


def test_command_shows_the_table(capsys):
    assert main(["histogram", "shanten", "--deal", "3k", "--tiles", "14", "--rules", "riichi"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("3,000 dealt hands of 14 tiles (random, 34 kinds, seed 0), riichi")
    assert lines[1].split() == ["shanten", "hands", "share", "exact"]
    # 12859078207674 of all C(136, 14)
    assert lines[2].split()[:1] == ["-1"]
    assert "3.0e-04 %" in lines[2]
    assert round(100 * 12859078207674 / comb(136, 14), 5) == 0.0003
    assert lines[-1].startswith("3,000 hands counted; mean 3.")
    bars = [line.count("█") for line in lines]
    assert max(bars) == 30


def test_command_takes_the_kinds_of_the_rules(capsys):
    assert main(["histogram", "shanten", "--deal", "100", "--rules", "sbr_2025", "--json"]) == 0
    about = json.loads(capsys.readouterr().out)
    assert "27 kinds" in about["of"]
    assert about["hands"] == 100
    assert sum(row["deals"] for row in about["values"]) == comb(108, 13)


def test_command_writes_files(tmp_path, capsys):
    names = ["h.png", "h.svg", "h.csv", "h.json"]
    outs = [word for name in names for word in ("--out", str(tmp_path / name))]
    words = ["histogram", "waits", "--deal", "500", "--rules", "riichi", *outs]
    assert main(words) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    rows = list(csv.DictReader(io.StringIO((tmp_path / "h.csv").read_text())))
    about = json.loads((tmp_path / "h.json").read_text())
    assert [int(row["hands"]) for row in rows] == [row["hands"] for row in about["values"]]
    before = (tmp_path / "h.png").read_bytes()
    assert main(words) == 2
    assert "exists already" in capsys.readouterr().err
    assert (tmp_path / "h.png").read_bytes() == before
    assert main([*words, "--force"]) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "one of IN, --deal N and --wins"),
        (["x.txt", "--deal", "5"], "one of IN, --deal N and --wins"),
        (["x.txt", "--tiles", "14"], "--tiles is for hands that are dealt"),
        (["--wins", "--family", "flush"], "--family is for hands that are dealt"),
        (["--deal", "5", "--column", "h"], "--column is for files"),
        (["x.txt"], "x.txt: no such file"),
        (["--deal", "5", "--out", "h.pdf"], "h.pdf: OUT is a .png"),
        (["--deal", "5", "--out", "no/h.png"], "no/h.png: no such file or directory"),
        (["--deal", "5", "--ready"], "not for their shanten"),
        (["--deal", "5", "--rules", "rich"], "no such rule set"),
        (["--wins"], "of guobiao cannot be listed"),
    ],
)
def test_command_refuses(words, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rules = ["--rules", "guobiao"] if words == ["--wins"] else []
    assert main(["histogram", "shanten", *words, *rules]) == 2
    got = capsys.readouterr()
    assert said in got.err
    assert got.out == ""
    assert not list(tmp_path.iterdir())


def test_command_says_what_is_bad(tmp_path, capsys):
    (tmp_path / "hands.txt").write_text("11z\n12x\n555z\n")
    assert main(["histogram", "shanten", str(tmp_path / "hands.txt")]) == 1
    got = capsys.readouterr()
    assert "1 hand counted" in got.out
    assert "line 2: 'x' means nothing" in got.err
    assert "2 bad rows, not counted" in got.err


def test_without_matplotlib(tmp_path):
    """The line to run is said before anything is counted."""
    code = (
        "import sys; sys.modules['matplotlib'] = None; from evaluator.cli import main;"
        "sys.exit(main(sys.argv[1:]))"
    )
    words = ["histogram", "shanten", "--deal", "1G", "--out", str(tmp_path / "h.png")]
    run = subprocess.run(
        [sys.executable, "-c", code, *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert run.returncode == 2
    assert "pip install 'mahjong-evaluator[plot]'" in run.stderr
    assert not list(tmp_path.iterdir())
