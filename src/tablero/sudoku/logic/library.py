"""HoDoKu's library lines: a position of a plain 9×9 puzzle, a technique, and the result that the technique must find.

    :code:digits:cells:deleted:eliminations:placements:extra

code          four digits, optionally with a variant, such as 0402-1; with -x the technique must find nothing
cells         81 cells, with + before a digit that was filled and not given
deleted       removed candidates, such as 436 for the 4 in r3c6; eliminations and placements have the same form
extra         the length of a chain; it is ignored

The technique is found if one of its steps has exactly these eliminations or placements.  A position can also be read from a
board with candidates in any form of `sudoku.pencil`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from tablero import interrupts
from tablero.errors import BadInput
from tablero.files import Source, name_of, read_text
from tablero.runs.progress import Snapshot
from tablero.runs.run import HERE, Run, require_here
from tablero.sudoku import pencil
from tablero.sudoku.logic.position import Candidate, Deadline, Ending, Position, Step
from tablero.sudoku.logic.techniques import TECHNIQUES
from tablero.sudoku.puzzle import Sudoku
from tablero.sudoku.reasons import bits, marks_of
from tablero.text import several

_FIELDS = 8  # including the empty field before the first colon
_SIDE = 9


@dataclass(frozen=True)
class Case:
    """A line: the code of the technique, the position, and the expected result; `fails`: nothing must be found."""

    code: str
    position: Position
    placed: frozenset[Candidate]
    removed: frozenset[Candidate]
    fails: bool = False

    def holds(self) -> bool:
        """Whether the technique finds the expected result; of a fail case, whether it finds nothing."""
        for technique in TECHNIQUES:
            if technique.code == self.code:
                for step in technique.all(self.position):
                    if self.fails or self._is_result(step):
                        return not self.fails
        return self.fails

    def _is_result(self, step: Step) -> bool:
        """Whether a step has the expected result.  Placing a digit equals removing the other candidates of its cell."""
        if step.result == (self.placed, self.removed):
            return True
        rest = {(cell, d) for cell, digit in step.placed for d in bits(self.position.cands[cell]) if d != digit}
        return bool(rest) and not step.removed and rest == self.removed


def parse_case(line: str, where: str) -> Case:
    """Parse a library line.

    Raises
    ------
    BadInput
        If the line is malformed; the message names the field.
    """
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


def parse_position_text(text: str, where: str) -> Position:
    """Parse a position: a library line, or a board with candidates."""
    if line := pencil.library_line(text):
        return parse_position(line, where)
    board = pencil.parse(text, where)
    position = _filled(Position(Sudoku(board.given or board.puzzle.cells, board.puzzle.layout)), board.puzzle.cells)
    for cell, digits in enumerate(board.candidates):
        for digit in bits(position.cands[cell] & ~digits):
            position.remove(cell, digit)
    return position


def parse_position(line: str, where: str) -> Position:
    """Parse the position of a library line; its technique is ignored."""
    given, filled = pencil.library_cells(line, where)
    try:
        Sudoku(tuple(a or b for a, b in zip(given, filled, strict=True)))
        position = _filled(Position(Sudoku(given), unique=True), filled)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
    for cell, digit in _candidates(line.split(":")[4], f"{where}: deleted"):
        position.remove(cell, digit)
    return position


def _filled(position: Position, cells: Sequence[int]) -> Position:
    """Fill the empty cells of a position with the digits of `cells`; return the position."""
    for cell, digit in enumerate(cells):
        if digit and not position.values[cell]:
            position.place(cell, digit)
    return position


def _candidates(text: str, where: str) -> Iterator[Candidate]:
    for word in text.split():
        if len(word) != 3 or not word.isascii() or not word.isdigit() or "0" in word:
            raise BadInput(f"{where}: {word[:20]!r}: expected digit, row and column, as 436")
        digit, row, column = map(int, word)
        yield _SIDE * (row - 1) + column - 1, digit


def to_line(position: Position, code: str = "", step: Step | None = None) -> str:
    """Write a position as a library line, with the code and the result of a technique if they are given.

    Raises
    ------
    BadInput
        If the board is not a plain 9×9 board.
    """

    def text(candidates: Iterable[Candidate]) -> str:
        return " ".join(f"{digit}{cell // _SIDE + 1}{cell % _SIDE + 1}" for cell, digit in sorted(candidates))

    puzzle = position.puzzle
    if position.side != _SIDE or not puzzle.layout.is_plain:
        raise BadInput("a library line can only hold a plain 9×9 board")
    both = zip(puzzle.cells, position.values, strict=True)
    cells = "".join(str(clue) if clue else f"+{value}" if value else "." for clue, value in both)
    fresh = _filled(Position(puzzle), position.values)
    deleted = [(c, d) for c, digits in enumerate(fresh.cands) for d in bits(digits & ~position.cands[c])]
    removed, placed = (text(step.removed), text(step.placed)) if step else ("", "")
    return f":{code}::{cells}:{text(deleted)}:{removed}:{placed}:"


def to_grid(position: Position) -> str:
    """The candidates of each cell as a grid of words; the word of a filled cell is its digit."""
    side = position.side
    words = [
        marks_of(1 << value if value else cands) or "-"
        for value, cands in zip(position.values, position.cands, strict=True)
    ]
    wide = max(map(len, words))
    return "\n".join(
        " ".join(word.ljust(wide) for word in words[k : k + side]).rstrip() for k in range(0, side**2, side)
    )


@dataclass
class Report:
    """The number of positions and of those that were found, for each code; likewise for fail cases."""

    techniques: dict[str, dict[str, int]] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)  # the file and line of each failure
    untried: int = 0  # the number of lines that were not tried
    ended: str = ""  # what ended the trial early: the time limit or Ctrl-C
    misses: bool = False  # whether `lines` lists the failures

    @property
    def interrupted(self) -> bool:
        return self.ended == Ending.INTERRUPTED

    @property
    def status(self) -> str:
        """complete, or open (stopped by the time limit or Ctrl-C)."""
        return "open" if self.untried else "complete"

    def add(self, case: Case, good: bool, where: str) -> None:
        """Count the result of one line."""
        counts = self.techniques.setdefault(case.code, {"positions": 0, "found": 0})
        if case.fails:
            counts["fail_cases"] = counts.get("fail_cases", 0) + 1
            counts["refused"] = counts.get("refused", 0) + good
        else:
            counts["positions"] += 1
            counts["found"] += good
        if not good:
            self.missed.append(where)

    @property
    def positions(self) -> int:
        return sum(one["positions"] for one in self.techniques.values())

    @property
    def found(self) -> int:
        return sum(one["found"] for one in self.techniques.values())

    def to_dict(self) -> dict[str, Any]:
        """The numbers as a JSON object."""
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
        late = f"; {self.ended}, {several(self.untried, 'line')} not tried" if self.untried else ""
        yield f"{self.found} of {self.positions} positions found{late}"


@interrupts.Polling()
def try_library(source: Source, *, misses: bool = False, run: Run = HERE) -> Report:
    """Try every line of a library, and report the results.

    Lines that begin with # are comments.  The time limit or Ctrl-C ends the trial early.
    """
    require_here(run, "a library of positions")
    deadline = Deadline(run)
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
    report = Report(misses=misses, untried=len(lines))
    try:
        with Ending() as ending:
            for number, line in lines:
                interrupts.check()
                where = f"{name}:{number}"
                case = parse_case(line, where)
                case.position.deadline = deadline
                report.add(case, case.holds(), where)
                report.untried -= 1
                tried = len(lines) - report.untried
                words = f"{tried:,} of {len(lines):,} positions"
                run.report(Snapshot(fraction=tried / len(lines), words=words))
    finally:
        run.report(Snapshot(over=True))
    report.ended = ending.text if report.untried else ""
    return report
