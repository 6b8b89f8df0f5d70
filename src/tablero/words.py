"""Numbers and what they are of, as people write them."""

from __future__ import annotations


def several(number: int, one: str, many: str = "") -> str:
    """1 row, 2 rows, 1,000 rows."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
