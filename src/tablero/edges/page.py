"""Edge-matching puzzles on the web page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tablero import edges
from tablero.edges import verbs
from tablero.errors import BadInput
from tablero.files import decode
from tablero.text import several
from tablero.web.derived import derive
from tablero.web.forms import BadField, Cells, Field, Form, Page, Shown

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.edges.puzzle import EdgePuzzle
    from tablero.edges.tracing import Trace
    from tablero.runs.findings import Findings

_SMALL = "size 3\n1 0 1 2\n3 2 1 0\n2 1 0 0\n0 0 3 1\n0 1 3 3\n1 3 0 0\n2 0 3 1\n3 0 0 1\n3 1 2 2\n"
_LAID = (  # 25 pieces in the order of their solution
    "size 5\n0 2 3 0\n0 4 2 2\n0 3 4 4\n0 3 4 3\n0 0 1 3\n3 2 3 0\n2 4 2 2\n4 3 3 4\n4 3 2 3\n1 0 1 3\n3 2 3 0\n2 4 3 2\n"
    "3 2 2 4\n2 1 3 2\n1 0 2 1\n3 1 1 0\n3 2 3 1\n2 2 4 2\n3 1 1 2\n2 0 1 1\n1 4 0 0\n3 1 0 4\n4 1 0 1\n1 4 0 1\n1 0 0 4\n"
)
_CARD = {"pieces": _LAID, "laying": "", "pins": ""}


def _pieces(form: Form) -> EdgePuzzle:
    """Read the pieces, as text or as an address of the community's viewer."""
    return edges.parse(form["pieces"], "the pieces")


def _laying(puzzle: EdgePuzzle, form: Form) -> list[int]:
    """The board: as the player has arranged it, or the pieces in their order."""
    from tablero.edges.layings import parse_layings

    if not form["laying"].strip():
        return list(map(int, puzzle.unlaid))
    try:
        return [int(variant) for variant in parse_layings(puzzle, form["laying"], "the board")[0]]
    except BadInput as error:
        raise BadField("laying", str(error)) from None


def _puzzle(form: Form) -> EdgePuzzle:
    """The puzzle with the pinned pieces as clues."""
    from tablero.edges.puzzle import NOWHERE, Clue

    puzzle = replace(_pieces(form), origin=NOWHERE)
    pins = form["pins"].split()
    if not pins:
        return puzzle
    laying, sides = _laying(puzzle, _laid(form)), puzzle.sides
    names = {puzzle.board.name(cell): cell for cell in range(puzzle.board.cells)}
    clues = {clue.cell: clue for clue in puzzle.clues}
    for name in pins[: len(names)]:
        if name not in names:
            raise BadField("pins", f"Pinned: {name[:40]!r}: expected a cell as r1c2")
        cell = names[name]
        if laying[cell] >= 0:
            clues[cell] = Clue(cell, laying[cell] // sides, laying[cell] % sides)
    return replace(puzzle, clues=tuple(clues.values()))


def _shown(puzzle: EdgePuzzle, form: Form) -> Shown:
    from tablero.edges.checking import inner_outside, score
    from tablero.edges.draw import scene
    from tablero.edges.layings import address, has_address

    board, touched = puzzle.board, bool(form["laying"].strip())
    laying = _laying(puzzle, form)
    words = f"{several(len(puzzle.pieces), 'piece')}, {several(puzzle.colours, 'colour')}"
    reached = score(puzzle, laying)
    if touched:
        words = f"{reached} of {puzzle.maximum} joins match"
        if wrong := len(inner_outside(puzzle, laying)):
            words += f", {several(wrong, 'side')} on the border of an inner colour"
    square = puzzle.sides == 4
    return Shown(
        dict(form),
        words,
        scene(puzzle, laying, words, marks=True),
        Cells(board.rows, board.columns, 0.15, 0.15) if square else None,
        {
            "layout": puzzle.pairs(laying),
            "score": reached,
            "maximum": puzzle.maximum,
            "turning": puzzle.turning,
            "sides": puzzle.sides,
            "address": address(puzzle, laying) if has_address(puzzle) else "",
        },
    )


def _show(form: Form) -> Shown:
    return _shown(_puzzle(form), _laid(form))


def _laid(form: Form) -> Form:
    """The form with the board of an address."""
    from tablero.edges.layings import is_address, write_layings

    if form["laying"].strip() or not is_address(form["pieces"]):
        return form
    return Form({**form, "laying": " ".join(write_layings(_pieces(form)).split())})


def _with(text: str) -> Form:
    """A form with new pieces."""
    return Form(pieces=text, laying="", pins="")


def _load(data: bytes, name: str) -> Shown:
    return _show(_with(decode(data, name or "the file")))


def _made(puzzle: EdgePuzzle, _: Mapping[str, Any]) -> Shown:
    return _shown(puzzle, _with(edges.write(puzzle, "")))


def _traced(found: Trace, _: Mapping[str, Any]) -> dict[str, Any]:
    values = {"status": found.status, "solutions": found.solutions, "nodes": found.nodes}
    return {**values, "seconds": 0, "page": found.page()}


def _picture(found: Findings[Any], number: int) -> Scene | None:
    if isinstance(found, edges.Layings):
        return found.scene(number=number)
    return found.scene() if number == 0 else None


PAGE = Page(
    "Edge matching",
    "Lay square pieces so that touching sides have one colour.",
    (
        Field(
            "pieces", "Pieces", "area", _SMALL, hint="a size, then a piece a line, its colours clockwise; or an address"
        ),
        Field("laying", "Board", hint="piece/turn, cell by cell"),
        Field("pins", "Pinned", hint="cells whose piece stays, as r1c2"),
    ),
    _show,
    (
        derive(verbs.solve, puzzle=_puzzle, only=("most",)),
        derive(verbs.count, puzzle=_puzzle, only=()),
        derive(verbs.optimise, puzzle=_puzzle, only=("seed",)),
        derive(verbs.trace, puzzle=_puzzle, only=("branch", "steps"), show=_traced, defaults={"steps": 2000}),
        derive(
            verbs.generate,
            name="make",
            label="Make",
            only=("size", "colours", "seed"),
            show=_made,
            defaults={"size": "6", "colours": "6"},
        ),
    ),
    (("Nine pieces", {"pieces": _SMALL, "laying": "", "pins": ""}), ("Twenty-five pieces, laid", _CARD)),
    _load,
    _picture,
    says=(
        "# pieces, # colours",
        *("# piece", "# pieces", "# colour", "# colours"),
        # why colours are too many
        "* colours with the border",
        *(f"# {colours} {where}" for colours in ("colour", "colours") for where in ("along the frame", "inside")),
        *("a board of * has room for at most *", "a board of * has room for at most * there"),
        "# of # joins match",
        *(f"# of # joins match, # {side} on the border of an inner colour" for side in ("side", "sides")),
        "# of # joins",
        *("* piece with *", "* pieces with *", "# cell", "# cells"),
        # why there is no solution
        "inside a board every colour occurs an even number of times",
        *(f"colour # occurs # {times}{more}" for times in ("time", "times") for more in ("", " and # more")),
        "round the frame colour # does not pair up",
        "# side is left over",
        "# sides are left over",
        "a solved edge-matching puzzle",
        "the pieces of an edge-matching puzzle",
        "the pieces that are laid so far",
    ),
    script=True,
    info=_CARD,
)
