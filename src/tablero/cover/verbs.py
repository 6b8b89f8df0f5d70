"""What can be asked about exact covers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from tablero.runs.run import HERE, Run
from tablero.verbs import GIVEN, Meta, Not, Refuse, Spelling, maker, output, verb, writes
from tablero.verbs.types import Most, PerPage, Puzzles, Seed, Title, sheet_pdf, sheet_svg

if TYPE_CHECKING:
    from tablero.cover.puzzle import ExactCover
    from tablero.cover.sampling import Estimate, Sample
    from tablero.cover.solving import Covers
    from tablero.cover.tracing import Model, Trace
    from tablero.draw.sheet import Worksheet

MOST_STEPS, MOST_DIVES, MOST_SAMPLES = 1_000_000, 1_000_000, 1_000_000
_COUNTERS = ("memo", "frontier")  # kernels that only count

Problem = Annotated[
    str,
    Meta(description="The problem in Knuth's format: a file, or - for standard input."),
    Spelling(metavar="FILE", label="Items and options", lines=True),
]
_KERNELS = {
    "auto": "the kernel that is predicted to be the fastest",
    "bits": "rows of bits for the remaining options; for up to about 20,000 options",
    "sparse": "a sparse set of options for each item",
    "memo": "as bits, with a table of counts that are already known",
    "frontier": "as memo, but branches on the first open item",
}
Kernel = Annotated[
    Literal["auto", "bits", "sparse", "memo", "frontier"],
    Meta(description="The kernel that counts."),
    Spelling(meanings=_KERNELS),
]
_KNOWS_NO_COLOURS = Refuse(
    {"kernel": _COUNTERS, "colours": GIVEN},
    "{kernel}: memo and frontier know no colours: expected one of auto, bits, sparse",
)
_NO_KERNEL = Refuse(
    {"kernel": Not(("auto",)), "is_multiple": (True,)},
    "{kernel} by name is not for items with multiplicities: expected auto",
)


def problem(problem: Problem) -> ExactCover:
    """A problem in Knuth's format."""
    from tablero.cover.puzzle import as_puzzle

    return as_puzzle(problem)


@writes(".svg", before="tablero.cover.draw:require_cells")
def svg(found: Covers) -> str | None:
    """Draw the first answer into this file."""
    return found.to_svg()


@writes(".html", instead=True)
def page(found: Trace) -> str:
    """Write a page that plays it, instead of printing the steps."""
    return found.page()


@writes(".svg", before="tablero.cover.draw:require_lines", name="svg")
def graph(found: Model) -> str:
    """Draw options and items as a bipartite graph into this file."""
    return found.to_svg()


@verb(
    reads=problem,
    durable=True,
    refuses=[
        Refuse({"cheapest": (True,), "most": Not((1,))}, "{cheapest} finds one cover: leave {most} out"),
        Refuse({"cheapest": (True,), "is_multiple": (True,)}, "{cheapest} is not for items with multiplicities"),
        _NO_KERNEL,
    ],
    writes=[svg],
)
def solve(
    puzzle: ExactCover,
    most: Most = 1,
    *,
    cheapest: Annotated[bool, Meta(description="Find a cover of least total weight.")] = False,
    kernel: Annotated[
        Literal["auto", "bits", "sparse"],
        Meta(description="The kernel that searches."),
        Spelling(meanings={name: _KERNELS[name] for name in ("auto", "bits", "sparse")}),
    ] = "auto",
    run: Run = HERE,
) -> Covers:
    """Find covers.

    Examples:
        tablero cover make pentominoes 6x10 -o pentominoes.dlx
        tablero cover solve pentominoes.dlx --svg pentominoes.svg
        tablero cover solve pentominoes.dlx -n all --job pentominoes
    """
    from tablero.cover.solving import find

    return find(puzzle, "cheapest", None, kernel, run) if cheapest else find(puzzle, "solve", most, kernel, run)


@verb(reads=problem, durable=True, refuses=[_KNOWS_NO_COLOURS, _NO_KERNEL])
def count(puzzle: ExactCover, *, kernel: Kernel = "auto", run: Run = HERE) -> Covers:
    """Count all covers.

    Examples:
        tablero cover make langford 11 -o pairs.dlx
        tablero cover count pairs.dlx --threads 2
    """
    from tablero.cover.solving import find

    return find(puzzle, "count", None, kernel, run)


@verb(reads=problem, writes=[page], label="Step by step")
def trace(
    puzzle: ExactCover,
    most: Most = None,
    *,
    branch: Annotated[
        Literal["fewest", "first"],
        Meta(description="The column to take: that with the fewest rows, or the first open one."),
        Spelling(label="Branch on the column with"),
    ] = "fewest",
    steps: Annotated[int, Meta(ge=1, le=MOST_STEPS, description="Stop after this many steps.")] = 1000,
) -> Trace:
    """Watch Algorithm X: the matrix, the column chosen, the rows tried, and the way back, step by step.

    Examples:
        tablero cover make queens 5 -o queens.dlx
        tablero cover trace queens.dlx --page trace.html
    """
    from tablero.cover.tracing import trace as work

    return work(puzzle, most, branch=branch, steps=steps)


@verb(reads=problem)
def estimate(
    puzzle: ExactCover,
    dives: Annotated[
        int, Meta(ge=1, le=MOST_DIVES, description="Random dives into the tree."), Spelling(option="dives")
    ] = 10_000,
    *,
    seed: Seed = 0,
    run: Run = HERE,
) -> Estimate:
    """Estimate how many covers and how many nodes there are, by Knuth's random dives.

    Examples:
        tablero cover make pentominoes 6x10 -o pentominoes.dlx
        tablero cover estimate pentominoes.dlx --dives 10000
    """
    from tablero.cover.sampling import estimate as work

    return work(puzzle, dives, seed=seed, run=run)


@verb(
    reads=problem,
    refuses=[
        _KNOWS_NO_COLOURS,
        Refuse({"is_multiple": (True,)}, "a random cover is not for items with multiplicities"),
    ],
)
def sample(
    puzzle: ExactCover,
    number: Annotated[
        int,
        Meta(ge=1, le=MOST_SAMPLES, description="Number of covers to draw."),
        Spelling(option="solutions", short="-n", label="How many"),
    ] = 1,
    *,
    seed: Seed = 0,
    kernel: Kernel = "auto",
    run: Run = HERE,
) -> Sample:
    """Draw covers at random, each exactly as likely as any other.

    Examples:
        tablero cover make dominoes 8x8 -o dominoes.dlx
        tablero cover sample dominoes.dlx -n 3 --seed 1
    """
    from tablero.cover.sampling import sample as work

    return work(puzzle, number, seed=seed, kernel=kernel, run=run)


@verb(reads=problem, writes=[graph])
def show(
    puzzle: ExactCover,
    *,
    solved: Annotated[bool, Meta(description="Mark the options of the first cover.")] = False,
) -> Model:
    """Show a problem: its matrix, and as a drawing the graph of its options and items.

    Examples:
        tablero cover make langford 11 -o pairs.dlx
        tablero cover show pairs.dlx --svg pairs.svg --solved
    """
    from tablero.cover.tracing import show as work

    return work(puzzle, solved=solved)


@maker(name="make", writes=[output])
def generate(
    kind: Annotated[
        Literal["dominoes", "langford", "one-factorisations", "pentominoes", "queens", "steiner", "sudoku"],
        Meta(description="Name of the problem."),
        Spelling(metavar="NAME"),
    ],
    size: Annotated[
        str | int,
        Meta(description="6x10 for boards, a number for the others, 81 digits for sudoku; a usual one if left out."),
        Spelling(expected="6x10 for boards, a number for the others, 81 digits for sudoku"),
    ] = "",
    *,
    holes: Annotated[
        str, Meta(description="Cells to leave out of a board, as r4c4,r4c5."), Spelling(metavar="CELLS")
    ] = "",
) -> ExactCover:
    """Write a problem that people know in Knuth's format.

    Examples:
        tablero cover make pentominoes 6x10 -o pentominoes.dlx
        tablero cover make dominoes 8x8 --holes r1c1,r8c8
    """
    from tablero.cover.generating import generate as work

    return work(kind, size, holes=holes)


@maker(writes=[sheet_pdf, sheet_svg], must_write=True)
def worksheet(
    pieces: Annotated[
        int, Meta(ge=3, le=12, description="Number of pentominoes for each frame."), Spelling(metavar="N")
    ] = 6,
    *,
    count: Puzzles = 6,
    seed: Seed = 0,
    title: Title = "",
    per_page: PerPage = 6,
) -> Worksheet:
    """Print frames to fill with pentominoes; answers at the end.

    Examples:
        tablero cover worksheet --pdf frames.pdf
        tablero cover worksheet 12 -n 2 --per-page 2 --title 'All twelve' --pdf frames.pdf
    """
    from tablero.cover.worksheets import worksheet as work

    return work(pieces, count=count, seed=seed, title=title, per_page=per_page)
