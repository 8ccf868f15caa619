"""Batches of files at scale: times beside pyarrow's own, memory, clusters, resuming.

    python bench/scale.py [--hands 8000000] [--repeat 3] [figure ...]

Every run is a process of its own that has answered a small file the same way before, but for
the cluster that says it is the first. The rival is what
pyarrow needs, with its default options, to read the hands and to write the same columns; it
runs in turns with ours.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
GROUP = 1 << 18

RUN = """
import contextlib, json, resource, shutil, sys, time
from evaluator.files import run

def warm_up():
    import evaluator as ev
    ev.waits(ev.deal(10)), ev.shanten(ev.deal(10))

def main():
    warm, source, sink, options = json.loads(sys.argv[1])
    with contextlib.ExitStack() as stack:
        if options["dask"] == "running":
            from distributed import Client, LocalCluster
            cluster = stack.enter_context(LocalCluster(
                n_workers=options["threads"], threads_per_worker=1, host="127.0.0.1",
                dashboard_address="127.0.0.1:0", silence_logs=50))
            options["dask"] = cluster.scheduler_address
            # every worker has imported what it needs
            Client(cluster, set_as_default=False).run(warm_up)
        if not options.pop("cold", False):
            run(warm, sink.rstrip("/") + ".warm/", force=True, **options)
        began, busy = time.perf_counter(), time.process_time()
        summary = run(source, sink, force=True, **options)
        seconds, busy = time.perf_counter() - began, time.process_time() - busy
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": seconds, "busy": busy, "rows": summary.rows, "rss": most}))

if __name__ == "__main__":
    main()
"""

RIVAL = """
import json, sys, time
import pyarrow.parquet as pq
source, answers, sink = json.loads(sys.argv[1])
columns = pq.read_table(answers)
carried = "hand" in columns.column_names
began, busy = time.perf_counter(), time.process_time()
hands = pq.read_table(source, columns=["hand"])
pq.write_table(columns.set_column(0, "hand", hands["hand"]) if carried else columns, sink)
seconds, busy = time.perf_counter() - began, time.process_time() - busy
print(json.dumps({"seconds": seconds, "busy": busy}))
"""


class Workplace:
    """A folder of inputs, made when they are asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def hands(self, n: int, kind: str) -> Path:
        """Dealt hands: ``fixed``, ``list`` (Parquet) or ``text`` (a line each)."""
        path = self.folder / f"{kind}-{n}.{'txt' if kind == 'text' else 'parquet'}"
        if not path.exists():
            MAKERS[kind](path, n)
        return path

    def run(self, source: Path, sink: str, **options: Any) -> dict[str, float]:
        """One batch in a process of its own."""
        warm = self.hands(1000, source.stem.partition("-")[0])
        options = {"rules": "guobiao", "threads": 2, "dask": None, **options}
        return child(RUN, [str(warm), str(source), f"{self.folder}/{sink}", options])

    def rival(self, source: Path, answers: str) -> dict[str, float]:
        """What pyarrow needs for the same columns."""
        sink = self.folder / "rival.parquet"
        return child(RIVAL, [str(source), str(self.folder / answers), str(sink)])


def child(code: str, argument: object) -> dict[str, float]:
    """What a process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(argument)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def dealt(n: int) -> Iterator[Any]:
    """Counts of ``n`` hands, a group at a time."""
    import evaluator as ev

    for seed, begin in enumerate(range(0, n, GROUP)):
        yield ev.deal(min(GROUP, n - begin), 13, seed=seed)


def write_fixed(path: Path, n: int) -> None:
    """As this package writes hands."""
    import pyarrow as pa

    from evaluator.files import parquetoutput as sinks
    from evaluator.hands.arrow.fields import hand_array, hand_field

    schema = pa.schema([hand_field()])
    with sinks.open(path, schema) as sink:
        for counts in dealt(n):
            sink.write(pa.record_batch([hand_array(counts)], schema=schema))


def write_list(path: Path, n: int) -> None:
    """As others would: lists of 34 numbers."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kind = pa.list_(pa.uint8(), 34)
    with pq.ParquetWriter(path, pa.schema({"hand": kind})) as writer:
        for counts in dealt(n):
            column = pa.FixedSizeListArray.from_arrays(pa.array(counts.reshape(-1)), 34)
            writer.write_batch(pa.record_batch({"hand": column}))


def write_text(path: Path, n: int) -> None:
    """A hand a line."""
    from evaluator.files.textrows import hand_texts
    from evaluator.hands.arrow.fields import hand_array

    with path.open("w") as file:
        for counts in dealt(n):
            file.write("\n".join(hand_texts(hand_array(counts)).to_pylist()) + "\n")


MAKERS: dict[str, Callable[[Path, int], None]] = {
    "fixed": write_fixed,
    "list": write_list,
    "text": write_text,
}


def middle(runs: list[dict[str, float]], key: str = "seconds") -> float:
    """The median of several runs."""
    return statistics.median(run[key] for run in runs)


def parquet(place: Workplace, n: int, repeat: int) -> None:
    """Parquet to Parquet, shanten and waits, against reading and writing alone."""
    for kind in ("fixed", "list"):
        source = place.hands(n, kind)
        for what, columns in (("hands carried", None), ("answers only", [])):
            ours, theirs = [], []
            for _ in range(repeat):
                options = {"queries": ["shanten", "waits"], "columns": columns}
                ours.append(place.run(source, "out.parquet", **options))
                theirs.append(place.rival(source, "out.parquet"))
            print(
                f"Parquet ({kind}) to Parquet, {what}: {middle(ours):.2f} s, "
                f"{n / middle(ours) / 1e6:.2f} M hands/s; pyarrow alone {middle(theirs):.2f} s: "
                f"{middle(ours) / middle(theirs):.2f} of its time, "
                f"{middle(ours, 'busy') / middle(theirs, 'busy'):.2f} of its processor time; "
                f"{middle(ours, 'rss'):.0f} MB"
            )


def memory(place: Workplace, n: int, repeat: int) -> None:
    """Most resident memory, and that of a run ten times as long."""
    for kind in ("fixed", "list"):
        most = []
        for times in (1, 10):
            source = place.hands(n * times, kind)
            found = place.run(source, "out.parquet", queries=["shanten", "waits"])
            most.append(found["rss"])
            print(f"memory ({kind}), {n * times:,} hands: {found['rss']:.0f} MB", flush=True)
            if times > 1:
                source.unlink()
        print(f"memory ({kind}): {most[1] / most[0]:.2f} times as much")


def text(place: Workplace, n: int, repeat: int) -> None:
    """Text, a hand a line, to Parquet."""
    source = place.hands(n, "text")
    for sink in ("out.parquet", "out/"):
        runs = [place.run(source, sink, queries=["shanten"]) for _ in range(repeat)]
        print(
            f"text to {sink}: {n / middle(runs) / 1e6:.2f} M hands/s "
            f"({n / middle(runs, 'busy') / 1e6:.2f} M a second of processor time), "
            f"{middle(runs, 'rss'):.0f} MB"
        )


def dask(place: Workplace, n: int, repeat: int) -> None:
    """Two workers on this machine against two threads, four times as many hands."""
    source = place.hands(4 * n, "fixed")
    ways: dict[str, dict[str, Any]] = {
        "threads": {},
        "a running cluster": {"dask": "running"},
        "a cluster of its own": {"dask": ""},
        "the first of a process": {"dask": "", "cold": True},
    }
    runs: dict[str, list[dict[str, float]]] = {way: [] for way in ways}
    for _ in range(repeat):
        for way, options in ways.items():
            sink = f"{way.split()[-1]}/"
            runs[way].append(place.run(source, sink, queries=["shanten", "waits"], **options))
    threads = 4 * n / middle(runs["threads"]) / 1e6
    for way in list(ways)[1:]:
        rate = 4 * n / middle(runs[way]) / 1e6
        same = all(
            (place.folder / way.split()[-1] / path.name).read_bytes() == path.read_bytes()
            for path in (place.folder / "threads").iterdir()
        )
        print(
            f"Dask, {way}, two workers: {rate:.2f} M hands/s, threads {threads:.2f}: "
            f"{rate / threads:.2f} of it; {'the same bytes' if same else 'OTHER BYTES'}"
        )


def resume(place: Workplace, n: int, repeat: int) -> None:
    """Kill a run when half of its parts are there; how many are made again."""
    source, folder = place.hands(n, "fixed"), place.folder / "resumed"
    shutil.rmtree(folder, ignore_errors=True)
    command = [
        sys.executable, "-m", "evaluator", "batch", str(source), f"{folder}/",
        "--query", "shanten,waits", "--threads", "2", "--resume",
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    half = -(-n // GROUP) // 2
    process = subprocess.Popen(command, env=environment)
    while process.poll() is None and len(list(folder.glob("part-*"))) < half:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = {path.name: path.stat().st_mtime_ns for path in folder.glob("part-*")}
    begun = len(list(folder.glob(".*.part")))
    subprocess.run(command, env=environment, check=True)
    after = {path.name: path.stat().st_mtime_ns for path in folder.glob("part-*")}
    again = sum(after[name] != when for name, when in before.items())
    print(
        f"killed with {len(before)} of {len(after)} parts: {again} complete and "
        f"{begun} begun parts were made again"
    )


FIGURES = {figure.__name__: figure for figure in (parquet, memory, text, dask, resume)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("figures", nargs="*", metavar="figure", help=", ".join(FIGURES))
    parser.add_argument("--hands", type=int, default=8_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--folder", type=Path, help="where files are made (kept)")
    args = parser.parse_args()
    if not set(args.figures) <= set(FIGURES):
        parser.error(f"figures are {', '.join(FIGURES)}")
    with tempfile.TemporaryDirectory() as folder:
        place = Workplace(args.folder or Path(folder))
        for name in args.figures or FIGURES:
            FIGURES[name](place, args.hands, args.repeat)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
