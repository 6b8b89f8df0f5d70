"""Studies of queens, sliding tiles, warehouses, Sudoku and scaling: known values, and a part of every quick design."""

from __future__ import annotations

import statistics
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from studies import Study, Table, run, study
from studies.annealing import SOURCES_TIMES
from studies.figures import write_figure
from studies.report import page, write_index
from studies.sliding import promised
from studies.statistics import summary
from studies.sudoku import SETS, solves
from studies.table import Ledger
from studies.warehouse import tiles_on
from studies.words import number, seconds, summary_text

# Levels that are cheap, of every study.
SMALL: dict[str, dict[str, tuple[Any, ...]]] = {
    "queens-times": {"n": (8, 100)},
    "queens-calibration": {"t0": (5,), "alpha": (0.95,), "length": (1, 5), "n": (8, 25)},
    "queens-cooling": {"cooling": ("geometric", "nothing worse", "everything"), "n": (8, 100)},
    "queens-swap": {"n": (8, 25)},
    "sliding-moves": {"n": (4, 5)},
    "sliding-cases": {"n": (4, 6)},
    "sliding-carry": {"n": (12, 13, 14)},
    "warehouse-moves": {"n": (9,)},
    "warehouse-levels": {"n": (9, 81, 40000)},
    "sudoku-sweeps": {"rating": ("easy", "medium"), "clues": (28,)},
    "sudoku-techniques": {"clues": (28, 36)},
    "scaling": {"search": ("queens counted",), "length": ("short",), "on": ("threads",), "number": (1, 2)},
}


def measured(name: str, repetitions: int = 2) -> Table:
    """Some cells of a study, in its own process: no job, no ledger."""
    one = study(name)
    levels = {**one.quick, **SMALL[name]}
    rows = [
        {**cell, **one.measure(cell, one.seed(cell))}
        for cell in replace(one, quick=levels).cells(quick=True, repetitions=repetitions)
    ]
    return Table(one, tuple(rows))


@pytest.fixture(scope="module")
def tables() -> dict[str, Table]:
    return {name: measured(name, 1 if name == "scaling" else 3) for name in SMALL}


@pytest.mark.parametrize("name", SMALL)
def test_every_study_ends_in_sentences_and_a_figure(name: str, tables: dict[str, Table], tmp_path: Path) -> None:
    table = tables[name]
    assert all(line.endswith(".") for line in table.study.conclude(table))
    assert "What the source said" in page(table)
    for path in write_figure(table, tmp_path):
        assert path.stat().st_size > 2000


@pytest.mark.parametrize("name", ["queens-swap", "sliding-moves", "sudoku-techniques", "warehouse-moves"])
def test_a_cell_is_the_same_whenever_it_is_measured(name: str, tables: dict[str, Table]) -> None:
    one, row = study(name), tables[name].rows[0]
    cell = {key: row[key] for key in [*one.factors, "repetition"]}
    again = {**cell, **one.measure(cell, one.seed(cell))}
    assert {k: v for k, v in again.items() if k != "seconds"} == {k: v for k, v in row.items() if k != "seconds"}


def test_puzzles_that_are_rated_at_once_do_not_disturb_each_other() -> None:
    one = study("sudoku-techniques")
    cells = list(replace(one, quick={"clues": (24,)}).cells(quick=True, repetitions=8))
    alone = [one.measure(cell, one.seed(cell)) for cell in cells]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda cell: one.measure(cell, one.seed(cell)), cells)) == alone


def test_known_worst_cases_and_bounds(tables: dict[str, Table]) -> None:
    rows = [row for row in tables["sliding-moves"].rows if row["worst"] is not None]
    worst = {(row["method"], row["n"]): row["worst"] for row in rows}
    assert worst["table", 4] == 152
    assert worst["table", 5] == 374
    assert worst["transport", 5] == 372
    assert [promised("thesis", n) for n in (4, 5, 12)] == [175, 419, 7531]
    assert [promised("parberry", n) for n in (4, 5, 12)] == [197, 471, 8017]
    for row in tables["sliding-moves"].rows:
        if (most := worst.get((row["method"], row["n"]))) is not None:
            assert row["moves"] <= most


def test_what_carry_saves(tables: dict[str, Table]) -> None:
    """All methods get the same boards; of the moves, what leads tiles away is what is left of the distance at first."""
    rows = tables["sliding-carry"].rows
    boards = {(row["n"], row["repetition"], row["manhattan"]) for row in rows}
    assert len(boards) == len({(row["n"], row["repetition"]) for row in rows})
    assert all(row["moves"] >= row["manhattan"] and row["approach"] + row["carry"] <= row["moves"] for row in rows)
    assert all((row["carry"] > 0) == ("carry" in row["method"]) for row in rows)
    means = {
        method: statistics.fmean(row["over"] for row in rows if row["method"] == method and row["n"] == 14)
        for method in ("table", "carry", "carry, choosing")
    }
    assert means["carry, choosing"] < means["carry"] < 0.8 * means["table"]
    assert any("·n² fits them." in line for line in tables["sliding-carry"].study.conclude(tables["sliding-carry"]))


def test_the_costs_by_level_are_those_of_the_thesis(tables: dict[str, Table]) -> None:
    small, thesis, large = tables["warehouse-levels"].where(repetition=0).rows
    assert [int(cost) for cost in thesis["costs"].split()] == [3, *(12 * r - 2 for r in range(2, 6))]
    assert (small["tiles"], thesis["tiles"]) == (36, 5184)
    assert large["occupancy"] == pytest.approx((1 - 1 / 200) ** 2)
    for side in range(3, 12):
        assert sum(tiles_on(side, level) for level in range(1, (side + 1) // 2 + 1)) == side**2


def test_warehouses_stay_within_the_bound_of_the_thesis(tables: dict[str, Table]) -> None:
    for row in tables["warehouse-moves"].rows:
        assert row["bound"] == 1080
        assert row["moves"] - row["forming"] <= row["bound"]
        assert row["forming"] <= row["forming_bound"]
        if row["order"] == "corner" and row["method"] == "exchange":  # as the thesis does it; `direct` is made shorter
            assert row["forming"] == 120


def test_a_run_that_does_not_arrive_is_marked(tables: dict[str, Table]) -> None:
    rows = tables["queens-cooling"].where(cooling="everything", n=100).rows
    assert all(row["capped"] and row["cost"] > 0 for row in rows)
    assert tables["queens-cooling"].where(cooling="everything", n=100).summary("trials").median is None
    for name in ("queens-times", "queens-calibration", "queens-swap"):
        assert all(row["capped"] == (row["cost"] > 0) for row in tables[name].rows)


def test_the_page_of_times_names_the_sources(tables: dict[str, Table]) -> None:
    words = page(tables["queens-times"])
    assert "the source's mean is 2.3 ms" in words
    assert "Masehian's 70 ms" in words
    assert list(SOURCES_TIMES) == [8, 100, 500, 1000, 2000]


def test_more_techniques_never_solve_less(tables: dict[str, Table]) -> None:
    for row in tables["sudoku-techniques"].rows:
        each = [solves(row, most) for _, most in SETS[1:]]
        assert each == sorted(each)
        assert each[-1] == (row["rating"] < 12)
        assert 17 <= row["given"] == row["clues"]


def test_scaling_counts_the_same_on_any_number_of_threads(tables: dict[str, Table]) -> None:
    assert tables["scaling"].levels("solutions") == [2279184]


def test_an_index_links_every_page(tables: dict[str, Table], tmp_path: Path) -> None:
    words = write_index([tables["queens-swap"], tables["sliding-moves"]], tmp_path).read_text()
    assert "(queens-swap.md)" in words
    assert "\nsliding-moves\n" in words
    assert ".svg" not in words  # no figure was written there


def test_a_ledger_of_another_version_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    one: Study = study("warehouse-levels")
    table = run(one, quick=True)
    assert len(Ledger(one, tmp_path / "studies").read()) == len(table.rows)
    assert Ledger(replace(one, version=one.version + 1), tmp_path / "studies").read() == {}


def test_numbers_in_words() -> None:
    assert [number(value) for value in (0, 0.01234, 12.345, 1234.5, 123456.7)] == [
        "0",
        "0.0123",
        "12.3",
        "1,234",
        "123,457",
    ]
    assert [seconds(value) for value in (2.5, 0.0021, 0.000045, 3e-7)] == ["2.5 s", "2.1 ms", "45 µs", "0.3 µs"]
    assert summary_text(summary([1.0])) == "1"
    assert summary_text(summary([1.0, 2.0, 3.0])) == "2 (quartiles 1.5 to 2.5)"
    assert summary_text(summary([1.0, 1.0, 1.0, 1.0, 1.0])) == "1 (95 %: 1 to 1; quartiles 1 to 1)"
    assert summary_text(summary([1.0, 5.0, 5.0], [False, True, True])) == "more than 5 (2 of 3 stopped)"
    assert summary_text(summary([1.0, 2.0, 5.0, 9.0], [False, False, True, False])) == "3.5 to 5.5 (1 of 4 stopped)"
    assert summary_text(summary([])) == "no median (nothing was measured)"
