"""``demo``, ``warmup`` and ``bench``: what the package does, and how fast."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from .console import (
    BOLD,
    DIM,
    colour,
    compiling,
    counted,
    distance_colour,
    table,
    tile_text,
    tiles_text,
)

if TYPE_CHECKING:
    from ..hands import Hand

DEALT = 1_000_000
REPEATS = 5


def add(commands: Any) -> None:
    """Put the three commands into the command line."""
    demo = commands.add_parser(
        "demo",
        help="answer sample hands and one million random hands",
        description="Shanten, score, waits and best discard of the sample hands that come with the "
        "program, then the shanten of a million dealt hands.",
    )
    demo.add_argument("--unicode", action="store_true", help="show tiles as Unicode characters")
    demo.set_defaults(run=run_demo)

    warmup = commands.add_parser(
        "warmup",
        help="compile everything now",
        description="Compile everything now. Later calls, in other processes too, only load it.",
    )
    warmup.set_defaults(run=run_warmup)

    bench = commands.add_parser(
        "bench",
        help="time the queries",
        description="Time the queries over dealt hands (always the same ones), input checks "
        f"included: the median of {REPEATS} runs after one that does not count.",
        epilog="The plain-Python solver and other libraries are timed by "
        '"python bench/report.py" in a checkout.',
    )
    bench.add_argument(
        "--hands",
        type=_hands,
        default=DEALT,
        metavar="N",
        help="number of hands (default: 1000000)",
    )
    bench.add_argument("--rules", metavar="NAME", help="rule set (default: riichi and guobiao)")
    bench.set_defaults(run=run_bench)


def _hands(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 100_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of hands")
    return int(text)


class Sample(NamedTuple):
    """A hand of the sample file."""

    title: str
    rules: str
    text: str


def samples() -> list[Sample]:
    """The hands of the sample file, each with the comment above it.

    >>> samples()[0].title
    'a random deal'
    """
    from importlib.resources import files

    text = (files("evaluator") / "samples" / "hands.txt").read_text(encoding="utf-8")
    title = rules = ""
    found = []
    for line in text.splitlines():
        if line.startswith("# rules:"):
            rules = line.partition(":")[2].strip()
        elif line.startswith("#"):
            title = line[1:].strip()
        elif line.strip():
            found.append(Sample(title, rules, line.strip()))
    return found


def run_demo(args: argparse.Namespace) -> int:
    """Print the sample hands as a table, then deal a million."""
    with compiling():
        from ..dealing.deals import deal
        from ..hands import Hand
        from ..shape.queries import shanten

        advised = [
            _advise(Hand.parse(sample.text), sample.rules, args.unicode) for sample in samples()
        ]
        shanten(deal(1000, tiles=14), "riichi")
    header = ["hand", "rules", "tiles", "shanten", "fan / waits for / best discard"]
    rows = [header]
    for sample, (number, advice) in zip(samples(), advised, strict=True):
        rows.append([sample.title, sample.rules, sample.text, str(number), advice])
    lines = table(rows, right=[3])
    print(colour(lines[0], BOLD))
    for line, (number, _) in zip(lines[1:], advised, strict=True):
        print(colour(line, distance_colour(number)) if number <= 0 else line)
    print()
    _deal_a_million()
    return 0


def _advise(hand: Hand, rules: str, unicode: bool) -> tuple[int, str]:
    from ..scoring.minimum import waits
    from ..shape.queries import discards, shanten
    from .hands import bits

    number = int(shanten(hand, rules))
    if number < 0:
        return number, _worth(hand, rules)
    if not hand.is_complete_size:
        found = waits(hand, rules)
        tiles = tiles_text(bits(found.mask), unicode)
        return number, f"{tiles}  ({counted(int(found.total), 'copy')} left)"
    choices = discards(hand, rules)
    best = int(choices.best())
    accepted = tiles_text(bits(choices.mask[best]), unicode)
    return number, (
        f"discard {tile_text(best, unicode)} → {accepted}  "
        f"({counted(int(choices.left[best]), 'copy')} left)"
    )


def _worth(hand: Hand, rules: str) -> str:
    """The score of a complete hand, under rules that have one."""
    from ..rulesets import rules as lookup
    from ..scoring import score

    known = lookup(rules)
    if known.patterns:
        found = score(hand, known)
        parts = ", ".join(map(str, found.parts))
        return f"{found.fan} fan, {found.points} points: {parts}"
    if not known.fan_table:
        return "complete 和"
    found = score(hand, known)
    return f"{found.fan} fan: {', '.join(map(str, found.parts))}"


def _deal_a_million() -> None:
    import numpy as np

    from ..dealing.deals import deal
    from ..engine.parallel import cores
    from ..shape.queries import shanten

    hands = deal(DEALT, tiles=14)
    seconds = _time(lambda: shanten(hands, "riichi"))
    numbers = shanten(hands, "riichi")
    values, counts = np.unique(numbers, return_counts=True)
    print(f"{DEALT:,} dealt hands of 14 tiles, riichi forms:")
    rows = [["shanten", *map(str, values)], ["hands", *(f"{count:,}" for count in counts)]]
    print("\n".join(table(rows, right=range(1, len(rows[0])))))
    rate = DEALT / seconds / 1e6
    print(
        f"{seconds * 1e3:.1f} ms: "
        + colour(f"{rate:,.0f} million hands a second", BOLD)
        + f" ({counted(cores(), 'thread')}, compiled before, median of {REPEATS} runs)"
    )


def _time(call: Callable[[], object]) -> float:
    """Median seconds of a call, after one that does not count."""
    call()
    times = []
    for _ in range(REPEATS):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return median(times)


def run_warmup(args: argparse.Namespace) -> int:
    """Compile and say how long it took."""
    begin = time.perf_counter()
    with compiling():
        from ..hands.arrow.texts import warmup as warmup_texts
        from ..warming import warmup

        warmup()
        warmup_texts()
    print(f"compiled in {time.perf_counter() - begin:.1f} s")
    return 0


def run_bench(args: argparse.Namespace) -> int:
    """Time the queries and print a table."""
    from ..dealing import deals as dealing
    from ..engine.parallel import cores
    from ..rulesets import rules
    from ..shape import queries as ask

    names = [args.rules] if args.rules else ["riichi", "guobiao"]
    threads = sorted({1, cores()})
    header = ["query", "rules", "tiles", "hands"]
    for number in threads:
        header += ["ns/hand", f"M/s, {counted(number, 'thread')}"]
    rows = [header]
    for name in names:
        found = rules(name)
        for query, tiles, share in (
            ("shanten", 13, 1),
            ("shanten", 14, 1),
            ("is_win", 14, 1),
            ("waits", 13, 1),
            ("discards", 14, 10),
        ):
            count = max(args.hands // share, 1)
            hands = dealing.deal(count, tiles=tiles, kinds=found.kinds)
            call = getattr(ask, query)
            row = [query, found.name, str(tiles), f"{count:,}"]
            with compiling():
                call(hands[:1], found)
            for number in threads:
                seconds = _time(partial(call, hands, found, threads=number))
                row += [f"{seconds / count * 1e9:.1f}", f"{count / seconds / 1e6:.1f}"]
            rows.append(row)
    lines = table(rows, right=range(2, len(header)))
    print(colour(lines[0], BOLD))
    print("\n".join(lines[1:]))
    print(
        colour(
            'The plain-Python solver and other libraries: "python bench/report.py" in a checkout.',
            DIM,
        )
    )
    return 0
