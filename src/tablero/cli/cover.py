"""`tablero cover`: exact covers in Knuth's text format."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
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
    require_folder,
    sentence,
    summary,
    with_settings,
    write_text,
)
from tablero.errors import BadInput

if TYPE_CHECKING:
    from tablero.puzzles.cover import Covers, ExactCover
    from tablero.runs.store import Store

app = typer.Typer(help="Exact covers, in Knuth's text format.", no_args_is_help=True, rich_markup_mode=None)

File = Annotated[Path, typer.Argument(help="The problem, or - for standard input.")]
Kernel = Annotated[str, typer.Option("--kernel", help="auto, bits, sparse; for counting also memo, frontier.")]


def _read(path: Path) -> ExactCover:
    from tablero.puzzles.cover.formats import decode, read

    return decode(sys.stdin.buffer.read(), "standard input") if str(path) == "-" else read(path)


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
    """Find covers."""
    if cheapest and solutions != "1":
        raise BadInput("--cheapest finds one cover: leave --solutions out")
    verb = "cheapest" if cheapest else "solve"
    return _run(_read(file), verb, number_of_solutions(solutions), kernel, settings, svg)


@app.command()
@with_settings()
def count(
    file: File,
    kernel: Kernel = "auto",
    *,
    settings: Settings,
) -> int:
    """Count all covers."""
    return _run(_read(file), "count", None, kernel, settings, None)


def _run(
    problem: ExactCover,
    verb: str,
    most: int | None,
    kernel: str,
    settings: Settings,
    svg: Path | None,
) -> int:
    from tablero.puzzles.cover.draw import require_cells
    from tablero.puzzles.cover.formats import write
    from tablero.puzzles.cover.solve import Covers, recipe_for, search_for

    if svg is not None:
        require_cells(problem)
        require_folder(svg)
    with compile_notice("the counting kernels", settings.quiet or verb != "count"):
        search = search_for(problem, verb, kernel, durable=bool(settings.job or settings.cluster))
    text = write(problem).encode() if settings.job else b""
    most = None if verb != "solve" else most
    recipe = recipe_for(search, verb, most)
    result = perform(search, settings, most=most, keep=verb != "count", recipe=recipe, problem=text)
    covers = Covers(problem, result)
    _show(covers, verb, settings, svg)
    return exit_status(result)


def resume(store: Store, settings: Settings) -> int:
    """Go on with a stored job."""
    from tablero.puzzles.cover.solve import Covers, search_again

    card = store.card
    problem, search = search_again(card.recipe, card.problem)
    verb = card.recipe["verb"]
    result = perform(search, settings, most=card.recipe["most"], keep=verb != "count", store=store)
    _show(Covers(problem, result), verb, settings, None)
    return exit_status(result)


def answers_of(store: Store) -> list[Any]:
    """The answers that a job holds, in this family's form."""
    from tablero.puzzles.cover.solve import search_again
    from tablero.runs.coordinator import collect

    problem, search = search_again(store.card.recipe, store.card.problem)
    rows = collect(search, store).tolist()
    return [[problem.written(o) for o in row if o >= 0] for row in rows]


def _show(covers: Covers, verb: str, settings: Settings, svg: Path | None) -> None:
    from tablero.draw.svg import to_svg
    from tablero.draw.text import to_text
    from tablero.puzzles.cover.draw import mosaic

    covers.verify()
    if svg is not None and covers.chosen:
        write_text(svg, to_svg(mosaic(covers.problem, covers.chosen[0], "a cover").scene()))
    if settings.as_json:
        values = summary(covers.result)
        if covers.cost is not None:
            values["cost"] = covers.cost
        if verb != "count":
            values["answers"] = covers.written
        print_json(values)
        return
    if verb == "count":
        print(covers.solutions)
    for k, answer in enumerate(covers.written, 1):
        if len(covers.chosen) > 1:
            print(f"{'' if k == 1 else chr(10)}cover {k}")
        for option in answer:
            print(*option)
    if not settings.quiet:
        if len(covers.chosen) == 1:
            with suppress(BadInput):  # not a board
                print(to_text(mosaic(covers.problem, covers.chosen[0]), colours=sys.stderr.isatty()), file=sys.stderr)
        cost = "" if covers.cost is None else f"cost {covers.cost:,}; "
        print(cost + sentence(covers.result, "cover", "covers"), file=sys.stderr)


@app.command()
def make(
    name: Annotated[
        str,
        typer.Argument(help="pentominoes, dominoes, langford, queens, sudoku, one-factorisations or steiner."),
    ],
    size: Annotated[str, typer.Argument(help="6x10 for boards, a number for the others, 81 digits for sudoku.")] = "",
    holes: Annotated[str, typer.Option("--holes", help="Cells to leave out of a board, as r4c4,r4c5.")] = "",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file to write.")] = None,
) -> int:
    """Write a problem that people know in Knuth's format."""
    from tablero.puzzles.cover.formats import write

    text = write(_make(name, size, holes), f"tablero cover make {name} {size} {holes and '--holes ' + holes}".rstrip())
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(output, text)
    return 0


def _make(name: str, size: str, holes: str) -> ExactCover:
    from tablero.puzzles.cover import generate

    boards = {"pentominoes": (generate.pentominoes, "6x10"), "dominoes": (generate.dominoes, "8x8")}
    sizes = {
        "langford": (generate.langford, "8"),
        "queens": (generate.queens, "8"),
        "one-factorisations": (generate.one_factorisations, "8"),
        "steiner": (generate.steiner, "9"),
    }
    if name in boards:
        make_board, usual = boards[name]
        found = re.fullmatch(r"(\d{1,6})[x×](\d{1,6})", size or usual)
        if not found:
            raise BadInput(f"the board {size!r}: expected rows and columns as {usual}")
        return make_board(int(found[1]), int(found[2]), _cells(holes))
    if holes:
        raise BadInput(f"--holes: {name} has no board")
    if name == "sudoku":
        return generate.sudoku(size) if size else generate.sudoku()
    if name not in sizes:
        raise BadInput(f"{name!r}: expected one of {', '.join(sorted([*boards, *sizes, 'sudoku']))}")
    make_sized, usual = sizes[name]
    if not re.fullmatch(r"\d{1,9}", size or usual):
        raise BadInput(f"the size {size!r}: expected a number as {usual}")
    return make_sized(int(size or usual))


def _cells(text: str) -> list[tuple[int, int]]:
    cells = []
    for word in filter(None, text.split(",")):
        found = re.fullmatch(r"\s*r(\d{1,6})c(\d{1,6})\s*", word)
        if not found:
            raise BadInput(f"the cell {word!r}: expected row and column as r4c5")
        cells.append((int(found[1]) - 1, int(found[2]) - 1))
    return cells
