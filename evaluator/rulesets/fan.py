"""The fan table of a rule set, and what becomes of the outcomes of a hand under it.

``guobiao_fan.toml`` is the table; a preset may leave fan out and exclude more. A
*word* says of an outcome (``tables/guobiao.py``) what the kernels must know: points,
which of its fan another side of the hand may exclude, and which it excludes there
(:mod:`evaluator.fantables` has the bits). A rule set is some 700 words; nothing is
compiled anew.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .. import fantables as ft
from ..errors import Code, RulesError
from ..recent import by_rules
from ..tables import load
from . import Rules

# which side of the hand a fan is seen from; those of the forms stand apart
SIDES = ("class", "honours", "win", "chows", "pungs", "shape")
NONE = 255
# what can be beside sets, beside seven pairs, and what stands alone
_FORMS_OF = (("组合龙", "九莲宝灯"), ("七对", "连七对"), ("十三幺", "七星不靠", "全不靠"))
# three chows and three pungs are more than four sets
_NEVER_BOTH = {"chows", "pungs"}


@dataclass(frozen=True, slots=True)
class FanRule:
    """One line of the fan table."""

    number: int
    chinese: str
    english: str
    value: int
    not_with: tuple[str, ...] = ()
    not_of_its_sets: tuple[str, ...] = ()
    not_once: tuple[str, ...] = ()

    @property
    def column(self) -> int:
        """Its place in counts of every fan."""
        return self.number - 1


class FanTable(NamedTuple):
    """The fan of a rule set, in the order of the book.

    Attributes
    ----------
    fans : tuple of FanRule
    needs_sets : frozenset of str
        Fan that seven pairs never have.
    """

    fans: tuple[FanRule, ...]
    needs_sets: frozenset[str]

    def by_column(self) -> dict[int, FanRule]:
        return {fan.column: fan for fan in self.fans}

    def by_name(self) -> dict[str, FanRule]:
        return {fan.chinese: fan for fan in self.fans}


def _fan_rule(line: dict[str, Any]) -> FanRule:
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in line.items()
    }
    return FanRule(**values)


def _check_switch(key: str, asked: tuple[str, ...], known: Collection[str]) -> None:
    """Refuse what the tables of the fan were not made for."""
    for name in asked:
        if name not in known:
            raise RulesError(Code.FIXED_FAN, key=key, value=name, choices=tuple(known))


@by_rules
def fan_table(rules: Rules) -> FanTable:
    """The fan table of a rule set.

    Raises
    ------
    RulesError
        The rule set has none, or names a fan that does not exist.

    Examples
    --------
    >>> import evaluator as ev
    >>> fan_table(ev.rules("guobiao")).fans[0].chinese
    '大四喜'
    >>> len(fan_table(ev.rules("guobiao_1998")).fans)
    81
    """
    if not rules.fan_table:
        raise RulesError(Code.NEEDS_SCORES, key="score", rules=rules.name)
    place = Path(__file__).parent / f"{rules.fan_table}.toml"
    try:
        read = tomllib.loads(place.read_text(encoding="utf-8"))
        lines, switches = read["fan"], read["switches"]
    except (OSError, KeyError, ValueError) as error:
        detail = f"{place}: {error!r}"
        raise RulesError(Code.FILE_UNREADABLE, key="fan_table", detail=detail) from None
    fans = [_fan_rule(line) for line in lines]
    names = {fan.chinese for fan in fans}
    more = dict(rules.not_with)
    for fan in fans:
        unknown = {*fan.not_with, *fan.not_of_its_sets, *fan.not_once} - names
        if unknown:
            raise RulesError(Code.UNKNOWN_FAN, key="fan_table", choices=sorted(unknown))
    _check_switch("without", rules.without, switches["without"])
    _check_switch("needs_sets", rules.needs_sets, switches["needs_sets"])
    _check_switch("not_with", tuple(more), switches["not_with"])
    for fan_name, others in more.items():
        _check_switch(f"not_with of {fan_name}", others, switches["not_with"][fan_name])
    kept = tuple(
        FanRule(
            fan.number,
            fan.chinese,
            fan.english,
            fan.value,
            (*fan.not_with, *more.get(fan.chinese, ())),
            fan.not_of_its_sets,
            fan.not_once,
        )
        for fan in fans
        if fan.chinese not in rules.without
    )
    return FanTable(kept, frozenset(rules.needs_sets))


class _Words:
    """Makes the words of one rule set."""

    def __init__(self, table: FanTable) -> None:
        self.fans = table.by_name()
        self.order = {fan.chinese: place for place, fan in enumerate(table.fans)}
        self.names = {fan.column: fan.chinese for fan in table.fans}
        self.needs_sets = table.needs_sets
        arrays = load("guobiao.npz")
        self.lists = {
            side: [
                [self.names[c] for c in row if c in self.names]
                for row in arrays[f"{side}_outcomes"].tolist()
            ]
            for side in SIDES
        }
        self.honour_pair = arrays["honour_pair"].tolist()
        self.lists["forms"] = [name.split() for name in ft.FORMS]
        self.lists["pairs"] = [
            [name for name in fans if name not in self.needs_sets and name != "全双刻"]
            for fans in self.lists["class"]
        ]
        self.has: dict[tuple[tuple[str, ...], str], int] = {}
        self.bits = self._find_bits()

    def settle(self, fans: Iterable[str]) -> list[str]:
        """The fan of a list that none of the others excludes, the most valuable first.

        A fan that is excluded excludes nothing: 四暗刻 takes 不求人, and 自摸 stays.
        """
        kept: list[str] = []
        excluded: set[str] = set()
        for name in sorted(fans, key=self.order.__getitem__):
            if name not in excluded:
                kept.append(name)
                excluded.update(self.fans[name].not_with)
        return kept

    def _revived(
        self, kept: list[str], fans: list[str], name: str, killers: Iterable[str]
    ) -> str | None:
        """What is there again when another side excludes ``name``."""
        without = self.settle([fan for fan in fans if fan != name])
        gone = set.intersection(*(set(self.fans[killer].not_with) for killer in killers))
        more = [fan for fan in without if fan not in kept and fan not in gone]
        if len(more) > 1:
            raise AssertionError(f"{name} hides {more}")
        return more[0] if more else None

    def _find_bits(self) -> dict[tuple[str, str | None], int]:
        """A bit for each fan that another side may exclude (and what it then reveals)."""
        together = [
            {**{side: self.lists[side] for side in SIDES}, "wait": [["单钓将"]]},
            {side: self.lists[side] for side in ("pairs", "win")},
            {"win": self.lists["win"]},
        ]
        for sides, forms in zip(together, _FORMS_OF, strict=True):
            sides["form"] = [name.split() for name in forms]
        found: dict[tuple[str, str | None], int] = {}
        for sides in together:
            for side, outcomes in sides.items():
                others = [name for name in sides if name != side and {name, side} != _NEVER_BOTH]
                killers = {fan for name in others for fans in sides[name] for fan in fans}
                for fans in outcomes:
                    kept = self.settle(fans)
                    for name in kept:
                        by = [killer for killer in killers if name in self.fans[killer].not_with]
                        if by and name not in ft.COUNTED:
                            key = (name, self._revived(kept, fans, name, by))
                            bit = found.setdefault(key, len(found))
                            if self.has.setdefault((tuple(fans), name), bit) != bit:
                                raise AssertionError(f"{name} hides one thing here, another there")
        if len(found) > ft.BITS:
            raise AssertionError(f"{len(found)} fan are excluded across sides")
        return found

    def word(self, fans: list[str], more_excluded: Iterable[str] = ()) -> int:
        kept = self.settle(fans)
        points = sum(self.fans[name].value for name in kept)
        word = points
        for name, shift in (("双同刻", ft.DOUBLES_SHIFT), ("幺九刻", ft.OUTERS_SHIFT)):
            word |= kept.count(name) << shift
        word |= (not {"一色三同顺", "三同刻"}.isdisjoint(kept)) << ft.TIES_SHIFT
        excluded = {victim for name in kept for victim in self.fans[name].not_with}
        excluded |= {*more_excluded}
        for name in kept:
            if (tuple(fans), name) in self.has:
                word |= 1 << ft.HAS_SHIFT + self.has[tuple(fans), name]
        for (name, _), bit in self.bits.items():
            if name in excluded:
                word |= 1 << ft.KILL_SHIFT + bit
        for bit, name in enumerate(ft.COUNTED):
            if name in excluded:
                word |= 1 << ft.COUNTED_SHIFT + bit
        return word

    def columns(self, fans: list[str]) -> list[tuple[int, int]]:
        """(column, count) of what is kept; those that are counted from the word are not."""
        kept = [name for name in self.settle(fans) if name not in ft.COUNTED]
        return [(self.fans[name].column, kept.count(name)) for name in dict.fromkeys(kept)]


@by_rules
def words(rules: Rules) -> npt.NDArray[np.uint8]:
    """The arena of words of a rule set (:data:`evaluator.fantables.WORDS`)."""
    table = fan_table(rules)
    maker = _Words(table)
    fans, lists = maker.fans, maker.lists
    arena = ft.aligned(ft.WORDS_SIZE)

    def part(name: str, count: int, dtype: Any) -> npt.NDArray[Any]:
        return ft.view(arena, ft.WORDS[name], count, dtype)

    for side, outcomes in lists.items():
        into = part(side, len(outcomes), np.uint64)
        stores = part(f"list_{side}", 8 * len(outcomes), np.uint16).reshape(-1, 8)
        stores[:] = ft.SPARE
        for number, found in enumerate(outcomes):
            # four chows are 平和 only with a pair of numbers
            more = ["平和"] if side == "honours" and maker.honour_pair[number] else []
            into[number] = maker.word(found, more)
            for place, (column, count) in enumerate(maker.columns(found)):
                stores[number, place] = column | count << 8
    part("wait", 1, np.uint64)[0] = maker.word(["单钓将"])
    # 九莲宝灯 is never without a pung of terminals
    once = fans["九莲宝灯"].not_once.count("幺九刻")
    part("forms", len(ft.FORMS), np.uint64)[ft.FORMS.index("九莲宝灯")] -= np.uint64(
        once * fans["幺九刻"].value
    )
    part("values", 8, np.uint64)[:] = (
        *(fans[name].value for name in ft.COUNTED),
        fans["无番和"].value,
        fans["花牌"].value,
        once,
        rules.minimum,
        ft.geometry().ctypes.data,
    )
    lost = part("lost", 1 << ft.BITS, np.uint16)
    undo = part("undo", 2 * ft.BITS, np.uint8).reshape(2, -1)
    undo[:] = ft.SPARE
    index = np.arange(1 << ft.BITS)
    for (name, revived), bit in maker.bits.items():
        value = fans[name].value - (fans[revived].value if revived else 0)
        lost[index >> bit & 1 > 0] += np.uint16(value)
        undo[0, bit] = fans[name].column
        if revived:
            undo[1, bit] = fans[revived].column
    return arena
