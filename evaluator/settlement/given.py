"""Small values as they are given: each is read, or refused with the event it is in."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .. import errors
from ..errors import EvaluatorError, RoundError
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
        raise RoundError(f"{what} must be a table of keys, got {shown(given)}", event)
    for key in given:
        if key not in keys:
            near = difflib.get_close_matches(str(key), keys, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"its keys are {', '.join(keys)}"
            raise RoundError(f"{what} has no key {shown(key)}; {hint}", event)


def number(value: Any, name: str, low: int, high: int, event: int | None = None) -> int:
    """A whole number within bounds."""
    found = whole(value)
    if found is None or not low <= found <= high:
        raise RoundError(
            f"{name} must be a whole number {low} to {high}, got {shown(value)}", event
        )
    return found


def seat(value: Any, name: str, event: int | None = None) -> int:
    """A seat 0-3."""
    found = whole(value)
    if found is None or found not in SEATS:
        raise RoundError(f"{name} must be a seat 0-3, got {shown(value)}", event)
    return found


def many(values: Any, name: str) -> list[Any]:
    """A list, tuple, set or whatever else holds several values; no text."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise RoundError(f"{name} must be several, as a list is, got {shown(values)}")
    return list(values)


def seats(values: Any, name: str) -> list[int]:
    """Seats, each once."""
    found = [seat(value, name) for value in many(values, name)]
    if len(set(found)) < len(found):
        raise RoundError(f"{name} names a seat twice: {shown(found)}")
    return found


def boolean(value: Any, name: str, event: int | None = None) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise RoundError(f"{name} must be true or false, got {shown(value)}", event)
    return value


def four(value: Any, name: str) -> Sequence[Any]:
    """A list of four."""
    if not isinstance(value, Sequence) or isinstance(value, str | bytes) or len(value) != 4:
        raise RoundError(f"{name} must be a list of four, one a seat, got {shown(value)}")
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
            raise RoundError(f"tile: {error}", event) from None
        if counts.sum() == 1:
            return int(counts.argmax())
    raise RoundError(f"tile must be one tile, by its name or index, got {shown(value)}", event)


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
        raise RoundError(f"{what} must be a Hand or its text, got {shown(value)}", event)
    try:
        return Hand.parse(value)
    except EvaluatorError as error:
        raise RoundError(f"{what}: {error}", event) from None
