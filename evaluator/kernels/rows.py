"""What can be wrong with a row of a batch: the checks of ``hands.Hand``, fused into scoring.

A quick word says whether anything is wrong; only then the row is walked for the reason.
"""

from __future__ import annotations

from .. import fantables as ft
from ..errors import Reason
from ..jit import helper, inline
from ..tables import HONOURS
from .suits import ONE, ZERO, U
from .vector import load_8, load_64, own_tiles
from .worth import (
    FIVE,
    FOUR,
    FULL,
    KONGS_SHIFT,
    MELD_SIZE,
    MELDS,
    ROW_SIZE,
    SETS_FIELD,
    SETS_SHIFT,
    THREE,
    TWO,
    WIN_SHIFT,
)

# flags of a hand
SELF_DRAWN, LAST_TILE, WALL_LAST, KONG = U(1), U(2), U(4), U(8)
KONG_DISCARD, HEAVENLY, EARTHLY = U(16), U(32), U(64)
LAST_SHIFT, SIMPLE_FLAGS, ALL_FLAGS = U(1), U(1 | 4), U(127)
NO_TILE, KINDS, TILE_FIELD, MOST_FLOWERS, MELD_IDS = U(255), U(34), U(63), U(8), U(124)
WIND_SHIFT = U(2)
OPEN_FIELD = U(0b111)
WINS_SHIFT = U(5)  # heavenly, the first of the two
IMPOSSIBLE_FLAGS = U(Reason.IMPOSSIBLE_FLAGS)
NO_CODES = (ZERO, ZERO, ZERO, U(HONOURS))

# one hand in one call: bytes of ``scores.packed``
MELDS_AT, WIN_AT, PREVALENT_AT, SEAT_AT, FLOWERS_AT, FLAGS_AT = (
    U(34),
    U(38),
    U(39),
    U(40),
    U(41),
    U(42),
)


@helper
def flags_cannot_be(flags, own_copies, concealed_copies, kongs, open_melds, on_discard):
    """Whether flags contradict each other or the hand (``hands.Hand`` names the cases).

    on_discard : not zero where the rules have 地胡 on the first discard
    """
    if flags > ALL_FLAGS:
        return True
    self_drawn, kong, wall_last = flags & SELF_DRAWN, flags & KONG, flags & WALL_LAST
    blessed = flags & (HEAVENLY | EARTHLY)
    if blessed and (blessed == HEAVENLY | EARTHLY or wall_last or open_melds):
        return True
    if blessed and not self_drawn and (blessed == HEAVENLY or kong or not on_discard):
        return True
    if flags & KONG_DISCARD and (kong or self_drawn):
        return True
    # before the first discard nobody sees a tile of another
    if flags & LAST_TILE and (concealed_copies > ONE or flags & HEAVENLY):
        return True
    if kong:
        if self_drawn:
            return not kongs
        return wall_last != ZERO or own_copies > ONE
    return False


@helper
def copies_in_melds(meld_rows, melds, win):
    """Copies of a tile in melds."""
    copies = ZERO
    for slot in range(4):
        number = (melds >> U(8 * slot)) & U(255)
        copies += load_8(meld_rows + ROW_SIZE * number + win)
    return copies


@helper
def natural_in_melds(meld_rows, melds, meld_wilds, tile):
    """The same without the wild tiles in them."""
    copies = ZERO
    for slot in range(4):
        number = (melds >> U(8 * slot)) & U(255)
        held = load_8(meld_rows + ROW_SIZE * number + tile)
        copies += held - min(held, (meld_wilds >> U(8 * slot)) & U(255))
    return copies


@inline
def wilds_fit(meld, wilds):
    """Whether so many tiles of a meld can be wild: not of a chow, and one is natural."""
    if wilds == ZERO:
        return True
    return meld >= U(ft.FIRST_PUNG) and wilds <= (TWO if meld < U(ft.FIRST_PUNG + 34) else THREE)


@helper
def looked_at(meld_rows, hand, melds, meld_wilds, wilds, prevalent, seat, flowers):
    """What every row is looked at for, in the order in which ``hands.Hand`` looks.

    meld_rows : address of the rows of melds; meld_wilds : four bytes; wilds : in the hand
    returns : (Reason why it cannot be, or OK; tiles, a set as three; open melds; kongs)
    """
    none = (ZERO, ZERO, ZERO)
    used, opened, kongs = ZERO, ZERO, ZERO
    for slot in range(4):
        number = (melds >> U(8 * slot)) & U(255)
        if number >= MELD_IDS:
            return U(Reason.BAD_MELD), none
        sums = load_64(meld_rows + ROW_SIZE * number + U(ft.MELD_SUMS))
        if not wilds_fit(number, (meld_wilds >> U(8 * slot)) & U(255)):
            return U(Reason.BAD_MELD), none
        used += (sums >> SETS_SHIFT) & SETS_FIELD
        opened += (sums >> WIN_SHIFT) & OPEN_FIELD
        kongs += (sums >> KONGS_SHIFT) & ONE
    size, most = wilds, ZERO
    for tile in range(34):
        copies = load_8(hand + U(tile))
        if copies > FOUR:
            return U(Reason.COUNT_ABOVE_FOUR), none
        size += copies
        most = max(most, copies + natural_in_melds(meld_rows, melds, meld_wilds, U(tile)))
    if prevalent > THREE or seat > THREE:
        return U(Reason.BAD_WIND), none
    if flowers > MOST_FLOWERS:
        return U(Reason.BAD_FLOWERS), none
    total = size + MELD_SIZE * used
    if size % MELD_SIZE == ZERO or total > FULL:
        return U(Reason.BAD_SIZE), none
    if most > FOUR:
        return U(Reason.FIVE_COPIES), none
    return U(Reason.OK), (total, opened, kongs)


@helper
def trouble(arena, hand, melds, win, flags, prevalent, seat, flowers):
    """The Reason why a row cannot be, OK when it can (but may be no win)."""
    rows = arena + MELDS
    reason, found = looked_at(rows, hand, melds, ZERO, ZERO, prevalent, seat, flowers)
    if reason != U(Reason.OK):
        return reason
    total, opened, kongs = found
    if total != FULL:
        return U(Reason.BAD_SIZE)
    if win == NO_TILE:
        return U(Reason.NO_WIN_TILE)
    if win >= KINDS or load_8(hand + win) == ZERO:
        return U(Reason.WIN_TILE_NOT_HELD)
    concealed = load_8(hand + win)
    own = concealed + copies_in_melds(rows, melds, win)
    if flags_cannot_be(flags, own, concealed, kongs, opened, ZERO):
        return U(Reason.IMPOSSIBLE_FLAGS)
    return U(Reason.OK)


@helper
def waiting_trouble(arena, hand, melds, flags, prevalent, seat, flowers):
    """The Reason why a row of 13 tiles, its melds included, cannot be; OK when it can."""
    rows = arena + MELDS
    reason, found = looked_at(rows, hand, melds, ZERO, ZERO, prevalent, seat, flowers)
    if reason != U(Reason.OK):
        return reason
    total, opened, _ = found
    if total != FULL - ONE:
        return U(Reason.BAD_SIZE)
    return waiting_flags_trouble(flags, opened)


@inline
def waiting_flags_trouble(flags, opened):
    """The Reason why flags cannot be whatever tile completes the hand."""
    # how it will be won is open: these cannot be in any way
    blessed = flags & (HEAVENLY | EARTHLY)
    wrong = blessed and (blessed == HEAVENLY | EARTHLY or flags & WALL_LAST or opened)
    wrong = wrong or (flags & HEAVENLY and flags & LAST_TILE)
    wrong = wrong or (flags & KONG and flags & KONG_DISCARD)
    return IMPOSSIBLE_FLAGS if wrong or flags > ALL_FLAGS else U(Reason.OK)


@inline
def with_melds(rows, hand, melds):
    """``own_tiles`` of a hand and its four meld ids."""
    byte = U(255)
    return own_tiles(
        hand,
        rows + ROW_SIZE * (melds & byte),
        rows + ROW_SIZE * ((melds >> U(8)) & byte),
        rows + ROW_SIZE * ((melds >> U(16)) & byte),
        rows + ROW_SIZE * ((melds >> U(24)) & byte),
    )


@inline
def wrong_row(own, m1, win, prevalent, seat, flowers):
    """Not zero when a row is wrong, its flags apart."""
    return (
        own[0]
        | (win >> U(6))
        | (((m1 >> (win & TILE_FIELD)) & ONE) ^ ONE)
        | ((prevalent | seat) >> WIND_SHIFT)
        | U(flowers > MOST_FLOWERS)
    )


@inline
def with_last_tile(flags, four, m2, win):
    """和绝张 is there by itself when the other three copies lie in the hand's melds."""
    return flags | (((four & ~m2) >> win) & ONE) << LAST_SHIFT


@inline
def read_one(hand):
    """(codes, bits of the tiles with 1 to 4 copies, tiles) of 34 counts; no tiles where
    there are more than four of one."""
    m1, m2, m3, m4, size, most = ZERO, ZERO, ZERO, ZERO, ZERO, ZERO
    a, b, c, d = ZERO, ZERO, ZERO, ZERO
    for tile in range(34):
        copies = load_8(hand + U(tile))
        bit = ONE << U(tile)
        m1 |= bit if copies > ZERO else ZERO
        m2 |= bit if copies > ONE else ZERO
        m3 |= bit if copies > TWO else ZERO
        m4 |= bit if copies > THREE else ZERO
        size += copies
        most = max(most, copies)
        if tile < 9:
            a = a * FIVE + copies
        elif tile < 18:
            b = b * FIVE + copies
        elif tile < 27:
            c = c * FIVE + copies
        else:
            d = d * FIVE + copies
    if most > FOUR:
        return NO_CODES, ZERO, ZERO, ZERO, ZERO, ZERO
    return (a, b, c, d + U(HONOURS)), m1, m2, m3, m4, size
