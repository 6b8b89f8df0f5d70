"""A job's file: made whole or not at all, opened only when it is what it should be, removed with all that belongs to it.

One process at a time makes or removes files of a folder (it locks the folder, where the system can): so what a crash has
left behind can be told from what another process is about to use.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import stat
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tablero.errors import JobError
from tablero.runs import schema
from tablero.runs.values import Damaged

if sys.platform != "win32":
    import fcntl

TROUBLE = (sqlite3.Error, UnicodeError)  # what SQLite raises; the latter where it quotes a damaged file
_PATIENCE = 30.0  # seconds to wait for the folder
_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_CANNOT_WRITE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)


class JobExists(JobError):
    """A job of this name has been made already."""


class NoSuchJob(JobError):
    """There is no job of this name."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"there is no job {path.stem!r}: 'tablero jobs list' shows those there are")


def make(path: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    """Make a job's file; `fill` writes its tables.  Only its owner may read it."""
    try:
        if not path.parent.is_dir():
            path.parent.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.parent.mkdir(mode=0o700, exist_ok=True)
        with _only_one(path.parent) as locked:
            if os.path.lexists(path):
                raise JobExists(f"job {path.stem!r} exists already")
            # A job of this name that was removed by hand after a crash must not come back to life.
            for file in [*schema.side_files(path), *(_scratch_files(path.parent) if locked else ())]:
                file.unlink(missing_ok=True)
            handle, name = tempfile.mkstemp(prefix=f"{path.name}.", suffix=".new", dir=path.parent)  # mode 0600
            os.close(handle)
            scratch = Path(name)
            try:
                _write(scratch, fill)
                _publish(scratch, path)
            finally:
                for file in (scratch, *schema.side_files(scratch)):
                    file.unlink(missing_ok=True)
    except sqlite3.Error as error:
        raise JobError(f"cannot write the job's file {path}: {error}") from None
    except OSError as error:
        raise JobError(f"cannot write the job's file {path}: {error.strerror or error}") from None


def _scratch_files(folder: Path) -> list[Path]:
    """What processes that were killed while they made a file have left."""
    return [file for file in folder.iterdir() if re.search(r"\.job\.\w+\.new(-wal|-shm|-journal)?$", file.name)]


def _write(scratch: Path, fill: Callable[[sqlite3.Connection], None]) -> None:
    db = sqlite3.connect(scratch, isolation_level=None)
    try:
        db.execute("PRAGMA journal_mode = WAL")  # now, so that those who open the file need not change it
        db.execute("BEGIN IMMEDIATE")
        fill(db)
        db.execute("COMMIT")
    finally:
        db.close()


def _publish(scratch: Path, path: Path) -> None:
    """Give the file its name, unless another has it."""
    try:
        os.link(scratch, path)
    except FileExistsError:
        raise JobExists(f"job {path.stem!r} exists already") from None
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV):
            raise
        # A file system without links: the name is taken first, so that of several only one goes on.
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            raise JobExists(f"job {path.stem!r} exists already") from None
        scratch.replace(path)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    """Names survive a power cut, too."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        except OSError:  # not everywhere possible, and not worth failing for
            pass
        finally:
            os.close(handle)


@contextmanager
def _only_one(folder: Path) -> Iterator[bool]:
    """Whether this process alone now makes or removes files of the folder: not where the system has no such locks."""
    if sys.platform == "win32":
        yield False
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        yield _lock(handle, folder)
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path) -> bool:
    if sys.platform == "win32":
        return False
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise JobError(f"another process has held the folder {folder} for {_PATIENCE:.0f} s") from None
            time.sleep(0.01)
        except OSError:
            return False


def remove(path: Path) -> None:
    """Delete a job's file, then what SQLite keeps beside it: never the other way round, which would lose what it holds."""
    try:
        with _only_one(path.parent):
            for file in (path, *schema.side_files(path)):
                file.unlink(missing_ok=True)
            _sync(path.parent)
    except OSError as error:
        raise JobError(f"cannot remove {path}: {error.strerror or error}") from None


def _require_file(path: Path) -> None:
    """Refuse what is not there, or is no file: SQLite would wait for ever at a pipe."""
    try:
        mode = path.stat().st_mode
    except PermissionError as error:
        raise JobError(f"{path} cannot be opened: {error.strerror}") from None
    except OSError:
        raise NoSuchJob(path) from None
    if not stat.S_ISREG(mode):
        raise JobError(f"{path} is no regular file")


def connect(path: Path, *, write: bool, audit: bool = True) -> sqlite3.Connection:
    """Open a job's file; refuse a file that is not a job or is damaged.  Only a file that was just made needs no audit."""
    _require_file(path)
    for file in schema.side_files(path):
        # SQLite would follow a link to anywhere, and wait for ever at a pipe.
        if os.path.lexists(file) and (file.is_symlink() or not file.is_file()):
            raise JobError(f"{file} is no plain file, and SQLite keeps its own there: remove it first")
    db = None
    try:
        how = _how(path, write)
        db = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=10, isolation_level=None)
        schema.harden(db)
        db.execute(f"PRAGMA query_only = {'OFF' if write else 'ON'}")
        if audit:
            size = sum(file.stat().st_size for file in (path, *schema.side_files(path)) if file.exists())
            schema.require_ours(db, size)
        if write:
            if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
        return db
    except BaseException as error:
        # Queries that were broken off still hang on the traceback, and would keep the file open beyond its closing.
        traceback.clear_frames(error.__traceback__)
        if db is not None:
            db.close()
        if isinstance(error, Damaged):
            raise damage(path, str(error)) from None
        if isinstance(error, schema.NotOurs):
            raise JobError(f"{path} {error}") from None
        if isinstance(error, TROUBLE):
            raise trouble(path, error) from None
        if isinstance(error, OSError):
            raise JobError(f"{path} cannot be opened: {error.strerror or error}") from None
        raise


def _how(path: Path, write: bool) -> str:
    """The way to open a file that SQLite is told."""
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        return "mode=rw"  # also to read: SQLite then tidies up after a crash
    if write:
        raise JobError(f"{path} cannot be written: the file, its folder or the file system is read-only")
    journal = schema.side_files(path)
    return "mode=ro" if any(file.exists() for file in journal) else "immutable=1"


def damage(where: Path | str, what: str) -> JobError:
    """A file that cannot be used, in one line."""
    return JobError(f"{where} is damaged ({what}): restore it from a copy, or remove the job")


def trouble(where: Path | str, error: Exception) -> JobError:
    """What SQLite complains of, in one line."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in _LOCKED:
        return JobError(f"{where} is locked by another process ({error})")
    if code == sqlite3.SQLITE_IOERR:
        return JobError(f"{where} cannot be read or written ({error})")
    if code in _CANNOT_WRITE:
        return JobError(f"{where} cannot be opened: the file, its folder or the file system is read-only ({error})")
    return damage(where, str(error))
