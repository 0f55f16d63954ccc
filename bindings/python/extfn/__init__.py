"""Functions that other people wrote, in Python, R, Julia, Pure and WebAssembly, safely and fast.

    library = extfn.load("lib/")
    library["hypot"](3, 4)
    library["hypot"].apply(table["x"], table["y"])

SPDX-License-Identifier: MIT
"""
import importlib as _importlib
from typing import Any as _Any

from ._columns import column
from ._errors import (ArityMismatch, Canceled, Error, FunctionError, InputOutputError,
                      InvalidArgument, LanguageUnavailable, MissingInput, NotFound, SandboxError,
                      Timeout, TypeMismatch)
from ._extfn import Column
from ._function import Function
from ._host import Host, default_host, set_default_host
from ._library import Library, load
from ._refresh import Measure, refresh

__all__ = [
    "ArityMismatch", "Canceled", "Column", "Error", "Function", "FunctionError", "Host",
    "InputOutputError", "InvalidArgument", "LanguageUnavailable", "Library", "Measure",
    "MissingInput", "NotFound", "SandboxError", "Timeout", "TypeMismatch", "column",
    "default_host", "load", "refresh", "set_default_host",
]


def __getattr__(name: str) -> _Any:
    """extfn.duckdb and extfn.spark, which need what not everybody has, and extfn.__version__."""
    if name in ("duckdb", "spark"):
        return _importlib.import_module(f"{__name__}.{name}")
    if name == "__version__":
        metadata = _importlib.import_module("importlib.metadata")
        return metadata.version("extfn")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
