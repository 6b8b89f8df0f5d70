"""tablero, a laboratory for board puzzles: generate, solve, count and show them.

    import tablero as tb
    tb.cover.ExactCover([["a", "b"], ["c"], ["b", "c"], ["a"]]).count().solutions

A family is imported when it is first used, so `import tablero` is fast.  Families of other installed packages are attributes
as well: see `tablero.families`.
"""

from __future__ import annotations

from importlib import import_module

from tablero.errors import BadInput, JobError, MissingExtra

TYPE_CHECKING = False  # type checkers take it for True; importing typing for it would take time
if TYPE_CHECKING:
    from typing import Any

    from tablero import cover as cover
    from tablero import decomposition as decomposition
    from tablero import edges as edges
    from tablero import queens as queens
    from tablero import sliding as sliding
    from tablero import sudoku as sudoku
    from tablero import warehouse as warehouse
    from tablero.decomposition import decompose
    from tablero.runs.findings import Findings
    from tablero.runs.progress import Progress
    from tablero.runs.run import Grid, Here, Job

__version__ = "0.1.0"
__all__ = [
    "BadInput",
    "Findings",
    "Grid",
    "Here",
    "Job",
    "JobError",
    "MissingExtra",
    "Progress",
    "__version__",
    "decompose",
]

_HOMES = {
    "Findings": "runs.findings",
    "Grid": "runs.run",
    "Here": "runs.run",
    "Job": "runs.run",
    "Progress": "runs.progress",
    "decompose": "decomposition",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"tablero.{_HOMES[name]}"), name)
    from tablero.families import families

    if not name.startswith("_") and name in families():
        return families()[name].root
    raise AttributeError(f"module 'tablero' has no attribute {name!r}")


def __dir__() -> list[str]:
    from tablero.families import families

    return sorted({*__all__, *families()})
