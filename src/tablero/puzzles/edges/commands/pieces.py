"""`tablero edges generate`, `encode`, `convert`, `show` and `estimate`: puzzles themselves, without a search."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.cli.common import Json, Quiet, SvgFile, print_json, write_text
from tablero.errors import BadInput
from tablero.puzzles.edges.commands.boards import (
    Border,
    CellOrder,
    File,
    Numbers,
    Output,
    Seed,
    SideOrder,
    Size,
    put,
    read_document,
    tell_reading,
    told_mismatches,
)

if TYPE_CHECKING:
    from tablero.puzzles.edges.formats import Document


def generate(
    size: Annotated[str, typer.Argument(help="The side of the board, or rows and columns as 6x9.")],
    colours: Annotated[int | None, typer.Option("--colours", help="Inner colours, from a single pool.")] = None,
    framed: Annotated[str, typer.Option("--framed", help="Colours along the frame and inside, as 5,17.")] = "",
    shape: Annotated[str, typer.Option("--shape", help="square, triangle or hexagon.")] = "square",
    even: Annotated[bool, typer.Option("--even", help="Spread the colours evenly instead of drawing them.")] = False,
    tetravex: Annotated[bool, typer.Option("--tetravex", help="No border colour, no turning.")] = False,
    distinct: Annotated[
        bool, typer.Option("--distinct", help="No two pieces alike, none alike itself turned.")
    ] = False,
    seed: Seed = 0,
    solution: Annotated[Path | None, typer.Option("--solution", help="Keep the planted solution in this file.")] = None,
    output: Output = None,
) -> int:
    """Make a puzzle that has a solution."""
    from tablero.puzzles.edges.formats import write, write_laying
    from tablero.puzzles.edges.generate import plant

    pair = re.fullmatch(r"\s*(\d{1,5})\s*,\s*(\d{1,5})\s*", framed)
    if framed and not pair:
        raise BadInput(f"--framed {framed}: expected the colours along the frame and inside, as 5,17")
    if (colours is None) == (not framed):
        raise BadInput("expected either --colours or --framed")
    planted = plant(
        size,
        colours=colours,
        framed=(int(pair[1]), int(pair[2])) if pair else None,
        shape=shape,
        even=even,
        border=not tetravex,
        turning=not tetravex,
        distinct=distinct,
        seed=seed,
    )
    how = f"--framed {framed}" if framed else f"--colours {colours}"
    more = (f" --shape {shape}" if shape != "square" else "") + " --even" * even + " --tetravex" * tetravex
    more += " --distinct" * distinct
    if solution is not None:
        write_text(solution, write_laying(planted.puzzle, planted.laying.tolist()))
    put(write(planted.puzzle, f"tablero edges generate {size} {how}{more} --seed {seed}"), output)
    return 0


def encode_(
    file: File,
    encoding: Annotated[str, typer.Option("--encoding", help="1 or 2 (Oborný's), or xcc (coloured joins).")] = "xcc",
    full: Annotated[bool, typer.Option("--full", help="Conditions from both sides of a join, as published.")] = False,
    output: Output = None,
    size: Size = "",
    sides: SideOrder = "",
    border: Border = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Write a puzzle as an exact cover problem in Knuth's format."""
    import numpy as np

    from tablero.puzzles.cover.formats import write
    from tablero.puzzles.edges.encode import encode, sizes

    document = read_document(file, size, sides, border)
    puzzle = document.puzzle
    if as_json and output is None:
        raise BadInput("--json describes the encoding: say with --output where the problem goes")
    problem = encode(puzzle, encoding, savings=not full).cover
    tell_reading(document, quiet)
    put(write(problem, f"tablero edges encode {file.name} --encoding {encoding}{' --full' * full}"), output)
    ones = int(np.diff(problem.table.start).max())
    if as_json:
        print_json({"columns": len(problem.items), "rows": len(problem), "ones": ones, "primary": problem.primary})
    elif not quiet:
        told = f"{len(problem.items):,} columns, {len(problem):,} rows, at most {ones} ones a row"
        if puzzle.board.shape == "square" and puzzle.board.rows == puzzle.board.columns:
            most = sizes(puzzle.board.rows, puzzle.colours, encoding)
            told += f"; without savings at most {most.columns:,}, {most.rows:,} and {most.ones}"
        print(told, file=sys.stderr)
    return 0


def convert(
    file: File,
    to: Annotated[str, typer.Option("--to", help="pieces, csv or viewer.")] = "pieces",
    board: Annotated[Path | None, typer.Option("--board", help="A laying, as solve prints it; for the viewer.")] = None,
    name: Annotated[str, typer.Option("--name", help="What the viewer calls the puzzle.")] = "tablero",
    border_as: Annotated[int, typer.Option("--border-as", help="The border's number in what is written: 0 or 1.")] = 0,
    solution: Annotated[Path | None, typer.Option("--solution", help="Keep the board of an address here.")] = None,
    size: Size = "",
    sides: SideOrder = "",
    border: Border = "",
    output: Output = None,
    quiet: Quiet = False,
) -> int:
    """Turn one format into another."""
    from tablero.puzzles.edges.formats import FORMATS, address, write, write_laying

    if to not in FORMATS:
        raise BadInput(f"--to {to}: expected one of {', '.join(FORMATS)}")
    found = read_document(file, size, sides, border)
    laying = _laying(found, board)
    if solution is not None:
        if laying is None:
            raise BadInput(f"{file}: there is no board in it to keep")
        write_text(solution, write_laying(found.puzzle, laying))
    if to == "viewer":
        if laying is None:
            raise BadInput("an address shows a board: say with --board where it is")
        text = address(found.puzzle, laying, name) + "\n"
    else:
        text = write(found.puzzle, style=to, border=border_as)
    tell_reading(found, quiet)
    put(text, output)
    return 0


def _laying(found: Document, board: Path | None) -> list[int] | None:
    from tablero.puzzles.edges.formats import decode, parse_laying, read_bytes

    if board is None:
        return None if found.laying is None else [int(v) for v in found.laying]
    text = sys.stdin.buffer.read() if str(board) == "-" else read_bytes(board)
    return [int(v) for v in parse_laying(found.puzzle, decode(text, str(board)), str(board))]


def show(
    file: File,
    board: Annotated[
        Path | None,
        typer.Option("--board", help="A laying, as solve prints it, its JSON, or a cover as cover solve prints it."),
    ] = None,
    svg: SvgFile = None,
    numbers: Numbers = False,
    size: Size = "",
    sides: SideOrder = "",
    border: Border = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Show a board and its score; without a board, the pieces as they are numbered."""
    from tablero.draw.svg import to_svg
    from tablero.puzzles.edges import check
    from tablero.puzzles.edges.draw import scene, to_text
    from tablero.puzzles.edges.solve import as_pairs

    found = read_document(file, size, sides, border)
    puzzle = found.puzzle
    laying = _laying(found, board)
    rows = laying if laying is not None else [k * puzzle.sides for k in range(puzzle.board.cells)]
    if svg is not None:
        write_text(svg, to_svg(scene(puzzle, rows, "an edge-matching board", numbers=numbers)))
    wrong = check.mismatches(puzzle, rows)
    fault = None if laying is None else check.laying_fault(puzzle, rows) if -1 not in rows else "cells are empty"
    tell_reading(found, quiet)
    if as_json:
        values: dict[str, Any] = {"maximum": puzzle.maximum, "score": puzzle.maximum - len(wrong), "fault": fault}
        print_json({**values, "mismatches": told_mismatches(puzzle, wrong), "answers": [as_pairs(puzzle, rows)]})
        return 0
    print(to_text(puzzle, rows, colours=sys.stdout.isatty()))
    if laying is not None and not quiet:
        told = f"; {fault}" if fault else ""
        print(f"{puzzle.maximum - len(wrong)} of {puzzle.maximum} joins match{told}", file=sys.stderr)
    return 0


def estimate_(
    file: File,
    order: CellOrder = "",
    probes: Annotated[int, typer.Option("--probes", help="Random walks of Knuth's estimator.")] = 10_000,
    seed: Seed = 0,
    size: Size = "",
    sides: SideOrder = "",
    border: Border = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Expected solutions, expected nodes a depth, and Knuth's estimate of the tree of a scan."""
    from tablero.puzzles.edges import estimate
    from tablero.puzzles.edges.solve import ORDERS, best_order, order_of

    if seed < 0:
        raise BadInput(f"the seed {seed}: expected a number from 0")
    document = read_document(file, size, sides, border)
    puzzle = document.puzzle
    name = best_order(puzzle)[0] if order in ("", "auto") else order
    cells = order_of(puzzle.board, name)
    profile = estimate.profile(puzzle, cells)
    probed = estimate.knuth(puzzle, probes, seed, cells)
    counts = {each: estimate.profile(puzzle, order_of(puzzle.board, each)).nodes for each in ORDERS}
    counted = puzzle.board.shape == "square" and puzzle.border and puzzle.turning
    solutions = estimate.owen(puzzle) if counted and min(puzzle.board.rows, puzzle.board.columns) > 1 else None
    far = puzzle.board.cells >= 81
    tell_reading(document, quiet)
    if as_json:
        values: dict[str, Any] = {"order": name, "log10_nodes": profile.nodes, "log10_by_depth": list(profile.depths)}
        values |= {"log10_by_order": counts, "knuth": probed.mean, "knuth_error": probed.error, "probes": probed.count}
        print_json(values | {"log10_solutions": solutions, "misleading": far})
        return 0
    if solutions is not None:
        print(f"solutions expected for these colours: {_power(solutions)}, boards turned counted apart")
    print("nodes of a scan, mean-field: " + ", ".join(f"{each} {_power(n)}" for each, n in counts.items()))
    print(f"by depth, {name}: " + " ".join(f"{depth:.1f}" for depth in profile.depths) + " (powers of ten)")
    print(f"Knuth's estimate, {probed.count:,} walks: {probed.mean:.3g} ± {probed.error:.2g} nodes")
    if far and not quiet:
        print("beware: on boards from 9×9 on such walks hardly ever meet what counts", file=sys.stderr)
    return 0


def _power(log10: float) -> str:
    return f"{10**log10:,.4g}" if -3 < log10 < 6 else f"10^{log10:.1f}" if log10 > -1e6 else "0"
