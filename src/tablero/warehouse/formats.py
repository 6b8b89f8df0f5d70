"""Reads and writes warehouses as text, and writes their moves as lists.

An order has the tiles of the slots: numbers separated by blanks, commas or line ends.  A floor has one line for each row:
tiles as numbers, an empty cell as . · _ or 0, a wall as #, with or without a frame of walls.  The size of the blocks follows
from the floor.  Numbers that are not those from 1, or that repeat, must end in ascending order, row by row, unless a goal is
given: an order with a dot or 0 for a slot that must be empty.
A move list has one line for each move: number, tile, row and column before and after (from 1), direction, and reason.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from math import gcd
from typing import Any, cast

from tablero.errors import BadInput
from tablero.files import Source, is_there, name_of, plain_text, read_text
from tablero.text import several
from tablero.verbs.parameters import spell
from tablero.warehouse import direct
from tablero.warehouse.generating import generate, layout_of
from tablero.warehouse.plan import WAYS, WORDS, Plan, require_capacity
from tablero.warehouse.puzzle import LEAST_SIDE, MOST_CELLS, Layout, Warehouse, of_order
from tablero.warehouse.verbs import Arrangement, arrangements

COLUMNS = ("move", "tile", "from_row", "from_column", "to_row", "to_column", "direction", "reason")
_EMPTY = frozenset((".", "·", "_", "0"))
_PIECE = 1 << 14  # moves that are written together


def read(source: Source, *, side: int = 0, goal: Sequence[int] = ()) -> Warehouse:
    """Read a floor from a path, an open file, or "-" for standard input; see `parse`."""
    return parse(read_text(source), side=side, goal=goal, source=name_of(source))


def read_order(source: Source, layout: Layout, goal: Sequence[int] = ()) -> Warehouse:
    """Read an order from a path, an open file, or "-" for standard input; see `parse_order`."""
    return parse_order(read_text(source), layout, name_of(source), goal)


def parse_order(text: str, layout: Layout, source: str = "the order", goal: Sequence[int] = ()) -> Warehouse:
    """Parse an order.

    Parameters
    ----------
    text
        The tiles of the slots, separated by blanks, commas or line ends.
    layout
        The layout of the floor.
    source
        The name of the text in messages.
    goal
        The tile for each slot; without it, the tiles from 1 in order.

    Raises
    ------
    BadInput
        The text is no order for this layout.
    """
    return of_order(layout, numbers(text, source), goal)


def named(size: str, order: str = "", goal: str = "", *, side: int = 0, seed: int = 0) -> Warehouse:
    """A warehouse from arguments: the floor of a file, or a size and an arrangement."""
    wanted = goal_of(goal)
    if size == "-" or (not re.fullmatch(r"[0-9x×]+", size) and is_there(size)):
        if order:
            raise BadInput(f"{spell('order')} goes with a size: a floor already has its tiles")
        return read(size, side=side, goal=wanted)
    layout = layout_of(size, side)
    require_capacity(direct.expected(layout))  # before the tiles are shuffled
    if not order or order in arrangements():
        start = generate(size, cast(Arrangement, order or "random"), side=side, seed=seed)
        return replace(start, goal=tuple(wanted)) if wanted else start
    if re.fullmatch(r"[0-9\s,;]+", order):
        return parse_order(order, layout, goal=wanted)
    if order != "-" and not re.search(r"[./\\]", order) and not is_there(order):
        raise BadInput(f"the order {order!r}: expected {', '.join(arrangements())}, a file, or the tiles")
    return read_order(order, layout, wanted)


def numbers(text: str, source: str, empty: Collection[str] = ()) -> list[int]:
    """The tiles of an order or a goal; `empty` is the words for an empty slot."""
    words = re.split(r"[\s,;]+", plain_text(text, source).strip())
    for place, word in enumerate(words, 1):
        if not re.fullmatch(r"[0-9]{1,7}", word) and word not in empty:
            raise BadInput(f"{source}, place {place}: {word[:40]!r}: expected a tile's number")
    return [0 if word in empty else int(word) for word in words]


def goal_of(text: str) -> list[int]:
    """A goal from an argument: the tiles of the slots, or the name of a file."""
    if not text:
        return []
    if re.fullmatch(r"([0-9]|[.·_](?=[\s,;]|$)|[\s,;])+", text):
        return numbers(text, "the goal", empty=_EMPTY)
    return numbers(read_text(text), name_of(text), empty=_EMPTY)


def parse(text: str, *, side: int = 0, goal: Sequence[int] = (), source: str = "the floor") -> Warehouse:
    """Parse a floor.

    Parameters
    ----------
    text
        One line for each row: numbers, dots for empty cells, # for walls.
    side
        The side of a block; 0 to infer it.
    goal
        The tile for each slot; without it, the tiles in ascending order.
    source
        The name of the text in messages.

    Raises
    ------
    BadInput
        The text is no floor, or no layout fits it.
    """
    lines = [(k, line.split()) for k, line in enumerate(plain_text(text, source).splitlines(), 1)]
    rows = [(k, words) for k, words in lines if words]
    if not rows:
        raise BadInput(f"{source}: no floor in it: expected a line for each row, as '. 3 # 12 .'")
    width = len(rows[0][1])
    cells: list[int] = []
    for number, words in rows:
        if len(words) != width:
            raise BadInput(f"{source}, line {number}: {len(words)} cells: expected {width}, as in the first")
        for column, word in enumerate(words, 1):
            if word == "#":
                cells.append(-1)
            elif word in _EMPTY:
                cells.append(0)
            elif re.fullmatch(r"[0-9]{1,7}", word):
                cells.append(int(word))
            else:
                raise BadInput(f"{source}, line {number}, cell {column}: {word[:40]!r}: expected a number, a dot or #")
    height = len(rows)
    if len(cells) > MOST_CELLS:
        raise BadInput(f"{source}: a floor of {height}×{width}: expected at most {MOST_CELLS:,} cells")
    framed = [*cells[:width], *cells[-width:], *cells[::width], *cells[width - 1 :: width]]
    if height > 2 and width > 2 and all(cell == -1 for cell in framed):
        cells = [cell for r in range(1, height - 1) for cell in cells[r * width + 1 : (r + 1) * width - 1]]
        height, width = height - 2, width - 2
    layout = _layout_of(cells, height, width, side, source)
    tiles = sorted(cell for cell in cells if cell > 0)
    plain = not goal and tiles == list(range(1, len(tiles) + 1))
    missing = [0] * (len(layout.slots) - len(tiles))
    return Warehouse(layout, tuple(max(cell, 0) for cell in cells), () if plain else tuple(goal or tiles + missing))


def _layout_of(cells: list[int], rows: int, columns: int, side: int, source: str) -> Layout:
    """The layout of a floor: with a slot for every tile, if possible all tiles in slots, and few empty slots."""
    walls = tuple(k for k, cell in enumerate(cells) if cell < 0)
    tiles = sum(cell > 0 for cell in cells)
    step = gcd(rows - 1, columns - 1)
    sides = [s for s in range(LEAST_SIDE, step) if step % (s + 1) == 0 and side in (0, s)]
    fitting = []
    for s in sides:
        layout = Layout(s, (rows - 1) // (s + 1), (columns - 1) // (s + 1), walls)
        if 0 < tiles <= len(layout.slots):
            outside = sum(cells[cell] > 0 for cell in layout.corridors)
            empty = len(layout.slots) - tiles
            fitting.append(((empty > 0, outside > 0, empty), layout))
    if not fitting:
        of_side = f" of side {side}" if side else ""
        raise BadInput(
            f"{source}: {several(tiles, 'tile')} on {rows}×{columns} cells: expected a tile for every slot, or fewer, of "
            f"blocks{of_side} between corridors one cell wide"
        )
    return min(fitting, key=lambda found: found[0])[1]


def rows(plan: Plan) -> Iterator[tuple[Any, ...]]:
    """The moves as rows of `COLUMNS`."""
    columns = plan.puzzle.layout.columns
    for begin in range(0, len(plan), _PIECE):
        arrays = (plan.tiles, plan.sources, plan.targets, plan.ways, plan.reasons)
        steps = zip(*(array[begin : begin + _PIECE].tolist() for array in arrays), strict=True)
        for number, (tile, source, target, way, reason) in enumerate(steps, begin + 1):
            leaves, goes = divmod(source, columns), divmod(target, columns)
            yield number, tile, leaves[0] + 1, leaves[1] + 1, goes[0] + 1, goes[1] + 1, WAYS[way], WORDS[reason][0]


def csv_pieces(plan: Plan) -> Iterator[str]:
    """The move list as CSV, in pieces of some thousand moves."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows(plan):
        writer.writerow(row)
        if out.tell() > 1 << 20:
            yield out.getvalue()
            out.seek(0)
            out.truncate()
    yield out.getvalue()


def json_pieces(plan: Plan) -> Iterator[str]:
    """The move list as JSON, in pieces of one move."""
    layout = plan.puzzle.layout
    head = json.dumps({"rows": layout.rows, "columns": layout.columns, "side": layout.side})
    yield head[:-1] + ', "moves": ['
    for number, row in enumerate(rows(plan)):
        yield (", " if number else "") + json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False)
    yield "]}\n"


def move_list(plan: Plan, suffix: str = ".csv") -> Iterator[str]:
    """The moves of a plan as JSON or CSV, chosen by the suffix of a file, in pieces."""
    return json_pieces(plan) if suffix == ".json" else csv_pieces(plan)


def write(warehouse: Warehouse) -> str:
    """Write a floor as text that `parse` reads."""
    layout, walls = warehouse.layout, set(warehouse.layout.walls)
    words = ["#" if cell in walls else str(tile) if tile else "." for cell, tile in enumerate(warehouse.cells)]
    size = max(map(len, words))
    lines = [words[k : k + layout.columns] for k in range(0, len(words), layout.columns)]
    if set(lines[0] + lines[-1] + [line[0] for line in lines] + [line[-1] for line in lines]) == {"#"}:
        # A border of walls would be read as a frame: add a frame around it.
        lines = [["#"] * (layout.columns + 2), *(["#", *line, "#"] for line in lines), ["#"] * (layout.columns + 2)]
    return "".join(" ".join(word.rjust(size) for word in line) + "\n" for line in lines)
