"""Edge matching by beam search: at every depth the partial boards that promise most, mismatches allowed late.

    pool      sides that may meet each other: those of inner cells; and those along the frame, which have colours of their
              own (`tables.py`).  A side of the frame that looks inwards is outside the pool: it meets a side of it only
    n, m      of a colour: its sides in the pool on pieces that are not laid; and n less the sides that must meet one of
              them: open ones, which face empty cells, and those outside the pool on pieces that are not laid, unless an
              open side waits for these
    potential about Owen's count of what remains: the sum over colours of ln n! − β ln Γ(m/2 + 1); where m < 0, −δ|m| instead
              of the second part, since so many joins must break; and, early, a favour for each piece laid whose colours are
              to be used up first (`schedule.py`)
    break     a join that does not match
    rank      potential − γ · breaks
    key       rank + a random number − a price for each corner of the piece laid last where no piece fits (`plan.py`):
              what decides who stays in the beam
    slot      a place for the colour of an open side, given back when the side is met

Every piece changes the potential by a few table entries only (`plan.py`: events).  Cells that are laid from the start
(clues, or the rest of a board under repair) only set the stage.

How high a key must be is found from a sample, the children of some hundred boards.  Then all boards are gone through once, a
block at a time, and their children with such keys are made while the block is at hand.  So a wide beam keeps about as many
boards as it is wide; one that the sample holds whole keeps exactly as many, the best.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.edges.kernels.children import change_by, colour_of, count_of, expand, foresee, waiting_at
from tablero.edges.kernels.plan import (
    ANY,
    BINS,
    EXACT,
    Beam,
    Plan,
    Problem,
    Schedule,
    begin,
    lay,
    make_room,
    trace,
)
from tablero.search.compiled import inlined, kernel
from tablero.search.random import below, draw, mixed

U = np.uint64
_SAMPLE = 512  # boards
_BLOCK = 512  # boards
_LOWEST = -1e300  # below every key


class _Cut(NamedTuple):
    """Where a list of children is cut: levels of their keys, and how many of the lowest level that is kept are kept."""

    low: float
    scale: float
    level: int
    ties: int


@inlined
def _level(key: float, low: float, scale: float) -> int:
    return int((key - low) * scale)


@inlined
def _cut(beam: Beam, count: int, want: int) -> _Cut:
    """Where to cut a list with more children than are wanted."""
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
def _sift(beam: Beam, count: int, cut: _Cut) -> int:
    """Keep the children above a cut, in the order in which they came; return how many."""
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
    """Make the best children of all boards of a generation; return how many."""
    want = schedule.width[d]
    step = max(boards // _SAMPLE, 1)
    begin_with = 0
    if step > 1:
        beam.random[U(0)] = draw(beam.random[U(0)])
        begin_with = int(below(mixed(beam.random[U(0)]), U(step)))
    sample = (begin_with, boards, step)
    count, after, gone, most = expand(problem, plan, beam, now, d, allowed, schedule, sample, _LOWEST, _LOWEST, True)
    count = foresee(problem, plan, beam, now, d, schedule.stuck[d], _LOWEST, count)
    if step == 1 and after >= boards:
        if count > want:
            count = _sift(beam, count, _cut(beam, count, want))
        _breed(problem, plan, beam, now, d, schedule, 0, count)
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
        count = foresee(problem, plan, beam, now, d, schedule.stuck[d], threshold, count)
        count = min(count, room - made)
        _breed(problem, plan, beam, now, d, schedule, made, count)
        made += count
    return made


@inlined
def _happen(
    problem: Problem, beam: Beam, then: np.uint64, j: np.uint64, stage: np.uint64, event: np.uint64, colour: np.uint64
) -> float:
    """An event: what it changes in the potential; the count follows."""
    count = count_of(beam, then, j, colour)
    beam.counts[then, j, beam.counts_at + colour] = np.int64(count) - problem.falls[event]
    return change_by(problem, stage, event, count)


@kernel
def _breed(
    problem: Problem,
    plan: Plan,
    beam: Beam,
    now: np.uint64,
    d: np.uint64,
    schedule: Schedule,
    made: int,
    count: int,
) -> None:
    """Make boards of the next generation, after those that are made, from the children in the list."""
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
                change += _happen(problem, beam, then, j, stage, plan.met[d, k], shown)
            else:
                change += _happen(problem, beam, then, j, stage, plan.needed[d, k], needed)
                change += _happen(problem, beam, then, j, stage, plan.shown[d, k], shown)
                wrong += 1
        for k in range(opened):
            change += _happen(problem, beam, then, j, stage, plan.event[d, k], colour_of(look, plan.opened[d, k]))
        for k in range(later):
            beam.front[then, j, beam.front_at + plan.opened_slot[d, k]] = np.uint8(colour_of(look, plan.opened[d, k]))
        piece = look >> (U(problem.neighbours.shape[1]) << U(3))
        beam.rows[then, j, piece >> U(6)] |= U(1) << (piece & U(63))
        beam.credit[then, j] = beam.credit[now, i] + schedule.favour[piece]
        beam.potential[then, j] = beam.potential[now, i] + change + schedule.trust[d] * schedule.favour[piece]
        beam.breaks[then, j] = beam.breaks[now, i] + np.int32(wrong)
        lay(beam.lineage, now, i, j, U(problem.variant[place]))


@kernel
def _restage(problem: Problem, beam: Beam, now: np.uint64, boards: int, stage: np.uint64, trust: float) -> None:
    """The potentials by another row of `gammas` and another trust."""
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
    """Fill the empty cells of a laying as well as the beam can; return the breaks and the boards made.

    Where a generation would die out, more mismatches are allowed than the schedule says, unless an exact filling is wanted.
    Breaks of −1: stopped, or died out.
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
            _restage(problem, beam, now, boards, schedule.stage[d], schedule.trust[d])
        make_room(beam.lineage, now, boards, beam.potential.shape[1])
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
