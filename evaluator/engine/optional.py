"""Packages that only some users need, and how to get one that is missing."""

from __future__ import annotations

import importlib
from typing import Any

from ..errors import Code, EvaluatorError

DISTRIBUTION = "mahjong-evaluator"


class MissingExtra(EvaluatorError):
    """A package that is not installed.

    Attributes
    ----------
    package, extra : str
        What is missing, and the extra of this distribution that has it.
    """

    def __init__(self, package: str, extra: str, why: object = None) -> None:
        command = f"{DISTRIBUTION}[{extra}]"
        code = Code.NOT_INSTALLED if why is None else Code.NOT_IMPORTED
        super().__init__(code, package=package, command=command, detail=str(why))
        self.package = package
        self.extra = extra


def need(module: str, extra: str) -> Any:
    """Import a module of an optional package.

    Examples
    --------
    >>> need("no_such_package.part", "arrow")
    Traceback (most recent call last):
    evaluator.engine.optional.MissingExtra: no_such_package is not installed: \
pip install 'mahjong-evaluator[arrow]'
    """
    package = module.partition(".")[0]
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] == package:
            raise MissingExtra(package, extra) from None
        raise MissingExtra(package, extra, error) from None
    except ImportError as error:
        raise MissingExtra(package, extra, error) from None


def arrow() -> Any:
    """pyarrow."""
    return need("pyarrow", "arrow")
