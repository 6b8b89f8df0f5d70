"""Sliding tiles on the web page: a board to play, and its solution played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablero.web.forms import SEED, Cells, Field, Form, Page, Shown, Verb

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.runs.findings import Findings
    from tablero.runs.run import Run
    from tablero.sliding.puzzle import Board

_METHODS = ("auto", "optimal", "anytime", "carry", "table", "transport", "sides", "parberry")
_STEPS = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1)}
_MOST_MOVES = 200_000  # that the page plays
_MOST_TEXT = 20_000  # that are told as a text


def _board(form: Form) -> Board:
    from tablero.sliding.formats import parse

    return parse(form["board"], "the board", form["goal"])


def _shown(board: Board, goal: str, **more: Any) -> Shown:
    from tablero.sliding.draw import can_draw, scene
    from tablero.sliding.formats import write

    words = f"{board.rows}×{board.columns}" + ("" if board.solvable else ": it cannot be solved")
    return Shown(
        {"board": write(board), "goal": goal},
        words,
        scene(board) if can_draw(board) else None,
        Cells(board.rows, board.columns, 0.2, 0.2),
        {
            "blank": board.blank,
            "solvable": board.solvable,
            "home": board.tiles == board.goal,
            "lower": _lower(board),
            **more,
        },
    )


def _lower(board: Board) -> int:
    """Moves that are needed at least: the way of every tile to its place, as if no other were there."""
    place = {tile: divmod(k, board.columns) for k, tile in enumerate(board.goal)}
    far = 0
    for k, tile in enumerate(board.tiles):
        if tile:
            row, column = divmod(k, board.columns)
            far += abs(row - place[tile][0]) + abs(column - place[tile][1])
    return far


def _show(form: Form) -> Shown:
    return _shown(_board(form), form["goal"])


def _load(data: bytes, name: str) -> Shown:
    from tablero.files import decode

    return _show(Form(board=decode(data, name or "the file"), goal="blank-last"))


def _make(form: Form, run: Run) -> Shown:
    from tablero.sliding.generating import generate

    return _shown(generate(form["rows"], form["columns"], seed=form["seed"]), "blank-last")


def _solve(form: Form, run: Run) -> dict[str, Any]:
    """The moves, and what is known about them."""
    from tablero.sliding.constructive import METHODS as CONSTRUCTIVE
    from tablero.sliding.draw import can_draw, player
    from tablero.words import several

    if form["method"] in CONSTRUCTIVE:
        run = run.within(None)  # it is done at once, and refuses limits
    found = _board(form).solve(form["method"], run=run)
    proof = ", proved shortest" if found.optimal else f", at least {found.lower:,} are needed"
    words = f"{several(len(found), 'move')} by {found.method}{proof}"
    values = {**found.values(), "answers": list(found.answers), "say": words if found.answers else found.puzzle.reason}
    if len(found) > _MOST_MOVES:
        values["answers"] = []
    elif found.answers and len(found) <= _MOST_TEXT:
        values["text"] = found.moves
    if found.answers and can_draw(found.puzzle) and len(found) <= _MOST_MOVES:
        values["page"] = player(found)
    return values


def _picture(found: Findings[Any], number: int) -> Scene | None:
    """The board that was to be solved; of a search under way the board that its path has led to."""
    from tablero.sliding.draw import can_draw, scene

    board = found.puzzle
    if not can_draw(board):
        return None
    return scene(_moved(board, found.answers[0])[0] if found.result.partial else board)


def _moved(board: Board, moves: str) -> tuple[Board, int]:
    """The board after some moves of the blank, and how many were made: those that lead off the board are passed over."""
    from tablero.errors import BadInput
    from tablero.sliding.puzzle import Board

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
    """The board after some moves of the blank; those that lead off the board are passed over."""
    board, made = _moved(_board(form), form["moves"].strip())
    return _shown(board, form["goal"], made=made)


PAGE = Page(
    "Sliding tiles",
    "Slide the tiles into order; the blank goes N, S, E and W.",
    (
        Field("board", "Board", "area", "3 14 7 9/13 11 4 5/12 8 1 0/15 6 2 10", hint="rows, 0 for the blank"),
        Field("goal", "Goal", "choice", "blank-last", ("blank-last", "blank-first")),
    ),
    _show,
    (
        Verb(
            "solve",
            "Solve",
            _solve,
            (Field("method", "Method", "choice", "auto", _METHODS),),
            searches=True,
            at_once=({"method": _METHODS[2:]},),  # these are quick, or take what time there is
        ),
        Verb(
            "make",
            "Make",
            _make,
            (
                Field("rows", "Rows", "number", 4, least=2, most=100),
                Field("columns", "Columns", "number", 4, least=2, most=100),
                SEED,
            ),
            makes=True,
            command="random",
        ),
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
        *(f"{moves} by {method}, at least # are needed" for moves in ("# move", "# moves") for method in _METHODS[1:]),
    ),
    script=True,
)
