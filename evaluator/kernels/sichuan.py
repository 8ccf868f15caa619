"""The kernels of pattern scoring: batches of wins, the waits of hands.

How a hand is read is told in ``readings``, wild tiles in ``substitutes``.
"""

from __future__ import annotations

import numpy as np

from ..errors import Reason
from ..jit import helper, inline, kernel
from .divide import STEPS
from .readings import (
    CHOW_MELDS,
    CLASSES,
    DEAD_WAIT,
    FIFTH_COPY,
    GEN,
    GROUPS,
    HAS_PAIRS,
    HONOURS,
    INDICATOR_PUNG,
    KINDS,
    KONG,
    MELDS,
    MINIMUM,
    MOST_DIVISIONS,
    NATURAL_GENS,
    NO_SETS,
    NONE,
    OF_DIVISIONS,
    OF_WIN_TILE,
    PATTERNS,
    SMALLEST,
    TABLES,
    WILD_COUNT,
    WILD_FAN,
    WILD_NEXT,
    WILD_OWN_SUIT,
    addon_of,
    descriptor,
    facts_word,
    fan_at,
    index_of,
    knob,
    points_at,
    shape_word,
    suits_held,
    suits_word,
)  # fmt: skip
from .rows import (
    IMPOSSIBLE_FLAGS,
    LAST_TILE,
    MOST_FLOWERS,
    NO_TILE,
    OPEN_FIELD,
    ROW_SIZE,
    SELF_DRAWN,
    WIND_SHIFT,
    copies_in_melds,
    flags_cannot_be,
    looked_at,
    natural_in_melds,
    waiting_flags_trouble,
    with_melds,
)  # fmt: skip
from .substitutes import ANY_GENS, COUNTED_SHIFT, MOST_WAYS, MOST_WILDS, best_reading, suits_fit
from .suits import BLOCK, CODE, ONE, POWERS, ZERO, U, read_counts
from .vector import (
    address_of,
    bit_count,
    load_8,
    load_16,
    load_32,
    load_64,
    low_bit,
    store_8,
    store_16,
    store_32,
    store_64,
)  # fmt: skip
from .worth import FOUR, FULL, KONGS_SHIFT, MELD_SIZE, SETS_FIELD, SETS_SHIFT, THREE, TWO, WIN_SHIFT

OK, NOT_A_WIN, BAD_SIZE, TOO_MANY_SUITS = (
    U(Reason[name]) for name in ("OK", "NOT_A_WIN", "BAD_SIZE", "TOO_MANY_SUITS")
)
KONGS_FIELD, BYTE, SUITED, HONOUR_KINDS = U(7), U(255), U(27), U(27)
FIRST_PUNG = U(22)
UNUSUAL = BYTE  # no Reason: a row that is not answered yet

# addresses of the fields of a batch of hands, 0 = not there: the default for all
(
    CONCEALED, MELD_IDS, WIN_TILE, HOW, PREVALENT, SEAT, FLOWERS, WILDS, INDICATOR, MELD_WILDS,
) = range(10)  # fmt: skip
FIELDS = 10
# addresses of the answers
FAN, POINTS, PAYMENT, PATTERN, GENS, KONGS, ADDONS, REASON, MET = range(9)
ANSWERS = 9
# how a wait is dead
NEVER, CONCEALED_FOUR, OWN_FOUR, VISIBLE_FOUR = range(4)


@inline
def make_work():
    """Working space of ``best_reading``."""
    return (
        np.empty((3, MOST_WILDS + 1, MOST_WAYS), np.uint64),
        np.empty((3, MOST_WILDS + 1), np.int64),
        np.empty(MOST_WILDS + 1, np.int64),
        np.empty(34, np.int64),
        np.empty((MOST_DIVISIONS, 5), np.uint8),
        np.empty((3, STEPS), np.int64),
        np.empty(34, np.int64),
    )


@inline
def byte_of(address, i, otherwise):
    """A byte of a field, or what stands for a field that is not there."""
    return load_8(address + i) if address else otherwise


@inline
def four_of(address, i):
    """Four bytes of a field, 0 where it is not there."""
    return load_32(address + FOUR * i) if address else ZERO


@inline
def wilds_in_melds(meld_wilds):
    total = meld_wilds + (meld_wilds >> U(16))
    return (total + (total >> U(8))) & BYTE


@helper
def row_trouble(arena, tables, hand, kinds, melds, meld_wilds, wilds, indicator, winds, flowers):
    """(Reason why the tiles of a row cannot be in this game or OK; tiles, a set as three;
    open melds; kongs).

    winds : (prevalent, seat)
    """
    rows = tables + MELDS
    whole = np.zeros(34, np.uint8)
    for tile in range(np.int64(kinds)):
        whole[tile] = load_8(hand + U(tile))
    reason, found = looked_at(
        rows, address_of(whole), melds, meld_wilds, wilds, winds[0], winds[1], flowers
    )
    if reason != OK:
        return reason, found
    held = wilds + wilds_in_melds(meld_wilds)
    if held > knob(arena, WILD_COUNT):
        return U(Reason.TOO_MANY_WILDS), found
    wild = np.int64(-1)
    if held and knob(arena, WILD_OWN_SUIT) and indicator == NO_TILE:
        return U(Reason.NO_INDICATOR), found
    if knob(arena, WILD_NEXT) and knob(arena, WILD_COUNT) and indicator != NO_TILE:
        if indicator >= SUITED:
            return U(Reason.NOT_IN_GAME), found
        wild = np.int64(wild_after(indicator))
    for tile in range(34):
        own = U(whole[tile]) + natural_in_melds(rows, melds, meld_wilds, U(tile))
        if own == ZERO:
            continue
        if (tile >= 27 and knob(arena, KINDS) == SUITED) or tile == wild:
            return U(Reason.NOT_IN_GAME), found
        if wild >= 0 and U(tile) == indicator and own > THREE:
            return U(Reason.FIVE_COPIES), found
    for slot in range(4):
        number = (melds >> U(8 * slot)) & BYTE
        if number and number < FIRST_PUNG and not knob(arena, CHOW_MELDS):
            return U(Reason.MELD_NOT_ALLOWED), found
    return OK, found


@inline
def wild_after(indicator):
    """The tile after the turned one, of the same suit."""
    rank = indicator % U(9)
    return indicator - rank + (rank + ONE) % U(9)


@helper
def win_trouble(arena, tables, hand, melds, meld_wilds, wilds, win, flags, opened, kongs):
    """The Reason why a hand cannot be won so, or OK."""
    concealed, own = ZERO, ZERO
    if win == NO_TILE:
        if knob(arena, OF_WIN_TILE) and wilds == ZERO:
            return U(Reason.NO_WIN_TILE)
    else:
        if win >= U(34) or load_8(hand + win) == ZERO:
            return U(Reason.WIN_TILE_NOT_HELD)
        concealed = load_8(hand + win)
        own = concealed + natural_in_melds(tables + MELDS, melds, meld_wilds, win)
    return IMPOSSIBLE_FLAGS if flags_cannot_be(flags, own, concealed, kongs, opened) else OK


@inline
def join_melds(rows, melds):
    """(sums, lacks) of four melds."""
    sums, lacks = ZERO, ZERO
    for slot in range(4):
        row = rows + ROW_SIZE * ((melds >> U(8 * slot)) & BYTE)
        # two uint64 behind the counts and a number that is not used here
        sums += load_64(row + U(48))
        lacks |= load_64(row + U(56))
    return sums, lacks


@helper
def unfold(arena, tables, hand, kinds, melds, meld_wilds, wilds, indicator, counts, melded):
    """A hand as whole numbers, and what does not depend on how its wild tiles are used.

    counts, melded : int64[34], out: concealed natural tiles; tiles of melds as they stand
    returns : (sums and lacks of the melds, roots without wild tiles or ANY_GENS, fan of
        the wild tiles, bits of the tiles for which a wild one stands in a meld)
    """
    rows = tables + MELDS
    sums, lacks = join_melds(rows, melds)
    natural_roots, turned, stood_for = np.int64(0), ZERO, ZERO
    for tile in range(34):
        counts[tile] = np.int64(load_8(hand + U(tile))) if U(tile) < kinds else 0
        melded[tile] = 0
        for slot in range(4):
            number = (melds >> U(8 * slot)) & BYTE
            melded[tile] += np.int64(load_8(rows + ROW_SIZE * number + U(tile)))
        own = U(counts[tile]) + natural_in_melds(rows, melds, meld_wilds, U(tile))
        if own >= FOUR and not (melded[tile] == 4 and counts[tile] == 0):
            natural_roots += 1
        if U(tile) == indicator:
            turned = own
        if own < U(counts[tile] + melded[tile]):
            stood_for |= ONE << U(tile)
    held = wilds + wilds_in_melds(meld_wilds)
    fan = np.int64(0)
    if held:
        fan += np.int64(knob(arena, WILD_FAN))
        if knob(arena, WILD_OWN_SUIT) and indicator < SUITED:
            lacks |= ONE << (COUNTED_SHIFT + wild_after(indicator) // U(9))
    if turned == THREE and knob(arena, WILD_NEXT):
        fan += np.int64(knob(arena, INDICATOR_PUNG))
    roots = natural_roots if knob(arena, NATURAL_GENS) else ANY_GENS
    return sums, lacks, roots, fan, stood_for


@helper
def is_fifth(arena, counts, melded, stood_for):
    """Whether a wild tile in a meld stands for a fifth copy, and may not."""
    if knob(arena, FIFTH_COPY):
        return False
    while stood_for:
        tile = low_bit(stood_for)
        stood_for &= stood_for - ONE
        if counts[tile] + melded[tile] > 4:
            return True
    return False


@inline
def write_row(answers, arena, i, bad, fan, index, gens, kongs, flags, of_wilds):
    """Write the answers of a row.

    bad : Reason, OK for a win; fan : with the roots; of_wilds : fan of the wild tiles
    """
    groups = knob(arena, GROUPS)
    row = arena + knob(arena, PATTERNS) + index * (groups + ONE)
    points, payment, addon = ZERO, ZERO, np.int64(0)
    if bad == OK:
        addon = addon_of(arena, flags) + of_wilds
        fan += np.int64(knob(arena, KONG)) * np.int64(kongs) + addon
        at = points_at(arena, fan)
        points = load_32(at)
        payment = load_32(at + (U(8) if flags & SELF_DRAWN else FOUR))
        for group in range(np.int64(groups)):
            store_8(answers[PATTERN] + groups * i + U(group), load_8(row + U(group)))
    else:
        fan, gens, kongs = np.int64(-1), ZERO, ZERO
        for group in range(np.int64(groups)):
            store_8(answers[PATTERN] + groups * i + U(group), BYTE)
    store_16(answers[FAN] + TWO * i, U(fan))
    store_32(answers[POINTS] + FOUR * i, points)
    store_32(answers[PAYMENT] + FOUR * i, payment)
    store_8(answers[GENS] + i, gens)
    store_8(answers[KONGS] + i, kongs)
    store_8(answers[ADDONS] + i, U(addon))
    store_8(answers[REASON] + i, bad)
    store_8(answers[MET] + i, U(bad == OK and fan >= np.int64(knob(arena, MINIMUM))))


@kernel
def score_rows(fields, kinds, n, arena_, answers):
    """What ``n`` hands are worth.

    fields : uint64[FIELDS], addresses of the fields of ``hands.Hands``; concealed is of
        ``kinds`` bytes a hand; 0 = the field has its default in all hands
    arena_ : of ``rulesets.combination``
    answers : uint64[ANSWERS], addresses of int16 fan, int32 points and payment, uint8
        pattern [n, groups], gens, kongs, int8 addons, uint8 reason, bool met
    returns : how many rows are not answered: their reason is UNUSUAL, they are wrong, have
        wild tiles, or need every division
    """
    arena = address_of(arena_)
    tables = knob(arena, TABLES)
    singly = knob(arena, OF_DIVISIONS)
    value = np.int64(knob(arena, GEN))
    foreign = ~ZERO << knob(arena, KINDS)
    bare = fields[MELD_IDS] == ZERO
    no_chows = U(knob(arena, CHOW_MELDS) == ZERO)
    words = np.empty(4 * BLOCK, np.uint64)
    masks = np.empty((4, BLOCK), np.uint64)
    left = np.int64(0)
    start = np.int64(0)
    while start < n:
        count = read_counts(np.int64(fields[CONCEALED]), kinds, n, start, words, masks)
        for h in range(count):
            i = U(start + h)
            hand = fields[CONCEALED] + kinds * i
            a, b, c = words[4 * h], words[4 * h + 1], words[4 * h + 2]
            size = ((a + b + c + words[4 * h + 3]) >> U(32)) & U(0xFFFF)
            codes = (a & CODE, b & CODE, c & CODE)
            m1 = masks[0, h]
            over, four, sums, lacks, melds = ZERO, masks[3, h], ZERO, ZERO, ZERO
            if not bare:
                melds = load_32(fields[MELD_IDS] + FOUR * i)
                over, four, _, sums, lacks = with_melds(tables + MELDS, hand, melds)
            win = byte_of(fields[WIN_TILE], i, NO_TILE)
            flags = load_16(fields[HOW] + TWO * i) if fields[HOW] else ZERO
            prevalent = byte_of(fields[PREVALENT], i, ZERO)
            seat = byte_of(fields[SEAT], i, ZERO)
            flowers = byte_of(fields[FLOWERS], i, ZERO)
            wilds = byte_of(fields[WILDS], i, ZERO)
            meld_wilds = four_of(fields[MELD_WILDS], i)
            indicator = byte_of(fields[INDICATOR], i, NO_TILE)
            melded = (sums >> SETS_SHIFT) & SETS_FIELD
            opened, kongs = (sums >> WIN_SHIFT) & OPEN_FIELD, (sums >> KONGS_SHIFT) & KONGS_FIELD
            held = win == NO_TILE or (win < U(34) and (m1 >> win) & ONE != ZERO)
            chow = lacks & no_chows << U(10)
            unusual = (
                singly
                | over
                | (size + MELD_SIZE * melded) ^ FULL
                | U(not held)
                | m1 & foreign
                | lacks & HONOURS
                | chow
                | (prevalent | seat) >> WIND_SHIFT
                | U(flowers > MOST_FLOWERS)
                | wilds
                | meld_wilds
                | U(indicator != NO_TILE)
            )
            if flags & ~ONE and unusual == ZERO:
                concealed, own = ZERO, ZERO
                if win != NO_TILE:
                    concealed = load_8(hand + win)
                    own = concealed + copies_in_melds(tables + MELDS, melds, win)
                unusual |= U(flags_cannot_be(flags, own, concealed, kongs, opened))
            gens = bit_count(four) - kongs
            word = suits_word(tables, arena, codes, size, sums, lacks, gens, flags, seat)
            index = index_of(arena, word)
            fan = fan_at(arena, index)
            bad = OK
            if unusual:
                bad, fan = UNUSUAL, NONE
                left += 1
            elif fan == NONE:
                bad = NOT_A_WIN
            elif not suits_fit(arena, suits_held(codes, lacks)):
                # only rule sets that need every division want all three
                bad, fan = TOO_MANY_SUITS, NONE
            write_row(
                answers, arena, i, bad, fan + value * np.int64(gens), index, gens, kongs, flags,
                np.int64(0),
            )  # fmt: skip
        start += count
    return left


@kernel
def score_unusual(fields, kinds, rows, arena_, answers, deep):
    """The rows that ``score_rows`` left.

    rows : int64[m], which
    deep : None, or True for rule sets that need every division or virtual fifth copies
    returns : place in ``rows`` of the first hand that cannot be, or -1
    """
    arena = address_of(arena_)
    tables = knob(arena, TABLES)
    work = make_work()
    counts, melded = np.empty(34, np.int64), np.empty(34, np.int64)
    first_bad = np.int64(-1)
    for place in range(len(rows)):
        i = U(rows[place])
        hand = fields[CONCEALED] + kinds * i
        melds, meld_wilds = four_of(fields[MELD_IDS], i), four_of(fields[MELD_WILDS], i)
        win = byte_of(fields[WIN_TILE], i, NO_TILE)
        flags = load_16(fields[HOW] + TWO * i) if fields[HOW] else ZERO
        winds = (byte_of(fields[PREVALENT], i, ZERO), byte_of(fields[SEAT], i, ZERO))
        flowers = byte_of(fields[FLOWERS], i, ZERO)
        wilds = byte_of(fields[WILDS], i, ZERO)
        indicator = byte_of(fields[INDICATOR], i, NO_TILE)
        bad, found = row_trouble(
            arena, tables, hand, kinds, melds, meld_wilds, wilds, indicator, winds, flowers
        )
        if bad == OK and found[0] != FULL:
            bad = BAD_SIZE
        if bad == OK:
            bad = win_trouble(
                arena, tables, hand, melds, meld_wilds, wilds, win, flags, found[1], found[2]
            )
        fan, index, gens, kongs, of_wilds = NONE, ZERO, np.int64(0), ZERO, np.int64(0)
        if bad == OK:
            sums, lacks, gens, of_wilds, stood_for = unfold(
                arena, tables, hand, kinds, melds, meld_wilds, wilds, indicator, counts, melded
            )
            kongs = (sums >> KONGS_SHIFT) & KONGS_FIELD
            fan, index, gens, other_suits = best_reading(
                deep, tables, arena, knob(arena, CLASSES), counts, melded, np.int64(wilds), melds,
                sums, lacks, gens, flags, winds[1], win, work,
            )  # fmt: skip
            if is_fifth(arena, counts, melded, stood_for):
                fan, other_suits = NONE, False
            if fan == NONE:
                bad = TOO_MANY_SUITS if other_suits else NOT_A_WIN
        elif first_bad < 0:
            first_bad = np.int64(place)
        write_row(answers, arena, i, bad, fan, index, U(gens), kongs, flags, of_wilds)
    return first_bad


# addresses of the answers about waits
DISCARD, DRAWN, WAIT_MET, LEFT, WAIT_REASON = range(5)
WAIT_ANSWERS = 5
ROW = U(34)


@inline
def clear_waits(answers, i, reason):
    """A row without a wait."""
    for word in range(8):
        store_64(answers[DISCARD] + U(68) * i + U(8 * word), ~ZERO)
        store_64(answers[DRAWN] + U(68) * i + U(8 * word), ~ZERO)
        store_64(answers[WAIT_MET] + U(68) * i + U(8 * word), ZERO)
    store_32(answers[DISCARD] + U(68) * i + U(64), ~ZERO)
    store_32(answers[DRAWN] + U(68) * i + U(64), ~ZERO)
    store_32(answers[WAIT_MET] + U(68) * i + U(64), ZERO)
    for word in range(4):
        store_64(answers[LEFT] + U(34) * i + U(8 * word), ZERO)
    store_16(answers[LEFT] + U(34) * i + U(32), ZERO)
    store_8(answers[WAIT_REASON] + i, reason)


@inline
def write_wait(answers, arena, i, tile, drawn, fan):
    """One fan of a wait."""
    place = ROW * i + tile
    store_16(answers[DRAWN if drawn else DISCARD] + TWO * place, U(fan))
    met = U(fan >= np.int64(knob(arena, MINIMUM)))
    store_8(answers[WAIT_MET] + TWO * place + U(drawn), met)


@inline
def is_dead(arena, concealed, own, seen):
    """Whether the mode of the rule set lets a wait for this tile stand."""
    mode = knob(arena, DEAD_WAIT)
    if mode == U(CONCEALED_FOUR):
        return concealed >= FOUR
    if mode == U(OWN_FOUR):
        return own >= FOUR
    return mode == U(VISIBLE_FOUR) and own + seen >= FOUR


@inline
def better_ready(arena, best, fan):
    """The fan that a ready hand is asked for: the most, or the least."""
    if best == NONE:
        return fan
    return min(best, fan) if knob(arena, SMALLEST) else max(best, fan)


@helper
def seen_too_many(hand, kinds, rows, melds, meld_wilds, beside):
    """Whether more than four copies of a tile are in hand, melds and sight."""
    for tile in range(np.int64(kinds)):
        own = load_8(hand + U(tile)) + natural_in_melds(rows, melds, meld_wilds, U(tile))
        if own + load_8(beside + U(tile)) > FOUR:
            return True
    return False


@kernel
def wait_rows(fields, kinds, n, seen, seen_step, arena_, answers, ready):
    """What ``n`` hands of 13 tiles are worth with each tile that completes them.

    fields, kinds, arena_ : as for ``score_rows``
    seen : uint64, address of the tiles visible elsewhere, ``kinds`` counts for each hand
        (seen_step kinds) or for all (0); 0 = none
    answers : uint64[WAIT_ANSWERS], addresses of int16 discard and self-drawn [n, 34], bool
        met [n, 34, 2], uint8 left [n, 34], uint8 reason
    ready : whether only the fan of a ready hand is asked for, int16[n] at DISCARD; the other
        answers but the reason are not written
    returns : how many rows are not answered, as ``score_rows``
    """
    arena = address_of(arena_)
    tables = knob(arena, TABLES)
    singly = knob(arena, OF_DIVISIONS)
    value, kong_value = np.int64(knob(arena, GEN)), np.int64(knob(arena, KONG))
    foreign = ~ZERO << knob(arena, KINDS)
    bare = fields[MELD_IDS] == ZERO
    no_chows = U(knob(arena, CHOW_MELDS) == ZERO)
    pairs_allowed = knob(arena, HAS_PAIRS)
    words = np.empty(4 * BLOCK, np.uint64)
    masks = np.empty((4, BLOCK), np.uint64)
    suit_of = np.empty(3, np.uint64)
    left_over = np.int64(0)
    for row in range(n):
        h = row % BLOCK
        if h == 0:
            read_counts(np.int64(fields[CONCEALED]), kinds, n, np.int64(row), words, masks)
        i = U(row)
        hand = fields[CONCEALED] + kinds * i
        if not ready:
            clear_waits(answers, i, OK)
        a, b, c = words[4 * h], words[4 * h + 1], words[4 * h + 2]
        size = ((a + b + c + words[4 * h + 3]) >> U(32)) & U(0xFFFF)
        m1, m2, m3, m4 = masks[0, h], masks[1, h], masks[2, h], masks[3, h]
        over, four, sums, lacks, melds = ZERO, m4, ZERO, ZERO, ZERO
        if not bare:
            melds = load_32(fields[MELD_IDS] + FOUR * i)
            over, four, _, sums, lacks = with_melds(tables + MELDS, hand, melds)
        flags = ZERO if ready or not fields[HOW] else load_16(fields[HOW] + TWO * i)
        prevalent = byte_of(fields[PREVALENT], i, ZERO)
        seat = byte_of(fields[SEAT], i, ZERO)
        flowers = byte_of(fields[FLOWERS], i, ZERO)
        melded = (sums >> SETS_SHIFT) & SETS_FIELD
        opened, kongs = (sums >> WIN_SHIFT) & OPEN_FIELD, (sums >> KONGS_SHIFT) & KONGS_FIELD
        beside = seen + seen_step * i
        unusual = (
            singly
            | over
            | (size + MELD_SIZE * melded) ^ (FULL - ONE)
            | m1 & foreign
            | lacks & HONOURS
            | lacks & no_chows << U(10)
            | (prevalent | seat) >> WIND_SHIFT
            | U(flowers > MOST_FLOWERS)
            | byte_of(fields[WILDS], i, ZERO)
            | four_of(fields[MELD_WILDS], i)
            | U(byte_of(fields[INDICATOR], i, NO_TILE) != NO_TILE)
            | waiting_flags_trouble(flags, opened)
        )
        if seen and unusual == ZERO:
            unusual |= U(seen_too_many(hand, kinds, tables + MELDS, melds, ZERO, beside))
        if ready:
            # a fifth copy is looked at division by division
            unusual |= m4 if knob(arena, DEAD_WAIT) == U(NEVER) else ZERO
        if unusual:
            store_8(answers[WAIT_REASON] + i, UNUSUAL)
            left_over += 1
            continue
        store_8(answers[WAIT_REASON] + i, OK)
        suit_of[0], suit_of[1], suit_of[2] = (
            descriptor(tables, a & CODE),
            descriptor(tables, b & CODE),
            descriptor(tables, c & CODE),
        )
        odd = m1 ^ m2 ^ m3 ^ m4
        pairs = melded == ZERO and pairs_allowed != ZERO
        waits = odd if pairs and (odd & (odd - ONE)) == ZERO else ZERO
        shape = suit_of[0] + suit_of[1] + suit_of[2] + (melded << SETS_SHIFT)
        for suit in range(3):
            word = words[4 * h + suit]
            others = suit_of[(suit + 1) % 3] | suit_of[(suit + 2) % 3]
            rest = suit_of[(suit + 1) % 3] + suit_of[(suit + 2) % 3]
            tiles = ((word >> U(32)) & U(0xFFFF)) + ONE
            wanted = TWO if rest & U(15) == ZERO else ZERO
            if others & NO_SETS or tiles % THREE != wanted:
                continue
            for rank in range(9):
                found = descriptor(tables, (word & CODE) + POWERS[rank])
                # a suit of four of this tile has no such code
                fits = found & NO_SETS == ZERO and (m4 >> U(9 * suit + rank)) & ONE == ZERO
                waits |= U(fits) << U(9 * suit + rank)
        waits &= ~m4
        best = NONE
        while waits:
            tile = low_bit(waits)
            waits &= waits - ONE
            suit = np.int64(tile) // 9
            concealed = load_8(hand + tile)
            gone = copies_in_melds(tables + MELDS, melds, tile) if melds else ZERO
            own = concealed + gone + ONE
            visible = load_8(beside + tile) if seen else ZERO
            if ready:
                if is_dead(arena, concealed, own - ONE, visible):
                    continue
            else:
                store_8(answers[LEFT] + ROW * i + tile, FOUR + ONE - own - visible)
                if own > FOUR:
                    continue
            code = (words[4 * h + suit] & CODE) + POWERS[tile]
            found = descriptor(tables, code)
            together = lacks | found | suit_of[(suit + 1) % 3] | suit_of[(suit + 2) % 3]
            codes = (a & CODE, b & CODE, c & CODE)
            suits = suits_held(codes, together) | ONE << U(suit)
            if not suits_fit(arena, suits):
                continue
            gens = bit_count(four | (ONE << tile if own == FOUR else ZERO)) - kongs
            basic = shape_word(shape - suit_of[suit] + found, together, melded, U(pairs))
            how = flags & ~SELF_DRAWN
            if concealed == ZERO and gone + visible >= THREE and not ready:
                how |= LAST_TILE
            for drawn in range(1 if ready else 2):
                won = how | U(drawn)
                if won & ~ONE and flags_cannot_be(won, own, concealed + ONE, kongs, opened):
                    continue
                word = basic | facts_word(sums, suits, ZERO, gens, won, seat)
                fan = fan_at(arena, index_of(arena, word))
                if fan == NONE:
                    continue
                fan += value * np.int64(gens) + kong_value * np.int64(kongs)
                fan += addon_of(arena, won)
                if ready:
                    best = better_ready(arena, best, fan)
                else:
                    write_wait(answers, arena, i, tile, drawn, fan)
        if ready:
            store_16(answers[DISCARD] + TWO * i, U(best if best != NONE else np.int64(-1)))
    return left_over


@kernel
def wait_unusual(fields, kinds, rows, seen, seen_step, arena_, answers, ready, deep):
    """The rows that ``wait_rows`` left.

    rows : int64[m], which; seen_step is 0 or ``kinds``, as there
    deep : as for ``score_unusual``; True also where a tile may be held five times
    returns : place in ``rows`` of the first hand that cannot be, or -1
    """
    arena = address_of(arena_)
    tables = knob(arena, TABLES)
    classes = knob(arena, CLASSES)
    work = make_work()
    counts, melded = np.empty(34, np.int64), np.empty(34, np.int64)
    value = np.int64(knob(arena, KONG))
    first_bad = np.int64(-1)
    for place in range(len(rows)):
        i = U(rows[place])
        hand = fields[CONCEALED] + kinds * i
        melds, meld_wilds = four_of(fields[MELD_IDS], i), four_of(fields[MELD_WILDS], i)
        flags = ZERO if ready or not fields[HOW] else load_16(fields[HOW] + TWO * i)
        winds = (byte_of(fields[PREVALENT], i, ZERO), byte_of(fields[SEAT], i, ZERO))
        wilds = byte_of(fields[WILDS], i, ZERO)
        indicator = byte_of(fields[INDICATOR], i, NO_TILE)
        beside = seen + seen_step * i
        bad, about = row_trouble(
            arena, tables, hand, kinds, melds, meld_wilds, wilds, indicator, winds,
            byte_of(fields[FLOWERS], i, ZERO),
        )  # fmt: skip
        if bad == OK and about[0] != FULL - ONE:
            bad = BAD_SIZE
        if bad == OK:
            bad = waiting_flags_trouble(flags, about[1])
        if (
            bad == OK
            and seen
            and seen_too_many(hand, kinds, tables + MELDS, melds, meld_wilds, beside)
        ):
            bad = U(Reason.SEEN_TOO_MANY)
        held = wilds + wilds_in_melds(meld_wilds)
        turned = knob(arena, WILD_NEXT) != ZERO and knob(arena, WILD_COUNT) != ZERO
        turned = turned and indicator < SUITED
        wild = wild_after(indicator) if turned else NO_TILE
        if bad == OK and seen and turned and held + load_8(beside + wild) > FOUR:
            bad = U(Reason.SEEN_TOO_MANY)
        store_8(answers[WAIT_REASON] + i, bad)
        if ready:
            store_16(answers[DISCARD] + TWO * i, ~ZERO)
        if bad != OK:
            first_bad = np.int64(place) if first_bad < 0 else first_bad
            continue
        sums, lacks, gens, of_wilds, stood_for = unfold(
            arena, tables, hand, kinds, melds, meld_wilds, wilds, indicator, counts, melded
        )
        kongs = (sums >> KONGS_SHIFT) & KONGS_FIELD
        best = NONE
        for at in range(np.int64(min(knob(arena, KINDS), kinds))):
            tile = U(at)
            visible = load_8(beside + tile) if seen else ZERO
            own, concealed, win, filled = held + ONE, ZERO, NO_TILE, np.int64(wilds) + 1
            roots, more, counted = gens, np.int64(0), lacks
            how = flags & ~SELF_DRAWN
            drawn_wild = tile == wild
            if drawn_wild:
                # it can be drawn as what one likes; nobody may discard it
                if ready or held >= knob(arena, WILD_COUNT):
                    continue
                if held == ZERO:
                    more = np.int64(knob(arena, WILD_FAN))
                    if knob(arena, WILD_OWN_SUIT):
                        counted |= ONE << (COUNTED_SHIFT + wild // U(9))
            else:
                concealed = load_8(hand + tile)
                gone = natural_in_melds(tables + MELDS, melds, meld_wilds, tile)
                own, win, filled = concealed + gone + ONE, tile, np.int64(wilds)
                # of the turned tile one copy is in nobody's hand
                if not ready and own > (THREE if turned and tile == indicator else FOUR):
                    continue
                if ready and is_dead(arena, concealed, own - ONE, visible):
                    continue
                if concealed == ZERO and gone + visible >= THREE and not ready:
                    how |= LAST_TILE
                if gens != ANY_GENS and own == FOUR and melded[at] < 4:
                    roots += 1
                if turned and tile == indicator and own == THREE:
                    more = np.int64(knob(arena, INDICATOR_PUNG))
                counts[at] += 1
            if not is_fifth(arena, counts, melded, stood_for):
                for drawn in range(1 if drawn_wild else 0, 1 if ready else 2):
                    won = how | U(drawn)
                    if won & ~ONE and flags_cannot_be(
                        won, own, concealed + ONE, about[2], about[1]
                    ):
                        continue
                    fan, _, _, _ = best_reading(
                        deep, tables, arena, classes, counts, melded, filled, melds, sums, counted,
                        roots, won, winds[1], win, work,
                    )  # fmt: skip
                    if fan == NONE:
                        continue
                    fan += value * np.int64(kongs) + addon_of(arena, won) + of_wilds + more
                    if ready:
                        best = better_ready(arena, best, fan)
                    else:
                        left = FOUR + ONE - own - visible
                        store_8(answers[LEFT] + ROW * i + tile, left)
                        write_wait(answers, arena, i, tile, drawn, fan)
            if not drawn_wild:
                counts[at] -= 1
        if ready and best != NONE:
            store_16(answers[DISCARD] + TWO * i, U(best))
    return first_bad
