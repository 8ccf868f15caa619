"""JSON lines in pieces: an object a line, which pyarrow reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..engine.optional import arrow, need
from ..errors import Code, FileError
from ..hands.arrow.columns import HandColumns, find_hands, read_hands
from ..hands.arrow.fields import no_rows
from ..hands.arrow.wrong import first_line
from .conditions import mask
from .pieces import Piece, Taken
from .streams import STDIO, Source
from .textinput import BOM, BYTES, Chunk, cut, piece_data, text_piece, total_of

if TYPE_CHECKING:
    import pyarrow as pa

DEEPEST = 100
"""Lists and objects inside each other that are read."""


@dataclass(frozen=True)
class JsonInput:
    """Files of a JSON object a line; see :class:`evaluator.files.pieces.Input`."""

    paths: tuple[str, ...]
    schema: pa.Schema
    hands: HandColumns
    total: int | None
    size: int
    unit: str = "line"

    def runs(self, columns: Sequence[str], where: Any) -> Iterator[list[Piece]]:
        """A list for each piece."""
        number = 0
        for path in self.paths:
            with Source(path) as source:
                for chunk in _chunks(source, self.size):
                    yield [text_piece(path, source, chunk, number)]
                    number += 1

    def read(self, piece: Piece, columns: Sequence[str], where: Any) -> Taken:
        """Rows of a piece."""
        data = piece_data(piece)
        schema = arrow().schema([self.schema.field(name) for name in columns])
        batch = _parse(data, schema, piece.name, piece.first)
        numbers = piece.first + _filled_lines(data, batch.num_rows)
        if len(numbers) != batch.num_rows:
            raise FileError(piece.name, Code.ONE_OBJECT_A_LINE)
        if where is not None:
            true = mask(batch, where).fill_null(False)
            batch, numbers = batch.filter(true), numbers[np.asarray(true)]
        return Taken(batch, read_hands(batch, self.hands), numbers)


def open_json(
    paths: tuple[str, ...], column: str | None = None, size: int | None = None
) -> JsonInput:
    """Read files of JSON lines once to learn the types of their columns."""
    pa = arrow()
    schema = pa.schema([])
    for path in paths:
        if path == STDIO:
            raise FileError("standard input", Code.JSON_READ_TWICE)
        with Source(path) as source:
            for chunk in _chunks(source, size or BYTES):
                found = _parse(chunk.data, None, source.name, chunk.line).schema
                try:
                    schema = pa.unify_schemas([schema, found], promote_options="permissive")
                except (pa.ArrowException, TypeError) as error:
                    said = {"row": chunk.line, "detail": first_line(error)}
                    raise FileError(source.name, Code.COLUMN_OF_OTHER_TYPE, **said) from None
    for field in schema:
        if _depth(field.type) > DEEPEST:
            said = {"name": repr(field.name), "most": DEEPEST}
            raise FileError(paths[0], Code.LISTS_TOO_DEEP, **said)
    schema = pa.schema([pa.field(f.name, _json_type(f.type)) for f in schema])
    hands = find_hands(schema, column, paths[0])
    return JsonInput(paths, schema, hands, total_of(paths), size or BYTES)


def _depth(kind: pa.DataType) -> int:
    """How many lists and objects lie inside each other."""
    depth, level = 0, [kind]
    while level:
        level = [kind.field(at).type for kind in level for at in range(kind.num_fields)]
        depth += 1
    return depth


def _json_type(kind: pa.DataType) -> pa.DataType:
    """What is no text, number, list or object in JSON stays the text it is."""
    pa = arrow()
    return pa.string() if pa.types.is_temporal(kind) or pa.types.is_null(kind) else kind


def _chunks(source: Source, size: int) -> Iterator[Chunk]:
    block = source.read(size)
    bom = len(BOM) if block.startswith(BOM) else 0
    return cut(source, block[bom:], bom, 1, "", size)


def _filled_lines(data: bytes, rows: int) -> npt.NDArray[np.int64]:
    """Places of the lines that are not blank."""
    if b"\r" not in data and data.count(b"\n") + (not data.endswith(b"\n")) == rows:
        return np.arange(rows, dtype=np.int64)
    return np.array([at for at, line in enumerate(data.splitlines()) if line.strip()], np.int64)


def _wrong_line(data: bytes, name: str, first: int, said: str) -> FileError:
    """Which line of a piece is no JSON object; where all are, what was said of their types."""
    for number, text in enumerate(data.splitlines(), first):
        try:
            if text.strip() and not isinstance(json.loads(text), dict):
                return FileError(name, Code.NOT_AN_OBJECT, row=number)
        except json.JSONDecodeError as error:
            where = {"row": number, "detail": error.msg, "column": error.colno}
            return FileError(name, Code.NOT_JSON, **where)
        except UnicodeDecodeError:
            return FileError(name, Code.NOT_UTF8_LINE, row=number)
        except (ValueError, RecursionError) as error:
            # numbers of thousands of digits, lists of lists of lists
            return FileError(name, Code.LINE_UNREADABLE, row=number, detail=str(error))
    return FileError(name, Code.COLUMN_OF_OTHER_TYPE, row=first, detail=said)


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
        raise _wrong_line(data, name, line, first_line(error)) from None
    table = table.combine_chunks()
    arrays = [column.chunk(0) for column in table.columns]
    return pa.RecordBatch.from_arrays(arrays, schema=table.schema)
