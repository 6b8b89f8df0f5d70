"""Decompositions with a prescribed automorphism."""

from __future__ import annotations

from collections.abc import Mapping

from tablero.errors import BadInput
from tablero.puzzles.decomposition.graph import Graph, Label
from tablero.puzzles.decomposition.models import Model
from tablero.puzzles.decomposition.puzzle import DecompositionPuzzle


def permutation_of(given: str | Mapping[Label, Label], host: Graph) -> tuple[int, ...]:
    raise BadInput("decompositions with a symmetry are to come")


def symmetric_model(puzzle: DecompositionPuzzle, method: str = "auto") -> Model:
    raise BadInput("decompositions with a symmetry are to come")
