"""Boards up to turning, against brute force and Burnside's lemma for every shape to 4×4."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tablero as tb
from tablero.edges import checking, count
from tablero.edges.board import Board
from tablero.edges.methods import COMPLETE, Plan
from tablero.edges.puzzle import EdgePuzzle
from tablero.edges.turns import Sifted, symmetries, turns_of
from tablero.families import resume
from tablero.runs import jobs

SHAPES = [("square", f"{r}x{c}") for r in range(1, 5) for c in range(1, 5)]
SHAPES += [("triangle", str(n)) for n in range(1, 5)] + [("hexagon", "1"), ("hexagon", "2")]


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))


# Brute force, on points of the plane: it knows the outlines of cells and nothing else of the room.

Turned = list[dict[tuple[int, int], tuple[int, int]]]


def turns_of_the_plane(board: Board) -> Turned:
    """For every turn of the plane that maps the board onto itself, where each side of each cell goes."""
    side_at = {}
    corners = [board.outline(cell) for cell in range(board.cells)]
    points = [point for cell in corners for point in cell]
    centre = complex((max(x for x, _ in points) + min(x for x, _ in points)) / 2, 0)
    if board.shape == "triangle":
        centre += 1j * board.rows * math.sqrt(3) / 3  # two thirds from the top
    else:
        centre += 1j * (max(y for _, y in points) + min(y for _, y in points)) / 2
    for cell, outline in enumerate(corners):
        middle = sum(complex(*point) for point in outline) / len(outline)
        for side in range(len(outline)):
            a, b = complex(*outline[side]), complex(*outline[(side + 1) % len(outline)])
            side_at[cell, side] = (a + b) / 2 * 0.9 + middle * 0.1 - centre

    def find(where: complex) -> tuple[int, int] | None:
        return next((side for side, point in side_at.items() if abs(point - where) < 1e-6), None)

    found = []
    for k in range(12):
        turned = {side: find(point * np.exp(2j * np.pi * k / 12)) for side, point in side_at.items()}
        if None not in turned.values():
            found.append({side: goal for side, goal in turned.items() if goal is not None})
    return found


Looks = tuple[tuple[int, tuple[int, ...]], ...]  # piece and what it shows, cell by cell


def all_boards(puzzle: EdgePuzzle) -> set[Looks]:
    """Every solution, by laying pieces cell after cell; turns that look alike are one."""
    board, sides = puzzle.board, puzzle.sides
    touching, _ = checking.touching(board)
    earlier: dict[int, list[tuple[int, int, int]]] = {cell: [] for cell in range(board.cells)}
    outside = {(c, s) for c in range(board.cells) for s in range(sides)} - {side for join in touching for side in join}
    for (a, s), (b, t) in touching:
        late, mine, early, yours = (a, s, b, t) if a > b else (b, t, a, s)
        earlier[late].append((mine, early, yours))
    clue = {c.cell: (c.piece, tuple(np.roll(puzzle.pieces[c.piece], c.turn).tolist())) for c in puzzle.clues}
    rows = [tuple(row) for row in puzzle.pieces.tolist()]
    looks = [{row[k:] + row[:k] for k in range(sides if puzzle.turning else 1)} for row in rows]
    found: set[Looks] = set()

    def lay(cell: int, done: list[tuple[int, tuple[int, ...]]]) -> None:
        if cell == board.cells:
            found.add(tuple(done))
            return
        for piece in set(range(board.cells)) - {piece for piece, _ in done}:
            for look in looks[piece]:
                if any(done[early][1][yours] != look[mine] for mine, early, yours in earlier[cell]):
                    continue
                if puzzle.border and any((look[s] == 0) != ((cell, s) in outside) for s in range(sides)):
                    continue
                if cell not in clue or clue[cell] == (piece, look):
                    lay(cell + 1, [*done, (piece, look)])

    lay(0, [])
    return found


def turned_board(board: Looks, turn: dict[tuple[int, int], tuple[int, int]]) -> Looks:
    sides = len(board[0][1])
    piece: dict[int, int] = {}
    shown: dict[tuple[int, int], int] = {}
    for (cell, side), goal in turn.items():
        piece[goal[0]] = board[cell][0]
        shown[goal] = board[cell][1][side]
    return tuple((piece[cell], tuple(shown[cell, s] for s in range(sides))) for cell in range(len(board)))


def classes(boards: set[Looks], turns: Turned) -> int:
    """How many boards there are up to the turns that map the set of boards onto itself, by Burnside's lemma."""
    group = [turn for turn in turns if {turned_board(board, turn) for board in boards} == boards]
    fixed = sum(turned_board(board, turn) == board for turn in group for board in boards)
    assert fixed % len(group) == 0
    return fixed // len(group)


def some_puzzle(shape: str, size: str, kind: int, seed: int) -> EdgePuzzle:
    """With a border and without, with turning and without; so many colours that brute force comes to an end."""
    board = Board.parse(size, shape)
    border, turning = kind % 2 == 0, kind != 3
    rim = int(board.border.any(axis=1).sum()) if border else 0
    ways = math.lgamma(board.cells - rim + 1) + (board.cells - rim) * math.log(board.sides) + math.lgamma(rim + 1)
    colours = math.ceil(
        (1 if board.cells < 8 else 3 if board.cells < 16 else 4)
        * math.exp(max(0.0, ways - 6) / max(1, len(board.joins)))
    )
    draw = random.Random(seed)
    joins, outside = checking.touching(board)
    shown = [[0] * board.sides for _ in range(board.cells)]
    for cell, side in outside if not border else []:
        shown[cell][side] = draw.randint(1, colours)
    for (a, s), (b, t) in joins:
        shown[a][s] = shown[b][t] = draw.randint(1, colours)
    turned = [row[k:] + row[:k] for row in shown for k in [draw.randrange(board.sides) if turning else 0]]
    draw.shuffle(turned)
    return EdgePuzzle(turned, board, border=border, turning=turning)


@pytest.mark.parametrize(("shape", "size"), SHAPES)
def test_turns_are_those_of_the_plane(shape: str, size: str) -> None:
    board = Board.parse(size, shape)
    expected = {tuple(turn.items()) for turn in turns_of_the_plane(board)}
    sides = [(cell, side) for cell in range(board.cells) for side in range(board.sides)]
    ours = {tuple(((c, s), (turn.cell[c], (s + turn.by) % board.sides)) for c, s in sides) for turn in turns_of(board)}
    theirs = {tuple(zip(sides, images, strict=True)) for images in checking.turned_sides(board)}
    assert ours == theirs == expected
    assert turns_of(board)[0].cell == tuple(range(board.cells))


@pytest.mark.parametrize(("shape", "size"), SHAPES)
def test_counts_up_to_turning_are_those_of_burnside(shape: str, size: str) -> None:
    for kind, seed in itertools.product(range(4), range(2)):
        puzzle = some_puzzle(shape, size, kind, seed)
        boards = all_boards(puzzle)
        assert puzzle.count().solutions == len(boards)
        turns = turns_of_the_plane(puzzle.board)
        group = symmetries(puzzle)
        if puzzle.turning:
            assert len(group) == len(turns)
            expected = classes(boards, turns)
        else:  # pieces must look the same turned, which boards alone cannot tell
            looks_same = [
                turn for turn, ours in zip(turns, turns_of(puzzle.board), strict=True)
                if (np.roll(puzzle.pieces, ours.by, axis=1) == puzzle.pieces).all()
            ]  # fmt: skip
            expected = classes(boards, looks_same)
        for method in ("fewest", "scan"):
            found = puzzle.solve(None, up_to_turning=True, method=method)
            assert found.solutions == puzzle.count(up_to_turning=True, method=method).solutions == expected, (
                kind,
                seed,
                method,
            )
            reported = {
                tuple((v // puzzle.sides, tuple(puzzle.turned[v].tolist())) for v in row) for row in found.layings
            }
            assert len(reported) == expected
            assert {turned_board(board, turn) for board in reported for turn in turns} >= boards or not puzzle.turning


ALIKE: list[tuple[str, int, Sequence[tuple[int, ...]]]] = [
    # Pieces that look the same after half a turn: on the centre cell they tell no turns apart.
    ("3", 4, [(a, b, a, b) for a in (1, 2, 3) for b in (1, 2, 4)]),
    ("3x1", 4, [(1, 1, 1, 1), (1, 2, 1, 2), (1, 3, 1, 3)]),
    ("1x5", 4, [(1, 1, 1, 1)] * 5),
    ("3", 4, [(1, 1, 1, 1)] * 4 + [(1, 2, 1, 2)] * 5),
    ("2", 3, [(1, 1, 1), (1, 1, 1), (2, 2, 2), (1, 1, 1)]),
    ("2", 6, [(1, 2, 1, 2, 1, 2)] * 3 + [(1, 1, 1, 1, 1, 1)] * 4),
]


@pytest.mark.parametrize("turning", [True, False])
@pytest.mark.parametrize(("size", "sides", "pieces"), ALIKE)
def test_pieces_that_look_the_same_turned(
    size: str, sides: int, pieces: Sequence[tuple[int, ...]], turning: bool
) -> None:
    puzzle = EdgePuzzle(pieces, size, border=False, turning=turning)
    boards = all_boards(puzzle)
    turns = turns_of_the_plane(puzzle.board)
    expected = classes(boards, turns) if boards else 0
    everything = puzzle.solve(None).solutions
    assert everything == len(boards)
    assert everything % len(symmetries(puzzle)) == 0
    if turning:
        assert expected == everything // len(symmetries(puzzle))
    once = everything // len(symmetries(puzzle))
    for method in COMPLETE:
        if method != "frame":
            assert puzzle.count(up_to_turning=True, method=method).solutions == once, method
            assert puzzle.solve(None, up_to_turning=True, method=method).solutions == once, method


def test_a_clue_in_the_centre_leaves_the_turns_that_it_bears() -> None:
    pieces = [
        (1, 1, 1, 1),
        (1, 2, 1, 2),
        *[(a, b, 1, 1) for a in (1, 2) for b in (1, 2)],
        (1, 1, 3, 2),
        (2, 2, 2, 2),
        (1, 1, 1, 2),
    ]
    for piece, look, bears in ((0, 0, 4), (1, 0, 2), (8, 3, 1)):
        puzzle = EdgePuzzle(pieces, 3, border=False, clues=[(4, piece, look)])
        assert len(symmetries(puzzle)) == bears
        everything = len(all_boards(puzzle))
        assert everything > 0
        assert puzzle.count().solutions == everything
        assert puzzle.count(up_to_turning=True).solutions * bears == everything
    off = EdgePuzzle(pieces, 3, border=False, clues=[(0, 0, 0)])
    assert len(symmetries(off)) == 1


def test_sifted_trees_are_cut_anywhere() -> None:
    puzzle = EdgePuzzle(ALIKE[0][2], 3, border=False).up_to_turning()
    assert puzzle is not None
    assert puzzle.homes is None
    one = puzzle.solve(None, method="fewest")
    assert isinstance(Plan("fewest").search(puzzle)[0], Sifted)
    two = puzzle.solve(None, method="fewest", run=tb.Here(threads=2))
    job = puzzle.solve(None, method="fewest", run=tb.Job("sifted", node_limit=100))
    assert job.status == "open"
    rest = puzzle.solve(None, method="fewest", run=tb.Job("sifted"))
    assert one.answers == two.answers == rest.answers
    assert one.nodes == two.nodes == rest.nodes


def test_the_rule_is_kept_in_jobs_and_files() -> None:
    puzzle = tb.edges.generate("3x5", colours=3, seed=2)
    assert (puzzle.count().solutions, puzzle.count(up_to_turning=True).solutions) == (80, 40)
    assert count(puzzle, up_to_turning=True, method="scan", run=tb.Job("turned", node_limit=200)).status == "open"
    info = jobs.describe("turned").info
    assert info is not None
    with jobs.resuming("turned") as store:
        assert resume(store, tb.Job("turned")).solutions == 40
    once = puzzle.up_to_turning()
    assert once is not None
    again = tb.edges.parse(tb.edges.write(once))
    assert again.once
    assert again.count().solutions == 40
    assert again.up_to_turning() is None


@pytest.mark.parametrize(
    ("shape", "size"), [("square", "2"), ("square", "3"), ("square", "5"), ("triangle", "2"), ("hexagon", "2")]
)
def test_a_board_with_a_border_has_a_corner_fixed(shape: Any, size: str) -> None:
    puzzle = tb.edges.generate(size, colours=2, shape=shape, seed=4)
    fixed = puzzle.up_to_turning()
    assert fixed is not None
    assert not fixed.once
    first = int(puzzle.fits(0)[0])
    assert fixed.clues == ((0, first // puzzle.sides, first % puzzle.sides),)


@pytest.mark.parametrize("method", ["fewest", "scan", "xcc", "cover1"])
def test_one_cell_with_its_piece_given(method: Any) -> None:
    for sides, border in (("1 1 1 1", "none"), ("1 2 1 2", "none"), ("0 0 0 0", "0")):
        puzzle = tb.edges.parse(f"size 1x1\nborder {border}\n{sides}\nclue r1c1 1 0\n")
        assert puzzle.solve(method=method).solutions == 1
        assert puzzle.count(method=method, up_to_turning=True).solutions == 1
