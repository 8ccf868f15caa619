"""A round as it is given: read and checked.

What can be said without knowing the order of play is refused here: keys and types, hands
that cannot be, kongs that the melds do not show, a tile used five times. What the order of
play forbids is refused where it is played (:mod:`evaluator.settlement.table`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import Code, RoundError
from ..hands import MAX_TILES, Hand
from ..rulesets import Rules, rules
from ..tiles import COPIES, KINDS
from . import given
from .events import KONG_KINDS, read_moves
from .moves import Kong, Move, Wins

ROUND_KEYS = ("rules", "dealer", "hands", "piao", "room", "events")
ROOM_KEYS = ("coefficient", "fee")


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


def read_round(said: Any) -> Round:
    """A round from a mapping or JSON text; :func:`evaluator.settle` says what it holds."""
    if isinstance(said, str | bytes | bytearray):
        said = _from_json(said)
    given.keys_known(said, ROUND_KEYS, "the round")
    said = {key: value for key, value in said.items() if value is not None}
    missing = [key for key in ("rules", "hands", "events") if key not in said]
    if missing:
        raise RoundError(Code.MISSING_KEY, key="the round", choices=missing)
    played = rules(said["rules"])
    if not (played.fan_table or played.patterns):
        raise RoundError(Code.ROUND_NEEDS_SCORES, rules=played.name)
    dealer = given.seat(said.get("dealer", 0), "dealer")
    four = enumerate(given.four(said["hands"], "hands"))
    hands = _under_one_tile(_hand_of_seat(seat, hand, played, dealer) for seat, hand in four)
    moves = read_moves(said["events"], hands, dealer)
    _check_kongs(moves, hands, played)
    _check_tiles(moves, hands, played)
    coefficient, fee = _room(said.get("room"))
    piao = _piao(said.get("piao"), played)
    return Round(played, dealer, hands, piao, coefficient, fee, moves)


def _from_json(text: str | bytes | bytearray) -> Any:
    try:
        return json.loads(text, object_pairs_hook=given.once)
    except (ValueError, RecursionError) as error:
        raise RoundError(Code.BAD_JSON, detail=str(error)) from None


def _piao(said: Any, played: Rules) -> tuple[bool, ...]:
    if said is None:
        return (False,) * 4
    piao = tuple(given.boolean(value, "piao") for value in given.four(said, "piao"))
    if any(piao) and not played.settlement.piao:
        raise RoundError(Code.NO_PIAO, rules=played.name)
    return piao


def _room(room: Any) -> tuple[int | None, int]:
    if room is None:
        return None, 0
    given.keys_known(room, ROOM_KEYS, "room")
    return (
        given.number(room.get("coefficient", 1), "the room's coefficient", 1, 10**9),
        given.number(room.get("fee", 0), "the room's fee", 0, 10**9),
    )


def _hand_of_seat(seat: int, value: Any, played: Rules, dealer: int) -> Hand:
    """A whole waiting hand that the rules know; its seat wind follows from the dealer."""
    hand = given.hand(value, f"hands[{seat}]")
    if hand.size + 3 * len(hand.melds) != MAX_TILES - 1:
        raise RoundError(Code.SIZE_OF_SEAT, seat=seat, count=hand.size, melds=len(hand.melds))
    if hand.flags:
        raise RoundError(Code.FLAGS_OF_SEAT, seat=seat)
    honours = [tile for tile in range(played.kinds, KINDS) if hand.owned[tile]]
    if honours:
        raise RoundError(Code.HONOUR_OF_SEAT, seat=seat, tile=honours[0], rules=played.name)
    if not played.chow_melds and any(meld.kind == "chow" for meld in hand.melds):
        raise RoundError(Code.CHOW_OF_SEAT, seat=seat, rules=played.name)
    if _wilds(hand) > played.wilds.count:
        count, most = _wilds(hand), played.wilds.count
        raise RoundError(Code.WILDS_OF_SEAT, seat=seat, count=count, rules=played.name, most=most)
    return hand.replace(seat_wind=(seat - dealer) % 4)


def _under_one_tile(hands: Iterable[Hand]) -> tuple[Hand, ...]:
    """Hands that all know the tile turned to name the wild one, if one of them does."""
    hands = tuple(hands)
    turned = {hand.indicator for hand in hands} - {None}
    if len(turned) > 1:
        raise RoundError(Code.TURNED_TILES_DIFFER)
    return tuple(hand.replace(indicator=tile) for tile in turned for hand in hands) or hands


def _wilds(hand: Hand) -> int:
    return hand.wilds + sum(meld.wilds for meld in hand.melds)


def _check_kongs(moves: Sequence[Move], hands: Sequence[Hand], played: Rules) -> None:
    """Each kong of an event is a meld of the seat, each kong meld has its event."""
    melds: list[list[tuple[str, int]]] = [
        [(meld.kind, meld.tile) for meld in hand.melds] for hand in hands
    ]
    for move in moves:
        if not isinstance(move, Kong):
            continue
        kind = "pung" if move.robbed else KONG_KINDS[move.kind]
        if (kind, move.tile) not in melds[move.seat]:
            code = Code.ROBBED_KONG_NOT_PUNG if move.robbed else Code.KONG_NOT_HELD
            if move.kind == "added" and ("pung", move.tile) in melds[move.seat]:
                code = Code.KONG_IS_PUNG
            raise RoundError(code, move.event, seat=move.seat, tile=move.tile, kind=kind)
        if not move.robbed:
            melds[move.seat].remove((kind, move.tile))
    if played.fan_table:
        return  # no kong is paid for: who does not tell of it changes nothing
    for seat, rest in enumerate(melds):
        for kind, tile in rest:
            if "kong" in kind:
                raise RoundError(Code.KONG_WITHOUT_EVENT, seat=seat, tile=tile)


def _check_tiles(moves: Sequence[Move], hands: Sequence[Hand], played: Rules) -> None:
    """No tile is on the table five times; a discard that several win is there once."""
    held = [sum(copies) for copies in zip(*(hand.owned for hand in hands), strict=True)]
    wilds = sum(map(_wilds, hands))
    limits = [COPIES] * KINDS
    turned = hands[0].indicator
    wild = None
    if turned is not None and played.wilds.kind == "next":
        limits[turned] -= 1
        wild = turned // 9 * 9 + (turned + 1) % 9
        held[wild] += wilds

    def check(event: int | None) -> None:
        if wilds > played.wilds.count:
            most = played.wilds.count
            raise RoundError(Code.WILDS_ON_TABLE, event, count=wilds, most=most)
        for tile, copies in enumerate(held):
            if copies > limits[tile]:
                code = Code.COPIES_OF_TURNED if tile == turned else Code.COPIES_ON_TABLE
                code = Code.COPIES_OF_WILD if tile == wild else code
                raise RoundError(code, event, tile=tile, count=copies, most=limits[tile])

    check(None)
    for move in moves:
        if isinstance(move, Wins):
            wilds += move.tile is None
            tile = wild if move.tile is None else move.tile
            if tile is not None:
                held[tile] += 1
            check(move.event)
