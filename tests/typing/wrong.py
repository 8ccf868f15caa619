"""Lines that both type checkers refuse: each of those marked, and no other."""

import evaluator as ev

row = ev.parse("123m456p789s1122z")
hand = ev.Hand.parse("123m456p789s1122z")

ev.shanten(13)  # wrong
ev.shanten(hand, errors="ignore")  # wrong
ev.shanten(hand, rules=27)  # wrong
ev.shanten(hand, threads="all")  # wrong
ev.shanten(hand, out=[0])  # wrong
ev.waits(hand).best()  # wrong
print(ev.score(hand).total)  # wrong
ev.Hand("123m")  # wrong
ev.Hand(row, flowers="two")  # wrong
ev.Meld("pair", 0)  # wrong
ev.is_win(hand).sum()  # wrong
ev.parse(13)  # wrong
print(ev.rules("guobiao").names)  # wrong
ev.best_discard(hand)  # wrong
number: str = ev.shanten(hand)  # wrong
fan: list[int] = ev.score(ev.Hands.from_hands([hand])).fan  # wrong

# and what is right beside them
ev.shanten(hand, errors="mark", threads=2)
ev.Hand(row, flowers=2)
ev.Hand(row.tolist())
