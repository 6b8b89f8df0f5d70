"""Beam search for edge matching: keep the best partial boards of each depth, and allow mismatches late.

    open side  side of a placed piece that faces an empty cell
    slot       index under which the colour of an open side is stored, freed when the side is met
    pool       sides that can meet each other: those of inner cells.  Sides along the frame are in it too, with colours of
               their own (`tables.py`).  A frame side that faces inwards is not in the pool, but meets a side that is
    n          number of sides of a colour in the pool, on pieces not yet placed
    m          n minus the sides that must meet one of these: open sides, and sides outside the pool on pieces not yet
               placed that no open side has to meet
    potential  estimate of the logarithm of the number of completions, after Owen: the sum over colours of
               ln n! − β ln Γ(m/2 + 1).  For m < 0 the second term is −δ|m|, because |m| joins cannot match.  At early
               depths the favours of the placed pieces are added (`schedule.py`)
    break      join that does not match
    rank       potential − γ · breaks
    key        rank + a random number − a price for each corner at the last piece where no piece fits (`plan.py`).
               The children with the highest keys stay in the beam

A piece changes the potential by a few table entries (`plan.py`: events).

A sample, the children of some hundred boards, gives the threshold for keys.  Then the boards are expanded in blocks, and the
children above the threshold become boards of the next generation.  A wide beam therefore keeps approximately `width` boards.
If the sample contains all boards, exactly the best `width` are kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels.children import change_by, colour_of, count_of, expand, price_corners, waiting_at
from tablero.edges.kernels.plan import (
    ANY,
    BINS,
    EXACT,
    Beam,
    Plan,
    Problem,
    Schedule,
    add_node,
    begin,
    drop_dead_nodes,
    trace,
)
from tablero.search.compiled import inlined, kernel
from tablero.search.random import below, draw, mixed

U = np.uint64
_SAMPLE = 512  # boards
_BLOCK = 512  # boards
_LOWEST = -1e300  # below every key


class _Cut(NamedTuple):
    """The lowest level of keys that is kept, and how many children of that level are kept."""

    low: float
    scale: float
    level: int
    ties: int


@inlined
def _level(key: float, low: float, scale: float) -> int:
    return int((key - low) * scale)


@inlined
def _cut(beam: Beam, count: int, want: int) -> _Cut:
    """Find the cut that keeps `want` children of a longer list."""
    low = high = beam.key[U(0)]
    for child in range(U(count)):
        low, high = min(low, beam.key[child]), max(high, beam.key[child])
    scale = (BINS - 1) / max(high - low, 1e-9)
    for level in range(U(BINS)):
        beam.bins[level] = 0
    for child in range(U(count)):
        beam.bins[U(_level(beam.key[child], low, scale))] += 1
    level, ties = BINS - 1, want
    while ties > beam.bins[U(level)]:
        ties -= beam.bins[U(level)]
        level -= 1
    return _Cut(low, scale, level, ties)


@inlined
def _keep_best(beam: Beam, count: int, cut: _Cut) -> int:
    """Keep the children above a cut, in their order; return their number."""
    kept, ties = 0, cut.ties
    for child in range(count):
        k, j = U(child), U(kept)
        level = _level(beam.key[k], cut.low, cut.scale)
        if level > cut.level or (level == cut.level and ties > 0):
            if level == cut.level:
                ties -= 1
            beam.child_of[j] = beam.child_of[k]
            beam.child[j] = beam.child[k]
            kept += 1
    return kept


@kernel
def _next_generation(
    problem: Problem,
    plan: Plan,
    beam: Beam,
    now: np.uint64,
    boards: int,
    d: np.uint64,
    allowed: int,
    schedule: Schedule,
) -> int:
    """Make the best children of a generation; return their number."""
    want = schedule.width[d]
    step = max(boards // _SAMPLE, 1)
    first = 0
    if step > 1:
        beam.random[U(0)] = draw(beam.random[U(0)])
        first = int(below(mixed(beam.random[U(0)]), U(step)))
    sample = (first, boards, step)
    count, after, gone, most = expand(problem, plan, beam, now, d, allowed, schedule, sample, _LOWEST, _LOWEST, True)
    count = price_corners(problem, plan, beam, now, d, schedule.stuck[d], _LOWEST, count)
    if step == 1 and after >= boards:
        if count > want:
            count = _keep_best(beam, count, _cut(beam, count, want))
        _make_boards(problem, plan, beam, now, d, schedule, 0, count)
        return count
    threshold = _LOWEST
    wanted = want * gone // boards
    if count > wanted:
        cut = _cut(beam, count, max(wanted, 1))
        threshold = cut.low + (cut.level + 1 - cut.ties / beam.bins[U(cut.level)]) / cut.scale
    room, made, board = beam.potential.shape[1], 0, 0
    while board < boards:
        block = (board, min(board + _BLOCK, boards), 1)
        count, board, gone, _ = expand(problem, plan, beam, now, d, allowed, schedule, block, threshold, most, False)
        count = price_corners(problem, plan, beam, now, d, schedule.stuck[d], threshold, count)
        count = min(count, room - made)
        _make_boards(problem, plan, beam, now, d, schedule, made, count)
        made += count
    return made


@inlined
def _apply_event(
    problem: Problem, beam: Beam, then: np.uint64, j: np.uint64, stage: np.uint64, event: np.uint64, colour: np.uint64
) -> float:
    """Apply an event to the counts; return the change in the potential."""
    count = count_of(beam, then, j, colour)
    beam.counts[then, j, beam.counts_at + colour] = np.int64(count) - problem.falls[event]
    return change_by(problem, stage, event, count)


@kernel
def _make_boards(
    problem: Problem,
    plan: Plan,
    beam: Beam,
    now: np.uint64,
    d: np.uint64,
    schedule: Schedule,
    made: int,
    count: int,
) -> None:
    """Make boards of the next generation from the listed children, after the `made` boards that it has."""
    then, stage = U(1) - now, schedule.stage[d]
    known, later, opened = plan.counts[d, U(0)], plan.counts[d, U(1)], plan.counts[d, U(2)]
    for child in range(count):
        j = U(made + child)
        i = U(beam.child_of[U(child)])
        place = U(beam.child[U(child)])
        look = problem.look[place]
        for w in range(U(beam.rows.shape[2])):
            beam.rows[then, j, w] = beam.rows[now, i, w]
        change, wrong = 0.0, 0
        for k in range(known):
            needed, shown = waiting_at(plan, beam, then, j, d, U(k)), colour_of(look, plan.known[d, k])
            if needed == shown:
                change += _apply_event(problem, beam, then, j, stage, plan.met[d, k], shown)
            else:
                change += _apply_event(problem, beam, then, j, stage, plan.needed[d, k], needed)
                change += _apply_event(problem, beam, then, j, stage, plan.shown[d, k], shown)
                wrong += 1
        for k in range(opened):
            change += _apply_event(problem, beam, then, j, stage, plan.event[d, k], colour_of(look, plan.opened[d, k]))
        for k in range(later):
            beam.front[then, j, beam.front_at + plan.opened_slot[d, k]] = np.uint8(colour_of(look, plan.opened[d, k]))
        piece = look >> (U(problem.neighbours.shape[1]) << U(3))
        beam.rows[then, j, piece >> U(6)] |= U(1) << (piece & U(63))
        beam.credit[then, j] = beam.credit[now, i] + schedule.favour[piece]
        beam.potential[then, j] = beam.potential[now, i] + change + schedule.trust[d] * schedule.favour[piece]
        beam.breaks[then, j] = beam.breaks[now, i] + np.int32(wrong)
        add_node(beam.lineage, now, i, j, U(problem.variant[place]))


@kernel
def _recompute_potentials(
    problem: Problem, beam: Beam, now: np.uint64, boards: int, stage: np.uint64, trust: float
) -> None:
    """Recompute the potentials with another row of `gammas` and another trust."""
    mask = (U(1) << problem.bits) - U(1)
    for board in range(boards):
        potential = trust * beam.credit[now, U(board)]
        for c in range(problem.colours):
            count = count_of(beam, now, U(board), U(c))
            potential += problem.factorials[count >> problem.bits] - problem.gammas[stage, count & mask]
        beam.potential[now, U(board)] = potential


@kernel
def search(
    problem: Problem,
    plan: Plan,
    beam: Beam,
    laying: NDArray[np.int32],
    schedule: Schedule,
    exact: bool,
    stop: NDArray[np.uint8],
) -> tuple[int, int]:
    """Fill the empty cells of a laying; return the number of breaks and the number of boards made.

    If a generation has no children, more mismatches are allowed than the schedule says, except with `exact`.
    The number of breaks is −1 if the search was stopped or a generation remained without children.
    """
    size = plan.size[0]
    now = U(0)
    boards = 1
    made = 0
    begin(beam.lineage)
    beam.credit[now, U(0)] = 0.0
    for depth in range(int(size)):
        if stop[0] != 0:
            return -1, made
        d = U(depth)
        if depth == 0 or schedule.stage[d] != schedule.stage[d - U(1)]:
            _recompute_potentials(problem, beam, now, boards, schedule.stage[d], schedule.trust[d])
        drop_dead_nodes(beam.lineage, now, boards, beam.potential.shape[1])
        allowed = EXACT if exact else schedule.allowed[d]
        count = _next_generation(problem, plan, beam, now, boards, d, allowed, schedule)
        while count == 0 and not exact and allowed < ANY:
            allowed += 1
            count = _next_generation(problem, plan, beam, now, boards, d, allowed, schedule)
        if count == 0:
            return -1, made
        boards = count
        made += count
        now = U(1) - now
    best = U(0)
    for k in range(boards):
        if beam.breaks[now, U(k)] < beam.breaks[now, best]:
            best = U(k)
    trace(beam.lineage, int(beam.lineage.of_board[now, best]), plan.cell, size, laying)
    return int(beam.breaks[now, best]), made
