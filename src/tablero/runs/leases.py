"""Units that a coordinator has handed out and not got back, how long they are, and when they are recalled.

    held      a unit that is leased in the store and not booked yet
    lease     a bundle of held units that a worker has, and when it is due
    late      a lease that is not back though it was due a while ago: its worker may be frozen, or only slow
    orphaned  a held unit that nobody works on, as far as is known: one of a late lease, which may be leased again

A late worker may come back after all.  What it brings is taken if nobody else brought it: a unit is held until it is booked
or given back, and nothing is booked that is not held.  Its slot is not given to others meanwhile, for a frozen worker would
freeze their units too.

    seconds   how long a unit may take: short at first, so that small searches end and large ones spread at once; longer the
              longer there is work for all, up to the patience of the engine, so that the way there and back hardly counts
    bundle    units that a worker takes at a time: more than one where they end long before their time
    stock     units that are ready: for every fourth worker.  The more are made ahead, the smaller they are, and a worker
              that comes back with a remainder can have it cut at once
    sharing   all units are recalled, to be cut anew, when idle workers have waited for as long as that costs all others;
              less and less often when it does not help

The sizes were tried on up to ten thousand simulated workers: see bench/grid_simulation.py.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from queue import SimpleQueue

from tablero.runs.engines import Engine, Outcomes, Promise
from tablero.runs.store import Unit

_LOOK = 0.5  # seconds between looks for leases that are late
FIRST_UNIT = 0.02  # seconds
_MOST_BUNDLE = 32
_WAYS = 4  # a unit is so many times as long as its way there and back
_LEAST_STOCK = 4
_MOST_A_SECOND = 200  # bundles, also while they are short: more would pile up at a scheduler
_LEARN = 0.05  # weight of the newest


@dataclass(slots=True)
class Lease:
    """A bundle of units under way."""

    units: list[Unit]
    began: float
    seconds: float  # that it was ordered to take
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
        self.recalled = 0  # of these
        self._held: dict[int, Unit] = {}
        self._settled: list[Unit] = []  # in this round
        self._grace = grace
        self._next_look = 0.0

    @property
    def holds_any(self) -> bool:
        return bool(self._held)

    def holds(self, unit: Unit) -> bool:
        """By identity: the store may give the number of a unit that is done to another."""
        return self._held.get(unit.id) is unit

    def settle(self, unit: Unit) -> None:
        """The unit is booked or given back."""
        self._settled.append(self._held.pop(unit.id))

    def recover(self, leased: set[int]) -> None:
        """After an interruption, take from the store which of the units that were just settled are held."""
        self._held.update((unit.id, unit) for unit in self._settled)
        self._held = {number: unit for number, unit in self._held.items() if number in leased}

    def bundles(self, units: Sequence[Unit], most: int) -> list[list[Unit]]:
        """Leased units in up to so many bundles, and orphaned ones where there are too few.

        A unit that was lost before goes alone, lest it take others with it again.
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
            if self.holds(unit):  # nobody has brought it meanwhile
                found.append([unit])
        return found

    def taken(self, slots: int) -> int:
        """How many of the workers' slots are taken.

        An engine may put several leases behind one frozen worker, so those that are late take half the slots at most.
        """
        late = len(self.out) - self.in_time
        return self.in_time + min(late, max(1, slots // 2))

    def add(self, promise: Promise, units: list[Unit], seconds: float, now: float) -> None:
        """A worker has these units from now on."""
        self.out[promise] = Lease(units, now, seconds, now + seconds)
        self.in_time += 1
        promise.add_done_callback(self.inbox.put)

    def end(self, promise: Promise) -> None:
        """A lease is over."""
        lease = self.out.pop(promise)
        self.in_time -= not lease.late
        self.recalled -= lease.recalled and not lease.late

    def recall(self, now: float) -> None:
        """Everything is due now."""
        for lease in self.out.values():
            lease.due = min(lease.due, now)
            self.recalled += not lease.recalled and not lease.late
            lease.recalled = True
        self._next_look = 0.0

    def find_late(self, now: float, asleep: float) -> None:
        """Find the leases that are late as a round begins.  Time that the coordinator itself was asleep does not count."""
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
    """How long units may take, how many a worker takes at a time, and into how many pieces a remainder is cut."""

    def __init__(self, engine: Engine, now: float) -> None:
        self._engine = engine
        self._works: float | None = None  # CPU seconds that a unit takes
        self._way = FIRST_UNIT  # seconds there and back
        self._waited = 0.0  # by workers together, for work
        self._looked = self._starved = now  # when workers last had nothing to do, or all began
        self._reluctance = 1.0

    def learn(self, now: float, lease: Lease, outcomes: Outcomes) -> None:
        """From a bundle that came back."""
        if not outcomes:
            return
        works = sum(outcome.cpu_seconds for outcome in outcomes) / len(outcomes)
        self._works = works if self._works is None else self._works + _LEARN * (works - self._works)
        took = now - lease.began
        if not lease.recalled and took > lease.seconds and outcomes[-1].rest is not None:
            self._way += _LEARN * (took - lease.seconds - self._way)

    def seconds(self, now: float, working: int) -> float:
        """How long units may take that are handed out when so many are under way."""
        least = max(FIRST_UNIT, _WAYS * self._way, working / _MOST_A_SECOND)
        return min(self._engine.patience, max(least, (now - self._starved) / 4))

    def bundle(self, ready: int) -> int:
        """How many of the ready units a worker may take, such that all others can have as many.

        They keep it busy for half the patience of the engine.
        """
        if self._works is None:
            return 1
        busy = min(_MOST_BUNDLE, int(self._engine.patience / 2 / max(self._works, 1e-6)))
        return max(1, min(busy, ready // max(self._engine.slots, 1)))

    def parts(self, ready: int, to_come: int) -> int:
        """Into how many pieces to cut a remainder, when so many others will be here soon."""
        slots = self._engine.slots
        if slots == 1:
            return 1
        missing = max(0, _LEAST_STOCK + slots // 4 - ready)
        return 1 + -(-missing // max(to_come, 1))

    def is_time_to_share(self, now: float, idle: int, working: int, ready: int, *, starving: bool) -> bool:
        """Whether the units under way should be recalled."""
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
