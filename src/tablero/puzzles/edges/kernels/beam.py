"""Edge matching by beam search: at every depth the partial boards that promise most, mismatches allowed late.

    pool      sides that may meet each other: those of inner cells; and those along the frame, which have colours of their
              own (`pools.py`).  A side of the frame that looks inwards is outside the pool: it meets a side of it only
    n, m      of a colour: its sides in the pool on pieces that are not laid; and n less the sides that must meet one of
              them: open ones, which face empty cells, and those outside the pool on pieces that are not laid, unless an
              open side waits for these
    potential about Owen's count of what remains: the sum over colours of ln n! − β ln Γ(m/2 + 1); where m < 0, −δ|m| instead
              of the second part, since so many joins must break
    break     a join that does not match
    rank      potential − γ · breaks + a random number: what decides who stays in the beam
    slot      a place for the colour of an open side, given back when the side is met

Every piece changes the potential by a few table entries only (`_meet`, `_miss`, `_open`).  Cells that are laid from the
start (clues, or the rest of a board under repair) only set the stage.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.edges.kernels.lineage import begin, lay, make_room, trace
from tablero.puzzles.edges.kernels.plan import BINS, NONE, Beam, Floats, Plan, Problem, Small, Words, is_used
from tablero.search.compiled import inlined, kernel, lowest, popcount
from tablero.search.random import draw, mixed, unit

U = np.uint64
EXACT, ONE, ANY = 0, 1, 2  # how many mismatches a piece may bring
OUTSIDE, POOLED, BOTH = U(0), U(1), U(2)


class Schedule(NamedTuple):
    """What holds at each depth."""

    width: NDArray[np.int64]  # D: boards that are kept
    allowed: NDArray[np.int64]  # D: mismatches that a piece may bring
    gamma: Floats  # D
    noise: Floats  # D
    stage: Words  # D: the row of `gammas`


@inlined
def _random(state: Words) -> float:
    """A random number from 0 to 1."""
    state[0] = draw(state[0])
    return unit(mixed(state[0]))


@inlined
def _meet(problem: Problem, n: Small, a: np.uint64, role: np.uint64) -> float:
    """A side meets an open side of its colour: the change of potential; n follows, m stays."""
    if role == OUTSIDE:
        return 0.0
    change = -problem.logs[U(n[a])]
    n[a] -= np.int16(1)
    return float(change)


@inlined
def _open(problem: Problem, stage: np.uint64, n: Small, m: Small, a: np.uint64, role: np.uint64) -> float:
    """A side is newly open: where one of both is outside the pool, they were counted on to meet."""
    change = 0.0
    if role == BOTH:
        at = U(np.int64(m[a]) + problem.shift)
        change = problem.gammas[stage, at] - problem.gammas[stage, at - U(2)]
        m[a] -= np.int16(2)
    return float(change + _meet(problem, n, a, role))


@inlined
def _more(problem: Problem, stage: np.uint64, m: Small, c: np.uint64) -> float:
    """One side of the pool more than thought is left to the others."""
    at = U(np.int64(m[c]) + problem.shift)
    m[c] += np.int16(1)
    return float(problem.gammas[stage, at] - problem.gammas[stage, at + U(1)])


@inlined
def _fewer(problem: Problem, stage: np.uint64, m: Small, c: np.uint64) -> float:
    """One side of the pool fewer is left to the others."""
    at = U(np.int64(m[c]) + problem.shift)
    m[c] -= np.int16(1)
    return float(problem.gammas[stage, at] - problem.gammas[stage, at - U(1)])


@inlined
def _lose(problem: Problem, stage: np.uint64, n: Small, m: Small, b: np.uint64, role: np.uint64) -> float:
    """A side is spent without meeting one of its colour."""
    if role == OUTSIDE:
        return _more(problem, stage, m, b)
    return _fewer(problem, stage, m, b) + _meet(problem, n, b, role)


@inlined
def _miss(problem: Problem, stage: np.uint64, n: Small, m: Small, a: np.uint64, b: np.uint64, role: np.uint64) -> float:
    """An open side of colour a meets b, in this role: a break."""
    change = _fewer(problem, stage, m, a) if role == OUTSIDE else _more(problem, stage, m, a)
    return change + _lose(problem, stage, n, m, b, role)


@inlined
def _apply(
    problem: Problem,
    plan: Plan,
    stage: np.uint64,
    d: np.uint64,
    variant: np.uint64,
    front: NDArray[np.uint8],
    n: Small,
    m: Small,
) -> float:
    """What laying a variant changes: the potential; n and m follow."""
    change = 0.0
    cell = plan.cell[d]
    for k in range(plan.counts[d, U(0)]):
        needed = U(front[plan.known_slot[d, k]])
        shown = U(problem.shows[variant, plan.known[d, k]])
        if needed == shown:
            change += _meet(problem, n, needed, plan.known_role[d, k])
        else:
            change += _miss(problem, stage, n, m, needed, shown, plan.known_role[d, k])
    for k in range(plan.counts[d, U(1)]):
        shown = U(problem.shows[variant, plan.opened[d, k]])
        change += _open(problem, stage, n, m, shown, plan.opened_role[d, k])
    if not problem.border:
        for side in range(U(problem.neighbours.shape[1])):
            if problem.neighbours[cell, side] == NONE:
                change += _lose(problem, stage, n, m, U(problem.shows[variant, side]), POOLED)
    return change


@inlined
def _misses(plan: Plan, problem: Problem, d: np.uint64, variant: np.uint64, front: NDArray[np.uint8]) -> int:
    """How many known sides a variant would not match."""
    wrong = 0
    for k in range(plan.counts[d, U(0)]):
        if front[plan.known_slot[d, k]] != problem.shows[variant, plan.known[d, k]]:
            wrong += 1
    return wrong


@inlined
def _promise(
    problem: Problem,
    plan: Plan,
    stage: np.uint64,
    d: np.uint64,
    variant: np.uint64,
    front: NDArray[np.uint8],
    n: Small,
    m: Small,
    gamma: float,
) -> float:
    """About what laying a variant changes in the rank: sides of the piece that show one colour count as if each were alone.

    Those that are kept get the exact potential (`_apply`).
    """
    change = 0.0
    for k in range(plan.counts[d, U(0)]):
        needed = U(front[plan.known_slot[d, k]])
        shown = U(problem.shows[variant, plan.known[d, k]])
        pooled = plan.known_role[d, k]
        if pooled != OUTSIDE:
            change -= problem.logs[U(n[shown])]
        if needed != shown:
            a, b = U(np.int64(m[needed]) + problem.shift), U(np.int64(m[shown]) + problem.shift)
            change += problem.gammas[stage, a] - problem.gammas[stage, a + pooled + pooled - U(1)]
            change += problem.gammas[stage, b] - problem.gammas[stage, b + U(1) - pooled - pooled] - gamma
    for k in range(plan.counts[d, U(1)]):
        shown = U(problem.shows[variant, plan.opened[d, k]])
        role = plan.opened_role[d, k]
        if role == BOTH:
            at = U(np.int64(m[shown]) + problem.shift)
            for j in range(k):
                if plan.opened_role[d, j] == BOTH and U(problem.shows[variant, plan.opened[d, j]]) == shown:
                    at -= U(2)
            change += problem.gammas[stage, at] - problem.gammas[stage, at - U(2)]
        if role != OUTSIDE:
            change -= problem.logs[U(n[shown])]
    if not problem.border:
        cell = plan.cell[d]
        for side in range(U(problem.neighbours.shape[1])):
            if problem.neighbours[cell, side] == NONE:
                shown = U(problem.shows[variant, side])
                at = U(np.int64(m[shown]) + problem.shift)
                change += problem.gammas[stage, at] - problem.gammas[stage, at - U(1)] - problem.logs[U(n[shown])]
    return change


@inlined
def _sift(beam: Beam, count: int, cut: int, ties: int) -> int:
    """Keep the children above a level, and so many of that level, in the order in which they came; return how many."""
    kept = 0
    for child in range(count):
        k = U(child)
        level = beam.level[k]
        if level > cut or (level == cut and ties > 0):
            if level == cut:
                ties -= 1
            j = U(kept)
            beam.level[j] = level
            beam.child_of[j] = beam.child_of[k]
            beam.child[j] = beam.child[k]
            kept += 1
    return kept


@inlined
def _offer(
    beam: Beam,
    i: np.uint64,
    variant: np.uint64,
    value: float,
    noise: float,
    want: int,
    count: int,
    cut: int,
    above: int,
) -> tuple[int, int, int]:
    """Put a child into the list unless it cannot be kept; value and noise make its level.

    Return the length of the list, the lowest level that can be kept, and how many children have that level or a higher one.
    """
    if value + noise < cut:
        return count, cut, above
    level = int(min(max(value + noise * _random(beam.random), 0.0), BINS - 1.0))
    if level < cut:
        return count, cut, above
    at = U(count)
    beam.level[at] = np.int32(level)
    beam.child_of[at] = np.int32(i)
    beam.child[at] = np.int32(variant)
    beam.bins[U(level)] += 1
    above += 1
    while above - beam.bins[U(cut)] >= want:
        above -= beam.bins[U(cut)]
        cut += 1
    return count + 1, cut, above


@inlined
def _expand(
    problem: Problem,
    plan: Plan,
    beam: Beam,
    now: np.uint64,
    boards: int,
    d: np.uint64,
    allowed: int,
    schedule: Schedule,
) -> int:
    """All children of all boards of a generation, the best of them kept; return how many."""
    sides = U(problem.neighbours.shape[1])
    colours = U(problem.colours)
    want, gamma, noise, stage = schedule.width[d], schedule.gamma[d], schedule.noise[d], schedule.stage[d]
    kind = problem.kind[plan.cell[d]]
    known = plan.counts[d, U(0)]
    s, t = plan.known[d, U(0)], plan.known[d, U(1)]
    pairs = known >= U(2) and allowed != ANY  # whether the first two known sides choose the list
    room = len(beam.level) - problem.shows.shape[0]
    count, cut, above = 0, 0, 0
    for level in range(U(BINS)):
        beam.bins[level] = 0
    top = beam.potential[now, U(0)] - gamma * beam.breaks[now, U(0)]
    for board in range(boards):
        top = max(top, beam.potential[now, U(board)] - gamma * beam.breaks[now, U(board)])
    low = top + noise - problem.span
    scale = BINS / problem.span
    listed = pairs and allowed != EXACT and known == U(2) and problem.border
    for board in range(boards):
        i = U(board)
        if count > room:
            ties = want - (above - beam.bins[U(cut)])
            if ties < beam.bins[U(cut)]:
                above += ties - beam.bins[U(cut)]
                beam.bins[U(cut)] = ties
            count = _sift(beam, count, cut, ties)
        front, used, n, m = beam.front[now, i], beam.used[now, i], beam.n[now, i], beam.m[now, i]
        base = beam.potential[now, i] - gamma * beam.breaks[now, i] - low
        if pairs:
            a, b = U(front[plan.known_slot[d, U(0)]]), U(front[plan.known_slot[d, U(1)]])
            at = (((kind * sides + s) * sides + t) * colours + a) * colours + b
            for place in range(problem.two[at], problem.two[at + U(1)]):
                variant = U(problem.variant[place])
                if is_used(used, U(problem.piece[variant])):
                    continue
                if known == U(2) or _misses(plan, problem, d, variant, front) <= allowed:
                    change = _promise(problem, plan, stage, d, variant, front, n, m, gamma)
                    value = (base + change) * scale
                    count, cut, above = _offer(beam, i, variant, value, noise * scale, want, count, cut, above)
            if allowed == EXACT:
                continue
        most = 0.0
        if listed:
            most = _list(problem, plan, beam, stage, d, n, m)
        # Late, most pieces of a list are used: only the others are visited.  A side that may be missed chooses no list; of
        # two, each chooses one for the case that the other is missed.
        for which in range(U(2) if pairs else U(1)):
            other = U(1) - which
            row = kind * (sides * colours + U(1))
            if pairs or (known == U(1) and allowed == EXACT):
                row += plan.known[d, which] * colours + U(front[plan.known_slot[d, which]])
            else:
                row += sides * colours
            same = base
            if listed:
                needed = U(np.int64(m[U(front[plan.known_slot[d, other]])]) + problem.shift)
                missed = plan.known_role[d, other]
                same += problem.gammas[stage, needed] - problem.gammas[stage, needed + missed + missed - U(1)] - gamma
                if plan.known_role[d, which] != OUTSIDE:
                    same -= problem.logs[U(n[U(front[plan.known_slot[d, which]])])]
                if (same + most + noise) * scale < cut:
                    continue
            for w in range(U(len(used))):
                held = problem.holds[row, w]
                left = held & ~used[w]
                while left != U(0):
                    bit = lowest(left)
                    left &= left - U(1)
                    turn = problem.first[row, w] + popcount(held & ((U(1) << bit) - U(1)))
                    for place in range(problem.turns[turn], problem.turns[turn + U(1)]):
                        variant = U(problem.variant[place])
                        if pairs and problem.shows[variant, plan.known[d, other]] == front[plan.known_slot[d, other]]:
                            continue  # it was in the list of both
                        if listed:
                            shown = U(problem.shows[variant, plan.known[d, other]])
                            change = same - base + beam.lost[plan.known_role[d, other], shown]
                            for k in range(plan.counts[d, U(1)]):
                                shown = U(problem.shows[variant, plan.opened[d, k]])
                                change += beam.open[plan.opened_role[d, k], shown]
                        elif allowed == ANY or _misses(plan, problem, d, variant, front) <= allowed:
                            change = _promise(problem, plan, stage, d, variant, front, n, m, gamma)
                        else:
                            continue
                        value = (base + change) * scale
                        count, cut, above = _offer(beam, i, variant, value, noise * scale, want, count, cut, above)
    return _sift(beam, count, cut, want - (above - beam.bins[U(cut)]))


@inlined
def _list(problem: Problem, plan: Plan, beam: Beam, stage: np.uint64, d: np.uint64, n: Small, m: Small) -> float:
    """What one side changes, by its role and colour.

    Return the most that a piece with one mismatch can change by what it shows.
    """
    lost = -1e9
    for k in range(U(2)):
        role = plan.known_role[d, k]
        if k == U(0) or role != plan.known_role[d, U(0)]:
            for c in range(U(problem.colours)):
                at = U(np.int64(m[c]) + problem.shift)
                change = problem.gammas[stage, at] - problem.gammas[stage, at + U(1) - role - role]
                if role == OUTSIDE or n[c] > 0:
                    beam.lost[role, c] = change - (problem.logs[U(n[c])] if role != OUTSIDE else 0.0)
                    lost = max(lost, beam.lost[role, c])
    opened, best = 0.0, 0.0
    for k in range(plan.counts[d, U(1)]):
        role = plan.opened_role[d, k]
        if k == U(0) or role != plan.opened_role[d, k - U(1)]:
            best = 0.0 if role == OUTSIDE else -1e9
            for c in range(U(problem.colours)):
                if role != OUTSIDE and n[c] > 0:
                    at = U(np.int64(m[c]) + problem.shift)
                    fall = problem.gammas[stage, at] - problem.gammas[stage, at - U(2)] if role == BOTH else 0.0
                    beam.open[role, c] = fall - problem.logs[U(n[c])]
                    best = max(best, beam.open[role, c])
        opened += best
    return lost + opened


@inlined
def _restage(problem: Problem, beam: Beam, now: np.uint64, boards: int, stage: np.uint64) -> None:
    """The potentials by another row of `gammas`."""
    for board in range(boards):
        i = U(board)
        beam.potential[now, i] = _potential(problem, stage, beam.n[now, i], beam.m[now, i])


@inlined
def _potential(problem: Problem, stage: np.uint64, n: Small, m: Small) -> float:
    potential = 0.0
    for c in range(U(problem.colours)):
        potential += problem.factorials[U(n[c])] - problem.gammas[stage, U(np.int64(m[c]) + problem.shift)]
    return potential


@inlined
def _breed(
    problem: Problem, plan: Plan, beam: Beam, now: np.uint64, d: np.uint64, stage: np.uint64, count: int
) -> None:
    """Make the boards of the next generation from the children that were kept."""
    then = U(1) - now
    for child in range(count):
        j = U(child)
        i = U(beam.child_of[j])
        variant = U(beam.child[j])
        for w in range(U(beam.used.shape[2])):
            beam.used[then, j, w] = beam.used[now, i, w]
        for s in range(U(beam.front.shape[2])):
            beam.front[then, j, s] = beam.front[now, i, s]
        for c in range(U(problem.colours)):
            beam.n[then, j, c] = beam.n[now, i, c]
            beam.m[then, j, c] = beam.m[now, i, c]
        front = beam.front[then, j]
        wrong = _misses(plan, problem, d, variant, front)
        change = _apply(problem, plan, stage, d, variant, front, beam.n[then, j], beam.m[then, j])
        beam.potential[then, j] = beam.potential[now, i] + change
        beam.breaks[then, j] = beam.breaks[now, i] + np.int32(wrong)
        for k in range(plan.counts[d, U(1)]):
            front[plan.opened_slot[d, k]] = problem.shows[variant, plan.opened[d, k]]
        piece = U(problem.piece[variant])
        beam.used[then, j, piece >> U(6)] |= U(1) << (piece & U(63))
        lay(beam.lineage, now, i, j, variant)


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
        allowed = EXACT if exact else schedule.allowed[d]
        count = _expand(problem, plan, beam, now, boards, d, allowed, schedule)
        while count == 0 and not exact and allowed < ANY:
            allowed += 1
            count = _expand(problem, plan, beam, now, boards, d, allowed, schedule)
        if count == 0:
            return -1, made
        make_room(beam.lineage, now, boards, count)
        _breed(problem, plan, beam, now, d, schedule.stage[d], count)
        boards = count
        made += count
        now = U(1) - now
    best = U(0)
    for k in range(boards):
        if beam.breaks[now, U(k)] < beam.breaks[now, best]:
            best = U(k)
    trace(beam.lineage, int(beam.lineage.of_board[now, best]), plan.cell, size, laying)
    return int(beam.breaks[now, best]), made
