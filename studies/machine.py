"""What a measurement was made on: program, versions, machine."""

from __future__ import annotations

import os
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tablero import __version__

# The names under which a ledger keeps it with a measurement; no columns of the table.
MADE = "made on"
LOAD = "load"


def load() -> float | None:
    """How many processes wanted a processor in the last minute, where the system tells it: times depend on it."""
    try:
        return round(os.getloadavg()[0], 2)
    except (AttributeError, OSError):
        return None


@cache
def machine() -> str:
    """Program, versions and machine in a line."""
    packages = []
    for package in ("numpy", "numba", "llvmlite"):
        try:
            packages.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return (
        f"tablero {__version__}, Python {platform.python_version()}, {', '.join(packages)}; {platform.system()} "
        f"{platform.machine()}, {_processor()}, {os.cpu_count()} processors, {_memory()}"
    )


def _processor() -> str:
    """Its name, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError):
        lines = []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return (named[0] if named else platform.processor() or "an unnamed processor")[:80]


def _memory() -> str:
    try:
        return f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GB"
    except (AttributeError, OSError, ValueError):
        return "memory unknown"
