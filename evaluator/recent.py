"""What is kept of the rule sets in use: of the latest only, so that memory stays bounded."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from .parallel import first_use

T = TypeVar("T")

RULE_SETS = 64
"""Rule sets of which something is kept."""


def by_rules(make: Callable[..., T]) -> Callable[..., T]:
    """A function of a rule set whose latest answers are kept."""
    return functools.lru_cache(RULE_SETS)(make)


def keep(store: dict[Any, T], key: Any, value: T) -> None:
    """Put something into a store, and forget what came first where it is full.

    Examples
    --------
    >>> store = {}
    >>> for number in range(100):
    ...     keep(store, number, None)
    >>> list(store) == list(range(100 - RULE_SETS, 100))
    True
    """
    with first_use:
        while len(store) >= RULE_SETS:
            del store[next(iter(store))]
        store[key] = value
