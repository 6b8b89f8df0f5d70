"""The tables of a job's file, and what is checked before anything in a file is trusted.

A checksum of each state, of each batch, of what the job is and of its counts detects a flipped bit.

A file is compared with the tables below entry by entry.  A file with a trigger, a view, an index or another column is
refused.  Later queries therefore touch plain tables only, and run nothing that the file contains.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from tablero.runs.values import Damaged

SCHEMA = 1
APPLICATION = 0x74626C6F  # tells our files from other SQLite files
MOST_CHECKED = 1 << 28  # bytes of a file whose pages are all looked at when it is opened
_DEFENSIVE = 1010  # SQLITE_DBCONFIG_DEFENSIVE

_TABLES = (
    """CREATE TABLE job (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    name TEXT NOT NULL, recipe TEXT NOT NULL, problem BLOB NOT NULL,
    kernel TEXT NOT NULL, digest TEXT NOT NULL, version TEXT NOT NULL, created REAL NOT NULL,
    card_sum BLOB NOT NULL,
    epoch INTEGER NOT NULL, pid INTEGER, host TEXT, birth TEXT, seen REAL,
    nodes INTEGER NOT NULL, found TEXT NOT NULL, best INTEGER,
    done INTEGER NOT NULL, lost INTEGER NOT NULL, wall REAL NOT NULL, cpu REAL NOT NULL,
    units INTEGER NOT NULL, kept INTEGER NOT NULL, counts_sum BLOB NOT NULL,
    workers INTEGER NOT NULL, speed REAL NOT NULL)""",
    """CREATE TABLE unit (
    id INTEGER PRIMARY KEY, state BLOB NOT NULL, share REAL NOT NULL, sum BLOB NOT NULL,
    epoch INTEGER, tries INTEGER NOT NULL DEFAULT 0)""",
    """CREATE TABLE batch (
    id INTEGER PRIMARY KEY, start BLOB NOT NULL, count INTEGER NOT NULL, width INTEGER NOT NULL, body BLOB NOT NULL,
    sum BLOB NOT NULL)""",
    "CREATE TABLE trace (trials INTEGER PRIMARY KEY, temperature REAL NOT NULL, cost INTEGER NOT NULL)",
)


class NotOurs(ValueError):
    """A file of something else, or of another version."""


def checksum(*parts: bytes | str | float | None) -> bytes:
    """Eight bytes that are others when anything of it has changed."""
    found = hashlib.blake2b(digest_size=8)
    for part in parts:
        raw = part if isinstance(part, bytes) else repr(part).encode()
        found.update(len(raw).to_bytes(8, "little"))
        found.update(raw)
    return found.digest()


def make_tables(db: sqlite3.Connection) -> None:
    """To be called within a transaction."""
    for table in _TABLES:
        db.execute(table)
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {SCHEMA}")


def harden(db: sqlite3.Connection) -> None:
    """Let SQLite trust nothing that stands in the file.  To be called before anything is asked of it."""
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA mmap_size = 0")
    set_config = getattr(db, "setconfig", None)  # from Python 3.12 on
    if set_config is not None:
        set_config(_DEFENSIVE, True)


def require_ours(db: sqlite3.Connection, size: int) -> None:
    """Refuse a file of this many bytes that is not a job."""
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise NotOurs("is not a tablero job")
    schema = db.execute("PRAGMA user_version").fetchone()[0]
    if schema != SCHEMA:
        raise NotOurs(f"has schema {schema}, this version of tablero reads schema {SCHEMA}")
    ours = _entries()
    if _read_entries(db, len(ours) + 1) != ours:
        raise Damaged("its tables are not those of a tablero job")
    # Looking at every page takes as long as the file is large.  Beyond this, what is read is checked when it is read.
    if size <= MOST_CHECKED:
        verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise Damaged(str(verdict)[:200])
    if len(db.execute("SELECT one FROM job LIMIT 2").fetchall()) != 1:
        raise Damaged("it does not hold one job")


@cache
def _entries() -> tuple[tuple[Any, ...], ...]:
    """What SQLite says of our tables."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    try:
        make_tables(db)
        return _read_entries(db, 100)
    finally:
        db.close()


def _read_entries(db: sqlite3.Connection, most: int) -> tuple[tuple[Any, ...], ...]:
    rows = db.execute(
        "SELECT type, substr(name, 1, 100), substr(tbl_name, 1, 100), substr(sql, 1, 5000) FROM sqlite_master LIMIT ?",
        (most,),
    )
    return tuple(sorted(rows, key=repr))


# The columns whose values, in this order, a job's two checksums are of.
CARD = ("recipe", "problem", "kernel", "digest", "version", "created")
COUNTS = ("digest", "nodes", "found", "best", "done", "lost", "wall", "cpu", "units", "kept")


def side_files(path: Path) -> Iterable[Path]:
    """What SQLite keeps beside a file while it is worked on, and after a crash."""
    return [path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal")]
