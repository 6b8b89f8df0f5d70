"""Leases: the units that workers have.  Unit sizing: how long units take, and when they are recalled.

    held      a unit that is leased in the store and whose result is not stored yet
    lease     a bundle of held units that a worker has, and when it is due
    late      a lease that was due a while ago: its worker may be frozen, or only slow
    orphaned  a held unit of a late lease, which may be submitted again

A late worker may return after all.  Its result is stored if no other worker has returned that unit: a unit is held until its
result is stored or it is given back, and only results of held units are stored.  The slot of a late worker is not used
meanwhile, as a frozen worker would freeze other units too.

    seconds   how long a unit may take: short at first, so that small searches end and large ones spread at once; longer the
              longer all workers are busy, up to the patience of the engine, so that sending a unit hardly counts
    bundle    units that a worker gets at a time: more than one if they end long before their time
    stock     units that are ready: one for every fourth worker.  A larger stock would make smaller units, and the remainder
              of a unit that returns can be divided at once
    sharing   all units are recalled and divided when idle workers have waited as long as that costs the others; it is done
              less and less often if it does not help

The sizes were tried on up to ten thousand simulated workers: see bench/grid_simulation.py.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from queue import SimpleQueue

from tablero.runs.engines import Engine, Outcomes, Promise
from tablero.runs.store import Unit

_LOOK = 0.5  # seconds between two searches for late leases
FIRST_UNIT = 0.02  # seconds
_MOST_BUNDLE = 32
_WAYS = 4  # a unit is this many times as long as sending it takes
_LEAST_STOCK = 4
_MOST_A_SECOND = 200  # bundles, however short: more would pile up at a scheduler
_LEARN = 0.05  # weight of the newest value in a moving average


@dataclass(slots=True)
class Lease:
    """A bundle of units that a worker has."""

    units: list[Unit]
    began: float
    seconds: float  # of the orders
    due: float
    recalled: bool = False
    late: bool = False


class Leases:
    """The leases of a coordinator."""

    def __init__(self, grace: float) -> None:
        self.inbox: SimpleQueue[Promise] = SimpleQueue()
        self.out: dict[Promise, Lease] = {}
        self.orphaned: deque[Unit] = deque()
        self.in_time = 0  # leases that are not late
        self.recalled = 0  # recalled leases among these
        self._held: dict[int, Unit] = {}
        self._settled: list[Unit] = []  # in this round
        self._grace = grace
        self._next_look = 0.0

    @property
    def holds_any(self) -> bool:
        """Whether any unit is held."""
        return bool(self._held)

    def holds(self, unit: Unit) -> bool:
        """Whether this very unit is held: the store may reuse the number of a finished unit."""
        return self._held.get(unit.id) is unit

    def settle(self, unit: Unit) -> None:
        """Note that the result of a unit is stored, or that the unit is given back."""
        self._settled.append(self._held.pop(unit.id))

    def recover(self, leased: set[int]) -> None:
        """After an interruption, correct which units are held by the leases in the store."""
        self._held.update((unit.id, unit) for unit in self._settled)
        self._held = {number: unit for number, unit in self._held.items() if number in leased}

    def bundles(self, units: Sequence[Unit], most: int) -> list[list[Unit]]:
        """Distribute leased units over at most this many bundles; orphaned units fill up the number.

        A unit that was lost before is alone in its bundle, so that no other is lost with it.
        """
        self._held.update((unit.id, unit) for unit in units)
        alone = [unit for unit in units if unit.tries]
        others = [unit for unit in units if not unit.tries]
        found = [[unit] for unit in alone[:most]]
        self.orphaned.extend(alone[most:])
        if count := min(most - len(found), len(others)):
            found += [others[k::count] for k in range(count)]
        else:
            self.orphaned.extend(others)
        while self.orphaned and len(found) < most:
            unit = self.orphaned.popleft()
            if self.holds(unit):  # its late worker has not returned meanwhile
                found.append([unit])
        return found

    def taken(self, slots: int) -> int:
        """How many slots of the workers are taken.

        Late leases take at most half of the slots, as several of them may wait for one frozen worker.
        """
        late = len(self.out) - self.in_time
        return self.in_time + min(late, max(1, slots // 2))

    def add(self, promise: Promise, units: list[Unit], seconds: float, now: float) -> None:
        """Add the lease of a bundle that was submitted."""
        self.out[promise] = Lease(units, now, seconds, now + seconds)
        self.in_time += 1
        promise.add_done_callback(self.inbox.put)

    def end(self, promise: Promise) -> None:
        """Remove a lease that has ended."""
        lease = self.out.pop(promise)
        self.in_time -= not lease.late
        self.recalled -= lease.recalled and not lease.late

    def recall(self, now: float) -> None:
        """Make all leases due now."""
        for lease in self.out.values():
            lease.due = min(lease.due, now)
            self.recalled += not lease.recalled and not lease.late
            lease.recalled = True
        self._next_look = 0.0

    def find_late(self, now: float, asleep: float) -> None:
        """Find late leases at the beginning of a round.  Time that the coordinator itself was asleep does not count."""
        self._settled.clear()
        if asleep > 0:
            for lease in self.out.values():
                lease.due += asleep
        if now < self._next_look:
            return
        self._next_look = now + _LOOK
        for lease in self.out.values():
            if not lease.late and now - lease.due > self._grace:
                lease.late = True
                self.in_time -= 1
                self.recalled -= lease.recalled
                self.orphaned.extend(unit for unit in lease.units if self.holds(unit))


class UnitSizing:
    """How long units take, how many a bundle has, how many parts a remainder gets, and when units are recalled."""

    def __init__(self, engine: Engine, now: float) -> None:
        self._engine = engine
        self._works: float | None = None  # CPU seconds that a unit takes
        self._way = FIRST_UNIT  # seconds to send a unit and its result
        self._waited = 0.0  # seconds that all idle workers together have waited
        self._looked = self._starved = now  # when workers were last idle; at first the beginning
        self._reluctance = 1.0

    def learn(self, now: float, lease: Lease, outcomes: Outcomes) -> None:
        """Update the averages by a bundle that has returned."""
        if not outcomes:
            return
        works = sum(outcome.cpu_seconds for outcome in outcomes) / len(outcomes)
        self._works = works if self._works is None else self._works + _LEARN * (works - self._works)
        took = now - lease.began
        if not lease.recalled and took > lease.seconds and outcomes[-1].rest is not None:
            self._way += _LEARN * (took - lease.seconds - self._way)

    def seconds(self, now: float, working: int) -> float:
        """How long new units may take while this many bundles are running."""
        least = max(FIRST_UNIT, _WAYS * self._way, working / _MOST_A_SECOND)
        return min(self._engine.patience, max(least, (now - self._starved) / 4))

    def bundle(self, ready: int) -> int:
        """How many of the ready units a bundle has: as many as keep a worker busy for half the patience of the engine.

        It is at most an equal share of the ready units.
        """
        if self._works is None:
            return 1
        busy = min(_MOST_BUNDLE, int(self._engine.patience / 2 / max(self._works, 1e-6)))
        return max(1, min(busy, ready // max(self._engine.slots, 1)))

    def parts(self, ready: int, to_come: int) -> int:
        """Into how many parts a remainder is divided, while this many other bundles will return soon."""
        slots = self._engine.slots
        if slots == 1:
            return 1
        missing = max(0, _LEAST_STOCK + slots // 4 - ready)
        return 1 + -(-missing // max(to_come, 1))

    def is_time_to_share(self, now: float, idle: int, working: int, ready: int, *, starving: bool) -> bool:
        """Whether the running units should be recalled to be divided."""
        since = now - self._looked
        self._looked = now
        if not starving:
            self._waited = 0.0
            if ready >= idle:
                self._reluctance = 1.0
            return False
        self._starved = now
        self._waited += idle * since
        if self._waited < self._reluctance * self._way * working:
            return False
        self._waited = 0.0
        if self._reluctance * self._way < self._engine.patience:
            self._reluctance *= 2
        return True
