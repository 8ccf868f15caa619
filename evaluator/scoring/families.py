"""What a family of rule sets answers, and which family a rule set belongs to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ..errors import Code, HandError, Reason, RulesError
from ..hands import Hand
from ..rulesets import Rules
from ..shape.divisions import ScoredDivision
from .results import Part, Score, Scores
from .rows import Rows

One = Callable[[Hand], Score | None]
"""Scores one hand; None where :meth:`Family.rows` shall answer, or say what is wrong."""


class Family(Protocol):
    """A kind of rule sets that are scored alike: Guobiao, the Sichuan family."""

    def scores(self, rules: Rules) -> bool:
        """Whether a rule set belongs to the family."""

    def names(self, rules: Rules) -> tuple[str, ...]:
        """The parts a score may have, in the order of the columns of ``counts``."""

    def every_part(self, rules: Rules) -> tuple[Part, ...]:
        """The parts a score may have, each with what it is worth once."""

    def one(self, rules: Rules) -> One:
        """What scores one hand."""

    def rows(self, rows: Rows, rules: Rules, detail: bool, threads: Any) -> tuple[Scores, int]:
        """Scores of a batch, and the first invalid row, or −1."""

    def waits(self, rows: Rows, rules: Rules, seen: Any, threads: Any) -> tuple[Any, int]:
        """Arrays of a ``WaitScores`` in rows of 34, and the first invalid row, or −1."""

    def ready_fan(self, rows: Rows, rules: Rules, seen: Any, threads: Any) -> tuple[Any, int]:
        """(int16 fan of ready hands, −1 = not ready; uint8 reason), and the first row that
        cannot be, or −1."""

    def refusal(self, hand: Hand, reason: Reason, rules: Rules) -> HandError | None:
        """What is wrong with a hand that can be, where the family says it in its own words."""

    def parts(self, score: Score) -> tuple[Part, ...]:
        """The lines of a score."""

    def division(self, score: Score) -> ScoredDivision | None:
        """A division that gives the score, if one can be named."""

    def shown(self, score: Score) -> str:
        """The ``repr`` of a score."""


def families() -> tuple[Family, ...]:
    """Every family: a new one is a folder beside these and a line here."""
    from .guobiao.family import Guobiao
    from .sichuan.family import Sichuan

    return Guobiao(), Sichuan()


def family_of(rules: Rules) -> Family:
    """The family that scores a rule set.

    Raises
    ------
    RulesError
        No family does: the rule set has no scores.

    Examples
    --------
    >>> import evaluator as ev
    >>> family_of(ev.rules("yibin"))
    Sichuan()
    """
    for family in families():
        if family.scores(rules):
            return family
    raise RulesError(Code.NEEDS_SCORES, key="score", rules=rules.name)
