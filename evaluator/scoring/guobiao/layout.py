"""The tables of Guobiao scoring, laid out for the kernels.

What the entries mean is told in ``tables/guobiao.py``. Two arenas, both flat bytes
read by address: the *geometry* of hands, the same under every rule set, and the
*words* of outcomes, which :mod:`evaluator.scoring.guobiao.fan` makes for one rule set. The
places of everything in them are the constants below.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.arena import aligned, places, view
from ...engine.tables import CODES, load, once
from ...shape.layout import (
    CHOW_COUNT,
    FIRST_PUNG,
    KONGS_SHIFT,
    MELD_RECORD,
    MELD_ROWS,
    PUNGS_SHIFT,
    ROW,
    SETS_SHIFT,
    WIN_SHIFT,
)
from ...tiles import KINDS, SUITED

# a row of a vector: eight uint64, its header first
RECORD, TILES, WAIT = 8, 16, 56
SUIT_STEP = 16  # from RECORD and TILES of a suit to those of the next
# the header
PAIRS_AND_SETS = 0xFF
FURTHER_SHIFT, FURTHER_FIELD = 8, 0b1111
OFFSET_SHIFT, OFFSET_FIELD = 16, 0xFFFF
HONOUR_SHIFT, HONOUR_FIELD = 44, 0b1111111111
NEVER = 3  # pairs of what is no vector
# its TILES: the signature, then from this bit on the tiles that would be a unique wait
UNIQUE_SHIFT = 16

# bits of a record
NUMBER_PUNGS = (1 << 27) - 1
CONCEALED_BIT, CHOWS_BIT, FIVELESS_BIT, INNER_BIT, FIVES_BIT, KEY_BIT = 27, 30, 33, 36, 39, 40
SHAPE_FIELD = (1 << 12) - 1  # from CONCEALED_BIT on

# bits of a signature
SUITS_SHIFT, SUITS_FIELD = 10, 0b11111  # m, p, s, winds, dragons

CHOW_BUCKETS, CHOW_SLOTS = 1 << 11, 1 << 14
PUNG_BUCKETS, PUNG_SLOTS = 1 << 12, 1 << 15
DOUBLE_DRAGON = 60  # chow outcomes from here on: 4 chows, 一色双龙会, 4 chows, 三色双龙会
MOST_VECTORS, MOST_FURTHER = 22_400, 2_048
# blocks of codes, and how many of them have a vector (and one more)
ID_SHIFT = 8
ID_BLOCK, CODE_BLOCKS, MOST_BLOCKS = 1 << ID_SHIFT, (CODES >> ID_SHIFT) + 1, 2_880


GEOMETRY, GEOMETRY_SIZE = places(
    {
        "block": 4 * CODE_BLOCKS,
        "id": 2 * ID_BLOCK * MOST_BLOCKS,
        "row": ROW * MOST_VECTORS,
        "further": 32 * MOST_FURTHER,
        "meld": ROW * MELD_ROWS,
        "chows_shift": 2 * CHOW_BUCKETS,
        "chows": CHOW_SLOTS,
        "pungs_shift": 2 * PUNG_BUCKETS,
        "pungs": PUNG_SLOTS,
        "shape": 1 << 12,
        "class": 2 << 15,
        "honours": 1 << 14,
        "win": 2 << 13,
        "signature": 2 * 4 * 512,
        "factors": 16,
        "key": 8 * CHOW_COUNT,
    }
)
"""Where each table of the geometry begins, in bytes.

``id u16[block[code >> ID_SHIFT] + code]`` (modulo 2**32) number of a vector: most blocks
of codes have none, and share one; ``row u64[8][id]``; ``further u64[4][…]`` records
of the divisions but the first, and their waits; ``meld`` rows by meld id; then the
tables of ``tables/guobiao.py`` by their names; ``signature u16[4][512]`` of the tiles
of a suit that are there; ``factors u64[2]`` of the two hashes."""

# a word of an outcome: points, how many 双同刻, 幺九刻 and 四归一 are in them, whether
# ties are decided for it, a bit for each fan of it that another side may exclude, and
# a bit for each fan that it excludes on other sides; the highest three exclude those
# that are counted
POINTS_FIELD = (1 << 12) - 1
DOUBLES_SHIFT, OUTERS_SHIFT, HOGS_SHIFT, TIES_SHIFT = 12, 14, 17, 20
HAS_SHIFT, KILL_SHIFT, BITS = 22, 48, 13
COUNTED_SHIFT = KILL_SHIFT + BITS
COUNTED = ("双同刻", "幺九刻", "四归一")
FORMS = ("组合龙", "七对", "连七对", "十三幺", "七星不靠", "全不靠", "全不靠 组合龙", "九莲宝灯")

WORDS, WORDS_SIZE = places(
    {
        "class": 8 * 160,
        "pairs": 8 * 160,
        "honours": 8 * 128,
        "win": 8 * 288,
        "chows": 8 * 64,
        "pungs": 8 * 64,
        "shape": 8 * 64,
        "forms": 8 * len(FORMS),
        "wait": 8,
        "values": 8 * 8,
        "lost": 2 << BITS,
        "undo": 2 * BITS,
        # which columns an outcome counts: (column, count) in 16 bits, eight of them
        "list_class": 16 * 160,
        "list_pairs": 16 * 160,
        "list_honours": 16 * 128,
        "list_win": 16 * 288,
        "list_chows": 16 * 64,
        "list_pungs": 16 * 64,
        "list_shape": 16 * 64,
        "list_forms": 16 * len(FORMS),
    }
)
"""Where the words of each side begin, in bytes: by the number of the outcome.

``pairs`` are the words of the classes in seven pairs. ``values u64[8]``: of 双同刻,
幺九刻, 四归一, 无番和, a flower, how many 幺九刻 九莲宝灯 takes away; then the minimum,
and the address of the geometry.
``lost u16[2**BITS]`` is what is to be taken off for the bits that one side has and
another excludes; ``undo u8[2][BITS]`` for each such bit the
column that is then empty, and one that counts 1 instead (or the spare column)."""

COLUMNS = 82
FLOWERS = 80
SPARE = FLOWERS  # written last: until then it takes what belongs nowhere


def _moved(record: npt.NDArray[np.uint64], starts: Any, keys: Any, suit: int) -> Any:
    """Records of a suit: pungs in their place, the keys of the chows added."""
    low = record & np.uint64(0x1FF)
    total = np.zeros(len(record), np.uint64)
    for rank in range(7):
        many = (starts >> np.uint32(3 * rank) & np.uint32(7)).astype(np.uint64)
        total += many * keys[7 * suit + rank]
    high = record & np.uint64((1 << KEY_BIT) - 1) & ~np.uint64(0x1FF)
    return low << np.uint64(9 * suit) | high | total << np.uint64(KEY_BIT)


@once
def geometry() -> npt.NDArray[np.uint8]:
    """The geometry arena."""
    arrays = load("guobiao.npz")
    arena = aligned(GEOMETRY_SIZE)
    code, header, unique = arrays["code"], arrays["header"], arrays["unique"]
    n = len(code)
    used, block_of = np.unique(code // ID_BLOCK, return_inverse=True)
    begin = np.zeros(CODE_BLOCKS, np.int64)
    begin[used] = ID_BLOCK * np.arange(1, len(used) + 1)
    begin -= ID_BLOCK * np.arange(len(begin))
    view(arena, GEOMETRY["block"], len(begin), np.uint32)[:] = begin % (1 << 32)
    ids = view(arena, GEOMETRY["id"], ID_BLOCK * MOST_BLOCKS, np.uint16)
    ids[ID_BLOCK * (block_of + 1) + code % ID_BLOCK] = np.arange(1, n + 1)

    signature = arrays["signature"]
    of_ranks = view(arena, GEOMETRY["signature"], 4 * 512, np.uint16).reshape(4, 512)
    for suit in range(4):
        for rank in range(9 if suit < 3 else 7):
            of_ranks[suit, 1 << rank : 2 << rank] = (
                of_ranks[suit, : 1 << rank] | signature[9 * suit + rank]
            )

    further = (header >> np.uint32(FURTHER_SHIFT) & np.uint32(FURTHER_FIELD)).astype(np.int64)
    first = np.arange(n) + np.cumsum(further) - further
    more = np.ones(len(arrays["record"]), bool)
    more[first] = False
    wide = header.astype(np.uint64)
    rows = view(arena, GEOMETRY["row"], 8 * (n + 1), np.uint64).reshape(-1, 8)
    rows[0, 0] = NEVER
    rows[1:, 0] = (
        wide & np.uint64(0xFFF)
        | (np.cumsum(further) - further).astype(np.uint64) << np.uint64(OFFSET_SHIFT)
        | wide >> np.uint64(12) << np.uint64(HONOUR_SHIFT)
    )
    rows[1:, 7] = arrays["wait"][first]
    extra = view(arena, GEOMETRY["further"], 4 * int(more.sum()), np.uint64).reshape(-1, 4)
    extra[:, 3] = arrays["wait"][more]
    present = _present(code)
    honour = code >= CODES - 5**7
    for suit in range(3):
        moved = _moved(arrays["record"], arrays["chow_starts"], arrays["key"], suit)
        rows[1:, 1 + 2 * suit] = moved[first]
        extra[:, suit] = moved[more]
        rows[1:, 2 + 2 * suit] = of_ranks[suit][present] | unique.astype(np.uint64) << np.uint64(
            UNIQUE_SHIFT + 9 * suit
        )
    # honours use the places of the first suit
    rows[1:, 1][honour] = arrays["record"][first][honour]
    rows[1:, 2][honour] = of_ranks[3][present[honour]] | unique[honour].astype(
        np.uint64
    ) << np.uint64(UNIQUE_SHIFT + SUITED)
    _lay_melds(arena, arrays)
    for name in ("chows", "chows_shift", "pungs", "pungs_shift", "shape", "class", "honours"):
        view(arena, GEOMETRY[name], arrays[name].size, arrays[name].dtype)[:] = arrays[name]
    view(arena, GEOMETRY["win"], 1 << 13, np.uint16)[:] = arrays["win"]
    view(arena, GEOMETRY["factors"], 2, np.uint64)[:] = (
        arrays["chows_factor"],
        arrays["pungs_factor"],
    )
    view(arena, GEOMETRY["key"], CHOW_COUNT, np.uint64)[:] = arrays["key"]
    return arena


def _present(code: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    """Which ranks a vector has: bit j = its tile j."""
    honour = code >= CODES - 5**7
    out = np.zeros(len(code), np.int64)
    for kinds, part in ((9, ~honour), (7, honour)):
        rest = code[part].astype(np.int64) - (CODES - 5**7 if kinds == 7 else 0)
        for rank in range(kinds - 1, -1, -1):
            out[part] |= (rest % 5 > 0).astype(np.int64) << rank
            rest //= 5
    return out


def _lay_melds(arena: npt.NDArray[np.uint8], arrays: dict[str, npt.NDArray[Any]]) -> None:
    rows = view(arena, GEOMETRY["meld"], ROW * MELD_ROWS, np.uint8).reshape(MELD_ROWS, ROW)
    words = rows[:, MELD_RECORD:].view(np.uint64)
    rows[:, 0] = 255
    rows[0, 0] = 0
    signature = arrays["signature"]
    for chow in range(CHOW_COUNT):
        suit, start = divmod(chow, 7)
        tiles = slice(9 * suit + start, 9 * suit + start + 3)
        rows[1 + chow] = 0
        rows[1 + chow, tiles] = 1
        record = 1 << CHOWS_BIT | int(arrays["key"][chow]) << KEY_BIT
        record |= (not 2 <= start <= 4) << FIVELESS_BIT | (start not in (0, 6)) << INNER_BIT
        of_tiles = int(np.bitwise_or.reduce(signature[tiles]))
        words[1 + chow] = (record, 1 << SETS_SHIFT | 1 << WIN_SHIFT, of_tiles)
    for kind in range(3):  # pung, melded kong, concealed kong
        for tile in range(KINDS):
            number = FIRST_PUNG + KINDS * kind + tile
            rows[number] = 0
            rows[number, tile] = 3 if kind == 0 else 4
            sums = 1 << SETS_SHIFT
            sums |= (1 << WIN_SHIFT, 0b1001 << WIN_SHIFT, 1 << WIN_SHIFT + 6)[kind]
            sums |= (kind > 0) << KONGS_SHIFT
            record = (kind == 2) << CONCEALED_BIT
            if tile < SUITED:
                record |= 1 << tile
                record |= (tile % 9 != 4) << FIVELESS_BIT | (tile % 9 not in (0, 8)) << INNER_BIT
            else:
                record |= 1 << FIVELESS_BIT
                sums |= 1 << PUNGS_SHIFT + tile - SUITED
            words[number] = (record, sums, int(signature[tile]))
