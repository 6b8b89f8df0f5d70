"""Solutions: the moves, the rule of each, and the lower bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import groupby
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tablero.draw.pages import in_notebook
from tablero.draw.scene import Scene
from tablero.errors import BadInput
from tablero.runs.findings import Findings
from tablero.runs.progress import short_number
from tablero.sliding import checking, draw
from tablero.sliding.constructive import bound
from tablero.sliding.formats import letters
from tablero.sliding.kernels import ground
from tablero.sliding.puzzle import Board, Boards
from tablero.text import several

NO_ROWS = np.empty((0, 0), np.int32)
_TRAPPED = "the blank cannot free the last tile of the {line}; ten moves lead it through a placed tile's cell"
# The rules of moves: name and effect.
RULES = {
    ground.APPROACH: ("approach", "the blank goes to the nearest free neighbour of the tile"),
    ground.BY_TABLE: ("table", "the blank turns round a 2×2 window, which brings the tile nearer"),
    ground.HIERARCHY: ("hierarchy", "no window helps: the blank goes round the tile to its front, vertical first"),
    ground.PAIR: (
        "last pair",
        "the last two tiles of a line are placed around the corner: the blank lets both slide in",
    ),
    ground.STRIP: ("strip", "a line of two cells: its two tiles are put in order in a window of 2×3"),
    ground.JOURNEY: ("transport", "a shortest joint path of tile and blank"),
    ground.SMALL: ("3×3", "the last cells (3×3 at most) are solved optimally from a table"),
    ground.TAIL: ("tail", "the blank goes to its own goal cell and moves the last tiles along"),
    ground.CARRY: ("carry", "a short way around the tile and through it that also brings other tiles nearer"),
    ground.PUSH: ("push", "the blank goes round the tile to the nearest useful side, and through it"),
    ground.CORNER: ("corner", "the last tile of a line is inward of its place: it enters past its neighbour"),
    11: ("special case 11", _TRAPPED.format(line="row")),
    12: ("special case 12", "the blank goes into the pocket from below, then case 11"),
    13: ("special case 13", "the blank goes below the pocket and into it, then case 11"),
    14: ("special case 14", "the blank leaves the pocket: the tile is diagonally below it and no window is free"),
    15: ("special case 15", _TRAPPED.format(line="column")),
    16: ("special case 16", "the blank goes into the pocket from the side, then case 15"),
    17: ("special case 17", "the blank goes beside the pocket and into it, then case 15"),
    18: ("special case 18", "the blank leaves the pocket: the tile is diagonally beside it and no window is free"),
    19: ("special case 19", "the blank comes from the other side below the pocket and goes into it, then case 11"),
    20: ("special case 20", "the blank comes from the other side beside the pocket and goes into it, then case 15"),
}


def runs(rules: NDArray[np.uint8]) -> list[tuple[int, int]]:
    """The rules in order, each with the number of consecutive moves that it made."""
    return [(rule, sum(1 for _ in group)) for rule, group in groupby(rules.tolist())]


def tally(rules: NDArray[np.uint8]) -> dict[str, int]:
    """The number of moves of each rule, by name."""
    counts = np.bincount(rules).tolist()
    return {RULES[rule][0]: count for rule, count in enumerate(counts) if count}


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Findings[str]):
    """The result of solving a board.

    Without `codes` there is no answer: the search was stopped ("open"), or the board cannot be solved ("none").  At least
    `lower` moves are needed (proved); an answer of that length is optimal.  If a constructive method made the moves, `rules`
    has the number of a rule for each: see RULES.

    Examples
    --------
    >>> from tablero import sliding
    >>> solution = sliding.solve("1 2 3/4 5 6/0 7 8")
    >>> solution.moves, solution.optimal
    ('EE', True)
    """

    parts: ClassVar[tuple[str, ...]] = ("move", "way")

    puzzle: Board
    method: str
    codes: NDArray[np.uint8] | None = None  # moves as numbers: 0 N, 1 S, 2 E, 3 W
    lower: int = 0
    rules: NDArray[np.uint8] | None = None
    first_length: int | None = None  # of the answer of `table`, if it was improved
    start: str = ""  # the constructive method whose answer was improved
    start_length: int = 0
    heuristic: str = ""
    # Output options
    explained: bool = False  # with the rule of each move
    animated: bool = False
    silent: bool = False  # the moves are written to a file

    @property
    def board(self) -> Board:
        """The board that was solved."""
        return self.puzzle

    @cached_property
    def moves(self) -> str:
        """The moves of the blank as a word of N, S, E and W."""
        return "" if self.codes is None else letters(self.codes)

    @cached_property
    def answers(self) -> Sequence[str]:
        """The moves, if there is an answer."""
        return [] if self.codes is None else [self.moves]

    def entries(self, answer: Any) -> Iterator[tuple[Any, ...]]:
        """The moves, numbered from 1, each with its direction."""
        return enumerate(answer, 1)

    def __len__(self) -> int:
        return 0 if self.codes is None else len(self.codes)

    @property
    def optimal(self) -> bool:
        """Whether the answer is proved shortest."""
        return self.codes is not None and len(self) == self.lower

    @property
    def gap(self) -> float:
        """The excess over the lower bound, as a fraction of it."""
        return len(self) / self.lower - 1 if self.lower else 0.0

    @property
    def notes(self) -> list[tuple[int, int]]:
        """The rules in order, each with its number of consecutive moves; 0 for moves found by search."""
        return [(0, len(self))] if self.rules is None else runs(self.rules)

    @property
    def reasons(self) -> dict[int, tuple[str, str]]:
        """The name and effect of each rule in `notes`."""
        kind = "a shortest answer: a search found every move" if self.optimal else "pieces were searched again"
        return {rule: RULES[rule] if rule else (self.method, kind) for rule, _ in self.notes}

    def verify(self) -> None:
        """Play the moves with code that shares nothing with the kernels."""
        if self.codes is not None and (wrong := checking.fault_of_codes(self.puzzle, self.codes)):
            raise AssertionError(f"a method returned moves that are no solution: {wrong}")

    def values(self) -> dict[str, Any]:
        """The keys that every search reports, and those about the moves."""
        values = super().values()
        if self.explained and self.rules is not None:
            values["steps"] = [[RULES[rule][0], count] for rule, count in runs(self.rules)]
        values["method"] = self.method
        values["moves"] = len(self) if self.codes is not None else None
        values["lower"] = self.lower
        values["optimal"] = self.optimal
        if self.heuristic:
            values["estimate"] = self.heuristic
        if self.first_length is not None:
            values["table_moves"] = self.first_length
            values["start"] = self.start
            values["start_moves"] = self.start_length
        if self.rules is not None:
            values["rules"] = tally(self.rules)
        if self.status == "none":
            values["why"] = self.puzzle.reason
        return values

    def scene(self) -> Scene | None:
        """A picture of the board, unless it is too large."""
        return draw.scene(self.puzzle) if draw.can_draw(self.puzzle) else None

    def shown(self, change: Callable[[Solution], Solution]) -> Solution:
        """The same with other output options."""
        return change(self)

    def without_text(self) -> Solution:
        """The same without moves in the output, because a file has them."""
        return replace(self, silent=True)

    def moves_text(self) -> str | None:
        """The moves as written to a file."""
        return None if self.codes is None else self.moves + "\n"

    def page(self) -> str | None:
        """A page that plays the moves."""
        return None if self.codes is None else draw.player(self)

    def lines(self) -> Iterator[str]:
        """The output lines: the moves, with rules or as a number if requested."""
        if self.codes is None:
            return
        if self.animated:
            draw.animate(self)
        if self.explained and self.rules is not None:
            at = 0
            for rule, count in runs(self.rules):
                yield f"{RULES[rule][0]:<16} {self.moves[at : at + count]}"
                at += count
        elif not self.result.kept:
            yield str(len(self))
        elif not self.silent:
            yield self.moves

    def answer_text(self, before: int) -> str:
        return "".join(f"{line}\n" for line in self.lines())

    def remarks(self) -> Iterator[str]:
        if self.status != "none":  # the search has reported it
            yield self.sentence()

    def sentence(self, one: str = "move", many: str = "") -> str:
        """The summary as a sentence."""
        if self.status == "none":
            return f"this board cannot be solved: {self.puzzle.reason}"
        nodes, seconds = self.nodes, self.seconds
        work = f"{several(nodes, 'position')} in {seconds:.2f} s" if nodes else f"{seconds:.3f} s"
        if self.codes is None:
            return f"no answer yet: {self.needed}; {work}"
        parts = [f"{several(len(self), one, many)} by {self.method}"]
        if self.optimal:
            parts.append("proved shortest")
        else:
            parts.append(f"at least {self.lower:,} are needed, so at most {100 * self.gap:.0f} % too many")
        if self.first_length is not None and self.first_length > len(self):
            less = 100 * (1 - len(self) / self.first_length)
            parts.append(f"{less:.1f} % shorter than the {self.first_length:,} of table")
        board = self.puzzle
        promised = bound(self.method, board.rows) if board.rows == board.columns else None
        if promised is not None:
            parts.append(f"the bound for {board.rows}×{board.rows} is {promised:,}")
        if self.rules is not None and len(self):
            parts.append(", ".join(f"{rule} {count:,}" for rule, count in tally(self.rules).items()))
        if nodes:
            work += f", {short_number(nodes / max(seconds, 1e-9))} a second"
        return "; ".join([*parts, work])

    @property
    def needed(self) -> str:
        """The lower bound as a clause."""
        return f"at least {several(self.lower, 'move')} {'is' if self.lower == 1 else 'are'} needed"

    def __repr__(self) -> str:
        if self.codes is None:
            return f"<Solution: {self.status}, {self.seconds:.3g} s>"
        proof = ", proved shortest" if self.optimal else ""
        return f"<Solution: {several(len(self), 'move')} by {self.method}{proof}, {self.seconds:.3g} s>"

    def __str__(self) -> str:
        return self.moves if self.codes is not None else repr(self)

    def _repr_html_(self) -> str | None:
        """The page that plays the moves; None if there are no moves or too many."""
        try:
            return in_notebook(played) if (played := self.page()) else None
        except BadInput:
            return None


class Solutions:
    """The solutions of several boards, found lazily one after another.  Limits apply to each board."""

    def __init__(self, boards: Boards, solve: Callable[[int, Board], Solution]) -> None:
        self.boards, self._solve = boards, solve
        self._found: list[Solution] = []
        self._changes: list[Callable[[Solution], Solution]] = []

    def __iter__(self) -> Iterator[Solution]:
        """Yield one solution after another; Ctrl-C ends the iteration."""
        for number, board in enumerate(self.boards):
            if number == len(self._found):
                if self.interrupted:
                    return
                self._found.append(self._solve(number + 1, board))
            yield reduce(lambda found, change: change(found), self._changes, self._found[number])

    def shown(self, change: Callable[[Solution], Solution]) -> Solutions:
        """The same with other output options."""
        self._changes.append(change)
        return self

    def without_text(self) -> Solutions:
        """The same without moves in the output, because a file has them."""
        return self.shown(Solution.without_text)

    def moves_text(self) -> str:
        """One line for each board: its moves, or its status."""
        return "".join((one.moves_text() or f"{one.status}\n") for one in self)

    @property
    def interrupted(self) -> bool:
        return bool(self._found) and self._found[-1].interrupted

    @property
    def status(self) -> str:
        """The status of all boards together: "none" if one of them cannot be solved."""
        statuses = {one.status for one in self}
        return next((status for status in ("open", "none") if status in statuses), "solved")

    def to_dict(self) -> dict[str, Any]:
        return self._summary([one.to_dict() for one in self])

    def json_lines(self) -> Iterator[dict[str, Any]]:
        """Yield one object for each board, with its answer or the number of moves; then the summary."""
        for number, one in enumerate(self, 1):
            answer = next(iter(one.answers), None)
            yield {"board": number, **({"answer": answer} if one.result.kept else {"moves": one.values()["moves"]})}
        yield self._summary([one.values() for one in self])

    def _summary(self, boards: list[dict[str, Any]]) -> dict[str, Any]:
        costs = {key: round(sum(one[key] for one in boards), 6) for key in ("nodes", "seconds", "cpu_seconds")}
        solved = sum(one["solutions"] for one in boards)
        # Some boards are solved and the others proved unsolvable: everything is decided.
        status = "complete" if self.status == "none" and solved else self.status
        return {"status": status, "solutions": solved, **costs, "boards": boards}

    def lines(self) -> Iterator[str]:
        """One line for each board, solved or not."""
        for one in self:
            if one.codes is not None:
                yield from one.lines()
            elif not (one.silent and one.result.kept):
                yield one.status

    def remarks(self) -> Iterator[str]:
        for one in self:
            yield from one.remarks()
