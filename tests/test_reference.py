"""The specification is itself put to the proof: by play, by enumeration, by golden data."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import reference
import strategies
from hypothesis import given
from hypothesis import strategies as st
from reference import GUOBIAO, RIICHI, SICHUAN, Game
from strategies import examples

GOLDEN = Path(__file__).parent / "golden" / "shanten"
STANDARD = Game(("standard",))
GAMES = [STANDARD, RIICHI, GUOBIAO, SICHUAN]
FORMS = {form: Game((form,)) for form in reference.MISSING}


def names(tiles):
    return [f"{tile % 9 + 1}{'mpsz'[tile // 9]}" for tile in sorted(tiles)]


# --- small hands, played out ---


@pytest.mark.parametrize(
    ("size", "tiles", "hands"),
    [
        (2, range(34), 34 + 595),
        (5, [*range(9), 27, 28, 29], 1_365 + 4_356),
        (8, range(9), 5_895 + 11_520),
        (8, range(27, 34), 1_520 + 2_415),
    ],
    ids=["2 tiles", "5 tiles", "8 tiles of a suit", "8 honours"],
)
def test_small_hands_played_out(size, tiles, hands):
    # a hand of so few tiles leaves a free kind for every block of a nearest complete
    # hand, so tiles of other kinds would bring it no nearer
    played = reference.played_out(size, tiles)
    assert len(played) == hands
    wrong = [hand for hand, away in played.items() if reference.shanten(hand, STANDARD) != away]
    assert not wrong


@given(st.sampled_from([*GAMES, *FORMS.values()]), st.data())
@examples(400)
def test_one_turn_of_play(game, data):
    """Shanten falls by the best draw, and the best discard keeps it: for every form.

    With the wins right, these two equations have one solution.
    """
    counts, wilds = data.draw(strategies.counts_with_wilds(game.kinds))
    void = data.draw(st.sampled_from([None, None, 0, 1, 2]))
    held = data.draw(st.sampled_from([(), (), (1,)]))
    asked = {"wilds": wilds, "void": void, "held": held}
    away = reference.shanten(counts, game, **asked)
    if away == reference.IMPOSSIBLE:
        return
    if (sum(counts) + wilds) % 3 == 1:
        draws = [reference.with_tile(counts, t) for t, n in enumerate(counts) if n < 4]
        assert away == 1 + min(reference.shanten(hand, game, **asked) for hand in draws)
    elif away > -1:
        drops = [reference.with_tile(counts, t, -1) for t, n in enumerate(counts) if n]
        assert away == min(reference.shanten(hand, game, **asked) for hand in drops)


@given(st.sampled_from([*GAMES, *FORMS.values()]), st.data())
@examples(400)
def test_a_win_is_what_can_be_divided(game, data):
    counts = data.draw(strategies.counts(game.kinds, remainder=2))
    held = data.draw(st.sampled_from([(), (), (0,), (1, 2), (0, 1, 2)]))
    divided = reference.divisions(counts, game, held=held)
    assert reference.is_win(counts, game, held=held) == bool(divided)


@given(st.sampled_from([*GAMES, *FORMS.values()]), st.data())
@examples(300)
def test_a_wild_tile_stands_for_any_but_a_fifth(game, data):
    wilds = data.draw(st.integers(1, 4))
    counts = data.draw(strategies.counts(game.kinds, remainder=2, wilds=wilds))
    named = [reference.with_tile(counts, t) for t, n in enumerate(counts) if n < 4]
    assert reference.is_win(counts, game, wilds=wilds) == any(
        reference.is_win(hand, game, wilds=wilds - 1) for hand in named
    )


# --- forms of which all complete hands can be listed ---


def vector(*blocks):
    return np.bincount([tile for block in blocks for tile in block], minlength=34)


def list_complete(form, size):
    if form == "thirteen_orphans":
        listed = [vector(reference.ORPHANS, [pair]) for pair in reference.ORPHANS]
    elif form == "honours_and_knitted":
        listed = [
            vector(chosen)
            for pattern in reference.KNITTED
            for chosen in combinations(reference.HONOURS + pattern, 14)
        ]
    else:
        sets = reference.SETS if size >= 13 else [()]
        listed = [
            vector(pattern, block, pair)
            for pattern in reference.KNITTED
            for block in sets
            for pair in reference.PAIRS
        ]
    complete = np.array(listed)
    return complete[complete.max(axis=1) <= 4].astype(np.int8)


@pytest.mark.parametrize(
    ("form", "size", "number"),
    [
        ("thirteen_orphans", 14, 13),
        ("honours_and_knitted", 14, 720),
        ("knitted_straight", 14, 6 * (55 * 34 - 34)),
        ("knitted_straight", 11, 6 * 34),
    ],
)
def test_distance_to_every_complete_hand(form, size, number):
    complete = list_complete(form, size)
    assert len(complete) == number
    game = FORMS[form]
    for seed, remainder in enumerate((1, 2)):
        hands = strategies.mixed(400, remainder=remainder, seed=seed)
        hands = hands[hands.sum(axis=1) // 3 == size // 3]
        assert len(hands) > 30
        for counts in hands.astype(np.int8):
            missing = np.maximum(complete - counts, 0).sum(axis=1).min()
            assert reference.shanten(counts.tolist(), game) == missing - 1


@pytest.mark.parametrize(
    ("form", "smallest"),
    [
        ("standard", 1),
        ("seven_pairs", 13),
        ("seven_different_pairs", 13),
        ("thirteen_orphans", 13),
        ("knitted_straight", 10),
        ("honours_and_knitted", 13),
    ],
)
def test_form_needs_its_tiles(form, smallest):
    for size in strategies.SIZES:
        hand = strategies.batch("near_win", 1, size)[0].tolist()
        applies = reference.shanten(hand, FORMS[form]) != reference.IMPOSSIBLE
        assert applies == (size >= smallest)


# --- named hands ---


def hand(text):
    counts = [0] * 34
    digits = ""
    for sign in text:
        if sign.isdigit():
            digits += sign
        else:
            for digit in digits:
                counts["mpsz".index(sign) * 9 + int(digit) - 1] += 1
            digits = ""
    return counts


def test_pairs_in_four_of_a_kind():
    pairs = hand("1111m2233p4455s66z")
    assert reference.shanten(pairs, FORMS["seven_pairs"]) == -1
    assert reference.shanten(pairs, FORMS["seven_different_pairs"]) == 1
    # three of a kind are a pair and half another
    assert reference.shanten(hand("111m2233p4455s66z"), FORMS["seven_pairs"]) == 0
    assert reference.accepted(hand("111m2233p4455s66z"), FORMS["seven_pairs"]) == {0}


def test_fifth_copy_is_no_wait():
    assert reference.shanten(hand("123456789m1111z")) == 1
    assert reference.shanten(hand("123456789m111z")[:27] + [3, 1] + [0] * 5) == 0
    # the wild tile may not be the fifth either
    assert not reference.is_win(hand("123456789m1111z"), wilds=1)
    assert reference.is_win(hand("123456789m111z2z"), wilds=1)


def test_void_suit():
    three_suits = hand("123m456p789s11122m")[:27]
    assert reference.shanten(three_suits, SICHUAN) == 2
    assert reference.shanten(three_suits, SICHUAN, void=1) == 2
    assert reference.shanten(three_suits, SICHUAN, held=[1, 2]) == 7
    assert reference.shanten(three_suits, SICHUAN, held=[0, 1, 2]) == reference.IMPOSSIBLE
    assert reference.shanten(three_suits, SICHUAN, void=0, held=[0]) == reference.IMPOSSIBLE
    assert reference.shanten(three_suits, STANDARD) == -1


def test_knitted_straight_beside_one_meld():
    eleven = hand("147m258p369s55z")
    assert reference.is_win(eleven, GUOBIAO)
    assert not reference.is_win(eleven, RIICHI)
    assert reference.divisions(eleven, GUOBIAO) == {("knitted_straight", (), 31)}
    assert reference.is_win(hand("147m258p369s55z777z"), GUOBIAO)
    # four of a kind: a pung beside the knitted tile
    assert reference.is_win(hand("11114447m258p369s"), GUOBIAO)


def test_every_division():
    pungs_or_chows = reference.divisions(hand("111222333m99p"), STANDARD)
    assert {sets for _, sets, _ in pungs_or_chows} == {
        ((0, 0, 0), (1, 1, 1), (2, 2, 2)),
        ((0, 1, 2), (0, 1, 2), (0, 1, 2)),
    }
    straight_pairs = reference.divisions(hand("11223344556677p"), RIICHI)
    assert sorted((form, pair) for form, _, pair in straight_pairs) == [
        ("seven_different_pairs", None),
        ("standard", 9),
        ("standard", 12),
        ("standard", 15),
    ]


# --- golden data ---


@pytest.mark.parametrize(
    "case",
    json.loads((GOLDEN / "edge_cases.json").read_text(encoding="utf-8")),
    ids=lambda case: case["hand"],
)
def test_edge_case(case):
    counts = case["counts"]
    assert hand(case["hand"]) == counts
    assert reference.shanten(counts) == case["shanten"]
    assert reference.shanten(counts, STANDARD) == case["std"]
    for form, key in (
        ("seven_different_pairs", "seven_pairs"),
        ("thirteen_orphans", "thirteen_orphans"),
    ):
        away = reference.shanten(counts, FORMS[form])
        assert away == case.get(key, reference.IMPOSSIBLE)
    assert names(reference.accepted(counts)) == case["necessary"]
    if case["tiles"] % 3 == 2:
        after = reference.discards(counts)
        kept = [tile for tile, (away, _) in after.items() if away == case["shanten"]]
        assert names(kept) == case["unnecessary"]


def test_consensus_of_public_calculators():
    golden = np.load(GOLDEN / "consensus.npz")
    rows = np.random.default_rng(0).permutation(len(golden["hands"]))[:3000]
    columns = {
        "shanten": RIICHI,
        "standard": STANDARD,
        "seven_pairs_distinct": FORMS["seven_different_pairs"],
        "thirteen_orphans": FORMS["thirteen_orphans"],
    }
    hands = golden["hands"][rows].tolist()
    for column, game in columns.items():
        ours = [reference.shanten(counts, game) for counts in hands]
        assert ours == golden[column][rows].tolist(), column
    for counts, necessary in zip(hands[:600], golden["necessary"][rows].tolist(), strict=False):
        assert sum(1 << tile for tile in reference.accepted(counts)) == necessary


# --- the second road to the distances of a suit ---


@pytest.mark.parametrize(
    ("kinds", "group", "valid", "classes"), [(9, 0, 405_350, 126), (7, 3, 43_130, 55)]
)
def test_all_distances_agree_with_enumeration(kinds, group, valid, classes):
    every = reference.all_distances(kinds)
    rows = np.flatnonzero(reference.totals(kinds) <= 14)
    assert len(rows) == valid
    assert len(np.unique(every[rows].reshape(-1, 10), axis=0)) == classes
    shapes = tuple((m, p) for m in range(5) for p in range(2))
    # all vectors of many tiles are rare among random rows: take some of every total
    totals = reference.totals(kinds)[rows]
    random = np.random.default_rng(1)
    for total in range(15):
        for row in random.permutation(rows[totals == total])[:150].tolist():
            counts = tuple(row // 5 ** (kinds - 1 - tile) % 5 for tile in range(kinds))
            assert sum(counts) == total
            direct = reference.group_distances(group, counts, shapes)
            assert tuple(every[row].reshape(-1).tolist()) == direct


def test_exact_sets_of_a_suit():
    every = reference.all_distances(9)
    totals = reference.totals(9)
    for pairs, numbers in enumerate([(1, 16, 127, 627, 2098), (9, 135, 996, 4475, 13259)]):
        for sets, number in enumerate(numbers):
            exact = (every[:, sets, pairs] == 0) & (totals == 3 * sets + 2 * pairs)
            assert exact.sum() == number == len(reference.targets(0, sets, pairs))
