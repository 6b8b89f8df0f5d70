"""`decompose --check FILE`: decompositions that somebody else has found, looked at and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tablero.cli.common import Settings, print_json, write_svg
from tablero.decomposition.commands.showing import edges_text

if TYPE_CHECKING:
    from tablero.decomposition import Decomposition, DecompositionPuzzle


def check_file(puzzle: DecompositionPuzzle, source: str, svg: Path | None, settings: Settings) -> int:
    """Say of each decomposition in a file whether it is one; 1 where one of them is none."""
    from tablero.decomposition.checking import Checker
    from tablero.decomposition.formats import read_edge_lists

    whole = puzzle.whole
    found = read_edge_lists(source, whole)
    checker = Checker(whole)
    faults = [_missing(puzzle, one) or checker.fault(one.parts) for one in found]
    seen: dict[frozenset[object], int] = {}
    for k, one in enumerate(found):
        before = seen.setdefault(frozenset(one.parts), k)
        if before != k and faults[k] is None and puzzle.fold == 1:
            faults[k] = f"the same as decomposition {before + 1}"
    good = faults.count(None)
    write_svg(svg, found[0].scene())
    if settings.as_json:
        print_json({"status": "complete" if good else "none", "solutions": good, "faults": faults})
    else:
        for k, fault in enumerate(faults, 1):
            print(f"decomposition {k}: {'right' if fault is None else f'wrong: {fault}'}")
        settings.say(f"{puzzle}: {good:,} of {len(found):,} are decompositions")
    return 0 if good == len(found) else 1


def _missing(puzzle: DecompositionPuzzle, found: Decomposition) -> str | None:
    """Which of the given copies a decomposition does not have."""
    for copy in puzzle.given:
        if copy not in found.parts:
            return f"the given copy {edges_text(puzzle.host, copy)} is not in it"
    return None
