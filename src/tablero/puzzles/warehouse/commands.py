"""`tablero warehouse`: tiles in blocks between corridors, put in order."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tablero.cli.common import (
    Json,
    Manner,
    PageFile,
    Quiet,
    Seed,
    exit_status,
    print_json,
    require_pictures,
    write_svg,
)
from tablero.files import require_writable, write_text

if TYPE_CHECKING:
    from tablero.puzzles.warehouse import Plan

app = typer.Typer(help="Warehouses: blocks of tiles between corridors.", no_args_is_help=True, rich_markup_mode=None)

Size = Annotated[str, typer.Argument(help="A perfect square n, or blocks down and across as 2x5 (with --side).")]
Side = Annotated[int, typer.Option("--side", help="The side of a block, where blocks down and across are given.")]
Order = Annotated[str, typer.Option("--order", help="random, reversed, scattered, a file, or the tiles of the slots.")]
MovesFile = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the moves, as CSV or, if the name ends in .json, as JSON.")
]
FloorSvg = Annotated[Path | None, typer.Option("--svg", help="Draw the warehouse into this file.")]


@app.command()
def solve(
    size: Size,
    order: Order = "random",
    side: Side = 0,
    seed: Seed = 1,
    output: MovesFile = None,
    svg: FloorSvg = None,
    page: PageFile = None,
    animate: Annotated[bool, typer.Option("--animate", help="Play the moves in the terminal.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Put every tile into its slot by legal moves; every move is checked."""
    from tablero.puzzles.warehouse import draw, formats, generate, layout_of
    from tablero.puzzles.warehouse.generate import ORDERS

    require_pictures(svg=svg, page=page)
    if output is not None:
        require_writable(output, ".csv", ".txt", ".json", option="--output")
    if order in ORDERS:
        start = generate(size, order, side=side, seed=seed)
    else:
        start = formats.named(order, layout_of(size, side))
    picture = None if svg is None else draw.scene(start)  # one that is too large is refused before the work
    plan = start.solve()
    write_svg(svg, picture)
    if output is not None:
        write_text(output, formats.to_json(plan) if output.suffix.lower() == ".json" else formats.to_csv(plan))
    if page is not None:
        write_text(page, draw.player(plan))
    if animate and not as_json:
        draw.animate(plan)
    return show(plan, Manner(as_json, quiet))


def show(plan: Plan, how: Manner) -> int:
    """Print how many moves there are, and what is known about them."""
    if how.as_json:
        print_json(plan.values())
    else:
        print(len(plan))
        how.say(_sentence(plan))
    return exit_status(plan)


def _sentence(plan: Plan) -> str:
    layout = plan.puzzle.layout
    forming = f"{plan.forming:,} to form the blocks, " if plan.forming else ""
    return (
        f"{len(plan):,} moves, {forming}all legal, for {len(layout.slots):,} tiles on {layout.rows}×{layout.columns}, "
        f"{plan.cycles} cycles; the thesis's bound is {layout.bound:,}, the corrected estimate {layout.estimate:,}; "
        f"{plan.seconds:.2f} s"
    )


@app.command()
def random(
    size: Size,
    side: Side = 0,
    seed: Seed = 1,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """A random order of the tiles in the slots, by seed: `solve --order` reads it."""
    from tablero.puzzles.warehouse import generate

    start = generate(size, side=side, seed=seed)
    order = [start.cells[slot] for slot in start.layout.slots]
    if as_json:
        print_json({"status": "solved", "order": order})
    else:
        print(*order)
    return 0
