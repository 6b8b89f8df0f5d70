"""The commands: families and their verbs, commands of no family, help, version and shell completion.

Parameters become arguments and options.  Modules are imported when one of their commands is used.
"""

from __future__ import annotations

import difflib
import inspect
import os
import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem, get_completion_class
from msgspec.inspect import StrType

from tablero.cli import help
from tablero.cli.options import shared_options
from tablero.cli.running import dashed, default_limit, once, run
from tablero.errors import BadInput
from tablero.families import Family, families
from tablero.files import is_there
from tablero.verbs.describe import Action, Verb, Writes, summary
from tablero.verbs.parameters import REQUIRED, Parameter, load

STATUSES = (
    "Exit status: 0 answered, 1 proved that there is no answer, 2 bad input, 3 stopped before the answer was known, "
    "70 internal error, 130 interrupted."
)
_HELP = """A laboratory for board puzzles: generate, solve, count and show them.

Examples:
    tablero tour                                solve and draw a puzzle of every family
    tablero serve --open                        open the web page
    tablero sudoku generate --rating hard       print a puzzle
    tablero queens solve 8 --svg board.svg      draw a solution
    tablero edges solve --help                  show the options and examples of a command
"""
_START, _PUZZLES, _BEYOND = "First steps", "Puzzles", "Long searches"
_FIRST = {word: f"tablero.cli.{word}:{word}" for word in ("tour", "serve", "doctor", "mcp")}
_LAST = {  # modules with commands
    "jobs": "Stored searches: list, show, board, resume, stop, export, remove.",
    "cluster": "Set up a Dask cluster for searches: scheduler, worker, certificates.",
}
COMPLETE = "_TABLERO_COMPLETE"  # the environment variable with which a shell requests completions
_SHORT = {"output": "-o"}  # short options for files
_SLIP = 0.75  # similarity from which a word is taken for a misspelt verb
_HELP_NAMES = {"help_option_names": ["--help", "-h"]}


class Command(click.Command):
    """A command whose help is formatted by `tablero.cli.help`."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write("\n".join(help.command(self, ctx)) + "\n")


class Group(click.Group):
    """A group whose help is formatted by `tablero.cli.help`."""

    def __init__(self, name: str, **about: Any) -> None:
        super().__init__(name, no_args_is_help=True, context_settings=_HELP_NAMES, **about)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write("\n".join(help.group(self, ctx)) + "\n")

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise BadInput(self.unknown(args, self.list_commands(ctx)))
        return super().resolve_command(ctx, args)

    def unknown(self, words: list[str], known: list[str]) -> str:
        """The message for a word that is not a command."""
        near = difflib.get_close_matches(words[0], known, 1, 0.5)
        hint = f"; did you mean {near[0]}?" if near else ""
        return f"{words[0]!r} is not a command: expected one of {', '.join(known)}{hint}"


class FamilyGroup(Group):
    """The verbs of a family; its modules are imported when one of them is used."""

    def __init__(self, family: Family, word: str) -> None:
        text = family.about
        if family.default:
            text += f"\n\n'{family.default}' is the default command."
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
        line = f"{words[0]!r} is not a command of {self.name}: expected one of {', '.join(known)}"
        if near := difflib.get_close_matches(words[0], known, 1):
            meant = [near[0], *words[1:]]
        elif "solve" in known and (is_there(words[0]) or not words[0].isalpha()):  # a puzzle
            meant = ["solve", *words]
        else:
            return line
        return f"{line}; did you mean 'tablero {self.name} {shlex.join(meant)}'?"


class ModuleGroup(Group):
    """The commands of a module, which is imported when one of them is used."""

    @cached_property
    def actions(self) -> dict[str, Action]:
        return {one.name: one for one in import_module(f"tablero.cli.{self.name}").COMMANDS}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.actions)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return command(self.actions[cmd_name]) if cmd_name in self.actions else None


class Root(Group):
    """`tablero`."""

    def __init__(self) -> None:
        options = [
            _switch("--version", _print_version, "Show the version."),
            click.Option(["--debug"], is_flag=True, expose_value=False, help="Show the traceback of an error."),
            _switch("--install-completion", _install_completion, "Install completion for this shell."),
            _switch("--show-completion", _print_completion, "Print the script that completes words in this shell."),
        ]
        super().__init__("tablero", help=_HELP, epilog=STATUSES, params=options)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_FIRST, *(family.word for family in families().values()), *_LAST]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _FIRST:
            return _on(_START, command(load(_FIRST[cmd_name])))
        if cmd_name in _LAST:
            return _on(_BEYOND, ModuleGroup(cmd_name, help=_LAST[cmd_name]))
        for family in families().values():
            if cmd_name in family.words:
                return _on(_PUZZLES, FamilyGroup(family, cmd_name))
        return None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        also = [word for family in families().values() for word in family.words if word not in self.list_commands(ctx)]
        more = [CompletionItem(word) for word in also if incomplete and word.startswith(incomplete)]
        return [*super().shell_complete(ctx, incomplete), *more]


def _on(shelf: str, one: click.Command) -> click.Command:
    one.shelf = shelf  # type: ignore[attr-defined]  # its heading in the help
    return one


def _switch(name: str, act: Callable[[], None], about: str) -> click.Option:
    """An option that acts and ends the program."""

    def callback(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            act()
            ctx.exit()

    return click.Option([name], is_flag=True, is_eager=True, expose_value=False, callback=callback, help=about)


def _print_version() -> None:
    from tablero import __version__

    print(f"tablero {__version__}")


def _script() -> tuple[str, str]:
    """The user's shell, and its completion script."""
    shell = Path(os.environ.get("SHELL", "")).name
    made = get_completion_class(shell)
    if made is None:
        raise BadInput(f"SHELL {shell or 'is not set'}: expected bash, zsh or fish")
    return shell, made(Root(), {}, "tablero", COMPLETE).source()


def _print_completion() -> None:
    print(_script()[1])


def _install_completion() -> None:
    """Install the completion script and source it from the shell's start-up file."""
    shell, script = _script()
    home = Path.home()
    path, start, line = {
        "bash": (home / ".bash_completions/tablero.sh", ".bashrc", "source ~/.bash_completions/tablero.sh"),
        "zsh": (home / ".zfunc/_tablero", ".zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit"),
        "fish": (home / ".config/fish/completions/tablero.fish", "", ""),
    }[shell]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script + "\n")
    if start:
        known = (home / start).read_text() if (home / start).exists() else ""
        if line not in known.splitlines():
            with (home / start).open("a") as file:
                file.write(("" if known.endswith("\n") or not known else "\n") + line + "\n")
    print(f"installed the completion for new {shell} shells: {path}")


def command(action: Action) -> click.Command:
    """The click command of a verb or of a command without a family."""
    source, views = (action.source, action.views) if isinstance(action, Verb) else ((), ())
    of_files = once(one for file in action.writes for one in file.options)
    shared = list(shared_options(action))
    if (limit := default_limit(action)) is not None:
        shared = [replace(one, default=f"{limit:g}s") if one.name == "time_limit" else one for one in shared]
    rare = any(one.spelling.hidden for one in (*action.options, *shared))
    return Command(
        action.name,
        params=[
            *map(_parameter, (*source, *action.options, *of_files)),
            *[
                click.Option([f"view_{one.__name__}", f"--{dashed(one.__name__)}"], is_flag=True, help=summary(one))
                for one in views
            ],
            *map(_file_option, action.writes),
            *map(_parameter, shared),
            *([_HELP_ALL] if rare else []),
        ],
        callback=lambda **given: run(action, given),
        help=inspect.getdoc(action.function),
        context_settings=_HELP_NAMES,
    )


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
    help="Show this help with the rarely needed options.",
)


def _parameter(one: Parameter) -> click.Parameter:
    kind = click.BOOL if one.is_flag else _Text(one)
    if one.positional:
        metavar = one.spelling.metavar or one.option.upper()
        made: click.Parameter = click.Argument(
            [one.name], metavar=metavar, type=kind, required=one.required, nargs=-1 if one.is_list else 1
        )
        made.help, made.hidden = _about(one), False  # type: ignore[attr-defined]  # click's arguments have neither
        return _with_meanings(made, one)
    words = [f"--{dashed(one.option)}", *([one.spelling.short] if one.spelling.short else [])]
    option = click.Option(
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
    return _with_meanings(option, one)


def _with_meanings(made: click.Parameter, one: Parameter) -> click.Parameter:
    made.meanings = one.spelling.meanings  # type: ignore[attr-defined]  # for the help
    return made


def _metavar(one: Parameter) -> str:
    kinds = {"IntType": "N", "FloatType": "X"}
    return one.spelling.metavar or ("NAME" if one.choices else kinds.get(type(one.info).__name__, "TEXT"))


def _about(one: Parameter) -> str:
    """A parameter's description, its choices unless they are explained below, and its default."""
    text = " ".join(one.help.split())
    if one.choices and not one.spelling.meanings:
        text = f"{text.rstrip('.')}: {', '.join(one.choices)}."
    word = next((word for word, value in one.spelling.words.items() if value == one.default), one.default)
    return text if word is False or word in (None, "", REQUIRED, [], ()) else f"{text} [{word}]"


class _Text(click.ParamType[str]):
    """A text; `running` converts and checks it."""

    name = "text"

    def __init__(self, parameter: Parameter) -> None:
        self._parameter = parameter

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        one = self._parameter
        offered = load(one.spelling.complete)() if one.spelling.complete else [*one.choices, *one.spelling.words]
        if not (offered or one.spelling.complete) and isinstance(one.info, StrType):  # perhaps a file
            return [CompletionItem(incomplete, type="file")]
        return [CompletionItem(word) for word in offered if word.startswith(incomplete)]


def _file_option(file: Writes) -> click.Option:
    words = [f"--{dashed(file.name)}", *([_SHORT[file.name]] if file.name in _SHORT else [])]
    return click.Option([f"write_{file.name}", *words], type=click.Path(), metavar=file.metavar, help=file.help)
