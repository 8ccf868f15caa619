"""What is wrong with a hand that has no score: the error for a Reason that a kernel gave."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import Code, HandError, NotAWin, Reason
from ..hands import Hand, wild_tile
from ..rulesets import Rules
from ..tiles import KINDS
from .families import Family
from .rows import Rows


def refusal(
    family: Family,
    rows: Rows,
    row: int,
    reason: Reason,
    rules: Rules,
    size: int,
    seen: Any = None,
) -> HandError:
    """The error of a row.

    Parameters
    ----------
    size : {13, 14}
        Tiles that the question is about.
    """
    try:
        hand = rows.hand(row)
    except HandError as error:  # what cannot be is no Hand
        found = error.alone()
    else:
        found = family.refusal(hand, reason, rules) or _common(
            hand, rows, row, reason, rules, size, seen
        )
    return found if rows.lead == () else found.at(row)


def _common(
    hand: Hand, rows: Rows, row: int, reason: Reason, rules: Rules, size: int, seen: Any
) -> HandError:
    held = hand.wilds + sum(meld.wilds for meld in hand.melds)
    if reason == Reason.NOT_A_WIN:
        return NotAWin(Code.NOT_COMPLETE, hand=str(hand))
    if reason == Reason.NO_WIN_TILE:
        return HandError(Code.NO_WIN_TILE)
    if reason == Reason.TOO_MANY_WILDS:
        code = Code.TOO_MANY_WILDS if rules.wilds.count else Code.NO_WILDS_IN_GAME
        return HandError(code, count=held, most=rules.wilds.count, rules=rules.name)
    if reason == Reason.BAD_SIZE:
        code = Code.SIZE_OF_SCORE if size == 14 else Code.SIZE_OF_WAIT_SCORES
        return HandError(code, count=hand.size, total=hand.size + 3 * len(hand.melds))
    if reason == Reason.SEEN_TOO_MANY:
        visible, step = rows.seen(seen)
        beside = np.zeros(KINDS, np.int64)
        beside[: rows.width] = visible[row if step else 0]
        total = np.array(hand.owned) + beside
        if rules.wilds.kind == "next" and hand.indicator is not None:
            total[wild_tile(hand.indicator)] += held
        tile = int(total.argmax())
        return HandError(Code.SEEN_TOO_MANY, tile=tile, count=int(total[tile]))
    raise AssertionError(f"{hand} was refused for {reason.name} and nothing is wrong with it")
