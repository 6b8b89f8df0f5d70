"""Chains: if a candidate is false, another is true, then a third is false, and so on; what both ends exclude is false.

    X-chain          all links have one digit
    XY-chain         all strong links are in cells with two candidates; a remote pair, if all cells have the same pair
    AIC              links of all kinds (alternating inference chain): one of its ends is true
    nice loop        a chain that returns to its start: discontinuous, if it refutes or proves one candidate or leaves two in
                     a cell; continuous, if its ends exclude each other: then one end of every weak link is true
    grouped          a node can be several places of a digit in the intersection of a box and a line

The length of a chain raises its rating as in Sudoku Explainer; shorter chains come first.  Chains are paths of a graph:

    node             a candidate, or a group: the places of a digit in the intersection of a box and a line
    strong link      if one node is false, the other is true: the two candidates of a cell, or two nodes with all places of a
                     digit in a unit
    weak link        if one node is true, the other is false: candidates of a cell, or nodes of a digit that see each other
    reach            what follows if a node is false, by strong and weak links in alternation

Candidates have the numbers size·(digit − 1) + cell, and groups the numbers after them.  A set of nodes is a whole
number with a bit for each node.  All links are symmetric, so a path is read from the levels of a reach backwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from tablero.sudoku.logic.als import sets_of
from tablero.sudoku.logic.position import Candidate, Position, Step, as_set, digits_text, remembered, spread, union
from tablero.sudoku.puzzle import SYMBOLS
from tablero.sudoku.reasons import bits

_PATHS = 300  # the most nodes to try for a chain without repeated nodes


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
        self.sets: dict[tuple[int, int], int] = {}  # the strong links of almost locked sets, and the cells of the set

    def digit_cells(self, node: int) -> tuple[int, int]:
        """The digit of a node and the set of its cells."""
        if node < self.base:
            return node // self.size + 1, 1 << node % self.size
        return self.groups[node - self.base]

    def candidates(self, node: int) -> tuple[Candidate, ...]:
        return spread(*self.digit_cells(node))

    def same_cell(self, one: int, two: int) -> bool:
        return one < self.base and two < self.base and one % self.size == two % self.size

    def word(self, node: int, true: bool) -> str:
        """A statement about a node, such as `r2c5 is not 3`."""
        if node < self.base:
            return self.position.word(self.candidates(node)[0], true)
        digit, cells = self.digit_cells(node)
        return f"{'one' if true else 'none'} of {self.position.names(cells)} is {SYMBOLS[digit]}"

    def join(self, nodes: list[int]) -> None:
        """Add strong links between all pairs of nodes."""
        every = as_set(nodes)
        for node in nodes:
            self.strong[node] = self.strong.get(node, 0) | every & ~(1 << node)

    def of_sets(self, nodes: list[int]) -> dict[tuple[int, int], int]:
        """The strong links of a chain that come from almost locked sets, and the cells of the sets."""
        links = zip(nodes[::2], nodes[1::2], strict=True)
        return {link: self.sets[link] for link in links if link in self.sets}


@remembered
def _graph(position: Position, kind: str) -> Graph:
    """The graph of a kind: digit (units only), pairs (strong in cells, weak in units), all, grouped, or sets.

    The kind sets is grouped, and almost locked sets have strong links between their digits: if one digit is not in the set,
    all others are.
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
    for one in sets_of(position) if sets else ():  # the places of a digit in a set are a node
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
    """What follows if a node is false, by levels."""

    start: int
    true: list[int]  # true[k]: the nodes that are true because of false[k]
    false: list[int]  # false[0] is the start; false[k + 1]: the nodes that are false because of true[k]


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
    """The nodes of a shortest chain to an end that is true at a level; they are false and true in alternation.

    A chain without repeated nodes is preferred.  The start can be the end.
    """
    steps = 0

    def back(nodes: list[int], k: int, free: bool) -> list[int] | None:
        """Extend the nodes, whose last one is true at level k, back to the start; `free` allows repeated nodes."""
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


_Found = tuple[int, Reach, int, int]  # the level, the reach, its end, the set of removed nodes


@remembered
def _ends(position: Position, kind: str) -> list[_Found]:
    """Chains whose ends exclude a candidate, shorter ones first; one chain for each pair of ends."""
    graph = _graph(position, kind)
    found: list[_Found] = []
    for one in _reaches(position, kind):
        position.check()
        near = graph.weak[one.start] & graph.singles
        after = -1 << one.start + 1  # each chain is found from one of its ends only
        for level in range(1, len(one.true)) if near else ():
            for end in bits(one.true[level] & after):
                gone = near & graph.weak[end]
                if gone:
                    found.append((level, one, end, gone))
    return sorted(found, key=lambda f: f[0])


def _proofs(position: Position, kind: str) -> Iterator[tuple[int, Reach]]:
    """Yield the reaches that prove their start: it is true if it is false."""
    for one in _reaches(position, kind):
        for level, true in enumerate(one.true):
            if true >> one.start & 1:
                yield level, one


def _step(
    graph: Graph,
    nodes: list[int],
    gone: int,
    end: str = "one of the two ends is true, which removes",
    *,
    own: int = 2,
    loop: bool = False,
    placed: tuple[Candidate, ...] = (),
) -> Step:
    """The step of a chain, with its nodes in two colours.

    `own` is added to the number of nodes for the length.  Sudoku Explainer counts the refuted candidate at both ends of a
    chain (2); a proof and a loop have only their own nodes (0).
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
    """A chain in words; for the link of an almost locked set its cells and the digits that they hold then."""
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
    """Whether a chain uses what its kind is named after: a link of an almost locked set, or a group."""
    if kind == "sets":
        return bool(graph.of_sets(nodes))
    return kind != "grouped" or any(node >= graph.base for node in nodes)


def _repeats(nodes: list[int]) -> bool:
    """Whether a node is both true and false in a chain, which therefore proves something else."""
    return len(set(nodes)) < len(nodes)


def x_chain(position: Position) -> Iterator[Step]:
    """A chain of one digit with two or more strong links."""
    graph = _graph(position, "digit")
    for level, one, end, gone in _ends(position, "digit"):
        nodes = _path(graph, one, end, level)
        if not _repeats(nodes):
            yield _step(graph, nodes, gone)
    for level, one in _proofs(position, "digit"):
        gone = graph.weak[one.start]
        if gone and not _repeats((nodes := _path(graph, one, one.start, level))[1:]):
            yield _step(graph, nodes, gone, f"so {graph.word(one.start, True)} in any case, which removes", own=0)


def xy_chain(position: Position) -> Iterator[Step]:
    graph = _graph(position, "pairs")
    for level, one, end, gone in _ends(position, "pairs"):
        if end // position.size == one.start // position.size:
            yield _step(graph, _path(graph, one, end, level), gone)


def remote_pair(position: Position) -> Iterator[Step]:
    """A chain of cells with the same pair: a cell that sees two of them an odd number of links apart holds neither digit."""
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
        f"{position.names(chain)} hold only {digits_text(digits)}, and each sees the next, so the digits alternate: the "
        f"first and the last cell hold both digits between them, which removes {position.listed(removed)}."
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
            yield _step(
                graph, nodes, gone, f"one of the two ends is true, but if {word}, both are false, which removes"
            )


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
                "the ends exclude each other, so this is a loop, and one end of every weak link is true, which removes"
            )
            yield _step(graph, nodes, gone, words, own=0, loop=True)


def _locked_in(graph: Graph, link: tuple[int, int], cells: int) -> int:
    """The nodes that a set of a continuous loop removes: it loses one of its two linked digits, so the others are locked."""
    position, gone = graph.position, 0
    passed = {graph.digit_cells(node)[0] for node in link}
    for digit, places in enumerate(position.places):
        here = places & cells
        if here and digit not in passed:
            gone |= (places & position.geometry.seen_by(here) & ~cells) << graph.size * (digit - 1)
    return gone
