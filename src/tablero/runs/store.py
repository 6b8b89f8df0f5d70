"""The store of a search: a SQLite file for a job, or memory for a search that need not survive.

    unit      a piece of the search: a state that is ready, or leased to the coordinator of an epoch
    epoch     a number that grows with every start of a coordinator; only the newest may write
    batch     the answers of one unit

Contract.  A Store belongs to one coordinator and one thread, and is the only writer.  The following always hold, because
each method that writes is one transaction:
- the units are exactly what is left of the search, without gaps and overlaps;
- the counts, answers and successors of a unit are written together, or none of them;
- results of a coordinator of an older epoch are refused, so every node is counted exactly once;
- a job that another running coordinator works on is refused.

A job belongs to the process that made its file or took it over, until its coordinator leaves.  A job that is held belongs to
the process until its store is closed, also while kernels are compiled or the next search is made.
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
from tablero.runs.jobfile import COUNTS, RECORD, checksum, make_tables
from tablero.runs.process import Heartbeat, Owner, this_process
from tablero.runs.record import MOST_TRIES, Counts, JobInfo, Record
from tablero.runs.values import Damaged
from tablero.search.trace import Point, thinned

_PUT_COUNTS = f"UPDATE job SET {', '.join(f'{name} = ?' for name in (*COUNTS[1:], 'counts_sum', 'seen'))}"

_CACHE = 1 << 26  # bytes of a store without a file that are kept in memory
_LOOK = 1 << 25  # bytes of answers between two checks of the disk


class Unit(NamedTuple):
    """A leased piece of work."""

    id: int
    state: bytes
    tries: int


class Store(Record):
    """The store of a search; the docstring of this module has its contract."""

    epoch = 0
    _owned = False  # whether the file says that this process owns the job
    _heartbeat: Heartbeat | None = None  # of a job that is held
    _unchecked = 0  # bytes of answers since the last check of the disk

    @classmethod
    def create(
        cls,
        path: Path | None,
        info: JobInfo,
        starts: Sequence[tuple[bytes, float]],
        owner: Owner | None = None,
    ) -> Store:
        """Create a job, completely or not at all.

        Parameters
        ----------
        path
            The file; None for a store in memory.
        info
            What the job is.
        starts
            The states of the first units, each with its share of the work.
        owner
            This process, if it owns the job from the beginning.
        """
        recipe, problem = json.dumps(info.recipe), values.pack(info.problem)
        fixed = (recipe, problem, info.kernel, info.digest, info.version, time.time())
        counts = Counts(units=len(starts)).stored()
        epoch = int(owner is not None)

        def fill(db: sqlite3.Connection) -> None:
            make_tables(db)
            sums = (checksum(*fixed), checksum(info.digest, *counts))
            row = (info.name, *fixed, sums[0], *counts, sums[1], epoch, *(owner or Owner()))
            names = ", ".join(("name", *RECORD, "card_sum", *COUNTS[1:], "counts_sum", "epoch", *Owner._fields))
            marks = ", ".join("?" * len(row))
            db.execute(f"INSERT INTO job (one, workers, speed, {names}) VALUES (1, 0, 0, {marks})", row)
            _insert_units(db, info.digest, starts)

        if path is not None:
            jobfile.make(path, fill)
            made = cls(jobfile.connect(path, write=True, audit=False), path)
            made._owned, made.epoch = owner is not None, epoch
            return made
        # An unnamed file, which SQLite writes only beyond its cache.  Findings may be used in another thread.
        db = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        db.execute(f"PRAGMA cache_size = -{_CACHE >> 10}")
        db.execute("PRAGMA journal_mode = MEMORY")
        store = cls(db, None)
        with store._transaction():
            fill(store._db)
        return store

    @classmethod
    def open(cls, path: Path) -> Store:
        """Open an existing job to continue it.

        Raises
        ------
        JobError
            If the file is not a job, has another schema or is damaged.
        """
        return cls(jobfile.connect(path, write=True), path)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Write all or nothing: a full disk or a locked file raises a JobError, and the last state stays."""
        if self._db.in_transaction:  # part of a larger transaction
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
        """Make one transaction of all that is written in the block, as each transaction waits for the disk."""
        return self._transaction()

    def _put_counts(self, counts: Counts, digest: str) -> None:
        """Write the counts and a heartbeat."""
        stored = counts.stored()
        self._db.execute(_PUT_COUNTS, (*stored, checksum(digest, *stored), time.time()))

    # What the coordinator writes

    def take_over(self) -> None:
        """Begin an epoch unless this store has the newest; older coordinators can no longer write.

        All leased units become ready.
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
        """Keep the job for this process until the store is closed; a thread writes heartbeats."""
        if self._heartbeat is None and self._path is not None:
            self._heartbeat = Heartbeat(self._path)

    def close(self) -> None:
        """Close the store and release the job, if this process still owns it."""
        if self._heartbeat is not None:
            self._heartbeat.end()
            self._heartbeat = None
        if self._owned:
            with suppress(JobError):  # if another has taken over or the disk is full, the last heartbeat expires
                self.leave()
        super().close()

    def retry_quarantined(self) -> None:
        """Make quarantined units ready."""
        with self._transaction():
            self.require_idle()
            self._db.execute("UPDATE unit SET tries = 0 WHERE epoch IS NULL AND tries >= ?", (MOST_TRIES,))

    def rewrite_recipe(self, recipe: dict[str, Any]) -> None:
        """Store another recipe for the same search, for example with another number of answers."""
        with self._transaction():
            self.require_idle()
            _, *fixed = self._job("recipe", *RECORD[1:])
            self._put_info(json.dumps(recipe), *fixed)

    def _put_info(self, *fixed: Any) -> None:
        names = ", ".join(f"{name} = ?" for name in (*RECORD, "card_sum"))
        self._db.execute(f"UPDATE job SET {names}", (*fixed, checksum(*fixed)))

    def begin_anew(
        self, recipe: dict[str, Any], kernel: str, digest: str, starts: Sequence[tuple[bytes, float]]
    ) -> None:
        """Replace this search by another one, with new units and counts, in one transaction.

        This is refused unless the search is complete and found no answer, as another coordinator may have continued it.
        """
        with self._transaction():
            self.require_idle()
            totals = self.totals()
            if not totals.finished or totals.found:
                raise JobError("another coordinator has taken this job over; this one stops")
            self.take_over()
            for table in ("unit", "batch", "trace"):
                self._db.execute(f"DELETE FROM {table}")
            _, problem, _, _, version, created = self._job(*RECORD)
            self._put_info(json.dumps(recipe), problem, kernel, digest, version, created)
            self._put_counts(Counts(units=len(starts)), digest)
            _insert_units(self._db, digest, starts)

    def lease(self, most: int) -> list[Unit]:
        """Lease up to this many ready units, those with the most work first."""
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
        """Store the results of a unit and its successors.

        Parameters
        ----------
        unit
            The leased unit, which is removed.
        nodes, found, cpu
            The nodes and answers of the unit, and its CPU seconds.
        answers
            The answers, if they are kept.
        successors
            The states that the remainder is divided into, each with its share of the work.
        best
            The value of a better answer, which replaces all earlier ones.
        trace
            Points of the trace of an annealing.
        """
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
                self._check_disk(answers.nbytes)
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
        """Store points of a trace.  The last stored point may not have been due, and is then dropped."""
        last = self._db.execute("SELECT trials, temperature, cost FROM trace ORDER BY trials DESC LIMIT 2").fetchall()
        known = [Point(*row) for row in reversed(last)]
        self._db.executemany("DELETE FROM trace WHERE trials = ?", [(point.trials,) for point in known])
        self._db.executemany("INSERT OR REPLACE INTO trace VALUES (?, ?, ?)", thinned([*known, *points]))

    def _check_disk(self, size: int) -> None:
        """Set `full` when the disk is nearly full: the search then stops with everything found so far."""
        self._unchecked += size
        if self._unchecked >= _LOOK:
            self._unchecked = 0
            folder = scratch_folder() if self._path is None else self._path.parent
            free = free_space(folder)
            if free < MARGIN:
                self.full = f"stopped, because {folder} is nearly full: {format_size(free)} are free"

    def give_back(self, unit: Unit, losses: int) -> None:
        """Make a unit without results ready again, and count the workers that it has cost."""
        with self._transaction():
            self._check_epoch()
            self._db.execute(
                "UPDATE unit SET epoch = NULL, tries = tries + ? WHERE id = ? AND epoch = ?",
                (losses, unit.id, self.epoch),
            )
            counts, digest = self._counts()
            self._put_counts(counts._replace(lost=counts.lost + losses), digest)

    def add_time(self, wall: float, cpu: float = 0.0) -> None:
        """Add seconds of searching and CPU seconds of the coordinator itself; also writes a heartbeat.

        The seconds are negative if earlier ones turn out to have been spent beside the search.
        """
        with self._transaction():
            self._check_epoch()
            counts, digest = self._counts()
            self._put_counts(
                counts._replace(wall=max(0.0, counts.wall + float(wall)), cpu=counts.cpu + float(cpu)), digest
            )

    def put_speed(self, workers: int, speed: float) -> None:
        """Store the number of workers and their nodes a second."""
        with self._transaction():
            self._check_epoch()
            self._db.execute("UPDATE job SET workers = ?, speed = ?", (workers, speed))

    def leased(self) -> set[int]:
        """The numbers of the units that are leased to this coordinator."""
        return {number for (number,) in self._db.execute("SELECT id FROM unit WHERE epoch = ?", (self.epoch,))}

    def leave(self) -> None:
        """End the epoch of this coordinator: leased units become ready, and the job is released unless it is held."""
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
