"""Imports that wait: rooms that import what they offer when it is first asked for, and packages that not everybody has.

A room's `__init__` says in which of its modules each name is at home:

    offer(__name__, puzzle=["ExactCover"], solve=["solve", "count"])

A name may be that of the module it lives in: `cover.solve` is the function, also after the module `cover.solve` has been
imported.  (Plain PEP 562 cannot do that: importing a submodule would set the attribute to the module.)
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from tablero.errors import MissingExtra


def need(package: str, what: str, extra: str) -> Any:
    """A package that not everybody has, imported now; `what` needs it, `extra` brings it."""
    try:
        return import_module(package)
    except ImportError:
        raise MissingExtra(what, extra) from None


class _Room(ModuleType):
    _homes: dict[str, str]

    def __getattr__(self, name: str) -> Any:
        home = self.__dict__["_homes"].get(name)
        if home is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        module = import_module(f"{self.__name__}.{home}")
        value = module if name == home and not hasattr(module, name) else getattr(module, name)
        super().__setattr__(name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        # The import system sets every submodule as an attribute; a name that is offered is not overwritten by it.
        if not (name in self.__dict__["_homes"] and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*self.__dict__["_homes"], *(name for name in self.__dict__ if name.startswith("__"))})


def offer(room: str, **homes: Sequence[str]) -> None:
    """Let a room offer names, each given with the module that it is at home in."""
    module = sys.modules[room]
    module.__dict__["_homes"] = {name: home for home, names in homes.items() for name in names}
    module.__class__ = _Room
