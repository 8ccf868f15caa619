"""Rows over threads: kernels release the interpreter lock, so plain threads do."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from .errors import Code, EvaluatorError

ALONE = 1 << 15
"""Rows below which a second thread costs more than it saves."""

FEWEST = 1 << 10
"""Rows a thread is started for even if more threads are asked for."""

MOST = 64
"""Threads at most, however many are asked for."""

_pool: ThreadPoolExecutor | None = None


def _forget() -> None:
    # the threads of a pool do not survive a fork, its queue does: start anew
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


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


def spread(work: Callable[[int, int], int], n: int, threads: int, step: int) -> int:
    """Do ``work(start, stop)`` over all rows; returns the first bad row, or -1.

    Parameters
    ----------
    work : callable
        Returns the index of the first bad row within its range, or -1.
    n : int
    threads : int
        Each takes an equal run of rows.
    step : int
        Most rows of one call.
    """

    stopped = False

    def run(start: int, stop: int) -> int:
        bad = -1
        for begin in range(start, stop, step):
            if stopped:
                break
            found = work(begin, min(begin + step, stop))
            if found >= 0 and bad < 0:
                bad = begin + int(found)
        return bad

    if threads == 1:
        return run(0, n)
    global _pool
    pool = _pool
    if pool is None or pool._max_workers < threads:
        pool = _pool = ThreadPoolExecutor(threads, thread_name_prefix="evaluator")
    edges = [n * part // threads for part in range(threads + 1)]
    try:
        found = list(pool.map(run, edges, edges[1:]))
    except BaseException:
        stopped = True  # Ctrl-C: the other threads go no further
        raise
    return next((bad for bad in found if bad >= 0), -1)
