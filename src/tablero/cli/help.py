"""The help of all commands: a description, options in groups with their choices, and examples.

The text is the command's docstring.  The lines after "Examples:" are printed unchanged, one command a line.
"""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import click

# Options that many commands share are listed in groups of their own, after the command's other options.
_GROUPS = {
    "Search": "threads time-limit node-limit job cluster tls insecure",
    "Output": "output svg pdf page numbers animate json jsonl quiet help help-all",
}
_GROUP_OF = {f"--{word}": group for group, words in _GROUPS.items() for word in words.split()}
_WIDEST = 100
_LEFT = 26  # columns for names


_Row = tuple[str, str, Mapping[str, str]]  # a name, what it is for, and what its choices mean

WHOLE = "--help-all"  # the option whose help also lists the rarely needed options


def command(command: Any, ctx: Any, *, whole: bool = False) -> Iterator[str]:
    """The lines of a command's help; with `whole`, rarely needed options are listed too."""
    arguments = [p for p in command.params if p.param_type_name == "argument" and not p.hidden]
    every = [p for p in command.get_params(ctx) if p.param_type_name == "option"]
    options = [p for p in every if whole or not p.hidden]
    yield _usage(ctx, "[OPTIONS]", *(_argument(p) for p in arguments))
    words, examples = _parts(command.help)
    yield from words
    if arguments:
        yield from _section("Arguments", ((_argument(p).strip("[]"), *_about(p)) for p in arguments))
    for group in ("Options", *_GROUPS):
        rows = [(_option(p), *_about(p)) for p in options if _GROUP_OF.get(_long(p), "Options") == group]
        if rows:
            yield from _section(group, rows)
    if len(options) < len(every) and any(_long(p) == WHOLE for p in options):
        rare = ", ".join(_long(p) for p in every if p.hidden)
        yield from ["", *_wrapped(f"{WHOLE} also lists rarely needed options: {rare}.")]
    if examples:
        yield from ["", _bold("Examples"), *(f"  {line}" for line in examples)]


def group(group: Any, ctx: Any) -> Iterator[str]:
    """The lines of the help of a group of commands."""
    yield _usage(ctx, "COMMAND …")
    words, examples = _parts(group.help)
    yield from words
    commands = [(name, group.get_command(ctx, name)) for name in group.list_commands(ctx)]
    shelves: dict[str, list[_Row]] = {}
    for name, one in commands:
        if one and not one.hidden:
            shelf = getattr(one, "shelf", "Commands")
            shelves.setdefault(shelf, []).append((name, _first(one.help), {}))
    for title, rows in shelves.items():
        yield from _section(title, rows)
    options = [p for p in group.get_params(ctx) if p.param_type_name == "option" and not p.hidden]
    yield from _section("Options", ((_option(p), *_about(p)) for p in options))
    if examples:
        yield from ["", _bold("Try first"), *(f"  {line}" for line in examples)]
    if group.epilog:
        yield from ["", *_wrapped(group.epilog)]


def _usage(ctx: Any, *words: str) -> str:
    return " ".join([_bold("Usage:"), ctx.command_path, *words])


def _parts(text: str | None) -> tuple[list[str], list[str]]:
    """The wrapped text of a docstring, and its examples."""
    words, _, examples = (text or "").partition("\nExamples:\n")
    lines: list[str] = []
    for paragraph in words.strip().split("\n\n"):
        lines += ["", *_wrapped(" ".join(paragraph.split()))]
    return lines, [line.strip() for line in examples.strip().splitlines()]


def _first(text: str | None) -> str:
    return " ".join((text or "").split("\n\n")[0].split())


def _about(param: Any) -> tuple[str, Mapping[str, str]]:
    """The help of a parameter, and what each of its choices means."""
    return param.help or "", getattr(param, "meanings", {})


def _section(title: str, rows: Iterable[_Row]) -> Iterator[str]:
    yield from ["", _bold(title)]
    for name, about, meanings in rows:
        lines = textwrap.wrap(about, max(30, _width() - _LEFT), break_on_hyphens=False) or [""]
        left = f"  {name}"
        if len(left) > _LEFT - 2:
            yield _tinted(left)
        else:
            yield _tinted(left) + " " * (_LEFT - len(left)) + lines.pop(0)
        yield from (" " * _LEFT + line for line in lines)
        wide = max(map(len, meanings), default=0) + 2
        for choice, meaning in meanings.items():
            first, *rest = textwrap.wrap(meaning, max(30, _width() - _LEFT - 2 - wide), break_on_hyphens=False)
            yield " " * (_LEFT + 2) + f"{choice:<{wide}}{first}"
            yield from (" " * (_LEFT + 2 + wide) + line for line in rest)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _width(), break_on_hyphens=False)


def _argument(param: Any) -> str:
    name = param.metavar or param.name.upper()
    if param.nargs == -1:
        name += " …"
    return name if param.required or name.startswith("[") else f"[{name}]"


def _long(param: Any) -> str:
    return str(max(param.opts, key=len))


def _option(param: Any) -> str:
    names = sorted(param.opts, key=len)
    if param.secondary_opts:
        names = [f"{'/'.join([*names, *param.secondary_opts])}"]
    return ", ".join(names) + ("" if param.is_flag else f" {param.metavar}")


def _width() -> int:
    return min(_WIDEST, shutil.get_terminal_size((_WIDEST, 24)).columns) - 1


def _colours() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def _bold(text: str) -> str:
    return click.style(text, bold=True) if _colours() else text


def _tinted(text: str) -> str:
    return click.style(text, fg="cyan") if _colours() else text
