"""Rows over threads: kernels release the interpreter lock, so plain threads do.

Also what keeps them apart: the lock of first uses, and what a fork does with it.
"""

from __future__ import annotations

import contextlib
import operator
import os
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from ..errors import Code, EvaluatorError

ALONE = 1 << 15
"""Rows below which a second thread costs more than it saves."""

FEWEST = 1 << 10
"""Rows a thread is started for even if more threads are asked for."""

MOST = 64
"""Threads at most, however many are asked for."""

LINGER = 0.2
"""Seconds that an interrupted call waits for the kernels of its other threads."""

PATIENCE = 60.0
"""Seconds that a fork waits for what other threads are making or compiling."""

first_use = threading.RLock()
"""Held while something is made once: tables, imports of kernels, a kernel for one hand."""

_own = threading.local()


class Stopped(BaseException):
    """The work of this thread is no longer wanted (:func:`ended_by`)."""


@contextlib.contextmanager
def ended_by(stopped: Callable[[], bool]) -> Iterator[None]:
    """Queries of this thread raise :class:`Stopped` soon after ``stopped()`` is true."""
    before = getattr(_own, "stopped", None)
    _own.stopped = stopped
    try:
        yield
    finally:
        _own.stopped = before


def cores() -> int:
    """Processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count(threads: Any, n: int) -> int:
    """Threads for ``n`` rows: as asked, or the cores when there are rows enough."""
    if threads is None:
        # for few rows the system is not even asked
        return min(cores(), n // ALONE) if n >= 2 * ALONE else 1
    try:
        number = -1 if isinstance(threads, bool) else operator.index(threads)
    except TypeError:
        number = -1
    if number < 1:
        raise EvaluatorError(Code.BAD_THREADS, value=threads)
    return max(1, min(number, n // FEWEST, MOST))


def spread(
    work: Callable[[int, int], int],
    n: int,
    threads: int,
    step: int,
    cost: npt.NDArray[Any] | None = None,
) -> int:
    """Do ``work(start, stop)`` over all rows; returns the first bad row, or -1.

    Parameters
    ----------
    work : callable
        Returns the index of the first bad row within its range, or -1.
    n : int
    threads : int
        Whoever is free takes the next rows. This thread works, too; the others are
        daemons, so that none of them keeps the process from exiting.
    step : int
        Most rows of one call. A call cannot be interrupted, so that it must be short
        whatever the rows are.
    cost : int[n], optional
        What rows cost, in plain rows: those of one call cost ``step`` together, or are one.
    """
    size = max(1, min(step, -(-n // threads)))
    starts: Any = range(0, n, size)
    if cost is not None:
        before = np.cumsum(cost) - cost
        starts = np.flatnonzero(np.diff(before // step, prepend=-1)).tolist()
    parts = iter([*zip(starts, [*starts[1:], n], strict=True)])
    told: Callable[[], bool] | None = getattr(_own, "stopped", None)
    bad: list[int] = []
    failed: list[BaseException] = []

    def labour() -> None:
        try:
            for start, stop in parts:
                if failed:
                    return
                if told is not None and told():
                    raise Stopped
                found = work(start, stop)
                if found >= 0:
                    bad.append(start + int(found))
        except BaseException as error:
            failed.append(error)

    crew: list[threading.Thread] = []
    try:
        with contextlib.suppress(RuntimeError):  # no more threads are to be had
            for _ in range(threads - 1):
                thread = threading.Thread(target=labour, name="evaluator", daemon=True)
                thread.start()
                crew.append(thread)
        labour()
        for thread in crew:
            thread.join()
    except BaseException as error:  # Ctrl-C
        failed.append(error)
    if failed:
        for thread in crew:
            thread.join(LINGER / len(crew))
        raise failed[0]
    return min(bad, default=-1)


# --- forks: a child has one thread, and what others were making would stay half made ---


def _compiler_locks() -> list[Any]:
    """Of numba, and of the library by which it makes machine code, also after it compiled."""
    compiler = sys.modules.get("numba.core.compiler_lock")
    library = sys.modules.get("llvmlite.binding.ffi")
    if compiler is None or library is None:
        return []
    return [compiler.global_compiler_lock._lock, library.lib._lock._lock]


def _before_fork() -> None:
    _own.held = held = []
    _own.torn = True
    for lock in (first_use, *_compiler_locks()):
        if not lock.acquire(timeout=PATIENCE):
            return
        held.append(lock)
    _own.torn = False


def _after_fork() -> None:
    while _own.held:
        _own.held.pop().release()


class _TornLock:
    """The lock of a compiler that stopped half way, in a child of a fork."""

    def acquire(self) -> NoReturn:
        raise EvaluatorError(Code.FORKED_WHILE_COMPILING)

    def release(self) -> None:
        pass


def _after_fork_in_child() -> None:
    _after_fork()
    if _own.torn:
        for lock in (first_use, *_compiler_locks()):
            lock._at_fork_reinit()
        compiler = sys.modules.get("numba.core.compiler_lock")
        if compiler is not None:
            compiler.global_compiler_lock._lock = _TornLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork_in_child
    )
