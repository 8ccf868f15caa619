"""What comes of a batch: counts, the rows that are bad, and cells that cannot be written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from ..errors import EvaluatorError
from .extras import arrow
from .wrong import RowError, one_line


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
        self.name = name
        self.line = line
        self.error = error
        self.unit = unit
        super().__init__(name, line, error, unit)

    def __str__(self) -> str:
        return f"{self.name}: {self.unit} {self.line}: {one_line(self.error)}"


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

    def __init__(self, reason: str, column: str = "", row: int | None = None) -> None:
        self.reason = reason
        self.column = column
        self.row = row
        super().__init__(reason, column, row)

    def __str__(self) -> str:
        where = "" if self.row is None else f"row {self.row}: "
        return f"{where}column {self.column!r}: {self.reason}"


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
        raise CellError(first_line(error), name) from None
    except RecursionError:
        raise CellError("is nested too deeply", name) from None


def first_line(error: BaseException) -> str:
    """The first line of what an exception says."""
    return (str(error).splitlines() or [type(error).__name__])[0]
