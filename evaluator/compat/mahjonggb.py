"""PyMahjongGB 1.4 without PyMahjongGB: a program changes one import.

::

    from evaluator.compat.mahjonggb import MahjongFanCalculator, MahjongShanten

Names, arguments, return shapes and strings are those of PyMahjongGB (``独听・边张``,
its English names, ``TypeError`` with its words). Tiles are ``W1``-``W9`` 万, ``B1`` 饼,
``T1`` 条, ``F1``-``F4`` 东 南 西 北, ``J1``-``J3`` 中 发 白; a pack is
``("CHI" | "PENG" | "GANG", tile, offer)``, of a chow the middle tile. Whatever it is, a
pack of offer 0 is concealed; 1-3 say who gave it, and change nothing.

What PyMahjongGB accepts has the same answer here:

- Shanten knows no limit of four copies: ``F1 F1 F1 F1`` waits for a fifth.
- Flags that cannot be are dropped: ``isAboutKong`` on a self-draw without a ``GANG``, and on
  a discard when hand or packs hold another copy of the winning tile; ``is4thTile`` when
  another copy is concealed.
- Winds other than 0-3 are nobody's; of flowers the lowest eight bits count.

What differs, on purpose:

- A fifth copy of a tile is a ``TypeError``, and so is, in :func:`MahjongFanCalculator`, a
  ``CHI`` about a tile that is no middle of a chow: there are no such hands. PyMahjongGB
  gives answers that mean nothing (510 points of 四归一).
- Where several lists of fan are legally equal (一般高 or 喜相逢, two divisions of the
  same total) the list can be another one; the total never is.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ..engine.arena import aligned, view
from ..hands import Meld
from ..rulesets import rules
from ..scoring.guobiao import layout as ft
from ..scoring.guobiao.family import compiled
from ..scoring.guobiao.fan import FanRule, fan_table, words
from ..shape.layout import FIRST_PUNG, MELD_RECORD, MELD_ROWS, MELD_SUMS, ROW, WIN_SHIFT
from ..tiles import COPIES, HONOURS, KINDS, KNITTED, ORPHANS, SUITED

__all__ = [
    "HonorsAndKnittedTilesShanten",
    "KnittedStraightShanten",
    "MahjongFanCalculator",
    "MahjongShanten",
    "RegularShanten",
    "SevenPairsShanten",
    "ThirteenOrphansShanten",
]

_TILES: dict[str, int] = {
    **{f"{suit}{rank + 1}": 9 * s + rank for s, suit in enumerate("WBT") for rank in range(9)},
    **{f"F{rank + 1}": SUITED + rank for rank in range(4)},
    **{f"J{rank}": KINDS - rank for rank in (1, 2, 3)},
}
_IN_THEIR_ORDER = tuple(
    (name, _TILES[name])
    for suit, last in zip("WTBFJ", (9, 9, 9, 4, 3), strict=True)
    for name in (f"{suit}{rank}" for rank in range(1, last + 1))
)

# where their names are not ours
_THEIR_CHINESE = {"边张": "独听・边张", "坎张": "独听・嵌张", "单钓将": "独听・单钓"}
_THEIR_ENGLISH = {
    "混幺九": "All Terminals and Honors",
    "七星不靠": "Greater Honors and Knitted Tiles",
    "全不靠": "Lesser Honors and Knitted Tiles",
    "全带五": "All Five",
    "抢杠和": "Robbing The Kong",
    "双箭刻": "Two Dragons Pungs",
    "幺九刻": "Pung of Terminals or Honors",
    "明暗杠": "Concealed Kong and Melded Kong",
}

Pack = tuple[str, str, int]
Fans = tuple[tuple[int, str], ...]
VerboseFans = tuple[tuple[int, int, str, str], ...]
Useful = tuple[int, tuple[str, ...]]


def MahjongFanCalculator(
    pack: tuple[Pack, ...],
    hand: tuple[str, ...],
    winTile: str,
    flowerCount: int,
    isSelfDrawn: Any,
    is4thTile: Any,
    isAboutKong: Any,
    isWallLast: Any,
    seatWind: int,
    prevalentWind: int,
    verbose: Any = False,
) -> Fans | VerboseFans:
    """The fan of a won hand.

    Parameters
    ----------
    pack : tuple of (str, str, int)
        Declared sets.
    hand : tuple of str
        Concealed tiles, without the winning one.
    winTile : str
    flowerCount : int
    isSelfDrawn, is4thTile, isAboutKong, isWallLast : bool
    seatWind, prevalentWind : int
        0-3 = E S W N.
    verbose : bool

    Returns
    -------
    tuple of (int, str)
        Points (all of a fan's) and its name; with ``verbose`` (points of one, how many,
        name, English name).

    Raises
    ------
    TypeError
        ``ERROR_NOT_WIN``, ``ERROR_WRONG_TILES_COUNT`` and what is said above.

    Examples
    --------
    >>> tiles = ("W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "T1", "T2", "T3", "B5")
    >>> MahjongFanCalculator((), tiles, "B5", 0, True, False, False, False, 0, 0)
    ((16, '清龙'), (4, '不求人'), (2, '平和'), (1, '喜相逢'), (1, '独听・单钓'))
    """
    _check_text(winTile, 3)
    flowers, seat, prevalent = map(_c_int, (flowerCount, seatWind, prevalentWind))
    drawn, last, kong, wall = map(bool, (isSelfDrawn, is4thTile, isAboutKong, isWallLast))
    sets = [_set(*one) for one in _packs(pack)]
    tiles, win = _tiles(hand), _tile(winTile)
    if not tiles or len(tiles) + 3 * len(sets) != 13:
        raise TypeError("ERROR_WRONG_TILES_COUNT")
    counts = [0] * KINDS
    for tile in (*tiles, win):
        counts[tile] += 1
    owned = list(counts)
    for meld, _ in sets:
        for tile in meld.tiles:
            owned[tile] += 1
    _check_copies(owned)
    kong = kong and (any(meld.is_kong for meld, _ in sets) if drawn else owned[win] == 1)
    last = last and counts[win] == 1
    # the kernel refuses to rob a kong of the last tile; the fan of both do not meet
    both = wall and kong and not drawn
    # a discard that a concealed chow may hold, one of the packs too, opens no pung: as drawn
    held = not drawn and any(
        meld.kind == "chow" and number > CLOSED and win in meld.tiles for meld, number in sets
    )
    flags = (drawn or held) | last << 1 | (wall and not both) << 2 | kong << 3
    # nobody's wind is one without a pung; where all have one nothing depends on it
    nobody = min(range(4), key=lambda wind: owned[SUITED + wind])
    winds = [wind if 0 <= wind < 4 else nobody for wind in (prevalent, seat)]
    ids = [number for _, number in sets] + [0] * (4 - len(sets))
    # bytes as of scoring.rows.packed
    head, *entries, _ = compiled().score_one(
        bytes((*counts, *ids, win, *winds, 0, flags, 0)), _tables()[0].ctypes.data
    )
    if head >> _REASON_SHIFT & 0xFF:
        raise TypeError("ERROR_NOT_WIN")
    found = [entry >> at & 0xFFFF for entry in entries for at in (0, 16, 32, 48)]
    columns = _columns()
    listed = {columns[entry & 0xFF]: entry >> 8 for entry in found if entry}
    if held:
        listed = {_DISCARDED.get(name, name): count for name, count in listed.items()}
        listed.pop("", None)
        listed = listed or {"无番和": 1}
    if both:
        listed["海底捞月"] = 1
    if flowers & 0xFF:
        listed["花牌"] = flowers & 0xFF
    fans = [(fan, listed[name]) for name, fan in _named().items() if name in listed]
    if verbose:
        return tuple((fan.value, count, *_their_names(fan)) for fan, count in fans)
    return tuple((fan.value * count, _their_names(fan)[0]) for fan, count in fans)


_REASON_SHIFT = 20
# what a fan of a drawn tile is of a discarded one
_DISCARDED = {"自摸": "", "不求人": "门前清", "妙手回春": "海底捞月"}
CLOSED = 123
"""From the id of a chow or pung to that of the same of offer 0, which is no :class:`Meld`."""


@functools.cache
def _tables() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Words and geometry that know chows and pungs which lie concealed."""
    known, shared = words(rules("guobiao")), ft.geometry()
    mine, arena = aligned(len(known)), aligned(len(shared))
    mine[:], arena[:] = known, shared
    view(mine, ft.WORDS["values"], 8, np.uint64)[7] = arena.ctypes.data
    rows = view(arena, ft.GEOMETRY["meld"], ROW * MELD_ROWS, np.uint8)
    rows = rows.reshape(MELD_ROWS, ROW)
    first_kong = FIRST_PUNG + KINDS
    rows[1 + CLOSED : first_kong + CLOSED] = rows[1:first_kong]
    numbers = rows[1 + CLOSED : first_kong + CLOSED].view(np.uint64)
    numbers[:, MELD_SUMS // 8] -= np.uint64(1 << WIN_SHIFT)
    numbers[FIRST_PUNG - 1 :, MELD_RECORD // 8] += np.uint64(1 << ft.CONCEALED_BIT)
    return mine, arena


@functools.cache
def _named() -> dict[str, FanRule]:
    """The fan by our name, in the order of their lists."""
    fans = sorted(fan_table(rules("guobiao")).fans, key=lambda fan: fan.number)
    return {fan.chinese: fan for fan in fans}


@functools.cache
def _columns() -> dict[int, str]:
    return {fan.column: name for name, fan in _named().items()}


def _their_names(fan: FanRule) -> tuple[str, str]:
    """The name of a fan in their lists, and its English one."""
    english = _THEIR_ENGLISH.get(fan.chinese, fan.english)
    return _THEIR_CHINESE.get(fan.chinese, fan.chinese), english


# --- shanten ---


def MahjongShanten(pack: tuple[Pack, ...], hand: tuple[str, ...]) -> int:
    """Shanten over all forms of 13, 10, 7, 4 or 1 tiles; packs are looked at, not counted.

    Raises
    ------
    TypeError
        Tiles or packs that are none, a wrong number of them.

    Examples
    --------
    >>> MahjongShanten((("CHI", "T2", 1),), ("W1", "W2", "W3", "B4", "B5", "B6", "F1", "F1", "J1",
    ...                                      "J1"))
    0
    """
    _packs(pack)
    if len(_tiles(hand)) not in (1, 4, 7, 10, 13):
        raise TypeError("ERROR_INVALID_HAND_OR_PACK")
    counts = _counts(hand)
    size = sum(counts)
    best = _regular(counts, size // 3)
    if size >= 10:
        sets = size // 3 - 3
        for rest, missing in _without_knitted(counts):
            best = min(best, _regular(rest, sets) + len(missing))
    if size == 13:
        unrelated = _unrelated_shanten(_unrelated(counts))
        best = min(best, _seven_pairs(counts), _orphans(counts), unrelated)
    return best


def RegularShanten(hand: tuple[str, ...]) -> Useful:
    """Shanten of sets and a pair of 13, 10, 7, 4 or 1 tiles, and the tiles that lower it.

    Examples
    --------
    >>> RegularShanten(("W1", "W2", "W3", "W4"))
    (0, ('W1', 'W4'))
    """
    counts = _hand_of(hand, (1, 4, 7, 10, 13))
    shanten, useful = _regular_useful(counts, sum(counts) // 3)
    return shanten, _names(useful)


def SevenPairsShanten(hand: tuple[str, ...]) -> Useful:
    """Shanten of seven pairs (four of a kind are two), and the tiles that lower it."""
    counts = _hand_of(hand, (13,))
    return _seven_pairs(counts), _names({t for t, count in enumerate(counts) if count % 2})


def ThirteenOrphansShanten(hand: tuple[str, ...]) -> Useful:
    """Shanten of thirteen orphans, and the tiles that lower it."""
    counts = _hand_of(hand, (13,))
    pair = any(counts[tile] > 1 for tile in ORPHANS)
    useful = {tile for tile in ORPHANS if not (pair and counts[tile])}
    return _orphans(counts), _names(useful)


def HonorsAndKnittedTilesShanten(hand: tuple[str, ...]) -> Useful:
    """Shanten of 全不靠 and 七星不靠, and the tiles that lower it."""
    patterns = _unrelated(_hand_of(hand, (13,)))
    fewest = min(map(len, patterns))
    useful = set().union(*(missing for missing in patterns if len(missing) == fewest))
    return _unrelated_shanten(patterns), _names(useful)


def KnittedStraightShanten(hand: tuple[str, ...]) -> Useful:
    """Shanten of 组合龙 of 13 or 10 tiles, and the tiles that lower it."""
    counts = _hand_of(hand, (10, 13))
    sets = sum(counts) // 3 - 3
    patterns = list(_without_knitted(counts))
    shanten = [_regular(rest, sets) + len(missing) for rest, missing in patterns]
    useful: set[int] = set()
    for away, (rest, missing) in zip(shanten, patterns, strict=True):
        if away == min(shanten):
            useful |= missing | _regular_useful(rest, sets)[1]
    return min(shanten), _names(useful)


def _seven_pairs(counts: list[int]) -> int:
    return 6 - sum(count // 2 for count in counts)


def _orphans(counts: list[int]) -> int:
    kinds = sum(counts[tile] > 0 for tile in ORPHANS)
    return 13 - kinds - any(counts[tile] > 1 for tile in ORPHANS)


def _unrelated(counts: list[int]) -> list[set[int]]:
    """Of each knitted pattern the tiles that are missing, the honours too."""
    return [{tile for tile in (*body, *HONOURS) if not counts[tile]} for body in KNITTED]


def _unrelated_shanten(patterns: list[set[int]]) -> int:
    # of the sixteen tiles two are not needed, and one is to come
    return min(map(len, patterns)) - 3


def _without_knitted(counts: list[int]) -> Iterator[tuple[list[int], set[int]]]:
    """For each knitted pattern what is left of the hand without it, and what it misses."""
    for body in KNITTED:
        missing = {tile for tile in body if not counts[tile]}
        yield [n - (t in body and n > 0) for t, n in enumerate(counts)], missing


# --- sets and a pair, with as many copies of a tile as it takes ---

# blocks[pair][sets] = most partial sets beside so many sets and a pair; below 0: cannot be
_Blocks = tuple[tuple[int, ...], tuple[int, ...]]
_NEVER = -99


@functools.lru_cache(1 << 14)
def _suit_blocks(counts: tuple[int, ...], suited: bool) -> _Blocks:
    """What the tiles of one suit (or the honours) can be cut into."""
    best = [[_NEVER] * 5, [_NEVER] * 5]
    first = next((at for at, count in enumerate(counts) if count), None)
    if first is None:
        best[0][0] = 0
        return (tuple(best[0]), tuple(best[1]))
    shapes: list[tuple[int, tuple[int, ...]]] = [(0, (0,)), (1, (0, 0)), (2, (0, 0)), (3, (0,) * 3)]
    if suited:
        shapes += [(2, (0, 1)), (2, (0, 2)), (3, (0, 1, 2))]
    for kind, shape in shapes:
        rest = list(counts)
        for step in shape:
            if first + step >= len(rest):
                break
            rest[first + step] -= 1
        else:
            if min(rest) >= 0:
                # (0,): the tile stays alone
                others = _suit_blocks(tuple(rest), suited)
                _put(best, others, kind)
    return (tuple(best[0]), tuple(best[1]))


def _put(best: list[list[int]], others: _Blocks, kind: int) -> None:
    """Take over what is left of a hand after one block: 0 none, 1 pair, 2 partial, 3 set."""
    for pair in (0, 1):
        if kind == 1 and pair:
            continue
        for sets, partials in enumerate(others[pair]):
            into = (pair + (kind == 1), sets + (kind == 3))
            if partials >= 0 and into[1] <= 4:
                value = partials + (kind == 2)
                best[into[0]][into[1]] = max(best[into[0]][into[1]], value)


@functools.lru_cache(1 << 14)
def _merged(a: _Blocks, b: _Blocks) -> _Blocks:
    best = [[_NEVER] * 5, [_NEVER] * 5]
    for pair, row in enumerate(a):
        for sets, partials in enumerate(row):
            if partials < 0:
                continue
            for other in range(2 - pair):
                for more in range(5 - sets):
                    value = partials + b[other][more]
                    if value > best[pair + other][sets + more]:
                        best[pair + other][sets + more] = value
    return (tuple(best[0]), tuple(best[1]))


@functools.lru_cache(1 << 14)
def _shanten_of(blocks: _Blocks, sets: int) -> int:
    """A set not begun lacks two tiles, a partial set one, the pair one; then one to win."""
    return min(
        2 * (sets - have) - min(partials, sets - have) - pair
        for pair, row in enumerate(blocks)
        for have, partials in enumerate(row[: sets + 1])
        if partials >= 0
    )


def _groups(counts: list[int]) -> list[_Blocks]:
    return [
        _suit_blocks(tuple(counts[first : first + 9]), first < SUITED) for first in (0, 9, 18, 27)
    ]


def _regular(counts: list[int], sets: int) -> int:
    return _shanten_of(functools.reduce(_merged, _groups(counts)), sets)


def _regular_useful(counts: list[int], sets: int) -> tuple[int, set[int]]:
    """Shanten and the tiles that lower it; a fifth copy is one only of a ready hand."""
    groups = _groups(counts)
    shanten = _shanten_of(functools.reduce(_merged, groups), sets)
    useful = set()
    for number, first in enumerate((0, 9, 18, 27)):
        rest = functools.reduce(_merged, groups[:number] + groups[number + 1 :])
        group = counts[first : first + 9]
        for at, count in enumerate(group):
            if count == 4 and shanten > 0:
                continue
            group[at] += 1
            blocks = _suit_blocks(tuple(group), first < SUITED)
            group[at] -= 1
            if _shanten_of(_merged(rest, blocks), sets) < shanten:
                useful.add(first + at)
    return shanten, useful


# --- reading ---


def _c_int(value: Any) -> int:
    """A number as an argument of C takes it."""
    number = operator.index(value)
    if not -(1 << 63) <= number < 1 << 63:
        raise OverflowError("Python int too large to convert to C long")
    if not -(1 << 31) <= number < 1 << 31:
        side = "greater than maximum" if number > 0 else "less than minimum"
        raise OverflowError(f"signed integer is {side}")
    return number


def _check_text(value: Any, place: int) -> None:
    """An argument that is text, as C takes it."""
    if not isinstance(value, str):
        name = "None" if value is None else type(value).__name__
        raise TypeError(f"argument {place} must be str, not {name}")
    if "\0" in value:
        raise ValueError("embedded null character")


def _tile(name: str) -> int:
    try:
        return _TILES[name]
    except KeyError:
        raise TypeError("ERROE_WRONG_TILE_CODE") from None


def _tiles(hand: Any) -> list[int]:
    if not isinstance(hand, tuple):
        raise TypeError("Param `hand` must be a tuple!")
    for name in hand:
        if not isinstance(name, str):
            raise TypeError("Param `hand` must be a tuple of strs!")
    return [_tile(name) for name in hand]


def _counts(hand: Any) -> list[int]:
    counts = [0] * KINDS
    for tile in _tiles(hand):
        counts[tile] += 1
    _check_copies(counts)
    return counts


def _check_copies(counts: list[int]) -> None:
    if max(counts) > COPIES:
        raise TypeError(f"five copies of {_names({counts.index(max(counts))})[0]}")


def _hand_of(hand: Any, sizes: tuple[int, ...]) -> list[int]:
    tiles = _tiles(hand)
    if len(tiles) not in sizes:
        raise TypeError("ERROR_INVALID_HAND")
    return _counts(hand)


def _packs(pack: Any) -> list[tuple[str, int, int]]:
    """(kind, tile, offer) of each pack."""
    if not isinstance(pack, tuple):
        raise TypeError("Param `pack` must be a tuple!")
    return [_pack(one) for one in pack]


def _pack(pack: Any) -> tuple[str, int, int]:
    if not isinstance(pack, tuple):
        raise TypeError("Param `pack` must be a tuple of tuples!")
    if len(pack) != 3:
        raise TypeError(f"function takes exactly 3 arguments ({len(pack)} given)")
    kind, name, given = pack
    _check_text(kind, 1)
    _check_text(name, 2)
    offer, tile = _c_int(given), _tile(name)
    if not 0 <= offer <= 3:
        raise TypeError("ERROE_WRONG_OFFER_CODE")
    if kind not in ("CHI", "PENG", "GANG"):
        raise TypeError("ERROE_WRONG_PACK_CODE")
    return kind, tile, offer


def _set(kind: str, tile: int, offer: int) -> tuple[Meld, int]:
    """A pack as a meld, and its id: from :data:`CLOSED` on for what is no kong of offer 0."""
    if kind == "GANG":
        meld = Meld("kong" if offer else "concealed_kong", tile)
        return meld, meld.id
    if kind == "CHI" and (tile >= SUITED or not 1 <= tile % 9 <= 7):
        raise TypeError("ERROE_WRONG_TILE_CODE")
    meld = Meld("pung", tile) if kind == "PENG" else Meld("chow", tile - 1)
    return meld, meld.id if offer else meld.id + CLOSED


def _names(tiles: set[int]) -> tuple[str, ...]:
    return tuple(name for name, tile in _IN_THEIR_ORDER if tile in tiles)
