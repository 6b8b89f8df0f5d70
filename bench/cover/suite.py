"""The exact covers that all tools are run on, with the numbers of covers that are known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tablero.cover import ExactCover, generate
from tablero.cover.kernels.search import PACKED_FROM


@dataclass(frozen=True)
class Task:
    """A problem and what to do with it: list all covers, or count them."""

    problem: ExactCover
    covers: int  # that there are
    verb: str = "list"  # or "count"
    kernel: Any = "auto"  # tablero's; peers have no choice
    threads: int = 1


@dataclass(frozen=True)
class Instance:
    """One line of the table.  `peers` names those that can do it; `warm_up` has what compiles all that it needs."""

    name: str
    title: str
    make: Callable[[], Task]
    peers: tuple[str, ...]
    warm_up: Callable[[], list[Task]]
    quick: bool = True  # a matter of a second for all tools


def double_stars(n: int) -> ExactCover:
    """The complete graph on n vertices into double stars: two joined centres with n/2 − 1 leaves each."""

    def edge(u: int, v: int) -> str:
        return f"{min(u, v)}-{max(u, v)}"

    options = []
    for u, v in combinations(range(n), 2):
        others = [w for w in range(n) if w not in (u, v)]
        for leaves in combinations(others, n // 2 - 1):
            options.append([edge(u, v), *(edge(u if w in leaves else v, w) for w in others)])
    return ExactCover(options, primary=[edge(u, v) for u, v in combinations(range(n), 2)])


def _small() -> list[Task]:
    return [Task(generate("langford", 3), 2)]


def _wide() -> list[Task]:
    """A shallow problem with as many options as make tablero choose its kernel for packed words.

    It has two items because xcover fails on problems with one.
    """
    options = 64 * PACKED_FROM
    return [Task(ExactCover([["x"]] * options + [["y"]]), options)]


def _counting() -> list[Task]:
    """A problem for every counting kernel, large enough for a memo to grow."""
    return [Task(generate("one-factorisations", 8), 6240, "count", kernel) for kernel in ("bits", "memo", "frontier")]


def pentominoes(threads: int = 1) -> Task:
    return Task(generate("pentominoes", "6x10"), 9356, threads=threads)


_LISTERS = ("xcover", "exact-cover")

SUITE = (
    Instance("pentominoes", "pentominoes 6×10", pentominoes, _LISTERS, _small, quick=False),
    Instance("queens", "queens 12", lambda: Task(generate("queens", 12), 14200), _LISTERS, _small),
    Instance("langford", "Langford 11", lambda: Task(generate("langford", 11), 35584), _LISTERS, _small),
    Instance("sudoku", "hard Sudoku", lambda: Task(generate("sudoku"), 1), (*_LISTERS, "CP-SAT"), _small),
    Instance(
        "double-stars-8",
        "double stars of K8",
        lambda: Task(double_stars(8), 6720),
        (*_LISTERS, "CP-SAT"),
        _small,
    ),
    Instance(
        "double-stars-10",
        "double stars of K10",
        lambda: Task(double_stars(10), 967_680),
        _LISTERS,
        _wide,
        quick=False,
    ),
    Instance(
        "one-factorisations",
        "one-factorisations of K10, counted",
        lambda: Task(generate("one-factorisations", 10), 1_225_566_720, "count"),
        (),  # to list them is out of reach, and no peer counts them rightly
        _counting,
        quick=False,
    ),
)
