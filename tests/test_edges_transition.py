"""Edge matching where it is hardest: equal pieces as one, and ranked scans."""

from __future__ import annotations

from importlib import import_module
from itertools import combinations
from math import exp, factorial, prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tablero.edges import EdgePuzzle, checking
from tablero.edges.generating import example, generate
from tablero.edges.kernels.ranked import COUNTED
from tablero.edges.kernels.rounds import RankedSearch, census, cuts, looked_at, rounds_of
from tablero.edges.kernels.tiles import equal_pieces
from tablero.edges.methods import AUTO, search_for, views_of
from tablero.edges.turns import turns_of
from tablero.errors import BadInput, JobError
from tablero.families import resume
from tablero.runs import jobs
from tablero.runs.run import Here, Job
from tablero.search.base import UNBOUNDED, Orders, Search
from tablero.search.compiled import clear_of, kernel, put_bytes
from tests.stored_jobs import stored

STOP, BOUND = np.zeros(1, np.uint8), np.full(1, UNBOUNDED, np.int64)

FEW_COLOURS = {
    "3×3": generate(3, colours=2, seed=3),
    "3×4": generate("3x4", framed=(2, 2), seed=1),
    "tetravex": generate(3, colours=2, border=False, turning=False, seed=1),
    "triangles": generate(2, colours=2, shape="triangle", seed=1),
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))


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
    assert not any(checking.fault(puzzle, row) for row in some)


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


# Ranked scans


def turned_looks(puzzle: EdgePuzzle, row: tuple[int, ...]) -> bytes:
    """How a board looks, the same for all its turns."""
    shows = puzzle.tiles.shows[list(row)]
    turned = []
    for turn in turns_of(puzzle.board):
        looks = np.empty_like(shows)
        looks[list(turn.cell)] = np.roll(shows, turn.by, axis=1)
        turned.append(looks.tobytes())
    return min(turned)


SMALL = {
    "many solutions": generate(5, framed=(2, 4), seed=1),
    "equal corners": generate(4, colours=2, seed=1),
    "oblong": generate("4x5", framed=(2, 3), seed=2),
    "narrow": generate("3x6", colours=2, seed=1),
    "one colour": generate(3, colours=1, seed=0),
    "fixed turns": generate(4, framed=(2, 2), turning=False, seed=4),
    "example": example(),
}


def without_a_solution(seed: int, size: int = 5) -> EdgePuzzle:
    """Two inner sides of a planted board exchanged, so that the colours are as many as before."""
    rows = generate(size, framed=(size - 3, 6), seed=seed).pieces.copy()
    inner = [row for row in rows if row.all()]
    one, other = inner[0], next(row for row in inner[1:] if row[0] != inner[0][0])
    one[0], other[0] = other[0], one[0]
    return EdgePuzzle(rows.tolist(), size)


def whole_scans(puzzle: EdgePuzzle) -> list[RankedSearch]:
    return [RankedSearch(view.tiles, view.lines) for view in views_of(puzzle)]


@pytest.mark.parametrize("name", SMALL)
def test_every_view_has_every_solution(name: str) -> None:
    puzzle = SMALL[name]
    every, _ = everything(search_for(puzzle, "fewest", alike=True))
    expected = {turned_looks(puzzle, row) for row in every}
    assert expected
    for search in whole_scans(puzzle):
        rows, _ = everything(search)
        assert len({looks(puzzle, row) for row in rows}) == len(rows)
        assert {turned_looks(puzzle, row) for row in rows} == expected
        assert not any(checking.fault(puzzle, row) for row in rows)
        assert search.proves


@pytest.mark.parametrize("name", ["many solutions", "oblong", "narrow"])
def test_rounds_share_the_boards_of_a_view(name: str) -> None:
    """Level by level, and at last without one: each solution is found once."""
    for search in whole_scans(SMALL[name]):
        every, nodes = everything(search)
        drawn, places = census(search.tables()), looked_at(search.tables())
        high: tuple[int, ...] = ()
        found: list[tuple[int, ...]] = []
        for level in (1.0, 0.0, -1.0, -1000.0):
            low = cuts(drawn, places, level)
            part = search.cut(low, high)
            assert not part.proves
            rows, visited = everything(part)
            assert visited <= nodes
            found += rows
            high = low
        assert sorted(found) == sorted(every)


@pytest.mark.parametrize("name", ["many solutions", "oblong"])
def test_the_last_round_is_a_whole_scan(name: str) -> None:
    rounds = rounds_of(views_of(SMALL[name]))
    assert [round.search.proves for round in rounds] == [False] * (len(rounds) - 1) + [True]
    assert all(0 < round.chance <= 1 for round in rounds)
    again = rounds_of(views_of(SMALL[name]))
    assert [round.search.digest() for round in rounds] == [round.search.digest() for round in again]
    assert len({round.search.digest() for round in rounds}) == len(rounds)


def test_a_census_foresees_the_nodes() -> None:
    """Of a small tree it draws every board, so that it counts: as if the search kept its counts to the end."""
    for search in whole_scans(SMALL["narrow"]):
        search._tables = search.tables()._replace(looks=np.full_like(search.tables().looks, COUNTED))
        _, nodes = everything(search)
        assert exp(census(search.tables(), 100_000).nodes) == pytest.approx(nodes)


@pytest.mark.parametrize("cut", [False, True])
def test_a_ranked_scan_in_slices_and_in_parts(cut: bool) -> None:
    search = whole_scans(SMALL["many solutions"])[0]
    if cut:
        places = looked_at(search.tables())
        levels = [cuts(census(search.tables()), places, level) for level in (-1.0, 1.0)]
        search = search.cut(levels[0], levels[1])
    whole, nodes = everything(search)
    slices: list[tuple[int, ...]] = []
    visited = 0
    rest: bytes | None = search.starts()[0]
    while rest is not None:
        out = search.advance(rest, Orders(600.0, nodes=nodes // 7 + 1), STOP, BOUND)
        slices += [tuple(row) for row in out.answers.tolist()]
        visited += out.nodes
        rest = out.rest
    assert (slices, visited) == (whole, nodes)
    halfway = search.advance(search.starts()[0], Orders(600.0, nodes=nodes // 3), STOP, BOUND)
    assert halfway.rest is not None
    found = [tuple(row) for row in halfway.answers.tolist()]
    for part in search.divide(halfway.rest, 5):
        other = RankedSearch(search.tiles, search.lines, search.low, search.high)
        out = other.advance(part, Orders(600.0), STOP, BOUND)
        assert out.rest is None
        found += [tuple(row) for row in out.answers.tolist()]
    assert found == whole


@pytest.mark.parametrize("name", ["many solutions", "oblong", "narrow", "equal corners"])
@pytest.mark.parametrize("cut", [False, True])
def test_a_sweep_visits_what_it_stands_for(name: str, cut: bool) -> None:
    """Whether what lies below a board is swept or searched one by one, and from where: the same solutions and nodes."""
    for search in whole_scans(SMALL[name])[:2]:
        if cut:
            places = looked_at(search.tables())
            search = search.cut(*(cuts(census(search.tables()), places, level) for level in (-0.5, 0.5)))
        found = []
        for swept in range(len(search.tables().cells)):
            search._tables = search.tables()._replace(swept=np.array([swept]))
            found.append(everything(search))
        assert all(one == found[0] for one in found)


def test_a_cursor_of_a_search_that_counts_to_the_end_goes_on() -> None:
    """As those of the first version do, which never swept."""
    for search in whole_scans(SMALL["many solutions"]):
        every, nodes = everything(search)
        earlier = RankedSearch(search.tiles, search.lines)
        tables = earlier.tables()
        earlier._tables = tables._replace(swept=np.zeros(1, np.int64), looks=np.full_like(tables.looks, COUNTED))
        out = earlier.advance(earlier.starts()[0], Orders(600.0, nodes=nodes // 3), STOP, BOUND)
        assert out.rest is not None
        rest = search.advance(out.rest, Orders(600.0), STOP, BOUND)
        assert [tuple(row) for row in [*out.answers.tolist(), *rest.answers.tolist()]] == every


def test_lists_that_are_too_long_are_not_swept() -> None:
    puzzle = generate(7, colours=1, seed=0)
    search = whole_scans(puzzle)[0]
    assert search.tables().swept[0] == 0
    out = search.advance(search.starts()[0], Orders(600.0, most=1), STOP, BOUND)
    assert [checking.fault(puzzle, row) for row in out.answers.tolist()] == [None]


@kernel
def eight_at_once(row: NDArray[np.uint64], at: np.uint64, word: np.uint64) -> np.uint64:
    clear = clear_of(row, at, word)
    put_bytes(row, at, np.uint64(1 << 40), clear)
    return clear


def test_eight_words_at_once() -> None:
    rng = np.random.default_rng(1)
    for at in range(9):
        row = rng.integers(0, 1 << 63, 20).astype(np.uint64) & rng.integers(0, 1 << 63, 20).astype(np.uint64)
        before, word = row.copy(), int(row[2]) & 0xFFFFFF
        clear = int(eight_at_once(row, np.uint64(at), np.uint64(word)))
        assert [bool(clear >> k & 1) for k in range(8)] == [int(before[at + k]) & word == 0 for k in range(8)]
        before[at : at + 8] = 1 << 40
        before[at] += np.uint64(clear)
        assert (row == before).all()


@pytest.mark.parametrize("seed", range(4))
def test_that_there_is_no_solution_is_proved(seed: int) -> None:
    puzzle = without_a_solution(seed)
    assert puzzle.solve(method="fewest").status == "none"
    found = puzzle.solve(method="ranked")
    assert (found.status, found.method) == ("none", "ranked")


def test_a_colour_that_is_short_needs_no_search() -> None:
    """Inner sides of the frame of a colour that no inner piece has."""
    rows = generate(4, framed=(2, 4), seed=1).pieces.copy()
    inward = [(row, (int(np.flatnonzero(row == 0)[0]) + 2) % 4) for row in rows if (row == 0).sum() == 1]
    pairs = [(one, other) for one, other in combinations(inward, 2) if one[0][one[1]] == other[0][other[1]]]
    for row, side in pairs[0]:
        row[side] = 9
    puzzle = EdgePuzzle(rows.tolist(), 4)
    assert checking.impossible(puzzle) is None
    assert all(everything(search) == ([], 1) for search in whole_scans(puzzle))


def test_a_job_goes_through_its_rounds_as_if_it_had_never_been_stopped() -> None:
    puzzle = without_a_solution(1, 6)
    straight = puzzle.solve(method="ranked", run=Job("straight"))
    assert straight.status == "none"
    stopped = puzzle.solve(method="ranked", run=Job("stopped", node_limit=100))
    rounds = set()
    while stopped.status == "open":
        info = jobs.describe("stopped").info
        assert info is not None
        rounds.add(info.recipe["stage"]["round"])
        assert jobs.describe("stopped").state == "stopped"
        before = stopped.result.nodes
        stopped = puzzle.solve(method=AUTO if len(rounds) % 2 else "ranked", run=Job("stopped", node_limit=9000))
        assert stopped.result.nodes > before
    assert len(rounds) > 2
    assert (stopped.status, stopped.result.nodes) == ("none", straight.result.nodes)
    assert jobs.describe("stopped").values()["nodes"] == straight.result.nodes


def test_a_job_is_resumed_in_the_round_where_it_stood() -> None:
    puzzle = without_a_solution(1, 6)
    straight = puzzle.solve(method="ranked", run=Job("straight"))
    found = puzzle.solve(method="ranked", run=Job("resumed", node_limit=100))
    while found.status == "open":
        with jobs.resuming("resumed") as store:
            found = resume(store, Job("resumed", node_limit=30_000))
        seen = stored("resumed")
        assert (seen.status, seen.nodes, seen.method) == (found.status, found.nodes, "ranked")
    assert (found.status, found.nodes) == ("none", straight.nodes)


def test_a_job_of_another_order_is_refused() -> None:
    hard = generate(8, framed=(3, 8), seed=1)
    hard.solve(None, method="scan", order="columns", run=Job("columns", node_limit=1000))
    with pytest.raises(JobError, match="job 'columns' is of another problem"):
        hard.solve(None, method="scan", order="rows", run=Job("columns", node_limit=1000))


def test_threads_find_what_one_finds() -> None:
    for seed in range(2):
        assert without_a_solution(seed).solve(method="ranked", run=Here(threads=2)).status == "none"
        puzzle = generate(6, framed=(3, 6), seed=seed)
        assert puzzle.solve(method="ranked", run=Here(threads=2)).status == "solved"


def test_ranked_scans_keep_to_the_clues() -> None:
    puzzle = generate(5, framed=(2, 5), seed=6)
    clues = [
        (cell, piece - 1, turn)
        for cell, (piece, turn) in enumerate(puzzle.solve().answers[0])
        if cell in (0, 7, 12, 13)
    ]
    clued = EdgePuzzle(puzzle.pieces.tolist(), 5, clues=clues)
    found = clued.solve(method="ranked")
    assert found.status == "solved"
    assert all(found.answers[0][cell] == [piece + 1, turn] for cell, piece, turn in clues)


@pytest.mark.parametrize(
    "options",
    [
        {"size": 3, "colours": 3, "shape": "triangle"},
        {"size": 4, "colours": 3, "border": False},
        {"size": "2x5", "colours": 3},
        {"size": 9, "colours": 9},
    ],
)
def test_where_ranked_scans_are_of_no_use(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match="square cells with a border, in three rows and columns or more, and up to 64"):
        generate(**options).solve(method="ranked")


def test_ranked_scans_look_for_one_solution() -> None:
    with pytest.raises(BadInput, match="the method ranked looks for one solution: it can neither"):
        example().solve(None, method="ranked")
    with pytest.raises(BadInput, match="the method ranked looks for one solution"):
        example().count(method="ranked")


def test_auto_ranks_where_a_scan_would_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    methods = import_module("tablero.edges.methods")
    monkeypatch.setattr(methods, "_FIRST_TRY", 0.001)
    hard = generate(8, framed=(3, 8), seed=1)
    found = hard.solve(run=Here(node_limit=100_000))
    assert (found.status, found.method) == ("open", "ranked")
    assert "nodes expected" in found.why
    assert hard.solve(run=Job("kept", node_limit=100_000)).method == "ranked"
    assert hard.solve(2, run=Here(node_limit=100_000)).method == "scan"


def test_a_job_that_auto_began_with_another_method_keeps_it() -> None:
    hard = generate(8, framed=(3, 8), seed=1)
    assert hard.solve(method="scan", run=Job("kept", node_limit=1000)).status == "open"
    found = hard.solve(run=Job("kept", node_limit=1000))
    assert (found.status, found.method, found.result.nodes) == ("open", "scan", 2000)


def test_a_job_of_another_verb_is_refused() -> None:
    puzzle = generate(5, framed=(2, 5), seed=6)
    puzzle.optimise(run=Job("best", node_limit=1))
    with pytest.raises(JobError, match="job 'best'"):
        puzzle.solve(run=Job("best"))
