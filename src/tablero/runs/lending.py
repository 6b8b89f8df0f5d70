"""What a coordinator has handed out and not got back.

    held      units that are leased in the books and not booked yet
    loan      a bundle of held units that a worker has, and when it is due
    late      a loan that is not back though it was due a while ago: its worker may be frozen, or only slow
    spare     held units that nobody works on, as far as is known: those of late loans, which may be lent again

A late worker may come back after all.  What it brings is taken if nobody else brought it: a unit is held until it is booked
or given back, and nothing is booked that is not held.  Its place is not given to others meanwhile, for who is frozen would
freeze their units too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from queue import SimpleQueue

from tablero.runs.engines import Promise
from tablero.runs.store import Unit

_LOOK = 0.5  # seconds between looks for loans that are late


@dataclass(slots=True)
class Loan:
    """A bundle of units under way."""

    units: list[Unit]
    lent: float  # when
    seconds: float  # that it was ordered to take
    due: float
    called: bool = False  # it was recalled
    late: bool = False


class Lending:
    """See the head of this module."""

    def __init__(self, grace: float) -> None:
        self.inbox: SimpleQueue[Promise] = SimpleQueue()
        self.out: dict[Promise, Loan] = {}
        self.spare: deque[Unit] = deque()
        self.in_time = 0  # loans that are not late
        self.called = 0  # of these, that were recalled
        self._held: dict[int, Unit] = {}
        self._settled: list[Unit] = []  # in this round
        self._grace = grace
        self._next_look = 0.0

    @property
    def holds_any(self) -> bool:
        return bool(self._held)

    def holds(self, unit: Unit) -> bool:
        """By identity: the books may give the number of a unit that is done to another."""
        return self._held.get(unit.id) is unit

    def settle(self, unit: Unit) -> None:
        """It is booked or given back."""
        self._settled.append(self._held.pop(unit.id))

    def recover(self, leased: set[int]) -> None:
        """After an interruption: what the books say of the units that were just settled holds."""
        self._held.update((unit.id, unit) for unit in self._settled)
        self._held = {number: unit for number, unit in self._held.items() if number in leased}

    def bundles(self, units: Sequence[Unit], most: int) -> list[list[Unit]]:
        """Leased units in up to so many bundles, and spare ones where there is room.

        A unit that was lost before goes alone, lest it take others with it again.
        """
        for unit in units:
            self._held[unit.id] = unit
        alone = [unit for unit in units if unit.tries]
        others = [unit for unit in units if not unit.tries]
        found = [[unit] for unit in alone[:most]]
        self.spare.extend(alone[most:])
        room = min(most - len(found), len(others))
        if room:
            found += [others[k::room] for k in range(room)]
        else:
            self.spare.extend(others)
        while self.spare and len(found) < most:
            unit = self.spare.popleft()
            if self.holds(unit):  # nobody has brought it meanwhile
                found.append([unit])
        return found

    def taken(self, slots: int) -> int:
        """How many of the workers' places are taken.

        An engine may put several loans behind one frozen worker, so those that are late take half the places at most.
        """
        late = len(self.out) - self.in_time
        return self.in_time + min(late, max(1, slots // 2))

    def lend(self, promise: Promise, units: list[Unit], seconds: float, now: float) -> None:
        self.out[promise] = Loan(units, now, seconds, now + seconds)
        self.in_time += 1
        promise.add_done_callback(self.inbox.put)

    def back(self, promise: Promise) -> None:
        """A loan is over."""
        loan = self.out.pop(promise)
        self.in_time -= not loan.late
        self.called -= loan.called and not loan.late

    def recall(self, now: float) -> None:
        """Everything is due now."""
        for loan in self.out.values():
            loan.due = min(loan.due, now)
            self.called += not loan.called and not loan.late
            loan.called = True
        self._next_look = 0.0

    def look(self, now: float, asleep: float) -> None:
        """At the beginning of a round, find what is late.  Time that the coordinator was asleep itself does not count."""
        self._settled.clear()
        if asleep > 0:
            for loan in self.out.values():
                loan.due += asleep
        if now < self._next_look:
            return
        self._next_look = now + _LOOK
        for loan in self.out.values():
            if not loan.late and now - loan.due > self._grace:
                loan.late = True
                self.in_time -= 1
                self.called -= loan.called
                self.spare.extend(unit for unit in loan.units if self.holds(unit))
