"""`tablero sudoku`: solve, explain, rate, make and count Sudoku puzzles."""

from tablero.sudoku.commands.boards import app
from tablero.sudoku.commands.explain import hint, rate, step
from tablero.sudoku.commands.logic import library, steps
from tablero.sudoku.commands.make import generate
from tablero.sudoku.commands.pencil import candidates
from tablero.sudoku.commands.solve import count, show, solve
from tablero.sudoku.commands.worksheet import worksheet

# In this order they stand in the help.
for command in (solve, count, step, steps, hint, candidates, rate, library, generate, worksheet):
    app.command()(command)

__all__ = ["app", "show"]
