"""A little of the fuzz suite, the same every time, and what its references rest on."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import reference
from fuzz import checks, common, oracle
from fuzz.hands import SHAPES, drawn_counts, drawn_wilds, game_rules

import evaluator as ev

ROWS = {
    **{"bad_rows": 1500, "bad_arrays": 1500, "single": 60, "sichuan": 60, "guobiao": 400},
    **{"patterns": 1500, "passing": 6, "wild_scores": 25, "lines": 1000, "round_trips": 600},
}


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("name", checks.CHECKS)
def test_a_little(name, part):
    """``python -m tests.fuzz`` does the same at length."""
    rows = ROWS.get(name, 2500)
    try:
        assert checks.CHECKS[name](f"0 {name} {part}", rows) > 0
    except common.Missing as missing:
        pytest.skip(f"{missing} is not installed")


PRESETS = [(rules.forms, rules.kinds, rules.max_suits) for rules in map(ev.rules, ev.rules())]


@pytest.mark.parametrize(("forms", "kinds", "max_suits"), [*SHAPES, *dict.fromkeys(PRESETS)])
def test_the_vectorised_definition_is_the_plain_one(forms, kinds, max_suits):
    game = reference.Game(forms, kinds, max_suits)
    rng = np.random.default_rng(kinds + len(forms))
    random = Random(str(forms))
    for part in range(6):
        if part % 3 == 2:
            counts, wilds = drawn_wilds(rng, 6, kinds, 1)
        else:
            counts, wilds = drawn_counts(rng, 6, kinds, 1 + part % 2), np.zeros(6, np.uint8)
        void = random.choice((None, None, 0, 1, 2))
        bits = np.full(6, (8 if max_suits == 3 else 7) if void is None else 1 << void)
        ours, accepted = oracle.waits(counts, forms, wilds=wilds, choices=bits, kinds=kinds)
        for row, hand in enumerate(counts.tolist()):
            hand = hand[:kinds]
            asked = {"wilds": int(wilds[row]), "void": void}
            assert ours[row] == reference.shanten(hand, game, **asked), hand
            if part % 3 != 1:
                tiles = set(np.flatnonzero(accepted[row]).tolist())
                assert tiles == reference.accepted(hand, game, **asked), hand


def test_hands_are_at_every_distance():
    """What is drawn is worth asking about: wins, waits and hands far away, quads and melds."""
    rng = np.random.default_rng(1)
    counts = np.concatenate([drawn_counts(rng, 500) for _ in range(40)])
    assert (counts.sum(1) <= 14).all()
    assert (counts <= 4).all()
    away, times = np.unique(ev.shanten(counts, "guobiao"), return_counts=True)
    share = dict(zip(away.tolist(), (times / len(counts)).tolist(), strict=True))
    assert min(share[distance] for distance in (-1, 0, 1, 2)) > 0.05, share
    assert (counts == 4).any(1).mean() > 0.1


def test_a_disagreement_names_the_least_hand():
    hands = np.array([reference.with_tile([0] * 34, 0), [0] * 33 + [2]], np.uint8)
    with pytest.raises(common.Disagreement, match="row 0, 1m: 1 against 0"):
        common.same("shanten", hands, [1, 2], [0, 0])


@pytest.mark.parametrize("name", ["shapes", "melded", "relations", "rivals"])
def test_a_wrong_answer_is_noticed(name, monkeypatch):
    """Hands with four of a kind are answered wrongly: the check fails."""
    waits, shanten = ev.waits, ev.shanten

    def quads(hands):
        counts = getattr(hands, "concealed", hands)
        return (np.asarray(counts) == 4).any(-1)

    def wrong_waits(hands, *rest, **asked):
        found = waits(hands, *rest, **asked)
        mask = np.asarray(found.mask)
        at = quads(hands).reshape(-1, *(1,) * (mask.ndim - 1))
        found.mask = np.where(at, mask ^ np.uint64(1 << 3), mask)
        return found

    def wrong_shanten(hands, *rest, **asked):
        found = shanten(hands, *rest, **asked)
        at = quads(hands).reshape(-1, *(1,) * (found.ndim - 1))
        return found + (at & (found == 1)).astype(np.int8)

    monkeypatch.setattr(ev, "waits", wrong_waits)
    monkeypatch.setattr(ev, "shanten", wrong_shanten)
    pytest.importorskip("xiangting" if name == "rivals" else "numpy")

    def run():
        for part in range(12):
            checks.CHECKS[name](f"wrong {part}", 2000)

    with pytest.raises(common.Disagreement):
        run()


def test_game_rules_can_be_scored():
    random = Random(3)
    hand = ev.Hand.parse("[555m,1][999m,1]123p789p4p4p")
    for part in range(60):
        rules = game_rules(random, wilds=part % 3 == 0)
        assert rules.wilds.count > 0 or part % 3
        assert isinstance(ev.score([hand], rules, errors="mark").fan[0], np.int16)
