"""`tablero sudoku`: solve, explain, rate, make and count Sudoku puzzles."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from tablero.cli.common import (
    ClusterAddress,
    Insecure,
    Job,
    Json,
    Quiet,
    Settings,
    Solutions,
    ThreadCount,
    TimeLimit,
    Tls,
    compile_notice,
    exit_status,
    number_of_solutions,
    perform,
    print_json,
    require_folder,
    sentence,
    summary,
    write_text,
)
from tablero.errors import BadInput

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.puzzles.sudoku import Sudoku
    from tablero.puzzles.sudoku.logic import Step
    from tablero.puzzles.sudoku.puzzle import Layout
    from tablero.puzzles.sudoku.solve import Model
    from tablero.puzzles.sudoku.solve import Solutions as Found
    from tablero.runs.store import Store

app = typer.Typer(help="Sudoku: solve, explain, rate, make and count.", no_args_is_help=True, rich_markup_mode=None)

Puzzle = Annotated[
    str, typer.Argument(help="A file (text, CSV, Excel), the cells themselves, or - for standard input.")
]
Sheet = Annotated[str, typer.Option("--sheet", help="The sheet of an Excel file; the first without it.")]
Corner = Annotated[str, typer.Option("--cell", help="Where the board begins in the sheet, as B2.")]
Side = Annotated[int, typer.Option("--side", help="4, 6, 9, 12, 16 or 25, where the file does not tell.")]
Diagonals = Annotated[bool, typer.Option("--diagonals", "-x", help="Both diagonals hold every digit, too.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Write there: .xlsx, .csv, .sdk, .sdm or text.")]
SvgOut = Annotated[Path | None, typer.Option("--svg", help="Draw into this file.")]
PdfOut = Annotated[Path | None, typer.Option("--pdf", help="Draw into this file.")]

_MANY_BYTES = 1 << 16  # how much of a file tells whether it holds many puzzles


# Reading


def _layout(diagonals: bool, side: int) -> Layout | None:
    from tablero.puzzles.sudoku.puzzle import Layout

    return Layout(side or 9, diagonals=diagonals) if diagonals or side else None


def _is_file(text: str) -> bool:
    """Whether an argument is a file's name rather than a puzzle."""
    from tablero.puzzles.sudoku.formats import is_cells

    return text != "-" and (Path(text).exists() or not is_cells(text))


def _one(puzzle: str, sheet: str, cell: str, side: int, diagonals: bool) -> Sudoku:
    """The puzzle that an argument stands for."""
    from tablero.puzzles.sudoku import formats, sheets

    layout = _layout(diagonals, side)
    if not _is_file(puzzle):
        if puzzle == "-":
            return formats.parse(sys.stdin.read(), "standard input", layout)
        return formats.parse_line(puzzle, "the puzzle", layout)
    path = Path(puzzle)
    if path.suffix.lower() in sheets.SUFFIXES:
        return sheets.read(path, sheet=sheet, cell=cell or "A1", side=side or None, layout=layout)
    if sheet or cell:
        raise BadInput(f"--sheet and --cell: {path} is no spreadsheet")
    return formats.read(path, layout)


def _has_many(puzzle: str, diagonals: bool, side: int) -> bool:
    """Whether a file holds plain 9×9 puzzles, a line each: its beginning tells."""
    from tablero.puzzles.sudoku.formats import is_many
    from tablero.puzzles.sudoku.sheets import SUFFIXES

    path = Path(puzzle)
    if diagonals or side not in (0, 9) or not _is_file(puzzle) or path.suffix.lower() in SUFFIXES or not path.is_file():
        return False
    with path.open("rb") as stream:
        head = stream.read(_MANY_BYTES)
    whole = head if len(head) < _MANY_BYTES else head[: head.rfind(b"\n") + 1]
    return is_many(whole.decode("utf-8", "replace"))


# Writing


def _require_writable(*files: Path | None) -> None:
    """Refuse files that could not be written, before there is anything to write."""
    from tablero.puzzles.sudoku.sheets import SUFFIXES

    for file in files:
        if file is not None:
            require_folder(file)
            if file.suffix.lower() in SUFFIXES and file.suffix.lower() != ".xlsx":
                raise BadInput(f"{file}: of spreadsheets only .xlsx is written")


def _write_bytes(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from None


def _write_board(path: Path, puzzle: Sudoku, answer: Sequence[int] | None) -> None:
    """A board in the format that the file's name asks for."""
    from tablero.puzzles.sudoku import formats, sheets
    from tablero.puzzles.sudoku.puzzle import to_line

    cells = tuple(answer or puzzle.cells)
    suffix = path.suffix.lower()
    if suffix == ".xlsx":
        sheets.write(path, puzzle, cells)
    elif suffix == ".csv":
        write_text(path, formats.write_csv(cells, puzzle.side))
    elif suffix == ".sdk":
        write_text(path, formats.write_sdk(cells, puzzle.side))
    else:
        write_text(path, to_line(cells) + "\n" if answer or puzzle.layout.is_plain else formats.write(puzzle))


def _draw(scenes: Sequence[Scene], svg: Path | None, pdf: Path | None, unit: float | None = None) -> None:
    from tablero.draw.pdf import to_pdf
    from tablero.draw.sheet import stacked
    from tablero.draw.svg import to_svg

    if svg is not None and scenes:
        write_text(svg, to_svg(stacked(scenes)))
    if pdf is not None and scenes:
        _write_bytes(pdf, to_pdf(scenes, unit) if unit else to_pdf(scenes))


# Solving and counting


@app.command()
def solve(
    puzzle: Puzzle,
    solutions: Solutions = "1",
    diagonals: Diagonals = False,
    side: Side = 0,
    sheet: Sheet = "",
    cell: Corner = "",
    output: Output = None,
    svg: SvgOut = None,
    pdf: PdfOut = None,
    threads: ThreadCount = 1,
    time_limit: TimeLimit = "",
    job: Job = "",
    cluster: ClusterAddress = "",
    tls: Tls = "",
    insecure: Insecure = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Find the solution, and tell whether it is the only one; of a file of many puzzles, each in turn."""
    settings = Settings.of(threads, time_limit, job, as_json, quiet, cluster, tls, insecure)
    most = number_of_solutions(solutions)
    _require_writable(output, svg, pdf)
    if _has_many(puzzle, diagonals, side):
        if job or cluster or svg or pdf or most != 1:
            raise BadInput("a file of many puzzles: --job, --cluster, --svg, --pdf and --solutions are for one")
        return _solve_many(Path(puzzle), 2, output, settings, keep=True)
    return _run(_one(puzzle, sheet, cell, side, diagonals), "solve", most, settings, output, svg, pdf)


@app.command()
def count(
    puzzle: Puzzle,
    limit: Annotated[str, typer.Option("--limit", help="Stop at so many: a number, or all. (all; many: 2)")] = "",
    diagonals: Diagonals = False,
    side: Side = 0,
    sheet: Sheet = "",
    cell: Corner = "",
    threads: ThreadCount = 1,
    time_limit: TimeLimit = "",
    job: Job = "",
    cluster: ClusterAddress = "",
    tls: Tls = "",
    insecure: Insecure = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Count solutions up to a limit; of a file of many puzzles, of each."""
    settings = Settings.of(threads, time_limit, job, as_json, quiet, cluster, tls, insecure)
    many = _has_many(puzzle, diagonals, side)
    try:
        most = number_of_solutions(limit or ("2" if many else "all"))
    except BadInput:
        raise BadInput(f"--limit {limit}: expected a number from 1, or all") from None
    if many:
        if job or cluster or most is None:
            raise BadInput("a file of many puzzles: --limit must be a number, --job and --cluster are for one")
        return _solve_many(Path(puzzle), most, None, settings, keep=False)
    return _run(_one(puzzle, sheet, cell, side, diagonals), "count", most, settings, None, None, None)


def _run(
    puzzle: Sudoku,
    verb: str,
    most: int | None,
    settings: Settings,
    output: Path | None,
    svg: Path | None,
    pdf: Path | None,
) -> int:
    from tablero.puzzles.sudoku.formats import write
    from tablero.puzzles.sudoku.solve import model_for, recipe_for

    model = model_for(puzzle)
    recipe = recipe_for(verb, most)
    found = _perform(puzzle, model, verb, most, settings, recipe=recipe, problem=write(puzzle).encode())
    _show(found, verb, settings)
    if found.boards:
        from tablero.puzzles.sudoku.draw import board

        if output is not None:
            _write_board(output, puzzle, found.boards[0])
        _draw([board(puzzle, found.boards[0])], svg, pdf, 40.0)
    return _status(found)


def _perform(puzzle: Sudoku, model: Model, verb: str, most: int | None, settings: Settings, **books: Any) -> Found:
    from tablero.puzzles.sudoku.solve import Solutions as Found
    from tablero.puzzles.sudoku.solve import wanted

    sought = wanted(most) if verb == "solve" else most
    result = perform(model.search, settings, most=sought, keep=verb == "solve", **books)
    return Found(puzzle, result, model.decode, most)


def _status(found: Found) -> int:
    return 0 if found.status == "solved" and not found.result.interrupted else exit_status(found.result)


def _show(found: Found, verb: str, settings: Settings) -> None:
    from tablero.puzzles.sudoku.draw import board_text

    if settings.as_json:
        values = {**summary(found.result), "status": found.status, "solutions": found.solutions}
        if verb == "solve":
            values |= {"unique": found.unique, "answers": found.answers}
        print_json(values)
        return
    if verb == "count":
        print(found.solutions)
    for answer in found.answers:
        print(answer)
    if settings.quiet:
        return
    if len(found.boards) == 1:
        colours = sys.stderr.isatty()
        layout, clues = found.puzzle.layout, found.puzzle.cells
        print(board_text(layout, found.boards[0], clues=clues, colours=colours), file=sys.stderr)
    told = {True: "the only solution", False: "there are more solutions", None: "whether there are more is open"}
    remark = f"{told[found.unique]}; " if verb == "solve" and found.boards and found.most == 1 else ""
    print(remark + sentence(found.result, "solution", "solutions"), file=sys.stderr)


def resume(store: Store, settings: Settings) -> int:
    """Go on with a stored job."""
    from tablero.puzzles.sudoku.solve import search_again

    recipe = store.card.recipe
    puzzle, model = search_again(store.card.problem)
    found = _perform(puzzle, model, recipe["verb"], recipe["most"], settings, store=store)
    _show(found, recipe["verb"], settings)
    return _status(found)


def answers_of(store: Store) -> list[Any]:
    """The answers that a job holds, as strings of cells."""
    from tablero.puzzles.sudoku.puzzle import to_line
    from tablero.puzzles.sudoku.solve import search_again
    from tablero.runs.coordinator import collect

    _, model = search_again(store.card.problem)
    return [to_line(model.decode(row)) for row in collect(model.search, store)]


def _solve_many(path: Path, limit: int, output: Path | None, settings: Settings, *, keep: bool) -> int:
    """A file of many puzzles, batch by batch: solutions or counts, a line each."""
    import numpy as np

    from tablero.puzzles.sudoku import batch
    from tablero.search.sudoku import solve_many

    with compile_notice("the kernel sudoku.bands", settings.quiet):
        solve_many(np.zeros((1, 81), np.uint8), 1)
    stop = np.zeros(1, np.uint8)
    answers: list[str] = []
    counts: list[int] = []
    totals = {"unique": 0, "several": 0, "none": 0}
    puzzles, seconds, cpu, interrupted = 0, 0.0, 0.0, False
    progress = _Progress(settings.quiet)
    with ExitStack() as stack:
        stream = stack.enter_context(path.open("rb"))
        out = _opened(output, stack)
        if settings.time_limit:
            timer = threading.Timer(settings.time_limit, lambda: stop.__setitem__(0, 1))
            timer.start()
            stack.callback(timer.cancel)
        try:
            batches = batch.read_batches(stream, str(path))
            for part in batch.solve_batches(batches, str(path), limit, threads=settings.threads, stop=stop):
                known = part.counts >= 0
                puzzles += int(known.sum())
                seconds, cpu = seconds + part.seconds, cpu + part.cpu
                for name, chosen in (
                    ("unique", part.counts == 1),
                    ("several", part.counts > 1),
                    ("none", part.counts == 0),
                ):
                    totals[name] += int(chosen.sum())
                lines = batch.to_lines(part.answers[known])
                if not keep:
                    counts += part.counts[known].tolist()
                    if not settings.as_json:
                        print(*part.counts[known].tolist(), sep="\n")
                elif out is not None:
                    out.write(lines)
                elif settings.as_json:
                    answers += lines.decode().split()
                else:
                    sys.stdout.write(lines.decode())
                progress(puzzles)
        except KeyboardInterrupt:
            interrupted = True
    progress.clear()
    is_open = bool(stop[0]) or interrupted
    status = "open" if is_open else "none" if totals["none"] == puzzles else "complete"
    values: dict[str, Any] = {"status": status, "puzzles": puzzles, "solutions": puzzles - totals["none"], **totals}
    values |= {"seconds": round(seconds, 6), "cpu_seconds": round(cpu, 6)}
    if settings.as_json:
        more = {"answers": answers} if keep and out is None else {"counts": counts} if not keep else {}
        print_json({**values, **more})
    elif not settings.quiet:
        rate = puzzles / max(seconds, 1e-9)
        print(
            f"{puzzles:,} puzzles: {totals['unique']:,} with one solution, {totals['several']:,} with several, "
            f"{totals['none']:,} with none; {seconds:.2f} s, {rate:,.0f} a second",
            file=sys.stderr,
        )
    return 130 if interrupted else {"open": 3, "none": 1, "complete": 0}[status]


def _opened(output: Path | None, stack: ExitStack) -> BinaryIO | None:
    if output is None:
        return None
    try:
        return stack.enter_context(output.open("wb"))
    except OSError as error:
        raise BadInput(f"cannot write {output}: {error.strerror or error}") from None


class _Progress:
    """How many puzzles are done, on one line of a terminal."""

    def __init__(self, quiet: bool) -> None:
        self._live = not quiet and sys.stderr.isatty()
        self._began = self._shown = time.monotonic()

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if self._live and now - self._shown > 0.2:
            self._shown = now
            sys.stderr.write(f"\r\x1b[K{done:,} puzzles  {done / (now - self._began):,.0f} a second")
            sys.stderr.flush()

    def clear(self) -> None:
        if self._live:
            sys.stderr.write("\r\x1b[K")


# Logic


def _step_values(puzzle: Sudoku, step: Step) -> dict[str, Any]:
    from tablero.puzzles.sudoku.puzzle import SYMBOLS, cell_name

    def listed(candidates: Sequence[tuple[int, int]]) -> list[list[str]]:
        return [[cell_name(cell, puzzle.side), SYMBOLS[digit]] for cell, digit in candidates]

    return {
        "technique": step.technique,
        "rating": step.rating,
        "sentence": step.sentence,
        "placed": listed(step.placed),
        "removed": listed(step.removed),
    }


@app.command()
def step(
    puzzle: Puzzle,
    method: Annotated[
        str, typer.Option("--method", help="logic (all techniques) or sweeps (naked singles).")
    ] = "logic",
    pause: Annotated[bool, typer.Option("--pause", help="Wait for Enter after each step.")] = False,
    boards: Annotated[bool, typer.Option("--boards", help="Show the board after each step, as sweeps do.")] = False,
    diagonals: Diagonals = False,
    side: Side = 0,
    sheet: Sheet = "",
    cell: Corner = "",
    output: Output = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Draw every step into this folder.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Solve step by step, each told in a sentence."""
    if method not in ("logic", "sweeps"):
        raise BadInput(f"--method {method}: expected logic or sweeps")
    _require_writable(output)
    given = _one(puzzle, sheet, cell, side, diagonals)
    wait = _pauser(pause and not as_json)
    if method == "sweeps":
        return _sweeps(given, wait, output, svg, as_json, quiet)
    return _logic(given, wait, boards, output, svg, as_json, quiet)


def _pauser(wanted: bool) -> Callable[[], None]:
    def wait() -> None:
        if wanted:
            sys.stderr.write("Enter goes on … ")
            sys.stderr.flush()
            if not sys.stdin.readline():
                raise KeyboardInterrupt

    return wait


def _folder(path: Path | None) -> None:
    if path is not None:
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"cannot write to {path}: {error.strerror or error}") from None


def _sweeps(
    puzzle: Sudoku, wait: Callable[[], None], output: Path | None, svg: Path | None, as_json: bool, quiet: bool
) -> int:
    from tablero.puzzles.sudoku.draw import Marks, board, board_text
    from tablero.puzzles.sudoku.puzzle import to_line
    from tablero.puzzles.sudoku.sweeps import sweep

    _folder(svg)
    found = sweep(puzzle)
    if not as_json:
        print(board_text(puzzle.layout, puzzle.cells))
        print(f"{puzzle.cells.count(0)} cells to fill")
    for number, turn in enumerate(found.sweeps, 1):
        if svg is not None:
            marks = Marks(placed={cell: turn.cells[cell] for cell in turn.filled})
            _draw([board(puzzle, turn.cells, marks=marks)], svg / f"sweep-{number:02}.svg", None)
        if not as_json:
            wait()
            print(board_text(puzzle.layout, turn.cells, clues=puzzle.cells, colours=sys.stdout.isatty()))
            print(f"sweep {number}: {turn.left} cells left")
    if output is not None:
        _write_board(output, puzzle, found.cells)
    status = "none" if found.fault else "solved" if found.solved else "open"
    if as_json:
        values: dict[str, Any] = {"status": status, "method": "sweeps", "left": found.left}
        values["steps"] = [{"cells": to_line(turn.cells), "filled": len(turn.filled)} for turn in found.sweeps]
        print_json({**values, "answers": [to_line(found.cells)] if found.solved else [], "sentence": found.sentence})
    elif not quiet or not found.solved:
        print(found.sentence, file=sys.stderr)
    return {"solved": 0, "none": 1, "open": 3}[status]


def _logic(
    puzzle: Sudoku,
    wait: Callable[[], None],
    boards: bool,
    output: Path | None,
    svg: Path | None,
    as_json: bool,
    quiet: bool,
) -> int:
    from tablero.puzzles.sudoku.draw import board_text, step_scene
    from tablero.puzzles.sudoku.logic import Position, explain
    from tablero.puzzles.sudoku.puzzle import to_line

    _folder(svg)
    with compile_notice("the kernel sudoku.bands", quiet):
        path = explain(puzzle)
    position = Position(puzzle)
    for number, (turn, left) in enumerate(zip(path.steps, path.left, strict=True), 1):
        if svg is not None:
            _draw([step_scene(position, turn)], svg / f"step-{number:03}.svg", None)
        position.apply(turn)
        if not as_json:
            print(f"{number:>3}  {turn.rating}  {turn.technique}: {turn.sentence}")
            if boards:
                print(board_text(puzzle.layout, position.values, clues=puzzle.cells, colours=sys.stdout.isatty()))
                print(f"{left} cells left")
            wait()
    if output is not None:
        _write_board(output, puzzle, path.cells)
    status = "none" if path.fault else "solved" if path.solved else "open"
    if as_json:
        values: dict[str, Any] = {"status": status, "method": "logic", "left": list(path.left)}
        values["steps"] = [_step_values(puzzle, turn) for turn in path.steps]
        print_json({**values, "answers": [to_line(path.cells)] if path.solved else [], "sentence": path.sentence})
    else:
        if not quiet and not boards:
            print(board_text(puzzle.layout, path.cells, clues=puzzle.cells, colours=sys.stdout.isatty()))
        print(path.sentence, file=sys.stderr)
    return {"solved": 0, "none": 1, "open": 3}[status]


@app.command()
def hint(
    puzzle: Puzzle,
    diagonals: Diagonals = False,
    side: Side = 0,
    sheet: Sheet = "",
    cell: Corner = "",
    svg: SvgOut = None,
    pdf: PdfOut = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """The easiest next step."""
    from tablero.puzzles.sudoku.draw import step_scene
    from tablero.puzzles.sudoku.logic import Position

    _require_writable(svg, pdf)
    given = _one(puzzle, sheet, cell, side, diagonals)
    position = Position(given)
    with compile_notice("the kernel sudoku.bands", quiet):
        found = given.hint()
    fault = position.fault() if position.empty else ""
    status = "solved" if found else "none" if fault else "open" if position.empty else "complete"
    if found:
        _draw([step_scene(position, found)], svg, pdf, 40.0)
    if as_json:
        print_json({"status": status, **(_step_values(given, found) if found else {"sentence": fault})})
    elif found:
        print(f"{found.technique} ({found.rating}): {found.sentence}")
    else:
        told = {
            "none": f"{fault}: the puzzle has no solution",
            "open": "no technique applies",
            "complete": "the board is full",
        }
        print(told[status])
    return {"solved": 0, "complete": 0, "none": 1, "open": 3}[status]


@app.command()
def rate(
    puzzle: Puzzle,
    diagonals: Diagonals = False,
    side: Side = 0,
    sheet: Sheet = "",
    cell: Corner = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """How hard it is: the hardest technique that is needed, and a word."""
    from tablero.puzzles.sudoku import formats

    if _has_many(puzzle, diagonals, side):
        source = Path(puzzle)
        given = list(formats.parse_many(formats.read_text(source), str(source)))
    else:
        given = [_one(puzzle, sheet, cell, side, diagonals)]
    ratings = []
    for one in given:
        with compile_notice("the kernel sudoku.bands", quiet):
            found = one.rate()
        ratings.append(
            {"rating": found.value, "word": found.word, "technique": found.technique or None, "steps": found.steps}
        )
        if not as_json:
            print(found)
    if as_json:
        print_json(
            {"status": "solved", **ratings[0]} if len(given) == 1 else {"status": "complete", "ratings": ratings}
        )
    return 0


# Making


@app.command()
def generate(
    how_many: Annotated[int, typer.Option("--count", "-n", help="How many puzzles.")] = 1,
    side: Annotated[int, typer.Option("--side", help="4, 6, 9, 12, 16 or 25.")] = 9,
    kind: Annotated[str, typer.Option("--kind", help="plain, x (diagonals), jigsaw or killer.")] = "plain",
    symmetry: Annotated[
        str, typer.Option("--symmetry", help="Of the clues: none, half-turn, quarter-turn, mirror, diagonal.")
    ] = "none",
    minimal: Annotated[bool, typer.Option("--minimal", help="No clue can be taken away.")] = False,
    clues: Annotated[int, typer.Option("--clues", help="Stop taking clues away at so many.")] = -1,
    rating: Annotated[str, typer.Option("--rating", help="easy … diabolical, a number, or a range as 3.0-4.2.")] = "",
    seed: Annotated[int, typer.Option("--seed", help="The same seed makes the same puzzles.")] = 0,
    output: Output = None,
    svg: SvgOut = None,
    pdf: PdfOut = None,
    per_page: Annotated[int, typer.Option("--per-page", help="Puzzles on a page of a drawing: 1, 2, 4, 6 or 12.")] = 6,
    threads: ThreadCount = 1,
    time_limit: TimeLimit = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Make puzzles with one solution each; drawings have the answers at the end."""
    from tablero.puzzles.sudoku.generate import Wish, require_count, wanted_rating
    from tablero.puzzles.sudoku.generate import generate as make

    settings = Settings.of(threads, time_limit, "", as_json, quiet)
    if seed < 0:
        raise BadInput(f"--seed {seed}: expected a number from 0")
    if per_page not in _PAGES:
        raise BadInput(f"--per-page {per_page}: expected one of {', '.join(map(str, _PAGES))}")
    wish = Wish(
        side, kind, symmetry, minimal, None if clues == -1 else clues, wanted_rating(rating) if rating else None
    )
    if how_many > 1 and output is not None and not (kind == "plain" and output.suffix.lower() in (".sdm", ".txt", "")):
        raise BadInput(f"--output {output}: several puzzles go into a .sdm or .txt file, plain ones only")
    _require_writable(output, svg, pdf)
    require_count(how_many)
    with compile_notice("the kernels of Sudoku", quiet):
        next(make(1, Wish(side if kind == "plain" else 9)))
    began = time.monotonic()
    puzzles = list(make(how_many, wish, seed=seed, threads=threads, time_limit=settings.time_limit))
    seconds = time.monotonic() - began
    _deliver(puzzles, output, as_json, seconds, how_many)
    if puzzles and (svg or pdf):
        _draw(_pages(puzzles, per_page), svg, pdf)
    if not quiet and not as_json:
        told = "1 puzzle with one solution" if len(puzzles) == 1 else f"{len(puzzles):,} puzzles with one solution each"
        print(f"{told}, in {seconds:.2f} s", file=sys.stderr)
    return 0 if len(puzzles) == how_many else 3


_PAGES = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 12: (3, 4)}  # across and down


def _deliver(puzzles: Sequence[Sudoku], output: Path | None, as_json: bool, seconds: float, wanted: int) -> None:
    from tablero.puzzles.sudoku.formats import write

    if output is not None and puzzles:
        if len(puzzles) == 1:
            _write_board(output, puzzles[0], None)
        else:
            write_text(output, "".join(puzzle.line() + "\n" for puzzle in puzzles))
    if as_json:
        status = "complete" if len(puzzles) == wanted else "open"
        values: dict[str, Any] = {"status": status, "solutions": len(puzzles), "seconds": round(seconds, 6)}
        values["answers"] = [puzzle.line() for puzzle in puzzles]
        if puzzles and not puzzles[0].layout.is_plain:
            values["puzzles"] = [write(puzzle) for puzzle in puzzles]
        print_json(values)
    elif output is None:
        for k, puzzle in enumerate(puzzles):
            sys.stdout.write(("\n" if k and not puzzle.layout.is_plain else "") + write(puzzle))


def _pages(puzzles: Sequence[Sudoku], per_page: int) -> list[Scene]:
    """Pages of puzzles, then pages of their solutions, smaller."""
    from tablero.draw.sheet import pages
    from tablero.puzzles.sudoku.draw import board
    from tablero.puzzles.sudoku.rate import rate as rate_one

    across, down = _PAGES[per_page]
    captions = []
    for number, puzzle in enumerate(puzzles, 1):
        rated = not puzzle.layout.cages and puzzle.side <= 9 and len(puzzles) <= 500
        captions.append(f"{number}. {rate_one(puzzle).word}" if rated else f"{number}.")
    solved = [board(puzzle, puzzle.solve().boards[0]) for puzzle in puzzles]
    out = pages([board(puzzle) for puzzle in puzzles], captions, across=across, down=down, head="Sudoku")
    numbers = [f"{number}." for number in range(1, len(puzzles) + 1)]
    return out + pages(solved, numbers, across=max(across, 3), down=max(down, 4), head="Solutions")
