"""Pages: all steps to click through, and puzzles that fill the sheet they are printed on."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

import tablero as tb
from tablero.cli import run
from tablero.draw.pages import Slide, slide_page
from tablero.draw.scene import Scene, Text
from tablero.draw.sheet import Worksheet
from tablero.sudoku.generating import Made
from tests.pages import data_of

SOURCE = "050036704687000002304000860063900408025040070410307020042060005500400087079582040"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def slides_of(text: str) -> list[tuple[str, str, str, str]]:
    """Name, words, note and picture of each slide, as the page puts them together."""
    data = data_of(text)
    return [
        (name, words, note, "".join(data["pool"][k] for k in shapes)) for name, words, note, _, shapes in data["slides"]
    ]


@pytest.mark.parametrize("method", ["logic", "sweeps"])
def test_files_are_written_though_nobody_reads_what_is_printed(
    place: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    def unread(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tablero.cli.running.show", unread)
    words = ["sudoku", "step", SOURCE, "--method", method, "-q"]
    assert run([*words, "--page", "steps.html", "--svg", "steps", "-o", "solved.txt"]) == 130
    assert Path("steps.html").exists()
    assert Path("solved.txt").exists()
    assert list(Path("steps").glob("*.svg"))


def test_all_steps_on_a_page(place: Path) -> None:
    assert run(["sudoku", "step", SOURCE, "--page", "steps.html", "-q"]) == 0
    steps = tb.sudoku.parse(SOURCE).step().steps
    slides = slides_of(Path("steps.html").read_text())
    assert [slide[:3] for slide in slides[1:-1]] == [
        (step.technique, step.sentence, f"{step.rating:.1f}") for step in steps
    ]
    for *_, picture in slides:
        digits = [part.text for part in ElementTree.fromstring(f"<svg>{picture}</svg>") if part.tag == "text"]
        assert len(digits) >= 41
    end = ElementTree.fromstring(f"<svg>{slides[-1][3]}</svg>")
    assert "".join(part.text or "" for part in end if part.tag == "text") == tb.sudoku.parse(SOURCE).solve().first


def test_all_sweeps_on_a_page(place: Path) -> None:
    assert run(["sudoku", "step", SOURCE, "--method", "sweeps", "--page", "sweeps.html", "-q"]) == 0
    slides = slides_of(Path("sweeps.html").read_text())
    assert [slide[2] for slide in slides[1:-1]] == [f"{left} cells left" for left in (28, 11, 2, 0)]
    assert "row 6 misses 5, 6, 8 and 9" in slides[1][1]


def test_a_stuck_way_has_a_page_too(place: Path) -> None:
    stuck = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    assert run(["sudoku", "step", stuck, "--method", "sweeps", "--page", "stuck.html", "-q"]) == 3
    assert "stuck" in slides_of(Path("stuck.html").read_text())[-1][1]


def test_words_stay_words() -> None:
    bad = "</script><script>alert(1)</script><!-- <b>"
    text = slide_page(bad, bad, [Slide(bad, bad, Scene(1, 1, (Text(0, 0, bad),)), bad)])
    assert text.count("<script>") == text.count("</script>") == 1
    assert "<b>&" not in text
    assert slides_of(text)[0][:3] == (bad, bad, bad)


def test_a_lone_puzzle_fills_its_page() -> None:
    (puzzle,) = tb.sudoku.generate_many(1, seed=1)

    def breadth(sheet: Scene) -> float:
        """How much of the page's width is between the first digit and the last."""
        digits = [shape.x for shape in sheet.shapes if isinstance(shape, Text) and len(shape.text) == 1]
        return (max(digits) - min(digits)) / sheet.width

    def sheet(count: int, per_page: int = 6) -> Worksheet:
        return Made((puzzle,) * count, count, 0.0).worksheet(per_page)

    front, back = sheet(1).pages
    assert min(breadth(front), breadth(back)) > 0.6
    assert breadth(sheet(3, 1).pages[0]) > 0.6
    assert [len(sheet(count).pages) for count in (2, 6, 7, 13)] == [2, 2, 3, 5]
