"""A job's file from somebody else is harmless, and a damaged one tells nothing that is false."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tablero.cli import run as command
from tablero.cli.running import plain, plain_json
from tablero.cover import generate, write
from tablero.cover.puzzle import as_bytes
from tablero.cover.solving import search_for
from tablero.errors import BadInput, JobError
from tablero.runs import jobfile, jobs, values
from tablero.runs.coordinator import run
from tablero.runs.process import Owner, birth_of, this_process
from tablero.runs.record import JobInfo, Record
from tablero.runs.store import Store
from tests.race import race
from tests.stored_jobs import change, resign

Capture = pytest.CaptureFixture[str]
PROBLEM = generate("queens", 7)  # 40 covers
SEARCH = search_for(PROBLEM, "solve", "bits")


def recipe_for(verb: str, kernel: str = "bits") -> dict[str, Any]:
    options = {"most": None, "kernel": kernel} if verb == "solve" else {"kernel": kernel}
    return {"family": "cover", "verb": verb, "options": options}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of jobs: one called "good", half done, with answers and a unit left."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    store, new = jobs.begin("good", SEARCH, recipe_for("solve"), as_bytes(PROBLEM))
    assert new
    run(SEARCH, most=10, store=store)
    assert store.totals().ready > 0
    store.close()
    return jobs.home()


def tamper(name: str, *statements: str, values_: tuple[Any, ...] = (), sign: bool = True) -> Path:
    """A copy of the good job in which something is changed; its checksums are made good, as somebody who knows would."""
    path = jobs.path_of(name)
    shutil.copy(jobs.path_of("good"), path)
    change(path, *statements, parameters=values_, sign=sign)
    return path


def complains(capfd: Capture, *arguments: str) -> str:
    """The one line that a command ends with."""
    capfd.readouterr()
    assert command(list(arguments)) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert len(err.splitlines()) == 1, err
    return err


def state_of(name: str, capfd: Capture) -> str:
    """How `jobs list` shows a job."""
    capfd.readouterr()
    assert command(["jobs", "list", "--json"]) == 0
    listed = {job["name"]: job["state"] for job in json.loads(capfd.readouterr().out)["jobs"]}
    assert listed["good"] == "stopped", "one bad file does not hide the others"
    assert command(["jobs", "list"]) == 0
    found: str = listed[name]
    return found


# Who works on a job


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A process that has nothing to do with it."""
    other = subprocess.Popen([sys.executable, "-c", "import time; print(flush=True); time.sleep(600)"], stdout=-1)
    assert other.stdout is not None
    other.stdout.readline()
    yield other
    other.kill()
    other.communicate()


def own(name: str, pid: Any, birth: str | None, seen: float | None = None) -> None:
    seen = time.time() if seen is None else seen
    statement = "UPDATE job SET pid = ?, host = ?, birth = ?, seen = ?"
    tamper(name, statement, values_=(pid, socket.gethostname(), birth, seen))


@pytest.mark.parametrize("pid", [-1, 0, -(2**40), 2**31, 2**62, "one", 1.5, b"x"])
def test_no_process_of_a_number_that_is_none(pid: Any, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("a signal was sent"))
    own("evil", pid, None)
    assert "damaged" in complains(capfd, "jobs", "stop", "evil")
    assert state_of("evil", capfd) == "damaged"


def test_only_the_process_that_wrote_is_stopped(bystander: subprocess.Popen[bytes], capfd: Capture) -> None:
    for birth in ("another", None, birth_of(os.getpid())):
        own("evil", bystander.pid, birth)
        command(["jobs", "stop", "evil"])
        assert bystander.poll() is None
    own("evil", 1, birth_of(1))
    assert "not certain" in complains(capfd, "jobs", "stop", "evil")
    # Number, start and boot of any process can be read by anybody: only one that has the file open is signalled.
    own("evil", bystander.pid, birth_of(bystander.pid))
    assert "not certain" in complains(capfd, "jobs", "stop", "evil")
    assert bystander.poll() is None
    path = tamper("mine")
    program = "import sys, time; file = open(sys.argv[1], 'rb'); print(flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE) as worker:
        assert worker.stdout is not None
        worker.stdout.readline()
        own("mine", worker.pid, birth_of(worker.pid))
        assert command(["jobs", "stop", "mine"]) == 0
        assert worker.wait(30) == -signal.SIGTERM


def test_signs_of_life() -> None:
    me, now = this_process(), time.time()
    assert me.is_alive()
    assert me.is_me
    assert not me._replace(seen=now - 60).is_alive()
    assert not me._replace(seen=now + 60).is_alive(), "a sign from the future is none"
    assert me._replace(seen=now + 1).is_alive(), "clocks differ a little"
    assert not me._replace(birth="another").is_alive()
    assert not me._replace(birth="another").is_me
    assert me._replace(host="elsewhere", birth="another").is_alive(), "of other machines only the file tells"
    assert not Owner().is_alive()
    assert not Owner(-1, me.host, None, now).is_alive()
    assert not Owner(0, me.host, None, now).is_alive()


def test_a_process_that_is_dead_but_not_buried_is_dead() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    owner = Owner(child.pid, socket.gethostname(), birth_of(child.pid), time.time())
    deadline = time.monotonic() + 30
    while owner.is_alive() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not owner.is_alive()
    child.wait()


def test_a_job_at_work_is_left_alone(bystander: subprocess.Popen[bytes], capfd: Capture) -> None:
    own("busy", bystander.pid, birth_of(bystander.pid))
    assert state_of("busy", capfd) == "running"
    refusal = f"process {bystander.pid} works on job 'busy'"
    assert refusal in complains(capfd, "jobs", "resume", "busy")
    assert refusal in complains(capfd, "jobs", "resume", "busy", "--retry")
    Path("good.dlx").write_text(write(PROBLEM))
    assert refusal in complains(capfd, "cover", "solve", "good.dlx", "-n", "all", "--kernel", "bits", "--job", "busy")
    assert "is running" in complains(capfd, "jobs", "remove", "busy")
    store = Store.open(jobs.path_of("busy"))
    for write_ in (store.take_over, store.retry_quarantined, lambda: store.rewrite_recipe({})):
        with pytest.raises(JobError, match="works on job"):
            write_()
    store.close()
    bystander.kill()
    bystander.wait()
    assert command(["jobs", "resume", "busy", "--json", "--quiet"]) == 0
    assert json.loads(capfd.readouterr().out)["solutions"] == 40


# What else a file may contain


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER UPDATE ON job BEGIN UPDATE job SET found = '666'; END",
        "CREATE VIEW v AS SELECT 1",
        "CREATE INDEX i ON unit (share)",
        "CREATE TABLE more (x)",
        "ALTER TABLE unit ADD COLUMN more",
        "ANALYZE",
    ],
)
def test_a_file_with_other_tables_is_not_ours(statement: str, capfd: Capture) -> None:
    tamper("evil", statement, sign=False)
    assert state_of("evil", capfd) == "damaged"
    for verb in ("resume", "show", "export", "stop"):
        assert "its tables are not those" in complains(capfd, "jobs", verb, "evil")


def test_a_view_without_end_is_never_asked(folder: Path, capfd: Capture) -> None:
    db = sqlite3.connect(folder / "evil.job", isolation_level=None)
    jobfile.make_tables(db)
    for table in ("unit", "job"):
        db.execute(f"DROP TABLE {table}")
        db.execute(
            f"CREATE VIEW {table} AS WITH RECURSIVE c(one) AS (SELECT 1 UNION ALL SELECT one + 1 FROM c) SELECT one FROM c"
        )
    db.close()
    assert state_of("evil", capfd) == "damaged"


def test_a_large_file_is_opened_without_a_look_at_every_page(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    real_connect = sqlite3.connect

    def connect(*given: Any, **how: Any) -> sqlite3.Connection:
        db: sqlite3.Connection = real_connect(*given, **how)
        db.set_trace_callback(asked.append)
        return db

    monkeypatch.setattr(sqlite3, "connect", connect)
    Store.open(jobs.path_of("good")).close()
    assert any("quick_check" in statement for statement in asked)
    asked.clear()
    monkeypatch.setattr(jobfile, "MOST_CHECKED", 100)
    Store.open(jobs.path_of("good")).close()
    assert not any("check(" in statement for statement in asked)


# Values of other kinds

LONG = "x" * 10_000
BAD_JOB: list[tuple[str, list[Any]]] = [
    (
        "recipe",
        ["", "no JSON", "[]", "1", "null", '{"most": 0}', '{"most": -1}', '{"most": "5"}', '{"verb": 5}', b"{}"],
    ),
    ("recipe", ['{"family": []}', '{"x": NaN}', '{"x": 1e999}', '{"x": ' + "9" * 5000 + "}", '{"x":' * 5000, None]),
    ("recipe", ['{"x":' * 50 + "1" + "}" * 50, '{"x": "' + "y" * (1 << 20) + '"}']),
    (
        "problem",
        [
            b"",
            b"rubbish",
            "text",
            5,
            zlib.compress(b"x")[:-1],
            zlib.compress(b"x") + b"y",
            zlib.compress(bytes(1 << 26)),
        ],
    ),
    ("kernel", [b"cover.bits/1", LONG, "\x1b[2J"]),
    ("digest", [b"x", LONG]),
    ("version", [b"x", LONG, "\x1b]0;owned\x07"]),
    ("created", ["yesterday", -1, 1e300, 9e999, b""]),
    ("nodes", ["many", -1, 2**63 - 1, 1.5, b"5"]),
    ("found", ["", "-1", "1.5", "0x10", "٣", "007", "9" * 5000, b"5"]),
    ("best", ["low", 1.5, b""]),
    ("done", ["x", -1, 2**63 - 1]),
    ("lost", ["x", -1]),
    ("wall", ["x", -1, 9e999, b""]),
    ("cpu", ["x", -1, -9e999]),
    ("workers", ["x", -1, 1.5]),
    ("speed", ["x", -1, 9e999]),
    ("units", [-1, 0, 5, "x"]),
    ("kept", [-1, "x"]),
    ("host", [LONG, b"x", "\x1b[31m"]),
    ("birth", [LONG, b"x"]),
    ("seen", ["x", -1, 9e999]),
]


@pytest.mark.parametrize(
    ("column", "value"), [(column, value) for column, bad in BAD_JOB for value in bad if value is not None]
)
def test_a_bad_value_of_a_job_is_told_in_one_line(column: str, value: Any, capfd: Capture) -> None:
    tamper("evil", f"UPDATE job SET {column} = ?", values_=(value,), sign=column != "digest")
    assert state_of("evil", capfd) == "damaged"
    assert "damaged" in complains(capfd, "jobs", "show", "evil")


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        *[("unit", "state", value) for value in ("text", 5, b"", b"\x01", b"\x02\x00", b"\x01\x01\x05\x00\x01")],
        *[("unit", "share", value) for value in ("x", -1, 1.5, 9e999)],
        *[("unit", "tries", value) for value in (1.5, -1, b"")],
        *[("unit", "sum", value) for value in ("x", b"", b"1234567", 5)],
        *[("batch", "start", value) for value in ("x", 5, b"", b"rubbish")],
        *[("batch", "count", value) for value in ("x", 0, -1, 5, 2**40, 2**62, 1.5)],
        *[("batch", "width", value) for value in ("x", 0, -1, 1, 2**62, 8)],
        *[("batch", "body", value) for value in ("x", b"", b"123", bytes(40))],
        *[("batch", "sum", value) for value in ("x", b"")],
    ],
)  # fmt: skip
def test_a_bad_unit_or_batch_is_told_in_one_line(table: str, column: str, value: Any, capfd: Capture) -> None:
    tamper("evil", f"UPDATE {table} SET {column} = ?", values_=(value,), sign=column != "sum")
    line = complains(capfd, "jobs", "resume", "evil", "--quiet")
    assert "damaged" in line or "cursor" in line
    if table == "batch":
        complains(capfd, "jobs", "export", "evil")


def test_answers_that_are_none_are_told(capfd: Capture) -> None:
    """Right in form, checksums and all, and yet no covers of the problem."""
    for number in (0, -5, 10**6):
        body = np.full((10, SEARCH.width), number, "<i4").tobytes()
        tamper("evil", "DELETE FROM batch WHERE id > 1", sign=False)
        db = sqlite3.connect(jobs.path_of("evil"), isolation_level=None)
        db.execute("UPDATE batch SET body = ?, count = 10, width = ?", (body, SEARCH.width))
        db.execute("UPDATE job SET kept = 10, found = '10'")
        resign(db)
        db.close()
        complains(capfd, "jobs", "resume", "evil", "--quiet")


def test_a_recipe_that_lacks_something_is_told(capfd: Capture) -> None:
    for recipe in ({"family": "cover"}, {"family": "cover", "verb": "solve", "most": 1}, {"verb": "solve"}, {}):
        tamper("evil", "UPDATE job SET recipe = ?", values_=(json.dumps(recipe),))
        complains(capfd, "jobs", "resume", "evil")
        complains(capfd, "jobs", "export", "evil")


def test_a_small_problem_cannot_claim_gigabytes() -> None:
    regular = b"a b c\n" * (1 << 22)
    assert len(zlib.compress(regular)) < len(regular) // 500
    assert values.unpack(values.pack(regular)) == regular, "though an honest one is kept, however regular"
    with pytest.raises(values.Damaged, match="unpacks to more than"):
        values.unpack(zlib.compress(bytes(1 << 28)))


def test_the_name_of_a_job_is_that_of_its_file() -> None:
    """A job that calls itself otherwise must not be able to write to the one whose name it has."""
    tamper("evil", "UPDATE job SET name = 'good'")
    record = Record.read(jobs.path_of("evil"))
    assert record.info.name == "evil"
    record.close()


# Bits that have flipped


def whole_of(path: Path) -> bytes:
    db = sqlite3.connect(path)
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    return path.read_bytes()


def test_a_changed_state_or_batch_is_told_and_not_searched(capfd: Capture) -> None:
    for table, column in (("unit", "state"), ("batch", "body"), ("batch", "start"), ("job", "problem")):
        tamper("evil", sign=False)
        db = sqlite3.connect(jobs.path_of("evil"), isolation_level=None)
        (blob,) = db.execute(f"SELECT {column} FROM {table}").fetchone()
        db.execute(f"UPDATE {table} SET {column} = ?", (blob[:-1] + bytes([blob[-1] ^ 1]),))
        db.close()
        assert "damaged" in complains(capfd, "jobs", "resume", "evil", "--quiet")
    for wrong in ("nodes = nodes + 1", "found = '11'", "recipe = replace(recipe, 'null', '1000')", "done = done + 1"):
        tamper("evil", f"UPDATE job SET {wrong}", sign=False)
        assert "checksum differs" in complains(capfd, "jobs", "resume", "evil", "--quiet")
    for statement in (
        "DELETE FROM unit",
        "INSERT INTO unit SELECT 99, state, share, sum, epoch, tries FROM unit LIMIT 1",
    ):
        tamper("evil", statement, sign=False)
        assert "units where there must be" in complains(capfd, "jobs", "resume", "evil", "--quiet")
    tamper("evil", "DELETE FROM batch", sign=False)
    assert "answers where there must be" in complains(capfd, "jobs", "export", "evil")


@pytest.mark.parametrize("pages", [jobfile.MOST_CHECKED, 0], ids=["all pages looked at", "a large file"])
def test_no_single_bit_makes_a_job_tell_something_else(
    pages: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobfile, "MOST_CHECKED", pages)
    undisturbed = run(SEARCH)
    good = whole_of(jobs.path_of("good"))
    filled = [place for place, byte in enumerate(good) if byte]
    choose = random.Random(2)
    path, reported, same = folder / "flipped.job", 0, 0
    for k in range(400):
        data = bytearray(good)
        # The first page holds the head and the tables; beyond it, most of the file is empty.
        place = choose.randrange(4096) if k % 4 == 0 else choose.choice(filled)
        data[place] ^= 1 << choose.randrange(8)
        for file in jobfile.side_files(path):  # of the one before
            file.unlink(missing_ok=True)
        path.write_bytes(data)
        try:
            store = Store.open(path)
        except JobError:
            reported += 1
            continue
        try:
            result = run(SEARCH, store=store)
            same += 1
        except BadInput:
            reported += 1
            continue
        finally:
            store.close()
        assert result.quarantined or (result.nodes, result.answers.tolist()) == (
            undisturbed.nodes,
            undisturbed.answers.tolist(),
        )
    assert reported > 20
    assert same > 20


# What is printed

NASTY = "\x1b[2J\x07\x9b31m\u202e"


def test_what_a_terminal_would_obey_is_shown_as_text(folder: Path, capfd: Capture) -> None:
    (folder / f"{NASTY}.job").write_text("x")
    (folder / os.fsdecode(b"\xff.job")).write_text("x")
    assert command(["jobs", "list"]) == 0
    assert command(["jobs", "list", "--json"]) == 0
    command(["jobs", "show", NASTY])
    command(["cover", "count", f"{NASTY}.dlx"])
    tamper("evil", "UPDATE job SET recipe = ?", values_=(json.dumps({"family": NASTY, "verb": NASTY}),))
    for verb in ("show", "export", "resume"):
        command(["jobs", verb, "evil"])
    assert command(["jobs", "list"]) == 0
    out, err = capfd.readouterr()
    assert "\\x1b[2J" in out
    for text in (out, err):
        assert all(character.isprintable() or character == "\n" for character in text), text


def test_export_is_exact_though_all_is_shown(folder: Path, capfd: Capture) -> None:
    problem = generate("dominoes", "2x2")
    search = search_for(problem, "count", "bits")
    text = f"| {NASTY} 😀\n"
    store, _ = jobs.begin("odd", search, recipe_for("count", search.kernel), text.encode() + write(problem).encode())
    store.close()
    capfd.readouterr()
    assert command(["jobs", "export", "odd"]) == 0
    out = capfd.readouterr().out
    assert json.loads(out)["problem"].startswith(text)
    assert all(character.isprintable() or character == "\n" for character in out)


def test_plain_text() -> None:
    assert plain("Größe 3×4 😀") == "Größe 3×4 😀"
    assert plain("a\x1b[31m\n\u202e\udcff") == "a\\x1b[31m\\n\\u202e\\udcff"
    nested = json.dumps({"x": "\x7f\u202e\U000e0001 é"}, ensure_ascii=False)
    assert json.loads(plain_json(nested)) == json.loads(nested)
    assert plain_json(nested).replace("é", "e").isascii()


# How files are made


def test_only_the_owner_may_read(folder: Path) -> None:
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    store = Store.open(folder / "good.job")
    store.take_over()
    files = sorted(folder.glob("good.job*"))
    assert [file.name for file in files] == ["good.job", "good.job-shm", "good.job-wal"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    store.leave()
    store.close()


def new_job(path: Path) -> Store:
    return Store.create(path, JobInfo("x", {}, b"", "toy/1", "digest"), [(b"left", 1.0)])


def test_a_removed_job_does_not_come_back(folder: Path) -> None:
    """Killed and then removed by hand: what SQLite had kept beside it must not be taken for the new job's."""
    script = (
        "import os, signal; from tablero.runs import jobs; s = jobs.open_job('good'); s.take_over();"
        "s.lease(1); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", script], check=False)
    assert (folder / "good.job-wal").stat().st_size > 0
    (folder / "good.job").unlink()
    store = new_job(folder / "good.job")
    assert (store.info.kernel, store.totals().ready, store.owner()) == ("toy/1", 1, Owner())
    store.close()


def test_what_was_left_half_made_is_cleared_away(folder: Path) -> None:
    left = [folder / f"x.job.ab12{ending}" for ending in (".new", ".new-wal", ".new-journal")]
    for file in left:
        file.write_text("half")
    name = folder / "a.job.b.new.job"  # a job's name may look like it
    new_job(name).close()
    new_job(folder / "x.job").close()
    assert not any(file.exists() for file in left)
    assert name.exists()


@pytest.mark.parametrize("links", [True, False])
def test_a_job_is_made_once(links: bool, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: Any) -> None:
        raise PermissionError(1, "Operation not permitted")

    if not links:
        monkeypatch.setattr(os, "link", no_links)
    new_job(folder / "x.job").close()
    with pytest.raises(jobfile.JobExists):
        new_job(folder / "x.job")
    lexists = os.path.lexists
    monkeypatch.setattr(os.path, "lexists", lambda path: False)  # made by another just after the look
    with pytest.raises(jobfile.JobExists):
        new_job(folder / "x.job")
    monkeypatch.setattr(os.path, "lexists", lexists)
    assert sorted(file.name for file in folder.iterdir()) == ["good.job", "x.job"]


def raises(error: OSError) -> Callable[..., Any]:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    return fail


def test_a_place_that_cannot_be_written_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture) -> None:
    read_only = OSError(30, "Read-only file system")
    with monkeypatch.context() as patch:
        patch.setattr("tempfile.mkstemp", raises(read_only))
        with pytest.raises(JobError, match="Read-only file system"):
            new_job(folder / "x.job")
    with monkeypatch.context() as patch:
        patch.setattr(os, "link", raises(OSError(28, "No space left on device")))
        with pytest.raises(JobError, match="No space left"):
            new_job(folder / "x.job")
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda *_: False)
        assert "read-only" in complains(capfd, "jobs", "resume", "good")
        assert command(["jobs", "show", "good", "--json"]) == 0, "it can be looked at"
        assert command(["jobs", "export", "good"]) == 0
    assert [file.name for file in folder.iterdir()] == ["good.job"]
    Path("file").write_text("x")
    monkeypatch.setenv("TABLERO_HOME", "file")
    Path("good.dlx").write_text(write(PROBLEM))
    assert "cannot write the job's file" in complains(capfd, "cover", "count", "good.dlx", "--job", "x")


def test_another_family_or_problem_does_not_go_on_with_a_job(capfd: Capture) -> None:
    Path("p.dlx").write_text(write(PROBLEM))
    recipe = recipe_for("solve")
    for other, problem in (({**recipe, "family": "decompose"}, write(PROBLEM)), (recipe, "another text")):
        with pytest.raises(JobError, match=r"was begun as 'cover solve'|of another problem"):
            jobs.begin("good", SEARCH, other, problem.encode())
    record = Record.read(jobs.path_of("good"))
    assert record.info.recipe == recipe
    record.close()


def test_a_search_follows_only_one_that_is_over() -> None:
    store = jobs.open_job("good")
    with pytest.raises(JobError, match="taken this job over"):
        jobs.follow(store, search_for(PROBLEM, "solve", "sparse"), {})
    assert store.totals().found >= 10
    store.close()


def test_six_processes_begin_one_job(tmp_path: Path) -> None:
    (tmp_path / "race").mkdir()
    tally = race(tmp_path / "race", 15)
    assert tally["counted"] >= 15


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_what_lies_beside_a_file_must_be_plain_files(ending: str, folder: Path, capfd: Capture) -> None:
    tamper("evil")
    beside = folder / f"evil.job{ending}"
    beside.unlink(missing_ok=True)
    os.mkfifo(beside)
    for verb in ("show", "resume", "export"):
        assert "is not a regular file" in complains(capfd, "jobs", verb, "evil")
    assert state_of("evil", capfd) == "damaged"
    beside.unlink()
    beside.symlink_to(folder / "elsewhere")
    assert "is not a regular file" in complains(capfd, "jobs", "resume", "evil")
    assert not (folder / "elsewhere").exists()
    assert command(["jobs", "remove", "evil", "--force"]) == 0


def test_a_pipe_under_the_name_of_a_job_is_called_what_it_is(folder: Path, capfd: Capture) -> None:
    os.mkfifo(folder / "pipe.job")
    for verb in ("show", "resume"):
        assert "pipe.job is not a regular file" in complains(capfd, "jobs", verb, "pipe")


def test_a_local_cluster_imports_nothing_from_the_current_folder(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    (tmp_path / "multiprocessing.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nraise SystemExit\n")
    (tmp_path / "small.dlx").write_text(write(PROBLEM))
    program = Path(sys.executable).parent / "tablero"
    words = [str(program), "cover", "count", "small.dlx", "--cluster", "local:1", "--quiet"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == ("40\n", 0), done.stderr
    assert not (tmp_path / "ran").exists()
