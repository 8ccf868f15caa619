"""The Arrow core: record batches of hands in, record batches with the answers out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..engine.optional import arrow
from ..engine.ordered import in_order
from ..engine.parallel import thread_count
from ..errors import Code, EvaluatorError
from ..hands import NONE, Hands
from ..hands.arrow.columns import HandRows, find_hands, kinds_of, read_hands
from ..hands.arrow.wrong import Wrong
from ..shape.intake import resolve
from ..tiles import KINDS
from .answercolumns import (
    NAMED,
    TILES,
    Tiles,
    answer_arrays,
    answer_fields,
    spread,
)
from .asking import answer, own_or_all
from .questions import LISTED, Asked, Columns, check_queries
from .textrows import mask_texts

if TYPE_CHECKING:
    import pyarrow as pa

    from ..rulesets import Rules

ROWS = 1 << 16
"""Rows of one piece of work."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every hand, and how the answers are written.

    Attributes
    ----------
    queries : tuple of str
    rules : Rules
    tiles : {"mask", "names"}
    seen, void, wilds :
        As in :class:`evaluator.files.questions.Asked`, for all hands.
    """

    queries: tuple[str, ...]
    rules: Rules
    tiles: Tiles = "mask"
    seen: Any = None
    void: Any = None
    wilds: Any = None

    def fields(self) -> list[pa.Field]:
        """The fields of the answers, ``error`` at the end."""
        return answer_fields(self.queries, self.rules, self.tiles)

    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(field.name for field in self.fields())

    def of(self, taken: HandRows) -> tuple[list[pa.Array], Wrong]:
        """The answers for some rows, arrays of :meth:`fields`, and what is wrong by row."""
        own = taken.hands.wilds if isinstance(taken.hands, Hands) else 0
        asked = Asked(
            self.queries,
            self.rules,
            self.seen,
            own_or_all(taken.void, self.void, NONE),
            own_or_all(taken.wilds, self.wilds, own),
            threads=1,
        )
        columns, wrong = answer(taken.hands, asked, taken.wrong)
        arrays = answer_arrays(columns, wrong, self.queries, self.rules, self.tiles)
        if taken.present is not None:
            arrays = [spread(array, taken.present, taken.n) for array in arrays]
        return arrays, wrong.spread(taken.present, taken.n)


def make_question(
    queries: str | Sequence[str],
    rules: str | Rules | None,
    kinds: int,
    *,
    tiles: str = "mask",
    seen: Any = None,
    void: Any = None,
    wilds: Any = None,
) -> Question:
    """A question with its arguments looked at."""
    if tiles not in TILES:
        raise EvaluatorError(Code.NOT_A_CHOICE, key="tiles", value=tiles, choices=TILES)
    names = check_queries(queries)
    return Question(names, resolve(rules, kinds), tiles, seen, void, wilds)


def evaluate_batch(
    batch: Any,
    queries: str | Sequence[str],
    rules: str | Rules | None = None,
    *,
    column: str | None = None,
    keep: Iterable[str] | None = None,
    tiles: Tiles = "mask",
    seen: Any = None,
    void: int | None = None,
    wilds: int | None = None,
    threads: int | None = None,
) -> Any:
    """:func:`evaluator.files.evaluate` of an Arrow batch, table or stream."""
    pa = arrow()
    given = batch if isinstance(batch, pa.RecordBatch | pa.Table) else _table(batch)
    hands = find_hands(given.schema, column)
    question = make_question(
        queries,
        rules,
        kinds_of(given.schema.field(hands.hand).type),
        tiles=tiles,
        seen=seen,
        void=void,
        wilds=wilds,
    )
    kept = _kept(given.schema, keep, question)
    pieces = [piece for part in _batches(given) for piece in _pieces(part)]
    answers = list(
        in_order(
            lambda piece: question.of(read_hands(piece, hands))[0],
            [[piece] for piece in pieces],
            thread_count(threads, given.num_rows),
        )
    )
    fields = question.fields()
    columns = [
        pa.chunked_array([answer[at] for answer in answers], field.type)
        for at, field in enumerate(fields)
    ]
    schema = pa.schema([*(given.schema.field(name) for name in kept), *fields])
    found = pa.Table.from_arrays([*(_chunked(given[n]) for n in kept), *columns], schema=schema)
    if isinstance(given, pa.Table):
        return found
    arrays = [column.combine_chunks() for column in found.columns]
    return pa.RecordBatch.from_arrays([_one(array) for array in arrays], schema=schema)


def _table(stream: Any) -> pa.Table:
    pa = arrow()
    if not hasattr(stream, "__arrow_c_stream__") and not hasattr(stream, "__arrow_c_array__"):
        raise EvaluatorError(Code.NOT_ARROW, dtype=type(stream).__name__)
    return pa.table(stream)


def _kept(schema: pa.Schema, keep: Iterable[str] | None, question: Question) -> list[str]:
    """Names of the columns that go along, none like an answer."""
    names = schema.names if keep is None else list(keep)
    for name in names:
        if schema.names.count(name) != 1:
            twice = name in schema.names
            code = Code.COLUMN_TWICE if twice else Code.COLUMN_NOT_THERE
            raise EvaluatorError(code, name=repr(name))
    taken = [name for name in names if name in question.names()]
    if taken:
        raise EvaluatorError(Code.COLUMN_LIKE_ANSWER, name=repr(taken[0]))
    return list(names)


def _batches(given: Any) -> Iterator[pa.RecordBatch]:
    return iter([given]) if isinstance(given, arrow().RecordBatch) else given.to_batches()


def _pieces(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    for begin in range(0, batch.num_rows, ROWS):
        yield batch.slice(begin, ROWS)


def _chunked(column: Any) -> Any:
    pa = arrow()
    return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])


def _one(array: Any) -> pa.Array:
    """The array of a column that was combined."""
    pa = arrow()
    if not isinstance(array, pa.ChunkedArray):
        return array
    return array.chunk(0) if array.num_chunks else pa.array([], array.type)


def evaluate_hands(
    hands: Hands,
    queries: str | Sequence[str],
    rules: str | Rules | None = None,
    *,
    seen: Any = None,
    void: Any = None,
    wilds: Any = None,
    threads: int | None = None,
) -> Columns:
    """:func:`evaluator.files.evaluate` of Hands."""
    named = check_queries(queries)
    columns, wrong = answer(hands, Asked(named, rules, seen, void, wilds, threads))
    known = resolve(rules, KINDS)
    for name in list(columns):
        if name.endswith("_mask"):
            columns[NAMED[name]] = _strings(mask_texts(columns[name]))
        elif name in LISTED:
            lists, number = LISTED[name][1](columns[name], known)
            texts = np.array(list(map(" ".join, lists)), np.dtypes.StringDType())
            columns[LISTED[name][0]] = texts[number]
    columns["error"] = _strings(wrong.messages().fill_null(""))
    return columns


def _strings(array: pa.Array) -> npt.NDArray[Any]:
    texts: npt.NDArray[Any] = array.to_numpy(zero_copy_only=False)
    return texts.astype(np.dtypes.StringDType())
