"""Solutions by formula: the staircases of Hoffman, Loessi and Moore (1969), for every n but 2 and 3.

Columns are counted from 1 in the formula.  The even columns in the upper half, the odd ones below, is a solution unless n
leaves 2 or 3 when divided by 6; then a few queens change places.  On a torus a knight's steps are a solution when
neither 2 nor 3 divides n, and otherwise there is none (Pólya 1918).
"""

from __future__ import annotations

import math

import numpy as np

from tablero.queens.puzzle import Columns, check_side


def exists(n: int, *, torus: bool = False) -> bool:
    """Whether n queens can be set on an empty board."""
    return math.gcd(n, 6) == 1 if torus else n not in (2, 3)


def construct(n: int, *, torus: bool = False) -> Columns | None:
    """The columns of a solution, from 0, or None where there is none."""
    check_side(n)
    if not exists(n, torus=torus):
        return None
    if torus:
        return (2 * np.arange(n, dtype=np.int64) % n).astype(np.int32)
    even, odd = np.arange(2, n + 1, 2, dtype=np.int32), np.arange(1, n + 1, 2, dtype=np.int32)
    if n % 6 == 2:
        odd[:2] = 3, 1  # 3 1 7 9 … 5
        odd[2:-1], odd[-1] = odd[3:].copy(), 5
    elif n % 6 == 3:
        even[:-1], even[-1] = even[1:].copy(), 2  # 4 6 … 2
        odd[:-2], odd[-2:] = odd[2:].copy(), (1, 3)  # 5 7 … 1 3
    return np.concatenate([even, odd]) - 1
