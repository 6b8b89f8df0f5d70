"""Edge-matching puzzles and boards as people write them, read and written.

    pieces    a line a piece, its colours clockwise from the top (e2pieces.txt); a first line may give size and colours.
              Lines of words say the rest: `size 8x8`, `shape hexagon`, `border none`, `turning none`, `clue r9c8 139 2`
    csv       the same with commas, perhaps with a line of names and a column of piece numbers; the border may be 1
    viewer    the community's address: …#puzzle=NAME&board_w=16&board_h=16&board_edges=…&board_pieces=…
    board     a laying: piece/turn for every cell, pieces from 1, as `12/1 3/0`; also JSON, [[12, 1], [3, 0]]

The order of the sides and the number of the border are as said, or detected and told in `remark`; what does not fit is
refused.  A mirrored order cannot be detected: it is a puzzle as good, with its solutions mirrored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qs, quote

import numpy as np
from numpy.typing import NDArray

from tablero.errors import BadInput
from tablero.files import Source, name_of, plain_text, read_text
from tablero.puzzles.edges.board import SIDES, Board
from tablero.puzzles.edges.encode import laying_of
from tablero.puzzles.edges.puzzle import EdgePuzzle

FORMATS = ("pieces", "csv", "viewer")
MOST_BYTES = 1 << 24
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NAMES = {"square": "top right bottom left", "triangle": "clockwise", "hexagon": "clockwise from the upper right"}


@dataclass(frozen=True)
class Document:
    """What was read: a puzzle, the laying where there was one, and how it was understood."""

    puzzle: EdgePuzzle
    laying: NDArray[np.int32] | None = None
    name: str = ""
    remark: str = ""


def read(source: Source, *, size: str = "", sides: str = "", border: str = "") -> EdgePuzzle:
    """Read a puzzle from a file of any of the formats, an open one, or "-" for standard input.

    `size` is the board as 6x9, `sides` the order of a square's sides as trbl, and `border` the number of the border colour
    or none, where the file does not say.
    """
    return read_document(source, size=size, sides=sides, border=border).puzzle


def parse(text: str, source: str = "text", *, size: str = "", sides: str = "", border: str = "") -> EdgePuzzle:
    """Read a puzzle; which format it is shows in the text."""
    return parse_document(text, source, size=size, sides=sides, border=border).puzzle


def read_document(source: Source, *, size: str = "", sides: str = "", border: str = "") -> Document:
    """Read all that a file has: the puzzle, the board of an address, and how it was understood."""
    return parse_document(read_text(source, MOST_BYTES), name_of(source), size=size, sides=sides, border=border)


def parse_document(text: str, source: str = "text", *, size: str = "", sides: str = "", border: str = "") -> Document:
    """The same of a text."""
    text = plain_text(text, source)
    if "board_edges=" in text:
        return _parse_address(text.strip(), source, border)
    return _parse_pieces(text, source, size, sides, border)


# Pieces and CSV


def _parse_pieces(text: str, source: str, given_size: str, order: str, given_border: str) -> Document:
    said: dict[str, str] = {}
    clues: list[tuple[int, str]] = []
    rows: list[tuple[int, list[int]]] = []
    for place, line in enumerate(text.splitlines(), 1):
        words = line.split("#")[0].replace(",", " ").replace(";", " ").split()
        if not words:
            continue
        if words[0] in ("size", "shape", "border", "turning"):
            if len(words) != 2 or words[0] in said:
                raise BadInput(f"{source}:{place}: {line.strip()!r}: expected one word after {words[0]}, once")
            said[words[0]] = words[1]
        elif words[0] == "clue":
            clues.append((place, " ".join(words[1:])))
        elif not rows and all(re.fullmatch(r"[A-Za-z_]+", word) for word in words):
            continue  # names of columns
        else:
            rows.append((place, [_colour(word, f"{source}:{place}") for word in words]))
    if not rows:
        raise BadInput(f"{source}: no pieces; expected a line a piece, its colours from the top clockwise")
    size, rows = _head(rows, said, source)
    rows, numbered = _without_numbers(rows)
    sides = len(rows[-1][1])
    shape = said.get("shape", {3: "triangle", 6: "hexagon"}.get(sides, "square"))
    if shape not in SIDES:
        raise BadInput(f"{source}: the shape {shape!r}: expected one of {', '.join(SIDES)}")
    for place, row in rows:
        if len(row) != SIDES[shape]:
            raise BadInput(f"{source}:{place}: {len(row)} numbers: expected {SIDES[shape]}, a colour a side")
    pieces = _ordered([row for _, row in rows], order, shape)
    pieces, border, told = _with_border(pieces, given_border or said.get("border", ""), shape, source)
    turning = said.get("turning", "all")
    if turning not in ("all", "none"):
        raise BadInput(f"{source}: turning {turning!r}: expected all or none")
    size = given_size or said.get("size", size)
    board = Board.parse(size, shape) if size else Board.of_cells(len(pieces), shape)
    try:
        given = [_clue(board, text, f"{source}:{place}") for place, text in clues]
        puzzle = EdgePuzzle(pieces, board, border=border, turning=turning == "all", clues=given)
    except BadInput as error:
        raise BadInput(str(error) if str(error).startswith(source) else f"{source}: {error}") from None
    remark = f"{len(pieces)} {shape}s, sides {order or _NAMES[shape]}, {told}, board {board.size}"
    return Document(puzzle, None, "", remark + (", numbers of pieces left out" if numbered else ""))


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


def _without_numbers(rows: list[tuple[int, list[int]]]) -> tuple[list[tuple[int, list[int]]], bool]:
    """Drop a first column that only counts: 1, 2, 3, … or from 0."""
    if len(rows) < 2 or any(len(row) != 5 for _, row in rows):
        return rows, False
    column = [row[0] for _, row in rows]
    if column not in (list(range(1, len(rows) + 1)), list(range(len(rows)))):
        return rows, False
    return [(place, row[1:]) for place, row in rows], True


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


def _clue(board: Board, text: str, where: str) -> tuple[int, int, int]:
    found = re.fullmatch(r"(\S+) ([0-9]{1,6}) ([0-9]{1,2})", text)
    if not found:
        raise BadInput(f"{where}: the clue {text!r}: expected cell, piece and turn as r9c8 139 2")
    return board.cell(found[1]), int(found[2]) - 1, int(found[3])


def write(puzzle: EdgePuzzle, comment: str = "", *, style: str = "pieces", border: int = 0) -> str:
    """The puzzle as text: its pieces with what they need to be read again, or CSV."""
    if style not in ("pieces", "csv"):
        raise BadInput(f"the format {style!r}: expected pieces or csv")
    if border not in (0, 1) or (border and not puzzle.border):
        raise BadInput(f"the border as {border}: expected 0 or 1, for a puzzle with a border")
    rows = (puzzle.pieces + border).tolist()
    if style == "csv":
        names = ["top", "right", "bottom", "left"] if puzzle.sides == 4 else [f"s{k}" for k in range(puzzle.sides)]
        if puzzle.clues or not puzzle.border or not puzzle.turning:
            raise BadInput("CSV holds no clues and no rules: expected the format pieces")
        lines = [",".join(["piece", *names]) if puzzle.sides == 4 else "", *(
            ",".join(map(str, [k, *row] if puzzle.sides == 4 else row)) for k, row in enumerate(rows, 1)
        )]  # fmt: skip
        return "\n".join(filter(None, lines)) + "\n"
    out = [f"# {line}" for line in comment.splitlines()]
    out += [f"size {puzzle.board.size}"]
    out += [f"shape {puzzle.board.shape}"] if puzzle.board.shape != "square" else []
    out += [] if puzzle.border else ["border none"]
    out += [] if puzzle.turning else ["turning none"]
    out += [f"clue {puzzle.board.name(clue.cell)} {clue.piece + 1} {clue.turn}" for clue in puzzle.clues]
    return "\n".join([*out, *(" ".join(map(str, row)) for row in rows)]) + "\n"


# The viewer's address


def _parse_address(text: str, source: str, given_border: str) -> Document:
    """A board in the community's viewer: its pieces are those on the board, and it is their laying."""
    query = parse_qs(text.partition("#")[2] or text, keep_blank_values=True)

    def number(key: str) -> int:
        value = query.get(key, [""])[0]
        if not re.fullmatch(r"[0-9]{1,4}", value) or int(value) == 0:
            shown = value[:40].encode("unicode_escape").decode()
            raise BadInput(f"{source}: {key}={shown}: expected a number from 1")
        return int(value)

    board = Board(number("board_h"), number("board_w"))
    edges = query.get("board_edges", [""])[0]
    if len(edges) != 4 * board.cells:
        raise BadInput(f"{source}: board_edges has {len(edges)} letters: expected {4 * board.cells}, four a cell")
    if wrong := re.search(r"[^a-z]", edges):
        raise BadInput(f"{source}: board_edges has {wrong[0]!r} at letter {wrong.start() + 1}: expected a to z")
    shown = np.array([_LETTERS.index(letter) for letter in edges], np.int32).reshape(-1, 4)
    numbers = _piece_numbers(query.get("board_pieces", [""])[0], board, source)
    empty = [cell for cell in range(board.cells) if not shown[cell].any()]
    if empty:
        raise BadInput(f"{source}: the cell {board.name(empty[0])} is empty (aaaa): a puzzle needs all its pieces")
    border = given_border != "none" and bool((shown == 0).any())
    pieces = np.zeros_like(shown)
    pieces[numbers] = shown
    try:
        puzzle = EdgePuzzle(pieces.tolist(), board, border=border)
    except BadInput as error:
        raise BadInput(f"{source}: {error}") from None
    laying = np.array([puzzle.least(4 * int(k)) for k in numbers], np.int32)
    kind = "border a" if border else "no border"
    return Document(
        puzzle, laying, query.get("puzzle", [""])[0], f"viewer, {board.size}, sides {_NAMES['square']}, {kind}"
    )


def _piece_numbers(text: str, board: Board, source: str) -> NDArray[np.int64]:
    """The piece of every cell, from 0; without numbers pieces are numbered as they lie."""
    if not text:
        return np.arange(board.cells)
    if not re.fullmatch(r"[0-9]+", text) or len(text) != 3 * board.cells:
        raise BadInput(f"{source}: board_pieces has {len(text)} signs: expected {3 * board.cells} digits, three a cell")
    numbers = np.array([int(text[k : k + 3]) for k in range(0, len(text), 3)]) - 1
    if sorted(numbers.tolist()) != list(range(board.cells)):
        raise BadInput(f"{source}: board_pieces: expected every piece from 001 to {board.cells:03d} once")
    return numbers


def address(puzzle: EdgePuzzle, laying: Sequence[int], name: str = "tablero") -> str:
    """The board in the community's viewer.  Empty cells are written aaaa and 000."""
    if puzzle.board.shape != "square":
        raise BadInput(f"the viewer shows squares, not {puzzle.board.shape}s")
    if puzzle.colours > len(_LETTERS) or puzzle.board.cells > 999:
        raise BadInput(f"the viewer's address has room for {len(_LETTERS)} colours and 999 pieces")
    shown = puzzle.shown(np.asarray(laying, np.int32))
    edges = "".join(_LETTERS[max(colour, 0)] for colour in shown.ravel().tolist())
    pieces = "".join(f"{variant // 4 + 1:03d}" if variant >= 0 else "000" for variant in laying)
    size = f"board_w={puzzle.board.columns}&board_h={puzzle.board.rows}"
    return f"#puzzle={quote(name, safe='')}&{size}&board_edges={edges}&board_pieces={pieces}"


# Layings


def write_laying(puzzle: EdgePuzzle, laying: Sequence[int]) -> str:
    """A line a row of the board: piece/turn, pieces from 1."""
    words = [f"{v // puzzle.sides + 1}/{v % puzzle.sides}" if v >= 0 else "-" for v in laying]
    width = max(map(len, words))
    lines: dict[int, list[str]] = {}
    for (row, _), word in zip(puzzle.board.places, words, strict=True):
        lines.setdefault(row, []).append(word.rjust(width))
    return "\n".join(" ".join(line) for line in lines.values()) + "\n"


def read_laying(puzzle: EdgePuzzle, source: Source) -> NDArray[np.int32]:
    """Read a board from a file, an open one, or "-" for standard input: see `parse_laying`."""
    return parse_laying(puzzle, read_text(source, MOST_BYTES), name_of(source))


def parse_laying(puzzle: EdgePuzzle, text: str, source: str = "board") -> NDArray[np.int32]:
    """Read a board.

    It is what `write_laying` wrote; or JSON, a list of [piece, turn] or an object whose first answer is one; or a cover of
    one of the encodings, an option a line, as `tablero cover solve` prints it.
    """
    if re.match(r"\s*p[0-9]+\s", text):
        try:
            return laying_of(puzzle, [line.split() for line in text.splitlines() if line.strip()])
        except BadInput as error:
            raise BadInput(f"{source}: {error}") from None
    if text.lstrip().startswith(("{", "[")):
        pairs = _pairs(text, source)
    else:
        pairs = []
        for place, line in enumerate(text.splitlines(), 1):
            for word in line.split("#")[0].split():
                found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,2})|-", word)
                if not found:
                    raise BadInput(f"{source}:{place}: {word!r}: expected piece/turn as 12/1, or - for an empty cell")
                pairs.append((int(found[1]), int(found[2])) if found[1] else (0, 0))
    if len(pairs) != puzzle.board.cells:
        raise BadInput(f"{source}: {len(pairs)} cells: expected {puzzle.board.cells}")
    seen: set[int] = set()
    out = []
    for cell, (piece, turn) in enumerate(pairs):
        where = f"{source}: {puzzle.board.name(cell)}"
        if piece == 0:
            out.append(-1)
            continue
        if not 1 <= piece <= len(puzzle.pieces) or not 0 <= turn < puzzle.sides:
            raise BadInput(
                f"{where}: {piece}/{turn}: expected pieces to {len(puzzle.pieces)}, turns to {puzzle.sides - 1}"
            )
        if piece in seen:
            raise BadInput(f"{where}: piece {piece} lies there and elsewhere")
        seen.add(piece)
        out.append((piece - 1) * puzzle.sides + turn)
    return np.array(out, np.int32)


def _pairs(text: str, source: str) -> list[tuple[int, int]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise BadInput(f"{source}: no JSON: {error}") from None
    if isinstance(value, dict):
        answers = value.get("answers")
        value = answers[0] if isinstance(answers, list) and answers else None
    if not isinstance(value, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(type(n) is int for n in pair) for pair in value
    ):
        raise BadInput(f"{source}: expected a list of [piece, turn], cell by cell")
    return [(pair[0], pair[1]) for pair in value]
