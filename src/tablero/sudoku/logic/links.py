"""The graph of candidates that chains walk on.

    node           a candidate, or a group: the places of a digit where a box and a line meet
    strong link    if one node is false the other is true: the two candidates of a cell, two nodes with all places of a unit
    weak link      if one node is true the other is false: candidates of a cell, nodes of a digit that see each other
    reach          what follows, in turns, when a node is false: strong link, weak link, strong link, …

Candidates are numbered size·(digit − 1) + cell, groups after them; sets of nodes are whole numbers, as sets of cells are.
All links hold both ways, so a path is read from the levels of a reach, backwards.
"""

from __future__ import annotations

from typing import NamedTuple

from tablero.sudoku.logic.als import sets_of
from tablero.sudoku.logic.position import Candidate, Position, bits
from tablero.sudoku.puzzle import SYMBOLS


class Graph:
    """Nodes and their links."""

    def __init__(self, position: Position) -> None:
        self.size = position.size
        self.position = position
        self.strong: dict[int, int] = {}
        self.weak: dict[int, int] = {}
        self.groups: list[tuple[int, int]] = []  # digit and cells of each group
        self.sets: dict[tuple[int, int], int] = {}  # strong links that an almost locked set makes, and its cells
        self.singles = (1 << position.size * position.side) - 1

    def candidate(self, node: int) -> Candidate:
        return node % self.size, node // self.size + 1

    def digit_cells(self, node: int) -> tuple[int, int]:
        """The digit of a node and its cells, as a set."""
        if node >> 0 < self.size * self.position.side:
            return node // self.size + 1, 1 << node % self.size
        return self.groups[node - self.size * self.position.side]

    def candidates(self, node: int) -> tuple[Candidate, ...]:
        digit, cells = self.digit_cells(node)
        return tuple((cell, digit) for cell in bits(cells))

    def word(self, node: int, true: bool) -> str:
        """As r2c5 is not 3."""
        digit, cells = self.digit_cells(node)
        if cells & (cells - 1):
            both = f"{'one' if true else 'none'} of {self.position.names(cells)}"
            return f"{both} is {SYMBOLS[digit]}"
        return f"{self.position.name(cells.bit_length() - 1)} is {'' if true else 'not '}{SYMBOLS[digit]}"


def graph_of(position: Position, kind: str) -> Graph:
    """The links of a kind, made once: digit (units only), pairs (strong in cells, weak in units), all, grouped, or sets.

    The last one is grouped, and almost locked sets link their digits: one that is not there makes all others sure.
    """
    key = f"graph {kind}"
    if key not in position.memo:
        if kind in ("grouped", "sets"):
            position.memo[key] = _grouped(position, sets=kind == "sets")
        else:
            position.memo[key] = _single(position, kind)
    found = position.memo[key]
    assert isinstance(found, Graph)
    return found


def _single(position: Position, kind: str) -> Graph:
    graph = Graph(position)
    size, geometry = position.size, position.geometry
    strong, weak = graph.strong, graph.weak
    for digit in range(1, position.side + 1):
        places, shift = position.places[digit], size * (digit - 1)
        for cell in bits(places):
            weak[shift + cell] = (places & geometry.peers[cell]) << shift
            strong[shift + cell] = 0
        if kind == "pairs":
            continue
        for mask in geometry.masks:
            here = places & mask
            if here.bit_count() == 2:
                low = here & -here
                a, b = shift + low.bit_length() - 1, shift + (here ^ low).bit_length() - 1
                strong[a] |= 1 << b
                strong[b] |= 1 << a
    if kind == "digit":
        return graph
    for cell in bits(position.empty):
        digits = list(bits(position.cands[cell]))
        nodes = [size * (digit - 1) + cell for digit in digits]
        every = sum(1 << node for node in nodes)
        for node in nodes:
            if kind != "pairs":
                weak[node] |= every & ~(1 << node)
            if len(nodes) == 2:
                strong[node] |= every & ~(1 << node)
    return graph


def _grouped(position: Position, *, sets: bool) -> Graph:
    graph = _single(position, "all")
    geometry, size = position.geometry, position.size
    strong, weak = graph.strong, graph.weak
    meets = sorted({both for _, _, _, both, _ in geometry.meetings(tuple(geometry.boxes), tuple(geometry.lines))})
    base = size * position.side
    by_digit: dict[int, list[tuple[int, int]]] = {}
    for digit in range(1, position.side + 1):
        for mask in meets:
            here = position.places[digit] & mask
            if here & (here - 1):
                node = base + len(graph.groups)
                graph.groups.append((digit, here))
                by_digit.setdefault(digit, []).append((node, here))
    if sets:
        _add_sets(position, graph, by_digit)
    for digit, groups in by_digit.items():
        places, shift = position.places[digit], size * (digit - 1)
        near = {node: geometry.seen_by(cells) & places for node, cells in groups}
        for node, cells in groups:
            weak[node] = (near[node] & ~cells) << shift
            strong.setdefault(node, 0)
            for single in bits(near[node] & ~cells):
                weak[shift + single] |= 1 << node
        for node, _ in groups:
            for other, others in groups:
                if other != node and not others & ~near[node]:
                    weak[node] |= 1 << other
        for mask in geometry.masks:
            here = places & mask
            if here.bit_count() < 3:
                continue
            inside = [(node, cells) for node, cells in groups if not cells & ~mask]
            for node, cells in inside:
                rest = here & ~cells
                if not rest:
                    continue
                if not rest & (rest - 1):
                    ends = [shift + rest.bit_length() - 1]
                else:
                    ends = [other for other, others in inside if others == rest]
                for end in ends:
                    strong[node] |= 1 << end
                    strong[end] |= 1 << node
    return graph


def _add_sets(position: Position, graph: Graph, by_digit: dict[int, list[tuple[int, int]]]) -> None:
    """Almost locked sets of two cells or more: the places of each of their digits are a node."""
    base, size = position.size * position.side, position.size
    known = {(digit, cells): node for digit, groups in by_digit.items() for node, cells in groups}
    for one in sets_of(position):
        if not one.cells & (one.cells - 1):
            continue
        nodes = []
        for digit, cells in one.places.items():
            if not cells & (cells - 1):
                nodes.append(size * (digit - 1) + cells.bit_length() - 1)
                continue
            if (digit, cells) not in known:
                known[digit, cells] = base + len(graph.groups)
                graph.groups.append((digit, cells))
                by_digit.setdefault(digit, []).append((known[digit, cells], cells))
            nodes.append(known[digit, cells])
        every = sum(1 << node for node in nodes)
        for node in nodes:
            graph.strong[node] = graph.strong.get(node, 0) | every & ~(1 << node)
            for other in nodes:
                if other != node:
                    graph.sets.setdefault((node, other), one.cells)


class Reach(NamedTuple):
    """What follows when a node is false, level by level: nodes that are true then, and nodes that are false by those."""

    start: int
    true: list[int]
    false: list[int]  # false[0] is the start


def reach(graph: Graph, start: int) -> Reach:
    strong, weak = graph.strong, graph.weak
    frontier = all_false = 1 << start
    all_true = 0
    true: list[int] = []
    false = [frontier]
    while True:
        more = 0
        rest = frontier
        while rest:
            low = rest & -rest
            more |= strong[low.bit_length() - 1]
            rest ^= low
        more &= ~all_true
        if not more:
            return Reach(start, true, false)
        all_true |= more
        true.append(more)
        frontier = 0
        rest = more
        while rest:
            low = rest & -rest
            frontier |= weak[low.bit_length() - 1]
            rest ^= low
        frontier &= ~all_false
        all_false |= frontier
        false.append(frontier)


def reaches(position: Position, kind: str) -> list[Reach]:
    """The reach of every node with a strong link; made once."""
    key = f"reach {kind}"
    if key not in position.memo:
        graph = graph_of(position, kind)
        made = []
        for node in sorted(graph.strong):
            if graph.strong[node]:
                position.check()
                made.append(reach(graph, node))
        position.memo[key] = made
    found = position.memo[key]
    assert isinstance(found, list)
    return found


def path(graph: Graph, found: Reach, end: int, level: int) -> list[int]:
    """The nodes of a shortest chain to an end that is true at a level: false, true, false, … in turns.

    One that names no node twice where there is such a chain; the start may be its end.
    """
    steps = 0

    def back(nodes: list[int], k: int, free: bool) -> list[int] | None:
        """The nodes before these, from the start on: the last of them is true at level k; `free`: they may repeat."""
        nonlocal steps
        for before in bits(found.false[k] & graph.strong[nodes[-1]]):
            steps += 1
            if not free and (steps > _PATHS or (before in nodes and k)):
                continue
            if not k:
                return [*nodes, before] if free or before not in nodes[1:] else None
            for true in bits(found.true[k - 1] & graph.weak[before]):
                if free or (true not in nodes and true != before):
                    whole = back([*nodes, before, true], k - 1, free)
                    if whole is not None:
                        return whole
        return None

    nodes = back([end], level, False) or back([end], level, True)
    assert nodes is not None
    return nodes[::-1]


_PATHS = 300  # nodes that are tried for a chain without repeats
