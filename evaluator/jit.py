"""The one module that imports numba: how kernels are compiled and cached.

``kernel`` is for functions called from Python: compiled on first use, machine
code kept on disk, the interpreter lock released. ``inline`` is for functions
that kernels call; they live inside their callers and are never cached alone.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import sys
import tempfile
import uuid
import warnings
from pathlib import Path

import numba
from numba import carray
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.misc.appdirs import AppDirs

from .errors import Code, EvaluatorError

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
    raise EvaluatorError(Code.JIT_DISABLED)

SOURCE_HASH = _source_hash()
_SEAL = 16
_warned = False


def _warn_once(reason: object) -> None:
    global _warned
    if _warned:
        return
    _warned = True
    # where warnings are errors: the answer of a query does not depend on a folder
    with contextlib.suppress(RuntimeWarning):
        warnings.warn(
            f"compiled kernels cannot be kept on disk, every process compiles anew ({reason}); "
            "set NUMBA_CACHE_DIR to a writable folder",
            RuntimeWarning,
            stacklevel=4,
        )


@functools.lru_cache(4)
def _places(folder: Path) -> tuple[tuple[Path, ...], Path | None]:
    """Where machine code of a folder's kernels is read, and where it is written.

    The places are numba's, in numba's order. It is written to the first that can be
    written, and read from that one and those before: a folder that another user filled
    serves those who cannot write it.
    """
    name = f"{folder.name}_{hashlib.sha256(str(folder).encode()).hexdigest()[:40]}"
    of_user = Path(AppDirs("numba", appauthor=False).user_cache_dir)
    places = [folder / "__pycache__", of_user / name]
    if numba.config.CACHE_DIR:
        places.insert(0, Path(numba.config.CACHE_DIR).absolute() / name)
    read = []
    for place in places:
        if not place.is_absolute():  # no home
            continue
        read.append(place)
        with contextlib.suppress(OSError):
            place.mkdir(parents=True, exist_ok=True)
            # a disk may be read-only whatever the rights say
            tempfile.TemporaryFile(dir=place).close()
            return tuple(read), place
    return tuple(read), None


class _Cache(NullCache):
    """Machine code on disk, a file for each kernel and signature.

    A file's name tells all that its code depends on, and a seal tells whether it is whole:
    one that is damaged is removed and made anew. There is no index that could be wrong.
    """

    def __init__(self, function):
        code = function.__code__
        self._folder = Path(code.co_filename).parent
        self._name = f"{Path(code.co_filename).stem}.{function.__qualname__}"

    def _file(self, sig, codegen):
        options = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT")
        key = (
            sys.implementation.cache_tag,
            codegen.magic_tuple(),
            [getattr(numba.config, option, None) for option in options],
            str(sig),
        )
        return f"{self._name}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"

    def load_overload(self, sig, target_context):
        target_context.refresh()
        name = self._file(sig, target_context.codegen())
        for place in _places(self._folder)[0]:
            try:
                sealed = (place / name).read_bytes()
            except OSError:
                continue
            seal, code = sealed[:_SEAL], sealed[_SEAL:]
            if hashlib.blake2b(code, digest_size=_SEAL).digest() == seal:
                return CompileResult._rebuild(target_context, *pickle.loads(code))
            with contextlib.suppress(OSError):
                (place / name).unlink()
        return None

    def save_overload(self, sig, data):
        folder = _places(self._folder)[1]
        if folder is None:
            return _warn_once("no folder for them can be written")
        code = dumps(data._reduce())
        path = folder / self._file(sig, data.codegen)
        partial = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
        try:
            partial.write_bytes(hashlib.blake2b(code, digest_size=_SEAL).digest() + code)
            os.replace(partial, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                partial.unlink()
            _warn_once(error)


def kernel(function):
    """Compile on first call, without the interpreter lock, cached on disk where it can be."""
    function.__qualname__ = f"{function.__name__}_{SOURCE_HASH}"
    dispatcher = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)
    dispatcher._cache = _Cache(function)
    return dispatcher


# no way in from Python: to compile one takes as long as a small function itself
_INNER = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def inline(function):
    """A function that is part of every kernel that calls it; not callable from Python."""
    return numba.njit(forceinline=True, **_INNER)(function)


def helper(function):
    """The same, but the compiler decides whether to inline it."""
    return numba.njit(**_INNER)(function)
