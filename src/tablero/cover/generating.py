"""Generates well-known exact cover problems.

Cells of boards are named by row and column from 1, as r2c5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from tablero.cover.puzzle import ExactCover
from tablero.errors import BadInput
from tablero.verbs.parameters import spell

Cell = tuple[int, int]

# The twelve pentominoes by their usual letters, rows separated by slashes.
PENTOMINOES = {
    "F": ".##/##./.#.",
    "I": "#####",
    "L": "#.../####",
    "N": "##../.###",
    "P": "##./###",
    "T": "###/.#./.#.",
    "U": "#.#/###",
    "V": "#../#../###",
    "W": "#../##./.##",
    "X": ".#./###/.#.",
    "Y": ".#../####",
    "Z": "##./.#./.##",
}
# A puzzle of this project's own, the hardest for Algorithm X of some thousands that were made at random.
SUDOKU = "000000070001004500070000030090000001052400300000010000087000000600029400000058096"


def cell_name(cell: Cell) -> str:
    return f"r{cell[0] + 1}c{cell[1] + 1}"


def _orientations(picture: str) -> list[tuple[Cell, ...]]:
    """All distinct rotations and reflections of a piece, each moved to the corner."""
    cells = [(r, c) for r, row in enumerate(picture.split("/")) for c, mark in enumerate(row) if mark == "#"]
    found = set()
    for flip in (1, -1):
        turned = [(r, flip * c) for r, c in cells]
        for _ in range(4):
            turned = [(c, -r) for r, c in turned]
            top, left = min(r for r, _ in turned), min(c for _, c in turned)
            found.add(tuple(sorted((r - top, c - left) for r, c in turned)))
    return sorted(found)


def cells_of(rows: int, columns: int, holes: Iterable[Cell] = ()) -> list[Cell]:
    """The cells of a rectangle with holes."""
    if not (1 <= rows <= 1000 and 1 <= columns <= 1000):
        raise BadInput(f"a board of {rows}×{columns}: expected sides from 1 to 1000")
    out = set()
    for hole in holes:
        if not (0 <= hole[0] < rows and 0 <= hole[1] < columns):
            raise BadInput(f"the hole {cell_name(hole)} is not on a board of {rows}×{columns}")
        out.add(hole)
    return [(r, c) for r in range(rows) for c in range(columns) if (r, c) not in out]


def _placements(orientations: Iterable[tuple[Cell, ...]], board: list[Cell]) -> Iterator[list[str]]:
    free = set(board)
    for shape in orientations:
        for row, column in board:
            # The shape's first cell goes to this cell of the board.
            down, right = row - shape[0][0], column - shape[0][1]
            placed = [(r + down, c + right) for r, c in shape]
            if all(cell in free for cell in placed):
                yield [cell_name(cell) for cell in placed]


def pentominoes(rows: int, columns: int, holes: Iterable[Cell] = ()) -> ExactCover:
    """Fill a rectangle with holes with the twelve pentominoes, each once."""
    board = cells_of(rows, columns, holes)
    if len(board) != 60:
        raise BadInput(f"the twelve pentominoes have 60 cells, this board {len(board)}")
    return filled_with(list(PENTOMINOES), board)


def filled_with(letters: Sequence[str], board: list[Cell]) -> ExactCover:
    """Fill a board with these pentominoes, each once."""
    pieces = {letter: _orientations(PENTOMINOES[letter]) for letter in letters}
    options = [[letter, *cells] for letter in letters for cells in _placements(pieces[letter], board)]
    return ExactCover(options, primary=[*letters, *map(cell_name, board)])


def dominoes(rows: int, columns: int, holes: Iterable[Cell] = ()) -> ExactCover:
    """Fill a rectangle with holes with dominoes."""
    board = cells_of(rows, columns, holes)
    return ExactCover(_placements(_orientations("##"), board), primary=map(cell_name, board))


def langford(n: int) -> ExactCover:
    """Two each of 1..n in a row, with k numbers between the two k."""
    _size(n, 1, 1000)
    options = [[f"n{k}", f"p{i}", f"p{i + k + 1}"] for k in range(1, n + 1) for i in range(1, 2 * n - k)]
    return ExactCover(options, primary=[*(f"n{k}" for k in range(1, n + 1)), *(f"p{i}" for i in range(1, 2 * n + 1))])


def queens(n: int) -> ExactCover:
    """n queens: rows and columns exactly once, diagonals (by sum and difference) at most once."""
    _size(n, 1, 1000)
    # From the middle outwards: there a queen attacks most.
    order = sorted(range(1, n + 1), key=lambda k: abs(2 * k - n - 1))
    options = [[f"r{r}", f"c{c}", f"s{r + c}", f"d{r - c}"] for r in order for c in order]
    secondary = [*(f"s{k}" for k in range(2, 2 * n + 1)), *(f"d{k}" for k in range(1 - n, n))]
    return ExactCover(options, primary=[f"{side}{k}" for k in order for side in "rc"], secondary=secondary)


def sudoku(clues: str = SUDOKU) -> ExactCover:
    """A 9×9 Sudoku from 81 characters, 0 or . for an empty cell."""
    if len(clues) != 81 or any(mark not in "0.123456789" for mark in clues):
        raise BadInput(f"a Sudoku of {len(clues)} characters: expected 81 digits, 0 or . for an empty cell")
    options = []
    for k, mark in enumerate(clues):
        row, column = divmod(k, 9)
        box = row // 3 * 3 + column // 3
        for digit in range(1, 10):
            if mark in "0." or int(mark) == digit:
                spot = cell_name((row, column))
                options.append([spot, f"row{row + 1}d{digit}", f"column{column + 1}d{digit}", f"box{box + 1}d{digit}"])
    return ExactCover(options)


def one_factorisations(n: int) -> ExactCover:
    """The edges of the complete graph on n vertices, divided into perfect matchings."""
    _size(n, 2, 14)
    if n % 2:
        raise BadInput(f"a complete graph on {n} vertices has no perfect matching: expected an even number")

    def matchings(vertices: tuple[int, ...]) -> Iterator[list[str]]:
        if not vertices:
            yield []
            return
        first, *others = vertices
        for partner in others:
            rest = tuple(v for v in others if v != partner)
            for matching in matchings(rest):
                yield [f"{first}-{partner}", *matching]

    edges = [f"{u}-{v}" for u, v in combinations(range(n), 2)]
    return ExactCover(matchings(tuple(range(n))), primary=edges)


def steiner(n: int) -> ExactCover:
    """Steiner triple systems: every pair of n points in exactly one triple."""
    _size(n, 3, 300)
    pairs = [f"{u}-{v}" for u, v in combinations(range(n), 2)]
    triples = [[f"{a}-{b}", f"{a}-{c}", f"{b}-{c}"] for a, b, c in combinations(range(n), 3)]
    return ExactCover(triples, primary=pairs)


def _size(n: int, least: int, most: int) -> None:
    if not least <= n <= most:
        raise BadInput(f"the size {n}: expected {least} to {most}")


_MAKERS: dict[str, tuple[Callable[..., ExactCover], str]] = {  # with the usual size
    "pentominoes": (pentominoes, "6x10"),
    "dominoes": (dominoes, "8x8"),
    "langford": (langford, "8"),
    "queens": (queens, "8"),
    "one-factorisations": (one_factorisations, "8"),
    "steiner": (steiner, "9"),
    "sudoku": (sudoku, SUDOKU),
}


def generate(kind: str, size: str | int, *, holes: str) -> ExactCover:
    """A problem by its name and size: 6x10 for boards, a number for the others, 81 cells for sudoku.

    `holes` are cells to leave out of a board, as r4c4,r4c5.
    """
    make, usual = _MAKERS[kind]
    text = str(size) or usual
    if kind in ("pentominoes", "dominoes"):
        found = re.fullmatch(r"([0-9]{1,6})[x×]([0-9]{1,6})", text)
        if not found:
            raise BadInput(f"the board {text!r}: expected rows and columns as {usual}")
        problem = make(int(found[1]), int(found[2]), parse_cells(holes))
    elif holes:
        raise BadInput(f"{spell('holes')}: {kind} has no board")
    elif kind == "sudoku":
        problem = make(text)
    elif not re.fullmatch(r"[0-9]{1,9}", text):
        raise BadInput(f"the size {text!r}: expected a number as {usual}")
    else:
        problem = make(int(text))
    words = f"tablero cover make {kind} {size}".rstrip() + (f" --holes {holes}" if holes else "")
    return problem.with_comment(words)


def parse_cells(text: str) -> list[Cell]:
    """Cells as r4c4,r4c5."""
    cells = []
    for word in filter(None, text.split(",")):
        found = re.fullmatch(r"\s*r([0-9]{1,6})c([0-9]{1,6})\s*", word)
        if not found:
            raise BadInput(f"the cell {word!r}: expected row and column as r4c5")
        cells.append((int(found[1]) - 1, int(found[2]) - 1))
    return cells
