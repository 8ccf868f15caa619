"""A real cluster on this machine: the same bytes as threads, and workers that die."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evaluator as ev
from evaluator.errors import FileError
from evaluator.files import BadRow, run
from evaluator.files.cluster import ClusterError, connect
from evaluator.files.textrows import hand_texts
from evaluator.hands.arrow.fields import hand_array

distributed = pytest.importorskip("distributed")

# what the libraries leave behind when clusters end is theirs
pytestmark = pytest.mark.filterwarnings("ignore")

ROOT = Path(__file__).parents[1]
GROUP = 2048


@pytest.fixture(scope="module", params=["a running cluster", "one of this machine"])
def client(request):
    """A client of two processes, started as anyone would or as the command does."""
    if request.param == "one of this machine":
        with connect("", 2) as ours:
            yield ours
        return
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1",
            dashboard_address="127.0.0.1:0", silence_logs=50,
        ) as running,
        distributed.Client(running, set_as_default=False) as theirs,
    ):  # fmt: skip
        yield theirs


def make(path: Path, n: int) -> Path:
    counts = ev.deal(n, 13, seed=n)
    counts[5] = 0
    given = pa.table({"hand": hand_array(counts), "id": np.arange(n)})
    pq.write_table(given, path, row_group_size=GROUP)
    return path


def parts(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("kind", ["parquet", "text"])
def test_the_same_bytes_as_threads(tmp_path, client, kind, monkeypatch):
    if kind == "parquet":
        source = make(tmp_path / "in.parquet", 9 * GROUP + 7)
    else:
        source = tmp_path / "in.csv"
        hands = hand_texts(hand_array(ev.deal(220_000, 13, seed=1))).to_pylist()
        source.write_text("id,hand\n" + "".join(f"{at},{h}\n" for at, h in enumerate(hands)))
        with source.open("a") as file:
            file.write("bad,1x\n")
    bad: list[BadRow] = []
    asked = ("shanten", "waits")
    expected = run(source, f"{tmp_path}/threads/", asked, "riichi", report=bad.append)
    assert len(bad) == 1
    also: list[BadRow] = []
    # relative names mean the same on workers
    monkeypatch.chdir(tmp_path)
    address = client.scheduler.address
    done: list[tuple[int, int]] = []
    assert run(source.name, "cluster/", asked, "riichi", dask=address, report=also.append,
               progress=lambda *at: done.append(at)) == expected  # fmt: skip
    assert parts(tmp_path / "cluster") == parts(tmp_path / "threads")
    assert len(parts(tmp_path / "cluster")) > 2  # and _SUCCESS
    assert [(row.line, str(row.error)) for row in also] == [
        (row.line, str(row.error)) for row in bad
    ]
    assert done[-1][1] == expected.rows
    # again: all is there; the address comes from the environment
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", address)
    stamp = {path: path.stat().st_mtime_ns for path in (tmp_path / "cluster").glob("part-*")}
    assert run(source.name, "cluster/", asked, "riichi", dask="", resume=True) == expected
    assert stamp == {path: path.stat().st_mtime_ns for path in stamp}


def test_workers_that_die_cost_time_only(tmp_path, client):
    source = make(tmp_path / "in.parquet", 120 * GROUP)
    run(source, f"{tmp_path}/threads/", ("shanten", "waits"), "guobiao")
    folder = tmp_path / "cluster"
    killed = []

    def kill() -> None:
        for share in (15, 60):
            until = time.monotonic() + 60
            while time.monotonic() < until:
                if folder.exists() and len(list(folder.glob("part-*"))) >= share:
                    break
                time.sleep(0.002)
            killed.append(min(client.run(os.getpid).values()))
            os.kill(killed[-1], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    address = client.scheduler.address
    run(source, f"{folder}/", ("shanten", "waits"), "guobiao", dask=address)
    killer.join()
    assert len(killed) == 2
    made = parts(folder)
    assert made == parts(tmp_path / "threads")


def test_files_that_a_cluster_cannot_read(tmp_path, client):
    import gzip

    address = client.scheduler.address
    with gzip.open(tmp_path / "in.txt.gz", "wt") as file:
        file.write("11m\n")
    with pytest.raises(FileError, match="can only be read forwards: a cluster needs plain files"):
        run(tmp_path / "in.txt.gz", f"{tmp_path}/out/", dask=address)
    source = make(tmp_path / "in.parquet", 6 * GROUP)
    damaged = bytearray(source.read_bytes())
    damaged[len(damaged) // 2 : len(damaged) // 2 + 200] = bytes(200)
    source.write_bytes(damaged)
    with pytest.raises(FileError, match=r"in\.parquet: is .*damaged"):
        run(source, f"{tmp_path}/other/", dask=address)
    assert not (tmp_path / "other" / "_SUCCESS").exists()


def test_a_scheduler_that_is_not_there(tmp_path, monkeypatch):
    source = make(tmp_path / "in.parquet", 100)
    monkeypatch.setattr("evaluator.files.cluster.PATIENCE", 0.5)
    with pytest.raises(ClusterError, match=r"the scheduler tcp://127\.0\.0\.1:9 cannot be used"):
        run(source, f"{tmp_path}/out/", dask="tcp://127.0.0.1:9")


def test_the_command_starts_a_cluster_of_its_own(tmp_path):
    make(tmp_path / "in.parquet", 3 * GROUP)
    run(tmp_path / "in.parquet", f"{tmp_path}/threads/")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("DASK_SCHEDULER_ADDRESS", None)
    done = subprocess.run(
        [sys.executable, "-m", "evaluator", "batch", "in.parquet", "out/", "--dask",
         "--threads", "2"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    # a bad row, said as ever
    assert done.returncode == 1, done.stderr
    assert done.stderr.count("\n") == 2
    assert "in.parquet: row 5: 0 tiles" in done.stderr
    assert parts(tmp_path / "out") == parts(tmp_path / "threads")


SETTINGS = """
import os, sys, threading
import dask, distributed
from evaluator.files.cluster import FORK, QUIET, connect

def settings(keys):
    return {key: dask.config.get(key, "none") for key in keys}

def look():
    trimmed = os.environ.get("MALLOC_TRIM_THRESHOLD_"), os.environ["OMP_NUM_THREADS"]
    return "evaluator.shape.kernels.waits" in sys.modules, trimmed, settings(QUIET)

def use():
    with connect("", 2) as client:
        found.extend(client.run(look).values())

if __name__ == "__main__":
    before, found = settings([*QUIET, *FORK]), []
    users = [threading.Thread(target=use) for _ in range(3)]
    for user in users:
        user.start()
    for user in users:
        user.join()
    assert found == [(True, (None, "1"), QUIET)] * 6
    assert settings(before) == before
"""
UNGUARDED = """
import sys
from evaluator.files import run
run(sys.argv[1], sys.argv[2], dask="")
"""


def script(path: Path, text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    path.write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for name in ("DASK_SCHEDULER_ADDRESS", "MALLOC_TRIM_THRESHOLD_", "OMP_NUM_THREADS"):
        environment.pop(name, None)
    return subprocess.run(
        [sys.executable, str(path), *arguments],
        cwd=path.parent, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.skipif(
    "forkserver" not in multiprocessing.get_all_start_methods(), reason="workers are spawned"
)
def test_settings_are_those_of_the_workers_alone(tmp_path):
    done = script(tmp_path / "settings.py", SETTINGS)
    assert done.returncode == 0, done.stderr


def test_a_script_that_workers_would_run_again(tmp_path):
    make(tmp_path / "in.parquet", GROUP)
    done = script(tmp_path / "unguarded.py", UNGUARDED, "in.parquet", "out/")
    assert done.returncode == 1
    assert "ClusterError: a cluster of this machine cannot be started" in done.stderr
    assert "'if __name__ == \"__main__\":'" in done.stderr


def command(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    around = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    around.pop("DASK_SCHEDULER_ADDRESS", None)
    return subprocess.run(
        [sys.executable, "-P", "-m", "evaluator", "batch", *arguments],
        cwd=folder, env=around, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_nothing_of_the_current_folder_is_imported(tmp_path):
    hands = hand_texts(hand_array(ev.deal(100, 13))).to_pylist()
    (tmp_path / "in.txt").write_text("\n".join(hands))
    for name in ("random", "csv", "pyarrow", "evaluator"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')")
    done = command(tmp_path, "in.txt", "out/", "--dask", "--threads", "1")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_for_sockets_with_too_long_a_name(tmp_path):
    make(tmp_path / "in.parquet", 10)
    long = tmp_path / ("x" * 100)
    long.mkdir()
    done = command(tmp_path, "in.parquet", "out/", "--dask", "--threads", "1", TMPDIR=str(long))
    # a bad row, and nothing else
    assert done.returncode == 1
    assert done.stderr.count("\n") == 2
    assert len(parts(tmp_path / "out")) == 2


def test_what_is_wrong_with_a_file_is_all_that_is_said(tmp_path):
    (tmp_path / "in.txt").write_bytes(b"1m2m\n\xff\n")
    done = command(tmp_path, "in.txt", "out/", "--dask", "--threads", "1")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "line 2: not UTF-8 text" in done.stderr


@pytest.mark.parametrize("error", [ValueError, OSError])
def test_errors_of_the_caller_stay_what_they_are(tmp_path, client, error):
    make(tmp_path / "in.parquet", 10)

    def progress(*_: int) -> None:
        raise error("of the caller")

    with pytest.raises(error, match="of the caller"):
        run(tmp_path / "in.parquet", f"{tmp_path}/out/", dask=client.scheduler.address,
            progress=progress)  # fmt: skip


def test_a_scheduler_that_goes(tmp_path):
    source = make(tmp_path / "in.parquet", 200 * GROUP)
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1",
         "--port", "0", "--no-dashboard", "--scheduler-file", str(tmp_path / "where.json")],
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    worker = None
    try:
        until = time.monotonic() + 60
        while not (tmp_path / "where.json").exists() and time.monotonic() < until:
            time.sleep(0.05)
        worker = subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file",
             str(tmp_path / "where.json"), "--nthreads", "1", "--no-nanny"],
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        address = json.loads((tmp_path / "where.json").read_text())["address"]
        with pytest.raises(ClusterError, match="the scheduler is gone"):
            run(source, f"{tmp_path}/out/", "waits", dask=address,
                progress=lambda *_: scheduler.kill())  # fmt: skip
    finally:
        for process in (scheduler, worker):
            if process is not None:
                process.kill()
                process.wait()


def test_old_parts_stay_until_there_is_a_cluster(tmp_path, monkeypatch):
    source = make(tmp_path / "in.parquet", 10)
    run(source, f"{tmp_path}/out/")
    before = parts(tmp_path / "out")
    monkeypatch.setattr("evaluator.files.cluster.PATIENCE", 0.5)
    with pytest.raises(ClusterError):
        run(source, f"{tmp_path}/out/", dask="tcp://127.0.0.1:9", force=True)
    assert parts(tmp_path / "out") == before


def test_arrays_of_dask_are_lazy():
    array = pytest.importorskip("dask.array")
    calls = []

    def shanten(block):
        calls.append(len(block))
        return ev.shanten(block, "riichi")

    hands = ev.deal(10_000, 14)
    lazy = array.from_array(hands, chunks=(1000, 34))
    found = lazy.map_blocks(shanten, dtype=np.int8, drop_axis=1, meta=np.empty(0, np.int8))
    assert calls == []
    assert np.array_equal(found.compute(), ev.shanten(hands, "riichi"))
    assert calls == [1000] * 10
