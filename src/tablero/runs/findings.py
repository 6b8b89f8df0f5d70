"""What a search found: the same words for all families.

    result     what became of a search, as the coordinator tells it: numbers, and answers as rows of numbers
    findings   the same with the puzzle and with what the answers mean; a family adds that

`status` is "solved" (as many answers as were wanted), "complete" (everything searched), "none" (everything searched, and
there is no answer) or "open" (stopped, or given up, before either).  `seconds` is wall time and `cpu_seconds` the time of
processors, both of the search alone: without compiling, and without checking, encoding and printing answers.
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
    """What became of a search: see the head of this module."""

    status: str
    solutions: int
    answers: Answers
    nodes: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    fraction: float = 1.0
    best: int | None = None
    quarantined: int = 0  # units that could not be worked on
    interrupted: bool = False
    kept: bool = True  # whether answers were wanted, and not only their number
    passed: bool = False  # whether there were so many that they went to the one who receives them, and are not here
    checked: bool = False  # whether the answers were checked while they came
    partial: bool = False  # the one answer is not complete: it is what a search has decided so far
    full: str = ""  # why it stopped: the disk that is nearly full

    def after(self, earlier: Result) -> Result:
        """This result, with what an earlier try at the same question has cost."""
        return replace(
            self,
            nodes=self.nodes + earlier.nodes,
            seconds=self.seconds + earlier.seconds,
            cpu_seconds=self.cpu_seconds + earlier.cpu_seconds,
        )


class Interrupted(KeyboardInterrupt):
    """Ctrl-C where an answer was wanted and not there, or while answers were read: what is known of the search."""

    def __init__(self, result: Result) -> None:
        super().__init__()
        self.result = result


@dataclass(frozen=True, eq=False, repr=False)
class Findings(Generic[Answer]):
    """What a search found.  It prints as its first answer, and shows as a picture in a notebook."""

    # What an answer is made of, as columns of a table: see `to_frame`.
    parts: ClassVar[tuple[str, ...]] = ("value",)

    puzzle: Any
    result: Result

    @cached_property
    def answers(self) -> Sequence[Answer]:
        """The answers in the family's own form."""
        raise NotImplementedError

    def to_list(self) -> list[Any]:
        """The answers as JSON can hold them."""
        return list(self.answers)

    def in_json(self) -> Iterator[str]:
        """The answers as JSON texts, one after another, however many."""
        for piece in self.pieces():
            for answer in piece.to_list():
                yield json.dumps(answer, ensure_ascii=False)

    def pieces(self) -> Iterator[Self]:
        """The same findings, some answers at a time: for more of them than fit into memory."""
        if self.result.answers.nbytes <= PIECE:
            yield self
            return
        for rows in pieces(self.result.answers):
            yield replace(self, result=replace(self.result, answers=rows))

    def each(self) -> Iterator[Answer]:
        """One answer after another: as `answers`, but for any number of them."""
        for piece in self.pieces():
            yield from piece.answers

    def entries(self, answer: Any) -> Iterable[tuple[Any, ...]]:
        """What an answer, as `told` has it, is made of: rows with the columns that `parts` names."""
        return [(answer,)]

    def to_frame(self) -> Any:
        """The answers as a DataFrame of pandas, tidy: a row for each thing that is laid, set, moved or chosen.

        The first column, `answer`, numbers the answers from 1; the others are the family's.
        """
        pandas = need("pandas", "a table of pandas", "notebooks")
        rows = [(number, *row) for number, answer in enumerate(self.to_list(), 1) for row in self.entries(answer)]
        return pandas.DataFrame(rows, columns=["answer", *self.parts])

    def verify(self) -> None:
        """Check every answer with code that shares nothing with the kernels."""
        raise NotImplementedError

    def scene(self) -> Scene | None:
        """The first answer as a picture, where there is one."""
        return None

    @property
    def status(self) -> str:
        """solved, complete, none or open."""
        return self.result.status

    @property
    def solutions(self) -> int:
        """How many there are among what was searched."""
        return self.result.solutions

    @property
    def nodes(self) -> int:
        return self.result.nodes

    @property
    def seconds(self) -> float:
        return self.result.seconds

    @property
    def cpu_seconds(self) -> float:
        return self.result.cpu_seconds

    @property
    def fraction(self) -> float:
        return self.result.fraction

    @property
    def interrupted(self) -> bool:
        return self.result.interrupted

    @property
    def first(self) -> Answer | None:
        """The first answer, or None where there is none; a search that stopped before it knew raises."""
        self.require_answer()
        return self.answers[0] if len(self.answers) else None

    def require_answer(self) -> None:
        """Raise when the search stopped before it knew: at a limit, or at Ctrl-C."""
        if self.status == "open" and not self.solutions:
            self._raise("the answer is open")

    def require_all(self) -> None:
        """Raise when the search stopped before it had seen everything: at a limit, or at Ctrl-C."""
        if self.status == "open":
            self._raise("there may be more")

    def _raise(self, what: str) -> NoReturn:
        """Whoever goes on after a limit must not do so after Ctrl-C."""
        if self.interrupted:
            raise Interrupted(self.result)
        where = "given up" if self.fraction == 1.0 else f"stopped at {100 * self.fraction:.2f} % of the search"
        raise TimeoutError(f"{where}: {what}")

    def values(self) -> dict[str, Any]:
        """The keys that every search reports, as JSON can hold them; without the answers."""
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
        """The same with the answers, unless only their number was wanted."""
        return {**self.values(), **({"answers": self.to_list()} if self.result.kept else {})}

    def answer_text(self, before: int) -> str:
        """The answers as a terminal shows them, a line or more each; `before` are those that were shown already."""
        return "".join(f"{answer}\n" for answer in self.answers)

    def lines(self) -> Iterator[str]:
        """What a terminal shows: the answers, or their number where only that was wanted, as ``>= 5`` if it stopped."""
        if not self.result.kept:
            yield f">= {self.solutions}" if self.status == "open" else str(self.solutions)
            return
        before = 0
        for piece in self.pieces():
            yield from piece.answer_text(before).splitlines()
            before += len(piece.result.answers)

    def remarks(self) -> Iterator[str]:
        """What is to be said besides."""
        yield self.sentence()

    def sentence(self, one: str = "solution", many: str = "") -> str:
        """The summary in words: how many answers of this name, and at what cost."""
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
        """The first answer as a drawing, where there is one."""
        from tablero.draw.svg import to_svg

        scene = self.scene()
        return None if scene is None else to_svg(scene)

    def __bool__(self) -> bool:
        """Findings are there, whatever was found: those that have a length are not empty at 0."""
        return True

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.status}, {self.solutions:,} found, {self.seconds:.3g} s>"

    def __str__(self) -> str:
        if not self.result.kept:
            return str(self.solutions)
        return str(self.answers[0]) if len(self.answers) else repr(self)

    def _repr_svg_(self) -> str | None:
        return self.to_svg()
