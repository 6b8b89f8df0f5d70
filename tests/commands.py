"""Commands: all of them as the parser has them, and one that is run in this process, where kernels stay loaded."""

from __future__ import annotations

import io
import json
import os
from contextlib import chdir, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

import click
import typer

from tablero.cli import app_for, run


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


def answer_of(place: Path, *arguments: str) -> dict[str, Any]:
    """What a command that is run in a folder, with the jobs of its own, answers in JSON."""
    home = mock.patch.dict(os.environ, {"TABLERO_HOME": str(place / "home")})
    with home, chdir(place), redirect_stdout(io.StringIO()) as out:
        assert run([*arguments, "--json", "--quiet"]) == 0
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer
