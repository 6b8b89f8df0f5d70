"""`tablero doctor`: what is installed, where things are kept, and the kernels compiled."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from msgspec import Meta

from tablero.cli.options import MOST_PROCESSES, Settings, command
from tablero.extras import how_to_add, requirements, version_of
from tablero.verbs import GIVEN, Refuse

if TYPE_CHECKING:
    from tablero.cli.warm import Took


@dataclass(frozen=True)
class Health:
    """What is installed; printing it compiles the kernels."""

    warm: bool
    processes: int | None
    quiet: bool
    status: ClassVar[str] = "complete"

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What is known without compiling."""
        from tablero import __version__
        from tablero.runs.jobs import home
        from tablero.search.numba_private import folder

        needed, optional = requirements()
        return {
            "tablero": __version__,
            "python": platform.python_version(),
            "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
            "core": {name: version_of(name) for name in needed},
            "extras": {extra: {name: version_of(name) for name in packages} for extra, packages in optional.items()},
            "jobs": str(home()),
            "compiled": folder(),
        }

    @cached_property
    def kernels(self) -> Mapping[str, Took]:
        """Compile the kernels; return the time that each took."""
        from tablero.cli import warm

        try:
            return warm.warm(self.processes, talks=not self.quiet) if self.warm else warm.compile_in_turn()
        except KeyboardInterrupt:
            if not self.quiet:
                print("interrupted; what is compiled is kept", file=sys.stderr, flush=True)
            raise

    def to_dict(self) -> dict[str, Any]:
        return {
            **self.facts,
            "kernels": {name: one.seconds for name, one in self.kernels.items()},
            "cpu_seconds": {name: one.cpu_seconds for name, one in self.kernels.items()},
        }

    def lines(self) -> Iterator[str]:
        facts = self.facts
        yield f"tablero {facts['tablero']} on Python {facts['python']}, {facts['machine']}"
        yield "core      " + ", ".join(f"{name} {version}" for name, version in facts["core"].items())
        for extra, packages in facts["extras"].items():
            missing = [name for name, version in packages.items() if version is None]
            yield f"{extra:<9} " + (f"missing {', '.join(missing)}: {how_to_add(extra)}" if missing else "ok")
        yield f"jobs      {facts['jobs']}"
        yield f"compiled  {facts['compiled'] or 'nowhere: no folder for compiled kernels is writable'}"
        if not self.quiet and not self.warm:
            yield "kernels   compiling one by one, a minute or two the first time; --warm is faster …"
        sys.stdout.flush()
        for name, one in self.kernels.items():
            yield f"          {name:<26} {one.seconds:>6.2f} s, {one.cpu_seconds:>5.2f} s of CPU time"
        total = sum(one.cpu_seconds for one in self.kernels.values())
        yield f"          {'all of them':<26} {total:>17.2f} s of CPU time"

    def remarks(self) -> Iterator[str]:
        yield from ()


@command(refuses=(Refuse({"processes": GIVEN, "warm": (False,)}, "{processes} goes with {warm}"),))
def doctor(
    *,
    warm: Annotated[bool, Meta(description="Compile several kernels at a time, and show how much is left.")] = False,
    processes: Annotated[
        int | None,
        Meta(
            ge=1,
            le=MOST_PROCESSES,
            description="Number of kernels that --warm compiles at a time; by default, one for each core.",
        ),
    ] = None,
    settings: Settings,
) -> Health:
    """Show what is installed, and compile the kernels so that later commands start at once.

    Examples:
        tablero doctor
        tablero doctor --warm
    """
    return Health(warm, processes, settings.quiet)
