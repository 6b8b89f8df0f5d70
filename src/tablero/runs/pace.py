"""How long units are, how many a worker takes at a time, into how many pieces they are cut, and when they are recalled.

seconds   how long a unit may take: short at first, so that small searches end and large ones spread at once; then longer,
          up to the patience of the engine, so that the way there and back hardly counts
bundle    units that a worker takes at a time: more than one where they end long before their time
stock     units that are ready: enough for every worker to have the next one
sharing   all units are recalled, to be cut anew, when the workers that have nothing to do have waited for as long as that
          costs all others; less and less often when it does not help
"""

from __future__ import annotations

from tablero.runs.engines import Engine, Outcomes
from tablero.runs.lending import Loan

FIRST_UNIT = 0.02  # seconds
_LONG_ENOUGH = 1 / 8  # of its seconds a bundle should take
_MOST_BUNDLE = 16
_LEARN = 0.05  # weight of the newest


class Pace:
    """See the head of this module."""

    def __init__(self, engine: Engine) -> None:
        self.seconds = FIRST_UNIT
        self._engine = engine
        self._takes: float | None = None  # seconds that a unit takes, on the way and on its worker
        self._way = FIRST_UNIT  # seconds there and back
        self._waited = 0.0  # by workers together, for work
        self._looked: float | None = None
        self._reluctance = 1.0

    def learn(self, now: float, loan: Loan, outcomes: Outcomes) -> None:
        """From a bundle that came back."""
        took = now - loan.lent
        takes = took / max(len(outcomes), 1)
        self._takes = takes if self._takes is None else self._takes + _LEARN * (takes - self._takes)
        if not loan.called and took > loan.seconds and outcomes and outcomes[-1].rest is not None:
            self._way += _LEARN * (took - loan.seconds - self._way)

    def lengthen(self, *, enough: bool) -> None:
        """Units were handed out, enough for all workers or not."""
        self.seconds = min(self._engine.patience, self.seconds * (1.5 if enough else 1.1))

    @property
    def _bundle(self) -> int:
        if self._takes is None:
            return 1
        return max(1, min(_MOST_BUNDLE, int(_LONG_ENOUGH * self.seconds / max(self._takes, 1e-6))))

    def bundle(self, ready: int) -> int:
        """How many of the ready units a worker may take, such that all others can have as many."""
        return max(1, min(self._bundle, ready // max(self._engine.slots, 1)))

    def parts(self, ready: int, to_come: int) -> int:
        """Into how many pieces to cut a remainder, when so many others will be here soon."""
        slots = self._engine.slots
        if slots == 1:
            return 1
        missing = max(0, slots * (1 + self._bundle) - ready)
        return 1 + -(-missing // max(to_come, 1))

    def is_time_to_share(self, now: float, idle: int, working: int, ready: int, *, starving: bool) -> bool:
        """Whether the units under way should be recalled."""
        since = 0.0 if self._looked is None else now - self._looked
        self._looked = now
        if not starving:
            self._waited = 0.0
            if ready >= idle:
                self._reluctance = 1.0
            return False
        self._waited += idle * since
        if self._waited < self._reluctance * self._way * working:
            return False
        self._waited = 0.0
        if self._reluctance * self._way < self._engine.patience:
            self._reluctance *= 2
        self.seconds = max(FIRST_UNIT, self.seconds / 2)
        return True
