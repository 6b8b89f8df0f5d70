"""Counting solutions: all of them, or those that are different under turns and reflections (fundamental ones).

The empty board has two kernels of its own: one joins the halves of the board, the other goes row by row, finds the
fundamental solutions and takes boards of any size.  Boards with given or blocked squares, and tori, are counted as exact
covers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tablero.cover.solving import search_for as cover_search
from tablero.draw.scene import Scene
from tablero.draw.svg import to_svg
from tablero.queens import verbs
from tablero.queens.checking import refuted
from tablero.queens.draw import fundamental_gallery
from tablero.queens.kernels.count import QueensCount
from tablero.queens.kernels.halves import HalfCount
from tablero.queens.kernels.quadrant_cases import MOST as MOST_HALVES
from tablero.queens.puzzle import Board, Boards, Queens, QueensLike, as_puzzle, require_no_search
from tablero.queens.solving import to_cover
from tablero.runs.findings import Result
from tablero.runs.run import HERE, Run, require_here
from tablero.runs.session import perform
from tablero.runs.watch import Snapshot
from tablero.search.base import Search
from tablero.verbs import described

_HALVES_FROM = 12  # smaller boards are counted row by row before the tables are made


@dataclass(frozen=True, eq=False, repr=False)
class Counted(Boards):
    """How many solutions there are; it has answers only where fundamental ones were wanted, and not only their number."""

    fundamental: bool

    def scene(self) -> Scene | None:
        """The fundamental solutions, where they were kept."""
        return fundamental_gallery(self.answers) if len(self.columns) else None

    def gallery(self) -> str | None:
        """All fundamental solutions, found again, as SVG."""
        done = self.status == "complete"
        return to_svg(fundamental_gallery(fundamental(self.puzzle))) if done else None

    def remarks(self) -> Iterator[str]:
        kind = "fundamental " if self.fundamental else ""
        short = self.why and not self.nodes
        yield self.why if short else self.sentence(f"{kind}solution", f"{kind}solutions")


def search_for(puzzle: Queens, *, fundamental: bool = False, run: Run = HERE) -> Search:
    """The search that counts; for a run that is durable one whose nodes do not depend on what it has seen before."""
    if puzzle.plain:
        if not fundamental and _HALVES_FROM <= puzzle.n <= MOST_HALVES:
            return HalfCount(puzzle.n)
        return QueensCount(puzzle.n, fundamental)
    cover = to_cover(puzzle)
    run.tell(Snapshot(doing="compiling the counting kernels"))
    return cover_search(cover, "count", durable=run.durable)


def count(puzzle: Queens, *, fundamental: bool = False, run: Run = HERE) -> Counted:
    """Count all solutions, or those that are different under turns and reflections."""
    if puzzle.n == 0 or (refuted(puzzle) and not fundamental):
        require_no_search(run, f"{puzzle.n} queens")
        return Counted(puzzle, _without_search(puzzle), fundamental)
    search = search_for(puzzle, fundamental=fundamental, run=run)
    return Counted(puzzle, perform(search, run, keep=False), fundamental)


def _without_search(puzzle: Queens) -> Result:
    """No queens can be set in one way; and what is refuted in none."""
    number = int(puzzle.n == 0)
    empty = np.empty((0, puzzle.n), np.int32)
    return Result("complete" if number else "none", number, empty, kept=False)


def fundamental(puzzle: QueensLike, *, run: Run = HERE) -> Sequence[Board]:
    """The fundamental solutions of a small board, each the first of its images, in order."""
    require_here(run, "the list of fundamental solutions")  # a job that counts keeps no boards
    puzzle = as_puzzle(puzzle)
    described(verbs.count).require_sense(puzzle, {"fundamental": True})
    found = Counted(puzzle, perform(search_for(puzzle, fundamental=True), run), True)
    found.require_all()
    found = replace(found, result=with_first_images(found.result))
    found.verify()
    return found.answers


def with_first_images(result: Result) -> Result:
    """The result with every solution turned and reflected so that it comes first, sorted."""
    rows = sorted({min(images(columns)) for columns in result.answers.tolist()})
    if len(rows) < len(result.answers):
        raise AssertionError("the counting kernel returned two solutions of one class")
    return replace(result, answers=np.array(rows, np.int32).reshape(result.answers.shape))


def images(columns: list[int]) -> list[tuple[int, ...]]:
    """The eight images of a solution."""
    n = len(columns)
    found = []
    image = tuple(columns)
    for _ in range(4):
        found += [image, image[::-1]]
        turned = [0] * n
        for row, column in enumerate(image):
            turned[column] = n - 1 - row
        image = tuple(turned)
    return found
