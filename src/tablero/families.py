"""The families of puzzles, found by the entry points of the group `tablero.families`, of this package and of others.

The name of an entry point is the name of the family, and its value is a package.  The package has

    __doc__     one line for the help
    ALIASES     other names of the family on the command line; optional
    DEFAULT     the verb to run if the command line names none; optional
    verbs       a module with the family's verbs, in the order of the help
    puzzle      a module with `as_puzzle`; for jobs with `as_bytes` and `from_bytes`; for optimisation with `score`
    formats     a module with `read`, `parse` and `write`
    EXAMPLES    example puzzles for the derived web page: values of fields by label; optional
    page        a module with what the family adds to its web page; optional
    tour        a module with `stop()`, the family's puzzle in the tour; optional
    solving     a module with `kernels()`, which are compiled in advance; for jobs with `view(state)`: see `runs.viewing`

The library, the command line, jobs, the web page, the tour, the doctor and the tests find families here.
"""

from __future__ import annotations

from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec

from tablero.errors import JobError

TYPE_CHECKING = False  # type checkers take it for True; importing typing for it would take time
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from types import ModuleType
    from typing import Any

    from tablero.runs.record import JobInfo, Record
    from tablero.runs.run import Run
    from tablero.verbs import Verb

GROUP = "tablero.families"


class Family:
    """One family; the docstring of this module says what its package has."""

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
        """Its names on the command line."""
        return (self.name, *getattr(self.root, "ALIASES", ()))

    @property
    def word(self) -> str:
        """The name that the command line shows."""
        return self.words[-1]

    @property
    def default(self) -> str:
        """The verb to run if none is named; empty if one must be named."""
        verb: str = getattr(self.root, "DEFAULT", "")
        return verb

    def has(self, part: str) -> bool:
        """Whether the package has a module of this name."""
        return find_spec(f"{self.package}.{part}") is not None

    def module(self, part: str) -> Any:
        """Import a module of the package."""
        return import_module(f"{self.package}.{part}")

    @cached_property
    def verbs(self) -> dict[str, Verb]:
        """The verbs by name, in the order in which they are defined."""
        found = [getattr(one, "__dict__", {}).get("verb") for one in vars(self.module("verbs")).values()]
        return {one.name: one for one in found if one is not None and one.package == self.package}


@cache
def families() -> dict[str, Family]:
    """All families by name, those of this package first."""
    from importlib.metadata import entry_points

    found = [Family(entry) for entry in entry_points(group=GROUP)]
    found.sort(key=lambda family: not family.package.startswith("tablero."))
    return {family.name: family for family in found}


def name_of(package: str) -> str:
    """The name of the family in a package: the name of its entry point, or else of the package."""
    named = (family.name for family in families().values() if family.package == package)
    return next(named, package.rpartition(".")[2])


def by_word(word: object) -> Family:
    """The family with this name or alias, for a stored job or the command line.

    Raises
    ------
    JobError
        If no installed package has the family.
    """
    for family in families().values():
        if word in family.words:
            return family
    raise JobError(f"the job belongs to the family {word!r}, unknown to this version")


def resume(record: Record, run: Run) -> Any:
    """Continue a stored job, and return the verb's answer.

    Parameters
    ----------
    record
        The opened file of the job.
    run
        How to run the search.
    """
    from dataclasses import replace

    info = record.info
    verb = by_word(info.recipe.get("family")).verbs[info.recipe["verb"]]
    return verb.resume(info.recipe, info.problem, replace(run, opened=record))


def look(record: Record) -> Any:
    """What a job has found so far; a process may be working on it."""
    return _view(record)


def board(record: Record) -> Any:
    """The partial answer of a unit of a job that is being searched or waits; None if the family cannot show one."""
    found = _view(record, current=True)
    return found if found.result.kept and len(found.result.answers) else None


def _view(record: Record, *, current: bool = False) -> Any:
    from tablero.runs.viewing import State

    state = State(record, current=current)
    return state.family.module("solving").view(state)


def score(info: JobInfo, best: int) -> tuple[int, int] | None:
    """The score of the best answer of an optimisation, and the perfect score; None if the family has no score."""
    counted = getattr(by_word(info.recipe.get("family")).module("puzzle"), "score", None)
    found: tuple[int, int] | None = None if counted is None else counted(info.problem, best)
    return found
