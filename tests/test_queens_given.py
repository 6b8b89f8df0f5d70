"""Given queens and blocked squares on boards of any side; restarts, starts and giving up; boards as text."""

from __future__ import annotations

import itertools
import json
import pickle
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablero as tb
from tablero.cli import run
from tablero.errors import BadInput
from tablero.queens.annealing import SWAPS, Settings, search_for
from tablero.queens.checking import MOST_PLACED, refuted
from tablero.queens.formats import parse, write
from tablero.queens.kernels.anneal import COST, QueensAnneal, State
from tablero.queens.kernels.ground import Ground
from tablero.queens.kernels.local import QueensLocal
from tablero.queens.puzzle import Queens, Square
from tablero.queens.solving import LOCAL
from tablero.search.base import UNBOUNDED, Orders


def is_solution(puzzle: Queens, columns: Sequence[int]) -> bool:
    """By the definition, and by sets: nothing of the room is used."""
    n = puzzle.n
    queens = set(enumerate(columns))
    lines = [{c for _, c in queens}, {r + c for r, c in queens}, {r - c for r, c in queens}]
    return (
        len(columns) == n
        and all(len(line) == n for line in lines)
        and min(columns) >= 0
        and max(columns) < n
        and queens >= set(puzzle.given)
        and not queens & set(puzzle.blocked)
    )


@pytest.mark.parametrize("method", LOCAL)
@pytest.mark.parametrize(("n", "shown", "barred"), [(25, 6, 40), (60, 20, 300), (500, 50, 5000)])
def test_given_and_blocked_by_local_searches(
    method: Literal["local", "anneal"], n: int, shown: int, barred: int
) -> None:
    puzzle = tb.queens.generate(n, given=shown, blocked=barred, seed=n)
    assert (len(puzzle.given), len(puzzle.blocked)) == (shown, barred)
    found = puzzle.solve(3, method=method, seed=1)
    assert (found.status, found.solutions, found.method) == ("solved", 3, method)
    boards = found.to_list()
    assert all(is_solution(puzzle, columns) for columns in boards)
    assert len({tuple(columns) for columns in boards}) == 3


def test_any_side_and_several_answers() -> None:
    for n, most in ((60, 2), (100, 2), (600, 3)):
        assert len({tuple(board) for board in tb.queens.solve(n, most).to_list()}) == most
    puzzle = Queens(200, ((9, 9),))
    assert is_solution(puzzle, puzzle.solve().to_list()[0])


def test_a_million_with_a_thousand_given() -> None:
    puzzle = tb.queens.generate(1_000_000, given=1000, seed=4)
    found = puzzle.solve()
    assert (found.status, found.method) == ("solved", "local")
    columns, rows = found.columns[0].astype(np.int64), np.arange(1_000_000)
    for line in (columns, rows + columns, rows - columns):
        assert np.diff(np.sort(line)).min() >= 1
    assert all(columns[r] == c for r, c in puzzle.given)


@pytest.mark.parametrize("n", [4, 5, 6, 7])
def test_local_searches_find_what_brute_force_finds(n: int) -> None:
    choose = random.Random(n)
    every = [c for c in itertools.permutations(range(n)) if is_solution(Queens(n), c)]
    for _ in range(12):
        cells = [(r, c) for r in range(n) for c in range(n)]
        marked = choose.sample(cells, choose.randint(1, n + 2))
        puzzle = Queens(n, tuple(marked[:1]), tuple(marked[1:]))
        known = [c for c in every if is_solution(puzzle, c)]
        if refuted(puzzle):
            assert not known
        for method in LOCAL:
            found = puzzle.solve(method=method) if known or refuted(puzzle) else None
            if found is not None:
                assert (found.status == "solved") == bool(known)
                assert all(tuple(board) in known for board in found.to_list())
        assert puzzle.count().solutions == len(known)


def test_what_cannot_be_is_proved_where_exact_search_can() -> None:
    # Queens of 22 are taken to stand on no diagonal but the two longest and the four beside: nothing says so at once.
    n = 22
    blocked = tuple((r, c) for r in range(n) for c in range(n) if min(abs(r - c), abs(r + c - n + 1)) > 1)
    puzzle = Queens(n, (), blocked)
    assert not refuted(puzzle)
    found = puzzle.solve(run=tb.Here(node_limit=10**8))
    assert (found.status, found.method) == ("none", "exact")


def test_what_is_seen_at_once() -> None:
    assert "attack each other" in refuted(Queens(1000, ((0, 0), (9, 9))))
    row = Queens(9, (), tuple((4, c) for c in range(9)))
    assert refuted(row) == "every square of row 5 is blocked or attacked"
    column = Queens(9, ((0, 0),), tuple((r, 4) for r in range(9) if r not in (0, 4)))
    assert refuted(column) == "every square of column 5 is blocked or attacked"
    for puzzle in (row, column):
        assert (puzzle.solve(method="local").status, puzzle.solve(method="exact").status) == ("none", "none")
        assert puzzle.count().solutions == 0
    assert "Pólya" in refuted(Queens(10, torus=True))
    assert tb.queens.count(Queens(30, torus=True)).values()["status"] == "none"
    for n, most in MOST_PLACED.items():
        squares: list[Square] = [(r, c) for r in range(n) for c in range(n)]

        def peaceful(queens: tuple[Square, ...]) -> bool:
            pairs = itertools.combinations(queens, 2)
            return all(a != c and b != d and abs(a - c) != abs(b - d) for (a, b), (c, d) in pairs)

        sizes = [k for k in range(n + 1) if any(map(peaceful, itertools.combinations(squares, k)))]
        assert max(sizes) == most


def test_no_queens_are_set_in_one_way(capfd: pytest.CaptureFixture[str]) -> None:
    assert [tb.queens.count(0, fundamental=fundamental).solutions for fundamental in (False, True)] == [1, 1]
    assert run(["queens", "count", "0", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["solutions"] == 1
    for ask in (Queens(0).solve, Queens(0).anneal):
        with pytest.raises(BadInput, match="0 queens: expected a whole number from 1"):
            ask()


# Annealing


def test_every_run_arrives_and_tells_its_restarts() -> None:
    for n in (4, 5, 6, 7, 8, 10, 12, 16, 24):
        found = tb.queens.anneal(n, runs=100)
        assert found.success == 1.0, n
    small = tb.queens.anneal(12, runs=100)
    assert small.restarts == sum(one["restarts"] for one in small.values()["each"]) > 0


def test_solve_and_anneal_are_the_same_run() -> None:
    solved, annealed = tb.queens.solve(3000, method="anneal", seed=7), tb.queens.anneal(3000, seed=7)
    assert (solved.to_list(), solved.nodes) == (annealed.to_list(), annealed.nodes)


def test_logarithmic_cooling_arrives() -> None:
    for n in (8, 30, 100, 1000):
        assert tb.queens.anneal(n, cooling="logarithmic", runs=10).success == 1.0


def test_a_start_is_where_runs_begin() -> None:
    board = tb.queens.anneal(40, seed=3).to_list()[0]
    again = tb.queens.anneal(40, start=board, seed=8)
    assert (again.to_list(), again.nodes) == ([board], 0)
    board[3], board[17] = board[17], board[3]
    near = tb.queens.anneal(40, start=board, t0=0, runs=3)
    assert near.success == 1.0
    search = search_for(Queens(40), Settings.for_side(40), 1, 1, board)
    assert search.fresh(1).columns.tolist() == board


def test_a_run_that_gives_up_tells_its_best_board() -> None:
    found = tb.queens.anneal(200, seed=5, runs=2, t0=50.0, alpha=0.9999, max_trials=4000)
    lost = found.gave_up
    assert found.status == "open"
    assert lost is not None
    assert (lost.seed, lost.trials, lost.restarts) == (5, 4000, 0)
    columns = lost.best.tolist()
    lines = [{r + c for r, c in enumerate(columns)}, {r - c for r, c in enumerate(columns)}]
    assert sorted(columns) == list(range(200))
    assert 2 * 200 - sum(map(len, lines)) == lost.best_cost < lost.cost
    reported = found.values()["gave_up"]
    assert (reported["best_cost"], reported["best"]) == (lost.best_cost, columns)
    anew = tb.queens.anneal(12, seed=4, max_stall=20, restarts=3, max_trials=90)
    assert anew.gave_up is None or anew.gave_up.best_cost <= anew.gave_up.cost


def test_the_grid_with_several_stalls() -> None:
    found = tb.queens.tune(12, grid=True, max_stall=(5, 500), runs=2)
    assert (len(found.tried), {one.max_stall for one in found.tried}) == (2 * 96, {5, 500})
    patient = [one.success for one in found.tried if one.max_stall == 500]
    hasty = [one.success for one in found.tried if one.max_stall == 5]
    assert sum(patient) > sum(hasty)
    with pytest.raises(BadInput, match="max_stall: 2 values: expected one, or several with the grid"):
        tb.queens.tune(12, max_stall=(5, 500))


@pytest.mark.parametrize("swap", SWAPS)
def test_the_books_with_given_and_blocked(swap: str) -> None:
    puzzle = tb.queens.generate(30, given=5, blocked=200, seed=2)
    settings = Settings.for_side(30, swap=swap)
    search = search_for(puzzle, settings, 9, 1)
    state, stop = search.fresh(9), np.zeros(1, np.uint8)
    ended = False
    while not ended:
        _, ended = search.step(state, 50, stop)
        if state.ready:
            row, column = np.arange(30), state.columns
            crowds = [np.bincount(row + column), np.bincount(row - column + 30)]
            taken = sum((r, c) in puzzle.blocked for r, c in enumerate(column.tolist()))
            assert state.numbers[COST] == sum(int(np.maximum(crowd - 1, 0).sum()) for crowd in crowds) + taken
            assert all(column[r] == c for r, c in puzzle.given)
    assert is_solution(puzzle, state.columns.tolist())


def test_a_local_search_with_nobody_to_move_ends() -> None:
    board = tb.queens.solve(8).to_list()[0]
    whole = Queens(8, tuple(enumerate(board)))
    for method in LOCAL:
        assert whole.solve(method=method).to_list() == [board]
    barred = Queens(8, whole.given[1:], (whole.given[0],))
    assert barred.solve(method="exact").status == barred.solve(method="local").status == "none"
    search = QueensLocal((1,), 8, barred.given, ((0, board[0] - 1 if board[0] else 1),), 500)
    state, stop = search.fresh(1), np.zeros(1, np.uint8)
    while not search.step(state, 100, stop)[1]:
        pass


def test_a_search_in_memory_is_not_written_down() -> None:
    search = QueensAnneal((1,), 3000, Settings.for_side(3000).schedule())
    (start,) = search.starts()
    stop, bound = np.zeros(1, np.uint8), np.full(1, UNBOUNDED, np.int64)
    live = search.advance(start, Orders(9, nodes=100, live=True), stop, bound)
    assert live.rest is not None
    assert len(live.rest) < 20
    written = search.advance(start, Orders(9, nodes=100), stop, bound)
    assert written.rest is not None
    assert len(written.rest) > 3000
    ends = [search.advance(rest, Orders(9, live=True), stop, bound) for rest in (live.rest, written.rest)]
    assert (ends[0].answers[0, 4:] == ends[1].answers[0, 4:]).all()
    assert pickle.loads(pickle.dumps(search)).digest() == search.digest()


def test_a_large_board_is_made_bit_by_bit() -> None:
    """So that a limit is met at once: no step takes longer for a larger board."""
    n = 200_000
    search = QueensAnneal((1,), n, Settings.for_side(n).schedule())
    state, stop = search.fresh(1), np.zeros(1, np.uint8)
    steps = 0
    while not state.ready:
        search.step(state, 0, stop)
        steps += 1
    assert steps >= 3 * n // 2**16
    assert sorted(state.columns.tolist()) == list(range(n))
    assert isinstance(state, State)


def test_a_limit_stops_before_the_search_is_under_way() -> None:
    began = time.process_time()
    found = tb.queens.anneal(3_000_000, run=tb.Here(node_limit=1))
    assert (found.status, found.gave_up) == ("open", None)
    assert found.nodes == 1
    assert time.process_time() > began


def test_the_ground_of_a_puzzle() -> None:
    ground = Ground.of(6, ((1, 4), (5, 0)), ((0, 2), (0, 3), (4, 4)))
    assert ground.free.tolist() == [0, 2, 3, 4]
    assert ground.base.tolist() == [1, 4, 2, 3, 5, 0]
    assert ground.on_blocked(np.array([2, 4, 1, 3, 4, 0], np.int32)).tolist() == [
        True,
        False,
        False,
        False,
        True,
        False,
    ]
    assert Ground.of(6).digest() == ""


# Boards as text


@given(st.integers(1, 12), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_what_is_written_is_read(n: int, choose: random.Random) -> None:
    cells = choose.sample([(r, c) for r in range(n) for c in range(n)], choose.randint(0, n))
    puzzle = Queens(n, tuple(cells[::2]), tuple(cells[1::2]))
    assert parse(write(puzzle)) == parse(str(puzzle)) == puzzle


@given(st.text(alphabet="Qx. \n♛·×7-r", max_size=60))
@settings(max_examples=200)
def test_any_text_is_a_board_or_refused(text: str) -> None:
    try:
        puzzle = parse(text)
    except BadInput:
        return
    assert parse(write(puzzle)) == puzzle


def test_boards_from_files(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.txt"
    path.write_text(". Q . .\n. . . .\n. . . .\n. . x .\n", encoding="utf-8")
    assert tb.queens.read(path) == Queens(4, ((0, 1),), ((3, 2),))
    assert run(["queens", "solve", str(path)]) == 1
    assert run(["queens", "count", str(path), "--json"]) == 1
    path.write_text(".Q..\n....\n....\n....\n", encoding="utf-8")
    capfd.readouterr()
    assert run(["queens", "solve", str(path), "-q"]) == 0
    assert capfd.readouterr().out == "1 3 0 2\n"
    squares = tmp_path / "given.txt"
    squares.write_text("r1c2\nr2c4\n", encoding="utf-8")
    assert run(["queens", "solve", "4", "--given", str(squares), "-q"]) == 0
    assert capfd.readouterr().out == "1 3 0 2\n"
    for words in ("1 3 0 2", ".Q..\n...Q\nQ...\n..Q.\n"):
        path.write_text(words, encoding="utf-8")
        assert run(["queens", "anneal", "4", "--start", str(path), "--json"]) == 0
        assert json.loads(capfd.readouterr().out)["nodes"] == 0
    path.write_text(tb.queens.write(Queens(4, ((0, 1),))), encoding="utf-8")
    assert tb.queens.read(path) == Queens(4, ((0, 1),))
    with pytest.raises(BadInput, match="expected 1 queen, or 4 and more"):
        tb.queens.generate(3)


def test_white_queens_have_an_outline() -> None:
    picture = ElementTree.fromstring(str(tb.queens.armies(4)._repr_svg_()))
    lined = [shape for shape in picture.iter() if shape.tag.endswith("polygon") and shape.get("stroke")]
    assert len(lined) == 2


def test_further_seeds_are_tried_where_a_run_gave_up() -> None:
    """Two of a small completion: runs of a local search end in the same board, or in none."""
    blocked = ((4, 6), (0, 3), (3, 4), (5, 4), (5, 3))
    puzzle = Queens(7, ((1, 2),), blocked)
    for method in LOCAL:
        for seed in range(5):
            found = puzzle.solve(2, method=method, seed=seed)
            assert (found.status, found.solutions) == ("solved", 2), (method, seed)
            assert all(is_solution(puzzle, columns) for columns in found.to_list())
    assert puzzle.count().solutions == 2
    assert puzzle.solve(3, method="anneal").status == "complete"  # by the exact search


def test_small_boards_are_all_found_whatever_the_method() -> None:
    for method in LOCAL:
        every = tb.queens.solve(8, 92, method=method)
        assert (every.status, every.solutions, len({tuple(board) for board in every.to_list()})) == ("solved", 92, 92)
    beyond = tb.queens.solve(6, 5, method="local")
    assert (beyond.status, beyond.solutions) == ("complete", 4)


def test_what_local_runs_left_open_is_not_told_as_a_part(capfd: pytest.CaptureFixture[str]) -> None:
    # One way to go on, and too large a board for the exact search to step in.
    given = ",".join(f"r{r + 1}c{c + 1}" for r, c in tb.queens.generate(24, given=22, seed=1).given)
    words = ["queens", "solve", "24", "--given", given, "-n", "2", "--method", "local"]
    assert run(words) == 3
    reported = capfd.readouterr().err
    assert "1 different solution; the runs of local gave up, there may be more" in reported
    assert "%" not in reported
    assert run([*words, "--time-limit", "0.5s", "-q"]) == 3  # it goes on until then
    capfd.readouterr()
    assert run(["queens", "anneal", "8", "--start", ""]) == 2
    assert "--start '': expected a file, or the columns" in capfd.readouterr().err


@pytest.mark.parametrize("method", ["auto", "exact", "local", "construct"])
def test_every_method_tells_the_most_that_can_stand(method: str, capfd: pytest.CaptureFixture[str]) -> None:
    for n, most in MOST_PLACED.items():
        assert run(["queens", "solve", str(n), "--method", method]) == 1
        assert f"it holds at most {most} queen" in capfd.readouterr().err


def test_an_option_without_squares_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    for option in ("--given", "--blocked"):
        assert run(["queens", "solve", "8", option, ""]) == 2
        assert f"{option} '': no squares in it" in capfd.readouterr().err
    assert run(["queens", "count", "0", "--quiet"]) == 0
