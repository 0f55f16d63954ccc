"""What runs in the Python processes of Spark's executors: a job carries an object of one of these
classes, which has the function in it. SPDX-License-Identifier: MIT
"""
from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow
import pyspark

from . import ArityMismatch, Error, Function, Host, TypeMismatch
from ._errors import named

ARROW = {"number": pyarrow.float64(), "boolean": pyarrow.bool_(), "text": pyarrow.string(),
         "datetime": pyarrow.timestamp("us", "UTC"), "enum": pyarrow.int64()}
PORTION = 16 << 20  # bytes that an executor's Java is handed at once: its memory is small


@functools.cache
def host_of(options: str) -> Host:
    """Spark keeps its Python processes, and gives each one task at a time: so a process needs one
    host object, whose workers stay warm from task to task, as many as the task has cores."""
    task = pyspark.TaskContext.get()
    return Host(**{"workers": task.cpus() if task else 1} | json.loads(options))


class Call:
    """A function on its way. Only what stands in it is pickled; the code is the executor's own."""

    def __init__(self, function: Function, errors: str, host: Mapping[str, Any] | None) -> None:
        Host(**(host or {})).close()  # starts nothing, and refuses an option that there is not
        self.function, self.errors = function, errors
        self.options = json.dumps(dict(host or {}), default=os.fspath, sort_keys=True)

    def evaluate(self, columns: Sequence[pyarrow.Array], rows: int) -> list[pyarrow.Array]:
        """The values, and with errors="column" what went wrong. A row with a null is null, and no
        error."""
        apply: Callable[..., Any] = host_of(self.options).apply
        columns = [argument(*each) for each in zip(columns, self.function.arg_types)]
        try:
            done = apply(self.function, *columns, errors=self.errors, nulls="null", rows=rows)
        except Error as error:
            raise named(error, self.function.name) from error
        values, *errors = done if self.errors == "column" else [done]
        return [pyarrow.array(values).cast(ARROW[self.function.return_type]),
                *(pyarrow.array(each).cast(pyarrow.string()) for each in errors)]


def argument(column: pyarrow.Array, kind: str) -> pyarrow.Array:
    """What the library does not take of Spark's types. A decimal's text is read as the nearest
    double; Arrow's own cast can miss that."""
    if pyarrow.types.is_decimal(column.type) and kind == "number":
        return column.cast(pyarrow.string()).cast(pyarrow.float64())
    return column.cast(ARROW[kind]) if pyarrow.types.is_null(column.type) else column


class Table(Call):
    """For mapInArrow: batches with a column more, and one of errors."""

    def __init__(self, function: Function, errors: str, host: Mapping[str, Any] | None,
                 places: list[int]) -> None:
        super().__init__(function, errors, host)
        self.places = places

    def __call__(self, batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for batch in batches:
            columns = [batch.column(place) for place in self.places]
            added = self.evaluate(columns, batch.num_rows)
            # Spark knows the columns by their places; Arrow wants names, different or not.
            done = pyarrow.RecordBatch.from_arrays(
                batch.columns + added, batch.schema.names + ["values", "errors"][:len(added)])
            rows = max(1, done.num_rows * PORTION // max(1, done.nbytes))
            yield from (done.slice(start, rows) for start in range(0, done.num_rows, rows))


class Columns(Call):
    """For SQL: columns in, by their places or by the names of the arguments, and one out."""

    def __call__(self, *columns: pyarrow.Array, **by_name: pyarrow.Array) -> pyarrow.Array:
        names = self.function.arg_names or ()
        placed = [*columns,
                  *(by_name.pop(name) for name in names[len(columns):] if name in by_name)]
        if by_name:
            raise TypeMismatch(
                f"{self.function.signature}: there is no argument {', '.join(by_name)}")
        if len(placed) != len(self.function.arg_types):
            raise ArityMismatch(f"function {self.function.name}: expected "
                                f"{len(self.function.arg_types)} argument(s), got {len(placed)}")
        return self.evaluate(placed, len(placed[0]))[0]


class Value(Call):
    """For SQL, a function without arguments: Spark asks for each row."""

    def __call__(self) -> Any:
        return self.evaluate([], 1)[0][0].as_py()
