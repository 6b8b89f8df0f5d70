"""The kernels of decompositions: slices, splits and threads change nothing; symmetry by three ways."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tablero.decomposition import decompose
from tablero.decomposition.copies import Orbits
from tablero.decomposition.laying import LayingModel
from tablero.decomposition.models import CountedModel, OrbitModel
from tablero.decomposition.puzzle import DecompositionPuzzle
from tablero.decomposition.solving import solve
from tablero.errors import BadInput
from tablero.runs.coordinator import run
from tablero.runs.engines import Threads
from tablero.runs.run import Here
from tablero.search.base import UNBOUNDED, Orders
from tablero.search.cursor import Cursor, Level
from tablero.search.tree import TreeSearch, read_cursor

TREES: dict[str, Any] = {
    "a fold of 2": lambda: CountedModel.of(decompose("K7", "triangle", fold=2)).search("solve"),
    "paths, two-fold": lambda: CountedModel.of(decompose("K5", "path-3", fold=2)).search("solve"),
    "a mixture": lambda: CountedModel.of(decompose("K5", {"triangle": 2, "path-3": 2})).search("solve"),
    "base paths of K10": lambda: laid(decompose("K10", "path", symmetry="bicyclic")).search("solve"),
    "base trees of K14": lambda: laid(decompose("K14", symmetry="bicyclic")).search("solve"),
    "starters of K10": lambda: laid(decompose("K10", "matching", symmetry="cyclic")).search("solve"),
}


def laid(puzzle: DecompositionPuzzle) -> LayingModel:
    return LayingModel.of(puzzle, puzzle.symmetry)


def flags() -> tuple[Any, Any]:
    return np.zeros(1, np.uint8), np.full(1, UNBOUNDED, np.int64)


def whole(search: TreeSearch) -> tuple[int, list[list[int]]]:
    outcome = search.advance(search.starts()[0], Orders(1e9), *flags())
    assert outcome.rest is None
    return outcome.nodes, outcome.answers.tolist()


def slice_of(search: TreeSearch, cursor: Cursor, budget: int) -> tuple[int, list[list[int]], Cursor | None]:
    state = search.begin(cursor)
    answers = np.empty((budget, search.width), np.int32)
    nodes, found = search.step(state, answers, budget, budget, *flags())
    return nodes, answers[:found].tolist(), read_cursor(state)


@pytest.mark.parametrize("name", TREES)
def test_slices_and_splits_change_nothing(name: str) -> None:
    search = TREES[name]()
    nodes, answers = whole(search)
    assert answers
    choose = random.Random(name)
    units, pieces, split_nodes, splits = [Cursor()], [], 0, 0
    while units:
        unit = units.pop(choose.randrange(len(units)))
        more, found, rest = slice_of(search, unit, choose.randrange(1, 300) if splits < 100 else 10**5)
        split_nodes += more
        pieces.append((unit.path, found))
        if rest is not None:
            parts = rest.divide(2 if splits < 100 else 1)
            splits += len(parts) - 1
            units += parts
    in_order = [answer for _, found in sorted(pieces, key=lambda piece: piece[0]) for answer in found]
    assert (split_nodes, in_order) == (nodes, answers)


@pytest.mark.parametrize("name", TREES)
def test_threads_and_pickles_change_nothing(name: str) -> None:
    search = pickle.loads(pickle.dumps(TREES[name]()))
    nodes, answers = whole(search)
    engine = Threads(2)
    result = run(search, engine=engine)
    engine.close()
    assert (result.nodes, result.answers.tolist()) == (nodes, answers)
    assert (result.status, result.fraction) == ("complete", 1.0)
    again = pickle.loads(pickle.dumps(search))
    assert again.digest() == search.digest()


@pytest.mark.parametrize("name", TREES)
def test_cursors_of_other_problems_are_refused(name: str) -> None:
    search = TREES[name]()
    with pytest.raises(BadInput, match="does not fit"):
        search.advance(Cursor((Level(0, 0, 997),)).store(), Orders(1.0), *flags())


def invariant(host: str, part: str, symmetry: str) -> int:
    """Decompositions with an automorphism, sifted from all."""
    turn = decompose(host, part, symmetry=symmetry).symmetry
    assert turn is not None

    def moved(piece: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        return tuple(sorted((min(turn[u], turn[v]), max(turn[u], turn[v])) for u, v in piece))

    every = decompose(host, part).solve(None).answers
    return sum(Counter(map(moved, found.parts)) == Counter(found.parts) for found in every)


@pytest.mark.parametrize(
    ("host", "part", "symmetry", "laid"),
    [
        ("K6", "double-star", "bicyclic", True),
        ("K6", "path", "bicyclic", True),
        ("K6", "0-1,1-2,2-3,2-4,4-5", "bicyclic", True),
        ("K6", "matching", "cyclic", True),
        ("K8", "matching", "cyclic", True),
        ("K7", "triangle", "cyclic", True),
        ("K8", "matching", "2", False),
        ("K8", "double-star", "4", False),
        ("K8", "double-star", "(0 1 2)(3 4 5)", False),
        ("K9", "triangle", "cyclic", False),
        ("K9", "triangle", "3", False),
        ("K4,4", "matching", "bicyclic", False),
    ],
)
def test_symmetric_ones_are_those_of_all_that_have_it(host: str, part: str, symmetry: str, laid: bool) -> None:
    puzzle = decompose(host, part, symmetry=symmetry)
    known = invariant(host, part, symmetry)
    assert solve(puzzle, None, method="orbits").solutions == known
    if laid:
        assert solve(puzzle, None, method="laying").solutions == known


@pytest.mark.parametrize(
    ("host", "part", "symmetry"),
    [
        ("K7", "path-4", "cyclic"),
        ("K7", "star-4", "cyclic"),
        ("K9", "path-5", "cyclic"),
        ("K9", "cycle-4", "cyclic"),
        ("K9", "0-1,1-2,2-3,1-4", "cyclic"),
        ("K10", "double-star", "bicyclic"),
        ("K10", "path", "bicyclic"),
        ("K10", "matching", "cyclic"),
        ("K10", "0-1,1-2,2-3,3-4,2-5,5-6,2-7,7-8,8-9", "bicyclic"),
    ],
)
def test_orbits_and_base_copies_agree(host: str, part: str, symmetry: str) -> None:
    puzzle = decompose(host, part, symmetry=symmetry)
    orbits, base = solve(puzzle, None, method="orbits"), solve(puzzle, None, method="laying")
    assert {frozenset(one.parts) for one in orbits.answers} == {frozenset(one.parts) for one in base.answers}


def test_symmetry_with_folds_and_mixtures() -> None:
    twofold = decompose("K7", "triangle", fold=2, symmetry="cyclic")
    assert isinstance(OrbitModel.of(twofold), OrbitModel)
    # Cyclic 2-(7,3,2): the two cyclic Fano planes, each twice or both, and others; all are checked as they are found.
    assert twofold.count().solutions == len(twofold.solve(None).answers) >= 3
    mixed = decompose("K7", {"triangle": 7}, symmetry="cyclic")
    assert mixed.count().solutions == 2


@pytest.mark.parametrize("part", ["double-star", "hamiltonian-path"])
def test_thirty_vertices_by_a_base_copy(part: str) -> None:
    found = decompose("K30", part, symmetry="bicyclic").solve()
    assert found.status == "solved"
    assert found.first is not None
    assert len(found.first) == 15


# One copy of every orbit


@pytest.mark.parametrize(
    ("host", "part", "symmetry"),
    [
        ("K9", "triangle", "cyclic"),  # the one order without a decomposition
        ("K15", "triangle", "cyclic"),  # a short orbit of triangles
        ("K12", "cycle-4", "bicyclic"),  # short orbits of edges, too
        ("K9", "path-4", "3"),  # three first vertices
        ("K10", "3-0,3-1,3-2,2-4", "(0 3 1 9 2)(4 8 6 5 7)"),
        ("K2,2,2,2", "star-4", "(0 2 4 6)(1 3 5 7)"),
        ("K6,6", "cycle-6", "(0 6 1 7 2 8 3 9 4 10 5 11)"),
        ("cube", "path-4", "(0 1 2 3)(4 5 6 7)"),
    ],
)
def test_one_copy_of_every_orbit_stands_for_all_copies(host: str, part: str, symmetry: str) -> None:
    if host == "cube":
        host = "0-1,1-2,2-3,0-3,4-5,5-6,6-7,4-7,0-4,1-5,2-6,3-7"
    puzzle = decompose(host, part, symmetry=symmetry)
    assert puzzle.symmetry is not None
    every, few = OrbitModel.of(puzzle), OrbitModel.of_few(puzzle, Orbits.of(puzzle.host, puzzle.symmetry))
    assert every.copies == few.copies == len(every.table)
    assert every.size == few.size
    orbits = [
        {frozenset(model.parts([k])): int(model.length[k]) for k in range(len(model.first))} for model in (every, few)
    ]
    assert orbits[0] == orbits[1]
    assert all(len(orbit) == length for orbit, length in orbits[0].items())
    shuffled = few.shuffled(3)
    assert {frozenset(shuffled.parts([k])) for k in range(len(shuffled.first))} == set(orbits[0])


def test_triple_systems_that_a_turn_leaves_as_they_are() -> None:
    """On 105, 111 and 117 points by one triangle of each orbit; on 105 the orders that come first lead nowhere."""
    for n in (105, 111, 117):
        found = decompose(f"K{n}", "triangle", symmetry="cyclic").solve(run=Here(node_limit=3_000_000))
        triples = {frozenset(end for edge in part for end in edge) for part in found.answers[0].parts}
        assert len(triples) == n * (n - 1) // 6
        assert {frozenset((end + 1) % n for end in triple) for triple in triples} == triples
        assert (
            len({frozenset((u, v)) for triple in triples for u in triple for v in triple if u < v}) == n * (n - 1) // 2
        )
        assert found.copies == n * (n - 1) * (n - 2) // 6
