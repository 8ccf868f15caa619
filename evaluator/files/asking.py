"""Asking a batch: the queries of the package over blocks of hands, each row that fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..distance.query import pattern_shanten
from ..errors import Code, HandError, Reason
from ..hands import NONE, integer_array
from ..hands.arrow.parts import Batch
from ..hands.arrow.wrong import Wrong, joined
from ..rulesets import rules as lookup
from ..shape import queries as ask
from ..shape.results import UNREACHABLE
from ..tiles import KINDS
from .explaining import NO_WINS, explain_rows
from .questions import (
    MISSING,
    Asked,
    Columns,
    columns_of,
    fits,
    has_patterns,
    no_answers,
    unanswered,
    with_wilds,
)

BLOCK = 1 << 16
"""Hands asked at once: the discards of one need 340 bytes on the way."""


def answer(hands: Batch, asked: Asked, known: Wrong | None = None) -> tuple[Columns, Wrong]:
    """The answers as numbers, and what is wrong by row."""
    n = len(hands)
    asked = _checked(asked, n)
    columns = no_answers(asked.names, n, asked.rules)
    columns["reason"] = np.zeros(n, np.uint8)
    known = known or Wrong(n)
    parts = []
    for begin in range(0, n, BLOCK):
        rows = slice(begin, begin + BLOCK)
        part = hands if n <= BLOCK else hands[rows]
        some, bad = _answer_block(part, asked.of(rows))
        wrong = known.take(rows)
        wrong.errors = list(wrong.errors)
        bad &= wrong.number == 0
        if bad.any():
            explain_rows(part, np.flatnonzero(bad), asked.of(rows), wrong)
        for name, values in some.items():
            columns[name][rows] = values
        parts.append((wrong, rows))
    wrong = joined(parts, n)
    if wrong.errors:
        columns["reason"] = wrong.reasons()
        # one rule for all columns: a row with an error has no results
        for name, empty in no_answers(asked.names, 1, asked.rules).items():
            columns[name][wrong.rows] = empty[0]
    return columns, wrong


def own_or_all(own: npt.NDArray[np.uint8] | None, all_rows: Any, otherwise: Any) -> Any:
    """A column's numbers, and where it says nothing (255) the number for all rows."""
    if own is None or (own == NONE).all():
        return all_rows
    return np.where(own == NONE, otherwise if all_rows is None else all_rows, own).astype(np.uint8)


def _checked(asked: Asked, n: int) -> Asked:
    """Per-row arguments as arrays of the right length."""

    def per_row(values: Any, name: str) -> Any:
        if isinstance(values, str):
            raise HandError(Code.NOT_A_WHOLE_NUMBER, key=name, value=values)
        if np.ndim(values) == 0:
            return values
        array = integer_array(values, name)
        if array.shape != (n,):
            raise HandError(Code.ONE_OR_ALL, key=name, count=n, shape=str(array.shape))
        return array

    seen = asked.seen
    if seen is not None:
        seen = integer_array(seen, "seen")
        if seen.ndim == 2 and len(seen) != n:
            raise HandError(Code.SEEN_FOR_EACH, count=n)
    return replace(
        asked,
        # a file of rules is read once
        rules=None if asked.rules is None else lookup(asked.rules),
        seen=seen,
        void=per_row(asked.void, "void"),
        wilds=per_row(asked.wilds, "wilds"),
    )


def _answer_block(hands: Batch, asked: Asked) -> tuple[Columns, npt.NDArray[np.bool_]]:
    """Columns and bad rows of a block."""
    if np.ndim(asked.void) == 1 and (asked.void == NONE).any():
        return _answer_split(hands, asked)
    bad = np.zeros(len(hands), np.bool_)
    columns: Columns = {}
    # the waits of all hands bring their shanten along
    for name in sorted(asked.names, key="shanten".__eq__):
        if name == "shanten":
            found = columns.get("waits_shanten")
            if found is None or (found == MISSING).any():
                found = _shanten(hands, asked)
            some, wrong = {"shanten": found}, found == MISSING
        elif name in _SIZED:
            some, wrong = _sized(name, hands, asked)
        else:
            some, wrong = _WHOLE[name](hands, asked)
        columns |= some
        bad |= wrong
    # a hand that none of the queries takes
    columns["reason"] = np.zeros(len(hands), np.uint8)
    alone = ~bad
    for name in asked.names:
        if not alone.any():
            break
        alone &= unanswered(columns, name, asked.rules)
    del columns["reason"]
    return columns, bad | alone


def _sized(name: str, hands: Batch, asked: Asked) -> tuple[Columns, npt.NDArray[np.bool_]]:
    """Columns and bad rows of a query that takes hands of one size only."""
    query, shanten = _SIZED[name], _SHANTEN_OF[name]
    # most blocks hold hands of one size: sums of them all take as long as the answers
    if len(asked.names) == 1 or fits(name, hands, asked, slice(0, 1)).all():
        columns = query(hands, asked)
        bad = columns[shanten] == MISSING
        if len(asked.names) == 1 or not bad.any():
            # where nothing else has an answer, the query says what is wrong with the others
            return columns, bad
    rows = np.flatnonzero(fits(name, hands, asked))
    columns = no_answers([name], len(hands), asked.rules)
    bad = np.zeros(len(hands), np.bool_)
    for column, values in query(hands[rows], asked.of(rows)).items():
        columns[column][rows] = values
    bad[rows] = columns[shanten][rows] == MISSING
    return columns, bad


def _answer_split(hands: Batch, asked: Asked) -> tuple[Columns, npt.NDArray[np.bool_]]:
    """A block where some hands have a void suit of their own and some do not."""
    columns = no_answers(asked.names, len(hands), asked.rules)
    bad = np.zeros(len(hands), np.bool_)
    free = asked.void == NONE
    for rows, given in ((np.flatnonzero(free), False), (np.flatnonzero(~free), True)):
        if len(rows):
            part = asked.of(rows) if given else replace(asked, void=None).of(rows)
            some, bad[rows] = _answer_block(hands[rows], part)
            for name, values in some.items():
                columns[name][rows] = values
    return columns, bad


def _shanten(hands: Batch, asked: Asked) -> npt.NDArray[np.int8]:
    found: npt.NDArray[np.int8] = ask.shanten(
        hands, asked.rules, errors="mark", **asked.options(seen=False)
    )
    return found


def _win(hands: Batch, asked: Asked) -> tuple[Columns, npt.NDArray[np.bool_]]:
    options = asked.options(seen=False)
    try:
        return {"win": ask.is_win(hands, asked.rules, **options)}, np.zeros(len(hands), np.bool_)
    except HandError:
        # False is no mark: what is wrong shows in the shanten
        wins = ask.is_win(hands, asked.rules, errors="mark", **options)
        return {"win": wins}, _shanten(hands, asked) == MISSING


def _score(hands: Batch, asked: Asked) -> tuple[Columns, npt.NDArray[np.bool_]]:
    from ..scoring import score

    found = score(
        with_wilds(hands, asked),
        asked.rules,
        detail=not has_patterns(asked.rules),
        threads=asked.threads,
        errors="mark",
    )
    if has_patterns(asked.rules):
        columns = {name: getattr(found, name) for name in columns_of("score", asked.rules)}
        columns["pattern"] = _as_items(found.pattern)
    else:
        columns = {"score": found.fan, "minimum_met": found.minimum_met}
        columns["fan_counts"] = _as_items(found.counts)
    return columns, _is_bad(found.reason, asked, (*NO_WINS, Reason.BAD_SIZE))


def _as_items(rows: npt.NDArray[np.uint8]) -> npt.NDArray[np.void]:
    """Each row of bytes as one item."""
    return rows.view(np.dtype((np.void, rows.shape[1]))).reshape(len(rows))


def _is_bad(reason: Any, asked: Asked, others: tuple[Reason, ...]) -> npt.NDArray[np.bool_]:
    """Rows that are wrong; where more is asked, not those that have other answers."""
    bad: npt.NDArray[np.bool_] = reason != Reason.OK
    return bad if len(asked.names) == 1 else bad & ~np.isin(reason, others)


def _wait_scores(hands: Batch, asked: Asked) -> tuple[Columns, npt.NDArray[np.bool_]]:
    from ..scoring import wait_scores

    found = wait_scores(
        with_wilds(hands, asked), asked.rules, seen=asked.seen, threads=asked.threads,
        errors="mark",
    )  # fmt: skip
    none = found.reason != Reason.OK
    worth = (found.discard >= 0) | (found.self_drawn >= 0)
    columns = {
        "wait_scores_mask": worth @ (np.uint64(1) << np.arange(KINDS, dtype=np.uint64)),
        "wait_scores_discard": found.discard,
        "wait_scores_self_drawn": found.self_drawn,
        "wait_scores_left": np.where(none[:, None], NONE, found.left).astype(np.uint8),
    }
    return columns, _is_bad(found.reason, asked, (Reason.BAD_SIZE,))


def _patterns(hands: Batch, asked: Asked) -> tuple[Columns, npt.NDArray[np.bool_]]:
    rules = lookup("guobiao" if asked.rules is None else asked.rules)
    found = pattern_shanten(hands, rules, errors="mark", **asked.options(seen=False))
    names = columns_of("patterns", rules)
    return dict(zip(names, found.T, strict=True)), (found == MISSING).any(axis=1)


def _waits(hands: Batch, asked: Asked) -> Columns:
    waits = ask.waits(hands, asked.rules, errors="mark", **asked.options(seen=True))
    return {
        "waits_shanten": waits.shanten,
        "waits_mask": waits.mask,
        "waits_left": waits.total,
    }


def _discards(hands: Batch, asked: Asked) -> Columns:
    discards = ask.discards(hands, asked.rules, errors="mark", **asked.options(seen=True))
    best = discards.best().astype(np.int64)
    rows = np.arange(len(hands))
    shanten = discards.shanten[rows, best]
    # nothing to choose: only wilds are held, or no discard ever leads to a win
    none = (best < 0) | (shanten == UNREACHABLE)
    return {
        "discard": np.where(none, NONE, best).astype(np.uint8),
        "discard_shanten": shanten,
        "discard_mask": discards.mask[rows, best],
        "discard_left": discards.left[rows, best],
    }


_SHANTEN_OF = {"waits": "waits_shanten", "discards": "discard_shanten"}
_SIZED = {"waits": _waits, "discards": _discards}


_WHOLE: dict[str, Callable[[Batch, Asked], tuple[Columns, npt.NDArray[np.bool_]]]] = {
    "win": _win,
    "score": _score,
    "wait_scores": _wait_scores,
    "patterns": _patterns,
}
