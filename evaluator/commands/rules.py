"""``rules``: the rule sets there are, or one of them."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from .console import BOLD, colour, table

if TYPE_CHECKING:
    from ..rulesets import Rules


def add(commands: Any) -> None:
    """Put the command into the command line."""
    parser = commands.add_parser(
        "rules",
        help="list the rule sets, or show one",
        description="List the rule sets, or show one of them.",
        epilog="examples:\n  mahjong-eval rules\n  mahjong-eval rules guobiao",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="a rule set, or a TOML file")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the list or the rule set."""
    from ..rulesets import rules

    if args.name is not None:
        shown: Any = _facts(rules(args.name))
        lines = table([[colour(key, BOLD), _text(value)] for key, value in shown.items()])
    else:
        shown = [_facts(rules(name)) for name in rules()]
        rows = [[str(facts[key]) for key in ("name", "kinds", "title")] for facts in shown]
        lines = table([["name", "kinds", "title"], *rows], right=[1])
        lines[0] = colour(lines[0], BOLD)
    print(json.dumps(shown, ensure_ascii=False) if args.json else "\n".join(lines))
    return 0


def _facts(rules: Rules) -> dict[str, Any]:
    return {
        "name": rules.name,
        "title": rules.title,
        "kinds": rules.kinds,
        "forms": list(rules.forms),
        "max_suits": rules.max_suits,
        "source": rules.source,
    }


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(str(item).replace("_", " ") for item in value)
    return "-" if value is None else str(value)
