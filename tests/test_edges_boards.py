"""Edge matching: what is read is what was written, boards are drawn, and the score grows and is checked."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections import Counter
from math import lgamma
from pathlib import Path

import numpy as np
import pytest

from tablero.cli import run
from tablero.draw.svg import to_svg
from tablero.edges import checking, formats
from tablero.edges.draw import scene, to_text
from tablero.edges.generating import example, generate
from tablero.edges.kernels import beam as beam_kernel
from tablero.edges.kernels import schedule
from tablero.edges.kernels.optimise import _Workspace
from tablero.edges.kernels.plan import arrange, set_up
from tablero.edges.layings import address, parse_layings, write_laying
from tablero.edges.methods import optimiser_for
from tablero.edges.optimising import optimise
from tablero.edges.puzzle import EdgePuzzle
from tablero.errors import BadInput
from tablero.runs import jobs
from tablero.runs.run import Here
from tablero.search.base import UNBOUNDED, Orders
from tests.test_edges import TREES

SHAPES = [("square", "4x6"), ("triangle", "6"), ("hexagon", "4")]


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize(("shape", "size"), SHAPES)
@pytest.mark.parametrize("tetravex", [False, True])
def test_pieces_are_read_as_written(shape: str, size: str, tetravex: bool) -> None:
    puzzle = generate(size, colours=5, shape=shape, border=not tetravex, turning=not tetravex, seed=1)
    again = formats.parse(formats.write(puzzle, "a comment"))
    assert (again.pieces == puzzle.pieces).all()
    assert (again.board, again.border, again.turning) == (puzzle.board, puzzle.border, puzzle.turning)


def test_clues_are_read_as_written() -> None:
    planted = generate(5, colours=5, seed=2)
    clues = [(12, int(planted.boards[0][12]) // 4, int(planted.boards[0][12]) % 4)]
    puzzle = EdgePuzzle(planted.pieces.tolist(), clues=clues)
    assert formats.parse(formats.write(puzzle)).clues == puzzle.clues


def test_csv_with_the_border_as_one() -> None:
    puzzle = generate(5, framed=(2, 4), seed=1)
    found = formats.parse(formats.write(puzzle, style="csv", border=1))
    assert (found.pieces == puzzle.pieces).all()
    assert "border 1" in found.origin.remark


def test_a_first_line_of_sizes_and_another_order_of_sides() -> None:
    puzzle = generate("4x6", colours=5, seed=1)
    rows = [f"{t} {b} {le} {r}" for t, r, b, le in puzzle.pieces.tolist()]
    text = "4 6 5\n" + "\n".join(rows) + "\n"
    with pytest.raises(BadInput, match="the border is on opposite sides of"):
        formats.parse(text)
    found = formats.parse(text, sides="tblr")
    assert (found.pieces == puzzle.pieces).all()
    assert found.board == puzzle.board


def test_the_viewers_address_both_ways() -> None:
    planted = generate("4x6", colours=7, seed=5)
    text = address(planted, planted.boards[0].tolist(), "my puzzle")
    found = formats.parse("https://viewer.example/" + text)
    assert found.origin.title == "my puzzle"
    (laying,) = found.boards
    assert checking.fault(found, laying.tolist()) is None
    before = planted.shown(planted.boards[0])
    assert (found.shown(laying) == before).all()
    assert address(found, laying.tolist(), "my puzzle") == text
    plain = text.partition("&board_pieces")[0]
    assert (formats.parse(plain).pieces == before).all()


def test_a_laying_as_text_and_as_json() -> None:
    planted = generate(5, colours=6, seed=4)
    rows = planted.boards[0].tolist()
    assert parse_layings(planted, write_laying(planted, rows))[0].tolist() == rows
    pairs = json.dumps([[v // 4 + 1, v % 4] for v in rows])
    assert parse_layings(planted, pairs)[0].tolist() == rows


def test_a_board_turned_inside_out_matches_nowhere() -> None:
    puzzle = formats.parse("size 2\n1 1 0 0\n1 1 0 0\n1 1 0 0\n1 1 0 0\n")
    right, inside_out = [1, 6, 8, 15], [3, 4, 10, 13]
    assert (checking.score(puzzle, right), checking.inner_outside(puzzle, right)) == (4, [])
    assert checking.score(puzzle, inside_out) == 0
    assert len(checking.inner_outside(puzzle, inside_out)) == 8
    assert to_svg(scene(puzzle, inside_out)).count("#d00000") == 4 + 8
    assert to_text(puzzle, inside_out).count("!") == 8 + 8


@pytest.mark.parametrize(("shape", "size"), SHAPES)
def test_shapes_of_36_pieces_are_solved_checked_and_drawn(shape: str, size: str) -> None:
    size = {"square": "6x7"}.get(shape, size)
    puzzle = generate(size, colours=6, shape=shape, seed=1)
    assert puzzle.board.cells >= 36
    found = puzzle.solve(run=Here(node_limit=10**8))
    assert found.status == "solved"
    drawing = to_svg(scene(puzzle, found.layings[0], "a title", numbers=True))
    root = ET.fromstring(drawing)
    texts = [element.text for element in root if element.tag.endswith("text")]
    assert sorted(map(int, filter(None, texts))) == list(range(1, puzzle.board.cells + 1))
    assert str(found)
    assert "#d00000" not in drawing


def test_mismatches_are_marked() -> None:
    planted = generate(4, colours=8, seed=1, distinct=True)
    laying = planted.boards[0].copy()
    laying[[5, 6]] = laying[[6, 5]]
    wrong = checking.mismatches(planted, laying.tolist())
    assert wrong
    assert to_svg(scene(planted, laying)).count("#d00000") == len(wrong)
    assert "!" in to_text(planted, laying)
    laying[3] = -1
    assert "?" in to_text(planted, laying)


def test_colours_differ_in_sign_and_tone() -> None:
    from tablero.edges.draw import _sign, colour

    looks = {(colour(k), str(_sign(k, (0, 0), (1, 0), (0.5, 0.5)))) for k in range(36)}
    assert len(looks) == 36
    assert len({str(_sign(k, (0, 0), (1, 0), (0.5, 0.5))) for k in range(36)}) == 36


# The score


def test_a_small_puzzle_is_solved_by_the_optimiser() -> None:
    best = optimise(generate(4, colours=4, seed=1), width=50, run=Here(node_limit=10**7))
    assert (best.score, best.maximum, best.result.status) == (24, 24, "solved")


@pytest.mark.parametrize(("shape", "size"), SHAPES)
def test_the_score_of_every_shape_is_checked(shape: str, size: str) -> None:
    best = optimise(generate(size, colours=4, shape=shape, seed=3), width=200, run=Here(threads=2, node_limit=100_000))
    assert best.score == best.maximum - len(best.mismatches) > 0.8 * best.maximum


def test_a_large_board_scores_well_in_some_million_boards() -> None:
    best = optimise(generate(16, framed=(5, 17), seed=1), width=300, run=Here(node_limit=6_000_000))
    assert best.score >= 445
    assert [score for _, score in best.curve] == sorted(score for _, score in best.curve)


def test_the_optimiser_keeps_clues() -> None:
    planted = generate(8, framed=(3, 7), seed=6)
    cells = (0, 9, 27, 54)
    clues = [(c, int(planted.boards[0][c]) // 4, int(planted.boards[0][c]) % 4) for c in cells]
    best = optimise(EdgePuzzle(planted.pieces.tolist(), clues=clues), width=300, run=Here(node_limit=500_000))
    assert best.laying is not None
    assert all(best.laying[c] == planted.boards[0][c] for c in cells)


def test_a_stopped_optimiser_goes_on_as_if_never_stopped() -> None:
    search = optimiser_for(generate(7, framed=(3, 7), seed=2), 40, seed=5)
    stop, bound = np.zeros(1, np.uint8), np.full(1, UNBOUNDED, np.int64)

    def steps(state: bytes, count: int) -> bytes:
        for _ in range(count):
            rest = search.advance(state, Orders(0.0), stop, bound).rest
            assert rest is not None
            state = rest
        return state

    straight = steps(search.starts()[0], 10)  # with repairs
    again = optimiser_for(generate(7, framed=(3, 7), seed=2), 40, seed=5)
    halted = steps(search.starts()[0], 6)
    stop[0] = 1
    assert search.advance(halted, Orders(1.0), stop, bound).rest == halted
    stop[0] = 0
    state = halted
    for _ in range(4):
        rest = again.advance(state, Orders(0.0), stop, bound).rest
        assert rest is not None
        state = rest
    assert state == straight


Sides = Counter[tuple[int, int]]


def _sides_left(puzzle: EdgePuzzle, pieces: set[int]) -> tuple[Sides, Sides]:
    """By group and colour: sides that can meet each other; and these less the sides that need one of them.

    The groups: along the frame and elsewhere; where pieces are not turned, across and upright.
    """
    n: Sides = Counter()
    m: Sides = Counter()
    for piece in pieces:
        colours = [int(colour) for colour in puzzle.pieces[piece]]
        framing = puzzle.border and 0 in colours
        touching = framing and len(colours) > 3  # triangles of the frame do not touch each other
        for side, colour in enumerate(colours):
            along = touching and 0 in (colours[side - 1], colours[(side + 1) % len(colours)])
            if framing and colour and not along:
                m[0, colour] -= 1
            elif colour or not puzzle.border:
                group = int(along) if puzzle.turning else side % 2
                n[group, colour] += 1
                m[group, colour] += 1
    return n, m


@pytest.mark.parametrize(
    ("puzzle", "width"),
    [
        (generate(7, framed=(3, 7), seed=2), 60),
        (generate(7, colours=5, seed=2), 60),
        (generate(5, colours=3, border=False, turning=False, seed=1), 60),
        (generate(3, colours=4, shape="hexagon", seed=1), 60),
        (generate(6, colours=4, shape="triangle", seed=1), 60),
        (generate(10, colours=2, seed=1), 60),
        (generate(8, framed=(3, 7), seed=2), 4000),
    ],
    ids=["framed", "single pool", "tetravex", "hexagons", "triangles", "counts of four bytes", "a sample tells"],
)
def test_a_beam_keeps_as_many_boards_as_it_may_and_knows_their_potential(puzzle: EdgePuzzle, width: int) -> None:
    """Pieces, mismatches and potentials of boards of a generation, counted again from what was laid."""
    search = optimiser_for(puzzle, width)
    workspace, stop, sides = _Workspace(search), np.zeros(1, np.uint8), search.tiles.sides
    favour = np.linspace(0.0, 3.0, len(puzzle.pieces))
    whole = schedule.growing(puzzle.board.cells, width, favour)
    rim = set(np.flatnonzero((search.tiles.neighbours < 0).any(axis=1)).tolist()) if puzzle.border else set()

    def generation(size: int) -> int:
        """Fill so many cells; return how many boards were made on the way."""
        laying = workspace.laying.copy()
        arrange(workspace.problem, workspace.plan, workspace.cells, laying, workspace.free, workspace.slots)
        set_up(workspace.problem, workspace.beam, laying, workspace.slots)
        workspace.plan.size[0], workspace.beam.random[0] = size, 7
        return int(beam_kernel.search(workspace.problem, workspace.plan, workspace.beam, laying, whole, False, stop)[1])

    full = 0
    for size in range(puzzle.board.cells // 3, puzzle.board.cells, 3):
        before = generation(size - 1)
        kept = generation(size) - before
        assert kept <= (width if width < 100 else width + width // 8 + 8)
        full += kept == width if width < 100 else kept > 0.8 * width
        beta, delta = schedule.STAGES[int(whole.stage[size - 1])]
        boards = set()
        for board in range(0, kept, -(-width // 100)):
            laid, node = {}, int(workspace.beam.lineage.of_board[size % 2, board])
            for depth in reversed(range(size)):
                laid[int(workspace.cells[depth])] = int(workspace.beam.lineage.laid[node])
                node = int(workspace.beam.lineage.parent[node])
            boards.add(tuple(sorted(laid.items())))
            used = {variant // sides for variant in laid.values()}
            assert len(used) == size
            n, m = _sides_left(puzzle, set(range(len(puzzle.pieces))) - used)
            breaks = 0
            for cell, variant in laid.items():
                for side, across in enumerate(search.tiles.neighbours[cell]):
                    shown, other = int(search.tiles.shows[variant, side]), across // sides
                    if across >= 0 and other not in laid:
                        group = int(cell in rim and other in rim) if puzzle.turning else side % 2
                        m[group, shown] += 1 if cell not in rim and other in rim else -1
                    elif across >= 0:
                        breaks += shown != search.tiles.shows[laid[other], across % sides]
            potential = sum(lgamma(n[c] + 1) - (delta * -m[c] if m[c] < 0 else beta * lgamma(m[c] / 2 + 1)) for c in m)
            potential += whole.trust[size - 1] * sum(favour[piece] for piece in used)
            assert workspace.beam.potential[size % 2, board] == pytest.approx(potential)
            assert workspace.beam.breaks[size % 2, board] == breaks // 2
        assert len(boards) == -(-kept // -(-width // 100))
    assert full


def test_a_whole_board_that_a_plain_search_finds_at_once_is_not_missed() -> None:
    """With so many colours most boards of the first row lead nowhere, and a beam has room for few of them."""
    puzzle = generate(19, framed=(30, 60), seed=5)
    best = optimise(puzzle, width=1000, run=Here(node_limit=20_000_000))
    assert (best.status, best.score, best.maximum) == ("solved", 684, 684)
    assert best.curve[-1][1] == 684
    assert best.fraction == 1.0
    assert best.nodes < 20_000_000
    cut_off = optimise(puzzle, width=1000, run=Here(node_limit=1))
    assert 0 < cut_off.score < 684  # by a beam, which is made all the same


def test_colours_stay_as_they_are_where_there_are_too_many_to_tell_apart() -> None:
    """Of 200 colours across and upright there would be 400, and a colour is a byte."""
    puzzle = generate(12, colours=200, border=False, turning=False, seed=1)
    assert _Workspace(optimiser_for(puzzle, 3)).problem.colours <= 255
    assert (
        _Workspace(optimiser_for(generate(12, colours=9, border=False, turning=False, seed=1), 3)).problem.colours > 10
    )
    assert optimise(puzzle, width=3, run=Here(node_limit=1)).score > 0


def test_the_beam_finds_a_solution_and_proves_nothing() -> None:
    puzzle = generate(6, framed=(3, 6), seed=1)
    found = puzzle.solve(method="beam", run=Here(node_limit=10**8))
    assert found.status == "solved"
    search = optimiser_for(example(), 4)
    assert not search.proves


# Commands


@pytest.mark.parametrize("encoding", [["1"], ["2"], ["xcc"], ["1", "--full"], ["2", "--full"]])
def test_a_cover_is_read_back_as_a_board(encoding: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["edges", "generate", "4", "--colours", "5", "--seed", "2", "-o", "p.txt"]) == 0
    assert run(["edges", "encode", "p.txt", "--encoding", *encoding, "-o", "c.dlx", "-q"]) == 0
    assert run(["cover", "solve", "c.dlx", "-q"]) == 0
    cover = capfd.readouterr().out
    Path("cover.txt").write_text(cover)
    assert run(["edges", "show", "p.txt", "--board", "cover.txt", "--json", "-q"]) == 0
    shown = json.loads(capfd.readouterr().out)
    assert (shown["score"], shown["maximum"], shown["fault"]) == (24, 24, None)
    puzzle = formats.read(Path("p.txt"))
    lines = cover.splitlines()
    for wrong, reported in (
        (lines[1:], "15 options for 15 cells: expected each of 16 once"),
        ([*lines[1:], lines[1]], "16 options for 15 cells"),
        ([lines[0] + " r9c9", *lines[1:]], "has none like it"),
        (["p1 q2 q3"], "items of none of the encodings"),
    ):
        with pytest.raises(BadInput, match=reported):
            parse_layings(puzzle, "\n".join(wrong))


def killed_on_the_way(job: str) -> bool:
    """Kill a count as soon as some of it is booked; whether it was not yet done."""
    arguments = ["edges", "count", "p.txt", "--method", "scan", "--up-to-turning", "--job", job, "--quiet", "--json"]
    with subprocess.Popen([sys.executable, "-m", "tablero", *arguments], stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and not booked(job):
            time.sleep(0.005)
        process.kill()
    return 0 < booked(job) < 1


def booked(job: str) -> float:
    """The fraction of a job that is done."""
    totals = jobs.describe(job).totals if jobs.path_of(job).exists() else None
    return totals.fraction if totals else 0.0


@pytest.mark.parametrize("seed", TREES)
def test_a_killed_count_goes_on_with_the_same_tree(seed: int, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["edges", "generate", "6", "--framed", "3,5", "--seed", f"{seed}", "-o", "p.txt"]) == 0
    job = next(name for name in "abcde" if killed_on_the_way(name))
    capfd.readouterr()
    assert run(["jobs", "resume", job, "--threads", "2", "--json", "--quiet"]) == 0
    resumed = json.loads(capfd.readouterr().out)
    assert (resumed["status"], resumed["nodes"], resumed["solutions"]) == ("complete", *TREES[seed])


def test_commands_in_a_row(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["edges", "generate", "5", "--colours", "6", "--seed", "3", "--solution", "s.txt", "-o", "p.txt"]) == 0
    assert run(["edges", "solve", "p.txt", "--json", "--quiet", "--svg", "b.svg"]) == 0
    solved = json.loads(capfd.readouterr().out)
    assert solved["status"] == "solved"
    assert sorted(piece for piece, _ in solved["answers"][0]) == list(range(1, 26))
    assert Path("b.svg").read_text().startswith("<svg")
    Path("a.json").write_text(json.dumps(solved))
    assert run(["edges", "show", "p.txt", "--board", "a.json", "--json", "-q"]) == 0
    shown = json.loads(capfd.readouterr().out)
    assert (shown["score"], shown["maximum"], shown["fault"]) == (40, 40, None)
    assert run(["edges", "convert", "p.txt", "--board", "s.txt", "--to", "viewer", "-o", "u.txt", "-q"]) == 0
    assert run(["edges", "convert", "u.txt", "--solution", "s2.txt", "-o", "p2.txt", "-q"]) == 0
    assert run(["edges", "count", "p2.txt", "--json", "-q"]) == 0
    assert json.loads(capfd.readouterr().out)["solutions"] >= 4
    assert run(["edges", "encode", "p.txt", "--encoding", "1", "-o", "c.dlx", "-q"]) == 0
    assert run(["cover", "count", "c.dlx", "-q"]) == 0
    covers = int(capfd.readouterr().out)
    assert run(["edges", "count", "p.txt", "-q"]) == 0
    assert int(capfd.readouterr().out) == covers
    assert run(["edges", "optimise", "p.txt", "--node-limit", "10000000", "--json", "-q", "--job", "o"]) == 0
    best = json.loads(capfd.readouterr().out)
    assert (best["score"], best["maximum"]) == (40, 40)
    assert run(["jobs", "export", "o"]) == 0
    assert len(json.loads(capfd.readouterr().out)["answers"]) == 1
    assert run(["edges", "estimate", "p.txt", "--json", "-q"]) == 0
    assert json.loads(capfd.readouterr().out)["knuth"] > 25


def test_parity_ends_with_status_1(capfd: pytest.CaptureFixture[str]) -> None:
    pieces = ["1 0 1 2", "3 2 2 0", "2 1 0 0", "0 0 3 1", "0 1 3 3", "1 3 0 0", "2 0 3 1", "3 0 0 1", "3 1 2 2"]
    Path("p.txt").write_text("\n".join(pieces))
    assert run(["edges", "solve", "p.txt", "--json"]) == 1
    found = json.loads(capfd.readouterr().out)
    assert (found["status"], found["nodes"]) == ("none", 0)
    assert "even number of times" in found["why"]


def test_a_drawing_wider_than_the_terminal_is_not_printed(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["edges", "generate", "4", "--colours", "3", "--seed", "1", "-o", "p.txt", "--solution", "b.txt"]) == 0
    monkeypatch.setattr("tablero.edges.draw._columns", lambda: 20)
    assert run(["edges", "show", "p.txt", "--board", "b.txt"]) == 0
    out, err = capfd.readouterr()
    assert out == ""
    assert "columns wide, this terminal 20: use --svg FILE" in err
    assert "24 of 24 joins match" in err
    monkeypatch.setattr("tablero.edges.draw._columns", lambda: 80)
    assert run(["edges", "show", "p.txt", "--board", "b.txt"]) == 0
    assert capfd.readouterr().out.count("\n") > 8
