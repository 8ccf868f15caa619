"""The solver a beginner writes: plain recursion over sets, right and slow.

A hand is a list of 34 (or 27) counts. The recursion takes the lowest tile that
is left, tries every set and the pair it can belong to, adds up the tiles that
are missing, and stops where the best hand so far cannot be beaten. The hand it
builds never holds five copies of a tile, so ``123456789m1111z`` is one tile
away from ready: the fourth east can be neither a pair nor a set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

KINDS = 34
COPIES = 4
SUITED = 27
ORPHANS = (0, 8, 9, 17, 18, 26, *range(27, 34))
KNITTED = tuple(
    tuple(9 * suit + start + step for suit, start in enumerate(starts) for step in (0, 3, 6))
    for starts in permutations(range(3))
)


def _groups_with(tile: int) -> list[tuple[int, ...]]:
    """The pung, the chows and the pair that a tile can be part of."""
    groups: list[tuple[int, ...]] = [(tile, tile, tile)]
    if tile < SUITED:
        rank = tile % 9
        for low in range(max(0, rank - 2), min(6, rank) + 1):
            first = tile - rank + low
            groups.append((first, first + 1, first + 2))
    return [*groups, (tile, tile)]


GROUPS = [_groups_with(tile) for tile in range(KINDS)]

# the forms of a complete hand; a Sichuan hand also holds at most two suits
RIICHI = ("standard", "seven_different_pairs", "orphans")
GUOBIAO = ("standard", "seven_pairs", "orphans", "knitted_straight", "honours_and_knitted")
SICHUAN = ("standard", "seven_pairs")
FORMS = {"riichi": RIICHI, "guobiao": GUOBIAO, "sbr_2025": SICHUAN}


def shanten(
    hand: Sequence[int], rules: str = "riichi", wilds: int = 0, copies: int = COPIES
) -> int:
    """Tiles to exchange until the hand is ready: -1 complete, 0 ready.

    >>> hand = [1] * 9 + [0] * 18 + [4, 0, 0, 0, 0, 0, 0]
    >>> shanten(hand), shanten(hand, copies=5)
    (1, 0)
    """
    return missing(hand, rules, wilds, copies) - wilds - 1


def is_win(hand: Sequence[int], rules: str = "riichi", wilds: int = 0) -> bool:
    """Whether the hand is complete, its wild tiles standing for any others.

    >>> is_win([3] * 4 + [2] + [0] * 29)
    True
    """
    size = sum(hand) + wilds
    if size % 3 != 2:
        return False
    if wilds:
        return missing(hand, rules, wilds) == wilds
    forms = FORMS[rules]
    if forms is SICHUAN and all(any(hand[9 * suit : 9 * suit + 9]) for suit in range(3)):
        return False
    counts = list(hand) + [0] * (KINDS - len(hand))
    if any(_is_sets(rest) for rest in _without_a_pair(counts)):
        return True
    if "knitted_straight" in forms and any(
        _is_sets(rest)
        for knitted in _without_knitted_tiles(counts)
        for rest in _without_a_pair(knitted)
    ):
        return True
    return size == 14 and any(
        SPECIAL_FORMS[form](counts) == 0 for form in forms if form in SPECIAL_FORMS
    )


def _without_a_pair(hand: list[int]) -> Iterator[list[int]]:
    for tile, count in enumerate(hand):
        if count >= 2:
            rest = list(hand)
            rest[tile] -= 2
            yield rest


def _without_knitted_tiles(hand: list[int]) -> Iterator[list[int]]:
    for pattern in KNITTED:
        if all(hand[tile] for tile in pattern):
            yield [count - (tile in pattern) for tile, count in enumerate(hand)]


def _is_sets(hand: list[int]) -> bool:
    """Whether the hand is nothing but pungs and chows, or empty."""
    tile = next((tile for tile, count in enumerate(hand) if count), None)
    if tile is None:
        return True
    for group in GROUPS[tile]:
        if len(group) == 3 and all(hand[t] >= group.count(t) for t in group):
            rest = list(hand)
            for t in group:
                rest[t] -= 1
            if _is_sets(rest):
                return True
    return False


def waits(
    hand: Sequence[int], rules: str = "riichi", copies: int = COPIES
) -> tuple[int, list[int]]:
    """Shanten, and the tiles that lower it when drawn.

    >>> waits([0, 3, 0, 0, 3, 1] + [0] * 28)
    (0, [3, 5, 6])
    """
    before = shanten(hand, rules, copies=copies)
    accepted = []
    for tile in range(SUITED if FORMS[rules] is SICHUAN else len(hand)):
        if hand[tile] == copies:
            continue
        drawn = list(hand)
        drawn[tile] += 1
        if shanten(drawn, rules, copies=copies) < before:
            accepted.append(tile)
    return before, accepted


def discards(hand: Sequence[int], rules: str = "riichi") -> dict[int, tuple[int, list[int]]]:
    """What :func:`waits` says of the hand after each discard.

    >>> discards([1, 0, 0, 1, 0, 3] + [0] * 28)[0]
    (0, [3, 4])
    """
    answers = {}
    for tile, count in enumerate(hand):
        if count:
            rest = list(hand)
            rest[tile] -= 1
            answers[tile] = waits(rest, rules)
    return answers


def missing(
    hand: Sequence[int], rules: str = "riichi", wilds: int = 0, copies: int = COPIES
) -> int:
    """Fewest tiles to add to any part of the hand that make a complete one.

    The complete hand holds at most ``copies`` of a tile: there are four, but
    some libraries let a hand wait for a fifth.
    """
    size = sum(hand) + wilds
    forms = FORMS[rules]
    if forms is SICHUAN:
        return min(_fewest(rest, size, forms, copies) for rest in _without_one_suit(hand))
    return _fewest(list(hand) + [0] * (KINDS - len(hand)), size, forms, copies)


def _without_one_suit(hand: Sequence[int]) -> Iterator[list[int]]:
    for void in range(3):
        yield [0 if tile // 9 == void else count for tile, count in enumerate(hand)]


def _fewest(hand: list[int], size: int, forms: tuple[str, ...], copies: int) -> int:
    sets = size // 3
    best = 3 * sets + 3
    if size >= 13:
        for form in forms:
            if form in SPECIAL_FORMS:
                best = min(best, SPECIAL_FORMS[form](hand))
    best = standard(hand, sets, copies, best)
    if size >= 10 and "knitted_straight" in forms:
        best = knitted_straight(hand, sets, copies, best)
    return best


def seven_pairs(hand: list[int]) -> int:
    """Four of a kind are two pairs."""
    pairs = sum(count // 2 for count in hand)
    singles = sum(count % 2 for count in hand)
    needed = max(0, 7 - pairs)
    return needed + max(0, needed - singles)


def seven_different_pairs(hand: list[int]) -> int:
    pairs = sum(count >= 2 for count in hand)
    kinds = sum(count >= 1 for count in hand)
    return max(0, 7 - pairs) + max(0, 7 - kinds)


def orphans(hand: list[int]) -> int:
    kinds = sum(hand[tile] > 0 for tile in ORPHANS)
    pair = any(hand[tile] > 1 for tile in ORPHANS)
    return 14 - kinds - pair


def honours_and_knitted(hand: list[int]) -> int:
    """Fourteen different tiles out of the seven honours and one knitted pattern."""
    honours = sum(count > 0 for count in hand[SUITED:])
    return 14 - honours - max(sum(hand[tile] > 0 for tile in tiles) for tiles in KNITTED)


SPECIAL_FORMS = {
    "seven_pairs": seven_pairs,
    "seven_different_pairs": seven_different_pairs,
    "orphans": orphans,
    "honours_and_knitted": honours_and_knitted,
}


def knitted_straight(hand: list[int], sets: int, copies: int, best: int) -> int:
    """Nine knitted tiles stand for three of the sets; ``best`` if that is fewer."""
    for pattern in KNITTED:
        held = list(hand)
        built = [0] * len(hand)
        lacking = 0
        for tile in pattern:
            built[tile] = 1
            if held[tile]:
                held[tile] -= 1
            else:
                lacking += 1
        best = _build(held, built, copies, 0, sets - 3, 1, lacking, best)
    return best


def standard(hand: list[int], sets: int, copies: int, best: int) -> int:
    """``sets`` sets and a pair; ``best`` if that is fewer."""
    return _build(list(hand), [0] * len(hand), copies, 0, sets, 1, 0, best)


def _build(
    held: list[int],
    built: list[int],
    copies: int,
    tile: int,
    sets: int,
    pairs: int,
    lacking: int,
    best: int,
) -> int:
    """The lower of ``best`` and the fewest tiles lacking when the hand is built.

    ``held`` are the tiles not used yet, none of them below ``tile``; ``built``
    counts the tiles of the hand under construction, at most ``copies`` of each:
    ``sets`` sets and ``pairs`` pairs are still to come, ``lacking`` of its tiles
    are not held.
    """
    needed = 3 * sets + 2 * pairs
    if lacking + max(0, needed - sum(held)) >= best:
        return best
    while tile < len(held) and not held[tile]:
        tile += 1
    if tile == len(held) or not needed:
        # what is still needed can always be made of tiles not in the hand
        return lacking + needed
    for group in GROUPS[tile]:
        left = (sets, pairs - 1) if len(group) == 2 else (sets - 1, pairs)
        if min(left) < 0 or any(built[t] + group.count(t) > copies for t in group):
            continue
        used = []
        for t in group:
            built[t] += 1
            if held[t]:
                held[t] -= 1
                used.append(t)
        short = lacking + len(group) - len(used)
        best = _build(held, built, copies, tile, *left, short, best)
        for t in group:
            built[t] -= 1
        for t in used:
            held[t] += 1
    unused, held[tile] = held[tile], 0
    best = _build(held, built, copies, tile + 1, sets, pairs, lacking, best)
    held[tile] = unused
    return best
