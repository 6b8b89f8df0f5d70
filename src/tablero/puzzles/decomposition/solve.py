"""From a problem of decompositions to a search and back: what answers which question, and what the answers mean.

solve     some decompositions, or all
count     how many there are; a count that is not done soon is begun again up to isomorphism (see `reduced`)
classes   all of them up to isomorphism: see `classes`, which finds them here
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np

from tablero.draw.scene import Scene
from tablero.puzzles.decomposition import formats, reduced
from tablero.puzzles.decomposition.automorphisms import number_in_complete
from tablero.puzzles.decomposition.check import Copy
from tablero.puzzles.decomposition.copies import warm
from tablero.puzzles.decomposition.graph import require_igraph
from tablero.puzzles.decomposition.models import AUTO, MATRIX, Model, model_of
from tablero.puzzles.decomposition.necessary import obstacle
from tablero.puzzles.decomposition.puzzle import Decomposition, DecompositionPuzzle, decompose
from tablero.runs.findings import Findings, Result
from tablero.runs.runner import HERE, Books, Clock, Run, Session
from tablero.runs.watch import Snapshot

__all__ = ["AUTO", "MATRIX", "Found", "count", "find", "solve", "told"]

FAMILY = "decompose"
_CHUNK = 10_000  # answers that are turned into lists together


@dataclass(frozen=True, eq=False, repr=False)
class Found(Findings[Decomposition]):
    """What a search for decompositions found; `why` where no search was needed to see that there are none."""

    puzzle: DecompositionPuzzle
    model: Model | None = None
    why: str = ""

    @cached_property
    def answers(self) -> Sequence[Decomposition]:
        """The decompositions, in the order in which they were found."""
        return _Decompositions(self)

    def told(self) -> list[Any]:
        """Lists of parts, each a list of edges [u, v]."""
        return told(self.answers)

    def written(self, write: Callable[[Copy], str]) -> Iterator[list[str]]:
        """The answers with every copy written out; copies that many answers share are written once."""
        known: dict[int, list[str]] = {}
        for row in self.rows():
            assert self.model is not None
            if not self.model.by_option:
                yield [write(copy) for copy in self.model.parts(row)]
                continue
            out: list[str] = []
            for option in row:
                if option >= 0:
                    if option not in known:
                        known[option] = [write(copy) for copy in self.model.parts([option])]
                    out += known[option]
            yield out

    def rows(self) -> Iterator[list[int]]:
        """The answers as the model knows them."""
        for first in range(0, len(self.result.answers), _CHUNK):
            yield from self.result.answers[first : first + _CHUNK].tolist()

    def verify(self) -> None:
        """Check every answer with code that shares nothing with the kernels."""
        if self.model is not None and (wrong := self.model.fault(self.result.answers)):
            raise AssertionError(f"a kernel returned what is no decomposition: {wrong}")

    def scene(self) -> Scene | None:
        """The first decomposition as a picture, unless it is too large for one."""
        from tablero.puzzles.decomposition.draw import is_drawable

        return self.answers[0].scene() if len(self.answers) and is_drawable(self.puzzle.lines) else None

    @property
    def copies(self) -> int | None:
        """How many copies of the parts the host has, where that is known."""
        if self.model is not None and self.model.copies is not None:
            return self.model.copies
        if self.puzzle.host.is_complete:
            return sum(number_in_complete(self.puzzle.host.vertices, part.graph) for part in self.puzzle.parts)
        return None

    def values(self) -> dict[str, Any]:
        values = {**super().values(), "copies": self.copies}
        if self.model is not None:
            _, values["columns"], values["ones"] = self.model.size
        if self.why:
            values["why"] = values["reason"] = self.why
        return values


class _Decompositions(Sequence[Decomposition]):
    """Answers that are made when they are looked at: rows of numbers take little room, a million objects do not."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._title = str(found.puzzle)

    def _make(self, row: Iterable[int]) -> Decomposition:
        assert self._found.model is not None
        return Decomposition(self._found.puzzle.host, self._found.model.parts(row), self._title)

    def __len__(self) -> int:
        return len(self._found.result.answers)

    @overload
    def __getitem__(self, k: int) -> Decomposition: ...
    @overload
    def __getitem__(self, k: slice) -> list[Decomposition]: ...
    def __getitem__(self, k: int | slice) -> Decomposition | list[Decomposition]:
        rows = self._found.result.answers[k].tolist()
        return [self._make(row) for row in rows] if isinstance(k, slice) else self._make(rows)

    def __iter__(self) -> Iterator[Decomposition]:
        return map(self._make, self._found.rows())

    def __repr__(self) -> str:
        return f"<{len(self):,} decompositions of {self._title}>"


def told(found: Iterable[Decomposition]) -> list[Any]:
    """Answers whose vertices JSON can name; a part that occurs in many of them is written out once."""
    made: dict[Copy, list[list[int | str]]] = {}

    def plain(one: Decomposition, part: Copy) -> list[list[int | str]]:
        if part not in made:
            made[part] = formats.edges_to_json(one.host, part)
        return made[part]

    return [[plain(one, part) for part in one.parts] for one in found]


def solve(puzzle: DecompositionPuzzle, most: int | None = 1, *, method: str = AUTO, run: Run = HERE) -> Found:
    """Up to `most` decompositions (None: all)."""
    with Session(run) as session:
        return find(puzzle, "solve", most, session, method=method)


def count(puzzle: DecompositionPuzzle, *, method: str = AUTO, run: Run = HERE) -> Found:
    """The number of decompositions, without the decompositions."""
    with Session(run) as session:
        return find(puzzle, "count", None, session, method=method)


def find(
    puzzle: DecompositionPuzzle,
    verb: str,
    most: int | None,
    session: Session,
    *,
    method: str = AUTO,
    model: Model | None = None,
) -> Found:
    """What every verb does: ask what counting edges knows, make the model unless it is there already, search, and check."""
    run, keep = session.run, verb != "count"
    if why := obstacle(puzzle):
        return Found(puzzle, Result("none", 0, np.empty((0, 0), np.int32), kept=keep), why=why)
    if model is None:
        run.tell(Snapshot(doing="compiling the kernel that makes copies"))
        warm()
        run.tell(Snapshot(doing="making copies"))
        try:
            model = _made(puzzle, method, session)
        except _TimeUp:
            return Found(puzzle, Result("open", 0, np.empty((0, 0), np.int32), fraction=0.0, kept=keep))
    if verb == "count":
        run.tell(Snapshot(doing="compiling the counting kernels"))
    search = model.search("count" if verb == "count" else "solve", durable=run.durable)
    reducible = model if verb == "count" and not run.durable and reduced.applies(model) else None
    result = session.perform(
        search,
        books=Books(_recipe(verb, most, method), lambda: formats.write(puzzle).rstrip().encode()),
        most=most,
        keep=keep,
        patience=None if reducible is None else reduced.PATIENCE,
    )
    if reducible is not None and result.status == "open" and not (result.interrupted or session.over):
        result = reduced.count(reducible, session)
    found = Found(puzzle, result, model)
    found.verify()
    return found


class _TimeUp(Exception):
    """The time was over before there was anything to search."""


def _made(puzzle: DecompositionPuzzle, method: str, session: Session) -> Model:
    """The model, within the session's time and as part of it."""
    clock, left = Clock(session.run), session.left

    def look() -> None:
        if left is not None and clock.seconds > left:
            raise _TimeUp

    try:
        model = model_of(puzzle, method, look)
        look()
        return model
    finally:
        session.charge(clock)


def _recipe(verb: str, most: int | None, method: str) -> dict[str, Any]:
    """What a job must know to make its search again from its problem."""
    return {"family": FAMILY, "verb": verb, "most": most, **({} if method == AUTO else {"method": method})}


def resume(recipe: dict[str, Any], problem: bytes, run: Run) -> Findings[Any]:
    """Go on with a stored job."""
    puzzle = formats.load(problem, "the job's problem")
    if recipe["verb"] == "classes":
        return puzzle.classes(run=run)
    with Session(run) as session:
        return find(puzzle, recipe["verb"], recipe["most"], session, method=recipe.get("method", AUTO))


def kernels() -> dict[str, Callable[[], object]]:
    """What is compiled beforehand: names, and functions that compile."""
    require_igraph()
    return {
        "copies of a part": decompose("K6").solve,
        "multicovers": decompose("K6", fold=2).solve,
        "base copies": lambda: decompose("K6", symmetry="bicyclic").solve(method="base"),
    }
