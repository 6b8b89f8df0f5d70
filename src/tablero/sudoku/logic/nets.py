"""Forcing nets of a position: the kernel's arrays, and what it finds as conclusions that can be told.

A conclusion is a node (a candidate that is true or false) with the nets that lead to it: one that contradicts its beginning,
or one for every candidate of a cell or of a digit in a unit, all of which lead to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from threading import get_ident
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.sudoku.kernels import net_lengths, net_state
from tablero.sudoku.kernels import nets as kernel
from tablero.sudoku.logic.position import Candidate, Geometry, Link, Position, bits
from tablero.sudoku.puzzle import SYMBOLS, Layout, Sudoku

_LISTS = 60_000
NESTS = 9  # sides of boards on which nets are nested
_TRIED = 81  # candidates at a time, between which a time limit and Ctrl-C are heard


class Conclusion(NamedTuple):
    """What follows: `false` candidates are refuted, others proved.  `sources`: the nodes whose nets lead to it."""

    candidate: Candidate
    false: bool
    length: int
    sources: tuple[int, ...]  # nodes; one for a contradiction
    where: int = -1  # the set that they are: a cell, or size + unit; −1 for a contradiction, −2 for true and false


class Story(NamedTuple):
    """What a net says, in the order in which it follows: candidates with their truth; why; how it ends; what to draw."""

    nodes: tuple[tuple[Candidate, bool], ...]
    reasons: tuple[str, ...]  # of each node
    end: str
    strong: tuple[Link, ...]
    weak: tuple[Link, ...]
    tried: frozenset[Candidate]  # false because they contradict themselves, or by locked candidates and pairs


def _numbers(rows: list[list[int]]) -> NDArray[np.int32]:
    wide = max(map(len, rows))
    return np.array([row + [-1] * (wide - len(row)) for row in rows], np.int32)


def _meets(geometry: Geometry) -> Iterator[tuple[int, int]]:
    for home, _, _, _, target in geometry.meetings(tuple(geometry.boxes), tuple(geometry.lines)):
        yield home, target
        yield target, home


class Room:
    """The arrays of a layout, used again and again."""

    def __init__(self, geometry: Geometry) -> None:
        side, size = geometry.side, geometry.size
        self.side, self.size, self.n = side, size, side * size
        self.board = net_state.Board(
            _numbers([list(unit.cells) for unit in geometry.units]),
            _numbers(geometry.units_of),
            _numbers([list(bits(mask)) for mask in geometry.peers]),
            np.array([[a, b] for a, b in _meets(geometry)], np.int32),
            np.array([[mask >> cell & 1 for cell in range(size)] for mask in geometry.masks], np.uint8),
        )
        self.net, self.sub = self._net(len(geometry.units)), self._net(len(geometry.units))
        self.lengths, self.used = np.zeros(2 * self.n, np.int32), np.zeros(2 * self.n, np.int32)

    def _net(self, units: int) -> net_state.Net:
        n = self.n

        def numbers(count: int) -> NDArray[np.int32]:
            return np.zeros(count, np.int32)

        def bytes_(count: int) -> NDArray[np.uint8]:
            return np.zeros(count, np.uint8)

        cells, places = self.size, units * self.side
        return net_state.Net(
            bytes_(n),
            bytes_(n),
            bytes_(n),
            numbers(2 * n),
            numbers(2 * n),
            numbers(2 * n),
            numbers(cells),
            numbers(places),
            numbers(cells),
            numbers(places),
            numbers(_LISTS),
            numbers(8),
            bytes_(3 * n),
            numbers(2 * n),
            bytes_(n * n if self.side <= NESTS else 1),
            numbers(self.side),
        )

    def load(self, position: Position) -> None:
        alive = self.net.alive
        alive[:] = 0
        for cell, digits in enumerate(position.cands):
            for digit in bits(digits):
                alive[self.side * cell + digit - 1] = 1
        net_state.count(self.board, self.net, self.side)

    def candidate(self, node: int) -> Candidate:
        cell, digit = divmod(node % self.n, self.side)
        return cell, digit + 1


def _room(geometry: Geometry) -> Room:
    """The arrays to work in, of this thread alone: nets of two threads would write into each other."""
    return _room_of(geometry, get_ident())


@lru_cache(maxsize=32)
def _room_of(geometry: Geometry, thread: int) -> Room:
    return Room(geometry)


def contradictions(position: Position, mode: int, rounds: int = 0) -> tuple[int, list[Conclusion]]:
    """Candidates that contradict themselves when they are true, or when they are false; the shortest nets first.

    And the rounds that it takes to see them, the fewest that will do.
    """
    room = _room(position.geometry)
    room.load(position)
    fewest, size = rounds, room.n
    for first in range(0, size, _TRIED):
        position.check()
        last = min(first + _TRIED, size)
        net, sub, lengths, used = room.net, room.sub, room.lengths, room.used
        fewest = int(kernel.refute(room.board, net, sub, room.side, mode, fewest, lengths, used, first, last))
    room.lengths[room.used > fewest] = 0  # those that took more rounds do not count
    if not room.lengths.any():
        return -1, []
    found = []
    for node in np.flatnonzero(room.lengths).tolist():
        found.append(Conclusion(room.candidate(node), node >= room.n, int(room.lengths[node]), (node,)))
    return fewest, sorted(found, key=lambda c: (c.length, c.candidate))


def verities(position: Position, mode: int) -> list[Conclusion]:
    """What follows from every candidate of a cell, of a digit in a unit, or from one whether true or false."""
    room = _room(position.geometry)
    room.load(position)
    n, side = room.n, room.side
    rows = np.zeros((2 * n, 2 * n), np.uint8)
    causes = np.zeros((2 * n, 2 * n), np.int32)
    kernel.keep(room.board, room.net, room.sub, side, mode, rows, causes)
    sets, wheres = [], []
    for cell in bits(position.empty):
        sets.append([n + side * cell + digit - 1 for digit in bits(position.cands[cell])])
        wheres.append(cell)
    for k, mask in enumerate(position.geometry.masks):
        for digit in range(1, side + 1):
            here = position.places[digit] & mask
            if here:
                sets.append([n + side * cell + digit - 1 for cell in bits(here)])
                wheres.append(room.size + k)
    if not mode & net_state.STATIC:
        for x in np.flatnonzero(room.net.alive).tolist():
            sets.append([n + x, x])
            wheres.append(-2)
    best = np.zeros((2 * n, 2), np.int32)
    if not kernel.verities(room.board, room.net, side, rows, causes, _numbers(sets), best):
        return []
    found = []
    for node in np.flatnonzero(best[:, 0] >= 0).tolist():
        which = int(best[node, 0])
        found.append(Conclusion(room.candidate(node), node < n, int(best[node, 1]), tuple(sets[which]), wheres[which]))
    return sorted(found, key=lambda c: (c.length, c.candidate))


def stories(position: Position, found: Conclusion, mode: int, rounds: int = 0) -> Iterator[Story]:
    """What each of the nets says."""
    room = _room(position.geometry)
    room.load(position)
    cell, digit = found.candidate
    target = room.side * cell + digit - 1 + (0 if found.false else room.n)
    for source in found.sources:
        clash = kernel.start(room.board, room.net, room.sub, room.side, source, mode, rounds)
        net_lengths.trace(room.board, room.net, room.side, -1 if clash and found.where == -1 else target)
        yield _story(room, position, found.where == -1, mode)


def word(position: Position, candidate: Candidate, true: bool) -> str:
    """As r2c5 is not 3."""
    return f"{position.name(candidate[0])} is {'' if true else 'not '}{SYMBOLS[candidate[1]]}"


def _reason(room: Room, position: Position, node: int, mode: int) -> str:
    """Why a node of a net follows."""
    net, n = room.net, room.n
    cause, (_, digit) = int(net.cause[node]), room.candidate(node)
    if cause == net_state.START:
        return "supposed"
    if cause >= 0:
        return f"as {word(position, room.candidate(cause), True)}"
    if cause == net_state.CELL:
        return "no other digit is left there"
    if cause > net_state.LIST:
        return f"no other place is left for {SYMBOLS[digit]} in {position.geometry.units[net_state.UNIT - cause].name}"
    first = net_state.LIST - cause
    gone = [int(x) for x in net.lists[first + 1 : first + 1 + int(net.lists[first])]]
    as_told = ", ".join(dict.fromkeys(word(position, room.candidate(x), False) for x in gone))
    if net.weight[node] == 1:
        return f"by locked candidates, a pair or an X-wing, as {as_told}"
    inner = net_state.STATIC if mode & net_state.NESTED_STATIC else 0
    told = _inner(position, node % n, gone, inner) or "whatever a cell holds, or wherever a unit has a digit, it is not"
    return f"{told} (as {as_told})" if as_told else told


def _inner(position: Position, x: int, gone: list[int], mode: int) -> str:
    """The contradiction that is nested in a net: of a candidate, where others are gone; empty where there is none."""
    room = _room_of(position.geometry, -get_ident())  # the other one holds the outer net
    room.load(position)
    room.net.alive[gone] = 0
    net_state.count(room.board, room.net, room.side)
    if not kernel.start(room.board, room.net, room.sub, room.side, room.n + x, mode, 0):
        return ""
    net_lengths.trace(room.board, room.net, room.side, -1)
    nodes = [node for node in room.net.queue[: room.net.info[1]].tolist() if room.net.mark[node] and node >= room.n]
    told = ", ".join(word(position, room.candidate(node), True) for node in nodes[1:])
    return f"otherwise {told + ', and then ' if told else ''}{_end(room, position)}"


def _story(room: Room, position: Position, clash: bool, mode: int) -> Story:
    net, n = room.net, room.n
    nodes = [node for node in net.queue[: net.info[1]].tolist() if net.mark[node]]
    strong: list[Link] = []
    weak: list[Link] = []
    tried = set()
    for node in nodes:
        here, cause = room.candidate(node), int(net.cause[node])
        if cause >= 0:
            weak.append((room.candidate(cause), here))
        elif node >= n and cause < -1:
            if cause == -2:
                others = [(here[0], d) for d in bits(position.cands[here[0]]) if d != here[1]]
            else:
                mask = position.geometry.masks[-10 - cause]
                others = [(c, here[1]) for c in bits(position.places[here[1]] & mask) if c != here[0]]
            strong += [(other, here) for other in others]
        elif cause < -1:
            tried.add(here)
    told = tuple((room.candidate(node), node >= n) for node in nodes)
    reasons = tuple(_reason(room, position, node, mode) for node in nodes)
    return Story(told, reasons, _end(room, position) if clash else "", tuple(strong), tuple(weak), frozenset(tried))


def _end(room: Room, position: Position) -> str:
    """How a contradiction shows."""
    kind, one, two = (int(room.net.info[k]) for k in (3, 4, 5))
    if kind == 2:
        return f"no digit is left for {position.name(one)}"
    if kind == 3:
        return f"no place is left for {SYMBOLS[two + 1]} in {position.geometry.units[one].name}"
    cell, digit = room.candidate(one)
    return f"{position.name(cell)} would be {SYMBOLS[digit]} and not {SYMBOLS[digit]} at once"


def warm() -> None:
    """Compile all that is used here, on a small board."""
    position = Position(Sudoku((1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0), Layout(4)))
    for found in contradictions(position, 0)[1][:1] + verities(position, 0)[:1]:
        list(stories(position, found, 0))
