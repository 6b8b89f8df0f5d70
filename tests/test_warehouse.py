"""Warehouses: every move legal, everything in place, as many moves as is known."""

from __future__ import annotations

import codecs
import csv
import html
import io
import json
import sys
from pathlib import Path

import pytest

from tablero import warehouse
from tablero.errors import BadInput, JobError, MissingExtra
from tablero.runs.run import Grid, Here, Job
from tablero.warehouse import checking, formats
from tablero.warehouse.draw import animate, player, scene
from tablero.warehouse.exchange import going_in
from tablero.warehouse.form import matching
from tablero.warehouse.puzzle import of_order
from tablero.warehouse.solving import kernels, resume


# The reference's mean of random orders, and its reversal; ours may differ by a little.
@pytest.mark.parametrize(
    ("n", "tiles", "boards", "mean", "reversal"),
    [(9, 36, 200, 384, 500), (16, 144, 40, 2625, 3704), (25, 400, 8, 10601, 14880), (36, 900, 3, 33076, 47442)],
)
def test_known_totals(n: int, tiles: int, boards: int, mean: float, reversal: int) -> None:
    layout = warehouse.square(n)
    assert (len(layout.slots), layout.rows, layout.columns) == (tiles, n, n)
    lengths = [len(warehouse.random(layout, seed=k).solve()) for k in range(boards)]
    assert sum(lengths) / boards == pytest.approx(mean, rel=0.03)
    assert max(lengths) <= layout.bound == 2 * n**3 - 6 * n**2 + 4 * n * layout.side
    assert len(warehouse.reversed_order(layout).solve()) == pytest.approx(reversal, rel=0.06)
    assert layout.estimate == n**3 - 4 * n * layout.side + 3 * n


def test_a_large_one() -> None:
    layout = warehouse.square(81)
    plan = warehouse.random(layout, seed=1).solve()
    assert len(plan) == pytest.approx(379_620, rel=0.03)
    assert len(plan) <= layout.bound


def test_an_exchange_costs_what_it_should() -> None:
    for level in range(2, 8):
        assert len(going_in(level)) == 6 * level + 1


@pytest.mark.parametrize(("side", "down", "across"), [(3, 1, 1), (3, 2, 5), (4, 3, 1), (5, 1, 2), (7, 2, 2), (9, 1, 1)])
def test_any_rectangle_of_blocks(side: int, down: int, across: int) -> None:
    layout = warehouse.Layout(side, down, across)
    for seed in range(5):
        plan = warehouse.random(layout, seed=seed).solve()
        assert checking.fault(plan.warehouse, zip(plan.tiles, plan.sources, plan.targets, strict=True)) is None
        assert len(plan) <= layout.bound
    ordered = of_order(layout, range(1, len(layout.slots) + 1))
    assert len(ordered.solve()) == 0


def test_blocks_are_formed_at_the_cost_of_the_matching() -> None:
    for n, known in ((9, None), (25, 371), (36, 888)):
        layout = warehouse.square(n)
        forming = []
        for seed in range(4):
            start = warehouse.scattered(layout, seed=seed)
            plan = start.solve()
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
    plan = warehouse.Warehouse(layout, tuple(cells)).solve()
    assert plan.forming == matching(plan.warehouse)[1] > 2000


def test_without_scipy_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with pytest.raises(MissingExtra, match=r"needs the extra 'warehouse'"):
        warehouse.scattered(warehouse.square(9), seed=1).solve()


def test_move_lists() -> None:
    plan = warehouse.random(warehouse.square(9), seed=3).solve()
    rows = list(csv.DictReader(io.StringIO("".join(formats.csv_pieces(plan)))))
    assert len(rows) == len(plan)
    assert set(rows[0]) == set(formats.COLUMNS)
    moves = json.loads("".join(formats.json_pieces(plan)))["moves"]
    assert [str(move["tile"]) for move in moves] == [row["tile"] for row in rows]
    steps = [
        (move["tile"], 9 * move["from_row"] + move["from_column"] - 10, 9 * move["to_row"] + move["to_column"] - 10)
        for move in moves
    ]
    assert checking.fault(plan.warehouse, steps) is None


def test_the_check_finds_faults() -> None:
    plan = warehouse.random(warehouse.square(9), seed=3).solve()
    moves = list(zip(plan.tiles, plan.sources, plan.targets, strict=True))
    assert checking.fault(plan.warehouse, moves[:-1]) == f"1 tile is not in its slot after {len(moves) - 1} moves"
    assert "is not on cell" in str(checking.fault(plan.warehouse, moves[1:]))
    tile, source, target = moves[0]
    assert "not neighbours" in str(checking.fault(plan.warehouse, [(tile, source, 0)]))
    assert "not free" in str(checking.fault(plan.warehouse, [(tile, source, 2 * source - target)]))


def test_pictures() -> None:
    plan = warehouse.random(warehouse.square(9), seed=3).solve()
    page = player(plan)
    assert "along the corridors" in page
    assert str(plan.warehouse._repr_svg_()).count("<text") == 36
    assert scene(plan.warehouse).title == "a warehouse of 9×9"
    out = io.StringIO()
    animate(plan, 0.01, out)
    assert "of 3" in out.getvalue()


def test_in_a_notebook() -> None:
    plan = warehouse.random(warehouse.square(9), seed=3).solve()
    frame = str(plan._repr_html_())
    assert frame.startswith('<iframe srcdoc="&lt;!doctype html')
    assert html.unescape(frame.split('"')[1]) == player(plan)
    assert plan._repr_svg_() == plan.puzzle._repr_svg_()
    assert repr(plan).startswith("<Plan: 372 moves for 36 tiles, ")
    assert repr(plan.puzzle) == "<warehouse of 9×9: 36 tiles>"
    assert str(plan.puzzle).count("·") == 81 - 36
    large = warehouse.random(warehouse.square(121), seed=1)
    assert large._repr_svg_() is None


def test_a_plan_is_findings() -> None:
    start = warehouse.generate(9, seed=3)
    plan = start.solve()
    assert (plan.status, plan.solutions, plan.fraction) == ("solved", 1, 1.0)
    assert start.first() == plan.first == plan.answers[0]
    assert checking.fault(start, plan.answers[0]) is None
    assert (len(plan), plan.answers[0][0]) == (372, (15, 10, 1))  # as the docs say
    assert warehouse.generate("2x5", "scattered", side=4, seed=1).solve().forming == 159
    assert plan.values()["moves"] == len(plan.answers[0]) == len(plan)
    for run in (Job("nothing"), Grid("local:1")):
        with pytest.raises(BadInput, match="leave the job and the cluster out"):
            start.solve(run=run)
    stopped = warehouse.generate(36, seed=1).solve(run=Here(node_limit=5000))
    assert (stopped.status, stopped.solutions, stopped.answers, stopped.told()) == ("open", 0, [], [])
    assert 5000 <= len(stopped) < 10_000
    with pytest.raises(JobError, match="no jobs of this family"):
        resume({}, b"", Here())
    assert list(kernels()) == ["warehouse check"]


def test_orders_from_files_and_by_seed(tmp_path: Path) -> None:
    start = warehouse.generate("2x3", side=4, seed=5)
    text = ", ".join(str(start.cells[slot]) for slot in start.layout.slots)
    file = tmp_path / "order.txt"
    file.write_bytes(codecs.BOM_UTF8 + text.encode())
    layout = warehouse.layout_of("2x3", 4)
    assert warehouse.parse(text, layout) == start
    assert (
        warehouse.read(file, layout) == warehouse.read(str(file), layout) == formats.named(str(file), layout) == start
    )
    with file.open() as stream:
        assert warehouse.read(stream, layout) == start
    assert warehouse.generate(9, "reversed") == warehouse.reversed_order(warehouse.square(9))
    assert warehouse.generate(9, "scattered", seed=2) == warehouse.scattered(warehouse.square(9), seed=2)
    with pytest.raises(BadInput, match="expected one of random, reversed, scattered"):
        warehouse.generate(9, "sorted")


def test_what_is_no_warehouse() -> None:
    with pytest.raises(BadInput, match="perfect square"):
        warehouse.square(10)
    with pytest.raises(BadInput, match="at least 4"):
        warehouse.square(1)
    with pytest.raises(BadInput, match="each once"):
        warehouse.Warehouse(warehouse.square(9), (1,) * 36 + (0,) * 45)
