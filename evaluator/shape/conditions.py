"""What a rule set with patterns asks of a win beside its shape, as numbers for the kernels.

The one place that says what wild tiles may be and what every win has: the scores
(:mod:`evaluator.scoring.sichuan.values`) and the questions of shape read the same numbers.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from ..errors import Code, HandError
from ..hands import Hand, wild_tile
from ..rulesets import Rules
from ..rulesets.records import CONDITIONS
from ..tiles import KINDS, SUITED, is_number
from .layout import WIN_HEAD


def win_numbers(rules: Rules) -> dict[str, int]:
    """The numbers of :data:`evaluator.shape.layout.WIN_HEAD` by name."""
    wilds = rules.wilds
    return {
        "max_suits": rules.max_suits,
        "min_suits": 3 if "all_suits" in rules.requires else 0,
        "chow_melds": rules.chow_melds,
        "seven_pairs": rules.seven_pairs,
        "kinds": rules.kinds,
        "requires": sum(1 << list(CONDITIONS).index(name) for name in set(rules.requires)),
        "wild_count": wilds.count,
        "wild_next": wilds.kind == "next",
        "wild_own_suit": not wilds.wild_ignores_suit,
        "fifth_copy": wilds.virtual_fifth_copy,
    }


@functools.lru_cache(maxsize=256)
def win_head(rules: Rules) -> npt.NDArray[np.int64]:
    """The head of an arena that has these numbers alone.

    Examples
    --------
    >>> import evaluator as ev
    >>> win_head(ev.rules("yibin"))[WIN_HEAD.index("wild_count")]
    np.int64(4)
    """
    numbers = win_numbers(rules)
    return np.array([numbers[name] for name in WIN_HEAD], np.int64)


def game_error(hand: Hand | None, rules: Rules) -> HandError:
    """The error of a hand whose wild tiles or turned tile cannot be in the game.

    hand : None where nothing tells which tile was turned
    """
    if hand is None or hand.indicator is None:
        return HandError(Code.NO_INDICATOR, rules=rules.name)
    owned, turned = hand.owned, hand.indicator
    if not is_number(turned) or owned[wild_tile(turned)]:
        return foreign(hand, rules)
    return HandError(Code.TURNED_FIVE_COPIES, tile=turned, count=owned[turned] + 1)


def foreign(hand: Hand, rules: Rules) -> HandError:
    """The error of a hand with a tile that is not in the game."""
    owned = hand.owned
    if rules.kinds == SUITED:
        for tile in range(SUITED, KINDS):
            if owned[tile]:
                return HandError(
                    Code.HONOUR_NOT_IN_GAME, tile=tile, count=owned[tile], rules=rules.name
                )
    turned = hand.indicator
    assert turned is not None
    if not is_number(turned):
        return HandError(Code.HONOUR_TURNED, tile=turned, rules=rules.name)
    tile = wild_tile(turned)
    return HandError(Code.NATURAL_WILD, tile=tile, count=owned[tile], turned=turned)
