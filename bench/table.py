"""Tables of text and how numbers stand in them."""

from __future__ import annotations

from collections.abc import Sequence


def seconds(value: float) -> str:
    """Three digits that count, as 28.7, 0.914 or 0.0021."""
    if value >= 99.95:
        return f"{value:.0f}"
    if value >= 9.995:
        return f"{value:.1f}"
    if value >= 0.9995:
        return f"{value:.2f}"
    return f"{value:.3f}" if value >= 0.0995 else f"{value:.4f}"


def ratio(value: float) -> str:
    return f"{value:.0f}×" if value >= 99.5 else f"{value:.1f}×" if value >= 9.95 else f"{value:.2f}×"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns as wide as they must be: the first to the left, the others to the right."""
    widths = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]

    def line(row: Sequence[str]) -> str:
        first, *others = row
        return "  ".join([first.ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(others, widths[1:], strict=True))])

    return "\n".join([line(head), "  ".join("─" * w for w in widths), *map(line, rows)])
