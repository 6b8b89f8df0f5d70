"""tablero, a laboratory for board puzzles: generate, solve, count, study and show them.

    import tablero as tb
    tb.cover.ExactCover([["a", "b"], ["c"], ["b", "c"], ["a"]]).count()

Rooms are imported when they are first used, so that `import tablero` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tablero.errors import BadInput, JobError, MissingExtra

if TYPE_CHECKING:
    from tablero.puzzles import cover, decomposition, edges, queens, sliding, sudoku, warehouse
    from tablero.puzzles.decomposition import decompose
__version__ = "0.1.0"
__all__ = [
    "BadInput",
    "JobError",
    "MissingExtra",
    "__version__",
    "cover",
    "decompose",
    "decomposition",
    "edges",
    "queens",
    "sliding",
    "sudoku",
    "warehouse",
]

_FAMILIES = ("cover", "decomposition", "edges", "queens", "sliding", "sudoku", "warehouse")


def __getattr__(name: str) -> Any:
    if name in _FAMILIES:
        return import_module(f"tablero.puzzles.{name}")
    if name == "decompose":
        return import_module("tablero.puzzles.decomposition").decompose
    raise AttributeError(f"module 'tablero' has no attribute {name!r}")
