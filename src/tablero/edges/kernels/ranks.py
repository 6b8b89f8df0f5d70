"""Edge matching line by line, several cells at a time, without the boards that promise too little.

    stretch   some cells of a line that are filled in one step: one look at a table gives the list of what fits there
    front     the colours that the cells to come must meet, of equal bits each: of the last line's pieces, and where the
              line is broken one more, of the side along it.  A stretch's key is a piece of it; what is laid changes that
    counts    what is left of every colour, as fields of words.  One that must not fall below 0 has a bit above it, which
              is lost when it does: then nothing can come of the board
    rank      about the logarithm of how many completions to expect: ln K! + ln I! − ln M! summed over colours, with
              K joins of the frame that are to be made, I sides of inner pieces not laid, M joins between inner pieces of
              which no side lies yet; in units of 1/UNIT
    low       boards whose rank after some stretches is below it are left
    high      boards that were never below it were searched before, and are left at the last look

The counts are kept by one subtraction a word, and only a look at the rank takes them apart.  Whether pieces lie already is
found by one comparison for a whole stretch, without a branch.  Children are numbered by their places in the lists.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import EIGHT, inlined

U = np.uint64
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

UNIT = 1 << 10
NO_LOW, NO_HIGH = -(1 << 40), 1 << 40
BLOCK = EIGHT  # entries that are looked at together
LEAN, COUNTED, LOOKED, LAST = range(4)  # counts are not kept any more, are kept, are ranked, are ranked the last time


class Problem(NamedTuple):
    """S stretches of up to k cells; E entries, each a filling of a stretch; W words of counts."""

    cells: NDArray[np.int32]  # S × k, −1 where a stretch is shorter
    plan: Words  # S × 4: where the table begins in `start`, the key in the front, its bits, and the shift after it
    start: NDArray[np.uint32]  # for every table and key the place of its list
    length: NDArray[np.uint32]
    lies: Words  # E: the pieces; all bits where there is no entry, as lists are filled up to blocks
    need: Words  # E: pieces that must lie already: of equal pieces the first lies first
    move: Words  # E: the bits of the front that change
    takes: Words  # E × W: from the counts
    variant: NDArray[np.int32]  # E × k
    begin: Words  # W: the counts
    guard: Words  # W: the bits that must not be lost
    fields: Words  # word, first bit, bits, and where the values begin in `value`
    value: NDArray[np.int32]  # what a field adds to the rank
    low: Numbers  # S + 1
    high: Numbers  # S + 1
    looks: NDArray[np.uint8]  # S + 1: LEAN, COUNTED, LOOKED or LAST
    swept: Numbers  # one number: after so many stretches all that lies below a board is searched at once; see `sweep`


@inlined
def list_of(problem: Problem, front: np.uint64, d: np.uint64) -> np.uint64:
    """The list of a stretch before a front."""
    row = problem.plan[d]
    return U(row[U(0)] + ((front >> row[U(1)]) & row[U(2)]))


@inlined
def front_after(problem: Problem, front: np.uint64, place: np.uint64, d: np.uint64) -> np.uint64:
    """The front when an entry is laid."""
    row = problem.plan[d]
    return U((front ^ (problem.move[place] << row[U(1)])) << row[U(3)])


@inlined
def fits(problem: Problem, used: np.uint64, place: np.uint64) -> bool:
    """Whether the pieces of an entry do not lie yet, and those lie that must."""
    return bool(((used & problem.lies[place]) | (problem.need[place] & ~used)) == U(0))


@inlined
def rank_of(problem: Problem, counts: Words) -> int:
    """The rank of a board with such counts."""
    rank = np.int64(0)
    for f in range(U(len(problem.fields))):
        row = problem.fields[f]
        rank += np.int64(problem.value[row[U(3)] + ((counts[row[U(0)]] >> row[U(1)]) & row[U(2)])])
    return int(rank)


@inlined
def lessen(problem: Problem, counts: Words, place: np.uint64, into: Words) -> bool:
    """The counts without what an entry takes; False where nothing can come of that."""
    lost = U(0)
    for w in range(U(len(problem.guard))):
        into[w] = counts[w] - problem.takes[place, w]
        lost |= ~into[w] & problem.guard[w]
    return bool(lost == U(0))
