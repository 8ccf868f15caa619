"""A round as it is given: read, checked, and put into moves.

What can be said without knowing the order of play is refused here: keys and types, hands
that cannot be, kongs that the melds do not show, a tile used five times. What the order of
play forbids is refused where it is played (:mod:`evaluator.settlement.table`).
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ..errors import EvaluatorError, RoundError
from ..hands import FLAGS, MAX_TILES, Hand, Meld
from ..notation import parse
from ..rulesets import Rules, rules
from ..tiles import COPIES, KINDS, NAMES

SEATS = range(4)
"""Seats in order of play: after seat s comes (s + 1) % 4."""

ROUND_KEYS = ("rules", "dealer", "hands", "piao", "room", "events")
ROOM_KEYS = ("coefficient", "fee")
EVENT_KEYS = {
    "kong": ("type", "seat", "kind", "tile", "from", "fresh"),
    "win": ("type", "seat", "from", "tile", "hand", "flags", "fan", "separate"),
    "draw": ("type",),
    "leave": ("type", "seat", "wall_left"),
}
KONG_KINDS = {"direct": "kong", "added": "kong", "concealed": "concealed_kong"}
"""Kind of a kong and of the meld it leaves."""

WILD = "wild"
"""The tile of a win by drawing a wild tile."""


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


@dataclass(frozen=True, slots=True)
class Round:
    """A round that may have been played."""

    rules: Rules
    dealer: int
    hands: tuple[Hand, ...]
    piao: tuple[bool, ...]
    coefficient: int | None
    fee: int
    moves: tuple[Move, ...]


def read_round(given: Any) -> Round:
    """A round from a mapping or JSON text; :func:`evaluator.settle` says what it holds."""
    if isinstance(given, str | bytes | bytearray):
        given = _from_json(given)
    _known(given, ROUND_KEYS, "a round")
    for key in ("rules", "hands", "events"):
        if given.get(key) is None:
            raise RoundError(f"a round says its {key}; this one does not")
    played = rules(given["rules"])
    if not (played.fan_table or played.patterns):
        raise RoundError(f"the rule set {played.name} has no scores: nothing to settle")
    dealer = _seat(given.get("dealer") or 0, "dealer")
    hands = tuple(
        _hand_of_seat(seat, hand, played, dealer) for seat, hand in enumerate(_four(given, "hands"))
    )
    events = given["events"]
    if not isinstance(events, Sequence) or isinstance(events, str | bytes):
        raise RoundError(f"events must be a list, got {_shown(events)}")
    steps = [_event(at, event, hands, dealer) for at, event in enumerate(events)]
    moves = _mark_robbed(_together(steps))
    _check_kongs(moves, hands, played)
    _check_tiles(moves, hands, played)
    coefficient, fee = _room(given.get("room"))
    return Round(played, dealer, hands, _piao(given, played), coefficient, fee, moves)


# --- forms: keys, types, small values


def _from_json(text: str | bytes | bytearray) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RoundError(f"no JSON: {error}") from None


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _known(given: Any, keys: Sequence[str], what: str, event: int | None = None) -> None:
    if not isinstance(given, Mapping):
        raise RoundError(f"{what} must be a table of keys, got {_shown(given)}", event)
    for key in given:
        if key not in keys:
            near = difflib.get_close_matches(str(key), keys, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"its keys are {', '.join(keys)}"
            raise RoundError(f"{what} has no key {_shown(key)}; {hint}", event)


def _seat(value: Any, name: str, event: int | None = None) -> int:
    if type(value) is not int or value not in SEATS:
        raise RoundError(f"{name} must be a seat 0-3, got {_shown(value)}", event)
    return value


def _boolean(value: Any, name: str, event: int | None = None) -> bool:
    if type(value) is not bool:
        raise RoundError(f"{name} must be true or false, got {_shown(value)}", event)
    return value


def _number(value: Any, name: str, low: int, high: int, event: int | None = None) -> int:
    if type(value) is not int or not low <= value <= high:
        raise RoundError(f"{name} must be a whole number {low} to {high}, got {value!r}", event)
    return value


def _four(given: Mapping[str, Any], key: str) -> Sequence[Any]:
    value = given[key]
    if not isinstance(value, Sequence) or isinstance(value, str | bytes) or len(value) != 4:
        raise RoundError(f"{key} must be a list of four, one a seat, got {_shown(value)}")
    return value


def _piao(given: Mapping[str, Any], played: Rules) -> tuple[bool, ...]:
    if given.get("piao") is None:
        return (False,) * 4
    piao = tuple(_boolean(value, "piao") for value in _four(given, "piao"))
    if any(piao) and not played.settlement.piao:
        raise RoundError(f"piao: the rule set {played.name} has no 飘")
    return piao


def _room(room: Any) -> tuple[int | None, int]:
    if room is None:
        return None, 0
    _known(room, ROOM_KEYS, "room")
    coefficient, fee = room.get("coefficient", 1), room.get("fee", 0)
    return (
        _number(coefficient, "the room's coefficient", 1, 10**9),
        _number(fee, "the room's fee", 0, 10**9),
    )


def _tile(value: Any, event: int) -> int:
    """A tile as its index or its name in any notation."""
    if type(value) is int and 0 <= value < KINDS:
        return value
    if isinstance(value, str):
        try:
            counts = parse(value)
        except EvaluatorError as error:
            raise RoundError(f"tile: {error}", event) from None
        if counts.sum() == 1:
            return int(counts.argmax())
    raise RoundError(f"tile must be one tile, got {_shown(value)}", event)


# --- hands


def _hand(value: Any, what: str, event: int | None = None) -> Hand:
    if isinstance(value, Hand):
        return value
    if not isinstance(value, str):
        raise RoundError(f"{what} must be a Hand or its text, got {_shown(value)}", event)
    try:
        return Hand.parse(value)
    except EvaluatorError as error:
        raise RoundError(f"{what}: {error}", event) from None


def _hand_of_seat(seat: int, value: Any, played: Rules, dealer: int) -> Hand:
    """A whole waiting hand that the rules know; its seat wind follows from the dealer."""
    what = f"the hand of seat {seat}"
    hand = _hand(value, what)
    if hand.size + 3 * len(hand.melds) != MAX_TILES - 1:
        raise RoundError(
            f"{what}: {hand.size} tiles beside {len(hand.melds)} melds; it must be the 13 "
            "(a kong counts as three) at the end, of a winner without the winning tile"
        )
    if hand.flags:
        raise RoundError(f"{what} has win flags: they belong to the event of the win")
    honours = [tile for tile in range(played.kinds, KINDS) if hand.owned[tile]]
    if honours:
        raise RoundError(f"{what} holds {NAMES[honours[0]]}: {played.name} has no honours")
    if not played.chow_melds and any(meld.kind == "chow" for meld in hand.melds):
        raise RoundError(f"{what} has a chow meld: {played.name} allows none")
    if _wilds(hand) > played.wilds.count:
        raise RoundError(
            f"{what} holds {_wilds(hand)} wild tiles: {played.name} has {played.wilds.count}"
        )
    return hand.replace(seat_wind=(seat - dealer) % 4)


def _wilds(hand: Hand) -> int:
    return hand.wilds + sum(meld.wilds for meld in hand.melds)


def won_hand(hand: Hand, tile: int | None, **flags: bool) -> Hand:
    """A waiting hand with the tile that completes it, None a wild one; :class:`HandError`."""
    if tile is None:
        return hand.replace(wilds=hand.wilds + 1, **flags)
    counts = list(hand.concealed)
    counts[tile] += 1
    return hand.replace(concealed=tuple(counts), win_tile=tile, **flags)


# --- events


@dataclass(frozen=True, slots=True)
class _Claim:
    """A win before those with the same tile are put together."""

    win: Win
    discarder: int | None
    tile: int | None
    separate: bool


_Step = Kong | _Claim | Draw | Leave


def _event(at: int, event: Any, hands: Sequence[Hand], dealer: int) -> _Step:
    if not isinstance(event, Mapping):
        raise RoundError(f"must be a table of keys, got {_shown(event)}", at)
    kind = event.get("type")
    if not isinstance(kind, str) or kind not in EVENT_KEYS:
        raise RoundError(f"type must be one of {', '.join(EVENT_KEYS)}, got {_shown(kind)}", at)
    said = {key: value for key, value in event.items() if value is not None}
    _known(said, EVENT_KEYS[kind], f"the event {kind}", at)
    if kind == "draw":
        return Draw(at)
    seat = _seat(said.get("seat"), "seat", at)
    if kind == "leave":
        wall = said.get("wall_left")
        return Leave(at, seat, None if wall is None else _number(wall, "wall_left", 0, 136, at))
    source = said.get("from")
    if source is not None and _seat(source, "from", at) == seat:
        raise RoundError(f"seat {seat} gives itself the tile: from must be another seat", at)
    if kind == "kong":
        return _kong(at, said, seat, source)
    return _claim(at, said, hands[seat], seat, source, dealer)


def _kong(at: int, said: Mapping[str, Any], seat: int, feeder: int | None) -> Kong:
    kind = said.get("kind")
    if not isinstance(kind, str) or kind not in KONG_KINDS:
        raise RoundError(f"kind must be one of {', '.join(KONG_KINDS)}, got {_shown(kind)}", at)
    if (kind == "direct") != (feeder is not None):
        rule = "needs" if kind == "direct" else "has no"
        raise RoundError(f"a kong of the kind {kind} {rule} from, the seat that fed it", at)
    if "fresh" in said and kind != "added":
        raise RoundError(f"fresh is said of added kongs, this one is {kind}", at)
    fresh = _boolean(said.get("fresh", True), "fresh", at)
    return Kong(at, seat, kind, _tile(said.get("tile"), at), feeder, fresh)


def _claim(
    at: int, said: Mapping[str, Any], waiting: Hand, seat: int, discarder: int | None, dealer: int
) -> _Claim:
    flags = set(_flags(said.get("flags", ()), at))
    tile: int | None
    given = _hand(said["hand"], "hand", at) if "hand" in said else None
    if given is not None:
        flags |= {flag for flag in FLAGS if getattr(given, flag)}
        tile = given.win_tile
    if "tile" in said:
        named = None if said["tile"] == WILD else _tile(said["tile"], at)
        if given is not None and named != tile:
            raise RoundError("tile and the winning tile of hand differ", at)
        tile = named
    elif given is None:
        raise RoundError("a win needs the tile, or the hand with it", at)
    if discarder is None:
        flags.add("self_drawn")
    elif "self_drawn" in flags:
        raise RoundError(f"self_drawn, but the tile is from seat {discarder}", at)
    elif tile is None:
        raise RoundError("a wild tile can win when it is drawn only", at)
    for flag, wrong in (("heavenly", seat != dealer), ("earthly", seat == dealer)):
        if flag in flags and wrong:
            raise RoundError(f"{flag}, but the dealer is seat {dealer}", at)
    try:
        hand = won_hand(waiting, tile, **dict.fromkeys(flags, True))
    except EvaluatorError as error:
        raise RoundError(f"the win of seat {seat}: {error}", at) from None
    if given is not None and not _same_tiles(given, hand):
        raise RoundError(f"hand is not the hand of seat {seat} with the winning tile", at)
    fan = said.get("fan")
    if fan is not None:
        _number(fan, "fan", -1000, 10**6, at)
    separate = _boolean(said.get("separate", False), "separate", at)
    if separate and discarder is None:
        raise RoundError("separate is said of wins on a discard", at)
    return _Claim(Win(at, seat, hand, fan), discarder, tile, separate)


def _flags(given: Any, at: int) -> Iterable[str]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise RoundError(f"flags must be a list of names, got {_shown(given)}", at)
    for flag in given:
        if flag not in FLAGS:
            raise RoundError(f"no flag {_shown(flag)}: flags are {', '.join(FLAGS)}", at)
        yield flag


def _same_tiles(one: Hand, other: Hand) -> bool:
    return (one.concealed, sorted(one.melds), one.wilds, one.flowers) == (
        other.concealed,
        sorted(other.melds),
        other.wilds,
        other.flowers,
    )


OF_THE_TILE = ("kong", "kong_discard", "wall_last")
"""Flags that all who win with a tile must share."""


def _together(steps: Sequence[_Step]) -> list[Move]:
    """Wins on one discard as one move: those that stand side by side, unless one is separate."""
    moves: list[Move] = []
    for step in steps:
        if not isinstance(step, _Claim):
            moves.append(step)
            continue
        last = moves[-1] if moves else None
        if (
            isinstance(last, Wins)
            and step.discarder is not None
            and not step.separate
            and (last.discarder, last.tile) == (step.discarder, step.tile)
        ):
            for flag in OF_THE_TILE:
                if getattr(step.win.hand, flag) != last.has(flag):
                    raise RoundError(
                        f"the same discard with {flag} and without: all who win with a tile "
                        'share it (a later discard of the same tile is "separate")',
                        step.win.event,
                    )
            moves[-1] = Wins((*last.wins, step.win), last.discarder, last.tile)
        else:
            moves.append(Wins((step.win,), step.discarder, step.tile))
    return moves


def _mark_robbed(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Added kongs whose tile the next move wins with."""
    marked = list(moves)
    for at, (move, after) in enumerate(pairwise(moves)):
        if (
            isinstance(move, Kong)
            and move.kind == "added"
            and isinstance(after, Wins)
            and (after.discarder, after.tile) == (move.seat, move.tile)
            and after.has("kong")
        ):
            marked[at] = replace(move, robbed=True)
    return tuple(marked)


# --- the melds and the tiles


def _check_kongs(moves: Sequence[Move], hands: Sequence[Hand], played: Rules) -> None:
    """Each kong of an event is a meld of the seat, each kong meld has its event."""
    melds = [[_kind_and_tile(meld) for meld in hand.melds] for hand in hands]
    for move in moves:
        if not isinstance(move, Kong):
            continue
        kind = "pung" if move.robbed else KONG_KINDS[move.kind]
        if (kind, move.tile) not in melds[move.seat]:
            robbed = ", the kong being robbed" if move.robbed else ""
            raise RoundError(
                f"seat {move.seat} has no {kind.replace('_', ' ')} of {NAMES[move.tile]} "
                f"among its melds{robbed}",
                move.event,
            )
        if not move.robbed:
            melds[move.seat].remove((kind, move.tile))
    if played.fan_table:
        return  # no kong is paid for: who does not tell of it changes nothing
    for seat, rest in enumerate(melds):
        for kind, tile in rest:
            if "kong" in kind:
                raise RoundError(f"no event tells of the kong of {NAMES[tile]} of seat {seat}")


def _kind_and_tile(meld: Meld) -> tuple[str, int]:
    return meld.kind, meld.tile


def _check_tiles(moves: Sequence[Move], hands: Sequence[Hand], played: Rules) -> None:
    """No tile is on the table five times; a discard that several win is there once."""
    held = [sum(copies) for copies in zip(*(hand.owned for hand in hands), strict=True)]
    wilds = sum(map(_wilds, hands))
    limits = [COPIES] * KINDS
    turned = _turned(hands)
    wild = None
    if turned is not None and played.wilds.kind == "next":
        limits[turned] -= 1
        wild = turned // 9 * 9 + (turned + 1) % 9
        held[wild] += wilds

    def check(event: int | None) -> None:
        if wilds > played.wilds.count:
            there = played.wilds.count
            raise RoundError(f"{wilds} wild tiles on the table: there are only {there}", event)
        for tile, copies in enumerate(held):
            if copies > limits[tile]:
                kind = "wild tile or not" if tile == wild else "the turned one apart"
                beside = f", {kind}" if tile in (wild, turned) else ""
                raise RoundError(
                    f"{copies} copies of {NAMES[tile]} on the table{beside}: "
                    f"there are only {limits[tile]}",
                    event,
                )

    check(None)
    for move in moves:
        if isinstance(move, Wins):
            wilds += move.tile is None
            tile = wild if move.tile is None else move.tile
            if tile is not None:
                held[tile] += 1
            check(move.event)


def _turned(hands: Sequence[Hand]) -> int | None:
    """The tile turned to name the wild one, the same for all who say it."""
    turned = {hand.indicator for hand in hands} - {None}
    if len(turned) > 1:
        raise RoundError("the hands name different turned tiles (indicator)")
    return next(iter(turned), None)
