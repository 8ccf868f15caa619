"""What every check has: randomness from a seed, and a way to say what differs."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import reference

import evaluator as ev
from evaluator.errors import HandError
from evaluator.hands import Hands

Array = np.ndarray


class Disagreement(AssertionError):
    """Two answers to one question."""


class Missing(Exception):
    """A library to compare with is not installed."""


def random_of(seed: str) -> tuple[Random, np.random.Generator]:
    random = Random(seed)
    return random, np.random.default_rng(random.getrandbits(64))


def same(
    what: str, hands: Array | Hands, ours: object, expected: object, *, about: str = ""
) -> None:
    """Refuse answers that differ; tell the hand of least tiles."""
    ours, expected = np.asarray(ours), np.asarray(expected)
    if ours.shape != expected.shape:
        raise Disagreement(f"{what} {about}: shapes {ours.shape} and {expected.shape}")
    if (ours == expected).all():
        return
    wrong = np.flatnonzero((ours != expected).reshape(len(ours), -1).any(1))
    counts = hands.concealed if isinstance(hands, Hands) else hands
    row = min(wrong.tolist(), key=lambda row: int(counts[row].sum()))
    if isinstance(hands, Hands):
        try:
            shown = str(hands[row])
        except HandError as error:
            shown = f"{hands.concealed[row].tolist()} ({error})"
    else:
        shown = reference.text(counts[row].tolist())
    raise Disagreement(
        f"{what} {about}: {len(wrong)} of {len(ours)} differ, row {row}, {shown}: "
        f"{ours[row].tolist()} against {expected[row].tolist()}"
    )


def one(query: Callable[[], object]) -> object:
    """The answer, or the error."""
    try:
        return query()
    except HandError as error:
        return error


def same_error(what: str, alone: HandError, error: HandError) -> None:
    """The reason, the tile, the number and the words, wherever the hand stands."""
    for field in ("reason", "tile", "count", "message"):
        if getattr(alone, field) != getattr(error, field):
            raise Disagreement(f"{what}: alone {alone!r}, in a batch {error!r}")


def asks_for_the_tile(rules: ev.Rules) -> bool:
    asked = {flag for pattern in rules.patterns for flag in pattern.req}
    return bool(asked & {"jiaxin", "jiaxinwu", "dandiao", "bianzhang"})
