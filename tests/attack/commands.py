"""Argument lists and job files: whole commands, each in a process that may die without harm.

Commands are those of `tests/bad_inputs.py` and some that work, spoilt.  Nothing leaves the folder of the attack and this
machine: paths out of it, and commands that listen or start workers, are left out.
"""

from __future__ import annotations

import io
import os
import random
import shlex
import shutil
import signal
import sqlite3
import time
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any

from tests.attack.findings import Report, skeleton
from tests.attack.mutations import NASTY, spoil
from tests.attack.targets import Target
from tests.bad_inputs import COVER, DECOMPOSE, EDGES, JOBS, QUEENS, SLIDE, SUDOKU, WAREHOUSE
from tests.stored_jobs import resign

CASES = [*COVER, *DECOMPOSE, *EDGES, *QUEENS, *SLIDE, *SUDOKU, *WAREHOUSE, *JOBS]
BATCH = 20  # commands of one process
PATIENCE = 60  # seconds of one command, on a busy machine
_STATUSES = (0, 1, 2, 3, 130)
_GOOD = [
    "cover solve good.dlx -n all --json",
    "cover count good.dlx --kernel bits",
    "cover make dominoes 3x4",
    "decompose K4 --into matching -n all --jsonl",
    "edges show good.edges",
    "edges estimate good.edges --probes 100",
    "queens solve 6 -n all",
    "queens count 6",
    "slide solve '1 2 3/4 5 6/7 0 8'",
    "slide check '1 2/0 3' N",
    "sudoku solve good.sdk",
    "sudoku rate good.sdk",
    "warehouse random 9 --seed 3",
    "jobs list",
    "jobs show good --json",
    "jobs export good",
]
_JOB = "name recipe problem kernel digest version created epoch pid host birth seen nodes found best done lost wall cpu"
_COLUMNS = [
    ("job", [*_JOB.split(), "units", "kept", "workers", "speed"]),
    ("unit", ["state", "share", "epoch", "tries", "id"]),
    ("batch", ["start", "count", "width", "body", "id"]),
]
_LEFT_OUT = {
    "scheduler",
    "worker",
    "tour",
    "doctor",
    "serve",
    "--cluster",
    "--watch",
    "--animate",
    "--pause",
    "--threads",
}


def prepare(folder: Path, targets: list[Target]) -> None:
    """The files that good commands name, and a job that is half done."""
    from tablero.cli import run

    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    os.environ["TABLERO_HOME"] = str(folder / "home")
    texts = {target.name: target.texts for target in targets}
    for name, key in (("good.dlx", "cover.parse"), ("good.edges", "edges.parse"), ("good.sdk", "sudoku.parse")):
        Path(name).write_text(texts[key][0])
    words = "cover solve good.dlx -n all --kernel bits --node-limit 6 --job good --quiet"
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        run(shlex.split(words))


def words_of(choose: random.Random, texts: list[str]) -> list[str]:
    """An argument list; FILE is a text that may be spoilt, too."""
    case = choose.choice(CASES)
    words = shlex.split(choose.choice((case.command, choose.choice(_GOOD))))
    others = shlex.split(choose.choice(CASES).command)
    for _ in range(choose.choice((0, 1, 1, 2, 3))):
        k = choose.randrange(len(words))
        what = choose.randrange(6)
        if what == 0:
            del words[k : k + 1]
        elif what == 1:
            words.insert(k, choose.choice(others))
        elif what == 2:
            words[k] = spoil(choose, words[k], others)[:300]
        elif what == 3:
            words.insert(
                k + 1,
                choose.choice(("--json", "--jsonl", "--quiet", "--solutions", "--seed", "--", "-", "--time-limit")),
            )
        elif what == 4:
            words[k] = choose.choice(NASTY)[:300]
        else:
            words = words[:k] + others
        if not words:
            words = ["cover"]
    text = case.text if isinstance(case.text, str) and case.text else choose.choice(texts)
    if choose.random() < 0.5:
        text = spoil(choose, text, texts)
    Path("FILE").write_bytes(text.encode("utf-8", "surrogatepass"))
    return words


def is_harmless(words: list[str]) -> bool:
    """Whether it stays in its folder, listens nowhere and starts nothing."""
    return not any(
        word in _LEFT_OUT
        or word.startswith(("/", "~", "@/", "@~", "-t"))
        or ".." in word
        or word.split("=")[0] in _LEFT_OUT
        for word in words
    )


def outcome_of(words: list[str]) -> tuple[str, str]:
    """What became of a command, and what is wrong with that, if anything."""
    from tablero.cli import run

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = run([word.encode("utf-8", "replace").decode() for word in words])
    reported = err.getvalue()
    if status not in _STATUSES:
        return "fault", f"status {status}: {reported.strip()}"
    if "Traceback" in reported:
        return "fault", reported[-300:]
    if "\x1b" in out.getvalue() + reported or "\x00" in reported:
        return "fault", f"an escape on its way to the terminal: {reported[:200]!r}"
    if status == 2 and out.getvalue().startswith("Usage"):
        return "help", ""
    if status == 2 and len(reported.splitlines()) != 1:
        return "fault", f"status 2 with {len(reported.splitlines())} lines: {reported[:300]!r}"
    return ("accepted" if status != 2 else skeleton(reported)), ""


def spoil_job(choose: random.Random, good: Path, other: Path) -> str:
    """A copy of a job in which bytes or values are others, with good checksums or without; said in words."""
    shutil.copy(good, other)
    if choose.random() < 0.4:
        data = bytearray(other.read_bytes())
        for _ in range(choose.choice((1, 1, 2, 8))):
            data[choose.randrange(len(data))] ^= 1 << choose.randrange(8)
        if choose.random() < 0.3:
            del data[choose.randrange(len(data)) :]
        other.write_bytes(data)
        return "bytes"
    table, columns = choose.choice(_COLUMNS)
    column = choose.choice(columns)
    db = sqlite3.connect(other, isolation_level=None)
    try:
        (value,) = db.execute(f"SELECT {column} FROM {table} LIMIT 1").fetchone() or (None,)
        new = _other_value(choose, value)
        with suppress(sqlite3.Error, OverflowError, UnicodeError):
            db.execute(f"UPDATE {table} SET {column} = ?", (new,))
            if choose.random() < 0.8:
                resign(db)
    finally:
        db.close()
    return f"{table}.{column} = {new!r}"


def _other_value(choose: random.Random, value: Any) -> Any:
    if isinstance(value, str) and choose.random() < 0.7:
        return spoil(choose, value, NASTY)
    if isinstance(value, bytes) and value and choose.random() < 0.7:
        data = bytearray(value)
        for _ in range(choose.choice((1, 1, 3))):
            data[choose.randrange(len(data))] = choose.choice((0, 1, 127, 128, 255, choose.randrange(256)))
        return bytes(data[: choose.choice((len(data), len(data), choose.randrange(len(data) + 1)))])
    return choose.choice(
        (
            None,
            0,
            -1,
            1,
            2,
            2**31,
            2**62,
            -(2**63),
            1.5,
            -1.0,
            float("inf"),
            float("nan"),
            "",
            "x",
            b"",
            b"\x01\x00",
            "0",
            "99",
        )
    )


def attack(report: Report, name: str, seconds: float, number: int | None, texts: list[str]) -> None:
    """Commands (`arguments`) or job files (`jobs`) for so long, or one of them again."""
    began, k = time.monotonic(), 0 if number is None else number
    while time.monotonic() - began < seconds if number is None else k == number:
        _batch(report, name, k, BATCH if number is None else 1, texts)
        k += BATCH


def _batch(report: Report, name: str, first: int, size: int, texts: list[str]) -> None:
    """In a process of its own: a crash costs the batch, and tells which command it was."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        with os.fdopen(writer, "w", encoding="utf-8", errors="backslashreplace") as pipe:
            for k in range(first, first + size):
                _one(report.seed, name, k, texts, pipe)
        os._exit(0)
    os.close(writer)
    given, number, started = "", first, time.monotonic()
    with os.fdopen(reader, encoding="utf-8", errors="replace", newline="\n") as pipe:
        for line in pipe:
            kind, at, rest = line.rstrip("\n").split("\t", 2)
            number = int(at)
            if kind == "given":
                given, started = rest, time.monotonic()
                continue
            outcome, _, wrong = rest.partition("\t")
            report.add(name, outcome, time.monotonic() - started)
            if wrong:
                report.fault(name, number, wrong, given)
    _, ended = os.waitpid(child, 0)
    if ended:
        what = f"signal {os.WTERMSIG(ended)}" if os.WIFSIGNALED(ended) else f"status {os.WEXITSTATUS(ended)}"
        slow = os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGALRM
        report.add(name, "too long" if slow else "died", time.monotonic() - started)
        report.fault(name, number, f"more than {PATIENCE} s" if slow else f"the process ended with {what}", given)


def _one(seed: int, name: str, k: int, texts: list[str], pipe: Any) -> None:
    choose = random.Random(f"{seed}:{name}:{k}")

    def say(kind: str, text: str) -> None:
        pipe.write(f"{kind}\t{k}\t{text}\n")
        pipe.flush()

    def flat(text: str) -> str:
        return " ".join(text.split("\n")).replace("\t", " ").replace("\r", " ")

    if name == "arguments":
        words = words_of(choose, texts)
        commands = [words] if is_harmless(words) else []
        say("given", flat(" ".join(map(repr, words))))
    else:
        home = Path(os.environ["TABLERO_HOME"]) / "jobs"
        for left in home.glob("evil.job*"):
            left.unlink()
        what = spoil_job(choose, home / "good.job", home / "evil.job")
        limits = ["--node-limit", "50", "--time-limit", "1s"]
        commands = [
            ["jobs", "list"],
            ["jobs", "show", "evil"],
            ["jobs", "export", "evil"],
            ["jobs", "resume", "evil", "--quiet", *limits],
        ]
        say("given", flat(what))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    for words in commands:
        signal.alarm(PATIENCE)
        outcome, wrong = outcome_of(words)
        signal.alarm(0)
        say("done", f"{flat(outcome)}\t{flat(wrong and f'{words[:2]} {wrong}')}")
