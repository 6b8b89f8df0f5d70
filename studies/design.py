"""What a study is.

    factor    something that is varied, and its levels
    cell      one measurement: a level of every factor, and the number of the repetition
    measure   what is done in a cell: a function of it and of a seed, to numbers and words by name
    capped    a measurement that a limit has stopped: `capped` is then true, and its value is a bound, never a value

The seed of a cell follows from the study's name and from the cell alone: so the same study gives the same table, whatever
was measured before it, wherever it runs, and however many repetitions there are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.table import Table

Value = int | float | str | bool | None
Cell = dict[str, Any]  # values by name
CAPPED = "capped"
NO_CHANCE = "Nothing is random here."


@dataclass(frozen=True)
class Study:
    """An experiment."""

    name: str
    title: str
    summary: str  # one sentence for the gallery
    question: str  # what it asks, in a sentence or three
    source: str  # what the source said
    factors: Mapping[str, Sequence[Value]]
    quick: Mapping[str, Sequence[Value]]  # the same with fewer levels: under a minute
    measure: Callable[[Cell, int], Cell]
    conclude: Callable[[Table], list[str]]  # sentences with figures, from the table
    draw: Callable[[Table, Axes], None]
    repetitions: int = 1
    quick_repetitions: int = 1
    allows: Callable[[Cell], bool] = lambda cell: True  # what means nothing, or nothing new, is left out
    timed: tuple[str, ...] = ()  # what else than `seconds` depends on the machine and on what else it does
    seeds: str = "The seed of a cell is the first 48 bits of the SHA-256 of the study's name and of the cell."
    version: int = 1  # raised when the measure changes its meaning: what was measured before no longer counts

    def cells(self, *, quick: bool = False, repetitions: int | None = None) -> Iterator[Cell]:
        """All measurements, in the order of the table."""
        factors = self.quick if quick else self.factors
        usual = self.quick_repetitions if quick else self.repetitions
        for cell in _combinations(factors):
            for k in range(usual if repetitions is None else repetitions):
                one = {**cell, "repetition": k}
                if self.allows(one):
                    yield one

    def seed(self, cell: Cell) -> int:
        """What the random numbers of a cell begin with."""
        text = json.dumps([self.name, sorted(cell.items())])
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "little")

    def table(self) -> Any:
        """All that was measured of it so far, as a DataFrame of pandas."""
        from studies.table import measured

        return measured(self).to_frame()


def _combinations(factors: Mapping[str, Sequence[Value]]) -> Iterator[Cell]:
    if not factors:
        yield {}
        return
    *earlier, last = factors
    for cell in _combinations({name: factors[name] for name in earlier}):
        for level in factors[last]:
            yield {**cell, last: level}


def key_of(cell: Cell) -> str:
    """A cell as a text that no other cell of the study has."""
    return json.dumps(sorted(cell.items()))


def plain(value: Any) -> Any:
    """A number of NumPy's as Python has it."""
    return value.item() if hasattr(value, "item") else value
