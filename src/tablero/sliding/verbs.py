"""The verbs of sliding tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal, cast, get_args

from tablero.runs.run import HERE, Run
from tablero.verbs import Meta, Not, Refuse, Spelling, maker, verb, writes
from tablero.verbs.types import PerPage, Puzzles, Seed, Title, sheet_pdf, sheet_svg

if TYPE_CHECKING:
    from tablero.draw.sheet import Worksheet
    from tablero.sliding.checking import Checked
    from tablero.sliding.puzzle import Board, Boards
    from tablero.sliding.solution import Solution, Solutions
    from tablero.sliding.worst_cases import Worst

MOST_WORST = 40
NamedGoal = Literal["blank-last", "blank-first"]
TileByTile = Literal["table", "sides", "parberry", "transport"]
Bound = Literal["auto", "patterns", "walking", "lines"]
_TILE_BY_TILE = {
    "table": "tile by tile, with a table of 2×2 windows",
    "sides": "the same with cells that touch by a side only",
    "parberry": "Parberry's greedy algorithm",
    "transport": "tile by tile, each on a shortest joint path of tile and blank",
}
RULED = (*get_args(TileByTile), "carry")  # methods whose moves have rules
_DRAWN = "tablero.sliding.draw:require_drawable"

Tiles = Annotated[
    str,
    Meta(description="The board in one line, a file with one or more boards, or - for standard input."),
    Spelling(metavar="BOARD", label="Board", lines=True),
]
Goal = Annotated[
    str,
    Meta(description="The order to reach: blank-last, blank-first, or a board."),
    Spelling(metavar="GOAL", complete="tablero.sliding.formats:goals"),
]
Size = Annotated[
    int | str | Sequence[int],
    Meta(description="Rows and columns: 4, or 3x5."),
    Spelling(metavar="SIZE", reads="tablero.sliding.formats:sides"),
]


def board(board: Tiles, *, goal: Goal = "blank-last") -> Board | Boards:
    """A board, or the boards of a file, with the order to reach."""
    from tablero.sliding.formats import named

    return named(board, goal)


@writes()
def output(found: Solution | Solutions) -> str | None:
    """Write the moves into this file."""
    return found.moves_text()


@writes(".svg", before=_DRAWN)
def svg(found: Solution) -> str | None:
    """Draw the board into this file."""
    return found.to_svg()


@writes(".html", before=_DRAWN)
def page(found: Solution) -> str | None:
    """Write a page that plays the moves."""
    return found.page()


@writes(".svg", name="svg")
def first_svg(found: Boards | Worst) -> str:
    """Draw the first board into this file."""
    return found.to_svg()


@writes(".html", name="page")
def worst_page(found: Worst) -> str:
    """Write a page that plays the moves."""
    return found.page()


def count(found: Solution | Solutions) -> Solution | Solutions:
    """Print only the number of moves."""
    return found.shown(lambda one: replace(one, result=replace(one.result, kept=False)))


def explain(found: Solution | Solutions) -> Solution | Solutions:
    """Print the rule of each move."""
    return found.shown(lambda one: replace(one, explained=True))


def animate(found: Solution) -> Solution:
    """Play the moves in the terminal."""
    return replace(found, animated=True)


@verb(
    reads=board,
    durable=True,
    refuses=[
        *(
            Refuse(
                {"estimate": Not(("auto",)), "method": (one,)},
                f"an estimate goes with the method optimal, not with {one}",
            )
            for one in (*RULED, "anytime")
        ),
        Refuse(
            {"explain": (True,), "method": ("auto", "optimal", "anytime")},
            f"{{explain}} goes with {', '.join(RULED)}: the moves of other methods follow no rule",
        ),
    ],
    at_once=[{"method": (*RULED, "anytime")}],
    writes=[output, svg, page],
    views=[count, explain, animate],
)
def solve(
    puzzle: Board,
    *,
    method: Annotated[
        Literal["auto", TileByTile, "carry", "optimal", "anytime"],
        Meta(description="How the moves are found."),
        Spelling(
            short="-m",
            meanings={
                "auto": "optimal up to 16 cells, otherwise anytime",
                **_TILE_BY_TILE,
                "carry": "tile by tile, while the blank carries other tiles towards their places",
                "optimal": "a shortest solution, with a proof",
                "anytime": "a solution that becomes shorter until the time limit",
            },
        ),
    ] = "auto",
    estimate: Annotated[
        Bound,
        Meta(description="The lower bound that optimal uses."),
        Spelling(
            meanings={
                "auto": "the best bound for the size of the board",
                "patterns": "pattern databases, for 3×3, 4×4 and 5×5",
                "walking": "walking distance, up to 4×4",
                "lines": "Manhattan distance and linear conflicts",
            }
        ),
    ] = "auto",
    run: Run = HERE,
) -> Solution:
    """Find moves that solve a board.

    Examples:
        tablero slide solve '8 6 7/2 5 4/3 0 1'
        tablero slide random 4 --seed 1 > board.txt
        tablero slide solve board.txt --method optimal --page moves.html
    """
    from tablero.sliding.solving import solve as work

    return cast("Solution", work(puzzle, method=method, estimate=estimate, run=run))  # of several boards: Solutions


@maker(writes=[first_svg, worst_page])
def worst(
    n: Annotated[int, Meta(ge=3, le=MOST_WORST, description="The side of the board."), Spelling(metavar="N")],
    *,
    method: Annotated[
        TileByTile, Meta(description="The tile-by-tile method."), Spelling(short="-m", meanings=_TILE_BY_TILE)
    ] = "table",
    run: Run = HERE,
) -> Worst:
    """Find the exact worst case of a tile-by-tile method on N×N, and a board that attains it.

    If stopped early, the board has its first lines in place and the worst case in the others.

    Examples:
        tablero slide worst 4 --method table
    """
    from tablero.sliding.worst_cases import worst as work

    return work(n, method, run=run)


@maker(writes=[first_svg])
def random(
    size: Size = 4,
    *,
    number: Annotated[
        int, Meta(ge=1, le=100_000, description="Number of boards."), Spelling(option="count", short="-n")
    ] = 1,
    goal: Goal = "blank-last",
    seed: Seed = 1,
) -> Boards:
    """Make solvable boards; board number k is that of seed + k − 1.

    Examples:
        tablero slide random 4 --seed 1 -n 3
    """
    from tablero.sliding.generating import random as work

    return work(size, number=number, goal=goal, seed=seed)


@verb(reads=board)
def check(
    puzzle: Board,
    *,
    moves: Annotated[
        str | None,
        Meta(description="Moves to play, as a word of N S E W, or a file."),
        Spelling(metavar="MOVES"),
    ] = None,
) -> Checked:
    """Check whether a board can be solved, and why; with moves, whether they solve it.

    Examples:
        tablero slide check '1 2 3/4 5 6/8 7 0'
        tablero slide check '1 2 3/4 5 6/0 7 8' --moves EE
    """
    from tablero.sliding.checking import check as work
    from tablero.sliding.formats import word_of

    return work(puzzle, None if moves is None else word_of(moves))


@maker(writes=[sheet_pdf, sheet_svg], must_write=True)
def worksheet(
    size: Size = 3,
    *,
    moves: Annotated[
        int | None, Meta(ge=1, le=40, description="Number of moves of every shortest answer; any number if left out.")
    ] = None,
    count: Puzzles = 6,
    seed: Seed = 0,
    title: Title = "",
    per_page: PerPage = 6,
) -> Worksheet:
    """Print boards to put in order, each with the length of a shortest answer; answers at the end.

    Examples:
        tablero slide worksheet --moves 12 --pdf slide.pdf
        tablero slide worksheet 3x4 -n 4 --per-page 4 --title 'Hard ones' --pdf slide.pdf
    """
    from tablero.sliding.worksheets import worksheet as work

    return work(size, moves=moves, count=count, seed=seed, title=title, per_page=per_page)
