"""Scoring of the Sichuan family in plain Python: slow, and obviously right.

Written from the rule text alone. A rule set is a dict in the vocabulary of
``golden/sichuan/presets.json``. Every reading of a hand is enumerated (what its wild tiles
stand for, the division, the block that holds the winning tile), each with the facts that
a pattern may require of it; the score is the best of them. Nothing here knows the
package's tables, kernels or rule files.

Tiles are 0-33 in mpsz order, a hand is a :class:`Case` or the package's ``Hand``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations_with_replacement
from typing import Any

from evaluator.hands import FLAGS, Hand

KINDS, SUITED, COPIES = 34, 27, 4
DRAGONS = (31, 32, 33)
Preset = dict[str, Any]
Set = tuple[str, int]

SITUATIONS = ("self_drawn", "heavenly", "earthly")
"""Win flags that are facts for patterns under their own name."""


@dataclass(frozen=True)
class Case:
    """A hand; ``melds`` are (kind, lowest tile) with wilds read as what they stand for.

    Unlike a ``Hand`` it can hold a tile five times. ``natural`` are the tiles among which
    roots are looked for, where wild tiles make none.
    """

    concealed: tuple[int, ...]
    melds: tuple[Set, ...] = ()
    win: int | None = None
    flags: frozenset[str] = frozenset()
    dealer: bool = True
    wilds: int = 0
    meld_wilds: tuple[int, ...] = ()
    indicator: int | None = None
    natural: tuple[int, ...] | None = None

    @classmethod
    def of(cls, hand: Hand | Case) -> Case:
        if isinstance(hand, Case):
            return hand
        return cls(
            hand.concealed,
            tuple((meld.kind, meld.tile) for meld in hand.melds),
            hand.win_tile,
            frozenset(name for name in FLAGS if getattr(hand, name)),
            hand.seat_wind == 0,
            hand.wilds,
            tuple(meld.wilds for meld in hand.melds),
            hand.indicator,
        )

    @property
    def owned(self) -> list[int]:
        """Counts with the melds, their wilds read as what they stand for."""
        held = list(self.concealed)
        for tile in chain.from_iterable(meld_tiles(*meld) for meld in self.melds):
            held[tile] += 1
        return held

    @property
    def owned_naturally(self) -> list[int]:
        """Counts with the natural tiles of the melds."""
        held = self.owned
        for (_, tile), wilds in zip(self.melds, self.meld_wilds, strict=False):
            held[tile] -= wilds
        return held

    @property
    def all_wilds(self) -> int:
        return self.wilds + sum(self.meld_wilds)


def meld_tiles(kind: str, tile: int) -> tuple[int, ...]:
    if kind == "chow":
        return (tile, tile + 1, tile + 2)
    return (tile,) * {"pung": 3, "kong": 4, "concealed_kong": 4, "pair": 2}[kind]


def is_outer(tile: int) -> bool:
    """A terminal or an honour."""
    return tile >= SUITED or tile % 9 in (0, 8)


def suits_of(counts: Sequence[int]) -> set[int]:
    return {tile // 9 for tile, n in enumerate(counts[:SUITED]) if n}


# --- divisions ---


@lru_cache(1 << 16)
def _sets(counts: tuple[int, ...], suited: bool) -> tuple[tuple[Set, ...], ...]:
    """Every division of one suit (or the honours) into pungs and chows."""
    lowest = next((at for at, n in enumerate(counts) if n), None)
    if lowest is None:
        return ((),)
    found = []
    for kind in ("pung", "chow"):
        if kind == "chow" and (not suited or lowest > 6):
            continue
        rest = list(counts)
        for at in meld_tiles(kind, lowest):
            rest[at] -= 1
        if min(rest) >= 0:
            found += [((kind, lowest), *others) for others in _sets(tuple(rest), suited)]
    return tuple(found)


@lru_cache(1 << 16)
def _blocks(counts: tuple[int, ...], suited: bool) -> tuple[tuple[Set, ...], ...]:
    """Every division of one suit (or the honours) into sets and at most one pair."""
    if sum(counts) % 3 == 0:
        return _sets(counts, suited)
    found = []
    for pair, count in enumerate(counts):
        if count >= 2:
            rest = tuple(n - 2 * (at == pair) for at, n in enumerate(counts))
            found += [(*sets, ("pair", pair)) for sets in _sets(rest, suited)]
    return tuple(found)


def divide(counts: Sequence[int]) -> Iterator[tuple[tuple[Set, ...], int]]:
    """Every division into sets and one pair, as (sets, tile of the pair)."""
    if sum(sum(counts[first : first + 9]) % 3 for first in (0, 9, 18, 27)) != 2:
        return
    found: list[tuple[Set, ...]] = [()]
    for first in (0, 9, 18, 27):
        here = _blocks(tuple(counts[first : first + 9]), first < SUITED)
        found = [
            (*blocks, *((kind, tile + first) for kind, tile in more))
            for blocks in found
            for more in here
        ]
    for blocks in found:
        pairs = [tile for kind, tile in blocks if kind == "pair"]
        if len(pairs) == 1:
            yield tuple(block for block in blocks if block[0] != "pair"), pairs[0]


# --- readings ---


@dataclass(frozen=True)
class Reading:
    """One way to read a complete hand: its sets (melds first), its pair, what is true of it."""

    sets: tuple[Set, ...]
    pair: int | None
    facts: frozenset[str]


def kongs_of(case: Case) -> list[int]:
    return [tile for kind, tile in case.melds if "kong" in kind]


def roots_of(case: Case) -> list[int]:
    """Tiles of which the whole hand holds four, but not as a kong."""
    kongs = kongs_of(case)
    held = case.owned if case.natural is None else case.natural
    return [tile for tile, n in enumerate(held) if n >= COPIES and tile not in kongs]


def by_rank(tile: int) -> int:
    return tile % 9


RANKS = (
    ("quanda", 7, 9), ("quanzhong", 4, 6), ("quanxiao", 1, 3), ("dayuwu", 6, 9),
    ("xiaoyuwu", 1, 4),
)  # fmt: skip


def facts_of_hand(case: Case) -> set[str]:
    """What is true however the hand is divided."""
    owned = case.owned
    tiles = [tile for tile, n in enumerate(owned) if n]
    facts = {name for name in SITUATIONS if name in case.flags}
    if "self_drawn" not in case.flags:
        facts.add("claimed")
    if "last_tile" in case.flags:
        facts.add("juezhang")
    if case.dealer:
        facts.add("dealer")
    if len(suits_of(owned)) == 1 and not any(owned[SUITED:]):
        facts.add("flush")
    if roots_of(case):
        facts.add("hasgen")
    if len(kongs_of(case)) == 4:
        facts.add("luohan")
    if all(kind == "concealed_kong" for kind, _ in case.melds):
        facts.add("menqing")
    if not any(is_outer(tile) for tile in tiles):
        facts.add("zhongzhang")
    low, high = (tile % 9 + 1 for tile in (min(tiles, key=by_rank), max(tiles, key=by_rank)))
    if max(tiles) < SUITED:
        for name, first, last in RANKS:
            if first <= low and high <= last:
                facts.add(name)
    return facts


def facts_of_division(melds: int, sets: Sequence[Set], pair: int) -> set[str]:
    """What is true of four sets and a pair."""
    facts = {"std"}
    blocks = [*sets, ("pair", pair)]
    if all(any(is_outer(tile) for tile in meld_tiles(*block)) for block in blocks):
        facts.add("yaojiu")
    if all(any(is_outer(tile) for tile in meld_tiles(*block)) for block in sets):
        facts.add("yaojiu_sets")
    if all(kind != "chow" for kind, _ in sets):
        facts.add("pungs")
        if all(tile < SUITED and tile % 9 in (1, 4, 7) for _, tile in blocks):
            facts.add("jiang")
        # the one tile beside four melds waits for its pair
        if melds == 4:
            facts.add("jingou")
    if any({("chow", first + low) for low in (0, 3, 6)} <= set(sets) for first in (0, 9, 18)):
        facts.add("yitiaolong")
    return facts


def places(melds: int, sets: Sequence[Set], pair: int, win: int | None) -> Iterator[set[str]]:
    """What each block that can hold the winning tile makes true."""
    if win is None:
        yield set()
        return
    if win == pair:
        yield {"dandiao"}
    for kind, tile in sets[melds:]:
        if win not in meld_tiles(kind, tile):
            continue
        facts = set()
        if kind == "chow" and win == tile + 1:
            facts.add("jiaxin")
            if win % 9 == 4:
                facts.add("jiaxinwu")
        if kind == "chow" and (tile % 9, win - tile) in ((0, 2), (6, 0)):
            facts.add("bianzhang")
        yield facts


@lru_cache(1 << 14)
def _readings(case: Case) -> tuple[Reading, ...]:
    found = []
    of_hand = facts_of_hand(case)
    for some, pair in divide(case.concealed):
        sets = (*case.melds, *some)
        if len(sets) != 4:
            continue
        of_division = facts_of_division(len(case.melds), sets, pair)
        for of_place in places(len(case.melds), sets, pair, case.win):
            found.append(Reading(sets, pair, frozenset(of_hand | of_division | of_place)))
    if sum(case.concealed) == 14 and all(n % 2 == 0 for n in case.concealed):
        of_place = {"dandiao"} if case.win is not None else set()
        found.append(Reading((), None, frozenset({"seven"} | of_hand | of_place)))
    return tuple(found)


def readings(hand: Hand | Case) -> tuple[Reading, ...]:
    """Every reading of a complete hand without wild tiles; none of one that is not complete."""
    return _readings(Case.of(hand))


# --- what wild tiles may stand for ---


def _free_sets(kinds: int) -> list[Set]:
    chows = [("chow", tile) for tile in range(SUITED) if tile % 9 <= 6]
    return [*(("pung", tile) for tile in range(kinds)), *chows]


@lru_cache(1 << 12)
def _fillings(
    counts: tuple[int, ...], wilds: int, sets: int, pair: int, kinds: int
) -> frozenset[tuple[int, ...]]:
    """Every choice of tiles for the wilds (sorted) that gives ``sets`` sets and ``pair`` pairs.

    The lowest natural tile is in some block. Which of its tiles are natural and which wild
    cannot be told apart afterwards, so a block takes natural ones as far as there are.
    """
    if 3 * sets + 2 * pair != sum(counts) + wilds:
        return frozenset()
    lowest = next((tile for tile, n in enumerate(counts) if n), None)
    found = set()
    if lowest is None:
        for chosen in combinations_with_replacement(_free_sets(kinds), sets):
            free = [tile for block in chosen for tile in meld_tiles(*block)]
            for eyes in range(kinds) if pair else (None,):
                found.add(tuple(sorted([*free, *((eyes, eyes) if pair else ())])))
        return frozenset(found)
    blocks = [block for block in _free_sets(kinds) if lowest in meld_tiles(*block)] if sets else []
    if pair:
        blocks.append(("pair", lowest))
    for block in blocks:
        rest, missing = list(counts), []
        for tile in meld_tiles(*block):
            if rest[tile]:
                rest[tile] -= 1
            else:
                missing.append(tile)
        if len(missing) <= wilds:
            is_pair = block[0] == "pair"
            for more in _fillings(
                tuple(rest), wilds - len(missing), sets - (not is_pair), pair - is_pair, kinds
            ):
                found.add(tuple(sorted([*missing, *more])))
    return frozenset(found)


def substitutions(case: Case, kinds: int) -> set[tuple[int, ...]]:
    """Every choice of tiles for the concealed wilds that makes the hand complete."""
    found = set(_fillings(case.concealed, case.wilds, 4 - len(case.melds), 1, kinds))
    odd = [tile for tile, n in enumerate(case.concealed) if n % 2]
    left = case.wilds - len(odd)
    if sum(case.concealed) + case.wilds == 14 and left >= 0:
        for pairs in combinations_with_replacement(range(kinds), left // 2):
            found.add(tuple(sorted([*odd, *pairs, *pairs])))
    return found


def substituted(case: Case, preset: Preset) -> Iterator[Case]:
    """The complete hands without wilds that the hand may stand for."""
    if not case.all_wilds:
        yield case
        return
    wild_rules = preset["wilds"]
    natural = None if wild_rules["wild_counts_for_gen"] else tuple(case.owned_naturally)
    for chosen in substitutions(case, preset["kinds"]):
        counts = list(case.concealed)
        for tile in chosen:
            counts[tile] += 1
        meant = replace(case, concealed=tuple(counts), wilds=0, natural=natural)
        standing = zip(meant.owned, case.owned_naturally, strict=True)
        fifth = any(n > COPIES and n > there for n, there in standing)
        if wild_rules["virtual_fifth_copy"] or not fifth:
            yield meant


def next_of_suit(tile: int) -> int:
    """The wild tile of an indicator: the next rank of the same suit, 1 after 9."""
    return tile // 9 * 9 + (tile + 1) % 9


# --- the score ---


def refusal(case: Case, preset: Preset) -> str | None:
    """Why the rules do not know the hand; None if they do."""
    if any(case.owned[preset["kinds"] :]):
        return "NOT_IN_GAME"
    if not preset["chow_melds"] and any(kind == "chow" for kind, _ in case.melds):
        return "MELD_NOT_ALLOWED"
    if case.all_wilds > preset.get("wilds", {}).get("count", 0):
        return "TOO_MANY_WILDS"
    if {"earthly", "self_drawn"} & case.flags == {"earthly"}:
        return None if preset.get("earthly_on_discard") else "IMPOSSIBLE_FLAGS"
    return None


def suits_of_wilds(case: Case, preset: Preset) -> set[int]:
    """The suit printed on the wild tiles, where it counts for 缺门."""
    if not case.all_wilds or case.indicator is None or preset["wilds"]["wild_ignores_suit"]:
        return set()
    return {next_of_suit(case.indicator) // 9}


def may_win(case: Case, reading: Reading, preset: Preset) -> bool:
    """What the rules ask of a complete hand, 缺门 apart."""
    if "seven" in reading.facts and not preset["seven_pairs"]:
        return False
    triplet = any(kind != "chow" for kind, _ in reading.sets)
    holds = {
        "all_suits": len(suits_of(case.owned)) == 3,
        "triplet_or_dragon_pair": triplet or reading.pair in DRAGONS,
        "terminal": "zhongzhang" not in reading.facts,
        "open": "menqing" not in reading.facts,
        "hand_one_only_pungs": len(case.melds) < 4 or "pungs" in reading.facts,
    }
    return all(holds[name] for name in preset.get("requires", ()))


def addons_of(flags: frozenset[str], addons: dict[str, int]) -> int:
    """Fan of how the hand is won."""
    drawn = "self_drawn" in flags
    total = 0
    if "kong" in flags:
        total += addons["gangshanghua" if drawn else "qianggang"]
    if "kong_discard" in flags:
        total += addons["gangshangpao"]
    if "wall_last" in flags:
        total += addons["haidi_self" if drawn else "haidi_discard"]
    return total


def wild_fan_of(case: Case, preset: Preset) -> int:
    """What wild tiles take away, and three of the indicator give."""
    if "wilds" not in preset:
        return 0
    fan = preset["wilds"]["wild_fan"] if case.all_wilds else 0
    if case.indicator is not None and case.owned_naturally[case.indicator] >= 3:
        fan += preset["wilds"]["indicator_pung"]
    return fan


def chosen_patterns(facts: frozenset[str], preset: Preset) -> list[tuple[str, int]]:
    """Of each group the matching pattern of the largest net value, as (name, net value)."""
    groups: dict[int, list[tuple[str, int, int]]] = {}
    for name, pattern in preset["patterns"].items():
        if set(pattern["req"]) <= facts:
            net = pattern["value"] - pattern["eat"] * preset["gen"]
            groups.setdefault(pattern["group"], []).append((name, net, pattern["value"]))
    # of equals the first of the table
    best = [max(groups[group], key=lambda row: row[1:]) for group in sorted(groups)]
    return [(name, net) for name, net, _ in best]


def points_of(fan: int, preset: Preset) -> int:
    if preset["cap"] is not None:
        fan = min(fan, preset["cap"])
    if preset["mode"] in ("linear", "product"):
        return preset["base"] * fan
    return math.floor(preset["base"] * Fraction(2) ** (fan - preset["offset"]))


def payment_of(fan: int, self_drawn: bool, preset: Preset) -> int:
    """What one payer pays."""
    points = points_of(fan, preset)
    if not self_drawn:
        return points * (3 if preset["settlement"]["discard_pays"] == "discarder_for_all" else 1)
    if preset["zimo"] == "jiadi":
        paid = points + preset["base"]
        capped = preset["cap"] is not None and preset.get("cap_self_draw")
        return min(paid, points_of(preset["cap"], preset)) if capped else paid
    return points_of(fan + 1, preset) if preset["zimo"] == "jiafan" else points


def score(hand: Hand | Case, preset: Preset) -> dict[str, Any] | str:
    """The best score of a hand, or why it has none.

    ``choices`` are all (patterns, gens) that give the same fan.
    """
    case = Case.of(hand)
    reason = refusal(case, preset)
    if reason:
        return reason
    reason = "NOT_A_WIN"
    addons = addons_of(case.flags, preset["addons"]) + wild_fan_of(case, preset)
    kongs = len(kongs_of(case))
    of_wilds = suits_of_wilds(case, preset)
    found: list[tuple[int, tuple[str, ...], int]] = []
    for meant in substituted(case, preset):
        gens = len(roots_of(meant))
        for reading in readings(meant):
            if not may_win(meant, reading, preset):
                continue
            if len(suits_of(meant.owned) | of_wilds) > preset["max_suits"]:
                reason = "TOO_MANY_SUITS"
                continue
            chosen = chosen_patterns(reading.facts, preset)
            values = [value for _, value in chosen]
            fan = math.prod(values) if preset["mode"] == "product" else sum(values)
            fan += preset["gen"] * gens + preset["kong"] * kongs + addons
            found.append((fan, tuple(name for name, _ in chosen), gens))
    if not found:
        return reason
    best = max(found, key=lambda row: row[0])
    fan, patterns, gens = best
    return {
        "fan": fan,
        "points": points_of(fan, preset),
        "payment": payment_of(fan, "self_drawn" in case.flags, preset),
        "patterns": patterns,
        "gens": gens,
        "kongs": kongs,
        "addons": addons,
        "choices": {row[1:] for row in found if row[0] == fan},
    }


def fan_of(hand: Hand | Case, preset: Preset) -> int:
    """Fan before the cap, -1 for no win."""
    scored = score(hand, preset)
    return -1 if isinstance(scored, str) else scored["fan"]


# --- waiting hands ---


def wait_scores(
    hand: Hand, preset: Preset, seen: Sequence[int] = (0,) * KINDS
) -> tuple[list[int], list[int]]:
    """Fan of every winning tile by discard and self-drawn, -1 where it wins nothing.

    和绝张 is added where own melds and ``seen`` hold the other three copies. The wild kind
    can only be drawn, as one more wild tile.
    """
    answer = []
    turned = preset.get("wilds") and preset["wilds"].get("kind", "next") == "next"
    wild = next_of_suit(hand.indicator) if turned and hand.indicator is not None else None
    for self_drawn in (False, True):
        column = []
        for tile in range(KINDS):
            counts = list(hand.concealed)
            counts[tile] += 1
            others_in_sight = hand.owned[tile] + seen[tile] >= 3 and not hand.concealed[tile]
            if tile == wild:
                column.append(wild_draw(hand, preset) if self_drawn else -1)
                continue
            try:
                won = hand.replace(
                    concealed=tuple(counts),
                    win_tile=tile,
                    self_drawn=self_drawn,
                    last_tile=hand.last_tile or others_in_sight,
                )
            except ValueError:  # a fifth copy, or flags that cannot be
                column.append(-1)
            else:
                column.append(fan_of(won, preset))
        answer.append(column)
    return answer[0], answer[1]


def wild_draw(hand: Hand, preset: Preset) -> int:
    """Fan of a hand that draws a wild tile."""
    if hand.wilds + sum(meld.wilds for meld in hand.melds) >= preset["wilds"]["count"]:
        return -1
    try:
        won = hand.replace(wilds=hand.wilds + 1, win_tile=None, self_drawn=True)
    except ValueError:  # flags that cannot be
        return -1
    return fan_of(won, preset)


def is_dead(case: Case, tile: int, mode: str, seen: Sequence[int]) -> bool:
    """Whether all four copies of a wait are out of reach, as far as the mode looks."""
    held = case.concealed[tile]
    if mode in ("own4", "visible4"):
        held = case.owned_naturally[tile]
        if held == COPIES - 1 and tile == case.indicator:
            held += 1  # the fourth lies turned
    if mode == "visible4":
        held += seen[tile]
    return mode != "none" and held >= COPIES


def ready_max_fan(hand: Hand | Case, preset: Preset, seen: Sequence[int] | None = None) -> int:
    """The fan that 查大叫 is paid by: of the dearest wait (or the cheapest), -1 if not ready."""
    case = replace(Case.of(hand), flags=frozenset())
    fans = []
    for tile in range(preset["kinds"]):
        if not is_dead(case, tile, preset["dead_wait"], seen or (0,) * KINDS):
            counts = list(case.concealed)
            counts[tile] += 1
            fan = fan_of(replace(case, concealed=tuple(counts), win=tile), preset)
            fans += [fan] if fan >= 0 else []
    return (min if preset["settlement"]["dajiao"] == "min" else max)(fans, default=-1)
