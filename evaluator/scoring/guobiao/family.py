"""Guobiao as a family: the 81 fan of a rule set with a fan table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine import tables
from ...engine.recent import by_rules
from ...errors import Code, HandError, Reason, RulesError
from ...hands import Hand, claimed_earthly
from ...rulesets import Rules
from ...shape.divisions import ScoredDivision
from ...tiles import FORMS, KINDS
from ..results import NO_SCORE, Part, Score, Scores, made
from ..rows import Rows, addresses, holds_wilds, packed
from . import layout
from .divisions import find_division
from .fan import fan_table, words

_MET, _REASON_SHIFT, _FORM_SHIFT = 1 << 16, 20, 28
# the last column belongs between two others in the book
_OUT_OF_ORDER = "明暗杠"


@tables.once
def compiled() -> Any:
    """The compiled side, imported with the first score."""
    from .kernels import score

    return score


@by_rules
def _parts_of(rules: Rules) -> dict[int, Part]:
    """The part for each (column, count) that a kernel may tell."""
    return {
        fan.column | count << 8: Part(fan.chinese, fan.english, fan.value, count)
        for fan in fan_table(rules).fans
        for count in range(1, 9)
    }


class _One:
    """Scores one hand under a rule set."""

    __slots__ = ("_address", "_basic", "_family", "_kernel", "_rules", "_words")

    def __init__(self, family: Guobiao, rules: Rules) -> None:
        self._family = family
        self._rules = rules
        self._kernel = compiled().score_one
        self._words = words(rules)  # the kernel knows them by their address
        self._address = self._words.ctypes.data
        self._basic = rules.settlement.basic_points

    def __call__(self, hand: Hand) -> Score | None:
        head, *entries, record = self._kernel(packed(hand), self._address)
        if head >> _REASON_SHIFT & 0xFF or holds_wilds(hand):
            return None
        fan = head & 0xFFFF
        return made(
            self._family,
            (hand, self._rules),
            (*entries, head >> _FORM_SHIFT & 0xF, record),
            fan,
            fan,
            fan + self._basic,
            head & _MET > 0,
            Reason.OK,
        )


def _unscored(rows: Rows) -> npt.NDArray[np.uint8] | None:
    """The :class:`Reason` of hands that the kernels do not look at: they hold wild tiles, or
    numbers that no hand has; 0 for others, None where all are 0."""
    hands = rows.hands
    assert hands is not None
    found = None if rows.misfits is None else rows.misfits.copy()
    if hands.wilds.any() or hands.meld_wilds.any():
        wild = (hands.wilds > 0) | hands.meld_wilds.any(axis=1)
        found = np.zeros(len(hands), np.uint8) if found is None else found
        found[wild] = Reason.TOO_MANY_WILDS
    return found


@dataclass(frozen=True)
class Guobiao:
    """Rule sets with a fan table."""

    def scores(self, rules: Rules) -> bool:
        return bool(rules.fan_table)

    def names(self, rules: Rules) -> tuple[str, ...]:
        # a fan that the rule set leaves out has a column, too
        fans = sorted(fan_table(rules.replace(without=())).fans, key=lambda fan: fan.column)
        return tuple(fan.chinese for fan in fans)

    def every_part(self, rules: Rules) -> tuple[Part, ...]:
        fans = fan_table(rules).fans
        return tuple(Part(fan.chinese, fan.english, fan.value) for fan in fans)

    def one(self, rules: Rules) -> _One:
        return _One(self, rules)

    def rows(self, rows: Rows, rules: Rules, detail: bool, threads: Any) -> tuple[Scores, int]:
        if rows.hands is None:
            if rows.n or rows.lead != (0,):
                raise HandError(Code.COUNTS_WITHOUT_WIN_TILE)
            rows = rows.as_hands()
        k, outcomes, geometry = compiled(), words(rules), layout.geometry()
        n = rows.n
        fan, met, reason = np.empty(n, np.int16), np.empty(n, np.bool_), np.empty(n, np.uint8)
        counts = np.empty((n, layout.COLUMNS), np.uint8) if detail else None

        def work(start: int, stop: int) -> int:
            fields, kept = rows.fields(start, stop)
            answers = addresses((fan, met, reason, counts), start)
            with_counts = True if detail else None
            bad = k.score_rows(fields, stop - start, geometry, outcomes, answers, with_counts)
            del kept
            return int(bad)

        bad = rows.spread(work, threads)
        unscored = _unscored(rows)
        if unscored is not None:
            wrong = unscored > 0
            fan[wrong], met[wrong], reason[wrong] = NO_SCORE, False, unscored[wrong]
            if counts is not None:
                counts[wrong] = 0
            bad = int(np.argmax((reason > 0) & (reason != Reason.NOT_A_WIN)))
        return Scores(self, rules, rows.source, fan, met, reason, counts), bad

    def waits(self, rows: Rows, rules: Rules, seen: Any, threads: Any) -> tuple[Any, int]:
        visible, _ = rows.seen(seen)
        if rows.width < KINDS:
            visible = np.pad(visible, ((0, 0), (0, KINDS - rows.width)))
        step = np.uint64(KINDS if len(visible) > 1 else 0)
        hands = rows.as_hands()
        k, outcomes, geometry = compiled(), words(rules), layout.geometry()
        shapes, accept = tables.shape(), tuple(tables.accept())
        forms = sum(1 << FORMS.index(form) for form in rules.forms)
        n = rows.n
        answers = (
            np.empty((n, KINDS), np.int16),
            np.empty((n, KINDS), np.int16),
            np.empty((n, KINDS, 2), np.bool_),
            np.empty((n, KINDS), np.uint8),
            np.empty(n, np.uint8),
        )

        def work(start: int, stop: int) -> int:
            fields, kept = hands.fields(start, stop)
            beside = np.uint64(visible.ctypes.data) + np.uint64(start) * step
            where = (beside if len(visible) else np.uint64(0), step)
            given = (forms, shapes, accept, geometry, outcomes, addresses(answers, start))
            bad = int(k.wait_totals(fields, stop - start, *where, *given))
            del kept
            return bad

        bad = hands.spread(work, threads)
        unscored = _unscored(hands)
        if unscored is not None:
            wrong = unscored > 0
            discard, self_drawn, met, left, reason = answers
            discard[wrong], self_drawn[wrong], met[wrong] = NO_SCORE, NO_SCORE, False
            left[wrong], reason[wrong] = 0, unscored[wrong]
            bad = int(np.argmax(reason > 0))
        return answers, bad

    def ready_fan(self, rows: Rows, rules: Rules, seen: Any, threads: Any) -> tuple[Any, int]:
        raise RulesError(Code.NEEDS_PATTERNS, key="ready_max_fan", rules=rules.name)

    def refusal(self, hand: Hand, reason: Reason, rules: Rules) -> HandError | None:
        return claimed_earthly(hand, rules.name) if reason == Reason.IMPOSSIBLE_FLAGS else None

    def parts(self, score: Score) -> tuple[Part, ...]:
        entries, second, third, fourth = self._record(score)[:4]
        if second:  # four fan in a word
            entries |= second << 64 | third << 128 | fourth << 192
        parts = _parts_of(score.rules)
        found = []
        while entries:
            found.append(parts[entries & 0xFFFF])
            entries >>= 16
        if found[-1].name == _OUT_OF_ORDER:
            found.sort(key=lambda part: -part.value)
        return tuple(found)

    def division(self, score: Score) -> ScoredDivision:
        form, record = self._record(score)[4:]
        names = {part.name for part in score.parts}
        hand = score.hand
        assert hand is not None
        return find_division(hand, score.rules, form, record, names)

    def shown(self, score: Score) -> str:
        low = "" if score.minimum_met else ", below the minimum"
        return f"<Score: {score.fan}{low} = {', '.join(map(str, score.parts))}>"

    def _record(self, score: Score) -> tuple[int, ...]:
        """What the kernel for one hand says of it; a batch does not keep it."""
        if score._record is None:
            assert score.hand is not None
            again = self.one(score.rules)(score.hand)
            assert again is not None
            return again._record  # type: ignore[no-any-return]
        return score._record  # type: ignore[no-any-return]
