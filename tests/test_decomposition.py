"""Decompositions: known copies and counts by every route, classes with their groups, reasons against, tasks, words."""

from __future__ import annotations

import math
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import tablero as tb
from tablero.cover.kernels.search import KERNELS
from tablero.decomposition import DecompositionPuzzle, Graph, decompose, reduced, tasks, words
from tablero.decomposition import graph as graphs
from tablero.decomposition.automorphisms import number_in_complete, symmetry
from tablero.decomposition.checking import Checker
from tablero.decomposition.copies import copies
from tablero.decomposition.models import CountedModel, CoverModel
from tablero.decomposition.necessary import obstacle
from tablero.decomposition.solving import solve
from tablero.errors import BadInput
from tablero.runs.coordinator import run
from tablero.runs.findings import Result
from tablero.runs.run import HERE, Here
from tablero.runs.session import Session


@pytest.mark.parametrize(("n", "known"), [(4, 12), (6, 90), (8, 560), (10, 3150), (16, 411_840)])
def test_copies_of_the_double_star(n: int, known: int) -> None:
    model = CoverModel.of(decompose(f"K{n}"))
    edges = n * (n - 1) // 2
    assert (model.copies, model.size) == (known, (known, edges, known * (n - 1)))
    assert number_in_complete(n, graphs.double_star(n)) == known


def test_the_largest_of_the_source() -> None:
    assert number_in_complete(18, graphs.double_star(18)) == 1_969_110


def by_brute_force(host: Graph, part: Graph) -> set[frozenset[int]]:
    found = set()
    for images in permutations(range(host.vertices), part.vertices):
        edges = [int(host.numbers[images[u], images[v]]) for u, v in part.edges]
        if min(edges) >= 0:
            found.add(frozenset(edges))
    return found


@pytest.mark.parametrize("host", ["K6", "K3,4", "K2,2,2", "0-1,1-2,2-3,3-0,0-2,4-0,4-1"])
@pytest.mark.parametrize(
    "part", ["path-4", "cycle-4", "star-4", "triangle", "matching-4", "0-1,1-2,2-0,2-3", "0-1,1-2,2-3,1-4"]
)
def test_copies_against_brute_force(host: str, part: str) -> None:
    graph = words.host_of(host)
    piece = words.part_of(part, graph).graph
    rows = copies(graph, piece)
    assert {frozenset(row) for row in rows.tolist()} == by_brute_force(graph, piece)
    assert len({frozenset(row) for row in rows.tolist()}) == len(rows)


def test_orders_of_automorphism_groups() -> None:
    for part, order in (
        (graphs.path(7), 2),
        (graphs.cycle(7), 14),
        (graphs.star(7), math.factorial(6)),
        (graphs.matching(8), 2**4 * 24),
        (graphs.double_star(10), 2 * 24**2),
        (graphs.complete(5), 120),
    ):
        assert symmetry(part).order == order


KNOWN: list[tuple[str, str, int]] = [
    *(("K" + str(n), "double-star", count) for n, count in ((4, 6), (6, 120), (8, 6720), (10, 967_680))),
    *(("K" + str(n), "matching", count) for n, count in ((4, 1), (6, 6), (8, 6240))),
    *(("K" + str(n), "triangle", count) for n, count in ((7, 30), (9, 840))),
    *(("K" + str(n), "hamiltonian-cycle", count) for n, count in ((5, 6), (7, 960))),
    *(("K" + str(n), "hamiltonian-path", count) for n, count in ((4, 6), (6, 960))),
]


@pytest.mark.parametrize(("host", "part", "known"), KNOWN)
def test_labelled_counts_by_every_route(host: str, part: str, known: int) -> None:
    puzzle = decompose(host, part)
    assert puzzle.count().solutions == known
    if known <= 10_000:
        model = CoverModel.of(puzzle)
        assert {model.cover.count(kernel=kernel).solutions for kernel in KERNELS} == {known}
        assert puzzle.solve(None).solutions == known
        # The same by the kernel of multicovers, which knows nothing of exact covers.
        assert run(CountedModel.of(puzzle).search("solve"), most=None).solutions == known


@pytest.mark.parametrize(
    ("host", "part", "known"),
    [
        ("K10", "matching", 1_225_566_720),
        ("K9", "hamiltonian-cycle", 40_037_760),
        ("K8", "hamiltonian-path", 40_037_760),
        ("K13", "triangle", 1_197_504_000),
    ],
)
def test_large_labelled_counts(host: str, part: str, known: int) -> None:
    assert decompose(host, part).count().solutions == known


def counted_up_to_isomorphism(puzzle: DecompositionPuzzle) -> Result:
    with Session(HERE) as session:
        return reduced.count(CoverModel.of(puzzle), session)


@pytest.mark.parametrize(("host", "part", "known"), [*KNOWN, ("K4,4", "matching", 24), ("K4,6", "cycle-4", 1575)])
def test_counts_up_to_isomorphism_of_what_is_left(host: str, part: str, known: int) -> None:
    found = counted_up_to_isomorphism(decompose(host, part))
    assert (found.solutions, found.status, found.fraction) == (known, "complete", 1.0)


def test_counts_of_mixtures_up_to_isomorphism() -> None:
    for into in (["triangle", "path-3"], ["cycle-4", "triangle", "path-3"]):
        puzzle = decompose("K5", into)
        assert counted_up_to_isomorphism(puzzle).solutions == multisets(puzzle)


@pytest.mark.parametrize(("n", "known"), [(4, 1), (6, 6), (8, 960), (10, 90_720)])
def test_perfect_one_factorisations(n: int, known: int) -> None:
    assert decompose(f"K{n}", "matching", perfect=True).count().solutions == known


def test_perfect_ones_are_the_perfect_ones_of_all() -> None:
    perfect = {frozenset(found.parts) for found in decompose("K8", "matching", perfect=True).solve(None).answers}
    checker = Checker(decompose("K8", "matching", perfect=True))
    every = decompose("K8", "matching").solve(None).answers
    assert perfect == {frozenset(found.parts) for found in every if checker.fault(found.parts) is None}


def test_all_of_k10_in_a_small_tree() -> None:
    found = decompose("K10").solve(None)
    assert (found.solutions, found.status) == (967_680, "complete")
    assert found.nodes == 2_349_271


@pytest.mark.parametrize(
    ("n", "groups"), [(4, [4]), (6, [6]), (8, [24, 8]), (10, [10, 6])], ids=["K4", "K6", "K8", "K10"]
)
def test_classes_of_the_double_star(n: int, groups: list[int]) -> None:
    found = decompose(f"K{n}").classes()
    assert found.complete
    assert sorted(found.groups) == sorted(groups)
    assert sum(math.factorial(n) // group for group in groups) == found.labelled


def test_other_classes() -> None:
    assert len(decompose("K8", "matching").classes().classes) == 6
    assert decompose("K7", "triangle").classes().groups == [168]
    assert decompose("K9", "triangle").classes().groups == [432]
    # The four designs 2-(7,3,2): one has every triple twice, and a triple taken twice is one part of another colour.
    assert decompose("K4", "triangle", fold=2).classes().groups == [24]
    assert [one.labelled for one in decompose("K7", "triangle", fold=2).classes().classes] == [30, 105, 120, 210]


def trees(n: int) -> list[Any]:
    return [tree for tree in nx.nonisomorphic_trees(n) if max(degree for _, degree in tree.degree()) <= n // 2]


def test_which_trees_on_six_vertices_factorise() -> None:
    assert sorted(decompose("K6", tree).count().solutions for tree in trees(6)) == [0, 120, 240, 960]


def test_which_trees_on_eight_vertices_factorise() -> None:
    admissible = trees(8)
    assert len(admissible) == 18
    assert sum(decompose("K8", tree).solve().first is not None for tree in admissible) == 14


# Folds and mixtures


def multisets(puzzle: DecompositionPuzzle) -> int:
    """Decompositions counted from the definition: every multiset of copies, by a plain recursion over copies in order."""
    lists = [[(k, row) for row in copies(puzzle.host, part.graph).tolist()] for k, part in enumerate(puzzle.parts)]
    options = [option for rows in lists for option in rows]

    def count(first: int, left: list[int], used: list[int]) -> int:
        if not any(left):
            return int(all(part.times in (None, times) for part, times in zip(puzzle.parts, used, strict=True)))
        total = 0
        for k in range(first, len(options)):
            kind, row = options[k]
            if all(left[e] for e in row):
                for e in row:
                    left[e] -= 1
                used[kind] += 1
                total += count(k, left, used)
                used[kind] -= 1
                for e in row:
                    left[e] += 1
        return total

    return count(0, [puzzle.fold] * len(puzzle.host.edges), [0] * len(puzzle.parts))


MIXTURES: list[tuple[str, Any, int]] = [
    ("K4", "triangle", 2),
    ("K4", "path-3", 2),
    ("K4", "path-4", 2),
    ("K4", "path-3", 3),
    ("K5", {"triangle": 2, "path-3": 2}, 1),
    ("K5", {"triangle": None, "path-3": None}, 1),
    ("K5", {"cycle-4": 1, "triangle": 2}, 1),
    ("K4", {"star-4": 1, "path-4": 1}, 1),
    ("K4", {"star-4": 1, "path-4": 3}, 2),
    ("K3,3", {"path-4": 2, "star-4": 1}, 1),
]


@pytest.mark.parametrize(("host", "into", "fold"), MIXTURES)
def test_folds_and_mixtures_count_each_multiset_once(host: str, into: Any, fold: int) -> None:
    puzzle = decompose(host, into, fold=fold)
    known = multisets(puzzle)
    assert puzzle.count().solutions == known
    assert len(puzzle.solve(None).answers) == known


def test_twofold_triple_systems() -> None:
    assert decompose("K6", "triangle", fold=2).count().solutions == 12
    assert decompose("K7", "triangle", fold=2).count().solutions == 30 + 105 + 120 + 210


# What counting edges and degrees knows


@pytest.mark.parametrize(
    ("host", "into", "words"),
    [
        ("K6", "triangle", "degree 5"),
        ("K10", "hamiltonian-cycle", "45 edges"),
        ("K6", "star", "maximum degree of star-6 is 5, but at most 3"),
        ("K5", "path-4", "no multiple of the 3 edges"),
        ("K6", {"triangle": 5, "path-3": 1}, "the parts asked for have 17"),
        ("K8", "0-1,0-2,0-3,0-4,0-5,5-6,6-7", "at most 4"),
    ],
)
def test_impossible_requests_are_answered_with_the_reason(host: str, into: Any, words: str) -> None:
    found = solve(decompose(host, into))
    assert (found.status, found.nodes, found.first) == ("none", 0, None)
    assert words in found.why


def test_no_reason_is_given_where_there_is_a_decomposition() -> None:
    for host, part, _ in KNOWN:
        assert obstacle(decompose(host, part)) is None


# Words and files


@pytest.mark.parametrize("n", [1, 2, 5, 9, 62, 63, 64, 100])
def test_graph6_is_what_networkx_writes(n: int) -> None:
    graph = nx.gnp_random_graph(n, 0.3, seed=n)
    word = nx.to_graph6_bytes(graph, header=False).decode().strip()
    mine = words.of_graph6(word)
    assert (mine.vertices, set(mine.edges)) == (n, {(min(e), max(e)) for e in graph.edges()})
    assert words.to_graph6(mine) == word


def test_one_part_in_many_words(tmp_path: Path) -> None:
    (tmp_path / "p4.txt").write_text("# a path\n1 2\n2-3\n\n3 4\n")
    spelled = [
        "path-4",
        "0-1,1-2,2-3",
        "edges 0-1,1-2,2-3",
        "[(0,1),(1,2),(2, 3)]",
        "Ch",
        "graph6:Ch",
        nx.path_graph(4),
    ]
    for word in [*spelled, [(0, 1), (1, 2), (2, 3)], "@" + str(tmp_path / "p4.txt"), graphs.path(4)]:
        assert decompose("K4", word).count().solutions == 6, word


PAIRS = list(combinations("abcd", 2))


def test_hosts_of_networkx_keep_their_names() -> None:
    host = nx.relabel_nodes(nx.complete_graph(4), dict(enumerate("abcd")))
    found = tb.decompose(host, into="path").solve().first
    assert found is not None
    assert sorted("".join(sorted(map(str, edge))) for part in found for edge in part) == [*map("".join, PAIRS)]
    assert str(found).splitlines()[0].startswith("a-b")
    assert str(found._repr_svg_()).startswith("<svg")


def test_the_library_as_it_is_advertised() -> None:
    found = tb.decompose("K16", into="double-star").solve().first
    assert found is not None
    assert [len(part) for part in found.parts] == [15] * 8


def test_the_conditions_of_the_source() -> None:
    good = [(0, 1), (2, 3), (4, 5)]
    assert decompose("K6", "double-star", conditions=good).count().solutions == 120
    for few, times in (([(0, 1), (2, 3)], 2), ([], 8)):  # copies that are made again are taken once, and told
        found = tb.decomposition.count(decompose("K6", "double-star", conditions=few))
        assert (found.solutions, found.copies, found.placements, found.automorphisms) == (120, 90, 90 * times, 8)
    for bad, says in (
        ([*good, (2, 4)], "lose the copy"),
        ([(0, 1), (1, 0)], "contradict"),
        ([(0, 9)], "expected two different vertices"),
    ):
        with pytest.raises(BadInput, match=says):
            decompose("K6", "double-star", conditions=bad).count()


def test_a_task_is_read_back_with_names(tmp_path: Path) -> None:
    model = tasks.model_for(decompose("K6"))
    path = tmp_path / "k6.dlx"
    path.write_text(tasks.write(model))
    assert tb.cover.read(path).count().solutions == 120
    puzzle = tb.decomposition.read(path)
    again = puzzle.made
    assert again is not None
    assert (puzzle, again.copies) == (model.puzzle, 90)
    assert again.parts([0]) == model.parts([0])


# The check


def test_the_check_notices_what_is_wrong() -> None:
    puzzle = decompose("K6")
    found = puzzle.solve().first
    assert found is not None
    check = Checker(puzzle)
    parts = list(found.parts)
    assert check.fault(parts) is None
    assert "instead of 1" in str(check.fault(parts[:2]))
    assert "instead of 1" in str(check.fault([parts[0], parts[0], parts[1]]))
    assert "not a copy" in str(check.fault([*parts[:2], parts[2][:4]]))
    swapped = [(*parts[0][:4], parts[1][0]), (parts[0][4], *parts[1][1:]), parts[2]]
    assert check.fault([tuple(sorted(part)) for part in swapped]) is not None


def test_the_check_in_bulk_notices_it_too() -> None:
    puzzle = decompose("K6")
    found = puzzle.solve(None)
    assert found.model is not None
    answers = found.result.answers
    copies = {k: found.model.parts([k])[0] for k in np.unique(answers).tolist()}
    check = Checker(puzzle)
    assert check.fault_of_many(copies, answers) is None
    assert "twice" in str(check.fault_of_many(copies, np.concatenate([answers, answers[:1, ::-1]])))
    wrong = answers.copy()
    wrong[7, 0] = wrong[8, 1]
    assert "an edge" in str(check.fault_of_many(copies, wrong))
    assert "not a copy" in str(check.fault_of_many({**copies, 0: copies[0][:4]}, answers))
    times = Checker(decompose("K5", {"triangle": 2, "path-3": 2}))
    free = decompose("K5", ["triangle", "path-3"]).solve(None)
    assert free.model is not None
    every = {k: free.model.parts([k])[0] for k in range(free.model.copies or 0)}
    assert "requested number" in str(times.fault_of_many(every, free.result.answers))


def test_answers_come_in_one_order_however_many_threads() -> None:
    puzzle = decompose("K8")
    one, two = puzzle.solve(None), puzzle.solve(None, run=Here(threads=2))
    assert np.array_equal(one.result.answers, two.result.answers)
    assert one.result.nodes == two.result.nodes
