"""Rule sets as data: one TOML file a preset, read into a :class:`Rules` object.

What every key of a file means stands in :mod:`evaluator.rulesets.legend`, what a pattern may
require in :mod:`evaluator.rulesets.flags`. Anything else is refused.
"""

from __future__ import annotations

import dataclasses
import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from ..errors import Code, RulesError, shown
from ..tiles import FORMS, KINDS, SUITED
from .records import (
    CONDITIONS,
    DEAD_WAITS,
    MODES,
    ZIMO,
    Addons,
    Pattern,
    Settlement,
    Wilds,
    known,
    names,
    one_of,
    printable,
    read_patterns,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from ..hands import Hand, Hands
    from ..scoring import Part

FOLDER = Path(__file__).parent
SCORED_FORMS = set(FORMS) - {"seven_different_pairs"}
"""What a rule set with fan must have as its forms: the fan are made for these."""

NO_ADDONS, NO_WILDS, NO_SETTLEMENT = Addons(), Wilds(), Settlement()

MOST_PATTERNS = 255
"""A pattern is told by its number, in a byte; 255 says that there is none."""

_FAN_TABLE = "_fan"  # ends the name of a file that is a table, no preset


@dataclass(frozen=True, slots=True, repr=False)
class Rules:
    """A rule set: which tiles are played with and which hands are complete.

    Parameters
    ----------
    name : str
    kinds : {34, 27}
        27: no honours.
    forms : tuple of str
        Forms of a complete hand, of :data:`evaluator.tiles.FORMS`.
    max_suits : {3, 2}
        2: a complete hand, its melds included, has at most two suits (缺门).
    title, source : str
        For people.
    fan_table : str
        The table of the fan; empty for a rule set without scores.
    minimum : int
        Points that a win needs, flowers not counted.
    without, needs_sets : tuple of str
        Fan of the table that do not exist; fan that seven pairs never have.
    not_with : tuple of (str, tuple of str)
        A fan, and the fan that are not added beside it.
    chow_melds : bool
        Whether chows may be claimed.
    mode : {"exp", "linear", "product"}
        Points are base × 2^(fan − offset), base × fan, or base × the product of the groups.
    base, offset : int
    cap : int or None
        The most fan that count for points.
    gen, kong : int
        Fan of a root (four of a kind that is no kong), and of a kong.
    cap_self_draw : bool
        Whether the cap also holds for what a self-draw adds.
    zimo : {"none", "jiadi", "jiafan"}
        What a self-draw adds to each payment: nothing, one base, one fan.
    addons : Addons
    earthly_on_discard : bool
        Whether 地胡 may also be won on the first discard.
    dead_wait : {"none", "concealed4", "own4", "visible4"}
        A wait does not count if its four copies are all among the concealed tiles, in the hand,
        or visible anywhere (the last two include the turned tile).
    requires : tuple of str
        Conditions on every win.
    patterns : tuple of Pattern
        The patterns of a Sichuan game; empty for a rule set with a ``fan_table``.
    wilds : Wilds
    settlement : Settlement
    inferred : tuple of str
        What the rule text leaves open and this rule set assumes.

    Raises
    ------
    RulesError
        A key does not exist or has an invalid value.

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.rules("riichi").forms
    ('standard', 'seven_different_pairs', 'thirteen_orphans')
    >>> ev.rules("sbr_2025").replace(max_suits=3).max_suits
    3
    """

    name: str
    kinds: int = KINDS
    forms: tuple[str, ...] = ("standard",)
    max_suits: int = 3
    title: str = ""
    source: str = ""
    fan_table: str = ""
    minimum: int = 0
    without: tuple[str, ...] = ()
    not_with: tuple[tuple[str, tuple[str, ...]], ...] = ()
    needs_sets: tuple[str, ...] = ()
    chow_melds: bool = True
    mode: str = "exp"
    base: int = 1
    offset: int = 0
    cap: int | None = None
    cap_self_draw: bool = False
    gen: int = 0
    kong: int = 0
    zimo: str = "none"
    addons: Addons = NO_ADDONS
    earthly_on_discard: bool = False
    dead_wait: str = "own4"
    requires: tuple[str, ...] = ()
    patterns: tuple[Pattern, ...] = ()
    wilds: Wilds = NO_WILDS
    settlement: Settlement = NO_SETTLEMENT
    inferred: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        printable("name", self.name)
        for key in ("title", "source", "fan_table"):
            if not isinstance(getattr(self, key), str):
                raise RulesError(Code.NOT_TEXT, key=key, value=getattr(self, key))
        for key, allowed in (("kinds", (SUITED, KINDS)), ("max_suits", (2, 3))):
            value = getattr(self, key)
            if type(value) is not int or value not in allowed:
                raise RulesError(Code.NOT_A_CHOICE, key=key, choices=allowed, value=value)
        if isinstance(self.forms, str) or not isinstance(self.forms, tuple | list):
            raise RulesError(Code.NOT_NAMES, key="forms", value=self.forms)
        object.__setattr__(self, "forms", tuple(self.forms))
        for form in self.forms:
            if not isinstance(form, str) or form not in FORMS:
                raise RulesError(Code.NOT_A_CHOICE, key="forms", choices=FORMS, value=form)
        if not self.forms or len(set(self.forms)) < len(self.forms):
            raise RulesError(Code.FORM_TWICE, key="forms")
        if {"seven_pairs", "seven_different_pairs"} <= set(self.forms):
            raise RulesError(Code.FORMS_OVERLAP, key="forms")
        needs_all = {"thirteen_orphans", "knitted_straight", "honours_and_knitted"}
        for form in self.forms:
            if form in needs_all and self.max_suits < 3:
                raise RulesError(Code.FORM_NEEDS_SUITS, key="forms", form=form)
            if form in needs_all - {"knitted_straight"} and self.kinds < KINDS:
                raise RulesError(Code.FORM_NEEDS_HONOURS, key="forms", form=form)
        self._check_fan()
        self._check_patterns()

    def _check_patterns(self) -> None:
        put = object.__setattr__
        put(self, "patterns", read_patterns(self.patterns))
        put(self, "addons", Addons.read(self.addons, "addons"))
        put(self, "wilds", Wilds.read(self.wilds, "wilds"))
        put(self, "settlement", Settlement.read(self.settlement, "settlement"))
        put(self, "inferred", names("inferred", self.inferred))
        put(self, "requires", names("requires", self.requires))
        for key in ("chow_melds", "cap_self_draw", "earthly_on_discard"):
            one_of(key, getattr(self, key), (True, False))
        one_of("mode", self.mode, MODES)
        one_of("zimo", self.zimo, ZIMO)
        one_of("dead_wait", self.dead_wait, DEAD_WAITS)
        whole("base", self.base, 1, 1_000_000)
        whole("offset", self.offset, -100, 100)
        whole("gen", self.gen, 0, 1000)
        whole("kong", self.kong, 0, 1000)
        if self.cap is not None:
            whole("cap", self.cap, -100, 30_000)
        for condition in self.requires:
            one_of("requires", condition, CONDITIONS)
        if self.patterns:
            self._check_game()
        elif self.wilds.count or self.requires or self.cap is not None:
            key = "wilds" if self.wilds.count else "requires" if self.requires else "cap"
            raise RulesError(Code.NEEDS_PATTERNS, key=key, rules=self.name)

    def _check_game(self) -> None:
        """What cannot be together in a game with patterns."""
        if len(self.patterns) > MOST_PATTERNS:
            count = len(self.patterns)
            raise RulesError(
                Code.TOO_MANY_PATTERNS, key="patterns", count=count, most=MOST_PATTERNS
            )
        if self.fan_table:
            raise RulesError(Code.PATTERNS_AND_FAN_TABLE, key="patterns")
        for form in self.forms:
            if form not in ("standard", "seven_pairs"):
                raise RulesError(Code.FORM_WITHOUT_PATTERNS, key="forms", form=form)
        if "standard" not in self.forms:
            raise RulesError(Code.NEEDS_STANDARD_FORM, key="forms")
        if self.kinds == KINDS and self.max_suits < 3:
            raise RulesError(Code.TWO_SUITS_WITH_HONOURS, key="max_suits")
        if "all_suits" in self.requires and self.max_suits < 3:
            raise RulesError(Code.ALL_SUITS_OF_TWO, key="requires")
        if self.mode == "product" and (self.gen or self.kong or self.addons != NO_ADDONS):
            raise RulesError(Code.PRODUCT_ADDS, key="mode")
        if self.wilds.count and self.kinds == KINDS:
            raise RulesError(Code.WILDS_WITH_HONOURS, key="wilds")

    def __repr__(self) -> str:
        """What differs from the defaults."""
        said = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        }
        return f"Rules({', '.join(f'{key}={value!r}' for key, value in said.items())})"

    @property
    def seven_pairs(self) -> bool:
        """Whether seven pairs are complete, four of a kind being two of them."""
        return "seven_pairs" in self.forms

    def _check_fan(self) -> None:
        whole("minimum", self.minimum, 0, 1000)
        for key in ("without", "needs_sets"):
            object.__setattr__(self, key, names(key, getattr(self, key)))
        pairs = self.not_with.items() if isinstance(self.not_with, dict) else self.not_with
        try:
            table = tuple((str(fan), names("not_with", others)) for fan, others in pairs)
        except (TypeError, ValueError):
            raise RulesError(Code.NOT_FAN_LISTS, key="not_with", value=self.not_with) from None
        object.__setattr__(self, "not_with", table)
        for key in ("minimum", "without", "needs_sets", "not_with"):
            if (
                getattr(self, key)
                and not self.fan_table
                and not (key == "minimum" and self.patterns)
            ):
                raise RulesError(Code.NEEDS_FAN_TABLE, key=key, rules=self.name)
        if self.fan_table:
            if not self.fan_table.isidentifier():
                raise RulesError(Code.NOT_A_NAME, key="fan_table", value=self.fan_table)
            if self.kinds != KINDS or self.max_suits != 3 or set(self.forms) != SCORED_FORMS:
                raise RulesError(
                    Code.FAN_TABLE_GAME,
                    key="fan_table",
                    table=self.fan_table,
                    choices=sorted(SCORED_FORMS),
                )

    def replace(self, **changes: Any) -> Rules:
        """A rule set with some keys changed, checked again.

        A dict changes the named keys of a table (``addons``, ``wilds``, ``settlement``,
        ``patterns``); None removes a pattern.

        Raises
        ------
        RulesError
            Unknown key or invalid value.

        Examples
        --------
        >>> import evaluator as ev
        >>> ours = ev.rules("qq_sichuan").replace(
        ...     cap=5, patterns={"门清": {"value": 1, "group": 1, "req": ["menqing"]}, "将对": None}
        ... )
        >>> ours.cap, ours.patterns[-1].name
        (5, '门清')
        """
        changes = _read_keys(changes, self)
        return dataclasses.replace(self, **changes)

    @overload
    def ready_max_fan(
        self, hands: Hand | str, seen: Any = None, *, threads: int | None = None
    ) -> int: ...
    @overload
    def ready_max_fan(
        self,
        hands: Hands | list[str] | tuple[str, ...] | Sequence[Hand],
        seen: Any = None,
        *,
        threads: int | None = None,
    ) -> npt.NDArray[np.int16]: ...
    @overload
    def ready_max_fan(self, hands: Any, seen: Any = None, *, threads: int | None = None) -> Any: ...
    def ready_max_fan(self, hands: Any, seen: Any = None, *, threads: int | None = None) -> Any:
        """The fan that ready hands pay for when the wall is empty (查大叫): the most of any wait.

        If ``settlement.dajiao`` is ``"min"``, it is the least. The way in which a hand might be
        won (自摸, 杠上花 …) does not count, whatever its flags say. ``dead_wait`` says which
        waits do not count. If it allows a wait for a fifth copy, that hand is scored by its
        tiles.

        Parameters
        ----------
        hands : Hand, Hands, sequence of Hand or array_like of int, shape (..., 34 or 27)
            13 tiles, the melds included.
        seen : array_like of int, shape (34,) or (..., 34), optional
            Copies of each tile visible elsewhere, for ``visible4``.
        threads : int, optional

        Returns
        -------
        int or int16[...]
            Fan before the cap; −1 = not ready.

        Raises
        ------
        HandError
            An invalid hand, or not of 13 tiles.
        RulesError
            A rule set without patterns.

        Examples
        --------
        >>> import evaluator as ev
        >>> ev.rules("sbr_2025").ready_max_fan(ev.Hand.parse("[888s,1]1112233456s"))
        3
        """
        from ..scoring import ready_max_fan

        return ready_max_fan(hands, self, seen=seen, threads=threads)

    @property
    def parts(self) -> tuple[Part, ...]:
        """All parts a score may have, each with its value: the fan, or the patterns and what
        counts beside them.

        Empty where hands have no score (``riichi``).

        Examples
        --------
        >>> import evaluator as ev
        >>> for part in ev.rules("guobiao").parts[:3]:
        ...     print(part.value, part.name, part.english)
        88 大四喜 Big Four Winds
        88 大三元 Big Three Dragons
        88 绿一色 All Green
        >>> [part.name for part in ev.rules("dandong").parts]
        ['自摸', '点炮', '庄胡', '夹胡', '飘胡']
        """
        from ..scoring import parts_of

        return parts_of(self)

    @classmethod
    def from_toml(cls, path: str | Path) -> Rules:
        """Read a rule set from a file; its name is the file's."""
        if not isinstance(path, str | Path):
            raise RulesError(Code.NOT_RULES, key=shown(path))
        place = Path(path)
        try:
            data = tomllib.loads(place.read_text(encoding="utf-8-sig"))
        except (OSError, ValueError, RecursionError) as error:
            said = (error.strerror if isinstance(error, OSError) else None) or error
            raise RulesError(Code.FILE_UNREADABLE, key=repr(str(path)), detail=str(said)) from None
        try:
            return cls(**{"name": place.stem, **_read_keys(data)})
        except RulesError as error:
            raise error.under(f"{path}: ") from None


def _read_keys(keys: dict[str, Any], base: Rules | None = None) -> dict[str, Any]:
    """Keys of a file or a change as fields; what a table leaves out is that of ``base``."""
    fields = [field.name for field in dataclasses.fields(Rules)]
    known(keys, [*fields, "seven_pairs"])
    read = dict(keys)
    if "seven_pairs" in read:
        seven = read.pop("seven_pairs")
        one_of("seven_pairs", seven, (True, False))
        if "forms" in read:
            raise RulesError(Code.FORMS_TWICE_SAID, key="seven_pairs")
        read["forms"] = ("standard", "seven_pairs") if seven else ("standard",)
    for key, kind in (("addons", Addons), ("wilds", Wilds), ("settlement", Settlement)):
        if isinstance(read.get(key), dict):
            before = None if base is None else getattr(base, key)
            read[key] = kind.read(read[key], key, before)
    if isinstance(read.get("patterns"), dict):
        read["patterns"] = read_patterns(read["patterns"], base.patterns if base else ())
    return read


@overload
def rules(name: None = None) -> tuple[str, ...]: ...
@overload
def rules(name: str | Path | Rules) -> Rules: ...
def rules(name: str | Path | Rules | None = None) -> Rules | tuple[str, ...]:
    """A rule set by name or file, or the names of all presets.

    Parameters
    ----------
    name : str, Path, Rules or None
        The name of a preset, or a path that ends in ``.toml``. A ``Rules`` is returned as it
        is. None lists the presets.

    Returns
    -------
    Rules or tuple of str

    Raises
    ------
    RulesError
        The preset does not exist (the error names similar ones), or the file is wrong.

    Examples
    --------
    >>> rules()[:3]
    ('chengdu_5_80', 'chuanma_dijin', 'dandong')
    >>> rules("guobiao").kinds
    34
    """
    if name is None:
        return _presets()
    if isinstance(name, Rules):
        return name
    if not isinstance(name, str | Path):
        raise RulesError(Code.NOT_RULES, key=shown(name))
    if isinstance(name, Path) or name.endswith(".toml"):
        return Rules.from_toml(name)
    return _preset(name)


@functools.cache
def _presets() -> tuple[str, ...]:
    names = (path.stem for path in FOLDER.glob("*.toml"))
    return tuple(sorted(name for name in names if not name.endswith(_FAN_TABLE)))


@functools.cache
def _preset(name: str) -> Rules:
    names = _presets()
    if name not in names:
        raise RulesError(Code.UNKNOWN_RULES, key=name, choices=names)
    return Rules.from_toml(FOLDER / f"{name}.toml")
