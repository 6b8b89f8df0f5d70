"""Find and count the solutions of edge-matching puzzles; view jobs, and compile the kernels.

`methods` chooses the method.  Jobs and clusters use one method from the start, so `auto` has no first try there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.draw.scene import Scene
from tablero.edges import checking
from tablero.edges.draw import can_draw, scene, to_text
from tablero.edges.encoding import Encoded
from tablero.edges.estimating import knuth
from tablero.edges.generating import example
from tablero.edges.kernels.rounds import rounds_of
from tablero.edges.layings import write_laying
from tablero.edges.methods import AUTO, RANKED, Plan, optimiser_for, plans, require_method, search_for, views_of
from tablero.edges.optimising import Best, Laid
from tablero.edges.puzzle import EdgePuzzle, Pairs, report_reading
from tablero.runs.answers import has_twins
from tablero.runs.findings import Result
from tablero.runs.progress import ProgressText, Snapshot
from tablero.runs.run import HERE, Clock, Run
from tablero.runs.session import Session
from tablero.runs.viewing import State
from tablero.search.base import Search

_WIDEST = 16  # columns of a board that is printed in a terminal


@dataclass(frozen=True, eq=False, repr=False)
class Layings(Laid):
    """The solutions that a search found."""

    method: str = ""
    why: str = ""  # the reason for the method, or the proof that there is no solution
    encoded: Encoded | None = None

    def laying(self, number: int = 0) -> NDArray[np.int32]:
        """A solution as the variant of each cell."""
        row = self.result.answers[number]
        return np.asarray(row) if self.encoded is None else self.encoded.decode(row.tolist())

    @cached_property
    def layings(self) -> NDArray[np.int32]:
        """The solutions, one row each."""
        if self.encoded is None:
            return self.result.answers
        rows = [self.laying(k) for k in range(len(self.result.answers))]
        return np.array(rows, np.int32).reshape(len(rows), self.puzzle.board.cells)

    @cached_property
    def answers(self) -> Sequence[Pairs]:
        """The solutions as [piece, turn] for each cell, pieces from 1."""
        return [self.puzzle.pairs(row) for row in self.layings.tolist()]

    def verify(self) -> None:
        """Check every solution with code that shares nothing with the kernels."""
        if has_twins(self.result.answers, sets=self.encoded is not None):
            raise AssertionError("a kernel returned a solution twice")
        for piece in self.pieces():
            if wrong := checking.first_fault(self.puzzle, piece.layings):
                raise AssertionError(f"a kernel returned a wrong solution: {wrong}")

    def scene(self, *, numbers: bool = False, number: int = 0) -> Scene | None:
        """Draw a board; in an unfinished board of a running search, open joins are not marked."""
        if not len(self.result.answers) or not can_draw(self.puzzle.board):
            return None
        partial = self.result.partial
        title = "the pieces that are laid so far" if partial else "a solved edge-matching puzzle"
        return scene(self.puzzle, self.laying(number), title, numbers=numbers, marks=not partial)

    def values(self) -> dict[str, Any]:
        why = {"why": self.why} if self.why else {}
        return {**super().values(), "method": self.method, **why}

    def answer_text(self, before: int) -> str:
        """The boards as text, each with its number if there are several."""
        if self.solutions == len(self.result.answers) == 1 and not before:
            return write_laying(self.puzzle, self.laying().tolist())
        return "".join(
            f"{chr(10) if k > 1 else ''}# board {k}\n{write_laying(self.puzzle, row)}"
            for k, row in enumerate(self.layings.tolist(), before + 1)
        )

    def remarks(self) -> Iterator[str]:
        board = self.puzzle.board
        if len(self.result.answers) == 1 and board.shape == "square" and board.columns <= _WIDEST:
            yield to_text(self.puzzle, self.laying(), colours=sys.stderr.isatty())
        why = f" ({self.why})" if self.why else ""
        yield f"{self.method}{why}: {self.sentence()}"

    def __str__(self) -> str:
        return to_text(self.puzzle, self.laying()) if len(self.result.answers) else repr(self)


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
    """Find up to `most` solutions, or all of them if it is None.  `order` is the order of cells for the method scan.

    With `up_to_turning`, or if a single solution is wanted, only one of the boards that are turns of each other is searched.
    If a single solution is wanted, equal pieces are treated as one piece unless `alike` is False.
    """
    question = _Question.of(puzzle, most, up_to_turning)
    return _find(question if alike else replace(question, alike=False), method, order, run)


def count(
    puzzle: EdgePuzzle, *, method: str = AUTO, order: str = "", up_to_turning: bool = False, run: Run = HERE
) -> Layings:
    """Count the solutions without keeping them."""
    return _find(_Question.of(puzzle, None, up_to_turning, keep=False), method, order, run)


def view(state: State) -> Layings | Best:
    """The solutions or the best board of a stored job so far, or the unfinished board of its search."""
    options, stage = state.options, state.stage
    if state.verb == "optimise":
        puzzle = state.puzzle.with_clues(options["clues"])
        return Best(puzzle, state.result(optimiser_for(puzzle, stage["width"], options["seed"])))
    solves = state.verb == "solve"
    question = _Question.of(state.puzzle, options["most"] if solves else None, options["up_to_turning"], keep=solves)
    plan = Plan.of(stage)
    if plan.method == RANKED:
        plan = next(_rounds(question.whole, plan))
    subject, search, encoded = question.made(plan)
    return Layings(subject, plan.bounded(state.result(search, keep=solves)), plan.method, plan.why, encoded)


def reduced(puzzle: EdgePuzzle, up_to_turning: bool) -> EdgePuzzle:
    """The puzzle with the rule `once`, if `up_to_turning` is true and the rule makes a difference."""
    return (puzzle.up_to_turning() if up_to_turning else None) or puzzle


def _find(question: _Question, method: str, order: str, run: Run) -> Layings:
    puzzle = question.puzzle
    require_method(puzzle, method, order)
    report_reading(puzzle, run)
    if proof := checking.impossible(puzzle):
        nothing = np.empty((0, puzzle.board.cells), np.int32)
        return Layings(puzzle, Result("none", 0, nothing, kept=question.keep), "parity", proof)
    with Session(run) as session:
        stage = session.stage
        ways: Iterable[Plan]
        same = stage and method in (AUTO, stage["method"]) and order in ("", AUTO, stage["order"])
        if same and question.one == stage["one"]:
            ways = [Plan.of(stage)]
        else:
            stage, ways = {}, plans(puzzle, method, order, one=question.one, tries=not run.durable)
        if before := stage.get("before"):
            cost = Result("open", 0, np.empty((0, 0), np.int32), nodes=before["nodes"], seconds=before["seconds"])
            session.spent = replace(cost, cpu_seconds=before["cpu"])
        for plan in (part for way in ways for part in _parts(session, question.whole, way)):
            found = question.search(session, plan)
            if not plan.more or found.interrupted or _is_settled(session, plan, found):
                break
    if question.keep and not found.result.checked:
        found.verify()
    return replace(found, result=plan.bounded(found.result))


def _is_settled(session: Session, plan: Plan, found: Layings) -> bool:
    """Whether the search stops after a plan that is not the last."""
    if found.status != "open":
        return True
    ended = found.result.fraction == 1.0
    if plan.method == RANKED and not ended:
        return True
    # A job must store the next round: with a completed round it would look finished.
    return session.over and not (ended and session.run.job_name)


@dataclass(frozen=True)
class _Question:
    """The question that a sequence of searches answers."""

    puzzle: EdgePuzzle
    whole: EdgePuzzle  # with all turns, for the method ranked
    most: int | None
    keep: bool  # whether solutions are wanted, not only their number
    alike: bool

    @classmethod
    def of(cls, puzzle: EdgePuzzle, most: int | None, up_to_turning: bool, *, keep: bool = True) -> _Question:
        """The question for `most` solutions; for a single one, turns of boards and equal pieces do not matter."""
        return cls(reduced(puzzle, up_to_turning or most == 1), puzzle, most, keep, alike=most == 1)

    @property
    def one(self) -> bool:
        return self.keep and self.most == 1

    def made(self, plan: Plan) -> tuple[EdgePuzzle, Search, Encoded | None]:
        """The puzzle that a plan searches, the search, and the encoding of its answers."""
        subject = self.whole if plan.method == RANKED else self.puzzle
        return subject, *replace(plan, alike=self.alike).search(subject)

    def search(self, session: Session, plan: Plan) -> Layings:
        """Run the search of a plan; the result includes the cost of the searches before it."""
        subject, search, encoded = self.made(plan)
        earlier = session.spent
        result = session.perform(
            search,
            stage=self._stage(plan, earlier),
            most=self.most,
            keep=self.keep,
            patience=plan.patience,
            progress_text=ProgressText(fraction=search.proves),  # the fraction of a beam or a round is unknown
            of=lambda rows: Layings(subject, Result("open", len(rows), rows), plan.method, plan.why, encoded),
        )
        return Layings(subject, result.after(earlier), plan.method, plan.why, encoded)

    def _stage(self, plan: Plan, earlier: Result) -> dict[str, Any]:
        """The stage that a job stores: the method and its reason, the round, and the cost of the rounds before it."""
        stage: dict[str, Any] = {"method": plan.method, "order": plan.order, "one": self.one}
        stage |= {"why": plan.why} if plan.why else {}
        if plan.method == RANKED:
            before = {"nodes": earlier.nodes, "seconds": earlier.seconds, "cpu": earlier.cpu_seconds}
            stage |= {"round": plan.round, "before": before}
        return stage


def _parts(session: Session, puzzle: EdgePuzzle, plan: Plan) -> Iterator[Plan]:
    """The plan itself, or for the method ranked, its remaining rounds."""
    if plan.method != RANKED:
        yield plan
        return
    session.run.report(Snapshot(doing="planning the rounds of ranked scans"))
    search_for(puzzle, RANKED).warm()  # compile the kernels before the clock starts
    clock = Clock(session.run)
    rounds = list(_rounds(puzzle, plan))
    session.add_setup_time(clock.seconds)
    yield from rounds


def _rounds(puzzle: EdgePuzzle, plan: Plan) -> Iterator[Plan]:
    """The rounds from that of the plan on."""
    rounds = rounds_of(views_of(puzzle))
    for number in range(min(plan.round, len(rounds) - 1), len(rounds)):  # a stored round can be out of range
        yield replace(plan, round=number, made=rounds[number].search, more=number + 1 < len(rounds))


def kernels() -> dict[str, Callable[[], object]]:
    """The kernels to compile in advance: names, and functions that compile them."""
    puzzle = example()

    def optimise_and_estimate() -> None:
        optimiser_for(puzzle, 2).warm()
        knuth(puzzle, 1)

    methods = ("scan", "fewest", "frame", "beam", "ranked")
    return {
        **{f"edges {method}": search_for(puzzle, method).warm for method in methods},
        "edges optimise, estimate": optimise_and_estimate,
    }
