"""Kernels compiled with every index checked, in a cache of their own: Numba's does not tell such kernels from others.

The cache is kept from run to run, under a name made of the sources and the versions: Numba would not notice that a function
in another file has changed.
"""

from __future__ import annotations

import hashlib
import sys
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parent.parent


def environment() -> dict[str, str]:
    """What a process must be given to run checked kernels."""
    parts = hashlib.sha256(f"{sys.version} {version('numba')} {version('numpy')}".encode())
    for path in sorted((ROOT / "src" / "tablero").rglob("*.py")):
        if "kernels" in path.parts or "search" in path.parts:
            parts.update(path.read_bytes())
    folder = ROOT / ".checked_kernels" / parts.hexdigest()[:16]
    return {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(folder)}
