"""Text tables in bulk: where the cells of a block of CSV are, and rows written from columns.

A *slice column* is a buffer ``data`` (uint8) with ``start`` and ``end`` (int64, one
per row): the text of row ``i`` is ``data[start[i]:end[i]]``. Every kernel here takes
and gives those, so no row is ever a Python object.

Not checked here: that starts and ends lie inside the buffer, that output arrays are
long enough.
"""

from __future__ import annotations

import numpy as np

from ..engine.jit import inline, kernel
from ..engine.vector import address_of, store_8, store_64

U = np.uint64

_QUOTE = 34
_COMMA = 44
_BAR = 124
_BACKSLASH = 92
_NEWLINE = 10
_RETURN = 13
_OPEN = 91
_CLOSE = 93
_HEX = np.frombuffer(b"0123456789abcdef", np.uint8)
_ESCAPE = np.frombuffer(b"\\u00", np.uint8)
_NULL = np.frombuffer(b"null", np.uint8)

DIGIT, SPACE = 1, 2
"""What :func:`find_split_runs` is told about characters; 0 is any other."""

TILES_WIDTH = 38
"""Most bytes :func:`tile_text` writes: 34 ranks and four suit letters."""

HAND_WIDTH = 14 + 4 + 1
"""Most bytes :func:`hand_text` writes of a hand: 14 ranks, four letters, a line's end."""
HAND_SPARE = 8
_LETTERS = np.frombuffer(b"mpsz", np.uint8)


@inline
def _is_end(byte):
    return byte in (_NEWLINE, _RETURN)


@inline
def _is_space(byte):
    return byte in (32, 9, _RETURN)


@inline
def _needs_quotes(byte):
    return byte in (_QUOTE, _COMMA, _NEWLINE, _RETURN)


@inline
def _needs_escape(byte):
    return byte in (_QUOTE, _BACKSLASH)


@inline
def _is_rank(byte):
    return byte <= 57


@inline
def _put_null(out, at):
    for i in range(len(_NULL)):
        out[at + i] = _NULL[i]
    return at + len(_NULL)


@kernel
def find_records(data, delimiter, start, end, last):
    """Find the records of ``data`` (uint8): lines, but for line ends inside quotes.

    ``delimiter`` (int) is the byte between cells. Fills ``start`` and ``end`` (int64,
    long enough for every line) without the line end; a final record without one counts
    when ``last`` is true. Returns how many records there are and where the first
    unfinished one begins.
    """
    count = 0
    begin = 0
    quoted = False
    fresh = True  # at the start of a field: only there does a quote open one
    size = len(data)
    for i in range(size):
        byte = data[i]
        if quoted:
            # a doubled quote closes and opens again: the state after both is right
            quoted = byte != _QUOTE
            fresh = not quoted
        elif byte == _NEWLINE:
            stop = i
            if stop > begin and data[stop - 1] == _RETURN:
                stop -= 1
            start[count] = begin
            end[count] = stop
            count += 1
            begin = i + 1
            fresh = True
        elif byte == delimiter:
            fresh = True
        elif byte == _QUOTE and fresh:
            quoted = True
        else:
            fresh = False
    if last and not quoted and begin < size:
        stop = size
        if data[stop - 1] == _RETURN:
            stop -= 1
        start[count] = begin
        end[count] = stop
        count += 1
        begin = size
    return count, begin


@kernel
def find_cells(data, start, end, delimiter, cell_start, cell_end, found):
    """Find the cells of each record.

    ``delimiter`` (int) is the byte between them. ``cell_start``, ``cell_end``: int64
    (columns, rows); of a quoted cell they include the quotes, cells beyond ``columns``
    are counted only, missing ones are empty.
    ``found`` (int64 per row) gets the number of cells.
    """
    columns = len(cell_start)
    for row in range(len(start)):
        column = 0
        begin = start[row]
        quoted = False
        fresh = True
        for i in range(start[row], end[row]):
            byte = data[i]
            if quoted:
                quoted = byte != _QUOTE
                fresh = not quoted
            elif byte == delimiter:
                if column < columns:
                    cell_start[column, row] = begin
                    cell_end[column, row] = i
                column += 1
                begin = i + 1
                fresh = True
            elif byte == _QUOTE and fresh:
                quoted = True
            else:
                fresh = False
        if column < columns:
            cell_start[column, row] = begin
            cell_end[column, row] = end[row]
        column += 1
        found[row] = column
        for missing in range(column, columns):
            cell_start[missing, row] = end[row]
            cell_end[missing, row] = end[row]


@kernel
def unquote(data, start, end, one_line, out, out_start, out_end):
    """Cells without their CSV quotes, one after the other in ``out``.

    ``out`` needs the summed length of the cells and a byte for each; every cell is
    followed by a line end. With ``one_line`` it holds none (a space stands for it), so
    that ``out`` is a text of one line a row. Returns the bytes written.
    """
    at = 0
    for row in range(len(start)):
        i = start[row]
        stop = end[row]
        out_start[row] = at
        quoted = stop > i and data[i] == _QUOTE
        if quoted:
            i += 1
        while i < stop:
            byte = data[i]
            i += 1
            if quoted and byte == _QUOTE:
                if i < stop and data[i] == _QUOTE:
                    i += 1
                else:
                    quoted = False
                    continue
            if one_line and _is_end(byte):
                byte = np.uint8(32)
            out[at] = byte
            at += 1
        out_end[row] = at
        out[at] = _NEWLINE
        at += 1
    return at


@kernel
def tile_text(mask, out, start, end):
    """Tiles of a mask (uint64, bit = tile) in compact mpsz, 38 bytes of ``out`` a row."""
    one = np.uint64(1)
    for row in range(len(mask)):
        bits = mask[row]
        at = row * TILES_WIDTH
        start[row] = at
        tile = 0
        for suit in range(4):
            wrote = False
            for rank in range(9 if suit < 3 else 7):
                if (bits >> np.uint64(tile)) & one:
                    out[at] = 49 + rank
                    at += 1
                    wrote = True
                tile += 1
            if wrote:
                # m p s z
                out[at] = (109, 112, 115, 122)[suit]
                at += 1
        end[row] = at


@kernel
def hand_text(counts, out):
    """Write hands as text, a line each: ``123m11z``.

    ``counts`` is uint8[n, kinds], at most 14 tiles a row; ``out`` (uint8) has
    ``HAND_WIDTH`` bytes for each and ``HAND_SPARE`` more. Returns how many bytes were
    written.

    Eight copies of a rank are written, of which as many stay as there are tiles, and
    the letter of a suit stays if a rank did: nothing to be foreseen by the processor.
    """
    kinds = counts.shape[1]
    begin = address_of(out)
    at = begin
    for row in range(len(counts)):
        for suit in range(4):
            before = at
            rank = U(0x3131313131313131)
            for tile in range(9 * suit, min(9 * suit + 9, kinds)):
                store_64(at, rank)
                at += U(counts[row, tile])
                rank += U(0x0101010101010101)
            store_8(at, U(_LETTERS[suit]))
            at += U(at > before)
        store_8(at, U(_NEWLINE))
        at += U(1)
    return at - begin


@kernel
def trim(data, start, end):
    """Move ``start`` and ``end`` past white space (space, tab, carriage return)."""
    for row in range(len(start)):
        i = start[row]
        stop = end[row]
        while i < stop and _is_space(data[i]):
            i += 1
        while i < stop and _is_space(data[stop - 1]):
            stop -= 1
        start[row] = i
        end[row] = stop


@kernel
def find_split_runs(data, start, end, kinds, found):
    """Find rows with white space inside a run of digits: ``1 123m`` reads as 1123m.

    ``data`` is UTF-8. ``kinds`` (uint8 per code point below 65536) says which
    characters are DIGIT and SPACE. What follows a ``|`` is no tiles and is not looked
    at. ``found`` (bool per row) gets the answer.
    """
    for row in range(len(start)):
        found[row] = False
        digit = False
        space = False
        i = start[row]
        while i < end[row]:
            code = np.int64(data[i])
            if code == _BAR:
                break
            # the lead byte of UTF-8 says how many follow
            if code < 0xC0:
                i += 1
            elif code < 0xE0:
                code = (code & 0x1F) << 6 | data[i + 1] & 0x3F
                i += 2
            elif code < 0xF0:
                code = (code & 0x0F) << 12 | (data[i + 1] & 0x3F) << 6 | data[i + 2] & 0x3F
                i += 3
            else:
                code = 0
                i += 4
            kind = kinds[code]
            if kind == SPACE:
                space = True
                continue
            if kind == DIGIT and digit and space:
                found[row] = True
                break
            digit = kind == DIGIT
            space = False


@kernel
def put_constant(text, out, at):
    """Write the same ``text`` (uint8) into every row."""
    for row in range(len(at)):
        w = at[row]
        for i in range(len(text)):
            out[w + i] = text[i]
        at[row] = w + len(text)


# Each way of writing is a pair: ``measure_*`` adds to ``length`` (int64 per row) the
# bytes that ``put_*`` writes into ``out`` at ``at`` (int64 per row), which moves behind
# them.


@kernel
def measure_raw(data, start, end, length):
    """Text as it is."""
    for row in range(len(start)):
        length[row] += max(end[row] - start[row], 0)


@kernel
def put_raw(data, start, end, out, at):
    for row in range(len(start)):
        w = at[row]
        for i in range(start[row], end[row]):
            out[w] = data[i]
            w += 1
        at[row] = w


@kernel
def measure_csv(data, start, end, length):
    """A CSV cell: quoted where a comma, a quote or a line end makes it necessary."""
    for row in range(len(start)):
        size = max(end[row] - start[row], 0)
        quotes = 0
        needed = False
        for i in range(start[row], end[row]):
            quotes += data[i] == _QUOTE
            needed |= _needs_quotes(data[i])
        length[row] += size + quotes + (2 if needed else 0)


@kernel
def put_csv(data, start, end, out, at):
    for row in range(len(start)):
        w = at[row]
        needed = False
        for i in range(start[row], end[row]):
            needed |= _needs_quotes(data[i])
        if needed:
            out[w] = _QUOTE
            w += 1
        for i in range(start[row], end[row]):
            if data[i] == _QUOTE:
                out[w] = _QUOTE
                w += 1
            out[w] = data[i]
            w += 1
        if needed:
            out[w] = _QUOTE
            w += 1
        at[row] = w


@kernel
def measure_json(data, start, end, length):
    """A JSON string; its text is UTF-8 already."""
    for row in range(len(start)):
        size = end[row] - start[row] + 2
        for i in range(start[row], end[row]):
            if _needs_escape(data[i]):
                size += 1
            elif data[i] < 32:
                size += 5
        length[row] += len(_NULL) if end[row] < start[row] else size


@kernel
def put_json(data, start, end, out, at):
    for row in range(len(start)):
        w = at[row]
        if end[row] < start[row]:
            at[row] = _put_null(out, w)
            continue
        out[w] = _QUOTE
        w += 1
        for i in range(start[row], end[row]):
            byte = data[i]
            if _needs_escape(byte):
                out[w] = _BACKSLASH
                w += 1
            elif byte < 32:
                for k in range(len(_ESCAPE)):
                    out[w + k] = _ESCAPE[k]
                out[w + len(_ESCAPE)] = _HEX[byte >> 4]
                w += len(_ESCAPE) + 1
                byte = _HEX[byte & 15]
            out[w] = byte
            w += 1
        out[w] = _QUOTE
        at[row] = w + 1


@kernel
def measure_list(data, start, end, length):
    """Tiles in compact mpsz (``14m7p``) as a JSON list of names: ``["1m","4m","7p"]``."""
    for row in range(len(start)):
        tiles = 0
        for i in range(start[row], end[row]):
            tiles += _is_rank(data[i])
        size = 2 + len('"1m",') * tiles - (1 if tiles else 0)
        length[row] += len(_NULL) if end[row] < start[row] else size


@kernel
def put_list(data, start, end, out, at):
    for row in range(len(start)):
        w = at[row]
        if end[row] < start[row]:
            at[row] = _put_null(out, w)
            continue
        out[w] = _OPEN
        w += 1
        first = True
        for i in range(start[row], end[row]):
            if not _is_rank(data[i]):
                continue
            suit = i + 1
            while _is_rank(data[suit]):
                suit += 1
            if not first:
                out[w] = _COMMA
                w += 1
            first = False
            out[w] = _QUOTE
            out[w + 1] = data[i]
            out[w + 2] = data[suit]
            out[w + 3] = _QUOTE
            w += 4
        out[w] = _CLOSE
        at[row] = w + 1
