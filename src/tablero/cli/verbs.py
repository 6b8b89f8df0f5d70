"""Commands that are derived from verbs: parameters become arguments and options, an answer is printed in one place."""

from __future__ import annotations

import difflib
import inspect
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from msgspec.inspect import StrType

from tablero.cli import common, help
from tablero.cli.common import Outlet, Settings, ended, print_found, print_json
from tablero.cli.running import Command as Described
from tablero.cli.running import manner_of
from tablero.errors import BadInput
from tablero.families import Family
from tablero.files import require_writable, write_bytes, write_pieces, write_text
from tablero.verbs.describe import Verb, Writes
from tablero.verbs.document import Document
from tablero.verbs.parameters import REQUIRED, Parameter, load, spelled

_SHORT = {"output": "-o"}  # of files
_SLIP = 0.75  # how alike a word and a verb are where the word is taken for the verb, with a slip of the hand
_STATUS = {"solved": 0, "complete": 0, "none": 1, "open": 3}


_HELP = {"help_option_names": ["--help", "-h"]}


class Command(click.Command):
    """A command with the help of all others."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write("\n".join(help.command(self, ctx)) + "\n")


class Group(click.Group):
    """A group with the help of all others."""

    def __init__(self, name: str, **about: Any) -> None:
        super().__init__(name, no_args_is_help=True, context_settings=_HELP, **about)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write("\n".join(help.group(self, ctx)) + "\n")

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)  # in their order

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise BadInput(self.unknown(args, self.list_commands(ctx)))
        return super().resolve_command(ctx, args)

    def unknown(self, words: list[str], known: list[str]) -> str:
        """A line for a word that is none of the commands."""
        near = difflib.get_close_matches(words[0], known, 1, 0.5)
        hint = f"; did you mean {near[0]}?" if near else ""
        return f"{words[0]!r} is no command: expected {', '.join(known)}{hint}"


class FamilyGroup(Group):
    """The verbs of a family; its modules are imported when one of them is asked for."""

    def __init__(self, family: Family, word: str) -> None:
        text = family.about
        if family.default:
            text += f"\n\nWhere no verb is named, '{family.default}' is meant."
        super().__init__(word, help=text)
        self.family = family

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.family.verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        verb = self.family.verbs.get(cmd_name)
        return None if verb is None else command(verb)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = (*self.family.verbs, *self.get_help_option_names(ctx))
        if args and self.family.default and not difflib.get_close_matches(args[0], known, 1, _SLIP):
            args = [self.family.default, *args]
        return super().parse_args(ctx, args)

    def unknown(self, words: list[str], known: list[str]) -> str:
        return help.no_such_verb(self.name or self.family.name, words, known)


def command(verb: Verb) -> click.Command:
    """The command of a verb."""
    limit = _default_limit(verb)
    manner = tuple(replace(one, default=limit.get(one.name, one.default)) for one in manner_of(verb))
    files = [_file_option(file) for file in verb.writes]
    of_files = [one for file in verb.writes for one in file.options]
    return Command(
        verb.name,
        params=[
            *map(_parameter, (*verb.source, *verb.options)),
            *map(_parameter, _once(of_files)),
            *[
                click.Option([f"view_{one.name}", f"--{_dashed(one.name)}"], is_flag=True, help=one.help)
                for one in verb.views
            ],
            *files,
            *map(_parameter, manner),
            *([_HELP_ALL] if any(one.spelling.hidden for one in (*verb.options, *manner)) else []),
        ],
        callback=lambda **given: _run(verb, given),
        help=inspect.getdoc(verb.function),
        context_settings=_HELP,
    )


def _default_limit(verb: Verb) -> dict[str, str]:
    """The time limit of a verb where nobody says one."""
    limit = verb.run.time_limit if verb.runs else None
    return {} if limit is None else {"time_limit": f"{limit:g}s"}


def _print_whole_help(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        for line in help.command(ctx.command, ctx, whole=True):
            print(line)
        ctx.exit()


_HELP_ALL = click.Option(
    [help.WHOLE],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_whole_help,
    help="Show this help with the options that are rarely needed.",
)


def _once(some: Iterable[Parameter]) -> list[Parameter]:
    return list({one.name: one for one in some}.values())


def _parameter(one: Parameter) -> click.Parameter:
    kind = _Flag() if one.is_flag else _Text(one)
    if one.positional:
        metavar = one.spelling.metavar or one.option.upper()
        made: click.Parameter = click.Argument(
            [one.name], metavar=metavar, type=kind, required=one.required, nargs=-1 if one.is_list else 1
        )
        made.help, made.hidden = _about(one), False  # type: ignore[attr-defined]  # click's arguments have neither
        return made
    words = [f"--{_dashed(one.option)}", *([one.spelling.short] if one.spelling.short else [])]
    return click.Option(
        [one.name, *words],
        is_flag=one.is_flag,
        type=kind,
        multiple=one.is_list,
        default=False if one.is_flag else None,
        required=one.required,
        metavar=None if one.is_flag else _metavar(one),
        help=_about(one),
        hidden=one.spelling.hidden,
    )


def _dashed(name: str) -> str:
    return name.strip("_").replace("_", "-")


def _metavar(one: Parameter) -> str:
    kinds = {"IntType": "N", "FloatType": "X"}
    return one.spelling.metavar or ("NAME" if one.choices else kinds.get(type(one.info).__name__, "TEXT"))


def _about(one: Parameter) -> str:
    """What a parameter is for, its choices, and what it is where nobody says."""
    text = " ".join(one.help.split())
    if one.choices:
        text = f"{text.rstrip('.')}: {', '.join(one.choices)}."
    word = next((word for word, value in one.spelling.words.items() if value == one.default), one.default)
    return text if word is False or word in (None, "", REQUIRED, [], ()) else f"{text} [{word}]"


class _Text(click.ParamType[str]):
    """A text, read and checked as the parameter says."""

    name = "text"

    def __init__(self, parameter: Parameter) -> None:
        self._parameter = parameter

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value  # read when all words are known, in `_values`

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        one = self._parameter
        offered = load(one.spelling.complete)() if one.spelling.complete else [*one.choices, *one.spelling.words]
        if not (offered or one.spelling.complete) and isinstance(one.info, StrType):  # perhaps a file
            return [click.shell_completion.CompletionItem(incomplete, type="file")]
        return [click.shell_completion.CompletionItem(word) for word in offered if word.startswith(incomplete)]


class _Flag(click.types.BoolParamType):
    """A switch."""


def _file_option(file: Writes) -> click.Option:
    words = [f"--{_dashed(file.name)}", *([_SHORT[file.name]] if file.name in _SHORT else [])]
    return click.Option([f"write_{file.name}", *words], type=click.Path(), metavar="FILE", help=file.help)


def _values(parameters: Iterable[Parameter], given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, read; what was left out is left out."""
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


def spell_option(one: Parameter) -> str:
    """A parameter as a shell writes it."""
    return one.spelling.metavar or one.option.upper() if one.positional else f"--{_dashed(one.option)}"


def _run(verb: Verb, given: dict[str, Any]) -> int:
    """Ask the question, and print what is answered."""
    files = {file: Path(path) for file in verb.writes if (path := given.pop(f"write_{file.name}")) is not None}
    of_files = _once(one for file in verb.writes for one in file.options)
    manner = manner_of(verb)
    words = {
        name: f"--{_dashed(name)}" for name in (*(one.name for one in verb.writes), *(one.name for one in verb.views))
    }
    words |= {one.name: spell_option(one) for one in (*verb.source, *verb.options, *of_files, *manner)}
    with spelled(lambda name: words.get(name, name)):
        for file, path in files.items():
            if not file.checks_path:
                require_writable(path, *file.suffixes, option=words[file.name])
        settings = Settings.of(**(_default_limit(verb) | _values(manner, given)))
        if verb.must_write and not (files or settings.as_json):
            named = " or ".join(f"--{_dashed(file.name)} FILE" for file in verb.writes)
            raise BadInput(f"a {verb.name} goes into a file: expected {named}, or --json for its content")
        options = _values(verb.options, given)
        more = _values(of_files, given)
        if isinstance(verb, Described):
            return _show_all(verb.call(options, settings), settings, files, more)
        checked = verb.checked(options)
        views = [one for one in verb.views if given[f"view_{one.name}"]]
        verb.require_sense(None, checked | {one.name: one in views for one in verb.views})
        puzzle = verb.reads(**_values(verb.source, given)) if verb.reads is not None else None
        for file, path in files.items():
            file.require(path, puzzle, {**{one.name: one.default for one in of_files}, **checked, **more})
        stream = verb.durable and not files
        run = settings.run(_outlet(settings) if stream else None) if verb.runs else None
        found = verb.ask(puzzle, options, run)
        if not hasattr(found, "remarks"):  # a puzzle that was made
            found = Document(verb.as_text(found), getattr(found, "facts", {}), puzzle=found)
        try:
            _write(files, found, more)  # first: whoever reads what is printed may stop reading
        finally:  # also where a file cannot be written
            for one in views:
                found = one.function(found)
            if hasattr(found, "in_files"):
                found = found.in_files(map(str, files.values()))
            if hasattr(found, "without_text") and any(file.name == "output" for file in files):
                found = found.without_text()
            status = show(found, settings, lines=not any(file.instead for file in files))
    return status


def _write(files: Mapping[Writes, Path], found: Any, options: Mapping[str, Any]) -> None:
    """Write the files that were named."""
    for file, path in files.items():
        match file.content(found, path, options):
            case None:
                pass
            case bytes(content):
                write_bytes(path, content)
            case str(content):
                write_text(path, content)
            case pieces:
                write_pieces(path, pieces)


def _outlet(settings: Settings) -> Outlet:
    """Prints answers as they come; a result whose `quiet_text` says less than its answers prints that with --quiet."""
    return Outlet(
        settings,
        lambda piece, before: (
            piece.quiet_text() if settings.quiet and hasattr(piece, "quiet_text") else piece.answer_text(before)
        ),
    )


def _show_all(found: Any, settings: Settings, files: Mapping[Writes, Path], options: Mapping[str, Any]) -> int:
    """Print a result of a command, or one after another as they come, with its files."""
    status = 0
    for one in found if inspect.isgenerator(found) else [found]:
        _write(files, one, options)
        status = show(one, settings)
        sys.stdout.flush()
    return status


def show(found: Any, settings: Settings, *, lines: bool = True) -> int:
    """Print an answer, as text or as JSON: the only place that decides which.  Returns the exit status.

    Without `lines` a file has the text, and remarks are all that is printed of it.
    """
    from tablero.runs.findings import Findings  # loads NumPy, which help does without

    if hasattr(found, "write_to"):
        common.told = True  # from here on what is cut short is cut short: no second object behind it
        found.write_to(sys.stdout)
    elif settings.as_json and isinstance(found, Findings) and type(found).to_dict is Findings.to_dict:
        print_found(found, settings)
    elif settings.as_lines and hasattr(found, "json_lines"):
        for values in found.json_lines():
            print_json(values)
    elif settings.as_json:
        print_json(found.to_dict())
    elif isinstance(found, Findings) and found.result.kept:
        if not found.result.passed:
            _outlet(settings)(found)
    elif lines:
        for line in found.lines():
            sys.stdout.write(line + "\n")
    if not settings.as_json:
        settings.say(*found.remarks())
    return ended(getattr(found, "interrupted", False)) or (
        0 if getattr(found, "answered", False) else _STATUS[found.status]
    )
