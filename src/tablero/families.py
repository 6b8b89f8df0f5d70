"""Families, found by the entry points of the group `tablero.families`: those of this package and of every other one.

An entry point names a package; its name is that of the family.  The package has

    __doc__     one line for the help
    ALIASES     other words for the family on the command line; optional
    DEFAULT     the verb that is meant where the command line names none; optional
    verbs       a module with the family's verbs, in the order of the help
    puzzle      a module with `as_puzzle`; for jobs with `as_bytes` and `from_bytes`; `score` where a search optimises
    formats     a module with `read`, `parse` and `write`
    EXAMPLES    puzzles of the page that is derived: values of fields by label; optional
    page        a module with what the web page adds; optional
    tour        a module with `stop()`, a puzzle of the tour; optional
    solving     a module with `kernels()`, what is compiled beforehand; for jobs with `view(state)`: see `runs.viewing`

Whoever needs a family looks here: the library, the command line, jobs, the web page, tour, doctor and tests.
"""

from __future__ import annotations

from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec

from tablero.errors import JobError

TYPE_CHECKING = False  # as type checkers know it: typing takes longer to load than all else that begins with this list
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from types import ModuleType
    from typing import Any

    from tablero.runs.record import JobInfo, Record
    from tablero.runs.run import Run
    from tablero.verbs import Verb

GROUP = "tablero.families"


class Family:
    """One family: see the head of this module."""

    def __init__(self, entry: EntryPoint) -> None:
        self.name, self.package = entry.name, entry.value

    @cached_property
    def root(self) -> ModuleType:
        return import_module(self.package)

    @property
    def about(self) -> str:
        """One line for the help."""
        return (self.root.__doc__ or self.name).strip().splitlines()[0]

    @property
    def words(self) -> tuple[str, ...]:
        """How it is called on the command line."""
        return (self.name, *getattr(self.root, "ALIASES", ()))

    @property
    def word(self) -> str:
        return self.words[-1]

    @property
    def default(self) -> str:
        """The verb that is meant where none is named; empty where one must be."""
        verb: str = getattr(self.root, "DEFAULT", "")
        return verb

    def has(self, part: str) -> bool:
        """Whether the package has a module of this name."""
        return find_spec(f"{self.package}.{part}") is not None

    def module(self, part: str) -> Any:
        """A module of the package, imported now."""
        return import_module(f"{self.package}.{part}")

    @cached_property
    def verbs(self) -> dict[str, Verb]:
        """The verbs by name, in the order in which they are defined."""
        found = [getattr(one, "__dict__", {}).get("verb") for one in vars(self.module("verbs")).values()]
        return {one.name: one for one in found if one is not None and one.package == self.package}


@cache
def families() -> dict[str, Family]:
    """All families by name: first those of this package, in the order of its entry points."""
    from importlib.metadata import entry_points

    found = [Family(entry) for entry in entry_points(group=GROUP)]
    found.sort(key=lambda family: not family.package.startswith("tablero."))
    return {family.name: family for family in found}


def name_of(package: str) -> str:
    """The name of the family that a package holds, as its entry point has it; else the package's own."""
    named = (family.name for family in families().values() if family.package == package)
    return next(named, package.rpartition(".")[2])


def by_word(word: object) -> Family:
    """The family of a stored job, or of a word on the command line."""
    for family in families().values():
        if word in family.words:
            return family
    raise JobError(f"the job belongs to the family {word!r}, unknown to this version")


def resume(record: Record, run: Run) -> Any:
    """Ask the question of a stored job again, of its open file, and go on with the job as the run says."""
    from dataclasses import replace

    info = record.info
    verb = by_word(info.recipe.get("family")).verbs[info.recipe["verb"]]
    return verb.resume(info.recipe, info.problem, replace(run, opened=record))


def look(record: Record) -> Any:
    """What a job has found so far, also while a process works on it."""
    return _view(record)


def board(record: Record) -> Any:
    """What a unit of a job that is at work, or waits, has decided of an answer; None where that says nothing."""
    found = _view(record, current=True)
    return found if found.result.kept and len(found.result.answers) else None


def _view(record: Record, *, current: bool = False) -> Any:
    from tablero.runs.viewing import State

    state = State(record, current=current)
    return state.family.module("solving").view(state)


def score(info: JobInfo, best: int) -> tuple[int, int] | None:
    """How good the best of an optimisation is, and what would be perfect; None where the family keeps no score."""
    counted = getattr(by_word(info.recipe.get("family")).module("puzzle"), "score", None)
    found: tuple[int, int] | None = None if counted is None else counted(info.problem, best)
    return found
