"""`tablero decompose`: divide the edges of a graph into copies of a part."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.cli.common import (
    Settings,
    Solutions,
    SvgFile,
    compile_notice,
    exit_status,
    number_of_solutions,
    perform,
    print_json,
    sentence,
    summary,
    with_settings,
    write_text,
)
from tablero.errors import BadInput

if TYPE_CHECKING:
    from tablero.puzzles.decomposition.check import Copy
    from tablero.puzzles.decomposition.classes import Classes
    from tablero.puzzles.decomposition.models import CoverModel
    from tablero.puzzles.decomposition.puzzle import Decomposition, DecompositionPuzzle
    from tablero.puzzles.decomposition.solve import Found
    from tablero.runs.store import Store

_MOST_EDGE_LISTS = 100_000


@with_settings()
def decompose(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="HOST", help="K16, K5,6, an edge list as 0-1,1-2, @FILE or graph6."),
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
    task: Annotated[Path | None, typer.Option("--task", help="Solve what --save-task wrote.")] = None,
    svg: SvgFile = None,
    edges_file: Annotated[
        Path | None, typer.Option("--edges-file", help="Write the answers there, a part a line as 0-1 1-2.")
    ] = None,
    *,
    settings: Settings,
) -> int:
    """Divide the edges of a graph into copies of a part."""
    from tablero.puzzles.decomposition import formats, tasks

    most = number_of_solutions(solutions)
    if count and classes:
        raise BadInput("--count and --classes: expected one of them")
    if (count or classes) and solutions != "1":
        raise BadInput("--solutions: --count and --classes take them all")
    if (settings.job or settings.cluster) and (classes or task):
        raise BadInput(f"{'--job' if settings.job else '--cluster'}: not with {'--classes' if classes else '--task'}")
    if no_solve and save_task is None:
        raise BadInput("--no-solve: expected --save-task FILE with it")
    verb = "count" if count else "solve"
    if task is not None:
        if words or into or fold != 1 or symmetry or perfect or conditions or classes or save_task:
            raise BadInput("--task: the file says what is decomposed; expected nothing else that does")
        model = tasks.read(task)
        return _run(model.puzzle, model, verb, most, settings, svg, edges_file)
    host, parts = _operands(words or [], into or [])
    given = formats.source_pairs(conditions, "condition") if conditions else None
    puzzle = _puzzle(host, parts, fold, symmetry, perfect, given, disconnected)
    if save_task is not None:
        saved = tasks.model_for(puzzle)
        write_text(save_task, tasks.write(saved))
        if no_solve:
            return _tell_saved(saved, save_task, settings)
        return _run(puzzle, saved, verb, most, settings, svg, edges_file)
    if classes:
        return _classify(puzzle, settings, svg)
    return _run(puzzle, None, verb, most, settings, svg, edges_file)


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


def _puzzle(
    host: str,
    parts: list[str],
    fold: int,
    symmetry: str,
    perfect: bool,
    conditions: list[tuple[int, int]] | None,
    disconnected: bool,
) -> DecompositionPuzzle:
    from tablero.puzzles.decomposition import decompose as make

    return make(
        host,
        parts,
        fold=fold,
        symmetry=symmetry or None,
        perfect=perfect,
        conditions=conditions,
        disconnected=disconnected,
    )


def _run(
    puzzle: DecompositionPuzzle,
    model: Any,
    verb: str,
    most: int | None,
    settings: Settings,
    svg: Path | None,
    edges_file: Path | None,
) -> int:
    from tablero.puzzles.decomposition import formats, reduced
    from tablero.puzzles.decomposition.copies import warm
    from tablero.puzzles.decomposition.models import model_of
    from tablero.puzzles.decomposition.solve import Found, impossible, recipe_for

    if known := impossible(puzzle):
        _show(known, verb, settings, svg, edges_file)
        return 1
    most = None if verb == "count" else most
    with compile_notice("the kernel that makes copies", settings.quiet):
        warm()
    model = model or model_of(puzzle)
    with compile_notice("the counting kernels", settings.quiet or verb != "count"):
        search = model.search(verb, durable=bool(settings.job or settings.cluster))
    problem = json.dumps(formats.to_json(puzzle)).encode()
    recipe = recipe_for(verb, most)
    reducible = verb == "count" and not (settings.job or settings.cluster) and reduced.applies(model)
    limit = settings.time_limit
    if reducible and (limit is None or limit > reduced.PATIENCE):
        settings = replace(settings, time_limit=reduced.PATIENCE)
    result = perform(search, settings, most=most, keep=verb != "count", recipe=recipe, problem=problem)
    if settings.time_limit != limit and result.status == "open" and not result.interrupted:
        # A count that is not done soon is begun again up to isomorphism.
        tell = not settings.quiet and sys.stderr.isatty()
        left = None if limit is None else limit - reduced.PATIENCE
        result = reduced.count(model, threads=settings.threads, time_limit=left, tell=tell)
    found = Found(puzzle, model, result)
    _show(found, verb, settings, svg, edges_file)
    return exit_status(result)


def resume(store: Store, settings: Settings) -> int:
    """Go on with a stored job."""
    from tablero.puzzles.decomposition.solve import Found, search_again

    recipe = store.card.recipe
    model, search = search_again(recipe, store.card.problem)
    result = perform(search, settings, most=recipe["most"], keep=recipe["verb"] != "count", store=store)
    _show(Found(model.puzzle, model, result), recipe["verb"], settings, None, None)
    return exit_status(result)


def answers_of(store: Store) -> list[Any]:
    """The answers that a job holds, in this family's form."""
    from tablero.puzzles.decomposition.puzzle import Decomposition
    from tablero.puzzles.decomposition.solve import search_again
    from tablero.runs.coordinator import collect

    model, search = search_again(store.card.recipe, store.card.problem)
    host = model.puzzle.host
    return _plain(Decomposition(host, model.parts(row)) for row in collect(search, store).tolist())


def _plain(found: Iterable[Decomposition]) -> list[Any]:
    """Answers whose vertices JSON can name; a part that occurs in many of them is written out once."""
    made: dict[Any, list[list[Any]]] = {}

    def plain(host: Any, part: Any) -> list[list[Any]]:
        if part not in made:
            made[part] = [[_name(end) for end in host.named(edge)] for edge in part]
        return made[part]

    return [[plain(one.host, part) for part in one.parts] for one in found]


def _name(label: Any) -> int | str:
    return label if isinstance(label, (int, str)) else str(label)


def _values(found: Found) -> dict[str, Any]:
    values = {**summary(found.result), "copies": found.copies}
    if found.model is not None:
        _, values["columns"], values["ones"] = found.model.size
    if found.reason:
        values["reason"] = found.reason
    return values


def _show(found: Found, verb: str, settings: Settings, svg: Path | None, edges_file: Path | None) -> None:
    from tablero.draw.svg import to_svg
    from tablero.puzzles.decomposition.formats import edge_lists

    found.verify()
    first = next(found.decompositions(), None)
    if svg is not None and first is not None:
        write_text(svg, to_svg(first.scene()))
    if edges_file is not None and first is not None:
        if found.solutions > _MOST_EDGE_LISTS:
            raise BadInput(f"--edges-file: {found.solutions:,} decompositions, expected at most {_MOST_EDGE_LISTS:,}")
        write_text(edges_file, edge_lists(list(found.decompositions())))
    if settings.as_json:
        _print_json(found, verb)
        if found.reason and not settings.quiet:
            print(f"no decomposition: {found.reason}", file=sys.stderr)
        return
    if verb == "count":
        print(found.solutions)
    host = found.puzzle.host
    for k, parts in enumerate(found.written(lambda copy: " ".join("{}-{}".format(*host.named(e)) for e in copy)), 1):
        head = [f"{'' if k == 1 else chr(10)}decomposition {k}"] if found.solutions > 1 else []
        print("\n".join([*head, *parts]))
    if found.reason:
        print(f"no decomposition: {found.reason}", file=sys.stderr)
    elif not settings.quiet:
        print(_matrix(found), file=sys.stderr)
        print(sentence(found.result, "decomposition", "decompositions"), file=sys.stderr)


def _print_json(found: Found, verb: str) -> None:
    """One object; answers are written as they come, since there may be a million."""
    values = _values(found)
    if verb == "count":
        print_json(values)
        return
    host = found.puzzle.host

    def text(copy: Copy) -> str:
        return json.dumps([[_name(end) for end in host.named(edge)] for edge in copy], ensure_ascii=False)

    sys.stdout.write(json.dumps(values, ensure_ascii=False)[:-1] + ', "answers": [')
    for k, parts in enumerate(found.written(text)):
        sys.stdout.write(f"{', ' if k else ''}[{', '.join(parts)}]")
    sys.stdout.write("]}\n")


def _matrix(found: Found) -> str:
    """Rows, columns and ones, as the source reports them."""
    assert found.model is not None
    rows, columns, ones = found.model.size
    copies = "" if found.model.copies is None else f"{found.model.copies:,} copies; "
    return f"{found.puzzle}: {copies}{rows:,} rows, {columns:,} columns, {ones:,} ones"


def _tell_saved(model: CoverModel, path: Path, settings: Settings) -> int:
    rows, columns, ones = model.size
    if settings.as_json:
        values = {"status": "open", "solutions": 0, "copies": rows, "columns": columns, "ones": ones}
        print_json({**values, "nodes": 0, "seconds": 0.0, "fraction": 0.0, "task": str(path)})
    elif not settings.quiet:
        print(f"{model.puzzle}: {rows:,} copies, {columns:,} columns, {ones:,} ones in {path}", file=sys.stderr)
    return 0


def _classify(puzzle: DecompositionPuzzle, settings: Settings, svg: Path | None) -> int:
    from tablero.draw.svg import to_svg
    from tablero.puzzles.decomposition.classes import classes

    with compile_notice("the kernels", settings.quiet):
        found = classes(puzzle, threads=settings.threads, time_limit=settings.time_limit)
    if svg is not None and found.classes:
        write_text(svg, to_svg(found.classes[0].example.scene()))
    if settings.as_json:
        values = {**_values(found.found), "answers": _plain(one.example for one in found.classes)}
        values["classes"] = [{"group": one.group, "labelled": one.labelled} for one in found.classes]
        values["labelled"] = found.labelled
        values["checked"] = found.complete
        print_json(values)
    else:
        _print_classes(found, settings)
    if found.found.reason:
        print(f"no decomposition: {found.found.reason}", file=sys.stderr)
    return exit_status(found.found.result)


def _print_classes(found: Classes, settings: Settings) -> None:
    for k, one in enumerate(found.classes, 1):
        print(f"{'' if k == 1 else chr(10)}class {k}: group of order {one.group}, {one.labelled:,} labelled")
        print(one.example)
    if not settings.quiet and not found.found.reason:
        total = f"Σ {found.symmetries:,}/|Aut| = {sum(one.labelled for one in found.classes):,}"
        verdict = "all there are" if found.complete else "not all were found"
        number = f"{len(found.classes)} class{'' if len(found.classes) == 1 else 'es'}"
        print(f"{number}; {total} of {found.labelled:,} labelled: {verdict}", file=sys.stderr)
        print(sentence(found.found.result, "decomposition", "decompositions"), file=sys.stderr)
