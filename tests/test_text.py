"""Bulk reading equals reading line by line, for good lines and wrong ones."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest
from evaluator.textlines import LineBatch, parse_lines
from hypothesis import given, settings
from hypothesis import strategies as st
from test_notation import MELDS, SAMPLES, WRONG, random_hand

from evaluator import hands, notation, textlines
from evaluator.errors import HandError, NotationError, Reason
from evaluator.hands import Hand, Hands
from evaluator.kernels import text as kernel
from evaluator.notation import NOTATIONS, format_hand, parse_hand

ALPHABET = (
    "00123456789mpszESWNCFPWBTFJ一五伍万筒索東中５🀀🀇🀐🀙🀄️[[]],**|| \t\r\u3000\xa0#=_abh"
    "\x00x²\U0001f02b\U0001f90e\U00017000"
)
PIECES = (
    *("[123m,1]", "[EEE]", "[7777s]", "[33*m,1]", "|EE0000", "|NW1011", "|0", "|3|", "|abh|"),
    *("wilds=1", "wilds=12", "indicator=W1", "indicator=1m", "indicator=中", "indicator=F"),
    *("win=none", "kong", "kong_discard", "heavenly", "last_tile", ",", ", ", "W1", "406p", "8z"),
)


def damaged(random: Random, text: str) -> str:
    """The text with a few characters dropped, doubled, swapped, changed or put in."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        at = random.randrange(len(text) + 1)
        new = random.choice((random.choice(ALPHABET), random.choice(PIECES)))
        text = random.choice(
            (
                text[:at] + new + text[at:],
                text[:at] + new + text[at + 1 :],
                text[:at] + text[at + 1 :],
                text[:at] + text[at : at + 1] + text[at:],
                text[:at] + text[at + 1 : at + 2] + text[at : at + 1] + text[at + 2 :],
                text[:at],
                text.replace("|", random.choice((" |", "| ", "||")), 1),
                text.upper(),
            )
        )
    return text.replace("\n", "")


def random_line(random: Random) -> bytes:
    kind = random.random()
    if kind < 0.08:
        return random.choice(
            (b"", b"  \t", b"# 123m", b" \xe3\x80\x80#", b"\xc2\xa0", b"#" * 300, b" " * 300)
        )
    text = format_hand(random_hand(random.randrange(2**32)), random.choice(NOTATIONS))
    if kind < 0.5:
        text = damaged(random, text)
    elif kind < 0.55:
        text = "".join(random.choices(ALPHABET, k=random.randrange(12)))
    line = text.encode("utf-8", "surrogatepass")
    if random.random() < 0.05 and line:
        at = random.randrange(len(line))
        line = line[:at] + bytes([random.choice((0x80, 0xC0, 0xE4, 0xED, 0xF0, 0xFF, 0))]) + line[
            at + random.randrange(3) :
        ]  # fmt: skip
    if random.random() < 0.02:
        line = b" " * 250 + line
    return line.replace(b"\n", b"")


def one_by_one(data: bytes) -> tuple[list, list[int], int]:
    """What parse_lines must find: hands or errors, their lines, how many lines there are."""
    found: list[Hand | NotationError | HandError] = []
    lines = []
    pieces = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if not pieces[-1]:
        pieces.pop()
    for number, piece in enumerate(pieces):
        text = piece.removesuffix(b"\r").decode("utf-8", "surrogateescape")
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        lines.append(number)
        try:
            found.append(parse_hand(text))
        except (NotationError, HandError) as error:
            found.append(error)
    return found, lines, len(pieces)


def assert_equal_to_one_by_one(data: bytes) -> None:
    batch = parse_lines(data)
    found, lines, line_count = one_by_one(data)
    assert batch.lines.tolist() == lines
    assert batch.line_count == line_count
    assert len(batch) == len(found)
    good = [row for row, hand in enumerate(found) if isinstance(hand, Hand)]
    assert sorted(batch.errors) == [row for row in range(len(found)) if row not in good]
    assert batch.hands[good] == Hands.from_hands([found[row] for row in good])
    for row, error in batch.errors.items():
        assert type(error) is type(found[row])
        assert vars(error) == vars(found[row])
        assert not batch.hands.concealed[row].any()


@given(seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=120)
def test_equals_one_by_one(seed):
    random = Random(seed)
    end = random.choice((b"\n", b"\r\n"))
    lines = [random_line(random) for _ in range(40)]
    data = end.join(lines) + random.choice((b"", end))
    assert_equal_to_one_by_one(random.choice((b"", b"", b"\xef\xbb\xbf")) + data)


@given(text=st.text(ALPHABET + "\n", max_size=80))
@settings(deadline=None, max_examples=150)
def test_equals_one_by_one_for_any_text(text):
    assert_equal_to_one_by_one(text.encode("utf-8", "surrogatepass"))


@given(data=st.binary(max_size=60))
@settings(deadline=None, max_examples=100)
def test_equals_one_by_one_for_any_bytes(data):
    assert_equal_to_one_by_one(data)


BORDERS = (
    # numbers that do not exist, or do not in this notation
    *("7z", "8z", "9z", "0z", "0m", "0万", "[E0z]", "J3", "J4", "J0", "F4", "F5", "B9", "B0", "W:"),
    *(
        "1m|EE0000||indicator=" + tile
        for tile in ("0m", "0万", "8z", "J4", "F5", "E", "🀀", "3", "m")
    ),
    # sets, and what only looks like one
    *(
        f"{meld}11z"
        for meld in ("[113m]", "[133m]", "[122m]", "[124m]", "[789m]", "[891m]", "[812p]")
    ),
    *(f"{meld}11z" for meld in ("[89m1p]", "[9m1p2p]", "[234z]", "[567z]", "[SWN]", "[9s1z2z]")),
    *(f"{meld}11z" for meld in ("[1m]", "[11m]", "[1111m]", "[11111m]", "[1111*m]", "[11***m]")),
    *(
        f"{meld}11z"
        for meld in ("[***]", "[12*m]", "[*]", "[]", "[1****m]", "[123m,9]", "[123m,0]")
    ),
    *("11z[123m", "11z[", "[[123m]]11z", "11z[123m|EE0000", "[123m,1", "[123m,", "11z,1", "11z*"),
    "[123m]" * 4 + "1m",
    "[123m]" * 5 + "1m",
    # copies and sizes
    *("1111m", "11111m", "[111m]11z1m", "[111m]11m", "[11*m]11m", "[11*m]111m1z", "[1111m]1m"),
    *("11m|EE0000||wilds=8", "11m|EE0000||wilds=9", "1m|EE0000|8", "1m|EE0000|9", "1m|EE0000|12"),
    *(
        "[111m]1122233334444p",
        "[111m]11222333444p",
        "[111m]1p|EE0000||wilds=8",
        "123456789m1234567z",
    ),
    *("[EEE]123456789m11p", "[EEE]123456789m1122p", "[EEE][SSS][WWW][NNN]11m", "1234m" * 20),
    *("|EE0000", "|EE0000||wilds=1", "|EE0000||wilds=3", "[EEE]|EE0000||wilds=2", "[EEE]|EE0000"),
    # flags that cannot be, and those that just can
    *("11m|EE0100", "12m|EE0100", "111m2m|EE0100", "2111m4m|EE0100", "1m|EE0100"),
    *(
        "[1111p]11m|EE1001",
        "[111p]11m|EE1001",
        "11m|EE1001",
        "1m|EE1001",
        "12m|EE0001",
        "11m|EE0001",
    ),
    *("[123m]51m|EE0001", "[123m]44m1m1m1m|EE0001", "[123m]45m|EE0001", "12m|EE0011", "1m|EE0011"),
    *("12m|EE1000||kong_discard", "12m|EE0001||kong_discard", "1m|EE0001||kong_discard"),
    *("12m|EE1000||heavenly", "12m|EE0000||heavenly", "1m|EE0000||heavenly", "12m|EE0000||earthly"),
    *("12m|EE1010||heavenly", "1m|EE1010||earthly", "12m|EE1000||heavenly,earthly"),
    *(f"{meld}12m|EE1000||earthly" for meld in ("[111p]", "[1111p]", "[1111p,1]", "[123p]")),
    # the last sections
    *(
        "1m|EE0000|aa",
        "1m|EE0000|ah",
        "1m|EE0000|i",
        "1m|EE0000||kong,kong",
        "1m|EE0000||kong_discard",
    ),
    *("1m|EE0000||kong,", "1m|EE0000||,", "1m|EE0000||kong_", "1m|EE0000||kong_x", "1m|EE0000|||"),
    *(
        "1m|EE0000||wilds=1,wilds=1",
        "1m|EE0000||win=none,win=none",
        "1m|EE0000||wilds=",
        "1m|EE0000||w",
    ),
    *(
        "1m|EE0000||indicator=",
        "1m|EE0000||indicator=,kong",
        "1m|EE0000||kong,win=none,indicator=W1",
    ),
)
"""Lines on both sides of every border that the kernel draws."""

BYTES = (
    # white space in more bytes than it needs, or without its first one: no UTF-8
    *(
        b"11z\xe0\x82\xa0",
        b"11z\x82\xa0",
        b"11z\xc2\xa0",
        b"11z\xc2",
        b"11z\xe4\xb8",
        b"11z\xf0\x9f",
    ),
    *(b"11z\xf0\x9f\x80", b"11z\xf0\x9f\x81\x87", b"11z\xf0\x9e\x80\x87", b"11z\xed\xa0\x80"),
    *(b"\xf0\x9f\x80\x80" * 2, b"\xf0\x9f\x80\x40" * 2, b"\xe4\xb8\x11\xe4\xb8\x87"),
    # longer than what the kernel keeps of a line
    *(b"11z" + b" " * n + b"22z" for n in (240, *range(248, 260), 300, 310)),
    *(b" " * n + b"11z22z" for n in (240, *range(248, 260), 300, 310)),
    *(b" " * n + b"# 11z" for n in (250, 255, 256, 257, 300)),
)


def test_borders():
    lines = [line.encode("utf-8", "surrogatepass") for line in BORDERS]
    lines += [text.encode("utf-8", "surrogatepass") for text, *_ in WRONG]
    lines += [text.encode() + b"99p" for text, _ in MELDS]
    lines += BYTES
    for line in lines:
        assert_equal_to_one_by_one(line)
    assert_equal_to_one_by_one(b"\n".join(lines))


def test_every_short_ending():
    """A line cut anywhere, also in the middle of a character, at the end of the data."""
    for text in (
        "[33*m,1]123m55z|NW1000|ab|kong_discard,wilds=2,indicator=E,win=none",
        "[一一*万,1]一二筒 白白 三筒|EE0000|0|indicator=东",
        "[🀇🀇*,1]🀙🀚🀆🀆🀛|EE0000|0|indicator=🀀",
        "[W1 W1*,1]B1 B2 J3 J3 B3|EE0000|0|indicator=F1",
    ):
        line = text.encode()
        for end in range(len(line) + 1):
            assert_equal_to_one_by_one(line[:end])
            assert_equal_to_one_by_one(line[:end] + b"\n1m")


@pytest.mark.parametrize("name", NOTATIONS)
def test_the_kernel_reads_what_is_written(name, monkeypatch):
    """Well-formed lines must not go through the slow reader."""
    made = [random_hand(seed) for seed in range(3000)]
    data = "\n".join(format_hand(hand, name) for hand in made).encode()
    monkeypatch.setattr(textlines, "parse_hand", None)
    batch = parse_lines(data)
    assert not batch.errors
    assert batch.hands == Hands.from_hands(made)


def test_the_kernel_reads_gb_mahjong_texts(monkeypatch):
    made = [parse_hand(text) for text in SAMPLES]
    monkeypatch.setattr(textlines, "parse_hand", None)
    assert parse_lines("\r\n".join(SAMPLES).encode()).hands == Hands.from_hands(made)


def test_blank_lines_and_comments_have_no_row():
    data = b"# hands\n\n11z\n  \t\n#\n12x\r\n\xe3\x80\x80\n  # 1m\n[12m]55m\n2m\n"
    batch = parse_lines(data)
    assert batch.line_count == 10
    assert batch.lines.tolist() == [2, 5, 8, 9]
    assert [batch.hands[row] for row in (0, 3)] == [parse_hand("11z"), parse_hand("2m")]
    assert (batch.errors[1].text, batch.errors[1].position) == ("12x", 2)
    assert (batch.errors[2].text, batch.errors[2].position) == ("[12m]55m", 0)
    assert batch.reasons.tolist() == [0, Reason.NOTATION, Reason.NOTATION, 0]


def test_wrong_hands_keep_their_reason():
    batch = parse_lines(b"11111m\n123m\n11z|EE0000||heavenly\n1m|EE0000|9\n1m")
    assert batch.reasons.tolist() == [
        Reason.COUNT_ABOVE_FOUR,
        Reason.BAD_SIZE,
        Reason.IMPOSSIBLE_FLAGS,
        Reason.BAD_FLOWERS,
        Reason.OK,
    ]
    assert batch.hands.wilds.tolist() == [0] * 5
    assert batch.hands.win_tile.tolist() == [hands.NONE] * 5
    assert all(error.__traceback__ is None for error in batch.errors.values())


def test_nothing_to_read():
    for data in (b"", b"\n", b"\n\n#", b"\xef\xbb\xbf"):
        batch = parse_lines(data)
        assert len(batch) == 0
        assert batch.hands.concealed.shape == (0, 34)
        assert batch.lines.shape == (0,)


def test_every_kind_of_buffer():
    data = b"11z\n123m[123m]1s\n"
    expected = parse_lines(data).hands
    for buffer in (bytearray(data), memoryview(data), np.frombuffer(data, np.uint8)):
        assert parse_lines(buffer).hands == expected
    assert parse_lines(memoryview(b"x" + data)[1:]).hands == expected
    with pytest.raises(NotationError, match="bytes"):
        parse_lines("11z")


def test_pieces_in_threads_are_the_whole():
    random = Random(5)
    lines = [random_line(random) + b"\n" for _ in range(4000)]
    pieces = [b"".join(lines[at : at + 300]) for at in range(0, len(lines), 300)]
    with ThreadPoolExecutor(4) as pool:
        joined = LineBatch.concat(pool.map(parse_lines, pieces))
    whole = parse_lines(b"".join(lines))
    assert joined.hands == whole.hands
    assert joined.lines.tolist() == whole.lines.tolist()
    assert joined.line_count == whole.line_count
    assert joined.errors.keys() == whole.errors.keys()
    assert all(vars(e) == vars(whole.errors[row]) for row, e in joined.errors.items())
    assert len(LineBatch.concat([])) == 0


def test_one_numbering():
    """The kernel repeats numbers that are said elsewhere."""
    for name in ("DIGIT", "SUIT", "PREFIX", "SPACE", "OPEN", "CLOSE", "COMMA", "WILD", "BAR"):
        assert getattr(kernel, name) == getattr(notation, name)
    assert kernel.UNKNOWN == notation.UNKNOWN
    assert kernel.NONE == hands.NONE
    assert hands.Meld("pung", 0).id == kernel.FIRST_PUNG
    assert hands.Meld("kong", 0).id == kernel.FIRST_KONG
    assert hands.Meld("concealed_kong", 0).id == kernel.FIRST_CONCEALED_KONG
    assert len(hands.FLAGS) == kernel.FLAG_WORDS
    for bit, flag in enumerate(hands.FLAGS):
        assert getattr(kernel, flag.upper()) == 1 << bit
