"""How colours are spread over generated edge-matching puzzles: `python -m bench.colours [PUZZLES]` prints a table.

Of each puzzle one colour is looked at, another one every time, and its joins are counted: the numbers of different colours
of one puzzle depend on each other.  Beside what was seen stands what is expected where all ways to use all colours are
equally likely, and χ² over the numbers that are expected five times or more, the others together.
"""

from __future__ import annotations

import sys
from collections import Counter
from math import comb

from tablero.edges.generating import generate

_BOARDS = ((3, 4), (4, 5), (4, 18), (6, 12))  # side, colours


def surjections(balls: int, boxes: int) -> int:
    """Ways to deal balls into boxes with none left empty."""
    return sum((-1) ** k * comb(boxes, k) * (boxes - k) ** balls for k in range(boxes + 1))


def expected(joins: int, colours: int, puzzles: int) -> dict[int, float]:
    """In how many puzzles a colour should have so many joins."""
    ways = surjections(joins, colours)
    return {
        k: puzzles * (comb(joins, k) * surjections(joins - k, colours - 1) / ways)
        for k in range(1, joins - colours + 2)
    }


def main() -> None:
    puzzles = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("| board | colours | joins of a colour: seen (expected) | all colours present | χ², degrees of freedom |")
    print("|---|---|---|---|---|")
    for side, colours in _BOARDS:
        joins = 2 * side * (side - 1)
        seen: Counter[int] = Counter()
        present = 0
        for seed in range(puzzles):
            sides = Counter(
                colour for row in generate(side, colours=colours, seed=seed).pieces.tolist() for colour in row
            )
            present += len(sides) - (0 in sides) == colours
            seen[sides[1 + seed % colours] // 2] += 1
        chance = expected(joins, colours, puzzles)
        often = [k for k, number in chance.items() if number >= 5]
        rare, met = puzzles - sum(chance[k] for k in often), puzzles - sum(seen[k] for k in often)
        square = sum((seen[k] - chance[k]) ** 2 / chance[k] for k in often) + (met - rare) ** 2 / max(rare, 1.0)
        reported = ", ".join(f"{k}: {seen[k]} ({chance[k]:.0f})" for k in often) + f", others: {met} ({rare:.0f})"
        print(
            f"| {side}×{side} | {colours} | {reported} | {present} of {puzzles} | {square:.1f}, {len(often)} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
