"""The errors that a user can cause.  The message of each is one line."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class BadInput(ValueError):
    """A value, a file or a puzzle cannot be used.  The message names the place and says what was expected."""


class NothingToKeep(BadInput):
    """A job or a cluster was given for a question that is answered without a search."""


class JobError(BadInput):
    """A job cannot be opened, resumed or changed as asked."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))  # SQLite's messages about a damaged file have several lines


class MissingExtra(BadInput):
    """A feature needs a package that is not installed.  The message contains the command that installs it."""

    def __init__(self, what: str, extra: str) -> None:
        from tablero.extras import how_to_add

        super().__init__(f"{what} needs the extra '{extra}': {how_to_add(extra)}")


def need(package: str, what: str, extra: str) -> Any:
    """Import an optional package.

    Parameters
    ----------
    package
        The package to import.
    what
        The feature that needs it, for the message.
    extra
        The extra of tablero that installs it.

    Raises
    ------
    MissingExtra
        If the package is not installed.
    """
    try:
        return import_module(package)
    except ImportError:
        raise MissingExtra(what, extra) from None
