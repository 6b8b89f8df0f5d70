"""The kernels of Sudoku: known counts, another way to the same answers, slices and splits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablero.runs.coordinator import run
from tablero.runs.engines import Threads
from tablero.search.base import UNBOUNDED, Orders
from tablero.sudoku import Layout, Sudoku, checking, parse
from tablero.sudoku.generating import Options, batches, generate_many
from tablero.sudoku.kernels.search import BandSearch, solve_many
from tablero.sudoku.puzzle import to_line
from tablero.sudoku.solving import model_for, to_cover

FULL = parse("251836794687194532394275861763921458925648173418357629842763915536419287179582346")
NO_STOP, NO_BOUND = np.zeros(1, np.uint8), np.full(1, UNBOUNDED)


def holes(cells: int, seed: int) -> Sudoku:
    """The full board with so many cells emptied."""
    empty = np.random.default_rng(seed).choice(81, size=cells, replace=False)
    return Sudoku(tuple(0 if k in empty else digit for k, digit in enumerate(FULL.cells)))


def by_cover(puzzle: Sudoku) -> int:
    return to_cover(puzzle)[0].count(kernel="bits").solutions


@pytest.mark.parametrize(("side", "boards"), [(4, 288), (6, 28_200_960)])
def test_the_number_of_all_boards(side: int, boards: int) -> None:
    """The literature's counts of full boards; 6×6 by one first row, which stands for 6! of them."""
    first = tuple(range(1, side + 1)) if side == 6 else (0,) * side
    puzzle = Sudoku(first + (0,) * (side * side - side), Layout(side))
    assert puzzle.count().solutions * (720 if side == 6 else 1) == boards


@pytest.mark.parametrize("cells", [30, 45, 52, 54])
def test_counts_agree_with_exact_covers(cells: int) -> None:
    for seed in range(8):
        puzzle = holes(cells, seed)
        assert puzzle.count(100_000).solutions == min(100_000, by_cover(puzzle))


@settings(max_examples=60)
@given(st.integers(1, 30), st.integers(0, 10**9), st.integers(1, 9))
def test_any_clues_at_all(cells: int, seed: int, limit: int) -> None:
    """Random digits in random cells, most of them without a solution or against the rules."""
    luck = np.random.default_rng(seed)
    board = np.zeros(81, np.uint8)
    board[luck.choice(81, size=cells, replace=False)] = luck.integers(1, 10, size=cells)
    _, counts = solve_many(board[None, :], limit)
    try:
        puzzle = Sudoku(tuple(board.tolist()))
    except ValueError:
        assert counts[0] == 0
    else:
        assert counts[0] == min(limit, to_cover(puzzle)[0].solve(limit, kernel="bits").solutions)


def test_threads_slices_and_splits_make_no_difference() -> None:
    puzzle = holes(52, 4)
    search = BandSearch(np.array(puzzle.cells, np.uint8))
    whole = run(search)
    assert whole.solutions == by_cover(puzzle) > 100
    for threads in (2, 4):
        engine = Threads(threads)
        again = run(search, engine=engine)
        engine.close()
        assert (again.nodes, again.fraction) == (whole.nodes, 1)
        assert (again.answers == whole.answers).all()
    todo, nodes, found = search.starts(), 0, []
    luck = np.random.default_rng(1)
    while todo:
        state = todo.pop(0)
        outcome = search.advance(state, Orders(0.0, most=int(luck.integers(1, 20))), NO_STOP, NO_BOUND)
        nodes += outcome.nodes
        found += [to_line(row) for row in outcome.answers.tolist()]
        if outcome.rest is not None:
            todo += search.divide(outcome.rest, int(luck.integers(1, 4)))
    assert nodes == whole.nodes
    assert sorted(found) == sorted(to_line(row) for row in whole.answers.tolist())


def test_a_cursor_of_another_puzzle_is_refused() -> None:
    one = BandSearch(np.array(holes(50, 3).cells, np.uint8))
    rest = one.advance(one.starts()[0], Orders(0.0, most=3), NO_STOP, NO_BOUND).rest
    assert rest is not None
    with pytest.raises(ValueError, match="does not fit"):
        BandSearch(np.array(FULL.cells, np.uint8)).advance(rest, Orders(1.0), NO_STOP, NO_BOUND)


def test_a_raised_flag_stops_a_batch() -> None:
    answers, counts = solve_many(np.zeros((5, 81), np.uint8), 10, stop=np.ones(1, np.uint8))
    assert (counts == -1).all()
    assert not answers.any()


def test_batches_on_threads_are_those_of_one() -> None:
    options = Options(minimal=True)
    one = np.concatenate(list(batches(500, options, 7)))
    two = np.concatenate(list(batches(500, options, 7, threads=2)))
    assert (one == two).all()
    answers, counts = solve_many(one, 2, threads=2)
    assert (counts == 1).all()
    assert checking.first_fault(Layout(), one, answers) is None
    answers[17, 40] = answers[17, 41]
    assert checking.first_fault(Layout(), one, answers) is not None


def test_minimal_puzzles_are_minimal() -> None:
    boards = next(batches(200, Options(minimal=True), 3))
    assert (solve_many(boards, 2)[1] == 1).all()
    for board in boards[:40]:
        clues = np.flatnonzero(board)
        without = np.repeat(board[None, :], len(clues), axis=0)
        without[np.arange(len(clues)), clues] = 0
        assert (solve_many(without, 2)[1] == 2).all()


@pytest.mark.parametrize(
    "options",
    [Options(4), Options(6), Options(12), Options(16), Options(25), Options(kind="x"), Options(kind="jigsaw")],
)
def test_the_two_searches_of_other_boards_agree(options: Options) -> None:
    """Puzzles are made by the search over cells, and solved as exact covers."""
    for puzzle in generate_many(2, options, seed=4):
        found = puzzle.solve()
        assert found.unique
        assert checking.fault(puzzle, found.boards[0]) is None


def test_cages_are_counted_right() -> None:
    """A 4×4 killer against all 288 boards."""
    (puzzle,) = generate_many(1, Options(4, "killer"), seed=3)
    boards = model_for(Sudoku((0,) * 16, Layout(4)))
    every = [tuple(row) for row in boards.decode(run(boards.search).answers).tolist()]
    assert len(every) == 288
    for cages in range(len(puzzle.layout.cages) + 1):
        part = Sudoku(puzzle.cells, Layout(4, cages=puzzle.layout.cages[:cages]))
        assert part.count().solutions == sum(checking.fault(part, board) is None for board in every)
