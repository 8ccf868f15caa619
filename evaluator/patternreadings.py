"""How a hand was read for its score under patterns, found again from the patterns it has.

The scorers look hands up and never divide them; a person wants to see the sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from .divisions import Division, ScoredDivision, decompose
from .hands import Hand, Meld
from .tiles import KINDS, SUITED

if TYPE_CHECKING:
    from .rulesets import Rules

DRAGONS = range(31, KINDS)


class _Reading(NamedTuple):
    """A division, and the set that holds the winning tile."""

    hand: Hand
    division: Division
    holder: Meld | str | None

    @property
    def blocks(self) -> list[tuple[int, ...]]:
        """Tiles of the sets and of the pair; none of a special form."""
        pair = self.division.pair
        return [meld.tiles for meld in self.division.sets] + ([] if pair is None else [(pair,) * 2])

    @property
    def step(self) -> int | None:
        """Place of the winning tile in its chow, 0 to 2."""
        tile, holder = self.hand.win_tile, self.holder
        if tile is None or not isinstance(holder, Meld) or holder.kind != "chow":
            return None
        return tile - holder.tile


def _is_standard(reading: _Reading) -> bool:
    return reading.division.form == "standard"


def _is_outer(tile: int) -> bool:
    return tile >= SUITED or tile % 9 in (0, 8)


def _all_pungs(reading: _Reading) -> bool:
    return _is_standard(reading) and all(meld.kind != "chow" for meld in reading.division.sets)


def _outside(reading: _Reading) -> bool:
    return _is_standard(reading) and all(any(map(_is_outer, block)) for block in reading.blocks)


def _outside_sets(reading: _Reading) -> bool:
    return _is_standard(reading) and all(
        any(map(_is_outer, meld.tiles)) for meld in reading.division.sets
    )


def _only_258(reading: _Reading) -> bool:
    tiles = [tile for block in reading.blocks for tile in block]
    return _all_pungs(reading) and all(t < SUITED and t % 9 in (1, 4, 7) for t in tiles)


def _straight(reading: _Reading) -> bool:
    chows = {meld.tile for meld in reading.division.sets if meld.kind == "chow"}
    return any({first, first + 3, first + 6} <= chows for first in range(0, SUITED, 9))


def _edge(reading: _Reading) -> bool:
    tile, step = reading.hand.win_tile, reading.step
    return tile is not None and (step, tile % 9) in ((2, 2), (0, 6))


def _single(reading: _Reading) -> bool:
    pairs = reading.division.form == "seven_pairs" and reading.hand.win_tile is not None
    return pairs or reading.holder == "pair"


def _middle_five(reading: _Reading) -> bool:
    tile = reading.hand.win_tile
    return reading.step == 1 and tile is not None and tile % 9 == 4


def _triplet(reading: _Reading) -> bool:
    return (
        any(meld.kind != "chow" for meld in reading.division.sets)
        or reading.division.pair in DRAGONS
    )


_HOLDS: dict[str, Callable[[_Reading], bool]] = {
    "std": _is_standard,
    "seven": lambda reading: reading.division.form == "seven_pairs",
    "pungs": _all_pungs,
    "yaojiu": _outside,
    "yaojiu_sets": _outside_sets,
    "jiang": _only_258,
    "jingou": lambda reading: _all_pungs(reading) and len(reading.hand.melds) == 4,
    "yitiaolong": _straight,
    "jiaxin": lambda reading: reading.step == 1,
    "jiaxinwu": _middle_five,
    "dandiao": _single,
    "bianzhang": _edge,
    "triplet_or_dragon_pair": _triplet,
    "hand_one_only_pungs": lambda reading: _all_pungs(reading) or len(reading.hand.melds) < 4,
}
"""What depends on how a hand is read; the other flags hold of the hand or of no reading."""


def find_division(hand: Hand, rules: Rules, patterns: Iterable[str]) -> ScoredDivision | None:
    """A division in which a complete hand has these patterns.

    Parameters
    ----------
    hand : Hand
        Without wild tiles among the concealed ones.
    rules : Rules
        With patterns.
    patterns : iterable of str
        Names of patterns, those of the hand's score: any division that has them is worth it.

    Returns
    -------
    ScoredDivision or None
        None where no division has them.

    Examples
    --------
    >>> import evaluator as ev
    >>> hand = ev.Hand.parse("[999p,1]111222333m11p")
    >>> print(find_division(hand, ev.rules("qq_sichuan"), ["对对胡"]))
    standard: 999p 111m 222m 333m 11p, won in pair
    """
    names = set(patterns)
    needed = {flag for pattern in rules.patterns if pattern.name in names for flag in pattern.req}
    tests = [_HOLDS[flag] for flag in (*sorted(needed), *rules.requires) if flag in _HOLDS]
    for division in decompose(hand, rules):
        for holder in _holders(hand, division):
            reading = _Reading(hand, division, holder)
            if all(test(reading) for test in tests):
                return ScoredDivision(*division, holder)
    return None


def _holders(hand: Hand, division: Division) -> Iterator[Meld | str | None]:
    """What may hold the winning tile: a chow, the pair, a pung; or the special form."""
    tile = hand.win_tile
    if tile is None or division.form != "standard":
        yield None if tile is None else "form"
        return
    concealed = division.sets[len(hand.melds) :]
    yield from (meld for meld in concealed if meld.kind == "chow" and tile in meld.tiles)
    if division.pair == tile:
        yield "pair"
    yield from (meld for meld in concealed if meld.kind != "chow" and meld.tile == tile)
