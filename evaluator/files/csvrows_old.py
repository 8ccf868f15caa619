"""Text of a batch as hands: plain lines or CSV, cut into chunks and read in bulk.

Which of the two a text is, its first line says: CSV has a header with a ``hand``
column, and cells between commas, tabs or semicolons. All cells of a CSV row go along
unchanged.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import HandError, NotationError, Reason
from ..hands import MAX_WILDS, NONE, Hands
from ..notation import DIGIT, SPACE, SUIT, SYMBOLS
from ..textlines import parse_lines
from ..tiles import SUITS, WIND_NAMES
from .files import FileError, Source

PARTS = (
    "concealed",
    "melds",
    "win_tile",
    "flags",
    "prevalent_wind",
    "seat_wind",
    "flowers",
)
"""Columns of a hand in parts: the fields of :class:`~evaluator.hands.Hand` of these names.

``concealed`` tiles, the winning one included; ``melds`` in brackets; ``win_tile`` one
tile (empty: the last of the concealed ones); ``flags`` names with commas; winds E, S, W
or N; ``flowers`` 0-8. All but ``concealed`` may be empty or left out.
"""

# the cell of the melds: nothing but sets in brackets
_MELDS = re.compile(rb"\s*(\[[^\[\]|]*\]\s*)*")

CHUNK = 3 << 19
"""Bytes of a chunk: about 64 k lines."""
LONGEST = 1 << 20
"""Bytes of the longest line; more is no list of hands."""

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_PARQUET = b"PAR1"
DELIMITERS = {"\t": "tab", ",": "comma", ";": "semicolon"}
"""What may stand between cells, in the order it is looked for."""
# words and delimiters only: no hand looks like that outside brackets and | sections
_HEADER = re.compile(r"\s*\"?[^\W\d]\w*\"?\s*([,;\t][\s\w\"-]*)+")


class Slices(NamedTuple):
    """Text of each row: ``data[start[i]:end[i]]``; ``end < start`` is a missing value."""

    data: npt.NDArray[np.uint8]
    start: npt.NDArray[np.int64]
    end: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Layout:
    """What the columns of the input are.

    Attributes
    ----------
    columns : tuple of str
        Their names; ``("hand",)`` for plain lines.
    hand : int or None
        Which of them holds the hands; None: they are in parts.
    void, wilds : int or None
        Which hold the void suit and the number of wild tiles.
    plain : bool
        A hand a line, no header.
    delimiter : str
        What stands between cells.
    parts : tuple of (str, int)
        Of a hand in parts: :data:`PARTS` that there are, and which column each is.
    """

    columns: tuple[str, ...] = ("hand",)
    hand: int | None = 0
    void: int | None = None
    wilds: int | None = None
    plain: bool = True
    delimiter: str = ","
    parts: tuple[tuple[str, int], ...] = ()


class Chunk(NamedTuple):
    """A piece of the text, cut behind a line's end.

    Attributes
    ----------
    data : bytes
    line : int
        Number of its first line, from 1.
    last : bool
        No other follows.
    offset : int
        Bytes of the text before it.
    """

    data: bytes
    line: int
    last: bool
    offset: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The hands of a chunk and what stood beside them.

    Attributes
    ----------
    hands : Hands
    errors : dict of int to NotationError or HandError
        What is wrong with the text of a row.
    void, wilds : ndarray of uint8, shape (n,), or None
        The columns of that name, 255 where a cell is empty.
    cells : list of Slices
        Every column, as it stands in the text (quotes included).
    whole : Slices or None
        The rows as they stand in the text, when each has as many cells as the header
        and there is something to separate.
    lines : ndarray of int64, shape (n,)
        Line numbers, the first of the file is 1.
    """

    hands: Hands
    errors: dict[int, NotationError | HandError]
    void: npt.NDArray[np.uint8] | None
    wilds: npt.NDArray[np.uint8] | None
    cells: list[Slices]
    whole: Slices | None
    lines: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.hands)


def read_layout(first_line: str, name: str, column: str | None = None) -> Layout:
    """What the first line says about the columns.

    Parameters
    ----------
    first_line : str
        Neither blank nor a comment.
    name : str
        The file, for messages.
    column : str, optional
        Name of the column of hands, instead of ``hand``.

    Raises
    ------
    FileError
        A header without that column, or with it twice; cells without a header.

    Examples
    --------
    >>> layout = read_layout("id,hand,void", "in.csv")
    >>> layout.columns, layout.hand, layout.void
    (('id', 'hand', 'void'), 1, 2)
    >>> read_layout("123m11z", "in.txt").plain
    True
    """
    wanted = column or "hand"
    for delimiter in DELIMITERS:
        if delimiter != "," and delimiter not in first_line:
            continue
        cells = _header_cells(first_line, delimiter)
        hand = _place(wanted, cells, name)
        void, wilds = (_place(title, cells, name) for title in ("void", "wilds"))
        if hand is not None:
            return Layout(cells, hand, void, wilds, plain=False, delimiter=delimiter)
        if column is None and _place("concealed", cells, name) is not None:
            places = ((part, _place(part, cells, name)) for part in PARTS)
            parts = tuple((part, at) for part, at in places if at is not None)
            return Layout(cells, None, void, wilds, plain=False, delimiter=delimiter, parts=parts)
    # a tab or a semicolon is part of no hand
    likely = next((mark for mark in "\t;" if mark in first_line.strip()), ",")
    cells = _header_cells(first_line, likely)
    if column is not None:
        raise FileError(name, f"no column {column!r} in its header: {', '.join(cells)}")
    if _HEADER.fullmatch(first_line):
        raise FileError(
            name, f"no column 'hand' in its header ({', '.join(cells)}): --column names another"
        )
    if likely != ",":
        raise FileError(
            name,
            f"looks like a {DELIMITERS[likely]}-separated file, but its first line names no "
            "column 'hand': write the names of the columns there",
        )
    return Layout()


def _header_cells(line: str, delimiter: str) -> tuple[str, ...]:
    try:
        cells = next(csv.reader([line], delimiter=delimiter), [""])
    except csv.Error:
        return ()
    return tuple(cell.strip() for cell in cells)


def _place(title: str, cells: tuple[str, ...], name: str) -> int | None:
    """Which column has a title."""
    found = [at for at, cell in enumerate(cells) if cell.casefold() == title.casefold()]
    if len(found) > 1:
        raise FileError(name, f"the header has {len(found)} columns {title!r}")
    return found[0] if found else None


def chunks(
    source: Source, column: str | None = None, size: int = CHUNK
) -> tuple[Layout, Iterator[Chunk]]:
    """The layout of a text and the text in chunks of about ``size`` bytes.

    Raises
    ------
    FileError
        Unreadable, no UTF-8 text, no header it should have, an endless line.
    """
    block = source.read(max(size, len(_BOM)))
    if block[:2] in _UTF16:
        raise FileError(source.name, "is UTF-16 text: save it as UTF-8")
    if block.startswith(_PARQUET):
        raise FileError(source.name, "is Parquet: that is read from files named .parquet")
    offset = len(_BOM) if block.startswith(_BOM) else 0
    block = block[offset:]
    begin, line = 0, 1
    while True:
        end = block.find(b"\n", begin)
        if end < 0 and len(block) - begin <= LONGEST and (more := source.read(size)):
            block += more
            continue
        first = block[begin:] if end < 0 else block[begin:end]
        if first.strip() and not first.lstrip().startswith(b"#"):
            break
        if end < 0:
            return Layout(), iter(())
        begin, line = end + 1, line + 1
    layout = read_layout(_decode(first, source.name, line), source.name, column)
    if layout.plain:
        return layout, cut(source, block, 1, layout, size, offset)
    begin += len(first) + 1
    return layout, cut(source, block[begin:], line + 1, layout, size, offset + begin)


def cut(
    source: Source, block: bytes, line: int, layout: Layout, size: int, offset: int = 0
) -> Iterator[Chunk]:
    """The rest of a text in chunks.

    Parameters
    ----------
    source : Source
    block : bytes
        What was read of it already.
    line : int
        Number of the block's first line.
    layout : Layout
    size : int
        Bytes read at a time.
    offset : int
        Bytes of the text before the block.
    """
    while more := source.read(size):
        end = _cut_at(block, layout)
        if end:
            yield Chunk(block[:end], line, False, offset)
            line += block.count(b"\n", 0, end)
        if len(block) - end > LONGEST:
            quoted = not layout.plain and block.find(b"\n", end) >= 0
            what = (
                "a quoted cell longer than a megabyte (never closed?)"
                if quoted
                else "longer than a megabyte: no list of hands"
            )
            raise FileError(source.name, f"line {line}: {what}")
        block = block[end:] + more
        offset += end
    if block:
        yield Chunk(block, line, True, offset)


def limited(chunks: Iterable[Chunk], layout: Layout, rows: int) -> Iterator[Chunk]:
    """Chunks of at most so many records."""
    for chunk in chunks:
        data, line, last, offset = chunk
        if data.count(b"\n") < rows:
            yield chunk
            continue
        begin = 0
        for end in [*_record_ends(data, layout, last)[rows - 1 :: rows], len(data)]:
            part = data[begin:end]
            if part:
                yield Chunk(part, line, last and end == len(data), offset + begin)
            line += part.count(b"\n")
            begin = end


def _record_ends(data: bytes, layout: Layout, last: bool) -> list[int]:
    """Where the lines of a chunk end, or with quotes in it the records."""
    if layout.plain or b'"' not in data:
        ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")) + 1
    else:
        ends = _records(data, layout, last)[0].start[1:]
    whole: list[int] = ends.tolist()
    return whole


def _cut_at(block: bytes, layout: Layout) -> int:
    """Where the last complete record of a block ends."""
    if layout.plain or b'"' not in block:
        return block.rfind(b"\n") + 1
    return _records(block, layout, last=False)[1]


def _records(data: bytes, layout: Layout, last: bool) -> tuple[Slices, int]:
    """The records of CSV text, and where an unfinished one begins."""
    from ..kernels.csvtext import find_records

    text = np.frombuffer(bytearray(data), np.uint8)
    room = data.count(b"\n") + 1
    start, end = np.empty((2, room), np.int64)
    count, begin = find_records(text, ord(layout.delimiter), start, end, last)
    return Slices(text, start[:count], end[:count]), int(begin)


def read_rows(chunk: Chunk, layout: Layout, name: str) -> Rows:
    """Read the hands of a chunk.

    Parameters
    ----------
    chunk : Chunk
    layout : Layout
    name : str
        The file, for messages.

    Raises
    ------
    FileError
        Bytes that are no UTF-8, a quote that is never closed.
    """
    _decode(chunk.data, name, chunk.line)
    return _read_plain(chunk) if layout.plain else _read_csv(chunk, layout, name)


def _decode(data: bytes, name: str, line: int) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        raise FileError(
            name,
            f"line {line}: not UTF-8 text (byte 0x{data[error.start]:02x}): save it as UTF-8",
        ) from None


def _read_plain(chunk: Chunk) -> Rows:
    from ..kernels.csvtext import trim

    text = np.frombuffer(bytearray(chunk.data), np.uint8)
    batch = parse_lines(chunk.data)
    stops = np.append(np.flatnonzero(text == 10), len(text)).astype(np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), stops + 1])
    start, end = starts[batch.lines], stops[batch.lines]
    trim(text, start, end)
    cells = Slices(text, start, end)
    refuse_split_runs(cells, batch.errors)
    return Rows(batch.hands, batch.errors, None, None, [cells], None, batch.lines + chunk.line)


def _read_csv(chunk: Chunk, layout: Layout, name: str) -> Rows:
    from ..kernels.csvtext import find_cells, trim

    records, done = _records(chunk.data, layout, chunk.last)
    if done < len(chunk.data):
        line = chunk.line + chunk.data.count(b"\n", 0, done)
        raise FileError(name, f"line {line}: a quote is opened and never closed")
    text = records.data
    # rows of nothing but white space are no rows
    start, end = records.start.copy(), records.end.copy()
    trim(text, start, end)
    kept = np.flatnonzero(end > start)
    records = Slices(text, records.start[kept], records.end[kept])
    n, columns = len(kept), len(layout.columns)
    cell_start, cell_end = np.empty((2, columns, n), np.int64)
    found = np.empty(n, np.int64)
    find_cells(*records, ord(layout.delimiter), cell_start, cell_end, found)
    if columns == 1:
        # nothing to separate: a hand may hold commas without quotes
        bare = found > 1
        bare[bare] = text[records.start[bare]] != ord('"')
        cell_end[0, bare] = records.end[bare]
        found[bare] = 1
    cells = [Slices(text, cell_start[c], cell_end[c]) for c in range(columns)]

    parts = {part: unquoted(cells[at]) for part, at in layout.parts}
    for part in parts.values():
        trim(*part)
    plain_hands = put_together(parts, n) if layout.hand is None else unquoted(cells[layout.hand])
    hands, errors = read_texts(plain_hands)
    hint = " (a hand with commas needs quotes around it)" if layout.delimiter == "," else ""
    for row in np.flatnonzero(found != columns).tolist():
        errors[row] = HandError(
            f"{found[row]} cells, the header has {columns}{hint}", reason=Reason.NOTATION
        )
    if layout.hand is None:
        hands = with_parts(hands, parts, errors)
    void = wilds = None
    if layout.void is not None:
        void = letter_codes(cells[layout.void], VOID, "void must be m, p or s", errors)
    if layout.wilds is not None:
        wilds = letter_codes(cells[layout.wilds], WILDS, "wilds must be 0 to 8", errors)
    lines = chunk.line + np.searchsorted(np.flatnonzero(text == 10), records.start)
    whole = records if (found == columns).all() and columns > 1 else None
    return Rows(hands, errors, void, wilds, cells, whole, lines)


def read_texts(texts: Slices) -> tuple[Hands, dict[int, NotationError | HandError]]:
    """The hands of texts that follow each other as lines, and what is wrong by row."""
    n = len(texts.start)
    size = int(texts.end[-1]) + 1 if n else 0
    batch = parse_lines(memoryview(texts.data)[:size])
    hands, errors = _spread(batch.hands, batch.errors, batch.lines, n)
    refuse_split_runs(texts, errors)
    return hands, errors


def as_lines(texts: Slices) -> Slices:
    """Texts one after the other, a line each; a space stands for a line end inside one."""
    from ..kernels.csvtext import put_raw

    stop = np.cumsum(np.maximum(texts.end - texts.start, 0) + 1)
    out = np.empty(int(stop[-1]) if len(stop) else 0, np.uint8)
    start = np.concatenate([np.zeros(1, np.int64), stop[:-1]])[: len(stop)]
    put_raw(*texts, out, start.copy())
    out[(out == ord("\n")) | (out == ord("\r"))] = ord(" ")
    out[stop - 1] = ord("\n")
    return Slices(out, start, stop - 1)


def put_together(parts: dict[str, Slices], n: int) -> Slices:
    """What is read as text of hands in parts, a line each: melds, tiles, flowers, flags."""
    from ..kernels.csvtext import measure_raw, put_constant, put_raw

    melds, tiles, flowers, flags, win = (
        parts.get(part) for part in ("melds", "concealed", "flowers", "flags", "win_tile")
    )
    # a winning tile of its own column is put in later: the last one written is not it
    no_win = None
    if win is not None:
        words = np.frombuffer(bytearray(b",win=none"), np.uint8)
        begin = np.ones(n, np.int64) if flags is None else (flags.end <= flags.start).astype(int)
        no_win = Slices(words, begin, np.where(win.end > win.start, len(words), begin))
    pieces = (melds, tiles, b"|EE0000|", flowers, b"|", flags, no_win, b"\n")
    length = np.zeros(n, np.int64)
    for piece in pieces:
        if isinstance(piece, bytes):
            length += len(piece)
        elif piece is not None:
            measure_raw(*piece, length)
    stop = np.cumsum(length)
    out = np.empty(int(stop[-1]) if n else 0, np.uint8)
    start = stop - length
    at = start.copy()
    for piece in pieces:
        if isinstance(piece, bytes):
            put_constant(np.frombuffer(bytearray(piece), np.uint8), out, at)
        elif piece is not None:
            put_raw(*piece, out, at)
    # without the line's end, as other cells
    return Slices(out, start, stop - 1)


def with_parts(
    hands: Hands, parts: dict[str, Slices], errors: dict[int, NotationError | HandError]
) -> Hands:
    """The hands with the winds and winning tiles of their own columns."""
    changes: dict[str, Any] = {}
    if "melds" in parts:
        text, start, end = parts["melds"]
        for row in np.flatnonzero(end > start).tolist():
            melds = bytes(text[start[row] : end[row]])
            if not _MELDS.fullmatch(melds):
                said = f"melds must be sets in brackets, not {melds.decode(errors='replace')!r}"
                errors.setdefault(row, HandError(said, reason=Reason.NOTATION))
    for part in ("prevalent_wind", "seat_wind"):
        if part in parts:
            codes = letter_codes(parts[part], WINDS, f"{part} must be E, S, W or N", errors)
            changes[part] = np.where(codes == NONE, 0, codes).astype(np.uint8)
    if "win_tile" in parts:
        text, start, end = parts["win_tile"]
        size = int(end[-1]) + 1 if len(end) else 0
        tiles = parse_lines(memoryview(text)[:size])
        win = hands.win_tile.copy()
        counts = tiles.hands.concealed
        win[tiles.lines] = counts.argmax(axis=1)
        wrong = tiles.lines[counts.sum(axis=1) != 1].tolist()
        # a tile may be followed by sections where a hand is read, but not here
        bars = np.concatenate([[0], np.cumsum(text[:size] == ord("|"))])
        wrong += np.flatnonzero(bars[end] > bars[start]).tolist()
        for row in wrong:
            cell = bytes(text[start[row] : end[row]]).decode()
            errors.setdefault(
                row, HandError(f"win_tile must be one tile, not {cell!r}", reason=Reason.NOTATION)
            )
        changes["win_tile"] = win
    return replace(hands, **changes)


def _spread(
    hands: Hands,
    errors: dict[int, NotationError | HandError],
    rows: npt.NDArray[np.int64],
    n: int,
) -> tuple[Hands, dict[int, NotationError | HandError]]:
    """Hands of some rows as hands of all; the others have no tiles and an error."""
    if len(rows) == n:
        return hands, errors
    at = np.full(n, len(hands), np.int64)
    at[rows] = np.arange(len(hands))
    nothing = Hands(concealed=np.zeros((1, hands.concealed.shape[1]), np.uint8))
    everywhere: dict[int, NotationError | HandError] = {
        row: HandError("no hand", reason=Reason.NOTATION)
        for row in np.flatnonzero(at == len(hands)).tolist()
    }
    everywhere |= {int(rows[row]): error for row, error in errors.items()}
    return Hands.concat([hands, nothing])[at], everywhere


@cache
def _characters_of(first: int, last: int) -> str:
    """Characters that mean ``first`` to ``last`` in the notations with digits in a row."""
    found = {
        character
        for notation in ("mpsz", "chinese")
        for character, symbol in SYMBOLS[notation].items()
        if first <= symbol <= last
    }
    return "".join(sorted(found))


def split_run(text: str) -> NotationError | None:
    """The error of a hand with white space inside a run of digits.

    ``parse`` ignores white space, but in a file ``1 123m`` is more likely a number and
    a hand than 1123m.

    Parameters
    ----------
    text : str

    Examples
    --------
    >>> split_run("123m 456p 一二三万 11z") is None
    True
    >>> print(split_run("1 123m"))
    white space between digits of one suit: write them together (at character 2)
      1 123m
       ^
    """
    digits, spaces = _characters_of(DIGIT, SUIT - 1), re.escape(_characters_of(SPACE, SPACE))
    found = re.search(f"[{digits}][{spaces}]+[{digits}]", text.partition("|")[0])
    if found is None:
        return None
    return NotationError(
        text, found.start() + 1, "white space between digits of one suit: write them together"
    )


def refuse_split_runs(cells: Slices, errors: dict[int, NotationError | HandError]) -> None:
    """Put :func:`split_run` of every cell that has one among the errors."""
    from ..kernels.csvtext import find_split_runs

    found = np.empty(len(cells.start), np.bool_)
    find_split_runs(*cells, _digits_and_spaces(), found)
    for row in np.flatnonzero(found).tolist():
        error = split_run(bytes(cells.data[cells.start[row] : cells.end[row]]).decode())
        if error is not None:
            errors[row] = error


@cache
def _digits_and_spaces() -> npt.NDArray[np.uint8]:
    from ..kernels import csvtext as kernel

    kinds = np.zeros(1 << 16, np.uint8)
    kinds[[ord(c) for c in _characters_of(DIGIT, SUIT - 1)]] = kernel.DIGIT
    kinds[[ord(c) for c in _characters_of(SPACE, SPACE)]] = kernel.SPACE
    return kinds


def unquoted(cells: Slices, *, one_line: bool = True) -> Slices:
    """Cells without their CSV quotes; with ``one_line`` a space stands for a line end."""
    from ..kernels.csvtext import unquote

    n = len(cells.start)
    out = np.empty(int((cells.end - cells.start).sum()) + n, np.uint8)
    start, end = np.empty((2, n), np.int64)
    unquote(*cells, one_line, out, start, end)
    return Slices(out, start, end)


_BAD = 254


def _one_byte_codes(meanings: dict[str, int]) -> npt.NDArray[np.uint8]:
    table = np.full(256, _BAD, np.uint8)
    for character, code in meanings.items():
        table[ord(character)] = code
    return table


VOID = _one_byte_codes(
    {letter: suit for suit, letter in enumerate(SUITS)}
    | {letter.upper(): suit for suit, letter in enumerate(SUITS)}
)
WINDS = _one_byte_codes(
    {letter: wind for letters in (WIND_NAMES, WIND_NAMES.lower(), "0123")
     for wind, letter in enumerate(letters)}
)  # fmt: skip
WILDS = _one_byte_codes({str(number): number for number in range(MAX_WILDS + 1)})


def letter_codes(
    cells: Slices,
    table: npt.NDArray[np.uint8],
    rule: str,
    errors: dict[int, Any],
) -> npt.NDArray[np.uint8]:
    """Cells of one character as numbers; others are errors of their row."""
    from ..kernels.csvtext import trim

    text, start, end = unquoted(cells)
    trim(text, start, end)
    size = end - start
    codes = np.full(len(size), NONE, np.uint8)
    single = size == 1
    codes[single] = table[text[start[single]]]
    codes[size > 1] = _BAD
    for row in np.flatnonzero(codes == _BAD).tolist():
        cell = bytes(text[start[row] : end[row]]).decode()
        errors.setdefault(row, HandError(f"{rule}, not {cell!r}", reason=Reason.NOTATION))
        codes[row] = NONE
    return codes
