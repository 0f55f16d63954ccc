"""What programs have as columns, as the extension module reads it. SPDX-License-Identifier: MIT"""
from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Any

from . import _extfn
from ._extfn import Column

SCALARS = (type(None), bool, int, float, str, datetime.datetime)


def _prepare(values: Any) -> tuple[Any, str | None]:
    """Something with Arrow's methods, a buffer or an iterable; the unit of a buffer of times."""
    if isinstance(values, Column) or hasattr(values, "__arrow_c_stream__") \
            or hasattr(values, "__arrow_c_array__"):
        return values, None
    if hasattr(values, "isna") and hasattr(values, "__array__"):  # a Series of pandas before 3
        array, missing = values.__array__(), values.isna()
        has_nulls = hasattr(values.dtype, "na_value") and missing.any()  # NumPy's own have none
        if array.dtype.kind != "O" and not has_nulls:
            return _prepare(array)
        return [None if is_missing else value
                for value, is_missing in zip(array.tolist(), missing)], None
    dtype: Any = getattr(values, "dtype", None)
    kind = getattr(dtype, "kind", None)
    if not getattr(dtype, "isnative", True):  # bytes in the order of another machine
        return _prepare(values.astype(dtype.newbyteorder("=")))
    if kind == "M":
        return values.view("i8"), dtype.str.partition("[")[2].rstrip("]")
    if kind in ("O", "U", "T"):
        return values.tolist(), None
    return values, None


def make(values: Any, type: str, function: str | None = None, position: int = 0,
         missing: str = "missing input") -> Column:
    source, unit = _prepare(values)
    return _extfn.column(type, source, function, position, missing, unit)


def column(values: Any, type: str) -> Column:
    """A column of the type "number", "boolean", "text", "datetime" or "enum".

    `values` is anything that Function.apply takes for one.
    """
    return make(values, type)


def error_column(values: Column) -> Column:
    """A column of texts: why a row has no value, or null."""
    return make(values.errors, "text")


def make_all(function: _extfn.Function, given: Iterable[Any], rows: int | None) -> tuple[
        list[Column], int]:
    """Columns for the arguments of a function; a single value stands for a column of it."""
    given, names, types = list(given), function.arg_names, function.arg_types
    if len(given) != len(types):
        return [make([], "number")] * len(given), 0  # too few or too many: told by the call

    def one(position: int, values: Any) -> Column:
        name = names[position] if names else f"argument {position}"
        return make(values, types[position], function.name, position, f"missing input: {name}")

    made = {position: one(position, values) for position, values in enumerate(given)
            if not isinstance(values, SCALARS)}
    if made:
        rows = len(next(iter(made.values())))
    elif rows is None:
        raise TypeError(f"function {function.name}: without columns `rows` has to tell how many")
    return [made[position] if position in made else one(position, [values] * rows)
            for position, values in enumerate(given)], rows
