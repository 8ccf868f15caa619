"""How the texts of :class:`evaluator.errors.Code` are filled in. They are data: ``messages.toml``.

Loaded with the first error that is shown. A placeholder is a field of the error:

=======================  ==============================================================
``{count:tile|tiles}``   in English a number and its noun, singular or plural
``{tile}`` ``{turned}``  a tile, ``1m (一万)`` in English, 一万 in Chinese
``{wild}``
``{choices}``            a list of names
``{hint}``               made of ``choices``: those near to ``name`` (or ``key``), or all
``{kind}`` ``{suits}``   words of the game, in the language of the text
``{conditions}``
``{error}``              another error, in the language of the text
=======================  ==============================================================
"""

from __future__ import annotations

import difflib
import string
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .errors import Code, EvaluatorError, visible
from .tiles import CHINESE, KINDS, NAMES

LANGUAGES = ("en", "zh")


def _texts() -> dict[Code, tuple[str, str]]:
    """The English and the Chinese text of each code."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {Code(name): (said["en"], said["zh"]) for name, said in table.items()}


TEXTS = _texts()

_TILES = ("tile", "turned", "wild")

# words of the game by field: those of English where they are not the names themselves
_ENGLISH = {
    "kind": {"concealed_kong": "concealed kong"},
    "conditions": {
        "all_suits": "tiles of all three suits (三门齐)",
        "triplet_or_dragon_pair": "a pung or kong, or a pair of dragons (有横)",
        "terminal": "a terminal or an honour (有幺九)",
        "open": "an open meld (开门)",
        "hand_one_only_pungs": "with four melds, every set a pung (飘胡才能手把一)",
    },
}
_CHINESE = {
    "kind": {"chow": "顺子", "pung": "刻子", "kong": "明杠", "concealed_kong": "暗杠"},
    "suits": {"m": "万", "p": "筒", "s": "条"},
    # what systems say most often
    "detail": {
        "no such file or directory": "没有这个文件或文件夹",
        "permission denied": "没有权限",
        "is a directory": "是文件夹",
        "not a directory": "不是文件夹",
        "no space left on device": "磁盘已满",
        "file too large": "文件过大",
        "file name too long": "文件名过长",
        "is closed": "已关闭",
        "input/output error": "读写错误",
        "the program that read it has stopped (broken pipe)": "读取它的程序已停止",
        "the compressed file ends too soon": "压缩文件不完整",
    },
    "conditions": {
        "all_suits": "三门齐",
        "triplet_or_dragon_pair": "有横（刻子、杠或一对箭牌）",
        "terminal": "有幺九",
        "open": "开门",
        "hand_one_only_pungs": "飘胡才能手把一",
    },
}


class _Filler(string.Formatter):
    """Fills a template with fields, in one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self.words = _CHINESE if lang == "zh" else _ENGLISH

    def get_value(self, key: Any, args: Any, kwargs: Any) -> Any:
        if key == "hint":
            return self._hint(**kwargs)
        value = kwargs[key]
        if key in _TILES and isinstance(value, int) and 0 <= value < KINDS:
            return CHINESE[value] if self.lang == "zh" else f"{NAMES[value]} ({CHINESE[value]})"
        return self._told(value, self.words.get(key, {}))

    def _told(self, value: Any, words: Mapping[str, str]) -> Any:
        if isinstance(value, EvaluatorError):
            return value._text(self.lang) if value.code is not None else str(value)
        if isinstance(value, tuple):
            return self._listed([str(self._told(each, words)) for each in value])
        return visible(words.get(value, value)) if isinstance(value, str) else value

    def _listed(self, names: list[str]) -> str:
        return ("、" if self.lang == "zh" else ", ").join(names)

    def _hint(self, *, choices: Any, name: str = "", key: str = "", **_: Any) -> str:
        """What may have been meant, or all there is."""
        near = difflib.get_close_matches((name or key).lower(), choices, 3)
        if self.lang == "zh":
            return f"是不是 {' 或 '.join(near)}？" if near else f"可用：{self._listed(choices)}"
        if near:
            return f"did you mean {' or '.join(near)}?"
        return f"choose from {self._listed(choices)}"

    def format_field(self, value: Any, format_spec: str) -> str:
        if "|" not in format_spec:
            return str(super().format_field(value, format_spec))
        one, many = format_spec.split("|")
        return f"{value} {one if value == 1 else many}"


_FILLERS = {lang: _Filler(lang) for lang in LANGUAGES}


def text(code: Code, fields: Mapping[str, Any], lang: str) -> str:
    """What a code says with these fields.

    >>> text(Code.BAD_CHOW, {"tile": 7}, "en"), text(Code.BAD_CHOW, {"tile": 7}, "zh")
    ('no chow starts at 8m (八万)', '没有以八万开头的顺子')
    """
    return _FILLERS[lang].vformat(TEXTS[code][LANGUAGES.index(lang)], (), fields)


def without_key(code: Code, fields: Mapping[str, Any]) -> str:
    """The English text of a rule set's error without the key it starts with."""
    template = TEXTS[code][0].removeprefix("{key}").removeprefix(":").lstrip()
    return _FILLERS["en"].vformat(template, (), fields)


def at_character(reason: str, text: Any, position: int, lang: str) -> str:
    """A reason, and under it a caret at the character that it is about."""
    from unicodedata import east_asian_width

    place = f"（第 {position + 1} 个字符）" if lang == "zh" else f" (at character {position + 1})"
    given = visible(str(text))
    start = max(0, position - 40)
    before = ("…" if start else "") + given[start:position]
    after = given[position : position + 40]
    after += "…" if position + 40 < len(given) else ""
    # a wide character (万) takes two columns of a terminal, so does its space
    lead = "".join("  " if east_asian_width(c) in "WF" else " " for c in before)
    return f"{reason}{place}\n  {before}{after}\n  {lead}^"
