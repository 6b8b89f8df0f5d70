"""What searches by beams have in common: they begin again and again with other random numbers, and prove nothing."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from tablero.puzzles.edges.kernels.tiles import Tiles
from tablero.search.base import SearchBase


@dataclass
class Restarting(SearchBase):
    """A search of steps that each have random numbers of their own."""

    tiles: Tiles
    proves: bool = field(init=False, default=False)
    left_behind: ClassVar[tuple[str, ...]] = ("_benches",)  # when it goes to another process

    def __post_init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._benches: list[Any] = []  # tables and room for a thread; taken and given back

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k not in self.left_behind}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._forget()

    @property
    def width(self) -> int:
        return self.tiles.cells

    def _told(self) -> str:
        """What else than the tiles decides on what is found."""
        raise NotImplementedError

    def digest(self) -> str:
        parts = hashlib.sha256(self._told().encode())
        for array in self.tiles:
            parts.update(repr(array.shape).encode() + np.ascontiguousarray(array).tobytes())
        return parts.hexdigest()


def scramble(seed: int, steps: int) -> np.uint64:
    """A random state that is not 0."""
    digest = hashlib.sha256(struct.pack("<QQ", seed, steps)).digest()
    return np.uint64(int.from_bytes(digest[:8], "little") | 1)
