"""Pages of scenes in rows and columns with captions, and worksheets with the answers at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from tablero.draw.scene import PAPER, Polygon, Rect, Scene, Shape, Text
from tablero.draw.svg import to_svg
from tablero.errors import BadInput
from tablero.text import several

PAGE = (21.0, 29.7)  # A4, in centimetres: the unit of a page
_EDGE = 1.5
_GAP = 1.0
_HEAD = 1.2
_CAPTION = 0.7
_WIDE = 0.72  # width of a bold character of a title, relative to its size
SHAPES = {1: (1, 1), 2: (1, 2), 4: (2, 2), 6: (2, 3), 12: (3, 4)}  # puzzles on a page: across and down
_FAR = 1_000_003  # between the seeds of two tries: far from other seeds in use
_TRIES = 20  # for a puzzle that is not on the sheet yet


@dataclass(frozen=True)
class Task:
    """A puzzle of a worksheet: its picture, caption and answer, and puzzle and answer as text."""

    puzzle: Scene
    caption: str
    answer: Scene
    given: str  # in the family's format
    solved: str


def various(
    make: Callable[[int], Task], count: int, seed: int, same: Callable[[Task], str] = lambda task: task.given
) -> list[Task]:
    """Make up to `count` different puzzles, if possible with different answers, from the number `seed * count` on.

    `same` returns a text that is equal for puzzles that count as the same.
    """
    tasks: list[Task] = []
    puzzles: set[str] = set()
    answers: set[str] = set()
    for number in range(seed * count, (seed + 1) * count):
        found = None
        for again in range(_TRIES):
            task = make(number + again * _FAR)
            if same(task) not in puzzles:
                found = found or task
                if task.solved not in answers:
                    found = task
                    break
        if found is None:
            break
        tasks.append(found)
        puzzles.add(same(found))
        answers.add(found.solved)
    return tasks


@dataclass(frozen=True)
class Worksheet:
    """Pages of puzzles, followed by pages of smaller answers.  A notebook shows it as a picture.

    Puzzles that do not fill a page are drawn larger.
    """

    tasks: Sequence[Task]
    title: str
    answers: str = "Answers"
    per_page: int = 6
    wanted: int = 0  # the requested number of puzzles
    notes: tuple[str, ...] = ()  # further messages
    files: tuple[str, ...] = ()  # files to which the command line has written it
    status = "complete"

    def __post_init__(self) -> None:
        if not self.title.isprintable():
            raise BadInput(f"the title {self.title!r}: expected one line of printable characters")

    def to_dict(self) -> dict[str, Any]:
        """The puzzles and their answers for JSON."""
        tasks = [{"caption": one.caption, "puzzle": one.given, "answer": one.solved} for one in self.tasks]
        pages, files = len(self.pages), [*self.files]
        return {"status": self.status, "title": self.title, "puzzles": tasks, "pages": pages, "files": files}

    def in_files(self, names: Iterable[str]) -> Worksheet:
        """The same worksheet with the names of its files."""
        return replace(self, files=tuple(names))

    def lines(self) -> tuple[str, ...]:
        return ()

    def remarks(self) -> Iterator[str]:
        where = f": {', '.join(self.files)}" if self.files else ""
        yield f"{several(len(self.tasks), 'puzzle')} on {several(len(self.pages), 'page')}, answers at the end{where}"
        if len(self.tasks) < self.wanted:
            yield f"found only {several(len(self.tasks), 'different puzzle')} of {self.wanted}"
        twice = len(self.tasks) - len({one.solved for one in self.tasks})
        if twice:
            yield f"{several(twice, 'answer')} repeated, from another start: found no others"
        yield from self.notes

    @cached_property
    def pages(self) -> list[Scene]:
        """All pages, numbered."""
        numbers = [f"{number}." for number in range(1, len(self.tasks) + 1)]
        captions = [f"{number} {task.caption}".strip() for number, task in zip(numbers, self.tasks, strict=True)]
        across, down = _shape(len(self.tasks), self.per_page)
        out = pages([task.puzzle for task in self.tasks], captions, across=across, down=down, head=self.title)
        across, down = _shape(len(self.tasks), max(SHAPES))
        out += pages([task.answer for task in self.tasks], numbers, across=across, down=down, head=self.answers)
        return [_numbered(page, number, len(out)) for number, page in enumerate(out, 1)]

    def to_pdf(self) -> bytes:
        """The worksheet as a PDF with A4 pages."""
        from tablero.draw.pdf import require_letters, to_pdf

        require_letters(self.title)
        return to_pdf(self.pages, title=self.title)

    def to_svg(self) -> str:
        """All pages as one SVG, one below the other."""
        return to_svg(stacked(self.pages))

    def __repr__(self) -> str:
        return f"<worksheet: {several(len(self.tasks), 'puzzle')} on {several(len(self.pages), 'page')}>"

    def _repr_svg_(self) -> str:
        return self.to_svg()


def _shape(count: int, most: int) -> tuple[int, int]:
    """The layout for `count` puzzles, or `most` on a page, with the largest boards."""
    return SHAPES[next(number for number in SHAPES if number >= min(count, most))]


def _numbered(page: Scene, number: int, of: int) -> Scene:
    foot = Text(page.width / 2, page.height - _EDGE / 2, f"{number} / {of}", 0.3, "#5d6472")
    return replace(page, shapes=(*page.shapes, foot), title=f"{page.title}, page {number} of {of}")


def pages(scenes: Sequence[Scene], captions: Sequence[str], *, across: int, down: int, head: str = "") -> list[Scene]:
    """Arrange scenes on pages, `across` times `down` on each."""
    each = across * down
    parts = [slice(first, first + each) for first in range(0, len(scenes), each)]
    return [_page(scenes[part], captions[part], across, down, head) for part in parts]


def _page(scenes: Sequence[Scene], captions: Sequence[str], across: int, down: int, head: str) -> Scene:
    width, height = PAGE
    wide = (width - 2 * _EDGE - (across - 1) * _GAP) / across
    tall = (height - 2 * _EDGE - _HEAD - (down - 1) * _GAP) / down - _CAPTION
    shapes: list[Shape] = [Rect(0, 0, width, height, PAPER)]
    if head:
        size = min(0.6, (width - 2 * _EDGE) / (_WIDE * len(head)))
        shapes.append(Text(width / 2, _EDGE + 0.3, head, size, bold=True))
    for k, (scene, caption) in enumerate(zip(scenes, captions, strict=True)):
        row, column = divmod(k, across)
        scale = min(wide / scene.width, tall / scene.height)
        left = _EDGE + column * (wide + _GAP) + (wide - scale * scene.width) / 2
        top = _EDGE + _HEAD + row * (tall + _CAPTION + _GAP)
        shapes += [moved(shape, left, top, scale) for shape in scene.shapes]
        shapes.append(Text(left + scale * scene.width / 2, top + scale * scene.height + 0.35, caption, 0.36))
    return Scene(width, height, tuple(shapes), head)


def stacked(scenes: Sequence[Scene]) -> Scene:
    """One scene with the given scenes below each other."""
    shapes: list[Shape] = []
    top = 0.0
    for scene in scenes:
        shapes += [moved(shape, 0, top, 1) for shape in scene.shapes]
        top += scene.height
    return Scene(max(scene.width for scene in scenes), top, tuple(shapes), scenes[0].title)


_LENGTHS = ("width", "height", "radius", "size", "line", "round", "dash")


def moved(shape: Shape, left: float, top: float, scale: float) -> Shape:
    """A scaled and moved shape."""
    changed: dict[str, Any] = {}
    for name in (one.name for one in fields(shape)):
        value = getattr(shape, name)
        if name in _LENGTHS:
            changed[name] = scale * value
        elif name in ("x", "x1", "x2"):
            changed[name] = left + scale * value
        elif name in ("y", "y1", "y2"):
            changed[name] = top + scale * value
    if isinstance(shape, Polygon):
        changed["points"] = tuple((left + scale * x, top + scale * y) for x, y in shape.points)
    return replace(shape, **changed)
