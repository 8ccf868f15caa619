"""Whether a seat may win, whether it must, and who deals next."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..errors import Code, HandError, NotAWin, RoundError
from ..hands import Hand
from ..rulesets import Rules
from ..scoring import score
from . import inputs as given
from .moves import next_after, won_hand
from .wins import NO_FLAGS, fan_of, scored_rules

LAST_FOUR = 4
"""The last tiles of the wall that the pass rule ``..._or_last4`` speaks of."""


def may_win(
    hand: Hand,
    tile: int | str,
    passed: Iterable[int | str | Hand] = (),
    rules: str | Rules | None = None,
    *,
    wall_left: int | None = None,
) -> bool:
    """Whether a waiting hand may win with a tile, given the wins that it passed (过水不胡).

    Parameters
    ----------
    hand : Hand
        3k+1 tiles, with the flags of this win: ``self_drawn`` if the tile is drawn,
        ``kong_discard``, ``kong`` ...
    tile : int or str
        Index 0-33 or name of the tile; ``"wild"``: a wild tile was drawn.
    passed : iterable of int, str or Hand, optional
        Wins that the seat passed since its last draw. A tile stands for a win of this hand
        without flags. Give the complete hand instead if a claim has changed the hand since, or
        if a flag made the win worth more. A tile that does not complete the hand is ignored.
    rules : str, Rules or None
        A preset with scores, a path or a rule set; None: ``guobiao``.
    wall_left : int, optional
        Tiles of the wall when the turn began, the one drawn in it counted.

    Returns
    -------
    bool
        Also False if the tile does not complete the hand, or the win is below the minimum.

    Raises
    ------
    HandError
        An invalid hand, or one that is not of 3k+1 tiles.
    RoundError
        The tile is not a tile, or it is a wild tile that was not drawn.

    Notes
    -----
    A passed win blocks every wait, not only the same tile (001:51-53). "More fan" means more than
    every passed win, before caps. A self-draw is always allowed, and so is a win that cannot be
    passed (:func:`must_win`).

    Examples
    --------
    >>> import evaluator as ev
    >>> hand = ev.Hand.parse("1112345678999s")
    >>> may_win(hand, "5s", rules="qq_sichuan"), may_win(hand, "5s", ["8s"], "qq_sichuan")
    (True, False)
    >>> may_win(hand, "1s", ["8s"], "qq_sichuan")  # a root more
    True
    """
    played = scored_rules(rules)
    if not isinstance(hand, Hand):
        raise RoundError(Code.NOT_A_HAND, key="hand", value=hand)
    if wall_left is not None:
        wall_left = given.number(wall_left, "wall_left", 0, 136)
    drawn = given.winning_tile(tile)
    if drawn is None and not hand.self_drawn:
        raise RoundError(Code.WILD_NOT_DRAWN)
    passed = given.many(passed, "passed")
    won = _fan(hand, drawn, played, {})
    if won is None:
        return False
    rule = played.settlement.pass_rule
    if rule == "none" or hand.self_drawn:
        return True
    fans = [
        _fan_of_win(one, played)
        if isinstance(one, Hand)
        else _fan(hand, given.tile(one), played, NO_FLAGS)
        for one in passed
    ]
    most = max((fan for fan in fans if fan is not None), default=None)
    if most is None or (wall_left is not None and must_win(wall_left, played)):
        return True
    if rule.endswith("or_last4") and wall_left is not None and wall_left <= LAST_FOUR:
        return True
    return "unless_higher" in rule and won > most


def _fan(hand: Hand, tile: int | None, played: Rules, flags: dict[str, bool]) -> int | None:
    """Fan of a waiting hand completed by a tile; None where that is no win."""
    if hand.is_complete_size:
        raise HandError(Code.NOT_WAITING, count=hand.size)
    if tile is not None and hand.owned[tile] == 4:
        return None
    return _fan_of_win(won_hand(hand, tile, **flags), played)


def _fan_of_win(hand: Hand, played: Rules) -> int | None:
    try:
        found = score(hand, played)
    except NotAWin:
        return None
    return fan_of(found) if found.minimum_met else None


def must_win(wall_left: int, rules: str | Rules | None = None) -> bool:
    """Whether a win cannot be passed: the last tiles of the wall (最后四张必胡).

    Parameters
    ----------
    wall_left : int
        Tiles of the wall when the turn began, the one drawn in it counted; 0: they are drawn.
    rules : str, Rules or None
        A preset with scores, a path or a rule set; None: ``guobiao``.

    Examples
    --------
    >>> must_win(4, "qq_sichuan"), must_win(5, "qq_sichuan"), must_win(1, "sbr_2025")
    (True, False, False)
    """
    wall_left = given.number(wall_left, "wall_left", 0, 136)
    last = scored_rules(rules).settlement.last_n_must_win
    return last > 0 and wall_left <= last


def next_dealer(
    dealer: int,
    winners: Collection[int] = (),
    discarder: int | None = None,
    rules: str | Rules | None = None,
) -> int | None:
    """The seat that deals the next hand; None if the dice decide.

    Parameters
    ----------
    dealer : int
        Seat 0-3 of this hand's dealer.
    winners : collection of int
        The seats that won first: one seat, several on one discard, or none after a draw.
    discarder : int, optional
        The seat that discarded the tile of that first win.
    rules : str, Rules or None
        A preset with scores, a path or a rule set; None: ``guobiao``.

    Notes
    -----
    ``first_winner``: after a draw the dealer stays (003:266, 004:33); of several who win at
    once the discarder deals, or the first winner in order of play after him.

    Examples
    --------
    >>> next_dealer(0, [1, 3], 2, "yibin"), next_dealer(0, [3], 2, "yibin")
    (2, 3)
    >>> next_dealer(0, [], None, "dandong"), next_dealer(0, [2], 1, "dandong")
    (0, 1)
    >>> next_dealer(0, [2], 1, "qq_sichuan") is None
    True
    """
    dealer = given.seat(dealer, "dealer")
    winners = given.seats(winners, "winners")
    discarder = None if discarder is None else given.seat(discarder, "discarder")
    if len(winners) > 1 and discarder is None:
        raise RoundError(Code.WINNERS_WITHOUT_DISCARDER)
    if discarder in winners:
        raise RoundError(Code.DISCARDER_WINS, seat=discarder)
    settlement = scored_rules(rules).settlement
    match settlement.next_dealer:
        case "dice":
            return None
        case "next":
            return (dealer + 1) % 4
        case "rotate":
            return dealer if not winners or dealer in winners else (dealer + 1) % 4
    if not winners:
        return dealer
    if len(winners) == 1 or discarder is None:
        return winners[0]
    if settlement.multi_win_dealer == "discarder":
        return discarder
    return next_after(discarder, winners)
