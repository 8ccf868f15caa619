"""The parts of a rule set of the Sichuan kind: patterns, add-ons, wild tiles, settlement.

Each is a small frozen record with a strict reader: a key that does not exist, a value of
the wrong type and what cannot be are refused with the key and the reason.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from ..errors import Code, RulesError
from .flags import FLAGS

MODES = ("exp", "linear", "product")
ZIMO = ("none", "jiadi", "jiafan")
DEAD_WAITS = ("none", "concealed4", "own4", "visible4")

CONDITIONS = {
    "all_suits": "tiles of all three suits (三门齐)",
    "triplet_or_dragon_pair": "a pung or kong, or a pair of dragons (有横)",
    "terminal": "a terminal or an honour (有幺九)",
    "open": "an open meld (开门)",
    "hand_one_only_pungs": "with four melds, every set is a pung or kong (手把一)",
}
"""What a rule set may require of every win."""

_SETTLEMENT_CHOICES = {
    "kong_discard": ("transfer", "refund", "none"),
    "pig_receivers": ("non_pigs", "all"),
    "dajiao": ("max", "min", "off"),
    "discard_pays": ("discarder", "discarder_for_all"),
    "fed_kong_win_pays": ("all", "feeder"),
    "fed_kong_discard_pays": ("discarder", "feeder"),
    "pass_rule": (
        "none",
        "until_draw",
        "until_draw_unless_higher",
        "until_draw_unless_higher_or_last4",
    ),
    "piao_doubles": ("all", "wins"),
    "winner_leaves": ("keeps", "forfeits"),
    "next_dealer": ("dice", "first_winner", "rotate", "next"),
    "multi_win_dealer": ("discarder", "first_winner"),
}

T = TypeVar("T", bound="Record")


def whole(key: str, value: Any, low: int, high: int) -> int:
    """A whole number within bounds."""
    if type(value) is not int or not low <= value <= high:
        raise RulesError(Code.OUT_OF_RANGE, key=key, low=low, high=high, value=value)
    return value


def one_of(key: str, value: Any, allowed: Iterable[Any]) -> None:
    if not any(type(value) is type(choice) and value == choice for choice in allowed):
        raise RulesError(Code.NOT_A_CHOICE, key=key, choices=tuple(allowed), value=value)


def names(key: str, value: Any) -> tuple[str, ...]:
    """A list of names."""
    if not isinstance(value, tuple | list) or not all(isinstance(name, str) for name in value):
        raise RulesError(Code.NOT_NAMES, key=key, value=value)
    return tuple(value)


def printable(key: str, value: Any) -> None:
    """A name: it is shown in tables, on terminals."""
    if not isinstance(value, str) or not value or not value.isprintable():
        raise RulesError(Code.NOT_A_NAME, key=key, value=value)


def known(keys: Iterable[str], allowed: Iterable[str], where: str = "") -> None:
    """Refuse a key that does not exist; name the nearest one."""
    allowed = list(allowed)
    for key in keys:
        if key not in allowed:
            raise RulesError(Code.UNKNOWN_KEY, key=f"{where}{key}", name=str(key), choices=allowed)


@dataclass(frozen=True)
class Record:
    """A table of a rule set."""

    @classmethod
    def read(cls, value: Any, where: str, base: Self | None = None) -> Self:
        """A record from a table, what it leaves out taken from ``base`` or the defaults."""
        if isinstance(value, cls):
            return value
        if not isinstance(value, Mapping):
            raise RulesError(Code.NOT_A_TABLE, key=where, value=value)
        known(value, (field.name for field in dataclasses.fields(cls)), f"{where}.")
        try:
            return cls(**value) if base is None else dataclasses.replace(base, **value)
        except RulesError as error:
            raise error.under(f"{where}.") from None
        except TypeError:
            needed = [f.name for f in dataclasses.fields(cls) if f.default is dataclasses.MISSING]
            missing = [name for name in needed if name not in value]
            raise RulesError(Code.MISSING_KEY, key=where, choices=missing) from None

    def table(self) -> dict[str, Any]:
        """Its keys and values."""
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


@dataclass(frozen=True)
class Pattern(Record):
    """One pattern a win may have.

    Attributes
    ----------
    name : str
    value : int
        Fan (points where the rule set is linear, a factor where it multiplies).
    group : int
        Of the patterns of a group the one with the largest net value counts.
    req : tuple of str
        Flags that must hold together in one reading, of :data:`FLAGS`.
    eat : int
        Roots and kongs that its value already holds.
    """

    name: str
    value: int
    group: int = 0
    req: tuple[str, ...] = ()
    eat: int = 0

    def __post_init__(self) -> None:
        printable("name", self.name)
        whole("value", self.value, -1000, 1000)
        whole("group", self.group, 0, 15)
        whole("eat", self.eat, 0, 4)
        object.__setattr__(self, "req", names("req", self.req))
        for flag in self.req:
            if flag not in FLAGS:
                raise RulesError(
                    Code.UNKNOWN_FLAG, key="req", name=flag, choices=[*FLAGS], value=flag
                )


@dataclass(frozen=True)
class Addons(Record):
    """Fan for how a hand was won: 杠上花, 杠上炮, 抢杠, 海底 by oneself and on a discard."""

    gangshanghua: int = 0
    gangshangpao: int = 0
    qianggang: int = 0
    haidi_self: int = 0
    haidi_discard: int = 0

    def __post_init__(self) -> None:
        for key, value in self.table().items():
            whole(key, value, -1000, 1000)


@dataclass(frozen=True)
class Wilds(Record):
    """Wild tiles of a game.

    Attributes
    ----------
    count : int
        The most a hand can hold; 0: the game has none.
    kind : {"next", "extra"}
        The tile after the turned one (听用), or tiles beside the 27 kinds (红中).
    wild_fan : int
        Fan of a win with wild tiles, once.
    indicator_pung : int
        Fan of owning the three other copies of the turned tile.
    wild_ignores_suit : bool
        Whether the suit printed on a wild tile does not count for 缺门; for 三门齐 it never does.
    wild_counts_for_gen : bool
        Whether a root may hold wild tiles.
    virtual_fifth_copy : bool
        Whether a wild tile may stand for a fifth copy.
    inferred : tuple of str
        What the rule text leaves open and this rule set assumes.
    """

    count: int = 0
    kind: str = "next"
    wild_fan: int = 0
    indicator_pung: int = 0
    wild_ignores_suit: bool = True
    wild_counts_for_gen: bool = True
    virtual_fifth_copy: bool = False
    inferred: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        whole("count", self.count, 0, 8)
        one_of("kind", self.kind, ("next", "extra"))
        if self.kind == "next" and self.count > 4:
            raise RulesError(Code.TOO_MANY_NEXT_WILDS, key="count", value=self.count)
        whole("wild_fan", self.wild_fan, -1000, 1000)
        whole("indicator_pung", self.indicator_pung, -1000, 1000)
        for key in ("wild_ignores_suit", "wild_counts_for_gen", "virtual_fifth_copy"):
            one_of(key, getattr(self, key), (True, False))
        if self.kind == "extra" and not self.wild_ignores_suit:
            raise RulesError(Code.EXTRA_WILDS_HAVE_NO_SUIT, key="wild_ignores_suit")
        if self.kind == "extra" and self.indicator_pung:
            raise RulesError(Code.EXTRA_WILDS_TURN_NOTHING, key="indicator_pung")
        object.__setattr__(self, "inferred", names("inferred", self.inferred))


@dataclass(frozen=True)
class Settlement(Record):
    """Who pays what: amounts in units of the base.

    Attributes
    ----------
    basic_points : int
        What each of the other three pays for a win besides its points (底分).
    kong_direct, kong_added, kong_added_late, kong_concealed : int
        From the feeder; from each for an added kong made at once and made later; from each.
    kong_direct_others : int
        From each of those who did not feed a direct kong (擦挂).
    kong_robbed_pays : bool
        Whether a robbed kong is paid.
    refund_if_not_ready : bool
        Whether kong income goes back at a draw when the hand is not ready (退税).
    pig_refunds : bool
        Whether a flower pig gives kong income back, too.
    kong_discard : {"transfer", "refund", "none"}
        What becomes of a kong's income when the discard after it is won on (杠上炮).
    pig : int or str
        Units a flower pig pays; ``"max(4 fan)"``: the payee's greatest hand, at least as
        many fan. 0: there are no pigs, only hands that are not ready.
    pig_receivers : {"non_pigs", "all"}
        ``"all"``: the other pigs, too.
    pig_pays_winners : bool
        Whether a pig also pays those who have won before.
    pig_also_dajiao : bool
        Whether a pig also does what one that is not ready does: pay and give back.
    dajiao : {"max", "min", "off"}
        What those not ready pay those who are (查大叫).
    discard_pays : {"discarder", "discarder_for_all"}
    fed_kong_win_pays : {"all", "feeder"}
        A win on the replacement of a direct kong (点杠花).
    fed_kong_discard_pays : {"discarder", "feeder"}
        A win on the discard after a direct kong (杠上炮). Who wins with that tile feeds nobody.
    pass_rule : {"none", "until_draw", "until_draw_unless_higher",
                 "until_draw_unless_higher_or_last4"}
        After a win was passed (过水不胡).
    last_n_must_win : int
        A win with one of so many last tiles of the wall cannot be passed.
    several_winners : bool
        Whether several may win on one discard; if not, the first after the discarder does.
    winners_to_end : int
        Wins that end the hand.
    escape : int
        Units one who leaves pays each who has not won.
    escape_last : int
        With so few tiles in the wall one who leaves pays by the ready check if that is more.
    winner_leaves : {"keeps", "forfeits"}
        What becomes of the payments for a win when the winner leaves before the end.
    piao : tuple of int
        Factor with one of two players in 飘, and with both; empty: there is none.
    piao_doubles : {"all", "wins"}
        What 飘 multiplies: kongs, pigs and the ready check too, or wins alone.
    next_dealer : {"dice", "first_winner", "rotate", "next"}
        ``"rotate"``: the dealer stays after a win or a draw, else the next one deals;
        ``"next"``: the next one always.
    multi_win_dealer : {"discarder", "first_winner"}
        Who deals after several won at once on the first win.
    inferred : tuple of str
        What the rule text leaves open and this rule set assumes.
    """

    basic_points: int = 0
    kong_direct: int = 0
    kong_direct_others: int = 0
    kong_added: int = 0
    kong_added_late: int = 0
    kong_concealed: int = 0
    kong_robbed_pays: bool = False
    refund_if_not_ready: bool = False
    pig_refunds: bool = False
    kong_discard: str = "none"
    pig: int | str = 0
    pig_receivers: str = "non_pigs"
    pig_pays_winners: bool = False
    pig_also_dajiao: bool = False
    dajiao: str = "off"
    discard_pays: str = "discarder"
    fed_kong_win_pays: str = "all"
    fed_kong_discard_pays: str = "discarder"
    pass_rule: str = "none"
    last_n_must_win: int = 0
    several_winners: bool = True
    winners_to_end: int = 1
    escape: int = 0
    escape_last: int = 0
    winner_leaves: str = "keeps"
    piao: tuple[int, ...] = ()
    piao_doubles: str = "all"
    next_dealer: str = "dice"
    multi_win_dealer: str = "first_winner"
    inferred: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for key in (
            "basic_points",
            "kong_direct",
            "kong_direct_others",
            "kong_added",
            "kong_added_late",
            "kong_concealed",
            "escape",
        ):
            whole(key, getattr(self, key), 0, 10_000)
        for key in (
            "kong_robbed_pays",
            "refund_if_not_ready",
            "pig_refunds",
            "pig_pays_winners",
            "pig_also_dajiao",
            "several_winners",
        ):
            one_of(key, getattr(self, key), (True, False))
        if not isinstance(self.pig, str):
            whole("pig", self.pig, 0, 10_000)
        elif self.pig_fan is None:
            raise RulesError(Code.BAD_PIG, key="pig", value=self.pig)
        for key, choices in _SETTLEMENT_CHOICES.items():
            one_of(key, getattr(self, key), choices)
        whole("last_n_must_win", self.last_n_must_win, 0, 136)
        whole("escape_last", self.escape_last, 0, 136)
        whole("winners_to_end", self.winners_to_end, 1, 3)
        if not isinstance(self.piao, tuple | list) or len(self.piao) not in (0, 2):
            raise RulesError(Code.BAD_PIAO, key="piao", value=self.piao)
        object.__setattr__(self, "piao", tuple(whole("piao", n, 1, 1000) for n in self.piao))
        object.__setattr__(self, "inferred", names("inferred", self.inferred))

    @property
    def pig_fan(self) -> int | None:
        """Fan a flower pig pays at least, where it pays the greatest hand."""
        if not isinstance(self.pig, str):
            return None
        found = re.fullmatch(r"max\(([0-9]{1,3}) fan\)", self.pig)
        return int(found[1]) if found else None


def read_patterns(value: Any, base: tuple[Pattern, ...] = ()) -> tuple[Pattern, ...]:
    """Patterns from a table by name, or a list; added to those of ``base``, which a name
    without a table (None) takes out."""
    if isinstance(value, tuple | list):
        found = {}
        for line in value:
            pattern = Pattern.read(line, "patterns")
            if pattern.name in found:
                raise RulesError(Code.PATTERN_TWICE, key=f"patterns.{pattern.name}")
            found[pattern.name] = pattern
        return tuple(found.values())
    if not isinstance(value, Mapping):
        raise RulesError(Code.NOT_A_TABLE, key="patterns", value=value)
    kept = {pattern.name: pattern for pattern in base}
    for name, line in value.items():
        if line is None:
            if name not in kept:
                raise RulesError(
                    Code.UNKNOWN_KEY, key=f"patterns.{name}", name=str(name), choices=tuple(kept)
                )
            del kept[name]
        elif isinstance(line, Pattern):
            kept[name] = line
        else:
            if not isinstance(line, Mapping):
                raise RulesError(Code.NOT_A_TABLE, key=f"patterns.{name}", value=line)
            known(line, ("value", "group", "req", "eat"), f"patterns.{name}.")
            kept[name] = Pattern.read({"name": name, **line}, f"patterns.{name}", kept.get(name))
    return tuple(kept.values())
