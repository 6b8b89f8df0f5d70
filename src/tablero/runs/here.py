"""Searches on threads of this process, and what the results of all families have in common."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from tablero.errors import BadInput
from tablero.runs.coordinator import run
from tablero.runs.engines import Threads
from tablero.runs.findings import Result
from tablero.search.base import Search

_COMPILED: set[Hashable] = set()  # kernels that this process has used


def run_here(search: Search, threads: int = 1, *, kernel: Hashable = None, **limits: Any) -> Result:
    """Run a search.  Compiling is not searching: it does not count as time.

    To be sure that a kernel is compiled takes a first step of the search, which may be long; where its name is given, that
    is done once.  `limits` are those of `tablero.runs.coordinator.run`.
    """
    require_threads(threads)
    if kernel not in _COMPILED:
        search.warm()
        if kernel is not None:
            _COMPILED.add(kernel)
    engine = Threads(threads)
    try:
        return run(search, engine=engine, **limits)
    finally:
        engine.close()


def require_threads(threads: int) -> None:
    if threads < 1:
        raise BadInput(f"{threads} threads: expected at least 1")


class Findings:
    """What a search found: a family adds the puzzle, and what the answers mean."""

    result: Result

    @property
    def status(self) -> str:
        """As everywhere: solved, complete, none or open."""
        return self.result.status

    @property
    def solutions(self) -> int:
        return self.result.solutions

    def require_answer(self) -> None:
        """Raise when the search stopped before it knew."""
        if self.status == "open":
            raise TimeoutError(f"stopped at {100 * self.result.fraction:.2f} % of the search: the answer is open")
