"""Task files: the exact cover of a decomposition in Knuth's format, with a comment that says what it came from.

    | K4 into double-star-4
    | decompose {"host": …, "parts": …, "fold": 1}
    0-1 0-2 0-3 1-2 1-3 2-3
    0-1 0-2 1-3
    …

`tablero cover solve` solves such a file as it is; `tablero decompose --task` also knows what its items mean.
"""

from __future__ import annotations

import json
import re

import numpy as np

from tablero.errors import BadInput
from tablero.files import Source, name_of, read_text
from tablero.puzzles.cover import formats as cover_formats
from tablero.puzzles.decomposition.check import Checker, Copy
from tablero.puzzles.decomposition.formats import load, to_json
from tablero.puzzles.decomposition.models import CoverModel, Table, edge_name, model_of
from tablero.puzzles.decomposition.necessary import times_bind
from tablero.puzzles.decomposition.puzzle import DecompositionPuzzle
from tablero.puzzles.decomposition.solve import Found, find
from tablero.runs.runner import HERE, Run, Session, require_here

_MARK = "| decompose "


def model_for(puzzle: DecompositionPuzzle) -> CoverModel:
    """The exact cover of a problem; only plain ones fit into a file."""
    model = model_of(puzzle) if _is_plain(puzzle) else None
    if not isinstance(model, CoverModel):
        raise BadInput(
            "--save-task: only a plain decomposition is an exact cover of edges, without fold, times or symmetry"
        )
    return model


def _is_plain(puzzle: DecompositionPuzzle) -> bool:
    return puzzle.symmetry is None and not puzzle.perfect and puzzle.fold == 1 and not times_bind(puzzle)


def write(model: CoverModel) -> str:
    comment = f"{model.puzzle}\n{_MARK[2:]}{json.dumps(to_json(model.puzzle), ensure_ascii=False)}"
    return cover_formats.write(model.cover, comment)


def read(source: Source) -> CoverModel:
    """The problem and the copies of a file; copies may have been taken out of it, but not changed."""
    text, name = read_text(source, cover_formats.MOST_BYTES), name_of(source)
    cover = cover_formats.parse(text, name)
    head = re.search(rf"^{re.escape(_MARK)}(.*)$", text, re.MULTILINE)
    if head is None:
        raise BadInput(f"{name}: not a task of 'tablero decompose': expected a line that begins with {_MARK.strip()!r}")
    puzzle = load(head[1], name)
    if not _is_plain(puzzle):
        raise BadInput(f"{name}: {puzzle} is no exact cover of edges")
    names = [edge_name(puzzle.host, edge) for edge in puzzle.host.edges]
    if list(cover.items) != names or cover.primary != len(names):
        raise BadInput(f"{name}: its items are not the edges of {puzzle.host}")
    checker = Checker(puzzle)
    table = Table(cover.table.start, cover.table.item, np.zeros(len(cover), np.int32))
    numbers: dict[Copy, int] = {}
    for k in range(len(cover)):
        copy = table.copy(k, puzzle.host)
        kind = checker.kind(copy)
        if kind is None:
            raise BadInput(f"{name}: option {k + 1} is not a copy of {' or '.join(str(p.graph) for p in puzzle.parts)}")
        if (before := numbers.setdefault(copy, k)) != k:
            raise BadInput(f"{name}: option {k + 1} is the same copy as option {before + 1}")
        table.kind[k] = kind
    return CoverModel(puzzle, table, cover)


def solve(task: CoverModel, most: int | None = 1, *, run: Run = HERE) -> Found:
    """Up to `most` decompositions (None: all) into copies that the task has."""
    return _find(task, "solve", most, run)


def count(task: CoverModel, *, run: Run = HERE) -> Found:
    """How many decompositions there are into copies that the task has."""
    return _find(task, "count", None, run)


def _find(task: CoverModel, verb: str, most: int | None, run: Run) -> Found:
    require_here(run, "a task")  # a job's problem says nothing of copies that were taken out
    with Session(run) as session:
        return find(task.puzzle, verb, most, session, model=task)
