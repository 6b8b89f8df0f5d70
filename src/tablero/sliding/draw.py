"""A board as a picture, as a page that plays its solution, and as lines of text that move."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from tablero.draw.pages import Moves, move_page
from tablero.draw.scene import Rect, Scene, Shape, Text
from tablero.errors import BadInput
from tablero.sliding.formats import picture
from tablero.sliding.puzzle import Board, Boards
from tablero.sliding.rules import RULES, runs
from tablero.sliding.solution import Solution
from tablero.words import several

MOST_CELLS = 10_000
MOST_PAGE = 3_000_000  # moves
_BED, _EDGE = "#ece9df", "#cfcabb"


def _tint(goal_cell: int, rows: int, columns: int, home: bool) -> tuple[str, str]:
    """Fill and ink of a tile by its place in the goal, so that order shows as a sweep of colours; pale while away."""
    import colorsys

    row, column = divmod(goal_cell, columns)
    hue = (205 - 185 * row / max(1, rows - 1)) / 360
    light = (46 + 12 * column / max(1, columns - 1)) / 100 if home else 0.88
    red, green, blue = colorsys.hls_to_rgb(hue, light, 0.52 if home else 0.45)
    fill = f"#{round(255 * red):02x}{round(255 * green):02x}{round(255 * blue):02x}"
    return fill, "#ffffff" if home else "#39414f"


def can_draw(board: Board) -> bool:
    """Whether a picture of the board is not too large."""
    return len(board.tiles) <= MOST_CELLS


def require_drawable(puzzle: Board | Boards) -> None:
    """Refuse several boards, and a board that is too large."""
    if isinstance(puzzle, Boards):
        puzzle.require_one("a picture")
    elif not can_draw(puzzle):
        raise BadInput(
            f"a board of {puzzle.rows}×{puzzle.columns} is too large to draw: expected at most {MOST_CELLS:,} cells"
        )


def scene(board: Board, title: str = "") -> Scene:
    """The board: tiles in place in full colour, the others pale."""
    rows, columns = board.rows, board.columns
    require_drawable(board)
    margin = 0.2
    place = {tile: cell for cell, tile in enumerate(board.goal)}
    size = min(0.46, 1.25 / (len(str(len(board.tiles) - 1)) + 0.6))
    shapes: list[Shape] = [Rect(0, 0, columns + 2 * margin, rows + 2 * margin, _BED, _EDGE, 0.04, 0.25)]
    for cell, tile in enumerate(board.tiles):
        if tile == 0:
            continue
        x, y = cell % columns + margin, cell // columns + margin
        fill, ink = _tint(place[tile], rows, columns, place[tile] == cell)
        shapes.append(Rect(x + 0.04, y + 0.04, 0.92, 0.92, fill, round=0.12))
        shapes.append(Text(x + 0.5, y + 0.52, str(tile), size, ink, bold=True))
    return Scene(columns + 2 * margin, rows + 2 * margin, tuple(shapes), title or f"a board of {rows}×{columns}")


def player(solution: Solution) -> str:
    """A page that steps and plays through the moves, with the rule of each in words."""
    board = solution.puzzle
    if not can_draw(board) or len(solution) > MOST_PAGE:
        raise BadInput(
            f"{len(solution):,} moves on {board.rows}×{board.columns} are too many for a page: "
            f"at most {MOST_PAGE:,} on {MOST_CELLS:,} cells"
        )
    notes = list(runs(solution.rules)) if solution.rules is not None else [(0, len(solution))]
    remarks = {rule: RULES[rule] for rule in dict.fromkeys(rule for rule, _ in notes)}
    if 0 in remarks:
        kind = "a shortest answer: every move was found by search" if solution.optimal else "pieces were searched again"
        remarks[0] = (solution.method, kind)
    proof = "a shortest answer" if solution.optimal else solution.needed
    moves = Moves(
        title=f"{board.rows}×{board.columns} by {solution.method}",
        rows=board.rows,
        columns=board.columns,
        cells=board.tiles,
        goal=board.goal,
        directions=solution.moves,
        notes=notes,
        remarks=remarks,
        summary=f"{several(len(solution), 'move')}; {proof}.",
    )
    return move_page(moves)


def animate(solution: Solution, seconds: float = 10.0, out: TextIO | None = None) -> None:
    """Play the moves in the terminal in about so many seconds, at most 25 pictures each."""
    stream = out or sys.stderr
    board, moves = solution.puzzle, solution.moves
    frames = max(1, min(len(moves), int(25 * seconds)))
    tiles, hole, columns = list(board.tiles), board.blank, board.columns
    step = {"N": -columns, "S": columns, "E": 1, "W": -1}
    notes = [] if solution.rules is None else solution.rules.tolist()
    stream.write("\x1b[?25l")
    try:
        done = 0
        for frame in range(frames + 1):
            upto = len(moves) * frame // frames
            while done < upto:
                there = hole + step[moves[done]]
                tiles[hole], tiles[there], hole = tiles[there], 0, there
                done += 1
            if frame:
                stream.write(f"\x1b[{board.rows + 1}A")
            rule = f"  {RULES[notes[done - 1]][0]}" if notes and done else ""
            now = picture(Board(board.rows, board.columns, tuple(tiles), board.goal))
            stream.write(f"{now}\n\x1b[K{done:,} of {several(len(moves), 'move')}{rule}\n")
            stream.flush()
            if frame < frames:
                time.sleep(min(0.25, seconds / frames))
    finally:
        stream.write("\x1b[?25h")
        stream.flush()
