"""How long units are, how many a worker takes at a time, into how many pieces they are cut, and when they are recalled.

    seconds   how long a unit may take: short at first, so that small searches end and large ones spread at once; longer the
              longer there is work for all, up to the patience of the engine, so that the way there and back hardly counts
    bundle    units that a worker takes at a time: more than one where they end long before their time
    stock     units that are ready: for every fourth worker.  The more are made ahead, the smaller they are, and who comes
              back with a remainder can have it cut at once
    sharing   all units are recalled, to be cut anew, when the workers that have nothing to do have waited for as long as
              that costs all others; less and less often when it does not help

All of it is tried on up to ten thousand simulated workers: see bench/grid_simulation.py.
"""

from __future__ import annotations

from tablero.runs.engines import Engine, Outcomes
from tablero.runs.lending import Loan

FIRST_UNIT = 0.02  # seconds
_MOST_BUNDLE = 32
_WAYS = 4  # a unit is so many times as long as its way there and back
_LEAST_STOCK = 4
_MOST_A_SECOND = 200  # bundles, also while they are short: more would pile up at a scheduler
_LEARN = 0.05  # weight of the newest


class Pace:
    """See the head of this module."""

    def __init__(self, engine: Engine, now: float) -> None:
        self._engine = engine
        self._works: float | None = None  # CPU seconds that a unit takes
        self._way = FIRST_UNIT  # seconds there and back
        self._waited = 0.0  # by workers together, for work
        self._looked = self._starved = now  # when workers last had nothing to do, or all began
        self._reluctance = 1.0

    def learn(self, now: float, loan: Loan, outcomes: Outcomes) -> None:
        """From a bundle that came back."""
        if not outcomes:
            return
        works = sum(outcome.cpu_seconds for outcome in outcomes) / len(outcomes)
        self._works = works if self._works is None else self._works + _LEARN * (works - self._works)
        took = now - loan.lent
        if not loan.called and took > loan.seconds and outcomes[-1].rest is not None:
            self._way += _LEARN * (took - loan.seconds - self._way)

    def seconds(self, now: float, working: int) -> float:
        """How long units may take that are handed out when so many are under way."""
        least = max(FIRST_UNIT, _WAYS * self._way, working / _MOST_A_SECOND)
        return min(self._engine.patience, max(least, (now - self._starved) / 4))

    @property
    def _bundle(self) -> int:
        """How many units it takes to keep a worker busy for half the patience of the engine."""
        if self._works is None:
            return 1
        return max(1, min(_MOST_BUNDLE, int(self._engine.patience / 2 / max(self._works, 1e-6))))

    def bundle(self, ready: int) -> int:
        """How many of the ready units a worker may take, such that all others can have as many."""
        return max(1, min(self._bundle, ready // max(self._engine.slots, 1)))

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
