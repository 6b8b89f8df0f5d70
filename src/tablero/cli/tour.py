"""`tablero tour`: solve and draw a puzzle of every family, on one page."""

from __future__ import annotations

import html
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ClassVar, NamedTuple

from msgspec import Meta

from tablero import interrupts
from tablero.cli.options import Settings, command
from tablero.errors import BadInput, MissingExtra
from tablero.families import families
from tablero.files import write_text
from tablero.verbs.parameters import Spelling

_LOOK_EVERY = 0.05  # seconds between two checks for a finished puzzle
_STYLE = """section { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.2rem 1.6rem;
          margin: 1.5rem 0 }
h1 { font-size: 2rem } section .paper { border: 0 } section svg { width: auto !important; max-width: 100%; margin: auto }
pre { background: var(--well); border-radius: 6px; padding: .7rem 1rem; overflow-x: auto; font-size: 14px }
"""
_MOST_PROCESSES = 4
_SUMMARY = "A laboratory for board puzzles: a puzzle of every family, just solved on this machine."


@dataclass(frozen=True)
class Tour:
    """The tour; printing it solves the puzzles."""

    into: Path
    talks: bool  # whether each puzzle is printed when it is solved
    stops: list[dict[str, str]] = field(default_factory=list)
    status: ClassVar[str] = "solved"

    @property
    def page(self) -> Path:
        return self.into / "index.html"

    def to_dict(self) -> dict[str, Any]:
        for _ in self.lines():
            pass
        return {"status": self.status, "page": str(self.page), "stops": self.stops}

    def lines(self) -> Iterator[str]:
        from tablero.draw.pages import shell  # not needed for the help

        sections = []
        if self.talks:
            print(
                "a puzzle of every family; at first use, kernels are compiled for a few seconds each", file=sys.stderr
            )
        for shown in _shown(self.talks):
            if isinstance(shown, str):
                print(f"left out: {shown}", file=sys.stderr)
                continue
            sections.append(self._keep(shown))
            if self.talks:
                yield from (shown.title, *shown.text.splitlines(), shown.words, "")
                sys.stdout.flush()
        write_text(self.page, shell("tablero", _SUMMARY, "\n".join(sections), style=_STYLE, wide="46rem"))
        yield f"{self.page}"

    def _keep(self, shown: Shown) -> str:
        """Write the picture of a puzzle; return its section of the page."""
        name = shown.title.lower().replace(" ", "-") + ".svg"
        write_text(self.into / name, shown.svg)
        picture = str(self.into / name)
        self.stops.append({"family": shown.family, "title": shown.title, "words": shown.words, "picture": picture})
        return (
            f'<section><h2>{html.escape(shown.title)}</h2>\n<div class="paper">{shown.svg}</div>'
            f"<p>{html.escape(shown.words)}</p>\n"
            f'<pre tabindex="0">{html.escape(shown.command)}</pre></section>'
        )

    def remarks(self) -> Iterator[str]:
        yield "'tablero serve' (or 'make serve') starts the web page"


@command()
def tour(
    *,
    into: Annotated[str, Meta(description="Folder to write to."), Spelling(metavar="FOLDER")] = "tour",
    settings: Settings,
) -> Tour:
    """Solve and draw a puzzle of every family; the page is tour/index.html.

    Examples:
        tablero tour
    """
    if not into:
        raise BadInput("--into '': expected the name of a folder")
    try:
        Path(into).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"cannot write to {into}: {error.strerror or error}") from None
    return Tour(Path(into), not settings.quiet and not settings.wants_json)


class Shown(NamedTuple):
    """A solved puzzle as text and picture."""

    family: str
    title: str
    command: str
    words: str
    svg: str
    text: str


def _shown(talks: bool) -> Iterator[Shown | str]:
    """The solved puzzles in order, or the reason why one is left out.

    Several are solved at a time, because each compiles its kernels at first use.
    """
    stops = [family for family in families().values() if family.has("tour")]
    processes = max(1, min(os.cpu_count() or 1, len(stops), _MOST_PROCESSES))
    colours = sys.stdout.isatty()
    from tablero.cli.warm import workers  # imports process pools, which the help does not need

    with workers(processes) as pool:
        made = [pool.submit(show, family.name, family.package, colours) for family in stops]
        for number, (family, one) in enumerate(zip(stops, made, strict=True), 1):
            if talks:
                print(f"{number} of {len(stops)}: {family.about}", file=sys.stderr, flush=True)
            while not one.done():
                interrupts.sleep(_LOOK_EVERY)
            yield one.result()


def show(name: str, package: str, colours: bool) -> Shown | str:
    """Solve the puzzle of one family in this process."""
    try:
        stop = import_module(f"{package}.tour").stop()
    except MissingExtra as error:
        return str(error)
    return Shown(name, stop.title, stop.command, stop.words, stop.svg, stop.text(colours))
