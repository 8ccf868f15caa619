"""Arrow columns as hands: counts stay where they are, text is read where it lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...engine.optional import arrow, need
from ...errors import Code, FileError, HandError
from ...tiles import KINDS, SUITED
from .parts import (
    PARTS,
    VOID,
    WILDS,
    Batch,
    Parts,
    bytes_of,
    codes_of,
    hands_of_parts,
    is_text,
    text_of,
    with_parts,
)
from .texts import Texts, read_texts
from .wrong import Wrong, of_column

if TYPE_CHECKING:
    import pyarrow as pa

WIDTHS = (KINDS, SUITED)


@dataclass(frozen=True, slots=True, eq=False)
class HandRows:
    """The hands of some rows; a null is neither a hand nor an error.

    Attributes
    ----------
    n : int
        Rows, nulls included.
    present : ndarray of int64, shape (m,), or None
        Rows that hold a hand; None: all.
    hands : Hands, or ndarray of int, shape (m, 34) or (m, 27)
    wrong : Wrong
        What is wrong with the notation of the m hands.
    void, wilds : ndarray of uint8, shape (m,), or None
        The columns of that name, 255 where they say nothing.
    texts : pyarrow.Array or None
        What the hands were read from, if it was text.
    blank, comment : ndarray of bool, shape (m,), or None
        Texts that hold nothing, or begin with ``#``.
    """

    n: int
    present: npt.NDArray[np.int64] | None
    hands: Batch
    wrong: Wrong
    void: npt.NDArray[np.uint8] | None = None
    wilds: npt.NDArray[np.uint8] | None = None
    texts: pa.Array | None = None
    blank: npt.NDArray[np.bool_] | None = None
    comment: npt.NDArray[np.bool_] | None = None

    def without(self, rows: npt.NDArray[np.bool_]) -> HandRows:
        """The same without some rows, where none is null."""
        kept = np.flatnonzero(~rows)
        return HandRows(
            len(kept),
            None,
            self.hands[kept],
            self.wrong.take(kept),
            None if self.void is None else self.void[kept],
            None if self.wilds is None else self.wilds[kept],
            None if self.texts is None else self.texts.take(arrow().array(kept)),
        )


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

    Examples
    --------
    >>> import pyarrow as pa
    >>> find_hands(pa.schema({"id": pa.int64(), "Hand": pa.string(), "void": pa.int8()}))
    HandColumns(hand='Hand', parts=(), void='void', wilds=None)
    """

    def find(title: str) -> str | None:
        found = [name for name in schema.names if name.casefold() == title.casefold()]
        if len(found) > 1:
            raise FileError(where, Code.COLUMNS_ALIKE, count=len(found), name=repr(title))
        return found[0] if found else None

    hand = find("hand" if column is None else column)
    parts: tuple[tuple[str, str], ...] = ()
    if hand is None and column is None and (hand := find(PARTS[0])) is not None:
        others = ((part, find(part)) for part in PARTS[1:])
        parts = tuple((part, name) for part, name in others if name is not None)
    if hand is None:
        known, name = tuple(schema.names) or ("-",), repr(column or "hand")
        raise FileError(where, Code.NO_HAND_COLUMN, name=name, choices=known)
    kind = schema.field(hand).type
    if not _holds_hands(kind):
        raise FileError(where, Code.COLUMN_HOLDS_NO_HANDS, name=repr(hand), dtype=str(kind))
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
    """The hands of a batch."""
    n = len(batch)
    arrays = {}
    for name in columns.names:
        with of_column(name):
            arrays[name] = _plain(batch.column(name))
    column = arrays[columns.hand]
    present = None
    if column.null_count:
        valid = column.is_valid()
        present = np.flatnonzero(np.asarray(valid))
        arrays = {name: array.filter(valid) for name, array in arrays.items()}
        column = arrays[columns.hand]
    wrong = Wrong(len(column))
    parts = {part: arrays[name] for part, name in columns.parts}
    texts = None
    with of_column(columns.hand):
        if is_text(column.type) or arrow().types.is_null(column.type):
            texts, read = _read_text(column, parts, wrong)
            hands: Batch = read.hands
        else:
            hands = _counts(column, wrong)
    if texts is None and parts:
        hands = hands_of_parts(hands, parts, wrong)
    void = wilds = None
    if columns.void is not None:
        void = codes_of(arrays[columns.void], VOID, "void", "m, p or s", wrong)
    if columns.wilds is not None:
        wilds = codes_of(arrays[columns.wilds], WILDS, "wilds", "0 to 8", wrong)
    if texts is None:
        return HandRows(n, present, hands, wrong, void, wilds)
    return HandRows(n, present, hands, wrong, void, wilds, texts, read.blank, read.comment)


def _holds_hands(kind: pa.DataType) -> bool:
    """Whether hands can be read of a type."""
    types = arrow().types
    kind = _plain_type(kind)
    if types.is_fixed_size_binary(kind):
        return kind.byte_width in WIDTHS
    if types.is_fixed_size_list(kind):
        return kind.list_size in WIDTHS and types.is_integer(kind.value_type)
    if types.is_list(kind) or types.is_large_list(kind):
        return bool(types.is_integer(kind.value_type))
    binary = types.is_binary(kind) or types.is_large_binary(kind)
    return types.is_null(kind) or binary or is_text(kind)


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


def _read_text(column: pa.Array, parts: Parts, wrong: Wrong) -> tuple[pa.Array, Texts]:
    """What the hands are read from, and what they are."""
    if not parts:
        texts = text_of(column)
        read = read_texts(texts)
        wrong.number, wrong.errors = read.wrong.number, read.wrong.errors
        return texts, read
    pa, compute = arrow(), need("pyarrow.compute", "arrow")
    kind = pa.large_string()
    trimmed = {}
    for part, array in parts.items():
        with of_column(part):
            trimmed[part] = compute.utf8_trim_whitespace(text_of(array).cast(kind))
    empty = pa.scalar("", kind)
    melds, flowers, flags, win = (
        trimmed.get(part, empty) for part in ("melds", "flowers", "flags", "win_tile")
    )
    if "win_tile" in parts:
        # a winning tile of its own column is put in later: the last one written is not it
        none, after = pa.scalar("win=none", kind), pa.scalar(",win=none", kind)
        said = compute.if_else(compute.equal(flags, empty), none, after)
        said = compute.if_else(compute.equal(win, empty), empty, said)
        flags = compute.binary_join_element_wise(flags, said, empty)
    winds, bar = pa.scalar("|EE0000|", kind), pa.scalar("|", kind)
    pieces = (melds, text_of(column).cast(kind), winds, flowers, bar, flags)
    texts = compute.binary_join_element_wise(*pieces, empty)
    read = read_texts(texts)
    wrong.number, wrong.errors = read.wrong.number, read.wrong.errors
    return texts, read._replace(hands=with_parts(read.hands, trimmed, wrong))


def _counts(column: pa.Array, wrong: Wrong) -> npt.NDArray[Any]:
    """Counts of shape (n, 34) or (n, 27), where they are if they can be."""
    types = arrow().types
    n, kind = len(column), column.type
    if types.is_fixed_size_binary(kind):
        width = kind.byte_width
        return bytes_of(column.buffers()[1], column.offset * width, n * width).reshape(n, width)
    if types.is_fixed_size_list(kind):
        width = kind.list_size
        values = column.values.slice(column.offset * width, n * width)
        return _whole(values, np.arange(n) * width, width, wrong).reshape(n, width)
    if types.is_list(kind) or types.is_large_list(kind):
        offsets = np.asarray(column.offsets, np.int64)
        values = column.values.slice(offsets[0], offsets[-1] - offsets[0])
        offsets = offsets - offsets[0]
        flat = _whole(values, offsets[:-1], None, wrong)
    else:
        wide = types.is_large_binary(kind)
        _, ends, data = column.buffers()
        item = np.int64 if wide else np.int32
        offsets = np.zeros(1, np.int64)
        if ends is not None:
            begin = column.offset * np.dtype(item).itemsize
            offsets = np.frombuffer(ends, item, n + 1, begin).astype(np.int64)
        flat = bytes_of(data, int(offsets[0]), int(offsets[-1] - offsets[0]))
        offsets -= offsets[0]
    return _of_their_lengths(flat, offsets, wrong)


def _whole(
    values: pa.Array, starts: npt.NDArray[np.int64], width: int | None, wrong: Wrong
) -> npt.NDArray[Any]:
    """Numbers of lists; a list with a null in it is wrong."""
    if values.null_count:
        nulls = np.flatnonzero(np.asarray(values.is_null()))
        rows = np.unique(np.searchsorted(starts, nulls, side="right") - 1)
        wrong.mark(rows, HandError(Code.COUNT_MISSING))
        values = values.fill_null(0)
    whole: npt.NDArray[Any] = values.to_numpy()
    return whole


def _of_their_lengths(
    flat: npt.NDArray[Any], offsets: npt.NDArray[np.int64], wrong: Wrong
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
    wrong.mark_values((lengths != KINDS) & (lengths != SUITED), lengths,
                      Code.COUNTS_OF_OTHER_LENGTH)  # fmt: skip
    return counts
