"""`carry` with more time: every stage is played in several ways, each with prices and weights of its own.

After each way come some stages more in a usual one; then all is taken back.  That way is kept after which moves and what is
left to do, by weights that fade more slowly, are least.
"""

from __future__ import annotations

from typing import NamedTuple

from tablero.search.compiled import inlined, kernel
from tablero.sliding.kernels.carry import carry
from tablero.sliding.kernels.ground import COLUMN_PAIR, SINGLE, Cells, Ground, Plan, emit
from tablero.sliding.kernels.load import LEFT, TOP, Load, catch_up


class Ways(NamedTuple):
    """Several ways to play a stage, and what is needed to choose one of them."""

    price: Cells  # by way
    weight: Cells  # by way and stages to go
    value: Cells  # by stages to go: what a cell nearer is worth to the choice
    ahead: Cells  # how many stages more are played before a way is judged, and in which way
    moves: Cells  # scratch: the best way
    rules: Cells


@inlined
def _left_to_do(load: Load, ways: Ways, stage: int) -> int:
    """What all tiles that are due at a stage or later have still to go, in worth."""
    total = 0
    for tile in range(1, len(load.where)):
        if load.due[tile] >= stage:
            cell = load.where[tile]
            far = abs(load.row[cell] - load.home_row[tile]) + abs(load.column[cell] - load.home_column[tile])
            total += ways.value[load.due[tile] - stage] * far
    return total


@inlined
def _take_back(ground: Ground, plan: Plan, load: Load, first: int) -> None:
    """Undo the moves from number `first` on."""
    blank = load.where[0]
    for k in range(plan.size[0] - 1, first - 1, -1):
        there = blank - ground.step[plan.moves[k]]
        tile = load.board[there]
        load.board[blank], load.where[tile] = tile, blank
        blank = there
    load.board[blank], load.where[0] = 0, blank
    plan.size[0] = first


@inlined
def _play_in(
    ground: Ground, plan: Plan, stages: Cells, at: int, upto: int, load: Load, margin: int, ways: Ways, way: int
) -> int:
    """As `carry`, in one of the ways."""
    load.price[0] = ways.price[way]
    for k in range(len(load.weight)):
        load.weight[k] = ways.weight[way, k]
    return carry(ground, plan, stages, at, upto, load, margin)


@kernel
def carry_choosing(
    ground: Ground, plan: Plan, stages: Cells, at: int, upto: int, load: Load, margin: int, ways: Ways
) -> int:
    """As `carry`, with every stage played in all ways, and the best of them kept; without any way, as it is."""
    if len(ways.price) == 0:  # one kernel for both: to compile all that they share twice takes seconds
        return carry(ground, plan, stages, at, upto, load, margin)
    price = load.price[0]
    margin *= 1 + ways.ahead[0]
    room = len(plan.moves) - margin
    while at < upto and plan.size[0] <= room:
        top, left, begun = load.left[TOP], load.left[LEFT], plan.size[0]
        least, size, upon = -1, 0, min(len(stages), at + 1 + ways.ahead[0])
        for way in range(len(ways.price)):
            after = _play_in(ground, plan, stages, at, at + 1, load, 0, ways, way)
            made = plan.size[0] - begun
            if after == at + 1 and after < upon:
                after = _play_in(ground, plan, stages, after, upon, load, 0, ways, ways.ahead[1])
            if after < 0:
                return after
            cost = price * (plan.size[0] - begun) + _left_to_do(load, ways, upon)
            if least < 0 or cost < least:
                least, size = cost, made
                for k in range(size):
                    ways.moves[k], ways.rules[k] = plan.moves[begun + k], plan.rules[begun + k]
            _take_back(ground, plan, load, begun)
            load.left[TOP], load.left[LEFT] = top, left
            for stage in range(at, upon):
                ground.wall[stages[stage, 1]] = 0
                if stages[stage, 0] != SINGLE:
                    ground.wall[stages[stage, 2]] = 0
        for k in range(size):
            emit(plan, ways.moves[k], ways.rules[k])
        catch_up(ground, plan, load, begun)
        ground.wall[stages[at, 1]] = 1
        if stages[at, 0] != SINGLE:
            ground.wall[stages[at, 2]] = 1
            load.left[LEFT if stages[at, 0] == COLUMN_PAIR else TOP] += 1
        at += 1
    load.price[0] = price
    return at
