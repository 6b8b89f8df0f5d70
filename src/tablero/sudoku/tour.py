"""The Sudoku stop of the tour."""

from __future__ import annotations

from tablero.draw.pages import Stop
from tablero.draw.svg import to_svg
from tablero.sudoku.draw import board_text, step_scene
from tablero.sudoku.examples import position_for


def stop() -> Stop:
    """Show a puzzle that needs a swordfish, its solution and its rating."""
    position, step = position_for("swordfish")
    puzzle = position.puzzle
    found = puzzle.solve()
    only = "the only one" if found.unique else "one of several"
    return Stop(
        "Sudoku",
        f"tablero sudoku step {puzzle.line()} --svg steps",
        f"A puzzle of {puzzle.clues} clues; its solution is {only}. If every step is the easiest that applies, its rating "
        f"is {puzzle.rate()}. In the drawing, a swordfish is the easiest step. {step.sentence}",
        to_svg(step_scene(position, step)),
        lambda colours: board_text(puzzle.layout, found.boards[0], clues=puzzle.cells, colours=colours),
    )
