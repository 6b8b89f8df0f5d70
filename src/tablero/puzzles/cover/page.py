"""Exact cover on the web page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablero.web.forms import HOW_MANY, Field, Form, Page, Shown, Verb, most_of

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.puzzles.cover.puzzle import ExactCover
    from tablero.puzzles.cover.solve import Covers
    from tablero.runs.findings import Findings
    from tablero.runs.runner import Run

_KNUTH = "a b c d e f g\n\nc e\na d g\nb c f\na d f\nb g\nd e g\n"
_KINDS = ("dominoes", "langford", "one-factorisations", "pentominoes", "queens", "steiner", "sudoku")


def _shown(problem: ExactCover, text: str) -> Shown:
    from tablero.puzzles.cover.draw import board, has_cells

    drawn = has_cells(problem)
    return Shown(
        {"problem": text},
        f"{len(problem.items):,} items, {len(problem):,} options",
        board(problem, "the board, empty").scene() if drawn else None,
    )


def _problem(form: Form) -> ExactCover:
    from tablero.puzzles.cover.formats import parse

    return parse(form["problem"], "the problem")


def _show(form: Form) -> Shown:
    return _shown(_problem(form), form["problem"])


def _load(data: bytes, name: str) -> Shown:
    from tablero.files import decode

    return _show(Form(problem=decode(data, name or "the file")))


def _make(form: Form, run: Run) -> Shown:
    from tablero.puzzles.cover.formats import write
    from tablero.puzzles.cover.generate import generate

    problem = generate(form["kind"], form["size"].strip(), holes=form["holes"].strip())
    return _shown(problem, write(problem))


def _solve(form: Form, run: Run) -> Covers:
    return _problem(form).solve(most_of(form), run=run)


def _count(form: Form, run: Run) -> Covers:
    from tablero.puzzles.cover.solve import count

    return count(_problem(form), run=run)


def _cheapest(form: Form, run: Run) -> Covers:
    return _problem(form).cheapest(run=run)


def _picture(found: Findings[Any], number: int) -> Scene | None:
    from tablero.puzzles.cover.draw import has_cells, mosaic
    from tablero.puzzles.cover.solve import Covers

    assert isinstance(found, Covers)
    return mosaic(found.puzzle, found.chosen[number]).scene() if has_cells(found.puzzle) else None


PAGE = Page(
    "Exact cover",
    "Choose options so that every item is covered exactly once.",
    (Field("problem", "Items and options", "area", _KNUTH, hint="the first line names the items, every other line is an option"),),
    _show,
    (
        Verb("solve", "Solve", _solve, (HOW_MANY,), searches=True),
        Verb("count", "Count", _count, searches=True),
        Verb("cheapest", "Cheapest", _cheapest, searches=True),
        Verb(
            "make",
            "Make",
            _make,
            (
                Field("kind", "Kind", "choice", "pentominoes", _KINDS),
                Field("size", "Size", hint="6x10 for a board, else a number"),
                Field("holes", "Holes", hint="cells to leave out, as r4c4,r4c5"),
            ),
            makes=True,
        ),
    ),
    (("Knuth's small example", {"problem": _KNUTH}),),
    _load,
    _picture,
)
