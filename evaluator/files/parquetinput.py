"""Parquet files in pieces: a row group, or runs of rows of a large one."""

from __future__ import annotations

import contextlib
import io
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..engine.optional import arrow, need
from ..errors import Code, EvaluatorError, FileError
from ..hands.arrow.columns import HandColumns, find_hands, read_hands
from ..hands.arrow.wrong import first_line
from .conditions import mask
from .pieces import ROWS, Piece, Taken, check_like, check_state, state_of
from .streams import reason_of

if TYPE_CHECKING:
    import pyarrow as pa

BYTES = 1 << 25
"""Bytes of the columns of a piece, about."""
LEAST = 1 << 10
"""Rows of a piece at least, however wide."""
NESTED = 1 << 15
"""Rows of lists that are decoded at once: on the way a number takes twelve bytes."""
BUFFER = 1 << 20
"""Bytes read from a file at a time: a row group may be larger than the memory."""

_FIELD_ID = b"PARQUET:field_id"


class _File(io.FileIO):
    """Closed when it is let go, as pyarrow's own files are."""

    def __del__(self) -> None:
        self.close()


def parquet_file(path: str | os.PathLike[str], **options: Any) -> Any:
    """A Parquet file of any name: pyarrow itself takes ``s3:`` for a place, and UTF-8 alone."""
    name = os.path.abspath(path)
    try:
        name.encode()
    except UnicodeEncodeError:
        return need("pyarrow.parquet", "arrow").ParquetFile(_File(name), **options)
    return need("pyarrow.parquet", "arrow").ParquetFile(name, **options)


@contextlib.contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[Any]:
    """The same, closed in the end."""
    file = parquet_file(path)
    try:
        yield file
    finally:
        file.close(force=True)


@dataclass(frozen=True)
class ParquetInput:
    """Parquet files with the same columns; see :class:`evaluator.files.pieces.Input`."""

    paths: tuple[str, ...]
    schema: pa.Schema
    hands: HandColumns
    total: int | None
    unit: str = "row"

    def runs(self, columns: Sequence[str], where: Any) -> Iterator[Iterator[Piece]]:
        """A list for each row group."""
        number = 0
        for path in self.paths:
            state = state_of(path)
            with _damage(path), reading(path) as file:
                about = file.metadata
                if where is not None:
                    _try(file, columns)
                groups = _may_hold(path, self.schema, where, about.num_row_groups)
                first = 0
                for group in range(about.num_row_groups):
                    rows = about.row_group(group).num_rows
                    if group in groups:
                        step = _step(file, group, columns)
                        yield _pieces(path, state, group, rows, step, first, number)
                        number += -(-rows // step)
                    first += rows

    def read(self, piece: Piece, columns: Sequence[str], where: Any) -> Taken:
        """Rows of a row group."""
        batch = _read(piece, tuple(columns))
        numbers: Any = range(piece.first, piece.first + batch.num_rows)
        if where is not None:
            true = mask(batch, where).fill_null(False)
            batch, numbers = batch.filter(true), np.flatnonzero(true) + piece.first
        return Taken(batch, read_hands(batch, self.hands), numbers)


def open_parquet(
    paths: tuple[str, ...], column: str | None = None, size: int | None = None
) -> ParquetInput:
    """Look at the footers of Parquet files."""
    first: pa.Schema = None
    rows = 0
    for path in paths:
        with _damage(path), reading(path) as file:
            schema, about = _plain_schema(file.schema_arrow), file.metadata
            counted = [about.row_group(at).num_rows for at in range(about.num_row_groups)]
            if sum(counted) != about.num_rows or min(counted, default=0) < 0:
                raise FileError(path, Code.PARQUET_FOOTER)
            rows += about.num_rows
        if first is None:
            first = schema
        check_like(path, schema, paths[0], first)
    hands = find_hands(first, column, paths[0])
    return ParquetInput(paths, first, hands, rows)


@contextlib.contextmanager
def _damage(path: str) -> Iterator[None]:
    """Say which file is damaged, and how it shows."""
    try:
        yield
    except EvaluatorError:
        raise
    except OSError as error:
        if error.errno is not None:
            raise FileError(path, Code.SYSTEM_REFUSED, detail=reason_of(error)) from None
        raise FileError(path, Code.DAMAGED, detail=first_line(error)) from None
    except (arrow().ArrowException, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise FileError(path, Code.NOT_PARQUET, detail=first_line(error)) from None


def _plain_schema(schema: pa.Schema) -> pa.Schema:
    """A schema without Parquet's numbers of fields, and without views.

    pyarrow can neither filter nor take the rows of a view.
    """
    pa = arrow()
    fields = []
    for field in schema:
        about = {k: v for k, v in (field.metadata or {}).items() if k != _FIELD_ID}
        field = field.with_metadata(about or None)
        if pa.types.is_string_view(field.type):
            field = field.with_type(pa.large_string())
        elif pa.types.is_binary_view(field.type):
            field = field.with_type(pa.large_binary())
        fields.append(field)
    return pa.schema(fields)


def _try(file: Any, columns: Sequence[str]) -> None:
    """Read a row of each row group: what is wrong with it is an error of the reader, while
    pyarrow ends the process where it is asked for the statistics of a damaged column."""
    for group in range(file.metadata.num_row_groups):
        next(
            file.iter_batches(1, row_groups=[group], columns=list(columns), use_threads=False), None
        )


def _may_hold(path: str, schema: pa.Schema, where: Any, groups: int) -> set[int]:
    """Row groups in which a condition may be true, as their statistics say."""
    if where is None:
        return set(range(groups))
    dataset = need("pyarrow.dataset", "arrow")
    local = need("pyarrow.fs", "arrow").LocalFileSystem()
    try:
        fragment = dataset.ParquetFileFormat().make_fragment(os.path.abspath(path), local)
    except UnicodeEncodeError:
        return set(range(groups))
    return {group.id for group in fragment.subset(where, schema=schema).row_groups}


def _pieces(
    path: str, state: str, group: int, rows: int, step: int, first: int, number: int
) -> Iterator[Piece]:
    """One by one: a damaged footer may speak of any number of rows."""
    for place, begin in enumerate(range(0, rows, step)):
        end = min(begin + step, rows)
        yield Piece(path, state, group, begin, end, first + begin, number=number + place)


def _step(file: Any, group: int, columns: Sequence[str]) -> int:
    """Rows of a piece: fewer where they are wide.

    The first rows say how wide: pyarrow ends the process where it is asked for the size of
    a column whose statistics are damaged.
    """
    about = file.metadata.row_group(group)
    if about.total_byte_size <= BYTES or about.num_rows <= LEAST:
        return ROWS
    batches = file.iter_batches(LEAST, row_groups=[group], columns=list(columns), use_threads=False)
    sample = next(batches, None)
    if sample is None or not sample.num_rows:
        return ROWS
    width = max(sample.nbytes / sample.num_rows, 1)
    return int(min(ROWS, max(LEAST, BYTES / width)))


class _Cursor:
    """A row group that is being read, and how far."""

    def __init__(self, piece: Piece, columns: tuple[str, ...]) -> None:
        check_state(piece)
        self.of = (piece.path, piece.state, piece.group, columns)
        self.row = 0
        # a buffered file is read as far as is needed, not whole row groups ahead
        self._file = parquet_file(
            piece.path, buffer_size=BUFFER, pre_buffer=False, page_checksum_verification=True
        )
        self._batches = self._file.iter_batches(
            self._rows_at_once(piece, columns),
            row_groups=[piece.group],
            columns=list(columns),
            use_threads=False,
        )
        self._left: list[Any] = []

    def _rows_at_once(self, piece: Piece, columns: tuple[str, ...]) -> int:
        fields = [f for f in self._file.schema_arrow if f.name in columns]
        nested = any(arrow().types.is_nested(field.type) for field in fields)
        rows = piece.end - piece.begin
        return min(rows, NESTED) if nested else rows

    def take(self, rows: int) -> list[Any]:
        """The next rows."""
        self.row += rows
        taken = []
        while rows:
            batch = self._left.pop() if self._left else next(self._batches, None)
            if batch is None:
                raise OSError("rows are missing")
            if batch.num_rows > rows:
                self._left.append(batch.slice(rows))
                batch = batch.slice(0, rows)
            rows -= batch.num_rows
            taken.append(batch)
        return taken

    def close(self) -> None:
        self._file.close(force=True)


_own = threading.local()


def _read(piece: Piece, columns: tuple[str, ...]) -> pa.RecordBatch:
    """Rows of a piece; a thread goes on where it was in a row group."""
    pa = arrow()
    cursor: _Cursor | None = getattr(_own, "cursor", None)
    with _damage(piece.path):
        wanted = (piece.path, piece.state, piece.group, columns)
        if cursor is None or cursor.of != wanted or cursor.row > piece.begin:
            if cursor is not None:
                cursor.close()
            _own.cursor = None
            cursor = _own.cursor = _Cursor(piece, columns)
        try:
            while cursor.row < piece.begin:
                cursor.take(min(piece.begin - cursor.row, piece.end - piece.begin))
            batches = cursor.take(piece.end - piece.begin)
        except BaseException:
            _own.cursor = None
            cursor.close()
            raise
    whole = pa.Table.from_batches(batches).combine_chunks()
    schema = _plain_schema(whole.schema)
    if schema.types != whole.schema.types:
        whole = whole.cast(schema)
    columns_read = [column.chunk(0) for column in whole.columns]
    return pa.RecordBatch.from_arrays(columns_read, schema=schema)


def forget() -> None:
    """Let go of the file this thread reads."""
    cursor: _Cursor | None = getattr(_own, "cursor", None)
    if cursor is not None:
        _own.cursor = None
        cursor.close()
