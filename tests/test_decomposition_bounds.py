"""Decompositions: what is refused or stopped before much work, tasks that are whole or nothing, trees' automorphisms."""

from __future__ import annotations

import importlib
import math
import random
from itertools import permutations
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import tablero as tb
from tablero.decomposition import Graph, decompose, tasks
from tablero.decomposition import graph as graphs
from tablero.decomposition.automorphisms import chain, number_in_complete, order_of, placing_order, symmetry
from tablero.decomposition.copies import Orbits, format_number, order_of_turn
from tablero.decomposition.graph import igraph_of, permutation_of
from tablero.errors import BadInput
from tablero.runs.run import Here, Job


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))


def trees(most: int) -> list[Graph]:
    return [Graph.of_networkx(tree) for n in range(2, most + 1) for tree in nx.nonisomorphic_trees(n)]


def test_automorphisms_of_trees_are_those_of_bliss_and_of_brute_force() -> None:
    for tree in trees(9):
        by_bliss = chain(igraph_of(tree), [0] * tree.vertices, placing_order(tree))
        assert symmetry(tree).conditions == tuple(by_bliss)
        assert order_of(tree) == symmetry(tree).order
    for tree in trees(6):
        edges = set(tree.edges)
        kept = sum(
            all((min(p[u], p[v]), max(p[u], p[v])) in edges for u, v in tree.edges)
            for p in permutations(range(tree.vertices))
        )
        assert order_of(tree) == kept


def test_orders_of_large_graphs_cost_nothing() -> None:
    assert order_of(graphs.double_star(1000)) == 2 * math.factorial(499) ** 2
    assert order_of(graphs.path(1000)) == 2
    assert order_of(graphs.cycle(999)) == 2 * 999
    assert number_in_complete(1000, graphs.star(1000)) == 1000


def test_large_numbers_are_powers_of_ten() -> None:
    assert format_number(9_237_800) == "9,237,800"
    assert format_number(10**20) == "about 1.00·10^20"
    assert format_number(99_999 * 10**20) == "about 9.99·10^24"
    assert format_number(math.factorial(1000)) == "about 4.02·10^2567"


def test_a_limit_acts_while_copies_are_made() -> None:
    found = decompose("K4,30", "path-7").solve(None, method="matrix", run=Here(time_limit=0.001))
    assert (found.status, found.solutions, found.model) == ("open", 0, None)
    answer = found.values()
    assert (answer["status"], answer["fraction"]) == ("open", 0.0)


def test_ctrl_c_in_igraph_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken_off(**_: Any) -> Any:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise SystemError("returned a result with an exception set") from error

    with pytest.raises(KeyboardInterrupt):
        graphs.ask_igraph(broken_off)
    with pytest.raises(SystemError):
        graphs.ask_igraph(lambda: (_ for _ in ()).throw(SystemError("another")))


def test_orbits_of_edges_by_doubling_are_those_by_walking() -> None:
    seeded = random.Random(1)
    for host in (graphs.complete(9), graphs.multipartite([4, 4])):
        for word in ("2", "3", "4", "(0 1 2)(4 5)", "(0 1 2 3)(4 5 6 7)"):
            try:
                turn = permutation_of(word, host)
            except BadInput:
                continue
            orbits = Orbits.of(host, turn)
            assert orbits.order == order_of_turn(turn)
            for _ in range(20):
                edge = seeded.randrange(len(host.edges))
                met, (u, v) = set(), host.edges[edge]
                while (min(u, v), max(u, v)) not in met:
                    met.add((min(u, v), max(u, v)))
                    u, v = turn[u], turn[v]
                assert met == {host.edges[e] for e, o in enumerate(orbits.of_edge) if o == orbits.of_edge[edge]}
                assert orbits.sizes[orbits.of_edge[edge]] == len(met)


def test_a_group_that_is_too_large_is_refused_before_it_is_made() -> None:
    cycles, first = "", 0
    for length in (2, 3, 5, 7, 11, 13, 17, 19, 23):
        cycles += "(" + " ".join(map(str, range(first, first + length))) + ")"
        first += length
    with pytest.raises(BadInput, match="a group of 223,092,870 permutations: too many"):
        decompose("K100", "edge", symmetry=cycles).solve()


# Tasks


def test_a_task_that_lost_lines_proves_nothing() -> None:
    text = tasks.write(tasks.model_for(decompose("K8")))
    lines = text.splitlines(keepends=True)
    whole = Path("whole.dlx")
    whole.write_text(text)
    assert tb.decomposition.count(whole).solutions == 6720
    for name, kept in {
        "cut": lines[:50],
        "one": lines[:-1],
        "inner": lines[:100] + lines[101:],
        "head": lines[:2],
    }.items():
        path = Path(f"{name}.dlx")
        path.write_text("".join(kept))
        with pytest.raises(BadInput, match=r"copies are there|number of copies and digest"):
            tb.decomposition.read(path)
    swapped = Path("swapped.dlx")
    swapped.write_text("".join([*lines[:10], lines[11], lines[10], *lines[12:]]))
    with pytest.raises(BadInput, match="the task was changed"):
        tb.decomposition.read(swapped)
    windows = Path("windows.dlx")
    windows.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    made = tb.decomposition.read(windows).made
    assert made is not None
    assert made.copies == 560


def test_a_task_may_be_a_job_that_goes_on() -> None:
    task = tb.decomposition.parse(str(tb.decomposition.task("K8")))
    part = task.solve(None, run=Job("task", node_limit=100))
    assert part.status == "open"
    assert task.solve(None, run=Job("task")).solutions == 6720


# Classes


def test_classes_are_complete_without_all_decompositions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.import_module("tablero.decomposition.solving"), "_FEW_CLASSES", 20)
    found = tb.decompose("K8", into="matching").classes()
    assert (len(found.classes), found.labelled, found.complete, found.status) == (6, 6240, True, "complete")
    assert found.found.solutions < 6240
    assert sorted(one.group for one in found.classes) == [16, 24, 42, 64, 96, 1344]


def test_limits_hold_while_classes_are_told_apart() -> None:
    found = tb.decompose("K9", into="hamiltonian-cycle").classes(run=Here(node_limit=5000))
    assert (found.status, found.complete) == ("open", False)
