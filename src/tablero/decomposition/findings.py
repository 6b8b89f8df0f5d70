"""The findings of a search for decompositions: numbers, answers as text and JSON, and remarks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, TypeVar, overload

from tablero.decomposition.automorphisms import number_in_complete, order_of
from tablero.decomposition.copies import format_several, placements_in_complete
from tablero.decomposition.draw import is_drawable
from tablero.decomposition.formats import copy_text, edges_to_json
from tablero.decomposition.graph import Copy
from tablero.decomposition.models import Model
from tablero.decomposition.puzzle import Decomposition, DecompositionPuzzle
from tablero.draw.scene import Scene
from tablero.errors import BadInput
from tablero.runs.findings import Findings
from tablero.text import several
from tablero.verbs.parameters import spell

_CHUNK = 10_000  # answers that are converted to lists together
_Written = TypeVar("_Written")

# The states of given conditions, and the reason if they are not decided.  Copies are always made without the conditions, so
# these do not change the answers.  Conditions that are known to lose a copy are rejected.
KEPT, UNDECIDED, UNCHECKED = "kept", "undecided", "unchecked"
CONDITIONS = {
    KEPT: "",
    UNDECIDED: "whether the conditions lose a copy is not decided: copies are made without them",
    UNCHECKED: "no copies were needed, or none made in the time: the conditions were not looked at",
}


@dataclass(frozen=True, eq=False, repr=False)
class Found(Findings[Decomposition]):
    """The findings of a search for decompositions; `why` is the reason if none exist and no search was needed."""

    parts: ClassVar[tuple[str, ...]] = ("part", "u", "v")

    puzzle: DecompositionPuzzle
    model: Model | None = None
    why: str = ""
    making: float = 0.0  # seconds to make the model
    conditions: str = ""  # the state of given conditions: kept, undecided or unchecked
    by_rows: bool = False  # whether answers are shown as rows of the matrix

    @cached_property
    def answers(self) -> Sequence[Decomposition]:
        """The decompositions, in the order in which they were found."""
        return _Decompositions(self)

    def to_list(self) -> list[Any]:
        """Lists of parts, each a list of edges [u, v]."""
        return list(self.written(lambda copy: edges_to_json(self.puzzle.host, copy)))

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """Parts from 1, each with its edges."""
        for number, part in enumerate(answer, 1):
            yield from ((number, u, v) for u, v in part)

    def written(self, write: Callable[[Copy], _Written]) -> Iterator[list[_Written]]:
        """The answers as lists of written copies; copies that answers share are written once."""
        known: dict[int, list[_Written]] = {}
        before = [write(copy) for copy in self.puzzle.given]
        for row in self.rows():
            if self.model is None:  # the given copies are the decomposition
                yield before
                continue
            if not self.model.by_option:
                yield before + [write(copy) for copy in self.model.parts(row)]
                continue
            out = list(before)
            for option in row:
                if option >= 0:
                    if option not in known:
                        known[option] = [write(copy) for copy in self.model.parts([option])]
                    out += known[option]
            yield out

    def rows(self) -> Iterator[list[int]]:
        """The answers as rows of the model."""
        for first in range(0, len(self.result.answers), _CHUNK):
            yield from self.result.answers[first : first + _CHUNK].tolist()

    def as_rows(self) -> Found:
        """The same findings, shown as rows of the matrix; raises `BadInput` if there is no matrix."""
        found = replace(self, by_rows=True)
        found.row_numbers()
        return found

    def row_numbers(self) -> Iterator[list[int]]:
        """The answers as numbers of rows of the matrix, from 1."""
        if self.model is not None and not (self.model.by_option and self.model.method == "matrix"):
            raise BadInput(f"{spell('rows')}: this method makes no matrix: expected {spell('method')} matrix")
        return ([option + 1 for option in row if option >= 0] for row in self.rows())

    def iter_json(self) -> Iterator[str]:
        host = self.puzzle.host
        for parts in self.written(lambda copy: json.dumps(edges_to_json(host, copy), ensure_ascii=False)):
            yield f"[{', '.join(parts)}]"

    def answer_text(self, before: int) -> str:
        """A part on each line, paths and cycles as walks; or the rows of each answer on one line."""
        if self.by_rows:
            return "".join(" ".join(map(str, row)) + "\n" for row in self.row_numbers())
        blocks = []
        for k, parts in enumerate(self.written(copy_text(self.puzzle.host)), before + 1):
            head = [f"{'' if k == 1 else chr(10)}decomposition {k}"] if self.solutions > 1 else []
            blocks.append("\n".join([*head, *parts]) + "\n")
        return "".join(blocks)

    def edge_lists(self) -> Iterator[str] | None:
        """The answers in the format that `check` reads, one after another; None if there are none."""
        host = self.puzzle.host
        blocks = enumerate(self.written(lambda copy: host.text(copy, " ")))
        return ("\n" * (k > 0) + "\n".join(parts) + "\n" for k, parts in blocks) if len(self.answers) else None

    def remarks(self) -> Iterator[str]:
        if self.model is not None:
            yield self._about(self.model)
        yield f"no decomposition: {self.why}" if self.why else self.sentence("decomposition", "decompositions")

    def _about(self, model: Model) -> str:
        """The number of copies, the size of the matrix, or how copies were placed."""
        copies = "" if self.copies is None else f"{format_several(self.copies, 'copy', 'copies')}; "
        size, columns, ones = model.size
        if model.method in ("laying", "anneal"):
            order = model.turn_order
            laid, plainly = ("laid", "one after another") if model.method == "laying" else ("annealed", "together")
            how = f"{several(size, 'base copy', 'base copies')} under a turn of order {order}" if order > 1 else plainly
            return f"{self.puzzle}: {copies}{laid} {how}{self._under_conditions()}"
        matrix = ", ".join((several(size, "row"), several(columns, "column"), several(ones, "one")))
        text = f"{self.puzzle}: {copies}{matrix}{self._under_conditions()}"
        return text + (f"; made in {self.making:.1f} s" if self.making >= 1 else "")

    def _under_conditions(self) -> str:
        """The number of placements under the given conditions, and the state of the conditions."""
        why = f"; {CONDITIONS[self.conditions]}" if CONDITIONS.get(self.conditions) else ""
        if self.puzzle.conditions is None or self.automorphisms is None or self.placements is None:
            return why
        text = f"; {format_several(self.automorphisms, 'automorphism', 'automorphisms')}, "
        text += f"{format_several(self.placements, 'placement', 'placements')} under the conditions"
        repeated = self.copies is not None and self.placements > self.copies
        return text + (": repeated copies are taken once" if repeated else "") + why

    def verify(self) -> None:
        """Check every answer with code that shares nothing with the kernels."""
        if self.model is not None and (wrong := self.model.fault(self.result.answers)):
            raise AssertionError(f"a kernel returned an invalid decomposition: {wrong}")

    def scene(self) -> Scene | None:
        """The first decomposition as a picture; None if it is too large."""
        return self.answers[0].scene() if len(self.answers) and is_drawable(self.puzzle.lines) else None

    @property
    def copies(self) -> int | None:
        """The number of copies of the parts in the host; None if unknown."""
        if self.model is not None and self.model.copies is not None:
            return self.model.copies
        if self.puzzle.host.is_complete:
            return sum(number_in_complete(self.puzzle.host.vertices, part.graph) for part in self.puzzle.parts)
        return None

    @property
    def automorphisms(self) -> int | None:
        """The number of automorphisms of the part; None for several parts."""
        return order_of(self.puzzle.parts[0].graph) if len(self.puzzle.parts) == 1 else None

    @property
    def placements(self) -> int | None:
        """The number of placements of the part, under the given conditions if there are any; None if unknown."""
        if (given := self.puzzle.conditions) is not None:
            if self.model is not None and (table := self.model.listed) is not None and table.compared:
                return table.placements
            host, part = self.puzzle.host, self.puzzle.parts[0].graph
            return placements_in_complete(host.vertices, part, given) if host.is_complete else None
        if self.copies is None or self.automorphisms is None:
            return None
        return self.copies * self.automorphisms

    def values(self) -> dict[str, Any]:
        values = {**super().values(), "copies": self.copies}
        if self.model is not None:
            values["method"] = self.model.method
            values["making_seconds"] = round(self.making, 6)
            if self.automorphisms is not None:
                values["automorphisms"], values["placements"] = self.automorphisms, self.placements
            _, values["columns"], values["ones"] = self.model.size
        if self.conditions:
            why = CONDITIONS[self.conditions]
            values["conditions"] = {"state": self.conditions, **({"why": why} if why else {})}
        if self.why:
            values["why"] = self.why
        if self.by_rows:
            values["rows"] = list(self.row_numbers())
        return values


class _Decompositions(Sequence[Decomposition]):
    """Decompositions that are made on access from rows of numbers, to save memory."""

    def __init__(self, found: Found) -> None:
        self._found = found
        self._title = str(found.puzzle)

    def _make(self, row: Iterable[int]) -> Decomposition:
        puzzle, model = self._found.puzzle, self._found.model
        return Decomposition(puzzle.host, puzzle.given + (() if model is None else model.parts(row)), self._title)

    def __len__(self) -> int:
        return len(self._found.result.answers)

    @overload
    def __getitem__(self, k: int) -> Decomposition: ...
    @overload
    def __getitem__(self, k: slice) -> list[Decomposition]: ...
    def __getitem__(self, k: int | slice) -> Decomposition | list[Decomposition]:
        rows = self._found.result.answers[k].tolist()
        return [self._make(row) for row in rows] if isinstance(k, slice) else self._make(rows)

    def __iter__(self) -> Iterator[Decomposition]:
        return map(self._make, self._found.rows())

    def __repr__(self) -> str:
        return f"<{several(len(self), 'decomposition')} of {self._title}>"
