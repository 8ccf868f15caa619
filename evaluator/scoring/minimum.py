"""Waits that are worth the minimum of a rule set."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import Code, RulesError
from ..hands import Hand, Hands
from ..rulesets import Rules
from ..shape import queries
from ..shape.intake import Batch, check_bool, seen_rows, taken
from ..shape.results import INVALID, Origin, Waits, tiles_of
from .door import wait_scores


def waits(
    hands: Any,
    rules: str | Rules | None = None,
    *,
    seen: Any = None,
    wilds: Any = None,
    void: Any = None,
    minimum: bool = False,
    threads: int | None = None,
    errors: str = "raise",
) -> Waits:
    """The tiles that lower the shanten of a hand of 3k+1 tiles, and the copies left.

    Parameters
    ----------
    hands, rules, wilds, void, threads
        As for :func:`shanten`; ``void="each"`` adds an axis of 3 after the hands' own.
    seen : array_like of int, shape (34,) or (..., 34), optional
        Copies of each tile that are visible elsewhere (discards, melds of others, indicators).
        Do not include the hand's own tiles and melds, nor the wild tiles of a :class:`Hand` or
        :class:`Hands` with an ``indicator``. The turned tile itself is not known and belongs
        here.
    minimum : bool
        Keep only winning tiles that reach the minimum of the rule set. This needs a rule
        set with scores and hands of 13 tiles, melds included; under Guobiao it needs hands
        without wild tiles.
    errors : {"raise", "mark"}
        ``"mark"`` gives shanten −128 and no tiles to invalid hands.

    Returns
    -------
    Waits

    Raises
    ------
    HandError
        Also for a hand of 3k+2 tiles (use :func:`discards`), and if more than four copies of a
        tile are visible.
    RulesError

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.waits(ev.parse("1112345678999m"), "riichi")
    <Waits: shanten 0, 1m 2m 3m 4m 5m 6m 7m 8m 9m, 23 left>
    >>> rules = ev.rules("sbr_2025").replace(minimum=3)
    >>> ev.waits(ev.Hand.parse("[888s,1]1112233456s"), rules, minimum=True)
    <Waits: shanten 0, 1s, 1 left>
    """
    found = queries.waits(
        hands, rules, seen=seen, wilds=wilds, void=void, threads=threads, errors=errors
    )
    if not check_bool(minimum, "minimum"):
        return found
    batch = Batch(hands, rules, wilds=wilds, void=void, seen=seen)
    if not (batch.rules.fan_table or batch.rules.patterns):
        raise RulesError(Code.NEEDS_SCORES, key="minimum", rules=batch.rules.name)
    if wilds is not None:
        hands, seen = _with_wilds(batch, hands, seen)
    shanten, mask = np.array(found.shanten), np.array(found.mask, np.uint64)
    mask, total = _drop_worthless(batch, hands, seen, threads, errors, shanten, mask)
    if shanten.ndim == 0:
        return Waits(int(shanten), int(mask), int(total), Origin.of(batch))
    return Waits(shanten, mask, total, Origin.of(batch))


def _with_wilds(batch: Batch, hands: Any, seen: Any) -> tuple[Hand | Hands, Any]:
    """Hands that hold the wild tiles asked about, and ``seen`` in their shape."""
    hands = taken(hands)
    if isinstance(hands, Hand):
        # a tile to discard becomes one of a waiting hand
        return hands.replace(wilds=int(batch.wilds[0]), win_tile=None), seen
    if not isinstance(hands, Hands):
        hands = Hands(concealed=batch.rows(0, batch.n))
        if seen is not None:
            seen, _ = seen_rows(seen, batch.lead, batch.width)
    wilds = batch.wilds if len(batch.wilds) > 1 else batch.wilds[0]
    return replace(hands, wilds=wilds, win_tile=None), seen


def _drop_worthless(
    batch: Batch,
    hands: Any,
    seen: Any,
    threads: Any,
    errors: str,
    shanten: npt.NDArray[np.int8],
    mask: npt.NDArray[np.uint64],
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint8]]:
    """Mask and copies left without the waits of ready hands that never reach the minimum.

    A hand that cannot be scored (wild tiles, melds that are only implied) is an error here,
    or marked.
    """
    scored = wait_scores(hands, batch.rules, seen=seen, threads=threads, errors=errors)
    reached = scored.minimum_met[..., : batch.width, :].any(axis=-1)
    reached = reached.reshape(*batch.lead, batch.width)
    weights = np.uint64(1) << np.arange(batch.width, dtype=np.uint64)
    kept = np.where(reached, weights, np.uint64(0)).sum(axis=-1, dtype=np.uint64)
    if batch.each:
        kept = np.expand_dims(kept, -1)
    unscored = np.asarray(scored.reason).reshape(batch.lead)
    unscored = np.expand_dims(unscored, -1) if batch.each else unscored
    shanten[np.broadcast_to(unscored != 0, shanten.shape)] = INVALID
    mask = np.where(shanten == 0, mask & kept, np.where(shanten == INVALID, 0, mask))
    left = Origin.of(batch).left(tiles_of(mask, batch.width))
    return mask, left.sum(axis=-1, dtype=np.uint8)
