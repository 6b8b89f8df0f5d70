"""`tablero warehouse`: tiles in blocks between corridors, put in order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import (
    Json,
    Manner,
    PageFile,
    Quiet,
    Seed,
    Settings,
    TimeLimit,
    exit_status,
    print_json,
    require_pictures,
    write_svg,
)
from tablero.cli.help import one_of
from tablero.errors import BadInput
from tablero.files import require_writable, write_text
from tablero.words import several

if TYPE_CHECKING:
    from tablero.warehouse import Plan, Warehouse

app = typer.Typer(help="Warehouses: blocks of tiles between corridors.", no_args_is_help=True, rich_markup_mode=None)

Size = Annotated[str, typer.Argument(help="A perfect square n, or blocks down and across as 2x5 (with --side).")]
Side = Annotated[int, typer.Option("--side", help="The side of a block, where blocks down and across are given.")]
Order = Annotated[
    str,
    typer.Option(
        "--order",
        help="How the tiles stand.",
        autocompletion=one_of("random", "reversed", "scattered", "corner", more="a file, or the tiles of the slots"),
    ),
]
Goal = Annotated[
    str, typer.Option("--goal", help="What the slots shall hold, one after another, or a file; numbers may repeat.")
]
FloorOrSize = Annotated[
    str, typer.Argument(help="A perfect square n, blocks down and across as 2x5 (with --side), or a file with a floor.")
]
MovesFile = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the moves, as CSV or, if the name ends in .json, as JSON.")
]
FloorSvg = Annotated[Path | None, typer.Option("--svg", help="Draw the warehouse into this file.")]


@app.command()
def solve(
    size: FloorOrSize,
    order: Order = "",
    goal: Goal = "",
    side: Side = 0,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            help="The source's (exchange), far fewer moves (direct), or the better of both (auto). Without it: "
            "exchange on a full floor without walls, else direct.",
            autocompletion=one_of("exchange", "direct", "auto"),
        ),
    ] = "",
    seed: Seed = 1,
    time_limit: TimeLimit = None,
    output: MovesFile = None,
    svg: FloorSvg = None,
    page: PageFile = None,
    animate: Annotated[bool, typer.Option("--animate", help="Play the moves in the terminal.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Put every tile into its slot by legal moves; every move is checked.

    Examples:
        tablero warehouse solve 9 --method direct
        tablero warehouse solve 2x5 --side 3 --page moves.html
    """
    from tablero.warehouse import draw, formats

    require_pictures(svg=svg, page=page)
    if output is not None:
        require_writable(output, ".csv", ".txt", ".json", option="--output")
    settings = Settings.of(time_limit=time_limit, as_json=as_json, quiet=quiet)
    start = _start(size, order, goal, side, seed, method)
    picture = None if svg is None else draw.scene(start)  # one that is too large is refused before the work
    plan = start.solve(method=method, run=settings.run())
    if animate and not as_json and plan.status == "solved":
        draw.animate(plan)
    status = show(plan, settings)
    write_svg(svg, picture)
    if plan.status == "solved":
        if output is not None:
            formats.write(plan, output)
        if page is not None:
            write_text(page, draw.player(plan))
    return status


def _start(size: str, order: str, goal: str, side: int, seed: int, method: str) -> Warehouse:
    """The warehouse that the words of a command mean."""
    from dataclasses import replace

    from tablero.files import is_there
    from tablero.warehouse import formats, generate, layout_of
    from tablero.warehouse.generating import ORDERS
    from tablero.warehouse.solving import require_possible

    wanted = formats.goal_of(goal)
    if size == "-" or (not re.fullmatch(r"[0-9x×]+", size) and is_there(size)):
        if order:
            raise BadInput("--order goes with a size: a floor says itself what stands where")
        return formats.read_floor(size, side=side, goal=wanted)
    require_possible(layout_of(size, side), method)
    if (order or "random") in ORDERS:
        start = generate(size, order or "random", side=side, seed=seed)
        return replace(start, goal=tuple(wanted)) if wanted else start
    return formats.named(order, layout_of(size, side), wanted)


def show(plan: Plan, how: Manner) -> int:
    """Print how many moves there are, and what is known about them."""
    if how.as_json:
        print_json({**plan.values(), "answers": plan.told()})
    elif plan.status == "none":
        how.say(f"no plan (proved): {plan.remark}")
    elif plan.remark:
        how.say(f"open: {plan.remark}; {plan.seconds:.2f} s")
    elif plan.status == "open":
        how.say(f"open: stopped after {several(len(plan), 'move')}, no plan; {plan.seconds:.2f} s")
    else:
        print(len(plan))
        how.say(_sentence(plan))
    return exit_status(plan)


def _sentence(plan: Plan) -> str:
    layout = plan.puzzle.layout
    forming = f"{plan.forming:,} to form the blocks, " if plan.forming else ""
    return (
        f"{several(len(plan), 'move')}, {forming}all legal, for {several(plan.puzzle.tiles, 'tile')} on "
        f"{layout.rows}×{layout.columns}, {several(plan.cycles, 'cycle')}; the thesis's bound is {plan.puzzle.bound:,}, "
        f"the corrected estimate {layout.estimate:,}; {plan.seconds:.2f} s"
    )


@app.command()
def random(
    size: Size,
    side: Side = 0,
    seed: Seed = 1,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """A random order of the tiles in the slots, by seed: `solve --order` reads it.

    Examples:
        tablero warehouse random 9 --seed 1
    """
    from tablero.warehouse import generate

    start = generate(size, side=side, seed=seed)
    order = [start.cells[slot] for slot in start.layout.slots]
    if as_json:
        print_json({"status": "solved", "order": order})
    else:
        print(*order)
    return 0
