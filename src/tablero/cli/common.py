"""What the commands of all families share: options, how they become a run, exit statuses, output."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from tablero import interrupts
from tablero.cli.plain import plain_json
from tablero.errors import BadInput
from tablero.files import require_writable, write_text
from tablero.words import several

if TYPE_CHECKING:
    from tablero.draw.scene import Scene
    from tablero.runs.findings import Findings
    from tablero.runs.run import Run
    from tablero.runs.watch import Watcher

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output, and nothing else there.")]
JsonLines = Annotated[
    bool, typer.Option("--jsonl", help="Print JSON lines: an object for every answer as it comes, then the summary.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no remarks.")]
Solutions = Annotated[str, typer.Option("--solutions", "-n", help="How many to find: a number, or all.")]
TimeLimit = Annotated[str | None, typer.Option("--time-limit", help="Stop after this long, as 60s, 5m, 2h or 1d.")]
NodeLimit = Annotated[int | None, typer.Option("--node-limit", help="Stop after so many nodes.")]
# These two are for measuring: not in the help of every search, but in that of `jobs` and `cluster`.
UnitNodes = Annotated[
    int | None,
    typer.Option("--unit-nodes", hidden=True, help="Give every unit of work so many nodes, instead of some seconds."),
]
LogFile = Annotated[
    Path | None,
    typer.Option("--log", hidden=True, help="Write a line of JSON a unit there: its time, nodes and solutions."),
]
ABOUT_UNITS = (
    "Every search also takes --unit-nodes N, which gives every unit of work N nodes instead of some seconds, and "
    "--log FILE, which writes a line of JSON for every unit: its time, nodes and solutions."
)
ThreadCount = Annotated[int, typer.Option("--threads", "-t", help="Threads to search with.")]
JobName = Annotated[str | None, typer.Option("--job", help="Keep the search under this name: it survives any crash.")]
ClusterAddress = Annotated[
    str | None,
    typer.Option("--cluster", help="Search on a Dask cluster: HOST:PORT of its scheduler, or local:N processes."),
]
Tls = Annotated[str, typer.Option("--tls", help="The folder with the certificates of the cluster.")]
Insecure = Annotated[bool, typer.Option("--insecure", help="Talk to other machines without TLS. You insist.")]
Seed = Annotated[
    int, typer.Option("--seed", help="What the random numbers begin with: the same seed, the same result.")
]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="The file to write.")]
SvgFile = Annotated[Path | None, typer.Option("--svg", help="Draw the first answer into this file.")]
PerPage = Annotated[int, typer.Option("--per-page", help="Puzzles on a page of a drawing: 1, 2, 4, 6 or 12.")]
Title = Annotated[str, typer.Option("--title", help="What stands at the top of every page of puzzles.")]
PageFile = Annotated[Path | None, typer.Option("--page", help="Write a page that plays it.")]

_SECONDS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True)
class Manner:
    """How a command is to answer."""

    as_json: bool = False
    quiet: bool = False

    @property
    def talks(self) -> bool:
        """Whether remarks are welcome on standard error."""
        return not self.quiet

    def say(self, *lines: str) -> None:
        """Remarks, unless they are unwelcome."""
        if lines and not self.quiet:
            print(*lines, sep="\n", file=sys.stderr)

    @contextmanager
    def compiling(self, what: str) -> Iterator[None]:
        """Say what is compiled when that takes long."""
        from tablero.runs.watch import Snapshot

        watch = self.watcher() or (lambda _: None)
        watch(Snapshot(doing=f"compiling {what}"))
        try:
            yield
        finally:
            watch(Snapshot(over=True))

    def watcher(self) -> Watcher | None:
        """The display of progress."""
        from tablero.runs.progress import Progress

        return None if self.quiet else Progress()

    def here(self, time_limit: str | None = None) -> Run:
        """The runner's word for work that is neither kept nor shared."""
        from tablero.runs.run import Here

        return Here(time_limit=duration(time_limit), watch=self.watcher())


@dataclass(frozen=True)
class Settings(Manner):
    """How a search is run and told, as the options say."""

    threads: int = 1
    time_limit: float | None = None
    node_limit: int | None = None
    job: str = ""
    cluster: str = ""
    tls: str = ""
    insecure: bool = False
    as_lines: bool = False  # JSON too, but lines of it
    unit_nodes: int | None = None
    log: Path | None = None

    @classmethod
    def of(
        cls,
        *,
        threads: int = 1,
        time_limit: str | None = None,
        node_limit: int | None = None,
        job: str | None = None,
        cluster: str | None = None,
        tls: str = "",
        insecure: bool = False,
        unit_nodes: int | None = None,
        log: Path | None = None,
        as_json: bool = False,
        as_lines: bool = False,
        quiet: bool = False,
    ) -> Settings:
        if as_json and as_lines:
            raise BadInput("--json is one object, --jsonl is one a line: expected only one of them")
        if job == "":
            raise BadInput("--job '': expected a name of 1 to 64 letters, digits, dots, dashes or underscores")
        if cluster == "":
            raise BadInput("--cluster '': expected HOST:PORT, tls://HOST:PORT or local:N")
        if (tls or insecure) and not cluster:
            raise BadInput(f"{'--tls' if tls else '--insecure'} goes with --cluster")
        if log is not None:
            require_writable(log, option="--log")
        limits = (threads, duration(time_limit), node_limit)
        units: dict[str, Any] = {"as_lines": as_lines, "unit_nodes": unit_nodes, "log": log}
        found = cls(as_json or as_lines, quiet, *limits, job or "", cluster or "", tls, insecure, **units)
        found.run()  # refuses numbers out of range before anything is read
        return found

    def run(self, outlet: Outlet | None = None) -> Run:
        """The runner's word for it; with an outlet, answers that are too many to be kept go there as they come."""
        from tablero.runs.run import Grid, Here, Job

        limits: dict[str, Any] = {"time_limit": self.time_limit, "node_limit": self.node_limit, "watch": self.watcher()}
        limits |= {"unit_nodes": self.unit_nodes, "log": self.log}
        limits |= {"receive": outlet, "brief": True}
        if self.cluster:
            return Grid(self.cluster, tls=self.tls, insecure=self.insecure, job=self.job, **limits)
        if self.job:
            return Job(self.job, threads=self.threads, **limits)
        return Here(threads=self.threads, **limits)


Command = Callable[..., int]
REQUIRED = inspect.Parameter.empty


def with_options(name: str, make: Callable[..., Any], **options: tuple[Any, Any]) -> Callable[[Command], Command]:
    """Give a command options that many share, each with kind and default; it gets what `make` makes of them as `name`."""
    more = [
        inspect.Parameter(word, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for word, (kind, default) in options.items()
    ]

    def widen(command: Command) -> Command:
        signature = inspect.signature(command, eval_str=True)
        own = [parameter for word, parameter in signature.parameters.items() if word != name]

        @wraps(command)
        def run(**given: Any) -> int:
            return command(**{name: make(**{word: given.pop(word) for word in options})}, **given)

        # Typer reads the options of a command from both.
        run.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *more)}
        return run

    return widen


def with_settings(*, time_limit: str | None = None) -> Callable[[Command], Command]:
    """Give a command the options that every search takes; it gets what they say as `settings`."""
    return with_options(
        "settings",
        Settings.of,
        threads=(ThreadCount, 1),
        time_limit=(TimeLimit, time_limit),
        node_limit=(NodeLimit, None),
        job=(JobName, None),
        cluster=(ClusterAddress, None),
        tls=(Tls, ""),
        insecure=(Insecure, False),
        unit_nodes=(UnitNodes, None),
        log=(LogFile, None),
        as_json=(Json, False),
        as_lines=(JsonLines, False),
        quiet=(Quiet, False),
    )


with_manner = with_options("manner", Manner, as_json=(Json, False), quiet=(Quiet, False))


def duration(text: str | None) -> float | None:
    """A time as 60s, 5m, 2h or 1d in seconds; None is no limit."""
    if text is None:
        return None
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*(s|m|min|h|d|)", text.strip())
    if not found or float(found[1]) == 0:
        raise BadInput(f"the time {text!r}: expected a time above 0 as 60s, 5m, 2h or 1d")
    return float(found[1]) * _SECONDS[found[2]]


def number_of_solutions(text: str) -> int | None:
    """How many answers are wanted; None is all."""
    if text.lower() == "all":
        return None
    if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) == 0:
        raise BadInput(f"--solutions {text}: expected a number from 1, or all")
    return int(text)


# What a command answers


told = False  # whether this command has told what was found, or has begun to
all_told = False  # whether it has told all that it had when Ctrl-C came
known: dict[str, Any] = {}  # of a job, before its search is made again: what its file says
STATUS = {"solved": 0, "complete": 0, "none": 1, "open": 3}


def exit_status(found: Findings[Any]) -> int:
    """0 answered, 1 there is no answer, 3 open, 130 interrupted."""
    return ended(found.interrupted) or STATUS[found.status]


def ended(interrupted: bool) -> int:
    """The status of a command that has told what it found: all it was asked for, or what it had at Ctrl-C."""
    global told, all_told
    told, all_told = told or interrupted, interrupted
    return 130 if interrupted else 0


def sentence(found: Findings[Any], one: str, many: str) -> str:
    """The summary in words."""
    from tablero.runs.progress import short_number

    count = f"{found.solutions:,} {one if found.solutions == 1 else many}"
    ending = {
        "solved": "as asked",
        "complete": "all there are",
        "none": "proved",
        "open": f"stopped at {100 * found.fraction:.4g} % of the search",
    }[found.status]
    rate = short_number(found.nodes / max(found.seconds, 1e-9))
    nodes = f"{found.nodes:,} node{'' if found.nodes == 1 else 's'}"
    text = f"{count} ({ending}); {nodes} in {found.seconds:.2f} s, {rate} a second"
    return text + (f"; {several(found.result.aside, 'unit')} set aside" if found.result.aside else "")


def print_json(values: dict[str, Any]) -> None:
    global told
    told = True
    # Not json.dump: only the encoder of whole texts is compiled, and answers may come in millions.
    sys.stdout.write(plain_json(json.dumps(values, ensure_ascii=False)) + "\n")


def print_values(values: dict[str, Any], settings: Settings) -> None:
    """Values with a few answers among them: one object, or lines."""
    if settings.as_lines:
        for answer in values.pop("answers", ()):
            print_json({"answer": answer})
    print_json(values)


def print_found(found: Findings[Any], settings: Settings, **more: Any) -> None:
    """Findings as JSON, with their answers unless only their number was wanted: one object, or lines; however many."""
    values = {**found.values(), **more}
    if settings.as_lines:
        if found.result.kept and not found.result.passed:
            Outlet(settings)(found)
        print_json(values)
        return
    if not found.result.kept:
        print_json(values)
        return
    global told
    told = True
    if found.result.passed:  # the list was begun with the first of them, and its numbers are known now
        sys.stdout.write("], " + json.dumps(values, ensure_ascii=False)[1:] + "\n")
        return
    with interrupts.Polling():
        sys.stdout.write(json.dumps(values, ensure_ascii=False)[:-1] + ', "answers": ')
        write_list(found, sys.stdout)
        sys.stdout.write("}\n")
        sys.stdout.flush()
        interrupts.check()


def write_list(found: Findings[Any], out: IO[str], edit: Callable[[str], str] = str) -> int:
    """Write the answers as a JSON list, some at a time, until a stop is requested; return how many."""
    number, between = 0, "["
    for text in found.in_json():
        out.write(between + edit(text))
        number, between = number + 1, ", "
        if interrupts.stop_requested():
            break
    out.write("[]" if not number else "]")
    return number


class Outlet:
    """Where answers leave: as JSON lines, as the list that a JSON object begins with, or as the family's lines of text."""

    def __init__(self, settings: Settings, lines: Callable[[Any, int], str] | None = None) -> None:
        self._lines = None if settings.as_json else lines
        self._first, self._form = ('{"answers": [%s', ", %s") if not settings.as_lines else ('{"answer": %s}\n',) * 2
        self._number = 0

    def __call__(self, found: Findings[Any]) -> None:
        """Write all answers; `lines` hears the number of those before."""
        global told
        told = True
        with interrupts.Polling():
            self._write(found)
            interrupts.check()

    def _write(self, found: Findings[Any]) -> None:
        """Write until a stop is requested: no line or object is cut."""
        if self._lines is None:
            for text in found.in_json():
                sys.stdout.write((self._form if self._number else self._first) % text)
                self._number += 1
                if interrupts.stop_requested():
                    break
            return
        for piece in found.pieces():
            sys.stdout.write(self._lines(piece, self._number))
            self._number += len(piece.result.answers)
            if interrupts.stop_requested():
                break


def put(text: str, output: Path | None) -> None:
    """Write into the file that was named, or print."""
    if output is None:
        sys.stdout.write(text)
    else:
        require_writable(output, option="--output")
        write_text(output, text)


def require_pictures(*, svg: Path | None = None, pdf: Path | None = None, page: Path | None = None) -> None:
    """Refuse pictures that could not be written, or whose names promise another format, before anything is searched."""
    for path, option, suffix in ((svg, "--svg", ".svg"), (pdf, "--pdf", ".pdf"), (page, "--page", ".html")):
        if path is not None:
            require_writable(path, suffix, option=option)


def write_svg(path: Path | None, scene: Scene | None, cell: float | None = None) -> None:
    """Draw, where a file is named and there is something to draw."""
    from tablero.draw.svg import to_svg

    if path is not None and scene is not None:
        write_text(path, to_svg(scene, cell))
