"""A permutation of the host's vertices, the *turn*, the cyclic group that it generates, and its orbits of edges.

cyclic      one cycle of all n vertices where n is odd; of n − 1, and a vertex that stays, where n is even
bicyclic    two cycles of n/2 vertices
K           a number: as many cycles of K vertices as there is room for; the vertices left over stay.
            So cyclic is n or n − 1, and bicyclic is n/2
(0 1 2)(3 4 5)   any permutation, by its cycles
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tablero.decomposition.checking import Copy
from tablero.decomposition.copies import MOST_ENTRIES, told_number
from tablero.decomposition.graph import Graph, Label
from tablero.errors import BadInput

Turn = tuple[int, ...]


def permutation_of(given: str | Mapping[Label, Label], host: Graph) -> Turn:
    """The turn from a word or a mapping; it must keep the host, and move something."""
    n = host.vertices
    if isinstance(given, Mapping):
        turn = _of_mapping(given, host)
    elif given == "cyclic":
        turn = turn_of_cycles(n, n if n % 2 else n - 1)
    elif given == "bicyclic":
        if n % 2:
            raise BadInput(f"bicyclic: {host} has {n} vertices, expected an even number")
        turn = turn_of_cycles(n, n // 2)
    elif re.fullmatch(r"[0-9]{1,9}", given):
        if not 2 <= int(given) <= n:
            raise BadInput(f"a symmetry of order {given}: expected 2 to {n}")
        turn = turn_of_cycles(n, int(given))
    elif given.startswith("("):
        turn = _of_cycles(given, host)
    else:
        raise BadInput(f"the symmetry {given!r}: expected cyclic, bicyclic, an order or cycles as (0 1 2)(3 4 5)")
    if turn == tuple(range(n)):
        raise BadInput(f"the symmetry {given!r} moves no vertex of {host}")
    edges = set(host.edges)
    for u, v in host.edges:
        image = (min(turn[u], turn[v]), max(turn[u], turn[v]))
        if image not in edges:
            raise BadInput(
                f"the symmetry takes the edge {'-'.join(map(str, host.named((u, v))))} to "
                f"{'-'.join(map(str, host.named(image)))}, which is no edge of {host}"
            )
    return turn


def turn_of_cycles(n: int, length: int) -> Turn:
    """Cycles of that many vertices, one after another; those left over stay."""
    whole = n - n % length
    return tuple(v // length * length + (v + 1) % length if v < whole else v for v in range(n))


def _of_mapping(given: Mapping[Label, Label], host: Graph) -> Turn:
    number = {label: k for k, label in enumerate(host.labels)}
    for label in [*given.keys(), *given.values()]:
        if label not in number:
            raise BadInput(f"the symmetry moves {label!r}, which is no vertex of {host}")
    turn = tuple(number[given.get(label, label)] for label in host.labels)
    if len(set(turn)) < len(turn):
        raise BadInput("the symmetry takes two vertices to one: expected a permutation")
    return turn


def _of_cycles(text: str, host: Graph) -> Turn:
    if not re.fullmatch(r"(\s*\([^()]*\)\s*)+", text):
        raise BadInput(f"the symmetry {text!r}: expected cycles as (0 1 2)(3 4 5)")
    names = {str(label): label for label in host.labels}
    image: dict[Label, Label] = {}
    for body in re.findall(r"\(([^()]*)\)", text):
        words = body.replace(",", " ").split()
        for word in words:
            if word not in names:
                raise BadInput(f"the symmetry {text!r}: {word!r} is no vertex of {host}")
        for word, after in zip(words, words[1:] + words[:1], strict=True):
            if names[word] in image:
                raise BadInput(f"the symmetry {text!r}: the vertex {word} occurs twice")
            image[names[word]] = names[after]
    return _of_mapping(image, host)


@dataclass(frozen=True, eq=False)
class Orbits:
    """The group of a turn, and what it does to the host's edges."""

    power: NDArray[np.int32]  # group × vertices
    of_edge: NDArray[np.int32]  # the orbit of each edge
    sizes: NDArray[np.int64]  # edges in each orbit

    @classmethod
    def of(cls, host: Graph, turn: Turn) -> Orbits:
        order = order_of_turn(turn)
        if order * host.vertices > MOST_ENTRIES:
            raise BadInput(f"the symmetry makes a group of {told_number(order)} permutations: too many to list")
        power = np.empty((order, host.vertices), np.int32)
        power[0] = np.arange(host.vertices)
        for k in range(1, order):
            power[k] = np.array(turn, np.int32)[power[k - 1]]
        # The least edge that each can be taken to: first by one step, then by two, four, …
        least, reached = np.arange(len(host.edges), dtype=np.int32), 1
        while reached < order:
            least = np.minimum(least, least[_moved(host, power[reached % order])])
            reached *= 2
        _, of_edge = np.unique(least, return_inverse=True)
        return cls(power, of_edge.astype(np.int32), np.bincount(of_edge))

    @property
    def order(self) -> int:
        return len(self.power)

    def edge_power(self, k: int, host: Graph) -> NDArray[np.int32]:
        """Where the k-th power of the turn takes each edge."""
        return _moved(host, self.power[k])

    def images(self, edges: NDArray[np.int32], count: int, host: Graph) -> list[Copy]:
        """A copy under the first powers of the turn."""
        ends = np.array([host.edges[e] for e in edges.tolist()])
        moved = host.numbers[self.power[:count, ends[:, 0]], self.power[:count, ends[:, 1]]]
        return [tuple(host.edges[e] for e in row) for row in np.sort(moved, axis=1).tolist()]


def order_of_turn(turn: Turn) -> int:
    """How many powers a permutation has."""
    seen, order = [False] * len(turn), 1
    for first in range(len(turn)):
        length, here = 0, first
        while not seen[here]:
            seen[here] = True
            here, length = turn[here], length + 1
        order = math.lcm(order, length or 1)
    return order


def _moved(host: Graph, images: NDArray[np.int32]) -> NDArray[np.int32]:
    """Where a permutation of the vertices takes each edge."""
    ends = np.array(host.edges)
    moved: NDArray[np.int32] = host.numbers[images[ends[:, 0]], images[ends[:, 1]]]
    return moved
