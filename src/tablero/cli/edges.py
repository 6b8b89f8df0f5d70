"""`tablero edges`: edge-matching puzzles, from Tetravex to Eternity II."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.cli.common import (
    ClusterAddress,
    Insecure,
    Job,
    Json,
    Quiet,
    Settings,
    Solutions,
    SvgFile,
    ThreadCount,
    TimeLimit,
    Tls,
    exit_status,
    number_of_solutions,
    perform,
    print_json,
    sentence,
    summary,
    write_text,
)
from tablero.errors import BadInput

if TYPE_CHECKING:
    from tablero.puzzles.edges import EdgePuzzle, Layings
    from tablero.puzzles.edges.formats import Document
    from tablero.runs.coordinator import Result
    from tablero.runs.store import Store
    from tablero.search.edges_optimise import BeamSearch

app = typer.Typer(
    help="Edge-matching puzzles, from Tetravex to Eternity II.", no_args_is_help=True, rich_markup_mode=None
)

File = Annotated[Path, typer.Argument(help="Pieces, CSV or a viewer's address; - for standard input.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="The file to write.")]
Seed = Annotated[int, typer.Option("--seed", help="What the random numbers begin with.")]
Size = Annotated[str, typer.Option("--size", help="The board, as 8 or 6x9, where the file does not say.")]
SideOrder = Annotated[str, typer.Option("--sides", help="How the file orders a square's sides, as trbl.")]
Border = Annotated[str, typer.Option("--border", help="The number of the border colour in the file, or none.")]
Method = Annotated[str, typer.Option("--method", "-m", help="auto, fewest, scan, frame, beam, cover1, cover2 or xcc.")]
CellOrder = Annotated[
    str,
    typer.Option("--order", help="Of cells for scan: rows, columns, ring, spiral, diagonal, auto, or r1c1,r1c2,…"),
]
UpToTurning = Annotated[bool, typer.Option("--up-to-turning", help="Of boards that are turns of each other only one.")]
Numbers = Annotated[bool, typer.Option("--numbers", help="Write the numbers of the pieces into the picture.")]


def _read(path: Path, size: str, sides: str, border: str) -> Document:
    from tablero.puzzles.edges.formats import Reading, decode, parse, read

    reading = Reading(size, sides, border)
    if str(path) == "-":
        return parse(decode(sys.stdin.buffer.read(), "standard input"), "standard input", reading)
    return read(path, reading)


def _tell(found: Document, quiet: bool) -> None:
    """Say how a file was understood, once it is clear that the rest can be used as well."""
    if not quiet:
        print(f"read as {found.remark}", file=sys.stderr)


def _put(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(output, text)


@app.command()
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
    _put(write(planted.puzzle, f"tablero edges generate {size} {how}{more} --seed {seed}"), output)
    return 0


@app.command()
def solve(
    file: File,
    solutions: Solutions = "1",
    method: Method = "auto",
    order: CellOrder = "",
    up_to_turning: UpToTurning = False,
    size: Size = "",
    sides: SideOrder = "",
    border: Border = "",
    threads: ThreadCount = 1,
    time_limit: TimeLimit = "",
    job: Job = "",
    cluster: ClusterAddress = "",
    tls: Tls = "",
    insecure: Insecure = False,
    svg: SvgFile = None,
    numbers: Numbers = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Find solutions."""
    settings = Settings.of(threads, time_limit, job, as_json, quiet, cluster, tls, insecure)
    most = number_of_solutions(solutions)
    found = _read(file, size, sides, border)
    return _run(found, "solve", most, method, order, up_to_turning or most == 1, settings, svg, numbers)


@app.command()
def count(
    file: File,
    method: Method = "auto",
    order: CellOrder = "",
    up_to_turning: UpToTurning = False,
    size: Size = "",
    sides: SideOrder = "",
    border: Border = "",
    threads: ThreadCount = 1,
    time_limit: TimeLimit = "",
    job: Job = "",
    cluster: ClusterAddress = "",
    tls: Tls = "",
    insecure: Insecure = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Count all solutions."""
    settings = Settings.of(threads, time_limit, job, as_json, quiet, cluster, tls, insecure)
    if method == "beam":
        raise BadInput("the method beam misses solutions: it cannot count")
    return _run(_read(file, size, sides, border), "count", None, method, order, up_to_turning, settings, None, False)


def _run(
    document: Document,
    verb: str,
    most: int | None,
    method: str,
    order: str,
    up_to_turning: bool,
    settings: Settings,
    svg: Path | None,
    numbers: bool,
) -> int:
    from dataclasses import replace

    from tablero.puzzles.edges import check
    from tablero.puzzles.edges.formats import write
    from tablero.puzzles.edges.solve import FIRST_TRY, Layings, Plan, none, recipe_for, reduced

    puzzle = document.puzzle
    if proof := check.impossible(puzzle):
        _tell(document, settings.quiet)
        return _finish(Layings(puzzle, none(puzzle), "parity", proof), verb, settings, svg, numbers)
    puzzle = reduced(puzzle, up_to_turning)
    plan = Plan.of(puzzle, method, order, try_first=not settings.job and not settings.cluster)
    keep = verb != "count"
    search, encoded = plan.search(puzzle)
    _tell(document, settings.quiet)
    if plan.try_first:
        limit = settings.time_limit
        short = replace(settings, time_limit=FIRST_TRY if limit is None else min(limit, FIRST_TRY))
        result = perform(search, short, most=most, keep=keep)
        if result.status != "open" or result.interrupted or short.time_limit == limit:
            return _finish(Layings(puzzle, result, plan.method, plan.why), verb, settings, svg, numbers)
        settings = settings if limit is None else replace(settings, time_limit=limit - FIRST_TRY)
        plan = Plan.of(puzzle, method, order, try_first=False)
        search, encoded = plan.search(puzzle)
    text = write(puzzle).encode() if settings.job else b""
    recipe = recipe_for(plan, verb, most)
    result = perform(search, settings, most=most, keep=keep, recipe=recipe, problem=text)
    return _finish(Layings(puzzle, result, plan.method, plan.why, encoded), verb, settings, svg, numbers)


def _finish(found: Layings, verb: str, settings: Settings, svg: Path | None, numbers: bool) -> int:
    """Check what was found, show it, and say how it ended."""
    from tablero.draw.svg import to_svg
    from tablero.puzzles.edges.draw import scene, to_text
    from tablero.puzzles.edges.formats import write_laying

    if verb != "count":
        found.verify()
    rows = found.layings.tolist() if verb != "count" else []
    if svg is not None and rows:
        write_text(svg, to_svg(scene(found.puzzle, rows[0], "a solved edge-matching puzzle", numbers=numbers)))
    if settings.as_json:
        values = {**summary(found.result), "method": found.method}
        if found.why:
            values["why"] = found.why
        if verb != "count":
            values["answers"] = found.answers
        print_json(values)
        return exit_status(found.result)
    if verb == "count":
        print(found.solutions)
    for k, row in enumerate(rows, 1):
        if len(rows) > 1:
            print(f"{'' if k == 1 else chr(10)}# board {k}")
        sys.stdout.write(write_laying(found.puzzle, row))
    if not settings.quiet:
        if len(rows) == 1 and found.puzzle.board.shape == "square" and found.puzzle.board.columns <= 16:
            print(to_text(found.puzzle, rows[0], colours=sys.stderr.isatty()), file=sys.stderr)
        why = f" ({found.why})" if found.why else ""
        print(f"{found.method}{why}: {sentence(found.result, 'solution', 'solutions')}", file=sys.stderr)
    return exit_status(found.result)


def resume(store: Store, settings: Settings) -> int:
    """Go on with a stored job."""
    from tablero.puzzles.edges.solve import Layings, search_again

    card = store.card
    verb = card.recipe["verb"]
    if verb == "optimise":
        return _resume_optimise(store, settings)
    puzzle, search, encoded = search_again(card.recipe, card.problem)
    result = perform(search, settings, most=card.recipe["most"], keep=verb != "count", store=store)
    return _finish(Layings(puzzle, result, card.recipe["method"], "", encoded), verb, settings, None, False)


def answers_of(store: Store) -> list[Any]:
    """The answers that a job holds, in this family's form."""
    from tablero.puzzles.edges.solve import as_pairs, search_again
    from tablero.runs.coordinator import collect

    if store.card.recipe["verb"] == "optimise":
        from tablero.puzzles.edges.optimise import search_again as optimise_again

        puzzle, best = optimise_again(store.card.recipe, store.card.problem)
        return [as_pairs(puzzle, row) for row in collect(best, store).tolist()]
    puzzle, search, encoded = search_again(store.card.recipe, store.card.problem)
    rows = collect(search, store).tolist()
    return [as_pairs(puzzle, row if encoded is None else encoded.decode(row).tolist()) for row in rows]


@app.command()
def optimise(
    file: File,
    time_limit: TimeLimit = "10s",
    width: Annotated[
        int | None, typer.Option("--width", help="Boards in the beam; by the time limit otherwise.")
    ] = None,
    clues: Annotated[str, typer.Option("--clues", help="Which clues to keep: all, none, or how many.")] = "all",
    seed: Seed = 0,
    size: Size = "",
    sides: SideOrder = "",
    border: Border = "",
    threads: ThreadCount = 1,
    job: Job = "",
    cluster: ClusterAddress = "",
    tls: Tls = "",
    insecure: Insecure = False,
    svg: SvgFile = None,
    numbers: Numbers = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Find a board with as many joins matched as the time allows."""
    from tablero.puzzles.edges import EdgePuzzle
    from tablero.puzzles.edges.formats import write
    from tablero.puzzles.edges.optimise import optimiser_for, recipe_for, width_for

    settings = Settings.of(threads, time_limit, job, as_json, quiet, cluster, tls, insecure)
    document = _read(file, size, sides, border)
    puzzle = document.puzzle
    if clues != "all":
        if not re.fullmatch(r"none|\d{1,4}", clues) or (clues != "none" and int(clues) > len(puzzle.clues)):
            raise BadInput(f"--clues {clues}: expected all, none, or a number up to the {len(puzzle.clues)} there are")
        kept = puzzle.clues[: 0 if clues == "none" else int(clues)]
        puzzle = EdgePuzzle(
            puzzle.pieces.tolist(), puzzle.board, border=puzzle.border, turning=puzzle.turning, clues=kept
        )
    search = optimiser_for(puzzle, width_for(puzzle, settings.time_limit) if width is None else width, seed)
    _tell(document, quiet)
    text = write(puzzle).encode() if job else b""
    result = perform(search, settings, recipe=recipe_for(search), problem=text)
    return _finish_optimise(puzzle, search, result, settings, svg, numbers)


def _resume_optimise(store: Store, settings: Settings) -> int:
    from tablero.puzzles.edges.optimise import search_again

    puzzle, search = search_again(store.card.recipe, store.card.problem)
    result = perform(search, settings, store=store)
    return _finish_optimise(puzzle, search, result, settings, None, False)


def _finish_optimise(
    puzzle: EdgePuzzle, search: BeamSearch, result: Result, settings: Settings, svg: Path | None, numbers: bool
) -> int:
    """The best board, its score and where it does not match.  A score is an answer: only no board at all leaves it open."""
    from tablero.draw.svg import to_svg
    from tablero.puzzles.edges.draw import scene
    from tablero.puzzles.edges.formats import write_laying
    from tablero.puzzles.edges.optimise import Best, curve_of

    best = Best(puzzle, result, curve_of(puzzle, search))
    best.verify()
    status = 130 if result.interrupted else 3 if best.laying is None else 0
    if svg is not None and best.laying is not None:
        write_text(svg, to_svg(scene(puzzle, best.laying, f"{best.score} of {best.maximum} joins", numbers=numbers)))
    if settings.as_json:
        values = {**summary(result), "score": best.score, "maximum": best.maximum, "clues": len(puzzle.clues)}
        curve = [list(point) for point in best.curve]
        print_json({**values, "mismatches": _told(puzzle, best.mismatches), "curve": curve, "answers": best.answers})
        return status
    if best.laying is not None:
        sys.stdout.write(write_laying(puzzle, best.laying.tolist()))
    if not settings.quiet:
        if best.curve:
            points = ", ".join(f"{score} at {seconds:.1f} s" for seconds, score in best.curve)
            print(f"score against time: {points}", file=sys.stderr)
        pairs = " ".join("-".join(pair) for pair in _told(puzzle, best.mismatches))
        print(
            f"{best.score} of {best.maximum} joins match with {best.regime}; {result.nodes:,} boards in "
            f"{result.seconds:.1f} s" + (f"; mismatches at {pairs}" if pairs else ""),
            file=sys.stderr,
        )
    return status


@app.command("encode")
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

    document = _read(file, size, sides, border)
    puzzle = document.puzzle
    if as_json and output is None:
        raise BadInput("--json describes the encoding: say with --output where the problem goes")
    problem = encode(puzzle, encoding, savings=not full).cover
    _tell(document, quiet)
    _put(write(problem, f"tablero edges encode {file.name} --encoding {encoding}{' --full' * full}"), output)
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


@app.command()
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
    found = _read(file, size, sides, border)
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
    _tell(found, quiet)
    _put(text, output)
    return 0


def _laying(found: Document, board: Path | None) -> list[int] | None:
    from tablero.puzzles.edges.formats import decode, parse_laying, read_bytes

    if board is None:
        return None if found.laying is None else [int(v) for v in found.laying]
    text = sys.stdin.buffer.read() if str(board) == "-" else read_bytes(board)
    return [int(v) for v in parse_laying(found.puzzle, decode(text, str(board)), str(board))]


@app.command()
def show(
    file: File,
    board: Annotated[Path | None, typer.Option("--board", help="A laying, as solve prints it, or its JSON.")] = None,
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

    found = _read(file, size, sides, border)
    puzzle = found.puzzle
    laying = _laying(found, board)
    rows = laying if laying is not None else [k * puzzle.sides for k in range(puzzle.board.cells)]
    if svg is not None:
        write_text(svg, to_svg(scene(puzzle, rows, "an edge-matching board", numbers=numbers)))
    wrong = check.mismatches(puzzle, rows)
    fault = None if laying is None else check.laying_fault(puzzle, rows) if -1 not in rows else "cells are empty"
    _tell(found, quiet)
    if as_json:
        values: dict[str, Any] = {"maximum": puzzle.maximum, "score": puzzle.maximum - len(wrong), "fault": fault}
        print_json({**values, "mismatches": _told(puzzle, wrong), "answers": [as_pairs(puzzle, rows)]})
        return 0
    print(to_text(puzzle, rows, colours=sys.stdout.isatty()))
    if laying is not None and not quiet:
        told = f"; {fault}" if fault else ""
        print(f"{puzzle.maximum - len(wrong)} of {puzzle.maximum} joins match{told}", file=sys.stderr)
    return 0


def _told(puzzle: EdgePuzzle, wrong: list[Any]) -> list[list[str]]:
    return [[puzzle.board.name(one[0]), puzzle.board.name(other[0])] for one, other in wrong]


@app.command("estimate")
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
    document = _read(file, size, sides, border)
    puzzle = document.puzzle
    name = best_order(puzzle)[0] if order in ("", "auto") else order
    cells = order_of(puzzle.board, name)
    profile = estimate.profile(puzzle, cells)
    probed = estimate.knuth(puzzle, probes, seed, cells)
    counts = {each: estimate.profile(puzzle, order_of(puzzle.board, each)).nodes for each in ORDERS}
    counted = puzzle.board.shape == "square" and puzzle.border and puzzle.turning
    solutions = estimate.owen(puzzle) if counted and min(puzzle.board.rows, puzzle.board.columns) > 1 else None
    far = puzzle.board.cells >= 81
    _tell(document, quiet)
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
