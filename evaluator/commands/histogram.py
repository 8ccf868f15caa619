"""``histogram``: how often each shanten, number of waits or fan occurs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..engine.optional import need
from ..errors import Code, EvaluatorError
from ..tiles import KINDS
from .console import (
    BOLD,
    DIM,
    NEVER,
    colour,
    compiling,
    complain,
    counted,
    progress_bar,
    stopped_by_termination,
    table,
    visible,
)
from .deal import FAMILY_HELP, LIST, add_list, number, threads
from .hands import UsageError

if TYPE_CHECKING:
    from ..dealing.histograms import Histogram, Origin

QUANTITIES = ("shanten", "waits", "left", "fan")
BAR = 30
"""Columns of the longest bar."""

DESCRIPTION = """\
Count hands by their shanten, by the kinds of tiles they accept (waits), by the copies left
of those tiles (left) or by what they are worth (fan), and show the table. The hands are
read from IN (Parquet, CSV, JSON lines, text; a folder, a glob, "-"), or dealt (--deal), or
are all complete hands of the rules, each once (--wins).

For shanten of dealt hands the table also shows the exact shares over all deals, where they
are known: for all rule sets except Guobiao, and for families dealt from a wall. This also
works for a Parquet file written by "mahjong-eval deal"."""

EPILOG = (
    """\
OUT is a plot (.png, .svg) or the table (.csv, .json); its format follows its extension.

"""
    + FAMILY_HELP
    + """

examples:
  mahjong-eval histogram shanten --deal 10M --tiles 14 --rules riichi
  mahjong-eval histogram waits hands.parquet --ready --out waits.svg --out waits.csv
  mahjong-eval histogram fan won.txt

exit status: 0, or 1 if some rows are invalid or do not apply (they are not counted);
2 if a file or an option is wrong, 130 after Ctrl-C."""
)


def add(commands: Any) -> None:
    """Put the command into the command line."""
    parser = commands.add_parser(
        "histogram",
        help="how often each shanten, number of waits or fan occurs",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("quantity", metavar="WHAT", choices=QUANTITIES, help=", ".join(QUANTITIES))
    parser.add_argument("source", metavar="IN", nargs="?", help="file, folder or glob of hands")
    parser.add_argument("--deal", type=number, metavar="N", help="deal N hands: 1000, 10k, 5M")
    parser.add_argument("--wins", action="store_true", help="all complete hands, each once")
    parser.add_argument(
        "--rules",
        metavar="NAME",
        help='rule set, "mahjong-eval rules" lists them (default: guobiao; where hands are counts '
        "of 27 tiles, as Parquet can have them, sbr_2025)",
    )
    parser.add_argument(
        "--ready", action="store_true", help="for waits and left: count ready hands (听) only"
    )
    parser.add_argument("--column", metavar="NAME", help='the column of hands (default: "hand")')
    parser.add_argument(
        "--out",
        action="append",
        default=[],
        metavar="OUT",
        help="file to write (may be repeated): .png, .svg, .csv, .json",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of the table")
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    parser.add_argument(
        "--threads", type=threads, metavar="T", help="number of threads (default: all cores)"
    )
    dealt = parser.add_argument_group("options of --deal")
    add_list(dealt)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Count, show, write; 1 if a row is bad."""
    from ..dealing.histograms import histogram
    from ..files.streams import Sink

    writers = {name: _writer(name) for name in args.out}
    with stopped_by_termination(), ExitStack() as files:
        origin = _origin(args)
        # what cannot be written is known before hours of counting
        sinks = {name: files.enter_context(Sink(name, force=args.force)) for name in writers}
        with compiling():
            _warm(args)
        with progress_bar(origin.total, "") as progress:
            found = histogram(
                args.quantity,
                origin,
                args.rules,
                ready=args.ready,
                threads=args.threads,
                progress=progress,
            )
        for name, write in writers.items():
            sinks[name].write(write(found))
    print(found.to_json() if args.json else "\n".join(_lines(found)))
    if found.bad:
        complain(found.first_bad, warning=True)
        complain(f"{counted(found.bad, 'bad row')}, not counted", warning=True)
    return 1 if found.bad else 0


def _warm(args: argparse.Namespace) -> None:
    """Compile what will be asked; that the rules cannot be asked so is said later."""
    from ..dealing.histograms import Dealt, histogram
    from ..dealing.lists import Deal
    from ..rulesets import rules

    kinds = KINDS if args.rules is None else rules(args.rules).kinds
    with suppress(EvaluatorError):
        one = Dealt(Deal(1, kinds=kinds))
        histogram(args.quantity, one, args.rules, exact=False, threads=1)


def _origin(args: argparse.Namespace) -> Origin:
    """What the hands are, as the options say."""
    from ..dealing.histograms import AllWins, Dealt, Files
    from ..dealing.lists import Deal
    from ..rulesets import rules as lookup

    given = [args.source is not None, args.deal is not None, args.wins]
    if sum(given) != 1:
        raise UsageError(Code.WHICH_HANDS)
    if args.column is not None and args.source is None:
        raise UsageError(Code.COLUMN_WITHOUT_IN)
    if args.deal is None:
        for name, default in LIST.items():
            if getattr(args, name) != default:
                raise UsageError(Code.NEEDS_DEAL, name=name)
    if args.source is not None:
        return Files(args.source, args.column)
    if args.wins:
        return AllWins(args.rules)
    kinds = args.kinds
    if kinds is None and args.rules is not None:
        kinds = lookup(args.rules).kinds
    return Dealt(Deal(args.deal, args.tiles, kinds or KINDS, args.seed, args.family))


def _writer(name: str) -> Callable[[Histogram], bytes]:
    """How a file of that name is made of a histogram."""
    suffix = Path(name).suffix
    if suffix == ".csv":
        return lambda found: found.to_csv().encode()
    if suffix == ".json":
        return lambda found: found.to_json().encode() + b"\n"
    if suffix not in (".png", ".svg"):
        raise UsageError(Code.HISTOGRAM_OUT, name=str(name))
    need("matplotlib", "plot")

    def draw(found: Histogram) -> bytes:
        from ..dealing.pictures import picture

        return picture(found, "svg" if suffix == ".svg" else "png")

    return draw


def _lines(found: Histogram) -> list[str]:
    """The table, for people."""
    head = [found.quantity, "hands", "share"]
    if found.exact is not None:
        head.append("exact")
    rows = [[*head, ""]]
    longest = max(map(found.share, found.hands), default=1.0)
    for value in found.values:
        share = found.share(value)
        row = [
            "never" if found.quantity == "shanten" and value == NEVER else str(value),
            f"{found.hands.get(value, 0):,}",
            percent(share),
        ]
        if found.exact is not None:
            row.append(percent(found.exact_share(value)))
        rows.append([*row, "█" * round(BAR * share / longest)])
    lines = table(rows, right=range(len(head)))
    title = f"{visible(found.of)}, {found.rules}" if found.rules else visible(found.of)
    left_out = [
        f"{number:,} {what}"
        for number, what in ((found.no_win, "no win"), (found.not_ready, "not ready"))
        if number
    ]
    foot = [counted(found.total, "hand") + " counted"]
    if found.mean is not None:
        foot.append(f"mean {found.mean:.4f}")
    return [
        title,
        colour(lines[0], BOLD),
        *lines[1:],
        colour("; ".join([*foot, *left_out]), DIM),
    ]


def percent(share: float) -> str:
    """A share, small ones with enough digits to be seen.

    >>> percent(0.25), percent(0.0000123), percent(0.0000000123), percent(0)
    ('25.0000 %', '0.0012 %', '1.2e-06 %', '0 %')
    """
    if not share:
        return "0 %"
    return f"{100 * share:.4f} %" if share >= 1e-5 else f"{100 * share:.1e} %"
