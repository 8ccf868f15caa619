"""The Sichuan scorer a beginner writes: every reading of a hand, and the best of them.

Wild tiles are every choice of tiles in turn, waits every tile that completes the hand.
What it knows of a rule set is in :data:`GAMES`, typed in once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple

from bench.naive import COPIES, SUITED

Sets = list[tuple[str, int]]


class Hand(NamedTuple):
    """27 counts, melds as (kind, lowest tile), how it was won, wild tiles."""

    counts: tuple[int, ...]
    melds: tuple[tuple[str, int], ...] = ()
    how: frozenset[str] = frozenset()
    wilds: int = 0


class Game(NamedTuple):
    """Patterns as (fan, roots they eat, what they need), add-ons by what they need."""

    patterns: tuple[tuple[int, int, set[str]], ...]
    addons: tuple[tuple[int, set[str]], ...]
    wild_fan: int = 0


GAMES = {
    "qq_sichuan": Game(
        (
            (1, 0, {"standard"}),
            (2, 0, {"pungs"}),
            (3, 0, {"flush"}),
            (3, 0, {"outside"}),
            (3, 0, {"pairs"}),
            (4, 0, {"pungs", "flush"}),
            (4, 0, {"pungs", "258"}),
            (5, 1, {"pairs", "root"}),
            (5, 0, {"pairs", "flush"}),
            (5, 0, {"outside", "flush"}),
            (6, 1, {"pairs", "flush", "root"}),
            (6, 0, {"heavenly"}),
            (6, 0, {"earthly"}),
        ),
        ((1, {"kong", "self_drawn"}), (1, {"kong_discard"})),
    ),
    "yibin": Game(
        (
            (2, 0, {"standard"}),
            (3, 0, {"pungs"}),
            (3, 0, {"pairs"}),
            (4, 0, {"pungs", "four melds"}),
            (4, 0, {"flush"}),
            (5, 0, {"pungs", "flush"}),
            (5, 0, {"pairs", "flush"}),
            (5, 1, {"pairs", "root"}),
            (5, 0, {"heavenly"}),
            (5, 0, {"earthly"}),
        ),
        ((1, {"kong"}), (1, {"kong_discard"})),
        wild_fan=-1,
    ),
}


def score(hand: Hand, rules: str) -> int:
    """Fan of a hand, -1 for no win.

    >>> score(Hand((2, 2, 0, 4, 2, 0, 2, 0, 2) + 18 * (0,)), "qq_sichuan")
    6
    """
    game = GAMES[rules]
    best = max((_fan(meant, game) for meant in _meant(hand)), default=-1)
    return best + game.wild_fan if best >= 0 and hand.wilds else best


def wait_scores(hand: Hand, rules: str) -> tuple[list[int], list[int]]:
    """Fan of each of 27 tiles that completes the hand, claimed and self-drawn; -1 else."""
    owned = _owned(hand)
    answers: tuple[list[int], list[int]] = ([], [])
    for answer, how in zip(answers, ("claimed", "self_drawn"), strict=True):
        for tile in range(SUITED):
            won = hand._replace(
                counts=_with(hand.counts, tile), how=hand.how - {"self_drawn"} | {how}
            )
            answer.append(score(won, rules) if owned[tile] < COPIES else -1)
    return answers


def _with(counts: tuple[int, ...], *tiles: int) -> tuple[int, ...]:
    found = list(counts)
    for tile in tiles:
        found[tile] += 1
    return tuple(found)


def _owned(hand: Hand) -> list[int]:
    owned = list(hand.counts)
    for kind, tile in hand.melds:
        owned[tile] += 4 if "kong" in kind else 3
    return owned


def _meant(hand: Hand) -> Iterator[Hand]:
    """The hand with every choice of tiles for its wild ones."""
    for tiles in combinations_with_replacement(range(SUITED), hand.wilds):
        meant = hand._replace(counts=_with(hand.counts, *tiles))
        if max(_owned(meant)) <= COPIES:
            yield meant


def _fan(hand: Hand, game: Game) -> int:
    owned = _owned(hand)
    suits = {tile // 9 for tile, count in enumerate(owned) if count}
    if len(suits) > 2:
        return -1
    kongs = sum("kong" in kind for kind, _ in hand.melds)
    roots = owned.count(COPIES) - kongs
    facts = set(hand.how)
    if len(suits) == 1:
        facts.add("flush")
    if roots:
        facts.add("root")
    best = max(
        (
            fan - eaten
            for reading in _readings(hand)
            for fan, eaten, needed in game.patterns
            if needed <= facts | reading
        ),
        default=-1,
    )
    addons = sum(fan for fan, needed in game.addons if needed <= facts)
    return best + roots + kongs + addons if best >= 0 else -1


def _readings(hand: Hand) -> Iterator[set[str]]:
    """What holds of each way to read a hand without wild tiles."""
    if not hand.melds and all(count % 2 == 0 for count in hand.counts):
        yield {"pairs"}
    for pair, count in enumerate(hand.counts):
        if count >= 2:
            rest = list(hand.counts)
            rest[pair] -= 2
            for sets in _divisions(rest):
                yield _facts([*hand.melds, *sets], pair, len(hand.melds))


def _facts(sets: Sets, pair: int, melds: int) -> set[str]:
    facts = {"standard"}
    tiles = [(tile,) if kind != "chow" else (tile, tile + 1, tile + 2) for kind, tile in sets]
    tiles.append((pair,))
    if all(kind != "chow" for kind, _ in sets):
        facts.add("pungs")
        if melds == 4:
            facts.add("four melds")
        if all(tile % 9 in (1, 4, 7) for block in tiles for tile in block):
            facts.add("258")
    if all(any(tile % 9 in (0, 8) for tile in block) for block in tiles):
        facts.add("outside")
    return facts


def _divisions(rest: list[int]) -> Iterator[Sets]:
    """Every way to divide the tiles into pungs and chows."""
    tile = next((tile for tile, count in enumerate(rest) if count), None)
    if tile is None:
        yield []
        return
    for kind, others in (("pung", (tile,) * 3), ("chow", (tile, tile + 1, tile + 2))):
        if kind == "chow" and tile % 9 > 6:
            continue
        if all(rest[t] >= others.count(t) for t in others):
            left = list(rest)
            for t in others:
                left[t] -= 1
            for sets in _divisions(left):
                yield [(kind, tile), *sets]
