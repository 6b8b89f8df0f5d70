"""tablero, a laboratory for board puzzles: generate, solve, count and show them.

    import tablero as tb
    tb.cover.ExactCover([["a", "b"], ["c"], ["b", "c"], ["a"]]).count()

Rooms are imported when they are first used, so that `import tablero` costs nothing.  `tablero.cover` is the room
`tablero.puzzles.cover`, also in imports: `from tablero.cover import ExactCover`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec

from tablero.errors import BadInput, JobError, MissingExtra

TYPE_CHECKING = False  # as type checkers know it: typing, and what is only for types, need not be loaded
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

    from tablero.families import Family
    from tablero.puzzles import cover as cover
    from tablero.puzzles import decomposition as decomposition
    from tablero.puzzles import edges as edges
    from tablero.puzzles import queens as queens
    from tablero.puzzles import sliding as sliding
    from tablero.puzzles import sudoku as sudoku
    from tablero.puzzles import warehouse as warehouse
    from tablero.puzzles.decomposition import decompose
    from tablero.runs.findings import Findings
    from tablero.runs.progress import Progress
    from tablero.runs.runner import Grid, Here, Job

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
    "Grid": "runs.runner",
    "Here": "runs.runner",
    "Job": "runs.runner",
    "Progress": "runs.progress",
    "decompose": "puzzles.decomposition",
}


def _families() -> dict[str, Family]:
    from tablero.families import families

    return families()


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"tablero.{_HOMES[name]}"), name)
    if name in _families():
        return import_module(_families()[name].package)
    raise AttributeError(f"module 'tablero' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_families()})


_BUILT_IN = ("cover", "decomposition", "edges", "queens", "sliding", "warehouse", "sudoku")


class _Rooms:
    """Lets `tablero.cover` be imported: it is the module `tablero.puzzles.cover` itself, not another one like it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, rest = fullname.partition(".")
        if package != "tablero" or rest.partition(".")[0] not in _BUILT_IN:
            return None
        return ModuleSpec(fullname, self)  # type: ignore[arg-type]  # it loads, though it has not that name

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(spec.name.replace("tablero.", "tablero.puzzles.", 1))
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # the import system has put that of the other name there


# First of all: otherwise the modules of a room would be found a second time, under its other name.
sys.meta_path.insert(0, _Rooms())
