"""The golden Guobiao files, and what their columns ask of a score."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "golden" / "guobiao"

# lines (from 1) of gb_mahjong_unit_tests.jsonl that count no 坎张 on a tile of the body of
# a knitted straight; the default rules do (their lists are in ``alts``)
OTHER_TOTALS = {81: 17, 91: 18}
# line of helper_definition_examples.jsonl whose list is legal, but not the canonical one
OTHER_LIST = 125

# lines (from 1) of rulebook1998_examples.jsonl in which the 1998 book contradicts its own
# table, and what it names there that the table takes away
SELF_CONTRADICTIONS = {
    21: "箭刻",  # 字一色: two dragon pungs are 双箭刻
    25: "缺一门",  # 一色四节高: the hand is 推不倒
    58: "碰碰和",  # 三暗刻: the hand is 混幺九
    67: "大于五",  # the hand is 全大
    69: "小于五",  # the hand is 全小
}

LISTED = (
    "edge_cases",
    "gb_mahjong_unit_tests",
    "helper_definition_examples",
    "xinbian_mcr_examples",
    "consensus",
)
"""Files with a total and a whole list in every row."""


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of a file, by its name without the suffix."""
    path = FOLDER / f"{name}.jsonl"
    if path.exists():
        text = path.read_text(encoding="utf-8")
    else:
        with gzip.open(f"{path}.gz", "rt", encoding="utf-8") as file:
            text = file.read()
    return [json.loads(line) for line in text.splitlines()]


def total_of(name: str, line: int, row: dict[str, Any]) -> int:
    """The right total of a row of one of the files."""
    if name == "gb_mahjong_unit_tests":
        return OTHER_TOTALS.get(line, row["total"])
    return row["total"]


def lists_of(row: dict[str, Any]) -> list[Counter]:
    """The lists a row allows."""
    return [Counter(fans) for fans in (row["fans"], *row.get("alts", []))]


def lacking(listed: list[str], fans: Counter) -> list[str]:
    """What a book lists (``四归一×2``, ``a/b`` = either) and a score does not have."""

    def there(item: str) -> bool:
        return any(
            fans[name] >= int(times or 1)
            for name, _, times in (choice.partition("×") for choice in item.split("/"))
        )

    return [item for item in listed if not there(item)]
