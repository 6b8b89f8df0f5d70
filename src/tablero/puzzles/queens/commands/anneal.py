"""`tablero queens anneal` and `tune`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tablero.cli.common import (
    Json,
    NodeLimit,
    Quiet,
    Settings,
    SvgFile,
    TimeLimit,
    require_pictures,
    with_settings,
    write_svg,
)
from tablero.cli.help import one_of
from tablero.files import require_writable, write_text
from tablero.puzzles.queens.commands.show import show
from tablero.puzzles.queens.commands.words import Blocked, Count, Given, Seed, puzzle_of


@with_settings()
def anneal(
    n: Count,
    t0: Annotated[float | None, typer.Option("--t0", help="The first temperature.")] = None,
    alpha: Annotated[float | None, typer.Option("--alpha", help="Geometric cooling: T becomes alpha T.")] = None,
    beta: Annotated[float | None, typer.Option("--beta", help="Linear cooling: T becomes T - beta.")] = None,
    length: Annotated[int | None, typer.Option("--trials", help="Trials a temperature (L).")] = None,
    max_stall: Annotated[int | None, typer.Option("--max-stall", help="Give up after so many without a swap.")] = None,
    max_trials: Annotated[int | None, typer.Option("--max-trials", help="Give up after so many in all.")] = None,
    cooling: Annotated[
        str,
        typer.Option("--cooling", help="How it cools.", autocompletion=one_of("geometric", "linear", "logarithmic")),
    ] = "geometric",
    swap: Annotated[
        str,
        typer.Option(
            "--swap", help="Which swaps are tried.", autocompletion=one_of("effective", "random", "min-conflicts")
        ),
    ] = "effective",
    restarts: Annotated[
        int | None, typer.Option("--restarts", help="How often a run that stalls begins anew; none with --max-stall.")
    ] = None,
    begin: Annotated[
        str | None,
        typer.Option("--start", help="The board to begin with: a file, or the columns by row from 0, as 1,3,0,2."),
    ] = None,
    given: Given = None,
    blocked: Blocked = None,
    seed: Seed = 0,
    runs: Annotated[int, typer.Option("--runs", help="How many runs, each with a seed of its own.")] = 1,
    trace: Annotated[Path | None, typer.Option("--trace", help="Write cost against trials of the first run.")] = None,
    page: Annotated[Path | None, typer.Option("--page", help="Write a page that plays the first run.")] = None,
    svg: SvgFile = None,
    *,
    settings: Settings,
) -> int:
    """Simulated annealing; without parameters those that are recommended for N.

    Examples:
        tablero queens anneal 100 --seed 1
        tablero queens anneal 8 --t0 5 --alpha 0.95 --trials 1 --max-stall 500
        tablero queens anneal 30 --page annealed.html
    """
    from tablero.puzzles.queens.anneal import anneal, search_for, trace_csv
    from tablero.puzzles.queens.anneal import trace as points_of
    from tablero.puzzles.queens.formats import start
    from tablero.puzzles.queens.player import require_playable

    require_pictures(svg=svg, page=page)
    if trace is not None:
        require_writable(trace, ".csv", option="--trace")
    if page is not None:
        require_playable(n)
    puzzle = puzzle_of(str(n), given, blocked)
    first = None if begin is None else start(begin)
    found = anneal(
        puzzle,
        seed=seed,
        runs=runs,
        t0=t0,
        alpha=alpha,
        beta=beta,
        length=length,
        max_stall=max_stall,
        max_trials=max_trials,
        cooling=cooling,
        swap=swap,
        restarts=restarts,
        start=first,
        run=settings.run(),
    )
    status = show(found, settings)
    if found.status != "none":
        if trace is not None:
            write_text(trace, trace_csv(points_of(search_for(puzzle, found.settings, seed, 1, first))))
        if page is not None:
            write_text(page, found.page())
    write_svg(svg, found.scene())
    return status


def tune(
    n: Count,
    tries: Annotated[int | None, typer.Option("--tries", help="Sets of parameters for Optuna to try: 100.")] = None,
    grid: Annotated[bool, typer.Option("--grid", help="The grid of the source instead of Optuna.")] = False,
    max_stall: Annotated[
        str,
        typer.Option(
            "--max-stall", help="Give up after so many trials without a swap: several, as 50,500, for --grid."
        ),
    ] = "",
    runs: Annotated[int, typer.Option("--runs", help="Annealing runs for each set.")] = 30,
    seed: Seed = 0,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A CSV file for all that was tried.")] = None,
    time_limit: TimeLimit = None,
    node_limit: NodeLimit = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Find parameters for annealing N queens: the fewest trials on average.

    Examples:
        tablero queens tune 50 --tries 20
        tablero queens tune 8 --grid -o grid.csv
    """
    from tablero.puzzles.queens import tune
    from tablero.puzzles.queens.formats import numbers

    settings = Settings.of(time_limit=time_limit, node_limit=node_limit, as_json=as_json, quiet=quiet)
    if output is not None:
        require_writable(output, ".csv", option="--output")
    stalls = numbers(max_stall, "--max-stall")
    found = tune(n, tries=tries, grid=grid, max_stall=stalls, runs=runs, seed=seed, run=settings.run())
    if output is not None:
        write_text(output, found.csv())
    return show(found, settings)
