"""The errors that a user can cause, each told in one line."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class BadInput(ValueError):
    """What was given cannot be used: the message says where, and what was expected."""


class NothingToKeep(BadInput):
    """A job or a cluster was named for what is answered without a search that one could keep or share."""


class JobError(BadInput):
    """A job cannot be opened, resumed or changed as asked."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))  # what SQLite says of a damaged file has several lines


class MissingExtra(BadInput):
    """A feature needs a package that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        from tablero.extras import how_to_add

        super().__init__(f"{what} needs the extra '{extra}': {how_to_add(extra)}")


def need(package: str, what: str, extra: str) -> Any:
    """A package that not everybody has, imported now; `what` needs it, `extra` brings it."""
    try:
        return import_module(package)
    except ImportError:
        raise MissingExtra(what, extra) from None
