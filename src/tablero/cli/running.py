"""Run an action of the command line: read its words, print its answer, write its files.

Control characters in texts from files are printed as escapes, so that they cannot affect the terminal.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from tablero import interrupts
from tablero.cli.options import Command, Settings, shared_options
from tablero.errors import BadInput
from tablero.files import require_writable, write_bytes, write_pieces, write_text
from tablero.verbs.describe import Action, Verb, Writes
from tablero.verbs.document import Document
from tablero.verbs.parameters import Parameter, spelled

if TYPE_CHECKING:
    from tablero.runs.findings import Findings

_UNUSUAL = re.compile(r"[^\n -~]")  # only these characters are examined, which is fast for long texts
_STATUS = {"solved": 0, "complete": 0, "none": 1, "open": 3}


@dataclass
class Printed:
    """What the current command has printed: needed when it is interrupted."""

    begun: bool = False  # whether it has printed the result, at least in part
    all_there_was: bool = False  # whether it had printed everything when Ctrl-C was pressed
    known: dict[str, Any] = field(default_factory=dict)  # a job's stored totals, until its search is restored


printed = Printed()


def plain(text: object) -> str:
    """One line of text with unprintable characters as escapes such as \\x1b."""
    line = str(text)
    return line if line.isprintable() else "".join(c if c.isprintable() else _written(c) for c in line)


def plain_json(text: str) -> str:
    """The same JSON with unprintable characters escaped."""
    return _UNUSUAL.sub(lambda found: found[0] if found[0].isprintable() else _escaped(found[0]), text)


def _written(character: str) -> str:
    return character.encode("unicode_escape").decode()


def _escaped(character: str) -> str:
    """The JSON escape of a character: two surrogates beyond 16 bits."""
    raw = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{raw[k : k + 2].hex()}" for k in range(0, len(raw), 2))


def dashed(name: str) -> str:
    return name.strip("_").replace("_", "-")


def spell_option(one: Parameter) -> str:
    """The name of a parameter in a shell."""
    return one.spelling.metavar or one.option.upper() if one.positional else f"--{dashed(one.option)}"


def once(some: Iterable[Parameter]) -> list[Parameter]:
    """The parameters without repeated names."""
    return list({one.name: one for one in some}.values())


def default_limit(action: Action) -> float | None:
    """A verb's default time limit in seconds."""
    limit: float | None = action.run.time_limit if isinstance(action, Verb) and action.runs else None
    return limit


def _values(parameters: Iterable[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """The given values, converted; parameters that are not given are left out."""
    values = {}
    for one in parameters:
        text = given.get(one.name)
        if one.is_flag:
            values[one.name] = bool(text)
        elif text is None or (one.is_list and not text):
            if one.required:
                raise BadInput(f"{spell_option(one)}: expected {one.expected()}")
        else:
            values[one.name] = one.check(list(text)) if one.is_list else one.read(text)
    return values


@dataclass(frozen=True)
class Files:
    """The files to write, and their options."""

    paths: Mapping[Writes, Path]
    options: Mapping[str, Any]

    def write(self, found: Any) -> None:
        for file, path in self.paths.items():
            match file.content(found, path, self.options):
                case None:
                    pass
                case bytes(content):
                    write_bytes(path, content)
                case str(content):
                    write_text(path, content)
                case pieces:
                    write_pieces(path, pieces)


def run(action: Action, given: dict[str, Any]) -> int:
    """Run an action with the words of a shell and print its answer; return the exit status."""
    paths = {file: Path(path) for file in action.writes if (path := given.pop(f"write_{file.name}")) is not None}
    of_files = once(one for file in action.writes for one in file.options)
    shared = shared_options(action)
    words = {one.name: f"--{dashed(one.name)}" for one in action.writes}
    words |= {one.name: spell_option(one) for one in (*action.options, *of_files, *shared)}
    if isinstance(action, Verb):
        words |= {one.__name__: f"--{dashed(one.__name__)}" for one in action.views}
        words |= {one.name: spell_option(one) for one in action.source}
    with spelled(lambda name: words.get(name, name)):
        for file, path in paths.items():
            if not file.checks_path:
                require_writable(path, *file.suffixes, option=words[file.name])
        settings = Settings(**({"time_limit": default_limit(action)} | _values(shared, given)))
        options, files = _values(action.options, given), Files(paths, _values(of_files, given))
        if isinstance(action, Verb):
            return _ask(action, options, given, settings, files)
        assert isinstance(action, Command)
        status = 0
        found = action.call(options, settings)
        for one in found if inspect.isgenerator(found) else [found]:
            files.write(one)
            status = show(one, settings)
            sys.stdout.flush()
        return status


def _ask(verb: Verb, options: dict[str, Any], given: Mapping[str, Any], settings: Settings, files: Files) -> int:
    """Run a verb and print its answer; return the exit status."""
    if verb.must_write and not (files.paths or settings.wants_json):
        named = " or ".join(f"--{dashed(file.name)} {file.metavar}" for file in verb.writes)
        raise BadInput(f"{verb.name}: expected {named}, or --json for the content")
    stream = verb.durable and not files.paths
    run = settings.run(_stream(settings) if stream else None) if verb.runs else None
    checked = verb.checked(options)
    views = [one for one in verb.views if given[f"view_{one.__name__}"]]
    verb.require_sense(None, checked | {one.__name__: one in views for one in verb.views})
    puzzle = verb.reads(**_values(verb.source, given)) if verb.reads is not None else None
    for file, path in files.paths.items():
        defaults = {one.name: one.default for one in file.options}
        file.require(path, puzzle, {**defaults, **checked, **files.options})
    found = verb.ask(puzzle, options, run)
    if not hasattr(found, "remarks"):  # a generated puzzle
        found = Document(verb.as_text(found), getattr(found, "facts", {}), puzzle=found)
    try:
        files.write(found)  # before printing, because the reader of the output may close it
    finally:  # print the answer also if a file cannot be written
        for one in views:
            found = one(found)
        if hasattr(found, "in_files"):
            found = found.in_files(map(str, files.paths.values()))
        if hasattr(found, "without_text") and any(file.name == "output" for file in files.paths):
            found = found.without_text()
        status = show(found, settings, lines=not any(file.instead for file in files.paths))
    return status


def show(found: Any, settings: Settings, *, lines: bool = True) -> int:
    """Print an answer as text or as JSON, and return the exit status.  No other code decides between the two.

    Without `lines` the text is in a file, and only messages are printed.
    """
    from tablero.runs.findings import Findings  # imports NumPy, which the help does not need

    if hasattr(found, "write_to"):
        printed.begun = True  # an interrupted object is not followed by a second one
        found.write_to(sys.stdout)
    elif settings.as_json and isinstance(found, Findings) and type(found).to_dict is Findings.to_dict:
        _print_object(found)
    elif settings.as_lines and isinstance(found, Findings) and type(found).to_dict is Findings.to_dict:
        if found.result.kept and not found.result.streamed:
            _stream(settings)(found)
        print_json(found.values())
    elif settings.as_lines and hasattr(found, "json_lines"):
        for values in found.json_lines():
            print_json(values)
    elif settings.wants_json:
        print_json(found.to_dict())
    elif isinstance(found, Findings) and found.result.kept:
        if not found.result.streamed:
            _stream(settings)(found)
    elif lines:
        for line in found.lines():
            sys.stdout.write(line + "\n")
    if not settings.wants_json:
        settings.say(*found.remarks())
    printed.all_there_was = getattr(found, "interrupted", False)
    if printed.all_there_was:
        printed.begun = True
        return interrupts.INTERRUPTED
    return 0 if getattr(found, "answered", False) else _STATUS[found.status]


def print_json(values: dict[str, Any]) -> None:
    """Print an object on one line."""
    printed.begun = True
    # json.dumps is faster than json.dump, whose encoder is not compiled, and there may be millions of answers.
    sys.stdout.write(plain_json(json.dumps(values, ensure_ascii=False)) + "\n")


def _print_object(found: Findings[Any]) -> None:
    """Print findings as one JSON object, with the answers unless they were only counted."""
    if not found.result.kept:
        print_json(found.values())
        return
    printed.begun = True
    values = json.dumps(found.values(), ensure_ascii=False)
    if found.result.streamed:  # the list has been printed, now the totals follow
        sys.stdout.write(f"], {values[1:]}\n")
        return
    with interrupts.Polling():
        sys.stdout.write(values[:-1] + ', "answers": ')
        write_list(found, sys.stdout)
        sys.stdout.write("}\n")
        sys.stdout.flush()
        interrupts.check()


def write_list(found: Findings[Any], out: IO[str], edit: Callable[[str], str] = str) -> int:
    """Write the answers as a JSON list until a stop is requested; return their number."""
    number, between = 0, "["
    for text in found.iter_json():
        out.write(between + edit(text))
        number, between = number + 1, ", "
        if interrupts.stop_requested():
            break
    out.write("[]" if not number else "]")
    return number


def _stream(settings: Settings) -> Callable[[Findings[Any]], None]:
    """A function that prints answers when they are found: as JSON lines, as a list in a JSON object, or as text.

    A stop takes effect between two answers, so no line or object is cut.
    """
    form, number = '{"answer": %s}\n' if settings.as_lines else '{"answers": [%s', 0

    def as_json(found: Findings[Any]) -> None:
        nonlocal form
        for text in found.iter_json():
            sys.stdout.write(form % text)
            form = form if settings.as_lines else ", %s"
            if interrupts.stop_requested():
                return

    def as_text(found: Findings[Any]) -> None:
        nonlocal number
        piece: Any
        for piece in found.pieces():
            brief = settings.quiet and hasattr(piece, "quiet_text")  # shorter than the answers
            sys.stdout.write(piece.quiet_text() if brief else piece.answer_text(number))
            number += len(piece.result.answers)
            if interrupts.stop_requested():
                return

    def receive(found: Findings[Any]) -> None:
        printed.begun = True
        with interrupts.Polling():
            (as_json if settings.wants_json else as_text)(found)
            interrupts.check()

    return receive
