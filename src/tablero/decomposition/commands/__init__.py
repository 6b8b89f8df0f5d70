"""`tablero decompose`: divide the edges of a graph into copies of a part."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

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
from tablero.decomposition.commands.checking import check_file
from tablero.decomposition.commands.options import (
    CheckFile,
    Conditions,
    Count,
    Disconnected,
    EdgesFile,
    Fold,
    Given,
    Host,
    Into,
    Method,
    NoSolve,
    Perfect,
    Rows,
    SaveTask,
    Symmetry,
    TaskFile,
    WithClasses,
)
from tablero.decomposition.commands.showing import show, write_edges
from tablero.errors import BadInput
from tablero.files import require_writable, write_text
from tablero.words import several

if TYPE_CHECKING:
    from tablero.decomposition import Classes, DecompositionPuzzle, Found
    from tablero.decomposition.models import CoverModel

__all__ = ["app", "decompose", "show"]

_STREAM = Path("-")


@with_settings()
def decompose(
    words: Host = None,
    into: Into = None,
    fold: Fold = 1,
    solutions: Solutions = "1",
    count: Count = False,
    classes: WithClasses = False,
    symmetry: Symmetry = "",
    perfect: Perfect = False,
    conditions: Conditions = "",
    given: Given = None,
    method: Method = "auto",
    disconnected: Disconnected = False,
    save_task: SaveTask = None,
    no_solve: NoSolve = False,
    task: TaskFile = None,
    check: CheckFile = None,
    rows: Rows = False,
    svg: SvgFile = None,
    edges_file: EdgesFile = None,
    *,
    settings: Settings,
) -> int:
    """Divide the edges of a graph into copies of a part.

    Examples:
        tablero decompose K8 --svg k8.svg
        tablero decompose K8 --count
        tablero decompose K10 --into hamiltonian-path -n 3
        tablero decompose petersen --into path-4 --classes
    """
    most = number_of_solutions(solutions)
    _require_sense(solutions, count=count, classes=classes, no_solve=no_solve, rows=rows, save_task=save_task)
    if check is not None:
        searching = {
            "--count": count,
            "--classes": classes,
            "--rows": rows,
            "--solutions": solutions != "1",
            "--method": method != "auto",
            "--edges-file": edges_file is not None,
            "--save-task": save_task is not None,
            "--no-solve": no_solve,
        }
        if unused := [option for option, is_given in searching.items() if is_given]:
            raise BadInput(f"{unused[0]}: --check searches nothing: leave one of them out")
    _require_files(svg, edges_file, save_task)
    model: CoverModel | None = None
    if task is not None:
        if words or into or fold != 1 or symmetry or perfect or conditions or classes or save_task or given or check:
            raise BadInput("--task: the file says what is decomposed; expected nothing else that does")
        if method not in ("auto", "matrix"):
            raise BadInput(f"--method {method}: a task is a matrix: expected auto or matrix with --task")
        model = _task(task)
        puzzle, method = model.puzzle, "matrix"
    else:
        puzzle = _puzzle(words, into, given, fold, symmetry, conditions, perfect=perfect, disconnected=disconnected)
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
    status = show(found, settings, rows=rows)
    if not count:
        write_svg(svg, found.scene())
        if edges_file is not None:
            write_edges(found, edges_file)
    return status


app = decompose


def _task(file: str) -> CoverModel:
    from tablero.decomposition import tasks

    return tasks.read(file)


def _puzzle(
    words: list[str] | None,
    into: list[str] | None,
    given: list[str] | None,
    fold: int,
    symmetry: str,
    conditions: str,
    *,
    perfect: bool,
    disconnected: bool,
) -> DecompositionPuzzle:
    """What the words and options say is to be decomposed."""
    from tablero.decomposition import decompose as make
    from tablero.decomposition.words import source_pairs

    host, parts = _operands(words or [], into or [])
    return make(
        host,
        parts,
        fold=fold,
        symmetry=symmetry or None,
        perfect=perfect,
        conditions=source_pairs(conditions, "condition") if conditions else None,
        disconnected=disconnected,
        given=given or (),
    )


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
    from tablero.decomposition import count as count_all
    from tablero.decomposition import tasks

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
    from tablero.decomposition.draw import require_drawable

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
    from tablero.decomposition import tasks
    from tablero.decomposition.copies import warm

    if path == _STREAM and settings.as_json:
        raise BadInput("--save-task -: --json writes to standard output as well: leave one of them out")
    tasks.require_task(puzzle)
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
        size = ", ".join(
            (several(rows, "copy", "copies"), several(columns, "column"), several(ones, "one")),
        )
        settings.say(f"{model.puzzle}: {size} in {where}")
    return 0
