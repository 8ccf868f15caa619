"""Lists of dealt hands as files, and the command ``deal``."""

from __future__ import annotations

import gzip
import os
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
from evaluator.cli import main
from evaluator.dealing import lists as dealt
from evaluator.dealing.lists import Deal, write
from evaluator.errors import FileError

ROOT = Path(__file__).parent.parent
N = 3000
FILES = ["hands.parquet", "hands.npy", "hands.csv", "hands.txt", "hands.txt.gz", "hands/"]


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(dealt, "PIECE", 256)
    monkeypatch.setattr(dealt, "PART", 1024)


def command(*words: object, **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "evaluator", *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        timeout=120,
        **options,
    )


def counts_of(path: Path, kinds: int = 34) -> np.ndarray:
    """Read a file of hands by other means than the writer's."""
    if path.suffix == ".npy":
        return np.load(path)
    if path.suffix in (".csv", ".txt", ".gz"):
        data = path.read_bytes()
        rows = (gzip.decompress(data) if path.suffix == ".gz" else data).decode().splitlines()
        if path.suffix == ".csv":
            assert rows.pop(0) == "hand"
        return np.array([ev.parse(row) for row in rows]).reshape(-1, 34)[:, :kinds]
    column = pq.read_table(path)["hand"].combine_chunks()
    assert column.type == pa.binary(kinds)
    return np.array([list(row.as_py()) for row in column], np.uint8).reshape(-1, kinds)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("kinds", [34, 27])
def test_every_format_holds_the_hands(name, kinds, tmp_path, small_pieces):
    told = []
    hands = Deal(N, 14, kinds, seed=5, start=77)
    write(hands, f"{tmp_path}/{name}", progress=told.append)
    expected = ev.deal(N, 14, kinds, seed=5, start=77)
    assert np.array_equal(counts_of(tmp_path / name, kinds), expected)
    assert told == sorted(told)
    assert told[-1] == N


@pytest.mark.parametrize("name", FILES)
def test_no_hands(name, tmp_path):
    write(Deal(0), f"{tmp_path}/{name}")
    assert counts_of(tmp_path / name).shape == (0, 34)


@pytest.mark.parametrize("name", FILES[:5])
def test_threads_do_not_change_a_byte(name, tmp_path, small_pieces):
    for threads in (1, 3):
        write(Deal(N), tmp_path / f"{threads}-{name}", threads=threads)
    assert (tmp_path / f"1-{name}").read_bytes() == (tmp_path / f"3-{name}").read_bytes()


@pytest.mark.parametrize("tiles", [1, 2, 4, 13, 14])
@pytest.mark.parametrize("family", ["random", "flush", "quads"])
def test_text_is_mpsz(tiles, family):
    for kinds in (34, 27):
        hands = ev.deal(300, tiles, kinds, family=family)
        lines = bytes(dealt.text(hands)).decode().splitlines()
        assert lines == [ev.format(hand) for hand in hands]


def test_a_file_says_which_list_it_is(tmp_path):
    write(Deal(10, 14, 27, 3, "pungs", 5), tmp_path / "hands.parquet")
    field = pq.read_schema(tmp_path / "hands.parquet").field("hand")
    assert field.metadata[dealt.DEAL] == b"family=pungs tiles=14 kinds=27 seed=3 start=5"


@pytest.mark.parametrize("compression", dealt.COMPRESSIONS)
def test_compression(compression, tmp_path):
    write(Deal(1000), tmp_path / "hands.parquet", compression=compression)
    column = pq.ParquetFile(tmp_path / "hands.parquet").metadata.row_group(0).column(0)
    assert column.compression == {"none": "UNCOMPRESSED"}.get(compression, compression.upper())


def test_a_folder_is_gone_on_with(tmp_path, small_pieces):
    folder = tmp_path / "hands"
    write(Deal(N), f"{folder}/")
    names = sorted(path.name for path in folder.iterdir())
    assert names == ["_SUCCESS", *(f"part-{part:06}.parquet" for part in range(3))]
    (folder / "_SUCCESS").unlink()
    (folder / "part-000001.parquet").unlink()
    damaged = folder / "part-000002.parquet"
    damaged.write_bytes(damaged.read_bytes()[:-9])
    kept = (folder / "part-000000.parquet").stat().st_mtime_ns
    with pytest.raises(FileError, match="--resume goes on with it"):
        write(Deal(N), f"{folder}/")
    with pytest.raises(FileError, match="made by another command"):
        write(Deal(N, seed=1), f"{folder}/", resume=True)
    write(Deal(N), f"{folder}/", resume=True)
    assert np.array_equal(counts_of(folder), ev.deal(N))
    assert (folder / "part-000000.parquet").stat().st_mtime_ns == kept
    assert (folder / "_SUCCESS").exists()
    # a longer list: the parts that are whole stay
    write(Deal(2 * N), f"{folder}/", resume=True)
    assert np.array_equal(counts_of(folder), ev.deal(2 * N))
    write(Deal(10, seed=9), f"{folder}/", force=True)
    assert np.array_equal(counts_of(folder), ev.deal(10, seed=9))


def test_what_is_there_stays(tmp_path):
    path = tmp_path / "hands.npy"
    path.write_text("mine")
    with pytest.raises(FileError, match="exists already: --force"):
        write(Deal(5), path)
    assert path.read_text() == "mine"
    write(Deal(5), path, force=True)
    assert len(np.load(path)) == 5
    assert [file.name for file in tmp_path.iterdir()] == ["hands.npy"]


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("hands.json", {}, "which format"),
        ("hands", {}, "which format"),
        ("hands/", {"form": "csv"}, "a folder holds Parquet parts"),
        ("hands.npy", {"resume": True}, "only a folder"),
        ("no/hands.npy", {}, "no such file or directory"),
        ("hands.npy", {"form": "xls"}, "form must be one of .* got 'xls'"),
        ("hands.parquet", {"compression": "zip"}, "compression must be one of .* got 'zip'"),
    ],
)
def test_refused(name, options, said, tmp_path):
    with pytest.raises(ev.EvaluatorError, match=said):
        write(Deal(5), f"{tmp_path}/{name}", **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"n": -1}, "n must be a whole number from 0 to"),
        ({"n": 2**40 + 1}, "n must be a whole number from 0 to 1099511627776"),
        ({"n": 2, "start": 2**40 - 1}, "n must be a whole number from 0 to 1, got 2"),
        ({"n": 1, "tiles": 12}, "tiles must be one of 1, 2, 4, 5"),
        ({"n": 1, "kinds": 27, "family": "half_flush"}, "needs honour tiles"),
    ],
)
def test_lists_that_cannot_be(asked, said):
    with pytest.raises(ev.EvaluatorError, match=said):
        Deal(**asked)


# --- the command


def test_command_writes_lines(capsys):
    assert main(["deal", "3", "-", "--tiles", "14", "--seed", "8", "--start", "2"]) == 0
    expected = [ev.format(hand) for hand in ev.deal(3, 14, seed=8, start=2)]
    assert capsys.readouterr().out.splitlines() == expected


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-5", "-"], "-5"),
        (["5x", "-"], "is not a number of hands"),
        (["9" * 30, "-"], "is not a number of hands"),
        (["2000G", "-"], "n must be a whole number from 0 to"),
        (["5", "-", "--family", "flsh"], "family must be one of random, flush"),
        (["5", "-", "--tiles", "15"], "tiles must be a whole number from 1 to 14"),
        (["5", "-", "--seed", "-1"], "seed must be a whole number from 0 to"),
        (["5", "-", "--kinds", "30"], "invalid choice: 30"),
        (["5", "-", "--resume"], "only a folder"),
        (["5", "x.doc"], "Names end in .parquet, .npy, .csv, .txt or /"),
        (["5", "-", "--threads", "0"], "is not a number of threads"),
    ],
)
def test_command_refuses(words, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    try:
        status = main(["deal", *words])
    except SystemExit as error:
        status = error.code
    got = capsys.readouterr()
    assert status == 2
    assert said in got.err
    assert got.out == ""
    assert not list(tmp_path.iterdir())


def test_help_names_every_family(capsys):
    from evaluator.dealing.deals import FAMILIES

    with pytest.raises(SystemExit):
        main(["deal", "--help"])
    shown = capsys.readouterr().out
    assert all(family in shown for family in FAMILIES)


def test_parquet_to_a_pipe(tmp_path):
    done = command("deal", 500, "-", "--format", "parquet")
    assert done.returncode == 0, done.stderr
    (tmp_path / "piped.parquet").write_bytes(done.stdout)
    assert np.array_equal(counts_of(tmp_path / "piped.parquet"), ev.deal(500))


@pytest.mark.parametrize("name", ["hands.parquet", "hands.npy", "hands/"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_in_the_middle(name, number, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "evaluator", "deal", "100G", f"{tmp_path}/{name}"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        # a shell may have it ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    for _ in range(600):
        if sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) > 1_000_000:
            break
        time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + number, said
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    if not name.endswith("/"):
        assert left == []
    # parts that are there are whole
    for path in left:
        assert path.name.startswith("part-")
        assert pq.read_metadata(path).num_rows == dealt.PART


def test_a_killed_folder_is_gone_on_with(tmp_path):
    """``kill -9``: what is complete is kept, the rest is dealt again."""
    folder = tmp_path / "hands"
    words = ["deal", "20M", f"{folder}/", "--compression", "none"]
    process = subprocess.Popen(
        [sys.executable, "-m", "evaluator", *words],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    for _ in range(600):
        if list(folder.glob("part-*")):
            break
        time.sleep(0.02)
    process.kill()
    process.wait()
    whole = {path: path.stat().st_mtime_ns for path in folder.glob("part-*")}
    assert whole
    done = command(*words, "--resume")
    assert done.returncode == 0, done.stderr
    assert all(path.stat().st_mtime_ns == made for path, made in whole.items())
    assert sum(pq.read_metadata(path).num_rows for path in folder.glob("part-*")) == 20_000_000
    last = pq.ParquetFile(folder / "part-000004.parquet").read_row_group(0)["hand"][0].as_py()
    assert list(last) == ev.deal(1, start=4 * dealt.PART)[0].tolist()
    assert not list(folder.glob(".*"))


def test_two_at_once(tmp_path):
    """Both are asked for the same file: one whole file is there, and nothing else."""
    words = [sys.executable, "-m", "evaluator", "deal", "1M", f"{tmp_path}/hands.npy"]
    both = [
        subprocess.Popen(
            words, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.DEVNULL
        )
        for _ in range(2)
    ]
    assert sorted(process.wait() for process in both) in ([0, 0], [0, 2])
    assert [path.name for path in tmp_path.iterdir()] == ["hands.npy"]
    assert np.array_equal(np.load(tmp_path / "hands.npy"), ev.deal(1_000_000))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("form", ["npy", "parquet", "text"])
def test_a_full_disk(form):
    done = command("deal", "100k", "/dev/full", "--format", form)
    assert done.returncode == 2
    assert b"/dev/full: no space left on device" in done.stderr
    assert b"Traceback" not in done.stderr


def test_without_pyarrow(tmp_path):
    """Text and npy need none; Parquet says what to install."""
    code = (
        "import sys; sys.modules['pyarrow'] = None; from evaluator.cli import main;"
        "sys.exit(main(sys.argv[1:]))"
    )

    def run(name: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code, "deal", "5", str(tmp_path / name)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )

    assert run("hands.npy").returncode == 0
    assert run("hands.txt").returncode == 0
    refused = run("hands.parquet")
    assert refused.returncode == 2
    assert "pip install 'mahjong-evaluator[arrow]'" in refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hands.npy", "hands.txt"]
