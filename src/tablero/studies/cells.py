"""The cells of a study as a search, so that they are kept, resumed and shared as every search is.

A unit is a cell, and its state the cell's text.  An answer is what was measured, as JSON within a row of numbers.
"""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass, field

import numpy as np

from tablero.errors import BadInput
from tablero.search.base import Answers, Bound, Flag, Orders, Outcome, SearchBase
from tablero.studies.catalogue import study
from tablero.studies.design import Cell, plain
from tablero.studies.leaving import unless_stopped
from tablero.studies.machine import LOAD, MADE, load, machine

_WIDTH = 512  # numbers of an answer: room for 2,044 bytes
_MOST_STATE = 4096


@dataclass
class Cells(SearchBase):
    """Measurements of a study."""

    study_name: str
    states: tuple[bytes, ...]
    proves: bool = field(init=False, default=False)
    splits: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        self.name = f"study.{self.study_name}/{study(self.study_name).version}"

    @property
    def width(self) -> int:
        return _WIDTH

    def digest(self) -> str:
        return hashlib.sha256(json.dumps([self.name, [state.decode() for state in self.states]]).encode()).hexdigest()

    def starts(self) -> list[bytes]:
        return list(self.states)

    def share(self, state: bytes) -> float:
        return 1 / max(len(self.states), 1)

    def divide(self, state: bytes, parts: int) -> list[bytes]:
        return [state]

    def order(self, state: bytes) -> tuple[int, ...]:
        try:
            return (self.states.index(state),)
        except ValueError:
            raise BadInput("a stored cell is none of this study's") from None

    def warm(self) -> None:
        """Measures compile what they use; the time of that is no part of what they measure."""

    def advance(self, state: bytes, orders: Orders, stop: Flag, bound: Bound) -> Outcome:
        """Measure the cell; one that is stopped is not measured, and waits for the next time."""
        cell = read_cell(state)
        asked = study(self.study_name)

        def measure() -> tuple[Cell, float]:
            cpu = time.thread_time()
            measured = {name: plain(value) for name, value in asked.measure(cell, asked.seed(cell)).items()}
            return measured, time.thread_time() - cpu

        done = unless_stopped(measure, stop)
        if done is None:
            return Outcome(0, 0, Outcome.empty(self.width), state, 0.0)
        row = packed({**cell, **done[0], MADE: machine(), LOAD: load()})
        return Outcome(1, 1, row[None, :], None, done[1])


def read_cell(state: bytes) -> Cell:
    """The cell of a state; one that was stored may hold anything."""
    try:
        if len(state) > _MOST_STATE:
            raise ValueError
        cell = json.loads(state)
        good = isinstance(cell, dict) and all(isinstance(v, (int, float, str, bool, type(None))) for v in cell.values())
    except (ValueError, RecursionError):
        good = False
    if not good:
        raise BadInput("a stored cell is damaged")
    return dict(cell)


def packed(values: Cell) -> Answers:
    """Values as a row of numbers."""
    text = json.dumps(values, separators=(",", ":")).encode()
    if len(text) > 4 * (_WIDTH - 1):
        raise ValueError(f"a measurement of {len(text)} bytes: at most {4 * (_WIDTH - 1)} have room")
    row = np.zeros(_WIDTH, np.int32)
    row[0] = len(text)
    row[1:].view(np.uint8)[: len(text)] = np.frombuffer(text, np.uint8)
    return row


def unpacked(row: Answers) -> Cell:
    """The values of a row."""
    size = int(row[0])
    if not 0 < size <= 4 * (_WIDTH - 1):
        raise BadInput("a stored measurement is damaged")
    return read_cell(np.ascontiguousarray(row[1:]).view(np.uint8)[:size].tobytes())
