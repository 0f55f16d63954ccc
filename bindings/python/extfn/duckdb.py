"""Functions of a library in DuckDB's SQL: register(connection, library).

SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal

import pyarrow

from . import Column, Error, Function, Host, Library, default_host
from ._errors import named
from ._host import Path
from ._library import opened

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Errors = Literal["raise", "null"]
TYPES = {"number": "DOUBLE", "boolean": "BOOLEAN", "text": "VARCHAR", "datetime": "TIMESTAMPTZ",
         "enum": "UINTEGER"}

# DuckDB does not tell Python's functions from its own, so what may be replaced is known here alone.
_registered: weakref.WeakKeyDictionary[DuckDBPyConnection, set[str]] = weakref.WeakKeyDictionary()


def register(con: DuckDBPyConnection, lib: Library | Path, *,
             names: Iterable[str] | None = None, prefix: str = "", errors: Errors = "raise",
             host: Host | None = None) -> list[str]:
    """Registers the functions of a library (or its path), or those that `names` chooses, and
    returns what they are called in SQL: `prefix` and the function's own name.

    A row that fails fails its statement (errors="raise"), or is NULL (errors="null"). A NULL among
    the arguments makes the result NULL, without a call. What was registered before is replaced.
    """
    if errors not in ("raise", "null"):
        raise ValueError(f"errors is 'raise' or 'null', not {errors!r}")
    library = opened(lib)
    functions = {prefix + name: library[name] for name in (library if names is None else names)}
    taken = _first_column(con, "SELECT DISTINCT lower(function_name) FROM duckdb_functions()")
    words = _first_column(con, "SELECT keyword_name FROM duckdb_keywords() "
                               "WHERE keyword_category IN ('reserved', 'column_name')")
    mine = _registered.setdefault(con, set())
    _check_names(functions, taken - mine, words)
    for name, function in functions.items():
        if name.lower() in mine & taken:
            con.remove_function(name)
        _create(con, name, function, errors, host)
        mine.add(name.lower())
    return list(functions)


def _first_column(con: DuckDBPyConnection, query: str) -> set[str]:
    return {row[0] for row in con.cursor().execute(query).fetchall()}


def _check_names(names: Iterable[str], taken: set[str], words: set[str]) -> None:
    """Before anything is registered: all of them, or none."""
    seen: dict[str, str] = {}
    for name in names:
        folded = name.lower()
        if folded in words:
            raise ValueError(f"{name!r} is a word of DuckDB's SQL; register it with a prefix")
        if folded in taken:
            raise ValueError(f"there is a function {name!r} already; register it with a prefix")
        if folded in seen:
            raise ValueError(f"{seen[folded]!r} and {name!r} are one name in SQL; choose by names=")
        seen[folded] = name


def _create(con: DuckDBPyConnection, name: str, function: Function, errors: Errors,
            host: Host | None) -> None:
    # A function that is handed none, DuckDB's default, must not return NULLs either.
    handling = "default" if errors == "raise" else "special"
    scalar = (_Rows if function.arg_types else _Value)(function, errors, host)
    create: Callable[..., Any] = con.create_function
    create(name, scalar, [TYPES[each] for each in function.arg_types], TYPES[function.return_type],
           type=scalar.form, null_handling=handling, side_effects=not function.pure)


class _Scalar:
    """What DuckDB calls. How many arguments there are is read off its signature."""

    def __init__(self, function: Function, errors: Errors, host: Host | None) -> None:
        self.function, self.errors, self.host = function, errors, host
        self.__signature__ = inspect.Signature(
            [inspect.Parameter(f"argument_{place}", inspect.Parameter.POSITIONAL_ONLY)
             for place in range(len(function.arg_types))])

    def evaluate(self, columns: Sequence[pyarrow.ChunkedArray], rows: int | None = None) -> Column:
        try:
            return (self.host or default_host()).apply(
                self.function, *columns, errors=self.errors, nulls="null", rows=rows)
        except Error as error:
            raise named(error, self.function.name) from error


class _Rows(_Scalar):
    """Some rows, 2,048 at most."""

    form = "arrow"

    def __call__(self, *columns: pyarrow.ChunkedArray) -> pyarrow.Array:
        return pyarrow.array(self.evaluate(columns))


class _Value(_Scalar):
    """A function without arguments: no column would tell how many rows there are."""

    form = "native"

    def __call__(self) -> Any:
        return self.evaluate([], 1)[0]
