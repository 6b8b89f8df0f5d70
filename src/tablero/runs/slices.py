"""Work that can be cut anywhere, as random walks: slice after slice until all is made, or the time is up, or Ctrl-C."""

from __future__ import annotations

from collections.abc import Iterable

from tablero import interrupts
from tablero.runs.run import Run
from tablero.runs.session import Clock
from tablero.runs.watch import Snapshot
from tablero.words import several


@interrupts.Polling()
def until_stopped(slices: Iterable[int], total: int, what: str, run: Run) -> tuple[int, bool]:
    """Go through slices, each of which says how many there are by then: how many were made, and whether Ctrl-C ended it.

    The first slice is made whatever the limit; Ctrl-C before its end leaves nothing to tell, and is passed on.
    """
    clock, made = Clock(run), 0
    try:
        for made in slices:
            clock.tell(several(made, what), fraction=made / total)
            if clock.is_up(0):
                break
    except KeyboardInterrupt:
        if not made:
            raise
        return made, True
    finally:
        run.tell(Snapshot(over=True))
    return made, False
