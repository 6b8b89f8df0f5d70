"""Exact cover on the web page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tablero.cover import verbs
from tablero.cover.draw import bipartite, board, has_cells, mosaic
from tablero.files import decode
from tablero.text import several
from tablero.verbs import parameters
from tablero.web.derived import derive, fields_of, puzzle_of
from tablero.web.forms import Form, Page, Shown

if TYPE_CHECKING:
    from tablero.cover.puzzle import ExactCover
    from tablero.cover.tracing import Trace
    from tablero.draw.scene import Scene

_KNUTH = "a b c d e f g\n\nc e\na d g\nb c f\na d f\nb g\nd e g\n"
_CELLS = " ".join(f"r{r}c{c}" for r in range(1, 7) for c in range(1, 11))
_PENTOMINOES = f"""F I L N P T U V W X Y Z {_CELLS}

X r1c3 r2c2 r2c3 r2c4 r3c3
L r1c1 r1c2 r2c1 r3c1 r4c1
F r1c4 r1c5 r2c5 r2c6 r3c5
T r1c6 r1c7 r1c8 r2c7 r3c7
U r3c2 r3c4 r4c2 r4c3 r4c4
P r5c1 r5c2 r5c3 r6c1 r6c2
I r6c3 r6c4 r6c5 r6c6 r6c7
Z r3c6 r4c6 r4c7 r4c8 r5c8
Y r4c5 r5c4 r5c5 r5c6 r5c7
V r4c10 r5c10 r6c8 r6c9 r6c10
W r1c9 r1c10 r2c8 r2c9 r3c8
N r2c10 r3c9 r3c10 r4c9 r5c9
"""
_MOST_DRAWN = 120  # items and options of a problem that is drawn with a line for every one


def _is_small(problem: ExactCover) -> bool:
    return len(problem) + len(problem.items) <= _MOST_DRAWN


def _shown(problem: ExactCover, text: str) -> Shown:
    words = f"{several(len(problem.items), 'item')}, {several(len(problem), 'option')}"
    if not has_cells(problem):
        return Shown({"problem": text}, words, bipartite(problem) if _is_small(problem) else None)
    # Options that meet nowhere are shown where they lie; of others only one in many will.
    laid = sum(len(problem.option(k)) for k in range(min(len(problem), len(problem.items)))) == len(problem.items)
    drawn = mosaic(problem, range(len(problem)), "the options, laid") if laid else board(problem, "the board, empty")
    return Shown({"problem": text}, words, drawn.scene())


def _show(form: Form) -> Shown:
    return _shown(puzzle_of(verbs.problem, form), form["problem"])


def _load(data: bytes, name: str) -> Shown:
    return _show(Form(problem=decode(data, name or "the file")))


def _made(problem: ExactCover, _: Mapping[str, Any]) -> Shown:
    from tablero.cover.formats import write

    return _shown(problem, write(problem, ""))


def _played(found: Trace, _: Mapping[str, Any]) -> dict[str, Any]:
    """Algorithm X step by step, on the matrix."""
    reported = {"status": found.status, "solutions": len(found.covers), "nodes": found.nodes}
    return {**reported, "seconds": 0, "page": found.page()}


def _picture(found: Any, number: int) -> Scene | None:
    chosen = found.chosen[number]
    if not has_cells(found.puzzle):
        return bipartite(found.puzzle, chosen) if _is_small(found.puzzle) else None
    return (mosaic(found.puzzle, chosen, "a cover") if chosen else board(found.puzzle, "the board, empty")).scene()


_FIELDS = tuple(
    replace(one, hint="first a line with the items, then an option a line")
    for one in fields_of(parameters(verbs.problem), problem=_KNUTH)
)

PAGE = Page(
    "Exact cover",
    "Choose options so that every item is covered exactly once.",
    _FIELDS,
    _show,
    (
        derive(verbs.solve),
        derive(verbs.count),
        derive(verbs.trace, show=_played),
        derive(verbs.generate, show=_made),
    ),
    (("Knuth's small example", {"problem": _KNUTH}),),
    _load,
    _picture,
    says=(
        "options",
        "items",
        "# options and # items of an exact cover problem",
        "# items, # options",
        *("# item", "# items", "# option", "# options"),
    ),
    info={"problem": _PENTOMINOES},
)
