"""The decomposition of the tour."""

from __future__ import annotations

from tablero.decomposition.puzzle import decompose
from tablero.draw.pages import Stop
from tablero.draw.svg import to_svg


def stop() -> Stop:
    """All double stars of K10 up to isomorphism, and the first of them."""
    found = decompose("K10", into="double-star").classes()
    first = found.classes[0]
    return Stop(
        "Decompositions of graphs",
        "tablero decompose classes K10 --into double-star --svg k10.svg",
        f"A double star is two joined vertices with four leaves each. The complete graph on ten vertices divides into five "
        f"of them in {found.labelled:,} ways, all found in {found.seconds:.2f} seconds. Up to the names of the vertices "
        f"there are {len(found.classes)}; this is the one with {first.group} symmetries.",
        to_svg(first.example.scene()),
        lambda colours: str(first.example),
    )
