"""`tablero jobs`: searches that outlive their process."""

from __future__ import annotations

import io
import json
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from tablero import interrupts
from tablero.cli import common
from tablero.cli.common import (
    ClusterAddress,
    Insecure,
    Json,
    JsonLines,
    Manner,
    NodeLimit,
    Output,
    Quiet,
    Settings,
    ThreadCount,
    TimeLimit,
    Tls,
    write_list,
)
from tablero.cli.plain import plain, plain_json
from tablero.errors import BadInput, JobError
from tablero.families import by_word
from tablero.families import resume as ask_again

if TYPE_CHECKING:
    from tablero.runs.findings import Findings

app = typer.Typer(
    help="Searches that outlive their process: list, show, resume, stop, export, remove.",
    no_args_is_help=True,
    rich_markup_mode=None,
    epilog=common.ABOUT_UNITS,
)


def _offered() -> list[str]:
    """The names that a shell completes."""
    from tablero.runs.jobs import home

    return sorted(path.stem for path in home().glob("*.job"))


Name = Annotated[str, typer.Argument(help="The job's name.", autocompletion=_offered)]
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


@app.command("list")
def list_(as_json: Json = False, quiet: Quiet = False) -> int:
    """All jobs.

    Examples:
        tablero jobs list
    """
    from tablero.runs.jobs import home, list_jobs

    jobs = list_jobs()
    if as_json:
        _print_json({"jobs": [job.values() for job in jobs]})
        return 0
    if not jobs:
        Manner(quiet=quiet).say(f"no jobs in {home()}")
    width = max((len(plain(job.name)) for job in jobs), default=0)
    for job in jobs:
        name = plain(job.name)
        if job.card is None or job.totals is None:
            print(f"{name:<{width}}  damaged   {plain(job.error)}")
        else:
            verb = plain(f"{job.card.recipe.get('family')} {job.card.recipe.get('verb')}")
            percent = f"{100 * job.totals.fraction:.2f} %"
            print(f"{name:<{width}}  {job.state:<8}  {percent:>9}  {job.totals.found:,} found  {verb}")
    return 0


@app.command()
def show(
    name: Name,
    watch: Annotated[bool, typer.Option("--watch", help="Go on showing it until it stops running.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
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
        if as_json:
            _print_json(job.values())
        else:
            if watch and sys.stdout.isatty():
                print("\x1b[2J\x1b[H", end="")
            _print_values(job.values())
        if not (watch and job.running):
            return 0
        sys.stdout.flush()
        interrupts.sleep(_WATCH)


def _print_values(values: dict[str, Any]) -> None:
    from tablero.runs.progress import short_time

    units = {f"units {kind}": number for kind, number in values.pop("units").items()}
    for key in ("seconds", "cpu_seconds", "seconds_left"):
        if key in values:
            values[key] = short_time(values[key])
    values["fraction"] = f"{100 * values['fraction']:.4g} %"
    for key, value in {**values, **units}.items():
        shown = f"{value:,}" if isinstance(value, int) else value
        print(f"{key.replace('_', ' '):<17}{plain(shown)}")


def _print_json(values: dict[str, Any]) -> None:
    sys.stdout.write(plain_json(json.dumps(values, ensure_ascii=False)) + "\n")


@app.command()
def resume(
    name: Name,
    threads: ThreadCount = 1,
    time_limit: TimeLimit = None,
    node_limit: NodeLimit = None,
    cluster: ClusterAddress = None,
    tls: Tls = "",
    insecure: Insecure = False,
    retry: Annotated[bool, typer.Option("--retry", help="Units that were set aside get three more tries.")] = False,
    as_json: Json = False,
    as_lines: JsonLines = False,
    quiet: Quiet = False,
) -> int:
    """Go on with a job from where it stands.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs resume sixteen --threads 2
    """
    from tablero.runs.jobs import Listing, resuming

    settings = Settings.of(
        threads=threads,
        time_limit=time_limit,
        node_limit=node_limit,
        job=name,
        cluster=cluster,
        tls=tls,
        insecure=insecure,
        as_json=as_json,
        as_lines=as_lines,
        quiet=quiet,
    )
    with resuming(name, retry=retry) as store, _sound(name):
        common.known = Listing.of(store).so_far()  # for whoever interrupts while the search is made again
        family = by_word(store.card.recipe.get("family"))
        found = ask_again(store, settings.run())
        card = store.card
    if "options" in card.recipe:
        from tablero.cli.verbs import show as show_answer

        return show_answer(found, settings)
    status: int = family.module("commands").show(found, settings)
    return status


@app.command()
def stop(name: Name, as_json: Json = False, quiet: Quiet = False) -> int:
    """Stop a running job, as Ctrl-C would: what it has found is kept.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs stop sixteen
    """
    from tablero.runs import jobs

    stopped = jobs.stop(name)
    if as_json:
        _print_json({"name": name, "stopped": stopped})
    else:
        Manner(quiet=quiet).say(f"job {name!r} was told to stop" if stopped else f"job {name!r} is not running")
    return 0


@app.command()
def export(
    name: Name,
    output: Output = None,
    as_json: Json = False,
    as_lines: Annotated[
        bool, typer.Option("--jsonl", help="JSON lines: the job, then an object for every answer.")
    ] = False,
    quiet: Quiet = False,
) -> int:
    """Everything about a job in one JSON object: what was asked, by what, the totals and the answers.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs export sixteen -o sixteen.json
    """
    from tablero.files import require_writable, writing
    from tablero.runs.jobs import Listing, read_job
    from tablero.runs.run import Stored

    with read_job(name) as record, _sound(name):
        card = record.card
        found = ask_again(record, Stored(name))
        values = Listing.of(record).values()
        values["options"] = card.recipe
        values["problem"] = card.problem.decode()
        values["made_with"] = {"python": platform.python_version(), "machine": platform.machine(), **_versions()}
    if output is None:
        _require_room(found, None)
        common.told = True  # from here on what is cut short is cut short: no second object behind it
        _export(values, found, as_lines, sys.stdout)
        return 0
    require_writable(output, option="--output")
    _require_room(found, output.resolve().parent)
    with writing(output) as stream:
        text = io.TextIOWrapper(stream, "utf-8", newline="\n", write_through=True)
        number = _export(values, found, as_lines, text)
        text.flush()
        text.detach()
    if as_json:
        _print_json({"name": name, "file": str(output), "answers": number})
    return 0


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


@app.command()
def remove(
    name: Name,
    force: Annotated[bool, typer.Option("--force", help="Even when it is running or damaged.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Delete a job and all that it found.

    Examples:
        tablero queens count 16 --job sixteen
        tablero jobs remove sixteen
    """
    from tablero.runs import jobs

    jobs.remove(name, force=force)
    if as_json:
        _print_json({"name": name, "removed": True})
    return 0
