"""``settle``: who pays whom in a round, as a table a player can check."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import nullcontext
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ..errors import Code, FileError
from . import console
from .console import BOLD, DIM, GREEN, RED, colour, compiling, complain, is_terminal, table
from .hands import WIDTH, UsageError

if TYPE_CHECKING:
    from ..settlement import Entry, Ledger, SeatState

EPILOG = """\
a round is a JSON table:
  rules    a rule set with scores, or a TOML file
  dealer   seat 0-3 (0 if left out); seats are in order of play
  hands    a list of four: the 13 tiles and melds each seat has at the end (a kong
           counts as three), a winner's as it won, without the winning tile; seat winds
           follow from the dealer
  events   a list, in order of play:
    {"type": "kong", "seat", "kind", "tile", "from", "fresh"}
           kind is "direct" (and from, who fed it), "added" (fresh is false where it was
           made late) or "concealed"; a robbed kong has its event, too, its meld is the pung
    {"type": "win", "seat", "tile", "from", "flags", "fan"}
           from is whose tile it was, left out for a self-draw; flags is a list of
           last_tile, wall_last, kong, kong_discard, heavenly, earthly; a fan is compared
           with the score; in place of the tile may stand "hand", the complete one; wins
           side by side with one tile are on one discard, unless "separate" is true
    {"type": "draw"}
           the wall is empty
    {"type": "leave", "seat", "wall_left"}
  piao     four times true or false, where the rule set has 飘
  room     {"coefficient", "fee"}: coins are counted, too

examples:
  mahjong-eval settle --example
    prints a round to start from
  mahjong-eval settle round.json"""

STATES = {
    "won": "won 和",
    "ready": "ready 听",
    "not_ready": "not ready 没听",
    "pig": "flower pig 花猪",
}
ENDS = {
    "wins": "ended by wins",
    "draw": "ended in a draw 流局",
    "leave": "ended by leaving",
    None: "not ended",
}


def add(commands: Any) -> None:
    """Put the command into the command line."""
    text = (
        "Who pays whom in a round, how much and why: wins, kongs, the draw. Every fan is "
        "scored again. Exit status 1 when the round cannot have been played."
    )
    parser = commands.add_parser(
        "settle",
        help="who pays whom in a round",
        description=fill(text, WIDTH),
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "round", nargs="?", metavar="ROUND.json", help='the round; "-" is standard input'
    )
    parser.add_argument("--json", action="store_true", help="the ledger as one JSON object")
    parser.add_argument("--example", action="store_true", help="print a round to start from")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the ledger of a round; 1 if the round is wrong."""
    from ..errors import RoundError

    if args.example:
        if args.round is not None:
            raise UsageError(Code.EXAMPLE_READS_NONE)
        print(_example(), end="")
        return 0
    if args.round is None:
        raise UsageError(Code.NAME_THE_ROUND)
    name, given = _read(args.round)
    with compiling() if is_terminal(sys.stderr) else nullcontext():
        from ..settlement import settle

        try:
            ledger = settle(given)
        except RoundError as error:
            complain(f"{name}: {console.said(error)}")
            if args.json:
                said = {"error": error.reason, "event": error.event, "code": error.code}
                print(json.dumps(said, ensure_ascii=False))
            return 1
    if args.json:
        print(json.dumps(ledger.as_dict(), ensure_ascii=False))
    else:
        print("\n".join(_lines(ledger, given)))
    return 0


def _example() -> str:
    from importlib.resources import files

    return (files("evaluator") / "samples" / "round.json").read_text(encoding="utf-8")


def _read(path: str) -> tuple[str, Any]:
    """Name and content of a JSON file."""
    from ..files.streams import Source
    from ..settlement.inputs import once

    with Source(path) as source:
        text = "\n".join(source.lines())
    try:
        return source.name, json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise FileError(source.name, Code.ROUND_NOT_JSON, detail=str(error)) from None


def _lines(ledger: Ledger, given: Any) -> list[str]:
    rules = ledger.rules
    head = f"{rules.title or rules.name}, dealer is seat {ledger.dealer}, {ENDS[ledger.end]}"
    rows = [["event", "payer", "payee", "amount", "why"]]
    for entry in ledger.entries:
        numbers = (entry.event, entry.payer, entry.payee, entry.amount)
        rows.append([*map(str, numbers), _why(entry, ledger, given["events"][entry.event])])
    payments = table(rows, right=range(4)) if ledger.entries else ["nobody pays"]
    titles = ["seat", "total", *([] if ledger.coins is None else ["coins"]), "state"]
    seats = [titles]
    for seat, state in enumerate(ledger.seats):
        amounts = [ledger.totals[seat], *([] if ledger.coins is None else [ledger.coins[seat]])]
        seats.append([str(seat), *(f"{amount:+d}" for amount in amounts), _state(state)])
    at_end = table(seats, right=range(len(titles) - 1))
    at_end = [at_end[0], *(
        colour(line, GREEN if total > 0 else RED) if total else line
        for line, total in zip(at_end[1:], ledger.totals, strict=True)
    )]  # fmt: skip
    lines = [colour(head, BOLD), *payments, "", *at_end]
    if ledger.end is not None:
        dealer = "decided by dice" if ledger.next_dealer is None else f"seat {ledger.next_dealer}"
        lines += ["", colour(f"next dealer: {dealer}", DIM)]
    return lines


def _why(entry: Entry, ledger: Ledger, event: Any) -> str:
    """The reason in words, with the tile and what a win is worth."""
    from ..settlement.inputs import tile as read_tile
    from ..settlement.ledger import REASONS, WIN_REASONS
    from ..tiles import NAMES

    why = REASONS[entry.reason]
    if entry.reason in WIN_REASONS:
        won = next(won for won in ledger.wins if won.event == entry.event)
        tile = "a wild tile" if won.tile is None else NAMES[won.tile]
        return f"{why} {tile}, {won.fan} fan: {' '.join(won.patterns) or '-'}"
    if entry.reason.endswith("_kong"):
        return f"{why} {NAMES[read_tile(event['tile'])]}"
    return why


def _state(state: SeatState) -> str:
    fan = "" if state.fan is None else f", {state.fan} fan"
    return STATES[state.state] + fan + (", has left" if state.left else "")
