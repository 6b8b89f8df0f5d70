"""The one list of families.  Whoever needs one looks here: the library, the command line, jobs, tour, doctor, tests.

    name    of its room, `tablero.puzzles.NAME`, and of `tablero.NAME` in the library
    word    on the command line, and in stored jobs
    about   one line for the help

What a room must have, for those who walk this list:

    commands    `app`, its words on the command line; `show(found, how)`, which prints findings and gives the exit status
    solve       `resume(recipe, problem, run)`, which goes on with a stored job; `kernels()`, what is compiled beforehand
    tour        `stop()`, its puzzle of the tour
"""

from __future__ import annotations

from importlib import import_module

from tablero.errors import JobError

TYPE_CHECKING = False  # as type checkers know it: typing takes longer to load than all else that begins with this list
if TYPE_CHECKING:
    from typing import Any

    from tablero.puzzles import cover as cover
    from tablero.puzzles import decomposition as decomposition
    from tablero.puzzles import edges as edges
    from tablero.puzzles import queens as queens
    from tablero.puzzles import sliding as sliding
    from tablero.puzzles import sudoku as sudoku
    from tablero.puzzles import warehouse as warehouse
    from tablero.runs.record import Record
    from tablero.runs.runner import Run


class Family:
    """One family: see the head of this module."""

    def __init__(self, name: str, word: str, about: str) -> None:
        self.name, self.word, self.about = name, word, about

    @property
    def room(self) -> str:
        return f"tablero.puzzles.{self.name}"

    def module(self, part: str) -> Any:
        """A module of its room, imported now."""
        return import_module(f"{self.room}.{part}")


FAMILIES = [
    Family("cover", "cover", "Exact covers, in Knuth's text format."),
    Family("decomposition", "decompose", "Divide the edges of a graph into copies of a part."),
    Family("edges", "edges", "Edge-matching puzzles, from Tetravex to Eternity II."),
    Family("queens", "queens", "n queens: annealed, searched for, constructed, counted."),
    Family("sliding", "slide", "Sliding tiles: boards as '1 2 3/4 5 6/7 8 0', 0 the blank."),
    Family("warehouse", "warehouse", "Warehouses: blocks of tiles between corridors."),
    Family("sudoku", "sudoku", "Sudoku: solve, explain, rate, make and count."),
]


def names() -> list[str]:
    return [family.name for family in FAMILIES]


def by_word(word: object) -> Family:
    """The family of a stored job."""
    for family in FAMILIES:
        if family.word == word:
            return family
    raise JobError(f"the job belongs to the family {word!r}, unknown to this version")


def resume(record: Record, run: Run) -> Any:
    """Ask the question of a stored job again, of its open file: go on with the job, or look at it, as the run says."""
    from dataclasses import replace

    card = record.card
    solve = by_word(card.recipe.get("family")).module("solve")
    return solve.resume(card.recipe, card.problem, replace(run, opened=record))
