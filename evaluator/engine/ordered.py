"""Work for several threads whose results come back in order and never pile up."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Generic, TypeVar

from .parallel import ended_by

Piece = TypeVar("Piece")
Result = TypeVar("Result")


class _Run(Generic[Result]):
    """The results of one run of pieces that were not fetched yet."""

    def __init__(self) -> None:
        self.results: deque[tuple[Result, int]] = deque()
        self.error: BaseException | None = None
        self.ended = False


class _Flow(Generic[Piece, Result]):
    def __init__(
        self,
        work: Callable[[Piece], Result],
        runs: Iterator[Iterable[Piece]],
        size: Callable[[Result], int],
        room: int,
    ) -> None:
        self._work = work
        self._runs = runs
        self._size = size
        self._room = room
        self._taking = threading.Lock()
        self._changed = threading.Condition()
        self._open: deque[_Run[Result]] = deque()
        self._held = 0
        self._exhausted = False
        self._stopped = False
        self.reader: threading.Thread | None = None

    def _take(self) -> tuple[_Run[Result], Iterator[Piece]] | None:
        """The next run, and its place among those whose results are waited for."""
        with self._taking:
            if self._exhausted or self._stopped:
                return None
            run: _Run[Result] = _Run()
            pieces: Iterator[Piece] = iter(())
            try:
                self.reader = threading.current_thread()
                pieces = iter(next(self._runs))
            except StopIteration:
                self._exhausted = run.ended = True
            except BaseException as error:
                self._exhausted = run.ended = True
                run.error = error
            finally:
                self.reader = None
            with self._changed:
                self._open.append(run)
                self._changed.notify_all()
            return None if self._exhausted else (run, pieces)

    def labour(self) -> None:
        """What every thread does."""
        with ended_by(lambda: self._stopped):
            self._labour()

    def _labour(self) -> None:
        while (taken := self._take()) is not None:
            run, pieces = taken
            try:
                for piece in pieces:
                    self._hand_over(run, self._work(piece))
                    if self._stopped:
                        return
            except BaseException as error:
                run.error = error
                # nothing behind an error is begun
                self._exhausted = True
            with self._changed:
                run.ended = True
                self._changed.notify_all()

    def _hand_over(self, run: _Run[Result], result: Result) -> None:
        size = self._size(result)

        def may() -> bool:
            # what is waited for may always come: nobody waits for ever
            return self._stopped or self._open[0] is run or self._held + size <= self._room

        with self._changed:
            self._changed.wait_for(may)
            run.results.append((result, size))
            self._held += size
            self._changed.notify_all()

    def results(self) -> Generator[Result]:
        """All results in the order of their pieces."""
        while True:
            with self._changed:
                self._changed.wait_for(
                    lambda: self._open and (self._open[0].results or self._open[0].ended)
                )
                run = self._open[0]
                if not run.results:
                    if run.error is not None:
                        raise run.error
                    self._open.popleft()
                    self._changed.notify_all()
                    if self._exhausted and not self._open:
                        return
                    continue
                result, size = run.results.popleft()
                self._held -= size
                self._changed.notify_all()
            yield result

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()


def in_order(
    work: Callable[[Piece], Result],
    runs: Iterable[Iterable[Piece]],
    threads: int,
    *,
    size: Callable[[Result], int] = lambda _: 0,
    room: int = 0,
) -> Generator[Result]:
    """Do work in threads and give the results back in order.

    Examples
    --------
    >>> list(in_order(lambda piece: piece * 2, [[1, 2], [3], []], threads=2))
    [2, 4, 6]
    """
    flow = _Flow(work, iter(runs), size, room)
    crew = [
        threading.Thread(target=flow.labour, name=f"batch-{number}", daemon=True)
        for number in range(threads)
    ]
    for thread in crew:
        thread.start()
    try:
        yield from flow.results()
    finally:
        flow.stop()
        pause = 4
        for thread in crew:
            # one that waits for a pipe to say more may wait for ever
            while thread.is_alive() and (thread is not flow.reader or pause):
                pause -= thread is flow.reader
                thread.join(0.05)
