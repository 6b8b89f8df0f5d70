"""What reads text, family by family, with good texts of our own to begin from."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import tablero as tb
from tablero.families import families
from tests.bad_inputs import COVER

Reader = Callable[[str], Any]
_SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


class Target(NamedTuple):
    name: str  # family and function
    read: Reader
    texts: list[str]


def cover() -> list[Target]:
    from tablero.cover import generate as make
    from tablero.cover.formats import parse, write
    from tablero.cover.generating import parse_cells

    texts = [write(make("dominoes", "3x4")), write(make("langford", 4)), write(make("queens", 4))]
    texts += ["a b | x y\na x:red |3\nb x:red\na b y\n", "| c\n| d\n\na\na\n"]
    texts += [case.text for case in COVER if isinstance(case.text, str) and case.text]

    def there_and_back(text: str) -> Any:
        problem = parse(text)
        parse(write(problem))
        return problem

    return [Target("cover.parse", there_and_back, texts), Target("cover.cells", parse_cells, ["r1c1,r4c5", "r10c2"])]


def decomposition() -> list[Target]:
    from tablero.decomposition.formats import parse, write
    from tablero.decomposition.words import host_of, parse_graph, part_of

    def word(text: str) -> Any:
        if "@" in text or "/" in text:  # files are not for this
            return None
        return host_of(text) if len(text) < 40 else None

    host = host_of("K5")
    lists = ["0 1\n1 2\n2 0\n", "a b\nb c\n", "C~\n"]
    problems = [write(parse(text, into="path-2")) for text in lists]
    return [
        Target("decomposition.parse", parse, problems),
        Target("decomposition.graph", parse_graph, [*lists, "0 1\n1 2\n# x\n2 3\n", "0-1,1-2"]),
        Target("decomposition.host", word, ["K4", "K3,3", "0-1,1-2,2-0", "[(0,1),(1,2)]", "C~"]),
        Target(
            "decomposition.part",
            lambda text: None if "@" in text or "/" in text or len(text) > 40 else part_of(text, host),
            ["path-3", "2x matching-2", "triangle", "star-3", "0-1,1-2", "cycle-5"],
        ),
    ]


def edges() -> list[Target]:
    from tablero.edges.board import Board
    from tablero.edges.formats import parse, write
    from tablero.edges.layings import address, parse_layings, write_laying

    puzzle = tb.edges.generate(3, colours=3, seed=1)
    laying = puzzle.solve().layings[0].tolist()
    texts = [write(puzzle), write(tb.edges.generate(4, colours=5, seed=2)), address(puzzle, laying)]
    boards = [
        write_laying(puzzle, laying),
        json.dumps([[k + 1, 0] for k in range(9)]),
        '{"answers": [[[1, 0], [2, 1]]]}',
    ]
    return [
        Target("edges.parse", lambda text: parse(text), texts),
        Target("edges.board", lambda text: parse_layings(puzzle, text), boards),
        Target("edges.boards", lambda text: parse_layings(puzzle, text), [*boards, boards[0] * 2, texts[2]]),
        Target("edges.size", lambda text: Board.parse(text) if len(text) < 4 else None, ["4x5", "3"]),
    ]


def queens() -> list[Target]:
    from tablero.queens.formats import parse
    from tablero.queens.puzzle import squares

    boards = [".Q..\n...Q\nQ...\n..Q.\n", "....\n.x..\n....\n..Q.\n", "1 3 0 2\n", "r1c2 r2c4\n"]
    return [
        Target("queens.squares", squares, ["r1c3,r4c5", "r1c1", "r2c2, r3c4"]),
        Target("queens.parse", parse, boards),
    ]


def sliding() -> list[Target]:
    from tablero.sliding.formats import parse, parse_all, parse_moves

    boards = "1 2 3/4 5 6/7 8 0\n1 2 3/4 5 6/0 7 8\n"
    return [
        Target("sliding.all", parse_all, [boards, boards.replace("/", ","), "1,2,3\n4,5,6\n7,8,0\n"]),
        Target("sliding.parse", parse, ["1 2 3/4 5 6/7 8 0", "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n", "0 1/2 3"]),
        Target("sliding.goal", lambda text: parse("1 2 3/4 5 6/7 8 0", goal=text), ["blank-last", "1 2 3/8 0 4/7 6 5"]),
        Target("sliding.moves", parse_moves, ["NSEW", "N S E W\nNN", "n3e2"]),
    ]


def warehouse() -> list[Target]:
    from tablero.warehouse.formats import parse, parse_order
    from tablero.warehouse.generating import layout_of

    layout = layout_of("9")
    start = tb.warehouse.generate("9", seed=1)
    across = layout.columns
    floor = "\n".join(" ".join(map(str, start.cells[k : k + across])) for k in range(0, len(start.cells), across))
    order = " ".join(str(k + 1) for k in range(len(layout.slots)))
    return [
        Target(
            "warehouse.order", lambda text: parse_order(text, layout), [order, order.replace(" ", ","), order[::-1]]
        ),
        Target("warehouse.floor", parse, [floor, floor.replace(" ", "\t"), "# # #\n# 1 #\n# # #\n"]),
        Target("warehouse.size", lambda text: layout_of(text) if len(text) < 4 else None, ["9", "25", "16"]),
    ]


def sudoku() -> list[Target]:
    from tablero.sudoku import pencil
    from tablero.sudoku.formats import parse, parse_many
    from tablero.sudoku.generating import wanted_rating

    grid = "\n".join(_SUDOKU[9 * k : 9 * k + 9] for k in range(9))
    cages = "board:\n....\n....\n....\n....\ncages:\naabb\naabb\nccdd\nccdd\nsums:\na=10 b=10 c=10 d=10\n"
    cages += "diagonals: no\n"
    sadman = f"[Puzzle]\n{grid}\n[State]\n{grid}\n[PencilMarks]\n" + ",".join("12345679") + ",8\n"
    marks = "board:\n1...\n....\n....\n...4\ncandidates:\n" + "1 234 234 234\n" * 4
    texts = [_SUDOKU, grid, " ".join(_SUDOKU), cages, sadman, marks, "1...\n....\n....\n...4\n", "1 2 34 4\n" * 4]
    return [
        Target("sudoku.parse", parse, texts),
        Target("sudoku.many", lambda text: list(parse_many(text)), [f"{_SUDOKU}\n{_SUDOKU}\n", *texts]),
        Target("sudoku.pencil", pencil.parse, [sadman, marks, "1 2 34 4\n" * 4]),
        Target("sudoku.rating", wanted_rating, ["hard", "3.8", "3.0-4.2"]),
    ]


def all_targets() -> list[Target]:
    """Those of every family; a family without any is an error, so that a new one is not forgotten."""
    found: list[Target] = []
    for family in families().values():
        make = globals().get(family.name)
        assert make is not None, f"the family {family.name} has no targets in {__name__}"
        found += make()
    return found
