"""What the commands of all families share: options, running a search, exit statuses, output."""

from __future__ import annotations

import inspect
import json
import os
import re
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tablero.errors import BadInput

if TYPE_CHECKING:
    from tablero.runs.coordinator import Result
    from tablero.runs.engines import Engine
    from tablero.runs.store import Store
    from tablero.search.base import Search

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on standard output, and nothing else there.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no remarks.")]
Solutions = Annotated[str, typer.Option("--solutions", "-n", help="How many to find: a number, or all.")]
TimeLimit = Annotated[str, typer.Option("--time-limit", help="Stop after this long, as 60s, 5m, 2h or 1d.")]
ThreadCount = Annotated[int, typer.Option("--threads", "-t", help="Threads to search with.")]
Job = Annotated[str | None, typer.Option("--job", help="Keep the search under this name: it survives any crash.")]
ClusterAddress = Annotated[
    str, typer.Option("--cluster", help="Search on a Dask cluster: HOST:PORT of its scheduler, or local:N processes.")
]
Tls = Annotated[str, typer.Option("--tls", help="The folder with the certificates of the cluster.")]
Insecure = Annotated[bool, typer.Option("--insecure", help="Talk to other machines without TLS. You insist.")]
SvgFile = Annotated[Path | None, typer.Option("--svg", help="Draw the first answer into this file.")]

MOST_THREADS = 1024
_SECONDS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True)
class Settings:
    """How a search is run, as the options say."""

    threads: int = 1
    time_limit: float | None = None
    job: str = ""
    as_json: bool = False
    quiet: bool = False
    cluster: str = ""
    tls: str = ""
    insecure: bool = False

    @classmethod
    def of(
        cls,
        threads: int,
        time_limit: str,
        job: str | None,
        as_json: bool,
        quiet: bool,
        cluster: str = "",
        tls: str = "",
        insecure: bool = False,
    ) -> Settings:
        if not 1 <= threads <= MOST_THREADS:
            raise BadInput(f"--threads {threads}: expected 1 to {MOST_THREADS}")
        if (tls or insecure) and not cluster:
            raise BadInput(f"{'--tls' if tls else '--insecure'} goes with --cluster")
        return cls(threads, duration(time_limit), job or "", as_json, quiet, cluster, tls, insecure)

    def engine(self) -> Engine:
        """Where the search will run."""
        if not self.cluster:
            from tablero.runs.engines import Threads

            return Threads(self.threads)
        from tablero.runs.cluster import Cluster

        return Cluster(self.cluster, self.tls, self.insecure)


def with_settings(*, time_limit: str = "") -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the options that every search takes; it gets what they say as `settings`."""
    options = [
        _option("threads", ThreadCount, 1),
        _option("time_limit", TimeLimit, time_limit),
        _option("job", Job, None),
        _option("cluster", ClusterAddress, ""),
        _option("tls", Tls, ""),
        _option("insecure", Insecure, False),
        _option("as_json", Json, False),
        _option("quiet", Quiet, False),
    ]

    def widen(command: Callable[..., int]) -> Callable[..., int]:
        signature = inspect.signature(command, eval_str=True)
        own = [parameter for name, parameter in signature.parameters.items() if name != "settings"]

        @wraps(command)
        def run(**given: Any) -> int:
            if given["job"] == "":  # as an unset variable of a script gives it: nothing would be kept
                raise BadInput("--job '': expected a name")
            settings = Settings.of(**{option.name: given.pop(option.name) for option in options})
            return command(**given, settings=settings)

        # Typer reads the options of a command from both.
        run.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
        run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*own, *options)}
        return run

    return widen


def _option(name: str, kind: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def duration(text: str) -> float | None:
    """A time as 60s, 5m, 2h or 1d in seconds; nothing is no limit."""
    if not text:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|m|min|h|d|)", text.strip())
    if not found or float(found[1]) == 0:
        raise BadInput(f"the time {text!r}: expected a time above 0 as 60s, 5m, 2h or 1d")
    return float(found[1]) * _SECONDS[found[2]]


def number_of_solutions(text: str) -> int | None:
    """How many answers are wanted; None is all."""
    if text == "all":
        return None
    if not re.fullmatch(r"\d{1,18}", text) or int(text) == 0:
        raise BadInput(f"--solutions {text}: expected a number from 1, or all")
    return int(text)


def perform(
    search: Search,
    settings: Settings,
    *,
    most: int | None = None,
    keep: bool = True,
    recipe: dict[str, Any] | None = None,
    problem: bytes = b"",
    store: Store | None = None,
) -> Result:
    """Compile, run with progress, and keep the books where a job is named or its store is given."""
    from tablero.runs import jobs
    from tablero.runs.coordinator import run
    from tablero.runs.progress import ProgressLine

    engine = settings.engine()
    progress = None if settings.quiet else ProgressLine()
    try:
        if settings.job and store is None:
            assert recipe is not None
            store, new = jobs.begin(settings.job, search, recipe, problem)
            if not new and not settings.quiet:
                print(f"job {settings.job!r} goes on from {100 * store.totals().fraction:.2f} %", file=sys.stderr)
        with compile_notice(f"the kernel {search.name}", settings.quiet):
            search.warm()
        result = run(
            search,
            most=most,
            keep=keep,
            engine=engine,
            time_limit=settings.time_limit,
            store=store,
            watch=progress,
        )
    finally:
        engine.close()
        if progress:
            progress.clear()
        if store:
            store.close()
    if result.interrupted and settings.job and not settings.quiet:
        print(f"interrupted; 'tablero jobs resume {settings.job}' goes on", file=sys.stderr)
    return result


def compile_notice(what: str, quiet: bool) -> Any:
    """A context that tells what is compiled when it takes long."""
    from tablero.runs.progress import compiling

    return nullcontext() if quiet else compiling(what)


def exit_status(result: Result) -> int:
    """0 answered, 1 there is no answer, 3 open, 130 interrupted."""
    if result.interrupted:
        return 130
    return {"solved": 0, "complete": 0, "none": 1, "open": 3}[result.status]


def summary(result: Result) -> dict[str, Any]:
    """The keys that every search reports."""
    return {
        "status": result.status,
        "solutions": result.solutions,
        "nodes": result.nodes,
        "seconds": round(result.seconds, 6),
        "cpu_seconds": round(result.cpu, 6),
        "fraction": result.fraction,
        **({"set_aside": result.aside} if result.aside else {}),
    }


def sentence(result: Result, one: str, many: str) -> str:
    """The summary in words."""
    from tablero.runs.progress import short_number

    count = f"{result.solutions:,} {one if result.solutions == 1 else many}"
    ending = {
        "solved": "as asked",
        "complete": "all there are",
        "none": "proved",
        "open": f"stopped at {100 * result.fraction:.4g} % of the search",
    }[result.status]
    rate = short_number(result.nodes / max(result.seconds, 1e-9))
    nodes = f"{result.nodes:,} node{'' if result.nodes == 1 else 's'}"
    text = f"{count} ({ending}); {nodes} in {result.seconds:.2f} s, {rate} a second"
    return text + (f"; {result.aside} units set aside" if result.aside else "")


def print_json(values: dict[str, Any]) -> None:
    # Not json.dump: only the encoder of whole texts is compiled, and answers may come in millions.
    sys.stdout.write(json.dumps(values, ensure_ascii=False) + "\n")


def require_folder(path: Path) -> None:
    """Refuse a file that could not be written, before there is anything to write."""
    if not path.parent.is_dir():
        raise BadInput(f"cannot write {path}: the folder {path.parent} is not there")


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    scratch = path.with_name(path.name + f".{os.getpid()}.part")
    try:
        scratch.write_text(text, encoding="utf-8")
        scratch.replace(path)
    except OSError as error:
        scratch.unlink(missing_ok=True)
        raise BadInput(f"cannot write {path}: {error.strerror or error}") from None
