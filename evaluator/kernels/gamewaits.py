"""The kernels of pattern scoring: hands that wait, and what ready hands are worth at a draw."""

from __future__ import annotations

import numpy as np

from ..errors import Reason
from ..jit import helper, inline, kernel
from .gamerows import (
    BAD_SIZE,
    CHOW,
    CONCEALED,
    FLOWERS,
    HOW,
    INDICATOR,
    KONGS_FIELD,
    MELD_IDS_AT,
    MELD_WILDS,
    OK,
    PREVALENT,
    SEAT,
    UNUSUAL,
    WILDS,
    byte_of,
    four_of,
    is_fifth,
    kong_tiles,
    make_work,
    read_row,
    row_of,
    turned_wild,
    wilds_in_melds,
)  # fmt: skip
from .readings import (
    CHOW_MELDS,
    CLASSES,
    DEAD_WAIT,
    EARTHLY_ON_DISCARD,
    GEN,
    HAS_PAIRS,
    HONOURS,
    INDICATOR_PUNG,
    KINDS,
    KONG,
    MELDS,
    MINIMUM,
    NO_SETS,
    NONE,
    OF_DIVISIONS,
    SMALLEST,
    TABLES,
    WILD_COUNT,
    WILD_FAN,
    WILD_OWN_SUIT,
    addon_of,
    descriptor,
    facts_word,
    fan_at,
    index_of,
    knob,
    shape_word,
    suits_held,
)  # fmt: skip
from .rows import (
    LAST_TILE,
    MOST_FLOWERS,
    NO_TILE,
    OPEN_FIELD,
    SELF_DRAWN,
    WIND_SHIFT,
    copies_in_melds,
    flags_cannot_be,
    natural_in_melds,
    waiting_flags_trouble,
    with_melds,
)  # fmt: skip
from .substitutes import ANY_GENS, COUNTED_SHIFT, best_reading, suits_fit
from .suits import BLOCK, CODE, ONE, POWERS, ZERO, U, read_counts
from .vector import (
    address_of,
    bit_count,
    load_8,
    load_16,
    load_32,
    low_bit,
    store_8,
    store_16,
    store_32,
    store_64,
)  # fmt: skip
from .worth import FOUR, FULL, KONGS_SHIFT, MELD_SIZE, SETS_FIELD, SETS_SHIFT, THREE, TWO, WIN_SHIFT

# addresses of the answers
DISCARD, DRAWN, WAIT_MET, LEFT, WAIT_REASON = range(5)
ROW = U(34)
# how a wait is dead
NEVER, CONCEALED_FOUR, OWN_FOUR, VISIBLE_FOUR = range(4)


@inline
def clear_waits(answers, i):
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


@inline
def write_wait(answers, arena, i, tile, drawn, fan, left):
    """One fan of a wait, and the copies left of it."""
    place = ROW * i + tile
    store_16(answers[DRAWN if drawn else DISCARD] + TWO * place, U(fan))
    met = U(fan >= np.int64(knob(arena, MINIMUM)))
    store_8(answers[WAIT_MET] + TWO * place + U(drawn), met)
    store_8(answers[LEFT] + place, left)


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
    returns : how many rows are not answered, as ``score_rows``: all but their reason is as it was
    """
    arena = address_of(arena_)
    tables = knob(arena, TABLES)
    singly = knob(arena, OF_DIVISIONS)
    value, kong_value = np.int64(knob(arena, GEN)), np.int64(knob(arena, KONG))
    foreign = ~ZERO << knob(arena, KINDS)
    bare = fields[MELD_IDS_AT] == ZERO
    no_chows = U(knob(arena, CHOW_MELDS) == ZERO)
    pairs_allowed, on_discard = knob(arena, HAS_PAIRS), knob(arena, EARTHLY_ON_DISCARD)
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
        a, b, c = words[4 * h], words[4 * h + 1], words[4 * h + 2]
        size = ((a + b + c + words[4 * h + 3]) >> U(32)) & U(0xFFFF)
        m1, m2, m3, m4 = masks[0, h], masks[1, h], masks[2, h], masks[3, h]
        over, four, sums, lacks, melds = ZERO, m4, ZERO, ZERO, ZERO
        if not bare:
            melds = load_32(fields[MELD_IDS_AT] + FOUR * i)
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
            | lacks & no_chows * CHOW
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
            # a fifth copy has no code
            unusual |= m4 if knob(arena, DEAD_WAIT) == U(NEVER) else ZERO
        if unusual:
            store_8(answers[WAIT_REASON] + i, UNUSUAL)
            left_over += 1
            continue
        if not ready:
            clear_waits(answers, i)
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
                if (m4 >> U(9 * suit + rank)) & ONE:
                    continue  # five of a tile have no code
                found = descriptor(tables, (word & CODE) + POWERS[rank])
                waits |= U(found & NO_SETS == ZERO) << U(9 * suit + rank)
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
            if is_dead(arena, concealed, own - ONE, visible) if ready else own > FOUR:
                continue
            code = (words[4 * h + suit] & CODE) + POWERS[tile]
            found = descriptor(tables, code)
            together = lacks | found | suit_of[(suit + 1) % 3] | suit_of[(suit + 2) % 3]
            codes = (a & CODE, b & CODE, c & CODE)
            suits = suits_held(codes, together) | ONE << U(suit)
            if not suits_fit(arena, suits, ZERO):
                continue
            gens = bit_count(four | (ONE << tile if own == FOUR else ZERO)) - kongs
            basic = shape_word(shape - suit_of[suit] + found, together, melded, U(pairs))
            how = flags & ~SELF_DRAWN
            if concealed == ZERO and gone + visible >= THREE and not ready:
                how |= LAST_TILE
            for drawn in range(1 if ready else 2):
                won = how | U(drawn)
                if won & ~ONE and flags_cannot_be(
                    won, own, concealed + ONE, kongs, opened, on_discard
                ):
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
                    left = FOUR + ONE - own - visible
                    write_wait(answers, arena, i, tile, drawn, fan, left)
        if ready:
            store_16(answers[DISCARD] + TWO * i, U(best if best != NONE else np.int64(-1)))
    return left_over


@kernel
def wait_unusual(
    fields, kinds, rows, seen, seen_step, arena_, answers, ready, by_suits, by_divisions
):
    """The rows that ``wait_rows`` left.

    rows : int64[m], which; seen_step is 0 or ``kinds``, as there
    by_suits, by_divisions : as for ``score_unusual``
    returns : place in ``rows`` of the first hand that cannot be, or -1
    """
    arena = address_of(arena_)
    tables = knob(arena, TABLES)
    classes = knob(arena, CLASSES)
    work = make_work(len(rows))
    tiles = np.empty((3, 34), np.int64)
    counts, melded, natural = tiles[0], tiles[1], tiles[2]
    kong_value, on_discard = np.int64(knob(arena, KONG)), knob(arena, EARTHLY_ON_DISCARD)
    first_bad = np.int64(-1)
    for place in range(len(rows)):
        i = U(rows[place])
        row = row_of(fields, kinds, i)
        melds, meld_wilds, wilds, indicator = row[0], row[1], row[2], row[3]
        flags, seat = ZERO if ready else row[4], row[6]
        bad, known = read_row(arena, tables, fields[CONCEALED] + kinds * i, kinds, row, tiles)
        total, sums, lacks, gens, of_wilds, stood_for = known
        opened, kongs = (sums >> WIN_SHIFT) & OPEN_FIELD, (sums >> KONGS_SHIFT) & KONGS_FIELD
        beside = seen + seen_step * i
        held, wild = wilds + wilds_in_melds(meld_wilds), turned_wild(arena, indicator)
        if bad == OK:
            bad = BAD_SIZE if total != FULL - ONE else waiting_flags_trouble(flags, opened)
        if bad == OK and seen:
            for tile in range(np.int64(kinds)):
                of_wild = held if U(tile) == wild else ZERO
                if U(natural[tile]) + of_wild + load_8(beside + U(tile)) > FOUR:
                    bad = U(Reason.SEEN_TOO_MANY)
        store_8(answers[WAIT_REASON] + i, bad)
        if ready:
            store_16(answers[DISCARD] + TWO * i, ~ZERO)
        else:
            clear_waits(answers, i)
        if bad != OK:
            first_bad = np.int64(place) if first_bad < 0 else first_bad
            continue
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
                concealed, own = U(counts[at]), U(natural[at]) + ONE
                gone, turned = own - ONE - concealed, wild != NO_TILE and tile == indicator
                win, filled = tile, np.int64(wilds)
                # of the turned tile one copy is in nobody's hand
                if not ready and own > (THREE if turned else FOUR):
                    continue
                # with three of them the turned tile is the fourth
                out_of_reach = own if turned and own == FOUR else own - ONE
                if ready and is_dead(arena, concealed, out_of_reach, visible):
                    continue
                if concealed == ZERO and gone + visible >= THREE and not ready:
                    how |= LAST_TILE
                if gens != ANY_GENS and own == FOUR and not (kong_tiles(melds) >> tile) & ONE:
                    roots += 1
                if turned and own == THREE:
                    more = np.int64(knob(arena, INDICATOR_PUNG))
                counts[at] += 1
            if not is_fifth(arena, tiles, stood_for):
                for drawn in range(1 if drawn_wild else 0, 1 if ready else 2):
                    won = how | U(drawn)
                    if won & ~ONE and flags_cannot_be(
                        won, own, concealed + ONE, kongs, opened, on_discard
                    ):
                        continue
                    fan, _, _, _ = best_reading(
                        by_suits, by_divisions, tables, arena, classes, counts, melded, filled,
                        melds, sums, counted, roots, won, seat, win, work,
                    )  # fmt: skip
                    if fan == NONE:
                        continue
                    fan += kong_value * np.int64(kongs) + addon_of(arena, won) + of_wilds + more
                    if ready:
                        best = better_ready(arena, best, fan)
                    else:
                        left = FOUR + ONE - own - visible
                        write_wait(answers, arena, i, tile, drawn, fan, left)
            if not drawn_wild:
                counts[at] -= 1
        if ready and best != NONE:
            store_16(answers[DISCARD] + TWO * i, U(best))
    return first_bad
