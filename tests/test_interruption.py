"""Ctrl-C: every question is given up within half a second, whatever it was asked about."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from unmeasured import ENVIRONMENT

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

ASKED = """
import os, signal, sys, threading, time
import numpy as np, evaluator as ev
from evaluator import files

# a shell's background jobs ignore SIGINT, and what they start inherits that
signal.signal(signal.SIGINT, signal.default_int_handler)
folder, threads = sys.argv[1], int(sys.argv[2])
def questions(n, wild):
    full, ready = ev.deal(n, 14, 27, 1, "near_win"), ev.deal(n, 13, 27, 1)
    of_wilds = ev.Hand.parse("112233445m|EE0000|0|wilds=4,indicator=1p")
    won_wilds = of_wilds.replace(concealed=ev.parse("1122334455m"))
    def many(hand, n):
        return ev.Hands.from_hands([hand])[np.zeros(n, np.int64)]
    waiting, won = many(of_wilds, wild), many(won_wilds, wild)
    plain = many(ev.Hand.parse("112233445566m1m"), n)
    # plain rows first: what they cost says nothing about those that follow
    mixed = ev.Hands.concat([plain, waiting])
    deep = many(ev.Hand.parse("[111z,1]123m456p78s99s"), n)
    yibin = ev.rules("yibin")
    fifth = yibin.replace(wilds={"count": 4, "virtual_fifth_copy": True})
    text = f"{folder}/hands.txt"
    with open(text, "w") as out:
        out.write(f"{of_wilds}\\n" * wild)
    out = f"{folder}/out.csv"
    round_ = {"rules": "guobiao", "events": [{"type": "win", "seat": 0, "from": 2, "tile": "3m"}],
              "hands": ["123789s123789p3m", "4567m4567p44s66z7z", "147m258p369s1234z",
                        "112233m4455667s"]}
    options = {"threads": threads}
    return {
        "is_win": lambda: ev.is_win(full, "guobiao", **options),
        "shanten": lambda: ev.shanten(ready, wilds=1, **options),
        "waits": lambda: ev.waits(ready, **options),
        "waits, minimum": lambda: ev.waits(waiting, yibin, minimum=True, **options),
        "discards": lambda: ev.discards(full, void="each", **options),
        "pattern_shanten": lambda: ev.pattern_shanten(ready, "guobiao", wilds=1, **options),
        "score": lambda: ev.score(won, yibin, errors="mark", **options),
        "wait_scores": lambda: ev.wait_scores(mixed, yibin, **options),
        "wait_scores, divisions": lambda: ev.wait_scores(deep, "dandong", errors="mark", **options),
        "score, divisions and wild tiles": lambda: ev.score(won, fifth, errors="mark", **options),
        "ready_max_fan": lambda: yibin.ready_max_fan(waiting, threads=threads),
        "decompose": lambda: ev.decompose(ev.parse("111222333m11p"), "riichi"),
        "deal": lambda: ev.deal(n, 13, family="near_win", **options),
        "counts": lambda: ev.counts(np.zeros((n, 4), np.uint8)),
        "evaluate": lambda: files.evaluate(won, ["shanten", "score"], yibin, **options),
        "files": lambda: files.run(text, out, ["waits"], yibin, force=True, **options),
        "settle": lambda: ev.settle(round_),
    }
"""

EACH = (
    ASKED
    + """
for ask in questions(3000, 3).values():
    ask()  # what compiles is another matter
late = {}
for name, ask in questions(300_000, 40_000).items():
    sent = []
    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)
    timer = threading.Timer(0.15, send)
    try:
        timer.start()
        while True:
            ask()
    except KeyboardInterrupt:
        late[name] = time.perf_counter() - sent[0]
print({name: round(seconds, 2) for name, seconds in late.items()})
assert max(late.values()) < 0.5, late
"""
)

ENDS = (
    ASKED
    + """
questions(3000, 3)[sys.argv[3]]()
ask = questions(300_000, 40_000)[sys.argv[3]]
print("asked", flush=True)
while True:
    ask()
"""
)


def ask(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-W", "error::RuntimeWarning:evaluator", "-c", code, *arguments]


@pytest.mark.parametrize("threads", ["1", "2"])
def test_every_query_is_given_up_at_once(tmp_path, threads):
    run = subprocess.run(
        ask(EACH, str(tmp_path), threads),
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    print(run.stdout)


@pytest.mark.parametrize("query", ["wait_scores", "ready_max_fan"])
def test_the_process_ends(tmp_path, query):
    """No thread that still computes keeps it."""
    with subprocess.Popen(
        ask(ENDS, str(tmp_path), "2", query),
        cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "asked\n", process.stderr.read()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.3)
        process.send_signal(signal.SIGINT)
        process.wait(2)
        assert process.returncode == -signal.SIGINT
        assert "KeyboardInterrupt" in process.stderr.read()
