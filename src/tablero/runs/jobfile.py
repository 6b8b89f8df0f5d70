"""The file of a job: its tables, and how it is created, opened and removed.

When a file is opened, its schema is compared with the tables below entry by entry.  A file with a trigger, a view, an index
or another column is refused, so that later queries touch plain tables only and run nothing that the file contains.
Checksums of each state, of each batch, of the record and of the counts detect a flipped bit.

One process at a time creates or removes files of a folder; it locks the folder if the system can.  Temporary files that are
found while the folder is locked are therefore left over from a crash.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import sqlite3
import stat
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from tablero.errors import JobError
from tablero.runs.values import Damaged

if sys.platform != "win32":
    import fcntl

SCHEMA = 1
APPLICATION = 0x74626C6F  # identifies jobs among SQLite files
MOST_CHECKED = 1 << 28  # bytes of a file up to which all its pages are checked when it is opened
_DEFENSIVE = 1010  # SQLITE_DBCONFIG_DEFENSIVE
TROUBLE = (sqlite3.Error, UnicodeError)  # the errors of SQLite; UnicodeError if it quotes a damaged file
_PATIENCE = 30.0  # seconds to wait for the lock of the folder
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_CANNOT_WRITE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)

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
# The columns of the two checksums of a job, in their order.
RECORD = ("recipe", "problem", "kernel", "digest", "version", "created")
COUNTS = ("digest", "nodes", "found", "best", "done", "lost", "wall", "cpu", "units", "kept")


class JobExists(JobError):
    """A job of this name exists already."""


class NoSuchJob(JobError):
    """There is no job of this name."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"there is no job {path.stem!r}: 'tablero jobs list' shows those there are")


def checksum(*parts: bytes | str | float | None) -> bytes:
    """A checksum of eight bytes of all parts."""
    found = hashlib.blake2b(digest_size=8)
    for part in parts:
        raw = part if isinstance(part, bytes) else repr(part).encode()
        found.update(len(raw).to_bytes(8, "little"))
        found.update(raw)
    return found.digest()


def make_tables(db: sqlite3.Connection) -> None:
    """Create the tables; called within a transaction."""
    for table in _TABLES:
        db.execute(table)
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {SCHEMA}")


def harden(db: sqlite3.Connection) -> None:
    """Set SQLite not to trust the content of the file; called before the first query."""
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA mmap_size = 0")
    set_config = getattr(db, "setconfig", None)  # since Python 3.12
    if set_config is not None:
        set_config(_DEFENSIVE, True)


def require_ours(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is not a job of this version, or is damaged.

    Raises
    ------
    JobError
        If the file is not a job, or has another schema.
    Damaged
        If its tables or pages are wrong.
    """
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
        raise JobError(f"{path} is not a tablero job")
    schema = db.execute("PRAGMA user_version").fetchone()[0]
    if schema != SCHEMA:
        raise JobError(f"{path} has schema {schema}, this version of tablero reads schema {SCHEMA}")
    ours = _entries()
    if _read_entries(db, len(ours) + 1) != ours:
        raise Damaged("its tables are not those of a tablero job")
    # Checking every page takes longer for larger files.  In a very large file, values are checked only when they are read.
    if sum(file.stat().st_size for file in (path, *side_files(path)) if file.exists()) <= MOST_CHECKED:
        verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise Damaged(str(verdict)[:200])
    if len(db.execute("SELECT one FROM job LIMIT 2").fetchall()) != 1:
        raise Damaged("it does not hold one job")


@cache
def _entries() -> tuple[tuple[Any, ...], ...]:
    """The schema of our tables as SQLite describes it."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        make_tables(db)
        return _read_entries(db, 100)


def _read_entries(db: sqlite3.Connection, most: int) -> tuple[tuple[Any, ...], ...]:
    rows = db.execute(
        "SELECT type, substr(name, 1, 100), substr(tbl_name, 1, 100), substr(sql, 1, 5000) FROM sqlite_master LIMIT ?",
        (most,),
    )
    return tuple(sorted(rows, key=repr))


def side_files(path: Path) -> list[Path]:
    """The files that SQLite keeps beside a database while it is in use, and after a crash."""
    return [path.with_name(path.name + ending) for ending in ("-wal", "-shm", "-journal")]


def make(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Create a job's file, readable only by its owner.

    Parameters
    ----------
    path
        The file; its folder is created if needed.
    fill
        Writes the tables, within a transaction.

    Raises
    ------
    JobExists
        If there is a job of this name.
    JobError
        If the file cannot be written.
    """
    try:
        if not path.parent.is_dir():
            path.parent.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.parent.mkdir(mode=0o700, exist_ok=True)
        with _only_one(path.parent) as locked:
            if os.path.lexists(path):
                raise JobExists(f"job {path.stem!r} exists already")
            # Side files of a job that was removed by hand after a crash must not be applied to the new one.
            for file in [*side_files(path), *(_scratch_files(path.parent) if locked else ())]:
                file.unlink(missing_ok=True)
            handle, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".new", dir=path.parent)  # mode 0600
            os.close(handle)
            scratch = Path(name)
            try:
                _write(scratch, fill)
                _publish(scratch, path)
            finally:
                for file in (scratch, *side_files(scratch)):
                    file.unlink(missing_ok=True)
    except (sqlite3.Error, OSError) as error:
        raise JobError(f"cannot write the job's file {path}: {getattr(error, 'strerror', None) or error}") from None


def _scratch_files(folder: Path) -> list[Path]:
    """Temporary files of processes that were killed while they created a job."""
    return [file for file in folder.iterdir() if re.search(r"\.job\.\w+\.new(-wal|-shm|-journal)?$", file.name)]


def _write(scratch: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    with closing(sqlite3.connect(scratch, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")  # set now, so that it need not be changed when the file is opened
        db.execute("BEGIN IMMEDIATE")
        fill(db)
        db.execute("COMMIT")


def _publish(scratch: Path, path: Path) -> None:
    """Give the file its name, unless another file has it."""
    try:
        os.link(scratch, path)
    except FileExistsError:
        raise JobExists(f"job {path.stem!r} exists already") from None
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV):
            raise
        # A file system without links: create the name first, so that only one of several processes continues.
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            raise JobExists(f"job {path.stem!r} exists already") from None
        scratch.replace(path)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """Write the folder to the disk, so that its names survive a power cut."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        with suppress(OSError):  # not possible everywhere, and not essential
            os.fsync(handle)
        os.close(handle)


@contextmanager
def _only_one(folder: Path) -> Iterator[bool]:
    """Lock the folder, so that no other process creates or removes jobs.  Yields False if the system has no such locks."""
    if sys.platform == "win32":
        yield False
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        locked, deadline = False, time.monotonic() + _PATIENCE
        with suppress(OSError):
            while not locked:
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    locked = True
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        raise JobError(f"another process has held the folder {folder} for {_PATIENCE:.0f} s") from None
                    time.sleep(0.01)
        yield locked
    finally:
        os.close(handle)


def remove(path: Path) -> None:
    """Delete a job's file, then its side files: in the other order a crash could leave a job without its latest data."""
    try:
        with _only_one(path.parent):
            for file in (path, *side_files(path)):
                file.unlink(missing_ok=True)
            _sync(path.parent)
    except OSError as error:
        raise JobError(f"cannot remove {path}: {error.strerror or error}") from None


def _require_file(path: Path) -> None:
    """Refuse a path that does not exist or is not a regular file: SQLite would wait forever at a pipe."""
    try:
        mode = path.stat().st_mode
    except PermissionError as error:
        raise JobError(f"{path} cannot be opened: {error.strerror}") from None
    except OSError:
        raise NoSuchJob(path) from None
    if not stat.S_ISREG(mode):
        raise JobError(f"{path} is not a regular file")


def connect(path: Path, *, write: bool, audit: bool = True) -> sqlite3.Connection:
    """Open a job's file.

    Parameters
    ----------
    path
        The file.
    write
        Whether it will be written to.
    audit
        Whether it is checked; unnecessary only for a file that was just created.

    Raises
    ------
    JobError
        If the file does not exist, is not a job, is damaged or cannot be opened.
    """
    _require_file(path)
    for file in side_files(path):
        # SQLite would follow a link to any place, and wait forever at a pipe.
        if os.path.lexists(file) and (file.is_symlink() or not file.is_file()):
            raise JobError(f"{file} is not a regular file, and SQLite needs that name: remove it first")
    db = None
    try:
        db = sqlite3.connect(_address_of(path, write), uri=True, timeout=10, isolation_level=None)
        harden(db)
        db.execute(f"PRAGMA query_only = {'OFF' if write else 'ON'}")
        if audit:
            require_ours(db, path)
        if write:
            if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
        return db
    except BaseException as error:
        # The traceback refers to unfinished queries, which would keep the file open.
        traceback.clear_frames(error.__traceback__)
        if db is not None:
            db.close()
        if isinstance(error, Damaged):
            raise damage(path, str(error)) from None
        if isinstance(error, TROUBLE):
            raise trouble(path, error) from None
        if isinstance(error, OSError):
            raise JobError(f"{path} cannot be opened: {error.strerror or error}") from None
        raise


def _address_of(path: Path, write: bool) -> str:
    """The address of the file for SQLite, with the mode to open it."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        mode = "mode=rw"  # also for reading: SQLite can then recover after a crash
    elif write:
        raise JobError(f"{path} cannot be written: the file, its folder or the file system is read-only")
    else:
        mode = "mode=ro" if any(file.exists() for file in side_files(path)) else "immutable=1"
    return f"{path.absolute().as_uri()}?{mode}"


def damage(where: Path | str, what: str) -> JobError:
    """The error for a damaged file."""
    return JobError(f"{where} is damaged ({what}): restore it from a copy, or remove the job")


def trouble(where: Path | str, error: Exception) -> JobError:
    """The error for an error of SQLite, in one line."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in _LOCKED:
        return JobError(f"{where} is locked by another process ({error})")
    if code == sqlite3.SQLITE_IOERR:
        return JobError(f"{where} cannot be read or written ({error})")
    if code in _CANNOT_WRITE:
        return JobError(f"{where} cannot be opened: the file, its folder or the file system is read-only ({error})")
    return damage(where, str(error))
