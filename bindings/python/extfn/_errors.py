"""One class for each kind of error, all of them made from Error. SPDX-License-Identifier: MIT"""


class Error(Exception):
    """What went wrong, and what the body had printed by then, decoded.

    `row` counts from 0: the row of a column that failed.
    """

    stdout: str = ""
    stderr: str = ""
    row: int | None = None

    def __str__(self) -> str:
        message = str(self.args[0]) if self.args else ""
        return message if self.row is None else f"row {self.row}: {message}"


class InvalidArgument(Error, ValueError):
    """A value, a column or an option that cannot be, or a bad function file."""


class InputOutputError(Error, OSError):
    """A file could not be read."""


class NotFound(Error, KeyError):
    """The library has no function of that name."""


class ArityMismatch(Error, TypeError):
    """Too few or too many arguments."""


class TypeMismatch(Error, TypeError):
    """An argument of another type than the function declares."""


class MissingInput(Error, ValueError):
    """An argument is None, or a null in a column: the function was not called."""


class LanguageUnavailable(Error):
    """The interpreter, or the engine of WebAssembly, is not here."""


class FunctionError(Error):
    """The body raised, broke a limit, died, or returned what it had not declared."""


class Timeout(Error, TimeoutError):
    """The time limit was reached."""


class SandboxError(Error):
    """The sandbox that the policy demands cannot be had; the message says what to do."""


class Canceled(Error):
    """Canceled by the program."""


def named(error: Error, function: str) -> Error:
    """The same for who sees its text alone, and does not know which rows the function was given."""
    message = str(error.args[0])
    is_named = message.startswith(f"function {function}: ")
    return type(error)(message if is_named else f"{function}: {message}")


# By what the library calls them; a missing input has no status there.
BY_KIND: dict[str, type[Error]] = {
    "InvalidArgument": InvalidArgument,
    "IO": InputOutputError,
    "NotFound": NotFound,
    "ArityMismatch": ArityMismatch,
    "TypeMismatch": TypeMismatch,
    "MissingInput": MissingInput,
    "LanguageUnavailable": LanguageUnavailable,
    "Runtime": FunctionError,
    "Timeout": Timeout,
    "Sandbox": SandboxError,
    "Canceled": Canceled,
}
