"""Estimate the difficulty of a puzzle: expected solutions, expected nodes at each depth, and Knuth's estimator.

The expected number of partial boards at each depth places pieces at random and asks that all joins match, where sides are
drawn without replacement.  It predicts which order of cells has the smallest tree, and therefore which method to use.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, lgamma, log, log10
from typing import Any

import numpy as np

from tablero.edges.board import ORDERS, order_of
from tablero.edges.kernels.scan import probe
from tablero.edges.kernels.search import ScanSearch
from tablero.edges.puzzle import EdgePuzzle
from tablero.errors import BadInput
from tablero.runs.progress import Snapshot
from tablero.runs.run import HERE, Run, until_stopped
from tablero.text import several

_SOME = 64  # walks in the first slice
_SLICE = 0.05  # seconds that a slice should take
_LN10 = log(10)
_FAR = 81  # with this many cells or more, Knuth's walks rarely meet the nodes that dominate the tree


def _ln_factorial(n: float) -> float:
    return lgamma(n + 1)


def layings(puzzle: EdgePuzzle) -> float:
    """log₁₀ of the ways to place the pieces without regard to colours: 4^N·N! for squares that can be turned."""
    number = len(puzzle.pieces)
    return (_ln_factorial(number) + (number * log(puzzle.sides) if puzzle.turning else 0.0)) / _LN10


def layings_by_class(puzzle: EdgePuzzle) -> float:
    """log₁₀ of the ways to place the pieces with the border colour on the border."""
    if not puzzle.border:
        return layings(puzzle)
    rows = [tuple(row) for row in puzzle.board.border.tolist()]
    turns = [[row[k:] + row[:k] for k in range(len(row))] for row in rows]
    classes = Counter(min(each) for each in turns) if puzzle.turning else Counter(rows)
    ln = sum(_ln_factorial(number) for number in classes.values())
    if puzzle.turning:
        ln += sum(log(each.count(row)) for row, each in zip(rows, turns, strict=True))
    return ln / _LN10


def owen(puzzle: EdgePuzzle) -> float:
    """log₁₀ of the expected solutions for the colours of the pieces (Owen's count); −∞ if parity excludes solutions.

    For square boards with a border and turning.  Each clue fixes one piece, which is not counted.
    """
    board = puzzle.board
    if board.shape != "square" or not puzzle.border or not puzzle.turning or min(board.rows, board.columns) < 2:
        raise BadInput("this count is for square boards with a border and turning")
    frame, inner = _colour_counts(puzzle)
    cells = Counter(int(row.sum()) for row in board.border)
    taken = Counter(int(board.border[clue.cell].sum()) for clue in puzzle.clues)
    ln = sum(_ln_factorial(cells[kind] - taken[kind]) for kind in (0, 1, 2)) + (cells[0] - taken[0]) * log(4)
    # Along the frame, sides just after a border side meet sides just before one: n! of T! ways match.
    ln += sum(_ln_factorial(n // 2) for n in frame.values()) - _ln_factorial(sum(frame.values()) // 2)
    return (ln + _pairing(Counter(inner))) / _LN10


def _pairing(sides: Counter[int]) -> float:
    """ln of the probability that a random pairing of sides pairs equal colours only."""
    if any(n % 2 for n in sides.values()):
        return -inf
    total = sum(sides.values()) // 2
    ln = _ln_factorial(total) - _ln_factorial(2 * total)
    return ln + sum(_ln_factorial(n) - _ln_factorial(n // 2) for n in sides.values())


def _colour_counts(puzzle: EdgePuzzle) -> tuple[dict[int, int], dict[int, int]]:
    """The number of sides of each colour along the frame, and elsewhere."""
    frame: Counter[int] = Counter()
    inner: Counter[int] = Counter()
    for row in puzzle.pieces.tolist():
        for side, colour in enumerate(row):
            if colour:
                beside = row[side - 1] == 0 or row[(side + 1) % len(row)] == 0
                (frame if beside else inner)[colour] += 1
    return frame, inner


@dataclass(frozen=True)
class Profile:
    """log₁₀ of the expected number of partial boards at each depth of an order of cells."""

    order: tuple[int, ...]
    depths: tuple[float, ...]

    @property
    def nodes(self) -> float:
        """log₁₀ of their sum."""
        top = max(self.depths)
        return top + log10(sum(10 ** (depth - top) for depth in self.depths))


def profile(puzzle: EdgePuzzle, order: Sequence[int]) -> Profile:
    """The expected number of partial boards of a scan in this order.

    Pieces are placed at random, each once, in the cells of their class and turned as the border asks.  The chance that all
    joins match counts the sides without replacement, so the last depth is the expected number of solutions.
    """
    board = puzzle.board
    fixed = puzzle.fixed()
    neighbours = board.neighbours.tolist()
    edge = [puzzle.border and bool(row.any()) for row in board.border]
    kind_of: list[tuple[bool, ...]] = [()] * board.cells
    if puzzle.border:
        kind_of = [min((*row[k:], *row[:k]) for k in range(board.sides)) for row in board.border.tolist()]
    left = Counter(kind_of[cell] for cell in range(board.cells) if cell not in fixed)
    pools = _pools(puzzle)
    chances = {name: _chances(*pool) for name, pool in pools.items()}
    joins = dict.fromkeys(pools, 0)
    filled = set(fixed)
    depths, ln = [], 0.0
    for cell in order:
        if cell not in fixed:
            turns = 1 if edge[cell] else board.sides if puzzle.turning else 1
            ln += log(left[kind_of[cell]] * turns)
            left[kind_of[cell]] -= 1
            for side, across in enumerate(neighbours[cell]):
                other = across // board.sides
                if across >= 0 and other in filled:
                    along = edge[cell] and edge[other]
                    name = f"axis {side % 2}"
                    joins[name if name in pools else "frame" if along and "frame" in pools else "inner"] += 1
            filled.add(cell)
        matching = (chances[name][n] if n < len(chances[name]) else -inf for name, n in joins.items())
        depths.append((ln + sum(matching)) / _LN10)
    return Profile(tuple(order), tuple(depths))


def _pools(puzzle: EdgePuzzle) -> dict[str, tuple[Counter[int], Counter[int]]]:
    """The sides that can meet, by kind of join: two pools that meet each other, or one pool twice if it meets itself."""
    pieces = puzzle.pieces.tolist()
    if not puzzle.turning and puzzle.sides == 4:  # left meets right, top meets bottom
        sides = [Counter(row[side] for row in pieces if row[side] or not puzzle.border) for side in range(4)]
        return {"axis 0": (sides[0], sides[2]), "axis 1": (sides[1], sides[3])}
    if not puzzle.border:
        alike = Counter(puzzle.pieces.ravel().tolist())
        return {"inner": (alike, alike)}
    frame, inner = _colour_counts(puzzle)
    if puzzle.sides != 4:
        alike = Counter(frame) + Counter(inner)
        return {"inner": (alike, alike)}
    after = Counter(colour for row in pieces for side, colour in enumerate(row) if colour and row[side - 1] == 0)
    before = Counter(frame)
    before.subtract(after)
    within = Counter(inner)
    return {"frame": (after, before), "inner": (within, within)}


def _chances(first: Counter[int], second: Counter[int]) -> list[float]:
    """ln of the chance that n random joins all match, for every n; sides are drawn without replacement.

    The number of ways to choose sides for n matching joins is n! times the coefficient of xⁿ in the product over the colours
    of Σ (s)ₖ xᵏ/k!, where (s)ₖ is the number of ways to take k sides of the colour in order from each pool.
    """
    one = first is second
    total = (first.total() // 2) if one else min(first.total(), second.total())
    ways = np.full(total + 1, -inf)
    ways[0] = 0.0
    for colour in first.keys() & second.keys():
        a, b = first[colour], second[colour]
        most = a // 2 if one else min(a, b)
        terms = [
            (_ln_falling(a, 2 * k) if one else _ln_falling(a, k) + _ln_falling(b, k)) - _ln_factorial(k)
            for k in range(most + 1)
        ]
        product = np.full(total + 1, -inf)
        for k, term in enumerate(terms):
            product[k:] = np.logaddexp(product[k:], ways[: total + 1 - k] + term)
        ways = product
    return [
        float(ways[n])
        + _ln_factorial(n)
        - (_ln_falling(first.total(), 2 * n) if one else _ln_falling(first.total(), n) + _ln_falling(second.total(), n))
        for n in range(total + 1)
    ]


def _ln_falling(n: int, k: int) -> float:
    """ln of n (n − 1) … (n − k + 1)."""
    return _ln_factorial(n) - _ln_factorial(n - k)


def best_order(puzzle: EdgePuzzle, names: Sequence[str] = ORDERS) -> tuple[str, float]:
    """The order with the fewest expected nodes, and log₁₀ of them."""
    counts = {name: profile(puzzle, order_of(puzzle.board, name)).nodes for name in names}
    name = min(counts, key=lambda name: (round(counts[name], 6), names.index(name)))
    return name, counts[name]


@dataclass(frozen=True)
class Probes:
    """Knuth's estimate of the nodes of a tree, from random walks down it."""

    mean: float
    error: float  # of the mean
    count: int  # walks made: fewer than requested after a time limit or an interruption
    interrupted: bool = False


def knuth(
    puzzle: EdgePuzzle,
    probes: int = 10_000,
    seed: int = 0,
    order: Sequence[int] | None = None,
    *,
    run: Run = HERE,
) -> Probes:
    """Estimate the nodes of a scan by random walks from the root (Knuth).

    The estimator is unbiased, but its mean can depend on very rare walks: from 9×9 on it is misleading.  Ctrl-C and the time
    limit end it with the walks made so far.
    """
    search = ScanSearch(puzzle.tiles, tuple(order) if order is not None else ())
    sums = np.zeros(2)
    state = np.array([seed * 2 + 1], np.uint64)
    used, chosen = np.zeros(len(puzzle.pieces) + 1, np.uint8), np.zeros(puzzle.board.cells, np.uint64)

    def slices() -> Iterator[int]:  # Ctrl-C is checked between slices; the walks do not depend on them
        made, some = 0, _SOME
        while made < probes:
            now, began = min(some, probes - made), time.monotonic()
            probe(search.tables(), used, chosen, state, now, sums)
            made += now
            some = 2 * some if time.monotonic() - began < _SLICE else max(_SOME, some // 2)
            yield made

    made, interrupted = until_stopped(slices(), probes, "walk", run)
    mean = float(sums[0] / made)
    return Probes(mean, float(max(sums[1] / made - mean * mean, 0.0) / made) ** 0.5, made, interrupted)


@dataclass(frozen=True)
class Estimate:
    """The estimates for a puzzle."""

    puzzle: EdgePuzzle
    order: str  # of the cells, for `profile` and `probes`
    profile: Profile
    by_order: dict[str, float]  # log₁₀ of the expected nodes for every order that has a name
    probes: Probes
    layings: float  # log₁₀ of the ways to place the pieces
    layings_by_class: float  # log₁₀ of those with the border colour on the border
    solutions: float | None  # log₁₀ of the expected solutions, with all turns of a board; None if there is no count
    misleading: bool  # whether the board is too large for Knuth's walks
    status = "solved"

    @property
    def interrupted(self) -> bool:
        return self.probes.interrupted

    def to_dict(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "order": self.order,
            "log10_nodes": self.profile.nodes,
            "log10_layings": self.layings,
            "log10_layings_by_class": self.layings_by_class,
            "log10_by_depth": list(self.profile.depths),
            "log10_by_order": self.by_order,
            "knuth": self.probes.mean,
            "knuth_error": self.probes.error,
            "probes": self.probes.count,
            "log10_solutions": self.solutions,
            "misleading": self.misleading,
        }

    def lines(self) -> Iterator[str]:
        puzzle, walks = self.puzzle, self.probes
        turns = f"{puzzle.sides}^{len(puzzle.pieces)}·" if puzzle.turning else ""
        yield (
            f"layings: {turns}{len(puzzle.pieces)}! = {_exact_power(self.layings)}, by classes of pieces "
            f"{_exact_power(self.layings_by_class)}"
        )
        if self.solutions is not None:
            yield f"solutions expected for these colours: {_power(self.solutions)}, boards turned counted apart"
        yield "nodes expected of a scan: " + ", ".join(f"{each} {_power(n)}" for each, n in self.by_order.items())
        depths = " ".join(f"{depth:.1f}" for depth in self.profile.depths)
        yield f"by depth, {self.order}: {depths} (powers of ten)"
        yield f"Knuth's estimate, {several(walks.count, 'walk')}: {walks.mean:.3g} ± {walks.error:.2g} nodes"

    def remarks(self) -> Iterator[str]:
        yield from self.puzzle.reading
        if self.misleading:
            yield "warning: from 9×9 on, Knuth's estimate is unreliable, as the walks miss most of the tree"


def _exact_power(log10: float) -> str:
    return f"{round(10**log10):,}" if log10 < 6 else f"10^{log10:.2f}"


def _power(log10: float) -> str:
    return f"{10**log10:,.4g}" if -3 < log10 < 6 else f"10^{log10:.1f}" if log10 > -1e6 else "0"


def estimate(
    puzzle: EdgePuzzle, *, order: str = "auto", probes: int = 10_000, seed: int = 0, run: Run = HERE
) -> Estimate:
    """Estimate the solutions, the nodes at each depth, and the tree of a scan."""
    name = best_order(puzzle)[0] if order in ("", "auto") else order
    cells = order_of(puzzle.board, name)
    board = puzzle.board
    counted = board.shape == "square" and puzzle.border and puzzle.turning and min(board.rows, board.columns) > 1
    run.report(Snapshot(doing="compiling the kernel of the walks"))
    knuth(puzzle, 1, order=cells)
    return Estimate(
        puzzle,
        order=name,
        profile=profile(puzzle, cells),
        by_order={each: profile(puzzle, order_of(board, each)).nodes for each in ORDERS},
        probes=knuth(puzzle, probes, seed, cells, run=run),
        layings=layings(puzzle),
        layings_by_class=layings_by_class(puzzle),
        solutions=owen(puzzle) if counted else None,
        misleading=board.cells >= _FAR,
    )
