"""`make wheel-test`, or `python -m tests.wheel`: build the package, look into it, and try it on every Python at hand.

For each Python that is promised and at hand: a new environment in a temporary folder, the wheel in it, and in
an empty folder `tablero tour` and the smoke test.  Nothing of the repository is on any path there.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SMOKE = Path(__file__).parent / "smoke.py"
LARGEST = 2_000_000  # bytes of a wheel
# What no wheel may lack, beside the modules.
NEEDED = [
    "tablero/py.typed",
    "tablero/web/static/index.html",
    "tablero/web/static/style.css",
    "tablero/sudoku/page.js",
]


def promised() -> list[str]:
    """The Pythons of the classifiers."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return re.findall(r"Python :: (3\.\d+)'", str(project["classifiers"]))


def at_hand(version: str) -> str | None:
    """An interpreter of that version: on the path, or of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for place in (*sorted(pyenv.glob(f"{version}.*/bin/python3")), shutil.which(f"python{version}")):
        if place and subprocess.run([place, "-c", "import venv"], capture_output=True, check=False).returncode == 0:
            return str(place)
    return None


def build(into: Path) -> Path:
    """Wheel and source, both checked as an index would check them."""
    subprocess.run([sys.executable, "-m", "build", "--outdir", into, ROOT], check=True, stdout=subprocess.DEVNULL)
    files = sorted(into.iterdir())
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *files], check=True)
    for path in files:
        print(f"{path.name}: {path.stat().st_size:,} bytes")
    return next(path for path in files if path.suffix == ".whl")


def look_into(wheel: Path) -> None:
    """What must be in a wheel is there, every file of the package, and nothing else."""
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if ".dist-info/" not in name}
    source = ROOT / "src"
    ours = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    }
    missing = sorted({*NEEDED, *ours} - inside)
    assert not missing, f"not in the wheel: {missing}"
    assert inside == ours, f"too much in the wheel: {sorted(inside - ours)}"
    assert wheel.stat().st_size < LARGEST, f"the wheel has {wheel.stat().st_size:,} bytes"


def trial(python: str, wheel: Path, extras: str) -> float:
    """A new environment with the wheel, the tour and the smoke test; seconds of the tour, which compiles the kernels."""
    with tempfile.TemporaryDirectory(prefix="tablero-wheel-") as folder:
        place, empty = Path(folder, "environment"), Path(folder, "empty")
        empty.mkdir()
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "NUMBA"))}
        environment |= {"TABLERO_HOME": str(Path(folder, "home")), "VIRTUAL_ENV": str(place)}
        environment["PATH"] = f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"
        subprocess.run([python, "-m", "venv", place], check=True, env=environment)
        inner = str(place / "bin" / "python")
        command = [inner, "-m", "pip", "install", "-q", "--disable-pip-version-check", f"{wheel}[{extras}]"]
        subprocess.run(command, check=True, env=environment, cwd=empty)
        began = time.monotonic()
        subprocess.run(["tablero", "tour"], check=True, env=environment, cwd=empty, stdout=subprocess.DEVNULL)
        seconds = time.monotonic() - began
        subprocess.run([inner, "-I", SMOKE], check=True, env=environment, cwd=empty)
        return seconds


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.wheel", description=__doc__)
    parser.add_argument("--python", action="append", metavar="3.N", help="only these versions")
    parser.add_argument("--extras", default="graphs,sheets", help="what is installed with the wheel")
    parser.add_argument("--only-build", action="store_true", help="look at what is built, and try it nowhere")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tablero-build-") as folder:
        wheel = build(Path(folder))
        look_into(wheel)
        if wanted.only_build:
            return
        versions = wanted.python or promised()
        tried = 0
        for version in versions:
            python = at_hand(version)
            if python is None:
                print(f"Python {version}: not on this machine, not tried")
                continue
            seconds = trial(python, wheel, wanted.extras)
            tried += 1
            print(f"Python {version}: installed, tour in {seconds:.0f} s, smoke test passed")
        assert tried, f"none of {', '.join(versions)} is on this machine"


if __name__ == "__main__":
    main()
