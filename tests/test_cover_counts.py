"""Every count that the literature knows, by each kernel that can do it."""

from __future__ import annotations

from typing import Any

import pytest

from tablero.cover import ExactCover, generate
from tablero.cover.generating import pentominoes
from tablero.cover.kernels.search import COUNTERS, KERNELS
from tablero.errors import BadInput
from tablero.runs.run import Here
from tests import problems


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", problems.SMALL)
def test_small_counts(name: str, kernel: Any) -> None:
    problem, known = problems.SMALL[name]
    if problem.colours and kernel in COUNTERS:
        with pytest.raises(BadInput, match="colours"):
            problem.count(kernel=kernel)
    else:
        assert problem.count(kernel=kernel).solutions == known


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("n", "known"), problems.BELL.items())
def test_bell_numbers(n: int, known: int, kernel: Any) -> None:
    assert problems.partitions(n).count(kernel=kernel).solutions == known


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("k", "known"), problems.DOUBLE_FACTORIAL.items())
def test_double_factorials(k: int, known: int, kernel: Any) -> None:
    assert problems.matchings(k).count(kernel=kernel).solutions == known


CENTRE = [(3, 3), (3, 4), (4, 3), (4, 4)]
PENTOMINOES = {
    "3×20": (generate("pentominoes", "3x20"), 8),
    "4×15": (generate("pentominoes", "4x15"), 1472),
    "5×12": (generate("pentominoes", "5x12"), 4040),
    "6×10": (generate("pentominoes", "6x10"), 9356),
    "8×8 without its centre": (pentominoes(8, 8, CENTRE), 520),
}


# Not `frontier`: without the item of fewest options this takes many minutes.
@pytest.mark.parametrize("kernel", ["bits", "sparse", "memo"])
@pytest.mark.parametrize("name", PENTOMINOES)
def test_pentominoes(name: str, kernel: Any) -> None:
    problem, known = PENTOMINOES[name]
    assert problem.count(kernel=kernel).solutions == known


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(
    ("problem", "known"),
    [
        (generate("queens", 8), 92),
        (generate("queens", 12), 14200),
        (generate("langford", 8), 300),
        (generate("langford", 11), 35584),
        (generate("one-factorisations", 8), 6240),
        (generate("steiner", 9), 840),
        (problems.double_stars(8), 6720),
        (problems.double_stars(10), 967680),
    ],
    ids=["queens 8", "queens 12", "langford 8", "langford 11", "K8 matchings", "STS 9", "K8 stars", "K10 stars"],
)
def test_known_counts(problem: ExactCover, known: int, kernel: Any) -> None:
    assert problem.count(kernel=kernel).solutions == known


@pytest.mark.parametrize("kernel", COUNTERS)
def test_dominoes_on_a_chessboard(kernel: Any) -> None:
    assert generate("dominoes", "8x8").count(kernel=kernel).solutions == 12_988_816


def test_dominoes_on_a_chessboard_one_by_one() -> None:
    assert generate("dominoes", "8x8").count(kernel="bits", run=Here(threads=2)).solutions == 12_988_816


def test_counts_past_64_bits_are_exact_and_past_127_refused() -> None:
    assert generate("dominoes", "16x16").count().solutions == 2444888770250892795802079170816
    for kernel in COUNTERS:
        assert twins(126).count(kernel=kernel).solutions == 1 << 126
        with pytest.raises(BadInput, match="2\\^127"):
            twins(130).count(kernel=kernel)


def twins(n: int) -> ExactCover:
    """Two options for each of n items: 2ⁿ covers."""
    return ExactCover([[k] for k in range(n)] * 2)


def test_one_factorisations_of_k10() -> None:
    assert generate("one-factorisations", 10).count().solutions == 1_225_566_720
