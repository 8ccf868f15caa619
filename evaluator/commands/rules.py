"""``rules``: the rule sets there are, one of them, or its file to start one's own from."""

from __future__ import annotations

import argparse
import json
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ..errors import Code
from ..rulesets.flags import FLAGS
from ..rulesets.legend import (
    ADDONS,
    FORM_MEANINGS,
    KEYS,
    PATTERN,
    SECTIONS,
    SETTLEMENT,
    WILDS,
    lines,
)
from ..rulesets.records import CONDITIONS, Record
from .console import BOLD, DIM, LEAST, colour, screen_width, table

if TYPE_CHECKING:
    from ..rulesets import Rules

# of a rule set of each kind, what the other kind has
FAN_KEYS = ("fan_table", "without", "needs_sets", "not_with", "settlement")
PATTERN_KEYS = (
    "chow_melds", "mode", "base", "offset", "cap", "cap_self_draw", "gen", "kong", "zimo", "addons",
    "earthly_on_discard", "dead_wait", "requires", "patterns", "wilds", "settlement",
)  # fmt: skip

EPILOG = f"""\
A rule set of your own is a TOML file: a name ending in .toml works wherever the name of a
rule set does. --keys explains single keys. The keys of a file:
{lines(KEYS)}

the forms of a complete hand:
{lines(FORM_MEANINGS)}

a pattern may say:
{lines(PATTERN)}
flags that a pattern may require:
{lines({name: flag.text for name, flag in FLAGS.items()})}

what every win may be required to have:
{lines(CONDITIONS)}

the table of add-ons may say:
{lines(ADDONS)}

the table of wild tiles may say:
{lines(WILDS)}

the table of the settlement may say:
{lines(SETTLEMENT)}

a file to start from, with at most two suits, and with 门清 and 一条龙 added to the usual patterns:
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
  mahjong-eval rules --keys
  mahjong-eval rules --keys settlement.pig dead_wait
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
    form.add_argument(
        "--keys",
        nargs="*",
        metavar="KEY",
        help="explain the keys of a rule file: those named, or all",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the list, the rule set or its file."""
    from ..rulesets import rules
    from ..scoring.sichuan.values import combination

    if args.keys is not None:
        print("\n".join(_key_lines(args.keys)))
        return 0
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


def _key_lines(wanted: list[str]) -> list[str]:
    """Keys of a rule file and what they mean, section by section."""
    from .hands import UsageError

    sections = {f"[{name}]" if name else "a rule file": keys for name, keys in SECTIONS.items()}
    sections["flags that a pattern may require"] = {name: flag.text for name, flag in FLAGS.items()}
    sections["what requires may name"] = CONDITIONS
    sections["what forms may name"] = FORM_MEANINGS
    found, known = [], set()
    for title, keys in sections.items():
        section = title.strip("[]") if title[0] == "[" else ""
        names = {f"{section}.{key}" if section else key: key for key in keys}
        known |= {*names, *keys}
        some = {
            key: keys[key]
            for name, key in names.items()
            if not wanted or name in wanted or key in wanted
        }
        if some:
            found += [
                "",
                colour(f"{title}:", BOLD),
                *lines(some, screen_width() or 100).splitlines(),
            ]
    unknown = [key for key in wanted if key not in known]
    if unknown:
        raise UsageError(Code.NO_RULE_KEY, name=repr(unknown[0]))
    return found[1:]


def _file_of(name: str | None) -> str:
    from importlib.resources import files
    from pathlib import Path

    from ..rulesets import rules
    from .hands import UsageError

    if name is None:
        raise UsageError(Code.TOML_NEEDS_NAME)
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
        facts["fan"] = [
            {"name": part.name, "english": part.english, "value": part.value}
            for part in rules.parts
        ]
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
    patterns, fan = facts.get("patterns"), facts.get("fan")
    shown: dict[str, Any] = {}
    for key, value in facts.items():
        if key in ("patterns", "fan"):
            continue  # tables of their own, below
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
    if fan:
        rows = [[str(part["value"]), part["name"], part["english"]] for part in fan]
        of_fan = table([["fan", "name", "english"], *rows], right=[0])
        of_fan[0] = colour(of_fan[0], BOLD)
        lines += ["", *of_fan]
    hint = "rules of your own: --toml prints a file to start from, --keys explains its keys"
    return [*lines, "", colour(hint, DIM)]


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, value)) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)
