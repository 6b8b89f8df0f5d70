"""The options of all searches and of all output, and the commands without a family.

They are described like verbs.  `Settings` holds the values of the options.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from tablero.errors import BadInput
from tablero.files import require_writable
from tablero.verbs.describe import Action, Verb
from tablero.verbs.parameters import Parameter, Spelling, parameters

if TYPE_CHECKING:
    from tablero.runs.findings import Findings
    from tablero.runs.progress import Watcher
    from tablero.runs.run import Run

_SECONDS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}
MOST_PROCESSES = 16  # that compile kernels, about 300 MB each
_TIME = Spelling(metavar="TIME", reads="tablero.cli.options:duration")
_RARE = Spelling(hidden=True)


def _output(
    *,
    as_json: Annotated[
        bool,
        Meta(description="Print one JSON object, and nothing else, on standard output."),
        Spelling(option="json"),
    ] = False,
    quiet: Annotated[bool, Meta(description="Print no progress and no messages."), Spelling(short="-q")] = False,
) -> None: ...


def _work(
    *,
    time_limit: Annotated[
        float | None, Meta(description="Stop after this time, such as 60s, 5m, 2h or 1d."), _TIME
    ] = None,
    node_limit: Annotated[int | None, Meta(ge=1, description="Stop after this number of nodes."), _RARE] = None,
) -> None: ...


def _search(
    *,
    threads: Annotated[int, Meta(ge=1, le=1024, description="Number of threads."), Spelling(short="-t")] = 1,
    job: Annotated[
        str | None,
        Meta(description="Store the search under this name, so that it can be resumed, even after a crash."),
        Spelling(metavar="NAME"),
    ] = None,
    cluster: Annotated[
        str | None,
        Meta(description="Search on a Dask cluster: HOST:PORT of the scheduler, or local:N for N local processes."),
        Spelling(metavar="ADDRESS", hidden=True),
    ] = None,
    tls: Annotated[
        str,
        Meta(description="Folder with the cluster's certificates."),
        Spelling(metavar="FOLDER", hidden=True),
    ] = "",
    insecure: Annotated[bool, Meta(description="Allow unencrypted connections to other machines."), _RARE] = False,
    unit_nodes: Annotated[
        int | None,
        Meta(ge=1, description="Size of a unit of work in nodes; by default, some seconds of work."),
        _RARE,
    ] = None,
    log: Annotated[
        Path | None,
        Meta(description="Write a line of JSON to this file for every unit of work."),
        Spelling(metavar="FILE", hidden=True, reads="pathlib:Path"),
    ] = None,
    as_lines: Annotated[
        bool,
        Meta(description="Print JSON lines: an object for each answer when it is found, then the summary."),
        Spelling(option="jsonl"),
    ] = False,
) -> None: ...


OUTPUT: tuple[Parameter, ...] = parameters(_output)
WORK: tuple[Parameter, ...] = (*parameters(_work), *OUTPUT)
SEARCH: tuple[Parameter, ...] = (*parameters(_work), *parameters(_search), *OUTPUT)
PARALLEL: tuple[Parameter, ...] = (*(one for one in SEARCH if one.name == "threads"), *WORK)


def duration(text: str) -> float:
    """The seconds of a time such as 60s, 5m, 2h or 1d."""
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*(s|m|min|h|d|)", text.strip())
    if not found or float(found[1]) == 0:
        raise BadInput(f"the time {text!r}: expected a time above 0, such as 60s, 5m, 2h or 1d")
    return float(found[1]) * _SECONDS[found[2]]


def shared_options(action: Action) -> Sequence[Parameter]:
    """The search and output options of an action."""
    if isinstance(action, Verb):
        return SEARCH if action.durable else PARALLEL if action.threads else WORK if action.runs else OUTPUT
    return action.shared if isinstance(action, Command) else OUTPUT


def some(*names: str) -> tuple[Parameter, ...]:
    """The search options with these names, and the options of every command."""
    return tuple(one for one in SEARCH if one.name in names or one in OUTPUT)


@dataclass(frozen=True)
class Settings:
    """The values of the search and output options."""

    as_json: bool = False
    quiet: bool = False
    threads: int = 1
    time_limit: float | None = None
    node_limit: int | None = None
    job: str | None = None
    cluster: str | None = None
    tls: str = ""
    insecure: bool = False
    as_lines: bool = False  # as JSON lines
    unit_nodes: int | None = None
    log: Path | None = None

    def __post_init__(self) -> None:
        if self.as_json and self.as_lines:
            raise BadInput("--json and --jsonl: expected only one of them")
        if self.job == "":
            raise BadInput("--job '': expected a name of 1 to 64 letters, digits, dots, dashes or underscores")
        if self.cluster == "":
            raise BadInput("--cluster '': expected HOST:PORT, tls://HOST:PORT or local:N")
        if (self.tls or self.insecure) and not self.cluster:
            raise BadInput(f"{'--tls' if self.tls else '--insecure'}: expected --cluster with it")
        if self.log is not None:
            require_writable(self.log, option="--log")

    @property
    def wants_json(self) -> bool:
        return self.as_json or self.as_lines

    def say(self, *lines: str) -> None:
        """Print messages to standard error, unless --quiet is given."""
        if lines and not self.quiet:
            print(*lines, sep="\n", file=sys.stderr)

    def watcher(self) -> Watcher | None:
        """The progress display; None with --quiet."""
        from tablero.runs.progress import Progress

        return None if self.quiet else Progress()

    def run(self, receive: Callable[[Findings[Any]], None] | None = None) -> Run:
        """How the search is run; answers that are not all kept in memory go to `receive` when they are found."""
        from tablero.runs.run import Grid, Here, Job

        more: dict[str, Any] = {"time_limit": self.time_limit, "node_limit": self.node_limit, "watch": self.watcher()}
        more |= {"unit_nodes": self.unit_nodes, "log": self.log, "receive": receive, "brief": True}
        if self.cluster:
            return Grid(self.cluster, tls=self.tls, insecure=self.insecure, job=self.job or "", **more)
        if self.job:
            return Job(self.job, threads=self.threads, **more)
        return Here(threads=self.threads, **more)


@dataclass(frozen=True)
class Command(Action):
    """A command without a family.  Its parameter `settings` receives the values of the shared options."""

    shared: Sequence[Parameter] = OUTPUT

    def call(self, options: dict[str, Any], settings: Settings) -> Any:
        """Call the function; it returns a result, or an iterator of results that are printed one after another."""
        values = self.checked(options)
        self.require_sense(None, values)
        if "settings" in self.signature.parameters:
            values["settings"] = settings
        return self.function(**values)


def command(**about: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make a command of a function: see `Command` for the parameters."""
    return lambda function: Command(function, **about)


@dataclass(frozen=True)
class Done:
    """The result of a command: facts for JSON, lines for a terminal, and messages."""

    facts: dict[str, Any]
    text: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    status: str = "complete"

    def to_dict(self) -> dict[str, Any]:
        return self.facts

    def lines(self) -> tuple[str, ...]:
        return self.text

    def remarks(self) -> tuple[str, ...]:
        return self.notes
