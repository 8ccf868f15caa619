"""Loads the tables that ``tables/build.py`` makes, and lays them out for the kernels.

A file whose hash or format is not the manifest's is refused. What the arrays of
the files mean is told in ``tables/build.py``; the layout here is for speed: class
numbers padded to 256, so that an index is made of shifts.
"""

from __future__ import annotations

import functools
import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from .errors import Code, EvaluatorError
from .parallel import first_use

T = TypeVar("T")

FORMAT = 1
HONOURS = 5**9
CODES = HONOURS + 5**7

# where things are in the shape arena (bytes)
MERGE = (CODES + 4095) // 4096 * 4096
FINAL = MERGE + 256 * 256
ARENA = FINAL + 5 * 256 * 256


class TablesError(EvaluatorError):
    """The table files are missing, damaged or of another version of this package."""


class Accept(NamedTuple):
    """Which tiles help: ``mask[(entry[code] & 0xffffff) + column[sets, class, rest]]``."""

    entry: npt.NDArray[np.uint32]
    column: npt.NDArray[np.uint8]
    mask: npt.NDArray[np.uint16]


def folder() -> Path:
    """Where the table files are: inside an installed package, or beside a checkout."""
    here = Path(__file__).parent
    for place in (here / "_tables", here.parent / "tables"):
        if (place / "MANIFEST.json").is_file():
            return place
    inside, beside = str(here / "_tables"), str(here.parent / "tables")
    raise TablesError(Code.TABLES_MISSING, place=inside, other=beside)


def load(name: str) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a table file, after its format and hash were checked.

    Parameters
    ----------
    name : str
        ``"shape.npz"`` or ``"accept.npz"``.

    Raises
    ------
    TablesError
        Missing, of another format, or not the bytes the manifest names.

    Examples
    --------
    >>> load("shape.npz")["merge"].shape
    (180, 180)
    """
    place = folder()
    try:
        manifest = json.loads((place / "MANIFEST.json").read_text())
        data = (place / name).read_bytes()
        found, promised = manifest["format"], manifest["files"][name]["sha256"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TablesError(
            Code.TABLE_UNREADABLE, place=str(place / name), detail=repr(error)
        ) from None
    if found != FORMAT:
        path = str(place / "MANIFEST.json")
        raise TablesError(Code.TABLE_FORMAT, place=path, value=found, format=FORMAT)
    digest = hashlib.sha256(data).hexdigest()
    if digest != promised:
        raise TablesError(
            Code.TABLE_DAMAGED,
            place=str(place / name),
            digest=digest[:12],
            promised=str(promised)[:12],
        )
    with np.load(io.BytesIO(data)) as arrays:
        return {key: arrays[key] for key in arrays.files}


def once(make: Callable[[], T]) -> Callable[[], T]:
    """A value made on first use, and only once though threads ask for it together.

    Kernels know tables by their address: a second copy would be freed under them.
    """
    made: list[T] = []

    @functools.wraps(make)
    def get() -> T:
        if not made:
            with first_use:
                if not made:
                    made.append(make())
        return made[0]

    return get


@once
def shape() -> npt.NDArray[np.uint8]:
    """One flat ``uint8`` arena: class of a code, merge of two classes, final shanten.

    ``arena[code]`` is the class of a suit (honour codes from ``HONOURS`` on);
    ``arena[MERGE + 256 a + b]`` the class of a and b together;
    ``arena[FINAL + 65536 sets + 256 a + b]`` (as int8) the standard shanten of a
    hand whose two halves are of classes a and b.
    """
    arrays = load("shape.npz")
    merge = arrays["merge"]
    n = len(merge)
    arena = np.zeros(ARENA, np.uint8)
    arena[:CODES] = arrays["suit_class"]
    arena[MERGE:FINAL].reshape(256, 256)[:n, :n] = merge
    final = arena[FINAL:].view(np.int8).reshape(5, 256, 256)
    distance = arrays["distance"].astype(np.int8)
    for sets in range(5):
        final[sets, :n, :n] = distance[merge, sets, 1] - 1
    return arena


@once
def accept() -> Accept:
    """The tables of accepted tiles."""
    arrays = load("accept.npz")
    n = arrays["column"].shape[1]
    column = np.zeros((5, 256, 256), np.uint8)
    column[:, :n, :n] = arrays["column"]
    entry = shape()[:CODES].astype(np.uint32)
    entry <<= np.uint32(24)
    entry |= arrays["row"]
    return Accept(entry, column.reshape(-1), arrays["mask"])
