"""What every key of a rule file means, in one place: in English, with the Chinese term, the
values allowed, and the default as the records have it.

``mahjong-eval rules --keys`` and ``--help`` print it. Each rule file of the package begins with
what it uses of it, and docs/rules.md has it as a table. After a change here
``python -m evaluator.rulesets.legend`` writes both anew.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from textwrap import fill
from typing import Any

from . import Rules
from .flags import FLAGS
from .records import CONDITIONS, Addons, Pattern, Settlement, Wilds

FORM_MEANINGS = {
    "standard": "four sets and a pair (四副一将)",
    "seven_pairs": "seven pairs, four of a kind counting as two of them (七对)",
    "seven_different_pairs": "seven pairs of seven kinds (七对子)",
    "thirteen_orphans": "each terminal and honour, and one of them twice (十三幺)",
    "knitted_straight": "147, 258 and 369 in three suits, a set and a pair (组合龙)",
    "honours_and_knitted": "14 different honours and knitted tiles (全不靠)",
}
"""The forms of a complete hand, for players."""


def _with_defaults(record: Any, meanings: dict[str, str]) -> dict[str, str]:
    """The meanings, each with the value that a file has when it leaves the key out."""
    defaults = {field.name: field.default for field in fields(record)}
    told = {}
    for key, text in meanings.items():
        default = defaults.get(key, MISSING)
        is_plain = isinstance(default, bool | int | str | tuple) and default not in ("", ())
        told[key] = f"{text}; default: {json.dumps(default)}" if is_plain else text
    return told


KEYS = _with_defaults(
    Rules,
    {
        "title": "the name that players see (名称)",
        "kinds": "kinds of tiles: 34, or 27 for a game without honours (牌种)",
        "forms": "a list: the shapes of a complete hand (牌型)",
        "seven_pairs": "true: a complete hand is four sets and a pair or seven pairs (七对); "
        "short for forms",
        "max_suits": "3, or 2 where a complete hand must lack a suit (缺门)",
        "source": "where the rules come from (出处)",
        "fan_table": 'the table of the fan: "guobiao_fan" (番种表)',
        "minimum": "fan that a win needs, flowers not counted (起和)",
        "without": "a list: fan of the table that this game does not have (不计番种)",
        "needs_sets": "a list: fan that seven pairs never score (七对不计), out of those that "
        "guobiao_1998 names",
        "not_with": "a table: for a fan, those not added beside it (不重复), out of those that "
        "guobiao_1998 names",
        "chow_melds": "false: chows may not be claimed (吃)",
        "patterns": "a table: for each pattern (番型) its { value, group, req, eat }",
        "mode": 'points of a win (计分): "exp": base × 2^(fan - offset), "linear": base × fan, '
        '"product": base × the product of the groups',
        "base": "points that the mode multiplies (底分)",
        "offset": "fan of a win that pays one base, where mode is exp (起番)",
        "cap": "most fan that count for points (封顶); left out: no limit",
        "cap_self_draw": "true: the cap also holds for what a self-draw adds (自摸封顶)",
        "gen": "fan of each root, four of a kind that is not a kong (根)",
        "kong": "fan of each kong (杠)",
        "zimo": 'what a self-draw adds to each payment (自摸): "none", "jiadi": one base (加底), '
        '"jiafan": one fan (加番)',
        "addons": "a table: fan for how a hand was won (另加番)",
        "earthly_on_discard": "true: a win on the first discard is 地胡, too",
        "dead_wait": 'whether a wait counts when all four copies are held (死叫): "none": always, '
        '"concealed4": not if they are in the concealed tiles, "own4": not if they are in the '
        'hand, melds included, "visible4": not if they are in sight',
        "requires": "a list: what every win needs (胡牌条件)",
        "wilds": "a table: wild tiles (赖子)",
        "settlement": "a table: who pays whom, in units of base (结算)",
        "inferred": "a list: what the rule text leaves open and this rule set assumes (推定)",
    },
)
"""What a file of rules may say at its top (``seven_pairs = true`` is short for forms)."""

ADDONS = _with_defaults(
    Addons,
    {
        "gangshanghua": "fan of a win on the replacement tile of a kong (杠上花)",
        "gangshangpao": "fan of a win on the discard after a kong (杠上炮)",
        "qianggang": "fan of a win by robbing a kong (抢杠)",
        "haidi_self": "fan of a self-draw with the last tile of the wall (海底捞月)",
        "haidi_discard": "fan of a win on the last discard (海底炮)",
    },
)
"""What the table ``addons`` may say."""

PATTERN = _with_defaults(
    Pattern,
    {
        "value": "fan of the pattern, or its factor where mode is product (番数)",
        "group": "the best pattern of each group counts; groups add up, or multiply (分组)",
        "req": "a list: flags that must hold together in one reading of the hand (条件)",
        "eat": "roots and kongs that the value already includes (减根)",
    },
)
"""What a pattern may say, in the table ``patterns`` by its name."""

WILDS = _with_defaults(
    Wilds,
    {
        "count": "the most wild tiles that a hand can hold (张数); 0: the game has none",
        "kind": '"next": the tile after the turned one (听用), "extra": tiles beside the 27 kinds '
        "(红中)",
        "wild_fan": "fan of a win with wild tiles, counted once (赖子番)",
        "indicator_pung": "fan of holding the three other copies of the turned tile (翻牌)",
        "wild_ignores_suit": "true: the suit printed on a wild tile does not count for 缺门",
        "wild_counts_for_gen": "true: a root may contain wild tiles (赖子算根)",
        "virtual_fifth_copy": "true: a wild tile may stand for a fifth copy (第五张)",
        "inferred": "a list: what the rule text leaves open and this rule set assumes (推定)",
    },
)
"""What the table ``wilds`` may say."""

SETTLEMENT = _with_defaults(
    Settlement,
    {
        "basic_points": "points that each of the other three pays beside those of the win (底分)",
        "kong_direct": "units that the feeder of a direct kong pays (直杠, 点杠)",
        "kong_direct_others": "units that each other player pays for a direct kong (擦挂)",
        "kong_added": "units that each player pays for an added kong made at once (面下杠, 补杠)",
        "kong_added_late": "units that each player pays for an added kong made later (补杠)",
        "kong_concealed": "units that each player pays for a concealed kong (暗杠)",
        "kong_robbed_pays": "true: a kong is paid even when it is robbed (抢杠)",
        "refund_if_not_ready": "true: at a draw, a player who is not ready gives kong income back "
        "(退税)",
        "pig_refunds": "true: at a draw, a flower pig gives kong income back (花猪退税)",
        "kong_discard": "the income of a kong when the discard after it is won on (杠上炮): "
        '"transfer": the winner gets it, "refund": it goes back, "none": it stays',
        "pig": 'units that a flower pig pays (花猪); "max(4 fan)": the best hand of the payee, '
        "4 fan or more; 0: there are no pigs",
        "pig_receivers": 'who is paid by a pig: "non_pigs", or "all": the other pigs, too (查花猪)',
        "pig_pays_winners": "true: a pig also pays players who have won before (花猪赔胡家)",
        "pig_also_dajiao": "true: a pig also pays and gives back like a player who is not ready "
        "(花猪查叫)",
        "dajiao": "what players who are not ready pay those who are (查大叫), by the value of the "
        'ready hand: "max" or "min" of its waits, "off": nothing',
        "discard_pays": 'what the discarder pays (点炮): "discarder": one part, '
        '"discarder_for_all": the parts of all three',
        "fed_kong_win_pays": "who pays for a win on the replacement tile of a direct kong "
        '(点杠花): "all", "feeder": the player who fed the kong',
        "fed_kong_discard_pays": "who pays for a win on the discard after a direct kong (杠上炮): "
        '"discarder", "feeder": the player who fed the kong',
        "pass_rule": "what a player who let a win pass may not win on (过水不胡): "
        '"none": no limit, "until_draw": any discard before the next own draw, '
        '"until_draw_unless_higher": the same, but more fan may be won, '
        '"until_draw_unless_higher_or_last4": the same, and no limit in the last four tiles',
        "last_n_must_win": "a win with one of this many last tiles of the wall has to be taken "
        "(必胡)",
        "several_winners": "true: several players may win on one discard (一炮多响)",
        "winners_to_end": "wins that end the hand: 1, 2 or 3 (血战)",
        "escape": "units that a player who leaves pays each player who has not won (逃跑)",
        "escape_last": "with this many tiles left or fewer, a player who leaves pays by the ready "
        "check if that is more (逃跑查叫)",
        "winner_leaves": "what happens to the payments to a winner who leaves before the end "
        '(胡家离开): "keeps", "forfeits"',
        "piao": "a list: the factor when one of two players is in 飘, and when both are; empty: "
        "there is no 飘",
        "piao_doubles": 'what 飘 multiplies: "all": all payments, "wins": those for wins',
        "next_dealer": 'who deals next (坐庄): "dice", "first_winner", "rotate": the dealer stays '
        'after winning or a draw, "next": always the next player',
        "multi_win_dealer": "who deals after several players won at once (一炮多响坐庄): "
        '"discarder", "first_winner"',
        "inferred": "a list: what the rule text leaves open and this rule set assumes (推定)",
    },
)
"""What the table ``settlement`` may say."""

SECTIONS: dict[str, Mapping[str, str]] = {
    "": KEYS,
    "patterns": PATTERN,
    "addons": ADDONS,
    "wilds": WILDS,
    "settlement": SETTLEMENT,
}
"""The keys of each table of a rule file; "" is the top."""

FIRST, LAST = "# --- what the keys mean", "# ---"


_WIDE = re.compile("([\u2e80-\u9fff\uff00-\uff60])")  # a character of two columns


def lines(meanings: Mapping[str, str], width: int = 90) -> str:
    """Keys and what they mean, in two columns."""
    room = max(map(len, meanings))
    indent = " " * (room + 4)
    told = []
    for key, text in meanings.items():
        as_wide = _WIDE.sub("\\1\0", text)  # as many characters as columns
        told.append(fill(f"  {key:<{room}}  {as_wide}", width, subsequent_indent=indent))
    return "\n".join(told).replace("\0", "")


def used(table: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The meanings of the keys that a rule file uses, section by section.

    >>> used({"kinds": 27})
    {'': {'kinds': 'kinds of tiles: 34, or 27 for a game without honours (牌种); default: 34'}}
    """
    found: dict[str, dict[str, str]] = {}
    for section, meanings in SECTIONS.items():
        here = table if section == "" else table.get(section, {})
        keys = set(here)
        if section == "patterns":
            keys = {key for pattern in here.values() for key in pattern}
        found[section] = {key: text for key, text in meanings.items() if key in keys}
    patterns = table.get("patterns", {}).values()
    flags = {flag for pattern in patterns for flag in pattern.get("req", ())}
    found["flags"] = {name: flag.text for name, flag in FLAGS.items() if name in flags}
    required = table.get("requires", ())
    found["requires"] = {name: text for name, text in CONDITIONS.items() if name in required}
    found["forms"] = {name: FORM_MEANINGS[name] for name in table.get("forms", ())}
    return {section: meanings for section, meanings in found.items() if meanings}


def legend(table: Mapping[str, Any]) -> str:
    """Comment lines that explain what a rule file uses."""
    told = [f"{FIRST} (mahjong-eval rules --keys explains all of them)"]
    for section, meanings in used(table).items():
        if section:
            title = {"flags": "what patterns require", "requires": "what every win needs"}
            told.append(f"# {title.get(section, section)}:")
        told += [f"#{line}" for line in lines(meanings, 97).splitlines()]
    return "\n".join([*told, LAST]) + "\n"


def with_legend(text: str) -> str:
    """A rule file with its legend after the title and source."""
    text = re.sub(rf"^{FIRST}.*?^{LAST}\n", "", text, flags=re.DOTALL | re.MULTILINE)
    head = re.match(r"(?:(?:title|source) = .*\n)*", text)
    assert head is not None
    return text[: head.end()] + legend(tomllib.loads(text)) + text[head.end() :]


def page_table() -> Iterator[str]:
    """Lines of the table of all keys in docs/rules.md."""
    for section, meanings in SECTIONS.items():
        yield f"| {f'`[{section}]`' if section else 'key'} | meaning |"
        yield "|---|---|"
        yield from (f"| `{key}` | {text} |" for key, text in meanings.items())
        yield ""


def main() -> None:
    """Write the legends of the rule files that come with the package, and the page's table."""
    folder = Path(__file__).parent
    for path in sorted(folder.glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        if "kinds" in tomllib.loads(text):
            path.write_text(with_legend(text), encoding="utf-8")
    page = folder.parents[1] / "docs" / "rules.md"
    if page.exists():
        text = page.read_text(encoding="utf-8")
        start, end = "<!-- keys -->\n", "<!-- /keys -->"
        before, rest = text.split(start)
        page.write_text(
            before + start + "\n".join(page_table()) + end + rest.split(end)[1], encoding="utf-8"
        )


if __name__ == "__main__":
    main()
