"""Whatever is given for whatever argument: an answer, or an error of this package.

Every public function, every argument of it, a list of values that somebody will give one day.
What comes out otherwise (numpy's own errors, a TypeError from the depths) is a defect.
"""

from __future__ import annotations

import datetime
import inspect
from pathlib import Path

import numpy as np
import pytest

import evaluator as ev
from evaluator.errors import Code, message

WAITING = ev.parse("123m456p789s1122z")
DRAWN = ev.parse("123m456p789s11222z")
WON = ev.Hand.parse("123456m45679p66s8p")
READY = ev.Hand.parse("123456m45679p66s")
PRESET = Path(ev.__file__).parent / "rulesets" / "riichi.toml"


class Odd:
    """Is nothing of what is asked for, and says so when looked at."""

    def __index__(self):
        raise TypeError("no number")

    def __repr__(self):
        return "Odd()"


def read_only(array):
    array.flags.writeable = False
    return array


LOOP = []
LOOP.append(LOOP)
VALUES = {
    "None": None,
    "text": "x",
    "empty text": "",
    "bytes": b"1m",
    "float": 1.5,
    "whole float": 1.0,
    "nan": float("nan"),
    "infinity": float("inf"),
    "True": True,
    "numpy True": np.True_,
    "negative": -1,
    "256": 256,
    "2**63": 2**63,
    "10**30": 10**30,
    "-10**30": -(10**30),
    "complex": 1j,
    "date": datetime.date(2020, 1, 1),
    "datetime64": np.datetime64("2020-01-01"),
    "dates": np.array(["2020-01-01"] * 34, "datetime64[D]"),
    "set": {1, 2},
    "dict": {"a": 1},
    "iterator": (i for i in ()),
    "object": Odd(),
    "type": int,
    "function": len,
    "empty list": [],
    "list of None": [None] * 34,
    "list of objects": [Odd()] * 34,
    "list of texts": ["1m", "2m"],
    "ragged": [[1, 2], [3]],
    "nested": LOOP,
    "0-d": np.array(3),
    "0-d text": np.array("x"),
    "objects": np.array([1, None] * 17, object),
    "huge ints": np.array([10**30] * 34, object),
    "structured": np.zeros(34, [("a", np.uint8), ("b", np.uint8)]),
    "bytes array": np.zeros(34, "S1"),
    "void": np.zeros(34, "V3"),
    "bools": np.zeros(34, bool),
    "complexes": np.zeros(34, complex),
    "floats": WAITING.astype(float),
    "nans": np.full(34, np.nan),
    "masked": np.ma.array(WAITING, mask=WAITING > 1),
    "many dims": np.zeros((1,) * 30, np.uint8),
    "empty dims": np.zeros((3, 0, 34), np.uint8),
    "empty last": np.zeros((3, 0), np.uint8),
    "empty floats": np.zeros((0, 34)),
    "wrong last": np.zeros((2, 33), np.uint8),
    "255": np.full(34, 255, np.uint8),
    "uint64": np.full(34, 2**64 - 1, np.uint64),
    "int64 minimum": np.full(34, -(2**63)),
    "hand": READY,
    "hands": ev.Hands.from_hands([READY, READY]),
    "mixed": [READY, WAITING],
    "rules": ev.rules("riichi"),
    "error": ev.HandError(Code.BAD_CHOW, tile=7),
}

FINE = {
    ev.shanten: {"hands": WAITING},
    ev.is_win: {"hands": DRAWN},
    ev.waits: {"hands": WAITING},
    ev.discards: {"hands": DRAWN},
    ev.decompose: {"hand": DRAWN},
    ev.pattern_names: {"rules": "guobiao"},
    ev.pattern_shanten: {"hands": WAITING},
    ev.score: {"hands": WON},
    ev.wait_scores: {"hands": READY},
    ev.wild_tile: {"indicator": 3},
    ev.deal: {"n": 2},
    ev.counts: {"tiles": [0, 1, 2]},
    ev.Hand: {"concealed": WAITING},
    ev.Hands: {"concealed": [WAITING]},
    ev.Meld: {"kind": "pung", "tile": 3},
    ev.Meld.from_id: {"number": 3},
    ev.Hands.from_hands: {"hands": [READY]},
    ev.Hands.concat: {"batches": []},
    ev.rules("sbr_2025").ready_max_fan: {"hands": READY},
    ev.rules: {"name": "riichi"},
    ev.Rules: {"name": "ours"},
    ev.Rules.from_toml: {"path": str(PRESET)},
    ev.score(ev.Hands.from_hands([WON]), detail=True).parts: {"row": 0},
    ev.parse: {"text": "1m"},
    ev.Hand.parse: {"text": "1m"},
    ev.format: {"counts": WAITING},
    ev.payments: {"score": ev.score(WON), "winner": 0, "discarder": 1},
    ev.may_win: {"hand": READY, "tile": 25},
    ev.must_win: {"wall_left": 3},
    ev.next_dealer: {"dealer": 0, "winners": [1], "discarder": 2},
    message: {"error": ev.HandError(Code.BAD_CHOW, tile=7)},
}
MORE = {  # the same functions where an argument has another way to go
    "score a batch": (ev.score, {"hands": ev.Hands.from_hands([WON, WON])}),
    "score patterns": (ev.score, {"hands": ev.parse("11224444557799m"), "rules": "qq_sichuan"}),
    "wait_scores patterns": (
        ev.wait_scores,
        {"hands": ev.parse("123m456p11222m33p")[:27], "rules": "sbr_2025"},
    ),
    "waits at least": (ev.waits, {"hands": READY, "minimum": True}),
    "pattern_shanten of Hands": (ev.pattern_shanten, {"hands": ev.Hands.from_hands([READY])}),
}
CALLS = {getattr(f, "__qualname__", str(f)): (f, fine) for f, fine in FINE.items()} | MORE
CASES = [
    pytest.param(function, fine, argument, id=f"{name}-{argument}")
    for name, (function, fine) in CALLS.items()
    for argument in inspect.signature(function).parameters
    if (function, argument) != (message, "error")  # an error is what it is about
]


def refusal(function, *given, **arguments):
    """The error of this package that a call gives; None where it answers."""
    try:
        function(*given, **arguments)
    except ev.EvaluatorError as error:
        return error
    return None


@pytest.mark.parametrize(("function", "fine", "argument"), CASES)
def test_nonsense_is_refused_in_our_words(function, fine, argument):
    function(**fine)  # so that what is refused is the argument
    for name, value in VALUES.items():
        try:
            error = refusal(function, **fine | {argument: value})
        except BaseException as other:
            other.add_note(f"{argument} = {name}")
            raise
        if error is None:
            continue
        assert error.code is not None, (name, str(error))
        assert message(error, "zh") != message(error, "en"), name
        assert not isinstance(error, ev.HandError) or isinstance(error.reason, ev.Reason), name


def test_unknown_arguments_are_named_by_python():
    with pytest.raises(TypeError, match="unexpected keyword"):
        ev.shanten(WAITING, nonsense=1)


BOOLS = [
    (ev.waits, {"hands": WAITING}, "minimum"),
    (ev.score, {"hands": WON}, "detail"),
    (ev.score, {"hands": ev.Hands.from_hands([WON])}, "detail"),
    *((ev.Hand, {"concealed": WAITING}, flag) for flag in ev.FLAGS),
]


@pytest.mark.parametrize(("function", "fine", "argument"), BOOLS)
def test_a_switch_is_true_or_false(function, fine, argument):
    for value in ("no", "x", "", 1, 0, None, 1.0, [], [True], np.array([True])):
        with pytest.raises(ev.EvaluatorError, match=f"{argument} must be True or False") as caught:
            function(**fine | {argument: value})
        assert caught.value.code is Code.NOT_A_BOOL
        assert caught.value.fields["key"] == argument
    function(**fine | {argument: np.False_})


QUERIES = [ev.shanten, ev.is_win, ev.waits, ev.discards, ev.pattern_shanten, ev.score]
QUERIES += [ev.wait_scores]
SHAPES = [(0,), (0, 34), (3, 0, 34), (0, 3, 34), (3, 0), (34, 0), (2, 33), (), (1,) * 8 + (34,)]


@pytest.mark.parametrize("rules", [None, "guobiao", "sbr_2025", "riichi"])
@pytest.mark.parametrize("query", QUERIES)
def test_every_shape_is_answered_or_refused(query, rules):
    for shape in SHAPES:
        for dtype in (np.uint8, np.int64, np.float64, np.bool_):
            error = refusal(query, np.zeros(shape, dtype), rules)
            assert error is None or error.code is not None


@pytest.mark.parametrize("query", QUERIES[:5])
def test_a_layout_says_nothing(query):
    size = 14 if query in (ev.discards, ev.is_win) else 13
    hands = ev.deal(40, size, seed=8)

    def told(given):
        found = query(given)
        if isinstance(found, np.ndarray):
            return found.tolist()
        return (found.shanten.tolist(), found.mask.tolist(), found.left.tolist())

    want = told(hands)
    for given in (
        read_only(hands.copy()),
        hands.astype(">i8"),
        hands.astype("<u2"),
        np.asfortranarray(hands),
        np.repeat(hands, 2, axis=1)[:, ::2],
        hands[::-1][::-1],
        hands.astype(np.int8),
    ):
        assert told(given) == want


# --- what a batch refuses, a hand refuses, with the row


def batch(**columns):
    n = 3
    hands = {"concealed": [WON.concealed] * n, "win_tile": [WON.win_tile] * n}
    return ev.Hands(**hands | columns)


ROWS = [
    ({"win_tile": [16, 200, 16]}, Code.BAD_WIN_TILE, ev.Reason.WIN_TILE_NOT_HELD),
    ({"win_tile": [16, 85, 16]}, Code.BAD_WIN_TILE, ev.Reason.WIN_TILE_NOT_HELD),
    ({"indicator": [255, 77, 254]}, Code.BAD_INDICATOR, ev.Reason.NOT_IN_GAME),
    ({"flags": [0, 0xFFFF, 0]}, Code.BAD_FLAGS, ev.Reason.IMPOSSIBLE_FLAGS),
    ({"prevalent_wind": [0, 4, 0]}, Code.BAD_WIND, ev.Reason.BAD_WIND),
    ({"seat_wind": [3, 200, 9]}, Code.BAD_WIND, ev.Reason.BAD_WIND),
    ({"flowers": [8, 9, 0]}, Code.BAD_FLOWERS, ev.Reason.BAD_FLOWERS),
    ({"wilds": [0, 9, 0]}, Code.BAD_WILDS, ev.Reason.TOO_MANY_WILDS),
]


@pytest.mark.parametrize(("columns", "code", "reason"), ROWS)
@pytest.mark.parametrize("rules", ["guobiao", "sbr_2025"])
def test_a_batch_names_the_first_bad_row(columns, code, reason, rules):
    hands = batch(**columns)
    with pytest.raises(ev.HandError) as one:
        _ = hands[1]
    waiting = batch(**{"concealed": [READY.concealed] * 3, "win_tile": 255} | columns)
    patterns = ev.rules(rules)
    queries = [ev.score, ev.shanten, ev.is_win, ev.discards, ev.pattern_shanten]
    asked = [(query, hands) for query in queries]
    asked += [(ev.waits, waiting), (ev.wait_scores, waiting)]
    for query, given in asked:
        with pytest.raises(ev.HandError) as many:
            query(given, patterns)
        error = many.value
        assert (error.code, error.reason, error.index) == (code, reason, 1), query
        assert error.alone() == one.value.alone()
        marked = query(given, patterns, errors="mark")
        if query in (ev.score, ev.wait_scores):
            assert marked.reason[1] == reason
            assert marked.reason[0] != reason
    if patterns.patterns:
        with pytest.raises(ev.HandError) as many:
            patterns.ready_max_fan(waiting)
        assert (many.value.code, many.value.index) == (code, 1)


def test_a_column_has_the_shape_of_its_field():
    for name in ("melds", "meld_wilds"):
        for wrong in ([[53], [0]], [53, 0, 0, 0], 0, [[0] * 3] * 2, [[0] * 5] * 2, [[0] * 4]):
            with pytest.raises(ev.HandError, match=rf"{name} must have shape \(2, 4\)") as caught:
                ev.Hands(concealed=[WAITING] * 2, **{name: wrong})
            assert caught.value.code is Code.WRONG_SHAPE
    for wrong in ([0], [0] * 3, [[0, 0]], [[0], [0]]):
        with pytest.raises(ev.HandError, match=r"wilds must have shape \(2,\)"):
            ev.Hands(concealed=[WAITING] * 2, wilds=wrong)
    assert ev.Hands(concealed=[WAITING] * 2, wilds=3).wilds.tolist() == [3, 3]
    with pytest.raises(ev.HandError, match=r"hand 1: flowers must be .* 0 to 255, got 256"):
        ev.Hands(concealed=[WAITING] * 2, flowers=[0, 256])


@pytest.mark.parametrize("rules", ["guobiao", "sbr_2025", "riichi"])
@pytest.mark.parametrize("query", QUERIES)
def test_a_count_is_said_as_it_was_given(query, rules):
    if rules == "riichi" and query not in QUERIES[:4]:
        return
    if rules == "guobiao" and query is ev.score:
        return  # which wants the winning tile first
    size = 13 if query in (ev.waits, ev.wait_scores) else 14
    hands = ev.deal(3, size, kinds=27, seed=1).astype(np.int64)
    wide = np.concatenate([hands, np.zeros((3, 7), np.int64)], axis=1)
    for wrong in (5, -1, 255, 257, 2**40):
        wide[1, 0] = wrong
        for given, index in ((wide, 1), (wide[1], None)):
            with pytest.raises(ev.HandError) as caught:
                query(given, rules)
            error = caught.value
            assert (error.code, error.tile, error.count) == (Code.BAD_COUNT, 0, wrong)
            assert (error.reason, error.index) == (ev.Reason.COUNT_ABOVE_FOUR, index)
    wrapped = hands.astype(np.uint8)
    wrapped = np.concatenate([wrapped, np.zeros((3, 7), np.uint8)], axis=1)
    wrapped[1, 0] = np.uint8(255)
    for given in (wrapped, wrapped[1], wrapped.astype(np.uint16) + np.uint16(0)):
        with pytest.raises(ev.HandError) as caught:
            query(given, rules)
        error = caught.value
        if given.dtype == np.uint8:
            assert error.code is Code.WRAPPED_COUNT
            assert error.message == (
                "255 is not a count of 1m (一万) (-1 stored as uint8?): a count is 0 to 4"
            )


def test_wrapped_counts_of_hands():
    row = WAITING.copy()
    row[0] = 254
    for make in (lambda: ev.Hand(row), lambda: ev.Hands(concealed=[row])[0]):
        with pytest.raises(ev.HandError, match=r"254 is not a count of 1m .*-2 stored as uint8"):
            make()


def test_the_fan_of_a_row_wants_its_number():
    scores = ev.score(ev.Hands.from_hands([WON, WON]), detail=True)
    assert scores.parts(-1) == scores.parts(np.int64(1))
    for row in (slice(1), None, 1.0, True, "0", [0], np.arange(2), 2, -3):
        with pytest.raises(ev.EvaluatorError, match="row must be a row number") as caught:
            scores.parts(row)
        assert caught.value.code is Code.BAD_ROW
    # detail counts the parts of all; those of one row are found without
    assert ev.score(ev.Hands.from_hands([WON])).parts(0) == scores.parts(0)


def test_no_rules_are_the_default_rules_of_the_width():
    names = ev.pattern_names()
    assert names == ev.pattern_names("guobiao")
    assert ev.pattern_shanten(WAITING) == ev.pattern_shanten(WAITING, "guobiao")
    assert ev.pattern_shanten(WAITING, None) == ev.pattern_shanten(WAITING, "guobiao")
    suits = ev.deal(1, kinds=27)[0]
    assert ev.pattern_shanten(suits, None) == ev.pattern_shanten(suits, "sbr_2025")
