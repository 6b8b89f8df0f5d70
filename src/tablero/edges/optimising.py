"""Find boards with as many matching joins as possible.

Scores are reported with the clues that were kept, as the community does: none, the starter, or all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tablero.draw.scene import Scene
from tablero.draw.svg import to_svg
from tablero.edges import checking
from tablero.edges.draw import can_draw, scene, to_text
from tablero.edges.kernels.optimise import BeamSearch
from tablero.edges.layings import write_laying
from tablero.edges.methods import optimiser_for, quick_search, require_beam, width_for
from tablero.edges.puzzle import EdgePuzzle, Pairs, report_reading
from tablero.edges.verbs import TEN_SECONDS
from tablero.runs.findings import Findings, Result
from tablero.runs.progress import ProgressText, Snapshot, Watcher
from tablero.runs.run import Grid, Run
from tablero.runs.session import Session


@dataclass(frozen=True, eq=False, repr=False)
class Laid(Findings[Pairs]):
    """The result of a search for boards."""

    parts: ClassVar[tuple[str, ...]] = ("cell", "piece", "turn")

    puzzle: EdgePuzzle

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """Cell (from 1), piece and turn of each cell."""
        return ((cell, piece, turn) for cell, (piece, turn) in enumerate(answer, 1))

    def scene(self, *, numbers: bool = False) -> Scene | None:
        """Draw the first board, with the numbers of its pieces if `numbers` is true."""
        raise NotImplementedError

    def to_svg(self, *, numbers: bool = False) -> str | None:
        drawn = self.scene(numbers=numbers)
        return None if drawn is None else to_svg(drawn)


@dataclass(frozen=True, eq=False, repr=False)
class Best(Laid):
    """The best board found, and its score over time.  The status is "open" unless all joins match."""

    curve: tuple[tuple[float, int], ...] = ()  # seconds and score, in this run

    @property
    def maximum(self) -> int:
        return self.puzzle.maximum

    @property
    def laying(self) -> NDArray[np.int32] | None:
        return self.result.answers[0] if len(self.result.answers) else None

    @cached_property
    def score(self) -> int:
        """The number of matching joins, counted by independent code."""
        return 0 if self.laying is None else checking.score(self.puzzle, self.laying.tolist())

    @cached_property
    def answers(self) -> Sequence[Pairs]:
        """The board as [piece, turn] for each cell, pieces from 1; empty if no board was found in time."""
        return [] if self.laying is None else [self.puzzle.pairs(self.laying.tolist())]

    @property
    def mismatches(self) -> list[tuple[checking.Side, checking.Side]]:
        return [] if self.laying is None else checking.mismatches(self.puzzle, self.laying.tolist())

    @property
    def regime(self) -> str:
        """The clues that were kept."""
        number = len(self.puzzle.clues)
        return "no clues" if not number else "the starter" if number == 1 else f"{number} clues"

    def verify(self) -> None:
        """Check the board with code that shares nothing with the kernels."""
        if self.laying is None:
            return
        wrong = checking.laying_fault(self.puzzle, self.laying.tolist())
        if wrong or self.maximum - self.score != self.result.best:
            raise AssertionError(f"a kernel returned a wrong board or score: {wrong or self.score}")

    def scene(self, *, numbers: bool = False) -> Scene | None:
        """Draw the board with marks at its mismatches, and with the numbers of its pieces if `numbers` is true."""
        if self.laying is None or not can_draw(self.puzzle.board):
            return None
        return scene(self.puzzle, self.laying, f"{self.score} of {self.maximum} joins", numbers=numbers)

    @property
    def answered(self) -> bool:
        """Whether there is a board: any score is an answer."""
        return self.laying is not None

    def answer_text(self, before: int) -> str:
        return "" if self.laying is None else write_laying(self.puzzle, self.laying.tolist())

    def remarks(self) -> Iterator[str]:
        if self.curve:
            yield "score against time: " + ", ".join(f"{score} at {when:.1f} s" for when, score in self.curve)
        pairs = " ".join("-".join(pair) for pair in self.puzzle.names_of(self.mismatches))
        reached = "no board yet" if self.laying is None else f"{self.score} of {self.maximum} joins match"
        yield (
            f"{reached} with {self.regime}; {self.nodes:,} boards in {self.seconds:.1f} s"
            + (f"; mismatches at {pairs}" if pairs else "")
        )

    def values(self) -> dict[str, Any]:
        return {
            **super().values(),
            "score": self.score,
            "maximum": self.maximum,
            "clues": len(self.puzzle.clues),
            "mismatches": self.puzzle.names_of(self.mismatches),
            "curve": [list(point) for point in self.curve],
        }

    def __repr__(self) -> str:
        return f"<Best: {self.score} of {self.maximum} joins, {self.seconds:.3g} s>"

    def __str__(self) -> str:
        return repr(self) if self.laying is None else to_text(self.puzzle, self.laying)


def optimise(
    puzzle: EdgePuzzle,
    *,
    width: int | None = None,
    clues: int | None = None,
    seed: int = 0,
    run: Run = TEN_SECONDS,
) -> Best:
    """Find a board with as many matching joins as possible within the limits of the run.

    `width` is the number of boards in the beam; by default that of the resumed job, or one for the time limit.  Without a
    limit, the search continues until all joins match or until it is interrupted.
    """

    def words(found: int, breaks: int | None) -> str:
        return "no board yet" if breaks is None else f"{puzzle.maximum - breaks} of {puzzle.maximum}"

    puzzle = puzzle.with_clues(clues)
    require_beam(puzzle, width)
    report_reading(puzzle, run)
    recorded: list[tuple[float, int]] = []
    shared = isinstance(run, Grid)
    with Session(replace(run, watch=_recording(recorded, run.watch)) if shared else run) as session:
        if width is None:  # a resumed job keeps its width, even with another time limit
            width = session.stage.get("width") or width_for(puzzle, run.time_limit)
        search = optimiser_for(puzzle, width, seed)
        result = None if run.durable else _solve_quickly(session, puzzle, search)
        earlier = session.spent
        if result is None:
            progress_text = ProgressText(words=words, fraction=False)
            result = session.perform(search, stage={"width": width}, progress_text=progress_text).after(earlier)
    points = recorded if shared else [(earlier.seconds + seconds, breaks) for seconds, breaks in search.curve]
    best = Best(puzzle, result, _curve(puzzle, points))
    best.verify()
    return best


def _solve_quickly(session: Session, puzzle: EdgePuzzle, search: BeamSearch) -> Result | None:
    """Look for a solution with a complete search: with many colours it is fast, and a beam can miss the solution."""
    plain = quick_search(puzzle)
    if plain is None:
        return None
    found = session.perform(plain[0], most=1, nodes=plain[1])
    if found.solutions:
        search.curve.append((0.0, 0))
        return replace(found, best=0, fraction=1.0)
    return found if found.interrupted else None


def _recording(recorded: list[tuple[float, int]], watch: Watcher | None) -> Watcher:
    """A watcher that records the times of improvements: on a cluster, boards are found in other processes."""

    def record(now: Snapshot) -> None:
        if now.best is not None:
            recorded.append((now.seconds, now.best))
        if watch is not None:
            watch(now)

    return record


def _curve(puzzle: EdgePuzzle, points: Iterable[tuple[float, int]]) -> tuple[tuple[float, int], ...]:
    """The seconds and scores of the improvements."""
    out: list[tuple[float, int]] = []
    for seconds, breaks in sorted(points):
        if not out or puzzle.maximum - breaks > out[-1][1]:
            out.append((round(seconds, 3), puzzle.maximum - breaks))
    return tuple(out)
