"""Draw the examples of docs/sudoku.md: `python docs/make_sudoku_images.py` writes docs/images/sudoku/*.svg.

Every position is one that the program met on a puzzle of its own; see `tablero.puzzles.sudoku.examples`.
"""

from __future__ import annotations

from pathlib import Path

from tablero.draw.svg import to_svg
from tablero.puzzles.sudoku.draw import board, step_scene
from tablero.puzzles.sudoku.examples import EXAMPLES, position_for
from tablero.puzzles.sudoku.generate import generate_many
from tablero.puzzles.sudoku.wish import Wish

FOLDER = Path(__file__).parent / "images" / "sudoku"
CELL = 34


def draw() -> dict[str, str]:
    """The name of each drawing, and what is in it."""
    pictures = {}
    for technique in EXAMPLES:
        position, step = position_for(technique)
        pictures[technique.lower().replace(" ", "-")] = to_svg(step_scene(position, step), CELL)
    for kind in ("x", "jigsaw", "killer"):
        puzzle = next(generate_many(1, Wish(kind=kind), seed=1))
        pictures[f"board-{kind}"] = to_svg(board(puzzle), CELL)
    return pictures


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, picture in draw().items():
        (FOLDER / f"{name}.svg").write_text(picture, encoding="utf-8")
        print(FOLDER / f"{name}.svg")


if __name__ == "__main__":
    main()
