"""Text, CSV and JSON lines in pieces: bytes between the ends of two lines."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import EvaluatorError
from .arrowhands import HandColumns, HandRows, find_hands, read_hands
from .arrowtypes import no_rows
from .csvrows import Chunk, Layout, Rows, Slices, chunks, cut, limited, read_rows, unquoted
from .extras import arrow, need
from .files import STDIO, FileError, Source, named_errors
from .pieces import ROWS, Piece, Taken, check_state, no_column, state_of
from .where import mask

if TYPE_CHECKING:
    import pyarrow as pa

BYTES = 1 << 21
"""Bytes of a piece: about 100 k hands."""

PLAIN = Layout()


@dataclass(frozen=True)
class TextInput:
    """Files of lines or CSV; see :class:`evaluator.bulk.pieces.Input`."""

    paths: tuple[str, ...]
    layout: Layout
    column: str | None
    schema: pa.Schema
    total: int | None
    hands: HandColumns | None = None
    unit: str = "line"
    begun: tuple[Source, Iterator[Chunk]] | None = None

    def runs(self, columns: Sequence[str], where: Any) -> Iterator[list[Piece]]:
        """A list for each piece."""
        number = 0
        for path in self.paths:
            with Source(path) if self.begun is None else self.begun[0] as source:
                layout, found = (
                    chunks(source, self.column, BYTES)
                    if self.begun is None
                    else (self.layout, self.begun[1])
                )
                if not _is_empty(layout, source) and layout != self.layout:
                    raise FileError(source.name, f"its header is not that of {self.paths[0]}")
                for chunk in limited(found, layout, ROWS):
                    yield [_piece(path, source, chunk, number)]
                    number += 1

    def read(self, piece: Piece, columns: Sequence[str], where: Any) -> Taken:
        """Rows of a piece."""
        pa = arrow()
        chunk = Chunk(_data(piece), piece.first, piece.last)
        rows = read_rows(chunk, self.layout, _name(piece.path))
        places = {name: at for at, name in enumerate(self.layout.columns)}
        arrays = [_strings(rows, self.layout, places[name]) for name in columns]
        fields = [self.schema.field(name) for name in columns]
        batch = pa.RecordBatch.from_arrays(arrays, schema=pa.schema(fields))
        hands = HandRows(len(rows), None, rows.hands, rows.errors, rows.void, rows.wilds)
        if where is None:
            return Taken(batch, hands, rows.lines)
        true = mask(batch, where).fill_null(False)
        kept = np.flatnonzero(np.asarray(true))
        return Taken(batch.filter(true), _of_rows(hands, kept), rows.lines[kept])


def _of_rows(hands: HandRows, rows: Any) -> HandRows:
    """The hands of some rows."""
    place = {int(row): at for at, row in enumerate(rows)} if hands.errors else {}
    return HandRows(
        len(rows),
        None,
        hands.hands[rows],
        {place[row]: error for row, error in hands.errors.items() if row in place},
        None if hands.void is None else hands.void[rows],
        None if hands.wilds is None else hands.wilds[rows],
    )


def open_text(paths: tuple[str, ...], column: str | None = None) -> TextInput:
    """Look at the first lines of the first file.

    Raises
    ------
    FileError
        Unreadable, no text, no hands.
    """
    pa = arrow()
    layout, begun = PLAIN, None
    if paths == (STDIO,):
        # what says what the columns are can be read once
        begun = Source(STDIO)
        layout, found = chunks(begun, column, BYTES)
    for path in paths if begun is None else ():
        with Source(path) as source:
            layout, _ = chunks(source, column, 1 << 16)
            if not _is_empty(layout, source):
                break
    schema = pa.schema([pa.field(name, pa.string()) for name in layout.columns])
    begun_at = None if begun is None else (begun, found)
    return TextInput(paths, layout, column, schema, _total(paths), begun=begun_at)


def _is_empty(layout: Layout, source: Source) -> bool:
    """Whether a file holds nothing that would say what its columns are."""
    return layout == PLAIN and source.size == 0


def _total(paths: Sequence[str]) -> int | None:
    """Bytes of all files, where they are what is read."""
    total = 0
    for path in paths:
        state = state_of(path)
        if not state or path.endswith(".gz"):
            return None
        total += int(state.partition(":")[0])
    return total


def _name(path: str) -> str:
    return "standard input" if path == STDIO else path


def _piece(path: str, source: Source, chunk: Chunk, number: int) -> Piece:
    state = "" if source.is_stdio else state_of(path)
    end = chunk.offset + len(chunk.data)
    return Piece(
        path, state, 0, chunk.offset, end, chunk.line, chunk.last, chunk.data, number
    )  # fmt: skip


def can_be_read_again(path: str) -> bool:
    """Whether any piece of a text can be read without those before it."""
    return bool(state_of(path)) and not path.endswith(".gz")


def _data(piece: Piece) -> bytes:
    if piece.data is not None:
        return piece.data
    check_state(piece)
    with named_errors(piece.path), open(piece.path, "rb") as file:
        file.seek(piece.begin)
        data = file.read(piece.end - piece.begin)
    if len(data) < piece.end - piece.begin:
        raise FileError(piece.path, "was changed while it was read")
    return data


def _strings(rows: Rows, layout: Layout, at: int) -> pa.Array:
    """The cells of a column as an Arrow array."""
    from ..kernels.csvtext import put_raw

    pa = arrow()
    cells = rows.cells[at] if layout.plain else unquoted(rows.cells[at], one_line=False)
    lengths = np.maximum(cells.end - cells.start, 0)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    data = np.empty(int(offsets[-1]), np.uint8)
    put_raw(*Slices(*cells), data, offsets[:-1].copy())
    buffers = [None, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), len(lengths), buffers)


@dataclass(frozen=True)
class JsonInput:
    """Files of a JSON object a line; see :class:`evaluator.bulk.pieces.Input`."""

    paths: tuple[str, ...]
    schema: pa.Schema
    hands: HandColumns | None
    total: int | None
    unit: str = "line"

    def runs(self, columns: Sequence[str], where: Any) -> Iterator[list[Piece]]:
        """A list for each piece."""
        number = 0
        for path in self.paths:
            with Source(path) as source:
                for chunk in _lines(source):
                    yield [_piece(path, source, chunk, number)]
                    number += 1

    def read(self, piece: Piece, columns: Sequence[str], where: Any) -> Taken:
        """Rows of a piece."""
        assert self.hands is not None
        data = _data(piece)
        schema = arrow().schema([self.schema.field(name) for name in columns])
        batch = _parse(data, schema, _name(piece.path), piece.first)
        numbers = piece.first + _filled_lines(data)
        if len(numbers) != batch.num_rows:
            raise FileError(_name(piece.path), "must have one JSON object a line")
        if where is not None:
            true = mask(batch, where).fill_null(False)
            batch, numbers = batch.filter(true), numbers[np.asarray(true)]
        return Taken(batch, read_hands(batch, self.hands), numbers)


def open_json(paths: tuple[str, ...], column: str | None = None) -> JsonInput:
    """Read files of JSON lines once to learn the types of their columns.

    Raises
    ------
    FileError
        No JSON lines, a column of two types, no hands.
    """
    pa = arrow()
    schema = pa.schema([])
    for path in paths:
        if path == STDIO:
            raise FileError(_name(path), "JSON lines are read twice: give a file")
        with Source(path) as source:
            for chunk in _lines(source):
                found = _parse(chunk.data, None, source.name, chunk.line).schema
                try:
                    schema = pa.unify_schemas([schema, found], promote_options="permissive")
                except (pa.ArrowException, TypeError) as error:
                    said = f"from line {chunk.line} on a column is of another type: {error}"
                    raise FileError(source.name, said.splitlines()[0]) from None
    schema = pa.schema([pa.field(f.name, _json_type(f.type)) for f in schema])
    try:
        hands = find_hands(schema, column, paths[0])
    except EvaluatorError as error:
        raise no_column(paths[0], error) from None
    return JsonInput(paths, schema, hands, _total(paths))


def _json_type(kind: pa.DataType) -> pa.DataType:
    """What is no text, number, list or object in JSON stays the text it is."""
    pa = arrow()
    return pa.string() if pa.types.is_temporal(kind) or pa.types.is_null(kind) else kind


def _lines(source: Source) -> Iterator[Chunk]:
    block = source.read(BYTES)
    bom = 3 if block.startswith(b"\xef\xbb\xbf") else 0
    return limited(cut(source, block[bom:], 1, PLAIN, BYTES, bom), PLAIN, ROWS)


def _filled_lines(data: bytes) -> Any:
    """Places of the lines that are not blank."""
    return np.array([at for at, line in enumerate(data.split(b"\n")) if line.strip()], np.int64)


def _wrong_line(data: bytes, first: int, said: str) -> str:
    """Which line of a piece is no JSON object; where all are, what was said of their types."""
    for number, text in enumerate(data.split(b"\n"), first):
        try:
            if text.strip() and not isinstance(json.loads(text), dict):
                return f"line {number}: must be a JSON object"
        except json.JSONDecodeError as error:
            return f"line {number}: is no JSON ({error.msg}, at character {error.colno})"
        except UnicodeDecodeError:
            return f"line {number}: not UTF-8 text"
        except (ValueError, RecursionError) as error:
            # numbers of thousands of digits, lists of lists of lists
            return f"line {number}: cannot be read ({error})"
    return f"from line {first} on a column is of another type: {said}"


def _parse(data: bytes, schema: pa.Schema | None, name: str, line: int) -> pa.RecordBatch:
    pa = arrow()
    reader = need("pyarrow.json", "arrow")
    if not data.strip():
        return no_rows(schema or pa.schema([]))
    try:
        table = reader.read_json(
            pa.BufferReader(data),
            read_options=reader.ReadOptions(use_threads=False, block_size=len(data) + 1),
            parse_options=reader.ParseOptions(
                explicit_schema=schema,
                unexpected_field_behavior="infer" if schema is None else "ignore",
            ),
        )
    except pa.ArrowException as error:
        raise FileError(name, _wrong_line(data, line, str(error).splitlines()[0])) from None
    table = table.combine_chunks()
    arrays = [column.chunk(0) for column in table.columns]
    return pa.RecordBatch.from_arrays(arrays, schema=table.schema)
