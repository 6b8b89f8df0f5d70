"""Knuth's random dives into the tree of covers: each time a child is drawn, what is found below counts as often as there
were children.

A dive takes the item with the fewest options left, as the kernels do, and keeps for every option whether it is still live
and for every item how many live options it has.  Nothing is undone: the next dive begins anew.  The siblings before the
child drawn go: they are rivals, or, where the item is needed more than once, what they can be part of is below them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, kernel
from tablero.search.random import draw, mixed

U = np.uint64
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]


class Problem(NamedTuple):
    start: Words  # option o has the entries start[o] to start[o + 1]
    item: Words  # of an entry
    colour: Words
    option: Words  # of an entry
    base: Words  # item i has the members base[i] to base[i + 1]
    members: Words  # entries
    need: Words  # how often an item is to be covered
    primary: np.uint64


class State(NamedTuple):
    live: NDArray[np.uint8]  # of every option
    size: Words  # live options of every item
    left: Words  # how often every item still needs to be covered
    random: Words  # one word


@inlined
def _drop(problem: Problem, state: State, option: np.uint64) -> None:
    state.live[option] = 0
    for entry in range(problem.start[option], problem.start[option + U(1)]):
        state.size[problem.item[entry]] -= U(1)


@kernel
def _choose(problem: Problem, state: State, option: np.uint64) -> None:
    """Cover the option's items; once one has enough, its options go, this one too, unless they give it the same colour."""
    for entry in range(problem.start[option], problem.start[option + U(1)]):
        item = problem.item[entry]
        if state.left[item] > U(0):
            state.left[item] -= U(1)
        if state.left[item] > U(0):
            continue
        for k in range(problem.base[item], problem.base[item + U(1)]):
            other = problem.members[k]
            rival = problem.option[other]
            alike = problem.colour[entry] != U(0) and problem.colour[other] == problem.colour[entry]
            if state.live[rival] != 0 and (item < problem.primary or (rival != option and not alike)):
                _drop(problem, state, rival)


@kernel
def dive(problem: Problem, state: State, nodes: Floats, covers: Floats) -> None:
    """A dive for every place of `nodes` and `covers`: ln of the nodes and of the covers that it stands for.

    Where no cover is met, that of the covers is −∞.
    """
    for number in range(len(nodes)):
        state.live[:] = 1
        for item in range(U(len(state.size))):
            state.left[item] = problem.need[item]
            state.size[item] = problem.base[item + U(1)] - problem.base[item]
        ln, top, rest = 0.0, 0.0, 0.0  # nodes met so far: e^top · (1 + rest)
        covers[number] = -np.inf
        while True:
            best = U(0xFFFFFFFFFFFFFFFF)
            chosen = U(0)
            for item in range(problem.primary):
                if state.left[item] > U(0) and state.size[item] < best:
                    best = state.size[item]
                    chosen = U(item)
            if best == U(0xFFFFFFFFFFFFFFFF):
                covers[number] = ln
                break
            if best == U(0):
                break
            state.random[0] = draw(state.random[0])
            which = (mixed(state.random[0]) >> U(11)) % best
            option = U(0)
            for k in range(problem.base[chosen], problem.base[chosen + U(1)]):
                option = problem.option[problem.members[k]]
                if state.live[option] != 0:
                    if which == U(0):
                        break
                    which -= U(1)
                    _drop(problem, state, option)
            _choose(problem, state, option)
            ln += np.log(np.float64(best))
            # Weights grow downwards, so the last term is the largest.
            rest = (1.0 + rest) * np.exp(top - ln)
            top = ln
        nodes[number] = top + np.log1p(rest)
