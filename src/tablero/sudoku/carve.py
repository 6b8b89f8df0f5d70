"""Puzzles on boards of any kind: from a full board clues are taken away in random order.

A clue goes only when a search proves that the solution stays the only one.  A killer has no clues: its cages are random ones
on a full board, tried until their solution is the only one.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tablero.runs.run import Here
from tablero.sudoku.puzzle import BOXES, Cage, Cells, Layout, Sudoku
from tablero.sudoku.verbs import MOST, PROVABLE
from tablero.sudoku.wish import Wish, groups_of

if TYPE_CHECKING:
    from tablero.sudoku.kernels.cells import State

_NODES = {4: 10_000, 6: 100_000, 9: 100_000, 12: 100_000, 16: 2_000, 25: 500}  # for one proof
_CAGE_NODES = 2_000_000  # for the proof of a killer; by nodes, as by time a seed would not always make the same puzzle


class Searcher:
    """Searches of one layout, cell by cell."""

    def __init__(self, layout: Layout, seed: int = 0) -> None:
        from tablero.search.random import random_state
        from tablero.sudoku.kernels import cells as sudoku_cells

        self._kernel = sudoku_cells.search
        self.layout = layout
        self._units = np.array([unit.cells for unit in layout.units], np.int64)
        self._ordered = sudoku_cells.new_state(layout.size)
        self._random = sudoku_cells.new_state(layout.size, random_state(seed))
        self._stop = np.zeros(1, np.uint8)

    def _search(self, cells: Sequence[int], limit: int, budget: int, state: State) -> tuple[int, Cells, bool]:
        answer = np.zeros(self.layout.size, np.uint8)
        found, nodes = self._kernel(self._units, state, np.array(cells, np.uint8), limit, budget, answer, self._stop)
        return int(found), tuple(answer.tolist()), nodes < budget

    def is_unique(self, cells: Sequence[int]) -> bool:
        """Whether it is proved that there is just one solution."""
        found, _, finished = self._search(cells, 2, _NODES[self.layout.side], self._ordered)
        return found == 1 and finished

    def full_board(self) -> Cells | None:
        """A random full board, or None where luck did not help."""
        found, answer, _ = self._search([0] * self.layout.size, 1, 20_000, self._random)
        return answer if found else None


def others(wish: Wish, seed: int) -> Iterator[Sudoku]:
    """One puzzle after another; each has random numbers of its own, so that the k-th is the same whatever is asked for."""
    for k in range(MOST):
        luck = random.Random(f"{seed} {k}")
        puzzle = None
        while puzzle is None:
            puzzle = _killer(wish.side, luck) if wish.kind == "killer" else _carved(wish, luck)
        yield puzzle


def _carved(wish: Wish, luck: random.Random) -> Sudoku | None:
    """A full board with clues taken away."""
    layout = Layout(
        wish.side, _random_regions(wish.side, luck) if wish.kind == "jigsaw" else (), diagonals=wish.kind == "x"
    )
    searcher = Searcher(layout, luck.getrandbits(63))
    large = layout.is_plain and wish.side > PROVABLE  # too large for a search from nothing
    full = _shuffled(wish.side, luck) if large else searcher.full_board()
    if full is None:
        return None
    cells = list(full)
    left = layout.size
    groups = groups_of(wish.symmetry, wish.side)
    luck.shuffle(groups)
    for group in groups:
        if left - len(group) < wish.least:
            continue
        for cell in group:
            cells[cell] = 0
        if searcher.is_unique(cells):
            left -= len(group)
        else:
            for cell in group:
                cells[cell] = full[cell]
    return Sudoku(tuple(cells), layout)


def _shuffled(side: int, luck: random.Random) -> Cells:
    """A full plain board: the regular pattern with its digits, its rows and columns, its bands and stacks shuffled."""
    tall, wide = BOXES[side]

    def order(group: int) -> list[int]:
        bands = luck.sample(range(side // group), side // group)
        return [group * band + k for band in bands for k in luck.sample(range(group), group)]

    rows, columns = order(tall), order(wide)
    digits = luck.sample(range(1, side + 1), side)
    return tuple(digits[(wide * (r % tall) + r // tall + c) % side] for r in rows for c in columns)


def _random_regions(side: int, luck: random.Random) -> Cells:
    """Regions of one size, each in one piece: the boxes, after many random exchanges of cells at their borders."""
    plain = Layout(side)
    regions = [plain.region(cell) for cell in range(side * side)]
    done = 0
    while done < 8 * side:
        one = luck.randrange(side * side)
        touching = [n for n in _beside(one, side) if regions[n] != regions[one]]
        if not touching:
            continue
        a, b = regions[one], regions[luck.choice(touching)]
        back = [c for c in range(side * side) if regions[c] == b and any(regions[n] == a for n in _beside(c, side))]
        two = luck.choice(back)
        regions[one], regions[two] = b, a
        if _in_one_piece(regions, a, side) and _in_one_piece(regions, b, side):
            done += 1
        else:
            regions[one], regions[two] = a, b
    first_met = {number: k for k, number in enumerate(dict.fromkeys(regions))}
    return tuple(first_met[number] for number in regions)


def _beside(cell: int, side: int) -> list[int]:
    row, column = divmod(cell, side)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [side * r + c for r, c in around if 0 <= r < side and 0 <= c < side]


def _in_one_piece(regions: Sequence[int], number: int, side: int) -> bool:
    cells = {cell for cell, region in enumerate(regions) if region == number}
    reached = {min(cells)}
    todo = [min(cells)]
    while todo:
        for other in _beside(todo.pop(), side):
            if other in cells and other not in reached:
                reached.add(other)
                todo.append(other)
    return reached == cells


def _killer(side: int, luck: random.Random) -> Sudoku | None:
    """Random cages on a full board; None where they have a second solution."""
    from tablero.sudoku.solving import count

    full = Searcher(Layout(side), luck.getrandbits(63)).full_board()
    if full is None:
        return None
    free = set(range(side * side))
    cages = []
    while free:
        cell = min(free)
        cells = [cell]
        free.remove(cell)
        wanted = luck.choice((2, 2, 3, 3, 4))
        while len(cells) < wanted:
            digits = {full[c] for c in cells}
            near = sorted({n for c in cells for n in _beside(c, side) if n in free and full[n] not in digits})
            if not near:
                break
            cells.append(luck.choice(near))
            free.remove(cells[-1])
        cages.append(Cage(sum(full[c] for c in cells), tuple(sorted(cells))))
    puzzle = Sudoku((0,) * side**2, replace(Layout(side), cages=tuple(cages)))
    found = count(puzzle, 2, run=Here(node_limit=_CAGE_NODES))
    return puzzle if found.unique else None
