"""What goes wrong in the middle: processes killed, disks full, files damaged, workers gone.

Each ends in a right result or a clear error, and nothing that was complete is lost.
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import unmeasured

import evaluator as ev
from evaluator.errors import FileError
from evaluator.files import run
from evaluator.hands.arrow.fields import hand_array

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-m", "evaluator", "batch"]
ENVIRONMENT = {**unmeasured.ENVIRONMENT, "PYTHONPATH": str(ROOT)}
GROUP = 4096


def make(path: Path, n: int, group: int = GROUP, **options: object) -> Path:
    counts = ev.deal(n, 13, seed=n)
    given = pa.table({"hand": hand_array(counts), "id": np.arange(n)})
    pq.write_table(given, path, row_group_size=group, use_dictionary=False, **options)
    return path


def right(found: pa.Table, n: int) -> None:
    assert found["id"].to_pylist() == list(range(n))
    assert np.array_equal(found["shanten"].to_numpy(), ev.shanten(ev.deal(n, 13, seed=n)))


def begun(*words: object) -> subprocess.Popen:
    return subprocess.Popen(
        [*COMMAND, *map(str, words)], env=ENVIRONMENT, stderr=subprocess.PIPE, text=True
    )


def wait_for(true, process: subprocess.Popen) -> None:
    until = time.monotonic() + 60
    while not true() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.002)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_folder_goes_on_where_it_was_killed(tmp_path, how):
    n, threads = 200 * GROUP, 2
    source, folder = make(tmp_path / "in.parquet", n), tmp_path / "out"
    words = (source, f"{folder}/", "--threads", threads, "--resume")
    process = begun(*words)
    wait_for(lambda: folder.exists() and len(os.listdir(folder)) >= 60, process)
    process.send_signal(how)
    said = process.communicate()[1]
    assert process.returncode == {signal.SIGINT: 130, signal.SIGTERM: 143}.get(how, -how), said
    parts = {path: path.stat().st_mtime_ns for path in folder.glob("part-*")}
    assert 0 < len(parts) < 200
    assert not (folder / "_SUCCESS").exists()
    # all that is there is whole, all that was lost was in somebody's hands
    assert all(pq.read_metadata(path).num_rows == GROUP for path in parts)
    unfinished = list(folder.glob(".*"))
    assert len(unfinished) <= (threads if how == signal.SIGKILL else 0)
    assert run(source, f"{folder}/", "shanten", threads=threads, resume=True) == (n, 0)
    assert all(path.stat().st_mtime_ns == when for path, when in parts.items())
    assert len(os.listdir(folder)) == 201
    right(pq.read_table(folder), n)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_file_is_not_there_until_it_is_complete(tmp_path, how):
    source = make(tmp_path / "in.parquet", 300 * GROUP)
    sink = tmp_path / "out.parquet"
    sink.write_text("before")
    process = begun(source, sink, "--force", "--query", "shanten,waits")
    wait_for(lambda: any(p.stat().st_size for p in tmp_path.glob(".*.part")), process)
    process.send_signal(how)
    process.communicate()
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    assert sink.read_text() == "before"
    if how == signal.SIGINT:
        assert not list(tmp_path.glob(".*"))
    run(source, sink, "shanten", force=True)
    right(pq.read_table(sink), 300 * GROUP)


# --- disks


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """A disk of a megabyte; where none can be made, the one that is always full."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    with contextlib.suppress(OSError):
        if subprocess.run(mount, capture_output=True, check=False).returncode == 0:
            yield folder
            subprocess.run(["umount", str(folder)], check=True)
            return
    pytest.skip("may not mount a small disk; the limit on the size of files is tested")


@pytest.mark.parametrize("name", ["out.parquet", "out.csv", "out/"])
def test_a_full_disk(tmp_path, small_disk, name):
    source = make(tmp_path / "in.parquet", 30 * GROUP)
    sink = f"{small_disk}/{name}"
    with pytest.raises(FileError, match=r"disk/.*: no space left on device"):
        run(source, sink, "shanten")
    if name != "out/":
        assert os.listdir(small_disk) == []
        return
    parts = list((small_disk / "out").iterdir())
    assert len(parts) > 2
    assert all(pq.read_metadata(path).num_rows == GROUP for path in parts)
    # with room again it goes on
    subprocess.run(["mount", "-o", "remount,size=9m", str(small_disk)], check=True)
    assert run(source, sink, "shanten", resume=True) == (30 * GROUP, 0)
    right(pq.read_table(sink), 30 * GROUP)


def test_a_limit_on_the_size_of_files(tmp_path):
    source = make(tmp_path / "in.parquet", 30 * GROUP)
    for sink in ("out.parquet", "part/"):
        done = subprocess.run(
            [*COMMAND, source, sink],
            cwd=tmp_path,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000)),
        )
        assert done.returncode == 2, done.stderr
        assert "file too large" in done.stderr
        assert "Traceback" not in done.stderr
    assert sorted(os.listdir(tmp_path)) == ["in.parquet", "part"]
    assert os.listdir(tmp_path / "part") == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_folders_that_cannot_be_written(tmp_path):
    source = make(tmp_path / "in.parquet", 10)
    (tmp_path / "closed").mkdir(mode=0o500)
    for sink in ("closed/out.parquet", "closed/out/"):
        with pytest.raises(FileError, match="permission denied"):
            run(source, f"{tmp_path}/{sink}", "shanten")


def test_names_that_are_taken(tmp_path):
    source = make(tmp_path / "in.parquet", 10)
    (tmp_path / "out").write_text("mine")
    with pytest.raises(FileError, match="file exists"):
        run(source, f"{tmp_path}/out/", "shanten")
    assert (tmp_path / "out").read_text() == "mine"


# --- damage


def outcome(source: Path, sink: Path) -> pa.Table | str:
    """The answers, or what is said of the file."""
    said = ""
    try:
        run(source, sink, "shanten", force=True)
    except FileError as error:
        said = str(error)
    assert not list(sink.parent.glob(".mahjong*"))
    return said.removeprefix(f"{source}: ") if said else pq.read_table(sink)


def test_cut_off_files(tmp_path):
    n = 3 * GROUP
    whole = make(tmp_path / "in.parquet", n).read_bytes()
    sink = tmp_path / "out.parquet"
    sink.write_text("before")
    for size in (0, 1, 4, 8, 12, len(whole) // 2, len(whole) - 8, len(whole) - 1):
        source = tmp_path / "cut.parquet"
        source.write_bytes(whole[:size])
        said = outcome(source, sink)
        assert isinstance(said, str)
        assert "Parquet" in said or "damaged" in said
    assert sink.read_text() == "before"
    # one of several: before anything is written
    with pytest.raises(FileError, match=r"cut\.parquet"):
        run(f"{tmp_path}/[ci]*.parquet", f"{tmp_path}/parts/", "shanten")
    assert not (tmp_path / "parts").exists()


@pytest.mark.parametrize("compression", ["snappy", "none"])
def test_flipped_bits_never_give_another_answer(tmp_path, compression):
    """Where pages have checksums, as ours have, damage is seen or does not matter."""
    n = GROUP
    options = {"write_page_checksum": True, "compression": compression}
    source = make(tmp_path / "in.parquet", n, 1000, **options)
    whole = source.read_bytes()
    chance = random.Random(7)
    refused = 0
    for _ in range(60):
        place = chance.randrange(len(whole))
        damaged = bytearray(whole)
        damaged[place] ^= 1 << chance.randrange(8)
        source.write_bytes(damaged)
        found = outcome(source, tmp_path / "out.parquet")
        if isinstance(found, str):
            refused += 1
        elif "id" in found.column_names and found.num_rows == n:
            right(found, n)
    assert refused > 40


def test_damage_in_the_middle_keeps_the_parts_before_it(tmp_path):
    n = 10 * GROUP
    source = make(tmp_path / "in.parquet", n, write_page_checksum=True)
    whole = bytearray(source.read_bytes())
    whole[len(whole) * 3 // 4] ^= 255
    source.write_bytes(whole)
    with pytest.raises(FileError, match=r"in\.parquet: is .*damaged"):
        run(source, f"{tmp_path}/out/", "shanten", threads=1)
    parts = sorted(os.listdir(tmp_path / "out"))
    assert parts == [f"part-{number:06}.parquet" for number in range(len(parts))]
    assert 5 <= len(parts) < 9
    assert not (tmp_path / "out" / "_SUCCESS").exists()


# --- memory


def test_under_a_memory_limit(tmp_path):
    """All memory a process may map, code and stacks included: 600 MB of it are data."""
    n = 64 * GROUP
    make(tmp_path / "in.parquet", n, n)
    counts = pa.array(ev.deal(n, 13, seed=n).reshape(-1))
    lists = pa.FixedSizeListArray.from_arrays(counts, 34)
    pq.write_table(pa.table({"hand": lists, "id": np.arange(n)}), tmp_path / "lists.parquet")
    for name in ("in", "lists"):
        done = subprocess.run(
            [*COMMAND, f"{name}.parquet", f"{name}-out.parquet", "--threads", "2"],
            cwd=tmp_path,
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (600 << 20, 600 << 20)),
        )
        assert done.returncode == 0, done.stderr
        right(pq.read_table(tmp_path / f"{name}-out.parquet"), n)
