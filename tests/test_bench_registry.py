"""Every comparison of the benchmarks: the answers are equal, the report says what was measured."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench import naive, registry, report, rivals  # noqa: E402
from bench.registry import COMPARISONS, Comparison  # noqa: E402
from bench.rivals import LIBRARIES, NAIVE  # noqa: E402

PAIRS = [(entry, library) for entry in COMPARISONS for library in entry.rivals]


def require(library: str) -> None:
    """A rival that is missing is skipped at home and a failure in CI."""
    install = rivals.missing(library)
    if install is None:
        return
    message = f"{library} is not installed: {install}"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


@pytest.mark.parametrize(
    ("entry", "library"), PAIRS, ids=[f"{entry.name}-{library}" for entry, library in PAIRS]
)
def test_answers_are_equal(entry: Comparison, library: str) -> None:
    require(library)
    hands = entry.hands(entry.checked(library))
    theirs = entry.rival(library).answer(hands)
    for row in registry.differing(entry.answer(hands), theirs):
        hand = hands[row].tolist() if isinstance(hands, np.ndarray) else [str(hands[row])]
        answer = {name: column[row] for name, column in theirs.items()}
        assert registry.explained(entry, library, hand, answer), (
            f"{library} and the package differ on hand {row}: {hand}"
        )


def test_names_are_unique() -> None:
    names = [entry.name for entry in COMPARISONS]
    assert len(names) == len(set(names))


def test_bars_are_on_rivals_of_the_entry() -> None:
    bars = [entry for entry in COMPARISONS if entry.bar]
    assert len(bars) == 9
    for entry in bars:
        assert entry.bar.rival in entry.rivals
        assert entry.reported
        assert entry.bar.aim >= entry.bar.must


def test_every_rival_has_an_adapter() -> None:
    for entry, library in PAIRS:
        assert rivals.answers(library, entry.query, entry.rules), (entry.name, library)


def test_hands_do_not_depend_on_their_number() -> None:
    for entry in (registry.find("shanten", "riichi"), registry.find("is_win_with_wilds", "riichi")):
        np.testing.assert_array_equal(entry.hands(50)[:7], entry.hands(7))


def test_a_wrong_answer_is_seen() -> None:
    ours = {"shanten": np.array([1, 2], np.int8), "mask": np.zeros((2, 3), np.uint64)}
    theirs = {"mask": np.array([[0, 0, 0], [0, 4, 0]], np.uint64)}
    assert registry.differing(ours, theirs).tolist() == [1]
    assert registry.differing(ours, ours).tolist() == []
    with pytest.raises(ValueError, match="nothing to compare"):
        registry.differing(ours, {"win": np.zeros(2, bool)})


def test_the_fifth_copy_is_the_only_excuse() -> None:
    waiting_for_fifth = [0] * 27 + [4] + [0] * 6
    entry = registry.find("shanten", "guobiao", tiles=1)
    assert registry.explained(entry, "PyMahjongGB", waiting_for_fifth, {"shanten": 0})
    assert not registry.explained(entry, "PyMahjongGB", waiting_for_fifth, {"shanten": 2})
    assert not registry.explained(entry, "xiangting", waiting_for_fifth, {"shanten": 0})


def test_naive_fifth_copy() -> None:
    # 123456789m1111z: the fourth east is neither pair nor set
    hand = [1] * 9 + [0] * 18 + [4] + [0] * 6
    assert naive.shanten(hand) == 1
    assert naive.shanten(hand, copies=5) == 0


def test_naive_knitted_forms() -> None:
    knitted = [0] * 34
    for tile in naive.KNITTED[0]:
        knitted[tile] = 1
    with_pair = [*knitted[:31], 2, *knitted[32:]]
    assert naive.is_win(with_pair, "guobiao")
    assert naive.shanten(with_pair, "guobiao") == -1
    assert naive.shanten(with_pair, "riichi") > 0
    with_honours = [*knitted[:27], 1, 1, 1, 1, 1, 0, 0]
    assert naive.is_win(with_honours, "guobiao")


def test_naive_two_suits() -> None:
    hand = [1, 1, 1, 0, 0, 0, 0, 0, 0] * 3
    hand[8] = 2
    assert naive.shanten(hand, "riichi") == -1
    assert naive.shanten(hand, "sbr_2025") == 2
    assert not naive.is_win(hand, "sbr_2025")


def test_missing_rival_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIBRARIES, "xiangting", ("no_such_module", "xiangting>=6"))
    assert rivals.missing("xiangting") == 'pip install "xiangting>=6"'
    assert rivals.missing(NAIVE) is None
    speeds = {"x": report.Speed(registry.find("shanten", "riichi"), 1000, 5.0)}
    (target,) = report.ratios_to_rivals(speeds)
    assert target.verdict == "not measured"
    assert "xiangting: missing" in target.note
    assert "| missing |" in report.speeds_table(speeds)[-1]
    where = {**report.environment("x"), "quick": True}
    assert "missing" in report.markdown([target], speeds, where, quick=True)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="not installed"):
        require("xiangting")
    monkeypatch.setenv("CI", "")
    with pytest.raises(pytest.skip.Exception, match="pip install"):
        require("xiangting")


def test_verdicts() -> None:
    assert report.Target("", 110, 220, "", 230, more_is_better=True).verdict == "aim"
    assert report.Target("", 110, 220, "", 150, more_is_better=True).verdict == "must"
    assert report.Target("", 110, 220, "", 100, more_is_better=True).verdict == "missed"
    assert report.Target("", 0.7, 0.6, "", 0.65).verdict == "must"
    assert report.Target("", 0.7, 0.6, "", None).verdict == "not measured"


README = f"# Title\r\n\r\nbefore\n{report.START}\nold\n{report.END}\nafter, no line end"


def test_only_the_marked_part_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_bytes(README.encode())
    report.write_section(path, "new 万")
    text = path.read_bytes().decode()
    assert text == README.replace("\nold\n", "\nnew 万\n")
    report.write_section(path, "newer")
    assert path.read_bytes().decode() == README.replace("\nold\n", "\nnewer\n")
    assert [p.name for p in tmp_path.iterdir()] == ["README.md"]


@pytest.mark.parametrize(
    "text",
    ["no markers", report.START, f"{report.END} {report.START}", README + report.START],
    ids=["none", "one", "wrong order", "twice"],
)
def test_a_readme_without_the_markers_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "README.md"
    path.write_bytes(text.encode())
    with pytest.raises(ValueError, match="bench:start"):
        report.write_section(path, "new")
    assert path.read_bytes() == text.encode()


def test_quick_report(tmp_path: Path) -> None:
    source = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8")
    assert source.count(report.START) == 1, "docs/speed.md needs a place for the tables"
    page, figures = tmp_path / "speed.md", tmp_path / "figures.json"
    page.write_text(source, encoding="utf-8")
    command = [sys.executable, "bench/report.py", "--quick", "--write"]
    done = subprocess.run(
        [*command, "--page", str(page), "--json", str(figures)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    head, rest = source.split(report.START)
    tail = rest.split(report.END)[1]
    assert text == f"{head}{report.START}\n{done.stdout.rstrip()}\n{report.END}{tail}"

    written = json.loads(figures.read_text(encoding="utf-8"))
    assert {entry["query"] for entry in written["speeds"]} >= {
        "shanten",
        "waits",
        "discards",
        "is_win",
        "score",
        "wait_scores",
    }
    for entry in written["speeds"]:
        assert entry["ns"] > 0
        assert set(entry["rivals_ns"]) == {
            library for library in entry["rivals"] if not rivals.missing(library)
        }
    assert len(written["targets"]) == 26
    assert all(line in done.stdout for line in written["environment"]["missing"].values())


def test_the_report_is_importable_alone() -> None:
    # the modules are collected for doctests: importing one must not measure anything
    for name in ("naive", "rivals", "registry", "report"):
        importlib.import_module(f"bench.{name}")
