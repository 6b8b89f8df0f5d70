"""What every family must do: the checks of `tablero.testing`.  A family adds its line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tablero.testing import ALL, Check, conformance

_COVER = "a b c | x\na x:1\na b\na b c\nb x:2\nb c\nc\nb\n"
_PIECES = "1 0 2 2\n0 0 1 2\n2 0 0 2\n2 1 1 0\n1 0 0 1\n2 0 2 1\n1 2 2 1\n2 0 0 1\n0 1 2 1\n"
_CUBE = """{"host": {"graph6": "Gl_XIS", "name": "cube"}, "parts": [{"graph6": "Ch", "name": "path-4"}], "fold": 1}"""
_TWOFOLD = """{"host": {"graph6": "E~~w", "name": "K6"}, "parts": [{"graph6": "Bw", "name": "triangle"}], "fold": 2}"""

# Small puzzles of a family, and the searches of which the checks are made.
FAMILIES: dict[str, tuple[list[Any], Mapping[str, Mapping[str, Any]]]] = {
    "cover": ([_COVER, [["a", "b"], ["c"], ["b", "c"], ["a"]]], ALL),
    "decomposition": ([_CUBE, _TWOFOLD], ALL),
    "edges": ([_PIECES], ALL),
    "queens": ([6, "Q.....\n" + 5 * "......\n", ".x..\n....\n....\n...x\n"], ALL),
    "sliding": (["1 2 3/4 5 6/0 7 8", "1 2 3/0 4 6/7 5 8"], {"solve": {"method": "optimal"}}),
    "sudoku": (["1000040000000000", "0" * 16], ALL),
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


@pytest.mark.parametrize(
    ("place", "wrong", "name"),
    [
        ("tablero.queens.formats.write", lambda puzzle: "....\n" * puzzle.n, "formats 0"),
        ("tablero.queens.checking.first_fault", lambda puzzle, columns: "no solution", "solve 0: answers"),
        ("tablero.search.cursor.Cursor.store", lambda cursor: b"\x01\x00", "count 0: resumed"),
    ],
)
def test_the_checks_see_a_fault(place: str, wrong: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    checks = {str(check): check for check in conformance("queens", ["Q...\n....\n....\n....\n"])}
    monkeypatch.setattr(place, wrong)
    with pytest.raises(AssertionError):
        checks[name]()
