"""Whole rounds, drawn at random and legal by construction: what holds for all of them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import pytest
import settlement_reference as reference
from hypothesis import given, settings
from hypothesis import strategies as st

import evaluator as ev
from evaluator.settlement.ledger import WIN_REASONS

SUITED = 27
SICHUAN = [
    name for name in ev.rules() if ev.rules(name).patterns and ev.rules(name).kinds == SUITED
]
# Guobiao without its minimum: random hands hardly reach it
OTHERS = [ev.rules("dandong"), ev.rules("guobiao").replace(minimum=0)]
KONG_REASONS = ("direct_kong", "added_kong", "concealed_kong")


@dataclass
class Seat:
    """A hand in the making: what it waits for, which kongs its events must tell of."""

    hand: ev.Hand
    waits: list[int]
    kongs: list[dict[str, Any]] = field(default_factory=list)


def take(wall: Counter[int], tiles: list[int]) -> bool:
    """Take tiles off the wall if they are all there."""
    needed = Counter(tiles)
    if any(wall[tile] < count for tile, count in needed.items()):
        return False
    wall.subtract(needed)
    return True


def random_set(rng: random.Random, wall: Counter[int], suits: list[int]) -> tuple[str, int] | None:
    for _ in range(20):
        kind = rng.choice(["chow", "pung", "pung", "kong"])
        tile = 9 * rng.choice(suits) + rng.randrange(7 if kind == "chow" else 9)
        size = 4 if kind == "kong" else 3
        tiles = [tile, tile + 1, tile + 2] if kind == "chow" else [tile] * size
        if take(wall, tiles):
            return kind, tile
    return None


def random_seat(rng: random.Random, wall: Counter[int], seat: int, max_suits: int = 2) -> Seat:
    """Three sets, melded or not, and four tiles that are ready or whatever the wall gives."""
    suits = rng.sample(range(3), max_suits if rng.random() < 0.9 else 5 - max_suits)
    melds, kongs = [], []
    counts = [0] * 34
    for _ in range(3):
        kind, tile = random_set(rng, wall, suits) or ("none", 0)
        if kind == "kong":
            how = rng.choice(["direct", "added", "concealed"])
            melds.append(ev.Meld("concealed_kong" if how == "concealed" else "kong", tile))
            kongs.append({"type": "kong", "seat": seat, "kind": how, "tile": tile})
            if how == "added" and rng.random() < 0.3:
                kongs[-1]["fresh"] = False
        elif kind == "pung" and rng.random() < 0.5:
            melds.append(ev.Meld("pung", tile))
        elif kind != "none":
            for at in (tile, tile + 1, tile + 2) if kind == "chow" else [tile] * 3:
                counts[at] += 1
    shape = rng.choice([[0, 0, 3, 3], [0, 0, 3, 4], [0, 0, 2, 3], [0, 0, 3, 4], []])
    tile = 9 * rng.choice(suits) + rng.randrange(5)
    pattern = [tile + step for step in shape]
    if all(at // 9 == tile // 9 for at in pattern) and take(wall, pattern):
        for at in pattern:
            counts[at] += 1
    while sum(counts) + 3 * len(melds) < 13:
        at = rng.choice([at for at in range(SUITED) for _ in range(wall[at])])
        wall[at] -= 1
        counts[at] += 1
    return Seat(ev.Hand(tuple(counts), tuple(melds)), [], kongs)


def random_round(rng: random.Random, name: str | ev.Rules) -> dict[str, Any]:
    """A round that may have been played under the rules."""
    rules = ev.rules(name)
    wall = Counter(dict.fromkeys(range(SUITED), 4))
    seats = [random_seat(rng, wall, seat, rules.max_suits) for seat in range(4)]
    for seat in seats:
        found = ev.wait_scores(seat.hand, rules).discard
        seat.waits = [tile for tile in range(SUITED) if found[tile] >= 0]
    events: list[dict[str, Any]] = []
    playing = {0, 1, 2, 3}
    winners_left = rules.settlement.winners_to_end

    def draw_kong(of: int | None = None) -> None:
        made = [s for s in sorted(playing) if seats[s].kongs and of in (None, s)]
        if made:
            event = seats[rng.choice(made)].kongs.pop()
            others = sorted(playing - {event["seat"]})
            if event["kind"] == "direct":
                event["from"] = rng.choice(others)
            events.append(event)

    def last_is_kong_of(seat: int) -> bool:
        return bool(events) and events[-1]["type"] == "kong" and events[-1]["seat"] == seat

    def draw_win() -> None:
        nonlocal winners_left
        able = [s for s in sorted(playing) if any(wall[t] > 0 for t in seats[s].waits)]
        if not able:
            return
        made_kong = [s for s in able if last_is_kong_of(s)]
        winner = rng.choice(made_kong if made_kong and rng.random() < 0.5 else able)
        if seats[winner].kongs:
            draw_kong(winner)
            return
        able = [s for s in able if not seats[s].kongs]
        tile = rng.choice([t for t in seats[winner].waits if wall[t] > 0])
        wall[tile] -= 1
        if rng.random() < (0.7 if last_is_kong_of(winner) else 0.4):
            flags = ["kong"] if last_is_kong_of(winner) else []
            events.append({"type": "win", "seat": winner, "tile": tile, "flags": flags})
            playing.remove(winner)
            winners_left -= 1
            return
        discarder = rng.choice(sorted(playing - {winner}))
        if events and events[-1]["type"] == "kong" and rng.random() < 0.5:
            discarder = events[-1]["seat"] if events[-1]["seat"] != winner else discarder
        flags = ["kong_discard"] if last_is_kong_of(discarder) and rng.random() < 0.7 else []
        holds_pung = ev.Meld("pung", tile) in seats[discarder].hand.melds
        if holds_pung and not seats[winner].hand.owned[tile]:
            events.append({"type": "kong", "seat": discarder, "kind": "added", "tile": tile})
            flags = ["kong"]
        winners = [s for s in able if s != discarder and tile in seats[s].waits]
        if flags == ["kong"]:
            winners = [s for s in winners if not seats[s].hand.owned[tile]]
        chosen = [s for s in winners if s == winner or rng.random() < 0.8]
        if not rules.settlement.several_winners:
            chosen = [min(chosen, key=lambda s: (s - discarder) % 4)]
        rng.shuffle(chosen)
        for seat in chosen:
            events.append(
                {"type": "win", "seat": seat, "from": discarder, "tile": tile, "flags": flags}
            )
            playing.remove(seat)
            winners_left -= 1
        # a later discard of the same tile is another one
        events.append({"type": "none"})

    for _ in range(rng.randrange(16)):
        if winners_left > 0:
            (draw_kong if rng.random() < 0.3 else draw_win)()
    while winners_left > 0 and any(seats[seat].kongs for seat in playing):
        draw_kong()
    untold = any(seat.kongs for seat in seats)
    if winners_left > 0 and rng.random() < 0.8:
        events.append({"type": "draw"})
    legal: list[dict[str, Any]] = []
    for at, event in enumerate(events):
        if event["type"] == "none":
            continue
        legal.append(event)
        after_gap = at > 0 and events[at - 1]["type"] == "none"
        if after_gap and event["type"] == "win" and "from" in event:
            legal[-1] = {**event, "separate": True}
    return {
        "rules": name,
        "dealer": rng.randrange(4),
        "hands": [str(seat.hand) for seat in seats],
        "events": legal,
        "piao": [rng.random() < 0.5 if rules.settlement.piao else False for _ in range(4)],
        "room": {"coefficient": rng.randrange(1, 100), "fee": rng.randrange(100)},
        "untold": untold,
    }


def with_luck_and_leavers(rng: random.Random, given: dict[str, Any]) -> dict[str, Any]:
    """The same round with what is rare: 天胡 and 地胡, the last tile, seats that leave."""
    events = [dict(event) for event in given["events"]]
    rules, wins = ev.rules(given["rules"]), [e for e in events if e["type"] == "win"]

    def of_one_tile(event: dict[str, Any]) -> list[dict[str, Any]]:
        found, at = [event], events.index(event)
        for other in events[at + 1 :] if "from" in event else []:
            if other.get("from") != event["from"] or other.get("tile") != event["tile"]:
                break
            if other["type"] != "win" or other.get("separate"):
                break
            found.append(other)
        return found

    if wins and events[0] is wins[0] and rng.random() < 0.5:
        first = of_one_tile(wins[0])
        closed = all("[" not in given["hands"][win["seat"]] for win in first)
        if "from" not in wins[0] and closed:
            given = given | {"dealer": rng.randrange(4)}
            blessed = given["dealer"] == wins[0]["seat"]
            wins[0]["flags"] = ["heavenly" if blessed else "earthly"]
        elif closed and rules.earthly_on_discard:
            given = given | {"dealer": wins[0]["from"]}
            for win in first:
                win["flags"] = ["earthly"]
    elif wins and rng.random() < 0.3:
        last = events[events.index(wins[-1]) + 1 :]
        group = next(group for win in wins if wins[-1] in (group := of_one_tile(win)))
        robbed = group[0]["flags"] == ["kong"] and "from" in group[0]
        if not robbed and all(event["type"] == "draw" for event in last):
            for win in group:
                win["flags"] = [*win["flags"], "wall_last"]
    ended = len(wins) >= rules.settlement.winners_to_end
    if events and events[-1]["type"] == "draw" and rng.random() < 0.3:
        seat = rng.choice([s for s in range(4) if s not in {win["seat"] for win in wins}])
        events[-1] = {"type": "leave", "seat": seat, "wall_left": rng.choice([None, 2, 4, 9])}
    for win in wins if rng.random() < 0.4 else []:
        at = events.index(win) + 1
        room = len(events) - (events[-1]["type"] in ("draw", "leave"))
        if ended:  # nobody leaves once the hand is decided
            room = events.index(next(w for w in wins if wins[-1] in of_one_tile(w)))
        if rng.random() < 0.5 and at <= room:
            events.insert(rng.randint(at, room), {"type": "leave", "seat": win["seat"]})
    return {**given, "events": events}


def compare(rng: random.Random, name: str | ev.Rules) -> str | None:
    """Settle a round twice; how it ended, None if not all its kongs were made."""
    given = random_round(rng, name)
    given["rules"] = name
    if given.pop("untold") and not ev.rules(name).fan_table:
        return None
    given = with_luck_and_leavers(rng, given)
    ledger, slow = ev.settle(given), reference.Resettled(given)
    assert list(ledger.totals) == slow.totals, given
    assert sum(slow.totals) == 0
    assert (ledger.end, ledger.next_dealer) == (slow.end, slow.next_dealer), given
    for seat, state in enumerate(ledger.seats):
        wanted = "won" if seat in slow.fans else "pig" if slow.is_pig(seat) else None
        wanted = wanted or ("ready" if slow.ready(seat) >= 0 else "not_ready")
        assert state.state == wanted, given
    return str(ledger.end)


@pytest.mark.parametrize("name", [*SICHUAN, *OTHERS], ids=lambda rules: ev.rules(rules).name)
def test_settled_again_from_the_texts(name):
    for seed in range(SEEDS):
        compare(random.Random(f"{name} {seed}"), name)


def house(rng: random.Random) -> ev.Rules:
    """A preset whose settlement differs in a few knobs, as no preset has them together."""
    knobs: dict[str, list[Any]] = {
        "kong_direct_others": [0, 1],
        "kong_robbed_pays": [False, True],
        "refund_if_not_ready": [False, True],
        "pig_refunds": [False, True],
        "kong_discard": ["transfer", "refund", "none"],
        "pig": [0, 7, "max(4 fan)"],
        "pig_receivers": ["non_pigs", "all"],
        "pig_pays_winners": [False, True],
        "pig_also_dajiao": [False, True],
        "dajiao": ["max", "min", "off"],
        "discard_pays": ["discarder", "discarder_for_all"],
        "fed_kong_win_pays": ["all", "feeder"],
        "fed_kong_discard_pays": ["discarder", "feeder"],
        "winners_to_end": [1, 2, 3],
        "escape": [0, 3],
        "escape_last": [0, 4],
        "winner_leaves": ["keeps", "forfeits"],
        "piao": [(2, 4), (3, 5)],
        "piao_doubles": ["all", "wins"],
        "next_dealer": ["dice", "first_winner", "rotate", "next"],
        "multi_win_dealer": ["discarder", "first_winner"],
    }
    chosen = {key: rng.choice(values) for key, values in knobs.items() if rng.random() < 0.6}
    return ev.rules(rng.choice(SICHUAN)).replace(settlement={"piao": (2, 4), **chosen})


def test_house_rules_settled_again_from_the_texts():
    ends: Counter[str | None] = Counter()
    for seed in range(3 * SEEDS):
        rng = random.Random(f"house {seed}")
        ends[compare(rng, house(rng))] += 1
    assert min(ends[end] for end in ("wins", "draw", "leave", "None")) > 5


SEEDS = 25
"""Of each rule set; at length it was run with 900."""

rounds = st.builds(
    lambda seed, name: random_round(random.Random(seed), name),
    st.integers(0, 2**32),
    st.sampled_from(SICHUAN),
)


def played(given: dict[str, Any]) -> ev.Ledger | None:
    """The ledger; None of a round that ended before all its kongs were made."""
    given = dict(given)
    if given.pop("untold"):
        with pytest.raises(ev.RoundError, match="but no event reports it"):
            ev.settle(given)
        return None
    return ev.settle(given)


def won_at(ledger: ev.Ledger) -> dict[int, int]:
    return {won.seat: won.event for won in ledger.wins}


@given(rounds)
@settings(max_examples=300, deadline=None)
def test_what_holds_for_every_round(given):
    ledger = played(given)
    if ledger is None:
        return
    rules, pays = ledger.rules, ledger.rules.settlement
    # zero-sum, fees apart
    assert sum(ledger.totals) == 0
    assert sum(ledger.coins) == -4 * given["room"]["fee"]
    for seat in range(4):
        got = sum(e.amount for e in ledger.entries if e.payee == seat)
        paid = sum(e.amount for e in ledger.entries if e.payer == seat)
        assert ledger.totals[seat] == got - paid
    # nobody pays after winning, nor gets for later wins and kongs
    won = won_at(ledger)
    for entry in ledger.entries:
        assert entry.amount > 0
        assert entry.payer != entry.payee
        assert entry.event <= won.get(entry.payer, 10**6) or entry.payer not in won
        assert won.get(entry.payer, 10**6) >= entry.event
        if entry.reason in KONG_REASONS:
            assert won.get(entry.payee, 10**6) > entry.event
    # a win is what its hand is worth
    for win in ledger.wins:
        event = given["events"][win.event]
        hand = ev.Hand.parse(given["hands"][win.seat])
        counts = list(hand.concealed)
        counts[win.tile] += 1
        flags = dict.fromkeys(event["flags"], True)
        whole = hand.replace(
            concealed=tuple(counts), win_tile=win.tile, self_drawn="from" not in event, **flags
        )
        score = ev.score(whole, rules)
        assert win.fan == score.fan
        of_win = [e for e in ledger.entries if e.event == win.event and e.reason in WIN_REASONS]
        single = score.payment if {e.reason for e in of_win} == {"self_draw"} else score.points
        for entry in of_win:
            betting = given["piao"][entry.payer] + given["piao"][entry.payee]
            assert entry.amount == single * ([1, *pays.piao][betting] if betting else 1)
    # refunds equal income
    income: Counter[int] = Counter()
    for entry in ledger.entries:
        if entry.reason in KONG_REASONS:
            income[entry.payee] += entry.amount
    if pays.kong_discard != "transfer":
        for entry in ledger.entries:
            if entry.reason == "kong_refund":
                income[entry.payer] -= entry.amount
    handed_on = {e.payer for e in ledger.entries if e.reason == "kong_transfer"}
    refunded: Counter[int] = Counter()
    for entry in ledger.entries:
        if entry.reason == "refund":
            refunded[entry.payer] += entry.amount
    for seat in range(4):
        state = ledger.seats[seat].state
        refunds = state == "not_ready" or (
            state == "pig" and (pays.pig_refunds or pays.pig_also_dajiao)
        )
        if ledger.end == "draw" and pays.refund_if_not_ready and refunds:
            if seat not in handed_on:
                assert refunded[seat] == income[seat]
        else:
            assert refunded[seat] == 0


@given(rounds)
@settings(max_examples=100, deadline=None)
def test_order_of_simultaneous_winners_does_not_matter(given):
    ledger = played(given)
    if ledger is None:
        return
    turned: list[dict[str, Any]] = []
    number = 0

    def discard(event: dict[str, Any]) -> tuple[Any, ...]:
        """One key for the wins on one discard, another for every other event."""
        nonlocal number
        if event["type"] != "win" or "from" not in event or event.get("separate"):
            number += 1
        if event["type"] == "win" and "from" in event:
            return (event["from"], event["tile"], number)
        return (number,)

    for _, group in groupby(given["events"], discard):
        together = [dict(event) for event in group]
        separate = together[0].pop("separate", False)
        together.reverse()
        if separate:
            together[0]["separate"] = True
        turned += together
    again = ev.settle({**{k: v for k, v in given.items() if k != "untold"}, "events": turned})
    assert again.totals == ledger.totals
    assert again.next_dealer == ledger.next_dealer
    assert Counter(e[:4] for e in again.entries) == Counter(e[:4] for e in ledger.entries)


def test_rounds_are_worth_the_name():
    """Random rounds reach every reason that needs no leaving."""
    seen: Counter[str] = Counter()
    ends: Counter[str | None] = Counter()
    for seed in range(100 * len(SICHUAN)):
        ledger = played(random_round(random.Random(seed), SICHUAN[seed % len(SICHUAN)]))
        if ledger is not None:
            seen.update({entry.reason for entry in ledger.entries})
            ends[ledger.end] += 1
    assert {
        "self_draw", "discard", "robbed_kong", "fed_kong", *KONG_REASONS, "kong_transfer",
        "kong_refund", "pig", "ready_check", "refund",
    } <= set(seen)  # fmt: skip
    assert min(ends["wins"], ends["draw"], ends[None]) > 20
