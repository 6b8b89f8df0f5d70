"""Colours that are asked for are delivered, as often as chance says; and encodings hold on boards without a border."""

from __future__ import annotations

import random
from collections import Counter
from math import comb
from typing import Any

import pytest

import tablero as tb
from tablero.edges.encoding import encode
from tablero.edges.generating import generate
from tablero.edges.puzzle import EdgePuzzle
from tablero.errors import BadInput
from tests.test_edges_turns import all_boards

ENCODINGS = ("1", "2", "xcc")


def colours_of(puzzle: EdgePuzzle) -> Counter[int]:
    """How many sides have each colour, the border aside."""
    return Counter(colour for row in puzzle.pieces.tolist() for colour in row if colour or not puzzle.border)


@pytest.mark.parametrize(
    ("size", "wish", "number"),
    [
        (4, {"colours": 22}, 22),
        (4, {"colours": 24}, 24),
        ("3x5", {"colours": 20}, 20),
        (4, {"framed": (12, 12)}, 24),
        (5, {"framed": (3, 20)}, 23),
        (3, {"colours": 24, "border": False, "turning": False}, 24),
        (3, {"colours": 9, "shape": "triangle"}, 9),
        (2, {"colours": 12, "shape": "hexagon", "even": True}, 12),
        (3, {"colours": 20, "border": False, "even": True}, 20),
        (5, {"colours": 30, "distinct": True}, 30),
    ],
)
def test_every_colour_that_is_asked_for_occurs(size: int | str, wish: dict[str, Any], number: int) -> None:
    for seed in range(20):
        planted = generate(size, seed=seed, **wish)
        sides = colours_of(planted)
        assert len(sides) == planted.inner_colours == number
        assert f"{number} colours" in repr(planted)
        if planted.border:
            assert all(count % 2 == 0 for count in sides.values())
        if wish.get("framed"):
            along = set(range(1, wish["framed"][0] + 1))
            for row in planted.pieces.tolist():
                for k, colour in enumerate(row):
                    if colour:
                        assert (colour in along) == (0 in (row[k - 1], row[(k + 1) % 4]))


@pytest.mark.parametrize(
    ("size", "wish", "room"),
    [
        (4, {"colours": 25}, "26 colours with the border: a board of 4 has room for at most 25"),
        ("3x5", {"colours": 23}, "has room for at most 23"),
        (4, {"framed": (13, 1)}, "13 colours along the frame: a board of 4 has room for at most 12 there"),
        (4, {"framed": (1, 13)}, "13 colours inside: a board of 4 has room for at most 12 there"),
        (2, {"framed": (1, 1)}, "1 colour inside: a board of 2 has room for at most 0 there"),
        (2, {"colours": 13, "border": False}, "13 colours: a board of 2 has room for at most 12"),
        (2, {"colours": 4, "shape": "triangle"}, "has room for at most 4"),
    ],
)
def test_more_colours_than_possible_are_refused(size: int | str, wish: dict[str, Any], room: str) -> None:
    with pytest.raises(BadInput, match=room):
        generate(size, **wish)


def surjections(balls: int, boxes: int) -> int:
    return sum((-1) ** k * comb(boxes, k) * (boxes - k) ** balls for k in range(boxes + 1))


@pytest.mark.parametrize(("size", "colours"), [(3, 7), (3, 4), (4, 18)])
def test_colours_are_as_frequent_as_chance_says(size: int, colours: int) -> None:
    """Over 1,000 puzzles: how many joins each colour has, against all ways to use all colours (χ², one in a thousand)."""
    joins = 2 * size * (size - 1)
    seen: Counter[int] = Counter()
    where: Counter[int] = Counter()
    for seed in range(1000):
        sides = colours_of(generate(size, colours=colours, seed=seed))
        assert len(sides) == colours
        seen[sides[1 + seed % colours] // 2] += 1  # one colour a puzzle: the counts of colours depend on each other
        where[max(sides, key=lambda colour: (sides[colour], colour * 7919 % 101))] += 1
    ways = surjections(joins, colours)
    expected = {k: 1000 * comb(joins, k) * surjections(joins - k, colours - 1) / ways for k in range(1, joins)}
    cells = [k for k, n in expected.items() if n >= 5]
    rest = 1000 - sum(expected[k] for k in cells)
    square = sum((seen[k] - expected[k]) ** 2 / expected[k] for k in cells)
    square += (sum(n for k, n in seen.items() if k not in cells) - rest) ** 2 / max(rest, 1)
    assert square < {1: 10.8, 2: 13.8, 3: 16.3, 4: 18.5, 5: 20.5, 6: 22.5, 7: 24.3}[len(cells)]
    assert len(where) == colours  # each is the most frequent one somewhere


def test_seeds_of_before_make_the_same_where_no_colour_was_missing() -> None:
    assert generate(3, colours=3, seed=1).pieces.tolist() == [
        [2, 0, 3, 3],
        [0, 0, 2, 2],
        [3, 0, 0, 3],
        [3, 1, 2, 0],
        [1, 0, 0, 2],
        [3, 0, 2, 1],
        [1, 3, 3, 1],
        [3, 0, 0, 1],
        [0, 1, 3, 1],
    ]
    assert generate(4, framed=(3, 4), distinct=True, seed=3).pieces.ravel().tolist()[:12] == [
        3,
        0,
        3,
        6,
        1,
        6,
        2,
        0,
        2,
        0,
        3,
        6,
    ]


# Encodings


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings_without_a_border_have_as_many_covers_as_there_are_boards(encoding: str, full: bool) -> None:
    draw = random.Random(5)
    shapes = [("1x1", 4), ("1x2", 4), ("2x1", 4), ("2x2", 4), ("1x3", 4), ("2", 3), ("1", 6)]
    for colours in (1, 2, 3):
        for size, sides in shapes:
            for turning in (False, True):
                count = {"1x1": 1, "1x2": 2, "2x1": 2, "2x2": 4, "1x3": 3, "2": 4, "1": 1}[size]
                pieces = [[draw.randrange(colours) for _ in range(sides)] for _ in range(count)]
                puzzle = EdgePuzzle(pieces, size, border=False, turning=turning)
                encoded = encode(puzzle, encoding, savings=not full).cover
                assert encoded.count().solutions == len(all_boards(puzzle)), (pieces, size, turning)


def test_unlike_pieces_that_cannot_be_turned_have_no_cover() -> None:
    puzzle = tb.edges.parse("size 1x2\nborder none\nturning none\n0 0 0 0\n1 1 1 1\n")
    assert [
        encode(puzzle, each, savings=saved).cover.count().solutions for each in ENCODINGS for saved in (True, False)
    ] == [0] * 6


@pytest.mark.parametrize(
    ("wrong", "reported"),
    [
        ({"colours": 3, "shape": []}, r"shape \[\]: expected one of square"),
        ({"framed": ()}, r"framed \[\]: expected the colours along the frame and inside, as 5,17"),
        ({"framed": 5}, "framed 5: expected the colours along the frame and inside, as 5,17"),
        ({"framed": (2, "x")}, r"framed \[2, 'x'\]: expected the colours along"),
        ({"colours": 2.5}, "colours 2.5: expected a whole number from 1"),
        ({"colours": 3, "even": "yes"}, "even yes: expected true or false"),
        ({"colours": 3, "seed": None}, "seed None: expected a whole number from 0"),
    ],
)
def test_what_is_no_wish_is_told(wrong: dict[str, Any], reported: str) -> None:
    with pytest.raises(BadInput, match=reported):
        tb.edges.generate(4, **wrong)
