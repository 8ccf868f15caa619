"""The Arrow core: record batches of hands in, record batches with the answers out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import EvaluatorError
from ..hands import NONE, Hands
from ..inputs import resolve
from ..parallel import thread_count
from .arrowhands import HandRows, find_hands, kinds_of, read_hands
from .arrowresults import TILES, Tiles, result_arrays, result_fields, spread
from .columns import Asked, RowError, answer, check_queries, own_or_all
from .extras import arrow

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
        As in :class:`evaluator.bulk.columns.Asked`, for all hands.
    """

    queries: tuple[str, ...]
    rules: Rules
    tiles: Tiles = "mask"
    seen: Any = None
    void: Any = None
    wilds: Any = None

    def fields(self) -> list[pa.Field]:
        """The fields of the answers, ``error`` at the end."""
        return result_fields(self.queries, self.rules, self.tiles)

    def names(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(field.name for field in self.fields())

    def of(self, taken: HandRows) -> tuple[list[pa.Array], dict[int, RowError]]:
        """The answers for some rows, computed by one thread.

        Returns
        -------
        arrays : list of pyarrow.Array
            Of :meth:`fields`.
        errors : dict of int to NotationError or HandError
            What is wrong, by row.
        """
        own = taken.hands.wilds if isinstance(taken.hands, Hands) else 0
        asked = Asked(
            self.queries,
            self.rules,
            self.seen,
            own_or_all(taken.void, self.void, NONE),
            own_or_all(taken.wilds, self.wilds, own),
            threads=1,
        )
        columns, errors = answer(taken.hands, asked, taken.errors)
        arrays = result_arrays(columns, errors, self.queries, self.rules, self.tiles)
        if taken.present is None:
            return arrays, errors
        present = taken.present.tolist()
        return (
            [spread(array, taken.present, taken.n) for array in arrays],
            {present[row]: error for row, error in errors.items()},
        )


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
    """A question with its arguments looked at.

    Raises
    ------
    EvaluatorError
        An unknown query or rule set, another word for ``tiles``.
    """
    if tiles not in TILES:
        raise EvaluatorError(f"tiles must be {' or '.join(map(repr, TILES))}, got {tiles!r}")
    names = check_queries(queries)
    return Question(names, resolve(rules, kinds), tiles, seen, void, wilds)


def evaluate(
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
    """Ask several things of an Arrow batch of hands.

    Parameters
    ----------
    batch : pyarrow.RecordBatch or Table, or what has ``__arrow_c_stream__``
        With a column ``hand``: ``fixed_size_binary[34]`` (``[27]``) or lists of 34 (27)
        integers, a count per tile in the order 1m-9m 1p-9p 1s-9s 1z-7z, or text in any
        notation. Or with a hand in parts: ``concealed`` (either) and any of ``melds``,
        ``win_tile``, ``flags``, ``prevalent_wind``, ``seat_wind``, ``flowers``; beside
        text they are text, beside counts the numbers of :class:`evaluator.Hands`.
        Columns ``void`` (0-2 or m, p, s) and ``wilds`` are used where they are not null.
        Slices, chunks, dictionaries and views are all the same; a null hand has null
        answers.
    queries : sequence of {"shanten", "waits", "discards", "win", "score"}
    rules : str, Rules or None
        None: ``sbr_2025`` where the type says 27 kinds, else ``guobiao``.
    column : str, optional
        Name of the column of hands.
    keep : iterable of str, optional
        Columns that go along; all by default.
    tiles : {"mask", "names"}
        Tiles as ``uint64`` (bit = tile) and ``uint8``, or as ``list<string>`` and text;
        fan as 82 counts or as ``list<string>``.
    seen : array_like of int, shape (34,), optional
    void, wilds : int, optional
        For rows that do not say their own.
    threads : int, optional

    Returns
    -------
    pyarrow.RecordBatch, or Table for a table or stream
        The columns kept, then ``shanten`` int8; ``waits_shanten`` int8, ``waits_mask``
        uint64 (or ``waits``), ``waits_left`` uint8; ``discard`` uint8, ``discard_shanten``
        int8, ``discard_mask`` uint64 (or ``discard_waits``), ``discard_left`` uint8;
        ``win`` bool; ``score`` int16, ``minimum_met`` bool, ``fan_counts``
        fixed_size_binary[82] (or ``fans``); under rules with patterns ``fan`` int16,
        ``points`` and ``payment`` int32, ``pattern`` fixed_size_binary, a byte per group (or
        ``patterns``), ``gens`` and ``kongs`` uint8, ``addons`` int8, ``minimum_met`` bool;
        always ``error`` string. Null where there is
        no answer. Field metadata say the rules, the version and the notation.

    Raises
    ------
    EvaluatorError
        No hands, columns that do not fit, an unknown query or rule set; a bad row never
        raises.
    MissingExtra
        pyarrow is not installed.

    Examples
    --------
    >>> import pyarrow as pa
    >>> hands = pa.record_batch({"hand": ["123m456p789s1122z", None, "12x"]})
    >>> found = evaluate(hands, "waits", "riichi", keep=(), tiles="names")
    >>> found["waits"].to_pylist(), found["waits_left"].to_pylist()
    ([['1z', '2z'], None, None], [4, None, None])
    >>> found["error"].to_pylist()[2]
    "'x' means nothing in mpsz / gb notation (at character 3)"
    """
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
    with ThreadPoolExecutor(thread_count(threads, given.num_rows)) as pool:
        answers = list(pool.map(lambda piece: question.of(read_hands(piece, hands))[0], pieces))
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
        raise EvaluatorError(
            f"hands must be Hands, an Arrow batch or a table, not {type(stream).__name__}"
        )
    return pa.table(stream)


def _kept(schema: pa.Schema, keep: Iterable[str] | None, question: Question) -> list[str]:
    """Names of the columns that go along, none like an answer."""
    names = schema.names if keep is None else list(keep)
    for name in names:
        if schema.names.count(name) != 1:
            found = "twice" if name in schema.names else "not"
            raise EvaluatorError(f"column {name!r} is {found} in the batch")
    taken = [name for name in names if name in question.names()]
    if taken:
        raise EvaluatorError(
            f"column {taken[0]!r} is named like an answer: leave it out (keep=) or rename it"
        )
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
