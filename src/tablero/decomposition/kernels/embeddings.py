"""All copies of a small graph in a larger one, each once, by backtracking over the small graph's vertices.

    part      the small graph; its vertices are placed one after another, at positions 0, 1, 2, …
    host      the large graph: a matrix of edge numbers, −1 where there is no edge
    image     the host's vertex on which a position is placed
    condition two positions whose images must be in order; the part's automorphisms give just those conditions that keep
              one of all placements with the same edges (see `tablero.decomposition.copies`)

A position that others must exceed needs room above it: without that look-ahead most branches would die late.
This is a generator, not a search: there is no cursor, and it runs in slices only so that it can be interrupted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel

Numbers = NDArray[np.int64]


class Problem(NamedTuple):
    """Lists for every position, one after another: those of position p are list[start[p]:start[p + 1]]."""

    edge: NDArray[np.int32]  # host × host
    back_start: Numbers
    back: Numbers  # earlier positions that are neighbours
    low_start: Numbers
    low: Numbers  # earlier positions whose image must be lower
    high_start: Numbers
    high: Numbers  # earlier positions whose image must be higher
    above: Numbers  # how many later positions must be higher
    below: Numbers  # how many later positions must be lower


class State(NamedTuple):
    image: Numbers  # of each position; the one after the last placed is the last that was tried
    used: NDArray[np.uint8]  # of each vertex of the host
    depth: Numbers  # one number: positions placed; −1 when all has been tried


@inlined
def _fits(problem: Problem, state: State, position: int, vertex: int) -> bool:
    """Whether the vertex is free, joined to all it must be joined to, and in order."""
    if state.used[vertex]:
        return False
    for k in range(problem.back_start[position], problem.back_start[position + 1]):
        if problem.edge[state.image[problem.back[k]], vertex] < 0:
            return False
    for k in range(problem.low_start[position], problem.low_start[position + 1]):
        if state.image[problem.low[k]] > vertex:
            return False
    for k in range(problem.high_start[position], problem.high_start[position + 1]):
        if state.image[problem.high[k]] < vertex:
            return False
    return True


@inlined
def _has_room(problem: Problem, state: State, position: int, vertex: int) -> bool:
    """Whether there are free vertices enough above and below for the positions that must go there."""
    above = problem.above[position]
    for other in range(vertex + 1, problem.edge.shape[0]):
        if above <= 0:
            break
        above -= 1 - state.used[other]
    below = problem.below[position]
    for other in range(vertex):
        if below <= 0:
            break
        below -= 1 - state.used[other]
    return bool(above <= 0 and below <= 0)


@kernel
def advance(problem: Problem, state: State, rows: NDArray[np.int32], budget: int) -> int:
    """Take up to `budget` steps or fill `rows` with the edges of copies; return how many copies were made.

    With no rows, copies are only counted.
    """
    positions = problem.above.shape[0]
    vertices = problem.edge.shape[0]
    keep = rows.shape[0] > 0
    depth = state.depth[0]
    found = 0
    steps = 0
    while depth >= 0 and steps < budget and (not keep or found < rows.shape[0]):
        steps += 1
        vertex = state.image[depth] + 1
        while vertex < vertices and not (
            _fits(problem, state, depth, vertex) and _has_room(problem, state, depth, vertex)
        ):
            vertex += 1
        state.image[depth] = vertex
        if vertex == vertices:  # nowhere left: take the position before up again
            depth -= 1
            if depth >= 0:
                state.used[state.image[depth]] = 0
        elif depth < positions - 1:
            state.used[vertex] = 1
            depth += 1
            state.image[depth] = -1
        else:
            if keep:
                column = 0
                for position in range(positions):
                    for k in range(problem.back_start[position], problem.back_start[position + 1]):
                        rows[found, column] = problem.edge[state.image[problem.back[k]], state.image[position]]
                        column += 1
            found += 1
    state.depth[0] = depth
    return found
