"""What is wrong with the rows of a batch: few different errors, a number for each row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...engine.optional import arrow
from ...errors import Code, EvaluatorError, HandError, NotationError, Reason, place

if TYPE_CHECKING:
    import pyarrow as pa

RowError = NotationError | HandError


def one_line(error: RowError) -> str:
    """What is wrong with a hand, without its text and caret.

    >>> one_line(NotationError(Code.WHITE_SPACE_IN_RUN, "1 2m", 1))
    'white space between digits of one suit: write them together (at character 2)'
    """
    if isinstance(error, NotationError):
        return f"{error.reason} (at character {error.position + 1})"
    return error.message


def without_frames(error: RowError) -> RowError:
    """An error that is kept: its frames would keep the batch alive."""
    error.__traceback__ = error.__context__ = None
    if isinstance(error, HandError):
        error.index = None
    return error


class Wrong:
    """The errors of some rows.

    Attributes
    ----------
    number : ndarray of int32, shape (n,)
        0 where nothing is wrong, else the place of the error in ``errors`` from 1.
    errors : list of NotationError or HandError
        Rows with the same message share one.

    Examples
    --------
    >>> wrong = Wrong(3)
    >>> wrong.mark([1, 2], HandError(Code.NO_HAND))
    >>> wrong.rows.tolist(), wrong.messages().to_pylist()
    ([1, 2], [None, 'no hand', 'no hand'])
    """

    def __init__(self, n: int) -> None:
        self.number = np.zeros(n, np.int32)
        self.errors: list[RowError] = []

    def __getitem__(self, row: int) -> RowError:
        return self.errors[int(self.number[row]) - 1]

    @property
    def rows(self) -> npt.NDArray[np.int64]:
        """Rows that are wrong."""
        return np.flatnonzero(self.number) if self.errors else np.zeros(0, np.int64)

    def mark(self, rows: Any, error: RowError) -> None:
        """Say what is wrong with rows of which nothing was said before."""
        rows = np.asarray(rows, np.int64)
        rows = rows[self.number[rows] == 0]
        if len(rows):
            self.errors.append(without_frames(error))
            self.number[rows] = len(self.errors)

    def mark_alike(
        self,
        rows: npt.NDArray[np.int64],
        keys: npt.NDArray[Any],
        explain: Callable[[int], RowError],
    ) -> None:
        """Ask one of all rows with the same key what is wrong with it."""
        _, first, group = np.unique(keys, return_index=True, return_inverse=True)
        before = len(self.errors)
        self.errors += [without_frames(explain(row)) for row in rows[first].tolist()]
        fresh = self.number[rows] == 0
        self.number[rows[fresh]] = before + 1 + group[fresh]

    def mark_values(
        self, wrong: npt.NDArray[np.bool_], values: Any, code: Code, **fields: Any
    ) -> None:
        """Say of each different value that it is wrong."""
        rows = np.flatnonzero(wrong)
        if not len(rows):
            return
        pa = arrow()
        given = values.take(pa.array(rows)) if isinstance(values, pa.Array) else values[rows]
        coded = pa.array(given).dictionary_encode()
        before = len(self.errors)
        different = coded.dictionary.to_pylist()
        self.errors += [HandError(code, value=value, **fields) for value in different]
        fresh = self.number[rows] == 0
        self.number[rows[fresh]] = before + 1 + np.asarray(coded.indices)[fresh]

    def take(self, rows: Any) -> Wrong:
        """The errors of some rows."""
        part = Wrong(0)
        part.number, part.errors = self.number[rows], self.errors
        return part

    def spread(self, rows: npt.NDArray[np.int64] | None, n: int) -> Wrong:
        """The errors of rows among ``n``."""
        if rows is None:
            return self
        whole = Wrong(n)
        whole.number[rows], whole.errors = self.number, self.errors
        return whole

    def reasons(self) -> npt.NDArray[np.uint8]:
        """:class:`evaluator.Reason` of each row."""
        known = [getattr(error, "reason", None) for error in self.errors]
        codes = [r if isinstance(r, Reason) else Reason.NOTATION for r in known]
        return np.array([Reason.OK, *codes], np.uint8)[self.number]

    def messages(self) -> pa.Array:
        """What is wrong with each row in a line; null where nothing is."""
        pa = arrow()
        if not self.errors:
            return pa.nulls(len(self.number), pa.string())
        texts = [one_line(error).encode("utf-8", "replace") for error in self.errors]
        return _chosen(texts, self.number - 1)


def _chosen(texts: Sequence[bytes], number: npt.NDArray[np.int32]) -> pa.Array:
    pa = arrow()
    words = pa.array(texts, pa.binary()).cast(pa.string())
    return words.take(pa.array(number, pa.int32(), mask=number < 0))


def joined(parts: Iterable[tuple[Wrong, slice]], n: int) -> Wrong:
    """The errors of consecutive parts."""
    whole = Wrong(n)
    for part, rows in parts:
        if part.errors:
            number = part.number
            whole.number[rows] = np.where(number, number + len(whole.errors), 0)
            whole.errors += part.errors
    return whole


class CellError(EvaluatorError):
    """A value of a column that cannot be read or written.

    Attributes
    ----------
    reason : str
    column : str
    row : int or None
        Its row in the batch.
    """

    def __init__(self, code: Code, column: str = "", row: int | None = None, **fields: Any) -> None:
        super().__init__(code, **fields)
        self.column = column
        self.row = row

    @property
    def reason(self) -> str:
        return self._said("en")

    def _text(self, lang: str) -> str:
        said = place(f"{'列' if lang == 'zh' else 'column'} {self.column!r}", lang)
        return said + self._said(lang)


@contextmanager
def of_column(name: str) -> Iterator[None]:
    """Say in which column something cannot be read or written."""
    try:
        yield
    except CellError as error:
        error.column = error.column or name
        raise
    except EvaluatorError:
        raise
    except MemoryError:
        raise
    except (arrow().ArrowException, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise CellError(Code.CELL_REFUSED, name, detail=first_line(error)) from None
    except RecursionError:
        raise CellError(Code.NESTED_TOO_DEEPLY, name) from None


def first_line(error: BaseException) -> str:
    """The first line of what an exception says."""
    return (str(error).splitlines() or [type(error).__name__])[0]
