"""Machine code kept on disk: damaged, read-only, nowhere; and forks while it is made.

All with a kernel of its own, which takes no time to compile, in a folder of its own.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import unmeasured

ROOT = Path(__file__).parent.parent

TINY = """
from evaluator.engine.jit import kernel

@kernel
def twice(number):
    return number + number
"""

ASK = """
import os, sys
import numba.core.compiler as compiler
from evaluator.engine import jit
import tiny

compiled = []
whole = compiler.compile_extra
def compile_extra(*arguments, **more):
    compiled.append(arguments)
    return whole(*arguments, **more)
compiler.compile_extra = compile_extra

def ask():
    # as a new process would
    compiled.clear()
    jit._places.cache_clear()
    function = tiny.twice.py_func
    function.__qualname__ = function.__name__
    assert jit.kernel(function)(21) == 42
    return len(compiled)
"""


@pytest.fixture
def folder():
    """A folder that every user may read; those of pytest are for one."""
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)
    (place / "tiny.py").write_text(TINY)
    yield place
    place.chmod(0o755)
    for path in place.rglob("__pycache__"):
        path.chmod(0o755)
    shutil.rmtree(place)


def run(folder: Path, code: str, *options: str, **environment: str) -> str:
    """What a fresh process says, in which no warning is allowed."""
    alone = {"PYTHONPATH": f"{ROOT}{os.pathsep}{folder}", "XDG_CACHE_HOME": str(folder / "tiny.py"),
             "NUMBA_CACHE_DIR": ""}  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-W", "error", *options, "-c", ASK + code],
        env={**unmeasured.ENVIRONMENT, **alone, **environment}, cwd=ROOT,
        capture_output=True, text=True, timeout=40, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def kept(folder: Path) -> list[Path]:
    return list(folder.rglob("*.nbc"))


def test_damaged_code_is_made_anew(folder):
    """Silently, and for good: the next process finds it whole."""
    code = """
from pathlib import Path
assert ask() == 1 and ask() == 0
file, = Path(tiny.__file__).parent.rglob("*.nbc")
good = file.read_bytes()
for damaged in (
    b"", good[:7], good[:16], good[: len(good) // 2], good[:-1], good + b"0",
    os.urandom(len(good)), os.urandom(99), b"\\x80\\x04N.", good[16:],
    *(good[:at] + bytes([good[at] ^ 4]) + good[at + 1:] for at in range(0, len(good), 999)),
):
    file.write_bytes(damaged)
    assert ask() == 1 and ask() == 0
    assert file.read_bytes()[:16] != damaged[:16] or len(damaged) > 16
assert list(Path(tiny.__file__).parent.rglob("*.nbc")) == [file]
file.unlink()
file.mkdir()  # it cannot be read nor be replaced
assert ask() == 1
"""
    assert run(folder, code) == ""


@pytest.mark.skipif(os.name == "nt", reason="rights of POSIX")
@pytest.mark.parametrize("given", [False, True])
def test_code_that_cannot_be_written_is_used(folder, given):
    """As in an image that root made and another user runs."""
    cache = {"NUMBA_CACHE_DIR": str(folder / "cache")} if given else {}
    assert run(folder, "print(ask())", **cache) == "1\n"
    (file,) = kept(folder)
    before = file.read_bytes()
    file.parent.chmod(0o555)
    folder.chmod(0o555)
    # what a compiler imports late may lie where that user cannot read
    warm = "import numba; numba.njit(lambda number: number)(1)\n"
    leave_root = f"{warm}if os.geteuid() == 0: os.setgid(65534), os.setuid(65534)\n"
    cannot = "assert not os.access(jit._places(jit.Path(tiny.__file__).parent)[0][0], os.W_OK)\n"
    assert run(folder, f"{leave_root}{cannot}print(ask())", **cache) == "0\n"
    assert file.read_bytes() == before


def test_the_code_can_be_read_by_every_user(folder):
    run(folder, "os.umask(0o022); ask()")
    assert kept(folder)[0].stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("place", ["tiny.py", "tiny.py/below", "new/below"])
def test_odd_places_for_code(folder, place):
    """A place that can be no folder is passed over."""
    assert run(folder, "print(ask())", NUMBA_CACHE_DIR=str(folder / place)) == "1\n"
    (file,) = kept(folder)
    assert (file.parent == folder / "__pycache__") == (place != "new/below")


def test_no_place_is_said_once_and_never_in_the_way(folder):
    (folder / "__pycache__").write_text("")
    assert run(folder, "print(ask(), ask())") == "1 1\n"  # where a warning would be an error
    said = run(folder, "import warnings; warnings.simplefilter('always'); print(ask(), ask())")
    assert said.startswith("1 1\n")
    assert said.count("cannot be kept on disk") == 1


def test_code_with_checks_is_code_of_its_own(folder):
    assert run(folder, "print(ask())") == "1\n"
    assert run(folder, "print(ask())", NUMBA_BOUNDSCHECK="1") == "1\n"
    assert run(folder, "print(ask())", NUMBA_CPU_NAME="generic") == "1\n"
    assert run(folder, "print(ask())") == "0\n"
    assert len(kept(folder)) == 3


FORK = """
import threading, time
from evaluator.engine import parallel
from numba.core.compiler_lock import global_compiler_lock as lock

begun, ended = threading.Event(), threading.Event()
def compile_extra(*arguments, **more):
    begun.set()
    ended.wait(WAIT)
    return whole(*arguments, **more)
compiler.compile_extra = compile_extra
parallel.PATIENCE = PATIENCE_
thread = threading.Thread(target=ask)
thread.start()
begun.wait()
child = os.fork()
if child == 0:
    compiler.compile_extra = whole
    try:
        print(ask(), flush=True)
    except jit.EvaluatorError as error:
        print(error, flush=True)
    os._exit(0)
ended.set()
os.waitpid(child, 0)
thread.join()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_fork_while_another_thread_compiles(folder):
    """The fork waits for the compiler; where it cannot, the child says so and does not hang."""
    waits = "WAIT, PATIENCE_ = 0.5, 60.0\nimport warnings; warnings.simplefilter('ignore')\n"
    gives_up = waits.replace("0.5, 60.0", "60.0, 0.1")
    assert run(folder, waits + FORK) == "0\n"
    kept(folder)[0].unlink()
    said = run(folder, gives_up + FORK)
    assert "call evaluator.warmup() before the fork" in said


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_fork_while_another_thread_makes_a_table(folder):
    code = """
import threading, warnings
from evaluator.engine import tables
warnings.simplefilter("ignore")
begun = threading.Event()
@tables.once
def table():
    begun.set()
    import time
    time.sleep(0.3)
    return "table"
thread = threading.Thread(target=table)
thread.start()
begun.wait()
child = os.fork()
if child == 0:
    print(table(), flush=True)
    os._exit(0)
os.waitpid(child, 0)
thread.join()
"""
    assert run(folder, code) == "table\n"
