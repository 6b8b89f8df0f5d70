"""Decompositions on the web page: the form that the DLX thesis had for its server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablero.web.forms import HOW_MANY, Field, Form, Page, Shown, Verb, most_of

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.puzzles.decomposition.puzzle import DecompositionPuzzle
    from tablero.puzzles.decomposition.solve import Found
    from tablero.runs.findings import Findings
    from tablero.runs.runner import Run


def _puzzle(form: Form) -> DecompositionPuzzle:
    from tablero.errors import BadInput
    from tablero.puzzles.decomposition.puzzle import decompose

    for name in ("host", "part"):
        if "@" in form[name] or not form[name].strip():  # a file of the server's is nobody's to name
            raise BadInput(
                f"{'Graph' if name == 'host' else 'Part'}: {form[name][:60]!r}: expected a word as K8, or edges"
            )
    symmetry = form["symmetry"]
    return decompose(form["host"].strip(), form["part"].strip(), symmetry=None if symmetry == "none" else symmetry)


def _show(form: Form) -> Shown:
    puzzle = _puzzle(form)
    lines = puzzle.lines
    return Shown(dict(form), f"{lines:,} edges to be divided", puzzle.scene() if lines <= 2000 else None)


def _solve(form: Form, run: Run) -> Found:
    return _puzzle(form).solve(most_of(form), run=run)


def _count(form: Form, run: Run) -> Found:
    from tablero.puzzles.decomposition.solve import count

    return count(_puzzle(form), run=run)


def _picture(found: Findings[Any], number: int) -> Scene | None:
    scene: Scene = found.answers[number].scene()
    return scene


PAGE = Page(
    "Decompositions",
    "Divide the edges of a graph into copies of a part.",
    (
        Field("host", "Graph", "line", "K8", hint="K8, K4,4, or edges as [(0,1),(1,2)]"),
        Field("part", "Part", "line", "double-star", hint="double-star, hamiltonian-path, cycle-4, or edges"),
        Field("symmetry", "Symmetry", "choice", "none", ("none", "cyclic", "rotational", "bicyclic")),
    ),
    _show,
    (
        Verb("solve", "Solve", _solve, (HOW_MANY,), searches=True),
        Verb("count", "Count", _count, searches=True),
    ),
    (
        ("K8 into double stars", {"host": "K8", "part": "double-star", "symmetry": "none"}),
        ("K9 into triangles", {"host": "K9", "part": "triangle", "symmetry": "none"}),
    ),
    None,
    _picture,
)
