"""Viewing a stored job without running anything, also while a process works on it.

A family has a function `view` in its module `solving`.  It makes the same search as the verb and returns the stored result::

    def view(state: State) -> Pictures:
        return Pictures(state.puzzle, state.result(search_for(state.puzzle), keep=state.verb != "count"))

It does not verify answers: they were verified when they were found, or are partial.  A family with several searches selects
one by `state.verb`, `state.options` and `state.stage`.  `tablero.families.look` and `tablero.families.board` call `view`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from tablero import families
from tablero.errors import JobError
from tablero.runs.coordinator import result_of
from tablero.runs.findings import Result
from tablero.runs.record import Record
from tablero.runs.run import require_most
from tablero.search.base import Search


class State:
    """A stored job, for the function `view` of its family.

    Parameters
    ----------
    record
        The opened file of the job.
    current
        Whether `result` has the partial answer of one unit instead of the answers found so far.

    Attributes
    ----------
    family
        The family of the job.
    kernel
        The name and version of the job's search.
    verb, options
        The verb that the job runs, and its options.
    stage
        What the job stores about its present search, if it needs several.
    most
        The number of answers that are enough; None for all.
    """

    def __init__(self, record: Record, *, current: bool = False) -> None:
        self._record, self._current = record, current
        self._info = record.info
        recipe = self._info.recipe
        self.family = families.by_word(recipe.get("family"))
        about = self.family.verbs[recipe["verb"]]
        self.kernel: str = self._info.kernel
        self.verb: str = about.name
        self.options: dict[str, Any] = about.checked(recipe["options"])
        self.stage: dict[str, Any] = recipe.get("stage", {})
        self.most: int | None = recipe.get("most")
        require_most(self.most)
        about.require_sense(self.puzzle, self.options)

    @cached_property
    def puzzle(self) -> Any:
        """The puzzle of the job."""
        return self.family.module("puzzle").from_bytes(self._info.problem)

    def result(self, search: Search, *, keep: bool = True) -> Result:
        """What the job has found so far.  Its cost includes the job's earlier searches (`before` of the stage).

        Parameters
        ----------
        search
            The job's search, made again.
        keep
            Whether answers were asked for, and not only their number.

        Raises
        ------
        JobError
            If the job belongs to another search.
        """
        info = self._info
        if (info.kernel, info.digest) != (search.name, search.digest()):
            raise JobError(f"job {info.name!r} is of another problem or of another kernel, {info.kernel}")
        if not self._current:
            result = result_of(search, self._record, self.most, keep=keep)
            before = info.before
            return replace(
                result,
                nodes=result.nodes + int(before["nodes"]),
                seconds=result.seconds + before["seconds"],
                cpu_seconds=result.cpu_seconds + before["cpu"],
            )
        state = self._record.last_state()
        row = None if state is None else search.partial(state)
        rows = np.empty((0, search.width), np.int32) if row is None else row[None, :]
        return Result("open", 0, rows, fraction=0.0, checked=True, partial=True)
