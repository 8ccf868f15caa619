"""What one win pays."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ..errors import Code, Reason, RoundError
from ..hands import FLAGS
from ..patternscores import PatternScore
from ..rulesets import Rules
from ..rulesets import rules as preset
from ..scores import Score
from . import given
from .moves import SEATS, next_after

NO_FLAGS = dict.fromkeys(FLAGS, False)
Amounts = tuple[int, int, int, int]


def fan_of(scored: Any) -> int:
    """Fan of a score, before a cap; of Guobiao the total, flowers included."""
    found: int = scored.total if hasattr(scored, "total") else scored.fan
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
    if not isinstance(scored, Score if played.fan_table else PatternScore):
        raise RoundError(Code.NOT_A_SCORE, value=scored, rules=played.name)
    if scored.reason != Reason.OK:
        raise RoundError(Code.NO_SCORE, name=scored.reason.name)
    if isinstance(scored, PatternScore) and scored.points != points_of(scored.fan, played):
        raise RoundError(Code.SCORE_OF_OTHER_RULES, value=scored, rules=played.name)
    if not scored.minimum_met:
        raise RoundError(Code.BELOW_MINIMUM, fan=fan_of(scored), least=played.minimum)


def payments(
    score: Any,
    winner: int | Sequence[int],
    discarder: int | None = None,
    rules: str | Rules | None = None,
    out: Collection[int] = (),
) -> Amounts:
    """What each of the four seats gets (or pays, below zero) for a win.

    Parameters
    ----------
    score : Score, PatternScore, or a sequence of them
        Of the complete hand with its flags; of several winners on one discard one each.
    winner : int or sequence of int
        Seat 0-3, or a seat for each score.
    discarder : int, optional
        Whose tile won; None: the winner drew it.
    rules : str, Rules or None
        A preset with scores, a path or a rule set; None: ``guobiao``.
    out : collection of int
        Seats that have won before: they pay no more (血战).

    Returns
    -------
    tuple of int
        Four amounts whose sum is zero.

    Raises
    ------
    RoundError
        A seat outside 0-3 or one that is out, a score below the minimum, several winners
        where the rules allow one.
    RulesError
        No such rule set.

    Notes
    -----
    With P the points of the win and B the basic points of the rule set (底分: Guobiao 8,
    Sichuan none): a self-draw gets P + B, and the bonus of a self-draw, of each; a discard
    P + B of the discarder and B of the others, or where the discarder pays for all (Dandong,
    一家包三家) everything of the discarder.

    Examples
    --------
    >>> import evaluator as ev
    >>> score = ev.score(ev.Hand.parse("123789s123789p3m3m"))
    >>> score.total, ev.payments(score, winner=0, discarder=2)
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
    points = scored.total if played.fan_table else scored.points
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
