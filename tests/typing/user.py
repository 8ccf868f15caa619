"""A program as a user would write it. Both type checkers pass it, and it runs."""

from typing import assert_type

import numpy as np
import numpy.typing as npt

import evaluator as ev

# --- one hand ---

row = ev.parse("123m456p789s1122z")
assert_type(row, np.ndarray[tuple[int], np.dtype[np.uint8]])
assert_type(ev.format(row), str)
hand = ev.Hand.parse("[123m,1][345m,1]678p56s77z")
assert_type(hand, ev.Hand)
same = ev.Hand(concealed=row.tolist(), melds=[], flowers=2)
assert_type(same.concealed, tuple[int, ...])
assert_type(ev.Meld("chow", 0).tiles, tuple[int, ...])

assert_type(ev.shanten(hand), int)
assert_type(ev.shanten(row, "riichi"), int)
assert_type(ev.shanten("123m456p789s1122z"), int)
assert_type(ev.shanten(row[:27] * np.uint8(0) + ev.parse("1122334455667m")[:27], void="each"),
            npt.NDArray[np.int8])  # fmt: skip
assert_type(ev.is_win(hand), bool)
waits = ev.waits(hand)
assert_type(waits, ev.Waits)
for accepted in waits:
    print(accepted.tile, accepted.left)
drawn = ev.discards("123m456p789s1122z3z")
assert_type(drawn, ev.Discards)
assert_type(drawn.shanten, npt.NDArray[np.int8])
print(drawn.best(), [candidate.tile for candidate in drawn])
assert_type(ev.decompose("123m456p789s11222z"), list[ev.Division])

won = ev.Hand.parse("555666777p5556s7s|EE1000")
score = ev.score(won)
assert_type(score, ev.Score)
assert_type(score.fan, int)
assert_type(score.division, ev.ScoredDivision | None)
for part in score:
    assert_type(part, ev.Part)
    print(part.name, part.english, part.value * part.count)
assert_type(ev.payments(score, winner=3), tuple[int, int, int, int])
scores = ev.wait_scores(hand)
assert_type(scores, ev.WaitScores)
assert_type(scores.discard, npt.NDArray[np.int16])
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
assert_type(ev.counts([[0, 0, 0, 33]]), npt.NDArray[np.uint8])
out: npt.NDArray[np.int8] = np.empty(100, np.int8)
ev.shanten(deals, out=out, threads=1, errors="mark")
seen = np.zeros(34, np.uint8)
assert_type(ev.waits(deals, seen=seen).tiles, npt.NDArray[np.bool_])

hands = ev.Hands.from_hands([won, won])
assert_type(hands[0], ev.Hand)
assert_type(hands[1:], ev.Hands)
assert_type(ev.Hands(concealed=deals, flowers=1).flowers, npt.NDArray[np.uint8])
results = ev.score(hands, detail=True)
assert_type(results, ev.Scores)
assert_type(results[0], ev.Score)
assert_type(results[:1], ev.Scores)
assert_type(results.fan, npt.NDArray[np.int16])
assert_type(ev.ready_max_fan([ready, ready], "sbr_2025"),
            npt.NDArray[np.int16])  # fmt: skip
assert_type(ev.pattern_shanten(deals, "guobiao"), npt.NDArray[np.int8])

# --- rule sets, rounds, errors ---

assert_type(ev.rules(), tuple[str, ...])
rules = ev.rules("qq_sichuan").replace(cap=8)
assert_type(rules, ev.Rules)
assert_type(ev.must_win(2, rules), bool)
assert_type(ev.may_win(ev.Hand.parse("1112345678999m"), 0, rules="sbr_2025"), bool)
assert_type(ev.next_dealer(0, winners=[1], rules=rules), int | None)
try:
    ev.score("123m")
except ev.NotAWin as error:
    assert_type(error, ev.NotAWin)
except ev.HandError as error:
    assert_type(error.reason, ev.Reason | None)
    print(ev.errors.message(error, lang="zh"))
print(ev.__version__)
