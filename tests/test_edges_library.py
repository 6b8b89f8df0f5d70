"""Edge matching from Python: the words of every family, runs, jobs of before, pictures; and the commands say the same."""

from __future__ import annotations

import doctest
import io
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from itertools import permutations
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tablero as tb
from tablero.cli import run
from tablero.edges.estimating import _chances, owen, profile
from tablero.edges.generating import example, generate
from tablero.edges.methods import optimiser_for, search_for
from tablero.edges.puzzle import Clue, EdgePuzzle
from tablero.errors import BadInput
from tablero.files import Source
from tablero.runs import jobs
from tablero.runs.progress import Snapshot
from tablero.runs.run import Here, Job
from tablero.search.base import UNBOUNDED, Orders
from tests.problems import printed_example
from tests.stored_jobs import stored

ROOT = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))


def asked(capfd: pytest.CaptureFixture[str], *words: str, status: int = 0) -> dict[str, Any]:
    """What a command answers as JSON."""
    capfd.readouterr()
    assert run([*words, "--json", "--quiet"]) == status
    values: dict[str, Any] = json.loads(capfd.readouterr().out)
    return values


# The words of every family


def test_a_puzzle_is_read_from_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = tb.edges.generate(4, colours=5, seed=1)
    text = tb.edges.write(puzzle)
    Path("p.txt").write_text("\ufeff" + text)
    sources: list[Source] = ["p.txt", Path("p.txt"), io.StringIO(text), io.BytesIO(text.encode()), "-"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    for source in sources:
        again = tb.edges.read(source)
        assert isinstance(again, EdgePuzzle)
        assert (again.pieces == puzzle.pieces).all()
    assert (tb.edges.parse(text).pieces == puzzle.pieces).all()
    with pytest.raises(BadInput, match=r"nowhere\.txt: No such file"):
        tb.edges.read("nowhere.txt")


def test_what_a_file_does_not_say_is_said_with_keywords() -> None:
    puzzle = generate("2x3", colours=5, seed=1)
    Path("p.csv").write_text(tb.edges.write(puzzle, style="csv", border=1))
    with pytest.raises(BadInput, match="6 pieces fill no board"):
        tb.edges.read("p.csv")
    again = tb.edges.read("p.csv", size="2x3", sides="trbl", border="1")
    assert (again.pieces == puzzle.pieces).all()
    assert tb.edges.read("p.csv", size="2x3").origin.remark.endswith("numbers of pieces left out")


def test_questions_of_a_puzzle() -> None:
    puzzle = example()
    first = puzzle.solve().first
    assert first is not None
    assert first in puzzle.solve(None).answers
    assert len(puzzle.solve(None).answers) == puzzle.count().solutions == 8
    assert len(puzzle.solve(None, up_to_turning=True).answers) == puzzle.count(up_to_turning=True).solutions == 2
    assert puzzle.solve(method="scan", order="spiral").first in puzzle.solve(None).answers
    assert printed_example().solve().first is None
    assert printed_example().count().solutions == 0
    assert list(printed_example().solve(None).answers) == []


def test_what_is_open_raises() -> None:
    hard = generate(8, colours=6, seed=5)
    little = Here(node_limit=1000)
    with pytest.raises(TimeoutError, match="stopped at"):
        hard.solve(run=little).require_answer()
    for found in (hard.solve(None, run=little), hard.count(run=little)):
        with pytest.raises(TimeoutError, match="stopped at"):
            found.require_all()
    assert hard.solve(run=little).status == "open"


def test_unknown_keywords_are_refused() -> None:
    puzzle: Any = example()
    for question, keywords in (
        (puzzle.solve, {"threads": 2}),
        (puzzle.solve, {"time_limit": 1.0}),
        (puzzle.count, {"most": 1}),
        (puzzle.optimise, {"seconds": 1.0}),
        (tb.edges.read, {"reading": None}),
    ):
        with pytest.raises(TypeError, match="unexpected keyword"):
            question(**keywords)
    with pytest.raises(TypeError):
        puzzle.optimise(10.0)


@pytest.mark.parametrize("most", [2, None])
def test_a_beam_is_asked_for_one(most: int | None) -> None:
    with pytest.raises(BadInput, match="the method beam misses solutions"):
        example().solve(most, method="beam")
    with pytest.raises(BadInput, match="the method beam misses solutions"):
        example().count(method="beam")


def test_a_proof_by_parity_is_told_alike() -> None:
    solved, counted = printed_example().solve(), tb.edges.count(printed_example())
    for found in (solved, counted):
        assert (found.status, found.method, found.nodes) == ("none", "parity", 0)
        assert "even number of times" in found.values()["why"]
    assert (solved.result.kept, counted.result.kept) == (True, False)


def test_clues_are_taken_from_the_first() -> None:
    puzzle = example()
    first = puzzle.solve().first
    assert first is not None
    clues = [(cell, first[cell][0] - 1, first[cell][1]) for cell in (4, 0, 8)]
    clued = EdgePuzzle(puzzle.pieces.tolist(), clues=clues)
    assert [len(clued.with_clues(number).clues) for number in range(4)] == [0, 1, 2, 3]
    assert clued.with_clues(1).clues[0].cell == 4
    with pytest.raises(BadInput, match="expected all, none, or a number up to the 3"):
        clued.with_clues(4)


# Library and command


@pytest.mark.parametrize("method", ["auto", "scan", "fewest", "frame", "xcc"])
def test_library_and_command_find_the_same(method: Any, capfd: pytest.CaptureFixture[str]) -> None:
    puzzle = generate(5, colours=6, seed=3)
    Path("p.txt").write_text(tb.edges.write(puzzle))
    found = puzzle.solve(None, method=method)
    reported = asked(capfd, "edges", "solve", "p.txt", "-n", "all", "--method", method)
    for key in ("status", "solutions", "nodes", "fraction", "method"):
        assert reported[key] == found.values()[key]
    assert reported["answers"] == found.to_list()
    assert (
        asked(capfd, "edges", "count", "p.txt", "--method", method)["solutions"]
        == puzzle.count(method=method).solutions
    )


def test_library_and_command_reach_the_same_score(capfd: pytest.CaptureFixture[str]) -> None:
    puzzle = generate(4, colours=4, seed=1)
    Path("p.txt").write_text(tb.edges.write(puzzle))
    best = puzzle.optimise(width=30, seed=2, run=Here(node_limit=10**7))
    reported = asked(capfd, "edges", "optimise", "p.txt", "--width", "30", "--seed", "2", "--node-limit", "10000000")
    assert (best.status, best.score, best.maximum) == ("solved", 24, 24)
    for key in ("status", "score", "maximum", "clues", "mismatches", "nodes"):
        assert reported[key] == best.values()[key]
    assert reported["answers"] == best.to_list() == list(best.answers)


def test_puzzles_are_described_as_json(capfd: pytest.CaptureFixture[str]) -> None:
    words = ("edges", "generate", "4x6", "--framed", "2,3", "--seed", "7")
    made = asked(capfd, *words)
    puzzle = generate("4x6", framed=(2, 3), seed=7)
    assert (made["status"], made["size"], made["pieces"], made["colours"]) == ("solved", "4x6", 24, 5)
    assert (tb.edges.parse(made["problem"]).pieces == puzzle.pieces).all()
    assert "problem" not in asked(capfd, *words, "-o", "p.txt")
    assert Path("p.txt").read_text() == made["problem"]
    converted = asked(capfd, "edges", "convert", "p.txt", "--to", "csv")
    assert (converted["format"], converted["size"]) == ("csv", "4x6")
    assert (tb.edges.parse(converted["problem"], size="4x6").pieces == puzzle.pieces).all()
    encoded = asked(capfd, "edges", "encode", "p.txt", "--encoding", "xcc")
    assert encoded["rows"] == len(tb.cover.parse(encoded["problem"])) == len(tb.edges.encode(puzzle).cover)
    foreseen = asked(capfd, "edges", "estimate", "p.txt", "--probes", "10")
    assert foreseen["knuth"] == tb.edges.estimate(puzzle, probes=10).probes.mean


def test_the_example_of_the_docs(capfd: pytest.CaptureFixture[str]) -> None:
    shown = re.search(r"\$ (tablero edges generate 6 .*)\n\$ (tablero edges solve .*)\n((?:[ \d/]+\n)+)", docs())
    assert shown
    capfd.readouterr()
    for command in shown[1], shown[2]:
        assert run(command.split()[1:]) == 0
    assert capfd.readouterr().out == shown[3]


def test_the_python_of_the_docs() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", docs(), re.DOTALL)
    example_of = doctest.DocTestParser().get_doctest(block, {}, "docs/edges.md", None, None)
    assert doctest.DocTestRunner().run(example_of) == (0, len(example_of.examples))


def docs() -> str:
    return (ROOT / "docs" / "edges.md").read_text()


# Runs


def test_a_job_of_the_library_goes_on_with_the_same_tree() -> None:
    puzzle = generate(5, colours=4, seed=2)
    whole = tb.edges.count(puzzle, method="scan")
    part = tb.edges.count(puzzle, method="scan", run=Job("half", node_limit=10_000))
    assert (part.status, part.nodes) == ("open", 10_000)
    seen = stored("half")
    assert (seen.status, seen.nodes, seen.solutions) == ("open", 10_000, part.solutions)
    rest = tb.edges.count(puzzle, method="scan", run=Job("half", threads=2))
    assert (rest.status, rest.nodes, rest.solutions) == (whole.status, whole.nodes, whole.solutions)
    assert jobs.describe("half").state == "finished"


def test_a_job_is_of_one_method_from_its_start() -> None:
    found = generate(6, colours=8, seed=1).solve(run=Job("auto"))
    assert (found.status, found.method) == ("solved", "scan")
    assert "first try" not in found.why
    info = jobs.describe("auto").info
    assert info is not None
    stage = {"method": "scan", "order": "rows", "one": True, "why": found.why}
    assert info.recipe == {"family": "edges", "verb": "solve", "options": {}, "most": 1, "stage": stage}


def test_a_best_board_as_a_job() -> None:
    puzzle = generate(8, framed=(3, 7), seed=2)
    some = puzzle.optimise(width=20, run=Job("best", node_limit=1))
    more = puzzle.optimise(width=20, run=Job("best", node_limit=200_000))
    assert more.nodes > some.nodes
    assert more.score >= some.score
    seen = stored("best")
    assert (seen.score, seen.nodes, seen.curve) == (more.score, more.nodes, ())
    info = jobs.describe("best").info
    assert info is not None
    assert info.recipe == {"family": "edges", "verb": "optimise", "options": {"width": 20}, "stage": {"width": 20}}


def test_the_curve_of_a_cluster_ends_with_the_score() -> None:
    puzzle = generate(8, framed=(3, 7), seed=2)
    best = puzzle.optimise(width=20, run=tb.Grid("local:1", node_limit=200_000))
    assert best.curve[-1][1] == best.score
    assert [score for _, score in best.curve] == sorted({score for _, score in best.curve})


def test_a_best_board_goes_on_with_the_width_of_its_job() -> None:
    puzzle = generate(8, framed=(3, 7), seed=2)
    short = puzzle.optimise(run=Job("best", time_limit=1.0, node_limit=1))
    long = puzzle.optimise(run=Job("best", time_limit=60.0, node_limit=1))
    assert long.nodes > short.nodes


def test_a_beam_ends_with_the_step_that_meets_the_limit_of_nodes() -> None:
    puzzle = generate(8, framed=(3, 7), seed=2)
    stop, bound = np.zeros(1, np.uint8), np.full(1, UNBOUNDED, np.int64)
    search = optimiser_for(puzzle, 40)
    one = search.advance(search.starts()[0], Orders(0.0), stop, bound)
    limited = search.advance(search.starts()[0], Orders(600.0, nodes=1), stop, bound)
    assert (limited.nodes, limited.rest) == (one.nodes, one.rest)
    several = search.advance(search.starts()[0], Orders(600.0, nodes=5 * one.nodes), stop, bound)
    assert several.nodes >= 5 * one.nodes
    assert {search.variant, search_for(puzzle, "beam").variant} == {"edges.optimise/2", "edges.beam/2"}


def test_those_who_watch_hear_the_score() -> None:
    heard: list[Snapshot] = []
    puzzle = generate(12, framed=(5, 17), seed=1)
    best = puzzle.optimise(width=30, run=Here(node_limit=1_500_000, watch=heard.append))
    reported = [snapshot for snapshot in heard if snapshot.words]
    assert reported
    assert all(re.fullmatch(r"\d+ of 264|no board yet", snapshot.words) for snapshot in reported)
    assert all(snapshot.fraction is None for snapshot in reported)
    assert best.maximum == 264
    assert heard[-1].over


# Pictures


@pytest.mark.parametrize(("shape", "size"), [("square", "4"), ("triangle", "3"), ("hexagon", "2")])
def test_a_notebook_shows_pieces_boards_and_mismatches(shape: str, size: str) -> None:
    puzzle = generate(size, colours=3, shape=shape, seed=1)
    pieces = puzzle._repr_svg_()
    assert pieces is not None
    texts = [element.text for element in ET.fromstring(pieces) if element.tag.endswith("text")]
    assert sorted(map(int, filter(None, texts))) == list(range(1, puzzle.board.cells + 1))
    assert "#d00000" not in pieces
    found = puzzle.solve()
    assert found.status == "solved"
    board = found._repr_svg_()
    assert board is not None
    assert ET.fromstring(board).tag.endswith("svg")
    assert "#d00000" not in board
    assert tb.edges.count(puzzle)._repr_svg_() is None
    assert str(puzzle)
    assert "!" not in str(puzzle)


def test_a_best_board_shows_where_it_does_not_match() -> None:
    best = generate(8, colours=6, seed=1).optimise(width=2, run=Here(node_limit=1))
    assert best.mismatches
    drawing = best._repr_svg_()
    assert drawing is not None
    assert drawing.count("#d00000") == len(best.mismatches)
    assert repr(best).startswith(f"<Best: {best.score} of 112 joins")
    assert "!" in str(best)


def test_reprs_are_short() -> None:
    found = generate(6, colours=8, seed=1).solve()
    assert re.fullmatch(r"<Layings: solved, 1 found, \S+ s>", repr(found))
    assert repr(tb.edges.generate(8, colours=12, seed=1)) == "<edge-matching puzzle: 8, 64 squares, 12 colours>"


def test_a_board_too_large_to_draw_is_told_before_the_search(capfd: pytest.CaptureFixture[str]) -> None:
    puzzle = generate(51, colours=5, seed=1)
    assert puzzle._repr_svg_() is None
    Path("p.txt").write_text(tb.edges.write(puzzle))
    assert run(["edges", "solve", "p.txt", "--svg", "b.svg"]) == 2
    assert "2,601 cells is too large to draw" in capfd.readouterr().err


def test_the_estimate_counts_sides_without_replacement() -> None:
    """With the colours of Eternity II Owen counts 1.07 · 10⁵⁰ nodes by rows, 1.63 · 10⁴⁷ with the starter."""
    puzzle = tb.edges.generate(16, framed=(5, 17), even=True, seed=1)
    by_rows = profile(puzzle, range(256))
    assert by_rows.nodes == pytest.approx(50.03, abs=0.02)
    assert by_rows.depths[-1] == pytest.approx(owen(puzzle), abs=1e-6)
    clued = replace(puzzle, clues=(Clue(8 * 16 + 7, inner_piece(puzzle), 0),))
    by_rows = profile(clued, range(256))
    assert by_rows.nodes == pytest.approx(47.21, abs=0.02)
    assert by_rows.depths[-1] == pytest.approx(owen(clued), abs=1e-6)


def inner_piece(puzzle: EdgePuzzle) -> int:
    """The first piece without a border side."""
    return next(k for k, row in enumerate(puzzle.pieces.tolist()) if all(row))


def test_the_chance_that_joins_match() -> None:
    """Against all ways to draw the sides."""
    pool = Counter({1: 4, 2: 2, 3: 1})
    sides = sorted(pool.elements())
    for n in (1, 2, 3):
        drawn = list(permutations(range(len(sides)), 2 * n))
        good = sum(all(sides[one[2 * k]] == sides[one[2 * k + 1]] for k in range(n)) for one in drawn)
        assert exp(_chances(pool, pool)[n]) == pytest.approx(good / len(drawn))
    left, right = Counter({1: 2, 2: 1}), Counter({1: 1, 2: 3})
    one, other = sorted(left.elements()), sorted(right.elements())
    for n in (1, 2, 3):
        pairs = [(a, b) for a in permutations(range(3), n) for b in permutations(range(4), n)]
        good = sum(all(one[a[k]] == other[b[k]] for k in range(n)) for a, b in pairs)
        assert exp(_chances(left, right)[n]) == pytest.approx(good / len(pairs))
