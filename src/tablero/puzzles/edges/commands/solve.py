"""`tablero edges solve` and `count`, and the family's jobs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tablero.cli.common import (
    Settings,
    Solutions,
    SvgFile,
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
from tablero.puzzles.edges.commands.boards import (
    Border,
    CellOrder,
    File,
    Method,
    Numbers,
    SideOrder,
    Size,
    UpToTurning,
    read_document,
    tell_reading,
)
from tablero.puzzles.edges.commands.optimise import resume_optimise

if TYPE_CHECKING:
    from tablero.puzzles.edges import Layings
    from tablero.puzzles.edges.formats import Document
    from tablero.puzzles.edges.solve import Plan
    from tablero.runs.findings import Result
    from tablero.runs.store import Store
    from tablero.search.base import Search


@with_settings()
def solve(
    file: File,
    solutions: Solutions = "1",
    method: Method = "auto",
    order: CellOrder = "",
    up_to_turning: UpToTurning = False,
    size: Size = "",
    sides: SideOrder = "",
    border: Border = "",
    svg: SvgFile = None,
    numbers: Numbers = False,
    *,
    settings: Settings,
) -> int:
    """Find solutions."""
    most = number_of_solutions(solutions)
    found = read_document(file, size, sides, border)
    return _run(found, "solve", most, method, order, up_to_turning or most == 1, settings, svg, numbers)


@with_settings()
def count(
    file: File,
    method: Method = "auto",
    order: CellOrder = "",
    up_to_turning: UpToTurning = False,
    size: Size = "",
    sides: SideOrder = "",
    border: Border = "",
    *,
    settings: Settings,
) -> int:
    """Count all solutions."""
    if method == "beam":
        raise BadInput("the method beam misses solutions: it cannot count")
    return _run(
        read_document(file, size, sides, border), "count", None, method, order, up_to_turning, settings, None, False
    )


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
    from tablero.puzzles.edges.solve import Layings, none, recipe_for, reduced, search_by_plan

    puzzle = document.puzzle
    if proof := check.impossible(puzzle):
        tell_reading(document, settings.quiet)
        return _finish(Layings(puzzle, none(puzzle), "parity", proof), verb, settings, svg, numbers)
    puzzle = reduced(puzzle, up_to_turning)
    text = write(puzzle).encode() if settings.job else b""
    told = False

    def work(search: Search, plan: Plan, seconds: float | None) -> Result:
        nonlocal told
        if not told:
            tell_reading(document, settings.quiet)
            told = True
        limited, recipe = replace(settings, time_limit=seconds), recipe_for(plan, verb, most)
        return perform(search, limited, most=most, keep=verb != "count", recipe=recipe, problem=text)

    one_method = bool(settings.job or settings.cluster)  # a durable search is of one method from its start
    found = search_by_plan(puzzle, method, order, work, settings.time_limit, try_first=not one_method)
    return _finish(found, verb, settings, svg, numbers)


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
        return resume_optimise(store, settings)
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
