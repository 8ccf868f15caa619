"""Text to tiles and back; every kind of wrong text, and where it is wrong."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator import errors
from evaluator.errors import Code, EvaluatorError, HandError, NotationError, Reason
from evaluator.hands import FLAGS, MELD_KINDS, Hand, Meld
from evaluator.hands.notation import NOTATIONS, detect, format, format_hand, parse, parse_hand
from evaluator.tiles import CHINESE, NAMES, UNICODE

SAMPLES = [
    line
    for line in (Path(__file__).parent / "golden/notation_samples.txt").read_text().splitlines()
    if not line.startswith("#")
]
FORM = {"mpsz": NAMES, "chinese": CHINESE, "unicode": UNICODE}


def random_hand(seed: int) -> Hand:
    """Any hand that can be, by seed: all sizes, melds, wilds and flags."""
    random = Random(seed)
    left = [4] * 34
    melds: list[Meld] = []
    for _ in range(random.choice((0, 0, 0, 1, 2, 3, 4))):
        kind = random.choice(MELD_KINDS)
        tile = random.randrange(34)
        if kind == "chow":
            tile = random.randrange(3) * 9 + random.randrange(7)
        meld = Meld(kind, tile)
        if kind != "chow" and random.random() < 0.2:
            meld = Meld(kind, tile, random.randrange(1, meld.size))
        need = Counter(meld.tiles)
        need[tile] -= meld.wilds
        if all(left[t] >= n for t, n in need.items()):
            melds.append(meld)
            for t, n in need.items():
                left[t] -= n
    full = 14 - 3 * len(melds)
    size = random.choice([full] * 4 + [full - 1] * 4 + [n for n in range(1, full) if n % 3])
    wilds = min(random.choice((0, 0, 0, 1, 2, 8)), size)
    concealed = [0] * 34
    kinds = random.choice((range(34), range(9), range(18, 34), range(27, 34)))
    for _ in range(size - wilds):
        held = [t for t in kinds for _ in range(left[t])] or [
            t for t in range(34) for _ in range(left[t])
        ]
        tile = random.choice(held)
        concealed[tile] += 1
        left[tile] -= 1
    fields = {
        "win_tile": random.choice([None, *(t for t in range(34) if concealed[t])])
        if size % 3 == 2
        else None,
        "prevalent_wind": random.choice((0, random.randrange(4))),
        "seat_wind": random.choice((0, random.randrange(4))),
        "flowers": random.choice((0, random.randrange(9))),
        "indicator": random.choice((None, random.randrange(34))),
    }
    hand = Hand(tuple(concealed), tuple(melds), wilds=wilds, **fields)
    for _ in range(4):
        flags = {flag: random.random() < 0.3 for flag in FLAGS}
        try:
            return hand.replace(**flags)
        except HandError as error:
            if error.reason != Reason.IMPOSSIBLE_FLAGS:
                raise
    return hand


hands = st.integers(0, 2**32).map(random_hand)


def wrong(text: str, position: int, *parts: str, notation: str | None = None, read=parse_hand):
    """Assert that a text is refused at one position, for a reason that has some words."""
    with pytest.raises(NotationError) as caught:
        read(text, notation)
    error = caught.value
    assert error.text == text
    assert error.position == position, str(error)
    for part in parts:
        assert part in error.reason
    return error


# --- tiles


@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_tile_alone(notation):
    for tile in range(34):
        counts = np.zeros(34, np.uint8)
        counts[tile] = 1
        text = format(counts, notation)
        assert parse(text).nonzero()[0].tolist() == [tile]
        assert parse(text, notation).nonzero()[0].tolist() == [tile]
        if notation in FORM:
            assert text == FORM[notation][tile]


@pytest.mark.parametrize(
    ("text", "mpsz"),
    [
        # suits are characters, dots, bamboos inside: these notations are told apart by it
        ("W2B3T4", "2m3p4s"),
        ("🀈🀑🀛", "2m3p2s"),
        ("二万三筒四条", "2m3p4s"),
        ("2m4s3p", "2m3p4s"),
        # dragons are 白 发 中 inside, 中 发 白 in these notations
        ("J1", "7z"),
        ("J2", "6z"),
        ("J3", "5z"),
        ("🀄", "7z"),
        ("🀅", "6z"),
        ("🀆", "5z"),
        ("C", "7z"),
        ("F", "6z"),
        ("P", "5z"),
        ("中", "7z"),
        ("发", "6z"),
        ("白", "5z"),
        # winds are in one order everywhere, but W is not always west
        ("F1F2F3F4", "1234z"),
        ("🀀🀁🀂🀃", "1234z"),
        ("ESWN", "1234z"),
        ("东南西北", "1234z"),
        ("W1", "1m"),
        ("W1m", "1m3z"),
    ],
)
def test_orders(text, mpsz):
    assert format(parse(text)) == mpsz


@pytest.mark.parametrize(
    ("text", "mpsz"),
    [
        ("123m406p789s11z", "123m456p789s11z"),
        ("0m0p0s", "5m5p5s"),
        ("5m 0 m", "55m"),
        (" 1 2\t3 m\n11z ", "123m11z"),
        ("11z3m2m1m", "123m11z"),
        ("EE2z", "112z"),
        ("一二三萬 123餅 東東", "123m123p11z"),
        ("１２３万伍饼", "123m5p"),
        ("12三万　五五索發", "123m55s6z"),
        ("5條", "5s"),
        ("🀄︎🀄️", "77z"),
        ("W1 W1\u3000B9J3", "11m9p5z"),
        ("W1F4", "1m4z"),
    ],
)
def test_what_parse_reads(text, mpsz):
    assert format(parse(text)) == mpsz


def test_parse_and_format_have_the_shapes_they_promise():
    counts = parse("19m19p19s1234567z")
    assert counts.dtype == np.uint8
    assert counts.shape == (34,)
    assert format(counts[:27]) == "19m19p19s"
    assert format(counts.astype(np.int64)) == format(counts.tolist()) == "19m19p19s1234567z"
    assert format(np.zeros(34, int)) == ""
    # as many tiles as lie on the table: only copies are limited
    assert parse("111122223333444455556666m").sum() == 24
    assert format(parse("123m"), "mahjonggb") == "W1 W2 W3"
    assert format(parse("12m3p3z7z"), "chinese") == "一二万 三筒 西中"


@pytest.mark.parametrize("notation", NOTATIONS)
@given(counts=st.lists(st.sampled_from((0, 0, 1, 2, 4)), min_size=34, max_size=34).filter(any))
@settings(deadline=None, max_examples=50)
def test_counts_round_trip(notation, counts):
    text = format(counts, notation)
    assert parse(text, notation).tolist() == counts
    assert parse(text).tolist() == counts


def test_parse_takes_tiles_only():
    wrong("[123m]11z", 0, "melds: read it with Hand.parse", read=parse)
    wrong("11z[123m]", 3, "melds: read it with Hand.parse", read=parse)
    wrong("11z|EE0000", 3, "read it with Hand.parse", read=parse)
    wrong("11z]", 3, "no bracket", read=parse)


def test_five_copies_have_no_caret():
    with pytest.raises(HandError, match="5 copies of 1m") as caught:
        parse("11111m")
    assert (caught.value.tile, caught.value.count) == (0, 5)
    with pytest.raises(HandError, match="5 copies of 1z"):
        parse_hand("[EEE]EE11m")
    with pytest.raises(HandError, match="300000 copies"):
        parse("1m" * 300_000)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([0] * 33, r"\(34,\) or \(27,\)"),
        (np.zeros((2, 34), int), r"\(34,\) or \(27,\)"),
        ([5] + [0] * 33, "5 copies of 1m"),
        ([0, -1] + [0] * 32, "-1 copies of 2m"),
        ([0.5] * 34, "whole numbers"),
        ("123m", "text"),
    ],
)
def test_format_checks_its_counts(counts, message):
    with pytest.raises(HandError, match=message):
        format(counts)


# --- hands


@given(hand=hands)
@settings(deadline=None, max_examples=250)
def test_hands_round_trip_in_every_notation(hand):
    for notation in NOTATIONS:
        text = format_hand(hand, notation)
        assert parse_hand(text) == hand, text
        assert parse_hand(text, notation) == hand, text
    assert Hand.parse(str(hand)) == hand


def test_random_hands_reach_every_field():
    made = [random_hand(seed) for seed in range(2000)]
    for flag in FLAGS:
        assert any(getattr(hand, flag) for hand in made)
    assert {meld.kind for hand in made for meld in hand.melds} == set(MELD_KINDS)
    assert any(meld.wilds for hand in made for meld in hand.melds)
    assert any(hand.is_complete_size and hand.win_tile is None for hand in made)
    assert any(not any(hand.concealed) for hand in made)
    assert {hand.size for hand in made} == {n for n in range(1, 15) if n % 3}


def naive_gb(text: str) -> tuple:
    """GB-Mahjong text read the obvious way: melds, tiles in order, winds and flags, flowers."""
    parts = text.strip().split("|")
    hand, flags, flowers = [*parts, *("", "EE0000", "0")[len(parts) :]]
    melds = []
    for tiles, claim in re.findall(r"\[(\w+)(,\d)?\]", hand):
        names = re.findall(r"\d(?=\d*[mps])|[A-Z]", tiles)
        suit = tiles[-1] if tiles[-1] in "mps" else ""
        kind = {4: "kong" if claim else "concealed_kong", 3: "pung"}[len(names)]
        if len(set(names)) > 1:
            kind = "chow"
        melds.append((kind, names[0] + suit))
    tiles = []
    for group in re.findall(r"\d+[mps]|[A-Z]", re.sub(r"\[.*?\]", "", hand)):
        tiles += [d + group[-1] for d in group[:-1]] or [group]
    count = int(flowers) if flowers.isdigit() else len(flowers)
    return melds, tiles, flags, count


@pytest.mark.parametrize("text", SAMPLES)
def test_gb_mahjong_texts(text):
    melds, tiles, flags, flowers = naive_gb(text)
    index = {name: tile for tile, name in enumerate((*NAMES[:27], *"ESWNPFC"))}
    hand = parse_hand(text)
    assert [(m.kind, m.tile) for m in hand.melds] == [(kind, index[t]) for kind, t in melds]
    assert hand.concealed == tuple(Counter(index[t] for t in tiles)[i] for i in range(34))
    assert hand.win_tile == (index[tiles[-1]] if len(tiles) % 3 == 2 else None)
    assert hand.prevalent_wind == "ESWN".index(flags[0])
    assert hand.seat_wind == "ESWN".index(flags[1])
    assert [hand.self_drawn, hand.last_tile, hand.wall_last, hand.kong] == [
        flag == "1" for flag in flags[2:]
    ]
    assert hand.flowers == flowers
    for notation in NOTATIONS:
        assert parse_hand(format_hand(hand, notation), notation) == hand


def test_the_win_tile_is_the_last_concealed_one():
    assert parse_hand("1112345678999m5m").win_tile == 4
    assert parse_hand("5m1112345678999m").win_tile == 8
    assert parse_hand("1112345678999m").win_tile is None
    assert parse_hand("11z[123m]").win_tile == 27
    assert parse_hand("2z[123m]1z").win_tile == 27
    assert parse_hand("1z|EE0000|0|wilds=1").win_tile == 27
    assert parse_hand("1z|EE0000|0|wilds=3").win_tile is None
    assert parse_hand("1z|EE0000|0|wilds=1,win=none").win_tile is None
    assert parse_hand("11z|EE0000|0|win=none") == Hand(tuple(parse("11z").tolist()))
    assert parse_hand("|EE0000|0|wilds=2").win_tile is None


MELDS = [
    ("[123m]", Meld("chow", 0)),
    ("[123m,1]", Meld("chow", 0)),
    ("[312m,3]", Meld("chow", 0)),
    ("[406p,2]", Meld("chow", 12)),
    ("[055s]", Meld("pung", 22)),
    ("[EEE]", Meld("pung", 27)),
    ("[EEE,3]", Meld("pung", 27)),
    ("[555z]", Meld("pung", 31)),
    ("[PPPP]", Meld("concealed_kong", 31)),
    ("[PP5z5z , 1 ]", Meld("kong", 31)),
    ("[7777s]", Meld("concealed_kong", 24)),
    ("[7777s,3]", Meld("kong", 24)),
    ("[33*m,1]", Meld("pung", 2, 1)),
    ("[*3*m]", Meld("pung", 2, 2)),
    ("[E**E,1]", Meld("kong", 27, 2)),
    ("[7***s]", Meld("concealed_kong", 24, 3)),
    ("[一二三万]", Meld("chow", 0)),
    ("[中中*,1]", Meld("pung", 33, 1)),
    ("[🀐🀑🀒,1]", Meld("chow", 18)),
    ("[T1T2T3,1]", Meld("chow", 18)),
    ("[W1W1*]", Meld("pung", 0, 1)),
    ("[J1 J1 J1 J1]", Meld("concealed_kong", 33)),
]


@pytest.mark.parametrize(("text", "meld"), MELDS)
def test_melds(text, meld):
    notation = detect(text)
    pair = format(parse("99p"), notation)
    for whole in (text + pair, pair + text):
        assert parse_hand(whole) == Hand(tuple(parse("99p").tolist()), (meld,), 17)


def test_sections():
    hand = parse_hand("[7777s]123m55z|NW1001|3|indicator=9m")
    assert (hand.prevalent_wind, hand.seat_wind) == (3, 2)
    assert (hand.self_drawn, hand.last_tile, hand.wall_last, hand.kong) == (1, 0, 0, 1)
    assert (hand.flowers, hand.indicator) == (3, 8)
    bare = Hand(tuple(parse("1m").tolist()))
    for text in ("1m|EE0000", "1m|EE0000|", "1m|EE0000|0", "1m|EE0000||", "1m | EE0000 | 0 | "):
        assert parse_hand(text) == bare
    for flowers, count in (("8", 8), ("08", 8), ("a", 1), ("hgfedcba", 8), (" bd ", 2)):
        assert parse_hand(f"1m|EE0000|{flowers}").flowers == count
    for text in ("1m|EE0100", "1m|EE0000||last_tile", "1m|EE0100||last_tile"):
        assert parse_hand(text) == bare.replace(last_tile=True)
    hand = parse_hand("1m|EE0000|| kong_discard , wilds=6,wall_last, indicator=中 ")
    assert hand == bare.replace(kong_discard=True, wilds=6, wall_last=True, indicator=33)
    assert parse_hand("11m|EE1000||heavenly").heavenly
    assert parse_hand("11m|EE1000||earthly").earthly


def test_str_is_short_for_a_plain_hand():
    assert str(parse_hand("1m")) == "1m"
    assert str(parse_hand("[EEE,3]1m5z|EE0000|0")) == "[EEE,1]1mP"
    assert str(parse_hand("|EE0000|0|wilds=2")) == "|EE0000|0|wilds=2"
    assert str(parse_hand("11m|EE0000|2")) == "1m1m|EE0000|2"
    assert str(parse_hand("11m|EE0000|0|win=none")) == "11m|EE0000|0|win=none"
    assert str(parse_hand("1m|ES0000||indicator=5z")) == "1m|ES0000|0|indicator=P"


def test_format_hand_in_every_notation():
    hand = parse_hand("[11*m,1][789s][CCCC]12p55z3p|EE0000|0|indicator=1z")
    assert [format_hand(hand, notation) for notation in NOTATIONS] == [
        "[11*m,1][789s,1][7777z]12p55z3p|EE0000|0|indicator=1z",
        "[11*m,1][789s,1][CCCC]12pPP3p|EE0000|0|indicator=E",
        "[一一*万,1][七八九条,1][中中中中]一二筒 白白 三筒|EE0000|0|indicator=东",
        "[🀇🀇*,1][🀖🀗🀘,1][🀄🀄🀄🀄]🀙🀚🀆🀆🀛|EE0000|0|indicator=🀀",
        "[W1 W1*,1][T7 T8 T9,1][J1 J1 J1 J1]B1 B2 J3 J3 B3|EE0000|0|indicator=F1",
    ]


# --- which notation


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("123m", "mpsz"),
        ("EE", "mpsz"),
        ("WWFF", "mpsz"),
        ("WW1m", "mpsz"),
        ("F1m", "mpsz"),
        ("[WWW,1]FF", "mpsz"),
        ("", "mpsz"),
        ("123", "mpsz"),
        ("W1F1", "mahjonggb"),
        ("[W1W2W3,1]F1F1", "mahjonggb"),
        ("B1", "mahjonggb"),
        ("J1W1", "mahjonggb"),
        ("12筒", "chinese"),
        ("東", "chinese"),
        ("１", "chinese"),
        ("🀀", "unicode"),
        # sections do not decide
        ("WW|EE0000|0|indicator=1m", "mpsz"),
        ("W1|EN0000|0|indicator=1m", "mahjonggb"),
        ("FF|W1", "mpsz"),
    ],
)
def test_detection(text, notation):
    assert detect(text) == notation


def test_a_forced_notation_refuses_the_others():
    texts = {
        "mpsz": "123m11z",
        "gb": "123mEE",
        "chinese": "一二三万东东",
        "unicode": "🀇🀈🀉🀀🀀",
        "mahjonggb": "W1W2W3F1F1",
    }
    expected = parse("123m11z").tolist()
    for name, text in texts.items():
        for forced in NOTATIONS:
            if name == forced or {name, forced} == {"mpsz", "gb"}:
                assert parse(text, forced).tolist() == expected
                assert parse_hand(text, forced).concealed == tuple(expected)
            else:
                with pytest.raises(NotationError):
                    parse(text, forced)
                with pytest.raises(NotationError):
                    parse_hand(text, forced)
    wrong("123m", 3, "'m'", "chinese notation", "it is mpsz", notation="chinese")
    wrong("一万", 0, "'一'", "mpsz / gb notation", "it is chinese", notation="gb")
    wrong("123", 0, "must follow its letter", notation="mahjonggb")
    # what both would read, each reads its own way
    assert format(parse("FF", "gb")) == "66z"
    wrong("FF", 1, "a number 1 to 4 must follow F", notation="mahjonggb")


def test_an_unknown_notation_is_named():
    for read in (parse, parse_hand):
        with pytest.raises(NotationError, match="mpsz, gb, chinese, unicode, mahjonggb"):
            read("1m", "tenhou")
    for write in (lambda: format([0] * 34, "x"), lambda: format_hand(parse_hand("1m"), "x")):
        with pytest.raises(NotationError, match="notation must be one of"):
            write()


# --- wrong texts


WRONG = [
    ("", 0, "no tiles"),
    ("  ", 2, "no tiles"),
    ("123", 0, "no suit for 123: write one of m, p, s, z"),
    ("11z 12", 4, "no suit"),
    ("11z2E", 3, "no suit for"),
    ("12[123m]", 0, "no suit"),
    ("一二三", 0, "no suit for 一二三: write one of 万, 筒, 条"),
    ("一二东", 0, "no suit"),
    ("m", 0, "no digits before or after m"),
    ("m1p", 2, "no digits before or after p"),
    ("m E1", 0, "no digits before or after m"),
    ("m1E2", 3, "no suit for"),
    ("m1E2p3", 3, "no suit for"),
    ("m1[p222]34", 8, "no suit for"),
    ("m12[123m]1z", 4, "no suit for"),
    ("[123m]m12", 6, "no digits before m"),
    ("z18", 2, "no 8z: honours are 1z to 7z"),
    ("z0", 1, "no 0z"),
    ("万12", 0, "no digits before 万"),
    ("12mp", 3, "no digits before p"),
    ("万", 0, "no digits before 万"),
    ("18z", 1, "no 8z: honours are 1z to 7z"),
    ("11z9 z", 3, "no 9z"),
    ("10z", 1, "no 0z: 0 is a red five"),
    ("10万", 1, "no 0万"),
    ("１０万", 1, "no ０万"),
    ("123x", 3, "'x' means nothing in mpsz / gb notation"),
    ("11m\x00", 3, r"'\x00' means nothing"),
    ("11m\ud83c\udc04", 3, r"'\ud83c' means nothing"),
    ("11m一万", 3, "it is chinese"),
    ("一万🀀", 2, "'🀀' means nothing in chinese notation, it is unicode"),
    ("11mB1", 3, "it is mahjonggb"),
    ("11mi", 3, "'i' means nothing"),
    ("1b2m", 0, "no suit for"),
    ("m1b2", 3, "no suit for"),
    ("aba11m", 2, "flower a twice"),
    ("a11m[EEE]a", 9, "flower a twice"),
    ("a11m|EE0000|ba", 13, "flower a twice"),
    ("[1a11m]", 1, "no suit for"),
    ("[EaEE]", 2, "] must close the meld here"),
    ("11万a", 3, "'a' means nothing in chinese notation, it is mpsz"),
    ("W1T1a", 4, "'a' means nothing in mahjonggb notation"),
    ("1m|EE0000||indicator=a1m", 21, "the indicator is one tile"),
    *((f"[123m,{d}]1m", 6, f"no {d} here: the digit of a chow is 1, 2 or 3") for d in "0456789"),
    *((f"[333m,{d}]1m", 6, f"no {d} here: the digit of a pung is 1, 2 or 3") for d in "0456789"),
    *((f"[3*3m , {d}]1m", 8, f"no {d} here: the digit of a pung") for d in "0456789"),
    *((f"[E*EE,{d}]1m", 6, f"no {d} here: the digit of a kong is 1, 2 or 3") for d in "0489"),
    ("[EE12m,8]", 0, "no set"),
    ("11m²", 3, "'²' means nothing"),
    ("T0", 1, "no T0: there are T1 to T9"),
    ("J4", 1, "no J4: there are J1 to J3"),
    ("T1F5", 3, "no F5: there are F1 to F4"),
    ("T1W", 3, "a number 1 to 9 must follow W"),
    ("T1W 2", 3, "a number 1 to 9 must follow W"),
    ("T1B٣", 3, "a number 1 to 9 must follow B"),
    ("T12", 2, "must follow its letter"),
    ("🀇🀢", 1, "means nothing in unicode"),
    ("🀇2", 1, "means nothing in unicode"),
    ("[123m11z", 0, "never closed"),
    ("11z[123m|EE0000", 3, "never closed"),
    ("[123m[123m]", 0, "never closed"),
    ("11z[123m,1", 3, "never closed"),
    ("[123]", 1, "no suit"),
    ("11z]", 3, "no bracket is open"),
    ("11z,1", 3, "in brackets only"),
    ("11z*", 3, "wild tile of a meld"),
    ("[124m]", 0, "no set"),
    ("[113m]", 0, "no set"),
    ("11z[1234m]", 3, "no set"),
    ("[12m]", 0, "no set"),
    ("[]", 0, "no set"),
    ("[11111m]", 0, "no set"),
    ("[89m1p]", 0, "no set"),
    ("[123z]", 0, "no set"),
    ("[ESW]", 0, "no set"),
    ("[9m1p2p]", 0, "no set"),
    ("[***m]", 4, "no digits before or after m"),
    ("[***]", 0, "no set: * can stand in"),
    ("[12*m]", 0, "no set: * can stand in"),
    ("[1****m]", 0, "no set: * can stand in"),
    ("[123m,]", 6, "claimed"),
    ("[123m,0]", 6, "claimed"),
    ("[123m,x]", 6, "claimed"),
    ("[123m,", 6, "claimed"),
    ("[123m,12]", 7, "] must close the meld here"),
    ("[123m,1,1]", 7, "] must close the meld here"),
    ("1m|", 3, "the prevalent wind"),
    ("1m||", 3, "the prevalent wind"),
    ("1m|X", 3, "the prevalent wind"),
    ("1m|e", 3, "the prevalent wind"),
    ("1m|E", 4, "the seat wind"),
    ("1m|E E0000", 4, "the seat wind"),
    ("1m|EC0000", 4, "the seat wind"),
    ("1m|EE", 5, "0 or 1 for self_drawn"),
    ("1m|EE2000", 5, "0 or 1 for self_drawn"),
    ("1m|EE000", 8, "0 or 1 for kong"),
    ("1m|EE00 0", 7, "0 or 1 for wall_last"),
    ("1m|EE00000", 9, "six characters"),
    ("1m|EE0000|x", 10, "a number 0 to 8, or letters a to h"),
    ("1m|EE0000|ai", 11, "a number 0 to 8, or letters a to h"),
    ("1m|EE0000|1a", 10, "a number 0 to 8, or letters a to h"),
    ("1m|EE0000|٣", 10, "a number 0 to 8, or letters a to h"),
    ("1m|EE0000|aba", 12, "flower a twice"),
    ("1m|EE0000|-1", 10, "a number 0 to 8"),
    ("1m|EE0000|" + "9" * 5000, 10, "a number 0 to 8"),
    ("1m|EE0000|0||", 12, "one section too many"),
    ("1m|EE0000|| kong |x", 17, "one section too many"),
    ("1m|EE0000||x", 11, "'x' means nothing here: write wilds=, indicator=, win=none, self_drawn"),
    ("1m|EE0000||Heavenly", 11, "means nothing here"),
    ("1m|EE0000||kong=1", 11, "means nothing here"),
    ("1m|EE0000||kong,", 15, "nothing follows this comma"),
    ("1m|EE0000||kong,,wilds=1", 16, "means nothing here"),
    ("1m|EE0000||kong,kong", 16, "kong appears twice"),
    ("1m|EE0000||wilds=1, wilds=1", 20, "wilds appears twice"),
    ("1m|EE0000||wilds", 16, "wilds are a number"),
    ("1m|EE0000||wilds=", 17, "wilds are a number"),
    ("1m|EE0000||wilds=x", 17, "wilds are a number"),
    ("1m|EE0000||wilds=" + "1" * 5000, 17, "wilds are a number"),
    ("1m|EE0000||indicator=", 21, "one tile"),
    ("1m|EE0000||indicator=12m", 21, "one tile"),
    ("1m|EE0000||indicator=[111m]", 21, "one tile"),
    ("1m|EE0000||indicator=8z", 21, "no 8z"),
    ("1m|EE0000||indicator=1x", 22, "'x' means nothing"),
    ("1m|EE0000||win=1m", 15, "only win=none"),
    ("1m|EE0000||win", 14, "only win=none"),
]


@pytest.mark.parametrize(("text", "position", "part"), WRONG)
def test_wrong_texts(text, position, part):
    wrong(text, position, part)


def test_wrong_numbers_are_the_hands_business():
    for text, message in (
        ("1m|EE0000|9", "flowers must be 0 to 8, got 9"),
        ("1m|EE0000||wilds=9", "9 wild tiles; a hand holds 0 to 8"),
        ("123m", "3 tiles"),
        ("[123m]", "0 tiles"),
        ("11z|EE0000||heavenly", "a heavenly hand wins by self-draw: set self_drawn"),
    ):
        with pytest.raises(HandError, match=message):
            parse_hand(text)


@pytest.mark.parametrize("value", [None, b"123m", bytearray(b"1m"), 5, np.bytes_(b"1m")])
def test_what_is_no_text(value):
    for read in (parse, parse_hand):
        with pytest.raises(NotationError, match=f"from a str.*, not from {type(value).__name__}"):
            read(value)
    if isinstance(value, bytes):
        with pytest.raises(NotationError, match="decode it first"):
            parse(value)


# --- suits before their digits, flowers among tiles, numbers of tiles


def suits_first(hand: Hand) -> str:
    """The concealed tiles and melds of a hand, the suit of each before its digits."""
    text = ""
    for meld in hand.melds:
        tiles = [NAMES[tile] for tile in meld.tiles][: meld.size - meld.wilds]
        text += f"[{tiles[0][1]}{''.join(name[0] for name in tiles)}{'*' * meld.wilds}"
        text += ",1]" if meld.is_open else "]"
    held = list(hand.concealed)
    if hand.win_tile is not None:
        held[hand.win_tile] -= 1
    names = [NAMES[tile] for tile, count in enumerate(held) for _ in range(count)]
    if hand.win_tile is not None:
        names.append(NAMES[hand.win_tile])
    before = ""
    for name in names:
        text += name[0] if name[1] == before else name[::-1]
        before = name[1]
    written = format_hand(hand, "gb")
    return text + (written[written.index("|") :] if "|" in written else "")


def adorned(hand: Hand, random: Random) -> str:
    """The hand with digits of claims and letters of flowers wherever they may stand."""
    text = format_hand(hand, random.choice(("gb", "mpsz")))
    for meld in hand.melds:
        if meld.is_open:
            digits = "123567" if meld.kind == "kong" else "123"
            text = text.replace(",1]", f",{random.choice(digits)}>", 1)
    text = text.replace(">", "]")
    letters = random.sample("abcdefgh", hand.flowers)
    bars = text.split("|")
    stays = random.randrange(len(letters) + 1)
    if len(bars) > 2:
        bars[2] = random.choice(("".join(letters[:stays]), str(stays)))
    else:
        stays = 0
    pieces = re.findall(r"\[[^]]*\]|[0-9]+[mpsz]|[A-Z]", bars[0])
    for letter in letters[stays:]:
        pieces.insert(random.randrange(len(pieces) + 1), letter)
    return "|".join(["".join(pieces), *bars[1:]])


def test_suits_before_their_digits():
    assert parse("m123p456z11").tolist() == parse("123m456p11z").tolist()
    assert parse("m1m2m3").tolist() == parse(" m1 2 3").tolist() == parse("123m").tolist()
    assert parse("m406E s12 F").tolist() == parse("406mE12sF").tolist()
    assert parse("Em1").tolist() == parse("1mE").tolist()
    hand = parse_hand("[m123,1][E*E]p123z1m5|EE1000|0|indicator=z5")
    assert hand == parse_hand("[123m,1][E*E]123p1z5m|EE1000|0|indicator=5z")
    assert parse_hand("[EEE, 3]m1").concealed[0] == 1
    for seed in range(300):
        hand = random_hand(seed)
        assert parse_hand(suits_first(hand)) == hand


def test_flowers_among_the_tiles():
    hand = parse_hand("a5sghWSW[3333m,6]78m2s5s|EE0000|dc")
    assert hand == parse_hand("[3333m,1]78m2s5sSWW5s|EE0000|5")
    assert parse_hand("ab11m|EE0000|3").flowers == 5
    assert parse_hand("11mh").win_tile == 0
    with pytest.raises(HandError, match="flowers must be 0 to 8, got 9"):
        parse_hand("ab11m|EE0000|7")
    with pytest.raises(NotationError, match=r"Hand\.parse") as caught:
        parse("1ma")
    assert caught.value.position == 2
    random = Random(7)
    for seed in range(300):
        hand = random_hand(seed)
        assert parse_hand(adorned(hand, random)) == hand


def test_numbers_of_tiles():
    assert parse([0, 1, 2, 33]).tolist() == parse("123m7z").tolist()
    assert parse((0, 4, 8, 135), ids="tile").tolist() == parse("123m7z").tolist()
    assert parse(np.array([0, 1, 2], np.uint8)).tolist() == parse("123m").tolist()
    ready = [*range(9), 9, 9, 27, 28]
    assert Hand.parse(ready) == Hand.parse("123456789m11p12z")
    assert Hand.parse([*ready, 29]) == Hand.parse("123456789m11p123z")
    assert Hand.parse([29, *ready]).win_tile == 28
    assert Hand.parse([4 * tile + 3 for tile in (1, 0)], ids="tile") == Hand.parse("2m1m")
    for numbers, ids, part in (
        ([34], "kind", "tile 34 does not exist: tiles are 0 to 33"),
        ([-1], "kind", "tile -1 does not exist"),
        ([136], "tile", "tile 136 does not exist: tiles are 0 to 135"),
        ([5, 5], "tile", "the physical tile 5 (2m (二万)) is there twice"),
        ([0] * 5, "kind", "5 copies of 1m"),
        ([0.5], "kind", "whole numbers"),
        (["1m"], "kind", "whole numbers"),
        ([True], "kind", "whole numbers"),
        ([[0, 1]], "kind", "tiles must have shape (k,)"),
        ([], "kind", "tiles must have shape (k,)"),
        ([0], "id", "ids must be one of kind, tile, got 'id'"),
    ):
        for read in (parse, Hand.parse):
            with pytest.raises(HandError) as caught:
                read(numbers, ids=ids)
            assert part in str(caught.value), numbers


def test_str_subclasses_are_text():
    assert parse(np.str_("11z")).tolist() == parse("11z").tolist()


def test_the_caret_stands_under_the_wrong_character():
    with pytest.raises(NotationError) as caught:
        parse("123m8z")
    assert str(caught.value) == ("no 8z: honours are 1z to 7z (at character 5)\n  123m8z\n      ^")
    with pytest.raises(NotationError) as caught:
        parse("一二三万x")
    # a Chinese character is two columns wide
    assert str(caught.value).splitlines()[1:] == ["  一二三万x", "          ^"]


def test_a_long_text_is_read_in_one_pass():
    for text in ("1" * 10**6, "1m 2m " * 10**5, "[" * 10**6, " " * 10**6, "|" * 10**6):
        with pytest.raises(EvaluatorError):
            parse_hand(text)


@given(text=st.text("0123456789mpszESWNCFPWBTFJ一万东🀀🀇[],*|=| ", max_size=30))
@settings(deadline=None, max_examples=300)
def test_any_text_is_read_or_refused(text):
    refused = None
    try:
        hand = parse_hand(text)
    except EvaluatorError as error:
        refused = error
    if refused is None:
        assert parse_hand(str(hand)) == hand
    elif isinstance(refused, NotationError):
        assert 0 <= refused.position <= len(text)
        assert str(refused)
    else:
        assert isinstance(refused, HandError)


def test_importing_notation_does_not_import_numba():
    code = (
        "import sys, evaluator.hands.notation, evaluator.hands.arrow.texts\n"
        "evaluator.hands.notation.parse_hand('123m11z|EE1000|0')\n"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_is_wrong_in_chinese():
    for text, said, code in (
        (
            "123m8z",
            "没有 8z：字牌是 1z 到 7z（第 5 个字符）\n  123m8z\n      ^",
            Code.NO_SUCH_HONOUR,
        ),
        ("[333m,6]1m", "这里不能是 6：刻子的数字是 1、2 或 3，表示碰自哪家", Code.BAD_PUNG_CLAIM),
        (
            "1m|EE0000||indicator=8z",
            "字牌是 1z 到 7z（第 22 个字符）",
            Code.NO_SUCH_HONOUR,
        ),
        ("12", "12 没有花色：请写 m、p、s、z 之一", Code.NO_SUIT),
    ):
        with pytest.raises(NotationError) as caught:
            parse_hand(text)
        assert caught.value.code is code
        assert said in errors.message(caught.value, "zh")
    assert errors.message(caught.value.at(3), "zh").startswith("手牌 3：12 没有花色")
