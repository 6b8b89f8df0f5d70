"""A scene: shapes on a plane, in the unit of one cell, x to the right and y down.  A mosaic: coloured cells and walls.

Neither depends on a puzzle.
"""

from __future__ import annotations

import colorsys
from dataclasses import dataclass

INK = "#1f2430"
PAPER = "#ffffff"
_CELL = 3  # characters for a cell in a terminal
# A corner by the walls that meet there: 1 up, 2 right, 4 down, 8 left.
_CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"

# Twelve colours that most people can tell apart, light enough for dark letters.
_PALETTE = (
    "#8ecae6", "#ffb703", "#95d5b2", "#f28482", "#cdb4db", "#e9c46a",
    "#84a98c", "#f4a261", "#a2d2ff", "#d4a373", "#bde0a8", "#ffafcc",
)  # fmt: skip


def colour(k: int) -> str:
    """The k-th of any number of colours, the first twelve chosen by hand."""
    if k < len(_PALETTE):
        return _PALETTE[k]
    hue = (k * 0.61803398875) % 1.0  # the golden ratio spreads any number of hues evenly
    red, green, blue = colorsys.hls_to_rgb(hue, 0.62 + 0.14 * (k % 3 - 1), 0.55)
    return f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"


@dataclass(frozen=True)
class Rect:
    x: float
    y: float
    width: float
    height: float
    fill: str = "none"
    stroke: str = "none"
    line: float = 0.0
    round: float = 0.0


@dataclass(frozen=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    stroke: str = INK
    line: float = 0.06
    dash: float = 0.0  # length of the dashes and gaps; 0 for a solid line


@dataclass(frozen=True)
class Circle:
    x: float
    y: float
    radius: float
    fill: str = INK
    stroke: str = "none"
    line: float = 0.0


@dataclass(frozen=True)
class Polygon:
    points: tuple[tuple[float, float], ...]
    fill: str = "none"
    stroke: str = "none"
    line: float = 0.0


@dataclass(frozen=True)
class Text:
    """Text centred on its point, unless it is anchored at its start or end."""

    x: float
    y: float
    text: str
    size: float = 0.5
    fill: str = INK
    anchor: str = "middle"
    bold: bool = False


Shape = Rect | Line | Circle | Polygon | Text


@dataclass(frozen=True)
class Scene:
    """Shapes, painted in order; screen readers read the title."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str = ""


@dataclass(frozen=True)
class Mosaic:
    """A grid of cells, each in a region or (None) empty; regions differ in colour and are walled off.

    `labels` are written into cells.
    """

    regions: tuple[tuple[int | None, ...], ...]
    labels: tuple[tuple[str, ...], ...] | None = None
    title: str = ""

    @property
    def rows(self) -> int:
        return len(self.regions)

    @property
    def columns(self) -> int:
        return len(self.regions[0]) if self.regions else 0

    def region(self, row: int, column: int) -> int | None:
        """The region at a place; None outside the grid."""
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return self.regions[row][column]
        return None

    def label(self, row: int, column: int) -> str:
        return self.labels[row][column] if self.labels else ""

    def wall_above(self, row: int, column: int) -> bool:
        """Whether there is a wall above a cell."""
        return self.region(row - 1, column) != self.region(row, column)

    def wall_left(self, row: int, column: int) -> bool:
        """Whether there is a wall left of a cell."""
        return self.region(row, column - 1) != self.region(row, column)

    def scene(self) -> Scene:
        margin = 0.15
        shapes: list[Shape] = []
        for row in range(self.rows):
            for column in range(self.columns):
                region = self.region(row, column)
                if region is not None:
                    # Slightly wider than the cell, so that there are no seams within a region.
                    shapes.append(Rect(column + margin, row + margin, 1.01, 1.01, colour(region)))
        for row in range(self.rows + 1):
            for column in range(self.columns + 1):
                x, y = column + margin, row + margin
                if column < self.columns and self.wall_above(row, column):
                    shapes.append(Line(x, y, x + 1, y))
                if row < self.rows and self.wall_left(row, column):
                    shapes.append(Line(x, y, x, y + 1))
                if row < self.rows and column < self.columns and self.label(row, column):
                    shapes.append(Text(x + 0.5, y + 0.5, self.label(row, column)))
        return Scene(self.columns + 2 * margin, self.rows + 2 * margin, tuple(shapes), self.title)

    def to_text(self, *, colours: bool = False) -> str:
        """The grid as text with box-drawing characters, for a terminal."""
        lines = []
        for row in range(self.rows + 1):
            lines.append(self._wall_line(row))
            if row < self.rows:
                lines.append(self._cell_line(row, colours))
        return "\n".join(line.rstrip() for line in lines)

    def _wall_line(self, row: int) -> str:
        out = []
        for column in range(self.columns + 1):
            up, down = self.wall_left(row - 1, column), self.wall_left(row, column)
            right, left = self.wall_above(row, column), self.wall_above(row, column - 1)
            out.append(_CORNERS[up + 2 * right + 4 * down + 8 * left])
            if column < self.columns:
                out.append(("─" if right else " ") * _CELL)
        return "".join(out)

    def _cell_line(self, row: int, colours: bool) -> str:
        out = []
        for column in range(self.columns + 1):
            out.append("│" if self.wall_left(row, column) else " ")
            if column < self.columns:
                text = self.label(row, column)[:_CELL].center(_CELL)
                region = self.region(row, column)
                if colours and region is not None:
                    red, green, blue = bytes.fromhex(colour(region)[1:])
                    text = f"\x1b[30;48;2;{red};{green};{blue}m{text}\x1b[0m"
                out.append(text)
        return "".join(out)
