"""`tablero slide`: sliding tiles on any rectangle."""

from __future__ import annotations

import dataclasses
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.cli.common import (
    Json,
    Quiet,
    Settings,
    SvgFile,
    compile_notice,
    perform,
    print_json,
    with_settings,
    write_text,
)
from tablero.errors import BadInput, JobError

if TYPE_CHECKING:
    from tablero.puzzles.sliding import Board, Solution
    from tablero.puzzles.sliding.kernels.search import SlidingSearch
    from tablero.puzzles.sliding.optimal import Runner
    from tablero.runs.findings import Result
    from tablero.runs.store import Store

app = typer.Typer(
    help="Sliding tiles: boards as '1 2 3/4 5 6/7 8 0', 0 the blank.", no_args_is_help=True, rich_markup_mode=None
)

BoardText = Annotated[str, typer.Argument(help="The board in one line, a file, or - for standard input.")]
Goal = Annotated[str, typer.Option("--goal", help="blank-last, blank-first, or a board.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same boards.")]
MovesFile = Annotated[Path | None, typer.Option("--output", "-o", help="Write the moves into this file.")]
PageFile = Annotated[Path | None, typer.Option("--page", help="Write a page that plays the moves.")]
_MOST_SHOWN = 20  # columns of a board that is printed


def _board(text: str, goal: str) -> Board:
    """A board from the command line: a text with blanks is one, anything else is a file."""
    from tablero.puzzles.sliding import parse, read

    if text == "-":
        return parse(sys.stdin.read(), "standard input", goal)
    if re.search(r"[\s/,]", text.strip()) and not Path(text).exists():
        return parse(text, "the board", goal)
    return read(Path(text), goal)


@app.command()
@with_settings()
def solve(
    board: BoardText,
    method: Annotated[
        str, typer.Option("--method", "-m", help="auto, table, parberry, transport, optimal or anytime.")
    ] = "auto",
    goal: Goal = "blank-last",
    estimate: Annotated[str, typer.Option("--estimate", help="For optimal: auto, patterns, walking, lines.")] = "auto",
    count: Annotated[bool, typer.Option("--count", help="Only how many moves there are.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Tell the rule of each move.")] = False,
    animate: Annotated[bool, typer.Option("--animate", help="Play the moves in the terminal.")] = False,
    output: MovesFile = None,
    svg: SvgFile = None,
    page: PageFile = None,
    *,
    settings: Settings,
) -> int:
    """Find moves that solve a board."""
    from tablero.puzzles.sliding.constructive import METHODS as CONSTRUCTIVE
    from tablero.puzzles.sliding.solve import resolve

    puzzle = _board(board, goal)
    method = resolve(puzzle, method)
    if method != "optimal" and (settings.job or settings.cluster or estimate != "auto"):
        option = "--job" if settings.job else "--cluster" if settings.cluster else "--estimate"
        raise BadInput(f"{option} goes with --method optimal, not with {method}")
    if method in CONSTRUCTIVE and settings.time_limit:
        raise BadInput(f"--time-limit goes with optimal and anytime: {method} is done at once")
    if explain and method not in CONSTRUCTIVE:
        raise BadInput(f"--explain goes with {', '.join(CONSTRUCTIVE)}: the moves of {method} follow no rule")
    puzzle.require_solvable()
    solution = _solve(puzzle, method, estimate, settings)
    shown = _Shown(count, explain, animate, output, svg, page)
    return _show(solution, settings, shown)


@dataclasses.dataclass(frozen=True)
class _Shown:
    """What of a solution is wanted."""

    count: bool = False
    explain: bool = False
    animate: bool = False
    output: Path | None = None
    svg: Path | None = None
    page: Path | None = None


def _solve(board: Board, method: str, estimate: str, settings: Settings) -> Solution:
    from tablero.puzzles.sliding import anytime, optimal
    from tablero.puzzles.sliding import random as make
    from tablero.puzzles.sliding.solve import constructed

    if method == "anytime":
        with compile_notice("the kernels of sliding tiles", settings.quiet):
            anytime.warm()
        return anytime.solve(board, time_limit=settings.time_limit, tell=None if settings.quiet else _Passes())
    if method != "optimal":
        with compile_notice("the kernels of sliding tiles", settings.quiet):
            constructed(make(4, seed=1), method)
        return constructed(board, method)
    if settings.job:
        return _job(board, estimate, settings)
    with compile_notice("the kernels of sliding tiles, or building pattern databases", settings.quiet):
        optimal.warm(board, estimate)
    return optimal.solve(board, estimate=estimate, time_limit=settings.time_limit, runner=_runner(settings))


def _runner(settings: Settings) -> Runner:
    def run_tree(tree: SlidingSearch, seconds: float | None) -> Result:
        return perform(tree, dataclasses.replace(settings, time_limit=seconds, job=""), most=1)

    return run_tree


class _Passes:
    """Tells how an anytime search is going, on one line of a terminal."""

    def __call__(self, moves: int, seconds: float) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\x1b[K{moves:,} moves after {seconds:.1f} s")
            sys.stderr.flush()


# Jobs: one tree a threshold, each in the place of the one before


def _recipe(estimate: str, threshold: int, before: Any) -> dict[str, Any]:
    from tablero.puzzles.sliding.solve import FAMILY

    return {
        "family": FAMILY,
        "verb": "solve",
        "kernel": estimate,
        "most": 1,
        "threshold": threshold,
        "before": dataclasses.asdict(before),
    }


def _job(board: Board, estimate: str, settings: Settings) -> Solution:
    """Begin a job, or go on with the one of that name if it is of the same board."""
    from tablero.puzzles.sliding import optimal, write
    from tablero.runs import jobs

    problem = f"{write(board)}\n{write(dataclasses.replace(board, tiles=board.goal))}\n".encode()
    if jobs.path_of(settings.job).exists():
        store = jobs.open_job(settings.job)
        if store.card.problem != problem:
            store.close()
            raise JobError(
                f"job {settings.job!r} is of another problem; choose another name, "
                f"or 'tablero jobs remove {settings.job}'"
            )
        return _go_on(store, settings)
    task = optimal.Task.of(board)
    # A search that is meant to last is worth the best estimate, and must keep to one.
    chosen = task.estimates()[0] if optimal.choose(task, estimate) == "auto" else estimate
    with compile_notice("the kernels of sliding tiles, or building pattern databases", settings.quiet):
        threshold = task.least(chosen)
    tree = task.tree(chosen, threshold)
    store, _ = jobs.begin(settings.job, tree, _recipe(chosen, threshold, optimal.Spent()), problem)
    return _go_on(store, settings)


def _task_of(store: Store) -> Any:
    from tablero.puzzles.sliding import parse
    from tablero.puzzles.sliding.optimal import Task

    tiles, goal = store.card.problem.decode().splitlines()
    return Task.of(parse(tiles, "the job's board", goal))


def _go_on(store: Store, settings: Settings) -> Solution:
    """Search the job's tree, and those that follow it, until there is an answer or a limit."""
    from tablero.puzzles.sliding import optimal
    from tablero.runs import jobs

    task = _task_of(store)
    deadline = None if settings.time_limit is None else time.monotonic() + settings.time_limit
    while True:
        recipe = store.card.recipe
        estimate, threshold, before = recipe["kernel"], recipe["threshold"], optimal.Spent(**recipe["before"])
        left = None if deadline is None else max(deadline - time.monotonic(), 0.001)
        tree = task.tree(estimate, threshold)
        result = perform(tree, dataclasses.replace(settings, time_limit=left), most=1, store=store)
        if result.status != "none":
            return optimal.conclude(task, estimate, threshold, result, before)
        threshold += 2
        store = jobs.follow(
            jobs.open_job(settings.job),
            task.tree(estimate, threshold),
            _recipe(estimate, threshold, before.plus(result)),
        )


def resume(store: Store, settings: Settings) -> int:
    """Go on with a stored job."""
    return _show(_go_on(store, dataclasses.replace(settings, job=store.card.name)), settings, _Shown())


def answers_of(store: Store) -> list[Any]:
    """The answers that a job holds, in this family's form."""
    from tablero.puzzles.sliding.formats import letters
    from tablero.runs.coordinator import collect

    task, recipe = _task_of(store), store.card.recipe
    rows = collect(task.tree(recipe["kernel"], recipe["threshold"]), store)
    return [letters(task.frame.moves(row[row >= 0].astype("u1"))) for row in rows]


# Output


def _show(solution: Solution, settings: Settings, shown: _Shown) -> int:
    from tablero.puzzles.sliding.draw import animate, player, scene

    if sys.stderr.isatty() and not settings.quiet:
        sys.stderr.write("\r\x1b[K")
    solution.verify()
    if shown.svg is not None:
        from tablero.draw.svg import to_svg

        write_text(shown.svg, to_svg(scene(solution.board)))
    if solution.codes is not None:
        if shown.page is not None:
            write_text(shown.page, player(solution))
        if shown.output is not None:
            write_text(shown.output, solution.moves + "\n")
        if shown.animate and not settings.as_json:
            animate(solution)
    if settings.as_json:
        print_json(_values(solution, shown))
    elif solution.codes is not None:
        _print_moves(solution, shown)
    if not settings.quiet and not settings.as_json:
        print(_sentence(solution), file=sys.stderr)
    if solution.interrupted:
        return 130
    return 0 if solution.codes is not None else 3


def _print_moves(solution: Solution, shown: _Shown) -> None:
    from tablero.puzzles.sliding.rules import name, runs

    if shown.explain and solution.rules is not None:
        at = 0
        for rule, count in runs(solution.rules):
            print(f"{name(rule):<16} {solution.moves[at : at + count]}")
            at += count
    elif shown.count:
        print(len(solution))
    elif shown.output is None:
        print(solution.moves)


def _values(solution: Solution, shown: _Shown) -> dict[str, Any]:
    from tablero.puzzles.sliding.rules import name, runs, tally

    values: dict[str, Any] = {
        "status": solution.status,
        "solutions": int(solution.codes is not None),
        "method": solution.method,
        "moves": len(solution) if solution.codes is not None else None,
        "lower": solution.lower,
        "optimal": solution.optimal,
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
        "cpu_seconds": round(solution.cpu, 6),
        "fraction": solution.fraction,
    }
    if solution.heuristic:
        values["estimate"] = solution.heuristic
    if solution.first_length is not None:
        values["table_moves"] = solution.first_length
    if solution.rules is not None:
        values["rules"] = tally(solution.rules)
        if shown.explain:
            values["steps"] = [[name(rule), count] for rule, count in runs(solution.rules)]
    if not shown.count:
        values["answers"] = [solution.moves] if solution.codes is not None else []
    return values


def _sentence(solution: Solution) -> str:
    from tablero.puzzles.sliding.constructive import bound
    from tablero.puzzles.sliding.rules import tally
    from tablero.runs.progress import short_number

    work = (
        f"{solution.nodes:,} positions in {solution.seconds:.2f} s" if solution.nodes else f"{solution.seconds:.3f} s"
    )
    if solution.codes is None:
        return f"no answer yet: at least {solution.lower} moves are needed; {work}"
    parts = [f"{len(solution):,} moves by {solution.method}"]
    if solution.optimal:
        parts.append("proved shortest")
    else:
        parts.append(f"at least {solution.lower:,} are needed, so at most {100 * solution.gap:.0f} % too many")
    if solution.first_length is not None and solution.first_length > len(solution):
        less = 100 * (1 - len(solution) / solution.first_length)
        parts.append(f"{less:.1f} % shorter than the {solution.first_length:,} of table")
    board = solution.board
    promised = bound(solution.method, board.rows) if board.rows == board.columns else None
    if promised is not None:
        parts.append(f"the bound for {board.rows}×{board.rows} is {promised:,}")
    if solution.rules is not None and len(solution):
        parts.append(", ".join(f"{rule} {count:,}" for rule, count in tally(solution.rules).items()))
    if solution.nodes:
        work += f", {short_number(solution.nodes / max(solution.seconds, 1e-9))} a second"
    return "; ".join([*parts, work])


@app.command()
def worst(
    n: Annotated[int, typer.Argument(help="The side of the board.")],
    method: Annotated[str, typer.Option("--method", "-m", help="table, parberry or transport.")] = "table",
    svg: SvgFile = None,
    page: PageFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """The exact worst case of a tile-by-tile method on n×n, and a board that attains it."""
    from tablero.puzzles.sliding import worst as find
    from tablero.puzzles.sliding import write
    from tablero.puzzles.sliding.draw import player, scene
    from tablero.puzzles.sliding.solve import constructed
    from tablero.puzzles.sliding.worst import require

    require(n, method)
    with compile_notice("the kernels of sliding tiles", quiet):
        find(4, method)
    began = time.monotonic()
    found = find(n, method)
    seconds = time.monotonic() - began
    if svg is not None:
        from tablero.draw.svg import to_svg

        write_text(svg, to_svg(scene(found.board)))
    if page is not None:
        write_text(page, player(constructed(found.board, method)))
    if as_json:
        print_json(
            {
                "status": "solved",
                "method": method,
                "moves": found.moves,
                "bound": found.bound,
                "board": write(found.board),
                "seconds": round(seconds, 6),
            }
        )
        return 0
    print(found.moves)
    print(write(found.board))
    if not quiet:
        limit = "" if found.bound is None else f"; the bound of the literature is {found.bound:,}"
        print(
            f"no {n}×{n} board takes {method} more than {found.moves:,} moves{limit}; this one takes just so many, "
            f"played and checked; {seconds:.2f} s",
            file=sys.stderr,
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
) -> int:
    """Boards that can be solved, by seed: that of number k is the board of seed + k − 1."""
    from tablero.puzzles.sliding import random as make
    from tablero.puzzles.sliding import write
    from tablero.puzzles.sliding.draw import scene
    from tablero.puzzles.sliding.formats import parse

    rows, columns = _size(size)
    if not 1 <= number <= 100_000:
        raise BadInput(f"--number {number}: expected 1 to 100000")
    wanted = goal if goal.startswith("blank-") else parse(goal, "the goal").tiles
    boards = [make(rows, columns, seed=seed + k, goal=wanted) for k in range(number)]
    if svg is not None:
        from tablero.draw.svg import to_svg

        write_text(svg, to_svg(scene(boards[0])))
    if as_json:
        print_json({"status": "solved", "boards": [write(board) for board in boards]})
    else:
        print("\n".join(write(board) for board in boards))
    return 0


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,6})(?:[x×](\d{1,6}))?", text)
    if not found:
        raise BadInput(f"the size {text!r}: expected a number as 4, or rows and columns as 3x5")
    return int(found[1]), int(found[2] or found[1])


@app.command()
def check(
    board: BoardText,
    moves: Annotated[str, typer.Option("--moves", help="Moves to play, as a word of N S E W, or a file.")] = "",
    goal: Goal = "blank-last",
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Can the board be solved, and why; with --moves, do these moves solve it?"""
    from tablero.puzzles.sliding.check import fault
    from tablero.puzzles.sliding.formats import letters, parse_moves, read_text

    puzzle = _board(board, goal)
    values: dict[str, Any] = {
        "status": "solved" if puzzle.solvable else "none",
        "solvable": puzzle.solvable,
        "reason": puzzle.reason,
    }
    good, words = puzzle.solvable, ("can" if puzzle.solvable else "cannot") + f" be solved: {puzzle.reason}"
    if moves:
        source = "--moves"
        if Path(moves).is_file():
            source, moves = moves, read_text(Path(moves))
        word = letters(parse_moves(moves, source))
        wrong = fault(puzzle, word)
        good = wrong is None
        values |= {"status": "solved" if good else "none", "moves": len(word), "fault": wrong}
        words = f"{len(word):,} moves solve it" if good else str(wrong)
    if as_json:
        print_json(values)
    else:
        if puzzle.columns <= _MOST_SHOWN and not quiet:
            print(puzzle, file=sys.stderr)
        print(words)
    return 0 if good else 1
