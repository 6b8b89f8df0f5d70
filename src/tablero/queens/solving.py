"""Solves and counts n queens: from a puzzle and a method to a search, and back to boards.

construct  a formula, without a search: empty boards only
local      local search after Sosic and Gu: any size, given queens, blocked squares, several different boards
anneal     simulated annealing, as `tablero queens anneal`: the same puzzles
exact      exact cover: every puzzle, any number of solutions, and the proof that there is none

If a local search finds nothing, the question stays open.  `auto` uses the formula where it applies, exact cover for small
boards and for all solutions, and local search elsewhere; exact cover may then still prove that there is no solution.

Two kernels count on the empty board.  One joins the halves of the board.  The other goes row by row, finds the fundamental
solutions (those that differ under rotations and reflections) and supports all sizes.  Boards with given or blocked squares
and tori are counted as exact covers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tablero.cover.puzzle import ExactCover
from tablero.cover.solving import search_for as cover_search
from tablero.draw.scene import Scene
from tablero.draw.svg import to_svg
from tablero.errors import BadInput
from tablero.queens import checking, verbs
from tablero.queens.annealing import Annealed, Settings, with_lost
from tablero.queens.annealing import search_for as annealing_search
from tablero.queens.draw import fundamental_gallery
from tablero.queens.generating import construct
from tablero.queens.kernels.anneal import QueensAnneal
from tablero.queens.kernels.count import QueensCount
from tablero.queens.kernels.ground import HEAD
from tablero.queens.kernels.halves import HalfCount
from tablero.queens.kernels.local import QueensLocal
from tablero.queens.kernels.quadrant_cases import MOST as MOST_HALVES
from tablero.queens.puzzle import Board, Boards, Queens, QueensLike, as_puzzle, check_side, require_no_search
from tablero.queens.verbs import MOST_EXACT
from tablero.runs.answers import has_twins
from tablero.runs.findings import Result
from tablero.runs.progress import PLAIN_PROGRESS, ProgressText, Snapshot
from tablero.runs.run import HERE, Clock, Run, require_here
from tablero.runs.session import Session, perform
from tablero.runs.viewing import State
from tablero.search.base import Answers, Search
from tablero.text import several
from tablero.verbs import described

_HALVES_FROM = 12  # side; smaller boards are counted row by row in less time than the tables take
AUTO = "auto"
LOCAL: tuple[Literal["local", "anneal"], ...] = ("local", "anneal")
_MOST_NUMBERS = 200_000_000  # queens on all requested boards together
_EXACT_FIRST = 20  # largest side that is searched exactly from the start
_MOST_FAILURES = 16  # portfolios in a row without a new board, after which the search stops unless there is a limit
_RUNS = 64  # of a portfolio after the first, if at least this many boards are requested


@dataclass(frozen=True, eq=False, repr=False)
class Solved(Boards):
    """The result of a search for solutions; `result.answers` has one row of columns for each."""

    method: str
    asked: str = ""  # the requested method, if a job or a cluster runs the exact search instead

    def verify(self) -> None:
        super().verify()
        if len(self.columns) > 1 and has_twins(self.columns):
            raise AssertionError(f"{self.method} returned the same solution twice")

    def values(self) -> dict[str, Any]:
        return {**super().values(), "method": self.method, **({"why": self.why} if self.why else {})}

    def remarks(self) -> Iterator[str]:
        yield from self.board_lines()
        if self.why and not self.nodes:
            yield self.why
        elif self.method == "construct":
            yield f"constructed in {1000 * self.seconds:.1f} ms"
        elif self.status == "open" and self.method in LOCAL and self.fraction == 1:
            # All runs of the local search ended without a proof.
            wanted = several(self.solutions, "different solution") if self.solutions else "no solution"
            yield f"{wanted}; the runs of {self.method} gave up, there may be more; {several(self.nodes, 'node')}"
        else:
            yield self.sentence() + (f"; {self.why}" if self.why else "")
        if self.asked:
            yield f"by exact instead of {self.asked}: a job or cluster for several boards of up to 20 queens"


def choose(puzzle: Queens, method: str, most: int | None) -> str:
    """The method to use; `BadInput` if too many queens are requested."""
    check_side(puzzle.n)
    if method == AUTO:
        method = _best_for(puzzle, most)
    if method in LOCAL and most is not None and most * puzzle.n > _MOST_NUMBERS:
        raise BadInput(f"{most:,} boards of {puzzle.n:,} queens: expected at most {_MOST_NUMBERS:,} queens together")
    return method


def _best_for(puzzle: Queens, most: int | None) -> str:
    if not (puzzle.given or puzzle.blocked) and most == 1:
        return "construct"
    if puzzle.torus or most is None or puzzle.n <= _EXACT_FIRST:
        return "exact"
    return "local"


def search_for(puzzle: Queens, method: str, seed: int = 0, most: int | None = 1) -> Search:
    """The search of a method; a local search has one run for each requested solution."""
    if method == "exact":
        return cover_search(to_cover(puzzle), "solve")
    n = puzzle.n
    seeds = tuple(range(seed, seed + (most or 1)))
    if method == "anneal":
        settings = Settings.for_side(n)
        return QueensAnneal(seeds, n, settings.schedule(), puzzle.given, puzzle.blocked, settings.restarts)
    # An empty board has a solution.  Another board may have none, so that the search must give up at some point.
    patience = 0 if puzzle.plain else 10_000_000 + 2000 * n
    return QueensLocal(seeds, n, puzzle.given, puzzle.blocked, patience)


def solve(puzzle: Queens, most: int | None = 1, *, method: str = AUTO, seed: int = 0, run: Run = HERE) -> Solved:
    """Find up to `most` solutions; None finds all."""
    chosen, asked = choose(puzzle, method, most), ""
    # A job is a single search: it runs the exact search from the start where that would have to complete a local one.
    if run.durable and chosen in LOCAL and most != 1 and puzzle.n <= _EXACT_FIRST and not checking.refuted(puzzle):
        chosen, asked = "exact", chosen
    return _by(puzzle, most, chosen, seed, run, prove=method == AUTO, asked=asked)


def _by(
    puzzle: Queens, most: int | None, chosen: str, seed: int, run: Run, *, prove: bool = False, asked: str = ""
) -> Solved:
    """Solve by the chosen method; with `prove` the exact search follows a local one that found nothing."""
    if chosen == "construct" or (chosen in LOCAL and checking.refuted(puzzle)):
        require_no_search(run, f"{puzzle.n} queens by {chosen}")
        solved = Solved(puzzle, _without_search(puzzle), chosen)
    elif chosen == "exact":
        with Session(run) as session:
            solved = _searched(session, puzzle, chosen, seed, most, asked=asked)
    else:
        with Session(run) as session:
            solved = _several(session, puzzle, chosen, seed, most or 1)
            stuck = solved.status == "open" and not (session.over or solved.interrupted or run.durable)
            # The local search repeats its boards: on a small board the exact search finds the others.
            if stuck and puzzle.n <= (MOST_EXACT if prove else _EXACT_FIRST if solved.solutions else 0):
                solved = _searched(session, puzzle, "exact", seed, most)
                solved = replace(solved, result=replace(solved.result, **_cost(session)))
    solved.verify()
    return solved


def _cost(session: Session) -> dict[str, Any]:
    """The total cost of the searches of a session."""
    spent = session.spent
    return {"nodes": spent.nodes, "seconds": spent.seconds, "cpu_seconds": spent.cpu_seconds}


def _searched(session: Session, puzzle: Queens, method: str, seed: int, most: int | None, *, asked: str = "") -> Solved:
    """One search, and the boards that it found."""
    progress_text = PLAIN_PROGRESS if method == "exact" else ProgressText(fraction=False)
    search = search_for(puzzle, method, seed, most)
    result = session.perform(search, most=most, progress_text=progress_text)
    return _solved(puzzle, result, method, asked)


def _solved(puzzle: Queens, result: Result, method: str, asked: str) -> Solved:
    """The result of one search as boards."""
    rows = result.answers
    columns = columns_of(puzzle, rows) if method == "exact" else rows[:, HEAD : HEAD + puzzle.n]
    return Solved(puzzle, replace(result, answers=columns), method, asked)


def _several(session: Session, puzzle: Queens, method: str, seed: int, most: int) -> Solved:
    """Find different boards by local searches; further seeds replace runs that gave up or found a known board.

    With a limit this continues until the limit is met; without one, or on a small board, until many portfolios in a row
    found nothing new.  If no run of a portfolio succeeds, none is likely to, and the search stops at once.
    """
    found: dict[bytes, NDArray[np.int32]] = {}
    # The exact search soon decides small boards: these need not use up the limit.
    limited = puzzle.n > _EXACT_FIRST and (session.run.time_limit is not None or session.run.node_limit is not None)
    runs, failures = most, 0
    while len(found) < most and (failures < _MOST_FAILURES or limited):
        known = len(found)
        solved = _searched(session, puzzle, method, seed, runs)
        for columns in solved.columns:
            found.setdefault(columns.tobytes(), columns)
        if solved.solutions == 0 or session.over or solved.interrupted or session.run.durable:
            break
        failures = 0 if len(found) > known else failures + 1
        seed = (seed + runs) % (1 << 62)
        runs = max(most - len(found), min(most, _RUNS))
    rows = np.array(list(found.values())[:most], np.int32).reshape(-1, puzzle.n)
    status = "solved" if len(found) >= most else "open"
    result = replace(solved.result, status=status, solutions=len(rows), answers=rows, **_cost(session))
    return replace(solved, result=result)


def _without_search(puzzle: Queens) -> Result:
    """The result by formula: a solution, or the proof that there is none."""
    began, cpu = time.monotonic(), time.thread_time()
    columns = None if checking.refuted(puzzle) else construct(puzzle.n, torus=puzzle.torus)
    answers = np.empty((0, puzzle.n), np.int32) if columns is None else columns[None, :]
    return Result(
        status="none" if columns is None else "solved",
        solutions=len(answers),
        answers=answers,
        seconds=time.monotonic() - began,
        cpu_seconds=time.thread_time() - cpu,
    )


# Counting


@dataclass(frozen=True, eq=False, repr=False)
class Counted(Boards):
    """The number of solutions; answers are kept only by `fundamental`."""

    fundamental: bool

    def scene(self) -> Scene | None:
        """A gallery of the fundamental solutions, if they were kept."""
        return fundamental_gallery(self.answers) if len(self.columns) else None

    def gallery(self) -> str | None:
        """All fundamental solutions as SVG; they are searched for again."""
        done = self.status == "complete"
        return to_svg(fundamental_gallery(fundamental(self.puzzle))) if done else None

    def remarks(self) -> Iterator[str]:
        kind = "fundamental " if self.fundamental else ""
        short = self.why and not self.nodes
        yield self.why if short else self.sentence(f"{kind}solution", f"{kind}solutions")


def counting_search(puzzle: Queens, *, fundamental: bool, durable: bool) -> Search:
    """The search that counts; the nodes of a durable one do not depend on its history."""
    if puzzle.plain:
        if not fundamental and _HALVES_FROM <= puzzle.n <= MOST_HALVES:
            return HalfCount(puzzle.n)
        return QueensCount(puzzle.n, fundamental)
    return cover_search(to_cover(puzzle), "count", durable=durable)


def count(puzzle: Queens, *, fundamental: bool = False, run: Run = HERE) -> Counted:
    """Count all solutions, or those that differ under rotations and reflections."""
    if puzzle.n == 0 or (checking.refuted(puzzle) and not fundamental):
        require_no_search(run, f"{puzzle.n} queens")
        number = int(puzzle.n == 0)  # 0 queens have one solution, a refuted puzzle has none
        empty = np.empty((0, puzzle.n), np.int32)
        return Counted(puzzle, Result("complete" if number else "none", number, empty, kept=False), fundamental)
    if not puzzle.plain:
        run.report(Snapshot(doing="compiling the counting kernels"))
    search = counting_search(puzzle, fundamental=fundamental, durable=run.durable)
    return Counted(puzzle, perform(search, run, keep=False), fundamental)


def fundamental(puzzle: QueensLike, *, run: Run = HERE) -> Sequence[Board]:
    """Find the fundamental solutions of a small board.

    Parameters
    ----------
    puzzle
        An empty board whose edges do not meet, or its number of queens.
    run
        How the search runs; a job or a cluster is not possible.

    Returns
    -------
    Sequence[Board]
        One board for each class of rotations and reflections, the first of its images, in order.

    Examples
    --------
    >>> from tablero import queens
    >>> len(queens.fundamental(8))
    12
    """
    require_here(run, "the list of fundamental solutions")  # counting jobs keep no boards
    puzzle = as_puzzle(puzzle)
    described(verbs.count).require_sense(puzzle, {"fundamental": True})
    found = Counted(puzzle, perform(counting_search(puzzle, fundamental=True, durable=False), run), True)
    found.require_all()
    found = replace(found, result=with_first_images(found.result))
    found.verify()
    return found.answers


def with_first_images(result: Result) -> Result:
    """The result with each solution replaced by the first of its images, sorted."""
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


def view(state: State) -> Boards:
    """The result of a stored job so far."""
    puzzle, asked = state.puzzle, state.options
    if state.verb == "count":
        search = counting_search(puzzle, fundamental=asked["fundamental"], durable=True)
        return Counted(puzzle, state.result(search, keep=False), asked["fundamental"])
    if state.verb == "anneal":
        options = dict(asked)
        seed, runs, start, length = (options.pop(name) for name in ("seed", "runs", "start", "trials"))
        settings = Settings.for_side(puzzle.n, length=length, **options)
        runs_search = annealing_search(puzzle, settings, seed, runs, start)
        found = Annealed(puzzle, state.result(runs_search), settings, seed, runs, start)
        return with_lost(found, runs_search, Clock(HERE))
    chosen = choose(puzzle, asked["method"], asked["most"])
    method = "exact" if state.kernel.startswith("cover.") else chosen
    result = state.result(search_for(puzzle, method, asked["seed"], asked["most"]))
    return _solved(puzzle, result, method, "" if method == chosen else chosen)


# The puzzle as an exact cover: rows and columns are items that are covered exactly once, diagonals at most once; an option
# is a queen on a square.


def _squares(puzzle: Queens) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of the squares that are neither blocked nor attacked by a given queen."""
    n = puzzle.n
    # From the middle outwards: queens in the middle attack most squares.
    order = np.array(sorted(range(n), key=lambda k: abs(2 * k - n + 1)), np.int64)
    row, column = np.repeat(order, n), np.tile(order, n)
    wrap = n if puzzle.torus else 4 * n
    allowed = np.ones(n * n, np.bool_)
    for r, c in puzzle.blocked:
        allowed &= (row != r) | (column != c)
    for r, c in puzzle.given:
        attacked = (row == r) | (column == c)
        attacked |= ((row + column) % wrap == (r + c) % wrap) | ((row - column) % wrap == (r - c) % wrap)
        allowed &= ~attacked | ((row == r) & (column == c))
    return row[allowed], column[allowed]


def to_cover(puzzle: Queens) -> ExactCover:
    """The puzzle as an exact cover: rows and columns exactly once, diagonals at most once.

    A torus has n diagonals in either direction, so that each has exactly one queen.
    """
    n = puzzle.n
    row, column = _squares(puzzle)
    if puzzle.torus:
        rising, falling, diagonals = (row + column) % n, (row - column) % n, n
    else:
        rising, falling, diagonals = row + column, row - column + n - 1, 2 * n - 1
    order = sorted(range(n), key=lambda k: abs(2 * k - n + 1))
    place = np.empty(n, np.int64)
    place[order] = np.arange(n)
    items = [f"{side}{k + 1}" for k in order for side in "rc"]
    items += [f"s{k}" for k in range(diagonals)] + [f"d{k}" for k in range(diagonals)]
    entries = np.stack([2 * place[row], 2 * place[column] + 1, 2 * n + rising, 2 * n + diagonals + falling], axis=1)
    start = np.arange(0, 4 * len(row) + 1, 4, dtype=np.int64)
    primary = len(items) if puzzle.torus else 2 * n
    return ExactCover.of_arrays(items, primary, start, entries.ravel().astype(np.int32))


def columns_of(puzzle: Queens, answers: Answers) -> NDArray[np.int32]:
    """Covers as solutions: columns by row."""
    row, column = _squares(puzzle)
    found = np.full((len(answers), puzzle.n), -1, np.int32)
    answer, place = np.nonzero(answers >= 0)
    option = answers[answer, place]
    found[answer, row[option]] = column[option]
    return found


def kernels() -> dict[str, Callable[[], object]]:
    """The kernels to compile ahead of time: names, and functions that compile them."""
    return {
        "queens count": QueensCount(8).warm,
        "queens count by halves": HalfCount(12).warm,
        "queens anneal": QueensAnneal((0,), 8, Settings.for_side(8).schedule()).warm,
        "queens local": QueensLocal((0,), 8).warm,
    }
