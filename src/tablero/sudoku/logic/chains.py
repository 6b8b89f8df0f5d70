"""Chains: if a candidate is false another is true, and so on in turns; what both ends forbid is false.

    X-chain          one digit throughout
    XY-chain         cells with two candidates throughout; remote pairs where all hold the same two
    AIC              links of all kinds (alternating inference chain): one of its ends is true
    nice loop        a chain that comes back: discontinuous, where it refutes or proves one candidate or keeps two in a cell;
                     continuous, where its ends forbid each other: then of every weak link one end is true
    grouped          a node may be several places of a digit where a box and a line meet

They are graded by their length as Sudoku Explainer grades them, shorter ones first.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tablero.sudoku.logic.grades import longer
from tablero.sudoku.logic.links import Graph, Reach, graph_of, path, reaches
from tablero.sudoku.logic.position import Candidate, Link, Marked, Position, Step, bits, digits_text

_Found = tuple[int, int, int, int]  # level, the reach's number, end, the candidates that go (nodes)


def _ends(position: Position, kind: str) -> list[_Found]:
    """Chains with two ends that forbid something together, shorter ones first; one for every pair of ends."""
    key = f"ends {kind}"
    if key not in position.memo:
        graph = graph_of(position, kind)
        weak, singles = graph.weak, graph.singles
        found: list[_Found] = []
        for number, one in enumerate(reaches(position, kind)):
            position.check()
            start = one.start
            near = weak[start]
            if not near:
                continue
            after = -1 << start + 1  # a chain is the same from its other end
            for level in range(1, len(one.true)):
                for end in bits(one.true[level] & after):
                    gone = near & weak[end] & singles
                    if gone:
                        found.append((level, number, end, gone))
        found.sort(key=lambda f: f[0])
        position.memo[key] = found
    kept = position.memo[key]
    assert isinstance(kept, list)
    return kept


def _marks(graph: Graph, nodes: list[int], gone: set[Candidate]) -> Marked:
    """What to draw of a chain: nodes in two colours, strong and weak links."""

    def spot(node: int) -> Candidate:
        return graph.candidates(node)[0]

    def kept(some: list[int]) -> tuple[Candidate, ...]:
        every = dict.fromkeys(c for node in some for c in graph.candidates(node))
        return tuple(c for c in every if c not in gone)

    good = kept(nodes[1::2])
    other = tuple(c for c in kept(nodes[::2]) if c not in good)
    links: list[Link] = [(spot(a), spot(b)) for a, b in pairwise(nodes)]
    return {
        "cells": tuple(dict.fromkeys(cell for node in nodes for cell, _ in graph.candidates(node))),
        "good": good,
        "other": other,
        "links": tuple(links[::2]),
        "weak": tuple(links[1::2]),
        "more": tuple(filter(None, (_rest_of(graph, one, {*good, *other, *gone}) for one in _sets_of(graph, nodes)))),
    }


def _sets_of(graph: Graph, nodes: list[int]) -> list[int]:
    """The almost locked sets that a chain passes, as sets of cells."""
    passed = zip(nodes[::2], nodes[1::2], strict=True)
    return list(dict.fromkeys(graph.sets[link] for link in passed if link in graph.sets))


def _rest_of(graph: Graph, cells: int, marked: set[Candidate]) -> tuple[Candidate, ...]:
    """The candidates of a set that have no colour yet."""
    cands = graph.position.cands
    return tuple((cell, d) for cell in bits(cells) for d in bits(cands[cell]) if (cell, d) not in marked)


def _told(graph: Graph, nodes: list[int]) -> str:
    """A chain in words; where a set makes a link, its cells and the digits that they are then left with."""
    words = []
    for k, node in enumerate(nodes[1:], 1):
        word = graph.word(node, bool(k % 2))
        cells = graph.sets.get((nodes[k - 1], node)) if k % 2 else None
        if cells is not None:
            left = 0
            for cell in bits(cells):
                left |= graph.position.cands[cell]
            left &= ~(1 << graph.digit_cells(nodes[k - 1])[0])
            word = f"the set {graph.position.names(cells)} is left with {digits_text(left)}, so {word}"
        words.append(word)
    return f"If {graph.word(nodes[0], False)}, then {', '.join(words)}"


def _chain_step(
    position: Position,
    graph: Graph,
    nodes: list[int],
    name: str,
    base: float,
    gone: int,
    *,
    end: str = "",
    own: int = 2,
) -> Step:
    """`own`: as Sudoku Explainer counts, a chain to what it refutes has that at both ends, and two nodes are not counted;
    a proof and a loop (0) have nothing beside their own nodes."""
    removed = tuple(sorted(graph.candidate(node) for node in bits(gone)))
    end = end or "one of both ends is right, which takes"
    sentence = f"{_told(graph, nodes)}: {end} {position.told(removed)}."
    marks = _marks(graph, nodes, set(removed))
    length = len(nodes) - 2 + own
    return Step(name, longer(base, length), sentence, removed=removed, length=length, **marks)


def _fits(graph: Graph, nodes: list[int], kind: str) -> bool:
    """Whether a chain uses what its kind is named after; a weak link of a set's own digits is none of its own."""
    if kind == "sets":
        return any(link in graph.sets for link in zip(nodes[::2], nodes[1::2], strict=True))
    return kind != "grouped" or any(node >= graph.size * graph.position.side for node in nodes)


def _repeats(nodes: list[int]) -> bool:
    """Whether a chain says of a node first that it is true and then that it is not: that is a proof of something else."""
    return len(set(nodes)) < len(nodes)


def x_chain(position: Position) -> Iterator[Step]:
    """A chain of one digit, with two strong links or more."""
    graph = graph_of(position, "digit")
    found = reaches(position, "digit")
    for level, number, end, gone in _ends(position, "digit"):
        nodes = path(graph, found[number], end, level)
        if not _repeats(nodes):
            yield _chain_step(position, graph, nodes, "X-chain", 6.6, gone)
    for level, one in _proofs(position, "digit"):
        if graph.weak[one.start]:
            words = f"so {graph.word(one.start, True)} in any case, which takes"
            nodes = path(graph, one, one.start, level)
            if _repeats(nodes[1:]):
                continue
            yield _chain_step(position, graph, nodes, "X-chain", 6.6, graph.weak[one.start], end=words, own=0)


def xy_chain(position: Position) -> Iterator[Step]:
    graph = graph_of(position, "pairs")
    found = reaches(position, "pairs")
    size = position.size
    for level, number, end, gone in _ends(position, "pairs"):
        if end // size == found[number].start // size:
            yield _chain_step(position, graph, path(graph, found[number], end, level), "XY-chain", 7.0, gone)


def remote_pair(position: Position) -> Iterator[Step]:
    """Cells with the same pair, in turns: what sees two of them, an odd number of steps apart, holds neither digit."""
    cands, peers = position.cands, position.geometry.peers
    by_pair: dict[int, int] = {}
    for cell, digits in enumerate(cands):
        if digits.bit_count() == 2:
            by_pair[digits] = by_pair.get(digits, 0) | 1 << cell
    for digits, cells in by_pair.items():
        if cells.bit_count() < 4:
            continue
        for start in bits(cells):
            before: dict[int, int] = {start: -1}
            frontier, distance = [start], 0
            while frontier:
                distance += 1
                onwards = []
                for cell in frontier:
                    for other in bits(cells & peers[cell]):
                        if other not in before:
                            before[other] = cell
                            onwards.append(other)
                frontier = onwards
                if distance < 3 or distance % 2 == 0:
                    continue
                for end in frontier:
                    near = peers[start] & peers[end] & ~cells
                    removed = tuple((cell, d) for d in bits(digits) for cell in bits(position.places[d] & near))
                    if removed and end > start:
                        yield _pairs_step(position, digits, before, end, removed)


def _pairs_step(
    position: Position, digits: int, before: dict[int, int], end: int, removed: tuple[Candidate, ...]
) -> Step:
    chain = [end]
    while before[chain[-1]] >= 0:
        chain.append(before[chain[-1]])
    chain.reverse()
    one, two = bits(digits)
    sentence = (
        f"{position.names(chain)} hold only {digits_text(digits)}, each sees the next, so they take turns: of the first and "
        f"the last one is each of the two, which takes {position.told(removed)}."
    )
    links: tuple[Link, ...] = tuple(((a, one), (b, one)) for a, b in pairwise(chain))
    length = 2 * len(chain) - 4
    return Step(
        "remote pair",
        longer(6.6, length),
        sentence,
        length=length,
        removed=removed,
        cells=tuple(chain),
        good=tuple((c, (one, two)[k % 2]) for k, c in enumerate(chain)),
        other=tuple((c, (two, one)[k % 2]) for k, c in enumerate(chain)),
        links=links,
    )


def _cell_of(graph: Graph, node: int) -> int:
    return node % graph.size if node < graph.size * graph.position.side else -1


def _aic(position: Position, kind: str, name: str, base: float) -> Iterator[Step]:
    graph = graph_of(position, kind)
    found = reaches(position, kind)
    for level, number, end, gone in _ends(position, kind):
        if _cell_of(graph, end) == _cell_of(graph, found[number].start) != -1:
            continue
        nodes = path(graph, found[number], end, level)
        if _fits(graph, nodes, kind) and not _repeats(nodes):
            yield _chain_step(position, graph, nodes, name, base, gone)


def aic(position: Position) -> Iterator[Step]:
    return _aic(position, "all", "AIC", 7.0)


def grouped_aic(position: Position) -> Iterator[Step]:
    return _aic(position, "grouped", "grouped AIC", 7.5)


def _proofs(position: Position, kind: str) -> Iterator[tuple[int, Reach]]:
    """Nodes that are true where they are false."""
    for one in reaches(position, kind):
        for level, true in enumerate(one.true):
            if true >> one.start & 1:
                yield level, one


def _discontinuous(position: Position, kind: str, name: str, base: float) -> Iterator[Step]:
    graph = graph_of(position, kind)
    found = reaches(position, kind)
    todo: list[tuple[int, int, int, int]] = []
    for level, one in _proofs(position, kind):
        if one.start < graph.size * position.side:
            todo.append((level, found.index(one), one.start, 0))
    for level, number, end, gone in _ends(position, kind):
        if _cell_of(graph, end) == _cell_of(graph, found[number].start) != -1:
            todo.append((level, number, end, gone))
        else:
            todo += [(level, number, end, 1 << node) for node in bits(gone)]
    todo.sort(key=lambda f: f[0])
    seen = set()
    for level, number, end, gone in todo:
        key = gone or -end
        if key in seen:
            continue
        nodes = path(graph, found[number], end, level)
        if not _fits(graph, nodes, kind) or _repeats(nodes if gone else nodes[1:]):
            continue
        seen.add(key)
        if not gone:
            start = graph.candidate(end)
            sentence = f"{_told(graph, nodes)}: so {graph.word(end, True)} in any case."
            marks = _marks(graph, nodes, set())
            length = len(nodes) - 2
            yield Step(name, longer(base, length), sentence, placed=(start,), length=length, **marks)
        elif gone & (gone - 1) or _cell_of(graph, end) == _cell_of(graph, found[number].start):
            yield _chain_step(position, graph, nodes, name, base, gone)
        else:
            node = gone.bit_length() - 1
            words = f"so if {graph.word(node, True)}, both ends are false, and one of them is not, which takes"
            yield _chain_step(position, graph, nodes, name, base, gone, end=words)


def discontinuous_loop(position: Position) -> Iterator[Step]:
    return _discontinuous(position, "all", "discontinuous nice loop", 7.0)


def grouped_discontinuous_loop(position: Position) -> Iterator[Step]:
    return _discontinuous(position, "grouped", "grouped discontinuous nice loop", 7.5)


def _continuous(position: Position, kind: str, name: str, base: float) -> Iterator[Step]:
    graph = graph_of(position, kind)
    weak, singles = graph.weak, graph.singles
    todo: list[tuple[int, int, int]] = []
    found = reaches(position, kind)
    for number, one in enumerate(found):
        near = weak[one.start] & (-1 << one.start + 1)
        todo += [(level, number, end) for level in range(1, len(one.true)) for end in bits(one.true[level] & near)]
    todo.sort(key=lambda f: f[0])
    for level, number, end in todo:
        nodes = path(graph, found[number], end, level)
        if _repeats(nodes) or not _fits(graph, nodes, kind):
            continue
        gone = 0
        for k in range(1, len(nodes), 2):
            gone |= weak[nodes[k]] & weak[nodes[(k + 1) % len(nodes)]]
        gone &= singles
        if kind == "sets":
            gone |= _locked_in(position, graph, nodes)
        if gone:
            words = (
                "the ends forbid each other, so this is a loop, and of every weak link one end is right, which takes"
            )
            step = _chain_step(position, graph, nodes, name, base, gone, end=words, own=0)
            closing = (graph.candidates(nodes[-1])[0], graph.candidates(nodes[0])[0])
            yield Step(**{**step.__dict__, "weak": (*step.weak, closing)})


def continuous_loop(position: Position) -> Iterator[Step]:
    return _continuous(position, "all", "continuous nice loop", 7.0)


def grouped_continuous_loop(position: Position) -> Iterator[Step]:
    return _continuous(position, "grouped", "grouped continuous nice loop", 7.5)


def _locked_in(position: Position, graph: Graph, nodes: list[int]) -> int:
    """In a loop a set that it passes loses one of two digits: its other digits are locked in it."""
    gone = 0
    for one, two in zip(nodes[::2], nodes[1::2], strict=True):
        cells = graph.sets.get((one, two))
        if cells is None:
            continue
        passed = {graph.digit_cells(one)[0], graph.digit_cells(two)[0]}
        for digit in range(1, position.side + 1):
            here = position.places[digit] & cells
            if here and digit not in passed:
                gone |= (position.places[digit] & position.geometry.seen_by(here) & ~cells) << graph.size * (digit - 1)
    return gone


def sets_aic(position: Position) -> Iterator[Step]:
    return _aic(position, "sets", "AIC with locked sets", 7.7)


def sets_discontinuous_loop(position: Position) -> Iterator[Step]:
    return _discontinuous(position, "sets", "discontinuous nice loop with locked sets", 7.7)


def sets_continuous_loop(position: Position) -> Iterator[Step]:
    return _continuous(position, "sets", "continuous nice loop with locked sets", 7.7)
