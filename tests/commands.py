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

from tablero.cli import run
from tablero.cli.root import Root


def inside(command: Any) -> dict[str, Any]:
    """The commands of a group; none of a command."""
    if not hasattr(command, "list_commands"):
        return {}
    context = click.Context(command)
    return {name: command.get_command(context, name) for name in command.list_commands(context)}


def whole() -> Any:
    """The parser with the commands of every family."""
    return click.Group("tablero", commands=inside(Root()))


def every_command() -> list[tuple[str, Any]]:
    """Each with its words."""

    def walk(command: Any, words: list[str]) -> list[tuple[str, Any]]:
        below = inside(command)
        if not below:
            return [(" ".join(words), command)]
        return [found for name, one in below.items() for found in walk(one, [*words, name])]

    return walk(whole(), [])


def answer_of(place: Path, *arguments: str) -> dict[str, Any]:
    """What a command that is run in a folder, with the jobs of its own, answers in JSON."""
    home = mock.patch.dict(os.environ, {"TABLERO_HOME": str(place / "home")})
    with home, chdir(place), redirect_stdout(io.StringIO()) as out:
        assert run([*arguments, "--json", "--quiet"]) == 0
    answer: dict[str, Any] = json.loads(out.getvalue())
    return answer
