"""Mosaics in the terminal: walls from box-drawing characters, and colours where there are any."""

from __future__ import annotations

from tablero.draw.scene import Mosaic, colour

_CELL = 3  # characters a cell
# A corner by the walls that meet there: 1 up, 2 right, 4 down, 8 left.
_CORNERS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"


def to_text(mosaic: Mosaic, *, colours: bool = False) -> str:
    """The mosaic as lines of text."""
    lines = []
    for row in range(mosaic.rows + 1):
        lines.append(_wall_line(mosaic, row))
        if row < mosaic.rows:
            lines.append(_cell_line(mosaic, row, colours))
    return "\n".join(line.rstrip() for line in lines)


def _across(mosaic: Mosaic, row: int, column: int) -> bool:
    """Is there a wall above this cell?"""
    return mosaic.region(row - 1, column) != mosaic.region(row, column)


def _down(mosaic: Mosaic, row: int, column: int) -> bool:
    """Is there a wall left of this cell?"""
    return mosaic.region(row, column - 1) != mosaic.region(row, column)


def _wall_line(mosaic: Mosaic, row: int) -> str:
    out = []
    for column in range(mosaic.columns + 1):
        walls = (
            1 * _down(mosaic, row - 1, column)
            + 2 * _across(mosaic, row, column)
            + 4 * _down(mosaic, row, column)
            + 8 * _across(mosaic, row, column - 1)
        )
        out.append(_CORNERS[walls])
        if column < mosaic.columns:
            out.append(("─" if _across(mosaic, row, column) else " ") * _CELL)
    return "".join(out)


def _cell_line(mosaic: Mosaic, row: int, colours: bool) -> str:
    out = []
    for column in range(mosaic.columns + 1):
        out.append("│" if _down(mosaic, row, column) else " ")
        if column < mosaic.columns:
            text = mosaic.label(row, column)[:_CELL].center(_CELL)
            region = mosaic.region(row, column)
            if colours and region is not None:
                red, green, blue = (int(colour(region)[k : k + 2], 16) for k in (1, 3, 5))
                text = f"\x1b[30;48;2;{red};{green};{blue}m{text}\x1b[0m"
            out.append(text)
    return "".join(out)
