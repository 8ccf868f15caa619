"""A program as a user would write it. Both type checkers pass it, and it runs."""

import tempfile
from pathlib import Path
from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import evaluator as ev
from evaluator.compat.mahjonggb import MahjongShanten
from evaluator.errors import message
from evaluator.files import BadRow, BadRowError, FileError, Summary, evaluate, run
from evaluator.settlement import SeatState, Won

# --- one hand ---

row = ev.parse("123m456p789s1122z")
assert_type(row, np.ndarray[tuple[int], np.dtype[np.uint8]])
assert_type(ev.parse([0, 4, 8], ids="tile"), np.ndarray[tuple[int], np.dtype[np.uint8]])
assert_type(ev.format(row), str)
hand = ev.Hand.parse("[123m,1][345m,1]678p56s77z")
assert_type(hand, ev.Hand)
assert_type(ev.Hand.parse([0, 4, 8, 12], ids="tile").size, int)
same = ev.Hand(concealed=row.tolist(), melds=[], flowers=2)
assert_type(same.concealed, tuple[int, ...])
assert_type(ev.Meld("chow", 0).tiles, tuple[int, ...])
flags: tuple[str, ...] = ev.FLAGS
print("kong" in flags)

assert_type(ev.shanten(hand), int)
assert_type(ev.shanten(row, "riichi"), int)
assert_type(ev.shanten([0] * 32 + [2, 0]), int)
assert_type(ev.shanten("123m456p789s1122z"), int)
assert_type(ev.shanten(row[:27] * np.uint8(0) + ev.parse("1122334455667m")[:27], void="each"),
            npt.NDArray[np.int8])  # fmt: skip
assert_type(ev.is_win(hand), bool)


def tiles_of(waits: ev.Waits) -> list[int]:
    return [tile for tile in range(34) if waits.tiles[tile]]


waits = ev.waits(hand)
assert_type(waits.shanten, int)
assert_type(waits.total, int)
assert_type(waits.left, npt.NDArray[np.uint8])
print(tiles_of(waits))
for accepted in waits:
    assert_type(accepted, ev.Accepted)
    print(accepted.tile, accepted.left)
assert_type(waits[0], ev.Accepted)
drawn: ev.Discards = ev.discards("123m456p789s1122z3z")
assert_type(drawn.shanten, npt.NDArray[np.int8])
assert_type(ev.discards("123m456p789s1122z3z").best(), int)
for candidate in ev.discards("123m456p789s1122z3z")[:2]:
    assert_type(candidate, ev.Candidate)
    assert_type(candidate.tiles, tuple[int, ...])
divisions = ev.decompose("123m456p789s11222z")
assert_type(divisions, list[ev.Division])
assert_type(divisions[0].sets, tuple[ev.Meld, ...])

won = ev.Hand.parse("555666777p5556s7s|EE1000")
score = ev.score(won)
assert_type(score, ev.Score)
assert_type(score.fan, int)
assert_type(score.division, ev.ScoredDivision | None)
for part in score:
    assert_type(part, ev.Part)
    print(part.name, part.english, part.value * part.count)
assert_type(ev.payments(score, winner=3), tuple[int, int, int, int])
two = ev.score("123789s123789p3m3m")
assert_type(ev.payments([two], winner=[0], discarder=2), tuple[int, int, int, int])
scores: ev.WaitScores = ev.wait_scores(hand)
assert_type(scores.discard, npt.NDArray[np.int16])
for wait in ev.wait_scores(hand):
    assert_type(wait, ev.Wait)
    print(wait.tile, wait.self_drawn)
ready = ev.Hand.parse("[888s,1]1112233456s")
assert_type(ev.ready_max_fan(ready, "sbr_2025"), int)
assert_type(ev.pattern_shanten(hand, "guobiao"), dict[str, int])
assert_type(ev.pattern_shanten("1122335577m99m13p", "qq_sichuan", void="each"),
            dict[str, npt.NDArray[np.int8]])  # fmt: skip
assert_type(ev.pattern_names("qq_sichuan"), tuple[str, ...])
assert_type(ev.wild_tile(3), int)

# --- a batch ---

deals = ev.deal(100, tiles=13, seed=1)
assert_type(ev.shanten(deals), npt.NDArray[np.int8])
assert_type(ev.is_win(deals), npt.NDArray[np.bool_])
unknown: npt.NDArray[np.uint8] = deals.copy()
assert_type(ev.shanten(unknown), npt.NDArray[np.int8])
assert_type(ev.shanten(["123m456p789s1122z", "11z"]), npt.NDArray[np.int8])
assert_type(ev.shanten([row, row.copy()]), npt.NDArray[np.int8])
assert_type(ev.shanten(ev.Hand(deals[0])), int)
print([int(ev.shanten(line)) for line in deals])
assert_type(ev.counts([[0, 0, 0, 33]]), npt.NDArray[np.uint8])
out: npt.NDArray[np.int8] = np.empty(100, np.int8)
ev.shanten(deals, out=out, threads=1, errors="mark")
seen = np.zeros(34, np.uint8)
found = ev.waits(deals, seen=seen)
assert_type(found.tiles, npt.NDArray[np.bool_])
assert_type(found.shanten, npt.NDArray[np.int8])
assert_type(found.mask, npt.NDArray[np.uint64])
for one in found[:2]:
    print(one)
assert_type(found[0], ev.Waits)
assert_type(ev.waits(row, "riichi", void="each").total, npt.NDArray[np.uint8])
dealt = ev.deal(9, tiles=14)
assert_type(ev.discards(dealt).best(), npt.NDArray[np.int8])
assert_type(ev.discards(dealt)[0], ev.Discards)
assert_type(ev.wait_scores([hand, hand], errors="mark").reason, npt.NDArray[np.uint8])
assert_type(ev.wait_scores([hand, hand])[0], ev.WaitScores)
assert_type(ev.pattern_shanten(deals, "guobiao"), npt.NDArray[np.int8])


def longest(hands: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> int:
    return int(ev.shanten(hands).max())  # numpy 2.2 writes NDArray so


def farther(hands: ev.Hand | ev.Hands) -> int | npt.NDArray[np.int8]:
    return ev.shanten(hands)


print(longest(deals), farther(hand))

hands = ev.Hands.from_hands([won, won])
assert_type(hands[0], ev.Hand)
assert_type(hands[1:], ev.Hands)
assert_type(hands[np.array([True, False])], ev.Hands)
assert_type(ev.Hands(concealed=deals, flowers=1).flowers, npt.NDArray[np.uint8])
results = ev.score(hands, detail=True)
assert_type(results, ev.Scores)
assert_type(results[0], ev.Score)
assert_type(results[:1], ev.Scores)
assert_type(results.fan, npt.NDArray[np.int16])
assert_type(ev.ready_max_fan([ready, ready], "sbr_2025"),
            npt.NDArray[np.int16])  # fmt: skip

# --- rule sets, rounds ---

assert_type(ev.rules(), tuple[str, ...])
rules = ev.rules("qq_sichuan").replace(cap=8)
assert_type(rules, ev.Rules)
assert_type(rules.ready_max_fan(ready), int)
assert_type(rules.ready_max_fan([ready]), npt.NDArray[np.int16])
assert_type(ev.must_win(2, rules), bool)
assert_type(ev.may_win(ev.Hand.parse("1112345678999m"), 0, rules="sbr_2025"), bool)
assert_type(ev.may_win(ev.Hand.parse("1112345678999s"), "5s", ["8s"], rules), bool)
assert_type(ev.next_dealer(0, winners=[1], rules=rules), int | None)
game = {
    "rules": "guobiao",
    "hands": ["123789s123789p3m", "4567m4567p44s66z7z", "147m258p369s1234z", "112233m4455667s"],
    "events": [{"type": "win", "seat": 0, "from": 2, "tile": "3m"}],
}
ledger = ev.settle(game)
assert_type(ledger, ev.Ledger)
assert_type(ledger.entries, tuple[ev.Entry, ...])
assert_type(ledger.seats, tuple[SeatState, ...])
assert_type(ledger.wins, tuple[Won, ...])
assert_type(ledger.wins[0].score, ev.Score)

# --- files, another program's interface ---

assert_type(evaluate(hands, ["shanten", "score"]), dict[str, npt.NDArray[Any]])
assert_type(MahjongShanten((), ("W1", "W1", "W2", "W3")), int)
with tempfile.TemporaryDirectory() as folder:
    texts = Path(folder, "hands.txt")
    texts.write_text("123m456p789s1122z\n12x\n")
    bad: list[BadRow] = []
    summary = run(texts, Path(folder, "out.csv"), ["shanten", "waits"], report=bad.append)
    assert_type(summary, Summary)
    print(summary, bad)
    try:
        run(texts, Path(folder, "strict.csv"), strict=True)
    except (BadRowError, FileError) as error:
        print(error)

# --- errors ---

try:
    ev.score("123m")
except ev.NotAWin as error:
    assert_type(error, ev.NotAWin)
except ev.HandError as error:
    assert_type(error.reason, ev.Reason | None)
    assert_type(error.tile, int | None)
    print(message(error, lang="zh"), error.code == ev.Code.BAD_SIZE)
try:
    ev.settle(game | {"dealer": ev.parse("1x")})
except ev.NotationError as error:
    assert_type(error.position, int)
except (ev.RulesError, ev.RoundError) as error:
    print(error.reason)
refused: list[ev.EvaluatorError] = [ev.RulesError("cap", "not a number"), ev.RoundError("no seat")]
print([ev.errors.message(error) for error in refused])
assert_type(ev.warmup().seconds, dict[str, float])
print(ev.__version__)
