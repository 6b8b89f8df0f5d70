"""`tablero decompose`: divide the edges of a graph into copies of a part."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import (
    Settings,
    Solutions,
    SvgFile,
    number_of_solutions,
    print_json,
    require_pictures,
    with_settings,
    write_svg,
)
from tablero.errors import BadInput
from tablero.files import require_writable, write_text
from tablero.puzzles.decomposition.commands.checking import check_file
from tablero.puzzles.decomposition.commands.showing import show, write_edges

if TYPE_CHECKING:
    from tablero.puzzles.decomposition import Classes, DecompositionPuzzle, Found
    from tablero.puzzles.decomposition.models import CoverModel

__all__ = ["app", "decompose", "show"]

_STREAM = Path("-")


@with_settings()
def decompose(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="HOST",
            help="K16, K5,6, an edge list as 0-1,1-2, @FILE (@- is standard input), petersen or another name, or graph6.",
        ),
    ] = None,
    into: Annotated[
        list[str] | None,
        typer.Option(
            "--into",
            help="The part: double-star (usual), path, star, cycle, matching, clique, hamiltonian-path, "
            "hamiltonian-cycle, triangle, one with a number of vertices as path-5, an edge list, @FILE, a name or graph6; "
            "more than once for a mixture, with how many times as '7 x triangle'.",
        ),
    ] = None,
    fold: Annotated[int, typer.Option("--fold", help="How many parts every edge is in.")] = 1,
    solutions: Solutions = "1",
    count: Annotated[bool, typer.Option("--count", help="Count all decompositions.")] = False,
    classes: Annotated[bool, typer.Option("--classes", help="All of them up to isomorphism, with groups.")] = False,
    symmetry: Annotated[
        str,
        typer.Option(
            "--symmetry", help="Only with this automorphism: cyclic, bicyclic, an order K, or '(0 1 2)(3 4 5)'."
        ),
    ] = "",
    perfect: Annotated[bool, typer.Option("--perfect", help="Matchings: every two make a Hamilton cycle.")] = False,
    conditions: Annotated[
        str, typer.Option("--conditions", help="The source's conditions on copies as [(2,3),(3,4)]: checked.")
    ] = "",
    given: Annotated[
        list[str] | None, typer.Option("--given", help="A copy that it must have, as 0-1,1-2; more than once for more.")
    ] = None,
    method: Annotated[
        str,
        typer.Option("--method", help="auto, matrix, laying, anneal (one only); with a symmetry orbits or base too."),
    ] = "auto",
    disconnected: Annotated[bool, typer.Option("--disconnected", help="Allow a part in several pieces.")] = False,
    save_task: Annotated[
        Path | None, typer.Option("--save-task", help="Write the exact cover to this file; - is standard output.")
    ] = None,
    no_solve: Annotated[bool, typer.Option("--no-solve", help="Do not search.")] = False,
    task: Annotated[
        str | None, typer.Option("--task", help="Solve what --save-task wrote; - is standard input.")
    ] = None,
    check: Annotated[
        str | None,
        typer.Option("--check", help="Search nothing: are those in this file decompositions? - is standard input."),
    ] = None,
    rows: Annotated[
        bool, typer.Option("--rows", help="Print numbers of rows of the matrix, from 1, not edges.")
    ] = False,
    svg: SvgFile = None,
    edges_file: Annotated[
        Path | None, typer.Option("--edges-file", help="Write the answers there, a part a line as 0-1 1-2.")
    ] = None,
    *,
    settings: Settings,
) -> int:
    """Divide the edges of a graph into copies of a part."""
    from tablero.puzzles.decomposition import decompose as make
    from tablero.puzzles.decomposition import tasks
    from tablero.puzzles.decomposition.words import source_pairs

    most = number_of_solutions(solutions)
    _require_sense(solutions, count=count, classes=classes, no_solve=no_solve, rows=rows, save_task=save_task)
    _require_files(svg, edges_file, save_task)
    if task is not None:
        if words or into or fold != 1 or symmetry or perfect or conditions or classes or save_task or given or check:
            raise BadInput("--task: the file says what is decomposed; expected nothing else that does")
        model: CoverModel | None = tasks.read(task)
        assert model is not None
        puzzle, method = model.puzzle, "matrix"
    else:
        host, parts = _operands(words or [], into or [])
        model = None
        puzzle = make(
            host,
            parts,
            fold=fold,
            symmetry=symmetry or None,
            perfect=perfect,
            conditions=source_pairs(conditions, "condition") if conditions else None,
            disconnected=disconnected,
            given=given or (),
        )
    if svg is not None:
        _require_drawable(puzzle)
    if check is not None:
        return check_file(puzzle, check, svg, settings)
    if save_task is not None:
        model = _save(puzzle, save_task, settings)
        if no_solve:
            return _tell_saved(model, save_task, settings)
    if count and (svg is not None or edges_file is not None):
        settings.say("--count makes no decompositions: nothing is drawn, and no edges are written")
    found = _find(puzzle, model, most, method, settings, count=count, classes=classes, rows=rows)
    if not count:
        write_svg(svg, found.scene())
        if edges_file is not None:
            write_edges(found, edges_file)
    return show(found, settings, rows=rows)


app = decompose


def _find(
    puzzle: DecompositionPuzzle,
    model: CoverModel | None,
    most: int | None,
    method: str,
    settings: Settings,
    *,
    count: bool,
    classes: bool,
    rows: bool,
) -> Found | Classes:
    """Ask what the options ask for."""
    from tablero.puzzles.decomposition import count as count_all
    from tablero.puzzles.decomposition import tasks

    run = settings.run()
    if classes:
        if method != "auto":
            raise BadInput("--method: --classes chooses its own")
        return puzzle.classes(run=run)
    if rows and method == "auto":
        method = "matrix"
    if model is not None:
        return tasks.count(model, run=run) if count else tasks.solve(model, most, run=run)
    return count_all(puzzle, method=method, run=run) if count else puzzle.solve(most, method=method, run=run)


def _require_sense(
    solutions: str, *, count: bool, classes: bool, no_solve: bool, rows: bool, save_task: Path | None
) -> None:
    """Refuse options that contradict one another."""
    if count and classes:
        raise BadInput("--count and --classes: expected one of them")
    if (count or classes) and solutions != "1":
        raise BadInput("--solutions: --count and --classes take them all")
    if (count or classes) and rows:
        raise BadInput("--rows: --count and --classes print no rows")
    if no_solve and save_task is None:
        raise BadInput("--no-solve: expected --save-task FILE with it")
    if save_task == _STREAM and not no_solve:
        raise BadInput("--save-task -: expected --no-solve with it, for answers would be mixed with the task")


def _require_files(svg: Path | None, edges_file: Path | None, save_task: Path | None) -> None:
    require_pictures(svg=svg)
    for path, option in ((edges_file, "--edges-file"), (save_task, "--save-task")):
        if path is not None and path != _STREAM:
            require_writable(path, option=option)


def _require_drawable(puzzle: DecompositionPuzzle) -> None:
    from tablero.puzzles.decomposition.draw import require_drawable

    require_drawable(puzzle.lines)


def _operands(words: list[str], into: list[str]) -> tuple[str, list[str]]:
    """The host and the parts; where one of them is the word "edges", its list is the next word."""
    words = list(words)
    if not words:
        raise BadInput("Missing argument 'HOST': expected K16, K5,6, an edge list as 0-1,1-2, @FILE or graph6")
    host = words.pop(0)
    if host == "edges" and words:
        host = f"edges {words.pop(0)}"
    parts = []
    for part in into or ["double-star"]:
        if re.fullmatch(r"([0-9]+\s*[x×*]\s*)?edges", part) and words:
            part = f"{part} {words.pop(0)}"
        parts.append(part)
    if words:
        raise BadInput(f"{words[0]!r} is one word too many: expected a host, and parts behind --into")
    return host, parts


def _save(puzzle: DecompositionPuzzle, path: Path, settings: Settings) -> CoverModel:
    """Write the task."""
    from tablero.puzzles.decomposition import tasks
    from tablero.puzzles.decomposition.copies import warm

    if path == _STREAM and settings.as_json:
        raise BadInput("--save-task -: --json writes to standard output as well: leave one of them out")
    with settings.compiling("the kernel that makes copies"):
        warm()
    model = tasks.model_for(puzzle)
    if path == _STREAM:
        sys.stdout.write(tasks.write(model))
    else:
        write_text(path, tasks.write(model))
    return model


def _tell_saved(model: CoverModel, path: Path, settings: Settings) -> int:
    rows, columns, ones = model.size
    if settings.as_json:
        values = {"status": "open", "solutions": 0, "copies": rows, "columns": columns, "ones": ones}
        print_json({**values, "nodes": 0, "seconds": 0.0, "fraction": 0.0, "task": str(path)})
    else:
        where = "standard output" if path == _STREAM else path
        settings.say(f"{model.puzzle}: {rows:,} copies, {columns:,} columns, {ones:,} ones in {where}")
    return 0
