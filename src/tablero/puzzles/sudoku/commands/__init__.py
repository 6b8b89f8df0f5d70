"""`tablero sudoku`: solve, explain, rate, make and count Sudoku puzzles."""

from tablero.puzzles.sudoku.commands.boards import app
from tablero.puzzles.sudoku.commands.explain import hint, rate, step
from tablero.puzzles.sudoku.commands.logic import library, steps
from tablero.puzzles.sudoku.commands.make import generate
from tablero.puzzles.sudoku.commands.pencil import candidates
from tablero.puzzles.sudoku.commands.solve import count, show, solve
from tablero.puzzles.sudoku.commands.worksheet import worksheet

# In this order they stand in the help.
for command in (solve, count, step, steps, hint, candidates, rate, library, generate, worksheet):
    app.command()(command)

__all__ = ["app", "show"]
