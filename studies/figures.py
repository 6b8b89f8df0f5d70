"""One look for all figures: readable in grey, nothing cut off, axes with their units.

matplotlib draws.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studies.design import CAPPED
from tablero.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studies.statistics import Share
    from studies.table import Table

# Colours that differ in lightness too, each with a mark and a line of its own.
LOOKS: tuple[dict[str, Any], ...] = (
    {"color": "#1f5f85", "marker": "o", "linestyle": "-"},
    {"color": "#d1710a", "marker": "s", "linestyle": "--"},
    {"color": "#2f8f5b", "marker": "^", "linestyle": "-."},
    {"color": "#8a2f6b", "marker": "D", "linestyle": ":"},
    {"color": "#6b7280", "marker": "v", "linestyle": (0, (5, 1))},
    {"color": "#b79b00", "marker": "P", "linestyle": (0, (3, 1, 1, 1))},
    {"color": "#3d3d8f", "marker": "X", "linestyle": (0, (1, 1))},
    {"color": "#111827", "marker": "*", "linestyle": "-"},
)
_STYLE: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # an SVG names the whole list with every word
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "lines.markersize": 5,
    "lines.linewidth": 1.6,
    "legend.frameon": False,
    "figure.figsize": (7.2, 4.4),
    "figure.constrained_layout.use": True,
    "svg.hashsalt": "tablero",  # the same figure, the same file
    "svg.fonttype": "none",
}


def look(k: int) -> dict[str, Any]:
    """Colour, mark and line of the k-th of several."""
    return dict(LOOKS[k % len(LOOKS)])


def lacking() -> str:
    """Why no figure can be drawn; empty where one can."""
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        return "matplotlib is not installed ('pip install --group studies' adds it)"
    return ""


def write_figure(table: Table, folder: Path) -> list[Path]:
    """The figure of a study as SVG and PNG; none of a study that was stopped before it measured anything."""
    if not table.rows:
        return []
    if missing := lacking():
        raise BadInput(f"a figure cannot be drawn: {missing}")
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    paths = [folder / f"{table.study.name}.{ending}" for ending in ("svg", "png")]
    with mpl.rc_context(_STYLE):
        figure, axes = pyplot.subplots()
        try:
            table.study.draw(table, axes)
            if axes in figure.axes:
                axes.set_title(table.study.title)
            else:  # panels stand in its place
                figure.suptitle(table.study.title, x=0.01, horizontalalignment="left", fontweight="bold")
            for path in paths:
                figure.savefig(path, dpi=160, metadata={"Date": None} if path.suffix == ".svg" else None)
        finally:
            pyplot.close(figure)
    return paths


def panels(axes: Axes, titles: Sequence[str], *, width: float = 4.8, one_scale: bool = True) -> list[Axes]:
    """Several panels in place of one, each with its title; one scale of y unless they show different things.

    Two stand side by side: with more, a page would show their words too small.  The last of an odd number has a row.
    """
    figure = axes.get_figure(root=True)
    assert figure is not None
    axes.remove()
    across, down = min(len(titles), 2), -(-len(titles) // 2)
    figure.set_size_inches(width * across, 4.6 if down == 1 else 3.7 * down)
    grid = figure.add_gridspec(down, across)
    made: list[Axes] = []
    for k, words in enumerate(titles):
        row, column = divmod(k, 2)
        alone = column == 0 and k == len(titles) - 1
        one = figure.add_subplot(
            grid[row, :] if alone else grid[row, column], sharey=made[0] if one_scale and k else None
        )
        one.set_title(words, fontsize="medium", weight="normal")
        one.tick_params(labelleft=not one_scale or column == 0)
        made.append(one)
    return made


def draw_shares(axes: Axes, x: Sequence[Any], shares: Sequence[Share], label: str, k: int) -> None:
    """Parts of all in per cent, each with its interval."""
    below = [100 * (one.part - one.low) for one in shares]
    above = [100 * (one.high - one.part) for one in shares]
    parts = [100 * one.part for one in shares]
    axes.errorbar(x, parts, yerr=[below, above], label=label, capsize=2, elinewidth=0.8, **look(k))


def draw_medians(axes: Axes, rows: Table, factor: str, name: str, label: str, k: int, shift: float = 0.0) -> None:
    """Medians over a factor with a band of quartiles, and hollow marks where stopped runs hide medians, a little aside."""
    reported = sorted(((int(level), some) for (level,), some in rows.by(factor)), key=lambda pair: pair[0])
    known = [(x, some.summary(name)) for x, some in reported]
    axes.plot(
        [x for x, _ in known], [math.nan if m.median is None else m.median for _, m in known], label=label, **look(k)
    )
    quartiles = [(math.nan, math.nan) if m.low is None or m.high is None else (m.low, m.high) for _, m in known]
    axes.fill_between(
        [x for x, _ in known],
        [low for low, _ in quartiles],
        [high for _, high in quartiles],
        where=[not math.isnan(low) for low, _ in quartiles],  # nothing is said between two that are not neighbours
        alpha=0.15,
        linewidth=0,
        color=look(k)["color"],
    )
    hidden = [
        (x + shift, min(float(row[name]) for row in some.rows if row.get(CAPPED)))  # the least that it has come to
        for (x, some), (_, one) in zip(reported, known, strict=True)
        if one.median is None and one.capped
    ]
    mark_capped(axes, [x for x, _ in hidden], [bound for _, bound in hidden], k)


def mark_capped(axes: Axes, x: Sequence[float], bounds: Sequence[float], k: int) -> None:
    """Say where most runs were stopped, so that nothing but a bound is known: hollow marks at that bound."""
    if x:
        mark = {"marker": look(k)["marker"], "markerfacecolor": "none", "markeredgecolor": look(k)["color"]}
        axes.plot(x, bounds, linestyle="none", **mark)


def name_capped(axes: Axes, words: str = "most stopped") -> None:
    """Say in the legend what hollow marks mean."""
    axes.plot([], [], color="#444444", marker="o", markerfacecolor="none", linestyle="none", label=words)


def legend_aside(axes: Axes, *, capped: bool = False) -> None:
    """A legend to the right of the axes, where no line runs; with what hollow marks mean, where there may be some."""
    if capped:
        name_capped(axes)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
