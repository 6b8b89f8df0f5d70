"""What to type to get an extra, where this very tablero came from: a clone, a wheel, an index, pipx or uv."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from urllib.parse import urlsplit


def how_to_add(extra: str) -> str:
    """A command that adds the extra to the environment in which this runs."""
    if (Path(sys.prefix) / "uv-receipt.toml").exists():
        return f"uv tool install {_origin(extra)}"
    if (Path(sys.prefix) / "pipx_metadata.json").exists():
        return f"pipx install --force {_origin(extra)}"
    return f"{_pip()} install {_origin(extra)}"


def _origin(extra: str) -> str:
    """From where tablero was installed (PEP 610 has it on record), with the extra; its name where that is the index."""
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.request import url2pathname

    try:
        record = json.loads(distribution("tablero").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        record = {}
    address = urlsplit(record.get("url", ""))
    place = url2pathname(address.path)
    if address.scheme != "file" or not Path(place).exists():
        return f"'tablero[{extra}]'"
    editable = "-e " if record.get("dir_info", {}).get("editable") else ""
    return f"{editable}'{place}[{extra}]'"


def _pip() -> str:
    """The pip of this Python: the one that a shell finds may belong to another."""
    from shutil import which

    here = Path(sys.executable).parent
    found = which("pip")
    return "pip" if found and Path(found).parent == here else f"{shlex.quote(sys.executable)} -m pip"
