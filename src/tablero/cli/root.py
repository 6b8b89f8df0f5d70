"""The root of the command line: families, commands of no family, help, version and shell completion.

Modules are imported when one of their commands is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import click
from click.shell_completion import get_completion_class

from tablero.cli.verbs import FamilyGroup, Group, command
from tablero.errors import BadInput
from tablero.families import families
from tablero.verbs.parameters import load

STATUSES = (
    "Exit status: 0 answered, 1 proved that there is no answer, 2 bad input, 3 stopped with the answer open, "
    "70 a fault of tablero itself, 130 interrupted."
)
_HELP = """A laboratory for board puzzles: generate, solve, count and show them.

Examples:
    tablero tour                                a puzzle of every family, solved and drawn
    tablero serve --open                        all of it as a page in the browser
    tablero sudoku generate --rating hard       a puzzle, on this terminal
    tablero queens solve 8 --svg board.svg      an answer, drawn
    tablero edges solve --help                  options and examples of every command
"""
_START, _PUZZLES, _BEYOND = "To begin with", "Puzzles", "Long searches"
_FIRST = {word: f"tablero.cli.{word}:{word}" for word in ("tour", "serve", "doctor", "mcp")}
_LAST = ("jobs", "cluster")
COMPLETE = "_TABLERO_COMPLETE"  # the variable by which a shell asks


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
            return _on(_BEYOND, _group(cmd_name))
        for family in families().values():
            if cmd_name in family.words:
                return _on(_PUZZLES, FamilyGroup(family, cmd_name))
        return None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        also = [word for family in families().values() for word in family.words if word not in self.list_commands(ctx)]
        more = [
            click.shell_completion.CompletionItem(word) for word in also if incomplete and word.startswith(incomplete)
        ]
        return [*super().shell_complete(ctx, incomplete), *more]


def _on(shelf: str, one: click.Command) -> click.Command:
    one.shelf = shelf  # type: ignore[attr-defined]  # where the help lists it
    return one


def _group(word: str) -> click.Group:
    """The commands of a module, whose docstring is their help."""
    module = import_module(f"tablero.cli.{word}")
    commands = {one.name: command(one) for one in module.COMMANDS}
    return Group(word, help=module.ABOUT, commands=commands)


def _switch(name: str, act: Callable[[], None], about: str) -> click.Option:
    """An option that does something at once, and nothing else is done."""

    def callback(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            act()
            ctx.exit()

    return click.Option([name], is_flag=True, is_eager=True, expose_value=False, callback=callback, help=about)


def _print_version() -> None:
    from tablero import __version__

    print(f"tablero {__version__}")


def _script() -> tuple[str, str]:
    """The user's shell, and the script by which it completes words."""
    shell = Path(os.environ.get("SHELL", "")).name
    made = get_completion_class(shell)
    if made is None:
        raise BadInput(f"SHELL {shell or 'is not set'}: expected bash, zsh or fish")
    return shell, made(Root(), {}, "tablero", COMPLETE).source()


def _print_completion() -> None:
    print(_script()[1])


def _install_completion() -> None:
    """Write the script where the shell finds it, and name it in the file that the shell reads when it starts."""
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
    print(f"{shell} completes words of tablero in new shells: {path}")
