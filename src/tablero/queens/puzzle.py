"""The n-queens puzzle: place n queens on an n×n board so that no two attack each other.

square    a row and a column, from 0 in the library; written r1c1 from 1, as on boards of other families
given     a square that has a queen (completion: the other queens are to be placed)
blocked   a square that must stay empty; queens attack across it
torus     a board whose opposite edges meet: diagonals continue on the other side, and each has n squares
columns   a solution: the column of the queen in every row
boards    the solutions found: the common base of the results of solving, annealing and counting
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tablero.draw.scene import Scene
from tablero.draw.svg import to_svg
from tablero.errors import BadInput, NothingToKeep
from tablero.queens import checking, draw, formats, verbs
from tablero.runs.findings import Findings
from tablero.runs.run import Run
from tablero.text import several

Square = tuple[int, int]
Columns = NDArray[np.int32]


def check_side(n: int, least: int = 1) -> int:
    """The side of a board as an `int`; `BadInput` where it is none."""
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not least <= n <= verbs.MOST_SIDE:
        raise BadInput(f"{n} queens: expected a whole number from {least} to {verbs.MOST_SIDE:,}")
    return int(n)


def square_name(square: Square) -> str:
    return f"r{square[0] + 1}c{square[1] + 1}"


def squares(text: str) -> list[Square]:
    """Squares written as r1c3,r2c5."""
    found = []
    for word in filter(None, re.split(r"[,\s]+", text)):
        match = re.fullmatch(r"r([0-9]{1,9})c([0-9]{1,9})", word)
        if not match:
            raise BadInput(f"the square {word!r}: expected row and column from 1, as r4c5")
        found.append((int(match[1]) - 1, int(match[2]) - 1))
    return found


@dataclass(frozen=True, repr=False)
class Queens:
    """An n-queens puzzle.  It prints as a board, and a notebook shows it as one.

    Parameters
    ----------
    n
        The number of queens, rows and columns.
    given
        Squares that have a queen, as rows and columns from 0.
    blocked
        Squares that must stay empty, as rows and columns from 0.
    torus
        Whether opposite edges meet.

    Raises
    ------
    BadInput
        A square is off the board, named twice, or both given and blocked.

    Examples
    --------
    >>> from tablero.queens import Queens
    >>> Queens(8).count().solutions
    92
    >>> Queens(8, given=((0, 3),)).solve().board.tolist()[0]
    3
    """

    n: int
    given: tuple[Square, ...] = ()
    blocked: tuple[Square, ...] = ()
    torus: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", check_side(self.n, least=0))  # 0 queens can be counted, but not solved
        for kind, marked in (("given", self.given), ("blocked", self.blocked)):
            object.__setattr__(self, kind, tuple(_checked(kind, marked, self.n)))
        both = set(self.given) & set(self.blocked)
        if both:
            raise BadInput(f"the square {square_name(min(both))} is both given and blocked")

    @property
    def plain(self) -> bool:
        """Whether the board is empty and its edges do not meet."""
        return not (self.given or self.blocked or self.torus)

    def __repr__(self) -> str:
        words = [several(self.n, "queen")]
        words += [f"{len(squares):,} {kind}" for kind in ("given", "blocked") if (squares := getattr(self, kind))]
        return f"<{', '.join(words + ['torus'] * self.torus)}>"

    def __str__(self) -> str:
        if self.n > draw.TEXT:
            return repr(self)
        return draw.text_of(self.n, {**dict.fromkeys(self.given, "♛"), **dict.fromkeys(self.blocked, "×")})

    def _repr_svg_(self) -> str:
        return to_svg(draw.puzzle_picture(self))

    solve = verbs.solve
    count = verbs.count
    anneal = verbs.anneal


QueensLike = Queens | int | str | Path


def as_puzzle(value: QueensLike) -> Queens:
    """A puzzle from itself, a number of queens, a text or a file."""
    match value:
        case Queens():
            return value
        case Path():
            return formats.named(str(value))
        case str():
            return formats.parse(value) if "\n" in value.strip() else formats.named(value)
    return Queens(value)


def _checked(kind: str, marked: Iterable[Square], n: int) -> list[Square]:
    seen: set[Square] = set()
    for pair in marked:
        try:
            row, column = map(operator.index, pair)
        except (TypeError, ValueError):
            raise BadInput(f"the {kind} square {pair!r}: expected a row and a column from 0, as (3, 4)") from None
        square = (row, column)
        if not (0 <= row < n and 0 <= column < n):
            raise BadInput(f"the {kind} square {square_name(square)} is not on a board of {n}×{n}")
        if square in seen:
            raise BadInput(f"the square {square_name(square)} is {kind} twice")
        seen.add(square)
    return sorted(seen)


@dataclass(frozen=True, eq=False)
class Board:
    """A solution.  It prints as a board, and a notebook shows it as one."""

    columns: Columns
    torus: bool = False

    @classmethod
    def of(cls, columns: ArrayLike, torus: bool = False) -> Board:
        own = np.array(columns, np.int32)
        own.flags.writeable = False
        return cls(own, torus)

    @property
    def n(self) -> int:
        return len(self.columns)

    @cached_property
    def fault(self) -> str | None:
        """The fault of the board, found by code that shares nothing with the kernels; None for a solution."""
        return checking.fault(self.columns, torus=self.torus)

    @property
    def queens(self) -> list[tuple[int, int]]:
        """The rows and columns of the queens.  A row without a queen has the column −1 in `columns`."""
        return [(row, column) for row, column in enumerate(self.tolist()) if column >= 0]

    def tolist(self) -> list[int]:
        found: list[int] = self.columns.tolist()
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and np.array_equal(self.columns, other.columns)

    def __hash__(self) -> int:
        return hash(self.columns.tobytes())

    def __repr__(self) -> str:
        shown = self.tolist() if self.n <= 32 else f"[{', '.join(map(str, self.columns[:8].tolist()))}, …]"
        return f"<{several(self.n, 'queen')}: columns {shown}>"

    def __str__(self) -> str:
        return repr(self) if self.n > draw.TEXT else draw.text_of(self.n, dict.fromkeys(self.queens, "♛"))

    def _repr_svg_(self) -> str:
        return to_svg(draw.picture(self))


def as_bytes(puzzle: Queens) -> bytes:
    return json.dumps(asdict(puzzle)).encode()


def from_bytes(data: bytes) -> Queens:
    return Queens(**json.loads(data))


@dataclass(frozen=True, eq=False, repr=False)
class Boards(Findings[Board]):
    """Solutions of a puzzle."""

    parts: ClassVar[tuple[str, ...]] = ("row", "column")

    puzzle: Queens

    @property
    def columns(self) -> NDArray[np.int32]:
        """A row of columns for every solution."""
        return self.result.answers

    @cached_property
    def answers(self) -> Sequence[Board]:
        return [Board.of(columns, self.puzzle.torus) for columns in self.columns]

    @property
    def board(self) -> Board | None:
        """The first solution, or None."""
        return self.answers[0] if len(self.columns) else None

    def to_list(self) -> list[list[int]]:
        """The solutions as lists of columns by row, from 0."""
        found: list[list[int]] = self.columns.tolist()
        return found

    def answer_text(self, before: int) -> str:
        """One line for each board: its columns."""
        return "".join(" ".join(map(str, columns.tolist())) + "\n" for columns in self.columns)

    def board_lines(self) -> list[str]:
        """The board, if exactly one small board was found."""
        small = self.solutions == 1 and self.board is not None and self.puzzle.n <= draw.TEXT
        return [str(self.board)] if small else []

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """Rows and columns from 0."""
        return enumerate(answer)

    def verify(self) -> None:
        """Check every solution with code that shares nothing with the kernels."""
        if wrong := checking.first_fault(self.puzzle, self.columns):
            raise AssertionError(f"a search returned a board that is no solution: {wrong}")

    @property
    def why(self) -> str:
        """Why there is no solution, if that is known without a search; else empty."""
        return checking.refuted(self.puzzle) if self.status == "none" else ""

    def scene(self) -> Scene | None:
        return None if self.board is None else draw.picture(self.board)


def require_no_search(run: Run, what: str) -> None:
    """Reject a job or a cluster where a formula or a theorem gives the answer."""
    if run.job_name:
        raise NothingToKeep(f"{what} need no search, there is nothing to keep: leave the job out")
    if run.durable:
        raise NothingToKeep(f"{what} need no search, there is nothing to share: leave the cluster out")
