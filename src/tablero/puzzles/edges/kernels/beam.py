"""Edge matching by beam search: at every depth the partial boards that promise most, mismatches allowed late.

    pool      sides that may meet each other: those of inner cells; and those along the frame, which have colours of their
              own (`pools.py`).  A side of the frame that looks inwards is outside the pool: it meets a side of it only
    n, m      of a colour: its sides in the pool on pieces that are not laid; and n less the sides that must meet one of
              them: open ones, which face empty cells, and those outside the pool on pieces that are not laid, unless an
              open side waits for these
    potential about Owen's count of what remains: the sum over colours of ln n! − β ln Γ(m/2 + 1); where m < 0, −δ|m| instead
              of the second part, since so many joins must break
    break     a join that does not match
    rank      potential − γ · breaks
    key       rank + a random number: what decides who stays in the beam
    slot      a place for the colour of an open side, given back when the side is met

Every piece changes the potential by a few table entries only (`plan.py`: events).  Cells that are laid from the start
(clues, or the rest of a board under repair) only set the stage.

How high a key must be is told by a sample, the children of some hundred boards.  Then all boards are gone through once, a
block at a time, and their children with such keys are made while the block is at hand.  So a wide beam keeps about as many
boards as it is wide; one that the sample holds whole keeps exactly as many, the best.  Where the machine could not guess
which children are kept, inner loops do not ask: each is written down, and the next one over it unless it counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.edges.kernels.lineage import begin, lay, make_room, trace
from tablero.puzzles.edges.kernels.plan import BINS, NOTHING, WAITS, Beam, Floats, Plan, Problem, Words
from tablero.search.compiled import inlined, kernel, lowest, popcount
from tablero.search.random import below, draw, mixed, unit

U = np.uint64
EXACT, ONE, ANY = 0, 1, 2  # how many mismatches a piece may bring
_SAMPLE = 512  # boards
_BLOCK = 512  # boards
_LOWEST = -1e300  # below every key


class Schedule(NamedTuple):
    """What holds at each depth."""

    width: NDArray[np.int64]  # D: boards that are kept
    allowed: NDArray[np.int64]  # D: mismatches that a piece may bring
    gamma: Floats  # D
    noise: Floats  # D
    stage: Words  # D: the row of `gammas`


class _Cell(NamedTuple):
    """What is the same for all boards of a depth."""

    d: np.uint64
    stage: np.uint64
    gamma: float
    noise: float
    allowed: int
    kind: np.uint64
    known: np.uint64
    opened: np.uint64
    first: (
        np.uint64
    )  # of the sides opened the first, and the second: where nothing is opened, nothing happens to any side
    second: np.uint64
    first_n: Floats  # what their events change, by n and by m
    first_m: Floats
    second_n: Floats
    second_m: Floats
    twin: np.uint64  # by how much m is less for the second if it shows the colour of the first


@inlined
def _cell(problem: Problem, plan: Plan, schedule: Schedule, d: np.uint64, allowed: int) -> _Cell:
    opened, stage = plan.counts[d, U(2)], schedule.stage[d]
    first = plan.event[d, U(0)] if opened > U(0) else NOTHING
    second = plan.event[d, U(1)] if opened > U(1) else NOTHING
    return _Cell(
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
    )


@inlined
def _colour(look: np.uint64, side: np.uint64) -> np.uint64:
    return look >> (side << U(3)) & U(255)


@inlined
def _change(problem: Problem, stage: np.uint64, event: np.uint64, count: np.uint64) -> float:
    """What an event changes in the potential."""
    mask = (U(1) << problem.bits) - U(1)
    return float(problem.by_n[event, count >> problem.bits] + problem.by_m[stage, event, count & mask])


@inlined
def _count(beam: Beam, now: np.uint64, i: np.uint64, colour: np.uint64) -> np.uint64:
    return U(beam.counts[now, i, beam.counts_at + colour])


@inlined
def _waiting(plan: Plan, beam: Beam, now: np.uint64, i: np.uint64, d: np.uint64, k: np.uint64) -> np.uint64:
    """The colour that waits for a known side."""
    return U(beam.front[now, i, beam.front_at + plan.known_slot[d, k]])


@inlined
def _opening(
    problem: Problem, plan: Plan, beam: Beam, now: np.uint64, i: np.uint64, cell: _Cell, look: np.uint64
) -> float:
    """What the sides that a variant opens change in the potential."""
    bits, mask = problem.bits, (U(1) << problem.bits) - U(1)
    first, second = _colour(look, cell.first), _colour(look, cell.second)
    one, two = _count(beam, now, i, first), _count(beam, now, i, second)
    two -= cell.twin * U(first == second)
    change = (
        cell.first_n[one >> bits] + cell.first_m[one & mask] + cell.second_n[two >> bits] + cell.second_m[two & mask]
    )
    for k in range(U(2), cell.opened):
        there = _count(beam, now, i, _colour(look, plan.opened[cell.d, k]))
        change += _change(problem, cell.stage, plan.event[cell.d, k], there)
    return float(change)


@inlined
def _knowing(
    problem: Problem,
    plan: Plan,
    beam: Beam,
    now: np.uint64,
    i: np.uint64,
    cell: _Cell,
    look: np.uint64,
    begin_with: np.uint64,
) -> tuple[float, int]:
    """What the known sides of a variant change in the rank, as if each were alone, from one on; and how many mismatch."""
    d, stage = cell.d, cell.stage
    change, wrong = 0.0, 0
    for k in range(begin_with, cell.known):
        needed, shown = _waiting(plan, beam, now, i, d, U(k)), _colour(look, plan.known[d, k])
        there = _count(beam, now, i, shown)
        if needed == shown:
            change += _change(problem, stage, plan.met[d, k], there)
        else:
            change += _change(problem, stage, plan.needed[d, k], _count(beam, now, i, needed)) - cell.gamma
            change += _change(problem, stage, plan.shown[d, k], there)
            wrong += 1
    return change, wrong


@inlined
def _note(beam: Beam, i: np.uint64, place: np.uint64, key: float, count: int, good: bool) -> int:
    """Write a child down; return how many there are, this one among them if it is good."""
    at = U(count)
    beam.key[at] = key
    beam.child_of[at] = np.int32(i)
    beam.child[at] = np.int32(place)
    return count + int(good)


@inlined
def _matching(
    problem: Problem,
    plan: Plan,
    beam: Beam,
    now: np.uint64,
    i: np.uint64,
    cell: _Cell,
    threshold: float,
    count: int,
    random: np.uint64,
) -> tuple[int, np.uint64]:
    """Children whose first two known sides match."""
    sides, colours = U(problem.neighbours.shape[1]), U(problem.colours)
    d, row = cell.d, beam.rows[now, i]
    a, b = _waiting(plan, beam, now, i, d, U(0)), _waiting(plan, beam, now, i, d, U(1))
    base = beam.potential[now, i] - cell.gamma * beam.breaks[now, i]
    base += _change(problem, cell.stage, plan.met[d, U(0)], _count(beam, now, i, a))
    base += _change(problem, cell.stage, plan.met[d, U(1)], _count(beam, now, i, b))
    at = (((cell.kind * sides + plan.known[d, U(0)]) * sides + plan.known[d, U(1)]) * colours + a) * colours + b
    for place in range(problem.two[at], problem.two[at + U(1)]):
        look = problem.look[place]
        piece = look >> (sides << U(3))
        free = row[piece >> U(6)] >> (piece & U(63)) & U(1) == U(0)
        value = base + _opening(problem, plan, beam, now, i, cell, look)
        change, wrong = _knowing(problem, plan, beam, now, i, cell, look, U(2))
        random = draw(random)
        key = value + change + cell.noise * unit(mixed(random))
        count = _note(beam, i, U(place), key, count, free & (key >= threshold) & (wrong <= cell.allowed))
    return count, random


@inlined
def _missing(
    problem: Problem,
    plan: Plan,
    beam: Beam,
    now: np.uint64,
    i: np.uint64,
    cell: _Cell,
    threshold: float,
    count: int,
    random: np.uint64,
    most: float,
    sampling: bool,
) -> tuple[int, np.uint64, float]:
    """Children with one mismatch, at one of the first two known sides: the other chooses the list.

    Late, most pieces of a list are used: only the others are visited.  `most` is what pieces were seen to change at the most
    besides what is the same for a whole list: a sample finds it.
    """
    sides, colours = U(problem.neighbours.shape[1]), U(problem.colours)
    d, row = cell.d, beam.rows[now, i]
    base = beam.potential[now, i] - cell.gamma * (beam.breaks[now, i] + 1)
    for which in range(U(2)):
        other = U(1) - which
        match, miss = _waiting(plan, beam, now, i, d, U(which)), _waiting(plan, beam, now, i, d, other)
        same = base + _change(problem, cell.stage, plan.met[d, which], _count(beam, now, i, match))
        same += _change(problem, cell.stage, plan.needed[d, other], _count(beam, now, i, miss))
        if not sampling and same + most + cell.noise < threshold:
            continue
        side, event = plan.known[d, other], plan.shown[d, other]
        listed = cell.kind * (sides * colours + U(1)) + plan.known[d, which] * colours + match
        for w in range(U(problem.holds.shape[1])):
            held = problem.holds[listed, w]
            left = held & ~row[w]
            while left != U(0):
                bit = lowest(left)
                left &= left - U(1)
                turn = problem.first[listed, w] + popcount(held & ((U(1) << bit) - U(1)))
                for place in range(U(problem.turns[turn]), U(problem.turns[turn + U(1)])):
                    look = problem.look[place]
                    shown = _colour(look, side)
                    change = _change(problem, cell.stage, event, _count(beam, now, i, shown))
                    change += _opening(problem, plan, beam, now, i, cell, look)
                    more, wrong = _knowing(problem, plan, beam, now, i, cell, look, U(2))
                    change += more
                    good = (shown != miss) & (wrong == 0)
                    if sampling and good:
                        most = max(most, change)
                    random = draw(random)
                    key = same + change + cell.noise * unit(mixed(random))
                    count = _note(beam, i, U(place), key, count, good & (key >= threshold))
    return count, random, most


@inlined
def _fitting(
    problem: Problem,
    plan: Plan,
    beam: Beam,
    now: np.uint64,
    i: np.uint64,
    cell: _Cell,
    threshold: float,
    count: int,
    random: np.uint64,
) -> tuple[int, np.uint64]:
    """Children with any number of mismatches that is allowed, and of all pieces where not exactly one side chooses."""
    sides, colours = U(problem.neighbours.shape[1]), U(problem.colours)
    d, row = cell.d, beam.rows[now, i]
    base = beam.potential[now, i] - cell.gamma * beam.breaks[now, i]
    listed = cell.kind * (sides * colours + U(1))
    if cell.known == U(1) and cell.allowed == EXACT:
        listed += plan.known[d, U(0)] * colours + _waiting(plan, beam, now, i, d, U(0))
    else:
        listed += sides * colours
    for w in range(U(problem.holds.shape[1])):
        held = problem.holds[listed, w]
        left = held & ~row[w]
        while left != U(0):
            bit = lowest(left)
            left &= left - U(1)
            turn = problem.first[listed, w] + popcount(held & ((U(1) << bit) - U(1)))
            for place in range(U(problem.turns[turn]), U(problem.turns[turn + U(1)])):
                look = problem.look[place]
                change, wrong = _knowing(problem, plan, beam, now, i, cell, look, U(0))
                random = draw(random)
                key = base + change + _opening(problem, plan, beam, now, i, cell, look)
                key += cell.noise * unit(mixed(random))
                count = _note(beam, i, U(place), key, count, (wrong <= cell.allowed) & (key >= threshold))
    return count, random


@kernel
def _expand(
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
    """List the children of some boards (from, to, step) whose keys are high enough, until there is no room for more.

    Return how many there are, the board to go on with, how many boards were gone through, and `most` (`_missing`).
    """
    cell = _cell(problem, plan, schedule, d, allowed)
    room = len(beam.child) - 2 * problem.shows.shape[0]
    board, end, step = boards
    count, gone = 0, 0
    random = beam.random[U(0)]
    while board < end and count < room:
        i = U(board)
        if cell.known >= U(2) and allowed != ANY:
            count, random = _matching(problem, plan, beam, now, i, cell, threshold, count, random)
            if allowed == ONE:
                count, random, most = _missing(
                    problem, plan, beam, now, i, cell, threshold, count, random, most, sampling
                )
        else:
            count, random = _fitting(problem, plan, beam, now, i, cell, threshold, count, random)
        board += step
        gone += 1
    beam.random[U(0)] = random
    return count, board, gone, most


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
    count, after, gone, most = _expand(problem, plan, beam, now, d, allowed, schedule, sample, _LOWEST, _LOWEST, True)
    if step == 1 and after >= boards:
        if count > want:
            count = _sift(beam, count, _cut(beam, count, want))
        _breed(problem, plan, beam, now, d, schedule.stage[d], 0, count)
        return count
    threshold = _LOWEST
    wanted = want * gone // boards
    if count > wanted:
        cut = _cut(beam, count, max(wanted, 1))
        threshold = cut.low + (cut.level + 1 - cut.ties / beam.bins[U(cut.level)]) / cut.scale
    room, made, board = beam.potential.shape[1], 0, 0
    while board < boards:
        block = (board, min(board + _BLOCK, boards), 1)
        count, board, gone, _ = _expand(problem, plan, beam, now, d, allowed, schedule, block, threshold, most, False)
        count = min(count, room - made)
        _breed(problem, plan, beam, now, d, schedule.stage[d], made, count)
        made += count
    return made


@inlined
def _happen(
    problem: Problem, beam: Beam, then: np.uint64, j: np.uint64, stage: np.uint64, event: np.uint64, colour: np.uint64
) -> float:
    """An event: what it changes in the potential; the count follows."""
    count = _count(beam, then, j, colour)
    beam.counts[then, j, beam.counts_at + colour] = np.int64(count) - problem.falls[event]
    return _change(problem, stage, event, count)


@kernel
def _breed(
    problem: Problem,
    plan: Plan,
    beam: Beam,
    now: np.uint64,
    d: np.uint64,
    stage: np.uint64,
    made: int,
    count: int,
) -> None:
    """Make boards of the next generation, after those that are made, from the children in the list."""
    then = U(1) - now
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
            needed, shown = _waiting(plan, beam, then, j, d, U(k)), _colour(look, plan.known[d, k])
            if needed == shown:
                change += _happen(problem, beam, then, j, stage, plan.met[d, k], shown)
            else:
                change += _happen(problem, beam, then, j, stage, plan.needed[d, k], needed)
                change += _happen(problem, beam, then, j, stage, plan.shown[d, k], shown)
                wrong += 1
        for k in range(opened):
            change += _happen(problem, beam, then, j, stage, plan.event[d, k], _colour(look, plan.opened[d, k]))
        for k in range(later):
            beam.front[then, j, beam.front_at + plan.opened_slot[d, k]] = np.uint8(_colour(look, plan.opened[d, k]))
        piece = look >> (U(problem.neighbours.shape[1]) << U(3))
        beam.rows[then, j, piece >> U(6)] |= U(1) << (piece & U(63))
        beam.potential[then, j] = beam.potential[now, i] + change
        beam.breaks[then, j] = beam.breaks[now, i] + np.int32(wrong)
        lay(beam.lineage, now, i, j, U(problem.variant[place]))


@kernel
def _restage(problem: Problem, beam: Beam, now: np.uint64, boards: int, stage: np.uint64) -> None:
    """The potentials by another row of `gammas`."""
    mask = (U(1) << problem.bits) - U(1)
    for board in range(boards):
        potential = 0.0
        for c in range(problem.colours):
            count = _count(beam, now, U(board), U(c))
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
    for depth in range(int(size)):
        if stop[0] != 0:
            return -1, made
        d = U(depth)
        if depth == 0 or schedule.stage[d] != schedule.stage[d - U(1)]:
            _restage(problem, beam, now, boards, schedule.stage[d])
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
