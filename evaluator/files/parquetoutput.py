"""Parquet, written whole or not at all: one file, or a folder of part files.

A file is written beside its name and renamed when it is complete. A folder gets one file
per chunk, each whole by itself, so that an interrupted run leaves nothing but complete
parts and can be taken up again: every part says in its schema which job made it from which
chunk.
"""

from __future__ import annotations

import contextlib
import copy
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ..engine.optional import arrow, need
from ..errors import Code, FileError
from ..hands.arrow.fields import COUNTS, MASK, no_rows, notation_of
from .parquetinput import reading
from .streams import Sink, is_part_name, named_errors

try:
    import fcntl
except ImportError:  # not of this system
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    import pyarrow as pa

SNAPPY = "snappy"
"""Compression by default."""

JOB = b"mahjong.job"
CHUNK = b"mahjong.chunk"
BAD = b"mahjong.bad"
"""Schema metadata of a part: what was asked, of what, and how many rows of it are bad."""

COMPLETE = "_SUCCESS"
"""Empty file of a folder that is complete; readers of folders pass over its name."""

_PART = re.compile(r"part-\d{6,}\.parquet")


def open(
    path: str | os.PathLike[str],
    schema: pa.Schema,
    *,
    force: bool = False,
    compression: str = SNAPPY,
) -> ParquetSink | Folder:
    """A file of record batches, or a folder of them where the name ends in ``/``."""
    if is_folder_name(path):
        return Folder(path, schema, force=force, compression=compression)
    return ParquetSink(path, schema, force=force, compression=compression)


def is_folder_name(path: str | os.PathLike[str]) -> bool:
    """Whether a name means a folder.

    >>> is_folder_name("out/"), is_folder_name("out.parquet")
    (True, False)
    """
    return os.fspath(path).endswith(("/", os.sep))


def _stream(sink: Sink) -> Any:
    """A sink as pyarrow wants a file."""
    pa = arrow()
    if sink.path is not None:
        # pyarrow's own file, so that threads do not wait for each other to write a page; not
        # of a name or with permissions that it cannot open
        with contextlib.suppress(PermissionError, UnicodeEncodeError):
            return pa.OSFile(os.path.abspath(sink.path), mode="w")
    return pa.PythonFile(_Stream(sink), mode="w")


class _Stream:
    """A pipe or a device; what the system refuses keeps its name."""

    closed = False

    def __init__(self, sink: Sink) -> None:
        self._sink = sink

    def write(self, data: Any) -> int:
        self._sink.write(data)
        return memoryview(data).nbytes

    def flush(self) -> None:
        self._sink.flush()

    def close(self) -> None:
        self.closed = True


class ParquetSink:
    """One Parquet file, a row group per batch.

    Examples
    --------
    >>> import tempfile, evaluator as ev, pyarrow as pa, pyarrow.parquet as pq
    >>> from evaluator.hands.arrow.fields import hand_array, hand_field
    >>> schema = pa.schema([hand_field()])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with ParquetSink(f"{folder}/hands.parquet", schema) as sink:
    ...         for seed in range(2):
    ...             hands = hand_array(ev.deal(100, seed=seed))
    ...             sink.write(pa.record_batch([hands], schema=schema))
    ...     pq.read_table(f"{folder}/hands.parquet").num_rows
    200
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        schema: pa.Schema,
        *,
        force: bool = False,
        compression: str = SNAPPY,
    ) -> None:
        pq = need("pyarrow.parquet", "arrow")
        self.schema = schema
        self._sink = Sink(path, force=force)
        self.name = self._sink.name
        self._stream: Any = None
        self._writer: Any = None
        try:
            with named_errors(self.name):
                self._stream = _stream(self._sink)
                options = _options(schema, compression)
                self._writer = pq.ParquetWriter(self._stream, schema, **options)
        except BaseException as error:
            self._leave(error)
            raise

    def prepare(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """What :meth:`write` takes: the batch itself."""
        return batch

    def write(self, batch: pa.RecordBatch) -> None:
        """Append rows."""
        with named_errors(self.name):
            self._writer.write_batch(batch, row_group_size=max(batch.num_rows, 1))

    def close(self) -> None:
        """Complete the file: it gets its name."""
        self.__exit__(None, None, None)

    def _leave(self, error: BaseException | None) -> None:
        if error is not None and self._writer is not None:
            # a writer that is let go would still put a footer
            self._writer.is_open = False
            self._writer = None
        if error is not None and self._stream is not None:
            with contextlib.suppress(OSError):
                self._stream.close()
        self._sink.__exit__(None if error is None else type(error), error, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            try:
                with named_errors(self.name):
                    self._writer.close()
                    self._stream.close()
            except BaseException as failed:
                self._leave(failed)
                raise
        self._leave(error)


@contextlib.contextmanager
def hold(path: str | os.PathLike[str]) -> Iterator[None]:
    """Keep other runs out of a folder of parts while one writes into it."""
    name = os.fspath(path)
    with named_errors(name):
        os.makedirs(name, exist_ok=True)
    with contextlib.ExitStack() as stack:
        if fcntl is not None:
            # goes with the process, however that ends
            with contextlib.suppress(OSError):
                folder = os.open(name, os.O_RDONLY)
                stack.callback(os.close, folder)
                try:
                    fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    raise FileError(name, Code.ANOTHER_RUN) from None
        yield


class Folder:
    """A folder of part files ``part-000000.parquet``, each whole by itself."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        schema: pa.Schema,
        *,
        force: bool = False,
        resume: bool = False,
        job: str = "",
        compression: str = SNAPPY,
    ) -> None:
        self.compression = compression
        self.name = os.fspath(path)
        self.path = Path(path)
        self.schema = schema
        self.job = job
        self._next = 0
        with named_errors(self.name):
            self.path.mkdir(parents=True, exist_ok=True)
            names = sorted(os.listdir(self.path))
        ours = [name for name in names if is_ours(name)]
        if len(ours) < len(names):
            other = next(name for name in names if not is_ours(name))
            raise FileError(self.name, Code.NOT_A_PART, name=other)
        if ours and not (force or resume):
            raise FileError(self.name, Code.FOLDER_NOT_EMPTY)
        for name in ours if resume else ():
            # a part of another job is refused before the first of this one is written
            if _PART.fullmatch(name):
                self.finished(_number(name))
        for name in ours:
            if not (resume and _PART.fullmatch(name)):
                with named_errors(self.name), contextlib.suppress(FileNotFoundError):
                    (self.path / name).unlink()

    def at(self, path: Path) -> Folder:
        """The same folder by another name."""
        other = copy.copy(self)
        other.path, other.name = path, os.fspath(path)
        return other

    def part(self, number: int) -> Path:
        """Name of a part."""
        return self.path / f"part-{number:06}.parquet"

    def write(self, batch: pa.RecordBatch) -> None:
        """The next part."""
        self.write_part(self._next, [batch])
        self._next += 1

    def write_part(
        self, number: int, batches: Iterable[pa.RecordBatch], chunk: str = "", bad: int = 0
    ) -> None:
        """One part; parts can be written in any order and by several threads."""
        schema = part_schema(self.schema, self.job, chunk, bad)
        with ParquetSink(
            self.part(number), schema, force=True, compression=self.compression
        ) as sink:
            for batch in batches:
                sink.write(batch.replace_schema_metadata(schema.metadata))

    def finished(self, number: int, chunk: str = "") -> tuple[int, int] | None:
        """Rows and bad rows of a part that is what this job would write; None if it is not."""
        path = self.part(number)
        if not path.exists():
            return None
        try:
            with reading(path) as file:
                found, rows = file.schema_arrow, file.metadata.num_rows
        except (OSError, ValueError):
            # damaged: made again
            return None
        about = found.metadata or {}
        if about.get(JOB) != self.job.encode():
            raise FileError(os.fspath(path), Code.MADE_BY_ANOTHER)
        if about.get(CHUNK) != chunk.encode():
            # the input is no longer what it was
            return None
        return (int(rows), int(about.get(BAD, 0))) if found.equals(self.schema) else None

    def complete(self, parts: int) -> None:
        """Say that all parts are there, and take away those of a longer run before."""
        for number in range(parts):
            if not self.part(number).exists():
                raise FileError(os.fspath(self.part(number)), Code.TAKEN_AWAY)
            self.finished(number)
        with named_errors(self.name):
            for name in sorted(os.listdir(self.path)):
                if is_ours(name) and not (_PART.fullmatch(name) and _number(name) < parts):
                    (self.path / name).unlink()
            (self.path / COMPLETE).touch()

    def close(self) -> None:
        """All has been written by :meth:`write`."""
        if self._next == 0:
            self.write(no_rows(self.schema))
        self.complete(self._next)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()


def is_ours(name: str) -> bool:
    """Whether a file of a folder is one this module puts there.

    >>> is_ours("part-000001.parquet"), is_ours("_SUCCESS"), is_ours("holiday.jpg")
    (True, True, False)
    """
    return bool(_PART.fullmatch(name)) or name == COMPLETE or is_part_name(name)


def _number(name: str) -> int:
    return int(name.removeprefix("part-").removesuffix(".parquet"))


def part_schema(schema: pa.Schema, job: str, chunk: str, bad: int = 0) -> pa.Schema:
    """A schema that says of which job and chunk a part is."""
    about: Mapping[bytes, bytes] = schema.metadata or {}
    return schema.with_metadata(
        {**about, JOB: job.encode(), CHUNK: chunk.encode(), BAD: str(bad).encode()}
    )


def _paths(name: str, kind: Any) -> Iterator[str]:
    """Parquet's names of the leaves of a column."""
    types = arrow().types
    if types.is_struct(kind):
        for field in kind:
            yield from _paths(f"{name}.{field.name}", field.type)
    elif types.is_map(kind):
        yield from _paths(f"{name}.key_value.key", kind.key_type)
        yield from _paths(f"{name}.key_value.value", kind.item_type)
    elif types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        yield from _paths(f"{name}.list.element", kind.value_type)
    else:
        yield name


def _options(schema: pa.Schema, compression: str) -> dict[str, Any]:
    """How columns are written: dictionaries and statistics where they can help."""
    paths = [
        path
        for field in schema
        if notation_of(field) not in (COUNTS, MASK)
        for path in _paths(field.name, field.type)
    ]
    return {
        "use_dictionary": paths,
        "write_statistics": paths,
        # a flipped bit on a disk is an error of the reader, not another hand
        "write_page_checksum": True,
        "compression": compression,
    }
