"""``shanten``, ``waits``, ``discards``, ``win`` and ``decompose`` of hands on the command line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from textwrap import fill
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import Code, EvaluatorError, HandError, NotationError, Reason
from ..files.streams import STDIO, Source
from ..tiles import NAMES, SUITS
from .console import (
    BOLD,
    DIM,
    GREEN,
    NEVER,
    colour,
    compiling,
    complain,
    counted,
    distance,
    distance_colour,
    is_terminal,
    said,
    set_text,
    table,
    tile_text,
    tiles_text,
    visible,
)

if TYPE_CHECKING:
    from ..hands import Hand
    from ..scoring import WaitScores

HAND_HELP = """\
a hand: 123m456p789s1122z or m123p456s789z1122 (m characters 万, p dots 筒, s bamboos 条,
z winds and dragons 东南西北白发中), 一二三万 东东, 🀇🀈🀉, W1 B1 T1 F1 J1, or GB-Mahjong
text with melds ([123m,1][EEE,2]45m678p99s); "-" reads hands from standard input,
one per line"""


WIDTH = 88
"""Columns of the texts that argparse does not wrap."""


class Answer(NamedTuple):
    """The result of a command: fields for JSON and lines for people."""

    fields: dict[str, Any]
    lines: list[str]


Ask = Callable[["Hand", argparse.Namespace], Answer]


def add(commands: Any) -> None:
    """Put the five commands into the command line."""
    for name, ask, title, text, example, result in (
        (
            "shanten",
            _shanten,
            "how far a hand is from ready",
            "How many tiles a hand has to exchange before it is ready (听): "
            "0 is ready, -1 complete.",
            "mahjong-eval shanten 1589m2347p68s2246z",
            "-1 complete, 0 ready, 1 one tile from ready, and so on",
        ),
        (
            "waits",
            _waits,
            "which tiles a waiting hand accepts",
            "Which tiles a waiting hand (13, 10, 7, 4 or 1 tiles) accepts: those that bring "
            "it closer, or complete it, and how many copies of each are left. With a named "
            "rule set that has scores, also what a ready hand would be worth with each, claimed "
            "and self-drawn.",
            "mahjong-eval waits 1112345678999m --seen 99p1m",
            "tiles and the copies that are neither in the hand nor seen",
        ),
        (
            "discards",
            _discards,
            "what to discard, best first",
            "What to discard from 14, 11, 8, 5 or 2 tiles: every choice, best first.",
            "mahjong-eval discards 123m456p789s11223z",
            "best is the lowest shanten, then the most copies left",
        ),
        (
            "win",
            _win,
            "whether a hand is complete",
            "Whether a hand is complete.",
            "mahjong-eval win 123m456p789s11122z --rules riichi",
            "yes or no",
        ),
        (
            "decompose",
            _decompose,
            "how a complete hand divides into sets",
            "Every way to divide a complete hand into sets and a pair, or a special form. "
            "The hand may hold no wild tiles.",
            "mahjong-eval decompose 111222333m11122z",
            "one line per division",
        ),
    ):
        parser = commands.add_parser(
            name,
            help=title,
            description=fill(text, WIDTH),
            epilog=f"example:\n  {example}\n    {result}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.add_argument("hands", nargs="+", metavar="HAND", help=HAND_HELP)
        parser.add_argument(
            "--rules",
            metavar="NAME",
            help='rule set: "mahjong-eval rules" lists them (default: guobiao)',
        )
        parser.add_argument("--json", action="store_true", help="one JSON object per hand")
        parser.add_argument(
            "--unicode", action="store_true", help="show tiles as Unicode characters"
        )
        if name in ("waits", "discards"):
            parser.add_argument(
                "--seen",
                metavar="TILES",
                help="tiles visible on the table, which are not left to draw",
            )
        if name == "waits":
            parser.add_argument(
                "--minimum",
                action="store_true",
                help="for a ready hand, only tiles that reach the minimum of the rule set",
            )
        if name == "shanten":
            parser.add_argument(
                "--patterns",
                action="store_true",
                help="also the distance to each pattern of the rule set, nearest first",
            )
        if name != "decompose":
            add_suit_and_wilds(parser)
        parser.set_defaults(run=run, ask=ask)


def add_suit_and_wilds(parser: argparse.ArgumentParser) -> None:
    """The options that also ``batch`` has."""
    parser.add_argument(
        "--void",
        type=_suit,
        metavar="{m,p,s}",
        help="the suit given up (定缺); default: the best one, where the rules require one (缺门)",
    )
    parser.add_argument(
        "--wilds",
        type=_wilds,
        metavar="N",
        help="how many wild tiles (听用, 赖子) each hand holds in addition to its tiles, 0-8",
    )


def _suit(text: str) -> str:
    suit = text.lower()
    if suit not in tuple(SUITS):
        raise argparse.ArgumentTypeError(f"{text!r} is not a suit: suits are {', '.join(SUITS)}")
    return suit


def _wilds(text: str) -> int:
    from ..hands import MAX_WILDS

    if not text.isdecimal() or int(text) > MAX_WILDS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to {MAX_WILDS}")
    return int(text)


def read_seen(args: argparse.Namespace) -> Any:
    """Counts of ``--seen``, None without it."""
    if getattr(args, "seen", None) is None:
        return None
    from ..hands.notation import parse

    try:
        return parse(args.seen)
    except EvaluatorError as error:
        raise UsageError(Code.SEEN_UNREADABLE, error=error) from None


def explained(error: EvaluatorError) -> str:
    """What is wrong; ``--seen`` if the hand without it is fine."""
    if isinstance(error, HandError) and error.reason == Reason.SEEN_TOO_MANY:
        return f"--seen: {said(error)}"
    return said(error)


class UsageError(EvaluatorError):
    """An option that makes no sense."""


def run(args: argparse.Namespace) -> int:
    """Answer every hand; 1 if one of them is wrong."""
    from ..rulesets import rules

    args.rules = rules(args.rules) if args.rules is not None else None
    args.seen = read_seen(args)
    args.void = None if getattr(args, "void", None) is None else SUITS.index(args.void)
    args.wilds = getattr(args, "wilds", None)
    several = len(args.hands) > 1
    status = 0
    for where, text in _texts(args.hands):
        try:
            answer = _answer(text, args, from_file=bool(where))
        except (NotationError, HandError) as error:
            status = 1
            # a NotationError shows the text itself, with a caret in the lines under it
            named = not isinstance(error, NotationError) or (several and not where)
            shown = f"{visible(text)}: " if named and text.strip() else ""
            complain(f"{where}{shown}{explained(error)}")
            if args.json:
                _print_json({"hand": text, "error": _plain(error)})
            continue
        if args.json:
            _print_json({"hand": text, **answer.fields})
        else:
            print("\n".join(line.replace("\0", text) for line in answer.lines))
    return status


def _answer(text: str, args: argparse.Namespace, *, from_file: bool) -> Answer:
    from ..hands.notation import parse_hand

    if not text.strip():
        raise HandError(Code.NO_HAND_GIVEN)
    if from_file:
        from ..hands.arrow.texts import split_run

        error = split_run(text)
        if error is not None:
            raise error
    hand = parse_hand(text)
    # standard error is for errors, but a person is told what they wait for
    with compiling() if is_terminal(sys.stderr) else nullcontext():
        found: Answer = args.ask(hand, args)
    return found


def _texts(hands: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each hand's text, and where it stands if not on the command line."""
    for text in hands:
        if text == STDIO:
            yield from _standard_input()
        else:
            yield "", text


def _standard_input() -> Iterator[tuple[str, str]]:
    source = Source(STDIO)
    for number, line in enumerate(source.lines(), 1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield f"{source.name}, line {number}: ", text


def _print_json(fields: dict[str, Any]) -> None:
    print(json.dumps(fields, ensure_ascii=False), flush=not is_terminal(sys.stdout))


def _plain(error: NotationError | HandError) -> str:
    from ..hands.arrow.wrong import one_line

    return one_line(error) if isinstance(error, NotationError) else explained(error)


def _options(args: argparse.Namespace) -> dict[str, Any]:
    return {"wilds": args.wilds, "void": args.void}


# "\0" in a line stands for the hand as it was given


def _shanten(hand: Hand, args: argparse.Namespace) -> Answer:
    from ..shape.queries import shanten

    number = int(shanten(hand, args.rules, **_options(args)))
    words = colour(distance(number), distance_colour(number))
    answer = Answer({"shanten": number}, [f"{number:>2}  \0  {words}"])
    return _with_patterns(answer, hand, args) if args.patterns else answer


def _with_patterns(answer: Answer, hand: Hand, args: argparse.Namespace) -> Answer:
    from ..distance.query import pattern_shanten

    if args.wilds is not None:
        hand = hand.replace(wilds=args.wilds)
    found = pattern_shanten(hand, args.rules or "guobiao", void=args.void)
    nearest = sorted(found.items(), key=lambda pattern: pattern[1])
    rows = [
        ["", str(number), name, "never" if number == NEVER else distance(number)]
        for name, number in nearest
    ]
    answer.fields["patterns"] = dict(nearest)
    answer.lines.extend(table(rows, right=(1,)))
    return answer


def _win(hand: Hand, args: argparse.Namespace) -> Answer:
    from ..shape.queries import is_win

    win = bool(is_win(hand, args.rules, **_options(args)))
    word = colour("yes", GREEN) if win else "no "
    return Answer({"win": win}, [f"{word}  \0"])


def _waits(hand: Hand, args: argparse.Namespace) -> Answer:
    from ..scoring.minimum import waits

    options = {"seen": args.seen, "minimum": args.minimum, **_options(args)}
    found = waits(hand, args.rules, **options)
    number = int(found.shanten)
    left = {tile: int(found.left[tile]) for tile in bits(found.mask)}
    total = int(found.total)
    verb = "complete it" if number == 0 else "bring it closer"
    head = (
        f"\0  {colour(distance(number), distance_colour(number))}: "
        f"{counted(len(left), 'tile')} {verb}, {counted(total, 'copy')} left"
    )
    rows = [["", tile_text(tile, args.unicode), f"{copies} left"] for tile, copies in left.items()]
    waits_of = [{"tile": NAMES[tile], "left": copies} for tile, copies in left.items()]
    worth = _worth_of_waits(hand, args) if number == 0 else None
    if worth is not None:
        for tile, row, wait in zip(left, rows, waits_of, strict=True):
            text, fields = _fan_of_wait(worth, tile, args.rules.minimum)
            row.append(text)
            wait |= fields
    return Answer(
        {"shanten": number, "waits": waits_of, "left": total},
        [head, *table(rows)] if rows else [head],
    )


def _worth_of_waits(hand: Hand, args: argparse.Namespace) -> WaitScores | None:
    """What the waits are worth under a rule set that was named and has scores.

    None also where they have none: a part of a hand, wild tiles under Guobiao.
    """
    if args.rules is None or not (args.rules.fan_table or args.rules.patterns):
        return None
    from ..scoring import wait_scores

    if args.wilds is not None:
        # a tile to discard becomes one of a waiting hand
        hand = hand.replace(wilds=args.wilds, win_tile=None)
    found = wait_scores(hand, args.rules, seen=args.seen, errors="mark")
    return None if found.reason else found


def _fan_of_wait(worth: WaitScores, tile: int, minimum: int) -> tuple[str, dict[str, Any]]:
    """Fan of a wait by discard and self-drawn: for people, and as JSON."""
    fields: dict[str, Any] = {}
    texts = []
    for at, (name, fan) in enumerate(
        (("discard", worth.discard), ("self_drawn", worth.self_drawn))
    ):
        number = int(fan[tile])
        met = bool(worth.minimum_met[tile, at])
        fields[name] = None if number < 0 else {"fan": number, "minimum_met": met}
        words = "-" if number < 0 else f"{number} fan" + ("" if met else f" (below {minimum})")
        texts.append(f"{name.replace('_', '-')} {words}")
    return ", ".join(texts), fields


def _discards(hand: Hand, args: argparse.Namespace) -> Answer:
    from ..shape.queries import discards

    found = discards(hand, args.rules, seen=args.seen, **_options(args))
    choices = sorted(
        (int(found.shanten[tile]), -int(found.left[tile]), tile)
        for tile, held in enumerate(hand.concealed)
        if held
    )
    rows = [["", "discard", "shanten", "copies", "tiles", "accepts"]]
    fields = []
    for number, left, tile in choices:
        accepted = bits(found.mask[tile])
        fields.append(
            {
                "tile": NAMES[tile],
                "shanten": number,
                "accepts": [NAMES[other] for other in accepted],
                "left": -left,
            }
        )
        rows.append(
            [
                "",
                tile_text(tile, args.unicode),
                str(number),
                str(-left),
                str(len(accepted)),
                tiles_text(accepted, args.unicode),
            ]
        )
    if not choices:
        return Answer({"discards": []}, ["\0  only wild tiles: nothing to discard"])
    lines = table(rows, right=(2, 3, 4))
    lines[0] = colour(lines[0], DIM)
    best = choices[0][:2]
    for at, choice in enumerate(choices, 1):
        if choice[:2] == best:
            lines[at] = colour(lines[at], BOLD)
    advice = f"discard {tile_text(choices[0][2], args.unicode)}: " if best[0] != NEVER else ""
    head = f"\0  {advice}{distance(best[0])}"
    return Answer({"discards": fields}, [head, *lines])


def _decompose(hand: Hand, args: argparse.Namespace) -> Answer:
    from ..shape.divisions import decompose

    divisions = decompose(hand, args.rules)
    if not divisions:
        return Answer({"divisions": []}, ["\0  not a complete hand, so it has no division"])
    rows = [["", *division_row(division, args.unicode)] for division in divisions]
    fields = [
        {
            "form": division.form,
            "sets": [set_text(meld.tiles) for meld in division.sets],
            "pair": None if division.pair is None else set_text((division.pair,) * 2),
        }
        for division in divisions
    ]
    return Answer(
        {"divisions": fields}, [f"\0  {counted(len(divisions), 'division')}", *table(rows)]
    )


def division_row(division: Any, unicode: bool) -> list[str]:
    """Form, sets and pair of a division."""
    sets = " ".join(set_text(meld.tiles, unicode) for meld in division.sets)
    pair = "" if division.pair is None else set_text((division.pair,) * 2, unicode)
    return [division.form.replace("_", " "), sets, pair]


def bits(mask: Any) -> list[int]:
    """Tiles of a mask.

    >>> bits(0b1001)
    [0, 3]
    """
    return [tile for tile in range(len(NAMES)) if int(mask) >> tile & 1]
