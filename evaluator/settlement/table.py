"""The table while a round is settled: who still plays, what has been paid, move by move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import Code, EvaluatorError, RoundError
from ..hands import Hand
from ..rulesets import Rules
from ..scoring import score, wait_scores
from ..tiles import KINDS, SUITED, suit_of
from .ledger import WIN_REASONS, Entry, Ledger, SeatState, Won, coins
from .moves import SEATS, Draw, Kong, Leave, Move, Win, Wins, next_after
from .passing import next_dealer
from .rounds import Round
from .wins import fan_of, payments, points_of

ENDINGS = {
    "wins": Code.ENDED_BY_WINS,
    "draw": Code.ENDED_BY_DRAW,
    "leave": Code.ENDED_BY_LEAVING,
}


@dataclass(slots=True, eq=False)
class PaidKong:
    """A kong and what it brought, for as long as it is the seat's own."""

    kong: Kong
    income: list[Entry]


class Table:
    """Plays the moves of a round; each method is a paragraph of the rules.

    Attributes
    ----------
    round : Round
    rules : Rules
    pays : Settlement
        That of the rules.
    entries : list of Entry
    won : dict of int
        The win of each seat that has won, in order.
    left : set of int
        Seats that have left.
    kongs : list of PaidKong
        Those whose income may still go back.
    end : str or None
        What ended the hand.
    first_wins : (list of int, int or None) or None
        Who won first, and who fed them: the next dealer may depend on it.
    wall_empty : bool
        Whether a win was with the last tile of the wall.
    first_round : bool
        Whether nothing but 天胡 and 地胡 has happened.
    """

    def __init__(self, game: Round) -> None:
        self.round = game
        self.rules = game.rules
        self.pays = game.rules.settlement
        self.entries: list[Entry] = []
        self.won: dict[int, Won] = {}
        self.left: set[int] = set()
        self.kongs: list[PaidKong] = []
        self.end: str | None = None
        self.first_wins: tuple[list[int], int | None] | None = None
        self.wall_empty = False
        self.first_round = True
        self._fans: dict[int, int] = {}

    def play(self) -> None:
        """Play all moves."""
        before: Move | None = None
        for move in self.round.moves:
            if self.end is not None:
                raise RoundError(ENDINGS[self.end], move.event)
            if self.wall_empty and isinstance(move, Kong | Wins):
                raise RoundError(Code.AFTER_LAST_TILE, move.event)
            match move:
                case Kong():
                    self.kong(move)
                case Wins():
                    self.wins(move, before)
                case Draw():
                    self.draw(move)
                case Leave():
                    self.leave(move)
            if not isinstance(move, Leave):  # who has won leaves: the others play on (001:79)
                before = move

    # --- who plays, who pays

    @property
    def playing(self) -> list[int]:
        """Seats that have neither won nor left."""
        return [seat for seat in SEATS if seat not in self.won and seat not in self.left]

    def must_play(self, seat: int, event: int) -> None:
        if seat in self.won:
            raise RoundError(Code.HAS_WON, event, seat=seat)

    def pay(self, payer: int, payee: int, amount: int, reason: str, event: int) -> None:
        """Move an amount as it is."""
        if amount:
            self.entries.append(Entry(payer, payee, amount, reason, event))

    def owe(self, payer: int, payee: int, amount: int, reason: str, event: int) -> None:
        """Pay a new debt: 飘 multiplies what two players owe each other."""
        betting = self.round.piao[payer] + self.round.piao[payee]
        doubled = betting and (self.pays.piao_doubles == "all" or reason in WIN_REASONS)
        factor = self.pays.piao[betting - 1] if doubled else 1
        self.pay(payer, payee, amount * factor, reason, event)

    # --- kongs: 刮风下雨

    def kong(self, kong: Kong) -> None:
        """Each pays at once who still plays; a robbed kong is none."""
        self.must_play(kong.seat, kong.event)
        self.first_round = False
        if kong.feeder is not None:
            self.must_play(kong.feeder, kong.event)
        if kong.robbed and not self.pays.kong_robbed_pays:
            return
        start = len(self.entries)
        for payer in self.playing:
            if payer != kong.seat:
                amount = self._kong_units(kong, payer) * self.rules.base
                self.owe(payer, kong.seat, amount, f"{kong.kind}_kong", kong.event)
        self.kongs.append(PaidKong(kong, self.entries[start:]))

    def _kong_units(self, kong: Kong, payer: int) -> int:
        if kong.kind == "concealed":
            return self.pays.kong_concealed
        if kong.kind == "added":
            return self.pays.kong_added if kong.fresh else self.pays.kong_added_late
        return self.pays.kong_direct if payer == kong.feeder else self.pays.kong_direct_others

    # --- wins

    def wins(self, wins: Wins, before: Move | None) -> None:
        """One win by drawing, or one or more on a discard."""
        payers = self.playing
        self._check_seats(wins)
        kong = self._kong_before(wins, before)
        feeder, reason = self._feeder(wins, kong)
        for win in wins.wins:
            won = self._won(win, wins)
            out = set(SEATS) - set(payers) | {w.seat for w in wins.wins if w is not win}
            try:
                balance = payments(won.score, win.seat, feeder, self.rules, out)
            except RoundError as error:
                raise error._with(event=win.event) from None
            for payer in payers:
                if balance[payer] < 0:
                    self.owe(payer, win.seat, -balance[payer], reason, win.event)
            self.won[win.seat] = won
        if kong is not None and wins.has("kong_discard"):
            self._take_back(kong, wins)
        self.first_wins = self.first_wins or ([win.seat for win in wins.wins], feeder)
        self.wall_empty = wins.has("wall_last")
        if len(self.won) >= self.pays.winners_to_end:
            self.end = "wins"

    def _check_seats(self, wins: Wins) -> None:
        """Who has won plays no more; one wins where several may not."""
        seats = [win.seat for win in wins.wins]
        for at, win in enumerate(wins.wins):
            self.must_play(win.seat, win.event)
            if win.seat in seats[:at]:
                raise RoundError(Code.WINS_TWICE, win.event, seat=win.seat)
        for flag in ("heavenly", "earthly"):
            # another may have won with its first tile, too, but not before the dealer
            if wins.has(flag) and (not self.first_round or (flag == "heavenly" and self.won)):
                raise RoundError(Code.NOT_FIRST_TURN, wins.event, flag=flag)
        self.first_round &= wins.has("heavenly") or wins.has("earthly")
        if wins.discarder is None:
            return
        self.must_play(wins.discarder, wins.event)
        first = next_after(wins.discarder, seats)
        if len(seats) > 1 and not self.pays.several_winners:
            wrong = next(win for win in wins.wins if win.seat != first)
            raise RoundError(Code.ONE_WINNER, wrong.event, rules=self.rules.name, seat=first)

    def _kong_before(self, wins: Wins, before: Move | None) -> Kong | None:
        """The kong that the win follows, if its flags say that there was one."""
        kong = before if isinstance(before, Kong) else None
        if not (wins.has("kong") or wins.has("kong_discard")):
            return None
        winner = wins.wins[0].seat
        maker = winner if wins.discarder is None else wins.discarder
        robbed = wins.has("kong") and wins.discarder is not None
        if kong is not None and kong.seat == maker and kong.robbed == robbed:
            return kong
        if self.rules.fan_table:
            return None  # kongs are not paid for and may go untold
        code = Code.NOT_AFTER_ADDED_KONG if robbed else Code.NOT_AFTER_KONG
        flag = "kong" if wins.has("kong") else "kong_discard"
        raise RoundError(code, wins.event, flag=flag, seat=maker)

    def _feeder(self, wins: Wins, kong: Kong | None) -> tuple[int | None, str]:
        """Whose discard it counts as, and what it is called."""
        feeder = None if kong is None else kong.feeder
        if wins.discarder is None:
            if feeder is not None and self.pays.fed_kong_win_pays == "feeder":
                return feeder, "fed_kong"
            return None, "self_draw"
        if (
            feeder is not None
            and self.pays.fed_kong_discard_pays == "feeder"
            and feeder not in {win.seat for win in wins.wins}
        ):
            return feeder, "fed_kong_discard"
        return wins.discarder, "robbed_kong" if wins.has("kong") else "discard"

    def _won(self, win: Win, wins: Wins) -> Won:
        """Score a win; check what the event says of it."""
        try:
            found = score(win.hand, self.rules)
        except EvaluatorError as error:
            raise RoundError(Code.WIN_OF_SEAT, win.event, seat=win.seat, error=error) from None
        fan = fan_of(found)
        if win.fan is not None and win.fan != fan:
            raise RoundError(Code.FAN_DIFFERS, win.event, seat=win.seat, fan=fan, value=win.fan)
        return Won(win.seat, wins.tile, wins.discarder, fan, found, win.event)

    def _take_back(self, kong: Kong, wins: Wins) -> None:
        """杠上炮: the income of the kong before goes to each winner, or back."""
        if self.pays.kong_discard == "none":
            return
        (paid,) = (paid for paid in self.kongs if paid.kong is kong)
        self.kongs.remove(paid)
        if self.pays.kong_discard == "refund":
            self._refund(paid, "kong_refund", wins.wins[-1].event)
            return
        income = sum(entry.amount for entry in paid.income)
        for win in wins.wins:
            self.pay(kong.seat, win.seat, income, "kong_transfer", win.event)

    def _refund(self, paid: PaidKong, reason: str, event: int) -> None:
        """To all who paid, but those who have left (001:81)."""
        for entry in paid.income:
            if entry.payer not in self.left:
                self.pay(entry.payee, entry.payer, entry.amount, reason, event)

    # --- the empty wall

    def draw(self, draw: Draw) -> None:
        """Flower pigs pay, those not ready pay those who are, kongs go back."""
        self.end = "draw"
        seats = self.playing
        pigs = [seat for seat in seats if self.is_pig(seat)]
        ready = [seat for seat in seats if self.ready_fan(seat) >= 0]
        checked = [
            seat
            for seat in seats
            if seat not in ready and (self.pays.pig_also_dajiao or seat not in pigs)
        ]
        for pig in pigs:
            for payee in self._fed_by_pigs(pig, pigs):
                self.owe(pig, payee, self._pig_amount(payee), "pig", draw.event)
        if self.pays.dajiao != "off":
            for payer in checked:
                for payee in ready:
                    self.owe(payer, payee, self._ready_points(payee), "ready_check", draw.event)
        if self.pays.refund_if_not_ready:
            for seat in sorted({*checked, *(pigs if self.pays.pig_refunds else ())}):
                for paid in self.kongs:
                    if paid.kong.seat == seat:
                        self._refund(paid, "refund", draw.event)

    def is_pig(self, seat: int) -> bool:
        """Three suits in hand, melds included; a wild tile has the suit the rules give it."""
        if not self.pays.pig:
            return False
        hand = self.round.hands[seat]
        suits = {suit_of(tile) for tile, n in enumerate(hand.concealed[:SUITED]) if n}
        suits |= {suit_of(meld.tile) for meld in hand.melds if meld.tile < SUITED}
        wilds = hand.wilds or any(meld.wilds for meld in hand.melds)
        if wilds and hand.indicator is not None and not self.rules.wilds.wild_ignores_suit:
            suits.add(suit_of(hand.indicator))
        return len(suits) == 3

    def _fed_by_pigs(self, pig: int, pigs: list[int]) -> list[int]:
        """Whom a pig pays."""
        return [
            seat
            for seat in SEATS
            if seat != pig
            and seat not in self.left
            and (self.pays.pig_pays_winners or seat not in self.won)
            and (self.pays.pig_receivers == "all" or seat not in pigs)
        ]

    def _pig_amount(self, payee: int) -> int:
        least = self.pays.pig_fan
        if least is None:
            return int(self.pays.pig) * self.rules.base
        won = self.won.get(payee)
        return points_of(max(least, won.fan if won else self.ready_fan(payee)), self.rules)

    def ready_fan(self, seat: int) -> int:
        """What the ready check counts for a seat's hand, -1 if it is not ready."""
        if seat not in self._fans:
            self._fans[seat] = _ready_fan(self.round.hands, seat, self.rules)
        return self._fans[seat]

    def _ready_points(self, seat: int) -> int:
        return points_of(self.ready_fan(seat), self.rules)

    # --- leaving

    def leave(self, leave: Leave) -> None:
        """Who has not won ends the hand and pays; who has won leaves the others playing."""
        seat, event = leave.seat, leave.event
        if seat in self.left:
            raise RoundError(Code.HAS_LEFT, event, seat=seat)
        if seat in self.won:
            self.left.add(seat)
            if self.pays.winner_leaves == "forfeits":
                for entry in self.entries[:]:
                    won = entry.payee == seat and entry.reason in WIN_REASONS
                    if won and entry.payer not in self.left:
                        self.pay(seat, entry.payer, entry.amount, "forfeit", event)
            return
        self.end = "leave"
        others = [other for other in self.playing if other != seat]
        penalty = dict.fromkeys(others, self.pays.escape * self.rules.base)
        if leave.wall_left is not None and leave.wall_left <= self.pays.escape_last:
            ready = [other for other in others if self.ready_fan(other) >= 0]
            check = {other: self._ready_points(other) for other in ready}
            penalty = max(penalty, check, key=lambda due: sum(due.values()))
        self.left.add(seat)
        for other, amount in penalty.items():
            self.owe(seat, other, amount, "escape", event)

    # --- the result

    def ledger(self) -> Ledger:
        """Everything that was paid."""
        totals = [0, 0, 0, 0]
        for entry in self.entries:
            totals[entry.payer] -= entry.amount
            totals[entry.payee] += entry.amount
        a, b, c, d = totals
        game = self.round
        of_room = None
        if game.coefficient is not None:
            of_room = coins((a, b, c, d), game.coefficient, game.fee)
        return Ledger(
            rules=self.rules,
            dealer=game.dealer,
            entries=tuple(sorted(self.entries, key=lambda entry: entry.event)),
            totals=(a, b, c, d),
            seats=tuple(map(self._state, SEATS)),
            wins=tuple(self.won.values()),
            end=self.end,
            next_dealer=self._next_dealer(),
            coins=of_room,
            fee=game.fee,
        )

    def _state(self, seat: int) -> SeatState:
        left = seat in self.left
        if seat in self.won:
            return SeatState("won", self.won[seat].fan, left)
        if self.is_pig(seat):
            return SeatState("pig", None, left)
        fan = self.ready_fan(seat)
        return SeatState("ready", fan, left) if fan >= 0 else SeatState("not_ready", None, left)

    def _next_dealer(self) -> int | None:
        if self.end is None or self.left:
            return None  # 001:47: when somebody is new, dice
        seats, feeder = self.first_wins or ((), None)
        return next_dealer(self.round.dealer, seats, feeder, self.rules)


def _ready_fan(hands: tuple[Hand, ...], seat: int, played: Rules) -> int:
    """Greatest (or least) fan of the waits of a hand, as the ready check has it; -1: none."""
    if played.fan_table:
        return int(wait_scores(hands[seat], played).discard.max())
    in_sight = np.zeros(KINDS, np.int64)
    for other, hand in enumerate(hands):
        if other != seat:
            in_sight += np.subtract(hand.owned, hand.concealed)
    return int(played.ready_max_fan(hands[seat], seen=in_sight))
