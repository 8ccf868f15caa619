"""Files of hands: text in, text out, in the order of the input.

Chunks are read by one thread, computed by several and written in order, so that
memory stays bounded whatever the size of the file. What is asked is asked of
:func:`evaluator.columns.evaluate`, which knows columns only: another file format
needs a reader and a writer, no more.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from . import columns
from .columns import QUERIES, Asked, RowError, answer, check_queries, one_line, own_or_all
from .csvrows import CHUNK, Chunk, Layout, chunks, read_rows
from .errors import EvaluatorError
from .files import FileError, Sink, Source
from .hands import NONE, Hands
from .parallel import cores, in_order
from .render import FORMATS, Format, body, header, replaced

if TYPE_CHECKING:
    from .rulesets import Rules

__all__ = ["QUERIES", "BadRow", "BadRowError", "Summary", "evaluate", "run"]


class BadRow(NamedTuple):
    """A line that is no hand, or no hand for what was asked."""

    line: int
    error: RowError


class BadRowError(EvaluatorError):
    """The first bad row, where one ends the batch.

    Attributes
    ----------
    line : int
    error : NotationError or HandError
    """

    def __init__(self, name: str, line: int, error: RowError) -> None:
        self.line = line
        self.error = error
        super().__init__(name, line, error)

    def __str__(self) -> str:
        name, line, error = self.args
        return f"{name}: line {line}: {one_line(error)}"


class Summary(NamedTuple):
    """How many rows were written, and how many of them are bad."""

    rows: int
    bad: int


class _Done(NamedTuple):
    """A computed chunk."""

    text: memoryview
    rows: int
    bad: list[BadRow]


def run(
    source: str | os.PathLike[str],
    sink: str | os.PathLike[str],
    queries: str | Sequence[str] = "shanten",
    rules: str | Rules | None = None,
    *,
    form: Format = "csv",
    column: str | None = None,
    seen: Any = None,
    void: int | None = None,
    wilds: int | None = None,
    threads: int | None = None,
    strict: bool = False,
    force: bool = False,
    replace: bool = False,
    chunk: int = CHUNK,
    report: Callable[[BadRow], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Summary:
    """Read hands from a text file and write the answers to another.

    The input has a hand a line, or is CSV (cells between commas, tabs or semicolons)
    with a ``hand`` column, whose other columns are carried through; columns ``void``
    (m, p, s) and ``wilds`` (0-8) are used where they are not empty. A hand gets the
    answers of the queries that its size allows. Bad rows, those that no query allows
    among them, keep their place, with empty results.

    Parameters
    ----------
    source, sink : str or path-like
        ``"-"`` is standard input or output; names that end in ``.gz`` are compressed.
    queries : sequence of {"shanten", "waits", "discards", "win", "score"}
    rules : str, Rules or None
    form : {"csv", "jsonl"}
    column : str, optional
        Name of the column of hands, instead of ``hand``.
    seen : array_like of int, shape (34,), optional
        Tiles visible to all hands.
    void, wilds : int, optional
        For rows that do not say their own.
    threads : int, optional
    strict : bool
        Stop at the first bad row.
    force : bool
        Replace an existing file.
    replace : bool
        Leave out columns of the input that are named like a result.
    chunk : int
        Bytes read at a time.
    report : callable
        Told of each bad row, in order.
    progress : callable
        Told, after each chunk, how many bytes of the source were read and how many
        rows written.

    Returns
    -------
    Summary

    Raises
    ------
    FileError
        What is wrong with a file; nothing is left half-written. Columns that are named
        like a result, without ``replace``.
    BadRowError
        With ``strict``, the first bad row.
    RulesError
        An unknown rule set.
    """
    if form not in FORMATS:
        raise EvaluatorError(f"no format {form!r}: the formats are {', '.join(FORMATS)}")
    workers = cores() if threads is None else threads
    # chunks are the unit of work: each is computed by one thread
    asked = Asked(check_queries(queries), _resolve(rules), seen, void, wilds, threads=1)
    with Source(source) as text, Sink(sink, force=force, source=text) as out:
        layout, pieces = chunks(text, column, chunk)
        _keep_columns(layout, asked.names, text.name, replace)
        out.write(header(layout, asked.names, form))
        work = partial(_compute, layout=layout, asked=asked, form=form, name=text.name)
        rows = bad = 0
        with closing(in_order(work, pieces, workers)) as computed:
            for done in computed:
                bad += len(done.bad)
                if strict and done.bad:
                    raise BadRowError(text.name, *done.bad[0])
                out.write(done.text)
                rows += done.rows
                if report is not None:
                    for row in done.bad:
                        report(row)
                if progress is not None:
                    progress(text.position(), rows)
    return Summary(rows, bad)


def _keep_columns(layout: Layout, queries: Sequence[str], name: str, replace: bool) -> None:
    """Refuse an input with columns that the output would lose."""
    lost = replaced(layout, queries)
    hand = None if layout.hand is None else layout.columns[layout.hand]
    if hand in lost:
        raise FileError(name, f"its column of hands is called {hand!r}, as a result is: rename it")
    if lost and not replace:
        what = f"columns {', '.join(lost)} are" if len(lost) > 1 else f"column {lost[0]!r} is"
        raise FileError(
            name, f"its {what} named like results: rename them, or --replace leaves them out"
        )


def _resolve(rules: str | Rules | None) -> str | Rules | None:
    from .rulesets import rules as lookup

    return lookup(rules) if isinstance(rules, str) else rules


def _compute(piece: Chunk, *, layout: Layout, asked: Asked, form: Format, name: str) -> _Done:
    rows = read_rows(piece, layout, name)
    asked = dataclasses.replace(
        asked,
        void=own_or_all(rows.void, asked.void, NONE),
        wilds=own_or_all(rows.wilds, asked.wilds, rows.hands.wilds),
    )
    found, errors = answer(rows.hands, asked, rows.errors)
    bad = [BadRow(int(rows.lines[row]), errors[row]) for row in sorted(errors)]
    messages = {row: one_line(error) for row, error in errors.items()}
    text = body(rows, found, messages, layout, asked.names, form, asked.rules)
    return _Done(text, len(rows), bad)


def evaluate(
    hands: Any, queries: str | Sequence[str], rules: str | Rules | None = None, **options: Any
) -> Any:
    """Ask several things of a batch of hands.

    Parameters
    ----------
    hands : Hands, or an Arrow batch, table or stream
    queries : sequence of {"shanten", "waits", "discards", "win", "score"}
    rules : str, Rules or None
    **options
        As :func:`evaluator.columns.evaluate` takes them for ``Hands`` and
        :func:`evaluator.arrowbatch.evaluate` for Arrow.

    Returns
    -------
    dict of str to ndarray for ``Hands``; RecordBatch or Table for Arrow

    Raises
    ------
    EvaluatorError
        Arguments that do not fit; a bad row never raises.

    Examples
    --------
    >>> import evaluator as ev, pyarrow as pa
    >>> batch = pa.record_batch({"hand": ["19m19p19s1234567z", "123m456p789s1122z"]})
    >>> evaluate(batch, ["shanten"], "riichi").to_pylist()[0]
    {'hand': '19m19p19s1234567z', 'shanten': 0, 'error': None}
    >>> hands = ev.Hands.from_hands([ev.Hand.parse("123m456p789s1122z")])
    >>> evaluate(hands, ["shanten"], "riichi")["shanten"]
    array([0], dtype=int8)
    """
    if isinstance(hands, Hands):
        return columns.evaluate(hands, queries, rules, **options)
    from .arrowbatch import evaluate as evaluate_arrow

    return evaluate_arrow(hands, queries, rules, **options)
