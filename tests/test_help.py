"""Help: examples that the parser takes, every choice named, nothing of the parser's own jargon; typos are understood."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tablero.cli import run
from tablero.cli.help import _parts
from tablero.text import unknown
from tests.commands import every_command, inside, whole

CHOICES = {
    "decompose solve --into": "tablero.decomposition.words:_WORDS",
}
COMMANDS = dict(every_command())


@pytest.fixture(params=sorted(COMMANDS))
def words(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def helped(capfd: pytest.CaptureFixture[str], *words: str) -> str:
    assert run([*words, "-h"]) == 0
    return capfd.readouterr().out


def test_help_has_examples_groups_and_no_jargon(capfd: pytest.CaptureFixture[str], words: str) -> None:
    text = helped(capfd, *words.split())
    assert f"Usage: tablero {words}" in text
    assert "\nOutput\n" in text
    assert "\nExamples\n  tablero " in text
    assert not set("<{}") & set(text), text
    assert "default: -1" not in text
    assert all(len(line) <= 100 or line.startswith("  tablero") for line in text.splitlines())


RARE = ("--node-limit", "--cluster", "--tls", "--insecure", "--unit-nodes", "--log")


def test_options_that_are_rarely_needed_stand_in_the_whole_help(capfd: pytest.CaptureFixture[str]) -> None:
    text = helped(capfd, "queens", "solve")
    line = "--help-all also lists rarely needed options: " + ", ".join(RARE)
    assert line in " ".join(text.split())
    assert not [word for word in RARE if f"\n  {word} " in text]
    assert run(["queens", "solve", "--help-all"]) == 0
    text = capfd.readouterr().out
    assert not [word for word in RARE if f"\n  {word}" not in text]
    assert "rarely needed:" not in text
    assert "--help-all" not in helped(capfd, "queens", "generate")


def test_the_parser_takes_every_example(words: str) -> None:
    _, examples = _parts(COMMANDS[words].help)
    default = words == "decompose solve"  # which the examples leave out
    assert any(f"tablero {words.removesuffix(' solve') if default else words}" in line for line in examples)
    for line in examples:
        arguments = shlex.split(line.partition(" > ")[0])[1:]
        command: Any = whole()
        while below := inside(command):
            verb = arguments.pop(0) if arguments[0] in below else command.family.default
            command = below[verb]
        command.make_context("tablero", arguments, resilient_parsing=False)


WRITTEN = re.compile(r"(?:-o|>|--(?:output|solution|svg|pdf|page)) (\S+)")
READ = re.compile(r"(?<=\s)[a-z]+\.(?:txt|dlx|csv|xlsx|sdk)\b")
OF_THE_USER = {"sudoku library"}  # reads a file that no command writes


def test_examples_work_in_an_empty_folder(words: str) -> None:
    """Each reads only files, jobs and certificates that those before it have made."""
    if words in OF_THE_USER:
        return
    there: set[str] = set()
    for line in _parts(COMMANDS[words].help)[1]:
        written = set(WRITTEN.findall(line))
        needed = set(READ.findall(line)) - written
        if line.startswith("tablero jobs") and words != "jobs list":
            needed.add(line.split()[3])
        needed.update(re.findall(r"--tls (\S+)", line))
        assert needed <= there, f"{line}: where is {needed - there}?"
        there |= written | set(re.findall(r"(?:--job|cluster certificates) (\S+)", line))


@pytest.mark.parametrize("where", sorted(CHOICES))
def test_all_choices_are_offered_and_no_other(where: str) -> None:
    words, _, option = where.rpartition(" ")
    module, name = CHOICES[where].split(":")
    known = {str(one) for one in getattr(importlib.import_module(module), name)} - {"auto"}
    command = COMMANDS[words]
    parameter = next(p for p in command.params if option in (p.name, *p.opts))
    offered = {
        item.value for item in parameter.shell_complete(command.make_context("x", [], resilient_parsing=True), "")
    }
    assert offered - {"auto"} == known


def test_a_shell_completes_choices() -> None:
    asked = {"_TABLERO_COMPLETE": "bash_complete", "COMP_WORDS": "tablero queens solve --method e", "COMP_CWORD": "4"}
    command = [sys.executable, "-m", "tablero"]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **asked}, check=False)
    assert done.stdout.split() == ["plain,exact"], done.stderr


@pytest.mark.parametrize(
    ("shell", "start", "line"),
    [
        ("bash", ".bashrc", "source ~/.bash_completions/tablero.sh"),
        ("zsh", ".zshrc", "fpath+=~/.zfunc"),
        ("fish", "", ""),
    ],
)
def test_completion_is_installed_once(
    shell: str,
    start: str,
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/bin/{shell}")
    assert run(["--show-completion"]) == 0
    script = capfd.readouterr().out
    assert "_TABLERO_COMPLETE" in script
    if start:
        (tmp_path / start).write_text("alias l=ls")
    for _ in range(2):
        assert run(["--install-completion"]) == 0
        path = Path(capfd.readouterr().out.split()[-1])
        assert path.read_text() == script
    if start:
        lines = (tmp_path / start).read_text().splitlines()
        assert lines[0] == "alias l=ls"
        assert sum(one.startswith(line) for one in lines[1:]) == len(lines) - 1 == 1


def test_completion_for_another_shell_is_refused(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert run(["--show-completion"]) == 2
    assert "expected bash, zsh or fish" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("jobs show eve", ["evening"]),
        ("jobs resume eve", ["evening"]),
        ("decompose solve K10 --into hamiltonian-p", ["hamiltonian-path"]),
        ("sudoku worksheet --rating fi", ["fiendish"]),
    ],
)
def test_a_shell_completes_names(
    line: str, offered: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path))
    run(["queens", "count", "6", "--job", "evening", "--quiet"])
    capfd.readouterr()
    words = line.split()
    command: Any = whole()
    while words[0] in inside(command):
        command = inside(command)[words.pop(0)]
    *before, begun = words
    if before and before[-1].startswith("-"):
        parameter = next(p for p in command.params if before[-1] in p.opts)
    else:
        parameter = next(p for p in command.params if p.param_type_name == "argument")
    context = command.make_context("x", [], resilient_parsing=True)
    assert [item.value for item in parameter.shell_complete(context, begun)] == offered


def test_tablero_alone_tells_what_to_try_first(capfd: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    text = capfd.readouterr().out
    assert "\nTry first\n  tablero tour" in text
    assert text.index("\nPuzzles\n") < text.index("\nLong searches\n")


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["queens", "solve", "8", "--method", "exakt"], "did you mean exact?"),
        (["queens", "sovle", "8"], "did you mean 'tablero queens solve 8'?"),
        (["queens", "8"], "did you mean 'tablero queens solve 8'?"),
        (["jobs", "lsit"], "did you mean list?"),
        (["quens", "solve", "8"], "did you mean queens?"),
        (["queens", "solve", "8", "--metod", "exact"], "--method"),
        (["decompose", "peterson"], "did you mean petersen?"),
        (["sudoku", "generate", "--kind", "kiler"], "did you mean killer?"),
        (["sudoku", "generate", "--rating", "hrad"], "did you mean hard?"),
        (["queens", "anneal", "8", "--t0", "hot"], "--t0 hot: expected a number"),
        (["cover", "worksheet", "five", "--pdf", "a.pdf"], "N five: expected a whole number"),
    ],
)
def test_typos_are_understood(capfd: pytest.CaptureFixture[str], arguments: list[str], meant: str) -> None:
    assert run(arguments) == 2
    reported = capfd.readouterr().err
    assert meant in reported
    assert reported.count("\n") == 1


def test_a_long_input_is_not_echoed(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["sudoku", "solve", "<svg>" * 1000]) == 2
    assert len(capfd.readouterr().err) < 900
    assert run(["warehouse", "solve", "9" * 5000]) == 2
    reported = capfd.readouterr().err
    assert "99…': expected" in reported
    assert len(reported) < 250
    assert len(unknown("the word", "x" * 5000, ["a"])) < 200
