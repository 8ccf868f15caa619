"""What every key of a rule file means, in one place.

``mahjong-eval rules --keys`` prints it, the rule sets that come with the package begin with what
they use of it, and so does the table of docs/rules.md. After a change here
``python -m evaluator.rulesets.legend`` writes both anew.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import fill
from typing import Any

from .flags import FLAGS
from .records import CONDITIONS

FORM_MEANINGS = {
    "standard": "four sets and a pair",
    "seven_pairs": "seven pairs, four of a kind are two of them",
    "seven_different_pairs": "seven pairs of seven kinds",
    "thirteen_orphans": "十三幺: each terminal and honour, and one of them twice",
    "knitted_straight": "组合龙: 147, 258, 369 of three suits, a set and a pair",
    "honours_and_knitted": "全不靠: 14 different honours and knitted tiles",
}
"""The forms of a complete hand, for players."""

KEYS = {
    "title": "the name a player knows",
    "kinds": "34, or 27 for games without honours",
    "forms": "which shapes are complete hands, a list",
    "seven_pairs": "true: four sets and a pair or seven pairs, short for forms",
    "max_suits": "3, or 2 where a complete hand must lack a suit (缺门)",
    "source": "the rule text",
    "fan_table": 'the table of the fan: "guobiao_fan", or nothing where hands have no score',
    "minimum": "points a win needs, flowers apart",
    "without": "fan of the table that do not exist (明暗杠)",
    "needs_sets": "fan that seven pairs never have, of those of guobiao_1998",
    "not_with": "a table: a fan, and what is not added beside it, as in guobiao_1998",
    "chow_melds": "false: chows may not be claimed",
    "patterns": "a table: each pattern by its name, { value, group, req, eat }",
    "mode": '"exp": base × 2^(fan - offset), "linear": base × fan, "product" of the groups',
    "base": "units of a payment",
    "offset": "the fan that pay one base",
    "cap": "the most fan that count",
    "cap_self_draw": "true: the cap holds for what a self-draw adds, too",
    "gen": "fan of a root (four of a kind, no kong)",
    "kong": "fan of a kong",
    "zimo": 'what a self-draw adds: "none", "jiadi" (a base), "jiafan" (a fan)',
    "addons": "a table: fan for how a hand was won",
    "earthly_on_discard": "true: 地胡 may be won on the first discard, too",
    "dead_wait": "a wait does not count if its four copies are held: "
    '"concealed4", "own4", "visible4"',
    "requires": "a list: what every win needs",
    "wilds": "a table: wild tiles",
    "settlement": "a table: who pays whom",
    "inferred": "a list: what the rule text does not say",
}
"""What a file of rules may say at its top (``seven_pairs = true`` is short for forms)."""

ADDONS = {
    "gangshanghua": "fan of a win on the replacement tile of a kong (杠上花)",
    "gangshangpao": "fan of a win on the discard after a kong (杠上炮)",
    "qianggang": "fan of a win on a robbed kong (抢杠)",
    "haidi_self": "fan of a self-draw with the last tile of the wall (海底捞月)",
    "haidi_discard": "fan of a win on the last discard (海底炮)",
}
"""What the table ``addons`` may say."""

PATTERN = {
    "value": "fan of the pattern, or its factor",
    "group": "of a group the best pattern counts, groups add up (or multiply); left out: 0",
    "req": "a list of flags that must hold together, in one reading of the hand",
    "eat": "roots that the pattern takes away",
}
"""What a pattern may say, in the table ``patterns`` by its name."""

WILDS = {
    "count": "the most wild tiles a hand can hold; 0: the game has none",
    "kind": '"next": the tile after the turned tile (听用), "extra": beside the 27 kinds (红中)',
    "wild_fan": "fan of a win with wild tiles, once",
    "indicator_pung": "fan of the three other copies of the turned tile",
    "wild_ignores_suit": "true: the suit of a wild tile does not count for 缺门",
    "wild_counts_for_gen": "true: a root may hold wild tiles",
    "virtual_fifth_copy": "true: a wild tile may stand for a fifth copy",
    "inferred": "a list: what the rule text does not say",
}
"""What the table ``wilds`` may say."""

SETTLEMENT = {
    "basic_points": "what each payer adds to the points of a win (底分)",
    "kong_direct": "units that the feeder of a direct kong pays",
    "kong_direct_others": "units that each other player pays for a direct kong (擦挂)",
    "kong_added": "units that each pays for an added kong made at once",
    "kong_added_late": "units that each pays for an added kong made later",
    "kong_concealed": "units that each pays for a concealed kong",
    "kong_robbed_pays": "true: a robbed kong is paid",
    "refund_if_not_ready": "true: who is not ready at a draw gives kong income back (退税)",
    "pig_refunds": "true: a flower pig gives kong income back, too",
    "kong_discard": 'kong income when the discard after is won on: "transfer", "refund", "none"',
    "pig": 'units that a flower pig pays, or "max(4 fan)": the greatest hand of the payee',
    "pig_receivers": '"non_pigs", or "all": the other pigs, too',
    "pig_pays_winners": "true: a pig pays those who have won before, too",
    "pig_also_dajiao": "true: a pig also pays and gives back as a player who is not ready",
    "dajiao": 'what those not ready pay those who are (查大叫): "max", "min", "off"',
    "discard_pays": '"discarder": his own part, "discarder_for_all": the parts of all',
    "fed_kong_win_pays": 'who pays a win after a direct kong (点杠花): "all", "feeder"',
    "fed_kong_discard_pays": 'who pays for the discard after it (杠上炮): "discarder", "feeder"',
    "pass_rule": 'after a win was passed (过水不胡): "none", "until_draw", '
    '"until_draw_unless_higher", "until_draw_unless_higher_or_last4"',
    "last_n_must_win": "a win with one of so many last tiles of the wall cannot be passed",
    "several_winners": "true: several may win on one discard",
    "winners_to_end": "wins that end the hand, 1 to 3",
    "escape": "units that a player who leaves pays each who has not won",
    "escape_last": "with so few tiles in the wall he pays by the ready check if that is more",
    "winner_leaves": 'payments to a winner who leaves before the end: "keeps", "forfeits"',
    "piao": "a list: factor with one of two players in 飘, and with both; empty: no 飘",
    "piao_doubles": 'what 飘 multiplies: "all" payments, or "wins" alone',
    "next_dealer": '"dice", "first_winner", "rotate" (stays after a win or a draw), "next"',
    "multi_win_dealer": 'who deals after several won at once: "discarder", "first_winner"',
    "inferred": "a list: what the rule text does not say",
}
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


def lines(meanings: Mapping[str, str], width: int = 90) -> str:
    """Keys and what they mean, in two columns."""
    room = max(map(len, meanings))
    return "\n".join(
        fill(f"  {key:<{room}}  {text}", width, subsequent_indent=" " * (room + 4))
        for key, text in meanings.items()
    )


def used(table: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """The meanings of the keys that a rule file uses, section by section.

    >>> used({"kinds": 27})
    {'': {'kinds': '34, or 27 for games without honours'}}
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
