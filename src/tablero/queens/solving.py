"""Setting queens and counting the ways to: from a puzzle and a method to a search, and back to boards.

construct  a formula, without any search: only on an empty board
local      local search after Sosic and Gu: any size, queens given and squares blocked, several different boards
anneal     simulated annealing, as `tablero queens anneal` does it: the same
exact      exact cover: every puzzle, any number of solutions, and the proof that there is none

What a local search cannot find is open.  `auto` takes the formula where it can, exact cover for small boards and where all
solutions are wanted, and elsewhere local search, after which exact cover may still prove that there is nothing.

Counting has two kernels of its own for the empty board: one joins the halves of the board, the other goes row by row, finds
the fundamental solutions (those that are different under turns and reflections) and takes boards of any size.  Boards with
given or blocked squares, and tori, are counted as exact covers.
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

_HALVES_FROM = 12  # smaller boards are counted row by row before the tables are made
AUTO = "auto"
LOCAL: tuple[Literal["local", "anneal"], ...] = ("local", "anneal")
_MOST_NUMBERS = 200_000_000  # queens on all boards that are asked for together
_EXACT_FIRST = 20  # sides up to this are searched exactly at once
_BARREN = 16  # portfolios in a row without a new board after which no more are run, unless there is a limit
_RUNS = 64  # of a portfolio after the first: at least so many, where so many boards are wanted


@dataclass(frozen=True, eq=False, repr=False)
class Solved(Boards):
    """What a search for solutions brought; `result.answers` has a row of columns for each."""

    method: str
    asked: str = ""  # the method that was asked for, where a job or a cluster has the exact search in its place

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
            # Every run of a local search ended: that is all it does, and it proves nothing.
            wanted = several(self.solutions, "different solution") if self.solutions else "no solution"
            yield f"{wanted}; the runs of {self.method} gave up, there may be more; {several(self.nodes, 'node')}"
        else:
            yield self.sentence() + (f"; {self.why}" if self.why else "")
        if self.asked:
            yield f"by exact, not {self.asked}: several boards of up to 20 queens that are kept or shared"


def choose(puzzle: Queens, method: str, most: int | None) -> str:
    """The method to use, if it can do what is asked."""
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
    """The search of a method; a local one has a run for every solution that is wanted."""
    if method == "exact":
        return cover_search(to_cover(puzzle), "solve")
    n = puzzle.n
    seeds = tuple(range(seed, seed + (most or 1)))
    if method == "anneal":
        settings = Settings.for_side(n)
        return QueensAnneal(seeds, n, settings.schedule(), puzzle.given, puzzle.blocked, settings.restarts)
    # An empty board is always solved; of another one nobody knows, and the search gives up some day.
    patience = 0 if puzzle.plain else 10_000_000 + 2000 * n
    return QueensLocal(seeds, n, puzzle.given, puzzle.blocked, patience)


def solve(puzzle: Queens, most: int | None = 1, *, method: str = AUTO, seed: int = 0, run: Run = HERE) -> Solved:
    """Up to `most` solutions of a puzzle; None finds all."""
    chosen, asked = choose(puzzle, method, most), ""
    # A job is one search: where the exact one would have to find what local ones do not, it is that from the first.
    if run.durable and chosen in LOCAL and most != 1 and puzzle.n <= _EXACT_FIRST and not checking.refuted(puzzle):
        chosen, asked = "exact", chosen
    return _by(puzzle, most, chosen, seed, run, prove=method == AUTO, asked=asked)


def _by(
    puzzle: Queens, most: int | None, chosen: str, seed: int, run: Run, *, prove: bool = False, asked: str = ""
) -> Solved:
    """Solve by a method that was chosen; `prove` lets the exact search follow a local one that found nothing."""
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
            # Some boards, and then the same again and again: of small ones the exact search finds the others.
            if stuck and puzzle.n <= (MOST_EXACT if prove else _EXACT_FIRST if solved.solutions else 0):
                solved = _searched(session, puzzle, "exact", seed, most)
                solved = replace(solved, result=replace(solved.result, **_cost(session)))
    solved.verify()
    return solved


def _cost(session: Session) -> dict[str, Any]:
    """What all searches of a session took together."""
    spent = session.spent
    return {"nodes": spent.nodes, "seconds": spent.seconds, "cpu_seconds": spent.cpu_seconds}


def _searched(session: Session, puzzle: Queens, method: str, seed: int, most: int | None, *, asked: str = "") -> Solved:
    """One search, and the boards that it found."""
    progress_text = PLAIN_PROGRESS if method == "exact" else ProgressText(fraction=False)
    search = search_for(puzzle, method, seed, most)
    result = session.perform(search, most=most, progress_text=progress_text)
    return _solved(puzzle, result, method, asked)


def _solved(puzzle: Queens, result: Result, method: str, asked: str) -> Solved:
    """What one search found, as boards."""
    rows = result.answers
    columns = columns_of(puzzle, rows) if method == "exact" else rows[:, HEAD : HEAD + puzzle.n]
    return Solved(puzzle, replace(result, answers=columns), method, asked)


def _several(session: Session, puzzle: Queens, method: str, seed: int, most: int) -> Solved:
    """Different boards by local searches: where two came to the same one, or a run gave up, further seeds are tried.

    With a limit that goes on until it is met; without one, or on a small board, until many portfolios in a row brought
    nothing new.  Where no run arrived, none is likely to: what has no solution must not take many times as long to be left
    open.
    """
    found: dict[bytes, NDArray[np.int32]] = {}
    # (Of small boards the exact search tells soon, so that a limit need not be waited for.)
    limited = puzzle.n > _EXACT_FIRST and (session.run.time_limit is not None or session.run.node_limit is not None)
    runs, barren = most, 0
    while len(found) < most and (barren < _BARREN or limited):
        known = len(found)
        solved = _searched(session, puzzle, method, seed, runs)
        for columns in solved.columns:
            found.setdefault(columns.tobytes(), columns)
        if solved.solutions == 0 or session.over or solved.interrupted or session.run.durable:
            break
        barren = 0 if len(found) > known else barren + 1
        seed = (seed + runs) % (1 << 62)
        runs = max(most - len(found), min(most, _RUNS))
    rows = np.array(list(found.values())[:most], np.int32).reshape(-1, puzzle.n)
    status = "solved" if len(found) >= most else "open"
    result = replace(solved.result, status=status, solutions=len(rows), answers=rows, **_cost(session))
    return replace(solved, result=result)


def _without_search(puzzle: Queens) -> Result:
    """The answer by formula: a solution, or that there is none."""
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


def counting_search(puzzle: Queens, *, fundamental: bool, durable: bool) -> Search:
    """The search that counts; a durable one has nodes that do not depend on what it has seen before."""
    if puzzle.plain:
        if not fundamental and _HALVES_FROM <= puzzle.n <= MOST_HALVES:
            return HalfCount(puzzle.n)
        return QueensCount(puzzle.n, fundamental)
    return cover_search(to_cover(puzzle), "count", durable=durable)


def count(puzzle: Queens, *, fundamental: bool = False, run: Run = HERE) -> Counted:
    """Count all solutions, or those that are different under turns and reflections."""
    if puzzle.n == 0 or (checking.refuted(puzzle) and not fundamental):
        require_no_search(run, f"{puzzle.n} queens")
        number = int(puzzle.n == 0)  # no queens can be set in one way; what is refuted in none
        empty = np.empty((0, puzzle.n), np.int32)
        return Counted(puzzle, Result("complete" if number else "none", number, empty, kept=False), fundamental)
    if not puzzle.plain:
        run.report(Snapshot(doing="compiling the counting kernels"))
    search = counting_search(puzzle, fundamental=fundamental, durable=run.durable)
    return Counted(puzzle, perform(search, run, keep=False), fundamental)


def fundamental(puzzle: QueensLike, *, run: Run = HERE) -> Sequence[Board]:
    """The fundamental solutions of a small board, each the first of its images, in order."""
    require_here(run, "the list of fundamental solutions")  # a job that counts keeps no boards
    puzzle = as_puzzle(puzzle)
    described(verbs.count).require_sense(puzzle, {"fundamental": True})
    found = Counted(puzzle, perform(counting_search(puzzle, fundamental=True, durable=False), run), True)
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


def view(state: State) -> Boards:
    """What a stored job has found."""
    puzzle, asked = state.puzzle, state.options
    if state.verb == "count":
        search = counting_search(puzzle, fundamental=asked["fundamental"], durable=True)
        return Counted(puzzle, state.result(search, keep=False), asked["fundamental"])
    if state.verb == "anneal":
        named = ("t0", "alpha", "beta", "max_stall", "max_trials", "cooling", "swap", "restarts")
        settings = Settings.for_side(puzzle.n, length=asked["trials"], **{name: asked[name] for name in named})
        seed, runs, start = asked["seed"], asked["runs"], asked["start"]
        runs_search = annealing_search(puzzle, settings, seed, runs, start)
        found = Annealed(puzzle, state.result(runs_search), settings, seed, runs, start)
        return with_lost(found, runs_search, Clock(HERE))
    chosen = choose(puzzle, asked["method"], asked["most"])
    method = "exact" if state.kernel.startswith("cover.") else chosen
    result = state.result(search_for(puzzle, method, asked["seed"], asked["most"]))
    return _solved(puzzle, result, method, "" if method == chosen else chosen)


# The puzzle as an exact cover: rows and columns are items to be covered exactly once, diagonals at most once; an option is
# a queen on a square.


def _squares(puzzle: Queens) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows and columns of the squares where a queen may stand: not blocked, and not attacked by one that is given."""
    n = puzzle.n
    # From the middle outwards: there a queen attacks most.
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

    On a torus there are as many diagonals as queens in either direction, so each has exactly one.
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
    """The solutions that covers stand for: columns by row."""
    row, column = _squares(puzzle)
    found = np.full((len(answers), puzzle.n), -1, np.int32)
    answer, place = np.nonzero(answers >= 0)
    option = answers[answer, place]
    found[answer, row[option]] = column[option]
    return found


def kernels() -> dict[str, Callable[[], object]]:
    """What is compiled beforehand: names, and functions that compile."""
    return {
        "queens count": QueensCount(8).warm,
        "queens count by halves": HalfCount(12).warm,
        "queens anneal": QueensAnneal((0,), 8, Settings.for_side(8).schedule()).warm,
        "queens local": QueensLocal((0,), 8).warm,
    }
