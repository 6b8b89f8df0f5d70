"""A search that is watched walks the tree of the kernels; its matrix, its page and the drawing of the model."""

from __future__ import annotations

import itertools
import json
import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any, Literal

import pytest

import tablero as tb
from tablero.cli import run
from tablero.cover import trace
from tablero.cover.draw import bipartite
from tablero.cover.tracing import left, player
from tablero.draw.svg import to_svg
from tablero.errors import BadInput
from tests.pages import data_of

SOURCE = [[1, 4, 7], [1, 4], [4, 5, 7], [3, 5, 6], [2, 3, 6, 7], [2, 7]]


def random_problem(seed: int) -> tb.cover.ExactCover:
    draw = random.Random(seed)
    items, late = [f"i{k}" for k in range(draw.randint(2, 6))], [f"s{k}" for k in range(draw.randint(0, 2))]
    options = []
    for _ in range(draw.randint(2, 10)):
        option: dict[Any, Any] = dict.fromkeys(draw.sample(items, draw.randint(1, min(3, len(items)))))
        for item in late:
            if draw.random() < 0.5:
                option[item] = draw.choice([None, "red", "blue"])
        options.append(option)
    return tb.cover.ExactCover(options, primary=items, secondary=late)


def brute(problem: tb.cover.ExactCover) -> set[frozenset[int]]:
    """Every cover, by trying all sets of options: it goes by names and knows nothing of the trace."""
    found = set()
    for size in range(len(problem) + 1):
        for chosen in itertools.combinations(range(len(problem)), size):
            used: dict[object, list[object]] = {}
            for option in chosen:
                for item, colour in problem.option(option).items():
                    used.setdefault(item, []).append(colour)
            primary = problem.items[: problem.primary]
            once = all(len(used.get(item, [])) == 1 for item in primary)
            shared = [hues for item, hues in used.items() if item not in primary and len(hues) > 1]
            if once and all(hues[0] is not None and len(set(hues)) == 1 for hues in shared):
                found.add(frozenset(chosen))
    return found


def test_a_trace_walks_the_tree_of_the_kernels() -> None:
    for seed in range(60):
        problem = random_problem(seed)
        watched, found = trace(problem), problem.solve(None, kernel="bits")
        assert watched.nodes == found.nodes, seed
        assert [list(cover) for cover in watched.covers] == found.chosen
        assert {frozenset(cover) for cover in watched.covers} == brute(problem)
        first = trace(problem, branch="first")
        assert {frozenset(cover) for cover in first.covers} == brute(problem)
        assert watched.status == first.status == found.status


def test_every_step_follows_from_the_one_before() -> None:
    branches: tuple[Literal["fewest", "first"], ...] = ("fewest", "first")
    for seed, branch in itertools.product(range(20), branches):
        problem = random_problem(seed)
        chosen: list[int] = []
        for step in trace(problem, branch=branch).steps:
            if step.kind == "try":
                chosen.append(step.row)
            elif step.kind == "back":
                assert chosen.pop() == step.row
            elif step.kind in ("choose", "dead"):
                columns, live = left(problem, chosen)
                item = problem.items[step.column]
                holders = {c: [r for r in live if problem.items[c] in problem.option(r)] for c in columns}
                assert list(step.rows) == holders[step.column] == [r for r in live if item in problem.option(r)]
                if branch == "fewest":
                    assert len(step.rows) == min(map(len, holders.values()))
                else:
                    assert step.column == columns[0]
            assert list(step.chosen) == chosen
        assert chosen == []


def test_the_sources_example_in_words() -> None:
    problem = tb.cover.ExactCover(SOURCE, primary=range(1, 8))
    text = str(trace(problem))
    assert "column 1 has the fewest rows, 2: rows 1, 2" in text
    assert "column 2 has no row left: a dead end" in text
    assert "every column is covered: cover 1 is rows 2, 4, 6" in text
    assert "1  1 . . 1 . . 1" in text
    assert (trace(problem).nodes, trace(problem, branch="first").nodes) == (5, 6)


def test_steps_and_covers_may_be_limited() -> None:
    problem = tb.cover.generate("langford", 4)
    assert trace(problem, steps=5).status == "open"
    assert trace(problem, most=1).status == "solved"
    assert trace(problem).status == "complete"
    assert trace(tb.cover.generate("langford", 5)).status == "none"
    with pytest.raises(BadInput, match="steps 0: expected a whole number from 1 to"):
        trace(problem, steps=0)
    with pytest.raises(BadInput, match="expected one of fewest, first"):
        trace(problem, branch="last")  # type: ignore[arg-type]


def test_the_page_has_a_frame_a_step_and_names_only_parts_that_there_are() -> None:
    for seed in range(6):
        found = trace(random_problem(seed))
        html = player(found)
        data = data_of(html)
        assert len(data) == len(found.steps) + 1
        names = set(re.findall(r'<g id="([gk]\d+)"', html))
        assert {name for frame in data for parts in frame[3].values() for name in parts} <= names
        assert len(names) == len(found.puzzle) + len(found.puzzle.items)


def test_the_model_is_drawn_as_a_bipartite_graph() -> None:
    problem = tb.cover.ExactCover(SOURCE, primary=range(1, 8))
    svg = ET.fromstring(to_svg(bipartite(problem, [1, 3, 5])))
    space = "{http://www.w3.org/2000/svg}"
    lines = svg.findall(f"{space}line")
    assert len(lines) == 17
    assert sum(float(line.get("stroke-width", "0")) > 0.1 for line in lines) == 7
    assert (len(svg.findall(f"{space}rect")), len(svg.findall(f"{space}circle"))) == (1 + 6, 7)  # on paper
    with pytest.raises(BadInput, match="too many to draw"):
        bipartite(tb.cover.generate("pentominoes", "6x10"))


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.dlx").write_text("1 2 3 4 5 6 7\n1 4 7\n1 4\n4 5 7\n3 5 6\n2 3 6 7\n2 7\n")
    Path("none.dlx").write_text("a b\na\n")
    assert run(["cover", "trace", "p.dlx", "--json", "-q"]) == 0
    reported = json.loads(capfd.readouterr().out)
    assert (reported["status"], reported["solutions"], reported["nodes"], reported["branch"]) == (
        "complete",
        1,
        5,
        "fewest",
    )
    assert reported["steps"][1] == {"kind": "try", "chosen": [1], "row": 1}
    assert run(["cover", "trace", "none.dlx", "-q"]) == 1
    assert run(["cover", "trace", "p.dlx", "--steps", "3", "-q"]) == 3
    assert run(["cover", "trace", "p.dlx", "--branch", "first", "--page", "x.html"]) == 0
    assert "Algorithm X" in Path("x.html").read_text()
    assert run(["cover", "show", "p.dlx", "--svg", "model.svg", "--solved", "--json"]) == 0
    assert json.loads(capfd.readouterr().out.splitlines()[-1])["cover"] == [2, 4, 6]
