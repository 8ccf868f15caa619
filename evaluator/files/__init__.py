"""Files of hands: record batch in, answers, record batch out, whatever is read and written.

pyarrow reads, cuts, writes, compresses and filters; what is ours is text to counts and counts
to answers. Pieces are read and answered by several threads or by a cluster and written in
order, so that memory stays bounded whatever the size of the files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from ..errors import Code, EvaluatorError, FileError

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..hands import Hands
    from ..rulesets import Rules
    from .answercolumns import Tiles
    from .outcomes import BadRow, BadRowError, Summary

Form = Literal["csv", "jsonl", "parquet"]
FORMS: tuple[Form, ...] = ("csv", "jsonl", "parquet")
OUTPUTS: dict[str, Form] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    **dict.fromkeys(("", ".csv", ".txt"), "csv"),
}

__all__ = ["BadRow", "BadRowError", "FileError", "Summary", "evaluate", "run"]

_HOME = {
    "BadRow": "outcomes",
    "BadRowError": "outcomes",
    "Summary": "outcomes",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_HOME[name]}", __name__), name)


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
    chunk: int | None = None,
    report: Callable[[BadRow], None] | None = None,
    progress: Callable[[int, int], None] | None = None,
    begin: Callable[[int | None, str], None] | None = None,
) -> Summary:
    """Read hands from files and write the answers to another, or to a folder of parts.

    Text has a hand a line, or is CSV (cells between commas, tabs or semicolons) with a
    ``hand`` column; JSON lines and Parquet have such a column as well, Parquet also of
    counts (:func:`evaluate` says which types). Other columns are carried through; columns
    ``void`` (m, p, s) and ``wilds`` (0-8) are used where they are not empty. A hand gets the
    answers of the queries that its size allows. Bad rows, those that no query allows among
    them, keep their place, with empty results; a row of CSV with too many or too few cells
    ends the run.

    Parameters
    ----------
    source : str or path-like
        A file, a folder or a glob; ``"-"`` is standard input. Names end in ``.parquet``,
        ``.jsonl`` or ``.csv``, all others are text; those that end in ``.gz`` are
        compressed.
    sink : str or path-like
        ``"-"`` is standard output; a name that ends in ``/`` is a folder of Parquet parts.
    queries : str or sequence of str
        As of :func:`evaluate`.
    rules : str, Rules or None
    form : {"csv", "jsonl", "parquet"}, optional
        Of the output; by its name, CSV where that has no ending.
    column : str, optional
        Name of the column of hands, instead of ``hand``.
    columns : iterable of str, optional
        Columns that are carried through; all by default.
    where : str, optional
        Rows that are written: a condition on columns of the input, which the reader
        looks at, and on those of the answers (:mod:`evaluator.files.conditions`).
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
    chunk : int, optional
        Bytes of text read at a time.
    report : callable
        Told of bad rows, in order: of the first hundred of each piece.
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
        pyarrow is not installed: the message has the line to install it.
    """
    from ..engine.optional import arrow
    from ..engine.parallel import cores
    from ..rulesets import rules as lookup

    form = form or form_of(sink)
    if form not in FORMS:
        raise EvaluatorError(Code.NOT_A_CHOICE, key="form", value=form, choices=FORMS)
    if threads is not None and threads < 1:
        raise EvaluatorError(Code.OUT_OF_RANGE, key="threads", low=1, high=1024, value=threads)
    arrow()
    from .jobs import make_job
    from .outputs import write_file, write_folder
    from .questions import check_queries

    named = check_queries(queries)
    known = lookup(rules) if isinstance(rules, str) else rules
    follow: dict[str, Any] = {"strict": strict, "report": report, "progress": progress}
    into_folder = is_folder(sink)
    if not into_folder and (resume or dask is not None):
        what = "--resume" if resume else "--dask"
        raise FileError(os.fspath(sink), Code.NEEDS_FOLDER, key=what)
    if into_folder and form != "parquet":
        raise FileError(os.fspath(sink), Code.FOLDER_IS_PARQUET, form=form)
    job = make_job(
        source, named, known, column=column, columns=columns, where=where, tiles=tiles,
        seen=seen, void=void, wilds=wilds, replaced=replace, texts=form != "parquet", size=chunk,
    )  # fmt: skip
    if begin is not None:
        begin(job.input.total, "B" if job.input.unit == "line" else "row")
    if into_folder:
        return write_folder(job, sink, threads, force, resume, dask, **follow)
    workers = cores() if threads is None else threads
    return write_file(job, sink, None if form == "parquet" else form, workers, force, **follow)


@overload
def evaluate(
    hands: Hands, queries: str | Sequence[str], rules: str | Rules | None = None, **options: Any
) -> dict[str, npt.NDArray[Any]]: ...
@overload
def evaluate(
    hands: Any, queries: str | Sequence[str], rules: str | Rules | None = None, **options: Any
) -> Any: ...
def evaluate(
    hands: Any, queries: str | Sequence[str], rules: str | Rules | None = None, **options: Any
) -> Any:
    """Ask several things of a batch of hands; columns in, columns out.

    Parameters
    ----------
    hands : Hands, or pyarrow.RecordBatch or Table, or what has ``__arrow_c_stream__``
        Arrow has a column ``hand``: ``fixed_size_binary[34]`` (``[27]``) or lists of 34 (27)
        integers, a count per tile in the order 1m-9m 1p-9p 1s-9s 1z-7z, or text in any
        notation. Or a hand in parts: ``concealed`` (either) and any of ``melds``,
        ``win_tile``, ``flags``, ``prevalent_wind``, ``seat_wind``, ``flowers``; beside
        text they are text, beside counts the numbers of :class:`evaluator.Hands`.
        Columns ``void`` (0-2 or m, p, s) and ``wilds`` are used where they are not null.
        Slices, chunks, dictionaries and views are all the same; a null hand has null
        answers.
    queries : str or sequence of str
        Of ``"shanten"``, ``"waits"``, ``"discards"``, ``"win"``, ``"score"``,
        ``"wait_scores"`` and ``"patterns"``. Each hand is asked those that its size allows,
        and for a score if it is a win; a hand that none of them allows (14 tiles and only
        ``waits``, no win and only ``score``) is a bad row.
    rules : str, Rules or None
        None: ``sbr_2025`` where an Arrow type says 27 kinds, else ``guobiao``.
    seen : array_like of int, shape (34,), optional
        Tiles visible elsewhere; of Hands also a row for each, shape (n, 34).
    void, wilds : int, optional
        Void suit 0-2, and wild tiles held, for rows that do not say their own; of Hands also
        arrays of shape (n,), in which a void suit of 255 leaves that hand to the rules.
    threads : int, optional
    column : str, optional
        Of Arrow: the column of hands.
    keep : iterable of str, optional
        Of Arrow: columns that go along; all by default.
    tiles : {"mask", "names"}
        Of Arrow: tiles as ``uint64`` (bit = tile) and ``uint8``, or as ``list<string>`` and
        text; fan as 82 counts or as ``list<string>``.

    Returns
    -------
    RecordBatch, or Table for a table or stream; dict of str to ndarray for Hands
        ``shanten`` int8; ``waits_shanten`` int8, ``waits_mask`` uint64 (by name ``waits``),
        ``waits_left`` uint8 (copies); ``discard`` uint8 (the best), ``discard_shanten`` int8,
        ``discard_mask`` uint64 (``discard_waits``), ``discard_left`` uint8: what the hand then
        accepts; ``win`` bool; ``score`` int16, ``minimum_met`` bool, ``fan_counts`` 82 bytes
        (``fans``), under rules with patterns ``fan`` int16, ``points`` and ``payment`` int32,
        ``pattern``, a byte per group (``patterns``), ``gens`` and ``kongs`` uint8, ``addons``
        int8, ``minimum_met`` bool; ``wait_scores_mask`` uint64 (``wait_scores``), the tiles
        that win, and for each of them ``wait_scores_discard`` and ``wait_scores_self_drawn``
        int16 (−1: not in that way) and ``wait_scores_left`` uint8; ``patterns_NAME`` int8, the
        distance to each pattern. At the end ``error`` text.

        In Arrow null where there is no answer, and field metadata say the rules, the version
        and the notation. Of Hands tiles by bits and as text (``waits`` ``14m7p``), the numbers
        of each wait as 34 columns, also ``reason`` uint8 (:class:`evaluator.Reason`); where
        there is no answer −128 (a score or fan of −1), 0, False, 255 as the tile, empty text.

    Raises
    ------
    EvaluatorError
        Arguments that do not fit, an unknown query or rule set; a bad row never raises.
    MissingExtra
        pyarrow is not installed.

    Examples
    --------
    >>> import evaluator as ev, pyarrow as pa
    >>> batch = pa.record_batch({"hand": ["19m19p19s1234567z", None, "12x"]})
    >>> evaluate(batch, ["shanten"], "riichi").to_pylist()[0]
    {'hand': '19m19p19s1234567z', 'shanten': 0, 'error': None}
    >>> evaluate(batch, "waits", "riichi", tiles="names")["error"].to_pylist()[2]
    "'x' means nothing in mpsz / gb notation (at character 3)"
    >>> hands = ev.Hands.from_hands([ev.Hand.parse("123m456p789s1122z")])
    >>> found = evaluate(hands, ["shanten", "waits"], "riichi")
    >>> found["shanten"].tolist(), found["waits"].tolist()
    ([0], ['12z'])
    """
    from ..hands import Hands
    from .batches import evaluate_batch, evaluate_hands

    return (evaluate_hands if isinstance(hands, Hands) else evaluate_batch)(
        hands, queries, rules, **options
    )


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
        raise FileError(name, Code.FORMAT_UNKNOWN, choices=tuple(filter(None, OUTPUTS)))
    return form
