"""The page of warehouses: a floor to play on, and its plan played."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from tablero.draw.tiles import MARGIN
from tablero.files import decode
from tablero.text import several
from tablero.verbs import Above, Meta, Spelling, parameters
from tablero.verbs.types import Seed
from tablero.warehouse import verbs
from tablero.warehouse.draw import can_draw, scene
from tablero.warehouse.puzzle import Warehouse
from tablero.warehouse.search import distances
from tablero.web.derived import derive, fields_of, puzzle_of
from tablero.web.forms import BadField, Cells, Field, Form, Page, Shown, Verb

if TYPE_CHECKING:
    from tablero.runs.run import Run
    from tablero.warehouse.plan import Plan

_MOST_SIDE = 40  # of a block
_MOST_TEXT = 20_000  # moves that are shown as text


def floor(
    size: Annotated[str, Meta(description="a perfect square as 9, or blocks down and across as 2x5")] = "9",
    *,
    side: Annotated[
        int, Meta(ge=0, le=_MOST_SIDE, description="with blocks down and across"), Spelling(label="Side of a block")
    ] = 0,
    order: verbs.Arrangement = "random",
    seed: Seed = 0,
    floor: Annotated[
        str,
        Meta(description="rows of tiles, a dot for an empty cell, # for a wall; empty: as size and order say"),
        Spelling(lines=True),
    ] = "",
) -> Warehouse:
    """The given floor, or else one of the size and order."""
    from tablero.warehouse.formats import parse

    return parse(floor) if floor.strip() else verbs.generate(size.strip(), order, side=side, seed=seed)


def _warehouse(form: Form) -> Warehouse:
    warehouse: Warehouse = puzzle_of(floor, form)
    return warehouse


def _shown(warehouse: Warehouse, form: Form, **more: Any) -> Shown:
    layout = warehouse.layout
    home = sum(warehouse.cells[slot] == tile > 0 for slot, tile in zip(layout.slots, warehouse.wanted, strict=True))
    tiles = several(warehouse.tiles, "tile in its place", "tiles in their places")
    words = f"{layout.rows}×{layout.columns}, {home} of {tiles}"
    return Shown(
        dict(form),
        words,
        scene(warehouse) if can_draw(layout) else None,
        Cells(layout.rows, layout.columns, MARGIN, MARGIN),
        {"bound": layout.bound, "home": home, "tiles": warehouse.tiles, "floor": list(warehouse.cells), **more},
    )


def _show(form: Form) -> Shown:
    return _shown(_warehouse(form), form)


def _load(data: bytes, name: str) -> Shown:
    from tablero.warehouse.formats import parse

    text = decode(data, name or "the file")
    parse(text, source=name or "the file")  # errors name the file
    return _show(Form({one.name: one.default for one in PAGE.puzzle} | {"floor": text}))


def _play(form: Form, run: Run) -> Shown:
    """Move a tile to an empty cell by the shortest way through empty cells, if there is one."""
    from tablero.warehouse.formats import write

    warehouse = _warehouse(form)
    source, target = (_cell(form, name, warehouse) for name in ("source", "target"))
    made = _steps(warehouse, source, target) if warehouse.cells[source] else 0
    if made:
        cells = list(warehouse.cells)
        cells[target], cells[source] = cells[source], 0
        warehouse = Warehouse(warehouse.layout, tuple(cells), warehouse.goal)
    form = Form({one.name: form[one.name] for one in PAGE.puzzle} | {"floor": write(warehouse)})
    return _shown(warehouse, form, made=made, now=target if made else source)


def _cell(form: Form, name: str, warehouse: Warehouse) -> int:
    layout, text = warehouse.layout, form[name].strip()
    found = re.fullmatch(r"r([0-9]{1,6})c([0-9]{1,6})", text)
    if not found or not (1 <= int(found[1]) <= layout.rows and 1 <= int(found[2]) <= layout.columns):
        raise BadField(name, f"the cell {text[:40]!r}: expected r1c1 to r{layout.rows}c{layout.columns}")
    return (int(found[1]) - 1) * layout.columns + int(found[2]) - 1


def _steps(warehouse: Warehouse, source: int, target: int) -> int:
    """The number of moves of a tile to a cell; 0 if there is no way."""
    occupied = {cell for cell, tile in enumerate(warehouse.cells) if tile}
    return distances([source], warehouse.layout.neighbours, occupied).get(target, 0)


def _played(plan: Plan, _: Mapping[str, Any]) -> dict[str, Any]:
    """A page that plays the moves, or the reason why there is none."""
    if plan.status != "solved":
        return {**plan.values(), "say": plan.remark or "stopped: no plan", "answers": [], "text": ""}
    words = f"{several(len(plan), 'move')}; the proven bound is {plan.puzzle.bound:,}"
    moves = plan.directions
    text = moves if len(moves) <= _MOST_TEXT else ""
    return {**plan.values(), "say": words, "answers": [moves], "text": text, "page": plan.page()}


def _example(size: str, side: int, order: str, seed: int) -> dict[str, str | int]:
    return {"size": size, "side": side, "order": order, "seed": seed, "floor": ""}


_SQUARES = tuple(str(side * side) for side in range(2, _MOST_SIDE + 1))  # sizes that determine the side of a block

PAGE = Page(
    "Warehouse",
    "Blocks of tiles between corridors, put into order by moving them along.",
    fields_of(parameters(floor)),
    _show,
    (
        replace(
            derive(verbs.solve, reads=floor, show=_played),
            never=({"size": _SQUARES, "side": Above(0), "floor": ("",)},),
        ),
        Verb("play", "Play", _play, (Field("source", "From"), Field("target", "To")), light=True),
    ),
    (
        ("Nine to a block", _example("9", 0, "random", 1)),
        ("Two by three blocks", _example("2x3", 3, "reversed", 0)),
        ("Four to a block", _example("4", 0, "random", 2)),
    ),
    _load,
    says=(
        "a warehouse of #×#",
        "#×#, # of # tiles in their places",
        "#×#, # of # tile in its place",
        *("the floor", "# tile", "# tiles"),
        "expected a tile for every slot, or fewer, of blocks between corridors one cell wide",
        *("no moves lead past the walls", "every position was searched"),
        *("no way was found past the walls", "whether there is one is not known"),
        *("stopped", "no plan"),
        "# moves; the proven bound is #",
        "# move; the proven bound is #",
    ),
    script=True,
)
