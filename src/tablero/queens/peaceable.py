"""Peaceable armies: equally many white and black queens, none attacking one of the other colour (OEIS A250000).

    white     the squares with white queens; queens of one colour may attack each other
    free      the squares that no white queen attacks: all of them can be black
    barred    squares that must not become white, because all armies with them were tried

The smaller army decides, so that the goal is the largest min(white, free).  Branch and bound over white squares: a square
that costs no free square is taken at once; one that leaves no more free squares than the best known is never taken.  Of
squares that are images of each other under rotations and reflections, only one is tried first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tablero import interrupts
from tablero.draw.scene import Scene
from tablero.queens import draw
from tablero.queens.checking import armies_fault
from tablero.queens.puzzle import Queens, Square
from tablero.runs.findings import Findings, Result
from tablero.runs.progress import Snapshot
from tablero.runs.run import HERE, Clock, Run
from tablero.search.base import Answers
from tablero.text import several

_LOOK = 64  # nodes between checks of the clock

Army = tuple[Square, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Armies(Findings[tuple[Army, Army]]):
    """The largest armies found, proved to be the largest where the status is "solved".

    An answer is the white army and the black one.  A row of `result.answers` has one number for each square: 1 white, 2
    black.
    """

    puzzle: Queens

    @property
    def n(self) -> int:
        return self.puzzle.n

    @cached_property
    def answers(self) -> Sequence[tuple[Army, Army]]:
        return [(_army(row, 1, self.n), _army(row, 2, self.n)) for row in self.result.answers.tolist()]

    @property
    def white(self) -> Army:
        return self.answers[0][0] if self.answers else ()

    @property
    def black(self) -> Army:
        return self.answers[0][1] if self.answers else ()

    @property
    def size(self) -> int:
        """The number of queens in each army."""
        return len(self.white)

    def to_list(self) -> list[list[list[list[int]]]]:
        """The armies as lists of squares, rows and columns from 0."""
        return [[[list(square) for square in army] for army in pair] for pair in self.answers]

    def verify(self) -> None:
        """Check the armies with code that shares nothing with the search."""
        if wrong := armies_fault(self.n, self.white, self.black):
            raise AssertionError(f"the search returned no peaceable armies: {wrong}")

    def values(self) -> dict[str, Any]:
        return {**super().values(), "size": self.size}

    def answer_text(self, before: int) -> str:
        return f"{self.size}\n"

    def remarks(self) -> Iterator[str]:
        proved = "stopped: larger armies may exist" if self.status == "open" else "no larger ones (proved)"
        yield str(self)
        yield f"{self.size} against {self.size}; {proved}; {several(self.nodes, 'node')}"

    def scene(self) -> Scene:
        return draw.armies(self.n, self.white, self.black)

    def __str__(self) -> str:
        return draw.text_of(self.n, {**dict.fromkeys(self.white, "♕"), **dict.fromkeys(self.black, "♛")})


def _army(row: list[int], side: int, n: int) -> Army:
    return tuple(divmod(k, n) for k, who in enumerate(row) if who == side)


@interrupts.Polling()
def armies(n: int, *, run: Run = HERE) -> Armies:
    """Find the largest peaceable armies on an n×n board."""
    search = _Search(n, run)
    proved = interrupted = False
    try:
        proved = search.run()
    except KeyboardInterrupt:
        interrupted = True
    finally:
        run.report(Snapshot(over=True))
    answer = search.answer()
    result = Result(
        status="open" if not proved else "solved" if len(answer) else "none",
        solutions=len(answer),
        answers=answer,
        nodes=search.nodes,
        seconds=search.clock.seconds,
        cpu_seconds=search.clock.cpu_seconds,
        fraction=1.0 if proved else min(search.done, 1.0),
        interrupted=interrupted,
    )
    found = Armies(Queens(n), result)
    found.verify()
    return found


def _attacks(n: int) -> list[int]:
    """For each square, the squares that a queen on it attacks and its own, as bits."""
    board = [(r, c) for r in range(n) for c in range(n)]
    return [
        sum(1 << (a * n + b) for a, b in board if a == r or b == c or a + b == r + c or a - b == r - c)
        for r, c in board
    ]


def _orbits(n: int) -> list[set[int]]:
    """The squares, by number, in classes under rotations and reflections."""
    half = range((n + 1) // 2)
    return [
        {k for x in (r, n - 1 - r) for y in (c, n - 1 - c) for k in (x * n + y, y * n + x)}
        for r in half
        for c in half[r:]
    ]


class _Search:
    """The branch and bound."""

    def __init__(self, n: int, run: Run) -> None:
        self.n, self.clock = n, Clock(run)
        self.attacks = _attacks(n)
        self.best = self.nodes = 0
        self.largest = (0, 0)  # the white and the free squares of the best armies
        self.done = 0.0  # the fraction of the tree that is searched

    def answer(self) -> Answers:
        """The best armies as a row of numbers; no row if there are none."""
        squares = [[k for k in range(self.n * self.n) if mask >> k & 1] for mask in self.largest]
        size = min(map(len, squares))
        rows = np.zeros((int(size > 0), self.n * self.n), np.int32)
        for side, army in enumerate(squares, 1):
            rows[:, army[:size]] = side
        return rows

    def run(self) -> bool:
        """Search the whole tree; False if a limit was met."""
        barred, everywhere = 0, (1 << self.n * self.n) - 1
        # Squares that attack least come first: armies lie in corners and along edges.
        orbits = sorted(_orbits(self.n), key=lambda orbit: (self.attacks[min(orbit)].bit_count(), min(orbit)))
        for orbit in orbits:
            square = min(orbit)
            if not self._grow(1 << square, everywhere & ~self.attacks[square], barred, 1 / len(orbits)):
                return False
            barred |= sum(1 << k for k in orbit)
        return True

    def _may_continue(self) -> bool:
        """Whether another node may be visited; the clock is checked every few nodes."""
        limit = self.clock.run.node_limit
        if limit is not None and self.nodes >= limit:
            return False
        if self.nodes % _LOOK == 0:
            self.clock.report(f"{self.best} against {self.best}", fraction=self.done, nodes=self.nodes)
            return not self.clock.is_up(self.nodes)
        return True

    def _grow(self, white: int, free: int, barred: int, share: float) -> bool:
        """Try all white armies that contain this one and no barred square; False if a limit was met.

        `share` is the fraction of the tree below this node; its children share it evenly.
        """
        if not self._may_continue():
            return False
        self.nodes += 1
        blacks, more = free.bit_count(), []
        for square in range(self.n * self.n):
            if (white | barred) >> square & 1:
                continue
            loss = (free & self.attacks[square]).bit_count()
            if loss == 0:
                white |= 1 << square
            elif blacks - loss > self.best:
                more.append((loss, square))
        whites = white.bit_count()
        if min(whites, blacks) > self.best:
            self.largest, self.best = (white, free), min(whites, blacks)
        after_node = self.done + share
        more.sort(reverse=True)  # the most expensive first: its subtree is small, and then the square is barred
        for k, (loss, square) in enumerate(more):
            if whites + len(more) - k <= self.best:
                break
            if blacks - loss > self.best:
                after = free & ~self.attacks[square]
                if not self._grow(white | 1 << square, after, barred, share / len(more)):
                    return False
            else:
                self.done += share / len(more)
            barred |= 1 << square
        self.done = after_node
        return True
