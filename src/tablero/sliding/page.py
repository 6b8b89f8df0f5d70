"""The page of sliding tiles: a board to play on, and its solution played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tablero.draw.tiles import MARGIN
from tablero.errors import BadInput
from tablero.files import decode
from tablero.sliding import verbs
from tablero.sliding.draw import can_draw, scene
from tablero.sliding.puzzle import Board
from tablero.text import several
from tablero.verbs import described, parameters
from tablero.web.derived import derive, fields_of, puzzle_of
from tablero.web.forms import Cells, Field, Form, Page, Shown, Verb

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.runs.findings import Findings
    from tablero.runs.run import Run
    from tablero.sliding.puzzle import Boards
    from tablero.sliding.solution import Solution

_STEPS = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1)}
_MOST_CELLS = 10_000  # of a generated board
_MOST_MOVES = 200_000  # of the longest answer that the page plays
_MOST_TEXT = 20_000  # of the longest answer that is shown as text


def _one_board(board: verbs.Tiles, *, goal: verbs.NamedGoal = "blank-last") -> Board:
    """The board of the page."""
    from tablero.sliding.formats import parse

    return parse(board, goal=goal)


def _board(form: Mapping[str, Any]) -> Board:
    board: Board = puzzle_of(_one_board, form)
    return board


def _shown(board: Board, goal: str, **more: Any) -> Shown:
    words = f"{board.rows}×{board.columns}" + ("" if board.solvable else ": it cannot be solved")
    return Shown(
        {"board": board.text, "goal": goal},
        words,
        scene(board) if can_draw(board) else None,
        Cells(board.rows, board.columns, MARGIN, MARGIN),
        {
            "blank": board.blank,
            "solvable": board.solvable,
            "home": board.tiles == board.goal,
            "lower": _lower(board),
            **more,
        },
    )


def _lower(board: Board) -> int:
    """A lower bound of the moves: the sum of the distances of the tiles from their places."""
    place = {tile: divmod(k, board.columns) for k, tile in enumerate(board.goal)}
    cells = ((divmod(k, board.columns), place[tile]) for k, tile in enumerate(board.tiles) if tile)
    return sum(abs(row - a) + abs(column - b) for (row, column), (a, b) in cells)


def _show(form: Form) -> Shown:
    return _shown(_board(form), form["goal"])


def _load(data: bytes, name: str) -> Shown:
    return _show(Form(board=decode(data, name or "the file"), goal="blank-last"))


def _made(found: Boards, _: Mapping[str, Any]) -> Shown:
    board = found[0]
    if len(board.tiles) > _MOST_CELLS:
        raise BadInput(f"a board of {board.rows}×{board.columns}: expected at most {_MOST_CELLS:,} cells on a page")
    return _shown(board, "blank-last")


def _solved(found: Solution, _: Mapping[str, Any]) -> dict[str, Any]:
    """The moves, and whether they are proved shortest."""
    proof = ", proved shortest" if found.optimal else f", at least {found.lower:,} are needed"
    words = f"{several(len(found), 'move')} by {found.method}{proof}"
    values = {**found.to_dict(), "say": words if found.answers else found.puzzle.reason}
    if len(found) > _MOST_MOVES:
        values["answers"] = []
    elif found.answers and len(found) <= _MOST_TEXT:
        values["text"] = found.moves
    if found.answers and found.scene() is not None and len(found) <= _MOST_MOVES:
        values["page"] = found.page()
    return values


def _solve() -> Verb:
    """The form of `solve`; methods that work at once do not take limits."""
    made = derive(verbs.solve, reads=_one_board, only=("method",), show=_solved)

    def answer(form: Form, run: Run) -> Any:
        return made.answer(form, run.within(None) if form["method"] in verbs.RULED else run)

    return replace(made, answer=answer)


def _picture(found: Findings[Any], number: int) -> Scene | None:
    """The board to solve; of a running search the board at the end of its path."""
    board = found.puzzle
    if not can_draw(board):
        return None
    return scene(_moved(board, found.answers[0])[0] if found.result.partial else board)


def _moved(board: Board, moves: str) -> tuple[Board, int]:
    """The board after some moves, and how many were made; moves off the board are skipped."""
    tiles, blank = list(board.tiles), board.blank
    made = 0
    for letter in moves:
        if letter not in _STEPS:
            raise BadInput(f"the move {letter!r}: expected N, S, E or W")
        down, across = _STEPS[letter]
        row, column = blank // board.columns + down, blank % board.columns + across
        if 0 <= row < board.rows and 0 <= column < board.columns:
            target = row * board.columns + column
            tiles[blank], tiles[target] = tiles[target], tiles[blank]
            blank = target
            made += 1
    return Board(board.rows, board.columns, tuple(tiles), board.goal), made


def _play(form: Form, run: Run) -> Shown:
    """The board after some moves; moves off the board are skipped."""
    board, made = _moved(_board(form), form["moves"].strip())
    return _shown(board, form["goal"], made=made)


_METHODS = next(one.choices[1:] for one in described(verbs.solve).options if one.name == "method")

PAGE = Page(
    "Sliding tiles",
    "Slide the tiles into order; the blank goes N, S, E and W.",
    fields_of(parameters(_one_board), board="3 14 7 9/13 11 4 5/12 8 1 0/15 6 2 10"),
    _show,
    (
        _solve(),
        derive(verbs.random, label="Make", only=("size", "seed"), show=_made),
        Verb("play", "Play", _play, (Field("moves", "Moves"),), light=True),
    ),
    (
        ("Fifteen tiles", {"board": "3 14 7 9/13 11 4 5/12 8 1 0/15 6 2 10", "goal": "blank-last"}),
        ("Eight tiles", {"board": "8 6 7/2 5 4/3 0 1", "goal": "blank-last"}),
    ),
    _load,
    _picture,
    says=(
        "a board of #×#",
        "#×#",
        "#×#: it cannot be solved",
        "the permutation is * and the blank is * from its goal cell, which is *",
        *("odd", "even", "# move", "# moves"),
        "no moves can bring these together",
        *(f"{moves} by optimal, proved shortest" for moves in ("# move", "# moves")),
        *(f"{moves} by {method}, at least # are needed" for moves in ("# move", "# moves") for method in _METHODS),
    ),
    script=True,
)
