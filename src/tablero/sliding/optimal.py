"""Shortest answers: trees with increasing thresholds, in steps of two, until one has an answer.

Each tree is a search (`kernels/search.py`) that can be stopped, split, stored and continued.  A tree without an answer
proves that more moves are needed; the parity of the board excludes the thresholds in between.

stage     the current tree: its estimate, its threshold, and the cost of the trees before it
job       stores one stage; the next tree replaces a finished one
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput, JobError
from tablero.runs.findings import Result
from tablero.runs.progress import ProgressText, Snapshot
from tablero.runs.run import HERE, Run
from tablero.runs.session import Session
from tablero.runs.viewing import State
from tablero.sliding.constructive import Frame, framed
from tablero.sliding.kernels import databases, search
from tablero.sliding.kernels.search import SlidingSearch
from tablero.sliding.puzzle import Board, as_bytes
from tablero.sliding.solution import NO_ROWS, Solution
from tablero.sliding.verbs import Bound

AUTO = "auto"
FAMILY = "sliding"  # in job recipes
FOUR = 16  # cells of 4×4
PATIENCE = 1.0  # seconds for walking distance before databases are built
_LEAST_FRACTION = 0.1  # of the positions of a database, from which the remaining time can be estimated
_MAKING = Snapshot(doing="compiling the kernels of sliding tiles, or building pattern databases")
_NOTHING = Result("none", 0, NO_ROWS)
_OPEN = Result("open", 0, NO_ROWS, fraction=0.0)


@dataclass(frozen=True)
class Task:
    """A board prepared for the search."""

    board: Board
    frame: Frame

    @classmethod
    def of(cls, board: Board) -> Task:
        return cls(board, framed(board, tail=False))

    def estimates(self) -> list[Bound]:
        """The estimates for this board, the strongest first."""
        rows, columns = self.board.rows, self.board.columns
        found: list[Bound] = ["patterns"] if search.has_patterns(rows, columns, self.frame.home) else []
        return found + (["walking"] if max(rows, columns) <= search.MOST_WALKING else []) + ["lines"]

    def chosen(self, estimate: str) -> str:
        """The estimate that `auto` chooses.  The databases of 5×5, which take minutes to build, must exist."""
        if estimate != AUTO:
            return estimate
        return self.ready() if len(self.board.tiles) > FOUR else self.estimates()[0]

    def make_ready(self, estimate: str, run: Run) -> None:
        """Build the databases of 5×5 if they are requested and missing, and report the progress."""
        if estimate != "patterns" or len(self.board.tiles) <= FOUR:
            return
        began = time.monotonic()
        databases.twenty_four(
            lambda part: run.report(
                Snapshot(
                    doing="building the pattern databases of 5×5, once on this machine",
                    seconds=time.monotonic() - began,
                    # Few positions are near the goal: at first their fraction does not predict the time.
                    fraction=part if part > _LEAST_FRACTION else None,
                    words="a minute or two of a core",
                )
            )
        )

    def ready(self) -> str:
        """The strongest estimate that needs no building."""
        return search.best_estimate(self.frame.rows, self.frame.columns, self.frame.home)

    def least(self, estimate: str) -> int:
        return search.least(self.frame.rows, self.frame.columns, self.frame.tiles, self.frame.home, estimate)

    def tree(self, estimate: str, threshold: int) -> SlidingSearch:
        frame = self.frame
        return SlidingSearch(frame.rows, frame.columns, frame.tiles, frame.home, estimate, threshold)

    def codes(self, result: Result) -> NDArray[np.uint8]:
        """The moves of the first answer on the original board."""
        row = result.answers[0]
        return self.frame.moves(row[row >= 0].astype(np.uint8))


@dataclass(frozen=True)
class Stage:
    """The current tree."""

    estimate: str
    threshold: int
    spent: Result = _NOTHING  # by the earlier trees

    @classmethod
    def of(cls, stage: dict[str, Any]) -> Stage:
        """The stage in a job record."""
        before = stage["before"]
        spent = replace(_NOTHING, nodes=before["nodes"], seconds=before["seconds"], cpu_seconds=before["cpu"])
        return cls(stage["estimate"], stage["threshold"], spent)

    def store(self) -> dict[str, Any]:
        """The stage as stored in a job record."""
        before = {"nodes": self.spent.nodes, "seconds": self.spent.seconds, "cpu": self.spent.cpu_seconds}
        return {"estimate": self.estimate, "threshold": self.threshold, "before": before}

    def next(self, result: Result) -> Stage:
        """The next tree after one without an answer."""
        return Stage(self.estimate, self.threshold + 2, result.after(self.spent))


def lower_bound(board: Board) -> int:
    """A lower bound of the moves: the best estimate that is available at once."""
    task = Task.of(board)
    return task.least(task.ready())


def require_estimate(board: Board, estimate: str) -> None:
    """Reject an estimate that does not exist for the board."""
    there = Task.of(board).estimates()
    if estimate not in (AUTO, *there):
        where = (
            "3×3, 4×4 and 5×5 with the goal's blank in a corner" if estimate == "patterns" else "boards of up to 4×4"
        )
        raise BadInput(f"the estimate {estimate!r} is for {where}: expected one of {', '.join(there)}")


def solve(board: Board, *, estimate: str = AUTO, run: Run = HERE) -> Solution:
    """Find a shortest answer of a solvable board.

    `auto` uses the databases if they are built.  If not, walking distance runs first for a second, which is enough for most
    boards.  A job uses the strongest estimate from the start, because it must keep its estimate.
    """
    board.require_solvable()
    task = Task.of(board)
    with Session(run) as session:
        began = time.monotonic()
        try:
            task.make_ready(estimate, run)
        except KeyboardInterrupt:
            seconds = time.monotonic() - began
            stopped = replace(_OPEN, seconds=seconds, interrupted=True)
            return Solution(board, stopped, "optimal", lower=lower_bound(board), heuristic=estimate)
        run.report(_MAKING)
        if run.job_name:
            return _deepen(session, task, _stage_of_job(session, task, estimate))
        chosen, spent, lower = task.chosen(estimate), _NOTHING, 0
        if estimate == AUTO and (ready := task.ready()) != chosen:
            first = _deepen(session, task, Stage(ready, task.least(ready)), PATIENCE)
            if first.status == "solved" or first.interrupted or session.over:
                return first
            run.report(_MAKING)
            spent, lower = first.result, first.lower
        return _deepen(session, task, Stage(chosen, max(lower, task.least(chosen)), spent))


def _stage_of_job(session: Session, task: Task, estimate: str) -> Stage:
    """The stage of an existing job for the same board, or the first tree of a new job."""
    info, name = session.info, session.run.job_name
    if info is None:
        chosen = task.chosen(estimate)
        return Stage(chosen, task.least(chosen))
    if info.recipe.get("family") != FAMILY or info.problem != as_bytes(task.board):
        raise JobError(f"job {name!r} is of another problem; choose another name, or 'tablero jobs remove {name}'")
    stage = Stage.of(info.recipe["stage"])
    if estimate not in (AUTO, stage.estimate):
        raise JobError(f"job {name!r} was begun with the estimate {stage.estimate}, not with {estimate}")
    tree = task.tree(stage.estimate, stage.threshold)
    if (info.kernel, info.digest) != (tree.name, tree.digest()):  # else it would be mistaken for a finished tree
        raise JobError(f"job {name!r} was made with the kernel {info.kernel}, which this version does not have")
    session.run.report(Snapshot(remark=f"job {name!r} continues at the threshold {stage.threshold}"))
    return stage


def _deepen(session: Session, task: Task, stage: Stage, patience: float | None = None) -> Solution:
    """Search tree after tree from a stage on, for at most `patience` seconds."""
    run, left = session.run, patience
    while True:
        result = session.perform(
            task.tree(stage.estimate, stage.threshold),
            stage=stage.store(),
            most=1,
            patience=left,
            progress_text=_progress_text(stage.threshold),
        )
        if result.status != "none":
            return _conclude(task, stage, result)
        stage = stage.next(result)
        left = None if left is None else max(left - result.seconds, 0.001)
        # The job must store the next tree: with a finished tree the job would look finished.
        if result.interrupted or (session.over and not run.job_name):
            return _conclude(task, stage, replace(_OPEN, interrupted=result.interrupted))


def _progress_text(threshold: int) -> ProgressText:
    return ProgressText(words=lambda found, best: f"threshold {threshold}", ends=False)


def view(state: State) -> Solution:
    """The result of a stored job: its current tree."""
    task, stage = Task.of(state.puzzle), Stage.of(state.stage)
    result = state.result(task.tree(stage.estimate, stage.threshold))  # includes the cost of the earlier trees
    stage = replace(stage, spent=_NOTHING)
    return _conclude(task, *((stage.next(result), _OPEN) if result.status == "none" else (stage, result)))


def _conclude(task: Task, stage: Stage, result: Result) -> Solution:
    """The solution in the last tree's result, or the lower bound without one."""
    total, codes = result.after(stage.spent), None
    if len(result.answers):
        total, codes = replace(total, fraction=1.0), task.codes(result)
    return Solution(task.board, total, "optimal", codes, lower=stage.threshold, heuristic=stage.estimate)


def warm(board: Board, estimate: str = AUTO) -> None:
    """Compile the kernel, and load or build the tables of the estimate."""
    task = Task.of(board)
    task.tree(task.ready() if estimate == AUTO else estimate, 0).warm()
