"""Draw the packages: `python docs/make_packages_image.py` writes docs/images/packages.svg, from the list of families."""

from __future__ import annotations

from pathlib import Path

from tablero.draw.scene import Line, Polygon, Rect, Scene, Shape, Text, colour
from tablero.draw.svg import to_svg
from tablero.families import families

WIDTH = 21.0
GREY = "#6b7280"


def box(x: float, y: float, width: float, height: float, fill: str, title: str, *lines: str) -> list[Shape]:
    """A package with its name, as large as it fits, and what is in it."""
    size = min(0.46, 1.3 * width / len(title))
    shapes: list[Shape] = [
        Rect(x, y, width, height, fill, "#1f2430", 0.04, 0.18),
        Text(x + width / 2, y + 0.45, title, size, bold=True),
    ]
    return shapes + [Text(x + width / 2, y + 0.98 + 0.48 * k, line, 0.34) for k, line in enumerate(lines)]


def arrow(x: float, y: float, end: float) -> list[Shape]:
    """Down from y to the end."""
    return [
        Line(x, y, x, end - 0.2, GREY, 0.06),
        Polygon(((x - 0.16, end - 0.24), (x + 0.16, end - 0.24), (x, end)), GREY),
    ]


def scene() -> Scene:
    shapes: list[Shape] = []
    shapes += box(
        0.3, 0.3, WIDTH - 0.6, 1.4, colour(0), "cli, web", "options become a run; findings are printed and drawn"
    )
    shapes += arrow(WIDTH / 2, 1.7, 2.3)
    shapes += [Rect(0.3, 2.3, WIDTH - 0.6, 6.6, "#fbfaf5", "#1f2430", 0.04, 0.18)]
    shapes += [Text(WIDTH / 2, 2.8, "one package a family", 0.46, bold=True)]
    inside = ("verbs", "puzzle", "formats", "solving", "checking", "draw", "page", "tour", "kernels/")
    width = (WIDTH - 1.2) / len(families())
    for k, family in enumerate(families().values()):
        shapes += box(0.6 + k * width, 3.3, width - 0.2, 5.3, colour(k % 12), family.name, *inside)
    for x in (WIDTH / 4, 3 * WIDTH / 4):
        shapes += arrow(x, 8.9, 9.5)
    half = (WIDTH - 0.9) / 2
    shapes += box(
        0.3,
        9.5,
        half,
        2.4,
        colour(2),
        "verbs, runs",
        "what can be asked; Here, Job, Grid",
        "coordinator, engines,",
    )
    shapes += [Text(0.3 + half / 2, 9.5 + 1.94, "store, progress", 0.34)]
    shapes += box(0.6 + half, 9.5, half, 2.4, colour(5), "draw", "scenes as SVG, text, PDF, pages;", "knows no puzzle")
    shapes += arrow(WIDTH / 4, 11.9, 12.5)
    shapes += box(0.3, 12.5, half, 1.9, colour(4), "search", "cursor, tree and portfolio drivers,", "random numbers")
    shapes += box(0.6 + half, 12.5, half, 1.9, colour(7), "families, files, errors, extras", "what everyone may use")
    return Scene(WIDTH, 14.7, tuple(shapes), "The packages of tablero; imports go downwards only")


if __name__ == "__main__":
    path = Path(__file__).parent / "images" / "packages.svg"
    path.write_text(to_svg(scene(), 34), encoding="utf-8")
    print(path)
