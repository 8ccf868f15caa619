"""PyMahjongGB 1.4 without PyMahjongGB: a program changes one import.

::

    from evaluator.compat.mahjonggb import MahjongFanCalculator, MahjongShanten

Names, arguments, return shapes and strings are those of PyMahjongGB (``独听・边张``,
its English names, ``TypeError`` with its words). Tiles are ``W1``-``W9`` 万, ``B1`` 饼,
``T1`` 条, ``F1``-``F4`` 东 南 西 北, ``J1``-``J3`` 中 发 白; a pack is
``("CHI" | "PENG" | "GANG", tile, offer)``, of a chow the middle tile, offer 0 of a
``GANG`` means that it is concealed. Shanten knows no limit of four copies, as there:
``F1 F1 F1 F1`` waits for a fifth.

What differs, on purpose:

- Five copies of a tile are refused. PyMahjongGB scores them.
- Flags that cannot be are refused: ``isAboutKong`` on a self-draw without a ``GANG``;
  ``isAboutKong`` on a discard when hand or packs hold another copy of the winning tile,
  or with ``isWallLast``; ``is4thTile`` when another copy is concealed. PyMahjongGB drops
  most of them silently.
- More than 8 flowers, winds other than 0-3, ``CHI`` about a tile that is no middle of a
  chow, ``CHI`` and ``PENG`` of offer 0 (a claimed set from nobody) are refused.
  PyMahjongGB answers them somehow.
- Where several lists of fan are legally equal (一般高 or 喜相逢, two divisions of the
  same total) the list can be another one; the total never is.

All refusals are ``TypeError``, so that a handler written for PyMahjongGB catches them.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator
from typing import Any

from ..errors import EvaluatorError, NotAWin
from ..hands import Hand, Meld
from ..rulesets import rules
from ..rulesets.fan import fan_table
from ..scores import score
from ..tiles import HONOURS, KINDS, KNITTED, ORPHANS, SUITED

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
        0-8.
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
    melds = _melds(pack)
    tiles = _tiles(hand)
    if not isinstance(winTile, str):
        raise TypeError(f"argument 3 must be str, not {type(winTile).__name__}")
    win = _tile(winTile)
    flowers, seat, prevalent = map(operator.index, (flowerCount, seatWind, prevalentWind))
    if len(tiles) + 3 * len(melds) != 13:
        raise TypeError("ERROR_WRONG_TILES_COUNT")
    counts = [0] * KINDS
    for tile in tiles:
        counts[tile] += 1
    counts[win] += 1
    try:
        scored = score(
            Hand(
                tuple(counts),
                melds,
                win,
                self_drawn=bool(isSelfDrawn),
                last_tile=bool(is4thTile),
                wall_last=bool(isWallLast),
                kong=bool(isAboutKong),
                prevalent_wind=prevalent,
                seat_wind=seat,
                flowers=flowers,
            ),
            "guobiao",
        )
    except NotAWin:
        raise TypeError("ERROR_NOT_WIN") from None
    except EvaluatorError as error:
        raise TypeError(str(error)) from None
    order, names = _naming()
    fans = sorted(scored.fans, key=lambda fan: order[fan.chinese])
    if verbose:
        return tuple((fan.value, fan.count, *names[fan.chinese]) for fan in fans)
    return tuple((fan.value * fan.count, names[fan.chinese][0]) for fan in fans)


@functools.cache
def _naming() -> tuple[dict[str, int], dict[str, tuple[str, str]]]:
    """Place and names of each fan in their lists, by our name."""
    fans = fan_table(rules("guobiao")).fans
    english = {fan.chinese: _THEIR_ENGLISH.get(fan.chinese, fan.english) for fan in fans}
    return (
        {fan.chinese: fan.number for fan in fans},
        {name: (_THEIR_CHINESE.get(name, name), english[name]) for name in english},
    )


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
    _melds(pack)
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
    if max(counts) > 4:
        raise TypeError(f"five copies of {_names({counts.index(max(counts))})[0]}")
    return counts


def _hand_of(hand: Any, sizes: tuple[int, ...]) -> list[int]:
    tiles = _tiles(hand)
    if len(tiles) not in sizes:
        raise TypeError("ERROR_INVALID_HAND")
    return _counts(hand)


def _melds(pack: Any) -> tuple[Meld, ...]:
    if not isinstance(pack, tuple):
        raise TypeError("Param `pack` must be a tuple!")
    return tuple(_meld(one) for one in pack)


def _meld(pack: Any) -> Meld:
    if not isinstance(pack, tuple):
        raise TypeError("Param `pack` must be a tuple of tuples!")
    if len(pack) != 3:
        raise TypeError(f"function takes exactly 3 arguments ({len(pack)} given)")
    for at, text in enumerate(pack[:2], 1):
        if not isinstance(text, str):
            raise TypeError(f"argument {at} must be str, not {type(text).__name__}")
    kind, tile, offer = pack[0], _tile(pack[1]), operator.index(pack[2])
    if kind not in ("CHI", "PENG", "GANG"):
        raise TypeError("ERROE_WRONG_PACK_CODE")
    if not (kind != "GANG") <= offer <= 3:
        raise TypeError("ERROE_WRONG_OFFER_CODE")
    if kind == "CHI":
        if tile >= SUITED or not 1 <= tile % 9 <= 7:
            raise TypeError("ERROE_WRONG_TILE_CODE")
        return Meld("chow", tile - 1)
    if kind == "PENG":
        return Meld("pung", tile)
    return Meld("kong" if offer else "concealed_kong", tile)


def _names(tiles: set[int]) -> tuple[str, ...]:
    return tuple(name for name, tile in _IN_THEIR_ORDER if tile in tiles)
