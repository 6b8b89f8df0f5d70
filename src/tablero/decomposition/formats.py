"""Reads and writes problems and answers.

A problem is a JSON object.  Graphs are in graph6; `times`, `labels`, `symmetry` and `perfect` are optional:

    {"host": {"graph6": "C~", "name": "K4", "labels": ["a", "b", "c", "d"]},
     "parts": [{"graph6": "Bg", "name": "path-3", "times": 3}], "fold": 1, "symmetry": [1, 0, 3, 2], "perfect": false}

Conditions and given copies are present if the problem has them.  Task files are read as well: see `tasks`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import msgspec

from tablero.decomposition import words
from tablero.decomposition.graph import Copy, Edge, Graph, Label, Part, permutation_of
from tablero.decomposition.puzzle import Decomposition, DecompositionPuzzle, by_number, decompose
from tablero.errors import BadInput
from tablero.files import Source, name_of, plain_text, read_text
from tablero.verbs.parameters import spell

MOST_BYTES = 1 << 28  # of a task


def read(source: Source, *, into: Any = None) -> DecompositionPuzzle:
    """Read a problem from a path, an open file, or "-" for standard input.

    Parameters
    ----------
    source
        A path, an open text file, or "-".
    into
        The parts, as for `decompose`, if the file contains only a graph.

    Raises
    ------
    BadInput
        If the file is not a problem, a task or a graph.
    """
    return _problem(read_text(source, MOST_BYTES), name_of(source), words.stem_of(source), into)


def parse(text: str, source: str = "text", *, into: Any = None) -> DecompositionPuzzle:
    """Read a problem as `write` wrote it, a task, or a host as an edge list or graph6.

    Parameters
    ----------
    text
        The text.
    source
        The name of the text in error messages.
    into
        The parts, as for `decompose`, if the text is a host; by default double stars.

    Raises
    ------
    BadInput
        If the text is not a problem, a task or a graph.
    """
    return _problem(plain_text(text, source), source, "", into)


def named(host: str, into: Any = None, **settings: Any) -> DecompositionPuzzle:
    """A problem from a host, which may be @FILE, and the settings of `decompose`.

    If the file contains a whole problem or a task, the settings must be empty.
    """
    into = into or None
    if not host.startswith("@"):
        return decompose(host, into, **settings)
    name, text = name_of(host[1:]), read_text(host[1:], MOST_BYTES)
    if not _is_problem(text):
        return decompose(words.parse_graph(text, name, words.stem_of(host[1:])), into, **settings)
    plain = ({"into": into} | settings).items()
    if more := [key for key, value in plain if value and not (key == "fold" and value == 1)]:
        raise BadInput(f"{spell(more[0])}: {name} defines the whole problem: leave it out")
    return _problem(text, name, "", None)


def _is_problem(text: str) -> bool:
    """Whether the text is a problem or a task.  (A graph6 word has no blank and no quote.)"""
    return re.match(r'\s*(\{\s*(["}]|$)|\|\s)', text) is not None


def _problem(text: str, source: str, name: str, into: Any) -> DecompositionPuzzle:
    if not _is_problem(text):
        return decompose(words.parse_graph(text, source, name), into)
    if into is not None:
        raise BadInput(f"{source}: the file defines the parts: leave `into` out")
    if text.lstrip().startswith("{"):
        return load(text, source)
    from tablero.decomposition import tasks

    return tasks.parse(text, source)


def write(puzzle: DecompositionPuzzle) -> str:
    """Return the problem as JSON text, which `parse` reads."""
    return json.dumps(to_json(puzzle)) + "\n"


def to_json(puzzle: DecompositionPuzzle) -> dict[str, Any]:
    """A problem as plain values for JSON; `load` reads them."""
    host = puzzle.host
    values: dict[str, Any] = {
        "host": {"graph6": words.to_graph6(host), "name": host.name},
        "parts": [{"graph6": words.to_graph6(p.graph), "name": p.graph.name, "times": p.times} for p in puzzle.parts],
        "fold": puzzle.fold,
    }
    if host.labels != tuple(range(host.vertices)):
        values["host"]["labels"] = [_plain(label) for label in host.labels]
    if puzzle.symmetry is not None:
        values["symmetry"] = list(puzzle.symmetry)
    if puzzle.perfect:
        values["perfect"] = True
    if puzzle.conditions is not None:
        values["conditions"] = [list(pair) for pair in puzzle.conditions]
    if puzzle.given:
        values["given"] = [[list(edge) for edge in copy] for copy in puzzle.given]
    return values


class _Graph(msgspec.Struct, forbid_unknown_fields=True):
    graph6: str
    name: str
    labels: list[int | str] = []


class _Part(msgspec.Struct, forbid_unknown_fields=True):
    graph6: str
    name: str
    times: int | None = None


class _Problem(msgspec.Struct, forbid_unknown_fields=True):
    host: _Graph
    parts: list[_Part]
    fold: int
    symmetry: list[int] | None = None
    perfect: bool = False
    conditions: list[tuple[int, int]] | None = None
    given: list[list[tuple[int, int]]] = []


def load(text: str | bytes, source: str) -> DecompositionPuzzle:
    """A problem from JSON; raises `BadInput` if it is invalid."""
    try:
        return _made(msgspec.json.decode(text, type=_Problem))
    except (ValueError, RecursionError) as error:  # also BadInput
        raise BadInput(f"{source}: not a decomposition problem: {error}") from None


def _made(problem: _Problem) -> DecompositionPuzzle:
    graph, labels = words.of_graph6(problem.host.graph6), problem.host.labels
    if len(set(labels)) < len(labels):
        raise BadInput("the labels are not different numbers or names")
    if labels and len(labels) != graph.vertices:
        raise BadInput(f"{len(labels)} labels for {graph.vertices} vertices")
    host = Graph(graph.vertices, graph.edges, tuple(labels), problem.host.name)
    parts = []
    for part in problem.parts:
        piece = words.of_graph6(part.graph6)
        parts.append(Part(Graph(piece.vertices, piece.edges, name=part.name), part.times))
    turn = None if problem.symmetry is None else _turn(problem.symmetry, host)
    given = tuple(_given(copy, host) for copy in problem.given)
    if problem.conditions is not None and not parts:
        raise BadInput("the conditions are on no part")
    conditions = None if problem.conditions is None else by_number(problem.conditions, parts[0].graph)
    return DecompositionPuzzle(host, tuple(parts), problem.fold, turn, problem.perfect, conditions, given)


def _given(copy: list[tuple[int, int]], host: Graph) -> Copy:
    """A given copy from edges [u, v] with the numbers of the vertices."""
    if not all(0 <= u < v < host.vertices for u, v in copy):
        raise BadInput(f"a given copy is {words.short(str(copy))}, expected edges [u, v] in order")
    return tuple(copy)


def _turn(images: list[int], host: Graph) -> tuple[int, ...]:
    if len(images) != host.vertices or any(not 0 <= k < host.vertices for k in images):
        raise BadInput(f"the symmetry is not a list of {host.vertices} vertices")
    return permutation_of({label: host.labels[k] for label, k in zip(host.labels, images, strict=True)}, host)


def edges_to_json(host: Graph, edges: Sequence[Edge]) -> list[list[int | str]]:
    """Edges as lists [u, v] for JSON."""
    return [[_plain(end) for end in host.named(edge)] for edge in edges]


def _plain(label: Label) -> int | str:
    return label if isinstance(label, (int, str)) else str(label)


def copy_text(host: Graph) -> Callable[[Sequence[Edge]], str]:
    """A function that formats a copy: a path or a cycle of three or more edges as a walk 0-1-2, other parts as edges."""

    def text(copy: Sequence[Edge]) -> str:
        walk = words.walk_of(copy)
        return host.text(copy, " ") if walk is None else "-".join(str(host.labels[vertex]) for vertex in walk)

    return text


def read_edge_lists(source: Source, puzzle: DecompositionPuzzle) -> list[Decomposition]:
    """Read decompositions in the format of the command's output: parts as edges or as walks 0-1-2."""
    name = name_of(source)
    numbers = {str(label): k for k, label in enumerate(puzzle.host.labels)}
    blocks: list[list[Copy]] = [[]]
    for place, line in enumerate(read_text(source).splitlines(), 1):
        text = line.partition("#")[0].strip()
        if not text or re.fullmatch(r"(decomposition|class) [0-9]+.*", text):
            blocks += [[]] if blocks[-1] else []
            continue
        blocks[-1].append(_part_of(text, numbers, f"{name}:{place}", str(puzzle.host)))
    found = [Decomposition(puzzle.host, tuple(block), str(puzzle)) for block in blocks if block]
    if not found:
        raise BadInput(f"{name}: no decomposition; expected a part on each line as 0-1 1-2, or a walk as 0-1-2")
    return found


def _part_of(text: str, numbers: dict[str, int], where: str, host: str) -> Copy:
    edges = []
    for word in text.replace(",", " ").split():
        ends = word.split("-")
        if len(ends) < 2:
            raise BadInput(f"{where}: {words.short(word)}: expected an edge as 0-1, or a walk as 0-1-2")
        for end in ends:
            if end not in numbers:
                raise BadInput(f"{where}: {words.short(end)} is not a vertex of {host}")
        for first, second in pairwise(numbers[end] for end in ends):
            edges.append((min(first, second), max(first, second)))
    return tuple(sorted(edges))
