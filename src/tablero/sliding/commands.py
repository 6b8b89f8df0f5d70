"""`tablero slide`: sliding tiles on any rectangle."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.cli.common import (
    Json,
    Manner,
    PageFile,
    Quiet,
    Seed,
    Settings,
    SvgFile,
    exit_status,
    print_json,
    print_values,
    require_pictures,
    with_settings,
    write_svg,
)
from tablero.cli.help import one_of
from tablero.cli.worksheet import Sheet, with_sheet
from tablero.errors import BadInput
from tablero.files import require_writable, write_text
from tablero.words import several

if TYPE_CHECKING:
    from tablero.sliding import Board, Solution

app = typer.Typer(
    help="Sliding tiles: boards as '1 2 3/4 5 6/7 8 0', 0 the blank.", no_args_is_help=True, rich_markup_mode=None
)

BoardText = Annotated[
    str, typer.Argument(help="The board in one line, a file of one or several, or - for standard input.")
]
Goal = Annotated[
    str,
    typer.Option(
        "--goal", help="What is to be reached.", autocompletion=one_of("blank-last", "blank-first", more="or a board")
    ),
]
MovesFile = Annotated[Path | None, typer.Option("--output", "-o", help="Write the moves into this file.")]
BoardSvg = Annotated[Path | None, typer.Option("--svg", help="Draw the board into this file.")]
_MOST_SHOWN = 20  # columns of a board that is printed


@app.command()
@with_settings()
def solve(
    board: BoardText,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            "-m",
            help="The method.",
            autocompletion=one_of("auto", "table", "sides", "parberry", "transport", "carry", "optimal", "anytime"),
        ),
    ] = "auto",
    goal: Goal = "blank-last",
    estimate: Annotated[
        str,
        typer.Option(
            "--estimate",
            help="The lower bound that optimal uses.",
            autocompletion=one_of("auto", "patterns", "walking", "lines"),
        ),
    ] = "auto",
    count: Annotated[bool, typer.Option("--count", help="Only how many moves there are.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Tell the rule of each move.")] = False,
    animate: Annotated[bool, typer.Option("--animate", help="Play the moves in the terminal.")] = False,
    output: MovesFile = None,
    svg: BoardSvg = None,
    page: PageFile = None,
    *,
    settings: Settings,
) -> int:
    """Find moves that solve a board.

    Examples:
        tablero slide solve '8 6 7/2 5 4/3 0 1'
        tablero slide random 4 --seed 1 > board.txt
        tablero slide solve board.txt --method optimal --page moves.html
    """
    from tablero.sliding import draw
    from tablero.sliding.constructive import METHODS as CONSTRUCTIVE
    from tablero.sliding.formats import named
    from tablero.sliding.solving import resolve

    require_pictures(svg=svg, page=page)
    if output is not None:
        require_writable(output, option="--output")
    puzzles = named(board, goal)
    for one in puzzles:
        if explain and (told := resolve(one, method)) not in CONSTRUCTIVE:
            raise BadInput(f"--explain goes with {', '.join(CONSTRUCTIVE)}: the moves of {told} follow no rule")
    wanted = _Wanted(moves=output is None, count=count, rules=explain)
    if len(puzzles) > 1:
        _require_one(puzzles, {"--job": settings.job, "--svg": svg, "--page": page, "--animate": animate})
        return _solve_all(puzzles, method, estimate, output, settings, wanted)
    (puzzle,) = puzzles
    picture = None if svg is None else draw.scene(puzzle)  # one that is too large is refused before the search
    found = puzzle.solve(method, estimate=estimate, run=settings.run())
    if found.codes is not None and animate and not settings.as_json:
        draw.animate(found)
    status = _show(found, settings, wanted)
    write_svg(svg, picture)
    if found.codes is not None:
        if page is not None:
            write_text(page, draw.player(found))
        if output is not None:
            write_text(output, found.moves + "\n")
    return status


@dataclass(frozen=True)
class _Wanted:
    """What of an answer is printed."""

    moves: bool = True
    count: bool = False
    rules: bool = False


def _require_one(puzzles: list[Board], options: dict[str, object]) -> None:
    """Refuse options that have a meaning for one board alone."""
    for option, value in options.items():
        if value:
            raise BadInput(f"{option} goes with one board: there are {len(puzzles):,}")


def _solve_all(
    puzzles: list[Board], method: str, estimate: str, output: Path | None, settings: Settings, wanted: _Wanted
) -> int:
    """Several boards, one after another; the limits are those of each.  Every board has its line, solved or not."""
    statuses, told, lines = [], [], []
    for number, puzzle in enumerate(puzzles, 1):
        found = puzzle.solve(method, estimate=estimate, run=settings.run())
        lines.append(found.status if found.codes is None else found.moves)
        if settings.as_json:
            values = _values(found, wanted)
            if settings.as_lines:
                answers = values.pop("answers", [])
                # The answer, or as in the summary only how many moves it has.
                what = {"moves": values["moves"]} if wanted.count else {"answer": answers[0] if answers else None}
                print_json({"board": number, **what})
            told.append(values)
            statuses.append(exit_status(found))
            if found.status == "none":
                settings.say(f"board {number}: {_sentence(found)}")
        else:
            if found.codes is None and (wanted.moves or wanted.count):
                print(found.status)
            statuses.append(_show(found, settings, wanted))
        if found.interrupted:
            break
    if output is not None:
        write_text(output, "\n".join(lines) + "\n")
    status = next((code for code in (130, 3, 1) if code in statuses), 0)
    if settings.as_json:
        solved = sum(values["solutions"] for values in told)
        # Some solved and the others proved to have no answer: then everything is known, and not nothing.
        word = {0: "solved", 1: "complete" if solved else "none"}.get(status, "open")
        # What all boards took together stands where a single board has it.
        costs = {key: round(sum(values[key] for values in told), 6) for key in ("nodes", "seconds", "cpu_seconds")}
        print_json({"status": word, "solutions": solved, **costs, "boards": told})
    return status


def show(found: Solution, settings: Settings) -> int:
    """Print what was found, also of a job that was resumed."""
    return _show(found, settings, _Wanted())


def _show(found: Solution, settings: Settings, wanted: _Wanted) -> int:
    if settings.as_json:
        print_values(_values(found, wanted), settings)
        if found.status == "none":
            settings.say(_sentence(found))  # a proof, and who reads the status alone shall know of what
        return exit_status(found)
    if found.codes is not None:
        _print_moves(found, wanted)
    settings.say(_sentence(found))
    return exit_status(found)


def _print_moves(found: Solution, wanted: _Wanted) -> None:
    from tablero.sliding.rules import name, runs

    if wanted.rules and found.rules is not None:
        at = 0
        for rule, count in runs(found.rules):
            print(f"{name(rule):<16} {found.moves[at : at + count]}")
            at += count
    elif wanted.count:
        print(len(found))
    elif wanted.moves:
        print(found.moves)


def _values(found: Solution, wanted: _Wanted) -> dict[str, Any]:
    from tablero.sliding.rules import name, runs

    values = found.values()
    if wanted.rules and found.rules is not None:
        values["steps"] = [[name(rule), count] for rule, count in runs(found.rules)]
    if not wanted.count:
        values["answers"] = found.told()
    return values


def _sentence(found: Solution) -> str:
    from tablero.runs.progress import short_number
    from tablero.sliding.constructive import bound
    from tablero.sliding.rules import tally

    if found.status == "none":
        return f"this board cannot be solved: {found.puzzle.reason}"
    work = f"{several(found.nodes, 'position')} in {found.seconds:.2f} s" if found.nodes else f"{found.seconds:.3f} s"
    if found.codes is None:
        return f"no answer yet: {found.needed}; {work}"
    parts = [f"{several(len(found), 'move')} by {found.method}"]
    if found.optimal:
        parts.append("proved shortest")
    else:
        parts.append(f"at least {found.lower:,} are needed, so at most {100 * found.gap:.0f} % too many")
    if found.first_length is not None and found.first_length > len(found):
        less = 100 * (1 - len(found) / found.first_length)
        parts.append(f"{less:.1f} % shorter than the {found.first_length:,} of table")
    board = found.puzzle
    promised = bound(found.method, board.rows) if board.rows == board.columns else None
    if promised is not None:
        parts.append(f"the bound for {board.rows}×{board.rows} is {promised:,}")
    if found.rules is not None and len(found):
        parts.append(", ".join(f"{rule} {count:,}" for rule, count in tally(found.rules).items()))
    if found.nodes:
        work += f", {short_number(found.nodes / max(found.seconds, 1e-9))} a second"
    return "; ".join([*parts, work])


@app.command()
def worst(
    n: Annotated[int, typer.Argument(help="The side of the board.")],
    method: Annotated[
        str,
        typer.Option(
            "--method", "-m", help="The method.", autocompletion=one_of("table", "sides", "parberry", "transport")
        ),
    ] = "table",
    svg: BoardSvg = None,
    page: PageFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """The exact worst case of a tile-by-tile method on n×n, and a board that attains it.

    Examples:
        tablero slide worst 4 --method table
    """
    from tablero.sliding import worst as find
    from tablero.sliding import write
    from tablero.sliding.draw import player, scene
    from tablero.sliding.worst_cases import require

    how = Manner(as_json, quiet)
    require(n, method)
    require_pictures(svg=svg, page=page)
    with how.compiling("the kernels of sliding tiles"):
        find(4, method)
    found = find(n, method)
    write_svg(svg, scene(found.board))
    if page is not None:
        write_text(page, player(found.board.solve(method)))
    board, seconds = write(found.board), round(found.seconds, 6)
    if as_json:
        values = {"method": method, "moves": found.moves, "bound": found.bound, "board": board, "seconds": seconds}
        print_json({"status": "solved", **values})
        return 0
    print(found.moves)
    print(board)
    limit = "" if found.bound is None else f"; the bound of the literature is {found.bound:,}"
    how.say(
        f"no {n}×{n} board takes {method} more than {several(found.moves, 'move')}{limit}; this one takes just so many, "
        f"played and checked; {found.seconds:.2f} s"
    )
    return 0


@app.command()
def random(
    size: Annotated[str, typer.Argument(help="4, or rows and columns as 3x5.")] = "4",
    seed: Seed = 1,
    number: Annotated[int, typer.Option("--number", "-n", help="How many boards.")] = 1,
    goal: Goal = "blank-last",
    svg: SvgFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Boards that can be solved, by seed: that of number k is the board of seed + k − 1.

    Examples:
        tablero slide random 4 --seed 1 -n 3
    """
    from tablero.sliding import generate, parse, write
    from tablero.sliding.draw import scene

    rows, columns = _sides(size)
    if not 1 <= number <= 100_000:
        raise BadInput(f"--number {number}: expected 1 to 100000")
    require_pictures(svg=svg)
    wanted = goal if goal.startswith("blank-") else parse(goal, "the goal").tiles
    boards = [generate(rows, columns, seed=seed + k, goal=wanted) for k in range(number)]
    write_svg(svg, None if svg is None else scene(boards[0]))
    if as_json:
        print_json({"status": "solved", "boards": [write(board) for board in boards]})
    else:
        print("\n".join(write(board) for board in boards))
    return 0


def _sides(size: str) -> tuple[int, int]:
    """Rows and columns of a size."""
    found = re.fullmatch(r"([0-9]{1,6})(?:[x×]([0-9]{1,6}))?", size)
    if not found:
        raise BadInput(f"the size {size!r}: expected a number as 4, or rows and columns as 3x5")
    return int(found[1]), int(found[2] or found[1])


@app.command()
def check(
    board: BoardText,
    moves: Annotated[str, typer.Option("--moves", help="Moves to play, as a word of N S E W, or a file.")] = "",
    goal: Goal = "blank-last",
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Can the board be solved, and why; with --moves, do these moves solve it?

    Examples:
        tablero slide check '1 2 3/4 5 6/8 7 0'
        tablero slide check '1 2 3/4 5 6/0 7 8' --moves EE
    """
    from tablero.sliding.checking import fault
    from tablero.sliding.formats import letters, named, named_moves

    puzzles = named(board, goal)
    if len(puzzles) > 1:
        _require_one(puzzles, {"--moves": moves})
    word = letters(named_moves(moves, "--moves")) if moves else None
    told: list[dict[str, Any]] = []
    for puzzle in puzzles:
        good, words = puzzle.solvable, ("can" if puzzle.solvable else "cannot") + f" be solved: {puzzle.reason}"
        values: dict[str, Any] = {"solvable": puzzle.solvable, "why": puzzle.reason}
        if word is not None:
            wrong = fault(puzzle, word)
            good = wrong is None
            values |= {"moves": len(word), "fault": wrong}
            solve_it = f"{several(len(word), 'move')} {'solves' if len(word) == 1 else 'solve'} it"
            words = solve_it if good else str(wrong)
        told.append({"status": "solved" if good else "none", **values})
        if not as_json:
            if puzzle.columns <= _MOST_SHOWN and not quiet:
                print(puzzle, file=sys.stderr)
            print(words)
    all_good = all(values["status"] == "solved" for values in told)
    if as_json:
        print_json(told[0] if len(told) == 1 else {"status": "solved" if all_good else "none", "boards": told})
    return 0 if all_good else 1


@app.command()
@with_sheet()
def worksheet(
    size: Annotated[str, typer.Argument(help="The board, as 3 or 3x4; at most 16 cells.")] = "3",
    moves: Annotated[
        int | None, typer.Option("--moves", help="Boards whose shortest answer has just so many moves; any without it.")
    ] = None,
    *,
    sheet: Sheet,
) -> int:
    """Print boards to put in order, each with the length of a shortest answer; answers at the end.

    Examples:
        tablero slide worksheet --moves 12 --pdf slide.pdf
        tablero slide worksheet 3x4 -n 4 --per-page 4 --title 'Hard ones' --pdf slide.pdf
    """
    from tablero.sliding.worksheets import worksheet

    rows, columns = _sides(size)
    made = worksheet(
        rows,
        columns,
        moves=moves,
        count=sheet.count,
        seed=sheet.seed,
        title=sheet.title,
        per_page=sheet.per_page,
    )
    return sheet.put(made)
