"""Forcing nets: assume that a candidate is true or false, and record every consequence with its cause.

    net          nodes in the order in which they follow from the first; see `net`
    nested       when nothing more follows, each other candidate is assumed; one that leads to a contradiction is false
    multiple     nested; also, a candidate is false if every candidate of a cell, or every place of a digit in a unit,
                 refutes it
    trace        all nodes on which a node or a contradiction depends

The kernels allocate nothing; the caller (`logic.forcing`) passes all arrays.
"""

from __future__ import annotations

import numpy as np

from tablero.search.compiled import kernel
from tablero.sudoku.kernels.net import (
    BY_CELL,
    BY_UNIT,
    CELL,
    CLASH,
    FREE,
    MULTIPLE,
    NESTED,
    NESTED_STATIC,
    ONE,
    SINGLE,
    START,
    STATIC,
    TAIL,
    TWO,
    UNIT,
    USED,
    WIDE,
    Board,
    Bytes,
    Net,
    Numbers,
    clash_length,
    copy,
    count,
    end_list,
    follow,
    reset,
    set_off,
    set_on,
    trace,
    widen,
)


@kernel
def spread(board: Board, net: Net, sub: Net, side: int, mode: int, rounds: int) -> bool:
    """Follow all consequences of the nodes in the queue; return whether they lead to a contradiction.

    WIDE also follows locked candidates, pairs and X-wings.  A nested mode assumes all other candidates, up to `rounds`
    times.
    """
    while True:
        follow(board, net, side, mode)
        if net.info[CLASH]:
            return True
        if mode & WIDE and widen(board, net, side):
            continue
        if not mode & (NESTED | NESTED_STATIC) or rounds == 0:
            return False
        rounds -= 1
        net.info[USED] += 1
        if not _nested(board, net, sub, side, mode):
            return bool(net.info[CLASH] != 0)


@kernel
def _nested(board: Board, net: Net, sub: Net, side: int, mode: int) -> bool:
    """Assume each open candidate; one that leads to a contradiction is false.  Return whether there were any."""
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
        _try(board, sub, side, x, inner)
        if not sub.info[CLASH]:
            if mode & MULTIPLE:
                _write_flags(sub, x)
            continue
        length = clash_length(board, sub, side)
        size = _premises(board, net, sub, side, 0)
        if size < 0:
            return changed
        set_off(board, net, side, x, end_list(net, size))
        net.weight[x] = 1 + length  # `start` makes it 1 again
        changed = stale = True
        follow(board, net, side, mode & ~(NESTED | NESTED_STATIC))
        if net.info[CLASH]:
            return False
    if changed or not mode & MULTIPLE:
        return changed
    return _multiple(board, net, sub, side, mode)


@kernel
def _write_flags(sub: Net, x: int) -> None:
    """Write 1 for each candidate that a chain from x refutes, 0 for others; lengths are computed later."""
    n = sub.alive.shape[0]
    sub.rows[n * x : n * x + n] = 0
    for k in range(sub.info[TAIL]):
        if sub.queue[k] < n:
            sub.rows[n * x + sub.queue[k]] = 1


@kernel
def _write_row(board: Board, sub: Net, side: int, x: int) -> None:
    """Write the length, at most 255, of the chain from x that refutes each candidate; 0 for others.

    In a chain a node has one cause, and the queue is ordered by length.  In a net, nodes shared by several causes count
    several times; this estimate is sufficient to choose a set.
    """
    n = sub.alive.shape[0]
    sub.rows[n * x : n * x + n] = 0
    for k in range(sub.info[TAIL]):
        node = sub.queue[k]
        cause = sub.cause[node]
        length = 1
        if cause >= 0:
            length += sub.stack[cause]
        elif cause == CELL:
            for other in range((node - n) // side * side, (node - n) // side * side + side):
                if other != node - n and sub.alive[other]:
                    length += sub.stack[other]
        elif cause <= UNIT:
            for j in range(side):
                other = side * board.units[UNIT - cause, j] + (node - n) % side
                if other != node - n and sub.alive[other]:
                    length += sub.stack[other]
        sub.stack[node] = min(length, 255)
        if node < n:
            sub.rows[n * x + node] = sub.stack[node]


@kernel
def _try(board: Board, sub: Net, side: int, x: int, mode: int) -> None:
    """Follow the inner net of a candidate that is assumed to be true."""
    reset(sub)
    set_on(sub, side, x, START)
    follow(board, sub, side, mode)


@kernel
def _member(board: Board, side: int, cells: int, s: int, k: int) -> int:
    """Return candidate k of a set: a cell, or a digit in a unit."""
    if s < cells:
        return side * s + k
    return int(side * board.units[(s - cells) // side, k] + (s - cells) % side)


@kernel
def _members(board: Board, sub: Net, side: int, s: int) -> int:
    """Write the open candidates of a set; return their number."""
    cells = sub.cells.shape[0]
    size = 0
    for k in range(side):
        x = _member(board, side, cells, s, k)
        if sub.alive[x]:
            sub.members[size] = x
            size += 1
    return size


@kernel
def _refuted_by_every(sub: Net, size: int, every: Bytes) -> bool:
    """Mark the candidates that the chains of all members refute; return whether there are any."""
    n = sub.alive.shape[0]
    first = n * sub.members[0]
    for y in range(n):
        every[y] = sub.rows[first + y]
    for k in range(1, size):
        here = n * sub.members[k]
        for y in range(n):
            every[y] = min(every[y], sub.rows[here + y])
    refuted = np.int64(0)
    for y in range(n):
        refuted += np.int64(every[y])
    return bool(refuted > 0)


@kernel
def _multiple(board: Board, net: Net, sub: Net, side: int, mode: int) -> bool:
    """Refute the candidates that all candidates of a set refute, by the shortest chains; return whether there were any.

    The rows are those of `_nested`.  It has refuted nothing, so the open candidates in `sub` are still valid.
    """
    n, cells = net.alive.shape[0], net.cells.shape[0]
    inner = STATIC if mode & NESTED_STATIC else 0
    best = net.stack  # for each candidate the set, followed by the lengths
    written = net.mark  # rows that hold lengths instead of flags
    every = sub.mark  # candidates that every member of a set refutes
    for y in range(n):
        best[y] = -1
        best[n + y] = 1 << 30
        written[y] = 0
    for s in range(cells + side * board.units.shape[0]):
        size = _members(board, sub, side, s)
        if size < 2 or not _refuted_by_every(sub, size, every):
            continue
        for k in range(size):
            x = sub.members[k]
            if not written[x]:
                written[x] = 1
                _try(board, sub, side, x, inner)
                _write_row(board, sub, side, x)
        for y in range(n):
            if every[y]:
                length = np.int64(0)
                for k in range(size):
                    length += np.int64(sub.rows[n * sub.members[k] + y])
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
        if net.info[CLASH]:
            return False
    return changed


@kernel
def _refute_by(board: Board, net: Net, sub: Net, side: int, mode: int, s: int, size: int, y: int) -> bool:
    """Record that the nets of all members of a set refute a candidate; return whether the lists have space for it."""
    inner = STATIC if mode & NESTED_STATIC else 0
    cells = net.cells.shape[0]
    length = listed = 0
    for k in range(size):
        _try(board, sub, side, sub.members[k], inner)
        length += trace(board, sub, side, y)
        listed = _premises(board, net, sub, side, listed)
        if listed < 0:
            return False
    for k in range(side):  # the other members of the set are false in the outer net
        listed = _take(net, sub, _member(board, side, cells, s, k), listed)
    set_off(board, net, side, y, end_list(net, listed))
    net.weight[y] = 1 + length  # `start` makes it 1 again
    return True


@kernel
def _shrink(board: Board, net: Net, sub: Net, side: int) -> None:
    """Copy the open candidates of a net to the net inside it."""
    for x in range(net.alive.shape[0]):
        sub.alive[x] = net.alive[x] & (1 - net.off[x])
    count(board, sub, side)


@kernel
def _take(net: Net, sub: Net, x: int, size: int) -> int:
    """Add a candidate to a list if it was false in the outer net when the inner net began, at most once per trace."""
    n, first = net.alive.shape[0], net.info[FREE]
    if net.alive[x] and not sub.alive[x] and not sub.mark[2 * n + x] and first + size + 2 < net.lists.shape[0]:
        sub.mark[2 * n + x] = 1
        size += 1
        net.lists[first + size] = x
    return size


@kernel
def _premises(board: Board, net: Net, sub: Net, side: int, size: int) -> int:
    """After a trace of the inner net, add the false candidates of the outer net on which it depends to a list.

    The list has `size` members before.  Return the new size, or −1 if there is no space.
    """
    n = net.alive.shape[0]
    if net.info[FREE] + size + n + 4 > net.lists.shape[0]:
        return -1
    for x in range(n):
        if sub.mark[n + x]:
            cause = sub.cause[n + x]
            cell, d = x // side, x % side
            if cause == CELL:
                for other in range(side * cell, side * cell + side):
                    size = _take(net, sub, other, size)
            elif cause <= UNIT:
                u = UNIT - cause
                for k in range(side):
                    size = _take(net, sub, side * board.units[u, k] + d, size)
    if sub.info[CLASH] == BY_CELL:
        cell = sub.info[ONE]
        for other in range(side * cell, side * cell + side):
            size = _take(net, sub, other, size)
    elif sub.info[CLASH] == BY_UNIT:
        for k in range(side):
            size = _take(net, sub, side * board.units[sub.info[ONE], k] + sub.info[TWO], size)
    return size


@kernel
def start(board: Board, net: Net, sub: Net, side: int, node: int, mode: int, rounds: int) -> bool:
    """Build the complete net of a node; return whether it leads to a contradiction."""
    n = net.alive.shape[0]
    reset(net)
    net.weight[:] = 1
    sub.weight[:] = 1
    if node >= n:
        set_on(net, side, node - n, START)
    else:
        set_off(board, net, side, node, START)
    return spread(board, net, sub, side, mode, rounds)


@kernel
def refute(
    board: Board,
    net: Net,
    sub: Net,
    side: int,
    mode: int,
    rounds: int,
    lengths: Numbers,
    used: Numbers,
    first: int,
    last: int,
) -> int:
    """Write the length of the contradiction of each node of some candidates, 0 without one, and its number of rounds.

    The number of rounds is limited to that of the best node so far, which is returned.  The caller passes a part of the
    candidates at a time, so that it can stop between calls.
    """
    n = net.alive.shape[0]
    for x in range(first, last):
        lengths[x] = lengths[n + x] = 0
        if not net.alive[x]:
            continue
        for turn in range(2):
            if turn and mode & (STATIC | SINGLE | NESTED | NESTED_STATIC):
                continue
            node = x if turn else n + x
            if start(board, net, sub, side, node, mode, rounds):
                lengths[node] = clash_length(board, net, side)
                used[node] = net.info[USED]
                rounds = min(rounds, net.info[USED])
    return rounds


@kernel
def keep(board: Board, net: Net, sub: Net, side: int, mode: int, rows: Bytes, causes: Numbers) -> None:
    """Store the nets of all nodes: one row of consequences per node, empty if there is a contradiction."""
    n = net.alive.shape[0]
    for node in range(2 * n):
        x = node % n
        rows[node] = 0
        if not net.alive[x] or start(board, net, sub, side, node, mode, 0):
            continue
        for k in range(n):
            rows[node, k] = net.off[k]
            rows[node, n + k] = net.on[k]
        copy(net.cause, causes[node])


@kernel
def _kept_length(board: Board, net: Net, side: int, causes: Numbers, start_node: int, node: int) -> int:
    copy(causes[start_node], net.cause)
    net.weight[:] = 1
    return trace(board, net, side, node)


@kernel
def verities(board: Board, net: Net, side: int, rows: Bytes, causes: Numbers, sets: Numbers, best: Numbers) -> int:
    """Find for each node the set whose members all imply it by the shortest nets; return the number of such nodes.

    One node of a set is true.  `sets` has one set per row, padded with −1; `best` has the set (−1 for none) and the length
    for each node.
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
