"""`tablero edges show` and `estimate`: a board and its score, and what can be foreseen of a puzzle."""

from __future__ import annotations

import math
import shutil
import sys
from typing import Annotated, Any

import typer

from tablero.cli.common import (
    Manner,
    Seed,
    SvgFile,
    TimeLimit,
    ended,
    print_json,
    require_pictures,
    with_manner,
    write_svg,
)
from tablero.edges.commands.reading import (
    BoardFile,
    CellOrder,
    Numbers,
    Reading,
    layings_in,
    tell_reading,
    with_reading,
)
from tablero.words import several


@with_manner
@with_reading
def show_board(
    board: BoardFile = None,
    svg: SvgFile = None,
    numbers: Numbers = False,
    *,
    reading: Reading,
    manner: Manner,
) -> int:
    """Show boards and their scores; without a board, the pieces as they are numbered.

    Examples:
        tablero edges generate 4 --colours 3 --seed 1 -o pieces.txt --solution board.txt
        tablero edges show pieces.txt --svg pieces.svg
        tablero edges show pieces.txt --board board.txt
    """
    from tablero.edges import checking
    from tablero.edges.draw import scene, to_text

    require_pictures(svg=svg)
    document = reading.document()
    puzzle = document.puzzle
    layings = layings_in(document, board)
    boards = layings or [puzzle.unlaid.tolist()]
    marks = bool(layings)  # pieces that lie side by side by their numbers are not meant to match
    if svg is not None:
        write_svg(svg, scene(puzzle, boards[0], "an edge-matching board", numbers=numbers, marks=marks))
    told = []
    for rows in boards:
        wrong = checking.mismatches(puzzle, rows)
        fault = (checking.laying_fault(puzzle, rows) if -1 not in rows else "cells are empty") if layings else None
        told.append({"score": puzzle.maximum - len(wrong), "fault": fault, "mismatches": puzzle.names_of(wrong)})
    tell_reading(document, manner)
    if manner.as_json:
        values: dict[str, Any] = {"status": "solved", "maximum": puzzle.maximum, **told[0]}
        values |= {"boards": told} if len(boards) > 1 else {}
        print_json(values | {"answers": [puzzle.pairs(rows) for rows in boards]})
        return 0
    for k, (rows, found) in enumerate(zip(boards, told, strict=True), 1):
        if len(boards) > 1:
            print(f"{'' if k == 1 else chr(10)}# board {k}")
        wide = max(map(len, to_text(puzzle, rows, marks=marks).splitlines()))
        if wide > (room := _room()):
            manner.say(f"the drawing is {wide} columns wide and this terminal {room}: --svg FILE has it")
        else:
            print(to_text(puzzle, rows, colours=sys.stdout.isatty(), marks=marks))
        if layings:
            which = f"board {k}: " if len(boards) > 1 else ""
            fault = f"; {found['fault']}" if found["fault"] else ""
            manner.say(f"{which}{found['score']} of {puzzle.maximum} joins match{fault}")
    return 0


def _room() -> float:
    """Columns for a drawing: those of the terminal, where lines that are longer would wrap to a muddle."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else math.inf


@with_manner
@with_reading
def estimate(
    order: CellOrder = "",
    probes: Annotated[int, typer.Option("--probes", help="Random walks of Knuth's estimator.")] = 10_000,
    seed: Seed = 0,
    time_limit: TimeLimit = None,
    *,
    reading: Reading,
    manner: Manner,
) -> int:
    """Expected solutions, expected nodes a depth, and Knuth's estimate of the tree of a scan.

    Examples:
        tablero edges generate 8 --colours 8 --seed 1 -o pieces.txt
        tablero edges estimate pieces.txt --probes 10000
    """
    from tablero.edges.estimating import estimate as estimate_of
    from tablero.edges.estimating import knuth, require_walks
    from tablero.edges.generating import example

    document = reading.document()
    require_walks(probes, seed)
    run = manner.here(time_limit)
    with manner.compiling("the kernel of the walks"):
        knuth(example(), 1)
    found = estimate_of(document.puzzle, order=order, probes=probes, seed=seed, run=run)
    walks, depths = found.probes, found.profile.depths
    tell_reading(document, manner)
    if manner.as_json:
        values: dict[str, Any] = {"status": "solved", "order": found.order, "log10_nodes": found.profile.nodes}
        values |= {"log10_layings": found.layings, "log10_layings_by_class": found.layings_by_class}
        values |= {"log10_by_depth": list(depths), "log10_by_order": found.by_order}
        values |= {"knuth": walks.mean, "knuth_error": walks.error, "probes": walks.count}
        print_json(values | {"log10_solutions": found.solutions, "misleading": found.misleading})
        return ended(walks.interrupted)
    puzzle = document.puzzle
    turns = f"{puzzle.sides}^{len(puzzle.pieces)}·" if puzzle.turning else ""
    print(
        f"layings: {turns}{len(puzzle.pieces)}! = {_exact_power(found.layings)}, by classes of pieces "
        f"{_exact_power(found.layings_by_class)}"
    )
    if found.solutions is not None:
        print(f"solutions expected for these colours: {_power(found.solutions)}, boards turned counted apart")
    print("nodes of a scan, mean-field: " + ", ".join(f"{each} {_power(n)}" for each, n in found.by_order.items()))
    print(f"by depth, {found.order}: " + " ".join(f"{depth:.1f}" for depth in depths) + " (powers of ten)")
    print(f"Knuth's estimate, {several(walks.count, 'walk')}: {walks.mean:.3g} ± {walks.error:.2g} nodes")
    if found.misleading:
        manner.say("beware: on boards from 9×9 on such walks hardly ever meet what counts")
    return ended(walks.interrupted)


def _exact_power(log10: float) -> str:
    return f"{round(10**log10):,}" if log10 < 6 else f"10^{log10:.2f}"


def _power(log10: float) -> str:
    return f"{10**log10:,.4g}" if -3 < log10 < 6 else f"10^{log10:.1f}" if log10 > -1e6 else "0"
