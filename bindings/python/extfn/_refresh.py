"""Functions over measures: values at coordinates. SPDX-License-Identifier: MIT"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from . import _columns
from ._function import Function
from ._host import Host, default_host, microseconds, raise_first


class Measure(NamedTuple):
    """Values, each at a coordinate: an item, from 0, of each dimension.

    The columns of items, by the names of their dimensions, are as long as that of the values.
    """

    dimensions: Mapping[str, Any]
    values: Any


def refresh(function: Function, /, *measures: Measure, errors: Literal["raise", "null"] = "raise",
            timeout: float | None = None, deadline: float | None = None,
            workers: int | None = None, host: Host | None = None) -> Measure:
    """Evaluates a function over one measure for each argument, cell by cell.

    They are joined on the dimensions that they share: one over fewer dimensions counts for all
    items of the others. The result has all dimensions, as columns, and is sorted by coordinate; a
    cell that an argument lacks is not in it. Errors are as in Function.apply.
    """
    given = []
    for position, (dimensions, values) in enumerate(measures):
        items = [_columns.make(column, "enum") for column in dimensions.values()]
        if position < len(function.arg_types):
            values = _columns.make(values, function.arg_types[position], function.name, position)
        given.append((tuple(dimensions), items, values))
    result = Measure(*(host or default_host())._refresh(
        function, given, microseconds(timeout), microseconds(deadline), workers or 0))
    if errors == "raise":
        raise_first(result.values)
    return result
