"""The comparisons: one list that drives the equality tests, the benchmarks and the report.

Nothing is timed that is not also checked: ``tests/test_bench_registry.py`` asks
every entry's rivals and compares each column of the answers, ``bench/test_bench.py``
times the same calls, ``bench/report.py`` sets them side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import evaluator as ev
from bench import naive, rivals, wins
from bench.rivals import NAIVE, Answer, Hands
from evaluator.dealing.deals import FAMILIES

SEED = 20
WILDS = 5  # hands with 0, 1, … 4 wild tiles in turn


@dataclass(frozen=True)
class Bar:
    """How many times as fast as one rival the query must be, and is meant to be."""

    rival: str
    must: float
    aim: float


@dataclass(frozen=True)
class Comparison:
    """One query on one family of hands, and who else answers it.

    Attributes
    ----------
    query : str
        A function of the package, ``_with_wilds`` added when hands hold wild tiles.
    rules, family : str
    tiles : int
        Tiles of a hand, wild ones included.
    rivals : tuple of str
        Libraries with an adapter; the naive solver is one of them.
    bar : Bar or None
    kinds : int
        34, or 27 for the Sichuan rule sets.
    n : int
        Hands of one timed call.
    checks : int
        Hands compared with a library; the naive solver gets fewer (:meth:`checked`).
    reported : bool
        Whether the report has a line for it.
    """

    query: str
    rules: str
    family: str
    tiles: int
    rivals: tuple[str, ...]
    bar: Bar | None = None
    kinds: int = 34
    n: int = 1_000_000
    checks: int = 300
    reported: bool = False

    @property
    def name(self) -> str:
        return f"{self.query}-{self.rules}-{self.family}-{self.tiles}"

    def hands(self, n: int) -> Hands:
        """The first ``n`` hands of the family: the same for everyone, whatever ``n``."""
        hands = ev.deal(n, tiles=self.tiles, kinds=self.kinds, seed=SEED, family=self.family)
        if self.query.endswith("_with_wilds"):
            for wilds in range(1, WILDS):
                for _ in range(wilds):
                    _take_one(hands[wilds::WILDS])
        return hands

    def call(self, hands: Hands) -> Callable[[], Any]:
        """The public call on one thread, ready to be timed."""
        query = self.query.removesuffix("_with_wilds")
        ask = getattr(ev, query)
        if query == self.query:
            return lambda: ask(hands, self.rules, threads=1)
        wilds = (np.arange(len(hands)) % WILDS).astype(np.uint8)
        return lambda: ask(hands, self.rules, wilds=wilds, threads=1)

    def answer(self, hands: Hands) -> Answer:
        """Our answer as the columns that :mod:`bench.rivals` reads the others' into."""
        result = self.call(hands)()
        query = self.query.removesuffix("_with_wilds")
        if query == "is_win":
            return {"win": result}
        if query in ("shanten", "pattern_shanten"):
            return {query: result}
        if query == "discards":
            return {"shanten": result.shanten, "mask": result.mask, "left": result.left}
        ready = np.where(result.shanten == 0, result.mask, np.uint64(0))
        return {
            "shanten": result.shanten,
            "mask": result.mask,
            "total": result.total,
            "ready_mask": ready,
        }

    def rival(self, library: str) -> rivals.Adapter:
        return rivals.adapter(library, self.query, self.rules)

    def checked(self, library: str) -> int:
        """Hands to compare with a library: the naive solver is given a second or two."""
        if library != NAIVE:
            return self.checks
        # it is slowest far from a win, where every tile is alone
        far = self.family == "random" and self.kinds == 34
        few = {"shanten": 60, "waits": 4 if far else 10, "discards": 1 if far else 3}
        return few.get(self.query, self.checks)


@dataclass(frozen=True)
class Scoring(Comparison):
    """``score``, its counts of all fan, or ``wait_scores`` on a family of :mod:`bench.wins`.

    Hands are a :class:`evaluator.Hands`; the other attributes mean what they mean above.
    """

    n: int = 400_000
    checks: int = 2000
    reported: bool = True

    def hands(self, n: int) -> Any:
        won = wins.hands(self.family, n)
        return wins.waiting(won) if self.query == "wait_scores" else won

    def call(self, hands: Any) -> Callable[[], Any]:
        errors = "mark" if self.family == "no_win" else "raise"
        if self.query == "wait_scores":
            return lambda: ev.wait_scores(hands, self.rules, threads=1)
        detail = self.query == "score_with_counts"
        return lambda: ev.score(hands, self.rules, detail=detail, threads=1, errors=errors)

    def answer(self, hands: Any) -> Answer:
        result = self.call(hands)()
        if self.query == "wait_scores":
            return {"discard": result.discard, "self_drawn": result.self_drawn}
        return {"total": result.fan}


@dataclass(frozen=True)
class PatternScoring(Scoring):
    """The same under a rule set with patterns; ``score_with_wilds`` is of hands with some."""

    n: int = 1_000_000
    checks: int = 300
    kinds: int = 27

    def call(self, hands: Any) -> Callable[[], Any]:
        ask = ev.wait_scores if self.query == "wait_scores" else ev.score
        return lambda: ask(hands, self.rules, threads=1)

    def answer(self, hands: Any) -> Answer:
        result = self.call(hands)()
        if self.query == "wait_scores":
            return {"discard": result.discard, "self_drawn": result.self_drawn}
        return {"fan": result.fan}

    def checked(self, library: str) -> int:
        return {"wait_scores": 30, "score_with_wilds": 12}.get(self.query, self.checks)


def _take_one(hands: Hands) -> None:
    """Take away one tile of each hand, another one in each row."""
    taken = np.cumsum(hands, axis=1, dtype=np.uint8)
    place = np.arange(len(hands)) * 5 % taken[:, -1].min(initial=1)
    tiles = (taken > place[:, None]).argmax(axis=1)
    hands[np.arange(len(hands)), tiles] -= 1


def differing(ours: Answer, theirs: Answer) -> np.ndarray:
    """Rows in which any column both answers have is not the same."""
    columns = ours.keys() & theirs.keys()
    if not columns:
        raise ValueError(f"nothing to compare: {sorted(ours)} and {sorted(theirs)}")
    return np.flatnonzero(
        np.any(
            [
                (ours[name] != theirs[name]).reshape(len(ours[name]), -1).any(axis=1)
                for name in sorted(columns)
            ],
            axis=0,
        )
    )


# why a library may differ


def waits_for_fifth_copy(comparison: Comparison, hand: list[int], theirs: dict[str, Any]) -> bool:
    """Whether the answer is the right one for hands that may hold five of a tile.

    PyMahjongGB reads hands so; of the useful tiles it leaves out those held four
    times, unless the hand is ready.
    """
    if comparison.query == "discards":
        return all(
            waits_for_fifth_copy(
                WAITS_AFTER_DISCARD,
                [count - (other == tile) for other, count in enumerate(hand)],
                {name: column[tile] for name, column in theirs.items()},
            )
            for tile, count in enumerate(hand)
            if count
        )
    if comparison.query == "shanten":
        return theirs["shanten"] == naive.shanten(hand, comparison.rules, copies=99)
    shanten, accepted = naive.waits(hand, comparison.rules, copies=99)
    useful = [tile for tile in accepted if hand[tile] < 4 or shanten == 0]
    return theirs["shanten"] == shanten and theirs["mask"] == rivals.mask_of(useful)


WAITS_AFTER_DISCARD = Comparison("waits", "guobiao", "random", 13, ())

EXPLANATIONS: dict[str, Callable[[Comparison, list[int], dict[str, Any]], bool]] = {
    "PyMahjongGB": waits_for_fifth_copy,
}


def explained(comparison: Comparison, library: str, hand: list[int], theirs: Any) -> bool:
    """Whether a difference is the library's known convention at work."""
    explain = EXPLANATIONS.get(library)
    return explain is not None and explain(comparison, hand, theirs)


# the list


def _entries(family: str) -> Iterator[Comparison]:
    """All queries on 13 or 14 tiles of a family; the bars are for random hands."""

    def entry(query: str, rules: str, tiles: int, *libraries: str, **more: Any) -> Comparison:
        if not random:
            more.pop("bar", None)
        more = {"reported": random, **more}
        return Comparison(query, rules, family, tiles, (*libraries, NAIVE), **more)

    random = family == "random"
    many, few = 2_000_000, 200_000

    three = ("xiangting", "riichienv", "mahjong")
    bar = Bar("xiangting", 110, 220)
    yield entry("shanten", "riichi", 14, *three, bar=bar, n=many, reported=True)
    bar = Bar("xiangting", 60, 110)
    yield entry("waits", "riichi", 13, "xiangting", "riichienv", bar=bar)
    bar = Bar("xiangting", 60, 100)
    yield entry("discards", "riichi", 14, "xiangting", bar=bar, n=few, checks=100)
    yield entry("is_win", "riichi", 14, "mahjong", "riichienv", n=many)
    yield entry("is_win_with_wilds", "riichi", 14, n=many)

    bar = Bar("PyMahjongGB", 80, 250)
    yield entry("shanten", "guobiao", 13, "PyMahjongGB", bar=bar)
    yield entry("waits", "guobiao", 13, "PyMahjongGB", checks=60)
    yield entry("discards", "guobiao", 14, "PyMahjongGB", n=few, checks=10)
    yield entry("is_win", "guobiao", 14, "PyMahjongGB")

    if family in ("random", "near_win"):
        yield entry("shanten", "sbr_2025", 14, kinds=27)
        yield entry("waits", "sbr_2025", 13, kinds=27)
        yield entry("discards", "sbr_2025", 14, kinds=27, n=few)
        yield entry("is_win", "sbr_2025", 14, kinds=27)


def _melds_implied() -> Iterator[Comparison]:
    """Fewer tiles, where the libraries take them."""
    for tiles in (1, 2, 4, 5, 7, 8, 10, 11, 13):
        three = ("xiangting", "riichienv", "mahjong")
        yield Comparison("shanten", "riichi", "random", tiles, three)
    for tiles in (1, 4, 7, 10):
        yield Comparison("shanten", "guobiao", "random", tiles, ("PyMahjongGB",))


def _scores() -> Iterator[Comparison]:
    def entry(query: str, family: str, bar: tuple[float, float] | None = None, **more: Any) -> Any:
        tiles = 13 if query == "wait_scores" else 14
        library = "PyMahjongGB"
        bars = Bar(library, *bar) if bar else None
        return Scoring(query, "guobiao", family, tiles, (library,), bars, **more)

    yield entry("score", "consensus", (60, 110))
    yield entry("score_with_counts", "consensus", (35, 60))
    yield entry("score", "standard")
    yield entry("score", "flush")
    yield entry("score", "concealed_flush", (80, 180))
    yield entry("score", "seven_pairs")
    yield entry("score", "knitted")
    yield entry("score", "no_win", (80, 160))
    yield entry("wait_scores", "consensus", (40, 80), n=100_000, checks=500)


def _pattern_scores() -> Iterator[Comparison]:
    yield PatternScoring("score", "qq_sichuan", "sichuan", 14, (NAIVE,))
    yield PatternScoring("score_with_wilds", "yibin", "sichuan_wilds", 14, (NAIVE,), n=100_000)
    yield PatternScoring("wait_scores", "qq_sichuan", "sichuan", 13, (NAIVE,), n=100_000)


def _patterns() -> Iterator[Comparison]:
    """What no library here answers."""
    for rules, kinds, n in (("qq_sichuan", 27, 400_000), ("guobiao", 34, 40_000)):
        for family in ("random", "flush"):
            yield Comparison(
                "pattern_shanten", rules, family, 14, (), kinds=kinds, n=n, reported=True
            )


COMPARISONS: tuple[Comparison, ...] = (
    *(entry for family in FAMILIES for entry in _entries(family)),
    *_melds_implied(),
    *_scores(),
    *_pattern_scores(),
    *_patterns(),
)


def find(query: str, rules: str, family: str = "random", tiles: int | None = None) -> Comparison:
    """The entry of a query; ``tiles`` where there is more than one size."""
    found = [
        entry
        for entry in COMPARISONS
        if (entry.query, entry.rules, entry.family) == (query, rules, family)
        and tiles in (None, entry.tiles)
    ]
    return found[0]
