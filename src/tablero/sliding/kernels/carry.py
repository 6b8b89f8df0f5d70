"""The blank carries other tiles along: each of its moves brings a tile nearer to its place, or further from it.

Lines and their last two tiles are as in `construct.py`; but the board is played while it is planned (`load.py`), and the
blank is led by the ways that are worth most (`leading.py`).  With more time the ways round a tile are longer, and the best
of several ways to play a stage is taken (`choosing.py`).
"""

from __future__ import annotations

from tablero.search.compiled import kernel
from tablero.sliding.kernels.ground import (
    APPROACH,
    COLUMN_PAIR,
    NOTHING,
    NOWHERE,
    PAIR,
    SINGLE,
    Cells,
    Ground,
    Plan,
    emit,
    ring_place,
    walk,
)
from tablero.sliding.kernels.leading import approach, long_step, step
from tablero.sliding.kernels.load import LEFT, STAGE, TOP, Load, catch_up
from tablero.sliding.kernels.table import by_hierarchy, by_special_case, by_table, out_of_the_trap


@kernel
def _bring(
    ground: Ground, plan: Plan, load: Load, number: int, target: int, pocket: int, kind: int, short: bool
) -> bool:
    """Bring a tile to its target; see `place` in `construct.py`."""
    column = kind == COLUMN_PAIR
    inward = 1 if column else ground.width
    while load.where[number] != target:
        tile, blank, begun = load.where[number], load.where[0], plan.size[0]
        trapped = pocket >= 0 and (tile == pocket or (tile == pocket + inward and blank == pocket))
        if trapped and short:
            out_of_the_trap(ground, plan, tile, blank, pocket, column)
            catch_up(ground, plan, load, begun)
            continue
        if not trapped:
            down, right = load.row[tile] - load.row[blank], load.column[tile] - load.column[blank]
            near = abs(down) <= load.reach[1] and abs(right) <= load.reach[1]
            long = load.reach[2] != 0
            if near and long and long_step(ground, plan, load, tile, target):
                continue
            if near and not long and step(ground, plan, load, tile, target):
                continue
            if not near and approach(ground, plan, load, tile, target):
                continue
        # Where walls leave no other way, as `table` does it.
        if ring_place(ground, tile, blank) < 0:
            if walk(ground, plan, blank, int(NOWHERE), tile, 8, int(APPROACH)) < 0:
                return False
        else:
            nearer, hole = by_table(ground, plan, tile, blank, target)
            if nearer == tile and pocket >= 0:
                nearer, hole = by_special_case(ground, plan, tile, blank, pocket, column)
            if nearer == tile and hole == blank and by_hierarchy(ground, plan, tile, blank, target, False)[0] < 0:
                return False
        catch_up(ground, plan, load, begun)
    return True


@kernel
def carry(ground: Ground, plan: Plan, stages: Cells, at: int, upto: int, load: Load, margin: int) -> int:
    """Play stages from number `at` to before `upto`, while the plan has room for `margin` moves more; return the next.

    −1 − stage says at which the rules led nowhere, which no test has seen.
    """
    room = len(plan.moves) - margin
    while at < upto and plan.size[0] <= room:
        kind, first, second, short = stages[at, 0], stages[at, 1], stages[at, 2], stages[at, 3] != 0
        tile, other = stages[at, 4], stages[at, 5]
        load.left[STAGE] = at
        if kind == SINGLE:
            if not _bring(ground, plan, load, tile, first, int(NOWHERE), kind, short):
                return -1 - at
        else:
            along, inward = (ground.width, 1) if kind == COLUMN_PAIR else (1, ground.width)
            if load.where[tile] != first or load.where[other] != second:
                if not _bring(ground, plan, load, tile, second, int(NOWHERE), kind, short):
                    return -1 - at
                ground.wall[second] = 1
                if not _bring(ground, plan, load, other, second + inward, first, kind, short):
                    return -1 - at
                begun = plan.size[0]
                if walk(ground, plan, load.where[0], first, first + along + inward, int(NOTHING), int(PAIR)) < 0:
                    return -1 - at
                emit(plan, 1 if kind == COLUMN_PAIR else 2, int(PAIR))
                emit(plan, 2 if kind == COLUMN_PAIR else 1, int(PAIR))
                catch_up(ground, plan, load, begun)
            ground.wall[second] = 1
            load.left[LEFT if kind == COLUMN_PAIR else TOP] += 1
        ground.wall[first] = 1
        at += 1
    return at
