"""The tile-by-tile methods for sliding tiles.

    table      the thesis's method: table, then special cases, then hierarchy, as soon as blank and tile touch by a corner
    sides      the same, but only touching by a side counts; a column is treated as a transposed row, ties included
    transport  the shortest joint path of tile and blank, for one tile after another
    parberry   Parberry's greedy algorithm of 1995: see `table.py`

The moves depend only on the cells of the tile and of the blank and on the walls, never on the other tiles.  `place` plans
with these alone; `construct` plays the plans on a board; `stage_costs` computes the cost of every start of a stage, from
which the exact worst case follows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel
from tablero.sliding.kernels.ground import (
    APPROACH,
    COLUMN_PAIR,
    LAST,
    NOTHING,
    NOWHERE,
    PARBERRY,
    ROW_PAIR,
    SIDES,
    SINGLE,
    SMALL,
    TABLE,
    TRANSPORT,
    Bytes,
    Cells,
    Ground,
    Plan,
    emit,
    finish_line,
    fix,
    play,
    ring_place,
    turn,
    walk,
)
from tablero.sliding.kernels.journey import journey
from tablero.sliding.kernels.table import by_hierarchy, by_special_case, by_table, out_of_the_trap, push_home

_TRANSPOSED = (15, 16, 17, 18, 15, 16, 17, 18, 20, 20)  # the cases 11 to 20 as cases of a column
UNREACHED = 255  # in a table of distances: the permutation has the wrong parity


def make_stages(rows: int, columns: int, alone: bool = False) -> tuple[Cells, int, int]:
    """The stages of a board, and the first row and column of the last region.

    A stage is its kind, its cells (of one tile, or of PU and U), whether its line has only two cells, its tiles, and whether
    its line is a column.  With `alone` the last two tiles of a line are placed one after the other.  The longer side is
    shortened first; of a square the row, then the column.  At most 3×3 is left.
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
        down = int(kind == COLUMN_PAIR)
        stages += [(SINGLE, cell(r, c), 0, 0, r * columns + c + 1, 0, down) for r, c in line[: -1 if alone else -2]]
        (r, c), (s, d) = line[-2:]
        short = int(len(line) == 2)
        if alone:
            stages.append((LAST, cell(s, d), cell(r, c), short, s * columns + d + 1, 0, down))
        else:
            stages.append((kind, cell(r, c), cell(s, d), short, r * columns + c + 1, s * columns + d + 1, down))
    return np.array(stages, np.int64).reshape(-1, 7), top, left


@kernel
def lead(
    ground: Ground,
    across: Ground,
    plan: Plan,
    method: int,
    tile: int,
    blank: int,
    target: int,
    pocket: int,
    kind: int,
    short: bool,
    down: bool,
) -> int:
    """Bring the tile to its target, and finish the line if the tile is U of a pair; return the blank's cell, or −1.

    Some methods treat a column (`down`) as a row of the transposed board.
    """
    pair = pocket >= 0 and kind != LAST
    if not down or method in (TABLE, TRANSPORT):
        if method == PARBERRY:
            return push_home(ground, plan, tile, blank, target, pocket)
        last = place(ground, plan, method, tile, blank, target, pocket, kind, short)
        return finish_line(ground, plan, last, pocket, kind) if pair and last >= 0 else last
    begun = plan.size[0]
    tile, blank, target = turn(ground, across, tile), turn(ground, across, blank), turn(ground, across, target)
    if pocket >= 0:
        pocket = turn(ground, across, pocket)
    if method == PARBERRY:
        last = push_home(across, plan, tile, blank, target, pocket)
    else:
        last = place(across, plan, method, tile, blank, target, pocket, int(ROW_PAIR), short)
        if pair and last >= 0:
            last = finish_line(across, plan, last, pocket, int(ROW_PAIR))
    for k in range(begun, plan.size[0]):
        plan.moves[k] = 3 - plan.moves[k]
        if 11 <= plan.rules[k] <= 20:
            plan.rules[k] = _TRANSPOSED[plan.rules[k] - 11]
    return turn(across, ground, last) if last >= 0 else last


@kernel
def place(
    ground: Ground, plan: Plan, method: int, tile: int, blank: int, target: int, pocket: int, kind: int, short: bool
) -> int:
    """Bring the tile to its target; return the blank's cell, or −1 if no rule applies.

    `pocket` is the pocket when the tile is U (else −1), `kind` the kind of its line, `short` whether the line has two cells.
    """
    column = kind == COLUMN_PAIR
    inward = 1 if column else ground.width
    reach = 8 if method != SIDES else 4
    while tile != target:
        # U in the pocket, or below it with the blank inside: no rule without placed tiles leads out.
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
        tile, blank = by_hierarchy(ground, plan, tile, blank, target, method == SIDES)
        if tile < 0:
            return -1
    return blank


@kernel
def construct(
    ground: Ground,
    across: Ground,
    plan: Plan,
    method: int,
    stages: Cells,
    at: int,
    board: Cells,
    where: Cells,
    margin: int,
) -> int:
    """Play stages from number `at` on while `margin` more moves fit into the plan; return the next stage.

    −1 − stage means that no rule applied at that stage; no test has seen this.
    """
    most = len(plan.moves) - margin
    while at < len(stages) and plan.size[0] <= most:
        kind, first, second, short = stages[at, 0], stages[at, 1], stages[at, 2], stages[at, 3] != 0
        down = stages[at, 6] != 0
        begun, tile, other = plan.size[0], stages[at, 4], stages[at, 5]
        if kind in (SINGLE, LAST):
            pocket = second if kind == LAST else int(NOWHERE)
            end = lead(ground, across, plan, method, where[tile], where[0], first, pocket, kind, short, down)
            if end < 0:
                return -1 - at
            play(ground, plan, begun, board, where)
        else:
            if where[tile] != first or where[other] != second:
                pocket = int(NOWHERE)
                end = lead(ground, across, plan, method, where[tile], where[0], second, pocket, kind, short, down)
                if end < 0:
                    return -1 - at
                play(ground, plan, begun, board, where)
                fix(ground, across, second)
                begun = plan.size[0]
                target = second + (1 if kind == COLUMN_PAIR else ground.width)
                end = lead(ground, across, plan, method, where[other], where[0], target, first, kind, short, down)
                if end < 0:
                    return -1 - at
                play(ground, plan, begun, board, where)
            fix(ground, across, second)
        fix(ground, across, first)
        at += 1
    return at


@inlined
def _rank(ground: Ground, board: Cells, corner: int, rows: int, columns: int) -> int:
    """The lexicographic number of the permutation in the region with this first cell."""
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
    """Solve the last region optimally by its table of distances: always make the first move that leads nearer."""
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
def stage_costs(
    ground: Ground,
    across: Ground,
    plan: Plan,
    method: int,
    target: int,
    pocket: int,
    kind: int,
    down: bool,
    follow: int,
    only_tile: int,
    only_blank: int,
    cost: NDArray[np.int32],
    end: NDArray[np.int32],
    image: NDArray[np.int32],
) -> int:
    """The cost of placing a tile from every cell (rows) with the blank at every cell (columns), and the blank's last cell.

    With a pocket the tile is U, and the line is finished too.  If the tile starts at cell `follow`, `image` gets for every
    blank the cell to which the moves take the tile on the target.  With `only_tile` and `only_blank` (else −1) only that
    start is computed, and the plan keeps its moves.  Returns −1 if no rule applies.
    """
    cells, short = len(ground.wall), bool(int(NOTHING))
    for tile in range(cells):
        if ground.wall[tile] != 0 or (only_tile >= 0 and tile != only_tile):
            continue
        for blank in range(cells):
            if ground.wall[blank] != 0 or blank == tile or (only_blank >= 0 and blank != only_blank):
                continue
            plan.size[0] = 0
            last = lead(ground, across, plan, method, tile, blank, target, pocket, kind, short, down)
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
