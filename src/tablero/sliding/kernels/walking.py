"""Walking distance: how many vertical moves a board needs at least, if tiles of one home row were all alike.

    matrix    for every row, how many of its tiles have each home row
    state     a matrix and the blank's row; 24,964 of them on 4×4
    step      the blank goes to the row above or below, and a tile of some home row comes the other way

Two tables by breadth-first search, one for rows and one for columns; the sum of the two distances never says too much,
and knows all vertical and all horizontal linear conflicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Matrix = tuple[tuple[int, ...], ...]


class Walking(NamedTuple):
    """The table for one axis."""

    number: dict[tuple[Matrix, int], int]
    step: NDArray[np.int32]  # state × (blank to a lower line, to a higher) × home line → state
    distance: NDArray[np.uint8]


def table(lines: int, length: int, blank: int) -> Walking:
    """Lines of so many cells; the goal's blank is in line `blank`."""
    matrix = tuple(
        tuple((length - (line == blank)) if home == line else 0 for home in range(lines)) for line in range(lines)
    )
    goal = (matrix, blank)
    number, order, distance = {goal: 0}, [goal], [0]
    steps: list[list[int]] = []
    for k, (now, hole) in enumerate(order):  # grows while it is walked
        following = [0] * (2 * lines)
        for direction, line in ((0, hole - 1), (1, hole + 1)):
            if not 0 <= line < lines:
                continue
            for home in range(lines):
                if now[line][home] == 0:
                    continue
                rows = list(now)
                rows[line] = (*now[line][:home], now[line][home] - 1, *now[line][home + 1 :])
                rows[hole] = (*now[hole][:home], now[hole][home] + 1, *now[hole][home + 1 :])
                state = (tuple(rows), line)
                if state not in number:
                    number[state] = len(order)
                    order.append(state)
                    distance.append(distance[k] + 1)
                following[direction * lines + home] = number[state]
        steps.append(following)
    return Walking(number, np.array(steps, np.int32).reshape(-1, 2, lines), np.array(distance, np.uint8))


def state_of(walking: Walking, line_of_cell: Sequence[int], home: Sequence[int], tiles: Sequence[int]) -> int:
    """The state of a board along one axis: each cell's line, each tile's home line, the tiles."""
    lines = walking.step.shape[2]
    matrix = [[0] * lines for _ in range(lines)]
    hole = 0
    for line, tile in zip(line_of_cell, tiles, strict=True):
        if tile == 0:
            hole = line
        else:
            matrix[line][home[tile]] += 1
    return walking.number[tuple(map(tuple, matrix)), hole]
