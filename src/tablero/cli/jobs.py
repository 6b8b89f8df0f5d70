"""`tablero jobs`: searches that outlive their process."""

from __future__ import annotations

import io
import json
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Meta

from tablero import interrupts
from tablero.cli import common
from tablero.cli.common import Settings, write_list
from tablero.cli.plain import plain, plain_json
from tablero.cli.running import Command, Done, command, some
from tablero.errors import BadInput, JobError
from tablero.families import board as board_of
from tablero.families import look, score
from tablero.families import resume as ask_again
from tablero.verbs import Spelling, writes

if TYPE_CHECKING:
    from tablero.runs.findings import Findings
    from tablero.runs.jobs import Listing

ABOUT = "Searches that outlive their process: list, show, board, resume, stop, export, remove."


def offered() -> list[str]:
    """The names that a shell completes."""
    from tablero.runs.jobs import home

    return sorted(path.stem for path in home().glob("*.job"))


Name = Annotated[
    str, Meta(description="The job's name."), Spelling(metavar="NAME", complete="tablero.cli.jobs:offered")
]
_SOME = 1000  # answers that tell how long they all are
_WATCH = 2.0  # seconds between two looks at a job


def _versions() -> dict[str, str]:
    from importlib.metadata import version

    return {package: version(package) for package in ("tablero", "numpy", "numba")}


@contextmanager
def _sound(name: str) -> Iterator[None]:
    """A file whose parts do not go together is told in one line, whatever its family stumbles over."""
    try:
        yield
    except BadInput:
        raise
    except KeyError as error:
        raise JobError(f"job {name!r}: its recipe lacks {error}: restore it from a copy, or remove it") from error
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise JobError(
            f"job {name!r} does not hold together ({type(error).__name__}: {error}): restore it from a copy, or remove it"
        ) from error


def _score(job: Listing) -> str:
    """What an optimisation has reached, as 465 of 480; empty for another search, and before there is anything."""
    if job.card is None or job.totals is None or job.totals.best is None:
        return ""
    try:
        reached = score(job.card, job.totals.best)
    except (BadInput, ValueError):  # of a damaged file
        return ""
    return "" if reached is None else f"{reached[0]:,} of {reached[1]:,}"


@dataclass(frozen=True)
class Jobs:
    """All jobs, as they are now."""

    jobs: list[Listing]
    status: ClassVar[str] = "complete"

    def to_dict(self) -> dict[str, Any]:
        return {"jobs": [job.values() for job in self.jobs]}

    def lines(self) -> Iterator[str]:
        width = max((len(plain(job.name)) for job in self.jobs), default=0)
        for job in self.jobs:
            name = plain(job.name)
            if job.card is None or job.totals is None:
                yield f"{name:<{width}}  damaged   {plain(job.error)}"
            else:
                verb = plain(f"{job.card.recipe.get('family')} {job.card.recipe.get('verb')}")
                percent = f"{100 * job.totals.fraction:.2f} %"
                reached = _score(job) or f"{job.totals.found:,} found"
                yield f"{name:<{width}}  {job.state:<8}  {percent:>9}  {reached}  {verb}"

    def remarks(self) -> Iterator[str]:
        from tablero.runs.jobs import home

        if not self.jobs:
            yield f"no jobs in {home()}"


@command()
def list_() -> Jobs:
    """All jobs.

    Examples:
        tablero jobs list
    """
    from tablero.runs.jobs import list_jobs

    return Jobs(list_jobs())


@dataclass(frozen=True)
class Shown:
    """Where one job stands."""

    job: Listing
    clears: bool  # whether a terminal forgets what was shown before
    status: ClassVar[str] = "complete"

    def to_dict(self) -> dict[str, Any]:
        return self.job.values()

    def lines(self) -> Iterator[str]:
        from tablero.runs.progress import short_time

        values = self.job.values()
        units = {f"units {kind}": number for kind, number in values.pop("units").items()}
        for key in ("seconds", "cpu_seconds", "seconds_left"):
            if key in values:
                values[key] = short_time(values[key])
        values["fraction"] = f"{100 * values['fraction']:.4g} %"
        if reached := _score(self.job):
            values["best"] = reached
            del values["solutions"]  # the one board that is the best
        clear = "\x1b[2J\x1b[H" if self.clears and sys.stdout.isatty() else ""
        for key, value in {**values, **units}.items():
            shown = f"{value:,}" if isinstance(value, int) else value
            yield f"{clear}{key.replace('_', ' '):<17}{plain(shown)}"
            clear = ""

    def remarks(self) -> Iterator[str]:
        yield from ()


@command()
def show(
    name: Name,
    *,
    watch: Annotated[bool, Meta(description="Go on showing it until it stops running.")] = False,
) -> Iterator[Shown]:
    """Where one job stands.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs show sixteen --watch
    """
    from tablero.runs.jobfile import NoSuchJob
    from tablero.runs.jobs import describe, path_of

    if not path_of(name).exists():
        raise NoSuchJob(path_of(name))
    while True:
        job = describe(name)
        if job.totals is None:
            raise JobError(job.error)
        yield Shown(job, watch)
        if not (watch and job.running):
            return
        interrupts.sleep(_WATCH)


@command(manner=some("threads", "time_limit", "node_limit", "cluster", "tls", "insecure", "as_lines"))
def resume(
    name: Name,
    *,
    retry: Annotated[bool, Meta(description="Units that were set aside get three more tries.")] = False,
    settings: Settings,
) -> Any:
    """Go on with a job from where it stands.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs resume sixteen --threads 2
    """
    from tablero.runs.jobs import Listing, resuming

    settings = replace(settings, job=name)
    with resuming(name, retry=retry) as store, _sound(name):
        common.known = Listing.of(store).so_far()  # for whoever interrupts while the search is made again
        return ask_again(store, settings.run())


@command()
def stop(name: Name) -> Done:
    """Stop a running job, as Ctrl-C would: what it has found is kept.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs stop sixteen
    """
    from tablero.runs import jobs

    stopped = jobs.stop(name)
    told = f"job {name!r} was told to stop" if stopped else f"job {name!r} is not running"
    return Done({"name": name, "stopped": stopped}, notes=(told,))


@dataclass(frozen=True)
class Board:
    """Where the search of a job stands; `found` is None where that is no board."""

    name: str
    found: Findings[Any] | None
    status: ClassVar[str] = "complete"

    @property
    def _scored(self) -> dict[str, int]:
        kept = {key: getattr(self.found, key, None) for key in ("score", "maximum")}
        return {key: number for key, number in kept.items() if number is not None}

    def to_dict(self) -> dict[str, Any]:
        board = None if self.found is None else next(iter(self.found.told()))
        return {"name": self.name, "board": board, **self._scored}

    def lines(self) -> Iterator[str]:
        if self.found is not None:
            yield from str(self.found).splitlines()

    def remarks(self) -> Iterator[str]:
        if self.found is None:
            yield f"job {self.name!r}: there is no board yet, or its search sets none on its way"
        elif self._scored:
            yield "{score:,} of {maximum:,}".format(**self._scored)


@writes(".svg", name="svg")
def board_svg(found: Board) -> str | None:
    """Draw it into this file."""
    return None if found.found is None else found.found.to_svg()


@command(writes=(board_svg,))
def board(name: Name) -> Board:
    """Where the search of a job stands: what a unit at work has laid, set or moved; once it is over, its first answer.

    Examples:
        tablero queens solve 24 -n all --job boards --time-limit 5s
        tablero jobs board boards --svg board.svg
    """
    from tablero.runs.jobs import read_job

    with read_job(name) as record, _sound(name):
        found = board_of(record)
        if found is None:
            over = look(record)
            found = over if over.result.kept and len(over.result.answers) else None
    return Board(name, found)


@dataclass(frozen=True)
class Export:
    """All about a job, which is written as it is read."""

    values: dict[str, Any]
    found: Findings[Any]
    as_lines: bool
    status: ClassVar[str] = "complete"

    def write_to(self, out: IO[str]) -> int:
        """Write it as JSON; return the number of answers."""
        return _export(self.values, self.found, self.as_lines, out)

    def remarks(self) -> Iterator[str]:
        yield from ()


@command(manner=some("as_lines"))
def export(
    name: Name,
    *,
    output: Annotated[
        Path | None,
        Meta(description="The file to write."),
        Spelling(metavar="FILE", short="-o", reads="pathlib:Path"),
    ] = None,
    settings: Settings,
) -> Export | Done:
    """Everything about a job in one JSON object: what was asked, by what, the totals and the answers.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs export sixteen -o sixteen.json
    """
    from tablero.files import require_writable, writing
    from tablero.runs.jobs import Listing, read_job

    with read_job(name) as record, _sound(name):
        card = record.card
        found = look(record)
        values = Listing.of(record).values()
        values["options"] = card.recipe
        values["problem"] = card.problem.decode()
        values["made_with"] = {"python": platform.python_version(), "machine": platform.machine(), **_versions()}
    made = Export(values, found, settings.as_lines)
    if output is None:
        _require_room(found, None)
        return made
    require_writable(output, option="--output")
    _require_room(found, output.resolve().parent)
    with writing(output) as stream:
        text = io.TextIOWrapper(stream, "utf-8", newline="\n", write_through=True)
        number = made.write_to(text)
        text.flush()
        text.detach()
    return Done({"name": name, "file": str(output), "answers": number})


def _require_room(found: Findings[Any], folder: Path | None) -> None:
    """Refuse a file for which the disk has no room, before it is filled: a few answers tell how long they are."""
    from tablero.runs.answers import MARGIN, MODEST, free_space, told_size

    rows = found.result.answers
    if not found.result.kept or not len(rows) or rows.nbytes < MODEST // 16 or folder is None:
        return
    some = replace(found, result=replace(found.result, answers=rows[:: -(-len(rows) // _SOME)]))
    length = sum(len(json.dumps(one)) + 2 for one in some.told()) / len(some.result.answers)
    size, free = int(length * len(rows)), free_space(folder)
    if size + MARGIN > free:
        raise BadInput(
            f"{len(rows):,} answers make about {told_size(size)} of text, and {folder} has {told_size(free)} free"
        )


@interrupts.Polling()
def _export(values: dict[str, Any], found: Findings[Any], as_lines: bool, out: IO[str]) -> int:
    """Write it, some answers at a time; return how many."""
    if as_lines:
        out.write(plain_json(json.dumps(values, ensure_ascii=False)) + "\n")
        number = 0
        for text in found.in_json() if found.result.kept else ():
            out.write(f'{{"answer": {plain_json(text)}}}\n')
            number += 1
            interrupts.check()
        return number
    out.write(plain_json(json.dumps(values, ensure_ascii=False, indent=1))[:-2] + ',\n "answers": ')
    number = 0
    if found.result.kept:
        number = write_list(found, out, plain_json)
    else:
        out.write("[]")
    out.write("\n}\n")
    interrupts.check()
    return number


@command()
def remove(
    name: Name, *, force: Annotated[bool, Meta(description="Even when it is running or damaged.")] = False
) -> Done:
    """Delete a job and all that it found.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs remove sixteen
    """
    from tablero.runs import jobs

    jobs.remove(name, force=force)
    return Done({"name": name, "removed": True})


COMMANDS: tuple[Command, ...] = (list_, show, board, resume, stop, export, remove)
