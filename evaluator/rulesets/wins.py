"""What a rule set with patterns asks of a win beside its shape, as numbers for the kernels.

The one place that says what wild tiles may be and what every win has: the scores
(:mod:`evaluator.rulesets.combination`) and the questions of shape read the same numbers.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from .. import signatures as sg
from . import Rules
from .knobs import CONDITIONS


def win_numbers(rules: Rules) -> dict[str, int]:
    """Of the head of an arena (:data:`evaluator.signatures.HEAD`) what says which hands win."""
    wilds = rules.wilds
    return {
        "max_suits": rules.max_suits,
        "min_suits": 3 if "all_suits" in rules.requires else 0,
        "chow_melds": rules.chow_melds,
        "seven_pairs": rules.seven_pairs,
        "kinds": rules.kinds,
        "requires": sum(1 << list(CONDITIONS).index(name) for name in set(rules.requires)),
        "wild_count": wilds.count,
        "wild_next": wilds.kind == "next",
        "wild_own_suit": not wilds.wild_ignores_suit,
        "fifth_copy": wilds.virtual_fifth_copy,
    }


@functools.lru_cache(maxsize=256)
def win_head(rules: Rules) -> npt.NDArray[np.int64]:
    """The head of an arena that has these numbers alone.

    Examples
    --------
    >>> import evaluator as ev
    >>> win_head(ev.rules("yibin"))[sg.HEAD.index("wild_count")]
    np.int64(4)
    """
    numbers = win_numbers(rules)
    return np.array([numbers.get(name, 0) for name in sg.HEAD], np.int64)
