"""All commands as the parser has them."""

from __future__ import annotations

import os
from typing import Any
from unittest import mock

import click
import typer

from tablero.cli import app_for


def whole() -> Any:
    """The parser with the commands of every family, as a shell that completes words asks for it."""
    with mock.patch.dict(os.environ, {"_TABLERO_COMPLETE": "complete_bash"}):
        return typer.main.get_command(app_for([]))


def every_command() -> list[tuple[str, Any]]:
    """Each with its words."""

    def walk(command: Any, words: list[str]) -> list[tuple[str, Any]]:
        if not hasattr(command, "list_commands"):
            return [(" ".join(words), command)]
        context = click.Context(command)
        names = command.list_commands(context)
        return [found for name in names for found in walk(command.get_command(context, name), [*words, name])]

    return walk(whole(), [])
