"""One job begun by six processes at once, again and again: whatever is printed with status 0 is right.

A short run of it is a test; `python -m tests.race --rounds 200` is a long one.
"""

from __future__ import annotations

import argparse
import io
import json
import multiprocessing
import os
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any, NamedTuple

PROCESSES = 6
EXACT = ("status", "solutions", "nodes", "fraction")
REFUSED = ("works on job 'race'", "has taken this job over")
PATIENCE = 120  # seconds for all processes to come to the start


class Told(NamedTuple):
    """What one process printed."""

    status: int
    out: str
    err: str


def begin_often(command: list[str], rounds: int, start: Barrier, reported: Any) -> None:
    """One of the processes: begins the job in every round, together with the others."""
    from tablero.cli import run

    for _ in range(rounds):
        start.wait(PATIENCE)
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = run(command)
        reported.put(Told(status, out.getvalue(), err.getvalue()))
        start.wait(PATIENCE)  # all are done: the files of this round are looked at and removed


def race(folder: Path, rounds: int) -> dict[str, int]:
    """How often a process counted all, and how often it was refused; anything else is an error."""
    from tablero.cli import run
    from tablero.cover import generate, write
    from tablero.runs import jobs

    os.environ["TABLERO_HOME"] = str(folder / "home")
    (folder / "problem.dlx").write_text(write(generate("langford", 8)))
    command = ["cover", "count", str(folder / "problem.dlx"), "--kernel", "bits", "--json", "--quiet"]
    alone = io.StringIO()
    with redirect_stdout(alone):
        assert run(command) == 0
    known = [json.loads(alone.getvalue())[key] for key in EXACT]
    context = multiprocessing.get_context("spawn")
    start, reported = context.Barrier(PROCESSES + 1), context.Queue()
    arguments = ([*command, "--job", "race"], rounds, start, reported)
    children = [context.Process(target=begin_often, args=arguments, daemon=True) for _ in range(PROCESSES)]
    for child in children:
        child.start()
    tally = {"counted": 0, "refused": 0}
    for _ in range(rounds):
        start.wait(PATIENCE)
        reports = [reported.get(timeout=PATIENCE) for _ in range(PROCESSES)]
        for status, out, err in reports:
            if status == 0:
                assert [json.loads(out)[key] for key in EXACT] == known, out
                tally["counted"] += 1
            else:
                assert status == 2, (status, out, err)
                assert out == "", out
                assert any(words in err for words in REFUSED), err
                tally["refused"] += 1
        assert any(report.status == 0 for report in reports), reports
        left = jobs.describe("race")
        assert left.state == "finished", left
        assert left.totals is not None
        assert [left.totals.found, left.totals.nodes] == known[1:3], left
        files = sorted(file.name for file in jobs.home().iterdir())
        assert files == ["race.job"], files
        jobs.remove("race")
        start.wait(PATIENCE)
    for child in children:
        child.join(PATIENCE)
        assert child.exitcode == 0
    return tally


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    with tempfile.TemporaryDirectory() as place:
        print(race(Path(place), parser.parse_args().rounds))
