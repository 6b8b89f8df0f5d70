"""The verbs of n queens."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from tablero.runs.run import HERE, Run
from tablero.verbs import GIVEN, Above, Meta, Not, Refuse, Spelling, maker, output, verb, writes
from tablero.verbs.describe import Condition
from tablero.verbs.types import Most, PerPage, Puzzles, Seed, Title, sheet_pdf, sheet_svg

if TYPE_CHECKING:
    from tablero.draw.sheet import Worksheet
    from tablero.queens.annealing import Annealed
    from tablero.queens.peaceable import Armies
    from tablero.queens.programme import Programme
    from tablero.queens.puzzle import Boards, Queens
    from tablero.queens.solving import Counted, Solved
    from tablero.queens.tuning import Tuned

MOST_SIDE, MOST_EXACT, MOST_COUNTED, MOST_ARMIES, MOST_TUNED = 10_000_000, 500, 32, 11, 100_000
MOST_TRIALS = 10**15
MOST_PLAYED = 200  # queens of a run that a page plays
CoolingName = Literal["geometric", "linear", "logarithmic"]
SwapName = Literal["effective", "random", "min-conflicts"]
_NEVER = (2, 3)  # numbers of queens without a solution
_ONLY_EXACT: tuple[Condition, ...] = (
    {"most": (None,)},
    {"torus": (True,), "given": GIVEN},
    {"torus": (True,), "blocked": GIVEN},
    {"torus": (True,), "most": Not((1,))},
)  # what only the exact method solves

Size = Annotated[
    str,
    Meta(description="Number of queens, rows and columns, or a file with a board."),
    Spelling(metavar="N", label="Queens"),
]
Number = Annotated[
    int, Meta(ge=1, le=MOST_SIDE, description="Number of queens, rows and columns."), Spelling(metavar="N")
]
Given = Annotated[
    str | None,
    Meta(description="Squares that have a queen, as r1c3,r4c5, or a file with such squares."),
    Spelling(metavar="SQUARES"),
]
Blocked = Annotated[
    str | None,
    Meta(description="Squares that must stay empty, as r1c3,r4c5, or a file with such squares."),
    Spelling(metavar="SQUARES"),
]
Cooling = Annotated[CoolingName, Meta(description="How the temperature falls.")]
Swap = Annotated[
    SwapName,
    Meta(description="Which swaps are tried."),
    Spelling(
        label="Swaps",
        meanings={
            "effective": "of a queen in conflict with any other",
            "random": "of any two queens",
            "min-conflicts": "of a queen in conflict with the best of eight partners",
        },
    ),
]
Factor = Annotated[
    float | None,
    Meta(gt=0, lt=1, description="Factor by which each step of geometric cooling multiplies the temperature."),
    Spelling(label="Cooling factor"),
]
Torus = Annotated[
    bool,
    Meta(description="Opposite edges meet: diagonals continue on the other side."),
    Spelling(option="toroidal", label="Edges meet"),
]
Stall = Annotated[
    int | None, Meta(ge=1, le=MOST_TRIALS, description="Give up after this number of trials without a swap.")
]


def board(n: Size, *, given: Given = None, blocked: Blocked = None, torus: Torus = False) -> Queens:
    """A board of a size, with given queens and blocked squares."""
    from tablero.queens.formats import named

    return named(n, given, blocked, torus)


def flat_board(n: Size, *, given: Given = None, blocked: Blocked = None) -> Queens:
    """A board whose edges do not meet."""
    return board(n, given=given, blocked=blocked)


@writes(".svg")
def svg(found: Boards) -> str | None:
    """Draw the first answer into this file."""
    return found.to_svg()


@writes(".svg", before="tablero.queens.draw:require_gallery", name="svg")
def gallery(found: Counted) -> str | None:
    """Draw all fundamental solutions into this file."""
    return found.gallery()


@writes(".html", before="tablero.queens.annealing:require_playable")
def page(found: Annealed) -> str | None:
    """Write a page that plays the first run."""
    return found.page()


@writes(".csv")
def trace(found: Annealed) -> str | None:
    """Write cost against trials of the first run."""
    return found.trace_csv()


@writes(".csv", name="output")
def table(found: Tuned) -> str:
    """Write a table of all sets of parameters that were tried."""
    return found.csv()


@verb(
    reads=flat_board,
    durable=True,
    refuses=[
        Refuse({"torus": (True,)}, "annealing does not support a torus: expected a board whose edges do not meet")
    ],
    at_once=[{"n": _NEVER}],
    writes=[svg, page, trace],
)
def anneal(
    puzzle: Queens,
    *,
    t0: Annotated[
        float | None,
        Meta(ge=0, le=1e9, description="First temperature; if left out, the one recommended for N queens."),
        Spelling(label="First temperature"),
    ] = None,
    alpha: Factor = None,
    beta: Annotated[
        float | None,
        Meta(gt=0, le=1e9, description="Amount by which each step of linear cooling lowers the temperature."),
    ] = None,
    trials: Annotated[
        int | None, Meta(ge=1, le=MOST_TRIALS, description="Number of trials at each temperature.")
    ] = None,
    max_stall: Stall = None,
    max_trials: Annotated[
        int | None, Meta(ge=1, le=MOST_TRIALS, description="Give up after this number of trials in all.")
    ] = None,
    cooling: Cooling = "geometric",
    swap: Swap = "effective",
    restarts: Annotated[
        int | None,
        Meta(
            ge=0,
            le=1_000_000,
            description="Number of times that a stalled run restarts; if left out, 1000, or 0 with max-stall.",
        ),
    ] = None,
    start: Annotated[
        Sequence[int] | None,
        Meta(description="Board to start from: a file, or the column of each row from 0, as 1,3,0,2."),
        Spelling(metavar="BOARD", reads="tablero.queens.formats:start"),
    ] = None,
    seed: Seed = 0,
    runs: Annotated[int, Meta(ge=1, le=100_000, description="Number of runs, each with its own seed.")] = 1,
    run: Run = HERE,
) -> Annealed:
    """Place queens by simulated annealing; parameters that are left out take the values recommended for N.

    Examples:
        tablero queens anneal 100 --seed 1
        tablero queens anneal 8 --t0 5 --alpha 0.95 --trials 1 --max-stall 500
        tablero queens anneal 30 --page annealed.html
    """
    from tablero.queens import annealing

    settings = annealing.Settings.for_side(
        puzzle.n,
        t0=t0,
        alpha=alpha,
        beta=beta,
        length=trials,
        max_stall=max_stall,
        max_trials=max_trials,
        cooling=cooling,
        swap=swap,
        restarts=restarts,
    )
    return annealing.anneal(puzzle, settings, seed=seed, runs=runs, start=start, run=run)


@verb(
    reads=board,
    durable=True,
    refuses=[
        Refuse(
            {"torus": (True,), "method": ("local", "anneal")},
            "{method}: local searches do not support a torus: expected construct or exact",
        ),
        Refuse(
            {"most": (None,), "method": ("local", "anneal", "construct")},
            "{most}: expected a number, or {method} exact for all solutions",
        ),
        Refuse(
            {"most": Not((1,)), "method": ("construct",)},
            "{method}: the formula gives one solution: expected exact or local for more",
        ),
        Refuse(
            {"given": GIVEN, "method": ("construct",)},
            "{method}: the formula is for empty boards: expected another method",
        ),
        Refuse(
            {"blocked": GIVEN, "method": ("construct",)},
            "{method}: the formula is for empty boards: expected another method",
        ),
        Refuse(
            {"n": Above(MOST_EXACT), "method": ("exact",)},
            f"{{n}}: expected at most {MOST_EXACT} queens for {{method}} exact",
        ),
        *(
            Refuse(
                {"n": Above(MOST_EXACT), **exact},
                f"{{n}}: expected at most {MOST_EXACT} queens, because only {{method}} exact supports this",
            )
            for exact in _ONLY_EXACT
        ),
    ],
    at_once=[
        {"method": ("construct",)},
        {"method": ("auto",), "most": (1,), "given": ((),), "blocked": ((),)},
        {"n": _NEVER, "method": ("local", "anneal")},
    ],
    writes=[svg],
)
def solve(
    puzzle: Queens,
    most: Most = 1,
    *,
    method: Annotated[
        Literal["auto", "construct", "local", "anneal", "exact"],
        Meta(description="Search method."),
        Spelling(
            meanings={
                "auto": "a formula for one solution on an empty board, otherwise a search",
                "construct": "a formula, for empty boards only",
                "local": "local search; proves nothing",
                "anneal": "simulated annealing; proves nothing",
                "exact": "exact cover; finds all solutions and proves that there is none",
            }
        ),
    ] = "auto",
    seed: Seed = 0,
    run: Run = HERE,
) -> Solved:
    """Place n queens so that no two attack each other, or prove that it cannot be done.

    Examples:
        tablero queens solve 8 --svg board.svg
        tablero queens solve 20 --given r1c3,r4c5 -n 2
        tablero queens solve 1000000 --quiet
    """
    from tablero.queens.solving import solve as work

    return work(puzzle, most, method=method, seed=seed, run=run)


@verb(
    reads=board,
    durable=True,
    refuses=[
        Refuse({"torus": (True,), "fundamental": (True,)}, "{fundamental}: expected a board whose edges do not meet"),
        Refuse({"given": GIVEN, "fundamental": (True,)}, "{fundamental}: expected an empty board"),
        Refuse({"blocked": GIVEN, "fundamental": (True,)}, "{fundamental}: expected an empty board"),
        Refuse(
            {"n": Above(MOST_COUNTED), "given": ((),), "blocked": ((),), "torus": (False,)},
            f"{{n}}: expected at most {MOST_COUNTED} queens to count on an empty board",
        ),
        Refuse({"n": Above(MOST_EXACT)}, f"{{n}}: expected at most {MOST_EXACT} queens to count"),
    ],
    at_once=[{"n": _NEVER, "fundamental": (False,)}],
    writes=[gallery],
)
def count(
    puzzle: Queens,
    *,
    fundamental: Annotated[
        bool,
        Meta(description="Count solutions that differ only by rotation or reflection as one."),
        Spelling(label="Only different ones"),
    ] = False,
    run: Run = HERE,
) -> Counted:
    """Count the ways to place n queens.

    Examples:
        tablero queens count 12
        tablero queens count 16 --threads 2 --job sixteen
    """
    from tablero.queens.solving import count as work

    return work(puzzle, fundamental=fundamental, run=run)


@maker(writes=[output])
def generate(
    n: Number,
    *,
    given: Annotated[int, Meta(ge=0, description="Number of queens that are given.")] = 0,
    blocked: Annotated[int, Meta(ge=0, description="Number of squares that must stay empty.")] = 0,
    seed: Seed = 0,
) -> Queens:
    """Make a board with given queens and blocked squares that has a solution.

    Examples:
        tablero queens generate 8 --given 3 --seed 1
    """
    from tablero.queens.generating import generate as work

    return work(n, given=given, blocked=blocked, seed=seed)


@writes(name="output")
def programme(found: Programme, path: Path) -> str:
    """Write it to this file instead of standard output."""
    return found.text_for(path)


@maker(writes=[programme])
def model(
    n: Annotated[
        int, Meta(ge=1, le=MOST_EXACT, description="Number of queens, rows and columns."), Spelling(metavar="N")
    ],
    *,
    form: Annotated[
        Literal["lp", "mps"] | None,
        Meta(description="File format; if left out, that of the file's name, or lp."),
        Spelling(option="format"),
    ] = None,
) -> Programme:
    """Write the integer programme for other solvers.

    Examples:
        tablero queens model 8 -o queens.lp
    """
    from tablero.queens.programme import programme as work

    return work(n, form)


@maker(writes=[svg])
def armies(
    n: Annotated[int, Meta(ge=1, le=MOST_ARMIES, description="Rows and columns of the board."), Spelling(metavar="N")],
    *,
    run: Run = HERE,
) -> Armies:
    """Find the largest peaceable armies: equal numbers of white and black queens, none attacking one of the other colour.

    Examples:
        tablero queens armies 6 --svg armies.svg
    """
    from tablero.queens.peaceable import armies as work

    return work(n, run=run)


@maker(
    writes=[table],
    refuses=[
        Refuse({"grid": (True,), "tries": Not((100,))}, "{tries}: the grid has its own number of sets: leave it out")
    ],
)
def tune(
    n: Annotated[
        int, Meta(ge=1, le=MOST_TUNED, description="Number of queens, rows and columns."), Spelling(metavar="N")
    ],
    *,
    tries: Annotated[int, Meta(ge=1, le=10_000, description="Sets of parameters for Optuna to try.")] = 100,
    grid: Annotated[bool, Meta(description="Try a fixed grid of parameters instead of Optuna's choices.")] = False,
    max_stall: Annotated[
        Sequence[Annotated[int, Meta(ge=1, le=MOST_TRIALS)]],
        Meta(description="Give up after this number of trials without a swap; several, as 50,500, with the grid."),
        Spelling(metavar="N", reads="tablero.queens.formats:numbers"),
    ] = (),
    runs: Annotated[int, Meta(ge=1, le=100_000, description="Annealing runs for each set.")] = 30,
    seed: Seed = 0,
    run: Run = HERE,
) -> Tuned:
    """Find parameters for annealing N queens: those that need the fewest trials on average.

    Examples:
        tablero queens tune 50 --tries 20
        tablero queens tune 8 --grid -o grid.csv
    """
    from tablero.queens.tuning import tune as work

    return work(n, tries=tries, grid=grid, max_stall=max_stall, runs=runs, seed=seed, run=run)


@maker(writes=[sheet_pdf, sheet_svg], must_write=True)
def worksheet(
    n: Annotated[int, Meta(ge=4, le=16, description="Number of queens, rows and columns."), Spelling(metavar="N")] = 8,
    *,
    count: Puzzles = 6,
    seed: Seed = 0,
    title: Title = "",
    per_page: PerPage = 6,
) -> Worksheet:
    """Print boards with some queens given, each with one solution, and the answers at the end.

    Examples:
        tablero queens worksheet --pdf queens.pdf
        tablero queens worksheet 6 -n 12 --per-page 12 --title 'Class 5b' --pdf queens.pdf
    """
    from tablero.queens.generating import worksheet as work

    return work(n, count=count, seed=seed, title=title, per_page=per_page)
