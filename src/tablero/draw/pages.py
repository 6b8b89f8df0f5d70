"""Self-contained HTML pages: one style, light and dark, and one control bar that plays and steps.

    shell        a page of title, summary, body, script and data in one file
    bar          the controls: position, buttons for back and forward, a slider; for players also play and speed
    slide_page   pictures to click through, with a remark on each; a printout shows all of them
    frame_page   the states of one picture, whose parts change their classes and texts
    move_page    moves of numbered tiles on a grid

Scripts and styles are in `static`.  A script with a bar calls `playBar({total, go, rate, each, word})`:

    total     positions are 0 … total
    go        shows a position; its second argument says whether to animate the step before it
    rate      positions a second for a speed of 0 … 1
    each      called at every frame with the seconds since the last one and the rate, for animation between positions
    word      the name of the position in the page's address, as in page.html#step=7

It returns `{go, play, pause, place}`.  Pictures have a white background (`class="paper"`), also in dark mode.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from tablero.draw.scene import Scene
from tablero.draw.svg import to_element

PIECE = 512  # steps
_PLAY = '\n<button id="play" class="play" title="play and pause (space)">play</button>'
_SPEED = '\n<label>speed <input id="speed" type="range" min="0" max="100" value="40"></label>'


@dataclass(frozen=True)
class Stop:
    """A solved puzzle of the tour."""

    title: str
    command: str  # the command with the same result
    words: str
    svg: str
    text: Callable[[bool], str]  # for a terminal, with colours or without


def _static(name: str) -> str:
    return (Path(__file__).parent / "static" / name).read_text(encoding="utf-8")


def bar(unit: str = "", plays: bool = True) -> str:
    """The control bar of a page; `unit` names what is counted."""
    parts = {"UNIT": escape(unit), "PLAY": _PLAY if plays else "", "SPEED": _SPEED if plays else ""}
    return _filled(_static("bar.html"), parts)


def shell(
    title: str,
    summary: str,
    body: str,
    *,
    script: str = "",
    data: Any = None,
    style: str = "",
    wide: str = "64rem",
    left: str = "38rem",
) -> str:
    """A page as HTML.  The script reads `data` as D; `wide` is the page's width, `left` that of the first of two columns."""
    known = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    known = known.replace("<", "\\u003c")  # it cannot end the script
    parts = {
        "TITLE": escape(title),
        "SUMMARY": escape(summary),
        "STYLE": _static("page.css") + style,
        "WIDE": wide,
        "LEFT": left,
        "BODY": body,
        "SCRIPT": f"<script>\n{_static('bar.js')}const D = {known};\n{script}</script>" if script else "",
    }
    return _filled(_static("page.html"), parts)


def in_notebook(html: str) -> str:
    """A page in a frame, so that its style and script do not affect the notebook."""
    return f'<iframe srcdoc="{escape(html)}" style="width: 100%; height: 720px; border: 0"></iframe>'


def _filled(text: str, parts: dict[str, str]) -> str:
    """Replace all marks in one pass, so that inserted text is not searched for marks."""
    return re.sub("@([A-Z]+)@", lambda mark: parts[mark[1]], text)


@dataclass(frozen=True)
class Slide:
    """A picture with a remark."""

    name: str
    words: str
    scene: Scene
    note: str = ""  # a short text beside the name


def slide_page(title: str, summary: str, slides: Sequence[Slide]) -> str:
    """A page of pictures as HTML.  Each shape is stored once, and slides refer to their shapes."""
    pool: dict[str, int] = {}
    data = []
    for slide in slides:
        shapes = [pool.setdefault(to_element(shape), len(pool)) for shape in slide.scene.shapes]
        data.append([slide.name, slide.words, slide.note, f"{slide.scene.width:g} {slide.scene.height:g}", shapes])
    body = f"""<div class="two">
<div class="paper" id="picture"></div>
<div>
<div class="card">
{bar(plays=False)}<div aria-live="polite"><div class="name"><span id="name"></span>
<span class="note" id="note"></span></div>
<p class="words" id="words" tabindex="0"></p></div>
</div>
<ol class="card" id="list" aria-label="all of them"></ol>
</div>
</div>
<section id="print" aria-hidden="true"></section>"""
    known = {"pool": list(pool), "slides": data}
    return shell(title, summary, body, script=_static("slides.js"), data=known, style=_static("slides.css"))


@dataclass(frozen=True)
class Frame:
    """The state of a picture at one step, by the ids of its parts; other parts look as drawn."""

    name: str
    words: str
    depth: int
    classes: Mapping[str, Sequence[str]] = field(default_factory=dict)  # the parts of each class
    texts: Mapping[str, str] = field(default_factory=dict)  # the contents of texts by id


def frame_page(title: str, summary: str, picture: str, style: str, frames: Sequence[Frame]) -> str:
    """A page of the states of an SVG as HTML; `style` are rules for the classes of the picture's parts."""
    data = [
        [frame.name, frame.words, frame.depth, {k: list(v) for k, v in frame.classes.items()}, dict(frame.texts)]
        for frame in frames
    ]
    body = f"""<div class="two">
<div class="paper" id="picture">{picture}</div>
<div>
<div class="card">
{bar("steps")}<div aria-live="polite"><div class="name" id="name"></div><p class="words" id="words"></p></div>
</div>
<div class="card"><canvas id="depths" role="img" aria-label="depth of the search"></canvas></div>
</div>
</div>"""
    look = "#picture svg { max-height: 80vh } #depths { height: 7rem }\n" + style
    return shell(title, summary, body, script=_static("stepper.js"), data=data, style=look, wide="72rem", left="48rem")


@dataclass(frozen=True)
class Moves:
    """Moves on a grid, whose cells are numbered row by row from 0; a cell holds the number of a tile, or 0."""

    title: str
    rows: int
    columns: int
    cells: Sequence[int]
    goal: Sequence[int]  # the tile that each cell must hold, which determines the colours
    directions: str  # of the steps, each N, S, E or W
    notes: Sequence[tuple[int, int]]  # a remark, and the number of consecutive steps to which it applies
    remarks: dict[int, tuple[str, str]]  # a short name and a sentence
    sources: Sequence[int] | None = None  # cells of the moved tiles; None: the single empty cell moves in the direction
    floor: Sequence[int] = ()  # darker cells
    walls: Sequence[int] = ()
    summary: str = ""


def move_page(moves: Moves) -> str:
    """A page of moves as HTML.  Steps take about a byte each; the script unpacks only the piece that it plays."""
    tally: Counter[int] = Counter()
    for remark, count in moves.notes:
        tally[remark] += count
    data = {
        "rows": moves.rows,
        "columns": moves.columns,
        "cells": list(moves.cells),
        "goal": list(moves.goal),
        "total": len(moves.directions),
        "size": PIECE,
        "hole": moves.sources is None,
        "pieces": pieces(moves),
        "tally": list(tally.items()),
        "remarks": {str(k): list(words) for k, words in moves.remarks.items()},
        "floor": list(moves.floor),
        "walls": list(moves.walls),
    }
    body = f"""<div class="two">
<canvas id="board" role="img" aria-label="the board"></canvas>
<div>
<div class="card">
{bar("moves")}<div class="name" id="rule"></div><p class="words note" id="words"></p>
</div>
<div class="card"><table id="tally"></table></div>
</div>
</div>"""
    about = {"script": _static("player.js"), "style": _static("player.css"), "wide": "60rem", "left": "34rem"}
    return shell(moves.title, moves.summary, body, data=data, **about)


def pieces(moves: Moves) -> list[str]:
    """The steps, packed into texts of `PIECE` steps each.

    `@k.` is the cell (in base 36) of the next step, `!k.` the remark from there on; a number and a letter are consecutive
    steps in that direction, each from where the last one ended.
    """
    step = {"N": -moves.columns, "S": moves.columns, "E": 1, "W": -1}
    remarks = [remark for remark, count in moves.notes for _ in range(count)]
    hole = next((k for k, tile in enumerate(moves.cells) if not tile), 0)
    found = []
    for begin in range(0, len(moves.directions), PIECE):
        words: list[str] = []
        place, remark = -1, None
        for k in range(begin, min(begin + PIECE, len(moves.directions))):
            if remarks[k] != remark:
                remark = remarks[k]
                words.append(f"!{_base36(remark)}.")
            source = hole if moves.sources is None else int(moves.sources[k])
            if source != place:
                words.append(f"@{_base36(source)}.")
            hole = place = source + step[moves.directions[k]]
            words.append(moves.directions[k])
        counted = [(word, sum(1 for _ in run)) for word, run in groupby(words)]
        found.append("".join(f"{count if count > 1 else ''}{word}" for word, count in counted))
    return found


def _base36(number: int) -> str:
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    found = ""
    while number >= 36:
        number, digit = divmod(number, 36)
        found = digits[digit] + found
    return digits[number] + found
