"""The verbs of edge-matching puzzles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

from tablero.runs.run import HERE, Here, Run
from tablero.verbs import GIVEN, Document, Meta, Not, Refuse, Spelling, maker, output, verb, writes
from tablero.verbs.types import Most, PerPage, Puzzles, Seed, Title, sheet_pdf, sheet_svg

if TYPE_CHECKING:
    from tablero.draw.sheet import Worksheet
    from tablero.edges.draw import Shown
    from tablero.edges.encoding import Encoding
    from tablero.edges.estimating import Estimate
    from tablero.edges.optimising import Best
    from tablero.edges.puzzle import EdgePuzzle
    from tablero.edges.solving import Layings
    from tablero.edges.tracing import Trace

MOST_COLOURS = 10_000
TEN_SECONDS = Here(time_limit=10.0)  # the default run of `optimise`
VIEWER = "https://e2.bucas.name/"

File = Annotated[
    str,
    Meta(description="File with pieces, as text, CSV or a viewer's address; or the address; - for standard input."),
    Spelling(label="Pieces"),
]
BoardSize = Annotated[str, Meta(description="Size of the board, as 8 or 6x9, if the file does not give it.")]
Sides = Annotated[str, Meta(description="Order of a square's sides in the file, as trbl.")]
Border = Annotated[str, Meta(description="Number of the border colour in the file, or none.")]
Clues = Annotated[
    Sequence[str],
    Meta(description="Additional clue: cell, piece and turn, as r2c3,6,1; may be repeated."),
    Spelling(metavar="CLUE"),
]
Boards = Annotated[
    str | None,
    Meta(
        description="File with boards as solve prints them, with covers as cover solve prints them, or JSON; or an address."
    ),
    Spelling(metavar="FILE"),
]
Numbers = Annotated[bool, Meta(description="Write the numbers of the pieces into the picture.")]
MethodName = Literal["auto", "fewest", "scan", "frame", "cover1", "cover2", "xcc", "ranked", "beam"]
Method = Annotated[
    MethodName,
    Meta(description="Search method."),
    Spelling(
        short="-m",
        meanings={
            "auto": "the method that an estimate predicts to be the fastest",
            "fewest": "fill the cell with the fewest fitting pieces next",
            "scan": "fill the cells in a fixed order, see --order",
            "frame": "the frame first, then the cell with the fewest fitting pieces",
            "cover1": "exact cover: one item for each piece, colours as secondary items",
            "cover2": "exact cover: colours in binary, all items primary",
            "xcc": "exact cover with coloured items for the joins",
            "ranked": "scan in rounds, the most promising boards first; finds one solution",
            "beam": "keep the best boards of each depth; finding no solution proves nothing",
        },
    ),
]
Order = Annotated[
    str,
    Meta(description="Order of cells for scan: auto, rows, columns, ring, spiral, diagonal, or all as r1c1,r1c2,…"),
    Spelling(complete="tablero.edges.board:order_names"),
]
UpToTurning = Annotated[bool, Meta(description="Find only one of the boards that are turns of each other.")]
Shape = Literal["square", "triangle", "hexagon"]
Size = Annotated[
    int | str,
    Meta(description="Side of the board, or rows and columns as 6x9."),
    Spelling(expected="a number, or rows and columns as 6x9"),
]
Pool = Annotated[int, Meta(ge=1, le=MOST_COLOURS)]
Colours = Annotated[int, Meta(ge=1, le=MOST_COLOURS, description="Patterns on the sides.")]


def pieces(file: File, *, size: BoardSize = "", sides: Sides = "", border: Border = "", clue: Clues = ()) -> EdgePuzzle:
    """Read pieces from a file, with options for what the file does not give."""
    from tablero.edges.formats import named

    return named(file, size=size, sides=sides, border=border, clues=clue)


def boards(
    file: File,
    *,
    board: Boards = None,
    size: BoardSize = "",
    sides: Sides = "",
    border: Border = "",
    clue: Clues = (),
) -> EdgePuzzle:
    """Read pieces, and boards with them."""
    from tablero.edges.formats import with_boards

    puzzle = pieces(file, size=size, sides=sides, border=border, clue=clue)
    return puzzle if board is None else with_boards(puzzle, board)


@writes(".svg", before="tablero.edges.draw:require_drawable")
def svg(found: Layings | Best | Shown, *, numbers: Numbers = False) -> str | None:
    """Draw the first board into this file."""
    return found.to_svg(numbers=numbers)


@writes(before="tablero.edges.formats:require_boards")
def solution(found: Document) -> str:
    """Write the board that comes with the puzzle to this file."""
    from tablero.edges.layings import write_layings

    return write_layings(found.puzzle)


@writes(".html", instead=True)
def page(found: Trace) -> str:
    """Write a page that plays the search."""
    return found.page()


_BEAM = "the method beam misses solutions: it can find one, but neither count them nor find all"
_RANKED = "the method ranked looks for one solution: it can neither count them nor find all"
_ORDER = Refuse({"order": GIVEN, "method": Not(("scan",))}, "an order of cells goes with the method scan")
_COLOURS = "expected either {colours} or {framed}"


@maker(
    refuses=[
        Refuse({"colours": (None,), "framed": (None,)}, _COLOURS),
        Refuse({"colours": Not((None,)), "framed": Not((None,))}, _COLOURS),
        Refuse({"framed": Not((None,)), "tetravex": (True,)}, "{framed}: a framed puzzle has a border colour"),
    ],
    writes=[solution, output],
)
def generate(
    size: Size,
    *,
    colours: Annotated[
        int | None, Meta(ge=1, le=MOST_COLOURS, description="Inner colours, from a single pool.")
    ] = None,
    framed: Annotated[
        tuple[Pool, Pool] | None,
        Meta(description="Numbers of colours along the frame and inside, as 5,17."),
        Spelling(
            metavar="A,B",
            reads="tablero.edges.formats:pair",
            expected="the colours along the frame and inside, as 5,17",
        ),
    ] = None,
    shape: Annotated[Shape, Meta(description="Shape of the pieces.")] = "square",
    even: Annotated[bool, Meta(description="Use all colours equally often instead of drawing them.")] = False,
    tetravex: Annotated[bool, Meta(description="No border colour, and no turning of pieces.")] = False,
    distinct: Annotated[bool, Meta(description="No two pieces equal, and no piece equal to a turn of itself.")] = False,
    seed: Seed = 0,
) -> EdgePuzzle:
    """Generate a puzzle with a solution.

    Examples:
        tablero edges generate 6 --colours 6 --seed 1 -o pieces.txt
        tablero edges generate 16 --framed 5,17 --solution solution.txt -o pieces.txt
    """
    from tablero.edges.generating import generate as work

    return work(
        size,
        colours=colours,
        framed=framed,
        shape=shape,
        even=even,
        border=not tetravex,
        turning=not tetravex,
        distinct=distinct,
        seed=seed,
    )


@verb(
    reads=pieces,
    durable=True,
    refuses=[
        Refuse({"method": ("beam",), "most": Not((1,))}, _BEAM),
        Refuse({"method": ("ranked",), "most": Not((1,))}, _RANKED),
        _ORDER,
    ],
    writes=[svg],
)
def solve(
    puzzle: EdgePuzzle,
    most: Most = 1,
    *,
    method: Method = "auto",
    order: Order = "",
    up_to_turning: UpToTurning = False,
    run: Run = HERE,
) -> Layings:
    """Find solutions.

    Examples:
        tablero edges generate 6 --colours 6 --seed 1 -o pieces.txt
        tablero edges solve pieces.txt --svg board.svg
    """
    from tablero.edges.solving import solve as work

    return work(puzzle, most, method=method, order=order, up_to_turning=up_to_turning, run=run)


@verb(
    reads=pieces,
    durable=True,
    refuses=[Refuse({"method": ("beam",)}, _BEAM), Refuse({"method": ("ranked",)}, _RANKED), _ORDER],
)
def count(
    puzzle: EdgePuzzle,
    *,
    method: Method = "auto",
    order: Order = "",
    up_to_turning: UpToTurning = False,
    run: Run = HERE,
) -> Layings:
    """Count all solutions.

    Examples:
        tablero edges generate 4 --colours 3 --seed 1 -o pieces.txt
        tablero edges count pieces.txt --up-to-turning
    """
    from tablero.edges.solving import count as work

    return work(puzzle, method=method, order=order, up_to_turning=up_to_turning, run=run)


@verb(reads=pieces, durable=True, writes=[svg])
def optimise(
    puzzle: EdgePuzzle,
    *,
    width: Annotated[
        int | None, Meta(ge=1, le=1_000_000, description="Boards in the beam; by default chosen by the time limit.")
    ] = None,
    clues: Annotated[
        int | None,
        Meta(ge=0, description="Clues to keep: all, none, or a number of them."),
        Spelling(words={"all": None, "none": 0}),
    ] = None,
    seed: Seed = 0,
    run: Run = TEN_SECONDS,
) -> Best:
    """Find a board with as many matching joins as possible.

    Examples:
        tablero edges generate 16 --framed 5,17 -o pieces.txt
        tablero edges optimise pieces.txt --time-limit 60s --svg best.svg
        tablero edges optimise pieces.txt --time-limit 8h --threads 2 --job tonight
    """
    from tablero.edges.optimising import optimise as work

    return work(puzzle, width=width, clues=clues, seed=seed, run=run)


@verb(
    reads=pieces,
    refuses=[
        Refuse(
            {"encoding": ("xcc",), "full": (True,)},
            "{full}: coloured joins have one form only: expected {encoding} 1 or 2 with it",
        )
    ],
    writes=[output],
)
def encode(
    puzzle: EdgePuzzle,
    encoding: Annotated[
        Literal["1", "2", "xcc"],
        Meta(description="How the puzzle is encoded."),
        Spelling(
            option="encoding",
            meanings={
                "1": "Oborný's first: an item for each piece, colours as secondary items",
                "2": "Oborný's second: colours in binary, all items primary",
                "xcc": "an item for each piece and cell, coloured items for the joins",
            },
        ),
    ] = "xcc",
    *,
    full: Annotated[bool, Meta(description="Encode each join from both of its sides, as published.")] = False,
) -> Encoding:
    """Write a puzzle as an exact cover problem in Knuth's format.

    Examples:
        tablero edges generate 4 --colours 3 --seed 1 -o pieces.txt
        tablero edges encode pieces.txt -o pieces.dlx
        tablero cover solve pieces.dlx
    """
    from tablero.edges.encoding import encoding as work

    return work(puzzle, encoding, full=full)


@verb(reads=boards, writes=[solution, output])
def convert(
    puzzle: EdgePuzzle,
    *,
    to: Annotated[Literal["pieces", "csv", "viewer"], Meta(description="Format to write.")] = "pieces",
    name: Annotated[str, Meta(description="Name of the puzzle in a viewer's address.")] = "tablero",
    viewer: Annotated[
        str, Meta(description="Address of the viewer, which makes the board's address a link; '' leaves it out.")
    ] = VIEWER,
    border_as: Annotated[
        Literal[0, 1], Meta(description="Number of the border colour in the output."), Spelling(metavar="N")
    ] = 0,
) -> Document:
    """Convert a puzzle or its boards to another format.

    Examples:
        tablero edges generate 4 --colours 3 --seed 1 -o pieces.txt --solution board.txt
        tablero edges convert pieces.txt --to csv -o pieces.csv
        tablero edges convert pieces.txt --board board.txt --to viewer
    """
    from tablero.edges.formats import converted as work

    return work(puzzle, to, name=name, viewer=viewer, border=border_as)


@verb(reads=boards, writes=[svg])
def show(puzzle: EdgePuzzle) -> Shown:
    """Show boards and their scores; without a board, the pieces in their order.

    Examples:
        tablero edges generate 4 --colours 3 --seed 1 -o pieces.txt --solution board.txt
        tablero edges show pieces.txt --svg pieces.svg
        tablero edges show pieces.txt --board board.txt
    """
    from tablero.edges.draw import Shown

    return Shown(puzzle)


@verb(reads=pieces)
def estimate(
    puzzle: EdgePuzzle,
    *,
    order: Order = "",
    probes: Annotated[int, Meta(ge=1, le=10_000_000, description="Random walks of Knuth's estimator.")] = 10_000,
    seed: Seed = 0,
    run: Run = HERE,
) -> Estimate:
    """Estimate the solutions, the nodes at each depth, and the tree of a scan.

    Examples:
        tablero edges generate 8 --colours 8 --seed 1 -o pieces.txt
        tablero edges estimate pieces.txt --probes 10000
    """
    from tablero.edges.estimating import estimate as work

    return work(puzzle, order=order, probes=probes, seed=seed, run=run)


@verb(reads=pieces, writes=[page], label="Step by step")
def trace(
    puzzle: EdgePuzzle,
    most: Most = 1,
    *,
    branch: Annotated[
        Literal["fewest", "first"],
        Meta(description="Cell to fill next: the one with the fewest fitting variants, or the first open one."),
        Spelling(label="Next comes the cell with"),
    ] = "fewest",
    steps: Annotated[int, Meta(ge=1, le=100_000, description="Stop after this many steps.")] = 1000,
) -> Trace:
    """Show a search step by step.

    Examples:
        tablero edges generate 4 --colours 3 --seed 1 -o pieces.txt
        tablero edges trace pieces.txt --page trace.html
    """
    from tablero.edges.tracing import trace as work

    return work(puzzle, branch=branch, most=most, steps=steps)


@maker(writes=[sheet_pdf, sheet_svg], must_write=True)
def worksheet(
    size: Annotated[int | str, Meta(description="Size of the board, as 4 or 3x5; at most 64 pieces.")] = "4",
    *,
    colours: Colours = 4,
    borderless: Annotated[
        bool, Meta(description="No grey border sides, which is harder."), Spelling(option="no_border")
    ] = False,
    count: Puzzles = 2,
    seed: Seed = 0,
    title: Title = "",
    per_page: PerPage = 1,
) -> Worksheet:
    """Make a worksheet: pieces to cut out, an empty frame for them, and the answers at the end.

    Examples:
        tablero edges worksheet --pdf pieces.pdf
        tablero edges worksheet 3 --colours 3 -n 4 --per-page 2 --title 'Cut and lay' --pdf pieces.pdf
    """
    from tablero.edges.worksheets import worksheet as work

    return work(size, colours=colours, border=not borderless, count=count, seed=seed, title=title, per_page=per_page)
