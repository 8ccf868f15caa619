"""What comes of a batch: counts, the rows that are bad, and cells that cannot be written."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..errors import Code, EvaluatorError, place
from ..hands.arrow.wrong import RowError


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
