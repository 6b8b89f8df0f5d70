"""For every technique a position of our own in which it applies, most of them such that nothing easier does.

They were found on the ways of puzzles of the generator: those with the fewest empty cells.  Rarer ones, for which
something easier stands by, were met there too, or after candidates that are wrong were taken away.  A hidden quad needs a
unit without a single clue (in any other a smaller subset is easier).  Wide and nested nets are needed on puzzles of the
generator from which some clues more were taken: those have several solutions, and the step is right in all of them.  Nested
nets proper were needed on none of them, but the hardest published puzzles need them.
"""

from __future__ import annotations

from pathlib import Path

from tablero.sudoku.formats import parse
from tablero.sudoku.logic import Position, Step, walk
from tablero.sudoku.logic.library import parse_position
from tablero.sudoku.logic.techniques import TECHNIQUES

_BY_NAME = {technique.name: technique for technique in TECHNIQUES}


def _table(name: str) -> dict[str, str]:
    """A file with a name and a text in each line."""
    lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return dict(line.split("\t") for line in lines if not line.startswith("#"))


EXAMPLES = _table("examples.txt")
ABOUT = _table("about.txt")  # what each technique is, in a sentence or two

# Of cages, as puzzles in sections; the step is met on their way.
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
    """The example of a technique: the position, and its first step there; of cages, where a walk meets it."""
    if technique in KILLERS:
        position = Position(parse(KILLERS[technique]), unique=True)
        step = next((step for step in walk(position) if step.technique == technique), None)
    else:
        position = parse_position(EXAMPLES[technique], technique)
        step = _BY_NAME[technique].first(position)
    if step is None:
        raise LookupError(f"{technique} does not apply in its example")
    return position, step
