"""What a node of a forcing net, or its contradiction, rests on, and what that weighs: the length of the net.

A contradiction is two chains, each with all of its nodes.  A node that was nested weighs its chains, too, but once: where
both chains rest on it, it is the same proof.
"""

from __future__ import annotations

from tablero.search.compiled import kernel
from tablero.sudoku.kernels.net_state import (
    BY_CELL,
    BY_NODES,
    BY_UNIT,
    CELL,
    CLASH,
    LIST,
    ONE,
    TAIL,
    TWO,
    UNIT,
    Board,
    Net,
)


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
def trace_all(board: Board, net: Net, side: int, top: int) -> int:
    """Mark all that the nodes on the stack, which are marked, rest on; return what they weigh together.

    What is nested in a node weighs nothing where the last part of the marks says that it was weighed before.
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
    """Mark all that a node rests on, itself included, or a clash (−1); return what it weighs."""
    net.mark[:] = 0
    if node >= 0:
        return trace_all(board, net, side, _push(net, node, 0))
    kind, one, two = net.info[CLASH], net.info[ONE], net.info[TWO]
    if kind == BY_CELL:
        return trace_all(board, net, side, _push_cell(net, side, one, -1, 0))
    if kind == BY_UNIT:
        return trace_all(board, net, side, _push_unit(board, net, side, one, two, -1, 0))
    top = _push(net, one, 0)
    return trace_all(board, net, side, _push_list(net, two, top) if two <= LIST else _push(net, two, top))


@kernel
def _begin_second(net: Net) -> None:
    """Unmark the nodes, and keep what was weighed of those that were nested."""
    for node in range(2 * net.alive.shape[0]):
        net.mark[node] = 0


@kernel
def clash_length(board: Board, net: Net, side: int) -> int:
    """Mark all that a clash rests on, and weigh it as two chains, each with all its nodes: to a candidate, and against it.

    Where a cell or a unit is left empty, the candidate is the one that went last: by the others it would have been right.
    """
    kind, one, two = net.info[CLASH], net.info[ONE], net.info[TWO]
    if kind == BY_NODES:
        length = trace(board, net, side, one) + 1
        _begin_second(net)
        length += trace_all(board, net, side, _push_list(net, two, 0) if two <= LIST else _push(net, two, 0))
    else:
        last = -1
        for k in range(net.info[TAIL] - 1, -1, -1):
            x = net.queue[k]
            if x >= net.alive.shape[0]:
                continue
            if (kind == BY_CELL and x // side == one) or (
                kind == BY_UNIT and x % side == two and board.inside[one, x // side]
            ):
                last = x
                break
        if last < 0:
            return trace(board, net, side, -1)
        length = trace(board, net, side, last) + 1
        _begin_second(net)
        if kind == BY_CELL:
            length += trace_all(board, net, side, _push_cell(net, side, one, last, 0))
        else:
            length += trace_all(board, net, side, _push_unit(board, net, side, one, two, last, 0))
    trace(board, net, side, -1)
    return length
