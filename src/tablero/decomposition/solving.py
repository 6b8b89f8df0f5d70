"""From a problem of decompositions to a search and back: what answers which question, and what the answers mean.

solve     some decompositions, or all
count     how many there are; a count that is not done soon is begun again up to isomorphism (see `reduced`)
classes   all of them up to isomorphism: see `classification`, which finds them here
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import TypeVar

import numpy as np

from tablero.decomposition import reduced
from tablero.decomposition.automorphisms import Look, number_in_complete
from tablero.decomposition.conditions import lose
from tablero.decomposition.copies import warm
from tablero.decomposition.findings import KEPT, UNCHECKED, UNDECIDED, Found
from tablero.decomposition.graph import require_igraph
from tablero.decomposition.models import ANNEAL, AUTO, LAYING, MATRIX, Model, is_laid, model_of
from tablero.decomposition.necessary import obstacle
from tablero.decomposition.puzzle import DecompositionPuzzle, decompose
from tablero.errors import BadInput
from tablero.runs.findings import Result
from tablero.runs.run import HERE, Run
from tablero.runs.session import Clock, Session
from tablero.runs.watch import Snapshot
from tablero.search.base import Search
from tablero.verbs.parameters import spell

_Made = TypeVar("_Made")


def solve(
    puzzle: DecompositionPuzzle, most: int | None = 1, *, method: str = AUTO, rows: bool = False, run: Run = HERE
) -> Found:
    """Up to `most` decompositions (None: all); shown as rows of the matrix where these are wanted."""
    with Session(run) as session:
        found = find(puzzle, most, session, method=MATRIX if rows and method == AUTO else method)
    if rows:
        found = replace(found, by_rows=True)
        found.row_numbers()  # refuses what has no matrix
    return found


def count(puzzle: DecompositionPuzzle, *, method: str = AUTO, run: Run = HERE) -> Found:
    """The number of decompositions, without the decompositions."""
    with Session(run) as session:
        return find(puzzle, None, session, keep=False, method=method)


def find(
    puzzle: DecompositionPuzzle,
    most: int | None,
    session: Session,
    *,
    keep: bool = True,
    method: str = AUTO,
    model: Model | None = None,
    conditions: str = "",
) -> Found:
    """What every verb does: ask what counting edges knows, make the model unless it is there already, search, and check.

    `conditions` is what became of them before, where that is known.
    """
    run = session.run
    state = conditions or ("" if puzzle.conditions is None else UNCHECKED)
    if (known := _without_search(puzzle, most, run, keep)) is not None:
        return replace(known, conditions=state)
    if model is None and puzzle.made is not None:
        model = puzzle.made
        session.made_before(model.seconds)
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
        counting = None if keep or not run.durable else _by_beginnings(model, session)
    except _TimeUp:
        result = Result("open", 0, np.empty((0, 0), np.int32), fraction=0.0, kept=keep)
        return Found(puzzle, result, conditions=state)
    if model is None:
        return replace(_lay(puzzle, most, session, method, keep=keep), conditions=state)
    made = session.aside
    if not keep:
        _tell_of_counting(model, run)
    shuffles = keep and most == 1 and model.method == "orbits" and not run.durable
    if shuffles and (first := _shuffled(puzzle, model, session)) is not None:
        return replace(first, making=made, conditions=state)
    search = counting or model.search("solve" if keep else "count", durable=run.durable)
    reducible = model if not (keep or run.durable) and reduced.applies(model) else None
    patience = None if reducible is None else reduced.PATIENCE
    result = session.perform(search, most=most, keep=keep, patience=patience)
    if reducible is not None and result.status == "open" and not (result.interrupted or session.over):
        result = reduced.count(reducible, session)
    if result.status == "complete" and not search.proves:
        result = replace(result, status="open")
        run.tell(
            Snapshot(
                remark=f"there may be more, with copies of short orbits: {spell('method')} orbits looks for these too"
            )
        )
    found = Found(puzzle, result, model, making=made, conditions=state)
    if not result.partial:
        found.verify()
    return found


def _by_beginnings(model: Model | None, session: Session) -> Search | None:
    """The count of a job or a cluster, up to isomorphism where few beginnings stand for many; else None."""
    if not reduced.applies(model):
        return None
    session.run.tell(Snapshot(doing="gathering beginnings up to isomorphism"))
    level = _look_for(session, lambda look: reduced.beginnings(model, look=lambda gathered: look()))
    few = len(level) < sum(one.ways for one in level)
    return reduced.BeginningsSearch.of(model, level) if few else None


def _tell_of_counting(model: Model, run: Run) -> None:
    """Say what a job or a cluster does without, before it begins."""
    if run.durable and model.method == LAYING and model.puzzle.host.is_complete:
        remark = "as a job or on a cluster every first copy is counted by itself, which takes far longer than without"
        run.tell(Snapshot(remark=remark))
    run.tell(Snapshot(doing="compiling the counting kernels"))


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
    if puzzle.symmetry is not None:
        return False
    return is_laid(puzzle, look) if method == AUTO else method == LAYING


def _lay(puzzle: DecompositionPuzzle, most: int | None, session: Session, method: str, *, keep: bool) -> Found:
    """Lay copies one after another, or let them be annealed: first where decompositions may be near, then everywhere."""
    from tablero.decomposition.first import attempts, first_copy
    from tablero.decomposition.laying import LayingModel

    verb, threads = "solve" if keep else "count", getattr(session.run, "threads", 1)
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
    given = first_copy(puzzle) if most == 1 or not keep else ()
    laying = LayingModel.of(puzzle, given=given)
    result = _with_all(session.perform(laying.search(verb), most=most, keep=keep), session)
    if given and not keep:
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


def kernels() -> dict[str, Callable[[], object]]:
    """What is compiled beforehand: names, and functions that compile."""
    require_igraph()
    return {
        "copies of a part": lambda: decompose("K6").solve(),
        "multicovers": lambda: decompose("K6", fold=2).solve(),
        "copies laid": lambda: decompose("K6").solve(method="laying"),
        "copies annealed": lambda: decompose("K6").solve(method="anneal"),
        "base copies": lambda: decompose("K6", symmetry="bicyclic").solve(method="base"),
    }
