"""Which colours a beam uses up first: what pieces are favoured by, and that it counts early and no later."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from tablero.edges import EdgePuzzle
from tablero.edges.generating import generate
from tablero.edges.kernels import schedule
from tablero.edges.kernels.optimise import _Workspace
from tablero.edges.kernels.schedule import _chain, draw_favour
from tablero.edges.methods import optimiser_for


def _bench(puzzle: EdgePuzzle) -> _Workspace:
    return _Workspace(optimiser_for(puzzle, 3))


def test_a_chain_leaves_as_many_pieces_as_any_on_all_levels_together() -> None:
    """Beside all orders of the first three of seven colours."""
    for seed in range(20):
        shows = np.random.default_rng(seed).random((60, 7)) < 0.35

        def worth(order: tuple[int, ...], shows: np.ndarray = shows) -> float:
            return sum(float((~shows[:, order[:k]].any(axis=1)).sum()) / (7 - k) ** 2 for k in (1, 2, 3))

        found = tuple(_chain(shows, 3, np.random.default_rng(0), 0.0))
        assert worth(found) == pytest.approx(max(worth(order) for order in permutations(range(7), 3)))


def test_favours_go_by_the_first_colour_that_goes_and_not_by_how_many_sides_show_it() -> None:
    puzzle = generate(16, framed=(5, 17), seed=1)
    shows, ways = puzzle.pieces, _bench(puzzle).favours
    assert len(ways) > 1
    for favour in ways:
        amounts = sorted(set(np.round(favour, 9).tolist()), reverse=True)
        assert amounts == pytest.approx([1.0, 0.8, 0.6, 0.4, 0.2, 0.0])
        gone: set[int] = set()
        for level, amount in enumerate(amounts):
            after = set(shows[np.isclose(favour, 0.0)].ravel().tolist())  # colours that no level takes away
            here = {
                colour
                for colour in set(shows[(shows > 0).all(axis=1)].ravel().tolist()) - gone - after
                if np.isclose(favour[(shows == colour).any(axis=1)], amount).sum()
                and (favour[(shows == colour).any(axis=1)] >= amount - 1e-9).all()
            }
            assert len(here) == 1 if level < 5 else not here
            gone |= here
        with_gone = np.isin(shows, sorted(gone)).any(axis=1)
        assert ((favour > 0) == with_gone).all()


def test_restarts_favour_in_several_ways_and_the_same_ones_again() -> None:
    ways = _bench(generate(16, framed=(5, 17), seed=1)).favours
    drawn = [draw_favour(ways, np.random.default_rng([5, step])) for step in range(40)]
    again = [draw_favour(ways, np.random.default_rng([5, step])) for step in range(40)]
    assert len({favour.tobytes() for favour in drawn}) > 10
    assert all((one == other).all() for one, other in zip(drawn, again, strict=True))
    assert {favour.max() for favour in drawn} == {0.5, 1.0, 2.0}


@pytest.mark.parametrize(
    "puzzle",
    [
        generate(10, framed=(4, 9), seed=1),
        generate(16, colours=12, border=False, turning=False, seed=1),
        generate(12, colours=6, shape="triangle", seed=1),
        generate(16, colours=5, seed=1),
        generate(16, framed=(5, 17), even=True, seed=1),
    ],
    ids=["small", "not turned", "triangles", "few colours", "even colours"],
)
def test_where_favours_are_of_no_use_there_are_none(puzzle: EdgePuzzle) -> None:
    assert not _bench(puzzle).favours.any()


def test_favours_count_early_and_less_and_less() -> None:
    trust = schedule.growing(256, 10, np.zeros(256)).trust
    assert trust[0] > 0.9
    assert (np.diff(trust) <= 0).all()
    assert not trust[144:].any()
