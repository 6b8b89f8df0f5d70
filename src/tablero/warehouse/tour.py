"""The stop of the tour about warehouses."""

from __future__ import annotations

from tablero.draw.pages import Stop
from tablero.draw.svg import to_svg
from tablero.warehouse.draw import scene
from tablero.warehouse.generating import generate


def stop() -> Stop:
    """Nine blocks of tiles in random order, put in order."""
    start = generate(16, seed=1)
    plan, layout = start.solve(), start.layout
    return Stop(
        "The warehouse",
        "tablero warehouse solve 16 --seed 1 --page moves.html -o moves.csv",
        f"{len(layout.slots)} tiles in nine blocks, in a random order. Putting them in order took {len(plan):,} moves, "
        f"all checked; the proven bound is {layout.bound:,}, the corrected estimate {layout.estimate:,}.",
        to_svg(scene(start, "a warehouse of 16 by 16"), 32),
        lambda colours: str(start),
    )
