"""Saying what is wrong with bad rows, at the speed of good ones: rows that are alike share it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..distance.query import pattern_shanten
from ..errors import Code, HandError, NotationError, NotAWin, Reason
from ..hands import NONE, Hands, check_counts
from ..hands.arrow.parts import Batch
from ..hands.arrow.wrong import RowError, Wrong
from ..rulesets import rules as lookup
from ..shape import queries as ask
from ..tiles import COPIES, KINDS, SUITED
from .questions import SIZED, Asked, counts_of, fits, wilds_of, with_wilds

NO_WINS = {
    Reason.NOT_A_WIN: Code.NOT_A_COMPLETE_HAND,
    Reason.TOO_MANY_SUITS: Code.THREE_SUITS,
}


def explain_rows(hands: Batch, rows: npt.NDArray[np.int64], asked: Asked, wrong: Wrong) -> None:
    """Say what is wrong with bad rows; one of those that are alike is asked."""
    if asked.names == ("score",):
        from ..scoring import score

        part = with_wilds(hands[rows], asked.of(rows))
        reason = score(part, asked.rules, threads=asked.threads, errors="mark").reason
        for known, code in NO_WINS.items():
            wrong.mark(rows[reason == known], NotAWin(code))
        rows = rows[~np.isin(reason, list(NO_WINS))]
    if len(rows):
        alike = _alike(hands[rows], asked.of(rows))
        wrong.mark_alike(rows, alike, lambda row: _explain(hands, row, asked))


def _alike(hands: Batch, asked: Asked) -> npt.NDArray[np.uint64]:
    """A number for each row: rows of one number are wrong in the same way.

    It is made of all that a message can depend on.
    """
    counts = counts_of(hands)
    n = len(counts)
    key = np.zeros(n, np.uint64)

    def add(values: Any) -> None:
        key[:] = (key ^ np.asarray(values).astype(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        key[:] ^= key >> np.uint64(29)

    def add_first(which: npt.NDArray[np.bool_], values: npt.NDArray[Any]) -> None:
        place = which.argmax(axis=1)
        found = which[np.arange(n), place]
        add(np.where(found, place + 1, 0))
        add(np.where(found, values[np.arange(n), place], 0))

    add_first((counts < 0) | (counts > COPIES), counts)
    add(counts.sum(axis=1, dtype=np.int64))
    add(wilds_of(hands) if asked.wilds is None else asked.wilds)
    if asked.void is not None:
        add(asked.void)
    if lookup("guobiao" if asked.rules is None else asked.rules).kinds == SUITED:
        add_first(counts[:, SUITED:] != 0, counts[:, SUITED:]) if counts.shape[1] > SUITED else None
    visible = np.zeros((1, counts.shape[1]), np.int64)
    if asked.seen is not None:
        given = np.atleast_2d(np.asarray(asked.seen, np.int64))
        visible = np.zeros((len(given), counts.shape[1]), np.int64)
        width = min(given.shape[1], counts.shape[1])
        visible[:, :width] = given[:, :width]
        add_first(np.broadcast_to((visible < 0) | (visible > COPIES), counts.shape),
                  np.broadcast_to(visible, counts.shape))  # fmt: skip
        add_first(counts + visible > COPIES, counts + visible)
    if isinstance(hands, Hands):
        for name in ("flags", "prevalent_wind", "seat_wind", "flowers", "indicator", "win_tile"):
            add(getattr(hands, name))
        win = np.minimum(hands.win_tile, KINDS - 1)
        add(np.minimum(counts[np.arange(n), win], 2))
        melded = np.flatnonzero(hands.melds.any(axis=1) | hands.meld_wilds.any(axis=1))
        if len(melded):
            # what is said of melds and tiles together depends on all of them
            fine = np.concatenate([hands.melds, hands.meld_wilds, counts], axis=1)[melded]
            odd = np.random.default_rng(1).integers(
                1, 1 << 62, fine.shape[1], np.uint64
            ) | np.uint64(1)
            key[melded] ^= fine.astype(np.uint64) @ odd
    return key


def _explain(hands: Batch, row: int, asked: Asked) -> RowError:
    """Ask one bad row again, so that it says what is wrong."""
    one = hands[row : row + 1]
    some = asked.of(slice(row, row + 1))
    if np.ndim(some.void) == 1 and some.void[0] == NONE:
        some = replace(some, void=None)
    others: list[RowError] = []
    for name in asked.names:
        several = len(asked.names) > 1
        if name in SIZED and several and not fits(name, one, some).any():
            continue
        try:
            _ask_one(name, one, some)
        except (NotationError, HandError) as error:
            if error.__class__ is NotationError or name not in ("score", "wait_scores"):
                return error
            if isinstance(error, HandError) and error.reason in NO_WINS:
                error = NotAWin(NO_WINS[error.reason])
            elif not several or error.reason != Reason.BAD_SIZE:
                return error
            # it may still be what another query says of it
            others.append(error)
    if not others:
        for name in asked.names:
            try:
                _ask_one(name, one, some)
            except (NotationError, HandError) as error:
                return error
        raise AssertionError(f"row {row} was marked bad, and nothing is wrong with it")
    return others[0]


def _ask_one(name: str, one: Batch, asked: Asked) -> None:
    """Raises what is wrong with the one hand for a query."""
    if name == "score":
        _score_one(one, asked)
    elif name == "wait_scores":
        from ..scoring import wait_scores

        check_counts(counts_of(one)[0].tolist())
        wait_scores(with_wilds(one, asked), asked.rules, seen=asked.seen)
    elif name == "patterns":
        rules = lookup("guobiao" if asked.rules is None else asked.rules)
        pattern_shanten(one, rules, **asked.options(seen=False))
    else:
        query = ask.is_win if name == "win" else getattr(ask, name)
        query(one, asked.rules, **asked.options(seen=name in SIZED))


def _score_one(one: Batch, asked: Asked) -> None:
    """Raises what is wrong with the one hand, also that it is no win."""
    from ..scoring import score

    check_counts(counts_of(one)[0].tolist())
    score(with_wilds(one, asked)[0], asked.rules)
