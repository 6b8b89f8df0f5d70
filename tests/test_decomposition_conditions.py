"""Conditions on copies: which lose one, by brute force over all orders of the part's vertices; and where copies are laid."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from pathlib import Path

import pytest

import tablero as tb
from tablero.cli import run
from tablero.decomposition.automorphisms import Condition, lose, orders_under, symmetry
from tablero.decomposition.graph import Graph, complete, cycle, double_star, matching, path, star
from tablero.decomposition.words import host_of
from tablero.errors import BadInput
from tablero.web import work as web

PARTS = [path(4), cycle(4), cycle(5), star(5), double_star(6), complete(4), matching(4)]
PARTS += [Graph(5, ((0, 1), (0, 2), (1, 2), (2, 3), (2, 4)), name="fish")]


def automorphisms(part: Graph) -> list[tuple[int, ...]]:
    edges = set(map(frozenset, part.edges))
    every = itertools.permutations(range(part.vertices))
    return [g for g in every if all(frozenset((g[u], g[v])) in edges for u, v in part.edges)]


def in_line(order: tuple[int, ...], conditions: list[Condition]) -> bool:
    return all(order[i] < order[j] for i, j in conditions)


def some_conditions(part: Graph, draw: random.Random) -> list[Condition]:
    if draw.random() < 0.4:
        return [one for one in symmetry(part).conditions if draw.random() < 0.7]
    names = draw.sample(range(part.vertices), part.vertices)
    pairs = [sorted(draw.sample(range(part.vertices), 2)) for _ in range(draw.randint(0, 4))]
    return [(names[i], names[j]) for i, j in pairs]


def test_what_is_lost_is_what_brute_force_says() -> None:
    draw, met = random.Random(1), Counter[bool | None]()
    groups = {part: automorphisms(part) for part in PARTS}
    for _ in range(150):
        part = draw.choice(PARTS)
        conditions = some_conditions(part, draw)
        orders = list(itertools.permutations(range(part.vertices)))
        assert orders_under(part.vertices, conditions) == sum(in_line(order, conditions) for order in orders)
        lost = any(not any(in_line(tuple(order[k] for k in g), conditions) for g in groups[part]) for order in orders)
        found = lose(part, conditions)
        assert found == lost, (part, conditions)
        met[found] += 1
    assert min(met[True], met[False]) > 30


def test_large_parts_are_decided_by_their_groups() -> None:
    for part in (double_star(30), cycle(20), path(40), matching(12), complete(30), star(50)):
        assert lose(part, symmetry(part).conditions) is False, part
        assert lose(part, symmetry(part).conditions[::2]) is False, part
    assert lose(double_star(16), [(0, 2)]) is True
    assert lose(path(30), [(0, 29), (1, 28)]) is True  # one turn for two of them
    assert lose(cycle(20), [(0, 1), (2, 3)]) is None


def test_copies_are_laid_under_conditions(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["decompose", "K12", "--into", "hamiltonian-path", "--conditions", "[(0,11)]"]) == 0
    out, err = capfd.readouterr()
    assert len(out.splitlines()) == 6
    assert "2 automorphisms, 239,500,800 placements under the conditions" in err
    assert "repeated" not in err
    assert run(["decompose", "K16", "--conditions", "[(2,3)]"]) == 0
    out, err = capfd.readouterr()
    assert len(out.splitlines()) == 8
    assert "10,461,394,944,000 placements under the conditions: repeated copies are taken once" in err
    with pytest.raises(BadInput, match="the conditions lose copies of double-star-16"):
        tb.decompose("K16", conditions=[(0, 2)]).solve()
    with pytest.raises(BadInput, match="the conditions lose copies of path-12"):
        tb.decompose("K12", into="path", conditions=[(0, 11), (1, 10)]).count(run=tb.Here(node_limit=1000))
    assert run(["decompose", "K16", "--conditions", "[(0,1),(2,10)]"]) == 0
    assert "whether the conditions lose a copy of double-star-16 in K16 is not decided" in capfd.readouterr().err


def test_laid_or_listed_the_numbers_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    for conditions in ([], [(2, 3)], [(0, 1), (2, 3), (4, 5)]):
        puzzle = tb.decompose("K6", conditions=conditions)
        found = [tb.decomposition.count(puzzle, method=method) for method in ("matrix", "laying")]
        assert [one.solutions for one in found] == [120, 120]
        assert found[0].placements == found[1].placements
        assert tb.decomposition.count(puzzle, run=tb.Job(f"n{len(conditions)}")).solutions == 120
    with pytest.raises(BadInput, match="lose"):
        tb.decompose("K6", conditions=[(0, 2)]).count(method="laying")
    cube = tb.decomposition.count(tb.decompose("cube", into="path-4", conditions=[]))
    assert cube.copies is not None
    assert cube.placements == 2 * cube.copies


# Conditions that may lose copies: what is said of them, against brute force over sets of edges


def all_copies(host: Graph, part: Graph, conditions: list[Condition]) -> set[frozenset[frozenset[int]]]:
    """The copies whose placements fulfil conditions."""
    edges = set(map(frozenset, host.edges))
    found = set()
    for order in itertools.permutations(range(host.vertices), part.vertices):
        copy = frozenset(frozenset((order[u], order[v])) for u, v in part.edges)
        if copy <= edges and in_line(order, conditions):
            found.add(copy)
    return found


def number_of_covers(left: frozenset[frozenset[int]], copies: set[frozenset[frozenset[int]]]) -> int:
    if not left:
        return 1
    first = min(left, key=sorted)
    return sum(number_of_covers(left - copy, copies) for copy in copies if first in copy and copy <= left)


def test_conditions_that_may_cut_copies_prove_nothing_false(monkeypatch: pytest.MonkeyPatch) -> None:
    """Laid copies are not cut, whatever the conditions: numbers are those of all copies, and the state says the rest."""
    monkeypatch.setattr("tablero.decomposition.automorphisms._MOST_ORDERED", 0)
    draw, met = random.Random(3), Counter[str]()
    hosts = [host_of(word) for word in ("cube", "K3,4", "K2,2,2", "K6", "octahedron", "K4")]
    hosts.append(Graph(6, tuple(edge for edge in complete(6).edges if edge not in ((0, 1), (2, 3), (4, 5))), name="H"))
    for _ in range(60):
        host, part = draw.choice(hosts), draw.choice([path(4), path(3), star(4), cycle(4), cycle(3)])
        if part.vertices > host.vertices or len(host.edges) % len(part.edges):
            continue
        conditions = some_conditions(part, draw)
        whole = frozenset(map(frozenset, host.edges))
        every, kept = all_copies(host, part, []), all_copies(host, part, conditions)
        right = number_of_covers(whole, every)
        puzzle = tb.decompose(host, part, conditions=conditions)
        for method in ("laying", "matrix"):
            try:
                found = tb.decomposition.count(puzzle, method=method)
            except BadInput:
                assert len(kept) < len(every), (host, part, conditions)
                met["refused"] += 1
                continue
            said = found.values()["conditions"]
            assert said["state"] == found.conditions
            assert found.solutions == right, (host, part, conditions)
            assert (found.status == "none") == (right == 0)
            if said["state"] == "kept":
                assert len(kept) == len(every), (host, part, conditions)
            if len(kept) < len(every) and not found.why:
                assert said["state"] == "undecided"
                assert "not decided" in said["why"]
                met["cut a count" if number_of_covers(whole, kept) < right else "cut copies"] += 1
            met[said["state"]] += 1
    assert min(met[word] for word in ("refused", "kept", "undecided", "unchecked", "cut a count")) > 2, met


def test_the_state_of_conditions_is_told_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    wanted = ["K4,4", "--into", "path-5", "--conditions", "[(0,1)]", "--method", "laying", "--json"]
    why = "whether the conditions lose a copy is not decided: copies are made without them"
    undecided = {"state": "undecided", "why": why}
    for more in (["solve"], ["count"], ["solve", "--job", "kept"], ["count", "--job", "counted"]):
        assert run(["decompose", *more, *wanted]) == 0
        assert json.loads(capfd.readouterr().out)["conditions"] == undecided, more
    assert run(["jobs", "resume", "kept", "--json"]) == 0  # a job says it again
    assert json.loads(capfd.readouterr().out)["conditions"] == undecided
    assert web.answers("counted", 0, 10)["conditions"] == undecided
    assert run(["decompose", "classes", "K6", "--conditions", "[(2,3)]", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["conditions"] == {"state": "kept"}
    assert run(["decompose", "K6", "--into", "star", "--conditions", "[(0,1)]", "--json"]) == 1
    assert json.loads(capfd.readouterr().out)["conditions"]["state"] == "unchecked"
    assert run(["decompose", "K6", "--json"]) == 0
    assert "conditions" not in json.loads(capfd.readouterr().out)
    form = {"host": "K16", "part": "double-star", "symmetry": "none", "conditions": "[(0,1),(2,10)]", "solutions": "1"}
    assert web.ask("decompose", "solve", form)["conditions"] == undecided
    assert run(["decompose", *wanted[:-1]]) == 0
    assert "is not decided: copies are made without them" in capfd.readouterr().err
