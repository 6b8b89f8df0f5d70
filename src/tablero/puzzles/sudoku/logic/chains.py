"""Chains: if a candidate is false another is true, and so on in turns; what both ends forbid is false.

    strong link    if one candidate is false the other is true: the two candidates of a cell, two places of a digit in a unit
    weak link      if one candidate is true the other is false: two candidates of a cell, two places of a digit in a unit
    chain          strong and weak links in turns, strong at both ends: one of its ends is true

An X-chain keeps to one digit, an XY-chain to cells with two candidates; a chain without a name may use all links.
Candidates are numbered size·(digit − 1) + cell, and sets of them are whole numbers, as sets of cells are.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from tablero.puzzles.sudoku.logic.position import Candidate, Position, Step, bits
from tablero.puzzles.sudoku.puzzle import SYMBOLS


class _Graph(NamedTuple):
    """For each candidate those that it is linked to, as sets."""

    strong: dict[int, int]
    weak: dict[int, int]


def _graph(position: Position, *, in_cells: bool, in_units: bool) -> _Graph:
    """The links; a chain needs strong links of one kind, and those of the other where they are allowed."""
    size, strong, weak = position.size, {}, {}
    for cell in bits(position.empty):
        digits = list(bits(position.cands[cell]))
        for digit in digits:
            node = size * (digit - 1) + cell
            peers = position.places[digit] & position.geometry.peers[cell]
            weak[node] = peers << size * (digit - 1)
            strong[node] = 0
            if in_units:
                for k in position.geometry.units_of[cell]:
                    others = position.places[digit] & position.geometry.masks[k] & ~(1 << cell)
                    if others.bit_count() == 1:
                        strong[node] |= others << size * (digit - 1)
            if in_cells:
                others = sum(1 << size * (d - 1) + cell for d in digits if d != digit)
                weak[node] |= others
                if len(digits) == 2:
                    strong[node] |= others
    return _Graph(strong, weak)


def _reach(graph: _Graph, start: int, least: int) -> tuple[int, int] | None:
    """The nearest end of a chain from `start` that forbids something, and how many strong links it takes."""
    weak, strong = graph.weak, graph.strong
    forbidding = 0  # candidates that are weakly linked to something that the start is linked to
    for node in bits(weak[start]):
        forbidding |= weak[node]
    forbidding &= ~(1 << start)
    true = 0
    false = frontier = 1 << start
    length = 0
    while frontier and length < least:
        length += 1
        more = 0
        for node in bits(frontier):
            more |= strong[node]
        more &= ~true
        true |= more
        if more >> start & 1:
            return start, length
        for end in bits(more & forbidding):
            if weak[start] & weak[end] and length > 1:
                return end, length
        frontier = 0
        for node in bits(more):
            frontier |= weak[node]
        frontier &= ~false
        false |= frontier
    return None


def _path(graph: _Graph, start: int, end: int) -> list[int]:
    """The candidates of a shortest chain: false, true, false, … in turns."""
    false: dict[int, int] = {start: -1}
    true: dict[int, int] = {}
    frontier = [start]
    while end not in true:
        onwards = []
        for node in frontier:
            for other in bits(graph.strong[node]):
                if other not in true:
                    true[other] = node
                    onwards.append(other)
        frontier = []
        for node in onwards:
            for other in bits(graph.weak[node]):
                if other not in false:
                    false[other] = node
                    frontier.append(other)
    path = [end]
    step, is_true = true[end], False
    while step != -1:
        path.append(step)
        step = true[step] if is_true else false[step]
        is_true = not is_true
    return path[::-1]


def _find(position: Position, graph: _Graph, name: str, rating: float) -> Step | None:
    """The shortest chain that forbids something."""
    best: tuple[int, int] | None = None
    least = position.size
    for start in graph.weak:
        found = _reach(graph, start, least)
        if found and found[1] < least + (best is None):
            best, least = (start, found[0]), found[1]
            if least == 2:
                break
            least -= 1
    if best is None:
        return None
    return _step(position, graph, best[0], best[1], name, rating)


def _step(position: Position, graph: _Graph, start: int, end: int, name: str, rating: float) -> Step:
    size = position.size

    def candidate(node: int) -> Candidate:
        return node % size, node // size + 1

    def word(node: int, true: bool) -> str:
        cell, digit = candidate(node)
        return f"{position.name(cell)} is {'' if true else 'not '}{SYMBOLS[digit]}"

    path = _path(graph, start, end)
    told = ", ".join(word(node, bool(k % 2)) for k, node in enumerate(path[1:], 1))
    good = tuple(candidate(node) for node in path[1::2])
    other = tuple(candidate(node) for node in path[::2])
    links = tuple((candidate(a), candidate(b)) for a, b in pairwise(path))
    cells = tuple(dict.fromkeys(node % size for node in path))
    if end == start:
        sentence = f"If {word(start, False)}, then {told}: so {word(start, True)} in any case."
        return Step(
            name, rating, sentence, placed=(candidate(start),), cells=cells, good=good, other=other, links=links
        )
    removed = tuple(sorted(candidate(node) for node in bits(graph.weak[start] & graph.weak[end])))
    sentence = f"If {word(start, False)}, then {told}: one of both ends is right, which takes {position.told(removed)}."
    return Step(name, rating, sentence, removed=removed, cells=cells, good=good, other=other, links=links)


def x_chain(position: Position) -> Step | None:
    return _find(position, _graph(position, in_cells=False, in_units=True), "X-chain", 6.6)


def xy_chain(position: Position) -> Step | None:
    return _find(position, _pairs_only(position), "XY-chain", 7.0)


def _pairs_only(position: Position) -> _Graph:
    """Strong links inside cells with two candidates, weak ones between cells."""
    cells = _graph(position, in_cells=True, in_units=False)
    units = _graph(position, in_cells=False, in_units=False)
    return _Graph(cells.strong, units.weak)


def chain(position: Position) -> Step | None:
    return _find(position, _graph(position, in_cells=True, in_units=True), "chain", 7.2)
