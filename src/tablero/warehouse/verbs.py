"""The verbs of warehouses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

from tablero.runs.run import HERE, Run
from tablero.verbs import GIVEN, Document, Meta, Refuse, Spelling, maker, output, verb, writes
from tablero.verbs.types import Seed

if TYPE_CHECKING:
    from tablero.warehouse.plan import Plan
    from tablero.warehouse.puzzle import Warehouse

Arrangement = Literal["random", "reversed", "scattered", "corner"]
Method = Literal["auto", "exchange", "direct"]

Size = Annotated[
    str | int,
    Meta(description="A perfect square n, or blocks down and across as 2x5 (with a side)."),
    Spelling(metavar="SIZE", expected="a perfect square as 9, or blocks down and across as 2x5"),
]
FloorOrSize = Annotated[
    str,
    Meta(description="A perfect square n, blocks down and across as 2x5 (with a side), or a file with a floor."),
    Spelling(metavar="SIZE"),
]
Side = Annotated[
    int,
    Meta(ge=0, le=999, description="Side of a block, where blocks down and across are given."),
    Spelling(label="Side of a block"),
]


def arrangements() -> tuple[str, ...]:
    """The names of arrangements, for shell completion."""
    return get_args(Arrangement)


def floor(
    size: FloorOrSize,
    *,
    order: Annotated[
        str,
        Meta(description="The arrangement (random, reversed, scattered, corner), a file, or the tiles of the slots."),
        Spelling(complete="tablero.warehouse.verbs:arrangements"),
    ] = "",
    goal: Annotated[str, Meta(description="The tile for each slot, in order, or a file; numbers may repeat.")] = "",
    side: Side = 0,
    seed: Seed = 0,
) -> Warehouse:
    """The floor of a file, or a floor of this size."""
    from tablero.warehouse.formats import named

    return named(size, order, goal, side=side, seed=seed)


@writes(".csv", ".txt", ".json", name="output")
def moves(found: Plan, path: Path) -> Iterator[str] | None:
    """Write the moves, as CSV or, if the name ends in .json, as JSON."""
    from tablero.warehouse.formats import move_list

    return move_list(found, path.suffix.lower()) if found.status == "solved" else None


@writes(".svg", before="tablero.warehouse.draw:require_drawable")
def svg(found: Plan) -> str | None:
    """Draw the warehouse into this file."""
    return found.to_svg()


@writes(".html", before="tablero.warehouse.draw:require_drawable")
def page(found: Plan) -> str | None:
    """Write a page that plays the moves."""
    return found.page() if found.status == "solved" else None


def animate(found: Plan) -> Plan:
    """Play the moves in the terminal."""
    return replace(found, animated=True)


@verb(
    reads=floor,
    refuses=[
        Refuse({"walls": GIVEN, "method": ("exchange",)}, "exchange does not support walls: expected direct"),
    ],
    writes=[moves, svg, page],
    views=[animate],
)
def solve(
    puzzle: Warehouse,
    *,
    method: Annotated[
        Method,
        Meta(description="The planner."),
        Spelling(
            meanings={
                "auto": "the shorter plan of both",
                "exchange": "the planner of the thesis, with a proven bound on the moves",
                "direct": "a planner that usually needs fewer moves; the only one for walls",
            }
        ),
    ] = "auto",
    run: Run = HERE,
) -> Plan:
    """Move every tile into its slot; every move is checked.

    Examples:
        tablero warehouse solve 9
        tablero warehouse solve 2x5 --side 3 --page moves.html
    """
    from tablero.warehouse.solving import solve as work

    return work(puzzle, method=method, run=run)


@maker(writes=[output])
def generate(
    size: Size,
    order: Annotated[
        Arrangement,
        Meta(description="How the tiles are arranged."),
        Spelling(
            option="order",
            meanings={
                "random": "in the slots, in a random order",
                "reversed": "in the slots, in reverse order",
                "scattered": "anywhere on the floor",
                "corner": "packed into the last corner",
            },
        ),
    ] = "random",
    *,
    side: Side = 0,
    seed: Seed = 0,
) -> Warehouse:
    """Make a warehouse with its tiles in the blocks, anywhere on the floor, or in the last corner.

    Examples:
        tablero warehouse generate 9 --seed 1 -o floor.txt
        tablero warehouse generate 2x5 --side 3 --order scattered
    """
    from tablero.warehouse.generating import generate as work

    return work(size, order, side=side, seed=seed)


@maker()
def random(size: Size, *, side: Side = 0, seed: Seed = 0) -> Document:
    """Make a random order of the tiles in the slots: `solve --order` reads it.

    Examples:
        tablero warehouse random 9 --seed 1
    """
    from tablero.warehouse.generating import generate as work

    start = work(size, side=side, seed=seed)
    order = [start.cells[slot] for slot in start.layout.slots]
    return Document(" ".join(map(str, order)), {"order": order}, key="")
