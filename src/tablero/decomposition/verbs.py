"""The verbs of decompositions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from tablero.runs.run import HERE, Run
from tablero.verbs import GIVEN, Meta, Not, Refuse, Spelling, verb, writes
from tablero.verbs.types import Most

if TYPE_CHECKING:
    from tablero.decomposition.checking import Checked
    from tablero.decomposition.classification import Classes
    from tablero.decomposition.findings import Found
    from tablero.decomposition.puzzle import DecompositionPuzzle
    from tablero.verbs import Document

Method = Literal["auto", "matrix", "laying", "anneal", "orbits"]
Counting = Literal["auto", "matrix", "laying", "orbits"]
_METHODS = {
    "auto": "matrix for up to 200,000 copies, otherwise laying; orbits with a symmetry",
    "matrix": "list all copies as a matrix and cover the edges exactly",
    "laying": "place the copies one after another",
    "anneal": "simulated annealing; finds one decomposition and proves nothing",
    "orbits": "cover the orbits of copies under the symmetry",
}
_NO_MATRIX = ("laying", "anneal", "orbits")
_TASK = Refuse(
    {"made": GIVEN, "method": _NO_MATRIX},
    "{method}: a task needs the matrix: expected auto or matrix",
)

Host = Annotated[
    str,
    Meta(
        description="K16, K5,6, an edge list as 0-1,1-2, @FILE (@- is standard input), petersen or another name, or "
        "graph6; a file may also hold a task or a whole problem."
    ),
    Spelling(metavar="HOST", label="Graph", expected="K16, K5,6, an edge list as 0-1,1-2, @FILE or graph6"),
]
More = Annotated[
    Sequence[str],
    Meta(description="The edge list, if the host or a part is the word edges."),
    Spelling(metavar="EDGES"),
]
Into = Annotated[
    Sequence[str],
    Meta(
        description="The part, by default a double star: double-star, path, star, cycle, matching, clique, "
        "hamiltonian-path, hamiltonian-cycle, triangle, edge; one with a number of vertices as path-5, an edge list, "
        "@FILE, a name as petersen, or graph6. Repeat it for a mixture; '7 x triangle' fixes the number of copies."
    ),
    Spelling(metavar="PART", complete="tablero.decomposition.words:part_names"),
]
Fold = Annotated[int, Meta(ge=1, le=100, description="The number of parts that contain every edge.")]
Symmetry = Annotated[
    str,
    Meta(
        description="Find only decompositions with this automorphism: cyclic, bicyclic, an order K, or '(0 1 2)(3 4 5)'."
    ),
    Spelling(metavar="TURN"),
]
Perfect = Annotated[bool, Meta(description="Perfect matchings: the union of every two must be a Hamilton cycle.")]
Conditions = Annotated[
    str,
    Meta(description="Conditions on copies as [(2,3),(3,4)]; they are only checked."),
    Spelling(metavar="PAIRS"),
]
Given = Annotated[
    Sequence[str],
    Meta(description="A copy that the decomposition must contain, as 0-1,1-2; repeat it for several."),
    Spelling(metavar="COPY"),
]
Disconnected = Annotated[bool, Meta(description="Allow a part that is not connected.")]


def problem(
    host: Host,
    more: More = (),
    *,
    into: Into = (),
    fold: Fold = 1,
    symmetry: Symmetry = "",
    perfect: Perfect = False,
    conditions: Conditions = "",
    given: Given = (),
    disconnected: Disconnected = False,
) -> DecompositionPuzzle:
    """A decomposition problem: the host, the parts, and further requirements."""
    from tablero.decomposition.formats import named
    from tablero.decomposition.words import operands, source_pairs

    word, parts = operands(host, more, into)
    return named(
        word,
        parts,
        fold=fold,
        symmetry=symmetry or None,
        perfect=perfect,
        conditions=source_pairs(conditions, "condition") if conditions else None,
        given=given,
        disconnected=disconnected,
    )


@writes(".svg", before="tablero.decomposition.draw:require_drawable")
def svg(found: Found | Classes | Checked) -> str | None:
    """Write a picture of the first decomposition to this file."""
    return found.to_svg()


@writes()
def edges_file(found: Found | Classes) -> Iterator[str] | None:
    """Write the answers to this file, a part on each line as 0-1 1-2."""
    return found.edge_lists()


@writes(name="output", before="tablero.decomposition.tasks:require_task")
def task_file(found: Document) -> str | None:
    """Write it to this file instead of standard output."""
    return found.text or None


@verb(
    reads=problem,
    durable=True,
    refuses=[
        _TASK,
        Refuse(
            {"method": ("anneal",), "most": Not((1,))},
            "{method} anneal finds only one decomposition: expected another method",
        ),
        Refuse(
            {"rows": (True,), "method": _NO_MATRIX},
            "{rows}: this method makes no matrix: expected {method} matrix",
        ),
    ],
    writes=[svg, edges_file],
)
def solve(
    puzzle: DecompositionPuzzle,
    most: Most = 1,
    *,
    method: Annotated[
        Method,
        Meta(description="Search method."),
        Spelling(meanings={name: _METHODS[name] for name in get_args(Method)}),
    ] = "auto",
    rows: Annotated[
        bool, Meta(description="Print the numbers of rows of the matrix, from 1, instead of edges.")
    ] = False,
    run: Run = HERE,
) -> Found:
    """Divide the edges of a graph into copies of a part, or prove that it is impossible.

    Examples:
        tablero decompose K8 --svg k8.svg
        tablero decompose K10 --into hamiltonian-path -n 3
        tablero decompose petersen --into path-4 -n all
    """
    from tablero.decomposition.solving import solve as work

    return work(puzzle, most, method=method, rows=rows, run=run)


@verb(reads=problem, durable=True, refuses=[_TASK])
def count(
    puzzle: DecompositionPuzzle,
    *,
    method: Annotated[
        Counting,
        Meta(description="Search method."),
        Spelling(meanings={name: _METHODS[name] for name in get_args(Counting)}),
    ] = "auto",
    run: Run = HERE,
) -> Found:
    """Count the decompositions of a graph.

    Examples:
        tablero decompose count K8
        tablero decompose count K7 --into triangle --fold 2
    """
    from tablero.decomposition.solving import count as work

    return work(puzzle, method=method, run=run)


@verb(
    reads=problem,
    durable=True,
    refuses=[
        Refuse({"symmetry": GIVEN}, "{symmetry}: classes need all decompositions: leave it out"),
        Refuse({"given": GIVEN}, "{given}: classes need all decompositions: leave it out"),
    ],
    writes=[svg, edges_file],
)
def classes(puzzle: DecompositionPuzzle, *, run: Run = HERE) -> Classes:
    """Find the decompositions up to isomorphism, with their automorphism groups.

    Examples:
        tablero decompose classes petersen --into path-4
        tablero decompose classes K10 --svg k10.svg
    """
    from tablero.decomposition.solving import classes as work

    return work(puzzle, run=run)


@verb(reads=problem, writes=[svg])
def check(
    puzzle: DecompositionPuzzle,
    answers: Annotated[
        str,
        Meta(description="The file with decompositions, a part on each line as 0-1 1-2 or 0-1-2; - is standard input."),
        Spelling(metavar="FILE"),
    ],
) -> Checked:
    """Check the decompositions in a file.

    Examples:
        tablero decompose solve K8 -n 3 --edges-file k8.txt
        tablero decompose check K8 k8.txt
    """
    from tablero.decomposition.checking import check as work

    return work(puzzle, answers)


@verb(reads=problem, writes=[task_file])
def task(puzzle: DecompositionPuzzle, *, run: Run = HERE) -> Document:
    """Write the exact cover of a decomposition for other programs; the host '@FILE' reads it back.

    Examples:
        tablero decompose task K6 -o k6.dlx
        tablero decompose count @k6.dlx
    """
    from tablero.decomposition.tasks import task as work

    return work(puzzle, run=run)
