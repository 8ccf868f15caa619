"""Files of text: a hand a line, read in bulk.

A line that is blank, or whose first character but white space is ``#``, is no hand
and gets no row. All other lines are what :func:`evaluator.notation.parse_hand` reads.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import Code, HandError, NotationError, Reason
from .hands import FLAGS, MAX_MELDS, Hand, Hands
from .notation import DECIDING, SYMBOLS, UNKNOWN, parse_hand
from .tiles import KINDS

READERS = ("mpsz", "chinese", "unicode", "mahjonggb")
"""Notations by the number the kernel gives them (gb is read as mpsz)."""

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, eq=False)
class LineBatch:
    """Hands read from lines of text.

    Attributes
    ----------
    hands : Hands
        A row for each line that is neither blank nor a comment. The row of a wrong
        line holds no tiles, which no query takes.
    lines : ndarray of int64, shape (n,)
        Number of each row's line in the text; the first line is 0.
    line_count : int
        How many lines the text has, blank ones and comments included.
    errors : dict of int to NotationError or HandError
        What is wrong, by row; as ``parse_hand`` of the line raises it.
    """

    hands: Hands
    lines: npt.NDArray[np.int64]
    line_count: int
    errors: dict[int, NotationError | HandError]

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def reasons(self) -> npt.NDArray[np.uint8]:
        """``uint8[n]``: :class:`evaluator.Reason` of each row, 0 for a good one."""
        reasons = np.zeros(len(self), np.uint8)
        for row, error in self.errors.items():
            reason = error.reason if isinstance(error, HandError) else None
            reasons[row] = Reason.NOTATION if reason is None else reason
        return reasons

    @classmethod
    def concat(cls, batches: Iterable[LineBatch]) -> LineBatch:
        """Batches of consecutive pieces of one text as the batch of the whole."""
        parts = list(batches)
        errors: dict[int, NotationError | HandError] = {}
        lines = []
        row = line = 0
        for part in parts:
            errors |= {row + at: error for at, error in part.errors.items()}
            lines.append(part.lines + line)
            row += len(part)
            line += part.line_count
        return cls(
            Hands.concat(part.hands for part in parts),
            np.concatenate([np.zeros(0, np.int64), *lines]),
            line,
            errors,
        )


def parse_lines(data: bytes | bytearray | memoryview) -> LineBatch:
    r"""Read hands, one a line.

    Equal to :func:`evaluator.notation.parse_hand` of every line, some hundred times
    as fast. It runs on one core and leaves the interpreter lock alone: pieces of a
    text, cut behind a line's end, can be read by several threads and joined by
    :meth:`LineBatch.concat`.

    Parameters
    ----------
    data : bytes-like
        UTF-8 text; lines end in ``\n`` or ``\r\n``. A byte order mark at its start
        is skipped; bytes that are no UTF-8 make their line an error.

    Returns
    -------
    LineBatch

    Examples
    --------
    >>> batch = parse_lines("# two hands\n123m406p11z\n\n一二三万 東東\n12x".encode())
    >>> len(batch), batch.lines.tolist(), batch.hands[1].win_tile
    (3, [1, 3, 4], 27)
    >>> print(batch.errors[2])
    'x' means nothing in mpsz / gb notation (at character 3)
      12x
        ^
    """
    from .kernels.text import REFUSED, read_lines

    if isinstance(data, str):
        raise NotationError(Code.TEXT_FOR_BYTES, data[:40], 0)
    view = memoryview(data).cast("B")
    if view[:3] == _BOM:
        view = view[3:]
    text = np.frombuffer(view, np.uint8)
    # one canonical type for the kernel, whether the bytes can be written or not
    text.flags.writeable = False
    room = int(np.count_nonzero(text == 10)) + 1
    starts, ends, lines = np.empty((3, room), np.int64)
    state = np.empty(room, np.uint8)
    columns: dict[str, npt.NDArray[Any]] = {
        "concealed": np.empty((room, KINDS), np.uint8),
        "melds": np.empty((room, MAX_MELDS), np.uint8),
        "meld_wilds": np.empty((room, MAX_MELDS), np.uint8),
        "win_tile": np.empty(room, np.uint8),
        "flags": np.empty(room, np.uint16),
        "prevalent_wind": np.empty(room, np.uint8),
        "seat_wind": np.empty(room, np.uint8),
        "flowers": np.empty(room, np.uint8),
        "wilds": np.empty(room, np.uint8),
        "indicator": np.empty(room, np.uint8),
    }
    rows, line_count = read_lines(text, _table(), starts, ends, lines, state, *columns.values())
    columns = {name: column[:rows] for name, column in columns.items()}
    errors: dict[int, NotationError | HandError] = {}
    read: dict[int, Hand] = {}
    for row in np.flatnonzero(state[:rows] == REFUSED).tolist():
        line = bytes(view[starts[row] : ends[row]]).decode("utf-8", "surrogateescape")
        try:
            read[row] = parse_hand(line)
        except (NotationError, HandError) as error:
            # frames would keep every wrong line's locals alive
            error.__traceback__ = error.__context__ = None
            errors[row] = error
    _put(columns, list(read), Hands.from_hands(read.values()))
    if errors:
        _put(columns, list(errors), Hands(concealed=np.zeros((len(errors), KINDS), np.uint8)))
    return LineBatch(Hands(**columns), lines[:rows], line_count, errors)


def _put(columns: dict[str, npt.NDArray[Any]], rows: list[int], hands: Hands) -> None:
    if rows:
        for name, column in columns.items():
            column[rows] = getattr(hands, name)


@cache
def _table() -> npt.NDArray[np.uint8]:
    """The notations as one array, laid out as :mod:`evaluator.kernels.text` says."""
    from .kernels import text as kernel

    table = np.zeros(kernel.TABLE_SIZE, np.uint8)
    symbols = table[kernel.SYMBOLS : kernel.DECIDING].reshape(len(READERS), 256)
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
