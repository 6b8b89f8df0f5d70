"""`tablero edges`: edge-matching puzzles, from Tetravex to Eternity II."""

from tablero.puzzles.edges.commands.boards import app
from tablero.puzzles.edges.commands.optimise import optimise
from tablero.puzzles.edges.commands.pieces import convert, encode_, estimate_, generate, show
from tablero.puzzles.edges.commands.solve import answers_of, count, resume, solve

# In this order they stand in the help.
for command in (generate, solve, count, optimise, encode_, convert, show, estimate_):
    app.command(command.__name__.rstrip("_"))(command)

__all__ = ["answers_of", "app", "resume"]
