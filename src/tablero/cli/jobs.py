"""`tablero jobs`: stored searches."""

from __future__ import annotations

import io
import json
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from tablero import interrupts
from tablero.cli import running
from tablero.cli.options import Command, Done, Settings, command, some
from tablero.cli.running import plain, plain_json, write_list
from tablero.errors import BadInput, JobError
from tablero.families import board as board_of
from tablero.families import look, score
from tablero.families import resume as ask_again
from tablero.files import require_writable, writing
from tablero.runs import jobs
from tablero.runs.jobfile import NoSuchJob
from tablero.runs.jobs import Listing, describe, path_of, read_job, resuming
from tablero.verbs import Spelling, writes

if TYPE_CHECKING:
    from tablero.runs.findings import Findings


def offered() -> list[str]:
    """The names that a shell offers for completion."""
    return sorted(path.stem for path in jobs.home().glob("*.job"))


Name = Annotated[
    str, Meta(description="Name of the job."), Spelling(metavar="NAME", complete="tablero.cli.jobs:offered")
]
_SOME = 1000  # answers from which the length of all is estimated
_WATCH = 2.0  # seconds between two reads of a job


@contextmanager
def _sound(name: str) -> Iterator[None]:
    """Report an inconsistent job file in one line, whatever error it causes."""
    try:
        yield
    except BadInput:
        raise
    except KeyError as error:
        raise JobError(f"job {name!r}: its recipe lacks {error}: restore it from a copy, or remove it") from error
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise JobError(
            f"job {name!r} is inconsistent ({type(error).__name__}: {error}): restore it from a copy, or remove it"
        ) from error


def _score(job: Listing) -> str:
    """The best score of an optimisation, as 465 of 480; empty for other searches and before there is a score."""
    if job.info is None or job.totals is None or job.totals.best is None:
        return ""
    try:
        reached = score(job.info, job.totals.best)
    except (BadInput, ValueError):  # a damaged file
        return ""
    return "" if reached is None else f"{reached[0]:,} of {reached[1]:,}"


@command()
def list_() -> Done:
    """List all jobs.

    Examples:
        tablero jobs list
    """
    found = jobs.list_jobs()
    width = max((len(plain(job.name)) for job in found), default=0)
    notes = () if found else (f"no jobs in {jobs.home()}",)
    return Done({"jobs": [job.values() for job in found]}, tuple(_line(job, width) for job in found), notes)


def _line(job: Listing, width: int) -> str:
    name = plain(job.name)
    if job.info is None or job.totals is None:
        return f"{name:<{width}}  damaged   {plain(job.error)}"
    verb = plain(f"{job.info.recipe.get('family')} {job.info.recipe.get('verb')}")
    percent = f"{100 * job.totals.fraction:.2f} %"
    reached = _score(job) or f"{job.totals.found:,} found"
    return f"{name:<{width}}  {job.state:<8}  {percent:>9}  {reached}  {verb}"


@command()
def show(
    name: Name,
    *,
    watch: Annotated[bool, Meta(description="Update the display until the job stops running.")] = False,
) -> Iterator[Done]:
    """Show the progress of a job.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs show sixteen --watch
    """
    if not path_of(name).exists():
        raise NoSuchJob(path_of(name))
    clear = "\x1b[2J\x1b[H" if watch and sys.stdout.isatty() else ""
    while True:
        job = describe(name)
        if job.totals is None:
            raise JobError(job.error)
        lines = list(_facts(job))
        yield Done(job.values(), (clear + lines[0], *lines[1:]))
        if not (watch and job.running):
            return
        interrupts.sleep(_WATCH)


def _facts(job: Listing) -> Iterator[str]:
    """A job's properties as lines."""
    from tablero.runs.progress import short_time

    values = job.values()
    values |= {f"units {kind}": number for kind, number in values.pop("units").items()}
    for key in ("seconds", "cpu_seconds", "seconds_left"):
        if key in values:
            values[key] = short_time(values[key])
    values["fraction"] = f"{100 * values['fraction']:.4g} %"
    if reached := _score(job):
        values["best"] = reached
        del values["solutions"]  # always 1: the best board
    for key, value in values.items():
        yield f"{key.replace('_', ' '):<19}{plain(f'{value:,}' if isinstance(value, int) else value)}"


@command(shared=some("threads", "time_limit", "node_limit", "cluster", "tls", "insecure", "as_lines"))
def resume(
    name: Name,
    *,
    retry: Annotated[bool, Meta(description="Try quarantined units three more times.")] = False,
    settings: Settings,
) -> Any:
    """Continue a job from its current state.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs resume sixteen --threads 2
    """
    settings = replace(settings, job=name)
    with resuming(name, retry=retry) as store, _sound(name):
        running.printed.known = Listing.of(store).so_far()  # in case of an interrupt before the search is restored
        return ask_again(store, settings.run())


@command()
def stop(name: Name) -> Done:
    """Stop a running job as Ctrl-C does: it can be resumed.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs stop sixteen
    """
    stopped = jobs.stop(name)
    note = f"job {name!r} is stopping" if stopped else f"job {name!r} is not running"
    return Done({"name": name, "stopped": stopped}, notes=(note,))


@dataclass(frozen=True)
class Board(Done):
    """The current board of a job; `found` is None if there is none."""

    found: Findings[Any] | None = None


@writes(".svg", name="svg")
def board_svg(found: Board) -> str | None:
    """Draw the board into this file."""
    return None if found.found is None else found.found.to_svg()


def _better(current: Findings[Any] | None, stored: Findings[Any] | None) -> Findings[Any] | None:
    """The board with the higher score; without a score, the current one."""
    if current is None or stored is None:
        return current or stored
    return stored if getattr(stored, "score", -1) > getattr(current, "score", -1) else current


@command(writes=(board_svg,))
def board(name: Name) -> Board:
    """Show the current board of a job's search, or its first answer once the search is over.

    Examples:
        tablero queens solve 24 -n all --job boards --time-limit 5s
        tablero jobs board boards --svg board.svg
    """
    with read_job(name) as record, _sound(name):
        stored = look(record)
        if not stored.result.kept or not len(stored.result.answers):
            stored = None
        over = Listing.of(record).state == "finished"
        found = (stored if over else None) or _better(board_of(record), stored)
    if found is None:
        note = f"job {name!r}: no board yet, or a search without a current board"
        return Board({"name": name, "board": None}, notes=(note,))
    scored = {key: getattr(found, key) for key in ("score", "maximum") if getattr(found, key, None) is not None}
    facts = {"name": name, "board": next(iter(found.to_list())), **scored}
    notes = ("{score:,} of {maximum:,}".format(**scored),) if scored else ()
    return Board(facts, tuple(str(found).splitlines()), notes, found=found)


@dataclass(frozen=True)
class Export(Done):
    """A job's properties and answers, written while they are read."""

    found: Any = None
    as_lines: bool = False

    def write_to(self, out: IO[str]) -> int:
        """Write everything as JSON; return the number of answers."""
        with interrupts.Polling():
            number = self._write_lines(out) if self.as_lines else self._write_object(out)
            interrupts.check()
        return number

    def _write_lines(self, out: IO[str]) -> int:
        out.write(plain_json(json.dumps(self.facts, ensure_ascii=False)) + "\n")
        number = 0
        for text in self.found.iter_json() if self.found.result.kept else ():
            out.write(f'{{"answer": {plain_json(text)}}}\n')
            number += 1
            interrupts.check()
        return number

    def _write_object(self, out: IO[str]) -> int:
        out.write(plain_json(json.dumps(self.facts, ensure_ascii=False, indent=1))[:-2] + ',\n "answers": ')
        number = 0
        if self.found.result.kept:
            number = write_list(self.found, out, plain_json)
        else:
            out.write("[]")
        out.write("\n}\n")
        return number


@command(shared=some("as_lines"))
def export(
    name: Name,
    *,
    output: Annotated[
        Path | None,
        Meta(description="Write to this file instead of standard output."),
        Spelling(metavar="FILE", short="-o", reads="pathlib:Path"),
    ] = None,
    settings: Settings,
) -> Export | Done:
    """Export a job as one JSON object: its question, versions, totals and answers.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs export sixteen -o sixteen.json
    """
    with read_job(name) as record, _sound(name):
        info = record.info
        found = look(record)
        values = Listing.of(record).values()
        values["options"] = info.recipe
        values["problem"] = info.problem.decode()
        versions = {package: version(package) for package in ("tablero", "numpy", "numba")}
        values["made_with"] = {"python": platform.python_version(), "machine": platform.machine(), **versions}
    made = Export(values, found=found, as_lines=settings.as_lines)
    if output is None:
        return made
    require_writable(output, option="--output")
    _require_space(found, output.resolve().parent)
    with writing(output) as stream:
        text = io.TextIOWrapper(stream, "utf-8", newline="\n", write_through=True)
        number = made.write_to(text)
        text.flush()
        text.detach()
    return Done({"name": name, "file": str(output), "answers": number})


def _require_space(found: Findings[Any], folder: Path) -> None:
    """Refuse a file for which the disk has too little space; its size is estimated from some of the answers."""
    from tablero.runs.answers import MARGIN, MODEST, format_size, free_space  # imports NumPy

    rows = found.result.answers
    if not found.result.kept or not len(rows) or rows.nbytes < MODEST // 16:
        return
    some = replace(found, result=replace(found.result, answers=rows[:: -(-len(rows) // _SOME)]))
    length = sum(len(json.dumps(one)) + 2 for one in some.to_list()) / len(some.result.answers)
    size, free = int(length * len(rows)), free_space(folder)
    if size + MARGIN > free:
        raise BadInput(
            f"{len(rows):,} answers need about {format_size(size)}, but {folder} has only {format_size(free)} free"
        )


@command()
def remove(
    name: Name, *, force: Annotated[bool, Meta(description="Delete the job even if it is running or damaged.")] = False
) -> Done:
    """Delete a job and its answers.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs remove sixteen
    """
    jobs.remove(name, force=force)
    return Done({"name": name, "removed": True})


COMMANDS: tuple[Command, ...] = (list_, show, board, resume, stop, export, remove)
