"""`tablero warehouse`: tiles in blocks between corridors, put in order."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.cli.common import Json, Quiet, SvgFile, print_json, write_text
from tablero.errors import BadInput

if TYPE_CHECKING:
    from tablero.puzzles.warehouse import Layout, Plan, Warehouse

app = typer.Typer(help="Warehouses: blocks of tiles between corridors.", no_args_is_help=True, rich_markup_mode=None)

Size = Annotated[str, typer.Argument(help="A perfect square n, or blocks down and across as 2x5 (with --side).")]
Side = Annotated[int, typer.Option("--side", help="The side of a block, where blocks down and across are given.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same warehouse.")]


def _layout(size: str, side: int) -> Layout:
    from tablero.puzzles.warehouse import Layout, square

    if found := re.fullmatch(r"(\d{1,4})[x×](\d{1,4})", size):
        if not side:
            raise BadInput(f"the size {size}: expected --side, the side of a block, with it")
        return Layout(side, int(found[1]), int(found[2]))
    if not re.fullmatch(r"\d{1,6}", size):
        raise BadInput(f"the size {size!r}: expected a perfect square as 9, or blocks down and across as 2x5")
    if side:
        raise BadInput(f"--side goes with blocks down and across as 2x5, not with n = {size}")
    return square(int(size))


def _warehouse(layout: Layout, order: str, seed: int) -> Warehouse:
    from tablero.puzzles.sliding.formats import read_text
    from tablero.puzzles.warehouse import random, reversed_order, scattered
    from tablero.puzzles.warehouse.formats import parse_order

    if order == "random":
        return random(layout, seed=seed)
    if order == "reversed":
        return reversed_order(layout)
    if order == "scattered":
        return scattered(layout, seed=seed)
    if order == "-":
        return parse_order(sys.stdin.read(), layout, "standard input")
    if re.fullmatch(r"[\d\s,;]+", order):
        return parse_order(order, layout)
    if not re.search(r"[./\\]", order) and not Path(order).exists():
        raise BadInput(f"--order {order}: expected random, reversed, scattered, a file, or the tiles")
    return parse_order(read_text(Path(order)), layout, order)


@app.command()
def solve(
    size: Size,
    order: Annotated[
        str, typer.Option("--order", help="random, reversed, scattered, a file, or the tiles of the slots.")
    ] = "random",
    side: Side = 0,
    seed: Seed = 1,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the moves, as CSV or, if the name ends so, .json.")
    ] = None,
    svg: SvgFile = None,
    page: Annotated[Path | None, typer.Option("--page", help="Write a page that plays the moves.")] = None,
    animate: Annotated[bool, typer.Option("--animate", help="Play the moves in the terminal.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Put every tile into its slot by legal moves; every move is checked."""
    from tablero.puzzles.warehouse import draw, formats
    from tablero.puzzles.warehouse import solve as put_in_order

    warehouse = _warehouse(_layout(size, side), order, seed)
    plan = put_in_order(warehouse)
    if output is not None:
        write_text(output, formats.to_json(plan) if output.suffix == ".json" else formats.to_csv(plan))
    if svg is not None:
        from tablero.draw.svg import to_svg

        write_text(svg, to_svg(draw.scene(warehouse)))
    if page is not None:
        write_text(page, draw.player(plan))
    if animate and not as_json:
        draw.animate(plan)
    if as_json:
        print_json(_values(plan))
        return 0
    print(len(plan))
    if not quiet:
        print(_sentence(plan), file=sys.stderr)
    return 0


def _values(plan: Plan) -> dict[str, Any]:
    layout = plan.warehouse.layout
    return {
        "status": "solved",
        "moves": len(plan),
        "bound": layout.bound,
        "estimate": layout.estimate,
        "forming": plan.forming,
        "tiles": len(layout.slots),
        "rows": layout.rows,
        "columns": layout.columns,
        "cycles": plan.cycles,
        "seconds": round(plan.seconds, 6),
    }


def _sentence(plan: Plan) -> str:
    layout = plan.warehouse.layout
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
) -> int:
    """A random order of the tiles in the slots, by seed: `solve --order` reads it."""
    from tablero.puzzles.warehouse import random as make

    warehouse = make(_layout(size, side), seed=seed)
    order = [warehouse.cells[slot] for slot in warehouse.layout.slots]
    if as_json:
        print_json({"status": "solved", "order": order})
    else:
        print(*order)
    return 0
