"""The Arrow core: every way a column can hold hands gives the same answers."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc

import hypothesis
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import strategies as some

import evaluator as ev
from evaluator.errors import EvaluatorError
from evaluator.files import evaluate, questions
from evaluator.files.batches import ROWS
from evaluator.hands import Hands
from evaluator.hands.arrow.columns import find_hands, read_hands
from evaluator.hands.arrow.fields import COUNTS, INDEX, MASK, NOTATION, RULES, VERSION, hand_array
from evaluator.hands.notation import format_hand

SHAPES = ("shanten", "waits", "discards", "win")

BINARY = {"binary": pa.binary(), "large": pa.large_binary(), "view": pa.binary_view()}
INTEGERS = (pa.uint8(), pa.int8(), pa.int16(), pa.uint32(), pa.int64(), pa.uint64())


def mixed(n: int, kinds: int = 34) -> np.ndarray:
    """Counts of hands of 13 and 14 tiles."""
    counts = np.concatenate([ev.deal(n - n // 3, 13, kinds), ev.deal(n // 3, 14, kinds)])
    return counts[np.random.default_rng(1).permutation(n)]


def forms(counts: np.ndarray) -> dict[str, pa.Array]:
    """The same hands in every Arrow type."""
    n, kinds = counts.shape
    rows = [row.tobytes() for row in counts]
    lists = counts.tolist()
    found = {"fixed": hand_array(counts)}
    for kind in INTEGERS:
        flat = pa.array(counts.reshape(-1)).cast(kind)
        found[f"list of {kind}"] = pa.FixedSizeListArray.from_arrays(flat, kinds)
    found["dictionary"] = hand_array(counts).dictionary_encode()
    if kinds == 34:
        found |= {name: pa.array(rows, kind) for name, kind in BINARY.items()}
        found["list"] = pa.array(lists, pa.list_(pa.int32()))
        found["large list"] = pa.array(lists, pa.large_list(pa.uint8()))
        found["list view"] = pa.array(lists, pa.list_view(pa.uint8()))
        texts = [ev.format(row) for row in counts]
        found["text"] = pa.array(texts)
        found["large text"] = pa.array(texts, pa.large_string())
        found["text view"] = pa.array(texts, pa.string_view())
        found["run ends"] = pa.RunEndEncodedArray.from_arrays(list(range(1, n + 1)), texts)
        found["text dictionary"] = pa.array(texts).dictionary_encode()
    assert {len(array) for array in found.values()} == {n}
    return found


NAMES = [*forms(mixed(9)), *(f"27 {name}" for name in forms(mixed(9, 27)))]


@pytest.mark.parametrize("name", NAMES)
def test_every_type_gives_what_hands_give(name):
    kinds = 27 if name.startswith("27 ") else 34
    counts = mixed(120, kinds)
    column = forms(counts)[name.removeprefix("27 ")]
    rules = "sbr_2025" if kinds == 27 else "guobiao"
    expected = evaluate(Hands(concealed=counts), SHAPES, rules)

    def check(batch: pa.RecordBatch, rows: np.ndarray) -> None:
        found = evaluate(batch, SHAPES)
        assert found.num_rows == len(rows)
        for query in SHAPES:
            none = questions.unanswered(expected, query)[rows]
            for title in questions.columns_of(query):
                values = expected[title][rows]
                empty = none | (values == 255) if title == "discard" else none
                wanted = [None if e else v for e, v in zip(empty, values.tolist(), strict=True)]
                assert found[title].to_pylist() == wanted, title
        assert found["error"].null_count == len(rows)

    whole = pa.record_batch({"hand": column, "id": pa.array(range(120))})
    check(whole, np.arange(120))
    check(whole.slice(31, 50), np.arange(31, 81))
    check(whole.slice(119), np.arange(119, 120))
    check(whole.slice(5, 0), np.arange(0))
    table = pa.Table.from_batches([whole.slice(0, 1), whole.slice(1, 0), whole.slice(1, 70)])
    check(table, np.arange(71))
    # nulls, and slices of them
    holes = np.flatnonzero(np.arange(120) % 4 != 1)
    values = [None if row % 4 == 1 else value for row, value in enumerate(column.to_pylist())]
    batch = pa.record_batch({"hand": pa.array(values, column.type)})
    found = evaluate(batch.slice(1), SHAPES, keep=())
    solid = [values[row] for row in holes[1:]]
    solid = evaluate(pa.record_batch({"hand": pa.array(solid, column.type)}), SHAPES, keep=())
    valid = np.arange(1, 120) % 4 != 1
    assert found.filter(pa.array(valid)).equals(solid)
    gone = found.filter(pa.array(~valid))
    assert gone.num_rows == 30
    assert all(gone[title].null_count == 30 for title in gone.schema.names)


@pytest.mark.parametrize("form", ["fixed", "list of uint8"])
@pytest.mark.parametrize("kinds", [34, 27])
def test_counts_are_read_where_they_are(form, kinds):
    counts = ev.deal(1000, 13, kinds)
    batch = pa.record_batch({"hand": forms(counts)[form]}).slice(17, 900)
    taken = read_hands(batch, find_hands(batch.schema))
    assert isinstance(taken.hands, np.ndarray)
    column = batch.column(0)
    buffers = [b for b in column.buffers() if b is not None]
    assert taken.hands.ctypes.data == buffers[-1].address + 17 * kinds
    assert np.array_equal(taken.hands, counts[17:917])


def test_memory_beyond_the_answers_is_small():
    counts = ev.deal(1_000_000, 13)
    batch = pa.record_batch({"hand": hand_array(counts)})
    evaluate(batch.slice(0, 10), ["shanten"], "riichi")
    tracemalloc.start()
    evaluate(batch, ["shanten"], "riichi", keep=())
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 8_000_000


def test_names_of_tiles():
    batch = pa.record_batch({"hand": ["123m456p789s1122z", "123m456p789s11223z", None, "1m", "x"]})
    found = evaluate(batch, ("waits", "discards"), "riichi", tiles="names", keep=())
    assert found.schema.field("waits").type == pa.list_(pa.string())
    assert found["waits"].to_pylist() == [["1z", "2z"], None, None, ["1m"], None]
    assert found["discard"].to_pylist() == [None, "3z", None, None, None]
    assert found["discard_waits"].to_pylist() == [None, ["1z", "2z"], None, None, None]
    numbers = evaluate(batch, ("waits", "discards"), "riichi", keep=())
    assert numbers["waits_mask"].to_pylist() == [3 << 27, None, None, 1, None]
    assert numbers["discard"].to_pylist() == [None, 29, None, None, None]
    with pytest.raises(EvaluatorError, match="tiles must be one of mask, names"):
        evaluate(batch, "waits", tiles="text")


def test_fields_say_what_they_are():
    batch = pa.record_batch({"hand": hand_array(ev.deal(3))})
    schema = evaluate(batch, ("waits", "discards", "shanten"), "riichi").schema
    for name, notation in (("waits_mask", MASK), ("discard_mask", MASK), ("discard", INDEX)):
        assert schema.field(name).metadata[NOTATION] == notation.encode()
    for field in schema:
        if field.name != "hand":
            assert field.metadata[RULES] == b"riichi"
            assert field.metadata[VERSION] == ev.__version__.encode()
    names = evaluate(batch, "waits", "riichi", tiles="names").schema
    assert names.field("waits").metadata[NOTATION] == b"mpsz"
    assert COUNTS.startswith("counts")
    assert evaluate(batch, "shanten").schema.field("shanten").metadata[RULES] == b"guobiao"
    suits = pa.record_batch({"hand": hand_array(ev.deal(3, kinds=27))})
    assert evaluate(suits, "shanten").schema.field("error").metadata[RULES] == b"sbr_2025"


def test_bad_rows_say_why_and_are_null():
    counts = np.tile(ev.parse("123m456p789s1122z").astype(np.int64), (7, 1))
    counts[1, 3] = 5
    counts[2, 3] = -1
    counts[3, 0] = 300
    counts[4, 0] = 0
    lists = counts.tolist()
    lists[5] = lists[5][:20]
    lists[6] = [None, *lists[6][1:]]
    batch = pa.record_batch({"hand": pa.array(lists, pa.list_(pa.int64()))})
    found = evaluate(batch, ("shanten", "waits", "score"), "guobiao")
    errors = found["error"].to_pylist()
    assert errors[1] == "5 copies of 4m (四万): a count is 0 to 4"
    assert errors[2] == "-1 copies of 4m (四万): a count is 0 to 4"
    assert errors[3] == "300 copies of 1m (一万): a count is 0 to 4"
    assert "12 tiles" in errors[4]
    assert errors[5] == "20 counts: a hand has 34 or 27"
    assert errors[6] == "a count is missing (null)"
    for name in ("shanten", "waits_mask", "score", "fan_counts"):
        assert all(found[name].is_null().to_pylist()[1:]), name
    alone = evaluate(batch, "score", "guobiao")["error"].to_pylist()
    assert alone[1:] == errors[1:]


@pytest.mark.parametrize("rules", ["guobiao", "sbr_2025"])
def test_no_win_has_the_other_answers(rules):
    texts = ["123m456p789s11222z", "123m456p789s11223z", "123m456p789s1122z", "123m"]
    if rules == "sbr_2025":
        texts = ["123m456m789s11222s", "123m456m789p11222s", "123m456m789s1122s", "123m"]
    batch = pa.record_batch({"hand": texts})
    found = evaluate(batch, ("win", "shanten", "waits", "score"), rules, keep=()).to_pydict()
    total = found["score" if rules == "guobiao" else "fan"]
    assert total[0] is not None
    assert total[1:] == [None] * 3
    assert found["minimum_met"][1:] == [None] * 3
    assert found["win"] == [True, False, False, None]
    assert [row is None for row in found["shanten"]] == [False, False, False, True]
    assert [row is None for row in found["waits_left"]] == [True, True, False, True]
    assert [error is None for error in found["error"]] == [True, True, True, False]
    # alone, the score says why there is none
    alone = evaluate(batch, "score", rules, keep=()).to_pydict()["error"]
    assert alone[0] is None
    assert "complete" in alone[1] or "three suits" in alone[1]
    assert "a complete hand of 14" in alone[2]


def test_a_hand_in_parts():
    texts = ["[123m,1][345m,1]678p56sWW7s", "[EEE,2]45m678p99s123p6m|EE1000|3",
             "123456789m11122z"]  # fmt: skip
    hands = Hands.from_hands([ev.Hand.parse(text) for text in texts])
    expected = evaluate(pa.record_batch({"hand": texts}), ("score", "shanten"), keep=())
    assert expected["score"].null_count == 0
    numbers = pa.record_batch(
        {
            "concealed": hand_array(hands.concealed),
            "melds": pa.array([row.tobytes() for row in hands.melds], pa.binary(4)),
            "win_tile": pa.array(hands.win_tile.astype(np.int64)),
            "flags": pa.array(hands.flags),
            "prevalent_wind": ["E", None, ""],
            "seat_wind": pa.array(hands.seat_wind),
            "flowers": pa.array([0, 3, None]),
        }
    )
    assert evaluate(numbers, ("score", "shanten"), keep=()).equals(expected)
    lists = numbers.set_column(1, "melds", pa.array(hands.melds.tolist(), pa.list_(pa.int32(), 4)))
    assert evaluate(lists, ("score", "shanten"), keep=()).equals(expected)
    text = pa.record_batch(
        {
            "concealed": ["678p56sWW7s", "45m678p99s123p6m", "123456789m11122z"],
            "melds": ["[123m,1][345m,1]", "[EEE,2]", None],
            "flags": [None, "self_drawn", ""],
            "flowers": pa.array([None, 3, 0]),
        }
    )
    assert evaluate(text, ("score", "shanten"), keep=()).equals(expected)
    for part, wrong in (("flowers", 9), ("win_tile", 34), ("seat_wind", -1), ("flags", 999)):
        at = numbers.schema.get_field_index(part)
        values = pa.array([wrong, *numbers[part].to_pylist()[1:]])
        found = evaluate(numbers.set_column(at, part, values), "shanten", keep=())
        assert f"{part} {wrong}" in found["error"][0].as_py()
        assert found["shanten"].null_count == 1
    with pytest.raises(EvaluatorError, match="melds are string: beside counts"):
        evaluate(numbers.set_column(1, "melds", pa.array(["[123m]"] * 3)), "shanten")


def test_void_and_wilds_columns():
    hand = "123456m789p123s1m"
    for void in (pa.array([None, 0, 2, 7]), pa.array(["", "m", "s", "x"])):
        batch = pa.record_batch({"hand": [hand] * 4, "void": void})
        found = evaluate(batch, "shanten", "sbr_2025")
        expected = [ev.shanten(ev.Hand.parse(hand), "sbr_2025", void=v) for v in (None, 0, 2)]
        assert found["shanten"].to_pylist() == [*expected, None]
        assert "void" in found["error"][3].as_py()
    batch = pa.record_batch({"hand": hand_array(np.stack([ev.parse("11m")] * 3)),
                             "wilds": [0, 3, None]})  # fmt: skip
    assert evaluate(batch, "shanten", "riichi")["shanten"].to_pylist() == [
        -1, ev.shanten(ev.parse("11m"), "riichi", wilds=3), -1,
    ]  # fmt: skip
    assert evaluate(batch, "shanten", "riichi", wilds=3)["shanten"].to_pylist()[2] == (
        ev.shanten(ev.parse("11m"), "riichi", wilds=3)
    )


def test_text_in_any_notation():
    texts = ["123m456p789s1122z", "一二三万 四五六筒 七八九条 东东 白白", "🀇🀈🀉🀙", "W1W2W3B1",
             "", "#1m", "1m\n2m3m4m", "1 1m", '"11m"']  # fmt: skip
    found = evaluate(pa.record_batch({"hand": texts}), "shanten", "riichi")
    for text, shanten, error in zip(
        texts, found["shanten"].to_pylist(), found["error"].to_pylist(), strict=True
    ):
        try:
            expected, wrong = ev.shanten(ev.Hand.parse(text), "riichi"), ""
        except ev.EvaluatorError as caught:
            expected, wrong = None, str(caught)
        if text in ("", "#1m"):
            assert (shanten, error) == (None, "no hand")
        elif text == "1 1m":
            assert error.startswith("white space between digits")
        else:
            assert shanten == expected, text
            assert (error is None) == (wrong == "")


def test_no_rows_and_no_hands():
    for kind in (pa.string(), pa.binary(34), pa.list_(pa.uint8(), 27), pa.null()):
        schema = pa.schema({"hand": kind})
        assert evaluate(schema.empty_table(), SHAPES).num_rows == 0
        batch = pa.record_batch([pa.array([], kind)], schema=schema)
        assert evaluate(batch, SHAPES).num_rows == 0
        found = evaluate(pa.record_batch([pa.nulls(3, kind)], schema=schema), ("shanten", "win"))
        assert found.drop_columns(["hand"]).to_pylist() == [
            {"shanten": None, "win": None, "error": None}
        ] * 3  # fmt: skip


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"id": [1]}, r"has no column 'hand' \(id\)"),
        ({"hand": [1.5]}, "column 'hand' is double: hands are text, or 34 or 27 counts"),
        ({"hand": pa.array([b"x" * 33], pa.binary(33))}, r"fixed_size_binary\[33\]"),
        ({"hand": pa.array([[1.0] * 34], pa.list_(pa.float32(), 34))}, "fixed_size_list"),
        ({"hand": ["1m"], "HAND": ["1m"]}, "2 columns 'hand'"),
        ({"hand": ["1m"], "error": ["1m"]}, "column 'error' is named like an answer"),
    ],
)
def test_columns_that_do_not_fit(data, message):
    with pytest.raises(EvaluatorError, match=message):
        evaluate(pa.record_batch(data), "shanten")


def test_what_goes_along():
    batch = pa.record_batch({"id": [7], "tiles": ["11m"], "shanten": [5]})
    found = evaluate(batch, "shanten", column="tiles", keep=["id"])
    assert found.to_pylist() == [{"id": 7, "shanten": -1, "error": None}]
    with pytest.raises(EvaluatorError, match="no column 'nothing' in the batch"):
        evaluate(batch, "shanten", column="tiles", keep=["nothing"])
    with pytest.raises(EvaluatorError, match="Hands, an Arrow batch or a table, not list"):
        evaluate([[1] * 34], "shanten")


def test_many_rows_in_pieces_and_threads():
    counts = ev.deal(3 * ROWS + 5, 13)
    table = pa.table({"hand": hand_array(counts)})
    expected = ev.waits(counts, "riichi")
    for threads in (1, 3, None):
        found = evaluate(table, ("shanten", "waits"), "riichi", threads=threads)
        assert np.array_equal(found["shanten"].to_numpy(), expected.shanten)
        assert np.array_equal(found["waits_mask"].to_numpy(), expected.mask)
        assert np.array_equal(found["waits_left"].to_numpy(), expected.total)


@hypothesis.settings(deadline=None, max_examples=30)
@hypothesis.given(
    some.lists(some.one_of(some.none(), some.lists(some.integers(-1, 5), min_size=26, max_size=35)),
               max_size=8),
    some.integers(0, 8),
)  # fmt: skip
def test_any_lists_give_what_one_row_gives(lists, start):
    batch = pa.record_batch({"hand": pa.array(lists, pa.list_(pa.int16()))}).slice(start)
    found = evaluate(batch, ("shanten", "win"), "riichi", keep=())
    for row, counts in enumerate(lists[start:]):
        one = found.slice(row, 1).to_pylist()[0]
        if counts is None:
            assert one == {"shanten": None, "win": None, "error": None}
            continue
        wanted, said = None, f"{len(counts)} counts: a hand has 34 or 27"
        if len(counts) in (27, 34):
            try:
                wanted, said = ev.shanten(counts + [0] * (34 - len(counts)), "riichi"), None
            except ev.HandError as error:
                said = error.message
        win = None if wanted is None else wanted == -1
        assert one == {"shanten": wanted, "win": win, "error": said}


def test_streams_of_other_libraries():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"hand": ["11m", "123m456p789s1122z"], "id": [1, 2]})
    found = evaluate(frame, "shanten", "riichi")
    assert found["shanten"].to_pylist() == [-1, 0]
    counts = ev.deal(10)
    frame = polars.DataFrame({"hand": counts})
    assert found.schema.names == ["hand", "id", "shanten", "error"]
    shanten = evaluate(frame, "shanten", "riichi")["shanten"].to_numpy()
    assert np.array_equal(shanten, ev.shanten(counts, "riichi"))


def test_hands_of_one_text_column_are_those_of_the_parser():
    hands = [ev.Hand.parse(t) for t in ("[555z]123m11s", "55z|EE1000|3|wilds=2", "1112345678999m")]
    batch = pa.record_batch({"hand": [format_hand(hand) for hand in hands]})
    taken = read_hands(batch, find_hands(batch.schema))
    assert taken.hands == Hands.from_hands(hands)


def test_without_pyarrow_the_line_to_install_it_is_shown(tmp_path):
    (tmp_path / "in.txt").write_text("123m456p789s1122z\n")
    code = """
import sys
for name in ("pyarrow", "dask", "distributed", "matplotlib"):
    sys.modules[name] = None
from evaluator.engine import optional as extras
from evaluator.files import evaluate, run
try:
    run("in.txt", "out.csv", "shanten")
except extras.MissingExtra as error:
    print(error)
for package, extra in (("pyarrow", "arrow"), ("distributed", "dask"), ("matplotlib", "plot")):
    try:
        extras.need(package, extra)
    except extras.MissingExtra as error:
        print(error)
try:
    evaluate([], "shanten")
except extras.MissingExtra as error:
    print(error)
"""
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    extras = ("arrow", "arrow", "dask", "plot", "arrow")
    others = run.stdout.splitlines()
    assert [line[line.index(": ") :] for line in others] == [
        f": pip install 'mahjong-evaluator[{extra}]'" for extra in extras
    ]
