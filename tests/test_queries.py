"""Every shape query against the specification, the golden data and its own laws."""

import dataclasses
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import numpy as np
import pytest
import reference
import strategies
from hypothesis import given
from hypothesis import strategies as st
from reference import GUOBIAO, KINDS, RIICHI, SICHUAN, SUITED, Game, same, text
from strategies import FAMILIES, SIZES, examples

import evaluator as ev

GOLDEN = Path(__file__).parent / "golden" / "shanten"

GAMES = {"riichi": RIICHI, "guobiao": GUOBIAO, "sbr_2025": SICHUAN}
# every form alone, and combinations that no preset has
RULES = {
    **{name: (ev.rules(name).replace(chow_melds=True), game) for name, game in GAMES.items()},
    **{
        f"{'+'.join(forms)} {kinds} {max_suits}": (
            ev.Rules("test", kinds=kinds, forms=forms, max_suits=max_suits),
            Game(forms, kinds, max_suits),
        )
        for forms, kinds, max_suits in [
            (("standard",), 34, 3),
            (("seven_pairs",), 34, 3),
            (("seven_different_pairs",), 34, 3),
            (("thirteen_orphans",), 34, 3),
            (("knitted_straight",), 34, 3),
            (("honours_and_knitted",), 34, 3),
            (("standard",), 34, 2),
            (("standard", "seven_different_pairs"), 34, 2),
            (("standard",), 27, 3),
            (("seven_pairs",), 27, 2),
            (("seven_different_pairs",), 27, 2),
            (("knitted_straight", "seven_pairs"), 27, 3),
        ]
    },
}
any_rules = st.sampled_from(list(RULES.values()))


def bits(tiles):
    return sum(1 << tile for tile in tiles)


def left_of(accepted, gone):
    """Copies left of the accepted tiles when ``gone`` are in sight."""
    return sum(4 - gone[tile] for tile in accepted)


def expected_discards(counts, game, *, gone=None, width=None, **asked):
    """Rows of shanten, mask and copies left, as ``Discards`` has them."""
    gone = counts if gone is None else gone
    width = len(counts) if width is None else width
    shanten, mask, left = [127] * width, [0] * width, [0] * width
    for tile, (away, accepted) in reference.discards(counts, game, **asked).items():
        shanten[tile], mask[tile] = away, bits(accepted)
        left[tile] = left_of(accepted, gone)
    return shanten, mask, left


def widened(counts):
    return [*counts, *[0] * (KINDS - len(counts))]


# --- agreement with the specification, family by family ---


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", RULES)
def test_shanten_and_wins_of_a_family(name, family):
    rules, game = RULES[name]
    number = 60 if name in GAMES else 15
    for size in SIZES:
        hands = strategies.batch(family, number, size, game.kinds, seed=1)
        rows = hands.tolist()
        same(hands, ev.shanten(hands, rules), [reference.shanten(h, game) for h in rows])
        same(hands, ev.is_win(hands, rules), [reference.is_win(h, game) for h in rows])


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", RULES)
def test_waits_of_a_family(name, family):
    rules, game = RULES[name]
    for size in SIZES[::2]:
        number = (8 if name in GAMES else 3) * (2 if size >= 10 else 1)
        hands = strategies.batch(family, number, size, game.kinds, seed=2)
        rows = hands.tolist()
        accepted = [reference.accepted(h, game) for h in rows]
        waits = ev.waits(hands, rules)
        same(hands, waits.shanten, [reference.shanten(h, game) for h in rows])
        same(hands, waits.mask, [bits(tiles) for tiles in accepted])
        total = [left_of(a, h) for h, a in zip(rows, accepted, strict=True)]
        same(hands, waits.total, total)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", RULES)
def test_discards_of_a_family(name, family):
    rules, game = RULES[name]
    for size in SIZES[1::2]:
        number = 1 if name not in GAMES else 2 if size < 10 else 4
        hands = strategies.batch(family, number, size, game.kinds, seed=3)
        expected = [expected_discards(h, game) for h in hands.tolist()]
        found = ev.discards(hands, rules)
        for part, ours in enumerate((found.shanten, found.mask, found.left)):
            same(hands, ours, [row[part] for row in expected])


@pytest.mark.parametrize("name", [name for name in ev.rules() if ev.rules(name).kinds == 27])
def test_sichuan_presets_share_their_shapes(name):
    rules = ev.rules(name)
    assert (rules.kinds, rules.max_suits, set(rules.forms)) == (27, 2, set(SICHUAN.forms))
    hands = strategies.mixed(500, 27, seed=4)
    assert np.array_equal(ev.shanten(hands, name), ev.shanten(hands, "sbr_2025"))


# --- wilds, void suits, melds and tiles seen, in any combination ---


@given(any_rules, st.data())
@examples(300)
def test_one_array(asked, data):
    rules, game = asked
    counts, wilds = data.draw(strategies.counts_with_wilds(game.kinds))
    void = data.draw(st.sampled_from([None, None, 0, 1, 2]))
    hand = np.array(counts, np.uint8)
    ask = {"wilds": wilds, "void": void}
    away = ev.shanten(hand, rules, **ask)
    assert type(away) is int
    assert away == reference.shanten(counts, game, **ask)
    win = ev.is_win(hand, rules, **ask)
    assert type(win) is bool
    assert win == reference.is_win(counts, game, **ask)
    seen = strategies.seen_beside(data.draw(st.randoms(use_true_random=False)), counts)
    gone = np.add(counts, seen).tolist()
    if (sum(counts) + wilds) % 3 == 1:
        waits = ev.waits(hand, rules, seen=seen, **ask)
        accepted = reference.accepted(counts, game, **ask)
        assert (waits.shanten, waits.mask) == (away, bits(accepted))
        assert waits.total == left_of(accepted, gone)
        assert np.flatnonzero(waits.tiles).tolist() == sorted(accepted)
        left = [(4 - gone[t]) * (t in accepted) for t in range(len(counts))]
        assert waits.left.tolist() == left
    else:
        found = ev.discards(hand, rules, seen=seen, **ask)
        shanten, mask, left = expected_discards(counts, game, gone=gone, **ask)
        assert found.shanten.tolist() == shanten
        assert found.mask.tolist() == mask
        assert found.left.tolist() == left


def held_suits(hand):
    return sorted({meld.tile // 9 for meld in hand.melds if meld.tile < SUITED})


def melded(hand):
    """Natural tiles of the melds."""
    used = [0] * KINDS
    for meld in hand.melds:
        natural = meld.tiles[: len(meld.tiles) - meld.wilds]
        for tile in natural:
            used[tile] += 1
    return used


@given(any_rules, st.data())
@examples(200)
def test_one_hand_with_melds(asked, data):
    rules, game = asked
    hand = data.draw(strategies.hands(game.kinds))
    void = data.draw(st.sampled_from([None, None, 0, 1, 2]))
    counts = reference.in_game(hand.concealed, game)
    ask = {"wilds": hand.wilds, "void": void, "held": held_suits(hand)}
    away = reference.shanten(counts, game, **ask)
    assert ev.shanten(hand, rules, void=void) == away
    assert ev.is_win(hand, rules, void=void) == reference.is_win(counts, game, **ask)
    owned = np.add(hand.concealed, melded(hand)).tolist()
    seen = strategies.seen_beside(data.draw(st.randoms(use_true_random=False)), owned)
    for gone, see in ((owned, None), (np.add(owned, seen).tolist(), seen)):
        if not hand.is_complete_size:
            accepted = reference.accepted(counts, game, **ask)
            waits = ev.waits(hand, rules, void=void, seen=see)
            assert (waits.shanten, waits.mask) == (away, bits(accepted))
            assert waits.total == left_of(accepted, gone)
            left = [(4 - gone[t]) * (t in accepted) for t in range(KINDS)]
            assert waits.left.tolist() == left
        else:
            expected = expected_discards(counts, game, gone=gone, width=KINDS, **ask)
            found = ev.discards(hand, rules, void=void, seen=see)
            assert found.shanten.tolist() == expected[0]
            assert found.mask.tolist() == expected[1]
            assert found.left.tolist() == expected[2]


@given(any_rules, st.sampled_from([1, 2]), st.data())
@examples(60)
def test_a_batch_of_hands(asked, remainder, data):
    """Each hand of a ``Hands`` has its own melds, wilds and void suit."""
    rules, game = asked
    batch = data.draw(strategies.batches(game.kinds, remainder))
    n = len(batch)
    suits = st.lists(st.integers(0, 2), min_size=n, max_size=n)
    void = data.draw(st.one_of(st.none(), st.integers(0, 2), suits))
    voids = void if isinstance(void, list) else [void] * n
    query = ev.waits if remainder == 1 else ev.discards
    found = query(batch, rules, void=void)
    each = query(batch, rules, void="each")
    names = ("shanten", "mask", "total" if remainder == 1 else "left")
    away = ev.shanten(batch, rules, void=void)
    away_each = ev.shanten(batch, rules, void="each")
    win_each = ev.is_win(batch, rules, void="each")
    assert away_each.shape == win_each.shape == (n, 3)
    for i, hand in enumerate(batch):
        counts = reference.in_game(hand.concealed, game)
        ask = {"wilds": hand.wilds, "held": held_suits(hand)}
        assert away[i] == reference.shanten(counts, game, void=voids[i], **ask)
        for suit in range(3):
            expected = reference.shanten(counts, game, void=suit, **ask)
            assert away_each[i, suit] == expected
            assert win_each[i, suit] == (expected == -1 and remainder == 2)
        one = query(hand, rules, void=voids[i])
        for name in names:
            assert np.array_equal(getattr(found, name)[i], getattr(one, name))
            for suit in range(3):
                alone = getattr(query(hand, rules, void=suit), name)
                assert np.array_equal(getattr(each, name)[i, suit], alone)


def test_wilds_and_voids_of_every_hand():
    """Arrays of wilds and void suits beside an array of hands, at the fast paths' sizes."""
    random = Random(5)
    for kinds, (rules, game) in ((34, RULES["guobiao"]), (27, RULES["sbr_2025"])):
        for remainder in (1, 2):
            wilds = [random.randint(0, 8) for _ in range(700)]
            voids = [random.randrange(3) for _ in wilds]
            rows = [
                strategies.fill(random, random.choice(tuple(FAMILIES)), size - wild, kinds)
                for wild in wilds
                for size in [random.choice([s for s in SIZES if s >= wild and s % 3 == remainder])]
            ]
            hands = np.array(rows, np.uint8)
            ask = {"wilds": np.array(wilds), "void": np.array(voids)}
            expected = [
                reference.shanten(row, game, wilds=wild, void=void)
                for row, wild, void in zip(rows, wilds, voids, strict=True)
            ]
            same(hands, ev.shanten(hands, rules, **ask), expected)
            same(hands, ev.is_win(hands, rules, **ask), np.array(expected) == -1)
            some = slice(0, 100)
            ask = {key: value[some] for key, value in ask.items()}
            triples = list(zip(rows, wilds, voids, strict=True))[some]
            if remainder == 1:
                waits = ev.waits(hands[some], rules, **ask)
                masks = [
                    bits(reference.accepted(row, game, wilds=wild, void=void))
                    for row, wild, void in triples
                ]
                same(hands[some], waits.mask, masks)
            else:
                found = ev.discards(hands[some], rules, **ask)
                expected = [
                    expected_discards(row, game, wilds=wild, void=void)
                    for row, wild, void in triples[:40]
                ]
                for part, ours in enumerate((found.shanten, found.mask, found.left)):
                    same(hands[:40], ours[:40], [row[part] for row in expected])


def counted(hand):
    """34 counts of an mpsz text."""
    return ev.parse(hand)


def test_copies_left_are_neither_in_hand_nor_melds_nor_seen():
    melds = (ev.Meld("chow", 19), ev.Meld("pung", 27))
    hand = ev.Hand(counted("44m23s"), melds)
    waits = ev.waits(hand, "riichi")
    assert (waits.shanten, waits.mask) == (0, bits([18, 21]))
    assert waits.left[[18, 21]].tolist() == [4, 3]  # one 4s is in the chow
    assert waits.total == waits.left.sum() == 7
    seen = np.zeros(34, np.uint8)
    seen[[18, 21, 30]] = 4, 1, 2
    waits = ev.waits(hand, "riichi", seen=seen)
    assert (waits.left[18], waits.left[21], waits.total) == (0, 2, 2)
    assert waits.mask == bits([18, 21])  # a wait with no copy left is a wait
    seen[27] = 2  # three more are in the pung
    with pytest.raises(ev.HandError) as caught:
        ev.waits(hand, "riichi", seen=seen)
    assert (caught.value.tile, caught.value.count) == (27, 5)


def test_suits_of_melds_cannot_be_void():
    concealed = counted("3456m3455s")
    assert ev.shanten(concealed, "sbr_2025") == 0
    # two suits in melds: the third is the void one, whatever the hand holds of it
    hand = ev.Hand(concealed, (ev.Meld("pung", 0), ev.Meld("pung", 10)))
    assert ev.shanten(hand, "sbr_2025") == 3
    assert ev.shanten(hand, "sbr_2025", void="each").tolist() == [127, 127, 3]
    assert ev.shanten(hand, "riichi") == 0
    pungs = tuple(ev.Meld("pung", tile) for tile in (0, 10, 20))
    three = ev.Hand(counted("4445s"), pungs)
    assert ev.shanten(three, "sbr_2025") == 127
    waits = ev.waits(three, "sbr_2025")
    assert (waits.shanten, waits.mask, waits.total) == (127, 0, 0)
    assert not ev.is_win(ev.Hand(counted("44455s"), pungs), "sbr_2025")
    assert ev.shanten(three, "riichi") == 0


# --- cases that were once answered wrongly ---


def test_no_honour_is_drawn_in_a_game_without():
    hand = [4] + [0] * 26  # waits for the pair, of any kind but its own
    for counts in (hand, widened(hand)):
        waits = ev.waits(counts, "sbr_2025")
        assert (waits.shanten, waits.mask, waits.total) == (1, 2**27 - 2, 104)
        found = ev.discards(np.add(counts, counted("2m")[: len(counts)]), "sbr_2025")
        assert (found.mask[1], found.left[1]) == (2**27 - 2, 103)


def test_a_form_that_does_not_apply_accepts_nothing():
    for form in ("seven_different_pairs", "thirteen_orphans", "honours_and_knitted"):
        rules = RULES[f"{form} 34 3"][0]
        waits = ev.waits(counted("1m"), rules)
        assert (waits.shanten, waits.mask, waits.total) == (127, 0, 0)
        found = ev.discards(counted("12m"), rules)
        assert (found.mask == 0).all()
        assert (found.left == 0).all()


def test_a_fourth_copy_discarded_is_not_left():
    # 1m is accepted again after its discard, but the four are in hand and on the table
    for name in ("riichi", "guobiao"):
        found = ev.discards(counted("1111m23m44m"), name)
        assert (found.shanten[0], found.mask[0], found.left[0]) == (0, bits([0, 3]), 2)
    found = ev.discards(counted("1111m23m44m")[:27], "sbr_2025")
    assert (found.shanten[0], found.mask[0], found.left[0]) == (0, bits([0, 3]), 2)


@pytest.mark.parametrize("last", [1, 2, 63])
def test_wilds_of_one_block_say_nothing_of_the_next(last):
    wilds = np.array([8] * 64 + [0] * last)
    hands = np.array([counted("1p")] * 64 + [counted("123m456p789s1122z")] * last)
    hands[:64, 10] = 4  # 5 tiles and 8 wilds
    assert (ev.shanten(hands, "riichi", wilds=wilds) == 0).all()
    assert not ev.is_win(hands, "riichi", wilds=wilds).any()
    assert (ev.waits(hands, "riichi", wilds=wilds).shanten == 0).all()


# --- divisions ---


def listed(divisions):
    """Divisions as the specification writes them, sets of melds left out."""
    return sorted(
        (division.form, tuple(sorted(meld.tiles for meld in division.sets)), division.pair or 0)
        for division in divisions
    )


def expected_divisions(counts, game, held=()):
    return sorted(
        # seven pairs have neither sets nor a pair of their own
        (form, () if "pairs" in form else sets, pair or 0)
        for form, sets, pair in reference.divisions(counts, game, held=held)
    )


@given(any_rules, st.data())
@examples(400)
def test_divisions(asked, data):
    rules, game = asked
    counts = data.draw(strategies.counts(game.kinds, remainder=2))
    divisions = ev.decompose(np.array(counts, np.uint8), rules)
    assert listed(divisions) == expected_divisions(counts, game)


@pytest.mark.parametrize("kinds", [34, 27])
def test_divisions_of_wins(kinds):
    rules, game = RULES["guobiao"] if kinds == 34 else RULES["sbr_2025"]
    divided = 0
    for hand in strategies.mixed(3000, kinds, remainder=2, seed=6):
        if ev.is_win(hand, rules):
            divided += 1
            found = ev.decompose(hand, rules)
            assert listed(found) == expected_divisions(hand.tolist(), game), text(hand)
    assert divided > 300


def test_divisions_of_hands_with_melds():
    chow = ev.Meld("chow", 10)
    found = ev.decompose(ev.Hand(counted("111222333m99p"), (chow,)), "riichi")
    assert all(division.sets[0] == chow for division in found)
    assert [[meld.kind for meld in division.sets[1:]] for division in found] == [
        ["pung"] * 3,
        ["chow"] * 3,
    ]
    # a suit of a meld is a suit held
    three_suits = ev.Hand(counted("111222333m99p"), (ev.Meld("pung", 20),))
    assert len(ev.decompose(three_suits, "riichi")) == 2
    assert ev.decompose(three_suits, "sbr_2025") == []


# --- golden data, in full ---


@pytest.fixture(scope="module")
def consensus():
    with np.load(GOLDEN / "consensus.npz") as file:
        return {name: file[name] for name in file.files}


@pytest.mark.parametrize(
    ("column", "rules"),
    [
        ("shanten", "riichi"),
        ("standard", RULES["standard 34 3"][0]),
        ("seven_pairs_distinct", RULES["seven_different_pairs 34 3"][0]),
        ("thirteen_orphans", RULES["thirteen_orphans 34 3"][0]),
    ],
    ids=["shanten", "standard", "seven_pairs_distinct", "thirteen_orphans"],
)
def test_consensus_shanten(consensus, column, rules):
    hands = consensus["hands"]
    assert len(hands) == 60_000
    same(hands, ev.shanten(hands, rules), consensus[column])
    complete = (consensus[column] == -1) & (hands.sum(axis=1) % 3 == 2)
    same(hands, ev.is_win(hands, rules), complete)


def test_consensus_waits(consensus):
    waiting = consensus["hands"].sum(axis=1) % 3 == 1
    hands = consensus["hands"][waiting]
    waits = ev.waits(hands, "riichi")
    same(hands, waits.shanten, consensus["shanten"][waiting])
    same(hands, waits.mask, consensus["necessary"][waiting])


def test_consensus_discards(consensus):
    full = consensus["hands"].sum(axis=1) % 3 == 2
    hands, shanten = consensus["hands"][full], consensus["shanten"][full]
    found = ev.discards(hands, "riichi")
    kept = found.shanten == shanten[:, None]
    masks = (kept * (np.uint64(1) << np.arange(34, dtype=np.uint64))).sum(axis=1, dtype=np.uint64)
    same(hands, masks, consensus["unnecessary"][full])


EDGE_CASES = json.loads((GOLDEN / "edge_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", EDGE_CASES, ids=lambda case: case["hand"])
def test_edge_case(case):
    hand = np.array(case["counts"], np.uint8)
    assert ev.shanten(hand, "riichi") == case["shanten"]
    assert ev.shanten(hand, RULES["standard 34 3"][0]) == case["std"]
    for form, column in (
        ("seven_different_pairs", "seven_pairs"),
        ("thirteen_orphans", "thirteen_orphans"),
    ):
        assert ev.shanten(hand, RULES[f"{form} 34 3"][0]) == case.get(column, 127)
    assert ev.is_win(hand, "riichi") == (case["shanten"] == -1)
    named = [f"{t % 9 + 1}{'mpsz'[t // 9]}" for t in range(34)]
    if case["tiles"] % 3 == 1:
        accepted = ev.waits(hand, "riichi").tiles
        assert [n for n, tile in zip(named, accepted, strict=True) if tile] == case["necessary"]
    else:
        kept = ev.discards(hand, "riichi").shanten == case["shanten"]
        assert [n for n, tile in zip(named, kept, strict=True) if tile] == case["unnecessary"]


# --- laws ---

rules_names = pytest.mark.parametrize("name", GAMES)


def big_batch(name, remainder=None):
    """Hands enough for the block-wise passes and two threads."""
    kinds = GAMES[name].kinds
    hands = strategies.mixed(4000, kinds, remainder=remainder, seed=8)
    sizes = (13, 14) if remainder is None else (12 + remainder,)
    deals = [ev.deal(4000, size, kinds, seed=9) for size in sizes]
    near = [ev.deal(2000, size, kinds, seed=9, family="near_win") for size in sizes]
    return np.concatenate([hands, *deals, *near])


def permuted(hands, order):
    """The same hands with the suits in another order."""
    suits = [np.arange(9 * suit, 9 * suit + 9) for suit in order]
    return hands[:, np.concatenate([*suits, np.arange(27, hands.shape[1])])]


def reversed_ranks(hands):
    """The same hands with 1 and 9, 2 and 8 … exchanged."""
    ranks = [np.arange(9 * suit + 8, 9 * suit - 1, -1) for suit in range(3)]
    return hands[:, np.concatenate([*ranks, np.arange(27, hands.shape[1])])]


@rules_names
def test_suits_are_alike_and_so_are_both_ends(name):
    changes = [lambda hands, o=order: permuted(hands, o) for order in [(1, 0, 2), (1, 2, 0)]]
    for change in [*changes, reversed_ranks]:
        hands = big_batch(name)
        assert np.array_equal(ev.shanten(change(hands), name), ev.shanten(hands, name))
        assert np.array_equal(ev.is_win(change(hands), name), ev.is_win(hands, name))
        hands = big_batch(name, 1)
        waits, changed = ev.waits(hands, name), ev.waits(change(hands), name)
        assert np.array_equal(changed.tiles, change(waits.tiles))
        assert np.array_equal(changed.left, change(waits.left))
        hands = big_batch(name, 2)
        found, changed = ev.discards(hands, name), ev.discards(change(hands), name)
        assert np.array_equal(changed.shanten, change(found.shanten))
        assert np.array_equal(changed.left, change(found.left))


@rules_names
def test_void_suits_permute(name):
    hands = big_batch(name)
    each = ev.shanten(hands, name, void="each")
    order = [2, 0, 1]
    assert np.array_equal(ev.shanten(permuted(hands, order), name, void="each"), each[:, order])
    if GAMES[name].max_suits == 2:
        assert np.array_equal(ev.shanten(hands, name), each.min(axis=1))
    else:
        assert (ev.shanten(hands, name) <= each.min(axis=1)).all()


@rules_names
def test_a_tile_changes_shanten_by_one_at_most_and_is_a_wait_iff_it_lowers_it(name):
    hands = big_batch(name, 1)
    waits = ev.waits(hands, name)
    for tile in range(hands.shape[1]):
        room = hands[:, tile] < 4
        drawn = hands[room].copy()
        drawn[:, tile] += 1
        change = waits.shanten[room] - ev.shanten(drawn, name)
        assert ((change == 0) | (change == 1)).all()
        assert np.array_equal(waits.tiles[room, tile], change == 1)
        assert not waits.tiles[~room, tile].any()


@rules_names
def test_discards_are_waits_without_the_tile(name):
    hands = big_batch(name, 2)
    found = ev.discards(hands, name)
    for tile in range(hands.shape[1]):
        held = hands[:, tile] > 0
        rest = hands[held].copy()
        rest[:, tile] -= 1
        waits = ev.waits(rest, name)
        assert np.array_equal(found.shanten[held, tile], waits.shanten)
        assert np.array_equal(found.mask[held, tile], waits.mask)
        # the discarded tile is gone
        assert np.array_equal(found.left[held, tile], waits.total - waits.tiles[:, tile])
        assert np.array_equal(found.tiles[held, tile], waits.tiles)
        assert (found.shanten[~held, tile] == 127).all()
        assert not found.mask[~held, tile].any()
    assert np.array_equal(found.shanten.min(axis=1), np.maximum(ev.shanten(hands, name), 0))
    best, rows = found.best(), np.arange(len(hands))
    assert (hands[rows, best] > 0).all()
    worth = (127 - found.shanten.astype(int)) * 256 + found.left
    assert np.array_equal(worth[rows, best], np.where(hands > 0, worth, -1).max(axis=1))


@rules_names
def test_a_wild_tile_is_the_best_tile_to_draw(name):
    hands = big_batch(name, 1)[:3000]
    waits = ev.waits(hands, name)
    assert np.array_equal(ev.shanten(hands, name, wilds=1), waits.shanten - 1)


@rules_names
def test_batch_equals_one_by_one(name):
    hands = big_batch(name)[::7]
    assert ev.shanten(hands, name).tolist() == [ev.shanten(hand, name) for hand in hands]
    assert ev.is_win(hands, name).tolist() == [ev.is_win(hand, name) for hand in hands]
    hands = big_batch(name, 1)[::11]
    waits = ev.waits(hands, name)
    for i, hand in enumerate(hands):
        one = ev.waits(hand, name)
        assert (one.shanten, one.mask, one.total) == (
            waits.shanten[i],
            waits.mask[i],
            waits.total[i],
        )
    hands = big_batch(name, 2)[::11]
    found = ev.discards(hands, name)
    for i, hand in enumerate(hands):
        one = ev.discards(hand, name)
        assert np.array_equal(one.shanten, found.shanten[i])
        assert np.array_equal(one.mask, found.mask[i])
        assert np.array_equal(one.left, found.left[i])


@rules_names
def test_place_in_a_batch_changes_nothing(name):
    """Blocks, their remainders and what stands before and after a hand."""
    hands = big_batch(name)[:400]
    whole = ev.shanten(hands, name)
    for start in (0, 1, 63, 64, 65):
        for n in (1, 2, 63, 64, 65, 66, 67, 127, 128, 129, 200):
            part = hands[start : start + n]
            assert np.array_equal(ev.shanten(part, name), whole[start : start + n])
            assert np.array_equal(ev.is_win(part, name), ev.is_win(hands, name)[start : start + n])
    hands = big_batch(name, 1)[:400]
    masks = ev.waits(hands, name).mask
    for n in (1, 63, 65, 129):
        assert np.array_equal(ev.waits(hands[3 : 3 + n], name).mask, masks[3 : 3 + n])


@rules_names
def test_threads_change_nothing(name):
    hands = np.tile(big_batch(name), (8, 1))
    one = ev.shanten(hands, name, threads=1)
    for threads in (None, 2, 3, 7):
        assert np.array_equal(ev.shanten(hands, name, threads=threads), one)
        assert np.array_equal(
            ev.is_win(hands, name, threads=threads), ev.is_win(hands, name, threads=1)
        )
    waiting, full = big_batch(name, 1), big_batch(name, 2)
    waits, found = ev.waits(waiting, name, threads=1), ev.discards(full, name, threads=1)
    for threads in (None, 2, 5):
        assert np.array_equal(ev.waits(waiting, name, threads=threads).mask, waits.mask)
        assert np.array_equal(ev.discards(full, name, threads=threads).mask, found.mask)
    # and from several threads at once
    with ThreadPoolExecutor(4) as pool:
        for answer in pool.map(lambda _: ev.shanten(hands, name, threads=2), range(8)):
            assert np.array_equal(answer, one)


# --- what an array may look like ---


@pytest.fixture(scope="module", params=[34, 27])
def given_hands(request):
    name = {34: "guobiao", 27: "sbr_2025"}[request.param]
    return name, {remainder: big_batch(name, remainder)[:1500] for remainder in (1, 2)}


def all_answers(hands, name):
    """Every query's answers to 3k+1 (``hands[1]``) and 3k+2 tiles (``hands[2]``)."""
    waits, found = ev.waits(hands[1], name), ev.discards(hands[2], name)
    return [
        *(query(hands[part], name) for query in (ev.shanten, ev.is_win) for part in (1, 2)),
        *(waits.shanten, waits.mask, waits.total, waits.tiles, waits.left),
        *(found.shanten, found.mask, found.left, found.best()),
    ]


def check_answers(expected, found, shape=None):
    for one, other in zip(expected, found, strict=True):
        assert one.dtype == other.dtype
        if shape is not None:
            assert other.shape == (*shape, *one.shape[1:])
        assert np.array_equal(one, other.reshape(one.shape))


@pytest.mark.parametrize(
    "dtype",
    ["i1", "i2", "u2", "i4", "u4", "i8", "u8", ">i2", ">u4", ">i8"],
)
def test_any_integer_dtype(given_hands, dtype):
    name, hands = given_hands
    other = {part: rows.astype(dtype) for part, rows in hands.items()}
    check_answers(all_answers(hands, name), all_answers(other, name))


def strided(rows):
    wide = np.full((2 * len(rows), 2 * rows.shape[1] + 3), 9, np.uint8)
    view = wide[::2, 1 : 2 * rows.shape[1] + 1 : 2]
    view[:] = rows
    return view


def part_of_a_row(rows):
    wide = np.full((len(rows), rows.shape[1] + 5), 9, np.uint8)
    wide[:, 2:-3] = rows
    return wide[:, 2:-3]


def backwards(rows):
    return rows[::-1].copy()[::-1]


def read_only(rows):
    rows = rows.copy()
    rows.flags.writeable = False
    return rows


def unaligned(rows):
    memory = np.zeros(rows.size + 1, np.uint8)
    view = memory[1:].reshape(rows.shape)
    view[:] = rows
    return view


@pytest.mark.parametrize(
    "layout",
    [
        strided,
        part_of_a_row,
        backwards,
        read_only,
        unaligned,
        np.asfortranarray,
        lambda rows: read_only(rows.astype(np.int32)),
        lambda rows: strided(rows).astype(">i4", order="K"),
        lambda rows: rows.view(np.recarray).view(np.ndarray),
        lambda rows: rows.tolist(),
    ],
    ids=[
        "strided",
        "part of a row",
        "backwards",
        "read-only",
        "unaligned",
        "Fortran",
        "read-only int32",
        "strided big-endian",
        "view",
        "list",
    ],
)
def test_any_layout(given_hands, layout):
    name, hands = given_hands
    other = {part: layout(rows) for part, rows in hands.items()}
    check_answers(all_answers(hands, name), all_answers(other, name))
    # the queries only read
    for part, rows in hands.items():
        assert np.array_equal(np.asarray(other[part]), rows)


def test_memory_mapped_file(given_hands, tmp_path):
    name, hands = given_hands
    mapped = {}
    for part, rows in hands.items():
        np.save(tmp_path / f"{part}.npy", rows)
        mapped[part] = np.load(tmp_path / f"{part}.npy", mmap_mode="r")
    check_answers(all_answers(hands, name), all_answers(mapped, name))


@pytest.mark.parametrize("shape", [(1500,), (30, 50), (3, 5, 100), (1, 1500, 1)])
def test_leading_axes(given_hands, shape):
    name, hands = given_hands
    expected = all_answers(hands, name)
    other = {part: rows.reshape(*shape, -1) for part, rows in hands.items()}
    check_answers(expected, all_answers(other, name), shape)
    turned = {
        part: np.moveaxis(np.moveaxis(rows, 0, -1).copy(), -1, 0) for part, rows in other.items()
    }
    check_answers(expected, all_answers(turned, name), shape)


def test_void_each_stands_after_the_hands_own_axes(given_hands):
    name, hands = given_hands
    width = hands[1].shape[-1]
    waiting, full = (hands[part].reshape(30, 50, width) for part in (1, 2))
    assert ev.shanten(waiting, name, void="each").shape == (30, 50, 3)
    assert ev.waits(waiting, name, void="each").mask.shape == (30, 50, 3)
    assert ev.waits(waiting, name, void="each").tiles.shape == (30, 50, 3, width)
    assert ev.waits(waiting, name, void="each").left.shape == (30, 50, 3, width)
    each = ev.discards(full, name, void="each")
    assert each.mask.shape == each.left.shape == each.shanten.shape == (30, 50, 3, width)
    one = full[4, 7]
    assert ev.shanten(one, name, void="each").shape == (3,)
    assert ev.discards(one, name, void="each").mask.shape == (3, width)
    for suit in range(3):
        alone = ev.discards(full, name, void=suit)
        assert np.array_equal(each.mask[:, :, suit], alone.mask)
        assert np.array_equal(each.left[:, :, suit], alone.left)
        assert np.array_equal(each.shanten[:, :, suit], alone.shanten)
        waits = ev.waits(waiting, name, void=suit)
        assert np.array_equal(ev.waits(waiting, name, void="each").left[:, :, suit], waits.left)


def test_dtypes_and_shapes(given_hands):
    name, hands = given_hands
    width = hands[1].shape[1]
    waits, found = ev.waits(hands[1], name), ev.discards(hands[2], name)
    n = len(hands[1])
    for array, dtype, shape in [
        (ev.shanten(hands[1], name), np.int8, (n,)),
        (ev.is_win(hands[1], name), np.bool_, (n,)),
        (waits.shanten, np.int8, (n,)),
        (waits.mask, np.uint64, (n,)),
        (waits.total, np.uint8, (n,)),
        (waits.tiles, np.bool_, (n, width)),
        (waits.left, np.uint8, (n, width)),
        (found.shanten, np.int8, (n, width)),
        (found.mask, np.uint64, (n, width)),
        (found.left, np.uint8, (n, width)),
        (found.tiles, np.bool_, (n, width, width)),
    ]:
        assert (array.dtype, array.shape) == (dtype, shape)
    one = ev.waits(hands[1][0], name)
    assert {type(value) for value in (one.shanten, one.mask, one.total)} == {int}
    none = hands[1][:0]
    assert ev.shanten(none, name).shape == ev.waits(none, name).mask.shape == (0,)
    assert ev.discards(none, name).mask.shape == (0, width)


def test_out(given_hands):
    name, hands = given_hands
    for query, dtype in ((ev.shanten, np.int8), (ev.is_win, np.bool_)):
        out = np.zeros(len(hands[2]), dtype)
        assert query(hands[2], name, out=out) is out
        assert np.array_equal(out, query(hands[2], name))


def test_seen_of_every_hand(given_hands):
    name, hands = given_hands
    random = np.random.default_rng(10)
    seen = (random.random(hands[1].shape) * (5 - hands[1])).astype(np.uint8)
    waits = ev.waits(hands[1], name, seen=seen)
    left = np.where(waits.tiles, 4 - hands[1] - seen, 0)
    assert np.array_equal(waits.left, left)
    assert np.array_equal(waits.total, left.sum(axis=1))
    assert np.array_equal(waits.mask, ev.waits(hands[1], name).mask)
    none = np.zeros(hands[1].shape[1], np.uint8)
    assert np.array_equal(ev.waits(hands[1], name, seen=none).total, ev.waits(hands[1], name).total)


def test_narrow_and_wide_hands_are_the_same_hands():
    """27 counts are 34 without honours, and are answered for the three suits alone."""
    hands = strategies.mixed(400, 27, remainder=1, seed=11)
    hands[0] = [4] + [0] * 26  # waits for any other tile, honours too
    wide = np.pad(hands, ((0, 0), (0, 7)))
    for name in ("riichi", "guobiao", "sbr_2025"):
        narrow_waits, wide_waits = ev.waits(hands, name), ev.waits(wide, name)
        assert np.array_equal(narrow_waits.shanten, wide_waits.shanten)
        assert np.array_equal(narrow_waits.mask, wide_waits.mask & np.uint64((1 << 27) - 1))
        assert np.array_equal(narrow_waits.total, wide_waits.left[:, :27].sum(axis=1))
        assert np.array_equal(narrow_waits.tiles, wide_waits.tiles[:, :27])
        assert np.array_equal(narrow_waits.left, wide_waits.left[:, :27])
        for seen in (np.zeros(27, np.uint8), 4 - hands):
            beside = np.pad(seen, [(0, 0)] * (seen.ndim - 1) + [(0, 7)])
            narrow_waits = ev.waits(hands, name, seen=seen)
            wide_waits = ev.waits(wide, name, seen=beside)
            assert np.array_equal(narrow_waits.total, wide_waits.left[:, :27].sum(axis=1))
            assert np.array_equal(narrow_waits.left, wide_waits.left[:, :27])


def test_default_rules_go_by_width():
    hands = strategies.mixed(500, 27, seed=12)
    assert np.array_equal(ev.shanten(hands), ev.shanten(hands, "sbr_2025"))
    wide = strategies.mixed(500, seed=12)
    assert np.array_equal(ev.shanten(wide), ev.shanten(wide, "guobiao"))


# --- hands that cannot be ---

BAD_ROWS = {
    "five copies": [5, 0, 0, 5, 0, 3],
    "no size": [3, 3],
    "no tiles": [],
    "too many": [4, 4, 4, 4],
}


@pytest.mark.parametrize("width", [34, 27])
@pytest.mark.parametrize("row", BAD_ROWS.values(), ids=BAD_ROWS)
def test_bad_rows_raise_or_are_marked(row, width):
    bad = np.zeros(width, np.uint8)
    bad[: len(row)] = row
    for remainder in (1, 2):
        hands = strategies.mixed(300, width, remainder=remainder, seed=13)
        good = hands.copy()
        where = [70, 130, 299]
        hands[where] = bad
        fine = np.delete(np.arange(300), where)
        queries = [ev.shanten, ev.is_win, ev.waits if remainder == 1 else ev.discards]
        for query in queries:
            with pytest.raises(ev.HandError) as caught:
                query(hands)
            assert caught.value.index == 70
            marked, right = query(hands, errors="mark"), query(good)
            if query is ev.is_win:
                assert not marked[where].any()
                assert np.array_equal(marked[fine], right[fine])
                continue
            if query is ev.shanten:
                assert (marked[where] == -128).all()
                assert np.array_equal(marked[fine], right[fine])
                continue
            assert (marked.shanten[where] == -128).all()
            assert not marked.mask[where].any()
            assert not marked.left[where].any()
            for part in ("shanten", "mask", "left"):
                assert np.array_equal(getattr(marked, part)[fine], getattr(right, part)[fine])


@pytest.mark.parametrize(("query", "size"), [(ev.waits, 13), (ev.discards, 14)])
def test_the_first_bad_row_is_named_whatever_is_wrong_with_it(query, size):
    """Too much in sight or too much in hand: the earlier row, as the marks say."""
    hands = strategies.batch("random_tiles", 300, size)
    seen = np.zeros((300, 34), np.uint8)
    for in_hand, in_sight in ((70, 130), (130, 70)):
        bad, beside = hands.copy(), seen.copy()
        bad[in_hand, 5] = 5
        beside[in_sight, 9] = 5
        with pytest.raises(ev.HandError, match="copies of") as caught:
            query(bad, seen=beside)
        assert caught.value.index == 70
        assert caught.value.tile == (5 if in_hand == 70 else 9)
        marked = query(bad, seen=beside, errors="mark").mask.reshape(300, -1).any(axis=1)
        assert not marked[[70, 130]].any()


def test_a_wrong_number_of_wilds_is_named_beside_melds():
    hands = ev.Hands.from_hands([ev.Hand.parse("[123m,1]1122334455m"), ev.Hand.parse("11m")])
    for row in (0, 1):
        wilds = np.zeros(2, np.uint8)
        wilds[row] = 200
        with pytest.raises(ev.HandError, match=f"hand {row}: 200 wild tiles"):
            ev.shanten(dataclasses.replace(hands, wilds=wilds))


def test_waits_and_discards_need_their_size():
    with pytest.raises(ev.HandError, match="discards"):
        ev.waits(strategies.batch("flush", 1, 14)[0])
    with pytest.raises(ev.HandError, match="waits"):
        ev.discards(strategies.batch("flush", 1, 13)[0])


def test_an_honour_in_a_game_without():
    hands = strategies.mixed(100, 34, seed=14)
    hands[:, 27:] = 0
    hands[:] = strategies.batch("flush", 100, 13)
    assert ev.shanten(hands, "sbr_2025").shape == (100,)
    hands[40] = strategies.batch("half_flush", 1, 13)[0]
    hands[40, 27:] = 0
    hands[40, 0], hands[40, 30] = 0, 1
    with pytest.raises(ev.HandError) as caught:
        ev.shanten(hands, "sbr_2025")
    assert (caught.value.index, caught.value.tile) == (40, 30)
    assert ev.shanten(hands, "sbr_2025", errors="mark")[40] == -128


# --- deals and counts ---


@pytest.mark.parametrize("kinds", [34, 27])
@pytest.mark.parametrize("size", SIZES)
def test_deals_are_hands(kinds, size):
    for family in (
        "random",
        "flush",
        "two_suits",
        "terminals",
        "pairs",
        "pungs",
        "quads",
        "near_win",
    ):
        hands = ev.deal(300, size, kinds, seed=15, family=family)
        assert (hands.shape, hands.dtype) == ((300, kinds), np.uint8)
        assert (hands.sum(axis=1) == size).all()
        assert hands.max() <= 4
        again = ev.deal(100, size, kinds, seed=15, family=family)
        assert np.array_equal(again, hands[:100])


def test_random_deals_are_fair():
    """Shanten of random deals is distributed as over all deals."""
    total = 400_000
    away = ev.shanten(ev.deal(total, 13, seed=16), "riichi")
    known = [
        0,
        39270395383132,
        3006175115638776,
        45249205945148216,
        175141291509958900,
        192909046305573888,
        63384201353756672,
        4045365540028416,
    ]
    expected = np.array(known) / sum(known) * total
    found = np.bincount(away + 1, minlength=8)
    # six standard deviations of every class
    assert (np.abs(found - expected) <= 6 * np.sqrt(expected) + 6).all()


def test_counts_of_tiles():
    random = np.random.default_rng(17)
    tiles = np.array([random.permutation(136)[:14] for _ in range(200)])
    expected = np.array([np.bincount(row // 4, minlength=34) for row in tiles])
    assert np.array_equal(ev.counts(tiles, ids="tile"), expected)
    assert np.array_equal(ev.counts(tiles // 4), expected)
    with pytest.raises(ev.HandError):
        ev.counts([0] * 5)
