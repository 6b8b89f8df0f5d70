"""The books of a job: one SQLite file a job, or memory for a search that need not survive.

    unit      a piece of the search: a state, ready or leased to the coordinator of an epoch
    epoch     a number that grows with every start of a coordinator; only the newest may write
    batch     the answers that one unit brought

Contract.  A Store belongs to one coordinator and one thread, and is the only writer.  These always hold, because each of
its methods that writes is one transaction:
- the units are just what is left of the search, nothing twice and nothing missing;
- a unit's counts, its answers and the units that follow from it are written together, or none of them;
- what a coordinator of an older epoch brings is refused, so every node is counted exactly once.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero import __version__
from tablero.errors import JobError

SCHEMA = 1
APPLICATION = 0x74626C6F  # tells our files from other SQLite files
MOST_TRIES = 3  # a unit that is lost so often is set aside

_TABLES = """
CREATE TABLE job (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    name TEXT NOT NULL, recipe TEXT NOT NULL, problem BLOB NOT NULL,
    kernel TEXT NOT NULL, digest TEXT NOT NULL, version TEXT NOT NULL, created REAL NOT NULL,
    epoch INTEGER NOT NULL, pid INTEGER, host TEXT, seen REAL,
    nodes INTEGER NOT NULL, found TEXT NOT NULL, best INTEGER,
    done INTEGER NOT NULL, lost INTEGER NOT NULL, wall REAL NOT NULL, cpu REAL NOT NULL,
    workers INTEGER NOT NULL, speed REAL NOT NULL);
CREATE TABLE unit (
    id INTEGER PRIMARY KEY, state BLOB NOT NULL, share REAL NOT NULL,
    epoch INTEGER, tries INTEGER NOT NULL DEFAULT 0);
CREATE TABLE batch (
    id INTEGER PRIMARY KEY, start BLOB NOT NULL, count INTEGER NOT NULL, width INTEGER NOT NULL, body BLOB NOT NULL);
"""


class Card(NamedTuple):
    """What a job is: fixed when it is made."""

    name: str
    recipe: dict[str, Any]  # how its family makes the search again
    problem: bytes  # as its family writes it down
    kernel: str
    digest: str
    version: str = __version__
    created: float = 0.0


class Unit(NamedTuple):
    """A leased piece of work."""

    id: int
    state: bytes
    tries: int


@dataclass(frozen=True)
class Totals:
    """Where a job stands."""

    nodes: int
    found: int
    best: int | None
    ready: int
    leased: int
    aside: int
    done: int
    lost: int
    fraction: float
    seconds: float
    cpu_seconds: float
    workers: int  # at the last sign of life
    speed: float  # nodes a second then

    @property
    def finished(self) -> bool:
        return self.ready == self.leased == self.aside == 0


class Store:
    """See the head of this module."""

    def __init__(self, connection: sqlite3.Connection, where: str) -> None:
        self._db = connection
        self._where = where
        self.epoch = 0

    @classmethod
    def create(cls, path: Path | None, card: Card, starts: Sequence[tuple[bytes, float]]) -> Store:
        """A new job with its first units, each with its share of the work.

        The file is written under another name and then moved: a job is there whole or not at all.
        """
        where = "memory" if path is None else str(path)
        try:
            scratch = None
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                if path.exists():
                    raise JobError(f"job {card.name!r} exists already")
                scratch = path.with_name(f"{path.name}.{os.getpid()}.new")
                scratch.unlink(missing_ok=True)
            db = sqlite3.connect(scratch or ":memory:", isolation_level=None)
            store = cls(db, where)
            with store._transaction():
                for statement in filter(str.strip, _TABLES.split(";")):
                    db.execute(statement)
                db.execute(f"PRAGMA application_id = {APPLICATION}")
                db.execute(f"PRAGMA user_version = {SCHEMA}")
                db.execute(
                    "INSERT INTO job VALUES (1, ?, ?, ?, ?, ?, ?, ?, 0, NULL, NULL, NULL, 0, '0', NULL, 0, 0, 0, 0, 0, 0)",
                    (card.name, json.dumps(card.recipe), zlib.compress(card.problem), *card[3:6], time.time()),
                )
                db.executemany("INSERT INTO unit (state, share) VALUES (?, ?)", starts)
            if path is not None and scratch is not None:
                db.close()
                scratch.replace(path)
                return cls.open(path)
        except (OSError, sqlite3.Error) as error:
            raise JobError(f"cannot write the job's store {where}: {error}") from None
        return store

    @classmethod
    def open(cls, path: Path) -> Store:
        """An existing job; a file that is not one, is of another schema or is damaged is refused."""
        if not path.is_file():
            raise JobError(f"there is no job {path.stem!r}: 'tablero jobs list' shows those there are")
        try:
            db = _connect(str(path))
            application = db.execute("PRAGMA application_id").fetchone()[0]
            schema = db.execute("PRAGMA user_version").fetchone()[0]
            if application != APPLICATION:
                raise JobError(f"{path} is not a tablero job")
            if schema != SCHEMA:
                raise JobError(f"{path} has schema {schema}, this version of tablero reads {SCHEMA}")
            verdict = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if verdict != "ok" or db.execute("SELECT count(*) FROM job").fetchone()[0] != 1:
                raise JobError(f"{path} is damaged ({verdict}): restore it from a copy, or remove the job")
        except sqlite3.Error as error:
            raise JobError(f"{path} is damaged or locked ({error})") from None
        return cls(db, str(path))

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing; a full disk or a locked file is told in one line, and the last good state stays."""
        if self._db.in_transaction:  # part of a larger one
            yield
            return
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise JobError(
                f"the job's store {self._where} cannot be written ({error}); what it holds is kept"
            ) from None

    def together(self) -> AbstractContextManager[None]:
        """What is written inside is one transaction: a disk that must be waited for is waited for once."""
        return self._transaction()

    @property
    def card(self) -> Card:
        row = self._db.execute("SELECT name, recipe, problem, kernel, digest, version, created FROM job").fetchone()
        try:
            return Card(row[0], json.loads(row[1]), zlib.decompress(row[2]), *row[3:])
        except (ValueError, zlib.error) as error:
            raise JobError(f"{self._where} is damaged ({error})") from None

    def totals(self) -> Totals:
        nodes, found, best, done, lost, wall, cpu, workers, speed = self._db.execute(
            "SELECT nodes, found, best, done, lost, wall, cpu, workers, speed FROM job"
        ).fetchone()
        ready, leased, aside, left = self._db.execute(
            "SELECT count(*) FILTER (WHERE epoch IS NULL AND tries < ?1), count(*) FILTER (WHERE epoch NOT NULL),"
            " count(*) FILTER (WHERE epoch IS NULL AND tries >= ?1), total(share) FROM unit",
            (MOST_TRIES,),
        ).fetchone()
        # Sums of floats do not meet 1 exactly; "nothing is left" does.
        fraction = 1.0 if ready + leased + aside == 0 else min(max(0.0, 1.0 - left), 1.0 - 1e-9)
        return Totals(nodes, int(found), best, ready, leased, aside, done, lost, fraction, wall, cpu, workers, speed)

    def owner(self) -> tuple[int | None, str | None, float | None]:
        """Process, host and last sign of life of the newest coordinator."""
        row = self._db.execute("SELECT pid, host, seen FROM job").fetchone()
        return row[0], row[1], row[2]

    # What the coordinator writes

    def take_over(self) -> None:
        """Begin an epoch: older coordinators can write no more, and what they had leased is ready again."""
        with self._transaction():
            self.epoch = self._db.execute("SELECT epoch FROM job").fetchone()[0] + 1
            self._db.execute(
                "UPDATE job SET epoch = ?, pid = ?, host = ?, seen = ?",
                (self.epoch, os.getpid(), socket.gethostname(), time.time()),
            )
            self._db.execute("UPDATE unit SET epoch = NULL WHERE epoch NOT NULL")

    def retry_aside(self) -> None:
        """Units that were set aside are ready again."""
        with self._transaction():
            self._db.execute("UPDATE unit SET tries = 0 WHERE epoch IS NULL AND tries >= ?", (MOST_TRIES,))

    def rewrite_recipe(self, recipe: dict[str, Any]) -> None:
        """The same search goes on, but what is wanted of it has changed."""
        with self._transaction():
            self._db.execute("UPDATE job SET recipe = ?", (json.dumps(recipe),))

    def begin_anew(
        self, recipe: dict[str, Any], kernel: str, digest: str, starts: Sequence[tuple[bytes, float]]
    ) -> None:
        """Another search takes the place of this one, in one transaction: its units and counts begin afresh."""
        with self._transaction():
            for table in ("unit", "batch"):
                self._db.execute(f"DELETE FROM {table}")
            self._db.execute(
                "UPDATE job SET recipe = ?, kernel = ?, digest = ?, nodes = 0, found = '0', best = NULL,"
                " done = 0, lost = 0, wall = 0, cpu = 0",
                (json.dumps(recipe), kernel, digest),
            )
            self._db.executemany("INSERT INTO unit (state, share) VALUES (?, ?)", starts)

    def lease(self, most: int) -> list[Unit]:
        """Up to so many ready units, those with most work first."""
        with self._transaction():
            self._check_epoch()
            rows = self._db.execute(
                "SELECT id, state, tries FROM unit WHERE epoch IS NULL AND tries < ? ORDER BY share DESC, id LIMIT ?",
                (MOST_TRIES, most),
            ).fetchall()
            self._db.executemany("UPDATE unit SET epoch = ? WHERE id = ?", [(self.epoch, row[0]) for row in rows])
        return [Unit(*row) for row in rows]

    def commit(
        self,
        unit: Unit,
        nodes: int,
        found: int,
        answers: NDArray[np.int32],
        successors: Sequence[tuple[bytes, float]],
        cpu: float,
        best: int | None = None,
    ) -> None:
        """A unit's results and what follows from it.  With `best`, its answers replace those there are."""
        with self._transaction():
            self._check_epoch()
            gone = self._db.execute("DELETE FROM unit WHERE id = ? AND epoch = ?", (unit.id, self.epoch))
            if gone.rowcount != 1:
                raise JobError(f"unit {unit.id} was not leased in epoch {self.epoch}")
            if best is not None:
                self._db.execute("DELETE FROM batch")
                self._db.execute("UPDATE job SET best = ?, found = '0'", (best,))
            if len(answers):
                self._db.execute(
                    "INSERT INTO batch (start, count, width, body) VALUES (?, ?, ?, ?)",
                    (unit.state, *answers.shape, np.ascontiguousarray(answers, "<i4").tobytes()),
                )
            self._db.executemany("INSERT INTO unit (state, share) VALUES (?, ?)", successors)
            before = int(self._db.execute("SELECT found FROM job").fetchone()[0])
            self._db.execute(
                "UPDATE job SET nodes = nodes + ?, found = ?, done = done + 1, cpu = cpu + ?, seen = ?",
                (nodes, str(before + found), cpu, time.time()),
            )

    def give_back(self, unit: Unit, losses: int) -> None:
        """A unit that brought nothing is ready again; the workers that it has cost count against it."""
        with self._transaction():
            self._check_epoch()
            self._db.execute(
                "UPDATE unit SET epoch = NULL, tries = tries + ? WHERE id = ? AND epoch = ?",
                (losses, unit.id, self.epoch),
            )
            self._db.execute("UPDATE job SET lost = lost + ?, seen = ?", (losses, time.time()))

    def add_time(self, wall: float, workers: int = 0, speed: float = 0.0) -> None:
        """Seconds that this coordinator has worked, with how many workers and how fast; also a sign of life."""
        with self._transaction():
            self._check_epoch()
            self._db.execute(
                "UPDATE job SET wall = wall + ?, workers = ?, speed = ?, seen = ?", (wall, workers, speed, time.time())
            )

    def leave(self) -> None:
        """The coordinator stops in good order."""
        with self._transaction():
            self._check_epoch()
            self._db.execute("UPDATE job SET pid = NULL, host = NULL, seen = NULL, workers = 0, speed = 0")

    def _check_epoch(self) -> None:
        newest = self._db.execute("SELECT epoch FROM job").fetchone()[0]
        if newest != self.epoch:
            raise JobError("another coordinator has taken this job over; this one stops")

    def batches(self) -> Iterator[tuple[bytes, NDArray[np.int32]]]:
        """The answers with the state of the unit that found them."""
        for start, count, width, body in self._db.execute("SELECT start, count, width, body FROM batch ORDER BY id"):
            yield start, np.frombuffer(body, "<i4").reshape(count, width).astype(np.int32)


def _connect(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=10, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    return db
