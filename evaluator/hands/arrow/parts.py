"""Hands in parts: columns of melds, winning tiles, flags and winds beside the tiles."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ...engine.optional import arrow, need
from ...errors import Code, EvaluatorError
from ...tiles import KINDS, SUITS, WIND_NAMES
from .. import MAX_MELDS, MAX_WILDS, MELD_IDS, NONE, Hands
from .texts import read_texts
from .wrong import Wrong, of_column

if TYPE_CHECKING:
    import pyarrow as pa

Batch = Hands | npt.NDArray[Any]
"""Hands, or tile counts of shape (n, 34) or (n, 27) of any integer type."""

PARTS = (
    "concealed",
    "melds",
    "win_tile",
    "flags",
    "prevalent_wind",
    "seat_wind",
    "flowers",
)
"""Columns of a hand in parts: the fields of :class:`~evaluator.hands.Hand` of these names.

As text: ``concealed`` tiles, the winning one included; ``melds`` in brackets; ``win_tile``
one tile (empty: the last of the concealed ones); ``flags`` names with commas; winds E, S, W
or N; ``flowers`` 0-8. All but ``concealed`` may be empty or left out.
"""


VOID = tuple(SUITS)


WILDS = tuple(str(number) for number in range(MAX_WILDS + 1))


Parts = dict[str, "pa.Array"]


_NUMBERS: dict[str, tuple[int, int, int]] = {
    # part: (bits, what a null is, the largest number)
    "win_tile": (8, NONE, KINDS - 1),
    "flags": (16, 0, 127),
    "prevalent_wind": (8, 0, 3),
    "seat_wind": (8, 0, 3),
    "flowers": (8, 0, 8),
}


def with_parts(hands: Hands, parts: Parts, wrong: Wrong) -> Hands:
    """The hands with the winds and winning tiles of their own columns."""
    compute = need("pyarrow.compute", "arrow")
    changes: dict[str, Any] = {}
    if "melds" in parts:
        sets = compute.match_substring_regex(parts["melds"], r"^\s*(\[[^\[\]|]*\]\s*)*$")
        wrong.mark_values(~np.asarray(sets), parts["melds"], Code.BAD_CELL_CHOICE,
                          key="melds", expected="sets in brackets")  # fmt: skip
    for part in ("prevalent_wind", "seat_wind"):
        if part in parts:
            codes = codes_of(parts[part], tuple(WIND_NAMES), part, "E, S, W or N", wrong)
            changes[part] = np.where(codes == NONE, 0, codes).astype(np.uint8)
    if "win_tile" in parts:
        column = parts["win_tile"]
        tiles = read_texts(column)
        counts = tiles.hands.concealed
        said = ~tiles.blank
        # a tile may be followed by sections where a hand is read, but not here
        bars = np.asarray(compute.match_substring(column, "|"))
        wrong.mark_values(said & ((counts.sum(axis=1) != 1) | bars), column,
                          Code.BAD_CELL_CHOICE, key="win_tile", expected="one tile")  # fmt: skip
        changes["win_tile"] = np.where(said, counts.argmax(axis=1), hands.win_tile).astype(np.uint8)
    return replace(hands, **changes)


def hands_of_parts(counts: Batch, parts: Parts, wrong: Wrong) -> Hands:
    """Counts with the numbers beside them: the fields of :class:`~evaluator.hands.Hands`."""
    assert not isinstance(counts, Hands)
    outside = (counts < 0) | (counts > NONE)
    fields: dict[str, Any] = {"concealed": np.where(outside, NONE, counts).astype(np.uint8)}
    for part, array in parts.items():
        with of_column(part):
            if part == "melds":
                fields[part] = _meld_ids(array, wrong)
            elif is_text(array.type) and part.endswith("_wind"):
                codes = codes_of(array, tuple(WIND_NAMES), part, "E, S, W or N", wrong)
                fields[part] = np.where(codes == NONE, 0, codes)
            else:
                bits, null, top = _NUMBERS[part]
                fields[part] = _integers(array, part, top, null, wrong).astype(f"u{bits // 8}")
    return Hands(**fields)


def _meld_ids(array: pa.Array, wrong: Wrong) -> npt.NDArray[np.uint8]:
    types = arrow().types
    kind = array.type
    n, valid = len(array), np.asarray(array.is_valid())[:, None]
    if types.is_fixed_size_binary(kind) and kind.byte_width == MAX_MELDS:
        data = bytes_of(array.buffers()[1], array.offset * MAX_MELDS, n * MAX_MELDS)
        given = data.reshape(-1, MAX_MELDS).astype(np.int64)
    elif (
        types.is_fixed_size_list(kind)
        and kind.list_size == MAX_MELDS
        and types.is_integer(kind.value_type)
    ):
        values = array.values.slice(array.offset * MAX_MELDS, n * MAX_MELDS).fill_null(0)
        given = np.asarray(values).reshape(-1, MAX_MELDS)
    else:
        raise EvaluatorError(Code.MELD_IDS_EXPECTED, dtype=str(kind))
    given = np.where(valid, given, 0)
    outside = (given < 0) | (given >= MELD_IDS)
    first = given[np.arange(n), outside.argmax(axis=1)]
    wrong.mark_values(outside.max(axis=1), first, Code.MELD_ID_RANGE,
                      high=MELD_IDS - 1)  # fmt: skip
    return np.where(outside, 0, given).astype(np.uint8)


def _integers(
    array: pa.Array, name: str, top: int, null: int, wrong: Wrong
) -> npt.NDArray[np.int64]:
    """Small whole numbers; what is none of them is an error of its row."""
    pa = arrow()
    if pa.types.is_null(array.type):
        return np.full(len(array), null, np.int64)
    if not pa.types.is_integer(array.type):
        said = {"name": repr(name), "dtype": str(array.type)}
        raise EvaluatorError(Code.WHOLE_NUMBERS_EXPECTED, **said)
    valid = np.asarray(array.is_valid())
    given = array.fill_null(0).to_numpy(zero_copy_only=False)
    outside = valid & ((given < 0) | (given > top))
    wrong.mark_values(outside, given, Code.BAD_CELL_NUMBER, key=name, high=top)
    return np.where(valid & ~outside, given, null).astype(np.int64)


def codes_of(
    array: pa.Array, words: tuple[str, ...], name: str, expected: str, wrong: Wrong
) -> npt.NDArray[np.uint8]:
    """A column ``void``, ``wilds`` or of winds: numbers, or words in either case."""
    if not is_text(array.type):
        return _integers(array, name, len(words) - 1, NONE, wrong).astype(np.uint8)
    pa, compute = arrow(), need("pyarrow.compute", "arrow")
    cells = compute.utf8_trim_whitespace(text_of(array))
    numbers = [str(number) for number in range(len(words))] if words == tuple(WIND_NAMES) else []
    known = ["", *words, *(word.swapcase() for word in words), *numbers]
    place = compute.index_in(cells, pa.array(known, cells.type)).fill_null(-1)
    codes = np.asarray(place, np.int64)
    wrong.mark_values(codes < 0, cells, Code.BAD_CELL_CHOICE, key=name, expected=expected)
    return np.where(codes <= 0, NONE, (codes - 1) % len(words)).astype(np.uint8)


def text_of(array: pa.Array) -> pa.Array:
    """A column as text, empty where it is null."""
    pa = arrow()
    if not is_text(array.type):
        array = array.cast(pa.string())
    return array.fill_null("") if array.null_count else array


def is_text(kind: pa.DataType) -> bool:
    types = arrow().types
    return bool(types.is_string(kind) or types.is_large_string(kind))


def bytes_of(data: pa.Buffer | None, begin: int, size: int) -> npt.NDArray[np.uint8]:
    if data is None or not size:
        return np.zeros(0, np.uint8)
    return np.frombuffer(data, np.uint8, size, begin)
