"""Files of every kind in and out: the same answers, in order, whatever the pieces."""

from __future__ import annotations

import csv
import datetime
import json
import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evaluator as ev
from evaluator.cli import main
from evaluator.engine.ordered import in_order
from evaluator.errors import EvaluatorError, FileError
from evaluator.files import BadRow, BadRowError, evaluate, parquetinput, run, textinput
from evaluator.files.conditions import WhereError, all_of, mask, parse_where
from evaluator.files.jobs import make_job
from evaluator.hands.arrow.fields import COUNTS, NOTATION, RULES, hand_array

ASKED = ("shanten", "waits", "discards", "win")
BAD = ("12x", "123m", "11111m", "[124m]1m", "1 1m")


def counts(n: int, seed: int = 0) -> np.ndarray:
    """Hands of 13 and 14 tiles."""
    both = np.concatenate([ev.deal(n - n // 3, 13, seed=seed), ev.deal(n // 3, 14, seed=seed)])
    return both[np.random.default_rng(seed).permutation(n)]


def texts(n: int, seed: int = 0) -> list[str]:
    """The same as text, some of them wrong."""
    chance = random.Random(seed)
    found = [ev.format(row) for row in counts(n, seed)]
    for bad in BAD[: n // 10]:
        found[chance.randrange(n)] = bad
    return found


def table(n: int, seed: int = 0) -> pa.Table:
    return pa.table({"id": pa.array(range(n)), "hand": texts(n, seed)})


def write(path: Path, given: pa.Table, group: int = 1 << 18) -> Path:
    """A table in the format its name says."""
    path.parent.mkdir(exist_ok=True)
    if path.suffix == ".parquet":
        pq.write_table(given, path, row_group_size=group)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in given.to_pylist()))
    elif path.suffix == ".txt":
        path.write_text("".join(f"{hand}\n" for hand in given["hand"].to_pylist()))
    else:
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(given.column_names)
            writer.writerows([*row.values()] for row in given.to_pylist())
    return path


@pytest.fixture
def small_pieces(monkeypatch):
    """Pieces of a few rows."""
    monkeypatch.setattr(parquetinput, "ROWS", 7)
    monkeypatch.setattr(textinput, "ROWS", 7)
    monkeypatch.setattr(textinput, "BYTES", 200)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("tiles", ["mask", "names"])
def test_every_input_gives_the_same_parquet(tmp_path, suffix, tiles):
    given = table(80)
    source = write(tmp_path / f"手 in{suffix}", given)
    for sink in (tmp_path / "out.parquet", f"{tmp_path}/out/"):
        assert run(source, sink, ASKED, "riichi", tiles=tiles)[0] == 80
        found = pq.read_table(sink)
        expected = evaluate(given, ASKED, "riichi", tiles=tiles)
        if suffix == ".csv":
            assert found["id"].to_pylist() == [str(number) for number in range(80)]
            found, expected = found.drop_columns(["id"]), expected.drop_columns(["id"])
        assert found.equals(expected.cast(found.schema))
        assert found.schema.field("win").metadata[RULES] == b"riichi"
        assert found.schema.field("error").type == pa.string()


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_text_out_is_what_text_in_gives(tmp_path, form, suffix):
    given = table(60, seed=2)
    queries = (*ASKED, "score")
    expected = tmp_path / "expected.out"
    csv_summary = run(write(tmp_path / "in.csv", given), expected, queries, form=form)
    found = tmp_path / f"found.{form}"
    assert run(write(tmp_path / f"in{suffix}", given), found, queries) == csv_summary
    if form == "csv":
        assert found.read_text() == expected.read_text()
    else:
        rows = [json.loads(line) for line in expected.read_text().splitlines()]
        wanted = [{**row, "id": int(row["id"])} for row in rows]
        assert [json.loads(line) for line in found.read_text().splitlines()] == wanted
    # through the pieces of Arrow, text gives the same
    again = tmp_path / f"again.{form}"
    run(tmp_path / "in.csv", again, queries, columns=["id", "hand"])
    assert again.read_text() == expected.read_text()


def test_counts_out_as_text(tmp_path):
    hands = counts(50)
    given = pa.table({"hand": hand_array(hands), "when": [datetime.date(2024, 5, 6)] * 50,
                      "x": [1.5] * 50, "list": [[1, 2]] * 50, "ok": [True, None] * 25,
                      "d": pa.array(["a,b", 'q"'] * 25).dictionary_encode()})  # fmt: skip
    source = write(tmp_path / "in.parquet", given)
    for form in ("csv", "jsonl"):
        run(source, tmp_path / f"out.{form}", ("discards", "win"), "riichi")
    with (tmp_path / "out.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    for row, line, hand in zip(rows, lines, hands, strict=True):
        assert np.array_equal(ev.parse(row["hand"]), hand)
        assert line["hand"] == row["hand"]
        assert (row["when"], row["x"], row["list"]) == ("2024-05-06", "1.5", "[1, 2]")
        assert (line["when"], line["x"], line["list"]) == ("2024-05-06", 1.5, [1, 2])
        assert line["d"] == row["d"]
        assert row["discard"] == (line["discard"] or "")
        if hand.sum() == 14:
            best = int(ev.discards(hand, "riichi").best())
            assert ev.parse(row["discard"])[best] == 1
            assert "".join(line["discard_waits"]) or row["discard_waits"] == ""


@pytest.mark.parametrize("kind", ["fixed", "list", "int64", "text"])
def test_hands_go_along(tmp_path, kind):
    hands = counts(40)
    column = {
        "fixed": hand_array(hands),
        "list": pa.array(hands.tolist(), pa.list_(pa.uint8(), 34)),
        "int64": pa.array(hands.tolist(), pa.list_(pa.int64())),
        "text": pa.array([ev.format(hand) for hand in hands]),
    }[kind]
    holes = pa.array([None if row % 5 == 0 else row for row in range(40)])
    values = [None if row % 5 == 0 else value for row, value in enumerate(column.to_pylist())]
    given = pa.table({"hand": pa.array(values, column.type)})
    run(write(tmp_path / "in.parquet", given), tmp_path / "out.parquet", ("shanten", "win"))
    found = pq.read_table(tmp_path / "out.parquet")
    field = found.schema.field("hand")
    if kind in ("fixed", "list"):
        assert field.type == pa.binary(34)
        assert field.metadata[NOTATION] == COUNTS.encode()
        assert found["hand"].to_pylist() == [
            None if row % 5 == 0 else hand.tobytes() for row, hand in enumerate(hands)
        ]
    else:
        assert found["hand"].to_pylist() == values
    assert found["shanten"].is_null().to_pylist() == holes.is_null().to_pylist()
    assert found["error"].null_count == 40


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("suffix", [".txt", ".csv", ".jsonl", ".parquet"])
@pytest.mark.parametrize("threads", [1, 3])
def test_pieces_and_threads_do_not_show(tmp_path, monkeypatch, suffix, threads):
    given = table(100, seed=5)
    source = write(tmp_path / f"in{suffix}", given, group=23)
    sinks = [tmp_path / "pieces.parquet", tmp_path / "pieces.csv", f"{tmp_path}/pieces/"]
    for sink in sinks:
        bad: list[BadRow] = []
        summary = run(source, sink, ASKED, threads=threads, report=bad.append, columns=["hand"])
        assert summary == (100, len(bad))
        assert [row.line for row in bad] == sorted(row.line for row in bad)
    assert pq.ParquetFile(sinks[0]).metadata.num_row_groups > 10
    expected = evaluate(given.select(["hand"]), ASKED)
    for sink in (sinks[0], sinks[2]):
        found = pq.read_table(sink)
        assert found.equals(expected.cast(found.schema))
    monkeypatch.undo()
    whole = tmp_path / "whole.csv"
    run(source, whole, ASKED, columns=["hand"])
    assert whole.read_bytes() == sinks[1].read_bytes()


@pytest.mark.usefixtures("small_pieces")
def test_quoted_line_ends_in_pieces(tmp_path):
    rows = [[hand, f'a\n"{at}"\n,b'] for at, hand in enumerate(texts(60, seed=8))]
    with (tmp_path / "in.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["hand", "note"], *rows])
    run(tmp_path / "in.csv", tmp_path / "out.parquet", "shanten")
    found = pq.read_table(tmp_path / "out.parquet")
    assert [list(row) for row in zip(*(found[n].to_pylist() for n in ("hand", "note")), strict=True)
            ] == rows  # fmt: skip


def test_folders_and_globs(tmp_path):
    whole = table(90, seed=3)
    for at in (2, 0, 1):
        write(tmp_path / "games" / f"{at}.parquet", whole.slice(30 * at, 30))
    (tmp_path / "games" / "_SUCCESS").touch()
    (tmp_path / "games" / ".hidden").write_text("x")
    expected = evaluate(whole, "shanten")
    for source in (tmp_path / "games", f"{tmp_path}/games/", f"{tmp_path}/games/[012].parquet"):
        bad: list[BadRow] = []
        run(source, tmp_path / "out.parquet", "shanten", force=True, report=bad.append)
        found = pq.read_table(tmp_path / "out.parquet")
        assert found.equals(expected.cast(found.schema))
        places = [int(Path(row.name).stem) * 30 + row.line for row in bad]
        assert [row for row in range(90) if expected["error"][row].is_valid] == places
        assert {row.unit for row in bad} == {"row"}
    # what a folder was made into is an input as well
    run(tmp_path / "games", f"{tmp_path}/answers/", "shanten")
    run(f"{tmp_path}/answers", tmp_path / "again.csv", "win", columns=["id", "hand"])
    assert len((tmp_path / "again.csv").read_text().splitlines()) == 91


def test_folders_that_cannot_be_read(tmp_path):
    folder = tmp_path / "in"
    write(folder / "a.parquet", table(5))
    write(folder / "b.parquet", pa.table({"hand": ["11m"], "id": ["one"]}))
    out = tmp_path / "out.parquet"

    def refused(message: str, source: object = folder, sink: object = out, **options: object):
        with pytest.raises(FileError, match=message):
            run(source, sink, "shanten", **options)
        assert not out.exists()
        assert not list(tmp_path.glob(".*"))

    refused(r"b\.parquet: column 'id' is string, in .*a\.parquet it is int64")
    write(folder / "b.parquet", pa.table({"hand": ["11m"]}))
    refused(r"b\.parquet: has no column 'id', unlike")
    write(folder / "b.parquet", table(3).select(["hand", "id"]))
    refused("columns are in another order")
    (folder / "b.parquet").unlink()
    (folder / "c.jsonl").write_text('{"hand": "11m", "id": 1}\n')
    refused("files of two kinds")
    (folder / "c.jsonl").unlink()
    (folder / "notes.md").write_text("hello")
    refused(r"notes\.md: is not a Parquet, CSV, JSONL or text file by its name")
    refused("matches no file", f"{tmp_path}/none*.parquet")
    refused("no such file", tmp_path / "none.parquet")
    refused("is the input too", folder / "*.parquet", folder / "a.parquet", force=True)
    refused("is the input too", folder / "*.parquet", f"{folder}/")
    link = tmp_path / "link.parquet"
    link.symlink_to(folder / "a.parquet")
    refused("is the input too", folder / "*.parquet", link, force=True)
    assert pq.read_table(folder / "a.parquet").num_rows == 5
    refused("needs a folder", folder / "a.parquet", resume=True)
    refused("needs a folder", folder / "a.parquet", dask="")


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_conditions(tmp_path, suffix):
    given = table(200, seed=6).append_column("game no", pa.array([f"g{i % 7}" for i in range(200)]))
    source = write(tmp_path / f"in{suffix}", given, group=50)
    whole = evaluate(given, ("shanten", "win"), "riichi").to_pylist()
    cases = {
        "shanten <= 3": lambda row: row["shanten"] is not None and row["shanten"] <= 3,
        "id >= 150": lambda row: row["id"] >= 150,
        "id < 100 and shanten > 3 and `game no` in ('g1', 'g2')": lambda row: (
            row["id"] < 100 and (row["shanten"] or 0) > 3 and row["game no"] in ("g1", "g2")
        ),
        "error is not None": lambda row: row["error"] is not None,
        "id == 7 or shanten == 2": lambda row: row["id"] == 7 or row["shanten"] == 2,
        "id < 0": lambda row: False,
    }
    for where, true in cases.items():
        sink = tmp_path / "out.parquet"
        run(source, sink, ("shanten", "win"), "riichi", where=where, columns=["hand"], force=True)
        found = pq.read_table(sink)
        assert found.column_names == ["hand", "shanten", "win", "error"]
        wanted = [{name: row[name] for name in found.column_names} for row in whole if true(row)]
        assert found.to_pylist() == wanted, where


def test_the_reader_leaves_out_what_it_can(tmp_path):
    source = write(tmp_path / "in.parquet", table(100), group=10)
    job = make_job(source, "shanten", where="id >= 42 and id < 58 and shanten < 9")
    pieces = [piece for run_ in job.runs() for piece in run_]
    assert [piece.group for piece in pieces] == [4, 5]
    assert [piece.number for piece in pieces] == [0, 1]
    # bad rows that the reader leaves out are not asked about
    bad: list[BadRow] = []
    expected = evaluate(table(100), "shanten")["error"]
    run(source, tmp_path / "out.parquet", "shanten", where="id >= 40", report=bad.append)
    assert [row.line for row in bad] == [row for row in range(40, 100) if expected[row].is_valid]


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("shanten = 1", r'invalid syntax .*\(equal is "=="\)'),
        ("nothing > 1", "no column 'nothing' .there are id, hand, shanten, error"),
        ("__import__('os').remove('x') == 1", "is not a column, a number or text"),
        (f"id == {2**63}", "is not a column, a number or text"),
        ("shanten", "cast|boolean|bool"),
        ("hand > id", "no kernel matching"),
        ("shanten in 3", "stands before a list"),
        ("shanten is 3", "stand before None"),
        ("1 < 2 <", "invalid syntax"),
        ("shanten in ([1],)", "is not a column, a number or text"),
        ("", "invalid syntax"),
    ],
)
def test_conditions_that_cannot_be(tmp_path, where, message):
    source = write(tmp_path / "in.parquet", table(5))
    if where == "shanten":
        # numbers are true where they are not 0, as in Python
        run(source, tmp_path / "out.parquet", "shanten", where=where)
        return
    with pytest.raises(WhereError, match=message):
        run(source, tmp_path / "out.parquet", "shanten", where=where)
    assert not (tmp_path / "out.parquet").exists()


def test_conditions_on_missing_values_and_text():
    given = pa.table({
        "n": pa.array([0, 1, None, 2], pa.int8()), "text": ["5", "x", "", " 12 "],
        "bits": pa.array([1, 2, 3, 4], pa.uint64()), "ok": [True, False, None, True],
        "d": pa.array(["a", "b", "a", None]).dictionary_encode(),
    })  # fmt: skip
    for where, wanted in {
        "n <= 1": [True, True, None, False],
        "not n == 1": [True, False, None, True],
        "n not in (0, 1)": [False, False, False, True],
        "n is None or n == 2": [False, False, True, True],
        "0 <= n < 2": [True, True, None, False],
        "text > 5": [False, None, None, True],
        "text in ('5', 'x')": [True, True, False, False],
        "bits & 2 != 0": [False, True, True, False],
        "d == 'a'": [True, False, True, None],
        "ok": [True, False, None, True],
        "not ok and n == 1": [False, True, None, False],
        "n == -1": [False, False, None, False],
    }.items():
        made = all_of(part.expression(given.schema) for part in parse_where(where))
        assert mask(given, made).to_pylist() == wanted, where


def test_bad_rows_and_strict(tmp_path):
    given = pa.table({"hand": ["11m", "1x", None, "11z", "123m"]})
    source = write(tmp_path / "in.parquet", given)
    bad: list[BadRow] = []
    assert run(source, tmp_path / "out.parquet", "shanten", report=bad.append) == (5, 2)
    assert [(row.line, row.name, row.unit) for row in bad] == [(1, "", "row"), (4, "", "row")]
    assert pq.read_table(tmp_path / "out.parquet")["shanten"].to_pylist() == [-1, None, None, -1,
                                                                              None]  # fmt: skip
    with pytest.raises(BadRowError, match=r"in\.parquet: row 1: 'x' means nothing"):
        run(source, tmp_path / "other.parquet", "shanten", strict=True)
    assert not (tmp_path / "other.parquet").exists()


@pytest.mark.parametrize("suffix", [".txt", ".csv", ".jsonl", ".parquet"])
def test_no_rows(tmp_path, suffix):
    source = write(tmp_path / f"in{suffix}", table(0))
    if suffix == ".jsonl":
        with pytest.raises(FileError, match="has no column 'hand'"):
            run(source, tmp_path / "out.parquet", "waits")
        return
    for sink in (tmp_path / "out.parquet", f"{tmp_path}/out/"):
        assert run(source, sink, "waits") == (0, 0)
        assert pq.read_table(sink).column_names[-1] == "error"
    assert sorted(os.listdir(tmp_path / "out")) == ["_SUCCESS", "part-000000.parquet"]


def test_columns_like_answers_and_twice(tmp_path):
    given = pa.table({"hand": ["11m"], "shanten": [7], "id": [1]})
    source = write(tmp_path / "in.parquet", given)
    out = tmp_path / "out.parquet"
    with pytest.raises(FileError, match=r"columns named like results \(shanten\)"):
        run(source, out, "shanten")
    run(source, out, "shanten", replace=True)
    assert pq.read_table(out).to_pylist() == [
        {"hand": "11m", "id": 1, "shanten": -1, "error": None}
    ]
    run(source, out, "shanten", columns=["id"], where="shanten < 0", force=True)
    assert pq.read_table(out).num_rows == 1
    for columns, message in ((["shanten"], "named like a result"), (["no"], "has no column 'no'")):
        with pytest.raises(FileError, match=message):
            run(source, out, "shanten", columns=columns, force=True)
    twice = pa.table([["11m"], [1], [2]], names=["hand", "x", "x"])
    with pytest.raises(FileError, match="two columns 'x'"):
        run(write(tmp_path / "twice.parquet", twice), out, "shanten", force=True)
    with pytest.raises(EvaluatorError, match="form must be one of csv, jsonl, parquet, got 'xml'"):
        run(source, out, "shanten", form="xml")


def test_json_lines_of_every_type(tmp_path):
    rows = [{"hand": "11m", "when": "2024-01-02 03:04:05", "n": 1, "x": None},
            {"hand": [0] * 33 + [2], "n": 1.5, "deep": {"a": [1]}}]  # fmt: skip
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps(rows[0]) + "\n\n" + json.dumps({**rows[0], "n": 2.5}) + "\n")
    run(source, tmp_path / "out.jsonl", "shanten")
    first, second = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
    assert first == {**rows[0], "shanten": -1, "error": None}
    assert second["n"] == 2.5
    source.write_text(json.dumps(rows[1]) + "\n")
    run(source, tmp_path / "lists.parquet", "shanten")
    assert pq.read_table(tmp_path / "lists.parquet")["shanten"].to_pylist() == [-1]
    for wrong, message in (
        ("\n".join(map(json.dumps, rows)), "from line 1 on a column is of another type"),
        ('{"hand": "1m"', r"in\.jsonl: line 1: is not JSON \(Expecting ',' delimiter, at"),
        ('{"hand": "1m"}\n\nhand\n', r"line 3: is not JSON \(Expecting value, at character 1"),
        ('{"hand": "1m"}\n[1, 2]\n', "line 2: must be a JSON object"),
        ("[" * 99_999 + "\n", r"line 1: (cannot be read|is no JSON)"),
        ('{"hand": "1m"}{"hand": "1m"}\n', "one JSON object a line"),
        ('{"id": 1}\n', "has no column 'hand'"),
    ):
        source.write_text(wrong)
        with pytest.raises(FileError, match=message):
            run(source, tmp_path / "wrong.parquet", "shanten")
    assert not (tmp_path / "wrong.parquet").exists()


# --- folders that are taken up again


def answered(folder: Path) -> pa.Table:
    return pq.read_table(folder)


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("suffix", [".txt", ".parquet"])
def test_resuming(tmp_path, monkeypatch, suffix):
    source = write(tmp_path / f"in{suffix}", table(60, seed=4), group=20)
    sink = f"{tmp_path}/out/"
    summary = run(source, sink, "shanten", "riichi")
    assert summary.bad > 0
    parts = sorted((tmp_path / "out").glob("part-*"))
    whole = {part.name: part.read_bytes() for part in parts}
    with pytest.raises(FileError, match="is not empty: --resume goes on with it"):
        run(source, sink, "shanten", "riichi")
    # nothing is made again; what is damaged, missing or of a longer run is
    stamp = {part.name: part.stat().st_mtime_ns for part in parts}
    parts[1].unlink()
    parts[3].write_bytes(whole[parts[3].name][:-9])
    (tmp_path / "out" / f"part-{len(parts):06}.parquet").write_bytes(whole[parts[0].name])
    (tmp_path / "out" / ".mahjong-eval-part-000001.parquet-00.part").write_text("half")
    assert run(source, sink, "shanten", "riichi", resume=True) == summary
    assert {p.name: p.read_bytes() for p in (tmp_path / "out").glob("part-*")} == whole
    after = {p.name: p.stat().st_mtime_ns for p in parts}
    assert [name for name in stamp if after[name] != stamp[name]] == [parts[1].name, parts[3].name]
    assert sorted(os.listdir(sink)) == ["_SUCCESS", *sorted(whole)]
    # another question is another job
    for options in ({"rules": "guobiao"}, {"where": "shanten < 3"}, {"columns": []}, {"wilds": 1}):
        with pytest.raises(FileError, match="made by another command: --force"):
            run(source, sink, "shanten", **{"rules": "riichi", "resume": True, **options})
    assert {p.name: p.read_bytes() for p in (tmp_path / "out").glob("part-*")} == whole
    # a changed input is answered anew
    write(source, table(60, seed=9), group=20)
    run(source, sink, "shanten", "riichi", resume=True)
    expected = evaluate(table(60, seed=9), "shanten", "riichi")
    assert answered(tmp_path / "out")["shanten"].to_pylist() == expected["shanten"].to_pylist()


def test_an_input_that_changes_while_it_is_read(tmp_path):
    source = write(tmp_path / "in.parquet", table(60), group=20)
    job = make_job(source, "shanten")
    pieces = [piece for run_ in job.runs() for piece in run_]
    job.do(pieces[0])
    write(source, table(40), group=20)
    with pytest.raises(FileError, match=r"in\.parquet: was changed while it was read"):
        job.do(pieces[1])


def test_the_bytes_do_not_depend_on_threads(tmp_path):
    given = pa.table({"hand": hand_array(counts(3000)), "id": range(3000)})
    source = write(tmp_path / "in.parquet", given, group=500)
    for threads in (1, 4):
        run(source, f"{tmp_path}/{threads}/", ASKED, threads=threads)
        run(source, tmp_path / f"{threads}.parquet", ASKED, threads=threads)
    assert (tmp_path / "1.parquet").read_bytes() == (tmp_path / "4.parquet").read_bytes()
    for part in (tmp_path / "1").iterdir():
        assert part.read_bytes() == (tmp_path / "4" / part.name).read_bytes()


def test_wide_columns_make_small_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(parquetinput, "BYTES", 1 << 18)
    given = pa.table({"hand": hand_array(counts(4000)), "note": [os.urandom(50).hex()] * 4000,
                      "other": [os.urandom(500).hex() for _ in range(4000)]})  # fmt: skip
    source = write(tmp_path / "in.parquet", given)
    wide = [p for r in make_job(source, "shanten").runs() for p in r]
    narrow = [p for r in make_job(source, "shanten", columns=["note"]).runs() for p in r]
    assert len(wide) == 4
    assert len(narrow) < len(wide)
    run(source, tmp_path / "out.parquet", "shanten")
    found = pq.read_table(tmp_path / "out.parquet")
    assert found["other"].equals(given["other"])


# --- order


def test_results_come_in_order_and_do_not_pile_up():
    started: list[int] = []
    taken = 0

    def work(piece: int) -> int:
        started.append(piece)
        return piece

    runs = [[i, i + 1, i + 2] for i in range(0, 90, 3)]
    for result in in_order(work, runs, 4, size=lambda _: 1, room=5):
        assert result == taken
        taken += 1
        # room, a piece in each hand, and the rest of the run that is next
        assert len(started) <= taken + 5 + 4 + 3
    assert taken == 90


@pytest.mark.parametrize("where", ["work", "runs"])
def test_errors_come_in_their_turn(where):
    def work(piece: int) -> int:
        if piece == 7 and where == "work":
            raise ZeroDivisionError
        return piece

    def runs():
        for piece in range(20):
            if piece == 7 and where == "runs":
                raise ZeroDivisionError
            yield [piece]

    results = in_order(work, runs(), 3)
    assert [next(results) for _ in range(7)] == list(range(7))
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_stopping_early_ends_the_threads():

    before = threading.active_count()
    results = in_order(
        lambda piece: piece, ([n] for n in range(10**9)), 3, size=lambda _: 1, room=2
    )
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
    results.close()
    assert threading.active_count() == before


# --- the command


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    """Run the command in a folder; gives its status and what it said on both streams."""
    monkeypatch.chdir(tmp_path)

    def command(*words: str) -> tuple[int, str, str]:
        try:
            status = main(["batch", *words])
        except SystemExit as ended:
            status = int(ended.code or 0)
        return (status, *capsys.readouterr())

    return command


def test_the_command(tmp_path, call):
    write(tmp_path / "in.parquet", pa.table({"hand": ["11m", "1m1p", "1x"], "id": [1, 2, 3]}))
    status, out, err = call("in.parquet", "-", "--columns", "id, hand")
    assert status == 1
    assert out.splitlines()[:3] == ["id,hand,shanten,error", "1,11m,-1,", "2,1m1p,0,"]
    assert "in.parquet: row 2: what" in err or "in.parquet: row 2: 'x' means nothing" in err
    assert "1 bad row of 3" in err
    status, out, err = call("in.parquet", "-", "--where", "id < 3 and shanten == 0")
    assert (status, out.splitlines()[1:], err) == (0, ["1m1p,2,0,"], "")
    status, out, err = call("in.parquet", "out/", "--tiles", "names", "--query", "discards")
    assert status == 1
    assert pq.read_table("out")["discard"].to_pylist() == ["1m", "1m", None]
    assert call("in.parquet", "out/", "--tiles", "names", "--query", "discards", "--resume")[0] == 1
    status, _, err = call("in.parquet", "out/")
    assert (status, "--resume goes on with it" in err) == (2, True)
    status, _, err = call("in.parquet", "-", "--where", "shanten = 1")
    assert (status, 'equal is "=="' in err) == (2, True)
    status, _, err = call("--dask", "in.parquet", "out/")
    assert (status, "put --dask behind IN and OUT" in err) == (2, True)
    status, _, err = call("in.parquet", "other/", "--format", "csv")
    assert (status, "a folder holds Parquet parts" in err) == (2, True)
    (tmp_path / "in.pq").write_bytes((tmp_path / "in.parquet").read_bytes())
    (tmp_path / "in.txt").write_bytes((tmp_path / "in.parquet").read_bytes())
    assert call("in.pq", "same.parquet")[0] == 1
    status, _, err = call("in.txt", "same.csv")
    assert (status, "in.txt: is Parquet: that is read from files named" in err) == (2, True)


def test_standard_input_to_parquet(tmp_path):
    text = "id,hand\n1,11m\n2,12m\n"
    done = subprocess.run(
        [sys.executable, "-m", "evaluator", "batch", "-", "out.parquet"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert pq.read_table(tmp_path / "out.parquet")["shanten"].to_pylist() == [-1, 0]


def test_a_strict_run_looks_at_bad_parts_again(tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("123m456p789s1122z\n1x\n")
    for resume in (False, True, True):
        with pytest.raises(BadRowError, match="line 2"):
            run(source, f"{tmp_path}/out/", "shanten", strict=True, resume=resume)
    assert run(source, f"{tmp_path}/out/", "shanten", resume=True).bad == 1


@pytest.mark.parametrize(("query", "name"), [("waits", "waits"), ("score", "fans")])
def test_columns_named_like_results_as_text(tmp_path, query, name):
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({name: "mine", "hand": "123m456p789s1122z"}) + "\n")
    for sink in ("out.csv", "out.jsonl"):
        with pytest.raises(FileError, match=rf"named like results \({name}\)"):
            run(source, tmp_path / sink, query)
        with pytest.raises(FileError, match=f"{name!r} is named like a result"):
            run(source, tmp_path / sink, query, columns=[name])
        run(source, tmp_path / sink, query, replace=True)
    # there the answer has another name
    run(source, tmp_path / "out.parquet", query)
    assert pq.read_table(tmp_path / "out.parquet")[name].to_pylist() == ["mine"]


def test_extension_types_go_along_as_text(tmp_path):
    ids = pa.array([bytes(15) + b"\5", None], pa.uuid())
    pq.write_table(
        pa.table({"hand": ["123m456p789s1122z"] * 2, "id": ids}), tmp_path / "in.parquet"
    )
    run(tmp_path / "in.parquet", tmp_path / "out.csv", "shanten")
    written = (tmp_path / "out.csv").read_text().splitlines()[1:]
    assert [line.split(",")[1] for line in written] == ["0" * 31 + "5", ""]
