"""Running a study: what has been measured is kept, what is missing is measured, and all of it makes the table.

The cells that are missing are one search, kept as a job of the study's name, here or on a grid (`runs.runner`).  What it
brings goes into a ledger, a file of a JSON line a cell, which only ever grows: so a study that is stopped or killed goes on,
and one that is run again with more repetitions keeps those that there are.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import platformdirs

from tablero.errors import BadInput
from tablero.lazy import need
from tablero.runs import jobs
from tablero.runs.runner import HERE, Books, Grid, Here, Job, Run, Stored, perform, require_run
from tablero.runs.watch import Telling
from tablero.studies.catalogue import study as study_of
from tablero.studies.cells import Cells, unpacked
from tablero.studies.design import CAPPED, Cell, Study, Value, key_of
from tablero.studies.machine import LOAD, MADE
from tablero.studies.statistics import Summary, summary

FAMILY = "study"


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


def home() -> Path:
    """The folder of what studies have measured: TABLERO_HOME, or the user's data folder."""
    return Path(os.environ.get("TABLERO_HOME") or platformdirs.user_data_dir("tablero")) / "studies"


def run(
    study: Study | str,
    *,
    quick: bool = False,
    repetitions: int | None = None,
    run: Run = HERE,
    folder: Path | None = None,
    again: str = "",
) -> Table:
    """Measure what is missing, and give all that was wanted; `again` is the command that goes on, if it is another."""
    require_run(run)
    asked = study_of(study) if isinstance(study, str) else study
    if repetitions is not None and not 1 <= repetitions <= 100_000:
        raise BadInput(f"{repetitions} repetitions: expected 1 to 100,000")
    wanted = list(asked.cells(quick=quick, repetitions=repetitions))
    ledger = Ledger(asked, folder or home())
    known = ledger.read()
    missing = [cell for cell in wanted if key_of(cell) not in known]
    interrupted = False
    if missing:
        more, interrupted = _measure(
            asked, missing, ledger, run, again or command_for(asked.name, quick=quick, repetitions=repetitions)
        )
        known |= more
    table = _table(asked, [known[key_of(cell)] for cell in wanted if key_of(cell) in known], len(wanted))
    return replace(table, interrupted=interrupted)


def command_for(name: str, *, quick: bool, repetitions: int | None) -> str:
    """What goes on with a study that was stopped: itself."""
    words = ["tablero study run", name, *(["--quick"] if quick else [])]
    return " ".join(words + ([] if repetitions is None else [f"--repetitions {repetitions}"]))


def measured(study: Study, *, folder: Path | None = None) -> Table:
    """All that was ever measured of a study, whatever was asked for; nothing is measured now."""
    known = Ledger(study, folder or home()).read()
    if not known:
        raise BadInput(f"nothing of {study.name} is measured yet: tablero study run {study.name}")
    return _table(study, list(known.values()), len(known))


def _table(asked: Study, found: Sequence[Cell], wanted: int) -> Table:
    first = [*asked.factors, "repetition"]
    aside = {*first, MADE, LOAD}
    rows = tuple({name: row[name] for name in (*first, *(name for name in row if name not in aside))} for row in found)
    made = Counter(str(row.get(MADE, "a machine that is not known")) for row in found)
    loads = [float(row[LOAD]) for row in found if row.get(LOAD) is not None]
    return Table(asked, rows, wanted - len(rows), tuple(made.most_common()), summary(loads) if loads else None)


def _measure(
    asked: Study, missing: Sequence[Cell], ledger: Ledger, run: Run, command: str
) -> tuple[dict[str, Cell], bool]:
    """Measure these cells.  What comes in is in the job's file at once, and in the ledger when that ends or goes on.

    Also whether it was interrupted; the command is what then goes on.
    """
    name = f"study-{asked.name}"
    known = _harvest(asked, name, ledger)
    left = [cell for cell in missing if key_of(cell) not in known]
    if not left:
        return known, False
    search = _search(asked, left)
    recipe = {"family": FAMILY, "verb": asked.name}
    books = Books(recipe, lambda: b"\n".join(search.states))
    telling = Telling(lambda found, _: f"{found:,} of {len(left):,} measured", nodes=False, resumed_by=command)
    result = perform(search, _kept(run, name), books=books, most=None, telling=telling)
    return known | _harvest(asked, name, ledger), result.interrupted


def _search(asked: Study, cells: Sequence[Cell]) -> Cells:
    return Cells(asked.name, tuple(json.dumps(cell, sort_keys=True).encode() for cell in cells))


def _kept(run: Run, name: str) -> Run:
    """The same way to run, with books under this name."""
    if isinstance(run, Grid):
        return replace(run, job=name)
    assert isinstance(run, Here)
    return Job(name, threads=run.threads, time_limit=run.time_limit, node_limit=run.node_limit, watch=run.watch)


def _harvest(asked: Study, name: str, ledger: Ledger) -> dict[str, Cell]:
    """Bring what a job of the study has measured into the ledger; then the job has served."""
    if not jobs.path_of(name).exists():
        return {}
    record = jobs.read_job(name)
    try:
        record.require_idle()
        card = record.card
    finally:
        record.close()
    found: dict[str, Cell] = {}
    if (
        card.kernel == _search(asked, []).name
    ):  # else it is of another version, and what it measured means something else
        search = Cells(asked.name, tuple(card.problem.split(b"\n")))
        result = perform(search, Stored(name), most=None)
        found = ledger.add(unpacked(row) for row in result.answers)
    jobs.remove(name)
    return found


class Ledger:
    """What a study has measured: a file of JSON lines that only grows."""

    def __init__(self, study: Study, folder: Path) -> None:
        self._names = {*study.factors, "repetition"}
        self._path = folder / f"{study.name}-{study.version}.jsonl"

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
                found[self._key(row)] = row
        return found

    def add(self, rows: Iterable[Cell]) -> dict[str, Cell]:
        """Write rows that are new."""
        new = {self._key(row): row for row in rows}
        if new:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write("".join(json.dumps(row) + "\n" for row in new.values()))
                stream.flush()
                os.fsync(stream.fileno())
        return new

    def _key(self, row: Cell) -> str:
        return key_of({name: value for name, value in row.items() if name in self._names})
