"""Worksheets: frames to fill with some of the twelve pentominoes, which are shown below the frame."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

from tablero.cover.draw import mosaic
from tablero.cover.formats import write
from tablero.cover.generating import PENTOMINOES, cells_of, filled_with, pentominoes
from tablero.cover.puzzle import ExactCover
from tablero.draw.scene import Mosaic, Rect, Scene, Shape, colour
from tablero.draw.sheet import Task, Worksheet, various
from tablero.text import several

_TRIES = 1000  # choices of pieces for a frame
_LETTERS = sorted(PENTOMINOES)
# Frames for all twelve: rectangles, and a square of 8×8 with four holes at random.
_ALL = ((6, 10), (5, 12), (4, 15), (8, 8))


def worksheet(pieces: int, *, count: int, seed: int, title: str, per_page: int) -> Worksheet:
    """Make different frames for a number of pentominoes, each with a solution at the end; drawn as PDF or SVG."""
    tasks = various(lambda number: _task(pieces, random.Random(number)), count, seed)
    if pieces < len(_LETTERS):
        tasks += _others(pieces, count - len(tasks), {task.given for task in tasks})
    return Worksheet(tasks, title or "Fill every frame with the pieces below it", per_page=per_page, wanted=count)


def _task(pieces: int, rng: random.Random) -> Task:
    for _ in range(_TRIES):
        letters = sorted(rng.sample(_LETTERS, pieces))
        if task := _filled(letters, _frame(letters, rng)):
            return task
    raise AssertionError("no frame was found")


def _others(pieces: int, most: int, known: set[str]) -> list[Task]:
    """Choices of pieces that fill their frame and were not drawn yet, up to a number."""
    found: list[Task] = []
    for letters in combinations(_LETTERS, pieces):
        if len(found) >= most:
            break
        frame = _rectangle(list(letters))
        if write(frame) not in known and (task := _filled(list(letters), frame)):
            found.append(task)
    return found


def _filled(letters: list[str], frame: ExactCover) -> Task | None:
    """A frame for these pieces with a solution, or None."""
    found = frame.solve(1)
    if not found.chosen:
        return None
    drawn = mosaic(frame, found.chosen[0], "a way to fill the frame")
    laid = "\n".join(" ".join(option) for option in found.to_list()[0])
    return Task(_sheet(drawn, letters), several(len(letters), "piece"), _tinted(drawn).scene(), write(frame), laid)


def _tinted(drawn: Mosaic) -> Mosaic:
    """The same with the colours that the pieces have on the sheet."""
    letter_of = {
        region: label
        for regions, labels in zip(drawn.regions, drawn.labels or (), strict=True)
        for region, label in zip(regions, labels, strict=True)
        if label
    }
    tints = {region: _LETTERS.index(letter_of[region]) for region in letter_of}
    inside = tuple(tuple(None if region is None else tints[region] for region in row) for row in drawn.regions)
    return replace(drawn, regions=inside)


def _frame(letters: list[str], rng: random.Random) -> ExactCover:
    """A rectangle with the area of these pieces; for all twelve, one of several boards."""
    if len(letters) < len(PENTOMINOES):
        return _rectangle(letters)
    rows, columns = rng.choice(_ALL)
    holes = rng.sample([(r, c) for r in range(rows) for c in range(columns)], rows * columns - 60)
    return pentominoes(rows, columns, holes)


def _rectangle(letters: list[str]) -> ExactCover:
    rows = {3: 3, 4: 4}.get(len(letters), 5)
    return filled_with(letters, cells_of(rows, 5 * len(letters) // rows))


def _sheet(drawn: Mosaic, letters: list[str]) -> Scene:
    """The empty frame, with the pieces in small below it."""
    inside = tuple(tuple(None if region is None else 0 for region in row) for row in drawn.regions)
    frame = Mosaic(inside).scene()
    shapes: list[Shape] = [
        Rect(shape.x, shape.y, 1, 1, "#ffffff", "#9aa0ac", 0.03) if isinstance(shape, Rect) else shape
        for shape in frame.shapes
    ]
    x, y, half, tallest = 0.15, frame.height + 0.4, 0.5, 0.0
    for letter in letters:
        rows = PENTOMINOES[letter].split("/")
        wide, tall = half * max(map(len, rows)), half * len(rows)
        if x + wide > max(frame.width, 4.0):
            x, y, tallest = 0.15, y + tallest + 0.3, 0.0
        for r, row in enumerate(rows):
            shapes += [
                Rect(x + half * c, y + half * r, half, half, colour(_LETTERS.index(letter)), "#1f2430", 0.03)
                for c, mark in enumerate(row)
                if mark == "#"
            ]
        x, tallest = x + wide + 0.35, max(tallest, tall)
    width = max(frame.width, 4.15)
    return Scene(width, y + tallest + 0.15, tuple(shapes), f"a frame for the pentominoes {', '.join(letters)}")
