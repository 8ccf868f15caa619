"""Rows of which the tables of shanten do not know enough, answered one by one.

Under most rule sets a win is what has the shape of one, and no row comes here. A game with
patterns may ask more of a win (``requires``) and have wild tiles of which the shape does not
tell what they may be.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..engine.parallel import spread, thread_count
from ..engine.tables import once
from ..tiles import COPIES, SUITED
from .conditions import win_head
from .intake import Batch
from .results import INVALID, UNREACHABLE

STEP = 1 << 10
"""Rows of one kernel call: each takes some ten microseconds."""


@once
def kernels() -> Any:
    """The compiled side, imported with the first such row."""
    from .kernels import game as winning

    return SimpleNamespace(
        rows=winning.winning_rows,
        shanten=winning.SHANTEN,
        waits=winning.WAITS,
        discards=winning.DISCARDS,
    )


def asked_rows(batch: Batch, waiting: bool) -> npt.NDArray[np.int64] | None:
    """Which rows of a batch come here; None for none.

    Parameters
    ----------
    batch : Batch
    waiting : bool
        Whether the tiles are asked that bring a hand nearer: a turned tile names one of them.
    """
    rules = batch.rules
    # a game that has none says nothing of the wild tiles that it is asked about
    held = (batch.wilds_held > 0) & (rules.wilds.count > 0)
    turned = waiting & (batch.indicators < SUITED)
    if not rules.patterns or not (rules.requires or held.any() or turned.any()):
        return None
    given, wilds = batch.given, rules.wilds
    everywhere = wilds.virtual_fifth_copy or not wilds.wild_ignores_suit
    melded = np.zeros(1, np.bool_) if given is None else given.melds.any(axis=1)
    asked = bool(rules.requires) | turned & melded | (turned | held) & everywhere | held & melded
    rows = np.flatnonzero(np.broadcast_to(asked, (batch.n,)))
    return rows if len(rows) else None


def accept_wild_kind(
    batch: Batch,
    others: npt.NDArray[np.int64] | None,
    shanten: npt.NDArray[np.int8],
    masks: npt.NDArray[np.uint64],
) -> bool:
    """Add the wild kind to the accepted tiles: where melds and knobs say nothing against it, one
    more wild tile always brings a hand nearer.

    Parameters
    ----------
    others : int64[m] or None
        Rows that :func:`answer_rows` answers.
    shanten : int8[n, 1 or width], masks : uint64[n, 1 or width]
        Of waits; of the hand after each discard.

    Returns
    -------
    bool
        Whether a row was changed.
    """
    rows = np.flatnonzero(batch.indicators < SUITED)
    if others is not None:
        rows = np.setdiff1d(rows, others, assume_unique=True)
    if not len(rows):
        return False
    wilds = np.broadcast_to(batch.wilds_held, (batch.n,))[rows]
    turned = batch.indicators[rows]
    drawn = np.uint64(1) << (turned // 9 * 9 + (turned % 9 + 1) % 9).astype(np.uint64)
    # of the turned tile one copy is in nobody's hand
    held = batch.counts.reshape(batch.n, -1)[rows, turned][:, None].astype(np.int64)
    after = held - (np.arange(masks.shape[1]) == turned[:, None]) * (masks.shape[1] > 1)
    none_left = (after >= COPIES - 1).astype(np.uint64) << turned[:, None].astype(np.uint64)
    reached = (shanten[rows] != UNREACHABLE) & (shanten[rows] != INVALID)
    more = reached & (wilds < batch.rules.wilds.count)[:, None]
    kept = masks[rows] & ~drawn[:, None] & ~none_left
    masks[rows] = np.where(more, kept | drawn[:, None], kept)
    return True


def answer_rows(
    batch: Batch,
    rows: npt.NDArray[np.int64],
    voids: npt.NDArray[np.uint8],
    what: int,
    shanten: npt.NDArray[np.int8],
    masks: npt.NDArray[np.uint64],
    threads: Any,
) -> None:
    """Answer some rows anew.

    Parameters
    ----------
    rows : int64[m]
        Which, ascending.
    voids : uint8[n or 1]
        Choices of a void suit.
    what : int
        What is asked, of ``kernels()``.
    shanten : int8[n, 1 or width], masks : uint64[n, 1 or width]
        Answers, in and out; a row marked as INVALID stays so.
    """
    kernel, head, given = kernels().rows, win_head(batch.rules), batch.given
    wilds = np.ascontiguousarray(np.broadcast_to(batch.wilds, (batch.n,)))
    turned = np.ascontiguousarray(np.broadcast_to(batch.indicators, (batch.n,)))
    width, played = np.uint64(batch.width), np.uint64(batch.game)

    def work(start: int, stop: int) -> int:
        first, last = np.searchsorted(rows, (start, stop))
        here = rows[first:last] - start
        if not len(here):
            return -1
        counts = batch.rows(start, stop)
        columns: list[npt.NDArray[np.uint8] | None] = [counts, *[None] * 6, wilds, turned, None]
        if given is not None:
            columns[1], columns[9] = given.melds, given.meld_wilds
        fields = np.array(
            [
                0 if column is None else column[0 if column is counts else start :].ctypes.data
                for column in columns
            ],
            np.uint64,
        )
        of_void = voids if len(voids) == 1 else voids[start:stop]
        part = (shanten[start:stop], masks[start:stop])
        kernel(fields, width, here, of_void, head.ctypes.data, played, what, *part)
        return -1

    spread(work, batch.n, thread_count(threads, batch.n), STEP)
