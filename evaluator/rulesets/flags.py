"""What a pattern may require: each flag with its meaning, for scores, divisions and distances.

A flag says of which tiles a hand is, of which sets and pair, and what else holds of it. To add
one is to add an entry: scores look its sets and tiles up, ``pattern_shanten`` reads its shape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..tiles import HONOURS, KINDS, SUITED, TERMINALS, is_number, rank_of

Tiles = frozenset[int]
Block = tuple[int, ...]

EVERY: Tiles = frozenset(range(KINDS))
OUTER: Tiles = frozenset((*TERMINALS, *HONOURS))
CHOWS: tuple[Block, ...] = tuple((t, t + 1, t + 2) for t in range(SUITED) if t % 9 < 7)


def _of_ranks(ranks: str) -> Tiles:
    """The suited tiles of these ranks."""
    return frozenset(tile for tile in range(SUITED) if str(rank_of(tile)) in ranks)


def _alike(block: Block) -> bool:
    return block[0] == block[-1]


BLOCKS: dict[str, Callable[[Block], bool]] = {
    "any": lambda block: True,
    "pungs": _alike,
    "outer": lambda block: not OUTER.isdisjoint(block),
    "fives": lambda block: any(is_number(tile) and rank_of(tile) == 5 for tile in block),
    "jiang": lambda block: _alike(block) and is_number(block[0]) and rank_of(block[0]) in (2, 5, 8),
}
"""What may be asked of a set, or of the pair, by its tiles; of a pair all but "pungs" has sense."""


class Flag(NamedTuple):
    """What a pattern requires.

    Attributes
    ----------
    text : str
        What it says, for people.
    tiles : frozenset of int
        Every tile of the hand, melds included, is one of these.
    form : str
        ``"standard"``, ``"seven_pairs"``, or ``""`` for either.
    sets, pair : str
        Of which kind each set and the pair are, of :data:`BLOCKS`. Seven pairs have none: a
        flag that asks for sets has the form ``"standard"``.
    chows : tuple of tuple of int
        The lowest tiles of chows; all those of one of these are there.
    one_suit : bool
        All tiles are of one suit.
    root : bool
        Four of a kind that is no kong.
    closed : bool
        No open meld.
    melds, kongs : bool
        All four sets are melds, or kongs.
    win : tuple of str
        Places of the winning tile: ``"edge"``, ``"middle"``, ``"middle_five"``, ``"pair"``.
    how : str
        How the hand was won, or by whom.
    """

    text: str
    tiles: Tiles = EVERY
    form: str = ""
    sets: str = "any"
    pair: str = "any"
    chows: tuple[tuple[int, ...], ...] = ()
    one_suit: bool = False
    root: bool = False
    closed: bool = False
    melds: bool = False
    kongs: bool = False
    win: tuple[str, ...] = ()
    how: str = ""

    @property
    def is_shape(self) -> bool:
        """Whether the tiles and melds decide it, not the winning tile or luck."""
        return not self.win and not self.how


_SETS = "standard"

FLAGS: dict[str, Flag] = {
    # forms and sets
    "std": Flag("four sets and a pair (四副一将)", form=_SETS),
    "seven": Flag("seven pairs, four of a kind counting as two of them (七对)", form="seven_pairs"),
    "pungs": Flag("every set is a pung or kong (对对胡)", form=_SETS, sets="pungs"),
    "yaojiu": Flag(
        "a terminal in every set and the pair (带幺九)", form=_SETS, sets="outer", pair="outer"
    ),
    "yaojiu_sets": Flag(
        "a terminal in every set, whatever the pair (幺九)", form=_SETS, sets="outer"
    ),
    "jiang": Flag(
        "pungs of 2, 5, 8 and a pair of them (将对)", form=_SETS, sets="jiang", pair="jiang"
    ),
    "jingou": Flag(
        "four melds, all of them pungs or kongs (金钩钓)", form=_SETS, sets="pungs", melds=True
    ),
    "luohan": Flag("four kongs (十八罗汉)", form=_SETS, sets="pungs", kongs=True),
    "yitiaolong": Flag(
        "123, 456 and 789 of one suit as chows (一条龙)",
        form=_SETS,
        chows=tuple((first, first + 3, first + 6) for first in (0, 9, 18)),
    ),
    # tiles
    "flush": Flag("one suit (清一色)", one_suit=True),
    "zhongzhang": Flag("no terminal and no honour (断幺)", tiles=EVERY - OUTER),
    "quanda": Flag("only 7, 8 and 9 (全大)", tiles=_of_ranks("789")),
    "quanzhong": Flag("only 4, 5 and 6 (全中)", tiles=_of_ranks("456")),
    "quanxiao": Flag("only 1, 2 and 3 (全小)", tiles=_of_ranks("123")),
    "dayuwu": Flag("only 6 to 9 (大于五)", tiles=_of_ranks("6789")),
    "xiaoyuwu": Flag("only 1 to 4 (小于五)", tiles=_of_ranks("1234")),
    "hasgen": Flag("a root: four of a kind that is not a kong (根)", root=True),
    "menqing": Flag("no open meld (门清)", closed=True),
    # how the winning tile fits
    "jiaxin": Flag(
        "the winning tile is the middle of a chow (夹心)", win=("middle", "middle_five")
    ),
    "jiaxinwu": Flag(
        "the winning tile is a five, the middle of a chow (夹心五)", win=("middle_five",)
    ),
    "dandiao": Flag("the winning tile makes the pair (单钓)", win=("pair",)),
    "bianzhang": Flag("the winning tile is the 3 of 123 or the 7 of 789 (边张)", win=("edge",)),
    # how the hand was won
    "self_drawn": Flag("the winner drew the tile (自摸)", how="self_drawn"),
    "claimed": Flag("the tile was a discard or a robbed kong (点炮)", how="claimed"),
    "heavenly": Flag("the dealer wins with the dealt tiles (天胡)", how="heavenly"),
    "earthly": Flag("another player wins with the first tile (地胡)", how="earthly"),
    "juezhang": Flag(
        "the tile is the last copy of its kind, as the flag last_tile says (绝张)", how="last_tile"
    ),
    "dealer": Flag("the dealer wins: the seat wind is east (庄家)", how="dealer"),
}
"""Every flag by its name in rule files."""
