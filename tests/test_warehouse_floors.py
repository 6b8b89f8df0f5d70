"""Warehouses beyond the source's: whole floors, goals, walls, the direct planner, limits, move lists and pages."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablero import warehouse
from tablero.cli import run
from tablero.draw.pages import Moves, pieces
from tablero.errors import BadInput
from tablero.runs.run import Here
from tablero.warehouse import checking, direct, formats
from tablero.warehouse import matching as matchings
from tablero.warehouse.draw import player, scene
from tablero.warehouse.generating import arranged
from tablero.warehouse.matching import assigned, matching
from tablero.warehouse.plan import MOST_MOVES
from tablero.warehouse.puzzle import of_order
from tablero.warehouse.verbs import Method
from tests.floors import fault

STEP = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1)}
FLOOR = """
. . . . . . . . .
. 5 3 # . 2 2 7 .
. 9 4 6 . 1 1 8 .
. 1 1 2 . 3 4 # .
. . . . . . . . .
. 7 8 9 . 2 2 1 .
. 4 # 5 . 6 3 3 .
. 5 5 5 . 9 9 9 .
. . . . . . . . .
"""


def replayed(plan: warehouse.Plan) -> list[list[int]]:
    """The floor after the moves that are told, each a tile, a direction and where it stood, played by code of its own."""
    layout = plan.puzzle.layout
    rows = [list(plan.puzzle.cells[r * layout.columns : (r + 1) * layout.columns]) for r in range(layout.rows)]
    walls = {divmod(wall, layout.columns) for wall in layout.walls}
    for tile, way, row, column in plan.to_list()[0]:
        r, c = row - 1, column - 1
        s, d = r + STEP[way][0], c + STEP[way][1]
        assert rows[r][c] == tile
        assert 0 <= s < layout.rows
        assert 0 <= d < layout.columns
        assert rows[s][d] == 0
        assert (s, d) not in walls
        rows[s][d], rows[r][c] = tile, 0
    return rows


def in_order(plan: warehouse.Plan) -> bool:
    columns = plan.puzzle.layout.columns
    rows = replayed(plan)
    found = [rows[slot // columns][slot % columns] for slot in plan.puzzle.layout.slots]
    tiles = sum(tile > 0 for row in rows for tile in row)
    return found == list(plan.puzzle.goal or range(1, len(found) + 1)) and tiles == len(found)


@pytest.mark.parametrize("method", ["exchange", "direct"])
@pytest.mark.parametrize(
    ("side", "down", "across"), [(2, 1, 1), (2, 2, 3), (3, 1, 1), (3, 2, 2), (4, 1, 3), (6, 2, 2), (9, 1, 2)]
)
def test_both_planners_put_everything_in_order(method: Method, side: int, down: int, across: int) -> None:
    layout = warehouse.Layout(side, down, across)
    for seed in range(4):
        plan = arranged(layout, seed=seed).solve(method=method)
        assert plan.method == method
        assert in_order(plan)


@pytest.mark.parametrize(
    ("n", "boards", "gain"), [(9, 30, 0.2), (16, 10, 0.22), (25, 4, 0.19), (36, 2, 0.17), (64, 1, 0.12), (81, 1, 0.11)]
)
def test_the_direct_planner_needs_fewer_moves(n: int, boards: int, gain: float) -> None:
    layout = warehouse.square(n)
    starts = [warehouse.generate(n, seed=k) for k in range(boards)]
    source, straight = (sum(len(start.solve(method=m)) for start in starts) for m in ("exchange", "direct"))
    assert straight < (1 - gain) * source
    least = sum(
        abs(cell // n - layout.slots[tile - 1] // n) + abs(cell % n - layout.slots[tile - 1] % n)
        for start in starts
        for cell, tile in enumerate(start.cells)
        if tile
    )
    assert straight >= least  # nothing can be shorter than that
    assert straight < 1.8 * least
    assert straight / boards == pytest.approx(direct.expected(layout), rel=0.25)


def test_blocks_of_side_2() -> None:
    assert warehouse.square(4).slots == (5, 6, 9, 10)
    every = [warehouse.generate(4, seed=k).solve() for k in range(24)]
    assert all(map(in_order, every))
    assert max(map(len, every)) <= 64 == warehouse.square(4).bound


def test_a_floor_with_walls_and_numbers_that_repeat() -> None:
    floor = warehouse.parse(FLOOR)
    assert (floor.layout.side, floor.layout.down, floor.layout.across, len(floor.layout.walls)) == (3, 2, 2, 3)
    plan = floor.solve()
    assert plan.method == "direct"
    assert in_order(plan)
    goal = sorted(floor.wanted, reverse=True)
    other = warehouse.parse(FLOOR, goal=goal).solve()
    assert other.puzzle.goal == tuple(goal)
    assert in_order(other)
    with pytest.raises(BadInput, match="exchange does not support walls: expected direct"):
        floor.solve(method="exchange")
    framed = "\n".join(["# " * 11, *(f"# {line} #" for line in FLOOR.strip().splitlines()), "# " * 11])
    assert warehouse.parse(framed) == floor == warehouse.parse(formats.write(floor))
    assert str(floor).count("#") == 3
    assert scene(floor).title == "a warehouse of 9×9"
    assert len(floor.solve(method="direct").to_list()[0]) == len(plan)


def test_numbers_that_repeat_shorten_the_way() -> None:
    layout = warehouse.square(16)
    choose = random.Random(3)
    numbers = [choose.randint(1, 6) for _ in layout.slots]
    goal = sorted(numbers)
    many = of_order(layout, numbers, goal).solve(method="direct")
    assert in_order(many)
    assert in_order(of_order(layout, numbers, goal).solve(method="exchange"))
    assert len(many) < 0.75 * len(warehouse.generate(16, seed=1).solve(method="direct"))


def test_assignments_with_and_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = warehouse.square(9)
    choose = random.Random(1)
    numbers = [choose.randint(1, 4) for _ in layout.slots]
    start = of_order(layout, numbers, sorted(numbers))

    def length(cells: list[int]) -> int:
        ends = [(cell, layout.slots[tile - 1]) for cell, tile in enumerate(cells) if tile]
        assert sorted(end for _, end in ends) == list(layout.slots)
        assert all(start.cells[a] == start.wanted[layout.slots.index(b)] for a, b in ends)
        return sum(abs(a // 9 - b // 9) + abs(a % 9 - b % 9) for a, b in ends)

    best = length(assigned(start, start.cells))
    monkeypatch.setattr(matchings, "MOST_MATCHED", 0)
    assert best <= length(assigned(start, start.cells)) <= 1.3 * best


def test_the_corner_start_and_its_bound(capfd: pytest.CaptureFixture[str]) -> None:
    layout = warehouse.square(25)
    start = arranged(layout, "corner", seed=1)
    plan = start.solve(method="exchange")
    assert (plan.forming, start.bound, layout.bound) == (2458, 36_944, 28_000)
    assert plan.forming == matching(start)[1] <= layout.forming_bound == 8944
    assert in_order(plan)
    assert in_order(start.solve(method="direct"))
    assert run(["warehouse", "solve", "25", "--order", "corner", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["bound"] == 36_944


def test_too_many_moves_are_refused_before_they_are_made() -> None:
    for method in ("exchange", "direct"):
        with pytest.raises(BadInput, match=f"moves: expected at most {MOST_MOVES:,}"):
            warehouse.generate(576, seed=1).solve(method=method)
    with pytest.raises(BadInput, match="empty cells to match"):
        matching(warehouse.generate(196, "scattered", seed=1))


def test_the_command_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path, moves = tmp_path / "floor.txt", tmp_path / "moves.csv"
    path.write_text(FLOOR, encoding="utf-8")
    assert run(["warehouse", "solve", str(path), "-o", str(moves), "--json"]) == 0
    reported: dict[str, Any] = json.loads(capfd.readouterr().out)
    assert (reported["method"], reported["tiles"], len(reported["answers"][0])) == ("direct", 33, reported["moves"])
    lines = moves.read_text(encoding="utf-8").splitlines()
    assert len(lines) == reported["moves"] + 1
    assert [line.split(",")[1] for line in lines[1:]] == [str(move[0]) for move in reported["answers"][0]]
    moves_by = {}
    for method in ("exchange", "direct", "auto"):
        assert run(["warehouse", "solve", "16", "--method", method, "-q"]) == 0
        moves_by[method] = int(capfd.readouterr().out)
    assert moves_by["auto"] == moves_by["direct"] < moves_by["exchange"]
    assert run(["warehouse", "solve", "16", "-q"]) == 0
    assert int(capfd.readouterr().out) == moves_by["auto"]
    assert run(["warehouse", "solve", "9", "--goal", " ".join(map(str, range(36, 0, -1))), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["status"] == "solved"
    assert run(["warehouse", "solve", "64", "--time-limit", "0.001s", "--json", "-q"]) == 3
    stopped = json.loads(capfd.readouterr().out)
    assert (stopped["status"], stopped["answers"], stopped["moves"]) == ("open", [], None)
    assert run(["warehouse", "solve", "64", "--time-limit", "0.001s"]) == 3
    out, err = capfd.readouterr()
    assert out == ""  # a number there would be an answer
    assert "no plan" in err


def test_moves_in_json_can_be_replayed_where_numbers_repeat(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "floor.txt"
    path.write_text(FLOOR, encoding="utf-8")
    assert run(["warehouse", "solve", str(path), "--json"]) == 0
    reported = json.loads(capfd.readouterr().out)
    rows = [line.split() for line in FLOOR.strip().splitlines()]
    for tile, way, row, column in reported["answers"][0]:
        to_row, to_column = row - 1 + STEP[way][0], column - 1 + STEP[way][1]
        assert rows[row - 1][column - 1] == str(tile)
        assert min(to_row, to_column) >= 0
        assert rows[to_row][to_column] == "."
        rows[to_row][to_column], rows[row - 1][column - 1] = str(tile), "."
    standing = [word for r in (1, 2, 3, 5, 6, 7) for c in (1, 2, 3, 5, 6, 7) if (word := rows[r][c]) != "#"]
    assert standing == sorted(standing)
    assert sum(word.isdigit() for row in rows for word in row) == len(standing)


def test_the_compiled_check_agrees_with_the_plain_one() -> None:
    plan = warehouse.generate(9, seed=3).solve(method="direct")
    moves = plan.answers[0]
    choose = random.Random(5)
    for _ in range(40):
        k, other = choose.randrange(len(moves)), choose.randrange(81)
        broken = [*moves[:k], (moves[k][0], moves[k][1], other), *moves[k + 1 :]]
        sources, targets = (np.array([move[j] for move in broken], np.int32) for j in (1, 2))
        _, illegal, away = checking.play(plan.puzzle, sources, targets)
        assert (illegal is away is None) == (fault(plan.puzzle, broken) is None)


def unpacked(moves: Moves) -> list[tuple[int, int, int]]:
    """The steps of a page as its script unpacks them: from, to and remark."""
    step = {"N": -moves.columns, "S": moves.columns, "E": 1, "W": -1}
    found = []
    for piece in pieces(moves):
        place = remark = 0
        for cell, rule, count, way in re.findall(r"@(\w+)\.|!(\w+)\.|(\d*)([NSEW])", piece):
            if cell:
                place = int(cell, 36)
            elif rule:
                remark = int(rule, 36)
            else:
                for _ in range(int(count or 1)):
                    after = place + step[way]
                    found.append((after, place, remark) if moves.sources is None else (place, after, remark))
                    place = after
    return found


def test_a_page_holds_its_moves_packed() -> None:
    plan = warehouse.generate(49, seed=1).solve(method="direct")
    page = player(plan)
    assert len(page) < 1.5 * len(plan) + 60_000
    assert f'"total":{len(plan)}' in page
    reasons = plan.reasons.tolist()
    moves = Moves(
        "",
        49,
        49,
        plan.puzzle.cells,
        (),
        plan.directions,
        [(k, 1) for k in reasons],
        {},
        plan.sources.tolist(),
    )
    assert unpacked(moves) == list(zip(plan.sources.tolist(), plan.targets.tolist(), reasons, strict=True))


@given(st.integers(2, 6), st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_steps_of_one_hole_are_packed_too(n: int, choose: random.Random) -> None:
    hole, word, known = 0, "", []
    for _ in range(1200):
        r, c = divmod(hole, n)
        way = choose.choice([w for w, (a, b) in STEP.items() if 0 <= r + a < n and 0 <= c + b < n])
        after = hole + STEP[way][0] * n + STEP[way][1]
        known.append((after, hole, len(word) // 500))
        word, hole = word + way, after
    notes = sorted(Counter(remark for *_, remark in known).items())
    moves = Moves("", n, n, range(n * n), range(n * n), word, notes, {})
    assert unpacked(moves) == known


@given(st.text(alphabet="12 .#\n3x", max_size=80))
@settings(max_examples=150)
def test_any_text_is_a_floor_or_refused(text: str) -> None:
    try:
        floor = warehouse.parse(text)
    except BadInput:
        return
    assert warehouse.parse(formats.write(floor)) == floor


def test_limits_act_while_moves_are_planned() -> None:
    plan = warehouse.generate(81, seed=1).solve(method="direct", run=Here(node_limit=20_000))
    assert (plan.status, plan.fraction) == ("open", 0.0)
    assert len(plan) < 30_000
