"""``rules``: the rule sets there are, one of them, or its file to start one's own from."""

from __future__ import annotations

import argparse
import json
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ..rulesets.flags import FLAGS
from ..rulesets.records import Record
from ..tiles import FORMS
from .console import BOLD, DIM, LEAST, colour, screen_width, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..rulesets import Rules

MEANINGS = {
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
    "forms": "which shapes are complete hands, a list of those below",
    "max_suits": "3, or 2 where a complete hand must lack a suit (缺门)",
    "source": "the rule text",
    "fan_table": 'the table of the fan: "guobiao_fan", or nothing where hands have no score',
    "minimum": "points a win needs, flowers apart",
    "without": "fan of the table that do not exist (明暗杠)",
    "needs_sets": "fan that seven pairs never have, of those of guobiao_1998",
    "not_with": "a table: a fan, and what is not added beside it, as in guobiao_1998",
    "chow_melds": "false: chows may not be claimed",
    "patterns": "a table by name: { value, group, req = [flags], eat = roots eaten }",
    "mode": '"exp": base × 2^(fan - offset), "linear": base × fan, "product" of the groups',
    "base": "units of a payment",
    "offset": "the fan that pay one base",
    "cap": "the most fan that count",
    "cap_self_draw": "true: the cap holds for what a self-draw adds, too",
    "gen": "fan of a root (four of a kind, no kong)",
    "kong": "fan of a kong",
    "zimo": 'what a self-draw adds: "none", "jiadi" (a base), "jiafan" (a fan)',
    "addons": "a table: fan of gangshanghua, gangshangpao, qianggang, haidi_self, haidi_discard",
    "earthly_on_discard": "true: 地胡 may be won on the first discard, too",
    "dead_wait": 'a wait is none if its four copies are held: "concealed4", "own4", "visible4"',
    "requires": "what every win must have, as in dandong",
    "wilds": "a table: wild tiles, see below",
    "settlement": "a table: who pays whom, see below",
    "inferred": "a list: what the rule text does not say",
}
"""What a file of rules may say (``seven_pairs = true`` is short for forms)."""

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


def _lines(meanings: Mapping[str, str]) -> str:
    width = max(map(len, meanings))
    return "\n".join(
        fill(f"  {key:<{width}}  {text}", 90, subsequent_indent=" " * (width + 4))
        for key, text in meanings.items()
    )


# of a rule set of each kind, what the other kind has
FAN_KEYS = ("fan_table", "without", "needs_sets", "not_with", "settlement")
PATTERN_KEYS = (
    "chow_melds", "mode", "base", "offset", "cap", "cap_self_draw", "gen", "kong", "zimo", "addons",
    "earthly_on_discard", "dead_wait", "requires", "patterns", "wilds", "settlement",
)  # fmt: skip

EPILOG = f"""\
a rule set of your own is a TOML file: a name ending in .toml works wherever a rule set's
name does. It may say:
{_lines(KEYS)}
what is left out is 34 kinds, 3 suits, ["standard"]. The forms:
{_lines({form: MEANINGS[form] for form in FORMS})}

flags that a pattern may require (all of them in one reading of the hand):
{_lines({name: flag.text for name, flag in FLAGS.items()})}
of the patterns of a group the one with the largest value counts, groups add up.

the table of wild tiles may say:
{_lines(WILDS)}

the table of the settlement may say:
{_lines(SETTLEMENT)}

a file to start from: two suits at most, 门清 and 一条龙 beside the usual patterns
  title = "Our house"
  kinds = 27
  max_suits = 2
  seven_pairs = true
  chow_melds = false
  cap = 12
  gen = 1
  kong = 1
  [patterns]
  "平胡" = {{ value = 0, req = ["std"] }}
  "对对胡" = {{ value = 1, req = ["pungs"] }}
  "七对" = {{ value = 2, req = ["seven"] }}
  "清一色" = {{ value = 2, group = 1, req = ["flush"] }}
  "门清" = {{ value = 1, group = 2, req = ["menqing"] }}
  "一条龙" = {{ value = 10, group = 3, req = ["yitiaolong"] }}

examples:
  mahjong-eval rules
  mahjong-eval rules guobiao
  mahjong-eval rules riichi --toml
    the file of a rule set: "> ours.toml" makes a copy to change"""


def add(commands: Any) -> None:
    """Put the command into the command line."""
    parser = commands.add_parser(
        "rules",
        help="list the rule sets, or show one",
        description="List the rule sets, show one of them, or print its file.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="a rule set, or a TOML file")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON")
    form.add_argument("--toml", action="store_true", help="print the file of NAME as it is")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the list, the rule set or its file."""
    from ..rulesets import rules
    from ..scoring.sichuan.values import combination

    if args.toml:
        print(_file_of(args.name), end="")
        return 0
    if args.name is not None:
        known = rules(args.name)
        if known.patterns:
            combination(known)  # what the points of a win cannot be is said now, not when scored
        shown: Any = _facts(known)
        lines = _fact_lines(shown)
    else:
        shown = [_facts(rules(name)) for name in rules()]
        rows = [[str(facts[key]) for key in ("name", "kinds", "title")] for facts in shown]
        lines = table([["name", "kinds", "title"], *rows], right=[1])
        lines[0] = colour(lines[0], BOLD)
    print(json.dumps(shown, ensure_ascii=False) if args.json else "\n".join(lines))
    return 0


def _file_of(name: str | None) -> str:
    from importlib.resources import files
    from pathlib import Path

    from ..rulesets import rules
    from .hands import UsageError

    if name is None:
        raise UsageError("--toml: name the rule set whose file is wanted")
    rules(name)  # says what is wrong with the name or the file
    is_path = name.endswith(".toml")
    place = Path(name) if is_path else files("evaluator.rulesets") / f"{name}.toml"
    return place.read_text(encoding="utf-8-sig")


def _facts(rules: Rules) -> dict[str, Any]:
    """What the file says, and what it leaves out as it is then; lists and tables."""
    facts: dict[str, Any] = {
        "name": rules.name,
        "title": rules.title,
        "kinds": rules.kinds,
        "forms": list(rules.forms),
        "max_suits": rules.max_suits,
        "source": rules.source,
    }
    if rules.fan_table or rules.patterns:
        facts["minimum"] = rules.minimum
    if rules.fan_table:
        facts |= {key: _plain(getattr(rules, key)) for key in FAN_KEYS}
    if rules.patterns:
        facts |= {key: _plain(getattr(rules, key)) for key in PATTERN_KEYS}
    return facts | ({"inferred": list(rules.inferred)} if rules.inferred else {})


def _plain(value: Any) -> Any:
    """A knob as JSON has it."""
    if isinstance(value, Record):
        return {key: _plain(part) for key, part in value.table().items()}
    return [_plain(part) for part in value] if isinstance(value, tuple) else value


def _fact_lines(facts: dict[str, Any]) -> list[str]:
    """A rule set as a table, its long texts in several lines, and what to do with it."""
    patterns = facts.pop("patterns", None)
    shown: dict[str, Any] = {}
    for key, value in facts.items():
        if isinstance(value, dict):
            shown |= {f"{key}.{part}": inner for part, inner in value.items()}
        else:
            shown[key] = value
    key_width = max(map(len, shown))
    screen = screen_width()
    room = None if screen is None else max(screen - key_width - 2, LEAST)
    lines = []
    for key, value in shown.items():
        text = _text(value)
        wrapped = [text] if room is None else fill(text, room).splitlines()
        for at, part in enumerate(wrapped or [""]):
            lines.append(colour(f"{'' if at else key:<{key_width}}", BOLD) + f"  {part}")
    if patterns:
        head = ["pattern", "value", "group", "eats", "requires"]
        rows = [
            [p["name"], str(p["value"]), str(p["group"]), str(p["eat"]), " ".join(p["req"])]
            for p in patterns
        ]
        of_patterns = table([head, *rows], right=[1, 2, 3])
        of_patterns[0] = colour(of_patterns[0], BOLD)
        lines += ["", *of_patterns]
    hint = "rules of your own: --toml prints a file to start from, --help says what it may say"
    return [*lines, "", colour(hint, DIM)]


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, value)) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)
