"""``batch``: a file of hands in, a file of answers out."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

from ..tiles import SUITS
from .console import complain, counted, is_terminal, remark, stopped_by_termination
from .hands import add_suit_and_wilds, explained, read_seen

if TYPE_CHECKING:
    from ..files import BadRow, Summary

SHOWN = 10
"""Bad rows that are shown; the rest are counted."""

QUERIES = ("shanten", "waits", "discards", "win", "score", "wait_scores", "patterns")

DESCRIPTION = """\
Read hands from files and write the answers, in the same order.

IN is a file, a folder or a quoted glob. A text file has one hand per line (blank lines and
lines that begin with # are skipped), or is CSV (with commas, tabs or semicolons) whose header
has a column "hand". JSON lines (.jsonl) and Parquet (.parquet) have such a column too. Other
columns are copied to the output. The columns "void" (m, p or s) and "wilds" (0-8) are used if
they are present. A hand may be in any notation, with white space between its suits but not
inside a suit. In Parquet it may also be 34 or 27 counts, a fixed_size_binary or a list.
Instead of "hand" there may be a column for each part; "concealed" is required:
  concealed   tiles, the winning one included
  melds       [123m][555z,1][7777s] (a kong without a comma is concealed)
  win_tile    one of the concealed tiles (empty: the last one written)
  flags       self_drawn, last_tile, wall_last, kong, kong_discard, heavenly, earthly
  prevalent_wind, seat_wind   E, S, W or N (empty: E)
  flowers     0-8 (empty: 0)
A row of CSV with more or fewer cells than the header ends the run.
OUT is CSV, JSON lines or Parquet; its format follows its extension. A name that ends in / is
a folder of Parquet parts, one for each piece of at most 262,144 rows. "-" is standard input
or output. Texts whose names end in .gz are compressed."""

EPILOG = """\
columns of the output, after those of the input:
  shanten    shanten (-1 complete, 0 ready, 127 never: melds of three suits)
  waits      waits_shanten, waits (tiles, 14m7p), waits_left (copies)
  discards   discard (the best), discard_shanten, discard_waits, discard_left
  win        win (true, false)
  score      score (all fan), minimum_met (true, false; flowers apart), fans (清龙 四归一×2);
             under Sichuan rules fan, points, payment (of one payer), patterns (清一色 大对子),
             gens (根), kongs (杠), addons (杠上花, wild tiles ...), minimum_met
  wait_scores  wait_scores (the tiles that win), and of each of them wait_scores_discard and
             wait_scores_self_drawn (fan; -1: not in that way) and wait_scores_left (copies)
  patterns   patterns_NAME, the distance to each pattern of the rules (-1: the hand has it)
  always     error: what is wrong with a hand; its results are empty
Queries that do not apply to a hand (waits of 14 tiles, discards of 13, the score of a hand
that is not a win) leave blank columns; a row that no query applies to is an error.
Parquet has waits_mask and discard_mask (uint64, bit i = tile i), discard as a number,
fan_counts and pattern (bytes); with --tiles names it has the names above.

conditions of --where: == != < <= > >= in (1, 2), is None, is not None, and, or,
not, & of bits; columns by name (`in backticks` if it is not a word) as Parquet has them. The reader
skips rows that fail a condition on columns of IN. Rows that fail another condition are still
evaluated, and counted if they are bad.

examples:
  mahjong-eval batch hands.txt shanten.csv
  mahjong-eval batch games.csv.gz out.jsonl --query shanten,waits,discards --rules riichi
  mahjong-eval batch wins.txt scores.csv --query score --rules qq_sichuan
  mahjong-eval batch hands.parquet ready.parquet --where "shanten <= 0" --columns game,hand
  mahjong-eval batch "games/*.parquet" answers/ --query waits --resume
  mahjong-eval batch games/ answers/ --dask tcp://scheduler:8786
  zcat log.gz | mahjong-eval batch - - --query win | grep true

exit status: 0, or 1 if a row is bad (it keeps its place); 2 if a file or an option is wrong,
130 after Ctrl-C, 143 when told to terminate, 129 when the terminal is closed: then OUT is
not written at all, of a folder the parts that were complete stay and --resume goes on with
them. Until it is complete a file is .mahjong-eval-OUT-*.part beside OUT. If the process is
killed (kill -9, or by a Parquet file so damaged that pyarrow ends it), it stays there until
the next run into OUT takes it away. A complete folder holds _SUCCESS."""


def add(commands: Any) -> None:
    """Put the command into the command line."""
    parser = commands.add_parser(
        "batch",
        help="answer files of hands: text, CSV, JSON lines, Parquet",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", metavar="IN", help='file, folder or glob, "-" for standard input')
    parser.add_argument(
        "sink", metavar="OUT", help='file to write, or folder/; "-" for standard output'
    )
    parser.add_argument(
        "--query",
        default=("shanten",),
        type=_queries,
        metavar="LIST",
        help=f"what to ask, separated by commas: {', '.join(QUERIES)} (default: shanten)",
    )
    parser.add_argument(
        "--rules",
        metavar="NAME",
        help='rule set, "mahjong-eval rules" lists them (default: guobiao; where hands are counts '
        "of 27 tiles, as Parquet can have them, sbr_2025)",
    )
    parser.add_argument(
        "--format",
        choices=("csv", "jsonl", "parquet"),
        help="format of OUT (default: by its extension, else csv)",
    )
    parser.add_argument("--column", metavar="NAME", help='the column of hands (default: "hand")')
    parser.add_argument(
        "--columns",
        type=_names,
        metavar="LIST",
        help="columns of IN to copy to OUT, separated by commas (default: all)",
    )
    parser.add_argument("--where", metavar="CONDITION", help='rows to write: "shanten <= 1"')
    parser.add_argument(
        "--tiles",
        choices=("mask", "names"),
        default="mask",
        help="how Parquet stores tiles: as bits, or by name (default: mask)",
    )
    parser.add_argument(
        "--seen", metavar="TILES", help="tiles visible on the table, which are not left to draw"
    )
    add_suit_and_wilds(parser)
    parser.add_argument("--strict", action="store_true", help="stop at the first bad row")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    parser.add_argument(
        "--resume", action="store_true", help="keep the parts of folder OUT that are complete"
    )
    parser.add_argument(
        "--dask",
        nargs="?",
        const="",
        type=_address,
        metavar="ADDRESS",
        help="let a Dask cluster write folder OUT: the scheduler at tcp://HOST:PORT, else that "
        "of DASK_SCHEDULER_ADDRESS, else a cluster of this machine",
    )
    parser.add_argument(
        "--replace",
        action="store_true",
        help="leave out columns of IN that are named like a result, instead of refusing them",
    )
    parser.add_argument(
        "--threads", type=_threads, metavar="N", help="number of threads (default: all cores)"
    )
    parser.set_defaults(run=run)


def _queries(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",")))
    for name in names:
        if name not in QUERIES:
            raise argparse.ArgumentTypeError(
                f"{name!r} is not a query: choose from {', '.join(QUERIES)}"
            )
    return names


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _address(text: str) -> str:
    if text and ":" not in text:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not an address like tcp://host:8786 (put --dask behind IN and OUT)"
        )
    return text


def _threads(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of threads from 1 to 1024")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Answer a file; 1 if a row of it is bad."""
    from ..files import BadRowError
    from ..files import run as run_batch
    from ..files.streams import STDIO

    name = "standard input" if args.source == STDIO else args.source
    screen = _Screen(name)
    begin = time.perf_counter()
    try:
        with stopped_by_termination():
            summary = run_batch(
                args.source,
                args.sink,
                args.query,
                args.rules,
                form=args.format,
                column=args.column,
                columns=args.columns,
                where=args.where,
                tiles=args.tiles,
                seen=read_seen(args),
                void=None if args.void is None else SUITS.index(args.void),
                wilds=args.wilds,
                threads=args.threads,
                strict=args.strict,
                force=args.force,
                resume=args.resume,
                replace=args.replace,
                dask=args.dask,
                report=screen.bad_row,
                progress=screen.progress,
                begin=screen.begin,
            )
    except BadRowError as error:
        screen.close()
        complain(f"{error.name}: {error.unit} {error.line}: {explained(error.error)}")
        return 1
    finally:
        screen.close()
    screen.summary(summary, time.perf_counter() - begin, filtered=args.where is not None)
    return 1 if summary.bad else 0


class _Screen:
    """Standard error: the first bad rows and, on a terminal, a progress bar."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._bad = 0
        self._bar: Any = None
        self._since = time.perf_counter()
        self._is_terminal = is_terminal(sys.stderr)

    def begin(self, total: int | None, unit: str) -> None:
        """Show how much there is to do."""
        if self._is_terminal:
            from tqdm import tqdm  # type: ignore[import-untyped]

            self._bar = tqdm(total=total, unit=unit, unit_scale=True, leave=False, file=sys.stderr)

    def bad_row(self, row: BadRow) -> None:
        self._bad += 1
        if self._bad <= SHOWN:
            if self._bar is not None:
                self._bar.clear()
            where = f"{row.name or self._name}: {row.unit} {row.line}"
            complain(f"{where}: {explained(row.error)}", warning=True)

    def progress(self, position: int, rows: int) -> None:
        if self._bar is not None:
            seconds = time.perf_counter() - self._since
            rate = rows / seconds if seconds else 0.0
            said = f"{counted(rows, 'hand')}, {rate:,.0f} a second"
            self._bar.set_postfix_str(said, refresh=False)
            self._bar.update(position - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def summary(self, summary: Summary, seconds: float, *, filtered: bool) -> None:
        rows, bad = summary
        if bad > SHOWN:
            complain(f"{self._name}: and {bad - SHOWN:,} more bad rows", warning=True)
        if bad and filtered:
            complain(f"{counted(bad, 'bad row')} among those asked about", warning=True)
        elif bad:
            complain(
                f"{counted(bad, 'bad row')} of {rows:,}: the error column says why", warning=True
            )
        elif self._is_terminal:
            rate = rows / seconds if seconds else 0.0
            remark(f"{counted(rows, 'hand')} in {seconds:.1f} s, {rate:,.0f} a second\n")
