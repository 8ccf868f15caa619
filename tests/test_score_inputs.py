"""Scores of unusual input: what was once answered wrongly, and rule sets of one's own."""

from random import Random

import guobiao_reference as reference
import numpy as np
import pytest
import strategies_guobiao as generators

import evaluator as ev

GUOBIAO = ev.rules("guobiao")
STRICT = ev.rules("guobiao_1998")
WILD_MELD = "[33*m,1]456m456p789s1z1z"


def test_a_wild_in_a_meld_is_refused_everywhere():
    hand = ev.Hand.parse(WILD_MELD)
    with pytest.raises(ev.HandError, match="wild"):
        ev.score(hand)
    assert ev.score(hand, errors="mark").reason == ev.Reason.TOO_MANY_WILDS
    assert ev.score([hand], errors="mark").reason[0] == ev.Reason.TOO_MANY_WILDS


def test_files_with_a_wild_in_a_meld_lose_one_row_only(tmp_path, capsys):
    from evaluator.cli import main

    place = tmp_path / "hands.csv"
    place.write_text(f"hand\n123789s123789p3m3m\n{WILD_MELD}\n")
    assert main(["batch", str(place), "-", "--query", "score"]) == 1
    rows = capsys.readouterr().out.splitlines()
    assert rows[1].startswith("123789s123789p3m3m,8,true,")
    assert "wild" in rows[2]


@pytest.mark.parametrize(
    "changes",
    [
        {"forms": ("standard",)},
        {"forms": ("standard", "seven_different_pairs")},
        {"forms": ("standard",), "kinds": 27},
        {"forms": ("standard",), "max_suits": 2},
        {"fan_table": "guobiao_fan\0"},
        {"fan_table": "../guobiao_fan"},
        {"minimum": 2**64},
        {"minimum": True},
        {"minimum": -1},
        {"without": None},
        {"without": 5},
        {"without": "明暗杠"},
        {"needs_sets": 5},
        {"not_with": 5},
        {"not_with": {"大三元": "缺一门"}},
    ],
    ids=str,
)
def test_rules_with_fan_that_cannot_be(changes):
    with pytest.raises(ev.RulesError):
        GUOBIAO.replace(**changes)


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"without": ("边张",)}, "without"),
        ({"without": ("大三元",)}, "without"),
        ({"without": ("没有",)}, "without"),
        ({"needs_sets": ("妙手回春",)}, "needs_sets"),
        ({"not_with": {"大三元": ["断幺"]}}, "not_with of 大三元"),
        ({"not_with": {"喜相逢": ["单钓将"]}}, "not_with"),
        ({"fan_table": "nothing_fan"}, "fan_table"),
    ],
    ids=str,
)
def test_what_the_fan_table_cannot_vary_is_refused(changes, key):
    rules = GUOBIAO.replace(**changes)
    for hands in (ev.Hand.parse("123789s123789p3m3m"), [ev.Hand.parse("123789s123789p3m3m")]):
        with pytest.raises(ev.RulesError) as caught:
            ev.score(hands, rules)
        assert caught.value.key == key


SWITCHES = [
    *(("needs_sets", name, ()) for name in STRICT.needs_sets),
    *(("not_with", name, others) for name, others in STRICT.not_with),
]
KINDS = (
    generators.seven_pairs,
    generators.pungs,
    generators.honours,
    generators.coloured,
    generators.flush,
    generators.concealed_flush,
    generators.outside,
    generators.terminal_chows,
    generators.anything,
)


@pytest.mark.parametrize(("key", "name", "others"), SWITCHES, ids=lambda value: str(value))
def test_every_switch_alone(monkeypatch, key, name, others):
    """Each strict reading by itself, against the reference with the same one."""
    not_with = dict(reference.NOT_WITH)
    pairs: set[str] = set()
    rules = GUOBIAO.replace(without=("明暗杠",))
    if key == "needs_sets":
        pairs = {name}
        rules = rules.replace(needs_sets=(name,))
    else:
        not_with[name] = (*not_with[name], *others)
        rules = rules.replace(not_with={name: list(others)})
    monkeypatch.setattr(reference, "NOT_WITH_1998", not_with)
    monkeypatch.setattr(reference, "NOT_ON_SEVEN_PAIRS_1998", pairs)
    random = Random(name)
    cases = [kind(random) for kind in KINDS for _ in range(12)]
    want = [reference.score(case, "guobiao_1998").total for case in cases]
    assert ev.score(generators.to_hands(cases), rules).fan.tolist() == want


def test_minimum_refuses_what_has_no_score():
    for text in ("123m456p789s1z", "1z", "23m1z1z"):
        with pytest.raises(ev.HandError, match="13"):
            ev.waits(ev.parse(text), "guobiao", minimum=True)
    ready = ev.Hand.parse("123m456p789s12m11z").replace(win_tile=None)
    wild = ev.Hand(ev.parse("123m456p789s12m"), wilds=2)
    with pytest.raises(ev.HandError, match="wild"):
        ev.waits(wild, "guobiao", minimum=True)
    hands = ev.Hands.from_hands([ev.Hand.parse("123m456p789s1122z"), wild])
    marked = ev.waits(hands, "guobiao", minimum=True, errors="mark")
    assert marked.shanten.tolist() == [0, -128]
    assert marked.mask[1] == marked.total[1] == 0
    assert ready.size == 13
    with pytest.raises(ev.RulesError, match="no scores"):
        ev.waits(ev.parse("1122z"), "riichi", minimum=True)


def test_columns_of_parts_refuse_what_belongs_elsewhere(tmp_path, capsys):
    from evaluator.cli import main

    place = tmp_path / "parts.csv"
    place.write_text(
        "concealed,melds,win_tile\n"
        '45m678p99s6m,"[123m,1][EEE,1]",6m\n'
        "45m678p99s6m,[123m]EEE,6m\n"
        "45m678p99s6m,123m EEE,6m\n"
        '45m678p99s6m,"[123m,1][EEE,1]",6m|SS1000\n'
    )
    assert main(["batch", str(place), "-", "--query", "score"]) == 1
    rows = capsys.readouterr().out.splitlines()[1:]
    assert rows[0].endswith(",")
    assert "melds must be sets in brackets" in rows[1]
    assert "melds must be sets in brackets" in rows[2]
    assert "win_tile must be one tile" in rows[3]


def test_one_hand_is_checked_like_many():
    hand = ev.Hand.parse("123789s123789p3m3m")
    for threads in (0, "2", True):
        with pytest.raises(ev.EvaluatorError, match="threads"):
            ev.score(hand, threads=threads)
    with pytest.raises(ev.EvaluatorError, match="errors"):
        ev.score(hand, errors=np.array(["raise", "mark"]))
    with pytest.raises(ev.EvaluatorError, match="errors"):
        ev.score(ev.Hand.parse("11224444557799m"), "qq_sichuan", errors="ignore")
    assert len(ev.score([])) == 0
    for query in (ev.shanten, ev.is_win, ev.waits, ev.wait_scores):
        with pytest.raises(ev.HandError):
            query(None)


def test_hands_of_many_lengths_are_refused():
    mixed = [ev.parse("11224444557799m"), ev.Hand.parse("11224444557799m")]
    for rules in ("guobiao", "qq_sichuan"):
        for query in (ev.score, ev.wait_scores, ev.pattern_shanten, ev.shanten):
            for hands in ([[1, 2], [3]], mixed):
                with pytest.raises(ev.HandError):
                    query(hands, rules)


def test_numbers_that_cannot_be_shown_are_refused():
    huge = 10**5000
    for make in (
        lambda: ev.Meld("pung", huge),
        lambda: ev.Meld.from_id(huge),
        lambda: ev.Hand.parse("1m").replace(wilds=huge),
        lambda: ev.wild_tile(huge),
    ):
        with pytest.raises(ev.HandError, match="an int too large to show"):
            make()
