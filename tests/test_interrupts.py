"""Ctrl-C when the search is over and its answers are read or told: nothing false is said, and nothing is cut."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablero.cli import run
from tablero.puzzles.cover.solve import Covers


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))


def test_ctrl_c_while_answers_are_read_tells_what_is_known(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    run(["cover", "make", "queens", "6", "-o", "q.dlx"])
    monkeypatch.setattr("tablero.runs.coordinator.collect", interrupted)
    for more in (["--unit-nodes", "20"], ["--job", "read"]):
        assert run(["cover", "solve", "q.dlx", "-n", "all", "--json", *more]) == 130
        told = json.loads(capfd.readouterr().out)
        assert (told["status"], told["solutions"], told["fraction"]) == ("complete", 4, 1.0)
        assert told["nodes"] > 0


@pytest.mark.parametrize("form", ["--json", "--jsonl"])
def test_ctrl_c_while_answers_are_told_cuts_nothing(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    run(["cover", "make", "queens", "8", "-o", "q.dlx"])
    told = Covers.in_json

    def pressed(found: Covers) -> Iterator[str]:
        for k, text in enumerate(told(found)):
            if k == 3:
                os.kill(os.getpid(), signal.SIGINT)
            yield text

    monkeypatch.setattr(signal, "getsignal", lambda _: signal.default_int_handler)  # whatever those who test made of it
    monkeypatch.setattr(Covers, "in_json", pressed)
    assert run(["cover", "solve", "q.dlx", "-n", "all", "--threads", "2", form]) == 130
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    if form == "--json":
        assert len(lines) == 1
        assert (lines[0]["solutions"], len(lines[0]["answers"])) == (92, 4)
    else:
        assert ["answer" in line for line in lines].count(True) == 4
