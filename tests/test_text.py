"""Reading a column of text equals reading text by text, right ones and wrong ones."""

from __future__ import annotations

from random import Random

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_notation import MELDS, SAMPLES, WRONG, adorned, random_hand, suits_first

from evaluator.errors import HandError, NotationError, Reason
from evaluator.hands import (
    Hand,
    Hands,
    notation,
)
from evaluator.hands import hand as hands
from evaluator.hands.arrow import texts as handtexts
from evaluator.hands.arrow.texts import read_texts, split_run
from evaluator.hands.arrow.wrong import one_line
from evaluator.hands.kernels import (
    text as kernel,
)
from evaluator.hands.notation import (
    NOTATIONS,
    format_hand,
    parse_hand,
)

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
    hand = random_hand(random.randrange(2**32))
    text = random.choice((adorned(hand, random), suits_first(hand)))
    if random.random() < 0.6:
        text = format_hand(hand, random.choice(NOTATIONS))
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


def column(texts: list[bytes], kind: pa.DataType | None = None) -> pa.Array:
    """Bytes as text, whether they are or not."""
    kind = kind or pa.string()
    wide = pa.types.is_large_string(kind)
    array = pa.array(texts, pa.large_binary() if wide else pa.binary())
    return pa.Array.from_buffers(kind, len(array), array.buffers())


def one_by_one(text: str) -> Hand | NotationError | HandError:
    """What read_texts must find."""
    if not text.strip() or text.lstrip().startswith("#"):
        return HandError("no hand", reason=Reason.NOTATION)
    error = split_run(text)
    if error is not None:
        return error
    try:
        return parse_hand(text)
    except (NotationError, HandError) as error:
        return error


def assert_equal_to_one_by_one(texts: list[bytes]) -> None:
    batch = read_texts(column(texts))
    found = [one_by_one(text.decode("utf-8", "surrogateescape")) for text in texts]
    good = [row for row, hand in enumerate(found) if isinstance(hand, Hand)]
    assert batch.hands[good] == Hands.from_hands([found[row] for row in good])
    assert batch.wrong.rows.tolist() == [row for row in range(len(found)) if row not in good]
    messages = batch.wrong.messages().to_pylist()
    for row, (text, error) in enumerate(zip(texts, found, strict=True)):
        if isinstance(error, Hand):
            assert messages[row] is None
            continue
        said = one_line(error).encode("utf-8", "replace").decode()
        assert (text, messages[row]) == (text, said)
        assert type(batch.wrong[row]) is type(error)
        if isinstance(error, HandError):
            assert batch.wrong[row].reason == error.reason
        assert not batch.hands.concealed[row].any()


@given(seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=120)
def test_equals_one_by_one(seed):
    random = Random(seed)
    texts = [random_line(random) for _ in range(40)]
    # what is wrong in the same way has one number, whatever stands around it
    texts += [b" " * random.randrange(4) + text + b" " for text in texts]
    assert_equal_to_one_by_one(texts)


@given(texts=st.lists(st.text(ALPHABET + "\n", max_size=30), max_size=8))
@settings(deadline=None, max_examples=150)
def test_equals_one_by_one_for_any_text(texts):
    assert_equal_to_one_by_one([text.encode("utf-8", "surrogatepass") for text in texts])


@given(texts=st.lists(st.binary(max_size=30), max_size=4))
@settings(deadline=None, max_examples=100)
def test_equals_one_by_one_for_any_bytes(texts):
    assert_equal_to_one_by_one(texts)


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
    *(f"[{meld},{d}]11z" for meld in ("123m", "111m", "1111m") for d in (*"0123456789", ":", "/")),
    # suits before their digits
    *("m1", "m", "mm1", "m1m", "m1E2", "m1a2", "m1 2", "m 1", "E m1", "0m1", "m0", "z8", "z0"),
    *("[m123]m1", "[123m]m1", "m1[123m]", "[EEE,1]m1", "[EEE, 1]m1", "[m12]", "[m*11]1z"),
    *("[m1*1]1z", "m1万", "万1"),
    *("m1|EE0000||indicator=m1", "m11[2m]", "1m|EE0000||indicator=m1", "a m11", "ma1", "m1|E"),
    # flowers
    *("a11z", "11za", "a11zb", "aa11z", "1a1z", "[1a11m]1z", "[E,aEE]", "ab11z|EE0000|c"),
    *("abcdefgh11z", "abcdefgh11z|EE0000|1", "a11z|EE0000|a", "a11z|EE0000|8", "a11z|EE0000|7"),
    *("11万a", "a11万", "aW1", "a🀀", "i11z", "aWWFF", "aW1F1", "a", "a|EE0000||wilds=2"),
    "12m|EE1000||heavenly,last_tile",
    "12m|EE1100||heavenly",
    "1m|EE0100||heavenly",
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
        assert_equal_to_one_by_one([line])
    assert_equal_to_one_by_one(lines)


def test_every_short_ending():
    """A text cut anywhere, also in the middle of a character."""
    for text in (
        "[33*m,1]123m55z|NW1000|ab|kong_discard,wilds=2,indicator=E,win=none",
        "[一一*万,1]一二筒 白白 三筒|EE0000|0|indicator=东",
        "[🀇🀇*,1]🀙🀚🀆🀆🀛|EE0000|0|indicator=🀀",
        "[W1 W1*,1]B1 B2 J3 J3 B3|EE0000|0|indicator=F1",
    ):
        line = text.encode()
        assert_equal_to_one_by_one([line[:end] for end in range(len(line) + 1)])


@pytest.fixture
def kernel_alone(monkeypatch):
    """What the kernel refuses is an error of the test."""
    monkeypatch.setattr(handtexts, "parse_hand", None)


@pytest.mark.parametrize("name", NOTATIONS)
@pytest.mark.usefixtures("kernel_alone")
def test_the_kernel_reads_what_is_written(name):
    """Well-formed texts must not go through the slow reader."""
    made = [random_hand(seed) for seed in range(3000)]
    batch = read_texts(pa.array([format_hand(hand, name) for hand in made]))
    assert not batch.wrong.errors
    assert batch.hands == Hands.from_hands(made)


def test_the_kernel_reads_gb_mahjong_texts(monkeypatch):
    made = [parse_hand(text) for text in SAMPLES]
    monkeypatch.setattr(handtexts, "parse_hand", None)
    assert read_texts(pa.array(SAMPLES)).hands == Hands.from_hands(made)


def test_the_kernel_reads_suits_first_flowers_and_claims(monkeypatch):
    random, made = Random(8), [random_hand(seed) for seed in range(3000)]
    texts = [adorned(hand, random) for hand in made] + [suits_first(hand) for hand in made]
    monkeypatch.setattr(handtexts, "parse_hand", None)
    batch = read_texts(pa.array(texts))
    assert not batch.wrong.errors
    assert batch.hands == Hands.from_hands(made * 2)


def test_what_is_wrong_is_asked_once(monkeypatch):
    """Texts that are wrong in the same way cost what right ones cost."""
    random, asked = Random(3), []
    monkeypatch.setattr(handtexts, "_known", {})
    monkeypatch.setattr(
        handtexts, "parse_hand", lambda text: asked.append(text) or notation.parse_hand(text)
    )
    for make, most in (
        (lambda: "".join(random.choices("123", k=18)), 27),
        (lambda: f"{random.randrange(10, 100)}m{random.randrange(10**9)}x", 20),
        (lambda: f"{random.randrange(10**6)} 123m11z", 6),
        (lambda: f"{random.randrange(1, 9)}m123p|EE00{random.randrange(9)}", 12),
        (lambda: f"{random.randrange(1, 9)}m123p|EE0000|{random.randrange(9, 99)}", 91),
        (lambda: f"[{random.randrange(10**4)}m]{random.randrange(1, 9)}{'1' * 9}p", 60),
        (lambda: f"lorem ipsum {random.random()} " * 20, 1),
        (lambda: f"{random.randrange(10**6)} W1W2W3", 6),
    ):
        asked.clear()
        batch = read_texts(pa.array([make() for _ in range(2000)]))
        assert len(batch.wrong.rows) > 1500
        assert len(asked) <= most
    # and those are kept for the batches to come, in bounds
    monkeypatch.setattr(handtexts, "KNOWN_AT_MOST", 50)
    read_texts(pa.array([" " * n + "x" for n in range(300)]))
    assert len(handtexts._known) <= 50


def test_blank_texts_and_comments():
    texts = ["# hands", "", "11z", "  \t", "#", "12x\r", "\u3000", "  # 1m", "[12m]55m"]
    batch = read_texts(pa.array(texts))
    assert batch.blank.tolist() == [False, True, False, True, False, False, True, False, False]
    assert batch.comment.nonzero()[0].tolist() == [0, 4, 7]
    assert batch.wrong.reasons().tolist() == [16, 16, 0, 16, 16, 16, 16, 16, 16]


def test_wrong_hands_keep_their_reason():
    batch = read_texts(pa.array(["11111m", "123m", "11z|EE0000||heavenly", "1m|EE0000|9", "1m"]))
    assert batch.wrong.reasons().tolist() == [
        Reason.COUNT_ABOVE_FOUR,
        Reason.BAD_SIZE,
        Reason.IMPOSSIBLE_FLAGS,
        Reason.BAD_FLOWERS,
        Reason.OK,
    ]
    assert batch.hands.wilds.tolist() == [0] * 5
    assert batch.hands.win_tile.tolist() == [hands.NONE] * 5
    assert all(error.__traceback__ is None for error in batch.wrong.errors)


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
def test_every_kind_of_column(kind):
    random = Random(5)
    texts = [random_line(random) for _ in range(400)]
    whole = read_texts(column(texts, kind))
    part = read_texts(column(texts, kind).slice(37, 200))
    assert part.hands == whole.hands[37:237]
    assert part.wrong.messages().to_pylist() == whole.wrong.messages().to_pylist()[37:237]
    for nothing in (pa.array([], kind), column(texts, kind).slice(9, 0)):
        assert len(read_texts(nothing).hands) == 0


def test_one_numbering():
    """The kernel repeats numbers that are said elsewhere."""
    for name in ("DIGIT", "SUIT", "PREFIX", "SPACE", "OPEN", "CLOSE", "COMMA", "WILD", "BAR"):
        assert getattr(kernel, name) == getattr(notation, name)
    assert kernel.UNKNOWN == notation.UNKNOWN
    assert kernel.FLOWER == notation.FLOWER
    assert kernel.NONE == hands.NONE
    assert hands.Meld("pung", 0).id == kernel.FIRST_PUNG
    assert hands.Meld("kong", 0).id == kernel.FIRST_KONG
    assert hands.Meld("concealed_kong", 0).id == kernel.FIRST_CONCEALED_KONG
    assert len(hands.FLAGS) == kernel.FLAG_WORDS
    for bit, flag in enumerate(hands.FLAGS):
        assert getattr(kernel, flag.upper()) == 1 << bit
