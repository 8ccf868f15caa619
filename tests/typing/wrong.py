"""Lines that both type checkers refuse: each of those marked, and no other."""

import numpy as np

import evaluator as ev
from evaluator.files import evaluate

row = ev.parse("123m456p789s1122z")
hand = ev.Hand.parse("123m456p789s1122z")
deals = ev.deal(10)

# arguments
ev.shanten(13)  # wrong
ev.shanten(np.zeros(34))  # wrong
ev.shanten(hand, errors="ignore")  # wrong
ev.shanten(hand, rules=27)  # wrong
ev.shanten(hand, threads="all")  # wrong
ev.shanten(hand, out=[0])  # wrong
ev.shanten(hand, seen=row)  # wrong
ev.is_win(hand, void="m")  # wrong
ev.waits(hand, minimum="guobiao")  # wrong
ev.discards(hand, wilds="1z")  # wrong
ev.decompose(ev.Hands.from_hands([hand]))  # wrong
ev.pattern_shanten(hand, void="all")  # wrong
ev.score(None)  # wrong
ev.wait_scores(hand, void=0)  # wrong
ev.ready_max_fan(hand, errors="mark")  # wrong
ev.Hand("123m")  # wrong
ev.Hand(row, flowers="two")  # wrong
ev.Hand(row, melds=["123m"])  # wrong
ev.Hands(hand)  # wrong
ev.Meld("pair", 0)  # wrong
ev.parse(13)  # wrong
ev.parse([0, 4, 8], ids="physical")  # wrong
ev.deal("1000")  # wrong
ev.settle([])  # wrong
ev.payments(16, winner=0)  # wrong
ev.may_win(hand, None)  # wrong
ev.rules(27)  # wrong
ev.warmup("riichi")  # wrong

# answers
ev.waits(hand).best()  # wrong
print(ev.waits(hand)[0].shanten)  # wrong
ev.waits(deals).shanten.bit_length()  # wrong
ev.discards(hand).best().tolist()  # wrong
print(ev.discards(deals)[0].tile)  # wrong
print(ev.wait_scores(hand)[0].fan)  # wrong
ev.is_win(hand).sum()  # wrong
print(ev.Hands.from_hands([hand])[0].melds.shape)  # wrong
print(ev.score(hand).total)  # wrong
print(ev.rules("guobiao").names)  # wrong
print(ev.pattern_shanten(hand).shape)  # wrong
ev.best_discard(hand)  # wrong
evaluate(ev.Hands.from_hands([hand]), "shanten").column("shanten")  # wrong
number: str = ev.shanten(hand)  # wrong
fan: list[int] = ev.score(ev.Hands.from_hands([hand])).fan  # wrong
for accepted in ev.waits(hand):
    print(accepted.copies)  # wrong

# and what is right beside them
ev.shanten(hand, errors="mark", threads=2)
ev.Hand(row, flowers=2)
ev.Hand(row.tolist())
