"""Knuth's format: what is written reads back, and no text makes anything but a problem or one line."""

from __future__ import annotations

from collections.abc import Hashable

from hypothesis import given, settings
from hypothesis import strategies as st

from tablero.cover import ExactCover, generate, parse, write
from tablero.errors import BadInput
from tests import problems

name = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"], exclude_characters="|:"), min_size=1)


@st.composite
def made(draw: st.DrawFn) -> ExactCover:
    names = draw(st.lists(name, min_size=1, max_size=8, unique=True))
    primary = draw(st.integers(1, len(names)))
    rows: list[dict[Hashable, Hashable]] = []
    for _ in range(draw(st.integers(0, 6))):
        first = draw(st.sampled_from(names[:primary]))
        others = draw(st.lists(st.sampled_from(names), unique=True))
        row: dict[Hashable, Hashable] = {first: None}
        for other in others:
            row[other] = draw(st.none() | name) if other in names[primary:] else None
        rows.append(row)
    weights = draw(st.none() | st.lists(st.integers(0, 10**6), min_size=len(rows), max_size=len(rows)))
    return ExactCover(rows, primary=names[:primary], secondary=names[primary:], weights=weights)


@given(made())
def test_what_is_written_reads_back(problem: ExactCover) -> None:
    again = parse(write(problem, "two\nlines"))
    assert again.items == problem.items
    assert again.primary == problem.primary
    assert [again.option(k) for k in range(len(again))] == [problem.option(k) for k in range(len(problem))]
    mine, theirs = problem.weights, again.weights
    assert (theirs is None) == (mine is None or not mine.any())
    if mine is not None and theirs is not None:
        assert theirs.tolist() == mine.tolist()


@given(st.text(st.sampled_from("ab x|:\n 17"), max_size=60) | st.text(max_size=60))
@settings(max_examples=400)
def test_any_text_is_a_problem_or_bad_input(text: str) -> None:
    try:
        problem = parse(text)
    except BadInput:
        return
    assert problem.primary > 0


def test_generated_problems_read_back() -> None:
    for problem in (generate("pentominoes", "6x10"), generate("queens", 5), problems.coloured_squares(4)):
        again = parse(write(problem))
        assert [[str(i) for i in again.option(k)] for k in range(len(again))] == [
            [str(i) for i in problem.option(k)] for k in range(len(problem))
        ]


def test_weights_add_up() -> None:
    weights = parse("a b\na |3 |4\nb\n").weights
    assert weights is not None
    assert weights.tolist() == [7, 0]


def test_what_is_made_begins_with_its_command() -> None:
    made = generate("dominoes", "4x4", holes="r1c1,r4c4")
    assert write(made).startswith("| tablero cover make dominoes 4x4 --holes r1c1,r4c4\nr1c2 ")
    assert write(generate("langford")).startswith("| tablero cover make langford\n")
    assert parse(write(made)) == made
    assert write(made, "mine").startswith("| mine\nr1c2 ")
