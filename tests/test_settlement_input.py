"""Rounds that cannot have been played, and rounds on the command line."""

from __future__ import annotations

import copy
import json

import pytest
from test_cli import call, no_columns, stdin  # noqa: F401
from test_settlement import DRAW, IDLE, PIG, PLAIN, THREE_READY, kong, leave, settle, win

import evaluator as ev
from evaluator.commands import settle as command
from evaluator.settlement.ledger import REASONS

KONGS = ["[1111s]2258s333777m", PLAIN, PLAIN, IDLE]
CONCEALED = kong(0, "concealed", "1s")
ROBBED = ["[333s,1]12788s33377m", PLAIN, IDLE, IDLE]


def nested(depth):
    lists = []
    for _ in range(depth):
        lists = [lists]
    return lists


@pytest.mark.parametrize(
    ("hands", "events", "event", "message"),
    [
        # events as such
        (THREE_READY, ["draw"], 0, "must be a table of keys"),
        (THREE_READY, [{}], 0, "type must be one of kong, win, draw, leave, got None"),
        (THREE_READY, [{"type": "pong"}], 0, "type must be one of"),
        (THREE_READY, [DRAW | {"seats": 0}], 0, "seats is not a known key; choose from type"),
        (THREE_READY, [win(0, "6s", 3) | {"flag": []}], 0, "key; did you mean flags"),
        (THREE_READY, [win(4, "6s", 3)], 0, "seat must be a seat from 0 to 3, got 4"),
        (THREE_READY, [win("0", "6s", 3)], 0, "seat must be a seat from 0 to 3, got '0'"),
        (THREE_READY, [win(True, "6s", 3)], 0, "seat must be a seat from 0 to 3, got True"),
        (THREE_READY, [win(None, "6s", 3)], 0, "seat must be a seat from 0 to 3, got None"),
        (THREE_READY, [win(0, "6s", -1)], 0, "from must be a seat from 0 to 3, got -1"),
        (THREE_READY, [win(0, "6s", 0)], 0, "seat 0 cannot give itself the tile"),
        (THREE_READY, [leave(1, -1)], 0, "wall_left must be a whole number"),
        # wins
        (THREE_READY, [win(0, None, 3)], 0, "needs the tile"),
        (THREE_READY, [win(0, "66s", 3)], 0, "one tile, by its name or index, got '66s'"),
        (THREE_READY, [win(0, "6x", 3)], 0, "tile: 'x' means nothing"),
        (THREE_READY, [win(0, 34, 3)], 0, "one tile, by its name or index, got 34"),
        (THREE_READY, [win(0, "wild", 3)], 0, "a wild tile wins only when it is drawn"),
        (THREE_READY, [win(0, "wild")], 0, "wild tiles on the table"),
        (THREE_READY, [win(0, "1s", 3)], 0, "the win of seat 0: "),
        (THREE_READY, [win(3, "1m", 0)], 0, "the win of seat 3: "),
        (THREE_READY, [win(0, "6s", 3, ["tsumo"])], 0, "no flag 'tsumo'; choose from self"),
        (THREE_READY, [win(0, "6s", 3, "kong")], 0, "flags must be a list"),
        (THREE_READY, [win(0, "6s", 3, {"kong": False})], 0, "flags must be a list"),
        (THREE_READY, [win(0, "6s", 3, [["kong"]])], 0, "no flag"),
        (THREE_READY, [win(0, "6s", 3, ["self_drawn"])], 0, "self_drawn, but the tile is from"),
        (THREE_READY, [win(0, "6s", None, ["kong"])], 0, "but the hand has no kong meld"),
        (THREE_READY, [win(0, "6s", 3, ["kong"])], 0, "not an added kong of the tile by seat 3"),
        (THREE_READY, [win(0, "6s", 3, ["kong_discard"])], 0, "is not a kong by seat 3"),
        (THREE_READY, [win(1, "6p", None, ["heavenly"])], 0, r"天胡\), but the dealer is seat 0"),
        (THREE_READY, [win(0, "6s", None, ["earthly"])], 0, r"地胡\), but the dealer is seat 0"),
        (THREE_READY, [win(1, "6p", 3), win(0, "6s", None, ["heavenly"])], 1, "happened before"),
        (THREE_READY, [win(0, "6s", 3, fan=2)], 0, "the win of seat 0 is 1 fan, not 2"),
        (THREE_READY, [win(0, "6s", 3, fan="1")], 0, "fan must be a whole number"),
        (THREE_READY, [win(0, "6s", 3, separate=1)], 0, "separate must be True or False"),
        (THREE_READY, [win(0, "6s", separate=True)], 0, "separate belongs to wins on a discard"),
        (THREE_READY, [win(0, "6s", 3), win(0, "6s", 2)], 1, "seat 0 has won before"),
        (THREE_READY, [win(0, "6s", 3), win(0, "6s", 3)], 1, "seat 0 wins twice with one tile"),
        (THREE_READY, [win(0, "6s", 3), win(1, "6p", 0)], 1, "seat 0 has won before"),
        (THREE_READY, [win(0, "6s", 3), win(2, "6s", 3, ["wall_last"])], 1, "the same discard"),
        (THREE_READY, [win(0, "3s", 3), win(1, "3p", 3)], 1, "5 copies of 3p"),
        (
            THREE_READY,
            [{"type": "win", "seat": 0, "from": 3, "hand": THREE_READY[1] + "6p"}],
            0,
            "the win of seat 0|hand is not the hand of seat 0",
        ),
        (
            THREE_READY,
            [{"type": "win", "seat": 0, "from": 3, "hand": PLAIN + "6s", "tile": "3s"}],
            0,
            "tile and the winning tile of hand differ",
        ),
        (
            THREE_READY,
            [{"type": "win", "seat": 0, "from": 3, "hand": "123456789p4588s6s"}],
            0,
            "hand is not the hand of seat 0 with the winning tile",
        ),
        (THREE_READY, [{"type": "win", "seat": 0, "hand": 7}], 0, "hand must be a Hand or its"),
        (THREE_READY, [{"type": "win", "seat": 0, "hand": "6x"}], 0, "hand: 'x' means nothing"),
        # kongs
        (KONGS, [kong(0, "concealed", "2s")], 0, "no concealed kong of 2s .* its melds"),
        (KONGS, [kong(0, "added", "1s")], 0, r"no kong of 1s \(一条\) among its melds"),
        (KONGS, [kong(1, "concealed", "1s")], 0, "seat 1 has no concealed kong of 1s"),
        (KONGS, [CONCEALED, CONCEALED], 1, "no concealed kong of 1s"),
        (KONGS, [kong(0, "open", "1s")], 0, "kind must be one of direct, added, concealed"),
        (KONGS, [kong(0, "direct", "1s")], 0, "a direct kong needs from"),
        (KONGS, [kong(0, "concealed", "1s", 2)], 0, "nobody feeds a kong of the kind 'concealed'"),
        (KONGS, [kong(0, "concealed", "1s", fresh=True)], 0, "fresh belongs to added kongs only"),
        (KONGS, [kong(0, "concealed", None)], 0, "one tile, by its name or index, got None"),
        (KONGS, [DRAW], None, "seat 0 has a kong of 1s .* no event"),
        (KONGS, [CONCEALED, win(1, "3s", 0, ["kong"])], 1, "not an added kong of the tile"),
        (
            KONGS,
            [win(1, "3s", 3), CONCEALED, win(2, "3s", 3, ["kong_discard"])],
            2,
            "the event before is not a kong by seat 3",
        ),
        (ROBBED, [kong(0, "added", "3s"), win(1, "3s", 0)], 0, "robs the kong needs the flag kong"),
        (ROBBED, [kong(0, "added", "3s")], 0, "has a pung of 3s"),
        (
            ["[333s,1]12788s33377m", PLAIN, PLAIN, IDLE],
            [win(0, "6s", 3)],
            0,
            "the win of seat 0",
        ),
        (
            ["[1111s,1]234s777m33m78s", PLAIN, IDLE, IDLE],
            [win(1, "3s", 3), kong(0, "direct", "1s", 1)],
            1,
            "seat 1 has won before",
        ),
        (
            ["[1111s,1]234s777m33m78s", IDLE, IDLE, IDLE],
            [win(0, "6s", 3), kong(0, "direct", "1s", 1)],
            1,
            "seat 0 has won before",
        ),
        # the end
        (THREE_READY, [DRAW, DRAW], 1, "the hand has ended: it was a draw"),
        (THREE_READY, [win(0, "6s", 3), leave(0), leave(0)], 2, "seat 0 has left before"),
        # hands
        ([PLAIN, PLAIN, IDLE], [], None, "hands must be a list of four"),
        ("hands", [], None, "hands must be a list of four"),
        ([PLAIN, PLAIN, IDLE, 3], [], None, r"hands\[3\] must be a Hand or its text"),
        ([PLAIN, PLAIN, IDLE, "12x"], [], None, r"hands\[3\]: 'x' means nothing"),
        ([PLAIN, PLAIN, IDLE, IDLE + "1p"], [], None, "seat 3 has 14 tiles and 0 melds"),
        ([PLAIN, PLAIN, IDLE, "1111s"], [], None, "seat 3 has 4 tiles and 0 melds"),
        ([PLAIN, PLAIN, IDLE, IDLE[:-3] + "7p7z"], [], None, "seat 3 holds 7z .*, but qq_sichuan"),
        ([PLAIN, PLAIN, IDLE, "[123m]" + PLAIN[:7] + "99s2s"], [], None, "has a chow meld"),
        ([PLAIN, PLAIN, IDLE, PLAIN + "|EE1000"], [], None, "seat 3 has win flags"),
        ([PLAIN, PLAIN, IDLE, IDLE[:-3] + "7p|EE0000|0|wilds=1"], [], None, "holds 1 wild tile; "),
        ([PLAIN] * 4, [], None, "8 copies of 9s .* on the table; .* only 4"),
        # events as a whole
        (THREE_READY, DRAW, None, "events must be a list"),
        (THREE_READY, "draw", None, "events must be a list"),
    ],
)  # fmt: skip
def test_what_cannot_be(hands, events, event, message):
    before = copy.deepcopy((hands, events))
    with pytest.raises(ev.RoundError, match=message) as caught:
        settle("qq_sichuan", hands, events)
    assert caught.value.event == event
    assert str(caught.value).startswith(f"event {event}: " if event is not None else "")
    assert (hands, events) == before


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dealer": 4}, "dealer must be a seat from 0 to 3, got 4"),
        ({"dealer": True}, "dealer must be a seat"),
        ({"dealer": False}, "dealer must be a seat"),
        ({"dealer": ""}, "dealer must be a seat"),
        ({"dealr": 0}, "dealr is not a known key; did you mean dealer"),
        ({"rules": None}, "the round lacks rules"),
        ({"hands": None}, "the round lacks hands"),
        ({"events": None}, "the round lacks events"),
        ({"rules": "riichi"}, "the rule set riichi has no scores"),
        ({"piao": [True]}, "piao must be a list of four"),
        ({"piao": [0, 0, 0, 0]}, "piao must be True or False, got 0"),
        ({"room": 200}, "room must be a table"),
        ({"room": {"coefficent": 1}}, "did you mean coefficient"),
        ({"room": {"coefficient": 0}}, "coefficient must be a whole number"),
        ({"room": {"coefficient": 1.5}}, "coefficient must be a whole number"),
        ({"room": {"fee": -1}}, "fee must be a whole number"),
        # what cannot be shown is refused all the same
        ({"dealer": 10**5000}, "dealer must be a seat from 0 to 3, got an int too large to show"),
        ({"hands": nested(20_000)}, "hands must be a list of four, .* got a list too large"),
    ],
)
def test_a_round_that_is_none(changes, message):
    given = {"rules": "qq_sichuan", "hands": THREE_READY, "events": [DRAW], **changes}
    with pytest.raises(ev.RoundError, match=message) as caught:
        ev.settle(given)
    assert caught.value.event is None


def test_no_round_at_all():
    for given in (None, 3, [], "3", "{", b"\xff", "[" * 100_000):
        with pytest.raises(ev.RoundError):
            ev.settle(given)
    with pytest.raises(ev.RoundError, match="the key 'dealer' is there twice"):
        ev.settle(json.dumps(sample()).replace('"dealer": 0', '"dealer": 0, "dealer": 1'))
    with pytest.raises(ev.RulesError, match="qq_sichuan"):
        settle("qq_sichuann", THREE_READY, [])
    with pytest.raises(ev.RulesError) as caught:
        settle("\x1b[31m\ud800", THREE_READY, [])
    assert "\x1b" not in str(caught.value)
    assert str(caught.value).encode()


def test_guobiao_kongs_may_go_untold():
    hands = ["[1111z]123789s123p3m", "4567m4567p44s66z7z", "147m258p369s234z5z", "112233m4455667s"]
    told = settle("guobiao", hands, [kong(0, "concealed", "1z"), win(0, "3m", None, ["kong"])])
    untold = settle("guobiao", hands, [win(0, "3m", None, ["kong"])])
    assert told.totals == untold.totals


# --- the command line


def sample():
    return json.loads(command._example())


def test_example_is_a_round(call, tmp_path):  # noqa: F811
    got = call("settle", "--example")
    assert (got.status, got.err) == (0, "")
    file = tmp_path / "round.json"
    file.write_text(got.out)
    shown = call("settle", file)
    assert shown.status == 0
    assert (
        shown.out.splitlines()
        == """\
QQ 四川麻将, dealer is seat 0, ended in a draw 流局
event  payer  payee  amount  why
    0      0      2       6  direct kong 直杠 9p
    1      3      1       6  discard 点炮 5p, 1 fan: 平胡
    2      2      0      12  concealed kong 暗杠 2s
    2      3      0      12  concealed kong 暗杠 2s
    3      2      0      24  self-draw 自摸 3m, 3 fan: 平胡 杠 另加+1
    3      3      0      24  self-draw 自摸 3m, 3 fan: 平胡 杠 另加+1
    4      3      2      48  not ready pays ready 查大叫

seat  total   coins  state
   0    +66  +12800  won 和, 3 fan
   1     +6    +800  won 和, 1 fan
   2    +18   +3200  ready 听, 4 fan
   3    -90  -18400  not ready 没听

next dealer: decided by dice""".splitlines()
    )


def test_tiles_of_any_notation_are_shown_alike(call, stdin):  # noqa: F811
    shown = []
    for tiles in (["9p", "5p", "2s", "3m"], ["九筒", " B5", 19, 2]):
        given = sample()
        for event, tile in zip(given["events"], tiles, strict=False):
            event["tile"] = tile
        stdin(json.dumps(given).encode())
        shown.append(call("settle", "-").out)
    assert shown[0] == shown[1] != ""


def test_json_is_the_ledger(call, stdin):  # noqa: F811
    ledger = ev.settle(sample())
    stdin(json.dumps(sample()).encode())
    got = call("settle", "-", "--json")
    assert json.loads(got.out) == ledger.as_dict()
    for entry in ledger.entries:
        assert entry.reason in REASONS


def test_a_wrong_round_is_status_1(call, tmp_path):  # noqa: F811
    given = sample()
    given["events"][1]["tile"] = "1s"
    file = tmp_path / "round.json"
    file.write_text(json.dumps(given))
    got = call("settle", file, "--json")
    assert got.status == 1
    assert got.err.startswith(f"mahjong-eval: error: {file}: event 1: the win of seat 1: ")
    assert json.loads(got.out)["event"] == 1
    assert call("settle", file).out == ""


def test_files_that_are_no_round(call, tmp_path):  # noqa: F811
    file = tmp_path / "round.json"
    got = call("settle", file)
    assert (got.status, got.out) == (2, "")
    assert "no such file" in got.err
    for text in ("{", '{"rules": "yibin", "rules": "yibin"}'):
        file.write_text(text)
        got = call("settle", file)
        assert got.status == 2
        assert f"{file}: is not JSON" in got.err
    for text in ("[]", "3", '"x"'):
        file.write_text(text)
        assert call("settle", file).status == 1
    file.write_text(json.dumps({**sample(), "rules": "qq"}))
    assert call("settle", file).status == 2
    assert call("settle").status == 2
    assert call("settle", file, "--example").status == 2


def test_nothing_paid_and_not_ended(call, tmp_path):  # noqa: F811
    file = tmp_path / "round.json"
    file.write_text(json.dumps({"rules": "yibin", "hands": [PIG, IDLE, IDLE, IDLE], "events": []}))
    out = call("settle", file).out
    assert "not ended" in out
    assert "nobody pays" in out
    assert "flower pig 花猪" in out
    assert "next dealer" not in out


# --- one win, and the predicates


@pytest.mark.parametrize(
    ("winner", "changes"),
    [
        ([0, 1], {}),
        ([], {}),
        ("0", {}),
        ("", {}),
        (b"\x00", {}),
        ([0, 0], {"score": 2}),
        ([0, 1], {"score": 1, "discarder": 2}),
        (0, {"out": 5}),
        (0, {"out": None}),
        (0, {"out": "1"}),
        *((0, {"score": wrong}) for wrong in (None, 5, "x", [], object())),
    ],
)
def test_payments_of_what_is_none(winner, changes):
    scored = ev.score(ev.Hand.parse("11122233344455m"), "qq_sichuan")
    said = {"score": scored, "rules": "qq_sichuan", **changes}
    if isinstance(said["score"], int) and said["score"] < 5:
        said["score"] = [scored] * said["score"]
    with pytest.raises(ev.RoundError):
        ev.payments(winner=winner, **said)


def test_payments_of_other_scores():
    hand = ev.Hand.parse("11122233344455m")
    batch = ev.score(ev.Hands.from_hands([hand]), "qq_sichuan")
    with pytest.raises(ev.RoundError, match="is not a score under qq_sichuan"):
        ev.payments(batch, 0, rules="qq_sichuan")
    assert ev.payments(batch[0], 0, rules="qq_sichuan") == (144, -48, -48, -48)
    with pytest.raises(ev.RoundError, match="was scored under another rule set than sbr_2025"):
        ev.payments(batch[0], 0, rules="sbr_2025")


def test_predicates_of_what_is_none():
    waits = ev.Hand.parse("1112345678999s")
    for hand in (None, "1112345678999s", ev.Hands.from_hands([waits]), waits.concealed):
        with pytest.raises(ev.RoundError, match="hand must be a Hand"):
            ev.may_win(hand, "5s", rules="qq_sichuan")
    for passed in (5, None, "5s", {"5s": 1}):
        with pytest.raises(ev.RoundError, match="passed must be a list"):
            ev.may_win(waits, "5s", passed, "qq_sichuan")
    for wall_left in (-1, "4", True, 137):
        with pytest.raises(ev.RoundError, match="wall_left"):
            ev.may_win(waits, "5s", ["8s"], "yibin", wall_left=wall_left)
    for winners in (5, None, "1", [1, 1], [4]):
        with pytest.raises(ev.RoundError, match="winners"):
            ev.next_dealer(0, winners, 2, "yibin")
    with pytest.raises(ev.RoundError, match="its own discard"):
        ev.next_dealer(0, [1], 1, "yibin")


def test_a_wild_tile_that_is_drawn_may_win():
    hand = ev.Hand.parse("12345678m5559s|EE0000|0|wilds=1,indicator=1s")
    assert ev.may_win(hand.replace(self_drawn=True), "wild", rules="yibin")
    with pytest.raises(ev.RoundError, match="only when it is drawn"):
        ev.may_win(hand, "wild", rules="yibin")
