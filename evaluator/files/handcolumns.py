"""Arrow columns as hands: counts stay where they are, text is read in bulk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..errors import EvaluatorError, HandError, Reason
from ..hands import MAX_MELDS, NONE, Hands
from ..tiles import KINDS, SUITED
from .columns import Batch, RowError
from .csvrows import (
    PARTS,
    VOID,
    WILDS,
    WINDS,
    Slices,
    as_lines,
    letter_codes,
    put_together,
    read_texts,
    with_parts,
)
from .extras import arrow, need

if TYPE_CHECKING:
    import pyarrow as pa

Errors = dict[int, RowError]
WIDTHS = (KINDS, SUITED)


@dataclass(frozen=True, slots=True, eq=False)
class HandRows:
    """The hands of some rows; a null is no hand, and no error either.

    Attributes
    ----------
    n : int
        Rows, nulls included.
    present : ndarray of int64, shape (m,), or None
        Rows that hold a hand; None: all.
    hands : Hands, or ndarray of int, shape (m, 34) or (m, 27)
    errors : dict of int to NotationError or HandError
        What is wrong with the notation of a hand, by its place among the m.
    void, wilds : ndarray of uint8, shape (m,), or None
        The columns of that name, 255 where they say nothing.
    """

    n: int
    present: npt.NDArray[np.int64] | None
    hands: Batch
    errors: Errors
    void: npt.NDArray[np.uint8] | None = None
    wilds: npt.NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True)
class HandColumns:
    """Which columns of a schema say what the hands are.

    Attributes
    ----------
    hand : str
        The hands, or where they are in parts their concealed tiles.
    parts : tuple of (str, str)
        Further parts of a hand and the columns that hold them.
    void, wilds : str or None
    """

    hand: str
    parts: tuple[tuple[str, str], ...] = ()
    void: str | None = None
    wilds: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        others = (name for name in (self.void, self.wilds) if name is not None)
        return (self.hand, *(name for _, name in self.parts), *others)


def find_hands(
    schema: pa.Schema, column: str | None = None, where: str = "the batch"
) -> HandColumns:
    """Find the columns that hold the hands.

    Parameters
    ----------
    schema : pyarrow.Schema
    column : str, optional
        Name of the column of hands, instead of ``hand`` or parts of a hand.
    where : str
        What has that schema, for messages.

    Raises
    ------
    EvaluatorError
        No such column, or a column that cannot hold hands.

    Examples
    --------
    >>> import pyarrow as pa
    >>> find_hands(pa.schema({"id": pa.int64(), "Hand": pa.string(), "void": pa.int8()}))
    HandColumns(hand='Hand', parts=(), void='void', wilds=None)
    """

    def find(title: str) -> str | None:
        found = [name for name in schema.names if name.casefold() == title.casefold()]
        if len(found) > 1:
            raise EvaluatorError(f"{where} has {len(found)} columns {title!r}")
        return found[0] if found else None

    hand = find("hand" if column is None else column)
    parts: tuple[tuple[str, str], ...] = ()
    if hand is None and column is None and (hand := find(PARTS[0])) is not None:
        others = ((part, find(part)) for part in PARTS[1:])
        parts = tuple((part, name) for part, name in others if name is not None)
    if hand is None:
        named = ", ".join(schema.names) or "no columns at all"
        raise EvaluatorError(f"{where} has no column {column or 'hand'!r} ({named})")
    kind = schema.field(hand).type
    if _reader(kind) is None:
        raise EvaluatorError(
            f"{where}: column {hand!r} is {kind}: hands are text, or 34 or 27 counts "
            "(fixed_size_binary or a list of integers)"
        )
    return HandColumns(hand, parts, find("void"), find("wilds"))


def kinds_of(kind: pa.DataType) -> int:
    """Tile kinds of a column of hands: 27 where its type says so, else 34.

    >>> import pyarrow as pa
    >>> kinds_of(pa.binary(27)), kinds_of(pa.list_(pa.uint8(), 34)), kinds_of(pa.string())
    (27, 34, 34)
    """
    types = arrow().types
    kind = _plain_type(kind)
    if types.is_fixed_size_binary(kind):
        return int(kind.byte_width)
    if types.is_fixed_size_list(kind):
        return int(kind.list_size)
    return KINDS


def read_hands(batch: pa.RecordBatch, columns: HandColumns) -> HandRows:
    """The hands of a batch.

    Parameters
    ----------
    batch : pyarrow.RecordBatch
    columns : HandColumns

    Returns
    -------
    HandRows
        ``fixed_size_binary`` and fixed-size lists of uint8 are not copied.
    """
    n = len(batch)
    arrays = {name: _plain(batch.column(name)) for name in columns.names}
    column = arrays[columns.hand]
    present = None
    if column.null_count:
        valid = column.is_valid()
        present = np.flatnonzero(np.asarray(valid))
        arrays = {name: array.filter(valid) for name, array in arrays.items()}
        column = arrays[columns.hand]
    parts = {part: arrays[name] for part, name in columns.parts}
    reader = _reader(column.type)
    assert reader is not None
    hands, errors = reader(column, parts)
    void = wilds = None
    if columns.void is not None:
        void = _codes(arrays[columns.void], VOID, 2, "void must be m, p or s", errors)
    if columns.wilds is not None:
        wilds = _codes(arrays[columns.wilds], WILDS, 8, "wilds must be 0 to 8", errors)
    return HandRows(n, present, hands, errors, void, wilds)


Parts = dict[str, "pa.Array"]
Reader = Callable[["pa.Array", Parts], tuple[Batch, Errors]]


def _reader(kind: pa.DataType) -> Reader | None:
    """What reads hands of a type."""
    types = arrow().types
    kind = _plain_type(kind)
    if types.is_null(kind) or _is_text(kind):
        return _read_text
    if types.is_fixed_size_binary(kind):
        return _read_counts if kind.byte_width in WIDTHS else None
    if types.is_binary(kind) or types.is_large_binary(kind):
        return _read_counts
    if types.is_fixed_size_list(kind):
        fits = kind.list_size in WIDTHS and types.is_integer(kind.value_type)
        return _read_counts if fits else None
    if types.is_list(kind) or types.is_large_list(kind):
        return _read_counts if types.is_integer(kind.value_type) else None
    return None


def _is_text(kind: pa.DataType) -> bool:
    types = arrow().types
    return bool(types.is_string(kind) or types.is_large_string(kind))


def _plain_type(kind: pa.DataType) -> pa.DataType:
    """The type of what a dictionary, a run or an extension stands for."""
    pa = arrow()
    while True:
        if isinstance(kind, pa.BaseExtensionType):
            kind = kind.storage_type
        elif pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
            kind = kind.value_type
        elif pa.types.is_list_view(kind) or pa.types.is_large_list_view(kind):
            return pa.large_list(kind.value_type)
        elif pa.types.is_binary_view(kind):
            return pa.large_binary()
        elif pa.types.is_string_view(kind):
            return pa.large_string()
        else:
            return kind


def _plain(array: pa.Array) -> pa.Array:
    """An array without dictionary, runs, extension or views."""
    pa = arrow()
    while True:
        if isinstance(array, pa.ExtensionArray):
            array = array.storage
        elif pa.types.is_dictionary(array.type):
            array = array.dictionary_decode()
        elif pa.types.is_run_end_encoded(array.type):
            array = need("pyarrow.compute", "arrow").run_end_decode(array)
        elif pa.types.is_list_view(array.type) or pa.types.is_large_list_view(array.type):
            array = _without_view(array)
        else:
            kind = _plain_type(array.type)
            return array if kind == array.type else array.cast(kind)


def _without_view(array: pa.Array) -> pa.Array:
    """Lists of a view one after the other; pyarrow's own cast loses the last behind a null."""
    pa = arrow()
    compute = need("pyarrow.compute", "arrow")
    lengths = np.asarray(compute.list_value_length(array).fill_null(0), np.int64)
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    return pa.LargeListArray.from_arrays(offsets, array.flatten(), mask=array.is_null())


def _read_text(column: pa.Array, parts: Parts) -> tuple[Batch, Errors]:
    if not parts:
        return read_texts(as_lines(as_text(column)))
    texts = {part: as_lines(as_text(array)) for part, array in parts.items()}
    texts[PARTS[0]] = as_lines(as_text(column))
    hands, errors = read_texts(put_together(texts, len(column)))
    return with_parts(hands, texts, errors), errors


def _read_counts(column: pa.Array, parts: Parts) -> tuple[Batch, Errors]:
    errors: Errors = {}
    counts = _counts(column, errors)
    return (_hands_of_parts(counts, parts, errors) if parts else counts), errors


def _counts(column: pa.Array, errors: Errors) -> npt.NDArray[Any]:
    """Counts of shape (n, 34) or (n, 27), where they are if they can be."""
    types = arrow().types
    n, kind = len(column), column.type
    if types.is_fixed_size_binary(kind):
        width = kind.byte_width
        return _bytes(column.buffers()[1], column.offset * width, n * width).reshape(n, width)
    if types.is_fixed_size_list(kind):
        width = kind.list_size
        values = column.values.slice(column.offset * width, n * width)
        return _whole(values, np.arange(n) * width, width, errors).reshape(n, width)
    if types.is_list(kind) or types.is_large_list(kind):
        offsets = np.asarray(column.offsets, np.int64)
        values = column.values.slice(offsets[0], offsets[-1] - offsets[0])
        offsets = offsets - offsets[0]
        flat = _whole(values, offsets[:-1], None, errors)
    else:
        wide = types.is_large_binary(kind)
        _, ends, data = column.buffers()
        item = np.int64 if wide else np.int32
        offsets = np.zeros(1, np.int64)
        if ends is not None:
            begin = column.offset * np.dtype(item).itemsize
            offsets = np.frombuffer(ends, item, n + 1, begin).astype(np.int64)
        flat = _bytes(data, int(offsets[0]), int(offsets[-1] - offsets[0]))
        offsets -= offsets[0]
    return _of_their_lengths(flat, offsets, errors)


def _bytes(data: pa.Buffer | None, begin: int, size: int) -> npt.NDArray[np.uint8]:
    if data is None or not size:
        return np.zeros(0, np.uint8)
    return np.frombuffer(data, np.uint8, size, begin)


def _whole(
    values: pa.Array, starts: npt.NDArray[np.int64], width: int | None, errors: Errors
) -> npt.NDArray[Any]:
    """Numbers of lists; a list with a null in it is wrong."""
    if values.null_count:
        nulls = np.flatnonzero(np.asarray(values.is_null()))
        rows = np.searchsorted(starts, nulls, side="right") - 1
        for row in np.unique(rows).tolist():
            errors[row] = HandError("a count is missing (null)", reason=Reason.NOTATION)
        values = values.fill_null(0)
    whole: npt.NDArray[Any] = values.to_numpy()
    return whole


def _of_their_lengths(
    flat: npt.NDArray[Any], offsets: npt.NDArray[np.int64], errors: Errors
) -> npt.NDArray[Any]:
    """Lists of any length as rows of 34: 27 counts are the three suits."""
    n = len(offsets) - 1
    lengths = np.diff(offsets)
    if (lengths == KINDS).all():
        return flat.reshape(n, KINDS)
    counts = np.zeros((n, KINDS), flat.dtype)
    for width in WIDTHS:
        rows = np.flatnonzero(lengths == width)
        counts[rows, :width] = flat[offsets[rows, None] + np.arange(width)]
    for row in np.flatnonzero((lengths != KINDS) & (lengths != SUITED)).tolist():
        said = f"{lengths[row]} counts: a hand has 34 or 27"
        errors[row] = HandError(said, reason=Reason.NOTATION)
    return counts


_NUMBERS: dict[str, tuple[int, int, int]] = {
    # part: (bits, what a null is, the largest number)
    "win_tile": (8, NONE, KINDS - 1),
    "flags": (16, 0, 127),
    "prevalent_wind": (8, 0, 3),
    "seat_wind": (8, 0, 3),
    "flowers": (8, 0, 8),
}


def _hands_of_parts(counts: npt.NDArray[Any], parts: Parts, errors: Errors) -> Hands:
    """Counts with the numbers beside them: the fields of :class:`~evaluator.hands.Hands`."""
    wrong = (counts < 0) | (counts > NONE)
    fields: dict[str, Any] = {"concealed": np.where(wrong, NONE, counts).astype(np.uint8)}
    for part, array in parts.items():
        if part == "melds":
            fields[part] = _meld_ids(array)
        elif _is_text(array.type) and part.endswith("_wind"):
            said = f"{part} must be E, S, W or N"
            codes = letter_codes(as_lines(as_text(array)), WINDS, said, errors)
            fields[part] = np.where(codes == NONE, 0, codes)
        else:
            bits, null, top = _NUMBERS[part]
            fields[part] = _integers(array, part, top, null, errors).astype(f"u{bits // 8}")
    return Hands(**fields)


def _meld_ids(array: pa.Array) -> npt.NDArray[np.uint8]:
    types = arrow().types
    kind = array.type
    if array.null_count:
        array = array.fill_null(bytes(MAX_MELDS)) if types.is_fixed_size_binary(kind) else array
    if types.is_fixed_size_binary(kind) and kind.byte_width == MAX_MELDS:
        data = _bytes(array.buffers()[1], array.offset * MAX_MELDS, len(array) * MAX_MELDS)
        return data.reshape(-1, MAX_MELDS)
    if types.is_fixed_size_list(kind) and kind.list_size == MAX_MELDS:
        values = array.values.slice(array.offset * MAX_MELDS, len(array) * MAX_MELDS)
        values = values.fill_null(0).cast(arrow().uint8())
        melds = np.asarray(values, np.uint8).reshape(-1, MAX_MELDS)
        return np.where(np.asarray(array.is_valid())[:, None], melds, np.uint8(0))
    raise EvaluatorError(
        f"melds are {kind}: beside counts they are four meld ids, fixed_size_binary[4]"
    )


def _integers(
    array: pa.Array, name: str, top: int, null: int, errors: Errors
) -> npt.NDArray[np.int64]:
    """Small whole numbers; what is none of them is an error of its row."""
    pa = arrow()
    if pa.types.is_null(array.type):
        return np.full(len(array), null, np.int64)
    if not pa.types.is_integer(array.type):
        raise EvaluatorError(f"column {name!r} is {array.type}: it must be whole numbers")
    valid = np.asarray(array.is_valid())
    given = array.fill_null(0).to_numpy(zero_copy_only=False)
    wrong = valid & ((given < 0) | (given > top))
    for row in np.flatnonzero(wrong).tolist():
        said = f"{name} {given[row]}: must be 0 to {top}"
        errors.setdefault(row, HandError(said, reason=Reason.NOTATION))
    return np.where(valid & ~wrong, given, null).astype(np.int64)


def _codes(
    array: pa.Array, letters: npt.NDArray[np.uint8], top: int, rule: str, errors: Errors
) -> npt.NDArray[np.uint8]:
    """A column ``void`` or ``wilds``: numbers, or text as in a CSV file."""
    if _is_text(array.type):
        return letter_codes(as_lines(as_text(array)), letters, rule, errors)
    name = rule.partition(" ")[0]
    return _integers(array, name, top, NONE, errors).astype(np.uint8)


def as_text(array: pa.Array) -> Slices:
    """An Arrow column as text of each row; a null is empty.

    >>> import pyarrow as pa
    >>> as_text(pa.array(["12", None])).end.tolist()
    [2, 2]
    """
    pa = arrow()
    array = _plain(array)
    if not pa.types.is_large_string(array.type):
        array = array.cast(pa.large_string())
    n = len(array)
    _, ends, data = array.buffers()
    if not n or ends is None:
        return Slices(np.zeros(1, np.uint8), *np.zeros((2, n), np.int64))
    offsets = np.frombuffer(ends, np.int64, n + 1, array.offset * 8)
    begin = int(offsets[0])
    # a copy: kernels are compiled for arrays that can be written
    text = _bytes(data, begin, int(offsets[-1]) - begin).copy()
    start, end = offsets[:-1] - begin, offsets[1:] - begin
    if array.null_count:
        end = np.where(np.asarray(array.is_valid()), end, start)
    return Slices(text if len(text) else np.zeros(1, np.uint8), start, end)
