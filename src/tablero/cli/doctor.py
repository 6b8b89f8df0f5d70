"""`tablero doctor`: what is installed, where things are kept, and the kernels compiled."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import time
from collections.abc import Callable
from typing import Any

from tablero.cli.common import Json, print_json

_EXTRAS = {
    "graphs": ("igraph", "networkx"),
    "sheets": ("openpyxl", "python-calamine"),
    "plots": ("matplotlib",),
    "tune": ("optuna",),
    "cluster": ("distributed", "cryptography"),
    "warehouse": ("scipy",),
    "web": ("fastapi", "uvicorn", "jinja2"),
    "bench": ("xcover", "exact-cover", "ortools", "py-sudoku", "dlxsudoku"),
}


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def compile_kernels() -> dict[str, float]:
    """Compile every kernel on a small problem; seconds for each."""
    from tablero.puzzles.cover import generate
    from tablero.search.cover import KERNELS, CoverSearch, Options

    small = generate.langford(3)
    wide = generate.dominoes(45, 45)  # enough options for packed words
    weights: Any = small.table.start[1:] % 7

    def timed(options: Options, kernel: str, cost: Any = None) -> float:
        began = time.monotonic()
        CoverSearch(options, kernel, cost).warm()
        return round(time.monotonic() - began, 2)

    seconds = {f"cover {kernel}": timed(small.table, kernel) for kernel in KERNELS}
    seconds["cover bits, packed"] = timed(wide.table, "bits")
    seconds["cover bits, cheapest"] = timed(small.table, "bits", weights)
    seconds |= _queens()
    seconds |= _decompositions()
    seconds |= _compile_sudoku()
    seconds |= _sliding()
    seconds |= _edges()
    return seconds


def _edges() -> dict[str, float]:
    """Compile the kernels of edge matching."""
    from tablero.puzzles.edges.estimate import knuth
    from tablero.puzzles.edges.generate import example
    from tablero.puzzles.edges.optimise import optimiser_for
    from tablero.puzzles.edges.solve import search_for

    puzzle, seconds = example(), {}
    for method in ("scan", "fewest", "frame", "beam"):
        began = time.monotonic()
        search_for(puzzle, method).warm()
        seconds[f"edges {method}"] = round(time.monotonic() - began, 2)
    began = time.monotonic()
    optimiser_for(puzzle, 2).warm()
    knuth(puzzle, 1)
    seconds["edges optimise, estimate"] = round(time.monotonic() - began, 2)
    return seconds


def _decompositions() -> dict[str, float]:
    """Compile the kernels of decompositions, where igraph is there to make the problems."""
    from tablero.errors import MissingExtra
    from tablero.puzzles.decomposition import decompose

    seconds = {}
    try:
        for name, puzzle, method in (
            ("copies of a part", decompose("K6"), "auto"),
            ("multicovers", decompose("K6", fold=2), "auto"),
            ("base copies", decompose("K6", symmetry="bicyclic"), "base"),
        ):
            began = time.monotonic()
            puzzle.solve(method=method)
            seconds[name] = round(time.monotonic() - began, 2)
    except MissingExtra:
        pass
    return seconds


def _compile_sudoku() -> dict[str, float]:
    from tablero.puzzles.sudoku import Layout, Sudoku
    from tablero.puzzles.sudoku.generate import Wish, generate

    seconds = {}
    kernels: dict[str, Callable[[], object]] = {
        "sudoku bands": lambda: Sudoku((0,) * 81, Layout()).solve(2),
        "sudoku make": lambda: next(generate(1)),
        "sudoku cells": lambda: next(generate(1, Wish(side=4))),
    }
    for name, work in kernels.items():
        began = time.monotonic()
        work()
        seconds[name] = round(time.monotonic() - began, 2)
    return seconds


def _sliding() -> dict[str, float]:
    """Compile the kernels of sliding tiles; the pattern databases are built when they are first needed."""
    from tablero.puzzles import sliding
    from tablero.puzzles.sliding import anytime, optimal
    from tablero.search.sliding_patterns import database

    seconds = {}
    kernels: dict[str, Callable[[], Any]] = {
        "slide table": anytime.warm,
        "slide worst": lambda: sliding.worst(4, "table"),
        "slide optimal": lambda: optimal.warm(sliding.random(3, seed=1), "lines"),
        "slide patterns": lambda: database(3, 3, (1, 2)),
    }
    for name, work in kernels.items():
        began = time.monotonic()
        work()
        seconds[name] = round(time.monotonic() - began, 2)
    return seconds


def _queens() -> dict[str, float]:
    """Compile the kernels of the queens."""
    from tablero.puzzles.queens.anneal import Settings
    from tablero.search.queens_anneal import QueensAnneal
    from tablero.search.queens_count import QueensCount
    from tablero.search.queens_local import QueensLocal

    seconds = {}
    for search in (QueensCount(8), QueensAnneal((0,), 8, Settings.for_side(8).schedule()), QueensLocal((0,), 8)):
        began = time.monotonic()
        search.warm()
        seconds[search.name.partition("/")[0].replace(".", " ")] = round(time.monotonic() - began, 2)
    return seconds


def doctor(as_json: Json = False) -> int:
    """Say what is installed, and compile the kernels so that later commands need not wait."""
    from tablero import __version__
    from tablero.runs.jobs import home

    core = {name: _version(name) for name in ("numpy", "numba", "typer", "rich", "platformdirs")}
    extras = {extra: {name: _version(name) for name in names} for extra, names in _EXTRAS.items()}
    values: dict[str, Any] = {
        "tablero": __version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "core": core,
        "extras": extras,
        "jobs": str(home()),
    }
    if not as_json:
        print(f"tablero {__version__} on Python {values['python']}, {values['machine']}")
        print("core     " + ", ".join(f"{name} {version}" for name, version in core.items()))
        for extra, packages in extras.items():
            missing = [name for name, version in packages.items() if version is None]
            print(
                f"{extra:<8} " + (f"missing {', '.join(missing)}: pip install 'tablero[{extra}]'" if missing else "ok")
            )
        print(f"jobs     {values['jobs']}")
        print("kernels  compiling, a minute at most the first time …", flush=True)
    values["kernels"] = compile_kernels()
    if as_json:
        print_json(values)
    else:
        for name, seconds in values["kernels"].items():
            print(f"         {name:<22} {seconds:.2f} s")
    return 0
