"""Joins matched of 480 on 16×16 against time: puzzles with 5 and 17 colours, and the pieces of Eternity II from a file."""

from __future__ import annotations

import statistics
from dataclasses import replace
from typing import Any

from bench.measure import Settings, hush, report
from tablero.edges import EdgePuzzle, generate, read
from tablero.edges.optimising import optimise
from tablero.runs.run import Here

_SEEDS = 10
_UNSEEN = 1001  # the first of the seeds that nothing was tuned on
_SHORT = (10.0, 60.0)  # seconds, on one thread
_LONG = 1200.0  # seconds, on two threads
_GENERATED, _FREE, _CLUED = "5 and 17 colours", "Eternity II without clues", "Eternity II with five clues"
_CLUES = ("r9c8,139,2", "r14c3,181,3", "r3c14,255,3", "r14c14,249,0", "r3c3,208,3")
_GOALS = {
    (_GENERATED, 10.0): 466,
    (_GENERATED, 60.0): 467,
    (_GENERATED, _LONG): 469,
    (_FREE, 60.0): 466.5,
    (_FREE, _LONG): 469,
}


def score(settings: Settings, faults: list[str]) -> dict[str, Any]:
    """Ten puzzles, one thread."""
    puzzles = {seed: _generated(seed) for seed in range(_UNSEEN, _UNSEEN + _SEEDS)}
    return {f"{seconds:g}": _measured(_GENERATED, puzzles, seconds) for seconds in _SHORT}


def eternity(settings: Settings, faults: list[str]) -> dict[str, Any]:
    """The pieces of Eternity II, ten searches each, one thread."""
    return {
        f"{name}, {seconds:g}": _measured(name, dict.fromkeys(range(_SEEDS), puzzle), seconds)
        for name, puzzle in _eternity(settings).items()
        for seconds in _SHORT
    }


def long(settings: Settings, faults: list[str]) -> dict[str, Any]:
    """One search of 20 minutes of each kind, two threads."""
    puzzles = {_GENERATED: _generated(_UNSEEN), **_eternity(settings)}
    return {name: _measured(name, {_UNSEEN: puzzle}, _LONG, threads=2) for name, puzzle in puzzles.items()}


def _generated(seed: int) -> EdgePuzzle:
    return generate(16, framed=(5, 17), seed=seed)


def _eternity(settings: Settings) -> dict[str, EdgePuzzle]:
    if settings.eternity is None:
        return {}
    puzzle = read(settings.eternity, size="16", clues=_CLUES)
    return {_FREE: replace(puzzle, clues=()), _CLUED: puzzle}


def _measured(name: str, puzzles: dict[int, EdgePuzzle], seconds: float, threads: int = 1) -> dict[str, Any]:
    scores, curves = [], {}
    for seed, puzzle in puzzles.items():
        report(f"edges score: {name}, {seconds:g} s, seed {seed}")
        best = optimise(puzzle, seed=seed, run=Here(time_limit=seconds, threads=threads))
        best.verify()
        scores.append(best.score)
        curves[seed] = best.curve
    hush()
    goal = _GOALS.get((name, seconds))
    mean = f"mean {statistics.mean(scores):.1f}{f' (goal: {goal})' if goal else ''}, each {' '.join(map(str, scores))}"
    print(f"\nJoins of 480, {name}, {seconds:g} s, threads: {threads}: {mean}")
    for seed, curve in curves.items():
        print(f"  seed {seed}: " + ", ".join(f"{score} at {when:.1f} s" for when, score in curve))
    return {"scores": scores, "curves": curves}
