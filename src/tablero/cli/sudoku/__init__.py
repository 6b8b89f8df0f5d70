"""`tablero sudoku`: solve, explain, rate, make and count Sudoku puzzles."""

from tablero.cli.sudoku.boards import app
from tablero.cli.sudoku.explain import hint, rate, step
from tablero.cli.sudoku.make import generate
from tablero.cli.sudoku.solve import answers_of, count, resume, solve

# In this order they stand in the help.
for command in (solve, count, step, hint, rate, generate):
    app.command()(command)

__all__ = ["answers_of", "app", "resume"]
