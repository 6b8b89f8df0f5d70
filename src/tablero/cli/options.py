"""The options that say how a search is run and how its answer is printed, and the commands of no family.

Both are described as a verb is.  `Settings` has the values.
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
MOST_PROCESSES = 16  # that compile kernels, of some 300 MB each
_TIME = Spelling(metavar="TIME", reads="tablero.cli.options:duration")
_RARE = Spelling(hidden=True)


def _manner(
    *,
    as_json: Annotated[
        bool,
        Meta(description="Print one JSON object on standard output, and nothing else there."),
        Spelling(option="json"),
    ] = False,
    quiet: Annotated[bool, Meta(description="Print neither progress nor remarks."), Spelling(short="-q")] = False,
) -> None: ...


def _work(
    *,
    time_limit: Annotated[float | None, Meta(description="Stop after this long, as 60s, 5m, 2h or 1d."), _TIME] = None,
    node_limit: Annotated[int | None, Meta(ge=1, description="Stop after so many nodes."), _RARE] = None,
) -> None: ...


def _search(
    *,
    threads: Annotated[int, Meta(ge=1, le=1024, description="Number of threads."), Spelling(short="-t")] = 1,
    job: Annotated[
        str | None,
        Meta(description="Keep the search under this name: it survives any crash and can be resumed."),
        Spelling(metavar="NAME"),
    ] = None,
    cluster: Annotated[
        str | None,
        Meta(description="Search on a Dask cluster: HOST:PORT of its scheduler, or local:N processes."),
        Spelling(metavar="ADDRESS", hidden=True),
    ] = None,
    tls: Annotated[
        str,
        Meta(description="Folder with the certificates of the cluster."),
        Spelling(metavar="FOLDER", hidden=True),
    ] = "",
    insecure: Annotated[bool, Meta(description="Allow unencrypted connections to other machines."), _RARE] = False,
    unit_nodes: Annotated[
        int | None,
        Meta(ge=1, description="Nodes of a unit of work, in place of some seconds."),
        _RARE,
    ] = None,
    log: Annotated[
        Path | None,
        Meta(description="Write a line of JSON for every unit of work to this file."),
        Spelling(metavar="FILE", hidden=True, reads="pathlib:Path"),
    ] = None,
    as_lines: Annotated[
        bool,
        Meta(description="Print JSON lines: an object for every answer as it comes, then the summary."),
        Spelling(option="jsonl"),
    ] = False,
) -> None: ...


MANNER: tuple[Parameter, ...] = parameters(_manner)
WORK: tuple[Parameter, ...] = (*parameters(_work), *MANNER)
SEARCH: tuple[Parameter, ...] = (*parameters(_work), *parameters(_search), *MANNER)
PARALLEL: tuple[Parameter, ...] = (*(one for one in SEARCH if one.name == "threads"), *WORK)


def duration(text: str) -> float:
    """A time as 60s, 5m, 2h or 1d in seconds."""
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*(s|m|min|h|d|)", text.strip())
    if not found or float(found[1]) == 0:
        raise BadInput(f"the time {text!r}: expected a time above 0 as 60s, 5m, 2h or 1d")
    return float(found[1]) * _SECONDS[found[2]]


def shared_options(action: Action) -> Sequence[Parameter]:
    """The options that say how an action is run and answered."""
    if isinstance(action, Verb):
        return SEARCH if action.durable else PARALLEL if action.threads else WORK if action.runs else MANNER
    return action.shared if isinstance(action, Command) else MANNER


def some(*names: str) -> tuple[Parameter, ...]:
    """Options of a search, by name, and those of every command."""
    return tuple(one for one in SEARCH if one.name in names or one in MANNER)


@dataclass(frozen=True)
class Settings:
    """How a search is run and an answer is printed, as the options say."""

    as_json: bool = False
    quiet: bool = False
    threads: int = 1
    time_limit: float | None = None
    node_limit: int | None = None
    job: str | None = None
    cluster: str | None = None
    tls: str = ""
    insecure: bool = False
    as_lines: bool = False  # JSON too, but lines of it
    unit_nodes: int | None = None
    log: Path | None = None

    def __post_init__(self) -> None:
        if self.as_json and self.as_lines:
            raise BadInput("--json is one object, --jsonl is one a line: expected only one of them")
        if self.job == "":
            raise BadInput("--job '': expected a name of 1 to 64 letters, digits, dots, dashes or underscores")
        if self.cluster == "":
            raise BadInput("--cluster '': expected HOST:PORT, tls://HOST:PORT or local:N")
        if (self.tls or self.insecure) and not self.cluster:
            raise BadInput(f"{'--tls' if self.tls else '--insecure'} goes with --cluster")
        if self.log is not None:
            require_writable(self.log, option="--log")

    @property
    def wants_json(self) -> bool:
        return self.as_json or self.as_lines

    def say(self, *lines: str) -> None:
        """Print remarks to standard error, unless they are unwelcome."""
        if lines and not self.quiet:
            print(*lines, sep="\n", file=sys.stderr)

    def watcher(self) -> Watcher | None:
        """The display of progress."""
        from tablero.runs.progress import Progress

        return None if self.quiet else Progress()

    def run(self, receive: Callable[[Findings[Any]], None] | None = None) -> Run:
        """How a search is run; answers that are too many to be kept go to `receive` as they come."""
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
    """A command of no family.  A parameter `settings` gets what the options that it shares with others say."""

    shared: Sequence[Parameter] = MANNER

    def call(self, options: dict[str, Any], settings: Settings) -> Any:
        """What the function answers: a result, or several that are printed one after another."""
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
    """What a command has done: facts as JSON can hold them, lines for a terminal, and remarks."""

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
