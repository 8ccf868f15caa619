"""Lists of dealt hands as files: Parquet, numpy's ``.npy``, CSV or text, a hand a line.

Any part of a list can be dealt alone, so that a file is made piece by piece: memory stays
bounded however long the list is, and an interrupted folder of parts is gone on with.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from ..engine.optional import arrow
from ..engine.ordered import in_order
from ..engine.parallel import cores
from ..errors import Code, EvaluatorError, FileError
from ..files import parquetoutput as sinks
from ..files.streams import STDIO, Sink
from ..files.textrows import hand_text_of
from ..hands.arrow.fields import hand_array, hand_field
from ..tiles import KINDS
from .deals import LONGEST, deal

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")
R = TypeVar("R")

Form = Literal["parquet", "npy", "csv", "text"]
FORMS: tuple[Form, ...] = ("parquet", "npy", "csv", "text")
Compression = Literal["snappy", "zstd", "none"]
COMPRESSIONS: tuple[Compression, ...] = ("snappy", "zstd", "none")

SUFFIXES: dict[str, Form] = {
    ".parquet": "parquet",
    ".npy": "npy",
    ".csv": "csv",
    ".txt": "text",
}
"""What a name ends in, before ``.gz``."""

PIECE = 1 << 18
"""Hands dealt at a time: a row group of Parquet."""
PART = 16 * PIECE
"""Hands of a part file of a folder."""

DEAL = b"mahjong.deal"
"""Field metadata: which list the hands are of."""

Progress = Callable[[int], None]


@dataclass(frozen=True)
class Deal:
    """A run of hands of a list that :func:`evaluator.deal` deals.

    Parameters
    ----------
    n, tiles, kinds, seed, family, start
        As for :func:`evaluator.deal`.
    """

    n: int
    tiles: int = 13
    kinds: int = KINDS
    seed: int = 0
    family: str = "random"
    start: int = 0

    def __post_init__(self) -> None:
        # what cannot be is refused before a file is opened
        self.hands(0, 0)
        if not 0 <= self.n <= LONGEST - self.start:
            most = LONGEST - self.start
            raise EvaluatorError(Code.OUT_OF_RANGE, key="n", low=0, high=most, value=self.n)

    def __str__(self) -> str:
        """What names the list, and where the run begins.

        >>> str(Deal(10, seed=3))
        'family=random tiles=13 kinds=34 seed=3 start=0'
        """
        names = ("family", "tiles", "kinds", "seed", "start")
        return " ".join(f"{name}={getattr(self, name)}" for name in names)

    def hands(self, first: int, count: int, threads: int | None = 1) -> npt.NDArray[np.uint8]:
        """Some of the hands, the first of the run being 0."""
        start = self.start + first
        return deal(
            count, self.tiles, self.kinds, self.seed, self.family, start=start, threads=threads
        )

    def pieces(self, first: int = 0, count: int | None = None) -> Iterator[tuple[int, int]]:
        """First hand and number of hands of each piece."""
        stop = self.n if count is None else first + count
        return ((at, min(PIECE, stop - at)) for at in range(first, stop, PIECE))


def form_of(path: str | os.PathLike[str]) -> Form:
    """The format that a name asks for.

    Raises
    ------
    FileError
        A name that says nothing.

    Examples
    --------
    >>> form_of("hands.parquet"), form_of("parts/"), form_of("hands.txt.gz"), form_of("-")
    ('parquet', 'parquet', 'text', 'text')
    """
    name = os.fspath(path)
    if sinks.is_folder_name(name):
        return "parquet"
    if name == STDIO:
        return "text"
    form = SUFFIXES.get(Path(name.removesuffix(".gz")).suffix)
    if form is None:
        raise FileError(name, Code.FORMAT_UNKNOWN, choices=tuple(SUFFIXES))
    return form


def write(
    hands: Deal,
    path: str | os.PathLike[str],
    form: Form | None = None,
    *,
    compression: Compression = "snappy",
    force: bool = False,
    resume: bool = False,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Deal into a file, or into a folder of part files.

    Parameters
    ----------
    hands : Deal
    path : str or path-like
        ``"-"`` is standard output; a name that ends in ``/`` is a folder of Parquet
        files, one for each 4,194,304 hands; text that ends in ``.gz`` is compressed.
    form : {"parquet", "npy", "csv", "text"}, optional
        None: by the name.
    compression : {"snappy", "zstd", "none"}
        Of Parquet.
    force : bool
        Replace what is there.
    resume : bool
        Of a folder: keep the parts of this list that are there.
    threads : int, optional
    progress : callable
        Told how many hands have been written.

    Raises
    ------
    FileError
        What is wrong with the file; nothing is left half-written.
    MissingExtra
        Parquet without pyarrow.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write(Deal(1000, tiles=14), f"{folder}/hands.npy")
    ...     np.load(f"{folder}/hands.npy").shape
    (1000, 34)
    """
    form = form_of(path) if form is None else form
    for key, value, choices in (("form", form, FORMS), ("compression", compression, COMPRESSIONS)):
        if value not in choices:
            raise EvaluatorError(Code.NOT_A_CHOICE, key=key, value=value, choices=choices)
    workers = cores() if threads is None else threads
    told = progress or (lambda done: None)
    if not sinks.is_folder_name(path):
        if resume:
            raise FileError(os.fspath(path), Code.RESUME_NEEDS_FOLDER)
        if form == "parquet":
            _write_parquet(hands, path, compression, force, workers, told)
        else:
            _write_bytes(hands, path, form, force, workers, told)
    elif form != "parquet":
        raise FileError(os.fspath(path), Code.FOLDER_IS_PARQUET, form=form)
    else:
        _write_folder(hands, path, compression, force, resume, workers, told)


def _in_threads(work: Callable[[T], R], pieces: Iterable[T], workers: int) -> Generator[R]:
    """Results in the order of the pieces; as many wait as there are threads."""
    runs = ([piece] for piece in pieces)
    return in_order(work, runs, workers, size=lambda _: 1, room=workers)


def _schema(hands: Deal) -> pa.Schema:
    return arrow().schema([hand_field("hand", hands.kinds, {DEAL: str(hands).encode()})])


def _write_parquet(
    hands: Deal,
    path: str | os.PathLike[str],
    compression: Compression,
    force: bool,
    workers: int,
    progress: Progress,
) -> None:
    schema = _schema(hands)
    done = 0
    with (
        sinks.open(path, schema, force=force, compression=compression) as sink,
        closing(_in_threads(lambda piece: hands.hands(*piece), hands.pieces(), workers)) as dealt,
    ):
        for counts in dealt:
            sink.write(arrow().record_batch([hand_array(counts)], schema=schema))
            done += len(counts)
            progress(done)


def _write_folder(
    hands: Deal,
    path: str | os.PathLike[str],
    compression: Compression,
    force: bool,
    resume: bool,
    workers: int,
    progress: Progress,
) -> None:
    schema = _schema(hands)
    parts = range(0, max(hands.n, 1), PART)

    def work(first: int) -> int:
        number, count = first // PART, min(PART, hands.n - first)
        chunk = f"{count} hands"
        if folder.finished(number, chunk) is None:
            batches = (
                arrow().record_batch([hand_array(hands.hands(*piece))], schema=schema)
                for piece in hands.pieces(first, count)
            )
            folder.write_part(number, batches, chunk)
        return count

    done = 0
    with sinks.hold(path):
        folder = sinks.Folder(
            path, schema, force=force, resume=resume, job=str(hands), compression=compression
        )
        with closing(_in_threads(work, parts, workers)) as written:
            for count in written:
                done += count
                progress(done)
        folder.complete(len(parts))


def _write_bytes(
    hands: Deal,
    path: str | os.PathLike[str],
    form: Form,
    force: bool,
    workers: int,
    progress: Progress,
) -> None:
    def work(piece: tuple[int, int]) -> memoryview:
        counts = hands.hands(*piece)
        return counts.data.cast("B") if form == "npy" else text(counts)

    sizes = (count for _, count in hands.pieces())
    done = 0
    with (
        Sink(path, force=force) as sink,
        closing(_in_threads(work, hands.pieces(), workers)) as dealt,
    ):
        sink.write(_header(hands, form))
        for data, count in zip(dealt, sizes, strict=True):
            sink.write(data)
            done += count
            progress(done)


def _header(hands: Deal, form: Form) -> bytes:
    if form == "npy":
        header = io.BytesIO()
        about = {"descr": "|u1", "fortran_order": False, "shape": (hands.n, hands.kinds)}
        np.lib.format.write_array_header_1_0(header, about)
        return header.getvalue()
    return b"hand\n" if form == "csv" else b""


def text(counts: npt.NDArray[np.uint8]) -> memoryview:
    """Hands in mpsz notation, a line each.

    Parameters
    ----------
    counts : ndarray of uint8, shape (n, 34) or (n, 27)
        At most 14 tiles each.

    Examples
    --------
    >>> import evaluator as ev
    >>> bytes(text(ev.parse("123m406p11z")[None]))
    b'123m456p11z\\n'
    """
    return memoryview(hand_text_of(counts, b"\n")[1])
