"""The part `sudoku-logic`: puzzles by logic alone. How many are finished, whether any step is wrong, time, ratings.

The solution that every step is held against is the kernel's, which shares nothing with the logic.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np

from bench import table
from tablero.sudoku.formats import parse_line
from tablero.sudoku.kernels.search import solve_many
from tablero.sudoku.logic import Position, walk
from tablero.sudoku.puzzle import Sudoku

CHAINS = 6.5  # the least rating of a chain


@dataclass
class Outcome:
    """What became of a set of puzzles."""

    puzzles: int = 0
    finished: int = 0
    wrong: int = 0  # steps against the solution
    seconds: list[float] = field(default_factory=list)  # CPU, a puzzle
    simple: list[float] = field(default_factory=list)  # of those without chains
    ratings: Counter[float] = field(default_factory=Counter)
    fine: Counter[float] = field(default_factory=Counter)  # with lengths graded to hundredths
    hardest: Counter[str] = field(default_factory=Counter)

    def add(self, puzzle: Sudoku, solution: Sequence[int]) -> None:
        """Walk one puzzle."""
        position = Position(puzzle, unique=True)
        began = time.process_time()
        top, fine = None, 0.0
        for step in walk(position):
            if top is None or step.rating > top.rating:
                top = step
            fine = max(fine, step.fine_rating)
            if any(solution[cell] != digit for cell, digit in step.placed) or any(
                solution[cell] == digit for cell, digit in step.removed
            ):
                self.wrong += 1
                break  # what follows a wrong step tells nothing
        used = time.process_time() - began
        self.puzzles += 1
        self.finished += tuple(position.values) == tuple(solution)
        self.seconds.append(used)
        if top is not None:
            self.ratings[top.rating] += 1
            self.fine[fine] += 1
            self.hardest[top.technique] += 1
            if top.rating < CHAINS:
                self.simple.append(used)

    def values(self) -> dict[str, Any]:
        """The numbers, as JSON can hold them."""
        return {
            "puzzles": self.puzzles,
            "finished": self.finished,
            "wrong_steps": self.wrong,
            "median_seconds": median(self.seconds),
            "median_seconds_without_chains": median(self.simple) if self.simple else None,
            "ratings": {str(rating): count for rating, count in sorted(self.ratings.items())},
            "fine_ratings": {str(rating): count for rating, count in sorted(self.fine.items())},
            "hardest": dict(self.hardest.most_common()),
        }


def walk_all(lines: Sequence[str]) -> Outcome:
    """Walk every puzzle of a set; one without a single solution is passed over."""
    outcome = Outcome()
    puzzles = [parse_line(line, "puzzle") for line in lines]
    answers, counts = solve_many(np.array([puzzle.cells for puzzle in puzzles], np.uint8), 2)
    for puzzle, answer, count in zip(puzzles, answers.tolist(), counts.tolist(), strict=True):
        if count == 1:
            outcome.add(puzzle, answer)
    return outcome


def report(sets: dict[str, Sequence[str]], faults: list[str]) -> dict[str, Any]:
    """Print a table and the histograms; a step against a solution is a fault."""
    values, rows = {}, []
    for title, lines in sets.items():
        found = walk_all(lines)
        values[title] = found.values()
        if found.wrong:
            faults.append(f"sudoku logic {title}: {found.wrong} steps against the solution")
        few = f"{1000 * median(found.simple):.1f}" if found.simple else "–"
        rows.append(
            [
                title,
                f"{found.puzzles:,}",
                f"{100 * found.finished / max(1, found.puzzles):.1f} %",
                str(found.wrong),
                f"{1000 * median(found.seconds):.1f}",
                few,
                f"{len(found.simple):,}",
                str(len(found.ratings)),
                str(len(found.fine)),
            ]
        )
    print("\nSudoku by logic: CPU milliseconds a puzzle, median")
    head = [
        "puzzles",
        "number",
        "finished",
        "wrong steps",
        "ms",
        "ms without chains",
        "such puzzles",
        "ratings that occur",
        "fine ratings",
    ]
    print(table.table(head, rows))
    for title, reported in values.items():
        print(f"  {title}: " + ", ".join(f"{rating} ×{count}" for rating, count in reported["ratings"].items()))
    return values
