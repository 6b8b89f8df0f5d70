"""`tablero tour`: a puzzle of every family, solved, drawn and put on one page."""

from __future__ import annotations

import html
import sys
from pathlib import Path
from typing import Annotated

import typer

from tablero.cli.common import Json, Quiet, print_json
from tablero.draw.page import shell
from tablero.errors import BadInput, MissingExtra
from tablero.families import FAMILIES
from tablero.files import write_text

_STYLE = """section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.2rem 1.6rem;
          margin: 1.5rem 0 }
h1 { font-size: 2rem } section .paper { border: 0 } section svg { width: auto !important; max-width: 100%; margin: auto }
pre { background: var(--well); border-radius: 6px; padding: .7rem 1rem; overflow-x: auto; font-size: 14px }
"""
_SUMMARY = "A laboratory for board puzzles. A puzzle of every family, solved on this machine just now."


def tour(
    folder: Annotated[str, typer.Option("--into", help="The folder to write to.")] = "tour",
    as_json: Json = False,
    quiet: Quiet = False,
) -> int:
    """A puzzle of every family, solved and drawn: tour/index.html.

    Examples:
        tablero tour
    """
    if not folder:
        raise BadInput("--into '': expected the name of a folder")
    into = Path(folder)
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot write to {into}: {error.strerror or error}") from None
    sections, stops = [], []
    talks = not quiet and not as_json
    if talks:
        print("a puzzle of every family; the first time, kernels are compiled, a few seconds each", file=sys.stderr)
    for number, family in enumerate(FAMILIES, 1):
        if talks:
            print(f"{number} of {len(FAMILIES)}: {family.about}", file=sys.stderr, flush=True)
        try:
            stop = family.module("tour").stop()
        except MissingExtra as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        name = stop.title.lower().replace(" ", "-") + ".svg"
        write_text(into / name, stop.svg)
        stops.append({"family": family.name, "title": stop.title, "words": stop.words, "picture": str(into / name)})
        if talks:
            print(f"{stop.title}\n{stop.text(sys.stdout.isatty())}\n{stop.words}\n", flush=True)
        sections.append(
            f'<section><h2>{html.escape(stop.title)}</h2>\n<div class="paper">{stop.svg}</div>'
            f"<p>{html.escape(stop.words)}</p>\n"
            f'<pre tabindex="0">{html.escape(stop.command)}</pre></section>'
        )
    write_text(into / "index.html", shell("tablero", _SUMMARY, "\n".join(sections), style=_STYLE, wide="46rem"))
    if as_json:
        print_json({"status": "solved", "page": str(into / "index.html"), "stops": stops})
    else:
        print(f"{into / 'index.html'}")
        if not quiet:
            print("'tablero serve' (or 'make serve') shows all of it as a web page to play with", file=sys.stderr)
    return 0
