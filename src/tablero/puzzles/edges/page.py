"""Edge-matching puzzles on the web page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablero.web.forms import HOW_MANY, SEED, Cells, Field, Form, Page, Shown, Verb, most_of

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.puzzles.edges.optimise import Best
    from tablero.puzzles.edges.puzzle import EdgePuzzle
    from tablero.puzzles.edges.solve import Layings
    from tablero.runs.findings import Findings
    from tablero.runs.runner import Run

_SMALL = "size 3\n1 0 1 2\n3 2 1 0\n2 1 0 0\n0 0 3 1\n0 1 3 3\n1 3 0 0\n2 0 3 1\n3 0 0 1\n3 1 2 2\n"
_LAID = (  # so that it shows as a whole
    "size 5\n0 2 3 0\n0 4 2 2\n0 3 4 4\n0 3 4 3\n0 0 1 3\n3 2 3 0\n2 4 2 2\n4 3 3 4\n4 3 2 3\n1 0 1 3\n3 2 3 0\n2 4 3 2\n"
    "3 2 2 4\n2 1 3 2\n1 0 2 1\n3 1 1 0\n3 2 3 1\n2 2 4 2\n3 1 1 2\n2 0 1 1\n1 4 0 0\n3 1 0 4\n4 1 0 1\n1 4 0 1\n1 0 0 4\n"
)


def _puzzle(form: Form) -> EdgePuzzle:
    from tablero.puzzles.edges.formats import parse

    return parse(form["pieces"], "the pieces")


def _shown(puzzle: EdgePuzzle, text: str) -> Shown:
    from tablero.puzzles.edges.draw import scene

    board = puzzle.board
    words = f"{len(puzzle.pieces)} pieces, {puzzle.colours} colours"
    cells = Cells(board.rows, board.columns, 0.15, 0.15) if puzzle.sides == 4 else None
    return Shown({"pieces": text}, words, scene(puzzle, puzzle.unlaid, "the pieces, unsorted", marks=False), cells)


def _show(form: Form) -> Shown:
    return _shown(_puzzle(form), form["pieces"])


def _load(data: bytes, name: str) -> Shown:
    from tablero.files import decode

    return _show(Form(pieces=decode(data, name or "the file")))


def _make(form: Form, run: Run) -> Shown:
    from tablero.puzzles.edges.formats import write
    from tablero.puzzles.edges.generate import generate

    puzzle = generate(form["size"].strip(), colours=form["colours"], seed=form["seed"])
    return _shown(puzzle, write(puzzle))


def _solve(form: Form, run: Run) -> Layings:
    return _puzzle(form).solve(most_of(form), run=run)


def _count(form: Form, run: Run) -> Layings:
    from tablero.puzzles.edges.solve import count

    return count(_puzzle(form), run=run)


def _optimise(form: Form, run: Run) -> Best:
    return _puzzle(form).optimise(seed=form["seed"], run=run)


def _picture(found: Findings[Any], number: int) -> Scene | None:
    from tablero.puzzles.edges.draw import scene
    from tablero.puzzles.edges.solve import Layings

    if isinstance(found, Layings):
        return scene(found.puzzle, found.layings[number])
    return found.scene() if number == 0 else None


PAGE = Page(
    "Edge matching",
    "Lay square pieces so that touching sides have one colour.",
    (
        Field(
            "pieces", "Pieces", "area", _SMALL, hint="a size, then a piece a line: its colours from the top clockwise"
        ),
    ),
    _show,
    (
        Verb("solve", "Solve", _solve, (HOW_MANY,), searches=True),
        Verb("count", "Count", _count, searches=True),
        Verb("optimise", "Optimise", _optimise, (SEED,), searches=True),
        Verb(
            "make",
            "Make",
            _make,
            (
                Field("size", "Size", "line", "6", hint="6, or 5x8"),
                Field("colours", "Colours", "number", 6, least=1, most=500),
                SEED,
            ),
            makes=True,
        ),
    ),
    (("Nine pieces", {"pieces": _SMALL}),),
    _load,
    _picture,
    card={"pieces": _LAID},
)
