"""The options that say how a search is run and how its answer is printed: described as those of a verb are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from tablero.verbs.describe import Verb
from tablero.verbs.parameters import Parameter, Spelling, parameters

MOST_PROCESSES = 16  # that compile kernels, of some 300 MB each
_TIME = Spelling(metavar="TIME")
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
    time_limit: Annotated[str | None, Meta(description="Stop after this long, as 60s, 5m, 2h or 1d."), _TIME] = None,
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
    insecure: Annotated[bool, Meta(description="Talk to other machines without TLS."), _RARE] = False,
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


def manner_of(verb: Verb) -> tuple[Parameter, ...]:
    """The options that say how a verb is run and answered."""
    if isinstance(verb, Command):
        return verb.manner
    if verb.durable:
        return SEARCH
    return PARALLEL if verb.threads else WORK if verb.runs else MANNER


def some(*names: str) -> tuple[Parameter, ...]:
    """Options of a search, by name, and those of every command."""
    return tuple(one for one in SEARCH if one.name in names or one in MANNER)


@dataclass(frozen=True)
class Command(Verb):
    """A command of no family, described as a verb is.  A parameter `settings` gets what `manner` says."""

    manner: tuple[Parameter, ...] = MANNER

    @cached_property
    def options(self) -> tuple[Parameter, ...]:
        return tuple(one for one in parameters(self.function) if one.name != "settings")

    def call(self, options: dict[str, Any], settings: Any) -> Any:
        """What the function answers: a result, or several that are printed one after another."""
        values = self.checked(options)
        self.require_sense(None, values)
        if "settings" in self.signature.parameters:
            values["settings"] = settings
        return self.function(**values)


def command(*, manner: tuple[Parameter, ...] = MANNER, **about: Any) -> Callable[[Callable[..., Any]], Command]:
    """Make a command of a function: `manner` are the options that it shares with others; see `Verb` for the rest."""
    return lambda function: Command(function, manner=manner, **about)


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
