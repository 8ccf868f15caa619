"""Which complete hands have a pattern: the ways to have it, from flags or from a table.

A :class:`Way` says which tiles and sets a hand may be of and what it must hold; a pattern
is had by any of its ways. Sichuan patterns say it in flags, Guobiao in the ``shape`` table
of its fan table. Where a hand may have two suits only, each choice of them is a way.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, NamedTuple

from ..engine.recent import by_rules
from ..errors import Code, RulesError
from ..rulesets import FOLDER, Rules
from ..rulesets.flags import BLOCKS, CHOWS, EVERY, FLAGS, Block, Tiles
from ..tiles import (
    COPIES,
    HONOURS,
    KNITTED,
    ORPHANS,
    suit_of,
)

SUITS: tuple[Tiles, ...] = tuple(frozenset(range(9 * s, 9 * s + 9)) for s in range(3))


class Body(NamedTuple):
    """Tiles that a hand must hold among others.

    Attributes
    ----------
    tiles : tuple of int
    sets : int
        Sets the tiles are, or stand for.
    pair : bool
        Whether the pair is among them.
    melds : tuple of tuple of int
        Its sets that may be melds.
    alone : bool
        Beside it there is no other set that is concealed.
    """

    tiles: Block
    sets: int
    pair: bool = False
    melds: tuple[Block, ...] = ()
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """One way to have a pattern.

    Attributes
    ----------
    form : str
        Of :data:`evaluator.tiles.FORMS`, or ``"jingou"`` or ``"luohan"`` (sets that are to
        be melds, or kongs).
    tiles : frozenset of int
        What all tiles are of.
    ends : frozenset of int
        Of what pungs may be.
    chows : frozenset of int
        Which chows may be, by their lowest tile.
    pairs : frozenset of int
        Of what the pair may be.
    needs : tuple of frozenset
        Of each of these at least one tile.
    numbers : int
        Of fourteen honours and knitted tiles so many are numbers; 0: any that can be.
    quad : bool
        Of seven pairs two are alike.
    closed : bool
        No open meld.
    bodies : tuple of Body
        One of these is there.
    """

    form: str
    tiles: Tiles
    ends: Tiles = frozenset()
    chows: Tiles = frozenset()
    pairs: Tiles = frozenset()
    needs: tuple[Tiles, ...] = ()
    numbers: int = 0
    quad: bool = False
    closed: bool = False
    bodies: tuple[Body, ...] = ()


class Shape(NamedTuple):
    """A pattern that tiles decide, and the ways to have it; without any it cannot be had."""

    name: str
    ways: tuple[Way, ...]


def _of_sets(
    tiles: Tiles,
    sets: Iterable[str] = (),
    pair: Iterable[str] | None = None,
    form: str = "standard",
    bodies: tuple[Body, ...] | None = None,
    **more: Any,
) -> Way | None:
    """Four sets and a pair of these tiles; None where there is none.

    sets, pair : of which kinds each set and the pair are, of BLOCKS; None: the pair as the sets
    """

    def fits(block: Block, kinds: Iterable[str]) -> bool:
        return tiles.issuperset(block) and all(BLOCKS[name](block) for name in kinds)

    sets = tuple(sets)
    ends = frozenset(tile for tile in tiles if fits((tile,) * 3, sets))
    pairs = ends if pair is None else frozenset(t for t in tiles if fits((t, t), tuple(pair)))
    chows = frozenset(chow[0] for chow in CHOWS if fits(chow, sets))
    if bodies is not None:
        bodies = tuple(
            body for body in bodies
            if tiles.issuperset(body.tiles) and all(fits(meld, sets) for meld in body.melds)
        )  # fmt: skip
    if not pairs or bodies == ():
        return None
    return Way(form, tiles, ends, chows, pairs, bodies=bodies or (), **more)


def _choices(rules: Rules, two: bool) -> list[Tiles]:
    """The tiles a hand may be of: all, or two suits and the honours."""
    kinds = frozenset(range(rules.kinds))
    if not two:
        return [kinds]
    return [kinds - suit for suit in SUITS]


# --- Sichuan: flags ---


def _from_flags(names: Sequence[str], rules: Rules, choices: list[Tiles]) -> Iterator[Way | None]:
    flags = [FLAGS[name] for name in names]
    if any(flag.one_suit for flag in flags):
        choices = [suit for suit in SUITS if any(suit <= choice for choice in choices)]
    needs = SUITS if "all_suits" in rules.requires else ()
    closed, quad = any(flag.closed for flag in flags), any(flag.root for flag in flags)
    named = [flag.chows for flag in flags if flag.chows]
    bodies = {"bodies": tuple(_chow_body(group) for group in named[0])} if named else {}
    lies = "luohan" if any(flag.kongs for flag in flags) else "jingou"
    form = lies if any(flag.kongs or flag.melds for flag in flags) else "standard"
    sets, pair = {flag.sets for flag in flags} - {"any"}, {flag.pair for flag in flags} - {"any"}
    if "pungs" in sets:  # a pair is two alike
        pair.add("pungs")
    for choice in choices:
        tiles = choice.intersection(*(flag.tiles for flag in flags))
        if all(flag.form != "seven_pairs" for flag in flags) and not (bodies and lies == form):
            yield _of_sets(tiles, sets, pair, form, needs=needs, closed=closed, **bodies)
        if "seven_pairs" in rules.forms and all(flag.form != "standard" for flag in flags):
            yield Way("seven_pairs", tiles, needs=needs, quad=quad, closed=closed)


def _chow_body(lowest: tuple[int, ...]) -> Body:
    chows = tuple((low, low + 1, low + 2) for low in lowest)
    return Body(tuple(sorted(tile for chow in chows for tile in chow)), len(chows), melds=chows)


def _has_shape(names: Sequence[str]) -> bool:
    """Whether tiles decide it; a root alone is no shape to aim at."""
    flags = [FLAGS[name] for name in names]
    pairs = any(flag.form == "seven_pairs" for flag in flags)
    if any(flag.melds or flag.kongs for flag in flags) and any(
        flag.sets not in ("pungs", "any") and flag.sets != flag.pair for flag in flags
    ):
        return False  # no table knows four melds and a pair of another kind
    return all(flag.is_shape and (pairs or not flag.root) for flag in flags)


# --- Guobiao: the table of shapes ---


def _read_tiles(text: str) -> list[tuple[int, str]]:
    """Rank and suit letter of each tile of mpsz text in which suits may be a, b, c."""
    found: list[tuple[int, str]] = []
    ranks = ""
    for letter in text:
        if letter.isdigit():
            ranks += letter
        else:
            found += [(int(rank), letter) for rank in ranks]
            ranks = ""
    return found


def _spellings(text: str, slide: bool = False) -> list[str]:
    """The texts that one with suits a, b, c stands for, ranks raised where they may slide."""
    tiles = [tile for word in text.split() for tile in _read_tiles(word)]
    most = 9 - max(rank for rank, _ in tiles) if slide else 0
    found: dict[str, None] = {}
    for suits in permutations("mps"):
        for step in range(most + 1):
            letters = dict(zip("abc", suits, strict=True))
            spelled = "".join(
                str(int(c) + step) if c.isdigit() else letters.get(c, c) for c in text
            )
            found[" ".join(sorted(spelled.split()))] = None
    return list(found)


def _tiles(text: str) -> Block:
    return tuple(9 * "mpsz".index(suit) + rank - 1 for rank, suit in _read_tiles(text))


def _body(text: str) -> Body:
    """Named sets, and a pair where a word has two tiles."""
    words = [_tiles(word) for word in text.split()]
    melds = tuple(word for word in words if len(word) == 3)
    every = tuple(sorted(tile for word in words for tile in word))
    return Body(every, len(melds), len(melds) < len(words), melds)


def _from_table(line: dict[str, Any], rules: Rules, choices: list[Tiles]) -> Iterator[Way | None]:
    slide = line.get("slide", False)
    needs = tuple(frozenset(_tiles(text)) for text in line.get("needs", ()) if "a" not in text)
    for spelled in _spellings(line["tiles"]) if "tiles" in line else [""]:
        limit = frozenset(_tiles(spelled)) if spelled else EVERY
        # where the tiles are of one suit, what it needs is of that suit
        own = [limit - set(HONOURS)] if len(needs) < len(line.get("needs", ())) else []
        for choice in choices:
            tiles = choice & limit
            more: dict[str, Any] = {"needs": (*own, *needs)}
            if "named" in line:
                texts = [text for named in line["named"] for text in _spellings(named, slide)]
                more["bodies"] = tuple(map(_body, texts))
            if "whole" in line:
                texts = [text for whole in line["whole"] for text in _spellings(whole, slide)]
                more["bodies"] = tuple(Body(_tiles(text), 4, True) for text in texts)
            for form in line.get("forms", ("standard",)):
                if form == "standard":
                    blocks = [line["blocks"]] if "blocks" in line else []
                    yield _of_sets(tiles, blocks, **more)
                elif form == "knitted_straight":
                    knitted = tuple(Body(body, 3) for body in KNITTED)
                    yield _of_sets(tiles, bodies=knitted, needs=more["needs"])
                elif form != "seven_pairs" or line["name"] not in rules.needs_sets:
                    numbers = line.get("numbers", 0) if form == "honours_and_knitted" else 0
                    yield Way(form, tiles, needs=more["needs"], numbers=numbers)


@functools.cache
def _table(fan_table: str) -> list[dict[str, Any]]:
    place = FOLDER / f"{fan_table}.toml"
    try:
        lines: list[dict[str, Any]] = tomllib.loads(place.read_text(encoding="utf-8"))["shape"]
    except (OSError, KeyError, ValueError) as error:
        detail = f"{place}: {error!r}"
        raise RulesError(Code.FILE_UNREADABLE, key="fan_table", detail=detail) from None
    return lines


def _can_be(way: Way) -> bool:
    """Whether any fourteen tiles are there for it."""
    if any(not need & way.tiles for need in way.needs):
        return False
    if way.form == "seven_pairs":
        return len(way.tiles) * COPIES >= 14
    if way.form == "thirteen_orphans":
        return way.tiles.issuperset(ORPHANS)
    if way.form == "honours_and_knitted":
        return way.tiles == EVERY
    return True


@by_rules
def shapes(rules: Rules, two: bool) -> tuple[Shape, ...]:
    """The patterns of a rule set that tiles decide, in its order.

    Parameters
    ----------
    rules : Rules
    two : bool
        Whether a hand has two suits at most: the rules say so, or a suit is void.

    Raises
    ------
    RulesError
        The rule set has no patterns.

    Examples
    --------
    >>> import evaluator as ev
    >>> [shape.name for shape in shapes(ev.rules("sbr_2025"), True)]
    ['平和', '大对子', '七对', '金钩钓', '清一色']
    """
    choices = _choices(rules, two)
    found: list[tuple[str, Iterator[Way | None]]] = []
    if rules.fan_table:
        for line in _table(rules.fan_table):
            found.append((line["name"], _from_table(line, rules, choices)))
    for pattern in rules.patterns:
        if _has_shape(pattern.req):
            found.append((pattern.name, _from_flags(pattern.req, rules, choices)))
    if not found:
        raise RulesError(Code.NO_PATTERN_SHAPES, key="patterns", rules=rules.name)
    return tuple(
        Shape(name, tuple(dict.fromkeys(way for way in ways if way and _can_be(way))))
        for name, ways in found
    )


def shape_names(rules: Rules) -> tuple[str, ...]:
    """Names of the patterns that tiles decide, as :func:`shapes`."""
    return tuple(shape.name for shape in shapes(rules, rules.max_suits == 2))


def suit_tiles(tiles: Tiles, suit: int) -> Tiles:
    """Those of one suit (3: honours), as ranks from 0."""
    return frozenset(tile - 9 * suit for tile in tiles if suit_of(tile) == suit)
