"""The stop of the tour about sliding tiles."""

from __future__ import annotations

from tablero.draw.pages import Stop
from tablero.draw.svg import to_svg
from tablero.runs.run import Here
from tablero.sliding.draw import scene
from tablero.sliding.verbs import worst


def stop() -> Stop:
    """The worst board for the method `table`, and its answer after a second of improvement."""
    found = worst(5)
    short = found.board.solve(method="anytime", run=Here(time_limit=1.0))
    return Stop(
        "Sliding tiles",
        f"tablero slide worst 5\ntablero slide solve '{found.board.text}' --page moves.html",
        f"The method table needs at most {found.moves} moves on any board of 5 by 5; this board needs that many (the proven "
        f"bound is {found.bound}). Searching pieces of that answer again for a second shortened it to {len(short)}; at "
        f"least {short.lower} are needed.",
        to_svg(scene(found.board, "the worst board of 5 by 5"), 60),
        lambda colours: str(found.board),
    )
