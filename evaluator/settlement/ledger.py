"""What a settled round looks like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ..rulesets import Rules
from ..scoring import Score
from ..tiles import NAMES

REASONS = {
    "self_draw": "self-draw 自摸",
    "discard": "discard 点炮",
    "robbed_kong": "robbed kong 抢杠",
    "fed_kong": "fed the kong 点杠花",
    "fed_kong_discard": "fed the kong before the discard 杠后点炮",
    "direct_kong": "direct kong 直杠",
    "added_kong": "added kong 面下杠",
    "concealed_kong": "concealed kong 暗杠",
    "kong_transfer": "the kong's income, shot after it 杠上炮",
    "kong_refund": "the kong given back, shot after it 杠上炮",
    "pig": "flower pig 花猪",
    "ready_check": "not ready pays ready 查大叫",
    "refund": "kong given back, not ready 退税",
    "escape": "left the game 逃跑",
    "forfeit": "left after the win 不给予所赢番数",
}
"""Why somebody pays, for players."""

WIN_REASONS = ("self_draw", "discard", "robbed_kong", "fed_kong", "fed_kong_discard")
"""Those of a win itself."""


class Entry(NamedTuple):
    """One payment.

    Attributes
    ----------
    payer, payee : int
        Seats 0-3.
    amount : int
        More than 0.
    reason : str
        A key of :data:`REASONS`.
    event : int
        Index of the event that made it.
    """

    payer: int
    payee: int
    amount: int
    reason: str
    event: int


class Won(NamedTuple):
    """One win of the round: who, with which tile (None: a wild one) of whom, for what."""

    seat: int
    tile: int | None
    discarder: int | None
    fan: int
    score: Score
    event: int

    @property
    def patterns(self) -> tuple[str, ...]:
        """Names of what the score is made of."""
        if hasattr(self.score, "fans"):
            return tuple(map(str, self.score.parts))
        held = (("根", self.score.gens), ("杠", self.score.kongs))
        named = [name if n == 1 else f"{name}×{n}" for name, n in held if n]
        added = [f"另加{self.score.addons:+d}"] if self.score.addons else []
        return (*self.score.patterns, *named, *added)


class SeatState(NamedTuple):
    """How a seat ends.

    Attributes
    ----------
    state : {"won", "ready", "not_ready", "pig"}
    fan : int or None
        Of the win; of a ready hand the greatest (or least) a wait would bring, as the rule
        set's ready check has it; else None.
    left : bool
        Whether the seat has left the game.
    """

    state: str
    fan: int | None
    left: bool


@dataclass(frozen=True, slots=True)
class Ledger:
    """The payments of a round.

    Attributes
    ----------
    rules : Rules
    dealer : int
    entries : tuple of Entry
        In the order of the events.
    totals : tuple of int
        What each of the four seats has won; their sum is 0.
    seats : tuple of SeatState
    wins : tuple of Won
        In the order of the events.
    end : {"wins", "draw", "leave"} or None
        What ended the hand; None if the hand goes on after the last event.
    next_dealer : int or None
        None if the dice decide, or if the hand goes on.
    coins : tuple of int or None
        If the round has a room: the change in coins of each seat, after the fee.
    fee : int
        The fee that the room takes from each seat.
    """

    rules: Rules
    dealer: int
    entries: tuple[Entry, ...]
    totals: tuple[int, int, int, int]
    seats: tuple[SeatState, ...]
    wins: tuple[Won, ...]
    end: str | None
    next_dealer: int | None
    coins: tuple[int, int, int, int] | None = None
    fee: int = 0

    def __repr__(self) -> str:
        return f"<Ledger: {', '.join(f'{total:+d}' for total in self.totals)}>"

    def as_dict(self) -> dict[str, Any]:
        """The ledger as lists, dicts and strings, ready for JSON."""
        found: dict[str, Any] = {
            "rules": self.rules.name,
            "dealer": self.dealer,
            "entries": [entry._asdict() for entry in self.entries],
            "totals": list(self.totals),
            "seats": [seat._asdict() for seat in self.seats],
            "wins": [
                {
                    "seat": won.seat,
                    "tile": None if won.tile is None else NAMES[won.tile],
                    "from": won.discarder,
                    "fan": won.fan,
                    "patterns": list(won.patterns),
                    "event": won.event,
                }
                for won in self.wins
            ],
            "end": self.end,
            "next_dealer": self.next_dealer,
        }
        if self.coins is not None:
            found |= {"coins": list(self.coins), "fee": self.fee}
        return found


def coins(
    totals: tuple[int, int, int, int], coefficient: int, fee: int
) -> tuple[int, int, int, int]:
    """Coins of a room: each point counts ``coefficient``, and each seat pays the fee.

    A loser pays X·N + A, a winner gets ΣX·N - A (001:61). The example printed there forgets
    the fee: 54 points at 200 with a fee of 400 are 10400, not 10800, and 18 cost 4000, not
    3600.

    >>> coins((54, -18, -18, -18), 200, 400)
    (10400, -4000, -4000, -4000)
    """
    a, b, c, d = (total * coefficient - fee for total in totals)
    return a, b, c, d
