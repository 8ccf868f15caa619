"""The tables of Guobiao scoring: what the tiles of a hand are, in outcomes.

A hand is looked at from six sides, and each side has few *outcomes*: a list of the
fan that are there on this side, seen alone, before any exclusion between sides.
Values and exclusions are not in here: ``evaluator/rulesets/fan.py`` makes one word of
each outcome, for each rule set anew.

======== ==================================================== ==================
side     what decides it                                      index
======== ==================================================== ==================
class    which tiles there are                                15-bit signature
honours  honour pungs, honour pair, prevalent and seat wind   7 + 3 + 2 + 2 bits
win      open melds, melded and concealed kongs, 4 flags      3 + 3 + 3 + 4 bits
chows    up to four chows                                     hash of their key
pungs    up to four pungs of numbers                          hash of their mask
shape    concealed pungs, chows, sets without a five,         3 + 3 + 3 + 3 bits
         sets without terminal or honour
======== ==================================================== ==================

**Records.** A division of a suit (or a meld) is one ``uint64``; the record of a hand
is the sum over its suits, honours and melds:

=====  ====================================================================
0-26   the pungs of numbers, a bit each
27-29  concealed pungs
30-32  chows
33-35  sets and pairs without a five
36-38  sets and pairs without a terminal or an honour
39     the pair is of fives
40-63  the sum of the keys of the chows: no two multisets of up to four agree
=====  ====================================================================

guobiao.npz (``n`` vectors can be sets, or sets and a pair: 21,743 of a suit, 498 of
honours)
    ``code uint32[n]``
        base-5 codes as in ``shape.npz``: suits, then honours
    ``header uint32[n]``
        0-3 pairs, 4-7 sets, 8-11 further divisions, 12-18 honour pungs, 19-21 honour
        pair (1-7, 0 = none)
    ``unique uint16[n]``
        bit t: without a tile t, it formally waits for nothing else (five copies may be)
    ``record uint64[divisions]``
        of each vector in turn, as of the first suit and without the keys of its chows
    ``chow_starts uint32[divisions]``
        how many chows begin at each rank, three bits each
    ``wait uint32[divisions]``
        two bits a rank: where a tile of it won alone has its place: 1 at the edge of a
        chow, 2 in the middle, 3 in the pair
    ``key uint64[21]``
        key of each chow, 24 bits
    ``signature uint16[34]``
        of each tile; the signature of a hand is the OR over its tiles
    ``<side> uint8 or uint16[...]``
        outcome by index; of chows and pungs the index is
        ``(h >> 16 & mask) ^ <side>_shift[h >> 36 & mask]``, h = key * <side>_factor
    ``<side>_outcomes uint8[outcomes, 8]``
        columns (fan number - 1) of each outcome, a fan as often as it counts; 255 = none
    ``honour_pair uint8[outcomes]``
        1 where the pair of an outcome is of honours

Verify: the tests compare the scorer with one that knows no table, and with golden data.
"""

from __future__ import annotations

import itertools

import numpy as np

# in the order of their numbers; 明暗杠 is the 82nd
_NAMES = """
大四喜 大三元 绿一色 九莲宝灯 四杠 连七对 十三幺 清幺九 小四喜 小三元
字一色 四暗刻 一色双龙会 一色四同顺 一色四节高 一色四步高 三杠 混幺九
七对 七星不靠 全双刻 清一色 一色三同顺 一色三节高 全大 全中 全小 清龙
三色双龙会 一色三步高 全带五 三同刻 三暗刻 全不靠 组合龙 大于五 小于五
三风刻 花龙 推不倒 三色三同顺 三色三节高 无番和 妙手回春 海底捞月
杠上开花 抢杠和 碰碰和 混一色 三色三步高 五门齐 全求人 双暗杠 双箭刻
全带幺 不求人 双明杠 和绝张 箭刻 圈风刻 门风刻 门前清 平和 四归一
双同刻 双暗刻 暗杠 断幺 一般高 喜相逢 连六 老少副 幺九刻 明杠 缺一门
无字 边张 坎张 单钓将 自摸 花牌 明暗杠
"""
FAN = _NAMES.split()
COLUMN = {name: column for column, name in enumerate(FAN)}
NO_FAN = 255
MOST_FAN = 8

MOST_TILES = 14
SUIT_KINDS, HONOUR_KINDS = 9, 7
HONOURS = 5**SUIT_KINDS
NO_CHOW = 21
KEY_BITS = 24

# bits of a record, see above
CONCEALED, CHOWS, FIVELESS, INNER, FIVES, KEY = 27, 30, 33, 36, 39, 40

# a chow multiset that is a 双龙会 with the right pair: its outcome is one of these, the
# next is that of the 双龙会
DOUBLE_DRAGONS = {"一色双龙会": 60, "三色双龙会": 62}

CHOW_BITS, PUNG_BITS = (11, 14), (12, 15)  # of the shifts and of the slots


# outcomes


class Outcomes:
    """The different lists of fan of one side, numbered as they are found."""

    def __init__(self) -> None:
        self.lists: list[tuple[str, ...]] = []
        self.number: dict[tuple[object, ...], int] = {}

    def __call__(self, fans: list[str], *more: object) -> int:
        key = (*fans, *more)
        if key not in self.number:
            self.number[key] = len(self.lists)
            self.lists.append(tuple(fans))
        return self.number[key]

    def array(self) -> np.ndarray:
        out = np.full((len(self.lists), MOST_FAN), NO_FAN, np.uint8)
        for row, fans in zip(out, self.lists, strict=True):
            row[: len(fans)] = [COLUMN[name] for name in fans]
        return out


# which tiles

# bit i of a signature: some tile of the hand is not one of these ranks (or this text of
# tiles); then which suits, winds and dragons there are
SIMPLE, OUTER, UPPER, MIDDLE, LOWER, SIX_UP, FOUR_DOWN, EVEN, REVERSIBLE, GREEN = range(10)
M, P, S, WINDS, DRAGONS = range(10, 15)
WITHIN = {
    SIMPLE: "2345678m2345678p2345678s",
    OUTER: "19m19p19s1234567z",
    UPPER: "789m789p789s",
    MIDDLE: "456m456p456s",
    LOWER: "123m123p123s",
    SIX_UP: "6789m6789p6789s",
    FOUR_DOWN: "1234m1234p1234s",
    EVEN: "2468m2468p2468s",
    REVERSIBLE: "1234589p245689s5z",
    GREEN: "23468s6z",
}


def tiles_of(text: str) -> set[int]:
    """Tile indices of mpsz text."""
    found, ranks = set(), ""
    for letter in text:
        if letter.isdigit():
            ranks += letter
        else:
            found |= {9 * "mpsz".index(letter) + int(rank) - 1 for rank in ranks}
            ranks = ""
    return found


def signatures() -> np.ndarray:
    """The 15 bits of each tile."""
    out = np.zeros(34, np.uint16)
    for tile in range(34):
        for bit, text in WITHIN.items():
            if tile not in tiles_of(text):
                out[tile] |= 1 << bit
        out[tile] |= 1 << (M + tile // 9 if tile < 27 else WINDS if tile < 31 else DRAGONS)
    return out


def class_fan(signature: int) -> list[str]:
    """The fan of which tiles there are."""

    def within(bit: int) -> bool:
        return not signature >> bit & 1

    suits = sum(not within(bit) for bit in (M, P, S))
    honours = not within(WINDS) or not within(DRAGONS)
    found = []
    if within(GREEN):
        found.append("绿一色")
    if within(OUTER):
        found.append("混幺九" if suits and honours else "清幺九" if suits else "字一色")
    for name, bit in (("全双刻", EVEN), ("全大", UPPER), ("全中", MIDDLE), ("全小", LOWER)):
        if within(bit):
            found.append(name)
    for name, bit in (("大于五", SIX_UP), ("小于五", FOUR_DOWN), ("推不倒", REVERSIBLE)):
        if within(bit):
            found.append(name)
    if suits == 1:
        found.append("混一色" if honours else "清一色")
    if suits == 3 and not within(WINDS) and not within(DRAGONS):
        found.append("五门齐")
    if within(SIMPLE):
        found.append("断幺")
    if suits == 2:
        found.append("缺一门")
    if not honours:
        found.append("无字")
    return found


def build_class() -> dict[str, np.ndarray]:
    signature = signatures()
    reached = {0}
    while True:
        grown = {a | int(b) for a in reached for b in signature}
        if grown <= reached:
            break
        reached |= grown
    outcomes = Outcomes()
    outcomes([])
    table = np.zeros(1 << 15, np.uint16)
    for value in sorted(reached - {0}):
        table[value] = outcomes(class_fan(value))
    return {"signature": signature, "class": table, "class_outcomes": outcomes.array()}


# honours


def honour_fan(pungs: int, pair: int, prevalent: int, seat: int) -> list[str]:
    """The fan of honour pungs (7 bits), pair (1-7 or 0) and winds (0-3)."""
    winds = [tile for tile in range(4) if pungs >> tile & 1]
    dragons = (pungs >> 4).bit_count()
    found = []
    if len(winds) == 4:
        found.append("大四喜")
    if len(winds) == 3:
        found.append("小四喜" if 1 <= pair <= 4 else "三风刻")
    if dragons == 3:
        found.append("大三元")
    if dragons == 2:
        found.append("小三元" if pair > 4 else "双箭刻")
    if dragons == 1:
        found.append("箭刻")
    if prevalent in winds:
        found.append("圈风刻")
    if seat in winds:
        found.append("门风刻")
    if len(winds) < 3:  # three winds together are no 幺九刻, nor is one that has its own fan
        found += ["幺九刻"] * len(set(winds) - {prevalent, seat})
    return found


def build_honours() -> dict[str, np.ndarray]:
    outcomes = Outcomes()
    outcomes([], False)
    table = np.zeros(1 << 14, np.uint8)
    for index in range(1 << 14):
        pungs, pair = index & 127, index >> 7 & 7
        if pungs.bit_count() <= 4 and not (pair and pungs >> (pair - 1) & 1):
            fans = honour_fan(pungs, pair, index >> 12, index >> 10 & 3)
            table[index] = outcomes(fans, pair > 0)
    pairs = np.array([key[-1] for key in outcomes.number], np.uint8)
    return {"honours": table, "honours_outcomes": outcomes.array(), "honour_pair": pairs}


# how it is won


def win_fan(opened: int, melded: int, concealed: int, flags: int) -> list[str]:
    """The fan of open melds, kongs and the flags self-drawn, last tile, wall last, kong."""
    self_drawn, last_tile, wall_last, kong = (flags >> bit & 1 for bit in range(4))
    found = []
    if wall_last:
        found.append("妙手回春" if self_drawn else "海底捞月")
    if kong:
        found.append("杠上开花" if self_drawn else "抢杠和")
    if opened == 4 and not self_drawn:
        found.append("全求人")
    kongs = melded + concealed
    if kongs >= 3:
        found.append("三杠" if kongs == 3 else "四杠")
    else:
        if melded == concealed == 1:
            found.append("明暗杠")
        if concealed:
            found.append("双暗杠" if concealed == 2 else "暗杠")
        if melded:
            found.append("双明杠" if melded == 2 else "明杠")
    if not opened:
        found.append("不求人" if self_drawn else "门前清")
    if last_tile:
        found.append("和绝张")
    if self_drawn:
        found.append("自摸")
    return found


def build_win() -> dict[str, np.ndarray]:
    outcomes = Outcomes()
    outcomes([])
    table = np.zeros(1 << 13, np.uint16)
    for flags in range(16):
        for opened in range(5):
            for melded in range(opened + 1):
                for concealed in range(5 - opened):
                    index = opened | melded << 3 | concealed << 6 | flags << 9
                    table[index] = outcomes(win_fan(opened, melded, concealed, flags))
    return {"win": table, "win_outcomes": outcomes.array()}


# chows: (suit, rank of the lowest tile from 0)

Chow = tuple[int, int]


def two_chow_fan(a: Chow, b: Chow) -> str | None:
    if a == b:
        return "一般高"
    if a[1] == b[1]:
        return "喜相逢"
    apart = abs(a[1] - b[1])
    if a[0] == b[0] and apart in (3, 6):
        return "连六" if apart == 3 else "老少副"
    return None


def three_chow_fan(chows: tuple[Chow, ...]) -> str | None:
    suits = len({suit for suit, _ in chows})
    a, b, c = sorted(rank for _, rank in chows)
    steps = (b - a, c - b)
    if suits == 1:
        names = {(0, 0): "一色三同顺", (3, 3): "清龙", (1, 1): "一色三步高", (2, 2): "一色三步高"}
    elif suits == 3:
        names = {(0, 0): "三色三同顺", (3, 3): "花龙", (1, 1): "三色三步高"}
    else:
        return None
    return names.get(steps)


def four_chow_fan(chows: tuple[Chow, ...]) -> str | None:
    ranks = sorted(rank for _, rank in chows)
    steps = {b - a for a, b in itertools.pairwise(ranks)}
    if len({suit for suit, _ in chows}) > 1 or len(steps) > 1:
        return None
    return {0: "一色四同顺", 1: "一色四步高", 2: "一色四步高"}.get(steps.pop())


def chow_fan(chows: tuple[Chow, ...]) -> list[str]:
    """The fan of up to four chows, 双龙会 apart: the most that 套算一次 allows.

    A fan of four chows stands alone. Beside a fan of three, the fourth chow may be
    combined once with one of them. Else each further combination must bring a chow
    that is not yet joined to the others: a spanning forest, the canonical one (most
    一般高, then 喜相逢, 连六, 老少副).
    """
    if len(chows) == 4 and (found := four_chow_fan(chows)):
        return [found]
    threes = []
    for three in itertools.combinations(range(len(chows)), 3):
        if found := three_chow_fan(tuple(chows[i] for i in three)):
            rest = [chows[i] for i in range(len(chows)) if i not in three]
            more = [two_chow_fan(chow, chows[i]) for chow in rest for i in three]
            joined = sorted((name for name in more if name), key=COLUMN.__getitem__)
            # the most fan, the most valuable: the book lists them by value
            threes.append((-len(joined[:1]), COLUMN[found], [found, *joined[:1]]))
    if threes:
        return min(threes, key=lambda three: (three[1], three[0], COLUMN[three[2][-1]]))[2]
    pairs = itertools.combinations(range(len(chows)), 2)
    edges = [(two_chow_fan(chows[i], chows[j]), i, j) for i, j in pairs]
    tree = list(range(len(chows)))
    found_two = []
    for name, i, j in sorted((edge for edge in edges if edge[0]), key=lambda edge: COLUMN[edge[0]]):
        if tree[i] != tree[j]:
            found_two.append(name)
            tree = [tree[i] if root == tree[j] else root for root in tree]
    return found_two


def double_dragon(chows: tuple[Chow, ...]) -> str | None:
    """Which 双龙会 four chows are with the right pair of fives."""
    if sorted(rank for _, rank in chows) != [0, 0, 6, 6]:
        return None
    low = {suit for suit, rank in chows if rank == 0}
    high = {suit for suit, rank in chows if rank == 6}
    if low != high:
        return None
    return "一色双龙会" if len(low) == 1 else "三色双龙会"


def find_keys(multisets: np.ndarray) -> np.ndarray:
    """Keys of the 21 chows (and 0 for none) whose sums are all different."""
    for seed in range(10_000):
        keys = np.random.default_rng(seed).integers(1, 1 << KEY_BITS, 22)
        keys[NO_CHOW] = 0
        sums = keys[multisets].sum(axis=1) & ((1 << KEY_BITS) - 1)
        if len(np.unique(sums)) == len(sums):
            return keys.astype(np.uint64)
    raise AssertionError("no keys found")


def hash_and_displace(
    keys: np.ndarray, bits: tuple[int, int]
) -> tuple[np.uint64, np.ndarray, np.ndarray]:
    """(factor, shift of each bucket, slot of each key): no two keys share a slot."""
    buckets, slots = 1 << bits[0], 1 << bits[1]
    for attempt in range(1, 10_000):
        factor = np.uint64(attempt * 0x9E3779B97F4A7C15 % 2**64 | 1)
        hashes = keys * factor
        bucket = (hashes >> np.uint64(36)).astype(np.int64) & (buckets - 1)
        place = (hashes >> np.uint64(16)).astype(np.int64) & (slots - 1)
        order = np.argsort(bucket, kind="stable")
        groups = np.split(order, np.flatnonzero(np.diff(bucket[order])) + 1)
        shift = _displace(sorted(groups, key=len, reverse=True), bucket, place, buckets, slots)
        if shift is not None:
            return factor, shift, place ^ shift[bucket]
    raise AssertionError("no perfect hash found")


def _displace(groups, bucket, place, buckets, slots):
    used = np.zeros(slots, bool)
    shift = np.zeros(buckets, np.uint16)
    for group in groups:
        inside = place[group]
        if len(np.unique(inside)) < len(inside):
            return None
        for start in range(0, slots, 256):
            tried = inside[None, :] ^ np.arange(start, start + 256)[:, None]
            free = ~used[tried].any(axis=1)
            if free.any():
                chosen = int(free.argmax())
                used[tried[chosen]] = True
                shift[bucket[group[0]]] = start + chosen
                break
        else:
            return None
    return shift


def build_chows() -> tuple[dict[str, np.ndarray], np.ndarray]:
    """The arrays of the chows, and the keys."""
    multisets = np.array(list(itertools.combinations_with_replacement(range(22), 4)))
    keys = find_keys(multisets)
    sums = keys[multisets].sum(axis=1) & np.uint64((1 << KEY_BITS) - 1)
    factor, shift, slots = hash_and_displace(sums, CHOW_BITS)
    outcomes = Outcomes()
    outcomes([])
    numbers = []
    dragons: dict[str, tuple[str, ...]] = {}
    for row in multisets.tolist():
        chows = tuple(divmod(chow, 7) for chow in row if chow != NO_CHOW)
        dragon = double_dragon(chows) if len(chows) == 4 else None
        if dragon:
            dragons[dragon] = tuple(chow_fan(chows))
            numbers.append(DOUBLE_DRAGONS[dragon])
        else:
            numbers.append(outcomes(chow_fan(chows)))
    first = min(DOUBLE_DRAGONS.values())
    if len(outcomes.lists) > first:
        raise AssertionError("more outcomes of chows than places")
    outcomes.lists += [()] * (first - len(outcomes.lists))
    for name in DOUBLE_DRAGONS:
        outcomes.lists += [dragons[name], (name,)]
    table = np.zeros(1 << CHOW_BITS[1], np.uint8)
    table[slots] = numbers
    arrays = {
        "key": keys[:NO_CHOW],
        "chows": table,
        "chows_shift": shift,
        "chows_factor": np.array(factor),
        "chows_outcomes": outcomes.array(),
    }
    return arrays, keys


# pungs of numbers: 27 bits


def pung_fan(pungs: tuple[int, ...]) -> list[str]:
    """The fan of up to four pungs of numbers (tile indices), each seen once."""
    held = {divmod(tile, 9) for tile in pungs}
    found = []

    def in_suit(length: int) -> bool:
        return any(
            all((suit, rank + step) in held for step in range(length)) for suit, rank in held
        )

    same = [sum((suit, rank) in held for suit in range(3)) for rank in range(9)]
    mixed = any(
        all((suit, rank + step) in held for step, suit in enumerate(order))
        for order in itertools.permutations(range(3))
        for rank in range(7)
    )
    if in_suit(4):
        found.append("一色四节高")
    elif in_suit(3):
        found.append("一色三节高")
    elif 3 in same:
        found.append("三同刻")
    elif mixed:
        found.append("三色三节高")
    found += ["双同刻"] * same.count(2)
    found += ["幺九刻"] * sum(rank in (0, 8) for _, rank in held)
    return found


def build_pungs() -> dict[str, np.ndarray]:
    sets = [c for k in range(5) for c in itertools.combinations(range(27), k)]
    masks = np.array([sum(1 << tile for tile in pungs) for pungs in sets], np.uint64)
    factor, shift, slots = hash_and_displace(masks, PUNG_BITS)
    outcomes = Outcomes()
    outcomes([])
    table = np.zeros(1 << PUNG_BITS[1], np.uint8)
    table[slots] = [outcomes(pung_fan(pungs)) for pungs in sets]
    return {
        "pungs": table,
        "pungs_shift": shift,
        "pungs_factor": np.array(factor),
        "pungs_outcomes": outcomes.array(),
    }


# the shape of the four sets and the pair


def shape_fan(concealed: int, chows: int, fiveless: int, inner: int) -> list[str]:
    found = []
    if concealed >= 2:
        found.append({2: "双暗刻", 3: "三暗刻", 4: "四暗刻"}[concealed])
    if fiveless == 0:
        found.append("全带五")
    if chows == 0:
        found.append("碰碰和")
    if inner == 0:
        found.append("全带幺")
    if chows == 4:
        found.append("平和")  # with a pair of honours it is none: see ``honour_pair``
    return found


def build_shape() -> dict[str, np.ndarray]:
    outcomes = Outcomes()
    outcomes([])
    table = np.zeros(1 << 12, np.uint8)
    for index in range(1 << 12):
        concealed, chows = index & 7, index >> 3 & 7
        if concealed + chows <= 4:
            fans = shape_fan(concealed, chows, index >> 6 & 7, index >> 9)
            table[index] = outcomes(fans)
    return {"shape": table, "shape_outcomes": outcomes.array()}


# suits and honours


def _set_rows(kinds: int) -> np.ndarray:
    """Counts of each set: chows, pungs, and one row for none."""
    rows = []
    for start in range(7 if kinds == SUIT_KINDS else 0):
        rows.append([1 if start <= rank < start + 3 else 0 for rank in range(kinds)])
    for tile in range(kinds):
        rows.append([3 if rank == tile else 0 for rank in range(kinds)])
    return np.array([*rows, [0] * kinds])


def divisions(kinds: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Every way to have up to four sets and a pair of ``kinds`` tiles.

    Returns
    -------
    counts, sets, pair
        Divisions that can be (at most four copies), ordered by the code of the counts;
        sets 0-6 are chows by rank (none for honours), then pungs, the last number is
        none; pair is a rank, or ``kinds`` for none.
    counts5, paired5
        Counts and whether there is a pair, with up to five copies.
    """
    rows = _set_rows(kinds)
    chosen = np.array(list(itertools.combinations_with_replacement(range(len(rows)), 4)), np.int64)
    pairs = np.vstack([2 * np.eye(kinds, dtype=np.int64), np.zeros((1, kinds), np.int64)])
    counts = (rows[chosen].sum(axis=1)[:, None, :] + pairs[None]).reshape(-1, kinds)
    sets = np.repeat(chosen, len(pairs), axis=0)
    pair = np.tile(np.arange(kinds + 1), len(chosen))
    formal = (counts.max(axis=1) <= 5) & (counts.sum(axis=1) <= MOST_TILES)
    real = formal & (counts.max(axis=1) <= 4)
    order = np.argsort(counts[real] @ 5 ** np.arange(kinds - 1, -1, -1), kind="stable")
    return (
        counts[real][order],
        sets[real][order],
        pair[real][order],
        counts[formal],
        pair[formal] < kinds,
    )


def _unique_waits(
    counts: np.ndarray, paired: np.ndarray, counts5: np.ndarray, paired5: np.ndarray
) -> np.ndarray:
    """Bit t of each vector: the vector without a tile t waits for t alone.

    The rest of the hand is complete, with the pair where this suit has none. If the
    vector without its tile is complete with a pair, the other suits wait as well.
    """
    kinds = counts.shape[1]
    weights = 6 ** np.arange(kinds - 1, -1, -1)
    complete = np.zeros(6**kinds, np.uint8)
    np.bitwise_or.at(complete, counts5 @ weights, np.where(paired5, 2, 1).astype(np.uint8))
    codes = counts @ weights
    want = np.where(paired, 2, 1)
    unique = np.zeros(len(counts), np.uint16)
    for tile in range(kinds):
        held = counts[:, tile] > 0
        rest = np.where(held, codes - weights[tile], 0)
        # one more copy than five is no vector, but neither is it ever complete
        waits = sum((complete[rest + weight] & want > 0).astype(int) for weight in weights)
        both = ~paired & (complete[rest] & 2 > 0)
        unique |= (held & (waits == 1) & ~both).astype(np.uint16) << np.uint16(tile)
    return unique


def _places(sets: np.ndarray, pair: np.ndarray) -> np.ndarray:
    """Two bits a rank: the first of edge, middle, pair that has its place there."""
    places = np.full((len(sets), SUIT_KINDS), 9, np.uint8)
    rows = np.arange(len(sets))
    for column in sets.T:
        for start in range(7):
            here = rows[column == start]
            places[here, start + 1] = np.minimum(places[here, start + 1], 2)
        places[rows[column == 0], 2] = 1
        places[rows[column == 6], 6] = 1
    single = pair < SUIT_KINDS
    places[rows[single], pair[single]] = np.minimum(places[rows[single], pair[single]], 3)
    places[places == 9] = 0
    return (places.astype(np.uint32) << (2 * np.arange(SUIT_KINDS, dtype=np.uint32))).sum(
        axis=1, dtype=np.uint32
    )


def build_suits() -> dict[str, np.ndarray]:
    """Suits, then honours."""
    parts = [_build_suit(), _build_honour_vectors()]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _build_suit() -> dict[str, np.ndarray]:
    counts, sets, pair, counts5, paired5 = divisions(SUIT_KINDS)
    codes = counts @ 5 ** np.arange(SUIT_KINDS - 1, -1, -1)
    chow = sets < 7
    pung = (sets >= 7) & (sets < 16)
    present = sets < 16
    paired = pair < SUIT_KINDS
    rank = np.where(pung, sets - 7, 0)
    has_five = (chow & (sets >= 2) & (sets <= 4)) | (pung & (rank == 4))
    outer = (sets == 0) | (sets == 6) | (pung & ((rank == 0) | (rank == 8)))
    fiveless = (present & ~has_five).sum(axis=1) + (paired & (pair != 4))
    inner = (present & ~outer).sum(axis=1) + (paired & (pair != 0) & (pair != 8))
    record = (np.where(pung, 1 << rank, 0).sum(axis=1)).astype(np.uint64)
    for bit, number in (
        (CONCEALED, pung.sum(axis=1)),
        (CHOWS, chow.sum(axis=1)),
        (FIVELESS, fiveless),
        (INNER, inner),
        (FIVES, pair == 4),
    ):
        record |= number.astype(np.uint64) << np.uint64(bit)
    begin = np.zeros(len(sets), np.uint32)
    for column in sets.T:
        begin += np.where(column < 7, 1 << (3 * np.minimum(column, 6)), 0).astype(np.uint32)
    code, first, many = np.unique(codes, return_index=True, return_counts=True)
    header = (
        paired[first].astype(np.uint32)
        | present[first].sum(axis=1).astype(np.uint32) << 4
        | (many - 1).astype(np.uint32) << 8
    )
    return {
        "code": code.astype(np.uint32),
        "header": header,
        "unique": _unique_waits(counts[first], paired[first], counts5, paired5),
        "record": record,
        "chow_starts": begin,
        "wait": _places(sets, pair),
    }


def _build_honour_vectors() -> dict[str, np.ndarray]:
    counts, sets, pair, _, _ = divisions(HONOUR_KINDS)
    pungs = sets < HONOUR_KINDS
    paired = pair < HONOUR_KINDS
    mask = np.where(pungs, 1 << np.minimum(sets, 6), 0).sum(axis=1)
    many = pungs.sum(axis=1)
    record = many.astype(np.uint64) << np.uint64(CONCEALED)
    record |= (many + paired).astype(np.uint64) << np.uint64(FIVELESS)
    single = np.where(paired, 1 << np.minimum(pair, 6), 0)
    zero = np.zeros(len(counts), np.uint32)
    code = counts @ 5 ** np.arange(HONOUR_KINDS - 1, -1, -1) + HONOURS
    if len(np.unique(code)) < len(code):
        raise AssertionError("honours that can be divided in two ways")
    header = paired | many << 4 | mask << 12 | np.where(paired, pair + 1, 0) << 19
    return {
        "code": code.astype(np.uint32),
        "header": header.astype(np.uint32),
        "unique": single.astype(np.uint16),
        "record": record,
        "chow_starts": zero,
        "wait": zero,
    }


def build_guobiao() -> dict[str, np.ndarray]:
    """The arrays of guobiao.npz."""
    chows, _ = build_chows()
    return {
        **build_suits(),
        **build_class(),
        **build_honours(),
        **build_win(),
        **chows,
        **build_pungs(),
        **build_shape(),
    }
