"""Studies of exact cover and of decompositions: known values, and that each measures, concludes and draws."""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from studies import cover, run, study
from studies.cover import problem_of, walk
from studies.decomposition import TREES, _form, trees
from studies.report import write_all
from studies.table import Table
from tablero.cover import count, trace
from tablero.cover.solving import search_for
from tablero.search.base import Orders


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))


def measured(name: str, repetitions: int = 1, **levels: Sequence[int | str]) -> Table:
    """Some levels of a study."""
    one = study(name)
    with ThreadPoolExecutor(1) as executor:  # in this process, so that a test can patch limits
        table = run(replace(one, quick={**one.quick, **levels}), quick=True, repetitions=repetitions, executor=executor)
    assert table.rows
    assert not table.missing
    return table


# Exact cover


@pytest.mark.parametrize(("name", "size"), [("langford", 7), ("queens", 7), ("dominoes", 5), ("matchings", 6)])
def test_the_walk_by_fewest_rows_is_the_tree_of_the_kernels(name: str, size: int) -> None:
    problem = problem_of(name, size)
    found = count(problem, kernel="bits")
    assert walk(problem, "fewest", 10**6) == (found.nodes, found.solutions, True)


@pytest.mark.parametrize(("name", "size"), [("langford", 4), ("queens", 5), ("matchings", 6)])
def test_the_walk_by_the_first_column_is_that_of_the_trace(name: str, size: int) -> None:
    problem = problem_of(name, size)
    reported = trace(problem, branch="first", steps=100_000)
    assert walk(problem, "first", 10**6) == (reported.nodes, len(reported.covers), True)


def test_a_walk_stops() -> None:
    nodes, _, ended = walk(problem_of("langford", 7), "first", 100)
    assert (nodes, ended) == (100, False)


def test_all_kernels_count_what_is_known(tmp_path: Path) -> None:
    table = measured("cover-kernels", size=(4, 6, 7, 8))
    known = {
        ("langford", 4): 2, ("langford", 7): 52, ("langford", 8): 300,
        ("queens", 6): 4, ("queens", 7): 40, ("queens", 8): 92,
        ("dominoes", 7): 31_529,
        ("matchings", 4): 1, ("matchings", 6): 6, ("matchings", 8): 6_240,
    }  # fmt: skip
    assert {(row["problem"], row["size"]): row["covers"] for row in table.rows} == known
    assert "agree on 10 of 10 counts" in "\n".join(table.study.conclude(table))
    write_all(table, tmp_path / "out")


@pytest.mark.parametrize(("kernel", "nodes"), [("memo", 18), ("frontier", 19)])
def test_a_kernel_that_was_just_compiled_knows_nothing_of_the_problem(kernel: str, nodes: int) -> None:
    search = search_for(problem_of("langford", 4), "count", kernel)
    search.warm()
    outcome = search.advance(search.starts()[0], Orders(10.0, keep=False), np.zeros(1, np.uint8), np.zeros(1, np.int64))
    assert (outcome.nodes, outcome.found) == (nodes, 2)


def test_the_fewest_rows_make_fewer_nodes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cover, "_MOST_NODES", 4000)
    table = measured("cover-branching", size=(4, 6, 7, 8))
    nodes = {(row["problem"], row["size"], row["branch"]): row["nodes"] for row in table.where(capped=False).rows}
    assert nodes["langford", 7, "fewest"] < nodes["langford", 7, "first"]
    lines = "\n".join(table.study.conclude(table))
    assert "n = 8 more than 4,000 against 2,789, more than 1.4 times" in lines  # of Langford
    assert "more than 4,000 against more than 4,000" in lines  # of dominoes
    write_all(table, tmp_path / "out")


# Decompositions


def test_table_5_4(tmp_path: Path) -> None:
    table = measured("decomposition-sizes")
    copies = {row["n"]: row["copies"] for row in table.rows}
    assert copies == {4: 12, 6: 90, 8: 560, 10: 3_150, 12: 16_632, 14: 84_084, 16: 411_840, 18: 1_969_110}
    for row in table.rows:
        n = row["n"]
        assert row["automorphisms"] == 2 * math.factorial(n // 2 - 1) ** 2
        assert row["columns"] == n * (n - 1) // 2
        assert row["ones"] == (n - 1) * copies[n]
        assert row["agrees"]
    assert "all agree with the formula" in table.study.conclude(table)[1]
    write_all(table, tmp_path / "out")


def test_first_decompositions(tmp_path: Path) -> None:
    table = measured("decomposition-first", n=(4, 8, 10))
    assert not any(row["capped"] for row in table.rows)
    assert "0 of 6 runs were stopped" in table.study.conclude(table)[-1]
    write_all(table, tmp_path / "out")


@pytest.mark.parametrize("n", sorted(TREES))
def test_the_trees_are_all_there_are(n: int) -> None:
    forms = {_form(n, tree) for tree in trees(n)}
    assert len(forms) == len(trees(n)) == TREES[n]
    assert forms == {_form(n, tuple(tree.edges)) for tree in nx.nonisomorphic_trees(n)}


def test_which_trees_factorise(tmp_path: Path) -> None:
    table = measured("decomposition-trees")
    found = {
        n: (len(rows.where(admissible=True).rows), len(rows.where(factorises="yes").rows))
        for (n,), rows in table.by("n")
    }
    assert found == {4: (1, 1), 6: (4, 3), 8: (18, 14)}
    assert all(row["admissible"] for row in table.where(factorises="yes").rows)
    assert "14 of these factorise it, 4 do not." in "\n".join(table.study.conclude(table))
    write_all(table, tmp_path / "out")
