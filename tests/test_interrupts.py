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
from tablero import interrupts
from tablero.cli import run
from tablero.cover.solving import Covers
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
        reported = json.loads(capfd.readouterr().out)
        assert (reported["status"], reported["solutions"], reported["fraction"]) == ("complete", 4, 1.0)
        assert reported["nodes"] > 0


@pytest.mark.parametrize("interrupted_in", ["tablero.cover.formats.parse", "tablero.runs.coordinator.collect"])
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
    reported = json.loads(capfd.readouterr().out)
    assert [reported[key] for key in ("status", "solutions", "nodes", "fraction")] == [
        "complete",
        4,
        before["nodes"],
        1.0,
    ]


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
    assert "'tablero jobs export many' prints all of them" in err
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
    assert "not all printed" not in err


@pytest.mark.parametrize("form", ["--json", "--jsonl"])
def test_ctrl_c_while_answers_are_told_cuts_nothing(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    run(["cover", "make", "queens", "8", "-o", "q.dlx"])
    reported = Covers.iter_json

    def pressed(found: Covers) -> Iterator[str]:
        for k, text in enumerate(reported(found)):
            if k == 3:
                interrupts.request_stop()
            yield text

    monkeypatch.setattr(Covers, "iter_json", pressed)
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
    command = ["decompose", "classes", "K7", "--into", "triangle", "--job", "sorted", "--json"]
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


def told_by(program: str, folder: Path) -> str:
    """The status of a program, and what it prints."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    return f"{done.returncode} {done.stdout.strip()}".strip()


_FRONT_END = (
    "import time; from tablero import interrupts; interrupts.install(); interrupts.at_end = lambda: print('told'); "
)


def test_work_that_checks_is_stopped_where_it_does(tmp_path: Path) -> None:
    work = "\ntry:\n    with interrupts.Polling():\n        time.sleep(2); interrupts.check()\n"
    work += "except KeyboardInterrupt:\n    interrupts.check(); print('stopped')"
    assert told_by(_FRONT_END + _PRESSES + work, tmp_path) == "0 stopped"


def test_work_that_does_not_check_ends_with_the_process(tmp_path: Path) -> None:
    assert told_by(_FRONT_END + _PRESSES + "time.sleep(60)", tmp_path) == "130 told"


def test_compiling_ends_with_the_process_though_the_work_around_it_checks(tmp_path: Path) -> None:
    work = "interrupts.compiling += 1\nwith interrupts.Polling(): time.sleep(60)"
    assert told_by(_FRONT_END + _PRESSES + work, tmp_path) == "130 told"


def test_last_words_that_nobody_reads_hold_nothing_up(tmp_path: Path) -> None:
    stuck = "interrupts.at_end = lambda: time.sleep(60); "
    assert told_by(_FRONT_END + stuck + _PRESSES + "time.sleep(60)", tmp_path) == "130"


def test_a_second_signal_ends_the_process_at_once(tmp_path: Path) -> None:
    work = "\nwith interrupts.Polling(): time.sleep(0.5); os.kill(os.getpid(), signal.SIGTERM); time.sleep(60)"
    assert told_by(_FRONT_END + _PRESSES + work, tmp_path) == "130"


def test_a_process_that_ignores_ctrl_c_goes_on_ignoring_it(tmp_path: Path) -> None:
    ignores = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    assert told_by(ignores + _FRONT_END + _PRESSES + "time.sleep(1); print('done')", tmp_path) == "0 done"


def test_without_a_front_end_a_program_gets_pythons_own() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    tb.queens.solve(8)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
    interrupts.check()
    assert not interrupts.stop_requested()


def test_another_thread_hears_nothing() -> None:
    interrupts.request_stop()
    thread = threading.Thread(target=interrupts.check)
    thread.start()
    thread.join()
    with pytest.raises(KeyboardInterrupt):
        interrupts.check()
    interrupts.check()


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_whoever_is_asked_to_end_while_the_command_line_is_loaded_ends_quietly(name: str, tmp_path: Path) -> None:
    pressed = _PRESSES.replace("SIGINT", name) + "import time; time.sleep(60)"
    (tmp_path / "click.py").write_text(pressed)  # the first that the command line loads
    assert told_by("from tablero.__main__ import main; main()", tmp_path) == "130"


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
    assert f"5 of {summary['solutions']} answers are printed; a job keeps all of them" in err


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
