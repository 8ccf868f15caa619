"""Won Guobiao hands of every kind: by seed, and for hypothesis.

A kind is a function of a ``random.Random`` that builds sets and a pair (or a special
form) out of a small pool, so that sets repeat, step and mirror as fan want them to;
melds, kongs, the winning tile and possible flags are drawn over it. Hands are
:class:`guobiao_reference.Case`; the converters below give them to the package and to
PyMahjongGB.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

import guobiao_reference as ref
import numpy as np
from guobiao_reference import (
    DRAGONS,
    GREEN,
    HONOURS,
    KINDS,
    KNITTED,
    ORPHANS,
    REVERSIBLE,
    SUITED,
    TERMINALS,
    WINDS,
    Case,
    meld_tiles,
)
from hypothesis import strategies as st

from evaluator.hands import FLAGS, NONE, Hand, Hands, Meld

Set = tuple[str, int]
CHOWS: list[Set] = [("chow", tile) for tile in range(SUITED) if tile % 9 <= 6]
PUNGS: list[Set] = [("pung", tile) for tile in range(KINDS)]


# --- sets and a pair ---


def _build(
    random: Random,
    pool: Sequence[Set],
    pairs: Sequence[int],
    sets: int = 4,
    body: Sequence[int] = (),
) -> tuple[list[Set], int]:
    """Sets of the pool and a pair, no tile five times."""
    while True:
        held = [0] * KINDS
        for tile in body:
            held[tile] += 1
        chosen = []
        for _ in range(60):
            kind, tile = random.choice(pool)
            members = meld_tiles(kind, tile)
            if all(held[t] + members.count(t) <= 4 for t in members):
                for t in members:
                    held[t] += 1
                chosen.append((kind, tile))
                if len(chosen) == sets:
                    break
        else:
            continue
        free = [tile for tile in pairs if held[tile] <= 2]
        if free:
            return chosen, random.choice(free)


def _dress(
    random: Random,
    sets: list[Set],
    pair: int,
    body: Sequence[int] = (),
    *,
    melded: float | None = None,
    kongs: float = 0.3,
) -> Case:
    """Some sets as melds, some pungs as kongs, a winning tile and flags."""
    if melded is None:
        melded = random.choice((0.0, 0.3, 0.6, 1.0))
    held = [0] * KINDS
    for kind, tile in sets:
        for t in meld_tiles(kind, tile):
            held[t] += 1
    for tile in (pair, pair, *body):
        held[tile] += 1
    melds: list[Set] = []
    concealed = list(held)
    for kind, tile in sets:
        lies = random.random() < melded
        kong = kind == "pung" and held[tile] == 3 and random.random() < kongs
        if not lies and not (kong and melded):
            continue
        for t in meld_tiles(kind, tile):
            concealed[t] -= 1
        if kong:
            held[tile] += 1
            melds.append((random.choice(("kong", "concealed_kong")) if lies else "concealed_kong",
                          tile))  # fmt: skip
        else:
            melds.append((kind, tile))
    return _won(random, concealed, tuple(melds))


def _won(random: Random, concealed: Sequence[int], melds: tuple[Set, ...] = ()) -> Case:
    """A winning tile, possible flags, winds and flowers."""
    win = random.choice([tile for tile, count in enumerate(concealed) for _ in range(count)])
    bare = Case(tuple(concealed), melds, win)
    flags = set()

    def maybe(name: str, chance: float) -> None:
        if random.random() < chance:
            flags.add(name)

    opened = any(kind != "concealed_kong" for kind, _ in melds)
    maybe("self_drawn", 0.5)
    maybe("wall_last", 0.1)
    if concealed[win] == 1:
        maybe("last_tile", 0.1)
    if "self_drawn" in flags:
        if any("kong" in kind for kind, _ in melds):
            maybe("kong", 0.3)
        if not opened and not flags & {"wall_last", "last_tile"}:
            maybe(random.choice(("heavenly", "earthly")), 0.03)
    else:
        if bare.owned[win] == 1 and "wall_last" not in flags:
            maybe("kong", 0.2)
        if "kong" not in flags:
            maybe("kong_discard", 0.03)
    prevalent = random.randrange(4)
    case = Case(
        bare.concealed,
        melds,
        win,
        frozenset(flags),
        prevalent,
        random.choice((prevalent, random.randrange(4))),
        random.choice((0, 0, 0, random.randrange(9))),
    )
    assert ref.refusal(case) is None, case
    return case


def _few(random: Random, pool: Sequence[Set]) -> list[Set]:
    """A small pool out of a large one."""
    return random.sample(pool, random.randint(5, 8))


def _suit(random: Random) -> range:
    first = 9 * random.randrange(3)
    return range(first, first + 9)


def _inside(tiles: Sequence[int] | set[int]) -> list[Set]:
    """Sets of these tiles only."""
    return [s for s in CHOWS + PUNGS if set(meld_tiles(*s)) <= set(tiles)]


# --- the kinds ---


def anything(random: Random) -> Case:
    pool = random.choice((CHOWS, CHOWS + PUNGS))
    return _dress(random, *_build(random, pool, random.choice((range(KINDS), HONOURS))))


def chows(random: Random) -> Case:
    """Chows of a few ranks: steps, straights, mirrors, terminal chows about a pair of fives."""
    start, step = random.choice(((0, 1), (1, 1), (2, 1), (3, 1), (0, 2), (0, 3), (0, 6)))
    ranks = range(start, 7, step)
    suits = random.sample(range(3), random.randint(1, 3))
    pool = [s for s in CHOWS if s[1] % 9 in ranks and s[1] // 9 in suits]
    if random.random() < 0.3:
        # one of each, as far as they go
        sets = random.sample(pool, min(len(pool), 4))
        sets += random.choices(CHOWS, k=4 - len(sets))
        held = [tile for s in sets for tile in meld_tiles(*s)]
        free = [t for t in (4, 13, 22, 27, 31, 2, 11, 20) if held.count(t) <= 2]
        if max(map(held.count, held)) <= 4:
            return _dress(random, sets, random.choice(free))
    pairs = random.choice((range(SUITED), (4, 13, 22), range(KINDS)))
    return _dress(random, *_build(random, pool, pairs))


def terminal_chows(random: Random) -> Case:
    """双龙会 of one suit or of three, and what is nearly it."""
    a, b, c = random.sample((0, 9, 18), 3)
    lows = random.choice(((a, a + 6, a, a + 6), (a, a + 6, b, b + 6)))
    pair = random.choice((c + 4, lows[2] + 4, random.choice(HONOURS)))
    return _dress(random, [("chow", low) for low in lows], pair)


def plain(random: Random) -> Case:
    """Chows of all suits and an honour pair: 无番和, and what is nearly it."""
    while True:
        lows = [9 * suit + random.randrange(7) for suit in (0, 0, 1, 2)]
        if ref.chow_fan(lows, 0) == [Counter()]:
            break
    return _dress(random, [("chow", low) for low in lows], random.choice(HONOURS), melded=0.6)


def pungs(random: Random) -> Case:
    """Pungs of near ranks, most of them kongs now and then."""
    low = random.randint(0, 6)
    near = [9 * suit + rank for suit in range(3) for rank in range(low, min(low + 4, 9))]
    tiles = random.choice((near, near, [*near, *HONOURS], range(KINDS), [t for t in range(SUITED)
                          if t % 9 % 2]))  # fmt: skip
    pool = [("pung", tile) for tile in tiles]
    built = _build(random, pool, random.choice((list(tiles), range(KINDS))))
    return _dress(random, *built, kongs=random.choice((0.0, 0.3, 0.9)))


def triplets(random: Random) -> Case:
    """Three pungs in a row that are as well three equal chows, and sets about them."""
    low = random.choice(CHOWS)[1]
    sets = [("pung", low + step) for step in range(3)]
    if random.random() < 0.5:
        sets = [("chow", low)] * 3
    body = [tile for s in sets for tile in meld_tiles(*s)]
    near = [t for t in range(9 * (low // 9), 9 * (low // 9) + 9) if abs(t - low - 1) <= 3]
    pool = _inside(near) if random.random() < 0.7 else CHOWS + PUNGS
    more, pair = _build(random, pool, random.choice((near, range(KINDS))), 1, body)
    return _dress(random, sets + more, pair, kongs=0.1)


def flush(random: Random) -> Case:
    return _dress(random, *_build(random, _inside(suit := _suit(random)), suit))


def concealed_flush(random: Random) -> Case:
    return _dress(random, *_build(random, _inside(suit := _suit(random)), suit), melded=0.0)


def half_flush(random: Random) -> Case:
    tiles = [*_suit(random), *HONOURS]
    return _dress(random, *_build(random, _inside(tiles), tiles))


def honours(random: Random) -> Case:
    """Winds, dragons and terminals: 四喜, 三元, 字一色, 清幺九, 混幺九."""
    tiles = random.choice((WINDS + TERMINALS, DRAGONS + TERMINALS, HONOURS, ORPHANS, TERMINALS,
                           (*WINDS, 0, 1)))  # fmt: skip
    return _dress(random, *_build(random, [("pung", t) for t in tiles], tiles))


def outside(random: Random) -> Case:
    """全带幺 and what is nearly it."""
    pool = [s for s in CHOWS if s[1] % 9 in (0, 6)] + [("pung", t) for t in ORPHANS]
    return _dress(random, *_build(random, _few(random, pool), (*ORPHANS, 4, 13, 22)))


def fives(random: Random) -> Case:
    """全带五, 全中, 全大, 全小, 大于五, 小于五, 断幺."""
    if random.random() < 0.5:
        pool = [s for s in CHOWS + PUNGS if any(t < 27 and t % 9 == 4 for t in meld_tiles(*s))]
        return _dress(random, *_build(random, pool, (4, 13, 22)))
    low, high = random.choice(((0, 2), (3, 5), (6, 8), (0, 3), (5, 8), (1, 7)))
    tiles = [t for t in range(SUITED) if low <= t % 9 <= high]
    return _dress(random, *_build(random, _inside(tiles), tiles))


def coloured(random: Random) -> Case:
    """绿一色 and 推不倒."""
    tiles = sorted(random.choice((GREEN, REVERSIBLE)))
    return _dress(random, *_build(random, _inside(tiles), tiles))


def seven_pairs(random: Random) -> Case:
    """Also those that can be read as sets, 连七对, and fours as two pairs."""
    suit = _suit(random)
    shape = random.randrange(4)
    if shape == 0:
        start = random.randint(0, 2)
        chosen = list(suit[start : start + 7])
    elif shape == 1:
        # 一般高 twice: also four chows and a pair
        low = [random.choice(CHOWS)[1] for _ in range(2)]
        chosen = [t for tile in low for t in meld_tiles("chow", tile)]
        free = [t for t in range(KINDS) if chosen.count(t) < 2]
        chosen.append(random.choice([*free, *[t for t in suit if chosen.count(t) < 2]]))
    else:
        among = random.choice(
            (range(KINDS), suit, [*suit, *HONOURS], HONOURS, TERMINALS + HONOURS, sorted(GREEN),
             sorted(REVERSIBLE), TERMINALS, [t for t in range(27) if t % 9 >= 5],
             [t for t in range(27) if t % 9 <= 3], [t for t in range(27) if t % 9 % 8])
        )  # fmt: skip
        # each tile can be two of the pairs
        chosen = random.sample([*among, *among], 7)
    counts = [0] * KINDS
    for tile in chosen:
        counts[tile] += 2
    return _won(random, counts)


def knitted(random: Random) -> Case:
    """组合龙 with a set, melded or not, and a pair."""
    body = random.choice(KNITTED)
    pool = random.choice((CHOWS, PUNGS, CHOWS + PUNGS, [("pung", tile) for tile in HONOURS]))
    built = _build(random, pool, random.choice((range(KINDS), HONOURS)), 1, body)
    return _dress(random, *built, body)


def unrelated(random: Random) -> Case:
    """全不靠 and 七星不靠."""
    counts = [0] * KINDS
    body = random.choice(KNITTED)
    number = random.choice((5, 6, 7))
    for tile in [*random.sample(HONOURS, number), *random.sample(body, 14 - number)]:
        counts[tile] = 1
    return _won(random, counts)


def orphans(random: Random) -> Case:
    counts = [0] * KINDS
    for tile in (*ORPHANS, random.choice(ORPHANS)):
        counts[tile] += 1
    return _won(random, counts)


def nine_gates(random: Random) -> Case:
    """1112345678999 and a tile; the tile won with is as often as not another one."""
    suit = _suit(random)
    counts = [0] * KINDS
    for tile in (*suit, suit[0], suit[0], suit[8], suit[8], random.choice(suit)):
        counts[tile] += 1
    return _won(random, counts)


KINDS_OF_HANDS: tuple[Callable[[Random], Case], ...] = (
    anything,
    chows,
    terminal_chows,
    plain,
    pungs,
    triplets,
    flush,
    concealed_flush,
    half_flush,
    honours,
    outside,
    fives,
    coloured,
    seven_pairs,
    knitted,
    unrelated,
    orphans,
    nine_gates,
)


def batch(kind: Callable[[Random], Case], n: int, seed: int) -> list[Case]:
    """The same ``n`` hands for the same seed."""
    random = Random(f"{kind.__name__} {seed}")
    return [kind(random) for _ in range(n)]


@st.composite
def won_hands(draw: st.DrawFn) -> Case:
    """A hand of any kind."""
    kind = draw(st.sampled_from(KINDS_OF_HANDS))
    return kind(draw(st.randoms(use_true_random=False)))


# --- converters ---


def to_hand(case: Case) -> Hand:
    return Hand(
        case.concealed,
        tuple(Meld(kind, tile) for kind, tile in case.melds),  # type: ignore[arg-type]
        case.win,
        prevalent_wind=case.prevalent,
        seat_wind=case.seat,
        flowers=case.flowers,
        **dict.fromkeys(case.flags, True),
    )


def to_hands(cases: Sequence[Case]) -> Hands:
    """A batch, without making every :class:`Hand`; rows that cannot be are kept as they are."""
    melds = np.zeros((len(cases), 4), np.uint8)
    for row, case in enumerate(cases):
        for slot, (kind, tile) in enumerate(case.melds):
            melds[row, slot] = _meld_id(kind, tile)
    return Hands(
        concealed=np.array([c.concealed for c in cases], np.uint8).reshape(-1, KINDS),
        melds=melds,
        win_tile=np.array([NONE if c.win is None else c.win for c in cases], np.uint8),
        flags=np.array([sum(1 << FLAGS.index(name) for name in c.flags) for c in cases], np.uint16),
        prevalent_wind=np.array([c.prevalent for c in cases], np.uint8),
        seat_wind=np.array([c.seat for c in cases], np.uint8),
        flowers=np.array([c.flowers for c in cases], np.uint8),
    )


def _meld_id(kind: str, tile: int) -> int:
    if kind == "chow":
        return 1 + tile // 9 * 7 + tile % 9
    return {"pung": 22, "kong": 56, "concealed_kong": 90}[kind] + tile


GB_TILES = (
    *(f"{suit}{rank}" for suit in "WBT" for rank in range(1, 10)),
    *("F1", "F2", "F3", "F4", "J3", "J2", "J1"),
)
GB_PACKS = {"chow": ("CHI", 1), "pung": ("PENG", 1), "kong": ("GANG", 1),
            "concealed_kong": ("GANG", 0)}  # fmt: skip


def undealt(case: Case) -> Case:
    """The hand as PyMahjongGB can be told of it: it knows no dealt hands."""
    return replace(case, flags=case.flags - {"heavenly"})


def to_mahjonggb(case: Case) -> tuple:
    """The arguments of ``MahjongFanCalculator``."""
    packs = tuple(
        (GB_PACKS[kind][0], GB_TILES[tile + (kind == "chow")], GB_PACKS[kind][1])
        for kind, tile in case.melds
    )
    held = list(case.concealed)
    assert case.win is not None
    held[case.win] -= 1
    hand = tuple(GB_TILES[tile] for tile, count in enumerate(held) for _ in range(count))
    names = ("self_drawn", "last_tile", "kong", "wall_last")
    flags = tuple(name in case.flags for name in names)
    return (packs, hand, GB_TILES[case.win], case.flowers, *flags, case.seat, case.prevalent)
