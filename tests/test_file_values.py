"""Files that hold what they should not: a clear error with file, row and column, or the answer."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evaluator as ev
from evaluator.errors import EvaluatorError, HandError, NotationError
from evaluator.files import FileError, evaluate, run
from evaluator.files.conditions import WhereError
from evaluator.hands.arrow.fields import INDEX, MASK, hand_array, hand_field, metadata
from evaluator.hands.arrow.wrong import one_line

ROOT = Path(__file__).parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def text(*values: bytes | None) -> pa.Array:
    """Bytes that say they are text."""
    array = pa.array(values, pa.binary())
    return pa.Array.from_buffers(pa.string(), len(array), array.buffers())


def written(path: Path, given: pa.Table, **options: object) -> Path:
    pq.write_table(given, path, **options)
    return path


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize(
    ("column", "said"),
    [
        (text(b"ok", b"a\xff"), r"not UTF-8 text \(byte 0xff\)"),
        (pa.array([3, 200], pa.uint8()), "200 is not a tile"),
        (pa.array([3, 1 << 40], pa.uint64()), "1099511627776 is not a set of tiles"),
        (text(b"ok", b"a\xff").dictionary_encode(), r"not UTF-8 text \(byte 0xff\)"),
    ],
)
def test_values_that_cannot_be_written(tmp_path, form, column, said):
    notation = {pa.uint8(): INDEX, pa.uint64(): MASK}.get(column.type)
    field = pa.field("note", column.type, metadata=metadata(notation))
    schema = pa.schema([pa.field("hand", pa.string()), field])
    source = written(tmp_path / "in.parquet", pa.table([["11m", "1m"], column], schema=schema))
    with pytest.raises(FileError, match=rf"in\.parquet: row 1: column 'note': {said}"):
        run(source, tmp_path / f"out.{form}")
    assert os.listdir(tmp_path) == ["in.parquet"]
    run(source, tmp_path / "out.parquet")


def test_hands_that_are_no_text(tmp_path):
    source = written(tmp_path / "in.parquet", pa.table({"hand": text(b"11m", b"1\xffm")}))
    bad = []
    assert run(source, tmp_path / "o.csv", columns=[], report=bad.append) == (2, 1)
    assert (bad[0].line, bad[0].error.position) == (1, 1)
    assert evaluate(pq.read_table(source), "shanten", keep=())["error"][1].is_valid


def test_counts_that_are_no_hand(tmp_path):
    """No count of them makes the text of a hand longer than its bytes."""
    counts = np.array([[255] * 34, [8] * 8 + [0] * 26, [5] + [0] * 33], np.uint8)
    given = pa.table([hand_array(counts)], schema=pa.schema([hand_field()]))
    run(written(tmp_path / "in.parquet", given), tmp_path / "o.csv")
    rows = [line.split(",")[0] for line in (tmp_path / "o.csv").read_text().splitlines()]
    assert rows == ["hand", "ff" * 34, "".join(c * 8 for c in "12345678") + "m", "11111m"]


@pytest.mark.parametrize("kind", [pa.int64(), pa.int8(), pa.int32()])
def test_melds_that_are_no_melds(kind):
    melds = pa.array([[23, 0, 0, 0], [-1, 0, 0, 0], [0, 0, 124, 0], None], pa.list_(kind, 4))
    batch = pa.record_batch({"concealed": hand_array(ev.deal(4, 10)), "melds": melds})
    errors = evaluate(batch, "shanten", "riichi")["error"].to_pylist()
    assert errors[1] == "meld -1: a meld id is 0 to 123"
    assert errors[2] == "meld 124: a meld id is 0 to 123"


@pytest.mark.parametrize("depth", [60, 400, 5000])
def test_json_inside_json(tmp_path, depth):
    (tmp_path / "in.jsonl").write_text('{"hand":"11m","x":' + "[" * depth + "]" * depth + "}\n")
    if depth < 100:
        run(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
        found = json.loads((tmp_path / "out.jsonl").read_text())
        assert json.dumps(found["x"]) == "[" * depth + "]" * depth
        return
    with pytest.raises(FileError, match=r"in\.jsonl: .*(column 'x'|line 1)"):
        run(tmp_path / "in.jsonl", tmp_path / "out.jsonl")


ODD = {
    "bool": pa.array([True, None]),
    "half": pa.array([np.float16(1.5), None], pa.float16()),
    "decimal": pa.array([decimal.Decimal("1.50"), None]),
    "time": pa.array([datetime.time(1, 2), None]),
    "zone": pa.array([datetime.datetime(2020, 1, 1), None], pa.timestamp("ns", "UTC")),
    "far": pa.array([2**62, None], pa.timestamp("us")),
    "day": pa.array([2**30, None], pa.date32()),
    "duration": pa.array([datetime.timedelta(1), None]),
    "map": pa.array([[("a", 1)], None], pa.map_(pa.string(), pa.int8())),
    "struct": pa.array([{"a": float("nan"), "b": b"\xff"}, None]),
    "binary": pa.array([b"\xff", None]),
    "null": pa.nulls(2),
    "dictionary": pa.array([1, None]).dictionary_encode(),
    "lists": pa.array([[[1]], None]),
    "list": pa.array([[1, None], []], pa.list_(pa.int64())),
    "words": pa.array([["a"], None], pa.list_(pa.dictionary(pa.int8(), pa.string()))),
    "nan": pa.array([float("nan"), float("inf")]),
    "view": pa.array(["a", None], pa.string_view()),
}


@pytest.mark.parametrize("name", ODD)
def test_columns_of_every_type(tmp_path, name):
    """Carried, looked at and as hands: an answer or an error, and never another exception."""
    given = pa.table({"hand": ["11m", "x"], "c": ODD[name]})
    source = written(tmp_path / "in.parquet", given)
    for sink in ("o.csv", "o.jsonl", "o.parquet"):
        if name in ("far", "day"):
            # what Arrow itself cannot write: at least it is known where
            with contextlib.suppress(FileError):
                run(source, tmp_path / sink, force=True)
        else:
            assert run(source, tmp_path / sink, force=True) == (2, 1)
    if name not in ("far", "day"):
        lines = (tmp_path / "o.jsonl").read_text().splitlines()
        assert [json.loads(line)["shanten"] for line in lines] == [-1, None]
    for where in ("c > 1", "c == 'a'", "c in (1, 2)", "c is None", "c", "not c", "c & 1 == 1"):
        with contextlib.suppress(WhereError, FileError):
            run(source, tmp_path / "w.csv", where=where, columns=["hand"], force=True)
    with contextlib.suppress(FileError):
        run(source, tmp_path / "h.csv", column="c", columns=[], force=True)
    for column in ("void", "wilds", "melds"):
        batch = pa.table({"concealed": ["11m", "x"], column: ODD[name]})
        with contextlib.suppress(EvaluatorError):
            evaluate(batch, "shanten", keep=())


def test_nulls_and_dictionaries_everywhere():
    texts = pa.array(["123m11z", None, "1x", None, "123m1z"])
    wanted = evaluate(pa.record_batch({"hand": texts}), ("shanten", "waits"), keep=())
    for array in (texts.dictionary_encode(), texts.cast(pa.large_string()),
                  pa.DictionaryArray.from_arrays([0, 1, 2, None, 3],
                                                 ["123m11z", None, "1x", "123m1z"])):  # fmt: skip
        assert evaluate(pa.record_batch({"hand": array}), ("shanten", "waits"), keep=()).equals(
            wanted
        )


# --- damage


def test_flipped_bits_anywhere(tmp_path):
    """Of pages, their headers and the footer: the right answer or an error that says so.

    pyarrow would end the process where it is asked for what a damaged footer says of a
    column: this test would end with it.
    """
    n = 900
    counts = ev.deal(n)
    notes = [f"x{row % 9}" if row % 7 else None for row in range(n)]
    given = pa.table({"hand": hand_array(counts), "id": range(n), "note": notes})
    source = tmp_path / "in.parquet"
    whole = written(source, given, row_group_size=300, write_page_checksum=True).read_bytes()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    right, chance, refused = ev.shanten(counts).tolist(), random.Random(18), 0
    for turn in range(150):
        place = chance.randrange(footer if turn % 3 else 0, len(whole))
        damaged = bytearray(whole)
        damaged[place] ^= 1 << chance.randrange(8)
        source.write_bytes(damaged)
        sink = tmp_path / ("o.csv" if turn % 2 else "o.parquet")
        where = "id >= 450 and shanten < 9" if turn % 4 == 3 else None
        try:
            run(source, sink, where=where, column="hand", force=True)
        except (FileError, WhereError):
            refused += 1
            continue
        if sink.suffix == ".parquet" and where is None:
            found = pq.read_table(sink)
            if found.num_rows == n and "id" in found.column_names:
                assert found["shanten"].to_pylist() == right
                assert found["id"].to_pylist() == list(range(n))
    assert refused > 40


def test_footers_that_end_pyarrow(tmp_path):
    """Of the statistics of a column, which pyarrow itself cannot be asked for."""
    given = pa.table({"hand": ["11m"] * 900, "n": [row if row % 3 else None for row in range(900)]})
    source = tmp_path / "in.parquet"
    whole = written(source, given, row_group_size=300).read_bytes()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    program = """
import sys
from evaluator.files import FileError, run
from evaluator.files.conditions import WhereError
data = open("in.parquet", "rb").read()
for place in range(int(sys.argv[1]), len(data) - 8, 3):
    damaged = bytearray(data)
    damaged[place] ^= 1
    open("cut.parquet", "wb").write(damaged)
    try:
        run("cut.parquet", "o.csv", where="n > 100", threads=1, force=True)
    except (FileError, WhereError):
        pass
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(footer)], cwd=tmp_path, env=ENVIRONMENT,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="files are not locked there")
def test_what_killed_runs_left_is_taken_away(tmp_path):
    source = tmp_path / "in.txt"
    source.write_text("11m\n")
    (tmp_path / ".mahjong-eval-out.csv-0123456789ab.part").write_text("left")
    (tmp_path / ".mahjong-eval-other.csv-0123456789ab.part").write_text("of another output")
    program = "from evaluator.files import run; run('-', 'out.csv')"
    running = subprocess.Popen(
        [sys.executable, "-c", program], cwd=tmp_path, env=ENVIRONMENT, stdin=subprocess.PIPE
    )
    until = time.monotonic() + 60
    while (
        len(list(tmp_path.glob(".*out.csv*"))) != 1
        or (tmp_path / ".mahjong-eval-out.csv-0123456789ab.part").exists()
    ):
        if running.stdin is not None and time.monotonic() < until - 59:
            continue
        assert time.monotonic() < until
        running.stdin.write(b"11m\n" * 500_000)
        running.stdin.flush()
    # that of a run that goes on is left alone
    run(source, tmp_path / "out.csv")
    assert len(list(tmp_path.glob(".*out.csv*"))) == 1
    running.send_signal(signal.SIGKILL)
    running.wait()
    running.stdin.close()
    run(source, tmp_path / "out.csv", force=True)
    assert sorted(os.listdir(tmp_path)) == [
        ".mahjong-eval-other.csv-0123456789ab.part", "in.txt", "out.csv",
    ]  # fmt: skip


# --- many bad rows, many files, long lines


def test_bad_rows_are_asked_once(tmp_path, monkeypatch):
    """Of rows that are wrong in the same way one is asked, whatever is asked."""
    from evaluator.files import explaining

    asked = []
    explain = explaining._explain
    monkeypatch.setattr(
        explaining, "_explain", lambda *given: asked.append(given) or explain(*given)
    )
    counts = np.random.default_rng(1).integers(0, 2, (5000, 34)).astype(np.uint8)
    for query in ("shanten", "waits", "discards", "win", "score", "wait_scores", "patterns"):
        asked.clear()
        found = evaluate(pa.record_batch({"hand": hand_array(counts)}), query, keep=())
        assert found["error"].null_count < 4000
        assert len(asked) < 40
    hands = ev.Hands(concealed=counts[:300], wilds=counts[:300, 0], win_tile=counts[:300, 1])
    for query in ("shanten", "waits", "discards", "win", "score", "wait_scores"):
        columns = evaluate(hands, query)
        for row in range(300):
            try:
                explaining._ask_one(query, hands[row : row + 1], explaining.Asked((query,)))
                said = ""
            except (NotationError, HandError) as error:
                error.index = None
                said = one_line(error)
            if "not complete" not in said and "complete" not in columns["error"][row]:
                assert columns["error"][row] == said


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is of Linux")
def test_memory_does_not_grow_with_bad_lines(tmp_path):
    for name, times in (("few", 1), ("many", 5)):
        with (tmp_path / f"{name}.txt").open("w") as file:
            for at in range(times):
                file.writelines(f"{at}{row} 12x{row % 97}\n" for row in range(200_000))
    # the process's own peak in kilobytes: ru_maxrss keeps that of the parent it was forked from
    program = """
import re
from pathlib import Path
from evaluator.files import run
for name in ("few", "many"):
    print(run(f"{name}.txt", f"{name}.csv").bad)
    print(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=ENVIRONMENT,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    few, before, many, after = map(int, done.stdout.split())
    assert (few, many) == (200_000, 1_000_000)
    assert after < before + (120 << 10)
    assert after < 500 << 10


def test_a_thousand_files(tmp_path):
    (tmp_path / "in").mkdir()
    for number in range(1000):
        (tmp_path / "in" / f"{number:04}.csv").write_text(f"hand,n\n123m11z,{number}\n1x,0\n")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, before[1]))
    try:
        assert run(tmp_path / "in", tmp_path / "out.csv") == (2000, 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[1::2] == [f"123m11z,{number},-1," for number in range(1000)]


@pytest.mark.parametrize("name", ["in.txt", "in.csv", "in.jsonl"])
def test_a_line_of_ten_megabytes(tmp_path, name):
    head = "" if name == "in.txt" else "hand\n" if name == "in.csv" else '{"hand": "1m"}\n'
    (tmp_path / name).write_text(f"{head}11m\n" + "1" * (10 << 20) + "\n11m\n")
    with pytest.raises(FileError, match=r"line \d: (longer than a megabyte|is not JSON)"):
        run(tmp_path / name, tmp_path / "out.csv")


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_a_reader_that_goes(tmp_path, form):
    (tmp_path / "in.txt").write_bytes(b"123m11z\n" * 400_000)
    command = f"{sys.executable} -m evaluator batch in.txt - --format {form} | head -c 10"
    done = subprocess.run(
        ["bash", "-c", f"{command}; exit ${{PIPESTATUS[0]}}"], cwd=tmp_path, env=ENVIRONMENT,
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert b"the program that read it has stopped" in done.stderr
    assert b"Traceback" not in done.stderr
