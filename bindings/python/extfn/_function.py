"""Functions: called with values or with columns. SPDX-License-Identifier: MIT"""
from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from typing import Any, Literal, Self, overload

from . import _extfn, _host
from ._extfn import Column


class Function(_extfn.Function):
    """A function in another language or in Python, as its file declares it.

    `f(3, 4)` and `f(x=3, y=4)` call it once, by the default host object. It is read-only, and
    pickled with all that it takes to call it on another machine.
    """

    __slots__ = ()

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Of a descriptor, `{"name":"add","language":"Python","body":"...", ...}`."""
        return cls._from_json(text)

    def to_json(self) -> str:
        """A descriptor that needs no other file: a module of WebAssembly stands in it."""
        text = self._to_json()
        if self.language != "Wasm" or self.body.startswith(("wat:", "base64:")):
            return text
        folder = os.path.dirname(self.source_path or "")
        with open(os.path.join(folder, self.body), "rb") as module:
            body = base64.b64encode(module.read()).decode("ascii")
        return json.dumps({**json.loads(text), "body": f"base64:{body}"})

    def __reduce__(self) -> tuple[Callable[[str], Function], tuple[str]]:
        return type(self).from_json, (self.to_json(),)

    @overload
    def apply(self, *columns: Any, errors: Literal["raise", "null"] = ...,
              nulls: _host.Nulls = ..., rows: int | None = ..., timeout: float | None = ...,
              deadline: float | None = ..., workers: int | None = ...,
              on_progress: Callable[[int, int], object] | None = ...) -> Column: ...

    @overload
    def apply(self, *columns: Any, errors: Literal["column"], nulls: _host.Nulls = ...,
              rows: int | None = ..., timeout: float | None = ..., deadline: float | None = ...,
              workers: int | None = ..., on_progress: Callable[[int, int], object] | None = ...
              ) -> tuple[Column, Column]: ...

    def apply(self, *columns: Any, errors: _host.Errors = "raise", nulls: _host.Nulls = "error",
              rows: int | None = None, timeout: float | None = None,
              deadline: float | None = None, workers: int | None = None,
              on_progress: Callable[[int, int], object] | None = None
              ) -> Column | tuple[Column, Column]:
        """Evaluates every row of the columns, and returns a column of results.

        A column is an array or a stream of Arrow (pyarrow, polars and others), a buffer (NumPy), a
        Series of pandas, or an iterable of values; a single value stands for a column of it.
        `rows` tells how many there are where no argument is a column.

        A row that fails raises its error once all rows are done (errors="raise"), or has no value
        (errors="null"), which Column.errors then explains; errors="column" returns the reasons as
        a second column. A row that lacks an argument is not evaluated: that is an error of its
        own, or with nulls="null" none, and its result is null.

        `timeout` is for a row, `deadline` for all of them, both in seconds; `workers` bounds the
        processes that work at once. `on_progress(done, total)` is told now and then, possibly in
        another thread; what it raises ends the call.
        """
        return _host.default_host().apply(
            self, *columns, errors=errors, nulls=nulls, rows=rows, timeout=timeout,
            deadline=deadline, workers=workers, on_progress=on_progress)
