"""Events as they are given, read into moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..errors import Code, EvaluatorError, RoundError
from ..hands import FLAGS, Hand
from . import given
from .moves import Draw, Kong, Leave, Move, Win, Wins, won_hand

EVENT_KEYS = {
    "kong": ("type", "seat", "kind", "tile", "from", "fresh"),
    "win": ("type", "seat", "from", "tile", "hand", "flags", "fan", "separate"),
    "draw": ("type",),
    "leave": ("type", "seat", "wall_left"),
}
KONG_KINDS = {"direct": "kong", "added": "kong", "concealed": "concealed_kong"}
"""Kind of a kong and of the meld it leaves."""


def read_moves(events: Any, hands: Sequence[Hand], dealer: int) -> tuple[Move, ...]:
    """The moves of a list of events; ``hands`` wait, with their seat winds."""
    if not isinstance(events, Sequence) or isinstance(events, str | bytes):
        raise RoundError(Code.NOT_A_LIST, key="events", value=events)
    steps = [_event(at, event, hands, dealer) for at, event in enumerate(events)]
    return _mark_robbed(_together(steps))


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
        raise RoundError(Code.NOT_A_TABLE, at, key="the event", value=event)
    kind = _one_of(event.get("type"), "type", EVENT_KEYS, at)
    said = {key: value for key, value in event.items() if value is not None}
    given.keys_known(said, EVENT_KEYS[kind], f"the event {kind}", at)
    if kind == "draw":
        return Draw(at)
    seat = given.seat(said.get("seat"), "seat", at)
    if kind == "leave":
        wall = said.get("wall_left")
        return Leave(
            at, seat, None if wall is None else given.number(wall, "wall_left", 0, 136, at)
        )
    source = given.seat(said["from"], "from", at) if "from" in said else None
    if source == seat:
        raise RoundError(Code.TILE_OF_ITS_OWN, at, seat=seat)
    if kind == "kong":
        return _kong(at, said, seat, source)
    return _claim(at, said, hands[seat], seat, source, dealer)


def _one_of(value: Any, name: str, choices: Iterable[str], at: int) -> str:
    if not isinstance(value, str) or value not in choices:
        raise RoundError(Code.NOT_A_CHOICE, at, key=name, value=value, choices=list(choices))
    return value


def _kong(at: int, said: Mapping[str, Any], seat: int, feeder: int | None) -> Kong:
    kind = _one_of(said.get("kind"), "kind", KONG_KINDS, at)
    if (kind == "direct") != (feeder is not None):
        code = Code.KONG_NEEDS_FROM if kind == "direct" else Code.KONG_WITHOUT_FEEDER
        raise RoundError(code, at, value=kind)
    if "fresh" in said and kind != "added":
        raise RoundError(Code.FRESH_OF_ADDED, at, value=kind)
    fresh = given.boolean(said.get("fresh", True), "fresh", at)
    return Kong(at, seat, kind, given.tile(said.get("tile"), at), feeder, fresh)


def _claim(
    at: int, said: Mapping[str, Any], waiting: Hand, seat: int, discarder: int | None, dealer: int
) -> _Claim:
    whole = given.hand(said["hand"], "hand", at) if "hand" in said else None
    tile = _winning_tile(at, said, whole)
    flags = set(_flags(said.get("flags", ()), at))
    if whole is not None:
        flags |= {flag for flag in FLAGS if getattr(whole, flag)}
    if discarder is None:
        flags.add("self_drawn")
    elif "self_drawn" in flags:
        raise RoundError(Code.DRAWN_FROM_SEAT, at, seat=discarder)
    elif tile is None:
        raise RoundError(Code.WILD_NOT_DRAWN, at)
    for flag, wrong, code in (
        ("heavenly", seat != dealer, Code.NOT_BY_DEALER),
        ("earthly", seat == dealer, Code.BY_DEALER),
        ("earthly", discarder not in (None, dealer), Code.NOT_FIRST_DISCARD),
    ):
        if flag in flags and wrong:
            raise RoundError(code, at, seat=dealer)
    try:
        hand = won_hand(waiting, tile, **dict.fromkeys(flags, True))
    except EvaluatorError as error:
        raise RoundError(Code.WIN_OF_SEAT, at, seat=seat, error=error) from None
    if whole is not None and _tiles_of(whole) != _tiles_of(hand):
        raise RoundError(Code.HAND_OF_ANOTHER, at, seat=seat)
    fan = given.number(said["fan"], "fan", -1000, 10**6, at) if "fan" in said else None
    separate = given.boolean(said.get("separate", False), "separate", at)
    if separate and discarder is None:
        raise RoundError(Code.SEPARATE_WHEN_DRAWN, at)
    return _Claim(Win(at, seat, hand, fan), discarder, tile, separate)


def _winning_tile(at: int, said: Mapping[str, Any], whole: Hand | None) -> int | None:
    """The tile of the event, or of its complete hand; None is a wild one."""
    if "tile" not in said:
        if whole is None:
            raise RoundError(Code.WIN_WITHOUT_TILE, at)
        return whole.win_tile
    tile = given.winning_tile(said["tile"], at)
    if whole is not None and tile != whole.win_tile:
        raise RoundError(Code.TILES_DIFFER, at)
    return tile


def _flags(names: Any, at: int) -> Iterable[str]:
    if isinstance(names, str | Mapping) or not isinstance(names, Iterable):
        raise RoundError(Code.NOT_NAMES, at, key="flags", value=names)
    for flag in names:
        if flag not in FLAGS:
            name = flag if isinstance(flag, str) else ""
            raise RoundError(
                Code.UNKNOWN_FLAG, at, key="flags", value=flag, name=name, choices=FLAGS
            )
        yield flag


def _tiles_of(hand: Hand) -> tuple[Any, ...]:
    return hand.concealed, sorted(hand.melds), hand.wilds, hand.flowers


OF_THE_TILE = ("kong", "kong_discard", "wall_last", "earthly")
"""Flags that all who win with a tile must share."""


def _together(steps: Sequence[_Step]) -> list[Move]:
    """Wins on one discard as one move: those that stand side by side, unless one is separate.

    Who has won may leave between them (001:79).
    """
    moves: list[Move] = []
    won: set[int] = set()
    at, last = 0, None  # the last move that is none of a winner who leaves
    for step in steps:
        if not isinstance(step, _Claim):
            moves.append(step)
            if not (isinstance(step, Leave) and step.seat in won):
                last = None
            continue
        won.add(step.win.seat)
        if (
            isinstance(last, Wins)
            and step.discarder is not None
            and not step.separate
            and (last.discarder, last.tile) == (step.discarder, step.tile)
        ):
            for flag in OF_THE_TILE:
                if getattr(step.win.hand, flag) != last.has(flag):
                    raise RoundError(Code.FLAG_NOT_SHARED, step.win.event, flag=flag)
            last = moves[at] = Wins((*last.wins, step.win), last.discarder, last.tile)
        else:
            at, last = len(moves), Wins((step.win,), step.discarder, step.tile)
            moves.append(last)
    return moves


def _mark_robbed(moves: Sequence[Move]) -> tuple[Move, ...]:
    """Added kongs whose tile the next move of play wins with."""
    marked = list(moves)
    for at, move in enumerate(moves):
        after = next((after for after in moves[at + 1 :] if not isinstance(after, Leave)), None)
        if (
            isinstance(move, Kong)
            and move.kind == "added"
            and isinstance(after, Wins)
            and (after.discarder, after.tile) == (move.seat, move.tile)
            and after.has("kong")
        ):
            marked[at] = replace(move, robbed=True)
    return tuple(marked)
