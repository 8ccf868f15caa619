"""Checks of texts: read in bulk and one at a time, written and read back."""

from __future__ import annotations

from random import Random

from test_notation import random_hand
from test_text import assert_equal_to_one_by_one, random_line

import evaluator as ev
from evaluator.hands import Hand
from evaluator.hands.notation import NOTATIONS, format_hand, parse_hand

from .common import Disagreement


def lines(seed: str, n: int) -> int:
    """Texts, right and wrong, in every notation: the bulk reader against one at a time."""
    random = Random(seed)
    assert_equal_to_one_by_one(
        [random_line(random) + random.choice((b"", b"", b"\r")) for _ in range(min(n, 2000))]
    )
    return min(n, 2000)


def round_trips(seed: str, n: int) -> int:
    """What is written is read back, by the text alone and by its notation."""
    random = Random(seed)
    n = min(n, 2000)
    for _ in range(n):
        hand = random_hand(random.getrandbits(32))
        notation = random.choice(NOTATIONS)
        text = format_hand(hand, notation)
        for read in (parse_hand(text), parse_hand(text, notation), Hand.parse(f" {text}\t")):
            if read != hand:
                raise Disagreement(f"{text!r} ({notation}) is read as {read}")
        if not hand.melds and "|" not in text:
            counts = ev.parse(text, random.choice((notation, None)))
            if tuple(counts.tolist()) != hand.concealed:
                raise Disagreement(f"parse {text!r}")
    return n
