"""Hands for the score suites: complete ones of several families, and what is nearly one.

A family is built once from a fixed seed and repeated as often as it takes, so that
its first ``n`` hands are the same for everyone. ``consensus`` is the mix of the golden
file of that name, hands over all fan with melds, flags and flowers; ``sichuan`` are the
golden wins of 27 kinds, ``sichuan_wilds`` the same with one to four wild tiles.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

import evaluator as ev
from evaluator.tiles import HONOURS, KINDS, KNITTED, SUITED

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"
CONSENSUS = GOLDEN / "guobiao" / "consensus.jsonl.gz"
SICHUAN = GOLDEN / "sichuan" / "golden.jsonl"
WILDS_IN_TURN = (2, 3, 1, 4)
DIFFERENT = 20_000
SEED = 21

CHOWS = tuple(ev.Meld("chow", tile) for tile in range(SUITED) if tile % 9 <= 6)
PUNGS = tuple(ev.Meld("pung", tile) for tile in range(KINDS))


def hands(family: str, n: int) -> ev.Hands:
    """The first ``n`` hands of a family."""
    base = _base(family)
    return base[np.arange(n) % len(base)]


def waiting(won: ev.Hands) -> ev.Hands:
    """The hands before their winning tile."""
    concealed = won.concealed.copy()
    concealed[np.arange(len(won)), won.win_tile] -= 1
    flags = won.flags & 0  # how a waiting hand will be won is open
    return replace(won, concealed=concealed, win_tile=None, flags=flags)


@cache
def _base(family: str) -> ev.Hands:
    if family == "consensus":
        with gzip.open(CONSENSUS, "rt", encoding="utf-8") as file:
            return ev.Hands.from_hands([ev.Hand.parse(json.loads(line)["hand"]) for line in file])
    if family == "no_win":
        return _no_wins()
    if family == "sichuan":
        return ev.Hands.from_hands(_sichuan())
    if family == "sichuan_wilds":
        return ev.Hands.from_hands(list(map(_wild, _sichuan(), range(DIFFERENT))))
    random = Random(f"{SEED} {family}")
    build = FAMILIES[family]
    return ev.Hands.from_hands([build(random) for _ in range(DIFFERENT)])


def _sichuan() -> list[ev.Hand]:
    with SICHUAN.open(encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if row["expected"]["qq_sichuan"]]
    return [ev.Hand.parse(row["hand"]).replace(**dict.fromkeys(row["flags"], True)) for row in rows]


def _wild(hand: ev.Hand, number: int) -> ev.Hand:
    """The hand with wild tiles instead of some concealed ones, one of them drawn last."""
    random = Random(f"{SEED} {number}")
    held = [tile for tile, count in enumerate(hand.concealed) for _ in range(count)]
    wilds = min(WILDS_IN_TURN[number % len(WILDS_IN_TURN)], len(held))
    left = list(hand.concealed)
    for tile in random.sample(held, wilds):
        left[tile] -= 1
    how = {name: False for name in ev.FLAGS if name != "self_drawn"}
    return hand.replace(concealed=tuple(left), wilds=wilds, win_tile=None, **how, self_drawn=True)


def _no_wins() -> ev.Hands:
    """Fourteen concealed tiles: random deals, and deals that are nearly a win."""
    dealt = np.concatenate(
        [ev.deal(DIFFERENT // 2, 14, seed=SEED, family=name) for name in ("random", "near_win")]
    )
    dealt = dealt[~ev.is_win(dealt, "guobiao")]
    dealt = np.random.default_rng(SEED).permutation(dealt)
    return ev.Hands(concealed=dealt, win_tile=dealt.argmax(axis=1))


def _sets(random: Random, pool: Sequence[ev.Meld], number: int, held: list[int]) -> list[ev.Meld]:
    """So many sets of the pool, each added to ``held``, which keeps room for a pair."""
    found: list[ev.Meld] = []
    while len(found) < number:
        one = random.choice(pool)
        if all(held[tile] + one.tiles.count(tile) <= 4 for tile in one.tiles):
            for tile in one.tiles:
                held[tile] += 1
            found.append(one)
    return found


def _win(
    random: Random,
    pool: Sequence[ev.Meld],
    pairs: Sequence[int],
    melded: float,
    body: Sequence[int] = (),
) -> ev.Hand:
    """Sets of the pool and a pair beside the tiles ``body``; some sets are melds."""
    while True:
        held = [0] * KINDS
        for tile in body:
            held[tile] += 1
        sets = _sets(random, pool, 1 if body else 4, held)
        free = [tile for tile in pairs if held[tile] <= 2]
        if free:
            break
    pair = random.choice(free)
    held[pair] += 2
    melds = []
    for one in sets:
        if random.random() < melded:
            for tile in one.tiles:
                held[tile] -= 1
            melds.append(one)
    return _won(random, held, tuple(melds))


def _won(random: Random, held: list[int], melds: tuple[ev.Meld, ...] = ()) -> ev.Hand:
    win = random.choice([tile for tile, count in enumerate(held) for _ in range(count)])
    return ev.Hand(
        tuple(held),
        melds,
        win,
        self_drawn=random.random() < 0.5,
        prevalent_wind=random.randrange(4),
        seat_wind=random.randrange(4),
    )


def _one_suit(random: Random) -> tuple[list[ev.Meld], range]:
    first = 9 * random.randrange(3)
    suit = range(first, first + 9)
    # chows as often as they stand in what players hold
    return [one for one in (*CHOWS, *CHOWS, *PUNGS) if one.tile in suit], suit


def _standard(random: Random) -> ev.Hand:
    return _win(random, (*CHOWS, *CHOWS, *PUNGS), range(KINDS), 0.35)


def _flush(random: Random) -> ev.Hand:
    return _win(random, *_one_suit(random), 0.35)


def _concealed_flush(random: Random) -> ev.Hand:
    return _win(random, *_one_suit(random), 0.0)


def _seven_pairs(random: Random) -> ev.Hand:
    held = [0] * KINDS
    kinds = range(KINDS) if random.random() < 0.7 else _one_suit(random)[1]
    for tile in random.sample([*kinds, *kinds], 7):
        held[tile] += 2
    return _won(random, held)


def _knitted(random: Random) -> ev.Hand:
    body = random.choice(KNITTED)
    if random.random() < 0.6:
        return _win(random, (*CHOWS, *PUNGS), range(KINDS), 0.35, body)
    held = [0] * KINDS
    for tile in random.sample([*body, *HONOURS], 14):
        held[tile] = 1
    return _won(random, held)


FAMILIES: dict[str, Callable[[Random], ev.Hand]] = {
    "standard": _standard,
    "flush": _flush,
    "concealed_flush": _concealed_flush,
    "seven_pairs": _seven_pairs,
    "knitted": _knitted,
}
