"""For every technique a puzzle of our own on whose way it is, at some point, the easiest that applies.

They were found by `find`, among puzzles of the generator; the position with the fewest empty cells was kept.  A hidden quad
needs a unit without a single clue (in any other a smaller subset is easier), so those were looked for among such puzzles.
"""

from __future__ import annotations

from tablero.puzzles.sudoku.formats import parse_line
from tablero.puzzles.sudoku.generate import generate_many
from tablero.puzzles.sudoku.logic import Position, Step, walk
from tablero.puzzles.sudoku.puzzle import Sudoku
from tablero.puzzles.sudoku.wish import Wish

EXAMPLES = {
    "last value": ".....72...1...2.9..3....4..........35.......63....978....7....94.72..81....6.....",
    "hidden single in a box": ".6.29..5.5......97......1....3..4...2...31..44.67......97..5.183..........1..29..",
    "hidden single": "92..5.....8.9.......18.7...15..........3...9.6......75.3.7.9.2.5....69......2...7",
    "direct pointing": ".3.1.54.8.....6....6..92..51..9...4...4..8..7...6..3...12......9.......1..3..42..",
    "direct claiming": ".6......5....5..8....9..6...5.7....6..856.194..6..45..5....9...21...8.....3...9.2",
    "direct hidden pair": ".9.2..1..35..1.4.96.8..3.2......2..1.....9.4....6..8...3...6......4..918........7",
    "naked single": ".....8.2.9............6...3..23.1....7......4...84.75.86..53.4...47......5748....",
    "direct hidden triplet": "6.....35....85..473.8........7..5..18.926....2......9......65......9...6....7.9..",
    "pointing": "..5.6..7...31.....4......122.....934.............2.7.6..46.1.83....85...7.2.93...",
    "claiming": "..6...2..2.......7...85..........4.23.....76..7.46.38.6..7.....5....3.28..421....",
    "naked pair": ".1........76......49.37...8.325............5......1.87.2...7.63...48........1.5..",
    "X-wing": "....1...8..4..3.........61.8..5..93..7..36.8...69.........2....93....4.77...8..9.",
    "hidden pair": "..27...6.....6..9358.......7..6..3....8..92...9.5...4.....5...7.65...8......4.1..",
    "naked triplet": ".9......72.....1........6491..5.......92..7......4683...2.....4.8.6.42....1..8...",
    "swordfish": "7....8.4......9...9.3.5.2188...7..........8..42.1...7...952.....7........46...3..",
    "hidden triplet": "....97...3.51.....9..4.2..6..1....4.......8.7...7..2.....3.5.....7.8.4...14.....2",
    "XY-wing": "..6...2..2.......7...85..........4.23.....76..7.46.38.6..7.....5....3.28..421....",
    "XYZ-wing": ".3....4........6.7...4.9.8..56.....1....1....4...65....413..82...8.5....2....1.5.",
    "unique rectangle": "......765..8...1.2.............32...562......3.1.975..6...7..93......6...7...18..",
    "naked quad": "1...4....7..51.6...4....9...3.2..........4...6.5..7....2..93.4.5.....13........6.",
    "jellyfish": ".1..34.6.6.2..8....5...2.1........2.....831.648.6..3..2.....7......5...43.4.....1",
    "hidden quad": "93.4......85...6....6..8.9...7.15............6.9..7.....27..48..4.2....5.9..3.7..",
    "BUG": "....7..9..3..82.........5...7........8136...23..7...8....8..1.4523..9.7...8.3....",
    "simple colouring": "...1.....9...542.65............9.7.2...38.6.5..8....3....62.3..21.5..........1..4",
    "X-chain": ".57...9..29.4.5...4.8..9.1......4.9.............26..74..63.8..7.3........7..2.6..",
    "XY-chain": "...2....9..5...1..84..1...6...1......8....2..3......64.7..4..18.......3.236....97",
    "chain": "...5.41675.............6..9..8.7.63...7..8.9.9.......48..96.4...5...17..7..3.....",
    "forcing chain": "9.7.5...8.2...8...3.....21..3.2.......6....2......7..4.13...9.75..9..8..48..15...",
}


def position_for(technique: str) -> tuple[Position, Step]:
    """The example of a technique: the position in which it is the easiest step, and that step."""
    return _meet(parse_line(EXAMPLES[technique]), technique)


def _meet(puzzle: Sudoku, technique: str) -> tuple[Position, Step]:
    """The first position on the way of a puzzle in which a technique is used."""
    position = Position(puzzle, unique=True)
    for step in walk(position):
        if step.technique == technique:
            return position, step
    raise LookupError(f"{technique} is not used in {puzzle.line()}")


def find(count: int, seed: int = 0) -> dict[str, str]:
    """Look for examples in so many minimal puzzles."""
    best: dict[str, tuple[int, str]] = {}
    for puzzle in generate_many(count, Wish(minimal=True), seed=seed):
        position = Position(puzzle, unique=True)
        for step in walk(position):
            key = (position.left, puzzle.line())
            best[step.technique] = min(best.get(step.technique, key), key)
    return {technique: line for technique, (_, line) in best.items()}
