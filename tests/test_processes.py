"""What only fresh processes show: the JIT cache, fork, threads, imports, a read-only disk."""

import os
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import evaluator as ev
from evaluator.engine import parallel

ROOT = Path(__file__).parent.parent

EVERY_QUERY = """
import numpy as np, evaluator as ev
full, waiting = ev.deal(300, 14, seed=1), ev.deal(300, 13, seed=1)
for rules in ("riichi", "guobiao", "sbr_2025"):
    width = ev.rules(rules).kinds
    h14, h13 = ev.deal(300, 14, width, seed=1), ev.deal(300, 13, width, seed=1)
    print(ev.shanten(h14, rules).sum(), ev.is_win(h14, rules).sum(), ev.shanten(h14[0], rules))
    print(ev.waits(h13, rules).mask.sum(), ev.discards(h14, rules).left.sum())
    print(ev.waits(h13, rules, wilds=0, seen=[0] * width).total.sum())
print(len(ev.decompose(ev.parse("111222333m11p"), "riichi")), ev.counts([[0]]).sum())
"""


def fresh(
    code: str, timeout: float = 300, cwd: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning:evaluator", "-c", code],
        env={**os.environ, **environment},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def files_in(folder: Path) -> dict[str, int]:
    return {p.name: p.stat().st_mtime_ns for p in folder.rglob("*.nb?")}


def test_two_processes_share_one_cache(tmp_path):
    first = fresh(EVERY_QUERY, NUMBA_CACHE_DIR=str(tmp_path))
    assert first.returncode == 0, first.stderr
    compiled = files_in(tmp_path)
    assert len(compiled) > 10  # a file each
    for _ in range(2):
        again = fresh(EVERY_QUERY, NUMBA_CACHE_DIR=str(tmp_path))
        assert again.returncode == 0, again.stderr
        assert again.stdout == first.stdout
    # nothing was compiled again
    assert files_in(tmp_path) == compiled


def test_damaged_cache_is_compiled_anew(tmp_path):
    code = "import evaluator as ev; print(ev.shanten(ev.deal(9, 14), 'riichi').tolist())"
    first = fresh(code, NUMBA_CACHE_DIR=str(tmp_path))
    for file in tmp_path.rglob("*.nbc"):
        file.write_bytes(b"no machine code")
    again = fresh(
        code.replace("import", "import warnings; warnings.simplefilter('ignore'); import", 1),
        NUMBA_CACHE_DIR=str(tmp_path),
    )
    assert again.returncode == 0, again.stderr
    assert again.stdout == first.stdout


def test_changed_kernels_never_meet_old_machine_code(tmp_path):
    """numba's cache does not see that a helper in another file changed; the name does."""
    from evaluator.engine import jit
    from evaluator.shape.kernels import shanten

    assert jit.SOURCE_HASH in shanten.shanten.py_func.__qualname__


def test_unwritable_cache_warns_once_and_works(tmp_path):
    """No place to keep machine code: one warning, right answers."""
    package = shutil.copytree(
        ROOT / "evaluator", tmp_path / "evaluator", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copytree(ROOT / "tables", tmp_path / "tables")
    # a file where a folder should be stops even root
    for kernels in package.rglob("kernels"):
        (kernels / "__pycache__").write_text("")
    blocked = tmp_path / "blocked"
    blocked.write_text("")
    code = (
        "import warnings\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n"
        "    import evaluator as ev\n"
        "    print(ev.shanten(ev.parse('123456789m1111z'), 'riichi'), end=' ')\n"
        "    print(ev.is_win(ev.parse('11m'), 'riichi'), end=' ')\n"
        "print(sum('kept on disk' in str(w.message) for w in seen), ev.__file__)"
    )
    run = fresh(
        code,
        cwd=tmp_path,
        PYTHONPATH=str(tmp_path),
        HOME=str(blocked),
        XDG_CACHE_HOME=str(blocked),
        PYTHONDONTWRITEBYTECODE="1",
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["1", "True", "1", str(package / "__init__.py")]


def test_import_is_light():
    run = fresh(
        "import sys, evaluator; print([m for m in ('numba', 'numpy', 'tqdm') if m in sys.modules])"
    )
    assert run.stdout.strip() == "[]"
    run = fresh(
        "import sys, evaluator as ev; ev.parse('1m'); ev.rules(); print('numba' in sys.modules)"
    )
    assert run.stdout.strip() == "False"


def test_every_public_name_exists_and_is_documented():
    assert set(ev.__all__) <= set(dir(ev))
    for name in ev.__all__:
        value = getattr(ev, name)
        if callable(value):
            assert value.__doc__, name
    with pytest.raises(AttributeError, match="no attribute 'shantn'"):
        ev.shantn  # noqa: B018


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_fork_after_threads():
    """A pool made before a fork must not hang the child."""
    code = """
import os, sys
import evaluator as ev
hands = ev.deal(200_000, 14, seed=3)
want = ev.shanten(hands, "riichi", threads=2).sum()
child = os.fork()
if child == 0:
    os._exit(0 if ev.shanten(hands, "riichi", threads=2).sum() == want else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert fresh(code, timeout=120).returncode == 0


def test_many_python_threads_at_once():
    hands = ev.deal(100_000, 14, seed=5)
    want = {rules: ev.shanten(hands, rules, threads=1) for rules in ("riichi", "guobiao")}
    wrong = []

    def work(number: int) -> None:
        rules = ("riichi", "guobiao")[number % 2]
        for threads in (1, 2, 3):
            if not np.array_equal(ev.shanten(hands, rules, threads=threads), want[rules]):
                wrong.append(number)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not wrong


def test_first_call_from_several_threads():
    code = """
import threading, evaluator as ev
hands, answers = ev.deal(1000, 14), []
threads = [threading.Thread(target=lambda: answers.append(ev.shanten(hands, "riichi").sum()))
           for _ in range(6)]
[t.start() for t in threads]; [t.join() for t in threads]
assert len(answers) == 6 and len(set(answers)) == 1
"""
    run = fresh(code)
    assert run.returncode == 0, run.stderr


def test_kernels_release_the_lock():
    """Another thread runs while a kernel does."""
    hands = ev.deal(2_000_000, 14, seed=9)
    ev.shanten(hands[:100], "riichi")
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(lambda: [ev.shanten(hands, "riichi", threads=1) for _ in range(20)])
        ticks = 0
        while not running.done():
            ticks += 1
        assert len(running.result()) == 20
    assert ticks > 1000


@pytest.mark.parametrize(
    ("threads", "n", "used"),
    [(None, 10, 1), (1, 10**6, 1), (7, 3, 1), (7, 10_000, 7), (10**6, 10**9, 64)],
)
def test_thread_count(threads, n, used):
    assert parallel.thread_count(threads, n) == used


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True])
def test_thread_count_refuses(threads):
    with pytest.raises(ev.EvaluatorError, match="threads"):
        ev.shanten(ev.deal(10, 14), "riichi", threads=threads)


def test_errors_name_the_first_bad_hand_whatever_the_threads():
    hands = ev.deal(300_000, 14, seed=2)
    hands[123_456, 5] = 5
    hands[200_000] = 0
    for threads in (1, 2, 5):
        with pytest.raises(ev.HandError, match="hand 123456: 5 copies of 6m") as caught:
            ev.shanten(hands, "riichi", threads=threads)
        assert (caught.value.index, caught.value.tile, caught.value.count) == (123_456, 5, 5)


def test_memory_of_an_array_call_is_small():
    """Beyond input and output no array call takes more than a few blocks."""
    code = """
import numpy as np, evaluator as ev
def most():
    # of this program alone: ru_maxrss begins with that of the process that started it
    with open("/proc/self/status") as file:
        return int(next(line.split()[1] for line in file if line.startswith("VmHWM")))
hands = np.ascontiguousarray(ev.deal(2_000_000, 14, seed=1)).astype(np.int16)
out = np.zeros(len(hands), np.int8)
ev.shanten(hands[:1000], "riichi", out=out[:1000], threads=1)
before = most()
ev.shanten(hands, "riichi", out=out, threads=1)
print(most() - before)
"""
    run = fresh(code)
    assert int(run.stdout) < 16 * 1024, run.stdout + run.stderr
