"""Nonograms do what every family does, and give the pictures that are known."""

import nonograms
import pytest

from tablero.testing import conformance


@pytest.mark.parametrize("check", conformance("nonograms", ["2x2:1/1/1/1", "4x4:1/1.1/2/1/1.1/1/2/1"]), ids=str)
def test_conformance(check):
    check()


@pytest.mark.parametrize(("text", "pictures"), [("2x2:1/1/1/1", 2), ("1x1:1/", 0), ("4x4:1/1/1/1/1/1/1/1", 24)])
def test_known_counts(text, pictures):
    assert nonograms.count(text).solutions == len(nonograms.solve(text, None).answers) == pictures


def test_a_generated_puzzle_has_its_picture():
    for seed in range(20):
        puzzle = nonograms.generate(6, seed=seed)
        assert nonograms.solve(puzzle).first is not None
