"""What comes of a batch: counts, and the rows that are bad."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import EvaluatorError
from .columns import RowError, one_line


class BadRow(NamedTuple):
    """A row that is no hand, or no hand for what was asked.

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
