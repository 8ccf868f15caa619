"""The command ``mahjong-eval``.

Exit status: 0; 1 when a hand is wrong; 2 when an option or a file is; 130 after Ctrl-C.
"""

from __future__ import annotations

# all else is imported where an interrupt is caught: most of a short run is imports
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

EPILOG = """\
examples:
  mahjong-eval demo
  mahjong-eval shanten 123m406p789s1122z
  mahjong-eval waits 一二三万四五六筒七八九条东东南南
  mahjong-eval discards "[123m,1][EEE,2]45m678pFF6m" --rules guobiao
  mahjong-eval score "[123m,1][345m,1]678p56sWW7s"
  mahjong-eval settle --example
  mahjong-eval batch hands.txt answers.csv --query shanten,waits
  mahjong-eval deal 10 - --tiles 14
  mahjong-eval histogram shanten --deal 100k --rules riichi

"mahjong-eval COMMAND --help" says more. Exit status: 0, or 1 when a hand is wrong,
2 when an option or a file is."""


def make_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    import argparse

    from ._version import __version__
    from .commands import batch, deal, hands, histogram, rules, score, settle, speed
    from .commands.console import LANG, PROGRAM

    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Mahjong hands: how far from ready, which tiles they wait for, what to\n"
        "discard, whether they win; one hand or millions.",
        epilog=EPILOG,
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(
            prog, max_help_position=16
        ),
    )
    parser.add_argument("--version", action="version", version=f"{PROGRAM} {__version__}")
    parser.add_argument(
        "--lang",
        dest="errors_in",
        choices=("en", "zh"),
        help=f"the language of errors; {LANG} in the environment says it for all commands",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for group in (hands, score, settle, batch, deal, histogram, rules, speed):
        group.add(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments instead of the process's own.
    """
    try:
        return _run(argv)
    except KeyboardInterrupt:
        from .commands.console import complain

        complain("interrupted")
        return 130
    finally:
        _settle_output()


def _run(argv: Sequence[str] | None) -> int:
    for stream in (sys.stdout, sys.stderr):
        # a terminal that cannot show 万 shows a question mark
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    from .commands.console import complain, speak
    from .errors import EvaluatorError

    try:
        speak(None)
        args = make_parser().parse_args(argv)
        speak(args.errors_in)
        status: int = args.run(args)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except EvaluatorError as error:
        complain(error)
        return 2
    except MemoryError:
        complain("not enough memory")
        return 2
    except BrokenPipeError:
        # the reader has what it wanted (head); batch says itself what was lost
        return 0
    except OSError as error:
        # files have their own errors: what is left is standard output
        from .files.streams import reason_of

        complain(f"standard output: {reason_of(error)}")
        return 2


def _settle_output() -> None:
    """Let go of a standard output that is closed or full: Python would complain at exit."""
    import contextlib
    import os

    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
