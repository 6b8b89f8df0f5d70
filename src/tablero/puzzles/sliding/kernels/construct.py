"""Tile by tile: the constructive methods for sliding tiles.

    table      the thesis's method: table, then special cases, then hierarchy, as soon as the blank touches by a corner
    parberry   the same when only touching by a side counts
    transport  the shortest joint path of tile and blank, tile after tile

What a method does depends only on the cells of the tile and of the blank and on the walls, never on the other tiles.
So `place` plans with these alone; `construct` plays the plans on a board, and `stage_costs` asks what every start of a
stage would cost, from which the exact worst case is made.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.sliding.kernels.ground import (
    APPROACH,
    COLUMN_PAIR,
    NOTHING,
    NOWHERE,
    PAIR,
    PARBERRY,
    ROW_PAIR,
    SINGLE,
    SMALL,
    TRANSPORT,
    Bytes,
    Cells,
    Ground,
    Plan,
    emit,
    emit_turned,
    ring_place,
    walk,
)
from tablero.puzzles.sliding.kernels.journey import journey
from tablero.puzzles.sliding.kernels.table import by_hierarchy, by_special_case, by_table, out_of_the_trap
from tablero.search.compiled import inlined, kernel

UNREACHED = 255  # in a table of distances: the permutation has the wrong parity


def make_stages(rows: int, columns: int) -> tuple[Cells, int, int]:
    """The stages of a board, and the first row and column of what is left for the last.

    A stage is its kind, its cells (of one tile, or of PU and U), whether its line has two cells only, and its tiles.
    The longer side is shortened first; of a square the row, then the column.  At most 3×3 is left.
    """
    width, top, left = columns + 2, 0, 0
    stages: list[tuple[int, ...]] = []

    def cell(r: int, c: int) -> int:
        return (r + 1) * width + c + 1

    while rows - top > 3 or columns - left > 3:
        if rows - top >= columns - left:
            kind, line = ROW_PAIR, [(top, c) for c in range(left, columns)]
            top += 1
        else:
            kind, line = COLUMN_PAIR, [(r, left) for r in range(top, rows)]
            left += 1
        stages += [(SINGLE, cell(r, c), 0, 0, r * columns + c + 1, 0) for r, c in line[:-2]]
        (r, c), (s, d) = line[-2:]
        short = int(len(line) == 2)
        stages.append((kind, cell(r, c), cell(s, d), short, r * columns + c + 1, s * columns + d + 1))
    return np.array(stages, np.int64).reshape(-1, 6), top, left


@kernel
def place(
    ground: Ground, plan: Plan, method: int, tile: int, blank: int, target: int, pocket: int, kind: int, short: bool
) -> int:
    """Bring the tile to its target; return where the blank ends, or −1 if the rules lead nowhere.

    `pocket` is the pocket when the tile is U (else −1), `kind` the kind of its line, `short` whether that has two cells.
    """
    column = kind == COLUMN_PAIR
    inward = 1 if column else ground.width
    reach = 8 if method != PARBERRY else 4
    while tile != target:
        # U in the pocket, or below it with the blank inside: no rule that keeps all placed tiles still leads out.
        trapped = pocket >= 0 and (tile == pocket or (tile == pocket + inward and blank == pocket))
        if trapped and short:
            tile, blank = out_of_the_trap(ground, plan, tile, blank, pocket, column)
            continue
        if method == TRANSPORT and not trapped:
            tile, blank = journey(ground, plan, tile, blank, target)
            if tile < 0:
                return -1
            continue
        touching = ring_place(ground, tile, blank)
        if touching < 0 or (reach == 4 and touching & 1 == 1):
            blank = walk(ground, plan, blank, int(NOWHERE), tile, reach, int(APPROACH))
            if blank < 0:
                return -1
            continue
        nearer, hole = by_table(ground, plan, tile, blank, target)
        if nearer != tile:
            tile, blank = nearer, hole
            continue
        if pocket >= 0:
            moved, hole = by_special_case(ground, plan, tile, blank, pocket, column)
            if moved != tile or hole != blank:
                tile, blank = moved, hole
                continue
        tile, blank = by_hierarchy(ground, plan, tile, blank, target, method == PARBERRY)
        if tile < 0:
            return -1
    return blank


@kernel
def finish_line(ground: Ground, plan: Plan, blank: int, pocket: int, kind: int) -> int:
    """PU parked at the line's end and U inward of it: lead the blank to the pocket and play the two last moves."""
    column = kind == COLUMN_PAIR
    along = ground.width if column else 1
    inward = 1 if column else ground.width
    blank = walk(ground, plan, blank, pocket, pocket + along + inward, int(NOTHING), int(PAIR))
    if blank < 0:
        return -1
    emit_turned(plan, 2, int(PAIR), column)
    emit_turned(plan, 1, int(PAIR), column)
    return pocket + along + inward


@kernel
def play(ground: Ground, plan: Plan, first: int, board: Cells, where: Cells, blank: int) -> int:
    """Play the moves of a plan from `first` on a board (tiles by cell, and cells by tile); return the blank's cell."""
    for k in range(first, plan.size[0]):
        there = blank + ground.step[plan.moves[k]]
        tile = board[there]
        board[blank] = tile
        where[tile] = blank
        blank = there
    board[blank] = 0
    where[0] = blank
    return blank


@kernel
def construct(
    ground: Ground, plan: Plan, method: int, stages: Cells, at: int, board: Cells, where: Cells, margin: int
) -> int:
    """Play stages from number `at` on, while the plan has room for `margin` moves more; return the next stage.

    −1 − stage says at which the rules led nowhere, which no test has seen.
    """
    room = len(plan.moves) - margin
    while at < len(stages) and plan.size[0] <= room:
        kind, first, second, short = stages[at, 0], stages[at, 1], stages[at, 2], stages[at, 3] != 0
        blank = where[0]
        begun = plan.size[0]
        tile = stages[at, 4]
        if kind == SINGLE:
            blank = place(ground, plan, method, where[tile], blank, first, int(NOWHERE), kind, short)
            if blank < 0:
                return -1 - at
            play(ground, plan, begun, board, where, where[0])
        else:
            other = stages[at, 5]
            if where[tile] != first or where[other] != second:
                blank = place(ground, plan, method, where[tile], blank, second, int(NOWHERE), kind, short)
                if blank < 0:
                    return -1 - at
                play(ground, plan, begun, board, where, where[0])
                ground.wall[second] = 1
                begun = plan.size[0]
                inward = 1 if kind == COLUMN_PAIR else ground.width
                blank = place(ground, plan, method, where[other], blank, second + inward, first, kind, short)
                if blank < 0:
                    return -1 - at
                blank = finish_line(ground, plan, blank, first, kind)
                if blank < 0:
                    return -1 - at
                play(ground, plan, begun, board, where, where[0])
            ground.wall[second] = 1
        ground.wall[first] = 1
        at += 1
    return at


@inlined
def _rank(ground: Ground, board: Cells, corner: int, rows: int, columns: int) -> int:
    """The number of the permutation in the region with this first cell, in lexicographic order."""
    number, count = 0, rows * columns
    for k in range(count):
        tile = board[corner + k // columns * ground.width + k % columns]
        smaller = 0
        for later in range(k + 1, count):
            if board[corner + later // columns * ground.width + later % columns] < tile:
                smaller += 1
        number = number * (count - k) + smaller
    return number


@kernel
def last_region(
    ground: Ground, plan: Plan, board: Cells, where: Cells, corner: int, rows: int, columns: int, table: Bytes
) -> bool:
    """Solve what is left optimally by the table of its distances: always the first move that leads nearer."""
    blank = where[0]
    left = table[_rank(ground, board, corner, rows, columns)]
    if left == UNREACHED:
        return False
    while left > 0:
        for m in range(4):
            there = blank + ground.step[m]
            if ground.wall[there] != 0:
                continue
            tile = board[there]
            board[blank], board[there] = tile, 0
            if table[_rank(ground, board, corner, rows, columns)] == left - 1:
                where[tile] = blank
                blank = there
                emit(plan, m, int(SMALL))
                break
            board[blank], board[there] = 0, tile
        left -= 1
    where[0] = blank
    return True


@kernel
def measure(
    ground: Ground,
    plan: Plan,
    method: int,
    stages: Cells,
    region: Cells,
    table: Bytes,
    boards: Cells,
    where: Cells,
    lengths: Cells,
) -> int:
    """Many boards, each a row of tiles by cell of the grid: play every solution on its row, and tell how long it is.

    `region` is the first cell, the rows and the columns of what the stages leave.  The plan must have room for a whole
    solution.  Returns how many boards were done: less than all where the rules led nowhere.
    """
    for k in range(len(boards)):
        board = boards[k]
        for cell in range(len(board)):
            if board[cell] >= 0:
                where[board[cell]] = cell
                ground.wall[cell] = 0
        plan.size[0] = 0
        if construct(ground, plan, method, stages, 0, board, where, 0) != len(stages):
            return k
        if not last_region(ground, plan, board, where, region[0], region[1], region[2], table):
            return k
        lengths[k] = plan.size[0]
    return len(boards)


@kernel
def stage_costs(
    ground: Ground,
    plan: Plan,
    method: int,
    target: int,
    pocket: int,
    kind: int,
    follow: int,
    cost: NDArray[np.int32],
    end: NDArray[np.int32],
    image: NDArray[np.int32],
) -> int:
    """What placing a tile costs from every cell (rows) with the blank at every cell (columns), and where the blank ends.

    With a pocket the tile is U, and the line is finished too.  Where the tile starts at cell `follow`, `image` gets for
    every blank where the moves take what lies on the target.  Returns −1 where the rules lead nowhere.
    """
    cells, short = len(ground.wall), bool(int(NOTHING))
    for tile in range(cells):
        if ground.wall[tile] != 0:
            continue
        for blank in range(cells):
            if ground.wall[blank] != 0 or blank == tile:
                continue
            plan.size[0] = 0
            last = place(ground, plan, method, tile, blank, target, pocket, kind, short)
            if last < 0:
                return -1
            if pocket >= 0:
                last = finish_line(ground, plan, last, pocket, kind)
                if last < 0:
                    return -1
            cost[tile, blank] = plan.size[0]
            end[tile, blank] = last
            if tile == follow:
                spot, hole = target, blank
                for k in range(plan.size[0]):
                    there = hole + ground.step[plan.moves[k]]
                    if there == spot:
                        spot = hole
                    hole = there
                image[blank] = spot
    return 0
