"""The plain scorer against the golden files, the rule's edge cases and PyMahjongGB."""

from collections import Counter
from functools import cache

import guobiao_golden as golden
import guobiao_reference as ref
import pytest
import strategies_guobiao as hands

score = cache(ref.score)


@cache
def drawn(kind):
    """Some hands of a kind, and their scores."""
    return [(case, ref.score(case)) for case in hands.batch(kind, 500, seed=1)]


@pytest.mark.parametrize("name", [*golden.LISTED, "xinbian_mcr_totals"])
def test_golden_totals(name):
    differing = []
    for line, row in enumerate(golden.rows(name), 1):
        if "error" in row:
            with pytest.raises(ref.Refused):
                ref.score(row["hand"])
            continue
        scored = score(row["hand"])
        if scored.total != golden.total_of(name, line, row):
            differing.append((line, row, scored))
    assert not differing


@pytest.mark.parametrize("name", golden.LISTED)
def test_golden_lists(name):
    """Every golden list is legal here, and the canonical list is a golden one."""
    for line, row in enumerate(golden.rows(name), 1):
        if "error" in row:
            continue
        scored = score(row["hand"])
        assert ref.total_of(scored.fans) == scored.total
        if not (name == "gb_mahjong_unit_tests" and line in golden.OTHER_TOTALS):
            assert Counter(row["fans"]) in scored.lists, (line, row, scored)
        canonical = scored.fans in golden.lists_of(row)
        assert canonical != (name == "helper_definition_examples" and line == golden.OTHER_LIST)


def test_rulebook_1998():
    """The old book's examples are contained, but for its five slips against its own table."""
    slips = {}
    for line, row in enumerate(golden.rows("rulebook1998_examples"), 1):
        fans = ref.score(row["hand"]).fans
        missing = golden.lacking([row["heading"], *row["listed"]], fans)
        if missing:
            (slips[line],) = missing
    assert slips == golden.SELF_CONTRADICTIONS


def test_one_hand_for_each_fan():
    rows = golden.rows("mcr_java_81_gold")
    assert len({row["heading"] for row in rows}) == 81
    for row in rows:
        fans = ref.score(row["hand"]).fans
        assert not golden.lacking([row["heading"], *row["listed"]], fans), row


def test_waits():
    names = {f"TILE_{rank}{suit}" for suit in "mps" for rank in range(1, 10)}
    names |= {f"TILE_{letter}" for letter in "ESWNPFC"}
    for row in golden.rows("gb_mahjong_ting_tests"):
        case = ref.Case.parse(row["input"])
        tiles = {ref._tiles(name.removeprefix("TILE_"))[0] for name in row["expectedNames"]}
        # they look at the concealed tiles alone; a fifth copy beside the melds is none here
        assert set(ref.winning_tiles(case)) == {t for t in tiles if case.owned[t] < 4}
        assert set(row["expectedNames"]) <= names


# --- the rule sets ---


@pytest.mark.parametrize(
    ("hand", "fans"),
    [
        # (a) seven pairs take no fan that speaks of sets
        ("22333344668888s", "七对 清一色 四归一 四归一 断幺"),
        ("EESSWWNNPPFFCC|EE1000", "七对 自摸"),
        ("1199m119999p1991s|EE1000", "七对 四归一 无字 自摸"),
        ("99m11pSWWNNPPFFS|EE1000", "七对 缺一门 自摸"),
        ("7799m7799p7799s88m", "七对 无字"),
        ("6677m6688p7799s88m", "七对 无字"),
        ("1144m1122p4433s33m", "七对 无字"),
        # (b) no 缺一门 with these
        ("[CCC,1][FFF,1][PPP,1]11m99p1m", "大三元 混幺九"),
        ("[PPP,2][FFF,3]345p666sCC|EE1000", "小三元 单钓将 自摸"),
        ("[EEE,2][SSS,1]WWW78m55p9m|NN1000", "三风刻 自摸"),
        ("[234m,1][234m,1]234m23m99s4m", "一色四同顺 平和"),
        ("[123s,1][345s,1][567s,1]78s55p9s|NN0000", "一色四步高 平和"),
        ("[3333m,1][444m,1][555m,1]66m77s6m|NN0000", "一色四节高 明杠 断幺"),
        # (c) no 三同刻 with 清幺九
        ("[111m,2]111999p11991s|EE1000", "清幺九 三暗刻 自摸"),
        # and 明暗杠 is one of each
        ("[1111s][2222m,1]345p678p8s8s|NN0000", "明杠 暗杠 连六 幺九刻 无字 单钓将"),
    ],
)
def test_strict_1998(hand, fans):
    strict = ref.score(hand, "guobiao_1998")
    assert strict.fans == Counter(fans.split())
    assert strict.total < ref.score(hand).total


def test_both_rule_sets_agree_elsewhere():
    """1998 changes only what its three switches and 明暗杠 speak of."""
    touched = {"明暗杠", "缺一门", "三同刻", *ref.NOT_ON_SEVEN_PAIRS_1998}
    for kind in hands.KINDS_OF_HANDS:
        for case, now in drawn(kind)[:60]:
            then = ref.score(case, "guobiao_1998")
            assert then.total <= now.total
            if not touched & set(now.fans):
                assert then.total == now.total
                assert then.fans == now.fans


# --- what cannot be ---

REFUSED = [
    ("[9999p]147m258s369p4m4m|EE1000", "five copies"),
    ("[123m,1]11114m555p99s9s", "five copies"),
    ("234p234s678s567m5p5p|EE1001", "flags"),
    ("[111p,1]234s678s567m5p5p|EE1001", "flags"),
    ("[234m,1][555m,1]567m55566p|EE0001", "flags"),
    ("[123m,1][555m,1]234p555p55m|EE0001", "five copies"),
    ("[234m,1][555p,1]567m67s33p8s|EE0011", "flags"),
    ("[456m,1]67m567s33p888s5m|EE0001", "flags"),
    ("[456m,1]12m567s33p888s3m|EE0100", None),
    ("[456m,1]33m567s33p888s3m|EE0100", "flags"),
    ("[123m,1][345m,1]678p56sWW7s|EE0000|9", "flowers"),
    ("[123m,1][345m,1]678p56sWW7s|EE0000|8", None),
    ("[124m,1][345m,1]678p56sWW7s|EE0000", "meld"),
    ("[123m][123m][123m][123p][123p]44p", "melds"),
    ("[123m,1]678p56sWW7s", "size"),
]


@pytest.mark.parametrize(("hand", "reason"), REFUSED)
def test_refused(hand, reason):
    if reason is None:
        ref.score(hand)
    else:
        with pytest.raises(ref.Refused, match=f"^{reason}$"):
            ref.score(hand)


def test_not_complete():
    with pytest.raises(ref.NoWin):
        ref.score("[123m,1][345m,1]678p56sWW8s")


def test_every_fan_is_drawn():
    """The generators reach every fan that there is."""
    seen = Counter()
    for kind in hands.KINDS_OF_HANDS:
        for _, scored in drawn(kind):
            seen.update(scored.fans)
    assert set(ref.FAN) == set(seen)


# --- PyMahjongGB ---


@pytest.mark.parametrize("kind", hands.KINDS_OF_HANDS, ids=lambda kind: kind.__name__)
def test_mahjonggb(kind):
    """The same totals; its list is one of ours."""
    calculate = pytest.importorskip("MahjongGB").MahjongFanCalculator
    names = {"独听・边张": "边张", "独听・嵌张": "坎张", "独听・单钓": "单钓将"}
    for case, scored in drawn(kind):
        if "heavenly" in case.flags:
            case = hands.undealt(case)
            scored = ref.score(case)
        theirs = calculate(*hands.to_mahjonggb(case), True)
        assert scored.total == sum(value * count for value, count, _, _ in theirs), case
        listed = Counter({names.get(name, name): count for _, count, name, _ in theirs})
        assert listed in scored.lists, case
