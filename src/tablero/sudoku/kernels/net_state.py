"""The state of a forcing net: what is taken for true or false, each with its cause, and what follows by single links.

    node         a candidate that is false (its number, side·cell + digit − 1), or true (the same + N)
    cause        of a false one: a true one that forbids it, or a list; of a true one: its cell or a unit has no other left
    static       links of the position alone: a cell or a unit lets on only where it had two from the start
    single       one digit alone (Nishio): cells forbid nothing

Nothing is allocated here: the caller (`logic.nets`) brings all arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import kernel

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]

STATIC, SINGLE, WIDE, NESTED_STATIC, NESTED, MULTIPLE = 1, 2, 4, 8, 16, 32  # modes, added up

START, CELL, UNIT, LIST = (
    -1,
    -2,
    -10,
    -100_000,
)  # causes: none, the cell, a unit (less its number), a list (likewise)
HEAD, TAIL, ROOM, CLASH, ONE, TWO, USED = 0, 1, 2, 3, 4, 5, 6  # of info
BY_NODES, BY_CELL, BY_UNIT = 1, 2, 3  # kinds of clashes


class Board(NamedTuple):
    """Units with their cells, for each cell its units and its peers (filled up with −1).

    `meets`: pairs of units that share several cells; `inside`: whether a cell lies in a unit.
    """

    units: Numbers
    units_of: Numbers
    peers: Numbers
    meets: Numbers
    inside: Bytes


class Net(NamedTuple):
    """Room for a net.  `alive`: the candidates of the position; counts are of those that are not false yet."""

    alive: Bytes
    on: Bytes
    off: Bytes
    cause: Numbers
    weight: Numbers
    queue: Numbers
    cells: Numbers
    places: Numbers
    first_cells: Numbers
    first_places: Numbers
    lists: Numbers
    info: Numbers
    mark: Bytes
    stack: Numbers
    rows: Bytes  # of inner nets, on boards of 9×9 and less: see `_write_row`
    members: Numbers


@kernel
def count(board: Board, net: Net, side: int) -> None:
    """Count the candidates of each cell, and the places of each digit in each unit."""
    for cell in range(board.units_of.shape[0]):
        n = 0
        for d in range(side):
            n += net.alive[side * cell + d]
        net.first_cells[cell] = n
    for u in range(board.units.shape[0]):
        for d in range(side):
            n = 0
            for k in range(side):
                n += net.alive[side * board.units[u, k] + d]
            net.first_places[side * u + d] = n


@kernel
def reset(net: Net) -> None:
    """Take everything back."""
    net.on[:] = 0
    net.off[:] = 0
    for k in range(net.cells.shape[0]):
        net.cells[k] = net.first_cells[k]
    for k in range(net.places.shape[0]):
        net.places[k] = net.first_places[k]
    net.info[:] = 0


@kernel
def clash(net: Net, kind: int, one: int, two: int) -> None:
    if net.info[CLASH] == 0:
        net.info[CLASH] = kind
        net.info[ONE] = one
        net.info[TWO] = two


@kernel
def set_off(board: Board, net: Net, side: int, x: int, cause: int) -> None:
    """A candidate is false."""
    if net.off[x] or not net.alive[x]:
        return
    if net.on[x]:
        clash(net, BY_NODES, net.alive.shape[0] + x, cause)
        return
    net.off[x] = 1
    net.cause[x] = cause
    net.queue[net.info[TAIL]] = x
    net.info[TAIL] += 1
    cell, d = x // side, x % side
    net.cells[cell] -= 1
    for k in range(board.units_of.shape[1]):
        u = board.units_of[cell, k]
        if u >= 0:
            net.places[side * u + d] -= 1


@kernel
def set_on(net: Net, side: int, x: int, cause: int) -> None:
    """A candidate is true."""
    if net.on[x]:
        return
    if net.off[x]:
        if cause <= UNIT:
            clash(net, BY_UNIT, UNIT - cause, x % side)
        else:
            clash(net, BY_CELL, x // side, 0)
        return
    n = net.alive.shape[0]
    net.on[x] = 1
    net.cause[n + x] = cause
    net.queue[net.info[TAIL]] = n + x
    net.info[TAIL] += 1


@kernel
def follow(board: Board, net: Net, side: int, mode: int) -> None:
    """Work off the queue until it is empty or two nodes clash."""
    n = net.alive.shape[0]
    static, single = mode & STATIC, mode & SINGLE
    while net.info[HEAD] < net.info[TAIL] and net.info[CLASH] == 0:
        node = net.queue[net.info[HEAD]]
        net.info[HEAD] += 1
        if node >= n:
            x = node - n
            cell, d = x // side, x % side
            if not single:
                for other in range(side * cell, side * cell + side):
                    if other != x and net.alive[other]:
                        set_off(board, net, side, other, node)
            for k in range(board.peers.shape[1]):
                peer = board.peers[cell, k]
                if peer >= 0 and net.alive[side * peer + d]:
                    set_off(board, net, side, side * peer + d, node)
            continue
        cell, d = node // side, node % side
        if not single:
            left = net.first_cells[cell] - 1 if static else net.cells[cell]
            if left == 0 and not static:
                clash(net, BY_CELL, cell, 0)
            elif left == 1:
                for other in range(side * cell, side * cell + side):
                    if other != node and net.alive[other] and (static or not net.off[other]):
                        set_on(net, side, other, CELL)
        for k in range(board.units_of.shape[1]):
            u = board.units_of[cell, k]
            if u < 0:
                continue
            left = net.first_places[side * u + d] - 1 if static else net.places[side * u + d]
            if left == 0 and not static:
                clash(net, BY_UNIT, u, d)
            elif left == 1:
                for j in range(side):
                    other = side * board.units[u, j] + d
                    if other != node and net.alive[other] and (static or not net.off[other]):
                        set_on(net, side, other, UNIT - u)


@kernel
def is_open(net: Net, x: int) -> bool:
    return bool(net.alive[x] == 1 and net.off[x] == 0)
