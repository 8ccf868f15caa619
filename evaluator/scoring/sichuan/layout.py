"""The tables of pattern scoring, laid out for the kernels.

What a descriptor is, is told in ``tables/sichuan.py``. Two arenas, flat bytes read by
address: the *signatures* of suits and melds, the same under every rule set, and the
*combinations* that :mod:`evaluator.scoring.sichuan.values` makes for one rule set. Between
them stands the *word* of a hand: what holds of it, a bit each. The places of everything
are the constants below.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...engine.arena import (
    aligned,
    places,
    view,
)
from ...engine.tables import load, once
from ...hands import FLAGS, MELD_IDS, Meld
from ...shape.layout import (
    FIRST_PUNG,
    KONGS_SHIFT,
    MELD_ROWS,
    MELD_SUMS,
    ROW,
    SETS_SHIFT,
    WIN_HEAD,
    WIN_SHIFT,
)
from ...tiles import SUITED

# a descriptor: pairs, sets (4 bits each), NOT bits, suits of melds, kinds with four
NOT_SHIFT, NOT_FIELD = 8, 0b1111111
FOURS_SHIFT = 16
SUITS_SHIFT, HONOURS_BIT = 20, 1 << 23
COMPLETE = 1 | 4 << 4

# the word of a hand. The first seven are the NOT bits of the descriptors, inverted
STANDARD, SEVEN_PAIRS, PUNGS, OUTSIDE, OUTSIDE_PUNGS, ONLY_258, SIMPLES = range(7)
FLUSH, ROOT, FOUR_MELDS, FOUR_KONGS, CONCEALED = range(7, 12)
# the second half
HEAVENLY, EARTHLY, SELF_DRAWN, LAST_COPY, DEALER, STRAIGHT, TRIPLET = range(12, 19)
PLACE = 19  # three bits: the place of the winning tile
WORD_BITS, HALF = 22, 12
NOWHERE, EDGE, MIDDLE, MIDDLE_FIVE, IN_PAIR = range(5)

CODE_BLOCK = 64
CODES = 5**9
BLOCKS = CODES // CODE_BLOCK + 1
MOST_BLOCKS = 7_040
MOST_LOOKED_UP = 8
DEMANDS = 16


SIGNATURES, SIGNATURES_SIZE = places(
    {
        "meld": ROW * MELD_ROWS,
        "descriptor": 8 * 256,
        "distance": DEMANDS * 256,
        "block": 2 * BLOCKS,
        "signature": CODE_BLOCK * MOST_BLOCKS,
    }
)
"""Where each table of the signatures begins, in bytes.

``meld``: rows as in :mod:`evaluator.scoring.layout`, their last word the NOT bits and suits of
the meld; ``descriptor u64[signature]``; ``distance u8[class][2m + p]`` of the classes of
``shape.npz``; ``signature u8[64 * block[code >> 6] + (code & 63)]``: most blocks of codes
are no part of any win, and share one."""

NO_WIN = -(1 << 15)
"""Fan of a word that is no win under the rule set."""
NO_PATTERN = 255

# the head of the arena: uint64 numbers by their place
HEAD = (
    *WIN_HEAD, "groups", "gen", "kong", "lowest", "minimum", "of_divisions", "of_win_tile",
    "dead_wait", "smallest", "earthly_on_discard", "fan", "patterns", "points", "wild_fan",
    "indicator_pung", "natural_gens", "ignored", "signatures", "shape",
    "looked_up", "looked_up_shift",
)  # fmt: skip
"""Numbers at the head of the arena; ``fan``, ``patterns`` and ``points`` are places in it,
``ignored`` the NOT bits that no pattern looks at, ``signatures`` and ``shape`` addresses of
the tables of hands, ``looked_up`` how many flags the divisions tell set by set,
``looked_up_shift`` their first bit in an index."""

COMBINATION, COMBINATION_SIZE = places(
    {
        "head": 8 * len(HEAD),
        "low": 4 << HALF,
        "high": 4 << HALF,
        "addon": 2 << len(FLAGS),
        "looked_up": 24 * MOST_LOOKED_UP,
    }
)
"""Where the tables of a rule set begin, in bytes. ``low``, ``high u32[4096]``: index of the
two halves of a word; ``addon i16[flags]``; ``looked_up u64[flags][3]``: with which sets
(21 chows, 34 pungs), pairs and tiles of seven pairs a flag holds; then ``fan i16[index]``,
``patterns u8[index][groups + 1]`` (of each group the pattern, and the form),
``points i32[fan - lowest][3]`` (points, payment on a discard, payment of a self-draw)."""


@once
def signatures() -> npt.NDArray[np.uint8]:
    """The arena of signatures."""
    arrays = load("sichuan.npz")
    arena = aligned(SIGNATURES_SIZE)
    code = arrays["code"]
    used, block_of = np.unique(code // CODE_BLOCK, return_inverse=True)
    view(arena, SIGNATURES["block"], BLOCKS, np.uint16)[used] = np.arange(1, len(used) + 1)
    of_codes = view(arena, SIGNATURES["signature"], CODE_BLOCK * MOST_BLOCKS, np.uint8)
    of_codes[CODE_BLOCK * (block_of + 1) + code % CODE_BLOCK] = arrays["signature"]
    descriptors = view(arena, SIGNATURES["descriptor"], 256, np.uint64)
    descriptors[0] = NOT_FIELD << NOT_SHIFT
    descriptors[1 : len(arrays["descriptor"]) + 1] = arrays["descriptor"]
    distance = load("shape.npz")["distance"].reshape(-1, 10)
    rows = view(arena, SIGNATURES["distance"], DEMANDS * 256, np.uint8).reshape(256, DEMANDS)
    rows[: len(distance), :10] = distance
    _lay_melds(arena)
    return arena


def _lay_melds(arena: npt.NDArray[np.uint8]) -> None:
    rows = view(arena, SIGNATURES["meld"], ROW * MELD_ROWS, np.uint8).reshape(MELD_ROWS, ROW)
    words = rows[:, MELD_SUMS - 8 :].view(np.uint64)
    # a byte that is no meld: five copies and more
    rows[:, 0] = 255
    rows[0, 0] = 0
    for number in range(1, MELD_IDS):
        meld = Meld.from_id(number)
        rows[number] = 0
        for tile in meld.tiles:
            rows[number, tile] += 1
        concealed = meld.kind == "concealed_kong"
        kong = meld.is_kong
        sums = 1 << SETS_SHIFT | kong << KONGS_SHIFT
        sums |= (not concealed) << WIN_SHIFT | (kong and not concealed) << WIN_SHIFT + 3
        sums |= concealed << WIN_SHIFT + 6
        words[number] = (0, sums, _meld_descriptor(number >= FIRST_PUNG, meld))


def _meld_descriptor(is_pung: bool, meld: Meld) -> int:
    ranks = [tile % 9 for tile in meld.tiles]
    honour = meld.tile >= SUITED
    terminal = honour or 0 in ranks or 8 in ranks
    lacks = (
        (not is_pung) << PUNGS
        | (not terminal) << OUTSIDE
        | (not (is_pung and terminal)) << OUTSIDE_PUNGS
        | (honour or not set(ranks) <= {1, 4, 7}) << ONLY_258
        | terminal << SIMPLES
        # seven pairs have no melds
        | 1 << SEVEN_PAIRS
    )
    where = HONOURS_BIT if honour else 1 << SUITS_SHIFT + meld.tile // 9
    return lacks << NOT_SHIFT | where
