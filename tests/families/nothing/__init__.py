"""Nothing: the null family, which is the template of a new one.  Its puzzle is a row of n steps that lead nowhere.

It has every verb of a family and finds nothing.  Copy the folder to src/tablero/puzzles/NAME, add a line to families.py, and
replace module by module: see CONTRIBUTING.md.
"""

from typing import TYPE_CHECKING

from tablero.lazy import offer

if TYPE_CHECKING:
    from tablero.puzzles.nothing.formats import parse, read, write
    from tablero.puzzles.nothing.generate import generate
    from tablero.puzzles.nothing.puzzle import Nothing
    from tablero.puzzles.nothing.solve import Nowhere, count, solve

__all__ = ["Nothing", "Nowhere", "count", "generate", "parse", "read", "solve", "write"]

offer(
    __name__,
    formats=["parse", "read", "write"],
    generate=["generate"],
    puzzle=["Nothing"],
    solve=["Nowhere", "count", "solve"],
)
