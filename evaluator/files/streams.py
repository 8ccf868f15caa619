"""Files of a batch: read as blocks of bytes, written whole or not at all.

Everything the system refuses becomes a :class:`FileError` that names the file.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import os
import secrets
import stat
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, cast

from ..errors import Code, EvaluatorError, FileError

try:
    import fcntl
except ImportError:  # not of this system
    fcntl = None  # type: ignore[assignment]

STDIO = "-"
NAME_KEPT = 100
"""Bytes of a file's name that its part file's name repeats: some systems allow 143."""


def reason_of(error: BaseException) -> str:
    """What the system says, as one would say it.

    >>> reason_of(FileNotFoundError(2, "No such file or directory"))
    'no such file or directory'
    """
    if isinstance(error, BrokenPipeError):
        return "the program that read it has stopped (broken pipe)"
    if isinstance(error, EOFError):
        return "the compressed file ends too soon"
    if isinstance(error, gzip.BadGzipFile | zlib.error):
        return f"not a gzip file, or damaged ({error})"
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if isinstance(error, OSError) and error.errno and "[errno " in text:
        # pyarrow says what it did, the system why that failed
        text = os.strerror(error.errno)
    return text[:1].lower() + text[1:]


@contextlib.contextmanager
def named_errors(name: str) -> Iterator[None]:
    """Turn what the system refuses into a :class:`FileError` of this file."""
    try:
        yield
    except (OSError, EOFError, zlib.error, ValueError) as error:
        if isinstance(error, EvaluatorError):
            raise
        raise FileError(name, Code.SYSTEM_REFUSED, detail=reason_of(error)) from None


class Source:
    """A file or standard input, read forwards; ``.gz`` is decompressed."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.is_stdio = os.fspath(path) == STDIO
        self.name = "standard input" if self.is_stdio else os.fspath(path)
        self._bytes = 0
        with named_errors(self.name):
            self._raw = _standard("stdin") if self.is_stdio else _open(path, "rb")
            self.status = _status(self._raw)
            packed = not self.is_stdio and self.name.endswith(".gz")
            self._file: BinaryIO = (
                cast(BinaryIO, gzip.GzipFile(fileobj=self._raw)) if packed else self._raw
            )

    @property
    def size(self) -> int | None:
        """Bytes of the file itself (compressed); None for a pipe or a terminal."""
        if self.status is None or not stat.S_ISREG(self.status.st_mode):
            return None
        return self.status.st_size

    def read(self, size: int) -> bytes:
        """The next ``size`` bytes; fewer only at the end of the file."""
        # whoever waits for a pipe holds no lock that the end of the process would want
        file = getattr(self._file, "raw", self._file) if self.is_stdio else self._file
        with named_errors(self.name):
            data = file.read(size) or b""
            while self.is_stdio and len(data) < size and (more := file.read(size - len(data))):
                data += more
        self._bytes += len(data)
        return data

    def lines(self) -> Iterator[str]:
        """Its lines as text, without their ends; for a few hands, not for millions."""
        with named_errors(self.name):
            for number, line in enumerate(self._file, 1):
                try:
                    yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
                except UnicodeDecodeError:
                    raise FileError(self.name, Code.NOT_UTF8_LINE, row=number) from None

    def position(self) -> int:
        """Bytes of the file itself that were read so far, for a progress bar."""
        if self._file is self._raw:
            return self._bytes
        with named_errors(self.name):
            return self._raw.tell()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if not self.is_stdio:
            self._raw.close()


class Sink:
    """A file or standard output, written beside its final name and renamed when complete.

    Devices and pipes (``/dev/null``) are written directly. Leaving the ``with``
    block by an exception removes what was written.
    """

    def __init__(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        self.is_stdio = os.fspath(path) == STDIO
        self.name = "standard output" if self.is_stdio else os.fspath(path)
        self._force = force
        self._part: Path | None = None
        self._final = Path(path)
        with named_errors(self.name):
            status = None if self.is_stdio else _existing(self._final)
            if self.is_stdio:
                self._raw = _standard("stdout")
            elif status is not None and not stat.S_ISREG(status.st_mode):
                self._raw = _open(path, "wb")
            else:
                self._refuse_existing()
                # a link stays a link: the file it names is what is replaced
                self._final = Path(os.path.realpath(path))
                _sweep(self._final)
                self._part, self._raw = _begin(self._final)
                part = self._part
                if status is not None:
                    os.chmod(part, stat.S_IMODE(status.st_mode))
            packed = not self.is_stdio and self.name.endswith(".gz")
            self._file: BinaryIO = (
                cast(
                    BinaryIO,
                    # no name and no time inside: the same input gives the same bytes
                    gzip.GzipFile("", "wb", compresslevel=6, fileobj=self._raw, mtime=0),
                )
                if packed
                else self._raw
            )

    @property
    def path(self) -> Path | None:
        """The file the bytes go to as they are, for one that writes them by itself."""
        return self._part if self._file is self._raw else None

    def write(self, data: Any) -> None:
        """Append bytes."""
        with named_errors(self.name):
            self._file.write(data)

    def flush(self) -> None:
        """Hand what was written to the system."""
        with named_errors(self.name):
            self._file.flush()

    def _refuse_existing(self) -> None:
        if not self._force and os.path.lexists(self._final):
            raise FileError(self.name, Code.ALREADY_EXISTS)

    def _complete(self) -> None:
        with named_errors(self.name):
            if self.is_stdio:
                self._file.flush()
                return
            if self._file is not self._raw:
                self._file.close()
            self._raw.close()
            if self._part is not None:
                self._refuse_existing()
                os.replace(self._part, self._final)
                self._part = None

    def _discard(self) -> None:
        if not self.is_stdio:
            with contextlib.suppress(OSError):
                self._raw.close()
        if self._part is not None:
            with contextlib.suppress(OSError):
                self._part.unlink()
            self._part = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            try:
                self._complete()
            except BaseException:
                self._discard()
                raise
        else:
            self._discard()


_UNFINISHED = (".mahjong-eval-", ".part")


def _part_name(name: str) -> str:
    """Name of the file that is written before it gets its own name.

    >>> _part_name("out.csv")[:22], _part_name("out.csv")[-5:]
    ('.mahjong-eval-out.csv-', '.part')
    """
    kept = os.fsencode(name)[:NAME_KEPT].decode(errors="ignore")
    begin, end = _UNFINISHED
    return f"{begin}{kept}-{secrets.token_hex(6)}{end}"


def _begin(final: Path) -> tuple[Path, BinaryIO]:
    """The file that is written before it gets its own name, locked as long as it is written."""
    while True:
        part = final.with_name(_part_name(final.name))
        file = _open(part, "xb")
        # one that swept it away before it was locked took it for another's
        if _lock(file.fileno()) and os.fstat(file.fileno()).st_nlink:
            return part, file
        file.close()


def _lock(number: int) -> bool:
    """Lock a file, unless another process has; goes with the process, however that ends."""
    if fcntl is not None:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:
            # not on this disk
            return True
    return True


def _sweep(final: Path) -> None:
    """Take away what runs into the same file left that have been killed."""
    if fcntl is None:
        return
    kept = _part_name(final.name).rpartition("-")[0]
    with contextlib.suppress(OSError):
        for entry in os.scandir(final.parent):
            if entry.name.rpartition("-")[0] == kept and is_part_name(entry.name):
                with contextlib.suppress(OSError), open(entry.path, "rb") as left:
                    fcntl.flock(left.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.unlink(entry.path)


def is_part_name(name: str) -> bool:
    """Whether a file is one that was being written.

    >>> is_part_name(_part_name("out.csv")), is_part_name("out.csv")
    (True, False)
    """
    begin, end = _UNFINISHED
    return name.startswith(begin) and name.endswith(end)


def _open(path: str | os.PathLike[str], mode: str) -> BinaryIO:
    # closed by the object that keeps it
    return cast(BinaryIO, open(path, mode))


def _standard(name: str) -> BinaryIO:
    stream = getattr(sys, name)
    if stream is None:
        raise OSError(errno.EBADF, "is closed")
    return cast(BinaryIO, stream.buffer)


def _status(file: BinaryIO) -> os.stat_result | None:
    try:
        return os.fstat(file.fileno())
    except (OSError, ValueError):
        return None


def _existing(path: Path) -> os.stat_result | None:
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "is a directory")
    return status


def is_one_file(source: str, sink: str | os.PathLike[str]) -> bool:
    """Whether what is read and what is written are one regular file, ``"-"`` included.

    >>> is_one_file(__file__, __file__), is_one_file(os.devnull, os.devnull)
    (True, False)
    """
    statuses = []
    for path, standard in ((source, "stdin"), (sink, "stdout")):
        if os.fspath(path) == STDIO:
            stream = getattr(sys, standard)
            status = None if stream is None else _status(stream)
        else:
            status = os.stat(path) if os.path.exists(path) else None
        if status is None or not stat.S_ISREG(status.st_mode):
            return False
        statuses.append(status)
    return os.path.samestat(*statuses)
