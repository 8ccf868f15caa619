"""Exact distributions: the shanten of all deals, and every complete hand once.

A deal of 13 tiles is one of C(136, 13), too many to look at. But of a suit only little
matters for the shanten of a hand: the class of its standard form, its pairs and single
tiles, its terminals. Suits in which that is the same are counted together; some hundred
sorts of suits are left to be joined. All numbers are whole and below 2**63: nothing is
rounded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import product
from math import comb, prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import tables
from .dealing import check_list
from .errors import Code, EvaluatorError
from .hands import MAX_TILES
from .inputs import resolve
from .queries import UNREACHABLE, is_win
from .rulesets import Rules
from .tiles import COPIES, KINDS, ORPHANS, SUITED

Numbers = npt.NDArray[np.int64]
Vectors = npt.NDArray[np.uint8]

PAIRS = 7
KNOWN = {"standard", "seven_pairs", "seven_different_pairs", "thirteen_orphans"}
"""Forms whose distributions are known."""
FEWEST_TILES = {"standard": 1, "knitted_straight": 10}
"""Concealed tiles from which on a hand can be of a form; of the others it takes 13."""
SUIT_PAIRS = ((0, 1), (0, 2), (1, 2))
CHUNK = 1 << 18
"""Most hands of one piece of :func:`wins`."""
AT_ONCE = 1 << 20
"""Pairs of sorts that are looked at together: a bound of the memory it takes."""


class Sorts(NamedTuple):
    """Sorts of suits, or of several suits together, and how often each can be dealt.

    Attributes
    ----------
    number : int64[s]
        Class of the standard form.
    tiles, pairs, singles : int64[s]
        Of a kind held four times, a pair or two, as the rules say; singles are what
        is left of a kind beside its pairs.
    orphans, orphan_pair : int64[s]
        Kinds of terminals and honours held; whether one of them is held twice.
    ways : int64[s]
        Ways to deal them, physical tiles told apart.
    """

    number: Numbers
    tiles: Numbers
    pairs: Numbers
    singles: Numbers
    orphans: Numbers
    orphan_pair: Numbers
    ways: Numbers

    def at(self, rows: Any) -> Sorts:
        """Some of them, as numpy indexes."""
        return Sorts(*(fact[rows] for fact in self))


@cache
def _shape() -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
    """Class of a suit's code; of two classes together; distance to sets and a pair."""
    arrays = tables.load("shape.npz")
    return arrays["suit_class"], arrays["merge"], arrays["distance"]


@cache
def _vectors(kinds: int) -> tuple[Vectors, Numbers]:
    """All counts of nine or seven kinds, at most 14 tiles, and their classes."""
    held = np.indices((COPIES + 1,) * kinds, np.uint8).reshape(kinds, -1)
    fits = held.sum(axis=0) <= MAX_TILES
    first = tables.HONOURS if kinds < 9 else 0
    numbers = _shape()[0][first : first + len(fits)]
    return np.ascontiguousarray(held[:, fits].T), numbers[fits].astype(np.int64)


def _groups(kinds: int) -> list[range]:
    """The suits, and the honours if there are any."""
    return [range(first, min(first + 9, KINDS)) for first in range(0, kinds, 9)]


def _sorts(tiles: range, wall: Collection[int], forms: frozenset[str]) -> Sorts:
    """What can be dealt of a suit, or the honours, from a wall."""
    held, number = _vectors(len(tiles))
    dealt = ~held[:, [tile not in wall for tile in tiles]].any(axis=1)
    held, number = held[dealt], number[dealt]
    nothing = np.zeros(len(held), np.int64)
    facts: dict[str, npt.NDArray[Any]] = {"number": number, "tiles": held.sum(axis=1)}
    facts |= dict.fromkeys(("pairs", "singles", "orphans", "orphan_pair"), nothing)
    if "standard" not in forms:
        facts["number"] = nothing
    if "seven_pairs" in forms:
        facts |= {"pairs": (held // 2).sum(axis=1), "singles": (held % 2).sum(axis=1)}
    if "seven_different_pairs" in forms:
        facts |= {"pairs": (held > 1).sum(axis=1), "singles": (held == 1).sum(axis=1)}
    if "thirteen_orphans" in forms:
        orphans = held[:, [tile in ORPHANS for tile in tiles]]
        facts["orphans"] = (orphans > 0).sum(axis=1)
        facts["orphan_pair"] = np.asarray((orphans > 1).any(axis=1), np.int64)
    copies = np.array([comb(COPIES, count) for count in range(COPIES + 1)])
    return _collected(Sorts(**facts, ways=copies[held].prod(axis=1)))


def _together(a: Sorts, b: Sorts) -> Sorts:
    """Each sort of ``a`` and that of ``b`` at its side."""
    return Sorts(
        number=_shape()[1][a.number, b.number].astype(np.int64),
        tiles=a.tiles + b.tiles,
        pairs=a.pairs + b.pairs,
        # seven pairs need no more
        singles=np.minimum(a.singles + b.singles, PAIRS),
        orphans=a.orphans + b.orphans,
        orphan_pair=a.orphan_pair | b.orphan_pair,
        ways=a.ways * b.ways,
    )


def _joined(a: Sorts, b: Sorts, size: int | None = None) -> Sorts:
    """Any of ``a`` with any of ``b``: of at most 14 tiles, or of exactly ``size``."""
    parts = []
    step = max(AT_ONCE // len(b.ways), 1)
    for first in range(0, len(a.ways), step):
        some = a.at(slice(first, first + step))
        tiles = some.tiles[:, None] + b.tiles
        i, j = np.nonzero(tiles <= MAX_TILES if size is None else tiles == size)
        parts.append(_collected(_together(some.at(i), b.at(j))))
    return _collected(Sorts(*map(np.concatenate, zip(*parts, strict=True))))


def _collected(sorts: Sorts) -> Sorts:
    """Each sort once, its ways added."""
    *facts, ways = sorts
    key = np.zeros(len(ways), np.int64)
    for fact in facts:  # none is above 255
        key = key << 8 | fact.astype(np.int64)
    keys, which = np.unique(key, return_inverse=True)
    total = np.zeros(len(keys), np.int64)
    np.add.at(total, which.ravel(), ways)
    shifts = range(8 * (len(facts) - 1), -1, -8)
    return Sorts._make([*(keys >> shift & 255 for shift in shifts), total])


def _shanten(hand: Sorts, size: int, forms: frozenset[str]) -> Numbers:
    """Shanten of each sort of hand: what is missing of the nearest form, less one."""
    missing = []
    if "standard" in forms:
        missing.append(_shape()[2][hand.number, size // 3, 1].astype(np.int64))
    if forms & {"seven_pairs", "seven_different_pairs"}:
        wanted = PAIRS - hand.pairs
        # one tile where there is a single, two where there is nothing
        missing.append(wanted + np.maximum(wanted - hand.singles, 0))
    if "thirteen_orphans" in forms:
        missing.append(MAX_TILES - hand.orphans - hand.orphan_pair)
    if not missing:
        return np.full(hand.number.shape, UNREACHABLE)
    nearest: Numbers = np.minimum.reduce(missing) - 1
    return nearest


def _in_all_suits(groups: Sequence[Sorts], size: int, forms: frozenset[str]) -> dict[int, int]:
    """Deals by shanten where a complete hand may be of all suits."""
    part = groups[0]
    for other in groups[1:-1]:
        part = _joined(part, other)
    hand = _joined(part, groups[-1], size)
    shanten = _shanten(hand, size, forms)
    return {int(n): int(hand.ways[shanten == n].sum()) for n in np.unique(shanten)}


def _in_two_suits(suits: Sequence[Sorts], size: int, forms: frozenset[str]) -> dict[int, int]:
    """Deals of three suits by shanten where a complete hand is of two at most.

    The shanten is the least of three: for each pair of suits, that of what is held of
    the two. Deals with all three above a bound are counted by products of matrices, two
    sorts fixed and the third summed over.
    """
    away = [
        _shanten(_together(suits[a].at(np.s_[:, None]), suits[b].at(np.s_[None, :])), size, forms)
        for a, b in SUIT_PAIRS
    ]
    held = [[np.flatnonzero(suit.tiles == n) for n in range(size + 1)] for suit in suits]
    shares = [
        (held[0][first], held[1][second], held[2][size - first - second])
        for first in range(size + 1)
        for second in range(size + 1 - first)
    ]
    found: dict[int, int] = {}
    left = sum(_ways(suits, share) for share in shares)
    for bound in np.unique(np.concatenate([numbers.ravel() for numbers in away])).tolist():
        ab, ac, bc = ((numbers > bound).astype(np.int64) for numbers in away)
        above = 0
        for i, j, k in shares:
            third = ac[np.ix_(i, k)] * suits[2].ways[k] @ bc[np.ix_(j, k)].T
            both = suits[0].ways[i] @ (ab[np.ix_(i, j)] * third)
            above += int(both @ suits[1].ways[j])
        if left > above:
            found[bound] = left - above
        left = above
    return found


def _ways(suits: Sequence[Sorts], rows: Sequence[Numbers]) -> int:
    """Ways to deal any of these rows of each suit."""
    total = 1
    for suit, some in zip(suits, rows, strict=True):
        total *= int(suit.ways[some].sum())
    return total


def deal_shanten(
    tiles: int = 13,
    kinds: int = KINDS,
    rules: str | Rules | None = None,
    *,
    family: str = "random",
) -> dict[int, int] | None:
    """How many of all deals have which shanten: exact, not sampled.

    Parameters
    ----------
    tiles, kinds, family
        What is dealt, as :func:`evaluator.deal` takes them.
    rules : str, Rules or None
        None: ``guobiao`` for 34 kinds, ``sbr_2025`` for 27.

    Returns
    -------
    dict of int to int, or None
        Deals by shanten, in order. Physical tiles are told apart: the sum is C(136, 13)
        for 13 tiles of 34 kinds. None where the distribution is not known: the knitted
        forms of ``guobiao``, rules with honours and a void suit, families that are not
        dealt from a wall.

    Raises
    ------
    EvaluatorError
        An invalid argument; honours under rules that have none.

    Examples
    --------
    >>> deals = deal_shanten(14, 34, "riichi")
    >>> deals[-1], sum(deals.values())                 # complete, of all
    (12859078207674, 4250305029168216000)
    >>> sichuan = deal_shanten(13, 27, "sbr_2025")
    >>> round(sichuan[0] / sum(sichuan.values()), 6)   # ready as dealt
    0.000159
    """
    tiles, kinds, walls = check_list(tiles, kinds, family)
    found = resolve(rules, kinds)
    if kinds > found.kinds:
        raise EvaluatorError(Code.RULES_WITHOUT_HONOURS, rules=found.name)
    # the walls of a family differ in nothing but the names of suits
    return wall_shanten(walls[0], kinds, tiles, found) if walls else None


def wall_shanten(
    wall: Collection[int], kinds: int, tiles: int, rules: Rules
) -> dict[int, int] | None:
    """The same for deals from four of each of some kinds of tiles.

    >>> wall_shanten([0, 1, 2, 3], 27, 2, resolve("sbr_2025", 27))     # 1m to 4m: 8 over 2
    {-1: 24, 0: 96}
    """
    forms = frozenset(form for form in rules.forms if FEWEST_TILES.get(form, 13) <= tiles)
    if not forms <= KNOWN or (rules.max_suits < 3 and kinds > SUITED):
        return None
    groups = [_sorts(group, wall, forms) for group in _groups(kinds)]
    count = _in_all_suits if rules.max_suits == 3 else _in_two_suits
    return count(groups, tiles, forms)


def wins(rules: str | Rules | None = None, *, chunk: int = CHUNK) -> Iterator[Vectors]:
    """Every complete concealed hand of 14 tiles, once each, a piece at a time.

    Parameters
    ----------
    rules : str, Rules or None
        None: ``sbr_2025``.
    chunk : int
        Most hands of a piece.

    Yields
    ------
    ndarray of uint8, shape (n, 27) or (n, 34)

    Raises
    ------
    EvaluatorError
        Rules with knitted forms, whose hands are not listed.

    Examples
    --------
    >>> sum(map(len, wins("sbr_2025")))
    2561091
    """
    found = resolve(rules, SUITED)
    unknown = sorted(set(found.forms) - KNOWN)
    if unknown:
        raise EvaluatorError(Code.WINS_NOT_LISTED, rules=found.name, choices=unknown)
    standard = found.replace(forms=("standard",)) if "standard" in found.forms else None
    if standard is not None:
        yield from _products(_complete_parts(found), chunk)
    for form in ("seven_pairs", "seven_different_pairs"):
        if form not in found.forms:
            continue
        for hands in _products(_paired_parts(found, form), chunk):
            # two readings of one hand
            yield hands if standard is None else hands[~is_win(hands, standard)]
    if "thirteen_orphans" in found.forms:
        hands = np.zeros((len(ORPHANS), found.kinds), np.uint8)
        hands[:, ORPHANS] = 1 + np.eye(len(ORPHANS), dtype=np.uint8)
        yield hands


def _complete_parts(rules: Rules) -> Iterator[Sequence[Vectors]]:
    """What each suit can be in a hand of sets and a pair, for each way to share out 14 tiles."""
    distance = _shape()[2]
    groups = []
    for tiles in _groups(rules.kinds):
        held, number = _vectors(len(tiles))
        size = held.sum(axis=1)
        pair = (size % 3 == 2).astype(np.int64)
        complete = (size % 3 != 1) & (distance[number, size // 3, pair] == 0)
        groups.append({n: held[complete & (size == n)] for n in range(MAX_TILES + 1) if n % 3 != 1})
    for sizes in product(*groups):
        one_pair = sum(size % 3 == 2 for size in sizes) == 1
        if sum(sizes) == MAX_TILES and one_pair and _suits(sizes) <= rules.max_suits:
            yield [group[size] for group, size in zip(groups, sizes, strict=True)]


def _paired_parts(rules: Rules, form: str) -> Iterator[Sequence[Vectors]]:
    """The same for hands of seven pairs."""
    groups = []
    for tiles in _groups(rules.kinds):
        held, _ = _vectors(len(tiles))
        most = COPIES if form == "seven_pairs" else 2
        paired = (held % 2 == 0).all(axis=1) & (held <= most).all(axis=1)
        size = held.sum(axis=1)
        groups.append({n: held[paired & (size == n)] for n in range(0, MAX_TILES + 1, 2)})
    for sizes in product(*groups):
        if sum(sizes) == MAX_TILES and _suits(sizes) <= rules.max_suits:
            yield [group[size] for group, size in zip(groups, sizes, strict=True)]


def _suits(sizes: Sequence[int]) -> int:
    """Suits held, by their tiles; honours are none."""
    return sum(size > 0 for size in sizes[:3])


def _products(parts: Iterator[Sequence[Vectors]], chunk: int) -> Iterator[Vectors]:
    """Hands: each choice of a row for every suit, at most ``chunk`` of them at a time."""
    for suits in parts:
        total = prod(map(len, suits))
        for start in range(0, total, chunk):
            number = np.arange(start, min(start + chunk, total))
            columns: list[Vectors] = []
            for rows in reversed(suits):
                number, row = np.divmod(number, len(rows))
                columns.insert(0, rows[row])
            yield np.concatenate(columns, axis=1)
