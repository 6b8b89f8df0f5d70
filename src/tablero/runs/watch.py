"""Progress of a search as watchers get it: one kind of message for all searches and all front ends.

A watcher is any function of a snapshot.  It is called when something is compiled, ten times a second during a search, and
at the end.  `progress.Progress` is the one that shows it to people.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Snapshot:
    """How work is going."""

    doing: str = "searching"
    seconds: float = 0.0  # since it began
    time_limit: float | None = None
    fraction: float | None = None  # of the tree; None where that says nothing
    fraction_before: float = 0.0  # at which this run began
    ends: bool = True  # whether the fraction 1 is the end of everything
    nodes: int = 0  # visited in this run; 0 where their number says nothing
    found: int = 0
    best: int | None = None
    quarantined: int = 0  # units that could not be worked on
    words: str = ""  # of the family: how far it has come
    remark: str = ""  # to be said once
    over: bool = False


Watcher = Callable[[Snapshot], None]


@dataclass(frozen=True)
class ProgressText:
    """How the progress of a family's search is shown."""

    words: Callable[[int, int | None], str] | None = None  # of the number found and the best value
    fraction: bool = True  # whether the fraction of the tree says anything
    ends: bool = True  # whether the search is over when its tree is: not where another tree follows


PLAIN_PROGRESS = ProgressText()
