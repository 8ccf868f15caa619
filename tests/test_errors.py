"""Errors as data: codes, fields and their texts in two languages."""

from __future__ import annotations

import ast
import pickle
import re
import string
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import evaluator as ev
from evaluator.errors import REASONS, Code, message
from evaluator.messages import TEXTS


def placeholders(template):
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("code", Code)
def test_each_code_has_a_text_in_both_languages(code):
    english, chinese = TEXTS[code]
    assert placeholders(english) == placeholders(chinese)
    assert re.search("[一-鿿]", chinese)
    # plain words
    stiff = ("asked of", "that cannot be", "is none", "there are none of", "nothing is", "said of")
    for words in stiff:
        assert words not in english
    assert not re.search("[一-鿿]", re.sub(r"\([^()]*\)", "", english)), "Chinese in brackets only"


def test_codes_and_texts_are_the_same_set():
    assert list(TEXTS) == list(Code)
    assert all(code.value == code.name.lower() for code in Code)
    assert set(REASONS) <= set(Code)


PACKAGE = Path(ev.__file__).parent
KINDS_OF_ERROR = {
    "EvaluatorError", "HandError", "NotAWin", "NotationError", "RulesError", "RoundError",
    "TablesError", "CellError", "ClusterError", "UsageError",
}  # fmt: skip
WITH_A_PLACE = {"FileError", "WhereError"}  # the file or condition comes first
MODULES = [path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "errors.py"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_what_is_raised_has_a_code(path):
    for node in ast.walk(ast.parse(path.read_text())):
        name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
        if name in KINDS_OF_ERROR | WITH_A_PLACE:
            free = (ast.Constant, ast.JoinedStr, ast.BinOp, ast.Call)
            place = int(name in WITH_A_PLACE)
            assert len(node.args) > place, f"line {node.lineno} says nothing"
            assert not isinstance(node.args[place], free), f"line {node.lineno} says it in words"


def test_each_code_is_raised_somewhere():
    paths = [p for p in PACKAGE.rglob("*.py") if p.name not in ("errors.py", "messages.py")]
    source = "".join(path.read_text() for path in paths)
    assert [code for code in Code if not re.search(rf"Code\.{code.name}\b", source)] == []


ERRORS = [
    ev.EvaluatorError(Code.BAD_THREADS, value=0),
    ev.HandError(Code.FIVE_COPIES, tile=0, count=np.int64(5)).at(3),
    ev.NotAWin(Code.NOT_COMPLETE, hand="123m"),
    ev.NotationError(Code.BAD_MELD_ID, "[1m]2m", 1, value=0),
    ev.RulesError(Code.OUT_OF_RANGE, key="cap", low=0, high=9, value=np.zeros(3)),
    ev.RulesError(Code.UNKNOWN_RULES, key="rich", choices=["riichi", "guobiao"]),
    ev.RoundError(Code.NOT_A_BOOL, 4, key="separate", value=object()),
    ev.RoundError(Code.NOT_A_BOOL, 4, key="hand", value=ev.HandError(Code.BAD_CHOW, tile=7)),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.code)
def test_errors_survive_pickling(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert again == error
    assert hash(again) == hash(error)
    assert (str(again), again.code, again.fields) == (str(error), error.code, error.fields)
    assert message(again, "zh") == message(error, "zh") != message(error) == str(error)
    assert str(error) in repr(error)


def test_an_error_names_place_and_data_in_both_languages():
    hand, notation, said, where = ERRORS[1], ERRORS[3], ERRORS[4], ERRORS[6]
    assert (hand.index, hand.tile, hand.count, hand.reason) == (3, 0, 5, ev.Reason.FIVE_COPIES)
    assert type(hand.count) is int
    assert str(hand) == "hand 3: 5 copies of 1m (一万), melds included; there are only four"
    assert message(hand, "zh") == "手牌 3：连副露在内有 5 张一万，一种牌只有四张"
    assert hand.alone().index is None
    assert str(hand.alone()) == hand.message
    assert str(notation) == (
        "meld id 0 does not exist: ids are 1 to 123 (at character 2)\n  [1m]2m\n   ^"
    )
    assert message(notation, "zh") == (
        "副露编号 0 不存在：编号是 1 到 123（第 2 个字符）\n  [1m]2m\n   ^"
    )
    assert notation.within("|" + notation.text, 1).position == 2
    assert said.key == "cap"
    assert said.reason == "must be a whole number from 0 to 9, got array([0., 0., 0.])"
    assert said.under("house.toml: ").key == "house.toml: cap"
    assert str(where).startswith("event 4: separate must be True or False, got <object")
    assert message(where, "zh").startswith("事件 4：separate 须为 True 或 False，现为 <object")


def test_numbers_and_nouns_agree():
    def said(count):
        return str(ev.HandError(Code.SIZE_OF_WAITS, count=count))

    assert said(1).startswith("This hand has 1 tile. ")
    assert said(2).startswith("This hand has 2 tiles. ")


def test_a_hint_names_what_is_near_or_all_there_is():
    def said(key, lang="en"):
        return message(ev.RulesError(Code.UNKNOWN_KEY, key=key, choices=("base", "cap")), lang)

    assert said("bases") == "bases is not a known key; did you mean base?"
    assert said("xyz") == "xyz is not a known key; choose from base, cap"
    assert said("bases", "zh") == "没有 bases 这个键；是不是 base？"


def test_another_language_is_refused():
    with pytest.raises(ev.EvaluatorError, match="lang must be one of en, zh, got 'de'"):
        message(ERRORS[0], "de")
    for nonsense in (None, 1, [], np.zeros(2)):
        with pytest.raises(ev.EvaluatorError) as caught:
            message(ERRORS[0], nonsense)
        assert caught.value.code is Code.NOT_A_CHOICE


def test_an_error_without_code_is_its_own_text():
    assert message(ev.EvaluatorError("plain"), "zh") == "plain"
    assert ev.EvaluatorError("plain").code is None


def test_texts_are_loaded_with_the_first_error_shown():
    script = (
        "import sys, evaluator as ev; ev.errors.message, ev.Code; ev.HandError(ev.Code.BAD_COUNT);"
        "assert 'evaluator.messages' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
