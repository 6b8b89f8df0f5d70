"""HoDoKu's library lines: a position of a plain 9×9 puzzle, a technique, and what it must find there.

    :code:digits:cells:deleted:eliminations:placements:extra

code          four digits and maybe a variant, as 0402-1; with -x none must be found
cells         81 of them, a + before a digit that was placed and not given
deleted       candidates that are gone, as 436 for the 4 in r3c6; so are eliminations and placements
extra         the length of a chain; it is not looked at

A line is found where some step of the technique has just those eliminations or placements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tablero import interrupts
from tablero.errors import BadInput
from tablero.files import Source, name_of, read_text
from tablero.runs.run import HERE, Run, require_here
from tablero.runs.watch import Snapshot
from tablero.sudoku.logic.attention import Attention
from tablero.sudoku.logic.position import Candidate, Position, Step, bits
from tablero.sudoku.logic.techniques import TECHNIQUES
from tablero.sudoku.pencil import library_cells
from tablero.sudoku.puzzle import Sudoku
from tablero.words import several

_FIELDS = 8  # with the empty one before the first colon
_SIDE = 9


@dataclass(frozen=True)
class Case:
    """A line: the technique, the position, and the result that is wanted; `fails`: none must be found."""

    code: str
    position: Position
    placed: frozenset[Candidate]
    removed: frozenset[Candidate]
    fails: bool = False

    def holds(self) -> bool:
        """Whether the technique finds what it should, or nothing where it should not."""
        for technique in TECHNIQUES:
            if technique.code == self.code:
                for step in technique.all(self.position):
                    if self.fails or self._is_result(step):
                        return not self.fails
        return self.fails

    def _is_result(self, step: Step) -> bool:
        """To place a digit and to take all others from its cell is the same."""
        if step.result == (self.placed, self.removed):
            return True
        rest = {(cell, d) for cell, digit in step.placed for d in bits(self.position.cands[cell]) if d != digit}
        return bool(rest) and not step.removed and rest == self.removed


def parse_case(line: str, where: str) -> Case:
    """One line; what does not fit is refused with its field."""
    fields = line.strip().split(":")
    if fields[0] or not _FIELDS - 1 <= len(fields) <= _FIELDS:
        raise BadInput(
            f"{where}: {several(len(fields) - 1, 'field')}: "
            "expected :code:digits:cells:deleted:eliminations:placements:extra"
        )
    code, _, variant = fields[1].partition("-")
    if not code.isdigit() or not 4 <= len(code) <= 5:
        raise BadInput(f"{where}: the code {fields[1][:20]!r}: expected four digits, as 0300 or 0300-x")
    position = parse_position(line, where)
    removed = frozenset(_candidates(fields[5], f"{where}: eliminations"))
    placed = frozenset(_candidates(fields[6], f"{where}: placements"))
    return Case(code, position, placed, removed, variant == "x")


def parse_position(line: str, where: str) -> Position:
    """The position of a line, whatever technique it names."""
    given, filled = library_cells(line, where)
    try:
        Sudoku(tuple(a or b for a, b in zip(given, filled, strict=True)))
        position = Position(Sudoku(given), unique=True)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
    for cell, digit in enumerate(filled):
        if digit:
            position.place(cell, digit)
    for cell, digit in _candidates(line.split(":")[4], f"{where}: deleted"):
        position.remove(cell, digit)
    return position


def _candidates(text: str, where: str) -> Iterator[Candidate]:
    for word in text.split():
        if len(word) != 3 or not word.isascii() or not word.isdigit() or "0" in word:
            raise BadInput(f"{where}: {word[:20]!r}: expected digit, row and column, as 436")
        digit, row, column = map(int, word)
        yield _SIDE * (row - 1) + column - 1, digit


def to_line(position: Position, code: str = "", step: Step | None = None) -> str:
    """A position as a library line, with a technique and its result where they are given."""

    def told(candidates: Iterable[Candidate]) -> str:
        return " ".join(f"{digit}{cell // _SIDE + 1}{cell % _SIDE + 1}" for cell, digit in sorted(candidates))

    if position.side != _SIDE or not position.puzzle.layout.is_plain:
        raise BadInput("a library line holds a plain 9×9 board and no other")
    fresh = Position(position.puzzle)
    cells = []
    for clue, value in zip(position.puzzle.cells, position.values, strict=True):
        cells.append(str(clue) if clue else f"+{value}" if value else ".")
    for cell, value in enumerate(position.values):
        if value and not position.puzzle.cells[cell]:
            fresh.place(cell, value)
    deleted = [(c, d) for c, digits in enumerate(fresh.cands) for d in bits(digits & ~position.cands[c])]
    removed, placed = (told(step.removed), told(step.placed)) if step else ("", "")
    return f":{code}::{''.join(cells)}:{told(deleted)}:{removed}:{placed}:"


@dataclass
class Report:
    """For each code how many positions there are and how many were found; likewise the cases that must fail."""

    techniques: dict[str, dict[str, int]] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)  # places of the lines
    untried: int = 0  # lines, where the time was up or Ctrl-C came before
    interrupted: bool = False  # by Ctrl-C
    misses: bool = False  # whether lines list what was missed

    @property
    def status(self) -> str:
        """complete, or open (stopped by the time limit or by Ctrl-C)."""
        return "open" if self.untried else "complete"

    def add(self, case: Case, good: bool, where: str) -> None:
        """What came of one line."""
        told = self.techniques.setdefault(case.code, {"positions": 0, "found": 0})
        if case.fails:
            told["fail_cases"] = told.get("fail_cases", 0) + 1
            told["refused"] = told.get("refused", 0) + good
        else:
            told["positions"] += 1
            told["found"] += good
        if not good:
            self.missed.append(where)

    @property
    def positions(self) -> int:
        return sum(one["positions"] for one in self.techniques.values())

    @property
    def found(self) -> int:
        return sum(one["found"] for one in self.techniques.values())

    def to_dict(self) -> dict[str, Any]:
        """The numbers, as JSON can hold them."""
        return {
            "status": self.status,
            "positions": self.positions,
            "found": self.found,
            "techniques": dict(sorted(self.techniques.items())),
            "missed": self.missed,
            **({"untried": self.untried} if self.untried else {}),
        }

    def lines(self) -> Iterator[str]:
        for code, one in sorted(self.techniques.items()):
            fails = f", {one['refused']} of {one['fail_cases']} fail cases refused" if "fail_cases" in one else ""
            yield f"{code}: {one['found']} of {one['positions']} found{fails}"
        if self.misses:
            yield from self.missed

    def remarks(self) -> Iterator[str]:
        why = "interrupted" if self.interrupted else "the time is up"
        late = f"; {why}, {several(self.untried, 'line')} not tried" if self.untried else ""
        yield f"{self.found} of {self.positions} positions found{late}"


@interrupts.Polling()
def try_library(source: Source, *, misses: bool = False, run: Run = HERE) -> Report:
    """Try every line of a library.  Lines with # are remarks.

    The time limit and Ctrl-C end it with what is known by then.
    """
    require_here(run, "a library of positions")
    attention = Attention(run)
    name = name_of(source)
    lines = [
        (number, line)
        for number, line in enumerate(read_text(source).splitlines(), 1)
        if line.strip() and not line.startswith("#")
    ]
    if not lines:
        raise BadInput(
            f"{name}: empty; expected library lines, :code:digits:cells:deleted:eliminations:placements:extra"
        )
    tried: list[tuple[Case, bool, str]] = []
    interrupted = False
    try:
        for number, line in lines:
            interrupts.check()
            where = f"{name}:{number}"
            case = parse_case(line, where)
            case.position.attention = attention
            tried.append((case, case.holds(), where))
            words = f"{len(tried):,} of {len(lines):,} positions"
            run.tell(Snapshot(fraction=len(tried) / len(lines), words=words))
    except TimeoutError:
        pass
    except KeyboardInterrupt:
        interrupted = True
    finally:
        run.tell(Snapshot(over=True))
    report = Report(misses=misses, untried=len(lines) - len(tried), interrupted=interrupted and len(tried) < len(lines))
    for one in tried:
        report.add(*one)
    return report
