"""`tablero decompose`: tasks in streams and as jobs, rows, logs and units, given copies, checks, walks, names of graphs."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import igraph
import networkx as nx
import pytest

import tablero as tb
from tablero.cli import run
from tablero.decomposition import words
from tablero.decomposition.graph import cycle, igraph_of, path
from tablero.errors import BadInput
from tablero.runs.run import Here


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))


def ask(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> dict[str, Any]:
    capfd.readouterr()
    assert run([*arguments, "--json"]) == status
    answer: dict[str, Any] = json.loads(capfd.readouterr().out)
    return answer


def lines(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> tuple[list[str], str]:
    capfd.readouterr()
    assert run(list(arguments)) == status
    out, err = capfd.readouterr()
    return out.splitlines(), err


def test_a_task_goes_through_streams(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = lines(capfd, "decompose", "task", "K6")
    assert "90 copies, 15 columns, 450 ones" in err
    text = "\n".join(out) + "\n"
    for words_ in ((), ("--job", "kept")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert ask(capfd, "decompose", "count", "@-", *words_)["solutions"] == 120
    assert ask(capfd, "jobs", "resume", "kept")["solutions"] == 120


def test_rows_are_those_of_the_task(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["decompose", "task", "K6", "-o", "k6.dlx", "-q"]) == 0
    options = [line.split() for line in Path("k6.dlx").read_text().splitlines() if line[0] != "|"][1:]
    out, _ = lines(capfd, "decompose", "K6", "-n", "ALL", "--rows")
    assert len(out) == 120
    for line in out:
        assert sorted(edge for row in line.split() for edge in options[int(row) - 1]) == sorted(
            f"{u}-{v}" for u in range(6) for v in range(u + 1, 6)
        )
    answer = ask(capfd, "decompose", "@k6.dlx", "--rows", "-n", "2")
    assert [" ".join(map(str, row)) for row in answer["rows"]] == out[:2]


def test_the_log_adds_up(capfd: pytest.CaptureFixture[str]) -> None:
    words_ = ("decompose", "K8", "-n", "all", "--unit-nodes", "1000", "--log", "log.jsonl")
    answer = ask(capfd, *words_)
    events = [json.loads(line) for line in Path("log.jsonl").read_text().splitlines()]
    units = [event for event in events if event["event"] == "unit"]
    assert sum(unit["nodes"] for unit in units) == answer["nodes"]
    assert sum(unit["solutions"] for unit in units) == answer["solutions"] == 6720
    assert [unit["nodes"] for unit in units[:-1]] == [1000] * (len(units) - 1)
    assert [unit["unit"] for unit in units] == list(range(1, len(units) + 1))
    assert events[-1] == {**events[-1], "event": "search", "status": "complete", "solutions": 6720}
    assert sum(event["event"] == "made" for event in events) == 1
    again = [json.loads(line) for line in Path("log.jsonl").read_text().splitlines()]
    ask(capfd, *words_, "--job", "units")
    third = [json.loads(line) for line in Path("log.jsonl").read_text().splitlines()]
    solutions = [[e["solutions"] for e in one if e["event"] == "unit"] for one in (again, third)]
    assert solutions[0] == solutions[1]  # a bound on nodes cuts at the same places, with a store or without
    assert ask(capfd, "cover", "make", "langford", "7", "-o", "l.dlx")
    assert (
        ask(capfd, "cover", "count", "l.dlx", "--log", "l.jsonl", "--unit-nodes", "50", "--kernel", "bits")["nodes"] > 0
    )
    assert sum(json.loads(line)["event"] == "unit" for line in Path("l.jsonl").read_text().splitlines()) > 3


@pytest.mark.parametrize(
    "where", [("--cluster", "local:2"), ("--cluster", "local:2", "--job", "away"), ("--job", "here")]
)
@pytest.mark.usefixtures("one_local_cluster")
def test_a_task_elsewhere_is_logged(capfd: pytest.CaptureFixture[str], where: tuple[str, ...]) -> None:
    assert run(["decompose", "task", "K8", "-o", "k8.dlx", "-q"]) == 0
    capfd.readouterr()
    words_ = ("decompose", "@k8.dlx", *where, "--unit-nodes", "3000", "--log", "log.jsonl")
    answer = ask(capfd, *words_, "-n", "all")
    events = [json.loads(line) for line in Path("log.jsonl").read_text().splitlines()]
    units = [event for event in events if event["event"] == "unit"]
    assert events[0] == {"event": "made", "seconds": answer["making_seconds"]}
    assert events[0]["seconds"] > 0
    assert len(units) >= 6  # of at most 3000 nodes
    assert max(unit["nodes"] for unit in units) <= 3000
    assert sum(unit["nodes"] for unit in units) == answer["nodes"] == 16_101
    assert sum(unit["solutions"] for unit in units) == answer["solutions"] == len(answer["answers"]) == 6720
    assert all(unit["seconds"] > 0 and unit["cpu_seconds"] > 0 for unit in units)
    if "--job" in where:
        assert ask(capfd, "jobs", "resume", where[-1])["solutions"] == 6720


def test_conditions_in_the_parts_own_names(capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(capfd, "decompose", "count", "K4", "--into", "[(5,6),(6,7)]", "--conditions", "[(5,7)]")
    assert (answer["solutions"], answer["automorphisms"], answer["placements"]) == (8, 2, 12)
    out, err = lines(capfd, "decompose", "count", "K4", "--into", "[(5,6),(6,7)]", "--conditions", "[]")
    assert out == ["8"]
    assert "2 automorphisms, 24 placements under the conditions: repeated copies are taken once" in err
    with pytest.raises(BadInput, match="lose the copy"):
        tb.decompose("K4", into=[(5, 6), (6, 7)], conditions=[(5, 6)]).count()


def test_given_copies(capfd: pytest.CaptureFixture[str]) -> None:
    every = tb.decompose("K6").solve(None).answers
    for given in (["0-1,0-2,0-3,1-4,1-5"], ["0-1,0-2,0-3,1-4,1-5", "0-4,1-2,2-3,2-4,4-5"]):
        wanted = {tuple(sorted(tuple(map(int, edge.split("-"))) for edge in copy.split(","))) for copy in given}
        known = {frozenset(one.parts) for one in every if wanted <= set(one.parts)}
        puzzle = tb.decompose("K6", given=given)
        assert {frozenset(one.parts) for one in puzzle.solve(None).answers} == known
        assert puzzle.count().solutions == len(known) > 0
        text = tb.decomposition.write(puzzle)
        assert tb.decomposition.parse(text).count().solutions == len(known)
    options = [word for copy in given for word in ("--given", copy)]
    answer = ask(capfd, "decompose", "K6", *options, "--job", "rest")
    assert len(answer["answers"][0]) == 3
    assert answer["answers"][0][:2] == [
        [[int(end) for end in edge.split("-")] for edge in copy.split(",")] for copy in given
    ]
    assert ask(capfd, "jobs", "resume", "rest")["answers"] == answer["answers"]
    laid = tb.decompose("K12", into="path", given=[[(k, k + 1) for k in range(11)]]).solve().first
    assert laid is not None
    assert len(laid.parts) == 6


def test_given_copies_may_be_all(capfd: pytest.CaptureFixture[str]) -> None:
    whole = tb.decompose("K6").solve().first
    assert whole is not None
    given = [",".join(f"{u}-{v}" for u, v in part) for part in whole]
    puzzle = tb.decompose("K6", given=given)
    assert [frozenset(one.parts) for one in puzzle.solve(None).answers] == [frozenset(whole.parts)]
    assert (puzzle.count().solutions, puzzle.solve().status, puzzle.solve(None).status) == (1, "solved", "complete")
    assert tb.decomposition.parse(tb.decomposition.write(puzzle)).solve().first == puzzle.solve().first
    options = [word for copy in given for word in ("--given", copy)]
    out, err = lines(capfd, "decompose", "K6", *options, "--edges-file", "k6.txt", "--svg", "k6.svg")
    assert out == [copy.replace(",", " ") for copy in given] == Path("k6.txt").read_text().splitlines()
    assert "1 decomposition (as asked)" in err
    assert ask(capfd, "decompose", "K6", *options)["answers"] == [whole.answer]
    assert ask(capfd, "decompose", "K6", *options, "--job", "all")["solutions"] == 1
    assert lines(capfd, "decompose", "check", "K6", *options, "k6.txt")[0] == ["decomposition 1: right"]
    # What is left may be less than a part: then there is none, which is no bad input.
    _, err = lines(capfd, "decompose", "K6", *options, "--job", "all")
    assert "the given copies contain all edges: no search is needed, and no job is stored" in err
    assert run(["jobs", "show", "all"]) == 2
    capfd.readouterr()
    assert run(["decompose", "task", "K6", *options, "-o", "all.dlx"]) == 2
    assert "the given copies contain all edges of K6: nothing is left for a task" in capfd.readouterr().err
    assert not Path("all.dlx").exists()
    assert tb.decompose("K4", into="path-3", given=["0-1,1-2", "0-2,2-3"]).count().solutions == 1
    found = tb.decompose("0-1,1-2,2-3", into="path-3", given=["0-1,1-2"]).solve()
    assert (found.status, found.solutions) == ("none", 0)


def test_check_reads_back_what_was_written(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["decompose", "K6", "--into", "path", "-n", "3", "--edges-file", "edges.txt", "-q"]) == 0
    walks = capfd.readouterr().out
    Path("walks.txt").write_text(walks)
    for name in ("edges.txt", "walks.txt"):
        out, err = lines(capfd, "decompose", "check", "K6", "--into", "path", name, "--svg", "k6.svg")
        assert out == [f"decomposition {k}: right" for k in (1, 2, 3)]
        assert "3 of 3 are decompositions" in err
        assert Path("k6.svg").read_text().startswith("<svg")
    Path("wrong.txt").write_text(Path("edges.txt").read_text().replace("0-1", "0-2", 1))
    answer = ask(capfd, "decompose", "check", "K6", "--into", "path", "wrong.txt", status=1)
    assert (answer["solutions"], answer["status"]) == (2, "complete")  # some are right, and one is not: exit status 1
    assert answer["faults"][0] is not None
    Path("one.txt").write_text(Path("wrong.txt").read_text().split("\n\n")[0] + "\n")
    answer = ask(capfd, "decompose", "check", "K6", "--into", "path", "one.txt", status=1)
    assert (answer["solutions"], answer["status"]) == (0, "none")
    Path("twice.txt").write_text(
        Path("edges.txt").read_text().split("\n\n")[0] + "\n\n" + Path("edges.txt").read_text()
    )
    assert (
        "the same as decomposition 1"
        in ask(capfd, "decompose", "check", "K6", "--into", "path", "twice.txt", status=1)["faults"]
    )


def test_check_knows_given_copies(capfd: pytest.CaptureFixture[str]) -> None:
    given = ("--given", "0-1,0-2,0-3,0-4,1-5,1-6,1-7")
    assert run(["decompose", "K8", *given, "-n", "2", "--edges-file", "whole.txt", "-q"]) == 0
    out, err = lines(capfd, "decompose", "check", "K8", *given, "whole.txt")
    assert out == ["decomposition 1: right", "decomposition 2: right"]
    assert "2 of 2 are decompositions" in err
    blocks = Path("whole.txt").read_text().split("\n\n")
    Path("rest.txt").write_text("\n\n".join("\n".join(block.splitlines()[1:]) for block in blocks))
    out, _ = lines(capfd, "decompose", "check", "K8", *given, "rest.txt", status=1)
    assert len(out) == 2
    assert all("wrong: the given copy 0-1 0-2 0-3 0-4 1-5 1-6 1-7 is not in it" in line for line in out)
    # A decomposition that has another copy instead is right without the given one, and wrong with it.
    Path("other.txt").write_text(str(tb.decompose("K8", given=["0-1,0-2,0-3,0-5,1-4,1-6,1-7"]).solve().first))
    lines(capfd, "decompose", "check", "K8", "other.txt")
    out, _ = lines(capfd, "decompose", "check", "K8", *given, "other.txt", status=1)
    assert "is not in it" in out[0]


def test_classes_show_walks(capfd: pytest.CaptureFixture[str]) -> None:
    out, _ = lines(capfd, "decompose", "classes", "K5", "--into", "cycle-5")
    assert out[0] == "class 1: group of order 20, 6 labelled"
    for line in out[1:]:
        walk = line.split("-")
        assert len(walk) == 6
        assert walk[0] == walk[-1]
    out, _ = lines(capfd, "decompose", "classes", "petersen", "--into", "path-4")
    parts = [line for line in out if line and not line.startswith("class")]
    assert parts
    assert all(len(line.split("-")) == 4 and " " not in line for line in parts)
    Path("classes.txt").write_text("\n".join(out))
    lines(capfd, "decompose", "check", "petersen", "--into", "path-4", "classes.txt")


def test_a_task_says_what_is_decomposed_and_is_a_matrix(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["decompose", "task", "K6", "-o", "k6.dlx", "-q"]) == 0
    for words_, reported in (
        (("--method", "laying"), "--method: a task needs the matrix"),
        (("--into", "path"), "--into: k6.dlx defines the whole problem"),
        (("--fold", "2"), "--fold: k6.dlx defines the whole problem"),
    ):
        _, err = lines(capfd, "decompose", "@k6.dlx", *words_, status=2)
        assert reported in err
    assert lines(capfd, "decompose", "count", "@k6.dlx", "--method", "matrix")[0] == ["120"]


def test_walks() -> None:
    assert words.walk_of(path(5).edges) == [0, 1, 2, 3, 4]
    assert words.walk_of(cycle(4).edges) == [0, 1, 2, 3, 0]
    assert words.walk_of(((0, 3), (1, 3), (2, 3))) is None
    assert words.walk_of(((0, 1), (2, 3), (2, 4), (3, 4))) is None
    assert words.walk_of(((0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5))) is None
    assert words.walk_of(((0, 1),)) is None


def test_graphs_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, like in (
        ("petersen", nx.petersen_graph()),
        ("cube", nx.cubical_graph()),
        ("Heawood", nx.heawood_graph()),
    ):
        graph = words.host_of(name)
        assert nx.is_isomorphic(nx.Graph(list(graph.edges)), like)
    assert words.host_of("Grotzsch").vertices == 11  # igraph alone has it
    monkeypatch.setitem(sys.modules, "networkx", None)
    assert len(words.host_of("petersen").edges) == 15
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(BadInput, match="an installed networkx or igraph"):
        words.host_of("petersen")


IGRAPH = """
Bull Chvatal Coxeter Cubical Diamond Dodecahedral Dodecahedron Folkman Franklin Frucht Grotzsch Heawood Herschel House HouseX
Icosahedral Icosahedron Krackhardt_Kite Levi McGee Meredith Noperfectmatching Nonline Octahedral Octahedron Petersen
Robertson Smallestcyclicgroup Tetrahedral Tetrahedron Thomassen Tutte Uniquely3colorable Walther Zachary
"""


def test_the_names_of_igraph() -> None:
    """Its famous graphs, one by one, as it spells them; and networkx has no small graph without a number besides."""
    for name in IGRAPH.split():
        graph, like = words.host_of(name), igraph.Graph.Famous(name)
        assert igraph_of(graph).isomorphic(like), name
        assert words.host_of(name.lower().replace("_", "-")).edges == graph.edges
    assert words.host_of("groetzsch").edges == words.host_of("Grotzsch").edges
    taking_numbers = {"LCF_graph", "generalized_petersen_graph"}
    for made in (nx.generators.small, nx.generators.social):
        for name in set(made.__all__) - taking_numbers:
            assert words.host_of(name).vertices == getattr(nx, name)().number_of_nodes(), name


def test_the_names_of_networkx(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of its functions that make one graph; without networkx those that igraph or a formula has."""
    known = {
        name: getattr(nx, f"{name}_graph")()
        for name in [
            "bull",
            "chvatal",
            "cubical",
            "davis_southern_women",
            "desargues",
            "diamond",
            "dodecahedral",
            "florentine_families",
            "frucht",
            "heawood",
            "hoffman_singleton",
            "house",
            "house_x",
            "icosahedral",
            "karate_club",
            "krackhardt_kite",
            "les_miserables",
            "moebius_kantor",
            "octahedral",
            "pappus",
            "petersen",
            "sedgewick_maze",
            "tetrahedral",
            "truncated_cube",
            "truncated_tetrahedron",
            "tutte",
        ]
    }
    for name, like in known.items():
        for word in (name, f"{name}_graph", name.replace("_", "-")):
            assert len(words.host_of(word).edges) == like.number_of_edges()
        assert not any(mark in str(label) for label in words.host_of(name).labels for mark in " -")
    monkeypatch.setitem(sys.modules, "networkx", None)
    for name, like in known.items():
        if name not in ("davis_southern_women", "florentine_families", "les_miserables", "sedgewick_maze"):
            assert nx.is_isomorphic(nx.Graph(list(words.host_of(name).edges)), like), name
    nauru = nx.Graph(list(words.host_of("nauru").edges))
    assert (nx.number_of_nodes(nauru), nx.girth(nauru), nx.diameter(nauru)) == (24, 6, 4)
    assert set(dict(nauru.degree()).values()) == {3}


def test_numbers_that_are_too_long_are_told_as_they_are() -> None:
    for word in ("path-99999999999999999999", "cycle-1234567890"):
        with pytest.raises(BadInput) as refused:
            tb.decompose("K5", into=word)
        assert str(refused.value).startswith(f"the part '{word}': expected ")
        assert "999999999 v" not in str(refused.value)


def test_one_is_one(capfd: pytest.CaptureFixture[str]) -> None:
    _, err = lines(capfd, "decompose", "K2", "--into", "edge")
    assert "1 copy; 1 row, 1 column, 1 one" in err
    _, err = lines(capfd, "decompose", "task", "K2", "--into", "edge", "-o", "k2.dlx")
    assert "1 copy, 1 column, 1 one" in err
    _, err = lines(
        capfd, "decompose", "K22", "--into", "hamiltonian-path", "--symmetry", "bicyclic", "--method", "laying"
    )
    assert "laid 1 base copy under a turn of order 11" in err
    Path("one.txt").write_text("1 1 1 1\n")
    _, err = lines(capfd, "edges", "show", "one.txt", "--border", "none")
    assert "read as 1 square, sides" in err
    _, err = lines(capfd, "cover", "show", "k2.dlx")
    assert "1 option, 1 one" in err


def test_all_answers_go_into_a_file(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines(capfd, "decompose", "K8", "-n", "all", "--edges-file", "k8.txt", "-q")
    blocks = Path("k8.txt").read_text().split("\n\n")
    assert len(blocks) == len(set(blocks)) == 6720
    assert all(len(block.strip().splitlines()) == 4 for block in blocks)


def test_bad_numbers_for_the_library() -> None:
    with pytest.raises(BadInput, match="unit_nodes 0: expected a whole number from 1"):
        Here(unit_nodes=0)
