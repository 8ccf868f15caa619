"""A batch as a job: what is asked of which rows, piece by piece, and what comes of it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._version import __version__
from ..engine.optional import arrow
from ..errors import Code, EvaluatorError, FileError, NotationError
from ..hands.arrow.columns import kinds_of
from ..hands.arrow.fields import COUNTS, hand_field, metadata, notation_of
from ..hands.arrow.wrong import CellError, RowError, first_line
from .answercolumns import NAMED, Tiles
from .batches import Question, make_question
from .conditions import Condition, all_of, mask, parse_where
from .jsoninput import open_json
from .outcomes import BadRow
from .parquetinput import open_parquet
from .parquetoutput import Folder
from .pieces import Input, Piece, Taken, find_files, one_kind
from .textinput import open_text

if TYPE_CHECKING:
    import pyarrow as pa

    from ..rulesets import Rules


SHOWN = 100
"""Bad rows of a piece that are told of one by one; the rest are counted."""


class Done(NamedTuple):
    """What came of a piece.

    Attributes
    ----------
    piece : Piece
    batch : pyarrow.RecordBatch, memoryview or None
        The rows of the output; None where they are written already.
    rows : int
        How many there are.
    bad : int
        Bad rows among those asked about.
    first : list of BadRow
        The first of the bad rows.
    """

    piece: Piece
    batch: Any
    rows: int
    bad: int
    first: list[BadRow]


@dataclass(frozen=True)
class Job:
    """What is asked of all pieces of an input.

    Attributes
    ----------
    input : Input
    question : Question
    keep : tuple of str
        Columns of the input that go along.
    columns : tuple of str
        Columns that are read.
    before, after : pyarrow.compute.Expression or None
        Conditions on the columns of the input, and on the answers.
    schema : pyarrow.Schema
        Of the output.
    fingerprint : str
        Another one for another job: a part of one is no part of the other.
    """

    input: Input
    question: Question
    keep: tuple[str, ...]
    columns: tuple[str, ...]
    before: Any
    after: Any
    schema: pa.Schema
    fingerprint: str

    def runs(self) -> Iterator[Iterable[Piece]]:
        """All pieces, in order."""
        return self.input.runs(self.columns, self.before)

    def do(self, piece: Piece, then: Callable[[Any], Any] = lambda batch: batch) -> Done:
        """Read a piece, answer it and do something with the rows of the output."""
        with self._named(piece):
            pa = arrow()
            taken = self.input.read(piece, self.columns, self.before)
            answers, wrong = self.question.of(taken.hands)
            kept = [
                _as_counts(taken.batch.column(name), self.schema.field(name)) for name in self.keep
            ]
            batch = pa.RecordBatch.from_arrays([*kept, *answers], schema=self.schema)
            if self.after is not None:
                fields = [*taken.batch.schema, *self.question.fields()]
                seen = {
                    field.name: (field, array)
                    for field, array in zip(fields, [*taken.batch.columns, *answers], strict=True)
                }
                looked = pa.RecordBatch.from_arrays(
                    [array for _, array in seen.values()],
                    schema=pa.schema([field for field, _ in seen.values()]),
                )
                batch = batch.filter(mask(looked, self.after))
            rows = wrong.rows
            first = [self._bad_row(piece, taken, row, wrong[row]) for row in rows[:SHOWN].tolist()]
            return Done(piece, then(batch), batch.num_rows, len(rows), first)

    @contextmanager
    def _named(self, piece: Piece) -> Iterator[None]:
        """Say of which rows of a file something cannot be read, answered or written."""
        try:
            yield
        except CellError as error:
            if error.row is None:
                raise _of_rows(piece, error) from None
            code = Code.AT_LINE if self.input.unit == "line" else Code.AT_ROW
            raise FileError(piece.name, code, row=piece.first + error.row, error=error) from None
        except (arrow().ArrowException, UnicodeError, OverflowError, RecursionError) as error:
            if isinstance(error, OSError | MemoryError):
                raise
            told = EvaluatorError(Code.CELL_REFUSED, detail=first_line(error))
            raise _of_rows(piece, told) from None

    def _bad_row(self, piece: Piece, taken: Taken, row: int, error: RowError) -> BadRow:
        hands = taken.hands
        if isinstance(error, NotationError) and hands.texts is not None:
            at = row if hands.present is None else int(np.searchsorted(hands.present, row))
            text = hands.texts[at].as_buffer().to_pybytes().decode("utf-8", "surrogateescape")
            error = error.within(text, 0)
        name = piece.path if len(self.input.paths) > 1 else ""
        return BadRow(int(taken.numbers[row]), error, name, self.input.unit)

    def do_part(
        self, folder: Folder, piece: Piece, resume: bool = False, strict: bool = False
    ) -> Done:
        """Write the part of a piece, unless it is there.

        strict : whether its first bad row is asked for
        """
        if resume:
            finished = folder.finished(piece.number, piece.key)
            if finished is not None and not (strict and finished[1]):
                return Done(piece, None, *finished, [])
        done = self.do(piece)
        folder.write_part(piece.number, [done.batch], piece.key, done.bad)
        return done._replace(batch=None, piece=replace(piece, data=None))


def _of_rows(piece: Piece, error: EvaluatorError) -> FileError:
    """An error of all rows of a piece."""
    lines = piece.first and piece.data is not None
    code = Code.FROM_LINE if lines else Code.FROM_ROW
    return FileError(piece.name, code, row=piece.first, error=error)


def make_job(
    source: str | os.PathLike[str],
    queries: str | Sequence[str],
    rules: str | Rules | None = None,
    *,
    column: str | None = None,
    columns: Iterable[str] | None = None,
    where: str | None = None,
    tiles: Tiles = "mask",
    seen: Any = None,
    void: int | None = None,
    wilds: int | None = None,
    replaced: bool = False,
    texts: bool = False,
    size: int | None = None,
) -> Job:
    """Look at an input and at what is asked of it."""
    data = open_input(source, column, size)
    names = data.schema.names
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise FileError(data.paths[0], Code.TWO_COLUMNS, name=repr(twice))
    kinds = kinds_of(data.schema.field(data.hands.hand).type)
    question = make_question(queries, rules, kinds, tiles=tiles, seen=seen, void=void, wilds=wilds)
    keep = _kept(data, columns, _names(question, texts), replaced)
    fields = [_carried(data.schema.field(name), name == data.hands.hand) for name in keep]
    answers = question.fields()
    schema = arrow().schema([*fields, *answers])
    before, after, looked_at = _conditions(where, data.schema, keep, answers)
    used = {*keep, *data.hands.names, *looked_at}
    read = tuple(name for name in data.schema.names if name in used)
    job = Job(data, question, keep, read, before, after, schema, "")
    return replace(job, fingerprint=_fingerprint(job, where))


def open_input(
    source: str | os.PathLike[str], column: str | None = None, size: int | None = None
) -> Input:
    """The files that a name stands for, ready to be read."""
    arrow()
    paths = find_files(source)
    opened: dict[str, Callable[[tuple[str, ...], str | None, int | None], Input]] = {
        "parquet": open_parquet,
        "jsonl": open_json,
        "text": open_text,
    }
    return opened[one_kind(paths)](paths, column, size)


def _names(question: Question, texts: bool) -> tuple[str, ...]:
    """Names of the answers, in the schema and as text."""
    names = question.names()
    if not texts:
        return names
    return tuple(dict.fromkeys([*names, *(NAMED.get(name, name) for name in names)]))


def _kept(
    data: Input, columns: Iterable[str] | None, made: Sequence[str], replaced: bool
) -> tuple[str, ...]:
    """Columns that go along, none named like an answer (``made``)."""
    if columns is None:
        names = list(data.schema.names)
        lost = [name for name in names if name in made]
        if data.hands.hand in lost:
            raise FileError(data.paths[0], Code.HANDS_LIKE_RESULT, name=repr(data.hands.hand))
        if lost and not replaced:
            raise FileError(data.paths[0], Code.COLUMNS_LIKE_RESULTS, names=tuple(lost))
        return tuple(name for name in names if name not in made)
    names = list(dict.fromkeys(columns))
    for name in names:
        if name not in data.schema.names:
            known = tuple(data.schema.names)
            raise FileError(data.paths[0], Code.NO_HAND_COLUMN, name=repr(name), choices=known)
        if name in made:
            raise FileError(data.paths[0], Code.COLUMN_LIKE_RESULT, name=repr(name))
    return tuple(names)


def _carried(field: pa.Field, is_hand: bool) -> pa.Field:
    """The field of a column that goes along: hands of bytes are written as bytes."""
    types, kind = arrow().types, field.type
    if not is_hand:
        return field
    if types.is_fixed_size_list(kind) and types.is_uint8(kind.value_type):
        return hand_field(field.name, kind.list_size, field.metadata)
    if types.is_fixed_size_binary(kind):
        return hand_field(field.name, kind.byte_width, field.metadata)
    if types.is_string(kind) or types.is_large_string(kind):
        return field.with_metadata(metadata("text") | (field.metadata or {}))
    return field


def _as_counts(array: pa.Array, field: pa.Field) -> pa.Array:
    """A column as its field says: lists of uint8 become bytes, uncopied."""
    pa = arrow()
    if array.type == field.type or notation_of(field) != COUNTS:
        return array
    n, width = len(array), array.type.list_size
    values = array.values.slice(array.offset * width, n * width)
    missing = np.asarray(array.is_null())
    if values.null_count:
        # a count that is missing: the row has an error, its hand is none
        missing = missing | np.asarray(values.is_null()).reshape(n, width).any(axis=1)
        values = values.fill_null(0)
    valid = pa.py_buffer(np.packbits(~missing, bitorder="little")) if missing.any() else None
    data = values.buffers()[1]
    return pa.Array.from_buffers(
        field.type, n, [valid, None if data is None else data.slice(values.offset)]
    )


def _conditions(
    where: str | None, schema: pa.Schema, keep: Sequence[str], answers: Sequence[pa.Field]
) -> tuple[Any, Any, set[str]]:
    """Conditions for the reader, those for the answers, and the columns they look at."""
    if where is None:
        return None, None, set()
    made = {field.name for field in answers}
    before: list[Condition] = []
    after: list[Condition] = []
    for condition in parse_where(where):
        (after if condition.names & made else before).append(condition)
    fields = [field for field in schema if field.name not in made]
    whole = arrow().schema([*fields, *answers])
    looked_at = {name for c in (*before, *after) for name in c.names if name not in made}
    return (
        all_of([condition.expression(whole) for condition in before]),
        all_of([condition.expression(whole) for condition in after]),
        looked_at,
    )


def _fingerprint(job: Job, where: str | None) -> str:
    """What two runs must have in common to share parts."""
    question = job.question
    seen = None if question.seen is None else np.asarray(question.seen).tolist()
    layout = getattr(job.input, "layout", None)
    said = (
        __version__, question.queries, question.rules, question.tiles, seen, question.void,
        question.wilds, job.keep, job.columns, where, layout, job.input.hands,
        job.schema.to_string(show_field_metadata=True),
    )  # fmt: skip
    return hashlib.sha256(repr(said).encode()).hexdigest()[:32]
