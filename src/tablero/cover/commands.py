"""`tablero cover`: exact covers in Knuth's text format."""

from __future__ import annotations

import sys
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.cli.common import (
    STATUS,
    Json,
    Manner,
    Outlet,
    Output,
    PageFile,
    Quiet,
    Seed,
    Settings,
    Solutions,
    SvgFile,
    TimeLimit,
    ended,
    exit_status,
    number_of_solutions,
    print_found,
    print_json,
    put,
    require_pictures,
    sentence,
    with_manner,
    with_settings,
    write_svg,
)
from tablero.cli.help import one_of
from tablero.cli.worksheet import Sheet, with_sheet
from tablero.errors import BadInput
from tablero.files import write_text
from tablero.words import several

if TYPE_CHECKING:
    from tablero.cover import Covers

app = typer.Typer(help="Exact covers, in Knuth's text format.", no_args_is_help=True, rich_markup_mode=None)

File = Annotated[str, typer.Argument(help="The problem, or - for standard input.")]
Kernel = Annotated[
    str,
    typer.Option(
        "--kernel",
        help="The kernel; memo and frontier only count.",
        autocompletion=one_of("auto", "bits", "sparse", "memo", "frontier"),
    ),
]


@app.command()
@with_settings()
def solve(
    file: File,
    solutions: Solutions = "1",
    cheapest: Annotated[bool, typer.Option("--cheapest", help="Find a cover of least total weight.")] = False,
    kernel: Kernel = "auto",
    svg: SvgFile = None,
    *,
    settings: Settings,
) -> int:
    """Find covers.

    Examples:
        tablero cover make pentominoes 6x10 -o pentominoes.dlx
        tablero cover solve pentominoes.dlx --svg pentominoes.svg
        tablero cover solve pentominoes.dlx -n all --job pentominoes
    """
    from tablero.cover import read
    from tablero.cover.draw import require_cells

    if cheapest and solutions != "1":
        raise BadInput("--cheapest finds one cover: leave --solutions out")
    most = number_of_solutions(solutions)
    require_pictures(svg=svg)
    problem = read(file)
    if svg is not None:
        require_cells(problem)
    if cheapest:
        found = problem.cheapest(kernel=kernel, run=settings.run())
    else:
        found = problem.solve(most, kernel=kernel, run=settings.run(None if svg else _outlet(settings)))
    status = show(found, settings)
    write_svg(svg, found.scene())
    return status


@app.command()
@with_settings()
def count(file: File, kernel: Kernel = "auto", *, settings: Settings) -> int:
    """Count all covers.

    Examples:
        tablero cover make langford 11 -o pairs.dlx
        tablero cover count pairs.dlx --threads 2
    """
    from tablero.cover import count as count_covers
    from tablero.cover import read

    return show(count_covers(read(file), kernel=kernel, run=settings.run()), settings)


def show(found: Covers, settings: Settings) -> int:
    """Print what was found, also of a job that was resumed."""
    if settings.as_json:
        print_found(found, settings)
        return exit_status(found)
    if not found.result.kept:
        print(found.solutions)
    elif len(found.result.answers) == 1:
        print(*(" ".join(option) for option in found.told()[0]), sep="\n")
        if settings.talks:
            _draw(found)
    elif not found.result.passed:
        _outlet(settings)(found)
    cost = "" if found.cost is None else f"cost {found.cost:,}; "
    settings.say(cost + sentence(found, "cover", "covers"))
    return exit_status(found)


def _outlet(settings: Settings) -> Outlet:
    return Outlet(settings, _numbered)


def _numbered(found: Covers, before: int) -> str:
    """Covers one below another, each with its number; every option is written out once."""
    import numpy as np

    rows = found.rows
    texts = [""] * (len(found.puzzle) + 1)  # the last is for −1, which closes a row
    for option in np.unique(rows).tolist():
        if option >= 0:
            texts[option] = " ".join(found.puzzle.written(option)) + "\n"
    return "".join(
        f"{chr(10) if k > 1 else ''}cover {k}\n{''.join(map(texts.__getitem__, row))}"
        for k, row in enumerate(rows.tolist(), before + 1)
    )


def _draw(found: Covers) -> None:
    from tablero.cover.draw import has_cells, mosaic
    from tablero.draw.text import to_text

    if has_cells(found.puzzle):
        picture = mosaic(found.puzzle, found.chosen[0])
        print(to_text(picture, colours=sys.stderr.isatty()), file=sys.stderr)


Branch = Annotated[
    str,
    typer.Option(
        "--branch",
        help="The column to take: that with the fewest rows, or the first",
        autocompletion=one_of("fewest", "first"),
    ),
]


@app.command()
@with_manner
def trace(
    file: File,
    solutions: Solutions = "all",
    branch: Branch = "fewest",
    steps: Annotated[int, typer.Option("--steps", help="Stop after so many steps.")] = 1000,
    page: PageFile = None,
    *,
    manner: Manner,
) -> int:
    """Watch Algorithm X: the matrix, the column chosen, the rows tried, and the way back, step by step.

    Examples:
        tablero cover make queens 5 -o queens.dlx
        tablero cover trace queens.dlx --page trace.html
    """
    from tablero.cover import read
    from tablero.cover.tracing import trace as trace_of
    from tablero.cover.watch import player

    most = number_of_solutions(solutions)
    require_pictures(page=page)
    problem = read(file)
    found = trace_of(problem, branch=branch, most=most, steps=steps)
    if page is not None:
        write_text(page, player(found))
    if manner.as_json:
        names = [str(item) for item in problem.items]
        told = [
            {"kind": step.kind, "chosen": [row + 1 for row in step.chosen]}
            | ({"column": names[step.column], "rows": [row + 1 for row in step.rows]} if step.column >= 0 else {})
            | ({"row": step.row + 1} if step.row >= 0 else {})
            for step in found.steps
        ]
        answers = [[problem.written(option) for option in cover] for cover in found.covers]
        values = {"status": found.status, "solutions": len(answers), "nodes": found.nodes, "branch": branch}
        print_json({**values, "steps": told, "answers": answers})
    elif page is None:
        print(found.text())
    count, nodes, steps_made = (
        several(len(found.covers), "cover"),
        several(found.nodes, "node"),
        several(len(found.steps), "step"),
    )
    ending = {"open": f"; stopped after {steps_made}", "none": " (proved)"}.get(found.status, "")
    manner.say(f"{count}{ending}; {nodes}, {steps_made}, branching on the {branch}")
    return STATUS[found.status]


@app.command()
@with_manner
def estimate(
    file: File,
    dives: Annotated[int, typer.Option("--dives", help="Random dives into the tree.")] = 10_000,
    seed: Seed = 0,
    time_limit: TimeLimit = None,
    *,
    manner: Manner,
) -> int:
    """Estimate how many covers and how many nodes there are, by Knuth's random dives.

    Examples:
        tablero cover make pentominoes 6x10 -o pentominoes.dlx
        tablero cover estimate pentominoes.dlx --dives 10000
    """
    from tablero.cover import estimate as estimate_of
    from tablero.cover import read
    from tablero.cover.estimating import require_dives
    from tablero.cover.generating import langford

    problem = read(file)
    require_dives(dives, seed)
    run = manner.here(time_limit)
    with manner.compiling("the kernel of the dives"):
        estimate_of(langford(3), 1)
    found = estimate_of(problem, dives, seed, run=run)
    status = "none" if found.proved else "solved"
    if manner.as_json:
        values: dict[str, Any] = {
            "status": status,
            "dives": found.dives,
            "met": found.met,
            "misleading": found.misleading,
        }
        for name, mean in (("covers", found.covers), ("nodes", found.nodes)):
            numbers = {name: mean.value, f"{name}_error": mean.error, f"log10_{name}": mean.log10}
            values |= {key: value if isfinite(value) else None for key, value in numbers.items()}
        print_json(values)
        return ended(found.interrupted) or STATUS[status]
    print(f"covers: {found.covers if found.met else '0' if found.proved else 'no dive met one'}")
    print(f"nodes: {found.nodes}")
    manner.say(f"{several(found.dives, 'dive')}, of which {found.met:,} ended at a cover")
    if found.dives == 1:
        manner.say("one dive has no standard error: make more")
    if found.proved:
        manner.say("there is no cover, for an item has no option (proved)")
    elif not found.met:
        manner.say("that no dive met a cover proves nothing: make more")
    elif found.misleading:
        manner.say(f"beware: {found.covers.carried_by:.1f} dives carry the number of covers; make more")
    return ended(found.interrupted) or STATUS[status]


@app.command()
@with_manner
def sample(
    file: File,
    solutions: Annotated[int, typer.Option("--solutions", "-n", help="How many covers to draw.")] = 1,
    seed: Seed = 0,
    kernel: Kernel = "auto",
    time_limit: TimeLimit = None,
    *,
    manner: Manner,
) -> int:
    """Draw covers at random, each exactly as likely as any other.

    Examples:
        tablero cover make dominoes 8x8 -o dominoes.dlx
        tablero cover sample dominoes.dlx -n 3 --seed 1
    """
    from tablero.cover import read
    from tablero.cover import sample as sample_of
    from tablero.cover.sampling import require_ranks, require_sample, warm

    run = manner.here(time_limit)
    require_sample(solutions, seed)
    problem = read(file)
    require_ranks(problem, kernel)
    try:
        with manner.compiling("the counting kernels"):
            warm(problem, kernel)
        found = sample_of(problem, solutions, seed=seed, kernel=kernel, run=run)
    except TimeoutError as late:
        if manner.as_json:
            print_json({"status": "open", "solutions": 0, "answers": []})
        manner.say(str(late))
        return STATUS["open"]
    answers = [[problem.written(option) for option in cover] for cover in found.chosen]
    status = "solved" if found.total else "none"
    if manner.as_json:
        values = {"status": status, "solutions": len(answers), "total": found.total, "seed": seed}
        print_json({**values, "kernel": found.kernel, "answers": answers})
        return STATUS[status]
    for k, answer in enumerate(answers, 1):
        if len(answers) > 1:
            print(f"{'' if k == 1 else chr(10)}cover {k}")
        for option in answer:
            print(*option)
    number = f"{found.total:,} cover{'' if found.total == 1 else 's'}"
    manner.say(
        f"{len(answers)} drawn from {number}, counted by {found.kernel}"
        if found.total
        else "there is no cover (proved)"
    )
    return STATUS[status]


@app.command("show")
@with_manner
def show_model(
    file: File,
    svg: Annotated[Path | None, typer.Option("--svg", help="Draw options and items as a bipartite graph.")] = None,
    solved: Annotated[bool, typer.Option("--solved", help="Mark the options of the first cover.")] = False,
    *,
    manner: Manner,
) -> int:
    """Show a problem: its matrix, and as a drawing the graph of its options and items.

    Examples:
        tablero cover make langford 11 -o pairs.dlx
        tablero cover show pairs.dlx --svg pairs.svg --solved
    """
    from tablero.cover import read
    from tablero.cover.tracing import matrix
    from tablero.cover.watch import bipartite, require_lines

    require_pictures(svg=svg)
    problem = read(file)
    if svg is not None:
        require_lines(problem)
    cover: list[int] = []
    if solved:
        found = problem.solve()
        if not found.chosen:
            manner.say("there is no cover to mark")
        cover = found.chosen[0] if found.chosen else []
    write_svg(svg, bipartite(problem, cover) if svg is not None else None)
    if manner.as_json:
        values = {"status": "solved", "items": len(problem.items), "primary": problem.primary, "options": len(problem)}
        print_json({**values, "ones": len(problem.table.item), "cover": [option + 1 for option in cover]})
        return 0
    print(*matrix(problem, range(problem.primary), range(len(problem))), sep="\n")
    if cover:
        print("cover: rows " + ", ".join(str(option + 1) for option in sorted(cover)))
    manner.say(f"{problem!r}"[1:-1] + f", {several(len(problem.table.item), 'one')}")
    return 0


@app.command()
def make(
    name: Annotated[
        str,
        typer.Argument(
            help="The problem.",
            autocompletion=one_of(
                "dominoes", "langford", "one-factorisations", "pentominoes", "queens", "steiner", "sudoku"
            ),
        ),
    ],
    size: Annotated[str, typer.Argument(help="6x10 for boards, a number for the others, 81 digits for sudoku.")] = "",
    holes: Annotated[str, typer.Option("--holes", help="Cells to leave out of a board, as r4c4,r4c5.")] = "",
    output: Output = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Write a problem that people know in Knuth's format.

    Examples:
        tablero cover make pentominoes 6x10 -o pentominoes.dlx
        tablero cover make dominoes 8x8 --holes r1c1,r8c8
    """
    from tablero.cover import generate, write

    problem = generate(name, size, holes=holes)
    text = write(problem, f"tablero cover make {name} {size} {holes and '--holes ' + holes}".rstrip())
    if not as_json:
        put(text, output)
        return 0
    if output is not None:
        put(text, output)
    values = {"status": "solved", "items": len(problem.items), "primary": problem.primary, "options": len(problem)}
    print_json({**values, **({} if output is not None else {"problem": text})})
    return 0


@app.command()
@with_sheet()
def worksheet(
    pieces: Annotated[int, typer.Argument(metavar="N", help="Pentominoes for each frame: 3 to 12.")] = 6,
    *,
    sheet: Sheet,
) -> int:
    """Print frames to fill with pentominoes; answers at the end.

    Examples:
        tablero cover worksheet --pdf frames.pdf
        tablero cover worksheet 12 -n 2 --per-page 2 --title 'All twelve' --pdf frames.pdf
    """
    from tablero.cover.worksheets import worksheet

    made = worksheet(pieces, count=sheet.count, seed=sheet.seed, title=sheet.title, per_page=sheet.per_page)
    return sheet.put(made)
