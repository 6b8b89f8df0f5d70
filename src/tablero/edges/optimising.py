"""The most joins matched within a time: from a puzzle to the beam and back.

Scores are reported with the clues that were kept, as the community does: none, the starter, all of them.
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
    """What a search for boards found."""

    parts: ClassVar[tuple[str, ...]] = ("cell", "piece", "turn")

    puzzle: EdgePuzzle

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """Cells from 1, row by row, each with its piece and how that is turned."""
        return ((cell, piece, turn) for cell, (piece, turn) in enumerate(answer, 1))

    def scene(self, *, numbers: bool = False) -> Scene | None:
        """The first board, with the numbers of its pieces where they are wanted."""
        raise NotImplementedError

    def to_svg(self, *, numbers: bool = False) -> str | None:
        drawn = self.scene(numbers=numbers)
        return None if drawn is None else to_svg(drawn)


@dataclass(frozen=True, eq=False, repr=False)
class Best(Laid):
    """The best laying that was found, and how the score grew.  Its status is "open" unless all joins match."""

    curve: tuple[tuple[float, int], ...] = ()  # seconds, score; of this run

    @property
    def maximum(self) -> int:
        return self.puzzle.maximum

    @property
    def laying(self) -> NDArray[np.int32] | None:
        return self.result.answers[0] if len(self.result.answers) else None

    @cached_property
    def score(self) -> int:
        """How many joins match, counted by independent code."""
        return 0 if self.laying is None else checking.score(self.puzzle, self.laying.tolist())

    @cached_property
    def answers(self) -> Sequence[Pairs]:
        """The board, as [piece, turn] cell by cell, pieces from 1; none where there was no time for one."""
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
        """The board with its mismatches marked, and with the numbers of its pieces where they are wanted."""
        if self.laying is None or not can_draw(self.puzzle.board):
            return None
        return scene(self.puzzle, self.laying, f"{self.score} of {self.maximum} joins", numbers=numbers)

    @property
    def answered(self) -> bool:
        """A score is an answer: only no board at all leaves it open."""
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
    """The board with most joins matched that is found within the limits of the run.

    `width` is that of the beam, in boards; where it is not given, that of the job which goes on, or by the time limit.
    Without any limit the search goes on until all joins match, or until it is interrupted.
    """

    def words(found: int, breaks: int | None) -> str:
        return "no board yet" if breaks is None else f"{puzzle.maximum - breaks} of {puzzle.maximum}"

    puzzle = puzzle.with_clues(clues)
    require_beam(puzzle, width)
    report_reading(puzzle, run)
    recorded: list[tuple[float, int]] = []
    shared = isinstance(run, Grid)
    with Session(replace(run, watch=_recording(recorded, run.watch)) if shared else run) as session:
        if width is None:  # a job keeps its width where another time limit would give another one
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
    """The whole board: of a puzzle with many colours a beam may miss it where a plain search finds it in a moment."""
    plain = quick_search(puzzle)
    if plain is None:
        return None
    found = session.perform(plain[0], most=1, nodes=plain[1])
    if found.solutions:
        search.curve.append((0.0, 0))
        return replace(found, best=0, fraction=1.0)
    return found if found.interrupted else None


def _recording(recorded: list[tuple[float, int]], watch: Watcher | None) -> Watcher:
    """A watcher that notes when which number of mismatches was known here: on a cluster, workers find boards elsewhere."""

    def note(now: Snapshot) -> None:
        if now.best is not None:
            recorded.append((now.seconds, now.best))
        if watch is not None:
            watch(now)

    return note


def _curve(puzzle: EdgePuzzle, points: Iterable[tuple[float, int]]) -> tuple[tuple[float, int], ...]:
    """When which score was reached: seconds and joins matched, growing."""
    out: list[tuple[float, int]] = []
    for seconds, breaks in sorted(points):
        if not out or puzzle.maximum - breaks > out[-1][1]:
            out.append((round(seconds, 3), puzzle.maximum - breaks))
    return tuple(out)
