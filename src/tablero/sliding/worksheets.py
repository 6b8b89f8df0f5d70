"""Worksheets: boards to put in order, each with the length of a shortest answer; the answers are at the end."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import numpy as np

from tablero.draw.scene import Rect, Scene, Shape, Text
from tablero.draw.sheet import Task, Worksheet, various
from tablero.errors import BadInput
from tablero.sliding.constructive import distances, permutations
from tablero.sliding.draw import scene
from tablero.sliding.formats import rows_and_columns
from tablero.sliding.generating import generate
from tablero.sliding.kernels.construct import UNREACHED
from tablero.sliding.puzzle import Board, named_goal
from tablero.sliding.solution import Solution
from tablero.text import several

MOST_CELLS = 16  # larger boards have no quick shortest answers
MOST_RANDOM = 12  # cells of random boards that are no squares; these have no pattern databases
MOST_KNOWN = 9  # cells of boards with a table of all positions
_TRIES = 500  # walks for each board with a given number of moves
_A_LINE = 8  # tiles in a line of an answer


def worksheet(
    size: int | str | Sequence[int],
    *,
    moves: int | None,
    count: int,
    seed: int,
    title: str,
    per_page: int,
) -> Worksheet:
    """A sheet of `count` boards, random or with a given length of a shortest answer."""
    rows, columns = rows_and_columns(size)
    if not (rows >= 2 and columns >= 2 and rows * columns <= MOST_CELLS):
        raise BadInput(f"a board of {rows}×{columns} on a worksheet: expected 2×2 to 4×4, at most {MOST_CELLS} cells")
    if moves is None and rows * columns > MOST_RANDOM and rows != columns:
        raise BadInput(f"random boards of {rows}×{columns} may take hours to solve: give a number of moves, 1 to 40")
    if moves is None:
        tasks = various(lambda number: _task(generate(rows, columns, seed=number)), count, seed)
    elif rows * columns <= MOST_KNOWN:
        tasks = [_task(board) for board in known(rows, columns, moves, count, seed)]
    else:
        tasks = various(lambda number: _task(_within(rows, columns, moves, number)), count, seed)
    head = title or "Slide the tiles into order in as few moves as you can"
    return Worksheet(tasks, head, per_page=per_page, wanted=count)


def known(rows: int, columns: int, moves: int, count: int, seed: int) -> list[Board]:
    """Boards at exactly this distance from the goal: `count` of them, or all if there are fewer."""
    table = distances(rows, columns)
    numbers = np.flatnonzero(table == moves)
    if not len(numbers):
        farthest = int(table[table != UNREACHED].max())
        raise BadInput(f"no board of {rows}×{columns} takes {moves} moves: expected at most {farthest}")
    shuffled = np.random.default_rng([rows, columns, moves]).permutation(numbers)
    chosen = [shuffled[(seed * count + k) % len(shuffled)] for k in range(min(count, len(shuffled)))]
    goal = named_goal("blank-last", rows, columns)
    return [Board(rows, columns, tuple(row), goal) for row in permutations(rows * columns)[chosen].tolist()]


def _within(rows: int, columns: int, moves: int, seed: int) -> Board:
    """A board whose shortest answer has exactly `moves` moves: the end of a walk from the goal without detours."""
    rng = random.Random(seed)
    for _ in range(_TRIES):
        board = Board(rows, columns, _walk(rows, columns, moves, rng), named_goal("blank-last", rows, columns))
        if len(_shortest(board)) == moves:
            return board
    raise BadInput(f"{_TRIES} walks found no board of {rows}×{columns} that takes {moves} moves: expected fewer moves")


def _walk(rows: int, columns: int, moves: int, rng: random.Random) -> tuple[int, ...]:
    tiles, before = list(named_goal("blank-last", rows, columns)), -1
    for _ in range(moves):
        hole = tiles.index(0)
        row, column = divmod(hole, columns)
        around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        free = [r * columns + c for r, c in around if 0 <= r < rows and 0 <= c < columns]
        there = rng.choice([cell for cell in free if cell != before] or free)
        tiles[hole], tiles[there], before = tiles[there], 0, hole
    return tuple(tiles)


def _shortest(board: Board) -> Solution:
    """A shortest answer.  Ctrl-C ends the whole sheet, not only this search."""
    found = board.solve(method="optimal")
    if found.interrupted:
        raise KeyboardInterrupt
    return found


def _task(board: Board) -> Task:
    found = _shortest(board)
    enough = f"{several(len(found), 'move')} {'is' if len(found) == 1 else 'are'} enough"
    return Task(scene(board), enough, _answer(board, found.moves), board.text, found.moves)


def _answer(board: Board, moves: str) -> Scene:
    """A picture of the tiles in the order in which they slide."""
    slid = list(tiles_of(board, moves))
    lines = [slid[k : k + _A_LINE] for k in range(0, len(slid), _A_LINE)] or [[]]
    shapes: list[Shape] = [Rect(0, 0, _A_LINE + 0.4, len(lines) + 0.4, "#f7f5ef", "#cfcabb", 0.04, 0.2)]
    for row, line in enumerate(lines):
        shapes += [Text(column + 0.7, row + 0.7, str(tile), 0.5) for column, tile in enumerate(line)]
    words = "the tiles in the order in which they slide: " + " ".join(map(str, slid))
    return Scene(_A_LINE + 0.4, len(lines) + 0.4, tuple(shapes), words)


def tiles_of(board: Board, moves: str) -> Iterator[int]:
    """Yield the tile that each move slides."""
    tiles, hole = list(board.tiles), board.blank
    step = {"N": -board.columns, "S": board.columns, "E": 1, "W": -1}
    for way in moves:
        there = hole + step[way]
        yield tiles[there]
        tiles[hole], tiles[there], hole = tiles[there], 0, there
