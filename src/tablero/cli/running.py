"""The options that say how a search is run and how its answer is printed: described as those of a verb are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from tablero.verbs.parameters import Parameter, Spelling, parameters

if TYPE_CHECKING:
    from tablero.verbs.describe import Verb

_TIME = Spelling(metavar="TIME")


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
    node_limit: Annotated[int | None, Meta(ge=1, description="Stop after so many nodes.")] = None,
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
        Spelling(metavar="ADDRESS"),
    ] = None,
    tls: Annotated[
        str, Meta(description="Folder with the certificates of the cluster."), Spelling(metavar="FOLDER")
    ] = "",
    insecure: Annotated[bool, Meta(description="Talk to other machines without TLS.")] = False,
    unit_nodes: Annotated[
        int | None,
        Meta(ge=1, description="Nodes of a unit of work, in place of some seconds."),
        Spelling(hidden=True),
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
    if verb.durable:
        return SEARCH
    return PARALLEL if verb.threads else WORK if verb.runs else MANNER
