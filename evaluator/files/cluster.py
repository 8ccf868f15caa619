"""A job on a Dask cluster: one task per piece, each writes its part of the folder.

A task carries all it needs and leaves nothing but its part, so that a worker that dies
costs the time of its task, which another does again.
"""

from __future__ import annotations

import functools
import logging
import multiprocessing
import os
import pickle
import sys
import threading
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

from ..engine.optional import need
from ..errors import Code, EvaluatorError, FileError
from .jobs import Done, Job
from .parquetoutput import Folder
from .pieces import Piece
from .textinput import can_be_read_again

ADDRESS = "DASK_SCHEDULER_ADDRESS"
PATIENCE = 10.0
"""Seconds until a scheduler answers."""
AHEAD = 4
"""Tasks per thread of the cluster that are handed out ahead of their turn."""
QUIET = {
    # looking at processes and their memory many times a second takes them time
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.worker.profile.enabled": False,
    # pieces are alike: what one gives back to the allocator the next one takes again
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
}
"""Settings of a cluster of this machine."""
METHOD = "distributed.worker.multiprocessing-method"
FORK = {METHOD: "forkserver"}
"""Where the system can: all workers come from one process that has imported LOADED."""
LOADED = ("distributed", "pyarrow.dataset", "evaluator.shape.kernels.waits", __name__)
_starting = threading.Lock()


def _restart_in_child() -> None:
    """A child may be forked while another thread starts a cluster: nobody there lets go."""
    global _starting
    _starting = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_restart_in_child)
SHOWN = 20
"""Bad rows of a piece that are sent back; the rest are counted."""


class ClusterError(EvaluatorError):
    """A cluster that cannot be reached or used."""


@contextmanager
def connect(address: str = "", workers: int | None = None) -> Iterator[Any]:
    """A client of a cluster."""
    distributed = need("distributed", "dask")
    address = address or os.environ.get(ADDRESS, "")
    with ExitStack() as stack:
        try:
            cluster = address or stack.enter_context(_start(distributed, workers))
            client = distributed.Client(cluster, timeout=PATIENCE, set_as_default=False)
            stack.enter_context(client)
        except (OSError, ValueError, RuntimeError) as error:
            if isinstance(error, EvaluatorError):
                raise
            code = Code.SCHEDULER_UNUSABLE if address else Code.CLUSTER_UNUSABLE
            raise ClusterError(code, address=address, detail=str(error)) from None
        yield client


def _start(distributed: Any, workers: int | None) -> Any:
    """A cluster of this machine."""
    from ..engine.parallel import cores

    config = need("dask", "dask").config
    # neither the settings nor the start of two clusters at once are for several threads
    with _starting, config.set(QUIET | (FORK if _can_fork(distributed, config) else {})):
        try:
            return distributed.LocalCluster(
                n_workers=workers or cores(),
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                # what goes wrong is told by the one who asked
                silence_logs=logging.CRITICAL,
            )
        except RuntimeError as error:
            raise ClusterError(Code.CLUSTER_NOT_STARTED, detail=str(error)) from None


def _can_fork(distributed: Any, config: Any) -> bool:
    """Start the process that workers come from, if that can be and nobody wants otherwise."""
    known = "forkserver" in multiprocessing.get_all_start_methods()
    if not known or config.get(METHOD) != "spawn":
        return False
    # not of every system
    from multiprocessing import forkserver

    with config.set(FORK):
        # distributed has a list of its own, which it sets once
        context = distributed.utils.get_mp_context()
    context.set_forkserver_preload(list(LOADED))
    with config.set(QUIET):
        beside = config.get("distributed.nanny.pre-spawn-environ")
        told = {name: os.environ.get(name, str(value)) for name, value in beside.items() if value}
    # it imports what this process would, whatever lies in the current folder
    path = os.pathsep.join(os.path.abspath(folder) for folder in sys.path)
    try:
        with _environment(told | {"PYTHONPATH": path, "PYTHONSAFEPATH": "1"}):
            forkserver.ensure_running()
    except OSError:
        # the name of its socket may be too long for the system
        return False
    return True


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Environment variables for processes that are started meanwhile."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def parts(
    client: Any, job: Job, folder: Folder, resume: bool, strict: bool = False
) -> Generator[Done]:
    """Write the parts of all pieces on a cluster; what came of them, in order."""
    distributed = need("distributed", "dask")
    for path in job.input.paths:
        if job.input.unit == "line" and not can_be_read_again(path):
            raise FileError(path, Code.READ_FORWARDS_ONLY)
    asked = pickle.dumps((_everywhere(job), folder.at(folder.path.absolute()), resume, strict))
    waiting: deque[Any] = deque()
    room = AHEAD * max(1, sum(client.nthreads().values()))
    try:
        for run in job.runs():
            for piece in run:
                light = replace(piece, path=os.path.abspath(piece.path), data=None)
                waiting.append(client.submit(_do, asked, light, pure=False))
                while len(waiting) > room:
                    yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except distributed.KilledWorker as error:
        raise ClusterError(f"workers died again and again: {error}".splitlines()[0]) from None
    except (distributed.CancelledError, OSError) as error:
        raise ClusterError(f"the scheduler is gone: {error}".splitlines()[0]) from None
    finally:
        for future in waiting:
            future.cancel()


def _everywhere(job: Job) -> Job:
    """A job without what only the one who hands it out needs."""
    paths = tuple(os.path.abspath(path) for path in job.input.paths[:2])
    data: Any = job.input
    return replace(job, input=replace(data, paths=paths))


@functools.lru_cache(maxsize=4)
def _asked(data: bytes) -> tuple[Job, Folder, bool, bool]:
    asked: tuple[Job, Folder, bool, bool] = pickle.loads(data)
    return asked


def _do(data: bytes, piece: Piece) -> Done:
    """What a worker does."""
    job, folder, resume, strict = _asked(data)
    done = job.do_part(folder, piece, resume, strict)
    return done._replace(first=done.first[:SHOWN])
