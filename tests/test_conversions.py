"""Answers as tables of pandas and graphs of networkx."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import tablero as tb
from tablero.errors import MissingExtra
from tablero.runs.findings import Findings

SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def findings() -> dict[str, Findings[Any]]:
    return {
        "cover": tb.cover.ExactCover([["a", "b"], ["c"], ["a"], ["b", "c"]]).solve(None),
        "decomposition": tb.decompose("K4", into="path-4").solve(2),
        "edges": tb.edges.generate(3, colours=3, seed=1).solve(1),
        "queens": tb.queens.Queens(6).solve(None),
        "sliding": tb.sliding.parse("1 2 3/4 5 6/0 7 8").solve(method="optimal"),
        "warehouse": tb.warehouse.generate(9, seed=3).solve(method="exchange"),
        "sudoku": tb.sudoku.parse(SUDOKU).solve(),
    }


COLUMNS = {
    "cover": ["option", "item"],
    "decomposition": ["part", "u", "v"],
    "edges": ["cell", "piece", "turn"],
    "queens": ["row", "column"],
    "sliding": ["move", "way"],
    "warehouse": ["move", "tile", "way", "row", "column"],
    "sudoku": ["row", "column", "digit"],
}
ROWS = {"cover": 6, "decomposition": 12, "edges": 9, "queens": 24, "sliding": 2, "warehouse": 372, "sudoku": 81}


def test_every_family_has_a_table_of_its_answers() -> None:
    pytest.importorskip("pandas")
    for name, found in findings().items():
        frame = found.to_frame()
        assert list(frame.columns) == ["answer", *COLUMNS[name]], name
        assert len(frame) == ROWS[name], name
        assert frame["answer"].max() == found.solutions, name


def test_a_table_holds_what_was_found() -> None:
    pytest.importorskip("pandas")
    found = tb.queens.Queens(6).solve(None)
    boards = [group["column"].tolist() for _, group in found.to_frame().groupby("answer")]
    assert boards == found.to_list()
    cells = tb.sudoku.parse(SUDOKU).solve()
    assert "".join(cells.to_frame()["digit"]) == cells.answers[0]
    assert tb.queens.Queens(3).solve(None).to_frame().empty


def test_graphs_for_networkx() -> None:
    nx = pytest.importorskip("networkx")
    (answer,) = tb.decompose("K4", into="path-4").solve(1).answers
    graph = answer.to_networkx()
    assert nx.is_isomorphic(graph, nx.complete_graph(4))
    assert sorted(graph.degree()) == [(0, 3), (1, 3), (2, 3), (3, 3)]
    for number in (1, 2):
        part = nx.Graph([(u, v) for u, v, k in graph.edges(data="part") if k == number])
        assert nx.is_isomorphic(part, nx.path_graph(4))
    assert nx.is_isomorphic(answer.host.to_networkx(), nx.complete_graph(4))
    (folded,) = tb.decompose("K3", into="path-3", fold=2).solve(1).answers
    assert folded.to_networkx().is_multigraph()
    assert folded.to_networkx().number_of_edges() == 6


def test_a_cover_is_a_bipartite_graph() -> None:
    nx = pytest.importorskip("networkx")
    graph = tb.cover.ExactCover([{"a": None, "x": "red"}, {"b": None, "x": "red"}], secondary=["x"]).to_networkx()
    assert nx.is_bipartite(graph)
    assert graph[("option", 0)][("item", "x")]["colour"] == "red"
    assert [graph.nodes["item", item]["primary"] for item in "abx"] == [True, True, False]


def test_without_the_packages_the_extra_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    found = tb.queens.Queens(4).solve()
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match="notebooks"):
        found.to_frame()
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(MissingExtra, match="notebooks"):
        tb.cover.ExactCover([["a"]]).to_networkx()
