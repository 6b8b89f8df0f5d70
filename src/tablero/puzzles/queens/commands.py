"""`tablero queens`: n queens annealed, searched for, constructed and counted."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.cli.common import (
    Json,
    Quiet,
    Settings,
    Solutions,
    SvgFile,
    TimeLimit,
    compile_notice,
    duration,
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
    from tablero.puzzles.queens.anneal import Annealed
    from tablero.puzzles.queens.anneal import Settings as Annealing
    from tablero.puzzles.queens.puzzle import Queens
    from tablero.puzzles.queens.solve import Solved
    from tablero.runs.findings import Result
    from tablero.runs.store import Store
    from tablero.search.base import Search

app = typer.Typer(
    help="n queens: annealed, searched for, constructed, counted.", no_args_is_help=True, rich_markup_mode=None
)

Side = Annotated[int, typer.Argument(metavar="N", help="Queens, and rows and columns of the board.")]
Seed = Annotated[int, typer.Option("--seed", help="Of the random numbers; runs take it and those that follow.")]
Given = Annotated[str, typer.Option("--given", help="Squares that have a queen, as r1c3,r4c5 (from 1).")]
Blocked = Annotated[str, typer.Option("--blocked", help="Squares that must stay empty, as r1c3,r4c5.")]
Torus = Annotated[bool, typer.Option("--toroidal", help="Diagonals go on at the other edge.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="The file to write.")]


@app.command()
@with_settings()
def anneal(
    n: Side,
    t0_too: Annotated[float | None, typer.Argument(metavar="[T0]", help="As --t0.", show_default=False)] = None,
    alpha_too: Annotated[float | None, typer.Argument(metavar="[ALPHA]", help="As --alpha.")] = None,
    length_too: Annotated[int | None, typer.Argument(metavar="[L]", help="As --trials.")] = None,
    stall_too: Annotated[int | None, typer.Argument(metavar="[MAXITER]", help="As --max-stall.")] = None,
    t0: Annotated[float | None, typer.Option("--t0", help="The first temperature.")] = None,
    alpha: Annotated[float | None, typer.Option("--alpha", help="Geometric cooling: T becomes alpha T.")] = None,
    beta: Annotated[float | None, typer.Option("--beta", help="Linear cooling: T becomes T - beta.")] = None,
    length: Annotated[int | None, typer.Option("--trials", help="Trials a temperature (L).")] = None,
    max_stall: Annotated[int | None, typer.Option("--max-stall", help="Give up after so many without a swap.")] = None,
    max_trials: Annotated[int | None, typer.Option("--max-trials", help="Give up after so many in all.")] = None,
    cooling: Annotated[str, typer.Option("--cooling", help="geometric, linear or logarithmic.")] = "geometric",
    swap: Annotated[str, typer.Option("--swap", help="effective, random or min-conflicts.")] = "effective",
    seed: Seed = 0,
    runs: Annotated[int, typer.Option("--runs", help="How many runs, each with a seed of its own.")] = 1,
    trace: Annotated[Path | None, typer.Option("--trace", help="Write cost against trials of the first run.")] = None,
    play: Annotated[Path | None, typer.Option("--html", help="Write a page that plays the first run.")] = None,
    svg: SvgFile = None,
    *,
    settings: Settings,
) -> int:
    """Simulated annealing; without parameters those that are recommended for N."""
    from tablero.puzzles.queens.anneal import Annealed, nothing, search_for
    from tablero.puzzles.queens.anneal import Settings as Annealing
    from tablero.puzzles.queens.player import require_playable

    annealing = Annealing.for_side(
        n,
        t0=_either("T0", t0_too, t0),
        alpha=_either("ALPHA", alpha_too, alpha),
        beta=beta,
        length=_either("L", length_too, length),
        max_stall=_either("MAXITER", stall_too, max_stall),
        max_trials=max_trials,
        cooling=cooling,
        swap=swap,
    )
    _require_folders(svg, trace, play)
    if play is not None:
        require_playable(n)
    recipe = {"family": "queens", "verb": "anneal", "seed": seed, "runs": runs, "annealing": asdict(annealing)}
    search = search_for(annealing, seed, runs)
    result = nothing(n) if search is None else perform(search, settings, most=runs, recipe=recipe)
    if search is not None:
        _extras(annealing, seed, trace, play)
    _show_annealed(Annealed(annealing, runs, result), settings, svg)
    return exit_status(result)


def _either(name: str, by_place: Any, by_name: Any) -> Any:
    """A parameter that can be given in two ways, though not in both."""
    if by_place is not None and by_name is not None:
        raise BadInput(f"{name} is given twice, as {by_place} and as {by_name}")
    return by_name if by_place is None else by_place


def _require_folders(*files: Path | None) -> None:
    for file in files:
        if file is not None:
            require_folder(file)


def _extras(annealing: Annealing, seed: int, trace: Path | None, play: Path | None) -> None:
    from tablero.puzzles.queens.anneal import trace as points_of
    from tablero.puzzles.queens.anneal import trace_csv
    from tablero.puzzles.queens.player import page

    if trace is not None:
        write_text(trace, trace_csv(points_of(annealing, seed)))
    if play is not None:
        write_text(play, page(annealing, seed))


def _show_annealed(annealed: Annealed, settings: Settings, svg: Path | None) -> None:
    annealed.verify()
    _draw(annealed.board, svg)
    seconds, trials = annealed.seconds, annealed.trials
    if settings.as_json:
        values = {**summary(annealed.result), "runs": annealed.runs, "success": annealed.success}
        values["cpu"] = seconds._asdict() if seconds else None
        values["trials"] = trials._asdict() if trials else None
        values["each"] = [{"cpu": run.seconds, "trials": run.trials} for run in annealed.arrivals]
        print_json({**values, "answers": annealed.answers})
        return
    # Of one run the board is the answer, of several the table; their boards are in the JSON.
    if annealed.runs == 1:
        for columns in annealed.answers:
            print(*columns)
    if settings.quiet and (annealed.runs == 1 or not seconds):
        return
    if annealed.runs == 1:
        _show_small(annealed.board)
    if annealed.status == "none":
        print(_impossible(annealed.settings.n), file=sys.stderr)
        return
    gave_up = "" if annealed.solutions == annealed.runs else "; the others gave up or were stopped"
    print(
        f"{annealed.solutions} of {annealed.runs} run{'' if annealed.runs == 1 else 's'} arrived "
        f"({100 * annealed.success:.0f} %){gave_up}",
        file=sys.stderr,
    )
    if seconds and trials:
        out = sys.stderr if annealed.runs == 1 else sys.stdout
        print(f"{'':<10}{'mean':>12}{'deviation':>12}{'median':>12}{'least':>12}{'most':>12}", file=out)
        print("CPU, ms   " + "".join(f"{1000 * value:>12.3f}" for value in seconds), file=out)
        print("trials    " + "".join(f"{value:>12,.0f}" for value in trials), file=out)


@app.command()
@with_settings()
def solve(
    n: Side,
    method: Annotated[str, typer.Option("--method", help="auto, construct, local, anneal or exact.")] = "auto",
    solutions: Solutions = "1",
    given: Given = "",
    blocked: Blocked = "",
    torus: Torus = False,
    seed: Seed = 0,
    svg: SvgFile = None,
    *,
    settings: Settings,
) -> int:
    """Set n queens, or prove that it cannot be done."""
    from tablero.puzzles.queens.anneal import seeds_from
    from tablero.puzzles.queens.puzzle import as_bytes
    from tablero.puzzles.queens.solve import Solved, choose, search_for, with_columns, without_search

    _require_folders(svg)
    most = number_of_solutions(solutions)
    seeds_from(seed, 1)
    puzzle = _puzzle(n, given, blocked, torus)
    chosen = choose(puzzle, method, most)
    search = search_for(puzzle, chosen, seed)
    if search is None:
        if settings.job:
            raise BadInput(f"--job: {n} queens by {chosen} need no search, there is nothing to keep")
        result = without_search(puzzle)
    else:
        recipe = {"family": "queens", "verb": "solve", "method": chosen, "seed": seed, "most": most}
        result = perform(search, settings, most=most, recipe=recipe, problem=as_bytes(puzzle))
        result = with_columns(puzzle, chosen, result)
    _show_solved(Solved(puzzle, chosen, result), settings, svg)
    return exit_status(result)


def _puzzle(n: int, given: str, blocked: str, torus: bool) -> Queens:
    from tablero.puzzles.queens.puzzle import Queens, squares

    return Queens(n, tuple(squares(given)), tuple(squares(blocked)), torus)


def _show_solved(solved: Solved, settings: Settings, svg: Path | None) -> None:
    solved.verify()
    _draw(solved.board, svg)
    if settings.as_json:
        print_json({**summary(solved.result), "method": solved.method, "answers": solved.answers})
        return
    for columns in solved.answers:
        print(*columns)
    if not settings.quiet:
        if solved.solutions == 1:
            _show_small(solved.board)
        if solved.status == "none" and not solved.result.nodes:
            print(_impossible(solved.puzzle.n, solved.puzzle.torus), file=sys.stderr)
        elif solved.result.nodes:
            print(sentence(solved.result, "solution", "solutions"), file=sys.stderr)
        else:
            print(f"constructed in {1000 * solved.result.seconds:.1f} ms", file=sys.stderr)


def _impossible(n: int, torus: bool = False) -> str:
    if torus:
        return f"there is no way to set {n} queens on a torus: 2 or 3 divides {n} (Pólya 1918)"
    return f"there is no way to set {n} queens on a board of {n}×{n} (proved)"


def _draw(board: Any, svg: Path | None) -> None:
    from tablero.draw.svg import to_svg
    from tablero.puzzles.queens.draw import picture

    if svg is not None and board is not None:
        write_text(svg, to_svg(picture(board)))


def _show_small(board: Any) -> None:
    if board is not None and board.n <= 32:
        print(board, file=sys.stderr)


@app.command()
@with_settings()
def count(
    n: Side,
    fundamental: Annotated[
        bool, typer.Option("--fundamental", help="Only those different under turns and reflections.")
    ] = False,
    given: Given = "",
    blocked: Blocked = "",
    torus: Torus = False,
    svg: Annotated[Path | None, typer.Option("--svg", help="Draw all fundamental solutions into this file.")] = None,
    *,
    settings: Settings,
) -> int:
    """Count the ways to set n queens."""
    from tablero.puzzles.queens.count import search_for
    from tablero.puzzles.queens.puzzle import as_bytes

    if svg is not None and not fundamental:
        raise BadInput("--svg draws fundamental solutions: expected --fundamental with it")
    _require_folders(svg)
    puzzle = _puzzle(n, given, blocked, torus)
    if svg is not None and n > 10:
        raise BadInput(
            f"--svg: the fundamental solutions of {n} queens are too many to draw: expected at most 10 queens"
        )
    search = search_for(puzzle, fundamental=fundamental, durable=bool(settings.job or settings.cluster))
    recipe = {"family": "queens", "verb": "count", "fundamental": fundamental}
    result = perform(search, settings, keep=False, recipe=recipe, problem=as_bytes(puzzle))
    if svg is not None and result.status != "open":
        _draw_fundamental(n, svg)
    _show_count(result, fundamental, settings)
    return exit_status(result)


def _draw_fundamental(n: int, svg: Path) -> None:
    from tablero.draw.svg import to_svg
    from tablero.puzzles.queens.count import fundamental
    from tablero.puzzles.queens.draw import gallery

    boards = fundamental(n)
    title = f"The fundamental solution of {n} queens" if len(boards) == 1 else (
        f"The {len(boards)} fundamental solutions of {n} queens"
    )  # fmt: skip
    write_text(svg, to_svg(gallery(boards, title, across=4 if len(boards) <= 16 else 8)))


def _show_count(result: Result, fundamental: bool, settings: Settings) -> None:
    if settings.as_json:
        print_json(summary(result))
        return
    print(result.solutions)
    if not settings.quiet:
        kind = "fundamental " if fundamental else ""
        print(sentence(result, f"{kind}solution", f"{kind}solutions"), file=sys.stderr)


@app.command()
def model(
    n: Side,
    form: Annotated[str, typer.Option("--format", help="lp or mps.")] = "lp",
    output: Output = None,
) -> int:
    """Write the integer programme for solvers of others."""
    from tablero.puzzles.queens.model import write

    text = write(n, form)
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(output, text)
    return 0


@app.command()
def armies(
    n: Side,
    time_limit: TimeLimit = "",
    svg: SvgFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """The largest peaceable armies: as many white queens as black, none attacking one of the other colour."""
    from tablero.draw.svg import to_svg
    from tablero.puzzles.queens.draw import armies as picture
    from tablero.puzzles.queens.variants import armies as search

    limit = duration(time_limit)
    _require_folders(svg)
    found = search(n, time_limit=limit)
    if svg is not None:
        write_text(svg, to_svg(picture(n, found.white, found.black)))
    if as_json:
        values = {"status": found.status, "solutions": int(found.size > 0), "size": found.size, "nodes": found.nodes}
        print_json(
            {**values, "seconds": round(found.seconds, 6), "answers": [[found.white, found.black]][: found.size]}
        )
    else:
        print(found.size)
        if not quiet:
            proved = "stopped: there may be larger ones" if found.status == "open" else "no larger ones (proved)"
            print(f"{found}\n{found.size} against {found.size}; {proved}; {found.nodes:,} nodes", file=sys.stderr)
    return {"solved": 0, "none": 1, "open": 3}[found.status]


@app.command()
def tune(
    n: Side,
    tries: Annotated[int, typer.Option("--tries", help="Sets of parameters for Optuna to try.")] = 100,
    grid: Annotated[bool, typer.Option("--grid", help="The grid of the source instead of Optuna.")] = False,
    runs: Annotated[int, typer.Option("--runs", help="Annealing runs for each set.")] = 30,
    seed: Seed = 0,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A CSV file for all that was tried.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Find parameters for annealing N queens: the fewest trials on average."""
    from tablero.puzzles.queens import tune as tuning

    _require_folders(output)
    with compile_notice("the kernel queens.anneal/1", quiet):
        found = tuning.grid(n, runs=runs, seed=seed) if grid else tuning.tune(n, tries=tries, runs=runs, seed=seed)
    if output is not None:
        write_text(output, found.csv())
    if as_json:
        best = asdict(found.tried[0])
        print_json({"status": "solved", "n": n, "runs": runs, "tried": len(found.tried), "best": best,
                    "importance": found.importance})  # fmt: skip
        return 0
    print(
        f"{'T0':>9} {'alpha':>7} {'L':>4}  {'cooling':<12}{'trials':>12}{'deviation':>12}{'CPU, ms':>10}{'arrived':>9}"
    )
    for one in found.tried[: 1 if quiet else 10]:
        print(
            f"{one.t0:>9.4g} {one.alpha:>7.4g} {one.length:>4}  {one.cooling:<12}{one.trials:>12,.1f}"
            f"{one.deviation:>12,.1f}{1000 * one.seconds:>10.3f}{100 * one.success:>8.0f}%"
        )
    if found.importance and not quiet:
        shares = ", ".join(f"{name} {100 * part:.0f} %" for name, part in found.importance.items())
        print(f"what matters (PED-ANOVA): {shares}", file=sys.stderr)
    return 0


def resume(store: Store, settings: Settings) -> int:
    """Go on with a stored job."""
    recipe = store.card.recipe
    search = _search_again(store)
    if recipe["verb"] == "count":
        result = perform(search, settings, keep=False, store=store)
        _show_count(result, recipe["fundamental"], settings)
        return exit_status(result)
    if recipe["verb"] == "anneal":
        from tablero.puzzles.queens.anneal import Annealed
        from tablero.puzzles.queens.anneal import Settings as Annealing

        result = perform(search, settings, most=recipe["runs"], store=store)
        _show_annealed(Annealed(Annealing(**recipe["annealing"]), recipe["runs"], result), settings, None)
        return exit_status(result)
    from tablero.puzzles.queens.puzzle import from_bytes
    from tablero.puzzles.queens.solve import Solved, with_columns

    puzzle, method = from_bytes(store.card.problem), recipe["method"]
    result = with_columns(puzzle, method, perform(search, settings, most=recipe["most"], store=store))
    _show_solved(Solved(puzzle, method, result), settings, None)
    return exit_status(result)


def answers_of(store: Store) -> list[Any]:
    """The answers that a job holds, in this family's form."""
    from tablero.puzzles.queens.kernels.anneal import HEAD
    from tablero.puzzles.queens.puzzle import from_bytes
    from tablero.puzzles.queens.solve import columns_of
    from tablero.runs.coordinator import collect

    recipe = store.card.recipe
    if recipe["verb"] == "count":
        return []
    rows = collect(_search_again(store), store)
    if recipe["verb"] == "anneal":
        return list(rows[:, HEAD:].tolist())
    return list(columns_of(from_bytes(store.card.problem), recipe["method"], rows).tolist())


def _search_again(store: Store) -> Search:
    """The search of a stored job."""
    from tablero.puzzles.queens.anneal import Settings as Annealing
    from tablero.puzzles.queens.anneal import search_for as annealer
    from tablero.puzzles.queens.count import search_for as counter
    from tablero.puzzles.queens.puzzle import from_bytes
    from tablero.puzzles.queens.solve import search_for as solver

    recipe, problem = store.card.recipe, store.card.problem
    found: Search | None
    if recipe["verb"] == "anneal":
        found = annealer(Annealing(**recipe["annealing"]), recipe["seed"], recipe["runs"])
    elif recipe["verb"] == "count":
        found = counter(from_bytes(problem), fundamental=recipe["fundamental"], durable=True)
    else:
        found = solver(from_bytes(problem), recipe["method"], recipe["seed"])
    assert found is not None  # what needs no search is no job
    return found
