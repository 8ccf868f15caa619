"""The golden Sichuan files, and the one rule set they do not hold."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

from evaluator.hands import Hand

FOLDER = Path(__file__).parent / "golden" / "sichuan"
PRESETS: dict[str, dict[str, Any]] = json.loads((FOLDER / "presets.json").read_text("utf-8"))
# 003:234 刚打第一张牌就成胡: the file has no such key
PRESETS["points_1_2_3_4_8"]["earthly_on_discard"] = True


def _multiplier(value: int, group: int, *facts: str) -> dict[str, Any]:
    return {"value": value, "group": group, "req": list(facts), "eat": 0}


DANDONG: dict[str, Any] = {
    # 丹东, in the same vocabulary; its multipliers (倍) multiply, which is inferred
    "kinds": 34,
    "max_suits": 3,
    "requires": [
        "all_suits",  # 必须三门齐
        "triplet_or_dragon_pair",  # 必须有横，如果有中、发、白牌作掌可免
        "terminal",  # 必须有幺或九，风牌可当幺九
        "open",  # 必须开门
        "hand_one_only_pungs",  # 只有飘胡的情况才能手把一
    ],
    "chow_melds": True,
    "seven_pairs": False,
    "mode": "product",
    "base": 1,
    "offset": 0,
    "cap": None,
    "gen": 0,
    "kong": 0,
    "zimo": "none",
    "addons": dict.fromkeys(
        ("gangshanghua", "gangshangpao", "qianggang", "haidi_self", "haidi_discard"), 0
    ),
    "dead_wait": "own4",
    "patterns": {
        "自摸": _multiplier(2, 0, "self_drawn"),
        "点炮": _multiplier(2, 0, "claimed"),
        "庄胡": _multiplier(2, 1, "dealer"),
        "夹胡": _multiplier(2, 2, "jiaxin"),
        "飘胡": _multiplier(3, 3, "pungs"),
    },
    "settlement": {"discard_pays": "discarder_for_all", "dajiao": "off"},  # 点炮一家包三家
}


@cache
def golden() -> list[tuple[Hand, dict[str, list[int] | None]]]:
    """Every golden hand, with [fan, points] of each rule set (None: no win)."""
    rows = []
    for line in (FOLDER / "golden.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        hand = Hand.parse(row["hand"]).replace(**dict.fromkeys(row["flags"], True))
        rows.append((hand, row["expected"]))
    return rows


def _table(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def melds_text(melds: str) -> str:
    """``kong:9m,akong:4p`` as ``[9999m,1][4444p]``."""
    forms = {"pung": (3, ",1"), "kong": (4, ",1"), "akong": (4, "")}
    text = ""
    for meld in filter(None, melds.split(",")):
        kind, tile = meld.split(":")
        copies, claim = forms[kind]
        text += f"[{tile[0] * copies}{tile[1]}{claim}]"
    return text


def examples() -> list[dict[str, str]]:
    """The rows of the rule texts that hold a whole hand."""
    return [row for row in _table("examples.csv") if row["kind"] == "hand"]


def official() -> list[dict[str, str]]:
    """SBR's official examples."""
    return _table("sbr2025_official_examples.csv")
