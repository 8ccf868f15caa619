"""What people see: tiles in words, aligned tables, colour where it is welcome."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TextIO
from unicodedata import category, combining, east_asian_width

from ..errors import EvaluatorError, message
from ..tiles import CHINESE, NAMES, SUITED, UNICODE

PROGRAM = "mahjong-eval"

NEVER = 127
"""Shanten of a hand that no draw can complete."""

PATIENCE = 1.0
"""Seconds without a word before one is said."""
COMPILING = "compiling kernels (once, a few seconds) ..."

LEAST = 8
"""Columns that a shortened cell keeps."""

BOLD, GREEN, RED, DIM = "1", "32", "31", "2"


def width(text: str) -> int:
    """Columns of a terminal that a text takes.

    >>> width("9s"), width("九条")
    (2, 4)
    """
    return sum(
        0 if combining(c) or c == "\N{VARIATION SELECTOR-15}" else 2 if wide(c) else 1 for c in text
    )


def wide(character: str) -> bool:
    """Whether a character takes two columns."""
    return east_asian_width(character) in "WF"


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """A text with spaces up to a width, on its right or (``right``) on its left."""
    space = " " * max(columns - width(text), 0)
    return space + text if right else text + space


def shorten(text: str, columns: int) -> str:
    """A text cut off at a width, with a mark that it is.

    >>> shorten("九条九条", 8), shorten("九条九条", 6)
    ('九条九条', '九条…')
    """
    if width(text) <= columns:
        return text
    kept = ""
    for character in text:
        if width(kept + character) >= columns:
            break
        kept += character
    return kept + "…"


def visible(text: str) -> str:
    """A text as part of a message: not too long, and nothing a terminal would act on.

    >>> visible("11z\\x1b[2J")
    '11z\ufffd[2J'
    """
    return shorten("".join("\ufffd" if category(c)[0] == "C" else c for c in text), 80)


def screen_width() -> int | None:
    """Columns that lines may take; None where nobody looks and none are asked for."""
    asked = os.environ.get("COLUMNS", "")
    if not is_terminal(sys.stdout) and not (asked.isdecimal() and int(asked)):
        return None
    return shutil.get_terminal_size().columns


def table(rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> list[str]:
    """Lines of an aligned table; the last column is shortened where lines have a width.

    Parameters
    ----------
    rows : sequence of sequences of str
        All as long as the first.
    right : iterable of int
        Columns that are aligned on the right.

    Examples
    --------
    >>> table([["tile", "left"], ["东", "3"]], right=[1])
    ['tile  left', '东       3']
    """
    at_right = set(right)
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    screen = screen_width()
    if screen is not None:
        room = max(screen - sum(widths[:-1]) - 2 * (len(widths) - 1), LEAST)
        widths[-1] = min(widths[-1], room)
    return [
        "  ".join(
            pad(shorten(cell, widths[at]), widths[at], right=at in at_right)
            for at, cell in enumerate(row)
        ).rstrip()
        for row in rows
    ]


def colour(text: str, code: str, *, error: bool = False) -> str:
    """A text in colour, if it goes to a terminal and ``NO_COLOR`` is not set."""
    stream = sys.stderr if error else sys.stdout
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return text if plain or not is_terminal(stream) else f"\033[{code}m{text}\033[0m"


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at the stream; a closed one is None."""
    return stream is not None and stream.isatty()


LANG = "MAHJONG_EVAL_LANG"
"""The language of errors where the command line does not say it: en or zh."""
_lang = "en"


def speak(lang: str | None) -> None:
    """The language of errors from now on; None: as the environment says."""
    global _lang
    _lang = lang or ("zh" if os.environ.get(LANG, "").startswith("zh") else "en")


def said(error: EvaluatorError) -> str:
    """What an error says, in the language of the user."""
    return message(error, _lang)


def complain(about: object, *, warning: bool = False) -> None:
    """Say on standard error what is wrong."""
    kind = "warning" if warning else colour("error", RED, error=True)
    told = said(about) if isinstance(about, EvaluatorError) else about
    remark(f"{PROGRAM}: {kind}: {told}\n")


def remark(text: str) -> None:
    """Write on standard error, if somebody listens there."""
    # print() would take standard output for one that is closed
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()


@contextlib.contextmanager
def compiling() -> Iterator[None]:
    """Say what takes so long, if it does: the first call of a kernel compiles it.

    On a terminal the line goes away when the work is done.
    """
    on_terminal = is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"
    shown = False

    def say() -> None:
        nonlocal shown
        shown = True
        remark(COMPILING if on_terminal else COMPILING + "\n")

    timer = threading.Timer(PATIENCE, say)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if shown and on_terminal:
            remark("\r" + " " * width(COMPILING) + "\r")


@contextlib.contextmanager
def stopped_by_termination() -> Iterator[None]:
    """End by an exception when the process is told to stop, so that OUT is cleared away."""

    if threading.current_thread() is not threading.main_thread():
        # only the main thread may say what a signal does
        yield
        return

    def stop(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    names = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    # what nohup or a parent has set to be ignored stays ignored
    before = {
        number: signal.signal(number, stop)
        for number in numbers
        if signal.getsignal(number) != signal.SIG_IGN
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def progress_bar(total: int | None, unit: str) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal; what is given is told how much is done so far."""
    if not is_terminal(sys.stderr):
        yield lambda done: None
        return
    from tqdm import tqdm  # type: ignore[import-untyped]

    shown = tqdm(total=total, unit=unit, unit_scale=True, leave=False, file=sys.stderr)
    with shown as bar:
        yield lambda done: bar.update(done - bar.n) and None


def tiles_text(tiles: Sequence[int], unicode: bool = False) -> str:
    """Different tiles as one word: ``14m7p``, or Unicode characters.

    >>> tiles_text([0, 3, 15]), tiles_text([])
    ('14m7p', '-')
    """
    if unicode:
        return "".join(UNICODE[tile] for tile in tiles) or "-"
    suits: dict[str, str] = {}
    for tile in sorted(tiles):
        name = NAMES[tile]
        suits[name[1]] = suits.get(name[1], "") + name[0]
    return "".join(ranks + suit for suit, ranks in suits.items()) or "-"


def tile_text(tile: int, unicode: bool = False) -> str:
    """One tile for a table: ``9s 九条``, ``1z 东``, or its Unicode character."""
    return UNICODE[tile] if unicode else f"{NAMES[tile]} {CHINESE[tile]}"


def set_text(tiles: Sequence[int], unicode: bool = False) -> str:
    """The tiles of a set or a pair: ``123m``, ``22z``.

    >>> set_text((0, 1, 2)), set_text((28, 28))
    ('123m', '22z')
    """
    if unicode:
        return "".join(UNICODE[tile] for tile in tiles)
    same_suit = len({tile // 9 if tile < SUITED else 3 for tile in tiles}) == 1
    if same_suit:
        return "".join(NAMES[tile][0] for tile in tiles) + NAMES[tiles[0]][1]
    return "".join(NAMES[tile] for tile in tiles)


def distance(shanten: int) -> str:
    """A shanten number in words.

    >>> distance(-1), distance(2)
    ('complete 和', '2 tiles from ready')
    """
    if shanten < 0:
        return "complete 和"
    if shanten == NEVER:
        return "never complete: its melds are of three suits"
    if shanten == 0:
        return "ready 听"
    return f"{shanten} tile{'s' if shanten > 1 else ''} from ready"


def distance_colour(shanten: int) -> str:
    """Green when a hand is ready or complete."""
    return GREEN if shanten <= 0 else BOLD


def counted(number: int, noun: str) -> str:
    """A number and its noun.

    >>> counted(1, "tile"), counted(1234, "hand"), counted(2, "copy")
    ('1 tile', '1,234 hands', '2 copies')
    """
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1]}ies" if noun.endswith("y") else f"{number:,} {noun}s"
