"""Host objects: policy, limits and warm workers. SPDX-License-Identifier: MIT"""
from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Self, overload

from . import _columns, _errors, _extfn
from ._extfn import Column

if TYPE_CHECKING:
    from ._function import Function

Errors = Literal["raise", "null", "column"]
Nulls = Literal["error", "null"]
Path = str | os.PathLike[str]


def microseconds(seconds: float | None) -> int:
    """0, which stands for the default, of None."""
    if seconds is None:
        return 0
    if not seconds > 0:
        raise ValueError(f"a time limit is more than 0 seconds, not {seconds!r}")
    return max(1, round(seconds * 1_000_000))


def _paths(given: Mapping[str, Path] | None) -> dict[str, str] | None:
    return None if given is None else {key: os.fspath(path) for key, path in given.items()}


class Host(_extfn.Host):
    """Evaluates functions, each in its sandbox, by workers that stay warm.

    What is not given is as the environment says (IMPROV_EXTFN_TRUSTED, EXTFN_INTERPRETER_PYTHON
    and so on), else the default. Times are in seconds, sizes in bytes; `packages` and
    `interpreters` have a path for a language in lower case. Any number of threads may use one. A
    forked child has workers of its own.
    """

    def __new__(cls, *, policy: Literal["restricted", "trusted"] | None = None,
                allow_unsandboxed: bool | None = None, timeout: float | None = None,
                start_timeout: float | None = None, memory: int | None = None,
                tmp: int | None = None, workers: int | None = None,
                warm_workers: int | None = None, workers_memory: int | None = None,
                idle_timeout: float | None = None, keep_spare: bool | None = None,
                memo_bytes: int | None = None, packages: Mapping[str, Path] | None = None,
                interpreters: Mapping[str, Path] | None = None,
                search_path: str | None = None) -> Self:
        if policy not in (None, "restricted", "trusted"):
            raise ValueError(f"a policy is 'restricted' or 'trusted', not {policy!r}")
        options = {
            "is_trusted": None if policy is None else policy == "trusted",
            "is_unsandboxed_allowed": allow_unsandboxed,
            "timeout_us": microseconds(timeout) or None,
            "start_timeout_us": microseconds(start_timeout) or None,
            "memory_bytes": memory, "tmp_bytes": tmp, "workers": workers,
            "warm_workers": warm_workers, "workers_memory_bytes": workers_memory,
            "idle_timeout_us": microseconds(idle_timeout) or None,
            "is_spare_kept": keep_spare, "memo_bytes": memo_bytes, "search_path": search_path,
            "packages": _paths(packages), "interpreters": _paths(interpreters),
        }
        return super().__new__(cls, {name: value for name, value in options.items()
                                     if value is not None})

    def call(self, function: Function, /, *args: Any, timeout: float | None = None,
             deadline: float | None = None) -> Any:
        """Function.__call__ here: `timeout` is for the body, `deadline` for all of the call."""
        return self._call(function, args, {}, microseconds(timeout), microseconds(deadline))

    @overload
    def apply(self, function: Function, /, *columns: Any, errors: Literal["raise", "null"] = ...,
              nulls: Nulls = ..., rows: int | None = ..., timeout: float | None = ...,
              deadline: float | None = ..., workers: int | None = ...,
              on_progress: Callable[[int, int], object] | None = ...) -> Column: ...

    @overload
    def apply(self, function: Function, /, *columns: Any, errors: Literal["column"],
              nulls: Nulls = ..., rows: int | None = ..., timeout: float | None = ...,
              deadline: float | None = ..., workers: int | None = ...,
              on_progress: Callable[[int, int], object] | None = ...
              ) -> tuple[Column, Column]: ...

    def apply(self, function: Function, /, *columns: Any, errors: Errors = "raise",
              nulls: Nulls = "error", rows: int | None = None, timeout: float | None = None,
              deadline: float | None = None, workers: int | None = None,
              on_progress: Callable[[int, int], object] | None = None
              ) -> Column | tuple[Column, Column]:
        """Function.apply here."""
        if errors not in ("raise", "null", "column") or nulls not in ("error", "null"):
            raise ValueError("errors is 'raise', 'null' or 'column', nulls is 'error' or 'null'")
        made, count = _columns.make_all(function, columns, rows)
        values, failure = self._apply(function, made, count, microseconds(timeout),
                                      microseconds(deadline), workers or 0, on_progress)
        if nulls == "null":
            values = values._quieted()
        if errors == "raise":
            raise_first(values, failure)
        return (values, _columns.error_column(values)) if errors == "column" else values

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def raise_first(values: Column, failure: tuple[int, str] | None = None) -> None:
    """Raises the error of the first row that has one; its kind is known if it failed by itself."""
    found = values._first_error()
    if found is None:
        return
    row, message, is_missing = found
    kind = "MissingInput" if is_missing else \
        failure[1] if failure and failure[0] == row else "Runtime"
    error = _errors.BY_KIND[kind](message)
    error.row = row
    raise error


def default_host() -> Host:
    """The host object that functions use by themselves: made by the first call."""
    host = _extfn.default_host()
    assert isinstance(host, Host)
    return host


def set_default_host(host: Host | None) -> Host | None:
    """Another one from now on; None: made anew by the next call. Returns the former one."""
    former = _extfn.set_default_host(host)
    assert former is None or isinstance(former, Host)
    return former


@atexit.register
def _close_default_host() -> None:
    former = set_default_host(None)
    if former is not None:
        former.close()
