"""What the word of a hand is worth under a rule set of patterns: one small table.

A *word* (:mod:`evaluator.scoring.sichuan.layout`) says what holds of a hand in all its readings
together, or of one reading. Only the bits that the patterns of the rule set ask for make
the index of the table, so that it has some hundred entries; nothing is compiled anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ...engine.arena import (
    aligned,
    places,
    view,
)
from ...engine.recent import by_rules
from ...errors import Code, RulesError
from ...hands import FLAGS
from ...rulesets import Rules
from ...rulesets.records import Wilds
from ...shape.conditions import win_numbers
from ...tiles import SUITED
from . import layout as sg

Bits = npt.NDArray[np.bool_]

# what the kernels of unusual hands are told: None is not compiled
BY_SUITS, BY_DIVISIONS = (True, None), (None, True)

MOST_BITS = 18
MOST_FAN = 30_000
MOST_ADDONS = 127  # they are told in a byte
MOST_ROOTS = 4  # roots and kongs together: a hand of at most 18 tiles

# flags of a pattern: the bits of the word they need
_NEEDS = {
    "std": (sg.STANDARD,),
    "seven": (sg.SEVEN_PAIRS,),
    "pungs": (sg.PUNGS,),
    "flush": (sg.FLUSH,),
    "yaojiu": (sg.OUTSIDE,),
    "jiang": (sg.PUNGS, sg.ONLY_258),
    "jingou": (sg.PUNGS, sg.FOUR_MELDS),
    "hasgen": (sg.ROOT,),
    "luohan": (sg.FOUR_KONGS,),
    "menqing": (sg.CONCEALED,),
    "zhongzhang": (sg.SIMPLES,),
    "yitiaolong": (sg.STRAIGHT,),
    "yaojiu_sets": (sg.OUTSIDE_SETS,),
    "jiaxin": (sg.PLACE, sg.PLACE + 1, sg.PLACE + 2),
    "jiaxinwu": (sg.PLACE, sg.PLACE + 1, sg.PLACE + 2),
    "dandiao": (sg.PLACE, sg.PLACE + 1, sg.PLACE + 2),
    "bianzhang": (sg.PLACE, sg.PLACE + 1, sg.PLACE + 2),
    "self_drawn": (sg.SELF_DRAWN,),
    "claimed": (sg.SELF_DRAWN,),
    "heavenly": (sg.HEAVENLY,),
    "earthly": (sg.EARTHLY,),
    "juezhang": (sg.LAST_COPY,),
    "dealer": (sg.DEALER,),
    # conditions of every win
    "triplet_or_dragon_pair": (sg.TRIPLET,),
    "terminal": (sg.SIMPLES,),
    "open": (sg.CONCEALED,),
    "hand_one_only_pungs": (sg.PUNGS, sg.FOUR_MELDS),
}
# what only the divisions of a hand tell, one by one
_OF_DIVISIONS = {sg.STRAIGHT, sg.TRIPLET, sg.OUTSIDE_SETS, sg.PLACE}


@dataclass(frozen=True, eq=False)
class Combination:
    """The arena of a rule set and what its numbers mean.

    Attributes
    ----------
    arena : uint8[...]
    groups : tuple of int
        The groups of the rule set, in the order of the pattern columns.
    names : tuple of str
        Names of the patterns by their number.
    ways : BY_SUITS or BY_DIVISIONS
        How unusual hands are read: division by division where its patterns need every
        one, or wild tiles may stand for a fifth copy.
    singly : bool
        Whether every division of every hand counts.
    numbers : uint8[index, groups]
        The pattern of each group, 255 = none.
    """

    arena: npt.NDArray[np.uint8]
    groups: tuple[int, ...]
    names: tuple[str, ...]
    ways: tuple[bool | None, bool | None]
    singly: bool
    numbers: npt.NDArray[np.uint8]
    _told: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def patterns_at(self, index: int) -> tuple[str, ...]:
        """Names of the patterns at a place of the table."""
        found = self._told.get(index)
        if found is None:
            numbers = self.numbers[index].tolist()
            found = tuple(self.names[n] for n in numbers if n != sg.NO_PATTERN)
            self._told[index] = found
        return found


class _Reading(NamedTuple):
    """One way to read the hands of all words: where it exists, and its flags."""

    exists: Bits
    flags: dict[str, Bits]


def _bits_used(rules: Rules) -> list[int]:
    flags = {flag for pattern in rules.patterns for flag in pattern.req}
    flags |= {condition for condition in rules.requires if condition in _NEEDS}
    bits = {sg.STANDARD, sg.SEVEN_PAIRS}.union(*(_NEEDS[flag] for flag in flags))
    if {sg.PUNGS, sg.OUTSIDE} <= bits:
        bits.add(sg.OUTSIDE_PUNGS)
    if len(bits) > MOST_BITS:
        raise RulesError(Code.TOO_MANY_CONDITIONS, key="patterns", count=len(bits), most=MOST_BITS)
    return sorted(bits)


def _takes_fan(rules: Rules) -> bool:
    """Whether a pattern may take fan away: a reading then counts with all that holds of it."""
    return any(pattern.value < pattern.eat * rules.gen for pattern in rules.patterns)


def _readings(word: npt.NDArray[np.uint32], rules: Rules) -> list[_Reading]:
    def bit(number: int) -> Bits:
        return (word >> np.uint32(number) & np.uint32(1)).astype(np.bool_)

    place = word >> np.uint32(sg.PLACE) & np.uint32(7)
    of_hand = {
        "flush": bit(sg.FLUSH),
        "hasgen": bit(sg.ROOT),
        "luohan": bit(sg.FOUR_KONGS),
        "menqing": bit(sg.CONCEALED),
        "open": ~bit(sg.CONCEALED),
        "zhongzhang": bit(sg.SIMPLES),
        "terminal": ~bit(sg.SIMPLES),
        "heavenly": bit(sg.HEAVENLY),
        "earthly": bit(sg.EARTHLY),
        "self_drawn": bit(sg.SELF_DRAWN),
        "claimed": ~bit(sg.SELF_DRAWN),
        "juezhang": bit(sg.LAST_COPY),
        "dealer": bit(sg.DEALER),
        "yitiaolong": bit(sg.STRAIGHT),
        "yaojiu_sets": bit(sg.OUTSIDE_SETS),
        "triplet_or_dragon_pair": bit(sg.TRIPLET),
        "jiaxin": (place == sg.MIDDLE) | (place == sg.MIDDLE_FIVE),
        "jiaxinwu": place == sg.MIDDLE_FIVE,
        "dandiao": place == sg.IN_PAIR,
        "bianzhang": place == sg.EDGE,
    }
    never, always = np.zeros(len(word), np.bool_), np.ones(len(word), np.bool_)
    standard = bit(sg.STANDARD)
    found = []
    for pungs, outside, exists in (
        # the one that says most comes first: of equal fan it is the one that is told
        (always, always, standard & bit(sg.OUTSIDE_PUNGS)),
        (always, never, standard & bit(sg.PUNGS)),
        (never, always, standard & bit(sg.OUTSIDE)),
        (never, never, standard),
    ):
        if _takes_fan(rules):  # the word is that of one division
            exists = standard & (bit(sg.PUNGS) == pungs) & (bit(sg.OUTSIDE) == outside)
        flags = of_hand | {
            "std": always,
            "seven": never,
            "pungs": pungs,
            "yaojiu": outside,
            "jiang": pungs & bit(sg.ONLY_258),
            "jingou": pungs & bit(sg.FOUR_MELDS),
            "hand_one_only_pungs": pungs | ~bit(sg.FOUR_MELDS),
        }
        found.append(_Reading(exists, flags))
    of_sets = (
        "std", "pungs", "yaojiu", "yaojiu_sets", "jiang", "jingou", "luohan", "yitiaolong",
    )  # fmt: skip
    flags = of_hand | dict.fromkeys(of_sets, never) | {"seven": always}
    flags["hand_one_only_pungs"] = always
    found.append(_Reading(bit(sg.SEVEN_PAIRS), flags))
    for reading in found:
        for condition in rules.requires:
            if condition in reading.flags:
                reading.exists[:] &= reading.flags[condition]
    return found


def _worth(rules: Rules, reading: _Reading, groups: tuple[int, ...]) -> tuple[Any, Any]:
    """(sum or product of the groups, number of the pattern of each group) of a reading."""
    size = len(reading.exists)
    product = rules.mode == "product"
    total = np.full(size, 1 if product else 0, np.int64)
    numbers = np.full((size, len(groups)), sg.NO_PATTERN, np.uint8)
    for column, group in enumerate(groups):
        best = np.full(size, np.iinfo(np.int64).min)
        net = np.full(size, 1 if product else 0, np.int64)
        for number, pattern in enumerate(rules.patterns):
            if pattern.group != group:
                continue
            has = np.ones(size, np.bool_)
            for flag in pattern.req:
                has &= reading.flags[flag]
            worth = pattern.value - (0 if product else pattern.eat * rules.gen)
            # the larger printed value decides between equal ones
            key = worth * 4096 + pattern.value
            better = has & (key > best)
            best[better] = key
            net[better] = worth
            numbers[better, column] = number
        # more than the most is refused: no product is let grow until it wraps around
        total = np.minimum(total * net, MOST_FAN + 1) if product else total + net
    return total, numbers


def _points(rules: Rules, fan: int) -> tuple[int, int, int]:
    """(points, payment on a discard, payment of a self-draw) of so many fan, exactly."""

    def of(fan: int) -> int:
        counted = fan if rules.cap is None else min(fan, rules.cap)
        if rules.mode != "exp":
            return rules.base * counted
        power = counted - rules.offset
        if power < 0 and rules.base % (1 << -power):
            raise RulesError(
                Code.FRACTIONAL_POINTS,
                key="offset",
                fan=counted,
                base=rules.base,
                divisor=1 << -power,
            )
        return rules.base << power if power >= 0 else rules.base >> -power

    points = of(fan)
    drawn = of(fan + 1) if rules.zimo == "jiafan" else points
    drawn += rules.base if rules.zimo == "jiadi" else 0
    if rules.cap is not None and rules.cap_self_draw:
        drawn = min(drawn, of(rules.cap))
    all_pay = 3 if rules.settlement.discard_pays == "discarder_for_all" else 1
    found = (points, points * all_pay, drawn)
    if max(map(abs, found)) >= 1 << 31:
        raise RulesError(Code.TOO_MANY_POINTS, key="cap", fan=fan)
    return found


def _addons(rules: Rules) -> npt.NDArray[np.int64]:
    """Fan for how a hand was won, by its flags."""
    flags = np.arange(1 << len(FLAGS))
    drawn, wall_last, kong, kong_discard = (
        flags >> FLAGS.index(name) & 1 > 0
        for name in ("self_drawn", "wall_last", "kong", "kong_discard")
    )
    addons = rules.addons
    found: npt.NDArray[np.int64] = (
        addons.gangshanghua * (drawn & kong)
        + addons.gangshangpao * kong_discard
        + addons.qianggang * (kong & ~drawn)
        + addons.haidi_self * (wall_last & drawn)
        + addons.haidi_discard * (wall_last & ~drawn)
    )
    return found


def _bounds(rules: Rules, fan: npt.NDArray[np.int64], addons: npt.NDArray[np.int64]) -> Any:
    """The least and the most fan a hand can have."""
    low, high = (int(fan.min()), int(fan.max())) if fan.size else (0, 0)
    least, most = int(addons.min()), int(addons.max())
    wilds: Wilds = rules.wilds
    if wilds.count:
        for more in (wilds.wild_fan, wilds.indicator_pung):
            least, most = least + min(more, 0), most + max(more, 0)
    if most > MOST_ADDONS or least < -MOST_ADDONS:
        raise RulesError(
            Code.ADDONS_OUT_OF_RANGE, key="addons", low=least, high=most, most=MOST_ADDONS
        )
    low, high = low + least, high + most + MOST_ROOTS * max(rules.gen, rules.kong)
    if high > MOST_FAN:
        raise RulesError(Code.TOO_MANY_FAN, key="patterns", most=MOST_FAN)
    return low, high


def _check_least(rules: Rules, fan: npt.NDArray[np.int64], numbers: Any, low: int) -> None:
    """No win may have less than 0 fan: -1 says that a hand is none.

    fan : of the patterns; only those that ask for roots or kongs are sure of what they eat
    """
    sure = np.zeros((sg.NO_PATTERN + 1, 2), bool)
    for number, pattern in enumerate(rules.patterns):
        sure[number] = "hasgen" in pattern.req, "luohan" in pattern.req
    if fan.size:
        held = sure[numbers].any(axis=1) @ np.array([rules.gen, 4 * rules.kong])
        least = low - int(fan.min()) + int((fan + held).min())
        if least < 0:
            raise RulesError(Code.NEGATIVE_FAN, key="patterns", fan=least)


@by_rules
def combination(rules: Rules) -> Combination:
    """The table of a rule set.

    Raises
    ------
    RulesError
        It has no patterns, or its points are out of range.

    Examples
    --------
    >>> import evaluator as ev
    >>> combination(ev.rules("qq_sichuan")).groups
    (0,)
    """
    if not rules.patterns:
        raise RulesError(Code.NEEDS_PATTERNS, key="patterns", rules=rules.name)
    used = _bits_used(rules)
    index = np.arange(1 << len(used), dtype=np.uint32)
    word = np.zeros(len(index), np.uint32)
    for place, number in enumerate(used):
        word |= (index >> np.uint32(place) & np.uint32(1)) << np.uint32(number)
    groups = tuple(sorted({pattern.group for pattern in rules.patterns}))
    if rules.mode == "product" and any(pattern.value < 1 for pattern in rules.patterns):
        raise RulesError(Code.FACTOR_BELOW_ONE, key="patterns")
    fan = np.full(len(index), sg.NO_WIN, np.int64)
    rows = np.full((len(index), len(groups) + 1), sg.NO_PATTERN, np.uint8)
    for number, reading in enumerate(_readings(word, rules)):
        total, numbers = _worth(rules, reading, groups)
        better = reading.exists & (total > fan)
        fan[better] = total[better]
        rows[better, :-1] = numbers[better]
        rows[better, -1] = number == 4
    addons = _addons(rules)
    wins = fan > sg.NO_WIN
    low, high = _bounds(rules, fan[wins], addons)
    points = [_points(rules, number) for number in range(low, high + 1)]
    _check_least(rules, fan[wins], rows[wins, :-1], low)
    of_divisions = rules.kinds > SUITED or not _OF_DIVISIONS.isdisjoint(used)
    of_divisions = of_divisions or _takes_fan(rules)
    sizes = {"fan": 2 * len(index), "patterns": rows.size, "points": 12 * len(points)}
    at, size = places(sizes)
    arena = aligned(sg.COMBINATION_SIZE + size)
    ignored = sum(1 << bit for bit in range(sg.FLUSH) if bit not in used) << sg.NOT_SHIFT
    _lay_head(arena, rules, len(groups), low, of_divisions, sg.PLACE in used, ignored, at)
    for half, name in enumerate(("low", "high")):
        of_half = view(arena, sg.COMBINATION[name], 1 << sg.HALF, np.uint32)
        value = np.arange(1 << sg.HALF)
        for place, number in enumerate(used):
            if number // sg.HALF == half:
                of_half |= ((value >> number % sg.HALF & 1) << place).astype(np.uint32)
    view(arena, sg.COMBINATION["addon"], len(addons), np.int16)[:] = addons
    view(arena, sg.COMBINATION_SIZE + at["fan"], len(index), np.int16)[:] = fan
    view(arena, sg.COMBINATION_SIZE + at["patterns"], rows.size, np.uint8)[:] = rows.ravel()
    view(arena, sg.COMBINATION_SIZE + at["points"], 3 * len(points), np.int32)[:] = np.ravel(points)
    names = tuple(pattern.name for pattern in rules.patterns)
    deep = of_divisions or rules.wilds.virtual_fifth_copy
    # what is filled in suit by suit has as much as can be; that is not always worth most
    deep = deep or (rules.wilds.count > 0 and "terminal" in rules.requires)
    ways = BY_DIVISIONS if deep else BY_SUITS
    return Combination(arena, groups, names, ways, of_divisions, rows[:, :-1])


def _lay_head(
    arena: npt.NDArray[np.uint8],
    rules: Rules,
    groups: int,
    lowest: int,
    of_divisions: bool,
    of_win_tile: bool,
    ignored: int,
    places: dict[str, int],
) -> None:
    from ...engine.tables import shape

    wilds = rules.wilds
    head: dict[str, int] = {
        "groups": groups,
        "gen": rules.gen,
        "kong": rules.kong,
        "lowest": lowest,
        "minimum": rules.minimum,
        "of_divisions": of_divisions,
        "of_win_tile": of_win_tile,
        "earthly_on_discard": rules.earthly_on_discard,
        "dead_wait": ("none", "concealed4", "own4", "visible4").index(rules.dead_wait),
        "smallest": rules.settlement.dajiao == "min",
        "wild_fan": wilds.wild_fan,
        "indicator_pung": wilds.indicator_pung,
        "natural_gens": not wilds.wild_counts_for_gen,
        "ignored": ignored,
        "signatures": sg.signatures().ctypes.data,
        "shape": shape().ctypes.data,
    }
    head |= win_numbers(rules)
    head |= {name: sg.COMBINATION_SIZE + place for name, place in places.items()}
    numbers = view(arena, sg.COMBINATION["head"], len(sg.HEAD), np.int64)
    numbers[:] = [head[name] for name in sg.HEAD]
