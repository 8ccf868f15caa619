"""The one module that imports numba: how kernels are compiled and cached.

``kernel`` is for functions called from Python: compiled on first use, machine
code kept on disk, the interpreter lock released. ``inline`` is for functions
that kernels call; they live inside their callers and are never cached alone.
"""

from __future__ import annotations

import hashlib
import pickle
import warnings
from pathlib import Path

import numba
from numba import carray
from numba.core.caching import FunctionCache

from .errors import EvaluatorError

__all__ = ["SOURCE_HASH", "carray", "helper", "inline", "kernel"]

_HERE = Path(__file__).parent


def _source_hash() -> str:
    """Changes with any kernel: numba itself only notices the file of the kernel called."""
    digest = hashlib.sha256(numba.__version__.encode())
    # beside the kernels, what their constants are made of
    names = ("fantables", "plantables", "reasons", "signatures", "tables", "tiles")
    constants = [_HERE / f"{name}.py" for name in names]
    for path in (Path(__file__), *constants, *sorted((_HERE / "kernels").glob("*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


if numba.config.DISABLE_JIT:
    raise EvaluatorError("kernels must be compiled: unset NUMBA_DISABLE_JIT")

SOURCE_HASH = _source_hash()
_warned = False


def _warn_once(reason: object) -> None:
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            f"compiled kernels cannot be kept on disk, every process compiles anew ({reason}); "
            "set NUMBA_CACHE_DIR to a writable folder",
            RuntimeWarning,
            stacklevel=4,
        )


class _SafeCache(FunctionCache):
    """A cache that a full or broken disk makes useless, not fatal."""

    def load_overload(self, sig, target_context):
        try:
            return super().load_overload(sig, target_context)
        except (OSError, EOFError, pickle.UnpicklingError, AttributeError, ValueError) as error:
            warnings.warn(
                f"a kernel kept on disk cannot be read and is compiled anew ({error})",
                RuntimeWarning,
                stacklevel=4,
            )
            return None

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except (OSError, EOFError, pickle.PickleError, AttributeError, ValueError) as error:
            _warn_once(error)


def kernel(function):
    """Compile on first call, without the interpreter lock, cached on disk where it can be."""
    function.__qualname__ = f"{function.__name__}_{SOURCE_HASH}"
    dispatcher = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)
    try:
        dispatcher._cache = _SafeCache(function)
    except (RuntimeError, OSError) as error:
        _warn_once(error)
    return dispatcher


# no way in from Python: to compile one takes as long as a small function itself
_INNER = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def inline(function):
    """A function that is part of every kernel that calls it; not callable from Python."""
    return numba.njit(forceinline=True, **_INNER)(function)


def helper(function):
    """The same, but the compiler decides whether to inline it."""
    return numba.njit(**_INNER)(function)
