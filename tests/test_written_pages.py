"""Pages that are written to files, in a browser: they step and play, follow light and dark, and everyone can read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tablero.cli import run
from tests.pages import data_of

SUDOKU = "050036704687000002304000860063900408025040070410307020042060005500400087079582040"
WRITES = {
    "stepper": ["cover", "trace", "cover.dlx"],
    "edges": ["edges", "trace", "edges.txt"],
    "slides": ["sudoku", "step", SUDOKU],
    "player": ["slide", "solve", "1 2 3 4 5 6 0 7 8", "--method", "table"],
    "queens": ["queens", "anneal", "8", "--seed", "3"],
}


@pytest.fixture(params=sorted(WRITES))
def written(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("cover.dlx").write_text("1 2 3\n1 2\n3\n1 3\n2\n")
    Path("edges.txt").write_text("size 1x2\n1 0 0 0\n0 0 0 1\n")
    assert run([*WRITES[request.param], "--page", "written.html", "-q"]) == 0
    return tmp_path / "written.html"


def test_a_page_steps_by_keys_and_ends(page: Any, written: Path) -> None:
    page.goto(written.as_uri())
    page.keyboard.press("Home")
    assert page.inner_text("#at") == "0"
    assert page.is_disabled("#back")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#at") == "1"
    page.keyboard.press("End")
    assert page.inner_text("#at") == page.inner_text("#all")
    page.click("#back")
    assert page.input_value("#scrub") == str(int(page.inner_text("#all")) - 1)
    assert data_of(written.read_text())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everyone_can_read_it(browser: Any, written: Path, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=scheme)
    page = context.new_page()
    page.goto(written.as_uri())
    found = axe.run(page).response["violations"]
    narrow = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    back = page.evaluate("getComputedStyle(document.body).backgroundColor")
    context.close()
    assert [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found] == []
    assert narrow
    assert (sum(map(int, back[4:-1].split(","))) < 200) == (scheme == "dark")
