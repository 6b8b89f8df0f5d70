"""Families without verbs, whose commands are Typer's.  This module goes with the last of them, and Typer with it."""

from __future__ import annotations

from typing import Any

import typer

from tablero.cli.help import dress
from tablero.families import Family

# Typer carries the exceptions of its command parser without naming them: a bad parameter is a usage error is one of them.
UsageError: Any = typer.BadParameter.__bases__[0]
ParserError: Any = UsageError.__bases__[0]


def app_of(family: Family, word: str) -> Any:
    """The parser of a family's commands, below that of tablero."""
    app = typer.Typer(
        name="tablero",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["--help", "-h"]},
    )
    app.callback()(lambda: None)
    commands = family.module("commands").app
    if isinstance(commands, typer.Typer):
        app.add_typer(commands, name=word)
    else:  # a command that is a word by itself
        app.command(word)(commands)
    dress(app)
    return typer.main.get_command(app)


def bad_value(error: Any) -> str:
    """What stands where a number is expected, in our words: the parser's own do not tell the value."""
    from tablero.words import short

    param, faults = getattr(error, "param", None), getattr(error.__cause__, "errors", None)
    if param is None or not callable(faults):
        return ""
    fault = faults()[0]
    kind = {"int": "a whole number", "float": "a number"}.get(fault["type"].partition("_")[0])
    name = max(param.opts, key=len) if param.param_type_name == "option" else param.metavar or param.name.upper()
    return f"{name} {short(str(fault['input']))}: expected {kind}" if kind else ""
