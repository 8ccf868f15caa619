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
from ...hands import FLAGS as HOW_WON
from ...rulesets import Rules
from ...rulesets.flags import BLOCKS, CHOWS, FLAGS, Flag
from ...rulesets.records import Wilds
from ...shape.conditions import win_numbers
from ...tiles import KINDS, SUITED
from . import layout as sg

Bits = npt.NDArray[np.bool_]

# what the kernels of unusual hands are told: None is not compiled
BY_SUITS, BY_DIVISIONS = (True, None), (None, True)

MOST_BITS = 18
MOST_FAN = 30_000
MOST_ADDONS = 127  # they are told in a byte
MOST_ROOTS = 4  # roots and kongs together: a hand of at most 18 tiles

# what the word says of flags, and of what a rule set requires: the bit, and whether it is set
_OF_HAND = {
    "flush": (sg.FLUSH, True),
    "hasgen": (sg.ROOT, True),
    "luohan": (sg.FOUR_KONGS, True),
    "menqing": (sg.CONCEALED, True),
    "open": (sg.CONCEALED, False),
    "zhongzhang": (sg.SIMPLES, True),
    "terminal": (sg.SIMPLES, False),
    "heavenly": (sg.HEAVENLY, True),
    "earthly": (sg.EARTHLY, True),
    "self_drawn": (sg.SELF_DRAWN, True),
    "claimed": (sg.SELF_DRAWN, False),
    "juezhang": (sg.LAST_COPY, True),
    "dealer": (sg.DEALER, True),
    "yitiaolong": (sg.STRAIGHT, True),
    "triplet_or_dragon_pair": (sg.TRIPLET, True),
}
# what is read from several bits, or differs between the readings of one word
_OF_READING = {
    "std": (sg.STANDARD,),
    "seven": (sg.SEVEN_PAIRS,),
    "pungs": (sg.PUNGS,),
    "yaojiu": (sg.OUTSIDE,),
    "jiang": (sg.PUNGS, sg.ONLY_258),
    "jingou": (sg.PUNGS, sg.FOUR_MELDS),
    "hand_one_only_pungs": (sg.PUNGS, sg.FOUR_MELDS),
}
_PLACES = {
    "edge": sg.EDGE, "middle": sg.MIDDLE, "middle_five": sg.MIDDLE_FIVE, "pair": sg.IN_PAIR,
}  # fmt: skip
_PLACE_BITS = tuple(range(sg.PLACE, sg.WORD_BITS))
# what only the divisions of a hand tell, one by one
_OF_DIVISIONS = {sg.STRAIGHT, sg.TRIPLET, sg.PLACE}


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


def _asked(rules: Rules) -> set[str]:
    """The flags and conditions that make a difference."""
    flags = {flag for pattern in rules.patterns for flag in pattern.req}
    return flags | (set(rules.requires) & {*_OF_HAND, *_OF_READING})


def _bits_of(name: str) -> tuple[int, ...]:
    """The bits of the word that tell whether a flag holds; none: the divisions do."""
    if name in FLAGS and FLAGS[name].win:
        return _PLACE_BITS
    return _OF_HAND[name][:1] if name in _OF_HAND else _OF_READING.get(name, ())


def _looked_up(rules: Rules) -> tuple[str, ...]:
    """Flags of which the word says nothing: each division is looked up set by set."""
    found = tuple(sorted(name for name in _asked(rules) if not _bits_of(name)))
    if len(found) > sg.MOST_LOOKED_UP:
        raise RulesError(
            Code.TOO_MANY_CONDITIONS, key="patterns", count=len(found), most=sg.MOST_LOOKED_UP
        )
    return found


def _bits_used(rules: Rules) -> list[int]:
    bits = {sg.STANDARD, sg.SEVEN_PAIRS}.union(*map(_bits_of, _asked(rules)))
    if {sg.PUNGS, sg.OUTSIDE} <= bits:
        bits.add(sg.OUTSIDE_PUNGS)
    count = len(bits) + len(_looked_up(rules))
    if count > MOST_BITS:
        raise RulesError(Code.TOO_MANY_CONDITIONS, key="patterns", count=count, most=MOST_BITS)
    return sorted(bits)


def _fields_of(flag: Flag) -> tuple[int, int, int]:
    """Bits of the sets, the pairs and the tiles of seven pairs with which a flag holds."""

    def fits(block: tuple[int, ...], kind: str) -> bool:
        return flag.tiles.issuperset(block) and BLOCKS[kind](block)

    sets = pairs = tiles = 0
    if flag.form != "seven_pairs":
        every = (*CHOWS, *((tile,) * 3 for tile in range(KINDS)))
        sets = sum(1 << number for number, block in enumerate(every) if fits(block, flag.sets))
        pairs = sum(1 << tile for tile in range(KINDS) if fits((tile, tile), flag.pair))
    if flag.form != "standard":
        tiles = sum(1 << tile for tile in flag.tiles)
    return sets, pairs, tiles


def _takes_fan(rules: Rules) -> bool:
    """Whether a pattern may take fan away: a reading then counts with all that holds of it."""
    return any(pattern.value < pattern.eat * rules.gen for pattern in rules.patterns)


def _readings(
    word: npt.NDArray[np.uint32], looked_up: dict[str, Bits], rules: Rules
) -> list[_Reading]:
    def bit(number: int) -> Bits:
        return (word >> np.uint32(number) & np.uint32(1)).astype(np.bool_)

    place = word >> np.uint32(sg.PLACE) & np.uint32(7)
    of_hand = looked_up | {name: bit(at) == there for name, (at, there) in _OF_HAND.items()}
    of_hand |= {
        name: np.isin(place, [_PLACES[where] for where in flag.win])
        for name, flag in FLAGS.items()
        if flag.win
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
    of_sets = (name for name, flag in FLAGS.items() if flag.form == "standard")
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
    flags = np.arange(1 << len(HOW_WON))
    drawn, wall_last, kong, kong_discard = (
        flags >> HOW_WON.index(name) & 1 > 0
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
    used, more = _bits_used(rules), _looked_up(rules)
    index = np.arange(1 << len(used) + len(more), dtype=np.uint32)
    bits = [(index >> np.uint32(place) & np.uint32(1)) for place in range(len(used) + len(more))]
    word = np.zeros(len(index), np.uint32)
    for number, bit in zip(used, bits, strict=False):
        word |= bit << np.uint32(number)
    looked_up = {name: bit > 0 for name, bit in zip(more, bits[len(used) :], strict=True)}
    groups = tuple(sorted({pattern.group for pattern in rules.patterns}))
    if rules.mode == "product" and any(pattern.value < 1 for pattern in rules.patterns):
        raise RulesError(Code.FACTOR_BELOW_ONE, key="patterns")
    fan = np.full(len(index), sg.NO_WIN, np.int64)
    rows = np.full((len(index), len(groups) + 1), sg.NO_PATTERN, np.uint8)
    for number, reading in enumerate(_readings(word, looked_up, rules)):
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
    of_divisions = of_divisions or _takes_fan(rules) or bool(more)
    sizes = {"fan": 2 * len(index), "patterns": rows.size, "points": 12 * len(points)}
    at, size = places(sizes)
    arena = aligned(sg.COMBINATION_SIZE + size)
    ignored = sum(1 << bit for bit in range(sg.FLUSH) if bit not in used) << sg.NOT_SHIFT
    _lay_head(
        arena, rules, at, groups=len(groups), lowest=low, of_divisions=of_divisions,
        of_win_tile=sg.PLACE in used, ignored=ignored, looked_up=len(more),
        looked_up_shift=len(used),
    )  # fmt: skip
    fields = [_fields_of(FLAGS[name]) for name in more]
    view(arena, sg.COMBINATION["looked_up"], 3 * len(more), np.uint64)[:] = np.ravel(fields)
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
    arena: npt.NDArray[np.uint8], rules: Rules, places: dict[str, int], **numbers: int
) -> None:
    from ...engine.tables import shape

    wilds = rules.wilds
    head: dict[str, int] = numbers | {
        "gen": rules.gen,
        "kong": rules.kong,
        "minimum": rules.minimum,
        "earthly_on_discard": rules.earthly_on_discard,
        "dead_wait": ("none", "concealed4", "own4", "visible4").index(rules.dead_wait),
        "smallest": rules.settlement.dajiao == "min",
        "wild_fan": wilds.wild_fan,
        "indicator_pung": wilds.indicator_pung,
        "natural_gens": not wilds.wild_counts_for_gen,
        "signatures": sg.signatures().ctypes.data,
        "shape": shape().ctypes.data,
    }
    head |= win_numbers(rules)
    head |= {name: sg.COMBINATION_SIZE + place for name, place in places.items()}
    of_head = view(arena, sg.COMBINATION["head"], len(sg.HEAD), np.int64)
    of_head[:] = [head[name] for name in sg.HEAD]
