"""README and docs tell the truth: their console blocks and their Python examples run, and print what the pages show.

A page's blocks run one after another in one folder, where `python -m studies` works as in the root of the repository.  Of a
`console` block each command that shows an output must print it; numbers that vary from run to run (times, speeds, fractions
of a stopped search) count as equal.  An ellipsis stands for any text, a line `…` for any lines.  A comment
`<!-- not run: WHY -->` right before a block says why it is not run.  A command of tablero alone runs in this process, where
kernels stay loaded; any other gets a shell.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from tablero.cli import run

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    *sorted(page for folder in ("", "tutorials", "howto") for page in (ROOT / "docs" / folder).glob("*.md")),
]
BLOCK = re.compile(r"(?P<why><!-- not run: [^\n]*-->\n+)?^```(?P<kind>console|python)\n(?P<body>.*?)^```", re.M | re.S)

# What differs from run to run and from machine to machine.
VARYING = [
    (r"\d[\d,.]*[kMG]? (a second|nodes/s)", "SPEED"),
    (r"\d[\d,.]* (s|ms|min|seconds|days?)\b", "TIME"),
    (r"stopped at [\d.e-]+ %", "stopped at SHARE"),
    (r'"(cpu_)?seconds": [\d.e-]+', "TIME"),
]


class Command(NamedTuple):
    line: int
    text: str
    shown: str


def blocks(page: Path, kind: str) -> list[tuple[int, str]]:
    """The blocks of a kind that are run, with their lines."""
    text = page.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, found.start("body")) + 1, found["body"])
        for found in BLOCK.finditer(text)
        if found["kind"] == kind and not found["why"]
    ]


def commands(page: Path) -> list[Command]:
    """The commands of a page's console blocks, each with the output that is shown behind it."""
    out: list[Command] = []
    for first, body in blocks(page, "console"):
        for number, line in enumerate(body.splitlines(), first):
            if line.startswith("$ "):
                out.append(Command(number, line[2:], ""))
            elif line.startswith("> "):
                out[-1] = out[-1]._replace(text=f"{out[-1].text}\n{line[2:]}")
            else:
                out[-1] = out[-1]._replace(shown=f"{out[-1].shown}{line}\n")
    return out


# A slow machine says what it waits for: nothing that docs can show.
WAITING = re.compile(
    r"^(?:compiling .*, once on this machine …|loading the .* …|ready in [0-9.]+ s)\n|; made in [0-9.]+ s$", re.M
)


def plain(text: str) -> list[str]:
    text = WAITING.sub("", text)
    for pattern, word in VARYING:
        text = re.sub(pattern, word, text)
    return [re.sub(r" +", " ", line).rstrip() for line in text.strip().splitlines()]


def agrees(shown: str, printed: str) -> bool:
    """Whether what was printed is what is shown, ellipses and varying numbers aside."""
    pattern = "\n".join(r"(?:.*\n)*?.*" if line == "…" else re.escape(line).replace("…", ".*") for line in plain(shown))
    return re.fullmatch(pattern, "\n".join(plain(printed))) is not None


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]))
    # One Sudoku is solved without the kernel where that is not loaded yet, as in a process of its own.
    room = import_module("tablero.sudoku.solving")
    monkeypatch.setattr(room, "_KERNEL", "not.loaded")
    monkeypatch.setattr(room, "_plain_nodes", 3_000)
    monkeypatch.chdir(tmp_path)
    return tmp_path


SHELL = re.compile(r"[|&;<>()$`*?~\\\n]")  # what only a shell understands


def words_of(text: str) -> tuple[list[str], str] | None:
    """The words of a command of tablero alone and the file that its output goes to; None where it needs a shell."""
    command, arrow, file = text.partition(" > ")
    words = shlex.split(command)
    if words[:1] != ["tablero"] or SHELL.search(re.sub(r"'[^']*'", "", command)) or SHELL.search(file):
        return None
    return (words[1:], file) if bool(arrow) == bool(file) else None


def result_of(command: Command) -> tuple[int, str]:
    """The exit status of a command and all that it printed."""
    if (alone := words_of(command.text)) is None:
        done = subprocess.run(
            ["bash", "-c", command.text], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300
        )
        return done.returncode, done.stdout
    words, file = alone
    printed = io.StringIO()
    with ExitStack() as streams:
        out = streams.enter_context(Path(file).open("w", encoding="utf-8")) if file else printed
        streams.enter_context(redirect_stdout(out))
        streams.enter_context(redirect_stderr(printed))
        status = run(words)
    return status, printed.getvalue()


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.stem)
def test_console_blocks(page: Path, place: Path) -> None:
    wrong = []
    for command in commands(page):
        status, printed = result_of(command)
        if command.shown and not agrees(command.shown, printed):
            wrong.append(f"{page.name}:{command.line}: $ {command.text}\nshown:\n{command.shown}printed:\n{printed}")
        elif not command.shown and (status not in (0, 3) or "Traceback" in printed):
            wrong.append(f"{page.name}:{command.line}: $ {command.text}\nstatus {status}:\n{printed}")
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.stem)
def test_python_blocks(page: Path, place: Path) -> None:
    """Examples with >>> are compared with what they show; others must run."""
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    reported: list[str] = []
    for line, body in blocks(page, "python"):
        if ">>>" in body:
            test = doctest.DocTestParser().get_doctest(body, names, page.name, str(page), line - 1)
            runner.run(test, out=reported.append, clear_globs=False)
            names = test.globs
        else:
            exec(compile(body, f"{page.name}:{line}", "exec"), names)
    assert not runner.failures, "".join(reported)


def test_a_page_that_is_wrong_is_found() -> None:
    assert agrees("3 covers in 0.51 s\n", "3 covers in 12.7 s\n")
    assert agrees("first\n…\nlast\n", "first\nsecond\nthird\nlast\n")
    assert not agrees("3 covers\n", "4 covers\n")
    assert not agrees("first\nlast\n", "first\nmore\nlast\n")
