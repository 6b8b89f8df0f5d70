"""`python -m studies`: run studies, from the root of the repository."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from studies.catalogue import names, study
from studies.figures import lacking
from studies.report import bullets, write_all, write_index
from studies.runner import cluster, processes, run
from tablero.errors import BadInput

_FOLDER = Path("out")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m studies", description="Experiments: a table, a figure and a page.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="list all studies")
    one = commands.add_parser("run", help="measure what is missing, and write table, figure and page")
    one.add_argument("name", metavar="NAME", help="the name of a study, or all")
    one.add_argument("--quick", action="store_true", help="fewer levels and repetitions: under a minute")
    one.add_argument("--repetitions", type=int, metavar="N", help="how often each cell is measured")
    one.add_argument("--workers", type=int, default=1, metavar="N", help="cells measured at a time (1)")
    one.add_argument("--cluster", metavar="ADDRESS", help="measure on a Dask cluster: HOST:PORT of its scheduler")
    one.add_argument("--tls", default="", metavar="FOLDER", help="the folder with the certificates of the cluster")
    one.add_argument("-o", "--output", type=Path, default=_FOLDER, metavar="FOLDER", help=f"write there ({_FOLDER})")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit status: 0, 2 for bad input, 130 after Ctrl-C."""
    given = _parser().parse_args(arguments)
    try:
        return _list() if given.command == "list" else _run(given)
    except BadInput as error:
        print(f"studies: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:  # while a table is read or drawn: what was measured is kept
        print(f"interrupted; 'python -m studies {shlex.join(arguments)}' continues", file=sys.stderr)
        return 130


def _list() -> int:
    width = max(map(len, names()))
    for name in names():
        print(f"{name:<{width}}  {study(name).title}")
    return 0


def _run(given: argparse.Namespace) -> int:
    chosen = [study(name) for name in (names() if given.name == "all" else [given.name])]
    if given.output.exists() and not given.output.is_dir():
        raise BadInput(f"--output {given.output}: expected a folder")
    if missing := lacking():
        print(f"no figures are drawn: {missing}", file=sys.stderr)
    tables = []
    with cluster(given.cluster, given.tls) if given.cluster else processes(given.workers) as executor:
        for one in chosen:
            table = run(one, quick=given.quick, repetitions=given.repetitions, executor=executor)
            tables.append(table)
            written = write_all(table, given.output)
            print(one.title, bullets(one.conclude(table)), *written, sep="\n", flush=True)
            if table.interrupted:
                raise KeyboardInterrupt
    if given.name == "all":
        write_index(tables, given.output)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
