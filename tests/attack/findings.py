"""What an attack has seen: how many inputs of what, what became of them, and what should not have."""

from __future__ import annotations

import re
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Tally:
    """The outcomes of one kind of input."""

    inputs: int = 0
    seconds: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0

    def add(self, outcome: str, seconds: float) -> None:
        self.inputs += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)
        self.outcomes[outcome] += 1


@dataclass
class Report:
    """All tallies, and every fault with what brings it about again."""

    seed: int
    folder: Path
    tallies: dict[str, Tally] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    known: set[str] = field(default_factory=set)
    began: float = field(default_factory=time.monotonic)

    def add(self, name: str, outcome: str, seconds: float) -> None:
        self.tallies.setdefault(name, Tally()).add(outcome, seconds)

    def fault(self, name: str, number: int, what: str, given: str) -> None:
        """Told once of each kind; the input goes into a file."""
        kind = f"{name} {skeleton(what)}"
        if kind in self.known:
            return
        self.known.add(kind)
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self.folder / f"{name}-{self.seed}-{number}.txt"
        file.write_bytes(given.encode("utf-8", "surrogatepass"))
        again = f"python -m tests.attack --seed {self.seed} --only {name} --number {number}"
        self.faults.append(
            f"{name}: {what[:300]}\n    {again}\n    {given[:120]!r}{' …' if len(given) > 120 else ''} in {file}"
        )

    def text(self) -> str:
        lines = [f"{'':<24}{'inputs':>10}{'a second':>10}{'accepted':>10}{'outcomes':>10}{'slowest, ms':>13}"]
        for name, tally in self.tallies.items():
            rate = tally.inputs / max(tally.seconds, 1e-9)
            accepted = 100 * tally.outcomes["accepted"] / tally.inputs
            lines.append(
                f"{name:<24}{tally.inputs:>10,}{rate:>10,.0f}{accepted:>9.1f}%{len(tally.outcomes):>10,}"
                f"{1000 * tally.slowest:>13,.1f}"
            )
        total = sum(tally.inputs for tally in self.tallies.values())
        distinct = sum(len(tally.outcomes) for tally in self.tallies.values())
        seconds = time.monotonic() - self.began
        lines.append(
            f"seed {self.seed}: {total:,} inputs in {seconds:.0f} s, {total / max(seconds, 1e-9):,.0f} a second; "
            f"{distinct:,} distinct outcomes; {len(self.faults)} faults"
        )
        return "\n".join([*lines, *self.faults])


def skeleton(message: str) -> str:
    """A message without what differs from input to input: what is quoted, and numbers."""
    message = re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "'…'", message[:1000])
    return re.sub(r"[0-9][0-9,.]*", "N", message)[:120]
