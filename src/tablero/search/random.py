"""The one random generator of the kernels: xorshift64* (Vigna 2014), 64 bits of state, never 0.

A kernel keeps the state in an array that is stored with all else, so that a stored search goes on as if never stored.
These must not change: stored searches would go on with other numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tablero.search.compiled import inlined, times

U = np.uint64


@inlined
def draw(x: np.uint64) -> np.uint64:
    """The next state."""
    x ^= x >> U(12)
    x ^= x << U(25)
    x ^= x >> U(27)
    return x


@inlined
def mixed(x: np.uint64) -> np.uint64:
    """The random word that belongs to a state."""
    return times(x, U(0x2545F4914F6CDD1D))


@inlined
def below(word: np.uint64, n: np.uint64) -> np.uint64:
    """A number from 0 to n − 1 by the upper half of a random word; n has at most 32 bits."""
    return ((word >> U(32)) * n) >> U(32)


@inlined
def unit(word: np.uint64) -> float:
    """A number from 0 to 1 by the upper 53 bits of a random word."""
    return float(np.float64(word >> U(11)) * (1.0 / 9007199254740992.0))


def random_state(seed: int) -> NDArray[np.uint64]:
    """A state for the random numbers: seeds that are alike become states that are not (splitmix64; never 0)."""
    z = (seed + 1) * 0x9E3779B97F4A7C15 % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return np.array([z ^ z >> 31 or 1], np.uint64)
