"""Arrow types of what this package writes: hands, and fields that say what they are.

Hands are ``fixed_size_binary[34]`` (``[27]``: the three suits), a byte of copies per tile:
pyarrow writes them five times and reads them 25 times as fast as lists. Field metadata
survive Parquet; :data:`NOTATION` says how a column is to be read, :data:`RULES` under which
rule set it was computed, :data:`VERSION` by which version of this package.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..._version import __version__
from ...engine.optional import arrow
from ...errors import Code, HandError
from ...tiles import KINDS, SUITED

if TYPE_CHECKING:
    import pyarrow as pa

NOTATION = b"mahjong.notation"
RULES = b"mahjong.rules"
VERSION = b"mahjong.version"

COUNTS = "counts 1m-9m 1p-9p 1s-9s 1z-7z"
"""Notation of a hand: a byte per tile, in this order."""
MASK = "bits 1m-9m 1p-9p 1s-9s 1z-7z"
"""Notation of a set of tiles: bit i is tile i."""
INDEX = "index 1m-9m 1p-9p 1s-9s 1z-7z"
"""Notation of one tile: its place in this order."""
PATTERNS = "number of the pattern of each group, 255 = none"
"""Notation of patterns: a byte per group of the rule set."""
NAMES = "mpsz"
"""Notation of tiles as text."""


def metadata(notation: str | None = None, rules: str | None = None) -> dict[bytes, bytes]:
    """Field metadata.

    >>> metadata(rules="riichi")[RULES]
    b'riichi'
    """
    about = {VERSION: __version__.encode()}
    if notation is not None:
        about[NOTATION] = notation.encode()
    if rules is not None:
        about[RULES] = rules.encode()
    return about


def hand_field(
    name: str = "hand", kinds: int = KINDS, about: Mapping[bytes, bytes] | None = None
) -> pa.Field:
    """The field of a column of hands.

    Examples
    --------
    >>> hand_field(kinds=27).type
    FixedSizeBinaryType(fixed_size_binary[27])
    """
    pa = arrow()
    return pa.field(name, pa.binary(kinds), metadata=metadata(COUNTS) | dict(about or {}))


def hand_array(counts: npt.NDArray[np.uint8]) -> pa.FixedSizeBinaryArray:
    """Hands as an Arrow array; contiguous counts are not copied.

    Examples
    --------
    >>> import evaluator as ev
    >>> hand_array(ev.deal(3)).type
    FixedSizeBinaryType(fixed_size_binary[34])
    """
    if counts.ndim != 2 or counts.shape[1] not in (KINDS, SUITED) or counts.dtype != np.uint8:
        expected = "uint8 (n, 34) or (n, 27)"
        raise HandError(Code.WRONG_SHAPE, key="hands", expected=expected, shape=str(counts.shape))
    pa = arrow()
    data = pa.py_buffer(np.ascontiguousarray(counts))
    return pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(counts.shape[1]), len(counts), [None, data]
    )


def notation_of(field: pa.Field) -> str:
    """What the metadata of a field say about its notation; empty if nothing.

    >>> notation_of(hand_field()) == COUNTS
    True
    """
    about: dict[bytes, bytes] = field.metadata or {}
    return about.get(NOTATION, b"").decode(errors="replace")


def no_rows(schema: pa.Schema) -> pa.RecordBatch:
    """A batch without rows."""
    pa = arrow()
    return pa.record_batch([pa.array([], field.type) for field in schema], schema=schema)
