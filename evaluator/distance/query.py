"""The distance to each pattern: what a hand may become, and how far that is."""

from __future__ import annotations

import dataclasses
import functools
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..engine import tables
from ..engine.parallel import spread, thread_count
from ..hands import NONE, Hand, Hands
from ..hands.hand import MAX_WILDS
from ..rulesets import NO_ADDONS, Rules
from ..scoring import score
from ..shape.game import asked_rows
from ..shape.intake import NO_VOID, Batch, check_errors, resolve, shape_of, taken
from ..shape.results import INVALID
from ..tiles import KINDS, SUITED
from .encoding import plan
from .layout import Plan, arena
from .shapes import shape_names

ROWS = 1 << 11
"""Rows of one kernel call: 20 µs each under Guobiao."""


@tables.once
def _kernels() -> Any:
    from .kernels import named_tiles as bodies
    from .kernels import shapes as patterns

    return SimpleNamespace(pattern_shanten=patterns.pattern_shanten, bodies=bodies.body_shanten)


def pattern_names(rules: str | Rules | None = None) -> tuple[str, ...]:
    """The patterns of a rule set that :func:`pattern_shanten` answers: its columns.

    Parameters
    ----------
    rules : str, Rules or None
        A preset, a path or a rule set; None: ``guobiao``.

    Returns
    -------
    tuple of str
        The patterns that depend on the tiles alone, in the order of the rule set.

    Raises
    ------
    RulesError
        No such rule set, or it has no patterns.

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.pattern_names("sbr_2025")
    ('平和', '大对子', '七对', '金钩钓', '清一色')
    """
    return shape_names(resolve(rules, KINDS))


def pattern_shanten(
    hands: Any,
    rules: str | Rules | None = None,
    *,
    wilds: Any = None,
    void: Any = None,
    threads: int | None = None,
    errors: str = "raise",
) -> Any:
    """The distance of a hand to each pattern: −1 = it has the pattern, 0 = one tile away.

    Parameters
    ----------
    hands : array_like of int, shape (..., 34) or (..., 27), Hand, Hands, str or list of str
        Tile counts, each 0-4, 3k+1 or 3k+2 tiles in all. If there are fewer than 13 tiles and
        no melds, the missing sets count as melds that fit every pattern, but never as sets
        that a pattern names.
    rules : str, Rules or None
        A preset, a path or a rule set; None: ``guobiao`` for 34 kinds, ``sbr_2025``
        for 27.
    wilds : array_like of int, optional
    void : {0, 1, 2}, array_like, "each" or None
        As for :func:`evaluator.shanten`; ``void="each"`` adds an axis of 3 after the hands' own.
    threads : int, optional
        None: as many as the process may use; small batches use one.
    errors : {"raise", "mark"}
        ``"mark"`` gives −128 to invalid hands.

    Returns
    -------
    dict of str to int, or ndarray of int8, shape (..., patterns)
        For one hand a dict of the patterns (each an ``int8[3]`` with ``void="each"``), for
        others a column for each pattern, in the order of :func:`pattern_names`. 127: the hand
        can never have the pattern.

    Raises
    ------
    HandError
        Names the first invalid hand, the tile and the reason.
    RulesError
        The rule set does not exist, or no pattern of it depends on the tiles alone.

    Notes
    -----
    A pattern is a set of complete hands. The distance is the smallest number of tiles that the
    hand lacks of one of them, minus one, minus its wild tiles. Melds stay as they are. As for
    shanten, only concealed tiles count against the four copies of a tile. A hand that is not a
    win of the rule set is never −1. Apart from that, the requirements of the rule set (except
    the number of suits) and its rules for wild tiles are not considered. A game with honours has
    no wild tiles; if you ask about wild tiles all the same, a rule set that requires something of
    a win (``dandong``) gives 0 for complete patterns.

    A hand has a pattern of several flags if all of them hold in the same reading. 金钩钓 needs
    four melds: a pung that is not melded yet costs at least one tile, and four of a kind are a
    concealed kong. 十八罗汉 needs four kongs: every melded pung costs one tile. A pattern has no
    column if it depends on the winning tile, on luck, on a root alone, or on four melds with a
    condition on the pair that differs from the sets. A fan of Guobiao covers all hands of its
    definition, even if a greater fan replaces it (十三幺 is also 混幺九), and is −1 whenever a
    score lists it (全不靠 with all knitted tiles is also 组合龙).

    Examples
    --------
    >>> import evaluator as ev
    >>> found = ev.pattern_shanten(ev.parse("1122335577m99m13p"), "qq_sichuan")
    >>> found["七对"], found["清七对"], found["对对胡"]
    (0, 1, 3)
    """
    mark = check_errors(errors)
    hands = taken(hands)
    one = isinstance(hands, Hand)
    batch = Batch(hands, rules, wilds=wilds, void=void)
    rule_set = batch.rules
    numbers = plan(rule_set, batch.each or void is not None or rule_set.max_suits == 2)
    names = numbers.names
    if void is None:
        choices = [np.array([NO_VOID], np.uint8)]
    elif batch.each:
        choices = [batch.voids & np.uint8(1 << suit) for suit in range(3)]
    else:
        choices = [batch.voids]
    melds = _melds(hands)
    parts = []
    for voids in choices:
        answer = np.empty((batch.n, len(names)), np.int8)
        bad = _fill(batch, voids, melds, numbers, answer, threads)
        if bad >= 0 and not mark:
            raise batch.refuse(bad)
        _settle_wins(batch, void is None, answer, threads)
        parts.append(answer)
    joined = parts[0] if len(parts) == 1 else np.stack(parts, axis=1)
    found = joined.reshape(*shape_of(batch.lead, batch.each), len(names))
    if not one and batch.lead:
        return found
    if batch.each:
        return {name: found[:, column] for column, name in enumerate(names)}
    return dict(zip(names, found.tolist(), strict=True))


@functools.lru_cache(maxsize=64)
def _alone(rules: Rules) -> tuple[Rules, ...]:
    """For each pattern that tiles decide the game in which nothing else is worth a fan."""
    by_name = {pattern.name: pattern for pattern in rules.patterns}
    nothing = dict.fromkeys(NO_ADDONS.table(), 0)
    wilds: dict[str, Any] = {}
    if rules.wilds.count:
        wilds = {"wild_fan": 0, "indicator_pung": 0}
    elif rules.kinds == SUITED:
        # a game without wild tiles says nothing of those that it is asked about
        wilds = {"kind": "extra", "count": MAX_WILDS}
    return tuple(
        rules.replace(
            patterns=(dataclasses.replace(by_name[name], value=1, group=0, eat=0),),
            mode="linear", offset=0, cap=None, gen=0, kong=0, minimum=0, addons=nothing,
            wilds=wilds,
        )
        for name in shape_names(rules)
    )  # fmt: skip


def _settle_wins(
    batch: Batch,
    by_rules: bool,
    answer: npt.NDArray[np.int8],
    threads: Any,
) -> None:
    """Whether complete hands have a pattern, where the shape does not tell: as they are scored.

    by_rules : whether the rule set alone says which suit is void
    """
    rules, rows = batch.rules, asked_rows(batch, False)
    held = np.broadcast_to(batch.wilds_held > 0, (batch.n,))
    asked = held & np.bool_(not rules.wilds.wild_counts_for_gen)
    if rows is not None:
        asked[rows] = True
    if not rules.patterns or not asked.any():
        return
    # a hand that the shape does not give a pattern has none, but for fifth copies
    asked &= (answer == -1).any(axis=1) | (held & np.bool_(rules.wilds.virtual_fifth_copy))
    rows = np.flatnonzero(asked & (answer[:, 0] != INVALID))
    wilds, concealed = np.broadcast_to(batch.wilds, (batch.n,))[rows], batch.rows(0, batch.n)[rows]
    used = 0 if batch.given is None else (batch.given.melds[rows] > 0).sum(axis=1)
    whole = concealed.sum(axis=1, dtype=np.int64) + wilds + 3 * used == 14
    rows, wilds, concealed = rows[whole], wilds[whole], concealed[whole]
    if not len(rows):
        return
    if batch.given is None:
        hands = Hands(concealed=concealed, wilds=wilds)
    else:
        none = np.full(len(rows), NONE)
        hands = dataclasses.replace(batch.given[rows], wilds=wilds, win_tile=none, flags=None)
    for column, game in enumerate(_alone(rules)):
        has = score(hands, game, threads=threads, errors="mark").fan > 0
        now = answer[rows, column]
        least = np.maximum(now, 0)
        answer[rows, column] = np.where(has & (by_rules | (now < 0)), -1, least)


def _melds(hands: Any) -> npt.NDArray[np.uint8]:
    """Meld ids, a row a hand; no rows where there are no melds."""
    if isinstance(hands, Hand):
        ids = [meld.id for meld in hands.melds]
        return np.array([ids + [0] * (4 - len(ids))] if ids else np.zeros((0, 4)), np.uint8)
    if isinstance(hands, Hands) and hands.melds.any():
        return np.ascontiguousarray(hands.melds)
    return np.zeros((0, 4), np.uint8)


def _fill(
    batch: Batch,
    voids: npt.NDArray[np.uint8],
    melds: npt.NDArray[np.uint8],
    numbers: Plan,
    answer: npt.NDArray[np.int8],
    threads: Any,
) -> int:
    """Answer for every row; the first bad row or -1."""
    k, game = _kernels(), np.uint64(batch.game)
    arenas = tables.shape(), arena()
    rows_, counts, parts, named, bodies = numbers[1:]

    def part(values: npt.NDArray[Any], start: int, stop: int) -> npt.NDArray[Any]:
        return values if len(values) <= 1 < batch.n else values[start:stop]

    def work(start: int, stop: int) -> int:
        rows = batch.rows(start, stop)
        where = (rows.ctypes.data, np.uint64(rows.shape[1]), len(rows))
        beside = [part(values, start, stop) for values in (batch.wilds, voids, melds)]
        filled = answer[start:stop]
        bad = k.pattern_shanten(*where, *beside, game, (rows_, counts, parts), *arenas, filled)
        if len(named):
            k.bodies(*where, *beside, (named, bodies), *arenas, filled)
        return int(bad)

    if batch.n == 0:
        return -1
    return spread(work, batch.n, thread_count(threads, batch.n), ROWS)
