"""What the kernels of Sudoku find on small problems, as JSON."""

from __future__ import annotations

import json

import numpy as np

from tablero.runs.coordinator import run
from tablero.search.base import UNBOUNDED, Orders
from tablero.sudoku.generating import Options, batches, generate_many
from tablero.sudoku.kernels.net import MULTIPLE, NESTED, NESTED_STATIC, SINGLE, STATIC, WIDE
from tablero.sudoku.kernels.search import BandSearch, solve_many
from tablero.sudoku.logic import Position
from tablero.sudoku.logic.forcing import contradictions, verities
from tablero.sudoku.puzzle import Layout, Sudoku

found: dict[str, object] = {}
boards = next(batches(2, Options(minimal=True), 5))
found["made"] = boards.tolist()
found["symmetric"] = next(batches(1, Options(symmetry="quarter-turn"), 5)).tolist()
answers, counts = solve_many(boards, 2)
found["solved"] = [answers.tolist(), counts.tolist()]
board = answers[0].copy()
board[20:70] = 0
result = run(BandSearch(board), most=30)
found["tree"] = [result.nodes, result.answers.tolist()]
rest = BandSearch(board)
out = rest.advance(rest.starts()[0], Orders(9.0, most=3), np.zeros(1, np.uint8), np.full(1, UNBOUNDED))
assert out.rest is not None
more = rest.advance(out.rest, Orders(9.0, most=3), np.zeros(1, np.uint8), np.full(1, UNBOUNDED))
found["resumed"] = more.answers.tolist()
for options in (Options(4), Options(6), Options(kind="x", clues=60), Options(4, "jigsaw")):
    found[str(options)] = [puzzle.line() for puzzle in generate_many(1, options, seed=2)]
position = Position(Sudoku((1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0), Layout(4)))
inner = (WIDE | NESTED_STATIC, WIDE | NESTED_STATIC | MULTIPLE, WIDE | NESTED)
for mode, rounds in ((0, 0), (STATIC, 0), (SINGLE, 0), (WIDE, 0), *((mode, 3) for mode in inner)):
    found[f"nets {mode}"] = contradictions(position, mode, rounds)
for mode in (0, STATIC):
    found[f"verities {mode}"] = verities(position, mode)
print(json.dumps(found))
