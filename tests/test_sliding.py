"""Sliding tiles: boards, text, the constructive methods on many boards, the exact worst case."""

from __future__ import annotations

import codecs
import html
import io
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.sliding import many
from tablero import sliding
from tablero.errors import BadInput
from tablero.runs.progress import Snapshot
from tablero.runs.run import Grid, Here, Job
from tablero.sliding import checking, constructive, formats
from tablero.sliding.draw import animate, player, scene
from tablero.sliding.puzzle import Board, as_bytes, as_puzzle, from_bytes
from tablero.sliding.solution import RULES
from tablero.sliding.verbs import solve
from tablero.verbs import described
from tests.pages import data_of

METHODS = next(one.choices for one in described(solve).options if one.name == "method")
MEANS = {
    "table": (94.0, 222.9, 421.8, 712.8, 1104.5, 1618.1, 2266.1, 3067.7, 4040.4),
    "transport": (93.3, 219.2, 416.1, 699.0, 1084.8, 1591.1, 2228.1, 3012.5, 3964.6),
}
WORST = {
    "table": (31, 152, 374, 728, 1242),
    "transport": (31, 152, 372, 720, 1226),
    "sides": (31, 158, 388, 750, 1274),
    "parberry": (31, 172, 414, 788, 1324),
}


def some_boards(n: int, count: int) -> np.ndarray:
    return np.array([sliding.generate(n, seed=k).tiles for k in range(count)], np.int64)


@pytest.mark.parametrize("n", range(3, 13))
def test_a_thousand_boards_by_every_method(n: int) -> None:
    boards = some_boards(n, 1000)
    for method in constructive.TILE_BY_TILE:
        moves = many.constructed(n, boards, method)  # raises unless every board ends in its goal
        bound = constructive.bound(method, n)
        assert bound is None or moves.max() <= bound
        if method in MEANS and n > 3:
            assert moves.mean() == pytest.approx(MEANS[method][n - 4], rel=0.03)


@pytest.mark.parametrize("method", constructive.METHODS)
def test_every_shape_and_goal_is_replayed(method: Any) -> None:
    sizes = [(2, 2), (2, 3), (3, 2), (2, 5), (5, 2), (3, 3), (3, 5), (5, 3), (4, 4), (4, 7), (7, 4), (9, 5), (2, 20)]
    for rows, columns in sizes:
        for seed in range(6):
            given_goal = sliding.generate(rows, columns, seed=seed + 100).tiles
            for goal in ("blank-last", "blank-first", given_goal):
                board = sliding.generate(rows, columns, seed=seed, goal=goal)
                solution = board.solve(method=method)
                assert checking.fault(board, solution.moves) is None
                assert solution.rules is not None
                assert len(solution.rules) == len(solution)


def test_carry_needs_far_fewer_moves_than_greedy_methods() -> None:
    """Moves over n³: greedy methods make 2.3 to 2.7 here."""
    for n, most in ((8, 1.85), (12, 1.8), (20, 1.7), (32, 1.6)):
        boards = some_boards(n, 8)
        assert many.constructed(n, boards, "carry").mean() / n**3 < most
        assert sliding.generate(n, seed=3).solve(method="carry").method == "carry"  # played by other code


def test_carry_with_more_effort_needs_fewer_moves_still() -> None:
    boards = [sliding.generate(20, seed=seed) for seed in range(1, 5)]
    totals = []
    for effort in (0, 1, 3):
        answers = [constructive.construct(board, "carry", effort=effort) for board in boards]
        for board, (moves, by) in zip(boards, answers, strict=True):
            assert checking.fault_of_codes(board, moves) is None
            assert len(moves) == len(by)
        totals.append(sum(len(moves) for moves, _ in answers))
    assert totals[1] < 0.97 * totals[0]
    assert totals[2] < 0.98 * totals[1]
    board = sliding.generate(6, 9, seed=1)  # the most effort, on a board that is no square
    assert (
        checking.fault_of_codes(board, constructive.construct(board, "carry", effort=len(constructive.EFFORTS) - 1)[0])
        is None
    )


def test_a_column_is_a_row_transposed() -> None:
    """By `sides` and `parberry`: what the first row of a board takes, the first column of its transpose takes."""
    for method in ("sides", "parberry"):
        for seed in range(30):
            tall = sliding.generate(5, 4, seed=seed)  # its first line is a row, that of the transpose a column
            turned = {k + 1: k % 4 * 5 + k // 4 + 1 for k in range(20)} | {0: 0}
            tiles = np.array(tall.tiles).reshape(5, 4).T.ravel().tolist()
            wide = Board(4, 5, tuple(turned[tile] if tile else 0 for tile in tiles))
            here, there = tall.solve(method=method), wide.solve(method=method)
            count = next(k for k in range(len(here)) if _first_row_stands(tall, here.moves[: k + 1]))
            assert here.moves[:count].translate(str.maketrans("NSEW", "WESN")) == there.moves[:count]


def _first_row_stands(board: Board, moves: str) -> bool:
    tiles = list(board.tiles)
    checking.play(tiles, board.rows, board.columns, board.blank, ["NSEW".index(letter) for letter in moves])
    return tiles[: board.columns] == list(range(1, board.columns + 1))


def test_large_boards() -> None:
    solution = sliding.generate(60, seed=1).solve(method="table")
    assert 2.3 * 60**3 < len(solution) < 2.8 * 60**3


def test_batch_and_single_agree() -> None:
    boards = some_boards(6, 20)
    for method in constructive.METHODS:
        single = [len(Board(6, 6, tuple(tiles)).solve(method=method)) for tiles in boards.tolist()]
        assert single == many.constructed(6, boards, method).tolist()


@pytest.mark.parametrize("method", WORST)
def test_the_exact_worst_case(method: Any) -> None:
    for n, known in enumerate(WORST[method], 3):
        found = sliding.worst(n, method=method)
        assert found.moves == known
        assert found.bound is None or found.moves <= found.bound
        assert len(found.board.solve(method=method)) == known


def test_no_random_board_is_worse_than_the_worst() -> None:
    assert many.constructed(4, some_boards(4, 5000), "table").max() <= 152


def test_every_rule_is_met_and_has_words() -> None:
    met: set[int] = set()
    for seed in range(400):
        for method in constructive.METHODS:
            moves, why = constructive.construct(sliding.generate(5, seed=seed), method)
            assert len(moves) == len(why)
            met |= set(why.tolist())
    assert {11, 12, 13, 14, 15, 16, 17, 18, 19, 20} <= met
    assert met <= RULES.keys()
    assert 0 not in met


def test_all_states_of_three_by_three() -> None:
    table = constructive.distances(3, 3)
    counts = np.bincount(table[table != 255]).tolist()
    assert sum(counts) == 181_440
    assert (len(counts) - 1, counts[-1], counts[:6]) == (31, 2, [1, 2, 4, 8, 16, 20])


def test_parity_says_which_boards_can_be_solved() -> None:
    assert not sliding.parse("1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0").solvable
    assert sliding.parse("1 2 3/4 5 6/7 0 8").solvable
    home = sliding.write(Board(4, 4, (*range(1, 16), 0)))
    assert not sliding.parse(home, goal="blank-first").solvable
    assert sliding.parse("2 1 3/4 5 6/7 8 0").reason.startswith("the permutation is odd and the blank is 0 moves")


@pytest.mark.parametrize("method", METHODS)
def test_what_cannot_be_solved_is_a_proof(method: Any) -> None:
    board = sliding.parse("2 1 3/4 5 6/7 8 0")
    found = board.solve(method=method)
    assert (found.status, found.solutions, found.codes, found.moves) == ("none", 0, None, "")
    assert found.values()["why"] == board.reason
    assert board.solve(method=method).first is None
    assert not found.optimal
    assert found._repr_html_() is None


def test_half_of_all_permutations_can_be_solved() -> None:
    from itertools import permutations

    boards = [Board(2, 3, tiles) for tiles in permutations(range(6))]
    table = constructive.distances(2, 3)
    reached = table[constructive.rank(np.array([board.tiles for board in boards]))] != 255
    assert reached.tolist() == [board.solvable for board in boards]
    assert reached.sum() == 360


@given(st.integers(2, 7), st.integers(2, 7), st.integers(0, 1000))
def test_what_is_read_is_what_was_written(rows: int, columns: int, seed: int) -> None:
    board = sliding.generate(rows, columns, seed=seed)
    assert sliding.parse(sliding.write(board)) == board
    assert sliding.parse("# a comment\n\n" + sliding.write(board).replace("/", "\n") + "\n") == board
    assert sliding.generate(rows, columns, seed=seed) == board


@given(st.text("0123456789 /,#\n-x_.", max_size=40))
def test_any_text_is_a_board_or_refused(text: str) -> None:
    with suppress(BadInput):
        for board in sliding.parse_all(text):
            assert sorted(board.tiles) == list(range(board.rows * board.columns))


@given(st.integers(2, 6), st.integers(2, 6), st.integers(1, 5), st.sampled_from("0_.·"), st.sampled_from(["/", "\n"]))
def test_several_boards_in_one_text(rows: int, columns: int, count: int, blank: str, between: str) -> None:
    boards = [sliding.generate(rows, columns, seed=seed) for seed in range(count)]
    written = [re.sub(r"\b0\b", blank, sliding.write(board)).replace("/", between) for board in boards]
    assert sliding.parse_all(("\n" if between == "/" else "\n\n").join(written)) == boards
    if rows == columns:  # without slashes, as Korf writes them
        flat = [" ".join(sliding.write(board).replace("/", " ").split()) for board in boards]
        assert sliding.parse_all("\n".join(flat)) == boards


def test_one_board_where_several_are() -> None:
    assert sliding.parse("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3").rows == 4
    with pytest.raises(BadInput, match="the board holds 2 boards: expected one"):
        sliding.parse("1 2/3 0\n1 2/0 3")
    with pytest.raises(BadInput, match="the board, board 2: the board, row 2, column 2: a second blank"):
        sliding.parse_all("1 2\n3 0\n\n1 0\n3 0")
    with pytest.raises(BadInput, match="the seed -3: expected a number from 0"):
        sliding.generate(4, seed=-3)


def test_boards_from_files_of_every_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = sliding.generate(4, seed=3)
    text = sliding.write(board).replace("/", "\n")
    file = tmp_path / "board.txt"
    file.write_bytes(codecs.BOM_UTF8 + text.encode())
    assert sliding.read(file) == sliding.read(str(file)) == formats.named(str(file)) == board
    with file.open("rb") as stream:
        assert sliding.read(stream) == board
    assert sliding.read(io.StringIO(text)) == board
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert sliding.read("-") == board
    with pytest.raises(BadInput, match="nowhere: No such file"):
        sliding.read("nowhere")


def test_a_text_longer_than_a_name_is_no_file() -> None:
    board = sliding.generate(60, seed=1)
    assert formats.named(sliding.write(board)) == board
    assert len(formats.word_of("NS" * 5000)) == 10_000


def test_boards_by_seed() -> None:
    assert sliding.generate(4, seed=7) == sliding.generate(4, seed=7)
    assert repr(sliding.generate(2, seed=1)).startswith("<board of 2×2: ")
    assert repr(sliding.generate(20, seed=1)) == "<board of 20×20>"
    assert str(sliding.generate(4, seed=7).solve(method="table").first).startswith("NWSWNENWSWNE")  # as the docs say


def test_moves_as_text() -> None:
    codes = formats.parse_moves("ns ew\nN")
    assert formats.letters(codes) == "NSEWN"
    with pytest.raises(BadInput, match="character 2 is 'X'"):
        formats.parse_moves("NX")


def test_the_check_finds_faults() -> None:
    board = sliding.parse("1 2 3/4 5 6/7 0 8")
    assert checking.fault(board, "E") is None
    assert "off the board" in str(checking.fault(board, "S"))
    assert "not in their places" in str(checking.fault(board, "N"))


def played(page: str) -> str:
    """The moves that a page holds, unpacked: a number before a way repeats it; what begins with @ or ! is no move."""
    data = data_of(page)
    words = re.findall(r"[@!][0-9a-z]+\.|([0-9]*)([NSEW])", "".join(data["pieces"]))
    return "".join(way * int(count or 1) for count, way in words)


def test_pictures() -> None:
    board = sliding.generate(4, seed=7)
    assert str(board._repr_svg_()).count("<rect") == 16 + 1  # the paper
    assert "·" in str(board)
    solution = board.solve(method="table")
    page = player(solution)
    assert played(page) == solution.moves
    assert "2×2 window" in page
    assert scene(board).title == "a board of 4×4"
    out = io.StringIO()
    animate(solution, 0.01, out)
    assert f"{len(solution)} of {len(solution)} moves" in out.getvalue()
    with pytest.raises(BadInput, match="too large to draw"):
        scene(sliding.generate(101, seed=1))


def test_in_a_notebook() -> None:
    board = sliding.generate(4, seed=7)
    assert "<svg" in str(board._repr_svg_())
    found = board.solve(method="table")
    frame = str(found._repr_html_())
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html')
    assert frame.count('"') == 4  # whatever the page holds, nothing ends the attribute early
    assert html.unescape(frame.split('"')[1]) == player(found)
    assert found._repr_svg_() == board._repr_svg_()
    assert repr(found).startswith(f"<Solution: {len(found)} moves by table")
    assert str(found) == found.moves
    large = sliding.generate(101, seed=1)
    assert large._repr_svg_() is None
    assert large.solve(method="table")._repr_html_() is None


def test_what_a_method_does_not_know_is_refused() -> None:
    board = sliding.generate(3, seed=1)
    for method in (*constructive.METHODS, "anytime"):
        for run in (Job("nothing"), Grid("local:1")):
            with pytest.raises(BadInput, match="leave the job and the cluster out"):
                board.solve(method=method, run=run)
        with pytest.raises(BadInput, match="an estimate goes with the method optimal"):
            board.solve(method=method, estimate="lines")
    for limits in (Here(time_limit=1.0), Here(node_limit=5)):
        with pytest.raises(BadInput, match="limits go with optimal and anytime, not with table"):
            board.solve(method="table", run=limits)
    with pytest.raises(BadInput, match="estimate luck: expected one of auto"):
        board.solve(method="optimal", estimate="luck")  # type: ignore[arg-type]
    ask: Any = board.solve
    with pytest.raises(TypeError):
        ask("optimal", threads=2)


def test_two_blanks_are_told() -> None:
    for text in ("1 2 3 4 5 0 _ 7 8", "1 0 . 3"):
        with pytest.raises(BadInput, match="2 blanks: expected one"):
            sliding.parse(text)


@pytest.mark.parametrize("method", WORST)
def test_a_worst_case_that_is_stopped_has_a_board(method: Any) -> None:
    """Its first lines are in place; the more time there was, the fewer, and the more moves it takes."""
    whole = sliding.worst(6, method=method)
    before = 0
    for nodes in (1, 500, 2000, 5000):
        found = sliding.worst(6, method=method, run=Here(node_limit=nodes))
        assert found.status == "open"
        assert found.board.solvable
        assert found.board.tiles[0] == 1
        assert before <= found.moves == len(found.board.solve(method=found.method)) <= whole.moves
        before = found.moves
    assert before > 31
    assert (whole.status, whole.placed, sliding.worst(6, method=method, run=Here(node_limit=10**9)).moves) == (
        "solved",
        0,
        whole.moves,
    )


def test_a_worst_case_that_is_interrupted_has_a_board() -> None:
    reported = []

    def watch(now: Snapshot) -> None:
        reported.append(now)
        if now.words:
            raise KeyboardInterrupt

    found = sliding.worst(6, run=Here(watch=watch))
    assert (found.interrupted, found.status) == (True, "open")
    assert len(found.board.solve(method="table")) == found.moves >= 31
    assert reported[-1].over


def test_a_board_is_whatever_people_have(tmp_path: Path) -> None:
    text = "8 6 7/2 5 4/3 0 1"
    rows: Any = [[8, 6, 7], [2, 5, 4], [3, 0, 1]]
    file = tmp_path / "board.txt"
    file.write_text(text)
    board = sliding.parse(text)
    values: Any = (text, rows, np.array(rows), file, str(file), board, "8 6 7\n2 5 4\n3 0 1\n")
    for value in values:
        assert as_puzzle(value) == board
    assert len(sliding.solve(text)) == len(sliding.solve(rows)) == 31
    assert from_bytes(as_bytes(board)) == board
    file.write_text(f"{text}\n1 2 3/4 5 6/7 0 8\n")
    several: Any = as_puzzle(file)
    assert [len(found) for found in several.solve()] == [31, 1]
    for wrong in (5, None, [[1, 2], [3]], [["a"]]):
        with pytest.raises(BadInput, match="expected"):
            sliding.solve(wrong)


def test_sizes_are_whatever_people_have() -> None:
    for size in (4, "4", (4, 4), "4x4", "4×4"):
        assert sliding.random(size, seed=3)[0] == sliding.generate(4, seed=3)
    assert [board.rows for board in sliding.random("3x4", number=2)] == [3, 3]
    for wrong in ("4by4", (1, 2, 3), 4.5):
        with pytest.raises(BadInput, match="expected"):
            sliding.random(wrong)  # type: ignore[arg-type]
