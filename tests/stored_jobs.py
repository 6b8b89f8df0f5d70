"""Jobs in tests: what a job has found, and changes to its file with correct checksums."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from tablero.families import look
from tablero.runs import jobfile, jobs


def change(path: Path, *statements: str, parameters: tuple[Any, ...] = (), sign: bool = True) -> None:
    """Execute statements on a job's file, and correct its checksums."""
    db = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        db.execute(statement, parameters)
    if sign:
        resign(db)
    db.close()


def resign(db: sqlite3.Connection) -> None:
    """Correct all checksums of a file."""
    db.create_function("checksum", -1, lambda *parts: jobfile.checksum(*parts))
    (digest,) = db.execute("SELECT digest FROM job").fetchone()
    db.execute(f"UPDATE job SET card_sum = checksum({', '.join(jobfile.RECORD)})")
    db.execute(f"UPDATE job SET counts_sum = checksum({', '.join(jobfile.COUNTS)})")
    db.execute("UPDATE unit SET sum = checksum(?, state, share)", (digest,))
    db.execute("UPDATE batch SET sum = checksum(?, start, count, width, body)", (digest,))


def stored(name: str) -> Any:
    """What a job has found so far."""
    with jobs.read_job(name) as record:
        return look(record)
