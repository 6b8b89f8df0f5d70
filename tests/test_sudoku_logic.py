"""Logic: every technique where it is the easiest, no step against the solution, ratings, and what is generated."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablero.draw.svg import to_svg
from tablero.errors import BadInput
from tablero.puzzles.sudoku import Layout, Sudoku, parse
from tablero.puzzles.sudoku.draw import step_scene
from tablero.puzzles.sudoku.examples import EXAMPLES, find, position_for
from tablero.puzzles.sudoku.generate import generate_many
from tablero.puzzles.sudoku.kernels.search import solve_many
from tablero.puzzles.sudoku.logic import TECHNIQUES, Position, explain, walk
from tablero.puzzles.sudoku.logic.uniqueness import unique_rectangle
from tablero.puzzles.sudoku.rate import WORDS, rate
from tablero.puzzles.sudoku.wish import Wish, wanted_rating


def test_there_is_an_example_of_every_technique() -> None:
    assert list(EXAMPLES) == [technique.name for technique in TECHNIQUES]
    ratings = [technique.rating for technique in TECHNIQUES]
    assert ratings == sorted(ratings)


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_is_the_easiest_that_applies(name: str) -> None:
    position, step = position_for(name)
    (solution,) = position.puzzle.solve().boards
    for technique in TECHNIQUES:
        if technique.name == name:
            assert technique.find(position) == step
            break
        assert technique.find(position) is None, f"{technique.name} is easier"
    assert step.placed or step.removed
    assert all(solution[cell] == digit for cell, digit in step.placed)
    assert all(solution[cell] != digit for cell, digit in step.removed)
    assert step.sentence.endswith(".")
    for cell, digit in (*step.placed, *step.removed, *step.good, *step.other):
        assert position.cands[cell] >> digit & 1, "a step speaks of candidates that are there"


@pytest.mark.parametrize("part", range(4))
def test_no_step_is_against_the_solution(part: int) -> None:
    """2,000 puzzles in four parts, minimal ones and others."""
    for puzzle in generate_many(500, Wish(minimal=part % 2 == 0), seed=100 + part):
        expect_right(puzzle)


def expect_right(puzzle: Sudoku) -> None:
    (solution,) = puzzle.solve().boards if puzzle.side != 9 or not puzzle.layout.is_plain else (quick(puzzle),)
    position = Position(puzzle, unique=True)
    for step in walk(position):
        assert all(solution[cell] == digit for cell, digit in step.placed), step
        assert all(solution[cell] != digit for cell, digit in step.removed), step
    assert position.left == 0 or not position.fault()
    if not position.left:
        assert tuple(position.values) == tuple(solution)


def quick(puzzle: Sudoku) -> tuple[int, ...]:
    import numpy as np

    answers, counts = solve_many(np.array([puzzle.cells], np.uint8), 2)
    assert counts[0] == 1
    return tuple(answers[0].tolist())


@pytest.mark.parametrize(
    "wish", [Wish(4), Wish(6), Wish(12, clues=90), Wish(16, clues=160), Wish(kind="x"), Wish(kind="jigsaw")]
)
def test_other_boards(wish: Wish) -> None:
    for puzzle in generate_many(2, wish, seed=8):
        expect_right(puzzle)


def test_minimal_x_and_jigsaw_boards() -> None:
    """Few clues: here the harder techniques meet diagonals and regions."""
    for kind in ("x", "jigsaw"):
        for puzzle in generate_many(4, Wish(kind=kind, minimal=True), seed=5):
            expect_right(puzzle)


def test_without_one_solution_nothing_rests_on_it() -> None:
    position, _ = position_for("unique rectangle")
    assert unique_rectangle(position) is not None
    position.unique = False
    step = next(walk(position.copy()), None)
    assert step is None or step.technique not in ("unique rectangle", "BUG")
    two = parse("." * 81)
    assert not explain(two).solved
    assert "stuck" in explain(two).sentence
    with pytest.raises(BadInput, match="more than one solution"):
        rate(two)
    with pytest.raises(BadInput, match="no solution"):
        rate(parse("12345678." + "........9" + "." * 63))


def test_examples_can_be_found_again() -> None:
    found = find(60, seed=3)
    assert {"last value", "hidden single", "pointing"} <= set(found)


def test_ratings_are_as_wanted() -> None:
    for word in WORDS:
        for puzzle in generate_many(2, Wish(rating=wanted_rating(word), minimal=True), seed=9):
            assert rate(puzzle).word == word
    low, high = wanted_rating("3.0-4.2")
    (puzzle,) = generate_many(1, Wish(rating=(low, high)), seed=1)
    assert 3.0 <= rate(puzzle).value <= 4.2


@pytest.mark.parametrize(
    ("symmetry", "image"),
    [
        ("half-turn", lambda r, c: (8 - r, 8 - c)),
        ("quarter-turn", lambda r, c: (c, 8 - r)),
        ("mirror", lambda r, c: (r, 8 - c)),
        ("diagonal", lambda r, c: (c, r)),
    ],
)
def test_symmetries(symmetry: str, image: object) -> None:
    assert callable(image)
    for puzzle in generate_many(5, Wish(symmetry=symmetry, minimal=True), seed=1):
        assert puzzle.solve().unique
        for cell, digit in enumerate(puzzle.cells):
            row, column = image(*divmod(cell, 9))
            assert bool(digit) == bool(puzzle.cells[9 * row + column])


def test_seeds() -> None:
    for wish in (Wish(), Wish(6), Wish(kind="x"), Wish(4, "killer"), Wish(kind="jigsaw")):
        assert (
            list(generate_many(2, wish, seed=5))
            == list(generate_many(2, wish, seed=5))
            != list(generate_many(2, wish, seed=6))
        )


def test_the_number_of_clues() -> None:
    assert {puzzle.clues for puzzle in generate_many(20, Wish(clues=32), seed=1)} == {32}


def test_cages_are_refused() -> None:
    (puzzle,) = generate_many(1, Wish(4, "killer"), seed=1)
    assert puzzle.layout != Layout(4)
    with pytest.raises(BadInput, match="knows no cages"):
        explain(puzzle)


def test_the_docs_show_what_the_program_sees() -> None:
    """Drawings and sentences of the page are those of the examples."""
    root = Path(__file__).parent.parent / "docs"
    page = (root / "sudoku.md").read_text(encoding="utf-8")
    for technique in TECHNIQUES:
        position, step = position_for(technique.name)
        name = technique.name.lower().replace(" ", "-")
        assert f"({technique.rating})\n" in page
        assert f"![{technique.name}](images/sudoku/{name}.svg)\n\n{step.sentence}\n" in page
        drawn = (root / "images" / "sudoku" / f"{name}.svg").read_text(encoding="utf-8")
        assert drawn == to_svg(step_scene(position, step), 34), "run: python docs/make_sudoku_images.py"
