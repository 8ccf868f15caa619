"""Every way to read a complete hand as sets and a pair, or as one of the special forms."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..errors import Code, HandError
from ..hands import Hand, Meld
from ..rulesets import Rules
from ..tiles import KINDS, KNITTED, NAMES, ORPHANS, SUITED
from .intake import Batch, taken
from .queries import is_win, kernels


class Division(NamedTuple):
    """One way to read a complete hand.

    Attributes
    ----------
    sets : tuple of Meld
        The hand's melds, then its concealed sets from the lowest tile on.
    pair : int or None
        Tile of the pair; None if the form has no single pair (seven pairs, 全不靠).
    form : str
        One of :data:`evaluator.tiles.FORMS`. A knitted straight lists only the sets
        beside its nine knitted tiles. The pair of thirteen orphans is the tile that
        is held twice.
    """

    sets: tuple[Meld, ...]
    pair: int | None
    form: str


class ScoredDivision(NamedTuple):
    """The division that gave a hand its score.

    Attributes
    ----------
    sets, pair, form
        As of :class:`Division`.
    holds_win : Meld, "pair", "form" or None
        The set that holds the winning tile, or the pair, or the special form; None if a
        wild tile was drawn, and for a dealt hand (``heavenly``) under Guobiao.
    wilds : tuple of int
        What each concealed wild tile stands for.
    """

    sets: tuple[Meld, ...]
    pair: int | None
    form: str
    holds_win: Meld | str | None
    wilds: tuple[int, ...] = ()

    def __str__(self) -> str:
        parts = [_meld_text(meld) for meld in self.sets]
        if self.pair is not None:
            parts.append(NAMES[self.pair][0] * 2 + NAMES[self.pair][1])
        text = f"{self.form}: {' '.join(parts)}" if parts else self.form
        if self.holds_win not in (None, "form"):
            where = self.holds_win
            text += f", won in {_meld_text(where) if isinstance(where, Meld) else where}"
        if self.wilds:
            text += f", wild tiles as {' '.join(NAMES[tile] for tile in self.wilds)}"
        return text


def _meld_text(meld: Meld) -> str:
    return "".join(NAMES[tile][0] for tile in meld.tiles) + NAMES[meld.tile][1]


def decompose(hand: Any, rules: str | Rules | None = None) -> list[Division]:
    """Every division of one complete hand.

    Parameters
    ----------
    hand : array_like of int, shape (34,) or (27,), Hand or str
    rules : str, Rules or None
        As for :func:`shanten`. It says which forms count and how many suits a hand may have.

    Returns
    -------
    list of Division
        Standard divisions first; empty if the hand is not complete.

    Raises
    ------
    HandError
        An invalid hand, or one with wild tiles.

    Examples
    --------
    >>> import evaluator as ev
    >>> for division in ev.decompose(ev.parse("111222333m11p"), "riichi"):
    ...     print([meld.kind for meld in division.sets], division.pair)
    ['pung', 'pung', 'pung'] 9
    ['chow', 'chow', 'chow'] 9
    """
    hand = taken(hand)
    batch = Batch(hand, rules)
    if batch.lead != ():
        raise HandError(Code.ONE_HAND_ONLY, query="decompose", shape=str(batch.lead))
    if batch.wilds[0] and batch._wilds_given[0]:
        wilds = int(batch._wilds_given[0])
        raise HandError(Code.WILDS_NOT_SUPPORTED, query="decompose", count=wilds)
    if not is_win(hand, batch.rules):
        return []
    melds = hand.melds if isinstance(hand, Hand) else ()
    counts = np.zeros(KINDS, np.int64)
    counts[: batch.width] = batch.row(0)
    size = int(counts.sum())
    found: list[Division] = []
    forms = batch.rules.forms
    if "standard" in forms:
        found += [Division((*melds, *sets), pair, "standard") for sets, pair in _divide(counts)]
    full = size == 14
    if full and "seven_pairs" in forms and not (counts % 2).any():
        found.append(Division((), None, "seven_pairs"))
    if full and "seven_different_pairs" in forms and (counts == 2).sum() == 7:
        found.append(Division((), None, "seven_different_pairs"))
    orphans = counts[list(ORPHANS)]
    if full and "thirteen_orphans" in forms and (orphans > 0).all() and orphans.sum() == 14:
        pair = ORPHANS[int(orphans.argmax())]
        found.append(Division((), pair, "thirteen_orphans"))
    for body in KNITTED:
        rest = counts.copy()
        rest[list(body)] -= 1
        if "knitted_straight" in forms and size in (14, 11) and (rest >= 0).all():
            found += [
                Division((*melds, *sets), pair, "knitted_straight") for sets, pair in _divide(rest)
            ]
    if full and "honours_and_knitted" in forms and (counts <= 1).all():
        held = set(np.flatnonzero(counts).tolist())
        if any(held <= {*body, *range(SUITED, KINDS)} for body in KNITTED):
            found.append(Division((), None, "honours_and_knitted"))
    return found


def _divide(counts: npt.NDArray[np.int64]) -> list[tuple[tuple[Meld, ...], int]]:
    """Every division of exactly these tiles into sets and a pair."""
    sets = int(counts.sum()) // 3
    out = np.empty((32, 5), np.uint8)
    n = kernels().divide.divide(counts.copy(), sets, out)
    if n > len(out):
        raise AssertionError("more divisions of a hand than there can be")
    divisions = []
    for row in out[:n].tolist():
        melds = tuple(
            Meld("chow", number // 7 * 9 + number % 7) if number < 21 else Meld("pung", number - 21)
            for number in row[:sets]
        )
        divisions.append((melds, row[4]))
    return divisions
