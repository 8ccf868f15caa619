"""Answers as Arrow columns: null where there is none, fields that say what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ..engine.optional import arrow
from ..errors import Code
from ..hands import NONE
from ..hands.arrow.fields import INDEX, MASK, NAMES, PATTERNS, metadata
from ..hands.arrow.wrong import CellError, Wrong
from ..tiles import KINDS
from ..tiles import NAMES as TILE_NAMES
from .questions import LISTED, columns_of, unanswered

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
    "wait_scores_mask": "wait_scores",
    **{coded: text for coded, (text, _) in LISTED.items()},
}
"""Columns of numbers that have names, and what they are called then."""

ERROR = "error"


def answer_fields(queries: Sequence[str], rules: Rules, tiles: Tiles = "mask") -> list[pa.Field]:
    """Fields of the answers, ``error`` at the end.

    >>> import evaluator as ev
    >>> [str(f.type) for f in answer_fields(["waits"], ev.rules("riichi"))]
    ['int8', 'uint64', 'uint8', 'string']
    >>> [f.name for f in answer_fields(["waits"], ev.rules("riichi"), "names")]
    ['waits_shanten', 'waits', 'waits_left', 'error']
    """
    pa = arrow()
    fields = []
    for query in queries:
        for name, dtype in columns_of(query, rules).items():
            notation, kind = _notation(name), _arrow_type(dtype)
            if tiles == "names" and name in NAMED:
                kind = pa.string() if name == "discard" else pa.list_(pa.string())
                notation, name = None if name in LISTED else NAMES, NAMED[name]
            fields.append(pa.field(name, kind, metadata=metadata(notation, rules.name)))
    return [*fields, pa.field(ERROR, pa.string(), metadata=metadata(None, rules.name))]


def _notation(name: str) -> str | None:
    if name.endswith("_mask"):
        return MASK
    return {"discard": INDEX, "fan_counts": "copies of fan 1-82", "pattern": PATTERNS}.get(name)


def _arrow_type(dtype: np.dtype[Any]) -> pa.DataType:
    pa = arrow()
    if dtype.subdtype is not None:
        return pa.list_(pa.from_numpy_dtype(dtype.subdtype[0]))
    return pa.binary(dtype.itemsize) if dtype.kind == "V" else pa.from_numpy_dtype(dtype)


def answer_arrays(
    columns: Mapping[str, npt.NDArray[Any]],
    wrong: Wrong,
    queries: Sequence[str],
    rules: Rules,
    tiles: Tiles = "mask",
) -> list[pa.Array]:
    """The answers of :func:`evaluator.files.asking.answer` as arrays of :func:`answer_fields`."""
    arrays = []
    for query in queries:
        none = unanswered(columns, query, rules)
        for name in columns_of(query, rules):
            values = columns[name]
            missing = none | (values == NONE) if name == "discard" else none
            if not missing.any():
                missing = None
            if tiles == "names" and name in NAMED:
                arrays.append(named_array(name, values, missing, rules))
            elif values.ndim == 2:
                arrays.append(_lists_of_waits(values, columns["wait_scores_mask"], missing))
            else:
                arrays.append(_array(values, missing))
    return [*arrays, wrong.messages()]


def _validity(missing: npt.NDArray[np.bool_] | None) -> pa.Buffer | None:
    if missing is None:
        return None
    return arrow().py_buffer(np.packbits(~missing, bitorder="little"))


def _array(values: npt.NDArray[Any], missing: npt.NDArray[np.bool_] | None) -> pa.Array:
    """A numpy column where it is."""
    pa = arrow()
    kind = _arrow_type(values.dtype)
    data = np.packbits(values, bitorder="little") if values.dtype == np.bool_ else values
    data = np.ascontiguousarray(data)
    buffer = pa.py_buffer(data.view(np.uint8) if data.dtype.kind == "V" else data)
    return pa.Array.from_buffers(kind, len(values), [_validity(missing), buffer])


def named_array(
    name: str, values: npt.NDArray[Any], missing: npt.NDArray[np.bool_] | None, rules: Rules
) -> pa.Array:
    """A column of numbers by name."""
    pa = arrow()
    if name == "discard":
        return tile_names(pa.array(values, pa.uint8(), mask=missing))
    if name in LISTED:
        lists, number = LISTED[name][1](values, rules)
        if not lists:
            return pa.nulls(0, pa.list_(pa.string()))
        return pa.array(lists, pa.list_(pa.string())).take(pa.array(number, mask=missing))
    return tile_lists(values, missing)


def tile_names(tiles: pa.Array) -> pa.Array:
    """Tiles by name.

    >>> import pyarrow as pa
    >>> tile_names(pa.array([0, None, 33], pa.uint8())).to_pylist()
    ['1m', None, '7z']
    """
    pa = arrow()
    wrong = np.asarray(tiles.fill_null(0)) >= KINDS
    if wrong.any():
        row = int(wrong.argmax())
        raise CellError(
            Code.NO_SUCH_TILE_NUMBER, row=row, number=tiles[row].as_py(), high=KINDS - 1
        )
    return pa.array(TILE_NAMES).take(tiles)


def held(
    masks: npt.NDArray[np.uint64], missing: npt.NDArray[np.bool_] | None = None
) -> npt.NDArray[np.bool_]:
    """The tiles of masks: ``bool[n, 64]``."""
    bits = masks.astype("<u8").view(np.uint8).reshape(-1, 8)
    tiles = np.unpackbits(bits, axis=1, bitorder="little").view(np.bool_)
    if missing is not None:
        tiles[missing] = False
    return tiles


def _lists(
    values: pa.Array, tiles: npt.NDArray[np.bool_], missing: npt.NDArray[np.bool_] | None
) -> pa.ListArray:
    pa = arrow()
    ends = np.cumsum(tiles.sum(axis=1), dtype=np.int32)
    offsets = np.concatenate([np.zeros(1, np.int32), ends])
    buffers = [_validity(missing), pa.py_buffer(offsets)]
    return pa.Array.from_buffers(pa.list_(values.type), len(tiles), buffers, children=[values])


def tile_lists(
    masks: npt.NDArray[np.uint64], missing: npt.NDArray[np.bool_] | None = None
) -> pa.ListArray:
    """Masks as lists of tiles by name.

    >>> tile_lists(np.array([0b1001, 0], np.uint64)).to_pylist()
    [['1m', '4m'], []]
    """
    pa = arrow()
    tiles = held(masks, missing)
    names = pa.array(TILE_NAMES).take(pa.array(np.nonzero(tiles)[1].astype(np.int8)))
    return _lists(names, tiles, missing)


def _lists_of_waits(
    values: npt.NDArray[Any], masks: npt.NDArray[np.uint64], missing: npt.NDArray[np.bool_] | None
) -> pa.ListArray:
    """A number for each tile of a mask, in their order."""
    tiles = held(masks, missing)[:, : values.shape[1]]
    return _lists(arrow().array(values[tiles]), tiles, missing)


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
