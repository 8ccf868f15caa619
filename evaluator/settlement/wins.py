"""What one win pays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ..errors import Code, Reason, RoundError
from ..hands import FLAGS
from ..rulesets import Rules
from ..rulesets import rules as preset
from ..scoring import Score
from . import inputs as given
from .moves import SEATS, next_after

NO_FLAGS = dict.fromkeys(FLAGS, False)
Amounts = tuple[int, int, int, int]


def fan_of(scored: Any) -> int:
    """Fan of a score, before a cap; of Guobiao the total, flowers included."""
    found: int = scored.fan
    return found


def points_of(fan: int, played: Rules) -> int:
    """What so many fan are worth, no bonus included: of hands that are compared, not won."""
    if played.cap is not None:
        fan = min(fan, played.cap)
    if played.mode != "exp":
        return played.base * fan
    doubled = fan - played.offset
    return played.base << doubled if doubled >= 0 else played.base >> -doubled


def refuse(scored: Any, played: Rules) -> None:
    """Refuse what is no score of the rule set, or one below its minimum."""
    of_family = isinstance(scored, Score) and bool(scored.rules.fan_table) == bool(played.fan_table)
    if not of_family:
        raise RoundError(Code.NOT_A_SCORE, value=scored, rules=played.name)
    if scored.reason != Reason.OK:
        raise RoundError(Code.NO_SCORE, name=scored.reason.name)
    if not played.fan_table and scored.points != points_of(scored.fan, played):
        raise RoundError(Code.SCORE_OF_OTHER_RULES, value=scored, rules=played.name)
    if not scored.minimum_met:
        raise RoundError(Code.BELOW_MINIMUM, fan=fan_of(scored), least=played.minimum)


def payments(
    score: Score | Sequence[Score],
    winner: int | Sequence[int],
    discarder: int | None = None,
    rules: str | Rules | None = None,
    out: Collection[int] = (),
) -> Amounts:
    """The amount that each of the four seats gets for a win, or pays if it is negative.

    Parameters
    ----------
    score : Score, or a sequence of them
        The score of the complete hand with its flags; one score for each winner if several
        win on one discard.
    winner : int or sequence of int
        Seat 0-3, or a seat for each score.
    discarder : int, optional
        The seat whose tile won; None if the winner drew it.
    rules : str, Rules or None
        A preset with scores, a path or a rule set; None: ``guobiao``.
    out : collection of int
        Seats that have won before and do not pay any more (血战).

    Returns
    -------
    tuple of int
        Four amounts whose sum is zero.

    Raises
    ------
    RoundError
        A seat is not 0-3 or is out, a score is below the minimum, or several players win and
        the rules allow one winner.
    RulesError
        No such rule set.

    Notes
    -----
    P are the points of the win, B the basic points of the rule set (底分: 8 under Guobiao,
    0 in Sichuan games). On a self-draw each of the others pays P + B and the bonus of a
    self-draw. On a discard the discarder pays P + B and the others pay B; if the discarder pays
    for all (Dandong, 一家包三家), the discarder pays everything.

    Examples
    --------
    >>> import evaluator as ev
    >>> score = ev.score(ev.Hand.parse("123789s123789p3m3m"))
    >>> score.fan, ev.payments(score, winner=0, discarder=2)
    (8, (32, -8, -16, -8))
    >>> ev.payments(ev.score(ev.Hand.parse("555666777p5556s7s|EE1000")), winner=3)
    (-56, -56, -56, 168)
    """
    played = scored_rules(rules)
    seats: Sequence[Any] = (winner,)
    scores = (score,)
    if isinstance(winner, Sequence) and not isinstance(winner, str | bytes):
        seats, scores = winner, tuple(given.many(score, "score"))
    winners = tuple(given.seats(seats, "winner"))
    out = {given.seat(seat, "out") for seat in given.many(out, "out")}
    discarder = None if discarder is None else given.seat(discarder, "discarder")
    if len(winners) != len(scores) or not winners:
        raise RoundError(Code.SCORES_AND_WINNERS, count=len(scores), winners=len(winners))
    if len(winners) > 1:
        if discarder is None:
            raise RoundError(Code.WINNERS_WITHOUT_DISCARDER)
        if not played.settlement.several_winners:
            first = next_after(discarder, winners)
            raise RoundError(Code.ONE_WINNER, rules=played.name, seat=first)
    if discarder in winners or discarder in out or out & set(winners):
        raise RoundError(Code.ALREADY_OUT)
    balance = [0, 0, 0, 0]
    payers = [seat for seat in SEATS if seat not in out and seat not in winners]
    for seat, scored in zip(winners, scores, strict=True):
        refuse(scored, played)
        for payer, amount in _shares(scored, payers, discarder, played):
            balance[payer] -= amount
            balance[seat] += amount
    return balance[0], balance[1], balance[2], balance[3]


def _shares(
    scored: Any, payers: Sequence[int], discarder: int | None, played: Rules
) -> list[tuple[int, int]]:
    """Who pays how much for one win."""
    points = scored.points
    basic = played.settlement.basic_points
    if discarder is None:
        each = basic + points + self_draw_bonus(fan_of(scored), played)
        return [(payer, each) for payer in payers]
    if played.settlement.discard_pays == "discarder_for_all":
        return [(discarder, (basic + points) * len(payers))]
    return [(payer, basic + points * (payer == discarder)) for payer in payers]


def self_draw_bonus(fan: int, played: Rules) -> int:
    """What each pays more for a self-draw: 加底 a base, 加番 the worth of one fan more."""
    points = points_of(fan, played)
    match played.zimo:
        case "jiadi":
            bonus = played.base
        case "jiafan":
            bonus = points_of(fan + 1, played) - points
        case _:
            return 0
    if played.cap is not None and played.cap_self_draw:
        return min(bonus, points_of(played.cap, played) - points)
    return bonus


def scored_rules(name: str | Rules | None) -> Rules:
    played = preset("guobiao" if name is None else name)
    if not (played.fan_table or played.patterns):
        raise RoundError(Code.NEEDS_SCORES, key="rules", rules=played.name)
    return played
