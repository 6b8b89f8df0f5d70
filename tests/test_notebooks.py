"""The notebooks in examples run from the first cell to the last, and are kept without their outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

BOOKS = sorted((Path(__file__).parent.parent / "examples").glob("*.ipynb"))
KINDS = {"families": {"image/svg+xml", "text/html"}, "tables": {"image/svg+xml", "text/html"}, "long_searches": set()}


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_a_notebook_is_kept_small(book: Path) -> None:
    cells = json.loads(book.read_text(encoding="utf-8"))["cells"]
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in cells)
    assert book.stat().st_size < 10_000


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.stem)
def test_a_notebook_runs(book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All cells, in one process of its own, as people run it; what is shown are pictures, players and tables."""
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    pytest.importorskip("pandas")
    monkeypatch.setenv("TABLERO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
    monkeypatch.chdir(tmp_path)
    notebook: Any = nbformat.read(book, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = {kind for cell in notebook.cells for output in cell.get("outputs", ()) for kind in output.get("data", {})}
    assert shown >= KINDS[book.stem] | {"text/plain"}
