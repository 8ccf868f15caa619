"""A win is a win to every query: ``is_win`` and ``score``, ``waits`` and ``wait_scores``, shanten,
discards and the distance to patterns, under every preset and rule sets drawn at random."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
import sichuan_reference as reference
import strategies_sichuan as families
from test_sichuan import preset_of

import evaluator as ev
from evaluator.hands import Hand, Hands, Meld
from evaluator.rulesets.knobs import CONDITIONS

GAMES = [name for name in ev.rules() if ev.rules(name).patterns]
NO_WINS = (ev.Reason.NOT_A_WIN, ev.Reason.TOO_MANY_SUITS)
REFUSED_BY_ALL = (ev.Reason.NOT_IN_GAME, ev.Reason.FIVE_COPIES, ev.Reason.NO_INDICATOR)


# --- what is asked ---


def drawn_rules(random: Random) -> ev.Rules:
    """A rule set of one's own, by all that says which hands win."""
    honours = random.random() < 0.3
    requires = [name for name in CONDITIONS if random.random() < random.choice((0, 0, 0.4))]
    suits = 3 if honours or "all_suits" in requires else random.choice((2, 3))
    shapes = ("std", "pungs", "flush", "jiang", "jingou", "yaojiu", "menqing", "zhongzhang")
    patterns: dict[str, Any] = {"平胡": {"value": 1, "req": ["std"]}}
    for number in range(random.randrange(1, 4)):
        req = random.sample(shapes, random.choice((1, 1, 2)))
        patterns[f"牌{number}"] = {"value": number + 2, "req": req}
    quad = ["hasgen"] * random.randrange(2)
    patterns["七对"] = {"value": 2, "group": 1, "req": ["seven", *quad]}
    if random.random() < 0.15:
        patterns["一条龙"] = {"value": 3, "group": 2, "req": ["yitiaolong"]}
    wilds = {}
    if not honours and random.random() < 0.75:
        kind = random.choice(("next", "next", "extra"))
        wilds = {
            "count": random.choice((2, 4, 4)),
            "kind": kind,
            "wild_ignores_suit": kind == "extra" or random.random() < 0.5,
            "wild_counts_for_gen": random.random() < 0.7,
            "virtual_fifth_copy": random.random() < 0.3,
        }
    return ev.Rules(
        name="drawn", kinds=34 if honours else 27, max_suits=suits, patterns=patterns,
        forms=("standard", "seven_pairs") if random.random() < 0.7 else ("standard",),
        requires=tuple(requires), wilds=wilds, chow_melds=random.random() < 0.7,
        dead_wait=random.choice(("none", "own4")),
    )  # fmt: skip


def with_wilds(hand: Hand, random: Random, rules: ev.Rules, most: int) -> Hand:
    """Some tiles of a hand, now and then one of a pung, as wild ones."""
    if not rules.wilds.count:
        return hand
    turned = rules.wilds.kind == "next" and random.random() < 0.9
    indicator = random.randrange(27) if turned else None
    left = random.randrange(min(most, rules.wilds.count) + 1)
    counts, melds, wilds = list(hand.concealed), [], 0
    wild = ev.wild_tile(indicator) if turned else None
    for meld in hand.melds:
        some = int(left > 0 and meld.kind in ("pung", "kong") and random.random() < 0.3)
        left -= some
        melds.append(Meld(meld.kind, meld.tile, some))
    if wild is not None and random.random() < 0.95:
        wilds, counts[wild] = counts[wild], 0
    held = [tile for tile, n in enumerate(counts) for _ in range(n)]
    for tile in random.sample(held, max(min(left, len(held) - 1), 0)):
        counts[tile] -= 1
        wilds += 1
    return hand.replace(
        concealed=tuple(counts), melds=tuple(melds), wilds=wilds, indicator=indicator,
        win_tile=None,
    )  # fmt: skip


def random_tiles(random: Random) -> Hand:
    kinds = random.choice((range(9), range(18), range(27), range(34)))
    tiles = random.sample([tile for tile in kinds for _ in range(4)], 14)
    return Hand(tuple(tiles.count(tile) for tile in range(34)))


def crowded_near(random: Random) -> Hand:
    """Three or four of the same tiles, where the fifth copy is missed."""
    low = random.randrange(6)
    tiles = [9 * random.randrange(3) + low + step for step in range(4)] * 4
    held = random.sample(tiles, 8) if random.random() < 0.5 else tiles[:8]
    hand = families.plain(families.anything(random))
    counts = list(hand.concealed)
    for tile in held:
        others = [t for t, n in enumerate(counts) if n and t != tile]
        if hand.owned[tile] + counts[tile] - hand.concealed[tile] < 4 and others:
            counts[random.choice(others)] -= 1
            counts[tile] += 1
    return hand.replace(concealed=tuple(counts), win_tile=None)


SOURCES: tuple[Callable[[Random], Hand], ...] = (
    *families.COMPLETE, families.three_suits, families.spoilt, families.chow_melds,
    families.dandong, families.dandong, random_tiles, crowded_near,
)  # fmt: skip


def drawn_hands(random: Random, rules: ev.Rules, n: int, most: int) -> list[Hand]:
    """Hands of 14 tiles, their melds included."""
    found: list[Hand] = []
    while len(found) < n:
        try:
            hand = families.plain(random.choice(SOURCES)(random)).replace(win_tile=None)
            hand = with_wilds(hand, random, rules, most)
            if rules.kinds == 27 and any(hand.owned[27:]) and random.random() < 0.9:
                continue
        except ev.HandError:
            continue
        if any(hand.concealed):
            found.append(hand)
    return found


# --- what holds ---


def check_wins(hands: list[Hand], rules: ev.Rules) -> Any:
    """Complete or not, and with which patterns, to all queries alike."""
    batch = Hands.from_hands(hands)
    scored = ev.score(batch, rules, errors="mark")
    known = np.isin(scored.reason, (0, *NO_WINS))
    won = scored.reason == 0
    distance = ev.shanten(batch, rules, errors="mark")
    np.testing.assert_array_equal(ev.is_win(batch, rules, errors="mark")[known], won[known])
    np.testing.assert_array_equal(distance[known] == -1, won[known])
    refused = np.isin(scored.reason, REFUSED_BY_ALL)
    assert (distance[refused] == -128).all()
    for row in np.flatnonzero(refused)[:3]:
        for query in (ev.is_win, ev.discards, ev.pattern_shanten, ev.score):
            with pytest.raises(ev.HandError) as told:
                query(hands[row], rules)
            assert told.value.reason == scored.reason[row], query
    return known, won, distance


def check_patterns(hands: list[Hand], rules: ev.Rules, known: Any) -> None:
    """−1 ⇔ some reading of the win has all flags of the pattern, as the reference reads it."""
    columns = ev.pattern_names(rules)
    flags = {p.name: set(p.req) for p in rules.patterns}
    distances = ev.pattern_shanten(Hands.from_hands(hands), rules, errors="mark")
    preset = preset_of(rules)
    for row, hand in enumerate(hands):
        if not known[row]:
            continue
        case = reference.Case.of(hand)
        readings = [
            reading.facts
            for meant in reference.substituted(case, preset)
            for reading in reference.readings(meant)
            if reference.may_win(meant, reading, preset)
            and len(reference.suits_of(meant.owned) | reference.suits_of_wilds(case, preset))
            <= preset["max_suits"]
        ]
        had = [any(flags[name] <= facts for facts in readings) for name in columns]
        assert (distances[row] == -1).tolist() == had, (str(hand), columns)
        scored = reference.score(hand, preset)
        assert isinstance(scored, dict) == bool(readings), str(hand)


def check_waits(hands: list[Hand], rules: ev.Rules) -> int:
    """The tiles of ``waits`` and of ``wait_scores``; returns how many hands are ready."""
    batch = Hands.from_hands(hands)
    scores = ev.wait_scores(batch, rules, errors="mark")
    waits = ev.waits(batch, rules, errors="mark")
    completes = np.maximum(scores.discard, scores.self_drawn) >= 0
    assert not scores.left[~completes].any()
    ready = 0
    for row, hand in enumerate(hands):
        if scores.reason[row]:
            if scores.reason[row] in REFUSED_BY_ALL:
                assert waits.shanten[row] == -128
            continue
        asked = waits.tiles[row] if waits.shanten[row] == 0 else np.zeros(34, bool)
        missed = completes[row] & ~asked
        assert not missed.any(), (str(hand), missed.nonzero())
        # what no copy is left of is accepted, but cannot be won on
        assert not waits.left[row][asked & ~completes[row]].any(), str(hand)
        assert (waits.left[row][completes[row]] == scores.left[row][completes[row]]).all()
        ready += int(completes[row].any())
    return ready


def check_discards(hands: list[Hand], rules: ev.Rules) -> None:
    """Each discard, asked of the hand after it."""
    for hand in hands:
        try:
            found = ev.discards(hand, rules)
        except ev.HandError:
            continue
        left = [tile for tile in range(34) if hand.concealed[tile]]
        after = []
        for tile in left:
            counts = list(hand.concealed)
            counts[tile] -= 1
            after.append(hand.replace(concealed=tuple(counts), win_tile=None))
        waits = ev.waits(Hands.from_hands(after), rules, errors="mark")
        told = waits.shanten != -128  # natural copies of the wild kind
        assert found.shanten[left][told].tolist() == waits.shanten[told].tolist(), str(hand)
        assert found.mask[left][told].tolist() == waits.mask[told].tolist(), str(hand)
        if waits.shanten.min() > -1 and told.all():
            assert waits.shanten.min() == max(ev.shanten(hand, rules), 0), str(hand)


def check_steps(hands: list[Hand], rules: ev.Rules) -> None:
    """A tile is accepted where shanten drops when it comes, but for what must be claimed."""
    for hand in hands:
        try:
            waits = ev.waits(hand, rules)
        except ev.HandError:
            continue
        opened = any(meld.kind != "concealed_kong" for meld in hand.melds)
        if "open" in rules.requires and not opened:
            # farther off it is a lower bound
            if waits.shanten == 1 or (waits.shanten == 2 and not rules.wilds.count):
                assert waits.mask, str(hand)
            continue
        wild = None
        if rules.wilds.kind == "next" and rules.wilds.count and hand.indicator is not None:
            wild = ev.wild_tile(hand.indicator)
        drops = 0
        for tile in range(rules.kinds):
            counts = list(hand.concealed)
            counts[tile] += 1
            try:
                if tile == wild:
                    if hand.wilds + sum(meld.wilds for meld in hand.melds) >= rules.wilds.count:
                        continue
                    after = ev.shanten(hand.replace(wilds=hand.wilds + 1), rules)
                else:
                    after = ev.shanten(hand.replace(concealed=tuple(counts)), rules)
            except ev.HandError:  # five copies
                drops |= waits.mask & 1 << tile if waits.left[tile] == 0 else 0
                continue
            drops |= (after < waits.shanten) << tile
        assert drops == waits.mask, str(hand)


def check(seed: int, hands_each: int = 40, deep: int = 6) -> tuple[int, int, int]:
    """One rule set and its hands; returns (hands, wins, ready hands)."""
    random = Random(seed)
    preset = random.random() < 0.25
    rules = ev.rules(random.choice(GAMES)) if preset else drawn_rules(random)
    slow = rules.wilds.virtual_fifth_copy or rules.requires or "一条龙" in ev.pattern_names(rules)
    hands = drawn_hands(random, rules, hands_each, 2 if slow else 4)
    known, won, _ = check_wins(hands, rules)
    check_patterns(hands[:deep], rules, known)
    waiting = [families.waiting(hand, random) for hand in hands if sum(hand.concealed) > 1]
    ready = check_waits(waiting, rules)
    check_steps(waiting[:deep], rules)
    check_discards(hands[: deep // 2], rules)
    return len(hands), int(won.sum()), ready


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_a_win_is_a_win_to_every_query(first: int) -> None:
    told = np.array([check(seed) for seed in range(first, first + 10)]).sum(axis=0)
    assert (told[1:] > 0.3 * told[0]).all(), told


# --- single answers ---


YIBIN = ev.rules("yibin")
FIFTH = YIBIN.replace(wilds={"virtual_fifth_copy": True})
OWN_SUIT = YIBIN.replace(wilds={"wild_ignores_suit": False})


def tiles(text: str) -> list[int]:
    return np.flatnonzero(ev.parse(text)).tolist()


@pytest.mark.parametrize("name", [name for name in GAMES if ev.rules(name).max_suits == 2])
def test_nothing_is_left_of_what_is_no_wait(name: str) -> None:
    hand = Hand.parse("2367899m456p678s")
    for asked in (hand, np.array(hand.concealed), Hands.from_hands([hand])):
        found = ev.wait_scores(asked, name)
        assert not found.left.any()
        assert (found.discard == -1).all()


def test_nothing_is_left_where_flags_forbid_the_win() -> None:
    """Of a robbed kong nobody holds another copy."""
    for rules, text in (
        ("guobiao", "123456789m11p23s|EE0001|0"),
        ("qq_sichuan", "123456789m1123p|EE0001|0"),
    ):
        found = ev.wait_scores(Hand.parse(text), rules)
        values = np.maximum(found.discard, found.self_drawn)
        assert not found.left[values < 0].any()


def test_a_wild_tile_as_fifth_copy() -> None:
    won = Hand.parse("3333m123456789s|EE1000|0|wilds=1,win=none")
    assert (ev.is_win(won, FIFTH), ev.shanten(won, FIFTH)) == (True, -1)
    assert (ev.is_win(won, YIBIN), ev.shanten(won, YIBIN)) == (False, 0)
    assert ev.pattern_shanten(won, FIFTH)["平胡"] == -1
    ready = ev.waits(Hand.parse("3333m12345678s|EE1000|0|wilds=1"), FIFTH)
    assert (ready.shanten, np.flatnonzero(ready.tiles).tolist()) == (0, tiles("369s"))
    assert ready.total == 10


def test_a_wild_tile_is_no_fifth_copy_of_a_meld() -> None:
    """[5555m] holds all there are."""
    hand = Hand.parse("[5555m,1]46m111222p3p|EE1000|0|wilds=1")
    won = Hand.parse("[5555m,1]46m111222p33p|EE1000|0|wilds=1,win=none")
    assert not ev.is_win(won, "yibin")
    with pytest.raises(ev.NotAWin):
        ev.score(won, "yibin")
    assert ev.is_win(won, FIFTH)
    assert ev.score(won, FIFTH).fan >= 0
    found = ev.waits(hand, "yibin")
    completes = ev.wait_scores(hand, "yibin").discard >= 0
    assert found.tiles.tolist() == completes.tolist() or found.shanten > 0


def test_the_suit_of_a_wild_tile() -> None:
    won = Hand.parse("55566m22234p|EE1000|0|wilds=4,indicator=7s,win=none")
    assert ev.is_win(won, YIBIN)
    assert not ev.is_win(won, OWN_SUIT)
    with pytest.raises(ev.NotAWin, match=r"tiles of 3 suits \(m, p, s\).*at most 2"):
        ev.score(won, OWN_SUIT)
    ready = Hand.parse("55566m2223p|EE1000|0|wilds=4,indicator=7s")
    assert ev.waits(ready, OWN_SUIT).shanten > 0
    assert ev.waits(ready, YIBIN).shanten == 0
    # it is none of the suits that a win must have: two wild tiles stand for 12s, or 5s for a pair
    needs = OWN_SUIT.replace(max_suits=3, requires=("all_suits",))
    lacks = Hand.parse("123456789m11222p|EE1000|0|indicator=6s,win=none")
    assert not ev.is_win(lacks, needs)
    there = Hand.parse("123456789m111p|EE1000|0|wilds=2,indicator=6p,win=none")
    assert ev.is_win(there, needs)
    assert ev.score(there, needs).fan >= 0
    one = Hand.parse("123456789m11122p|EE1000|0|indicator=6s,win=none")
    spared = one.replace(concealed=tuple(np.array(one.concealed) - ev.parse("2p")), wilds=1)
    assert not ev.is_win(spared, needs)
    with pytest.raises(ev.HandError) as told:
        ev.shanten(ev.parse("123456789m11p"), OWN_SUIT, wilds=3)
    assert told.value.reason == ev.Reason.NO_INDICATOR


def test_a_wild_tile_of_another_suit_is_said() -> None:
    hand = Hand.parse("123456789m147p|EE0000|0|wilds=2,win=none")
    assert not ev.is_win(hand, "yibin")
    with pytest.raises(ev.NotAWin) as told:
        ev.score(hand, "yibin")
    assert "tiles of 2 suits" not in str(told.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("457m1234888s|EE1000|0|wilds=4,indicator=3m,win=none", ev.Reason.NOT_IN_GAME),
        ("457m1234888s1s|EE1000|0|wilds=3,indicator=1z,win=none", ev.Reason.NOT_IN_GAME),
        ("3333m1234888s|EE1000|0|wilds=3,indicator=3m,win=none", ev.Reason.FIVE_COPIES),
    ],
)
def test_every_query_refuses_the_same(text: str, reason: ev.Reason) -> None:
    hand = Hand.parse(text)
    waiting = hand.replace(wilds=hand.wilds - 1)
    ready = ev.rules("yibin").ready_max_fan
    for query in (ev.is_win, ev.shanten, ev.discards, ev.score, ev.pattern_shanten):
        for asked in (hand, [hand], Hands.from_hands([hand])):
            with pytest.raises(ev.HandError) as told:
                query(asked, "yibin")
            assert told.value.reason == reason, query
    for query in (ev.waits, ev.wait_scores, lambda hand, _: ready(hand)):
        with pytest.raises(ev.HandError) as told:
            query(waiting, "yibin")
        assert told.value.reason == reason, query


def test_the_wild_kind_is_a_wait() -> None:
    hand = Hand.parse("123456789m11p23p|EE0000|0|indicator=5s")
    found = ev.waits(hand, "yibin")
    assert np.flatnonzero(found.tiles).tolist() == tiles("14p6s")
    assert found.left.tolist() == ev.wait_scores(hand, "yibin").left.tolist()
    seen = ev.waits(hand, "yibin", seen=ev.parse("66s"))
    assert seen.left[tiles("6s")[0]] == 2
    after = ev.discards(Hand.parse("123456789m11p239p|EE0000|0|indicator=5s"), "yibin")
    assert np.flatnonzero(after.tiles(tiles("9p")[0])).tolist() == tiles("14p6s")
    # also far from ready
    far = ev.waits(Hand.parse("159m159p2468m68p2p|EE0000|0|indicator=5s"), "yibin")
    assert far.tiles[tiles("6s")[0]]


def test_what_dandong_requires() -> None:
    ready = Hand.parse("[111z,1]123m456p78s99s")
    assert ev.waits(ready, "dandong").shanten == 0
    closed = Hand.parse("111z123m456p78s99s")
    assert ev.waits(closed, "dandong").shanten == 1
    won = Hand.parse("111z123m456p789s99s")
    assert not ev.is_win(won, "dandong")
    # a chow or pung claimed of it opens the hand
    assert ev.waits(closed, "dandong").tiles[tiles("9s")[0]]
    two_suits = Hand.parse("[111z,1]123m456m789m9s9s")
    assert not ev.is_win(two_suits, "dandong")
    assert ev.shanten(two_suits, "dandong") >= 0
    one_left = Hand.parse("[1111m][456p,1][789s,1][123s,1]9s9s")
    assert not ev.is_win(one_left, "dandong")
    with pytest.raises(ev.NotAWin):
        ev.score(one_left, "dandong")
    # melds that are only implied have what is asked
    assert ev.is_win(ev.parse("456p99s"), "dandong")


def test_a_ready_hand_with_wild_tiles_is_asked_suit_by_suit() -> None:
    hand = Hand.parse("112233445m|EE0000|0|wilds=4,indicator=1p")
    scores = ev.wait_scores(hand, "yibin")
    assert YIBIN.ready_max_fan(hand) == scores.discard.max()


def test_the_worth_of_a_fifth_copy() -> None:
    """Three of the five are a pung, or two of them the pair beside three chows."""
    yibin = YIBIN.replace(dead_wait="none")
    random, preset = Random(8), preset_of(yibin)
    of_five = 0
    texts = ("5555m12345678s|EE0000|0|wilds=1", "344555566m78s|EE0000|0|wilds=2", "1113445555667m")
    hands = [Hand.parse(text) for text in texts]
    for _ in range(40):
        tile, wilds = random.randrange(27), random.randrange(1, 3)
        near = [t for t in range(27) if t // 9 == tile // 9 and 0 < abs(t - tile) < 3]
        held = [tile] * 4 + random.sample(near * 4, 9 - wilds)
        counts = [held.count(t) for t in range(34)]
        hands.append(Hand(tuple(counts), wilds=wilds))
    least = yibin.replace(settlement={"dajiao": "min"})
    for hand in hands:
        for rules in (yibin, least):
            wanted = preset | {"settlement": rules.settlement.table(), "dead_wait": "none"}
            found = rules.ready_max_fan(hand)
            assert found == reference.ready_max_fan(hand, wanted), str(hand)
            of_five += found != reference.ready_max_fan(hand, wanted | {"dead_wait": "own4"})
    # it is all that the first waits for
    assert of_five >= 2
