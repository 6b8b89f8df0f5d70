"""The heavy tests that tests/conftest.py names are there: one that is renamed must not become light in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import FIRST, MARKERS


@pytest.mark.parametrize("name", sorted({*FIRST, *(name for table in MARKERS.values() for name in table)}))
def test_what_is_named_is_there(name: str) -> None:
    file, _, function = name.partition("::")
    text = (Path(__file__).parent / file).read_text(encoding="utf-8")
    assert not function or f"def {function}(" in text


def test_markers_are_the_registered_ones(pytestconfig: pytest.Config) -> None:
    registered = {line.partition(":")[0] for line in pytestconfig.getini("markers")}
    assert {"heavy", *MARKERS} <= registered
