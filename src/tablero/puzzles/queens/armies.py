"""Peaceable armies: as many white queens as black ones on one board, none attacking one of the other colour (A250000).

    white     the squares with white queens; queens of one colour may attack each other
    free      the squares that no white queen attacks: all of them can be black
    barred    squares that are not to be white any more, because all that could come of it is tried

The larger army is limited by the smaller, so the most that can be had is the largest min(white, free).  Branch and bound
over white squares: one that costs no free square is taken at once, one that leaves no more free squares than the best
known is never taken.  Of squares that turns and reflections exchange only one is tried first.

(The other variant, the torus, is an option of `Queens`.)
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from tablero.errors import BadInput
from tablero.puzzles.queens.check import armies_fault
from tablero.puzzles.queens.puzzle import Square

MOST_SIDE = 11  # of boards that can be searched in minutes


@dataclass(frozen=True)
class Armies:
    """The largest armies found, proved to be the largest where the status is "solved"."""

    n: int
    white: tuple[Square, ...]
    black: tuple[Square, ...]
    status: str
    nodes: int
    seconds: float

    @property
    def size(self) -> int:
        return len(self.white)

    def __str__(self) -> str:
        from tablero.puzzles.queens.draw import armies_text

        return armies_text(self.n, self.white, self.black)

    def _repr_svg_(self) -> str:
        from tablero.draw.svg import to_svg
        from tablero.puzzles.queens.draw import armies as picture

        return to_svg(picture(self.n, self.white, self.black))


def armies(n: int, *, time_limit: float | None = None) -> Armies:
    """The largest peaceable armies on a board of n by n."""
    if isinstance(n, bool) or not 1 <= n <= MOST_SIDE:
        raise BadInput(f"peaceable armies on a board of {n}×{n}: expected a side from 1 to {MOST_SIDE}")
    began = time.monotonic()
    search = _Search(n, None if time_limit is None else began + time_limit)
    proved = search.run()
    white, black = (_squares(mask, n)[: search.best] for mask in (search.white, search.free))
    if wrong := armies_fault(n, white, black):
        raise AssertionError(f"the search returned no peaceable armies: {wrong}")
    status = "open" if not proved else "solved" if search.best else "none"
    return Armies(n, white, black, status, search.nodes, time.monotonic() - began)


def _squares(mask: int, n: int) -> tuple[Square, ...]:
    return tuple(divmod(k, n) for k in range(n * n) if mask >> k & 1)


def _attacks(n: int) -> list[int]:
    """For every square the squares that a queen on it attacks, and its own, as bits."""
    board = [(r, c) for r in range(n) for c in range(n)]
    return [
        sum(1 << (a * n + b) for a, b in board if a == r or b == c or a + b == r + c or a - b == r - c)
        for r, c in board
    ]


def _orbits(n: int) -> list[set[Square]]:
    """The squares in classes that turns and reflections exchange."""
    found: list[set[Square]] = []
    for r in range((n + 1) // 2):
        for c in range(r, (n + 1) // 2):
            turned = {(a, b) for x in (r, n - 1 - r) for y in (c, n - 1 - c) for a, b in ((x, y), (y, x))}
            found.append(turned)
    return found


class _Search:
    """The branch and bound; see the head of this module."""

    def __init__(self, n: int, deadline: float | None) -> None:
        self.n, self.deadline = n, deadline
        self.attacks = _attacks(n)
        self.best = self.white = self.free = self.nodes = 0

    def run(self) -> bool:
        """Search everything; False when time ran out."""
        n, barred = self.n, 0
        everywhere = (1 << n * n) - 1
        # Squares that attack least first: armies sit in corners and along edges.
        for orbit in sorted(_orbits(n), key=lambda orbit: self._reach(min(orbit))):
            r, c = min(orbit)
            square = r * n + c
            if not self._grow(1 << square, everywhere & ~self.attacks[square], barred):
                return False
            for a, b in orbit:
                barred |= 1 << (a * n + b)
        return True

    def _reach(self, square: Square) -> tuple[int, Square]:
        return self.attacks[square[0] * self.n + square[1]].bit_count(), square

    def _grow(self, white: int, free: int, barred: int) -> bool:
        """Try all white armies that contain this one and no barred square; False when time ran out."""
        self.nodes += 1
        if self.deadline is not None and self.nodes % 256 == 0 and time.monotonic() > self.deadline:
            return False
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
            self.best, self.white, self.free = min(whites, blacks), white, free
        more.sort(reverse=True)  # the dearest first: it soon leads to an end, and then is barred
        for k, (loss, square) in enumerate(more):
            if whites + len(more) - k <= self.best:
                break
            if blacks - loss > self.best and not self._grow(white | 1 << square, free & ~self.attacks[square], barred):
                return False
            barred |= 1 << square
        return True
