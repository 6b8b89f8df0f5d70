"""All studies by name; a module of studies is imported when one of its studies is asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from tablero.errors import BadInput
from tablero.text import unknown

if TYPE_CHECKING:
    from studies.design import Study

# The studies of each module: listed here so that listing them imports nothing.
MODULES = {
    "edges": ("edges-pieces", "edges-space"),
    "edges_search": ("edges-difficulty",),
    "edges_time": ("edges-time", "edges-methods"),
    "edges_encodings": ("edges-encodings",),
    "decomposition": ("decomposition-sizes", "decomposition-first", "decomposition-trees"),
    "cover": ("cover-kernels", "cover-branching"),
    "sliding": ("sliding-moves", "sliding-cases"),
    "sliding_carry": ("sliding-carry",),
    "warehouse": ("warehouse-moves", "warehouse-levels"),
    "sudoku": ("sudoku-sweeps", "sudoku-techniques"),
    "queens": ("queens-counts",),
    "annealing": ("queens-times", "queens-calibration", "queens-cooling", "queens-swap"),
    "scaling": ("scaling",),
}


def names() -> list[str]:
    """Every study, in the order of the docs."""
    return [name for module in MODULES.values() for name in module]


@cache
def study(name: str) -> Study:
    """The study of that name."""
    for module, known in MODULES.items():
        if name in known:
            found: Study = import_module(f"studies.{module}").STUDIES[name]
            return found
    raise BadInput(unknown("the study", name, names()))
