"""Ctrl-C when the search is over and its answers are read or told: nothing false is said, and nothing is cut."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import tablero as tb
from tablero.cli import run
from tablero.interrupts import HeldBack
from tablero.puzzles.cover.solve import Covers
from tablero.runs.coordinator import _Coordinator


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))


def press_after_some_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C, once, when a search has found more than five."""
    turn = _Coordinator._turn
    pressed: list[bool] = []

    def press(coordinator: _Coordinator) -> bool:
        if coordinator.found > 5 and not pressed:
            pressed.append(True)
            raise KeyboardInterrupt
        return turn(coordinator)

    monkeypatch.setattr(_Coordinator, "_turn", press)


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


@pytest.mark.parametrize("interrupted_in", ["tablero.puzzles.cover.formats.parse", "tablero.runs.coordinator.collect"])
def test_ctrl_c_when_a_job_that_is_over_is_resumed_tells_what_its_file_says(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, interrupted_in: str
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    run(["cover", "make", "queens", "6", "-o", "q.dlx"])
    assert run(["cover", "solve", "q.dlx", "-n", "all", "--json", "--job", "over"]) == 0
    before = json.loads(capfd.readouterr().out)
    monkeypatch.setattr(interrupted_in, interrupted)
    assert run(["jobs", "resume", "over", "--json"]) == 130
    told = json.loads(capfd.readouterr().out)
    assert [told[key] for key in ("status", "solutions", "nodes", "fraction")] == ["complete", 4, before["nodes"], 1.0]


def test_ctrl_c_tells_no_more_of_a_job_than_takes_a_moment(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is told ends soon, and is whole; the file has the rest."""
    monkeypatch.setattr("tablero.runs.coordinator._AFTER_CTRL_C", 4 * 8 * 5)  # five answers
    press_after_some_answers(monkeypatch)
    run(["cover", "make", "queens", "8", "-o", "q.dlx"])
    options = ["-n", "all", "--kernel", "bits", "--unit-nodes", "60", "--job", "many", "--json"]
    assert run(["cover", "solve", "q.dlx", *options]) == 130
    out, err = capfd.readouterr()
    cut = json.loads(out)
    assert cut["status"] == "open"
    assert len(cut["answers"]) == 5 < cut["solutions"] < 92
    assert "'tablero jobs export many' has them all" in err
    assert run(["jobs", "resume", "many", "--json"]) == 0
    whole = json.loads(capfd.readouterr().out)
    assert (whole["solutions"], len(whole["answers"])) == (92, 92)
    assert whole["answers"][:5] == cut["answers"]


def test_whoever_has_told_all_that_was_found_does_not_say_otherwise(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    press_after_some_answers(monkeypatch)
    run(["cover", "make", "queens", "8", "-o", "q.dlx"])
    assert run(["cover", "solve", "q.dlx", "-n", "all", "--kernel", "bits", "--unit-nodes", "60"]) == 130
    out, err = capfd.readouterr()
    assert f"{out.count('cover ')} covers (stopped at " in err
    assert "not all told" not in err


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


def test_ctrl_c_among_the_decompositions_of_a_class_leaves_the_classes_open(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All 30 are of one class: the size of the class is more than were found, and proves nothing."""
    press_after_some_answers(monkeypatch)
    command = ["decompose", "K7", "--into", "triangle", "--classes", "--job", "sorted", "--json"]
    assert run([*command, "--unit-nodes", "10"]) == 130
    cut = json.loads(capfd.readouterr().out)
    assert (cut["status"], cut["checked"]) == ("open", False)
    assert 5 < cut["labelled"] < 30
    assert cut["fraction"] < 1
    assert run(["jobs", "resume", "sorted", "--json"]) == 0
    whole = json.loads(capfd.readouterr().out)
    assert (whole["status"], whole["checked"], whole["labelled"]) == ("complete", True, 30)
    assert whole["classes"] == [{"group": 168, "labelled": 30}]


_PRESSES = "import os, signal; os.kill(os.getpid(), signal.SIGINT); "
_LISTENS = "import time; from tablero import interrupts; interrupts.listen(); "
_HEARS = "\ntry:\n    {}\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    print('heard', {})"


def told_by(program: str, folder: Path) -> str:
    """What a program prints that hears Ctrl-C as the command line does."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert not done.stderr
    return f"{done.returncode} {done.stdout.strip()}".strip()


def test_ctrl_c_in_the_midst_of_an_import_comes_after_it(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(_PRESSES + "done = True")
    program = _LISTENS + _HEARS.format("import slow", "slow.done")
    assert told_by(program, tmp_path) == "0 heard True"


def test_a_second_ctrl_c_does_not_wait_for_an_import(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time; " + 2 * _PRESSES + "time.sleep(60)")
    assert told_by(_LISTENS + _HEARS.format("import slow", "slow"), tmp_path) == "130"


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_whoever_is_asked_to_end_while_the_command_line_is_loaded_ends_quietly(name: str, tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text(_PRESSES.replace("SIGINT", name))  # the first that the command line loads
    assert told_by("from tablero.__main__ import main; main()", tmp_path) == "130"


def test_ctrl_c_that_comes_where_nothing_can_be_raised_is_not_lost(tmp_path: Path) -> None:
    """What the callback of a weak reference raises goes to nobody."""
    made = "import weakref\nclass Thing: pass\ndef press(_): " + _PRESSES + "\nthing = Thing()\n"
    made += "watched = weakref.ref(thing, press)\n"
    assert told_by(made + _LISTENS + _HEARS.format("del thing", "1"), tmp_path) == "0 heard 1"


_COMPARES = """
import sys, time, weakref, tablero as tb

class Thing:
    pass

def press(_):
    import os, signal
    os.kill(os.getpid(), signal.SIGINT)

def compare(*_):
    thing = Thing()
    watched = weakref.ref(thing, press)
    del thing
    time.sleep(60)

problem = tb.cover.generate("langford", 8)
problem.solve()
sys.modules["tablero.puzzles.cover.solve"].fastest_counter = compare
"""


def test_a_program_hears_ctrl_c_also_while_kernels_are_compared(tmp_path: Path) -> None:
    assert told_by(_COMPARES + _HEARS.format("problem.count()", "1"), tmp_path) == "0 heard 1"


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_a_search_in_a_module_that_is_imported_is_interrupted(name: str, tmp_path: Path) -> None:
    press = (
        "import os, signal, tablero as tb\npressed = []\ndef press(now):\n    if now.nodes and not pressed:\n        "
    )
    press += f"pressed.append(1)\n        os.kill(os.getpid(), signal.{name})\n"
    search = "print(tb.queens.solve(14, None, method='exact', run=tb.Here(watch=press, unit_nodes=1000)).interrupted)\n"
    (tmp_path / "searches.py").write_text(press + search)
    assert told_by("import searches", tmp_path) == "0 True"


def test_ctrl_c_tells_no_more_of_a_search_in_memory_than_takes_a_moment(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablero.runs.coordinator._AFTER_CTRL_C", 4 * 8 * 5)  # five answers
    press_after_some_answers(monkeypatch)
    command = ["queens", "solve", "8", "--method", "exact", "-n", "all", "--unit-nodes", "60", "--jsonl"]
    assert run(command) == 130
    out, err = capfd.readouterr()
    *answers, summary = [json.loads(line) for line in out.splitlines()]
    assert len(answers) == 5 < summary["solutions"] < 92
    assert f"5 of {summary['solutions']} answers are told; a job would have kept them all" in err


def test_ctrl_c_leaves_a_program_all_that_was_found_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablero.runs.coordinator._AFTER_CTRL_C", 4 * 8 * 5)  # five answers
    press_after_some_answers(monkeypatch)
    found = tb.queens.solve(8, None, method="exact", run=tb.Here(unit_nodes=60))
    assert found.interrupted
    assert 5 < len(found.answers) == found.solutions < 92


def test_a_number_that_ctrl_c_kept_from_being_counted_is_no_limit_that_was_met(monkeypatch: pytest.MonkeyPatch) -> None:
    press_after_some_answers(monkeypatch)
    with pytest.raises(KeyboardInterrupt) as heard:
        tb.queens.Queens(8).solve(None, method="exact", run=tb.Here(unit_nodes=60)).require_all()
    assert 0 < heard.value.result.solutions < 92  # type: ignore[attr-defined]
    found = tb.queens.solve(8, None, method="exact", run=tb.Here(node_limit=60))
    with pytest.raises(TimeoutError):
        found.require_all()


# While kernels are loaded


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_must_not_be_disturbed_is_done_before_a_signal_is_heard(number: int) -> None:
    handlers = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    done: list[str] = []

    def work() -> None:
        with HeldBack():
            signal.raise_signal(number)
            signal.raise_signal(number)
            done.append("all of it")

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
        assert signal.getsignal(signal.SIGINT) is handlers[0]
        assert signal.getsignal(signal.SIGTERM) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGTERM, handlers[1])
    assert done == ["all of it"]


def test_a_handler_of_the_program_is_left_alone() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        with HeldBack():
            signal.raise_signal(signal.SIGINT)
            assert heard == [signal.SIGINT]
    finally:
        signal.signal(signal.SIGINT, before)


def test_another_thread_holds_nothing_back() -> None:
    entered: list[bool] = []

    def work() -> None:
        with HeldBack():
            entered.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert entered == [True]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


LOADS = """
import signal, numba.core.caching
import numpy as np
load = numba.core.caching.FunctionCache.load_overload
loaded = []

def pressed(self, signature, context):
    signal.raise_signal(signal.SIGINT)
    loaded.append(load(self, signature, context))
    return loaded[-1]

numba.core.caching.FunctionCache.load_overload = pressed
import tablero as tb
try:
    list(tb.sudoku.generate_many(2, tb.sudoku.Wish(minimal=True)))
except KeyboardInterrupt:
    print(len(loaded))
"""


def test_ctrl_c_while_a_kernel_is_loaded_comes_when_it_is() -> None:
    out = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True, check=True)
    assert (out.stdout, out.stderr) == ("1\n", "")
