"""`decompose --check FILE`: decompositions that somebody else has found, looked at and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tablero.cli.common import Settings, print_json, write_svg

if TYPE_CHECKING:
    from tablero.puzzles.decomposition import DecompositionPuzzle


def check_file(puzzle: DecompositionPuzzle, source: str, svg: Path | None, settings: Settings) -> int:
    """Say of each decomposition in a file whether it is one; 1 where one of them is none."""
    from tablero.puzzles.decomposition.check import Checker
    from tablero.puzzles.decomposition.formats import read_edge_lists

    found = read_edge_lists(source, puzzle)
    checker = Checker(puzzle)
    faults = [checker.fault(one.parts) for one in found]
    seen: dict[frozenset[object], int] = {}
    for k, one in enumerate(found):
        before = seen.setdefault(frozenset(one.parts), k)
        if before != k and faults[k] is None and puzzle.fold == 1:
            faults[k] = f"the same as decomposition {before + 1}"
    good = faults.count(None)
    write_svg(svg, found[0].scene())
    if settings.as_json:
        print_json({"status": "complete" if good == len(found) else "none", "solutions": good, "faults": faults})
    else:
        for k, fault in enumerate(faults, 1):
            print(f"decomposition {k}: {'right' if fault is None else f'wrong: {fault}'}")
        settings.say(f"{puzzle}: {good:,} of {len(found):,} are decompositions")
    return 0 if good == len(found) else 1
