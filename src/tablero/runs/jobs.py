"""Jobs by name: where they are kept, and how they are made, found again and removed."""

from __future__ import annotations

import os
import re
import signal
import socket
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs

from tablero.errors import JobError
from tablero.runs.store import Card, Store, Totals
from tablero.search.base import Search

_ALIVE = 10.0  # seconds without a sign of life after which a coordinator is taken for dead


def home() -> Path:
    """The folder of all jobs: TABLERO_HOME, or the user's data folder."""
    base = os.environ.get("TABLERO_HOME") or platformdirs.user_data_dir("tablero")
    return Path(base) / "jobs"


def path_of(name: str) -> Path:
    """The file of a job; a name that could leave the folder is refused."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", name):
        raise JobError(f"the job name {name!r}: expected 1 to 64 letters, digits, dots, dashes or underscores")
    return home() / f"{name}.job"


def open_job(name: str) -> Store:
    return Store.open(path_of(name))


def begin(name: str, search: Search, recipe: dict[str, Any], problem: bytes) -> tuple[Store, bool]:
    """The job of that name and whether it is new.  One that is there must be of the same problem and kernel."""
    path = path_of(name)
    if not path.exists():
        card = Card(name, recipe, problem, search.name, search.digest())
        return Store.create(path, card, [(state, search.share(state)) for state in search.starts()]), True
    store = Store.open(path)
    card = store.card
    if card.digest != search.digest():
        store.close()
        raise JobError(f"job {name!r} is of another problem; choose another name, or 'tablero jobs remove {name}'")
    if card.kernel != search.name or card.recipe.get("verb") != recipe.get("verb"):
        store.close()
        raise JobError(
            f"job {name!r} was begun as '{card.recipe.get('verb')}' with the kernel {card.kernel}, "
            f"not as '{recipe.get('verb')}' with {search.name}"
        )
    if card.recipe != recipe:  # other answers are wanted than before
        store.rewrite_recipe(recipe)
    return store, False


def follow(store: Store, search: Search, recipe: dict[str, Any]) -> Store:
    """Put the next search of a job in the place of one that is over; for problems that need several."""
    starts = [(state, search.share(state)) for state in search.starts()]
    store.begin_anew(recipe, search.name, search.digest(), starts)
    return store


@dataclass(frozen=True)
class Listing:
    """A job as `jobs list` shows it; `error` where its file cannot be read."""

    name: str
    card: Card | None = None
    totals: Totals | None = None
    running: bool = False
    error: str = ""

    @property
    def state(self) -> str:
        if self.totals is None:
            return "damaged"
        return "running" if self.running else "finished" if self.totals.finished else "stopped"


def list_jobs() -> list[Listing]:
    """Every job, by name."""
    return [describe(path.stem) for path in sorted(home().glob("*.job"))]


def describe(name: str) -> Listing:
    try:
        store = open_job(name)
    except JobError as error:
        return Listing(name, error=str(error))
    try:
        return Listing(name, store.card, store.totals(), is_running(store))
    finally:
        store.close()


def is_running(store: Store) -> bool:
    """Whether a coordinator is at work: it wrote lately, and if it is on this machine its process is there."""
    pid, host, seen = store.owner()
    if pid is None or seen is None or time.time() - seen > _ALIVE:
        return False
    return host != socket.gethostname() or _exists(pid)


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def stop(name: str) -> bool:
    """Interrupt the coordinator as Ctrl-C does; False when none is running."""
    store = open_job(name)
    try:
        if not is_running(store):
            return False
        pid, host, _ = store.owner()
    finally:
        store.close()
    if host != socket.gethostname() or pid is None:
        raise JobError(f"job {name!r} runs on the machine {host!r}: stop it there")
    os.kill(pid, signal.SIGTERM)  # a job in the background may not hear SIGINT
    return True


def remove(name: str, *, force: bool = False) -> None:
    """Delete a job's files; a running one only by force."""
    path = path_of(name)
    if not path.exists():
        raise JobError(f"there is no job {name!r}: 'tablero jobs list' shows those there are")
    if not force:
        store = Store.open(path)
        running = is_running(store)
        store.close()
        if running:
            raise JobError(f"job {name!r} is running: 'tablero jobs stop {name}' first")
    for file in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        file.unlink(missing_ok=True)
