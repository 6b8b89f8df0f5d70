"""Exact cover problems: items, options, and what a cover is.

item      something to be covered: a primary item exactly once, a secondary item at most once
option    a set of items that are covered together
colour    an option may give a secondary item a colour; options that agree on it may share the item
weight    what choosing an option costs, where the cheapest cover is wanted
need      how often a primary item is to be covered, where that is not once: its multiplicity
cover     options that together cover every primary item exactly once, or as often as it needs; none is chosen twice
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tablero.cover import formats, verbs
from tablero.cover.draw import board, has_cells
from tablero.cover.kernels.search import Options
from tablero.draw.svg import to_svg
from tablero.errors import BadInput, need
from tablero.text import several
from tablero.verbs.parameters import shown

Item = Hashable
MOST_ITEMS = 10_000_000
MOST_ENTRIES = 1 << 31
MOST_NEEDED = 1_000_000


@dataclass(frozen=True, eq=False)
class ExactCover:
    """An exact cover problem.

    `options` are sequences of items, or mappings from item to colour (None for no colour).  `primary` fixes the order
    of the primary items; without it they are the items met in the options that are not secondary.
    """

    items: tuple[Item, ...]
    primary: int
    table: Options
    colours: tuple[Hashable, ...] = ()  # colour number k is colours[k − 1]
    weights: NDArray[np.int64] | None = None
    need: NDArray[np.int64] | None = None  # of each primary item; None where all are needed once
    comment: str = ""  # that is written at the head of a file

    def __init__(
        self,
        options: Iterable[Sequence[Item] | Mapping[Item, Hashable]],
        *,
        primary: Iterable[Item] | None = None,
        secondary: Iterable[Item] = (),
        weights: Iterable[int] | None = None,
        need: Mapping[Item, int] | None = None,
    ) -> None:
        rows = [dict(row) if isinstance(row, Mapping) else _plain(row, k) for k, row in enumerate(options, 1)]
        late = list(secondary)
        others = set(late)
        met = dict.fromkeys(
            name for row in rows for name in row if name not in others
        )  # in the order of their first use
        early = list(met if primary is None else primary)
        names = [*early, *late]
        number = {name: k for k, name in enumerate(names)}
        if len(number) < len(names):
            raise BadInput(f"item {_twice(names)!r} is declared twice")
        colours: dict[Hashable, int] = {}
        start, item, colour = [0], [], []
        for k, row in enumerate(rows, 1):
            for name, hue in row.items():
                if name not in number:
                    raise BadInput(f"option {k} has the item {name!r}, which is not declared")
                if hue is not None and number[name] < len(early):
                    raise BadInput(f"option {k} colours {name!r}: only secondary items have colours")
                item.append(number[name])
                colour.append(0 if hue is None else colours.setdefault(hue, len(colours) + 1))
            start.append(len(item))
        if unknown := [name for name in need or () if name not in set(early)]:
            raise BadInput(f"the item {unknown[0]!r} has a multiplicity, but is no primary item")
        arrays = np.array(start, np.int64), np.array(item, np.int32), np.array(colour, np.int32)
        needs = [(need or {}).get(name, 1) for name in early]
        self._set(tuple(names), Options(*arrays, len(names), len(early)), tuple(colours), weights, needs)

    @classmethod
    def of_arrays(
        cls,
        items: Sequence[Item],
        primary: int,
        start: NDArray[np.int64],
        item: NDArray[np.int32],
        colour: NDArray[np.int32] | None = None,
        *,
        colours: tuple[Hashable, ...] = (),
        weights: Iterable[int] | None = None,
        need: Iterable[int] | None = None,
    ) -> ExactCover:
        """Make a problem from arrays: option k has the items ``item[start[k]:start[k+1]]``."""
        self = cls.__new__(cls)
        colour = np.zeros(len(item), np.int32) if colour is None else colour
        self._set(tuple(items), Options(start, item, colour, len(items), primary), colours, weights, need)
        return self

    def _set(
        self,
        items: tuple[Item, ...],
        table: Options,
        colours: tuple[Hashable, ...],
        weights: Iterable[int] | None,
        need: Iterable[int] | None,
    ) -> None:
        given = None if weights is None else _whole(weights, table.rows)
        if table.primary == 0:
            raise BadInput("there is no primary item: nothing would have to be covered")
        if len(items) > MOST_ITEMS or len(table.item) >= MOST_ENTRIES:
            raise BadInput(f"{len(items):,} items and {len(table.item):,} entries are more than fit in memory")
        need = _needed(need, items, table, bool(colours))
        fields = {
            "items": items,
            "primary": table.primary,
            "table": table,
            "colours": colours,
            "weights": given,
            "need": need,
        }
        self.__dict__.update(fields)

    def with_comment(self, comment: str) -> ExactCover:
        """Return the same problem with a comment."""
        other = copy(self)
        other.__dict__["comment"] = comment
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExactCover):
            return NotImplemented
        names = (self.items, self.primary, self.colours) == (other.items, other.primary, other.colours)
        arrays = ((*one.table[:3], one.weights, one.need) for one in (self, other))
        return names and all(map(np.array_equal, *arrays))

    def __hash__(self) -> int:
        # The beginning will do: problems may be large, and only those that are equal must have the same.
        return hash((len(self.items), self.primary, len(self), self.table.item[:100].tobytes()))

    def __len__(self) -> int:
        """The number of options."""
        return self.table.rows

    @cached_property
    def number(self) -> dict[Item, int]:
        """The number of each item."""
        return {name: k for k, name in enumerate(self.items)}

    @property
    def is_multiple(self) -> bool:
        """Whether an item must be covered more than once."""
        return self.need is not None

    @property
    def facts(self) -> dict[str, int]:
        """The size of the problem."""
        return {"items": len(self.items), "primary": self.primary, "options": len(self)}

    def option(self, k: int) -> dict[Item, Hashable]:
        """Option k, from 0: its items in the given order, each with its colour or None."""
        first, end = self.table.start[k : k + 2]
        return {
            self.items[i]: self.colours[c - 1] if c else None
            for i, c in zip(self.table.item[first:end].tolist(), self.table.colour[first:end].tolist(), strict=True)
        }

    def written(self, k: int) -> list[str]:
        """Option k as words of Knuth's format: items with their colours, as x:red."""
        return [str(item) if colour is None else f"{item}:{colour}" for item, colour in self.option(k).items()]

    def to_networkx(self) -> Any:
        """Return the problem as a bipartite graph of networkx.

        Items are the nodes ``("item", name)`` with `bipartite` 0 and `primary`; options are the nodes ``("option", k)`` with
        `bipartite` 1.  An edge has the `colour` of its item, if there is one.
        """
        networkx = need("networkx", "a graph of networkx", "notebooks")
        out = networkx.Graph()
        for number, item in enumerate(self.items):
            out.add_node(("item", item), bipartite=0, primary=number < self.primary)
        for k in range(len(self)):
            out.add_node(("option", k), bipartite=1)
            for item, colour in self.option(k).items():
                out.add_edge(("option", k), ("item", item), **({} if colour is None else {"colour": colour}))
        return out

    def __repr__(self) -> str:
        secondary = len(self.items) - self.primary
        extra = "" if self.need is None else f" needed {int(self.need.sum()):,} times in all"
        extra += f", {secondary:,} secondary" if secondary else ""
        return f"<exact cover: {several(self.primary, 'item')}{extra}, {several(len(self), 'option')}>"

    def _repr_svg_(self) -> str | None:
        """The cells to be covered, if the items are cells."""
        return to_svg(board(self).scene()) if has_cells(self) else None

    solve = verbs.solve
    count = verbs.count
    trace = verbs.trace
    estimate = verbs.estimate
    sample = verbs.sample


CoverLike = ExactCover | str | PathLike[str] | Iterable[Sequence[Item] | Mapping[Item, Hashable]]


def as_puzzle(value: CoverLike) -> ExactCover:
    """Return a problem: the value itself, or the problem of a text in Knuth's format, of a file, or of a list of options."""
    match value:
        case ExactCover():
            return value
        case str() if "\n" in value or not value.strip():
            return formats.parse(value, "the problem")
        case str() | PathLike():
            return formats.read(value)
        case Iterable() if not isinstance(value, bytes | Mapping):
            return ExactCover(value)
    raise BadInput(
        f"the problem {shown(value)}: expected an ExactCover, a text in Knuth's format, a file, or a list of options"
    )


def as_bytes(problem: ExactCover) -> bytes:
    return formats.write(problem, "").encode()


def from_bytes(data: bytes) -> ExactCover:
    return formats.parse(data.decode(), "the job's problem")


def _plain(row: Sequence[Item], k: int) -> dict[Item, Hashable]:
    if isinstance(row, str):
        raise BadInput(f"option {k} is a text, {row!r}: expected a list of items")
    try:
        out: dict[Item, Hashable] = dict.fromkeys(row)
    except TypeError:  # it is no list, or has an item that cannot be hashed
        raise BadInput(f"option {k} is {shown(row)}: expected a list of items") from None
    if len(out) < len(row):
        raise BadInput(f"option {k} has the item {_twice(row)!r} twice")
    return out


def _twice(names: Iterable[Item]) -> Item:
    return next(name for name, times in Counter(names).items() if times > 1)


def _needed(
    need: Iterable[int] | None, items: Sequence[Item], table: Options, coloured: bool
) -> NDArray[np.int64] | None:
    """Multiplicities as numbers, or None if all are 1."""
    values = list(need or ())
    for item, value in zip(items, values, strict=False):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 1 <= value <= MOST_NEEDED:
            raise BadInput(f"the multiplicity of {item!r} is {value!r}: expected a number from 1 to {MOST_NEEDED:,}")
    if all(value == 1 for value in values):
        return None
    if coloured:
        raise BadInput("multiplicities and colours do not go together")
    primaries = np.add.reduceat(table.item < table.primary, table.start[:-1]) if table.rows else np.ones(0, int)
    if (primaries == 0).any():
        raise BadInput(f"option {int(primaries.argmin()) + 1} has no primary item: it would never be needed")
    return np.array(values, np.int64)


def _whole(weights: Iterable[int], count: int) -> NDArray[np.int64]:
    values = list(weights)
    if len(values) != count:
        raise BadInput(f"there are {count} options but {len(values)} weights")
    for k, value in enumerate(values, 1):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or abs(int(value)) > 1 << 40:
            raise BadInput(f"the weight of option {k} is {value!r}: expected a whole number of at most 2^40")
    return np.array(values, np.int64)
