"""How a hand was read for its score under patterns, found again from the patterns it has.

The scorers look hands up and never divide them; a person wants to see the sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ...hands import Hand, Meld
from ...rulesets.flags import BLOCKS, FLAGS, Flag
from ...shape.divisions import Division, ScoredDivision, decompose
from ...tiles import KINDS, rank_of

if TYPE_CHECKING:
    from ...rulesets import Rules

DRAGONS = range(31, KINDS)


class _Reading(NamedTuple):
    """A division, and the set that holds the winning tile."""

    hand: Hand
    division: Division
    holder: Meld | str | None

    @property
    def places(self) -> tuple[str, ...]:
        """Places of the winning tile in its set or form."""
        tile, holder = self.hand.win_tile, self.holder
        if tile is None:
            return ()
        if holder == "pair" or self.division.form == "seven_pairs":
            return ("pair",)
        if not isinstance(holder, Meld) or holder.kind != "chow":
            return ()
        step, rank = tile - holder.tile, rank_of(tile)
        if step == 1:
            return ("middle", "middle_five") if rank == 5 else ("middle",)
        return ("edge",) if (step, rank) in ((2, 3), (0, 7)) else ()


_REQUIRED: dict[str, Callable[[_Reading], bool]] = {
    "triplet_or_dragon_pair": lambda reading: (
        any(meld.kind != "chow" for meld in reading.division.sets)
        or reading.division.pair in DRAGONS
    ),
    "hand_one_only_pungs": lambda reading: (
        len(reading.hand.melds) < 4 or _holds(reading, FLAGS["pungs"])
    ),
}
"""What of all that a rule set may require of a win depends on how the hand is read."""


def _holds(reading: _Reading, flag: Flag) -> bool:
    """Whether a reading has what a flag says of sets, pair and winning tile; the rest of it
    holds of the hand, whatever the reading."""
    division = reading.division
    if flag.form and division.form != flag.form:
        return False
    if flag.win and not set(reading.places) & set(flag.win):
        return False
    if division.form != "standard":
        return True
    chows = {meld.tile for meld in division.sets if meld.kind == "chow"}
    return (
        all(BLOCKS[flag.sets](meld.tiles) for meld in division.sets)
        and (division.pair is None or BLOCKS[flag.pair]((division.pair,) * 2))
        and (not flag.chows or any(chows.issuperset(group) for group in flag.chows))
        and (not flag.melds or len(reading.hand.melds) == 4)
    )


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
    required = [_REQUIRED[name] for name in rules.requires if name in _REQUIRED]
    for division in decompose(hand, rules):
        for holder in _holders(hand, division):
            reading = _Reading(hand, division, holder)
            if all(_holds(reading, FLAGS[name]) for name in needed) and all(
                holds(reading) for holds in required
            ):
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
