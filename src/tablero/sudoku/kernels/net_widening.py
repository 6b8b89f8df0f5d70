"""What follows in a forcing net by more than single links: locked candidates, naked and hidden pairs, X-wings."""

from __future__ import annotations

from tablero.search.compiled import kernel
from tablero.sudoku.kernels.net_state import CLASH, LIST, ROOM, Board, Net, is_open, set_off


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
                if is_open(net, side * cell + d):
                    shared += board.inside[target, cell]
            if shared < left or net.info[CLASH]:
                continue
            first = net.info[ROOM]
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
            net.info[ROOM] = first + size + 1
            for k in range(side):
                cell = board.units[target, k]
                x = side * cell + d
                if is_open(net, x) and not net.on[x] and not board.inside[home, cell]:
                    set_off(board, net, side, x, LIST - first)
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
                first = -1
                for k in range(side):
                    cell = board.units[u, k]
                    if cell in (one, two):
                        continue
                    for d in range(side):
                        x = side * cell + d
                        if not is_open(net, side * one + d) or not is_open(net, x) or net.on[x]:
                            continue
                        if first < 0:
                            first = net.info[ROOM]
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
                            net.info[ROOM] = first + size + 1
                        set_off(board, net, side, x, LIST - first)
                        changed = True
    return changed


@kernel
def _same_two(board: Board, net: Net, side: int, one: int, d: int, two: int, e: int, cross: int) -> bool:
    """Digit d in one unit and e in another, each with two places: whether they are the same, and something goes by that.

    In one unit, cells with no room for more (a hidden pair); a digit in two lines, lines across that have it there (an
    X-wing; `cross` is the first of those).  What is false of both is the cause.
    """
    for k in range(side):
        if is_open(net, side * board.units[one, k] + d) != is_open(net, side * board.units[two, k] + e):
            return False
    first = -1
    for k in range(side):
        here, there = side * board.units[one, k] + d, side * board.units[two, k] + e
        if not is_open(net, here):
            continue
        for m in range(side):
            x = side * board.units[one, k] + m if one == two else side * board.units[cross + k, m] + d
            if x in (here, there) or not is_open(net, x) or net.on[x]:
                continue
            if first < 0:
                first = net.info[ROOM]
                if first + 2 * side + 2 > net.lists.shape[0]:
                    return False
                size = 0
                for i in range(side):
                    for y in (side * board.units[one, i] + d, side * board.units[two, i] + e):
                        if net.alive[y] and net.off[y]:
                            size += 1
                            net.lists[first + size] = y
                net.lists[first] = size
                net.info[ROOM] = first + size + 1
            set_off(board, net, side, x, LIST - first)
    return first >= 0


@kernel
def _is_new(net: Net, side: int, one: int, d: int, two: int, e: int) -> bool:
    """Whether both have two places, and not both had them before the net."""
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
    """What follows by locked candidates, pairs and X-wings; whether there was something."""
    if _locked(board, net, side) or _pairs(board, net, side):
        return True
    return _hidden_pairs(board, net, side) or _x_wings(board, net, side)
