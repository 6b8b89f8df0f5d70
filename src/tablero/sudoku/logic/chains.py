"""Chains: if a candidate is false another is true, and so on in turns; what both ends forbid is false.

    X-chain          one digit throughout
    XY-chain         cells with two candidates throughout; remote pairs where all hold the same two
    AIC              links of all kinds (alternating inference chain): one of its ends is true
    nice loop        a chain that comes back: discontinuous, where it refutes or proves one candidate or keeps two in a cell;
                     continuous, where its ends forbid each other: then of every weak link one end is true
    grouped          a node may be several places of a digit where a box and a line meet

They are graded by their length as Sudoku Explainer grades them, shorter ones first.  Chains walk on a graph:

    node             a candidate, or a group: the places of a digit where a box and a line meet
    strong link      if one node is false the other is true: both candidates of a cell, two nodes with all places of a unit
    weak link        if one node is true the other is false: candidates of a cell, nodes of a digit that see each other
    reach            what follows, in turns, when a node is false: strong link, weak link, strong link, …

Candidates are numbered size·(digit − 1) + cell, groups after them; sets of nodes are whole numbers, as sets of cells are.
All links hold both ways, so a path is read from the levels of a reach, backwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from tablero.sudoku.logic.als import sets_of
from tablero.sudoku.logic.position import Candidate, Position, Step, as_set, digits_text, remembered, spread, union
from tablero.sudoku.puzzle import SYMBOLS
from tablero.sudoku.reasons import bits

_PATHS = 300  # nodes that are tried for a chain without repeats


class Graph:
    """Nodes and their links."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.size = position.size
        self.base = position.size * position.side  # the number of the first group
        self.singles = (1 << self.base) - 1
        self.strong: dict[int, int] = {}
        self.weak: dict[int, int] = {}
        self.groups: list[tuple[int, int]] = []  # digit and cells of each group
        self.sets: dict[tuple[int, int], int] = {}  # strong links that an almost locked set makes, and its cells

    def digit_cells(self, node: int) -> tuple[int, int]:
        """The digit of a node and its cells, as a set."""
        if node < self.base:
            return node // self.size + 1, 1 << node % self.size
        return self.groups[node - self.base]

    def candidates(self, node: int) -> tuple[Candidate, ...]:
        return spread(*self.digit_cells(node))

    def same_cell(self, one: int, two: int) -> bool:
        return one < self.base and two < self.base and one % self.size == two % self.size

    def word(self, node: int, true: bool) -> str:
        """As r2c5 is not 3."""
        if node < self.base:
            return self.position.word(self.candidates(node)[0], true)
        digit, cells = self.digit_cells(node)
        return f"{'one' if true else 'none'} of {self.position.names(cells)} is {SYMBOLS[digit]}"

    def join(self, nodes: list[int]) -> None:
        """Strong links among nodes."""
        every = as_set(nodes)
        for node in nodes:
            self.strong[node] = self.strong.get(node, 0) | every & ~(1 << node)

    def of_sets(self, nodes: list[int]) -> dict[tuple[int, int], int]:
        """The strong links of a chain that almost locked sets make, and the cells of these."""
        links = zip(nodes[::2], nodes[1::2], strict=True)
        return {link: self.sets[link] for link in links if link in self.sets}


@remembered
def _graph(position: Position, kind: str) -> Graph:
    """The links of a kind: digit (units only), pairs (strong in cells, weak in units), all, grouped, or sets.

    The last one is grouped, and almost locked sets link their digits: one that is not there makes all others sure.
    """
    graph = Graph(position)
    size, geometry = position.size, position.geometry
    strong, weak = graph.strong, graph.weak
    for digit, places in enumerate(position.places):
        shift = size * (digit - 1)
        for cell in bits(places):
            weak[shift + cell] = (places & geometry.peers[cell]) << shift
            strong[shift + cell] = 0
        for mask in geometry.masks if kind != "pairs" else ():
            if (places & mask).bit_count() == 2:
                graph.join([shift + cell for cell in bits(places & mask)])
    if kind == "digit":
        return graph
    for cell in bits(position.empty):
        nodes = [size * (digit - 1) + cell for digit in bits(position.cands[cell])]
        for node in nodes if kind != "pairs" else ():
            weak[node] |= as_set(nodes) & ~(1 << node)
        if len(nodes) == 2:
            graph.join(nodes)
    if kind in ("grouped", "sets"):
        _add_groups(graph, sets=kind == "sets")
    return graph


def _add_groups(graph: Graph, *, sets: bool) -> None:
    position = graph.position
    geometry, strong, weak = position.geometry, graph.strong, graph.weak
    meets = sorted({both for _, _, _, both, _ in geometry.meetings["boxes"]})
    by_digit: dict[int, list[tuple[int, int]]] = {}

    def add(digit: int, cells: int) -> int:
        node = graph.base + len(graph.groups)
        graph.groups.append((digit, cells))
        by_digit.setdefault(digit, []).append((node, cells))
        return node

    known = {
        (digit, places & mask): add(digit, places & mask)
        for digit, places in enumerate(position.places)
        for mask in meets
        if (places & mask).bit_count() > 1
    }
    for one in sets_of(position) if sets else ():  # of two cells or more: the places of each of their digits are a node
        if one.cells.bit_count() < 2:
            continue
        nodes = []
        for digit, cells in one.places.items():
            if cells.bit_count() == 1:
                nodes.append(graph.size * (digit - 1) + cells.bit_length() - 1)
                continue
            if (digit, cells) not in known:
                known[digit, cells] = add(digit, cells)
            nodes.append(known[digit, cells])
        graph.join(nodes)
        for node in nodes:
            for other in nodes:
                if other != node:
                    graph.sets.setdefault((node, other), one.cells)
    for digit, groups in by_digit.items():
        places, shift = position.places[digit], graph.size * (digit - 1)
        near = {node: geometry.seen_by(cells) & places for node, cells in groups}
        for node, cells in groups:
            weak[node] = (near[node] & ~cells) << shift
            strong.setdefault(node, 0)
            for single in bits(near[node] & ~cells):
                weak[shift + single] |= 1 << node
        for node, _ in groups:
            weak[node] |= as_set(other for other, others in groups if other != node and not others & ~near[node])
        for mask in geometry.masks:
            here = places & mask
            if here.bit_count() < 3:
                continue
            inside = [(node, cells) for node, cells in groups if not cells & ~mask]
            for node, cells in inside:
                rest = here & ~cells
                if rest.bit_count() == 1:
                    graph.join([node, shift + rest.bit_length() - 1])
                for other, others in inside if rest else ():
                    if others == rest:
                        graph.join([node, other])


class Reach(NamedTuple):
    """What follows when a node is false, level by level: nodes that are true then, and nodes that are false by those."""

    start: int
    true: list[int]
    false: list[int]  # false[0] is the start


def _reach(graph: Graph, start: int) -> Reach:
    strong, weak = graph.strong, graph.weak
    frontier = all_false = 1 << start
    all_true = 0
    true: list[int] = []
    false = [frontier]
    while True:
        more = 0
        for node in bits(frontier):
            more |= strong[node]
        more &= ~all_true
        if not more:
            return Reach(start, true, false)
        all_true |= more
        true.append(more)
        frontier = 0
        for node in bits(more):
            frontier |= weak[node]
        frontier &= ~all_false
        all_false |= frontier
        false.append(frontier)


@remembered
def _reaches(position: Position, kind: str) -> list[Reach]:
    """The reach of every node with a strong link."""
    graph = _graph(position, kind)
    made = []
    for node in sorted(node for node, linked in graph.strong.items() if linked):
        position.check()
        made.append(_reach(graph, node))
    return made


def _path(graph: Graph, found: Reach, end: int, level: int) -> list[int]:
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


_Found = tuple[int, Reach, int, int]  # level, the reach, its end, the candidates that go (nodes)


@remembered
def _ends(position: Position, kind: str) -> list[_Found]:
    """Chains with two ends that forbid something together, shorter ones first; one for every pair of ends."""
    graph = _graph(position, kind)
    found: list[_Found] = []
    for one in _reaches(position, kind):
        position.check()
        near = graph.weak[one.start] & graph.singles
        after = -1 << one.start + 1  # a chain is the same from its other end
        for level in range(1, len(one.true)) if near else ():
            for end in bits(one.true[level] & after):
                gone = near & graph.weak[end]
                if gone:
                    found.append((level, one, end, gone))
    return sorted(found, key=lambda f: f[0])


def _proofs(position: Position, kind: str) -> Iterator[tuple[int, Reach]]:
    """Nodes that are true where they are false."""
    for one in _reaches(position, kind):
        for level, true in enumerate(one.true):
            if true >> one.start & 1:
                yield level, one


def _step(
    graph: Graph,
    nodes: list[int],
    gone: int,
    end: str = "one of both ends is right, which takes",
    *,
    own: int = 2,
    loop: bool = False,
    placed: tuple[Candidate, ...] = (),
) -> Step:
    """A chain in words, and its nodes in two colours.

    `own`: as Sudoku Explainer counts, a chain to what it refutes has that at both ends, and two nodes are not counted; a
    proof and a loop (0) have nothing beside their own nodes.
    """
    position = graph.position
    removed = tuple(sorted(c for node in bits(gone) for c in graph.candidates(node)))
    good, other = (
        tuple(dict.fromkeys(c for node in some for c in graph.candidates(node))) for some in (nodes[1::2], nodes[::2])
    )
    other = tuple(c for c in other if c not in good)
    marked = {*good, *other, *removed}
    sets = [position.candidates_in(cells) for cells in dict.fromkeys(graph.of_sets(nodes).values())]
    rests = (tuple(c for c in some if c not in marked) for some in sets)
    spots = [graph.candidates(node)[0] for node in nodes]
    links = list(pairwise([*spots, spots[0]] if loop else spots))
    return Step(
        f"{_text(graph, nodes)}: {end}{' ' + position.listed(removed) if removed else ''}.",
        placed=placed,
        removed=removed,
        cells=tuple(dict.fromkeys(cell for node in nodes for cell, _ in graph.candidates(node))),
        good=good,
        other=other,
        links=tuple(links[::2]),
        weak=tuple(links[1::2]),
        more=tuple(filter(None, rests)),
        length=len(nodes) - 2 + own,
    )


def _text(graph: Graph, nodes: list[int]) -> str:
    """A chain in words; where a set makes a link, its cells and the digits that they are then left with."""
    position = graph.position
    words = []
    for k, node in enumerate(nodes[1:], 1):
        word = graph.word(node, bool(k % 2))
        cells = graph.sets.get((nodes[k - 1], node)) if k % 2 else None
        if cells is not None:
            left = union(position.cands[cell] for cell in bits(cells)) & ~(1 << graph.digit_cells(nodes[k - 1])[0])
            word = f"the set {position.names(cells)} is left with {digits_text(left)}, so {word}"
        words.append(word)
    return f"If {graph.word(nodes[0], False)}, then {', '.join(words)}"


def _fits(graph: Graph, nodes: list[int], kind: str) -> bool:
    """Whether a chain uses what its kind is named after; a weak link of a set's own digits is none of its own."""
    if kind == "sets":
        return bool(graph.of_sets(nodes))
    return kind != "grouped" or any(node >= graph.base for node in nodes)


def _repeats(nodes: list[int]) -> bool:
    """Whether a chain says of a node first that it is true and then that it is not: that is a proof of something else."""
    return len(set(nodes)) < len(nodes)


def x_chain(position: Position) -> Iterator[Step]:
    """A chain of one digit, with two strong links or more."""
    graph = _graph(position, "digit")
    for level, one, end, gone in _ends(position, "digit"):
        nodes = _path(graph, one, end, level)
        if not _repeats(nodes):
            yield _step(graph, nodes, gone)
    for level, one in _proofs(position, "digit"):
        gone = graph.weak[one.start]
        if gone and not _repeats((nodes := _path(graph, one, one.start, level))[1:]):
            yield _step(graph, nodes, gone, f"so {graph.word(one.start, True)} in any case, which takes", own=0)


def xy_chain(position: Position) -> Iterator[Step]:
    graph = _graph(position, "pairs")
    for level, one, end, gone in _ends(position, "pairs"):
        if end // position.size == one.start // position.size:
            yield _step(graph, _path(graph, one, end, level), gone)


def remote_pair(position: Position) -> Iterator[Step]:
    """Cells with the same pair, in turns: what sees two of them, an odd number of steps apart, holds neither digit."""
    peers = position.geometry.peers
    by_pair: dict[int, int] = {}
    for cell, digits in enumerate(position.cands):
        if digits.bit_count() == 2:
            by_pair[digits] = by_pair.get(digits, 0) | 1 << cell
    for digits, cells in by_pair.items():
        for start in bits(cells) if cells.bit_count() > 3 else ():
            seen = 1 << start
            chains: list[tuple[int, ...]] = [(start,)]
            while chains:
                onwards = []
                for chain in chains:
                    for other in bits(cells & peers[chain[-1]] & ~seen):
                        seen |= 1 << other
                        onwards.append((*chain, other))
                chains = onwards
                for chain in chains:
                    removed = position.places_in(digits, peers[start] & peers[chain[-1]] & ~cells)
                    if removed and chain[-1] > start and len(chain) > 3 and len(chain) % 2 == 0:
                        yield _pairs_step(position, digits, chain, removed)


def _pairs_step(position: Position, digits: int, chain: tuple[int, ...], removed: tuple[Candidate, ...]) -> Step:
    one, two = bits(digits)
    sentence = (
        f"{position.names(chain)} hold only {digits_text(digits)}, each sees the next, so they take turns: of the first and "
        f"the last one is each of the two, which takes {position.listed(removed)}."
    )
    return Step(
        sentence,
        removed=removed,
        cells=chain,
        good=tuple((cell, (one, two)[k % 2]) for k, cell in enumerate(chain)),
        other=tuple((cell, (two, one)[k % 2]) for k, cell in enumerate(chain)),
        links=tuple(((a, one), (b, one)) for a, b in pairwise(chain)),
        length=2 * len(chain) - 4,
    )


def aic(position: Position, kind: str = "all") -> Iterator[Step]:
    graph = _graph(position, kind)
    for level, one, end, gone in _ends(position, kind):
        if not graph.same_cell(end, one.start):
            nodes = _path(graph, one, end, level)
            if _fits(graph, nodes, kind) and not _repeats(nodes):
                yield _step(graph, nodes, gone)


def discontinuous_loop(position: Position, kind: str = "all") -> Iterator[Step]:
    graph = _graph(position, kind)
    todo = [(level, one, one.start, 0) for level, one in _proofs(position, kind) if one.start < graph.base]
    for level, one, end, gone in _ends(position, kind):
        goes = [gone] if graph.same_cell(end, one.start) else [1 << node for node in bits(gone)]
        todo += [(level, one, end, some) for some in goes]
    seen = set()
    for level, one, end, gone in sorted(todo, key=lambda f: f[0]):
        key = gone or -end
        if key in seen:
            continue
        nodes = _path(graph, one, end, level)
        if not _fits(graph, nodes, kind) or _repeats(nodes if gone else nodes[1:]):
            continue
        seen.add(key)
        if not gone:
            words = f"so {graph.word(end, True)} in any case"
            yield _step(graph, nodes, 0, words, own=0, placed=graph.candidates(end))
        elif graph.same_cell(end, one.start):
            yield _step(graph, nodes, gone)
        else:
            word = graph.word(gone.bit_length() - 1, True)
            yield _step(graph, nodes, gone, f"so if {word}, both ends are false, and one of them is not, which takes")


def continuous_loop(position: Position, kind: str = "all") -> Iterator[Step]:
    graph = _graph(position, kind)
    weak = graph.weak
    todo = [
        (level, one, end)
        for one in _reaches(position, kind)
        for level in range(1, len(one.true))
        for end in bits(one.true[level] & weak[one.start] & (-1 << one.start + 1))
    ]
    for level, one, end in sorted(todo, key=lambda f: f[0]):
        nodes = _path(graph, one, end, level)
        if _repeats(nodes) or not _fits(graph, nodes, kind):
            continue
        back = zip(nodes[1::2], [*nodes[2::2], nodes[0]], strict=True)
        gone = union(weak[here] & weak[there] for here, there in back) & graph.singles
        for link, cells in graph.of_sets(nodes).items() if kind == "sets" else ():
            gone |= _locked_in(graph, link, cells)
        if gone:
            words = (
                "the ends forbid each other, so this is a loop, and of every weak link one end is right, which takes"
            )
            yield _step(graph, nodes, gone, words, own=0, loop=True)


def _locked_in(graph: Graph, link: tuple[int, int], cells: int) -> int:
    """In a loop a set that it passes loses one of two digits: its other digits are locked in it."""
    position, gone = graph.position, 0
    passed = {graph.digit_cells(node)[0] for node in link}
    for digit, places in enumerate(position.places):
        here = places & cells
        if here and digit not in passed:
            gone |= (places & position.geometry.seen_by(here) & ~cells) << graph.size * (digit - 1)
    return gone
