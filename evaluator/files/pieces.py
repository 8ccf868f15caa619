"""Input of a batch in pieces that any thread or machine can read: files, folders, globs."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from ..errors import Code, FileError
from ..hands.arrow.columns import HandColumns, HandRows
from .streams import STDIO, is_one_file, named_errors

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 1 << 18
"""Rows of a piece at most."""

Kind = Literal["parquet", "jsonl", "text"]
SUFFIXES: dict[str, Kind] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "text",
    ".tsv": "text",
    ".txt": "text",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of rows of a file.

    Attributes
    ----------
    path : str
    state : str
        Size and time of the file when it was looked at.
    group : int
        Row group of a Parquet file.
    begin, end : int
        Bytes of a text, rows of a row group.
    first : int
        Number of its first line (from 1) or row of the file (from 0).
    lines : int
        How many lines a text has.
    data : bytes or None
        The bytes themselves, of a text that can only be read forwards.
    number : int
        Its place in the whole input.
    """

    path: str
    state: str
    group: int
    begin: int
    end: int
    first: int
    lines: int = 0
    data: bytes | None = None
    number: int = 0

    @property
    def key(self) -> str:
        """Fingerprint: another one if the file is another or has changed."""
        name = os.path.basename(self.path)
        return f"{name}:{self.state}:{self.group}:{self.begin}-{self.end}"

    @property
    def name(self) -> str:
        """The file, for messages."""
        return "standard input" if self.path == STDIO else self.path

    @property
    def weight(self) -> int:
        """Its share of the work, in the unit of its source."""
        return self.end - self.begin


class Taken(NamedTuple):
    """Rows that were read.

    Attributes
    ----------
    batch : pyarrow.RecordBatch
        The columns that go along or are looked at.
    hands : HandRows
    numbers : range, or ndarray of int64
        Number of each row's line or row in its file.
    """

    batch: pa.RecordBatch
    hands: HandRows
    numbers: range | npt.NDArray[np.int64]


class Input(Protocol):
    """All files of an input, of one kind and with the same columns.

    Attributes
    ----------
    paths : tuple of str
    schema : pyarrow.Schema
        Of the columns there are.
    hands : HandColumns
        Which of them hold hands.
    unit : {"row", "line"}
        What the rows are counted by in messages.
    total : int or None
        The weight of all pieces.
    """

    @property
    def paths(self) -> tuple[str, ...]: ...
    @property
    def schema(self) -> pa.Schema: ...
    @property
    def hands(self) -> HandColumns: ...
    @property
    def unit(self) -> str: ...
    @property
    def total(self) -> int | None: ...

    def runs(self, columns: Sequence[str], where: Any) -> Iterator[Iterable[Piece]]:
        """The pieces, in order; those of one list are best read one after the other."""

    def read(self, piece: Piece, columns: Sequence[str], where: Any) -> Taken:
        """Rows of a piece for which a condition is true."""


def state_of(path: str) -> str:
    """Size and time of a file; what is no file has none."""
    if path == STDIO:
        return ""
    with named_errors(path):
        status = os.stat(path)
    return f"{status.st_size}:{status.st_mtime_ns}" if stat.S_ISREG(status.st_mode) else ""


def check_state(piece: Piece) -> None:
    """Refuse a file that is no longer what it was."""
    if piece.state and state_of(piece.path) != piece.state:
        raise FileError(piece.path, Code.CHANGED_WHILE_READ)


def find_files(source: str | os.PathLike[str]) -> tuple[str, ...]:
    """The files that a name stands for: itself, those of a folder, those of a glob.

    Files of a folder whose names begin with ``.`` or ``_`` are passed over.
    """
    name = os.fspath(source)
    if name == STDIO or (os.path.exists(name) and not os.path.isdir(name)):
        return (name,)
    if os.path.isdir(name):
        found = sorted(_files_of(name))
        for path in found:
            if kind_of(path) is None:
                raise FileError(path, Code.UNKNOWN_KIND)
        if not found:
            raise FileError(name, Code.EMPTY_FOLDER)
        return tuple(found)
    if glob.has_magic(name):
        found = sorted(path for path in glob.glob(name, recursive=True) if os.path.isfile(path))
        if not found:
            raise FileError(name, Code.MATCHES_NOTHING)
        return tuple(found)
    with named_errors(name):
        os.stat(name)
    return (name,)


def _files_of(folder: str) -> Iterator[str]:
    with named_errors(folder):
        for path, folders, names in os.walk(folder, onerror=_raise):
            folders[:] = [name for name in folders if name[0] not in "._"]
            yield from (os.path.join(path, name) for name in names if name[0] not in "._")


def _raise(error: OSError) -> None:
    raise error


def kind_of(path: str) -> Kind | None:
    """How a file is read, by its name.

    >>> kind_of("games/hands.parquet"), kind_of("a.csv.gz"), kind_of("hands")
    ('parquet', 'text', None)
    """
    return SUFFIXES.get(Path(path.removesuffix(".gz")).suffix.casefold())


def one_kind(paths: Sequence[str]) -> Kind:
    """How all files of an input are read."""
    kinds = {kind_of(path) or "text": path for path in paths}
    if len(kinds) > 1:
        raise FileError(" and ".join(kinds.values()), Code.TWO_KINDS)
    return next(iter(kinds))


def check_like(path: str, schema: pa.Schema, first: str, wanted: pa.Schema) -> None:
    """Refuse a file whose columns are not those of the first."""
    if schema.equals(wanted):
        return
    ours, theirs = (dict(zip(s.names, s.types, strict=True)) for s in (schema, wanted))
    if set(ours) != set(theirs):
        other = sorted(set(ours) ^ set(theirs))[0]
        code = Code.HAS_OTHER_COLUMN if other in ours else Code.LACKS_COLUMN
        raise FileError(path, code, name=repr(other), first=first)
    for name, kind in ours.items():
        if kind != theirs[name]:
            said = {"name": repr(name), "dtype": str(kind), "expected": str(theirs[name])}
            raise FileError(path, Code.OTHER_TYPE, first=first, **said)
    raise FileError(path, Code.OTHER_ORDER, first=first)


def refuse_same(source: Sequence[str], sink: str | os.PathLike[str]) -> None:
    """Refuse an output that is part of the input."""
    name = os.fspath(sink)
    shown = "standard output" if name == STDIO else name
    with named_errors(shown):
        target = os.path.realpath(name)
        folder = name != STDIO and name.endswith(("/", os.sep))
        for path in source:
            if folder and path == STDIO:
                inside = any(is_one_file(STDIO, part) for part in Path(target).rglob("*"))
            else:
                inside = folder and Path(os.path.realpath(path)).is_relative_to(target)
            if inside or is_one_file(path, sink):
                read = "standard input" if path == STDIO else path
                raise FileError(shown, Code.IS_INPUT, read=read)
