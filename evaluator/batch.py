"""Files of hands: answers in the order of the input, whatever is read and written.

Chunks are read by one thread, computed by several and written in order, so that
memory stays bounded whatever the size of the file. One text to another goes from
bytes to bytes, here; all else goes through Arrow (:mod:`evaluator.bulk.jobs`).
"""

from __future__ import annotations

import dataclasses
import glob
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from .bulk import columns as tables
from .bulk.columns import QUERIES, Asked, answer, check_queries, one_line, own_or_all
from .bulk.csvrows import CHUNK, Chunk, Layout, chunks, read_rows
from .bulk.files import FileError, Sink, Source
from .bulk.outcomes import BadRow, BadRowError, Summary
from .bulk.render import FORMATS, Format, body, header, replaced
from .engine.parallel import cores, ended_by
from .errors import EvaluatorError
from .hands import NONE, Hands

if TYPE_CHECKING:
    from .bulk.arrowresults import Tiles
    from .rulesets import Rules

Form = Literal["csv", "jsonl", "parquet"]
FORMS: tuple[Form, ...] = (*FORMATS, "parquet")
OUTPUTS: dict[str, Form] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    **dict.fromkeys(("", ".csv", ".txt"), "csv"),
}
OTHER_INPUTS = (".parquet", ".pq", ".jsonl", ".ndjson")
"""Suffixes of files that are not read as text."""

__all__ = ["QUERIES", "BadRow", "BadRowError", "Summary", "evaluate", "run"]


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
    form: Form | None = None,
    column: str | None = None,
    columns: Iterable[str] | None = None,
    where: str | None = None,
    tiles: Tiles = "mask",
    seen: Any = None,
    void: int | None = None,
    wilds: int | None = None,
    threads: int | None = None,
    strict: bool = False,
    force: bool = False,
    resume: bool = False,
    replace: bool = False,
    dask: str | None = None,
    chunk: int = CHUNK,
    report: Callable[[BadRow], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
    begin: Callable[[int | None, str], None] | None = None,
) -> Summary:
    """Read hands from files and write the answers to another, or to a folder of parts.

    Text has a hand a line, or is CSV (cells between commas, tabs or semicolons) with a
    ``hand`` column; JSON lines and Parquet have such a column as well, Parquet also of
    counts (:func:`evaluator.bulk.arrowbatch.evaluate` says which types). Other columns are
    carried through; columns ``void`` (m, p, s) and ``wilds`` (0-8) are used where they
    are not empty. A hand gets the answers of the queries that its size allows. Bad rows,
    those that no query allows among them, keep their place, with empty results.

    Parameters
    ----------
    source : str or path-like
        A file, a folder or a glob; ``"-"`` is standard input. Names end in ``.parquet``,
        ``.jsonl`` or ``.csv``, all others are text; those that end in ``.gz`` are
        compressed.
    sink : str or path-like
        ``"-"`` is standard output; a name that ends in ``/`` is a folder of Parquet parts.
    queries : sequence of {"shanten", "waits", "discards", "win", "score"}
    rules : str, Rules or None
    form : {"csv", "jsonl", "parquet"}, optional
        Of the output; by its name, CSV where that has no ending.
    column : str, optional
        Name of the column of hands, instead of ``hand``.
    columns : iterable of str, optional
        Columns that are carried through; all by default.
    where : str, optional
        Rows that are written: a condition on columns of the input, which the reader
        looks at, and on those of the answers (:mod:`evaluator.bulk.where`).
    tiles : {"mask", "names"}
        How Parquet gets tiles.
    seen : array_like of int, shape (34,), optional
        Tiles visible to all hands.
    void, wilds : int, optional
        For rows that do not say their own.
    threads : int, optional
    strict : bool
        Stop at the first bad row.
    force : bool
        Replace an existing file, or the parts of a folder.
    resume : bool
        Keep the parts of a folder that are complete and of the same question and input.
    replace : bool
        Leave out columns of the input that are named like a result.
    dask : str, optional
        Let a Dask cluster do it, into a folder: the address of a scheduler; empty, that
        of the environment or a cluster of this machine. A script that starts one does so
        under ``if __name__ == "__main__":``, as its processes import the script.
    chunk : int
        Bytes of text read at a time.
    report : callable
        Told of each bad row, in order (of a cluster: of the first of each piece).
    progress : callable
        Told, after each piece, how much was read and how many rows written.
    begin : callable
        Told before the first how much there is to read, if that is known, and in what:
        ``"B"`` bytes or ``"row"``.

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
    MissingExtra
        Parquet, JSON lines, folders and conditions need pyarrow.
    """
    form = form or form_of(sink)
    if form not in FORMS:
        raise EvaluatorError(f"no format {form!r}: the formats are {', '.join(FORMS)}")
    if threads is not None and threads < 1:
        raise EvaluatorError(f"threads must be at least 1, got {threads}")
    workers = cores() if threads is None else threads
    asked = Asked(check_queries(queries), _resolve(rules), seen, void, wilds, threads=1)
    follow: dict[str, Any] = {"strict": strict, "report": report, "progress": progress}
    into_folder = is_folder(sink)
    if not into_folder and (resume or dask is not None):
        what = "--resume" if resume else "--dask"
        raise FileError(os.fspath(sink), f"{what} needs a folder: a name that ends in /")
    if into_folder and form != "parquet":
        raise FileError(os.fspath(sink), "a folder holds Parquet parts, no other format")
    plain = columns is None and where is None and _is_one_text(source)
    if form != "parquet" and plain and not into_folder:
        return _run_text(
            source, sink, asked, form, column, workers, force, replace, chunk, begin, **follow
        )  # fmt: skip
    from .bulk.jobs import make_job
    from .bulk.outputs import write_file, write_folder

    job = make_job(
        source, asked.names, rules, column=column, columns=columns, where=where, tiles=tiles,
        seen=seen, void=void, wilds=wilds, replaced=replace, texts=form != "parquet",
    )  # fmt: skip
    if begin is not None:
        begin(job.input.total, "B" if job.input.unit == "line" else "row")
    if into_folder:
        return write_folder(job, sink, threads, force, resume, dask, **follow)
    return write_file(job, sink, None if form == "parquet" else form, workers, force, **follow)


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether an output is a folder of parts.

    >>> is_folder("out/"), is_folder("out.csv")
    (True, False)
    """
    return os.fspath(path).endswith(("/", os.sep))


def form_of(path: str | os.PathLike[str]) -> Form:
    """The format that a name means.

    >>> form_of("out.jsonl.gz"), form_of("out.parquet"), form_of("out/"), form_of("-")
    ('jsonl', 'parquet', 'parquet', 'csv')
    """
    if is_folder(path):
        return "parquet"
    name = os.fspath(path)
    form = OUTPUTS.get(Path(name.removesuffix(".gz")).suffix.casefold())
    if form is None:
        known = ", ".join(filter(None, OUTPUTS))
        raise FileError(name, f"which format? Names end in {known} or /; or say --format")
    return form


def _is_one_text(source: str | os.PathLike[str]) -> bool:
    """Whether an input is one file of lines or CSV."""
    name = os.fspath(source)
    suffix = Path(name.removesuffix(".gz")).suffix.casefold()
    if os.path.exists(name):
        return not os.path.isdir(name) and suffix not in OTHER_INPUTS
    return not glob.has_magic(name) and suffix not in OTHER_INPUTS


def _run_text(
    source: str | os.PathLike[str],
    sink: str | os.PathLike[str],
    asked: Asked,
    form: Format,
    column: str | None,
    workers: int,
    force: bool,
    replace: bool,
    chunk: int,
    begin: Callable[[int | None, str], None] | None,
    *,
    strict: bool,
    report: Callable[[BadRow], None] | None,
    progress: Callable[[int, int], None] | None,
) -> Summary:
    """Text to text; chunks are the unit of work, each is computed by one thread."""
    with Source(source) as text, Sink(sink, force=force, source=text) as out:
        if begin is not None:
            begin(text.size, "B")
        layout, pieces = chunks(text, column, chunk)
        _keep_columns(layout, asked, text.name, replace)
        out.write(header(layout, asked.names, form, asked.rules))
        work = partial(_compute, layout=layout, asked=asked, form=form, name=text.name)
        rows = bad = 0
        with closing(_in_order(work, pieces, workers)) as computed:
            for done in computed:
                bad += len(done.bad)
                if strict and done.bad:
                    raise BadRowError(text.name, done.bad[0].line, done.bad[0].error)
                out.write(done.text)
                rows += done.rows
                if report is not None:
                    for row in done.bad:
                        report(row)
                if progress is not None:
                    progress(text.position(), rows)
    return Summary(rows, bad)


def _keep_columns(layout: Layout, asked: Asked, name: str, replace: bool) -> None:
    """Refuse an input with columns that the output would lose."""
    lost = replaced(layout, asked.names, asked.rules)
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


def _in_order(
    work: Callable[[Chunk], _Done], pieces: Iterable[Chunk], workers: int
) -> Generator[_Done]:
    """Compute pieces in threads, give them back in order, hold a few at a time."""
    pool = ThreadPoolExecutor(workers, thread_name_prefix="batch")
    waiting: deque[Future[_Done]] = deque()
    stopped = False

    def labour(piece: Chunk) -> _Done:
        with ended_by(lambda: stopped):
            return work(piece)

    try:
        for piece in pieces:
            waiting.append(pool.submit(labour, piece))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        stopped = True
        pool.shutdown(cancel_futures=True)


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
        None: ``sbr_2025`` where an Arrow type says 27 kinds, else ``guobiao``.
    **options
        ``seen``, ``void``, ``wilds`` and ``threads``; for Arrow also ``column`` (of the
        hands), ``keep`` (columns that go along; all) and ``tiles`` (``"mask"`` or
        ``"names"``). :func:`evaluator.bulk.columns.evaluate` and
        :func:`evaluator.bulk.arrowbatch.evaluate` tell each of them and the answers.

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
        return tables.evaluate(hands, queries, rules, **options)
    from .bulk.arrowbatch import evaluate as evaluate_arrow

    return evaluate_arrow(hands, queries, rules, **options)
