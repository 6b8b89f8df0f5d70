"""The commands as a user calls them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tablero import __version__
from tablero.cli import run
from tests.commands import every_command


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    return tmp_path


def ask(capfd: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> dict[str, Any]:
    capfd.readouterr()
    assert run([*arguments, "--json"]) == status
    answer: dict[str, Any] = json.loads(capfd.readouterr().out)
    return answer


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys\nfrom tablero.cli import run\nrun(['--help'])\nrun(['cover', '--help'])\n"
        "heavy = {'numpy', 'numba', 'scipy', 'matplotlib', 'igraph', 'networkx', 'fastapi', 'distributed', 'pandas'}\n"
        "print('HEAVY', sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "Usage" in done.stdout
    assert done.stdout.splitlines()[-1] == "HEAVY []"


def test_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capfd.readouterr().out == f"tablero {__version__}\n"


def test_the_source_example(capfd: pytest.CaptureFixture[str]) -> None:
    Path("example.dlx").write_text("1 2 3 4 5 6 7\n1 4 7\n1 4\n4 5 7\n3 5 6\n2 3 6 7\n2 7\n")
    answer = ask(capfd, "cover", "solve", "example.dlx", "--solutions", "all")
    assert answer["status"] == "complete"
    assert [sorted(map(tuple, cover)) for cover in answer["answers"]] == [[("1", "4"), ("2", "7"), ("3", "5", "6")]]
    assert set(answer) == {"status", "solutions", "answers", "nodes", "seconds", "cpu_seconds", "fraction"}


def test_counts_and_exit_statuses(capfd: pytest.CaptureFixture[str]) -> None:
    for name, size, known in (
        ("langford", "8", 300),
        ("queens", "8", 92),
        ("dominoes", "6x6", 6728),
        ("steiner", "7", 30),
    ):
        assert run(["cover", "make", name, size, "-o", "made.dlx"]) == 0
        answer = ask(capfd, "cover", "count", "made.dlx")
        assert (answer["solutions"], answer["status"], answer["fraction"]) == (known, "complete", 1.0)
        assert "answers" not in answer
    run(["cover", "make", "langford", "5", "-o", "none.dlx"])
    assert ask(capfd, "cover", "count", "none.dlx", status=1)["status"] == "none"
    assert ask(capfd, "cover", "solve", "none.dlx", status=1)["answers"] == []
    run(["cover", "make", "dominoes", "20x20", "-o", "large.dlx"])
    limited = ("cover", "count", "large.dlx", "--kernel", "bits", "--time-limit", "0.2s", "--quiet")
    assert ask(capfd, *limited, status=3)["status"] == "open"


def test_human_output(capfd: pytest.CaptureFixture[str]) -> None:
    run(["cover", "make", "dominoes", "2x3", "-o", "made.dlx"])
    capfd.readouterr()
    assert run(["cover", "count", "made.dlx"]) == 0
    out, err = capfd.readouterr()
    assert out == "3\n"
    assert "3 covers (all there are)" in err
    assert run(["cover", "solve", "made.dlx", "--svg", "board.svg"]) == 0
    out, err = capfd.readouterr()
    options = [line.split() for line in out.splitlines()]
    assert [len(option) for option in options] == [2, 2, 2]
    assert sorted(cell for option in options for cell in option) == [f"r{r}c{c}" for r in (1, 2) for c in (1, 2, 3)]
    assert "┌───" in err
    picture = ElementTree.parse("board.svg").getroot()
    assert picture.tag.endswith("svg")
    assert run(["cover", "solve", "made.dlx", "-n", "all", "--quiet"]) == 0
    out, err = capfd.readouterr()
    assert out.count("cover ") == 3
    assert err == ""


def test_cheapest(capfd: pytest.CaptureFixture[str]) -> None:
    Path("w.dlx").write_text("a b\na |5\nb |4\na b |10\n")
    answer = ask(capfd, "cover", "solve", "w.dlx", "--cheapest")
    assert (answer["cost"], answer["status"], answer["answers"]) == (9, "solved", [[["a"], ["b"]]])


def test_problem_from_standard_input(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tablero", "cover", "count", "-", "--json"], input="a b\na\nb\na b\n", text=True,
        capture_output=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["solutions"] == 2


def test_the_life_of_a_job(capfd: pytest.CaptureFixture[str]) -> None:
    run(["cover", "make", "queens", "8", "-o", "q.dlx"])
    ask(capfd, "cover", "solve", "q.dlx", "-n", "5", "--job", "five")
    again = ask(capfd, "jobs", "resume", "five")
    assert (again["status"], again["solutions"], len(again["answers"])) == ("solved", 5, 5)
    whole = ask(capfd, "cover", "solve", "q.dlx", "-n", "all", "--job", "five")
    assert (whole["status"], whole["solutions"]) == ("complete", 92)
    assert whole["answers"] == ask(capfd, "cover", "solve", "q.dlx", "-n", "all")["answers"]
    (listed,) = ask(capfd, "jobs", "list")["jobs"]
    assert (listed["name"], listed["state"], listed["solutions"]) == ("five", "finished", 92)
    assert run(["jobs", "export", "five", "-o", "five.json"]) == 0
    exported = json.loads(Path("five.json").read_text())
    assert exported["answers"] == whole["answers"]
    assert {"kernel", "digest", "version", "nodes", "seconds", "cpu_seconds", "options"} <= set(exported)
    assert run(["jobs", "show", "five"]) == 0
    assert run(["jobs", "stop", "five"]) == 0
    assert "not running" in capfd.readouterr().err
    assert run(["jobs", "remove", "five"]) == 0
    assert ask(capfd, "jobs", "list")["jobs"] == []


def test_doctor(capfd: pytest.CaptureFixture[str]) -> None:
    answer = ask(capfd, "doctor")
    assert answer["tablero"] == __version__
    assert "cover sparse" in answer["kernels"]
    assert run(["doctor"]) == 0


def test_tour(place: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["tour"]) == 0
    page = (place / "tour" / "index.html").read_text()
    assert page.count("<section>") == page.count("<svg") >= 1
    assert "9,356 ways" in page


def test_a_job_that_wants_more_is_resumed_for_more(capfd: pytest.CaptureFixture[str]) -> None:
    run(["cover", "make", "queens", "6", "-o", "q.dlx"])
    assert ask(capfd, "cover", "solve", "q.dlx", "-n", "2", "--job", "more")["solutions"] == 2
    assert ask(capfd, "cover", "solve", "q.dlx", "-n", "all", "--job", "more")["solutions"] == 4
    assert ask(capfd, "jobs", "resume", "more")["solutions"] == 4


def shell(command: str) -> subprocess.CompletedProcess[str]:
    command = command.replace("tablero", f"{sys.executable} -m tablero")
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True)


def test_a_reader_that_goes_away() -> None:
    run(["cover", "make", "dominoes", "8x8", "-o", "d.dlx"])
    done = shell("tablero cover solve d.dlx -n 20000 --quiet | head -1; exit ${PIPESTATUS[0]}")
    assert done.returncode == 141
    assert done.stderr == ""


def test_a_full_output() -> None:
    run(["cover", "make", "queens", "6", "-o", "q.dlx"])
    done = shell("tablero cover count q.dlx --quiet > /dev/full")
    assert done.returncode == 2
    assert done.stderr == "tablero: cannot write the output: No space left on device\n"


def test_bytes_on_standard_input() -> None:
    assert "byte 2 is not UTF-8" in shell("printf 'a\\n\\377' | LC_ALL=C tablero cover count -").stderr
    assert shell("printf '\\357\\273\\277a\\na\\n' | tablero cover count - --quiet").stdout == "1\n"


def test_every_command_has_json_and_quiet_and_help() -> None:
    commands = every_command()
    assert len(commands) > 30
    for words, command in commands:
        options = {option for parameter in command.params for option in getattr(parameter, "opts", [])}
        assert {"--json", "--quiet"} <= options, words
        assert command.help, words


def test_a_fault_of_tablero_itself_is_no_proof(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(["cover", "make", "queens", "5", "-o", "q.dlx"])
    monkeypatch.setattr("tablero.cover.checking.first_fault", lambda *_: "made up for this test")
    capfd.readouterr()
    assert run(["cover", "solve", "q.dlx"]) == 70
    out, err = capfd.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "please report it: AssertionError: a kernel returned what is no cover: made up for this test" in err
    assert run(["cover", "solve", "q.dlx", "--debug"]) == 70
    assert "Traceback" in capfd.readouterr().err
