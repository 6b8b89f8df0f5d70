"""Edge-matching puzzles and boards as people write them, read and written.

    pieces    a line a piece, its colours clockwise from the top (e2pieces.txt); a first line may give size and colours.
              Lines of words say the rest: `size 8x8`, `shape hexagon`, `border none`, `turning none`, `clue r9c8 139 2`,
              `turns once` (of boards that are turns of each other only one is a solution)
    csv       the same with commas, perhaps with a line of names and a column of piece numbers; the border may be 1
              With names of columns, or where they show by themselves: `number` gives pieces their numbers, `position` says
              on which cell each lies, counted row by row from 1: then there is a board in the file as well
    viewer    the community's address: see `layings`

Boards are read and written in `layings`.
The order of the sides and the number of the border are as said, or detected and noted in the puzzle's `origin`; what does
not fit is refused.  A mirrored order cannot be detected: it is a puzzle as good, with its solutions mirrored.
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
    """Read a puzzle from a file of any of the formats, an open one, or "-" for standard input.

    `size` is the board as 6x9, `sides` the order of a square's sides as trbl, and `border` the number of the border colour
    or none, where the file does not say.  `clues` are more clues than the file has, as r2c3,6,1.  A viewer's address may
    stand in place of a file.  The puzzle's `origin` says how the file was read, and has the boards that came with it.
    """
    if isinstance(source, str) and is_address(source):
        return parse(source, "the address", size=size, sides=sides, border=border, clues=clues)
    text = read_text(source, MOST_BYTES)
    return parse(text, name_of(source), size=size, sides=sides, border=border, clues=clues)


def parse(
    text: str, source: str = "text", *, size: str = "", sides: str = "", border: str = "", clues: Sequence[str] = ()
) -> EdgePuzzle:
    """Read a puzzle; which format it is shows in the text."""
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
    """The puzzle that is written in a text of several lines, or else that of a file or of an address."""
    ask = parse if "\n" in text.strip() else read
    return ask(text, size=size, sides=sides, border=border, clues=clues)


def with_boards(puzzle: EdgePuzzle, board: str) -> EdgePuzzle:
    """The puzzle with the boards of a file, an address or a text."""
    return puzzle.with_boards(read_layings(puzzle, board))


def require_boards(puzzle: EdgePuzzle | None) -> None:
    """Refuse a puzzle without a board where one is to be written; one that is yet to be made has one."""
    if puzzle is not None and not puzzle.boards:
        raise BadInput(f"{puzzle.origin.name or 'the puzzle'}: there is no board in it to keep")


def pair(text: str) -> tuple[int, int]:
    """Two numbers of colours, as 5,17."""
    found = re.fullmatch(r"\s*([0-9]{1,5})\s*,\s*([0-9]{1,5})\s*", text)
    if not found:
        raise BadValue("framed", text, "the colours along the frame and inside, as 5,17")
    return int(found[1]), int(found[2])


def _clue(board: Board, text: str, where: str = "") -> Clue:
    """Cell, piece and turn, as r2c3,6,1 or as r2c3 6 1."""
    found = re.fullmatch(r"(r[0-9]+c[0-9]+) ([0-9]{1,6}) ([0-9]{1,2})", " ".join(text.replace(",", " ").split()))
    if not found:
        raise BadInput(f"{where}the clue {text!r}: expected cell, piece and turn as r2c3,6,1")
    return Clue(board.cell(found[1]), int(found[2]) - 1, int(found[3]))


# Pieces and CSV


def _parse_pieces(text: str, source: str, given_size: str, order: str, given_border: str) -> EdgePuzzle:
    said: dict[str, str] = {}
    clues: list[tuple[int, str]] = []
    rows: list[tuple[int, list[int]]] = []
    names: list[str] = []  # of columns
    for place, line in enumerate(text.splitlines(), 1):
        words = line.split("#")[0].replace(",", " ").replace(";", " ").split()
        if not words:
            continue
        if words[0] in ("size", "shape", "border", "turning", "turns"):
            if len(words) != 2 or words[0] in said:
                raise BadInput(f"{source}:{place}: {line.strip()!r}: expected one word after {words[0]}, once")
            said[words[0]] = words[1]
        elif words[0] == "clue":
            clues.append((place, " ".join(words[1:])))
        elif not rows and all(re.fullmatch(r"[A-Za-z_]+", word) for word in words):
            names = [word.lower() for word in words]
        else:
            rows.append((place, [_colour(word, f"{source}:{place}") for word in words]))
    if not rows:
        raise BadInput(f"{source}: no pieces; expected a line a piece, its colours from the top clockwise")
    size, rows = _head(rows, said, source)
    rows, positions, left_out = _without_numbers(rows, names, said, source)
    sides = len(rows[-1][1])
    shape = said.get("shape", {3: "triangle", 6: "hexagon"}.get(sides, "square"))
    if shape not in SIDES:
        raise BadInput(unknown(f"{source}: the shape", shape, SIDES))
    for place, row in rows:
        if len(row) != SIDES[shape]:
            raise BadInput(f"{source}:{place}: {len(row)} numbers: expected {SIDES[shape]}, a colour a side")
    pieces = _ordered([row for _, row in rows], order, shape)
    pieces, border, border_words = _with_border(pieces, given_border or said.get("border", ""), shape, source)
    for rule, other in (("turning", "none"), ("turns", "once")):
        if said.get(rule, "all") not in ("all", other):
            raise BadInput(f"{source}: {rule} {said[rule]!r}: expected all or {other}")
    size = given_size or said.get("size", size)
    board = Board.parse(size, shape) if size else Board.of_cells(len(pieces), shape)
    try:
        given = [_clue(board, text, f"{source}:{place}: ") for place, text in clues]
        puzzle = EdgePuzzle(
            pieces,
            board,
            border=border,
            turning=said.get("turning") != "none",
            clues=given,
            once=said.get("turns") == "once",
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
    rows: list[tuple[int, list[int]]], said: dict[str, str], source: str
) -> tuple[str, list[tuple[int, list[int]]]]:
    """A first line of two or three numbers before lines of four: rows, columns, perhaps colours."""
    first = rows[0][1]
    if "size" in said or len(rows) < 2 or len(rows[1][1]) not in (4, 5) or len(first) not in (2, 3):
        return "", rows
    if first[0] * first[1] != len(rows) - 1:
        raise BadInput(f"{source}:{rows[0][0]}: a board of {first[0]}×{first[1]}, but {len(rows) - 1} pieces follow")
    return f"{first[0]}x{first[1]}", rows[1:]


def _without_numbers(
    rows: list[tuple[int, list[int]]], names: list[str], said: dict[str, str], source: str
) -> tuple[list[tuple[int, list[int]]], list[int], str]:
    """Take columns of numbers and positions out: the pieces by their numbers, the cell of each, and what is to be said.

    Which columns these are the names say; without names, a first column with every number from 1 (or 0) on once counts
    pieces, and two such columns are position and number.
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
            elif wide == 6 and all(counting) and "shape" not in said:
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
    """Whether every number from 1, or from 0, on is there once."""
    return sorted(column) in (list(range(len(column))), list(range(1, len(column) + 1)))


def _ordered(pieces: list[list[int]], order: str, shape: str) -> list[list[int]]:
    """Bring sides that are written in another order into ours: top, right, bottom, left."""
    if not order:
        return pieces
    if shape != "square" or sorted(order) != sorted("trbl"):
        raise BadInput(f"the order {order!r}: expected the letters t, r, b, l of a square's sides, as trbl")
    return [[row[order.index(side)] for side in "trbl"] for row in pieces]


def _with_border(pieces: list[list[int]], wanted: str, shape: str, source: str) -> tuple[list[list[int]], bool, str]:
    """Number the border 0, or leave the colours alone where there is none; and say which."""
    if wanted == "none":
        return pieces, False, "no border"
    if wanted and not re.fullmatch(r"[0-9]{1,9}", wanted):
        raise BadInput(f"{source}: the border {wanted!r}: expected its number, or none")
    colours = {colour for row in pieces for colour in row}
    number = int(wanted) if wanted else min(colours)
    if number not in colours:
        raise BadInput(f"{source}: no piece has the border colour {number}")
    if not wanted and number > 1:
        raise BadInput(f"{source}: colours from {number} on: say which is the border, or that there is none")
    if number and 0 in colours:
        raise BadInput(f"{source}: the border is {number}, but there is a colour 0 as well")
    if shape == "square":
        opposite = [row for row in pieces if row.count(number) == 2 and (row[0] == row[2] or row[1] == row[3])]
        if opposite and not any(row.count(number) > 2 for row in pieces):  # only in one row of pieces that is right
            raise BadInput(
                f"{source}: the border is on opposite sides of {len(opposite)} pieces: say the order of the sides, as tblr"
            )
    # The border becomes 0; where colours were counted from it, the others move along.
    down = number if number == min(colours) else 0
    renumbered = [[0 if c == number else c - down for c in row] for row in pieces]
    return renumbered, True, f"border {number}"


def write(puzzle: EdgePuzzle, comment: str | None = None, *, style: str = "pieces", border: int = 0) -> str:
    """The puzzle as text: its pieces with what they need to be read again, or CSV.

    The comment at its head is that of the puzzle's origin unless another is given.
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
        raise BadInput(f"an address shows a board: say with {spell('board')} where it is")
    else:
        text = "".join(address(puzzle, laying.tolist(), name, viewer) + "\n" for laying in puzzle.boards)
    return Document(text, {**puzzle.facts, "format": to}, notes=puzzle.reading, puzzle=puzzle)


# The viewer's address


def _parse_address(text: str, source: str, given_border: str) -> EdgePuzzle:
    """A board in the community's viewer: its pieces are those on the board, and it is their laying."""
    found = read_address(text, source)
    board, shown, numbers = found.board, found.shown, found.numbers
    empty = [cell for cell in range(board.cells) if not shown[cell].any()]
    if empty:
        raise BadInput(f"{source}: the cell {board.name(empty[0])} is empty (aaaa): a puzzle needs all its pieces")
    if numbers is None:
        numbers = list(range(board.cells))  # without numbers pieces are numbered as they lie
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
