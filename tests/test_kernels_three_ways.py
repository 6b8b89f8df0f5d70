"""Kernels give the same results compiled, with bounds checked, and as plain Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import checked

FAMILIES = sorted(path.stem for path in (Path(__file__).parent / "three_ways").glob("[a-z]*.py"))


def results(family: str, home: Path, **environment: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-m", f"tests.three_ways.{family}"],
        env={**os.environ, "TABLERO_HOME": str(home), **environment},
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_three_ways_agree(family: str, tmp_path: Path) -> None:
    """Compiled with the cache of everyday use; the other ways have caches of their own, which Numba does not tell apart."""
    plain = results(family, tmp_path, NUMBA_DISABLE_JIT="1", NUMBA_CACHE_DIR=str(tmp_path / "plain"))
    assert results(family, tmp_path) == plain
    assert results(family, tmp_path, **checked.environment()) == plain
