"""Compile everything before it is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter

import numpy as np

from .dealing.deals import counts, deal
from .distance.query import pattern_shanten
from .hands import Hand, Hands
from .rulesets import rules
from .scoring import score, wait_scores
from .scoring.minimum import waits
from .shape.divisions import decompose
from .shape.queries import discards, is_win, shanten
from .tiles import KINDS


@dataclass(frozen=True)
class Warmup:
    """What :func:`warmup` did: seconds each step took."""

    seconds: dict[str, float]

    def __repr__(self) -> str:
        return f"<Warmup: {len(self.seconds)} steps in {sum(self.seconds.values()):.1f} s>"


def warmup() -> Warmup:
    """Compile every kernel now and keep it on disk for later processes.

    This includes the kernels for scores. All rule sets with patterns share theirs, even those
    that you load later.

    Returns
    -------
    Warmup
        The seconds that each step took.

    Notes
    -----
    Call it before a process forks: a fork waits while another thread compiles. Ctrl-C stops
    every query at once, except a first call, which compiles.

    Examples
    --------
    >>> import evaluator as ev
    >>> "decompose" in ev.warmup().seconds
    True
    """
    waiting, full = np.zeros((1, KINDS), np.uint8), np.zeros((1, KINDS), np.uint8)
    waiting[0, :13], full[0, :14] = 1, 1
    steps: dict[str, Callable[[], object]] = {}
    # riichi takes the plain kernels, guobiao the general ones
    for name in ("riichi", "guobiao"):
        steps[f"shanten, {name}"] = partial(shanten, full, name)
        steps[f"shanten of one hand, {name}"] = partial(shanten, full[0], name)
        steps[f"is_win, {name}"] = partial(is_win, full, name)
        steps[f"waits, {name}"] = partial(waits, waiting, name)
        steps[f"discards, {name}"] = partial(discards, full, name)
    steps["waits with seen tiles"] = partial(waits, waiting, seen=[0] * KINDS)
    won, ready = Hand.parse("123456789m11p234s"), Hand.parse("123456789m11p23s")
    batch = Hands.from_hands([won])
    steps["score of one hand"] = partial(score, won)
    steps["score"] = partial(score, batch)
    steps["score with every fan"] = partial(score, batch, detail=True)
    steps["wait_scores"] = partial(wait_scores, ready)
    steps |= _pattern_steps()
    steps["pattern_shanten"] = partial(pattern_shanten, full, "guobiao")
    steps["decompose"] = partial(decompose, [3, 2] + [0] * 32)
    steps["deal"] = partial(deal, 1)
    steps["counts"] = partial(counts, [0])
    seconds = {}
    for name, step in steps.items():
        start = perf_counter()
        step()
        seconds[name] = perf_counter() - start
    return Warmup(seconds)


def _pattern_steps() -> dict[str, Callable[[], object]]:
    """Scores under patterns: plain hands; those read division by division; wild tiles."""
    plain, wild, deep = rules("qq_sichuan"), rules("yibin"), rules("dandong")
    won = Hands.from_hands([Hand.parse("123456789m11p234p")])
    ready = Hands.from_hands([Hand.parse("123456789m11p23p")])
    of_wilds = Hands.from_hands([Hand.parse("123456789m11p23p|EE0000|0|wilds=1,win=none")])
    waiting = Hands.from_hands([Hand.parse("123456789m11p2p|EE0000|0|wilds=1")])
    opened = Hands.from_hands([Hand.parse("[111z,1]123m456p78s99s9s")])
    ready_opened = Hands.from_hands([Hand.parse("[111z,1]123m456p78s99s")])
    return {
        "waits, what every win must have": partial(waits, ready_opened, deep),
        "score, patterns": partial(score, won, plain),
        "score, patterns and divisions": partial(score, opened, deep),
        "score, patterns and wild tiles": partial(score, of_wilds, wild),
        "wait_scores, patterns": partial(wait_scores, ready, plain),
        "wait_scores, patterns and divisions": partial(wait_scores, ready_opened, deep),
        "wait_scores, patterns and wild tiles": partial(wait_scores, waiting, wild),
        "ready_max_fan": partial(plain.ready_max_fan, ready),
        "ready_max_fan, wild tiles": partial(wild.ready_max_fan, waiting),
    }
