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
from pathlib import Path

import numpy as np

from tablero.errors import BadInput
from tablero.puzzles.cover import formats as cover_formats
from tablero.puzzles.decomposition.check import Checker
from tablero.puzzles.decomposition.formats import load, to_json
from tablero.puzzles.decomposition.models import CoverModel, Table, edge_name, model_of
from tablero.puzzles.decomposition.puzzle import DecompositionPuzzle

_MARK = "| decompose "


def model_for(puzzle: DecompositionPuzzle) -> CoverModel:
    """The exact cover of a problem; only plain ones fit into a file."""
    model = None if puzzle.symmetry is not None or puzzle.perfect else model_of(puzzle)
    if not isinstance(model, CoverModel):
        raise BadInput(
            "--save-task: only a plain decomposition is an exact cover of edges, without fold, times or symmetry"
        )
    return model


def write(model: CoverModel) -> str:
    comment = f"{model.puzzle}\n{_MARK[2:]}{json.dumps(to_json(model.puzzle), ensure_ascii=False)}"
    return cover_formats.write(model.cover, comment)


def read(path: Path) -> CoverModel:
    """The problem and the copies of a file; copies may have been taken out of it, but not changed."""
    cover = cover_formats.read(path)
    with path.open(encoding="utf-8") as stream:
        head = next((line for line in stream if line.startswith(_MARK)), None)
    if head is None:
        raise BadInput(f"{path}: not a task of 'tablero decompose': expected a line that begins with {_MARK.strip()!r}")
    puzzle = load(head[len(_MARK) :].encode(), str(path))
    names = [edge_name(puzzle.host, edge) for edge in puzzle.host.edges]
    if list(cover.items) != names or cover.primary != len(names):
        raise BadInput(f"{path}: its items are not the edges of {puzzle.host}")
    checker = Checker(puzzle)
    table = Table(cover.table.start, cover.table.item, np.zeros(len(cover), np.int32))
    for k in range(len(cover)):
        kind = checker.kind(table.copy(k, puzzle.host))
        if kind is None:
            raise BadInput(f"{path}: option {k + 1} is not a copy of {' or '.join(str(p.graph) for p in puzzle.parts)}")
        table.kind[k] = kind
    return CoverModel(puzzle, table, cover)
