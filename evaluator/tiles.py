"""The 34 tile kinds: their order, their names, their classes.

One order is used inside, that of mpsz notation:

====== ======= ==============================
index  mpsz    tiles
====== ======= ==============================
0-8    1m-9m   characters 万
9-17   1p-9p   dots 筒 (饼)
18-26  1s-9s   bamboos 条 (索)
27-30  1z-4z   winds E S W N 东 南 西 北
31-33  5z-7z   dragons 白 发 中
====== ======= ==============================

A 27-long vector is the three suits. PyMahjongGB and GB-Mahjong order the suits
m, s, p and the dragons 中 发 白: :mod:`evaluator.hands.notation` translates.
"""

from __future__ import annotations

KINDS = 34
SUITED = 27
COPIES = 4
SUITS = "mps"

NAMES: tuple[str, ...] = tuple(
    f"{rank}{suit}"
    for suit, last in zip("mpsz", (9, 9, 9, 7), strict=True)
    for rank in range(1, last + 1)
)
"""mpsz name of each kind: ``NAMES[0] == "1m"``, ``NAMES[33] == "7z"``."""

CHINESE: tuple[str, ...] = (
    *(f"{digit}{suit}" for suit in "万筒条" for digit in "一二三四五六七八九"),
    *"东南西北白发中",
)
"""Chinese name of each kind: ``CHINESE[0] == "一万"``, ``CHINESE[33] == "中"``."""

UNICODE: tuple[str, ...] = tuple(
    map(
        chr,
        (
            *range(0x1F007, 0x1F010),
            *range(0x1F019, 0x1F022),
            *range(0x1F010, 0x1F019),
            *range(0x1F000, 0x1F004),
            0x1F006,
            0x1F005,
            0x1F004,
        ),
    )
)
"""Unicode character of each kind; its block orders bamboos before dots, 中 发 白."""

WIND_NAMES = "ESWN"

TERMINALS: tuple[int, ...] = (0, 8, 9, 17, 18, 26)
HONOURS: tuple[int, ...] = tuple(range(27, 34))
ORPHANS: tuple[int, ...] = TERMINALS + HONOURS

KNITTED_STARTS: tuple[tuple[int, int, int], ...] = (
    (0, 1, 2),
    (0, 2, 1),
    (1, 0, 2),
    (1, 2, 0),
    (2, 0, 1),
    (2, 1, 0),
)
"""The six knitted patterns: which of 147, 258, 369 (0, 1, 2) each suit has."""

KNITTED: tuple[tuple[int, ...], ...] = tuple(
    tuple(9 * suit + start + 3 * step for suit, start in enumerate(starts) for step in range(3))
    for starts in KNITTED_STARTS
)
"""The nine tiles of each knitted pattern."""


FORMS: tuple[str, ...] = (
    "standard",
    "seven_pairs",
    "seven_different_pairs",
    "thirteen_orphans",
    "knitted_straight",
    "honours_and_knitted",
)
"""The forms of a complete hand; kernels know form i as bit i."""


def is_number(tile: int) -> bool:
    """Whether the tile is of one of the three suits."""
    return tile < SUITED


def suit_of(tile: int) -> int:
    """0 characters, 1 dots, 2 bamboos, 3 honours.

    >>> suit_of(0), suit_of(26), suit_of(27)
    (0, 2, 3)
    """
    return tile // 9 if tile < SUITED else 3


def rank_of(tile: int) -> int:
    """1-9 of a number tile, 1-7 of an honour.

    >>> rank_of(8), rank_of(9), rank_of(33)
    (9, 1, 7)
    """
    return tile % 9 + 1
