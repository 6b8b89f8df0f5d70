"""Forcing: assume that candidates are true or false, follow all consequences, and keep what holds in every case.

    Nishio           a candidate and one digit only, until a contradiction
    forcing chain    the links of the position: a contradiction, or a common consequence of all candidates of a cell or
                     of all places of a digit in a unit (verity)
    forcing net      also the singles that arise in the net (dynamic chains)
    wide net         also pointing, claiming, pairs and X-wings in the net
    nested           also contradictions inside of the net, by chains or by nets
    multiple         nested, and also what all candidates of a cell or all places of a digit refute inside of the net

The order and the effect of the length on the rating are those of Sudoku Explainer.  The nets are compiled, so `techniques`
imports this module only when it is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from threading import get_ident
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.sudoku.kernels import net, nets
from tablero.sudoku.kernels.net import MULTIPLE, NESTED, NESTED_STATIC, SINGLE, STATIC, WIDE
from tablero.sudoku.logic.position import Candidate, Find, Geometry, Link, Position, Step
from tablero.sudoku.puzzle import SYMBOLS, Layout, Sudoku
from tablero.sudoku.reasons import bits

_LISTS = 60_000  # the length of the array of lists
_DEEPEST = 9  # the largest side of a board on which nets are nested
_ROUNDS = 40  # the most rounds of a nested net
_TRIED = 81  # the number of nodes between two checks of the time limit and of Ctrl-C
_BY_MORE = "by locked candidates, a pair or an X-wing"
_NAMED = 14  # the most nodes of a net that a sentence names


class Conclusion(NamedTuple):
    """A candidate that is refuted or proved, and the nodes whose nets lead to it."""

    candidate: Candidate
    false: bool  # whether the candidate is refuted
    length: int
    sources: tuple[int, ...]  # one node with a contradiction, or all candidates of a cell or of a digit in a unit
    where: int = -1  # the set of the sources: a cell, or size + unit; −1 for a contradiction, −2 for true and false


class Story(NamedTuple):
    """The nodes of a net that a conclusion needs, in the order in which they follow."""

    nodes: tuple[tuple[Candidate, bool], ...]  # candidates, and whether they are true
    reasons: tuple[str, ...]  # of each node
    end: str  # the contradiction; empty for a verity
    strong: tuple[Link, ...]
    weak: tuple[Link, ...]
    tried: frozenset[
        Candidate
    ]  # candidates that are false by a nested contradiction, locked candidates, pairs or X-wings


# Finding


def _numbers(rows: list[list[int]]) -> NDArray[np.int32]:
    wide = max(map(len, rows))
    return np.array([row + [-1] * (wide - len(row)) for row in rows], np.int32)


class Workspace:
    """The arrays of a layout, which all positions of the layout use."""

    def __init__(self, geometry: Geometry) -> None:
        side, size = geometry.side, geometry.size
        self.side, self.size, self.n = side, size, side * size
        meets = [(home, target) for home, _, _, _, target in geometry.meetings["boxes"]]
        self.board = net.Board(
            _numbers([list(unit.cells) for unit in geometry.units]),
            _numbers(geometry.units_of),
            _numbers([list(bits(mask)) for mask in geometry.peers]),
            np.array([pair for a, b in meets for pair in ((a, b), (b, a))], np.int32),
            np.array([[mask >> cell & 1 for cell in range(size)] for mask in geometry.masks], np.uint8),
        )
        self.net, self.sub = self._net(len(geometry.units)), self._net(len(geometry.units))
        self.lengths, self.used = np.zeros(2 * self.n, np.int32), np.zeros(2 * self.n, np.int32)

    def _net(self, units: int) -> net.Net:
        n, cells, places = self.n, self.size, units * self.side
        one_byte = {"alive": n, "on": n, "off": n, "mark": 3 * n, "rows": n * n if self.side <= _DEEPEST else 1}
        counts = {"cells": cells, "places": places, "first_cells": cells, "first_places": places, "members": self.side}
        more = {"cause": 2 * n, "weight": 2 * n, "queue": 2 * n, "stack": 2 * n, "lists": _LISTS, "info": 8}
        arrays: dict[str, NDArray[Any]] = {name: np.zeros(count, np.uint8) for name, count in one_byte.items()}
        arrays |= {name: np.zeros(count, np.int32) for name, count in (counts | more).items()}
        return net.Net(**arrays)

    def load(self, position: Position) -> None:
        alive = self.net.alive
        alive[:] = 0
        for cell, digits in enumerate(position.cands):
            for digit in bits(digits):
                alive[self.side * cell + digit - 1] = 1
        net.count(self.board, self.net, self.side)

    def candidate(self, node: int) -> Candidate:
        cell, digit = divmod(node % self.n, self.side)
        return cell, digit + 1

    def start(self, node: int, mode: int, rounds: int) -> bool:
        """Compute the whole net of a node; return whether it ends in a contradiction."""
        return bool(nets.start(self.board, self.net, self.sub, self.side, node, mode, rounds))

    def trace(self, node: int) -> list[int]:
        """The nodes that a node, or the contradiction (−1), depends on, in the order in which they follow."""
        net.trace(self.board, self.net, self.side, node)
        return [node for node in self.net.queue[: self.net.info[net.TAIL]].tolist() if self.net.mark[node]]


def _loaded(position: Position) -> Workspace:
    """The workspace of this thread with a position; threads cannot share a workspace."""
    space = _workspace(position.geometry, get_ident())
    space.load(position)
    return space


@lru_cache(maxsize=32)
def _workspace(geometry: Geometry, thread: int) -> Workspace:
    return Workspace(geometry)


def contradictions(position: Position, mode: int, rounds: int = 0) -> tuple[int, list[Conclusion]]:
    """Find the candidates whose truth or falsity leads to a contradiction.

    Returns
    -------
    tuple of int and list of Conclusion
        The fewest rounds that find any, or −1, and the conclusions with these rounds, those with the shortest nets first.
    """
    space = _loaded(position)
    fewest, lengths, used = rounds, space.lengths, space.used
    for first in range(0, space.n, _TRIED):
        position.check()
        last = min(first + _TRIED, space.n)
        arrays = (space.board, space.net, space.sub, space.side)
        fewest = int(nets.refute(*arrays, mode, fewest, lengths, used, first, last))
    lengths[used > fewest] = 0  # ignore those that took more rounds
    found = [
        Conclusion(space.candidate(node), node >= space.n, int(lengths[node]), (node,))
        for node in np.flatnonzero(lengths).tolist()
    ]
    return fewest if found else -1, sorted(found, key=lambda c: (c.length, c.candidate))


def verities(position: Position, mode: int) -> list[Conclusion]:
    """Find what follows from all candidates of a cell, from all places of a digit in a unit, or from both cases of one."""
    space = _loaded(position)
    n, side = space.n, space.side
    rows, causes = np.zeros((2 * n, 2 * n), np.uint8), np.zeros((2 * n, 2 * n), np.int32)
    nets.keep(space.board, space.net, space.sub, side, mode, rows, causes)
    every = [(cell, position.candidates_in((cell,))) for cell in bits(position.empty)]
    for k, mask in enumerate(position.geometry.masks):
        every += [(space.size + k, position.places_in(1 << digit, mask)) for digit in range(1, side + 1)]
    sets = [(where, [n + side * cell + digit - 1 for cell, digit in some]) for where, some in every if some]
    if not mode & STATIC:
        sets += [(-2, [n + x, x]) for x in np.flatnonzero(space.net.alive).tolist()]
    best = np.zeros((2 * n, 2), np.int32)
    members = _numbers([nodes for _, nodes in sets])
    if not nets.verities(space.board, space.net, side, rows, causes, members, best):
        return []
    found = []
    for node in np.flatnonzero(best[:, 0] >= 0).tolist():
        where, nodes = sets[best[node, 0]]
        found.append(Conclusion(space.candidate(node), node < n, int(best[node, 1]), tuple(nodes), where))
    return sorted(found, key=lambda c: (c.length, c.candidate))


# Explaining


def stories(position: Position, found: Conclusion, mode: int, rounds: int = 0) -> Iterator[Story]:
    """Yield the story of each net of a conclusion."""
    space = _loaded(position)
    cell, digit = found.candidate
    target = space.side * cell + digit - 1 + (0 if found.false else space.n)
    for source in found.sources:
        clash = space.start(source, mode, rounds) and found.where == -1
        yield _story(space, position, space.trace(-1 if clash else target), found.where == -1, mode)


def _story(space: Workspace, position: Position, nodes: list[int], clash: bool, mode: int) -> Story:
    strong: list[Link] = []
    weak: list[Link] = []
    tried = set()
    for node in nodes:
        here, cause = space.candidate(node), int(space.net.cause[node])
        cell, digit = here
        if cause >= 0:
            weak.append((space.candidate(cause), here))
        elif node >= space.n and cause < net.START:
            if cause == net.CELL:
                others = position.candidates_in((cell,))
            else:
                others = position.places_in(1 << digit, position.geometry.masks[net.UNIT - cause])
            strong += [(other, here) for other in others if other != here]
        elif cause < net.START:
            tried.add(here)
    known = tuple((space.candidate(node), node >= space.n) for node in nodes)
    reasons = tuple(_reason(space, position, node, mode) for node in nodes)
    return Story(known, reasons, _end(space, position) if clash else "", tuple(strong), tuple(weak), frozenset(tried))


def _reason(space: Workspace, position: Position, node: int, mode: int) -> str:
    """The reason of a node of a net."""
    cause, (_, digit) = int(space.net.cause[node]), space.candidate(node)
    if cause == net.START:
        return "assumed"
    if cause >= 0:
        return f"as {position.word(space.candidate(cause), True)}"
    if cause == net.CELL:
        return "no other digit is left there"
    if cause > net.LIST:
        return f"no other place is left for {SYMBOLS[digit]} in {position.geometry.units[net.UNIT - cause].name}"
    first = net.LIST - cause
    gone = [int(x) for x in space.net.lists[first + 1 : first + 1 + int(space.net.lists[first])]]
    why = ", ".join(dict.fromkeys(position.word(space.candidate(x), False) for x in gone))
    if space.net.weight[node] == 1:
        return f"{_BY_MORE}, as {why}"
    inner = _inner(position, node % space.n, gone, STATIC if mode & NESTED_STATIC else 0)
    text = inner or "ruled out by all candidates of a cell, or by all places of a digit in a unit"
    return f"{text} (as {why})" if why else text


def _inner(position: Position, x: int, gone: list[int], mode: int) -> str:
    """The contradiction of a candidate inside of a net that has removed others; empty if there is none."""
    space = _workspace(position.geometry, -get_ident())  # a second workspace, as the first has the outer net
    space.load(position)
    space.net.alive[gone] = 0
    net.count(space.board, space.net, space.side)
    if not space.start(space.n + x, mode, 0):
        return ""
    nodes = [node for node in space.trace(-1) if node >= space.n]
    follows = ", ".join(position.word(space.candidate(node), True) for node in nodes[1:])
    return f"otherwise {follows + ', and then ' if follows else ''}{_end(space, position)}"


def _end(space: Workspace, position: Position) -> str:
    """The contradiction of a net in words."""
    kind, one, two = (int(space.net.info[k]) for k in (net.CLASH, net.ONE, net.TWO))
    if kind == net.BY_CELL:
        return f"no digit is left for {position.name(one)}"
    if kind == net.BY_UNIT:
        return f"no place is left for {SYMBOLS[two + 1]} in {position.geometry.units[one].name}"
    cell, digit = space.candidate(one)
    return f"{position.name(cell)} would be {SYMBOLS[digit]} and not {SYMBOLS[digit]} at once"


def _sentence(position: Position, story: Story) -> str:
    """A net in a sentence: its true candidates, and its false ones that need an explanation of their own."""
    first, *rest = story.nodes
    words = [position.word(candidate, true) for candidate, true in rest if true or candidate in story.tried]
    if len(words) > _NAMED:
        words = [*words[: _NAMED - 2], f"… ({len(words) - _NAMED + 1} more)", words[-1]]
    follows = f", then {', '.join(words)}" if words else ""
    return f"if {position.word(*first)}{follows}"


def _proof(position: Position, net_stories: list[Story], end: str) -> str:
    """All nodes of the nets with their reasons, one in a line."""
    lines = []
    for story in net_stories:
        for node, reason in zip(story.nodes, story.reasons, strict=True):
            lines.append(f"{position.word(*node)}: {reason}.")
        if story.end:
            lines.append(f"Then {story.end}.")
        lines.append("")
    return "\n".join([*lines, f"So {end}."])


def _step(position: Position, found: Conclusion, mode: int, rounds: int = 0) -> Step:
    net_stories = list(stories(position, found, mode, rounds))
    end = position.word(found.candidate, not found.false)
    sentence = "; ".join(_sentence(position, story) for story in net_stories)
    if found.where == -1:
        sentence = f"{sentence[0].upper()}{sentence[1:]}, and then {net_stories[0].end}: so {end}."
    else:
        if found.where == -2:
            place = "Two cases"
        elif found.where < position.size:
            place = f"Whatever {position.name(found.where)} is"
        else:
            symbol = SYMBOLS[found.sources[0] % position.side + 1]
            place = f"Wherever the {symbol} of {position.geometry.units[found.where - position.size].name} is"
        sentence = f"{place}: {sentence}: in any case {end}."
    nodes = dict.fromkeys(node for story in net_stories for node in story.nodes)
    good = tuple(dict.fromkeys(c for c, true in nodes if true and c != found.candidate))
    seen = {*good, found.candidate}
    return Step(
        sentence,
        placed=() if found.false else (found.candidate,),
        removed=(found.candidate,) if found.false else (),
        cells=tuple(dict.fromkeys(c for (c, _), true in nodes if true)),
        good=good,
        other=tuple(dict.fromkeys(c for c, true in nodes if not true and c not in seen)),
        links=tuple(dict.fromkeys(link for story in net_stories for link in story.strong)),
        weak=tuple(dict.fromkeys(link for story in net_stories for link in story.weak)),
        length=found.length - 2,
        proof=_proof(position, net_stories, end),
    )


# Techniques


def _contradictions(position: Position, mode: int) -> Iterator[Step]:
    for found in contradictions(position, mode)[1]:
        step = _step(position, found, mode)
        if not mode & WIDE or _BY_MORE in step.proof:  # otherwise a simpler net finds it, too
            yield step


def _verities(position: Position, mode: int) -> Iterator[Step]:
    for found in verities(position, mode) if position.side <= _DEEPEST else ():
        yield _step(position, found, mode)


def _nested(position: Position, modes: Sequence[int]) -> Iterator[Step]:
    """Contradictions of nested nets by the first mode that finds any, with the fewest rounds, shortest first."""
    for mode in modes if position.side <= _DEEPEST else ():
        rounds, found = contradictions(position, mode, _ROUNDS)
        if rounds >= 0:
            for one in found if rounds > 0 else ():  # with 0 rounds nothing is nested: a simpler net finds it, too
                yield _step(position, one, mode, rounds)
            return


FINDERS: dict[str, Find] = {
    "Nishio": partial(_contradictions, mode=SINGLE),
    "forcing chain, contradiction": partial(_contradictions, mode=STATIC),
    "forcing chain, verity": partial(_verities, mode=STATIC),
    "forcing net, contradiction": partial(_contradictions, mode=0),
    "forcing net, verity": partial(_verities, mode=0),
    "wide forcing net": partial(_contradictions, mode=WIDE),
    "nested forcing chain": partial(_nested, modes=[WIDE | NESTED_STATIC]),
    "nested multiple forcing chain": partial(_nested, modes=[WIDE | NESTED_STATIC | MULTIPLE]),
    "nested forcing net": partial(_nested, modes=[WIDE | NESTED, WIDE | NESTED | MULTIPLE]),
}


def warm() -> None:
    """Compile the nets on a small board."""
    position = Position(Sudoku((1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 3, 0, 0, 0), Layout(4)))
    for found in contradictions(position, 0)[1][:1] + verities(position, 0)[:1]:
        list(stories(position, found, 0))
