"""A forcing net: the consequences of an assumption, the cause of each, and the length of a proof.

    node         a candidate that is false (its number is side·cell + digit − 1), or true (the same + N)
    cause        of a false candidate: a true one that excludes it, or a list; of a true candidate: its cell or a unit
                 without another candidate
    list         false candidates that together cause a node by more than a single link; `lists` has their number first
    static       a mode with the links of the position only: cells and units with two candidates at the start
    single       a mode with one digit only (Nishio): links in cells are ignored
    wide         a mode with locked candidates, naked and hidden pairs and X-wings
    length       the number of nodes that a node, or the contradiction of a net, depends on.  A contradiction consists of two
                 chains, and each counts all of its nodes.  A nested node also counts its own chains, but once, even if both
                 chains depend on it

Nothing is allocated here: the caller (`logic.forcing`) passes all arrays.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import kernel

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]

STATIC, SINGLE, WIDE, NESTED_STATIC, NESTED, MULTIPLE = 1, 2, 4, 8, 16, 32  # modes, added up

START, CELL, UNIT, LIST = -1, -2, -10, -100_000  # causes: none, the cell, a unit (less its number), a list (likewise)
HEAD, TAIL, FREE, CLASH, ONE, TWO, USED = 0, 1, 2, 3, 4, 5, 6  # of info
BY_NODES, BY_CELL, BY_UNIT = 1, 2, 3  # kinds of clashes


class Board(NamedTuple):
    """The geometry of a board; rows of different lengths are padded with −1."""

    units: Numbers  # the cells of each unit
    units_of: Numbers  # the units of each cell
    peers: Numbers  # the peers of each cell
    meets: Numbers  # pairs of units that share several cells
    inside: Bytes  # for each unit and cell whether the cell lies in the unit


class Net(NamedTuple):
    """The arrays of a net."""

    alive: Bytes  # the candidates of the position
    on: Bytes  # true candidates
    off: Bytes  # false candidates
    cause: Numbers  # of each node
    weight: Numbers  # of each node: 1 and the length of what is nested in it
    queue: Numbers  # nodes in the order in which they follow
    cells: Numbers  # for each cell its candidates that are not false
    places: Numbers  # for each unit and digit the places that are not false
    first_cells: Numbers  # the same as `cells` at the start
    first_places: Numbers  # the same as `places` at the start
    lists: Numbers
    info: Numbers  # HEAD, TAIL, …
    mark: Bytes
    stack: Numbers
    rows: Bytes  # of inner nets, on boards up to 9×9: see `_write_row`
    members: Numbers


@kernel
def copy(source: Numbers, target: Numbers) -> None:
    for k in range(source.shape[0]):
        target[k] = source[k]


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
    """Empty the net."""
    net.on[:] = 0
    net.off[:] = 0
    copy(net.first_cells, net.cells)
    copy(net.first_places, net.places)
    net.info[:] = 0


@kernel
def clash(net: Net, kind: int, one: int, two: int) -> None:
    if net.info[CLASH] == 0:
        net.info[CLASH] = kind
        net.info[ONE] = one
        net.info[TWO] = two


@kernel
def set_off(board: Board, net: Net, side: int, x: int, cause: int) -> None:
    """Make a candidate false."""
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
    """Make a candidate true."""
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
    """Follow the nodes of the queue until it is empty or there is a clash."""
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


# Consequences by more than single links


@kernel
def _note(net: Net, x: int, size: int) -> int:
    """Add a candidate to the open list if the net has made it false; return the new size of the list."""
    if net.alive[x] and net.off[x]:
        size += 1
        net.lists[net.info[FREE] + size] = x
    return size


@kernel
def end_list(net: Net, size: int) -> int:
    """Close the open list; return it as a cause."""
    first = net.info[FREE]
    net.lists[first] = size
    net.info[FREE] = first + size + 1
    return int(LIST - first)


@kernel
def _locked(board: Board, net: Net, side: int) -> bool:
    """Pointing and claiming; the false places of the digit in the first unit are the cause."""
    changed = False
    for m in range(board.meets.shape[0]):
        home, target = board.meets[m, 0], board.meets[m, 1]
        for d in range(side):
            left = net.places[side * home + d]
            if left < 2 or left == net.first_places[side * home + d] or net.places[side * target + d] == left:
                continue
            shared = 0
            for k in range(side):
                cell = board.units[home, k]
                if is_open(net, side * cell + d):
                    shared += board.inside[target, cell]
            if shared < left or net.info[CLASH]:
                continue
            if net.info[FREE] + side + 2 > net.lists.shape[0]:
                return changed
            size = 0
            for k in range(side):
                cell = board.units[home, k]
                if not board.inside[target, cell]:
                    size = _note(net, side * cell + d, size)
            if size == 0:
                continue
            cause = end_list(net, size)
            for k in range(side):
                cell = board.units[target, k]
                x = side * cell + d
                if is_open(net, x) and not net.on[x] and not board.inside[home, cell]:
                    set_off(board, net, side, x, cause)
                    changed = True
    return changed


@kernel
def _pairs(board: Board, net: Net, side: int) -> bool:
    """Naked pairs: the false candidates of the two cells are the cause."""
    changed = False
    for u in range(board.units.shape[0]):
        for i in range(side):
            one = board.units[u, i]
            if net.cells[one] != 2:
                continue
            for j in range(i + 1, side):
                two = board.units[u, j]
                if net.cells[two] != 2 or net.info[CLASH]:
                    continue
                if net.first_cells[one] == 2 and net.first_cells[two] == 2:
                    continue
                same = True
                for d in range(side):
                    if is_open(net, side * one + d) != is_open(net, side * two + d):
                        same = False
                if not same:
                    continue
                cause = START
                for k in range(side):
                    cell = board.units[u, k]
                    if cell in (one, two):
                        continue
                    for d in range(side):
                        x = side * cell + d
                        if not is_open(net, side * one + d) or not is_open(net, x) or net.on[x]:
                            continue
                        if cause == START:
                            if net.info[FREE] + 2 * side + 2 > net.lists.shape[0]:
                                return changed
                            size = 0
                            for e in range(side):
                                size = _note(net, side * two + e, _note(net, side * one + e, size))
                            cause = end_list(net, size)
                        set_off(board, net, side, x, cause)
                        changed = True
    return changed


@kernel
def _same_two(board: Board, net: Net, side: int, one: int, d: int, two: int, e: int, cross: int) -> bool:
    """Remove what two digits with the same two places exclude; return whether anything was removed.

    Digits d and e in one unit are a hidden pair, whose cells hold nothing else.  One digit d = e in two lines is an X-wing,
    and `cross` is the number of the first crossing line.  The false places of both are the cause.
    """
    for k in range(side):
        if is_open(net, side * board.units[one, k] + d) != is_open(net, side * board.units[two, k] + e):
            return False
    cause = START
    for k in range(side):
        here, there = side * board.units[one, k] + d, side * board.units[two, k] + e
        if not is_open(net, here):
            continue
        for m in range(side):
            x = side * board.units[one, k] + m if one == two else side * board.units[cross + k, m] + d
            if x in (here, there) or not is_open(net, x) or net.on[x]:
                continue
            if cause == START:
                if net.info[FREE] + 2 * side + 2 > net.lists.shape[0]:
                    return False
                size = 0
                for i in range(side):
                    size = _note(net, side * board.units[one, i] + d, size)
                    size = _note(net, side * board.units[two, i] + e, size)
                cause = end_list(net, size)
            set_off(board, net, side, x, cause)
    return cause != START


@kernel
def _is_new(net: Net, side: int, one: int, d: int, two: int, e: int) -> bool:
    """Whether both digits have two places, and at least one of them had more at the start."""
    a, b = side * one + d, side * two + e
    if net.places[a] != 2 or net.places[b] != 2 or net.info[CLASH]:
        return False
    return bool(net.first_places[a] != 2 or net.first_places[b] != 2)


@kernel
def _hidden_pairs(board: Board, net: Net, side: int) -> bool:
    changed = False
    for u in range(board.units.shape[0]):
        for d in range(side):
            if net.places[side * u + d] == 2:
                for e in range(d + 1, side):
                    if _is_new(net, side, u, d, u, e) and _same_two(board, net, side, u, d, u, e, 0):
                        changed = True
    return changed


@kernel
def _x_wings(board: Board, net: Net, side: int) -> bool:
    changed = False
    for first_line, cross in ((0, side), (side, 0)):
        for d in range(side):
            for one in range(first_line, first_line + side):
                if net.places[side * one + d] == 2:
                    for two in range(one + 1, first_line + side):
                        if _is_new(net, side, one, d, two, d) and _same_two(board, net, side, one, d, two, d, cross):
                            changed = True
    return changed


@kernel
def widen(board: Board, net: Net, side: int) -> bool:
    """Follow locked candidates, pairs and X-wings; return whether anything was removed."""
    if _locked(board, net, side) or _pairs(board, net, side):
        return True
    return _hidden_pairs(board, net, side) or _x_wings(board, net, side)


# Lengths


@kernel
def _push(net: Net, node: int, top: int) -> int:
    if not net.mark[node]:
        net.mark[node] = 1
        net.stack[top] = node
        return top + 1
    return top


@kernel
def _push_list(net: Net, cause: int, top: int) -> int:
    first = LIST - cause
    for k in range(net.lists[first]):
        top = _push(net, net.lists[first + 1 + k], top)
    return top


@kernel
def _push_cell(net: Net, side: int, cell: int, but: int, top: int) -> int:
    for x in range(side * cell, side * cell + side):
        if x != but and net.alive[x]:
            top = _push(net, x, top)
    return top


@kernel
def _push_unit(board: Board, net: Net, side: int, u: int, d: int, but: int, top: int) -> int:
    for k in range(side):
        x = side * board.units[u, k] + d
        if x != but and net.alive[x]:
            top = _push(net, x, top)
    return top


@kernel
def _trace_all(board: Board, net: Net, side: int, top: int) -> int:
    """Mark all nodes that the nodes on the stack depend on; return the sum of their weights.

    What is nested in a node is counted once: the last part of `mark` has the nodes for which it was counted before.
    """
    n = net.alive.shape[0]
    total = 0
    while top:
        top -= 1
        node = net.stack[top]
        total += 1
        if net.weight[node] > 1 and not net.mark[2 * n + node % n]:
            net.mark[2 * n + node % n] = 1
            total += net.weight[node] - 1
        cause = net.cause[node]
        if cause >= 0:
            top = _push(net, cause, top)
        elif cause <= LIST:
            top = _push_list(net, cause, top)
        elif cause == CELL:
            top = _push_cell(net, side, (node - n) // side, node - n, top)
        elif cause <= UNIT:
            top = _push_unit(board, net, side, UNIT - cause, (node - n) % side, node - n, top)
    return total


@kernel
def trace(board: Board, net: Net, side: int, node: int) -> int:
    """Mark all nodes that a node, or the clash (−1), depends on, including itself; return the sum of their weights."""
    net.mark[:] = 0
    if node >= 0:
        return _trace_all(board, net, side, _push(net, node, 0))
    kind, one, two = net.info[CLASH], net.info[ONE], net.info[TWO]
    if kind == BY_CELL:
        return _trace_all(board, net, side, _push_cell(net, side, one, -1, 0))
    if kind == BY_UNIT:
        return _trace_all(board, net, side, _push_unit(board, net, side, one, two, -1, 0))
    top = _push(net, one, 0)
    return _trace_all(board, net, side, _push_list(net, two, top) if two <= LIST else _push(net, two, top))


@kernel
def clash_length(board: Board, net: Net, side: int) -> int:
    """Mark all nodes that the clash depends on, and return the length of its two chains.

    One chain makes a candidate true, the other false.  If a cell or a unit is left empty, the candidate is the last one that
    was removed there, because the others prove it.
    """
    n = net.alive.shape[0]
    kind, one, two = net.info[CLASH], net.info[ONE], net.info[TWO]
    if kind == BY_NODES:
        length = trace(board, net, side, one) + 1
        net.mark[: 2 * n] = 0  # keep the marks of counted nested nodes
        length += _trace_all(board, net, side, _push_list(net, two, 0) if two <= LIST else _push(net, two, 0))
    else:
        last = -1
        for k in range(net.info[TAIL] - 1, -1, -1):
            x = net.queue[k]
            if x >= n:
                continue
            if (kind == BY_CELL and x // side == one) or (
                kind == BY_UNIT and x % side == two and board.inside[one, x // side]
            ):
                last = x
                break
        if last < 0:
            return trace(board, net, side, -1)
        length = trace(board, net, side, last) + 1
        net.mark[: 2 * n] = 0  # keep the marks of counted nested nodes
        if kind == BY_CELL:
            length += _trace_all(board, net, side, _push_cell(net, side, one, last, 0))
        else:
            length += _trace_all(board, net, side, _push_unit(board, net, side, one, two, last, 0))
    trace(board, net, side, -1)
    return length
