"""``score``: what won hands are worth, as a player would write it down."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ..tiles import NAMES
from .console import DIM, GREEN, RED, colour, set_text, table, tile_text
from .hands import HAND_HELP, WIDTH, Answer, run

if TYPE_CHECKING:
    from ..hands import Hand
    from ..rulesets import Rules
    from ..scoring import Score
    from ..shape.divisions import ScoredDivision

LANGUAGES = ("zh", "en")

WORDS = {
    # language: total, below the minimum, won with
    "en": ("{total} fan", "below the minimum of {minimum} (flowers apart): no win", "won with"),
    "zh": ("{total}番", "不足{minimum}番（花牌不算）：不能和", "和"),
}

PATTERN_WORDS = {
    "en": {
        "fan": "{fan} fan",
        "pay": "{points} points, {payer} pays {payment}",
        "drawn": "each other player",
        "discarder": "the discarder",
        "discarder_for_all": "the discarder, for all,",
        "below": "below the minimum of {minimum} fan: no win",
        "cap": ", at most {cap} fan count",
        "jiadi": "one base more for the self-draw (自摸加底)",
        "jiafan": "one fan more for the self-draw (自摸加番)",
        "for_all": "for all three",
        "wilds": "wild tiles as",
    },
    "zh": {
        "fan": "{fan}番",
        "pay": "{points}分，{payer}付{payment}",
        "drawn": "其他各家",
        "discarder": "点炮者",
        "discarder_for_all": "点炮者包三家，",
        "below": "不足{minimum}番：不能胡",
        "cap": "，{cap}番封顶",
        "jiadi": "自摸加底",
        "jiafan": "自摸加番",
        "for_all": "包三家",
        "wilds": "听用作",
    },
}
"""What is said of a score under rules with patterns."""

EPILOG = """\
examples:
  mahjong-eval score "123789s123789p3m3m"
    concealed, won with the last tile written, on a discard
  mahjong-eval score "[123m,1][EEE]45m678p99s6m|ES1000|2" --lang zh
    | prevalent wind, seat wind, self-drawn, last tile, wall last, kong | flowers
  mahjong-eval score "[9999m]111222333m9p9p|EE1001|0" --rules qq_sichuan
    fan, points and payment: pattern, roots, kongs and add-ons line by line
  mahjong-eval score "22334455668m|EE1000|0|wilds=3,indicator=6p" --rules yibin
    three wild tiles (7p, because 6p was turned) together with eleven other tiles"""


def add(commands: Any) -> None:
    """Put the command into the command line."""
    text = (
        "What a complete hand is worth: the list of fan of its best reading, the total and "
        "whether it reaches the minimum; under Sichuan rules its pattern, roots, kongs and "
        "add-ons, the points and what a payer pays. The last tile written is the winning tile."
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
        "--rules",
        metavar="NAME",
        help="rule set with fan or patterns: guobiao (default), guobiao_1998, qq_sichuan, ...",
    )
    parser.add_argument(
        "--lang",
        choices=LANGUAGES,
        help="one language (default: names of fan in both; patterns have Chinese names only)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per hand")
    parser.add_argument("--unicode", action="store_true", help="show tiles as Unicode characters")
    parser.set_defaults(run=run, ask=_score)


def _score(hand: Hand, args: argparse.Namespace) -> Answer:
    from ..rulesets import rules
    from ..scoring import score

    found = score(hand, args.rules)
    if args.rules is not None and args.rules.patterns:
        return _under_patterns(hand, found, args)
    division = found.division
    fields = {
        "total": found.fan,
        "minimum_met": found.minimum_met,
        "fans": [
            {"name": fan.name, "english": fan.english, "value": fan.value, "count": fan.count}
            for fan in found.parts
        ],
        **_division_fields(division),
    }
    total, below, won = WORDS[args.lang or "en"]
    head = colour(total.format(total=found.fan), GREEN if found.minimum_met else RED)
    if not found.minimum_met:
        minimum = rules(args.rules or "guobiao").minimum
        head += ", " + below.format(minimum=minimum)
    lines = [f"\0  {head}"]
    rows = []
    for fan in found.parts:
        times = f" ×{fan.count}" if fan.count > 1 else ""
        names = {"zh": fan.name + times, "en": fan.english + times}
        shown = [names[args.lang]] if args.lang else [names["zh"], fan.english]
        rows.append(["", str(fan.value * fan.count), *shown])
    lines += table(rows, right=[1])
    read = _read_as(hand, division, args.unicode)
    # a dealt hand is won with no tile more than another
    if hand.win_tile is not None and division.holds_win is not None:
        read += f", {won} {tile_text(hand.win_tile, args.unicode)}"
    lines.append(colour(f"  {read}", DIM))
    return Answer(fields, lines)


def _division_fields(division: ScoredDivision) -> dict[str, Any]:
    holder = division.holds_win
    return {
        "form": division.form,
        "sets": [set_text(meld.tiles) for meld in division.sets],
        "pair": None if division.pair is None else set_text((division.pair,) * 2),
        "won_in": holder if holder is None or isinstance(holder, str) else set_text(holder.tiles),
    }


def _under_patterns(hand: Hand, found: Score, args: argparse.Namespace) -> Answer:
    """The answer under a rule set with patterns."""
    rules: Rules = args.rules
    words = PATTERN_WORDS[args.lang or "en"]
    division = found.division
    fields: dict[str, Any] = {
        "fan": found.fan,
        "points": found.points,
        "payment": found.payment,
        "minimum_met": found.minimum_met,
        "patterns": list(found.patterns),
        "gens": found.gens,
        "kongs": found.kongs,
        "addons": found.addons,
        "parts": [
            {"name": part.name, "english": part.english, "value": part.value, "count": part.count}
            for part in found.parts
        ],
    }
    if division is not None:
        fields |= _division_fields(division)
        fields["wilds"] = [NAMES[tile] for tile in division.wilds]
    payer = words["drawn" if hand.self_drawn else rules.settlement.discard_pays]
    head = colour(words["fan"].format(fan=found.fan), GREEN if found.minimum_met else RED)
    if found.minimum_met:
        pay = words["pay"].format(points=found.points, payer=payer, payment=found.payment)
        head += (": " if words is PATTERN_WORDS["en"] else "：") + pay
    else:
        head += ", " + words["below"].format(minimum=rules.minimum)
    lines = [f"\0  {head}", *_part_lines(found, rules, args.lang)]
    lines.append(colour(f"  {_sum_of_points(hand, found, rules, words)}", DIM))
    if division is not None:
        read = _read_as(hand, division, args.unicode)
        if hand.win_tile is not None:
            won = WORDS[args.lang or "en"][2]
            read += f", {won} {tile_text(hand.win_tile, args.unicode)}"
        if division.wilds:
            read += f", {words['wilds']} {_by_suit(division.wilds, args.unicode)}"
        lines.append(colour(f"  {read}", DIM))
    return Answer(fields, lines)


def _part_lines(found: Score, rules: Rules, language: str | None) -> list[str]:
    """A line for each part of the fan: what it adds, or multiplies by."""
    sign = "×" if rules.mode == "product" else ""
    rows = []
    for part in found.parts:
        times = f" ×{part.count}" if part.count > 1 else ""
        names = {"zh": part.name + times, "en": (part.english or part.name) + times}
        shown = [names[language]] if language else [names["zh"], part.english]
        rows.append(["", sign + str(part.value * part.count), *shown])
    return table(rows, right=[1]) if rows else []


def _sum_of_points(hand: Hand, found: Score, rules: Rules, words: dict[str, str]) -> str:
    """How the points come from the fan, and the payment from the points."""
    capped = rules.cap is not None and found.fan > rules.cap
    fan = rules.cap if capped else found.fan
    power = f"2^({fan} - {rules.offset})" if rules.offset else f"2^{fan}"
    text = f"{found.points} = {rules.base} × {power if rules.mode == 'exp' else fan}"
    if capped:
        text += words["cap"].format(cap=rules.cap)
    if found.payment == found.points:
        return text
    why = words[rules.zimo if hand.self_drawn else "for_all"]
    return f"{text}; {found.payment}: {why}"


def _by_suit(tiles: Sequence[int], unicode: bool) -> str:
    """Tiles with their copies, a word for each suit."""
    suits = ([tile for tile in tiles if tile // 9 == suit] for suit in range(4))
    return " ".join(set_text(suit, unicode) for suit in suits if suit)


def _read_as(hand: Hand, division: ScoredDivision, unicode: bool) -> str:
    """Sets and pair, a star behind the one with the winning tile; other tiles by suit."""
    rest = list(hand.concealed)
    for tile in division.wilds:
        rest[tile] += 1
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
        others = [tile for tile, count in enumerate(rest) for _ in range(count)]
        parts.insert(0, _by_suit(others, unicode))
    form = "" if division.form == "standard" else division.form.replace("_", " ") + ": "
    return form + " ".join(parts)
