"""Decompositions without a list of copies: counts against the matrix and brute force, groups, tries, jobs, limits."""

from __future__ import annotations

import random
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest

import tablero as tb
from tablero.cli import run as command
from tablero.decomposition import Graph, decompose
from tablero.decomposition import graph as graphs
from tablero.decomposition.automorphisms import mirrored
from tablero.decomposition.laying import LayingModel, odd_turn
from tablero.decomposition.solving import MOST_LISTED, first_copy, is_laid
from tablero.errors import BadInput
from tablero.runs.coordinator import run
from tablero.runs.run import Here, Job
from tablero.search.base import UNBOUNDED, Orders
from tablero.search.cursor import Cursor


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))


def by_brute_force(host: Graph, part: Graph) -> int:
    """Decompositions by taking the first edge that is left, with nothing of ours but the graphs."""
    edges = [frozenset(edge) for edge in host.edges]
    known = set(edges)
    copies = set()
    for images in permutations(range(host.vertices), part.vertices):
        copy = frozenset(frozenset((images[u], images[v])) for u, v in part.edges)
        if copy <= known:
            copies.add(copy)
    having = {edge: [copy for copy in copies if edge in copy] for edge in edges}

    def ways(left: frozenset[frozenset[int]]) -> int:
        if not left:
            return 1
        first = next(edge for edge in edges if edge in left)
        return sum(ways(left - copy) for copy in having[first] if copy <= left)

    return ways(frozenset(edges))


CASES = [
    ("K4", "path"),
    ("K6", "path"),
    ("K6", "double-star"),
    ("K7", "triangle"),
    ("K5", "cycle"),
    ("K6", "matching"),
    ("K4", "path-3"),
    ("K5", "star-3"),
    ("K6", "star-4"),
    ("K6", "0-1,1-2,2-3,1-4,4-5"),
    ("K3,4", "path-4"),
    ("K2,2,2", "path-5"),
    ("K4,4", "double-star-4"),
    ("K3,3", "graph6:DQc"),
    ("0-1,1-2,2-3,3-0,0-2,4-0,4-1,4-2", "path-3"),
    ("K6", "0-1,1-2,2-0,2-3,3-4"),
]


@pytest.mark.parametrize(("host", "part"), CASES)
def test_counts_against_brute_force(host: str, part: str) -> None:
    puzzle = decompose(host, part)
    model = LayingModel.of(puzzle)
    found = run(model.search("solve"), most=None)
    assert found.solutions == by_brute_force(puzzle.host, puzzle.parts[0].graph)
    assert model.fault(found.answers) is None
    shuffled = LayingModel.of(puzzle, seed=3)
    assert run(shuffled.search("solve"), most=None, keep=False).solutions == found.solutions


@pytest.mark.parametrize(
    ("host", "part"), [("K8", "double-star"), ("K7", "cycle"), ("K9", "triangle"), ("K7", "star-4")]
)
def test_counts_against_the_matrix(host: str, part: str) -> None:
    puzzle = decompose(host, part)
    known = puzzle.count(method="matrix").solutions
    assert puzzle.count(method="laying").solutions == known  # one copy is fixed, the number is multiplied
    assert puzzle.count(method="laying", run=Job("plain")).solutions == known  # none is


def test_what_is_impossible_is_proved() -> None:
    for part in ("0-1,1-2,2-3,3-4,3-5,3-6,3-7", "0-1,1-2,2-3,1-4,1-5,2-6,2-7"):
        puzzle = decompose("K8", part)
        assert puzzle.solve(method="laying").status == puzzle.solve(method="matrix").status


@pytest.mark.parametrize(
    ("host", "part", "turn"),
    [("K8", "path", "bicyclic"), ("K8", "double-star", "bicyclic"), ("K3,6", "path-3", "3"), ("K7", "path-4", "7")],
)
def test_base_copies_against_orbits(host: str, part: str, turn: str) -> None:
    puzzle = decompose(host, part, symmetry=turn)
    every = puzzle.solve(None, method="orbits")
    laid = puzzle.solve(None, method="laying")
    assert laid.status == "complete"
    assert laid.solutions == every.solutions > 0

    def sets(found: tb.decomposition.Found) -> set[frozenset[object]]:
        return {frozenset(one.parts) for one in found.answers}

    assert sets(laid) == sets(every)


def test_base_copies_that_may_be_too_few_prove_nothing() -> None:
    """Triangles that the turn leaves as they are have short orbits, which are not laid."""
    puzzle = decompose("K9", "triangle", symmetry="3")
    laid = puzzle.solve(None, method="laying")
    assert laid.solutions < puzzle.count(method="orbits").solutions
    assert decompose("K6", "triangle", symmetry="3").solve(method="auto").status == "none"
    with pytest.raises(BadInput, match="base copies cannot be laid: there are orbits of"):
        decompose("K8", "matching", symmetry="bicyclic").solve(method="laying")


def test_mirrors_of_trees() -> None:
    assert sorted(mirrored(graphs.path(6))) == [(0, 5), (1, 4), (2, 3)]
    assert mirrored(graphs.path(5)) == []
    pairs = mirrored(graphs.double_star(10))
    twin = dict(pairs) | {other: one for one, other in pairs}
    edges = set(graphs.double_star(10).edges)
    assert {(min(twin[u], twin[v]), max(twin[u], twin[v])) for u, v in edges} == edges
    assert all(twin[twin[v]] == v != twin[v] for v in range(10))


def caterpillar(n: int, seeded: random.Random) -> list[tuple[int, int]]:
    """A random caterpillar with degrees of 1, 2 and 3."""
    spine = n * 2 // 3
    return [(k, k + 1) for k in range(spine - 1)] + [
        (vertex, spine + k) for k, vertex in enumerate(seeded.sample(range(1, spine - 1), n - spine))
    ]


@pytest.mark.parametrize("n", [10, 12, 14, 18, 20, 22, 26, 28, 30])
def test_first_decompositions(n: int) -> None:
    seeded = random.Random(n)
    for part in ("double-star", "hamiltonian-path", caterpillar(n, seeded)):
        found = decompose(f"K{n}", part).solve()  # checked before it is returned
        assert (found.status, len(found.answers[0])) == ("solved", n // 2)
        covered = sorted(edge for piece in found.answers[0].parts for edge in piece)
        assert covered == list(combinations(range(n), 2))


def test_what_is_chosen() -> None:
    assert not is_laid(decompose("K10"))
    assert is_laid(decompose("K10", "path"))
    assert not is_laid(decompose("K10", "path", fold=2))
    assert not is_laid(decompose("K3,4", "path-4"))
    assert is_laid(decompose("K9,9", "path-8"))
    found = decompose("K10", "path").solve()
    assert (found.values()["method"], found.values()["copies"]) == ("laying", MOST_LISTED < 1_814_400 and 1_814_400)
    assert decompose("K6").solve().values()["method"] == "matrix"
    assert first_copy(decompose("K3,3", "path-4")) == ()
    assert odd_turn(16) is None


def test_several_and_limits() -> None:
    puzzle = decompose("K12", "path")
    several = puzzle.solve(5)
    assert (several.status, several.solutions, len({str(one) for one in several.answers})) == ("solved", 5, 5)
    stopped = puzzle.solve(None, run=Here(node_limit=1000))
    assert (stopped.status, stopped.nodes) == ("open", 1000)
    assert decompose("K16", "0-1,1-2,2-3,3-4,4-5,5-6,6-7,0-8,0-9,0-10,1-11,2-12,3-13,4-14,5-15").solve(
        run=Here(node_limit=3000)
    ).status in ("open", "solved")


def test_a_job_goes_on() -> None:
    puzzle = decompose("K12", "path")
    part = puzzle.solve(3, run=Job("paths", node_limit=50))
    assert part.status == "open"
    whole = puzzle.solve(3, run=Job("paths"))
    assert (whole.status, whole.solutions) == ("solved", 3)
    assert np.array_equal(whole.result.answers, puzzle.solve(3, run=Job("again")).result.answers)


def test_split_anywhere_and_nothing_is_lost() -> None:
    search = LayingModel.of(decompose("K6", "path")).search("solve")
    seeded = random.Random(5)
    states, found, nodes = search.starts(), 0, 0
    quiet, bound = np.zeros(1, np.uint8), np.full(1, UNBOUNDED)
    while states:
        outcome = search.advance(states.pop(), Orders(60, nodes=seeded.randint(1, 900)), quiet, bound)
        found, nodes = found + outcome.found, nodes + outcome.nodes
        if outcome.rest is not None:
            states += search.divide(outcome.rest, seeded.randint(1, 3))
    assert (found, nodes) == (960, run(search, most=None).nodes)


def test_a_foreign_cursor_is_refused() -> None:
    mine, other = (LayingModel.of(decompose(host, "path")).search("solve") for host in ("K6", "K8"))
    quiet, bound = np.zeros(1, np.uint8), np.full(1, UNBOUNDED)
    rest = other.advance(other.starts()[0], Orders(60, nodes=40), quiet, bound).rest
    assert rest is not None
    assert len(Cursor.load(rest).levels) > 3
    with pytest.raises(BadInput, match=r"does not fit|levels deep"):
        mine.advance(rest, Orders(60), quiet, bound)


def test_degrees_that_no_copies_make_up() -> None:
    found = decompose("K12", "0-1,1-2,2-3,0-4,0-5,0-6,0-7,1-8,2-9,3-10,3-11").solve()
    assert (found.status, found.nodes) == ("none", 0)
    assert "is no sum of 6 degrees of the part (1, 3, 5)" in found.why


@pytest.mark.parametrize(
    ("host", "part", "symmetry", "right"), [("K3,3", "star-4", "(3 4 5)", 2), ("0-2,0-3,1-2,1-3", "path-3", "(2 3)", 2)]
)
def test_what_was_laid_under_a_symmetry_is_not_called_all(host: str, part: str, symmetry: str, right: int) -> None:
    puzzle = decompose(host, part, symmetry=symmetry)
    assert puzzle.count().solutions == right
    laid = puzzle.solve(None, method="laying")
    assert laid.status == "open"
    assert laid.solutions < right


def test_large_hosts_are_laid_too() -> None:
    """By base copies there are few to lay, however many edges there are."""
    for host, part, copies in (("K301", "path-3", 22_575), ("K300", "double-star", 150)):
        found = tb.decompose(host, into=part).solve(run=Here(node_limit=100_000))
        assert found.status == "solved"
        assert len(found.answers[0].parts) == copies
    for method in ("auto", "laying"):
        with pytest.raises(
            BadInput, match=r"(possible either|one after another): K1000 is too large, with 499,500 edges"
        ):
            tb.decompose("K1000", into="path-3").solve(method=method)


def test_a_count_that_takes_longer_as_a_job_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    words = ["decompose", "count", "K6", "--method", "laying"]
    assert command([*words, "--job", "slow"]) == 0
    out, err = capfd.readouterr()
    assert out == "120\n"
    assert "a cluster counts every first copy separately, which takes far longer" in err
    for more in ([], ["--job", "quiet", "--quiet"]):
        assert command([*words, *more]) == 0
        assert "by itself" not in capfd.readouterr().err
