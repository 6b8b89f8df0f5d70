"""From a problem of decompositions to a search and back: what answers which question, and what the answers mean.

solve     some decompositions, or all
count     how many there are; a count that is not done soon is begun again up to isomorphism (see `reduced`)
classes   all of them up to isomorphism: see `classes`, which finds them here
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import Any, ClassVar, TypeVar, overload

import numpy as np

from tablero.decomposition import formats, reduced
from tablero.decomposition.automorphisms import Look, number_in_complete, order_of
from tablero.decomposition.checking import Copy
from tablero.decomposition.conditions import lose
from tablero.decomposition.copies import placements_in_complete, warm
from tablero.decomposition.graph import require_igraph
from tablero.decomposition.models import ANNEAL, AUTO, LAYING, MATRIX, METHODS, Model, is_laid, model_of
from tablero.decomposition.necessary import obstacle
from tablero.decomposition.puzzle import Decomposition, DecompositionPuzzle, decompose
from tablero.draw.scene import Scene
from tablero.errors import BadInput
from tablero.runs.findings import Findings, Result
from tablero.runs.run import HERE, Books, Run
from tablero.runs.session import Clock, Session
from tablero.runs.watch import Snapshot

__all__ = ["ANNEAL", "AUTO", "LAYING", "MATRIX", "Found", "count", "find", "solve", "told"]

FAMILY = "decompose"
_Made = TypeVar("_Made")
_CHUNK = 10_000  # answers that are turned into lists together

# What became of conditions that were given, and why nothing more is known of them.  Copies are made without them, whatever
# their state: they take none away from an answer.  Those that are known to lose a copy are refused.
KEPT, UNDECIDED, UNCHECKED = "kept", "undecided", "unchecked"
CONDITIONS = {
    KEPT: "",
    UNDECIDED: "whether the conditions lose a copy is not decided: copies are made without them",
    UNCHECKED: "no copies were needed, or none made in the time: the conditions were not looked at",
}


@dataclass(frozen=True, eq=False, repr=False)
class Found(Findings[Decomposition]):
    """What a search for decompositions found; `why` where no search was needed to see that there are none."""

    parts: ClassVar[tuple[str, ...]] = ("part", "u", "v")

    puzzle: DecompositionPuzzle
    model: Model | None = None
    why: str = ""
    making: float = 0.0  # seconds that it took to make the model
    conditions: str = ""  # what became of those that were given: kept, undecided or unchecked

    @cached_property
    def answers(self) -> Sequence[Decomposition]:
        """The decompositions, in the order in which they were found."""
        return _Decompositions(self)

    def told(self) -> list[Any]:
        """Lists of parts, each a list of edges [u, v]."""
        return told(self.answers)

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """Parts from 1, each with its edges."""
        for number, part in enumerate(answer, 1):
            yield from ((number, u, v) for u, v in part)

    def written(self, write: Callable[[Copy], str]) -> Iterator[list[str]]:
        """The answers with every copy written out; copies that many answers share are written once."""
        known: dict[int, list[str]] = {}
        before = [write(copy) for copy in self.puzzle.given]
        for row in self.rows():
            if self.model is None:  # the given copies are all there is
                yield before
                continue
            if not self.model.by_option:
                yield before + [write(copy) for copy in self.model.parts(row)]
                continue
            out = list(before)
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
        from tablero.decomposition.draw import is_drawable

        return self.answers[0].scene() if len(self.answers) and is_drawable(self.puzzle.lines) else None

    @property
    def copies(self) -> int | None:
        """How many copies of the parts the host has, where that is known."""
        if self.model is not None and self.model.copies is not None:
            return self.model.copies
        if self.puzzle.host.is_complete:
            return sum(number_in_complete(self.puzzle.host.vertices, part.graph) for part in self.puzzle.parts)
        return None

    @property
    def automorphisms(self) -> int | None:
        """How many automorphisms the part has, where there is but one part."""
        return order_of(self.puzzle.parts[0].graph) if len(self.puzzle.parts) == 1 else None

    @property
    def placements(self) -> int | None:
        """How many placements of the part were gone through: under conditions that were given, or all there are."""
        if (given := self.puzzle.conditions) is not None:
            if (table := getattr(self.model, "table", None)) is not None and table.compared:
                return table.placements  # type: ignore[no-any-return]
            host, part = self.puzzle.host, self.puzzle.parts[0].graph
            return placements_in_complete(host.vertices, part, given) if host.is_complete else None
        if self.copies is None or self.automorphisms is None:
            return None
        return self.copies * self.automorphisms

    def values(self) -> dict[str, Any]:
        values = {**super().values(), "copies": self.copies}
        if self.model is not None:
            values["method"] = self.model.method
            values["making_seconds"] = round(self.making, 6)
            if self.automorphisms is not None:
                values["automorphisms"], values["placements"] = self.automorphisms, self.placements
            _, values["columns"], values["ones"] = self.model.size
        if self.conditions:
            why = CONDITIONS[self.conditions]
            values["conditions"] = {"state": self.conditions, **({"why": why} if why else {})}
        if self.why:
            values["why"] = self.why
        return values


class _Decompositions(Sequence[Decomposition]):
    """Answers that are made when they are looked at: rows of numbers take little room, a million objects do not."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._title = str(found.puzzle)

    def _make(self, row: Iterable[int]) -> Decomposition:
        puzzle, model = self._found.puzzle, self._found.model
        return Decomposition(puzzle.host, puzzle.given + (() if model is None else model.parts(row)), self._title)

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
    conditions: str = "",
) -> Found:
    """What every verb does: ask what counting edges knows, make the model unless it is there already, search, and check.

    `conditions` is what became of them before, where that is known.
    """
    run, keep = session.run, verb != "count"
    state = conditions or ("" if puzzle.conditions is None else UNCHECKED)
    if (known := _without_search(puzzle, most, run, keep)) is not None:
        return replace(known, conditions=state)
    if method == ANNEAL and most != 1:
        raise BadInput("the method 'anneal' finds one decomposition: it neither counts nor finds several")
    asked = method
    if method == AUTO and run.job_name and (card := session.card) is not None:
        method = _method_of(card.kernel, puzzle)
    try:
        if model is None:
            run.tell(Snapshot(doing="compiling the kernel that makes copies"))
            _load(puzzle)
            run.tell(Snapshot(doing="making copies"))
            model = _look_for(session, lambda look: _listed(puzzle, method, look, run))
        if puzzle.conditions is not None and not conditions:
            state = _look_for(session, lambda look: _looked_at(puzzle, model, look, run))
    except _TimeUp:
        result = Result("open", 0, np.empty((0, 0), np.int32), fraction=0.0, kept=keep)
        return Found(puzzle, result, conditions=state)
    if model is None:
        return replace(_lay(puzzle, verb, most, session, method), conditions=state)
    made = session.aside
    if verb == "count" and run.durable and model.method == LAYING and puzzle.host.is_complete:
        remark = "as a job or on a cluster every first copy is counted by itself, which takes far longer than without"
        run.tell(Snapshot(remark=remark))
    if verb == "count":
        run.tell(Snapshot(doing="compiling the counting kernels"))
    shuffles = verb == "solve" and most == 1 and model.method == "orbits" and not run.durable
    if shuffles and (first := _shuffled(puzzle, model, session)) is not None:
        return replace(first, making=made, conditions=state)
    problem = formats.write(puzzle).rstrip().encode()
    search = model.search("count" if verb == "count" else "solve", durable=run.durable)
    reducible = model if verb == "count" and not run.durable and reduced.applies(model) else None
    result = session.perform(
        search,
        books=Books(_recipe(verb, most, asked, state), lambda: problem),
        most=most,
        keep=keep,
        patience=None if reducible is None else reduced.PATIENCE,
    )
    if reducible is not None and result.status == "open" and not (result.interrupted or session.over):
        result = reduced.count(reducible, session)
    if result.status == "complete" and not search.proves:
        result = replace(result, status="open")
        run.tell(Snapshot(remark="there may be more, with copies of short orbits: --method orbits looks for these too"))
    found = Found(puzzle, result, model, making=made, conditions=state)
    if not result.partial:
        found.verify()
    return found


def _without_search(puzzle: DecompositionPuzzle, most: int | None, run: Run, keep: bool) -> Found | None:
    """What counting edges knows: that the given copies are the one decomposition, or that there is none."""
    if not puzzle.host.edges:
        if run.durable:
            run.tell(
                Snapshot(remark="the given copies have all edges: there is no search, and nothing to keep or to share")
            )
        status = "complete" if most is None else "solved"
        return Found(puzzle, Result(status, 1, np.empty((int(keep), 0), np.int32), fraction=1.0, kept=keep))
    if why := obstacle(puzzle):
        return Found(puzzle, Result("none", 0, np.empty((0, 0), np.int32), kept=keep), why=why)
    return None


def _method_of(kernel: str, puzzle: DecompositionPuzzle) -> str:
    """How a job was begun, whatever would be chosen for its problem today."""
    if kernel.startswith("laying/"):
        return LAYING
    if kernel.startswith("decomposition.anneal/"):
        return ANNEAL
    if kernel.startswith("labelling/"):
        return "base"
    return MATRIX if puzzle.symmetry is None else "orbits"


def _load(puzzle: DecompositionPuzzle) -> None:
    """Load what models are made with, and compile: that takes seconds, which are none of the matrix's."""
    warm()
    import_module("tablero.decomposition.laying")
    if puzzle.symmetry is not None:
        import_module("tablero.decomposition.symmetric")


def _listed(puzzle: DecompositionPuzzle, method: str, look: Look, run: Run) -> Model | None:
    """The model of the one search that answers the question; None where copies are laid in several ways."""
    return None if not run.durable and _lays(puzzle, method, look) else model_of(puzzle, method, look)


def _looked_at(puzzle: DecompositionPuzzle, model: Model | None, look: Look, run: Run) -> str:
    """What becomes of conditions: a list of copies was compared with them; without one the part's automorphisms decide.

    A search without a list does not need them, so those that are not decided change nothing but what is said.
    """
    assert puzzle.conditions is not None
    table = getattr(model, "table", None)
    if table is not None and table.compared:
        return KEPT
    part = puzzle.parts[0].graph
    lost = lose(part, puzzle.conditions, look)
    if lost and puzzle.host.is_complete:
        raise BadInput(
            f"the conditions lose copies of {part}: there are orders of its vertices that no automorphism brings in line"
        )
    if lost is False:
        return KEPT
    remark = (
        f"whether the conditions lose a copy of {part} in {puzzle.host} is not decided; copies are laid without them"
    )
    run.tell(Snapshot(remark=remark))
    return UNDECIDED


def _lays(puzzle: DecompositionPuzzle, method: str, look: Look) -> bool:
    """Whether copies are laid one after another in whatever way is best, and not as one search that a job can keep."""
    if method not in METHODS or puzzle.symmetry is not None:
        return False
    return is_laid(puzzle, look) if method == AUTO else method == LAYING


def _lay(puzzle: DecompositionPuzzle, verb: str, most: int | None, session: Session, method: str) -> Found:
    """Lay copies one after another, or let them be annealed: first where decompositions may be near, then everywhere."""
    from tablero.decomposition.first import attempts, first_copy
    from tablero.decomposition.laying import LayingModel

    keep, threads = verb != "count", getattr(session.run, "threads", 1)
    if most is not None:
        for model, seconds in attempts(puzzle, anneals=most == 1 and method == AUTO, threads=threads):
            result = session.perform(model.search(verb), most=most, keep=keep, patience=seconds)
            # That there is none is proved where all copies were laid in vain, not only those of a symmetry.
            if model.orbits is not None and result.status == "none":
                continue
            if result.status in ("solved", "none") or result.interrupted or session.over:
                found = Found(puzzle, _with_all(result, session), model, making=session.aside)
                found.verify()
                return found
    # In a complete graph all copies are alike: one of them is laid, and the number follows from those that have it.
    given = first_copy(puzzle) if most == 1 or verb == "count" else ()
    laying = LayingModel.of(puzzle, given=given)
    result = _with_all(session.perform(laying.search(verb), most=most, keep=keep), session)
    if verb == "count" and given:
        part = puzzle.parts[0].graph
        factor = number_in_complete(puzzle.host.vertices, part)
        result = replace(result, solutions=result.solutions * factor * len(part.edges) // len(puzzle.host.edges))
    found = Found(puzzle, result, laying, making=session.aside)
    found.verify()
    return found


def _shuffled(puzzle: DecompositionPuzzle, every: Model, session: Session) -> Found | None:
    """A first decomposition by orbits, or that there is none; None where short tries do not find out."""
    from tablero.decomposition.first import shuffles
    from tablero.decomposition.symmetric import OrbitModel

    assert isinstance(every, OrbitModel)
    for model, nodes in shuffles(every):
        result = session.perform(model.search("solve"), most=1, nodes=nodes)
        if result.status != "open" or result.interrupted or session.over:
            found = Found(puzzle, _with_all(result, session), model)
            found.verify()
            return found
    return None


def _with_all(result: Result, session: Session) -> Result:
    """A result with what all tries of the session have cost."""
    spent = session.spent
    return replace(result, nodes=spent.nodes, seconds=spent.seconds, cpu_seconds=spent.cpu_seconds)


class _TimeUp(Exception):
    """The time was over before there was anything to search."""


def _look_for(session: Session, make: Callable[[Look], _Made]) -> _Made:
    """Make something before the search, within the session's time and as part of it."""
    clock, left = Clock(session.run), session.left

    def look() -> None:
        if left is not None and clock.seconds > left:
            raise _TimeUp

    try:
        made = make(look)
        look()
        return made
    finally:
        session.set_aside(clock.seconds)


def _recipe(verb: str, most: int | None, method: str, conditions: str) -> dict[str, Any]:
    """What a job must know to make its search again from its problem, and to say again what became of conditions."""
    more = {"method": "" if method == AUTO else method, "conditions": conditions}
    return {"family": FAMILY, "verb": verb, "most": most, **{key: word for key, word in more.items() if word}}


def resume(recipe: dict[str, Any], problem: bytes, run: Run) -> Findings[Any]:
    """Go on with a stored job."""
    puzzle = formats.load(problem, "the job's problem")
    method, conditions = recipe.get("method", AUTO), recipe.get("conditions", "")
    if conditions not in ("", *CONDITIONS):
        raise BadInput(f"the job's conditions are {conditions!r}: expected {' or '.join(CONDITIONS)}")
    if recipe["verb"] == "classes":
        from tablero.decomposition.classification import classes

        return classes(puzzle, run=run, conditions=conditions)
    with Session(run) as session:
        return find(puzzle, recipe["verb"], recipe["most"], session, method=method, conditions=conditions)


def kernels() -> dict[str, Callable[[], object]]:
    """What is compiled beforehand: names, and functions that compile."""
    require_igraph()
    return {
        "copies of a part": decompose("K6").solve,
        "multicovers": decompose("K6", fold=2).solve,
        "copies laid": lambda: decompose("K6").solve(method=LAYING),
        "copies annealed": lambda: decompose("K6").solve(method=ANNEAL),
        "base copies": lambda: decompose("K6", symmetry="bicyclic").solve(method="base"),
    }
