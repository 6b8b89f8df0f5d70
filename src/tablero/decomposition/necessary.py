"""Necessary conditions for a decomposition: counts of edges and degrees that exclude one without a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tablero.decomposition.puzzle import DecompositionPuzzle
from tablero.text import several


def obstacle(puzzle: DecompositionPuzzle) -> str | None:
    """The first reason why there is no decomposition, or None."""
    return _edges(puzzle) or _degrees(puzzle) or _spanning(puzzle) or _dealt(puzzle)


_MOST_HANDS = 20_000  # hands that are tried before the question is left open


def _sums(sizes: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """All ways to make a total from sizes, as the number of each size."""
    if len(sizes) == 1:
        if total % sizes[0] == 0:
            yield (total // sizes[0],)
        return
    for times in range(total // sizes[0] + 1):
        for rest in _sums(sizes[1:], total - times * sizes[0]):
            yield (times, *rest)


def times_bind(puzzle: DecompositionPuzzle) -> bool:
    """Whether the given numbers of copies exclude a combination that the number of edges allows."""
    if all(part.times is None for part in puzzle.parts):
        return False
    ways = _sums([len(part.graph.edges) for part in puzzle.parts], puzzle.fold * len(puzzle.host.edges))
    return any(part.times not in (None, times) for way in ways for part, times in zip(puzzle.parts, way, strict=True))


def _edges(puzzle: DecompositionPuzzle) -> str | None:
    edges, fold = len(puzzle.host.edges), puzzle.fold
    total = edges * fold
    whole = f"{puzzle.host} has {several(edges, 'edge')}" + (f", {total:,} with a fold of {fold}" if fold > 1 else "")
    fixed = sum(len(part.graph.edges) * part.times for part in puzzle.parts if part.times is not None)
    free = [len(part.graph.edges) for part in puzzle.parts if part.times is None]
    if not free:
        return None if fixed == total else f"{whole}, the parts asked for have {fixed:,}"
    if fixed > total:
        return f"{whole}, the parts asked for have {fixed:,} already"
    if total - fixed not in _reachable(free, total - fixed):
        if len(puzzle.parts) == 1:
            return f"{whole}, which is no multiple of the {several(free[0], 'edge')} of {puzzle.parts[0].graph}"
        return f"{whole}, which the sizes of the parts do not make up"
    return None


def _degrees(puzzle: DecompositionPuzzle) -> str | None:
    """The degree of each vertex must be a sum of degrees of the parts."""
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
    """If the part spans the host, every copy takes at least its minimum degree from each vertex."""
    if len(puzzle.parts) > 1:
        return None
    part, host = puzzle.parts[0].graph, puzzle.host
    if part.vertices < host.vertices:
        return None
    copies = puzzle.fold * len(host.edges) // len(part.edges)
    each = several(copies, "copy", "copies")
    least, largest = min(part.degrees), max(part.degrees)
    for vertex, degree in enumerate(host.degrees):
        if puzzle.fold * degree < copies * least:
            return (
                f"each of the {each} meets vertex {host.labels[vertex]} in at least "
                f"{several(least, 'edge')}, but its degree is {degree}"
            )
    most = puzzle.fold * max(host.degrees) - (copies - 1) * least
    if largest > most:
        return (
            f"the maximum degree of {part} is {largest}, but at most {most} is possible: "
            f"each of the {each} meets every vertex"
        )
    sums = {0}
    for _ in range(copies):
        sums = {total + degree for total in sums for degree in set(part.degrees)}
    for vertex, degree in enumerate(host.degrees):
        if copies * least <= puzzle.fold * degree <= copies * largest and puzzle.fold * degree not in sums:
            return (
                f"each of the {each} meets vertex {host.labels[vertex]}, and its degree {degree} is no sum of "
                f"{copies} degrees of the part ({', '.join(map(str, sorted(set(part.degrees))))})"
            )
    return None


def _dealt(puzzle: DecompositionPuzzle) -> str | None:
    """The degrees of all copies must be distributed among the host's vertices, one from each copy, with the right sums.

    The copies need not be distinguished.  If each vertex has a hand of as many degrees as there are copies, and each degree
    is used as often as all copies have it, the degrees can always be assigned to copies so that every vertex has one from
    each copy, because a regular bipartite graph is a union of perfect matchings.  Degrees alone give no more.
    """
    if len(puzzle.parts) > 1:
        return None
    part, host = puzzle.parts[0].graph, puzzle.host
    copies = puzzle.fold * len(host.edges) // len(part.edges)
    degrees = Counter(part.degrees)
    if part.vertices < host.vertices:
        degrees[0] = host.vertices - part.vertices
    least = min(degrees)
    kinds = sorted((degree - least for degree in degrees if degree > least), reverse=True)
    stock = tuple(copies * degrees[kind + least] for kind in kinds)
    wanted = tuple(sorted(Counter(puzzle.fold * degree - copies * least for degree in host.degrees).items()))
    if len(kinds) < 2 or _deal(kinds, stock, wanted, copies):
        return None
    hands = ", ".join(f"{copies * degrees[degree]:,} × {degree}" for degree in sorted(degrees, reverse=True))
    sums = " or ".join(str(puzzle.fold * degree) for degree in sorted(set(host.degrees)))
    return (
        f"the degrees of the {several(copies, 'copy', 'copies')} ({hands}) cannot be dealt out to the "
        f"{host.vertices} vertices, {copies} to each with the sum {sums}"
    )


def _deal(kinds: list[int], stock: tuple[int, ...], wanted: tuple[tuple[int, int], ...], size: int) -> bool:
    """Whether the stock of each kind can be distributed in hands of at most `size` with the required sums.

    Also True if too many hands would have to be tried.  Some vertex has a degree of the largest remaining kind, and gets its
    hand next; a stock that failed before is not tried again.
    """
    tried, dead = 0, set()
    stack = [_hands(kinds, stock, wanted, size)]
    while stack:
        for left, still in stack[-1]:
            tried += 1
            if tried > _MOST_HANDS:
                return True
            if not any(left):
                if not any(total for total, _ in still):
                    return True
            elif (left, still) not in dead:
                dead.add((left, still))
                stack.append(_hands(kinds, left, still, size))
                break
        else:
            stack.pop()
    return False


def _hands(
    kinds: list[int], stock: tuple[int, ...], wanted: tuple[tuple[int, int], ...], size: int
) -> Iterator[tuple[tuple[int, ...], tuple[tuple[int, int], ...]]]:
    """The hands that have one of the largest remaining kind, as the remaining stock and the remaining sums."""
    first = next(k for k, number in enumerate(stock) if number)

    def fill(k: int, total: int, room: int) -> Iterator[tuple[int, ...]]:
        if k == len(kinds):
            if total == 0:
                yield ()
            return
        most = min(stock[k], room, total // kinds[k])
        if k == len(kinds) - 1:  # the last kind must complete the sum
            if most * kinds[k] == total:
                yield (most,)
            return
        for number in range(most, -1 if k > first else 0, -1):
            for rest in fill(k + 1, total - number * kinds[k], room - number):
                yield (number, *rest)

    for total, _ in wanted:
        still = tuple((t, v - (t == total)) for t, v in wanted if t != total or v > 1)
        for hand in fill(first, total, size):
            left = tuple(have - gone for have, gone in zip(stock[first:], hand, strict=True))
            yield stock[:first] + left, still
