"""Checks of scores, of waits with their scores, and of the distance to patterns."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import sichuan_reference
import strategies_guobiao
import strategies_sichuan
from guobiao_reference import score as plain_score
from test_guobiao import relabelled
from test_patterns import by_definition, drawn_hand, drawn_rules
from test_sichuan import assert_scored, preset_of, seen_beside

import evaluator as ev
from evaluator.errors import HandError, NotAWin, Reason
from evaluator.hands import Hand, Hands
from evaluator.scoring.guobiao.fan import fan_table

from .common import Array, Disagreement, asks_for_the_tile, random_of, same
from .hands import (
    MELD_TILES,
    drawn_hands,
    game_rules,
    guobiao_rules,
    shuffled_seen,
    whole,
    with_win_tiles,
)


def _won_batch(rng: np.random.Generator, n: int, rules: ev.Rules) -> Hands:
    """Hands of 14 with their melds, many of them wins, some won by flags."""
    suits = 3 if rules.max_suits == 3 else 2
    hands = drawn_hands(rng, n, rules.kinds, 2, suits=suits, chows=rules.chow_melds)
    hands = with_win_tiles(rng, whole(hands))
    flags = rng.choice([0, 0, 1, 1, 2, 4, 5, 8, 9, 13, 16, 33, 65], size=len(hands))
    return replace(hands, flags=flags)


def score_relations(seed: str, n: int) -> int:
    """A win is what has a score; suits and ends are alike; threads and places change nothing."""
    random, rng = random_of(seed)
    rules = random.choice((game_rules, game_rules, guobiao_rules))(random)
    hands = _won_batch(rng, n, rules)
    found = ev.score(hands, rules, errors="mark", threads=1)
    fan = found.fan
    fine = np.isin(found.reason, (0, Reason.NOT_A_WIN, Reason.TOO_MANY_SUITS))
    won = ev.is_win(hands, rules)
    same("is_win and score", hands[fine], won[fine], found.reason[fine] == 0, about=rules.name)
    again = ev.score(hands, rules, errors="mark", threads=7)
    back = ev.score(hands[::-1], rules, errors="mark", threads=2)
    again = pickle.loads(pickle.dumps(again))
    names = [
        "total",
        "fan",
        "points",
        "payment",
        "pattern",
        "gens",
        "kongs",
        "addons",
        "minimum_met",
        "reason",
    ]
    for name in filter(lambda name: hasattr(found, name), names):
        same(f"score.{name}", hands, getattr(again, name), getattr(found, name))
        same(f"score.{name} backwards", hands, getattr(back, name)[::-1], getattr(found, name))
    order = rng.permutation(3)
    tiles = np.concatenate([(9 * order[:, None] + np.arange(9)).reshape(-1), np.arange(27, 34)])
    if random.random() < 0.5:
        tiles[:27] = tiles[:27] // 9 * 9 + 8 - tiles[:27] % 9
    turned = ev.score(relabelled(hands, tiles.tolist()), rules, errors="mark")
    keep = np.ones(len(hands), bool)
    if rules.fan_table:  # 绿一色 and 推不倒 name their tiles
        counts = ev.score(hands, rules, errors="mark", detail=True)
        other = ev.score(relabelled(hands, tiles.tolist()), rules, errors="mark", detail=True)
        special = [found.names.index(name) for name in ("绿一色", "推不倒")]
        keep = ~(counts.counts | other.counts)[:, special].any(1)
        sums = (counts.counts.astype(np.int64) * _values(rules)).sum(1)
        same("sum of the fan", hands, np.where(found.reason == 0, sums, -1), found.fan)
    values = turned.fan
    same("relabelled score", hands[keep], values[keep], fan[keep], about=rules.name)
    for row in rng.integers(len(hands), size=min(60, len(hands))).tolist():
        try:
            hand = hands[row]
        except HandError:
            if fine[row]:
                raise Disagreement(f"row {row} has a score and is no hand") from None
            continue
        try:
            one = ev.score(hand, rules)
            value = one.fan
            reason = 0
            _same_score(hand, one, found, row, rules)
        except NotAWin:
            value, reason = -1, found.reason[row]
            if fine[row] and found.reason[row] == 0:
                raise Disagreement(f"{hand} is no win alone, {fan[row]} in a batch") from None
        except HandError as error:
            value, reason = -1, error.reason
        if value != fan[row] or reason != found.reason[row]:
            raise Disagreement(f"{rules.name} {hand}: alone {value} {reason}, in a batch "
                               f"{fan[row]} {found.reason[row]}")  # fmt: skip
    return len(hands)


def _with_wilds(rng: np.random.Generator, hands: Hands, most: int) -> Hands:
    """Some concealed tiles, not the winning one, replaced by wild tiles."""
    counts = hands.concealed.copy()
    every = np.arange(len(hands))
    counts[every, hands.win_tile] -= 1
    wanted = rng.integers(most + 1, size=len(hands))
    wilds = np.zeros(len(hands), np.uint8)
    for step in range(most):
        luck = rng.random(counts.shape) * counts
        tile = luck.argmax(1)
        rows = np.flatnonzero((counts.sum(1) > 0) & (wanted > step))
        counts[rows, tile[rows]] -= 1
        wilds[rows] += 1
    counts[every, hands.win_tile] += 1
    return replace(hands, concealed=counts, wilds=wilds)


def wild_scores(seed: str, n: int) -> int:
    """A wild tile is worth the best tile it can stand for; rows, threads and places as ever."""
    random, rng = random_of(seed)
    count = random.randint(1, 3)
    fan = random.choice((-1, 0, 2))
    wilds = {"count": 8, "kind": "extra", "wild_fan": fan, "wild_counts_for_gen": True}
    wilds |= {"indicator_pung": 0, "wild_ignores_suit": True}
    rules = game_rules(random, wilds=wilds).replace(requires=())
    hands = drawn_hands(rng, 40 * n, 27, 2, suits=random.randint(1, 2), chows=rules.chow_melds)
    hands = with_win_tiles(rng, whole(hands))
    away = ev.shanten(hands, rules)
    near = np.flatnonzero(away <= rng.integers(-1, 3, size=len(hands)))[: min(n, 120)]
    hands = _with_wilds(rng, hands[near], count)
    found = ev.score(hands, rules, errors="mark", threads=1)
    back = ev.score(hands[::-1], rules, errors="mark", threads=7)
    same("backwards", hands, back.fan[::-1], found.fan, about=rules.name)
    fine = np.isin(found.reason, (0, Reason.NOT_A_WIN, Reason.TOO_MANY_SUITS))
    owned = hands.concealed + hands.meld_counts()
    rows = np.flatnonzero((hands.wilds > 0) & fine)
    some, best = hands[rows], np.full(len(rows), np.iinfo(np.int64).min)
    for tile in range(27):
        counts = some.concealed.copy()
        counts[:, tile] += 1
        fewer = replace(some, concealed=counts, wilds=some.wilds - 1)
        scores = ev.score(fewer, rules, errors="mark")
        won = (scores.reason == 0) & (owned[rows, tile] < 4)
        value = scores.fan.astype(np.int64) - np.where(some.wilds > 1, fan, 0)
        best = np.maximum(best, np.where(won, value, np.iinfo(np.int64).min))
    expected = np.where(best > np.iinfo(np.int64).min, best + fan, -1)
    same("the best substitute", some, found.fan[rows], expected, about=repr(rules))
    for row in rng.integers(len(hands), size=min(20, len(hands))).tolist():
        one = ev.score(hands[row], rules, errors="mark")
        if (one.fan, one.reason) != (found.fan[row], found.reason[row]):
            raise Disagreement(f"{rules!r} {hands[row]}: {one.fan} alone, {found.fan[row]}")
    return len(hands)


def _same_score(hand: Hand, one: object, found: object, row: int, rules: ev.Rules) -> None:
    """All that the score of one hand says, as the batch says it."""
    if rules.fan_table:
        detail = ev.score([hand], rules, detail=True)
        pairs = [(set(one.parts), set(detail.parts(0))), (one.minimum_met, found.minimum_met[row])]
    else:
        pairs = [(one.patterns, found.patterns(row))]
        pairs += [
            (getattr(one, name), getattr(found, name)[row])
            for name in ("points", "payment", "gens", "kongs", "addons", "minimum_met")
        ]
    for ours, theirs in pairs:
        if ours != theirs:
            raise Disagreement(f"{rules.name} {hand}: alone {ours}, in a batch {theirs}")


def _values(rules: ev.Rules) -> Array:
    values = np.zeros(82, np.int64)
    for fan in fan_table(rules).fans:
        values[fan.column] = fan.value
    return values


def wait_relations(seed: str, n: int) -> int:
    """Every entry of wait_scores is the score of the completed hand."""
    random, rng = random_of(seed)
    rules = random.choice((game_rules, guobiao_rules))(random)
    suits = 3 if rules.max_suits == 3 else 2
    hands = whole(drawn_hands(rng, n, rules.kinds, 1, suits=suits, chows=rules.chow_melds))
    away = ev.shanten(hands, rules)
    hands = hands[np.flatnonzero((away <= 0) | (rng.random(len(hands)) < 0.1))]
    if not len(hands):
        return 0
    flags = rng.choice([0, 0, 0, 1, 2, 4, 8, 16], size=len(hands))
    hands = replace(hands, flags=flags)
    owned = hands.concealed + MELD_TILES[hands.melds].sum(1, dtype=np.uint8)
    seen = shuffled_seen(rng, owned)
    found = ev.wait_scores(hands, rules, seen=seen, threads=random.choice((1, 2, 7)))
    shape = ev.waits(hands, rules)
    winning = np.zeros((len(hands), 34), bool)
    for tile in range(rules.kinds):
        rows = np.flatnonzero(owned[:, tile] < 4)
        if not len(rows):
            continue
        counts = hands.concealed[rows].copy()
        counts[:, tile] += 1
        last = (owned[rows, tile] + seen[rows, tile] >= 3) & (hands.concealed[rows, tile] == 0)
        for drawn, ours in ((0, found.discard), (1, found.self_drawn)):
            some = replace(
                hands[rows],
                concealed=counts,
                win_tile=np.full(len(rows), tile, np.uint8),
                flags=hands.flags[rows] & ~np.uint16(1) | drawn | last * np.uint16(2),
            )
            scores = ev.score(some, rules, errors="mark")
            value = scores.fan
            about = f"{rules.name} tile {tile} drawn {drawn}"
            same("wait_scores", hands[rows], ours[rows, tile], value, about=about)
            same("wait_scores.minimum_met", hands[rows], found.minimum_met[rows, tile, drawn],
                 scores.minimum_met, about=about)  # fmt: skip
            winning[rows, tile] |= (scores.reason == 0) | (scores.reason == Reason.IMPOSSIBLE_FLAGS)
        full = np.flatnonzero(owned[:, tile] == 4)
        for ours in (found.discard, found.self_drawn):
            same("a fifth copy", hands[full], ours[full, tile], np.full(len(full), -1))
    reached = found.minimum_met.any(-1)
    worth = ev.waits(hands, rules, seen=seen, minimum=True)
    ready = shape.shanten == 0
    same("waits of the minimum", hands[ready], worth.tiles[ready], reached[ready], about=rules.name)
    if rules.patterns:
        most = rules.ready_max_fan(hands, seen, threads=7)
        for row in rng.integers(len(hands), size=10).tolist():
            one = rules.ready_max_fan(hands[row], seen[row])
            if one != most[row]:
                raise Disagreement(f"ready_max_fan {rules!r} {hands[row]}: {one} and {most[row]}")
    for row in rng.integers(len(hands), size=10).tolist():
        one = ev.wait_scores(hands[row], rules, seen=seen[row])
        for name in ("discard", "self_drawn", "minimum_met", "left"):
            same(f"wait_scores.{name} alone", hands[[row]], getattr(one, name)[None],
                 getattr(found, name)[[row]], about=rules.name)  # fmt: skip
    plain = hands.flags & ~np.uint16(1) == 0
    scored = (found.discard >= 0) | (found.self_drawn >= 0)
    # with no flag in the way only tiles that complete the hand have copies left
    open_ = scored | (~plain[:, None] & (found.left > 0))
    left = np.where(open_, 4 - owned.astype(np.int64) - seen, 0)
    same("wait_scores.left", hands, found.left, left, about=rules.name)
    if not rules.requires:
        ready = (shape.shanten == 0)[:, None] & shape.tiles & (owned < 4)
        same("waits and wait_scores", hands[plain], scored[plain], ready[plain], about=rules.name)
    return len(hands)


def sichuan(seed: str, n: int) -> int:
    """Scores, waits and 查大叫 under rule sets with patterns, against the plain scorer."""
    random, _ = random_of(seed)
    n = min(n, 300)
    wilds = random.random() < 0.15
    rules = game_rules(random, wilds=wilds)
    families = strategies_sichuan
    if wilds:
        some = families.WILD
        n = min(n, 30)
    elif rules.kinds == 34:
        some = (families.dandong,)
    else:
        some = (*families.FAMILIES, *((families.chow_melds,) if rules.chow_melds else ()))
    hands = [random.choice(some)(random) for _ in range(n)]
    if asks_for_the_tile(rules):
        hands = [hand for hand in hands if hand.win_tile is not None]
    if wilds and rules.wilds.kind == "next":
        hands = [hand for hand in hands if hand.indicator is not None]
    assert_scored(hands, rules)
    if wilds:
        return len(hands)
    waiting = [
        families.waiting(hand, random)
        for hand in hands[: n // 4]
        if rules.chow_melds or all(meld.kind != "chow" for meld in hand.melds)
    ]
    if not waiting:
        return len(hands)
    batch, preset = Hands.from_hands(waiting), preset_of(rules)
    seen = seen_beside(waiting, random)
    found = ev.wait_scores(batch, rules, seen=seen)
    most = rules.ready_max_fan(batch, seen)
    for row, hand in enumerate(waiting):
        beside = seen[row].tolist()
        discard, drawn = sichuan_reference.wait_scores(hand, preset, beside)
        dearest = sichuan_reference.ready_max_fan(hand, preset, beside)
        for name, ours, theirs in (
            ("discard", found.discard[row].tolist(), discard),
            ("self_drawn", found.self_drawn[row].tolist(), drawn),
            ("ready_max_fan", int(most[row]), dearest),
        ):
            if ours != theirs:
                raise Disagreement(f"{name} {rules!r} {hand}: {ours} against {theirs}")
    return len(hands) + len(waiting)


def guobiao(seed: str, n: int) -> int:
    """Totals against PyMahjongGB, where it is installed, and the plain scorer on a few."""
    random, _ = random_of(seed)
    kind = random.choice(strategies_guobiao.KINDS_OF_HANDS)
    cases = [kind(random) for _ in range(min(n, 3000))]
    hands = strategies_guobiao.to_hands(cases)
    found = ev.score(hands, "guobiao", detail=True)
    try:
        from MahjongGB import MahjongFanCalculator as calculate
    except ImportError:
        cases = cases[:200]
    else:
        # it knows no dealt hand, whose last tile decides nothing
        rows = [row for row, case in enumerate(cases) if "heavenly" not in case.flags]
        theirs = [
            sum(points for points, _ in calculate(*strategies_guobiao.to_mahjonggb(cases[row])))
            for row in rows
        ]
        same("PyMahjongGB", hands[rows], found.fan[rows], theirs)
    for name in ("guobiao", "guobiao_1998"):
        rows = random.sample(range(len(cases)), min(len(cases), 60))
        ours = ev.score(hands[rows], name)
        right = [plain_score(cases[row], name) for row in rows]
        same("total", hands[rows], ours.fan, [one.total for one in right], about=name)
        same("minimum", hands[rows], ours.minimum_met, [one.minimum_met for one in right])
    return len(cases)


def patterns(seed: str, n: int) -> int:
    """The distance to each pattern: by definition on a few, by its relations on all."""
    random, rng = random_of(seed)
    choice = random.random()
    rules = game_rules(random) if choice < 0.4 else (
        drawn_rules(random) if choice < 0.7 else guobiao_rules(random)
    )  # fmt: skip
    about = rules.name
    for _ in range(2 if rules.fan_table else 4):
        hand = drawn_hand(random, rules.kinds)
        while not rules.chow_melds and any(meld.kind == "chow" for meld in hand.melds):
            hand = drawn_hand(random, rules.kinds)
        void = None if rules.kinds == 34 else random.choice((None, None, 0, 1, 2))
        ours = ev.pattern_shanten(hand, rules, void=void)
        theirs = by_definition(hand, rules, void)
        if not ev.is_win(hand, rules):  # the definition reads the tiles, not what the game requires
            theirs = {name: steps if steps >= 0 else 0 for name, steps in theirs.items()}
        if ours != theirs:
            off = {name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]}
            raise Disagreement(f"pattern_shanten {about} {hand} void {void}: {off}")
    if not ev.pattern_names(rules):
        return 6
    n = min(n, 20_000)
    hands = drawn_hands(rng, n, rules.kinds, 1, chows=rules.chow_melds)
    found = ev.pattern_shanten(hands, rules).astype(np.int64)
    again = ev.pattern_shanten(hands, rules, threads=7)
    same("threads", hands, again, found, about=about)
    steps = ev.shanten(hands, rules).astype(np.int64)
    if rules.requires:  # only the last step counts what the game requires
        steps = np.minimum(steps, 0)
    same("no pattern before a win", hands, (found < steps[:, None]).any(1), np.zeros(n, bool),
         about=about)  # fmt: skip
    tile = int(rng.integers(rules.kinds))
    owned = hands.concealed + MELD_TILES[hands.melds].sum(1, dtype=np.uint8)
    rows = np.flatnonzero(owned[:, tile] < 4)
    counts = hands.concealed[rows].copy()
    counts[:, tile] += 1
    after = ev.pattern_shanten(replace(hands[rows], concealed=counts), rules).astype(np.int64)
    before = found[rows]
    off = np.where((before == 127) | (after == 127), before != after, np.abs(after - before) > 1)
    same("a tile is one step", hands[rows], off, np.zeros_like(off), about=f"{about} {tile}")
    plain = np.flatnonzero((hands.melds == 0).all(1))
    wild = ev.pattern_shanten(hands.concealed[plain], rules, wilds=1).astype(np.int64)
    expected = np.where(found[plain] == 127, 127, np.maximum(found[plain] - 1, -1))
    if rules.requires and rules.kinds == 34:  # such a game has no wild tiles to score
        expected, wild = np.maximum(expected, 0), np.maximum(wild, 0)
    elif rules.requires:
        lost = ~ev.is_win(hands.concealed[plain], rules, wilds=1)
        expected[lost] = np.maximum(expected[lost], 0)
    same("a wild tile", hands[plain], wild, expected, about=about)
    return n


def passing(seed: str, n: int) -> int:
    """Whether a seat may win, by the fan of the win and of those it passed."""
    random, _ = random_of(seed)
    rules = ev.rules(random.choice([name for name in ev.rules() if ev.rules(name).patterns]))
    if asks_for_the_tile(rules) or rules.wilds.count:
        rules = ev.rules("qq_sichuan")
    rule = rules.settlement.pass_rule
    for _ in range(min(n, 40)):
        hand = strategies_sichuan.ready(random)
        waits = ev.wait_scores(hand, rules)
        for tile in range(27):
            others = random.sample(range(27), random.randint(0, 2))
            drawn = random.random() < 0.2
            column = waits.self_drawn if drawn else waits.discard
            passed = [int(waits.discard[other]) for other in others]
            most = max((fan for fan in passed if fan >= 0), default=None)
            expected = column[tile] >= 0 and (
                drawn
                or most is None
                or rule == "none"
                or ("unless_higher" in rule and column[tile] > most)
            )
            ours = ev.may_win(hand.replace(self_drawn=drawn), tile, others, rules)
            if ours != bool(expected):
                raise Disagreement(f"may_win {rules.name} {hand} {tile} after {others}: {ours}")
    return min(n, 40) * 27
