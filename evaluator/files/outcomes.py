"""What comes of a batch: counts, the rows that are bad, and cells that cannot be written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from ..errors import Code, EvaluatorError, place
from .extras import arrow
from .wrong import RowError


class BadRow(NamedTuple):
    """A row that is not a hand, or not one that the queries apply to.

    Attributes
    ----------
    line : int
        Number of its line from 1, or of its row in a Parquet file from 0.
    error : NotationError or HandError
    name : str
        The file; empty where there is only one.
    unit : {"line", "row"}
    """

    line: int
    error: RowError
    name: str = ""
    unit: str = "line"


class BadRowError(EvaluatorError):
    """The first bad row, where one ends the batch.

    Attributes
    ----------
    line : int
    error : NotationError or HandError
    unit : {"line", "row"}
    """

    def __init__(self, name: str, line: int, error: RowError, unit: str = "line") -> None:
        code = Code.AT_LINE if unit == "line" else Code.AT_ROW
        super().__init__(code, row=line, error=error)
        self.name = name
        self.line = line
        self.error = error
        self.unit = unit

    def __reduce__(self) -> tuple[Any, ...]:
        return BadRowError, (self.name, self.line, self.error, self.unit)

    def _text(self, lang: str) -> str:
        return place(self.name, lang) + super()._text(lang)


class Summary(NamedTuple):
    """How many rows were written, and how many of those asked about are bad."""

    rows: int
    bad: int


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
