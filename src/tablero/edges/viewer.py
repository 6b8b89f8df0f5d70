"""The address of a board in the community's viewer, read and written.

    https://e2.bucas.name/#puzzle=NAME&board_w=16&board_h=16&board_edges=…&board_pieces=…

`board_edges` has four letters a cell, up, right, down, left, a for 0; `board_pieces`, which may be missing, three digits.
An empty cell is aaaa and 000.  What stands before the # does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import parse_qs, quote

import numpy as np
from numpy.typing import NDArray

from tablero.edges.board import Board
from tablero.edges.puzzle import EdgePuzzle
from tablero.errors import BadInput

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Address(NamedTuple):
    """What an address says: the colours that every cell shows, and the pieces from 0 (−1: empty), where it has them."""

    board: Board
    shown: NDArray[np.int32]
    numbers: list[int] | None
    name: str


def is_address(text: str) -> bool:
    return "board_edges=" in text


def read_address(text: str, source: str) -> Address:
    """The parts of an address."""
    query = parse_qs(text.partition("#")[2] or text, keep_blank_values=True)

    def number(key: str) -> int:
        value = query.get(key, [""])[0]
        if not re.fullmatch(r"[0-9]{1,4}", value) or int(value) == 0:
            shown = value[:40].encode("unicode_escape").decode()  # one line, whatever it is
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


def address(puzzle: EdgePuzzle, laying: Sequence[int], name: str = "tablero", viewer: str = "") -> str:
    """The board in the community's viewer; with the viewer's own address before it, it can be clicked."""
    if puzzle.board.shape != "square":
        raise BadInput(f"the viewer shows squares, not {puzzle.board.shape}s")
    if puzzle.colours > len(_LETTERS) or puzzle.board.cells > 999:
        raise BadInput(f"the viewer's address has room for {len(_LETTERS)} colours and 999 pieces")
    shown = puzzle.shown(np.asarray(laying, np.int32))
    edges = "".join(_LETTERS[max(colour, 0)] for colour in shown.ravel().tolist())
    pieces = "".join(f"{variant // 4 + 1:03d}" if variant >= 0 else "000" for variant in laying)
    size = f"board_w={puzzle.board.columns}&board_h={puzzle.board.rows}"
    return f"{viewer}#puzzle={quote(name, safe='')}&{size}&board_edges={edges}&board_pieces={pieces}"


def laying_at(puzzle: EdgePuzzle, text: str, source: str) -> NDArray[np.int32]:
    """The laying of a puzzle's pieces that an address shows; empty cells may be in it."""
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
