"""What was measured: a table, and the ledger that keeps it from run to run.

A ledger is a file of JSON lines, a line a cell, which only ever grows.  So a study that is stopped or killed goes on when it
is run again, and one that is run with more repetitions keeps those that there are.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import platformdirs

from studies.design import CAPPED, Cell, Study, Value, key_of
from studies.machine import LOAD, MADE
from studies.statistics import Summary, summary
from tablero.errors import BadInput, need


@dataclass(frozen=True)
class Table:
    """What was measured: a row a cell, in the order of the design."""

    study: Study
    rows: tuple[Cell, ...]
    missing: int = 0  # cells that were not measured: the study was stopped
    made: tuple[tuple[str, int], ...] = ()  # machines with their versions, and how many rows are theirs
    load: Summary | None = None  # of those machines while they measured, where it is known
    interrupted: bool = False  # by Ctrl-C

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(name for row in self.rows for name in row))

    def where(self, **levels: Value) -> Table:
        """The rows with these levels."""
        kept = tuple(row for row in self.rows if all(row.get(name) == level for name, level in levels.items()))
        return replace(self, rows=kept)

    def levels(self, factor: str) -> list[Any]:
        """What a factor is in these rows, in the order of the table."""
        return list(dict.fromkeys(row[factor] for row in self.rows if factor in row))

    def values(self, name: str) -> list[Any]:
        return [row[name] for row in self.rows if row.get(name) is not None]

    def summary(self, name: str) -> Summary:
        """Median and quartiles of a column; what was stopped counts as such."""
        rows = [row for row in self.rows if row.get(name) is not None]
        return summary([float(row[name]) for row in rows], [bool(row.get(CAPPED)) for row in rows])

    def by(self, *factors: str) -> Iterator[tuple[tuple[Any, ...], Table]]:
        """The rows in groups of equal levels."""
        groups: dict[tuple[Any, ...], list[Cell]] = {}
        for row in self.rows:
            groups.setdefault(tuple(row.get(factor) for factor in factors), []).append(row)
        for levels, rows in groups.items():
            yield levels, replace(self, rows=tuple(rows))

    def csv(self) -> str:
        """Tidy: a row a measurement, a column a variable."""
        out = io.StringIO()
        writer = csv.DictWriter(out, self.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.rows)
        return out.getvalue()

    def to_frame(self) -> Any:
        """As a DataFrame of pandas: a row a measurement, a column a variable."""
        pandas = need("pandas", "a table of pandas", "notebooks")
        return pandas.DataFrame(list(self.rows), columns=self.columns)


def table_of(study: Study, found: Sequence[Cell], wanted: int) -> Table:
    """The table of rows of a ledger, out of so many cells that were wanted."""
    first = [*study.factors, "repetition"]
    quarantined = {*first, MADE, LOAD}
    rows = tuple(
        {name: row[name] for name in (*first, *(name for name in row if name not in quarantined))} for row in found
    )
    made = Counter(str(row.get(MADE, "a machine that is not known")) for row in found)
    loads = [float(row[LOAD]) for row in found if row.get(LOAD) is not None]
    return Table(study, rows, wanted - len(rows), tuple(made.most_common()), summary(loads) if loads else None)


def measured(study: Study, *, folder: Path | None = None) -> Table:
    """All that was ever measured of a study, whatever was asked for; nothing is measured now."""
    known = Ledger(study, folder).read()
    if not known:
        raise BadInput(f"nothing of {study.name} is measured yet: python -m studies run {study.name}")
    return table_of(study, list(known.values()), len(known))


def home() -> Path:
    """The folder of the ledgers: in TABLERO_HOME, or in the user's data folder."""
    return Path(os.environ.get("TABLERO_HOME") or platformdirs.user_data_dir("tablero")) / "studies"


class Ledger:
    """What a study has measured: a file of JSON lines that only grows."""

    def __init__(self, study: Study, folder: Path | None = None) -> None:
        self._names = {*study.factors, "repetition"}
        self._path = (folder or home()) / f"{study.name}-{study.version}.jsonl"

    def read(self) -> dict[str, Cell]:
        """Everything measured so far, by cell; a line that a crash has cut off is not there."""
        found: dict[str, Cell] = {}
        try:
            text = self._path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeError) as error:
            raise BadInput(f"{self._path}: {error}") from None
        for line in text.splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            if isinstance(row, dict):
                found[key_of({name: value for name, value in row.items() if name in self._names})] = row
        return found

    def add(self, row: Cell) -> None:
        """Append a row; it is in the file when this returns."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab+") as stream:
            if stream.tell():
                stream.seek(-1, os.SEEK_END)
                if stream.read(1) != b"\n":  # a crash has cut off the last line
                    stream.write(b"\n")
            stream.write(json.dumps(row).encode() + b"\n")
