"""Libraries: functions by name. SPDX-License-Identifier: MIT"""
from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

from . import _extfn
from ._errors import NotFound
from ._function import Function


class Library(Mapping[str, Function]):
    """Functions by name, in the order of names. Pickled with all that it takes elsewhere."""

    def __init__(self, functions: Iterable[Function]) -> None:
        named = {function.name: function for function in functions}
        self._functions = {name: named[name] for name in sorted(named)}

    def __getitem__(self, name: str) -> Function:
        try:
            return self._functions[name]
        except KeyError:
            raise NotFound(f"external function not found: {name}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)

    def __contains__(self, name: object) -> bool:
        return name in self._functions

    def __repr__(self) -> str:
        return f"<extfn.Library of {', '.join(self) or 'no functions'}>"

    @classmethod
    def from_json(cls, text: str) -> Library:
        """Of a descriptor, or an array of them."""
        descriptors = json.loads(text)
        if isinstance(descriptors, dict):
            descriptors = [descriptors]
        return cls(Function.from_json(json.dumps(descriptor)) for descriptor in descriptors)

    def to_json(self) -> str:
        """An array of descriptors that needs no other file; `extfn` reads it as well."""
        return f"[{','.join(function.to_json() for function in self.values())}]"

    def __reduce__(self) -> tuple[Callable[[str], Library], tuple[str]]:
        return type(self).from_json, (self.to_json(),)


def opened(given: Library | str | os.PathLike[str]) -> Library:
    """A library, or the path of one."""
    return given if isinstance(given, Library) else load(given)


def load(path: str | os.PathLike[str], *,
         problems: Literal["raise"] | Callable[[str, str], object] = "raise") -> Library:
    """Reads a function file, a folder of them, or a JSON file of descriptors.

    A bad file raises; a callable is told path and reason of each, and the others are loaded.
    """
    if problems == "raise":
        return Library(_extfn.load(Function, path, None))
    if not callable(problems):
        raise TypeError(f"problems is 'raise' or a callable, not {problems!r}")
    return Library(_extfn.load(Function, path, problems))
