"""Jobs by name: where they are kept, and how they are created, opened, listed, stopped and removed."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import platformdirs

from tablero.errors import JobError
from tablero.runs import jobfile
from tablero.runs.jobfile import JobExists, NoSuchJob
from tablero.runs.process import this_process
from tablero.runs.record import JobInfo, Record, Totals
from tablero.runs.reports import workers_file

if TYPE_CHECKING:
    from tablero.runs.store import Store
    from tablero.search.base import Search


def home() -> Path:
    """The folder of all jobs: TABLERO_HOME, or the user's data folder."""
    base = os.environ.get("TABLERO_HOME") or platformdirs.user_data_dir("tablero")
    return Path(base) / "jobs"


def path_of(name: str) -> Path:
    """The file of a job.

    Raises
    ------
    JobError
        If the name is not valid; a name cannot lead out of the folder.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", name):
        raise JobError(f"the job name {name!r}: expected 1 to 64 letters, digits, dots, dashes or underscores")
    return home() / f"{name}.job"


def open_job(name: str) -> Store:
    """Open a job to continue it."""
    from tablero.runs.store import Store

    return Store.open(path_of(name))


@contextmanager
def resuming(name: str, *, retry: bool = False) -> Iterator[Store]:
    """Take over a job, for a run that gets the store as `opened`.

    Parameters
    ----------
    name
        The name of the job.
    retry
        Whether quarantined units are tried again.
    """
    with open_job(name) as store:
        store.take_over()
        store.hold()
        if retry:
            store.retry_quarantined()
        yield store


def read_job(name: str) -> Record:
    """Open a job for reading."""
    return Record.read(path_of(name))


def begin(
    name: str, search: Search, recipe: dict[str, Any], problem: bytes, opened: Store | None = None
) -> tuple[Store, bool]:
    """Create a job, or open an existing one to continue it; it then belongs to this process.

    If several processes begin a job at the same time, one creates it, and the others are refused.

    Parameters
    ----------
    name
        The name of the job.
    search, recipe, problem
        What the job is.  An existing job must have the same search and problem.
    opened
        The store, if it is open already.

    Returns
    -------
    The store, and whether the job is new.
    """
    from tablero.runs.store import Store

    path, store = path_of(name), opened
    info = JobInfo(name, recipe, problem, search.name, search.digest())
    while store is None:
        if not os.path.lexists(path):
            with suppress(JobExists):
                starts = [(state, search.share(state)) for state in search.starts()]
                return Store.create(path, info, starts, this_process()), True
        try:
            store = Store.open(path)
        except NoSuchJob:
            if os.path.lexists(path):  # but it is not a file
                raise
    try:
        _require_same(store.info, info)
        store.take_over()
        if store.info.recipe != recipe:  # for example another number of answers
            store.rewrite_recipe(recipe)
    except BaseException:
        store.close()
        raise
    return store, False


def _require_same(info: JobInfo, wanted: JobInfo) -> None:
    """Refuse to continue the job of another search or problem."""
    another = f"job {info.name!r} is of another problem; choose another name, or 'tablero jobs remove {info.name}'"
    before, now = (f"{one.recipe.get('family')} {one.recipe.get('verb')}" for one in (info, wanted))
    if info.digest != wanted.digest and (before == now or info.problem != wanted.problem):
        raise JobError(another)
    if (info.kernel, before) != (wanted.kernel, now):
        raise JobError(
            f"job {info.name!r} was begun as '{before}' with the kernel {info.kernel}, "
            f"not as '{now}' with {wanted.kernel}"
        )
    if info.problem != wanted.problem:  # the same search, but its answers have another meaning
        raise JobError(another)


def follow(store: Store, search: Search, recipe: dict[str, Any]) -> None:
    """Replace a finished search of a job by the next one, unless the job has it already."""
    digest = search.digest()
    if (store.info.kernel, store.info.digest) != (search.name, digest):
        starts = [(state, search.share(state)) for state in search.starts()]
        store.begin_anew(recipe, search.name, digest, starts)


@dataclass(frozen=True)
class Listing:
    """A job as `jobs list` shows it; `error` is set if its file cannot be read."""

    name: str
    info: JobInfo | None = None
    totals: Totals | None = None
    running: bool = False
    error: str = ""

    @classmethod
    def of(cls, record: Record) -> Self:
        """The present state of an opened job."""
        info = record.info
        return cls(info.name, info, record.totals(), record.owner().is_alive())

    @property
    def state(self) -> str:
        """Running, finished, stopped or damaged."""
        if self.totals is None:
            return "damaged"
        if self.running:
            return "running"
        return "finished" if self.totals.finished or self._has_answer else "stopped"

    @property
    def _has_answer(self) -> bool:
        """Whether enough answers are found, although there may be more."""
        recipe = {} if self.info is None else self.info.recipe
        most = recipe.get("most")
        return self.totals is not None and most is not None and self.totals.found >= most

    def values(self) -> dict[str, Any]:
        """The job as one JSON object."""
        values: dict[str, Any] = {"name": self.name, "state": self.state}
        if self.info is None or self.totals is None:
            return {**values, "error": self.error}
        totals, before = self.totals, self.info.before
        return {
            **values,
            "family": self.info.recipe.get("family"),
            "verb": self.info.recipe.get("verb"),
            "kernel": self.info.kernel,
            "digest": self.info.digest,
            "version": self.info.version,
            "created": datetime.datetime.fromtimestamp(self.info.created, datetime.UTC).isoformat(timespec="seconds"),
            "solutions": totals.found,
            **({"best": totals.best} if totals.best is not None else {}),
            "nodes": totals.nodes + int(before["nodes"]),
            "seconds": round(totals.seconds + before["seconds"], 3),
            "cpu_seconds": round(totals.cpu_seconds + before["cpu"], 3),
            "fraction": totals.fraction,
            **(_speed(totals) if self.running else {}),
            "units": {key: getattr(totals, key) for key in ("ready", "leased", "done", "lost", "quarantined")},
        }

    def so_far(self) -> dict[str, Any]:
        """The answer as the file alone has it.  Without the search it is not known whether finding none is a proof."""
        if self.totals is None:
            return {}
        over = self.totals.found > 0 and (self.totals.finished or self._has_answer)
        best = self._has_answer or self.totals.best is not None
        values = self.values()
        counts = ("solutions", "nodes", "seconds", "cpu_seconds", "fraction")
        return {
            "status": "open" if not over else "solved" if best else "complete",
            **{key: values[key] for key in counts},
        }


def _speed(totals: Totals) -> dict[str, Any]:
    """The workers and the speed of a running job, and the time left at the average speed so far."""
    found: dict[str, Any] = {"workers": totals.workers, "nodes_per_second": round(totals.speed)}
    if totals.fraction > 0:
        found["seconds_left"] = round(totals.seconds * (1 - totals.fraction) / totals.fraction, 1)
    return found


def list_jobs() -> list[Listing]:
    """All jobs, sorted by name."""
    return [describe(path.stem) for path in sorted(home().glob("*.job"))]


def describe(name: str) -> Listing:
    """The present state of a job; an error of its file is in the listing, not raised."""
    try:
        with read_job(name) as record:
            return Listing.of(record)
    except JobError as error:
        return Listing(name, error=str(error))


def stop(name: str) -> bool:
    """Interrupt the process that works on a job, as Ctrl-C does.

    Returns
    -------
    Whether a process was running.

    Raises
    ------
    JobError
        If the process runs on another machine, or cannot be identified.
    """
    with read_job(name) as record:
        owner = record.owner()
    if not owner.is_alive():
        return False
    if not owner.is_here:
        raise JobError(f"job {name!r} runs on the machine {owner.host!r}: stop it there")
    if not owner.interrupt(path_of(name)):
        if owner.is_alive():
            raise JobError(f"job {name!r}: whether process {owner.pid} works on it is not certain; stop it yourself")
        return False
    return True


def remove(name: str, *, force: bool = False) -> None:
    """Delete the files of a job.

    Parameters
    ----------
    name
        The name of the job.
    force
        Whether a running or damaged job is removed too.
    """
    path = path_of(name)
    if not os.path.lexists(path):
        raise NoSuchJob(path)
    if not force:
        with Record.read(path) as record:
            if record.owner().is_alive():
                raise JobError(f"job {name!r} is running: 'tablero jobs stop {name}' first")
    jobfile.remove(path)
    for kind in (".log", ".curves"):  # written by the web page: the output of the process, and the curves of progress
        path.with_suffix(kind).unlink(missing_ok=True)
    workers_file(path).unlink(missing_ok=True)
