"""The division behind a score of Guobiao, found again from the record that the kernel took."""

from __future__ import annotations

import numpy as np

from ...engine.arena import view
from ...engine.tables import once
from ...hands import Hand, Meld
from ...rulesets import Rules
from ...shape.divisions import Division, ScoredDivision, decompose
from ...shape.layout import CHOW_COUNT
from ...tiles import SUITED
from . import layout as ft


@once
def _forms() -> dict[int, str]:
    from .kernels import outcomes as k

    pairs = (k.PAIRS, k.SHIFTED_PAIRS)
    knitted = (k.ALL_HONOURS, k.LESSER, k.LESSER_STRAIGHT)
    return {
        int(k.NO_FORM): "standard",
        int(k.NINE): "standard",
        int(k.KNITTED): "knitted_straight",
        int(k.ORPHANS_FORM): "thirteen_orphans",
        **{int(form): "seven_pairs" for form in pairs},
        **{int(form): "honours_and_knitted" for form in knitted},
    }


def find_division(
    hand: Hand, rules: Rules, form: int, record: int, names: set[str]
) -> ScoredDivision:
    """The division of a score: its pungs and chows are those of the record.

    form, record : of ``kernels.score.score_one``
    names : the fan of the score
    """
    named = _forms()[form]
    for division in decompose(hand, rules):
        if division.form == named and _has_record(division, record):
            return ScoredDivision(*division, _holder(division, hand, names))
    raise AssertionError(f"no division of {hand} has the record of its score")


def _has_record(division: Division, record: int) -> bool:
    if division.form not in ("standard", "knitted_straight"):
        return True
    keys = view(ft.geometry(), ft.GEOMETRY["key"], CHOW_COUNT, np.uint64).tolist()
    pungs, key = 0, 0
    for meld in division.sets:
        if meld.kind == "chow":
            key += keys[meld.id - 1]
        elif meld.tile < SUITED:
            pungs |= 1 << meld.tile
    chows = key & ((1 << 64 - ft.KEY_BIT) - 1)
    return bool(chows == record >> ft.KEY_BIT and pungs == record & ft.NUMBER_PUNGS)


def _holder(division: Division, hand: Hand, names: set[str]) -> Meld | str | None:
    """The set that holds the winning tile, in the way that gives the score."""
    if hand.heavenly:
        return None  # no tile is the winning one more than another
    tile = hand.win_tile
    assert tile is not None
    concealed = division.sets[len(hand.melds) :]
    chows = [meld for meld in concealed if meld.kind == "chow" and tile in meld.tiles]
    pungs = [meld for meld in concealed if meld.kind != "chow" and meld.tile == tile]
    if "边张" in names:
        chows = [meld for meld in chows if (meld.tile % 9, tile - meld.tile) in ((0, 2), (6, 0))]
    elif "坎张" in names:
        chows = [meld for meld in chows if tile == meld.tile + 1]
    elif "单钓将" in names:
        return "pair"
    if chows:
        return chows[0]
    if division.pair == tile:
        return "pair"
    return pungs[0] if pungs else "form"
