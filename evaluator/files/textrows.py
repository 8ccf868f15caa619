"""Record batches as text: rows of CSV, or one JSON object a line.

Arrow joins the cells of a row; a cell is quoted where it has to be. Answers look as people
write them: tiles by name, masks as ``14m7p`` or as lists.
"""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from ..engine.optional import arrow, need
from ..errors import Code
from ..hands.arrow.fields import COUNTS, INDEX, MASK, PATTERNS, RULES, notation_of
from ..hands.arrow.texts import text_slices
from ..hands.arrow.wrong import CellError, of_column
from ..tiles import KINDS
from ..tiles import NAMES as TILE_NAMES
from .answercolumns import NAMED, tile_names
from .questions import LISTED

if TYPE_CHECKING:
    import pyarrow as pa

    from ..rulesets import Rules

Format = Literal["csv", "jsonl"]
FORMATS: tuple[Format, ...] = ("csv", "jsonl")

MOST_TILES = 64
"""Tiles of a hand that is written as tiles, more are no hand."""


def header(schema: pa.Schema, form: Format, rules: Rules) -> bytes:
    """The first line; none for JSON lines."""
    if form == "jsonl":
        return b""
    names = arrow().array([title(field, rules) for field in schema])
    return ",".join(_quoted(names).to_pylist()).encode() + b"\n"


def title(field: pa.Field, rules: Rules) -> str:
    """What a column is called where its tiles have names."""
    named = notation_of(field) in (MASK, INDEX) or _is_coded(field, rules)
    return NAMED.get(field.name, field.name) if named else str(field.name)


def _is_coded(field: pa.Field, rules: Rules) -> bool:
    """Whether a column stands for lists of names; patterns are those of one rule set."""
    if field.name not in LISTED or not arrow().types.is_fixed_size_binary(field.type):
        return False
    by = (field.metadata or {}).get(RULES)
    ours = notation_of(field) == PATTERNS and by == rules.name.encode()
    return ours or field.name != "pattern"


def rows_as_text(batch: pa.RecordBatch, form: Format, rules: Rules) -> memoryview:
    """The rows of a batch.

    >>> import evaluator as ev, pyarrow as pa
    >>> from evaluator.files import evaluate
    >>> batch = pa.record_batch({"hand": ["123m456p789s1122z", "1x"], "id": [1, None]})
    >>> rules = ev.rules("riichi")
    >>> print(bytes(rows_as_text(evaluate(batch, "waits", rules), "csv", rules)).decode(), end="")
    123m456p789s1122z,1,0,12z,4,
    1x,,,,,'x' means nothing in mpsz / gb notation (at character 2)
    """
    pa, compute = arrow(), need("pyarrow.compute", "arrow")
    pieces: list[Any] = []
    for at, field in enumerate(batch.schema):
        if form == "csv":
            pieces.append("," if at else "")
        else:
            key = json.dumps(title(field, rules), ensure_ascii=False)
            pieces.append(f"{', ' if at else '{'}{key}: ")
        with of_column(field.name):
            pieces.append(_cells(field, batch.column(at), form, rules))
    pieces.append("\n" if form == "csv" else "}\n")
    if not batch.num_rows:
        return memoryview(b"")
    size = sum(len(p) * batch.num_rows if isinstance(p, str) else p.nbytes for p in pieces)
    kind = pa.string() if size < 1 << 30 else pa.large_string()
    said = [
        pa.scalar(piece, kind) if isinstance(piece, str) else piece.cast(kind)
        for piece in (*pieces, "")
    ]
    rows = compute.binary_join_element_wise(*said)
    data, start, end = text_slices(rows)
    return memoryview(data)[int(start[0]) : int(end[-1])]


def _cells(field: pa.Field, array: pa.Array, form: Format, rules: Rules) -> Any:
    """The text of each cell, or of all of them."""
    pa, kind = arrow(), field.type
    types = pa.types
    if isinstance(array, pa.ExtensionArray):
        return _cells(field.with_type(array.storage.type), array.storage, form, rules)
    if types.is_dictionary(kind):
        return _cells(field.with_type(kind.value_type), array.dictionary_decode(), form, rules)
    notation = notation_of(field)
    if notation == MASK and types.is_uint64(kind):
        return _tiles(array, form)
    if notation == INDEX and types.is_uint8(kind):
        return _words(tile_names(array), form)
    if _is_coded(field, rules):
        return _names(field.name, array, form, rules)
    if notation == COUNTS and types.is_fixed_size_binary(kind):
        return _words(hand_texts(array), form)
    if types.is_boolean(kind) or types.is_integer(kind):
        return _bare(array.cast(pa.string()), form)
    if types.is_floating(kind) and form == "csv":
        return _bare(array.cast(pa.string()), form)
    if types.is_string(kind) or types.is_large_string(kind):
        return _words(array, form)
    if types.is_temporal(kind) or types.is_decimal(kind) or types.is_null(kind):
        return _words(array.cast(pa.string()), form)
    lists = types.is_list(kind) or types.is_large_list(kind)
    if lists and types.is_integer(kind.value_type) and not array.flatten().null_count:
        numbers = array.cast(pa.list_(pa.string()))
        joined = need("pyarrow.compute", "arrow").binary_join(numbers, ", ")
        return _words(_between("[", joined, "]"), form) if form == "csv" else _bare(
            _between("[", joined, "]"), form)  # fmt: skip
    return _one_by_one(array, form)


def _bare(cells: pa.Array, form: Format) -> pa.Array:
    """Text that needs no quotes; nothing or null where there is none."""
    return cells.fill_null("" if form == "csv" else "null") if cells.null_count else cells


def _words(cells: pa.Array, form: Format) -> Any:
    """Text of any kind."""
    if cells.null_count == len(cells):
        return "" if form == "csv" else "null"
    _check_text(cells)
    return _bare(_quoted(cells) if form == "csv" else _as_json(cells), form)


def _check_text(cells: pa.Array) -> None:
    """Refuse bytes that are no text."""
    pa = arrow()
    try:
        cells.validate(full=True)
    except pa.ArrowInvalid:
        data, start, end = text_slices(cells)
        for row in np.flatnonzero(np.asarray(cells.is_valid())).tolist():
            try:
                bytes(data[start[row] : end[row]]).decode()
            except UnicodeDecodeError as error:
                byte = f"0x{error.object[error.start]:02x}"
                raise CellError(Code.NOT_UTF8_CELL, row=row, byte=byte) from None
        raise


def holds(cells: pa.Array, marks: bytes) -> bool:
    """Whether a character of some may be in a column of text: looked for in all of its bytes."""
    data = cells.buffers()[2]
    return data is not None and len(data.to_pybytes().translate(None, marks)) < data.size


def _quoted(cells: pa.Array) -> pa.Array:
    """CSV cells: in quotes where a comma, a quote or a line end makes it necessary."""
    if not holds(cells, b'",\r\n'):
        return cells
    compute = need("pyarrow.compute", "arrow")
    needed = compute.match_substring_regex(cells, '[",\r\n]')
    if not compute.any(needed).as_py():
        return cells
    doubled = compute.replace_substring(cells, '"', '""')
    return compute.if_else(needed, _between('"', doubled, '"'), cells)


def _as_json(cells: pa.Array) -> pa.Array:
    """JSON strings."""
    replace = need("pyarrow.compute", "arrow").replace_substring
    odd = bytes(range(32)) + b'"\\'
    for mark in ("\\", '"', *map(chr, range(32))) if holds(cells, odd) else ():
        if holds(cells, mark.encode()):
            written = f"\\{mark}" if mark >= " " else f"\\u{ord(mark):04x}"
            cells = replace(cells, mark, written)
    return _between('"', cells, '"')


def _between(before: str, cells: pa.Array, after: str) -> pa.Array:
    pa, compute = arrow(), need("pyarrow.compute", "arrow")
    first, last, empty = (pa.scalar(text, cells.type) for text in (before, after, ""))
    return compute.binary_join_element_wise(first, cells, last, empty)


@cache
def _suit_texts(form: Format) -> tuple[pa.Array, ...]:
    """Of each suit the text of every set of its tiles, by the bits of the set."""
    texts = []
    for begin in range(0, KINDS, 9):
        names = TILE_NAMES[begin : begin + 9]
        sets = [[name for bit, name in enumerate(names) if code >> bit & 1] for code in range(512)]
        if form == "jsonl":
            texts.append(["".join(f',"{name}"' for name in held) for held in sets])
        else:
            texts.append(
                ["".join(n[0] for n in held) + held[0][1] if held else "" for held in sets]
            )
    return tuple(arrow().array(words) for words in texts)


def mask_texts(masks: npt.NDArray[np.uint64], form: Format = "csv") -> pa.Array:
    """Tiles of masks: ``14m7p``, or a JSON list.

    >>> mask_texts(np.array([0b1001, 1 << 33, 0], np.uint64)).to_pylist()
    ['14m', '7z', '']
    """
    pa, compute = arrow(), need("pyarrow.compute", "arrow")
    if len(masks) and int(masks.max()) >> KINDS:
        row = int(np.argmax(masks >> np.uint64(KINDS) != 0))
        raise CellError(Code.NOT_A_MASK, row=row, number=int(masks[row]), high=KINDS - 1)
    places = ((masks >> np.uint64(9 * suit)) & np.uint64(511) for suit in range(4))
    suits = [
        words.take(pa.array(place.astype(np.int16)))
        for words, place in zip(_suit_texts(form), places, strict=True)
    ]
    joined = compute.binary_join_element_wise(*suits, "")
    if form == "csv":
        return joined
    return _between("[", compute.binary_replace_slice(joined, 0, 1, ""), "]")


def _tiles(array: pa.Array, form: Format) -> pa.Array:
    pa = arrow()
    texts = mask_texts(np.asarray(array.fill_null(0)), form)
    missing = np.asarray(array.is_null())
    if not missing.any():
        return texts
    nothing = pa.scalar("" if form == "csv" else "null", texts.type)
    return need("pyarrow.compute", "arrow").if_else(pa.array(missing), nothing, texts)


def _names(name: str, array: pa.Array, form: Format, rules: Rules) -> pa.Array:
    """Lists of fan or patterns."""
    pa = arrow()
    width = array.type.byte_width
    data = np.frombuffer(array.buffers()[1] or b"", np.uint8)[array.offset * width :]
    codes = data[: len(array) * width].view(np.dtype((np.void, width)))
    lists, number = LISTED[name][1](codes, rules)
    texts = [
        " ".join(names) if form == "csv" else json.dumps(names, ensure_ascii=False)
        for names in lists
    ]
    missing = np.asarray(array.is_null())
    cells = pa.array(texts, pa.string()).take(pa.array(number, mask=missing))
    return _bare(cells, form)


def _one_by_one(array: pa.Array, form: Format) -> Any:
    """Values that only Python can write."""
    texts = []
    for row, value in enumerate(array):
        try:
            texts.append(_written(value.as_py(), form))
        except RecursionError:
            raise CellError(Code.NESTED_TOO_DEEPLY, row=row) from None
        except (ValueError, OverflowError) as error:
            raise CellError(Code.CELL_REFUSED, row=row, detail=str(error)) from None
    cells = arrow().array(texts, arrow().large_string())
    return cells if form == "jsonl" else _words(cells, form)


def _written(value: Any, form: Format) -> str | None:
    if form == "csv":
        if isinstance(value, bytes):
            return value.hex()
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, list) and value and all(isinstance(v, str) for v in value):
            return " ".join(value)
    return json.dumps(_without_nan(value), ensure_ascii=False, default=_plain)


def _without_nan(value: Any) -> Any:
    """JSON has no numbers that are none."""
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if isinstance(value, list):
        return [_without_nan(each) for each in value]
    if isinstance(value, dict):
        return {key: _without_nan(each) for key, each in value.items()}
    return value


def _plain(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


def hand_texts(array: pa.Array) -> pa.Array:
    """Hands of counts as mpsz text; counts that are no hand as hexadecimal bytes.

    >>> import evaluator as ev
    >>> from evaluator.hands.arrow.fields import hand_array
    >>> hand_texts(hand_array(ev.parse("11m5z")[None])).to_pylist()
    ['11m5z']
    """
    pa, compute = arrow(), need("pyarrow.compute", "arrow")
    width, n = array.type.byte_width, len(array)
    data = np.frombuffer(array.buffers()[1] or b"", np.uint8)[array.offset * width :]
    counts = data[: n * width].reshape(n, width)
    missing = np.asarray(array.is_null())
    odd = (counts.max(axis=1, initial=0) > 8) | (counts.sum(axis=1, dtype=np.int64) > MOST_TILES)
    odd |= missing
    if odd.any():
        counts = np.where(odd[:, None], 0, counts).astype(np.uint8)
    texts = pa.Array.from_buffers(pa.string(), n, [None, *map(pa.py_buffer, hand_text_of(counts))])
    if not odd.any():
        return texts
    hexadecimal = pa.array(
        [None if m else value.as_py().hex() for value, m in zip(array, missing, strict=True)]
        if (odd & ~missing).any()
        else [None] * n,
        pa.string(),
    )
    return compute.if_else(pa.array(odd), hexadecimal, texts)


def hand_text_of(
    counts: npt.NDArray[np.uint8], between: bytes = b""
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    """Where the text of each hand begins, and the text, with a byte behind each or none."""
    from ..hands.kernels.text import (
        HAND_SPARE,
        hand_text,
    )

    room = int(counts.sum(dtype=np.int64)) + len(counts) * (4 + len(between)) + HAND_SPARE
    text, offsets = np.empty(room, np.uint8), np.empty(len(counts) + 1, np.int32)
    size = hand_text(np.ascontiguousarray(counts), text, offsets, between[0] if between else 0)
    return offsets, text[:size]
