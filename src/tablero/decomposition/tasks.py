"""Task files: the exact cover of a decomposition in Knuth's format, with comments that identify the problem.

    | K4 into double-star-4
    | decompose {"host": …, "parts": …, "fold": 1}
    | copies 12 sha256 5f0c…
    0-1 0-2 0-3 1-2 1-3 2-3
    0-1 0-2 1-3
    …

`tablero cover solve` solves such a file; `tablero decompose @FILE` also interprets its items.  A truncated file could
wrongly prove that there is no decomposition.  So the comments contain the number of copies and a digest of all lines after
them, and the copies are made again and compared.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from dataclasses import replace
from itertools import pairwise

from tablero.decomposition.automorphisms import Look, no_look
from tablero.decomposition.copies import warm
from tablero.decomposition.formats import load, to_json
from tablero.decomposition.models import CoverModel
from tablero.decomposition.necessary import times_bind
from tablero.decomposition.puzzle import DecompositionPuzzle
from tablero.errors import BadInput
from tablero.runs.progress import Snapshot
from tablero.runs.run import HERE, Clock, Run
from tablero.text import several
from tablero.verbs import Document

_MARK = "| decompose "
_SEAL = re.compile(r"\| copies ([0-9]{1,15}) sha256 ([0-9a-f]{64})")


def require_task(puzzle: DecompositionPuzzle) -> None:
    """Raise `BadInput` if the problem cannot be written as a task."""
    if not _is_plain(puzzle):
        raise BadInput(
            "only a plain decomposition can be a task: leave out fold, numbers of copies, perfect and symmetry"
        )
    if not puzzle.host.edges:
        raise BadInput(f"the given copies contain all edges of {puzzle.host}: nothing is left for a task")


def model_for(puzzle: DecompositionPuzzle, look: Look = no_look) -> CoverModel:
    """The exact cover of a problem."""
    require_task(puzzle)
    return puzzle.made or CoverModel.of(puzzle, look)


def task(puzzle: DecompositionPuzzle, *, run: Run = HERE) -> Document:
    """The exact cover of a problem as text; empty if the time limit is reached."""
    require_task(puzzle)
    run.report(Snapshot(doing="compiling the kernel that makes copies"))
    warm()
    run.report(Snapshot(doing="making copies"))
    clock = Clock(run)

    def look() -> None:
        if clock.is_up(0):
            raise TimeoutError

    try:
        model = model_for(puzzle, look)
    except TimeoutError:
        return Document("", notes=(f"{puzzle}: the time limit was reached before the copies were made",), status="open")
    finally:
        run.report(Snapshot(over=True))
    rows, columns, ones = model.size
    facts = {"copies": rows, "columns": columns, "ones": ones}
    size = ", ".join((several(rows, "copy", "copies"), several(columns, "column"), several(ones, "one")))
    return Document(write(model), facts, key="task", notes=(f"{puzzle}: {size}",))


def _is_plain(puzzle: DecompositionPuzzle) -> bool:
    return puzzle.symmetry is None and not puzzle.perfect and puzzle.fold == 1 and not times_bind(puzzle)


def write(model: CoverModel) -> str:
    body = _body(model)
    return (
        f"| {model.puzzle}\n{_MARK}{json.dumps(to_json(model.puzzle), ensure_ascii=False)}\n"
        f"| copies {model.copies} sha256 {_digest(body)}\n{body}"
    )


def _body(model: CoverModel) -> str:
    """The line of items, and a line for each option."""
    names = [str(item) for item in model.cover.items]
    for name in names:
        if re.search(r"[\s:|]", name):
            raise BadInput(f"the edge {name!r} has a blank, a colon or a bar in its name: it cannot be written")
    name_of_edge = names.__getitem__
    start, edge = model.table.start.tolist(), model.table.edge.tolist()
    rows = [" ".join(map(name_of_edge, edge[first:end])) for first, end in pairwise(start)]
    return "\n".join([" ".join(names), *rows]) + "\n"


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def parse(text: str, name: str = "text") -> DecompositionPuzzle:
    """Read the problem of a task; its lines must be those that `write` writes."""
    began = time.monotonic()
    text = text.replace("\r\n", "\n")
    head = re.match(r"(?:\|[^\n]*\n|[ \t]*\n)*", text)
    assert head is not None  # it may be empty
    comments = head[0].splitlines()
    body = text[head.end() :]
    problem = next((line[len(_MARK) :] for line in comments if line.startswith(_MARK)), None)
    if problem is None:
        raise BadInput(f"{name}: not a task of 'tablero decompose': expected a line that begins with {_MARK.strip()!r}")
    seal = next(filter(None, map(_SEAL.fullmatch, comments)), None)
    if seal is None:
        raise BadInput(
            f"{name}: a task without its number of copies and digest: make it again with 'tablero decompose task', "
            "or count its covers with 'tablero cover count'"
        )
    if _digest(body) != seal[2]:
        rows = sum(1 for line in body.splitlines()[1:] if line.strip())
        short = f": {rows:,} of {int(seal[1]):,} copies are there" if rows != int(seal[1]) else ""
        raise BadInput(f"{name}: the task was changed{short}; 'tablero cover count' accepts it as it is")
    puzzle = load(problem, name)
    if not _is_plain(puzzle):
        raise BadInput(f"{name}: {puzzle} is not an exact cover of edges")
    loading = time.monotonic()
    warm()
    began += time.monotonic() - loading  # loading is not part of the setup time
    model = CoverModel.of(puzzle)
    if model.copies != int(seal[1]) or _body(model) != body:
        raise BadInput(f"{name}: its lines are not the {model.copies:,} copies of {puzzle}")
    return replace(puzzle, made=replace(model, seconds=time.monotonic() - began))
