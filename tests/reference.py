"""The specification in plain Python: slow, and obviously right.

Everything is written from the definition of a complete hand. Shanten is the
fewest natural tiles that a hand misses of some complete hand, less its wilds,
less one; a complete hand never holds a tile five times. Nothing here knows the
package's tables or kernels. The one assumption that is not plain enumeration,
that sets stay within a suit, lets complete hands be enumerated per suit.

Hands are sequences of 34 (or 27) counts; a block (set or pair) is a tuple of tiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

import numpy as np

Counts = Sequence[int]

KINDS, SUITED = 34, 27
COPIES = 4
IMPOSSIBLE = 127

GROUPS = (range(0, 9), range(9, 18), range(18, 27), range(27, 34))
HONOURS = tuple(GROUPS[3])
TERMINALS = (0, 8, 9, 17, 18, 26)
ORPHANS = TERMINALS + HONOURS
KNITTED = tuple(
    tuple(9 * suit + start + 3 * step for suit, start in enumerate(starts) for step in range(3))
    for starts in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
)

PUNGS = tuple((tile,) * 3 for tile in range(KINDS))
CHOWS = tuple((t, t + 1, t + 2) for t in range(27) if t % 9 <= 6)
SETS = tuple(sorted(PUNGS + CHOWS))
PAIRS = tuple((tile,) * 2 for tile in range(KINDS))


@dataclass(frozen=True)
class Game:
    """What a rule set says about shape."""

    forms: tuple[str, ...]
    kinds: int = 34
    max_suits: int = 3


RIICHI = Game(("standard", "seven_different_pairs", "thirteen_orphans"))
GUOBIAO = Game(
    ("standard", "seven_pairs", "thirteen_orphans", "knitted_straight", "honours_and_knitted")
)
SICHUAN = Game(("standard", "seven_pairs"), kinds=27, max_suits=2)


def in_game(counts: Counts, game: Game) -> tuple[int, ...]:
    """The counts as wide as the game has kinds; a narrower hand holds no honours."""
    counts = tuple(counts)
    assert not any(counts[game.kinds :])
    return counts[: game.kinds] + (0,) * (game.kinds - len(counts))


# --- how many tiles are missing of the nearest complete hand, form by form ---


@cache
def targets(
    group: int, sets: int, pairs: int, base: tuple[int, ...] = (), copies: int = COPIES
) -> frozenset:
    """Every way to hold the tiles ``base`` and ``sets`` sets and ``pairs`` pairs in one group.

    Counts of the group's tiles, none above ``copies``.
    """
    tiles = GROUPS[group]
    if not sets and not pairs:
        return frozenset([tuple(base.count(tile) for tile in tiles)])
    fewer = (sets - 1, pairs) if sets else (0, 0)
    smaller = targets(group, *fewer, base, copies)
    blocks = SETS if sets else PAIRS
    grown = (
        tuple(count + block.count(tile) for tile, count in zip(tiles, target, strict=True))
        for block in blocks
        if block[0] in tiles
        for target in smaller
    )
    return frozenset(target for target in grown if max(target) <= copies)


@cache
def _missing_of_targets(
    group: int, shapes: tuple[tuple[int, int], ...], base: tuple[int, ...], copies: int
) -> tuple[np.ndarray, np.ndarray]:
    """``missing[i, c, t]`` = copies of tile ``i`` that target ``t`` lacks when ``c`` are held.

    The targets of all ``shapes`` stand one after another, shape ``k`` from ``start[k]``.
    """
    of_shape = [sorted(targets(group, *shape, base, copies)) for shape in shapes]
    every = np.array([target for part in of_shape for target in part], np.int8)
    held = np.arange(COPIES + 1, dtype=np.int8)
    missing = np.maximum(every.T[:, None, :] - held[None, :, None], 0).astype(np.uint8)
    return missing, np.cumsum([0, *map(len, of_shape[:-1])])


@lru_cache(1 << 17)
def group_distances(
    group: int,
    counts: tuple[int, ...],
    shapes: tuple[tuple[int, int], ...],
    base: tuple[int, ...] = (),
    copies: int = COPIES,
) -> tuple[int, ...]:
    """Fewest tiles of one group to add so that it holds ``base`` and each of ``shapes``.

    A shape is (sets, pairs). The minimum runs over every target there is.
    """
    missing, start = _missing_of_targets(group, shapes, base, copies)
    total = sum(missing[tile, held] for tile, held in enumerate(counts))
    return tuple(np.minimum.reduceat(total, start).tolist())


def distance(
    counts: Counts,
    sets: int,
    pairs: int,
    *,
    without: int | None = None,
    base: Counts = (),
    copies: int = COPIES,
) -> int:
    """Fewest tiles to add so that ``sets`` sets and ``pairs`` pairs can be formed.

    Beside the tiles ``base``, which must be there as well; ``without`` a suit the
    complete hand must not hold; with at most ``copies`` of each tile in it.
    """
    shapes = tuple(product(range(sets + 1), range(pairs + 1)))
    best = {(0, 0): 0}
    for group, tiles in enumerate(GROUPS):
        if group == without or tiles.stop > len(counts):
            continue
        here = tuple(counts[tile] for tile in tiles)
        wanted = tuple(tile for tile in base if tile in tiles)
        merged: dict[tuple[int, int], int] = {}
        distances = group_distances(group, here, shapes, wanted, copies)
        for (m, p), missing in zip(shapes, distances, strict=True):
            for (m0, p0), missing0 in best.items():
                shape = (m + m0, p + p0)
                if shape in shapes:
                    merged[shape] = min(merged.get(shape, 99), missing + missing0)
        best = merged
    return best[sets, pairs]


def _kinds(counts: Counts, without: int | None) -> list[int]:
    return [t for t in range(len(counts)) if without is None or t not in GROUPS[without]]


def missing_standard(counts: Counts, size: int, without: int | None = None) -> int | None:
    return distance(counts, size // 3, 1, without=without)


def missing_seven_pairs(counts: Counts, size: int, without: int | None = None) -> int | None:
    """Four of a kind are two pairs: a tile offers a first and a second pair."""
    if size < 13:
        return None
    held = [counts[t] for t in _kinds(counts, without)]
    pairs = [min(n, 2) for n in held] + [max(n - 2, 0) for n in held]
    return 14 - sum(sorted(pairs)[-7:])


def missing_seven_different_pairs(
    counts: Counts, size: int, without: int | None = None
) -> int | None:
    if size < 13:
        return None
    pairs = [min(counts[t], 2) for t in _kinds(counts, without)]
    return 14 - sum(sorted(pairs)[-7:])


def missing_thirteen_orphans(counts: Counts, size: int, without: int | None = None) -> int | None:
    if size < 13 or without is not None:
        return None
    return min(
        sum(max(1 + (tile == pair) - counts[tile], 0) for tile in ORPHANS) for pair in ORPHANS
    )


def missing_knitted_straight(counts: Counts, size: int, without: int | None = None) -> int | None:
    """组合龙: nine knitted tiles, a set (or a meld beside 10 or 11 tiles) and a pair."""
    if size < 10 or without is not None:
        return None
    return min(distance(counts, size // 3 - 3, 1, base=pattern) for pattern in KNITTED)


def missing_honours_and_knitted(
    counts: Counts, size: int, without: int | None = None
) -> int | None:
    """全不靠 / 七星不靠: fourteen different tiles of the honours and one knitted pattern."""
    if size < 13 or without is not None:
        return None
    return min(14 - sum(counts[tile] > 0 for tile in HONOURS + pattern) for pattern in KNITTED)


MISSING = {
    "standard": missing_standard,
    "seven_pairs": missing_seven_pairs,
    "seven_different_pairs": missing_seven_different_pairs,
    "thirteen_orphans": missing_thirteen_orphans,
    "knitted_straight": missing_knitted_straight,
    "honours_and_knitted": missing_honours_and_knitted,
}


# --- the questions ---


def void_choices(game: Game, void: int | None, held: Sequence[int] = ()) -> list[int | None]:
    """Suits that the complete hand may do without, one of them to be chosen.

    ``held`` are the suits of the melds, which can never be void.
    """
    if void is not None:
        return [] if void in held else [void]
    if game.max_suits == 3:
        return [None]
    return [suit for suit in range(3) if suit not in held]


def shanten(
    counts: Counts,
    game: Game = RIICHI,
    *,
    wilds: int = 0,
    void: int | None = None,
    held: Sequence[int] = (),
    size: int | None = None,
) -> int:
    """-1 complete, 0 waiting; 127 when no complete hand is possible.

    ``size`` is the size that the hand is taken to have (tiles and wilds).
    """
    counts = in_game(counts, game)
    size = sum(counts) + wilds if size is None else size
    missing = [
        MISSING[form](counts, size, without)
        for without in void_choices(game, void, held)
        for form in game.forms
    ]
    return min((m - wilds - 1 for m in missing if m is not None), default=IMPOSSIBLE)


def with_tile(counts: Counts, tile: int, change: int = 1) -> tuple[int, ...]:
    return tuple(n + change * (kind == tile) for kind, n in enumerate(counts))


def accepted(counts: Counts, game: Game = RIICHI, *, wilds: int = 0, **asked) -> set[int]:
    """Tiles whose draw lowers the shanten; never a fifth copy."""
    counts = in_game(counts, game)
    size = sum(counts) + wilds
    now = shanten(counts, game, wilds=wilds, size=size, **asked)
    return {
        tile
        for tile in range(len(counts))
        if counts[tile] < COPIES
        and shanten(with_tile(counts, tile), game, wilds=wilds, size=size, **asked) < now
    }


def discards(
    counts: Counts, game: Game = RIICHI, *, wilds: int = 0, **asked
) -> dict[int, tuple[int, set[int]]]:
    """For every held tile: shanten and accepted tiles once it is discarded."""
    after = {tile: with_tile(counts, tile, -1) for tile, n in enumerate(counts) if n}
    return {
        tile: (
            shanten(rest, game, wilds=wilds, **asked),
            accepted(rest, game, wilds=wilds, **asked),
        )
        for tile, rest in after.items()
    }


def is_win(counts: Counts, game: Game = RIICHI, *, wilds: int = 0, **asked) -> bool:
    """Complete as it stands; 3k+1 tiles never are."""
    return (sum(counts) + wilds) % 3 == 2 and shanten(counts, game, wilds=wilds, **asked) == -1


# --- divisions of a complete hand ---


def divide_sets(counts: Counts) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every division into sets: the lowest tile is in a pung or opens a chow."""
    lowest = next((tile for tile, n in enumerate(counts) if n), None)
    if lowest is None:
        yield ()
        return
    for block in SETS:
        if block[0] == lowest and all(counts[t] >= block.count(t) for t in block):
            rest = [n - block.count(t) for t, n in enumerate(counts)]
            for others in divide_sets(rest):
                yield tuple(sorted((block, *others)))


def divide_standard(counts: Counts) -> Iterator[tuple[tuple[tuple[int, ...], ...], int]]:
    """Every division into sets and one pair, as (sets, tile of the pair)."""
    for pair, n in enumerate(counts):
        if n >= 2:
            for sets in divide_sets(with_tile(counts, pair, -2)):
                yield sets, pair


def suits_of(counts: Counts) -> set[int]:
    return {tile // 9 for tile, n in enumerate(counts[:SUITED]) if n}


def divisions(
    counts: Counts, game: Game = RIICHI, *, held: Sequence[int] = ()
) -> set[tuple[str, tuple[tuple[int, ...], ...], int | None]]:
    """Every division of a complete hand, as (form, sorted sets, tile of the pair).

    Only what is divided into sets: of seven pairs all pairs but none as *the*
    pair, of a knitted straight its one set and its pair, of the forms of single
    tiles nothing but, for the orphans, their pair.
    """
    counts = tuple(counts) + (0,) * (KINDS - len(counts))
    found: set[tuple[str, tuple[tuple[int, ...], ...], int | None]] = set()
    if len(suits_of(counts) | set(held)) > game.max_suits:
        return found
    size = sum(counts)
    for form in game.forms:
        if form == "standard":
            found |= {(form, sets, pair) for sets, pair in divide_standard(counts)}
        elif form in ("seven_pairs", "seven_different_pairs") and size == 14:
            most = 4 if form == "seven_pairs" else 2
            if all(n % 2 == 0 and n <= most for n in counts):
                pairs = tuple((t, t) for t, n in enumerate(counts) for _ in range(n // 2))
                found.add((form, pairs, None))
        elif form == "thirteen_orphans" and size == 14:
            if all(counts[t] for t in ORPHANS):
                pair = next((t for t in ORPHANS if counts[t] == 2), None)
                if pair is not None:
                    found.add((form, (), pair))
        elif form == "knitted_straight" and size in (11, 14):
            for pattern in KNITTED:
                if all(counts[t] for t in pattern):
                    rest = [n - (t in pattern) for t, n in enumerate(counts)]
                    found |= {(form, sets, pair) for sets, pair in divide_standard(rest)}
        elif form == "honours_and_knitted" and size == 14 and max(counts) == 1:
            held_tiles = {t for t, n in enumerate(counts) if n}
            if any(held_tiles <= {*HONOURS, *pattern} for pattern in KNITTED):
                found.add((form, (), None))
    return found


# --- a second opinion for small hands: playing them out ---


def hands_of(size: int, tiles: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every hand of ``size`` tiles of the given kinds (34 counts)."""

    def fill(rest: int, kinds: Sequence[int]) -> Iterator[dict[int, int]]:
        if not kinds:
            if not rest:
                yield {}
            return
        for n in range(min(rest, COPIES) + 1):
            for others in fill(rest - n, kinds[1:]):
                yield {kinds[0]: n, **others}

    for chosen in fill(size, tuple(tiles)):
        yield tuple(chosen.get(tile, 0) for tile in range(KINDS))


def complete_hands(size: int, tiles: Sequence[int]) -> set[tuple[int, ...]]:
    """Every complete standard hand among :func:`hands_of`, found by dividing each."""
    return {hand for hand in hands_of(size, tiles) if next(divide_standard(hand), None)}


def played_out(size: int, tiles: Sequence[int]) -> dict[tuple[int, ...], int]:
    """Shanten of every hand of ``size`` and ``size - 1`` tiles, by playing.

    ``size`` is 3k+2. A complete hand is -1; a hand that can be drawn into it is one
    draw from it; a hand that can discard to a waiting one is as far as that one.
    Breadth first, from the complete hands backwards.
    """
    found: dict[tuple[int, ...], int] = {}
    frontier = complete_hands(size, tiles)
    away = -1
    while frontier:
        found.update(dict.fromkeys(frontier, away))
        waiting = {
            with_tile(hand, tile, -1) for hand in frontier for tile in tiles if hand[tile]
        } - found.keys()
        away += 1
        found.update(dict.fromkeys(waiting, away))
        frontier = {
            with_tile(hand, tile) for hand in waiting for tile in tiles if hand[tile] < COPIES
        } - found.keys()
    return found


# --- the ten distances of every suit vector at once, by another road ---


def all_distances(kinds: int) -> np.ndarray:
    """``uint8[5**kinds, 5, 2]``: distance to m sets and p pairs of every vector of a group.

    ``kinds`` 9 is a suit, 7 the honours. The row is the base-5 number of the
    counts, the first tile the highest digit; vectors of more than 14 tiles are
    computed like the others. First which vectors *contain* m sets and p pairs
    (take one block away, and the rest contains the others); then the distance is
    the fewest tiles to add to reach such a vector, which goes tile by tile.
    """
    shape = (5,) * kinds

    def containing(smaller: np.ndarray, block: tuple[int, ...]) -> None:
        """Mark in ``bigger`` what is a vector of ``smaller`` and one more block."""
        n = [block.count(tile) for tile in range(kinds)]
        bigger[tuple(slice(k, None) for k in n)] |= smaller[tuple(slice(0, 5 - k) for k in n)]

    sets = [s for s in SETS if s[-1] < 9] if kinds == 9 else [(t,) * 3 for t in range(kinds)]
    result = np.empty((5**kinds, 5, 2), np.uint8)
    contains: dict[tuple[int, int], np.ndarray] = {(0, 0): np.ones(shape, bool)}
    for pairs, melds in product(range(2), range(5)):
        if (melds, pairs) != (0, 0):
            bigger = np.zeros(shape, bool)
            if melds:
                for block in sets:
                    containing(contains[melds - 1, pairs], block)
            else:
                for tile in range(kinds):
                    containing(contains[0, 0], (tile, tile))
            contains[melds, pairs] = bigger
        missing = np.where(contains[melds, pairs], 0, 99).astype(np.uint8)
        for tile in range(kinds):
            along = np.moveaxis(missing, tile, 0)
            for held in (3, 2, 1, 0):
                np.minimum(along[held], along[held + 1] + 1, out=along[held])
        result[:, melds, pairs] = missing.reshape(-1)
    return result


def totals(kinds: int) -> np.ndarray:
    """Number of tiles of every vector, rows as in :func:`all_distances`."""
    return np.indices((5,) * kinds, np.uint8).sum(axis=0, dtype=np.uint8).reshape(-1)


# --- comparing ---


def text(counts: Counts) -> str:
    """A hand as people read it, for messages."""
    return "".join(
        f"{tile % 9 + 1}{'mpsz'[tile // 9]}" for tile, n in enumerate(counts) for _ in range(n)
    )


def same(hands: np.ndarray, ours: object, expected: object) -> None:
    """Assert equal answers; tell the hand of least tiles that differs."""
    ours, expected = np.asarray(ours), np.asarray(expected)
    assert ours.shape == expected.shape
    wrong = np.flatnonzero((ours != expected).reshape(len(hands), -1).any(axis=1))
    if len(wrong):
        i = min(wrong, key=lambda row: int(np.sum(hands[row])))
        at = f"{len(wrong)} hands differ, the least: {text(hands[i])}"
        raise AssertionError(f"{at}: ours {ours[i]}, by definition {expected[i]}")
