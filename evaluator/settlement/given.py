"""Small values as they are given: each is read, or refused with the event it is in."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Mapping, Sequence
from typing import Any

from .. import errors
from ..errors import Code, EvaluatorError, RoundError
from ..hands import Hand
from ..notation import parse
from ..tiles import KINDS
from .moves import SEATS


def shown(value: Any) -> str:
    """A value in a message, short."""
    return errors.shown(value, 60)


def whole(value: Any) -> int | None:
    """A whole number of any type; None of everything else, True and False included."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)
    except TypeError:
        return None


def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """A table of JSON (an ``object_pairs_hook``): each key once, or which one counts?

    Raises
    ------
    ValueError
    """
    table = dict(pairs)
    if len(table) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {shown(max(keys, key=keys.count))} is there twice")
    return table


def keys_known(given: Any, keys: Sequence[str], what: str, event: int | None = None) -> None:
    """Refuse a key that does not exist; name the nearest one."""
    if not isinstance(given, Mapping):
        raise RoundError(Code.NOT_A_TABLE, event, key=what, value=given)
    for key in given:
        if key not in keys:
            named = key if isinstance(key, str) else shown(key)
            raise RoundError(Code.UNKNOWN_KEY, event, key=named, choices=keys)


def number(value: Any, name: str, low: int, high: int, event: int | None = None) -> int:
    """A whole number within bounds."""
    found = whole(value)
    if found is None or not low <= found <= high:
        raise RoundError(Code.OUT_OF_RANGE, event, key=name, low=low, high=high, value=value)
    return found


def seat(value: Any, name: str, event: int | None = None) -> int:
    """A seat 0-3."""
    found = whole(value)
    if found is None or found not in SEATS:
        raise RoundError(Code.NOT_A_SEAT, event, key=name, value=value)
    return found


def many(values: Any, name: str) -> list[Any]:
    """A list, tuple, set or whatever else holds several values; no text."""
    if not isinstance(values, str | bytes | Mapping):
        with contextlib.suppress(TypeError):  # not several, as an array of no dimensions
            return list(values)
    raise RoundError(Code.NOT_A_LIST, key=name, value=values)


def seats(values: Any, name: str) -> list[int]:
    """Seats, each once."""
    found = [seat(value, name) for value in many(values, name)]
    if len(set(found)) < len(found):
        raise RoundError(Code.SEAT_TWICE, key=name, value=found)
    return found


def boolean(value: Any, name: str, event: int | None = None) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise RoundError(Code.NOT_A_BOOL, event, key=name, value=value)
    return value


def four(value: Any, name: str) -> Sequence[Any]:
    """A list of four."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes) or len(value) != 4:
        raise RoundError(Code.NOT_ONE_PER_SEAT, key=name, value=value)
    return value


def tile(value: Any, event: int | None = None) -> int:
    """A tile as its index or its name in any notation."""
    index = whole(value)
    if index is not None and 0 <= index < KINDS:
        return index
    if isinstance(value, str):
        try:
            counts = parse(value)
        except EvaluatorError as error:
            raise RoundError(Code.BAD_VALUE, event, key="tile", error=error) from None
        if counts.sum() == 1:
            return int(counts.argmax())
    raise RoundError(Code.NOT_ONE_TILE, event, key="tile", value=value)


WILD = "wild"
"""The tile of a win by drawing a wild tile."""


def winning_tile(value: Any, event: int | None = None) -> int | None:
    """A tile, None for a wild one."""
    return None if isinstance(value, str) and value == WILD else tile(value, event)


def hand(value: Any, what: str, event: int | None = None) -> Hand:
    """A hand or its text."""
    if isinstance(value, Hand):
        return value
    if not isinstance(value, str):
        raise RoundError(Code.NOT_A_HAND, event, key=what, value=value)
    try:
        return Hand.parse(value)
    except EvaluatorError as error:
        raise RoundError(Code.BAD_VALUE, event, key=what, error=error) from None
