"""`tablero decompose`: divide the edges of a graph into copies of a part."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import (
    Settings,
    Solutions,
    SvgFile,
    exit_status,
    number_of_solutions,
    print_found,
    print_json,
    print_values,
    require_pictures,
    sentence,
    with_settings,
    write_svg,
)
from tablero.errors import BadInput
from tablero.files import require_writable, write_text

if TYPE_CHECKING:
    from tablero.puzzles.decomposition import Classes, Found
    from tablero.puzzles.decomposition.check import Copy
    from tablero.puzzles.decomposition.models import CoverModel

_MOST_EDGE_LISTS = 100_000


@with_settings()
def decompose(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="HOST", help="K16, K5,6, an edge list as 0-1,1-2, @FILE (@- is standard input) or graph6."
        ),
    ] = None,
    into: Annotated[
        list[str] | None,
        typer.Option(
            "--into",
            help="The part: double-star (usual), path, star, cycle, matching, clique, hamiltonian-path, "
            "hamiltonian-cycle, triangle, one with a number of vertices as path-5, an edge list, @FILE or graph6; "
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
    disconnected: Annotated[bool, typer.Option("--disconnected", help="Allow a part in several pieces.")] = False,
    save_task: Annotated[Path | None, typer.Option("--save-task", help="Write the exact cover to this file.")] = None,
    no_solve: Annotated[bool, typer.Option("--no-solve", help="Do not search.")] = False,
    task: Annotated[
        str | None, typer.Option("--task", help="Solve what --save-task wrote; - is standard input.")
    ] = None,
    svg: SvgFile = None,
    edges_file: Annotated[
        Path | None, typer.Option("--edges-file", help="Write the answers there, a part a line as 0-1 1-2.")
    ] = None,
    *,
    settings: Settings,
) -> int:
    """Divide the edges of a graph into copies of a part."""
    from tablero.puzzles.decomposition import count as count_all
    from tablero.puzzles.decomposition import decompose as make
    from tablero.puzzles.decomposition import tasks
    from tablero.puzzles.decomposition.copies import warm
    from tablero.puzzles.decomposition.draw import require_drawable
    from tablero.puzzles.decomposition.words import source_pairs

    most = number_of_solutions(solutions)
    if count and classes:
        raise BadInput("--count and --classes: expected one of them")
    if (count or classes) and solutions != "1":
        raise BadInput("--solutions: --count and --classes take them all")
    if no_solve and save_task is None:
        raise BadInput("--no-solve: expected --save-task FILE with it")
    require_pictures(svg=svg)
    for path, option in ((edges_file, "--edges-file"), (save_task, "--save-task")):
        if path is not None:
            require_writable(path, option=option)
    run = settings.run()
    found: Found | Classes
    if task is not None:
        if words or into or fold != 1 or symmetry or perfect or conditions or classes or save_task:
            raise BadInput("--task: the file says what is decomposed; expected nothing else that does")
        read = tasks.read(task)
        if svg is not None:
            require_drawable(read.puzzle.lines)
        found = tasks.count(read, run=run) if count else tasks.solve(read, most, run=run)
    else:
        host, parts = _operands(words or [], into or [])
        puzzle = make(
            host,
            parts,
            fold=fold,
            symmetry=symmetry or None,
            perfect=perfect,
            conditions=source_pairs(conditions, "condition") if conditions else None,
            disconnected=disconnected,
        )
        if svg is not None:
            require_drawable(puzzle.lines)
        if save_task is not None:
            with settings.compiling("the kernel that makes copies"):
                warm()
            saved = tasks.model_for(puzzle)
            write_text(save_task, tasks.write(saved))
            if no_solve:
                return _tell_saved(saved, save_task, settings)
        if classes:
            found = puzzle.classes(run=run)
        else:
            found = count_all(puzzle, run=run) if count else puzzle.solve(most, run=run)
    write_svg(svg, found.scene())
    if edges_file is not None:
        _write_edges(found, edges_file)
    return show(found, settings)


app = decompose


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
        if re.fullmatch(r"(\d+\s*[x×*]\s*)?edges", part) and words:
            part = f"{part} {words.pop(0)}"
        parts.append(part)
    if words:
        raise BadInput(f"{words[0]!r} is one word too many: expected a host, and parts behind --into")
    return host, parts


def _write_edges(found: Found | Classes, path: Path) -> None:
    from tablero.puzzles.decomposition import Classes
    from tablero.puzzles.decomposition.formats import edge_lists

    examples = [one.example for one in found.classes] if isinstance(found, Classes) else found.answers
    if len(examples) > _MOST_EDGE_LISTS:
        raise BadInput(f"--edges-file: {len(examples):,} decompositions, expected at most {_MOST_EDGE_LISTS:,}")
    if examples:
        write_text(path, edge_lists(examples))


def _tell_saved(model: CoverModel, path: Path, settings: Settings) -> int:
    rows, columns, ones = model.size
    if settings.as_json:
        values = {"status": "open", "solutions": 0, "copies": rows, "columns": columns, "ones": ones}
        print_json({**values, "nodes": 0, "seconds": 0.0, "fraction": 0.0, "task": str(path)})
    else:
        settings.say(f"{model.puzzle}: {rows:,} copies, {columns:,} columns, {ones:,} ones in {path}")
    return 0


# What was found


def show(found: Found | Classes, settings: Settings) -> int:
    """Print what was found, also of a job that was resumed."""
    from tablero.puzzles.decomposition import Classes

    if isinstance(found, Classes):
        _show_classes(found, settings)
    elif settings.as_lines:
        print_found(found, settings)
    elif settings.as_json:
        _print_json(found)
    else:
        _print(found, settings)
    if found.why:
        settings.say(f"no decomposition: {found.why}")
    elif not found.why and not settings.as_json:
        settings.say(sentence(found, "decomposition", "decompositions"))
    return exit_status(found)


def _print(found: Found, settings: Settings) -> None:
    """A part a line."""
    if not found.result.kept:
        print(found.solutions)
    host = found.puzzle.host
    for k, parts in enumerate(found.written(lambda copy: " ".join("{}-{}".format(*host.named(e)) for e in copy)), 1):
        head = [f"{'' if k == 1 else chr(10)}decomposition {k}"] if found.solutions > 1 else []
        print("\n".join([*head, *parts]))
    if found.model is not None:
        # Rows, columns and ones of the matrix, as the source reports them.
        rows, columns, ones = found.model.size
        copies = "" if found.model.copies is None else f"{found.model.copies:,} copies; "
        settings.say(f"{found.puzzle}: {copies}{rows:,} rows, {columns:,} columns, {ones:,} ones")


def _print_json(found: Found) -> None:
    """One object; answers are written as they come, since there may be a million."""
    from tablero.puzzles.decomposition.formats import edges_to_json

    if not found.result.kept:
        print_json(found.values())
        return

    def text(copy: Copy) -> str:
        return json.dumps(edges_to_json(found.puzzle.host, copy), ensure_ascii=False)

    sys.stdout.write(json.dumps(found.values(), ensure_ascii=False)[:-1] + ', "answers": [')
    for k, parts in enumerate(found.written(text)):
        sys.stdout.write(f"{', ' if k else ''}[{', '.join(parts)}]")
    sys.stdout.write("]}\n")


def _show_classes(found: Classes, settings: Settings) -> None:
    if settings.as_json:
        print_values({**found.values(), "answers": found.told()}, settings)
        return
    if found.classes:
        print(found)
    if not found.why:
        total = f"Σ {found.symmetries:,}/|Aut| = {sum(one.labelled for one in found.classes):,}"
        verdict = "all there are" if found.complete else "not all were found"
        number = f"{len(found.classes)} class{'' if len(found.classes) == 1 else 'es'}"
        settings.say(f"{number}; {total} of {found.labelled:,} labelled: {verdict}")
