"""What a user can do wrong is told in one line, with exit status 2; and the docs say so."""

from __future__ import annotations

import json
import shlex
import sqlite3
from pathlib import Path

import pytest

from tablero.cli import run
from tablero.runs.store import Store
from tests import bad_inputs
from tests.bad_inputs import Case


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with jobs of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    return tmp_path


@pytest.fixture
def jobs(place: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    """A good job and several that something has happened to."""
    assert run(["cover", "make", "queens", "6", "-o", "queens.dlx"]) == 0
    assert run(["cover", "count", "queens.dlx", "--job", "queens"]) == 0
    folder = place / "home" / "jobs"
    good = folder / "queens.job"
    (folder / "text.job").write_text("this is no database, and long enough to be looked at" * 20)
    sqlite3.connect(folder / "other.job").execute("CREATE TABLE something (x)").connection.close()
    with sqlite3.connect(good) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    (folder / "cut.job").write_bytes(good.read_bytes()[:6000])
    for name in ("newer", "alien"):
        (folder / f"{name}.job").write_bytes(good.read_bytes())
    with sqlite3.connect(folder / "newer.job") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    alien = Store.open(folder / "alien.job")
    alien.rewrite_recipe({"family": "chess", "verb": "count"})
    alien.close()
    capfd.readouterr()
    return folder


def expect_complaint(case: Case, place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    if case.text is not None:
        data = case.text if isinstance(case.text, bytes) else case.text.encode()
        (place / "FILE").write_bytes(data)
    assert run(shlex.split(case.command)) == 2
    out, err = capfd.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert len(lines) == 1, err
    assert lines[0].startswith("tablero: ")
    assert case.says in lines[0]


FAMILIES = {
    "cover": bad_inputs.COVER,
    "queens": bad_inputs.QUEENS,
    "decompose": bad_inputs.DECOMPOSE,
    "slide": bad_inputs.SLIDE,
    "warehouse": bad_inputs.WAREHOUSE,
    "edges": bad_inputs.EDGES,
    "sudoku": bad_inputs.SUDOKU,
}


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=f"{family}: {case.what}") for family, cases in FAMILIES.items() for case in cases]
)
def test_families(case: Case, place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    expect_complaint(case, place, capfd)


@pytest.mark.parametrize("case", bad_inputs.JOBS, ids=lambda case: case.what)
def test_jobs(case: Case, place: Path, jobs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    expect_complaint(case, place, capfd)


def test_a_damaged_job_does_not_hide_the_others(place: Path, jobs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["jobs", "list", "--json"]) == 0
    listed = {job["name"]: job["state"] for job in json.loads(capfd.readouterr().out)["jobs"]}
    assert listed["queens"] == "finished"
    assert listed["text"] == listed["cut"] == "damaged"


def test_there_are_enough_of_them() -> None:
    assert len(bad_inputs.COVER) + len(bad_inputs.JOBS) >= 25
