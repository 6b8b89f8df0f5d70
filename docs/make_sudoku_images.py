"""Draw the examples of the Sudoku pages: `python docs/make_sudoku_images.py` writes docs/images/sudoku/*.svg and the page
docs/sudoku-techniques.md.

Every position is one that the program met on a puzzle of its own; see `tablero.sudoku.examples`.
"""

from __future__ import annotations

from pathlib import Path

from tablero.draw.svg import to_svg
from tablero.sudoku.draw import board, step_scene
from tablero.sudoku.examples import ABOUT, EXAMPLES, KILLERS, position_for
from tablero.sudoku.generating import Options, generate_many
from tablero.sudoku.logic.techniques import TECHNIQUES

DOCS = Path(__file__).parent
FOLDER = DOCS / "images" / "sudoku"
PAGE = DOCS / "sudoku-techniques.md"
CELL = 34

HEAD = """# The techniques of Sudoku

From the easiest to the hardest, with the rating on the scale of Sudoku Explainer 1.2.1 (that of the easiest form; chains
and nets are graded by their length), and HoDoKu's code and score where it knows the technique. On the way of a puzzle
(`step`, `hint`, `rate`) always the easiest step is taken; techniques marked *on request* cost much and are told by
`sudoku steps --all` only.

In the drawings yellow cells are looked at, green and blue candidates make the pattern (further sets and fins have colours of
their own), red ones go, and a green cell is filled. Lines are strong links (one of the two is right), dashed lines weak ones
(not both are). Every position was met by the program on a puzzle of its own (`tablero.sudoku.examples`). Those of
wide nets and of nested chains belong to boards with several solutions. The hardest kind has none: no puzzle made here has
needed it, but the hardest that are published do, as Golden Nugget (`sudoku step` shows it there).
`python docs/make_sudoku_images.py` makes this page.
"""


def image_name(technique: str) -> str:
    return technique.lower().replace(",", "").replace("+", "-").replace(" ", "-")


def draw() -> dict[str, str]:
    """The name of each drawing, and what is in it."""
    pictures = {}
    for technique in (*EXAMPLES, *KILLERS):
        position, step = position_for(technique)
        pictures[image_name(technique)] = to_svg(step_scene(position, step), CELL)
    for kind in ("x", "jigsaw", "killer"):
        puzzle = next(generate_many(1, Options(kind=kind), seed=1))
        pictures[f"board-{kind}"] = to_svg(board(puzzle), CELL)
    return pictures


def page() -> str:
    """The page of all techniques."""
    parts = [HEAD]
    for technique in TECHNIQUES:
        name = technique.name
        parts.append(f"## {name[0].upper()}{name[1:]} ({technique.rating})\n\n{ABOUT[name]}\n")
        reported = [f"HoDoKu: {technique.code}, score {technique.score}"] if technique.code else []
        reported += [] if technique.walked else ["on request"]
        if reported:
            parts.append(f"*{'; '.join(reported)}.*\n")
        if name in EXAMPLES or name in KILLERS:
            _, step = position_for(name)
            parts.append(f"![{name}](images/sudoku/{image_name(name)}.svg)\n\n{step.sentence}\n")
    return "\n".join(parts)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, picture in draw().items():
        (FOLDER / f"{name}.svg").write_text(picture, encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
