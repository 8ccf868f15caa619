"""Rule sets as data: one TOML file a preset, read into a :class:`Rules` object.

What a file may say (anything else is refused):

=============  ==============================================================
``title``      the name a player knows
``kinds``      34, or 27 for games without honours
``forms``      which shapes are complete hands, of :data:`evaluator.tiles.FORMS`
``max_suits``  3, or 2 where a complete hand must lack a suit (缺门)
``source``     the rule text
``fan_table``  the table of the fan, a file of this folder (``guobiao_fan``)
``minimum``    points a win needs, flowers apart
``without``    fan of the table that do not exist
``not_with``   a table: fan, what is not added beside it, more than the table says
``needs_sets`` fan that seven pairs never have
               (of the last three what the fan table lists as its switches)
=============  ==============================================================
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

from ..errors import RulesError
from ..tiles import FORMS, KINDS, SUITED

_FOLDER = Path(__file__).parent
SCORED_FORMS = set(FORMS) - {"seven_different_pairs"}
"""What a rule set with fan must have as its forms: the fan are made for these."""

_FAN_TABLE = "_fan"  # ends the name of a file that is a table, no preset


@dataclass(frozen=True, slots=True)
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
        Where the fan are; empty for a rule set without scores.
    minimum : int
        Points a win needs, flowers apart.
    without, needs_sets : tuple of str
        Fan that do not exist; that seven pairs never have.
    not_with : tuple of (str, tuple of str)
        A fan, and what is not added beside it.

    Raises
    ------
    RulesError
        A key that does not exist, a value that cannot be.

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

    def __post_init__(self) -> None:
        for key in ("name", "title", "source", "fan_table"):
            if not isinstance(getattr(self, key), str):
                raise RulesError(key, f"must be text, got {getattr(self, key)!r}")
        for key, allowed in (("kinds", (SUITED, KINDS)), ("max_suits", (2, 3))):
            value = getattr(self, key)
            if type(value) is not int or value not in allowed:
                raise RulesError(key, f"must be {allowed[0]} or {allowed[1]}, got {value!r}")
        if isinstance(self.forms, str) or not isinstance(self.forms, tuple | list):
            raise RulesError("forms", f"must be a list of names, got {self.forms!r}")
        object.__setattr__(self, "forms", tuple(self.forms))
        for form in self.forms:
            if form not in FORMS:
                raise RulesError("forms", f"{form!r} is none of {', '.join(FORMS)}")
        if not self.forms or len(set(self.forms)) < len(self.forms):
            raise RulesError("forms", "must name at least one form, and each once")
        if {"seven_pairs", "seven_different_pairs"} <= set(self.forms):
            raise RulesError("forms", "seven_pairs already allows seven different pairs")
        needs_all = {"thirteen_orphans", "knitted_straight", "honours_and_knitted"}
        for form in self.forms:
            if form in needs_all and self.max_suits < 3:
                raise RulesError("forms", f"{form} needs three suits, max_suits is 2")
            if form in needs_all - {"knitted_straight"} and self.kinds < KINDS:
                raise RulesError("forms", f"{form} needs honours, kinds is 27")
        self._check_fan()

    def _check_fan(self) -> None:
        minimum = self.minimum
        if type(minimum) is not int or not 0 <= minimum <= 1000:
            raise RulesError("minimum", f"must be a whole number 0 to 1000, got {minimum!r}")
        for key in ("without", "needs_sets"):
            object.__setattr__(self, key, _names(key, getattr(self, key)))
        pairs = self.not_with.items() if isinstance(self.not_with, dict) else self.not_with
        try:
            table = tuple((str(fan), _names("not_with", others)) for fan, others in pairs)
        except (TypeError, ValueError):
            raise RulesError(
                "not_with", f"must be a table of fan and lists of fan, got {self.not_with!r}"
            ) from None
        object.__setattr__(self, "not_with", table)
        for key in ("minimum", "without", "needs_sets", "not_with"):
            if getattr(self, key) and not self.fan_table:
                raise RulesError(key, "needs a fan_table")
        if self.fan_table:
            if not self.fan_table.isidentifier():
                raise RulesError("fan_table", f"must be a name, got {self.fan_table!r}")
            if self.kinds != KINDS or self.max_suits != 3 or set(self.forms) != SCORED_FORMS:
                raise RulesError(
                    "fan_table",
                    f"{self.fan_table} scores hands of 34 kinds and three suits, of the forms "
                    f"{', '.join(sorted(SCORED_FORMS))}, and of no other game",
                )

    def replace(self, **changes: Any) -> Rules:
        """A rule set with some keys changed, checked again.

        Raises
        ------
        RulesError
            Unknown key or impossible value.
        """
        _known(changes)
        return dataclasses.replace(self, **changes)

    @classmethod
    def from_toml(cls, path: str | Path) -> Rules:
        """Read a rule set from a file; its name is the file's."""
        place = Path(path)
        try:
            data = tomllib.loads(place.read_text(encoding="utf-8-sig"))
        except (OSError, ValueError, RecursionError) as error:
            raise RulesError(repr(str(path)), f"cannot be read: {error}") from None
        try:
            _known(data)
            return cls(**{"name": place.stem, **data})
        except RulesError as error:
            raise RulesError(f"{path}: {error.key}", error.reason) from None


def _names(key: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, tuple | list) or not all(isinstance(name, str) for name in value):
        raise RulesError(key, f"must be a list of names, got {value!r}")
    return tuple(value)


def _known(keys: dict[str, Any]) -> None:
    names = [field.name for field in dataclasses.fields(Rules)]
    for key in keys:
        if key not in names:
            near = difflib.get_close_matches(key, names, 1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; keys are {', '.join(names)}"
            raise RulesError(key, f"no such key{hint}")


@overload
def rules(name: None = None) -> tuple[str, ...]: ...
@overload
def rules(name: str | Path | Rules) -> Rules: ...
def rules(name: str | Path | Rules | None = None) -> Rules | tuple[str, ...]:
    """A rule set by name or file, or the names there are.

    Parameters
    ----------
    name : str, Path, Rules or None
        A preset's name; a path ending in ``.toml``; a ``Rules`` is given back.
        None lists the presets.

    Returns
    -------
    Rules or tuple of str

    Raises
    ------
    RulesError
        No such preset (the nearest names are given), or a file that is wrong.

    Examples
    --------
    >>> rules()[:3]
    ('chengdu_5_80', 'chuanma_dijin', 'guobiao')
    >>> rules("guobiao").kinds
    34
    """
    if name is None:
        return _presets()
    if isinstance(name, Rules):
        return name
    if not isinstance(name, str | Path):
        raise RulesError(repr(name), "rules are a preset's name, a path or a Rules object")
    if isinstance(name, Path) or name.endswith(".toml"):
        return Rules.from_toml(name)
    return _preset(name)


@functools.cache
def _presets() -> tuple[str, ...]:
    names = (path.stem for path in _FOLDER.glob("*.toml"))
    return tuple(sorted(name for name in names if not name.endswith(_FAN_TABLE)))


@functools.cache
def _preset(name: str) -> Rules:
    names = _presets()
    if name not in names:
        near = difflib.get_close_matches(name.lower(), names, 3, 0.4)
        hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(names)}"
        raise RulesError(name, f"no such rule set; {hint}")
    return Rules.from_toml(_FOLDER / f"{name}.toml")
