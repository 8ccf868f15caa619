"""Parquet written whole or not at all: files, folders, and what is left when it fails."""

from __future__ import annotations

import os
import stat

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evaluator as ev
from evaluator.errors import FileError, HandError
from evaluator.files import parquetoutput as sinks
from evaluator.files import run
from evaluator.files.parquetinput import reading
from evaluator.hands.arrow.fields import COUNTS, NOTATION, VERSION, hand_array, hand_field


def hands(n: int, seed: int = 0, kinds: int = 34) -> pa.RecordBatch:
    counts = ev.deal(n, kinds=kinds, seed=seed)
    return pa.record_batch([hand_array(counts)], schema=pa.schema([hand_field(kinds=kinds)]))


@pytest.mark.parametrize("kinds", [34, 27])
def test_hands_come_back(tmp_path, kinds):
    path = tmp_path / "手牌.parquet"
    batches = [hands(100, seed, kinds) for seed in range(3)]
    with sinks.open(path, batches[0].schema) as sink:
        for batch in batches:
            sink.write(batch)
        assert not path.exists()
    assert os.listdir(tmp_path) == ["手牌.parquet"]
    table = pq.read_table(path)
    assert table.equals(pa.Table.from_batches(batches))
    about = table.schema.field("hand").metadata
    assert about[NOTATION] == COUNTS.encode()
    assert about[VERSION] == ev.__version__.encode()
    groups = pq.ParquetFile(path).metadata
    assert groups.num_row_groups == 3
    column = groups.row_group(0).column(0)
    assert "RLE_DICTIONARY" not in column.encodings


def test_hands_of_other_shapes_are_refused():
    for wrong in (np.zeros((2, 33), np.uint8), np.zeros(34, np.uint8), np.zeros((2, 34), int)):
        with pytest.raises(HandError, match=r"uint8 \(n, 34\)"):
            hand_array(wrong)


def test_no_rows(tmp_path):
    schema = hands(0).schema
    sink = sinks.open(tmp_path / "none.parquet", schema)
    sink.close()
    assert pq.read_table(tmp_path / "none.parquet").schema == schema
    with sinks.open(f"{tmp_path}/none/", schema):
        pass
    assert pq.read_table(tmp_path / "none").schema.equals(schema)
    with sinks.open(tmp_path / "empty.parquet", schema) as sink:
        sink.write(hands(0))
    assert pq.read_table(tmp_path / "empty.parquet").num_rows == 0


@pytest.mark.parametrize("when", ["write", "after"])
def test_a_failure_leaves_nothing(tmp_path, when):
    path = tmp_path / "out.parquet"
    path.write_text("before")
    with (  # noqa: PT012
        pytest.raises(ZeroDivisionError),
        sinks.open(path, hands(1).schema, force=True) as sink,
    ):
        if when == "after":
            sink.write(hands(10_000))
        raise ZeroDivisionError
    assert os.listdir(tmp_path) == ["out.parquet"]
    assert path.read_text() == "before"


def test_existing_files_are_kept(tmp_path):
    path = tmp_path / "out.parquet"
    path.write_text("before")
    with pytest.raises(FileError, match="exists already: --force"):
        sinks.open(path, hands(1).schema)
    with pytest.raises(FileError, match="no such file or directory"):
        sinks.open(tmp_path / "nowhere" / "out.parquet", hands(1).schema)
    assert os.listdir(tmp_path) == ["out.parquet"]


def test_permissions_stay_as_they_were(tmp_path):
    path = tmp_path / "out.parquet"
    path.write_text("before")
    path.chmod(0o440)
    with sinks.open(path, hands(1).schema, force=True) as sink:
        assert all(each.stat().st_mode & 0o007 == 0 for each in tmp_path.iterdir())
        sink.write(hands(10))
    assert pq.read_table(path).num_rows == 10
    assert stat.S_IMODE(path.stat().st_mode) == 0o440
    assert os.listdir(tmp_path) == ["out.parquet"]


def test_a_full_device_is_an_error_with_its_name():
    with (  # noqa: PT012
        pytest.raises(FileError, match="/dev/full: no space left"),
        sinks.open("/dev/full", hands(1).schema) as sink,
    ):
        for _ in range(10):
            sink.write(hands(50_000))


def test_folders(tmp_path):
    path = f"{tmp_path}/out/"
    with sinks.open(path, hands(1).schema) as folder:
        for seed in range(3):
            folder.write(hands(10, seed))
    assert sorted(os.listdir(path)) == [
        "_SUCCESS", "part-000000.parquet", "part-000001.parquet", "part-000002.parquet",
    ]  # fmt: skip
    assert pq.read_table(path).column(0).to_pylist() == [
        row for seed in range(3) for row in hands(10, seed).column(0).to_pylist()
    ]
    with pytest.raises(FileError, match="is not empty: --resume"):
        sinks.open(path, hands(1).schema)
    with sinks.open(path, hands(1).schema, force=True) as folder:
        folder.write(hands(5))
    assert sorted(os.listdir(path)) == ["_SUCCESS", "part-000000.parquet"]
    (tmp_path / "out" / "holiday.jpg").write_text("mine")
    for options in ({}, {"force": True}):
        with pytest.raises(FileError, match=r"holds a file that is no part \(holiday.jpg\)"):
            sinks.open(path, hands(1).schema, **options)
    assert (tmp_path / "out" / "holiday.jpg").exists()


def test_finished_parts_are_known(tmp_path):
    schema = hands(1).schema
    folder = sinks.Folder(tmp_path / "out", schema, job="one")
    for number in range(4):
        folder.write_part(number, [hands(7, number)], f"chunk {number}")
    (tmp_path / "out" / ".mahjong-eval-part-000009.parquet-0.part").write_text("cut off")
    again = sinks.Folder(tmp_path / "out", schema, resume=True, job="one")
    assert again.finished(0, "chunk 0") == (7, 0)
    # another chunk, a cut-off file, a damaged one, none
    assert again.finished(1, "chunk 2") is None
    whole = again.part(1).read_bytes()
    for damaged in (whole[:-20], whole[:50], b"", b"PAR1" * 20):
        again.part(1).write_bytes(damaged)
        assert again.finished(1, "chunk 1") is None
    assert again.finished(4, "chunk 4") is None
    assert not list((tmp_path / "out").glob(".*"))
    other = sinks.Folder(tmp_path / "out", hands(1, kinds=27).schema, resume=True, job="one")
    assert other.finished(0, "chunk 0") is None
    with pytest.raises(FileError, match=r"part-000000.parquet: was made by another command"):
        sinks.Folder(tmp_path / "out", schema, resume=True, job="two")


def test_the_same_rows_give_the_same_bytes(tmp_path):
    folder = sinks.Folder(tmp_path / "out", hands(1).schema)
    folder.write_part(0, [hands(1000)])
    folder.write_part(1, [hands(1000)])
    assert folder.part(0).read_bytes() == folder.part(1).read_bytes()


def test_a_file_that_pyarrow_may_not_open_again(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "not you")

    monkeypatch.setattr(pa, "OSFile", refuse)
    path = tmp_path / "out.parquet"
    with sinks.open(path, hands(1).schema) as sink:
        sink.write(hands(10))
    assert pq.read_table(path).num_rows == 10
    assert os.listdir(tmp_path) == ["out.parquet"]


def test_one_run_at_a_time_in_a_folder(tmp_path):
    name = f"{tmp_path}/out/"
    with sinks.hold(name), pytest.raises(FileError, match="another run writes"), sinks.hold(name):
        pass
    with sinks.hold(name):
        pass


def test_parts_of_others_are_found_in_the_end(tmp_path):
    def folder(job):
        return sinks.Folder(f"{tmp_path}/out/", hands(1).schema, force=True, job=job)

    mine = folder("mine")
    mine.write_part(0, [hands(1)])
    mine.write_part(1, [hands(1)])
    other = sinks.Folder(f"{tmp_path}/other/", hands(1).schema, job="other")
    other.write_part(1, [hands(1)])
    other.part(1).replace(mine.part(1))
    with pytest.raises(FileError, match=r"part-000001\.parquet: was made by another command"):
        mine.complete(2)
    mine.part(1).unlink()
    with pytest.raises(FileError, match=r"part-000001\.parquet: was taken away meanwhile"):
        mine.complete(2)
    assert not (tmp_path / "out" / "_SUCCESS").exists()


@pytest.mark.parametrize("name", [b"s3:x.parquet", b"file:x.parquet", b"\xff.parquet", b"\xff/"])
def test_names_that_are_no_places_and_no_text(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    path = os.fsdecode(name)
    with sinks.open(path, hands(1).schema) as sink:
        sink.write(hands(10))
    found = os.path.join(path, "part-000000.parquet") if path.endswith("/") else path
    with reading(found) as file:
        assert file.metadata.num_rows == 10
    counted = run(found, "out.csv", "shanten", where="shanten >= -1")
    assert (counted.rows, counted.bad) == (10, 0)
