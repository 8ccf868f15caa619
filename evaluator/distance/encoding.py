"""The plan of a rule set: its shapes as the numbers a kernel interprets.

A way of few kinds of sets falls into parts, ranks of a suit from which all its sets are;
which tables know such a part is told by :data:`_WHOLE_SUITS` and :func:`_windows`. Nothing
is compiled for a new rule set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, combinations_with_replacement

import numpy as np

from ..engine.recent import by_rules
from ..engine.tables import HONOURS as HONOUR_CODES
from ..rulesets import Rules
from ..rulesets.flags import Tiles
from ..tiles import COPIES, HONOURS
from . import layout as pt
from .shapes import SUITS, Body, Way, shapes, suit_tiles

_WINDS, _DRAGONS = frozenset(range(27, 31)), frozenset(range(31, 34))

# levels of copies that count towards a set of the same tiles
_LEVELS = {"standard": (1, 2, 3), "jingou": (1, 2, 4), "luohan": (1, 2, 3, 4)}

# what may be of a suit (pungs and pairs, lowest tiles of chows, as ranks from 0) ->
# (divisor, modulus, factor, low), table, base, profile
_Part = tuple[tuple[int, int, int, int], int, int, int]
_NINE, _SEVEN = frozenset(range(9)), frozenset(range(7))
_WHOLE_SUITS: dict[tuple[Tiles, Tiles], _Part] = {
    (_NINE, _SEVEN): ((1, 0, 1, 1), 0, 0, pt.STANDARD_PROFILE),
    (_NINE - {0, 8}, _SEVEN - {0, 6}): ((5, 5**7, 1, 1), 1, pt.SIMPLES, pt.STANDARD_PROFILE),
    (frozenset((0, 1, 2, 3)), frozenset((0, 1))): (
        (5**5, 5**4, 1, 1),
        1,
        pt.FOURS,
        pt.STANDARD_PROFILE,
    ),
    (frozenset((5, 6, 7, 8)), frozenset((5, 6))): (
        (1, 5**4, 1, 1),
        1,
        pt.FOURS,
        pt.STANDARD_PROFILE,
    ),
    (frozenset((0, 8)), frozenset((0, 6))): (
        (5**6, 5**3, 5**3, 5**3),
        1,
        pt.SUIT_TERMINALS,
        pt.TERMINAL_PROFILE,
    ),
    (frozenset((4,)), frozenset((2, 3, 4))): (
        (5**2, 5**5, 1, 1),
        1,
        pt.window_at(6),
        pt.WINDOW_PROFILE,
    ),
}
_SEVEN_HONOURS: dict[int, _Part] = {
    # beside suits with this profile
    pt.STANDARD_PROFILE: ((1, 5**7, 1, 1), 0, HONOUR_CODES, pt.STANDARD_PROFILE),
    pt.TERMINAL_PROFILE: ((1, 5**7, 1, 1), 1, pt.HONOUR_TERMINALS, pt.TERMINAL_PROFILE),
}
_OF_HONOURS: dict[Tiles, _Part] = {
    _WINDS: ((5**3, 5**4, 5**3, 1), 0, HONOUR_CODES, pt.STANDARD_PROFILE),
    _DRAGONS: ((1, 5**3, 1, 1), 0, HONOUR_CODES, pt.STANDARD_PROFILE),
}


class _Builder:
    """Rows, parts and bodies as they come; equal parts are one."""

    def __init__(self) -> None:
        self.rows: dict[tuple[int, ...], None] = {}
        self.counts: dict[int, int] = {}
        self.parts: dict[tuple[int, ...], int] = {}
        self.bodies: list[list[int]] = []

    def add(self, column: int, way: Way) -> None:
        """The rows of one way to have the pattern of a column."""
        if way.form == "seven_pairs":
            self._row(pt.PAIRS, column, way, int(way.quad), 0)
        elif way.form == "thirteen_orphans":
            self._row(pt.ORPHANS, column, way, 0, 0)
        elif way.form == "honours_and_knitted":
            # nine knitted tiles and seven honours there are: the most of each that count
            numbers, honours = (way.numbers, 14 - way.numbers) if way.numbers else (9, 7)
            self._row(pt.KNITTED, column, way, numbers, honours)
        elif way.bodies:
            first = len(self.bodies)
            self.bodies += map(_body, way.bodies)
            self._row(pt.BODIES, column, way, first, len(self.bodies))
        elif way.pairs != way.ends or not _has_parts(way):
            # no table knows such sets: all that may be are named
            self.add(column, replace(way, bodies=tuple(_named_sets(way))))
        elif not way.chows:
            levels = sum(1 << level for level in _LEVELS[way.form])
            self._row(pt.ALIKE, column, way, levels, 0)
        else:
            self._of_parts(column, way)

    def _of_parts(self, column: int, way: Way) -> None:
        kind = pt.PARTS
        parts = list(_parts(way))
        profiles = {part[-1] for _, _, part in parts}
        if not way.needs and len(profiles) == 1 and len(parts) <= 4:
            (profile,) = profiles
            # with these, what is not there is class 0: it changes nothing
            kind = {pt.STANDARD_PROFILE: pt.CLASSES, pt.TERMINAL_PROFILE: pt.TERMINALS}.get(
                profile, kind
            )
        places = [self._part(word, *part) for word, _, part in parts]
        if kind == pt.PARTS:
            # of each part which need it is (a number from 1), a byte each
            needs = [need & way.tiles for need in way.needs]
            needed = [needs.index(tiles) + 1 if tiles in needs else 0 for _, tiles, _ in parts]
            assert sum(map(bool, needed)) == len(needs), "a need that is no part"
            self._row(kind, column, way, _bytes(p + 1 for p in places), _bytes(needed))
        else:
            self._row(kind, column, way, _bytes(p + 1 for p in places), 0)

    def _part(
        self, word: int, index: tuple[int, int, int, int], table: int, base: int, profile: int
    ) -> int:
        divisor, modulus, factor, low = index
        inverse = [pt.reciprocal(n) if n else 0 for n in (divisor, modulus, low)]
        part = (word, divisor, modulus, factor, low, table, base, profile, *inverse)
        return self.parts.setdefault(part, len(self.parts))

    def _row(self, kind: int, column: int, way: Way, first: int, last: int) -> None:
        no_chows = ~_bits(way.chows) & ((1 << 27) - 1)
        if way.closed:
            no_chows |= 1 << pt.OPEN
        no_pungs = ~_bits(way.ends) & ((1 << 34) - 1)
        # of what tiles pungs are, where there are no chows
        tiles = way.ends if kind == pt.ALIKE else way.tiles
        counts = self._counts(tiles) if kind in (pt.ALIKE, pt.PAIRS) else 0
        needs = [_bits(need & tiles) for need in way.needs]
        fixed = (kind, column, _bits(tiles), no_chows, no_pungs, first, last, counts, len(needs))
        row = (*fixed, *needs, *[0] * (pt.MOST_NEEDS - len(needs)))
        self.rows[row] = None

    def _counts(self, tiles: Tiles) -> int:
        """Copies are counted suit by suit: rows of two suits share those of one."""
        suits = [_bits(tiles & suit) for suit in (*SUITS, set(HONOURS))]
        places = [self.counts.setdefault(suit, len(self.counts)) for suit in suits if suit]
        return _bytes(place + 1 for place in places)


def _has_parts(way: Way) -> bool:
    """Whether tables know its sets: in each suit one of the whole suits, or runs of ranks of
    which all sets may be."""
    for suit in range(3):
        ends, chows = suit_tiles(way.ends, suit), suit_tiles(way.chows, suit)
        runs = {rank for rank in _SEVEN if ends >= {rank, rank + 1, rank + 2}}
        if chows and (ends, chows) not in _WHOLE_SUITS and chows != runs:
            return False
    return True


def _named_sets(way: Way) -> Iterator[Body]:
    """All that a way's concealed sets may be, and the pair where it is not any of its tiles."""
    blocks = [(tile,) * 3 for tile in sorted(way.ends)]
    blocks += [(low, low + 1, low + 2) for low in sorted(way.chows)]
    named = bool(way.needs) or way.pairs != way.tiles
    pairs = [(tile, tile) for tile in sorted(way.pairs)] if named else [()]
    for count in range(5):
        for sets in combinations_with_replacement(blocks, count):
            for pair in pairs:
                tiles = tuple(sorted((*chain.from_iterable(sets), *pair)))
                fits = all(tiles.count(tile) <= COPIES for tile in set(tiles))
                # a pair beside it has to be there
                if fits and (named or any(tiles.count(tile) <= 2 for tile in way.pairs)):
                    yield Body(tiles, count, named, alone=True)


def _bits(tiles: Iterable[int]) -> int:
    return sum(1 << tile for tile in tiles)


def _bytes(values: Iterable[int]) -> int:
    return sum(value << 8 * place for place, value in enumerate(values))


def _parts(way: Way) -> Iterator[tuple[int, Tiles, _Part]]:
    """(suit, its tiles, part) of all that sets and pairs of a way may be of."""
    suit_profile = pt.STANDARD_PROFILE
    for suit in range(3):
        key = suit_tiles(way.ends, suit), suit_tiles(way.chows, suit)
        if key in _WHOLE_SUITS:
            part = _WHOLE_SUITS[key]
            suit_profile = part[-1]
            yield suit, SUITS[suit] & way.tiles, part
        else:
            for tiles, part in _windows(*key):
                yield suit, frozenset(9 * suit + tile for tile in tiles), part
    honours = way.ends & set(HONOURS)
    if len(honours) < len(HONOURS):
        for tile in sorted(honours):
            place = 5 ** (HONOURS[-1] - tile)
            yield 3, frozenset((tile,)), _window(place, 1)
    elif _WINDS in way.needs:
        yield from ((3, tiles, part) for tiles, part in _OF_HONOURS.items())
    else:
        yield 3, honours, _SEVEN_HONOURS.get(suit_profile, _SEVEN_HONOURS[pt.STANDARD_PROFILE])


def _window(place: int, kinds: int) -> _Part:
    return (place, 5**kinds, 1, 1), 1, pt.window_at(kinds), pt.WINDOW_PROFILE


def _windows(ends: Tiles, chows: Tiles) -> Iterator[tuple[Tiles, _Part]]:
    """Runs of neighbouring ranks, within each of which every set counts."""
    rank = 0
    while rank < 9:
        last = rank
        while last in ends:
            last += 1
        if last > rank:
            run = frozenset(range(rank, last))
            assert {r for r in run if r + 2 < last} <= chows, "no such window"
            yield run, _window(5 ** (9 - last), len(run))
        rank = last + 1


def _body(body: Body) -> list[int]:
    melds = [
        1 + (meld[0] // 9) * 7 + meld[0] % 9 if meld[0] < meld[1] else 22 + meld[0]
        for meld in body.melds
    ]
    levels = [
        sum(1 << tile for tile in set(body.tiles) if body.tiles.count(tile) > level)
        for level in range(4)
    ]
    return [body.sets, body.pair | body.alone << 1, _bytes(melds), *levels]


def _array(rows: Iterable[Iterable[int]], width: int) -> pt.Words:
    return np.array([list(row) for row in rows], np.uint64).reshape(-1, width)


@by_rules
def plan(rules: Rules, two: bool) -> pt.Plan:
    """The plan of the patterns of a rule set.

    Parameters
    ----------
    rules : Rules
    two : bool
        Whether a hand has two suits at most.

    Raises
    ------
    RulesError
        The rule set has no patterns.

    Examples
    --------
    >>> import evaluator as ev
    >>> len(plan(ev.rules("qq_sichuan"), True).rows)
    36
    """
    builder = _Builder()
    found = shapes(rules, two)
    for column, shape in enumerate(found):
        for way in shape.ways:
            builder.add(column, way)
    rows = _array(builder.rows, pt.ROW)
    of_bodies = rows[:, pt.KIND] == pt.BODIES
    return pt.Plan(
        tuple(shape.name for shape in found),
        rows[~of_bodies],
        np.array(list(builder.counts), np.uint64),
        _array(builder.parts, pt.PART),
        rows[of_bodies],
        _array(builder.bodies, pt.BODY),
    )
