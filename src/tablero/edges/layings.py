"""Read and write boards of edge-matching puzzles.

    text      piece/turn for each cell, pieces from 1, as `12/1 3/0`; `-` for an empty cell; # begins a comment
    JSON      [[12, 1], [3, 0]], a list of such boards, or an object with such boards as `answers`, as --json prints it
    cover     a cover of one of the encodings, one option a line, as `tablero cover solve` prints it; or its --json
    address   of the community's viewer: https://e2.bucas.name/#puzzle=NAME&board_w=16&board_h=16&board_edges=…&board_pieces=…
              `board_edges` has four letters a cell: top, right, bottom, left, with a for 0.  The optional `board_pieces` has
              three digits a cell.  An empty cell is aaaa and 000.  The part before # is ignored

A file can contain several boards: texts and covers one after another, addresses on separate lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qs, quote

import numpy as np
from numpy.typing import NDArray

from tablero.edges.board import Board
from tablero.errors import BadInput
from tablero.files import Source, name_of, read_text

if TYPE_CHECKING:
    from tablero.edges.puzzle import EdgePuzzle

MOST_BYTES = 1 << 26
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

Laying = NDArray[np.int32]
Pair = tuple[int, int]


def lines_of(board: Board, words: Sequence[str]) -> list[str]:
    """Arrange a word for each cell in lines, one for each row of the board."""
    width = max(map(len, words))
    lines: dict[int, list[str]] = {}
    for (row, _), word in zip(board.places, words, strict=True):
        lines.setdefault(row, []).append(word.rjust(width))
    return [" ".join(line) for line in lines.values()]


def write_laying(puzzle: EdgePuzzle, laying: Sequence[int]) -> str:
    """A board as text: piece/turn for each cell, pieces from 1, one line for each row."""
    words = [f"{v // puzzle.sides + 1}/{v % puzzle.sides}" if v >= 0 else "-" for v in laying]
    return "\n".join(lines_of(puzzle.board, words)) + "\n"


def write_layings(puzzle: EdgePuzzle) -> str:
    """The boards that came with a puzzle, as text."""
    return "\n".join(write_laying(puzzle, laying.tolist()) for laying in puzzle.boards)


def read_layings(puzzle: EdgePuzzle, source: Source) -> list[Laying]:
    """Read boards from a file, an open file, "-" for standard input, an address, or a text."""
    if isinstance(source, str) and is_address(source):
        return parse_layings(puzzle, source, "the address")
    if isinstance(source, str) and ("\n" in source.strip() or source.lstrip().startswith(("[", "{"))):
        return parse_layings(puzzle, source, "the board")
    return parse_layings(puzzle, read_text(source, MOST_BYTES), name_of(source))


def parse_layings(puzzle: EdgePuzzle, text: str, source: str = "board") -> list[Laying]:
    """Read boards from a text; there is at least one."""
    if is_address(text):
        return [laying_at(puzzle, line, source) for line in text.split() if is_address(line)]
    if text.lstrip().startswith(("{", "[")):
        return _of_json(puzzle, text, source)
    if re.match(r"\s*(cover [0-9]+\s+)?p[0-9]+\s", text):
        return _of_covers(puzzle, _covers(text), source)
    pairs: list[Pair] = []
    for place, line in enumerate(text.splitlines(), 1):
        for word in line.split("#")[0].split():
            found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,2})|-", word)
            if not found:
                raise BadInput(f"{source}:{place}: {word!r}: expected piece/turn as 12/1, or - for an empty cell")
            pairs.append((int(found[1]), int(found[2])) if found[1] else (0, 0))
    cells = puzzle.board.cells
    if not pairs or len(pairs) % cells:
        raise BadInput(f"{source}: {len(pairs)} cells: expected {cells}, or a multiple of it for several boards")
    boards = [pairs[k : k + cells] for k in range(0, len(pairs), cells)]
    return [_laying(puzzle, board, _named(source, k, boards)) for k, board in enumerate(boards, 1)]


def _named(source: str, k: int, boards: Sequence[object]) -> str:
    return source if len(boards) == 1 else f"{source}: board {k}"


def _covers(text: str) -> list[list[list[str]]]:
    """Split a text into covers: each begins with a line as `cover 2`, or there is only one."""
    covers: list[list[list[str]]] = []
    for line in text.splitlines():
        words = line.split()
        if re.fullmatch(r"\s*cover [0-9]+\s*", line):
            covers.append([])
        elif words:
            if not covers:
                covers.append([])
            covers[-1].append(words)
    return covers


def _of_covers(puzzle: EdgePuzzle, covers: list[list[list[str]]], source: str) -> list[Laying]:
    from tablero.edges.encoding import layings_of  # with it comes Numba

    try:
        return layings_of(puzzle, covers)
    except BadInput as error:
        raise BadInput(f"{source}: {error}") from None


def _of_json(puzzle: EdgePuzzle, text: str, source: str) -> list[Laying]:
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise BadInput(f"{source}: no JSON: {error}") from None
    if isinstance(value, dict):
        value = value.get("answers")
        if value == []:
            raise BadInput(f"{source}: it contains no answer")
    elif _is_board(value):
        value = [value]
    if isinstance(value, list) and value and all(map(_is_cover, value)):
        return _of_covers(puzzle, value, source)
    if not isinstance(value, list) or not value or not all(map(_is_board, value)):
        raise BadInput(
            f"{source}: expected a list of [piece, turn], cell by cell, or answers of such lists or of covers"
        )
    boards = [[(pair[0], pair[1]) for pair in board] for board in value]
    return [_laying(puzzle, board, _named(source, k, boards)) for k, board in enumerate(boards, 1)]


def _is_board(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(type(n) is int for n in pair) for pair in value
    )


def _is_cover(value: Any) -> bool:
    options = value if isinstance(value, list) else []
    return bool(options) and all(
        isinstance(option, list) and option and all(isinstance(word, str) for word in option) for option in options
    )


def _laying(puzzle: EdgePuzzle, pairs: Sequence[Pair], source: str) -> Laying:
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
            raise BadInput(f"{where}: piece {piece} is in two cells")
        seen.add(piece)
        out.append((piece - 1) * puzzle.sides + turn)
    return np.array(out, np.int32)


# The viewer's address


class Address(NamedTuple):
    """The parts of an address: the colours of each cell, and if given, its piece from 0 (−1 for an empty cell)."""

    board: Board
    shown: NDArray[np.int32]
    numbers: list[int] | None
    name: str


def is_address(text: str) -> bool:
    return "board_edges=" in text


def read_address(text: str, source: str) -> Address:
    """Read an address."""
    query = parse_qs(text.partition("#")[2] or text, keep_blank_values=True)

    def number(key: str) -> int:
        value = query.get(key, [""])[0]
        if not re.fullmatch(r"[0-9]{1,4}", value) or int(value) == 0:
            shown = value[:40].encode("unicode_escape").decode()  # always one line
            raise BadInput(f"{source}: {key}={shown}: expected a number from 1")
        return int(value)

    board = Board(number("board_h"), number("board_w"))
    edges = query.get("board_edges", [""])[0]
    if len(edges) != 4 * board.cells:
        raise BadInput(f"{source}: board_edges has {len(edges)} letters: expected {4 * board.cells}, four a cell")
    if wrong := re.search(r"[^a-z]", edges):
        raise BadInput(f"{source}: board_edges has {wrong[0]!r} at letter {wrong.start() + 1}: expected a to z")
    shown = np.array([_LETTERS.index(letter) for letter in edges], np.int32).reshape(-1, 4)
    digits = query.get("board_pieces", [""])[0]
    if digits and (not re.fullmatch(r"[0-9]+", digits) or len(digits) != 3 * board.cells):
        raise BadInput(
            f"{source}: board_pieces has {len(digits)} signs: expected {3 * board.cells} digits, three a cell"
        )
    numbers = [int(digits[k : k + 3]) - 1 for k in range(0, len(digits), 3)] if digits else None
    return Address(board, shown, numbers, query.get("puzzle", [""])[0])


def has_address(puzzle: EdgePuzzle) -> bool:
    """Whether boards of a puzzle have an address in the viewer."""
    return puzzle.board.shape == "square" and puzzle.colours <= len(_LETTERS) and puzzle.board.cells <= 999


def address(puzzle: EdgePuzzle, laying: Sequence[int], name: str = "tablero", viewer: str = "") -> str:
    """The address of a board in the community's viewer; `viewer` is the part before #, which makes it a link."""
    if puzzle.board.shape != "square":
        raise BadInput(f"the viewer shows squares, not {puzzle.board.shape}s")
    if not has_address(puzzle):
        raise BadInput(f"the viewer's address has room for {len(_LETTERS)} colours and 999 pieces")
    shown = puzzle.shown(np.asarray(laying, np.int32))
    edges = "".join(_LETTERS[max(colour, 0)] for colour in shown.ravel().tolist())
    pieces = "".join(f"{variant // 4 + 1:03d}" if variant >= 0 else "000" for variant in laying)
    size = f"board_w={puzzle.board.columns}&board_h={puzzle.board.rows}"
    return f"{viewer}#puzzle={quote(name, safe='')}&{size}&board_edges={edges}&board_pieces={pieces}"


def laying_at(puzzle: EdgePuzzle, text: str, source: str) -> Laying:
    """The laying of a puzzle's pieces that an address shows; cells can be empty."""
    found = read_address(text, source)
    if found.board != puzzle.board:
        raise BadInput(f"{source}: a board of {found.board.size}: expected {puzzle.board.size}, as the puzzle has")
    looks: dict[tuple[int, ...], list[int]] = {}
    for variant in puzzle.variants.tolist():
        looks.setdefault(tuple(puzzle.turned[variant].tolist()), []).append(variant)
    laying = np.full(puzzle.board.cells, -1, np.int32)
    used: set[int] = set()
    for cell, row in enumerate(found.shown.tolist()):
        number = -1 if found.numbers is None else found.numbers[cell]
        if not any(row) and number < 0:
            continue
        fitting = [v for v in looks.get(tuple(row), []) if v // 4 not in used and number in (-1, v // 4)]
        if not fitting:
            what = "no piece that is left" if number < 0 else f"not piece {number + 1}, or it lies elsewhere"
            raise BadInput(f"{source}: {puzzle.board.name(cell)} shows {' '.join(map(str, row))}: {what}")
        laying[cell] = fitting[0]
        used.add(fitting[0] // 4)
    return laying
