"""`python -m bench [GROUP …]`: run benchmark groups and print their tables."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, cast

from bench import grid
from bench.measure import Settings, hold_to_one_thread, hush
from tablero.families import families


class Group(Protocol):
    """The benchmarks of one family: `run` prints tables and returns what they hold, with a list of `faults`."""

    PARTS: tuple[str, ...]
    PACKAGES: tuple[str, ...]

    def run(self, settings: Settings) -> dict[str, Any]: ...


def _groups() -> dict[str, Group]:
    """A package of this folder for every family that has one, and the grid."""
    found: dict[str, Group] = {"grid": cast(Group, grid)}
    for family in families().values():
        if find_spec(f"bench.{family.name}"):
            found[family.name] = cast(Group, import_module(f"bench.{family.name}"))
    return dict(sorted(found.items()))


GROUPS = _groups()


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Compare tablero with its peers.")
    parts = [part for group in GROUPS.values() for part in group.PARTS]
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"{', '.join(GROUPS)}; all without any")
    parser.add_argument("--only", action="append", default=[], choices=parts, help="this part alone; may be repeated")
    parser.add_argument("--rounds", type=int, default=3, help="how often every tool has its turn (3)")
    parser.add_argument("--limit", type=float, default=120.0, help="CPU seconds after which a tool is cut off (120)")
    parser.add_argument("--quick", action="store_true", help="one round, and only what takes seconds")
    parser.add_argument(
        "--korf", type=Path, metavar="FILE", help="Korf's fifteen-puzzles: number, moves, 16 tiles a line"
    )
    parser.add_argument(
        "--sudoku",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="puzzles, 81 cells a line; may be repeated",
    )
    parser.add_argument(
        "--eternity", type=Path, metavar="FILE", help="the pieces of Eternity II, a line each: top right bottom left"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there too")
    return parser


def _machine(packages: set[str]) -> dict[str, Any]:
    def installed(package: str) -> str | None:
        try:
            return version(package)
        except PackageNotFoundError:
            return None

    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "packages": {package: installed(package) for package in sorted(packages)},
    }


def main() -> int:
    parser = _options()
    given = parser.parse_args()
    if unknown := [name for name in given.groups if name not in GROUPS]:
        parser.error(f"no group {unknown[0]!r}: expected one of {', '.join(GROUPS)}")
    if given.rounds < 1 or given.limit <= 0:
        parser.error("--rounds and --limit must be above 0")
    only = frozenset(given.only)
    chosen = {
        name: group
        for name, group in GROUPS.items()
        if (not given.groups or name in given.groups) and (not only or only & set(group.PARTS))
    }
    if not chosen:
        parser.error(f"nothing to do: {', '.join(sorted(only))} is in no group that was asked for")
    settings = Settings(
        1 if given.quick else given.rounds,
        given.limit,
        only,
        given.quick,
        given.korf,
        tuple(given.sudoku),
        given.eternity,
    )
    hold_to_one_thread()
    machine = _machine({package for group in chosen.values() for package in group.PACKAGES})
    packages = ", ".join(f"{name} {number or 'missing'}" for name, number in machine["packages"].items())
    print(f"{machine['date']}; {machine['system']}, {machine['cores']} cores; Python {machine['python']}; {packages}")
    results: dict[str, Any] = {"machine": machine, "rounds": settings.rounds, "limit": settings.limit, "groups": {}}
    began = time.monotonic()
    try:
        for name, group in chosen.items():
            results["groups"][name] = group.run(settings)
    except KeyboardInterrupt:
        hush()
        print("interrupted", file=sys.stderr)
        return 130
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"\n{time.monotonic() - began:.0f} s in all; load of the machine in the last 1, 5, 15 minutes: {load}")
    if given.json:
        given.json.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    faults = [fault for group in results["groups"].values() for fault in group["faults"]]
    for fault in faults:
        print(f"FAULT: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
