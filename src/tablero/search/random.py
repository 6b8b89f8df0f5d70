"""The random generator of all kernels: xorshift64* (Vigna 2014), with 64 bits of state that are never 0.

A kernel keeps the state in an array that is stored with its other arrays, so that a stored search continues exactly as if it
had not been stored.  These functions must not change, as stored searches would continue with other numbers.
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
    """The random word of a state."""
    return times(x, U(0x2545F4914F6CDD1D))


@inlined
def below(word: np.uint64, n: np.uint64) -> np.uint64:
    """A number from 0 to n − 1 from the upper half of a random word; n has at most 32 bits."""
    return ((word >> U(32)) * n) >> U(32)


@inlined
def unit(word: np.uint64) -> float:
    """A number from 0 to 1 from the upper 53 bits of a random word."""
    return float(np.float64(word >> U(11)) * (1.0 / 9007199254740992.0))


def random_state(seed: int) -> NDArray[np.uint64]:
    """The state for a seed, by splitmix64: similar seeds have different states."""
    z = (seed + 1) * 0x9E3779B97F4A7C15 % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return np.array([z ^ z >> 31 or 1], np.uint64)
