"""What is wrong with a hand in a game with patterns."""

from __future__ import annotations

from ...errors import Code, HandError, NotAWin, Reason
from ...hands import Hand, claimed_earthly
from ...rulesets import Rules
from ...shape.conditions import foreign, game_error
from ...shape.queries import is_win
from ...tiles import SUITED, SUITS


def refusal(hand: Hand, reason: Reason, rules: Rules) -> HandError | None:
    """The error of a hand for a Reason; None where every family says the same."""
    match reason:
        case Reason.NOT_IN_GAME:
            return foreign(hand, rules)
        case Reason.FIVE_COPIES | Reason.NO_INDICATOR:
            return game_error(hand, rules)
        case Reason.MELD_NOT_ALLOWED:
            chow = next(meld for meld in hand.melds if meld.kind == "chow")
            return HandError(Code.CHOW_NOT_ALLOWED, tile=chow.tile, rules=rules.name)
        case Reason.IMPOSSIBLE_FLAGS:
            return claimed_earthly(hand, rules.name)
        case Reason.TOO_MANY_SUITS:
            return _other_suits(hand, rules)
        case Reason.NOT_A_WIN if rules.requires and is_win(hand, rules.replace(requires=())):
            return NotAWin(
                Code.REQUIREMENT_NOT_MET,
                hand=str(hand),
                rules=rules.name,
                conditions=rules.requires,
            )
    return None


def _other_suits(hand: Hand, rules: Rules) -> HandError:
    held = {tile // 9 for tile in range(SUITED) if hand.owned[tile]}
    wilds = hand.wilds + sum(meld.wilds for meld in hand.melds)
    if wilds and hand.indicator is not None and not rules.wilds.wild_ignores_suit:
        held.add(hand.indicator // 9)
    suits = [SUITS[suit] for suit in sorted(held)]
    code = Code.TOO_MANY_SUITS
    if len(suits) <= rules.max_suits:
        code = Code.WILDS_OF_ANOTHER_SUIT
    elif wilds:
        code = Code.TOO_MANY_SUITS_WITH_WILDS
    return NotAWin(code, hand=str(hand), count=len(suits), suits=suits, most=rules.max_suits)
