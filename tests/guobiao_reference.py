"""Guobiao (国标, MCR) scoring in plain Python: slow, and obviously right.

Written from the rule text alone: the fan table, the "not with" column, the
combination principles. Every reading of a hand is enumerated (form, division,
the set that holds the winning tile, the choice among two-chow fan) and scored by
the definitions; the score is the best of them. Nothing here knows the package's
tables, kernels or fan data.

Tiles are 0-33 in mpsz order (33 = 中). A hand is a :class:`Case`; ``|EE0000|0`` text
is read by :meth:`Case.parse`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations

KINDS, SUITED, COPIES = 34, 27, 4
WINDS, DRAGONS = (27, 28, 29, 30), (31, 32, 33)
BAI, FA, ZHONG = DRAGONS
HONOURS = WINDS + DRAGONS
TERMINALS = tuple(9 * suit + rank for suit in range(3) for rank in (0, 8))
ORPHANS = TERMINALS + HONOURS
M, P, S = 0, 9, 18
KNITTED = tuple(
    tuple(9 * suit + start + 3 * step for suit, start in enumerate(starts) for step in range(3))
    for starts in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
)
GREEN = {S + rank - 1 for rank in (2, 3, 4, 6, 8)} | {FA}
REVERSIBLE = (
    {P + rank - 1 for rank in (1, 2, 3, 4, 5, 8, 9)}
    | {S + rank - 1 for rank in (2, 4, 5, 6, 8, 9)}
    | {BAI}
)

# --- the fan table: value, and what is not counted beside it ---
# Not here, because principle 3 sees to it: the two-chow fan (一般高 喜相逢 连六 老少副)
# among the chows of a three- or four-chow fan.

FAN: dict[str, tuple[int, str]] = {
    "大四喜": (88, "碰碰和 三风刻 小四喜 圈风刻 门风刻 幺九刻"),
    "大三元": (88, "小三元 双箭刻 箭刻"),
    "绿一色": (88, "混一色"),
    "九莲宝灯": (88, "清一色 门前清 不求人 无字"),  # and one 幺九刻
    "四杠": (88, "碰碰和 单钓将 三杠 双暗杠 明暗杠 双明杠 暗杠 明杠"),
    "连七对": (88, "七对 清一色 门前清 不求人 无字 单钓将"),
    "十三幺": (88, "五门齐 混幺九 门前清 不求人 单钓将"),
    "清幺九": (64, "碰碰和 混幺九 全带幺 幺九刻 双同刻 无字"),
    "小四喜": (64, "三风刻"),  # and the 幺九刻 of its winds
    "小三元": (64, "双箭刻 箭刻"),
    "字一色": (64, "碰碰和 混幺九 全带幺 幺九刻"),
    "四暗刻": (64, "碰碰和 三暗刻 双暗刻 门前清 不求人"),
    "一色双龙会": (64, "清一色 平和 七对 无字"),
    "一色四同顺": (48, "一色三同顺 一色三节高 四归一"),
    "一色四节高": (48, "一色三节高 一色三同顺 碰碰和"),
    "一色四步高": (32, "一色三步高"),
    "三杠": (32, "双暗杠 明暗杠 双明杠 暗杠 明杠"),
    "混幺九": (32, "碰碰和 全带幺 幺九刻"),
    "七对": (24, "门前清 不求人 单钓将"),
    "七星不靠": (24, "全不靠 五门齐 门前清 不求人 单钓将"),
    "全双刻": (24, "碰碰和 断幺 无字"),
    "清一色": (24, "无字"),
    "一色三同顺": (24, "一色三节高"),
    "一色三节高": (24, "一色三同顺"),
    "全大": (24, "大于五 无字"),
    "全中": (24, "断幺 无字"),
    "全小": (24, "小于五 无字"),
    "清龙": (16, ""),
    "三色双龙会": (16, "平和 无字"),
    "一色三步高": (16, ""),
    "全带五": (16, "断幺 无字"),
    "三同刻": (16, "双同刻"),
    "三暗刻": (16, "双暗刻"),
    "全不靠": (12, "五门齐 门前清 不求人 单钓将"),
    "组合龙": (12, ""),
    "大于五": (12, "无字"),
    "小于五": (12, "无字"),
    "三风刻": (12, ""),  # not the 幺九刻 of its winds
    "花龙": (8, ""),
    "推不倒": (8, "缺一门"),
    "三色三同顺": (8, ""),
    "三色三节高": (8, ""),
    "无番和": (8, ""),
    "妙手回春": (8, "自摸"),
    "海底捞月": (8, ""),
    "杠上开花": (8, "自摸"),
    "抢杠和": (8, "和绝张"),
    "碰碰和": (6, ""),
    "混一色": (6, ""),
    "三色三步高": (6, ""),
    "五门齐": (6, ""),
    "全求人": (6, "单钓将"),
    "双暗杠": (6, "双暗刻 暗杠"),
    "双箭刻": (6, "箭刻"),
    "明暗杠": (5, "暗杠 明杠"),
    "全带幺": (4, ""),
    "不求人": (4, "自摸"),
    "双明杠": (4, "明杠"),
    "和绝张": (4, ""),
    "箭刻": (2, ""),
    "圈风刻": (2, ""),  # not the 幺九刻 of that pung
    "门风刻": (2, ""),
    "门前清": (2, ""),
    "平和": (2, "无字"),
    "四归一": (2, ""),
    "双同刻": (2, ""),
    "双暗刻": (2, ""),
    "暗杠": (2, ""),
    "断幺": (2, "无字"),
    "一般高": (1, ""),
    "喜相逢": (1, ""),
    "连六": (1, ""),
    "老少副": (1, ""),
    "幺九刻": (1, ""),
    "明杠": (1, ""),
    "缺一门": (1, ""),
    "无字": (1, ""),
    "边张": (1, ""),
    "坎张": (1, ""),
    "单钓将": (1, ""),
    "自摸": (1, ""),
    "花牌": (1, ""),
}
VALUE = {name: value for name, (value, _) in FAN.items()}
NOT_WITH = {name: tuple(others.split()) for name, (_, others) in FAN.items()}

# what the strict 1998 reading changes
NOT_WITH_1998 = NOT_WITH | {
    name: (*NOT_WITH[name], "缺一门")
    for name in ("大三元", "小三元", "一色四同顺", "一色四节高", "一色四步高", "三风刻")
}
NOT_WITH_1998["清幺九"] = (*NOT_WITH["清幺九"], "三同刻")
NOT_ON_SEVEN_PAIRS_1998 = {
    *("绿一色", "字一色", "清幺九", "混幺九", "大于五", "小于五", "全大", "全中", "全小"),
}

RULE_SETS = ("guobiao", "guobiao_1998")
TWO_CHOWS = ("一般高", "喜相逢", "连六", "老少副")
WAITS = ("边张", "坎张", "单钓将")
MINIMUM = 8


class Refused(ValueError):
    """An input that cannot be."""


class NoWin(ValueError):
    """A possible hand that is not complete."""


# --- the input ---


@dataclass(frozen=True)
class Case:
    """A won hand: ``melds`` are (kind, lowest tile); ``win`` is one of ``concealed``."""

    concealed: tuple[int, ...]
    melds: tuple[tuple[str, int], ...] = ()
    win: int | None = None
    flags: frozenset[str] = frozenset()
    prevalent: int = 0
    seat: int = 0
    flowers: int = 0

    @classmethod
    def parse(cls, text: str) -> Case:
        """Read ``[123m,1][EEE]45m6m|EE0000|0``; melds that are no sets have kind ``"?"``.

        Names of more flags, and ``win=none``, may follow in a third section.
        """
        tiles_text, *sections = text.split("|")
        melds = []
        for inside in re.findall(r"\[([^\]]*)\]", tiles_text):
            body, *claim = inside.split(",")
            melds.append(_meld(tuple(sorted(_tiles(body))), bool(claim)))
        tiles = _tiles(re.sub(r"\[[^\]]*\]", "", tiles_text))
        how = sections[0] if sections else "EE0000"
        on = zip(("self_drawn", "last_tile", "wall_last", "kong"), how[2:], strict=True)
        letters = sections[1] if len(sections) > 1 else ""
        more = set(sections[2].split(",")) if len(sections) > 2 else set()
        return cls(
            concealed=tuple(tiles.count(tile) for tile in range(KINDS)),
            melds=tuple(melds),
            win=None if "win=none" in more else tiles[-1],
            flags=frozenset(name for name, digit in on if digit == "1") | more - {"win=none"},
            prevalent="ESWN".index(how[0]),
            seat="ESWN".index(how[1]),
            flowers=int(letters or 0) if letters.isdigit() or not letters else len(letters),
        )

    @classmethod
    def of(cls, hand) -> Case:
        """The same hand as a ``Hand`` of the package."""
        names = (
            "self_drawn", "last_tile", "wall_last", "kong", "kong_discard", "heavenly", "earthly",
        )  # fmt: skip
        return cls(
            tuple(hand.concealed),
            tuple((meld.kind, meld.tile) for meld in hand.melds),
            hand.win_tile,
            frozenset(name for name in names if getattr(hand, name)),
            hand.prevalent_wind,
            hand.seat_wind,
            hand.flowers,
        )

    @property
    def owned(self) -> list[int]:
        """Counts with the melds."""
        held = list(self.concealed)
        for kind, tile in self.melds:
            for member in meld_tiles(kind, tile):
                held[member] += 1
        return held


def _tiles(text: str) -> list[int]:
    found, digits = [], ""
    for c in text.strip():
        if c.isdigit():
            digits += c
        elif c in "mps":
            found += [9 * "mps".index(c) + int(digit) - 1 for digit in digits]
            digits = ""
        else:
            found.append(SUITED + "ESWNPFC".index(c))
    assert not digits, text
    return found


def _meld(tiles: tuple[int, ...], claimed: bool) -> tuple[str, int]:
    same = len(set(tiles)) == 1
    if same and len(tiles) == 4:
        return ("kong" if claimed else "concealed_kong", tiles[0])
    if same and len(tiles) == 3:
        return ("pung", tiles[0])
    return ("chow" if tiles == (tiles[0], tiles[0] + 1, tiles[0] + 2) else "?", tiles[0])


def meld_tiles(kind: str, tile: int) -> tuple[int, ...]:
    if kind == "chow":
        return (tile, tile + 1, tile + 2)
    return (tile,) * (3 if kind == "pung" else 4)


def faults(case: Case) -> Iterator[str]:
    """Everything that cannot be about an input; what comes later assumes the earlier is right."""
    flags, melds, win = case.flags, case.melds, case.win
    if any(not 0 <= count <= COPIES for count in case.concealed):
        yield "count"
    if len(melds) > 4:
        yield "melds"
    for kind, tile in melds:
        known = kind in ("chow", "pung", "kong", "concealed_kong") and 0 <= tile < KINDS
        if not known or (kind == "chow" and (tile >= SUITED or tile % 9 > 6)):
            yield "meld"
            return
    if sum(case.concealed) + 3 * len(melds) != 14:
        yield "size"
    if max(case.owned) > COPIES:
        yield "five copies"
    if not (0 <= case.prevalent <= 3 and 0 <= case.seat <= 3):
        yield "wind"
    if not 0 <= case.flowers <= 8:
        yield "flowers"
    if win is None and "heavenly" in flags and any(case.concealed):
        win = case.concealed.index(max(case.concealed))  # it was dealt with the others
    if win is None:
        yield "no winning tile"
        return
    if not 0 <= win < KINDS or not case.concealed[win]:
        yield "winning tile"
        return
    self_drawn, kong = "self_drawn" in flags, "kong" in flags
    opening = {"heavenly", "earthly"} & flags
    robbed = kong and not self_drawn
    if (
        (kong and self_drawn and not any("kong" in kind for kind, _ in melds))
        or (robbed and case.owned[win] > 1)
        or (robbed and "wall_last" in flags)
        or ("last_tile" in flags and case.concealed[win] > 1)
        or ("kong_discard" in flags and (self_drawn or kong))
        or (opening and (not self_drawn or "wall_last" in flags or len(opening) == 2))
        or (opening and any(kind != "concealed_kong" for kind, _ in melds))
        or {"heavenly", "last_tile"} <= flags
    ):
        yield "flags"


def refusal(case: Case) -> str | None:
    """Why an input cannot be; None when it can."""
    return next(faults(case), None)


# --- divisions ---


@lru_cache(1 << 16)
def _sets(counts: tuple[int, ...], suited: bool) -> tuple[tuple[tuple[str, int], ...], ...]:
    """Every division of one suit (or the honours) into pungs and chows."""
    lowest = next((at for at, count in enumerate(counts) if count), None)
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
def _divide_group(
    counts: tuple[int, ...], suited: bool
) -> tuple[tuple[tuple[tuple[str, int], ...], int | None], ...]:
    """Every division of one suit (or the honours) into sets and at most one pair."""
    if sum(counts) % 3 == 0:
        return tuple((sets, None) for sets in _sets(counts, suited))
    found = []
    for pair, count in enumerate(counts):
        if count >= 2:
            rest = tuple(n - 2 * (at == pair) for at, n in enumerate(counts))
            found += [(sets, pair) for sets in _sets(rest, suited)]
    return tuple(found)


def divide(counts: Sequence[int]) -> list[tuple[tuple[tuple[str, int], ...], int]]:
    """Every division into sets and one pair, as (sets, tile of the pair)."""
    found: list[tuple[tuple[tuple[str, int], ...], int | None]] = [((), None)]
    for first in (0, 9, 18, 27):
        group = tuple(counts[first : first + 9])
        if sum(group) % 3 == 1:
            return []
        found = [
            (
                (*sets, *((kind, tile + first) for kind, tile in here)),
                pair if more is None else more + first,
            )
            for sets, pair in found
            for here, more in _divide_group(group, first < SUITED)
            if pair is None or more is None
        ]
    return [(sets, pair) for sets, pair in found if pair is not None]


def without_knitted(counts: Sequence[int]) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Each knitted pattern that is held whole, and what is left without it."""
    for body in KNITTED:
        if all(counts[tile] for tile in body):
            yield body, [n - (tile in body) for tile, n in enumerate(counts)]


def is_seven_pairs(counts: Sequence[int]) -> bool:
    return sum(counts) == 14 and all(count % 2 == 0 for count in counts)


def is_orphans(counts: Sequence[int]) -> bool:
    return sum(counts[t] for t in ORPHANS) == 14 and all(counts[t] for t in ORPHANS)


def is_unrelated(counts: Sequence[int]) -> bool:
    """全不靠 or 七星不靠."""
    held = {tile for tile, count in enumerate(counts) if count}
    return (
        sum(counts) == 14
        and max(counts) == 1
        and any(held <= {*HONOURS, *body} for body in KNITTED)
    )


def is_complete(counts: Sequence[int]) -> bool:
    return bool(
        divide(counts)
        or any(divide(rest) for _, rest in without_knitted(counts))
        or is_seven_pairs(counts)
        or is_orphans(counts)
        or is_unrelated(counts)
    )


def waits_for_one(case: Case) -> bool:
    """Whether the hand before the winning tile formally waits for it alone.

    Formally: a fifth copy is a wait like any other.
    """
    assert case.win is not None
    held = list(case.concealed)
    held[case.win] -= 1
    for tile in range(KINDS):
        if tile != case.win:
            held[tile] += 1
            complete = is_complete(held)
            held[tile] -= 1
            if complete:
                return False
    return True


# --- readings ---


@dataclass(frozen=True)
class Reading:
    """One way to read a won hand.

    ``sets`` are (kind, tile), melds first; ``body`` the nine tiles of a knitted
    straight; ``winner`` what holds the winning tile: an index of ``sets``, ``"pair"``,
    ``"body"`` or, in the other forms, ``"form"``.
    """

    form: str
    sets: tuple[tuple[str, int], ...] = ()
    pair: int | None = None
    body: tuple[int, ...] = ()
    winner: int | str = "form"


def won_with(case: Case) -> list[Case]:
    """The same hand with each tile that may be the winning one: any of a dealt hand."""
    if "heavenly" not in case.flags:
        return [case]
    return [replace(case, win=tile) for tile, count in enumerate(case.concealed) if count]


def readings(case: Case) -> Iterator[Reading]:
    counts, melds = case.concealed, case.melds
    candidates = [("standard", (), list(counts))]
    candidates += [("knitted_straight", body, rest) for body, rest in without_knitted(counts)]
    for form, body, rest in candidates:
        for some, pair in divide(rest):
            sets = (*melds, *some)
            if case.win in body:
                yield Reading(form, sets, pair, body, "body")
            if case.win == pair:
                yield Reading(form, sets, pair, body, "pair")
            for at in range(len(melds), len(sets)):
                if case.win in meld_tiles(*sets[at]):
                    yield Reading(form, sets, pair, body, at)
    if not melds:
        if is_seven_pairs(counts):
            yield Reading("seven_pairs")
        if is_orphans(counts):
            yield Reading("thirteen_orphans")
        if is_unrelated(counts):
            yield Reading("honours_and_knitted")


# --- two, three and four chows or pungs ---


def same_suit(tiles: Sequence[int]) -> bool:
    return len({tile // 9 for tile in tiles}) == 1


def two_chows(a: int, b: int) -> str | None:
    """What two chows are to each other."""
    a, b = sorted((a, b))
    if a == b:
        return "一般高"
    if a % 9 == b % 9:
        return "喜相逢"
    if same_suit((a, b)) and b - a == 3:
        return "连六"
    if same_suit((a, b)) and b - a == 6:
        return "老少副"
    return None


def three_chows(chows: Sequence[int]) -> str | None:
    a, b, c = sorted(chows)
    suits = {tile // 9 for tile in chows}
    ranks = sorted(tile % 9 for tile in chows)
    steps = (ranks[1] - ranks[0], ranks[2] - ranks[1])
    if len(suits) == 1:
        if a == b == c:
            return "一色三同顺"
        if ranks == [0, 3, 6]:
            return "清龙"
        if steps in ((1, 1), (2, 2)):
            return "一色三步高"
    if len(suits) == 3:
        if steps == (0, 0):
            return "三色三同顺"
        if ranks == [0, 3, 6]:
            return "花龙"
        if steps == (1, 1):
            return "三色三步高"
    return None


def four_chows(chows: Sequence[int], pair: int) -> str | None:
    a, b, c, d = sorted(chows)
    suits = sorted({tile // 9 for tile in chows})
    if len(suits) == 1:
        if a == b == c == d:
            return "一色四同顺"
        if b - a == c - b == d - c and b - a in (1, 2):
            return "一色四步高"
        if (a % 9, b % 9, c % 9, d % 9) == (0, 0, 6, 6) and pair == a + 4:
            return "一色双龙会"
    # 123 and 789 of two suits, the pair of fives of the third
    if (
        len(suits) == 2
        and all([t % 9 for t in sorted(chows) if t // 9 == suit] == [0, 6] for suit in suits)
        and pair < SUITED
        and pair // 9 not in suits
        and pair % 9 == 4
    ):
        return "三色双龙会"
    return None


def chow_fan(chows: Sequence[int], pair: int) -> list[Counter]:
    """Every legal choice of fan among the chows (principle 3)."""
    if len(chows) == 4 and (name := four_chows(chows, pair)):
        return [Counter([name])]
    choices = []
    for three in combinations(range(len(chows)), 3):
        if name := three_chows([chows[at] for at in three]):
            left = [chow for at, chow in enumerate(chows) if at not in three]
            bonus = [two_chows(chow, chows[at]) for chow in left for at in three]
            more = [edge for edge in bonus if edge]
            choices += [Counter([name, edge]) for edge in more] or [Counter([name])]
    if choices:
        return choices
    edges = [
        (a, b, name)
        for a, b in combinations(range(len(chows)), 2)
        if (name := two_chows(chows[a], chows[b]))
    ]
    # as many pairs as can be without closing a ring: each joins chows not joined so far
    for size in range(len(chows), 0, -1):
        choices = [
            Counter(name for _, _, name in chosen)
            for chosen in combinations(edges, size)
            if not _has_ring(chosen)
        ]
        if choices:
            return choices
    return [Counter()]


def _has_ring(edges: Sequence[tuple[int, int, str]]) -> bool:
    group = list(range(4))
    for a, b, _ in edges:
        if group[a] == group[b]:
            return True
        old, new = group[a], group[b]
        group = [new if g == old else g for g in group]
    return False


def pung_fan(pungs: Sequence[int]) -> Counter:
    """Fan among the pungs of number tiles; a three-pung fan counts once."""
    numbers = [tile for tile in pungs if tile < SUITED]
    found: Counter = Counter()
    if len(numbers) == 4 and same_suit(numbers):
        a, *_, d = sorted(numbers)
        if d - a == 3:
            found["一色四节高"] = 1
    for three in combinations(numbers, 3):
        suits = {tile // 9 for tile in three}
        ranks = sorted(tile % 9 for tile in three)
        shifted = ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2]
        if shifted and len(suits) == 1:
            found["一色三节高"] = 1
        if shifted and len(suits) == 3:
            found["三色三节高"] = 1
        if len(set(ranks)) == 1:
            found["三同刻"] = 1
    found["双同刻"] = sum(a % 9 == b % 9 for a, b in combinations(numbers, 2))
    return +found


# --- fan of one reading ---


def tile_fan(case: Case) -> Counter:
    """Fan that only ask which tiles there are, whatever the form."""
    owned = case.owned
    held = {tile for tile, count in enumerate(owned) if count}
    numbers = {tile for tile in held if tile < SUITED}
    suits = {tile // 9 for tile in numbers}
    ranks = {tile % 9 + 1 for tile in numbers}
    honours = held - numbers
    found: Counter = Counter()
    found["绿一色"] = held <= GREEN
    found["推不倒"] = held <= REVERSIBLE
    found["清幺九"] = held <= set(TERMINALS)
    found["字一色"] = not numbers
    found["混幺九"] = bool(numbers) and bool(honours) and held <= set(ORPHANS)
    found["清一色"] = len(suits) == 1 and not honours
    found["混一色"] = len(suits) == 1 and bool(honours)
    found["缺一门"] = len(suits) == 2
    found["五门齐"] = len(suits) == 3 and bool(held & {*WINDS}) and bool(held & {*DRAGONS})
    found["无字"] = not honours
    if not honours:
        found["全大"] = ranks <= {7, 8, 9}
        found["全中"] = ranks <= {4, 5, 6}
        found["全小"] = ranks <= {1, 2, 3}
        found["大于五"] = min(ranks) > 5
        found["小于五"] = max(ranks) < 5
        found["断幺"] = 1 not in ranks and 9 not in ranks
    kongs = {tile for kind, tile in case.melds if "kong" in kind}
    found["四归一"] = sum(n == 4 and tile not in kongs for tile, n in enumerate(owned))
    return found


def win_fan(case: Case) -> Counter:
    """Fan of the way the hand was won."""
    flags, win = case.flags, case.win
    self_drawn = "self_drawn" in flags
    exposed = sum(
        meld_tiles(kind, tile).count(win) for kind, tile in case.melds if kind != "concealed_kong"
    )
    concealed_hand = all(kind == "concealed_kong" for kind, _ in case.melds)
    found: Counter = Counter()
    if "wall_last" in flags:
        found["妙手回春" if self_drawn else "海底捞月"] = 1
    if "kong" in flags:
        found["杠上开花" if self_drawn else "抢杠和"] = 1
    found["和绝张"] = "last_tile" in flags or exposed == 3
    if concealed_hand:
        found["不求人" if self_drawn else "门前清"] = 1
    found["自摸"] = self_drawn
    found["花牌"] = case.flowers
    return found


def set_fan(case: Case, reading: Reading) -> Counter:
    """Fan of the sets and the pair of a standard hand or a knitted straight."""
    sets, pair = reading.sets, reading.pair
    assert pair is not None
    self_drawn = "self_drawn" in case.flags
    pungs = [tile for kind, tile in sets if kind != "chow"]
    found: Counter = Counter()

    # winds and dragons
    winds = [tile for tile in pungs if tile in WINDS]
    dragons = [tile for tile in pungs if tile in DRAGONS]
    found["大四喜"] = len(winds) == 4
    found["小四喜"] = len(winds) == 3 and pair in WINDS
    found["三风刻"] = len(winds) == 3
    found["大三元"] = len(dragons) == 3
    found["小三元"] = len(dragons) == 2 and pair in DRAGONS
    found["双箭刻"] = len(dragons) == 2
    found["箭刻"] = len(dragons)
    found["圈风刻"] = WINDS[case.prevalent] in pungs
    found["门风刻"] = WINDS[case.seat] in pungs
    used = set(winds) if len(winds) >= 3 else {WINDS[case.prevalent], WINDS[case.seat]}
    found["幺九刻"] = sum(t in WINDS + TERMINALS and t not in used for t in pungs)

    # kongs and concealed pungs
    melded = sum(kind == "kong" for kind, _ in sets)
    hidden = sum(kind == "concealed_kong" for kind, _ in sets)
    found["四杠"] = melded + hidden == 4
    found["三杠"] = melded + hidden == 3
    found["双暗杠"] = hidden == 2
    found["双明杠"] = melded == 2
    found["明暗杠"] = melded == hidden == 1
    found["暗杠"] = hidden
    found["明杠"] = melded
    concealed_pungs = hidden
    for at in range(len(case.melds), len(sets)):
        claimed = at == reading.winner and not self_drawn
        concealed_pungs += sets[at][0] == "pung" and not claimed
    found["四暗刻"] = concealed_pungs == 4
    found["三暗刻"] = concealed_pungs == 3
    found["双暗刻"] = concealed_pungs == 2

    # all sets and the pair
    whole = reading.form == "standard"
    blocks = [set(meld_tiles(kind, tile)) for kind, tile in sets] + [{pair}]
    found["碰碰和"] = len(pungs) == 4
    found["全双刻"] = len(pungs) == 4 and all(
        tile < SUITED and tile % 9 + 1 in (2, 4, 6, 8) for tile in (*pungs, pair)
    )
    found["全带五"] = whole and all(
        any(tile < SUITED and tile % 9 == 4 for tile in block) for block in blocks
    )
    found["全带幺"] = whole and all(block & set(ORPHANS) for block in blocks)
    found["平和"] = not pungs and pair < SUITED
    found["全求人"] = (
        len(case.melds) == 4
        and not self_drawn
        and all(kind != "concealed_kong" for kind, _ in case.melds)
    )
    return found


def wait_fan(case: Case, reading: Reading) -> str | None:
    """The name of the wait the winning tile ended, if it was the only one."""
    if "heavenly" in case.flags:
        return None  # a dealt hand never waited
    win = case.win
    name = None
    if reading.winner == "pair":
        name = "单钓将"
    elif isinstance(reading.winner, int):
        kind, low = reading.sets[reading.winner]
        if kind == "chow" and win == low + 1:
            name = "坎张"
        if kind == "chow" and (win, low % 9) in ((low + 2, 0), (low, 6)):
            name = "边张"
    return name if name and waits_for_one(case) else None


def satisfied(case: Case, reading: Reading) -> list[Counter]:
    """Every fan that is there, before anything is left out; a list for each free choice."""
    found = tile_fan(case) + win_fan(case)
    if reading.form == "seven_pairs":
        low = min(tile for tile, count in enumerate(case.concealed) if count)
        row = case.concealed[low : low + 7]
        found["七对"] = 1
        found["连七对"] = low < SUITED and low % 9 <= 2 and row == (2,) * 7
        return [+found]
    if reading.form == "thirteen_orphans":
        return [+(found + Counter(["十三幺"]))]
    if reading.form == "honours_and_knitted":
        found["全不靠"] = 1
        found["七星不靠"] = all(case.concealed[tile] for tile in HONOURS)
        found["组合龙"] = any(all(case.concealed[t] for t in body) for body in KNITTED)
        return [+found]
    found += set_fan(case, reading)
    if reading.form == "knitted_straight":
        found["组合龙"] = 1
    elif not case.melds:
        before = list(case.concealed)
        before[case.win] -= 1
        low = min(tile for tile, count in enumerate(before) if count)
        found["九莲宝灯"] = low in (M, P, S) and before[low : low + 9] == [3, *[1] * 7, 3]
        if found["九莲宝灯"]:
            found["幺九刻"] -= 1
    if wait := wait_fan(case, reading):
        found[wait] += 1
    pungs = [tile for kind, tile in reading.sets if kind != "chow"]
    chows = [tile for kind, tile in reading.sets if kind == "chow"]
    found += pung_fan(pungs)
    return [+(found + choice) for choice in chow_fan(chows, reading.pair)]


def leave_out(found: Counter, form: str, rule_set: str) -> Counter:
    """Principle 1: what stands in the "not with" column of a fan that counts."""
    kept = Counter(found)
    not_with = NOT_WITH
    if rule_set == "guobiao_1998":
        not_with = NOT_WITH_1998
        del kept["明暗杠"]
        if form == "seven_pairs":
            for name in NOT_ON_SEVEN_PAIRS_1998:
                del kept[name]
    # from the highest down: what is left out leaves out nothing itself
    for name in FAN:
        if kept[name]:
            for other in not_with[name]:
                del kept[other]
    kept = +kept
    if not set(kept) - {"花牌"}:
        kept["无番和"] = 1
    return kept


def total_of(fans: Counter) -> int:
    return sum(VALUE[name] * count for name, count in fans.items())


# --- the score ---


@dataclass(frozen=True)
class Scored:
    """``lists`` are all legal lists of the total, ``canonical`` the one of each division.

    Several divisions can have the same total; ``fans`` is the canonical list of one.
    """

    total: int
    minimum_met: bool
    fans: Counter
    canonical: list[Counter] = field(repr=False)
    lists: list[Counter] = field(repr=False)


def score(case: Case | str, rule_set: str = "guobiao") -> Scored:
    """The score of a hand.

    Raises :class:`Refused` for what cannot be and :class:`NoWin` for what is not
    complete.
    """
    if isinstance(case, str):
        case = Case.parse(case)
    if reason := refusal(case):
        raise Refused(reason)
    scored = [
        (leave_out(found, reading.form, rule_set), (reading.form, reading.sets, reading.pair))
        for won in won_with(case)
        for reading in readings(won)
        for found in satisfied(won, reading)
    ]
    if not scored:
        raise NoWin("not complete")
    best = max(total_of(fans) for fans, _ in scored)
    of_division: dict[tuple, list[Counter]] = {}
    lists: list[Counter] = []
    for fans, division in scored:
        if total_of(fans) == best:
            of_division.setdefault(division, []).append(fans)
            if fans not in lists:
                lists.append(fans)
    canonical = [max(choices, key=_preference) for choices in of_division.values()]
    # 三同顺 and 三同刻 first
    first = [fans for fans in canonical if fans["一色三同顺"] or fans["三同刻"]] or canonical
    fans = max(first, key=_preference)
    return Scored(best, best - case.flowers >= MINIMUM, fans, first, lists)


def _preference(fans: Counter) -> tuple[int, ...]:
    """The order of the two-chow fan, then of the waits."""
    return tuple(fans[name] for name in TWO_CHOWS + WAITS)


def winning_tiles(case: Case) -> list[int]:
    """Tiles that complete a waiting hand of which hand and melds hold fewer than four."""
    found = []
    for tile in range(KINDS):
        held = list(case.concealed)
        held[tile] += 1
        if case.owned[tile] < COPIES and is_complete(held):
            found.append(tile)
    return found


def completed(case: Case, tile: int, **flags: bool) -> Case:
    """The waiting hand with a tile that completes it, flags put or taken away."""
    held = list(case.concealed)
    held[tile] += 1
    names = set(case.flags)
    for name, on in flags.items():
        (names.add if on else names.discard)(name)
    return replace(case, concealed=tuple(held), win=tile, flags=frozenset(names))
