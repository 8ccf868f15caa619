"""Hands from text in bulk: bytes in, columns of :class:`evaluator.hands.Hands` out.

The kernel takes what it understands. What it refuses it gives a number, so that texts of
one number have one and the same error: :func:`evaluator.hands.notation.parse_hand` is asked for
one of them only. What the kernel cannot judge is numbered by its whole text. It must never
take a text that ``parse_hand`` reads otherwise.

Every text is first turned into character numbers: ASCII characters are their own
number, the others that some notation knows have one from 128 up, 0 is all else.
Handing an array to a function costs two atomic operations, so the functions here
share one table and one scratch array, and loops over characters call nothing.
"""

from __future__ import annotations

import numpy as np

from ...engine.jit import helper, inline, kernel
from ...engine.vector import address_of, store_8, store_64

# the numbers of evaluator.hands.notation, repeated: numba freezes what it imports, and
# its cache would not notice a change made there
DIGIT, SUIT, PREFIX = 40, 50, 60
SPACE, OPEN, CLOSE, COMMA, WILD, BAR, UNKNOWN, FLOWER = 70, 71, 72, 73, 74, 75, 76, 80
NO_TILE, NONE = 255, 255

# The table, uint8: by number what a character means in each notation, eight at most; the
# notation it decides for; the words of the last section, 16 bytes each: length,
# letters; by code point the number of a character, U+1F000 at 0x10000.
MPSZ, CHINESE, UNICODE, MAHJONGGB = range(4)
SYMBOLS = 0
MOST_NOTATIONS = 8
DECIDING = SYMBOLS + MOST_NOTATIONS * 256
WORDS = DECIDING + 256
FLAG_WORDS, WILDS_WORD, INDICATOR_WORD, WIN_WORD, WORD_COUNT = 7, 7, 8, 9, 10
NUMBERS = WORDS + 16 * WORD_COUNT
TABLE_SIZE = NUMBERS + 0x10040
UNDECIDED, BAR_CAME_FIRST = 255, 254

# The scratch array, uint8: the text's characters, then what is read from them.
LONGEST = 255
CONCEALED = LONGEST + 1
IN_MELDS = CONCEALED + 34
MELDS = IN_MELDS + 34
MELD_WILDS = MELDS + 4
WAITING = MELD_WILDS + 4
MOST_WAITING = 16
WAITING_AT = WAITING + MOST_WAITING
FACTS = WAITING_AT + MOST_WAITING
WIN, FLAGS, PREVALENT, SEAT, FLOWERS, WILDS, INDICATOR, NO_WIN = range(FACTS, FACTS + 8)
BLOSSOMS = FACTS + 8  # which flowers letters have named, a bit each
SCRATCH_SIZE = FACTS + 9

TAKEN, BLANK, COMMENT = 0, 1, 2
"""Numbers of a text that is a hand, of one with nothing in it, of one that begins with #."""

# Whose number this is: the highest six bits of it. The message of each depends on what
# `_number` puts below them and on nothing else.
LONG_WAY, IN_SECTIONS, NO_HAND = 1, 2, 3
REFUSED, NO_DIGITS, NO_TILE_SO, NO_SUIT, NO_SUITS = 4, 5, 6, 7, 8
NO_NUMBER, NEVER_CLOSED, CLAIM, CLOSE_HERE, NO_SET, NO_SET_WILD, SPLIT = 9, 10, 11, 12, 13, 14, 15
BAD_CLAIM, FLOWER_TWICE = 16, 17
# known of a text whose end was not looked at
OF_ITS_BEGINNING = (REFUSED, NO_TILE_SO, NO_SET, NO_SET_WILD)
FARTHEST = 1 << 13
MOST_SHOWN = 3
"""Digits without a suit that a message shows."""

FIRST_PUNG, FIRST_KONG, FIRST_CONCEALED_KONG = 22, 56, 90
SELF_DRAWN, LAST_TILE, WALL_LAST, KONG = 1, 2, 4, 8
KONG_DISCARD, HEAVENLY, EARTHLY = 16, 32, 64

ZERO, ONE, NINE, A, H = ord("0"), ord("1"), ord("9"), ord("a"), ord("h")
BAR_SIGN, COMMA_SIGN, COMMENT_SIGN, UNDERSCORE = ord("|"), ord(","), ord("#"), ord("_")
LETTER_E, LETTER_F, LETTER_N, LETTER_S, LETTER_W = (ord(c) for c in "EFNSW")


U = np.uint64


@inline
def _fault(what, position=0, one=0, other=0):
    """What is wrong, where, and two places whose characters the message shows."""
    return what << 48 | position << 32 | one << 16 | other


@inline
def _stir(number, value):
    """One more value into a hash (FNV-1a)."""
    return (number ^ U(value)) * U(0x100000001B3)


@inline
def _next(data, i, stop):
    """The character at byte ``i``, and where the next begins; a byte of no character is alone."""
    byte = np.int64(data[i])
    i += 1
    if byte < 0x80:
        return byte, i
    second = np.int64(data[i]) ^ 0x80 if i < stop else 0xFF
    third = np.int64(data[i + 1]) ^ 0x80 if i + 1 < stop else 0xFF
    fourth = np.int64(data[i + 2]) ^ 0x80 if i + 2 < stop else 0xFF
    if byte >= 0xC2 and byte < 0xE0 and second < 0x40:
        return (byte & 0x1F) << 6 | second, i + 1
    if byte >= 0xE0 and byte < 0xF0 and second < 0x40 and third < 0x40:
        code = (byte & 0x0F) << 12 | second << 6 | third
        if code >= 0x800 and (code < 0xD800 or code > 0xDFFF):
            return code, i + 2
    if byte >= 0xF0 and byte < 0xF5 and second < 0x40 and third < 0x40 and fourth < 0x40:
        code = (byte & 0x07) << 18 | second << 12 | third << 6 | fourth
        if code >= 0x10000 and code <= 0x10FFFF:
            return code, i + 3
    return 0x110000 + byte, i


@helper
def _byte_of(data, i, stop, place):
    """Where the bytes of a character begin."""
    for _ in range(place):
        _, i = _next(data, i, stop)
    return i


@helper
def _number(data, start, stop, lead, fault):
    """The number of a text: texts of one number have one message.

    ``lead`` is how much white space stands before the character that is the first of
    ``fault``.
    """
    what = fault >> 48
    position = lead + (fault >> 32 & 0xFFFF)
    if position >= FARTHEST:
        what = LONG_WAY
    number = U(0xCBF29CE484222325)
    if what == NO_HAND:
        return U(what) << U(58) | U(fault & 0xFFFFFFFFFFFF)
    if what in (LONG_WAY, IN_SECTIONS):
        i = start if what == LONG_WAY else _byte_of(data, start, stop, position)
        number = _stir(number, position if what == IN_SECTIONS else 0)
        while i < stop:
            number = _stir(number, data[i])
            i += 1
        return U(what) << U(58) | number >> U(6)
    if what in (NO_SUIT, NO_SUITS):
        # which digits are alone is said
        i = _byte_of(data, start, stop, position)
        end = _byte_of(data, i, stop, min(fault & 0xFFFF, MOST_SHOWN))
        number = _stir(_stir(number, position), min(fault & 0xFFFF, MOST_SHOWN + 1))
        while i < end:
            number = _stir(number, data[i])
            i += 1
        return U(what) << U(58) | number >> U(8)
    # two characters of 21 bits, a position of 13 and a notation of 3 are 58 bits
    one = other = 0
    if what in (REFUSED, NO_DIGITS, NO_TILE_SO, NO_NUMBER, BAD_CLAIM, FLOWER_TWICE):
        one, _ = _next(data, _byte_of(data, start, stop, lead + (fault >> 16 & 0xFFFF)), stop)
    if what == BAD_CLAIM:
        other = fault & 0xFFFF
    elif what in (NO_TILE_SO, NO_NUMBER):
        at = _byte_of(data, start, stop, lead + (fault & 0xFFFF))
        if at < stop:
            other, _ = _next(data, at, stop)
    return U(what) << U(58) | U(position) << U(42) | U(one) << U(21) | U(other)


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
    """The notation of a text: the rule of :func:`evaluator.hands.notation.detect`."""
    before = 0
    letter_then_digit = False
    for k in range(start, end):
        number = np.int64(work[k])
        notation = np.int64(table[DECIDING + number])
        if notation < MOST_NOTATIONS:
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


@inline
def _small_number(work, i, end):
    """The end and the value of a number of one or two digits."""
    value = np.int64(work[i]) - ZERO
    i += 1
    if i < end and work[i] >= ZERO and work[i] <= NINE:
        value = 10 * value + np.int64(work[i]) - ZERO
        i += 1
    return i, value


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
            i, work[WILDS] = _small_number(work, i, end)
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
        i, flowers = _small_number(work, i, end)
        work[FLOWERS] += flowers
    else:
        while i < end and work[i] >= A and work[i] <= H:
            if not _bloom(work, np.int64(work[i]) - A):
                return False
            i += 1
    if i == end:
        return True
    return work[i] == BAR_SIGN and _more(work, i + 1, end, table)


@inline
def _details(check, one, two=0, three=0, four=0):
    return NO_HAND << 48 | check << 40 | four << 24 | three << 16 | two << 8 | one


@helper
def _impossible(work, size, melds, kongs, open_melds):
    """What :class:`evaluator.hands.Hand` refuses, and all that it says of it; 0: nothing.

    Its checks again, in its order.
    """
    for tile in range(34):
        if work[CONCEALED + tile] > 4:
            return _details(1, tile, np.int64(work[CONCEALED + tile]))
    if work[FLOWERS] > 8:
        return _details(2, np.int64(work[FLOWERS]))
    if work[WILDS] > 8:
        return _details(3, np.int64(work[WILDS]))
    if size < 1 or size % 3 == 0 or size > 14:
        return _details(4, size & 0xFF, np.int64(work[WILDS]), size >> 8)
    if size + 3 * melds > 14:
        return _details(5, size, melds)
    most = np.int64(4)
    where = 0
    for tile in range(34):
        owned = np.int64(work[CONCEALED + tile]) + np.int64(work[IN_MELDS + tile])
        if owned > most:
            most = owned
            where = tile
    if most > 4:
        return _details(6, where, most)
    flags = np.int64(work[FLAGS])
    if flags == 0:
        return 0
    win = np.int64(work[WIN])
    said = _details(7, win, flags, open_melds << 1 | kongs, size % 3)
    special = flags & (HEAVENLY | EARTHLY)
    if special == HEAVENLY | EARTHLY or (special and (flags & WALL_LAST or open_melds)):
        return said
    if flags & HEAVENLY and flags & LAST_TILE:
        return said
    if flags & KONG_DISCARD and flags & KONG:
        return said
    if size % 3 != 2:
        return 0
    held = np.int64(work[CONCEALED + win]) if win != NONE else 0
    owned = held + np.int64(work[IN_MELDS + win]) if win != NONE else 0
    said |= (held > 1) << 32 | (owned > 1) << 33
    if flags & LAST_TILE and held > 1:
        return said
    if flags & SELF_DRAWN:
        return said if flags & KONG_DISCARD or (flags & KONG and not kongs) else 0
    # on a discard: earthly may be, but no robbed kong is the first tile
    if special == HEAVENLY or (special and flags & KONG):
        return said
    if flags & KONG and (flags & WALL_LAST or owned > 1):
        return said
    return 0


@inline
def _alone(work, waiting, notation):
    """Digits without a suit, and how many of them the message may show."""
    shown = 0 if notation == MAHJONGGB else waiting
    return _fault(NO_SUIT if waiting == 1 else NO_SUITS, np.int64(work[WAITING_AT]), 0, shown)


@helper
def _read(work, end, notation, table):
    """Read the first ``end`` characters of the scratch array into its other parts.

    Returns 0, or what is wrong as :func:`_fault` packs it.
    """
    for k in range(CONCEALED, SCRATCH_SIZE):
        work[k] = 0
    work[WIN] = NONE
    work[INDICATOR] = NONE
    symbols = SYMBOLS + 256 * notation
    waiting = 0
    tiles = 0
    melds = 0
    kongs = open_melds = in_meld = bar = False
    natural = wilds = lowest = highest = total = opening = 0
    last = NO_TILE
    # whether suits stand before their digits is seen from what comes first; then the suit
    digit_first = suit_first = False
    leading = -1
    i = 0
    while i < end:
        symbol = np.int64(table[symbols + work[i]])
        at = i
        i += 1
        is_digit = symbol >= DIGIT and symbol < SUIT
        if is_digit and leading < 0:
            if suit_first:
                return _fault(LONG_WAY)
            digit_first = True
            if waiting < MOST_WAITING:
                work[WAITING + waiting] = symbol - DIGIT
                work[WAITING_AT + waiting] = at
            waiting += 1
            continue
        if symbol == SPACE:
            continue
        if symbol == WILD and in_meld:
            wilds += 1
            continue
        if symbol == UNKNOWN:
            return _fault(REFUSED, at, at)
        if symbol < SPACE:
            # one tile, or all digits that waited for this suit
            suit = symbol - SUIT
            news = waiting
            if not is_digit:
                leading = -1
            if is_digit:
                news = 1
            elif suit < 0 or symbol >= PREFIX:
                # digits that wait do not stop a letter that brings its own
                if waiting and symbol < DIGIT:
                    return _alone(work, waiting, notation)
                news = 1
            elif waiting == 0:
                if digit_first and not suit_first:
                    return _fault(NO_DIGITS, at, at)
                follower = UNKNOWN if i == end else np.int64(table[symbols + work[i]])
                if notation != MPSZ or follower < DIGIT or follower >= SUIT:
                    return _fault(LONG_WAY)
                suit_first = True
                leading = suit
            elif waiting > MOST_WAITING:
                return _fault(LONG_WAY)
            for k in range(news):
                where = at
                if is_digit:
                    tile = _suited(symbol - DIGIT, leading, notation)
                elif symbol < DIGIT:
                    tile = symbol
                elif symbol < PREFIX:
                    tile = _suited(np.int64(work[WAITING + k]), suit, notation)
                    where = np.int64(work[WAITING_AT + k])
                else:
                    tile = NO_TILE
                    if i < end:
                        tile = _prefixed(symbol - PREFIX, np.int64(work[i]) - ZERO)
                    i += 1
                if tile == NO_TILE:
                    if is_digit:
                        return _fault(LONG_WAY)
                    if symbol < PREFIX:
                        return _fault(NO_TILE_SO, where, where, at)
                    return _fault(NO_NUMBER, at + 1, at, at + 1)
                if not in_meld:
                    work[CONCEALED + tile] += 1
                    tiles += 1
                    last = tile
                else:
                    lowest = tile if natural == 0 else min(lowest, tile)
                    highest = tile if natural == 0 else max(highest, tile)
                    total += tile
                    natural += 1
            if symbol < PREFIX:
                waiting = 0
            continue
        if waiting:
            return _alone(work, waiting, notation)
        leading = -1
        if symbol == OPEN:
            if in_meld:
                return _fault(NEVER_CLOSED, opening)
            if melds == 4:
                return _fault(LONG_WAY)
            in_meld = True
            opening = at
            natural = wilds = total = 0
        elif symbol in (CLOSE, COMMA):
            if not in_meld:
                return _fault(REFUSED, at, at)
            if symbol == COMMA:
                if i >= end or table[symbols + work[i]] == SPACE:
                    return _fault(LONG_WAY)
                if work[i] < ZERO or work[i] > NINE:
                    return _fault(CLAIM, i)
                i += 1
                after = np.int64(table[symbols + work[i]]) if i < end else BAR
                if after == SPACE:
                    return _fault(LONG_WAY)
                if after != CLOSE:
                    if after in (OPEN, BAR):
                        return _fault(NEVER_CLOSED, opening)
                    return _fault(CLOSE_HERE, i)
                i += 1
            meld = _meld(natural, wilds, lowest, highest, total, symbol == COMMA)
            if meld == 0:
                return _fault(NO_SET_WILD if wilds else NO_SET, opening)
            if symbol == COMMA and not _claimed(np.int64(work[i - 2]) - ZERO, meld):
                kind = np.int64(meld >= FIRST_PUNG) + np.int64(meld >= FIRST_KONG)
                return _fault(BAD_CLAIM, i - 2, i - 2, kind)
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
            if in_meld:
                return _fault(CLOSE_HERE, at)
            if not _bloom(work, symbol - FLOWER):
                return _fault(FLOWER_TWICE, at, at)
        elif symbol == BAR:
            if in_meld:
                return _fault(NEVER_CLOSED, opening)
            lettered = work[BLOSSOMS]
            if not _sections(work, i, end, table):
                return _fault(LONG_WAY if lettered else IN_SECTIONS, at)
            bar = True
            i = end
        else:
            return _fault(REFUSED, at, at)
    if waiting:
        return _alone(work, waiting, notation)
    if in_meld:
        return _fault(NEVER_CLOSED, opening)
    if tiles == 0 and melds == 0 and not bar:
        return _fault(LONG_WAY)
    size = tiles + np.int64(work[WILDS])
    if work[NO_WIN] == 0 and size % 3 == 2:
        work[WIN] = last
    return _impossible(work, size, melds, kongs, open_melds)


@inline
def _character(code, table):
    """The number of a character."""
    if code < 0x10000:
        return np.int64(table[NUMBERS + code])
    if code >= 0x1F000 and code < 0x1F040:
        return np.int64(table[NUMBERS + 0x10000 + code - 0x1F000])
    return 0


@helper
def _split(data, i, stop, table):
    """White space between digits: ``1 123m`` reads as 1123m, and is more likely a number and
    a hand. Its place, or -1."""
    digit = False
    space = -1
    place = 0
    while i < stop:
        code, i = _next(data, i, stop)
        number = code if code < 0x80 else _character(code, table)
        if number == BAR_SIGN:
            break
        if table[SYMBOLS + number] == SPACE:
            space = place if space < 0 else space
        else:
            symbol = np.int64(table[SYMBOLS + 256 * CHINESE + number])
            is_digit = symbol >= DIGIT and symbol < SUIT
            if is_digit and digit and space >= 0:
                return space
            digit = is_digit
            space = -1
        place += 1
    return -1


@kernel
def read_texts(
    data,
    start,
    end,
    table,
    number,
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
    """Read hands.

    data            uint8[n], read-only: UTF-8 text
    start, end      int64: the text of row i is data[start[i]:end[i]]
    table           uint8[TABLE_SIZE]: the notations, as said above

    Written, a row per text:
    number          uint64: TAKEN, BLANK, COMMENT, or what is wrong, the same number
                    where parse_hand says the same; then the row holds no tiles
    concealed ...   the columns of evaluator.hands.Hands
    """
    work = np.zeros(SCRATCH_SIZE, np.uint8)
    for row in range(len(start)):
        i = start[row]
        stop = end[row]
        size = 0
        lead = 0
        spaced = False
        notation = np.int64(UNDECIDED)
        while i < stop:
            byte = np.int64(data[i])
            if byte < 0x80:
                character = byte
                i += 1
            else:
                code, i = _next(data, i, stop)
                character = _character(code, table)
            if table[SYMBOLS + character] == SPACE:
                if size == 0:
                    lead += 1
                    continue
                spaced = True
            if size < LONGEST:
                work[size] = character
            size += 1
            if notation == UNDECIDED:
                notation = np.int64(table[DECIDING + character])
        fault = np.int64(0)
        found = U(TAKEN)
        if size == 0 or work[0] == COMMENT_SIGN:
            found = U(BLANK if size == 0 else COMMENT)
        else:
            whole = size <= LONGEST
            size = min(size, LONGEST)
            while whole and table[SYMBOLS + work[size - 1]] == SPACE:
                size -= 1
            space = _split(data, start[row], stop, table) if spaced else -1
            if space >= 0:
                fault = _fault(SPLIT, space - lead) if space < FARTHEST else _fault(LONG_WAY)
            elif notation >= MOST_NOTATIONS and not whole:
                fault = _fault(LONG_WAY)
            else:
                if notation >= MOST_NOTATIONS:
                    notation = _decide(work, 0, size, table)
                fault = _read(work, size, notation, table)
                if not whole and (fault >> 48) not in OF_ITS_BEGINNING:
                    fault = _fault(LONG_WAY)
            if fault:
                found = _number(data, start[row], end[row], lead, fault)
                what = fault >> 48
                if what >= REFUSED and what != SPLIT:
                    found ^= U(notation) << U(55)
        number[row] = found
        if found:
            for k in range(CONCEALED, SCRATCH_SIZE):
                work[k] = 0
            work[WIN] = NONE
            work[INDICATOR] = NONE
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


HAND_SPARE = 8
"""Bytes that :func:`hand_text` may touch behind its text."""
_LETTERS = np.frombuffer(b"mpsz", np.uint8)


@kernel
def hand_text(counts, out, offsets, between):
    """Write hands as text, one after the other: ``123m11z``.

    counts          uint8[n, kinds], at most 8 of each
    out             uint8: a byte for each tile, five for each hand and ``HAND_SPARE``
    offsets         int32[n + 1]: where each begins, and the end
    between         a byte that stands behind each; 0: none

    Returns how many bytes were written. Eight copies of a rank are written, of which as many
    stay as there are tiles, and the letter of a suit stays if a rank did: nothing to be
    foreseen by the processor.
    """
    kinds = counts.shape[1]
    begin = address_of(out)
    at = begin
    for row in range(len(counts)):
        offsets[row] = at - begin
        for suit in range(4):
            before = at
            rank = U(0x3131313131313131)
            for tile in range(9 * suit, min(9 * suit + 9, kinds)):
                store_64(at, rank)
                at += U(counts[row, tile])
                rank += U(0x0101010101010101)
            store_8(at, U(_LETTERS[suit]))
            at += U(at > before)
        if between:
            store_8(at, U(between))
            at += U(1)
    offsets[len(counts)] = at - begin
    return at - begin


@kernel
def find_records(data, quoted, most, last, lines):
    """Find the records of CSV text: lines, but for line ends inside quotes.

    data            uint8[n]
    quoted          the byte between cells where quotes count, else 0
    most            how many records at most
    last            whether the text ends here
    lines           int64[k]: of each record that is not empty its line, from 0; no more
                    than there is room for

    Returns the bytes of the records that are complete, how many of them are not empty, how
    many lines they have, and whether a quote was open at the end.
    """
    size = len(data)
    end = records = found = line = begin_line = 0
    begin = 0
    inside = False
    fresh = True  # at the start of a cell: only there does a quote open one
    i = 0
    while i < size and records < most:
        byte = data[i]
        i += 1
        if byte == 10 or byte == 13:
            if byte == 13 and i < size and data[i] == 10:
                i += 1
            elif byte == 13 and i == size and not last:
                # the other half may come
                break
            line += 1
            if not inside:
                if data[begin] != 10 and data[begin] != 13:
                    if found < len(lines):
                        lines[found] = begin_line
                    found += 1
                records += 1
                begin = end = i
                begin_line = line
                fresh = True
        elif inside:
            # a doubled quote closes and opens again: the state after both is right
            inside = byte != 34
            fresh = not inside
        elif quoted and byte == quoted:
            fresh = True
        elif quoted and byte == 34 and fresh:
            inside = True
        else:
            fresh = False
    if last and not inside and begin < size and records < most:
        if found < len(lines):
            lines[found] = begin_line
        found += 1
        end = size
        begin_line = line + 1
    return end, found, begin_line, inside
