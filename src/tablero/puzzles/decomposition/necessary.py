"""Reasons why there can be no decomposition, found by counting edges and degrees: no search is needed to be sure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tablero.puzzles.decomposition.puzzle import DecompositionPuzzle


def obstacle(puzzle: DecompositionPuzzle) -> str | None:
    """The first reason against, in words, or None where counting knows none."""
    return _edges(puzzle) or _degrees(puzzle) or _spanning(puzzle)


def numbers_of_copies(puzzle: DecompositionPuzzle) -> Iterator[tuple[int, ...]]:
    """All ways to make the number of edges, as how many copies of each part; times that are given are not heeded."""
    sizes = [len(part.graph.edges) for part in puzzle.parts]
    return _sums(sizes, puzzle.fold * len(puzzle.host.edges))


def _sums(sizes: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    if len(sizes) == 1:
        if total % sizes[0] == 0:
            yield (total // sizes[0],)
        return
    for times in range(total // sizes[0] + 1):
        for rest in _sums(sizes[1:], total - times * sizes[0]):
            yield (times, *rest)


def times_bind(puzzle: DecompositionPuzzle) -> bool:
    """Whether the times that are given exclude a way that the number of edges allows."""
    if all(part.times is None for part in puzzle.parts):
        return False
    return any(
        any(part.times not in (None, times) for part, times in zip(puzzle.parts, way, strict=True))
        for way in numbers_of_copies(puzzle)
    )


def _edges(puzzle: DecompositionPuzzle) -> str | None:
    edges, fold = len(puzzle.host.edges), puzzle.fold
    total = edges * fold
    whole = f"{puzzle.host} has {edges:,} edges" + (f", {total:,} with a fold of {fold}" if fold > 1 else "")
    fixed = sum(len(part.graph.edges) * part.times for part in puzzle.parts if part.times is not None)
    free = [len(part.graph.edges) for part in puzzle.parts if part.times is None]
    if not free:
        return None if fixed == total else f"{whole}, the parts asked for have {fixed:,}"
    if fixed > total:
        return f"{whole}, the parts asked for have {fixed:,} already"
    if total - fixed not in _reachable(free, total - fixed):
        if len(puzzle.parts) == 1:
            return f"{whole}, which is no multiple of the {free[0]} edges of {puzzle.parts[0].graph}"
        return f"{whole}, which the sizes of the parts do not make up"
    return None


def _degrees(puzzle: DecompositionPuzzle) -> str | None:
    """Each vertex's degree must be a sum of degrees of the parts."""
    steps = sorted({degree for part in puzzle.parts for degree in part.graph.degrees})
    made = _reachable(steps, puzzle.fold * max(puzzle.host.degrees))
    for vertex, degree in enumerate(puzzle.host.degrees):
        if puzzle.fold * degree not in made:
            return (
                f"vertex {puzzle.host.labels[vertex]} of {puzzle.host} has the degree {degree}"
                f"{f' × {puzzle.fold}' if puzzle.fold > 1 else ''}, which is no sum of the degrees of the parts "
                f"({', '.join(map(str, steps))})"
            )
    return None


def _reachable(steps: Sequence[int], most: int) -> set[int]:
    made = {0}
    for value in range(1, most + 1):
        if any(value - step in made for step in steps):
            made.add(value)
    return made


def _spanning(puzzle: DecompositionPuzzle) -> str | None:
    """A part that meets every vertex leaves room for one large degree only: each other copy takes its least."""
    if len(puzzle.parts) > 1:
        return None
    part, host = puzzle.parts[0].graph, puzzle.host
    if part.vertices < host.vertices:
        return None
    copies = puzzle.fold * len(host.edges) // len(part.edges)
    least, largest = min(part.degrees), max(part.degrees)
    for vertex, degree in enumerate(host.degrees):
        if puzzle.fold * degree < copies * least:
            return (
                f"each of the {copies} copies meets vertex {host.labels[vertex]} in at least {least} "
                f"edge{'' if least == 1 else 's'}, but its degree is {degree}"
            )
    most = puzzle.fold * max(host.degrees) - (copies - 1) * least
    if largest > most:
        return (
            f"the maximum degree of {part} is {largest}, but at most {most} is possible: "
            f"each of the {copies} copies meets every vertex"
        )
    sums = {0}
    for _ in range(copies):
        sums = {total + degree for total in sums for degree in set(part.degrees)}
    for vertex, degree in enumerate(host.degrees):
        if copies * least <= puzzle.fold * degree <= copies * largest and puzzle.fold * degree not in sums:
            return (
                f"each of the {copies} copies meets vertex {host.labels[vertex]}, and its degree {degree} is no sum of "
                f"{copies} degrees of the part ({', '.join(map(str, sorted(set(part.degrees))))})"
            )
    return None
