"""Other libraries behind one door, so that they can be compared and timed alike.

An :class:`Adapter` answers one query with one library, in three steps: ``prepare``
turns counts into the objects the library takes, ``ask`` makes the calls and
nothing else (it is what gets timed), ``read`` turns the raw answers into columns
named like ours: ``win``, ``shanten``, ``mask``, ``total``, ``discard``, ``self_drawn``.

The conventions of the libraries, as of the versions noted:

xiangting 6
    Counts as a list of 34, mpsz order. Answers the replacement number, shanten
    + 1; exact about the fifth copy. ``calculate_necessary_tiles`` answers the
    accepted tiles as a bit mask.
riichienv 0.4
    Physical tiles 0-135 (kind = id // 4). Exact. ``get_waits`` knows hands of 13
    tiles only and answers nothing when the hand is not ready.
mahjong 2
    Counts as a list of 34, mpsz order. Exact. ``Agari`` is the complete hand alone.
PyMahjongGB 1.4
    A tuple of tile names, dragons J1 J2 J3 = 中 发 白. Hands of 3k+1 tiles only.
    It lets a hand wait for a fifth copy: 1111z is ready. Its useful tiles leave
    out a tile held four times, except when the hand is ready.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bench import naive, naivescore
from evaluator.hands import FLAGS

Hands = npt.NDArray[np.uint8]
Answer = dict[str, npt.NDArray[Any]]
NOT_HELD = 127

# library: (module, what pip installs)
LIBRARIES = {
    "xiangting": ("xiangting", "xiangting>=6"),
    "riichienv": ("riichienv", "riichienv>=0.4"),
    "mahjong": ("mahjong", "mahjong>=2"),
    "PyMahjongGB": ("MahjongGB", "PyMahjongGB>=1.4"),
}
NAIVE = "naive"


@dataclass(frozen=True)
class Adapter:
    """One library's answer to one query.

    Attributes
    ----------
    library, query, rules : str
    call : str
        What the library is asked, for the table.
    prepare : callable
        Counts (n, kinds) to a list with an entry for each hand.
    ask : callable
        That list to the list of raw answers: the part that is timed.
    read : callable
        (raw answers, counts) to the columns of the answer.
    """

    library: str
    query: str
    rules: str
    call: str
    prepare: Callable[[Hands], list[Any]]
    ask: Callable[[list[Any]], list[Any]]
    read: Callable[[list[Any], Hands], Answer]

    def answer(self, hands: Hands) -> Answer:
        return self.read(self.ask(self.prepare(hands)), hands)


def missing(library: str) -> str | None:
    """None when the library can be imported, else the line that installs it."""
    if library == NAIVE:
        return None
    module, requirement = LIBRARIES[library]
    if importlib.util.find_spec(module) is not None:
        return None
    return f'pip install "{requirement}"'


def version(library: str) -> str | None:
    """The installed version; None when there is none."""
    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        return None


Parts = tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]
_MAKERS: dict[tuple[str, str, str], tuple[str, Callable[[], Parts]]] = {}


def _adapter(library: str, query: str, rules: str, call: str) -> Callable[..., Any]:
    """Registers a function that imports the library and returns the three steps."""

    def register(make: Callable[[], Parts]) -> Callable[[], Parts]:
        _MAKERS[library, query, rules] = (call, make)
        return make

    return register


def answers(library: str, query: str, rules: str) -> bool:
    """Whether there is an adapter."""
    return library == NAIVE or (library, query, rules) in _MAKERS


def call_name(library: str, query: str, rules: str) -> str:
    """What the library is asked, whether it is installed or not."""
    module = "naivescore" if "score" in query else "naive"
    return f"`{module}.{query}`" if library == NAIVE else _MAKERS[library, query, rules][0]


def adapter(library: str, query: str, rules: str) -> Adapter:
    """The adapter, its library imported."""
    call = call_name(library, query, rules)
    parts = _naive(query, rules) if library == NAIVE else _MAKERS[library, query, rules][1]()
    return Adapter(library, query, rules, call, *parts)


def enough(rival: Adapter, deal: Callable[[int], Hands], busy: float) -> tuple[list[Any], float]:
    """Inputs that keep a library busy for so many seconds, and the seconds they took."""
    n = 1
    while True:
        prepared = rival.prepare(deal(n))
        start = time.perf_counter()
        rival.ask(prepared)
        spent = time.perf_counter() - start
        if spent >= busy:
            return prepared, spent
        # the first few calls are slow: do not trust them far
        n = max(2 * n, min(64 * n, int(1.1 * n * busy / max(spent, 1e-7))))


# what the libraries take


def _lists(hands: Hands) -> list[list[int]]:
    return hands.tolist()


def _physical(hands: Hands) -> list[list[int]]:
    return [
        [4 * tile + copy for tile, count in enumerate(hand) for copy in range(count)]
        for hand in hands.tolist()
    ]


TILE_NAMES = (
    *(f"{suit}{rank}" for suit in "WBT" for rank in range(1, 10)),
    *("F1", "F2", "F3", "F4", "J3", "J2", "J1"),
)


def _names(hands: Hands) -> list[tuple[str, ...]]:
    return [
        tuple(TILE_NAMES[tile] for tile, count in enumerate(hand) for _ in range(count))
        for hand in hands.tolist()
    ]


def _each_discard(prepare: Callable[[Hands], list[Any]]) -> Callable[[Hands], list[list[Any]]]:
    """For each hand a list: the hand without one tile of each kind held."""

    def prepare_rests(hands: Hands) -> list[list[Any]]:
        rests, owner = [], []
        for row, hand in enumerate(hands):
            for tile in np.flatnonzero(hand):
                rest = hand.copy()
                rest[tile] -= 1
                rests.append(rest)
                owner.append(row)
        if not rests:
            return [[] for _ in hands]
        prepared = prepare(np.array(rests))
        grouped: list[list[Any]] = [[] for _ in hands]
        for row, rest in zip(owner, prepared, strict=True):
            grouped[row].append(rest)
        return grouped

    return prepare_rests


# what comes back


def _read_shanten(raw: list[int], hands: Hands) -> Answer:
    return {"shanten": np.array(raw, np.int8)}


def _read_win(raw: list[bool], hands: Hands) -> Answer:
    return {"win": np.array(raw, bool)}


def _read_waits(raw: list[tuple[int, int]], hands: Hands) -> Answer:
    return {
        "shanten": np.array([shanten for shanten, _ in raw], np.int8),
        "mask": np.array([mask for _, mask in raw], np.uint64),
    }


def _read_discards(raw: list[list[tuple[int, int]]], hands: Hands) -> Answer:
    shanten = np.full(hands.shape, NOT_HELD, np.int8)
    mask = np.zeros(hands.shape, np.uint64)
    for row, answers_of_hand in enumerate(raw):
        held = np.flatnonzero(hands[row])
        for tile, (distance, accepted) in zip(held, answers_of_hand, strict=True):
            shanten[row, tile] = distance
            mask[row, tile] = accepted
    return {"shanten": shanten, "mask": mask}


def _read_ready_waits(raw: list[Sequence[int]], hands: Hands) -> Answer:
    return {"ready_mask": np.array([mask_of(tiles) for tiles in raw], np.uint64)}


def mask_of(tiles: Sequence[int]) -> int:
    """Bit i for tile i.

    >>> mask_of([0, 3])
    9
    """
    return sum(1 << tile for tile in tiles)


# the beginner's solver


def _naive_scores(query: str, rules: str) -> Parts:
    ask_one: Callable[..., Any] = getattr(naivescore, query.removesuffix("_with_wilds"))

    def prepare(hands: Any) -> list[naivescore.Hand]:
        return [
            naivescore.Hand(
                hand.concealed[: naive.SUITED],
                tuple((meld.kind, meld.tile) for meld in hand.melds),
                frozenset(name for name in FLAGS if getattr(hand, name)),
                hand.wilds,
            )
            for hand in hands
        ]

    def ask(hands: list[naivescore.Hand]) -> list[Any]:
        return [ask_one(hand, rules) for hand in hands]

    def read(raw: list[int], hands: Any) -> Answer:
        return {"fan": np.array(raw, np.int16)}

    def read_waits(raw: list[tuple[list[int], list[int]]], hands: Any) -> Answer:
        columns = np.full((2, len(raw), naive.KINDS), -1, np.int16)
        columns[:, :, : naive.SUITED] = np.array(raw, np.int16).swapaxes(0, 1)
        return {"discard": columns[0], "self_drawn": columns[1]}

    return prepare, ask, read_waits if query == "wait_scores" else read


def _naive(query: str, rules: str) -> Parts:
    if "score" in query:
        return _naive_scores(query, rules)
    ask_one: Callable[..., Any] = getattr(naive, query.removesuffix("_with_wilds"))

    def ask(hands: list[list[int]]) -> list[Any]:
        return [ask_one(hand, rules) for hand in hands]

    def ask_with_wilds(hands: list[tuple[list[int], int]]) -> list[Any]:
        return [ask_one(hand, rules, wilds) for hand, wilds in hands]

    def fill_up(hands: Hands) -> list[tuple[list[int], int]]:
        return [(hand, 14 - sum(hand)) for hand in hands.tolist()]

    def read_waits(raw: list[tuple[int, list[int]]], hands: Hands) -> Answer:
        answer = _read_waits([(s, mask_of(tiles)) for s, tiles in raw], hands)
        left = 4 - hands
        answer["total"] = np.array(
            [left[row, tiles].sum() for row, (_, tiles) in enumerate(raw)], np.uint8
        )
        return answer

    def read_discards(raw: list[dict[int, tuple[int, list[int]]]], hands: Hands) -> Answer:
        answer = _read_discards(
            [[(s, mask_of(tiles)) for s, tiles in hand.values()] for hand in raw], hands
        )
        # the discarded tile is seen: it counts as a copy that is gone
        left, total = 4 - hands, np.zeros(hands.shape, np.uint8)
        for row, hand in enumerate(raw):
            for tile, (_, tiles) in hand.items():
                total[row, tile] = left[row, tiles].sum()
        answer["left"] = total
        return answer

    return {
        "is_win": (_lists, ask, _read_win),
        "is_win_with_wilds": (fill_up, ask_with_wilds, _read_win),
        "shanten": (_lists, ask, _read_shanten),
        "waits": (_lists, ask, read_waits),
        "discards": (_lists, ask, read_discards),
    }[query]


# xiangting


@_adapter("xiangting", "shanten", "riichi", "`calculate_replacement_number`")
def _xiangting_shanten() -> Parts:
    from xiangting import PlayerCount, calculate_replacement_number

    four = PlayerCount.FOUR

    def ask(hands: list[list[int]]) -> list[int]:
        return [calculate_replacement_number(hand, four) for hand in hands]

    def read(raw: list[int], hands: Hands) -> Answer:
        return _read_shanten([number - 1 for number in raw], hands)

    return _lists, ask, read


@_adapter("xiangting", "waits", "riichi", "`calculate_necessary_tiles`")
def _xiangting_waits() -> Parts:
    from xiangting import PlayerCount, calculate_necessary_tiles

    four = PlayerCount.FOUR

    def ask(hands: list[list[int]]) -> list[tuple[int, int]]:
        return [calculate_necessary_tiles(hand, four) for hand in hands]

    def read(raw: list[tuple[int, int]], hands: Hands) -> Answer:
        return _read_waits([(number - 1, tiles) for number, tiles in raw], hands)

    return _lists, ask, read


@_adapter(
    "xiangting", "discards", "riichi", "`calculate_necessary_tiles` for each different discard"
)
def _xiangting_discards() -> Parts:
    from xiangting import PlayerCount, calculate_necessary_tiles

    four = PlayerCount.FOUR

    def ask(hands: list[list[list[int]]]) -> list[list[tuple[int, int]]]:
        return [[calculate_necessary_tiles(rest, four) for rest in rests] for rests in hands]

    def read(raw: list[list[tuple[int, int]]], hands: Hands) -> Answer:
        return _read_discards([[(n - 1, tiles) for n, tiles in hand] for hand in raw], hands)

    return _each_discard(_lists), ask, read


# riichienv


@_adapter("riichienv", "shanten", "riichi", "`calculate_shanten`")
def _riichienv_shanten() -> Parts:
    from riichienv import calculate_shanten

    def ask(hands: list[list[int]]) -> list[int]:
        return [calculate_shanten(hand) for hand in hands]

    return _physical, ask, _read_shanten


@_adapter("riichienv", "waits", "riichi", "`HandEvaluator.get_waits` (of ready hands only)")
def _riichienv_waits() -> Parts:
    from riichienv import HandEvaluator

    def prepare(hands: Hands) -> list[Any]:
        return [HandEvaluator(tiles) for tiles in _physical(hands)]

    def ask(hands: list[Any]) -> list[list[int]]:
        return [hand.get_waits() for hand in hands]

    return prepare, ask, _read_ready_waits


@_adapter("riichienv", "is_win", "riichi", "`HandEvaluator.calc` (scores as well)")
def _riichienv_is_win() -> Parts:
    from riichienv import Conditions, HandEvaluator

    self_drawn = Conditions(tsumo=True)

    def prepare(hands: Hands) -> list[tuple[Any, int]]:
        return [(HandEvaluator(tiles), tiles[-1]) for tiles in _physical(hands)]

    def ask(hands: list[tuple[Any, int]]) -> list[bool]:
        return [hand.calc(last, None, self_drawn).has_win_shape for hand, last in hands]

    return prepare, ask, _read_win


# mahjong


@_adapter("mahjong", "shanten", "riichi", "`Shanten.calculate_shanten`")
def _mahjong_shanten() -> Parts:
    from mahjong.shanten import Shanten

    calculate_shanten = Shanten.calculate_shanten

    def ask(hands: list[list[int]]) -> list[int]:
        return [calculate_shanten(hand) for hand in hands]

    return _lists, ask, _read_shanten


@_adapter("mahjong", "is_win", "riichi", "`Agari.is_agari`")
def _mahjong_is_win() -> Parts:
    from mahjong.agari import Agari

    is_agari = Agari.is_agari

    def ask(hands: list[list[int]]) -> list[bool]:
        return [is_agari(hand) for hand in hands]

    return _lists, ask, _read_win


# PyMahjongGB


@_adapter("PyMahjongGB", "shanten", "guobiao", "`MahjongShanten`")
def _mahjonggb_shanten() -> Parts:
    from MahjongGB import MahjongShanten

    def ask(hands: list[tuple[str, ...]]) -> list[int]:
        return [MahjongShanten((), hand) for hand in hands]

    return _names, ask, _read_shanten


def _mahjonggb_forms() -> tuple[Callable[..., Any], ...]:
    import MahjongGB

    return (
        MahjongGB.RegularShanten,
        MahjongGB.SevenPairsShanten,
        MahjongGB.ThirteenOrphansShanten,
        MahjongGB.KnittedStraightShanten,
        MahjongGB.HonorsAndKnittedTilesShanten,
    )


def _merge_forms(forms: list[tuple[int, tuple[str, ...]]]) -> tuple[int, int]:
    shanten = min(distance for distance, _ in forms)
    useful = {tile for distance, tiles in forms if distance == shanten for tile in tiles}
    return shanten, mask_of([TILE_NAMES.index(name) for name in useful])


@_adapter("PyMahjongGB", "waits", "guobiao", "its five shanten functions with useful tiles")
def _mahjonggb_waits() -> Parts:
    forms = _mahjonggb_forms()

    def ask(hands: list[tuple[str, ...]]) -> list[Any]:
        return [[form(hand) for form in forms] for hand in hands]

    def read(raw: list[Any], hands: Hands) -> Answer:
        return _read_waits([_merge_forms(answers) for answers in raw], hands)

    return _names, ask, read


@_adapter(
    "PyMahjongGB", "discards", "guobiao", "its five shanten functions for each different discard"
)
def _mahjonggb_discards() -> Parts:
    forms = _mahjonggb_forms()

    def ask(hands: list[list[tuple[str, ...]]]) -> list[Any]:
        return [[[form(rest) for form in forms] for rest in rests] for rests in hands]

    def read(raw: list[Any], hands: Hands) -> Answer:
        return _read_discards([[_merge_forms(rest) for rest in hand] for hand in raw], hands)

    return _each_discard(_names), ask, read


@_adapter("PyMahjongGB", "is_win", "guobiao", "`MahjongFanCalculator` (scores as well)")
def _mahjonggb_is_win() -> Parts:
    from MahjongGB import MahjongFanCalculator

    def is_win(hand: tuple[str, ...], last: str) -> bool:
        try:
            MahjongFanCalculator((), hand, last, 0, True, False, False, False, 0, 0)
        except TypeError as error:
            if str(error) != "ERROR_NOT_WIN":
                raise
            return False
        return True

    def prepare(hands: Hands) -> list[tuple[tuple[str, ...], str]]:
        return [(hand[:-1], hand[-1]) for hand in _names(hands)]

    def ask(hands: list[tuple[tuple[str, ...], str]]) -> list[bool]:
        return [is_win(hand, last) for hand, last in hands]

    return prepare, ask, _read_win


# a deal with melds, a winning tile and flags: evaluator.Hands

Win = tuple[Any, ...]
PACKS = {
    "chow": ("CHI", 1),
    "pung": ("PENG", 1),
    "kong": ("GANG", 1),
    "concealed_kong": ("GANG", 0),
}


def _win(hand: Any, tile: int, self_drawn: bool) -> Win:
    """The arguments of ``MahjongFanCalculator``: the hand without the tile it is won with."""
    packs = tuple(
        (PACKS[meld.kind][0], TILE_NAMES[meld.tile + (meld.kind == "chow")], PACKS[meld.kind][1])
        for meld in hand.melds
    )
    held = list(hand.concealed)
    if hand.win_tile is not None:
        held[tile] -= 1
    names = tuple(TILE_NAMES[t] for t, count in enumerate(held) for _ in range(count))
    flags = (self_drawn, hand.last_tile, hand.kong, hand.wall_last)
    winds = (hand.seat_wind, hand.prevalent_wind)
    return (packs, names, TILE_NAMES[tile], hand.flowers, *flags, *winds)


def _calculate(wins: list[Win]) -> list[Any]:
    from MahjongGB import MahjongFanCalculator

    def calculate(win: Win) -> Any:
        try:
            return MahjongFanCalculator(*win)
        except TypeError as error:
            if str(error) != "ERROR_NOT_WIN":
                raise
            return None

    return [calculate(win) for win in wins]


def _total(fans: Any) -> int:
    return -1 if fans is None else sum(points for points, _ in fans)


@_adapter("PyMahjongGB", "score_with_counts", "guobiao", "`MahjongFanCalculator`")
@_adapter("PyMahjongGB", "score", "guobiao", "`MahjongFanCalculator`")
def _mahjonggb_score() -> Parts:
    def prepare(hands: Any) -> list[Win]:
        return [_win(hand, hand.win_tile, hand.self_drawn) for hand in hands]

    def read(raw: list[Any], hands: Any) -> Answer:
        return {"total": np.array([_total(fans) for fans in raw], np.int16)}

    return prepare, _calculate, read


@_adapter(
    "PyMahjongGB",
    "wait_scores",
    "guobiao",
    "`MahjongFanCalculator` for each tile that completes the hand, claimed and self-drawn",
)
def _mahjonggb_wait_scores() -> Parts:
    import evaluator as ev

    def tiles(hand: Any) -> list[int]:
        # which tiles those are is not its question
        mask, owned = int(ev.waits(hand, "guobiao").mask), hand.owned
        return [tile for tile in range(len(owned)) if mask >> tile & 1 and owned[tile] < 4]

    def prepare(hands: Any) -> list[list[Win]]:
        return [
            [_win(hand, tile, drawn) for tile in tiles(hand) for drawn in (False, True)]
            for hand in hands
        ]

    def ask(hands: list[list[Win]]) -> list[list[Any]]:
        return [_calculate(wins) for wins in hands]

    def read(raw: list[list[Any]], hands: Any) -> Answer:
        columns = np.full((2, len(raw), len(TILE_NAMES)), -1, np.int16)
        for row, (found, hand) in enumerate(zip(raw, hands, strict=True)):
            columns[0, row, tiles(hand)] = [_total(fans) for fans in found[::2]]
            columns[1, row, tiles(hand)] = [_total(fans) for fans in found[1::2]]
        return {"discard": columns[0], "self_drawn": columns[1]}

    return prepare, ask, read
