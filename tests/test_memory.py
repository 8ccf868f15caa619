"""Memory stays flat: over many rule sets, and over many calls, errors included.

Here a short sweep; run as a program (``python tests/test_memory.py CALLS RULE_SETS``) it
goes on as long as it is told, and says what it finds.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

SWEEP = '''
import contextlib, gc, itertools, os, random, sys, time
from evaluator.engine import recent
recent.RULE_SETS = min(recent.RULE_SETS, int(sys.argv[3]))  # before anything is kept
import numpy as np, evaluator as ev
from evaluator.compat import mahjonggb

def resident():
    """Kilobytes."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024

hand, waiting = ev.Hand.parse("123456789m11p234p"), ev.Hand.parse("123456789m11p23p")
wild = ev.Hand.parse("123456789m11p2p|EE0000|0|wilds=1,indicator=5s")
won, ready = ev.Hands.from_hands([hand]), ev.Hands.from_hands([waiting])
counts, thirteen = ev.parse("123456789m11p234p"), ev.parse("123456789m11p23p")
five = counts.copy()
five[0] = 5
chengdu, yibin = ev.rules("qq_sichuan"), ev.rules("yibin")
seats = ["123789s123789p3m", "4567m4567p44s66z7z", "147m258p369s1234z", "112233m4455667s"]
round_ = {"rules": "guobiao", "hands": seats,
          "events": [{"type": "win", "seat": 0, "from": 2, "tile": "3m"}]}
pack = (("CHI", "T2", 1),)
tiles = ("W1", "W2", "W3", "B4", "B5", "B6", "F1", "F1", "J1", "J1")

# right questions and wrong ones
CALLS = {
    "shanten": lambda: (ev.shanten(counts), ev.shanten(hand, yibin), ev.shanten(wild, yibin)),
    "shanten, wrong": lambda: ev.shanten(five),
    "is_win": lambda: (ev.is_win(counts, "riichi"), ev.is_win(won)),
    "is_win, wrong": lambda: ev.is_win([1, 2, 3]),
    "waits": lambda: (ev.waits(thirteen).left, ev.waits(wild, yibin).tiles),
    "waits, minimum": lambda: ev.waits(waiting, minimum=True),
    "waits, wrong": lambda: ev.waits(counts),
    "discards": lambda: ev.discards(hand).best(),
    "discards, wrong": lambda: ev.discards(waiting),
    "pattern_shanten": lambda: ev.pattern_shanten(hand, "guobiao"),
    "pattern_shanten, wrong": lambda: ev.pattern_shanten(five, chengdu),
    "score": lambda: (ev.score(hand), ev.score(won, detail=True).parts(0), ev.score(hand).division),
    "score, wrong": lambda: ev.score(waiting),
    "score, patterns": lambda: (ev.score(hand, chengdu).parts, ev.score(won, chengdu)[0]),
    "score, patterns, wrong": lambda: ev.score(waiting, chengdu),
    "wait_scores": lambda: ev.wait_scores(waiting),
    "wait_scores, wild": lambda: ev.wait_scores(wild, yibin),
    "wait_scores, wrong": lambda: ev.wait_scores(hand),
    "ready_max_fan": lambda: chengdu.ready_max_fan(waiting),
    "ready_max_fan, wrong": lambda: chengdu.ready_max_fan(hand),
    "decompose": lambda: ev.decompose(hand, "riichi"),
    "deal": lambda: ev.deal(3, 13, seed=1, family="near_win"),
    "deal, wrong": lambda: ev.deal(3, 12),
    "counts": lambda: ev.counts([[0, 4, 8]], ids="tile"),
    "counts, wrong": lambda: ev.counts([[0, 0]], ids="tile"),
    "parse": lambda: (ev.parse("123m"), ev.Hand.parse("[888s,1]1112233456s"), ev.format(counts)),
    "parse, wrong": lambda: ev.parse("123q"),
    "Hand, wrong": lambda: ev.Hand.parse("11111m|EE0000"),
    "settle": lambda: ev.settle(round_),
    "settle, wrong": lambda: ev.settle({"rules": "guobiao"}),
    "payments": lambda: ev.payments(hand, chengdu),
    "rules, wrong": lambda: ev.rules("no such rules"),
    "mahjonggb": lambda: mahjonggb.MahjongShanten(pack, tiles),
}

def variants():
    """Rule sets without end, no two of them the same."""
    for number in itertools.count():
        yield ev.rules("guobiao").replace(minimum=number % 1000, name=f"guobiao {number}")
        yield ev.rules("riichi").replace(
            name=f"riichi {number}", forms=("standard", "seven_pairs")[: 1 + number % 2])
        yield chengdu.replace(name=f"chengdu {number}", base=1 + number, gen=number % 3)
        yield yibin.replace(name=f"yibin {number}", offset=number % 100)
        yield ev.rules("dandong").replace(name=f"dandong {number}", base=1 + number)

def ask_all(rules):
    for ask in (
        lambda: ev.shanten(counts, rules), lambda: ev.shanten(hand, rules),
        lambda: ev.shanten(np.stack([counts]), rules), lambda: ev.is_win(hand, rules),
        lambda: ev.waits(waiting, rules), lambda: ev.discards(hand, rules),
        lambda: ev.pattern_shanten(hand, rules), lambda: ev.score(hand, rules),
        lambda: ev.score(won, rules), lambda: ev.score(wild.replace(wilds=2), rules),
        lambda: ev.wait_scores(waiting, rules), lambda: ev.decompose(hand, rules),
        lambda: rules.ready_max_fan(waiting), lambda: ev.payments(hand, rules),
    ):
        with contextlib.suppress(ev.EvaluatorError):
            ask()

def repeat(ask, times):
    for _ in range(times):
        try:
            ask()
        except ev.EvaluatorError:
            pass

if __name__ == "__main__":
    calls, rule_sets = int(sys.argv[1]), int(sys.argv[2])
    grown = {}
    for name, ask in CALLS.items():
        repeat(ask, max(50, calls // 10))
        before = resident()
        repeat(ask, calls)
        grown[name] = resident() - before
    more = variants()
    for rules in itertools.islice(more, 7 * recent.RULE_SETS):
        ask_all(rules)
    before = resident()
    for rules in itertools.islice(more, rule_sets):
        ask_all(rules)
    grown["rule sets"] = resident() - before
    print({name: size for name, size in grown.items() if size}, resident())
    print(max(grown.values()))
'''


def sweep(calls: int, rule_sets: int, kept: int) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-c", SWEEP, str(calls), str(rule_sets), str(kept)],
        env={**os.environ, "MALLOC_ARENA_MAX": "1"}, cwd=ROOT,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")
def test_memory_stays_flat():
    """A rule set that is kept for ever takes 160 KB, and a call that keeps its hands 10 KB."""
    run = sweep(100, 100, 8)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout.splitlines()[-1]) < 1536, run.stdout


if __name__ == "__main__":
    done = sweep(int(sys.argv[1]), int(sys.argv[2]), 64)
    print(done.stdout, done.stderr)
