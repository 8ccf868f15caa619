"""Columns as text, in bulk: rows of CSV, or one JSON object a line.

A row is made of pieces; a piece is the same bytes in every row, or a slice column
with the way it is written. No row is ever a Python object.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from ..hands import NONE
from ..tiles import NAMES
from .columns import LISTED, columns_of, has_patterns, unanswered
from .csvrows import Chunk, Layout, Rows, Slices, read_rows, unquoted

if TYPE_CHECKING:
    from ..rulesets import Rules

Format = Literal["csv", "jsonl"]
FORMATS: tuple[Format, ...] = ("csv", "jsonl")

RESULTS: dict[str, tuple[str, ...]] = {
    "shanten": ("shanten",),
    "waits": ("waits_shanten", "waits", "waits_left"),
    "discards": ("discard", "discard_shanten", "discard_waits", "discard_left"),
    "win": ("win",),
    "score": ("score", "minimum_met", "fans"),
}
"""Columns of the output, by query."""


Way = Literal["raw", "csv", "json", "list"]


class Piece(NamedTuple):
    """A slice column and the way it is written (``put_*`` of the kernel)."""

    slices: Slices
    way: Way


def result_names(queries: Sequence[str], rules: str | Rules | None = None) -> tuple[str, ...]:
    """Names of the columns that the queries add, ``error`` at the end.

    >>> result_names(["shanten", "win"])
    ('shanten', 'win', 'error')
    >>> result_names(["score"], "qq_sichuan")[:4]
    ('fan', 'points', 'payment', 'patterns')
    """
    return (*(name for query in queries for name in _names(query, rules)), "error")


def _names(query: str, rules: str | Rules | None) -> tuple[str, ...]:
    if query != "score" or not has_patterns(rules):
        return RESULTS[query]
    return tuple(LISTED[name][0] if name in LISTED else name for name in columns_of(query, rules))


def replaced(
    layout: Layout, queries: Sequence[str], rules: str | Rules | None = None
) -> tuple[str, ...]:
    """Columns of the input that the output makes anew.

    >>> replaced(Layout(("hand", "shanten", "win"), plain=False), ["shanten"])
    ('shanten',)
    """
    made = set(result_names(queries, rules))
    return tuple(name for name in layout.columns if name in made)


def carried(
    layout: Layout, queries: Sequence[str], rules: str | Rules | None = None
) -> tuple[int, ...]:
    """Columns of the input that go along."""
    made = replaced(layout, queries, rules)
    return tuple(at for at, name in enumerate(layout.columns) if name not in made)


def header(
    layout: Layout, queries: Sequence[str], form: Format, rules: str | Rules | None = None
) -> bytes:
    """The first line of the output; none for JSON lines."""
    if form == "jsonl":
        return b""
    text = io.StringIO()
    names = [layout.columns[at] for at in carried(layout, queries, rules)]
    csv.writer(text, lineterminator="\n").writerow([*names, *result_names(queries, rules)])
    return text.getvalue().encode()


def body(
    rows: Rows,
    columns: Mapping[str, npt.NDArray[Any]],
    errors: Mapping[int, str],
    layout: Layout,
    queries: Sequence[str],
    form: Format,
    rules: str | Rules | None = None,
) -> memoryview:
    """The text of a chunk's rows.

    Parameters
    ----------
    rows : Rows
    columns : mapping of str to ndarray
        What :func:`evaluator.bulk.columns.answer` gives.
    errors : mapping of int to str
        What is wrong, by row.
    layout : Layout
    queries : sequence of str
    form : {"csv", "jsonl"}
    rules : str, Rules or None
        Whose names of fan.
    """
    fields = [
        *_carried_pieces(rows, layout, carried(layout, queries, rules), form),
        *_result_pieces(columns, queries, form, rules),
        ("error", _error_piece(errors, form, len(rows))),
    ]
    pieces: list[bytes | Piece] = []
    for at, (name, piece) in enumerate(fields):
        if form == "csv":
            pieces += [b"," if at else b"", piece]
        else:
            key = json.dumps(name, ensure_ascii=False)
            pieces += [f"{', ' if at else '{'}{key}: ".encode(), piece]
    pieces.append(b"\n" if form == "csv" else b"}\n")
    return join(pieces, len(rows))


def _carried_pieces(
    rows: Rows, layout: Layout, kept: Sequence[int], form: Format
) -> Iterable[tuple[str, Piece]]:
    quoted: Way = "csv" if form == "csv" else "json"
    names = [layout.columns[at] for at in kept]
    if layout.plain:
        return [("hand", Piece(rows.cells[0], quoted))]
    if form == "jsonl" or len(layout.columns) == 1 or layout.delimiter != ",":
        return [
            (name, Piece(unquoted(rows.cells[at], one_line=False), quoted))
            for name, at in zip(names, kept, strict=True)
        ]
    if rows.whole is not None and len(kept) == len(layout.columns):
        return [("row", Piece(rows.whole, "raw"))]
    return [(name, Piece(rows.cells[at], "raw")) for name, at in zip(names, kept, strict=True)]


def _result_pieces(
    columns: Mapping[str, npt.NDArray[Any]],
    queries: Sequence[str],
    form: Format,
    rules: str | Rules | None,
) -> Iterable[tuple[str, Piece]]:
    bad = columns["reason"] != 0
    for query in queries:
        if query in ("shanten", "win"):
            table = _numbers(form) if query == "shanten" else _booleans(form)
            yield query, _table_piece(table, columns[query], bad)
            continue
        # a hand that this query is not for: an empty answer, no error
        none = unanswered(columns, query)
        if query == "score":
            for name in columns_of(query, rules):
                yield _score_piece(name, columns[name], rules, form, none)
            continue
        prefix = "discard" if query == "discards" else "waits"
        shanten, left = columns[f"{prefix}_shanten"], columns[f"{prefix}_left"]
        tiles = mask_texts(columns[f"{prefix}_mask"], none, form)
        if query == "discards":
            tile = columns["discard"]
            yield "discard", _table_piece(_tiles(form), tile, none | (tile == NONE))
        yield f"{prefix}_shanten", _table_piece(_numbers(form), shanten, none)
        yield "waits" if query == "waits" else "discard_waits", tiles
        yield f"{prefix}_left", _table_piece(_numbers(form), left, none)


def _error_piece(errors: Mapping[int, str], form: Format, n: int) -> Piece:
    start = np.zeros(n, np.int64)
    end = np.full(n, -1, np.int64)
    texts = bytearray()
    for row, message in errors.items():
        start[row] = len(texts)
        texts += message.encode("utf-8", "replace")
        end[row] = len(texts)
    data = np.frombuffer(texts or bytearray(1), np.uint8)
    return Piece(Slices(data, start, end), "csv" if form == "csv" else "json")


class _Table(NamedTuple):
    """Texts of small whole numbers: entry ``number - first``; the last entry is missing."""

    slices: Slices
    first: int


def _table(texts: Sequence[str], first: int, missing: str) -> _Table:
    words = [text.encode() for text in (*texts, missing)]
    ends = np.cumsum([len(word) for word in words]).astype(np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), ends[:-1]])
    return _Table(Slices(np.frombuffer(bytearray(b"".join(words)), np.uint8), starts, ends), first)


@cache
def _numbers(form: Format) -> _Table:
    # the highest score of a hand has three digits
    return _table([str(number) for number in range(-128, 1000)], -128, _missing(form))


@cache
def _booleans(form: Format) -> _Table:
    return _table(["false", "true"], 0, _missing(form))


@cache
def _tiles(form: Format) -> _Table:
    return _table([f'"{name}"' if form == "jsonl" else name for name in NAMES], 0, _missing(form))


def _missing(form: Format) -> str:
    return "null" if form == "jsonl" else ""


def _table_piece(table: _Table, values: npt.NDArray[Any], missing: npt.NDArray[np.bool_]) -> Piece:
    entry = values.astype(np.int64) - table.first
    entry[missing] = len(table.slices.start) - 1
    return Piece(
        Slices(table.slices.data, table.slices.start[entry], table.slices.end[entry]), "raw"
    )


def mask_texts(mask: npt.NDArray[np.uint64], missing: npt.NDArray[np.bool_], form: Format) -> Piece:
    """Tiles of masks: ``14m7p`` or a JSON list."""
    from ..kernels.csvtext import TILES_WIDTH, tile_text

    n = len(mask)
    out = np.empty(n * TILES_WIDTH, np.uint8)
    start, end = np.empty((2, n), np.int64)
    tile_text(np.ascontiguousarray(mask), out, start, end)
    end[missing] = start[missing] - 1
    return Piece(Slices(out, start, end), "raw" if form == "csv" else "list")


def _score_piece(
    name: str,
    values: npt.NDArray[Any],
    rules: str | Rules | None,
    form: Format,
    missing: npt.NDArray[np.bool_],
) -> tuple[str, Piece]:
    """A column of a score and what it is called in a text."""
    if name in LISTED:
        return LISTED[name][0], _list_piece(name, values, rules, form, missing)
    if values.dtype == np.bool_:
        return name, _table_piece(_booleans(form), values, missing)
    if name == "score":
        return name, _table_piece(_numbers(form), values, missing)
    different, number = np.unique(values, return_inverse=True)
    table = _table([str(value) for value in different.tolist()], 0, _missing(form))
    return name, _table_piece(table, number, missing)


def _list_piece(
    name: str,
    values: npt.NDArray[np.void],
    rules: str | Rules | None,
    form: Format,
    missing: npt.NDArray[np.bool_],
) -> Piece:
    """Lists of names: words with spaces between them, or a JSON list."""
    lists, number = LISTED[name][1](values, rules)
    if form == "jsonl":
        texts = [json.dumps(names, ensure_ascii=False) for names in lists]
    else:
        texts = [" ".join(names) for names in lists]
    return _table_piece(_table(texts, 0, _missing(form)), number, missing)


def _ways() -> dict[Way, tuple[Any, Any]]:
    """The kernels that measure and write a piece."""
    from ..kernels.csvtext import (
        measure_csv,
        measure_json,
        measure_list,
        measure_raw,
        put_csv,
        put_json,
        put_list,
        put_raw,
    )

    return {
        "raw": (measure_raw, put_raw),
        "csv": (measure_csv, put_csv),
        "json": (measure_json, put_json),
        "list": (measure_list, put_list),
    }


def join(pieces: Iterable[bytes | Piece], n: int) -> memoryview:
    """Rows made of their pieces, one after the other."""
    from ..kernels.csvtext import put_constant

    pieces, ways = list(pieces), _ways()
    length = np.full(n, sum(len(p) for p in pieces if isinstance(p, bytes)), np.int64)
    for piece in pieces:
        if isinstance(piece, Piece):
            measure, _ = ways[piece.way]
            measure(*piece.slices, length)
    stop = np.cumsum(length)
    out = np.empty(int(stop[-1]) if n else 0, np.uint8)
    at = stop - length
    for piece in pieces:
        if isinstance(piece, Piece):
            _, put = ways[piece.way]
            put(*piece.slices, out, at)
        elif piece:
            put_constant(np.frombuffer(bytearray(piece), np.uint8), out, at)
    return memoryview(out)


def warmup() -> None:
    """Compile what reads and writes text in bulk."""
    from .columns import tile_lists

    text = Slices(np.zeros(1, np.uint8), np.zeros(1, np.int64), np.zeros(1, np.int64))
    for way in get_args(Way):
        join([b"\n", Piece(text, way)], 1)
    tile_lists(np.zeros(1, np.uint64))
    layout = Layout(("hand", "void", "wilds"), hand=0, void=1, wilds=2, plain=False)
    read_rows(Chunk(b'"1m",m,1\n', 1, last=True), layout, "")
