"""Which tile is wild where another was turned."""

from __future__ import annotations

import numpy as np

from ..errors import Code, HandError
from ..tiles import SUITED


def wild_tile(indicator: int) -> int:
    """The wild tile that a turned tile names: the next rank of its suit, and 1 after 9.

    Parameters
    ----------
    indicator : int
        Tile 0-26.

    Returns
    -------
    int

    Raises
    ------
    HandError
        The tile is an honour or does not exist.

    Notes
    -----
    Source: the rules of Yibin (听用).

    Examples
    --------
    >>> import evaluator as ev
    >>> ev.wild_tile(0), ev.wild_tile(8)
    (1, 0)
    """
    whole = isinstance(indicator, int | np.integer) and not isinstance(indicator, bool)
    if not whole or not 0 <= indicator < SUITED:
        raise HandError(Code.BAD_INDICATOR, high=SUITED - 1, value=indicator)
    return int(indicator) // 9 * 9 + (int(indicator) % 9 + 1) % 9
