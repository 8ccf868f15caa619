"""What happens in a round, as far as it is paid for."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..hands import Hand

SEATS = range(4)
"""Seats in order of play: after seat s comes (s + 1) % 4."""


@dataclass(frozen=True, slots=True)
class Kong:
    """A kong made, or tried and robbed."""

    event: int
    seat: int
    kind: str
    tile: int
    feeder: int | None
    fresh: bool
    robbed: bool = False


@dataclass(frozen=True, slots=True)
class Win:
    """One win: the complete hand with its flags; ``fan`` as the event claims, or None."""

    event: int
    seat: int
    hand: Hand
    fan: int | None


@dataclass(frozen=True, slots=True)
class Wins:
    """Wins with one tile: one by oneself, or one or more on a discard or a robbed kong."""

    wins: tuple[Win, ...]
    discarder: int | None
    tile: int | None

    @property
    def event(self) -> int:
        return self.wins[0].event

    def has(self, flag: str) -> bool:
        """Whether the wins have a flag that speaks of the tile: all have it or none."""
        return bool(getattr(self.wins[0].hand, flag))


@dataclass(frozen=True, slots=True)
class Draw:
    """The wall is empty."""

    event: int


@dataclass(frozen=True, slots=True)
class Leave:
    """Somebody leaves; ``wall_left`` tiles lie in the wall, if known."""

    event: int
    seat: int
    wall_left: int | None


Move = Kong | Wins | Draw | Leave


def won_hand(hand: Hand, tile: int | None, **flags: bool) -> Hand:
    """A waiting hand with the tile that completes it, None a wild one.

    Raises
    ------
    HandError
        A fifth copy, or impossible flags.
    """
    if tile is None:
        return hand.replace(wilds=hand.wilds + 1, **flags)
    counts = list(hand.concealed)
    counts[tile] += 1
    return hand.replace(concealed=tuple(counts), win_tile=tile, **flags)


def next_after(seat: int, others: Collection[int]) -> int:
    """The first of some seats in order of play after one."""
    return min(others, key=lambda other: (other - seat - 1) % 4)
