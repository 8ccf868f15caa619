"""Measures the speed claims and writes them into docs/speed.md.

    python bench/report.py                  the whole table, some minutes
    python bench/report.py --quick          the same on few hands: does it run?
    python bench/report.py --write          puts it between the markers of docs/speed.md
    python bench/report.py --json OUT       and the raw figures into a file

How it measures: the public call on contiguous uint8, validation included, one
thread, warm; the median of the runs, ours and the rivals' in turn so that both
meet the same machine. A rival gets its own inputs ready made, and as many hands
as keep it busy for the fifth of a second.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

import evaluator as ev  # noqa: E402
from bench import rivals  # noqa: E402
from bench.registry import COMPARISONS, Comparison, find  # noqa: E402
from bench.rivals import LIBRARIES, NAIVE  # noqa: E402

START, END = "<!-- bench:start -->", "<!-- bench:end -->"
RESULTS = {
    "aim": "target met",
    "must": "required met",
    "missed": "missed",
    "not measured": "not measured",
}
"""How the table says what a measurement reached."""
ALWAYS = ("random", "consensus", "sichuan", "sichuan_wilds")  # families of a quick run
MB = 1e6


@dataclass(frozen=True)
class Scale:
    """How much is measured; ``quick`` only shows that everything runs."""

    runs: int = 7
    hands: float = 1.0
    ours_seconds: float = 0.1
    rival_seconds: float = 0.2
    thread_hands: int = 8_000_000
    single_calls: int = 100_000
    memory_hands: int = 2_000_000
    processes: int = 9
    families: bool = True


QUICK = Scale(
    runs=5,
    hands=0.01,
    ours_seconds=0.002,
    rival_seconds=0.005,
    thread_hands=100_000,
    single_calls=1000,
    memory_hands=100_000,
    processes=3,
    families=False,
)


@dataclass
class Speed:
    """One entry of the registry, measured: nanoseconds a hand."""

    comparison: Comparison
    hands: int
    ours: float
    theirs: dict[str, float] = field(default_factory=dict)

    def ratio(self, library: str) -> float | None:
        return self.theirs[library] / self.ours if library in self.theirs else None


@dataclass
class Target:
    """One line of the table of what must be reached."""

    what: str
    must: float
    aim: float
    unit: str
    measured: float | None
    more_is_better: bool = False
    note: str = ""

    def reached(self, bar: float) -> bool:
        if self.measured is None:
            return False
        return self.measured >= bar if self.more_is_better else self.measured <= bar

    @property
    def verdict(self) -> str:
        if self.measured is None:
            return "not measured"
        return "aim" if self.reached(self.aim) else "must" if self.reached(self.must) else "missed"


# timing


@contextlib.contextmanager
def no_collector() -> Iterator[None]:
    """Without Python's garbage collector, whose pauses fall on whoever runs at the time."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def seconds(call: Callable[[], object], repeats: int = 1) -> float:
    start = time.perf_counter()
    for _ in range(repeats):
        call()
    return (time.perf_counter() - start) / repeats


def interleaved(calls: dict[str, Callable[[], object]], scale: Scale) -> dict[str, float]:
    """Median seconds of each call, all of them in every run; short ones are repeated."""
    repeats = {}
    for name, call in calls.items():
        call()
        repeats[name] = max(1, int(scale.ours_seconds / max(seconds(call), 1e-9)))
    times: dict[str, list[float]] = {name: [] for name in calls}
    with no_collector():
        for _ in range(scale.runs):
            for name, call in calls.items():
                times[name].append(seconds(call, repeats[name]))
    return {name: statistics.median(spent) for name, spent in times.items()}


def speed(comparison: Comparison, scale: Scale) -> Speed:
    """Our call and each installed rival's on the same family of hands.

    The naive solver runs once: seconds a hand need no median.
    """
    n = max(1000, int(comparison.n * scale.hands))
    hands = comparison.hands(n)
    calls: dict[str, Callable[[], object]] = {"": comparison.call(hands)}
    sizes, spent = {"": n}, {}
    for library in comparison.rivals:
        if rivals.missing(library):
            continue
        rival = comparison.rival(library)
        prepared, once = rivals.enough(rival, comparison.hands, scale.rival_seconds)
        sizes[library] = len(prepared)
        if library == NAIVE:
            spent[library] = once
        else:
            calls[library] = lambda rival=rival, prepared=prepared: rival.ask(prepared)
    spent |= interleaved(calls, scale)
    ns = {name: spent[name] / sizes[name] * 1e9 for name in sizes}
    return Speed(comparison, n, ns.pop(""), ns)


# what must be reached


def ratios_to_rivals(speeds: dict[str, Speed]) -> list[Target]:
    targets = []
    for entry in speeds.values():
        bar = entry.comparison.bar
        if bar is None:
            continue
        theirs = entry.theirs.get(bar.rival)
        call = rivals.call_name(bar.rival, entry.comparison.query, entry.comparison.rules)
        note = f"{per_hand(entry.ours)}; {bar.rival}: "
        note += per_hand(theirs) if theirs else f"missing, {rivals.missing(bar.rival)}"
        targets.append(
            Target(
                f"{describe(entry.comparison)}, against {bar.rival}'s {call}",
                bar.must,
                bar.aim,
                "times as fast",
                entry.ratio(bar.rival),
                more_is_better=True,
                note=note,
            )
        )
    return targets


def ratios_within(scale: Scale) -> list[Target]:
    """is_win against shanten, and with wild tiles against without."""
    n = max(1000, int(2_000_000 * scale.hands))
    win, shanten, wilds = (
        find(query, "riichi", tiles=14) for query in ("is_win", "shanten", "is_win_with_wilds")
    )
    calls = {entry.query: entry.call(entry.hands(n)) for entry in (win, shanten, wilds)}
    ns = {name: spent / n * 1e9 for name, spent in interleaved(calls, scale).items()}
    return [
        Target(
            "`is_win` (riichi, random, 14 tiles), against `shanten`",
            0.7,
            0.6,
            "of its time",
            ns["is_win"] / ns["shanten"],
            note=f"{per_hand(ns['is_win'])}; shanten: {per_hand(ns['shanten'])}",
        ),
        Target(
            "`is_win` with 0–4 wild tiles, against without",
            3,
            2,
            "times its time",
            ns["is_win_with_wilds"] / ns["is_win"],
            note=f"{per_hand(ns['is_win_with_wilds'])}; without: {per_hand(ns['is_win'])}",
        ),
    ]


def pattern_scores(scale: Scale) -> list[Target]:
    """Scores of the Sichuan family against shanten, hands with wild tiles by the second."""
    entries = {
        "shanten": find("shanten", "riichi", tiles=14),
        "score": find("score", "qq_sichuan", "sichuan"),
        "waits": find("wait_scores", "qq_sichuan", "sichuan"),
        "wilds": find("score_with_wilds", "yibin", "sichuan_wilds"),
    }
    sizes = {name: max(1000, int(entry.n * scale.hands)) for name, entry in entries.items()}
    calls = {name: entry.call(entry.hands(sizes[name])) for name, entry in entries.items()}
    ns = {name: t / sizes[name] * 1e9 for name, t in interleaved(calls, scale).items()}
    per_second = 1e9 / ns["wilds"]
    return [
        Target(
            f"{describe(entries[name])}, against `shanten` (riichi)",
            must,
            aim,
            "times its time",
            ns[name] / ns["shanten"],
            note=f"{per_hand(ns[name])}; shanten: {per_hand(ns['shanten'])}",
        )
        for name, must, aim in (("score", 8, 4), ("waits", 60, 30))
    ] + [
        Target(
            describe(entries["wilds"]),
            0.3,
            3,
            "M hands/s",
            per_second / 1e6,
            more_is_better=True,
            note=f"{per_hand(ns['wilds'])}, 1–4 wild tiles",
        )
    ]


def patterns_within(scale: Scale) -> list[Target]:
    """All distances of a Sichuan game against one shanten."""
    n = max(1000, int(400_000 * scale.hands))
    entries = find("pattern_shanten", "qq_sichuan"), find("shanten", "riichi", tiles=14)
    calls = {entry.query: entry.call(entry.hands(n)) for entry in entries}
    ns = {name: spent / n * 1e9 for name, spent in interleaved(calls, scale).items()}
    columns = len(ev.pattern_names("qq_sichuan"))
    return [
        Target(
            f"`pattern_shanten` (qq_sichuan, random, 14 tiles), all {columns} patterns, "
            "against `shanten` (riichi)",
            30,
            10,
            "times its time",
            ns["pattern_shanten"] / ns["shanten"],
            note=f"{per_hand(ns['pattern_shanten'])}; shanten: {per_hand(ns['shanten'])}",
        )
    ]


def single_hand(scale: Scale) -> list[Target]:
    """One call for one hand: an array, a list, and xiangting's own call."""
    entry = find("shanten", "riichi", tiles=14)
    hands = entry.hands(scale.single_calls)
    rows, lists = list(hands), hands.tolist()
    shanten = ev.shanten

    def ask(inputs: list[Any]) -> list[int]:
        return [shanten(hand, "riichi") for hand in inputs]

    calls: dict[str, Callable[[], object]] = {
        "array": lambda: ask(rows),
        "list": lambda: ask(lists),
    }
    lacking = rivals.missing("xiangting")
    if not lacking:
        rival = entry.rival("xiangting")
        calls["xiangting"] = lambda: rival.ask(lists)
    ns = {name: t / len(rows) * 1e9 for name, t in interleaved(calls, scale).items()}
    theirs = ns.get("xiangting")
    note = f"xiangting: {per_call(theirs)}" if theirs else f"xiangting missing, {lacking}"
    return [
        Target(
            "one hand, one call of `shanten` (uint8 array), against xiangting's call",
            1,
            0.5,
            "of its time",
            ns["array"] / theirs if theirs else None,
            note=f"{per_call(ns['array'])}, from a list {per_call(ns['list'])}; {note}",
        )
    ]


def single_score(scale: Scale) -> list[Target]:
    """One hand, one call that returns the list of fan, as PyMahjongGB's does."""
    entry = find("score", "guobiao", "consensus")
    hands = entry.hands(max(1000, scale.single_calls // 10))
    ready = list(hands)
    score = ev.score
    calls: dict[str, Callable[[], object]] = {"ours": lambda: [score(hand) for hand in ready]}
    lacking = rivals.missing("PyMahjongGB")
    if not lacking:
        rival = entry.rival("PyMahjongGB")
        prepared = rival.prepare(hands)
        calls["PyMahjongGB"] = lambda: rival.ask(prepared)
    ns = {name: t / len(ready) * 1e9 for name, t in interleaved(calls, scale).items()}
    theirs = ns.get("PyMahjongGB")
    note = f"PyMahjongGB: {per_call(theirs)}" if theirs else f"PyMahjongGB missing, {lacking}"
    return [
        Target(
            "one hand, one call of `score` with its list, against PyMahjongGB's call",
            2,
            1,
            "of its time",
            ns["ours"] / theirs if theirs else None,
            note=f"{per_call(ns['ours'])}; {note}",
        )
    ]


def two_threads(scale: Scale) -> list[Target]:
    n = scale.thread_hands
    hands = ev.deal(n, tiles=14, seed=1)
    out = np.empty(n, np.int8)
    cores = usable_cores()
    calls = {
        str(threads): lambda threads=threads: ev.shanten(hands, "riichi", out=out, threads=threads)
        for threads in (1, 2)
    }
    spent = interleaved(calls, scale)
    one, two = spent["1"], spent["2"]
    return [
        Target(
            f"two threads, `shanten` of {n:,} hands, against one",
            1.8,
            1.95,
            "times as fast",
            one / two,
            more_is_better=True,
            note=f"{millions(n / two)} hands/s on a machine with {cores} usable cores",
        )
    ]


def dealing(scale: Scale) -> list[Target]:
    """Hands a second of processor time, whatever the threads; the files end on a disk."""
    from evaluator.dealing.lists import Deal, write

    n = scale.thread_hands

    def rate(call: Callable[[], object]) -> float:
        call()
        spent = []
        for _ in range(scale.processes):
            start = time.process_time()
            call()
            spent.append(time.process_time() - start)
        return n / statistics.median(spent) / 1e6

    def deal() -> None:
        for start in range(0, n, 1 << 20):
            ev.deal(min(n - start, 1 << 20), tiles=14, start=start, threads=1)

    memory = rate(deal)
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, compression in (
            ("Parquet", "snappy"),
            ("uncompressed Parquet", "none"),
            ("npy", "none"),
            ("text", "none"),
        ):
            path = Path(folder) / {"npy": "deal.npy", "text": "deal.txt"}.get(name, "deal.parquet")
            files[name] = rate(
                lambda path=path, compression=compression: write(
                    Deal(n, tiles=14), path, compression=compression, force=True
                )
            )
    others = ", ".join(f"{name} {millions(found * 1e6)}" for name, found in files.items())
    unit = "M hands/s a core"
    return [
        Target("dealing in memory", 10, 20, unit, memory, True, "14 tiles, 34 kinds"),
        Target("dealing to a file (Parquet)", 5, 10, unit, files["Parquet"], True, others),
    ]


# fresh processes

IMPORT = """
import time
start = time.perf_counter()
import numpy
between = time.perf_counter()
import evaluator
end = time.perf_counter()
print(end - between, between - start)
"""

FIRST = """
import numpy as np
import evaluator as ev
hand = np.zeros((1, 34), np.uint8)
hand[0, :14] = 1
ev.shanten(hand, "riichi")
import time
print(time.time())
"""

FIRST_SCORE = """
import evaluator as ev
ev.score(ev.Hand.parse("123789s123789p3m3m"))
import time
print(time.time())
"""

# the warm call has few hands, so that no buffer of the large one exists yet
PEAK = """
import sys
from pathlib import Path
import numpy as np
import evaluator as ev

FIELDS = {"waits": ("shanten", "mask", "total"), "discards": ("shanten", "mask", "left")}

def peak():
    status = Path("/proc/self/status")
    if status.exists():
        # not ru_maxrss: on Linux that remembers the parent of a new process
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
        return int(lines["VmHWM"].split()[0]) * 1024
    import resource
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used if sys.platform == "darwin" else used * 1024

query, path = sys.argv[1:]
ask = getattr(ev, query)
ask(np.load(path, mmap_mode="r")[:1000].copy(), "riichi", threads=1)
hands = np.load(path)
try:
    Path("/proc/self/clear_refs").write_text("5")  # the peak is forgotten
except OSError:
    pass
before = peak()
answer = ask(hands, "riichi", threads=1)
after = peak()
parts = [getattr(answer, name) for name in FIELDS[query]] if query in FIELDS else [answer]
print(after - before - sum(part.nbytes for part in parts))
"""


def fresh(code: str, *args: str, **environment: str) -> list[float]:
    """The numbers a new Python process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *args],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    return [float(word) for word in done.stdout.split()]


def import_time(scale: Scale) -> list[Target]:
    runs = [fresh(IMPORT) for _ in range(scale.processes)]
    ours, numpys = (statistics.median(column) for column in zip(*runs, strict=True))
    return [
        Target(
            "`import evaluator`, over numpy's own import",
            0.1,
            0.03,
            "s",
            ours,
            note=f"numpy alone {numpys:.3f} s",
        )
    ]


def first_call(scale: Scale) -> list[Target]:
    """From the start of a process to its first answer, imports included."""
    targets = []
    for query, code, cold_bars, warm_bars in (
        ("shanten", FIRST, (4, 2.5), (0.6, 0.45)),
        ("score", FIRST_SCORE, (6, 3.5), (0.8, 0.6)),
    ):
        cold, warm = [], []
        for _ in range(max(1, scale.processes // 3)):
            with tempfile.TemporaryDirectory() as empty:
                start = time.time()
                cold.append(fresh(code, NUMBA_CACHE_DIR=empty)[0] - start)
                for _ in range(3):
                    start = time.time()
                    warm.append(fresh(code, NUMBA_CACHE_DIR=empty)[0] - start)
        for when, bars, spent in (
            ("nothing compiled yet", cold_bars, cold),
            ("compiled before", warm_bars, warm),
        ):
            targets.append(
                Target(
                    f"first `{query}` of a process, {when}",
                    *bars,
                    "s",
                    statistics.median(spent),
                    note="interpreter start and imports included",
                )
            )
    return targets


def memory(scale: Scale) -> list[Target]:
    """How far the peak of a process rises in a call, beyond the answer."""
    n = scale.memory_hands
    extra = {}
    for query, tiles, dtype, hands in (
        ("shanten", 14, "uint8", n),
        ("shanten", 14, "int64", n // 4),
        ("is_win", 14, "uint8", n),
        ("waits", 13, "uint8", n),
        ("discards", 14, "uint8", n // 10),
    ):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "hands.npy"
            np.save(path, ev.deal(hands, tiles=tiles, seed=1).astype(dtype))
            extra[f"{query} of {dtype}"] = max(0.0, fresh(PEAK, query, str(path))[0] / MB)
    return [
        Target(
            "memory of an array call beyond input and output, the most of all",
            16,
            4,
            "MB",
            max(extra.values()),
            note=", ".join(f"{what} {used:.1f}" for what, used in extra.items()),
        )
    ]


def tables_in_memory() -> list[Target]:
    from evaluator.distance import layout as plantables
    from evaluator.engine import tables
    from evaluator.scoring.guobiao import layout as fantables

    loaders = {
        "shape": tables.shape,
        "accept": tables.accept,
        "fan": fantables.geometry,
        "patterns": plantables.arena,
    }
    sizes = {name: nbytes(load()) / MB for name, load in loaders.items()}
    return [
        Target(
            "tables in memory",
            16,
            10,
            "MB",
            sum(sizes.values()) or None,
            note=", ".join(f"{name} {size:.1f}" for name, size in sizes.items()),
        )
    ]


def nbytes(value: Any) -> int:
    if isinstance(value, np.ndarray):
        return value.nbytes
    if isinstance(value, dict):
        value = value.values()
    return sum(map(nbytes, value)) if hasattr(value, "__iter__") else 0


def wheel_size() -> list[Target]:
    size, note = None, ""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder],
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
        built = list(Path(folder).glob("*.whl"))
        if built:
            size = built[0].stat().st_size / MB
        else:
            note = "not built: " + (done.stderr.strip().splitlines() or ["no wheel"])[-1]
    return [Target("wheel size", 2.5, 1.3, "MB", size, note=note)]


# the report


def describe(entry: Comparison) -> str:
    return f"`{entry.query}` ({entry.rules}, {entry.family}, {entry.tiles} tiles)"


def per_hand(ns: float) -> str:
    return f"{ns:.2f} ns a hand" if ns < 10 else f"{ns:,.0f} ns a hand"


def per_call(ns: float) -> str:
    return f"{ns:,.0f} ns"


def millions(per_second: float) -> str:
    value = per_second / 1e6
    return f"{value:,.0f} M" if value >= 10 else f"{value:.2g} M"


def short(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def cpu_name() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        return subprocess.run(
            ["sysctl", "-n", "machdep.cpu.brand_string"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
    return platform.processor() or platform.machine()


def environment(command: str) -> dict[str, Any]:
    return {
        "cpu": cpu_name(),
        "cores": usable_cores(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "mahjong-evaluator": ev.__version__,
        "numpy": rivals.version("numpy"),
        "numba": rivals.version("numba"),
        "rivals": {library: rivals.version(library) for library in LIBRARIES},
        "missing": {name: line for name in LIBRARIES if (line := rivals.missing(name))},
        "command": command,
    }


def targets_table(targets: list[Target]) -> list[str]:
    lines = ["| what | required | target | measured | result | |", "|---|--:|--:|--:|---|---|"]
    for target in targets:
        sign = "≥" if target.more_is_better else "≤"
        measured = "–" if target.measured is None else f"{short(target.measured)} {target.unit}"
        lines.append(
            f"| {target.what} | {sign} {short(target.must)} | {short(target.aim)} "
            f"| {measured} | {RESULTS[target.verdict]} | {target.note} |"
        )
    return lines


def speeds_table(speeds: dict[str, Speed]) -> list[str]:
    columns = [NAIVE, *LIBRARIES]
    lines = [
        "| query | rules | hands | tiles | ns a hand | hands/s | "
        + " | ".join(f"× {name}" for name in columns)
        + " |",
        "|---|---|---|--:|--:|--:|" + "--:|" * len(columns),
    ]
    for entry in speeds.values():
        asked = entry.comparison
        cells = []
        for library in columns:
            ratio = entry.ratio(library)
            if ratio is not None:
                cells.append(short(ratio))
            else:
                cells.append("missing" if library in asked.rivals else "")
        lines.append(
            f"| {asked.query} | {asked.rules} | {asked.family} | {asked.tiles} "
            f"| {short(entry.ours)} | {millions(1e9 / entry.ours)} | " + " | ".join(cells) + " |"
        )
    return lines


def calls_list(speeds: dict[str, Speed]) -> list[str]:
    """What each library was asked; a query that knows less than ours is no equal."""
    asked: dict[str, dict[str, None]] = {}
    for entry in speeds.values():
        for library in entry.comparison.rivals:
            if library != NAIVE:
                call = rivals.call_name(library, entry.comparison.query, entry.comparison.rules)
                asked.setdefault(entry.comparison.query, {})[f"{library} {call}"] = None
    return [f"- {query}: {'; '.join(calls)}" for query, calls in asked.items()]


def markdown(
    targets: list[Target], speeds: dict[str, Speed], where: dict[str, Any], quick: bool
) -> str:
    versions = ", ".join(
        f"{name} {version}" if version else f"{name} **missing** (`{rivals.missing(name)}`)"
        for name, version in where["rivals"].items()
    )
    return "\n".join(
        [
            f"{where['cpu']}, {where['cores']} cores, {where['system']}; "
            f"Python {where['python']}, numpy {where['numpy']}, numba {where['numba']}; "
            f"{versions}. Made by `{where['command']}`.",
            *(["", "**A quick run on few hands: figures to be ignored.**"] if quick else []),
            "",
            "The public call on a contiguous `uint8` array, validation included, one thread, warm;",
            "median of interleaved runs; every rival timed on prebuilt inputs, call by call.",
            "",
            *targets_table(targets),
            "",
            "How many times as fast as the others (naive = plain Python: `bench/naive.py`, for",
            "Sichuan scores `bench/naivescore.py`):",
            "",
            *speeds_table(speeds),
            "",
            "What they were asked:",
            "",
            *calls_list(speeds),
        ]
    )


def replace_section(text: str, section: str) -> str:
    """``text`` with the part between the markers replaced, all else untouched.

    >>> replace_section("a <!-- bench:start -->old<!-- bench:end --> b", "new")
    'a <!-- bench:start -->\\nnew\\n<!-- bench:end --> b'
    """
    if text.count(START) != 1 or text.count(END) != 1 or text.index(START) > text.index(END):
        raise ValueError(f"the file must hold {START} and {END}, once each and in this order")
    head, rest = text.split(START)
    _, tail = rest.split(END)
    return f"{head}{START}\n{section}\n{END}{tail}"


def write_section(path: Path, section: str) -> None:
    """Replace the marked part of a file, whose line ends stay as they are."""
    text = replace_section(path.read_bytes().decode(), section)
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(text.encode())
    os.replace(partial, path)


def measure(scale: Scale) -> tuple[list[Target], dict[str, Speed]]:
    speeds = {}
    for entry in COMPARISONS:
        if not entry.reported or (entry.family not in ALWAYS and not scale.families):
            continue
        progress(entry.name)
        speeds[entry.name] = speed(entry, scale)
    targets = ratios_to_rivals(speeds)
    for part in (
        ratios_within,
        pattern_scores,
        patterns_within,
        single_hand,
        single_score,
        two_threads,
        dealing,
        import_time,
        first_call,
        memory,
    ):
        progress(part.__name__)
        targets += part(scale)
    progress("tables and wheel")
    return [*targets, *tables_in_memory(), *wheel_size()], speeds


def progress(what: str) -> None:
    print(f"… {what}", file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python bench/report.py", description="Measure the speed claims of the project."
    )
    parser.add_argument("--quick", action="store_true", help="few hands: does it run?")
    parser.add_argument("--write", action="store_true", help="replace the tables of docs/speed.md")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the raw figures to OUT")
    parser.add_argument(
        "--page",
        type=Path,
        default=ROOT / "docs" / "speed.md",
        metavar="FILE",
        help="the file --write changes (default: docs/speed.md)",
    )
    options = parser.parse_args(arguments)
    if options.write:
        # fail before the minutes of measuring, not after
        replace_section(options.page.read_text(encoding="utf-8"), "")
    targets, speeds = measure(QUICK if options.quick else Scale())
    flags = " --quick" if options.quick else ""
    where = environment(f"python bench/report.py{flags}")
    section = markdown(targets, speeds, where, options.quick)
    print(section)
    if options.write:
        write_section(options.page, section)
    if options.json:
        figures = {
            "environment": where,
            "quick": options.quick,
            "targets": [{**asdict(target), "reached": target.verdict} for target in targets],
            "speeds": [
                {**asdict(entry.comparison), "hands": entry.hands, "ns": entry.ours}
                | {"rivals_ns": entry.theirs}
                for entry in speeds.values()
            ],
        }
        options.json.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
