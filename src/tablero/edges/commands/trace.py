"""`tablero edges trace`: a search that can be watched."""

from __future__ import annotations

from typing import Annotated

import typer

from tablero.cli.common import (
    STATUS,
    Manner,
    PageFile,
    Solutions,
    number_of_solutions,
    print_json,
    require_pictures,
    with_manner,
)
from tablero.cli.help import one_of
from tablero.edges.commands.reading import Reading, tell_reading, with_reading
from tablero.files import write_text
from tablero.words import several


@with_manner
@with_reading
def trace(
    solutions: Solutions = "1",
    branch: Annotated[
        str,
        typer.Option(
            "--branch",
            help="The cell to fill: where the fewest fit, or the first open one",
            autocompletion=one_of("fewest", "first"),
        ),
    ] = "fewest",
    steps: Annotated[int, typer.Option("--steps", help="Stop after so many steps.")] = 1000,
    page: PageFile = None,
    *,
    reading: Reading,
    manner: Manner,
) -> int:
    """Watch a search: where fewest fit, laying and taking back, step by step.

    Examples:
        tablero edges generate 4 --colours 3 --seed 1 -o pieces.txt
        tablero edges trace pieces.txt --page trace.html
    """
    from tablero.edges.solving import reduced
    from tablero.edges.tracing import trace as trace_of
    from tablero.edges.watch import player

    most = number_of_solutions(solutions)
    require_pictures(page=page)
    document = reading.document()
    found = trace_of(reduced(document.puzzle, most == 1), branch=branch, most=most, steps=steps)
    if page is not None:
        write_text(page, player(found))
    tell_reading(document, manner)
    puzzle = found.puzzle
    if manner.as_json:
        told = [
            {"kind": step.kind, "laid": step.laid}
            | ({"cell": puzzle.board.name(step.cell)} if step.cell >= 0 else {})
            | ({"fit": step.fit[step.cell]} if step.kind in ("choose", "dead") else {})
            | ({"piece": [step.variant // puzzle.sides + 1, step.variant % puzzle.sides]} if step.variant >= 0 else {})
            for step in found.steps
        ]
        answers = [puzzle.pairs(laying) for laying in found.layings]
        values = {"status": found.status, "solutions": len(answers), "nodes": found.nodes, "branch": branch}
        print_json({**values, "steps": told, "answers": answers})
    elif page is None:
        print(found.text())
    count, nodes, steps_made = (
        several(len(found.layings), "solution"),
        several(found.nodes, "node"),
        several(len(found.steps), "step"),
    )
    ending = {"open": f"; stopped after {steps_made}", "none": " (proved)"}.get(found.status, "")
    manner.say(f"{count}{ending}; {nodes}, {steps_made}, branching on the {branch}")
    return STATUS[found.status]
