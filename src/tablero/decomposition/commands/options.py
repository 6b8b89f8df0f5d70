"""The options of `tablero decompose`, with what its help says of each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tablero.cli.help import one_of

Host = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="HOST",
        help="K16, K5,6, an edge list as 0-1,1-2, @FILE (@- is standard input), petersen or another name, or graph6.",
    ),
]
Into = Annotated[
    list[str] | None,
    typer.Option(
        "--into",
        help="The part, a double star where none is named; more than once for a mixture, with how many times as "
        "'7 x triangle'.",
        autocompletion=one_of(
            "double-star",
            "path",
            "star",
            "cycle",
            "matching",
            "clique",
            "hamiltonian-path",
            "hamiltonian-cycle",
            "triangle",
            "edge",
            more="one with a number of vertices as path-5, an edge list, @FILE, a name as petersen, or graph6",
        ),
    ),
]
Fold = Annotated[int, typer.Option("--fold", help="How many parts every edge is in.")]
Count = Annotated[bool, typer.Option("--count", help="Count all decompositions.")]
WithClasses = Annotated[bool, typer.Option("--classes", help="All of them up to isomorphism, with groups.")]
Symmetry = Annotated[
    str,
    typer.Option(
        "--symmetry",
        help="Only with this automorphism.",
        autocompletion=one_of("cyclic", "bicyclic", more="an order K, or '(0 1 2)(3 4 5)'"),
    ),
]
Perfect = Annotated[bool, typer.Option("--perfect", help="Matchings: every two make a Hamilton cycle.")]
Conditions = Annotated[
    str, typer.Option("--conditions", help="The source's conditions on copies as [(2,3),(3,4)]: checked.")
]
Given = Annotated[
    list[str] | None, typer.Option("--given", help="A copy that it must have, as 0-1,1-2; more than once for more.")
]
Method = Annotated[
    str,
    typer.Option(
        "--method",
        help="The search; anneal finds one only, orbits and base go with a symmetry.",
        autocompletion=one_of("auto", "matrix", "laying", "anneal", "orbits", "base"),
    ),
]
Disconnected = Annotated[bool, typer.Option("--disconnected", help="Allow a part in several pieces.")]
SaveTask = Annotated[
    Path | None, typer.Option("--save-task", help="Write the exact cover to this file; - is standard output.")
]
NoSolve = Annotated[bool, typer.Option("--no-solve", help="Do not search.")]
TaskFile = Annotated[str | None, typer.Option("--task", help="Solve what --save-task wrote; - is standard input.")]
CheckFile = Annotated[
    str | None,
    typer.Option("--check", help="Search nothing: are those in this file decompositions? - is standard input."),
]
Rows = Annotated[bool, typer.Option("--rows", help="Print numbers of rows of the matrix, from 1, not edges.")]
EdgesFile = Annotated[
    Path | None, typer.Option("--edges-file", help="Write the answers there, a part a line as 0-1 1-2.")
]
