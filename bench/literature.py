"""Known values beside ours: `python -m bench.literature` prints the table of docs/literature.md."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import tablero as tb


class Row(NamedTuple):
    """A value of the literature, and how it is computed here."""

    what: str
    source: str
    known: int
    ours: Callable[[], int]


def _cover(name: Any, size: str | int) -> Callable[[], int]:
    return lambda: tb.cover.generate(name, size).count().solutions


def _queens(n: int, fundamental: bool = False) -> Callable[[], int]:
    return lambda: tb.queens.count(n, fundamental=fundamental).solutions


def _decompositions(host: str, into: str = "double-star", fold: int = 1) -> Callable[[], int]:
    return lambda: tb.decompose(host, into=into, fold=fold).count().solutions


def _classes(host: str, into: str) -> Callable[[], int]:
    return lambda: len(tb.decompose(host, into=into).classes().classes)


def _armies(n: int) -> Callable[[], int]:
    return lambda: tb.queens.armies(n).size


def _optimal(board: str) -> Callable[[], int]:
    return lambda: len(tb.sliding.parse(board).solve(method="optimal"))


ROWS = [
    Row("pentominoes, 3×20", "2 up to symmetry", 8, _cover("pentominoes", "3x20")),
    Row("pentominoes, 4×15", "368 up to symmetry", 1472, _cover("pentominoes", "4x15")),
    Row("pentominoes, 5×12", "1,010 up to symmetry", 4040, _cover("pentominoes", "5x12")),
    Row("pentominoes, 6×10", "2,339 up to symmetry", 9356, _cover("pentominoes", "6x10")),
    Row("dominoes, 6×6", "A004003", 6728, _cover("dominoes", "6x6")),
    Row("dominoes, 8×8", "A004003", 12988816, _cover("dominoes", "8x8")),
    Row("dominoes, 10×10", "A004003", 258584046368, _cover("dominoes", "10x10")),
    Row("Langford pairs, 7, both directions", "A014552", 52, _cover("langford", 7)),
    Row("Langford pairs, 8, both directions", "A014552", 300, _cover("langford", 8)),
    Row("Langford pairs, 11, both directions", "A014552", 35584, _cover("langford", 11)),
    Row("Langford pairs, 12, both directions", "A014552", 216288, _cover("langford", 12)),
    Row("one-factorisations of K6", "A000438", 6, _cover("one-factorisations", 6)),
    Row("one-factorisations of K8", "A000438", 6240, _cover("one-factorisations", 8)),
    Row("one-factorisations of K10", "A000438", 1225566720, _cover("one-factorisations", 10)),
    Row("Steiner triple systems on 7 points", "A030128", 30, _cover("steiner", 7)),
    Row("Steiner triple systems on 9 points", "A030128", 840, _cover("steiner", 9)),
    Row("Steiner triple systems on 13 points", "A030128", 1197504000, _decompositions("K13", "triangle")),
    Row("Steiner triple systems on 15 points", "A030128", 60281712691200, _decompositions("K15", "triangle")),
    Row("classes of one-factorisations of K8", "A000474", 6, _classes("K8", "matching")),
    Row("classes of triple systems on 9 points", "A030129", 1, _classes("K9", "triangle")),
    Row("classes of triple systems on 13 points", "A030129", 2, _classes("K13", "triangle")),
    Row("double stars in K8", "Oborný", 6720, _decompositions("K8")),
    Row("double stars in K10", "Oborný", 967680, _decompositions("K10")),
    Row("designs 2-(7,3,2)", "Mathon, Rosa", 465, _decompositions("K7", "triangle", fold=2)),
    Row("8 queens", "A000170", 92, _queens(8)),
    Row("12 queens", "A000170", 14200, _queens(12)),
    Row("13 queens", "A000170", 73712, _queens(13)),
    Row("14 queens", "A000170", 365596, _queens(14)),
    Row("15 queens", "A000170", 2279184, _queens(15)),
    Row("16 queens", "A000170", 14772512, _queens(16)),
    Row("17 queens", "A000170", 95815104, _queens(17)),
    Row("18 queens", "A000170", 666090624, _queens(18)),
    Row("8 queens, fundamental", "A002562", 12, _queens(8, True)),
    Row("12 queens, fundamental", "A002562", 1787, _queens(12, True)),
    Row("14 queens, fundamental", "A002562", 45752, _queens(14, True)),
    Row("peaceable armies, 6", "A250000", 5, _armies(6)),
    Row("peaceable armies, 8", "A250000", 9, _armies(8)),
    Row("peaceable armies, 9", "A250000", 12, _armies(9)),
    Row("farthest board of 3×3", "A151944", 31, _optimal("8 6 7/2 5 4/3 0 1")),
    Row("farthest board of 2×2", "A151944", 6, _optimal("0 3/2 1")),
    Row("Sudokus of 4×4", "A107739", 288, lambda: tb.sudoku.parse("." * 16).count().solutions),
]


def main() -> None:
    print("| value | source | known | tablero | seconds |\n|---|---|---|---|---|")
    for row in ROWS:
        seconds = float("inf")
        for _ in range(2):  # the first time kernels may be compiled
            began = time.perf_counter()
            found = row.ours()
            seconds = min(seconds, time.perf_counter() - began)
        mark = "" if found == row.known else " (differs)"
        print(f"| {row.what} | {row.source} | {row.known:,} | {found:,}{mark} | {seconds:.2g} |", flush=True)


if __name__ == "__main__":
    main()
