"""Edge matching by a funnel: a beam of partial boards without mismatches, wide at first and narrow at the end.

    rim, inner  cells with a side on the border, and the others; their pieces likewise
    K           of a colour: joins along the frame that are still to be made
    I           of a colour: its sides on inner pieces that are not laid
    M           of a colour: I less the sides that must meet one of these: open sides before inner cells, and the inner
                sides of rim pieces that are not laid.  What is left must pair among itself; where M < 0, nothing can
    potential   about the logarithm of how many completions to expect: the sum over colours of ln K! + ln I! − g(M), with
                g(M) = ln Γ(M/2 + 1) + (M/2) ln 2
    rank        potential + a random number: what decides who stays

An inner side of a rim piece never meets another: the beam of `optimise` counts as if it could.  With that told apart, the
potential sees the way to a solution far more sharply (docs/adr/0017).  Early it tells little and there are many boards, so
the beam is wide there; later it tells more and there are fewer.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tablero.puzzles.edges.kernels.beam import BINS, Plan, is_used
from tablero.search.compiled import inlined, kernel
from tablero.search.random import draw, mixed, unit

U = np.uint64
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Counts = NDArray[np.int16]

NOTHING, FRAME, MEET, PAIR = U(0), U(1), U(2), U(3)  # what laying a side changes: nothing, K, I, or both I and M
DEAD = -1e6  # the change of a potential where M becomes negative
_LOOK = 4096  # boards between two looks at the flag


class Problem(NamedTuple):
    """V variants with k sides, C colours."""

    shows: NDArray[np.uint8]  # V × k
    piece: NDArray[np.int32]  # V
    before: NDArray[np.int32]  # V: of equal pieces the one that is laid first, or −1
    lists: Words  # (table, colour, colour): the place in `variant` of those that show both, to the next start
    variant: NDArray[np.int32]
    place: Words  # 3 × C: where K, I and M of a colour stand in the counts of a board
    logs: Floats  # ln n
    gammas: Floats  # g(M)
    colours: int


class Room(NamedTuple):
    """Two generations of up to W boards, and the children between them; D cells to fill."""

    used: Words  # 2 × W × words
    front: NDArray[np.uint8]  # 2 × W × slots
    counts: Counts  # 2 × W × (K, I and M of the colours that have them)
    potential: Floats  # 2 × W
    rank: Floats  # of children
    child_of: NDArray[np.int32]
    child: NDArray[np.int32]
    parent: NDArray[np.int32]  # D × W
    laid: NDArray[np.int32]  # D × W: the variant
    bins: NDArray[np.int64]
    random: Words  # one number


@inlined
def _keep_best(
    rank: Floats,
    child_of: NDArray[np.int32],
    child: NDArray[np.int32],
    bins: NDArray[np.int64],
    count: int,
    want: int,
) -> int:
    """Keep the children of the highest ranks, about in the order in which they came; return how many."""
    if count <= want:
        return count
    low = rank[0]
    high = rank[0]
    for k in range(count):
        low = min(low, rank[k])
        high = max(high, rank[k])
    scale = (BINS - 1) / max(high - low, 1e-9)
    for b in range(BINS):
        bins[b] = 0
    for k in range(count):
        bins[int((rank[k] - low) * scale)] += 1
    above = 0
    cut = BINS - 1
    while above + bins[cut] <= want:
        above += bins[cut]
        cut -= 1
    ties = want - above
    kept = 0
    for k in range(count):
        b = int((rank[k] - low) * scale)
        if b > cut or (b == cut and ties > 0):
            if b == cut:
                ties -= 1
            rank[kept] = rank[k]
            child_of[kept] = child_of[k]
            child[kept] = child[k]
            kept += 1
    return kept


@inlined
def _change(problem: Problem, changes: Words, variant: np.uint64, counts: Counts) -> float:
    """What laying a variant changes: the potential; the counts follow."""
    change = 0.0
    for side in range(U(len(changes))):
        what = changes[side]
        if what == NOTHING:
            continue
        a = U(problem.shows[variant, side])
        at = problem.place[U(0) if what == FRAME else U(1), a]
        change -= problem.logs[U(counts[at])]
        counts[at] -= np.int16(1)
        if what == PAIR:
            at = problem.place[U(2), a]
            m = np.int64(counts[at])
            if m < 2:
                change += DEAD
            else:
                change += problem.gammas[U(m)] - problem.gammas[U(m - 2)]
            counts[at] -= np.int16(2)
    return change


@inlined
def _take_back(problem: Problem, changes: Words, variant: np.uint64, counts: Counts) -> None:
    """The counts as before `_change`."""
    for side in range(U(len(changes))):
        what = changes[side]
        if what != NOTHING:
            a = U(problem.shows[variant, side])
            counts[problem.place[U(0) if what == FRAME else U(1), a]] += np.int16(1)
            if what == PAIR:
                counts[problem.place[U(2), a]] += np.int16(2)


@inlined
def _expand(
    problem: Problem,
    plan: Plan,
    changes: Words,
    table: np.uint64,
    room: Room,
    now: np.uint64,
    boards: int,
    d: np.uint64,
    want: int,
    noise: float,
    stop: NDArray[np.uint8],
) -> int:
    """All children of all boards of a generation, about the best of them kept; return how many."""
    colours = U(problem.colours)
    known = plan.counts[d, U(0)]
    most = len(room.rank) - problem.shows.shape[0]
    count = 0
    for board in range(boards):
        i = U(board)
        if board % _LOOK == 0 and stop[0] != 0:
            return 0
        if count > most:
            count = _keep_best(room.rank, room.child_of, room.child, room.bins, count, want)
        front, used, counts = room.front[now, i], room.used[now, i], room.counts[now, i]
        a = U(front[plan.known_slot[d, U(0)]]) if known > U(0) else U(0)
        b = U(front[plan.known_slot[d, U(1)]]) if known > U(1) else U(0)
        at = (table * colours + a) * colours + b
        for place in range(problem.lists[at], problem.lists[at + U(1)]):
            variant = U(problem.variant[place])
            before = problem.before[variant]
            if is_used(used, U(problem.piece[variant])) or (before >= 0 and not is_used(used, U(before))):
                continue
            fits = True
            for k in range(U(2), known):
                fits = fits and front[plan.known_slot[d, k]] == problem.shows[variant, plan.known[d, k]]
            if not fits:
                continue
            change = _change(problem, changes, variant, counts)
            _take_back(problem, changes, variant, counts)
            if change <= 0.5 * DEAD:
                continue
            room.random[0] = draw(room.random[0])
            room.rank[count] = room.potential[now, i] + change + noise * unit(mixed(room.random[0]))
            room.child_of[count] = np.int32(i)
            room.child[count] = np.int32(variant)
            count += 1
    return int(_keep_best(room.rank, room.child_of, room.child, room.bins, count, want))


@inlined
def _breed(problem: Problem, plan: Plan, changes: Words, room: Room, now: np.uint64, d: np.uint64, count: int) -> None:
    """Make the boards of the next generation from the children that were kept."""
    then = U(1) - now
    for child in range(count):
        j = U(child)
        i = U(room.child_of[j])
        variant = U(room.child[j])
        for w in range(U(room.used.shape[2])):
            room.used[then, j, w] = room.used[now, i, w]
        for s in range(U(room.front.shape[2])):
            room.front[then, j, s] = room.front[now, i, s]
        for c in range(U(room.counts.shape[2])):
            room.counts[then, j, c] = room.counts[now, i, c]
        room.potential[then, j] = room.potential[now, i] + _change(problem, changes, variant, room.counts[then, j])
        for k in range(plan.counts[d, U(1)]):
            room.front[then, j, plan.opened_slot[d, k]] = problem.shows[variant, plan.opened[d, k]]
        piece = U(problem.piece[variant])
        room.used[then, j, piece >> U(6)] |= U(1) << (piece & U(63))
        room.parent[d, j] = np.int32(i)
        room.laid[d, j] = np.int32(variant)


@kernel
def descend(
    problem: Problem,
    plan: Plan,
    changes: Words,
    tables: Words,
    widths: NDArray[np.int64],
    room: Room,
    laying: NDArray[np.int32],
    noise: float,
    stop: NDArray[np.uint8],
) -> tuple[bool, int]:
    """Fill the empty cells of a laying, which is the first board of the room; whether that succeeds, and the boards made."""
    size = plan.size[0]
    now = U(0)
    boards = 1
    made = 0
    for depth in range(int(size)):
        d = U(depth)
        count = _expand(problem, plan, changes[d], tables[d], room, now, boards, d, widths[depth], noise, stop)
        if count == 0 or stop[0] != 0:
            return False, made
        _breed(problem, plan, changes[d], room, now, d, count)
        boards = count
        made += count
        now = U(1) - now
    best = U(0)
    for back in range(int(size)):
        d = size - U(1) - U(back)
        laying[plan.cell[d]] = room.laid[d, best]
        best = U(room.parent[d, best])
    return True, made
