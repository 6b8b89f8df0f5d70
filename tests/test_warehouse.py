"""Warehouses: every move legal, everything in place, as many moves as is known."""

from __future__ import annotations

import codecs
import csv
import html
import io
import json
import sys
import time
from pathlib import Path

import pytest

from tablero import warehouse
from tablero.cli import run
from tablero.errors import BadInput, MissingExtra
from tablero.runs.run import Grid, Here, Job
from tablero.warehouse import formats, solving
from tablero.warehouse.direct import Direct, expected
from tablero.warehouse.draw import animate, player, scene
from tablero.warehouse.exchange import Exchange, going_in
from tablero.warehouse.generating import arranged
from tablero.warehouse.matching import matching
from tablero.warehouse.plan import OutOfTime
from tablero.warehouse.puzzle import of_order
from tablero.warehouse.solving import kernels
from tablero.web import work
from tests.floors import fault


# The reference's mean of random orders, and its reversal; ours may differ by a little.
@pytest.mark.parametrize(
    ("n", "tiles", "boards", "mean", "reversal"),
    [(9, 36, 200, 384, 500), (16, 144, 40, 2625, 3704), (25, 400, 8, 10601, 14880), (36, 900, 3, 33076, 47442)],
)
def test_known_totals(n: int, tiles: int, boards: int, mean: float, reversal: int) -> None:
    layout = warehouse.square(n)
    assert (len(layout.slots), layout.rows, layout.columns) == (tiles, n, n)
    lengths = [len(warehouse.generate(n, seed=k).solve(method="exchange")) for k in range(boards)]
    assert sum(lengths) / boards == pytest.approx(mean, rel=0.03)
    assert max(lengths) <= layout.bound == 2 * n**3 - 6 * n**2 + 4 * n * layout.side
    assert len(warehouse.generate(n, "reversed").solve(method="exchange")) == pytest.approx(reversal, rel=0.06)
    assert layout.estimate == n**3 - 4 * n * layout.side + 3 * n


def test_a_large_one() -> None:
    layout = warehouse.square(81)
    plan = warehouse.generate(81, seed=1).solve(method="exchange")
    assert len(plan) == pytest.approx(379_620, rel=0.03)
    assert len(plan) <= layout.bound


def test_an_exchange_costs_what_it_should() -> None:
    for level in range(2, 8):
        assert len(going_in(level)) == 6 * level + 1


@pytest.mark.parametrize(("side", "down", "across"), [(3, 1, 1), (3, 2, 5), (4, 3, 1), (5, 1, 2), (7, 2, 2), (9, 1, 1)])
def test_any_rectangle_of_blocks(side: int, down: int, across: int) -> None:
    layout = warehouse.Layout(side, down, across)
    for seed in range(5):
        plan = arranged(layout, seed=seed).solve(method="exchange")
        assert fault(plan.warehouse, zip(plan.tiles, plan.sources, plan.targets, strict=True)) is None
        assert len(plan) <= layout.bound
    ordered = of_order(layout, range(1, len(layout.slots) + 1))
    assert len(ordered.solve()) == 0


def test_blocks_are_formed_at_the_cost_of_the_matching() -> None:
    for n, known in ((9, None), (25, 371), (36, 888)):
        forming = []
        for seed in range(4):
            start = warehouse.generate(n, "scattered", seed=seed)
            plan = start.solve(method="exchange")
            assert plan.forming == matching(start)[1]
            forming.append(plan.forming)
        if known:
            assert sum(forming) / 4 == pytest.approx(known, rel=0.12)


def test_holes_packed_in_a_corner() -> None:
    layout = warehouse.square(25)
    tiles = len(layout.slots)
    corner = sorted(range(625), key=lambda cell: cell // 25 + cell % 25)
    cells = [0] * 625
    for tile, cell in enumerate(corner[625 - tiles :], 1):
        cells[cell] = tile
    plan = warehouse.Warehouse(layout, tuple(cells)).solve(method="exchange")
    assert plan.forming == matching(plan.warehouse)[1] > 2000


def test_without_scipy_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(MissingExtra, match=r"needs the extra 'warehouse'"):
        warehouse.generate(9, "scattered", seed=1).solve()


def test_move_lists() -> None:
    plan = warehouse.generate(9, seed=3).solve()
    rows = list(csv.DictReader(io.StringIO("".join(formats.move_list(plan)))))
    assert len(rows) == len(plan)
    assert set(rows[0]) == set(formats.COLUMNS)
    moves = json.loads("".join(formats.move_list(plan, ".json")))["moves"]
    assert [str(move["tile"]) for move in moves] == [row["tile"] for row in rows]
    steps = [
        (move["tile"], 9 * move["from_row"] + move["from_column"] - 10, 9 * move["to_row"] + move["to_column"] - 10)
        for move in moves
    ]
    assert fault(plan.warehouse, steps) is None


def test_the_check_finds_faults() -> None:
    plan = warehouse.generate(9, seed=3).solve()
    moves = list(zip(plan.tiles, plan.sources, plan.targets, strict=True))
    assert fault(plan.warehouse, moves[:-1]) == f"1 tile is not in its slot after {len(moves) - 1} moves"
    assert "is not on cell" in str(fault(plan.warehouse, moves[1:]))
    tile, source, target = moves[0]
    assert "not neighbours" in str(fault(plan.warehouse, [(tile, source, 0)]))
    assert "not free" in str(fault(plan.warehouse, [(tile, source, 2 * source - target)]))


def test_pictures() -> None:
    plan = warehouse.generate(9, seed=3).solve(method="exchange")
    page = player(plan)
    assert "along the corridors" in page
    assert str(plan.warehouse._repr_svg_()).count("<text") == 36
    assert scene(plan.warehouse).title == "a warehouse of 9×9"
    out = io.StringIO()
    animate(plan, 0.01, out)
    assert "of 3" in out.getvalue()


def test_in_a_notebook() -> None:
    plan = warehouse.generate(9, seed=3).solve(method="exchange")
    frame = str(plan._repr_html_())
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html')
    assert html.unescape(frame.split('"')[1]) == player(plan)
    assert plan._repr_svg_() == plan.puzzle._repr_svg_()
    assert repr(plan).startswith("<Plan: 372 moves for 36 tiles, ")
    assert repr(plan.puzzle) == "<warehouse of 9×9: 36 tiles>"
    assert str(plan.puzzle).count("·") == 81 - 36
    large = warehouse.generate(121, seed=1)
    assert large._repr_svg_() is None


def test_a_plan_is_findings() -> None:
    start = warehouse.generate(9, seed=3)
    plan = start.solve(method="exchange")
    assert (plan.status, plan.solutions, plan.fraction) == ("solved", 1, 1.0)
    assert plan.first == plan.answers[0]
    assert fault(start, plan.answers[0]) is None
    assert (len(plan), plan.answers[0][0]) == (372, (15, 10, 1))  # as the docs say
    assert warehouse.generate("2x5", "scattered", side=4, seed=1).solve(method="exchange").forming == 159
    assert plan.values()["moves"] == len(plan.answers[0]) == len(plan)
    for durable in (Job("nothing"), Grid("local:1")):
        with pytest.raises(BadInput, match="leave the job and the cluster out"):
            start.solve(run=durable)
    stopped = warehouse.generate(36, seed=1).solve(run=Here(node_limit=5000))
    assert (stopped.status, stopped.solutions, stopped.answers, stopped.to_list()) == ("open", 0, [], [])
    assert 5000 <= len(stopped) < 10_000
    assert list(kernels()) == ["warehouse check"]


def test_orders_from_files_and_by_seed(tmp_path: Path) -> None:
    start = warehouse.generate("2x3", side=4, seed=5)
    text = ", ".join(str(start.cells[slot]) for slot in start.layout.slots)
    file = tmp_path / "order.txt"
    file.write_bytes(codecs.BOM_UTF8 + text.encode())
    layout = warehouse.layout_of("2x3", 4)
    assert warehouse.parse_order(text, layout) == start
    assert warehouse.read_order(file, layout) == warehouse.read_order(str(file), layout) == start
    assert formats.named("2x3", str(file), side=4) == start
    with file.open() as stream:
        assert warehouse.read_order(stream, layout) == start
    assert warehouse.generate(9, "scattered", seed=2) == arranged(warehouse.square(9), "scattered", seed=2)
    assert warehouse.generate(4, "reversed").cells == (*(0,) * 5, 4, 3, 0, 0, 2, 1, *(0,) * 5)
    with pytest.raises(BadInput, match="expected one of random, reversed, scattered"):
        warehouse.generate(9, "sorted")  # type: ignore[arg-type]


def test_what_is_no_warehouse() -> None:
    with pytest.raises(BadInput, match="perfect square"):
        warehouse.square(10)
    with pytest.raises(BadInput, match="at least 4"):
        warehouse.square(1)
    with pytest.raises(BadInput, match="each once"):
        warehouse.Warehouse(warehouse.square(9), (1,) * 36 + (0,) * 45)


def test_the_default_is_the_shorter_plan() -> None:
    for n, source, shorter in ((4, 16, 6), (9, 348, 248)):
        start = warehouse.generate(n, seed=1)
        assert len(start.solve(method="exchange")) == source
        assert len(start.solve()) == len(warehouse.solve(start)) == shorter
    large = warehouse.generate(144, seed=1)
    assert solving._planners(large, "auto", expected(large.layout)) == ("direct",)  # both would not be made in moments


def test_auto_has_the_quick_plan_where_the_better_one_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(_: Direct) -> int:
        raise OutOfTime

    monkeypatch.setattr(Direct, "order", late)
    plan = warehouse.generate(9, seed=3).solve()
    assert (plan.status, plan.method, len(plan)) == ("solved", "exchange", 372)


def test_auto_keeps_the_plan_that_is_there_at_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> int:
        raise KeyboardInterrupt

    start = warehouse.generate(9, seed=3)
    with monkeypatch.context() as patch:
        patch.setattr(Direct, "order", interrupted)
        plan = start.solve()
    assert (plan.status, plan.interrupted, len(plan)) == ("solved", True, 372)
    with monkeypatch.context() as patch:
        patch.setattr(Exchange, "order", interrupted)
        plan = start.solve()  # the second planner is not begun
    assert (plan.status, plan.interrupted) == ("open", True)


def test_what_people_have_is_a_warehouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    start = warehouse.generate(9)
    text = warehouse.write(start)
    (tmp_path / "floor.txt").write_text(text, encoding="utf-8")
    moves = len(warehouse.solve(start))
    for value in (9, "9", text, "floor.txt", tmp_path / "floor.txt"):
        plan = warehouse.solve(value)
        assert (plan.puzzle, len(plan)) == (start, moves)
    for wrong in (10, True, 9.5, None, "no.txt"):
        with pytest.raises(BadInput, match=r"expected a .*perfect square as 9"):
            warehouse.solve(wrong)
    with pytest.raises(BadInput, match="seed -1: expected a whole number from 0"):
        warehouse.generate(9, seed=-1)


def test_a_floor_that_is_generated_can_be_solved(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "floor.txt"
    assert run(["warehouse", "generate", "2x3", "--side", "2", "--seed", "4", "-o", str(path)]) == 0
    start = warehouse.generate("2x3", side=2, seed=4)
    assert warehouse.read(path) == start
    assert capfd.readouterr().out == ""
    assert run(["warehouse", "generate", "2x3", "--side", "2", "--order", "reversed", "--json"]) == 0
    assert warehouse.parse(json.loads(capfd.readouterr().out)["problem"]) == warehouse.generate(
        "2x3", "reversed", side=2
    )
    assert run(["warehouse", "solve", str(path), "-q"]) == 0
    assert int(capfd.readouterr().out) == len(start.solve())


def test_the_bound_is_called_proven(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["warehouse", "solve", "9", "--seed", "3"]) == 0
    assert "the proven bound is 1,080" in capfd.readouterr().err
    assert "the proven bound is 1,080" in player(warehouse.generate(9, seed=3).solve())
    words = work.ask("warehouse", "solve", {"size": "9", "seed": 3})["say"]
    assert words.endswith("moves; the proven bound is 1,080")


def test_moves_are_played_in_the_terminal(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    assert run(["warehouse", "solve", "4", "--seed", "1", "--animate", "-q"]) == 0
    out, err = capfd.readouterr()
    assert out == "6\n"
    assert "6 of 6 moves" in err
    assert run(["warehouse", "solve", "4", "--animate", "--json", "-q"]) == 0
    assert capfd.readouterr().err == ""
