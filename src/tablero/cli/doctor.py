"""`tablero doctor`: what is installed, where things are kept, and the kernels compiled."""

from __future__ import annotations

import os
import platform
import re
import sys
from typing import Annotated, Any

import typer

from tablero.cli.common import Json, Quiet, print_json
from tablero.errors import BadInput
from tablero.extras import how_to_add


def _version(package: str) -> str | None:
    import importlib.metadata  # costs more than all else here

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def requirements() -> tuple[list[str], dict[str, list[str]]]:
    """The packages that tablero needs, and those of each extra, as its own metadata say."""
    import importlib.metadata

    core: list[str] = []
    extras: dict[str, list[str]] = {}
    for line in importlib.metadata.requires("tablero") or []:
        package = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", line)
        if package is None or package[0] == "tablero":
            continue
        (extras.setdefault(extra[1], []) if extra else core).append(package[0])
    return core, extras


def doctor(
    warm: Annotated[
        bool, typer.Option("--warm", help="Compile the kernels several at a time, and count down what is left.")
    ] = False,
    processes: Annotated[
        int | None, typer.Option("--processes", help="How many compile at a time with --warm; by default all cores do.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """Say what is installed, and compile the kernels so that later commands need not wait.

    Examples:
        tablero doctor
        tablero doctor --warm
    """
    from tablero import __version__
    from tablero.cli.warm import MOST_PROCESSES, compile_in_turn
    from tablero.cli.warm import warm as compile_at_once
    from tablero.runs.jobs import home
    from tablero.search.kept import folder

    if processes is not None and not (warm and 1 <= processes <= MOST_PROCESSES):
        raise BadInput(f"--processes {processes}: expected 1 to {MOST_PROCESSES}, with --warm")
    needed, optional = requirements()
    core = {name: _version(name) for name in needed}
    extras = {extra: {name: _version(name) for name in packages} for extra, packages in optional.items()}
    values: dict[str, Any] = {
        "tablero": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "core": core,
        "extras": extras,
        "jobs": str(home()),
        "compiled": folder(),
    }
    if not as_json:
        print(f"tablero {__version__} on Python {values['python']}, {values['machine']}")
        print("core      " + ", ".join(f"{name} {version}" for name, version in core.items()))
        for extra, packages in extras.items():
            missing = [name for name, version in packages.items() if version is None]
            print(f"{extra:<9} " + (f"missing {', '.join(missing)}: {how_to_add(extra)}" if missing else "ok"))
        print(f"jobs      {values['jobs']}")
        print(f"compiled  {values['compiled'] or 'nowhere: no folder for compiled kernels can be written to'}")
        if not quiet and not warm:
            print("kernels   compiling one by one, a minute or two the first time; --warm is faster …", flush=True)
    try:
        took = compile_at_once(processes, talks=not quiet) if warm else compile_in_turn()
    except KeyboardInterrupt:
        if not quiet:
            print("interrupted; what is compiled is kept", file=sys.stderr, flush=True)
        raise
    values["kernels"] = {name: one.seconds for name, one in took.items()}
    values["cpu_seconds"] = {name: one.cpu_seconds for name, one in took.items()}
    if as_json:
        print_json(values)
    else:
        for name, one in took.items():
            print(f"          {name:<26} {one.seconds:>6.2f} s, {one.cpu_seconds:>5.2f} s of CPU time")
        print(f"          {'all of them':<26} {sum(one.cpu_seconds for one in took.values()):>17.2f} s of CPU time")
    return 0
