"""The answers about waits, the same for every family: where they lie, and a row of nothing."""

from __future__ import annotations

from ...engine.jit import inline
from ...engine.vector import store_16, store_32, store_64
from ...shape.kernels.suits import ZERO, U

# addresses of the answers
DISCARD, DRAWN, WAIT_MET, LEFT, WAIT_REASON = range(5)


@inline
def clear_waits(answers, i):
    """A row without a wait."""
    for word in range(8):
        store_64(answers[DISCARD] + U(68) * i + U(8 * word), ~ZERO)
        store_64(answers[DRAWN] + U(68) * i + U(8 * word), ~ZERO)
        store_64(answers[WAIT_MET] + U(68) * i + U(8 * word), ZERO)
    store_32(answers[DISCARD] + U(68) * i + U(64), ~ZERO)
    store_32(answers[DRAWN] + U(68) * i + U(64), ~ZERO)
    store_32(answers[WAIT_MET] + U(68) * i + U(64), ZERO)
    for word in range(4):
        store_64(answers[LEFT] + U(34) * i + U(8 * word), ZERO)
    store_16(answers[LEFT] + U(34) * i + U(32), ZERO)
