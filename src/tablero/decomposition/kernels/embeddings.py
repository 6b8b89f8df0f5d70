"""Lists all copies of a small graph in a larger one, each once, by backtracking over the vertices of the small graph.

    part      the small graph; its vertices are placed one after another, at positions 0, 1, 2, …
    host      the large graph: a matrix of edge numbers, −1 where there is no edge
    image     the vertex of the host on which a position is placed
    condition two positions whose images must be in ascending order; the conditions keep exactly one of all placements
              with the same edges (see `tablero.decomposition.copies`)

A position that other positions must exceed needs enough free vertices above it: this look-ahead cuts most dead ends early.
This is a generator, not a search: it has no cursor, and runs in slices only so that it can be interrupted.
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
    image: Numbers  # of each position; after the last placed position, the last vertex that was tried
    used: NDArray[np.uint8]  # of each vertex of the host
    depth: Numbers  # one number: positions placed; −1 at the end


@inlined
def _fits(problem: Problem, state: State, position: int, vertex: int) -> bool:
    """Whether the vertex is free, has the edges that it needs, and satisfies the conditions."""
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
    """Whether enough vertices above and below are free for the positions that must be placed there."""
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
    """Take up to `budget` steps or fill `rows` with the edges of copies; return the number of copies.

    If `rows` is empty, copies are only counted.
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
        if vertex == vertices:  # no vertex is left: back to the previous position
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
