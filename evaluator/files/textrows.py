"""Record batches as text: rows of CSV, or one JSON object a line.

Answers look as those of text files do: tiles by name, masks as ``14m7p`` or as lists.
"""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..tiles import KINDS, SUITS
from ..tiles import NAMES as TILE_NAMES
from .arrowhands import as_text
from .arrowresults import NAMED
from .arrowtypes import COUNTS, INDEX, MASK, PATTERNS, RULES, notation_of
from .columns import LISTED
from .csvrows import Slices
from .extras import arrow
from .files import Sink, Source
from .render import Format, Piece, join, mask_texts

if TYPE_CHECKING:
    import os

    import pyarrow as pa

    from ..rulesets import Rules


class TextSink:
    """A CSV or JSON lines file of record batches, written beside its name and renamed.

    Parameters
    ----------
    path : str or path-like
    schema : pyarrow.Schema
    form : {"csv", "jsonl"}
    rules : Rules
        Whose names of fan.
    force : bool
    source : Source, optional
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        schema: pa.Schema,
        form: Format,
        rules: Rules,
        *,
        force: bool = False,
        source: Source | None = None,
    ) -> None:
        self._sink = Sink(path, force=force, source=source)
        self._form, self._rules = form, rules
        self._names = [_title(field, rules) for field in schema]
        if form == "csv":
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerow(self._names)
            self._sink.write(text.getvalue().encode())

    def prepare(self, batch: pa.RecordBatch) -> memoryview:
        """The text of a batch; any thread may make it."""
        return batch_text(batch, self._form, self._rules)

    def write(self, text: memoryview) -> None:
        """Append what was prepared."""
        self._sink.write(text)

    def __enter__(self) -> TextSink:
        self._sink.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._sink.__exit__(*error)


def _is_coded(field: pa.Field, rules: Rules) -> bool:
    """Whether a column stands for lists of names; patterns are those of one rule set."""
    if field.name not in LISTED or not arrow().types.is_fixed_size_binary(field.type):
        return False
    by = (field.metadata or {}).get(RULES)
    ours = notation_of(field) == PATTERNS and by == rules.name.encode()
    return ours or field.name != "pattern"


def _title(field: pa.Field, rules: Rules) -> str:
    """What a column is called where its tiles have names."""
    named = notation_of(field) in (MASK, INDEX) or _is_coded(field, rules)
    return NAMED.get(field.name, field.name) if named else str(field.name)


def batch_text(batch: pa.RecordBatch, form: Format, rules: Rules) -> memoryview:
    """The rows of a batch.

    >>> import evaluator as ev, pyarrow as pa
    >>> from evaluator.bulk.arrowbatch import evaluate
    >>> batch = pa.record_batch({"hand": ["123m456p789s1122z", "1x"], "id": [1, None]})
    >>> rules = ev.rules("riichi")
    >>> print(bytes(batch_text(evaluate(batch, "waits", rules), "csv", rules)).decode(), end="")
    123m456p789s1122z,1,0,12z,4,
    1x,,,,,'x' means nothing in mpsz / gb notation (at character 2)
    """
    pieces: list[bytes | Piece] = []
    for at, field in enumerate(batch.schema):
        if form == "csv":
            pieces.append(b"," if at else b"")
        else:
            key = json.dumps(_title(field, rules), ensure_ascii=False)
            pieces.append(f"{', ' if at else '{'}{key}: ".encode())
        pieces.append(_piece(field, batch.column(at), form, rules))
    pieces.append(b"\n" if form == "csv" else b"}\n")
    return join(pieces, batch.num_rows)


def _piece(field: pa.Field, array: pa.Array, form: Format, rules: Rules) -> Piece:
    types, kind = arrow().types, field.type
    if isinstance(array, arrow().ExtensionArray):
        return _piece(field.with_type(array.storage.type), array.storage, form, rules)
    notation = notation_of(field)
    missing = np.asarray(array.is_null())
    if notation == MASK and types.is_uint64(kind):
        return mask_texts(array.fill_null(0).to_numpy(), missing, form)
    if notation == INDEX and types.is_uint8(kind):
        return _texts(arrow().array(TILE_NAMES).take(array), form)
    if _is_coded(field, rules):
        return _lists(field.name, array, missing, form, rules)
    if notation == COUNTS and types.is_fixed_size_binary(kind):
        return _texts(hand_texts(array), form)
    if types.is_boolean(kind) or types.is_integer(kind):
        return _bare(array, missing, form)
    if types.is_floating(kind):
        return _bare(array, missing, form) if form == "csv" else _texts_of(array, form)
    if types.is_nested(kind) or types.is_binary(kind) or types.is_fixed_size_binary(kind):
        return _texts_of(array, form)
    if types.is_dictionary(kind):
        return _piece(field.with_type(kind.value_type), array.dictionary_decode(), form, rules)
    return _texts(array, form)


def _ends(array: pa.Array) -> Slices:
    """Text of each row; nulls end before they begin, so that they are seen as missing."""
    data, start, end = as_text(array)
    missing = np.asarray(array.is_null())
    return Slices(data, start, np.where(missing, start - 1, end))


def _texts(array: pa.Array, form: Format) -> Piece:
    return Piece(_ends(array), "csv" if form == "csv" else "json")


def _bare(array: pa.Array, missing: npt.NDArray[np.bool_], form: Format) -> Piece:
    """Numbers, true and false; nothing or null where there is none."""
    texts = array.cast(arrow().string()).fill_null("" if form == "csv" else "null")
    return Piece(as_text(texts), "raw")


def _texts_of(array: pa.Array, form: Format) -> Piece:
    """Values that only Python can write, one by one."""
    texts = [_written(value, form) for value in array.to_pylist()]
    strings = arrow().array(texts, arrow().string())
    return Piece(as_text(strings), "raw") if form == "jsonl" else _texts(strings, form)


def _written(value: Any, form: Format) -> str | None:
    if form == "csv" and isinstance(value, bytes):
        return value.hex()
    if form == "csv" and (value is None or isinstance(value, str)):
        return value
    if form == "csv" and isinstance(value, list) and all(isinstance(v, str) for v in value):
        return " ".join(value)
    if isinstance(value, float) and not np.isfinite(value):
        # JSON has no such numbers
        return "null"
    return json.dumps(value, ensure_ascii=False, default=_as_json)


def _as_json(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else str(value)


def _lists(
    name: str, array: pa.Array, missing: npt.NDArray[np.bool_], form: Format, rules: Rules
) -> Piece:
    """Names of fan or patterns."""
    width = array.type.byte_width
    data = np.frombuffer(array.buffers()[1], np.uint8)[array.offset * width :]
    codes = data[: len(array) * width].view(np.dtype((np.void, width)))
    lists, number = LISTED[name][1](codes, rules)
    texts = [
        " ".join(names) if form == "csv" else json.dumps(names, ensure_ascii=False)
        for names in lists
    ]
    words = arrow().array(texts, arrow().string()).take(arrow().array(number, mask=missing))
    return Piece(as_text(words if form == "csv" else words.fill_null("null")), "raw")


def hand_texts(array: pa.Array) -> pa.Array:
    """Hands of counts as mpsz text.

    >>> import evaluator as ev
    >>> from evaluator.bulk.arrowtypes import hand_array
    >>> hand_texts(hand_array(ev.parse("11m5z")[None])).to_pylist()
    ['11m5z']
    """
    pa = arrow()
    width = array.type.byte_width
    data = np.frombuffer(array.buffers()[1] or b"", np.uint8)[array.offset * width :]
    counts = data[: len(array) * width].reshape(-1, width)
    if array.null_count:
        counts = np.where(np.asarray(array.is_valid())[:, None], counts, 0)
    # the letter of a suit behind its last tile: as many times as there are tiles of it, 0 or 1
    held = [counts[:, begin : begin + 9] for begin in range(0, width, 9)]
    words = np.concatenate(
        [np.concatenate([suit, suit.any(axis=1, keepdims=True)], axis=1) for suit in held], axis=1
    )
    symbols = np.frombuffer(
        "".join(
            "".join(name[0] for name in TILE_NAMES[begin : min(begin + 9, KINDS)]) + letter
            for begin, letter in zip(range(0, width, 9), [*SUITS, "z"], strict=False)
        ).encode(),
        np.uint8,
    )
    lengths = words.sum(axis=1, dtype=np.int64)
    text = np.repeat(np.tile(symbols, len(words)), words.reshape(-1))
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)]).astype(np.int32)
    plain = pa.Array.from_buffers(
        pa.string(), len(words), [None, pa.py_buffer(offsets), pa.py_buffer(text)]
    )
    return plain if not array.null_count else _with_nulls(plain, array)


def _with_nulls(plain: pa.Array, array: pa.Array) -> pa.Array:
    pa = arrow()
    rows = pa.array(range(len(plain)), pa.int64(), mask=np.asarray(array.is_null()))
    return plain.take(rows)
