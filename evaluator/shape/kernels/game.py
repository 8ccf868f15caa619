"""How far a hand is from a win where its shape alone does not say so.

For hands of a game with patterns for which the tables of shanten do not know enough: what the
game asks of every win (``requires``), wild tiles beside melds or that may stand for a fifth copy,
a wild tile whose suit counts, a wild kind that can be drawn.

The *profile* of a suit says for each number of sets and pairs what they cost at least, with what
holds of them. A cost is sixteen times the tiles missing, and the copies above the fourth among
them, which only wild tiles can be. Profiles of suits add up; those of suits met before are kept.
"""

from __future__ import annotations

import numpy as np

from ...engine.jit import helper, inline, kernel
from .melds import THREE
from .rows import (
    BYTE,
    CHOW_MELDS,
    CONCEALED,
    FIFTH_COPY,
    FIRST_KONG,
    FIRST_PUNG,
    HAS_PAIRS,
    KINDS,
    MOST_WILDS,
    NO_TILE,
    REQUIRES,
    SPREAD,
    WILD_COUNT,
    WILD_OWN_SUIT,
    knob,
    lay_tiles,
    row_of,
    turned_wild,
    wilds_in_melds,
)
from .suits import CHOICES, INVALID, NO_VOID, ONE, UNREACHABLE, ZERO, U

# what is asked of a win, in the order of ``knobs.CONDITIONS``
ALL_SUITS, TRIPLET_ASKED, TERMINAL_ASKED, OPEN_ASKED, HAND_ONE = (1 << bit for bit in range(5))
# of it, what holds of sets and pairs: bits of the last part of a place in a profile
TRIPLET, OUTER = 1, 2
PROFILE = 5 * 2 * 4  # sets, pairs, what holds
STATES = PROFILE * 9  # and the chows begun one and two ranks before, up to two each
FAR, MISSING = 255, 16
NEVER = np.int64(1 << 10)
MOST_PROFILES = 1 << 14  # of suits met before: 0.8 MB
# how many of a tile there may be: four in hand; with melds; as many as one likes
IN_HAND, WITH_MELDS, ANY_NUMBER = range(3)
HONOURS, FIRST_DRAGON = 27, 31
FIRST_CLOSED = FIRST_KONG + U(34)
SHANTEN, WAITS, DISCARDS = range(3)


@inline
def place_of(sets, pairs, holds):
    return (sets * 2 + pairs) * 4 + holds


@inline
def cost_of(copies, held):
    """Of so many copies of a tile of which a hand holds some."""
    return MISSING * max(copies - held, 0) + max(copies - 4, 0)


@inline
def room_of(limit, melded):
    """How many copies of a tile the concealed tiles of a win may have."""
    return 64 if limit == ANY_NUMBER else (4 if limit == IN_HAND else max(4 - melded, 0))


@helper
def suit_profile(counts, melded, first, limit, asked, sets, states, out):
    """Profile of a suit, from rank to rank.

    counts, melded : int64[34]; first : its first tile; limit : how many copies there may be
    asked : what is kept of what holds; sets : the most; states : uint8[2, STATES], working space
    out : uint8[PROFILE]
    """
    now, then = states[0], states[1]
    now[:] = FAR
    now[0] = 0
    for rank in range(9):
        held, room = counts[first + rank], room_of(limit, melded[first + rank])
        outer = asked & OUTER if rank == 0 or rank == 8 else 0
        then[:] = FAR
        for m in range(sets + 1):
            for p in range(2):
                for holds in range(asked + 1):
                    for begun in range(9):
                        place = 9 * place_of(m, p, holds) + begun
                        cost = np.int64(now[place])
                        if cost == FAR:
                            continue
                        before, last = begun // 3, begun % 3
                        for chows in range(min(sets - m, 2) + 1 if rank < 7 else 1):
                            for pungs in range(min(sets - m - chows, 1) + 1):
                                for pairs in range(2 - p):
                                    copies = before + last + chows + 3 * pungs + 2 * pairs
                                    if copies > room:
                                        continue
                                    more = holds | (asked & TRIPLET if pungs else 0)
                                    more |= outer if copies else 0
                                    at = 9 * place_of(m + chows + pungs, p + pairs, more)
                                    at += 3 * last + chows
                                    then[at] = min(then[at], cost + cost_of(copies, held))
        now, then = then, now
    for place in range(PROFILE):
        out[place] = now[9 * place]


@helper
def honour_profile(counts, asked, sets, out):
    """The same of the honours, in a game without wild tiles."""
    out[:] = FAR
    out[0] = 0
    for tile in range(HONOURS, 34):
        pung = asked
        pair = asked & (OUTER if tile < FIRST_DRAGON else TRIPLET | OUTER)
        # from the most sets down: each tile is taken once
        for m in range(sets, -1, -1):
            for p in range(1, -1, -1):
                for holds in range(asked, -1, -1):
                    cost = np.int64(out[place_of(m, p, holds)])
                    if cost == FAR:
                        continue
                    if m < sets:
                        at = place_of(m + 1, p, holds | pung)
                        out[at] = min(out[at], cost + cost_of(3, counts[tile]))
                    if p == 0:
                        at = place_of(m, 1, holds | pair)
                        out[at] = min(out[at], cost + cost_of(2, counts[tile]))


@helper
def profile_of(counts, melded, suit, limit, asked, sets, states, known, out):
    """Profile of a suit (3: the honours), of what is known of suits before where it is there.

    known : uint64[slots], uint8[slots, PROFILE]
    """
    code, of_melds, first = ZERO, ZERO, 9 * suit
    for tile in range(first, min(first + 9, 34)):
        code = code * U(5) + U(counts[tile])
        if limit == WITH_MELDS:
            of_melds = of_melds << THREE | U(min(melded[tile], 4))
    key = code << U(27) | of_melds
    key = key << U(8) | U(suit == 3) << U(7) | U(limit) << U(5) | U(asked) << THREE | U(sets)
    key += ONE
    keys, profiles = known
    slot = (key * SPREAD) >> U(40) & U(len(keys) - 1)
    if keys[slot] != key:
        if suit == 3:
            honour_profile(counts, asked, sets, profiles[slot])
        else:
            suit_profile(counts, melded, first, limit, asked, sets, states, profiles[slot])
        keys[slot] = key
    for place in range(PROFILE):
        out[place] = profiles[slot, place]


@helper
def add_profiles(a, b, asked, sets, out):
    """Profile of two together."""
    out[:] = FAR
    for m in range(sets + 1):
        for p in range(2):
            for holds in range(asked + 1):
                cost = np.int64(a[place_of(m, p, holds)])
                if cost == FAR:
                    continue
                for n in range(sets - m + 1):
                    for q in range(2 - p):
                        for more in range(asked + 1):
                            other = np.int64(b[place_of(n, q, more)])
                            at = place_of(m + n, p + q, holds | more)
                            if other != FAR:
                                out[at] = min(out[at], cost + other)


@helper
def whole_cost(a, b, asked, needs, sets):
    """Cost of so many sets and a pair of which holds what a win needs; FAR for none."""
    best = np.int64(FAR)
    for m in range(sets + 1):
        for p in range(2):
            for holds in range(asked + 1):
                cost = np.int64(a[place_of(m, p, holds)])
                if cost == FAR:
                    continue
                for more in range(asked + 1):
                    other = np.int64(b[place_of(sets - m, 1 - p, more)])
                    if other != FAR and (holds | more) & needs == needs:
                        best = min(best, cost + other)
    return best


@inline
def takes_of(cost, wilds):
    """Tiles to take until a win of this cost; one more at least where copies above the fourth
    are more than the wild tiles."""
    if cost == FAR:
        return NEVER
    return cost // MISSING - wilds + np.int64(cost % MISSING > wilds)


@helper
def pairs_missing(counts, keep, needs, suits):
    """Tiles missing of seven pairs.

    keep : bits of the suits that may be; needs : OUTER or 0; suits : bits of those needed
    """
    best = NEVER
    # the terminal or honour is of one of these; without the need there is one way
    for outer_suit in range(4 if needs & OUTER else 1):
        two, one, held, free = 0, 0, 0, 7
        possible = True
        for suit in range(4):
            most, most_outer = 0, 0
            if not keep >> suit & 1:
                possible &= not suits >> suit & 1
                possible &= not (needs & OUTER and outer_suit == suit)
                continue
            for tile in range(9 * suit, min(9 * suit + 9, 34)):
                two += counts[tile] // 2
                one += counts[tile] & 1
                most = max(most, counts[tile])
                if suit == 3 or tile % 9 == 0 or tile % 9 == 8:
                    most_outer = max(most_outer, counts[tile])
            fixed = np.int64(-1)
            if needs & OUTER and outer_suit == suit:
                fixed = most_outer
            elif suits >> suit & 1:
                fixed = most
            if fixed >= 0:
                fixed = min(fixed, 2)
                free -= 1
                held += fixed
                two -= fixed // 2
                one -= fixed & 1
        if possible:
            pairs = min(two, free)
            best = min(best, 14 - held - 2 * pairs - min(one, free - pairs))
    return best


@helper
def takes(counts, melded, game, row, work):
    """Tiles to take until a win, as though the hand had an open meld where it needs one.

    counts, melded : int64[34], concealed natural tiles and the tiles of melds as they stand
    game : (limit, wild tiles held, bits of what is asked, whether seven pairs can be, whether
        there are honours)
    row : (sets, what is still needed, suits still needed, choices of a void suit)
    """
    limit, wilds, asked, pairs, honours = game
    sets, needs, suits, voids = row
    profiles, states, known = work
    for suit in range(4 if honours else 3):
        profile_of(counts, melded, suit, limit, asked, sets, states, known, profiles[suit])
        if suits >> suit & 1:
            profiles[suit, 0] = FAR
    if not honours:
        profiles[3, :] = FAR
        profiles[3, 0] = 0
    best = NEVER
    for choice in range(CHOICES):
        if not voids >> choice & 1 or suits >> choice & 1:
            continue
        of_void = choice != NO_VOID
        first = profiles[0 if choice != 0 else 1]
        second = profiles[2 if choice == 0 or choice == 1 else 1]
        third = profiles[3]
        if of_void:
            add_profiles(first, second, asked, sets, profiles[4])
        else:
            add_profiles(first, second, asked, sets, profiles[5])
            add_profiles(profiles[5], profiles[2], asked, sets, profiles[4])
        best = min(best, takes_of(whole_cost(profiles[4], third, asked, needs, sets), wilds))
        if pairs and not needs & TRIPLET:
            keep = 0b1111 & ~(1 << choice) if of_void else 0b1111
            keep &= 0b1111 if honours else 0b111
            best = min(best, pairs_missing(counts, keep, needs, suits) - wilds)
    return best


@helper
def row_takes(counts, melded, game, row, closed, chow_melds, work):
    """The same, a closed hand that needs an open meld having to claim a set first.

    closed : whether it has yet to be opened. It then takes two tiles at least; above that
        what an open hand takes is a lower bound
    """
    found = takes(counts, melded, game, row, work)
    if not closed or found > 2:
        return found
    for tile in range(34):
        if opens(counts, melded, game, row, chow_melds, tile, work):
            return np.int64(2)
    return np.int64(3)


@helper
def opens(counts, melded, game, row, chow_melds, tile, work):
    """Whether a tile can be claimed for a set so that the hand is one tile from a win."""
    limit, wilds, asked, pairs, honours = game
    sets, needs, suits, voids = row
    if counts[tile] >= 4 or sets == 0:
        return False
    suit = tile // 9
    of_suit = suits & ~(1 << suit) if suit < 3 else suits
    rank = tile % 9
    for low in range(rank - 2, rank + 2):
        pung = low == rank + 1
        if not pung and (suit == 3 or not chow_melds or low < 0 or low > 6):
            continue
        # the two that go with it
        a = tile if pung else 9 * suit + (low if low < rank else low + 1)
        b = tile if pung else 9 * suit + (low + 2 if low + 2 > rank else low + 1)
        outer = suit == 3 or (rank in (0, 8) if pung else low in (0, 6))
        left = needs & ~(OUTER if outer else 0) & ~(TRIPLET if pung else 0)
        allowed = voids & ~(1 << suit) if suit < 3 else voids
        after = (sets - 1, left, of_suit, allowed)
        for third in range(3):
            melded[tile if pung else 9 * suit + low + third] += 1
        # a pung may be of wild tiles, but for the one claimed
        found = NEVER
        for spent in range(min(wilds, 2) + 1 if pung else 1):
            counts[a] -= 1 if spent < 2 else 0
            counts[b] -= 1 if spent < 1 else 0
            if counts[a] >= 0 and counts[b] >= 0:
                left_over = (limit, wilds - spent, asked, pairs, honours)
                found = min(found, takes(counts, melded, left_over, after, work))
            counts[a] += 1 if spent < 2 else 0
            counts[b] += 1 if spent < 1 else 0
        for third in range(3):
            melded[tile if pung else 9 * suit + low + third] -= 1
        if found <= 1:
            return True
    return False


@helper
def accepts(counts, melded, game, row, closed, chow_melds, found, played, work):
    """Bits of the tiles that bring a hand nearer that takes ``found`` tiles."""
    mask = ZERO
    for tile in range(34):
        if counts[tile] >= 4 or not played >> U(tile) & ONE:
            continue
        if closed and found == 2:
            nearer = opens(counts, melded, game, row, chow_melds, tile, work)
        else:
            counts[tile] += 1
            nearer = row_takes(counts, melded, game, row, closed, chow_melds, work) < found
            counts[tile] -= 1
        mask |= U(nearer) << U(tile)
    return mask


@helper
def asked_of(head, row, tiles, sets, voids, more):
    """What is asked of the concealed tiles of a hand: (game and row of ``takes``, whether it
    has yet to be opened, whether it can never win).

    row : of ``gamerows.row_of``; tiles : of ``lay_tiles``; sets : that the concealed tiles are
        to make; voids : choices of a void suit; more : wild tiles to be drawn
    """
    melds, meld_wilds, indicator = row[0], row[1], row[3]
    wilds = np.int64(row[2]) + more
    held = wilds + np.int64(wilds_in_melds(meld_wilds))
    number, chows, pungs, opened = 0, 0, 0, 0
    for slot in range(4):
        meld = (melds >> U(8 * slot)) & BYTE
        if meld:
            number += 1
            chows += 1 if meld < FIRST_PUNG else 0
            pungs += 1 if meld >= FIRST_PUNG else 0
            opened += 1 if meld < FIRST_CLOSED else 0
    suits, outer = 0, False
    for tile in range(34):
        if tiles[1, tile]:
            suits |= 1 << tile // 9
            outer |= tile >= HONOURS or tile % 9 == 0 or tile % 9 == 8
    # its suit counts for 缺门, but is none of the three that a win may need
    if held and knob(head, WILD_OWN_SUIT):
        wild = turned_wild(head, indicator)
        if wild != NO_TILE:
            voids &= ~(1 << np.int64(wild) // 9)
    # melds that are only implied have what is asked
    asked = np.int64(knob(head, REQUIRES)) if number + sets == 4 else 0
    needs = TRIPLET if asked & TRIPLET_ASKED and pungs == 0 else 0
    needs |= OUTER if asked & TERMINAL_ASKED and not outer else 0
    needed = 0b111 & ~suits if asked & ALL_SUITS else 0
    closed = asked & OPEN_ASKED != 0 and opened == 0
    never = (asked & HAND_ONE != 0 and number == 4 and chows > 0) or (closed and sets == 0)
    limit = IN_HAND
    if held:
        limit = ANY_NUMBER if knob(head, FIFTH_COPY) else WITH_MELDS
    pairs = knob(head, HAS_PAIRS) != ZERO and sets == 4 and not closed
    game = (limit, wilds, needs, pairs, knob(head, KINDS) > U(HONOURS))
    return game, (sets, needs, needed, voids), closed, never


@helper
def row_found(head, row, tiles, sets, voids, played, waiting, work):
    """(tiles to take until a win, bits of the tiles that bring it nearer if ``waiting``)."""
    counts, melded, natural = tiles[0], tiles[1], tiles[2]
    chow_melds = knob(head, CHOW_MELDS) != ZERO
    game, asked, closed, never = asked_of(head, row, tiles, sets, voids, 0)
    found, mask = NEVER, ZERO
    if not never:
        found = row_takes(counts, melded, game, asked, closed, chow_melds, work)
    if not waiting or found >= NEVER:
        return found, mask
    mask = accepts(counts, melded, game, asked, closed, chow_melds, found, played, work)
    indicator = row[3]
    wild = turned_wild(head, indicator)
    if wild != NO_TILE:
        # its copies are wild tiles, and of the turned tile one is in nobody's hand
        mask &= ~(ONE << wild)
        if natural[np.int64(indicator)] >= 3:
            mask &= ~(ONE << indicator)
        held = row[2] + wilds_in_melds(row[1])
        if held < knob(head, WILD_COUNT) and row[2] < U(MOST_WILDS):
            game, asked, closed, never = asked_of(head, row, tiles, sets, voids, 1)
            after = row_takes(counts, melded, game, asked, closed, chow_melds, work)
            mask |= U(after < found) << wild
    return found, mask


@kernel
def winning_rows(fields, kinds, rows, voids, head_, played, what, shanten, masks):
    """Answer a query for some rows of a batch; those that are marked stay so.

    fields : uint64[FIELDS], addresses of the fields of a batch, as for ``score_rows``
    rows : int64[m], which; voids : uint8[n] or uint8[1], choices of a void suit
    head_ : intp, address of a head of ``rulesets.wins``; what : SHANTEN, WAITS or DISCARDS
    played : uint64, bits of the tiles played with
    shanten : int8[n, 1], of discards int8[n, kinds]; masks : uint64 likewise
    """
    head = U(head_)
    tiles = np.empty((3, 34), np.int64)
    slots = 64
    while slots < 64 * len(rows) and slots < MOST_PROFILES:
        slots *= 2
    work = (
        np.empty((6, PROFILE), np.uint8),
        np.empty((2, STATES), np.uint8),
        (np.zeros(slots, np.uint64), np.empty((slots, PROFILE), np.uint8)),
    )
    for place in range(len(rows)):
        i = rows[place]
        if shanten[i, 0] == INVALID:
            continue
        row = row_of(fields, kinds, U(i))
        lay_tiles(fields[CONCEALED] + kinds * U(i), kinds, row[0], row[1], tiles)
        counts, natural = tiles[0], tiles[2]
        size = np.int64(row[2])
        for tile in range(34):
            size += counts[tile]
        of_void = np.int64(voids[i if len(voids) > 1 else 0])
        if what != DISCARDS:
            found, mask = row_found(
                head, row, tiles, size // 3, of_void, played, what == WAITS, work
            )
            shanten[i, 0] = found - 1 if found < NEVER else UNREACHABLE
            masks[i, 0] = mask
            continue
        for tile in range(np.int64(kinds)):
            if counts[tile] == 0:
                continue
            counts[tile] -= 1
            natural[tile] -= 1
            found, mask = row_found(head, row, tiles, size // 3, of_void, played, True, work)
            counts[tile] += 1
            natural[tile] += 1
            shanten[i, tile] = found - 1 if found < NEVER else UNREACHABLE
            masks[i, tile] = mask
