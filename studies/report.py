"""What a study leaves: a table as CSV, a figure as SVG and PNG, and a page in words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from studies.design import CAPPED, Study
from studies.figures import lacking, write_figure
from studies.machine import machine
from studies.table import Table
from studies.words import stopped_of, summary_text
from tablero.files import write_text


def write_all(table: Table, folder: Path) -> list[Path]:
    """Write everything into a folder; without matplotlib (see `figures.lacking`) the figure is left out.

    So it is after Ctrl-C: to draw what there is would take seconds.  The page stands beside its table before anything is
    drawn, so that Ctrl-C meanwhile leaves none of another table there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = table.study.name
    written = [folder / f"{name}.csv", folder / f"{name}.md"]
    words = page(table)
    write_text(written[0], table.csv())
    write_text(written[1], words.replace(f"{_figure(table.study)}\n\n", "", 1))
    figures = [] if table.interrupted or lacking() else write_figure(table, folder)
    if figures:
        write_text(written[1], words)
    return written + figures


def page(table: Table) -> str:
    """The page in words, with its figure."""
    study = table.study
    parts = [f"# {study.title}", study.question, _figure(study)]
    parts += ["## What it shows", bullets(study.conclude(table) or ["Nothing was measured."])]
    if table.missing:
        parts.append(
            f"{table.missing:,} of {table.missing + len(table.rows):,} measurements are missing: it was stopped."
        )
    parts += ["## What the source said", study.source, "## How it was measured", bullets(_how(table))]
    return "\n\n".join(parts) + "\n"


def write_index(tables: Iterable[Table], folder: Path) -> Path:
    """Write a page with a small figure of each study, its title and its question."""
    tables = list(tables)
    toc = "\n".join(table.study.name for table in tables)
    parts = [
        "# Gallery",
        "Every study with its figure. A study's page has its results, the table and the command that measures it again.",
        f"```{{toctree}}\n:hidden:\n\n{toc}\n```",
    ]
    rows = ["| | |", "|---|---|"]
    for table in tables:
        study, name = table.study, table.study.name
        small = f"[![{study.title}]({name}.svg){{width=240px}}]({name}.md)" if (folder / f"{name}.svg").exists() else ""
        rows.append(f"| {small} | **[{study.title}]({name}.md)**. {study.summary} |")
    path = folder / "index.md"
    write_text(path, "\n\n".join([*parts, "\n".join(rows)]) + "\n")
    return path


def _figure(study: Study) -> str:
    return f"![{study.title}]({study.name}.svg)"


def bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _how(table: Table) -> list[str]:
    study = table.study
    factors = ", ".join(f"{name}: {_levels(table.levels(name))}" for name in study.factors if table.levels(name))
    repetitions = len(table.levels("repetition"))
    lines = [
        f"{len(table.rows):,} measurements ({factors or 'no factors'}; repetitions: {repetitions}); the table is "
        f"[{study.name}.csv]({study.name}.csv).",
        f"`python -m studies run {study.name}` measures it again. {study.seeds} Version {study.version} of the study.",
    ]
    stopped = sum(bool(row.get(CAPPED)) for row in table.rows)
    if any(CAPPED in row for row in table.rows):
        verb = "counts" if stopped == 1 else "count"
        lines.append(f"{stopped_of(stopped, len(table.rows), '')} by a limit, and {verb} as such.")
    for made, rows in table.made or ((machine(), len(table.rows)),):
        lines.append(f"{made}." if len(table.made) < 2 else f"{rows:,} of them: {made}.")
    if any("seconds" in row for row in table.rows):
        busy = "" if table.load is None else f": its load was {summary_text(table.load._replace(interval=None))}"
        lines.append(f"Times are of this machine, and of what else it had to do{busy}.")
    return lines


def _levels(levels: list[object]) -> str:
    shown = [f"{level:,}" if isinstance(level, int) and not isinstance(level, bool) else str(level) for level in levels]
    return ", ".join(shown if len(shown) <= 12 else [*shown[:5], "…", *shown[-2:]])
