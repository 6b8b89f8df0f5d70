"""The store of a job: one SQLite file a job, or memory for a search that need not survive.

    unit      a piece of the search: a state, ready or leased to the coordinator of an epoch
    epoch     a number that grows with every start of a coordinator; only the newest may write
    batch     the answers that one unit brought

Contract.  A Store belongs to one coordinator and one thread, and is the only writer.  These always hold, because each of
its methods that writes is one transaction:
- the units are just what is left of the search, nothing twice and nothing missing;
- a unit's counts, its answers and the units that follow from it are written together, or none of them;
- what a coordinator of an older epoch brings is refused, so every node is counted exactly once;
- a job that a living coordinator works on is left to it.

A job belongs to the process that made its file, or took it over, until its coordinator leaves; one that is held, until its
store is closed, however long kernels are compiled or the next search is made.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.errors import JobError
from tablero.runs import jobfile, values
from tablero.runs.answers import MARGIN, format_size, free_space, pieces, scratch_folder
from tablero.runs.jobfile import CARD, COUNTS, checksum, make_tables
from tablero.runs.process import Heartbeat, Owner, this_process
from tablero.runs.record import MOST_TRIES, Counts, JobInfo, Record
from tablero.runs.values import Damaged
from tablero.search.trace import Point, thinned

_PUT_COUNTS = f"UPDATE job SET {', '.join(f'{name} = ?' for name in (*COUNTS[1:], 'counts_sum', 'seen'))}"

_CACHE = 1 << 26  # bytes of a search that need not survive which are kept in memory
_LOOK = 1 << 25  # bytes of answers between two looks at the disk


class Unit(NamedTuple):
    """A leased piece of work."""

    id: int
    state: bytes
    tries: int


class Store(Record):
    """See the head of this module."""

    epoch = 0
    _owned = False  # whether it is written down that this process has the job
    _heartbeat: Heartbeat | None = None  # of a job that is held
    _unchecked = 0  # bytes of answers since the disk was last looked at

    @classmethod
    def create(
        cls,
        path: Path | None,
        info: JobInfo,
        starts: Sequence[tuple[bytes, float]],
        owner: Owner | None = None,
    ) -> Store:
        """A new job with its first units, each with its share of the work.  It is there whole or not at all.

        From its first moment it belongs to its owner, where there is one: this process.
        """
        recipe, problem = json.dumps(info.recipe), values.pack(info.problem)
        fixed = (recipe, problem, info.kernel, info.digest, info.version, time.time())
        counts = Counts(units=len(starts)).stored()
        epoch = int(owner is not None)

        def fill(db: sqlite3.Connection) -> None:
            make_tables(db)
            sums = (checksum(*fixed), checksum(info.digest, *counts))
            row = (info.name, *fixed, sums[0], *counts, sums[1], epoch, *(owner or Owner()))
            names = ", ".join(("name", *CARD, "card_sum", *COUNTS[1:], "counts_sum", "epoch", *Owner._fields))
            marks = ", ".join("?" * len(row))
            db.execute(f"INSERT INTO job (one, workers, speed, {names}) VALUES (1, 0, 0, {marks})", row)
            _insert_units(db, info.digest, starts)

        if path is not None:
            jobfile.make(path, fill)
            made = cls(jobfile.connect(path, write=True, audit=False), path)
            made._owned, made.epoch = owner is not None, epoch
            return made
        # A file without a name, which is written only when it grows beyond SQLite's cache; findings may change threads.
        db = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        db.execute(f"PRAGMA cache_size = -{_CACHE >> 10}")
        db.execute("PRAGMA journal_mode = MEMORY")
        store = cls(db, None)
        with store._transaction():
            fill(store._db)
        return store

    @classmethod
    def open(cls, path: Path) -> Store:
        """An existing job, to go on with; a file that is not one, is of another schema or is damaged is refused."""
        return cls(jobfile.connect(path, write=True), path)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing: a full disk or a locked file raises a JobError of one line, and the last good state stays."""
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
        except Damaged as error:
            raise self.damaged(str(error)) from None
        except jobfile.TROUBLE as error:
            raise JobError(
                f"the job's store {self._where} cannot be written ({error}); what it holds is kept"
            ) from None

    def together(self) -> AbstractContextManager[None]:
        """What is written inside is one transaction: a disk that must be waited for is waited for once."""
        return self._transaction()

    def _put_counts(self, counts: Counts, digest: str) -> None:
        """Write the counts, and with them a heartbeat."""
        stored = counts.stored()
        self._db.execute(_PUT_COUNTS, (*stored, checksum(digest, *stored), time.time()))

    # What the coordinator writes

    def take_over(self) -> None:
        """Begin an epoch, unless this store has the newest: older coordinators can write no more.

        All units that are leased are ready again.
        """
        with self._transaction():
            newest = values.whole("the epoch", self._job("epoch")[0])
            if not (self._owned and self.epoch == newest):
                self.require_idle()
                self._owned, self.epoch = True, newest + 1
                self._db.execute(
                    "UPDATE job SET epoch = ?, pid = ?, host = ?, birth = ?, seen = ?", (self.epoch, *this_process())
                )
            self._db.execute("UPDATE unit SET epoch = NULL WHERE epoch NOT NULL")

    def hold(self) -> None:
        """Keep the job for this process until the store is closed, with heartbeats meanwhile."""
        if self._heartbeat is None and self._path is not None:
            self._heartbeat = Heartbeat(self._path)

    def close(self) -> None:
        """Let go of the job, if it is still this one's."""
        if self._heartbeat is not None:
            self._heartbeat.end()
            self._heartbeat = None
        if self._owned:
            with suppress(JobError):  # another has taken it over, or the disk is full: then its last heartbeat must do
                self.leave()
        super().close()

    def retry_quarantined(self) -> None:
        """Quarantined units are ready again."""
        with self._transaction():
            self.require_idle()
            self._db.execute("UPDATE unit SET tries = 0 WHERE epoch IS NULL AND tries >= ?", (MOST_TRIES,))

    def rewrite_recipe(self, recipe: dict[str, Any]) -> None:
        """The same search goes on, but what is wanted of it has changed."""
        with self._transaction():
            self.require_idle()
            _, *fixed = self._job("recipe", *CARD[1:])
            self._put_info(json.dumps(recipe), *fixed)

    def _put_info(self, *fixed: Any) -> None:
        names = ", ".join(f"{name} = ?" for name in (*CARD, "card_sum"))
        self._db.execute(f"UPDATE job SET {names}", (*fixed, checksum(*fixed)))

    def begin_anew(
        self, recipe: dict[str, Any], kernel: str, digest: str, starts: Sequence[tuple[bytes, float]]
    ) -> None:
        """Another search takes the place of this one, in one transaction: its units and counts begin afresh.

        Only where this one is over without an answer: another coordinator may have gone on meanwhile.
        """
        with self._transaction():
            self.require_idle()
            totals = self.totals()
            if not totals.finished or totals.found:
                raise JobError("another coordinator has taken this job over; this one stops")
            self.take_over()
            for table in ("unit", "batch", "trace"):
                self._db.execute(f"DELETE FROM {table}")
            _, problem, _, _, version, created = self._job(*CARD)
            self._put_info(json.dumps(recipe), problem, kernel, digest, version, created)
            self._put_counts(Counts(units=len(starts)), digest)
            _insert_units(self._db, digest, starts)

    def lease(self, most: int) -> list[Unit]:
        """Up to so many ready units, those with most work first."""
        with self._transaction():
            self._check_epoch()
            digest = self._digest
            rows = self._db.execute(
                "SELECT id, state, share, sum, tries FROM unit WHERE epoch IS NULL AND tries < ?"
                " ORDER BY share DESC, id LIMIT ?",
                (MOST_TRIES, most),
            ).fetchall()
            units = []
            for number, state, share, stored, tries in rows:
                what = f"unit {values.whole('the number of a unit', number, -(2**63), 2**63)}"
                values.real(f"the share of {what}", share, most=1.0)
                self._check_sum(what, stored, digest, values.blob(f"the state of {what}", state), share)
                units.append(Unit(number, state, values.whole(f"how often {what} was lost", tries)))
            self._db.executemany("UPDATE unit SET epoch = ? WHERE id = ?", [(self.epoch, unit.id) for unit in units])
        return units

    def commit(
        self,
        unit: Unit,
        nodes: int,
        found: int,
        answers: NDArray[np.int32],
        successors: Sequence[tuple[bytes, float]],
        cpu: float,
        best: int | None = None,
        trace: Sequence[Point] = (),
    ) -> None:
        """A unit's results and what follows from it.  With `best`, its answers replace those there are."""
        with self._transaction():
            self._check_epoch()
            gone = self._db.execute("DELETE FROM unit WHERE id = ? AND epoch = ?", (unit.id, self.epoch))
            if gone.rowcount != 1:
                raise JobError(f"unit {unit.id} was not leased in epoch {self.epoch}")
            counts, digest = self._counts()
            if best is not None:
                self._db.execute("DELETE FROM batch")
                counts = counts._replace(best=int(best), found=0, kept=0)
            if len(answers):
                self._require_room(answers.nbytes)
            for piece in pieces(answers):
                row = (unit.state, *piece.shape, np.ascontiguousarray(piece, "<i4").tobytes())
                self._db.execute(
                    "INSERT INTO batch (start, count, width, body, sum) VALUES (?, ?, ?, ?, ?)",
                    (*row, checksum(digest, *row)),
                )
            _insert_units(self._db, digest, successors)
            self._put_counts(
                counts._replace(
                    nodes=counts.nodes + int(nodes),
                    found=counts.found + int(found),
                    done=counts.done + 1,
                    cpu=counts.cpu + float(cpu),
                    units=counts.units - 1 + len(successors),
                    kept=counts.kept + len(answers),
                ),
                digest,
            )
            if trace:
                self._add_trace(trace)

    def _add_trace(self, points: Sequence[Point]) -> None:
        """Where a search was; of the points there are the last may be one that was not due."""
        last = self._db.execute("SELECT trials, temperature, cost FROM trace ORDER BY trials DESC LIMIT 2").fetchall()
        known = [Point(*row) for row in reversed(last)]
        self._db.executemany("DELETE FROM trace WHERE trials = ?", [(point.trials,) for point in known])
        self._db.executemany("INSERT OR REPLACE INTO trace VALUES (?, ?, ?)", thinned([*known, *points]))

    def _require_room(self, size: int) -> None:
        """Say so when the disk is nearly full: the search stops in good order, with what it has found."""
        self._unchecked += size
        if self._unchecked >= _LOOK:
            self._unchecked = 0
            folder = scratch_folder() if self._path is None else self._path.parent
            free = free_space(folder)
            if free < MARGIN:
                self.full = f"stopped, because {folder} is nearly full: {format_size(free)} are free"

    def give_back(self, unit: Unit, losses: int) -> None:
        """A unit that brought nothing is ready again; the workers that it has cost count against it."""
        with self._transaction():
            self._check_epoch()
            self._db.execute(
                "UPDATE unit SET epoch = NULL, tries = tries + ? WHERE id = ? AND epoch = ?",
                (losses, unit.id, self.epoch),
            )
            counts, digest = self._counts()
            self._put_counts(counts._replace(lost=counts.lost + losses), digest)

    def add_time(self, wall: float, cpu: float = 0.0) -> None:
        """Seconds of searching, and those of a processor that this coordinator itself has used; also a heartbeat.

        They are less than nothing where earlier ones turn out to have been spent beside the search.
        """
        with self._transaction():
            self._check_epoch()
            counts, digest = self._counts()
            self._put_counts(
                counts._replace(wall=max(0.0, counts.wall + float(wall)), cpu=counts.cpu + float(cpu)), digest
            )

    def put_speed(self, workers: int, speed: float) -> None:
        """How many work on it now, and how many nodes a second they visit."""
        with self._transaction():
            self._check_epoch()
            self._db.execute("UPDATE job SET workers = ?, speed = ?", (workers, speed))

    def leased(self) -> set[int]:
        """The numbers of the units that this coordinator has."""
        return {number for (number,) in self._db.execute("SELECT id FROM unit WHERE epoch = ?", (self.epoch,))}

    def leave(self) -> None:
        """The coordinator stops in good order; what it did not bring back is ready again, unless held for another."""
        with self._transaction():
            self._check_epoch()
            self._db.execute("UPDATE unit SET epoch = NULL WHERE epoch NOT NULL")
            self._db.execute("UPDATE job SET workers = 0, speed = 0")
            if self._heartbeat is None:
                self._db.execute("UPDATE job SET pid = NULL, host = NULL, birth = NULL, seen = NULL")
        self._owned = self._heartbeat is not None

    def _check_epoch(self) -> None:
        if self._job("epoch")[0] != self.epoch:
            raise JobError("another coordinator has taken this job over; this one stops")


def _insert_units(db: sqlite3.Connection, digest: str, units: Sequence[tuple[bytes, float]]) -> None:
    rows = ((state, float(share), checksum(digest, state, float(share))) for state, share in units)
    db.executemany("INSERT INTO unit (state, share, sum) VALUES (?, ?, ?)", rows)
