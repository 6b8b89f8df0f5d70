"""Verbs: functions whose signatures describe questions, with the data that front ends need besides.

    @verb(reads=board, durable=True, refuses=(Refuse({"torus": (True,)}, "annealing cannot use a torus"),), writes=(svg,))
    def anneal(puzzle: Queens, *, seed: Seed = 0, run: Run = HERE) -> Annealed:
        '''Anneal a board of n queens.'''

A first parameter `puzzle` is the puzzle that the question is about; a verb without one makes something.  A parameter `run`
says how a search is run.  All others are options.  Calling the function checks every value, refuses options that cannot be
combined, and sets the recipe with which a stored job asks the same question again.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from importlib import import_module
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from tablero.errors import BadInput, NothingToKeep
from tablero.files import no_files
from tablero.runs.run import require_here, require_run
from tablero.verbs.parameters import BadValue, Parameter, load, parameters, spell, spelled

OWN_PARAMETERS = ("puzzle", "run", "settings")
OWN: Any = object()  # the default run of a verb
P = ParamSpec("P")
Q = TypeVar("Q")
R = TypeVar("R")


@dataclass(frozen=True)
class Above:
    """A condition: a number above this one."""

    number: int


@dataclass(frozen=True)
class Not:
    """A condition: any value except these."""

    values: tuple[Any, ...]


_COMPARED = (str, int, float, tuple, list)
GIVEN = Not((None, "", (), False))  # the condition that an option is given
Condition = Mapping[str, "tuple[Any, ...] | Above | Not"]
NO_SEARCH = "the answer needs no search, there is nothing to keep: ask for it without a job"
Content = str | bytes | Iterator[str] | None  # of a file


def meets(condition: Condition, options: Mapping[str, Any], puzzle: Any = None) -> bool:
    """Whether all options and attributes of the puzzle that a condition names have one of the listed values."""

    def fits(name: str, wanted: tuple[Any, ...] | Above | Not) -> bool:
        value = options[name] if name in options else getattr(puzzle, name, None)
        match wanted:
            case Above(number):
                return isinstance(value, int) and value > number
            case Not(values):
                return value not in values
        return value in wanted

    return all(fits(name, wanted) for name, wanted in condition.items())


@dataclass(frozen=True)
class Refuse:
    """Values that cannot be combined.

    Parameters
    ----------
    condition
        The values, by the name of an option or of an attribute of the puzzle.
    message
        The message for the user; ``{name}`` is replaced by the name of a parameter as the user writes it.
    """

    condition: Condition
    message: str


@dataclass(frozen=True)
class Writes:
    """An option of the command line that writes an answer to a file: see `writes`."""

    name: str
    suffixes: tuple[str, ...]
    function: Callable[..., Content]
    before: str
    instead: bool = False
    metavar: str = "FILE"

    @property
    def help(self) -> str:
        return summary(self.function)

    @cached_property
    def options(self) -> tuple[Parameter, ...]:
        """The options of the file."""
        return tuple(one for one in parameters(self.function) if one.name not in ("found", "path"))

    @cached_property
    def checks_path(self) -> bool:
        """Whether `before` checks the name of the file."""
        return bool(self.before) and "path" in inspect.signature(load(self.before)).parameters

    def require(self, path: Path, puzzle: Any, options: Mapping[str, Any]) -> None:
        """Refuse, before the search, a file that could not be written."""
        if self.before:
            function = load(self.before)
            known = {**options, "puzzle": puzzle, "path": path}
            function(**{name: known[name] for name in inspect.signature(function).parameters if name in known})

    def content(self, found: Any, path: Path, options: Mapping[str, Any]) -> Content:
        """The content for a file of this name; None if there is none."""
        chosen = {one.name: options[one.name] for one in self.options if one.name in options}
        if "path" in inspect.signature(self.function).parameters:
            chosen["path"] = path
        return self.function(found, **chosen)


def writes(
    *suffixes: str, before: str = "", name: str = "", instead: bool = False, metavar: str = "FILE"
) -> Callable[[Callable[..., Content]], Writes]:
    """Make an option that writes an answer to a file; the decorated function makes the content, or None.

    Content that is too large for one text is an iterator of pieces.

    Parameters
    ----------
    suffixes
        The endings that the name of the file may have; any if none is given.
    before
        The function that refuses, before the search, what could not be written, as
        ``"tablero.queens.draw:require_drawable"``.  It may take the `puzzle`, the `path` and options by their names.  If it
        takes the path, nothing else checks the path.
    name
        The name of the option, if it differs from that of the function.
    instead
        Whether the answer is not printed if the file is written.
    metavar
        What the help shows for the value: FOLDER where several files are written.
    """

    def describe(function: Callable[..., Content]) -> Writes:
        return Writes(name or function.__name__, suffixes, function, before, instead, metavar)

    return describe


@dataclass(frozen=True)
class Action:
    """A function that front ends offer; its parameters are options, except those in `OWN_PARAMETERS`."""

    function: Callable[..., Any]
    refuses: Sequence[Refuse] = ()
    writes: Sequence[Writes] = ()
    label: str = ""
    name: str = ""

    def __post_init__(self) -> None:
        word = self.name or self.function.__name__.rstrip("_").replace("_", "-")
        object.__setattr__(self, "name", word)
        object.__setattr__(self, "label", self.label or word.replace("-", " ").capitalize())

    def __str__(self) -> str:
        return self.name

    @cached_property
    def signature(self) -> inspect.Signature:
        return inspect.signature(self.function)

    @cached_property
    def options(self) -> tuple[Parameter, ...]:
        return tuple(one for one in parameters(self.function) if one.name not in OWN_PARAMETERS)

    @property
    def summary(self) -> str:
        return summary(self.function)

    def checked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values or defaults, checked.

        Raises
        ------
        BadInput
            If there is no such option, or a value does not fit.
        """
        known = {one.name: one for one in self.options}
        for name in options:
            if name not in known:
                raise BadInput(f"{spell(name)}: no option of {self}: expected {', '.join(known)}")
        return {
            name: one.default if name not in options or _is(options[name], one.default) else one.check(options[name])
            for name, one in known.items()
        }

    def require_sense(self, puzzle: Any, options: Mapping[str, Any]) -> None:
        """Refuse values that cannot be combined."""
        for rule in self.refuses:
            if meets(rule.condition, options, puzzle):
                raise BadInput(rule.message.format_map(_Spelled()))


@dataclass(frozen=True)
class Verb(Action):
    """The description of a question.

    Parameters
    ----------
    function
        The function that answers the question.
    refuses
        Values that cannot be combined.
    writes
        Options of the command line that write the answer to a file.
    label, name
        What front ends call it; derived from the function if not given.
    reads
        The function that makes the puzzle from the arguments of a shell or a form.
    durable
        Whether a job can keep the search.
    at_once
        Conditions under which the question is answered without a search, so that no job can keep it.
    views
        Switches of the command line; each makes another answer of the answer, which is printed instead.
    must_write
        Whether the command line must name a file, unless it prints JSON.
    threads
        Whether a verb that no job can keep can use several threads.
    """

    reads: Callable[..., Any] | None = None
    durable: bool = False
    at_once: Sequence[Condition] = ()
    views: Sequence[Callable[..., Any]] = ()
    must_write: bool = False
    threads: bool = False

    def __str__(self) -> str:
        return f"{self.family} {self.name}"

    @property
    def package(self) -> str:
        """The package of the family."""
        return self.function.__module__.rpartition(".")[0]

    @property
    def family(self) -> str:
        """The name of the family, which a job stores."""
        from tablero.families import name_of

        return name_of(self.package)

    @property
    def asks(self) -> bool:
        """Whether it has a parameter `puzzle`."""
        return "puzzle" in self.signature.parameters

    @property
    def runs(self) -> bool:
        """Whether it has a parameter `run`."""
        return "run" in self.signature.parameters

    @property
    def run(self) -> Any:
        """The default of the parameter `run`."""
        return self.signature.parameters["run"].default

    @cached_property
    def source(self) -> tuple[Parameter, ...]:
        """The parameters that describe the puzzle in a shell or a form."""
        return parameters(self.reads) if self.reads is not None else ()

    def prepared(self, puzzle: Any, options: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        """The puzzle and all options, checked: everything that can be refused without a search is refused here."""
        values = self.checked(options)
        if self.asks:
            puzzle = self.as_puzzle(puzzle)
        self.require_sense(puzzle, values)
        return puzzle, values

    def require_search(self, puzzle: Any, options: Mapping[str, Any]) -> None:
        """Refuse a job for a question that is answered without a search."""
        puzzle, values = self.prepared(puzzle, options)
        if any(meets(one, values, puzzle) for one in self.at_once):
            raise NothingToKeep(NO_SEARCH)

    def as_puzzle(self, value: Any) -> Any:
        """Convert a value to a puzzle: a puzzle, a text, a path or another value that the family reads."""
        return self._module("puzzle").as_puzzle(value)

    def ask(self, puzzle: Any, options: Mapping[str, Any], run: Any = OWN) -> Any:
        """Check all values, call the function and return its answer.

        Parameters
        ----------
        puzzle
            The puzzle; None for a verb that makes one.
        options
            The options by name.
        run
            How the search is run; by default as the signature says.
        """
        puzzle, values = self.prepared(puzzle, options)
        if self.runs:
            run = self.run if run is OWN else run
            require_run(run)
            if self.durable:
                run = run.asking(self.recipe(values), lambda: self._module("puzzle").as_bytes(puzzle))
            else:
                require_here(run, str(self))
            values["run"] = run
        return self.function(*([puzzle] if self.asks else []), **values)

    def as_text(self, puzzle: Any) -> str:
        """A puzzle as the family writes it."""
        written: str = self._module("formats").write(puzzle)
        return written

    def _module(self, part: str) -> Any:
        return import_module(f"{self.package}.{part}")

    def recipe(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """What a job stores to ask the question again: the verb and its options, as JSON can hold them."""
        import msgspec

        options = {one.name: values[one.name] for one in self.options if not _is(values[one.name], one.default)}
        return {"family": self.family, "verb": self.name, "options": msgspec.to_builtins(options, enc_hook=list)}

    def resume(self, recipe: Mapping[str, Any], problem: bytes, run: Any) -> Any:
        """Ask the question of a stored job again, with a run that continues the job."""
        options = recipe.get("options")
        if not isinstance(options, dict):
            raise BadValue("options", options, "an object of options by name")
        return self.ask(self._module("puzzle").from_bytes(problem), options, run)

    def ask_json(self, values: Mapping[str, Any], run: Any = OWN) -> Any:
        """Ask the question with a JSON object that `schema` describes: the puzzle and the options.

        No value is read as the name of a file.
        """
        known = {one.option: one for one in (*self.source, *self.options)}
        if unknown := [name for name in values if name not in known]:
            raise BadInput(f"{unknown[0][:60]}: no such parameter: expected one of {', '.join(known)}")
        if missing := [one for one in known.values() if one.required and one.option not in values]:
            raise BadInput(f"{missing[0].option}: expected {missing[0].expected()}")
        with spelled(lambda name: next((one.option for one in known.values() if one.name == name), name)), no_files():
            read = {known[name].name: known[name].take(value) for name, value in values.items()}
            options = {one.name: read[one.name] for one in self.options if one.name in read}
            words = {one.name: read[one.name] for one in self.source if one.name in read}
            return self.ask(None if self.reads is None else self.reads(**words), options, run)

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the options, including those that describe the puzzle."""
        fields = (*self.source, *self.options)
        return {
            "type": "object",
            "properties": {
                one.option: one.schema()
                | ({"description": one.help} if one.help else {})
                | ({} if one.required or one.default is None or one.default == () else {"default": one.default})
                for one in fields
            },
            "required": [one.option for one in fields if one.required],
            "additionalProperties": False,
        }


class _Spelled(dict[str, str]):
    def __missing__(self, name: str) -> str:
        return spell(name)


def _is(value: Any, default: Any) -> bool:
    """Whether a value is the default.  Arrays are not compared."""
    if value is default:
        return True
    return type(value) is type(default) and isinstance(value, _COMPARED) and bool(value == default)


def summary(function: Callable[..., Any]) -> str:
    """The first paragraph of the docstring of a function."""
    return " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())


def verb(
    *, reads: Callable[..., Any], **about: Any
) -> Callable[[Callable[Concatenate[Q, P], R]], Callable[Concatenate[Any, P], R]]:
    """Make a verb of a function that asks about a puzzle.

    Python can still call the function, with any value that its family reads as a puzzle.  See `Verb` for the parameters.
    """

    def describe(function: Callable[Concatenate[Q, P], R]) -> Callable[Concatenate[Any, P], R]:
        return cast(Callable[Concatenate[Any, P], R], _asking(Verb(function, reads=reads, **about)))

    return describe


def maker(**about: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a verb of a function without a puzzle, which makes for example a puzzle or a worksheet."""

    def describe(function: Callable[P, R]) -> Callable[P, R]:
        return cast(Callable[P, R], _asking(Verb(function, **about)))

    return describe


def _documentation(about: Verb) -> str:
    """The docstring of a verb: its own text, then the parameters, the result and the errors from its description."""
    text, _, examples = (inspect.getdoc(about.function) or "").partition("\n\nExamples:\n")
    lines = [text, "", "Parameters", "----------"]
    if about.asks:
        lines += ["puzzle", "    The puzzle, or a text, a path or a plain value that describes one."]
    for one in about.options:
        optional = "" if one.required else ", optional"
        lines += [f"{one.name} : {one.expected()}{optional}", f"    {one.help or one.expected().capitalize() + '.'}"]
        lines += [f"    - ``{choice}``: {meaning}." for choice, meaning in one.spelling.meanings.items()]
    if about.runs:
        lines += ["run : Here, Job or Grid, optional", "    How the search is run."]
    result = str(about.signature.return_annotation)
    lines += ["", "Returns", "-------", result, "", "Raises", "------", "BadInput", "    If a value does not fit."]
    if examples:
        lines += ["", "Examples", "--------", "On the command line::", "", examples.rstrip()]
    return "\n".join(lines)


def _asking(about: Verb) -> Callable[..., Any]:
    """The function that Python calls, which asks the question of a verb."""

    @wraps(about.function)
    def ask(*given: Any, **options: Any) -> Any:
        try:
            values = about.signature.bind(*given, **options).arguments
        except TypeError as error:
            raise TypeError(f"{about.family}.{about.function.__name__}(): {error}") from None
        puzzle, run = values.pop("puzzle", None), values.pop("run", OWN)
        return about.ask(puzzle, values, run)

    ask.__doc__ = _documentation(about)
    bare = [one.replace(annotation=inspect.Parameter.empty) for one in about.signature.parameters.values()]
    ask.__dict__["__signature__"] = about.signature.replace(parameters=bare)  # the docstring has the types
    ask.__annotations__ = {"return": about.signature.return_annotation}
    ask.__dict__["verb"] = about
    return ask


def described(function: Callable[..., Any]) -> Verb:
    """The description of a verb."""
    found: Verb = function.__dict__["verb"]
    return found
