"""Draw the examples of the Sudoku pages: `python docs/make_sudoku_images.py` writes docs/images/sudoku/*.svg and the page
docs/sudoku-techniques.md.

The positions are those of `tablero.sudoku.examples`.
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

The techniques are listed from the easiest to the hardest. The rating is that of the easiest form on the scale of Sudoku
Explainer 1.2.1; the length of a chain or a net raises it. HoDoKu's code and score are given for the techniques that HoDoKu
has. `step`, `hint` and `rate` always use the easiest step. Techniques marked *on request* are slow; only
`sudoku steps --all` and `sudoku steps --technique` use them.

In the drawings, the cells of the pattern are yellow and its candidates are green and blue; further sets and fins have other
colours. Removed candidates are red, and a filled cell is green. Solid lines are strong links (at least one end is true), and
dashed lines are weak links (at most one end is true). The positions come from generated puzzles
(`tablero.sudoku.examples`). Those of wide nets and nested chains have several solutions. The hardest technique has no
example, because no generated puzzle has needed it; `sudoku step` shows it in published puzzles such as Golden Nugget.
`python docs/make_sudoku_images.py` writes this page.
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
