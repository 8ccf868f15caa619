"""``deal``: a list of dealt hands into a file."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from ..errors import Code
from ..tiles import KINDS
from .console import compiling, counted, is_terminal, progress_bar, remark, stopped_by_termination

MANY = {"k": 1_000, "M": 1_000_000, "G": 1_000_000_000}

FAMILY_HELP = """\
families:
  random      from a shuffled wall, as at the table
  flush       one suit            half_flush  one suit and honours
  two_suits   two suits           terminals   1, 9 and honours
  pairs, pungs, quads             in groups of equal tiles
  near_win    a complete hand with one tile missing or exchanged"""

DESCRIPTION = """\
Deal hands into a file. The same seed gives the same hands, on any machine, with any number
of threads, and any slice of the list can be generated on its own (--start).

The format follows the extension of OUT:
  .parquet  Parquet: a column "hand" of fixed_size_binary, one byte per tile kind
  NAME/     a folder of such files, 4,194,304 hands each; --resume continues one
  .npy      numpy: uint8, one row per hand
  .csv      CSV with a column "hand"; .txt or "-": one hand per line (.gz is compressed)"""

EPILOG = (
    FAMILY_HELP
    + """

examples:
  mahjong-eval deal 10 - --tiles 14
  mahjong-eval deal 10M hands.parquet --kinds 27 --seed 7
  mahjong-eval deal 1G hands/ --compression none
  mahjong-eval deal 1M - --family near_win | mahjong-eval batch - waits.csv --query waits

exit status: 0; 2 if a file or an option is wrong, 130 after Ctrl-C. After Ctrl-C no
file is written, but the complete parts of a folder stay."""
)


def add(commands: Any) -> None:
    """Put the command into the command line."""
    parser = commands.add_parser(
        "deal",
        help="deal hands into a file",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("n", metavar="N", type=number, help="number of hands: 1000, 10k, 5M, 1G")
    parser.add_argument("sink", metavar="OUT", help='file or folder, "-" for standard output')
    add_list(parser)
    parser.add_argument(
        "--start",
        type=number,
        default=0,
        metavar="I",
        help="number of the first hand in OUT (default: 0)",
    )
    parser.add_argument(
        "--format",
        choices=("parquet", "npy", "csv", "text"),
        help="format of OUT (default: by its extension)",
    )
    parser.add_argument(
        "--compression",
        choices=("snappy", "zstd", "none"),
        default="snappy",
        help="compression of Parquet: none is twice as fast as snappy and more than twice as large",
    )
    parser.add_argument("--force", action="store_true", help="replace OUT if it exists")
    parser.add_argument(
        "--resume", action="store_true", help="keep the complete parts of a folder, deal the rest"
    )
    parser.add_argument(
        "--threads", type=threads, metavar="T", help="number of threads (default: all cores)"
    )
    parser.set_defaults(run=run)


LIST: dict[str, Any] = {"tiles": 13, "kinds": None, "seed": 0, "family": "random"}
"""What names a list of hands, and what it is by default."""


def add_list(parser: Any) -> None:
    """The options that say which list of hands is dealt."""
    parser.add_argument("--tiles", type=int, metavar="T", help="tiles of each hand (default: 13)")
    parser.add_argument("--kinds", type=int, choices=(34, 27), help="27: no honours (default: 34)")
    parser.add_argument("--seed", type=int, metavar="S", help="seed of the list (default: 0)")
    parser.add_argument(
        "--family", metavar="NAME", help="kind of hands, see below (default: random)"
    )
    parser.set_defaults(**LIST)


def number(text: str) -> int:
    """A number of hands: digits, and ``k``, ``M`` or ``G``.

    >>> number("10k"), number("2_000"), number("1G")
    (10000, 2000, 1000000000)
    """
    digits, unit = (text[:-1], text[-1:]) if text[-1:] in MANY else (text, "")
    plain = digits.replace("_", "").replace(",", "")
    if not (plain.isascii() and plain.isdecimal()) or len(plain) > 20:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of hands: 1000, 10k, 5M, 1G")
    return int(plain) * MANY.get(unit, 1)


def threads(text: str) -> int:
    """A number of threads."""
    if not text.isdecimal() or not 1 <= int(text) <= 1024:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of threads")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Deal into a file."""
    from ..dealing.lists import Deal, write
    from ..errors import FileError
    from ..files.streams import STDIO

    kinds = args.kinds or KINDS
    hands = Deal(args.n, args.tiles, kinds, args.seed, args.family, args.start)
    if args.sink == STDIO and args.format in ("parquet", "npy") and is_terminal(sys.stdout):
        raise FileError("standard output", Code.NOTHING_FOR_TERMINAL, form=args.format)
    begin = time.perf_counter()
    with compiling():
        hands.hands(0, 1)
    with stopped_by_termination(), progress_bar(args.n, " hands") as progress:
        write(
            hands,
            args.sink,
            args.format,
            compression=args.compression,
            force=args.force,
            resume=args.resume,
            threads=args.threads,
            progress=progress,
        )
    if is_terminal(sys.stderr) and args.sink != STDIO:
        seconds = time.perf_counter() - begin
        remark(f"{counted(args.n, 'hand')} in {seconds:.1f} s, {args.n / seconds:,.0f} a second\n")
    return 0
