"""What is wrong with a position, where that can be said: no solution, several, or a digit that is in none."""

from __future__ import annotations

from tablero.runs.run import Run
from tablero.sudoku.logic.position import Position
from tablero.sudoku.puzzle import SYMBOLS, Sudoku, cell_name

_NAMED = 3  # clues, or cells, that are named
_LARGEST = 9  # side of boards whose wrong clue is looked for
_LOOKING = 1.0  # seconds for one clue


def warning(position: Position, run: Run) -> str:
    """Why steps may lead nowhere; empty where nothing is known to be wrong."""
    match position.solutions:
        case 0:
            return f"the puzzle has no solution: {_wrong_clues(position.puzzle, run)}"
        case 1:
            return _wrong_cells(position, run)
    return "the puzzle has more than one solution" if position.solutions else ""


def _wrong_clues(puzzle: Sudoku, run: Run) -> str:
    """The clues without any one of which there is a solution, those first without which there is just one."""
    from tablero.sudoku.solving import how_many

    found: dict[int, list[str]] = {1: [], 2: []}
    try:
        for cell, digit in enumerate(puzzle.cells if puzzle.side <= _LARGEST else ()):
            without = Sudoku((*puzzle.cells[:cell], 0, *puzzle.cells[cell + 1 :]), puzzle.layout)
            if digit and (solutions := how_many(without, run=run.within(_LOOKING))):
                found[solutions].append(f"the {SYMBOLS[digit]} in {cell_name(cell, puzzle.side)}")
    except TimeoutError:
        return "some digit is wrong"
    likely = found[1] or found[2]
    return f"without {' or '.join(likely)} it has one" if 0 < len(likely) <= _NAMED else "some digit is wrong"


def _wrong_cells(position: Position, run: Run) -> str:
    """The cells that were filled with another digit than the solution has, or have lost it as a candidate."""
    puzzle = position.puzzle
    fresh = Position(puzzle)
    if position.values == fresh.values and position.cands == fresh.cands:
        return ""
    from tablero.sudoku.solving import solve

    board = solve(puzzle, run=run).board or position.values
    filled = [cell for cell, digit in enumerate(board) if position.values[cell] not in (0, digit)]
    lost = [
        cell
        for cell, digit in enumerate(board)
        if not (position.values[cell] or filled or position.cands[cell] >> digit & 1)
    ]
    names = ", ".join(cell_name(cell, puzzle.side) for cell in (filled or lost)[:_NAMED])
    more = " and others" * (len(filled or lost) > _NAMED)
    if filled:
        return f"a wrong digit is filled in: look at {names}{more}"
    return f"a candidate that the solution needs is taken away: look at {names}{more}" if lost else ""
