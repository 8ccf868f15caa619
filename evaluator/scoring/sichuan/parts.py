"""What a score under patterns is made of, and how its hand was read."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ...errors import HandError
from ...hands import FLAGS, Hand, Hands
from ...rulesets import Rules
from ...rulesets.flags import FLAGS as PATTERN_FLAGS
from ...shape.divisions import ScoredDivision
from ...tiles import COPIES, KINDS, SUITED
from ..results import Part, Score, Scores
from .divisions import find_division


def parts(score: Score, hand: Hand, rules: Rules) -> Iterator[Part]:
    """The lines of a score: its patterns, roots, kongs, then how the hand was won."""
    by_name = {pattern.name: pattern for pattern in rules.patterns}
    for name in score.patterns:
        pattern = by_name[name]
        yield Part(name, "", pattern.value)
        if pattern.eat and rules.gen:
            yield _eaten(rules, pattern.eat)
    if score.gens and rules.gen:
        yield _root(rules, score.gens)
    if score.kongs and rules.kong:
        yield _kong(rules, score.kongs)
    held = hand.wilds + sum(meld.wilds for meld in hand.melds)
    turned = 0 if hand.indicator is None else hand.owned[hand.indicator]
    how = (hand.self_drawn, hand.wall_last, hand.kong, hand.kong_discard)
    for holds, part in _circumstances(rules, *how, held, turned):
        if holds:
            yield part


def _eaten(rules: Rules, count: int = 1) -> Part:
    return Part("减根", "roots that are part of it", -rules.gen, count)


def _root(rules: Rules, count: int = 1) -> Part:
    return Part("根", "root", rules.gen, count)


def _kong(rules: Rules, count: int = 1) -> Part:
    return Part("杠", "kong", rules.kong, count)


def _circumstances(
    rules: Rules, drawn: Any, wall_last: Any, kong: Any, kong_discard: Any, held: Any, turned: Any
) -> Iterator[tuple[Any, Part]]:
    """(whether it holds, the part) of all that is worth something beside the patterns: of
    one hand, or with arrays of a batch."""
    addons, wilds = rules.addons, rules.wilds
    wild = "听用" if wilds.kind == "next" else "赖子"
    claimed = drawn == 0
    for holds, name, english, value in (
        (kong & drawn, "杠上花", "out on a kong's replacement tile", addons.gangshanghua),
        (kong_discard, "杠上炮", "on the discard after a kong", addons.gangshangpao),
        (kong & claimed, "抢杠", "robbed kong", addons.qianggang),
        (wall_last & drawn, "海底捞月", "last tile of the wall", addons.haidi_self),
        (wall_last & claimed, "海底炮", "last discard", addons.haidi_discard),
        (held > 0, wild, "wild tiles", wilds.wild_fan),
        (turned == COPIES - 1, "三张翻牌", "three of the turned tile", wilds.indicator_pung),
    ):
        if value:
            yield holds, Part(name, english, value)


def every_part(rules: Rules) -> tuple[Part, ...]:
    """All parts that a score may have."""
    eaten = rules.gen and any(pattern.eat for pattern in rules.patterns)
    nothing = (False, False, False, False, 0, 0)
    return (
        *(Part(pattern.name, "", pattern.value) for pattern in rules.patterns),
        *([_eaten(rules)] if eaten else []),
        *([_root(rules)] if rules.gen else []),
        *([_kong(rules)] if rules.kong else []),
        *(part for _, part in _circumstances(rules, *nothing)),
    )


def part_counts(scores: Scores, rules: Rules, hands: Hands | None) -> npt.NDArray[np.uint8]:
    """How often each part of :func:`every_part` is in the scores of a batch.

    Returns
    -------
    uint8[n, names]
    """
    n, patterns = len(scores.fan), rules.patterns
    columns = [(scores.pattern == number).any(axis=1) for number in range(len(patterns))]
    if rules.gen and any(pattern.eat for pattern in patterns):
        columns.append(sum(p.eat * has for p, has in zip(patterns, columns, strict=True)))
    columns += [scores.gens] if rules.gen else []
    columns += [scores.kongs] if rules.kong else []
    flags = np.zeros(n, np.uint16) if hands is None else hands.flags
    drawn, wall_last, kong, kong_discard = (
        flags >> FLAGS.index(name) & 1 > 0
        for name in ("self_drawn", "wall_last", "kong", "kong_discard")
    )
    held: Any = np.zeros(n, np.uint8)
    turned: Any = held
    if hands is not None:
        held = hands.wilds + hands.meld_wilds.sum(axis=1)
        turned = _copies_of_turned(hands)
    columns += [
        holds
        for holds, _ in _circumstances(rules, drawn, wall_last, kong, kong_discard, held, turned)
    ]
    found = np.stack(columns, axis=1).astype(np.uint8)
    found[scores.reason != 0] = 0
    return found


def _copies_of_turned(hands: Hands) -> npt.NDArray[np.int64]:
    """Natural copies of the turned tile in hand and melds, 0 where none was turned."""
    rows = np.flatnonzero(hands.indicator < KINDS)
    found = np.zeros(len(hands), np.int64)
    some = hands[rows]
    each = np.arange(len(rows))
    found[rows] = (some.concealed + some.meld_counts())[each, some.indicator]
    return found


def division(
    score: Score, hand: Hand, rules: Rules, score_all: Callable[[Hands], Scores]
) -> ScoredDivision | None:
    """A division that gives the score.

    score_all : scores hands under the same rule set
    """
    filled = _filled(score, hand, rules, score_all) if hand.wilds else hand
    if filled is None:
        return None
    found = find_division(filled, rules, score.patterns)
    if found is None:
        return None
    meant = zip(hand.concealed, filled.concealed, strict=True)
    wilds = tuple(t for t, (was, now) in enumerate(meant) for _ in range(now - was))
    return found._replace(wilds=wilds)


def _filled(
    score: Score, hand: Hand, rules: Rules, score_all: Callable[[Hands], Scores]
) -> Hand | None:
    """The hand with a tile for each concealed wild one that keeps the score.

    One after another: whatever tile of the best choice is put first, the rest of it is
    still there for the other wild tiles. Where it matters how the winning tile fits, and a
    wild one was drawn, it is the first.
    """
    wilds = rules.wilds
    if wilds.virtual_fifth_copy or not (wilds.wild_ignores_suit and wilds.wild_counts_for_gen):
        return None
    # natural tiles stand where wild ones were: what speaks of the turned tile or of the win
    # itself would not fit, and is no part of the patterns
    last = hand.last_tile and any("juezhang" in pattern.req for pattern in rules.patterns)
    hand = hand.replace(
        indicator=None, last_tile=last, wall_last=False, kong=False, kong_discard=False
    )
    wanted = (score.fan - score.addons, score.patterns, score.gens)
    drawn = hand.win_tile is None and needs_win_tile(rules)
    while hand.wilds:
        choices = []
        for tile in range(SUITED):
            counts = list(hand.concealed)
            counts[tile] += 1
            with contextlib.suppress(HandError):  # a fifth copy
                win = tile if drawn else hand.win_tile
                choices.append(
                    hand.replace(concealed=tuple(counts), wilds=hand.wilds - 1, win_tile=win)
                )
        found = score_all(Hands.from_hands(choices))
        same = [
            choice
            for choice, one in zip(choices, found, strict=True)
            if (one.fan - one.addons, one.patterns, one.gens) == wanted
        ]
        if not same:
            return None
        hand, drawn = same[0], False
    return hand


def needs_win_tile(rules: Rules) -> bool:
    """Whether a pattern of the rule set asks how the winning tile fits."""
    return any(PATTERN_FLAGS[name].win for pattern in rules.patterns for name in pattern.req)
