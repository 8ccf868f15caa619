"""``batch``: a file of hands in, a file of answers out."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..tiles import SUITS
from .console import complain, counted, is_terminal, remark, stopped_by_termination
from .hands import add_suit_and_wilds, explained, read_seen

if TYPE_CHECKING:
    from ..batch import BadRow

SHOWN = 10
"""Bad rows that are shown; the rest are counted."""

QUERIES = ("shanten", "waits", "discards", "win", "score")

DESCRIPTION = """\
Read hands from a file and write the answers to another, in the same order.

IN has a hand a line (blank lines and lines that begin with # are left out), or is CSV
(with commas, tabs or semicolons) whose header has a column "hand"; its other columns are
carried through unchanged, and columns "void" (m, p or s) and "wilds" (0-8) are used if
there are any. A hand may be in any notation, with white space between its suits, but not
between the digits of one. Instead of "hand" the columns may be its parts, "concealed" at
least:
  concealed   tiles, the winning one included
  melds       [123m][555z,1][7777s] (a kong without a comma is concealed)
  win_tile    one of the concealed tiles (empty: the last one written)
  flags       self_drawn, last_tile, wall_last, kong, kong_discard, heavenly, earthly
  prevalent_wind, seat_wind   E, S, W or N (empty: E)
  flowers     0-8 (empty: 0)
"-" is standard input or output, names that end in .gz are compressed."""

EPILOG = """\
columns of the output, after those of the input:
  shanten    shanten (-1 complete, 0 ready, 127 never: melds of three suits)
  waits      waits_shanten, waits (tiles, 14m7p), waits_left (copies)
  discards   discard (the best), discard_shanten, discard_waits, discard_left
  win        win (true, false)
  score      score (all fan), minimum_met (true, false; flowers apart), fans (清龙 四归一×2)
  always     error: what is wrong with a hand; its results are empty
A query that a hand's size does not allow (waits of 14 tiles, discards of 13) leaves its
columns empty; if the size allows none of those asked, that is an error of the hand.

examples:
  mahjong-eval batch hands.txt shanten.csv
  mahjong-eval batch games.csv.gz out.jsonl --query shanten,waits,discards --rules riichi
  zcat log.gz | mahjong-eval batch - - --query win | grep true

exit status: 0, or 1 if a row is bad (it keeps its place); 2 if a file or an option is wrong,
130 after Ctrl-C, 143 when told to terminate, 129 when the terminal is closed: then OUT is
not written at all. Until it is complete OUT is a file .mahjong-eval-OUT-*.part beside it,
which stays there only if the process is killed (kill -9): it can be deleted."""


def add(commands: Any) -> None:
    """Put the command into the command line."""
    parser = commands.add_parser(
        "batch",
        help="answer a file of hands, a hand a line or CSV",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="IN", help='text or CSV file, "-" for standard input')
    parser.add_argument("sink", metavar="OUT", help='file to write, "-" for standard output')
    parser.add_argument(
        "--query",
        default=("shanten",),
        type=_queries,
        metavar="LIST",
        help=f"what to ask, separated by commas: {', '.join(QUERIES)} (default: shanten)",
    )
    parser.add_argument("--rules", metavar="NAME", help='rule set: "mahjong-eval rules" lists them')
    parser.add_argument(
        "--format", choices=("csv", "jsonl"), help="of OUT (default: by its name, else csv)"
    )
    parser.add_argument("--column", metavar="NAME", help='the column of hands (default: "hand")')
    parser.add_argument(
        "--seen", metavar="TILES", help="tiles that lie on the table: they are not left"
    )
    add_suit_and_wilds(parser)
    parser.add_argument("--strict", action="store_true", help="stop at the first bad row")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    parser.add_argument(
        "--replace",
        action="store_true",
        help="leave out columns of IN that are named like a result, instead of refusing them",
    )
    parser.add_argument(
        "--threads", type=_threads, metavar="N", help="how many (default: all cores)"
    )
    parser.set_defaults(run=run)


def _queries(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        if name not in QUERIES:
            raise argparse.ArgumentTypeError(f"{name!r} is none of {', '.join(QUERIES)}")
    return names


def _threads(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of threads")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Answer a file; 1 if a row of it is bad."""
    from ..batch import BadRowError
    from ..batch import run as run_batch
    from ..files import STDIO

    name = "standard input" if args.source == STDIO else args.source
    screen = _Screen(name, args.source)
    begin = time.perf_counter()
    try:
        with stopped_by_termination():
            summary = run_batch(
                args.source,
                args.sink,
                args.query,
                args.rules,
                form=args.format or _format_of(args.sink),
                column=args.column,
                seen=read_seen(args),
                void=None if args.void is None else SUITS.index(args.void),
                wilds=args.wilds,
                threads=args.threads,
                strict=args.strict,
                force=args.force,
                replace=args.replace,
                report=screen.bad_row,
                progress=screen.progress,
            )
    except BadRowError as error:
        screen.close()
        complain(f"{name}: line {error.line}: {explained(error.error)}")
        return 1
    finally:
        screen.close()
    screen.summary(summary.rows, summary.bad, time.perf_counter() - begin)
    return 1 if summary.bad else 0


def _format_of(sink: str) -> Any:
    suffixes = Path(sink.removesuffix(".gz")).suffix
    return "jsonl" if suffixes in (".jsonl", ".ndjson") else "csv"


class _Screen:
    """Standard error: the first bad rows and, on a terminal, a progress bar."""

    def __init__(self, name: str, source: str) -> None:
        self._name = name
        self._bad = 0
        self._bar: Any = None
        self._is_terminal = is_terminal(sys.stderr)
        if self._is_terminal:
            from tqdm import tqdm  # type: ignore[import-untyped]

            path = Path(source)
            self._bar = tqdm(
                total=path.stat().st_size if path.is_file() else None,
                unit="B",
                unit_scale=True,
                leave=False,
                file=sys.stderr,
            )

    def bad_row(self, row: BadRow) -> None:
        self._bad += 1
        if self._bad <= SHOWN:
            if self._bar is not None:
                self._bar.clear()
            complain(f"{self._name}: line {row.line}: {explained(row.error)}", warning=True)

    def progress(self, position: int, rows: int) -> None:
        if self._bar is not None:
            self._bar.set_postfix_str(counted(rows, "hand"), refresh=False)
            self._bar.update(position - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def summary(self, rows: int, bad: int, seconds: float) -> None:
        if bad > SHOWN:
            complain(f"{self._name}: and {bad - SHOWN:,} more bad rows", warning=True)
        if bad:
            complain(
                f"{counted(bad, 'bad row')} of {rows:,}: the error column says why", warning=True
            )
        elif self._is_terminal:
            rate = rows / seconds if seconds else 0.0
            remark(f"{counted(rows, 'hand')} in {seconds:.1f} s, {rate:,.0f} a second\n")
