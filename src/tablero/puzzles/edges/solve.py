"""Solutions of an edge-matching puzzle, found and counted; and what the family does for all: its jobs, its kernels.

The methods and how one is chosen are in `methods`.  `auto` makes a short try, and then what is foreseen to be best; a
search that is kept or shared is of one method from its start, so there nothing is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tablero.draw.scene import Scene
from tablero.puzzles.edges import check, formats
from tablero.puzzles.edges.encode import Encoded
from tablero.puzzles.edges.methods import AUTO, Plan, optimiser_for, plans, require_method, search_for
from tablero.puzzles.edges.optimise import FAMILY, Best, optimise
from tablero.puzzles.edges.puzzle import EdgePuzzle, Pairs, laid
from tablero.runs import jobs
from tablero.runs.answers import has_twins
from tablero.runs.findings import Findings, Result
from tablero.runs.runner import HERE, Books, Run, Session, require_run
from tablero.runs.watch import Telling


@dataclass(frozen=True, eq=False, repr=False)
class Layings(Findings[Pairs]):
    """What a search for solutions found."""

    parts: ClassVar[tuple[str, ...]] = ("cell", "piece", "turn")

    puzzle: EdgePuzzle
    method: str = ""
    why: str = ""  # how the method was chosen, or the proof that there is no solution
    encoded: Encoded | None = None

    @cached_property
    def layings(self) -> NDArray[np.int32]:
        """A row a solution: the variant of every cell."""
        if self.encoded is None:
            return self.result.answers
        rows = [self.encoded.decode(row) for row in self.result.answers.tolist()]
        return np.array(rows, np.int32).reshape(len(rows), self.puzzle.board.cells)

    @property
    def _first(self) -> NDArray[np.int32]:
        alone = replace(self, result=replace(self.result, answers=self.result.answers[:1]))
        return np.asarray(alone.layings[0], np.int32)

    @cached_property
    def answers(self) -> Sequence[Pairs]:
        """The solutions as people number them: [piece, turn] cell by cell, pieces from 1."""
        return [self.puzzle.pairs(row) for row in self.layings.tolist()]

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """Cells from 1, row by row, each with its piece and how that is turned."""
        return laid(answer)

    def verify(self) -> None:
        """Check every solution with code that shares nothing with the kernels."""
        if has_twins(self.result.answers):
            raise AssertionError("a kernel returned a solution twice")
        for piece in self.pieces():
            if wrong := check.first_fault(self.puzzle, piece.layings):
                raise AssertionError(f"a kernel returned what is no solution: {wrong}")

    def scene(self, *, numbers: bool = False) -> Scene | None:
        """The first board, with the numbers of its pieces where they are wanted."""
        from tablero.puzzles.edges.draw import can_draw, scene

        if not len(self.result.answers) or not can_draw(self.puzzle.board):
            return None
        return scene(self.puzzle, self._first, "a solved edge-matching puzzle", numbers=numbers)

    def values(self) -> dict[str, Any]:
        why = {"why": self.why} if self.why else {}
        return {**super().values(), "method": self.method, **why}

    def __str__(self) -> str:
        from tablero.puzzles.edges.draw import to_text

        return to_text(self.puzzle, self._first) if len(self.result.answers) else repr(self)


def solve(
    puzzle: EdgePuzzle,
    most: int | None = 1,
    *,
    method: str = AUTO,
    order: str = "",
    up_to_turning: bool = False,
    alike: bool = True,
    run: Run = HERE,
) -> Layings:
    """Up to `most` solutions (None: all).  `order` is that of cells for the method scan.

    Of boards that are turns of each other only one is looked for with `up_to_turning`, and when a single one is wanted.
    Then pieces that look the same are one too, unless `alike` is False: as the source has it, with more nodes.
    """
    require_method(puzzle, method, order, most=most)
    return _find(reduced(puzzle, up_to_turning or most == 1), "solve", most, method, order, run, alike=alike)


def count(
    puzzle: EdgePuzzle, *, method: str = AUTO, order: str = "", up_to_turning: bool = False, run: Run = HERE
) -> Layings:
    """The number of solutions, without the solutions."""
    require_method(puzzle, method, order, most=None)
    return _find(reduced(puzzle, up_to_turning), "count", None, method, order, run)


def reduced(puzzle: EdgePuzzle, up_to_turning: bool) -> EdgePuzzle:
    """The puzzle without the turns of its boards, where that is wanted and they are boards of it."""
    return (puzzle.up_to_turning() if up_to_turning else None) or puzzle


def _find(
    puzzle: EdgePuzzle,
    verb: str,
    most: int | None,
    method: str,
    order: str,
    run: Run,
    known: Plan | None = None,
    *,
    alike: bool = True,
) -> Layings:
    require_run(run)
    keep = verb != "count"
    if proof := check.impossible(puzzle):
        nothing = np.empty((0, puzzle.board.cells), np.int32)
        return Layings(puzzle, Result("none", 0, nothing, kept=keep), "parity", proof)

    one = most == 1 and keep
    alike = known.alike if known else one and alike and _alike_in_job(run.job_name)

    def work(plan: Plan) -> Layings:
        plan = replace(plan, alike=alike)
        search, encoded = plan.search(puzzle)
        recipe = {"family": FAMILY, "verb": verb, "method": plan.method, "order": plan.order, "most": most}
        recipe |= {"why": plan.why} if plan.why else {}
        recipe |= {"alike": True} if alike else {}
        earlier = session.spent
        result = session.perform(
            search,
            books=Books(recipe, lambda: formats.write(puzzle).encode()),
            most=most,
            keep=keep,
            patience=plan.patience,
            telling=Telling(fraction=search.proves),  # a beam has no end
            of=lambda rows: Layings(puzzle, Result("open", len(rows), rows), plan.method, plan.why, encoded),
        )
        return Layings(puzzle, result.after(earlier), plan.method, plan.why, encoded)

    with Session(run) as session:
        ways = [known] if known else plans(puzzle, method, order, one=one, tries=not run.durable)
        for plan in ways:
            found = work(plan)
            if plan.patience is None or found.status != "open" or found.interrupted or session.over:
                break
    if keep and not found.result.checked:
        found.verify()
    return found


def _alike_in_job(name: str) -> bool:
    """Whether equal pieces are one: not in a job that an earlier version began."""
    card = jobs.describe(name).card if name else None
    return card is None or card.recipe.get("family") != FAMILY or bool(card.recipe.get("alike", False))


def resume(recipe: dict[str, Any], problem: bytes, run: Run) -> Layings | Best:
    """Go on with a stored job."""
    puzzle = formats.parse(problem.decode(), "the job's puzzle")
    if recipe["verb"] == "optimise":
        return optimise(puzzle, width=recipe["width"], seed=recipe["seed"], run=run)
    known = Plan(recipe["method"], recipe["order"], recipe.get("why", ""), alike=recipe.get("alike", False))
    return _find(puzzle, recipe["verb"], recipe["most"], known.method, known.order, run, known)


def kernels() -> dict[str, Callable[[], object]]:
    """What is compiled beforehand: names, and functions that compile."""
    from tablero.puzzles.edges.estimate import knuth
    from tablero.puzzles.edges.generate import example

    puzzle = example()

    def optimise_and_estimate() -> None:
        optimiser_for(puzzle, 2).warm()
        knuth(puzzle, 1)

    methods = ("scan", "fewest", "frame", "beam", "funnel")
    return {
        **{f"edges {method}": search_for(puzzle, method).warm for method in methods},
        "edges optimise, estimate": optimise_and_estimate,
    }
