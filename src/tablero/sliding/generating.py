"""Boards by seed."""

from __future__ import annotations

import random as random_numbers
from collections.abc import Sequence

from tablero.errors import BadInput
from tablero.sliding.formats import parse, rows_and_columns
from tablero.sliding.puzzle import Board, Boards, check_sides, named_goal


def generate(
    rows: int, columns: int | None = None, *, goal: str | Sequence[int] = "blank-last", seed: int = 0
) -> Board:
    """A board that can be solved, each as likely as any other; the same for the same seed."""
    columns = rows if columns is None else columns
    check_sides(rows, columns)
    if seed < 0:  # Python's generator takes a number for its negative
        raise BadInput(f"the seed {seed}: expected a number from 0")
    end = named_goal(goal, rows, columns) if isinstance(goal, str) else tuple(goal)
    tiles = list(range(rows * columns))
    random_numbers.Random(seed).shuffle(tiles)
    board = Board(rows, columns, tuple(tiles), end)
    if board.solvable:
        return board
    first, second = [cell for cell, tile in enumerate(tiles) if tile][:2]  # one exchange of tiles turns the parity
    tiles[first], tiles[second] = tiles[second], tiles[first]
    return Board(rows, columns, tuple(tiles), end)


def random(size: int | str | Sequence[int], *, number: int, goal: str, seed: int) -> Boards:
    """So many boards, from seeds that follow one another."""
    rows, columns = rows_and_columns(size)
    end = goal if goal.startswith("blank-") else parse(goal, "the goal").tiles
    return Boards(tuple(generate(rows, columns, goal=end, seed=seed + k) for k in range(number)))
