"""Copies annealed, and degrees dealt out: answers against brute force, states that go on, what is refused."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from tablero.decomposition import decompose
from tablero.decomposition.laying import AnnealModel, odd_turn
from tablero.decomposition.necessary import obstacle
from tablero.errors import BadInput
from tablero.runs.run import Here, Job
from tablero.search.base import UNBOUNDED, Orders
from tablero.search.portfolio import pack

# Trees that laying copy after copy did not find in half a minute.
HARD = {
    16: "0-1,1-2,2-3,3-4,4-5,5-6,6-7,7-8,8-9,6-10,4-11,7-12,3-13,8-14,1-15",
    24: "0-1,1-2,2-3,3-4,4-5,5-6,6-7,7-8,8-9,9-10,10-11,11-12,12-13,13-14,13-15,9-16,2-17,3-18,2-19,3-20,2-21,10-22,10-23",
    28: "0-1,1-2,2-3,3-4,4-5,5-6,1-7,4-8,4-9,5-10,1-11,1-12,1-13,5-14,3-15,3-16,1-17,1-18,1-19,3-20,1-21,1-22,4-23,1-24,"
    "1-25,0-26,3-27",
}


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize("n", HARD)
def test_what_laying_does_not_find(n: int) -> None:
    found = decompose(f"K{n}", HARD[n]).solve()
    assert found.status == "solved"
    assert sorted(edge for piece in found.answers[0].parts for edge in piece) == list(combinations(range(n), 2))


@pytest.mark.parametrize(
    ("host", "part", "symmetry"),
    [
        ("K6", "path", None),
        ("K7", "triangle", None),  # leaves vertices out
        ("K3,4", "path-4", None),  # pairs that are no edges
        ("K9", "0-1,1-2,2-3,1-4", "cyclic"),
        ("K14", "path", "bicyclic"),
        ("K13", "triangle", "cyclic"),
    ],
)
def test_any_host_and_part(host: str, part: str, symmetry: str | None) -> None:
    found = decompose(host, part, symmetry=symmetry).solve(method="anneal", run=Here(node_limit=10_000_000))  # checked
    assert (found.status, found.values()["method"], found.values()["solutions"]) == ("solved", "anneal", 1)


def test_what_it_is_not_for() -> None:
    puzzle = decompose("K6", "path")
    with pytest.raises(BadInput, match="anneal finds only one decomposition"):
        puzzle.solve(2, method="anneal")
    with pytest.raises(BadInput, match="method anneal: expected one of auto, matrix, laying, orbits"):
        puzzle.count(method="anneal")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="copies cannot be annealed: it is for one part"):
        decompose("K6", "path", fold=2).solve(method="anneal")
    with pytest.raises(BadInput, match="base copies cannot be annealed: there are orbits of 2 edges"):
        decompose("K8", "path", symmetry="bicyclic").solve(method="anneal")


def test_not_to_arrive_proves_nothing() -> None:
    puzzle = decompose("K6", "0-1,1-2,1-3,0-4,4-5")  # degrees know of no reason
    assert (obstacle(puzzle), puzzle.solve(method="matrix").status) == (None, "none")
    assert puzzle.solve(method="anneal", run=Here(node_limit=20_000)).status == "open"


def test_a_job_goes_on_as_if_never_stopped() -> None:
    puzzle = decompose("K16", HARD[16])
    whole = puzzle.solve(method="anneal", run=Job("whole"))
    parts = puzzle.solve(method="anneal", run=Job("parts", node_limit=5_000))
    assert (parts.status, parts.solutions) == ("open", 0)
    parts = puzzle.solve(run=Job("parts"))  # how it was begun is known
    assert (parts.status, parts.values()["method"]) == ("solved", "anneal")
    assert whole.status == "solved"


def test_a_state_goes_on_and_a_damaged_one_is_refused() -> None:
    search = AnnealModel.of(decompose("K12", "path"), odd_turn(12), seeds=(3,)).search("solve")
    quiet, bound = np.zeros(1, np.uint8), np.full(1, UNBOUNDED)
    whole = search.advance(search.starts()[0], Orders(60), quiet, bound)
    state, nodes = search.starts()[0], 0
    while True:
        outcome = search.advance(state, Orders(60, nodes=100), quiet, bound)
        nodes += outcome.nodes
        if outcome.rest is None:
            break
        state = outcome.rest
    assert (nodes, outcome.answers.tolist()) == (whole.nodes, whole.answers.tolist())
    fresh = search.fresh(3)
    for name, place, value, words in (
        ("place", (0, 0), 99, "not on every vertex"),
        ("covered", 0, 7, "the covered orbits"),
        ("excess", 0, 40, "the excess"),
        ("numbers", 1, 0, "a cost of 0"),
    ):
        array = getattr(fresh, name).copy()
        array[place] = value
        with pytest.raises(BadInput, match=words):
            search.advance(state[:8] + pack(fresh._replace(**{name: array})), Orders(60), quiet, bound)


# Degrees


def dealt(degrees: list[int], copies: int, sums: list[int]) -> bool:
    """Whether there is a table, a row a vertex and a column a copy, whose columns are those degrees in some order."""

    def fill(rows: tuple[int, ...], stock: Counter[int]) -> bool:
        if not rows:
            return not +stock
        for hand in {tuple(sorted(hand)) for hand in product(set(degrees), repeat=copies)}:
            need = Counter(hand)
            if sum(hand) == rows[0] and all(stock[d] >= k for d, k in need.items()) and fill(rows[1:], stock - need):
                return True
        return False

    return fill(tuple(sums), Counter({d: k * copies for d, k in Counter(degrees).items()}))


def test_degrees_against_brute_force() -> None:
    seeded, reported = random.Random(2), Counter[bool]()
    for _ in range(400):
        n = seeded.choice((6, 8))
        tree = [(seeded.choice((0, seeded.randrange(v), max(v - 3, 0))), v) for v in range(1, n)]
        puzzle = decompose(f"K{n}", tree)
        known = dealt(list(puzzle.parts[0].graph.degrees), n // 2, [n - 1] * n)
        assert (obstacle(puzzle) is None) == known, tree
        reported[known] += 1
    assert min(reported[True], reported[False]) > 50


def test_degrees_of_any_host_against_brute_force() -> None:
    seeded, reported = random.Random(4), Counter[bool]()
    while reported.total() < 150:
        pairs = list(combinations(range(6), 2))
        host = seeded.sample(pairs, seeded.choice((6, 8, 9)))
        part = seeded.choice(("path-4", "star-4", "0-1,1-2,2-0,2-3", "path-3", "0-1,1-2,1-3,3-4"))
        puzzle = decompose(host, part)
        graph = puzzle.parts[0].graph
        if graph.vertices > puzzle.host.vertices or len(host) % len(graph.edges):
            continue
        degrees = list(graph.degrees) + [0] * (puzzle.host.vertices - graph.vertices)
        known = dealt(degrees, len(host) // len(graph.edges), list(puzzle.host.degrees))
        assert (obstacle(puzzle) is None) == known, (host, part)
        reported[known] += 1
    assert min(reported[True], reported[False]) > 5


def test_degrees_that_cannot_be_dealt_out() -> None:
    """Each of nine degrees of 7 needs two of 2 beside it, or one of 3: there are but nine of 2."""
    found = decompose("K18", "0-1,1-2,2-3,3-4,0-5,3-6,2-7,1-8,1-9,3-10,3-11,1-12,3-13,2-14,3-15,2-16,1-17").solve()
    assert (found.status, found.nodes) == ("none", 0)
    assert found.why == (
        "the degrees of the 9 copies (9 × 7, 9 × 6, 9 × 5, 9 × 2, 126 × 1) cannot be dealt out to the 18 vertices, "
        "9 to each with the sum 17"
    )
