"""Hostile and unusual input: what was once answered wrongly, and what must be refused."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import evaluator as ev

HAND = ev.parse("123m456p789s1122z")
READY = ["123m456p789s1122z", "[123m,1][EEE]45m678p11p", "m12344p456s789z55"]
FULL = ["123m456p789s11222z", "[123m,1][EEE]456m678p11p", "m123p456s789z11122"]


def one_row(text: str, melds: list[int], wilds: list[int]) -> ev.Hands:
    return ev.Hands(concealed=[ev.parse(text)], melds=[melds], meld_wilds=[wilds])


def assert_equal_answers(answer, right):
    """Of two answers of a query every public field."""
    assert type(answer) is type(right)
    if isinstance(right, dict | list | int):
        assert answer == right
        return
    if isinstance(right, np.ndarray):
        assert np.array_equal(answer, right)
        return
    names = [name for name in type(right).__slots__ if not name.startswith("_")]
    for name in names:
        assert np.array_equal(getattr(answer, name), getattr(right, name)), name


@pytest.mark.parametrize(
    ("query", "texts"),
    [
        (ev.shanten, READY + FULL),
        (ev.is_win, READY + FULL),
        (ev.waits, READY),
        (ev.discards, FULL),
        (lambda hands: ev.pattern_shanten(hands, "guobiao"), READY + FULL),
        (lambda hands: ev.waits(hands, minimum=True), ["[123m,1][EEE,1][SSS,1]45m66p"]),
        (ev.wait_scores, [*READY[:2], "123456789m1122z"]),
        (ev.score, FULL[:2]),
        (lambda hands: ev.score(hands, "qq_sichuan"), ["[111m,1]22233344455m", "11223344556677p"]),
    ],
)
def test_texts_are_hands(query, texts):
    """One text answers as one hand, a list as a batch."""
    hands = [ev.Hand.parse(text) for text in texts]
    for text, hand in zip(texts, hands, strict=True):
        assert_equal_answers(query(text), query(hand))
    right = query(ev.Hands.from_hands(hands))
    for given in (texts, tuple(texts), np.array(texts), hands, [*texts[:1], *hands[1:]]):
        assert_equal_answers(query(given), right)
    for wrong in ("123x", "12", "[123m,7]1m"):
        with pytest.raises(ev.NotationError) as alone:
            query(wrong)
        for given in ([*texts, wrong, wrong], np.array([*texts, wrong])):
            with pytest.raises(ev.NotationError) as caught:
                query(given)
            error = caught.value
            assert (error.index, error.position) == (len(texts), alone.value.position)
            assert str(error) == f"hand {len(texts)}: {alone.value}"
    with pytest.raises(ev.HandError, match=f"hand {len(texts)}: 5 copies of 1m"):
        query([*texts, "11111m"])


def test_one_text_is_divided():
    assert ev.decompose(FULL[0]) == ev.decompose(ev.Hand.parse(FULL[0]))


@pytest.mark.parametrize("rules", ["riichi", "guobiao"])
def test_first_one_hand_calls_race(rules):
    """Threads that ask for one hand at once, in a process that has not compiled yet."""
    code = f"""
import threading, evaluator as ev
hand, answers = ev.parse("123m456p789s1122z"), []
start = threading.Barrier(8)
def ask():
    start.wait()
    answers.extend(ev.shanten(hand, {rules!r}) for _ in range(4))
threads = [threading.Thread(target=ask) for _ in range(8)]
[t.start() for t in threads]; [t.join() for t in threads]
assert answers == [0] * 32, answers
"""
    for _ in range(2):
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("forms", [("honours_and_knitted",), ("seven_pairs",)])
def test_one_hand_that_no_form_fits(forms):
    rules = ev.Rules("test", forms=forms)
    hand = ev.parse("3m5p1z1z")
    assert ev.shanten(hand, rules) == 127
    assert ev.shanten([hand], rules).tolist() == [127]
    assert ev.waits(hand, rules).shanten == 127


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        (one_row("1111m123p456s", [22, 0, 0, 0], [5, 0, 0, 0]), "5 wild tiles in a pung of 1m"),
        (one_row("123m123p456s1z", [31, 0, 0, 0], [3, 0, 0, 0]), "3 wild tiles in a pung"),
        (
            one_row("123p456s789s5z", [1, 0, 0, 0], [1, 0, 0, 0]),
            "a chow meld of 1m .* cannot hold wild tiles",
        ),
        (
            one_row("123p456s789s4z", [22, 0, 0, 0], [0, 1, 0, 0]),
            "1 wild tile in meld 2, but there is no meld 2",
        ),
        (
            one_row("123p456s789s4z", [0, 0, 0, 0], [0, 0, 0, 1]),
            "1 wild tile in meld 4, but there is no meld 4",
        ),
        (one_row("123p456s789s4z", [124, 0, 0, 0], [0, 0, 0, 0]), "meld id 124"),
        (one_row("111m456s789s4z", [1, 0, 0, 0], [0, 0, 0, 0]), None),
        (one_row("1111m456s78s1z", [1, 0, 0, 0], [0, 0, 0, 0]), "5 copies of 1m"),
        (
            one_row("123m456s789s1122z", [1, 0, 0, 0], [0, 0, 0, 0]),
            "13 tiles in hand with 1 meld; at most 11 fit",
        ),
    ],
)
def test_melds_that_cannot_be(hands, said):
    for query, nothing in ((ev.shanten, -128), (ev.waits, -128)):
        marked = query(hands, "riichi", errors="mark")
        found = marked if query is ev.shanten else marked.shanten
        if said is None:
            assert found[0] != nothing
        else:
            assert found[0] == nothing
            with pytest.raises(ev.HandError, match=f"hand 0: .*{said}"):
                query(hands, "riichi")


@pytest.mark.parametrize(
    "name",
    [
        "chengdu_5_80", "chuanma_dijin", "majsoul_chuanma", "points_1_2_3_4_8", "qq_sichuan",
        "sbr_2025", "sichuan_short", "yibin",
    ],
)  # fmt: skip
def test_chow_melds_in_a_game_without(name):
    """Every query refuses a claimed chow with the same code, tile and reason."""
    whole, short = ev.Hand.parse("[789s,1]123m456m77p111s"), ev.Hand.parse("[789s,1]123m456m77p11s")
    for hand, queries in (
        (whole, (ev.shanten, ev.is_win, ev.discards, ev.pattern_shanten, ev.score)),
        (short, (ev.shanten, ev.is_win, ev.waits, ev.pattern_shanten, ev.wait_scores)),
    ):
        pung = hand.replace(melds=[ev.Meld("pung", 22)])
        for query in queries:
            for asked, index in ((hand, None), (ev.Hands.from_hands([pung, hand]), 1)):
                with pytest.raises(ev.HandError) as caught:
                    query(asked, name)
                error = caught.value
                assert (error.code, error.tile, error.index, error.reason) == (
                    ev.Code.CHOW_NOT_ALLOWED, 24, index, ev.Reason.MELD_NOT_ALLOWED,
                ), query  # fmt: skip
    with pytest.raises(ev.HandError):
        ev.decompose(whole, name)
    two_suits = ev.Hand.parse("[789s,1]123456m11123s")
    assert ev.is_win(two_suits, ev.rules(name).replace(chow_melds=True))


def test_meld_of_honours_in_a_game_without():
    hands = one_row("123p456s789s1m", [49, 0, 0, 0], [2, 0, 0, 0])
    with pytest.raises(ev.HandError, match=r"1z .* without honours"):
        ev.shanten(hands, "sbr_2025")


@pytest.mark.parametrize(
    "hand",
    [HAND[::-1][::-1], np.asfortranarray([HAND, HAND])[0], np.stack([HAND, HAND], 1)[:, 0]],
    ids=["reversed twice", "row of Fortran", "column"],
)
def test_one_hand_that_is_not_dense(hand):
    assert ev.shanten(hand, "riichi") == 0
    assert not ev.is_win(hand, "riichi")
    assert ev.waits(hand, "riichi").total == 4
    with pytest.raises(
        ev.HandError, match=r"This hand has 13 tiles\. discards\(\) needs .* use waits"
    ):
        ev.discards(hand, "riichi")


@pytest.mark.parametrize("step", [3400, 100, 0])
def test_out_may_overlap_the_hands(step):
    hands = ev.deal(128, 14, seed=3)
    want = ev.shanten(hands, "riichi")
    out = hands.reshape(-1)[step : step + 128].view(np.int8)
    assert np.array_equal(ev.shanten(hands, "riichi", out=out), want)
    assert np.array_equal(out, want)


def test_one_hand_is_checked_like_many():
    ev.shanten(HAND)
    with pytest.raises(ev.EvaluatorError, match="errors"):
        ev.shanten(HAND, errors="bogus")
    with pytest.raises(ev.EvaluatorError, match="threads"):
        ev.shanten(HAND, threads=-1)
    for rules in (34, 34.0, None.__class__, ["riichi"], {}):
        with pytest.raises(ev.RulesError):
            ev.shanten(HAND, rules)
    with pytest.raises(ev.HandError, match="bool"):
        ev.shanten([True] * 13 + [False] * 21)
    assert ev.shanten(HAND.tolist(), "riichi") == 0
    with pytest.raises(ev.HandError, match="256 copies of 1m"):
        ev.shanten([256] + [0] * 33)


@pytest.mark.parametrize("as_path", [False, True])
def test_a_rules_file_is_read_again(tmp_path, as_path):
    from pathlib import Path

    place = tmp_path / "mine.toml"
    hand = ev.parse("1122m3344p5566s77z")
    answers = []
    for forms in ('["standard"]', '["standard", "seven_pairs"]'):
        place.write_text(f"forms = {forms}")
        answers.append(ev.shanten(hand, Path(place) if as_path else str(place)))
    assert answers[1] == -1 < answers[0]


def test_bad_seen_and_void_rows_are_marked():
    hands = np.stack([HAND, HAND, HAND])
    seen = np.zeros((3, 34), int)
    seen[1, 5] = 5
    assert ev.waits(hands, "riichi", seen=seen, errors="mark").shanten.tolist() == [0, -128, 0]
    with pytest.raises(ev.HandError, match=r"hand 1: 5 copies of 6m .* seen"):
        ev.waits(hands, "riichi", seen=seen)
    assert ev.shanten(hands, "riichi", void=[0, 9, 1], errors="mark")[1] == -128
    with pytest.raises(ev.HandError, match=r"hand 1: void must be a suit 0 .* got 9"):
        ev.shanten(hands, "riichi", void=[0, 9, 1])
    assert ev.waits(HAND, "riichi", seen=np.zeros((1, 34), int)).total == 4


def test_left_notices_a_changed_array():
    hands = np.stack([HAND, HAND])
    waits = ev.waits(hands, "riichi")
    hands[0, 27] = 0
    with pytest.raises(ev.EvaluatorError, match="changed after the call of waits"):
        _ = waits.left
    hands = ev.deal(5, 14)
    discards = ev.discards(hands)
    hands[0] = hands[1]
    with pytest.raises(ev.EvaluatorError, match="changed after the call of discards"):
        discards.best()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kinds = 27.0", "kinds must be one of 27, 34, got"),
        ("kinds = true", "kinds must be one of 27, 34, got"),
        ("knds = 27", "knds is not a known key; did you mean kinds"),
        ("forms = 'standard'", "must be a list"),
        ("forms = []", "at least one"),
        ("forms = ['standard', 'standard']", "each once"),
        ("forms = ['standrd']", "forms must be one of .*, got 'standrd'"),
        ("forms = ['thirteen_orphans']\nmax_suits = 2", "needs three suits"),
        ("forms = ['thirteen_orphans']\nkinds = 27", "needs honours"),
        ("forms = ['seven_pairs', 'seven_different_pairs']", "already allows"),
        ("max_suits = 1", "max_suits must be one of 2, 3, got 1"),
        ("title = 3", "must be text"),
        ("kinds = ", "cannot read the file"),
        ("a = " + "[" * 100_000, "cannot read the file"),
        ("a = " + "9" * 5000, "cannot read the file"),
    ],
)
def test_rules_files_that_are_refused(tmp_path, text, said):
    place = tmp_path / "mine.toml"
    place.write_text(text)
    with pytest.raises(ev.RulesError, match=said):
        ev.rules(str(place))


def test_rules_files_that_are_read(tmp_path):
    place = tmp_path / "mine.toml"
    place.write_text("\ufeffkinds = 27", encoding="utf-8")
    assert ev.rules(place).kinds == 27
    with pytest.raises(ev.RulesError, match="cannot read the file"):
        ev.rules("a\0.toml")
    with pytest.raises(ev.RulesError, match="did you mean riichi"):
        ev.rules("RIICHI")


@pytest.mark.parametrize(
    "make",
    [
        lambda: ev.Hand(HAND, melds=None),
        lambda: ev.Hand(HAND, melds=5),
        lambda: ev.Meld.from_id(22.0),
        lambda: ev.Meld.from_id("a"),
        lambda: ev.Meld(np.array(["pung", "x"]), 1),
        lambda: ev.Hands.concat([ev.Hands([HAND]), 1]),
        lambda: ev.Hands.from_hands(None),
        lambda: ev.shanten(HAND, errors=np.array(["raise", "mark"])),
        lambda: ev.counts([1], kinds=np.array([27, 34])),
        lambda: ev.deal(1, kinds=27.0),
        lambda: ev.Rules("x", kinds=np.array([27, 34])),
    ],
)
def test_wrong_types_are_said_in_words(make):
    with pytest.raises(ev.EvaluatorError):
        make()


def test_empty_arrays_of_any_kind():
    for empty in (np.zeros((0, 34)), np.zeros((5, 0, 27), np.int16), [], ()):
        shape = np.shape(empty)[:-1] or (0,)
        assert ev.shanten(empty).shape == shape
        assert ev.is_win(empty).shape == shape
        assert ev.waits(empty).total.shape == shape
        assert ev.discards(empty).best().shape == shape


def test_no_compiler_is_said_in_words():
    run = subprocess.run(
        [sys.executable, "-c", "import evaluator as ev; ev.shanten(ev.parse('1m'))"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
    )
    assert "unset NUMBA_DISABLE_JIT" in run.stderr.splitlines()[-1]


def test_interrupt_stops_soon():
    code = """
import signal, time, numpy as np, evaluator as ev
hands = ev.deal(3_000_000, 14)
ev.shanten(hands[:2], "guobiao"); ev.discards(hands[:2], "guobiao")
signal.setitimer(signal.ITIMER_REAL, 0.2)
signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
begin = time.perf_counter()
try:
    ev.discards(hands, "guobiao", threads={threads})
except KeyboardInterrupt:
    print(time.perf_counter() - begin < 3)
"""
    for threads in (1, 2):
        run = subprocess.run(
            [sys.executable, "-c", code.replace("{threads}", str(threads))],
            capture_output=True,
            text=True,
        )
        assert run.stdout.strip() == "True", run.stderr


def test_threads_are_not_without_number():
    hands = ev.deal(100_000, 14)
    ev.shanten(hands, "riichi", threads=100_000)
    assert threading.active_count() < 100


def test_a_batch_of_hands_takes_the_plain_kernels():
    """A column of no wilds is no reason for the general ones, and gives the same answers."""
    from evaluator.shape.intake import Batch

    counts = ev.deal(1000, 14, seed=6)
    hands = ev.Hands(concealed=counts)
    assert Batch(hands, "riichi").wilds.shape == (1,)
    assert Batch(hands, "riichi", wilds=np.arange(1000) % 2).wilds.shape == (1000,)
    assert np.array_equal(ev.shanten(hands, "riichi"), ev.shanten(counts, "riichi"))
    assert len(ev.shanten(hands[:0], "riichi")) == 0
