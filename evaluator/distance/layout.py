"""Plans: how far a hand is from each pattern, as numbers that one kernel interprets.

A *plan* is what :mod:`evaluator.distance.encoding` makes of the patterns of a rule set: rows,
each one way to have a pattern, parts of hands they look at, and bodies, tiles that a hand
must hold among others. Here are the layouts, and the tables of suits in which not every
set counts (what they mean is told in ``tables/build.py``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..engine.tables import HONOURS, load, once, shape

Words = npt.NDArray[np.uint64]

# --- rows: one way to have a pattern ---

KIND, COLUMN, TILES, NO_CHOWS, NO_PUNGS, FIRST, LAST, COUNTS, GROUPS, NEEDS = range(10)
MOST_NEEDS = 5
ROW = NEEDS + MOST_NEEDS
"""Numbers of a row.

``TILES`` may be held; ``NO_CHOWS`` (by lowest tile) and ``NO_PUNGS`` may not be melds.
``FIRST`` and ``LAST`` say which parts, bodies or levels, or how many knitted tiles and
honours count; ``COUNTS`` which counts together are those of its tiles (numbers from 1, a
byte each). ``GROUPS`` is how many ``NEEDS`` follow: groups of tiles of each of which the
hand must hold one.
"""

OPEN = 40
"""Bit of ``NO_CHOWS``: no open meld at all."""

# kinds of rows
ALIKE, PAIRS, ORPHANS, KNITTED, CLASSES, TERMINALS, PARTS, BODIES = range(8)

# --- parts: some ranks of one suit, whose class a table tells ---

WORD, DIVISOR, MODULUS, FACTOR, LOW, TABLE, BASE, PROFILE = range(8)
PART = PROFILE + 4
"""Numbers of a part.

Its index is ``code // DIVISOR % MODULUS * FACTOR + code % LOW``, of the code in word ``WORD``
of a hand: base-5 digits of neighbouring ranks, of terminals those of both ends. Its class is
there in a table (``TABLE`` 0: the shape arena, 1: the arena below) from ``BASE`` on, the
profiles of its classes begin at ``PROFILE``. The last three are the reciprocals of the three
divisors: kernels multiply (:func:`reciprocal`).
"""
RECIPROCALS = PROFILE + 1
RECIPROCAL_SHIFT = 40


def reciprocal(divisor: int) -> int:
    """``code * reciprocal(d) >> RECIPROCAL_SHIFT == code // d`` for codes and d up to 5**7."""
    return -(-(1 << RECIPROCAL_SHIFT) // divisor)


# --- bodies: tiles that must be there ---

BODY_SETS, BODY_PAIR, BODY_MELDS, BODY_TILES = range(4)
BODY = BODY_TILES + 4
"""Numbers of a body: sets it takes; a bit whether it has the pair, and a bit whether it takes all
concealed sets; up to four sets that may be melds (a byte each: a chow or pung as a meld id), and
its tiles: four masks, "more than t"."""

# --- where things are in the arena (bytes) ---

FAR = 99
_SIMPLES, _FOURS, _TERMINALS, _WINDOWS = 5**7, 5**4, 5**6, sum(5**k for k in range(1, 6)) + 5**5
SIMPLES = 0
FOURS = SIMPLES + _SIMPLES
SUIT_TERMINALS = FOURS + _FOURS
HONOUR_TERMINALS = SUIT_TERMINALS + _TERMINALS
WINDOW = HONOUR_TERMINALS + 5**7
TERMINAL_MERGE = WINDOW + _WINDOWS
# profiles: ten distances each
STANDARD_PROFILE = TERMINAL_MERGE + 256 * 256
TERMINAL_PROFILE = STANDARD_PROFILE + 256 * 10
WINDOW_PROFILE = TERMINAL_PROFILE + 256 * 10
ARENA = WINDOW_PROFILE + 256 * 10


def window_at(kinds: int) -> int:
    """Where the classes of so many neighbouring ranks begin; of 6 the five with a middle."""
    before: int = sum(5**k for k in range(1, kinds))
    return WINDOW + before


class Plan(NamedTuple):
    """What the kernel reads of the patterns of a rule set.

    Attributes
    ----------
    names : tuple of str
        A column each.
    rows : uint64[n, ROW]
    counts : uint64[n]
        Tiles of which copies are counted.
    parts : uint64[n, PART]
    named : uint64[n, ROW]
        The rows of kind BODIES.
    bodies : uint64[n, BODY]
    """

    names: tuple[str, ...]
    rows: Words
    counts: Words
    parts: Words
    named: Words
    bodies: Words


@once
def arena() -> npt.NDArray[np.uint8]:
    """The tables of suits in which not every set counts, as one flat array."""
    arrays: dict[str, npt.NDArray[Any]] = load("patterns.npz")
    flat = np.zeros(ARENA, np.uint8)

    def put(at: int, values: npt.NDArray[Any]) -> None:
        flat[at : at + values.size] = values.reshape(-1)

    put(SIMPLES, arrays["simples"])
    put(FOURS, arrays["fours"])
    put(SUIT_TERMINALS, arrays["terminals"])
    put(HONOUR_TERMINALS, arrays["terminal_honours"][shape()[HONOURS : HONOURS + 5**7]])
    put(WINDOW, arrays["window_class"])
    n = len(arrays["terminal_merge"])
    merge = flat[TERMINAL_MERGE:STANDARD_PROFILE].reshape(256, 256)
    merge[:n, :n] = arrays["terminal_merge"]
    put(STANDARD_PROFILE, load("shape.npz")["distance"])
    put(TERMINAL_PROFILE, arrays["terminal_distance"])
    put(WINDOW_PROFILE, arrays["window_distance"])
    return flat
