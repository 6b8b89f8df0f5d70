"""Studies: the same table whatever happened on the way, statistics that know what was stopped, and what they write."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studies import names, run, study
from studies.__main__ import main
from studies.design import Cell, Study, key_of
from studies.machine import machine
from studies.report import page, write_all
from studies.runner import processes
from studies.statistics import growth, quantile, share, summary
from studies.table import Ledger, Table
from studies.words import stopped_after
from tablero.errors import BadInput
from tablero.runs.security import is_open
from tests import chaos, quick_studies
from tests.doors import family

ROOT = Path(__file__).parent.parent
SMALL = "queens-times"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def untimed(rows: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


class Stopped(Executor):
    """Measures a few cells; a moment later somebody presses Ctrl-C."""

    def __init__(self, most: int) -> None:
        self.left = most

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.left > 0:
            future.set_result(fn(*args, **kwargs))
        elif self.left == 0:
            Timer(0.5, future.set_exception, [KeyboardInterrupt()]).start()
        self.left -= 1
        return future


def test_the_same_study_gives_the_same_table(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(SMALL, quick=True, repetitions=2)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "elsewhere"))
    with processes(2) as executor:
        second = run(SMALL, quick=True, repetitions=2, executor=executor)
    assert untimed(second.rows) == untimed(first.rows)


def test_more_repetitions_keep_those_there_are(home: Path) -> None:
    few = run(SMALL, quick=True, repetitions=1)
    more = run(SMALL, quick=True, repetitions=3)
    assert [row for row in more.rows if row["repetition"] == 0] == list(
        few.rows
    )  # the times, too: nothing is done twice
    assert run(SMALL, quick=True, repetitions=3).rows == more.rows


def test_a_study_that_is_stopped_says_what_is_missing_and_goes_on(home: Path) -> None:
    stopped = run(SMALL, quick=True, repetitions=2, executor=Stopped(3))
    assert stopped.interrupted
    assert len(stopped.rows) == 3
    assert stopped.missing == 7
    assert "are missing" in page(stopped)
    whole = run(SMALL, quick=True, repetitions=2)
    assert whole.missing == 0
    assert all(row in whole.rows for row in stopped.rows)


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "studies", "run", SMALL, "--quick", *words]


def lines_of(ledger: Path, least: int, process: subprocess.Popen[Any]) -> int:
    """Wait until the ledger of a running study has so many lines."""
    while process.poll() is None:
        if ledger.exists() and (found := ledger.read_bytes().count(b"\n")) >= least:
            return found
        time.sleep(0.01)
    raise AssertionError("it has ended")


def ledger_of(home: Path) -> Path:
    return home / "studies" / f"{SMALL}-{study(SMALL).version}.jsonl"


def test_a_study_that_is_killed_and_resumed_gives_the_table_of_one_run_through(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = subprocess.Popen(
        command("--repetitions", "400", "-o", str(tmp_path / "out")), stdout=subprocess.DEVNULL, cwd=ROOT
    )
    lines_of(ledger_of(home), 3, process)  # some cells are measured, and most are not
    workers = family(process.pid)[1:]
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert process.returncode == -signal.SIGKILL
    wait_until_gone(workers)
    with ledger_of(home).open("a") as stream:
        stream.write('{"n": 8, "repet')  # as a power cut would leave it
    before = list(Ledger(study(SMALL)).read().values())
    assert 3 <= len(before) < 2000
    # The cells come in the table's order: the first of them are those of n = 8, repetitions 0, 1, 2, …
    resumed = run(SMALL, quick=True, repetitions=4)
    assert resumed.missing == 0
    kept = [row["seconds"] for row in before if row["n"] == 8][:3]
    assert [row["seconds"] for row in resumed.rows if row["n"] == 8][:3] == kept  # not done twice
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "elsewhere"))
    assert untimed(resumed.rows) == untimed(run(SMALL, quick=True, repetitions=4).rows)


def wait_until_gone(pids: Sequence[int], seconds: float = 20) -> None:
    """Wait until processes have ended; one that nobody has buried counts as such."""

    def lives(pid: int) -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            return False

    until = time.monotonic() + seconds
    while any(map(lives, pids)):
        assert time.monotonic() < until, "a worker lives on"
        time.sleep(0.05)


def slow(cell: Cell, seed: int) -> Cell:
    """Press Ctrl-C, and take much longer than anybody would wait."""
    os.kill(os.getppid(), signal.SIGINT)
    time.sleep(600)
    return {"seconds": 600.0}


def slow_study(name: str) -> Study:
    return replace(study(name), measure=slow)


def test_ctrl_c_ends_a_study_with_its_status_and_says_what_goes_on(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    request: pytest.FixtureRequest,
) -> None:
    # Whoever runs tests in the background has Ctrl-C ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    words = ["run", SMALL, "--quick", "--repetitions", "2", "-o", str(tmp_path / "out")]
    goes_on = f"'python -m studies {' '.join(words)}' continues"
    with monkeypatch.context() as patched:
        patched.setattr("studies.__main__.study", slow_study)
        began = time.monotonic()
        assert main(words) == 130
        assert time.monotonic() - began < 60
    reported = capfd.readouterr()
    assert "10 of 10 measurements are missing" in (tmp_path / "out" / f"{SMALL}.md").read_text()
    assert reported.err.count(goes_on) == 1
    with monkeypatch.context() as patched:  # while it draws
        patched.setattr("studies.report.write_figure", lambda *_: os.kill(os.getpid(), signal.SIGINT))
        assert main(words) == 130
    assert capfd.readouterr().err.count(goes_on) == 1
    assert main(words) == 0
    assert "missing" not in (tmp_path / "out" / f"{SMALL}.md").read_text()


def test_an_interrupted_command_leaves_no_process(home: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a child inherits that it is ignored
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    process = subprocess.Popen(
        command("--repetitions", "400", "--workers", "2", "-o", str(tmp_path / "out")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    lines_of(ledger_of(home), 3, process)
    workers = family(process.pid)[1:]
    process.send_signal(signal.SIGINT)
    reported, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "measurements are missing" in (tmp_path / "out" / f"{SMALL}.md").read_text()
    assert study(SMALL).title in reported
    assert said.count("\n") == 1
    wait_until_gone(workers)


def test_a_cluster_measures_the_same_table(home: Path, tmp_path: Path) -> None:
    """Its worker has tablero, and gets the studies from the client."""
    pytest.importorskip("distributed")
    address = f"127.0.0.1:{chaos.free_port()}"
    dask = [sys.executable, "-P", "-m"]
    started = [
        [*dask, "distributed.cli.dask_scheduler", "--port", address.partition(":")[2], "--no-dashboard", "--no-show"],
        [*dask, "distributed.cli.dask_worker", f"tcp://{address}", "--no-dashboard", "--nthreads", "1"],
    ]
    words = [SMALL, "--quick", "--repetitions", "2", "--cluster", address, "-o", str(tmp_path / "out")]
    running: list[subprocess.Popen[bytes]] = []
    try:
        for one in started:
            running.append(subprocess.Popen(one, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
            while not is_open(f"tcp://{address}"):
                time.sleep(0.05)
        done = subprocess.run(
            [sys.executable, "-m", "studies", "run", *words],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait()
    assert done.returncode == 0, done.stdout
    with (tmp_path / "out" / f"{SMALL}.csv").open() as stream:
        there = untimed(list(csv.DictReader(stream)))
    small = study(SMALL)
    here = [{**cell, **small.measure(cell, small.seed(cell))} for cell in small.cells(quick=True, repetitions=2)]
    assert there == [{key: str(value) for key, value in row.items()} for row in untimed(here)]


def test_the_table_as_a_data_frame(home: Path, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    one = study("edges-pieces")
    with pytest.raises(BadInput, match="nothing of edges-pieces is measured yet"):
        one.table()
    table = run(one, quick=True)
    frame = one.table()
    assert list(frame.columns) == ["side", "repetition", "pieces", "corner", "border", "inner"]
    assert frame.equals(table.to_frame())
    assert int(frame.set_index("side").loc[7, "inner"]) == 25
    write_all(table, tmp_path)
    assert pandas.read_csv(tmp_path / "edges-pieces.csv").equals(frame)


def test_without_pandas_a_data_frame_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(BadInput, match="pandas needs"):
        run("edges-pieces", quick=True).to_frame()


def test_without_matplotlib_it_is_said_that_there_is_no_figure(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["run", "edges-pieces", "-o", str(tmp_path)]) == 0
    assert sorted(path.suffix for path in tmp_path.glob("edges-pieces.*")) == [".csv", ".md"]
    reported = capfd.readouterr().err
    assert reported.startswith("no figures are drawn: matplotlib is not installed")
    assert reported.count("\n") == 1


def test_a_page_tells_the_machines_of_its_measurements(home: Path) -> None:
    table = run(SMALL, quick=True, repetitions=1)
    assert table.made == ((machine(), 5),)
    assert machine() in page(table)
    assert "its load was" in page(table)
    path = ledger_of(home)
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0].replace(machine(), "another one"), *lines[1:]]) + "\n")
    words = page(run(SMALL, quick=True, repetitions=1))
    assert "1 of them: another one." in words
    assert f"4 of them: {machine()}." in words


@pytest.mark.parametrize("name", names())
def test_every_study_has_a_design_that_holds_together(name: str) -> None:
    one = study(name)
    cells = list(one.cells(quick=True))
    assert cells
    assert len({key_of(cell) for cell in cells}) == len(cells)
    assert one.factors.keys() == one.quick.keys()
    assert all(set(one.quick[factor]) <= set(one.factors[factor]) for factor in one.factors)
    assert one.quick_repetitions <= one.repetitions
    assert one.title and one.question and one.source  # noqa: PT018
    seeds = {one.seed(cell) for cell in cells}
    assert len(seeds) == len(cells)


def test_what_a_study_writes(home: Path, tmp_path: Path) -> None:
    table = run("edges-space", quick=True)
    written = write_all(table, tmp_path / "out")
    assert {path.suffix for path in written} == {".csv", ".md", ".svg", ".png"}
    with (tmp_path / "out" / "edges-space.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    sixteen = next(row for row in rows if row["side"] == "16")
    assert round(float(sixteen["anywhere"]), 2) == 661.06
    assert round(float(sixteen["by_kind"]), 2) == 559.94
    words = (tmp_path / "out" / "edges-space.md").read_text()
    assert "661.06" in words
    assert "What the source said" in words
    first = (tmp_path / "out" / "edges-space.svg").read_bytes()
    write_all(table, tmp_path / "out")
    assert (tmp_path / "out" / "edges-space.svg").read_bytes() == first
    assert "![" in (tmp_path / "out" / "edges-space.md").read_text()


def test_a_page_stands_beside_its_table_before_it_is_drawn(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    (tmp_path / "edges-pieces.md").write_text("of another table")
    monkeypatch.setattr("studies.report.write_figure", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_all(run("edges-pieces", quick=True), tmp_path)
    words = (tmp_path / "edges-pieces.md").read_text()
    assert "What it shows" in words
    assert "![" not in words


def test_how_many_were_stopped() -> None:
    rows = [{"capped": True}] + [{"capped": False}] * 209
    assert stopped_after(rows, "5 s") == ["1 of 210 runs was stopped after 5 s."]
    assert stopped_after(rows[1:], "5 s") == ["0 of 209 runs were stopped after 5 s."]
    assert stopped_after(rows[:1], "5 s", one="search") == ["1 of 1 search was stopped after 5 s."]
    assert stopped_after([], "5 s") == []


def test_the_queens_that_are_counted_agree_with_those_published(home: Path) -> None:
    table = run("queens-counts", quick=True)
    assert "all agree" in study("queens-counts").conclude(table)[0]


def test_a_study_that_is_not_there(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadInput, match="expected one of edges-pieces"):
        study("edges")
    with pytest.raises(BadInput, match="repetitions"):
        run(SMALL, repetitions=0)
    for words, reported in (
        (["queens-count"], "did you mean queens-counts?"),
        ([SMALL, "--workers", "0"], "0 workers: expected 1 to 1,024"),
        ([SMALL, "--cluster", "nowhere"], "--cluster nowhere: expected HOST:PORT"),
        ([SMALL, "-o", __file__], "expected a folder"),
    ):
        assert main(["run", *words]) == 2
        said = capfd.readouterr().err
        assert reported in said
        assert said.count("\n") == 1


def test_all_studies_are_listed(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    assert [line.split()[0] for line in capfd.readouterr().out.splitlines()] == names()


# Statistics


def test_quantiles_without_stopped_ones_are_numpys() -> None:
    values = [3.0, 1.0, 4.0, 1.5, 9.0]
    for part in (0.0, 0.25, 0.5, 0.9, 1.0):
        assert quantile(values, [False] * 5, part) == pytest.approx(np.quantile(values, part))


def test_what_was_stopped_is_larger_than_its_bound() -> None:
    values, stopped = [1.0, 2.0, 10.0, 10.0], [False, False, True, True]
    assert quantile(values, stopped, 0.25) == pytest.approx(1.75) or quantile(values, stopped, 0.25) is None
    assert quantile(values, stopped, 0.5) is None  # between a known one and one that is not
    assert summary(values, stopped).most is None
    assert summary(values, stopped).capped == 2
    # One that was stopped early may be smaller or larger than the others: what lies above its bound is not known.
    assert quantile([1.0, 5.0, 6.0, 2.0, 7.0], [False, False, False, True, False], 0.5) is None


@given(st.lists(st.floats(0.1, 1e6), min_size=3, max_size=30), st.data())
def test_a_quantile_is_right_whatever_the_stopped_ones_would_have_been(
    values: list[float], data: st.DataObject
) -> None:
    bounds = data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values)))
    reported = quantile(values, bounds, 0.5)
    if reported is not None:
        truth = [
            value * data.draw(st.floats(1.0, 100.0)) if cut else value
            for value, cut in zip(values, bounds, strict=True)
        ]
        assert reported == pytest.approx(float(np.median(truth)))


def test_growth_finds_a_power() -> None:
    x = [10.0, 20.0, 40.0, 80.0]
    fit = growth(x, [3 * value**1.5 for value in x])
    assert fit is not None
    assert fit.power == pytest.approx(1.5)
    assert fit.factor == pytest.approx(3)
    assert growth([1.0, 2.0], [1.0, 2.0]) is None


def test_the_interval_of_a_median_is_the_bootstraps() -> None:
    values = [float(value) for value in range(1, 31)]
    one = summary(values)
    assert one.interval is not None
    assert 8 <= one.interval[0] < 15.5 < one.interval[1] <= 23
    assert summary(values[:4]).interval is None
    half = summary(values, [value > 25 for value in values])
    assert half.interval is not None  # the five that were stopped lie above it
    assert summary(values, [value > 16 for value in values]).interval is None


def test_shares_have_an_interval_even_where_there_are_none() -> None:
    assert (share(0, 20).part, share(0, 20).low, round(share(0, 20).high, 3)) == (0.0, 0.0, 0.161)
    assert share(10, 20).low == pytest.approx(0.299, abs=1e-3)
    assert share(0, 0) == (0.0, 0.0, 1.0, 0)
    for number in range(1, 300):
        for found in {0, number // 3, number}:
            one = share(found, number)
            assert 0 <= one.low <= one.part <= one.high <= 1


# The gallery

_VALUES = {"True": True, "False": False, "": None}


def _value(text: str) -> object:
    """A field of a CSV as the study had it."""
    if text in _VALUES:
        return _VALUES[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


@pytest.mark.parametrize("name", names())
def test_the_gallery_is_whole_and_says_what_its_tables_say(name: str) -> None:
    one = study(name)
    levels = {factor: {str(level): level for level in some} for factor, some in one.factors.items()}
    rows = tuple(
        {
            column: value
            for column, text in row.items()
            if (value := levels[column][text] if column in levels else _value(text)) is not None
        }
        for row in quick_studies.rows_of(quick_studies.GALLERY / f"{name}.csv")
    )
    words = (quick_studies.GALLERY / f"{name}.md").read_text(encoding="utf-8")
    shown = words.partition("## What it shows\n\n")[2].partition("\n\n## ")[0].splitlines()
    busy = "- The machine was busy"  # the load is in the ledger only
    assert [line for line in shown if not line.startswith(busy)] == [
        f"- {line}" for line in one.conclude(Table(one, rows))
    ]
    assert one.question in words
    assert f"Version {one.version} of the study." in words
    if name != "scaling":  # whose design is that of the machine
        assert {key_of({k: row[k] for k in (*one.factors, "repetition")}) for row in rows} == {
            key_of(cell) for cell in one.cells()
        }


# What `make studies-quick` looks at


def test_the_check_of_quick_studies_sees_what_is_wrong(home: Path, tmp_path: Path) -> None:
    one = study("edges-pieces")
    write_all(run(one, quick=True), tmp_path)
    rows = quick_studies.rows_of(tmp_path / "edges-pieces.csv")
    assert quick_studies.wrong_table(one, rows) == []
    assert quick_studies.wrong_table(one, rows[1:])
    assert quick_studies.wrong_table(one, [*rows, rows[0]])
    assert quick_studies.wrong_table(
        one, [{**row, **dict.fromkeys(("pieces", "corner", "border", "inner"), "")} for row in rows]
    )
    assert quick_studies.differences(one, rows, rows) == (len(rows), [])
    assert quick_studies.differences(one, rows, [{**rows[0], "inner": "7"}])[1] == ["2 0: inner is 0, in the gallery 7"]
    assert quick_studies.wrong_figures(one, tmp_path) == []
    (tmp_path / "edges-pieces.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    assert quick_studies.wrong_figures(one, tmp_path)
    (tmp_path / "edges-pieces.png").unlink()
    assert "cannot be read" in quick_studies.wrong_figures(one, tmp_path)[-1]
