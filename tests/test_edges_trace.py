"""A search for a board that is watched: the trees of the kernels, boards that follow from each other, the page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import tablero as tb
from tablero.cli import run
from tablero.edges import checking
from tablero.edges.generating import example, generate
from tablero.edges.puzzle import EdgePuzzle
from tablero.edges.tracing import trace
from tablero.errors import BadInput
from tests.pages import data_of

PUZZLES = {
    "example": example(),
    "square": generate(3, colours=3, seed=5),
    "oblong": generate("2x4", colours=3, seed=1),
    "triangles": generate(3, colours=4, shape="triangle", seed=1),
    "hexagons": generate(2, colours=4, shape="hexagon", seed=1),
    "tetravex": generate(3, colours=4, border=False, turning=False, seed=2),
}


@pytest.mark.parametrize("name", PUZZLES)
def test_a_trace_walks_the_trees_of_the_kernels(name: str) -> None:
    puzzle = PUZZLES[name]
    methods: dict[str, Any] = {"fewest": "fewest", "first": "scan"}
    for branch, method in methods.items():
        watched, found = trace(puzzle, branch=branch, most=None, steps=100_000), puzzle.solve(None, method=method)
        assert (watched.nodes, watched.status) == (found.nodes, found.status)
        assert [list(laying) for laying in watched.layings] == found.layings.tolist()


def fits(puzzle: EdgePuzzle, laying: tuple[int, ...], cell: int) -> int:
    """How many variants fit a cell, by trying each: nothing of the trace is used, and the joins are those of the plane."""
    joins, outside = checking.touching(puzzle.board)
    number, looks = 0, set()
    used = {v // puzzle.sides for v in laying if v >= 0}
    for variant in range(puzzle.sides * len(puzzle.pieces)):
        piece, turn = divmod(variant, puzzle.sides)
        if piece in used or (turn and not puzzle.turning):
            continue
        tried = list(laying)
        tried[cell] = variant
        shown = {(cell, s): checking.colour_at(puzzle, tried, (cell, s)) for s in range(puzzle.sides)}
        touching = [(a, b) for one, other in joins for a, b in ((one, other), (other, one)) if a[0] == cell]
        good = all(tried[b[0]] < 0 or checking.colour_at(puzzle, tried, b) == shown[a] for a, b in touching)
        if puzzle.border:
            good = good and all((shown[cell, s] == 0) == ((cell, s) in outside) for s in range(puzzle.sides))
        if good and (piece, *shown.values()) not in looks:
            looks.add((piece, *shown.values()))
            number += 1
    return number


@pytest.mark.parametrize("name", ["example", "oblong", "hexagons", "tetravex"])
def test_every_board_of_a_trace_follows_from_the_one_before(name: str) -> None:
    puzzle = PUZZLES[name]
    before = [-1] * puzzle.board.cells
    for step in trace(puzzle, steps=60, most=None).steps:
        if step.kind in ("lay", "back"):
            before[step.cell] = step.variant if step.kind == "lay" else -1
        assert list(step.laying) == before
        counts = [-1 if v >= 0 else fits(puzzle, step.laying, cell) for cell, v in enumerate(step.laying)]
        assert list(step.fit) == counts
        if step.kind in ("choose", "dead"):
            assert counts[step.cell] == min(count for count in counts if count >= 0)


def test_the_page_names_only_parts_that_there_are() -> None:
    found = trace(PUZZLES["example"])
    html = found.page()
    frames = data_of(html)
    assert len(frames) == len(found.steps) + 1
    names = set(re.findall(r' id="([pfn][\dv]+)"', html))
    for frame in frames:
        assert {part for parts in frame[3].values() for part in parts} | set(frame[4]) <= names
    assert len(re.findall(r'<g id="p', html)) == len({(s.cell, s.variant) for s in found.steps if s.kind == "lay"})
    with pytest.raises(BadInput, match="too large for a page"):
        trace(generate(21, colours=9, seed=1), steps=1).page()


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.txt").write_text(tb.edges.write(example()))
    assert run(["edges", "trace", "p.txt", "--json", "-q"]) == 0
    reported = json.loads(capfd.readouterr().out)
    assert (reported["status"], reported["solutions"], reported["branch"]) == ("solved", 1, "fewest")
    assert reported["answers"] == [example().solve(method="fewest").answers[0]]
    assert reported["steps"][0] == {"kind": "choose", "laid": 0, "cell": "r1c1", "fit": 1}
    assert run(["edges", "trace", "p.txt", "-n", "all", "--steps", "4", "-q"]) == 3
    out = capfd.readouterr().out
    assert "r2c2: fewest fit, 4" in out
    assert run(["edges", "trace", "p.txt", "--branch", "first", "--page", "x.html", "-q"]) == 0
    assert run(["edges", "trace", "p.txt", "--branch", "last"]) == 2
