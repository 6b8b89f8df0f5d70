"""Edge matching where it is hardest: equal pieces as one, and funnels."""

from __future__ import annotations

from importlib import import_module
from math import factorial, prod
from typing import Any

import numpy as np
import pytest

from tablero.errors import BadInput
from tablero.puzzles.edges import EdgePuzzle, check, example, generate
from tablero.puzzles.edges.kernels.restarts import NARROW, FunnelSearch, widths_of
from tablero.puzzles.edges.kernels.tiles import equal_pieces
from tablero.puzzles.edges.methods import funnel_for, search_for
from tablero.runs import jobs
from tablero.runs.runner import Here, Job
from tablero.search.base import UNBOUNDED, Orders, Search

STOP, BOUND = np.zeros(1, np.uint8), np.full(1, UNBOUNDED, np.int64)

FEW_COLOURS = {
    "3×3": generate(3, colours=2, seed=3),
    "3×4": generate("3x4", framed=(2, 2), seed=1),
    "tetravex": generate(3, colours=2, border=False, turning=False, seed=1),
    "triangles": generate(2, colours=2, shape="triangle", seed=1),
}


def everything(search: Search) -> tuple[list[tuple[int, ...]], int]:
    out = search.advance(search.starts()[0], Orders(600.0), STOP, BOUND)
    assert out.rest is None
    return [tuple(row) for row in out.answers.tolist()], out.nodes


def looks(puzzle: EdgePuzzle, row: tuple[int, ...]) -> bytes:
    return puzzle.tiles.shows[list(row)].tobytes()


# Equal pieces


@pytest.mark.parametrize("name", FEW_COLOURS)
@pytest.mark.parametrize("method", ["scan", "fewest", "frame"])
def test_solutions_that_differ_by_equal_pieces_are_one(name: str, method: str) -> None:
    puzzle = FEW_COLOURS[name]
    if method == "frame" and not puzzle.border:
        return
    every, nodes = everything(search_for(puzzle, method))
    some, fewer = everything(search_for(puzzle, method, alike=True))
    exchanges = prod(factorial(len(equal)) for equal in equal_pieces(puzzle.tiles))
    assert exchanges > 1
    assert len(every) == exchanges * len(some) > 0
    assert fewer < nodes
    assert {looks(puzzle, row) for row in every} == {looks(puzzle, row) for row in some}
    assert len({looks(puzzle, row) for row in some}) == len(some)
    assert not any(check.fault(puzzle, row) for row in some)


def test_a_piece_with_a_clue_has_no_equal() -> None:
    puzzle = generate(3, colours=1, seed=0)
    edges = [piece for piece, row in enumerate(puzzle.pieces.tolist()) if row.count(0) == 1]
    assert edges in equal_pieces(puzzle.tiles)
    piece, turn = puzzle.solve().answers[0][1]
    clued = EdgePuzzle(puzzle.pieces.tolist(), 3, clues=[(1, piece - 1, turn)])
    assert [one for one in edges if one != piece - 1] in equal_pieces(clued.tiles)


def test_equal_pieces_in_slices() -> None:
    search = search_for(generate(4, colours=2, seed=1), "frame", alike=True)
    whole, nodes = everything(search)
    state, slices, visited = search.starts()[0], [], 0
    rest: bytes | None = state
    while rest is not None:
        out = search.advance(rest, Orders(600.0, nodes=nodes // 5 + 1), STOP, BOUND)
        slices += out.answers.tolist()
        visited += out.nodes
        rest = out.rest
    assert ([tuple(row) for row in slices], visited) == (whole, nodes)


def test_a_job_of_an_earlier_version_goes_on_as_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = generate(6, colours=4, seed=0)
    solve = import_module("tablero.puzzles.edges.solve")
    with monkeypatch.context() as patch:
        patch.setattr(solve, "_alike_in_job", lambda name: False)
        puzzle.solve(method="frame", run=Job("old", node_limit=100))
    card = jobs.describe("old").card
    assert card is not None
    assert "alike" not in card.recipe
    assert puzzle.solve(method="frame", run=Job("old")).status == "solved"
    puzzle.solve(method="frame", run=Job("new", node_limit=100))
    card = jobs.describe("new").card
    assert card is not None
    assert card.recipe["alike"] is True
    assert puzzle.solve(method="frame", run=Job("new")).status == "solved"


# Funnels


def steps(search: FunnelSearch, number: int, state: bytes | None = None) -> bytes | None:
    state = state or search.starts()[0]
    for _ in range(number):
        if state is not None:
            state = search.advance(state, Orders(0.0), STOP, BOUND).rest
    return state


@pytest.mark.parametrize(
    "puzzle",
    [
        generate(6, framed=(3, 6), seed=1),
        generate("5x6", framed=(2, 6), seed=2),
        generate(5, colours=5, seed=3),
        generate(5, framed=(2, 5), turning=False, seed=4),
        example(),
    ],
    ids=lambda puzzle: repr(puzzle),
)
def test_funnels_find_a_solution(puzzle: EdgePuzzle) -> None:
    search = funnel_for(puzzle, 2000)
    out = search.advance(search.starts()[0], Orders(600.0, nodes=20_000_000), STOP, BOUND)
    assert out.found == 1
    assert check.fault(puzzle, out.answers[0].tolist()) is None


def test_a_funnel_goes_on_as_if_it_had_never_been_stopped() -> None:
    search = funnel_for(generate(8, framed=(3, 8), seed=2), 60)
    straight = steps(search, 6)
    assert straight is not None
    halfway = steps(search, 3)
    STOP[0] = 1
    try:
        assert search.advance(halfway or b"", Orders(1.0), STOP, BOUND).rest == halfway
    finally:
        STOP[0] = 0
    assert steps(funnel_for(generate(8, framed=(3, 8), seed=2), 60), 3, halfway) == straight
    first, second, third = search.divide(straight, 3)
    assert len({first, second, third}) == 3
    assert search.share(first) + search.share(second) + search.share(third) == pytest.approx(1.0)
    for bad in (b"", straight[:-1], straight + b"1", straight[:-8] + b"\xff" * 8):
        with pytest.raises(BadInput, match="a stored search by funnels"):
            search.advance(bad, Orders(0.0), STOP, BOUND)


def test_funnels_keep_to_the_clues() -> None:
    puzzle = generate(5, framed=(2, 5), seed=6)
    clues = [
        (cell, piece - 1, turn)
        for cell, (piece, turn) in enumerate(puzzle.solve().answers[0])
        if cell in (0, 7, 12, 13)
    ]
    clued = EdgePuzzle(puzzle.pieces.tolist(), 5, clues=clues)
    found = clued.solve(method="funnel", run=Here(node_limit=20_000_000))
    assert found.status == "solved"
    assert all(found.answers[0][cell] == [piece + 1, turn] for cell, piece, turn in clues)


def test_a_colour_that_is_short_is_not_looked_for() -> None:
    """Inner sides of the frame of a colour that no inner piece has: nothing is found, and that proves nothing."""
    rows = generate(4, framed=(2, 4), seed=1).pieces.copy()
    edge = next(row for row in rows if (row == 0).sum() == 1)
    edge[(int(np.flatnonzero(edge == 0)[0]) + 2) % 4] = 9
    search = funnel_for(EdgePuzzle(rows.tolist(), 4), 50)
    out = search.advance(search.starts()[0], Orders(0.02), STOP, BOUND)
    assert (out.nodes, out.found, out.rest is None) == (0, 0, False)
    assert not search.proves


def test_a_funnel_is_wide_and_then_narrow() -> None:
    widths = widths_of(1000, 64).tolist()
    assert widths[:16] == [1000] * 16
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] == round(1000 / NARROW)
    assert set(widths_of(1, 9).tolist()) == {1}


@pytest.mark.parametrize(
    "options",
    [
        {"size": 3, "colours": 3, "shape": "triangle"},
        {"size": 4, "colours": 3, "border": False},
        {"size": "2x5", "colours": 3},
    ],
)
def test_where_funnels_are_of_no_use(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="square cells with a border, in three rows and columns or more"):
        generate(**options).solve(method="funnel")


def test_auto_takes_funnels_where_a_scan_would_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    methods = import_module("tablero.puzzles.edges.methods")
    monkeypatch.setattr(methods, "_FIRST_TRY", 0.001)
    hard = generate(8, framed=(3, 8), seed=1)
    found = hard.solve(run=Here(node_limit=100_000))
    assert (found.status, found.method) == ("open", "funnel")
    assert "nodes expected" in found.why
    monkeypatch.setattr(methods, "_FUNNEL_TRY", 0.001)
    found = hard.solve(run=Here(node_limit=3_000_000))
    assert (found.status, found.method) == ("open", "scan")
    assert hard.solve(2, run=Here(node_limit=100_000)).method == "scan"
    assert hard.solve(run=Job("kept", node_limit=100_000)).method == "scan"
