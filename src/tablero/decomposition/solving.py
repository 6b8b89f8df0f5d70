"""From a decomposition problem to a search and back: chooses the method and interprets the answers.

solve     some or all decompositions
count     their number; a count that takes longer than a second is restarted up to isomorphism (see `reduced`)
classes   all decompositions up to isomorphism (see `classification`)

If there are too many copies to list, several methods are tried for a first decomposition:

    laying      copies one after another: a complete search, fast if the first choices are good
    annealing   all copies at once, exchanging vertices: fast if dead ends come late

Each is tried with base copies under a turn of odd order, if there is one, because there are far fewer of them; and without
a turn, because a decomposition need not have a symmetry.  A search with a bad start rarely succeeds, so each round has
other seeds and takes a little longer than the round before.

With a symmetry, most searches end either soon or never.  So the search is restarted with other orders of the orbits or of
the vertices, each with a limit of nodes.  This finds cyclic Steiner triple systems on hundreds of points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from tablero.decomposition import reduced
from tablero.decomposition.automorphisms import Look, lose, no_look, number_in_complete
from tablero.decomposition.classification import Class, Classes, sort_out
from tablero.decomposition.copies import (
    MOST_ENTRIES,
    Orbits,
    TooManyCopies,
    are_more,
    can_be_made,
    number_to_make,
    warm,
)
from tablero.decomposition.findings import KEPT, UNCHECKED, UNDECIDED, Found
from tablero.decomposition.graph import Copy, ask_igraph, igraph_of, require_igraph
from tablero.decomposition.laying import (
    AnnealModel,
    LayingModel,
    PlacedModel,
    kind_of,
    not_by_base,
    not_by_laying,
    odd_turn,
)
from tablero.decomposition.models import CountedModel, CoverModel, Model, OrbitModel
from tablero.decomposition.necessary import obstacle, times_bind
from tablero.decomposition.puzzle import DecompositionPuzzle, decompose
from tablero.errors import BadInput
from tablero.runs.findings import Result
from tablero.runs.progress import Snapshot
from tablero.runs.run import HERE, Clock, Run
from tablero.runs.session import Session
from tablero.runs.viewing import State
from tablero.search.base import Search
from tablero.verbs.parameters import spell

_Made = TypeVar("_Made")

MOST_LISTED = 200_000  # copies that are listed if another method is possible
_FEW_ORBITS = 1_000_000  # copies that are made to get one of each orbit if another method is possible
_ROUNDS, _PATIENCE, _LONGER = 12, 0.3, 1.35  # rounds of attempts, seconds of the first attempt, growth
_SHUFFLES, _NODES, _MORE = 200, 10_000, 1.02  # shuffles of orbits, nodes of the first attempt, growth
_FEW_CLASSES, _TIMES = 2_000, 8  # decompositions that are classified first, and the growth of this number


def solve(
    puzzle: DecompositionPuzzle, most: int | None = 1, *, method: str = "auto", rows: bool = False, run: Run = HERE
) -> Found:
    """Find up to `most` decompositions (None: all); with `rows`, shown as rows of the matrix."""
    with Session(run) as session:
        found = _find(puzzle, most, session, method="matrix" if rows and method == "auto" else method)
    return found.as_rows() if rows else found


def count(puzzle: DecompositionPuzzle, *, method: str = "auto", run: Run = HERE) -> Found:
    """Count the decompositions without keeping them."""
    with Session(run) as session:
        return _find(puzzle, None, session, keep=False, method=method)


def classes(puzzle: DecompositionPuzzle, *, run: Run = HERE) -> Classes:
    """Find all decompositions up to isomorphism."""
    with Session(run) as session:
        order = _order_of_host(puzzle)
        sample: dict[Any, Class] = {}
        if run.durable:
            found = _find(puzzle, None, session)
            total, all_found = found.solutions, found.status != "open"
            ended = sort_out(found, 0, total, order, sample, session)
        else:
            found, total, ended = _sample(puzzle, order, sample, session)
            all_found = True  # they were counted; otherwise the sample is empty
    result = replace(found.result, solutions=total)
    if not ended or not all_found or total > sum(one.labelled for one in sample.values()):
        result = replace(result, status="open", interrupted=result.interrupted or (not ended and not session.over))
    elif total:
        result = replace(result, status="complete", fraction=1.0)
    sorted_out = Classes.of(found, result, sample, order)
    sorted_out.verify()
    return sorted_out


def _sample(
    puzzle: DecompositionPuzzle, order: int, sample: dict[Any, Class], session: Session
) -> tuple[Found, int, bool]:
    """Count first, then classify decompositions until the sizes of the classes add up to this number."""
    counted = _find(puzzle, None, session, keep=False)
    if counted.status != "complete":
        kept = replace(counted.result, kept=True)
        return replace(counted, result=kept), counted.solutions, not counted.interrupted
    total, most, seen = counted.solutions, _FEW_CLASSES, 0
    while True:
        found = _find(puzzle, most, session, model=counted.model, conditions=counted.conditions)
        found = replace(found, result=_with_all(found.result, session))
        ended = sort_out(found, seen, total, order, sample, session)
        known = sum(one.labelled for one in sample.values())
        if known >= total or not ended or found.status != "solved" or session.over:
            return found, total, ended and not found.interrupted
        seen, most = found.solutions, most * _TIMES


def _order_of_host(puzzle: DecompositionPuzzle) -> int:
    return int(ask_igraph(igraph_of(puzzle.host).count_automorphisms))


def view(state: State) -> Found | Classes:
    """The findings of a stored job so far, or its current state."""
    puzzle, keep = state.puzzle, state.verb != "count"
    model = model_of(puzzle, _method_of(state.kernel, puzzle))
    conditions = "" if puzzle.conditions is None else _state_of(puzzle, model, no_look)
    search = None if keep else _by_beginnings(model, no_look)
    if search is None:
        search = model.search("solve" if keep else "count", durable=True)
    result = state.result(search, keep=keep)
    if result.status == "complete" and not search.proves:
        result = replace(result, status="open")
    found = Found(puzzle, result, model, conditions=conditions)
    if state.verb != "classes" or result.partial:
        return found.as_rows() if state.options.get("rows") else found
    order, sample = _order_of_host(puzzle), dict[Any, Class]()
    sort_out(found, 0, found.solutions, order, sample)
    return Classes.of(found, result, sample, order)


def _find(
    puzzle: DecompositionPuzzle,
    most: int | None,
    session: Session,
    *,
    keep: bool = True,
    method: str = "auto",
    model: Model | None = None,
    conditions: str = "",
) -> Found:
    """The work of all verbs: decide by counting edges if possible, otherwise make the model, search and check.

    `conditions` is the state of the conditions, if it is already known.
    """
    run = session.run
    state = conditions or ("" if puzzle.conditions is None else UNCHECKED)
    if (known := _without_search(puzzle, most, run, keep)) is not None:
        return replace(known, conditions=state)
    if model is None and puzzle.made is not None:
        model = puzzle.made
        session.add_setup_time(model.seconds, charged=False)
    if method == "auto" and (info := session.info) is not None:
        method = _method_of(info.kernel, puzzle)
    try:
        if model is None:
            run.report(Snapshot(doing="compiling the kernel that makes copies"))
            warm()
            run.report(Snapshot(doing="making copies"))
            model = _look_for(session, lambda look: _listed(puzzle, method, look, run))
        if puzzle.conditions is not None and not conditions:
            state = _look_for(session, lambda look: _state_of(puzzle, model, look))
        counting = None
        if run.durable and not keep and reduced.applies(model):
            run.report(Snapshot(doing="collecting beginnings up to isomorphism"))
            counting = _look_for(session, lambda look: _by_beginnings(model, look))
    except _TimeUp:
        result = Result("open", 0, np.empty((0, 0), np.int32), fraction=0.0, kept=keep)
        return Found(puzzle, result, conditions=state)
    if state == UNDECIDED and not conditions:
        run.report(
            Snapshot(
                remark=f"whether the conditions lose a copy of {puzzle.parts[0].graph} in {puzzle.host} is not decided; "
                "copies are placed without them"
            )
        )
    if model is None:
        return replace(_lay(puzzle, most, session, method, keep=keep), conditions=state)
    if not keep:
        _report_counting(model, run)
    if keep and most == 1 and puzzle.symmetry is not None and not run.durable:
        for shuffled, nodes in _shuffles(model):
            result = session.perform(shuffled.search("solve"), most=1, nodes=nodes)
            if result.status != "open" or result.interrupted or session.over:
                return _verified(puzzle, _with_all(result, session), shuffled, session, state)
    search = counting or model.search("solve" if keep else "count", durable=run.durable)
    reducible = model if not (keep or run.durable) and reduced.applies(model) else None
    patience = None if reducible is None else reduced.PATIENCE
    result = session.perform(search, most=most, keep=keep, patience=patience)
    if reducible is not None and result.status == "open" and not (result.interrupted or session.over):
        result = _with_all(reduced.count(reducible, session), session)
    if result.status == "complete" and not search.proves:
        result = replace(result, status="open")
        run.report(
            Snapshot(remark=f"there may be more, with copies in short orbits: {spell('method')} orbits finds these too")
        )
    return _verified(puzzle, result, model, session, state)


def _verified(puzzle: DecompositionPuzzle, result: Result, model: Model, session: Session, state: str = "") -> Found:
    found = Found(puzzle, result, model, making=session.setup_seconds, conditions=state)
    found.verify()
    return found


def _with_all(result: Result, session: Session) -> Result:
    """A result with the nodes and the time of all attempts of the session."""
    spent = session.spent
    return replace(result, nodes=spent.nodes, seconds=spent.seconds, cpu_seconds=spent.cpu_seconds)


def _report_counting(model: Model, run: Run) -> None:
    """Report that compiling begins, and that a job cannot use a fixed first copy."""
    if run.durable and isinstance(model, LayingModel) and model.puzzle.host.is_complete:
        remark = "a job or a cluster counts every first copy separately, which takes far longer"
        run.report(Snapshot(remark=remark))
    run.report(Snapshot(doing="compiling the counting kernels"))


def _without_search(puzzle: DecompositionPuzzle, most: int | None, run: Run, keep: bool) -> Found | None:
    """The findings if no search is needed: the given copies are the only decomposition, or there is none."""
    if not puzzle.host.edges:
        if run.durable:
            run.report(Snapshot(remark="the given copies contain all edges: no search is needed, and no job is stored"))
        status = "complete" if most is None else "solved"
        return Found(puzzle, Result(status, 1, np.empty((int(keep), 0), np.int32), fraction=1.0, kept=keep))
    if why := obstacle(puzzle):
        return Found(puzzle, Result("none", 0, np.empty((0, 0), np.int32), kept=keep), why=why)
    return None


def _by_beginnings(model: Model, look: Look) -> Search | None:
    """The search that counts up to isomorphism, if few beginnings represent many; otherwise None."""
    if not reduced.applies(model):
        return None
    level = reduced.beginnings(model, look=lambda gathered: look())
    few = len(level) < sum(one.ways for one in level)
    return reduced.BeginningsSearch.of(model, level) if few else None


def _state_of(puzzle: DecompositionPuzzle, model: Model | None, look: Look) -> str:
    """The state of the conditions: a list of copies was compared with them, or the part's automorphisms decide.

    A search without a list does not need the conditions, so undecided conditions only change the remarks.
    """
    assert puzzle.conditions is not None
    if model is not None and model.listed is not None and model.listed.compared:
        return KEPT
    part = puzzle.parts[0].graph
    lost = lose(part, puzzle.conditions, look)
    if lost and puzzle.host.is_complete:
        raise BadInput(
            f"the conditions lose copies of {part}: for some orders of its vertices no automorphism satisfies them"
        )
    return KEPT if lost is False else UNDECIDED


# Which model


def _method_of(kernel: str, puzzle: DecompositionPuzzle) -> str:
    """The method of a stored job, from the name of its kernel."""
    names = {"laying": "laying", "decomposition.anneal": "anneal"}
    return names.get(kernel.partition("/")[0], "matrix" if puzzle.symmetry is None else "orbits")


def _listed(puzzle: DecompositionPuzzle, method: str, look: Look, run: Run) -> Model | None:
    """The model of the search; None if several methods without a list of copies are tried."""
    if run.durable or puzzle.symmetry is not None:
        return model_of(puzzle, method, look)
    laid = method == "laying" or (method == "auto" and is_laid(puzzle, look))
    return None if laid else model_of(puzzle, method, look)


def model_of(puzzle: DecompositionPuzzle, method: str = "auto", look: Look = no_look) -> Model:
    """The model for a problem; `look` is called regularly and may raise an exception."""
    if method == "orbits" and puzzle.symmetry is None:
        raise BadInput(f"the method {method!r} is for decompositions with a symmetry")
    if method == "matrix" and puzzle.symmetry is not None:
        raise BadInput(f"the method {method!r} is for decompositions without a symmetry")
    if method == "anneal":
        return AnnealModel.of(puzzle, puzzle.symmetry)
    if method == "laying" or (method == "auto" and is_laid(puzzle, look)):
        return LayingModel.of(puzzle, puzzle.symmetry, look=look)
    if puzzle.symmetry is not None:
        return _symmetric(puzzle, method, look)
    listed = CountedModel if puzzle.fold > 1 or times_bind(puzzle) else CoverModel
    try:
        return listed.of(puzzle, look)
    except TooManyCopies as wrong:
        if method == "auto" and (reason := not_by_laying(puzzle)):
            raise BadInput(f"{wrong}; laying is not possible either: {reason}") from None
        raise


def is_laid(puzzle: DecompositionPuzzle, look: Look = no_look) -> bool:
    """Whether there are too many copies to list, and copies can be placed one after another."""
    if puzzle.symmetry is not None or not_by_laying(puzzle):
        return False
    return are_more(puzzle.host, puzzle.parts[0].graph, MOST_LISTED, look)


def _symmetric(puzzle: DecompositionPuzzle, method: str, look: Look) -> Model:
    """The model with a symmetry: orbits of all copies; for many copies, one copy of each orbit, or base copies."""

    def are_many(most: int) -> bool:
        return any(number_in_complete(puzzle.host.vertices, part.graph) > most for part in puzzle.parts)

    assert puzzle.symmetry is not None
    if not are_many(MOST_LISTED):
        return OrbitModel.of(puzzle, look)
    orbits, part = Orbits.of(puzzle.host, puzzle.symmetry), puzzle.parts[0].graph
    reason = not_by_base(puzzle, orbits)
    are_few = all(can_be_made(part.graph, orbits) for part in puzzle.parts)
    by_laying = method == "auto" and not_by_laying(puzzle) is None and kind_of(puzzle, orbits) is not None
    first = reason is None or part.vertices == puzzle.host.vertices
    if by_laying and (first or not are_few or number_to_make(puzzle.host, part, orbits) > _FEW_ORBITS):
        return LayingModel.of(puzzle, puzzle.symmetry, look=look)
    if are_few:
        return OrbitModel.of_few(puzzle, orbits, look)
    if puzzle.host.is_complete and are_many(MOST_ENTRIES // len(part.edges)):
        raise BadInput(f"too many copies to list, and base copies are not possible: {reason}")
    return OrbitModel.of(puzzle, look)


# First decompositions


def _lay(puzzle: DecompositionPuzzle, most: int | None, session: Session, method: str, *, keep: bool) -> Found:
    """Search without a list of copies: several attempts for a first decomposition, then a complete search."""
    verb, threads = "solve" if keep else "count", getattr(session.run, "threads", 1)
    if most is not None:
        for model, seconds in _attempts(puzzle, anneals=most == 1 and method == "auto", threads=threads):
            result = session.perform(model.search(verb), most=most, keep=keep, patience=seconds)
            # With a symmetry, finding none proves nothing.
            if model.orbits is not None and result.status == "none":
                continue
            if result.status in ("solved", "none") or result.interrupted or session.over:
                return _verified(puzzle, _with_all(result, session), model, session)
    # In a complete graph all copies are equivalent: one is fixed, and the total follows from the decompositions with it.
    given = first_copy(puzzle) if most == 1 or not keep else ()
    laying = LayingModel.of(puzzle, given=given)
    result = _with_all(session.perform(laying.search(verb), most=most, keep=keep), session)
    if given and not keep:
        part = puzzle.parts[0].graph
        factor = number_in_complete(puzzle.host.vertices, part)
        result = replace(result, solutions=result.solutions * factor * len(part.edges) // len(puzzle.host.edges))
    return _verified(puzzle, result, laying, session)


def _attempts(puzzle: DecompositionPuzzle, *, anneals: bool, threads: int = 1) -> Iterator[tuple[PlacedModel, float]]:
    """Models that may find a decomposition soon, each with its time limit in seconds.

    Annealing may find the same decomposition twice, so it is used only for one.
    """
    turn = odd_turn(puzzle.host.vertices) if puzzle.host.is_complete else None
    if turn is not None and kind_of(puzzle, Orbits.of(puzzle.host, turn)) is None:
        turn = None
    given = first_copy(puzzle)
    for k in range(_ROUNDS):
        seconds, seeds = _PATIENCE * _LONGER**k, range(k * threads, (k + 1) * threads)
        if turn is not None:
            yield LayingModel.of(puzzle, turn, seed=k), seconds
            if anneals:
                yield AnnealModel.of(puzzle, turn, seeds=seeds), seconds
        yield LayingModel.of(puzzle, given=given, seed=k), seconds
        if anneals:
            yield AnnealModel.of(puzzle, seeds=seeds), seconds


def _shuffles(model: Model) -> Iterator[tuple[Model, int]]:
    """The same problem in other orders, each with its limit of nodes; the given order first."""
    if isinstance(model, OrbitModel):
        yield model, _NODES
        for k in range(_SHUFFLES):
            yield model.shuffled(k), int(_NODES * _MORE**k)
    elif isinstance(model, LayingModel):
        yield model, _NODES
        for k in range(1, _ROUNDS):
            yield LayingModel.of(model.puzzle, model.puzzle.symmetry, seed=k), int(_NODES * _LONGER**k)


def first_copy(puzzle: DecompositionPuzzle) -> tuple[Copy, ...]:
    """A copy that can be fixed without loss: in a complete graph all copies are equivalent."""
    return (puzzle.parts[0].graph.edges,) if puzzle.host.is_complete else ()


class _TimeUp(Exception):
    """Raised when the time limit is reached before the search starts."""


def _look_for(session: Session, make: Callable[[Look], _Made]) -> _Made:
    """Prepare the search within the time limit of the session, and record the setup time."""
    clock, left = Clock(session.run), session.left

    def look() -> None:
        if left is not None and clock.seconds > left:
            raise _TimeUp

    try:
        made = make(look)
        look()
        return made
    finally:
        session.add_setup_time(clock.seconds)


def kernels() -> dict[str, Callable[[], object]]:
    """The kernels to compile in advance: names, and functions that compile them."""
    require_igraph()
    return {
        "copies of a part": lambda: decompose("K6").solve(),
        "multicovers": lambda: decompose("K6", fold=2).solve(),
        "copies laid": lambda: decompose("K6").solve(method="laying"),
        "copies annealed": lambda: decompose("K6").solve(method="anneal"),
    }
