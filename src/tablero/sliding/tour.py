"""The sliding tiles of the tour."""

from __future__ import annotations

from tablero.draw.pages import Stop
from tablero.draw.svg import to_svg
from tablero.runs.run import Here
from tablero.sliding.draw import scene
from tablero.sliding.verbs import worst


def stop() -> Stop:
    """The board on which the thesis's method does worst, and how short its answer becomes in a second."""
    found = worst(5)
    short = found.board.solve(method="anytime", run=Here(time_limit=1.0))
    return Stop(
        "Sliding tiles",
        f"tablero slide worst 5\ntablero slide solve '{found.board.text}' --page moves.html",
        f"No board of 5 by 5 takes the thesis's method more than {found.moves} moves; this is one that takes just so many "
        f"(the thesis promised {found.bound}). Searching pieces of that answer again for a second brought it down to "
        f"{len(short)}; at least {short.lower} are needed.",
        to_svg(scene(found.board, "the worst board of 5 by 5"), 60),
        lambda colours: str(found.board),
    )
