"""Kernels compiled with every index checked, in a cache of their own: Numba's does not tell such kernels from others.

The cache is kept from run to run, under the versions of what compiles.  A kernel in it is compiled anew when a module of its
folder or of `search` has changed (`tablero.search.numba_private`), and so a change in one family keeps the others.
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parent.parent


def environment() -> dict[str, str]:
    """What a process must be given to run checked kernels."""
    versions = [sys.version.split()[0], *(version(name) for name in ("numba", "llvmlite", "numpy"))]
    folder = ROOT / ".checked_kernels" / "-".join(versions)
    return {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(folder)}
