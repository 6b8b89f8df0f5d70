"""One puzzle in plain Python: the same answers as the kernel's, and nothing heavy is loaded for it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablero.runs.run import HERE, Here
from tablero.sudoku import Options, Sudoku, checking, generate_many, parse, plain
from tablero.sudoku.examples import EXAMPLES
from tablero.sudoku.kernels.search import solve_many

# The puzzles that the positions of the examples belong to
PUZZLES = {name: re.sub(r"\+\d", ".", line.split(":")[3]) for name, line in EXAMPLES.items()}
FULL = parse("251836794687194532394275861763921458925648173418357629842763915536419287179582346")
HOPELESS = "12345678." + "........9" + "." * 63
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."  # hundreds of nodes

room = import_module("tablero.sudoku.solving")


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has not loaded the kernel."""
    monkeypatch.setattr(room, "_KERNEL", "not.loaded")
    monkeypatch.setattr(room, "_plain_nodes", 1_000_000)


def holes(cells: int, seed: int) -> Sudoku:
    """A full board with so many cells emptied."""
    empty = np.random.default_rng(seed).choice(81, size=cells, replace=False)
    return Sudoku(tuple(0 if k in empty else digit for k, digit in enumerate(FULL.cells)))


def expect_same(board: tuple[int, ...]) -> int:
    """The number of solutions up to 2, by both; and the solution, where there is just one."""
    answers, counts = solve_many(np.array([board], np.uint8), 2)
    found, _ = plain.solve(board, 2, 100_000)
    assert found is not None
    assert len(found) == len(set(found)) == counts[0]
    if counts[0] == 1:
        assert found[0] == tuple(answers[0].tolist())
    return len(found)


def test_puzzles_with_one_solution() -> None:
    made = [*generate_many(500, Options(minimal=True), seed=1), *generate_many(200, seed=2)]
    assert {expect_same(puzzle.cells) for puzzle in made} == {1}
    several = {name for name, line in PUZZLES.items() if expect_same(parse(line).cells) != 1}
    # As the head of the examples says.
    assert several == {"nested forcing chain", "nested multiple forcing chain", "wide forcing net"}
    assert expect_same(parse(HARD).cells) == 1
    assert expect_same(FULL.cells) == 1


def test_puzzles_with_several() -> None:
    assert {expect_same(holes(cells, seed).cells) for cells in (45, 50, 55, 60) for seed in range(25)} == {1, 2}
    assert expect_same((0,) * 81) == 2


def test_puzzles_with_none() -> None:
    """A puzzle with one solution, and another digit in one of its empty cells."""
    for puzzle in generate_many(200, Options(minimal=True), seed=3):
        (board,) = plain.solve(puzzle.cells, 2, 100_000)[0] or [()]
        cell = puzzle.cells.index(0)
        wrong = list(puzzle.cells)
        wrong[cell] = board[cell] % 9 + 1
        assert expect_same(tuple(wrong)) == 0
    assert expect_same(parse(HOPELESS).cells) == 0


@settings(max_examples=200)
@given(st.integers(1, 30), st.integers(0, 10**9))
def test_any_clues_at_all(cells: int, seed: int) -> None:
    """Random digits in random cells, most of them against the rules."""
    luck = np.random.default_rng(seed)
    board = np.zeros(81, np.uint8)
    board[luck.choice(81, size=cells, replace=False)] = luck.integers(1, 10, size=cells)
    found, _ = plain.solve(board.tolist(), 2, 2_000)
    if found is not None:  # a board with few clues and no solution may take long
        assert len(found) == solve_many(board[None, :], 2)[1][0]
        assert all(checking.fault(Sudoku(tuple(board.tolist())), answer) is None for answer in found)


@pytest.mark.usefixtures("by_hand")
@pytest.mark.parametrize(
    "line", [PUZZLES["swordfish"], HARD, HOPELESS, "." * 81, holes(50, 3).line(), FULL.line()], ids=range(6)
)
def test_the_room_answers_alike(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = parse(line)
    asked = [*((room.solve, most) for most in (1, 2, 3)), *((room.count, most) for most in (1, 2, 3))]
    mine = [ask(puzzle, most) for ask, most in asked]
    with monkeypatch.context() as patch:
        patch.setattr(room, "_plain_nodes", 0)
        theirs = [ask(puzzle, most) for ask, most in asked]
    for one, other in zip(mine, theirs, strict=True):
        for key in ("status", "solutions", "unique", "answers", "fraction"):
            assert getattr(one, key) == getattr(other, key)
        assert one.values().keys() == other.values().keys()
        assert one.result.kept == other.result.kept
    assert room.how_many(puzzle) == min(2, theirs[4].solutions)


@pytest.mark.usefixtures("by_hand")
def test_when_the_kernel_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Sudoku] = []
    model_for = room.model_for

    def watched(puzzle: Sudoku) -> object:
        asked.append(puzzle)
        return model_for(puzzle)

    monkeypatch.setattr(room, "model_for", watched)
    easy, hard, several = parse(PUZZLES["last value"]), parse(HARD), parse("." * 81)

    def by_kernel(puzzle: Sudoku, run: Here = HERE) -> bool:
        asked.clear()
        puzzle.solve(run=run)
        return bool(asked)

    assert not by_kernel(easy)
    assert not by_kernel(hard)
    assert by_kernel(several)
    for run in (Here(threads=2), Here(time_limit=60), Here(node_limit=1000)):
        assert by_kernel(easy, run)
    monkeypatch.setattr(room, "_plain_nodes", 20)
    assert not by_kernel(easy)
    assert by_kernel(hard)  # too hard for what is left
    assert by_kernel(easy)  # nothing is left


PROGRAM = """
import json, sys
from tablero.cli import run
told = []
for words in json.loads(sys.argv[1]):
    status = run(words)
    told.append([status, "numba" in sys.modules])
print(json.dumps(told))
"""


def test_numba_is_not_loaded() -> None:
    puzzle, hopeless = PUZZLES["swordfish"], HOPELESS
    asked = [
        ["sudoku", "solve", puzzle],
        ["sudoku", "count", puzzle],
        ["sudoku", "hint", puzzle],
        ["sudoku", "hint", "." * 81],
        ["sudoku", "rate", puzzle],
        ["sudoku", "step", puzzle],
        ["sudoku", "solve", hopeless],
        ["sudoku", "solve", "." * 81],
    ]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(asked)], capture_output=True, text=True, check=True, timeout=120
    )
    reported = json.loads(done.stdout.splitlines()[-1])
    assert reported == [[0, False]] * 3 + [[3, False], [0, False], [0, False], [1, False], [0, True]]
