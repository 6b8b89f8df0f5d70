"""Reading a job's file.

    record    the columns that say what the job is; fixed when it is made
    counts    the columns with its totals
    sum       a checksum of a unit, of a batch, of the record or of the counts; it includes the digest of the problem

All values that are read are checked: types and ranges (`values`), and checksums where the file has them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from tablero import __version__
from tablero.errors import JobError
from tablero.runs import jobfile, values
from tablero.runs.jobfile import COUNTS, RECORD, checksum
from tablero.runs.process import Owner
from tablero.runs.values import Damaged
from tablero.search.trace import MOST_POINTS, Point

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_TRIES = 3  # a unit that is lost this often is quarantined
MOST_ANSWERS = 1 << 31  # of one batch
_SUM = 8  # bytes


class JobInfo(NamedTuple):
    """What a job is; fixed when it is made."""

    name: str
    recipe: dict[str, Any]  # the verb and its options, from which its family makes the search again
    problem: bytes  # the puzzle, as its family encodes it
    kernel: str  # the name and version of the search
    digest: str  # the fingerprint of the problem
    version: str = __version__  # of tablero
    created: float = 0.0  # seconds since 1970

    @property
    def before(self) -> dict[str, float]:
        """The cost of the job's earlier searches, if it needs several, one after another."""
        stored = self.recipe.get("stage", {}).get("before", {})
        costs = {key: stored.get(key, 0) for key in ("nodes", "seconds", "cpu")}
        return {key: cost if isinstance(cost, int | float) and isfinite(cost) else 0 for key, cost in costs.items()}


class Counts(NamedTuple):
    """The totals of a job as they are stored."""

    nodes: int = 0
    found: int = 0  # of any size: stored as its digits
    best: int | None = None
    done: int = 0
    lost: int = 0
    wall: float = 0.0
    cpu: float = 0.0
    units: int = 0  # in the file now
    kept: int = 0  # answers in the file now

    def stored(self) -> tuple[int | str | float | None, ...]:
        """The values of the columns."""
        return (self.nodes, str(self.found), *self[2:])


class Batch(NamedTuple):
    """Answers that were stored together."""

    number: int
    start: bytes  # the state of the unit that found them
    rows: int


@dataclass(frozen=True)
class Totals:
    """The totals of a job, with its units by state."""

    nodes: int
    found: int
    best: int | None
    ready: int
    leased: int
    quarantined: int
    done: int
    lost: int
    fraction: float
    seconds: float
    cpu_seconds: float
    workers: int  # at the last heartbeat
    speed: float  # nodes a second, at the last heartbeat

    @property
    def finished(self) -> bool:
        return self.ready == self.leased == self.quarantined == 0


class Record:
    """A job's file, opened for reading."""

    full = ""  # why the search must stop, if the disk of the store is nearly full

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self._db = connection
        self._path = path
        self._where = "memory" if path is None else str(path)
        self._info: tuple[bytes, JobInfo] | None = None  # as last read, with its checksum

    @property
    def in_memory(self) -> bool:
        """Whether no file keeps it."""
        return self._path is None

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open an existing job for reading only."""
        return cls(jobfile.connect(path, write=False), path)

    @property
    def path(self) -> Path | None:
        return self._path

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def version(self) -> int:
        """A number that changes when another process writes to the file; cheap to read."""
        with self._reading():
            found: int = self._db.execute("PRAGMA data_version").fetchone()[0]
            return found

    def damaged(self, what: str) -> JobError:
        """The error for a file that is damaged."""
        return jobfile.damage(self._where, what)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Raise a JobError of one line where the file cannot be read or is damaged."""
        try:
            yield
        except Damaged as error:
            raise self.damaged(str(error)) from None
        except jobfile.TROUBLE as error:
            raise jobfile.trouble(self._where, error) from None

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read a consistent state in the block, while another process may write."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")  # nothing was written

    def _job(self, *columns: str) -> tuple[Any, ...]:
        """Columns of the only row of the table `job`."""
        row: tuple[Any, ...] | None = self._db.execute(f"SELECT {', '.join(columns)} FROM job").fetchone()
        if row is None:
            raise Damaged("it holds no job")
        return row

    def _check_sum(self, what: str, stored: Any, *parts: Any) -> None:
        if values.blob(f"the checksum of {what}", stored, _SUM) != checksum(*parts):
            raise Damaged(f"{what} is not what was written: the checksum differs")

    @property
    def info(self) -> JobInfo:
        """What the job is; read again only if another coordinator has changed it."""
        with self._reading():
            (stored,) = self._job("card_sum")
            if self._info is None or self._info[0] != stored:
                self._info = self._read_info()
            return self._info[1]

    def _read_info(self) -> tuple[bytes, JobInfo]:
        name, *fixed, stored = self._job("name", *RECORD, "card_sum")
        recipe, problem, kernel, digest, version, created = fixed
        # A job has the name of its file; the name in the file may be that of another job.
        name = values.word("the name", name) if self._path is None else self._path.stem
        info = JobInfo(
            name,
            values.recipe(recipe),
            values.unpack(problem),
            values.word("the kernel", kernel),
            values.word("the digest", digest),
            values.word("the version", version),
            values.moment("the time of creation", created),
        )
        self._check_sum("what the job is", stored, *fixed)
        return stored, info

    @property
    def _digest(self) -> str:
        return values.word("the digest", self._job("digest")[0])

    def _counts(self) -> tuple[Counts, str]:
        """The counts, and the digest that is part of all checksums."""
        digest, *stored, counts_sum = self._job(*COUNTS, "counts_sum")
        nodes, found, best, done, lost, wall, cpu, units, kept = stored
        counts = Counts(
            values.whole("the number of nodes", nodes),
            values.digits("the number of answers", found),
            None if best is None else values.whole("the best", best, -values.MOST_COUNT),
            values.whole("the number of units done", done),
            values.whole("the number of units lost", lost),
            values.real("the time spent", wall),
            values.real("the CPU time", cpu),
            values.whole("the number of units", units),
            values.whole("the number of answers kept", kept),
        )
        self._check_sum("the counts", counts_sum, values.word("the digest", digest), *stored)
        return counts, digest

    def totals(self) -> Totals:
        """Read the totals."""
        with self._reading(), self.snapshot():
            counts, _ = self._counts()
            workers, speed = self._job("workers", "speed")
            ready, leased, quarantined, left, odd = self._db.execute(
                "SELECT count(*) FILTER (WHERE epoch IS NULL AND tries < :most), count(*) FILTER (WHERE epoch NOT NULL),"
                " count(*) FILTER (WHERE epoch IS NULL AND tries >= :most), total(share),"
                " count(*) FILTER (WHERE typeof(state) <> 'blob' OR typeof(share) <> 'real' OR share < 0 OR share > 1"
                " OR typeof(tries) <> 'integer' OR tries < 0 OR typeof(epoch) NOT IN ('null', 'integer')) FROM unit",
                {"most": MOST_TRIES},
            ).fetchone()
            if odd:
                raise Damaged(f"{odd} of its units have values of wrong types")
            if counts.units != ready + leased + quarantined:
                raise Damaged(f"it holds {ready + leased + quarantined} units where there must be {counts.units}")
            # A sum of floats is rarely 1 exactly, so a finished search is recognised by having no units.
            left = values.real("the share that is left", left)
            fraction = 1.0 if ready + leased + quarantined == 0 else min(max(0.0, 1.0 - left), 1.0 - 1e-9)
            return Totals(
                counts.nodes,
                counts.found,
                counts.best,
                ready,
                leased,
                quarantined,
                counts.done,
                counts.lost,
                fraction,
                counts.wall,
                counts.cpu,
                values.whole("the number of workers", workers),
                values.real("the speed", speed),
            )

    def last_state(self) -> bytes | None:
        """The state of the unit that was leased last; of a ready unit if none is leased."""
        with self._reading():
            row = self._db.execute(
                "SELECT id, state, share, sum FROM unit ORDER BY epoch IS NULL, id DESC LIMIT 1"
            ).fetchone()
            if row is None:
                return None
            number, state, share, stored = row
            found = values.blob(f"the state of unit {number}", state)
            self._check_sum(f"unit {number}", stored, self._digest, found, share)
            return found

    def trace(self) -> list[Point]:
        """The trace of an annealing; empty if the job has none."""
        with self._reading():
            rows = self._db.execute(
                "SELECT trials, temperature, cost FROM trace ORDER BY trials LIMIT ?", (MOST_POINTS,)
            )
            return [
                Point(
                    values.whole("the trials of a point", trials),
                    values.real("the temperature of a point", temperature),
                    values.whole("the cost of a point", cost),
                )
                for trials, temperature, cost in rows.fetchall()
            ]

    def owner(self) -> Owner:
        """The process of the newest coordinator, unless it has left."""
        with self._reading():
            pid, host, birth, seen = self._job("pid", "host", "birth", "seen")
            return Owner(
                None if pid is None else values.whole("the process", pid, 1, 2**31 - 1),
                None if host is None else values.word("the machine", host, 300),
                None if birth is None else values.word("the birth of the process", birth),
                None if seen is None else values.moment("the last heartbeat", seen),
            )

    def require_idle(self) -> None:
        """Refuse a job that another coordinator works on.

        Raises
        ------
        JobError
            If another coordinator works on the job.
        """
        owner = self.owner()
        if owner.is_alive() and not owner.is_me:
            name = "" if self._path is None else self._path.stem
            where = "" if owner.is_here else f" of the machine {owner.host!r}"
            raise JobError(
                f"process {owner.pid}{where} works on job {name!r}: wait for it, or 'tablero jobs stop {name}' first"
            )

    def index(self, width: int | None = None) -> list[Batch]:
        """The batches of answers with this many numbers each, without the answers themselves."""
        with self._reading():
            # One query, so that the batches and the number of answers expected are consistent.
            rows = self._db.execute(
                "SELECT id, start, count, width, length(body), kept FROM job LEFT JOIN batch ORDER BY id"
            )
            found, expected = [], None
            try:
                for number, start, count, wide, length, kept in rows:
                    what, expected = f"batch {number}", kept
                    if number is None:
                        break
                    values.whole(f"the width of {what}", wide, *((0,) if width is None else (width, width)))
                    values.blob(f"the state of {what}", start)
                    most = MOST_ANSWERS if wide else 1  # there is only one answer without numbers
                    size = 4 * values.whole(f"the length of {what}", count, 1, most) * wide
                    values.whole(f"the size of {what}", length, size, size)
                    found.append(Batch(values.whole(what, number, -(2**63), 2**63), start, count))
            finally:
                rows.close()  # an unfinished query would keep the file open
            total = sum(batch.rows for batch in found)
            if expected is not None and total != expected:
                raise Damaged(f"it holds {total} answers where there must be {expected}")
            return found

    def bodies(self, numbers: Iterable[int], width: int) -> Iterator[NDArray[np.int32]]:
        """Yield the answers of each of these batches."""
        import numpy as np  # not at the top: the web server reads only numbers and need not load it

        with self._reading():
            digest = self._digest
            for number in numbers:
                what = f"batch {number}"
                row = self._db.execute(
                    "SELECT start, count, width, body, sum FROM batch WHERE id = ?", (number,)
                ).fetchone()
                if row is None:
                    raise Damaged(f"{what} is gone")
                start, count, wide, body, stored = row
                values.whole(f"the width of {what}", wide, width, width)
                size = 4 * values.whole(f"the length of {what}", count, 1, MOST_ANSWERS) * wide
                values.blob(f"the body of {what}", body, size)
                self._check_sum(what, stored, digest, values.blob(f"the state of {what}", start), count, wide, body)
                yield np.frombuffer(body, "<i4").reshape(count, wide).astype(np.int32, copy=False)
