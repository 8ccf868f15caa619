"""The Sichuan family: rule sets made of patterns."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.tables import once
from ...errors import Code, HandError, Reason
from ...hands import NONE, Hand
from ...rulesets import Rules
from ...shape.divisions import ScoredDivision
from ...tiles import KINDS
from ..results import Part, Score, Scores, made
from ..rows import Rows, addresses, holds_wilds, packed
from . import parts, refusals
from .values import BY_DIVISIONS, combination

ANSWERS = (
    ("fan", np.int16), ("points", np.int32), ("payment", np.int32), ("pattern", np.uint8),
    ("gens", np.uint8), ("kongs", np.uint8), ("addons", np.int8), ("reason", np.uint8),
    ("minimum_met", np.bool_),
)  # fmt: skip
"""The answers about a hand, in the order in which kernels find their addresses."""


@once
def compiled() -> Any:
    """The compiled side, imported with the first score."""
    from .kernels import score, waits

    return SimpleNamespace(
        one=score.score_one,
        rows=score.score_rows,
        unusual=score.score_unusual,
        waits=waits.wait_rows,
        unusual_waits=waits.wait_unusual,
        left=int(score.UNUSUAL),
    )


class _One:
    """Scores one hand without wild tiles under a rule set."""

    __slots__ = ("_address", "_family", "_kernel", "_minimum", "_rules", "_table")

    def __init__(self, family: Sichuan, rules: Rules) -> None:
        self._family = family
        self._rules = rules
        self._kernel = compiled().one
        self._table = combination(rules)
        self._address = self._table.arena.ctypes.data
        self._minimum = rules.minimum

    def __call__(self, hand: Hand) -> Score | None:
        if hand.indicator is not None or holds_wilds(hand):
            return None
        found = self._kernel(packed(hand), self._address)
        reason, fan, points, payment, index, gens, kongs, addons = found
        if reason:
            return None
        return made(
            self._family,
            (hand, self._rules),
            None,
            fan,
            points,
            payment,
            fan >= self._minimum,
            Reason.OK,
            self._table.patterns_at(index),
            gens,
            kongs,
            addons,
        )


def _never(hand: Hand) -> None:
    """For rule sets that read every division: no kernel for one hand does."""


@dataclass(frozen=True)
class Sichuan:
    """Rule sets with patterns."""

    def scores(self, rules: Rules) -> bool:
        return bool(rules.patterns)

    def names(self, rules: Rules) -> tuple[str, ...]:
        return tuple(part.name for part in parts.every_part(rules))

    def every_part(self, rules: Rules) -> tuple[Part, ...]:
        return parts.every_part(rules)

    def one(self, rules: Rules) -> Any:
        return _never if combination(rules).singly else _One(self, rules)

    def rows(self, rows: Rows, rules: Rules, detail: bool, threads: Any) -> tuple[Scores, int]:
        if rows.hands is None and rows.n and parts.needs_win_tile(rules):
            raise HandError(Code.COUNTS_WITHOUT_WIN_TILE)
        k, table, n = compiled(), combination(rules), rows.n
        shapes: dict[str, Any] = {"pattern": (n, len(table.groups))}
        found: dict[str, Any] = {
            name: np.empty(shapes.get(name, n), dtype) for name, dtype in ANSWERS
        }
        reason, width = found["reason"], np.uint64(rows.width)
        # one hand comes here when the kernel for one has left it
        left_all = rows.one or _all_left(rows, table.singly)

        def work(start: int, stop: int) -> int:
            fields, kept = rows.fields(start, stop)
            answers = addresses(found.values(), start)
            if left_all:
                reason[start:stop] = k.left
            elif not k.rows(fields, width, stop - start, table.arena, answers):
                return -1
            left = np.flatnonzero(reason[start:stop] == k.left)
            bad = int(k.unusual(fields, width, left, table.arena, answers, *table.ways))
            del kept
            return -1 if bad < 0 else int(left[bad])

        divided = table.ways == BY_DIVISIONS
        bad = rows.spread(work, threads, divided, by_suits=not divided)
        rows.mark_misfits(reason)
        fan, met = found.pop("fan"), found.pop("minimum_met")
        scores = Scores(self, rules, rows.source, fan, met, found.pop("reason"), None, found)
        if not detail:
            return scores, bad
        counts = parts.part_counts(scores, rules, rows.hands)
        return Scores(self, rules, rows.source, fan, met, reason, counts, found), bad

    def waits(self, rows: Rows, rules: Rules, seen: Any, threads: Any) -> tuple[Any, int]:
        n = rows.n
        answers = (
            np.empty((n, KINDS), np.int16),
            np.empty((n, KINDS), np.int16),
            np.empty((n, KINDS, 2), np.bool_),
            np.empty((n, KINDS), np.uint8),
            np.empty(n, np.uint8),
        )
        return answers, _ask_waits(rows, rules, seen, threads, answers, False)

    def ready_fan(self, rows: Rows, rules: Rules, seen: Any, threads: Any) -> tuple[Any, int]:
        fan, reason = np.empty(rows.n, np.int16), np.empty(rows.n, np.uint8)
        answers = (fan, None, None, None, reason)
        return (fan, reason), _ask_waits(rows, rules, seen, threads, answers, True)

    def refusal(self, hand: Hand, reason: Reason, rules: Rules) -> HandError | None:
        return refusals.refusal(hand, reason, rules)

    def parts(self, score: Score) -> tuple[Part, ...]:
        assert score.hand is not None
        return tuple(parts.parts(score, score.hand, score.rules))

    def division(self, score: Score) -> ScoredDivision | None:
        hand, rules = score.hand, score.rules
        assert hand is not None
        return parts.division(
            score, hand, rules, lambda hands: self.rows(Rows(hands, rules), rules, False, 1)[0]
        )

    def shown(self, score: Score) -> str:
        told = list(score.patterns)
        for count, name in ((score.gens, "根"), (score.kongs, "杠")):
            if count:
                told.append(name + (f"×{count}" if count > 1 else ""))
        if score.addons:
            told.append(f"add-ons {score.addons:+d}")
        low = "" if score.minimum_met else ", below the minimum"
        paid = "" if score.payment == score.points else f", pays {score.payment}"
        return f"<Score: {score.fan} fan, {score.points} points{paid}{low} = {', '.join(told)}>"


def _all_left(rows: Rows, singly: bool) -> bool:
    """Whether the quick kernels would leave all rows, and need not be compiled for them.

    singly : whether every division counts
    """
    if singly or rows.hands is None:
        return singly
    unusual: npt.NDArray[np.bool_] = (rows.hands.wilds > 0) | (rows.hands.indicator != NONE)
    return bool(unusual.all())


def _ask_waits(rows: Rows, rules: Rules, seen: Any, threads: Any, answers: Any, ready: bool) -> int:
    """Fill the answers about waits; the first invalid row, or -1."""
    k, table = compiled(), combination(rules)
    visible, step = rows.seen(seen)
    width = np.uint64(rows.width)
    reason = answers[-1]
    left_all = _all_left(rows, table.singly)

    def work(start: int, stop: int) -> int:
        fields, kept = rows.fields(start, stop)
        beside = np.uint64(visible.ctypes.data + start * step if len(visible) else 0)
        places = addresses(answers, start)
        last = (beside, np.uint64(step), table.arena, places, ready)
        if left_all:
            reason[start:stop] = k.left
        elif not k.waits(fields, width, stop - start, *last):
            return -1
        left = np.flatnonzero(reason[start:stop] == k.left)
        bad = int(k.unusual_waits(fields, width, left, *last, *table.ways))
        del kept
        return -1 if bad < 0 else int(left[bad])

    bad = rows.spread(work, threads, table.ways == BY_DIVISIONS)
    rows.mark_misfits(reason)
    return bad
