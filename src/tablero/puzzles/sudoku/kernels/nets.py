"""Forcing nets: a candidate is taken for true or false, and all that follows is written down with its cause.

    node         a candidate that is false (its number, side·cell + digit − 1), or true (the same + N)
    net          nodes in the order in which they follow from the first; every one with its cause
    cause        of a false one: a true one that forbids it, or a list; of a true one: its cell or a unit has no other left
    static       links of the position alone: a cell or a unit lets on only where it had two from the start
    single       one digit alone (Nishio): cells forbid nothing
    wide         pointing, claiming, pairs and X-wings are followed, too
    nested       where nothing more follows, each other candidate is tried for itself; one that contradicts itself is false
    multiple     nested, and so is one that is false whatever a cell holds, or wherever a unit has a digit
    trace        all nodes that a node or a contradiction rests on; what they weigh together is the length of the net.
                 A contradiction is two chains, each with all of its nodes; a node that was nested weighs its chains, too

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

_START, _CELL, _UNIT, _LIST = (
    -1,
    -2,
    -10,
    -100_000,
)  # causes: none, the cell, a unit (less its number), a list (likewise)
_HEAD, _TAIL, _ROOM, _CLASH, _ONE, _TWO, _USED = 0, 1, 2, 3, 4, 5, 6  # of info
_BY_NODES, _BY_CELL, _BY_UNIT = 1, 2, 3  # kinds of clashes


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
def _clash(net: Net, kind: int, one: int, two: int) -> None:
    if net.info[_CLASH] == 0:
        net.info[_CLASH] = kind
        net.info[_ONE] = one
        net.info[_TWO] = two


@kernel
def set_off(board: Board, net: Net, side: int, x: int, cause: int) -> None:
    """A candidate is false."""
    if net.off[x] or not net.alive[x]:
        return
    if net.on[x]:
        _clash(net, _BY_NODES, net.alive.shape[0] + x, cause)
        return
    net.off[x] = 1
    net.cause[x] = cause
    net.queue[net.info[_TAIL]] = x
    net.info[_TAIL] += 1
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
        if cause <= _UNIT:
            _clash(net, _BY_UNIT, _UNIT - cause, x % side)
        else:
            _clash(net, _BY_CELL, x // side, 0)
        return
    n = net.alive.shape[0]
    net.on[x] = 1
    net.cause[n + x] = cause
    net.queue[net.info[_TAIL]] = n + x
    net.info[_TAIL] += 1


@kernel
def _follow(board: Board, net: Net, side: int, mode: int) -> None:
    """Work off the queue until it is empty or two nodes clash."""
    n = net.alive.shape[0]
    static, single = mode & STATIC, mode & SINGLE
    while net.info[_HEAD] < net.info[_TAIL] and net.info[_CLASH] == 0:
        node = net.queue[net.info[_HEAD]]
        net.info[_HEAD] += 1
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
                _clash(net, _BY_CELL, cell, 0)
            elif left == 1:
                for other in range(side * cell, side * cell + side):
                    if other != node and net.alive[other] and (static or not net.off[other]):
                        set_on(net, side, other, _CELL)
        for k in range(board.units_of.shape[1]):
            u = board.units_of[cell, k]
            if u < 0:
                continue
            left = net.first_places[side * u + d] - 1 if static else net.places[side * u + d]
            if left == 0 and not static:
                _clash(net, _BY_UNIT, u, d)
            elif left == 1:
                for j in range(side):
                    other = side * board.units[u, j] + d
                    if other != node and net.alive[other] and (static or not net.off[other]):
                        set_on(net, side, other, _UNIT - u)


@kernel
def _open(net: Net, x: int) -> bool:
    return bool(net.alive[x] == 1 and net.off[x] == 0)


@kernel
def _locked(board: Board, net: Net, side: int) -> bool:
    """Pointing and claiming; the false places of the digit in the one unit are the cause."""
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
                if _open(net, side * cell + d):
                    shared += board.inside[target, cell]
            if shared < left or net.info[_CLASH]:
                continue
            first = net.info[_ROOM]
            if first + side + 2 > net.lists.shape[0]:
                return changed
            size = 0
            for k in range(side):
                cell = board.units[home, k]
                x = side * cell + d
                if net.alive[x] and net.off[x] and not board.inside[target, cell]:
                    size += 1
                    net.lists[first + size] = x
            if size == 0:
                continue
            net.lists[first] = size
            net.info[_ROOM] = first + size + 1
            for k in range(side):
                cell = board.units[target, k]
                x = side * cell + d
                if _open(net, x) and not net.on[x] and not board.inside[home, cell]:
                    set_off(board, net, side, x, _LIST - first)
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
                if net.cells[two] != 2 or net.info[_CLASH]:
                    continue
                if net.first_cells[one] == 2 and net.first_cells[two] == 2:
                    continue
                same = True
                for d in range(side):
                    if _open(net, side * one + d) != _open(net, side * two + d):
                        same = False
                if not same:
                    continue
                first = -1
                for k in range(side):
                    cell = board.units[u, k]
                    if cell in (one, two):
                        continue
                    for d in range(side):
                        x = side * cell + d
                        if not _open(net, side * one + d) or not _open(net, x) or net.on[x]:
                            continue
                        if first < 0:
                            first = net.info[_ROOM]
                            if first + 2 * side + 2 > net.lists.shape[0]:
                                return changed
                            size = 0
                            for e in range(side):
                                for cell_of in (one, two):
                                    y = side * cell_of + e
                                    if net.alive[y] and net.off[y]:
                                        size += 1
                                        net.lists[first + size] = y
                            net.lists[first] = size
                            net.info[_ROOM] = first + size + 1
                        set_off(board, net, side, x, _LIST - first)
                        changed = True
    return changed


@kernel
def _hidden_pairs(board: Board, net: Net, side: int) -> bool:
    """Hidden pairs: the false places of the two digits in the unit are the cause."""
    changed = False
    for u in range(board.units.shape[0]):
        for d in range(side):
            if net.places[side * u + d] != 2:
                continue
            for e in range(d + 1, side):
                if net.places[side * u + e] != 2 or net.info[_CLASH]:
                    continue
                if net.first_places[side * u + d] == 2 and net.first_places[side * u + e] == 2:
                    continue
                same = True
                for k in range(side):
                    cell = board.units[u, k]
                    if _open(net, side * cell + d) != _open(net, side * cell + e):
                        same = False
                if not same:
                    continue
                first = -1
                for k in range(side):
                    cell = board.units[u, k]
                    if not _open(net, side * cell + d):
                        continue
                    for x in range(side * cell, side * cell + side):
                        if x in (side * cell + d, side * cell + e) or not _open(net, x) or net.on[x]:
                            continue
                        if first < 0:
                            first = net.info[_ROOM]
                            if first + 2 * side + 2 > net.lists.shape[0]:
                                return changed
                            size = 0
                            for i in range(side):
                                for digit in (d, e):
                                    y = side * board.units[u, i] + digit
                                    if net.alive[y] and net.off[y]:
                                        size += 1
                                        net.lists[first + size] = y
                            net.lists[first] = size
                            net.info[_ROOM] = first + size + 1
                        set_off(board, net, side, x, _LIST - first)
                        changed = True
    return changed


@kernel
def _x_wings(board: Board, net: Net, side: int) -> bool:
    """X-wings: the false places of the digit in the two lines are the cause."""
    changed = False
    for first_line, cross in ((0, side), (side, 0)):
        for d in range(side):
            for i in range(side):
                one = first_line + i
                if net.places[side * one + d] != 2:
                    continue
                for j in range(i + 1, side):
                    two = first_line + j
                    if net.places[side * two + d] != 2 or net.info[_CLASH]:
                        continue
                    if net.first_places[side * one + d] == 2 and net.first_places[side * two + d] == 2:
                        continue
                    same = True
                    for k in range(side):
                        here, there = side * board.units[one, k] + d, side * board.units[two, k] + d
                        if _open(net, here) != _open(net, there):
                            same = False
                    if not same:
                        continue
                    first = -1
                    for k in range(side):
                        if not _open(net, side * board.units[one, k] + d):
                            continue
                        for m in range(side):
                            x = side * board.units[cross + k, m] + d
                            if m in (i, j) or not _open(net, x) or net.on[x]:
                                continue
                            if first < 0:
                                first = net.info[_ROOM]
                                if first + 2 * side + 2 > net.lists.shape[0]:
                                    return changed
                                size = 0
                                for e in range(side):
                                    for line in (one, two):
                                        y = side * board.units[line, e] + d
                                        if net.alive[y] and net.off[y]:
                                            size += 1
                                            net.lists[first + size] = y
                                net.lists[first] = size
                                net.info[_ROOM] = first + size + 1
                            set_off(board, net, side, x, _LIST - first)
                            changed = True
    return changed


@kernel
def _widen(board: Board, net: Net, side: int) -> bool:
    """What follows by locked candidates, pairs and X-wings; whether there was something."""
    if _locked(board, net, side) or _pairs(board, net, side):
        return True
    return _hidden_pairs(board, net, side) or _x_wings(board, net, side)


@kernel
def spread(board: Board, net: Net, sub: Net, side: int, mode: int, rounds: int) -> bool:
    """Follow what is in the queue to its end; whether it ends in a contradiction.

    With WIDE locked candidates, pairs and X-wings are followed, too; with a nested mode, `rounds` times, all others are
    tried.
    """
    while True:
        _follow(board, net, side, mode)
        if net.info[_CLASH]:
            return True
        if mode & WIDE and _widen(board, net, side):
            continue
        if not mode & (NESTED | NESTED_STATIC) or rounds == 0:
            return False
        rounds -= 1
        net.info[_USED] += 1
        if not _nested(board, net, sub, side, mode):
            return bool(net.info[_CLASH] != 0)


@kernel
def _nested(board: Board, net: Net, sub: Net, side: int, mode: int) -> bool:
    """Try each candidate that is open in the net; those that contradict themselves are false.  Whether there were any."""
    inner = STATIC if mode & NESTED_STATIC else 0
    n = net.alive.shape[0]
    changed = stale = False
    _shrink(board, net, sub, side)
    for x in range(n):
        if not net.alive[x] or net.off[x] or net.on[x]:
            continue
        if stale:
            _shrink(board, net, sub, side)
            stale = False
        reset(sub)
        set_on(sub, side, x, _START)
        _follow(board, sub, side, inner)
        if not sub.info[_CLASH]:
            if mode & MULTIPLE:
                _write_row(board, sub, side, x)
            continue
        length = clash_length(board, sub, side)
        first = net.info[_ROOM]
        size = _premises(board, net, sub, side, first, 0)
        if size < 0:
            return changed
        net.lists[first] = size
        net.info[_ROOM] = first + size + 1
        set_off(board, net, side, x, _LIST - first)
        net.weight[x] = 1 + length  # `start` makes it 1 again
        changed = stale = True
        _follow(board, net, side, mode & ~(NESTED | NESTED_STATIC))
        if net.info[_CLASH]:
            return False
    if changed or not mode & MULTIPLE:
        return changed
    return _multiple(board, net, sub, side, mode)


@kernel
def _write_row(board: Board, sub: Net, side: int, x: int) -> None:
    """For each candidate that a chain from x refutes, the length of that chain; 0 for the others.

    Chains are static: a node has one cause, and the queue has the shortest chains first.
    """
    n = sub.alive.shape[0]
    for y in range(n):
        sub.rows[n * x + y] = 0
    for k in range(sub.info[_TAIL]):
        node = sub.queue[k]
        cause = sub.cause[node]
        length = 1
        if cause >= 0:
            length += sub.stack[cause]
        elif cause == _CELL:
            for other in range((node - n) // side * side, (node - n) // side * side + side):
                if other != node - n and sub.alive[other]:
                    length += sub.stack[other]
        elif cause <= _UNIT:
            for j in range(side):
                other = side * board.units[_UNIT - cause, j] + (node - n) % side
                if other != node - n and sub.alive[other]:
                    length += sub.stack[other]
        sub.stack[node] = length
        if node < n:
            sub.rows[n * x + node] = min(length, 255)


@kernel
def _members(board: Board, sub: Net, side: int, s: int) -> int:
    """Write down the open candidates of a set: of cell s, or of a digit in a unit; how many there are."""
    cells = sub.cells.shape[0]
    size = 0
    for k in range(side):
        if s < cells:
            x = side * s + k
        else:
            x = side * board.units[(s - cells) // side, k] + (s - cells) % side
        if sub.alive[x]:
            sub.members[size] = x
            size += 1
    return size


@kernel
def _multiple(board: Board, net: Net, sub: Net, side: int, mode: int) -> bool:
    """What is false whatever a cell holds, or wherever a unit has a digit, by the shortest chains.  Whether there was any.

    The rows are those of `_nested`, which has refuted nothing; so `sub` still has what was open then.
    """
    n, cells = net.alive.shape[0], net.cells.shape[0]
    best = net.stack  # for each candidate the set, and after them the length
    for y in range(n):
        best[y] = -1
        best[n + y] = 1 << 30
    for s in range(cells + side * board.units.shape[0]):
        size = _members(board, sub, side, s)
        if size < 2:
            continue
        for y in range(n):
            if not sub.alive[y]:
                continue
            length = 0
            for k in range(size):
                one = sub.rows[n * sub.members[k] + y]
                if one == 0:
                    length = 1 << 30
                    break
                length += one
            if length < best[n + y]:
                best[y] = s
                best[n + y] = length
    changed = False
    for y in range(n):
        if best[y] < 0 or net.off[y]:
            continue
        if not _refute_by(board, net, sub, side, mode, best[y], _members(board, sub, side, best[y]), y):
            return changed
        changed = True
        if net.info[_CLASH]:
            return False
    return changed


@kernel
def _refute_by(board: Board, net: Net, sub: Net, side: int, mode: int, s: int, size: int, y: int) -> bool:
    """Write down that a candidate is false by the nets of all members of a set; whether there was room."""
    inner = STATIC if mode & NESTED_STATIC else 0
    cells = net.cells.shape[0]
    first = net.info[_ROOM]
    length = listed = 0
    for k in range(size):
        reset(sub)
        set_on(sub, side, sub.members[k], _START)
        _follow(board, sub, side, inner)
        length += trace(board, sub, side, y)
        listed = _premises(board, net, sub, side, first, listed)
        if listed < 0:
            return False
    for k in range(side):  # the set has lost its other members in the outer net
        if s < cells:
            x = side * s + k
        else:
            x = side * board.units[(s - cells) // side, k] + (s - cells) % side
        listed = _take(net, sub, x, first, listed)
    net.lists[first] = listed
    net.info[_ROOM] = first + listed + 1
    set_off(board, net, side, y, _LIST - first)
    net.weight[y] = 1 + length  # `start` makes it 1 again
    return True


@kernel
def _shrink(board: Board, net: Net, sub: Net, side: int) -> None:
    """What is open in a net is the position of the nets inside it."""
    for x in range(net.alive.shape[0]):
        sub.alive[x] = net.alive[x] & (1 - net.off[x])
    count(board, sub, side)


@kernel
def _take(net: Net, sub: Net, x: int, first: int, size: int) -> int:
    """Add a candidate that was false in the outer net when the inner one began to a list, once a trace."""
    n = net.alive.shape[0]
    if net.alive[x] and not sub.alive[x] and not sub.mark[2 * n + x] and first + size + 2 < net.lists.shape[0]:
        sub.mark[2 * n + x] = 1
        size += 1
        net.lists[first + size] = x
    return size


@kernel
def _premises(board: Board, net: Net, sub: Net, side: int, first: int, size: int) -> int:
    """After a trace of the inner net: the false candidates of the outer net that it rests on, added to a list.

    A list has `size` members before; −1 where there is no room.
    """
    n = net.alive.shape[0]
    if first + size + n + 4 > net.lists.shape[0]:
        return -1
    for x in range(n):
        if sub.mark[n + x]:
            cause = sub.cause[n + x]
            cell, d = x // side, x % side
            if cause == _CELL:
                for other in range(side * cell, side * cell + side):
                    size = _take(net, sub, other, first, size)
            elif cause <= _UNIT:
                u = _UNIT - cause
                for k in range(side):
                    size = _take(net, sub, side * board.units[u, k] + d, first, size)
    if sub.info[_CLASH] == _BY_CELL:
        cell = sub.info[_ONE]
        for other in range(side * cell, side * cell + side):
            size = _take(net, sub, other, first, size)
    elif sub.info[_CLASH] == _BY_UNIT:
        for k in range(side):
            size = _take(net, sub, side * board.units[sub.info[_ONE], k] + sub.info[_TWO], first, size)
    return size


@kernel
def _push(net: Net, node: int, top: int) -> int:
    if not net.mark[node]:
        net.mark[node] = 1
        net.stack[top] = node
        return top + 1
    return top


@kernel
def _push_list(net: Net, cause: int, top: int) -> int:
    first = _LIST - cause
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
def _trace(board: Board, net: Net, side: int, top: int) -> int:
    """Mark all that the nodes on the stack, which are marked, rest on; return what they weigh together."""
    n = net.alive.shape[0]
    total = 0
    while top:
        top -= 1
        node = net.stack[top]
        total += net.weight[node]
        cause = net.cause[node]
        if cause >= 0:
            top = _push(net, cause, top)
        elif cause <= _LIST:
            top = _push_list(net, cause, top)
        elif cause == _CELL:
            top = _push_cell(net, side, (node - n) // side, node - n, top)
        elif cause <= _UNIT:
            top = _push_unit(board, net, side, _UNIT - cause, (node - n) % side, node - n, top)
    return total


@kernel
def trace(board: Board, net: Net, side: int, node: int) -> int:
    """Mark all that a node rests on, itself included, or a clash (−1); return what it weighs."""
    net.mark[:] = 0
    if node >= 0:
        return _trace(board, net, side, _push(net, node, 0))
    kind, one, two = net.info[_CLASH], net.info[_ONE], net.info[_TWO]
    if kind == _BY_CELL:
        return _trace(board, net, side, _push_cell(net, side, one, -1, 0))
    if kind == _BY_UNIT:
        return _trace(board, net, side, _push_unit(board, net, side, one, two, -1, 0))
    top = _push(net, one, 0)
    return _trace(board, net, side, _push_list(net, two, top) if two <= _LIST else _push(net, two, top))


@kernel
def clash_length(board: Board, net: Net, side: int) -> int:
    """Mark all that a clash rests on, and weigh it as two chains, each with all its nodes: to a candidate, and against it.

    Where a cell or a unit is left empty, the candidate is the one that went last: by the others it would have been right.
    """
    kind, one, two = net.info[_CLASH], net.info[_ONE], net.info[_TWO]
    if kind == _BY_NODES:
        length = trace(board, net, side, one) + 1
        net.mark[:] = 0
        length += _trace(board, net, side, _push_list(net, two, 0) if two <= _LIST else _push(net, two, 0))
    else:
        last = -1
        for k in range(net.info[_TAIL] - 1, -1, -1):
            x = net.queue[k]
            if x >= net.alive.shape[0]:
                continue
            if (kind == _BY_CELL and x // side == one) or (
                kind == _BY_UNIT and x % side == two and board.inside[one, x // side]
            ):
                last = x
                break
        if last < 0:
            return trace(board, net, side, -1)
        length = trace(board, net, side, last) + 1
        net.mark[:] = 0
        if kind == _BY_CELL:
            length += _trace(board, net, side, _push_cell(net, side, one, last, 0))
        else:
            length += _trace(board, net, side, _push_unit(board, net, side, one, two, last, 0))
    trace(board, net, side, -1)
    return length


@kernel
def start(board: Board, net: Net, sub: Net, side: int, node: int, mode: int, rounds: int) -> bool:
    """The whole net of a node; whether it ends in a contradiction."""
    n = net.alive.shape[0]
    reset(net)
    net.weight[:] = 1
    sub.weight[:] = 1
    if node >= n:
        set_on(net, side, node - n, _START)
    else:
        set_off(board, net, side, node, _START)
    return spread(board, net, sub, side, mode, rounds)


@kernel
def refute(board: Board, net: Net, sub: Net, side: int, mode: int, rounds: int, lengths: Numbers, used: Numbers) -> int:
    """For each node the length of its contradiction, 0 where it has none; return the fewest rounds that one takes, or −1.

    Nodes are tried in as many rounds as the best one before them took, and those that took more do not count.
    """
    n = net.alive.shape[0]
    found = False
    for x in range(n):
        lengths[x] = lengths[n + x] = 0
        if not net.alive[x]:
            continue
        for turn in range(2):
            if turn and mode & (STATIC | SINGLE | NESTED | NESTED_STATIC):
                continue
            node = x if turn else n + x
            if start(board, net, sub, side, node, mode, rounds):
                lengths[node] = clash_length(board, net, side)
                used[node] = net.info[_USED]
                rounds = min(rounds, net.info[_USED])
                found = True
    for node in range(2 * n):
        if lengths[node] and used[node] > rounds:
            lengths[node] = 0
    return rounds if found else -1


@kernel
def keep(board: Board, net: Net, sub: Net, side: int, mode: int, rows: Bytes, causes: Numbers) -> None:
    """Keep the nets of all nodes: a row for each, with all nodes that follow (none where it ends in a contradiction)."""
    n = net.alive.shape[0]
    for node in range(2 * n):
        x = node % n
        for k in range(2 * n):
            rows[node, k] = 0
        if not net.alive[x] or start(board, net, sub, side, node, mode, 0):
            continue
        for k in range(n):
            rows[node, k] = net.off[k]
            rows[node, n + k] = net.on[k]
        for k in range(2 * n):
            causes[node, k] = net.cause[k]


@kernel
def _kept_length(board: Board, net: Net, side: int, causes: Numbers, start_node: int, node: int) -> int:
    for k in range(net.cause.shape[0]):
        net.cause[k] = causes[start_node, k]
        net.weight[k] = 1
    return trace(board, net, side, node)


@kernel
def verities(board: Board, net: Net, side: int, rows: Bytes, causes: Numbers, sets: Numbers, best: Numbers) -> int:
    """For each node the set of which every node leads to it, by the shortest nets, and their length; how many there are.

    One node of a set is true.  `sets` has a set a row, filled up with −1; `best` the set (−1: none) and the length a row.
    """
    n = net.alive.shape[0]
    found = 0
    for node in range(2 * n):
        best[node, 0] = -1
        best[node, 1] = 1 << 30
        if not net.alive[node % n]:
            continue
        for s in range(sets.shape[0]):
            every = True
            for k in range(sets.shape[1]):
                one = sets[s, k]
                if one < 0:
                    break
                if one == node or not rows[one, node]:
                    every = False
                    break
            if not every:
                continue
            length = 0
            for k in range(sets.shape[1]):
                one = sets[s, k]
                if one < 0 or length >= best[node, 1]:
                    break
                length += _kept_length(board, net, side, causes, one, node)
            if length < best[node, 1]:
                best[node, 0] = s
                best[node, 1] = length
        found += best[node, 0] >= 0
    return found
