"""An example position for each technique; in most of them no easier technique applies.

The positions come from the solution paths of generated puzzles, and have as few empty cells as possible.  In the examples of
rare techniques an easier one applies, too, or some false candidates were removed.  The example of the hidden quad has a unit
without clues, as in other units a smaller subset is easier.  The examples of wide and nested nets have several solutions,
because further clues were removed, and the step is valid for all of them.  There is no example of nested forcing nets, which
only the hardest published puzzles need.
"""

from __future__ import annotations

from pathlib import Path

from tablero.sudoku.formats import parse
from tablero.sudoku.logic import Position, Step, walk
from tablero.sudoku.logic.library import parse_position
from tablero.sudoku.logic.techniques import TECHNIQUES

_BY_NAME = {technique.name: technique for technique in TECHNIQUES}


def _table(name: str) -> dict[str, str]:
    """Read a file with a name and a text in each line."""
    lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return dict(line.split("\t") for line in lines if not line.startswith("#"))


EXAMPLES = _table("examples.txt")
ABOUT = _table("about.txt")  # what each technique is

# The example of the techniques for cages is a puzzle in sections, on whose path the step occurs.
KILLER = """\
cages:
aaabcc
addbec
fgdhee
fgihjk
lgghjk
llmmnn
sums:
a=17 b=7 c=9 d=9 e=12 f=9 g=12 h=9 i=4 j=3 k=9 l=10
m=7 n=9
"""
KILLERS = {"cage combinations": KILLER, "innies and outies": KILLER}


def position_for(technique: str) -> tuple[Position, Step]:
    """The example of a technique: the position, and the first step of the technique there."""
    if technique in KILLERS:
        position = Position(parse(KILLERS[technique]), unique=True)
        step = next((step for step in walk(position) if step.technique == technique), None)
    else:
        position = parse_position(EXAMPLES[technique], technique)
        step = _BY_NAME[technique].first(position)
    if step is None:
        raise LookupError(f"{technique} does not apply in its example")
    return position, step
