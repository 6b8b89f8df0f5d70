"""Read and write edge-matching puzzles.

    pieces    one piece a line, its colours clockwise from the top (e2pieces.txt); a first line can give size and colours.
              Other lines are `size 8x8`, `shape hexagon`, `border none`, `turning none`, `clue r9c8 139 2`, and
              `turns once` (of boards that are turns of each other, only one is a solution)
    csv       pieces separated by commas, with an optional line of column names.  A column `number` has the numbers of the
              pieces.  A column `position` has the cell of each piece, counted row by row from 1: the file then contains a
              board as well.  Without names these columns are detected
    viewer    an address of the community's viewer (see `layings`)

`layings` reads and writes boards.

The order of the sides and the border colour are given as options, or detected and noted in the puzzle's `origin`.  A
mirrored order of sides cannot be detected; the puzzle then has the mirrored solutions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import numpy as np

from tablero.edges.board import SIDES, Board
from tablero.edges.layings import address, is_address, read_address, read_layings
from tablero.edges.puzzle import Clue, EdgePuzzle, Origin
from tablero.errors import BadInput
from tablero.files import Source, name_of, plain_text, read_text
from tablero.text import several, unknown
from tablero.verbs.document import Document
from tablero.verbs.parameters import BadValue, spell

MOST_BYTES = 1 << 24
_POSITION = ("position", "pos", "place", "cell")  # names of columns
_NUMBER = ("number", "piece", "no", "id", "tile")
_NAMES = {
    "square": "top right bottom left",
    "triangle": "clockwise from the right, on its head from the left",
    "hexagon": "clockwise from the upper right",
}


def read(source: Source, *, size: str = "", sides: str = "", border: str = "", clues: Sequence[str] = ()) -> EdgePuzzle:
    """Read a puzzle from a file in any of the formats.

    Parameters
    ----------
    source
        The path of a file, an open file, "-" for standard input, or a viewer's address.
    size
        The board as 8 or 6x9, if the file does not give it.
    sides
        The order of a square's sides in the file, as trbl.
    border
        The number of the border colour in the file, or "none".
    clues
        Additional clues, each as r2c3,6,1: cell, piece and turn.

    Returns
    -------
    EdgePuzzle
        The puzzle.  Its `origin` says how the file was read and has the boards that the file contains.

    Raises
    ------
    BadInput
        If the file cannot be read as a puzzle.
    """
    if isinstance(source, str) and is_address(source):
        return parse(source, "the address", size=size, sides=sides, border=border, clues=clues)
    text = read_text(source, MOST_BYTES)
    return parse(text, name_of(source), size=size, sides=sides, border=border, clues=clues)


def parse(
    text: str, source: str = "text", *, size: str = "", sides: str = "", border: str = "", clues: Sequence[str] = ()
) -> EdgePuzzle:
    """Read a puzzle from a text; the format is detected, and the options are those of `read`.

    Examples
    --------
    >>> from tablero import edges
    >>> edges.parse("1 2 3 4", border="none").facts["pieces"]
    1
    """
    text = plain_text(text, source)
    if is_address(text):
        found = _parse_address(text.strip(), source, border)
    else:
        found = _parse_pieces(text, source, size, sides, border)
    comment = "\n".join(line.lstrip("# ").rstrip() for line in takewhile(_is_comment, text.splitlines()))
    found = replace(found, origin=found.origin._replace(comment=comment))
    more = [_clue(found.board, clue) for clue in clues]
    return replace(found, clues=(*found.clues, *more)) if more else found


def _is_comment(line: str) -> bool:
    return line.startswith("#") and not is_address(line)


def named(text: str, *, size: str = "", sides: str = "", border: str = "", clues: Sequence[str] = ()) -> EdgePuzzle:
    """Read a puzzle from a text of several lines; a single line is the path of a file or an address."""
    reader = parse if "\n" in text.strip() else read
    return reader(text, size=size, sides=sides, border=border, clues=clues)


def with_boards(puzzle: EdgePuzzle, board: str) -> EdgePuzzle:
    """Add the boards of a file, an address or a text to a puzzle."""
    return puzzle.with_boards(read_layings(puzzle, board))


def require_boards(puzzle: EdgePuzzle | None) -> None:
    """Refuse to write the board of a puzzle without one; None is a puzzle that is still to be generated."""
    if puzzle is not None and not puzzle.boards:
        raise BadInput(f"{puzzle.origin.name or 'the puzzle'}: there is no board to write")


def pair(text: str) -> tuple[int, int]:
    """Read two numbers of colours, as 5,17."""
    found = re.fullmatch(r"\s*([0-9]{1,5})\s*,\s*([0-9]{1,5})\s*", text)
    if not found:
        raise BadValue("framed", text, "the colours along the frame and inside, as 5,17")
    return int(found[1]), int(found[2])


def _clue(board: Board, text: str, where: str = "") -> Clue:
    """Read a clue, as r2c3,6,1 or r2c3 6 1: cell, piece and turn."""
    found = re.fullmatch(r"(r[0-9]+c[0-9]+) ([0-9]{1,6}) ([0-9]{1,2})", " ".join(text.replace(",", " ").split()))
    if not found:
        raise BadInput(f"{where}the clue {text!r}: expected cell, piece and turn as r2c3,6,1")
    return Clue(board.cell(found[1]), int(found[2]) - 1, int(found[3]))


# Pieces and CSV


def _parse_pieces(text: str, source: str, given_size: str, order: str, given_border: str) -> EdgePuzzle:
    given: dict[str, str] = {}
    clues: list[tuple[int, str]] = []
    rows: list[tuple[int, list[int]]] = []
    names: list[str] = []  # of columns
    for place, line in enumerate(text.splitlines(), 1):
        words = line.split("#")[0].replace(",", " ").replace(";", " ").split()
        if not words:
            continue
        if words[0] in ("size", "shape", "border", "turning", "turns"):
            if len(words) != 2 or words[0] in given:
                raise BadInput(f"{source}:{place}: {line.strip()!r}: expected one word after {words[0]}, once")
            given[words[0]] = words[1]
        elif words[0] == "clue":
            clues.append((place, " ".join(words[1:])))
        elif not rows and all(re.fullmatch(r"[A-Za-z_]+", word) for word in words):
            names = [word.lower() for word in words]
        else:
            rows.append((place, [_colour(word, f"{source}:{place}") for word in words]))
    if not rows:
        raise BadInput(f"{source}: no pieces; expected a line a piece, its colours from the top clockwise")
    size, rows = _head(rows, given, source)
    rows, positions, left_out = _without_numbers(rows, names, given, source)
    sides = len(rows[-1][1])
    shape = given.get("shape", {3: "triangle", 6: "hexagon"}.get(sides, "square"))
    if shape not in SIDES:
        raise BadInput(unknown(f"{source}: the shape", shape, SIDES))
    for place, row in rows:
        if len(row) != SIDES[shape]:
            raise BadInput(f"{source}:{place}: {len(row)} numbers: expected {SIDES[shape]}, a colour a side")
    pieces = _ordered([row for _, row in rows], order, shape)
    pieces, border, border_words = _with_border(pieces, given_border or given.get("border", ""), shape, source)
    for rule, other in (("turning", "none"), ("turns", "once")):
        if given.get(rule, "all") not in ("all", other):
            raise BadInput(f"{source}: {rule} {given[rule]!r}: expected all or {other}")
    size = given_size or given.get("size", size)
    board = Board.parse(size, shape) if size else Board.of_cells(len(pieces), shape)
    try:
        fixed = [_clue(board, text, f"{source}:{place}: ") for place, text in clues]
        puzzle = EdgePuzzle(
            pieces,
            board,
            border=border,
            turning=given.get("turning") != "none",
            clues=fixed,
            once=given.get("turns") == "once",
        )
    except BadInput as error:
        raise BadInput(str(error) if str(error).startswith(source) else f"{source}: {error}") from None
    remark = (
        f"{several(len(pieces), shape)}, sides {order or _NAMES[shape]}, {border_words}, board {board.size}{left_out}"
    )
    laying = np.full(board.cells, -1, np.int32)
    for piece, cell in enumerate(positions):
        laying[cell] = puzzle.least(piece * puzzle.sides)
    return replace(puzzle, origin=Origin(Path(source).name, remark, boards=(laying,) if positions else ()))


def _colour(word: str, where: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", word):
        raise BadInput(f"{where}: {word!r}: expected a colour as a number from 0")
    return int(word)


def _head(
    rows: list[tuple[int, list[int]]], given: dict[str, str], source: str
) -> tuple[str, list[tuple[int, list[int]]]]:
    """Split off a first line with rows, columns and optionally colours, before lines of four numbers."""
    first = rows[0][1]
    if "size" in given or len(rows) < 2 or len(rows[1][1]) not in (4, 5) or len(first) not in (2, 3):
        return "", rows
    if first[0] * first[1] != len(rows) - 1:
        raise BadInput(f"{source}:{rows[0][0]}: a board of {first[0]}×{first[1]}, but {len(rows) - 1} pieces follow")
    return f"{first[0]}x{first[1]}", rows[1:]


def _without_numbers(
    rows: list[tuple[int, list[int]]], names: list[str], given: dict[str, str], source: str
) -> tuple[list[tuple[int, list[int]]], list[int], str]:
    """Remove the columns of numbers and positions; return the pieces in order, the cell of each, and a remark.

    The names of the columns decide.  Without names, a first column with each number from 1 (or 0) once has the numbers of
    the pieces, and two such columns have positions and numbers.
    """
    wide = len(rows[-1][1])
    place_at = next((k for k, name in enumerate(names) if name in _POSITION), -1)
    number_at = next((k for k, name in enumerate(names) if name in _NUMBER), -1)
    if len(names) != wide or place_at == number_at:
        place_at = number_at = -1
        if len(rows) > 1 and all(len(row) == wide for _, row in rows):
            counting = [_counts([row[k] for _, row in rows]) for k in range(min(2, wide))]
            if wide == 5 and counting[0]:
                number_at = 0
            elif wide == 6 and all(counting) and "shape" not in given:
                place_at, number_at = 0, 1
    extra = {k for k in (place_at, number_at) if k >= 0}
    if not extra:
        return rows, [], ""
    for place, row in rows:
        if len(row) != wide:
            raise BadInput(f"{source}:{place}: {len(row)} numbers: expected {wide}, as in the other lines")
    found = {}
    for k, what in ((place_at, "positions"), (number_at, "numbers of pieces")):
        column = [row[k] for _, row in rows] if k >= 0 else list(range(len(rows)))
        if not _counts(column):
            raise BadInput(f"{source}: the {what}: expected every number from 1 to {len(rows)} once")
        found[what] = [number - min(column) for number in column]
    order = sorted(range(len(rows)), key=lambda k: found["numbers of pieces"][k])
    kept = [(rows[k][0], [n for at, n in enumerate(rows[k][1]) if at not in extra]) for k in order]
    positions = [found["positions"][k] for k in order] if place_at >= 0 else []
    taken = " and ".join(["positions"] * (place_at >= 0) + ["numbers of pieces"] * (number_at >= 0))
    return kept, positions, f", {taken} taken out" if positions else ", numbers of pieces left out"


def _counts(column: list[int]) -> bool:
    """Whether a column has each number from 1, or each number from 0, once."""
    return sorted(column) in (list(range(len(column))), list(range(1, len(column) + 1)))


def _ordered(pieces: list[list[int]], order: str, shape: str) -> list[list[int]]:
    """Reorder the sides to top, right, bottom, left."""
    if not order:
        return pieces
    if shape != "square" or sorted(order) != sorted("trbl"):
        raise BadInput(f"the order {order!r}: expected the letters t, r, b, l of a square's sides, as trbl")
    return [[row[order.index(side)] for side in "trbl"] for row in pieces]


def _with_border(pieces: list[list[int]], wanted: str, shape: str, source: str) -> tuple[list[list[int]], bool, str]:
    """Renumber the border colour to 0; return the pieces, whether there is a border, and a remark."""
    if wanted == "none":
        return pieces, False, "no border"
    if wanted and not re.fullmatch(r"[0-9]{1,9}", wanted):
        raise BadInput(f"{source}: the border {wanted!r}: expected its number, or none")
    colours = {colour for row in pieces for colour in row}
    number = int(wanted) if wanted else min(colours)
    if number not in colours:
        raise BadInput(f"{source}: no piece has the border colour {number}")
    if not wanted and number > 1:
        raise BadInput(f"{source}: colours from {number} on: give the number of the border, or none")
    if number and 0 in colours:
        raise BadInput(f"{source}: the border is {number}, but there is a colour 0 as well")
    if shape == "square":
        opposite = [row for row in pieces if row.count(number) == 2 and (row[0] == row[2] or row[1] == row[3])]
        if opposite and not any(row.count(number) > 2 for row in pieces):  # only a board of one row has such pieces
            raise BadInput(
                f"{source}: the border is on opposite sides of {len(opposite)} pieces: give the order of the sides, as tblr"
            )
    # If the border is the lowest colour, the other colours are shifted by the same amount.
    down = number if number == min(colours) else 0
    renumbered = [[0 if c == number else c - down for c in row] for row in pieces]
    return renumbered, True, f"border {number}"


def write(puzzle: EdgePuzzle, comment: str | None = None, *, style: str = "pieces", border: int = 0) -> str:
    """The puzzle as text.

    Parameters
    ----------
    puzzle
        The puzzle.
    comment
        The comment at the head of the text; by default that of the puzzle's origin.
    style
        "pieces", or "csv" for a puzzle without clues and with the usual rules.
    border
        The number of the border colour in the text: 0 or 1.

    Returns
    -------
    str
        A text from which `parse` makes an equal puzzle.
    """
    if style not in ("pieces", "csv"):
        raise BadInput(f"the format {style!r}: expected pieces or csv")
    if border not in (0, 1) or (border and not puzzle.border):
        raise BadInput(f"the border as {border}: expected 0 or 1, for a puzzle with a border")
    rows = (puzzle.pieces + border).tolist()
    if style == "csv":
        if puzzle.clues or not puzzle.border or not puzzle.turning or puzzle.once:
            raise BadInput("CSV holds no clues and no rules: expected the format pieces")
        if puzzle.sides == 4:
            rows = [["piece", "top", "right", "bottom", "left"], *([k, *row] for k, row in enumerate(rows, 1))]
        return "".join(",".join(map(str, row)) + "\n" for row in rows)
    out = [f"# {line}" for line in (puzzle.origin.comment if comment is None else comment).splitlines()]
    out += [f"size {puzzle.board.size}"]
    out += [f"shape {puzzle.board.shape}"] if puzzle.board.shape != "square" else []
    out += [] if puzzle.border else ["border none"]
    out += [] if puzzle.turning else ["turning none"]
    out += ["turns once"] if puzzle.once else []
    out += [f"clue {puzzle.board.name(clue.cell)} {clue.piece + 1} {clue.turn}" for clue in puzzle.clues]
    return "\n".join([*out, *(" ".join(map(str, row)) for row in rows)]) + "\n"


def converted(puzzle: EdgePuzzle, to: str, *, name: str, viewer: str, border: int) -> Document:
    """The puzzle in another format, or the address of each of its boards."""
    if to != "viewer":
        text = write(puzzle, "", style=to, border=border)
    elif not puzzle.boards:
        raise BadInput(f"an address shows a board: give one with {spell('board')}")
    else:
        text = "".join(address(puzzle, laying.tolist(), name, viewer) + "\n" for laying in puzzle.boards)
    return Document(text, {**puzzle.facts, "format": to}, notes=puzzle.reading, puzzle=puzzle)


# The viewer's address


def _parse_address(text: str, source: str, given_border: str) -> EdgePuzzle:
    """Make a puzzle from the pieces on the board of an address; the board comes with the puzzle."""
    found = read_address(text, source)
    board, shown, numbers = found.board, found.shown, found.numbers
    empty = [cell for cell in range(board.cells) if not shown[cell].any()]
    if empty:
        raise BadInput(f"{source}: the cell {board.name(empty[0])} is empty (aaaa): a puzzle needs all its pieces")
    if numbers is None:
        numbers = list(range(board.cells))  # without numbers, pieces are numbered by their cells
    elif sorted(numbers) != list(range(board.cells)):
        raise BadInput(f"{source}: board_pieces: expected every piece from 001 to {board.cells:03d} once")
    border = given_border != "none" and bool((shown == 0).any())
    pieces = np.zeros_like(shown)
    pieces[numbers] = shown
    try:
        puzzle = EdgePuzzle(pieces.tolist(), board, border=border)
    except BadInput as error:
        raise BadInput(f"{source}: {error}") from None
    laying = np.array([puzzle.least(4 * k) for k in numbers], np.int32)
    kind = "border a" if border else "no border"
    remark = f"viewer, {board.size}, sides {_NAMES['square']}, {kind}"
    return replace(puzzle, origin=Origin(Path(source).name, remark, found.name, boards=(laying,)))
