"""Hands from text, in bulk: Arrow's string buffers in, where they lie, hands out."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...engine.optional import arrow
from ...errors import Code, HandError, NotationError
from ...tiles import KINDS
from .. import FLAGS, MAX_MELDS, Hand, Hands
from ..notation import (
    DECIDING,
    DIGIT,
    NOTATIONS,
    SPACE,
    SUIT,
    SYMBOLS,
    UNKNOWN,
    parse_hand,
)
from .wrong import RowError, Wrong, without_frames

if TYPE_CHECKING:
    import pyarrow as pa

READERS = tuple(name for name in NOTATIONS if name != "gb")
"""Notations by the number the kernel gives them (gb is read as mpsz)."""

KNOWN_AT_MOST = 1 << 14
"""Errors that are kept for the batches to come."""


class Texts(NamedTuple):
    """Hands read from text.

    Attributes
    ----------
    hands : Hands
        A row each; that of a wrong text holds no tiles, which no query takes.
    wrong : Wrong
        What :func:`evaluator.hands.notation.parse_hand` says of it; of a blank one or a comment
        that there is no hand.
    blank, comment : ndarray of bool, shape (n,)
    """

    hands: Hands
    wrong: Wrong
    blank: npt.NDArray[np.bool_]
    comment: npt.NDArray[np.bool_]


def read_texts(column: pa.Array) -> Texts:
    """Read hands in any notation.

    Equal to :func:`evaluator.hands.notation.parse_hand` of every text, some hundred times as
    fast, but that white space between digits is wrong, as :func:`split_run` says.

    Examples
    --------
    >>> import pyarrow as pa
    >>> texts = read_texts(pa.array(["123m406p11z", "一二三万 東東", "12x", "1 12m"]))
    >>> texts.hands[1].win_tile, texts.wrong.rows.tolist()
    (27, [2, 3])
    >>> texts.wrong.messages()[2].as_py()
    "'x' means nothing in mpsz / gb notation (at character 3)"
    """
    from ..kernels import text as kernel

    n = len(column)
    data, start, end = text_slices(column)
    number, columns = _numbers_and_columns(data, start, end)
    blank, comment = number == kernel.BLANK, number == kernel.COMMENT
    wrong = Wrong(n)
    nothing = blank | comment
    if nothing.any():
        wrong.mark(np.flatnonzero(nothing), HandError(Code.NO_HAND))
    rows = np.flatnonzero(number > kernel.COMMENT)
    if len(rows):

        def text(row: int) -> str:
            return bytes(data[start[row] : end[row]]).decode("utf-8", "surrogateescape")

        _put(columns, _read_refused(rows, number[rows], text, wrong))
    return Texts(Hands(**columns), wrong, blank, comment)


def _numbers_and_columns(
    data: npt.NDArray[np.uint8], start: npt.NDArray[np.int64], end: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.uint64], dict[str, npt.NDArray[Any]]]:
    """What the kernel makes of texts."""
    from ..kernels import text as kernel

    n = len(start)
    number = np.empty(n, np.uint64)
    columns: dict[str, npt.NDArray[Any]] = {
        "concealed": np.empty((n, KINDS), np.uint8),
        "melds": np.empty((n, MAX_MELDS), np.uint8),
        "meld_wilds": np.empty((n, MAX_MELDS), np.uint8),
        "win_tile": np.empty(n, np.uint8),
        "flags": np.empty(n, np.uint16),
        "prevalent_wind": np.empty(n, np.uint8),
        "seat_wind": np.empty(n, np.uint8),
        "flowers": np.empty(n, np.uint8),
        "wilds": np.empty(n, np.uint8),
        "indicator": np.empty(n, np.uint8),
    }
    kernel.read_texts(data, start, end, _table(), number, *columns.values())
    return number, columns


def warmup() -> None:
    """Compile what reads and writes text."""
    from ..kernels import text as kernel

    data, ends = np.frombuffer(b"1m", np.uint8), np.array([0, 2], np.int64)
    _, columns = _numbers_and_columns(data, ends[:-1], ends[1:])
    kernel.find_records(data, 0, 1, True, ends)
    kernel.hand_text(columns["concealed"], np.empty(32, np.uint8), ends.astype(np.int32), 0)


def text_slices(
    column: pa.Array,
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The bytes of a column of text, and where each begins and ends; not copied.

    >>> import pyarrow as pa
    >>> text_slices(pa.array(["1m", "", "22z"]).slice(1))[1:]
    (array([2, 2]), array([2, 5]))
    """
    wide = arrow().types.is_large_string(column.type) or arrow().types.is_large_binary(column.type)
    _, ends, data = column.buffers()
    item = np.dtype(np.int64 if wide else np.int32)
    offsets = np.zeros(1, np.int64)
    if ends is not None and ends.size:
        begin = column.offset * item.itemsize
        offsets = np.frombuffer(ends, item, len(column) + 1, begin).astype(np.int64)
    text = np.frombuffer(data if data is not None and data.size else bytes(1), np.uint8)
    # one canonical type for the kernel, whether the bytes can be written or not
    text.flags.writeable = False
    return text, offsets[:-1], offsets[1:]


_known: dict[int, RowError] = {}


def _read_refused(
    rows: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.uint64],
    text: Callable[[int], str],
    wrong: Wrong,
) -> dict[int, Hand]:
    """Say what is wrong with what the kernel refused; the hands that are right after all."""
    from ..kernels import text as kernel

    different, first, group = np.unique(numbers, return_index=True, return_inverse=True)
    right: dict[int, Hand] = {}
    place = np.zeros(len(different), np.int32)
    for at, (number, row) in enumerate(zip(different.tolist(), rows[first].tolist(), strict=True)):
        error = _known.get(number)
        if error is None:
            found = _outcome(text(row))
            what = number >> 58
            if isinstance(found, Hand) or (
                what == kernel.IN_SECTIONS and not _is_of_sections(found)
            ):
                # nothing is wrong with these sections: each text is looked at by itself
                _one_by_one(rows[group == at], text, right, wrong)
                continue
            error = found
            if what != kernel.LONG_WAY:
                if len(_known) >= KNOWN_AT_MOST:
                    _known.clear()
                _known[number] = error
        wrong.errors.append(error)
        place[at] = len(wrong.errors)
    marked = place[group]
    wrong.number[rows[marked > 0]] = marked[marked > 0]
    return right


def _is_of_sections(error: RowError) -> bool:
    return isinstance(error, NotationError) and error.position >= error.text.find("|")


def _one_by_one(
    rows: npt.NDArray[np.int64], text: Callable[[int], str], right: dict[int, Hand], wrong: Wrong
) -> None:
    known: dict[str, Hand | RowError] = {}
    for row in rows.tolist():
        given = text(row)
        found = known.get(given)
        if found is None:
            found = known[given] = _outcome(given)
        if isinstance(found, Hand):
            right[row] = found
        else:
            wrong.mark([row], found)


def _outcome(text: str) -> Hand | RowError:
    """The hand of a text, or what is wrong with it."""
    split = split_run(text)
    if split is not None:
        return split
    try:
        return parse_hand(text)
    except (NotationError, HandError) as error:
        return without_frames(error)


def _put(columns: dict[str, npt.NDArray[Any]], read: dict[int, Hand]) -> None:
    if read:
        hands = Hands.from_hands(read.values())
        for name, column in columns.items():
            column[list(read)] = getattr(hands, name)


@cache
def _split_run() -> re.Pattern[str]:
    """White space between two characters that are digits in a notation with digits in a row."""

    def characters(first: int, last: int) -> str:
        tables = (SYMBOLS[notation] for notation in ("mpsz", "chinese"))
        return "".join(
            sorted({c for table in tables for c, symbol in table.items() if first <= symbol < last})
        )

    digits, spaces = characters(DIGIT, SUIT), re.escape(characters(SPACE, SPACE + 1))
    return re.compile(f"[{digits}][{spaces}]+[{digits}]")


def split_run(text: str) -> NotationError | None:
    """The error of a hand with white space inside a run of digits.

    ``parse`` ignores white space, but in a file ``1 123m`` is more likely a number and
    a hand than 1123m.

    Examples
    --------
    >>> split_run("123m 456p 一二三万 11z") is None
    True
    >>> print(split_run("1 123m"))
    white space between digits of one suit: write them together (at character 2)
      1 123m
       ^
    """
    found = _split_run().search(text.partition("|")[0])
    if found is None:
        return None
    return NotationError(Code.WHITE_SPACE_IN_RUN, text, found.start() + 1)


@cache
def _table() -> npt.NDArray[np.uint8]:
    """The notations as one array, laid out as :mod:`evaluator.hands.kernels.text` says."""
    from ..kernels import text as kernel

    table = np.zeros(kernel.TABLE_SIZE, np.uint8)
    symbols = table[kernel.SYMBOLS : kernel.DECIDING].reshape(-1, 256)
    deciding = table[kernel.DECIDING : kernel.WORDS]
    words = table[kernel.WORDS : kernel.NUMBERS].reshape(kernel.WORD_COUNT, 16)
    numbers = table[kernel.NUMBERS :]
    symbols[:] = UNKNOWN
    deciding[:] = kernel.UNDECIDED
    characters = {c for notation in READERS for c in SYMBOLS[notation]}
    wide = sorted(c for c in characters if not c.isascii())
    number_of = {chr(code): code for code in range(128)}
    number_of |= {character: number for number, character in enumerate(wide, 128)}
    for character in wide:
        code = ord(character)
        numbers[code if code < 0x10000 else 0x10000 + code - 0x1F000] = number_of[character]
    for character in characters:
        number = number_of[character]
        for row, notation in enumerate(READERS):
            symbols[row, number] = SYMBOLS[notation].get(character, UNKNOWN)
        if character in DECIDING:
            deciding[number] = READERS.index(DECIDING[character])
    deciding[ord("|")] = kernel.BAR_CAME_FIRST
    for row, word in enumerate((*FLAGS, "wilds=", "indicator=", "win=none")):
        words[row, 0] = len(word)
        words[row, 1 : 1 + len(word)] = list(word.encode())
    return table
