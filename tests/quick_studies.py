"""All studies as `python -m studies run NAME --quick` makes them, and whether what they leave is what their designs say.

    python -m tests.quick_studies [--at-once 2] [NAME …]

Each study runs in a process and a folder of its own, so that everything is measured anew.  Then, by code that does not
come from the studies' own reports:

    table    the CSV has each cell of the design once and no other, and every cell has been measured
    figure   the SVG is XML with axes and words, the PNG an image of its size that is not blank
    page     it has its parts, and names versions and machine
    gallery  where the docs' gallery has a cell as well, all that does not depend on the machine is the same
    time     no study takes more than a minute of CPU, all together no more than six
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from studies import names, study
from studies.design import Study

ROOT = Path(__file__).parents[1]
GALLERY = ROOT / "docs" / "gallery"
MOST_SECONDS, MOST_SECONDS_OF_ALL = 60.0, 360.0
_PARTS = ("## What it shows", "## What the source said", "## How it was measured", "tablero ", "Python ", "processors")

Row = dict[str, str]


def rows_of(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def key(one: Study, row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in (*one.factors, "repetition"))


def wrong_table(one: Study, rows: list[Row]) -> list[str]:
    """What is wrong with a table."""
    designed = [key(one, {name: str(value) for name, value in cell.items()}) for cell in one.cells(quick=True)]
    found = [key(one, row) for row in rows]
    faults = []
    if found != designed:
        faults.append(f"{len(found)} rows, {len(set(found) & set(designed))} of the {len(designed)} of the design")
    measured = [name for name in (rows[0] if rows else {}) if name not in (*one.factors, "repetition")]
    if not measured or any(not any(row[name] for name in measured) for row in rows):
        faults.append("rows without a measurement")
    return faults


def wrong_figures(one: Study, folder: Path) -> list[str]:
    """What is wrong with the figure in its two forms."""
    from matplotlib import image

    faults = []
    try:
        root = ET.parse(folder / f"{one.name}.svg").getroot()
        words = " ".join(
            text for element in root.iter() if element.tag.endswith("}text") for text in element.itertext()
        )
        if one.title not in words:
            faults.append("the SVG lacks its title")
        if not any(str(element.get("id", "")).startswith("axes_") for element in root.iter()):
            faults.append("the SVG has no axes")
        pixels = image.imread(folder / f"{one.name}.png")
        if min(pixels.shape[:2]) < 400 or pixels[..., :3].min() > 0.3 or (pixels[..., :3] < 0.9).mean() < 0.005:
            faults.append("the PNG is too small, or blank")
    except (OSError, ET.ParseError, SyntaxError) as error:
        faults.append(f"a figure cannot be read: {error}")
    return faults


def differences(one: Study, rows: list[Row], gallery: list[Row]) -> tuple[int, list[str]]:
    """How many cells the gallery has as well, and where it says something else that no machine should change."""
    shown = {key(one, row): row for row in gallery}
    quarantined = {"seconds", *one.timed}
    both = [(row, shown[key(one, row)]) for row in rows if key(one, row) in shown]
    faults = [
        f"{' '.join(key(one, here))}: {name} is {here[name]}, in the gallery {there.get(name)}"
        for here, there in both
        for name in here
        if name not in quarantined and here[name] != there.get(name)
    ]
    return len(both), faults


def run_one(name: str, folder: Path) -> tuple[str, float, list[str]]:
    """Run a study: a line that tells of it, its CPU seconds, and what is wrong."""
    one, out = study(name), folder / name / "out"
    arguments = ["run", name, "--quick", "-o", str(out)]
    out.mkdir(parents=True)
    with (out / "said").open("w+", encoding="utf-8") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "studies", *arguments],
            cwd=ROOT,
            env={**os.environ, "TABLERO_HOME": str(folder / name / "home")},
            stdout=said,
            stderr=said,
        )
        _, status, used = os.wait4(process.pid, 0)  # of it and of the processes that it has waited for
        seconds = used.ru_utime + used.ru_stime
        if status:
            said.seek(0)
            return f"{name}: status {os.waitstatus_to_exitcode(status)}", seconds, [said.read()[-2000:]]
    rows = rows_of(out / f"{name}.csv")
    faults = wrong_table(one, rows) + wrong_figures(one, out)
    page = (out / f"{name}.md").read_text(encoding="utf-8")
    faults += [f"the page lacks {part!r}" for part in _PARTS if part not in page]
    shown = GALLERY / f"{name}.csv"
    same, apart = differences(one, rows, rows_of(shown) if shown.exists() else [])
    if not same:
        faults.append("the gallery has no cell of it")
    faults += apart[:5] + ([f"and {len(apart) - 5} more"] if len(apart) > 5 else [])
    if seconds > MOST_SECONDS:
        faults.append(f"{seconds:.0f} s of CPU: more than {MOST_SECONDS:.0f}")
    return f"{name:<20} {len(rows):>5} rows, {same:>4} as in the gallery, {seconds:5.1f} s of CPU", seconds, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1, help="processes at a time")
    asked = parser.parse_args()
    chosen = asked.names or names()
    total, failed = 0.0, False
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(max(1, asked.at_once)) as pool:
        for line, seconds, faults in pool.map(lambda name: run_one(name, Path(folder)), chosen):
            print(line, *(f"  WRONG: {fault}" for fault in faults), sep="\n", flush=True)
            total += seconds
            failed |= bool(faults)
    print(f"{len(chosen)} studies, {total:.0f} s of CPU")
    if total > MOST_SECONDS_OF_ALL:
        print(f"WRONG: more than {MOST_SECONDS_OF_ALL:.0f} s")
        failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
