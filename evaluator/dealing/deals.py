"""Hands from nothing (:func:`deal`) and from lists of tiles (:func:`counts`)."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from ..engine.parallel import spread, thread_count
from ..engine.tables import once
from ..errors import Code, EvaluatorError, HandError
from ..hands import COPIES_OF, MAX_TILES, NONE, Ids, bad_tiles, integer_array
from ..shape.intake import CHUNK, STEP
from ..tiles import COPIES, KINDS, ORPHANS, SUITED


def counts(tiles: Any, kinds: int = KINDS, *, ids: Ids = "kind") -> npt.NDArray[np.uint8]:
    """Tile counts of hands given as lists of tiles.

    Parameters
    ----------
    tiles : array_like of int, shape (..., k)
        Tile indices, or physical tiles.
    kinds : {34, 27}
    ids : {"kind", "tile"}
        ``"kind"``: 0-33 (0-26); ``"tile"``: the physical tiles 0-135 (0-107), four of each
        kind in turn.

    Returns
    -------
    ndarray of uint8, shape (..., kinds)

    Raises
    ------
    HandError
        A tile that does not exist, a fifth copy, the same physical tile twice.

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.counts([[0, 0, 0, 33]]).sum(), ev.format(ev.counts([0, 4, 8], ids="tile"))
    (np.uint64(4), '123m')
    """
    if type(kinds) is not int or kinds not in (KINDS, SUITED):
        raise HandError(Code.NOT_A_CHOICE, key="kinds", choices=(KINDS, SUITED), value=kinds)
    if not isinstance(ids, str) or ids not in COPIES_OF:
        raise HandError(Code.NOT_A_CHOICE, key="ids", choices=("kind", "tile"), value=ids)
    array = integer_array(tiles, "tiles")
    if array.ndim == 0:
        raise HandError(Code.WRONG_SHAPE, key="tiles", expected="(..., k)", shape="()")
    lead = array.shape[:-1]
    copies = COPIES_OF[ids]
    flat = array.reshape(int(np.prod(lead, dtype=np.int64)), array.shape[-1])
    out = np.zeros((len(flat), kinds), np.uint8)
    k = _kernels()
    for start in range(0, len(flat), CHUNK):
        part = np.ascontiguousarray(flat[start : start + CHUNK])
        if part.dtype.kind == "u" and part.size and part.max() > 255:
            part = np.minimum(part, 255)
        seen = np.zeros(kinds * copies, np.uint8)
        bad = k.count_tiles(
            part.astype(np.int64), copies, kinds * copies, out[start : start + CHUNK], seen
        )
        if bad >= 0:
            error = bad_tiles([int(t) for t in flat[start + bad]], kinds, copies)
            assert error is not None
            raise error if not lead else error.at(start + int(bad))
    return out.reshape(*lead, kinds)


@once
def _kernels() -> Any:
    """The compiled side, imported with the first deal."""
    from .kernels import deal

    return deal


FAMILIES = (
    "random",
    "flush",
    "half_flush",
    "two_suits",
    "terminals",
    "pairs",
    "pungs",
    "quads",
    "near_win",
)
"""How :func:`deal` may deal."""

LONGEST = 2**40
"""Hands of a list."""


def deal(
    n: int,
    tiles: int = 13,
    kinds: int = KINDS,
    seed: int = 0,
    family: str = "random",
    *,
    start: int = 0,
    threads: int | None = None,
) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Random hands, reproducible row by row.

    Hand i of a list depends only on ``seed``, ``family``, ``tiles``, ``kinds`` and i. It does
    not depend on ``n``, the machine or the number of threads, so any slice of a list can be
    dealt on its own.

    Parameters
    ----------
    n : int
        Number of hands.
    tiles : int
        Tiles in each hand, 1-14, not a multiple of 3.
    kinds : {34, 27}
    seed : int
        0 to 2**64 − 1.
    family : str
        ``"random"``: dealt from a shuffled wall, as at the table; ``"flush"``,
        ``"half_flush"`` (one suit and honours), ``"two_suits"``, ``"terminals"``
        (1, 9 and honours): dealt from a wall of those tiles, with random suits;
        ``"pairs"``, ``"pungs"``, ``"quads"``: dealt in groups of equal tiles;
        ``"near_win"``: a complete hand with one tile missing or exchanged.
    start : int
        Index of the first hand.
    threads : int, optional

    Returns
    -------
    ndarray of uint8, shape (n, kinds)

    Raises
    ------
    EvaluatorError
        An invalid argument.

    Examples
    --------
    >>> import evaluator as ev
    >>> (ev.deal(3, seed=7, start=500) == ev.deal(1000, seed=7)[500:503]).all()
    np.True_
    """
    n = _whole(n, "n", 0, LONGEST)
    seed = _whole(seed, "seed", 0, 2**64 - 1)
    start = _whole(start, "start", 0, LONGEST - n)
    tiles, kinds, walls = check_list(tiles, kinds, family)
    workers = thread_count(threads, n)
    k = _kernels()
    group = {"pairs": 2, "pungs": 3, "quads": 4}.get(family, 0)
    how = k.FROM_WALL if walls else k.IN_GROUPS if group else k.NEAR_WIN
    pools = _pools(walls)
    out = np.zeros((n, kinds), np.uint8)

    def work(begin: int, end: int) -> int:
        k.deal(
            np.uint64(start + begin),
            np.uint64(seed),
            np.uint64(FAMILIES.index(family) + 1),
            how,
            group,
            tiles,
            pools,
            out[begin:end],
        )
        return -1

    if n:
        spread(work, n, workers, STEP)
    return out


def _whole(value: Any, name: str, low: int, high: int) -> int:
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None:
        raise EvaluatorError(Code.NOT_A_WHOLE_NUMBER, key=name, value=value)
    if not low <= number <= high:
        raise EvaluatorError(Code.OUT_OF_RANGE, key=name, low=low, high=high, value=value)
    return number


def check_list(tiles: Any, kinds: Any, family: Any) -> tuple[int, int, tuple[tuple[int, ...], ...]]:
    """What names a list of hands beside its seed, checked, and the kinds of its walls.

    Returns
    -------
    tiles, kinds : int
    walls : tuple of tuples of int
        The kinds of each wall a hand may be dealt from; none for the families that are
        not dealt from a wall. They differ in nothing but which suits they are of.
    """
    tiles = _whole(tiles, "tiles", 1, MAX_TILES)
    if tiles % 3 == 0:
        sizes = [size for size in range(1, MAX_TILES + 1) if size % 3]
        raise EvaluatorError(Code.NOT_A_CHOICE, key="tiles", choices=sizes, value=tiles)
    if type(kinds) is not int or kinds not in (KINDS, SUITED):
        raise EvaluatorError(Code.NOT_A_CHOICE, key="kinds", choices=(KINDS, SUITED), value=kinds)
    if not isinstance(family, str) or family not in FAMILIES:
        raise EvaluatorError(Code.NOT_A_CHOICE, key="family", choices=FAMILIES, value=family)
    suits = [tuple(range(9 * suit, 9 * suit + 9)) for suit in range(3)]
    honours = tuple(range(SUITED, kinds))
    if family == "half_flush" and not honours:
        raise EvaluatorError(Code.HONOURS_NEED_34, key=family)
    walls = {
        "random": (tuple(range(kinds)),),
        "flush": tuple(suits),
        "half_flush": tuple(suit + honours for suit in suits),
        "two_suits": tuple(suits[a] + suits[b] for a, b in ((0, 1), (0, 2), (1, 2))),
        "terminals": (tuple(tile for tile in ORPHANS if tile < kinds),),
    }
    return tiles, kinds, walls.get(family, ())


def _pools(walls: tuple[tuple[int, ...], ...]) -> npt.NDArray[np.uint64]:
    """The tiles of walls as the kernel takes them: a row each, eight tiles a number."""
    out = np.full((max(len(walls), 1), COPIES * KINDS), NONE, np.uint8)
    for row, wall in zip(out, walls, strict=False):
        row[: COPIES * len(wall)] = np.repeat(wall, COPIES)
    return out.view(np.uint64)
