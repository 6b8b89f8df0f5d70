"""Edge matching: the same solutions by every complete method, known figures, and trees that can be cut anywhere."""

from __future__ import annotations

import random
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from tablero.edges import checking
from tablero.edges.board import ORDERS, Board, order_of
from tablero.edges.encoding import encode, sizes
from tablero.edges.estimating import knuth
from tablero.edges.generating import example, generate
from tablero.edges.kernels.search import edge_colouring
from tablero.edges.methods import COMPLETE, choose, search_for
from tablero.edges.puzzle import Clue, EdgePuzzle
from tablero.edges.solving import count, solve
from tablero.errors import BadInput
from tablero.runs.coordinator import run
from tablero.runs.findings import Result
from tablero.runs.progress import Snapshot
from tablero.runs.run import Here
from tablero.runs.session import Session
from tablero.search.base import UNBOUNDED, Bound, Flag, Orders, Search
from tablero.search.cursor import Cursor
from tablero.search.tree import TreeSearch, read_cursor
from tests.problems import printed_example

SHAPES = [("square", "4"), ("square", "3x5"), ("triangle", "4"), ("hexagon", "3")]


def flags() -> tuple[Flag, Bound]:
    return np.zeros(1, np.uint8), np.full(1, UNBOUNDED, np.int64)


# The source's example


def test_the_example_as_printed_is_impossible_by_parity() -> None:
    found = solve(printed_example(), None)
    assert found.status == "none"
    assert found.nodes == 0
    assert "colour 1 occurs 9 times, colour 2 occurs 7 times" in found.why


@pytest.mark.parametrize("method", COMPLETE)
def test_the_corrected_example_has_eight_boards(method: str) -> None:
    found = solve(example(), None, method=method)
    assert (found.status, found.solutions) == ("complete", 8)
    assert len({tuple(map(tuple, answer)) for answer in found.answers}) == 8
    assert solve(example(), None, method=method, up_to_turning=True).solutions == 2


@pytest.mark.parametrize(("piece", "row"), [(6, (2, 3, 0, 0)), (8, (3, 0, 0, 2))])
def test_the_other_two_corrections_have_four(piece: int, row: tuple[int, ...]) -> None:
    pieces = [tuple(p) for p in printed_example().pieces.tolist()]
    pieces[piece - 1] = row
    assert EdgePuzzle(pieces).count().solutions == 4


# Every method, the same number


def random_puzzle(seed: int) -> EdgePuzzle:
    """4×4 and 5×5, single pool and framed, with more colours on the larger one: encodings have large trees."""
    large = seed % 2
    size = ("4", "5")[large]
    if seed % 4 < 2:
        return generate(size, colours=3 + seed % 5 + 3 * large, seed=seed, even=seed % 3 == 0)
    return generate(size, framed=(2 + seed % 3 + large, 3 + seed % 4 + 2 * large), seed=seed)


@pytest.mark.parametrize("part", range(8))
def test_200_random_puzzles_by_every_method(part: int) -> None:
    for seed in range(part * 25, part * 25 + 25):
        puzzle = random_puzzle(seed)
        counts = {method: count(puzzle, method=method).solutions for method in COMPLETE}
        assert len(set(counts.values())) == 1, (seed, counts)
        assert counts["scan"] % 4 == 0
        assert counts["scan"] > 0


@pytest.mark.parametrize(("shape", "size"), SHAPES)
@pytest.mark.parametrize("border", [True, False])
def test_every_shape_by_every_method(shape: str, size: str, border: bool) -> None:
    colours = 5 if border else 6
    planted = generate(size, colours=colours, shape=shape, border=border, turning=border, seed=3)
    assert checking.fault(planted, planted.boards[0].tolist()) is None
    methods = [method for method in COMPLETE if border or method != "frame"]
    found = {method: solve(planted, None, method=method) for method in methods}
    boards = {method: {tuple(row) for row in layings.layings.tolist()} for method, layings in found.items()}
    assert tuple(planted.boards[0].tolist()) in boards["scan"]
    for method in methods:
        assert boards[method] == boards["scan"], method


@pytest.mark.parametrize("order", [*ORDERS, "auto"])
def test_every_order_of_cells_finds_the_same(order: str) -> None:
    puzzle = generate(5, colours=5, seed=4)
    assert count(puzzle, method="scan", order=order).solutions == count(puzzle, method="fewest").solutions


def test_clues_are_kept() -> None:
    planted = generate(5, colours=4, seed=9)
    clues = [(cell, int(v) // 4, int(v) % 4) for cell, v in enumerate(planted.boards[0]) if cell in (6, 18, 24)]
    puzzle = EdgePuzzle(planted.pieces.tolist(), clues=clues)
    counts = {method: count(puzzle, method=method).solutions for method in COMPLETE}
    everything = solve(planted, None, method="fewest").layings
    expected = sum(all(row[c] == planted.boards[0][c] for c in (6, 18, 24)) for row in everything.tolist())
    assert set(counts.values()) == {expected}


def test_auto_says_what_it_did() -> None:
    few = generate(6, colours=8, seed=1).solve()
    assert (few.status, few.method) == ("solved", "scan")
    assert "nodes expected" in few.why
    many = generate(6, colours=4, seed=1).solve()
    assert (many.status, many.method, many.why) == ("solved", "fewest", "at the first try")


def test_a_try_in_vain_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    results: list[Result] = []
    perform = Session.perform

    def recorded(*arguments: Any, **keywords: Any) -> Result:
        results.append(perform(*arguments, **keywords))
        return results[-1]

    monkeypatch.setattr(Session, "perform", recorded)
    monkeypatch.setattr(import_module("tablero.edges.methods"), "_FIRST_TRY", 0.001)
    hard = generate(8, colours=6, seed=5).solve(run=Here(node_limit=1_000_000))
    assert (hard.status, hard.method) == ("open", "frame")
    tried, rest = results
    assert hard.nodes == tried.nodes + rest.nodes >= 1_000_000
    assert hard.seconds == tried.seconds + rest.seconds
    assert hard.cpu_seconds == tried.cpu_seconds + rest.cpu_seconds


@pytest.mark.parametrize("limits", [Here(node_limit=1000), Here(time_limit=0.05)])
def test_limits_may_end_with_the_try(limits: Here) -> None:
    hard = generate(8, colours=6, seed=5).solve(run=limits)
    assert (hard.status, hard.method, hard.why) == ("open", "fewest", "at the first try")


# Trees


def whole(search: Search) -> tuple[int, int]:
    stop, bound = flags()
    out = search.advance(search.starts()[0], Orders(300.0, keep=False), stop, bound)
    assert out.rest is None
    return out.nodes, out.found


def in_slices(search: Search) -> tuple[int, int]:
    """Nodes and solutions in slices of 1000 nodes, now and then stored and begun again."""
    assert isinstance(search, TreeSearch)
    stop, bound = flags()
    state = search.begin(Cursor())
    nothing = np.empty((0, 0), np.int32)
    nodes = found = slices = 0
    while state.depth[0] >= 0:
        visited, more = search.step(state, nothing, 1000, UNBOUNDED, stop, bound)
        assert visited <= 1000
        nodes, found, slices = nodes + visited, found + more, slices + 1
        rest = read_cursor(state)
        if rest is not None and slices % 50 == 0:
            state = search.begin(Cursor.load(rest.store()))
    return nodes, found


# Nodes and solutions of the row scan of framed 6×6 puzzles with 3 and 5 colours, a corner fixed, by seed.
TREES = {1: (19363700, 176), 2: (16257548, 52), 3: (40554201, 208)}


@pytest.mark.parametrize("seed", TREES)
def test_the_tree_of_scan_is_stable(seed: int) -> None:
    puzzle = generate(6, framed=(3, 5), seed=seed)
    clue = puzzle.up_to_turning()
    assert clue is not None
    search = search_for(clue, "scan")
    nodes, found = whole(search)
    assert (nodes, found) == TREES[seed]
    assert in_slices(search) == TREES[seed]
    stop, bound = flags()
    # Split a hundred times, at places that a few nodes have moved.
    rng = random.Random(seed)
    pieces, total, solutions = [Cursor().store()], 0, 0
    for _ in range(100):
        which = rng.randrange(len(pieces))
        out = search.advance(pieces.pop(which), Orders(0.0, keep=False), stop, bound)
        total, solutions = total + out.nodes, solutions + out.found
        if out.rest is not None:
            pieces += search.divide(out.rest, 2)
        if not pieces:
            break
    for piece in pieces:
        out = search.advance(piece, Orders(300.0, keep=False), stop, bound)
        total, solutions = total + out.nodes, solutions + out.found
    assert (total, solutions) == (nodes, found)


@pytest.mark.parametrize("method", ["scan", "fewest", "frame"])
def test_slices_of_1000_nodes_give_the_same_tree(method: str) -> None:
    puzzle = generate(5, colours=5, seed=1)
    search = search_for(puzzle, method)
    assert in_slices(search) == whole(search)


@pytest.mark.parametrize("method", ["scan", "fewest", "frame"])
@pytest.mark.parametrize("threads", [2, 4])
def test_threads_find_the_same_in_the_same_order(method: str, threads: int) -> None:
    from tablero.runs.engines import Threads

    search = search_for(generate(5, colours=4, seed=2), method)
    one = run(search)
    engine = Threads(threads)
    many = run(search, engine=engine)
    engine.close()
    assert (many.nodes, many.solutions, many.fraction) == (one.nodes, one.solutions, one.fraction)
    assert (many.answers == one.answers).all()


@pytest.mark.parametrize("method", ["scan", "fewest", "frame"])
def test_a_cursor_of_another_puzzle_is_refused(method: str) -> None:
    stop, bound = flags()
    other = search_for(generate(5, colours=4, seed=7), method)
    state = other.advance(other.starts()[0], Orders(0.0), stop, bound).rest
    assert state is not None
    with pytest.raises(BadInput, match="does not fit"):
        search_for(generate(5, framed=(2, 7), seed=8), method).advance(state, Orders(1.0), stop, bound)


# Boards and tables


@pytest.mark.parametrize(("shape", "size"), [*SHAPES, ("square", "1x4"), ("hexagon", "1"), ("triangle", "1")])
def test_neighbours_are_those_whose_sides_meet(shape: str, size: str) -> None:
    board = Board.parse(size, shape)
    joins, outside = checking.touching(board)
    assert {frozenset(join) for join in joins} == {frozenset([(a, s), (b, t)]) for a, s, b, t in board.joins}
    assert set(outside) == {(int(c), int(s)) for c, s in np.argwhere(board.border)}


def test_orders_are_permutations() -> None:
    for shape, size in SHAPES:
        board = Board.parse(size, shape)
        for name in ORDERS:
            assert sorted(order_of(board, name)) == list(range(board.cells))


def test_edges_that_meet_get_different_colours() -> None:
    rng = random.Random(5)
    for _ in range(50):
        edges = list({(rng.randrange(8), rng.randrange(8)) for _ in range(30)})
        colours = edge_colouring(edges)
        degrees = [sum(e[k] == end for e in edges) for k in (0, 1) for end in range(8)]
        assert max(colours) < max(degrees)
        for k, one in enumerate(edges):
            for j in range(k):
                if one[0] == edges[j][0] or one[1] == edges[j][1]:
                    assert colours[k] != colours[j]


# Generating


def test_a_generated_puzzle_holds_its_promises() -> None:
    for seed in range(5):
        planted = generate("5x7", colours=6, seed=seed, distinct=True)
        assert checking.fault(planted, planted.boards[0].tolist()) is None
        assert len(planted.variants) == 4 * 35
        even = generate(6, framed=(4, 5), even=True, seed=seed)
        sides = np.bincount(even.pieces.ravel())[1:]
        assert sides[:4].max() - sides[:4].min() <= 2
        assert sides[4:].max() - sides[4:].min() <= 2
    assert (generate(6, colours=4, seed=1).pieces == generate(6, colours=4, seed=1).pieces).all()


def test_the_limit_of_colours() -> None:
    generate(4, colours=24, seed=0)
    with pytest.raises(BadInput, match="at most 25"):
        generate(4, colours=25, seed=0)


# Encodings


@pytest.mark.parametrize(
    ("side", "colours", "first", "second", "ones"),
    [
        (4, 5, 336, 272, (21, 17)),
        (16, 5, 5376, 4352, (21, 17)),
        (4, 23, 1488, 400, (93, 25)),
        (16, 23, 23808, 6400, (93, 25)),
    ],
)
def test_sizes_are_those_of_the_thesis(side: int, colours: int, first: int, second: int, ones: tuple[int, int]) -> None:
    for encoding, columns, most in (("1", first, ones[0]), ("2", second, ones[1])):
        most_of = sizes(side, colours, encoding)
        assert (most_of.columns, most_of.rows, most_of.ones) == (columns, 4 * side**4, most)
    if side == 4:
        puzzle = generate(side, colours=colours - 1, seed=2, even=True)
        for encoding, columns in (("1", first), ("2", second)):
            problem = encode(puzzle, encoding, savings=False).cover
            assert len(problem.items) == columns
            assert problem.count().solutions == puzzle.count(method="scan").solutions


# Estimates


def test_knuths_estimator_is_right_on_a_small_tree() -> None:
    puzzle = generate(5, colours=4, seed=1)
    nodes, _ = whole(search_for(puzzle, "scan"))
    probes = knuth(puzzle, 100_000, seed=1)
    assert abs(probes.mean - nodes) < 5 * probes.error
    assert probes.error < 0.2 * nodes


def test_walks_end_with_their_time_or_at_ctrl_c_and_tell_what_was_made() -> None:
    puzzle = generate(5, colours=4, seed=1)
    short = knuth(puzzle, 1_000_000, seed=1, run=Here(time_limit=1e-9))
    assert 0 < short.count < 1_000_000
    assert not short.interrupted
    assert (short.mean, short.error) == (
        knuth(puzzle, short.count, seed=1).mean,
        knuth(puzzle, short.count, seed=1).error,
    )

    def stop(reported: Snapshot) -> None:
        if not reported.over:
            raise KeyboardInterrupt

    cut = knuth(puzzle, 1_000_000, seed=1, run=Here(watch=stop))
    assert cut.interrupted
    assert (cut.mean, cut.count) == (short.mean, short.count)


def test_the_mean_field_count_prefers_the_frame_for_a_single_pool() -> None:
    assert choose(generate(8, colours=6, seed=1))[0] == "frame"
    assert choose(generate(8, framed=(3, 8), seed=1))[0] == "scan"


def test_every_answer_is_held_to_the_clues_and_to_turning() -> None:
    puzzle = example()
    boards = solve(puzzle, None, method="scan").layings
    assert checking.first_fault(puzzle, boards) is None
    piece, turn = divmod(int(boards[0, 4]), puzzle.sides)
    clued = replace(puzzle, clues=(Clue(4, piece, turn),))
    kept = boards[[checking.fault(clued, row.tolist()) is None for row in boards]]
    assert 0 < len(kept) < len(boards)
    assert checking.first_fault(clued, kept) is None
    assert "clue" in (checking.first_fault(clued, boards) or "")
    assert checking.first_fault(replace(puzzle, border=False, turning=False), boards) == "a piece is turned"
