"""The extras of this installation, and the command that adds one: for a clone, a wheel, an index, pipx or uv."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from urllib.parse import urlsplit


def requirements() -> tuple[list[str], dict[str, list[str]]]:
    """The packages that tablero needs, and those of each extra, from its own metadata."""
    from importlib.metadata import requires  # slow to import

    core: list[str] = []
    extras: dict[str, list[str]] = {}
    for line in requires("tablero") or []:
        package = re.match(r"[\w.-]+", line)
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", line)
        if package is None or package[0] == "tablero":
            continue
        (extras.setdefault(extra[1], []) if extra else core).append(package[0])
    return core, extras


def version_of(package: str) -> str | None:
    """The installed version of a package; None if it is missing."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def how_to_add(extra: str) -> str:
    """The command that adds an extra to the environment of this process.

    uv and pipx replace the whole environment of a tool, so their commands also name the extras that are installed.
    """
    if (Path(sys.prefix) / "uv-receipt.toml").exists():
        return f"uv tool install {_origin(_with_installed(extra))}"
    if (Path(sys.prefix) / "pipx_metadata.json").exists():
        return f"pipx install --force {_origin(_with_installed(extra))}"
    return f"{_pip()} install {_origin(extra)}"


def _with_installed(extra: str) -> str:
    _, known = requirements()
    installed = {name for name, packages in known.items() if all(version_of(package) for package in packages)}
    return ",".join(sorted(installed | {extra}))


def _origin(extras: str) -> str:
    """The place from which tablero was installed (recorded by PEP 610) with the extras; its name for an index."""
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.request import url2pathname

    try:
        record = json.loads(distribution("tablero").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        record = {}
    address = urlsplit(record.get("url", ""))
    place = url2pathname(address.path)
    if address.scheme != "file" or not Path(place).exists():
        return f"'tablero[{extras}]'"
    editable = "-e " if record.get("dir_info", {}).get("editable") else ""
    return f"{editable}'{place}[{extras}]'"


def _pip() -> str:
    """The pip of this Python; the one on the path may belong to another."""
    from shutil import which

    here = Path(sys.executable).parent
    found = which("pip")
    return "pip" if found and Path(found).parent == here else f"{shlex.quote(sys.executable)} -m pip"
