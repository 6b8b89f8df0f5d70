"""All steps of a puzzle on one page to click through."""

from __future__ import annotations

from tablero.draw.pages import Slide, slide_page
from tablero.sudoku.draw import board, step_scene
from tablero.sudoku.logic import Path
from tablero.sudoku.sweeps import Sweeps


def steps_page(way: Path) -> str:
    """The way by logic: every step with the position that it begins at."""
    puzzle = way.puzzle
    slides = [Slide("the puzzle", f"{puzzle.clues} clues.", board(puzzle))]
    for position, step in way.positions():
        words = f"{step.sentence}\n\n{step.proof}" if step.proof else step.sentence
        slides.append(Slide(step.technique, words, step_scene(position, step), f"{step.rating:.1f}"))
    slides.append(Slide("the end", f"{way.sentence}.", board(puzzle, way.cells)))
    return slide_page(f"A {puzzle.layout.kind} Sudoku, step by step", puzzle.line(), slides)


def sweeps_page(found: Sweeps) -> str:
    """The way by sweeps: the board after each, and why every cell is what it is."""
    puzzle = found.puzzle
    slides = [Slide("the puzzle", f"{puzzle.clues} clues.", board(puzzle))]
    for number, turn in enumerate(found.sweeps, 1):
        words = "\n".join(f"• {why.sentence}" for why in turn.reasons)
        slides.append(Slide(f"sweep {number}", words, found.scene(turn), f"{turn.left} cells left"))
    slides.append(Slide("the end", f"{found.sentence}.", board(puzzle, found.cells)))
    return slide_page(f"A {puzzle.layout.kind} Sudoku, sweep by sweep", puzzle.line(), slides)
