"""Bulk reading of hands, one a line: bytes in, columns out.

The kernel takes what it understands and refuses the rest, which
:func:`evaluator.notation.parse_hand` then judges. It may refuse a good line (that
costs time); it must never take a line that ``parse_hand`` reads otherwise.

Every line is first turned into character numbers: ASCII characters are their own
number, the others that some notation knows have one from 128 up, 0 is all else.
Handing an array to a function costs two atomic operations, so the functions here
share one table and one scratch array, and loops over characters call nothing.
"""

from __future__ import annotations

import numpy as np

from ..jit import helper, inline, kernel

# the numbers of evaluator.notation, repeated: numba freezes what it imports, and
# its cache would not notice a change made there
DIGIT, SUIT, PREFIX = 40, 50, 60
SPACE, OPEN, CLOSE, COMMA, WILD, BAR, UNKNOWN, FLOWER = 70, 71, 72, 73, 74, 75, 76, 80
NO_TILE, NONE = 255, 255

# The table, uint8: by number what a character means in each of four notations; the
# notation it decides for; the words of the last section, 16 bytes each: length,
# letters; by code point the number of a character, U+1F000 at 0x10000.
MPSZ, CHINESE, UNICODE, MAHJONGGB = range(4)
SYMBOLS = 0
DECIDING = SYMBOLS + 4 * 256
WORDS = DECIDING + 256
FLAG_WORDS, WILDS_WORD, INDICATOR_WORD, WIN_WORD, WORD_COUNT = 7, 7, 8, 9, 10
NUMBERS = WORDS + 16 * WORD_COUNT
TABLE_SIZE = NUMBERS + 0x10040
UNDECIDED, BAR_CAME_FIRST = 255, 254

# The scratch array, uint8: the line's characters, then what is read from them.
LONGEST = 256
CONCEALED = LONGEST
IN_MELDS = CONCEALED + 34
MELDS = IN_MELDS + 34
MELD_WILDS = MELDS + 4
WAITING = MELD_WILDS + 4
MOST_WAITING = 16
FACTS = WAITING + MOST_WAITING
WIN, FLAGS, PREVALENT, SEAT, FLOWERS, WILDS, INDICATOR, NO_WIN = range(FACTS, FACTS + 8)
BLOSSOMS = FACTS + 8  # which flowers letters have named, a bit each
SCRATCH_SIZE = FACTS + 9

TAKEN, REFUSED = 0, 1

FIRST_PUNG, FIRST_KONG, FIRST_CONCEALED_KONG = 22, 56, 90
SELF_DRAWN, LAST_TILE, WALL_LAST, KONG = 1, 2, 4, 8
KONG_DISCARD, HEAVENLY, EARTHLY = 16, 32, 64

ZERO, ONE, NINE, A, H = ord("0"), ord("1"), ord("9"), ord("a"), ord("h")
BAR_SIGN, COMMA_SIGN, COMMENT_SIGN, UNDERSCORE = ord("|"), ord(","), ord("#"), ord("_")
LETTER_E, LETTER_F, LETTER_N, LETTER_S, LETTER_W = (ord(c) for c in "EFNSW")


@inline
def _suited(digit, suit, notation):
    """Tile of a digit and its suit; 0 is a five in mpsz text only."""
    if digit == 0:
        return 9 * suit + 4 if notation == MPSZ and suit < 3 else NO_TILE
    if suit == 3 and digit > 7:
        return NO_TILE
    return 9 * suit - 1 + digit


@inline
def _prefixed(prefix, digit):
    """Tile of a mahjonggb letter (0-4 of ``WBTFJ``) and the number after it."""
    if digit < 1 or digit > 9 or (prefix == 3 and digit > 4) or (prefix == 4 and digit > 3):
        return NO_TILE
    return 34 - digit if prefix == 4 else 9 * prefix - 1 + digit


@inline
def _meld(natural, wilds, lowest, highest, total, claimed):
    """Meld id of a set, 0 for no set; ``total`` is the sum of its natural tiles."""
    if natural == 0:
        return 0
    if lowest == highest:
        if natural + wilds == 3:
            return FIRST_PUNG + lowest
        if natural + wilds == 4:
            return FIRST_KONG + lowest if claimed else FIRST_CONCEALED_KONG + lowest
        return 0
    # three tiles between n and n + 2 that sum to 3n + 3, not all equal: n, n + 1, n + 2
    if natural != 3 or wilds or highest != lowest + 2 or total != 3 * lowest + 3:
        return 0
    if lowest >= 27 or lowest % 9 > 6:
        return 0
    return lowest // 9 * 7 + lowest % 9 + 1


@inline
def _claimed(digit, meld):
    """Whether a meld can be claimed so: 1 to 3, of a kong that was a pung 5 to 7."""
    return 1 <= digit <= 3 or (5 <= digit <= 7 and meld >= FIRST_KONG)


@helper
def _bloom(work, flower):
    """Take in one of the eight flowers; False where it is there already."""
    bit = 1 << flower
    if work[BLOSSOMS] & bit:
        return False
    work[BLOSSOMS] |= bit
    work[FLOWERS] += 1
    return True


@helper
def _decide(work, start, end, table):
    """The notation of a text: the rule of :func:`evaluator.notation.detect`."""
    before = 0
    letter_then_digit = False
    for k in range(start, end):
        number = np.int64(work[k])
        notation = np.int64(table[DECIDING + number])
        if notation < 4:
            return notation
        if notation == BAR_CAME_FIRST:
            break
        if ZERO <= number <= NINE and before in (LETTER_W, LETTER_F):
            letter_then_digit = True
        before = number
    return MAHJONGGB if letter_then_digit else MPSZ


@helper
def _indicator(work, i, end, table):
    """The one tile that stands between ``i`` and ``end``."""
    notation = _decide(work, i, end, table)
    symbols = SYMBOLS + 256 * notation
    first = np.int64(table[symbols + work[i]])
    if end == i + 1:
        return first if first < DIGIT else NO_TILE
    if end != i + 2:
        return NO_TILE
    if first >= PREFIX and first < SPACE:
        return _prefixed(first - PREFIX, np.int64(work[i + 1]) - ZERO)
    suit = np.int64(table[symbols + work[i + 1]]) - SUIT
    if first < DIGIT or first >= SUIT or suit < 0 or suit > 3:
        return NO_TILE
    return _suited(first - DIGIT, suit, notation)


@helper
def _more(work, i, end, table):
    """Read the last section; white space in it is refused."""
    seen = 0
    while i < end:
        found = -1
        for word in range(WORD_COUNT):
            at = WORDS + 16 * word
            length = np.int64(table[at])
            same = i + length <= end
            k = 0
            while same and k < length:
                same = work[i + k] == table[at + 1 + k]
                k += 1
            # kong is also how kong_discard begins
            if same and not (i + length < end and work[i + length] == UNDERSCORE):
                found = word
                i += length
                break
        if found < 0 or seen >> found & 1:
            return False
        seen |= 1 << found
        if found < FLAG_WORDS:
            work[FLAGS] |= 1 << found
        elif found == WILDS_WORD:
            if i == end or work[i] < ZERO or work[i] > NINE:
                return False
            work[WILDS] = work[i] - ZERO
            i += 1
        elif found == INDICATOR_WORD:
            stop = i
            while stop < end and work[stop] != COMMA_SIGN:
                stop += 1
            if stop == i:
                return False
            work[INDICATOR] = _indicator(work, i, stop, table)
            if work[INDICATOR] == NO_TILE:
                return False
            i = stop
        else:
            work[NO_WIN] = 1
        if i == end:
            return True
        if work[i] != COMMA_SIGN:
            return False
        i += 1
    # nothing at all is right, nothing behind a comma is not
    return seen == 0


@helper
def _sections(work, i, end, table):
    """Read what stands behind the first ``|``; white space in it is refused."""
    if i + 6 > end:
        return False
    for k in range(2):
        letter = work[i + k]
        if letter == LETTER_E:
            work[PREVALENT + k] = 0
        elif letter == LETTER_S:
            work[PREVALENT + k] = 1
        elif letter == LETTER_W:
            work[PREVALENT + k] = 2
        elif letter == LETTER_N:
            work[PREVALENT + k] = 3
        else:
            return False
    for k in range(4):
        if work[i + 2 + k] == ONE:
            work[FLAGS] |= 1 << k
        elif work[i + 2 + k] != ZERO:
            return False
    i += 6
    if i == end:
        return True
    if work[i] != BAR_SIGN:
        return False
    i += 1
    if i < end and work[i] >= ZERO and work[i] <= NINE:
        work[FLOWERS] += work[i] - ZERO
        i += 1
    else:
        while i < end and work[i] >= A and work[i] <= H:
            if not _bloom(work, np.int64(work[i]) - A):
                return False
            i += 1
    if i == end:
        return True
    return work[i] == BAR_SIGN and _more(work, i + 1, end, table)


@helper
def _possible(work, size, melds, kongs, open_melds):
    """Whether :class:`evaluator.hands.Hand` takes the hand: its checks again."""
    most = 0
    for tile in range(34):
        most = max(most, np.int64(work[CONCEALED + tile]) + np.int64(work[IN_MELDS + tile]))
    if most > 4 or work[WILDS] > 8 or work[FLOWERS] > 8:
        return False
    if size < 1 or size % 3 == 0 or size + 3 * melds > 14:
        return False
    flags = np.int64(work[FLAGS])
    if flags == 0:
        return True
    special = flags & (HEAVENLY | EARTHLY)
    if special == HEAVENLY | EARTHLY or (special and (flags & WALL_LAST or open_melds)):
        return False
    if flags & HEAVENLY and flags & LAST_TILE:
        return False
    if flags & KONG_DISCARD and flags & KONG:
        return False
    if size % 3 != 2:
        return True
    win = np.int64(work[WIN])
    held = np.int64(work[CONCEALED + win]) if win != NONE else 0
    if flags & LAST_TILE and held > 1:
        return False
    if flags & SELF_DRAWN:
        return not (flags & KONG_DISCARD or (flags & KONG and not kongs))
    # on a discard: earthly may be, but no robbed kong is the first tile
    if special == HEAVENLY or (special and flags & KONG):
        return False
    if flags & KONG:
        owned = held + np.int64(work[IN_MELDS + win]) if win != NONE else 0
        return not (flags & WALL_LAST or owned > 1)
    return True


@helper
def _read(work, end, notation, table):
    """Read the first ``end`` characters of the scratch array into its other parts."""
    for k in range(CONCEALED, SCRATCH_SIZE):
        work[k] = 0
    work[WIN] = NONE
    work[INDICATOR] = NONE
    symbols = SYMBOLS + 256 * notation
    waiting = 0
    tiles = 0
    melds = 0
    kongs = open_melds = in_meld = False
    natural = wilds = lowest = highest = total = 0
    last = NO_TILE
    # whether suits stand before their digits is seen from what comes first; then the suit
    digit_first = suit_first = False
    leading = -1
    i = 0
    while i < end:
        symbol = np.int64(table[symbols + work[i]])
        i += 1
        is_digit = symbol >= DIGIT and symbol < SUIT
        if is_digit and leading < 0:
            if waiting == MOST_WAITING or suit_first:
                return False
            digit_first = True
            work[WAITING + waiting] = symbol - DIGIT
            waiting += 1
            continue
        if symbol == SPACE:
            continue
        if symbol == WILD:
            if not in_meld or wilds == 3:
                return False
            wilds += 1
            continue
        if symbol < SPACE:
            # one tile, or all digits that waited for this suit
            suit = symbol - SUIT
            news = waiting
            if not is_digit:
                leading = -1
            if suit < 0 or symbol >= PREFIX:
                if waiting:
                    return False
                news = 1
            elif waiting == 0:
                if digit_first or notation != MPSZ or i == end:
                    return False
                follower = np.int64(table[symbols + work[i]])
                if follower < DIGIT or follower >= SUIT:
                    return False
                suit_first = True
                leading = suit
            for k in range(news):
                if is_digit:
                    tile = _suited(symbol - DIGIT, leading, notation)
                elif symbol < DIGIT:
                    tile = symbol
                elif symbol < PREFIX:
                    tile = _suited(np.int64(work[WAITING + k]), suit, notation)
                else:
                    if i == end:
                        return False
                    tile = _prefixed(symbol - PREFIX, np.int64(work[i]) - ZERO)
                    i += 1
                if tile == NO_TILE:
                    return False
                if not in_meld:
                    work[CONCEALED + tile] += 1
                    tiles += 1
                    last = tile
                else:
                    lowest = tile if natural == 0 else min(lowest, tile)
                    highest = tile if natural == 0 else max(highest, tile)
                    total += tile
                    natural += 1
            waiting = 0
            # before a count could wrap
            if tiles > 14 or natural > 4:
                return False
            continue
        if waiting:
            return False
        leading = -1
        if symbol == OPEN:
            if in_meld or melds == 4:
                return False
            in_meld = True
            natural = wilds = total = 0
        elif symbol in (CLOSE, COMMA):
            if not in_meld:
                return False
            if symbol == COMMA:
                if i + 2 > end or table[symbols + work[i + 1]] != CLOSE:
                    return False
                i += 2
            meld = _meld(natural, wilds, lowest, highest, total, symbol == COMMA)
            if meld == 0:
                return False
            if symbol == COMMA and not _claimed(np.int64(work[i - 2]) - ZERO, meld):
                return False
            if lowest == highest:
                work[IN_MELDS + lowest] += natural
            else:
                for k in range(3):
                    work[IN_MELDS + lowest + k] += 1
            work[MELDS + melds] = meld
            work[MELD_WILDS + melds] = wilds
            melds += 1
            kongs = kongs or meld >= FIRST_KONG
            open_melds = open_melds or meld < FIRST_CONCEALED_KONG
            in_meld = False
        elif symbol >= FLOWER:
            if in_meld or not _bloom(work, symbol - FLOWER):
                return False
        elif symbol == BAR:
            if not _sections(work, i, end, table):
                return False
            i = end
        else:
            return False
    if waiting or in_meld:
        return False
    size = tiles + np.int64(work[WILDS])
    if work[NO_WIN] == 0 and size % 3 == 2:
        work[WIN] = last
    return _possible(work, size, melds, kongs, open_melds)


@kernel
def read_lines(
    data,
    table,
    starts,
    ends,
    lines,
    state,
    concealed,
    melds,
    meld_wilds,
    win_tile,
    flags,
    prevalent_wind,
    seat_wind,
    flowers,
    wilds,
    indicator,
):
    """Read hands, one a line.

    data            uint8[n], read-only: UTF-8 text
    table           uint8[TABLE_SIZE]: the notations, as said above

    Written, a row per line that is neither blank nor a comment; every array must
    have room for all lines (not checked):
    starts, ends, lines  int64: its bytes and its 0-based line
    state                uint8: TAKEN, or REFUSED (the row's columns then mean nothing)
    concealed ...        the columns of evaluator.hands.Hands

    Returns the number of rows and of lines.
    """
    work = np.zeros(SCRATCH_SIZE, np.uint8)
    length = len(data)
    row = 0
    line = 0
    i = 0
    while i < length:
        start = i
        size = 0
        notation = np.int64(UNDECIDED)
        while i < length and data[i] != 10:
            byte = np.int64(data[i])
            i += 1
            number = byte
            if byte >= 0x80:
                # what is no UTF-8 is no character, its bytes are 0
                number = 0
                second = np.int64(data[i]) ^ 0x80 if i < length else 0xFF
                third = np.int64(data[i + 1]) ^ 0x80 if i + 1 < length else 0xFF
                if byte < 0xE0:
                    if byte >= 0xC2 and second < 0x40:
                        number = np.int64(table[NUMBERS + ((byte & 0x1F) << 6 | second)])
                        i += 1
                elif byte < 0xF0:
                    code = (byte & 0x0F) << 12 | second << 6 | third
                    if second < 0x40 and third < 0x40 and code >= 0x800:
                        number = np.int64(table[NUMBERS + code])
                        i += 2
                elif byte == 0xF0 and second == 0x1F and third == 0 and i + 2 < length:
                    fourth = np.int64(data[i + 2]) ^ 0x80
                    if fourth < 0x40:
                        number = np.int64(table[NUMBERS + 0x10000 + fourth])
                        i += 3
            if size < LONGEST:
                work[size] = number
            # white space before the hand is dropped
            if size or table[SYMBOLS + number] != SPACE:
                size += 1
            if notation == UNDECIDED:
                notation = np.int64(table[DECIDING + number])
        end = i
        i += 1
        if size and work[0] != COMMENT_SIGN:
            if end > start and data[end - 1] == 13:
                end -= 1
            starts[row] = start
            ends[row] = end
            lines[row] = line
            state[row] = REFUSED
            if size <= LONGEST:
                while table[SYMBOLS + work[size - 1]] == SPACE:
                    size -= 1
                if notation >= 4:
                    notation = _decide(work, 0, size, table)
                if _read(work, size, notation, table):
                    state[row] = TAKEN
                    for k in range(34):
                        concealed[row, k] = work[CONCEALED + k]
                    for k in range(4):
                        melds[row, k] = work[MELDS + k]
                        meld_wilds[row, k] = work[MELD_WILDS + k]
                    win_tile[row] = work[WIN]
                    flags[row] = work[FLAGS]
                    prevalent_wind[row] = work[PREVALENT]
                    seat_wind[row] = work[SEAT]
                    flowers[row] = work[FLOWERS]
                    wilds[row] = work[WILDS]
                    indicator[row] = work[INDICATOR]
            row += 1
        line += 1
    return row, line
