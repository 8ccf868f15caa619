"""Hands of the Sichuan family of every kind: by seed, and for hypothesis.

A family is a function of a ``random.Random`` that gives a ``Hand``. Complete hands are built
out of sets and a pair of a small pool; melds, kongs, the winning tile and possible flags are
drawn over them. Wild and waiting hands are made of complete ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from hypothesis import strategies as st

from evaluator.errors import HandError
from evaluator.hands import FLAGS, Hand, Meld

KINDS, SUITED, COPIES = 34, 27, 4
Set = tuple[str, int]
Family = Callable[[Random], Hand]
CHOWS: list[Set] = [("chow", tile) for tile in range(SUITED) if tile % 9 <= 6]
PUNGS: list[Set] = [("pung", tile) for tile in range(SUITED)]
HONOUR_PUNGS: list[Set] = [("pung", tile) for tile in range(SUITED, KINDS)]
TERMINALS = [tile for tile in range(SUITED) if tile % 9 in (0, 8)]

HOW = (
    # flags of a win, of which a hand takes some that it can have
    ("self_drawn",),
    ("self_drawn", "kong"),
    ("self_drawn", "wall_last"),
    ("self_drawn", "wall_last", "kong"),
    ("self_drawn", "heavenly"),
    ("self_drawn", "earthly"),
    ("self_drawn", "last_tile"),
    ("kong",),
    ("kong_discard",),
    ("wall_last",),
    ("wall_last", "kong_discard"),
    ("last_tile",),
)


def members(kind: str, tile: int) -> tuple[int, ...]:
    return (tile, tile + 1, tile + 2) if kind == "chow" else (tile,) * 3


# --- sets and a pair ---


def _build(
    random: Random,
    pool: Sequence[Set],
    pairs: Sequence[int],
    first: Sequence[Set] = (),
) -> tuple[list[Set], int]:
    """Four sets of the pool, ``first`` among them, and a pair; no tile five times."""
    while True:
        chosen, held = list(first), [0] * KINDS
        for kind, tile in first:
            for t in members(kind, tile):
                held[t] += 1
        for _ in range(60):
            if len(chosen) == 4:
                break
            kind, tile = random.choice(pool)
            if all(held[t] + members(kind, tile).count(t) <= COPIES for t in members(kind, tile)):
                for t in members(kind, tile):
                    held[t] += 1
                chosen.append((kind, tile))
        free = [tile for tile in pairs if held[tile] <= 2]
        if len(chosen) == 4 and free:
            return chosen, random.choice(free)


def _dress(
    random: Random,
    sets: Sequence[Set],
    pair: int,
    *,
    melded: float | None = None,
    kongs: float = 0.3,
    chows: bool = False,
) -> Hand:
    """Some sets as melds (chows where the game lets one claim them), some pungs as kongs."""
    if melded is None:
        melded = random.choice((0.0, 0.3, 0.7, 1.0))
    held = [0] * KINDS
    for t in (pair, pair, *(t for block in sets for t in members(*block))):
        held[t] += 1
    concealed, melds = list(held), []
    for kind, tile in sets:
        if random.random() >= melded or (kind == "chow" and not chows):
            continue
        for t in members(kind, tile):
            concealed[t] -= 1
        if kind == "pung" and held[tile] == 3 and random.random() < kongs:
            held[tile] += 1
            kind = random.choice(("kong", "concealed_kong"))
        melds.append(Meld(kind, tile))
    return won(random, concealed, melds)


def won(random: Random, concealed: Sequence[int], melds: Sequence[Meld] = ()) -> Hand:
    """A winning tile (now and then not told), possible flags, a seat."""
    tiles = [tile for tile, n in enumerate(concealed) for _ in range(n)]
    win = random.choice(tiles) if random.random() < 0.95 else None
    seat = random.randrange(4) if random.random() < 0.6 else 0
    return flagged(random, Hand(tuple(concealed), tuple(melds), win, seat_wind=seat))


def flagged(random: Random, hand: Hand) -> Hand:
    """Some way to win that is possible with the hand."""
    if random.random() < 0.3:
        return hand
    for how in random.sample(HOW, len(HOW)):
        if "last_tile" in how and hand.win_tile is None:
            continue
        try:
            return hand.replace(**dict.fromkeys(how, True))
        except HandError:
            continue
    raise AssertionError(hand)


def plain(hand: Hand) -> Hand:
    """Without flags."""
    return hand.replace(**dict.fromkeys(FLAGS, False))


def _suit(random: Random, number: int = 1) -> list[int]:
    return [t for suit in random.sample(range(3), number) for t in range(9 * suit, 9 * suit + 9)]


def _inside(tiles: Sequence[int], pool: Sequence[Set] = (*CHOWS, *PUNGS)) -> list[Set]:
    """Sets of these tiles only."""
    return [block for block in pool if set(members(*block)) <= set(tiles)]


# --- complete hands of two suits ---


def anything(random: Random) -> Hand:
    tiles = _suit(random, 2)
    pool = random.choice((_inside(tiles, CHOWS), _inside(tiles), _inside(tiles)))
    return _dress(random, *_build(random, pool, tiles))


def crowded(random: Random) -> Hand:
    """Sets of few ranks: triplets that are chows as well, roots hidden in chows."""
    low = random.randrange(5)
    tiles = [t for t in _suit(random, random.choice((1, 1, 2))) if low <= t % 9 <= low + 4]
    return _dress(random, *_build(random, _inside(tiles), tiles), melded=random.choice((0, 0, 0.4)))


def pungs(random: Random) -> Hand:
    tiles = _suit(random, random.choice((1, 2, 2)))
    return _dress(random, *_build(random, _inside(tiles, PUNGS), tiles))


def golden_wait(random: Random) -> Hand:
    """金钩钓: four pungs or kongs out."""
    tiles = _suit(random, random.choice((1, 2, 2)))
    built = _build(random, _inside(tiles, PUNGS), tiles)
    return _dress(random, *built, melded=1.0, kongs=random.choice((0.0, 0.5, 1.0)))


def flush(random: Random) -> Hand:
    tiles = _suit(random)
    return _dress(random, *_build(random, _inside(tiles), tiles))


def yaojiu(random: Random) -> Hand:
    """带幺九, and what is nearly it."""
    tiles = _suit(random, random.choice((1, 2)))
    pool = [block for block in _inside(tiles) if set(members(*block)) & set(TERMINALS)]
    pairs = [t for t in tiles if t in TERMINALS]
    return _dress(random, *_build(random, pool, random.choice((pairs, pairs, pairs, tiles))))


def jiang(random: Random) -> Hand:
    """将对, and what is nearly it."""
    tiles = [t for t in _suit(random, 2) if t % 9 in (1, 4, 7)]
    pairs = random.choice((tiles, tiles, tiles, _suit(random)))
    return _dress(random, *_build(random, _inside(tiles, PUNGS), pairs))


def simples(random: Random) -> Hand:
    tiles = [t for t in _suit(random, random.choice((1, 2))) if t not in TERMINALS]
    return _dress(random, *_build(random, _inside(tiles), tiles))


def narrow(random: Random) -> Hand:
    """All of three or four neighbouring ranks, and what is nearly so."""
    low = random.choice((0, 0, 3, 5, 6))
    ranks = range(low, low + (4 if low in (0, 5) and random.random() < 0.5 else 3))
    tiles = [t for t in _suit(random, 2) if t % 9 in ranks]
    pairs = random.choice((tiles, tiles, tiles, _suit(random)))
    return _dress(random, *_build(random, _inside(tiles), pairs))


def straight(random: Random) -> Hand:
    """一条龙."""
    tiles = _suit(random, 2)
    first = 9 * (tiles[0] // 9)
    dragon = [("chow", first + low) for low in (0, 3, 6)]
    return _dress(random, *_build(random, _inside(tiles), tiles, dragon))


def rooted(random: Random) -> Hand:
    """A pung, mostly out, and its fourth tile in a chow."""
    tiles = _suit(random, random.choice((1, 2)))
    kind, low = random.choice(_inside(tiles, CHOWS))
    root = random.choice(members(kind, low))
    first = [("pung", root), (kind, low)]
    built = _build(random, _inside(tiles), tiles, first)
    return _dress(random, *built, melded=random.choice((0.0, 0.8, 1.0)), kongs=0.1)


def seven_pairs(random: Random) -> Hand:
    """None to three fours of a kind, in one suit or two; some are sets as well."""
    tiles = _suit(random, random.choice((1, 2)))
    if random.random() < 0.25:
        # two chows twice, and a pair
        low = [random.choice(_inside(tiles, CHOWS))[1] for _ in range(2)]
        chosen = [t for tile in low for t in members("chow", tile)]
        chosen.append(random.choice([t for t in tiles if chosen.count(t) < 2]))
    else:
        number = random.choice((0, 0, 1, 1, 2, 3))
        among = random.sample(tiles, 7 - number)
        chosen = among + among[:number]
    return won(random, [2 * chosen.count(tile) for tile in range(KINDS)])


def four_kongs(random: Random) -> Hand:
    """十八罗汉."""
    tiles = _suit(random, random.choice((1, 2)))
    *kongs, pair = random.sample(tiles, 5)
    return _dress(random, [("pung", t) for t in kongs], pair, melded=1.0, kongs=0.9)


# --- no wins, and those of other games ---


def three_suits(random: Random) -> Hand:
    """Complete but for 缺门."""
    tiles = list(range(SUITED))
    return _dress(random, *_build(random, _inside(tiles), tiles))


def spoilt(random: Random) -> Hand:
    """A complete hand with one tile changed."""
    hand = random.choice(COMPLETE)(random)
    counts = list(hand.concealed)
    counts[random.choice([t for t, n in enumerate(counts) if n])] -= 1
    counts[random.choice([t for t in range(SUITED) if hand.owned[t] < COPIES])] += 1
    return won(random, counts, hand.melds)


def chow_melds(random: Random) -> Hand:
    """For games that let one claim a chow."""
    tiles = _suit(random, random.choice((1, 2, 3)))
    return _dress(random, *_build(random, _inside(tiles), tiles), chows=True)


def dandong(random: Random) -> Hand:
    """34 kinds, three suits; what 丹东 asks for, or nearly."""
    tiles = list(range(KINDS))
    first = [random.choice(_inside(range(9 * suit, 9 * suit + 9))) for suit in range(3)]
    pool = random.choice((PUNGS + HONOUR_PUNGS, CHOWS, CHOWS + PUNGS + HONOUR_PUNGS))
    if random.random() < 0.3:
        first = [("pung", 9 * suit + random.randrange(9)) for suit in range(3)]
    pairs = random.choice((tiles, TERMINALS, range(SUITED, KINDS)))
    return _dress(random, *_build(random, pool, pairs, first), chows=True, kongs=0.2)


COMPLETE: tuple[Family, ...] = (
    anything,
    crowded,
    pungs,
    golden_wait,
    flush,
    yaojiu,
    jiang,
    simples,
    narrow,
    straight,
    rooted,
    seven_pairs,
    four_kongs,
)
"""Wins of every preset of 27 kinds."""

FAMILIES: tuple[Family, ...] = (*COMPLETE, three_suits, spoilt)
"""And what is none under 缺门."""


# --- wild tiles ---


def wild_kind(indicator: int) -> int:
    return indicator // 9 * 9 + (indicator + 1) % 9


def _take_out(
    random: Random, hand: Hand, wilds: int, indicator: int | None, spoil: float
) -> Hand | None:
    """The hand with so many tiles replaced by wild ones; None if that cannot be.

    Tiles of the wild kind are wild ones, and one copy of the indicator lies on the table.
    """
    counts, left = list(hand.concealed), wilds
    melds = []
    for meld in hand.melds:
        must = meld.size * (indicator is not None and meld.tile == wild_kind(indicator))
        over = indicator is not None and meld.tile == indicator and meld.size == 4
        some = random.choice((0, 0, 0, 1, 2)) if meld.kind != "concealed_kong" else 0
        some = min(left, max(some, int(over)), meld.size - 1) if meld.kind != "chow" else 0
        if must:
            return None
        left -= some
        melds.append(Meld(meld.kind, meld.tile, some))
    natural = list(counts)
    if indicator is not None:
        left -= natural[wild_kind(indicator)]
        natural[wild_kind(indicator)] = 0
    taken = [tile for tile, n in enumerate(natural) for _ in range(n)]
    if not 0 <= left <= len(taken):
        return None
    for tile in random.sample(taken, left):
        natural[tile] -= 1
    if random.random() < spoil and any(natural):
        kinds = [t for t in range(SUITED) if indicator is None or t != wild_kind(indicator)]
        natural[random.choice([t for t, n in enumerate(natural) if n])] -= 1
        natural[random.choice([t for t in kinds if natural[t] < COPIES])] += 1
    win = hand.win_tile
    if win is None or not natural[win] or random.random() < 0.3:
        win = random.choice([None, *(t for t, n in enumerate(natural) if n)])
    bare = plain(hand.replace(concealed=hand.concealed, win_tile=None))
    held_wild = sum(counts) - sum(natural)
    try:
        made = bare.replace(
            concealed=tuple(natural),
            melds=tuple(melds),
            wilds=held_wild,
            win_tile=win,
            indicator=indicator,
        )
    except HandError:
        return None
    if indicator is not None and made.owned[indicator] == COPIES:
        return None
    return flagged(random, made)


def _wild(random: Random, most: int, turned: bool, spoil: float) -> Hand:
    while True:
        hand = random.choice((*COMPLETE, three_suits))(random)
        indicator = random.randrange(SUITED) if turned else None
        if turned and random.random() < 0.4:
            # three of the indicator are worth something
            indicator = random.choice([t for t in range(SUITED) if hand.owned[t]])
        made = _take_out(random, hand, random.randint(1, most), indicator, spoil)
        if made is not None:
            return made


def yibin_wilds(random: Random) -> Hand:
    """One to four 听用, in hand or in a pung; complete, or nearly."""
    return _wild(random, 4, True, 0.15)


def dragon_wilds(random: Random, most: int = 4) -> Hand:
    """红中 as wild tiles, no indicator; complete, or nearly."""
    return _wild(random, most, False, 0.15)


def many_wilds(random: Random) -> Hand:
    """Up to eight of them."""
    return dragon_wilds(random, 8)


WILD: tuple[Family, ...] = (yibin_wilds, dragon_wilds)


# --- waiting hands ---


def waiting(hand: Hand, random: Random) -> Hand:
    """A complete hand before one of its tiles came."""
    counts = list(hand.concealed)
    tiles = [tile for tile, n in enumerate(counts) if n]
    counts[random.choice(tiles) if hand.win_tile is None else hand.win_tile] -= 1
    return plain(hand.replace(win_tile=None)).replace(concealed=tuple(counts))


def ready(random: Random) -> Hand:
    return waiting(random.choice((*COMPLETE, three_suits))(random), random)


def ready_dandong(random: Random) -> Hand:
    return waiting(dandong(random), random)


def dead_wait(random: Random) -> Hand:
    """Without the last tile of four of a kind, as often as that can be: it holds the others."""
    while True:
        hand = plain(random.choice((crowded, rooted, golden_wait, seven_pairs))(random))
        if max(hand.owned) == COPIES:
            roots = [t for t, n in enumerate(hand.owned) if n == COPIES and hand.concealed[t]]
            return waiting(hand.replace(win_tile=random.choice(roots)) if roots else hand, random)


def ready_yibin(random: Random) -> Hand:
    while True:
        hand = yibin_wilds(random)
        if any(hand.concealed):
            return waiting(hand, random)


READY: tuple[Family, ...] = (ready, dead_wait)


def batch(family: Family, n: int, seed: int = 0) -> list[Hand]:
    """The same ``n`` hands for the same seed."""
    random = Random(f"{family.__name__} {seed}")
    return [family(random) for _ in range(n)]


@st.composite
def drawn(draw: st.DrawFn, families: Sequence[Family]) -> Hand:
    """A hand of one of the families; by seed, for the families try until something fits."""
    family = draw(st.sampled_from(tuple(families)))
    return family(Random(draw(st.integers(0, 2**32 - 1))))


def won_hands() -> st.SearchStrategy[Hand]:
    """Complete hands of 27 kinds, and some that are no win."""
    return drawn(FAMILIES)


def wild_hands() -> st.SearchStrategy[Hand]:
    """Hands with one to four wild tiles, complete or nearly."""
    return drawn(WILD)


def ready_hands() -> st.SearchStrategy[Hand]:
    """Waiting hands, dead waits among them."""
    return drawn(READY)
