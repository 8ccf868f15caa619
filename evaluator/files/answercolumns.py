"""Answers as Arrow columns: null where there is none, fields that say what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ..hands import NONE
from ..tiles import NAMES as TILE_NAMES
from .arrowtypes import INDEX, MASK, NAMES, PATTERNS, metadata
from .columns import LISTED, RowError, column_types, columns_of, one_line, unanswered
from .extras import arrow

if TYPE_CHECKING:
    import pyarrow as pa

    from ..rulesets import Rules

Tiles = Literal["mask", "names"]
TILES: tuple[Tiles, ...] = ("mask", "names")
"""How tiles are written: as bits and numbers, or by name."""

NAMED = {
    "waits_mask": "waits",
    "discard": "discard",
    "discard_mask": "discard_waits",
    **{coded: text for coded, (text, _) in LISTED.items()},
}
"""Columns of numbers that have names, and what they are called then."""

ERROR = "error"


def result_fields(queries: Sequence[str], rules: Rules, tiles: Tiles = "mask") -> list[pa.Field]:
    """Fields of the answers, ``error`` at the end.

    Parameters
    ----------
    queries : sequence of str
    rules : Rules
    tiles : {"mask", "names"}

    Examples
    --------
    >>> import evaluator as ev
    >>> [str(f.type) for f in result_fields(["waits"], ev.rules("riichi"))]
    ['int8', 'uint64', 'uint8', 'string']
    >>> [f.name for f in result_fields(["waits"], ev.rules("riichi"), "names")]
    ['waits_shanten', 'waits', 'waits_left', 'error']
    """
    pa = arrow()
    fields = []
    for name, dtype in column_types(queries, rules).items():
        notation = _notation(name)
        kind = _arrow_type(dtype)
        if tiles == "names" and name in NAMED:
            kind = pa.string() if name == "discard" else pa.list_(pa.string())
            notation, name = None if name in LISTED else NAMES, NAMED[name]
        fields.append(pa.field(name, kind, metadata=metadata(notation, rules.name)))
    return [*fields, pa.field(ERROR, pa.string(), metadata=metadata(None, rules.name))]


def _notation(name: str) -> str | None:
    if name.endswith("_mask"):
        return MASK
    return {
        "discard": INDEX,
        "fan_counts": "copies of fan 1-82",
        "pattern": PATTERNS,
    }.get(name)


def _arrow_type(dtype: np.dtype[Any]) -> pa.DataType:
    pa = arrow()
    if dtype.kind == "V":
        return pa.binary(dtype.itemsize)
    return pa.string() if dtype.kind in "OT" else pa.from_numpy_dtype(dtype)


def result_arrays(
    columns: Mapping[str, npt.NDArray[Any]],
    errors: Mapping[int, RowError],
    queries: Sequence[str],
    rules: Rules,
    tiles: Tiles = "mask",
) -> list[pa.Array]:
    """The answers of :func:`evaluator.bulk.columns.answer` as arrays of :func:`result_fields`."""
    arrays = []
    for query in queries:
        none = unanswered(columns, query)
        for name in columns_of(query, rules):
            values = columns[name]
            missing = none | (values == NONE) if name == "discard" else none
            missing = missing if missing.any() else None
            if tiles == "names" and name in NAMED:
                arrays.append(_named(name, values, missing, rules))
            else:
                arrays.append(_array(values, missing))
    n = len(columns["reason"])
    return [*arrays, text_array(n, {row: one_line(error) for row, error in errors.items()})]


def _validity(missing: npt.NDArray[np.bool_] | None) -> pa.Buffer | None:
    if missing is None:
        return None
    return arrow().py_buffer(np.packbits(~missing, bitorder="little"))


def _array(values: npt.NDArray[Any], missing: npt.NDArray[np.bool_] | None) -> pa.Array:
    """A numpy column where it is."""
    pa = arrow()
    if values.dtype.kind in "OT":
        return pa.array(values.astype(object), pa.string(), mask=missing)
    kind = _arrow_type(values.dtype)
    data = np.packbits(values, bitorder="little") if values.dtype == np.bool_ else values
    data = np.ascontiguousarray(data)
    buffer = pa.py_buffer(data.view(np.uint8) if data.dtype.kind == "V" else data)
    return pa.Array.from_buffers(kind, len(values), [_validity(missing), buffer])


def text_array(n: int, texts: Mapping[int, str]) -> pa.Array:
    """Text of a few of ``n`` rows, null elsewhere.

    >>> text_array(3, {1: "bad"}).to_pylist()
    [None, 'bad', None]
    """
    pa = arrow()
    if not texts:
        return pa.nulls(n, pa.string())
    rows = sorted(texts)
    words = [texts[row].encode("utf-8", "replace") for row in rows]
    lengths = np.zeros(n, np.int32)
    lengths[rows] = [len(word) for word in words]
    offsets = np.concatenate([np.zeros(1, np.int32), np.cumsum(lengths, dtype=np.int32)])
    missing = np.ones(n, np.bool_)
    missing[rows] = False
    buffers = [_validity(missing), pa.py_buffer(offsets), pa.py_buffer(b"".join(words))]
    return pa.Array.from_buffers(pa.string(), n, buffers)


def _named(
    name: str, values: npt.NDArray[Any], missing: npt.NDArray[np.bool_] | None, rules: Rules
) -> pa.Array:
    pa = arrow()
    if name == "discard":
        places = np.where(values == NONE, 0, values)
        return pa.array(TILE_NAMES).take(pa.array(places, pa.int8(), mask=missing))
    if name in LISTED:
        lists, number = LISTED[name][1](values, rules)
        if not lists:
            return pa.nulls(0, pa.list_(pa.string()))
        return pa.array(lists, pa.list_(pa.string())).take(pa.array(number, mask=missing))
    return tile_lists(values, missing)


def tile_lists(
    masks: npt.NDArray[np.uint64], missing: npt.NDArray[np.bool_] | None = None
) -> pa.ListArray:
    """Masks as lists of tiles by name.

    >>> tile_lists(np.array([0b1001, 0], np.uint64)).to_pylist()
    [['1m', '4m'], []]
    """
    pa = arrow()
    bits = masks.astype("<u8").view(np.uint8).reshape(-1, 8)
    held = np.unpackbits(bits, axis=1, bitorder="little").view(np.bool_)
    if missing is not None:
        held[missing] = False
    ends = np.cumsum(held.sum(axis=1), dtype=np.int32)
    tiles = pa.array(TILE_NAMES).take(pa.array(np.nonzero(held)[1].astype(np.int8)))
    offsets = np.concatenate([np.zeros(1, np.int32), ends])
    buffers = [_validity(missing), pa.py_buffer(offsets)]
    return pa.Array.from_buffers(pa.list_(pa.string()), len(masks), buffers, children=[tiles])


def spread(array: pa.Array, rows: npt.NDArray[np.int64], n: int) -> pa.Array:
    """The values of some rows among ``n``, the others null.

    >>> import pyarrow as pa
    >>> spread(pa.array([7]), np.array([1]), 3).to_pylist()
    [None, 7, None]
    """
    pa = arrow()
    where = np.zeros(n, np.int64)
    where[rows] = np.arange(len(rows))
    missing = np.ones(n, np.bool_)
    missing[rows] = False
    return array.take(pa.array(where, mask=missing))
