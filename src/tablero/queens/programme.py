"""The integer programme of n queens as an LP or MPS file, for other solvers.

Maximise the sum of x(r, c) over all squares, with at most one in every row, column and diagonal, every x 0 or 1.  The
optimum is n where a solution exists.  Diagonals of one square are no constraint and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tablero.errors import BadInput
from tablero.queens.puzzle import Square
from tablero.verbs.document import Document
from tablero.verbs.parameters import spell

_SHORT = {"row": "R", "column": "C", "rising": "S", "falling": "D"}
_WIDTH = 12  # terms in a line of an LP file: some readers reject long lines


@dataclass(frozen=True)
class Programme(Document):
    """The programme for n queens as text."""

    n: int = 0
    form: str | None = None  # None: the file's name decides

    def text_for(self, path: Path) -> str:
        """The programme in the format that the file's name ends in."""
        ending = path.suffix.lower().removeprefix(".")
        if ending not in ("lp", "mps") or ending == self.form:
            return self.text
        if self.form is not None:
            raise BadInput(f"{path}: a name that ends in .{ending}: expected {spell('form')} {ending}")
        return write(self.n, ending)

    def to_dict(self) -> dict[str, Any]:
        known = {"format": self.form or "lp"} if self.text or self.form else {}
        return {**known, **super().to_dict()}


def programme(n: int, form: str | None) -> Programme:
    """The programme for n queens."""
    facts = {"variables": n * n, "constraints": sum(1 for _ in lines(n))}
    return Programme(write(n, form or "lp"), facts, key="model", n=n, form=form)


def variable(square: Square) -> str:
    return f"x_{square[0] + 1}_{square[1] + 1}"


def lines(n: int) -> Iterator[tuple[str, list[Square]]]:
    """Every line of the board with its name and squares."""
    for k in range(n):
        yield f"row_{k + 1}", [(k, c) for c in range(n)]
        yield f"column_{k + 1}", [(r, k) for r in range(n)]
    for k in range(1, 2 * n - 2):
        yield f"rising_{k + 1}", [(r, k - r) for r in range(max(0, k - n + 1), min(n, k + 1))]
        yield f"falling_{k + 1}", [(r, r - k + n - 1) for r in range(max(0, k - n + 1), min(n, k + 1))]


def write(n: int, form: str = "lp") -> str:
    """The programme as text, in the format lp or mps."""
    return _lp(n) if form == "lp" else _mps(n)


def _sum(squares: list[Square]) -> str:
    names = [variable(square) for square in squares]
    return "\n   + ".join(" + ".join(names[k : k + _WIDTH]) for k in range(0, len(names), _WIDTH))


def _lp(n: int) -> str:
    everywhere = [(r, c) for r in range(n) for c in range(n)]
    out = [f"\\ {n} queens, tablero queens model {n}", "Maximize", f" queens: {_sum(everywhere)}", "Subject To"]
    out += [f" {name}: {_sum(squares)} <= 1" for name, squares in lines(n)]
    out += ["Binary", *(f" {variable(square)}" for square in everywhere), "End"]
    return "\n".join(out) + "\n"


def _mps(n: int) -> str:
    """The programme as MPS with fixed columns.  MPS minimises, so the objective is the negated sum."""
    rows: dict[Square, list[str]] = {(r, c): [] for r in range(n) for c in range(n)}
    names = []
    for name, squares in lines(n):
        kind, _, number = name.partition("_")
        short = _SHORT[kind] + number  # fixed columns hold eight characters
        names.append(short)
        for square in squares:
            rows[square].append(short)
    out = [f"NAME          QUEENS{n}", "ROWS", " N  COST", *(f" L  {name}" for name in names), "COLUMNS"]
    out.append("    MARKER                 'MARKER'                 'INTORG'")
    for (r, c), held in rows.items():
        short = f"x{r + 1}_{c + 1}"
        out.append(f"    {short:<10}{'COST':<10}{-1:>12}")
        out += [f"    {short:<10}{name:<10}{1:>12}" for name in held]
    out.append("    MARKER                 'MARKER'                 'INTEND'")
    out += ["RHS", *(f"    {'RHS':<10}{name:<10}{1:>12}" for name in names)]
    bounds = (f"x{r + 1}_{c + 1}" for r, c in rows)
    out += ["BOUNDS", *(f" UP {'BOUND':<10}{name:<10}{1:>12}" for name in bounds), "ENDATA"]
    return "\n".join(out) + "\n"
