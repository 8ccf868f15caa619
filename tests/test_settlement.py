"""Settlement: the amounts of the rule texts, a round for each rule, and what always holds."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import evaluator as ev
from evaluator.settlement.ledger import coins

GOLDEN = Path(__file__).parent / "golden" / "sichuan"
# two suits, far from ready; with three of them a tile of theirs is left once
IDLE = "1245689m124578p"
PIG = "1245m12457p1245s"
# waits for 3s and 6s, plain
PLAIN = "123456789p4599s"
# 清龙七对 with two roots when 3s comes
SEVEN_FAN = "3667788889999s"


def settle(rules, hands, events, **more):
    return ev.settle({"rules": rules, "hands": hands, "events": events, **more})


def win(seat, tile, source=None, flags=(), **more):
    return {"type": "win", "seat": seat, "tile": tile, "from": source, "flags": flags, **more}


def kong(seat, kind, tile, source=None, **more):
    return {"type": "kong", "seat": seat, "kind": kind, "tile": tile, "from": source, **more}


def leave(seat, wall_left=None):
    return {"type": "leave", "seat": seat, "wall_left": wall_left}


DRAW = {"type": "draw"}


def amounts(ledger, *reasons):
    """(payer, payee, amount) of the entries with one of the reasons."""
    return [tuple(entry[:3]) for entry in ledger.entries if entry.reason in reasons]


def states(ledger):
    return [seat.state for seat in ledger.seats]


def test_presets_pay_what_the_golden_file_says():
    for name, preset in json.loads((GOLDEN / "presets.json").read_text()).items():
        pays = ev.rules(name).settlement.table()
        for key, value in preset["settlement"].items():
            assert pays[key] == (tuple(value) if isinstance(value, list) else value), (name, key)


# --- one win


def test_guobiao_win():
    scored = ev.score(ev.Hand.parse("123789s123789p3m3m"))
    assert scored.total == 8
    assert ev.payments(scored, 0, 2) == (32, -8, -16, -8)
    drawn = ev.score(ev.Hand.parse("555666777p5556s7s|EE1000"))
    assert ev.payments(drawn, 3) == (-56, -56, -56, 168)


def test_guobiao_win_below_the_minimum():
    low = ev.score(ev.Hand.parse("[123m,1][345m,1]678p56sWW7s|EE1000|8"))
    assert low.total >= 8
    with pytest.raises(ev.RoundError, match="below the minimum of 8"):
        ev.payments(low, 0)


def test_chengdu_plain_win():
    """003:81 点炮5分，自摸为每家10分."""
    hand = ev.Hand.parse("123m456p789p99p45m6m")
    claimed = ev.score(hand, "chengdu_5_80")
    drawn = ev.score(hand.replace(self_drawn=True), "chengdu_5_80")
    assert ev.payments(claimed, 0, 3, "chengdu_5_80") == (5, 0, 0, -5)
    assert ev.payments(drawn, 1, None, "chengdu_5_80") == (-10, 30, -10, -10)
    # 血战: who has won before pays no more
    assert ev.payments(drawn, 1, None, "chengdu_5_80", out=[0]) == (0, 20, -10, -10)
    # 加番 in place of 加底 (003:99): 20 分 are 40, here 5 are 10
    doubled = ev.rules("chengdu_5_80").replace(zimo="jiafan")
    drawn = ev.score(hand.replace(self_drawn=True), doubled)
    assert ev.payments(drawn, 1, None, doubled) == (-10, 30, -10, -10)


def test_chengdu_cap():
    """003:80, 003:88: 80 at most; 加底 comes on top."""
    hand = ev.Hand.parse("111222333m4445m5m")
    claimed = ev.score(hand, "chengdu_5_80")
    assert ev.payments(claimed, 0, 1, "chengdu_5_80") == (40, -40, 0, 0)
    hand = ev.Hand.parse("[1111m][2222m,1]333m4445m5m")
    claimed = ev.score(hand, "chengdu_5_80")
    assert claimed.fan == 5
    assert ev.payments(claimed, 0, 1, "chengdu_5_80") == (80, -80, 0, 0)
    drawn = ev.score(hand.replace(self_drawn=True), "chengdu_5_80")
    assert ev.payments(drawn, 0, None, "chengdu_5_80") == (255, -85, -85, -85)


def test_chengdu_512_times():
    """003:95 清一色十八学士杠上花，共有9番，即512倍."""
    rules = ev.rules("chengdu_5_80").replace(cap=None, base=1, zimo="none")
    hands = ["[1111m][2222m,1][3333m,1][4444m]5m", "1245689s124578p", "1245689s124578p",
             "1245689s124578p"]  # fmt: skip
    events = [
        kong(0, "concealed", "1m"),
        kong(0, "direct", "2m", 1),
        kong(0, "added", "3m"),
        kong(0, "concealed", "4m"),
        win(0, "5m", flags=["kong"], fan=9),
    ]
    ledger = settle(rules, hands, events)
    assert amounts(ledger, "self_draw") == [(1, 0, 512), (2, 0, 512), (3, 0, 512)]


def test_several_winners_of_one_call():
    hand = ev.Hand.parse("123m456p789p99p45m6m")
    plain = ev.score(hand, "qq_sichuan")
    assert ev.payments([plain, plain], [0, 2], 3, "qq_sichuan") == (6, 0, 6, -12)
    score = ev.score(ev.Hand.parse("123789s123789p3m3m"))
    with pytest.raises(ev.RoundError, match="seat 0, the next after"):
        ev.payments([score, score], [0, 1], 3, "guobiao")


DANDONG = "[999m,1]123p456s55z78s9s"


def test_dandong_win():
    """一家包三家: 2 of the win and 2 of the dealer are paid thrice."""
    hand = ev.Hand.parse(DANDONG)
    dealer = ev.score(hand, "dandong")
    assert ev.payments(dealer, 0, 2, "dandong") == (12, 0, -12, 0)
    other = ev.score(hand.replace(seat_wind=1), "dandong")
    assert ev.payments(other, 1, 2, "dandong") == (0, 6, -6, 0)
    drawn = ev.score(hand.replace(seat_wind=1, self_drawn=True), "dandong")
    assert ev.payments(drawn, 1, None, "dandong") == (-2, 6, -2, -2)


@pytest.mark.parametrize(
    ("winner", "discarder", "out", "message"),
    [
        (4, 0, (), "winner must be a seat from 0 to 3, got 4"),
        (0, -1, (), "discarder must be a seat from 0 to 3, got -1"),
        (True, 1, (), "winner must be a seat from 0 to 3, got True"),
        (0, 1, (2, 4), "out must be a seat from 0 to 3, got 4"),
        (0, 0, (), "different seats that have not won before"),
        (0, 1, (1,), "different seats that have not won before"),
        (0, 1, (0,), "different seats that have not won before"),
        ([0, 1], 2, (), "1 scores for 2 winners"),
    ],
)
def test_payments_of_a_win_that_cannot_be(winner, discarder, out, message):
    score = ev.score(ev.Hand.parse("123789s123789p3m3m"))
    if isinstance(winner, list):
        score = [score]
    with pytest.raises(ev.RoundError, match=message):
        ev.payments(score, winner, discarder, "guobiao", out)


# --- the matrix, rule by rule


def test_ready_check_384():
    """001:121 查叫的话要扣384分: 6 × 2^6 for seven fan."""
    ledger = settle("qq_sichuan", [SEVEN_FAN, IDLE, IDLE, IDLE], [DRAW])
    assert ledger.seats[0] == ("ready", 7, False)
    assert ledger.totals == (3 * 384, -384, -384, -384)
    assert {entry.reason for entry in ledger.entries} == {"ready_check"}
    assert ledger.end == "draw"


def test_pigs_96():
    """001:41, 001:121: 16 × 6 to each who has not won and is no pig; no ready check (001:43)."""
    ledger = settle("qq_sichuan", [PLAIN, PIG, IDLE, PIG], [DRAW])
    assert states(ledger) == ["ready", "pig", "not_ready", "pig"]
    assert amounts(ledger, "pig") == [(1, 0, 96), (1, 2, 96), (3, 0, 96), (3, 2, 96)]
    assert amounts(ledger, "ready_check") == [(2, 0, 6)]


def test_pigs_and_winners():
    """QQ pays those who have not won (001:121), Yibin all who are no pigs (004:22)."""
    hands = [PLAIN, PIG, IDLE, IDLE]
    events = [win(0, "3s", 3), DRAW]
    assert amounts(settle("qq_sichuan", hands, events), "pig") == [(1, 2, 96), (1, 3, 96)]
    yibin = settle("yibin", hands, events)
    assert amounts(yibin, "pig") == [(1, 0, 32), (1, 2, 32), (1, 3, 32)]


@pytest.mark.parametrize(
    ("rules", "each"), [("sichuan_short", 54), ("yibin", 32), ("sbr_2025", 24)]
)
def test_amount_of_a_pig(rules, each):
    ledger = settle(rules, [PIG, IDLE, IDLE, IDLE], [DRAW])
    assert amounts(ledger, "pig") == [(0, 1, each), (0, 2, each), (0, 3, each)]


def test_pigs_of_majsoul_pay_the_greatest_hand_at_least_four_fan():
    """1000 × 2^(6 - 1), six fan being the most, and 1000 × 2^(4 - 1)."""
    ledger = settle("majsoul_chuanma", [SEVEN_FAN, PIG, IDLE, IDLE], [DRAW])
    assert states(ledger) == ["ready", "pig", "not_ready", "not_ready"]
    assert amounts(ledger, "pig") == [(1, 0, 32000), (1, 2, 8000), (1, 3, 8000)]


def test_a_pig_of_sbr_pays_the_ready_check_too():
    ledger = settle("sbr_2025", [PLAIN, PIG, IDLE, IDLE], [DRAW])
    assert amounts(ledger, "ready_check") == [(1, 0, 1), (2, 0, 1), (3, 0, 1)]


def test_no_pigs_where_the_text_has_none():
    ledger = settle("points_1_2_3_4_8", [PLAIN, PIG, IDLE, IDLE], [DRAW])
    assert states(ledger) == ["ready", "not_ready", "not_ready", "not_ready"]
    assert ledger.totals == (3, -1, -1, -1)


def test_ready_check_of_the_least():
    """003:264 牌面最小可得的点数: nine gates wait for 3 points and for more with roots."""
    hands = ["1112345678999s", IDLE, IDLE, IDLE]
    least = settle("points_1_2_3_4_8", hands, [DRAW])
    assert least.seats[0].fan == 3
    assert least.totals == (9, -3, -3, -3)
    most = ev.rules("points_1_2_3_4_8").replace(settlement={"dajiao": "max"})
    assert settle(most, hands, [DRAW]).totals == (12, -4, -4, -4)


def test_kongs_qq():
    """001:27-33: 1 from the feeder, 1 of each, 2 of each; of those who have not won."""
    hands = ["[1111s,1][2222s][3333s,1]4566s", "[9999p,1]333777m3366p", IDLE, IDLE]
    events = [
        kong(0, "direct", "1s", 2),
        kong(1, "direct", "9p", 3),
        kong(0, "concealed", "2s"),
        win(1, "3p", 3),
        kong(0, "added", "3s"),
    ]
    ledger = settle("qq_sichuan", hands, events)
    assert amounts(ledger, "direct_kong") == [(2, 0, 6), (3, 1, 6)]
    assert amounts(ledger, "concealed_kong") == [(1, 0, 12), (2, 0, 12), (3, 0, 12)]
    assert amounts(ledger, "added_kong") == [(2, 0, 6), (3, 0, 6)]
    assert ledger.end is None
    assert ledger.next_dealer is None


def test_kongs_sbr():
    """点杠 2, 加杠 1 each only if just drawn, 暗杠 2 each."""
    hands = ["[1111s,1][2222s][3333s,1][4444s,1]5s", IDLE, IDLE, IDLE]
    events = [
        kong(0, "direct", "1s", 2),
        kong(0, "concealed", "2s"),
        kong(0, "added", "3s"),
        kong(0, "added", "4s", fresh=False),
    ]
    assert settle("sbr_2025", hands, events).totals == (2 + 6 + 3, -3, -5, -3)
    assert settle("points_1_2_3_4_8", hands, events).totals == (0, 0, 0, 0)
    # who did not feed a direct kong pays a side payment where the rules have it (擦挂)
    sided = ev.rules("sbr_2025").replace(settlement={"kong_direct_others": 1})
    assert settle(sided, hands, events).totals == (11 + 2, -3 - 1, -5, -3 - 1)


def test_refund_when_not_ready():
    """001:35, 001:43: all of it, to those who paid, those who have won since included."""
    hands = ["[1111s,1][2222s]5689s379p", PLAIN, IDLE, IDLE]
    events = [
        kong(0, "concealed", "2s"),
        kong(0, "direct", "1s", 2),
        win(1, "3s", 3),
        DRAW,
    ]
    ledger = settle("qq_sichuan", hands, events)
    assert states(ledger) == ["not_ready", "won", "not_ready", "not_ready"]
    assert amounts(ledger, "refund") == [(0, 1, 12), (0, 2, 12), (0, 3, 12), (0, 2, 6)]
    assert ledger.totals == (0, 6, 0, -6)
    # not to one who has won and left (001:81)
    left = settle("qq_sichuan", hands, [*events[:3], leave(1), DRAW])
    assert amounts(left, "refund") == [(0, 2, 12), (0, 3, 12), (0, 2, 6)]


def test_pigs_give_kongs_back_where_the_text_says_so():
    """001:35 没有叫牌 gives all back, 003:203 没叫或花猪; 001:43 花猪不用 speaks of 大叫."""
    hands = ["[1111s]358m3679p258s", IDLE, IDLE, IDLE]
    events = [kong(0, "concealed", "1s"), DRAW]
    refunds = {
        name: len(amounts(settle(name, hands, events), "refund"))
        for name in ev.rules() if ev.rules(name).kinds == 27
    }  # fmt: skip
    assert refunds == dict.fromkeys(refunds, 3) | {"points_1_2_3_4_8": 0, "majsoul_chuanma": 0}
    four = ["123456789s1123p", "222333444m7799p", "567567m88m23567p", "[1111m,1]24578p2457m1s"]
    ledger = settle("qq_sichuan", four, [kong(3, "direct", "1m", 1), DRAW])
    assert states(ledger) == ["ready", "ready", "ready", "pig"]
    assert amounts(ledger, "refund") == [(3, 1, 6)]
    assert ledger.totals == (96, 96, 96, -288)
    keeps = ev.rules("qq_sichuan").replace(settlement={"pig_refunds": False})
    assert settle(keeps, four, [kong(3, "direct", "1m", 1), DRAW]).totals == (96, 90, 96, -282)


def test_no_refund_when_ready():
    hands = ["[1111s][2222s]345s678s9s", IDLE, IDLE, IDLE]
    events = [kong(0, "concealed", "1s"), kong(0, "concealed", "2s"), DRAW]
    ledger = settle("qq_sichuan", hands, events)
    assert ledger.seats[0].state == "ready"
    assert amounts(ledger, "refund") == []


ROBBED = ["[333s,1]12788s33377m", PLAIN, IDLE, IDLE]


def test_robbed_kong():
    """001:35 他家可以抢杠而胡，刮风下雨无效; the one who makes the kong has discarded it."""
    events = [kong(0, "added", "3s"), win(1, "3s", 0, ["kong"])]
    ledger = settle("qq_sichuan", ROBBED, events)
    assert [tuple(entry) for entry in ledger.entries] == [(0, 1, 6, "robbed_kong", 1)]
    assert settle("chengdu_5_80", ROBBED, events).totals == (-10, 10, 0, 0)
    paid = ev.rules("qq_sichuan").replace(settlement={"kong_robbed_pays": True})
    assert amounts(settle(paid, ROBBED, events), "added_kong") == [(1, 0, 6), (2, 0, 6), (3, 0, 6)]


AFTER_KONG = ["[1111s]2258s333777m", PLAIN, PLAIN, IDLE]


def test_shot_after_a_kong_is_transferred():
    """001:71 将刚才所杠牌所得，转给胡牌家（如果1炮多响则胡家给多份）."""
    events = [kong(0, "concealed", "1s"), win(1, "3s", 0, ["kong_discard"])]
    ledger = settle("qq_sichuan", AFTER_KONG, events)
    assert amounts(ledger, "kong_transfer") == [(0, 1, 36)]
    assert ledger.totals == (-12, 36 - 12 + 12, -12, -12)
    several = settle("qq_sichuan", AFTER_KONG, [*events, win(2, "3s", 0, ["kong_discard"])])
    assert amounts(several, "kong_transfer") == [(0, 1, 36), (0, 2, 36)]
    # what was handed on is not given back at the draw as well
    drawn = settle("qq_sichuan", AFTER_KONG, [*events, DRAW])
    assert amounts(drawn, "refund") == []


def test_shot_after_a_kong_is_refunded():
    """SBR: that kong is given back; the kongs before stay."""
    hands = ["[1111s][2222s,1]58s33377m", PLAIN, PLAIN, IDLE]
    events = [
        kong(0, "direct", "2s", 3),
        kong(0, "concealed", "1s"),
        win(1, "3s", 0, ["kong_discard"]),
        win(2, "3s", 0, ["kong_discard"]),
    ]
    ledger = settle("sbr_2025", hands, events)
    assert amounts(ledger, "kong_refund") == [(0, 1, 2), (0, 2, 2), (0, 3, 2)]
    assert ledger.totals == (2 - 2 - 2, 2, 2, -2)
    assert amounts(settle("yibin", hands, events), "kong_refund", "kong_transfer") == []


FED = ["[1111s,1]234s777m33m78s", IDLE, IDLE, IDLE]


def test_win_on_the_replacement_of_a_fed_kong():
    """points: 算引杠者点炮 (003:260); Yibin: 全部未胡者输点 (004:39)."""
    events = [kong(0, "direct", "1s", 2), win(0, "6s", flags=["kong"])]
    points = settle("points_1_2_3_4_8", FED, events)
    assert [tuple(entry) for entry in points.entries] == [(2, 0, 4, "fed_kong", 1)]
    assert len(amounts(settle("yibin", FED, events), "self_draw")) == 3
    own = ["[1111s]234s777m33m78s", *FED[1:]]
    events[0] = kong(0, "concealed", "1s")
    assert settle("points_1_2_3_4_8", own, events).totals == (12, -4, -4, -4)


THREE_READY = [PLAIN, "333777m3336688p", "11122233378s99p", IDLE]


def test_discard_after_a_fed_kong():
    """004:40 杠后点炮时，算引杠者点炮者."""
    hands = ["777p11222333s23p", "2245689m125689p", "1245689s124578p", "[1111m,1]235689m4578s"]
    fed = kong(3, "direct", "1m", 1)
    shot = win(0, "4p", 3, ["kong_discard"])
    ledger = settle("yibin", hands, [fed, shot])
    assert ledger.totals == (4, -5, 0, 1)
    assert amounts(ledger, "fed_kong_discard") == [(1, 0, 4)]
    assert ledger.wins[0].discarder == 3
    usual = ev.rules("yibin").replace(settlement={"fed_kong_discard_pays": "discarder"})
    assert settle(usual, hands, [fed, shot]).totals == (4, -1, 0, -3)
    # a kong of one's own has no feeder, a discard without a kong neither
    assert settle("yibin", hands, [fed, win(0, "4p", 3)]).totals == (2, -1, 0, -1)
    own = [*hands[:3], hands[3].replace("[1111m,1]", "[1111m]")]
    assert settle("yibin", own, [kong(3, "concealed", "1m"), shot]).totals == (2, -2, -2, 2)
    # who wins with the tile feeds nobody: then the discarder pays
    hands = ["777p44555666s23p", "77711222333m23p", "1245689p23789s9m", "[1111s,1]235689s4578m"]
    fed = kong(3, "direct", "1s", 1)
    both = [shot, win(1, "4p", 3, ["kong_discard"])]
    assert amounts(settle("yibin", hands, [fed, *both]), "discard") == [(3, 0, 4), (3, 1, 4)]
    # of several winners who counts as the discarder deals next (004:26)
    hands[1], hands[2], both[1]["seat"] = hands[2], hands[1], 2
    several = settle("yibin", hands, [fed, *both, DRAW])
    assert amounts(several, "fed_kong_discard") == [(1, 0, 4), (1, 2, 4)]
    assert several.next_dealer == 1


def test_a_winner_leaves_between_a_kong_and_the_win():
    """001:79 血战场胡家逃跑：游戏继续: the event before is the kong all the same."""
    early = win(3, "9m", 2)
    hands = [AFTER_KONG[0], PLAIN, IDLE, "222444555m333p9m"]
    told = [early, kong(0, "concealed", "1s"), leave(3), win(1, "3s", 0, ["kong_discard"])]
    ledger = settle("qq_sichuan", hands, told)
    assert amounts(ledger, "kong_transfer") == [(0, 1, 24)]
    # 抢杠
    hands = [*ROBBED[:3], "222444555m333p9p"]
    told = [win(3, "9p", 2), kong(0, "added", "3s"), leave(3), win(1, "3s", 0, ["kong"])]
    robbed = settle("qq_sichuan", hands, told)
    assert amounts(robbed, "robbed_kong") == [(0, 1, 6)]
    assert amounts(robbed, "added_kong") == []
    # 杠上花
    hands = [FED[0], IDLE, IDLE, "333666999p555s9s"]
    told = [win(3, "9s", 2), kong(0, "direct", "1s", 1), leave(3), win(0, "6s", flags=["kong"])]
    assert amounts(settle("qq_sichuan", hands, told), "self_draw") == [(1, 0, 24), (2, 0, 24)]
    # two wins on one discard
    told = [win(0, "6s", 3), leave(0), win(2, "6s", 3)]
    pair = settle("qq_sichuan", THREE_READY, told)
    assert pair.totals == settle("qq_sichuan", THREE_READY, [told[0], *told[:0:-1]]).totals
    assert [entry.event for entry in pair.entries] == [0, 2]
    # but who has not won ends the hand by leaving
    with pytest.raises(ev.RoundError, match="event 2: the hand has ended: somebody left"):
        settle("qq_sichuan", THREE_READY, [told[0], leave(1), told[2]])


def test_nothing_follows_a_win_with_the_last_tile():
    last = win(0, "6s", 3, ["wall_last"])
    both = [last, win(2, "6s", 3, ["wall_last"])]
    assert settle("qq_sichuan", THREE_READY, [*both, DRAW]).end == "draw"
    assert settle("qq_sichuan", THREE_READY, [last, leave(0), both[1], DRAW]).end == "draw"
    later = [
        win(1, "6p"),
        win(2, "6s", 1, ["wall_last"]),
        {**both[1], "separate": True},
    ]
    for event in later:
        with pytest.raises(ev.RoundError, match=r"event 1: .*last tile of the wall"):
            settle("qq_sichuan", THREE_READY, [last, event])
    with pytest.raises(ev.RoundError, match=r"event 1: .*last tile of the wall"):
        settle("qq_sichuan", THREE_READY, [win(0, "6s", flags=["wall_last"]), win(1, "6p")])
    hands = [*THREE_READY[:3], "[9999m]24568m12457p"]
    with pytest.raises(ev.RoundError, match=r"event 1: .*last tile of the wall"):
        settle("qq_sichuan", hands, [win(0, "6s", 2, ["wall_last"]), kong(3, "concealed", "9m")])


def test_heavenly_and_earthly():
    """001:101 第一轮; 003:234 刚打第一张牌就成胡."""
    first = [win(0, "6s", flags=["heavenly"]), win(1, "6p", flags=["earthly"])]
    ledger = settle("qq_sichuan", THREE_READY, first)
    assert [won.fan for won in ledger.wins] == [6, 6]
    for before in (win(1, "6p", 3), kong(3, "concealed", "9m")):
        hands = [*THREE_READY[:3], "[9999m]24568m12457p"]
        blessed = [win(0, "6s", flags=["heavenly"]), win(2, "6s", flags=["earthly"])]
        told = [] if before["type"] == "kong" else [kong(3, "concealed", "9m")]
        for late in blessed:
            with pytest.raises(ev.RoundError, match=r"event 1: .*something happened before"):
                settle("qq_sichuan", hands, [before, late, *told])
    with pytest.raises(ev.RoundError, match="event 1: heavenly, but something happened before"):
        settle("qq_sichuan", THREE_READY, first[::-1])
    # on the first discard, where the rules have it: the dealer's
    points = "points_1_2_3_4_8"
    dealt = settle(points, THREE_READY, [win(2, "6s", 3, ["earthly"])], dealer=3)
    assert dealt.totals == (0, 0, 8, -8)
    both = [win(seat, "6s", 3, ["earthly"]) for seat in (2, 0)]
    assert settle(points, THREE_READY, both, dealer=3).totals == (8, 0, 8, -16)
    with pytest.raises(ev.RoundError, match="won on the first discard, but the dealer is seat 1"):
        settle(points, THREE_READY, both[:1], dealer=1)
    with pytest.raises(ev.RoundError, match="the same discard with earthly and without"):
        settle(points, THREE_READY, [both[0], win(0, "6s", 3)], dealer=3)
    with pytest.raises(ev.RoundError, match="wins by self-draw under qq_sichuan"):
        settle("qq_sichuan", THREE_READY, both[:1], dealer=3)


def test_a_wait_without_a_copy_is_none():
    """003:190 可胡: who holds all four copies of the only wait is not ready."""
    hands = ["[8888p,1]56778889m79p", "124m12345679s12p", "124m1245678s123p", "124m124568s2345p"]
    for name in (name for name in ev.rules() if ev.rules(name).kinds == 27):
        rules = ev.rules(name)
        fan = rules.ready_max_fan(ev.Hand.parse("[8888p,1]56778889m79p"))
        assert (fan < 0) == (rules.dead_wait == "own4"), name
        events = [kong(0, "direct", "8p", 2), DRAW]
        state = settle(name, hands, events).seats[0].state
        assert state == ("not_ready" if rules.dead_wait == "own4" else "ready"), name
    # the turned tile is the fourth copy (004:48)
    yibin = ev.rules("yibin")
    assert yibin.ready_max_fan(ev.Hand.parse("111s123456789s3m|EE0000|0|indicator=3m")) >= 0
    dead = ev.Hand.parse("[333p,1]555666m44m12p|EE0000|0|indicator=3p")
    assert yibin.ready_max_fan(dead) == -1
    assert yibin.replace(dead_wait="none").ready_max_fan(dead) >= 0


def test_cap_of_a_self_draw():
    """003:80 封顶: 80 and a base more by 加底, or 80."""
    strict = ev.rules("chengdu_5_80").replace(cap_self_draw=True)
    for text, paid in (("[1111m][2222m,1]333m4445m5m", 80), ("123m456p789p99p45m6m", 10)):
        hand = ev.Hand.parse(text).replace(self_drawn=True)
        drawn = ev.score(hand, strict)
        assert drawn.payment == paid
        assert ev.payments(drawn, 0, None, strict) == (3 * paid, -paid, -paid, -paid)


def test_what_piao_doubles():
    """004:61 番数 may mean wins alone."""
    hands = [PLAIN, "1245m12457p2457s", IDLE, "[1111s]2258s333777m"]
    events = [kong(3, "concealed", "1s"), win(0, "6s", 2), DRAW]
    everyone = {"piao": [True, True, True, True]}
    every = settle("yibin", hands, events, **everyone)
    plain = settle("yibin", hands, events)
    assert every.totals == tuple(4 * total for total in plain.totals)
    wins = ev.rules("yibin").replace(settlement={"piao_doubles": "wins"})
    only = settle(wins, hands, events, **everyone)
    assert amounts(only, "discard") == amounts(every, "discard")
    rest = ("concealed_kong", "pig", "ready_check", "refund")
    assert amounts(only, *rest) == amounts(plain, *rest) != []


def test_bloody_to_the_end():
    """001:45: three winners; who has won pays no more."""
    events = [win(0, "6s", 3), win(1, "6p"), win(2, "6s", 3)]
    ledger = settle("qq_sichuan", THREE_READY, events)
    assert amounts(ledger, "self_draw") == [(2, 1, 12), (3, 1, 12)]
    assert amounts(ledger, "discard") == [(3, 0, 6), (3, 2, 6)]
    assert ledger.totals == (6, 24, -6, -24)
    assert ledger.end == "wins"
    with pytest.raises(ev.RoundError, match="event 3: the hand has ended: enough have won"):
        settle("qq_sichuan", THREE_READY, [*events, DRAW])


def test_one_winner_ends_the_hand_where_the_text_says_so():
    """003:258; but two may win on one discard (003:263)."""
    both = [win(0, "6s", 3), win(2, "6s", 3)]
    ledger = settle("points_1_2_3_4_8", THREE_READY, both)
    assert (ledger.end, ledger.next_dealer) == ("wins", 3)
    assert amounts(ledger, "discard") == [(3, 0, 1), (3, 2, 1)]
    with pytest.raises(ev.RoundError, match="event 1: the hand has ended"):
        settle("points_1_2_3_4_8", THREE_READY, [both[0], win(1, "6p", 3)])
    with pytest.raises(ev.RoundError, match="event 1: the hand has ended"):
        settle("points_1_2_3_4_8", THREE_READY, [both[0], {**both[1], "separate": True}])


def test_escape():
    """001:77: 16 × 6 to each who has not won; what was won and kongs stay paid."""
    hands = ["[1111s]2258s333777m", PLAIN, IDLE, IDLE]
    events = [kong(0, "concealed", "1s"), win(1, "3s", 3), leave(2)]
    ledger = settle("qq_sichuan", hands, events)
    assert amounts(ledger, "escape") == [(2, 0, 96), (2, 3, 96)]
    assert amounts(ledger, "refund", "ready_check") == []
    assert ledger.totals == (36 + 96, 6 - 12, -12 - 192, -12 - 6 + 96)
    assert (ledger.end, ledger.next_dealer, ledger.seats[2].left) == ("leave", None, True)
    with pytest.raises(ev.RoundError, match="event 3: the hand has ended: somebody left"):
        settle("qq_sichuan", hands, [*events, DRAW])
    assert len(settle("sbr_2025", hands, events).entries) == 4


def test_escape_near_the_end_pays_the_ready_check_if_that_is_more():
    """001:77 在最后4张牌的情况下 … 按高分的一种扣."""
    hands = [SEVEN_FAN, IDLE, IDLE, IDLE]
    assert settle("qq_sichuan", hands, [leave(1, 5)]).totals == (96, -288, 96, 96)
    assert settle("qq_sichuan", hands, [leave(1, 4)]).totals == (384, -384, 0, 0)
    hands[0] = PLAIN
    assert settle("qq_sichuan", hands, [leave(1, 4)]).totals == (96, -288, 96, 96)


def test_a_winner_who_leaves():
    """QQ adds what was won at the end (001:79); the short text gives nothing (003:191)."""
    events = [win(0, "6s", 3), leave(0), win(1, "6p"), DRAW]
    qq = settle("qq_sichuan", THREE_READY, events)
    assert amounts(qq, "discard") == [(3, 0, 6)]
    assert amounts(qq, "forfeit") == []
    assert qq.seats[0] == ("won", 1, True)
    short = settle("sichuan_short", THREE_READY, events)
    assert amounts(short, "forfeit") == [(0, 3, 6)]
    assert short.totals[0] == 0


def test_piao():
    """004:59-62: ×2 between one who plays 飘 and one who does not, ×4 between two."""
    ledger = settle("yibin", THREE_READY, [win(1, "6p")], piao=[True, True, False, False])
    assert amounts(ledger, "self_draw") == [(0, 1, 4 * 4), (2, 1, 4 * 2), (3, 1, 4 * 2)]
    assert settle("yibin", THREE_READY, [win(1, "6p")]).totals[1] == 12
    with pytest.raises(ev.RoundError, match="qq_sichuan has no piao"):
        settle("qq_sichuan", THREE_READY, [], piao=[True, False, False, False])


def test_wild_tiles():
    """A wild tile drawn wins; the suit it bears makes no pig (004:52)."""
    hands = ["123456p777s334s|EE0000|0|wilds=1,indicator=9s", IDLE, IDLE, IDLE]
    ledger = settle("yibin", hands, [win(0, "wild")])
    assert ledger.wins[0].tile is None
    assert ledger.wins[0].fan == 1
    assert ledger.totals == (3, -1, -1, -1)
    # the turned tile is the same for all: three more of it are a fan more
    hands[1] = "999s1245m124578p|EE0000|0|indicator=9s"
    one_says = hands[0].replace(",indicator=9s", "")
    assert settle("yibin", [one_says, *hands[1:]], [win(0, "wild")]).totals == (3, -1, -1, -1)
    with pytest.raises(ev.RoundError, match="different turned tiles"):
        settle("yibin", [hands[0], hands[1].replace("9s", "8s"), IDLE, IDLE], [DRAW])
    # an idle hand with a wild tile of a third suit beside two is no pig
    hands[1] = "1245689m24578p|EE0000|0|wilds=1,indicator=9s"
    assert states(settle("yibin", hands, [win(0, "5s", 2)])) == ["won", *["not_ready"] * 3]
    hands[1] = "1245689m278p|EE0000|0|wilds=3,indicator=9s"
    with pytest.raises(ev.RoundError, match=r"event 0: 5 wild tiles on the table; .* only 4"):
        settle("yibin", hands, [win(0, "wild")])


def test_coins():
    """001:61-65: the printed 10800 and 3600 forget the fee of 400."""
    assert coins((54, -18, -18, -18), 200, 400) == (10400, -4000, -4000, -4000)
    # the same 54 points: an added kong, 6 of each, and a self-draw of two fan, 12 of each
    hands = ["[1111s,1]234s777m33m78s", IDLE, IDLE, IDLE]
    events = [kong(0, "added", "1s"), win(0, "6s")]
    ledger = settle("qq_sichuan", hands, events, room={"coefficient": 200, "fee": 400})
    assert ledger.totals == (54, -18, -18, -18)
    assert ledger.coins == (10400, -4000, -4000, -4000)
    assert sum(ledger.coins) == -4 * ledger.fee
    assert settle("qq_sichuan", hands, events).coins is None


def test_dandong():
    """One pays for three; kongs are paid, also at a draw; the dealer stays."""
    hands = [
        "[999m,1]123p456s55z78s",
        "[1111z,1]147m258p369s6z",
        "[2222z]147m258p369s6z",
        "148m259p367s3344z",
    ]
    kongs = [kong(1, "direct", "1z", 2), kong(2, "concealed", "2z")]
    paid = settle("dandong", hands, [*kongs, DRAW])
    assert paid.totals == (-3, 3 - 2, -1 + 6, -3)
    assert (paid.next_dealer, states(paid)[0]) == (0, "ready")
    won = settle("dandong", hands, [*kongs, win(0, "9s", 3)])
    assert amounts(won, "discard") == [(3, 0, 12)]
    assert won.next_dealer == 0
    other = settle("dandong", hands, [*kongs, win(0, "9s", 3)], dealer=2)
    assert amounts(other, "discard") == [(3, 0, 6)]
    assert other.next_dealer == 3


def test_one_winner_on_a_discard():
    """004:99 从打牌者按逆时针方向，顺序在前者; so in Guobiao (000:339)."""
    hands = [
        "[999m,1]123p456s55z78s",
        "[888m,1]123p456s66z78s",
        "147m258p369s1234z",
        "148m259p367s1234z",
    ]
    both = [win(0, "9s", 3), win(1, "9s", 3)]
    with pytest.raises(ev.RoundError, match=r"event 1: dandong has one winner .*: seat 0"):
        settle("dandong", hands, both)
    with pytest.raises(ev.RoundError, match=r"event 0: dandong has one winner .*: seat 0"):
        settle("dandong", hands, both[::-1])
    assert settle("dandong", hands, both[:1]).wins[0].seat == 0


def test_guobiao_round():
    hands = ["123789s123789p3m", "4567m4567p44s66z7z", "147m258p369s1234z", "112233m4455667s"]
    ledger = settle("guobiao", hands, [win(0, "3m", 2)], dealer=3)
    assert ledger.totals == (32, -8, -16, -8)
    assert ledger.next_dealer == 0
    assert states(ledger) == ["won", "not_ready", "ready", "ready"]
    low = ["[123m,1][345m,1]678p56sWW", *hands[1:]]
    low[1], low[3] = hands[2], "147m258p369s567z7z"
    with pytest.raises(ev.RoundError, match="event 0: 1 fan, below the minimum of 8"):
        settle("guobiao", low, [win(0, "7s")])
    assert settle("guobiao", low, [DRAW]).totals == (0, 0, 0, 0)


def test_seat_winds_follow_the_dealer():
    hand = "[111z,1]123m456p789s9s"
    others = ["147m258p369s2345z", "148m259p367s2345z", "149m257p368s2345z"]
    fans = [
        settle(ev.rules("guobiao").replace(minimum=0), [hand, *others], [win(0, "9s", 1)],
               dealer=dealer).wins[0].fan
        for dealer in range(4)
    ]  # fmt: skip
    assert [fan - fans[1] for fan in fans] == [2, 0, 0, 0]


# --- predicates


def test_next_dealer():
    assert [ev.next_dealer(1, [0], 2, name) for name in ("yibin", "sichuan_short")] == [0, 0]
    assert ev.next_dealer(1, [], None, "yibin") == 1
    assert ev.next_dealer(1, [0, 3], 2, "yibin") == 2
    assert ev.next_dealer(1, [0, 3], 2, "sichuan_short") == 3
    assert ev.next_dealer(1, [0, 3], 2, "points_1_2_3_4_8") == 2
    assert ev.next_dealer(1, [0], 2, "qq_sichuan") is None
    assert [ev.next_dealer(3, winners, None, "dandong") for winners in ([], [3], [1])] == [3, 3, 0]
    assert [ev.next_dealer(3, winners, None, "guobiao") for winners in ([], [3], [1])] == [0, 0, 0]
    with pytest.raises(ev.RoundError, match="need a discarder"):
        ev.next_dealer(1, [0, 3], None, "yibin")
    with pytest.raises(ev.RoundError, match="dealer must be a seat from 0 to 3"):
        ev.next_dealer(4, [0], 1, "yibin")


def test_next_dealer_of_a_round():
    first_both = [win(0, "6s", 3), win(2, "6s", 3), DRAW]
    assert settle("yibin", THREE_READY, first_both).next_dealer == 3
    one_by_one = [first_both[0], {**first_both[1], "separate": True}, DRAW]
    assert settle("yibin", THREE_READY, one_by_one).next_dealer == 0
    assert settle("yibin", THREE_READY, [DRAW], dealer=2).next_dealer == 2


@pytest.mark.parametrize(
    ("rules", "again", "higher", "lower"),
    [
        ("qq_sichuan", False, True, False),
        ("sichuan_short", False, False, False),
        ("points_1_2_3_4_8", False, True, False),
        ("yibin", False, True, False),
        ("sbr_2025", False, True, False),
        ("dandong", None, None, None),
    ],
)
def test_passing(rules, again, higher, lower):
    """过水不胡, with and without the exception for more fan; any wait counts."""
    # nine gates: 5s makes a pair only, 1s a root
    hand = ev.Hand.parse("1112345678999s")
    if rules == "dandong":
        hand = ev.Hand.parse("[999m,1]123p456s55z78s")
        assert ev.may_win(hand, "9s", ["6s", "9s"], rules)
        return
    plain, rooted = "5s", "1s"
    assert ev.may_win(hand, plain, (), rules)
    assert ev.may_win(hand, plain, [plain], rules) is again
    assert ev.may_win(hand, rooted, [plain], rules) is higher
    assert ev.may_win(hand, plain, [rooted], rules) is lower
    assert ev.may_win(hand, rooted, [plain, rooted], rules) is again
    # one's own draw frees; what completes nothing was not passed
    assert ev.may_win(hand.replace(self_drawn=True), plain, [plain], rules)
    assert ev.may_win(hand, plain, ["1m"], rules)
    assert not ev.may_win(hand, "1m", (), rules)


def test_passing_near_the_end():
    """004:44 牌城只剩不足四张牌时可以和."""
    hand = ev.Hand.parse("1112345678999s")
    assert [ev.may_win(hand, "5s", ["5s"], "yibin", wall_left=left) for left in (4, 5)] == [
        True,
        False,
    ]
    # 001:55 必须选择胡牌: what must be won may be won
    for name in (name for name in ev.rules() if ev.rules(name).patterns):
        last = ev.rules(name).settlement.last_n_must_win
        if last:
            assert [ev.may_win(hand, "5s", ["5s"], name, wall_left=left) for left in range(6)] == [
                left <= last for left in range(6)
            ]
            assert not ev.may_win(hand, "1p", ["5s"], name, wall_left=1)
    assert not ev.may_win(hand, "5s", ["5s"], "sbr_2025", wall_left=0)


def test_passing_knows_the_hand_of_then():
    """001:53: more than what was passed, with the hand and the flags of each win."""
    hand = ev.Hand.parse("[111s,1]2345678999s")
    before = ev.Hand.parse("1112345678999s5s")
    assert not ev.may_win(hand, "5s", [before], "qq_sichuan")
    assert ev.may_win(hand.replace(kong_discard=True), "5s", [before], "qq_sichuan")
    shot = ev.Hand.parse("1112345678999s5s|EE0000|0|kong_discard")
    assert not ev.may_win(hand.replace(kong_discard=True), "5s", [shot], "qq_sichuan")


def test_guobiao_minimum_is_part_of_may_win():
    hand = ev.Hand.parse("[123m,1][345m,1]678p56sWW")
    assert ev.may_win(hand, "7s")
    assert not ev.may_win(hand.replace(self_drawn=True), "7s")
    with pytest.raises(ev.HandError, match="does not wait"):
        ev.may_win(ev.Hand.parse("11z"), "7s")
    with pytest.raises(ev.RoundError, match="tile must be one tile"):
        ev.may_win(hand, 34)


def test_must_win():
    for name in ev.rules():
        if name == "riichi":
            continue
        last = ev.rules(name).settlement.last_n_must_win
        assert [ev.must_win(left, name) for left in range(7)] == [
            left <= last and last > 0 for left in range(7)
        ]
    assert ev.rules("qq_sichuan").settlement.last_n_must_win == 4
    with pytest.raises(ev.RoundError, match="wall_left"):
        ev.must_win(-1, "qq_sichuan")


# --- the result


def test_ledger_as_json():
    events = [win(0, "6s", 3), win(1, 14), DRAW]
    ledger = settle("qq_sichuan", THREE_READY, events, room={"coefficient": 2})
    found = json.loads(json.dumps(ledger.as_dict()))
    assert found["totals"] == list(ledger.totals)
    assert found["wins"][1] == {
        "seat": 1, "tile": "6p", "from": None, "fan": 2, "patterns": ["对对胡"], "event": 1,
    }  # fmt: skip
    assert found["entries"][0] == {
        "payer": 3, "payee": 0, "amount": 6, "reason": "discard", "event": 0,
    }  # fmt: skip
    assert found["coins"] == [2 * total for total in ledger.totals]
    assert repr(ledger) == "<Ledger: " + ", ".join(f"{t:+d}" for t in ledger.totals) + ">"
    text = json.dumps({"rules": "qq_sichuan", "hands": THREE_READY, "events": events})
    assert ev.settle(text).totals == ev.settle(text.encode()).totals == ledger.totals


def test_objects_in_place_of_text():
    hands = [ev.Hand.parse(text) for text in THREE_READY]
    rules = ev.rules("qq_sichuan")
    ledger = settle(rules, hands, [win(0, 23, 3), DRAW])
    assert ledger.totals == settle("qq_sichuan", THREE_READY, [win(0, "6条", 3), DRAW]).totals
    whole = {"type": "win", "seat": 0, "from": 3, "hand": PLAIN + "6s", "fan": 1}
    assert settle(rules, hands, [whole, DRAW]).totals == ledger.totals


def test_whole_numbers_of_numpy():
    events = [win(np.int64(0), np.uint8(23), np.int8(3)), DRAW]
    ledger = settle("qq_sichuan", THREE_READY, events, dealer=np.int64(1))
    assert ledger.totals == settle("qq_sichuan", THREE_READY, [win(0, 23, 3), DRAW]).totals
    assert json.dumps(ledger.as_dict())
    score = ev.score(ev.Hand.parse("123789s123789p3m3m"))
    assert ev.payments(score, np.int64(0), np.int64(2), out=()) == (32, -8, -16, -8)


def test_payments_wants_the_rules_of_the_score():
    score = ev.score(ev.Hand.parse("123456p789p99s456s"), "qq_sichuan")
    with pytest.raises(ev.RoundError, match="is not a score under guobiao"):
        ev.payments(score, 0, 1)
    with pytest.raises(ev.RoundError, match="riichi has no scores"):
        ev.payments(score, 0, 1, "riichi")


def test_round_error_pickles():
    error = pickle.loads(pickle.dumps(ev.RoundError("why", 3)))
    assert (str(error), error.reason, error.event) == ("event 3: why", "why", 3)
