"""Logic: every technique where it is the easiest, no step against the solution, ratings, and what is generated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path

import pytest

from tablero.draw.svg import to_svg
from tablero.errors import BadInput
from tablero.sudoku import Layout, Sudoku, parse
from tablero.sudoku.draw import step_scene
from tablero.sudoku.examples import ABOUT, EXAMPLES, KILLERS, position_for
from tablero.sudoku.generating import Options, generate_many, wanted_rating
from tablero.sudoku.kernels.search import solve_many
from tablero.sudoku.logic import (
    TECHNIQUES,
    Position,
    Step,
    explain,
    hint_at,
    next_step,
    position_of,
    steps_at,
    walk,
)
from tablero.sudoku.logic.library import parse_case, to_grid, to_line, try_library
from tablero.sudoku.logic.position import finer, longer
from tablero.sudoku.logic.uniqueness import type_1
from tablero.sudoku.rating import HARDEST, WORDS, rate, rating_of
from tablero.sudoku.reasons import bits

# Something as easy or easier stands beside them in all examples that were found.
NEVER_FIRST = {
    "jellyfish",
    "unique rectangle, type 5",
    "avoidable rectangle, type 2",
    "remote pair",
    "multi-colours 2",
    "discontinuous nice loop",
    "grouped continuous nice loop",
    "grouped discontinuous nice loop",
    "Sue de Coq",
    "Nishio",
    "forcing chain, contradiction",
    "forcing net, contradiction",
    "forcing net, verity",
}
NESTED = {"nested forcing net"}  # no position of the generator was that hard
LIBRARY = Path(__file__).parent / "library" / "sudoku.txt"


def test_there_is_an_example_of_every_technique() -> None:
    names = [technique.name for technique in TECHNIQUES]
    assert [name for name in EXAMPLES if name in names] == [name for name in names if name in EXAMPLES]
    assert set(names) == {*EXAMPLES, *KILLERS, *NESTED} == set(ABOUT)
    ratings = [technique.rating for technique in TECHNIQUES]
    assert ratings == sorted(ratings)


@pytest.mark.parametrize("name", EXAMPLES)
def test_its_example(name: str) -> None:
    position, step = position_for(name)
    technique = next(technique for technique in TECHNIQUES if technique.name == name)
    assert step.technique == name
    assert step.rating >= technique.rating
    if technique.walked and name not in NEVER_FIRST:
        easiest = next_step(position.copy())
        assert easiest is not None
        assert easiest.technique == name, f"{easiest.technique} is easier"
    for reported in [step, *islice(technique.all(position), 8)]:
        assert reported.placed or reported.removed
        assert reported.sentence.endswith(".")
        for cell, digit in (
            *reported.placed,
            *reported.removed,
            *reported.good,
            *reported.other,
            *chain(*reported.more),
        ):
            assert position.cands[cell] >> digit & 1, "a step speaks of candidates that are there"
        assert not set(reported.removed) & {*reported.good, *reported.other}
        assert right_in_every_solution(position, reported), reported


def right_in_every_solution(position: Position, step: Step) -> bool:
    """Whether a position has no solution that goes against a step: nothing of the logic is used here.

    What rests on there being one solution is right in the solution of the clues.
    """
    places = [sum(1 << cell for cell in range(81) if _can(position, cell, digit)) for digit in range(1, 10)]
    for cell, digit in step.removed:
        against = places.copy()
        for other in range(9):
            if other != digit - 1:
                against[other] &= ~(1 << cell)
        if solutions(against):
            return False
    for cell, digit in step.placed:
        against = places.copy()
        against[digit - 1] &= ~(1 << cell)
        if solutions(against):
            return False
    return True


def _can(position: Position, cell: int, digit: int) -> bool:
    return position.values[cell] == digit or bool(position.cands[cell] >> digit & 1)


def solutions(places: list[int]) -> bool:
    """Whether nine sets of cells, one a digit, hold a solution: by guessing and singles, written for this test."""
    units = [unit.cells for unit in Layout().units]
    board = [{d for d in range(9) if places[d] >> cell & 1} for cell in range(81)]

    def settle(board: list[set[int]]) -> bool:
        changed = True
        while changed:
            changed = False
            for cells in units:
                for d in range(9):
                    where = [cell for cell in cells if d in board[cell]]
                    if not where:
                        return False
                    if len(where) == 1 and len(board[where[0]]) > 1:
                        board[where[0]] = {d}
                        changed = True
                for cell in cells:
                    if len(board[cell]) == 1:
                        (d,) = board[cell]
                        for other in cells:
                            if other != cell and d in board[other]:
                                board[other] = board[other] - {d}
                                changed = True
                                if not board[other]:
                                    return False
        return True

    def search(board: list[set[int]]) -> bool:
        if not all(board) or not settle(board):
            return False
        least = min((cell for cell in range(81) if len(board[cell]) > 1), key=lambda c: len(board[c]), default=None)
        if least is None:
            return True
        return any(search([*board[:least], {d}, *board[least + 1 :]]) for d in sorted(board[least]))

    return search(board)


def test_the_library() -> None:
    """Ten positions of our own for each code, each with a result that must be found, and cases that must fail."""
    report = try_library(LIBRARY)
    assert report.missed == []
    assert {technique.code for technique in TECHNIQUES if technique.code} == set(report.techniques)
    assert all(reported["positions"] >= 10 for reported in report.techniques.values())
    assert sum(reported.get("fail_cases", 0) for reported in report.techniques.values()) > 50


@pytest.mark.parametrize(
    ("line", "reported"),
    [
        ("0300::...", "expected :code:digits:cells"),
        (":0300", "1 field: expected :code"),
        (":03::" + "." * 81 + "::::", "the code '03'"),
        (":0300::" + "." * 80 + "::::", "80 cells: expected 81"),
        (":0300::" + "." * 82 + "::::", "character 82 is '.'"),
        (":0300::+" + "." * 81 + "::::", "character 2 is '.'"),
        (":0300::11" + "." * 79 + "::::", "the digit 1 occurs twice in row 1"),
        (":0300::" + "." * 81 + ":4360:::", "'4360': expected digit, row and column"),
        (":0300::" + "." * 81 + "::409::", "'409': expected digit, row and column"),
        (":0300::" + "." * 81 + "::²11::", "expected digit, row and column"),
    ],
)
def test_bad_library_lines(line: str, reported: str) -> None:
    with pytest.raises(BadInput, match=re.escape(reported)) as error:
        parse_case(line, "here:3")
    assert str(error.value).startswith("here:3: ")


def test_positions_in_and_out() -> None:
    for name in ("AIC", "naked single", "W-wing"):
        position, step = position_for(name)
        line = to_line(position, "0708", step)
        again = position_of(line)
        assert again.cands == position.cands
        assert again.values == position.values
        assert parse_case(line, "x").removed == frozenset(step.removed)
        grid = position_of(to_grid(position))
        assert (grid.cands, grid.values) == (position.cands, position.values)
    for bad, reported in (("12 3", "4 characters: expected"), ("11 " * 81, "expected different digits")):
        with pytest.raises(BadInput, match=reported):
            position_of(bad)


def test_all_steps_are_told_once() -> None:
    position, _ = position_for("XY-chain")
    found = steps_at(position)
    keys = [(step.technique, step.result) for step in found.steps]
    assert len(keys) == len(set(keys))
    assert hint_at(position.copy()).step in found.steps
    assert found == steps_at(position.copy()) or [s.result for s in found.steps] == [
        s.result for s in steps_at(position.copy()).steps
    ]
    easiest = steps_at(position, every=False)
    assert {step.technique for step in easiest.steps} == {found.steps[0].technique}
    with pytest.raises(BadInput, match="or a code of HoDoKu"):
        steps_at(position, technique="guessing")


def test_direct_singles_lie_in_the_unit_of_the_subset() -> None:
    for name in ("direct hidden pair", "direct hidden triplet"):
        position, _ = position_for(name)
        technique = next(technique for technique in TECHNIQUES if technique.name == name)
        for step in technique.all(position):
            assert step.placed[0][0] in step.cells


@pytest.mark.parametrize("part", range(4))
def test_no_step_is_against_the_solution(part: int) -> None:
    """Minimal puzzles and others; `python -m bench sudoku --only sudoku-logic` walks 2,000."""
    for puzzle in generate_many(120, Options(minimal=part % 2 == 0), seed=100 + part):
        expect_right(puzzle)


def expect_right(puzzle: Sudoku) -> None:
    (solution,) = puzzle.solve().boards if puzzle.side != 9 or not puzzle.layout.is_plain else (quick(puzzle),)
    position = Position(puzzle, unique=True)
    for step in walk(position):
        assert all(solution[cell] == digit for cell, digit in step.placed), step
        assert all(solution[cell] != digit for cell, digit in step.removed), step
    assert not position.empty or not position.fault()
    if not position.empty:
        assert tuple(position.values) == tuple(solution)


def quick(puzzle: Sudoku) -> tuple[int, ...]:
    import numpy as np

    answers, counts = solve_many(np.array([puzzle.cells], np.uint8), 2)
    assert counts[0] == 1
    return tuple(answers[0].tolist())


@pytest.mark.parametrize(
    "options",
    [Options(4), Options(6), Options(12, clues=90), Options(16, clues=160), Options(kind="x"), Options(kind="jigsaw")],
)
def test_other_boards(options: Options) -> None:
    for puzzle in generate_many(2, options, seed=8):
        expect_right(puzzle)


def test_minimal_x_and_jigsaw_boards() -> None:
    """Few clues: here the harder techniques meet diagonals and regions."""
    for kind in ("x", "jigsaw"):
        for puzzle in generate_many(3, Options(kind=kind, minimal=True), seed=5):
            expect_right(puzzle)


def test_without_one_solution_nothing_rests_on_it() -> None:
    position, _ = position_for("unique rectangle, type 1")
    assert next(type_1(position), None) is not None
    position.unique = False
    needs_one = {technique.name for technique in TECHNIQUES if technique.needs_one}
    assert not any(step.technique in needs_one for step in steps_at(position).steps)
    step = next(walk(position.copy()), None)
    assert step is None or step.technique not in needs_one
    two = parse("." * 81)
    assert not explain(two).solved
    assert "stuck" in explain(two).sentence
    with pytest.raises(BadInput, match="more than one solution"):
        rate(two)
    with pytest.raises(BadInput, match="no solution"):
        rate(parse("12345678." + "........9" + "." * 63))


def test_ratings_are_as_wanted() -> None:
    for word in WORDS:
        for puzzle in generate_many(2, Options(rating=wanted_rating(word), minimal=True), seed=9):
            assert rate(puzzle).word == word
    (puzzle,) = generate_many(1, Options(rating=wanted_rating("3.0-4.2")), seed=1)
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
    for puzzle in generate_many(5, Options(symmetry=symmetry, minimal=True), seed=1):
        assert puzzle.solve().unique
        for cell, digit in enumerate(puzzle.cells):
            row, column = image(*divmod(cell, 9))
            assert bool(digit) == bool(puzzle.cells[9 * row + column])


def test_seeds() -> None:
    for options in (Options(), Options(6), Options(kind="x"), Options(4, "killer"), Options(kind="jigsaw")):
        assert (
            list(generate_many(2, options, seed=5))
            == list(generate_many(2, options, seed=5))
            != list(generate_many(2, options, seed=6))
        )


def test_the_number_of_clues() -> None:
    assert {puzzle.clues for puzzle in generate_many(20, Options(clues=32), seed=1)} == {32}


@pytest.mark.parametrize(("side", "count"), [(4, 5), (6, 5), (9, 1)])
def test_cages(side: int, count: int) -> None:
    for puzzle in generate_many(count, Options(side, "killer"), seed=3):
        assert explain(puzzle).solved
        expect_right(puzzle)


@pytest.mark.parametrize("name", KILLERS)
def test_examples_of_cages(name: str) -> None:
    position, step = position_for(name)
    (solution,) = position.puzzle.solve().boards
    assert step.removed
    assert all(solution[cell] != digit for cell, digit in step.removed)


def test_the_docs_show_what_the_program_sees() -> None:
    """Drawings and sentences of the page are those of the examples."""
    root = Path(__file__).parent.parent / "docs"
    page = (root / "sudoku-techniques.md").read_text(encoding="utf-8")
    for technique in TECHNIQUES:
        if technique.name in NESTED:
            continue
        position, step = position_for(technique.name)
        name = technique.name.lower().replace(",", "").replace("+", "-").replace(" ", "-")
        assert f"({technique.rating})\n" in page
        assert f"![{technique.name}](images/sudoku/{name}.svg)\n\n{step.sentence}\n" in page
        drawn = (root / "images" / "sudoku" / f"{name}.svg").read_text(encoding="utf-8")
        assert drawn == to_svg(step_scene(position, step), 34), "run: python docs/make_sudoku_images.py"


def test_lengths_are_counted_as_sudoku_explainer_counts_them() -> None:
    """0.1 beyond each of 4, 6, 8, 12, 16, 24 …, of all nodes but two; what is refuted is at both ends of its chain."""
    assert [longer(7.0, length) for length in (4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 24, 25)] == [
        *(7.0, 7.1, 7.1, 7.2, 7.2, 7.3, 7.3, 7.4, 7.4, 7.5, 7.5, 7.6)
    ]
    known = {technique.name: technique for technique in TECHNIQUES}
    for name, own in (("continuous nice loop", 0), ("AIC", 2), ("discontinuous nice loop", 2)):
        position, _ = position_for(name)
        steps = list(known[name].all(position))
        assert steps
        for step in steps:
            links = len(step.links) + len(step.weak)
            nodes = links if name.startswith("continuous") else links + 1
            assert step.rating == longer(7.0, nodes - 2 + (0 if step.placed else own)), step


def test_the_fine_rating_grades_between_the_tenths() -> None:
    """It grows with the length, and rounded up to a tenth it is the rating."""
    lengths = range(1, 3000)
    fine = [finer(longer(10.0, length), length) for length in lengths]
    assert fine == sorted(fine)
    assert [-(-round(100 * value) // 10) for value in fine] == [round(10 * longer(10.0, length)) for length in lengths]
    assert [finer(longer(7.0, length), length) for length in (1, 4, 5, 6, 9, 10, 12, 20, 48, 49, 64)] == [
        *(7.0, 7.0, 7.05, 7.1, 7.23, 7.25, 7.3, 7.45, 7.7, 7.71, 7.8)
    ]
    _, step = position_for("hidden pair")
    assert step.fine_rating == step.rating
    _, step = position_for("AIC")
    assert step.fine_rating == finer(step.rating, len(step.links) + len(step.weak) + 1)


def test_forcing_has_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below them a cheaper step of a dearer technique goes first; the first level that finds a step gives its cheapest."""

    def finder(raised: float) -> Callable[[Position], Iterator[Step]]:
        return lambda _: iter([Step("", raised=raised)])

    def taken(*found: tuple[float, float]) -> float:
        techniques = [TECHNIQUES[0]._replace(rating=base, find=finder(rating - base)) for base, rating in found]
        monkeypatch.setattr("tablero.sudoku.logic.TECHNIQUES", techniques)
        step = next_step(Position(parse("." * 81)))
        assert step is not None
        return step.rating

    assert taken((7.0, 7.6), (7.5, 7.5)) == 7.5
    assert taken((7.0, 8.3), (8.0, 8.1), (8.0, 8.0)) == 8.0
    assert taken((8.0, 9.3), (8.0, 8.9), (8.5, 8.6)) == 8.9
    assert taken((9.5, 11.0), (10.0, 10.2)) == 11.0


def test_what_no_technique_finishes_is_apart_from_what_is_finished() -> None:
    """No net has as many nodes as would bring it there."""
    assert longer(10.5, 1 << 40) < HARDEST
    assert rating_of(explain(parse("." * 81))).value == HARDEST


def test_nets_go_through_the_cells_of_nested_nets() -> None:
    """Where no candidate contradicts itself by nested nets, whole cells and units are tried in them.

    The puzzle is published with a rating of 11.7.
    """
    puzzle = parse("...4..7.9.57.89.....9732....459...1.67....59.9.15..4...94..167...6...9.171..9....")
    path = explain(puzzle)
    assert "".join(map(str, path.cells)) == puzzle.solve().first
    assert (rating_of(path).value, rating_of(path).technique) == (11.7, "nested forcing net")


def test_no_step_is_degenerate() -> None:
    """A chain says of no candidate first that it is right and then that it is not; a fish has a place beside its fins."""
    known = {technique.name: technique for technique in TECHNIQUES}
    chains = ("X-chain", "AIC", "discontinuous nice loop")
    fish = ("sashimi X-wing", "sashimi swordfish", "sashimi jellyfish")
    for name in (*chains, *fish, "death blossom"):  # the last for its position
        position, _ = position_for(name)
        for technique in chains:
            for step in islice(known[technique].all(position), 30):
                said = re.findall(r"(?<!and )(r\dc\d) is (?:not )?(\d)", step.sentence.split(":")[0])
                again = said[1:] if step.placed or "in any case" in step.sentence else said
                assert len(set(again)) == len(again), step.sentence
        for technique in fish:
            for step in islice(known[technique].all(position), 30):
                lines = {cell // 9 for cell, _ in step.good} if _rows(step) else {cell % 9 for cell, _ in step.good}
                assert len(lines) == len(step.cells) // 9, step.sentence


def _rows(step: Step) -> bool:
    return step.sentence.startswith("Of row")


def test_sets_of_chains_and_commons_are_shown() -> None:
    for name in (
        "AIC with locked sets",
        "discontinuous nice loop with locked sets",
        "continuous nice loop with locked sets",
    ):
        position, step = position_for(name)
        reported = re.search(r"the set (.*?) is left with (.*?), so", step.sentence)
        assert reported is not None
        cells = [9 * (int(row) - 1) + int(column) - 1 for row, column in re.findall(r"r(\d)c(\d)", reported[1])]
        digits = {digit for cell in cells for digit in bits(position.cands[cell])}
        assert len(re.findall(r"\d", reported[2])) == len(digits) - 1 == len(cells)  # one is gone, so it is locked
        coloured = {*step.good, *step.other, *step.removed, *chain(*step.more)}
        assert all((cell, digit) in coloured for cell in cells for digit in bits(position.cands[cell]))
    for name in ("ALS-XZ", "ALS-XY-wing", "ALS chain", "death blossom"):
        position, step = position_for(name)
        assert step.weak
        for (here, one), (there, two) in step.weak:
            assert one == two
            assert position.geometry.peers[here] >> there & 1


def test_a_wide_net_is_wide() -> None:
    wide, plain = (position_for(name)[1] for name in ("wide forcing net", "forcing net, contradiction"))
    assert "by locked candidates, a pair or an X-wing, as r" in wide.proof
    assert wide.sentence != plain.sentence
    assert "by locked candidates" not in plain.proof


def test_a_proof_holds_line_by_line() -> None:
    """Every line follows from the lines before: told by code that knows the rules of the game alone."""
    for name in ("forcing net, contradiction", "forcing net, verity", "forcing chain, verity", "Nishio"):
        position, step = position_for(name)
        true: set[tuple[int, int]] = set()
        false: set[tuple[int, int]] = set()
        for line in step.proof.split("\n"):
            reported = re.fullmatch(r"r(\d)c(\d) is (not )?(\d): (.*)\.", line)
            if reported is None:  # the end of one net, and maybe the beginning of another
                if not line:
                    true, false = set(), set()
                continue
            cell, digit = 9 * (int(reported[1]) - 1) + int(reported[2]) - 1, int(reported[4])
            if reported[3]:
                seen = position.geometry.peers[cell]
                by_other = any((seen >> c & 1) if d == digit else c == cell for c, d in true)
                assert reported[5] == "assumed" or by_other, line
                false.add((cell, digit))
                continue
            others = [(cell, d) for d in bits(position.cands[cell]) if d != digit]
            units = [unit.cells for unit in Layout().units if cell in unit.cells]
            places = [[(c, digit) for c in cells if c != cell and position.cands[c] >> digit & 1] for cells in units]
            assert reported[5] == "assumed" or any(false.issuperset(some) for some in (others, *places)), line
            true.add((cell, digit))
        assert step.proof.endswith(f"So {step.sentence[:-1].split('so ')[-1].split('in any case ')[-1]}.")
        assert step.values(9)["proof"] == step.proof.split("\n")
