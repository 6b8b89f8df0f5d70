"""The children of a beam's boards: the variants that fit the next cell, and their keys.

The inner loops have no branch on the key, because it could not be predicted: each child is written to the list, and the list
grows only if the child is good enough.

`beam.py` defines pool, n, m, potential, rank and key; `plan.py` defines event, count and look.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tablero.edges.kernels.plan import (
    ANY,
    EXACT,
    NOTHING,
    ONE,
    WAITS,
    Beam,
    Floats,
    Plan,
    Problem,
    Schedule,
)
from tablero.search.compiled import inlined, kernel, lowest, popcount
from tablero.search.random import draw, mixed, unit

U = np.uint64


class _Cell(NamedTuple):
    """What all boards of a depth share."""

    problem: Problem
    plan: Plan
    beam: Beam
    now: np.uint64  # the generation
    threshold: float  # the lowest key that is kept
    d: np.uint64
    stage: np.uint64
    gamma: float
    noise: float
    allowed: int
    kind: np.uint64
    known: np.uint64
    opened: np.uint64
    first: np.uint64  # the first two opened sides; with fewer, the missing ones have the event NOTHING
    second: np.uint64
    first_n: Floats  # the change by their events, by n and by m
    first_m: Floats
    second_n: Floats
    second_m: Floats
    twin: np.uint64  # the fall of m for the second side if it shows the colour of the first
    favour: Floats
    trust: float


@inlined
def colour_of(look: np.uint64, side: np.uint64) -> np.uint64:
    return look >> (side << U(3)) & U(255)


@inlined
def change_by(problem: Problem, stage: np.uint64, event: np.uint64, count: np.uint64) -> float:
    """The change in the potential by an event."""
    mask = (U(1) << problem.bits) - U(1)
    return float(problem.by_n[event, count >> problem.bits] + problem.by_m[stage, event, count & mask])


@inlined
def count_of(beam: Beam, now: np.uint64, i: np.uint64, colour: np.uint64) -> np.uint64:
    return U(beam.counts[now, i, beam.counts_at + colour])


@inlined
def waiting_at(plan: Plan, beam: Beam, now: np.uint64, i: np.uint64, d: np.uint64, k: np.uint64) -> np.uint64:
    """The colour that a known side must show."""
    return U(beam.front[now, i, beam.front_at + plan.known_slot[d, k]])


@inlined
def _opened_change(cell: _Cell, i: np.uint64, look: np.uint64) -> float:
    """The change in the potential by a piece and the sides that it opens."""
    problem, plan, beam, now = cell.problem, cell.plan, cell.beam, cell.now
    bits, mask = problem.bits, (U(1) << problem.bits) - U(1)
    first, second = colour_of(look, cell.first), colour_of(look, cell.second)
    one, two = count_of(beam, now, i, first), count_of(beam, now, i, second)
    two -= cell.twin * U(first == second)
    change = (
        cell.first_n[one >> bits] + cell.first_m[one & mask] + cell.second_n[two >> bits] + cell.second_m[two & mask]
    )
    for k in range(U(2), cell.opened):
        there = count_of(beam, now, i, colour_of(look, plan.opened[cell.d, k]))
        change += change_by(problem, cell.stage, plan.event[cell.d, k], there)
    return float(change + cell.trust * cell.favour[look >> (U(problem.neighbours.shape[1]) << U(3))])


@inlined
def _known_change(cell: _Cell, i: np.uint64, look: np.uint64, start: np.uint64) -> tuple[float, int]:
    """The change in the rank by the known sides of a variant from `start` on, and the number of mismatches.

    Each side is treated as if it were the only one.
    """
    problem, plan, beam, now = cell.problem, cell.plan, cell.beam, cell.now
    d, stage = cell.d, cell.stage
    change, wrong = 0.0, 0
    for k in range(start, cell.known):
        needed, shown = waiting_at(plan, beam, now, i, d, U(k)), colour_of(look, plan.known[d, k])
        there = count_of(beam, now, i, shown)
        if needed == shown:
            change += change_by(problem, stage, plan.met[d, k], there)
        else:
            change += change_by(problem, stage, plan.needed[d, k], count_of(beam, now, i, needed)) - cell.gamma
            change += change_by(problem, stage, plan.shown[d, k], there)
            wrong += 1
    return change, wrong


@inlined
def _places_of(
    problem: Problem, listed: np.uint64, w: np.uint64, held: np.uint64, bit: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """The range in `variant` of the piece of a bit of `held`, a word of a list."""
    turn = problem.first[listed, w] + popcount(held & ((U(1) << bit) - U(1)))
    return U(problem.turns[turn]), U(problem.turns[turn + U(1)])


@inlined
def _add_child(beam: Beam, i: np.uint64, place: np.uint64, key: float, count: int, good: bool) -> int:
    """Write a child to the list; return the length of the list, which includes it only if it is good."""
    at = U(count)
    beam.key[at] = key
    beam.child_of[at] = np.int32(i)
    beam.child[at] = np.int32(place)
    return count + int(good)


@inlined
def _add_matching(cell: _Cell, i: np.uint64, count: int, random: np.uint64) -> tuple[int, np.uint64]:
    """Add the children whose first two known sides match."""
    problem, plan, beam, now = cell.problem, cell.plan, cell.beam, cell.now
    sides, colours = U(problem.neighbours.shape[1]), U(problem.colours)
    d, row, threshold = cell.d, beam.rows[now, i], cell.threshold
    a, b = waiting_at(plan, beam, now, i, d, U(0)), waiting_at(plan, beam, now, i, d, U(1))
    base = beam.potential[now, i] - cell.gamma * beam.breaks[now, i]
    base += change_by(problem, cell.stage, plan.met[d, U(0)], count_of(beam, now, i, a))
    base += change_by(problem, cell.stage, plan.met[d, U(1)], count_of(beam, now, i, b))
    at = (((cell.kind * sides + plan.known[d, U(0)]) * sides + plan.known[d, U(1)]) * colours + a) * colours + b
    for place in range(problem.two[at], problem.two[at + U(1)]):
        look = problem.look[place]
        piece = look >> (sides << U(3))
        free = row[piece >> U(6)] >> (piece & U(63)) & U(1) == U(0)
        value = base + _opened_change(cell, i, look)
        change, wrong = _known_change(cell, i, look, U(2))
        random = draw(random)
        key = value + change + cell.noise * unit(mixed(random))
        count = _add_child(beam, i, U(place), key, count, free & (key >= threshold) & (wrong <= cell.allowed))
    return count, random


@inlined
def _add_mismatching(
    cell: _Cell, i: np.uint64, count: int, random: np.uint64, most: float, sampling: bool
) -> tuple[int, np.uint64, float]:
    """Add the children with one mismatch, at one of the first two known sides; the other side selects the list.

    `most` is the largest change seen in a sample, without the part that a whole list shares.  A list whose keys cannot reach
    the threshold with it is skipped.
    """
    problem, plan, beam, now = cell.problem, cell.plan, cell.beam, cell.now
    sides, colours = U(problem.neighbours.shape[1]), U(problem.colours)
    d, row, threshold = cell.d, beam.rows[now, i], cell.threshold
    base = beam.potential[now, i] - cell.gamma * (beam.breaks[now, i] + 1)
    for which in range(U(2)):
        other = U(1) - which
        match, miss = waiting_at(plan, beam, now, i, d, U(which)), waiting_at(plan, beam, now, i, d, other)
        same = base + change_by(problem, cell.stage, plan.met[d, which], count_of(beam, now, i, match))
        same += change_by(problem, cell.stage, plan.needed[d, other], count_of(beam, now, i, miss))
        if not sampling and same + most + cell.noise < threshold:
            continue
        side, event = plan.known[d, other], plan.shown[d, other]
        listed = cell.kind * (sides * colours + U(1)) + plan.known[d, which] * colours + match
        for w in range(U(problem.holds.shape[1])):
            held = problem.holds[listed, w]
            left = held & ~row[w]
            while left != U(0):
                start, end = _places_of(problem, listed, U(w), held, lowest(left))
                left &= left - U(1)
                for place in range(start, end):
                    look = problem.look[place]
                    shown = colour_of(look, side)
                    change = change_by(problem, cell.stage, event, count_of(beam, now, i, shown))
                    change += _opened_change(cell, i, look)
                    more, wrong = _known_change(cell, i, look, U(2))
                    change += more
                    good = (shown != miss) & (wrong == 0)
                    if sampling and good:
                        most = max(most, change)
                    random = draw(random)
                    key = same + change + cell.noise * unit(mixed(random))
                    count = _add_child(beam, i, U(place), key, count, good & (key >= threshold))
    return count, random, most


@inlined
def _add_any(cell: _Cell, i: np.uint64, count: int, random: np.uint64) -> tuple[int, np.uint64]:
    """Add the children with up to the allowed number of mismatches.

    One known side selects the list if no mismatch is allowed; otherwise all pieces are tried.
    """
    problem, plan, beam, now = cell.problem, cell.plan, cell.beam, cell.now
    sides, colours = U(problem.neighbours.shape[1]), U(problem.colours)
    d, row, threshold = cell.d, beam.rows[now, i], cell.threshold
    base = beam.potential[now, i] - cell.gamma * beam.breaks[now, i]
    listed = cell.kind * (sides * colours + U(1))
    if cell.known == U(1) and cell.allowed == EXACT:
        listed += plan.known[d, U(0)] * colours + waiting_at(plan, beam, now, i, d, U(0))
    else:
        listed += sides * colours
    for w in range(U(problem.holds.shape[1])):
        held = problem.holds[listed, w]
        left = held & ~row[w]
        while left != U(0):
            start, end = _places_of(problem, listed, U(w), held, lowest(left))
            left &= left - U(1)
            for place in range(start, end):
                look = problem.look[place]
                change, wrong = _known_change(cell, i, look, U(0))
                random = draw(random)
                key = base + change + _opened_change(cell, i, look)
                key += cell.noise * unit(mixed(random))
                count = _add_child(beam, i, U(place), key, count, (wrong <= cell.allowed) & (key >= threshold))
    return count, random


@kernel
def price_corners(
    problem: Problem,
    plan: Plan,
    beam: Beam,
    now: np.uint64,
    d: np.uint64,
    price: float,
    threshold: float,
    count: int,
) -> int:
    """Lower the keys of listed children by `price` for each corner where no piece fits; keep those above the threshold."""
    corners = plan.counts[d, U(3)]
    if corners == U(0) or price == 0.0:
        return count
    kept = 0
    for each in range(U(count)):
        i, place, key = U(beam.child_of[each]), U(beam.child[each]), beam.key[each]
        look = problem.look[place]
        piece = look >> (U(problem.neighbours.shape[1]) << U(3))
        for k in range(corners):
            corner = plan.corner[d, k]
            opened, known = colour_of(look, corner[U(0)]), U(beam.front[now, i, beam.front_at + corner[U(1)]])
            row = U(problem.fit_of[corner[U(2)] + opened * corner[U(3)] + known * corner[U(4)]])
            fitting = U(0)
            for w in range(U(problem.fits.shape[1])):
                laid = beam.rows[now, i, w] | U(piece >> U(6) == w) << (piece & U(63))
                fitting |= problem.fits[row, w] & ~laid
            key -= price if fitting == U(0) else 0.0
        kept = _add_child(beam, i, place, key, kept, key >= threshold)
    return kept


@kernel
def expand(
    problem: Problem,
    plan: Plan,
    beam: Beam,
    now: np.uint64,
    d: np.uint64,
    allowed: int,
    schedule: Schedule,
    boards: tuple[int, int, int],
    threshold: float,
    most: float,
    sampling: bool,
) -> tuple[int, int, int, float]:
    """List the children of some boards (from, to, step) above the threshold, until the list is full.

    Return the number of children, the next board, the number of boards expanded, and `most` (see `_add_mismatching`).
    """
    opened, stage = plan.counts[d, U(2)], schedule.stage[d]
    first = plan.event[d, U(0)] if opened > U(0) else NOTHING
    second = plan.event[d, U(1)] if opened > U(1) else NOTHING
    cell = _Cell(
        problem,
        plan,
        beam,
        now,
        threshold,
        d,
        stage,
        schedule.gamma[d],
        schedule.noise[d],
        allowed,
        problem.kind[plan.cell[d]],
        plan.counts[d, U(0)],
        opened,
        plan.opened[d, U(0)],
        plan.opened[d, U(1)],
        problem.by_n[first],
        problem.by_m[stage, first],
        problem.by_n[second],
        problem.by_m[stage, second],
        U(2) if first == WAITS and second == WAITS else U(0),
        schedule.favour,
        schedule.trust[d],
    )
    full = len(beam.child) - 2 * problem.shows.shape[0]  # one board has at most two children a variant
    board, end, step = boards
    count, expanded = 0, 0
    random = beam.random[U(0)]
    while board < end and count < full:
        i = U(board)
        if cell.known >= U(2) and allowed != ANY:
            count, random = _add_matching(cell, i, count, random)
            if allowed == ONE:
                count, random, most = _add_mismatching(cell, i, count, random, most, sampling)
        else:
            count, random = _add_any(cell, i, count, random)
        board += step
        expanded += 1
    beam.random[U(0)] = random
    return count, board, expanded, most
