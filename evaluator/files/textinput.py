"""Text and CSV in pieces: bytes between the ends of two records, which pyarrow reads.

The first line says which of the two a text is: CSV has a header with a ``hand`` column, and
cells between commas, tabs or semicolons. A text without is read as CSV of one column.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..engine.optional import arrow, need
from ..errors import Code, EvaluatorError, FileError
from ..hands.arrow.columns import HandColumns, find_hands, read_hands
from ..hands.arrow.fields import no_rows
from ..hands.arrow.parts import PARTS
from .conditions import mask
from .pieces import ROWS, Piece, Taken, check_state, state_of
from .streams import STDIO, Source, named_errors

if TYPE_CHECKING:
    import pyarrow as pa

BYTES = 3 << 19
"""Bytes read at a time: about 64 k lines."""
LONGEST = 1 << 20
"""Bytes of the longest line; more is no list of hands."""
BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_PARQUET = b"PAR1"
DELIMITERS = {"\t": "tab", ",": "comma", ";": "semicolon"}
"""What may stand between cells, in the order it is looked for."""
# words and delimiters only: no hand looks like that outside brackets and | sections
_HEADER = re.compile(r"\s*\"?[^\W\d]\w*\"?\s*([,;\t][\s\w\"-]*)+")
_NO_TEXT = [bytes([code]) for code in range(1, 32) if code not in b"\t\n\r"]


@dataclass(frozen=True, slots=True)
class Layout:
    """The names of the columns and what stands between cells; empty: a hand a line."""

    columns: tuple[str, ...] = ("hand",)
    delimiter: str = ""

    @property
    def plain(self) -> bool:
        """Whether there is no header."""
        return not self.delimiter


class Chunk(NamedTuple):
    """Whole records of a text: its bytes, how many are before it, its first line from 1."""

    data: bytes
    offset: int
    line: int
    lines: int
    last: bool


def read_layout(first_line: str, name: str, column: str | None = None) -> Layout:
    """What the first line says about the columns.

    Examples
    --------
    >>> read_layout("id,hand,void", "in.csv")
    Layout(columns=('id', 'hand', 'void'), delimiter=',')
    >>> read_layout("123m11z", "in.txt").plain
    True
    """
    wanted = (column,) if column else ("hand", PARTS[0])
    for delimiter in DELIMITERS:
        if delimiter != "," and delimiter not in first_line:
            continue
        cells = _header_cells(first_line, delimiter)
        titles = [cell.casefold() for cell in cells]
        if any(title.casefold() in titles for title in wanted):
            for title in (*wanted, "void", "wilds"):
                if titles.count(title.casefold()) > 1:
                    found = titles.count(title.casefold())
                    raise FileError(name, Code.HEADER_COLUMNS_ALIKE, count=found, name=repr(title))
            return Layout(cells, delimiter)
    # a tab or a semicolon is part of no hand
    likely = next((mark for mark in "\t;" if mark in first_line.strip()), ",")
    cells = _header_cells(first_line, likely)
    if column is not None:
        raise FileError(name, Code.NOT_IN_HEADER, name=repr(column), choices=cells)
    if _HEADER.fullmatch(first_line):
        raise FileError(name, Code.NO_HAND_IN_HEADER, choices=cells)
    if likely != ",":
        raise FileError(name, Code.SEPARATED_WITHOUT_HEADER, delimiter=DELIMITERS[likely])
    return Layout()


def _header_cells(line: str, delimiter: str) -> tuple[str, ...]:
    try:
        cells = next(csv.reader([line], delimiter=delimiter), [""])
    except csv.Error:
        return ()
    return tuple(cell.strip() for cell in cells)


def chunks(
    source: Source, column: str | None = None, size: int = BYTES
) -> tuple[Layout, Iterator[Chunk]]:
    """The layout of a text and the text in chunks of about ``size`` bytes."""
    block = source.read(max(size, len(BOM)))
    if block[:2] in _UTF16:
        raise FileError(source.name, Code.IS_UTF16)
    if block.startswith(_PARQUET):
        raise FileError(source.name, Code.IS_PARQUET)
    offset = len(BOM) if block.startswith(BOM) else 0
    block = block[offset:]
    begin, line = 0, 1
    while True:
        ended = re.compile(rb"\r\n|\n|\r(?=[^\n])").search(block, begin)
        if ended is None and len(block) - begin <= LONGEST and (more := source.read(size)):
            block += more
            continue
        first = block[begin:] if ended is None else block[begin : ended.start()]
        if first.strip() and not first.lstrip().startswith(b"#"):
            break
        if ended is None:
            return Layout(), iter(())
        begin, line = ended.end(), line + 1
    layout = read_layout(decoded(first, source.name, line), source.name, column)
    if layout.plain:
        return layout, cut(source, block, offset, 1, "", size)
    begin = len(block) if ended is None else ended.end()
    return layout, cut(source, block[begin:], offset + begin, line + 1, layout.delimiter, size)


def cut(
    source: Source, block: bytes, offset: int, line: int, delimiter: str, size: int
) -> Iterator[Chunk]:
    """The rest of a text in chunks of whole records.

    ``block`` is what was read of it already, ``offset`` the bytes before it and ``line`` the
    number of its first line; ``delimiter`` is empty where quotes mean nothing.
    """
    more = source.read(size)
    while block or more:
        end, lines, inside = _whole_records(block, delimiter, not more)
        if end:
            yield Chunk(block[:end], offset, line, lines, not more and end == len(block))
            block, offset, line = block[end:], offset + end, line + lines
            if len(block) > LONGEST // 2 and lines >= ROWS:
                # there may be more of them: nothing is read before
                continue
        if inside and (not more or len(block) > LONGEST):
            code = Code.QUOTED_TOO_LONG if more else Code.QUOTE_NEVER_CLOSED
            raise FileError(source.name, code, row=line)
        if len(block) > LONGEST and not end:
            raise FileError(source.name, Code.LINE_TOO_LONG, row=line)
        block += more
        more = source.read(size) if more else b""


def _whole_records(data: bytes, delimiter: str, last: bool) -> tuple[int, int, bool]:
    """How many bytes and lines the whole records of a block have; is a quote open behind them?"""
    quoted = bool(delimiter) and b'"' in data
    lines = data.count(b"\n")
    if not quoted and b"\r" not in data and lines < ROWS:
        end = len(data) if last else data.rfind(b"\n") + 1
        return end, lines + (last and not data.endswith(b"\n") and bool(data)), False
    from ..hands.kernels.text import find_records

    text = np.frombuffer(data, np.uint8)
    marks = ord(delimiter) if quoted else 0
    end, _, lines, inside = find_records(text, marks, ROWS, last, np.zeros(0, np.int64))
    return end, lines, inside


def decoded(data: bytes, name: str, line: int) -> str:
    """Bytes as text."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line += len(data[: error.start + 1].splitlines()) - 1
        byte = f"0x{data[error.start]:02x}"
        raise FileError(name, Code.NOT_UTF8_BYTE, row=line, byte=byte) from None


@dataclass(frozen=True)
class TextInput:
    """Files of lines or CSV; see :class:`evaluator.files.pieces.Input`."""

    paths: tuple[str, ...]
    layout: Layout
    column: str | None
    schema: pa.Schema
    hands: HandColumns
    total: int | None
    size: int
    unit: str = "line"
    begun: tuple[Source, Iterator[Chunk]] | None = None

    def runs(self, columns: Sequence[str], where: Any) -> Iterator[list[Piece]]:
        """A list for each piece."""
        number = 0
        for path in self.paths:
            with Source(path) if self.begun is None else self.begun[0] as source:
                layout, found = (
                    chunks(source, self.column, self.size)
                    if self.begun is None
                    else (self.layout, self.begun[1])
                )
                if not _is_empty(layout, source) and layout != self.layout:
                    raise FileError(source.name, Code.OTHER_HEADER, first=self.paths[0])
                for chunk in found:
                    yield [text_piece(path, source, chunk, number)]
                    number += 1

    def read(self, piece: Piece, columns: Sequence[str], where: Any) -> Taken:
        """Rows of a piece."""
        pa = arrow()
        data = piece_data(piece)
        # no column may be wanted, and a row still be a row
        wanted = list(dict.fromkeys([*columns, *self.hands.names]))
        batch, numbers = _read_csv(data, self.layout, piece, wanted)
        if self.layout.plain and (b" " in data or b"\t" in data):
            trim = need("pyarrow.compute", "arrow").ascii_trim
            batch = pa.record_batch([trim(batch.column(0), " \t")], schema=batch.schema)
        if where is not None:
            true = mask(batch, where).fill_null(False)
            batch, numbers = batch.filter(true), numbers[np.asarray(true)]
        hands = read_hands(batch, self.hands)
        if len(self.layout.columns) == 1:
            assert hands.blank is not None
            assert hands.comment is not None
            # what holds nothing is no row, and in a plain text a comment is none
            nothing = hands.blank | hands.comment if self.layout.plain else hands.blank
            if nothing.any():
                hands = hands.without(nothing)
                batch, numbers = batch.filter(pa.array(~nothing)), numbers[~nothing]
        return Taken(batch.select(list(columns)), hands, numbers)


def _read_csv(
    data: bytes, layout: Layout, piece: Piece, columns: list[str]
) -> tuple[pa.RecordBatch, npt.NDArray[np.int64]]:
    """Cells as text, and the number of each row's line."""
    pa, reader = arrow(), need("pyarrow.csv", "arrow")
    schema = pa.schema([pa.field(name, pa.string()) for name in columns])
    quoted = not layout.plain and b'"' in data
    single = len(layout.columns) == 1
    delimiter = layout.delimiter
    if single:
        # nothing to separate: a hand may hold commas
        free = next((code for code in _NO_TEXT if code not in data), None)
        if free is None:
            no_text = EvaluatorError(Code.IS_NO_TEXT)
            raise FileError(piece.name, Code.FROM_LINE, row=piece.first, error=no_text)
        delimiter = free.decode()
    odd: list[tuple[int, int, str]] = []

    def wrong(row: Any) -> str:
        odd.append((row.number, row.actual_columns, row.text))
        return "skip"

    names = [str(at) for at in range(len(layout.columns))]
    places = {name: str(at) for at, name in enumerate(layout.columns)}
    if not data.strip(b"\r\n") and not layout.plain:
        return no_rows(schema), np.zeros(0, np.int64)
    try:
        table = reader.read_csv(
            pa.BufferReader(data),
            reader.ReadOptions(use_threads=False, block_size=len(data) + 1, column_names=names),
            reader.ParseOptions(
                delimiter=delimiter,
                quote_char='"' if quoted else False,
                newlines_in_values=quoted,
                ignore_empty_lines=not layout.plain,
                invalid_row_handler=wrong,
            ),
            reader.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()),
                include_columns=[places[name] for name in columns],
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowException as error:
        decoded(data, piece.name, piece.first)
        told = EvaluatorError(Code.CELL_REFUSED, detail=str(error))
        raise FileError(piece.name, Code.FROM_LINE, row=piece.first, error=told) from None
    whole = table.combine_chunks()
    batch = pa.RecordBatch.from_arrays(
        [column.chunk(0) if column.num_chunks else pa.array([], pa.string())
         for column in whole.columns], schema=schema,
    )  # fmt: skip
    rows = batch.num_rows + len(odd)
    if layout.plain or (rows == piece.lines and not quoted):
        numbers = piece.first + np.arange(rows, dtype=np.int64)
    else:
        numbers = piece.first + _lines(data, delimiter if quoted else "", rows)
    for number, cells, text in odd:
        if text.strip():
            commas = delimiter == ","
            code = Code.CELLS_NOT_AS_HEADER_COMMAS if commas else Code.CELLS_NOT_AS_HEADER
            row = int(numbers[number - 1])
            raise FileError(piece.name, code, row=row, count=cells, expected=len(names))
    if odd:
        numbers = np.delete(numbers, [number - 1 for number, _, _ in odd])
    return batch, numbers


def _lines(data: bytes, delimiter: str, rows: int) -> npt.NDArray[np.int64]:
    """The line of each record that is not empty, from 0."""
    from ..hands.kernels.text import find_records

    lines = np.zeros(rows, np.int64)
    marks = ord(delimiter) if delimiter else 0
    find_records(np.frombuffer(data, np.uint8), marks, 1 << 62, True, lines)
    return lines


def open_text(
    paths: tuple[str, ...], column: str | None = None, size: int | None = None
) -> TextInput:
    """Look at the first lines of the first file."""
    pa = arrow()
    size = size or BYTES
    layout, begun = Layout(), None
    if paths == (STDIO,):
        # what says what the columns are can be read once
        begun = Source(STDIO)
        layout, found = chunks(begun, column, size)
    for path in paths if begun is None else ():
        with Source(path) as source:
            layout, _ = chunks(source, column, 1 << 16)
            if not _is_empty(layout, source):
                break
    schema = pa.schema([pa.field(name, pa.string()) for name in layout.columns])
    hands = find_hands(schema, None if layout.plain else column, paths[0])
    begun_at = None if begun is None else (begun, found)
    return TextInput(paths, layout, column, schema, hands, total_of(paths), size, begun=begun_at)


def _is_empty(layout: Layout, source: Source) -> bool:
    """Whether a file holds nothing that would say what its columns are."""
    return layout.plain and source.size == 0


def total_of(paths: Sequence[str]) -> int | None:
    """Bytes of all files, where they are what is read."""
    total = 0
    for path in paths:
        state = state_of(path)
        if not state or path.endswith(".gz"):
            return None
        total += int(state.partition(":")[0])
    return total


def text_piece(path: str, source: Source, chunk: Chunk, number: int) -> Piece:
    """A chunk as a piece of the work."""
    state = "" if source.is_stdio else state_of(path)
    end = chunk.offset + len(chunk.data)
    return Piece(
        path, state, 0, chunk.offset, end, chunk.line, chunk.lines, chunk.data, number
    )  # fmt: skip


def can_be_read_again(path: str) -> bool:
    """Whether a piece of a text can be read by itself."""
    return bool(state_of(path)) and not path.endswith(".gz")


def piece_data(piece: Piece) -> bytes:
    """The bytes of a piece."""
    check_state(piece)
    if piece.data is not None:
        return piece.data
    with named_errors(piece.path), open(piece.path, "rb") as file:
        file.seek(piece.begin)
        data = file.read(piece.end - piece.begin)
    if len(data) < piece.end - piece.begin:
        raise FileError(piece.path, Code.CHANGED_WHILE_READ)
    return data
