"""Jobs that are killed at any moment: nothing is lost and nothing is counted twice."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tablero.cover import generate, write
from tests.commands import answer_of

KILLS = 20


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "problem.dlx").write_text(write(generate("pentominoes", "6x10")))
    return tmp_path


def command(place: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "tablero", *arguments]


def environment(place: Path) -> dict[str, str]:
    return {**os.environ, "TABLERO_HOME": str(place / "home")}


def test_a_job_survives_twenty_kills(place: Path) -> None:
    count = ("cover", "count", "problem.dlx", "--kernel", "sparse")
    undisturbed = answer_of(place, *count)
    choose = random.Random(2026)
    landed = 0
    store = place / "home" / "jobs" / "hunted.job"
    for _ in range(KILLS):
        before = nodes_of(store)
        running = subprocess.Popen(
            command(place, *count, "--job", "hunted"),
            env=environment(place),
            cwd=place,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        # Killed a moment after it has booked something: so every kill costs a unit, and something is left of each start.
        while running.poll() is None and nodes_of(store) == before:
            time.sleep(0.01)
        time.sleep(choose.uniform(0.0, 0.05))
        landed += running.poll() is None
        running.send_signal(signal.SIGKILL)
        running.wait()
    final = answer_of(place, "jobs", "resume", "hunted")
    assert landed >= 3, "the search was over before it could be killed"
    for key in ("solutions", "nodes", "fraction", "status"):
        assert final[key] == undisturbed[key]
    assert final["fraction"] == 1.0
    assert answer_of(place, "jobs", "show", "hunted")["state"] == "finished"


def nodes_of(store: Path) -> int:
    if not store.exists():
        return 0
    with sqlite3.connect(store) as db:
        nodes: int = db.execute("SELECT nodes FROM job").fetchone()[0]
    db.close()
    return nodes


def test_ctrl_c_keeps_what_was_found_and_the_job_resumes(place: Path) -> None:
    solve = ("cover", "solve", "problem.dlx", "--kernel", "sparse", "--solutions", "all", "--job", "long", "--json")
    running = subprocess.Popen(
        command(place, *solve),
        env=environment(place),
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Tests that run in the background inherit a deaf ear for Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + 60
    store = place / "home" / "jobs" / "long.job"
    while not nodes_of(store) and time.monotonic() < deadline:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130, err
    stopped = json.loads(out)
    assert stopped["status"] == "open"
    assert len(stopped["answers"]) == stopped["solutions"]
    assert b"jobs resume long" in err
    resumed = answer_of(place, "jobs", "resume", "long", "--threads", "2")
    assert (resumed["status"], resumed["solutions"]) == ("complete", 9356)
    assert resumed["nodes"] > stopped["nodes"]
    assert resumed["answers"][: stopped["solutions"]] == stopped["answers"]
