"""A round settled again, slowly and from the rule texts: event by event, each looking back.

No code of the package but hands, rule sets as data and the Guobiao totals; what Sichuan
hands are worth says :mod:`sichuan_reference`.
"""

from __future__ import annotations

from typing import Any

import sichuan_reference as scorer
from sichuan_golden import DANDONG, PRESETS

import evaluator as ev
from evaluator.hands import Hand

SEATS = range(4)
Round = dict[str, Any]


class Resettled:
    """Totals of a round, what ended it and who deals next."""

    def __init__(self, given: Round) -> None:
        self.rules = ev.rules(given["rules"])
        self.pays = self.rules.settlement
        self.preset = {**PRESETS, "dandong": DANDONG}.get(self.rules.name)
        if self.preset is not None:
            self.preset = self.preset | {"settlement": self.pays.table()}
        self.given, self.events, self.dealer = given, given["events"], given["dealer"]
        self.hands = [
            Hand.parse(text).replace(seat_wind=(seat - self.dealer) % 4)
            for seat, text in enumerate(given["hands"])
        ]
        self.totals = [0, 0, 0, 0]
        self.of_wins: list[tuple[int, int, int]] = []
        self.income: dict[int, list[tuple[int, int]]] = {}
        self.fans: dict[int, int] = {}
        self.end: str | None = None
        for at, event in enumerate(self.events):
            getattr(self, event["type"])(at, event)
        if self.end is None and len(self.fans) >= self.pays.winners_to_end:
            self.end = "wins"
        self.next_dealer = self.who_deals_next()

    # --- looking back

    def before(self, at: int, kind: str) -> set[int]:
        return {e["seat"] for e in self.events[:at] if e["type"] == kind}

    def playing(self, at: int) -> list[int]:
        return [s for s in SEATS if s not in self.before(at, "win") | self.before(at, "leave")]

    def same_tile(self, at: int) -> list[int]:
        """The events of all wins with the tile of this one."""
        event = self.events[at]
        found = [at]
        if event.get("from") is None:
            return found
        plays = [i for i, e in enumerate(self.events) if e["type"] != "leave"]
        place = plays.index(at)

        def same(i: int) -> bool:
            other = self.events[i]
            return all(other.get(key) == event[key] for key in ("type", "from", "tile"))

        for i in reversed(plays[:place]):
            if not same(i) or self.events[found[0]].get("separate"):
                break
            found.insert(0, i)
        for i in plays[place + 1 :]:
            if not same(i) or self.events[i].get("separate"):
                break
            found.append(i)
        return found

    def kong_before(self, at: int) -> int | None:
        """The event of the kong that a win follows (001:79: leaving is no play)."""
        plays = [i for i in range(self.same_tile(at)[0]) if self.events[i]["type"] != "leave"]
        return plays[-1] if plays and self.events[plays[-1]]["type"] == "kong" else None

    def stake(self, a: int, b: int, of_win: bool) -> int:
        """004:61: 飘 of one doubles, of both quadruples."""
        betting = [self.given["piao"][a], self.given["piao"][b]].count(True)
        if not betting or not (of_win or self.pays.piao_doubles == "all"):
            return 1
        return self.pays.piao[betting - 1]

    def move(self, payer: int, payee: int, amount: int) -> None:
        self.totals[payer] -= amount
        self.totals[payee] += amount

    # --- what hands are worth

    def fan(self, hand: Hand) -> int:
        if self.preset is None:
            return ev.score(hand, self.rules).total
        return scorer.score(hand, self.preset)["fan"]

    def worth(self, fan: int) -> int:
        return fan if self.preset is None else scorer.points_of(fan, self.preset)

    def ready(self, seat: int) -> int:
        """Fan of the ready check, -1 for a hand that is not ready."""
        if self.preset is None:
            return int(ev.wait_scores(self.hands[seat], self.rules).discard.max())
        return scorer.ready_max_fan(self.hands[seat], self.preset)

    # --- the paragraphs

    def kong(self, at: int, event: dict[str, Any]) -> None:
        """001:27, 001:33; a robbed one brings nothing (001:35)."""
        plays = [e for e in self.events[at + 1 :] if e["type"] != "leave"]
        self.income[at] = []
        if plays and event["kind"] == "added" and plays[0]["type"] == "win":
            win = plays[0]
            robbed = win.get("from") == event["seat"] and "kong" in win["flags"]
            if robbed and win["tile"] == event["tile"] and not self.pays.kong_robbed_pays:
                return
        for payer in self.playing(at):
            if payer == event["seat"]:
                continue
            units = {
                "concealed": self.pays.kong_concealed,
                "added": self.pays.kong_added if event.get("fresh", True)
                else self.pays.kong_added_late,
                "direct": self.pays.kong_direct if payer == event.get("from")
                else self.pays.kong_direct_others,
            }[event["kind"]]  # fmt: skip
            amount = units * self.rules.base * self.stake(payer, event["seat"], False)
            self.move(payer, event["seat"], amount)
            self.income[at].append((payer, amount))

    def win(self, at: int, event: dict[str, Any]) -> None:
        seat, source, flags = event["seat"], event.get("from"), event["flags"]
        hand = self.hands[seat]
        counts = list(hand.concealed)
        counts[event["tile"]] += 1
        whole = hand.replace(
            concealed=tuple(counts),
            win_tile=event["tile"],
            **dict.fromkeys([*flags, *(["self_drawn"] if source is None else [])], True),
        )
        fan = self.fans[seat] = self.fan(whole)
        points = self.worth(fan)
        together = self.same_tile(at)
        winners = {self.events[i]["seat"] for i in together}
        kong = self.kong_before(at)
        fed = None
        if kong is not None and {"kong", "kong_discard"} & set(flags):
            fed = self.events[kong].get("from")
        shot = "kong_discard" in flags
        if fed is not None and not shot and self.pays.fed_kong_win_pays == "feeder":
            source = fed  # 003:260
        if fed is not None and shot and self.pays.fed_kong_discard_pays == "feeder":
            source = source if fed in winners else fed  # 004:40
        payers = [s for s in self.playing(together[0]) if s not in winners]
        basic = self.pays.basic_points
        if source is None:
            if self.rules.zimo == "jiadi":
                points += self.rules.base
            due = [(payer, points + basic) for payer in payers]
        elif self.pays.discard_pays == "discarder_for_all":
            due = [(source, points * len(payers))]
        else:
            due = [(payer, basic + points * (payer == source)) for payer in payers]
        for payer, amount in due:
            amount *= self.stake(payer, seat, True)
            self.move(payer, seat, amount)
            self.of_wins.append((payer, seat, amount))
        if not shot or kong is None or self.pays.kong_discard == "none":
            return
        shooter, income = self.events[kong]["seat"], self.income[kong]
        if self.pays.kong_discard == "transfer":  # 001:71, to each winner
            self.move(shooter, seat, sum(amount for _, amount in income))
        elif at == together[-1]:
            for payer, amount in income:
                if payer not in self.before(at, "leave"):
                    self.move(shooter, payer, amount)
        if at == together[-1]:
            self.income[kong] = []

    def is_pig(self, seat: int) -> bool:
        return self.pays.pig != 0 and len(scorer.suits_of(self.hands[seat].owned)) == 3

    def draw(self, at: int, event: dict[str, Any]) -> None:
        """001:37-43."""
        self.end = "draw"
        playing, left = self.playing(at), self.before(at, "leave")
        for seat in playing:
            pig = self.is_pig(seat)
            for other in SEATS:
                if other == seat or other in left:
                    continue
                if pig and (other in playing or self.pays.pig_pays_winners):
                    spared = other in playing and self.is_pig(other)
                    if not spared or self.pays.pig_receivers == "all":
                        amount = self.pig_amount(other) * self.stake(seat, other, False)
                        self.move(seat, other, amount)
                checked = self.ready(seat) < 0 and (not pig or self.pays.pig_also_dajiao)
                ready = self.ready(other) if checked and other in playing else -1
                if ready >= 0 and self.pays.dajiao != "off":
                    self.move(seat, other, self.worth(ready) * self.stake(seat, other, False))
            gives = self.pays.pig_refunds or self.pays.pig_also_dajiao if pig else (
                self.ready(seat) < 0
            )  # fmt: skip
            if gives and self.pays.refund_if_not_ready:
                for i, income in self.income.items():
                    for payer, amount in income if self.events[i]["seat"] == seat else ():
                        if payer not in left:
                            self.move(seat, payer, amount)

    def pig_amount(self, payee: int) -> int:
        if isinstance(self.pays.pig, int):
            return self.pays.pig * self.rules.base
        return self.worth(max(4, self.fans.get(payee, self.ready(payee))))

    def leave(self, at: int, event: dict[str, Any]) -> None:
        seat, left = event["seat"], self.before(at, "leave")
        if seat in self.before(at, "win"):
            if self.pays.winner_leaves == "forfeits":  # 003:191
                for payer, payee, amount in list(self.of_wins):
                    if payee == seat and payer not in left:
                        self.move(seat, payer, amount)
            return
        self.end = "leave"  # 001:75-77
        others = [s for s in self.playing(at) if s != seat]
        due = dict.fromkeys(others, self.pays.escape * self.rules.base)
        wall = event.get("wall_left")
        if wall is not None and wall <= self.pays.escape_last:
            check = {s: self.worth(self.ready(s)) for s in others if self.ready(s) >= 0}
            due = check if sum(check.values()) > sum(due.values()) else due
        for other, amount in due.items():
            self.move(seat, other, amount * self.stake(seat, other, False))

    def who_deals_next(self) -> int | None:
        if self.end is None or self.before(len(self.events), "leave"):
            return None
        rule = self.pays.next_dealer
        wins = [i for i, e in enumerate(self.events) if e["type"] == "win"]
        first = self.same_tile(wins[0]) if wins else []
        seats = [self.events[i]["seat"] for i in first]
        if rule == "dice":
            return None
        if rule == "next":
            return (self.dealer + 1) % 4
        if rule == "rotate":
            return self.dealer if not seats or self.dealer in seats else (self.dealer + 1) % 4
        if len(seats) < 2:
            return seats[0] if seats else self.dealer
        source, kong = self.events[first[0]]["from"], self.kong_before(first[0])
        if kong is not None and "kong_discard" in self.events[first[0]]["flags"]:
            fed = self.events[kong].get("from")
            if fed not in (None, *seats) and self.pays.fed_kong_discard_pays == "feeder":
                source = fed
        if self.pays.multi_win_dealer == "discarder":
            return source
        return next((source + step) % 4 for step in (1, 2, 3) if (source + step) % 4 in seats)
