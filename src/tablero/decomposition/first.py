"""A first decomposition where a plain search may take long: what is tried, in which order, and for how long.

Where copies are too many to list:

    laying      copies one after another (see `laying`): a complete search, good where the beginning is good
    annealing   all copies at once, exchanging vertices (see `annealing`): good where dead ends come late

Each is tried with base copies under a turn of odd order, where there is one: they are by far the fewest to find; and
without, for a decomposition need not have a symmetry.  A search that begins badly rarely ends well, so each round takes
other seeds, and a little longer than the one before.

Where orbits of copies are covered, most searches end in no time or never.  So orbits are shuffled again and again, and each
search gets a few nodes: this finds the Steiner triple systems on hundreds of points that a turn leaves as they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablero.decomposition.annealing import AnnealModel
from tablero.decomposition.checking import Copy
from tablero.decomposition.laying import LayingModel, kind_of, odd_turn
from tablero.decomposition.orbits import Orbits
from tablero.decomposition.puzzle import DecompositionPuzzle
from tablero.decomposition.symmetric import OrbitModel

_ROUNDS, _PATIENCE, _LONGER = 12, 0.3, 1.35  # and the seconds of a try in the first round

_SHUFFLES, _NODES, _MORE = 200, 10_000, 1.02  # and the nodes of the first try


def attempts(
    puzzle: DecompositionPuzzle, *, anneals: bool, threads: int = 1
) -> Iterator[tuple[LayingModel | AnnealModel, float]]:
    """Models that may have a decomposition soon, each with the seconds that it is given.

    Annealing may come to the same decomposition twice, so it is of use where one is enough.
    """
    turn = odd_turn(puzzle.host.vertices) if puzzle.host.is_complete else None
    if turn is not None and kind_of(puzzle, Orbits.of(puzzle.host, turn)) is None:
        turn = None
    given = first_copy(puzzle)
    for k in range(_ROUNDS):
        seconds, seeds = _PATIENCE * _LONGER**k, range(k * threads, (k + 1) * threads)
        if turn is not None:
            yield LayingModel.of(puzzle, turn, seed=k), seconds
            if anneals:
                yield AnnealModel.of(puzzle, turn, seeds=seeds), seconds
        yield LayingModel.of(puzzle, given=given, seed=k), seconds
        if anneals:
            yield AnnealModel.of(puzzle, seeds=seeds), seconds


def shuffles(model: OrbitModel) -> Iterator[tuple[OrbitModel, int]]:
    """The same problem in other orders, each with the nodes that it is given; as it stands first."""
    yield model, _NODES
    for k in range(_SHUFFLES):
        yield model.shuffled(k), int(_NODES * _MORE**k)


def first_copy(puzzle: DecompositionPuzzle) -> tuple[Copy, ...]:
    """A copy that some decomposition has if there is any: in a complete graph all copies are alike."""
    return (puzzle.parts[0].graph.edges,) if puzzle.host.is_complete else ()
