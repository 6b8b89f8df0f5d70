"""Warehouses on the web page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tablero.web.forms import SEED, Field, Form, Page, Shown, Verb

if TYPE_CHECKING:
    from tablero.puzzles.warehouse.puzzle import Warehouse
    from tablero.runs.runner import Run


def _warehouse(form: Form) -> Warehouse:
    from tablero.puzzles.warehouse.generate import generate

    return generate(form["size"].strip(), form["order"], side=form["side"], seed=form["seed"])


def _show(form: Form) -> Shown:
    from tablero.puzzles.warehouse.draw import can_draw, scene

    warehouse = _warehouse(form)
    layout = warehouse.layout
    words = f"{layout.rows}×{layout.columns}, {len(layout.slots)} tiles, at most {layout.bound:,} moves"
    return Shown(dict(form), words, scene(warehouse) if can_draw(layout) else None)


def _solve(form: Form, run: Run) -> dict[str, Any]:
    from tablero.puzzles.warehouse.draw import player
    from tablero.puzzles.warehouse.formats import directions

    plan = _warehouse(form).solve(run=run)
    words = f"{len(plan):,} moves; the source's bound is {plan.puzzle.layout.bound:,}"
    return {**plan.values(), "say": words, "answers": [directions(plan)], "page": player(plan)}


PAGE = Page(
    "Warehouse",
    "Blocks of tiles between corridors, put into order by moving them along.",
    (
        Field("size", "Size", "line", "9", hint="a perfect square as 9, or blocks down and across as 2x5"),
        Field("side", "Side of a block", "number", 0, most=40, hint="with blocks down and across"),
        Field("order", "Order", "choice", "random", ("random", "reversed", "scattered")),
        SEED,
    ),
    _show,
    (Verb("solve", "Solve", _solve),),
    (
        ("Nine to a block", {"size": "9", "side": 0, "order": "random", "seed": 1}),
        ("Two by three blocks", {"size": "2x3", "side": 3, "order": "reversed", "seed": 0}),
    ),
)
