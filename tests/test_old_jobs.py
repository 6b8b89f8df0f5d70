"""Jobs that an earlier version made, of every family, verb and kernel: they go on, and end with what it would have found.

The files in `old_jobs` were made by the commands of version 0.1.0 before kernels moved into their rooms, most of them
stopped half-way; `expected.json` has what that version found when it went on with them.  (`queens-anneal-warm` is of the
second annealing kernel, which did not begin anew while it was warm.)
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tablero.cli import run
from tablero.families import FAMILIES

FOLDER = Path(__file__).parent / "old_jobs"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text())


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    (tmp_path / "jobs").mkdir()
    return tmp_path / "jobs"


def ask(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    capfd.readouterr()
    status = run([*words])
    out, err = capfd.readouterr()
    assert err == ""
    return status, json.loads(out)


def test_there_are_jobs_of_every_family_that_has_any() -> None:
    assert {name.partition("-")[0] for name in EXPECTED} == {family.word for family in FAMILIES} - {"warehouse"}
    assert {path.stem for path in FOLDER.glob("*.job")} == set(EXPECTED)


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_an_old_job_goes_on(name: str, home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    shutil.copy(FOLDER / f"{name}.job", home)
    expected = EXPECTED[name]
    _, before = ask(capfd, "jobs", "show", name, "--json")
    if expected.get("goes_on"):  # a search of minutes or more
        _, after = ask(capfd, "jobs", "resume", name, "--json", "--quiet", "--node-limit", "1000000")
        assert after["status"] == "open"
        assert after["nodes"] > before["nodes"]
        return
    status, after = ask(capfd, "jobs", "resume", name, "--json", "--quiet")
    assert status == expected["exit"]
    for key in ("status", "solutions", "nodes", "fraction"):
        assert after[key] == expected[key], key
    _, exported = ask(capfd, "jobs", "export", name)
    assert exported["answers"] == after.get("answers", [])
