"""``score``: what won hands are worth, as a player would write it down."""

from __future__ import annotations

import argparse
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ..tiles import KINDS
from .console import DIM, GREEN, RED, colour, set_text, table, tile_text
from .hands import HAND_HELP, WIDTH, Answer, run

if TYPE_CHECKING:
    from ..hands import Hand
    from ..scores import ScoredDivision

LANGUAGES = ("zh", "en")

WORDS = {
    # language: total, below the minimum, won with
    "en": ("{total} fan", "below the minimum of {minimum} (flowers apart): no win", "won with"),
    "zh": ("{total}番", "不足{minimum}番（花牌不算）：不能和", "和"),
}

EPILOG = """\
examples:
  mahjong-eval score "123789s123789p3m3m"
    concealed, won with the last tile written, on a discard
  mahjong-eval score "[123m,1][EEE]45m678p99s6m|ES1000|2" --lang zh
    | prevalent wind, seat wind, self-drawn, last tile, wall last, kong | flowers"""


def add(commands: Any) -> None:
    """Put the command into the command line."""
    text = (
        "What a complete hand is worth: the list of fan of its best reading, the total and "
        "whether it reaches the minimum. The last tile written is the winning tile."
    )
    parser = commands.add_parser(
        "score",
        help="what a complete hand is worth",
        description=fill(text, WIDTH),
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("hands", nargs="+", metavar="HAND", help=HAND_HELP)
    parser.add_argument(
        "--rules", metavar="NAME", help="rule set with fan: guobiao (default) or guobiao_1998"
    )
    parser.add_argument(
        "--lang", choices=LANGUAGES, help="names of fan in one language (default: both)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a hand")
    parser.add_argument("--unicode", action="store_true", help="show tiles as Unicode characters")
    parser.set_defaults(run=run, ask=_score)


def _score(hand: Hand, args: argparse.Namespace) -> Answer:
    from ..rulesets import rules
    from ..scores import score

    found = score(hand, args.rules)
    division = found.division
    holder = division.holds_win
    fields = {
        "total": found.total,
        "minimum_met": found.minimum_met,
        "fans": [
            {"name": fan.chinese, "english": fan.english, "value": fan.value, "count": fan.count}
            for fan in found.fans
        ],
        "form": division.form,
        "sets": [set_text(meld.tiles) for meld in division.sets],
        "pair": None if division.pair is None else set_text((division.pair,) * 2),
        "won_in": holder if isinstance(holder, str) else set_text(holder.tiles),
    }
    total, below, won = WORDS[args.lang or "en"]
    head = colour(total.format(total=found.total), GREEN if found.minimum_met else RED)
    if not found.minimum_met:
        minimum = rules(args.rules or "guobiao").minimum
        head += ", " + below.format(minimum=minimum)
    lines = [f"\0  {head}"]
    rows = []
    for fan in found.fans:
        times = f" ×{fan.count}" if fan.count > 1 else ""
        names = {"zh": fan.chinese + times, "en": fan.english + times}
        shown = [names[args.lang]] if args.lang else [names["zh"], fan.english]
        rows.append(["", str(fan.value * fan.count), *shown])
    lines += table(rows, right=[1])
    if hand.win_tile is not None:
        read = _read_as(hand, division, args.unicode)
        lines.append(colour(f"  {read}, {won} {tile_text(hand.win_tile, args.unicode)}", DIM))
    return Answer(fields, lines)


def _read_as(hand: Hand, division: ScoredDivision, unicode: bool) -> str:
    """Sets and pair, a star behind the one with the winning tile; other tiles by suit."""
    rest = list(hand.concealed)
    parts = []
    star = division.holds_win
    for at, meld in enumerate(division.sets):
        shown = set_text(meld.tiles, unicode)
        if at >= len(hand.melds):
            for tile in meld.tiles:
                rest[tile] -= 1
            if meld == star:
                # of two equal sets one
                shown, star = shown + "*", "found"
        parts.append(shown)
    if division.pair is not None:
        rest[division.pair] -= 2
        shown = set_text((division.pair,) * 2, unicode)
        parts.append(shown + "*" if star == "pair" else shown)
    if any(rest):
        suits = [range(first, min(first + 9, KINDS)) for first in range(0, KINDS, 9)]
        others = [[tile for tile in suit for _ in range(rest[tile])] for suit in suits]
        parts = [set_text(tiles, unicode) for tiles in others if tiles] + parts
    form = "" if division.form == "standard" else division.form.replace("_", " ") + ": "
    return form + " ".join(parts)
