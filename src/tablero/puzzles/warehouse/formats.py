"""Warehouses and their moves as text: an order of tiles in, a list that a machine could execute out.

An order names the tiles of the slots, one after another: numbers separated by blanks, commas or line ends.
A move list has a line a move: number, tile, row and column it leaves and goes to (from 1), the direction, and the reason.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

from tablero.errors import BadInput
from tablero.files import Source, is_there, name_of, plain_text, read_text
from tablero.puzzles.warehouse.generate import ORDERS
from tablero.puzzles.warehouse.puzzle import Layout, Warehouse, of_order
from tablero.puzzles.warehouse.solve import WORDS, Plan

COLUMNS = ("move", "tile", "from_row", "from_column", "to_row", "to_column", "direction", "reason")


def read(source: Source, layout: Layout) -> Warehouse:
    """An order from a file, an open one, or "-" for standard input."""
    return parse(read_text(source), layout, name_of(source))


def named(text: str, layout: Layout) -> Warehouse:
    """An order as people give it to a command: the tiles, or the name of a file ("-": standard input)."""
    if re.fullmatch(r"[0-9\s,;]+", text):
        return parse(text, layout)
    if text != "-" and not re.search(r"[./\\]", text) and not is_there(text):
        raise BadInput(f"the order {text!r}: expected {', '.join(ORDERS)}, a file, or the tiles")
    return read(text, layout)


def parse(text: str, layout: Layout, source: str = "the order") -> Warehouse:
    """A warehouse with the tiles of its slots as given."""
    words = re.split(r"[\s,;]+", plain_text(text, source).strip())
    for place, word in enumerate(words, 1):
        if not re.fullmatch(r"[0-9]{1,7}", word):
            raise BadInput(f"{source}, place {place}: {word[:40]!r}: expected a tile's number")
    return of_order(layout, [int(word) for word in words])


def directions(plan: Plan) -> str:
    """The moves' directions as a word of N, S, E and W."""
    columns = plan.puzzle.layout.columns
    letter = {-columns: "N", columns: "S", 1: "E", -1: "W"}
    return "".join(letter[target - source] for source, target in zip(plan.sources, plan.targets, strict=True))


def rows(plan: Plan) -> Iterator[tuple[Any, ...]]:
    """The moves as rows of `COLUMNS`."""
    columns = plan.puzzle.layout.columns
    steps = zip(plan.tiles, plan.sources, plan.targets, directions(plan), plan.reasons, strict=True)
    for number, (tile, source, target, direction, reason) in enumerate(steps, 1):
        leaves, goes = divmod(source, columns), divmod(target, columns)
        yield number, tile, leaves[0] + 1, leaves[1] + 1, goes[0] + 1, goes[1] + 1, direction, WORDS[reason][0]


def to_csv(plan: Plan) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows(plan))
    return out.getvalue()


def to_json(plan: Plan) -> str:
    layout = plan.puzzle.layout
    moves = [dict(zip(COLUMNS, row, strict=True)) for row in rows(plan)]
    values = {"rows": layout.rows, "columns": layout.columns, "side": layout.side, "moves": moves}
    return json.dumps(values, ensure_ascii=False) + "\n"
