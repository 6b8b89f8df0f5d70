"""Boards and puzzles as files hold them: several boards, covers, JSON, addresses, positions and numbers, clues."""

from __future__ import annotations

import contextlib
import io
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablero as tb
from tablero.cli import run
from tablero.edges import formats
from tablero.edges.board import Board
from tablero.edges.estimating import layings, layings_by_class
from tablero.edges.generating import example, generate
from tablero.edges.layings import parse_layings, write_laying
from tablero.edges.puzzle import EdgePuzzle
from tablero.errors import BadInput


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))


def asked(capfd: pytest.CaptureFixture[str], *words: str, status: int = 0) -> dict[str, Any]:
    capfd.readouterr()
    assert run([*words, "--json", "--quiet"]) == status
    values: dict[str, Any] = json.loads(capfd.readouterr().out)
    return values


def printed(capfd: pytest.CaptureFixture[str], *words: str) -> str:
    capfd.readouterr()
    assert run([*words, "--quiet"]) == 0
    return capfd.readouterr().out


# Several boards


def test_several_boards_of_every_kind_are_shown(capfd: pytest.CaptureFixture[str]) -> None:
    puzzle = example()
    Path("p.txt").write_text(tb.edges.write(puzzle))
    boards = sorted(puzzle.solve(None).answers)
    Path("text").write_text(printed(capfd, "edges", "solve", "p.txt", "-n", "all"))
    Path("json").write_text(json.dumps(asked(capfd, "edges", "solve", "p.txt", "-n", "all")))
    Path("list").write_text(json.dumps(boards))
    Path("urls").write_text(printed(capfd, "edges", "convert", "p.txt", "--board", "text", "--to", "viewer"))
    for encoding in (["1"], ["2"], ["xcc"], ["1", "--full"], ["2", "--full"]):
        assert run(["edges", "encode", "p.txt", "--encoding", *encoding, "-o", "c.dlx", "-q"]) == 0
        name = "".join(encoding)
        Path(f"cover{name}").write_text(printed(capfd, "cover", "solve", "c.dlx", "-n", "all"))
        Path(f"coverjson{name}").write_text(json.dumps(asked(capfd, "cover", "solve", "c.dlx", "-n", "all")))
    sources = ["text", "json", "list", "urls", *(str(path) for path in Path().glob("cover*"))]
    assert len(sources) == 14
    for source in sources:
        reported = asked(capfd, "edges", "show", "p.txt", "--board", source)
        assert sorted(reported["answers"]) == boards, source
        assert [board["score"] for board in reported["boards"]] == [12] * 8
        assert {board["fault"] for board in reported["boards"]} == {None}
    out = printed(capfd, "edges", "show", "p.txt", "--board", "json")
    assert out.count("# board") == 8


def test_a_board_comes_from_a_pipe(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    Path("p.txt").write_text(tb.edges.write(example()))
    text = json.dumps(asked(capfd, "edges", "optimise", "p.txt", "--width", "20", "--node-limit", "1000000"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert asked(capfd, "edges", "show", "p.txt", "--board", "-")["score"] == 12


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("", "0 cells: expected 9"),
        ("1/0 2/0", "2 cells: expected 9, or a multiple of it for several boards"),
        ('{"answers": []}', "it contains no answer"),
        ('{"answers": 7}', "expected a list of"),
        ("[[1, 0]]", "1 cells: expected 9"),
        ('[["p1", "r1c1"]]', "expected a list of"),
        ("[", "no JSON"),
        ("cover 1\np1 r1c1", "items of none of the encodings"),
        ("#board_w=2&board_h=2&board_edges=" + "b" * 16, "a board of 2: expected 3"),
        ("#board_w=3&board_h=3&board_edges=" + "b" * 36, "r1c1 shows 1 1 1 1: no piece that is left"),
        (" ".join(["1/0"] * 9), "piece 1 is in two cells"),
    ],
)
def test_boards_that_are_none_are_refused(text: str, reported: str) -> None:
    with pytest.raises(BadInput, match=reported):
        parse_layings(example(), text)


@settings(max_examples=150)
@given(st.text(alphabet='p123/0- #\nr1c{}[],:"answeroe_bdg=&k', max_size=60))
def test_no_text_breaks_the_reading_of_boards(text: str) -> None:
    with contextlib.suppress(BadInput):
        parse_layings(example(), text)


# Addresses


def test_a_whole_address_is_written_and_stands_in_place_of_a_file(capfd: pytest.CaptureFixture[str]) -> None:
    planted = generate("3x4", colours=5, seed=7)
    Path("p.txt").write_text(tb.edges.write(planted))
    Path("b.txt").write_text(write_laying(planted, planted.boards[0].tolist()))
    url = printed(capfd, "edges", "convert", "p.txt", "--board", "b.txt", "--to", "viewer").strip()
    assert url.startswith("https://e2.bucas.name/#puzzle=tablero&board_w=4&board_h=3&board_edges=")
    bare = printed(capfd, "edges", "convert", "p.txt", "--board", "b.txt", "--to", "viewer", "--viewer", "").strip()
    assert url.endswith(bare)
    assert bare.startswith("#puzzle")
    shown = asked(capfd, "edges", "show", url)
    assert (shown["score"], shown["fault"]) == (17, None)
    assert asked(capfd, "edges", "count", url)["solutions"] == planted.count().solutions
    assert tb.edges.read(url).count().solutions == planted.count().solutions
    assert asked(capfd, "edges", "show", "p.txt", "--board", url)["answers"] == [
        planted.pairs(planted.boards[0].tolist())
    ]
    without = url.partition("&board_pieces")[0]
    assert asked(capfd, "edges", "show", "p.txt", "--board", without)["score"] == 17
    assert printed(capfd, "edges", "encode", url).startswith("| tablero edges encode the address")


# Columns


def test_positions_and_numbers_are_columns(capfd: pytest.CaptureFixture[str]) -> None:
    planted = generate(4, colours=5, seed=3)
    puzzle, shown = planted, planted.shown(planted.boards[0])
    rows = [(cell + 1, int(v) // 4 + 1, *shown[cell].tolist()) for cell, v in enumerate(planted.boards[0])]
    body = "\n".join(",".join(map(str, row)) for row in reversed(rows))
    swapped = "\n".join(" ".join(map(str, (n, p, *rest))) for p, n, *rest in rows)
    for text in (
        body,
        "position,number,top,right,bottom,left\n" + body,
        "Number Position top right bottom left\n" + swapped,
        "# a comment\nsize 4\n" + body,
    ):
        found = formats.parse(text)
        assert len(found.boards) == 1
        assert (found.shown(found.boards[0]) == shown).all()
        for cell, variant in enumerate(planted.boards[0]):
            piece = int(variant) // 4
            assert int(found.boards[0][cell]) // 4 == piece
            turned = {tuple(puzzle.turned[4 * piece + k].tolist()) for k in range(4)}
            assert tuple(found.pieces[piece].tolist()) in turned
        assert "positions and numbers of pieces taken out" in found.origin.remark
    Path("p.csv").write_text("position,number,top,right,bottom,left\n" + body)
    assert asked(capfd, "edges", "show", "p.csv")["score"] == 24
    mixed = "\n".join(f"{n} {' '.join(map(str, rest))}" for _, n, *rest in rows)
    assert (formats.parse(mixed).pieces == formats.parse(body).pieces).all()


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        (
            "position number top right bottom left\n1 1 0 1 1 0\n1 2 0 1 1 0\n3 3 0 1 1 0\n4 4 0 1 1 0\n",
            "the positions: expected",
        ),
        (
            "number top right bottom left\n1 0 1 1 0\n2 0 1 1 0\n2 0 1 1 0\n4 0 1 1 0\n",
            "the numbers of pieces: expected every",
        ),
        ("number top right bottom left\n1 0 1 1 0\n2 0 1 1\n3 0 1 1 0\n4 0 1 1 0\n", "x:3: 4 numbers: expected 5"),
    ],
)
def test_columns_that_do_not_count_are_refused(text: str, reported: str) -> None:
    with pytest.raises(BadInput, match=reported):
        formats.parse(text, "x")


def test_hexagons_are_not_taken_for_columns() -> None:
    puzzle = generate(2, colours=4, shape="hexagon", seed=1)
    plain = "\n".join(" ".join(map(str, row)) for row in puzzle.pieces.tolist())
    assert (formats.parse(plain).pieces == puzzle.pieces).all()


# Clues


def test_clues_on_the_command_line(capfd: pytest.CaptureFixture[str]) -> None:
    planted = generate(4, colours=3, seed=3)
    puzzle = planted
    Path("p.txt").write_text(tb.edges.write(puzzle))
    everything = puzzle.solve(None).answers
    for cell in (0, 5, 6, 15):
        piece, turn = puzzle.pairs(planted.boards[0].tolist())[cell]
        clue = f"{puzzle.board.name(cell)},{piece},{turn}"
        expected = sum(board[cell] == [piece, turn] for board in everything)
        assert expected > 0
        assert asked(capfd, "edges", "count", "p.txt", "--clue", clue)["solutions"] == expected
    both = ["--clue", "r1c1,1,0", "--clue", "r1c2,16,3"]
    expected = sum(board[0] == [1, 0] and board[1] == [16, 3] for board in everything)
    assert asked(capfd, "edges", "count", "p.txt", *both)["solutions"] == expected > 0
    for wrong in ("r2c3", "r9c9,1,0", "r1c1,99,0", "r1c1,1,9", "r1c1;1;0", ""):
        assert run(["edges", "count", "p.txt", "--clue", wrong]) == 2
    assert "expected cell, piece and turn as r2c3,6,1" in capfd.readouterr().err


# Sizes


def test_the_ways_to_lay_pieces_are_the_published_ones(capfd: pytest.CaptureFixture[str]) -> None:
    eternity = generate(16, framed=(5, 17), seed=1)
    assert (round(layings(eternity), 2), round(layings_by_class(eternity), 2)) == (661.06, 559.94)
    assert 10 ** layings(example()) == pytest.approx(4**9 * math.factorial(9))
    assert 10 ** layings_by_class(example()) == pytest.approx(24 * 24 * 4)
    Path("p.txt").write_text(tb.edges.write(eternity))
    reported = asked(capfd, "edges", "estimate", "p.txt", "--probes", "10")
    assert round(reported["log10_layings"], 2) == 661.06
    assert "layings: 4^256·256! = 10^661.06, by classes of pieces 10^559.94" in printed(
        capfd, "edges", "estimate", "p.txt", "--probes", "10"
    )


@pytest.mark.parametrize(
    ("shape", "size"), [("square", "1x3"), ("square", "2"), ("square", "2x3"), ("triangle", "2"), ("hexagon", "2")]
)
@pytest.mark.parametrize("border", [True, False])
@pytest.mark.parametrize("turning", [True, False])
def test_ways_to_lay_are_those_that_can_be_listed(shape: str, size: str, border: bool, turning: bool) -> None:
    """Pieces that look all different, laid in every way; by classes where the border is outside."""
    board = tb.edges.Board.parse(size, shape)
    pieces = [
        [0 if outside else 1 + cell * 6 + side for side, outside in enumerate(row)]
        for cell, row in enumerate(board.border)
    ]
    if not border:
        pieces = [[1 + cell * 6 + side for side in range(board.sides)] for cell in range(board.cells)]
    puzzle = EdgePuzzle(pieces, board, border=border, turning=turning)
    ways = 0

    def lay(cell: int, left: frozenset[int], only: bool) -> int:
        if cell == board.cells:
            return 1
        total = 0
        for piece in left:
            for turn in range(board.sides if turning else 1):
                row = pieces[piece][turn:] + pieces[piece][:turn]
                if not only or [colour == 0 for colour in row] == board.border[cell].tolist():
                    total += lay(cell + 1, left - {piece}, only)
        return total

    if board.cells <= 4:
        ways = lay(0, frozenset(range(board.cells)), False)
        assert 10 ** layings(puzzle) == pytest.approx(ways)
    if border or board.cells <= 4:
        assert 10 ** layings_by_class(puzzle) == pytest.approx(lay(0, frozenset(range(board.cells)), border))


def test_an_encoding_counts_its_ones(capfd: pytest.CaptureFixture[str]) -> None:
    Path("p.txt").write_text(tb.edges.write(example()))
    for encoding in ("1", "2", "xcc"):
        reported = asked(capfd, "edges", "encode", "p.txt", "--encoding", encoding)
        lines = [line.split() for line in reported["problem"].splitlines() if not line.startswith("|")][1:]
        assert reported["ones"] == sum(map(len, lines))
        assert reported["ones_a_row"] == max(map(len, lines))
        assert reported["rows"] == len(lines)


# Sides and sizes

SIDES = {
    "upright": ["right", "bottom", "left"],
    "on its head": ["left", "top", "right"],
    "hexagon": ["upper right", "right", "lower right", "lower left", "left", "upper left"],
}


def where(dx: float, dy: float) -> str:
    """A direction in words, y down; the slanting sides of a triangle are just left and right."""
    if abs(dx) < 1e-9:
        return "top" if dy < 0 else "bottom"
    across = "right" if dx > 0 else "left"
    return across if abs(dy) < 1e-9 else f"{'upper' if dy < 0 else 'lower'} {across}"


@pytest.mark.parametrize("shape", ["triangle", "hexagon"])
def test_the_sides_come_in_the_order_that_is_said(shape: str) -> None:
    page = (Path(__file__).parents[1] / "docs" / "edges.md").read_text().replace("\n", " ")
    board = Board.parse("3", shape)
    for cell, (_, column) in enumerate(board.places):
        corners = board.outline(cell)
        x, y = (sum(corner[k] for corner in corners) / len(corners) for k in (0, 1))
        middles = [
            ((a[0] + b[0]) / 2 - x, (a[1] + b[1]) / 2 - y)
            for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
        ]
        kind = "hexagon" if shape == "hexagon" else "upright" if column % 2 == 0 else "on its head"
        reported = [where(*middle) for middle in middles]
        assert [word if shape == "hexagon" else word.split()[-1] for word in reported] == SIDES[kind]
        assert ", ".join(SIDES[kind]) in page
    remark = formats.parse("1 1 1\n" if shape == "triangle" else "1 1 1 1 1 1\n", border="none").origin.remark
    first = {"triangle": "clockwise from the right, on its head from the left", "hexagon": "from the upper right"}
    assert first[shape] in remark


@pytest.mark.parametrize("size", ["1000000000", "99999", "5x99999999999999999999", "9" * 500])
def test_sizes_that_are_too_large_are_told_so(size: str) -> None:
    with pytest.raises(BadInput, match=r"expected (a board of )?at most [0-9,]+( cells)?") as refused:
        generate(size, colours=3)
    assert len(str(refused.value)) < 200
