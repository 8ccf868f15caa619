"""Which tile is wild where another was turned."""

from __future__ import annotations

import numpy as np

from ..errors import Code, HandError
from ..tiles import SUITED


def wild_tile(indicator: int) -> int:
    """The wild tile where this one was turned: the next of its suit, after 9 the 1.

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
        An honour, or no tile.

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
