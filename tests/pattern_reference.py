"""How far a hand is from a pattern, in plain enumeration: slow, and obviously right.

A hand is counts of its concealed tiles beside its melds. The target is a set of concealed
tiles that, beside those melds, is a complete hand of the pattern; the distance is the number
of tiles of the nearest target that are missing, less one: -1 complete, 0 waiting, 127 when
there is no target. As for shanten, a target holds no tile five times, melds not counted.
Where a hand has fewer than 13 tiles and its melds are not told, they fit the pattern, and
hold no suit and none of the sets that it names.

What is not plain enumeration: sets stay within a suit, so targets are enumerated per group
(a suit, winds, dragons) and the fewest missing tiles of the groups are added up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, permutations, product

import numpy as np

KINDS, SUITED, COPIES, UNREACHABLE = 34, 27, 4, 127
GROUPS = {
    "m": range(0, 9),
    "p": range(9, 18),
    "s": range(18, 27),
    "winds": range(27, 31),
    "dragons": range(31, 34),
}
SUITS = ("m", "p", "s")
HONOURS = tuple(range(27, 34))
TERMINALS = (0, 8, 9, 17, 18, 26)
KNITTED = tuple(
    tuple(9 * suit + start + 3 * step for suit, start in enumerate(starts) for step in range(3))
    for starts in permutations(range(3))
)

Block = tuple[int, ...]
Present = Callable[[frozenset[str]], bool]
PUNGS = frozenset((tile,) * 3 for tile in range(KINDS))
CHOWS = frozenset((t, t + 1, t + 2) for t in range(SUITED) if t % 9 <= 6)
PAIRS = frozenset((tile,) * 2 for tile in range(KINDS))
BLOCKS = PUNGS | CHOWS | PAIRS


def is_outer(tile: int) -> bool:
    return tile in HONOURS or tile in TERMINALS


GROUP_OF = {tile: name for name, tiles in GROUPS.items() for tile in tiles}


def blocks_of(melds: Iterable) -> list[Block]:
    """Melds, as ``Meld`` or as (kind, lowest tile), as sets; a kong is a pung."""
    pairs = [meld if isinstance(meld, tuple) else (meld.kind, meld.tile) for meld in melds]
    return [(t, t + 1, t + 2) if kind == "chow" else (t,) * 3 for kind, t in pairs]


def kinds_of_meld(melds: Iterable) -> list[str]:
    return [meld[0] if isinstance(meld, tuple) else meld.kind for meld in melds]


# --- four sets and a pair ---


@cache
def targets(
    group: str, allowed: frozenset[Block], sets: int, pairs: int, base: Block = ()
) -> np.ndarray:
    """Every way to hold ``base`` and so many sets and pairs in one group.

    A row is counts of the group's tiles, none above four.
    """
    tiles = GROUPS[group]
    if not sets and not pairs:
        return np.array([[base.count(tile) for tile in tiles]], np.int8)
    smaller = targets(group, allowed, *((sets - 1, pairs) if sets else (0, 0)), base)
    blocks = [
        [block.count(tile) for tile in tiles]
        for block in allowed
        if len(block) == (3 if sets else 2) and block[0] in tiles
    ]
    if not blocks or not len(smaller):
        return np.zeros((0, len(tiles)), np.int8)
    grown = (smaller[:, None] + np.array(blocks, np.int8)).reshape(-1, len(tiles))
    grown = grown[grown.max(1) <= COPIES]
    # each once: a row is a number of base 5
    _, first = np.unique(grown @ 5 ** np.arange(len(tiles)), return_index=True)
    return grown[first]


@lru_cache(1 << 18)
def missing_in_group(
    group: str,
    counts: tuple[int, ...],
    allowed: frozenset[Block],
    sets: int,
    pairs: int,
    base: Block,
) -> int | None:
    """Fewest tiles of one group that a target lacks; None without a target."""
    rows = targets(group, allowed, sets, pairs, base)
    if not len(rows):
        return None
    return int(np.maximum(rows - np.array(counts, np.int8), 0).sum(1).min())


def missing_standard(
    counts: Sequence[int],
    allowed: frozenset[Block],
    sets: int,
    pairs: int = 1,
    *,
    base: Block = (),
    melds: Sequence[Block] = (),
    present: Present | None = None,
) -> int | None:
    """Fewest tiles missing of ``base``, ``sets`` sets and ``pairs`` pairs of allowed blocks.

    ``present`` says which groups (melds counted) the whole hand may hold together.
    """
    held = frozenset(GROUP_OF[tile] for block in (*melds, base) for tile in block)
    best: dict[tuple[int, int, frozenset[str]], int] = {(0, 0, held): 0}
    for group, tiles in GROUPS.items():
        here = tuple(counts[tile] for tile in tiles)
        wanted = tuple(tile for tile in base if tile in tiles)
        merged: dict[tuple[int, int, frozenset[str]], int] = {}
        for m, p in product(range(sets + 1), range(pairs + 1)):
            missing = missing_in_group(group, here, allowed, m, p, wanted)
            if missing is None:
                continue
            for (m0, p0, groups), missing0 in best.items():
                if m + m0 <= sets and p + p0 <= pairs:
                    if present and (m or p):
                        groups |= {group}
                    state = (m + m0, p + p0, groups)
                    merged[state] = min(merged.get(state, 99), missing + missing0)
        best = merged
    fitting = [
        missing
        for (m, p, groups), missing in best.items()
        if (m, p) == (sets, pairs) and (present is None or present(groups))
    ]
    return min(fitting, default=None)


# --- what is chosen tile by tile: seven pairs, pungs that are still to be melded, kongs ---


def missing_by_tile(
    counts: Sequence[int],
    tiles: Iterable[int],
    choices: Callable[[int, int], Iterable[tuple[int, tuple[int, ...]]]],
    wanted: tuple[int, ...],
    *,
    melds: Sequence[Block] = (),
    present: Present | None = None,
) -> int | None:
    """Fewest tiles missing so that what is made of each tile adds up to ``wanted``.

    ``choices(tile, held)`` gives what can be made of one tile as (missing, made); the parts
    of ``made`` are added up, none above ``wanted``.
    """
    held = frozenset(GROUP_OF[tile] for block in melds for tile in block)
    best = {((0,) * len(wanted), held): 0}
    for tile in tiles:
        merged = dict(best)  # nothing is made of it
        for missing, made in choices(tile, counts[tile]):
            for (so_far, groups), missing0 in best.items():
                total = tuple(a + b for a, b in zip(so_far, made, strict=True))
                if all(a <= b for a, b in zip(total, wanted, strict=True)):
                    state = (total, groups | {GROUP_OF[tile]} if present else groups)
                    merged[state] = min(merged.get(state, 99), missing + missing0)
        best = merged
    fitting = [
        missing
        for (total, groups), missing in best.items()
        if total == wanted and (present is None or present(groups))
    ]
    return min(fitting, default=None)


def missing_seven_pairs(
    counts: Sequence[int],
    tiles: Iterable[int],
    *,
    present: Present | None = None,
    with_quad: bool = False,
) -> int | None:
    """Seven pairs of these tiles, four of a kind being two; at least one such, if asked."""

    def choices(tile: int, held: int) -> Iterator[tuple[int, tuple[int, ...]]]:
        yield max(2 - held, 0), (1, 0)
        yield max(4 - held, 0), (2, 0)
        if with_quad:
            # the quad that is asked for; others are two pairs
            yield max(4 - held, 0), (2, 1)

    return missing_by_tile(counts, tiles, choices, (7, int(with_quad)), present=present)


def _golden_wait(held: int) -> int:
    """Tiles to draw or claim until a pung lies on the table: one at least, but for a kong."""
    return 0 if held == COPIES else max(1, 3 - held)


def _kong(held: int) -> int:
    return COPIES - held


# --- Sichuan ---

STANDARD = {"std", "pungs", "yaojiu", "yaojiu_sets", "jiang", "jingou", "luohan", "yitiaolong"}
RANKS = {
    "quanda": "789", "quanzhong": "456", "quanxiao": "123", "dayuwu": "6789", "xiaoyuwu": "1234",
}  # fmt: skip
SHAPES = STANDARD | {"seven", "hasgen", "flush", "menqing", "zhongzhang", *RANKS}
"""What a pattern may require of the shape of a hand."""


def pattern_distance(
    counts: Sequence[int],
    melds: Sequence,
    flags: Iterable[str],
    *,
    kinds: int = 27,
    max_suits: int = 2,
    min_suits: int = 0,
    void: int | None = None,
    seven_pairs: bool = True,
) -> int:
    """The distance to the nearest hand with all the flags of :data:`SHAPES` in one reading.

    Parameters
    ----------
    counts : sequence of int
        27 or 34 counts of the concealed tiles, 3k+1 or 3k+2.
    melds : sequence of Meld or (kind, tile)
    flags : iterable of str
    kinds, max_suits, min_suits, seven_pairs
        What the rules say of any hand.
    void : int or None
        A suit the hand must not hold.

    Notes
    -----
    ``jingou``: a set still has to lie on the table. A pung of a tile costs max(1, 3 - held),
    nothing where four are held (a concealed kong). ``luohan``: a kong costs 4 - held, every
    pung meld one. ``hasgen`` stands beside ``seven`` only: one quad at least.
    """
    asked = set(flags)
    assert asked <= SHAPES, asked - SHAPES
    assert "hasgen" not in asked or "seven" in asked
    counts = tuple(counts) + (0,) * (KINDS - len(counts))
    sets = sum(counts) // 3
    lying = blocks_of(melds)

    def present(groups: frozenset[str]) -> bool:
        suits = [suit for suit in SUITS if suit in groups]
        if "flush" in asked and (len(suits) != 1 or groups - set(SUITS)):
            return False
        if void is not None and SUITS[void] in groups:
            return False
        return min_suits <= len(suits) <= max_suits

    def fits(block: Block) -> bool:
        if "yaojiu" in asked and not any(is_outer(tile) for tile in block):
            return False
        if "yaojiu_sets" in asked and len(block) == 3 and not any(map(is_outer, block)):
            return False
        if "zhongzhang" in asked and any(is_outer(tile) for tile in block):
            return False
        for name in asked & set(RANKS):
            if any(tile >= SUITED or str(tile % 9 + 1) not in RANKS[name] for tile in block):
                return False
        if "jiang" in asked and any(tile >= SUITED or tile % 9 not in (1, 4, 7) for tile in block):
            return False
        pungs = asked & {"pungs", "jiang", "jingou", "luohan"}
        return max(block) < kinds and not (pungs and block in CHOWS)

    if not all(fits(block) for block in lying):
        return UNREACHABLE
    if "menqing" in asked and set(kinds_of_meld(melds)) - {"concealed_kong"}:
        return UNREACHABLE
    allowed = _chosen(fits)
    found: list[int | None] = []
    if asked & {"jingou", "luohan"} and "yitiaolong" not in asked and "seven" not in asked:
        to_lie = _kong if "luohan" in asked else _golden_wait

        def choices(tile: int, held: int) -> Iterator[tuple[int, tuple[int, ...]]]:
            yield to_lie(held), (1, 0)
            yield max(2 - held, 0), (0, 1)

        tiles = [tile for tile in range(KINDS) if (tile,) * 3 in allowed]
        missing = missing_by_tile(counts, tiles, choices, (sets, 1), melds=lying, present=present)
        if missing is not None and "luohan" in asked:
            missing += kinds_of_meld(melds).count("pung")
        found.append(missing)
    elif "seven" not in asked:
        for base in _straights(lying) if "yitiaolong" in asked else [()]:
            free = sets - len(base)
            if free >= 0 and all(block in allowed for block in base):
                tiles_of_base = tuple(tile for block in base for tile in block)
                found.append(
                    missing_standard(
                        counts, allowed, free, base=tiles_of_base, melds=lying, present=present
                    )
                )
    if seven_pairs and not melds and sum(counts) >= 13 and not asked & STANDARD:
        pairs = [tile for tile in range(KINDS) if (tile,) * 2 in allowed]
        found.append(
            missing_seven_pairs(counts, pairs, present=present, with_quad="hasgen" in asked)
        )
    return _nearest(found)


def _straights(melds: Sequence[Block]) -> Iterator[tuple[Block, ...]]:
    """For each suit, the chows of 123 456 789 that are not melds."""
    for first in (0, 9, 18):
        chows = [(t, t + 1, t + 2) for t in (first, first + 3, first + 6)]
        yield tuple(chow for chow in chows if chow not in melds)


@cache
def _same(blocks: frozenset[Block]) -> frozenset[Block]:
    """One object for equal sets of blocks, so that the caches find it by identity."""
    return blocks


def _chosen(fits: Callable[[Block], bool]) -> frozenset[Block]:
    return _same(frozenset(block for block in BLOCKS if fits(block)))


def _nearest(found: Iterable[int | None]) -> int:
    return min((missing - 1 for missing in found if missing is not None), default=UNREACHABLE)


# --- Guobiao ---


def tiles_of(text: str) -> frozenset[int]:
    """``123m`` and so on, in mpsz."""
    found, digits = set(), ""
    for c in text:
        if c.isdigit():
            digits += c
        else:
            found |= {9 * "mpsz".index(c) + int(digit) - 1 for digit in digits}
            digits = ""
    return frozenset(found)


def _ranks(ranks: str) -> frozenset[int]:
    return tiles_of(f"{ranks}m{ranks}p{ranks}s")


def _one_suit(groups: frozenset[str]) -> bool:
    return len(groups & set(SUITS)) == 1


def _numbers(groups: frozenset[str]) -> bool:
    return bool(groups & set(SUITS))


def _honours(groups: frozenset[str]) -> bool:
    return bool(groups - set(SUITS))


EVERY = frozenset(range(KINDS))

BY_TILES: dict[str, tuple[frozenset[int], Present | None]] = {
    # name: the only tiles, and which groups must be there. Sets and pair, or seven pairs
    "清一色": (EVERY, lambda groups: _one_suit(groups) and not _honours(groups)),
    "混一色": (EVERY, lambda groups: _one_suit(groups) and _honours(groups)),
    "五门齐": (EVERY, lambda groups: len(groups) == 5),
    "断幺": (_ranks("2345678"), None),
    "绿一色": (tiles_of("23468s6z"), None),
    "字一色": (frozenset(HONOURS), None),
    "清幺九": (frozenset(TERMINALS), None),
    "混幺九": (
        frozenset(TERMINALS + HONOURS),
        lambda groups: _numbers(groups) and _honours(groups),
    ),
    "推不倒": (tiles_of("1234589p245689s5z"), None),
    "大于五": (_ranks("6789"), None),
    "小于五": (_ranks("1234"), None),
    "全大": (_ranks("789"), None),
    "全中": (_ranks("456"), None),
    "全小": (_ranks("123"), None),
}

BY_BLOCKS: dict[str, Callable[[Block], bool]] = {
    # every set and the pair; never seven pairs
    "碰碰和": lambda block: block not in CHOWS,
    "全双刻": lambda block: block not in CHOWS and block[0] in _ranks("2468"),
    "全带幺": lambda block: any(is_outer(tile) for tile in block),
    "全带五": lambda block: any(tile in _ranks("5") for tile in block),
}


def _chow(suit: int, low: int) -> Block:
    return tuple(9 * suit + low + step for step in range(3))


def _pung(suit: int, rank: int) -> Block:
    return (9 * suit + rank,) * 3


def _in_one_suit(make: Callable[[int, int], Block], steps: Sequence[int]) -> list[list[Block]]:
    """The sets at these distances, wherever they fit in a suit."""
    last = (6 if make is _chow else 8) - steps[-1]
    return [
        [make(suit, low + step) for step in steps] for suit in range(3) for low in range(last + 1)
    ]


def _in_three_suits(make: Callable[[int, int], Block], steps: Sequence[int]) -> list[list[Block]]:
    last = (6 if make is _chow else 8) - steps[-1]
    return [
        [make(suit, low + step) for suit, step in zip(suits, steps, strict=True)]
        for suits in permutations(range(3))
        for low in range(last + 1)
    ]


WINDS = [(tile,) * 3 for tile in GROUPS["winds"]]
DRAGONS = [(tile,) * 3 for tile in GROUPS["dragons"]]

NAMED_SETS: dict[str, list[list[Block]]] = {
    # every choice of the sets (and the pair) that a fan names
    "清龙": [[_chow(suit, low) for low in (0, 3, 6)] for suit in range(3)],
    "花龙": [
        [_chow(suit, low) for suit, low in zip(suits, (0, 3, 6), strict=True)]
        for suits in permutations(range(3))
    ],
    "一色三同顺": _in_one_suit(_chow, (0, 0, 0)),
    "一色四同顺": _in_one_suit(_chow, (0, 0, 0, 0)),
    "一色三步高": _in_one_suit(_chow, (0, 1, 2)) + _in_one_suit(_chow, (0, 2, 4)),
    "一色四步高": _in_one_suit(_chow, (0, 1, 2, 3)) + _in_one_suit(_chow, (0, 2, 4, 6)),
    "一色三节高": _in_one_suit(_pung, (0, 1, 2)),
    "一色四节高": _in_one_suit(_pung, (0, 1, 2, 3)),
    "三色三同顺": _in_three_suits(_chow, (0, 0, 0)),
    "三色三步高": _in_three_suits(_chow, (0, 1, 2)),
    "三色三节高": _in_three_suits(_pung, (0, 1, 2)),
    "三同刻": _in_three_suits(_pung, (0, 0, 0)),
    "大三元": [DRAGONS],
    "小三元": [[*(d for d in DRAGONS if d != pair), pair[:2]] for pair in DRAGONS],
    "双箭刻": [list(two) for two in combinations(DRAGONS, 2)],
    "大四喜": [WINDS],
    "小四喜": [[*(w for w in WINDS if w != pair), pair[:2]] for pair in WINDS],
    "三风刻": [list(three) for three in combinations(WINDS, 3)],
    "一色双龙会": [
        [_chow(suit, 0), _chow(suit, 0), _chow(suit, 6), _chow(suit, 6), (9 * suit + 4,) * 2]
        for suit in range(3)
    ],
    "三色双龙会": [
        [_chow(a, 0), _chow(a, 6), _chow(b, 0), _chow(b, 6), (9 * c + 4,) * 2]
        for a, b, c in ((0, 1, 2), (0, 2, 1), (1, 2, 0))
    ],
}

WHOLE: dict[str, list[tuple[int, ...]]] = {
    # every fourteen tiles there are; no melds
    "连七对": [
        tuple(9 * suit + low + step for step in range(7) for _ in range(2))
        for suit in range(3)
        for low in range(3)
    ],
    "十三幺": [(*TERMINALS, *HONOURS, pair) for pair in TERMINALS + HONOURS],
    "九莲宝灯": [
        tuple(9 * suit + rank for rank in (0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, more))
        for suit in range(3)
        for more in range(9)
    ],
    "七星不靠": [HONOURS + seven for body in KNITTED for seven in combinations(body, 7)],
    "全不靠": [some for body in KNITTED for some in combinations((*HONOURS, *body), 14)],
}
# the fan of other definitions that some of them have as well
WHOLE["组合龙"] = [(*body, *some) for body in KNITTED for some in combinations(HONOURS, 5)]
WHOLE["混幺九"] = WHOLE["十三幺"]
WHOLE["五门齐"] = WHOLE["十三幺"] + WHOLE["全不靠"]

SHAPE_FANS = tuple(dict.fromkeys(("七对", "组合龙", *BY_TILES, *BY_BLOCKS, *NAMED_SETS, *WHOLE)))
"""Every name that :func:`guobiao_pattern_distance` knows."""


def guobiao_pattern_distance(
    counts: Sequence[int], melds: Sequence, fan: str, *, seven_pairs: bool = True
) -> int:
    """The distance to the nearest complete hand of the shape of a fan.

    Parameters
    ----------
    counts : sequence of int
        34 counts of the concealed tiles, 3k+1 or 3k+2.
    melds : sequence of Meld or (kind, tile)
    fan : str
        One of :data:`SHAPE_FANS`.
    seven_pairs : bool
        Whether a fan that is said by tiles may be one of seven pairs.

    Notes
    -----
    Only the shape: a hand that has it counts even where a greater fan takes its place: 大三元
    is 双箭刻 as well, 连七对 is 七对, 十三幺 is 混幺九 and 五门齐, 全不靠 is 五门齐.
    """
    counts = tuple(counts) + (0,) * (KINDS - len(counts))
    whole = not melds and sum(counts) >= 13
    found: list[int | None] = []
    if fan == "七对" and whole:
        found.append(missing_seven_pairs(counts, range(KINDS)))
    if fan in WHOLE and whole:
        held = np.array(counts, np.int8)
        found.append(int(np.maximum(_whole(fan) - held, 0).sum(1).min()))
    if fan == "组合龙":
        found.append(_missing_knitted(counts, melds, None))
    if fan in BY_TILES:
        tiles, present = BY_TILES[fan]
        found += _missing_of_tiles(counts, melds, tiles, present, seven_pairs)
        if fan == "五门齐":
            found.append(_missing_knitted(counts, melds, present))
    if fan in BY_BLOCKS and all(BY_BLOCKS[fan](block) for block in blocks_of(melds)):
        found.append(missing_standard(counts, _chosen(BY_BLOCKS[fan]), sum(counts) // 3))
    for named in NAMED_SETS.get(fan, ()):
        found.append(_missing_beside(counts, melds, named))
    return _nearest(found)


@cache
def _whole(fan: str) -> np.ndarray:
    rows = {tuple(tiles.count(tile) for tile in range(KINDS)) for tiles in WHOLE[fan]}
    return np.array(sorted(rows), np.int8)


def _missing_of_tiles(
    counts: Sequence[int],
    melds: Sequence,
    tiles: frozenset[int],
    present: Present | None,
    seven_pairs: bool,
) -> Iterator[int | None]:
    lying = blocks_of(melds)
    if not all(tiles.issuperset(block) for block in lying):
        return
    allowed = _chosen(tiles.issuperset)
    yield missing_standard(counts, allowed, sum(counts) // 3, melds=lying, present=present)
    if seven_pairs and not melds and sum(counts) >= 13:
        yield missing_seven_pairs(counts, sorted(tiles), present=present)


def _missing_beside(counts: Sequence[int], melds: Sequence, named: list[Block]) -> int | None:
    """Sets of which some may be melds, and whatever completes the hand."""
    lying, needed = blocks_of(melds), []
    for block in named:
        if block in lying:
            lying.remove(block)
        else:
            needed.append(block)
    pair = any(len(block) == 2 for block in needed)
    free = sum(counts) // 3 - sum(len(block) == 3 for block in needed)
    if free < 0:
        return None
    base = tuple(sorted(tile for block in needed for tile in block))
    return missing_standard(counts, _same(BLOCKS), free, int(not pair), base=base)


def _missing_knitted(counts: Sequence[int], melds: Sequence, present: Present | None) -> int | None:
    """组合龙: nine knitted tiles, a set (it may be the one meld) and a pair."""
    free = sum(counts) // 3 - 3
    if free < 0:
        return None
    lying = blocks_of(melds)
    found = [
        missing_standard(
            counts, _same(BLOCKS), free, base=tuple(sorted(body)), melds=lying, present=present
        )
        for body in KNITTED
    ]
    return min((missing for missing in found if missing is not None), default=None)
