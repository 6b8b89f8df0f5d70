"""`tablero study`: experiments that end in a table, a figure and a page in words."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from tablero.cli.common import (
    ClusterAddress,
    Insecure,
    Manner,
    Settings,
    ThreadCount,
    TimeLimit,
    Tls,
    ended,
    print_json,
    with_manner,
)
from tablero.errors import BadInput

app = typer.Typer(
    help="Experiments that end in a table, a figure and a page in words.", no_args_is_help=True, rich_markup_mode=None
)

_FOLDER = Path("studies")


def _offered() -> list[str]:
    """The names that a shell completes."""
    from tablero.studies import names

    return [*names(), "all"]


@app.command("list")
@with_manner
def list_(manner: Manner) -> int:
    """All studies.

    Examples:
        tablero study list
    """
    from tablero.studies import names, study

    if manner.as_json:
        told = [{"name": name, "title": study(name).title, "question": study(name).question} for name in names()]
        print_json({"studies": told})
        return 0
    width = max(map(len, names()))
    for name in names():
        print(f"{name:<{width}}  {study(name).title}")
    return 0


@app.command("run")
@with_manner
def run_(
    manner: Manner,
    name: Annotated[
        str, typer.Argument(help="The study's name as 'study list' has it, or all.", autocompletion=_offered)
    ],
    quick: Annotated[bool, typer.Option("--quick", help="Fewer levels and repetitions: under a minute.")] = False,
    repetitions: Annotated[
        int | None,
        typer.Option("--repetitions", help="How often each cell is measured; more are added to those there are."),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write to.")] = _FOLDER,
    threads: ThreadCount = 1,
    time_limit: TimeLimit = None,
    cluster: ClusterAddress = None,
    tls: Tls = "",
    insecure: Insecure = False,
) -> int:
    """Measure what is missing, and write table, figure and page; what was measured before is kept.

    A study that is stopped tells what it has, and goes on when it is run again.

    Examples:
        tablero study run queens-counts --quick -o study
    """
    from tablero.studies import names, run, study
    from tablero.studies.figures import lacking
    from tablero.studies.report import write_all, write_index
    from tablero.studies.run import command_for

    chosen = names() if name == "all" else [name]
    for one in chosen:
        study(one)  # refuses what is no study
    if output.exists() and not output.is_dir():
        raise BadInput(f"--output {output}: expected a folder")
    settings = Settings.of(
        threads=threads,
        time_limit=time_limit,
        cluster=cluster,
        tls=tls,
        insecure=insecure,
        as_json=manner.as_json,
        quiet=manner.quiet,
    )
    if without := lacking():
        manner.say(f"no figures are drawn: {without}")
    again = command_for(name, quick=quick, repetitions=repetitions)
    if output != _FOLDER:
        again += f" -o {shlex.quote(str(output))}"
    told, tables, missing, interrupted = [], [], 0, False
    for one in chosen:
        try:
            table = run(one, quick=quick, repetitions=repetitions, run=settings.run(), again=again)
            interrupted = table.interrupted
            written = write_all(table, output)
        except KeyboardInterrupt:  # while it is read or drawn: what was measured is kept
            if not interrupted:
                manner.say(f"interrupted; '{again}' goes on")
            interrupted = True
            break
        tables.append(table)
        missing += table.missing
        found = {
            "name": one,
            "rows": len(table.rows),
            "missing": table.missing,
            "files": [str(path) for path in written],
        }
        told.append({**found, "shows": table.study.conclude(table)})
        if not manner.as_json:
            print(f"{table.study.title}")
            for line in table.study.conclude(table):
                print(f"- {line}")
            print(*written, sep="\n")
            sys.stdout.flush()
        if interrupted:
            break
    if name == "all" and not interrupted:
        write_index(tables, output)
    if manner.as_json:
        print_json({"status": "open" if missing or interrupted else "complete", "studies": told})
    return ended(interrupted) or (3 if missing else 0)
