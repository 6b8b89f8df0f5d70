"""What every family must do: the checks of `tablero.testing`.  A family adds its line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tablero.testing import ALL, Check, conformance

# Small puzzles of a family, and the searches of which the checks are made.
FAMILIES: dict[str, tuple[list[Any], Mapping[str, Mapping[str, Any]]]] = {
    "queens": ([6, "Q.....\n" + 5 * "......\n", ".x..\n....\n....\n...x\n"], ALL),
    "decomposition": (["K6", "0-1,1-2,2-3,3-0,0-2,1-3"], ALL),
    "warehouse": (
        [9, ". . . .\n. 1 3 .\n# 4 2 .\n. # . #\n", ". . . . .\n. 1 # 2 .\n. 3 . 4 .\n. 5 6 7 .\n. . . . .\n"],
        {},
    ),
}


@pytest.mark.parametrize(
    ("family", "check"),
    [
        pytest.param(name, check, id=f"{name} {check}")
        for name, (puzzles, searches) in FAMILIES.items()
        for check in conformance(name, puzzles, searches)
    ],
)
def test_a_family_does_what_is_expected_of_it(family: str, check: Check) -> None:
    check()
