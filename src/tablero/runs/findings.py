"""What a search found, in the same form for all families.

result     the outcome of a search as the coordinator returns it: numbers, and answers as rows of numbers
findings   the result with the puzzle; each family has a subclass that knows what the answers mean
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Self, TypeVar

from tablero.errors import need
from tablero.runs.answers import pieces
from tablero.runs.progress import short_number
from tablero.search.base import PIECE, Answers
from tablero.text import several

if TYPE_CHECKING:
    from tablero.draw.scene import Scene

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Result:
    """The outcome of a search.

    Attributes
    ----------
    status
        "solved": as many answers as asked for were found.  "complete": everything was searched, and answers were found.
        "none": everything was searched, and there is no answer.  "open": the search stopped before that.
    solutions
        Number of answers found.
    answers
        The answers: an array of int32 with a row for each.
    nodes
        Number of nodes visited.
    seconds
        Seconds of the search: without compiling, and without checking and printing answers.
    cpu_seconds
        CPU seconds of the search.
    fraction
        The fraction of the search that is done, from 0 to 1.
    best
        The value of the best answer, if the search optimises.
    quarantined
        Number of units that no worker could finish.
    interrupted
        Whether Ctrl-C stopped the search.
    kept
        Whether answers were asked for, and not only their number.
    streamed
        Whether the answers went to `receive` of the run as they came, so that they are not here.
    checked
        Whether the answers were checked as they came.
    partial
        Whether the one answer is incomplete: what the search has decided so far.
    full
        Why the search stopped, if a disk was nearly full.
    """

    status: str
    solutions: int
    answers: Answers
    nodes: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    fraction: float = 1.0
    best: int | None = None
    quarantined: int = 0
    interrupted: bool = False
    kept: bool = True
    streamed: bool = False
    checked: bool = False
    partial: bool = False
    full: str = ""

    def after(self, earlier: Result) -> Result:
        """This result with the nodes and seconds of an earlier search for the same question added."""
        return replace(
            self,
            nodes=self.nodes + earlier.nodes,
            seconds=self.seconds + earlier.seconds,
            cpu_seconds=self.cpu_seconds + earlier.cpu_seconds,
        )


class Interrupted(KeyboardInterrupt):
    """Ctrl-C before there was an answer, or while answers were read.  `result` has what is known of the search."""

    def __init__(self, result: Result) -> None:
        super().__init__()
        self.result = result


@dataclass(frozen=True, eq=False, repr=False)
class Findings(Generic[Answer]):
    """What a search found.

    It prints as its first answer, or as the number of answers if only that was asked for.  A notebook shows a picture.

    Attributes
    ----------
    puzzle
        The puzzle.
    result
        The outcome of the search as a `Result`.

    Examples
    --------
    >>> import tablero as tb
    >>> found = tb.queens.Queens(6).solve(None)
    >>> found.status, found.solutions, found.first
    ('complete', 4, <6 queens: columns [2, 5, 1, 4, 0, 3]>)
    """

    parts: ClassVar[tuple[str, ...]] = ("value",)
    """The columns of `to_frame` after the first."""

    puzzle: Any
    result: Result

    @cached_property
    def answers(self) -> Sequence[Answer]:
        """The answers in the form of the family."""
        raise NotImplementedError

    def to_list(self) -> list[Any]:
        """The answers as values that JSON can hold."""
        return list(self.answers)

    def iter_json(self) -> Iterator[str]:
        """Yield each answer as JSON, for any number of answers."""
        for piece in self.pieces():
            for answer in piece.to_list():
                yield json.dumps(answer, ensure_ascii=False)

    def pieces(self) -> Iterator[Self]:
        """Yield findings with some of the answers at a time, for more answers than fit into memory."""
        if self.result.answers.nbytes <= PIECE:
            yield self
            return
        for rows in pieces(self.result.answers):
            yield replace(self, result=replace(self.result, answers=rows))

    def each(self) -> Iterator[Answer]:
        """Yield one answer after another, for more answers than fit into memory."""
        for piece in self.pieces():
            yield from piece.answers

    def entries(self, answer: Any) -> Iterable[tuple[Any, ...]]:
        """The rows of `to_frame` for an answer of `to_list`, with the columns `parts`."""
        return [(answer,)]

    def to_frame(self) -> Any:
        """The answers as a pandas DataFrame: a row for each part of an answer, for example for each queen.

        The first column, `answer`, numbers the answers from 1.

        Raises
        ------
        MissingExtra
            If pandas is not installed.
        """
        pandas = need("pandas", "a table of pandas", "notebooks")
        rows = [(number, *row) for number, answer in enumerate(self.to_list(), 1) for row in self.entries(answer)]
        return pandas.DataFrame(rows, columns=["answer", *self.parts])

    def verify(self) -> None:
        """Check every answer with code that is independent of the kernels; raise an error if one is wrong."""
        raise NotImplementedError

    def scene(self) -> Scene | None:
        """The first answer as a drawing; None if there is none."""
        return None

    @property
    def status(self) -> str:
        """The outcome: "solved", "complete", "none" or "open"; see `Result`."""
        return self.result.status

    @property
    def solutions(self) -> int:
        """Number of answers found."""
        return self.result.solutions

    @property
    def nodes(self) -> int:
        """Number of nodes visited."""
        return self.result.nodes

    @property
    def seconds(self) -> float:
        """Seconds of the search alone."""
        return self.result.seconds

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds of the search alone."""
        return self.result.cpu_seconds

    @property
    def fraction(self) -> float:
        """The fraction of the search that is done, from 0 to 1."""
        return self.result.fraction

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C stopped the search."""
        return self.result.interrupted

    @property
    def first(self) -> Answer | None:
        """The first answer; None if it is proved that there is none.

        Raises
        ------
        TimeoutError
            If the search stopped before it found an answer.
        """
        self.require_answer()
        return self.answers[0] if len(self.answers) else None

    def require_answer(self) -> None:
        """Raise an error if it is open whether there is an answer.

        Raises
        ------
        TimeoutError
            If the search stopped at a limit before it found an answer.
        KeyboardInterrupt
            If Ctrl-C stopped it.
        """
        if self.status == "open" and not self.solutions:
            self._raise("the answer is open")

    def require_all(self) -> None:
        """Raise an error if there may be more answers.

        Raises
        ------
        TimeoutError
            If the search stopped at a limit before it was complete.
        KeyboardInterrupt
            If Ctrl-C stopped it.
        """
        if self.status == "open":
            self._raise("there may be more")

    def _raise(self, what: str) -> NoReturn:
        """Raise TimeoutError after a limit, and KeyboardInterrupt after Ctrl-C."""
        if self.interrupted:
            raise Interrupted(self.result)
        where = "given up" if self.fraction == 1.0 else f"stopped at {100 * self.fraction:.2f} % of the search"
        raise TimeoutError(f"{where}: {what}")

    def values(self) -> dict[str, Any]:
        """The keys of JSON that every search reports, without the answers."""
        return {
            "status": self.status,
            "solutions": self.solutions,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "cpu_seconds": round(self.cpu_seconds, 6),
            "fraction": self.fraction,
            **({"quarantined": self.result.quarantined} if self.result.quarantined else {}),
        }

    def to_dict(self) -> dict[str, Any]:
        """The findings as JSON can hold them, with the answers unless only their number was asked for."""
        return {**self.values(), **({"answers": self.to_list()} if self.result.kept else {})}

    def answer_text(self, before: int) -> str:
        """The answers as a terminal shows them, one or more lines each.

        Parameters
        ----------
        before
            Number of answers that were shown already.
        """
        return "".join(f"{answer}\n" for answer in self.answers)

    def lines(self) -> Iterator[str]:
        """Yield the lines that a terminal shows: the answers, or only their number, as ``>= 5`` if the search stopped."""
        if not self.result.kept:
            yield f">= {self.solutions}" if self.status == "open" else str(self.solutions)
            return
        before = 0
        for piece in self.pieces():
            yield from piece.answer_text(before).splitlines()
            before += len(piece.result.answers)

    def remarks(self) -> Iterator[str]:
        """Yield remarks for standard error."""
        yield self.sentence()

    def sentence(self, one: str = "solution", many: str = "") -> str:
        """The summary in words: the number of answers and the cost of the search.

        Parameters
        ----------
        one, many
            What one answer and several are called.
        """
        ending = {
            "solved": "as asked",
            "complete": "all there are",
            "none": "proved",
            "open": f"stopped at {100 * self.fraction:.4g} % of the search",
        }[self.status]
        rate = short_number(self.nodes / max(self.seconds, 1e-9))
        cost = f"{several(self.nodes, 'node')} in {self.seconds:.2f} s, {rate} a second"
        quarantined = f"; {several(self.result.quarantined, 'unit')} quarantined" if self.result.quarantined else ""
        return f"{several(self.solutions, one, many)} ({ending}); {cost}{quarantined}"

    def to_svg(self) -> str | None:
        """The first answer as an SVG drawing; None if there is none."""
        from tablero.draw.svg import to_svg

        scene = self.scene()
        return None if scene is None else to_svg(scene)

    def __bool__(self) -> bool:
        """Findings are always true, also those with a length of 0."""
        return True

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.status}, {self.solutions:,} found, {self.seconds:.3g} s>"

    def __str__(self) -> str:
        if not self.result.kept:
            return str(self.solutions)
        return str(self.answers[0]) if len(self.answers) else repr(self)

    def _repr_svg_(self) -> str | None:
        return self.to_svg()
