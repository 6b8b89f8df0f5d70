"""Generates boards by seed."""

from __future__ import annotations

import random as random_numbers
from collections.abc import Sequence

from tablero.errors import BadInput
from tablero.sliding.formats import parse, rows_and_columns
from tablero.sliding.puzzle import Board, Boards, check_sides, named_goal


def generate(
    rows: int, columns: int | None = None, *, goal: str | Sequence[int] = "blank-last", seed: int = 0
) -> Board:
    """Generate a random solvable board.

    Parameters
    ----------
    rows, columns
        The sides; without columns the board is a square.
    goal
        "blank-last", "blank-first", or the tiles of the goal row by row.
    seed
        The same seed gives the same board.

    Returns
    -------
    Board
        A solvable board; all are equally likely.

    Raises
    ------
    BadInput
        A side or the goal is not possible.

    Examples
    --------
    >>> from tablero import sliding
    >>> sliding.generate(3, seed=1).solvable
    True
    """
    columns = rows if columns is None else columns
    check_sides(rows, columns)
    if seed < 0:  # Python's generator treats a number and its negative alike
        raise BadInput(f"the seed {seed}: expected a number from 0")
    end = named_goal(goal, rows, columns) if isinstance(goal, str) else tuple(goal)
    tiles = list(range(rows * columns))
    random_numbers.Random(seed).shuffle(tiles)
    board = Board(rows, columns, tuple(tiles), end)
    if board.solvable:
        return board
    first, second = [cell for cell, tile in enumerate(tiles) if tile][:2]  # exchanging two tiles changes the parity
    tiles[first], tiles[second] = tiles[second], tiles[first]
    return Board(rows, columns, tuple(tiles), end)


def random(size: int | str | Sequence[int], *, number: int, goal: str, seed: int) -> Boards:
    """Generate boards from consecutive seeds."""
    rows, columns = rows_and_columns(size)
    end = goal if goal.startswith("blank-") else parse(goal, "the goal").tiles
    return Boards(tuple(generate(rows, columns, goal=end, seed=seed + k) for k in range(number)))
