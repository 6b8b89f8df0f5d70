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
from tablero.edges import checking, formats
from tablero.edges.encoding import Encoded
from tablero.edges.kernels.rounds import rounds_of
from tablero.edges.methods import (
    AUTO,
    RANKED,
    Plan,
    optimiser_for,
    plans,
    require_method,
    search_for,
    views_of,
)
from tablero.edges.optimising import FAMILY, Best, optimise
from tablero.edges.puzzle import EdgePuzzle, Pairs, laid
from tablero.runs.answers import has_twins
from tablero.runs.findings import Findings, Result
from tablero.runs.record import Card
from tablero.runs.run import HERE, Books, Run, Stored, require_run
from tablero.runs.session import Clock, Session
from tablero.runs.watch import Snapshot, Telling


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
        if has_twins(self.result.answers, sets=self.encoded is not None):
            raise AssertionError("a kernel returned a solution twice")
        for piece in self.pieces():
            if wrong := checking.first_fault(self.puzzle, piece.layings):
                raise AssertionError(f"a kernel returned what is no solution: {wrong}")

    def scene(self, *, numbers: bool = False) -> Scene | None:
        """The first board, with the numbers of its pieces where they are wanted."""
        from tablero.edges.draw import can_draw, scene

        if not len(self.result.answers) or not can_draw(self.puzzle.board):
            return None
        return scene(self.puzzle, self._first, "a solved edge-matching puzzle", numbers=numbers)

    def values(self) -> dict[str, Any]:
        why = {"why": self.why} if self.why else {}
        return {**super().values(), "method": self.method, **why}

    def __str__(self) -> str:
        from tablero.edges.draw import to_text

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
    less = reduced(puzzle, up_to_turning or most == 1)
    return _find(less, "solve", most, method, order, run, whole=puzzle, alike=alike)


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
    whole: EdgePuzzle | None = None,
    alike: bool = True,
) -> Layings:
    """Search a puzzle; or with a method that turns boards itself the `whole` of it, with all turns."""
    require_run(run)
    whole = whole or puzzle
    keep = verb != "count"
    if proof := checking.impossible(puzzle):
        nothing = np.empty((0, puzzle.board.cells), np.int32)
        return Layings(puzzle, Result("none", 0, nothing, kept=keep), "parity", proof)

    one = most == 1 and keep
    with Session(run) as session:
        begun = _begun(session.card, verb, (puzzle, whole))
        if known is None and begun and method in (AUTO, begun["method"]) and begun["most"] == most:
            known = _plan_of(begun)
        alike = known.alike if known else one and alike
        question = _Question(puzzle, whole, verb, most, alike)
        if "before" in begun:
            before = begun["before"]
            cost = Result("open", 0, np.empty((0, 0), np.int32), nodes=before["nodes"], seconds=before["seconds"])
            session.spent = replace(cost, cpu_seconds=before["cpu"])
        ways = [known] if known else plans(puzzle, method, order, one=one, tries=not run.durable)
        for plan in (stage for way in ways for stage in _stages(session, whole, way)):
            found = question.search(session, plan)
            if not plan.more or found.interrupted or _is_settled(session, plan, found):
                break
        if plan.method == RANKED and plan.more:  # of all that may be to do a round is no known part
            found = replace(found, result=replace(found.result, fraction=0.0))
    if keep and not found.result.checked:
        found.verify()
    return found


def _is_settled(session: Session, plan: Plan, found: Layings) -> bool:
    """Whether no further search follows that of a plan which is not the last."""
    if found.status != "open" or isinstance(session.run, Stored):
        return True
    ended = found.result.fraction == 1.0
    if plan.method == RANKED and not ended:
        return True
    # The file of a job must hold the next round: with one that is over it would look finished.
    return session.over and not (ended and session.run.job_name)


@dataclass(frozen=True)
class _Question:
    """What is asked: the same for all searches that try to answer it."""

    puzzle: EdgePuzzle
    whole: EdgePuzzle  # with all turns, for a method that turns boards itself
    verb: str
    most: int | None
    alike: bool

    def search(self, session: Session, plan: Plan) -> Layings:
        """One search, and what it found, with the cost of all before it."""
        plan = replace(plan, alike=self.alike)
        subject = self.whole if plan.method == RANKED else self.puzzle
        search, encoded = plan.search(subject)
        earlier = session.spent
        result = session.perform(
            search,
            books=Books(self._recipe(plan, earlier), lambda: formats.write(subject).encode()),
            most=self.most,
            keep=self.verb != "count",
            patience=plan.patience,
            telling=Telling(fraction=search.proves),  # a beam has no end, and a round is not all
            of=lambda rows: Layings(subject, Result("open", len(rows), rows), plan.method, plan.why, encoded),
        )
        return Layings(subject, result.after(earlier), plan.method, plan.why, encoded)

    def _recipe(self, plan: Plan, earlier: Result) -> dict[str, Any]:
        recipe: dict[str, Any] = {"family": FAMILY, "verb": self.verb}
        recipe |= {"method": plan.method, "order": plan.order, "most": self.most}
        recipe |= {"why": plan.why} if plan.why else {}
        recipe |= {"alike": True} if plan.alike else {}
        if plan.method == RANKED:
            before = {"nodes": earlier.nodes, "seconds": earlier.seconds, "cpu": earlier.cpu_seconds}
            recipe |= {"round": plan.round, "before": before}
        return recipe


def _stages(session: Session, puzzle: EdgePuzzle, plan: Plan) -> Iterator[Plan]:
    """A plan; or its rounds from where it stands, the last of which proves."""
    if plan.method != RANKED:
        yield plan
        return
    session.run.tell(Snapshot(doing="foreseeing the rounds of ranked scans"))
    search_for(puzzle, RANKED).warm()  # what must be compiled is, before time is taken
    clock = Clock(session.run)
    rounds = rounds_of(views_of(puzzle))
    session.set_aside(clock.seconds)
    for number in range(min(plan.round, len(rounds) - 1), len(rounds)):  # a job that has more is of another problem
        yield replace(plan, round=number, made=rounds[number].search, more=number + 1 < len(rounds))


def _begun(card: Card | None, verb: str, puzzles: Sequence[EdgePuzzle]) -> dict[str, Any]:
    """What was asked of a job that is there already, if it is of this verb and of one of the puzzles."""
    if card is None or (card.recipe.get("family"), card.recipe.get("verb")) != (FAMILY, verb):
        return {}
    return card.recipe if card.problem in [formats.write(puzzle).encode() for puzzle in puzzles] else {}


def _plan_of(recipe: dict[str, Any]) -> Plan:
    """How the search of a job was begun."""
    more = {key: recipe[key] for key in ("why", "alike", "round") if key in recipe}
    return Plan(recipe["method"], recipe["order"], **more)


def resume(recipe: dict[str, Any], problem: bytes, run: Run) -> Layings | Best:
    """Go on with a stored job."""
    puzzle = formats.parse(problem.decode(), "the job's puzzle")
    if recipe["verb"] == "optimise":
        return optimise(puzzle, width=recipe["width"], seed=recipe["seed"], run=run)
    known = _plan_of(recipe)
    return _find(puzzle, recipe["verb"], recipe["most"], known.method, known.order, run, known)


def kernels() -> dict[str, Callable[[], object]]:
    """What is compiled beforehand: names, and functions that compile."""
    from tablero.edges.estimating import knuth
    from tablero.edges.generating import example

    puzzle = example()

    def optimise_and_estimate() -> None:
        optimiser_for(puzzle, 2).warm()
        knuth(puzzle, 1)

    methods = ("scan", "fewest", "frame", "beam", "ranked")
    return {
        **{f"edges {method}": search_for(puzzle, method).warm for method in methods},
        "edges optimise, estimate": optimise_and_estimate,
    }
