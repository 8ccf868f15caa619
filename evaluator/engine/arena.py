"""Arenas: flat bytes in which a kernel finds several tables, by their place."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

LINE = 64
"""Bytes of a cache line."""


def places(sizes: dict[str, int]) -> tuple[dict[str, int], int]:
    """Where parts of so many bytes begin, each in a cache line of its own, and their end."""
    found, at = {}, 0
    for name, size in sizes.items():
        found[name] = at
        at += (size + LINE - 1) // LINE * LINE
    return found, at


def aligned(size: int) -> npt.NDArray[np.uint8]:
    """Zero bytes that begin at a multiple of a cache line."""
    whole = np.zeros(size + LINE, np.uint8)
    start = -whole.ctypes.data % LINE
    return whole[start : start + size]


def view(arena: npt.NDArray[np.uint8], start: int, count: int, dtype: Any) -> npt.NDArray[Any]:
    """Part of an arena as numbers."""
    return arena[start : start + count * np.dtype(dtype).itemsize].view(dtype)
